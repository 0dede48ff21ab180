//! How far a game may grow.

/// The most that a game may become. A text of a few lines can stand for a game that fits into no
/// memory: by macros of macros, by large boards, by expressions whose automata explode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Parts of sentences and expressions that are looked at while definitions are expanded.
    pub parts: usize,
    /// How deep definitions and brackets may nest.
    pub depth: usize,
    /// Squares of the board.
    pub squares: usize,
    /// States of the automaton of a sentence.
    pub states: usize,
    /// Steps of the construction of an automaton.
    pub steps: usize,
    /// Values of a variable.
    pub values: usize,
    /// Edges of the automaton of the game.
    pub edges: usize,
    /// Entries of all maps of the automaton together.
    pub entries: usize,
}

impl Default for Limits {
    /// Two million parts, a depth of 200, 10,000 squares, 5,000 states, 20 million steps, 4,096
    /// values, a million edges, four million entries.
    fn default() -> Self {
        Limits {
            parts: 2_000_000,
            depth: 200,
            squares: 10_000,
            states: 5_000,
            steps: 20_000_000,
            values: 4096,
            edges: 1_000_000,
            entries: 4_000_000,
        }
    }
}
