//! From ground rules to a net: a latch for each fluent, an input for each role and move, an
//! And gate for each rule, an Or gate for each derived fact.
//!
//! Only what the outputs depend on is built. Facts that depend on themselves become knots.

use super::gates::{FluentBit, Goal, Net, Operation, Percept, Signal};
use crate::ground::{FactId, Ground, Value};
use gdlr_engine::engine::RoleId;
use gdlr_rules::gdl::Term;
use gdlr_rules::normal::RelationId;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use gdlr_text::graph::for_each_component;
use gdlr_text::heap::{ALLOCATION, Heap, table_entry};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;
use std::sync::Arc;

const NO_GATE: u32 = u32::MAX;

/// Builds the net of a ground game, as it stands.
pub(super) fn from_ground(ground: &Ground, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let normal = ground.normal();
    let sources = Sources::of(ground, meter)?;
    let Sources { fluents, latches, inputs } = &sources;
    let mut net = Net::new(latches.len(), inputs.len(), ground.game().roles.len() as u16);
    let mut builder = Builder::new(ground, sources.bytes(), meter)?;
    for (latch, &(_, fact)) in net.latches.iter().zip(latches) {
        builder.signals[fact.index()] = Some(Signal::of(latch.gate));
    }
    for (input, &(_, fact)) in net.inputs.iter().zip(inputs) {
        builder.signals[fact.index()] = Some(Signal::of(input.gate));
    }

    let outputs = Outputs::of(ground);
    builder.build(&mut net, outputs.facts(&sources), meter)?;
    outputs.connect(&mut net, &sources, &builder, meter)?;
    let mut names = Names { bytes: net.bytes(), meter };
    name_moves(&mut net, ground, inputs, &mut names)?;
    for &(place, fact) in fluents {
        if ground.value(fact) != Value::Constant(false) {
            let f = normal.fluents[place];
            let row = ground.row_of(f.base, fact);
            let bit = FluentBit {
                fact: Arc::new(normal.decode_fact(f.fluent, f.base, row)),
                signal: builder.signal(fact),
            };
            names.hold(size_of::<FluentBit>() + 2 * ALLOCATION + bit.fact.whole())?;
            net.fluents.push(bit);
        }
    }
    meter.hold(Memory::Net, net.bytes());
    meter.check()?;
    net.fluents.sort_unstable_by(|a, b| a.fact.cmp(&b.fact));
    meter.hold(Memory::Scratch, 0);
    Ok(net)
}

/// The facts that a net is asked about.
struct Outputs<'g> {
    ground: &'g Ground,
    goals: Vec<(RoleId, FactId)>,
    percepts: Vec<(RoleId, FactId)>,
    terminal: Option<FactId>,
}

impl Outputs<'_> {
    fn of(ground: &Ground) -> Outputs<'_> {
        let normal = ground.normal();
        Outputs {
            ground,
            goals: of_roles(ground, normal.goal),
            percepts: normal.sees.map_or_else(Vec::new, |sees| of_roles(ground, sees)),
            terminal: ground.find(normal.terminal, &[]),
        }
    }

    /// That a latch is true in the next state.
    fn next(&self, &(place, fact): &(usize, FactId)) -> Option<FactId> {
        let f = self.ground.normal().fluents[place];
        self.ground.find(f.next, self.ground.row_of(f.base, fact))
    }

    /// That a move is legal.
    fn legal(&self, fact: FactId) -> Option<FactId> {
        let normal = self.ground.normal();
        self.ground.find(normal.legal, self.ground.row_of(normal.does, fact))
    }

    /// All of them.
    fn facts(&self, Sources { latches, inputs, .. }: &Sources) -> Vec<FactId> {
        let next = latches.iter().filter_map(|latch| self.next(latch));
        let legal = inputs.iter().filter_map(|&(_, fact)| self.legal(fact));
        let goals = self.goals.iter().map(|&(_, fact)| fact);
        let percepts = self.percepts.iter().map(|&(_, fact)| fact);
        next.chain(legal).chain(goals).chain(self.terminal).chain(percepts).collect()
    }

    /// Connects the outputs of a net with the gates that were built.
    fn connect(
        self,
        net: &mut Net,
        sources: &Sources,
        builder: &Builder<'_>,
        meter: &Meter<'_>,
    ) -> Result<(), Exhausted> {
        let (ground, normal) = (self.ground, self.ground.normal());
        let signal = |fact: Option<FactId>| fact.map_or(Signal::FALSE, |fact| builder.signal(fact));
        for (latch, at) in net.latches.iter_mut().zip(&sources.latches) {
            meter.spend(1)?;
            let f = normal.fluents[at.0];
            let initial = ground.find(f.init, ground.row_of(f.base, at.1));
            latch.initial = initial.is_some_and(|f| ground.value(f) == Value::Constant(true));
            latch.next = signal(self.next(at));
        }
        for (input, &(role, fact)) in net.inputs.iter_mut().zip(&sources.inputs) {
            input.role = role;
            input.legal = signal(self.legal(fact));
        }
        net.terminal = signal(self.terminal);
        let goal = |(role, fact)| {
            let value = normal.decode_arg(normal.goal, 1, ground.row_of(normal.goal, fact));
            Goal { role, value, signal: builder.signal(fact) }
        };
        net.goals = self.goals.into_iter().map(goal).collect();
        for (role, fact) in self.percepts {
            meter.spend(WORK_OF_NAME)?;
            let relation = normal.sees.expect("it has facts");
            let term = normal.decode_arg(relation, 1, ground.row_of(relation, fact));
            net.percepts.push(Percept { role, term, signal: builder.signal(fact) });
        }
        net.percepts.sort_unstable_by(|a, b| (a.role, &a.term).cmp(&(b.role, &b.term)));
        Ok(())
    }
}

/// Names the moves of inputs; those of several roles that have the same name have one number.
fn name_moves(
    net: &mut Net,
    ground: &Ground,
    inputs: &[(RoleId, FactId)],
    names: &mut Names<'_>,
) -> Result<(), Exhausted> {
    let normal = ground.normal();
    let mut moves = Vec::new();
    let (mut numbers, hasher) = (HashTable::new(), DefaultHashBuilder::default());
    for (input, &(_, fact)) in net.inputs.iter_mut().zip(inputs) {
        let term = normal.decode_arg(normal.does, 1, ground.row_of(normal.does, fact));
        let (moves_so_far, hash): (&[Term], u64) = (&moves, hasher.hash_one(&term));
        input.term = match numbers.find(hash, |&at: &u32| moves_so_far[at as usize] == term) {
            Some(&number) => number,
            None => {
                let number = moves.len() as u32;
                names.hold(term.whole() + table_entry::<u32>())?;
                moves.push(term);
                let rehash = |&at: &u32| hasher.hash_one(&moves[at as usize]);
                numbers.insert_unique(hash, number, rehash);
                number
            }
        };
    }
    net.moves = Arc::new(moves);
    Ok(())
}

/// The facts of a relation whose first argument is a role, and whose.
fn of_roles(ground: &Ground, relation: RelationId) -> Vec<(RoleId, FactId)> {
    let facts = ground.facts_of(relation);
    let possible = facts.filter(|&fact| ground.value(fact) != Value::Constant(false));
    let of_role = |fact| {
        let role = ground.normal().decode_arg(relation, 0, ground.row_of(relation, fact));
        Some((role_of(ground, &role)?, fact))
    };
    possible.filter_map(of_role).collect()
}

fn role_of(ground: &Ground, term: &Term) -> Option<RoleId> {
    let roles = &ground.game().roles;
    roles.iter().position(|role| role == term).map(|r| RoleId(r as u16))
}

/// The facts that become latches and inputs.
struct Sources {
    /// All fluents: the place among those of the normal form, and the fact.
    fluents: Vec<(usize, FactId)>,
    /// Those that change.
    latches: Vec<(usize, FactId)>,
    inputs: Vec<(RoleId, FactId)>,
}

impl Sources {
    fn of(ground: &Ground, meter: &Meter<'_>) -> Result<Sources, Exhausted> {
        let normal = ground.normal();
        let fluents: Vec<(usize, FactId)> = (normal.fluents.iter().enumerate())
            .flat_map(|(place, f)| ground.facts_of(f.base).map(move |fact| (place, fact)))
            .collect();
        meter.spend(fluents.len())?;
        let varies = |&(_, fact): &(usize, FactId)| ground.value(fact) == Value::Varies;
        let latches = fluents.iter().copied().filter(varies).collect();
        let mut inputs = Vec::new();
        for fact in ground.facts_of(normal.does) {
            meter.spend(WORK_OF_NAME)?;
            if ground.value(fact) != Value::Constant(false) {
                let role = normal.decode_arg(normal.does, 0, ground.row_of(normal.does, fact));
                inputs.extend(role_of(ground, &role).map(|role| (role, fact)));
            }
        }
        Ok(Sources { fluents, latches, inputs })
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.fluents[..])
            + size_of_val(&self.latches[..])
            + size_of_val(&self.inputs[..])
    }
}

/// How much memory the names of a net take, while they are made.
struct Names<'m> {
    bytes: usize,
    meter: &'m Meter<'m>,
}

impl Names<'_> {
    fn hold(&mut self, bytes: usize) -> Result<(), Exhausted> {
        self.bytes += bytes;
        self.meter.hold(Memory::Net, self.bytes);
        self.meter.spend(WORK_OF_NAME)
    }
}

/// How much work it is to make a term of a row.
const WORK_OF_NAME: usize = 16;

/// How much memory a builder takes for each fact: its signal, and where its rules begin, twice.
const BYTES_OF_FACT: usize = size_of::<Option<Signal>>() + 2 * 4;

/// How much memory it takes to bring facts into order, for each of them.
const BYTES_OF_ORDER: usize = 32;

struct Builder<'g> {
    ground: &'g Ground,
    /// By fact: what says whether it is true.
    signals: Vec<Option<Signal>>,
    /// By fact: the range of its rules in `rules`.
    starts: Vec<u32>,
    rules: Vec<u32>,
    /// How much memory this and what it is made from take.
    bytes: usize,
}

impl<'g> Builder<'g> {
    /// A builder beside which there is so much other memory.
    fn new(ground: &'g Ground, beside: usize, meter: &Meter<'_>) -> Result<Self, Exhausted> {
        let bytes = beside + BYTES_OF_FACT * ground.fact_count() + 4 * ground.rule_count();
        meter.hold(Memory::Scratch, bytes);
        meter.check()?;
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
        Ok(Builder { ground, signals, starts, rules, bytes })
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
        let fixed = self.bytes + needs.bytes() + BYTES_OF_ORDER * needs.facts.len();
        meter.hold(Memory::Scratch, fixed);
        meter.check()?;
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
        meter.hold(Memory::Scratch, self.bytes);
        Ok(())
    }

    /// The facts on which some facts depend, themselves included, as far as they are still to be built.
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
            meter.hold(Memory::Scratch, self.bytes + 4 * number.len() + needs.bytes());
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
