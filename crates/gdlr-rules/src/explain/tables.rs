//! Tables of the sentences that hold in a moment, computed on demand (tabling).
//!
//! A *goal* is a relation with a pattern; its table collects the rows that hold and match. A
//! *task* is a rule on its way through its conditions, some variables bound. Where a condition
//! asks for another goal, the task becomes a consumer of that goal: each row of it, those that
//! are there and those that come, lets a copy of the task go on. So recursion needs no stack, and
//! ends where no new row comes: tabling as in Chen and Warren, *Tabled evaluation with delaying
//! for general logic programs* (1996), with a queue in place of a stack.
//!
//! A task that comes to a `not` waits until the goal below it is complete. That is settled when
//! the queue is empty: a goal is complete then unless a task waits that it depends on. If all
//! waiting tasks depend on each other, the rules are not stratified.
//!
//! The first instance of a rule that gives a row is kept as its reason. Its conditions were there
//! before, so that reasons form no cycle; and since tasks go on in the order in which
//! they came, derivations are short as a rule.

use super::error::ExplainError;
use super::program::{Chosen, Code, Condition, ConditionId, Kind, Program, Source, Time, Timed};
use super::rows::Rows;
use super::terms::{Bindings, Pattern, TermId, Terms};
use gdlr_text::budget::{Memory, Meter};
use gdlr_text::diagnostic::{Code as DiagnosticCode, Diagnostic};
use gdlr_text::graph::reached;
use gdlr_text::heap::{ALLOCATION, Heap, table_entry};
use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::Arc;

/// Why a row holds.
#[derive(Clone, Debug)]
pub(super) enum Reason {
    /// It is a fact of the state.
    State,
    /// It is a part of the joint move.
    Move,
    /// It stands in the rulesheet: the place of the rule among those of the game.
    Fact(u32),
    /// An instance of a rule gives it.
    Instance(Arc<Instance>),
}

/// An instance of a rule whose conditions hold.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    /// The place of the rule in [`Program::codes`].
    pub(super) code: u32,
    pub(super) bound: Bindings,
    /// Of each `or`, the alternative that holds.
    pub(super) chosen: Chosen,
}

/// A row that rules give.
struct Fact {
    row: Box<[TermId]>,
    reason: Reason,
}

/// The next work of a task.
#[derive(Clone, Copy, Debug)]
pub(super) enum Todo {
    Condition(ConditionId),
    /// The conditions of an alternative that binds nothing are done. Of all alternatives, the
    /// first one goes on.
    Commit(u32),
}

/// A rule on its way through its conditions.
#[derive(Clone)]
pub(super) struct Task {
    pub(super) goal: u32,
    pub(super) code: u32,
    pub(super) bound: Bindings,
    pub(super) todo: SmallVec<[Todo; 8]>,
    pub(super) chosen: Chosen,
}

impl Heap for Instance {
    fn heap(&self) -> usize {
        self.bound.heap() + spilled(&self.chosen)
    }
}

impl Heap for Task {
    fn heap(&self) -> usize {
        self.bound.heap() + spilled(&self.todo) + spilled(&self.chosen)
    }
}

/// The bytes of a short list that has become a long one.
fn spilled<A: smallvec::Array>(list: &SmallVec<A>) -> usize {
    match list.spilled() {
        true => ALLOCATION + list.capacity() * size_of::<A::Item>(),
        false => 0,
    }
}

/// A relation with a pattern.
pub(super) struct Goal {
    pub(super) timed: Timed,
    pub(super) pattern: Pattern,
    pub(super) is_ground: bool,
    /// The rows so far, as places in [`Tables::facts`].
    pub(super) answers: Vec<u32>,
    pub(super) known: HashSet<u32>,
    /// The tasks that go on with each row, and the condition at which they are.
    pub(super) consumers: Vec<(Task, ConditionId)>,
    pub(super) is_complete: bool,
}

/// A task that waits at a `not`.
pub(super) struct Waiting {
    pub(super) task: Task,
    pub(super) condition: ConditionId,
    /// The goal below the `not`, and what no row of it may match.
    pub(super) below: u32,
    pub(super) pattern: Pattern,
}

impl Heap for Waiting {
    fn heap(&self) -> usize {
        self.task.heap() + self.pattern.0.heap()
    }
}

/// The tables of a moment.
pub(super) struct Tables<'p> {
    pub(super) program: &'p Program,
    pub(super) terms: Terms,
    state: Rows,
    joint: Rows,
    nothing: Rows,
    facts: Vec<Fact>,
    pub(super) numbers: HashMap<(Timed, Box<[TermId]>), u32>,
    pub(super) goals: Vec<Goal>,
    goal_numbers: HashMap<(Timed, Pattern), u32>,
    /// The goals that are not complete.
    open: Vec<u32>,
    pub(super) queue: VecDeque<Task>,
    /// Tasks that wait at a `not`.
    pub(super) waiting: Vec<Waiting>,
    /// By test of alternatives: whether one has been found to hold.
    pub(super) committed: Vec<bool>,
    /// About how much memory that takes, in bytes.
    held: usize,
    /// How deep the arguments of a goal may be. Deeper ones are left open, since rules might ask
    /// for ever deeper ones where bottom up nothing grows: `(<= (p ?x) (p (f ?x)))`.
    limit: u16,
}

impl<'p> Tables<'p> {
    /// Of a state, and of the joint move that is made in it, each a row of `terms`.
    pub(super) fn new(program: &'p Program, terms: Terms, state: Rows, joint: Rows) -> Self {
        let limit = terms.deepest().max(program.deepest).saturating_add(1);
        Tables {
            limit,
            program,
            terms,
            state,
            joint,
            nothing: Rows::default(),
            facts: Vec::new(),
            numbers: HashMap::new(),
            goals: Vec::new(),
            goal_numbers: HashMap::new(),
            open: Vec::new(),
            queue: VecDeque::new(),
            waiting: Vec::new(),
            committed: Vec::new(),
            held: 0,
        }
    }

    /// The rows of a relation that are given; `None` where rules give them.
    pub(super) fn given(&self, timed: Timed) -> Option<&Rows> {
        let relation = &self.program.relations[timed.relation as usize];
        match relation.source {
            Source::State if timed.time == Time::Initially => Some(&self.nothing),
            Source::State => Some(&self.state),
            Source::Move if timed.time != Time::AfterMoves => Some(&self.nothing),
            Source::Move => Some(&self.joint),
            Source::Facts => Some(&relation.facts),
            Source::Rules => None,
        }
    }

    /// All rows that hold and match a pattern, in the order in which they were found.
    ///
    /// # Errors
    ///
    /// When that takes more than there is, or the rules have no meaning.
    pub(super) fn matching(
        &mut self,
        timed: Timed,
        pattern: &Pattern,
        meter: &Meter<'_>,
    ) -> Result<Vec<Box<[TermId]>>, ExplainError> {
        if let Some(rows) = self.given(timed) {
            let numbers = rows.matching(pattern, &self.terms);
            meter.spend(1 + numbers.len())?;
            return Ok(numbers.iter().map(|&row| rows.rows()[row as usize].clone()).collect());
        }
        let complete = |tables: &mut Self| {
            let goal = tables.goal(timed, pattern, meter)?;
            tables.run(meter)?;
            Ok(goal)
        };
        let goal = match complete(self) {
            Ok(goal) => goal,
            Err(error) => {
                // Tasks were lost on the way.
                self.forget();
                return Err(error);
            }
        };
        let answers = self.goals[goal as usize].answers.iter();
        let rows = answers.map(|&fact| &self.facts[fact as usize].row);
        Ok(rows.filter(|row| self.terms.accepts(pattern, row)).cloned().collect())
    }

    /// Why a row holds, if it is known to.
    pub(super) fn reason(&self, timed: Timed, row: &[TermId]) -> Option<Reason> {
        let relation = &self.program.relations[timed.relation as usize];
        if let Some(rows) = self.given(timed) {
            let number = rows.number(row)?;
            return Some(match relation.source {
                Source::State => Reason::State,
                Source::Move => Reason::Move,
                _ => Reason::Fact(relation.fact_rules[number as usize]),
            });
        }
        let fact = *self.numbers.get(&(timed, Box::from(row)))?;
        Some(self.facts[fact as usize].reason.clone())
    }

    /// Forgets what was computed.
    fn forget(&mut self) {
        self.facts.clear();
        self.numbers.clear();
        self.goals.clear();
        self.goal_numbers.clear();
        self.open.clear();
        self.queue.clear();
        self.waiting.clear();
        self.committed.clear();
        self.held = 0;
    }

    /// Works until every goal is complete.
    fn run(&mut self, meter: &Meter<'_>) -> Result<(), ExplainError> {
        loop {
            while let Some(task) = self.queue.pop_front() {
                self.advance(task, meter)?;
            }
            if !self.settle()? {
                return Ok(());
            }
        }
    }

    /// The number of the goal that has all rows that match a pattern, and perhaps others. A new one
    /// gets a task for each of its rules.
    pub(super) fn goal(
        &mut self,
        timed: Timed,
        pattern: &Pattern,
        meter: &Meter<'_>,
    ) -> Result<u32, ExplainError> {
        let pattern = match self.terms.is_deep(pattern, self.limit) {
            true => self.terms.general(pattern, self.limit),
            false => pattern.clone(),
        };
        if let Some(&known) = self.goal_numbers.get(&(timed, pattern.clone())) {
            return Ok(known);
        }
        let number = self.goals.len() as u32;
        let relation = &self.program.relations[timed.relation as usize];
        meter.spend(1 + relation.codes.len())?;
        let entry = table_entry::<((Timed, Pattern), u32)>() + pattern.0.heap();
        self.hold(size_of::<Goal>() + pattern.0.heap() + entry, meter);
        self.goal_numbers.insert((timed, pattern.clone()), number);
        self.goals.push(Goal {
            timed,
            is_ground: pattern.is_ground(),
            pattern: pattern.clone(),
            answers: Vec::new(),
            known: HashSet::new(),
            consumers: Vec::new(),
            is_complete: false,
        });
        self.open.push(number);
        for row in relation.facts.matching(&pattern, &self.terms) {
            let rule = relation.fact_rules[row as usize];
            let row = relation.facts.rows()[row as usize].clone();
            self.add(number, row, Reason::Fact(rule), meter)?;
        }
        for &code in &relation.codes {
            let Code { head, body, variables, .. } = &self.program.codes[code as usize];
            let mut bound = vec![TermId::NONE; *variables].into_boxed_slice();
            if self.terms.meets(head, &pattern, &mut bound) {
                let todo = body.iter().map(|&condition| Todo::Condition(condition)).collect();
                self.queue.push_back(Task {
                    goal: number,
                    code,
                    bound,
                    todo,
                    chosen: Chosen::new(),
                });
            }
        }
        Ok(number)
    }

    pub(super) fn hold(&mut self, bytes: usize, meter: &Meter<'_>) {
        self.held += bytes;
        meter.hold(Memory::Scratch, self.held);
    }

    /// Adds a row to a goal, and lets its consumers go on with it.
    pub(super) fn add(
        &mut self,
        goal: u32,
        row: Box<[TermId]>,
        reason: Reason,
        meter: &Meter<'_>,
    ) -> Result<(), ExplainError> {
        let timed = self.goals[goal as usize].timed;
        let key = (timed, row);
        let fact = match self.numbers.get(&key) {
            Some(&known) => known,
            None => {
                let fact = self.facts.len() as u32;
                let entry = table_entry::<((Timed, Box<[TermId]>), u32)>() + key.1.heap();
                self.hold(size_of::<Fact>() + key.1.heap() + entry, meter);
                self.facts.push(Fact { row: key.1.clone(), reason });
                self.numbers.insert(key, fact);
                fact
            }
        };
        if !self.goals[goal as usize].known.insert(fact) {
            return Ok(());
        }
        self.hold(size_of::<u32>() + table_entry::<u32>(), meter);
        self.goals[goal as usize].answers.push(fact);
        let consumers = std::mem::take(&mut self.goals[goal as usize].consumers);
        meter.spend(consumers.len())?;
        for (task, condition) in &consumers {
            if let Some(task) = self.resumed(task, *condition, fact) {
                self.queue.push_back(task);
            }
        }
        self.goals[goal as usize].consumers = consumers;
        Ok(())
    }

    /// A task that goes on with a row, if the row can be what its condition says.
    pub(super) fn resumed(&self, task: &Task, condition: ConditionId, fact: u32) -> Option<Task> {
        let Kind::Holds(atom) = &self.condition(task, condition).kind else { return None };
        let mut bound = task.bound.clone();
        let row = &self.facts[fact as usize].row;
        let unified = self.terms.unify_all(&atom.args, row, &mut bound);
        unified.then(|| Task { bound, ..task.clone() })
    }

    pub(super) fn condition(&self, task: &Task, condition: ConditionId) -> &'p Condition {
        let program: &'p Program = self.program;
        &program.codes[task.code as usize].conditions[condition as usize]
    }

    /// Finds goals that are complete though tasks wait, and lets those go on that can; whether
    /// there is more to do.
    fn settle(&mut self) -> Result<bool, ExplainError> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|Waiting { task, below, pattern, .. }| {
            let goal = &self.goals[task.goal as usize];
            let is_done = goal.is_ground && !goal.answers.is_empty();
            !is_done && !self.has_answer(*below, pattern)
        });
        // The tables that a waiting task may still add rows to.
        let tasks = waiting.iter().map(|waiting| waiting.task.goal);
        let depends = reached(self.goals.len(), tasks, |goal: u32| {
            self.goals[goal as usize].consumers.iter().map(|(task, _)| task.goal)
        });
        for goal in std::mem::take(&mut self.open) {
            match depends[goal as usize] {
                true => self.open.push(goal),
                false => {
                    let goal = &mut self.goals[goal as usize];
                    goal.is_complete = true;
                    goal.consumers = Vec::new();
                }
            }
        }
        if waiting.is_empty() {
            return Ok(false);
        }
        for waiting in waiting {
            match self.goals[waiting.below as usize].is_complete {
                true => self.queue.push_back(waiting.task),
                false => self.waiting.push(waiting),
            }
        }
        if let (true, Some(first)) = (self.queue.is_empty(), self.waiting.first()) {
            let place = self.condition(&first.task, first.condition).span;
            let message = "this `not` depends on itself";
            return Err(Diagnostic::new(DiagnosticCode::NotStratified, place, message).into());
        }
        Ok(true)
    }

    /// Whether a goal has a row that matches a pattern, so far.
    pub(super) fn has_answer(&self, goal: u32, pattern: &Pattern) -> bool {
        let Goal { pattern: own, answers, .. } = &self.goals[goal as usize];
        let row = |fact: &u32| &self.facts[*fact as usize].row;
        match own == pattern {
            true => !answers.is_empty(),
            false => answers.iter().any(|fact| self.terms.accepts(pattern, row(fact))),
        }
    }

    /// Whether a pattern is deeper than goals are.
    pub(super) fn is_deep(&self, pattern: &Pattern) -> bool {
        self.terms.is_deep(pattern, self.limit)
    }
}
