//! Working memory of the engine: counts, and how a change runs through them.

use super::circuit::{Circuit, Edge, NO_COMPONENT, Source};
use crate::engine::MoveId;

/// A position that is in no list.
const NOWHERE: u32 = u32::MAX;

/// The legal moves of a role, as a set that is maintained.
#[derive(Clone, Debug, Default)]
pub(super) struct LegalMoves {
    pub moves: Vec<MoveId>,
    pub inputs: Vec<u32>,
}

/// What is fixed about an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputMove {
    pub role: u16,
    pub term: MoveId,
}

/// Working memory of the engine `propnet`; speaks of one state.
#[derive(Clone, Debug)]
pub struct Scratch {
    counts: Vec<i32>,
    /// The bits of the state, one a latch.
    pub(super) bits: Vec<u64>,
    /// The bits of the next state, for the inputs that are set.
    next: Vec<u64>,
    /// By role.
    pub(super) legal: Vec<LegalMoves>,
    /// By input: its place among the legal moves of its role.
    places: Vec<u32>,
    /// By role: the input that is set.
    chosen: Vec<u32>,
    /// By role: the input to be set.
    pub(super) joint: Vec<u32>,
    /// Changes still to be told to readers: twice the node, odd if it became true.
    open: Vec<u32>,
    /// Likewise for later stages.
    later: Vec<Vec<u32>>,
    /// By component: whether it must be computed anew.
    dirty: Vec<bool>,
    any_dirty: bool,
    /// By node of a component: its value, as its readers know it.
    settled: Vec<bool>,
    goal_values: Vec<bool>,
    goals_known: bool,
}

impl Scratch {
    /// Memory in which every latch and input is false.
    pub(super) fn new(circuit: &Circuit, inputs: &[InputMove], roles: usize) -> Scratch {
        let words = circuit.latch_nodes.len().div_ceil(64);
        let mut scratch = Scratch {
            counts: circuit.resting.clone(),
            bits: vec![0; words],
            next: vec![0; words],
            legal: vec![LegalMoves::default(); roles],
            places: vec![NOWHERE; circuit.inputs],
            chosen: vec![NOWHERE; roles],
            joint: vec![NOWHERE; roles],
            open: Vec::new(),
            later: vec![Vec::new(); circuit.last_stage as usize + 1],
            dirty: vec![true; circuit.components.len()],
            any_dirty: !circuit.components.is_empty(),
            settled: vec![
                false;
                if circuit.components.is_empty() { 0 } else { circuit.resting.len() }
            ],
            goal_values: vec![false; circuit.goal_gates.len()],
            goals_known: false,
        };
        let fixed = circuit.outputs + circuit.latch_nodes.len() + circuit.input_nodes.len();
        for node in 0..circuit.resting.len() {
            if (circuit.outputs..fixed).contains(&node) || scratch.counts[node] < 0 {
                continue;
            }
            if node < circuit.outputs {
                scratch.output(circuit, inputs, node, true);
            } else if circuit.stages.is_empty() {
                scratch.open.push((node as u32) << 1 | 1);
            } else if circuit.component_of[node] == NO_COMPONENT {
                scratch.later[circuit.stages[node] as usize].push((node as u32) << 1 | 1);
            }
        }
        scratch.settle(circuit, inputs);
        scratch
    }

    /// The value of a signal that does not belong to goals.
    pub(super) fn read(&self, source: Source) -> bool {
        match source {
            Source::Constant(value) => value,
            Source::Node(node, negated) => (self.counts[node as usize] >= 0) != negated,
            Source::Goal(place, negated) => self.goal_values[place as usize] != negated,
        }
    }

    /// Whether an input is legal.
    pub(super) fn is_legal(&self, input: u32) -> bool {
        self.places[input as usize] != NOWHERE
    }

    /// Makes the scratch speak of the state with these bits.
    pub(super) fn enter(&mut self, circuit: &Circuit, inputs: &[InputMove], bits: &[u64]) {
        for (word, &bits) in bits.iter().enumerate() {
            self.flip(circuit, word, bits);
        }
        self.settle(circuit, inputs);
    }

    /// Changes a word of the state.
    fn flip(&mut self, circuit: &Circuit, word: usize, bits: u64) {
        let mut changed = self.bits[word] ^ bits;
        self.bits[word] = bits;
        while changed != 0 {
            let bit = changed.trailing_zeros();
            changed &= changed - 1;
            let node = circuit.latch_nodes[word * 64 + bit as usize];
            self.set(circuit, node, bits >> bit & 1 == 1);
        }
    }

    /// Sets a latch or an input.
    fn set(&mut self, circuit: &Circuit, node: u32, value: bool) {
        self.counts[node as usize] = i32::from(value) - 1;
        let change = node << 1 | u32::from(value);
        match circuit.stages.is_empty() {
            true => self.open.push(change),
            false => self.later[0].push(change),
        }
    }

    /// Plays the joint move, one input a role, all of them legal.
    pub(super) fn step(&mut self, circuit: &Circuit, inputs: &[InputMove]) {
        for role in 0..self.joint.len() {
            let input = self.joint[role];
            let before = std::mem::replace(&mut self.chosen[role], input);
            if before != input {
                if before != NOWHERE {
                    self.set(circuit, circuit.input_nodes[before as usize], false);
                }
                self.set(circuit, circuit.input_nodes[input as usize], true);
            }
        }
        self.settle(circuit, inputs);
        for word in 0..self.bits.len() {
            self.flip(circuit, word, self.next[word]);
        }
        self.settle(circuit, inputs);
    }

    /// Tells all readers of all changes, until nothing changes any more.
    fn settle(&mut self, circuit: &Circuit, inputs: &[InputMove]) {
        self.goals_known = false;
        if circuit.stages.is_empty() {
            while let Some(change) = self.open.pop() {
                let rising = change & 1 == 1;
                for &edge in circuit.readers((change >> 1) as usize) {
                    if let Some(value) = self.count(edge, rising) {
                        let node = edge.node();
                        if node < circuit.outputs {
                            self.output(circuit, inputs, node, value);
                        } else {
                            self.open.push((node as u32) << 1 | u32::from(value));
                        }
                    }
                }
            }
        } else {
            for stage in 0..=circuit.last_stage as usize {
                if self.any_dirty {
                    self.components(circuit, inputs, stage);
                }
                while let Some(change) = self.later[stage].pop() {
                    for &edge in circuit.readers((change >> 1) as usize) {
                        self.tell(circuit, inputs, edge, change & 1 == 1);
                    }
                }
            }
            self.any_dirty = false;
        }
    }

    /// Moves a reader's count; its new value, if that changes it.
    #[inline]
    fn count(&mut self, edge: Edge, rising: bool) -> Option<bool> {
        let count = &mut self.counts[edge.node()];
        if rising != edge.is_negated() {
            *count += 1;
            (*count == 0).then_some(true)
        } else {
            *count -= 1;
            (*count == -1).then_some(false)
        }
    }

    /// Tells a reader of a change, where there are stages.
    fn tell(&mut self, circuit: &Circuit, inputs: &[InputMove], edge: Edge, rising: bool) {
        let node = edge.node();
        let changed = self.count(edge, rising);
        if node < circuit.outputs {
            if let Some(value) = changed {
                self.output(circuit, inputs, node, value);
            }
        } else if circuit.component_of[node] != NO_COMPONENT {
            self.dirty[circuit.component_of[node] as usize] = true;
            self.any_dirty = true;
        } else if let Some(value) = changed {
            let stage = circuit.stages[node] as usize;
            self.later[stage].push((node as u32) << 1 | u32::from(value));
        }
    }

    /// Computes the components of a stage anew, where something they read has changed.
    fn components(&mut self, circuit: &Circuit, inputs: &[InputMove], stage: usize) {
        for (number, members) in circuit.components.iter().enumerate() {
            if circuit.stages[members[0] as usize] as usize != stage
                || !std::mem::replace(&mut self.dirty[number], false)
            {
                continue;
            }
            let inside = |edge: &&Edge| circuit.component_of[edge.node()] == number as u32;
            for &node in members {
                if self.settled[node as usize] {
                    for &edge in circuit.readers(node as usize).iter().filter(inside) {
                        self.count(edge, false);
                    }
                }
            }
            // All members are false now; what follows from outside comes in, then more.
            let mut open = std::mem::take(&mut self.open);
            open.extend(members.iter().filter(|&&node| self.counts[node as usize] >= 0));
            while let Some(node) = open.pop() {
                for &edge in circuit.readers(node as usize).iter().filter(inside) {
                    if self.count(edge, true) == Some(true) {
                        open.push(edge.node() as u32);
                    }
                }
            }
            self.open = open;
            for &node in members {
                let value = self.counts[node as usize] >= 0;
                if std::mem::replace(&mut self.settled[node as usize], value) != value {
                    for edge in circuit.readers(node as usize) {
                        if !inside(&edge) {
                            self.tell(circuit, inputs, *edge, value);
                        }
                    }
                }
            }
        }
    }

    /// An output has changed.
    #[inline]
    fn output(&mut self, circuit: &Circuit, inputs: &[InputMove], node: usize, value: bool) {
        if node >= circuit.inputs {
            let latch = node - circuit.inputs;
            self.next[latch / 64] ^= 1 << (latch % 64);
            return;
        }
        let InputMove { role, term } = inputs[node];
        let list = &mut self.legal[usize::from(role)];
        if value {
            self.places[node] = list.moves.len() as u32;
            list.moves.push(term);
            list.inputs.push(node as u32);
        } else {
            let place = std::mem::replace(&mut self.places[node], NOWHERE) as usize;
            list.moves.swap_remove(place);
            list.inputs.swap_remove(place);
            if let Some(&moved) = list.inputs.get(place) {
                self.places[moved as usize] = place as u32;
            }
        }
    }

    /// Computes what only goals depend on.
    pub(super) fn know_goals(&mut self, circuit: &Circuit) {
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
