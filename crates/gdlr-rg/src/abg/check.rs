//! Errors in a text, and warnings.

use super::limits::Limits;
use super::reader::{read, read_bytes};
use super::resolve::{resolve, resolve_within};
use super::translate::{translate, translate_within};
use crate::rg::Description;
use gdlr_text::diagnostic::Diagnostic;

/// The errors and warnings of a text, in its order. If the game has no automaton, the reason is
/// among them.
pub fn check(bytes: &[u8]) -> Vec<Diagnostic> {
    let limits = Limits::default();
    match read_bytes(bytes).and_then(|tree| resolve_within(&tree, limits)) {
        Ok((game, warnings)) => {
            let errors = translate_within(&game, limits).err().unwrap_or_default();
            warnings.into_iter().chain(errors).collect()
        }
        Err(errors) => errors,
    }
}

/// The automaton of a text.
///
/// # Errors
///
/// The errors of [`read`], [`resolve`] and [`translate`].
pub fn read_automaton(text: &str) -> Result<Description, Vec<Diagnostic>> {
    translate(&resolve(&read(text)?)?)
}
