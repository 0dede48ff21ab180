//! From a text to its tree: statements in any order, several errors in one run.

mod effects;
mod expressions;
mod sentences;
mod statements;

use super::ast::{Tree, Word};
use super::token::{Abg, TokenKind, Tokens, number};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::syntax::{self, Abandoned, Language, Read, check_size, utf8};

/// The longest text, in bytes: 16 MiB.
pub const MAX_BYTES: usize = Abg::LIMITS.max_bytes;

/// The greatest number of errors that are reported for one text.
pub const MAX_ERRORS: usize = Abg::LIMITS.max_errors;

pub(super) type Cursor<'a> = syntax::Cursor<'a, Abg>;

/// The words of statements and expressions, which cannot be names.
const KEYWORDS: &[&str] = &[
    "players",
    "pieces",
    "macro",
    "rule",
    "post",
    "board_size",
    "board",
    "variable",
    "fading",
    "function",
    "predicate",
    "effect",
    "effects",
    "victory",
    "terminal",
    "each",
    "and",
    "or",
    "not",
    "if",
    "else",
    "return",
    "move",
    "put",
    "this",
    "Board",
    "any",
    "none",
    "scores",
];

/// Reads a game. Names are looked up by [`resolve`](super::resolve()).
///
/// # Errors
///
/// Every violation of the grammar.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::abg; }
/// let text = "players = white, black; pieces = empty, w(white), b(black);
///     rule w = [0, 1, Empty]; rule b = [0, -1, Empty];
///     board_size = 1, 3; board = b, empty, w;";
/// let tree = gdlr::abg::read(text).unwrap();
/// assert_eq!((tree.players.len(), tree.board.len()), (2, 3));
/// let errors = gdlr::abg::read(&text.replace("[", "").replace("=", "==")).unwrap_err();
/// assert_eq!(errors.len(), 6);
/// ```
pub fn read(text: &str) -> Result<Tree, Vec<Diagnostic>> {
    check_size::<Abg>(text, &Abg::LIMITS)?;
    let mut reader = Reader { cursor: Cursor::new(text), tree: Tree::default(), seen: Vec::new() };
    reader.statements();
    if reader.cursor.errors.is_empty() { Ok(reader.tree) } else { Err(reader.cursor.errors) }
}

/// Reads bytes that should be UTF-8.
///
/// # Errors
///
/// As [`read`]; also the place of the first byte that is not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Tree, Vec<Diagnostic>> {
    read(utf8::<Abg>(bytes)?)
}

/// Whether a text is a game in ABG: after comments it begins with one of its statements, such as
/// `players =` or `macro step(`.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::abg; }
/// assert!(gdlr::abg::is_abg("# a game\nplayers = white, black;"));
/// assert!(!gdlr::abg::is_abg("rule(x)"));
/// ```
pub fn is_abg(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    let [first, second, third] = std::array::from_fn(|_| tokens.next_but_comments());
    if first.kind != TokenKind::Word {
        return false;
    }
    let named = second.kind == TokenKind::Word;
    match tokens.text_of(first) {
        "players" | "pieces" | "board" | "board_size" => second.kind == TokenKind::Assign,
        "macro" => named && third.kind == TokenKind::Open,
        "rule" => named && third.kind == TokenKind::Assign,
        "function" | "predicate" | "effect" => {
            named
                && matches!(third.kind, TokenKind::Open | TokenKind::OpenBrace | TokenKind::Assign)
        }
        "variable" => named && matches!(third.kind, TokenKind::Assign | TokenKind::Colon),
        "post" => named && third.kind == TokenKind::Word,
        "victory" | "terminal" | "each" => named && third.kind == TokenKind::OpenBrace,
        "fading" | "effects" => named,
        _ => false,
    }
}

/// A reader of statements.
pub(super) struct Reader<'a> {
    pub cursor: Cursor<'a>,
    pub tree: Tree,
    /// The statements that a text may have once, with their places.
    pub seen: Vec<(&'static str, Span)>,
}

impl Reader<'_> {
    /// Takes a name.
    pub fn name(&mut self, what: &str) -> Read<Word> {
        let text = self.cursor.text_of(self.cursor.token);
        if self.cursor.token.kind != TokenKind::Word || number(text).is_some() {
            return self.cursor.unexpected(what);
        }
        if KEYWORDS.contains(&text) {
            let message = format!("`{text}` is a keyword and names nothing");
            return self.cursor.fail(&message, "choose another name");
        }
        let word = Word { text: text.into(), span: self.cursor.span() };
        self.cursor.advance();
        Ok(word)
    }

    /// Takes an integer, with a sign or without.
    pub fn integer(&mut self, what: &str) -> Read<i64> {
        let negative = self.cursor.eat(TokenKind::Minus);
        let token = self.cursor.token;
        match number(self.cursor.text_of(token)) {
            Some(Ok(value)) if token.kind == TokenKind::Word => {
                self.cursor.advance();
                Ok(if negative { -value } else { value })
            }
            Some(Err(())) => self.too_large(),
            _ => self.cursor.unexpected(what),
        }
    }

    /// Reports that the next number is too large.
    pub fn too_large<T>(&mut self) -> Read<T> {
        let message = "the number has more than 18 digits, or letters in it";
        let error = Diagnostic::new(Code::AbgNumber, self.cursor.span(), message);
        self.cursor.report(error);
        Err(Abandoned)
    }

    /// The span from a place to the last token.
    pub fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.cursor.previous.span().end.max(start.end) }
    }
}
