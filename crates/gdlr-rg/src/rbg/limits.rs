//! How far a game may grow.

/// The most that a game may become. A text of a few lines can stand for a game that fits into no
/// memory: by macros of macros, by large boards, by powers of powers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Tokens that are looked at while macros are expanded.
    pub tokens: usize,
    /// How deep macros and brackets may nest.
    pub depth: usize,
    /// Squares of the board.
    pub squares: usize,
    /// Actions of the rules once powers are written out.
    pub actions: usize,
    /// The largest bound of a variable.
    pub bound: u32,
    /// Edges of the automaton.
    pub edges: usize,
    /// Entries of all maps of the automaton together.
    pub entries: usize,
}

impl Default for Limits {
    /// Four million tokens, a depth of 192, 4,096 squares, 500,000 actions, bounds up to 100,000,
    /// a million edges, four million entries.
    fn default() -> Self {
        Limits {
            tokens: 4_000_000,
            depth: 192,
            squares: 4096,
            actions: 500_000,
            bound: 100_000,
            edges: 1_000_000,
            entries: 4_000_000,
        }
    }
}
