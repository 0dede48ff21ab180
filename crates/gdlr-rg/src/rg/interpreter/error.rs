//! What stops play: defects of the game that can be seen in play only, and budgets.

use std::fmt;

/// Why a game cannot be played on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// Walks with the same tags lead to different states.
    Ambiguous {
        /// Where they begin.
        node: String,
        /// The tags, with a blank between each two.
        tags: String,
    },
    /// The game is not over, and there is no move.
    DeadEnd {
        /// Where.
        node: String,
        /// Whose move there should be.
        player: String,
    },
    /// The keeper has a choice.
    Keeper {
        /// Where.
        node: String,
        /// How many moves it has.
        moves: usize,
    },
    /// An action that is not valid: a symbol used as a key that the map does not have, or
    /// assigned or cast to a type that does not have it.
    Invalid {
        /// The edge, `from, to`.
        edge: String,
        /// The symbol.
        symbol: String,
    },
    /// A reachability check needs itself.
    Recursion {
        /// The edge that makes it, `from, to`.
        edge: String,
    },
    /// The keeper comes to the same state again without another player's move in between.
    Endless {
        /// Where.
        node: String,
    },
    /// There was too much to do. A game with an endless loop never has done.
    TooMuchWork {
        /// How many steps were allowed.
        steps: u64,
    },
    /// The time was up ([`Search::until`](super::Search::until)).
    OutOfTime,
    /// The flag was raised ([`Search::stopped_by`](super::Search::stopped_by)).
    Interrupted,
}

impl PlayError {
    /// Whether the game is to blame: it is not proper. Otherwise it was not looked at for long
    /// enough.
    pub fn is_defect(&self) -> bool {
        !matches!(
            self,
            PlayError::TooMuchWork { .. } | PlayError::OutOfTime | PlayError::Interrupted
        )
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Ambiguous { node, tags } if tags.is_empty() => {
                write!(f, "walks without tags from `{node}` lead to different states")
            }
            PlayError::Ambiguous { node, tags } => {
                write!(f, "walks from `{node}` with the tags `{tags}` lead to different states")
            }
            PlayError::DeadEnd { node, player } => {
                write!(f, "`{player}` has no move at `{node}`, and the game is not over")
            }
            PlayError::Keeper { node, moves } => {
                write!(f, "the keeper has {moves} moves at `{node}` rather than one")
            }
            PlayError::Invalid { edge, symbol } => {
                write!(f, "`{symbol}` does not fit what the edge `{edge}` does with it")
            }
            PlayError::Recursion { edge } => {
                write!(f, "the reachability check at `{edge}` needs itself")
            }
            PlayError::Endless { node } => {
                write!(f, "the keeper goes round for ever: the state at `{node}` comes again")
            }
            PlayError::TooMuchWork { steps } => {
                write!(f, "the moves of one state took more than {steps} steps, or too much memory")
            }
            PlayError::OutOfTime => f.write_str("the time is up"),
            PlayError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for PlayError {}

/// Why an automaton is not machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCode {
    /// The feature `native` is not built.
    NotBuilt,
    /// There is none for this kind of processor, or memory may not be run.
    Processor,
    /// Players may not see all of the moves of others.
    Hides,
    /// Maps of many entries are copied, or compared, as a whole.
    Rows,
    /// The automaton is too large.
    Large,
}

impl fmt::Display for NoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoCode::NotBuilt => "this build has no machine code for automata (feature `native`)",
            NoCode::Processor => "there is no machine code for this kind of processor",
            NoCode::Hides => "players do not see all moves, which machine code does not tell",
            NoCode::Rows => {
                "a map of many entries is copied as a whole, which machine code does not do"
            }
            NoCode::Large => "the automaton is too large for machine code",
        })
    }
}

impl std::error::Error for NoCode {}
