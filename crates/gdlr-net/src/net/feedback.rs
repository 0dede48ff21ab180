//! Feedback loops of a net (its strongly connected components), and an order in which gates can be computed.
//!
//! The gates of a net are in such an order, but for the gates of feedback loops. A gate that reads a loop, perhaps
//! complemented, must read its fixpoint. So the gates are put in the order of their components. Linear in the net. A net
//! without feedback loops costs one look at its wires.

use super::gates::{GateId, Net, Signal};
use gdlr_text::graph::for_each_component;
use std::ops::Range;

/// The parts of a net with feedback.
#[derive(Clone, Debug)]
pub struct Feedback {
    /// All gates with operands; every gate after what it reads, but within a part.
    pub order: Vec<GateId>,
    /// Places in `order`, each range the gates of one strongly connected part in the order
    /// of their numbers.
    pub parts: Vec<Range<usize>>,
    on_cycle: Vec<bool>,
}

impl Feedback {
    /// Looks for the cycles of a net.
    pub fn of(net: &Net) -> Feedback {
        let mut feedback = Feedback { order: Vec::new(), parts: Vec::new(), on_cycle: Vec::new() };
        if !net.computed().any(|gate| net.is_knot(gate)) {
            feedback.order = net.computed().collect();
            return feedback;
        }
        feedback.on_cycle = vec![false; net.len()];
        let successor = |node: u32, edge: usize| {
            net.operands(GateId(node)).get(edge).map(|operand| operand.gate().0)
        };
        for_each_component(net.len(), successor, |component| {
            let start = feedback.order.len();
            let computed = |&&node: &&u32| node >= net.first_computed().0;
            feedback.order.extend(component.iter().filter(computed).map(|&node| GateId(node)));
            let members = &mut feedback.order[start..];
            members.sort_unstable();
            let reads_itself =
                |gate: GateId| net.operands(gate).iter().any(|operand| operand.gate() == gate);
            if members.len() > 1 || members.first().is_some_and(|&gate| reads_itself(gate)) {
                members.iter().for_each(|gate| feedback.on_cycle[gate.index()] = true);
                feedback.parts.push(start..feedback.order.len());
            }
        });
        feedback
    }

    /// The same with those gates only that some signals depend on.
    pub fn reached(mut self, net: &Net, from: impl Iterator<Item = Signal>) -> Feedback {
        let needed = net.reached(from);
        let mut order = Vec::new();
        let mut place = 0;
        let mut keep = |gates: &[GateId]| {
            let start = order.len();
            order.extend(gates.iter().filter(|gate| needed[gate.index()]));
            start..order.len()
        };
        let mut parts = Vec::new();
        for part in &self.parts {
            keep(&self.order[place..part.start]);
            // All of a part is needed, or nothing.
            parts.push(keep(&self.order[part.clone()]));
            place = part.end;
        }
        keep(&self.order[place..]);
        (self.order, self.parts) = (order, parts);
        self
    }

    /// Whether a gate depends on itself.
    pub fn on_cycle(&self, gate: GateId) -> bool {
        self.on_cycle.get(gate.index()).copied().unwrap_or(false)
    }
}
