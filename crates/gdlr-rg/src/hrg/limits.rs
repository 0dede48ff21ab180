//! How far a game may be expanded.

/// The most that a game may become. A game of a few lines can stand for an automaton that fits
/// into no memory: by calls of calls, by blocks for each value of large domains, by domains that
/// are products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Values of all domains together.
    pub values: usize,
    /// Entries of all maps together.
    pub entries: usize,
    /// Edges of the automaton.
    pub edges: usize,
    /// Steps of the expansion: a statement that is expanded, an expression that is evaluated.
    pub steps: u64,
    /// How deep calls and blocks may nest when they are expanded, and functions when they are
    /// evaluated.
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
