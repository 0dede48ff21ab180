//! The canonical layout of a file, with its comments.
//!
//! A statement begins a line. The other line breaks are those of the source. A line is indented by
//! four columns for each open bracket. There is at most one blank between tokens.

use super::reader::read;
use super::token::{Abg, Token, TokenKind, Tokens};
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::syntax::{Page, STEP, utf8};

/// Lays out a game.
///
/// # Errors
///
/// As [`read`].
///
/// ```
/// # mod gdlr { pub use gdlr_rg::abg; }
/// let text = "players=white,black;pieces = empty , w( white );# all\nrule w=[0,-1 , Empty]*\n\
///     |[ 1,0,row==8 ]{Go(1-2)};effect Go(n){move;\nif n==1{put w;}}\n\nboard_size=1,1;board=w;";
/// let laid_out = gdlr::abg::format(text).unwrap();
/// assert_eq!(laid_out, "players = white, black;\npieces = empty, w(white); # all\n\
///     rule w = [0, -1, Empty]*\n    | [1, 0, row == 8]{Go(1 - 2)};\neffect Go(n) { move;\n    \
///     if n == 1 { put w; } }\n\nboard_size = 1, 1;\nboard = w;\n");
/// assert_eq!(gdlr::abg::format(&laid_out).unwrap(), laid_out);
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    read(text)?;
    Ok(lay_out(text))
}

/// Lays out bytes that should be UTF-8.
///
/// # Errors
///
/// As [`read_bytes`](super::read_bytes).
pub fn format_bytes(bytes: &[u8]) -> Result<String, Vec<Diagnostic>> {
    format(utf8::<Abg>(bytes)?)
}

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    /// The brace of a letter's effect.
    Effect,
    Other,
}

/// The state of a layout.
struct Formatter {
    /// The open brackets.
    open: Vec<Opened>,
    /// Whether the last closed bracket was that of a letter's effect.
    closed_effect: bool,
    /// Whether the next token begins a statement of the game.
    heads: bool,
    /// Whether the last sign is that of a number, not an operator.
    signs: bool,
}

fn lay_out(text: &str) -> String {
    let mut page = Page::new(text);
    let mut tokens = Tokens::new(text);
    let mut formatter =
        Formatter { open: Vec::new(), closed_effect: false, heads: true, signs: false };
    let mut before: Option<Token> = None;
    loop {
        let token: Token = page.next_token(&mut tokens);
        if token.kind == TokenKind::End {
            return page.finish();
        }
        let span = token.span();
        let stray = before.is_some_and(|last| {
            last.kind == TokenKind::CloseBrace && token.kind == TokenKind::Semicolon
        });
        // After a `}`, the semicolon and the scores of an end belong to the statement.
        let word = &text[span.range()];
        let heads = formatter.heads && !stray && word != "scores";
        let closes = is_closing(token.kind);
        if closes {
            formatter.closed_effect = formatter.open.pop() == Some(Opened::Effect);
        }
        let indent = if heads { 0 } else { STEP * formatter.open.len().max(1) };
        let indent = if closes && formatter.open.is_empty() { 0 } else { indent };
        let breaks = before.is_none_or(|last: Token| text[last.end..token.start].contains('\n'));
        let commented = page.comments_before(span.start, indent, true);
        if commented || heads || breaks {
            page.line(span.start, indent, true);
        } else if let Some(last) = before
            && spaced(last.kind, token.kind, &formatter, last.end < token.start)
        {
            page.write(" ");
        }
        page.copy(span);
        if is_opening(token.kind) {
            let is_effect = token.kind == TokenKind::OpenBrace
                && before.is_some_and(|last| last.kind == TokenKind::CloseBracket);
            formatter.open.push(if is_effect { Opened::Effect } else { Opened::Other });
        }
        formatter.signs =
            token.kind == TokenKind::Minus && before.is_none_or(|it| is_before_sign(text, it));
        let ends = match token.kind {
            TokenKind::Semicolon => true,
            TokenKind::CloseBrace => !formatter.closed_effect,
            _ => false,
        };
        formatter.heads = formatter.open.is_empty() && ends;
        before = Some(token);
    }
}

fn is_opening(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Open | TokenKind::OpenBrace | TokenKind::OpenBracket)
}

fn is_closing(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Close | TokenKind::CloseBrace | TokenKind::CloseBracket)
}

/// Whether a `-` after a token is the sign of a number.
fn is_before_sign(text: &str, token: Token) -> bool {
    let is_word =
        matches!(&text[token.span().range()], "return" | "and" | "or" | "not" | "put" | "if");
    is_word || !matches!(token.kind, TokenKind::Word) && !is_closing(token.kind)
}

/// Whether a blank is between two tokens of a line; `apart` says whether the source has one.
fn spaced(left: TokenKind, right: TokenKind, formatter: &Formatter, apart: bool) -> bool {
    use TokenKind as T;
    let repeats = |kind| matches!(kind, T::Star | T::Plus | T::Question);
    match (left, right) {
        (_, T::Comma | T::Semicolon | T::Colon | T::Dot | T::Range) | (T::Dot | T::Range, _) => {
            false
        }
        (T::Minus, _) if formatter.signs => false,
        (T::Not, _) | (T::Open | T::OpenBracket, _) | (_, T::Close | T::CloseBracket) => false,
        (T::CloseBracket, T::OpenBrace) => false,
        (T::OpenBrace, _) => formatter.open.last() != Some(&Opened::Effect),
        (_, T::CloseBrace) => !formatter.closed_effect,
        // A call or a group, a repetition or a product: the blank of the source decides.
        (T::Word | T::Close | T::CloseBracket | T::CloseBrace, T::Open | T::OpenBracket) => apart,
        (T::Close | T::CloseBracket | T::CloseBrace, T::Word) => apart,
        (T::Comma | T::Assign, _) => true,
        (_, right) if repeats(right) => apart,
        (left, _) if repeats(left) => apart,
        _ => true,
    }
}
