//! A new net from an old one; every pass uses it.
//!
//! [`rebuild`] goes through the gates of a net in order. It replaces the operands of a gate by their new signals, and lets the
//! pass decide the new gate. Gates that no output needs are left out.
//!
//! The knots of feedback loops are added first, and get their operands last. Then the loops are *settled*: an Or of one operand
//! on a cycle is that operand; a loop in which gates are true only because of each other is false; a knot that is on
//! no cycle any more becomes an ordinary gate behind its operands. The remaining knots are chosen anew, where a cycle
//! must be cut.
//!
//! [`Replaced`] says which latches and inputs are removed, and which signals replace them. Facts and exclusive groups follow.
//!
//! The cost is linear in the net, but for sorting the operands of each gate.

use super::feedback::Feedback;
use super::gates::{GateId, Input, Latch, Net, Operation, Output, Signal};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use gdlr_text::graph::Worklist;

/// Latches and inputs that are to go.
#[derive(Clone, Debug, Default)]
pub struct Replaced {
    /// By latch: what takes its place, if something does: a constant, or another latch or its
    /// complement. That one may be replaced in turn, but not in a cycle. May be shorter than
    /// the list of latches.
    pub latches: Vec<Option<Signal>>,
    /// By input: what is read in its place, a constant or a latch or its complement. The input
    /// itself goes only if that is [`Signal::FALSE`].
    pub inputs: Vec<Option<Signal>>,
    /// Gates that are known wherever the new net is asked. What reads them reads a constant; a
    /// latch among them stays, since it may become something else.
    pub known: Vec<(GateId, bool)>,
}

impl Replaced {
    /// Whether a latch or an input will be in the new net.
    fn keeps(&self, net: &Net, gate: GateId) -> bool {
        let by = self.resolve(net, Signal::of(gate));
        match net.operation(gate) {
            Operation::Input(_) => by != Signal::FALSE,
            _ => by.gate() == gate,
        }
    }

    /// The signal that replaces a latch, an input or a constant in the end.
    fn resolve(&self, net: &Net, mut signal: Signal) -> Signal {
        loop {
            let by = match net.operation(signal.gate()) {
                Operation::Latch(place) => self.latches.get(place.index()),
                Operation::Input(place) => self.inputs.get(place.index()),
                _ => None,
            };
            match by.copied().flatten() {
                Some(by) => signal = by.negated_if(signal.is_negated()),
                None => return signal,
            }
        }
    }
}

/// A net in the making.
#[derive(Debug)]
pub struct Rebuild {
    /// The net so far. A knot has no operands yet.
    pub net: Net,
    map: Vec<Signal>,
}

impl Rebuild {
    /// The new signal of an old one that a knot or an earlier gate drives.
    pub fn mapped(&self, old: Signal) -> Signal {
        self.map[old.gate().index()].negated_if(old.is_negated())
    }

    /// The And or Or of signals of the new net, without a gate if none is needed: constants,
    /// repeated operands, an operand beside its complement, no or one operand. Operands of a
    /// new gate are sorted. Leaves `operands` in disorder.
    pub fn simplified(&mut self, operation: Operation, operands: &mut Vec<Signal>) -> Signal {
        match simplify(operation, operands) {
            Some(signal) => signal,
            None => self.net.add(operation, operands),
        }
    }
}

/// Sorts the operands of an And or Or and takes out what says nothing. If no gate is needed,
/// returns the signal that does.
pub fn simplify(operation: Operation, operands: &mut Vec<Signal>) -> Option<Signal> {
    let neutral = Signal::TRUE.negated_if(operation == Operation::Or);
    operands.sort_unstable();
    operands.dedup();
    operands.retain(|&operand| operand != neutral);
    if operands.first() == Some(&!neutral) || operands.windows(2).any(|pair| pair[0] == !pair[1]) {
        return Some(!neutral);
    }
    match operands[..] {
        [] => Some(neutral),
        [only] => Some(only),
        _ => None,
    }
}

/// Rebuilds a net; `gate` is asked what each needed gate with operands becomes, given the
/// operands in terms of the new net. Knots are asked about last, and then tied to what they
/// become.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn rebuild(
    old: &Net,
    replaced: &Replaced,
    meter: &Meter<'_>,
    mut gate: impl FnMut(&mut Rebuild, GateId, Operation, &mut Vec<Signal>) -> Signal,
) -> Result<Net, Exhausted> {
    let unwired = old.copied_bytes() - old.wire_bytes();
    meter.hold(Memory::Scratch, unwired);
    meter.spend(old.first_computed().index())?;
    let (net, map) = sources(old, replaced);
    let mut builder = Rebuild { net, map };
    let mut needed = needed(old, replaced, meter)?;
    for &(gate, value) in &replaced.known {
        builder.map[gate.index()] = Signal::constant(value);
        needed[gate.index()] = false;
    }
    let fixed = unwired + TABLES * old.len();
    let mut knots: Vec<(GateId, Signal)> = Vec::new();
    for id in old.computed().filter(|id| needed[id.index()] && old.is_knot(*id)) {
        let knot = builder.net.knot();
        builder.map[id.index()] = knot;
        knots.push((id, knot));
    }
    let mut next_knot = 0;
    let mut operands = Vec::new();
    for id in old.computed().filter(|id| needed[id.index()]) {
        if knots.get(next_knot).is_some_and(|&(knot, _)| knot == id) {
            next_knot += 1;
            continue;
        }
        operands.clear();
        operands.extend(old.operands(id).iter().map(|&operand| builder.mapped(operand)));
        builder.map[id.index()] = gate(&mut builder, id, old.operation(id), &mut operands);
        meter.hold(Memory::Scratch, fixed + builder.net.wire_bytes());
        meter.spend(1 + old.operands(id).len())?;
    }
    for &(id, knot) in &knots {
        operands.clear();
        operands.extend(old.operands(id).iter().map(|&operand| builder.mapped(operand)));
        let by = gate(&mut builder, id, old.operation(id), &mut operands);
        builder.net.tie(knot, &[by]);
    }
    let Rebuild { mut net, map } = builder;
    net.map_outputs(|signal| map[signal.gate().index()].negated_if(signal.is_negated()));
    if knots.is_empty() { Ok(net) } else { settle(net, meter) }
}

/// How much memory a pass takes for each gate, about.
const TABLES: usize = 48;

/// Rebuilds a net with each gate as it is, but without what can be seen to be superfluous in
/// it alone.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn replace(old: &Net, replaced: &Replaced, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    rebuild(old, replaced, meter, |builder, _, operation, operands| {
        builder.simplified(operation, operands)
    })
}

/// The new net with the latches and inputs that stay, its outputs those of the old one; and
/// what becomes of old gates, as far as that is settled.
fn sources(old: &Net, replaced: &Replaced) -> (Net, Vec<Signal>) {
    let stays = |gate| replaced.keeps(old, gate);
    let latches: Vec<Latch> =
        old.latches.iter().filter(|latch| stays(latch.gate)).copied().collect();
    let inputs: Vec<Input> = old.inputs.iter().filter(|input| stays(input.gate)).copied().collect();
    let mut net = Net::new(latches.len(), inputs.len(), old.roles);
    let mut map = vec![Signal::FALSE; old.len()];
    map[0] = Signal::TRUE;
    for (new, latch) in net.latches.iter_mut().zip(&latches) {
        map[latch.gate.index()] = Signal::of(new.gate);
        *new = Latch { gate: new.gate, ..*latch };
    }
    for (new, input) in net.inputs.iter_mut().zip(&inputs) {
        map[input.gate.index()] = Signal::of(new.gate);
        *new = Input { gate: new.gate, ..*input };
    }
    for gate in (1..old.first_computed().0).map(GateId) {
        let by = replaced.resolve(old, Signal::of(gate));
        map[gate.index()] = map[by.gate().index()].negated_if(by.is_negated());
    }
    let mapped = |signal: Signal| map[signal.gate().index()].negated_if(signal.is_negated());
    net.fluents.clone_from(&old.fluents);
    net.fluents.iter_mut().for_each(|fluent| fluent.signal = mapped(fluent.signal));
    let group = |group: &Vec<Signal>| {
        let mut group: Vec<Signal> = group.iter().map(|&signal| mapped(signal)).collect();
        group.sort_unstable();
        group.dedup();
        group
    };
    let latches = |mut group: Vec<Signal>| {
        group.retain(|signal| !signal.is_constant());
        Some(group).filter(|group| group.len() > 1)
    };
    net.exclusive = old.exclusive.iter().map(group).filter_map(latches).collect();
    let covering = old.covering.iter().map(group);
    let open = covering.filter(|group| !group.contains(&Signal::TRUE));
    net.covering = open.filter_map(latches).collect();
    net.moves.clone_from(&old.moves);
    net.goals.clone_from(&old.goals);
    net.percepts.clone_from(&old.percepts);
    net.terminal = old.terminal;
    (net, map)
}

/// By gate: whether an output that stays depends on it.
fn needed(net: &Net, replaced: &Replaced, meter: &Meter<'_>) -> Result<Vec<bool>, Exhausted> {
    let stays = |gate| replaced.keeps(net, gate);
    let wanted = net.outputs().filter(|&(output, _)| match output {
        Output::Legal(input) => stays(net.inputs[input.index()].gate),
        Output::Next(latch) => stays(net.latches[latch.index()].gate),
        Output::Terminal | Output::Goal(_) | Output::Sees(_) => true,
    });
    let mut open = Worklist::new(net.len());
    open.extend(wanted.map(|(_, signal)| signal.gate()));
    while let Some(gate) = open.pop() {
        open.extend(net.operands(gate).iter().map(|operand| operand.gate()));
        meter.spend(1 + net.operands(gate).len())?;
    }
    Ok(open.into_met())
}

/// Brings the parts of a net with feedback into order. What is read before it is computed may
/// be any Or gate, and need not lie on a cycle.
fn settle(mut net: Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    meter.spend(net.wires())?;
    let alias = aliases(&net);
    let resolve = |signal: Signal| alias[signal.gate().index()].negated_if(signal.is_negated());
    net.map_operands(resolve);
    net.map_outputs(resolve);
    let feedback = Feedback::of(&net);
    let (new, map) = sources(&net, &Replaced::default());
    let mut builder = Rebuild { net: new, map };
    let mut operands = Vec::new();
    let mut copy = |builder: &mut Rebuild, gates: &[GateId]| -> Result<(), Exhausted> {
        for &gate in gates {
            meter.spend(1 + net.operands(gate).len())?;
            operands.clear();
            operands.extend(net.operands(gate).iter().map(|&operand| builder.mapped(operand)));
            builder.map[gate.index()] = builder.simplified(net.operation(gate), &mut operands);
        }
        Ok(())
    };
    let mut done = 0;
    for part in &feedback.parts {
        copy(&mut builder, &feedback.order[done..part.start])?;
        settle_part(&net, &feedback.order[part.clone()], &mut builder);
        meter.spend(part.len())?;
        done = part.end;
    }
    copy(&mut builder, &feedback.order[done..])?;
    let Rebuild { net: mut new, map } = builder;
    new.map_outputs(|signal| map[signal.gate().index()].negated_if(signal.is_negated()));
    Ok(new)
}

/// By gate: the signal that its value equals, where it is an Or of no more than one other
/// signal; otherwise its own.
fn aliases(net: &Net) -> Vec<Signal> {
    let mut alias: Vec<Signal> = (0..net.len() as u32).map(|id| Signal::of(GateId(id))).collect();
    let mut operands = Vec::new();
    for gate in net.computed().filter(|&gate| net.operation(gate) == Operation::Or) {
        operands.clear();
        operands.extend(net.operands(gate).iter().filter(|&&o| o != Signal::of(gate)));
        if let Some(signal) = simplify(Operation::Or, &mut operands) {
            alias[gate.index()] = signal;
        }
    }
    // Chains of them, each walked once. A cycle of signals that equal each other has nothing
    // to make it true.
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut state = vec![0u8; net.len()];
    let mut chain: Vec<GateId> = Vec::new();
    for start in net.computed() {
        let mut gate = start;
        while state[gate.index()] == 0 && alias[gate.index()].gate() != gate {
            state[gate.index()] = OPEN;
            chain.push(gate);
            gate = alias[gate.index()].gate();
        }
        if state[gate.index()] == OPEN {
            alias[gate.index()] = Signal::FALSE;
        }
        while let Some(link) = chain.pop() {
            let by = alias[link.index()];
            alias[link.index()] = alias[by.gate().index()].negated_if(by.is_negated());
            state[link.index()] = DONE;
        }
    }
    alias
}

/// Copies one strongly connected part, with a knot wherever a search of the part meets a gate
/// that it is still busy with.
fn settle_part(net: &Net, members: &[GateId], builder: &mut Rebuild) {
    let place = |signal: Signal| members.binary_search(&signal.gate()).ok();
    let Some(root) = members.iter().position(|&gate| net.operation(gate) == Operation::Or) else {
        // Each of them waits for another.
        members.iter().for_each(|gate| builder.map[gate.index()] = Signal::FALSE);
        return;
    };
    #[derive(Clone, Copy, PartialEq)]
    enum Progress {
        New,
        Busy,
        Done,
    }
    let mut progress = vec![Progress::New; members.len()];
    let mut is_cut = vec![false; members.len()];
    let mut order = Vec::with_capacity(members.len());
    let mut calls = vec![(root, 0)];
    progress[root] = Progress::Busy;
    while let Some((at, edge)) = calls.last_mut() {
        let (here, number) = (*at, *edge);
        *edge += 1;
        let Some(&operand) = net.operands(members[here]).get(number) else {
            progress[here] = Progress::Done;
            order.push(here);
            calls.pop();
            continue;
        };
        let Some(next) = place(operand) else { continue };
        match progress[next] {
            Progress::New => {
                progress[next] = Progress::Busy;
                calls.push((next, 0));
            }
            Progress::Busy => is_cut[next] = true,
            Progress::Done => {}
        }
    }
    let cuts: Vec<(GateId, Signal)> = (0..members.len())
        .filter(|&at| is_cut[at])
        .map(|at| (members[at], builder.net.knot()))
        .collect();
    cuts.iter().for_each(|&(gate, knot)| builder.map[gate.index()] = knot);
    let mut operands = Vec::new();
    let mut ands = Vec::new();
    for gate in order.into_iter().map(|at| members[at]) {
        let is_cut = place(Signal::of(gate)).is_some_and(|at| is_cut[at]);
        if is_cut && net.operation(gate) == Operation::Or {
            continue;
        }
        operands.clear();
        operands.extend(net.operands(gate).iter().map(|&operand| builder.mapped(operand)));
        let signal = builder.simplified(net.operation(gate), &mut operands);
        if is_cut {
            ands.push((builder.map[gate.index()], signal));
        } else {
            builder.map[gate.index()] = signal;
        }
    }
    // An And that had to be cut is read through an Or of its own, which is tied to it.
    for (knot, and) in ands {
        builder.net.tie(knot, &[and]);
    }
    for (gate, knot) in cuts {
        if net.operation(gate) == Operation::Or {
            operands.clear();
            operands.extend(net.operands(gate).iter().map(|&operand| builder.mapped(operand)));
            operands.retain(|&operand| operand != knot);
            operands.sort_unstable();
            operands.dedup();
            builder.net.tie(knot, &operands);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::evaluate::evaluate;

    fn replaced(net: &Net, replaced: &Replaced) -> Net {
        replace(net, replaced, &Meter::unlimited()).expect("no limit")
    }

    fn latch(net: &Net, place: usize) -> Signal {
        Signal::of(net.latches[place].gate)
    }

    #[test]
    fn latches_are_replaced_and_what_speaks_of_them_too() {
        let mut net = Net::new(3, 0, 1);
        let [a, b, c] = [0, 1, 2].map(|place| latch(&net, place));
        let both = net.add(Operation::And, &[a, b]);
        net.terminal = net.add(Operation::Or, &[both, !c]);
        net.latches[0].next = c;
        net.latches[2].next = a;
        net.exclusive = vec![vec![a, b, c], vec![b, c]];
        let by = vec![None, Some(!a), Some(b)];
        let result = replaced(&net, &Replaced { latches: by, ..Replaced::default() });
        assert_eq!(result.latches.len(), 1);
        assert_eq!(result.latches[0].next, !a);
        assert_eq!(result.terminal, a);
        assert_eq!(result.exclusive, [[a, !a]]);
        assert_eq!(replaced(&result, &Replaced::default()).len(), 2);
    }

    #[test]
    fn a_knot_without_a_cycle_becomes_an_ordinary_gate() {
        let mut net = Net::new(2, 0, 1);
        let [a, b] = [0, 1].map(|place| latch(&net, place));
        let knot = net.knot();
        let reader = net.add(Operation::And, &[knot, a]);
        let later = net.add(Operation::And, &[a, b]);
        net.tie(knot, &[later, !a]);
        net.terminal = reader;
        let result = replaced(&net, &Replaced::default());
        assert!(result.computed().all(|gate| !result.is_knot(gate)));
        assert_eq!(result.len(), net.len());
    }

    #[test]
    fn a_cycle_with_nothing_to_begin_with_is_false() {
        let mut net = Net::new(1, 0, 1);
        let a = latch(&net, 0);
        let (first, second) = (net.knot(), net.knot());
        net.tie(first, &[second]);
        net.tie(second, &[first, first]);
        net.terminal = net.add(Operation::Or, &[first, a]);
        let once = replaced(&net, &Replaced::default());
        assert_eq!(once.terminal, a);
    }

    #[test]
    fn a_cycle_keeps_one_knot() {
        let mut net = Net::new(3, 0, 1);
        let [a, b, c] = [0, 1, 2].map(|place| latch(&net, place));
        let (first, second) = (net.knot(), net.knot());
        let there = net.add(Operation::And, &[first, a]);
        let back = net.add(Operation::And, &[second, b]);
        net.tie(first, &[back, c]);
        net.tie(second, &[there]);
        net.terminal = second;
        let result = replaced(&net, &Replaced::default());
        assert_eq!(result.computed().filter(|&gate| result.is_knot(gate)).count(), 1);
        assert_eq!(result.len(), net.len() - 1);
        for latches in [[true, false, true], [true, true, false], [true, true, true]] {
            let (old, new) = (evaluate(&net, &latches, &[]), evaluate(&result, &latches, &[]));
            assert_eq!(old[net.terminal.gate().index()], new[result.terminal.gate().index()]);
        }
    }
}
