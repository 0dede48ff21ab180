//! The limits on the expansion of a game.

/// The limits on the size of a game. A game of a few lines can stand for an automaton that does not
/// fit into memory: by calls of calls, by blocks for each value of large domains, by domains that
/// are products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The values of all domains together.
    pub values: usize,
    /// The entries of all maps together.
    pub entries: usize,
    /// The edges of the automaton.
    pub edges: usize,
    /// The steps of the expansion. A step expands a statement, or evaluates an expression.
    pub steps: u64,
    /// The depth of calls and blocks in the expansion, and of functions in the evaluation.
    pub depth: usize,
}

impl Default for Limits {
    /// A million values, four million entries, two million edges, 50 million steps, a depth
    /// of 192.
    fn default() -> Self {
        Limits {
            values: 1_000_000,
            entries: 4_000_000,
            edges: 2_000_000,
            steps: 50_000_000,
            depth: 192,
        }
    }
}
