//! The limits on the size of a game.

/// The limits on the size of a game. A text of a few lines can stand for a game that does not fit
/// into memory: by macros of macros, by large boards, by expressions whose automata explode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The parts of sentences and expressions that the expansion of definitions visits.
    pub parts: usize,
    /// The depth of definitions and brackets.
    pub depth: usize,
    /// The squares of the board.
    pub squares: usize,
    /// The states of the automaton of a sentence.
    pub states: usize,
    /// The steps of the construction of an automaton.
    pub steps: usize,
    /// The values of a variable.
    pub values: usize,
    /// The edges of the automaton of the game.
    pub edges: usize,
    /// The entries of all maps of the automaton together.
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
