//! Views: variables that the keeper computes once a turn, for signals that are costly to check.
//!
//! The views of a recursive part of the net are its knots. They are computed again and again until
//! none changes.

use super::automaton::{Action, Automaton, Node};
use super::conditions::Conditions;
use super::slots::Slot;
use gdlr_net::net::{GateId, Signal};
use gdlr_rg::rg::Name;
use gdlr_text::graph::Worklist;
use hashbrown::HashSet;

impl Conditions {
    /// Whether signals depend on views that depend on moves.
    pub fn needs_views_of_moves(&self, signals: &[Signal]) -> bool {
        !self.views(signals, &HashSet::new(), true).is_empty()
    }

    /// The views on which signals depend, without those in `already`, in an order in which they can
    /// be computed. The views of a recursive part form one group. `of_moves` selects the views that
    /// depend on moves, or those that do not.
    fn views(
        &self,
        signals: &[Signal],
        already: &HashSet<GateId>,
        of_moves: bool,
    ) -> Vec<Vec<GateId>> {
        let mut open = Worklist::sparse();
        open.extend(signals.iter().map(|signal| signal.gate()));
        let mut views = Vec::new();
        while let Some(gate) = open.pop() {
            if already.contains(&gate) {
                continue;
            }
            let facts = self.gates[gate.index()];
            if facts.view.is_some() && facts.of_moves == of_moves {
                views.push(gate);
            }
            open.extend(self.net.operands(gate).iter().map(|operand| operand.gate()));
        }
        let part = |gate: &GateId| self.part_of.get(&gate.0).copied().unwrap_or(0);
        views.sort_unstable_by_key(|gate| (self.gates[gate.index()].place, *gate));
        // In the order, all gates of a part are neighbours.
        let alike = |a: &GateId, b: &GateId| part(a) != 0 && part(a) == part(b);
        views.chunk_by(alike).map(<[GateId]>::to_vec).collect()
    }

    /// Makes the keeper compute the views that signals need. Returns the first node. `changed` is a
    /// Boolean variable for recursive parts. Views of moves are computed when the moves are known,
    /// and all others before.
    pub fn compute(
        &mut self,
        automaton: &mut Automaton,
        signals: &[Signal],
        already: &mut HashSet<GateId>,
        changed: Slot,
        of_moves: bool,
        to: Node,
    ) -> Node {
        let views = self.views(signals, already, of_moves);
        already.extend(views.iter().flatten());
        let mut next = to;
        for part in views.into_iter().rev() {
            next = match part[..] {
                [gate] if !self.net.is_knot(gate) => self.view(automaton, gate, next),
                _ => self.fixpoint(automaton, &part, changed, next),
            };
        }
        next
    }

    /// Computes one view.
    fn view(&mut self, automaton: &mut Automaton, gate: GateId, to: Node) -> Node {
        let slot = self.gates[gate.index()].view.expect("a view");
        let start = automaton.node();
        let walk = self.definition(automaton, gate);
        let yes = automaton.before(Action::Set(slot, Name::ONE), to);
        let no = automaton.before(Action::Set(slot, Name::ZERO), to);
        automaton.edge(start, yes, Action::Reach(walk, self.yes, false));
        automaton.edge(start, no, Action::Reach(walk, self.yes, true));
        start
    }

    /// The first node of the walk for the definition of a view.
    fn definition(&mut self, automaton: &mut Automaton, gate: GateId) -> Node {
        *self.walks.entry(gate.0).or_insert_with(|| automaton.node())
    }

    /// Computes the knots of a recursive part. All begin as false. Rounds follow until one changes
    /// nothing. Each round but the last makes at least one knot true.
    fn fixpoint(
        &mut self,
        automaton: &mut Automaton,
        knots: &[GateId],
        changed: Slot,
        to: Node,
    ) -> Node {
        let around = automaton.node();
        let again = automaton.node();
        automaton.edge(again, around, Action::Is(changed, Name::ONE, true));
        automaton.edge(again, to, Action::Is(changed, Name::ZERO, true));
        let mut next = again;
        for &knot in knots.iter().rev() {
            let slot = self.gates[knot.index()].view.expect("knots are views");
            let walk = self.definition(automaton, knot);
            let set = [Action::Set(slot, Name::ONE), Action::Set(changed, Name::ONE)];
            let set = automaton.chain(&set, next);
            let open = automaton.node();
            automaton.edge(open, set, Action::Reach(walk, self.yes, false));
            automaton.edge(open, next, Action::Reach(walk, self.yes, true));
            let start = automaton.node();
            automaton.edge(start, next, Action::Is(slot, Name::ONE, true));
            automaton.edge(start, open, Action::Is(slot, Name::ZERO, true));
            next = start;
        }
        automaton.edge(around, next, Action::Set(changed, Name::ZERO));
        let reset = |&knot: &GateId| {
            Action::Set(self.gates[knot.index()].view.expect("knots are views"), Name::ZERO)
        };
        let reset: Vec<Action> = knots.iter().map(reset).collect();
        automaton.chain(&reset, around)
    }
}
