//! Relations that have too many facts, and that goals alone ask.
//!
//! A goal of "eight queens" asks whether what stands on the board can be completed:
//!
//! ```text
//! (<= (goal white 25) (true (step 3)) (true (queen a ?1)) (true (queen b ?2)) (solution ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8))
//! (<= (solution ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8) (rank ?1) (rank ?2) (not (attacks a ?1 b ?2)) (rank ?3) ...)
//! ```
//!
//! The relation `solution` has a fact for each of 8^8 rows, with 28 conditions about the state. But few of its rows matter to a
//! goal. After three steps the files c to h are empty, so that no queen there stands between others; and a file has one
//! queen. So each of the conditions is decided by the queens that the goal names, and 92 rows are left for all goals.
//!
//! 1. [`set_aside`] takes such relations out of the program, and with them the rules of goals. [`unfold`] puts the rules of the
//!    relations into those of the goals.
//! 2. The other rules are grounded. The net that they make says which facts are never true together
//!    ([`never_together`](crate::net::never_together)).
//! 3. [`join`] makes the instances of the rules that were taken out. [`known`] decides conditions by what is true already, as
//!    far as a join has come.

mod join;
mod known;
mod late;
mod unfold;

#[cfg(test)]
mod tests;

use super::program::{Atom, Program, RelationIndex, Rule};
use super::sizes::Sizes;
use crate::tuning::Tuning;
use gdlr_rules::normal::{Normal, Question, RelationId};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::reached;

/// Rules with more conditions are not unfolded.
const MOST_CONDITIONS: usize = 256;

/// What is grounded after all else.
#[derive(Debug, Default)]
pub(super) struct Wide {
    /// How many relations have too many facts. No rule asks them any more.
    pub count: usize,
    /// How many facts one of them may have, at most.
    pub most_facts: f64,
    /// Those of them that the normal form has: others are branches of a disjunction.
    pub relations: Vec<RelationId>,
    /// The rules of goals and of what only goals ask, each after the rules of what it asks.
    rules: Vec<Rule>,
}

/// Takes relations with too many facts out of a program if goals alone ask them, and the rules that depend on them.
pub(super) fn set_aside(
    program: &mut Program,
    normal: &Normal,
    sizes: &Sizes,
    tuning: &Tuning,
    meter: &Meter<'_>,
) -> Result<Option<Wide>, Exhausted> {
    let large = |relation: &RelationIndex| {
        program.dynamic[relation.index()] && sizes.rows[relation.index()] > tuning.most_facts
    };
    let all = (0..program.widths.len() as u32).map(RelationIndex);
    let large: Vec<RelationIndex> = all.filter(large).collect();
    if large.is_empty() {
        return Ok(None);
    }
    let uses = Uses::of(program, normal);
    let wide = uses.for_goals_alone(large, meter)?;
    if wide.is_empty() {
        return Ok(None);
    }
    let late = uses.dependents(wide.iter().copied());
    let is_wide = |atom: &Atom| wide.contains(&atom.relation);
    let of_late = |rule: &&Rule| late[rule.head.relation.index()];
    let (definitions, mut asking): (Vec<Rule>, Vec<Rule>) =
        program.rules.iter().filter(of_late).cloned().partition(|rule| is_wide(&rule.head));
    let mut order = vec![0; program.widths.len()];
    for (place, relation) in program.components.iter().flatten().enumerate() {
        order[relation.index()] = place;
    }
    asking.sort_by_key(|rule| order[rule.head.relation.index()]);
    let Some(rules) = unfold::unfold(asking, &definitions, is_wide, meter)? else {
        return Ok(None);
    };
    program.rules.retain(|rule| !late[rule.head.relation.index()]);
    let is_of_form = |relation: &&RelationIndex| relation.index() < normal.relations.len();
    let relations = wide.iter().filter(is_of_form).map(|relation| RelationId(relation.0)).collect();
    let most_facts = wide.iter().map(|relation| sizes.rows[relation.index()]).fold(0.0, f64::max);
    Ok(Some(Wide { count: wide.len(), most_facts, relations, rules }))
}

/// What the relations of a program are asked for.
struct Uses<'p> {
    program: &'p Program,
    /// By relation: the numbers of the rules that ask it.
    readers: Vec<Vec<u32>>,
    /// By relation: whether play asks it, goals apart.
    is_of_play: Vec<bool>,
}

impl<'p> Uses<'p> {
    fn of(program: &'p Program, normal: &Normal) -> Uses<'p> {
        let mut readers = vec![Vec::new(); program.widths.len()];
        for (number, rule) in program.rules.iter().enumerate() {
            for atom in rule.positive.iter().chain(&rule.negative) {
                readers[atom.relation.index()].push(number as u32);
            }
        }
        let mut is_of_play = vec![false; program.widths.len()];
        let given = normal.fluents.iter().flat_map(|fluent| [fluent.base, fluent.init]);
        let questions = Question::ALL.into_iter().filter(|&question| question != Question::Goal);
        let answers = questions.flat_map(|question| normal.answers(question));
        for asked in given.chain(answers).chain([normal.does]) {
            is_of_play[asked.index()] = true;
        }
        Uses { program, readers, is_of_play }
    }

    /// By relation: whether it depends on some of these, or is one of them.
    fn dependents(&self, relations: impl Iterator<Item = RelationIndex>) -> Vec<bool> {
        reached(self.program.widths.len(), relations, |relation| {
            self.readers[relation.index()]
                .iter()
                .map(|&rule| self.program.rules[rule as usize].head.relation)
        })
    }

    /// Those of some relations that can be unfolded: only goals depend on them, no rule asks for their absence, and no
    /// relation that depends on them asks itself.
    fn for_goals_alone(
        &self,
        relations: Vec<RelationIndex>,
        meter: &Meter<'_>,
    ) -> Result<Vec<RelationIndex>, Exhausted> {
        let mut found = Vec::new();
        for relation in relations {
            meter.spend(self.program.rules.len())?;
            let dependents = self.dependents(std::iter::once(relation));
            let goes_late = |component: &Vec<RelationIndex>| match component[..] {
                [one] if dependents[one.index()] => {
                    !self.is_of_play[one.index()] && !self.asks_itself(one)
                }
                _ => component.iter().all(|relation| !dependents[relation.index()]),
            };
            if self.is_unfoldable(relation) && self.program.components.iter().all(goes_late) {
                found.push(relation);
            }
        }
        Ok(found)
    }

    fn asks_itself(&self, relation: RelationIndex) -> bool {
        let asking = self.readers[relation.index()].iter();
        asking
            .map(|&rule| &self.program.rules[rule as usize])
            .any(|rule| rule.head.relation == relation)
    }

    /// Whether rules ask a relation, none for its absence, and no rule is long.
    fn is_unfoldable(&self, relation: RelationIndex) -> bool {
        let readers = &self.readers[relation.index()];
        let is_short = |rule: &Rule| {
            rule.positive.len() <= MOST_CONDITIONS
                && rule.negative.iter().all(|atom| atom.relation != relation)
        };
        let own = self.program.rules.iter().filter(|rule| rule.head.relation == relation);
        !readers.is_empty()
            && readers.iter().all(|&rule| is_short(&self.program.rules[rule as usize]))
            && own.clone().all(is_short)
    }
}
