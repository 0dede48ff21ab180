//! The facts whose value follows from some facts of a state, by ternary simulation of the ground rules: what is not known
//! is neither true nor false.

use super::super::facts::{FactId, Ground, Value};
use super::late::Late;
use crate::net::{Net, Signal, never_together};
use gdlr_rules::gdl::Term;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Adjacency;
use hashbrown::HashMap;

/// By fact of a state: the facts that are false whenever it is true.
pub(super) struct Apart(HashMap<FactId, Vec<FactId>>);

impl Apart {
    /// Asks the net of a game for all pairs of facts. In a net of many facts, none are found.
    pub fn of(ground: &Ground, meter: &Meter<'_>) -> Result<Apart, Exhausted> {
        let net = Net::from_ground(ground, meter)?;
        let signals: HashMap<&Term, Signal> =
            net.fluents.iter().map(|bit| (&*bit.fact, bit.signal)).collect();
        let normal = ground.normal();
        let (mut facts, mut latches) = (Vec::new(), Vec::new());
        for fluent in &normal.fluents {
            for fact in ground.facts_of(fluent.base) {
                meter.spend(1)?;
                let row = ground.row_of(fluent.base, fact);
                let term = normal.decode_fact(fluent.fluent, fluent.base, row);
                if ground.value(fact) == Value::Varies
                    && let Some(&signal) = signals.get(&term)
                {
                    facts.push(fact);
                    latches.push(signal);
                }
            }
        }
        let mut places = Vec::new();
        if facts.len() <= MOST_FACTS {
            places.extend((0..facts.len()).flat_map(|b| (0..b).map(move |a| (a, b))));
        }
        let pairs: Vec<[Signal; 2]> =
            places.iter().map(|&(a, b)| [latches[a], latches[b]]).collect();
        let never = never_together(&net, &pairs, meter)?;
        let mut excluded: HashMap<FactId, Vec<FactId>> = HashMap::new();
        for ((a, b), never) in places.into_iter().zip(never) {
            if never {
                excluded.entry(facts[a]).or_default().push(facts[b]);
                excluded.entry(facts[b]).or_default().push(facts[a]);
            }
        }
        Ok(Apart(excluded))
    }
}

/// Pairs of more facts than this are not asked for: a proof of each takes time.
const MOST_FACTS: usize = 256;

/// Through how many rules, one after the other, the value of a fact is looked for.
const MOST_RULES: usize = 128;

/// What is known in a state of which some facts are known to be true.
pub(super) struct Known<'g> {
    ground: &'g Ground,
    apart: &'g Apart,
    /// By fact: its rules.
    rules: Adjacency<u32>,
    /// By assumption, from the first: the facts that were looked at since, each with its value if that follows. One that is
    /// being looked at has none.
    levels: Vec<HashMap<FactId, Option<bool>>>,
    /// Through how many rules the value of a fact is being looked for.
    depth: usize,
}

impl<'g> Known<'g> {
    pub fn new(ground: &'g Ground, apart: &'g Apart) -> Known<'g> {
        let rules = Adjacency::new(ground.fact_count(), || {
            (0..ground.rule_count()).map(|rule| (ground.head(rule).0, rule as u32))
        });
        let levels = vec![HashMap::new()];
        Known { ground, apart, rules, levels, depth: 0 }
    }

    /// Takes a fact to be true, until [`Known::forget`]. Whether it can be.
    pub fn assume(
        &mut self,
        fact: FactId,
        late: &Late<'_>,
        meter: &Meter<'_>,
    ) -> Result<bool, Exhausted> {
        let can_be = self.value(fact, late, meter)? != Some(false);
        let mut level: HashMap<FactId, Option<bool>> = self
            .apart
            .0
            .get(&fact)
            .into_iter()
            .flatten()
            .map(|&other| (other, Some(false)))
            .collect();
        level.insert(fact, Some(true));
        self.levels.push(level);
        Ok(can_be)
    }

    /// Takes back the last assumption.
    pub fn forget(&mut self) {
        self.levels.pop();
    }

    /// The value of a fact, if it is known.
    pub fn value(
        &mut self,
        fact: FactId,
        late: &Late<'_>,
        meter: &Meter<'_>,
    ) -> Result<Option<bool>, Exhausted> {
        if let Value::Constant(value) = late.value(fact) {
            return Ok(Some(value));
        }
        let known = |level: &HashMap<FactId, Option<bool>>| level.get(&fact).copied().flatten();
        if let Some(value) = self.levels.iter().rev().find_map(known) {
            return Ok(Some(value));
        }
        let level = self.levels.len() - 1;
        if self.levels[level].insert(fact, None).is_some() || self.depth == MOST_RULES {
            return Ok(None);
        }
        self.depth += 1;
        let value = self.by_rules(fact, late, meter)?;
        self.depth -= 1;
        self.levels[level].insert(fact, value);
        Ok(value)
    }

    /// The value of a fact by its rules. A fact of the state, a move, and a fact that was added have none.
    fn by_rules(
        &mut self,
        fact: FactId,
        late: &Late<'_>,
        meter: &Meter<'_>,
    ) -> Result<Option<bool>, Exhausted> {
        if fact.index() >= self.ground.fact_count() {
            return Ok(None);
        }
        let rules = self.rules.of(fact.index()).to_vec();
        let mut value = if rules.is_empty() { None } else { Some(false) };
        for rule in rules {
            meter.spend(1)?;
            match self.body(rule as usize, late, meter)? {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => value = None,
            }
        }
        Ok(value)
    }

    fn body(
        &mut self,
        rule: usize,
        late: &Late<'_>,
        meter: &Meter<'_>,
    ) -> Result<Option<bool>, Exhausted> {
        let mut value = Some(true);
        let ground = self.ground;
        for literal in ground.body(rule) {
            meter.spend(1)?;
            match self.value(literal.fact, late, meter)? {
                None => value = None,
                Some(fact) if fact == literal.negated => return Ok(Some(false)),
                Some(_) => {}
            }
        }
        Ok(value)
    }
}
