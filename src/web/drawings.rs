//! Drawings of what a game is made of.

use super::loaded::Loaded;
use super::refusal::Refusal;

/// A drawing by its name, as SVG.
pub fn draw(_loaded: &Loaded, drawing: &str) -> Result<String, Refusal> {
    Err(Refusal::unknown(format!("there is no drawing `{drawing}`")))
}
