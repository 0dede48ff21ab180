//! Successors move by move: what becomes of a latch where the move is known.
//!
//! In a net that is made from an automaton, what a move writes goes through gates that many
//! latches hear of, so [`frames`](super::frames) cannot take it apart:
//!
//! ```text
//! next(l) = set or (l and keep)       set = (i and p) or (j and (p or q)), over shared gates
//! ```
//!
//! Here they are [`specialised`](super::specialised): with one move made and no other one of the
//! role, what is left of `set` and `keep` are conditions of the state, and so effects of the move.
//! Roles of which one chooses at a time, as a latch tells, are like one role.
//!
//! A gate that depends on moves of which several are made at a time, or that is in a feedback loop, stays as
//! it is.

use super::Unrolled;
use super::specialised::{Gates, Moves};
use crate::net::phases::movers;
use crate::net::{Feedback, GateId, InputId, LatchId, Net, Signal};
use gdlr_text::budget::{Exhausted, Memory, Meter};

/// The number of gates that depend on no move.
const STATE: u32 = u32::MAX;
/// The number of those that depend on moves of which several are made at a time, or on a cycle with moves.
const SEVERAL: u32 = u32::MAX - 1;

impl Unrolled {
    /// The same, unrolled from this net, with all that becomes of latches by one move at a time
    /// as effects of these moves.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn by_move(mut self, old: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        meter.spend(self.net.len() + self.net.wires())?;
        let feedback = Feedback::of(&self.net);
        let mut choosers = Vec::new();
        for phase in 0..self.copies.len() {
            choosers.push(Chooser::of_phase(&self, old, phase, meter)?);
        }
        let classes = classes(&self.net, choosers.iter().flatten(), &feedback);
        let class = |signal: Signal| classes[signal.gate().index()];
        // By chooser: the latches that depend on no others.
        let mut latches_of = vec![Vec::new(); choosers.iter().flatten().count()];
        for copy in &self.copies {
            for (latch, frame) in copy.frames.iter().enumerate() {
                let class = joined(class(frame.set), class(frame.keep));
                if let Some(latches) = latches_of.get_mut(class as usize) {
                    latches.push((LatchId(latch as u32), frame.clone()));
                }
            }
        }
        if latches_of.iter().all(Vec::is_empty) {
            return Ok(self);
        }
        let mut gates = Gates::of(&mut self.net);
        let mut latches_of = (0..).zip(latches_of);
        for (copy, choosers) in self.copies.iter_mut().zip(choosers) {
            for (chooser, (class, latches)) in choosers.into_iter().zip(&mut latches_of) {
                let is_own = |gate: GateId| classes[gate.index()] == class;
                let moves = Moves::new(&gates, &feedback, is_own, chooser, latches);
                for (latch, frame) in moves.frames(&mut gates, meter)?.into_iter().flatten() {
                    copy.frames[latch.index()] = frame;
                }
            }
        }
        meter.hold(Memory::Scratch, self.net.wire_bytes());
        Ok(self)
    }
}

/// Moves of which one is made in a step.
#[derive(Clone, Debug)]
pub(super) struct Chooser {
    /// The moves, each with that by which its role waits, if others may move instead.
    pub moves: Vec<(InputId, Option<InputId>)>,
    /// The moves by which roles wait, all of which may be made together.
    pub waits: Vec<InputId>,
}

impl Chooser {
    /// Who chooses in a phase. Where several roles may, and latches tell whose turn it is, they are
    /// one; otherwise each is one for itself.
    fn of_phase(
        unrolled: &Unrolled,
        old: &Net,
        phase: usize,
        meter: &Meter<'_>,
    ) -> Result<Vec<Chooser>, Exhausted> {
        let legal = &unrolled.copies[phase].legal;
        let first = phase * old.inputs.len();
        let of_role = |role: u16| {
            let inputs = old.inputs.iter().enumerate();
            inputs.filter(move |(input, own)| own.role.0 == role && legal[*input] != Signal::FALSE)
        };
        let number = |input: usize| InputId((first + input) as u32);
        let roles: Vec<u16> = (0..old.roles).filter(|&role| of_role(role).count() > 1).collect();
        if roles.len() > 1 {
            let latch_values: Vec<_> = unrolled.phases.known(phase).collect();
            let movers = movers(old, &latch_values, &roles, meter)?.unwrap_or_default();
            let waits: Vec<Option<usize>> = (movers.iter())
                .map(|mover| {
                    let mut own = of_role(mover.role);
                    own.find(|(_, own)| mover.waits == Some(own.term)).map(|(input, _)| input)
                })
                .collect();
            if movers.len() == roles.len() && waits.iter().all(Option::is_some) {
                let mut chooser = Chooser { moves: Vec::new(), waits: Vec::new() };
                for (mover, wait) in movers.iter().zip(waits) {
                    let own = of_role(mover.role).map(|(input, _)| input);
                    let own = own.filter(|&input| Some(input) != wait).map(number);
                    chooser.moves.extend(own.map(|input| (input, wait.map(number))));
                    chooser.waits.extend(wait.map(number));
                }
                return Ok(vec![chooser]);
            }
        }
        let alone = |role: u16| {
            let moves = of_role(role).map(|(input, _)| (number(input), None)).collect();
            Chooser { moves, waits: Vec::new() }
        };
        Ok(roles.into_iter().map(alone).collect())
    }

    /// All that it chooses from.
    fn inputs(&self) -> impl Iterator<Item = InputId> + '_ {
        self.moves.iter().map(|(input, _)| *input).chain(self.waits.iter().copied())
    }
}

fn joined(one: u32, other: u32) -> u32 {
    match (one, other) {
        (STATE, class) | (class, STATE) => class,
        (one, other) if one == other => one,
        _ => SEVERAL,
    }
}

/// By gate: the number of the one who chooses the moves on which it depends, or [`STATE`] or
/// [`SEVERAL`].
fn classes<'c>(
    net: &Net,
    choosers: impl Iterator<Item = &'c Chooser>,
    feedback: &Feedback,
) -> Vec<u32> {
    let mut classes = vec![STATE; net.len()];
    for input in &net.inputs {
        classes[input.gate.index()] = SEVERAL;
    }
    for (number, chooser) in choosers.enumerate() {
        for input in chooser.inputs() {
            classes[net.inputs[input.index()].gate.index()] = number as u32;
        }
    }
    let class_of = |gate: GateId, classes: &[u32]| {
        let operands = net.operands(gate).iter();
        operands.fold(STATE, |class, operand| joined(class, classes[operand.gate().index()]))
    };
    let mut parts = feedback.parts.iter().peekable();
    let mut place = 0;
    while place < feedback.order.len() {
        let part = parts.next_if(|part| part.start == place).cloned();
        let end = part.as_ref().map_or(place + 1, |part| part.end);
        let members = &feedback.order[place..end];
        let class = members.iter().fold(STATE, |all, &gate| joined(all, class_of(gate, &classes)));
        let class = if part.is_some() && class != STATE { SEVERAL } else { class };
        members.iter().for_each(|gate| classes[gate.index()] = class);
        place = end;
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Operation;
    use crate::propnet::unrolled::frames::{Effect, Frame};

    /// Two roles that take turns, as the first two latches tell, with two moves each beside
    /// waiting, and a latch more; undivided, with what becomes of that latch.
    fn unrolled(frame: impl Fn(&mut Net, Signal, [Signal; 4]) -> Frame) -> (Net, Unrolled, Signal) {
        let mut net = Net::new(3, 6, 2);
        let [turn, other, own] = [0, 1, 2].map(|place| Signal::of(net.latches[place].gate));
        for (place, input) in net.inputs.iter_mut().enumerate() {
            (input.role.0, input.term) = ((place / 3) as u16, (place % 3) as u32);
            input.legal = match (place % 3, place / 3) {
                (0, _) => Signal::TRUE,
                (_, 0) => turn,
                _ => other,
            };
        }
        net.exclusive = vec![vec![turn, other]];
        let mut unrolled = Unrolled::single(&net, &Meter::unlimited()).expect("no limit");
        let moves = [1, 2, 4, 5].map(|place| Signal::of(unrolled.net.inputs[place].gate));
        unrolled.copies[0].frames[2] = frame(&mut unrolled.net, own, moves);
        (net, unrolled, own)
    }

    fn by_move(net: &Net, unrolled: Unrolled) -> Frame {
        let unrolled = unrolled.by_move(net, &Meter::unlimited()).expect("no limit");
        unrolled.copies[0].frames[2].clone()
    }

    fn of(effects: &[Effect]) -> Vec<(u32, Signal)> {
        effects.iter().map(|effect| (effect.input.0, effect.condition)).collect()
    }

    #[test]
    fn what_all_moves_do_is_not_done_while_all_wait() {
        let (net, unrolled, _) = unrolled(|net, _, moves| {
            let set = net.add(Operation::Or, &moves);
            Frame { set, keep: Signal::TRUE, sets: Vec::new(), clears: Vec::new() }
        });
        let frame = by_move(&net, unrolled);
        assert_eq!((frame.set, frame.keep), (Signal::FALSE, Signal::TRUE));
        assert_eq!(of(&frame.sets), [1, 2, 4, 5].map(|input| (input, Signal::TRUE)));
        assert_eq!(of(&frame.clears), []);
    }

    #[test]
    fn what_sets_a_latch_to_itself_keeps_it_from_being_cleared() {
        let (net, unrolled, own) = unrolled(|net, own, [first, ..]| {
            let set = net.add(Operation::And, &[first, own]);
            let clears = vec![Effect { input: InputId(3), condition: Signal::TRUE }];
            Frame { set, keep: Signal::TRUE, sets: Vec::new(), clears }
        });
        let frame = by_move(&net, unrolled);
        assert_eq!((frame.set, frame.keep), (Signal::FALSE, Signal::TRUE));
        assert_eq!(of(&frame.sets), [(1, own)]);
        assert_eq!(of(&frame.clears), [(3, Signal::TRUE)]);
    }
}
