//! Reading an automaton in either language.

use super::check::translate;
use super::reader::read;
use super::recognise::is_hrg;
use super::token::Hrg;
use crate::rg::{self, Description};
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::syntax::utf8;

/// Reads an automaton in RG, or a game in HRG as the automaton that it stands for; the text
/// tells which it is ([`is_hrg`]).
///
/// # Errors
///
/// Those of [`rg::read_bytes`], or those of [`hrg::read_bytes`](super::read_bytes()) and
/// [`translate`]. Their places are in the text.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::hrg; }
/// let game = b"domain Player = x\ndomain Score = 0\ngraph rules() { player = x $ go end() }";
/// let description = gdlr::hrg::read_automaton(game).unwrap();
/// assert_eq!(description.edges.len(), 3);
/// ```
pub fn read_automaton(bytes: &[u8]) -> Result<Description, Vec<Diagnostic>> {
    match utf8::<Hrg>(bytes) {
        Ok(text) if is_hrg(text) => translate(&read(text)?),
        _ => rg::read_bytes(bytes),
    }
}
