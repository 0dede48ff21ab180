//! What roles see of a step, from a net (GDL-II).

use super::evaluate::{Evaluation, read};
use super::feedback::Feedback;
use super::gates::{LatchId, Net};
use crate::engine::{MoveId, RoleId};
use crate::gdl::Term;

/// What percepts are computed from. They are no part of what is evaluated during play.
#[derive(Clone, Debug)]
pub(crate) struct Percepts {
    /// The gates that percepts depend on; nothing in a game without any.
    order: Option<Box<Feedback>>,
}

impl Percepts {
    /// What the percepts of a net depend on. Linear.
    pub fn of(net: &Net) -> Percepts {
        let signals = || net.percepts.iter().map(|percept| percept.signal);
        let order = (!net.percepts.is_empty()).then(|| Feedback::of(net).reached(net, signals()));
        Percepts { order: order.map(Box::new) }
    }

    /// Replaces the content of `seen` by what a role sees of a joint move, sorted. Linear in what
    /// percepts depend on, and in the latches and inputs.
    pub fn seen(
        &self,
        net: &Net,
        latch: impl Fn(LatchId) -> bool,
        joint: &[MoveId],
        role: RoleId,
        seen: &mut Vec<Term>,
    ) {
        seen.clear();
        let Some(order) = &self.order else { return };
        let bit = |value: bool| u64::from(value);
        let latches: Vec<u64> = net.latch_ids().map(|id| bit(latch(id))).collect();
        let mut inputs = vec![0; net.inputs.len()];
        joint.iter().for_each(|id| inputs[id.index()] = 1);
        let mut values = Vec::new();
        Evaluation::of_some(net, order).run(&latches, &inputs, &mut values);
        let own = net.percepts.iter().filter(|percept| percept.role == role);
        let held = own.filter(|percept| read(&values, percept.signal) & 1 == 1);
        seen.extend(held.map(|percept| percept.term.clone()));
    }
}
