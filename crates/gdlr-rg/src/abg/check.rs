//! Errors in a text, and what is odd about it.

use super::limits::Limits;
use super::reader::{read, read_bytes};
use super::resolve::{resolve, resolve_within};
use super::translate::{translate, translate_within};
use crate::rg::Description;
use gdlr_text::diagnostic::Diagnostic;

/// Errors in a text, and what is odd about it: errors and warnings in the order of the text, and
/// why the game becomes no automaton, if it does not.
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
/// Those of [`read`], [`resolve`] and [`translate`].
pub fn read_automaton(text: &str) -> Result<Description, Vec<Diagnostic>> {
    translate(&resolve(&read(text)?)?)
}
