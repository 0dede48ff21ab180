//! The bound on the growth of an automaton.

use std::fmt;

/// The greatest number of edges that a normalisation may make.
pub const MAX_EDGES: usize = 1 << 22;

/// There would be more edges than [`MAX_EDGES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the automaton would have more than {MAX_EDGES} edges")
    }
}

impl std::error::Error for TooLarge {}
