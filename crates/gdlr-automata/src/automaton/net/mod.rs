//! From an automaton to a net, by symbolic execution (J. King, *Symbolic Execution and Program
//! Testing*, 1976, with states merged where ways meet).
//!
//! Latches say at which node somebody has the move, who, and what each variable holds that a move
//! may read before it is assigned to. From each such node all walks are followed, with the
//! variables that a walk has assigned, the keys that it has tried out and its tags known, and
//! gates for what only the state can decide. The end of a walk is a legal move, with what it has
//! written. The keeper's moves belong to the same step: they are followed in the state behind the
//! move, once and not for each move.
//!
//! | file | what it is for |
//! |---|---|
//! | `smaller` | the automaton, made smaller first |
//! | `sheet` | the automaton, its variables as slots, what they may hold |
//! | `evaluate` | what an expression may be, and when |
//! | `values` | the same content by content, where ways have met |
//! | `live` | what a walk may still read |
//! | `start` | the state in which play begins |
//! | `at_turns` | what variables may hold where a player has the move |
//! | `kept`, `latches` | which variables states need, and their bits |
//! | `walks` | all walks from a node, as a graph |
//! | `memory` | what slots hold, and what was written to them |
//! | `follow` | walks as gates |
//! | `checks`, `compared` | reachability checks, what they tell apart |
//! | `conditions`, `writes` | when a step can be taken, and what it writes |
//! | `rounds` | the states of a step |
//! | `select` | what is held where ways meet |
//! | `wires`, `ways`, `never` | gates, each once; ways that meet; what is never true |
//! | `pauses` | where the keeper asks about what it has written |
//! | `turns` | at which nodes somebody goes on, and in which order the keeper does |
//! | `moves` | the moves of players |
//! | `build` | the net |
//!
//! The net is that of a proper game (RG, 2.2): where play would stop at a defect (an assignment that
//! is not valid, several moves of the keeper, moves with the same tags that differ), it goes on. Only
//! walks with the same tags that are there under the same condition and end at different nodes are
//! seen, and refused.

mod at_turns;
mod build;
mod checks;
mod compared;
mod conditions;
mod evaluate;
mod follow;
mod kept;
mod latches;
mod live;
mod memory;
mod moves;
mod never;
mod pauses;
mod rounds;
mod select;
mod sheet;
mod smaller;
mod start;
mod turns;
mod values;
mod walks;
mod ways;
mod wires;
mod writes;

pub use build::{net, tuned};

use super::AutomatonGame;
use crate::tuning::Tuning;
use gdlr_net::net::{Net, optimise_tuned};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::Decisions;
use gdlr_text::diagnostic::Diagnostic;
use std::fmt;
use std::sync::Arc;

/// The optimised net of an automaton, to be played by [`Propnet`](gdlr_net::propnet::Propnet) and
/// `Batch`, for which the game is that of [`AutomatonGame::game`].
///
/// ```
/// # mod gdlr {
/// #     pub use gdlr_automata::automaton;
/// #     pub use gdlr_batch as batch;
/// #     pub use gdlr_text::budget;
/// #     pub use gdlr_rg::hrg;
/// #     pub use gdlr_engine::play;
/// # }
/// use gdlr::automaton::{AutomatonGame, net};
/// use gdlr::batch::Batch;
/// use gdlr::budget::Meter;
/// use gdlr::play::FlatMonteCarlo;
/// use std::sync::Arc;
/// let text = gdlr::hrg::read_automaton(include_bytes!("../../../../../hrg/tictactoe.hrg")).unwrap();
/// let game = Arc::new(AutomatonGame::new("tictactoe", text).unwrap());
/// let net = net::optimised(&game, &Meter::unlimited()).unwrap();
/// let batch = Batch::of_net(game.game().clone(), net);
/// let run = FlatMonteCarlo { playouts: Some(1000), ..FlatMonteCarlo::default() };
/// assert_eq!(run.run(&batch, &false.into(), |_| {}).playouts, 1000);
/// ```
///
/// # Errors
///
/// As [`net()`].
pub fn optimised(game: &Arc<AutomatonGame>, meter: &Meter<'_>) -> Result<Net, NoNet> {
    optimised_tuned(game, &Tuning::default(), meter, &mut Decisions::default())
}

/// The same by bounds of one's own. What is decided on the way is recorded.
///
/// # Errors
///
/// As [`net()`].
pub fn optimised_tuned(
    game: &Arc<AutomatonGame>,
    tuning: &Tuning,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Net, NoNet> {
    let net = tuned(game, tuning, meter, decisions)?;
    Ok(optimise_tuned(net, &tuning.net, meter, &mut |_, _| (), decisions)?)
}

/// Why there is no net of an automaton.
#[derive(Clone, Debug)]
pub enum NoNet {
    /// The automaton cannot be played.
    Refused(Vec<Diagnostic>),
    /// Set-up ran out of its budget, or was interrupted.
    Exhausted(Exhausted),
    /// Tags may be hidden from somebody.
    HidesTags,
    /// Walks can go round in a circle on which they write to a map; a node on it.
    WritesInACircle(String),
    /// Checks within checks are nested too deep; where the innermost one begins.
    NestedChecks(String),
    /// Walks with the same tags, these, lead to different ends.
    Ambiguous(String),
}

impl fmt::Display for NoNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoNet::Refused(problems) => match problems.first() {
                Some(problem) => problem.fmt(f),
                None => f.write_str("the automaton cannot be played"),
            },
            NoNet::Exhausted(exhausted) => exhausted.fmt(f),
            NoNet::HidesTags => {
                f.write_str("there is no net of a game that hides tags from players")
            }
            NoNet::WritesInACircle(node) => {
                write!(f, "there is no net: on a circle through `{node}` a map is written to")
            }
            NoNet::NestedChecks(node) => {
                write!(f, "there is no net: checks within checks go too deep, at `{node}`")
            }
            NoNet::Ambiguous(tags) => {
                write!(f, "there is no net: walks with the tags `{tags}` lead to different ends")
            }
        }
    }
}

impl std::error::Error for NoNet {}

impl From<Exhausted> for NoNet {
    fn from(exhausted: Exhausted) -> NoNet {
        NoNet::Exhausted(exhausted)
    }
}
