//! The effect of a step on a latch, separated into effects of single moves.
//!
//! ```text
//! next(l) = i and p or j or g or (l and not (k and q))
//!
//! set      g                       true, whatever move is made
//! keep     true                    l stays true
//! effects  i sets l if p           j sets l          k clears l if q
//! ```
//!
//! A latch is true in the next state if an effect or `set` makes it true. It is also true if it was true before, `keep` is true,
//! and no effect clears it. The effects of a move are looked at when the move is chosen; the condition of an effect then says
//! whether it happens. So the choice of a move, which holds for one step, is not propagated through the net and taken back
//! in the next step. A part of the function that is no effect of a move remains in `set` and `keep`.
//!
//! A signal may imply, by a group, that the latch is true. Such a signal does not set the latch, but keeps it.
//!
//! And distributes over Or: `(i or j) and p` is an effect of `i` and an effect of `j`. A gate that several latches read is
//! evaluated once for all of them instead, unless it reads nothing but moves. The number of effects is bounded.

use super::copies::Copies;
use crate::net::{InputId, Operation, Signal};

/// An Or with more readers is a node, unless it is one of moves only.
const MOST_OR_READERS: u32 = 2;
/// An And with more readers is a node.
const MOST_AND_READERS: u32 = 4;
/// An And of more signals is a node.
const MOST_FACTORS: usize = 64;

/// The effect of a move on a latch.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// The number of the move.
    pub input: InputId,
    /// Whether it happens.
    pub condition: Signal,
}

/// The next value of a latch: set, kept or cleared.
#[derive(Clone, Debug)]
pub struct Frame {
    /// It becomes true where this holds.
    pub set: Signal,
    /// If it was true, it stays so where this holds, unless an effect clears it.
    pub keep: Signal,
    /// The effects that make it true.
    pub sets: Vec<Effect>,
    /// The effects that clear it.
    pub clears: Vec<Effect>,
}

impl Frame {
    /// All signals on which it depends.
    pub fn signals(&self) -> impl Iterator<Item = Signal> + '_ {
        let effects = self.sets.iter().chain(&self.clears).map(|effect| effect.condition);
        [self.set, self.keep].into_iter().chain(effects)
    }
}

impl Copies<'_> {
    /// Takes the successor of a latch apart.
    pub fn frame(&mut self, (own, next): (Signal, Signal)) -> Frame {
        let (mut set, mut keep) = (Vec::new(), Vec::new());
        for alternative in self.net.view(next, Operation::Or) {
            let factors = self.net.view(alternative, Operation::And);
            if factors.iter().any(|&factor| self.implications.contains(&(factor, own))) {
                keep.push(alternative);
            } else if factors.contains(&own) {
                let mut others = factors.into_iter().filter(|&factor| factor != own).collect();
                keep.push(self.gate(Operation::And, &mut others));
            } else {
                set.push(alternative);
            }
        }
        let set = self.gate(Operation::Or, &mut set);
        let keep = self.gate(Operation::Or, &mut keep);
        let (set, sets) = self.effects(set);
        let (lose, clears) = self.effects(!keep);
        Frame { set, keep: !lose, sets, clears }
    }

    /// A signal as the Or of another one and of moves under conditions.
    fn effects(&mut self, signal: Signal) -> (Signal, Vec<Effect>) {
        let mut effects = Vec::new();
        let mut others = Vec::new();
        let mut open = vec![(signal, Signal::TRUE)];
        while let Some((signal, condition)) = open.pop() {
            let most = self.bounds.effects_of_latch.min(self.effects_left);
            let most = most.saturating_sub(open.len() + effects.len());
            if let Some(input) = self.input(signal) {
                effects.push(Effect { input, condition });
            } else if let Some(alternatives) = self.alternatives(signal, most) {
                open.extend(alternatives.into_iter().map(|other| (other, condition)));
            } else if let Some((cause, mut rest)) = self.cause(signal) {
                rest.push(condition);
                open.push((cause, self.gate(Operation::And, &mut rest)));
            } else {
                others.push(self.gate(Operation::And, &mut vec![signal, condition]));
            }
        }
        self.effects_left = self.effects_left.saturating_sub(effects.len());
        (self.gate(Operation::Or, &mut others), effects)
    }

    /// The signals of which this is the Or, at most so many, if it is to be taken apart.
    fn alternatives(&self, signal: Signal, most: usize) -> Option<Vec<Signal>> {
        let gate = signal.gate();
        let wanted = self.of_moves[gate.index()]
            && self.net.operands(gate).len() <= most
            && (self.readers[gate.index()] <= MOST_OR_READERS || self.is_choice(signal));
        wanted.then(|| self.net.view(signal, Operation::Or)).filter(|view| view[..] != [signal])
    }

    /// Whether the signal says that one of some moves is made.
    fn is_choice(&self, signal: Signal) -> bool {
        self.choices[signal.gate().index()] == Some(signal.is_negated())
    }

    /// The number of the input that the signal is.
    fn input(&self, signal: Signal) -> Option<InputId> {
        match self.net.operation(signal.gate()) {
            Operation::Input(input) if !signal.is_negated() => Some(input),
            _ => None,
        }
    }

    /// A move, or an Or of moves, which together with the others makes the signal, if that is
    /// to be taken apart.
    fn cause(&self, signal: Signal) -> Option<(Signal, Vec<Signal>)> {
        let gate = signal.gate();
        if self.readers[gate.index()] > MOST_AND_READERS
            || self.net.operands(gate).len() > MOST_FACTORS
        {
            return None;
        }
        let mut factors = self.net.view(signal, Operation::And);
        let cause =
            factors.iter().position(|&factor| factor != signal && self.is_choice(factor))?;
        Some((factors.swap_remove(cause), factors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Net;
    use crate::propnet::unrolled::Unrolled;

    /// The frame of the first latch of a net with a latch more and four moves.
    fn frame(next: impl Fn(&mut Net, [Signal; 2], [Signal; 4]) -> Signal) -> (Unrolled, Frame) {
        let mut net = Net::new(2, 4, 1);
        net.inputs.iter_mut().for_each(|input| input.legal = Signal::TRUE);
        let latches = [0, 1].map(|place| Signal::of(net.latches[place].gate));
        let inputs = [0, 1, 2, 3].map(|place| Signal::of(net.inputs[place].gate));
        net.latches[0].next = next(&mut net, latches, inputs);
        let unrolled =
            Unrolled::single(&net, &gdlr_text::budget::Meter::unlimited()).expect("no limit");
        let frame = unrolled.copies[0].frames[0].clone();
        (unrolled, frame)
    }

    fn effects(effects: &[Effect]) -> Vec<(u32, Signal)> {
        let mut effects: Vec<(u32, Signal)> =
            effects.iter().map(|effect| (effect.input.0, effect.condition)).collect();
        effects.sort_unstable();
        effects
    }

    #[test]
    fn moves_set_and_clear_latches() {
        let (unrolled, frame) = frame(|net, [own, other], [i, j, k, l]| {
            let either = net.add(Operation::Or, &[i, j]);
            let set = net.add(Operation::And, &[either, other]);
            let taken = net.add(Operation::And, &[k, !other]);
            let stays = net.add(Operation::And, &[own, !taken, !l]);
            net.add(Operation::Or, &[set, stays])
        });
        let other = Signal::of(unrolled.net.latches[1].gate);
        assert_eq!((frame.set, frame.keep), (Signal::FALSE, Signal::TRUE));
        assert_eq!(effects(&frame.sets), [(0, other), (1, other)]);
        assert_eq!(effects(&frame.clears), [(2, !other), (3, Signal::TRUE)]);
    }

    #[test]
    fn what_implies_a_latch_keeps_it() {
        let next = |net: &mut Net, [own, other]: [Signal; 2], [i, ..]: [Signal; 4]| {
            net.exclusive = vec![vec![other, !own]];
            let stays = net.add(Operation::And, &[own, !i]);
            net.add(Operation::Or, &[other, stays])
        };
        let (unrolled, frame) = frame(next);
        let other = Signal::of(unrolled.net.latches[1].gate);
        assert_eq!((frame.set, frame.keep), (Signal::FALSE, Signal::TRUE));
        assert_eq!(effects(&frame.sets), []);
        assert_eq!(effects(&frame.clears), [(0, !other)]);
    }

    #[test]
    fn what_is_no_effect_remains() {
        let (unrolled, frame) = frame(|net, [_, other], [i, j, _, _]| {
            let neither = net.add(Operation::And, &[!i, !j, other]);
            net.add(Operation::Or, &[neither, i])
        });
        assert_eq!(frame.keep, Signal::FALSE);
        assert_eq!(effects(&frame.sets), [(0, Signal::TRUE)]);
        assert_eq!(unrolled.net.view(frame.set, Operation::And).len(), 3);
    }
}
