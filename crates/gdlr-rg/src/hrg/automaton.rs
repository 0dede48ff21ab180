//! Reads an automaton in any language.

use super::check::translate;
use super::reader::read;
use super::recognise::is_hrg;
use super::token::Hrg;
use crate::rg::{self, Description};
use crate::{abg, rbg};
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::syntax::utf8;

/// Reads an automaton in RG, or the automaton of a game in HRG, RBG or ABG. The text shows its
/// language ([`is_hrg`], [`rbg::is_rbg`], [`abg::is_abg`]).
///
/// # Errors
///
/// The errors of [`rg::read_bytes`]; or of [`hrg::read_bytes`](super::read_bytes()) and
/// [`translate`]; or of [`rbg::read_bytes`] and [`rbg::translate`]; or of [`abg::read_automaton`].
/// Their places are in the text.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::hrg; }
/// let game = b"domain Player = x\ndomain Score = 0\ngraph rules() { player = x $ go end() }";
/// let description = gdlr::hrg::read_automaton(game).unwrap();
/// assert_eq!(description.edges.len(), 3);
/// ```
pub fn read_automaton(bytes: &[u8]) -> Result<Description, Vec<Diagnostic>> {
    match utf8::<Hrg>(bytes) {
        Ok(text) if rbg::is_rbg(text) => rbg::translate(&rbg::read(text)?),
        Ok(text) if abg::is_abg(text) => abg::read_automaton(text),
        Ok(text) if is_hrg(text) => translate(&read(text)?),
        _ => rg::read_bytes(bytes),
    }
}

/// Whether a text is an automaton in RG, or a game in HRG, RBG or ABG, which stands for one: by its first
/// words. A text that is none may still be one with errors.
pub fn is_automaton(text: &str) -> bool {
    rbg::is_rbg(text) || abg::is_abg(text) || is_hrg(text) || rg::is_automaton(text)
}
