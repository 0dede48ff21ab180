//! The writes of walks.

use super::NoNet;
use super::evaluate::{Thing, entry};
use super::memory::{HeldId, MemoryId};
use super::rounds::Rounds;
use super::sheet::Slot;
use super::walks::{KnownValue, Step, Write};
use gdlr_net::net::Signal;
use gdlr_rg::rg::optimise::program::{ExprId, MapVal, Val};
use std::rc::Rc;

impl Rounds<'_> {
    /// The memory behind a step.
    pub fn written(
        &mut self,
        step: &Step,
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Result<MemoryId, NoNet> {
        let mut changes: Vec<(Slot, HeldId)> = Vec::new();
        match step.write {
            None => {}
            Some(Write::Symbol { target, symbol }) => {
                let held = self.contents.hold(vec![(symbol, Signal::TRUE)]);
                for (slot, when) in self.targets(target, environment, memory) {
                    changes.push((slot, self.overwrite(memory, slot, when, held)));
                }
            }
            Some(Write::Value { target, value }) => {
                for (slot, when, held) in self.assigned(target, value, environment, memory) {
                    changes.push((slot, self.overwrite(memory, slot, when, held)));
                }
            }
        }
        for &(var, symbol) in &step.settled {
            let held = self.contents.hold(vec![(symbol, Signal::TRUE)]);
            changes.push((self.sheet.at(var).base, held));
        }
        Ok(self.contents.write(memory, &changes))
    }

    /// The slots to which an expression is assigned, each with its condition and its new content.
    fn assigned(
        &mut self,
        target: ExprId,
        value: ExprId,
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Vec<(Slot, Signal, HeldId)> {
        let targets = self.targets(target, environment, memory);
        if let Some(assigned) = self.symbols_for(&targets, value, environment, memory) {
            return assigned;
        }
        if let Some(held) = self.symbol(value, environment, memory) {
            return targets.into_iter().map(|(slot, when)| (slot, when, held)).collect();
        }
        let values = self.evaluate(value, environment, memory);
        let ways: Vec<(Vec<HeldId>, Signal)> =
            values.iter().map(|(map, when)| (self.entries(map, memory), *when)).collect();
        let size = ways.iter().map(|(entries, _)| entries.len()).min().unwrap_or(0);
        let signals: Vec<Signal> = ways.iter().map(|&(_, when)| when).collect();
        let mut assigned = Vec::new();
        for (base, when) in targets {
            for place in 0..size {
                let held: Vec<HeldId> = ways.iter().map(|(entries, _)| entries[place]).collect();
                let held = match &held[..] {
                    [only] => *only,
                    _ => self.select(&signals, &held),
                };
                assigned.push((base + place as Slot, when, held));
            }
        }
        assigned
    }

    /// The symbol that each of a few slots gets, as far as the condition of the slot determines it.
    fn symbols_for(
        &mut self,
        targets: &[(Slot, Signal)],
        value: ExprId,
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Option<Vec<(Slot, Signal, HeldId)>> {
        if !(2..=self.wires.tuning.written_slots).contains(&targets.len()) {
            return None;
        }
        let here = self.here.clone();
        let symbol = |rounds: &mut Self, when: Signal| {
            rounds.here.clone_from(&here);
            rounds.here.extend(rounds.wires.conditions(when));
            rounds.symbol(value, environment, memory)
        };
        let assigned = targets.iter().map(|&(slot, when)| Some((slot, when, symbol(self, when)?)));
        let assigned = assigned.collect();
        self.here = here;
        assigned
    }

    /// The contents of all entries of a map, in order.
    pub fn entries(&mut self, map: &Thing, memory: MemoryId) -> Vec<HeldId> {
        match map {
            Thing::Symbol(symbol) => vec![self.contents.hold(vec![(*symbol, Signal::TRUE)])],
            Thing::Map(map) => {
                let mut symbols = Vec::new();
                Val::Map(Rc::<MapVal>::clone(map)).for_each_entry(&mut |s| symbols.push(s));
                let hold = |symbol| self.contents.hold(vec![(symbol, Signal::TRUE)]);
                symbols.into_iter().map(hold).collect()
            }
            Thing::Region { var, base, depth } => {
                let variable = self.sheet.at(*var);
                let size = variable
                    .keys
                    .get(usize::from(*depth))
                    .map_or(1, |(keys, stride)| keys.len() as u32 * stride);
                (*base..base + size).map(|slot| self.read(memory, slot)).collect()
            }
        }
    }

    /// The content of a slot after a write under a condition.
    fn overwrite(&mut self, memory: MemoryId, slot: Slot, when: Signal, held: HeldId) -> HeldId {
        if when == Signal::TRUE {
            return held;
        }
        let before = self.read(memory, slot);
        self.select(&[when, !when], &[held, before])
    }

    /// The slots that a target may be, or at which it may begin, each with its condition.
    fn targets(
        &mut self,
        target: ExprId,
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Vec<(Slot, Signal)> {
        let (root, keys) = self.sheet.program.expressions.parts(target);
        let Some(var) = self.sheet.variable(root) else { return Vec::new() };
        let mut places = vec![(self.sheet.at(var).base, Signal::TRUE)];
        for (depth, key) in keys.into_iter().enumerate() {
            let keys = self.evaluate(key, environment, memory);
            let mut deeper = Vec::new();
            for &(base, when) in &places {
                for (key, given) in &keys {
                    let Thing::Symbol(key) = key else { continue };
                    let Some(slot) = entry(self.sheet, var, base, depth as u8, *key) else {
                        continue;
                    };
                    let both = self.wires.both(when, *given);
                    if both != Signal::FALSE {
                        deeper.push((slot, both));
                    }
                }
            }
            places = deeper;
        }
        places
    }
}
