//! The net laid out for incremental evaluation.
//!
//! A node is a gate or an output. It counts its true operands, less what it takes to be
//! true, so that it is true just when its count is not negative: an And gate of `n` operands
//! starts at `-n`, an Or gate at `-1`. When a node changes, every reader's count moves by
//! one, in the opposite direction if it reads the complement; nothing else is looked at.
//!
//! Outputs are nodes of their own, numbered first: the legality of each input, then the
//! successor of each latch. What only goals depend on is left out, and computed from its
//! operands when a goal is asked for.
//!
//! Nodes on a cycle form a *component*, which is computed anew, to its least fixpoint, when
//! something that it reads has changed. Stages order that: a component's stage is one more
//! than the highest among what it reads, and a stage is settled before the next one begins.

use super::net::{GateId, Net, Operation, Signal};
use crate::gdl::strongly_connected;

/// A node that belongs to no component.
pub(super) const NO_COMPONENT: u32 = u32::MAX;

/// A reader of a node: twice the reader's number, odd if it reads the complement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge(u32);

impl Edge {
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// How to read a signal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Constant(bool),
    /// A node, or its complement.
    Node(u32, bool),
    /// A gate that only goals depend on, by its place in [`Circuit::goal_gates`].
    Goal(u32, bool),
}

/// A gate that only goals depend on.
#[derive(Clone, Debug)]
pub(super) struct GoalGate {
    pub any: bool,
    pub operands: Box<[Source]>,
}

/// The net, laid out.
#[derive(Clone, Debug, Default)]
pub(super) struct Circuit {
    /// By node and one more: where its readers begin.
    pub starts: Vec<u32>,
    pub edges: Vec<Edge>,
    /// By node: its count when every node is false.
    pub resting: Vec<i32>,
    pub inputs: usize,
    /// Outputs: legality of inputs, then successors of latches.
    pub outputs: usize,
    /// By latch: its node.
    pub latch_nodes: Vec<u32>,
    /// By input: its node.
    pub input_nodes: Vec<u32>,
    /// By node: its stage, when there are components.
    pub stages: Vec<u32>,
    /// By node: its component, when there are components.
    pub component_of: Vec<u32>,
    pub components: Vec<Vec<u32>>,
    pub last_stage: u32,
    pub terminal: Option<Source>,
    pub goal_gates: Vec<GoalGate>,
    /// By goal: what says whether it holds.
    pub goals: Vec<Source>,
}

impl Circuit {
    pub fn new(net: &Net) -> Circuit {
        Layout::new(net).circuit()
    }

    pub fn readers(&self, node: usize) -> &[Edge] {
        &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

const ABSENT: u32 = u32::MAX;

struct Layout<'n> {
    net: &'n Net,
    /// By gate: its node, if it is evaluated incrementally.
    node: Vec<u32>,
    /// By gate: its place among the goals' gates.
    goal_place: Vec<u32>,
    /// Cycles, as gates.
    cycles: Vec<Vec<u32>>,
}

impl<'n> Layout<'n> {
    fn new(net: &'n Net) -> Self {
        let cycles = cycles(net);
        Layout { net, node: vec![ABSENT; net.len()], goal_place: vec![ABSENT; net.len()], cycles }
    }

    /// Marks what the signals depend on.
    fn reach(&self, from: impl Iterator<Item = Signal>, marked: &mut [bool]) {
        let mut open: Vec<GateId> = from.map(Signal::gate).collect();
        while let Some(gate) = open.pop() {
            if !std::mem::replace(&mut marked[gate.index()], true) {
                open.extend(self.net.operands(gate).iter().map(|s| s.gate()));
            }
        }
    }

    fn source(&self, signal: Signal) -> Source {
        if signal.is_constant() {
            return Source::Constant(!signal.is_negated());
        }
        let gate = signal.gate().index();
        match self.node[gate] {
            ABSENT => Source::Goal(self.goal_place[gate], signal.is_negated()),
            node => Source::Node(node, signal.is_negated()),
        }
    }

    fn circuit(mut self) -> Circuit {
        let net = self.net;
        let mut played = vec![false; net.len()];
        let latches = net.latches.iter();
        let played_outputs =
            latches.map(|l| l.next).chain(net.inputs.iter().map(|i| i.legal)).chain([net.terminal]);
        // Cycles are evaluated in play, even if only goals depend on them.
        let on_cycles = self.cycles.iter().flatten().map(|&gate| Signal::of(GateId(gate)));
        self.reach(played_outputs.chain(on_cycles), &mut played);
        let mut scored = vec![false; net.len()];
        self.reach(net.goals.iter().map(|goal| goal.signal), &mut scored);

        let outputs = net.inputs.len() + net.latches.len();
        let mut nodes = outputs as u32;
        let fixed = net.latches.len() + net.inputs.len() + 1;
        for (gate, node) in self.node.iter_mut().enumerate().skip(1) {
            if gate < fixed || played[gate] {
                *node = nodes;
                nodes += 1;
            }
        }
        let mut circuit = Circuit {
            inputs: net.inputs.len(),
            outputs,
            latch_nodes: net.latches.iter().map(|l| self.node[l.gate.index()]).collect(),
            input_nodes: net.inputs.iter().map(|i| self.node[i.gate.index()]).collect(),
            ..Circuit::default()
        };
        for gate in net.computed() {
            if scored[gate.index()] && !played[gate.index()] {
                self.goal_place[gate.index()] = circuit.goal_gates.len() as u32;
                let operands = net.operands(gate).iter().map(|&s| self.source(s)).collect();
                let any = net.operation(gate) == Operation::Or;
                circuit.goal_gates.push(GoalGate { any, operands });
            }
        }
        circuit.goals = net.goals.iter().map(|goal| self.source(goal.signal)).collect();
        circuit.terminal = Some(self.source(net.terminal));
        self.wires(&mut circuit, nodes as usize);
        self.stages(&mut circuit, nodes as usize);
        circuit
    }

    /// Every node with its operands, outputs included.
    fn for_each_node(&self, mut visit: impl FnMut(u32, Operation, &[Signal])) {
        let net = self.net;
        let legal = net.inputs.iter().map(|input| input.legal);
        let next = net.latches.iter().map(|latch| latch.next);
        for (node, signal) in legal.chain(next).enumerate() {
            visit(node as u32, Operation::And, &[signal]);
        }
        for gate in 1..net.len() as u32 {
            let node = self.node[gate as usize];
            if node != ABSENT {
                visit(node, net.operation(GateId(gate)), net.operands(GateId(gate)));
            }
        }
    }

    fn wires(&self, circuit: &mut Circuit, nodes: usize) {
        let mut starts = vec![0u32; nodes + 1];
        let mut resting = vec![0i32; nodes];
        self.for_each_node(|node, operation, operands| {
            let mut count = match operation {
                Operation::And => -(operands.len() as i32),
                _ => -1,
            };
            for signal in operands {
                match self.source(*signal) {
                    Source::Constant(value) => count += i32::from(value),
                    Source::Node(operand, negated) => {
                        starts[operand as usize + 1] += 1;
                        count += i32::from(negated);
                    }
                    Source::Goal(..) => unreachable!("play depends on no goal"),
                }
            }
            resting[node as usize] = count;
        });
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut fill = starts.clone();
        let mut edges = vec![Edge(0); starts[nodes] as usize];
        self.for_each_node(|node, _, operands| {
            for signal in operands {
                if let Source::Node(operand, negated) = self.source(*signal) {
                    let slot = &mut fill[operand as usize];
                    edges[*slot as usize] = Edge(node << 1 | u32::from(negated));
                    *slot += 1;
                }
            }
        });
        (circuit.starts, circuit.edges, circuit.resting) = (starts, edges, resting);
    }

    fn stages(&self, circuit: &mut Circuit, nodes: usize) {
        if self.cycles.is_empty() {
            return;
        }
        let net = self.net;
        let mut component_of_gate = vec![NO_COMPONENT; net.len()];
        for (number, cycle) in self.cycles.iter().enumerate() {
            cycle.iter().for_each(|&gate| component_of_gate[gate as usize] = number as u32);
        }
        let mut stage_of_component = vec![0u32; self.cycles.len()];
        let mut stage_of_gate = vec![0u32; net.len()];
        for component in order(net) {
            let number = component_of_gate[component[0] as usize];
            let mut stage = 0;
            for &gate in &component {
                for operand in net.operands(GateId(gate)) {
                    let operand = operand.gate().index();
                    if number == NO_COMPONENT || component_of_gate[operand] != number {
                        stage = stage.max(stage_of_gate[operand]);
                    }
                }
            }
            if number != NO_COMPONENT {
                stage += 1;
                stage_of_component[number as usize] = stage;
            }
            component.iter().for_each(|&gate| stage_of_gate[gate as usize] = stage);
        }
        circuit.last_stage = stage_of_gate.iter().copied().max().unwrap_or(0);
        circuit.stages = vec![circuit.last_stage; nodes];
        circuit.component_of = vec![NO_COMPONENT; nodes];
        for gate in 0..net.len() {
            if self.node[gate] != ABSENT {
                circuit.stages[self.node[gate] as usize] = stage_of_gate[gate];
                circuit.component_of[self.node[gate] as usize] = component_of_gate[gate];
            }
        }
        circuit.components = (self.cycles.iter())
            .map(|cycle| cycle.iter().map(|&gate| self.node[gate as usize]).collect())
            .collect();
    }
}

/// The gates, each component after what it reads.
fn order(net: &Net) -> Vec<Vec<u32>> {
    let operands: Vec<Vec<u32>> = (0..net.len() as u32)
        .map(|gate| net.operands(GateId(gate)).iter().map(|s| s.gate().0).collect())
        .collect();
    strongly_connected(&operands)
}

/// The cycles of a net, as sets of gates.
fn cycles(net: &Net) -> Vec<Vec<u32>> {
    if !net.computed().any(|gate| net.is_knot(gate)) {
        return Vec::new();
    }
    let on_itself = |gate: u32| net.operands(GateId(gate)).iter().any(|s| s.gate().0 == gate);
    order(net).into_iter().filter(|c| c.len() > 1 || on_itself(c[0])).collect()
}
