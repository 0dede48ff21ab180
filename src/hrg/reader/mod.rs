//! From text to a game: one pass, several errors in one run.
//!
//! ```text
//! file        = { domain | function | variable | graph }
//! domain      = "domain" NAME "=" element { "|" element }
//! element     = NAME | NAME "(" [ NAME { "," NAME } ] ")" [ where ]
//! where       = "where" range { "," range }
//! range       = NAME "in" ( NUMBER ".." NUMBER | "{" NAME { "," NAME } "}" )
//! function    = NAME ":" type case { case }
//! case        = NAME "(" [ pattern { "," pattern } ] ")" "=" expr
//! pattern     = "_" | NAME [ "(" [ pattern { "," pattern } ] ")" ]
//! variable    = NAME ":" type [ "=" expr ]
//! type        = { simple "->" } simple
//! simple      = NAME | "{" NAME { "," NAME } "}"
//! graph       = [ "reusable" ] "graph" NAME "(" [ parameter { "," parameter } ] ")" block
//! parameter   = NAME ":" type
//! block       = "{" { statement } "}"
//! statement   = NAME { "[" expr "]" } "=" ( expr | type "(" "*" ")" )
//!             | NAME "(" [ expr { "," expr } ] ")"
//!             | "branch" [ block { "or" block } ] | "branch" NAME "in" type block
//!             | "forall" NAME ":" type block
//!             | "repeat" NUMBER block | "repeat" NAME "in" type block
//!             | "loop" block | "while" expr block
//!             | "if" expr block { "else" "if" expr block } [ "else" block ]
//!             | "$" [ "_" ] ( NAME | "(" NAME { NAME } ")" ) | "$$" NAME
//! expr        = conjunction { "||" conjunction }
//! conjunction = comparison { "&&" comparison }
//! comparison  = sum { ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum }
//! sum         = term { ( "+" | "-" | "%" | "in" ) term }
//! term        = primary { "[" expr "]" | "(" [ expr { "," expr } ] ")" }
//! primary     = NAME | "(" expr ")" | "if" expr "then" expr "else" expr
//!             | "{" [ ":" expr ";" ] part { ";" part } "}" | "{" ":" expr "}"
//! part        = pattern "=" expr [ where ]
//! ```
//!
//! Blanks, line ends and comments (`//` to the end of the line) may stand between all tokens;
//! nothing ends a statement or declaration but the beginning of the next one. The words above
//! are names as well wherever they cannot be meant as words. `const`, `type` and `var` name
//! nothing, as in RG. A name that begins with an upper-case letter and is followed by `(` is a
//! constructor.
//!
//! An error ends its statement or declaration; reading goes on at a line that begins one.
//!
//! | file | what it reads |
//! |---|---|
//! | [`cursor`] | tokens and names; what is reported |
//! | [`declarations`] | domains, functions, variables, graphs, types |
//! | [`statements`] | statements and blocks |
//! | [`expressions`] | expressions and patterns |

mod cursor;
mod declarations;
mod expressions;
mod statements;

pub use cursor::{MAX_DEPTH, MAX_ERRORS};

use super::ast::Game;
use super::layout_mark::Mark;
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic, Span};
use cursor::Reader;

/// The longest text, in bytes: 16 MiB.
pub const MAX_BYTES: usize = 16 << 20;

/// Reads a game.
///
/// # Errors
///
/// Everything that does not follow the grammar, and a text that is too large or nested too
/// deep. That a game can be read does not mean that it can be played: see
/// [`check`](crate::hrg::check()).
///
/// ```
/// let game = gdlr::hrg::read("domain Player = x\ngraph rules() { end() }").unwrap();
/// assert_eq!(game.graphs.len(), 1);
/// let errors = gdlr::hrg::read("domain = x\ngraph rules( { end() }").unwrap_err();
/// assert_eq!(errors.len(), 2);
/// ```
pub fn read(text: &str) -> Result<Game, Vec<Diagnostic>> {
    read_with_marks(text).map(|(game, _)| game)
}

/// Reads bytes that should be UTF-8.
///
/// # Errors
///
/// As [`read`]; besides, the place of the first byte that is not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Game, Vec<Diagnostic>> {
    read(utf8(bytes)?)
}

/// The text that bytes are, or the place of the first byte that is not UTF-8.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, Vec<Diagnostic>> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let message = format!("the text is not UTF-8: byte {:#04x} at offset {at}", bytes[at]);
        vec![
            Diagnostic::new(Code::HrgNotUtf8, Span::new(at, at + 1), message)
                .with_help("save the file as UTF-8"),
        ]
    })
}

/// Reads a game, and where its lines should begin.
pub(super) fn read_with_marks(text: &str) -> Result<(Game, Vec<Mark>), Vec<Diagnostic>> {
    if text.len() > MAX_BYTES {
        let message =
            format!("the text has {} bytes, more than the limit of {MAX_BYTES}", text.len());
        return Err(vec![Diagnostic::new(Code::HrgTooLarge, Span::new(0, 0), message)]);
    }
    let mut reader = Reader::new(text);
    while reader.token.kind != TokenKind::End {
        let start = reader.token.start;
        if reader.declaration().is_err() {
            reader.to_next_declaration(start);
        }
    }
    if reader.errors.is_empty() { Ok((reader.game, reader.marks)) } else { Err(reader.errors) }
}
