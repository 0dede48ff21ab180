//! Signals of the net as walks through the automaton.
//!
//! The walk of a condition can be made exactly if its signal is true. An And is a chain. An Or is
//! several edges between the same nodes. Complements move down to the comparisons.
//!
//! Small gates are written out where they are read. Other gates have a walk of their own, which `?`
//! and `!` check. All these walks end at the same node. One comparison with `none` replaces the
//! comparisons of a variable with all other values.

use super::automaton::{Action, Automaton, Node};
use super::conditions::Conditions;
use crate::tuning::Tuning;
use gdlr_net::net::{GateId, Operation, Signal};
use gdlr_rg::rg::Name;
use hashbrown::{HashMap, HashSet};

impl Conditions {
    /// The comparison for a signal, if it is one.
    fn comparison(&self, signal: Signal) -> Option<Action> {
        let negated = signal.is_negated();
        let one_or_zero = if negated { Name::ZERO } else { Name::ONE };
        if let Some(slot) = self.facts(signal).view {
            return Some(Action::Is(slot, one_or_zero, true));
        }
        if let Some(&variable) = self.taken_of.get(&signal.gate()) {
            let none = self.state.list[variable as usize].values.last()?;
            return Some(Action::Is(self.state_slots[variable as usize], *none, negated));
        }
        match self.net.operation(signal.gate()) {
            Operation::Latch(latch) => {
                let literal = self.state.literal(latch, negated);
                let of = &self.state.list[literal.variable as usize];
                let value = of.values[literal.value as usize];
                Some(Action::Is(self.state_slots[literal.variable as usize], value, literal.equal))
            }
            Operation::Input(input) => {
                let (slot, symbol) = self.inputs[input.index()];
                Some(Action::Is(slot, symbol, !negated))
            }
            Operation::True => Some(if negated { Action::Never } else { Action::Skip }),
            Operation::And | Operation::Or => None,
        }
    }

    /// Whether a gate is written out where it is read.
    fn is_small(&self, signal: Signal) -> bool {
        let facts = self.facts(signal);
        let Tuning { small, small_alone, .. } = self.tuning;
        facts.size <= small || facts.readers < 2 && facts.size <= small_alone
    }

    /// The signals whose And or Or a signal is. A signal that is none is its only part. Views cut
    /// all cycles, so this ends.
    fn parts(&self, signal: Signal, operation: Operation) -> Vec<Signal> {
        let dual = if operation == Operation::And { Operation::Or } else { Operation::And };
        let wanted = if signal.is_negated() { dual } else { operation };
        if self.comparison(signal).is_some() || self.net.operation(signal.gate()) != wanted {
            return vec![signal];
        }
        let operands = self.net.operands(signal.gate()).iter();
        let operands = operands.map(|operand| operand.negated_if(signal.is_negated()));
        self.joined(operands.collect(), operation)
    }

    /// The signals, to be joined by an operation. Comparisons of a variable with every value but
    /// `none` become one comparison with `none`.
    fn joined(&self, mut signals: Vec<Signal>, operation: Operation) -> Vec<Signal> {
        if signals.len() < 2 {
            return signals;
        }
        let negated = operation == Operation::And;
        let variable_of = |signal: Signal| match self.net.operation(signal.gate()) {
            Operation::Latch(latch) if signal.is_negated() == negated => {
                Some(self.state.literal(latch, false).variable)
            }
            _ => None,
        };
        signals.sort_unstable();
        signals.dedup();
        let mut variables: Vec<u32> = signals.iter().filter_map(|&s| variable_of(s)).collect();
        variables.sort_unstable();
        for group in variables.chunk_by(|a, b| a == b) {
            let variable = group[0] as usize;
            if let Some(gate) = self.taken[variable]
                && group.len() == self.state.list[variable].latches.len()
            {
                signals.retain(|&signal| variable_of(signal) != Some(group[0]));
                signals.push(Signal::of(gate).negated_if(negated));
            }
        }
        signals
    }

    /// The signals whose And the given signals are. Gates that are written out are replaced by
    /// their operands. Signals that are cheap to check come first.
    pub fn factors(&self, signals: &[Signal]) -> Vec<Signal> {
        let mut factors = Vec::new();
        let mut open: Vec<Signal> = signals.to_vec();
        while let Some(signal) = open.pop() {
            let is_gate = self.comparison(signal).is_none();
            match is_gate && self.is_small(signal) {
                true => match &self.parts(signal, Operation::And)[..] {
                    [only] if *only == signal => factors.push(signal),
                    operands => open.extend_from_slice(operands),
                },
                false => factors.push(signal),
            }
        }
        let mut factors = self.joined(factors, Operation::And);
        factors.sort_unstable_by_key(|&signal| (self.facts(signal).cost, signal));
        factors.dedup();
        factors
    }

    /// Adds edges that lead from one node to another exactly if a signal is true.
    pub fn between(&mut self, automaton: &mut Automaton, from: Node, signal: Signal, to: Node) {
        let factors = self.factors(&[signal]);
        self.connect(automaton, from, &factors, to);
    }

    /// Adds edges that lead from one node to another exactly if all signals are true. They are
    /// tested in this order.
    fn connect(&mut self, automaton: &mut Automaton, from: Node, signals: &[Signal], to: Node) {
        let Some((&first, rest)) = signals.split_first() else {
            return automaton.edge(from, to, Action::Skip);
        };
        let rest = rest.iter().rfold(to, |to, &signal| self.before(automaton, signal, to));
        match self.comparison(first) {
            Some(Action::Never) => {}
            Some(action) => automaton.edge(from, rest, action),
            None if self.is_small(first) => {
                for operand in self.parts(first, Operation::Or) {
                    self.between(automaton, from, operand, rest);
                }
            }
            None => {
                let check = self.check(automaton, first);
                automaton.edge(from, rest, check);
            }
        }
    }

    /// The node from which edges lead to another node exactly if a signal is true.
    pub fn before(&mut self, automaton: &mut Automaton, signal: Signal, to: Node) -> Node {
        if let Some(action) = self.comparison(signal) {
            return automaton.before(action, to);
        }
        if !self.is_small(signal) {
            let check = self.check(automaton, signal);
            return automaton.before(check, to);
        }
        if let Some(&node) = self.before.get(&(signal, to)) {
            return node;
        }
        let node = automaton.node();
        self.before.insert((signal, to), node);
        self.between(automaton, node, signal, to);
        node
    }

    /// The check of a gate that has a walk of its own. The walk is written later, by
    /// [`Conditions::write_walks`].
    fn check(&mut self, automaton: &mut Automaton, signal: Signal) -> Action {
        let start = *self.walks.entry(signal.gate().0).or_insert_with(|| automaton.node());
        Action::Reach(start, self.yes, signal.is_negated())
    }

    /// Writes the walks of all gates that are checked.
    pub fn write_walks(&mut self, automaton: &mut Automaton) {
        let mut done: HashSet<u32> = HashSet::new();
        loop {
            let mut open: Vec<(u32, Node)> = self.walks.iter().map(|(&g, &n)| (g, n)).collect();
            open.retain(|(gate, _)| !done.contains(gate));
            if open.is_empty() {
                return;
            }
            open.sort_unstable();
            for (gate, start) in open {
                done.insert(gate);
                self.define(automaton, start, GateId(gate), self.yes);
            }
        }
    }

    /// Edges from one node to another for a gate, by its operands.
    fn define(&mut self, automaton: &mut Automaton, from: Node, gate: GateId, to: Node) {
        let mut operands = self.net.operands(gate).to_vec();
        if self.net.operation(gate) == Operation::And {
            let factors = self.factors(&operands);
            return self.connect(automaton, from, &factors, to);
        }
        operands = self.joined(operands, Operation::Or);
        operands.sort_unstable_by_key(|&operand| (self.facts(operand).cost, operand));
        let ways = operands.iter().map(|&operand| self.factors(&[operand])).collect();
        self.alternatives(automaton, from, ways, to, self.tuning.shared);
    }

    /// Edges from one node to another for several alternatives: all signals of one of them must be
    /// true. Signals that many alternatives share come first and are tested once, up to some depth.
    fn alternatives(
        &mut self,
        automaton: &mut Automaton,
        from: Node,
        ways: Vec<Vec<Signal>>,
        to: Node,
        depth: u32,
    ) {
        let mut uses: HashMap<Signal, u32> = HashMap::new();
        for &signal in ways.iter().filter(|way| way.len() > 1).flatten() {
            *uses.entry(signal).or_default() += 1;
        }
        let mut groups: Vec<(Signal, Vec<Vec<Signal>>)> = Vec::new();
        let mut group_of: HashMap<Signal, usize> = HashMap::new();
        for mut way in ways {
            let many = |at: &usize| uses.get(&way[*at]).copied().unwrap_or(0);
            let first = (0..way.len()).rev().max_by_key(many);
            match first.filter(|at| depth > 0 && way.len() > 1 && many(at) > 1) {
                None => self.connect(automaton, from, &way, to),
                Some(first) => {
                    let first = way.remove(first);
                    let group = *group_of.entry(first).or_insert_with(|| {
                        groups.push((first, Vec::new()));
                        groups.len() - 1
                    });
                    groups[group].1.push(way);
                }
            }
        }
        for (first, ways) in groups {
            let node = automaton.node();
            self.between(automaton, from, first, node);
            self.alternatives(automaton, node, ways, to, depth - 1);
        }
    }
}
