//! The states that a step goes through: the one that it begins in, the one behind the move, and
//! one behind each time that the keeper has moved.
//!
//! In each round some nodes are gone on from, in the state of the round: first those where a
//! player has the move, then those of the keeper, each after all that lead there. Ends of walks
//! say what they write, and the state behind a round has that, or else what it had before.

use super::checks::Answers;
use super::compared::Compared;
use super::follow::Origin;
use super::live::Live;
use super::memory::{Contents, HeldId, MemoryId};
use super::sheet::{Sheet, Slot, Var};
use super::values::LookedUp;
use super::wires::{Operands, Wires};
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::Node;
use hashbrown::HashMap;

/// A move, with the walks that make it.
pub(super) struct TakenMove {
    /// Whether the move is made.
    pub signal: Signal,
    /// When each of the walks was taken, and its writes. Where the move is made, one of them was.
    pub walks: Vec<(Signal, MemoryId)>,
}

/// A round that is over.
struct Round {
    moves: Vec<TakenMove>,
    /// By slot that was asked for: what it holds behind the round.
    behind: HashMap<Slot, HeldId>,
}

/// All that is known while a net is made.
pub(super) struct Rounds<'m> {
    pub sheet: &'m Sheet,
    pub live: &'m Live,
    pub wires: Wires<'m>,
    pub contents: Contents,
    pub answers: Answers,
    pub compared: Compared,
    pub looked_up: LookedUp,
    /// How many origins of walks there were.
    pub origins: Origin,
    /// Whether what a walk has written to a variable is needed behind its end.
    pub kept: &'m dyn Fn(Var, Option<Node>) -> bool,
    /// What is asked on the way to the configuration at hand, in order.
    pub here: Operands,
    /// Counters that were written on a circle.
    pub counters: Vec<Name>,
    /// By slot: what it holds at first.
    first: Vec<HeldId>,
    over: Vec<Round>,
}

impl<'m> Rounds<'m> {
    /// Before the first round, in a state where slots hold these.
    pub fn new(
        sheet: &'m Sheet,
        live: &'m Live,
        kept: &'m dyn Fn(Var, Option<Node>) -> bool,
        wires: Wires<'m>,
        contents: Contents,
        first: Vec<HeldId>,
    ) -> Rounds<'m> {
        Rounds {
            sheet,
            live,
            wires,
            contents,
            answers: Answers::default(),
            compared: Compared::default(),
            looked_up: LookedUp::new(),
            origins: 0,
            kept,
            here: Operands::new(),
            counters: Vec::new(),
            first,
            over: Vec::new(),
        }
    }

    /// The number of the round.
    pub fn number(&self) -> usize {
        self.over.len()
    }

    /// Ends a round, with its moves.
    pub fn end(&mut self, moves: Vec<TakenMove>) {
        self.over.push(Round { moves, behind: HashMap::new() });
    }

    /// What a slot holds where that has been written.
    pub fn read(&mut self, memory: MemoryId, slot: Slot) -> HeldId {
        self.contents.get(memory, slot).unwrap_or_else(|| self.state(slot))
    }

    /// What a slot may hold on the way to the configuration at hand: what has been asked on it may
    /// leave less.
    pub fn read_here(&mut self, memory: MemoryId, slot: Slot) -> HeldId {
        let held = self.read(memory, slot);
        let all = self.contents.held(held);
        let most = self.wires.tuning.asked_values;
        if self.here.is_empty() || !(2..=most).contains(&all.len()) {
            return held;
        }
        let mut possible: Vec<(Name, Signal)> =
            all.iter().copied().filter(|&(_, signal)| !self.is_denied(signal)).collect();
        if let Some(place) = possible.iter().position(|(_, signal)| self.here.contains(signal)) {
            possible = vec![possible[place]];
        }
        match possible[..] {
            [(only, _)] => self.contents.hold(vec![(only, Signal::TRUE)]),
            [] => held,
            _ if possible.len() == all.len() => held,
            _ => self.contents.hold(possible),
        }
    }

    /// Whether a signal cannot be true on the way to the configuration at hand.
    pub fn is_denied(&self, signal: Signal) -> bool {
        self.here.iter().any(|&condition| self.wires.exclude(condition, signal))
    }

    /// What a slot holds in the state of the round.
    pub fn state(&mut self, slot: Slot) -> HeldId {
        let known = |round: &Round| round.behind.get(&slot).copied();
        let last = self.over.iter().enumerate().rev();
        let found = last.filter_map(|(place, round)| Some((place + 1, known(round)?))).next();
        let (from, mut held) = found.unwrap_or((0, self.first[slot as usize]));
        for place in from..self.over.len() {
            held = self.behind(place, slot, held);
            self.over[place].behind.insert(slot, held);
        }
        held
    }

    /// What a slot holds behind a round, if before it held this.
    fn behind(&mut self, place: usize, slot: Slot, before: HeldId) -> HeldId {
        let (mut signals, mut held): (Vec<Signal>, Vec<HeldId>) = (Vec::new(), Vec::new());
        for TakenMove { signal, walks } in &self.over[place].moves {
            let all = || walks.iter().map(|&(_, memory)| self.contents.get(memory, slot));
            match all().next().flatten() {
                // Whichever of the walks was taken.
                Some(written) if all().all(|other| other == Some(written)) => {
                    signals.push(*signal);
                    held.push(written);
                }
                _ => {
                    for (&(signal, _), written) in walks.iter().zip(all()) {
                        signals.extend(written.map(|_| signal));
                        held.extend(written);
                    }
                }
            }
        }
        if signals.is_empty() {
            return before;
        }
        let any = self.wires.or(&signals);
        signals.push(!any);
        held.push(before);
        self.select(&signals, &held)
    }
}
