//! From an automaton to a net, by symbolic execution (J. King, *Symbolic Execution and Program
//! Testing*, 1976), with states merged where walks meet.
//!
//! Latches store the node at which a player or chance has the move, and the player. They also store
//! the variables that a move may read before it assigns them. All walks from each such node are
//! followed. A walk knows the values that it has assigned, the keys that it has tried out, and its
//! tags. Gates stand for all that only the state decides. The end of a walk is a legal move, with
//! its writes.
//!
//! The moves of the keeper belong to the same step. They are followed once, in the state behind the
//! move, and not once for each move.
//!
//! | file | what it is for |
//! |---|---|
//! | `smaller` | the optimiser, which runs first |
//! | `sheet` | the automaton, with its variables as slots, and their possible values |
//! | `evaluate` | the possible values of an expression, with their conditions |
//! | `values` | the same, content by content, where walks have met |
//! | `live` | the variables that a walk may still read |
//! | `start` | the state in which play begins |
//! | `at_turns` | the possible values of variables where a player has the move |
//! | `kept`, `latches` | the variables that states need, and their bits |
//! | `walks` | all walks from a node, as a graph |
//! | `memory` | the contents of slots, and the writes to them |
//! | `follow` | walks as gates |
//! | `checks`, `compared` | reachability checks, and the values that they distinguish |
//! | `conditions`, `writes` | the condition of a step, and its writes |
//! | `rounds` | the states of a step |
//! | `select` | the contents of slots where walks meet |
//! | `wires`, `ways`, `never` | gates, each once; walks that meet; signals that are never true |
//! | `pauses` | pauses of the keeper, before it asks about its own writes |
//! | `turns` | the nodes at which a move begins, and their order for the keeper |
//! | `moves` | the moves of players |
//! | `build` | the net |
//!
//! The net is that of a proper game (RG, 2.2). Play would stop at a defect: an assignment that is
//! not valid, several moves of the keeper, or different moves with the same tags. There the net goes
//! on. It only refuses walks with the same tags and the same condition that end at different nodes.

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

/// The optimised net of an automaton. [`Propnet`](gdlr_net::propnet::Propnet) and `Batch` play it,
/// with [`AutomatonGame::game`] as their game.
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

/// [`optimised`] with other bounds. `decisions` gets a record of the decisions.
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

/// The reason why an automaton has no net.
#[derive(Clone, Debug)]
pub enum NoNet {
    /// The automaton cannot be played.
    Refused(Vec<Diagnostic>),
    /// Set-up ran out of its budget, or was interrupted.
    Exhausted(Exhausted),
    /// Tags may be hidden from some player.
    HidesTags,
    /// Walks may write to a map on a cycle. The text names a node on it.
    WritesInACircle(String),
    /// Checks are nested too deeply. The text names the first node of the innermost check.
    NestedChecks(String),
    /// Walks with these tags lead to different ends.
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
                write!(f, "there is no net: on a cycle through `{node}` a map is written to")
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
