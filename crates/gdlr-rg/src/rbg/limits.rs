//! The limits on the size of a game.

/// The limits on the size of a game. A text of a few lines can stand for a game that does not fit
/// into memory: by macros of macros, by large boards, by powers of powers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The tokens that the expansion of macros visits.
    pub tokens: usize,
    /// The depth of macros and brackets.
    pub depth: usize,
    /// The squares of the board.
    pub squares: usize,
    /// The actions of the rules after powers are written out.
    pub actions: usize,
    /// The largest bound of a variable.
    pub bound: u32,
    /// The edges of the automaton.
    pub edges: usize,
    /// The entries of all maps of the automaton together.
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
