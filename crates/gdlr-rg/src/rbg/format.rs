//! The canonical layout of a file, with its macros and comments.
//!
//! A section or a macro begins a line. The other line breaks are those of the source. A line is
//! indented by four columns more than the line of the innermost open bracket. There is at most one
//! blank between tokens.

use super::reader::read;
use super::token::{Rbg, Token, TokenKind, Tokens};
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::syntax::{Page, STEP, utf8};

/// Lays out a game.
///
/// # Errors
///
/// As [`read`].
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rbg; }
/// let text = "#players = x ( 100 )\n#pieces = e ,p // all\n#variables=\n#m(a;b) = a~b\n
///     #board = rectangle(up,down,left,right,\n[ e, ,e ]\n [p,e,e])
/// #rules = ->x (\nleft+right)";
/// let laid_out = gdlr::rbg::format(text).unwrap();
/// assert_eq!(laid_out, "#players = x (100)\n#pieces = e, p // all\n#variables =\n\
///     #m(a; b) = a~b\n\n#board = rectangle(up, down, left, right,\n    [e, , e]\n    [p, e, e])\n\
///     #rules = ->x (\n    left + right)\n");
/// assert_eq!(gdlr::rbg::format(&laid_out).unwrap(), laid_out);
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
    format(utf8::<Rbg>(bytes)?)
}

fn lay_out(text: &str) -> String {
    let mut page = Page::new(text);
    let mut tokens = Tokens::new(text);
    // By open bracket: the indentation of its line.
    let mut open: Vec<usize> = Vec::new();
    let mut own = 0;
    let mut before: Option<Token> = None;
    loop {
        let token: Token = page.next_token(&mut tokens);
        if token.kind == TokenKind::End {
            return page.finish();
        }
        let span = token.span();
        let heads = token.kind == TokenKind::Hash;
        if heads {
            open.clear();
        }
        let closes = matches!(
            token.kind,
            TokenKind::Close | TokenKind::CloseBrace | TokenKind::CloseBracket
        );
        let opener = if closes { open.pop() } else { None };
        let indent = match (opener, open.last()) {
            _ if heads => 0,
            (Some(opener), _) => opener,
            (None, Some(opener)) => opener + STEP,
            // A continuation of a directive is indented, with or without brackets.
            (None, None) => STEP,
        };
        let breaks = before.is_none_or(|last: Token| text[last.end..token.start].contains('\n'));
        let commented = page.comments_before(span.start, indent, true);
        if commented || heads || breaks {
            page.line(span.start, indent, true);
            own = indent;
        } else if let Some(last) = before
            && spaced(last, token)
        {
            page.write(" ");
        }
        page.copy(span);
        if opens(token.kind) {
            open.push(own);
        }
        before = Some(token);
    }
}

fn opens(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Open
            | TokenKind::OpenBrace
            | TokenKind::OpenPattern
            | TokenKind::OpenNegated
            | TokenKind::OpenComparison
            | TokenKind::OpenBracket
            | TokenKind::OpenAssignment
    )
}

/// Whether a blank is between two tokens of a line.
fn spaced(last: Token, next: Token) -> bool {
    let apart = last.end < next.start;
    let (left, right) = (last.kind, next.kind);
    // Without a blank they could become one token.
    if right == TokenKind::Half || left == TokenKind::Half {
        return apart;
    }
    match (left, right) {
        (TokenKind::Hash | TokenKind::Tilde, _) | (_, TokenKind::Tilde) => false,
        (_, TokenKind::Assign) | (TokenKind::Assign, _) => true,
        (TokenKind::Open, TokenKind::Plus) => false,
        // A sum has blanks on both sides if it has one.
        (_, TokenKind::Plus) => true,
        (TokenKind::Plus, _) => true,
        (TokenKind::Comma, TokenKind::Comma) => true,
        (_, TokenKind::Comma | TokenKind::Semicolon | TokenKind::Colon) => false,
        (TokenKind::Comma | TokenKind::Semicolon | TokenKind::Colon, _) => true,
        (TokenKind::Open | TokenKind::OpenBrace | TokenKind::OpenBracket, _) => false,
        (_, TokenKind::Close | TokenKind::CloseBrace | TokenKind::CloseBracket) => false,
        (TokenKind::OpenPattern | TokenKind::OpenNegated, _) => true,
        (TokenKind::OpenAssignment | TokenKind::OpenComparison, _) => true,
        (TokenKind::Arrow, TokenKind::Word) => false,
        _ => apart,
    }
}
