//! The net laid out for incremental evaluation.
//!
//! A node is a gate or an output. It counts its true operands, less what it takes to be
//! true, so that it is true just when its count is not negative: an And gate of `n` operands
//! starts at `-n`, an Or gate at `-1`. When a node changes, every reader's count moves by
//! one, in the opposite direction if it reads the complement; nothing else is looked at.
//!
//! The net that is laid out is the one [unrolled](super::unrolled) over the phases of the game. Outputs
//! are nodes of their own, numbered first, so that their values are also kept as bits: for
//! each phase the words with the legality of the moves of each role, then those with `set` and
//! `keep` of each latch, see [`frames`](super::unrolled::frames). A gate that nothing but one output
//! reads is no node: the output counts for it.
//!
//! A gate on which goals alone depend is left out, and computed from its operands when a goal is asked
//! for; so is some of what only [effects](super::unrolled::frames) of moves depend on, when such
//! a move is made.
//!
//! Nodes on a cycle form a *component*, which is computed anew, to its least fixpoint, when
//! something that it reads has changed. Stages order that: a component's stage is one more
//! than the highest among what it reads, and a stage is settled before the next one begins.

use super::count::Count;
use super::unrolled::{Conditions, Effect, Frame, Unrolled};
use crate::net::{Feedback, GateId, Indicator, LatchId, Net, Operation, Signal, Tuning};
use fixedbitset::Block;
use gdlr_engine::engine::MoveId;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::Decisions;
use gdlr_text::graph::Adjacency;

/// How many bits a word of a set has.
pub(super) const WORD: usize = Block::BITS as usize;

/// A node that belongs to no component.
pub(crate) const NO_COMPONENT: u32 = u32::MAX;
/// No node.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// A reader of a node: twice the reader's number, odd if it reads the complement.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge(u32);

impl Edge {
    fn new(node: u32, negated: bool) -> Edge {
        Edge(node << 1 | u32::from(negated))
    }

    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// How to read a signal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Constant(bool),
    /// A node, or its complement.
    Node(u32, bool),
    /// A gate that only goals depend on, by its place in [`Circuit::goal_gates`].
    Goal(u32, bool),
}

/// A gate that only goals depend on.
#[derive(Clone, Debug)]
pub(crate) struct GoalGate {
    pub any: bool,
    pub operands: Box<[Source]>,
}

/// A gate that only the effects of moves depend on, as they are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EffectGate {
    pub node: u32,
    pub any: bool,
}

/// The effect of a move on a latch: its condition, a node or the complement of one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LatchEffect {
    pub latch: u32,
    pub condition: Edge,
}

/// The net, laid out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Circuit {
    /// By node: the outputs that read it, then the gates that do.
    readers: Adjacency<Edge>,
    /// By node: its count when every node is false.
    pub resting: Vec<Count>,
    pub roles: usize,
    pub inputs: usize,
    /// Words of a state.
    pub words: usize,
    pub phases: usize,
    /// The latches that tell phases apart.
    phase_latches: Vec<LatchId>,
    /// By indicator that does so, too: words of a state, with the bits of its latches.
    phase_signs: Vec<Vec<(usize, usize)>>,
    /// By the values of both: the phase.
    phase_table: Vec<u16>,
    /// By role, and one more: where the words of its moves begin.
    pub move_words: Vec<u32>,
    /// By bit of these words: the move.
    pub moves: Vec<MoveId>,
    /// By input: its bit.
    pub move_bits: Vec<u32>,
    /// How many outputs there are.
    pub outputs: usize,
    /// The node of the first latch; the others follow.
    pub first_latch: usize,
    /// By phase and input: its node, if one reads it.
    pub input_nodes: Vec<u32>,
    /// By phase and input: what the choice sets.
    pub sets: Adjacency<LatchEffect>,
    /// By phase and input: what the choice clears.
    pub clears: Adjacency<LatchEffect>,
    /// The gates that only effects depend on.
    pub effect_gates: Vec<EffectGate>,
    /// By place among these: what the gate reads.
    pub effect_operands: Adjacency<Edge>,
    /// By phase and input: the places of gates that its effects depend on, each behind what it reads.
    pub effect_gates_of: Adjacency<u32>,
    /// By node: its stage, when there are components.
    pub stages: Vec<u32>,
    /// By node: its component, when there are components.
    pub component_of: Vec<u32>,
    pub components: Vec<Vec<u32>>,
    pub components_of_stage: Vec<Vec<u32>>,
    pub last_stage: u32,
    /// By phase.
    pub terminal: Vec<Source>,
    pub goal_gates: Vec<GoalGate>,
    /// By goal: what says whether it holds.
    pub goals: Vec<Source>,
}

impl Circuit {
    pub fn new(
        net: &Net,
        tuning: &Tuning,
        meter: &Meter<'_>,
        decisions: &mut Decisions,
    ) -> Result<Circuit, Exhausted> {
        Circuit::of(net, &Unrolled::for_play(net, tuning, meter, decisions)?, meter)
    }

    /// The same of a net that was unrolled before.
    pub(super) fn of(
        net: &Net,
        unrolled: &Unrolled,
        meter: &Meter<'_>,
    ) -> Result<Circuit, Exhausted> {
        CircuitBuilder::new(net, unrolled, meter)?.circuit(meter)
    }

    /// The phase of a state.
    pub fn phase(&self, bits: &[usize]) -> usize {
        let bit = |LatchId(latch)| bits[latch as usize / WORD] >> (latch as usize % WORD) & 1;
        let any = |indicator: &Vec<(usize, usize)>| {
            indicator.iter().any(|&(word, own)| bits[word] & own != 0)
        };
        let indicators = self.phase_signs.iter().rev();
        let key = indicators.fold(0, |key, indicator| key << 1 | usize::from(any(indicator)));
        let key = (self.phase_latches.iter().rev()).fold(key, |key, &latch| key << 1 | bit(latch));
        usize::from(self.phase_table[key])
    }

    /// A reader of a node.
    pub fn readers(&self, node: u32) -> &[Edge] {
        self.readers.range(2 * node as usize, 2 * node as usize + 2)
    }

    /// The outputs that read a node.
    #[inline]
    pub fn output_readers(&self, node: u32) -> &[Edge] {
        self.readers.of(2 * node as usize)
    }

    /// The gates that read a node.
    #[inline]
    pub fn gate_readers(&self, node: u32) -> &[Edge] {
        self.readers.of(2 * node as usize + 1)
    }

    /// The words of outputs of a phase.
    pub fn phase_words(&self) -> usize {
        self.moves.len() / WORD + 2 * self.words
    }
}

/// The words of a state in which latches of an indicator are, with their bits.
fn bits_of(indicator: &Indicator) -> Vec<(usize, usize)> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    for latch in &indicator.latches {
        let (word, bit) = (latch.index() / WORD, 1 << (latch.index() % WORD));
        match words.iter_mut().find(|(known, _)| *known == word) {
            Some((_, bits)) => *bits |= bit,
            None => words.push((word, bit)),
        }
    }
    words
}

/// A node that is an output.
struct Output {
    node: u32,
    operation: Operation,
    operands: Vec<Signal>,
}

/// How much work a gate or wire is in each step of laying them out.
const WORK: usize = 4;

struct CircuitBuilder<'n> {
    /// The net that was unrolled.
    old: &'n Net,
    unrolled: &'n Unrolled,
    net: &'n Net,
    /// By gate: its node, if it is one.
    node: Vec<u32>,
    /// The first node that is computed when a move is made; those before are notified of changes.
    followed: u32,
    /// By gate: its place among the goals' gates.
    goal_place: Vec<u32>,
    feedback: Feedback,
    /// Cycles, as gates.
    cycles: Vec<Vec<GateId>>,
    /// By gate: how many gates and outputs read it; many, if it is on a cycle.
    readers: Vec<u32>,
    outputs: Vec<Output>,
}

impl<'n> CircuitBuilder<'n> {
    fn new(old: &'n Net, unrolled: &'n Unrolled, meter: &Meter<'_>) -> Result<Self, Exhausted> {
        let net = &unrolled.net;
        meter.spend(net.len() + net.wires())?;
        let mut builder = CircuitBuilder {
            old,
            unrolled,
            net,
            node: vec![NO_NODE; net.len()],
            followed: NO_NODE,
            goal_place: vec![NO_NODE; net.len()],
            feedback: Feedback::of(net),
            cycles: Vec::new(),
            readers: vec![0; net.len()],
            outputs: Vec::new(),
        };
        let goals = net.goals.iter().map(|goal| goal.signal);
        let needed = net.reached(unrolled.outputs().chain(goals));
        let Feedback { order, parts, .. } = &builder.feedback;
        let cycles = parts.iter().map(|part| order[part.clone()].to_vec());
        builder.cycles = cycles.filter(|cycle| needed[cycle[0].index()]).collect();
        meter.spend(net.len() + net.wires())?;
        builder.count_readers();
        Ok(builder)
    }

    fn on_cycles(&self) -> impl Iterator<Item = Signal> + '_ {
        self.cycles.iter().flatten().map(|&gate| Signal::of(gate))
    }

    /// The signals that are read other than by nodes.
    fn conditions(&self) -> impl Iterator<Item = Signal> + '_ {
        let frames = self.unrolled.copies.iter().flat_map(|copy| &copy.frames);
        let effects = frames.flat_map(|frame| frame.sets.iter().chain(&frame.clears));
        let terminal = self.unrolled.copies.iter().map(|copy| copy.terminal);
        effects.map(|effect| effect.condition).chain(terminal)
    }

    fn count_readers(&mut self) {
        let net = self.net;
        let needed = net.reached(self.unrolled.outputs().chain(self.on_cycles()));
        for gate in net.computed().filter(|gate| needed[gate.index()]) {
            for operand in net.operands(gate) {
                self.readers[operand.gate().index()] += 1;
            }
        }
        for output in self.unrolled.outputs() {
            self.readers[output.gate().index()] += 1;
        }
        let nodes = self.conditions().chain(self.on_cycles());
        for gate in nodes.map(Signal::gate).collect::<Vec<GateId>>() {
            self.readers[gate.index()] = u32::MAX;
        }
    }

    /// The signals of which this is the And or Or. Gates that nothing else reads are taken
    /// apart.
    fn parts(&self, signal: Signal, operation: Operation) -> Vec<Signal> {
        let (mut open, mut parts) = (vec![signal], Vec::new());
        while let Some(signal) = open.pop() {
            let view = self.net.view(signal, operation);
            match self.readers[signal.gate().index()] {
                1 if view[..] != [signal] => open.extend(view),
                _ => parts.push(signal),
            }
        }
        parts
    }

    fn output(&mut self, node: usize, signal: Signal) {
        let [all, any] = [Operation::And, Operation::Or].map(|kind| self.parts(signal, kind));
        let (operation, operands) =
            if any.len() > 1 { (Operation::Or, any) } else { (Operation::And, all) };
        self.outputs.push(Output { node: node as u32, operation, operands });
    }

    fn make_outputs(&mut self, circuit: &Circuit) {
        for (number, copy) in self.unrolled.copies.iter().enumerate() {
            let legal = WORD * number * circuit.phase_words();
            for (signal, bit) in copy.legal.iter().zip(&circuit.move_bits) {
                self.output(legal + *bit as usize, *signal);
            }
            let set = legal + circuit.moves.len();
            for (latch, frame) in copy.frames.iter().enumerate() {
                self.output(set + latch, frame.set);
                self.output(set + WORD * circuit.words + latch, frame.keep);
            }
        }
    }

    /// The words of legal moves.
    fn lay_out_moves(&self, circuit: &mut Circuit) {
        circuit.move_bits = vec![0; self.old.inputs.len()];
        for role in 0..self.old.roles {
            circuit.move_words.push((circuit.moves.len() / WORD) as u32);
            for (number, input) in self.old.inputs.iter().enumerate() {
                if input.role.0 == role {
                    circuit.move_bits[number] = circuit.moves.len() as u32;
                    circuit.moves.push(MoveId(number as u32));
                }
            }
            circuit.moves.resize(circuit.moves.len().next_multiple_of(WORD), MoveId(0));
        }
        circuit.move_words.push((circuit.moves.len() / WORD) as u32);
    }

    fn effects(&self, of: impl Fn(&Frame) -> &[Effect]) -> Adjacency<LatchEffect> {
        let mut effects = Vec::new();
        for frames in self.unrolled.copies.iter().map(|copy| &copy.frames) {
            for (latch, frame) in frames.iter().enumerate() {
                effects.extend(of(frame).iter().map(|effect| {
                    let condition = self.edge(effect.condition);
                    (effect.input.0, LatchEffect { latch: latch as u32, condition })
                }));
            }
        }
        Adjacency::new(self.net.inputs.len(), || effects.iter().copied())
    }

    /// How what is computed when a move is made reads a signal.
    fn edge(&self, signal: Signal) -> Edge {
        Edge::new(self.node[signal.gate().index()], signal.is_negated())
    }

    fn source(&self, signal: Signal) -> Source {
        if signal.is_constant() {
            return Source::Constant(!signal.is_negated());
        }
        let gate = signal.gate().index();
        match self.node[gate] {
            node if node < self.followed => Source::Node(node, signal.is_negated()),
            _ => Source::Goal(self.goal_place[gate], signal.is_negated()),
        }
    }

    fn circuit(mut self, meter: &Meter<'_>) -> Result<Circuit, Exhausted> {
        let work = WORK * (self.net.len() + self.net.wires());
        meter.spend(work)?;
        let net = self.net;
        let mut circuit = Circuit {
            roles: usize::from(net.roles),
            inputs: self.old.inputs.len(),
            words: net.latches.len().div_ceil(WORD),
            phases: self.unrolled.copies.len(),
            phase_latches: self.unrolled.phases.latches.clone(),
            phase_signs: self.unrolled.phases.indicators.iter().map(bits_of).collect(),
            phase_table: self.unrolled.table.clone(),
            ..Circuit::default()
        };
        self.lay_out_moves(&mut circuit);
        circuit.outputs = WORD * circuit.phases * circuit.phase_words();
        circuit.first_latch = circuit.outputs + 1;
        self.make_outputs(&circuit);
        meter.spend(work)?;

        let operands = self.outputs.iter().flat_map(|output| output.operands.iter().copied());
        // Cycles are evaluated in play, even if only goals depend on them.
        let mut played = net.reached(operands.chain(self.conditions()).chain(self.on_cycles()));
        let order = self.feedback.order.iter().copied();
        let on_demand: Vec<GateId> = order
            .filter(|&gate| played[gate.index()] && self.unrolled.is_on_demand(gate))
            .collect();
        on_demand.iter().for_each(|gate| played[gate.index()] = false);
        let scored = net.reached(net.goals.iter().map(|goal| goal.signal));
        let mut nodes = circuit.outputs as u32;
        for (gate, node) in self.node.iter_mut().enumerate() {
            if gate <= net.latches.len() || played[gate] {
                *node = nodes;
                nodes += 1;
            }
        }
        self.followed = nodes;
        for gate in &on_demand {
            self.node[gate.index()] = nodes;
            nodes += 1;
        }
        circuit.input_nodes = net.inputs.iter().map(|i| self.node[i.gate.index()]).collect();
        circuit.sets = self.effects(|frame| &frame.sets);
        circuit.clears = self.effects(|frame| &frame.clears);
        for &gate in &self.feedback.order {
            if scored[gate.index()] && !played[gate.index()] {
                self.goal_place[gate.index()] = circuit.goal_gates.len() as u32;
                let operands = net.operands(gate).iter().map(|&s| self.source(s)).collect();
                let any = net.operation(gate) == Operation::Or;
                circuit.goal_gates.push(GoalGate { any, operands });
            }
        }
        circuit.goals = net.goals.iter().map(|goal| self.source(goal.signal)).collect();
        let terminal = self.unrolled.copies.iter().map(|copy| self.source(copy.terminal));
        circuit.terminal = terminal.collect();
        meter.spend(work)?;
        self.lay_out_effects(&mut circuit, &on_demand, meter)?;
        self.wires(&mut circuit, nodes as usize);
        meter.spend(work)?;
        self.stages(&mut circuit, self.followed as usize);
        Ok(circuit)
    }

    /// The gates that are computed when a move is made, for its effects.
    fn lay_out_effects(
        &self,
        circuit: &mut Circuit,
        on_demand: &[GateId],
        meter: &Meter<'_>,
    ) -> Result<(), Exhausted> {
        let net = self.net;
        circuit.effect_gates = (on_demand.iter())
            .map(|&gate| EffectGate {
                node: self.node[gate.index()],
                any: net.operation(gate) == Operation::Or,
            })
            .collect();
        let operands = on_demand.iter().enumerate();
        let operands = operands.flat_map(|(place, &gate)| {
            net.operands(gate).iter().map(move |operand| (place as u32, self.edge(*operand)))
        });
        circuit.effect_operands = Adjacency::new(on_demand.len(), || operands.clone());
        let mut conditions = Conditions::of(self.unrolled);
        let mut lists: Vec<(u32, u32)> = Vec::new();
        let is_on_demand = |gate| self.unrolled.is_on_demand(gate);
        for input in 0..net.inputs.len() as u32 {
            let start = lists.len();
            conditions.visit(self.unrolled, input, is_on_demand, |gate| {
                lists.push((input, self.node[gate.index()] - self.followed));
            });
            lists[start..].sort_unstable();
            meter.spend(1 + lists.len() - start)?;
        }
        circuit.effect_gates_of = Adjacency::new(net.inputs.len(), || lists.iter().copied());
        Ok(())
    }

    /// Every node that is notified of changes, with its operands, outputs included.
    fn for_each_node(&self, mut visit: impl FnMut(u32, Operation, &[Signal])) {
        for output in &self.outputs {
            visit(output.node, output.operation, &output.operands);
        }
        for gate in (0..self.net.len() as u32).map(GateId) {
            let node = self.node[gate.index()];
            if node < self.followed {
                visit(node, self.net.operation(gate), self.net.operands(gate));
            }
        }
    }

    fn wires(&self, circuit: &mut Circuit, nodes: usize) {
        let mut edges = Vec::new();
        let mut resting = vec![Count::new(-1); nodes];
        self.for_each_node(|node, operation, operands| {
            let mut count = match operation {
                Operation::And | Operation::True => -(operands.len() as i32),
                _ => -1,
            };
            for signal in operands {
                match self.source(*signal) {
                    Source::Constant(value) => count += i32::from(value),
                    Source::Node(operand, negated) => {
                        let list = 2 * operand + u32::from(node as usize >= circuit.outputs);
                        edges.push((list, Edge::new(node, negated)));
                        count += i32::from(negated);
                    }
                    Source::Goal(..) => unreachable!("play depends on no goal"),
                }
            }
            resting[node as usize] = Count::new(count);
        });
        circuit.readers = Adjacency::new(2 * nodes, || edges.iter().copied());
        circuit.resting = resting;
    }

    fn stages(&self, circuit: &mut Circuit, nodes: usize) {
        if self.cycles.is_empty() {
            return;
        }
        let net = self.net;
        let mut component_of_gate = vec![NO_COMPONENT; net.len()];
        for (number, cycle) in self.cycles.iter().enumerate() {
            cycle.iter().for_each(|gate| component_of_gate[gate.index()] = number as u32);
        }
        let mut stage_of_gate = vec![0u32; net.len()];
        let mut component = Vec::new();
        for (place, &gate) in self.feedback.order.iter().enumerate() {
            let number = component_of_gate[gate.index()];
            component.push(gate);
            let next = self.feedback.order.get(place + 1);
            if number != NO_COMPONENT
                && next.is_some_and(|next| component_of_gate[next.index()] == number)
            {
                continue;
            }
            let operands = component.iter().flat_map(|&gate| net.operands(gate));
            let highest = operands.map(|operand| stage_of_gate[operand.gate().index()]).max();
            let stage = highest.unwrap_or(0) + u32::from(number != NO_COMPONENT);
            component.drain(..).for_each(|gate| stage_of_gate[gate.index()] = stage);
        }
        circuit.last_stage = stage_of_gate.iter().copied().max().unwrap_or(0);
        circuit.stages = vec![circuit.last_stage; nodes];
        circuit.component_of = vec![NO_COMPONENT; nodes];
        for gate in 0..net.len() {
            if (self.node[gate] as usize) < nodes {
                circuit.stages[self.node[gate] as usize] = stage_of_gate[gate];
                circuit.component_of[self.node[gate] as usize] = component_of_gate[gate];
            }
        }
        circuit.components = (self.cycles.iter())
            .map(|cycle| cycle.iter().map(|gate| self.node[gate.index()]).collect())
            .collect();
        circuit.components_of_stage = vec![Vec::new(); circuit.last_stage as usize + 1];
        for (number, cycle) in self.cycles.iter().enumerate() {
            let stage = stage_of_gate[cycle[0].index()] as usize;
            circuit.components_of_stage[stage].push(number as u32);
        }
    }
}
