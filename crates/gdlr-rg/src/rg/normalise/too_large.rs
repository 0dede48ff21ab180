//! What an automaton may grow to.

use std::fmt;

/// How many edges may be made of the edges of an automaton.
pub const MAX_EDGES: usize = 1 << 22;

/// There would be more than [`MAX_EDGES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the automaton would have more than {MAX_EDGES} edges")
    }
}

impl std::error::Error for TooLarge {}
