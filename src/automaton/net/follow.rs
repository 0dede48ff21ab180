//! Walks as gates: when there is a walk to a configuration, and what it has written by then.
//!
//! Configurations are gone through in an order in which each comes after those that lead to it.
//! The signal of a configuration says that there is a walk to it: that there is one to a
//! configuration before it, and the condition of the step holds. What walks have written before
//! they meet may differ. If they began to differ at a fork of which the state allows one way only,
//! at most one of them is there, and what a slot holds is chosen by their signals. If the state
//! allows several ways, the configuration is there several times, once for each content.
//!
//! Walks in a circle become a knot of gates, as long as nothing is written on it.

use super::NoNet;
use super::evaluate::{Store, Thing, entry, evaluate};
use super::live::is_live;
use super::memory::{HeldId, MemoryId, holds};
use super::rounds::Rounds;
use super::sheet::{Slot, Var};
use super::walks::{
    Asked, At, Condition, Configuration, Environment, Kind, Known, Step, Walks, Write, known, walks,
};
use crate::budget::Memory;
use crate::graph::strongly_connected;
use crate::net::Signal;
use crate::rg::Name;
use crate::rg::optimise::program::{ExprId, MapVal, Node, Val};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// How deep checks may be nested.
const MOST_NESTED: usize = 100;

/// Walks that began to differ where the state allows one way only have the same one.
type Origin = u32;

/// There may be a walk to a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    /// Whether there is.
    pub signal: Signal,
    /// What it has written.
    pub memory: MemoryId,
    origin: Origin,
}

/// Where a check begins and ends, and what is known where it is made.
type Check = (Node, Node, Environment);

/// Checks that were made into gates already.
#[derive(Default)]
pub(super) struct Answers {
    known: HashMap<Question, Signal>,
    walks: HashMap<Check, Rc<Walks>>,
    origins: Origin,
    depth: usize,
}

#[derive(PartialEq, Eq, Hash)]
struct Question {
    from: Node,
    to: Node,
    round: usize,
    environment: Environment,
    memory: MemoryId,
}

/// What is known at a step: the state, what is known of variables, what was written.
struct Here<'h, 'm> {
    rounds: &'h mut Rounds<'m>,
    environment: &'h [Known],
    memory: MemoryId,
}

impl Store for Here<'_, '_> {
    type Truth = Signal;

    const TRUE: Signal = Signal::TRUE;

    fn both(&mut self, one: Signal, other: Signal) -> Option<Signal> {
        let both = self.rounds.wires.both(one, other);
        (both != Signal::FALSE).then_some(both)
    }

    fn any(&mut self, truths: &[Signal]) -> Signal {
        self.rounds.wires.or(truths)
    }

    fn scalar(&mut self, var: Var) -> Vec<(Name, Signal)> {
        match known(self.environment, var) {
            Some(symbol) => vec![(symbol, Signal::TRUE)],
            None => self.slot(self.rounds.sheet.at(var).base, var),
        }
    }

    fn slot(&mut self, slot: Slot, _: Var) -> Vec<(Name, Signal)> {
        let held = self.rounds.read(self.memory, slot);
        self.rounds.contents.held(held).to_vec()
    }
}

impl Rounds<'_> {
    /// Walks that begin where at most one of these signals is true.
    pub fn begin(&mut self, signals: &[Signal], memory: MemoryId) -> Vec<Instance> {
        let origin = self.new_origin();
        signals.iter().map(|&signal| Instance { signal, memory, origin }).collect()
    }

    /// Where walks come to ends that there are to some configurations.
    pub fn follow(
        &mut self,
        walks: &Walks,
        starts: impl IntoIterator<Item = (u32, Instance)>,
    ) -> Result<Vec<(u32, Instance)>, NoNet> {
        let mut coming: Vec<Vec<Instance>> = vec![Vec::new(); walks.configurations.len()];
        for (start, instance) in starts {
            coming[start as usize].push(instance);
        }
        let mut ends = Vec::new();
        for component in &walks.components {
            self.wires.check()?;
            self.wires.meter.hold(Memory::Facts, self.contents.bytes);
            let circular = |&c: &u32| walks.steps[c as usize].iter().any(|step| step.to == c);
            if component.len() > 1 || component.iter().any(circular) {
                self.circle(walks, component, &mut coming)?;
                continue;
            }
            let configuration = component[0];
            let arrived = std::mem::take(&mut coming[configuration as usize]);
            for instance in self.meet(arrived) {
                match walks.configurations[configuration as usize].at {
                    At::Node(_) => self.go_on(walks, configuration, instance, &mut coming)?,
                    At::End(..) | At::Found | At::Tagged(_) => ends.push((configuration, instance)),
                }
            }
        }
        Ok(ends)
    }

    fn new_origin(&mut self) -> Origin {
        self.answers.origins += 1;
        self.answers.origins
    }

    /// Walks that meet become as few as can be told apart by one content each.
    fn meet(&mut self, arrived: Vec<Instance>) -> Vec<Instance> {
        if arrived.len() < 2 {
            return arrived;
        }
        let mut by_origin: Vec<(Origin, Vec<Instance>)> = Vec::new();
        let mut places: HashMap<Origin, usize> = HashMap::new();
        for instance in arrived {
            let place = *places.entry(instance.origin).or_insert_with(|| {
                by_origin.push((instance.origin, Vec::new()));
                by_origin.len() - 1
            });
            by_origin[place].1.push(instance);
        }
        let single: Vec<Instance> =
            by_origin.into_iter().map(|(origin, all)| self.choose(origin, &all)).collect();
        if single.len() < 2 {
            return single;
        }
        let mut by_memory: Vec<(MemoryId, Vec<Instance>)> = Vec::new();
        let mut places: HashMap<MemoryId, usize> = HashMap::new();
        for instance in single {
            let place = *places.entry(instance.memory).or_insert_with(|| {
                by_memory.push((instance.memory, Vec::new()));
                by_memory.len() - 1
            });
            by_memory[place].1.push(instance);
        }
        let join = |(memory, all): (MemoryId, Vec<Instance>)| match all[..] {
            [only] => only,
            _ => {
                let signals: Vec<Signal> = all.iter().map(|instance| instance.signal).collect();
                let signal = self.wires.or(&signals);
                Instance { signal, memory, origin: self.new_origin() }
            }
        };
        by_memory.into_iter().map(join).collect()
    }

    /// Walks of which there is at most one become one, with what that one has written.
    fn choose(&mut self, origin: Origin, all: &[Instance]) -> Instance {
        let [first, others @ ..] = all else { unreachable!("there is one") };
        let signals: Vec<Signal> = all.iter().map(|instance| instance.signal).collect();
        let signal = self.wires.or(&signals);
        if others.iter().all(|other| other.memory == first.memory) {
            return Instance { signal, memory: first.memory, origin };
        }
        let written = all.iter().flat_map(|of| self.contents.written(of.memory).iter());
        let mut slots: Vec<Slot> = written.map(|&(slot, _)| slot).collect();
        slots.sort_unstable();
        slots.dedup();
        let mut changes = Vec::new();
        for slot in slots {
            let held: Vec<HeldId> = all.iter().map(|of| self.read(of.memory, slot)).collect();
            let joined = match held.iter().all(|&other| other == held[0]) {
                true => held[0],
                false => self.select(&signals, &held),
            };
            changes.push((slot, joined));
        }
        let memory = self.contents.write(MemoryId::NOTHING, &changes);
        Instance { signal, memory, origin }
    }

    /// What is held where one of the signals is true: what belongs to that one.
    pub fn select(&mut self, signals: &[Signal], held: &[HeldId]) -> HeldId {
        let mut symbols: Vec<Name> = Vec::new();
        for &held in held {
            symbols.extend(self.contents.held(held).iter().map(|&(symbol, _)| symbol));
        }
        symbols.sort_unstable();
        symbols.dedup();
        let when = |rounds: &mut Self, symbol: Name| {
            let mut cases = Vec::new();
            for (&signal, &held) in signals.iter().zip(held) {
                let held = holds(rounds.contents.held(held), symbol);
                cases.push(rounds.wires.both(signal, held));
            }
            rounds.wires.or(&cases)
        };
        let held = match symbols[..] {
            [only] => vec![(only, Signal::TRUE)],
            [one, other] => {
                let first = when(self, one);
                vec![(one, first), (other, !first)]
            }
            _ => symbols.iter().map(|&symbol| (symbol, when(self, symbol))).collect(),
        };
        self.contents.hold(held)
    }

    /// Takes every step from a configuration.
    fn go_on(
        &mut self,
        walks: &Walks,
        from: u32,
        instance: Instance,
        coming: &mut [Vec<Instance>],
    ) -> Result<(), NoNet> {
        let steps = &walks.steps[from as usize];
        let environment = walks.configurations[from as usize].environment.clone();
        let mut taken: Vec<(&Step, Signal)> = Vec::new();
        let mut values = HashMap::new();
        for step in steps {
            let condition = self.condition(step, &environment, instance.memory, &mut values)?;
            let signal = self.wires.both(instance.signal, condition);
            if signal != Signal::FALSE {
                taken.push((step, condition));
            }
        }
        let one_way = taken.len() < 2 || self.exclude_each_other(&taken, &environment);
        for (step, condition) in taken {
            let signal = self.wires.both(instance.signal, condition);
            let mut memory = self.written(step, &environment, instance.memory)?;
            if let At::End(node, _) = walks.configurations[step.to as usize].at {
                let (sheet, kept) = (self.sheet, self.kept);
                memory = self.contents.only(memory, |slot| kept(sheet.owner(slot), Some(node)));
            }
            let origin = if one_way { instance.origin } else { self.new_origin() };
            coming[step.to as usize].push(Instance { signal, memory, origin });
        }
        Ok(())
    }

    /// Whether the conditions of at most one of the steps can hold, as far as it can be seen.
    fn exclude_each_other(&self, steps: &[(&Step, Signal)], environment: &[Known]) -> bool {
        if steps.iter().filter(|(_, condition)| *condition == Signal::TRUE).count() > 1 {
            return false;
        }
        let has: Vec<Option<(Asked, Name)>> =
            steps.iter().map(|(step, _)| self.asks_for(step, environment)).collect();
        let mut different = HashSet::new();
        let first = has.first().copied().flatten().map(|(asked, _)| asked);
        // The usual case, in linear time: one thing is asked for its value.
        if has.iter().all(|has| {
            has.is_some_and(|(asked, symbol)| Some(asked) == first && different.insert(symbol))
        }) {
            return true;
        }
        (0..steps.len()).all(|one| {
            (0..one).all(|other| {
                let values = has[one].zip(has[other]);
                let differ = values
                    .is_some_and(|((asked, symbol), (of, other))| asked == of && symbol != other);
                differ || self.wires.exclude(steps[one].1, steps[other].1)
            })
        })
    }

    /// What must have which value for a step to be taken, if that is what it asks.
    fn asks_for(&self, step: &Step, environment: &[Known]) -> Option<(Asked, Name)> {
        match step.condition {
            Condition::Has(asked, symbol) => Some((asked, symbol)),
            Condition::Compare { left, right, equal: true } => {
                let one = |expr| match self.sheet.possible(&|v| known(environment, v), expr)[..] {
                    [only] => Some(only),
                    _ => None,
                };
                match (one(left), one(right)) {
                    (Some(symbol), _) => Some((Asked::Expression(right), symbol)),
                    (_, Some(symbol)) => Some((Asked::Expression(left), symbol)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// When a step can be taken.
    ///
    /// `values` keeps what expressions may be that several steps from a configuration ask for.
    fn condition(
        &mut self,
        step: &Step,
        environment: &[Known],
        memory: MemoryId,
        values: &mut HashMap<ExprId, HeldId>,
    ) -> Result<Signal, NoNet> {
        Ok(match step.condition {
            Condition::None => Signal::TRUE,
            Condition::Has(Asked::Variable(var), symbol) => {
                let held = self.read(memory, self.sheet.at(var).base);
                holds(self.contents.held(held), symbol)
            }
            Condition::Has(Asked::Expression(value), symbol) => {
                let held = match values.get(&value) {
                    Some(&held) => held,
                    None => {
                        let found = self.evaluate(value, environment, memory);
                        let held = self.contents.hold(symbols_of(&found));
                        values.insert(value, held);
                        held
                    }
                };
                holds(self.contents.held(held), symbol)
            }
            Condition::Compare { left, right, equal } => {
                let are = self.equal(left, right, environment, memory);
                are.negated_if(!equal)
            }
            Condition::Reach { from, to, negated } => {
                self.reach(from, to, environment, memory)?.negated_if(negated)
            }
        })
    }

    fn evaluate(
        &mut self,
        expr: ExprId,
        environment: &[Known],
        memory: MemoryId,
    ) -> Vec<(Thing, Signal)> {
        let sheet = self.sheet;
        evaluate(sheet, &mut Here { rounds: self, environment, memory }, expr)
    }

    /// When expressions are equal.
    fn equal(
        &mut self,
        left: ExprId,
        right: ExprId,
        environment: &[Known],
        memory: MemoryId,
    ) -> Signal {
        let left = self.evaluate(left, environment, memory);
        let right = self.evaluate(right, environment, memory);
        let [one, other] = [symbols_of(&left), symbols_of(&right)].map(|s| self.contents.hold(s));
        let mut cases = vec![self.equal_symbols(one, other)];
        for (one, when) in &left {
            for (other, given) in &right {
                if let (Thing::Symbol(_), _) | (_, Thing::Symbol(_)) = (one, other) {
                    // Symbols are compared above, and equal no map.
                    break;
                }
                let same = self.equal_maps(one, other, memory);
                let all = self.wires.and(&[same, *when, *given]);
                cases.push(all);
            }
        }
        self.wires.or(&cases)
    }

    /// When two places hold the same symbol.
    fn equal_symbols(&mut self, one: HeldId, other: HeldId) -> Signal {
        let [one, other] = [one, other].map(|held| self.contents.held(held).clone());
        let mut cases = Vec::new();
        for &(symbol, when) in one.iter() {
            cases.push(self.wires.both(when, holds(&other, symbol)));
        }
        self.wires.or(&cases)
    }

    fn equal_maps(&mut self, one: &Thing, other: &Thing, memory: MemoryId) -> Signal {
        let (one, other) = (self.entries(one, memory), self.entries(other, memory));
        let mut all = Vec::new();
        for (one, other) in one.into_iter().zip(other) {
            all.push(self.equal_symbols(one, other));
        }
        self.wires.and(&all)
    }

    /// What the entries of a map hold, in order.
    fn entries(&mut self, map: &Thing, memory: MemoryId) -> Vec<HeldId> {
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

    /// What has been written behind a step.
    fn written(
        &mut self,
        step: &Step,
        environment: &[Known],
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
                let values = self.evaluate(value, environment, memory);
                let is_symbol = values.iter().all(|(thing, _)| matches!(thing, Thing::Symbol(_)));
                let targets = self.targets(target, environment, memory);
                if is_symbol {
                    let held = self.contents.hold(symbols_of(&values));
                    for (slot, when) in targets {
                        changes.push((slot, self.overwrite(memory, slot, when, held)));
                    }
                } else {
                    let ways: Vec<(Vec<HeldId>, Signal)> = values
                        .iter()
                        .map(|(map, when)| (self.entries(map, memory), *when))
                        .collect();
                    let size = ways.iter().map(|(entries, _)| entries.len()).min().unwrap_or(0);
                    let signals: Vec<Signal> = ways.iter().map(|&(_, when)| when).collect();
                    for (base, when) in targets {
                        for place in 0..size {
                            let held: Vec<HeldId> = ways.iter().map(|(e, _)| e[place]).collect();
                            let held = match &held[..] {
                                [only] => *only,
                                _ => self.select(&signals, &held),
                            };
                            let slot = base + place as Slot;
                            changes.push((slot, self.overwrite(memory, slot, when, held)));
                        }
                    }
                }
            }
        }
        for &(var, symbol) in &step.settled {
            let held = self.contents.hold(vec![(symbol, Signal::TRUE)]);
            changes.push((self.sheet.at(var).base, held));
        }
        Ok(self.contents.write(memory, &changes))
    }

    /// What a slot holds where something is written to it if a signal is true.
    fn overwrite(&mut self, memory: MemoryId, slot: Slot, when: Signal, held: HeldId) -> HeldId {
        if when == Signal::TRUE {
            return held;
        }
        let before = self.read(memory, slot);
        self.select(&[when, !when], &[held, before])
    }

    /// The slots that a target may be, or begin at, with when it is.
    fn targets(
        &mut self,
        target: ExprId,
        environment: &[Known],
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

    /// Walks in a circle: what has been written stays as it is.
    fn circle(
        &mut self,
        walks: &Walks,
        component: &[u32],
        coming: &mut [Vec<Instance>],
    ) -> Result<(), NoNet> {
        let mut place = HashMap::new();
        place.extend(component.iter().zip(0usize..).map(|(&c, place)| (c, place)));
        let inside = |step: &Step| place.get(&step.to).copied();
        let mut entering: Vec<(MemoryId, Vec<(usize, Signal)>)> = Vec::new();
        for (at, &configuration) in component.iter().enumerate() {
            for instance in std::mem::take(&mut coming[configuration as usize]) {
                match entering.iter_mut().find(|(memory, _)| *memory == instance.memory) {
                    Some((_, all)) => all.push((at, instance.signal)),
                    None => entering.push((instance.memory, vec![(at, instance.signal)])),
                }
            }
        }
        for (memory, entries) in entering {
            // By member: where steps lead to within the circle, and when they can be taken.
            let mut within: Vec<Vec<(usize, Signal)>> = vec![Vec::new(); component.len()];
            let mut leaving: Vec<(usize, &Step, Signal)> = Vec::new();
            let mut reached = vec![false; component.len()];
            let mut open: Vec<usize> = entries.iter().map(|&(at, _)| at).collect();
            while let Some(at) = open.pop() {
                if std::mem::replace(&mut reached[at], true) {
                    continue;
                }
                self.wires.check()?;
                let environment = walks.configurations[component[at] as usize].environment.clone();
                let mut values = HashMap::new();
                for step in &walks.steps[component[at] as usize] {
                    let condition = self.condition(step, &environment, memory, &mut values)?;
                    if condition == Signal::FALSE {
                        continue;
                    }
                    match inside(step) {
                        Some(to) => {
                            if self.written(step, &environment, memory)? != memory {
                                self.counters_written(walks, component);
                                return Err(self.writes_in_a_circle(walks, component[at]));
                            }
                            within[at].push((to, condition));
                            open.push(to);
                        }
                        None => leaving.push((at, step, condition)),
                    }
                }
            }
            let signals = self.knots(&entries, &within);
            for (at, step, condition) in leaving {
                let environment = walks.configurations[component[at] as usize].environment.clone();
                let signal = self.wires.both(signals[at], condition);
                if signal != Signal::FALSE {
                    let memory = self.written(step, &environment, memory)?;
                    let origin = self.new_origin();
                    coming[step.to as usize].push(Instance { signal, memory, origin });
                }
            }
        }
        Ok(())
    }

    /// By member of a graph with entries: whether there is a walk to it.
    fn knots(
        &mut self,
        entries: &[(usize, Signal)],
        within: &[Vec<(usize, Signal)>],
    ) -> Vec<Signal> {
        let mut into: Vec<Vec<(Option<usize>, Signal)>> = vec![Vec::new(); within.len()];
        entries.iter().for_each(|&(at, signal)| into[at].push((None, signal)));
        for (from, steps) in within.iter().enumerate() {
            steps.iter().for_each(|&(to, condition)| into[to].push((Some(from), condition)));
        }
        let successors: Vec<Vec<u32>> =
            within.iter().map(|steps| steps.iter().map(|&(to, _)| to as u32).collect()).collect();
        let mut components = strongly_connected(&successors);
        components.reverse();
        let mut signals = vec![Signal::FALSE; within.len()];
        for component in components {
            let circular =
                component.len() > 1 || successors[component[0] as usize].contains(&component[0]);
            if circular {
                for &at in &component {
                    signals[at as usize] = self.wires.knot();
                }
            }
            for &at in &component {
                let mut ways = Vec::new();
                for &(from, condition) in &into[at as usize] {
                    let before = from.map_or(Signal::TRUE, |from| signals[from]);
                    ways.push(self.wires.both(before, condition));
                }
                if circular {
                    ways.retain(|&way| way != signals[at as usize] && way != Signal::FALSE);
                    self.wires.net.tie(signals[at as usize], &ways);
                } else {
                    signals[at as usize] = self.wires.or(&ways);
                }
            }
        }
        signals
    }

    /// Notes the counters that walks in a circle write: were they known, it might be none.
    fn counters_written(&mut self, walks: &Walks, component: &[u32]) {
        for step in component.iter().flat_map(|&at| &walks.steps[at as usize]) {
            if let Some(Write::Value { target, .. }) = step.write
                && let Some(name) = self.sheet.program.expressions.as_variable(target)
                && self.sheet.variable(name).is_some_and(|var| !self.sheet.at(var).is_map())
                && !self.counters.contains(&name)
            {
                self.counters.push(name);
            }
        }
    }

    fn writes_in_a_circle(&self, walks: &Walks, configuration: u32) -> NoNet {
        match walks.configurations[configuration as usize].at {
            At::Node(node) | At::Tagged(node) | At::End(node, _) => {
                NoNet::WritesInACircle(self.sheet.text(node).to_owned())
            }
            At::Found => NoNet::WritesInACircle(String::new()),
        }
    }

    /// Whether there is a walk between two nodes.
    fn reach(
        &mut self,
        from: Node,
        to: Node,
        environment: &[Known],
        memory: MemoryId,
    ) -> Result<Signal, NoNet> {
        if from == to {
            return Ok(Signal::TRUE);
        }
        let Some(reads) = self.live.checks.get(&(from, to)).cloned() else {
            return Ok(Signal::FALSE);
        };
        let needed = environment.iter().filter(|known| is_live(&reads, from, known.var));
        let environment: Environment =
            needed.map(|known| Known { assigned: false, ..*known }).collect();
        let sheet = self.sheet;
        let memory = self.contents.only(memory, |slot| is_live(&reads, from, sheet.owner(slot)));
        let round = self.number();
        let question = Question { from, to, round, environment, memory };
        if let Some(&known) = self.answers.known.get(&question) {
            return Ok(known);
        }
        if self.answers.depth == MOST_NESTED {
            return Err(NoNet::NestedChecks(self.sheet.text(from).to_owned()));
        }
        let key = (from, to, question.environment.clone());
        let found = match self.answers.walks.get(&key) {
            Some(found) => Rc::clone(found),
            None => {
                let start = Configuration {
                    at: At::Node(from),
                    environment: key.2.clone(),
                    tags: [].into(),
                };
                let kind = Kind::Check { to };
                let (found, _) = walks(sheet, self.live, &kind, vec![start], self.wires.meter)?;
                let found = Rc::new(found);
                self.answers.walks.insert(key, Rc::clone(&found));
                found
            }
        };
        self.answers.depth += 1;
        let start = self.begin(&[Signal::TRUE], memory);
        let ends = self.follow(&found, start.into_iter().map(|instance| (0, instance)));
        self.answers.depth -= 1;
        let signals: Vec<Signal> = ends?.iter().map(|(_, instance)| instance.signal).collect();
        let answer = self.wires.or(&signals);
        self.answers.known.insert(question, answer);
        Ok(answer)
    }
}

/// The symbols among what an expression may be.
fn symbols_of(found: &[(Thing, Signal)]) -> Vec<(Name, Signal)> {
    let symbols = found.iter().filter_map(|(thing, when)| match thing {
        Thing::Symbol(symbol) => Some((*symbol, *when)),
        Thing::Map(_) | Thing::Region { .. } => None,
    });
    symbols.collect()
}
