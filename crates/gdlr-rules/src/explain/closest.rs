//! How near a rule comes to giving a sentence that does not hold.
//!
//! The conditions of a rule are looked at in their order in the text; tests wait until what they
//! test is bound. Of all ways to bind the variables, the one that gets furthest is the closest
//! instance, and the condition at which it ends is the one that fails.

use super::error::ExplainError;
use super::program::{Code, Condition, ConditionId, Kind, Timed};
use super::tables::Tables;
use super::terms::{Bindings, Pattern, TermId};
use gdlr_text::budget::Meter;

/// The most ways to bind variables that are tried for a rule.
const TRIES: usize = 20_000;

/// The closest instance of a rule.
pub(super) struct Attempt {
    /// The place of the rule in the program.
    pub(super) code: u32,
    pub(super) bound: Bindings,
    /// The conditions that hold, in the order in which they were looked at.
    pub(super) held: Vec<ConditionId>,
    /// The condition that fails; of an `or`, the one of each alternative. Nothing if all hold,
    /// and then the head is another one.
    pub(super) failed: Vec<(ConditionId, Bindings)>,
    /// Whether all ways were tried.
    pub(super) is_complete: bool,
}

/// The work list.
#[derive(Clone, Copy, Debug)]
enum Todo {
    Condition(ConditionId),
    /// An alternative ends here.
    End,
}

/// A way to bind variables, so far.
#[derive(Clone)]
struct Way {
    bound: Bindings,
    /// From the last to the first.
    todo: Vec<Todo>,
    held: Vec<ConditionId>,
    /// How many conditions of the body hold.
    level: usize,
    /// Within an alternative of the body: which `or` it was, on which way; and which alternative.
    within: Option<(usize, u32)>,
}

/// Where the best way ended.
struct Best {
    level: usize,
    /// The `or` that it ended in.
    within: Option<usize>,
    held: Vec<ConditionId>,
    bound: Bindings,
    /// With the alternative in which it stands.
    failed: Vec<(Option<u32>, ConditionId, Bindings)>,
}

/// The closest instance of every rule that could give a row of a goal without rows.
///
/// # Errors
///
/// As [`Tables::matching`].
pub(super) fn attempts(
    tables: &mut Tables<'_>,
    timed: Timed,
    pattern: &Pattern,
    meter: &Meter<'_>,
) -> Result<Vec<Attempt>, ExplainError> {
    let program = tables.program;
    let mut attempts = Vec::new();
    for &number in &program.relations[timed.relation as usize].codes {
        let code = &program.codes[number as usize];
        let mut bound = vec![TermId::NONE; code.variables].into_boxed_slice();
        if tables.terms.meets(&code.head, pattern, &mut bound) {
            attempts.push(Search { tables, timed, code, meter }.closest(number, bound)?);
        }
    }
    Ok(attempts)
}

struct Search<'s, 'p> {
    tables: &'s mut Tables<'p>,
    timed: Timed,
    code: &'p Code,
    meter: &'s Meter<'s>,
}

impl<'p> Search<'_, 'p> {
    fn closest(&mut self, number: u32, bound: Bindings) -> Result<Attempt, ExplainError> {
        let mut best: Option<Best> = None;
        let mut stack = vec![Way {
            todo: self.code.body.iter().rev().map(|&at| Todo::Condition(at)).collect(),
            bound,
            held: Vec::new(),
            level: 0,
            within: None,
        }];
        let mut tries = 0;
        while tries < TRIES
            && let Some(mut way) = stack.pop()
        {
            tries += 1;
            self.meter.spend(1 + way.todo.len())?;
            let Some(at) = self.next(&way) else {
                if let Some(Todo::End) = way.todo.pop() {
                    way.within = None;
                    way.level += 1;
                    stack.push(way);
                } else {
                    // Everything holds: another head.
                    let level = usize::MAX;
                    let Way { held, bound, .. } = way;
                    best = Some(Best { level, within: None, held, bound, failed: Vec::new() });
                }
                continue;
            };
            if way.within.is_some() && !self.is_ready(&way, at) && self.may_bind(&way) {
                // The rest of the alternative waits for conditions behind it.
                way.todo.retain(|todo| matches!(todo, Todo::Condition(_)));
                way.todo.push(Todo::End);
                stack.push(way);
                continue;
            }
            let Todo::Condition(condition) = way.todo.remove(at) else { continue };
            let before = stack.len();
            self.look(&way, condition, tries, &mut stack)?;
            if stack.len() == before {
                note(&mut best, &way, condition);
            }
        }
        let is_complete = stack.is_empty();
        let Some(Best { held, bound, failed, .. }) = best else {
            let held = Vec::new();
            let bound = vec![TermId::NONE; self.code.variables].into();
            return Ok(Attempt { code: number, bound, held, failed: Vec::new(), is_complete });
        };
        let failed = failed.into_iter().map(|(_, condition, bound)| (condition, bound)).collect();
        Ok(Attempt { code: number, bound, held, failed, is_complete })
    }

    fn condition(&self, number: ConditionId) -> &'p Condition {
        &self.code.conditions[number as usize]
    }

    /// The condition to look at next, as a place in `todo`: the first one whose variables are
    /// bound as far as they must be. `None` where an alternative or everything ends.
    fn next(&self, way: &Way) -> Option<usize> {
        let is_end = |todo: &Todo| matches!(todo, Todo::End);
        let from = way.todo.iter().rposition(is_end).map_or(0, |at| at + 1);
        // The fewer, the sooner.
        let urgency = |&at: &usize| {
            let Todo::Condition(number) = way.todo[at] else { return 0 };
            match &self.condition(number).kind {
                _ if self.is_ready(way, at) => 0,
                Kind::Same(..) => 1,
                Kind::Or(_) => 2,
                Kind::Fails(_) => 3,
                Kind::Holds(_) | Kind::Distinct(..) => 4,
            }
        };
        (from..way.todo.len()).rev().min_by_key(urgency)
    }

    /// Whether a condition can be looked at: a test when its variables are bound.
    fn is_ready(&self, way: &Way, at: usize) -> bool {
        let Todo::Condition(number) = way.todo[at] else { return true };
        let Condition { kind, shared, .. } = self.condition(number);
        let is_bound = |v: &u16| way.bound[usize::from(*v)].is_some();
        matches!(kind, Kind::Holds(_)) || shared.iter().all(is_bound)
    }

    /// Whether there are conditions behind an alternative that may bind variables.
    fn may_bind(&self, way: &Way) -> bool {
        let behind = way.todo.iter().take_while(|todo| matches!(todo, Todo::Condition(_)));
        behind.into_iter().any(|todo| match todo {
            Todo::Condition(number) => {
                matches!(
                    self.condition(*number).kind,
                    Kind::Holds(_) | Kind::Or(_) | Kind::Same(..)
                )
            }
            Todo::End => false,
        })
    }

    /// Looks at a condition, and pushes all ways on.
    fn look(
        &mut self,
        way: &Way,
        number: ConditionId,
        tries: usize,
        stack: &mut Vec<Way>,
    ) -> Result<(), ExplainError> {
        let condition = self.condition(number);
        let level = way.level + usize::from(way.within.is_none());
        let mut go_on = |bound: Bindings| {
            let mut next = Way { bound, level, ..way.clone() };
            next.held.push(number);
            stack.push(next);
        };
        let terms = &mut self.tables.terms;
        match &condition.kind {
            Kind::Distinct(left, right) => {
                let values = (terms.instance(left, &way.bound), terms.instance(right, &way.bound));
                if let (Some(left), Some(right)) = values
                    && left != right
                {
                    go_on(way.bound.clone());
                }
            }
            Kind::Same(left, right) if left == right => go_on(way.bound.clone()),
            Kind::Same(left, right) => {
                let (value, other) = match terms.instance(left, &way.bound) {
                    Some(value) => (Some(value), right),
                    None => (terms.instance(right, &way.bound), left),
                };
                let mut bound = way.bound.clone();
                if value.is_some_and(|value| terms.unify(other, value, &mut bound)) {
                    go_on(bound);
                }
            }
            Kind::Holds(atom) | Kind::Fails(atom) => {
                let pattern = terms.pattern(&atom.args, &way.bound);
                let timed = self.tables.program.at(atom.relation, self.timed.time);
                let rows = self.tables.matching(timed, &pattern, self.meter)?;
                if let Kind::Fails(_) = condition.kind {
                    if rows.is_empty() {
                        go_on(way.bound.clone());
                    }
                    return Ok(());
                }
                for row in rows.iter().take(TRIES).rev() {
                    let mut bound = way.bound.clone();
                    if self.tables.terms.unify_all(&atom.args, row, &mut bound) {
                        go_on(bound);
                    }
                }
            }
            Kind::Or(ways) => {
                for (place, conditions) in ways.iter().enumerate().rev() {
                    let mut next = way.clone();
                    if next.within.is_none() {
                        next.within = Some((tries, place as u32));
                        next.todo.push(Todo::End);
                    }
                    next.todo.extend(conditions.iter().rev().map(|&at| Todo::Condition(at)));
                    stack.push(next);
                }
            }
        }
        Ok(())
    }
}

/// Notes that a way ended at a condition.
fn note(best: &mut Option<Best>, way: &Way, condition: ConditionId) {
    let alternative = way.within.map(|(_, alternative)| alternative);
    let failed = (alternative, condition, way.bound.clone());
    match best {
        // Another alternative of the same `or`.
        Some(best)
            if best.level == way.level
                && best.within.is_some()
                && best.within == way.within.map(|(or, _)| or) =>
        {
            if best.failed.iter().all(|(other, ..)| *other != alternative) {
                best.failed.push(failed);
            }
        }
        Some(best) if best.level >= way.level => {}
        _ => {
            *best = Some(Best {
                level: way.level,
                within: way.within.map(|(or, _)| or),
                held: way.held.clone(),
                bound: way.bound.clone(),
                failed: vec![failed],
            });
        }
    }
}
