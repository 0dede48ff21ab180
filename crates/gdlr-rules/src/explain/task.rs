//! How a task goes on: the conditions of a rule, one after another, and its head at the end.

use super::error::ExplainError;
use super::program::{Atom, Condition, ConditionId, Kind, Source, Time, Timed};
use super::tables::{Instance, Reason, Tables, Task, Todo, Waiting};
use super::terms::MOST_DEPTH;
use crate::gdl::{Term, Variable};
use gdlr_text::budget::Meter;
use gdlr_text::diagnostic::{Code, Diagnostic, counted};
use gdlr_text::heap::{ALLOCATION, Heap};
use std::sync::Arc;

impl Tables<'_> {
    /// Takes a task as far as it goes without waiting, in all the ways there are.
    pub(super) fn advance(&mut self, task: Task, meter: &Meter<'_>) -> Result<(), ExplainError> {
        let mut stack = vec![task];
        while let Some(mut task) = stack.pop() {
            meter.spend(1)?;
            let goal = &self.goals[task.goal as usize];
            // Once is enough for what has no variables.
            if goal.is_ground && !goal.answers.is_empty() {
                continue;
            }
            let time = goal.timed.time;
            let Some(at) = self.choose(&task, time) else {
                match task.todo.pop() {
                    None => self.finish(task, &mut stack, meter)?,
                    Some(Todo::Commit(cell)) => {
                        if !std::mem::replace(&mut self.committed[cell as usize], true) {
                            stack.push(task);
                        }
                    }
                    Some(Todo::Condition(_)) => {}
                }
                continue;
            };
            let Todo::Condition(number) = task.todo.remove(at) else { continue };
            self.go_on(task, number, &mut stack, meter)?;
        }
        Ok(())
    }

    /// Goes on with a condition of a task that was not looked at: adds the ways in which it holds to a
    /// stack, or lets the task wait for answers.
    fn go_on(
        &mut self,
        mut task: Task,
        number: ConditionId,
        stack: &mut Vec<Task>,
        meter: &Meter<'_>,
    ) -> Result<(), ExplainError> {
        let condition = self.condition(&task, number);
        match &condition.kind {
            Kind::Distinct(left, right) => {
                if self.are_distinct(&task, condition, left, right)? {
                    stack.push(task);
                }
            }
            Kind::Same(left, right) => {
                if self.unify_same(&mut task, condition, left, right)? {
                    stack.push(task);
                }
            }
            Kind::Holds(atom) => self.hold_by(task, number, atom, stack, meter)?,
            Kind::Fails(atom) => self.fail_by(task, number, atom, stack, meter)?,
            Kind::Or(ways) => {
                if self.is_bound(&condition.shared, &task) {
                    task.todo.push(Todo::Commit(self.committed.len() as u32));
                    self.committed.push(false);
                }
                for (way, conditions) in ways.iter().enumerate().rev() {
                    let mut next = task.clone();
                    next.todo.extend(conditions.iter().map(|&inner| Todo::Condition(inner)));
                    next.chosen.push((number, way as u32));
                    stack.push(next);
                }
            }
        }
        Ok(())
    }

    /// Whether two terms are different; none is from itself, whatever its variables stand for.
    fn are_distinct(
        &mut self,
        task: &Task,
        condition: &Condition,
        left: &Term,
        right: &Term,
    ) -> Result<bool, ExplainError> {
        if left == right {
            return Ok(false);
        }
        let left = self.terms.instance(left, &task.bound);
        let right = self.terms.instance(right, &task.bound);
        match (left, right) {
            (Some(left), Some(right)) => Ok(left != right),
            _ => Err(self.unbound(task, condition).into()),
        }
    }

    /// Makes two terms the same, if they can be; each is the same as itself, whatever its variables
    /// stand for.
    fn unify_same(
        &mut self,
        task: &mut Task,
        condition: &Condition,
        left: &Term,
        right: &Term,
    ) -> Result<bool, ExplainError> {
        if left == right {
            return Ok(true);
        }
        let value = self.terms.instance(left, &task.bound);
        let (value, other) = match value {
            Some(value) => (Some(value), right),
            None => (self.terms.instance(right, &task.bound), left),
        };
        let Some(value) = value else { return Err(self.unbound(task, condition).into()) };
        Ok(self.terms.unify(other, value, &mut task.bound))
    }

    /// Goes on with each row that a sentence has; where rules make them, with those that are known,
    /// and waits for others.
    fn hold_by(
        &mut self,
        task: Task,
        number: ConditionId,
        atom: &Atom,
        stack: &mut Vec<Task>,
        meter: &Meter<'_>,
    ) -> Result<(), ExplainError> {
        let timed = self.timed(&task, atom.relation);
        let pattern = self.terms.pattern(&atom.args, &task.bound);
        if let Some(rows) = self.given(timed) {
            let numbers = rows.matching(&pattern, &self.terms);
            meter.spend(numbers.len())?;
            for &row in numbers.iter().rev() {
                let row = &rows.rows()[row as usize];
                let mut next = task.clone();
                if self.terms.unify_all(&atom.args, row, &mut next.bound) {
                    stack.push(next);
                }
            }
            return Ok(());
        }
        if let Some(row) = pattern.row()
            && self.numbers.contains_key(&(timed, row))
        {
            stack.push(task);
            return Ok(());
        }
        let below = self.goal(timed, &pattern, meter)?;
        let goal = &self.goals[below as usize];
        meter.spend(goal.answers.len())?;
        for &fact in &goal.answers {
            let next = self.resumed(&task, number, fact);
            self.queue.extend(next);
        }
        if !goal.is_complete {
            self.hold(size_of::<ConditionId>() + task.whole(), meter);
            self.goals[below as usize].consumers.push((task, number));
        }
        Ok(())
    }

    /// Goes on if a sentence has no row; where rules make them, waits until all are known.
    fn fail_by(
        &mut self,
        task: Task,
        number: ConditionId,
        atom: &Atom,
        stack: &mut Vec<Task>,
        meter: &Meter<'_>,
    ) -> Result<(), ExplainError> {
        let timed = self.timed(&task, atom.relation);
        let pattern = self.terms.pattern(&atom.args, &task.bound);
        if let Some(rows) = self.given(timed) {
            if rows.matching(&pattern, &self.terms).is_empty() {
                stack.push(task);
            }
            return Ok(());
        }
        let below = self.goal(timed, &pattern, meter)?;
        let is_complete = self.goals[below as usize].is_complete;
        match (self.has_answer(below, &pattern), is_complete) {
            (true, _) => {}
            (false, true) => stack.push(task),
            (false, false) => {
                let waiting = Waiting { task, condition: number, below, pattern };
                self.hold(waiting.whole(), meter);
                self.waiting.push(waiting);
            }
        }
        Ok(())
    }

    /// A relation at the time of a task.
    fn timed(&self, task: &Task, relation: u32) -> Timed {
        self.program.at(relation, self.goals[task.goal as usize].timed.time)
    }

    fn is_bound(&self, variables: &[u16], task: &Task) -> bool {
        variables.iter().all(|&v| task.bound[usize::from(v)].is_some())
    }

    /// The condition to look at next, as a place in `todo`: tests as soon as they can be made, else
    /// what is likely to have the fewest rows. `None` where there is none before a commitment.
    fn choose(&mut self, task: &Task, time: Time) -> Option<usize> {
        const ANY: usize = 1 << 16;
        let is_commit = |todo: &Todo| matches!(todo, Todo::Commit(_));
        let from = task.todo.iter().rposition(is_commit).map_or(0, |at| at + 1);
        let mut best: Option<(usize, usize)> = None;
        for (at, todo) in task.todo.iter().enumerate().skip(from) {
            let Todo::Condition(number) = *todo else { continue };
            let condition = self.condition(task, number);
            let is_bound = self.is_bound(&condition.variables, task);
            let cost = match &condition.kind {
                Kind::Distinct(..) | Kind::Same(..) if is_bound => 0,
                Kind::Distinct(..) => 8 * ANY,
                Kind::Same(left, right) => {
                    let is_known = |term: &Term| {
                        let mut all_bound = true;
                        term.for_each_variable(&mut |Variable(v)| {
                            all_bound &= task.bound[usize::from(v)].is_some();
                        });
                        all_bound
                    };
                    if is_known(left) || is_known(right) { 0 } else { 7 * ANY }
                }
                Kind::Fails(atom) => match (is_bound, self.is_given(atom.relation)) {
                    (true, true) => 1,
                    (true, false) => 4,
                    (false, _) => 6 * ANY,
                },
                Kind::Or(_) if self.is_bound(&condition.shared, task) => 2,
                Kind::Or(_) => 5 * ANY,
                Kind::Holds(atom) => match (is_bound, self.is_given(atom.relation)) {
                    (true, true) => 1,
                    (true, false) => 3,
                    (false, true) => {
                        let pattern = self.terms.pattern(&atom.args, &task.bound);
                        let timed = self.program.at(atom.relation, time);
                        let rows = self.given(timed).map_or(0, |rows| rows.estimate(&pattern));
                        5 + rows.min(ANY)
                    }
                    (false, false) => {
                        let relation = &self.program.relations[atom.relation as usize];
                        let opens =
                            |&code: &u32| !self.program.codes[code as usize].open.is_empty();
                        let some = condition
                            .variables
                            .iter()
                            .any(|&v| task.bound[usize::from(v)].is_some());
                        match some || condition.variables.len() < atom.args.len() {
                            _ if relation.codes.iter().any(opens) => 5 * ANY,
                            true => 5 + 16,
                            false => 5 + 4096,
                        }
                    }
                },
            };
            if cost == 0 {
                return Some(at);
            }
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
            }
        }
        best.map(|(_, at)| at)
    }

    fn is_given(&self, relation: u32) -> bool {
        self.program.relations[relation as usize].source != Source::Rules
    }

    /// All conditions of a task hold: its head is a row of its goal.
    fn finish(
        &mut self,
        task: Task,
        stack: &mut Vec<Task>,
        meter: &Meter<'_>,
    ) -> Result<(), ExplainError> {
        let code = &self.program.codes[task.code as usize];
        if !code.open.is_empty() {
            let bound = code.bound_by(&task.chosen);
            for &v in code.open.iter().filter(|v| !bound.contains(v)) {
                let value = task.bound[usize::from(v)];
                if !value.is_some() {
                    meter.spend(self.program.constants.len())?;
                    for &constant in self.program.constants.iter().rev() {
                        let mut next = task.clone();
                        next.bound[usize::from(v)] = constant;
                        stack.push(next);
                    }
                    return Ok(());
                }
                if !self.program.constants.contains(&value) {
                    return Ok(());
                }
            }
        }
        let Some(row) = self.terms.row(&code.head, &task.bound) else {
            let message = "a variable of the head that nothing binds";
            let place = code.body.first().map(|&at| code.conditions[at as usize].span);
            let place = place.unwrap_or_default();
            return Err(Diagnostic::new(Code::UnsafeVariable, place, message).into());
        };
        if row.iter().any(|&term| self.terms.depth(term) > MOST_DEPTH) {
            let place = code.body.first().map(|&at| code.conditions[at as usize].span);
            let message = format!("this rule makes terms that nest more than {MOST_DEPTH} deep");
            let code = Code::Unbounded;
            return Err(Diagnostic::new(code, place.unwrap_or_default(), message).into());
        }
        if self.terms.accepts(&self.goals[task.goal as usize].pattern, &row) {
            let Task { goal, code, bound, chosen, .. } = task;
            let instance = Arc::new(Instance { code, bound, chosen });
            self.hold(ALLOCATION + instance.whole(), meter);
            self.add(goal, row, Reason::Instance(instance), meter)?;
        }
        Ok(())
    }

    /// The diagnostic of a condition with a variable that nothing binds.
    fn unbound(&self, task: &Task, condition: &Condition) -> Diagnostic {
        let free = |v: &&u16| !task.bound[usize::from(**v)].is_some();
        let count = condition.variables.iter().filter(free).count();
        let are = if count == 1 { "is" } else { "are" };
        let variables = counted(count, "variable");
        let message = format!("{variables} of this condition {are} bound by no other");
        Diagnostic::new(Code::UnsafeVariable, condition.span, message)
    }
}
