//! From ground rules to a net: a latch for each fluent, an input for each role and move, an
//! And gate for each rule, an Or gate for each derived fact.
//!
//! Only what the outputs depend on is built. Facts that depend on themselves become knots.

use super::gates::{FluentBit, Goal, Net, Operation, Signal};
use crate::budget::{Exhausted, Memory, Meter};
use crate::engine::RoleId;
use crate::gdl::Term;
use crate::graph::for_each_component;
use crate::ground::{FactId, Ground, Value};
use hashbrown::HashMap;

const NO_GATE: u32 = u32::MAX;

/// Builds the net of a ground game, as it stands.
pub(super) fn from_ground(ground: &Ground, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let normal = ground.normal();
    let varies = |fact: FactId| ground.value(fact) == Value::Varies;
    let latches: Vec<(usize, FactId)> = (normal.fluents.iter().enumerate())
        .flat_map(|(place, f)| ground.facts_of(f.base).map(move |fact| (place, fact)))
        .collect();
    let varying: Vec<(usize, FactId)> =
        latches.iter().copied().filter(|&(_, fact)| varies(fact)).collect();
    let role_of = |term: &Term| {
        let roles = &ground.game().roles;
        roles.iter().position(|role| role == term).map(|r| RoleId(r as u16))
    };
    let inputs: Vec<(RoleId, FactId)> = ground
        .facts_of(normal.does)
        .filter(|&fact| ground.value(fact) != Value::Constant(false))
        .filter_map(|fact| {
            let role = normal.decode_arg(normal.does, 0, ground.row_of(normal.does, fact));
            Some((role_of(&role)?, fact))
        })
        .collect();
    let mut net = Net::new(varying.len(), inputs.len(), ground.game().roles.len() as u16);
    meter.spend(WORK_OF_NAME * (latches.len() + inputs.len()))?;
    let mut builder = Builder::new(ground, meter)?;
    for (latch, &(_, fact)) in net.latches.iter().zip(&varying) {
        builder.signals[fact.index()] = Some(Signal::of(latch.gate));
    }
    for (input, &(_, fact)) in net.inputs.iter().zip(&inputs) {
        builder.signals[fact.index()] = Some(Signal::of(input.gate));
    }

    let nexts: Vec<Option<FactId>> = varying
        .iter()
        .map(|&(place, fact)| {
            let f = normal.fluents[place];
            ground.find(f.next, ground.row_of(f.base, fact))
        })
        .collect();
    let legals: Vec<Option<FactId>> = inputs
        .iter()
        .map(|&(_, fact)| ground.find(normal.legal, ground.row_of(normal.does, fact)))
        .collect();
    let goals: Vec<(RoleId, FactId)> = ground
        .facts_of(normal.goal)
        .filter(|&fact| ground.value(fact) != Value::Constant(false))
        .filter_map(|fact| {
            let role = normal.decode_arg(normal.goal, 0, ground.row_of(normal.goal, fact));
            Some((role_of(&role)?, fact))
        })
        .collect();
    let terminal = ground.find(normal.terminal, &[]);

    let outputs = nexts.iter().flatten().chain(legals.iter().flatten());
    let outputs = outputs.chain(goals.iter().map(|(_, fact)| fact)).chain(&terminal).copied();
    builder.build(&mut net, outputs.collect(), meter)?;

    let signal = |fact: Option<FactId>| fact.map_or(Signal::FALSE, |fact| builder.signal(fact));
    for ((latch, &(place, fact)), &next) in net.latches.iter_mut().zip(&varying).zip(&nexts) {
        meter.spend(1)?;
        let f = normal.fluents[place];
        let initial = ground.find(f.init, ground.row_of(f.base, fact));
        latch.initial = initial.is_some_and(|f| ground.value(f) == Value::Constant(true));
        latch.next = signal(next);
    }
    let mut numbers: HashMap<Term, u32> = HashMap::new();
    for ((input, &(role, fact)), &legal) in net.inputs.iter_mut().zip(&inputs).zip(&legals) {
        let term = normal.decode_arg(normal.does, 1, ground.row_of(normal.does, fact));
        meter.spend(WORK_OF_NAME)?;
        input.role = role;
        input.term = *numbers.entry(term).or_insert_with_key(|term| {
            net.moves.push(term.clone());
            net.moves.len() as u32 - 1
        });
        input.legal = signal(legal);
    }
    net.terminal = signal(terminal);
    net.goals = goals
        .into_iter()
        .map(|(role, fact)| {
            let value = normal.decode_arg(normal.goal, 1, ground.row_of(normal.goal, fact));
            Goal { role, value, signal: builder.signal(fact) }
        })
        .collect();
    for &(place, fact) in latches.iter() {
        meter.spend(WORK_OF_NAME)?;
        if ground.value(fact) != Value::Constant(false) {
            let f = normal.fluents[place];
            let row = ground.row_of(f.base, fact);
            net.fluents.push(FluentBit {
                fact: normal.decode_fact(f.fluent, f.base, row),
                signal: builder.signal(fact),
            });
        }
    }
    meter.hold(Memory::Net, net.wire_bytes() + net.other_bytes());
    meter.check()?;
    net.fluents.sort_unstable_by(|a, b| a.fact.cmp(&b.fact));
    meter.hold(Memory::Scratch, 0);
    Ok(net)
}

/// How much work it is to make a term of a row.
const WORK_OF_NAME: usize = 16;

struct Builder<'g> {
    ground: &'g Ground,
    /// By fact: what says whether it is true.
    signals: Vec<Option<Signal>>,
    /// By fact: the range of its rules in `rules`.
    starts: Vec<u32>,
    rules: Vec<u32>,
}

impl<'g> Builder<'g> {
    fn new(ground: &'g Ground, meter: &Meter<'_>) -> Result<Self, Exhausted> {
        meter.spend(ground.fact_count() + ground.rule_count())?;
        let facts = ground.fact_count();
        let mut starts = vec![0u32; facts + 1];
        for rule in 0..ground.rule_count() {
            starts[ground.head(rule).index() + 1] += 1;
        }
        for fact in 0..facts {
            starts[fact + 1] += starts[fact];
        }
        let mut fill = starts.clone();
        let mut rules = vec![0u32; ground.rule_count()];
        for rule in 0..ground.rule_count() {
            let slot = &mut fill[ground.head(rule).index()];
            rules[*slot as usize] = rule as u32;
            *slot += 1;
        }
        let signals = (0..facts as u32)
            .map(|fact| match ground.value(FactId(fact)) {
                Value::Constant(true) => Some(Signal::TRUE),
                Value::Constant(false) => Some(Signal::FALSE),
                Value::Varies => None,
            })
            .collect();
        Ok(Builder { ground, signals, starts, rules })
    }

    fn signal(&self, fact: FactId) -> Signal {
        self.signals[fact.index()].unwrap_or(Signal::FALSE)
    }

    fn rules_of(&self, fact: FactId) -> std::ops::Range<usize> {
        self.starts[fact.index()] as usize..self.starts[fact.index() + 1] as usize
    }

    /// Builds what the outputs depend on.
    fn build(
        &mut self,
        net: &mut Net,
        outputs: Vec<FactId>,
        meter: &Meter<'_>,
    ) -> Result<(), Exhausted> {
        let needs = self.needs(outputs, meter)?;
        let fixed = needs.bytes() + size_of_val(&self.signals[..]) + size_of_val(&self.starts[..]);
        // The facts, component after component, and where the components end.
        let (mut order, mut ends) = (Vec::new(), Vec::new());
        for_each_component(
            needs.facts.len(),
            |fact, place| needs.of(fact).get(place).copied(),
            |component| {
                order.extend(component.iter().rev());
                ends.push(order.len());
            },
        );
        meter.check()?;
        let mut start = 0;
        for end in ends {
            let component = &order[start..end];
            start = end;
            let recursive = component.len() > 1 || needs.of(component[0]).contains(&component[0]);
            if recursive {
                for &member in component {
                    self.signals[needs.facts[member as usize].index()] = Some(net.knot());
                }
            }
            for &member in component {
                let fact = needs.facts[member as usize];
                meter.hold(Memory::Net, net.wire_bytes());
                meter.hold(Memory::Scratch, fixed);
                meter.spend(1 + needs.of(member).len())?;
                let operands: Vec<Signal> =
                    self.rules_of(fact).map(|place| self.conjunction(net, place)).collect();
                match self.signals[fact.index()] {
                    Some(knot) => net.tie(knot, &operands),
                    None => {
                        let or = match operands[..] {
                            [only] => only,
                            _ => net.add(Operation::Or, &operands),
                        };
                        self.signals[fact.index()] = Some(or);
                    }
                }
            }
        }
        Ok(())
    }

    /// What some facts depend on, themselves included, as far as it is still to be built.
    fn needs(&self, outputs: Vec<FactId>, meter: &Meter<'_>) -> Result<Needs, Exhausted> {
        let mut number = vec![NO_GATE; self.signals.len()];
        let mut needs = Needs { facts: Vec::new(), starts: vec![0], mentioned: Vec::new() };
        let mut open = outputs;
        while let Some(fact) = open.pop() {
            if self.signals[fact.index()].is_some() || number[fact.index()] != NO_GATE {
                continue;
            }
            number[fact.index()] = needs.facts.len() as u32;
            needs.facts.push(fact);
            for place in self.rules_of(fact) {
                open.extend(self.ground.body(self.rules[place] as usize).map(|l| l.fact));
            }
            meter.spend(1 + self.rules_of(fact).len())?;
        }
        for &fact in &needs.facts {
            for place in self.rules_of(fact) {
                let body = self.ground.body(self.rules[place] as usize);
                let numbers = body.map(|l| number[l.fact.index()]);
                needs.mentioned.extend(numbers.filter(|&number| number != NO_GATE));
            }
            needs.starts.push(needs.mentioned.len() as u32);
            meter.hold(Memory::Scratch, needs.bytes());
            meter.spend(1 + self.rules_of(fact).len())?;
        }
        Ok(needs)
    }

    /// The gate of a rule.
    fn conjunction(&self, net: &mut Net, place: usize) -> Signal {
        let body = self.ground.body(self.rules[place] as usize);
        let operands: Vec<Signal> =
            body.map(|l| self.signal(l.fact).negated_if(l.negated)).collect();
        match operands[..] {
            [only] => only,
            _ => net.add(Operation::And, &operands),
        }
    }
}

/// Facts to build.
struct Needs {
    facts: Vec<FactId>,
    /// By fact, by its place: where the facts that its rules mention begin.
    starts: Vec<u32>,
    /// Places of facts.
    mentioned: Vec<u32>,
}

impl Needs {
    /// The facts that the rules of one mention.
    fn of(&self, fact: u32) -> &[u32] {
        let (start, end) = (self.starts[fact as usize], self.starts[fact as usize + 1]);
        &self.mentioned[start as usize..end as usize]
    }

    fn bytes(&self) -> usize {
        4 * (self.facts.capacity() + self.starts.capacity() + self.mentioned.capacity())
    }
}
