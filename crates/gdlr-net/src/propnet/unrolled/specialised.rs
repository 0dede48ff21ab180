//! Nets specialised by a move: partial evaluation of the gates between moves and latches.
//!
//! First all gates are computed with every role waiting, or with no move at all where nobody can wait. Then,
//! for each move, only the gates that it changes are computed again. So the work grows with the effects of
//! moves, and not with the number of moves times the number of gates.
//!
//! ```text
//! next(l) = (take and can_take) or (l and not leave)
//! nobody moves:  l          the move `take`:  can_take or l          the move `leave`:  false
//! ```

use super::by_move::Chooser;
use super::frames::{Effect, Frame};
use crate::net::structural_hash::StructuralHash;
use crate::net::{Feedback, GateId, InputId, LatchId, Net, Operation, Signal, simplify};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Adjacency;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How much work all moves of a chooser may be, for each wire of the net.
const WORK_OF_WIRE: usize = 32;
/// How much larger the net may become.
const GROWTH: usize = 4;
/// No place.
const NONE: u32 = u32::MAX;

/// A net that grows, each gate that does the same once only.
pub(super) struct Gates<'n> {
    pub net: &'n mut Net,
    hash: StructuralHash,
    /// Those of the gate to be made.
    operands: Vec<Signal>,
    /// How many gates there may be.
    most: usize,
}

impl<'n> Gates<'n> {
    pub fn of(net: &'n mut Net) -> Self {
        let (hash, most) = (StructuralHash::of(net), GROWTH * net.len());
        Gates { net, hash, operands: Vec::new(), most }
    }

    /// The gate of the operands in hand, or what does the same.
    fn gate(&mut self, operation: Operation) -> Signal {
        let Gates { net, hash, operands, .. } = self;
        simplify(operation, operands).unwrap_or_else(|| hash.gate(net, operation, operands).0)
    }

    /// The conditions that set and clear a latch, so that its next value is that of `set` and `keep`; `frame` has
    /// its next value otherwise.
    fn effects(&mut self, own: Signal, [set, keep]: [Signal; 2], frame: &Frame) -> [Signal; 2] {
        if set == frame.set && keep == frame.keep {
            [Signal::FALSE, Signal::FALSE]
        } else if keep == frame.keep || set == Signal::TRUE {
            [set, Signal::FALSE]
        } else if frame.keep == Signal::TRUE {
            [set, !keep]
        } else {
            self.operands.clear();
            self.operands.extend([own, keep]);
            let stays = self.gate(Operation::And);
            self.operands.clear();
            self.operands.extend([set, stays]);
            [self.gate(Operation::Or), Signal::TRUE]
        }
    }
}

/// The gates between moves and the latches that depend on no other moves.
pub(super) struct Moves {
    chooser: Chooser,
    /// The moves on which something depends, then what depends on them, each gate behind what it
    /// reads.
    gates: Vec<GateId>,
    /// By gate of the net: its place in the list.
    places: Vec<u32>,
    /// By place: the places of gates that read it, and whether they read the complement.
    readers: Adjacency<(u32, bool)>,
    /// Latches with what becomes of them.
    latches: Vec<(LatchId, Frame)>,
    /// By place: which of the latches read it.
    latches_of: Adjacency<u32>,
}

impl Moves {
    /// The gates between the moves of a chooser and these latches; those that depend on them
    /// are the chooser's own.
    pub fn new(
        gates: &Gates<'_>,
        feedback: &Feedback,
        is_own: impl Fn(GateId) -> bool,
        chooser: Chooser,
        latches: Vec<(LatchId, Frame)>,
    ) -> Moves {
        let net = &*gates.net;
        let reached = net.reached(latches.iter().flat_map(|(_, frame)| [frame.set, frame.keep]));
        let moves = net.inputs.iter().map(|input| input.gate);
        let order = moves.chain(feedback.order.iter().copied());
        let order = order.filter(|&gate| reached[gate.index()] && is_own(gate));
        let order: Vec<GateId> = order.collect();
        let mut places = vec![NONE; net.len()];
        for (place, gate) in order.iter().enumerate() {
            places[gate.index()] = place as u32;
        }
        let place = |signal: &Signal| {
            let place = places[signal.gate().index()];
            (place != NONE).then_some(place)
        };
        let readers = Adjacency::new(order.len(), || {
            order.iter().enumerate().flat_map(|(reader, &gate)| {
                let edge = move |operand: &Signal| (reader as u32, operand.is_negated());
                net.operands(gate)
                    .iter()
                    .filter_map(move |operand| Some((place(operand)?, edge(operand))))
            })
        });
        let latches_of = Adjacency::new(order.len(), || {
            latches.iter().enumerate().flat_map(|(latch, (_, frame))| {
                let pair = [&frame.set, &frame.keep].into_iter();
                pair.filter_map(move |signal| Some((place(signal)?, latch as u32)))
            })
        });
        Moves { chooser, gates: order, places, readers, latches, latches_of }
    }

    /// The signal that stands for another one; `now` has those that stand for gates of the list.
    fn mapped(&self, signal: Signal, now: &[Signal]) -> Signal {
        match self.places.get(signal.gate().index()) {
            Some(&place) if place != NONE => now[place as usize].negated_if(signal.is_negated()),
            _ => signal,
        }
    }

    /// The place of a move, if something depends on it.
    fn place(&self, net: &Net, input: InputId) -> Option<u32> {
        let place = self.places[net.inputs[input.index()].gate.index()];
        (place != NONE).then_some(place)
    }

    /// The frames of the latches. `None` if that is too much work.
    pub fn frames(
        &self,
        gates: &mut Gates<'_>,
        meter: &Meter<'_>,
    ) -> Result<Option<Vec<(LatchId, Frame)>>, Exhausted> {
        let mut left = WORK_OF_WIRE * gates.net.wires();
        let mut specialised = Specialised::of(self, gates);
        let waiting: Vec<[Signal; 2]> =
            (self.latches.iter()).map(|(_, frame)| specialised.pair(self, frame)).collect();
        let rests = [Signal::FALSE, Signal::TRUE];
        let restless: Vec<u32> =
            (0..waiting.len() as u32).filter(|&latch| waiting[latch as usize] != rests).collect();
        // By latch: the moves that may change it, each with its effect.
        let mut effects: Vec<Vec<(InputId, [Signal; 2])>> = vec![Vec::new(); self.latches.len()];
        for &(input, wait) in &self.chooser.moves {
            let changed = [(input, Signal::TRUE)];
            let changed = changed.into_iter().chain(wait.map(|wait| (wait, Signal::FALSE)));
            let (mut latches, mut work) = specialised.make(self, gates, changed);
            latches.extend_from_slice(&restless);
            latches.sort_unstable();
            latches.dedup();
            work += latches.len();
            for latch in latches.into_iter().map(|latch| latch as usize) {
                effects[latch].push((input, specialised.pair(self, &self.latches[latch].1)));
            }
            specialised.take_back();
            meter.spend(work)?;
            if work > left || gates.net.len() > gates.most {
                return Ok(None);
            }
            left -= work;
        }
        let frames = effects.into_iter().zip(waiting).zip(&self.latches);
        let frames = frames.map(|((effects, waiting), (latch, before))| {
            (*latch, self.frame(gates, *latch, before, effects, waiting))
        });
        Ok(Some(frames.collect()))
    }

    /// The frame of a latch. `effects` has the moves that may change the latch; all other moves leave it as it is. `waiting` is
    /// its next value if all roles wait.
    ///
    /// The most common next value becomes `set` and `keep` of the frame, and moves with this value have no effect. A move
    /// after which a true latch stays true sets it, so that no other move has to clear it.
    fn frame(
        &self,
        gates: &mut Gates<'_>,
        latch: LatchId,
        before: &Frame,
        mut effects: Vec<(InputId, [Signal; 2])>,
        waiting: [Signal; 2],
    ) -> Frame {
        let own = Signal::of(gates.net.latches[latch.index()].gate);
        if before.clears.is_empty() {
            effects.iter_mut().for_each(|(_, pair)| *pair = staying(*pair, own));
        }
        let are_all = effects.len() == self.chooser.moves.len();
        let can_wait = !self.chooser.waits.is_empty();
        let pairs = || effects.iter().map(|(_, pair)| *pair);
        let common = most_common(pairs().map(|[_, keep]| keep)).filter(|_| are_all);
        let is_of_all = |common: &Signal| {
            let mut pairs = pairs().chain(can_wait.then_some(waiting));
            pairs.all(|[_, keep]| keep == *common)
        };
        let common = common.filter(|common| before.clears.is_empty() || is_of_all(common));
        let keep = common.unwrap_or(Signal::TRUE);
        let mut set = Signal::FALSE;
        if are_all
            && !can_wait
            && let Some([first, _]) = pairs().next()
            && pairs().all(|[set, kept]| (set, kept) == (first, keep))
        {
            set = first;
        }
        let mut frame = Frame { set, keep, ..before.clone() };
        for (input, pair) in effects {
            let [sets, clears] = gates.effects(own, pair, &frame);
            frame.add(input, sets, clears);
        }
        if let Some((&input, others)) = self.chooser.waits.split_first() {
            let effects = gates.effects(own, waiting, &frame);
            let wait = |other: &InputId| Signal::of(gates.net.inputs[other.index()].gate);
            let others: Vec<Signal> = others.iter().map(wait).collect();
            let [sets, clears] = effects.map(|effect| {
                gates.operands.clone_from(&others);
                gates.operands.push(effect);
                gates.gate(Operation::And)
            });
            frame.add(input, sets, clears);
        }
        frame
    }
}

/// The same `set` and `keep` of a latch that nobody else clears, but that it stays if it is set to
/// what it is.
fn staying([set, keep]: [Signal; 2], own: Signal) -> [Signal; 2] {
    if set == own { [Signal::FALSE, Signal::TRUE] } else { [set, keep] }
}

/// The signal that more than half of them are.
fn most_common(signals: impl Iterator<Item = Signal> + Clone) -> Option<Signal> {
    let (mut common, mut lead) = (None, 0usize);
    for signal in signals.clone() {
        match lead {
            _ if common == Some(signal) => lead += 1,
            0 => (common, lead) = (Some(signal), 1),
            _ => lead -= 1,
        }
    }
    let of_all = signals.clone().count();
    common.filter(|&common| 2 * signals.filter(|&signal| signal == common).count() > of_all)
}

impl Frame {
    fn add(&mut self, input: InputId, sets: Signal, clears: Signal) {
        if sets != Signal::FALSE {
            self.sets.push(Effect { input, condition: sets });
        }
        if clears != Signal::FALSE {
            self.clears.push(Effect { input, condition: clears });
        }
    }
}

/// The signals of gates, specialised by the moves that are made.
struct Specialised {
    /// By place.
    now: Vec<Signal>,
    /// By place: while all wait, or with no move if nobody can.
    resting: Vec<Signal>,
    /// By place: the operands that count while all wait.
    lasting: Vec<Vec<Signal>>,
    /// By place: operands that have changed.
    changed_operands: Vec<Vec<Signal>>,
    /// Places that have changed.
    touched: Vec<u32>,
}

impl Specialised {
    fn of(moves: &Moves, gates: &mut Gates<'_>) -> Specialised {
        let mut now = Vec::with_capacity(moves.gates.len());
        let mut lasting: Vec<Vec<Signal>> = Vec::with_capacity(moves.gates.len());
        let waits: Vec<GateId> =
            moves.chooser.waits.iter().map(|wait| gates.net.inputs[wait.index()].gate).collect();
        for &gate in &moves.gates {
            let operation = gates.net.operation(gate);
            let nothing = Signal::constant(operation == Operation::And);
            let own = gates.net.operands(gate).iter().copied();
            let own: Vec<Signal> = own.filter(|&own| moves.mapped(own, &now) != nothing).collect();
            gates.operands.clear();
            gates.operands.extend(own.iter().map(|&own| moves.mapped(own, &now)));
            now.push(match operation {
                Operation::Input(_) => Signal::constant(waits.contains(&gate)),
                _ => gates.gate(operation),
            });
            lasting.push(own);
        }
        let resting = now.clone();
        let changed_operands = vec![Vec::new(); now.len()];
        Specialised { now, resting, lasting, changed_operands, touched: Vec::new() }
    }

    /// The signals that stand for the `set` and the `keep` of a latch.
    fn pair(&self, moves: &Moves, frame: &Frame) -> [Signal; 2] {
        [frame.set, frame.keep].map(|signal| moves.mapped(signal, &self.now))
    }

    /// Changes some moves. Returns the latches for which that means something, some of them
    /// several times, and how much work it was.
    fn make(
        &mut self,
        moves: &Moves,
        gates: &mut Gates<'_>,
        changed: impl Iterator<Item = (InputId, Signal)>,
    ) -> (Vec<u32>, usize) {
        let (mut latches, mut work) = (Vec::new(), 1);
        let mut open = BinaryHeap::new();
        for (input, value) in changed {
            if let Some(place) = moves.place(gates.net, input) {
                self.now[place as usize] = value;
                self.changed(moves, place, &mut open, &mut latches);
            }
        }
        while let Some(Reverse(place)) = open.pop() {
            let changed_operands = &mut self.changed_operands[place as usize];
            gates.operands.clear();
            let own = self.lasting[place as usize].iter().chain(changed_operands.iter());
            gates.operands.extend(own.map(|&own| moves.mapped(own, &self.now)));
            changed_operands.clear();
            work += gates.operands.len();
            let effects = gates.gate(gates.net.operation(moves.gates[place as usize]));
            if std::mem::replace(&mut self.now[place as usize], effects) != effects {
                work += moves.readers.of(place as usize).len();
                self.changed(moves, place, &mut open, &mut latches);
            }
        }
        (latches, work)
    }

    /// Notifies the readers of a gate of its change.
    fn changed(
        &mut self,
        moves: &Moves,
        place: u32,
        open: &mut BinaryHeap<Reverse<u32>>,
        latches: &mut Vec<u32>,
    ) {
        self.touched.push(place);
        latches.extend_from_slice(moves.latches_of.of(place as usize));
        let gate = Signal::of(moves.gates[place as usize]);
        for &(reader, negated) in moves.readers.of(place as usize) {
            let changed_operands = &mut self.changed_operands[reader as usize];
            if changed_operands.is_empty() {
                open.push(Reverse(reader));
            }
            changed_operands.push(gate.negated_if(negated));
        }
    }

    /// All wait again.
    fn take_back(&mut self) {
        for place in self.touched.drain(..) {
            self.now[place as usize] = self.resting[place as usize];
        }
    }
}
