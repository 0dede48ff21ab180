//! Working memory of the engine: counts, and how a change runs through them.

use super::circuit::{Circuit, Edge, LatchEffect, NO_COMPONENT, NO_NODE, Source, WORD};
use super::count::Count;
use super::queue::Queue;
use fixedbitset::FixedBitSet;
use gdlr_engine::engine::MoveId;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// No input.
const NO_INPUT: u32 = u32::MAX;

/// Working memory of the engine `propnet`; speaks of one state.
#[derive(Clone, Debug)]
pub struct Scratch {
    counts: Vec<Count>,
    /// The words of the set of latches that are true. As a `FixedBitSet`, with its length to be
    /// asked for at every access, breakthrough takes 5 % more instructions a state and
    /// tic-tac-toe 3 %.
    pub(crate) bits: Vec<usize>,
    /// Those of the next state, while a step is made.
    next: Vec<usize>,
    /// Those of the outputs that are true, by phase.
    outputs: Vec<usize>,
    phase: usize,
    /// Whether the state is terminal: asked for several times a state.
    pub(crate) terminal: bool,
    /// By phase and role: the input that is chosen.
    chosen: Vec<u32>,
    /// By role: the input to be chosen.
    pub(crate) joint: Vec<u32>,
    /// Nodes that have changed, if they have not changed again: their readers are to be notified.
    open: Queue,
    /// Likewise for each stage.
    later: Vec<Queue>,
    /// By component: the changes of its operands.
    changes: Vec<Changes>,
    any_changes: bool,
    goal_values: Vec<bool>,
    goals_known: bool,
}

/// The changes of a component's operands since its members were computed.
#[derive(Clone, Debug, Default)]
struct Changes {
    /// Those that something outside made true.
    risen: Vec<u32>,
    /// Whether one that was true has lost an operand, so that it may be true for no reason but
    /// itself.
    fallen: bool,
}

impl Scratch {
    /// Memory in which every latch and input is false.
    pub(crate) fn new(circuit: &Circuit) -> Scratch {
        let mut scratch = Scratch {
            counts: circuit.resting.clone(),
            bits: vec![0; circuit.words],
            next: vec![0; circuit.words],
            outputs: vec![0; circuit.outputs / WORD],
            phase: 0,
            terminal: false,
            chosen: vec![NO_INPUT; circuit.phases * circuit.roles],
            joint: vec![NO_INPUT; circuit.roles],
            open: Queue::default(),
            later: vec![Queue::default(); circuit.last_stage as usize + 1],
            changes: vec![Changes { risen: Vec::new(), fallen: true }; circuit.components.len()],
            any_changes: !circuit.components.is_empty(),
            goal_values: vec![false; circuit.goal_gates.len()],
            goals_known: false,
        };
        // No latch or input is among them: these rest at -1.
        for node in (0..circuit.resting.len()).filter(|&node| circuit.resting[node].value()) {
            if node < circuit.outputs {
                scratch.output(node);
            } else if circuit.stages.is_empty() {
                scratch.open.push(node as u32);
            } else if circuit.component_of[node] == NO_COMPONENT {
                scratch.later[circuit.stages[node] as usize].push(node as u32);
            }
        }
        scratch.settle(circuit);
        scratch
    }

    /// The value of a signal that does not belong to goals.
    pub(crate) fn read(&self, source: Source) -> bool {
        match source {
            Source::Constant(value) => value,
            Source::Node(node, negated) => self.counts[node as usize].value() != negated,
            Source::Goal(place, negated) => self.goal_values[place as usize] != negated,
        }
    }

    /// The words of outputs of the present phase.
    fn phase_outputs(&self, circuit: &Circuit) -> &[usize] {
        let words = circuit.phase_words();
        &self.outputs[self.phase * words..(self.phase + 1) * words]
    }

    /// Adds the legal moves of a role to a list.
    pub(crate) fn legal(&self, circuit: &Circuit, role: usize, moves: &mut Vec<MoveId>) {
        let range = circuit.move_words[role] as usize..circuit.move_words[role + 1] as usize;
        let numbers = &circuit.moves[WORD * range.start..];
        let (numbers, _) = numbers.as_chunks::<WORD>();
        for (&word, numbers) in self.phase_outputs(circuit)[range].iter().zip(numbers) {
            let mut rest = word;
            let start = moves.len();
            moves.resize(start + word.count_ones() as usize, MoveId(0));
            for id in &mut moves[start..] {
                // There is a bit; that the last one is set saves a test.
                *id = numbers[(rest | 1 << (WORD - 1)).trailing_zeros() as usize];
                rest &= rest.wrapping_sub(1);
            }
        }
    }

    /// One of the legal moves of a role, each with the same chance.
    pub(crate) fn random_legal(
        &self,
        circuit: &Circuit,
        role: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<MoveId> {
        let range = circuit.move_words[role] as usize..circuit.move_words[role + 1] as usize;
        let words = &self.phase_outputs(circuit)[range.clone()];
        let mut left = match words.iter().map(|word| word.count_ones()).sum() {
            0 => return None,
            1 => 0,
            count => rng.random_range(0..count as usize) as u32,
        };
        for (place, &word) in range.zip(words) {
            if left < word.count_ones() {
                let rest = (0..left).fold(word, |rest, _| rest & (rest - 1));
                return Some(circuit.moves[WORD * place + rest.trailing_zeros() as usize]);
            }
            left -= word.count_ones();
        }
        None
    }

    /// Whether an input is legal.
    pub(crate) fn is_legal(&self, circuit: &Circuit, input: u32) -> bool {
        let bit = circuit.move_bits[input as usize];
        self.phase_outputs(circuit)[bit as usize / WORD] >> (bit as usize % WORD) & 1 == 1
    }

    /// Makes the scratch speak of the state with these bits.
    pub(crate) fn enter(&mut self, circuit: &Circuit, bits: &FixedBitSet) {
        self.next.copy_from_slice(bits.as_slice());
        self.advance(circuit);
    }

    /// Makes the next state the present one.
    fn advance(&mut self, circuit: &Circuit) {
        for word in 0..self.bits.len() {
            let bits = self.next[word];
            let mut changed = std::mem::replace(&mut self.bits[word], bits) ^ bits;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let node = circuit.first_latch + word * WORD + bit;
                self.set(circuit, node as u32, bits >> bit & 1 == 1);
            }
        }
        self.settle(circuit);
        self.phase = circuit.phase(&self.bits);
        self.terminal = self.read(circuit.terminal[self.phase]);
    }

    /// Sets a latch or an input.
    fn set(&mut self, circuit: &Circuit, node: u32, value: bool) {
        self.counts[node as usize].set(value);
        match circuit.stages.is_empty() {
            true => self.open.push(node),
            false => self.later[0].push(node),
        }
    }

    /// Plays the joint move, one input a role, all of them legal.
    pub(crate) fn step(&mut self, circuit: &Circuit) {
        let first = self.phase * circuit.inputs;
        for role in 0..circuit.roles {
            let input = self.joint[role];
            let chosen = &mut self.chosen[self.phase * circuit.roles + role];
            let before = std::mem::replace(chosen, input);
            if before != input {
                if before != NO_INPUT {
                    self.choose(circuit, first + before as usize, false);
                }
                self.choose(circuit, first + input as usize, true);
            }
        }
        self.settle(circuit);
        self.know_effects(circuit);
        self.find_next(circuit);
        self.advance(circuit);
    }

    /// Computes what only the effects of the moves depend on that are made.
    fn know_effects(&mut self, circuit: &Circuit) {
        let first = self.phase * circuit.inputs;
        for &input in &self.joint {
            for &place in circuit.effect_gates_of.of(first + input as usize) {
                let gate = circuit.effect_gates[place as usize];
                let is_true = |edge: &Edge| self.counts[edge.node()].value() != edge.is_negated();
                let mut operands = circuit.effect_operands.of(place as usize).iter();
                let value = if gate.any { operands.any(is_true) } else { operands.all(is_true) };
                self.counts[gate.node as usize].set(value);
            }
        }
    }

    fn choose(&mut self, circuit: &Circuit, input: usize, value: bool) {
        let node = circuit.input_nodes[input];
        if node != NO_NODE {
            self.set(circuit, node, value);
        }
    }

    /// Computes the bits of the next state.
    fn find_next(&mut self, circuit: &Circuit) {
        let Scratch { counts, bits, next, outputs, .. } = self;
        let frames = &outputs[(self.phase + 1) * circuit.phase_words() - 2 * circuit.words..];
        let (set, keep) = frames.split_at(circuit.words);
        for (next, (bits, keep)) in next.iter_mut().zip(bits.iter().zip(keep)) {
            *next = bits & keep;
        }
        let first = self.phase * circuit.inputs;
        for &input in &self.joint {
            let clears = circuit.clears.of(first + input as usize);
            by_word(counts, clears, |word, happens| next[word] &= !happens);
        }
        for (next, set) in next.iter_mut().zip(set) {
            *next |= set;
        }
        for &input in &self.joint {
            let sets = circuit.sets.of(first + input as usize);
            by_word(counts, sets, |word, happens| next[word] |= happens);
        }
    }

    /// Notifies all readers of all changes, until nothing changes any more, in the order of the changes:
    /// all latches, then gates that read latches. So the operands of most gates are settled when their
    /// turn comes, and a gate that has changed back by then notifies nobody.
    fn settle(&mut self, circuit: &Circuit) {
        self.goals_known = false;
        if circuit.stages.is_empty() {
            return self.settle_acyclic(circuit);
        }
        for stage in 0..=circuit.last_stage as usize {
            if self.any_changes {
                self.components(circuit, stage);
            }
            let mut next = 0;
            while let Some(node) = self.later[stage].get(next) {
                next += 1;
                if self.counts[node as usize].publish() {
                    let rising = self.counts[node as usize].published();
                    for &edge in circuit.readers(node) {
                        self.notify(circuit, edge, rising);
                    }
                }
            }
            self.later[stage].clear();
        }
        self.any_changes = false;
    }

    /// The same where there are no components. Gates seldom change; whether an output does is
    /// hard to predict, so nothing branches on it.
    fn settle_acyclic(&mut self, circuit: &Circuit) {
        let (counts, outputs) = (&mut self.counts[..], &mut self.outputs[..]);
        let open = &mut self.open;
        let mut next = 0;
        while let Some(node) = open.get(next) {
            next += 1;
            let own = &mut counts[node as usize];
            if !own.publish() {
                continue;
            }
            let rising = own.published();
            for &edge in circuit.output_readers(node) {
                let changed = counts[edge.node()].add(rising != edge.is_negated());
                outputs[edge.node() / WORD] ^= usize::from(changed) << (edge.node() % WORD);
            }
            open.add_changed(circuit.gate_readers(node).iter().map(|edge| {
                let changed = counts[edge.node()].add(rising != edge.is_negated());
                (edge.node() as u32, changed)
            }));
        }
        open.clear();
    }

    /// Notifies a reader of a change, where there are stages.
    fn notify(&mut self, circuit: &Circuit, edge: Edge, rising: bool) {
        let node = edge.node();
        let more = rising != edge.is_negated();
        let count = &mut self.counts[node];
        let changed = count.add(more);
        if node < circuit.outputs {
            if changed {
                self.output(node);
            }
        } else if circuit.component_of[node] != NO_COMPONENT {
            let changes = &mut self.changes[circuit.component_of[node] as usize];
            if more && changed {
                changes.risen.push(node as u32);
                self.any_changes = true;
            } else if !more && count.published() {
                changes.fallen = true;
                self.any_changes = true;
            }
        } else if changed {
            self.later[circuit.stages[node] as usize].push(node as u32);
        }
    }

    /// Computes the components of a stage, where something they read has changed.
    fn components(&mut self, circuit: &Circuit, stage: usize) {
        for &number in &circuit.components_of_stage[stage] {
            let changes = &mut self.changes[number as usize];
            if std::mem::take(&mut changes.fallen) {
                changes.risen.clear();
                self.begin_again(circuit, number);
            } else if !changes.risen.is_empty() {
                let mut open = std::mem::take(&mut changes.risen);
                self.go_on(circuit, number, &mut open);
                self.changes[number as usize].risen = open;
            }
        }
    }

    /// Finds what else is true in a component, now that these members are: nothing has become
    /// less, so what was true still is.
    fn go_on(&mut self, circuit: &Circuit, number: u32, open: &mut Vec<u32>) {
        while let Some(node) = open.pop() {
            if !self.counts[node as usize].publish() {
                continue;
            }
            for &edge in circuit.readers(node) {
                if circuit.component_of[edge.node()] != number {
                    self.notify(circuit, edge, true);
                } else if self.counts[edge.node()].add(true) {
                    open.push(edge.node() as u32);
                }
            }
        }
    }

    /// Computes the least fixpoint of a component from nothing.
    fn begin_again(&mut self, circuit: &Circuit, number: u32) {
        let members = &circuit.components[number as usize];
        let inside = |edge: &&Edge| circuit.component_of[edge.node()] == number;
        for &node in members {
            if self.counts[node as usize].published() {
                for &edge in circuit.readers(node).iter().filter(inside) {
                    self.counts[edge.node()].add(false);
                }
            }
        }
        // All members are false now; what follows from outside comes in, then more.
        let mut open = std::mem::take(&mut self.changes[number as usize].risen);
        open.extend(members.iter().filter(|&&node| self.counts[node as usize].value()));
        while let Some(node) = open.pop() {
            for &edge in circuit.readers(node).iter().filter(inside) {
                if self.counts[edge.node()].add(true) {
                    open.push(edge.node() as u32);
                }
            }
        }
        self.changes[number as usize].risen = open;
        for &node in members {
            if self.counts[node as usize].publish() {
                let value = self.counts[node as usize].value();
                for &edge in circuit.readers(node).iter().filter(|edge| !inside(edge)) {
                    self.notify(circuit, edge, value);
                }
            }
        }
    }

    /// An output has changed.
    #[inline]
    fn output(&mut self, node: usize) {
        self.outputs[node / WORD] ^= 1 << (node % WORD);
    }

    /// Computes what only goals depend on.
    pub(crate) fn know_goals(&mut self, circuit: &Circuit) {
        if std::mem::replace(&mut self.goals_known, true) {
            return;
        }
        for (place, gate) in circuit.goal_gates.iter().enumerate() {
            let mut operands = gate.operands.iter();
            self.goal_values[place] = match gate.any {
                true => operands.any(|&source| self.read(source)),
                false => operands.all(|&source| self.read(source)),
            };
        }
    }
}

/// Tells, by word of the bits of latches, on which of them a move has its effects; these are in
/// the order of latches, so that each word is changed once.
#[inline]
fn by_word(counts: &[Count], effects: &[LatchEffect], mut apply: impl FnMut(usize, usize)) {
    let Some(first) = effects.first() else { return };
    let (mut word, mut happens) = (first.latch as usize / WORD, 0);
    for &LatchEffect { latch, condition } in effects {
        let (of, bit) = (latch as usize / WORD, latch as usize % WORD);
        if of != word {
            apply(word, happens);
            (word, happens) = (of, 0);
        }
        let is_true = counts[condition.node()].value() != condition.is_negated();
        happens |= usize::from(is_true) << bit;
    }
    apply(word, happens);
}
