//! Signals of the net as walks through the automaton.
//!
//! A condition is a walk that can be made exactly where the signal is true. An And is a chain,
//! an Or edges side by side, and complements go down to the comparisons. Small gates are
//! written out where they are read; others have a walk of their own, which ends at one node
//! for all of them, and are checked by `?` and `!`. What is read more than once and is costly
//! to check is a *view*: a variable that the keeper computes once a turn. That a variable has one
//! of all its values but `none` is asked by one comparison with that. Recursive parts of
//! the net are cut by views at their knots, computed again and again until nothing changes.

use super::automaton::{Action, Automaton, Node, Slot};
use super::variables::Variables;
use crate::budget::Meter;
use crate::net::{Feedback, GateId, InputId, LatchId, Net, Operation, Signal, simplify};
use crate::rg::Name;
use hashbrown::{HashMap, HashSet};

/// What costs more to check, and is read more than once, becomes a view.
const COSTLY: u32 = 24;
/// What takes no more edges is written out where it is read.
const SMALL: u32 = 3;
/// Likewise, where nothing else reads it.
const SMALL_ALONE: u32 = 8;
/// How many conditions are checked for several ways at once.
const SHARED: u32 = 3;
/// What cannot be compared any more.
const MOST: u32 = 1 << 24;

/// What is known of a gate.
#[derive(Clone, Copy, Debug, Default)]
struct GateFacts {
    /// How many gates and outputs read it.
    readers: u32,
    /// How many comparisons a check takes at most.
    cost: u32,
    /// How many edges it takes to write it out.
    size: u32,
    /// Its place in an order in which gates can be computed.
    place: u32,
    /// Whether it depends on moves.
    of_moves: bool,
    view: Option<Slot>,
}

/// Makes walks of signals.
pub(super) struct Conditions {
    pub net: Net,
    gates: Vec<GateFacts>,
    /// By place: which knots go together, one more than the number of the part; 0 for none.
    part_of: HashMap<u32, u32>,
    pub state: Variables,
    pub state_slots: Vec<Slot>,
    /// By state variable that can be `none`: the gate that says that it is not.
    taken: Vec<Option<GateId>>,
    /// By such gate: its variable.
    taken_of: HashMap<GateId, u32>,
    /// By input of the unrolled net: what it is compared with.
    pub inputs: Vec<(Slot, Name)>,
    made: HashMap<(Operation, Vec<Signal>), Signal>,
    walks: HashMap<u32, Node>,
    before: HashMap<(Signal, Node), Node>,
    /// Where all walks of checks end.
    pub yes: Node,
}

/// How many gates may still be looked at to find out what is special about a move.
pub(super) struct Work<'m> {
    pub left: usize,
    pub meter: &'m Meter<'m>,
}

impl Work<'_> {
    /// Takes some of it, if there is so much, and time for it.
    fn take(&mut self, gates: usize) -> Option<()> {
        self.left = self.left.checked_sub(gates)?;
        self.meter.has(gates).then_some(())
    }
}

impl Conditions {
    /// Chooses the views; `wanted` are the signals that are asked for, `slot` makes a Boolean
    /// variable.
    pub fn new(
        mut net: Net,
        wanted: &[Signal],
        state: Variables,
        automaton: &mut Automaton,
        mut slot: impl FnMut(&mut Automaton) -> Slot,
    ) -> Conditions {
        let state_slots = state.list.iter().map(|v| automaton.slot(v.name, &[])).collect();
        let mut gates = vec![GateFacts { cost: 1, size: 1, ..GateFacts::default() }; net.len()];
        let mut needed = vec![false; net.len()];
        let mut open: Vec<GateId> = Vec::new();
        for signal in wanted {
            gates[signal.gate().index()].readers += 1;
            open.push(signal.gate());
        }
        while let Some(gate) = open.pop() {
            if !std::mem::replace(&mut needed[gate.index()], true) {
                for operand in net.operands(gate) {
                    gates[operand.gate().index()].readers += 1;
                    open.push(operand.gate());
                }
            }
        }
        depend_on_moves(&net, &mut gates);
        let feedback = Feedback::of(&net);
        let mut part_of = HashMap::new();
        for (number, part) in feedback.parts.iter().enumerate() {
            for gate in &feedback.order[part.clone()] {
                if net.is_knot(*gate) {
                    part_of.insert(gate.0, number as u32 + 1);
                    gates[gate.index()].view = Some(slot(automaton));
                }
            }
        }
        for (place, &gate) in feedback.order.iter().enumerate() {
            if gates[gate.index()].view.is_some() {
                gates[gate.index()].place = place as u32;
                continue;
            }
            let operands =
                || net.operands(gate).iter().map(|operand| &gates[operand.gate().index()]);
            let cost = operands().fold(1, |sum: u32, operand| sum.saturating_add(operand.cost));
            let size = operands().fold(0, |sum: u32, operand| sum.saturating_add(operand.size));
            let facts = &mut gates[gate.index()];
            (facts.cost, facts.size, facts.place) = (cost.min(MOST), size.min(MOST), place as u32);
            if needed[gate.index()] && facts.readers > 1 && cost > COSTLY {
                facts.view = Some(slot(automaton));
                (facts.cost, facts.size) = (1, 1);
            }
        }
        let mut taken = vec![None; state.list.len()];
        let mut taken_of = HashMap::new();
        for (variable, of) in state.list.iter().enumerate() {
            if of.latches.len() > 1 && !of.covered {
                let latch = |&latch: &LatchId| Signal::of(net.latches[latch.index()].gate);
                let latches: Vec<Signal> = of.latches.iter().map(latch).collect();
                let gate = net.add(Operation::Or, &latches).gate();
                gates.push(GateFacts { cost: 1, size: 1, ..GateFacts::default() });
                taken[variable] = Some(gate);
                taken_of.insert(gate, variable as u32);
            }
        }
        let yes = automaton.named("yes".to_owned());
        Conditions {
            net,
            gates,
            part_of,
            state,
            state_slots,
            taken,
            taken_of,
            inputs: Vec::new(),
            made: HashMap::new(),
            walks: HashMap::new(),
            before: HashMap::new(),
            yes,
        }
    }

    /// A signal that is the And or Or of others.
    pub fn gate(&mut self, operation: Operation, mut operands: Vec<Signal>) -> Signal {
        if let Some(signal) = simplify(operation, &mut operands) {
            return signal;
        }
        let Conditions { net, gates, made, .. } = self;
        *made.entry((operation, operands)).or_insert_with_key(|(operation, operands)| {
            let of = |signal: &Signal| gates[signal.gate().index()];
            let sum = |total: u32, part: u32| total.saturating_add(part).min(MOST);
            let cost = operands.iter().map(of).fold(1, |total, gate| sum(total, gate.cost));
            let size = operands.iter().map(of).fold(0, |total, gate| sum(total, gate.size));
            let place = operands.iter().map(of).map(|gate| gate.place).max().unwrap_or(0);
            let of_moves = operands.iter().map(of).any(|gate| gate.of_moves);
            gates.push(GateFacts { readers: 1, cost, size, place, of_moves, view: None });
            net.add(*operation, operands)
        })
    }

    /// Whether a signal depends on moves.
    pub fn is_of_moves(&self, signal: Signal) -> bool {
        self.facts(signal).of_moves
    }

    /// What a signal is when one input is true, or none of its role if there is none; `None` if
    /// that is not to be had: in recursion, or when the work is done. `known` remembers.
    pub fn specialised(
        &mut self,
        signal: Signal,
        (role, input): (Slot, Option<InputId>),
        known: &mut HashMap<GateId, Signal>,
        work: &mut Work<'_>,
    ) -> Option<Signal> {
        let mut open = vec![signal.gate()];
        while let Some(&gate) = open.last() {
            work.take(1)?;
            if known.contains_key(&gate) {
                open.pop();
                continue;
            }
            if !self.gates[gate.index()].of_moves {
                known.insert(gate, Signal::of(gate));
                continue;
            }
            let operation = self.net.operation(gate);
            if let Operation::Input(other) = operation {
                let chosen = match self.inputs[other.index()].0 == role {
                    true => Signal::FALSE.negated_if(input == Some(other)),
                    false => Signal::of(gate),
                };
                known.insert(gate, chosen);
                continue;
            }
            if self.net.is_knot(gate) {
                return None;
            }
            let before = open.len();
            let operands = self.net.operands(gate);
            work.take(operands.len())?;
            open.extend(operands.iter().map(|o| o.gate()).filter(|gate| !known.contains_key(gate)));
            if open.len() == before {
                let value =
                    |operand: &Signal| known[&operand.gate()].negated_if(operand.is_negated());
                let operands = operands.iter().map(value).collect();
                let signal = self.gate(operation, operands);
                known.insert(gate, signal);
                open.pop();
            }
        }
        Some(known[&signal.gate()].negated_if(signal.is_negated()))
    }

    /// The inputs of a role on which signals depend; `None` when the work is done.
    pub fn inputs_of(
        &self,
        signals: impl IntoIterator<Item = Signal>,
        role: Slot,
        work: &mut Work<'_>,
    ) -> Option<HashSet<InputId>> {
        let mut open: Vec<GateId> = signals.into_iter().map(Signal::gate).collect();
        let (mut seen, mut found) = (HashSet::new(), HashSet::new());
        while let Some(gate) = open.pop() {
            work.take(1)?;
            if !self.gates[gate.index()].of_moves || !seen.insert(gate) {
                continue;
            }
            if let Operation::Input(input) = self.net.operation(gate)
                && self.inputs[input.index()].0 == role
            {
                found.insert(input);
            }
            open.extend(self.net.operands(gate).iter().map(|operand| operand.gate()));
        }
        Some(found)
    }

    /// Whether there are recursive parts.
    pub fn has_recursion(&self) -> bool {
        !self.part_of.is_empty()
    }

    fn facts(&self, signal: Signal) -> GateFacts {
        self.gates[signal.gate().index()]
    }

    /// The comparison that a signal is, if it is one.
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
        facts.size <= SMALL || facts.readers < 2 && facts.size <= SMALL_ALONE
    }

    /// The signals whose And or Or this is: itself, if it is none. What lies on a cycle is cut
    /// by views, so this does not go round.
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

    /// The same signals, to be joined by an operation; but where a variable is compared with
    /// every value but `none`, one comparison with that instead.
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

    /// The signals whose And this is: of gates that are written out, their operands, those that
    /// are cheap to check first.
    pub fn factors(&self, signals: &[Signal]) -> Vec<Signal> {
        let mut found = Vec::new();
        let mut open: Vec<Signal> = signals.to_vec();
        while let Some(signal) = open.pop() {
            let is_gate = self.comparison(signal).is_none();
            match is_gate && self.is_small(signal) {
                true => match &self.parts(signal, Operation::And)[..] {
                    [only] if *only == signal => found.push(signal),
                    operands => open.extend_from_slice(operands),
                },
                false => found.push(signal),
            }
        }
        let mut found = self.joined(found, Operation::And);
        found.sort_unstable_by_key(|&signal| (self.facts(signal).cost, signal));
        found.dedup();
        found
    }

    /// Adds edges such that one can go from a node to another exactly where a signal is true.
    /// Returns whether there are any.
    pub fn between(&mut self, automaton: &mut Automaton, from: Node, signal: Signal, to: Node) {
        let factors = self.factors(&[signal]);
        self.connect(automaton, from, &factors, to);
    }

    /// The same where all of several signals are true, in this order.
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

    /// The node from which one can go to another exactly where a signal is true.
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

    /// The check of a gate, which has a walk of its own. The walk is made in time: see
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

    /// Edges from a node to another, for a gate by its operands.
    fn define(&mut self, automaton: &mut Automaton, from: Node, gate: GateId, to: Node) {
        let mut operands = self.net.operands(gate).to_vec();
        if self.net.operation(gate) == Operation::And {
            let factors = self.factors(&operands);
            return self.connect(automaton, from, &factors, to);
        }
        operands = self.joined(operands, Operation::Or);
        operands.sort_unstable_by_key(|&operand| (self.facts(operand).cost, operand));
        let ways = operands.iter().map(|&operand| self.factors(&[operand])).collect();
        self.alternatives(automaton, from, ways, to, SHARED);
    }

    /// Edges from a node to another where all signals of one of several ways are true. What is
    /// common to many comes first, and is checked once, up to some depth.
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

    /// Whether signals depend on views which depend on moves.
    pub fn needs_views_of_moves(&self, signals: &[Signal]) -> bool {
        !self.views(signals, &HashSet::new(), true).is_empty()
    }

    /// The views on which signals depend, and that are not in `already`, in an order in which
    /// they can be computed; those of a recursive part together. Those that depend on moves, or
    /// those that do not.
    fn views(
        &self,
        signals: &[Signal],
        already: &HashSet<GateId>,
        of_moves: bool,
    ) -> Vec<Vec<GateId>> {
        let mut seen: HashSet<GateId> = HashSet::new();
        let mut open: Vec<GateId> = signals.iter().map(|signal| signal.gate()).collect();
        let mut found = Vec::new();
        while let Some(gate) = open.pop() {
            if already.contains(&gate) || !seen.insert(gate) {
                continue;
            }
            let facts = self.gates[gate.index()];
            if facts.view.is_some() && facts.of_moves == of_moves {
                found.push(gate);
            }
            open.extend(self.net.operands(gate).iter().map(|operand| operand.gate()));
        }
        let part = |gate: &GateId| self.part_of.get(&gate.0).copied().unwrap_or(0);
        found.sort_unstable_by_key(|gate| (self.gates[gate.index()].place, *gate));
        // Within a part nothing else comes between: gates of a part are together in the order.
        let alike = |a: &GateId, b: &GateId| part(a) != 0 && part(a) == part(b);
        found.chunk_by(alike).map(<[GateId]>::to_vec).collect()
    }

    /// Makes the keeper compute what signals need; returns the node where that begins.
    /// `changed` is a Boolean variable for recursive parts. What depends on moves is computed
    /// when they are known, the rest before.
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

    /// Where the walk of a view's definition begins.
    fn definition(&mut self, automaton: &mut Automaton, gate: GateId) -> Node {
        *self.walks.entry(gate.0).or_insert_with(|| automaton.node())
    }

    /// Computes the knots of a recursive part: from false, again and again until a round
    /// changes nothing. Each round but the last makes one true at least.
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

    /// The state variables that a check of these signals reads, and whether it reads moves.
    /// Views are read as they are.
    pub fn reads(&self, signals: impl IntoIterator<Item = Signal>) -> (HashSet<u32>, bool) {
        let mut open: Vec<GateId> = signals.into_iter().map(Signal::gate).collect();
        let mut seen: HashSet<GateId> = HashSet::new();
        let (mut variables, mut moves) = (HashSet::new(), false);
        while let Some(gate) = open.pop() {
            if self.gates[gate.index()].view.is_some() || !seen.insert(gate) {
                continue;
            }
            match self.net.operation(gate) {
                Operation::Latch(latch) => {
                    variables.insert(self.state.literal(latch, false).variable);
                }
                Operation::Input(_) => moves = true,
                _ => open.extend(self.net.operands(gate).iter().map(|operand| operand.gate())),
            }
        }
        (variables, moves)
    }
}

/// Finds the gates that depend on moves.
fn depend_on_moves(net: &Net, gates: &mut [GateFacts]) {
    for input in &net.inputs {
        gates[input.gate.index()].of_moves = true;
    }
    // Recursion takes more than one round.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for gate in net.computed() {
            let of_moves = |operand: &Signal| gates[operand.gate().index()].of_moves;
            if !gates[gate.index()].of_moves && net.operands(gate).iter().any(of_moves) {
                gates[gate.index()].of_moves = true;
                changed = true;
            }
        }
    }
}
