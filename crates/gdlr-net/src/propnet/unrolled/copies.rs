//! The copier: gates of one net written into another, each gate that does the same once only.

use crate::net::structural_hash::StructuralHash;
use crate::net::{Goal, Net, Operation, Signal, simplify};
use hashbrown::HashSet;

/// The bounds within which a net is taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The most effects on a latch, more or less.
    pub effects_of_latch: usize,
    /// How much larger than the net the lists of effects may be.
    pub effects_of_wire: usize,
}

impl Bounds {
    /// For play, where what many latches depend on is better computed once.
    pub const PLAY: Bounds = Bounds { effects_of_latch: 1 << 10, effects_of_wire: 4 };
    /// For automata, where each move is to do what it does by itself.
    pub const AUTOMATON: Bounds = Bounds { effects_of_latch: usize::MAX, effects_of_wire: 16 };
}

/// Makes the copies.
pub(super) struct Copies<'n> {
    pub old: &'n Net,
    pub net: Net,
    /// By gate of the new net: whether it depends on moves.
    pub of_moves: Vec<bool>,
    /// By gate of the new net: how many gates and successors of latches read it.
    pub readers: Vec<u32>,
    /// By gate of the new net, for moves, Ors of moves and their complements: whether it is the
    /// complement.
    pub choices: Vec<Option<bool>>,
    pub bounds: Bounds,
    /// Of signals of latches: what implies what.
    pub implications: HashSet<(Signal, Signal)>,
    /// How many more effects this copy may have.
    pub effects_left: usize,
    /// By gate of the old net: what stands for it in the copy in hand.
    pub map: Vec<Signal>,
    hash: StructuralHash,
}

impl<'n> Copies<'n> {
    /// A net of latches and inputs.
    pub fn new(old: &'n Net, phases: usize, bounds: Bounds) -> Self {
        let mut net = Net::new(old.latches.len(), old.inputs.len() * phases, old.roles);
        let mut map = vec![Signal::FALSE; old.len()];
        map[0] = Signal::TRUE;
        for (latch, made) in old.latches.iter().zip(&mut net.latches) {
            map[latch.gate.index()] = Signal::of(made.gate);
            made.initial = latch.initial;
        }
        let mut of_moves = vec![false; net.len()];
        of_moves[1 + net.latches.len()..].fill(true);
        let mut choices = vec![None; net.len()];
        choices[1 + net.latches.len()..].fill(Some(false));
        Copies {
            old,
            of_moves,
            choices,
            readers: vec![0; net.len()],
            bounds,
            implications: implications(old),
            effects_left: 0,
            net,
            map,
            hash: StructuralHash::default(),
        }
    }

    /// Copies what depends on the state only. No move is made in it.
    pub fn copy_shared(&mut self, of_state: &[bool]) {
        self.copy(of_state, false);
        let goals = self.old.goals.iter();
        let goal = |goal: &Goal| Goal { signal: self.mapped(goal.signal), ..goal.clone() };
        self.net.goals = goals.map(goal).collect();
        self.net.terminal = self.mapped(self.old.terminal);
    }

    pub fn mapped(&self, old: Signal) -> Signal {
        self.map[old.gate().index()].negated_if(old.is_negated())
    }

    /// Copies gates, which all depend on moves, or none does.
    pub fn copy(&mut self, which: &[bool], of_moves: bool) {
        let old = self.old;
        let gates = || old.computed().filter(|gate| which[gate.index()]);
        for knot in gates().filter(|&gate| old.is_knot(gate)) {
            self.map[knot.index()] = self.net.knot();
            self.of_moves.push(of_moves);
            self.choices.push(None);
            self.readers.push(0);
        }
        let mut operands = Vec::new();
        for gate in gates() {
            operands.clear();
            operands.extend(old.operands(gate).iter().map(|&operand| self.mapped(operand)));
            if !old.is_knot(gate) {
                self.map[gate.index()] = self.gate(old.operation(gate), &mut operands);
            }
        }
        for knot in gates().filter(|&gate| old.is_knot(gate)) {
            operands.clear();
            operands.extend(old.operands(knot).iter().map(|&operand| self.mapped(operand)));
            self.net.tie(self.map[knot.index()], &operands);
        }
    }

    /// A gate with these operands, or what does the same.
    pub fn gate(&mut self, operation: Operation, operands: &mut Vec<Signal>) -> Signal {
        if let Some(signal) = simplify(operation, operands) {
            return signal;
        }
        let Copies { net, of_moves, choices, readers, hash, .. } = self;
        let (signal, is_new) = hash.gate(net, operation, operands);
        if !is_new {
            return signal;
        }
        operands.iter().for_each(|operand| readers[operand.gate().index()] += 1);
        readers.push(0);
        let negated = operation == Operation::And;
        let is_move = |operand: &Signal| {
            matches!(net.operation(operand.gate()), Operation::Input(_))
                && operand.is_negated() == negated
        };
        choices.push(operands.iter().all(is_move).then_some(negated));
        of_moves.push(operands.iter().any(|operand| of_moves[operand.gate().index()]));
        signal
    }
}

/// The signals of latches that a signal of a latch implies to be true, as pairs of both: of the
/// former, groups have the complement.
fn implications(net: &Net) -> HashSet<(Signal, Signal)> {
    let of_group = |group: &[Signal]| -> Vec<(Signal, Signal)> {
        let implied = group.iter().filter(|member| member.is_negated());
        let pairs = implied.flat_map(|&implied| group.iter().map(move |&by| (by, !implied)));
        pairs.filter(|(by, implied)| *by != !*implied).collect()
    };
    net.exclusive.iter().flat_map(|group| of_group(group)).collect()
}
