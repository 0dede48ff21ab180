//! Fusion, a part of technology mapping: the last function of a gate and the first function of its only reader become one
//! function of three slots.
//!
//! ```text
//! g = a and b     h = g or c or d      becomes      h = (a and b) or c       h = h or d
//! ```
//!
//! A gate of many operands is a chain of functions of three slots: each has the value so far and two operands. A gate with an
//! even number of operands ends in a function of two slots. The third slot can be the value so far of the reader. The two gates
//! are fused if no other gate reads the first one, and if its slots still have their values where the reader is computed.

use super::lut3::{Gate, Lut3, all_of, gates_of};
use crate::program::{Program, Slot};
use gdlr_net::net::Operation;

/// No gate.
const NONE: u32 = u32::MAX;

/// Two slots, or their complements.
type Pair = [(Slot, bool); 2];

/// The gates of a program, with the fusions among them.
pub(super) struct Fused {
    gates: Vec<Gate>,
    /// By block: its first gate; then how many there are.
    starts: Vec<usize>,
    /// By gate and operand: the last function of the gate that the operand is, if the two are fused.
    pairs: Vec<Vec<Option<(Operation, Pair)>>>,
    /// By gate: whether its reader computes its last function.
    is_fused: Vec<bool>,
}

/// How gates are read and written.
struct Uses {
    /// By gate: of each operand, the gate that wrote it.
    sources: Vec<Vec<u32>>,
    /// By gate: how often its value is read; reads by others than gates of its block count twice.
    reads: Vec<u32>,
    /// By slot: the gates that write it, in order.
    writes: Vec<Vec<u32>>,
}

impl Uses {
    /// Of a program after which `outputs` are read.
    fn of(program: &Program, gates: &[Gate], starts: &[usize], outputs: &[Slot]) -> Uses {
        let size = outputs.iter().map(|&slot| slot as usize + 1).fold(program.size(), usize::max);
        let mut uses = Uses {
            sources: Vec::with_capacity(gates.len()),
            reads: vec![0; gates.len()],
            writes: vec![Vec::new(); size],
        };
        let mut written = vec![NONE; size];
        let mut read = |gate: u32, times: u32| {
            if let Some(reads) = uses.reads.get_mut(gate as usize) {
                *reads += times;
            }
        };
        for (block, range) in program.blocks().iter().zip(starts.windows(2)) {
            for remembered in block.fixpoint().iter().flat_map(|fixpoint| &fixpoint.read) {
                read(written[remembered.operand.slot as usize], 2);
            }
            for (at, gate) in (range[0]..).zip(&gates[range[0]..range[1]]) {
                let source = |&(slot, _): &(Slot, bool)| written[slot as usize];
                let is_near = |from: u32| block.fixpoint().is_none() && from as usize >= range[0];
                let sources: Vec<u32> = gate.operands.iter().map(source).collect();
                for &from in &sources {
                    read(from, if is_near(from) { 1 } else { 2 });
                }
                gate.inner.iter().for_each(|operand| read(source(operand), 2));
                uses.sources.push(sources);
                written[gate.own as usize] = at as u32;
                uses.writes[gate.own as usize].push(at as u32);
            }
        }
        outputs.iter().for_each(|&slot| read(written[slot as usize], 2));
        uses
    }

    /// Whether a slot keeps its value from behind one gate until another one.
    fn stays(&self, slot: Slot, from: usize, to: usize) -> bool {
        let writes = &self.writes[slot as usize];
        let next = writes.partition_point(|&write| write as usize <= from);
        writes.get(next).is_none_or(|&write| write as usize >= to)
    }
}

impl Fused {
    /// For a program after which `outputs` are read.
    pub fn new(program: &Program, outputs: &[Slot]) -> Fused {
        let (mut gates, mut starts) = (Vec::new(), vec![0]);
        for block in program.blocks() {
            gates.extend(gates_of(program, block));
            starts.push(gates.len());
        }
        let uses = Uses::of(program, &gates, &starts, outputs);
        let is_fused = vec![false; gates.len()];
        let mut fused = Fused { gates, starts, pairs: Vec::new(), is_fused };
        // By gate: the function that may be left to its reader.
        let mut left: Vec<Option<Pair>> = Vec::with_capacity(fused.gates.len());
        for (block, at) in fused.blocks() {
            let is_straight = program.blocks()[block].fixpoint().is_none();
            let pairs = if is_straight { fused.pairs_of(at, &uses, &left) } else { Vec::new() };
            for (pair, &source) in pairs.iter().zip(&uses.sources[at]) {
                if pair.is_some() {
                    fused.is_fused[source as usize] = true;
                }
            }
            fused.pairs.push(pairs);
            left.push(fused.left(at).filter(|_| is_straight && uses.reads[at] == 1));
        }
        fused
    }

    /// All gates, with their blocks.
    fn blocks(&self) -> Vec<(usize, usize)> {
        let blocks = self.starts.windows(2).enumerate();
        blocks.flat_map(|(block, range)| (range[0]..range[1]).map(move |at| (block, at))).collect()
    }

    /// By operand of a gate: the function that is fused into this gate. `left` has, for the gates before
    /// it, the function that may be left to a reader.
    fn pairs_of(
        &self,
        at: usize,
        uses: &Uses,
        left: &[Option<Pair>],
    ) -> Vec<Option<(Operation, Pair)>> {
        let gate = &self.gates[at];
        // The value in the gate's own slot is read first.
        let mut is_first_taken = false;
        let pair = |&source: &u32| {
            let pair = left.get(source as usize).copied().flatten()?;
            let is_first = pair.iter().any(|&(slot, _)| slot == gate.own);
            let stay = pair.iter().all(|&(slot, _)| uses.stays(slot, source as usize, at));
            if !stay || gate.operands.len() < 2 || is_first && is_first_taken {
                return None;
            }
            is_first_taken |= is_first;
            Some((self.gates[source as usize].operation, pair))
        };
        uses.sources[at].iter().map(pair).collect()
    }

    /// The operands of a gate that are no pairs; if one stands in the gate's own slot it is the first.
    fn plain(&self, at: usize) -> Vec<(Slot, bool)> {
        let gate = &self.gates[at];
        let operands = gate.operands.iter().zip(&self.pairs[at]);
        let mut plain: Vec<(Slot, bool)> =
            operands.filter(|(_, pair)| pair.is_none()).map(|(&operand, _)| operand).collect();
        plain.sort_by_key(|&(slot, _)| slot != gate.own);
        plain
    }

    /// The operands of the last function of a gate, if these are two slots.
    fn left(&self, at: usize) -> Option<Pair> {
        let gate = &self.gates[at];
        if self.pairs[at].len() < gate.operands.len() {
            return None;
        }
        let plain = self.plain(at);
        match plain[..] {
            [one, other] if gate.operands.len() == 2 => Some([one, other]),
            // An even number, be there pairs or not: one of them goes with the first pair.
            [_, .., last] if plain.len().is_multiple_of(2) => Some([(gate.own, false), last]),
            _ => None,
        }
    }

    /// The functions of a block without feedback loops.
    pub fn functions(&self, block: usize) -> Vec<Lut3> {
        let mut functions = Vec::new();
        for at in self.starts[block]..self.starts[block + 1] {
            self.write(at, &mut functions);
        }
        functions
    }

    fn write(&self, at: usize, out: &mut Vec<Lut3>) {
        let Gate { own, operation, ref operands, .. } = self.gates[at];
        let mut plain = self.plain(at);
        if self.is_fused[at] {
            plain.pop();
            if operands.len() == 2 {
                return;
            }
        }
        let join =
            move |a: bool, b: bool| if operation == Operation::And { a && b } else { a || b };
        let pairs = self.pairs[at].iter().zip(operands);
        let mut pairs: Vec<(Operation, Pair, bool)> = pairs
            .filter_map(|(pair, &(_, negated))| {
                pair.map(|(operation, pair)| (operation, pair, negated))
            })
            .collect();
        pairs.sort_by_key(|(_, pair, _)| pair.iter().all(|&(slot, _)| slot != own));
        let mut so_far = plain.first().copied().filter(|_| !pairs.is_empty());
        let mut rest = plain.split_off(usize::from(so_far.is_some()));
        for (of_pair, [(a, not_a), (b, not_b)], negated) in pairs {
            let value = move |a: bool, b: bool| {
                let [a, b] = [a != not_a, b != not_b];
                negated != if of_pair == Operation::And { a && b } else { a || b }
            };
            out.push(match so_far {
                None => Lut3::of_two(own, [a, b], value),
                Some((slot, not)) => {
                    let function = |so_far: bool, a, b| join(so_far != not, value(a, b));
                    Lut3::of_three(own, [slot, a, b], function)
                }
            });
            so_far = Some((own, false));
        }
        match so_far {
            None => all_of(operation, own, &rest, out),
            Some(so_far) if !rest.is_empty() => {
                rest.insert(0, so_far);
                all_of(operation, own, &rest, out);
            }
            Some(_) => {}
        }
    }
}
