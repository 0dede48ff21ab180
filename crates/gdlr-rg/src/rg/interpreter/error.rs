//! Errors of play: defects of the game that only play shows, and exhausted budgets.

use std::fmt;

/// The reason why a game cannot be played on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// Walks with the same tags lead to different states.
    Ambiguous {
        /// The node at which the walks begin.
        node: String,
        /// The tags, separated by blanks.
        tags: String,
    },
    /// The game is not over, and there is no move.
    DeadEnd {
        /// The node.
        node: String,
        /// The player that has the turn.
        player: String,
    },
    /// The keeper has more than one move.
    Keeper {
        /// The node.
        node: String,
        /// The number of its moves.
        moves: usize,
    },
    /// An action that is not valid. It uses a symbol as a key that the map does not have. Or it
    /// assigns or casts a symbol to a type that does not have it.
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
    /// The keeper comes to the same state again without a move of a player in between.
    Endless {
        /// The node.
        node: String,
    },
    /// The search took too many steps. A game with an endless loop always does.
    TooMuchWork {
        /// The number of steps that were allowed.
        steps: u64,
    },
    /// The time was up ([`Search::until`](super::Search::until)).
    OutOfTime,
    /// The flag was raised ([`Search::stopped_by`](super::Search::stopped_by)).
    Interrupted,
}

impl PlayError {
    /// Whether the error is a defect of the game, which is then not proper. Otherwise the search
    /// was too short to tell.
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

/// The reason why an automaton has no machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCode {
    /// The feature `native` is not built.
    NotBuilt,
    /// There is no machine code for this kind of processor, or the system does not let memory be
    /// executed.
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
