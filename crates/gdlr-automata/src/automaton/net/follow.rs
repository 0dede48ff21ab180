//! Walks as gates: the signal that a walk reaches a configuration, and its writes.
//!
//! Configurations are visited in an order in which each one comes after its predecessors. The
//! signal of a configuration is true if a walk leads to it: a walk leads to a predecessor, and the
//! condition of the step holds.
//!
//! Walks that meet may have written different values. If they parted at a fork at which the state
//! allows only one step, at most one of them exists. Then their signals choose the content of each
//! slot. If the state allows several steps, the configuration has several instances, one for each
//! memory.
//!
//! Walks on a cycle become a feedback loop of gates. They must not write there.

use super::NoNet;
use super::memory::{HeldId, MemoryId};
use super::rounds::Rounds;
use super::sheet::Slot;
use super::walks::{At, Condition, KnownValue, Step, Subject, Walks, Write, known};
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_text::budget::Memory;
use gdlr_text::graph::strongly_connected;
use hashbrown::{HashMap, HashSet};
use std::hash::Hash;

/// Walks that parted where the state allows only one step have the same origin.
pub(super) type Origin = u32;

/// A possible walk to a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    /// The signal that the walk exists.
    pub signal: Signal,
    /// The writes of the walk.
    pub memory: MemoryId,
    origin: Origin,
}

impl Rounds<'_> {
    /// New walks, of which at most one exists, by these signals.
    pub fn begin(&mut self, signals: &[Signal], memory: MemoryId) -> Vec<Instance> {
        let origin = self.new_origin();
        signals.iter().map(|&signal| Instance { signal, memory, origin }).collect()
    }

    /// Follows walks from some configurations. Returns the ends that they reach.
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
                self.cycle(walks, component, &mut coming)?;
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
        self.origins += 1;
        self.origins
    }

    /// Joins walks that meet into as few instances as possible.
    fn meet(&mut self, arrived: Vec<Instance>) -> Vec<Instance> {
        if arrived.len() < 2 {
            return arrived;
        }
        let by_origin = grouped(arrived, |instance| instance.origin);
        let single: Vec<Instance> =
            by_origin.into_iter().map(|(origin, all)| self.choose(origin, &all)).collect();
        let by_memory = grouped(single, |instance| instance.memory);
        let join = |(memory, all): (MemoryId, Vec<Instance>)| match all[..] {
            [only] => only,
            _ => {
                let signals: Vec<Signal> = all.iter().map(|instance| instance.signal).collect();
                let signal = self.wires.one_of(&signals);
                Instance { signal, memory, origin: self.new_origin() }
            }
        };
        by_memory.into_iter().map(join).collect()
    }

    /// Joins walks of which at most one exists: each slot has the content of that walk.
    fn choose(&mut self, origin: Origin, all: &[Instance]) -> Instance {
        let [first, others @ ..] = all else { unreachable!("there is one") };
        let signals: Vec<Signal> = all.iter().map(|instance| instance.signal).collect();
        let signal = self.wires.one_of(&signals);
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

    /// Takes every step from a configuration.
    fn go_on(
        &mut self,
        walks: &Walks,
        from: u32,
        instance: Instance,
        coming: &mut [Vec<Instance>],
    ) -> Result<(), NoNet> {
        let steps = &walks.steps[from as usize];
        self.here = self.wires.conditions(instance.signal);
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

    /// Whether the conditions of at most one step hold at a time, as far as it is easy to see.
    fn exclude_each_other(&self, steps: &[(&Step, Signal)], environment: &[KnownValue]) -> bool {
        if steps.iter().filter(|(_, condition)| *condition == Signal::TRUE).count() > 1 {
            return false;
        }
        let has: Vec<Option<(Subject, Name)>> =
            steps.iter().map(|(step, _)| self.asks_for(step, environment)).collect();
        let mut different = HashSet::new();
        let first = has.first().copied().flatten().map(|(asked, _)| asked);
        // The usual case, in linear time: all steps ask for values of the same variable.
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

    /// The variable or expression, and its value, for which a step asks. `None` if it asks for
    /// something else.
    fn asks_for(&self, step: &Step, environment: &[KnownValue]) -> Option<(Subject, Name)> {
        match step.condition {
            Condition::Has(asked, symbol) => Some((asked, symbol)),
            Condition::Compare { left, right, equal: true } => {
                let one = |expr| match self.sheet.possible(&|v| known(environment, v), expr)[..] {
                    [only] => Some(only),
                    _ => None,
                };
                match (one(left), one(right)) {
                    (Some(symbol), _) => Some((Subject::Expression(right), symbol)),
                    (_, Some(symbol)) => Some((Subject::Expression(left), symbol)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Follows walks on a cycle. Their memories stay unchanged there.
    fn cycle(
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
        self.here.clear();
        for (memory, entries) in entering {
            // By member: the steps within the cycle, each with its target and its condition.
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
                                return Err(self.writes_on_a_cycle(walks, component[at]));
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

    /// By member of a graph with entries: the signal that a walk leads to it.
    pub fn knots(
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

    /// Records the counters that walks on a cycle write. If their values were known, there might be
    /// no cycle.
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

    fn writes_on_a_cycle(&self, walks: &Walks, configuration: u32) -> NoNet {
        match walks.configurations[configuration as usize].at {
            At::Node(node) | At::Tagged(node) | At::End(node, _) => {
                NoNet::WritesInACircle(self.sheet.text(node).to_owned())
            }
            At::Found => NoNet::WritesInACircle(String::new()),
        }
    }
}

/// Groups walks by a key, in the order in which the first walk of each group came.
fn grouped<K: Copy + Eq + Hash>(
    all: Vec<Instance>,
    by: impl Fn(&Instance) -> K,
) -> Vec<(K, Vec<Instance>)> {
    let mut groups: Vec<(K, Vec<Instance>)> = Vec::new();
    let mut places = HashMap::new();
    for instance in all {
        let key = by(&instance);
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, group)) => group.push(instance),
            None => groups.push((key, vec![instance])),
        }
    }
    groups
}
