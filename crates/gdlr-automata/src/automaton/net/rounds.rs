//! The states within a step: the state in which it begins, the state behind the move, and a state
//! behind each move of the keeper.
//!
//! In each round, walks go on from some nodes, in the state of the round. First come the nodes at
//! which a player has the move, and then those of the keeper, each one after its predecessors. The
//! ends of walks have writes. The state behind a round has these writes, and otherwise the values
//! from before.

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
    /// The signal that the move is made.
    pub signal: Signal,
    /// The walks of the move, each with its signal and its writes. If the move is made, one of them
    /// was taken.
    pub walks: Vec<(Signal, MemoryId)>,
}

/// A round that is over.
struct Round {
    moves: Vec<TakenMove>,
    /// By slot that was asked for: its content behind the round.
    behind: HashMap<Slot, HeldId>,
}

/// The data for making a net.
pub(super) struct Rounds<'m> {
    pub sheet: &'m Sheet,
    pub live: &'m Live,
    pub wires: Wires<'m>,
    pub contents: Contents,
    pub answers: Answers,
    pub compared: Compared,
    pub looked_up: LookedUp,
    /// The number of origins of walks so far.
    pub origins: Origin,
    /// Whether the value that a walk has written to a variable is needed behind its end.
    pub kept: &'m dyn Fn(Var, Option<Node>) -> bool,
    /// The conditions on the way to the current configuration, in order.
    pub here: Operands,
    /// The counters that were written on a cycle.
    pub counters: Vec<Name>,
    /// By slot: its content in the first round.
    first: Vec<HeldId>,
    over: Vec<Round>,
}

impl<'m> Rounds<'m> {
    /// The data before the first round, in a state with these contents of slots.
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

    /// The number of the current round.
    pub fn number(&self) -> usize {
        self.over.len()
    }

    /// Ends a round, with its moves.
    pub fn end(&mut self, moves: Vec<TakenMove>) {
        self.over.push(Round { moves, behind: HashMap::new() });
    }

    /// The content of a slot, by the memory of a walk.
    pub fn read(&mut self, memory: MemoryId, slot: Slot) -> HeldId {
        self.contents.get(memory, slot).unwrap_or_else(|| self.state(slot))
    }

    /// The content of a slot on the way to the current configuration. The conditions on the way may
    /// leave fewer symbols.
    pub fn read_here(&mut self, memory: MemoryId, slot: Slot) -> HeldId {
        let held = self.read(memory, slot);
        let all = self.contents.held(held);
        let most = self.wires.tuning.asked_values;
        if self.here.is_empty() || !(2..=most).contains(&all.len()) {
            return held;
        }
        let mut possible: Vec<(Name, Signal)> =
            all.iter().copied().filter(|&(_, signal)| !self.is_excluded(signal)).collect();
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

    /// Whether a signal cannot be true on the way to the current configuration.
    pub fn is_excluded(&self, signal: Signal) -> bool {
        self.here.iter().any(|&condition| self.wires.exclude(condition, signal))
    }

    /// The content of a slot in the state of the round.
    pub fn state(&mut self, slot: Slot) -> HeldId {
        let read_behind = |round: &Round| round.behind.get(&slot).copied();
        let last = self.over.iter().enumerate().rev();
        let last_read =
            last.filter_map(|(place, round)| Some((place + 1, read_behind(round)?))).next();
        let (from, mut held) = last_read.unwrap_or((0, self.first[slot as usize]));
        for place in from..self.over.len() {
            held = self.behind(place, slot, held);
            self.over[place].behind.insert(slot, held);
        }
        held
    }

    /// The content of a slot behind a round, by its content before.
    fn behind(&mut self, place: usize, slot: Slot, before: HeldId) -> HeldId {
        let (mut signals, mut held): (Vec<Signal>, Vec<HeldId>) = (Vec::new(), Vec::new());
        for TakenMove { signal, walks } in &self.over[place].moves {
            let all = || walks.iter().map(|&(_, memory)| self.contents.get(memory, slot));
            match all().next().flatten() {
                // All walks have written the same value.
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
