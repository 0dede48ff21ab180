//! From ground rules to a net: a latch for each fluent, an input for each role and move, an
//! And gate for each rule, an Or gate for each derived fact.
//!
//! Only what the outputs depend on is built. Facts that depend on themselves become knots.

use super::gates::{FluentBit, Goal, Net, Operation, Signal};
use crate::engine::RoleId;
use crate::gdl::Term;
use crate::graph::strongly_connected;
use crate::ground::{FactId, Ground, Value};
use hashbrown::HashMap;

const NO_GATE: u32 = u32::MAX;

/// Builds the net of a ground game, as it stands.
pub(super) fn from_ground(ground: &Ground) -> Net {
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
    let mut builder = Builder::new(ground);
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
    builder.build(&mut net, outputs.collect());

    let signal = |fact: Option<FactId>| fact.map_or(Signal::FALSE, |fact| builder.signal(fact));
    for ((latch, &(place, fact)), &next) in net.latches.iter_mut().zip(&varying).zip(&nexts) {
        let f = normal.fluents[place];
        let initial = ground.find(f.init, ground.row_of(f.base, fact));
        latch.initial = initial.is_some_and(|f| ground.value(f) == Value::Constant(true));
        latch.next = signal(next);
    }
    let mut numbers: HashMap<Term, u32> = HashMap::new();
    for ((input, &(role, fact)), &legal) in net.inputs.iter_mut().zip(&inputs).zip(&legals) {
        let term = normal.decode_arg(normal.does, 1, ground.row_of(normal.does, fact));
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
    net.fluents = latches
        .iter()
        .filter(|&&(_, fact)| ground.value(fact) != Value::Constant(false))
        .map(|&(place, fact)| {
            let f = normal.fluents[place];
            let row = ground.row_of(f.base, fact);
            FluentBit {
                fact: normal.decode_fact(f.fluent, f.base, row),
                signal: builder.signal(fact),
            }
        })
        .collect();
    net.fluents.sort_unstable_by(|a, b| a.fact.cmp(&b.fact));
    net
}

struct Builder<'g> {
    ground: &'g Ground,
    /// By fact: what says whether it is true.
    signals: Vec<Option<Signal>>,
    /// By fact: the range of its rules in `rules`.
    starts: Vec<u32>,
    rules: Vec<u32>,
}

impl<'g> Builder<'g> {
    fn new(ground: &'g Ground) -> Self {
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
        Builder { ground, signals, starts, rules }
    }

    fn signal(&self, fact: FactId) -> Signal {
        self.signals[fact.index()].unwrap_or(Signal::FALSE)
    }

    fn rules_of(&self, fact: FactId) -> std::ops::Range<usize> {
        self.starts[fact.index()] as usize..self.starts[fact.index() + 1] as usize
    }

    /// Builds what the outputs depend on.
    fn build(&mut self, net: &mut Net, outputs: Vec<FactId>) {
        // Facts to build, numbered, with the facts that their rules mention.
        let mut number = vec![NO_GATE; self.signals.len()];
        let mut needed: Vec<FactId> = Vec::new();
        let mut open = outputs;
        let mut successors: Vec<Vec<u32>> = Vec::new();
        while let Some(fact) = open.pop() {
            if self.signals[fact.index()].is_some() || number[fact.index()] != NO_GATE {
                continue;
            }
            number[fact.index()] = needed.len() as u32;
            needed.push(fact);
            for place in self.rules_of(fact) {
                open.extend(self.ground.body(self.rules[place] as usize).map(|l| l.fact));
            }
        }
        for &fact in &needed {
            let mut mentioned = Vec::new();
            for place in self.rules_of(fact) {
                let body = self.ground.body(self.rules[place] as usize);
                mentioned.extend(
                    body.map(|l| number[l.fact.index()]).filter(|&number| number != NO_GATE),
                );
            }
            successors.push(mentioned);
        }
        for component in strongly_connected(&successors) {
            let recursive =
                component.len() > 1 || successors[component[0] as usize].contains(&component[0]);
            if recursive {
                for &member in &component {
                    self.signals[needed[member as usize].index()] = Some(net.knot());
                }
            }
            for &member in &component {
                let fact = needed[member as usize];
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
