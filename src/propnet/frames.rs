//! What a step does to a latch, taken apart into effects of single moves.
//!
//! ```text
//! next(l) = i and p or j or g or (l and not (k and q))
//!
//! set      g                       true for itself
//! keep     true                    l stays
//! effects  i sets l if p           j sets l          k clears l if q
//! ```
//!
//! A latch is true in the next state if its effects or `set` say so, or else if it was and
//! `keep` is true and no effect clears it. Effects are looked at when their move is chosen;
//! what they depend on then says whether they happen. So the choice of a move, which holds
//! for one step, need not run through the net and be taken back in the next step. What has
//! not the form of effects remains in `set` and `keep`.
//!
//! And distributes over Or: `(i or j) and p` is an effect of `i` and one of `j`. This is given
//! up where it makes too many.

use super::modes::Copies;
use super::net::{Net, Operation, Signal};

/// The most effects on a latch, more or less.
const MOST_EFFECTS: usize = 1 << 10;

/// An Or with more readers is a node, unless it is one of moves only.
const MOST_OR_READERS: u32 = 2;
/// An And with more readers is a node.
const MOST_AND_READERS: u32 = 4;

/// The effect of a move on a latch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    /// The number of the move.
    pub input: u32,
    /// Whether it happens.
    pub condition: Signal,
}

/// What becomes of a latch in a step.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub set: Signal,
    pub keep: Signal,
    pub sets: Vec<Effect>,
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
    pub(super) fn frame(&mut self, (own, next): (Signal, Signal)) -> Frame {
        let (mut set, mut keep) = (Vec::new(), Vec::new());
        for alternative in self.net.view(next, Operation::Or) {
            let factors = self.net.view(alternative, Operation::And);
            if factors.contains(&own) {
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
            let most = MOST_EFFECTS.saturating_sub(open.len() + effects.len());
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
        (self.gate(Operation::Or, &mut others), effects)
    }

    /// The signals of which this is the Or, at most so many, if it is to be taken apart.
    fn alternatives(&self, signal: Signal, most: usize) -> Option<Vec<Signal>> {
        let readers = self.readers[signal.gate().index()];
        let view = self.net.view(signal, Operation::Or);
        (view[..] != [signal]
            && self.of_moves[signal.gate().index()]
            && view.len() <= most
            && (readers <= MOST_OR_READERS || self.is_choice(&view)))
        .then_some(view)
    }

    /// Whether all of these are moves.
    fn is_choice(&self, signals: &[Signal]) -> bool {
        signals.iter().all(|&signal| self.input(signal).is_some())
    }

    /// The number of the input that the signal is.
    fn input(&self, signal: Signal) -> Option<u32> {
        match self.net.operation(signal.gate()) {
            Operation::Input(input) if !signal.is_negated() => Some(input),
            _ => None,
        }
    }

    /// A move, or an Or of moves, which together with the others makes the signal, if that is
    /// to be taken apart.
    fn cause(&self, signal: Signal) -> Option<(Signal, Vec<Signal>)> {
        if self.readers[signal.gate().index()] > MOST_AND_READERS {
            return None;
        }
        let mut factors = self.net.view(signal, Operation::And);
        let is_choice = |&factor: &Signal| self.is_choice(&self.net.view(factor, Operation::Or));
        let cause = factors.iter().position(is_choice)?;
        Some((factors.swap_remove(cause), factors))
    }
}

impl Net {
    /// Signals of which the signal is the And or Or: the operands of its gate, or their
    /// complements, if it is driven by such a gate, otherwise itself.
    pub(super) fn view(&self, signal: Signal, operation: Operation) -> Vec<Signal> {
        let dual = if operation == Operation::And { Operation::Or } else { Operation::And };
        let wanted = if signal.is_negated() { dual } else { operation };
        if self.operation(signal.gate()) != wanted || self.is_knot(signal.gate()) {
            return vec![signal];
        }
        let operands = self.operands(signal.gate()).iter();
        operands.map(|operand| operand.negated_if(signal.is_negated())).collect()
    }
}
