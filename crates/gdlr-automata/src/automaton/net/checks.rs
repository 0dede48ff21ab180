//! Reachability checks as gates.
//!
//! If the walks of a check write nothing, only one question matters for a configuration: whether a
//! walk leads *from* it to the end. The walk to the configuration does not matter. So the question
//! is answered once for all checks that reach the configuration in the same state. In Hex a stone
//! asks whether it is connected with an edge of the board. This is one knot for all stones of a
//! colour, and not one for each stone.
//!
//! A check whose walks write is [followed](super::follow) from its beginning.

use super::NoNet;
use super::live::{is_live, walked};
use super::memory::MemoryId;
use super::rounds::Rounds;
use super::sheet::Sheet;
use super::walks::{
    At, Check, Configuration, Environment, Explored, Kind, KnownValue, Walks, walks,
};
use gdlr_net::net::Signal;
use gdlr_rg::rg::optimise::program::Label;
use gdlr_text::budget::Memory;
use hashbrown::HashMap;
use std::rc::Rc;

/// The deepest nesting of checks.
const MOST_NESTED: usize = 100;

/// The checks that already have gates.
#[derive(Default)]
pub(super) struct Answers {
    known: HashMap<Question, Signal>,
    walks: HashMap<(Check, Environment), Rc<Walks>>,
    /// By check: whether its walks write to variables that they do not know.
    writes: HashMap<Check, bool>,
    /// By check that does not write: the configurations that were met.
    explored: HashMap<Check, Explored>,
    /// By check, round and memory, and by configuration: the signal that a walk leads from it to
    /// the end.
    onwards: HashMap<(Check, usize, MemoryId), HashMap<u32, Signal>>,
    depth: usize,
}

#[derive(PartialEq, Eq, Hash)]
struct Question {
    check: Check,
    round: usize,
    environment: Environment,
    memory: MemoryId,
}

impl Rounds<'_> {
    /// The signal that a walk leads from one node of a check to the other.
    pub fn reach(
        &mut self,
        check: Check,
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Result<Signal, NoNet> {
        let (from, to) = check;
        if from == to {
            return Ok(Signal::TRUE);
        }
        let Some(reads) = self.live.checks.get(&check).cloned() else {
            return Ok(Signal::FALSE);
        };
        let needed = environment.iter().filter(|known| is_live(&reads, from, known.var));
        let environment: Environment =
            needed.map(|known| KnownValue { assigned: false, ..*known }).collect();
        let sheet = self.sheet;
        let memory = self.contents.only(memory, |slot| is_live(&reads, from, sheet.owner(slot)));
        let memory = self.noticed(check, &environment, memory);
        let round = self.number();
        let question = Question { check, round, environment, memory };
        if let Some(&known) = self.answers.known.get(&question) {
            return Ok(known);
        }
        if self.answers.depth == MOST_NESTED {
            return Err(NoNet::NestedChecks(sheet.text(from).to_owned()));
        }
        let writes = *self.answers.writes.entry(check).or_insert_with(|| writes(sheet, check));
        self.answers.depth += 1;
        let here = std::mem::take(&mut self.here);
        let environment = question.environment.clone();
        let answer = match writes {
            true => self.reach_onwards(check, environment, memory),
            false => self.reach_backwards(check, environment, memory),
        };
        self.here = here;
        self.answers.depth -= 1;
        let answer = answer?;
        self.answers.known.insert(question, answer);
        Ok(answer)
    }

    /// Follows a check from its beginning.
    fn reach_onwards(
        &mut self,
        (from, to): Check,
        environment: Environment,
        memory: MemoryId,
    ) -> Result<Signal, NoNet> {
        let key = ((from, to), environment);
        let walks_of_check = match self.answers.walks.get(&key) {
            Some(walks_of_check) => Rc::clone(walks_of_check),
            None => {
                let environment = key.1.clone();
                let start = Configuration { at: At::Node(from), environment, tags: [].into() };
                let kind = Kind::Check { from, to };
                let meter = self.wires.meter;
                let (walks_of_check, _) = walks(self.sheet, self.live, &kind, vec![start], meter)?;
                let walks_of_check = Rc::new(walks_of_check);
                self.answers.walks.insert(key, Rc::clone(&walks_of_check));
                walks_of_check
            }
        };
        let start = self.begin(&[Signal::TRUE], memory);
        let ends = self.follow(&walks_of_check, start.into_iter().map(|instance| (0, instance)))?;
        let signals: Vec<Signal> = ends.iter().map(|(_, instance)| instance.signal).collect();
        Ok(self.wires.or(&signals))
    }

    /// Computes from which configurations the end can be reached. Only configurations that this
    /// check needs, and that no other check has solved, are visited.
    fn reach_backwards(
        &mut self,
        check: Check,
        environment: Environment,
        memory: MemoryId,
    ) -> Result<Signal, NoNet> {
        let mut explored = self.answers.explored.remove(&check).unwrap_or_default();
        let state = (check, self.number(), memory);
        let mut onwards = self.answers.onwards.remove(&state).unwrap_or_default();
        let start = Configuration { at: At::Node(check.0), environment, tags: [].into() };
        let answer = self.solve(check, (&mut explored, &mut onwards), start, memory);
        self.wires.meter.hold(Memory::Rules, explored.bytes());
        self.answers.explored.insert(check, explored);
        self.answers.onwards.insert(state, onwards);
        answer
    }

    fn solve(
        &mut self,
        check: Check,
        (explored, onwards): (&mut Explored, &mut HashMap<u32, Signal>),
        start: Configuration,
        memory: MemoryId,
    ) -> Result<Signal, NoNet> {
        let (sheet, live) = (self.sheet, self.live);
        let start = explored.start((sheet, live), check, start);
        if let Some(&known) = onwards.get(&start) {
            return Ok(known);
        }
        let mut places: HashMap<u32, usize> = HashMap::from([(start, 0)]);
        let mut members = vec![start];
        // The configurations that reach the end in one step; and by member, its predecessors with
        // the conditions of their steps.
        let mut entries: Vec<(usize, Signal)> = Vec::new();
        let mut before: Vec<Vec<(usize, Signal)>> = vec![Vec::new()];
        let mut at = 0;
        while at < members.len() {
            self.wires.check()?;
            let steps = explored.steps((sheet, live), check, members[at]);
            self.wires.meter.spend(4 + 2 * steps.len())?;
            let environment = explored.at(members[at]).environment.clone();
            let mut values = HashMap::new();
            for step in steps.iter() {
                let condition = self.condition(step, &environment, memory, &mut values)?;
                if condition == Signal::FALSE {
                    continue;
                }
                let answer = match explored.at(step.to).at {
                    At::Found => Some(Signal::TRUE),
                    _ => onwards.get(&step.to).copied(),
                };
                if let Some(answer) = answer {
                    let both = self.wires.both(condition, answer);
                    if both != Signal::FALSE {
                        entries.push((at, both));
                    }
                    continue;
                }
                let to = *places.entry(step.to).or_insert(members.len());
                if to == members.len() {
                    members.push(step.to);
                    before.push(Vec::new());
                }
                before[to].push((at, condition));
            }
            at += 1;
        }
        let signals = self.knots(&entries, &before);
        onwards.extend(members.iter().copied().zip(signals.iter().copied()));
        Ok(signals[0])
    }
}

/// Whether walks of a check write to variables that they do not know.
fn writes(sheet: &Sheet, (from, to): Check) -> bool {
    let nodes = walked(sheet, from, to).into_iter().filter(|&node| node != to);
    let mut edges = nodes.flat_map(|node| sheet.program.edges_from(node));
    edges.any(|edge| match edge.label {
        Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
            sheet.as_known(target).is_none()
        }
        _ => false,
    })
}
