//! The facts whose value follows from some facts of a state, by ternary simulation of the ground rules: what is not known
//! is neither true nor false.

use super::super::facts::{FactId, Ground, Value};
use super::late::Late;
use crate::net::{Net, Signal, never_together};
use fixedbitset::FixedBitSet;
use gdlr_rules::gdl::Term;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Adjacency;
use hashbrown::{HashMap, HashSet};

/// The facts of a state of which no two are true together.
pub(super) struct Apart {
    /// The facts that change, and by fact: its place among them.
    facts: Vec<FactId>,
    place: HashMap<FactId, usize>,
    /// By place: the places of facts that are false whenever this one is true.
    excluded: Vec<FixedBitSet>,
}

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
        let mut excluded = vec![FixedBitSet::with_capacity(facts.len()); facts.len()];
        for ((a, b), never) in places.into_iter().zip(never) {
            if never {
                excluded[a].insert(b);
                excluded[b].insert(a);
            }
        }
        let place = facts.iter().enumerate().map(|(place, &fact)| (fact, place)).collect();
        Ok(Apart { facts, place, excluded })
    }

    /// The facts that are false whenever a fact is true.
    fn excluded_by(&self, fact: FactId) -> impl Iterator<Item = FactId> + '_ {
        let places = self.place.get(&fact).map(|&place| self.excluded[place].ones());
        places.into_iter().flatten().map(|place| self.facts[place])
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
    /// By assumption, from the first: what follows from it and those before.
    levels: Vec<HashMap<FactId, bool>>,
    /// The facts that were looked at since the last assumption, and are not known; and those being looked at.
    open: Vec<HashSet<FactId>>,
    /// Through how many rules the value of a fact is being looked for.
    depth: usize,
}

impl<'g> Known<'g> {
    pub fn new(ground: &'g Ground, apart: &'g Apart) -> Known<'g> {
        let rules = Adjacency::new(ground.fact_count(), || {
            (0..ground.rule_count()).map(|rule| (ground.head(rule).0, rule as u32))
        });
        let levels = vec![HashMap::new()];
        Known { ground, apart, rules, levels, open: vec![HashSet::new()], depth: 0 }
    }

    /// Takes a fact to be true, until [`Known::forget`]. Whether it can be.
    pub fn assume(
        &mut self,
        fact: FactId,
        late: &Late<'_>,
        meter: &Meter<'_>,
    ) -> Result<bool, Exhausted> {
        let can_be = self.value(fact, late, meter)? != Some(false);
        let mut level: HashMap<FactId, bool> =
            self.apart.excluded_by(fact).map(|other| (other, false)).collect();
        level.insert(fact, true);
        self.levels.push(level);
        self.open.push(HashSet::new());
        Ok(can_be)
    }

    /// Takes back the last assumption.
    pub fn forget(&mut self) {
        self.levels.pop();
        self.open.pop();
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
        if let Some(&value) = self.levels.iter().rev().find_map(|level| level.get(&fact)) {
            return Ok(Some(value));
        }
        let open = self.open.last_mut().expect("one more than assumptions");
        if !open.insert(fact) || self.depth == MOST_RULES {
            return Ok(None);
        }
        self.depth += 1;
        let value = self.by_rules(fact, late, meter)?;
        self.depth -= 1;
        if let Some(value) = value {
            self.levels.last_mut().expect("one more than assumptions").insert(fact, value);
        }
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
