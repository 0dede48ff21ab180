//! How states that are no ends are estimated.

use super::evaluate::Evaluation;
use crate::search::leaves::{Leaves, StateOf};
#[cfg(feature = "value-net")]
use crate::value_net::Columns;
#[cfg(feature = "value-net")]
use gdlr_engine::engine::Engine;

/// Estimates of states.
pub(in crate::search) enum Estimates {
    /// By weights of facts, which are learned while the search runs.
    Learned(Evaluation),
    /// By a value net.
    #[cfg(feature = "value-net")]
    Net(Box<Columns>),
}

impl Estimates {
    /// By weights of which none is learned yet.
    pub fn learned() -> Estimates {
        Estimates::Learned(Evaluation::new())
    }

    /// The expected result of the first role, from -1 (the other role wins all) to 1.
    pub fn estimate<L: Leaves>(&mut self, engine: &L::Engine, state: &StateOf<L>) -> f32 {
        match self {
            Estimates::Learned(evaluation) => evaluation.estimate::<L>(engine, state),
            #[cfg(feature = "value-net")]
            Estimates::Net(columns) => {
                let mut observation = Vec::new();
                columns.observe(engine.symbols(), &engine.facts(state), &mut observation);
                // A network that does not run knows nothing.
                let goals = columns.evaluate(observation).map(|(_, goals)| goals);
                goals.map_or(0.0, |goals| (goals[0] - goals[1]).clamp(-1.0, 1.0))
            }
        }
    }

    /// The weights that are to be learned, if there are any.
    pub fn weights(&mut self) -> Option<&mut Evaluation> {
        match self {
            Estimates::Learned(evaluation) => Some(evaluation),
            #[cfg(feature = "value-net")]
            Estimates::Net(_) => None,
        }
    }
}
