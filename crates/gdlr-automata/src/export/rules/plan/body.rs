//! Plans for the conditions of a rule: statements in the order in which they are done.
//!
//! A condition is asked as soon as its variables are known. Tests of known values come first. Next
//! come values that follow from known values: an entry of the state, or the only answer of a static
//! relation. They are read into registers. Values are tried out only if nothing else is left.

use super::Planner;
use super::scope::{Context, Scope};
use super::trial::Tried;
use crate::export::program::Body;
use crate::export::rules::Stop;
use crate::export::rules::analysis::{MoveRows, SetId, variables};
use crate::export::rules::build::{Builder, Condition, Operand, Register, demand};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{EMPTY, FlatAtom, FlatLiteral, FlatTerm, RelationId};
use gdlr_text::budget::Memory;
use hashbrown::HashSet;

/// The most ways in which moves may answer the conditions of a rule.
const MOST_ANSWERS: usize = 1024;

/// The error of a variable that has no value where it must have one.
pub(super) const UNKNOWN: Stop = Stop::Broken("a variable without a value");

/// The plan for a list of conditions: statements, and the operands of variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// By variable of the rule: the operand that holds its value, if it is known.
    pub env: Vec<Option<Operand>>,
    /// By variable: the register into which it is to be read.
    pub targets: Vec<Option<Register>>,
    /// By variable: the set of its possible symbols.
    pub domains: Vec<Option<SetId>>,
    pub used: HashSet<Register>,
    pub ops: Body,
    /// Whether several walks may give the same values.
    pub repeats: bool,
    /// The relation whose routine is called last, and its arguments.
    pub jump: Option<(RelationId, Vec<Operand>)>,
}

impl Plan {
    /// A plan for conditions with this number of variables, none of which has a value.
    pub fn new(variables: usize) -> Plan {
        Plan {
            env: vec![None; variables],
            targets: vec![None; variables],
            domains: vec![None; variables],
            ..Plan::default()
        }
    }

    /// Binds a term to an operand, or tests that both are the same. `false` if they never are.
    pub fn unify(&mut self, term: FlatTerm, operand: Operand, out: &mut Builder<'_>) -> bool {
        let known = match term {
            FlatTerm::Constant(symbol) => Operand::Symbol(symbol),
            FlatTerm::Variable(variable) => {
                let place = &mut self.env[usize::from(variable.0)];
                match *place {
                    Some(known) => known,
                    None => {
                        *place = Some(operand);
                        return true;
                    }
                }
            }
        };
        let condition = out.compare(known, operand, true);
        demand(&mut self.ops, condition)
    }

    /// The operand that holds the value of a term, if it is known.
    pub fn value(&self, term: FlatTerm) -> Option<Operand> {
        match term {
            FlatTerm::Constant(symbol) => Some(Operand::Symbol(symbol)),
            FlatTerm::Variable(variable) => self.env[usize::from(variable.0)],
        }
    }

    /// Whether the values of all terms of an atom are known.
    pub fn knows(&self, atom: &FlatAtom) -> bool {
        atom.args.iter().all(|term| self.value(*term).is_some())
    }

    /// The operands that hold the values of all terms of an atom.
    pub fn operands(&self, atom: &FlatAtom) -> Result<Vec<Operand>, Stop> {
        atom.args.iter().map(|&term| self.value(term).ok_or(UNKNOWN)).collect()
    }
}

/// How conditions are asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum How<'h> {
    /// Visit all values of some variables, each one once as far as that is possible.
    Walk(&'h [Variable]),
    /// Test whether any values exist. Conditions about relations of this group may be asked last.
    Check(Option<usize>),
    /// Find the only values of some variables, and try nothing out.
    Decide(&'h [Variable]),
}

/// The state of a plan once all conditions have been asked, or no other one can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// The conditions never hold.
    Never,
    Done,
    /// The values of a variable would have to be tried out.
    Needs(Variable),
}

/// The result of asking one condition.
pub(super) enum Step {
    /// The condition has been asked, and may hold.
    Done,
    Never,
    /// A variable of the condition has no value yet.
    Wait,
}

impl Step {
    /// `Done` if the condition may hold, and otherwise `Never`.
    pub fn of(may_hold: bool) -> Step {
        if may_hold { Step::Done } else { Step::Never }
    }
}

impl Planner<'_> {
    /// The plans for conditions: one for each way in which the moves of the scope answer conditions
    /// about moves.
    pub(super) fn plans(
        &mut self,
        body: &[FlatLiteral],
        plan: &Plan,
        how: How<'_>,
        context: &Context,
    ) -> Result<Vec<(Plan, Solved)>, Stop> {
        let inner = context.deeper()?;
        self.input.meter.hold(Memory::Layout, self.out.program.bytes());
        let mut plans = Vec::new();
        for (mut plan, body) in self.variants(body, plan, &context.scope)? {
            let solved = self.solve(&body, &mut plan, how, &inner)?;
            self.join_tests(&mut plan.ops);
            if solved != Solved::Never {
                plans.push((plan, solved));
            }
        }
        Ok(plans)
    }

    /// The ways in which the moves of the scope answer conditions about moves, each with the
    /// conditions that are left.
    pub(super) fn variants(
        &mut self,
        body: &[FlatLiteral],
        plan: &Plan,
        scope: &Scope,
    ) -> Result<Vec<(Plan, Vec<FlatLiteral>)>, Stop> {
        let does = self.input.normal.does;
        let first = self.input.normal.relation(does).args[0].width();
        let asks = |literal: &FlatLiteral| match literal {
            FlatLiteral::Positive(atom) => {
                atom.relation == does || self.anew.row_of_new_fact(atom.relation).is_some()
            }
            _ => false,
        };
        let mut open = vec![(plan.clone(), body.to_vec())];
        let mut done = Vec::new();
        while let Some((plan, mut body)) = open.pop() {
            self.input.meter.spend(16)?;
            if open.len() + done.len() > MOST_ANSWERS {
                return Err(Stop::unsuited("a rule that becomes too many"));
            }
            let Some(place) = body.iter().position(asks) else {
                done.push((plan, body));
                continue;
            };
            let FlatLiteral::Positive(atom) = body.remove(place) else { unreachable!("just seen") };
            if let Some(row) = self.anew.row_of_new_fact(atom.relation).map(<[_]>::to_vec) {
                let mut plan = plan;
                let mut columns = atom.args.iter().zip(row).filter_map(|(&t, o)| Some((t, o?)));
                if columns.all(|(term, operand)| plan.unify(term, operand, &mut self.out)) {
                    open.push((plan, body));
                }
                continue;
            }
            let Some((_, rows)) = scope.moves.clone() else {
                return Err(Stop::unsuited("a move is asked for where there is none"));
            };
            for row in rows.iter().rev() {
                let mut plan = plan.clone();
                if answer(&atom, row, &mut plan, first, &self.analysis.moves, &mut self.out) {
                    open.push((plan, body.clone()));
                }
            }
        }
        Ok(done)
    }

    /// The condition that one of several lists of conditions holds, for some values of its
    /// variables.
    pub(super) fn check(
        &mut self,
        bodies: &[(&[FlatLiteral], Plan)],
        context: &Context,
    ) -> Result<Condition, Stop> {
        let mut all = Vec::new();
        for (body, plan) in bodies {
            let mut plan = plan.clone();
            plan.ops.clear();
            plan.targets.fill(None);
            all.extend(self.plans(body, &plan, How::Check(None), context)?);
        }
        let ops: Vec<Body> = all.into_iter().map(|(plan, _)| plan.ops).collect();
        Ok(self.any_of(ops))
    }

    fn solve(
        &mut self,
        body: &[FlatLiteral],
        plan: &mut Plan,
        how: How<'_>,
        context: &Context,
    ) -> Result<Solved, Stop> {
        let (symbols, shapes) = (&mut self.out.symbols, &self.analysis.shapes);
        let is_change = |relation| self.anew.row_of_new_fact(relation).is_some();
        symbols.narrow(&mut plan.domains, body, is_change, &self.relations, shapes);
        if plan.domains.iter().flatten().any(|&set| self.out.symbols.sets.members(set).is_empty()) {
            return Ok(Solved::Never);
        }
        let mut pending: Vec<FlatLiteral> = body.to_vec();
        loop {
            match self.ask_what_is_known(&mut pending, plan, how, context)? {
                Step::Done => continue,
                Step::Never => return Ok(Solved::Never),
                Step::Wait => {}
            }
            let unbound = |v: &Variable| plan.env[usize::from(v.0)].is_none();
            let wanted: Option<Vec<Variable>> = match how {
                How::Walk(wanted) | How::Decide(wanted) => {
                    Some(wanted.iter().copied().filter(unbound).collect())
                }
                How::Check(_) => None,
            };
            if let (How::Decide(_), Some([first, ..])) = (how, wanted.as_deref()) {
                return Ok(Solved::Needs(*first));
            }
            if pending.is_empty() && wanted.as_ref().is_none_or(Vec::is_empty) {
                return Ok(Solved::Done);
            }
            if wanted.as_ref().is_some_and(Vec::is_empty) {
                return self.exists(&pending, plan, context);
            }
            if let (How::Check(_), [FlatLiteral::Positive(atom)]) = (how, &pending[..])
                && self.group_asked(how, atom.relation).is_some()
                && plan.knows(atom)
            {
                let operands = plan.operands(atom)?;
                plan.jump = Some((atom.relation, operands));
                return Ok(Solved::Done);
            }
            let bound_variables = |plan: &Plan| plan.env.iter().flatten().count();
            let before = bound_variables(plan);
            match self.try_out(&pending, plan, wanted.as_deref(), context)? {
                Tried::Value if bound_variables(plan) == before => {
                    return Err(Stop::Broken("nothing was tried out"));
                }
                Tried::Value => {}
                Tried::Answered(places) => remove_all(&mut pending, places),
                Tried::Never => return Ok(Solved::Never),
                Tried::Nothing => return Err(self.cannot_go_on(&pending, how)),
            }
        }
    }

    /// Asks all conditions that need no trial. `Done` if it asked any.
    fn ask_what_is_known(
        &mut self,
        pending: &mut Vec<FlatLiteral>,
        plan: &mut Plan,
        how: How<'_>,
        context: &Context,
    ) -> Result<Step, Stop> {
        self.input.meter.spend(pending.len() + 1)?;
        // The cheapest condition is asked first. Then the others are looked at again, with the new
        // values.
        let mut order: Vec<(usize, usize)> = (pending.iter().enumerate())
            .map(|(place, literal)| (self.cost(literal, plan, context.scope.mode), place))
            .collect();
        order.sort_unstable();
        let mut done: Vec<usize> = Vec::new();
        for (cost, place) in order {
            let local = self.local(pending, place, plan, how);
            match self.ask(&pending[place], plan, &local, how, context)? {
                Step::Done => done.push(place),
                Step::Never => return Ok(Step::Never),
                Step::Wait => continue,
            }
            if cost > 0 {
                break;
            }
        }
        let step = if done.is_empty() { Step::Wait } else { Step::Done };
        remove_all(pending, done);
        Ok(step)
    }

    /// Asks that conditions hold for some values of their variables, whatever these are.
    fn exists(
        &mut self,
        pending: &[FlatLiteral],
        plan: &mut Plan,
        context: &Context,
    ) -> Result<Solved, Stop> {
        let mut inner = plan.clone();
        inner.ops.clear();
        inner.targets.fill(None);
        let plans = self.plans(pending, &inner, How::Check(None), context)?;
        let ops = plans.into_iter().map(|(plan, _)| plan.ops).collect();
        let condition = self.any_of(ops);
        Ok(match demand(&mut plan.ops, condition) {
            true => Solved::Done,
            false => Solved::Never,
        })
    }

    /// The reason why conditions cannot be asked although values could not be tried out for them.
    fn cannot_go_on(&self, pending: &[FlatLiteral], how: How<'_>) -> Stop {
        let is_own = |literal: &FlatLiteral| match literal {
            FlatLiteral::Positive(atom) => self.group_asked(how, atom.relation).is_some(),
            _ => false,
        };
        Stop::unsuited(match pending.iter().all(is_own) {
            true => "a rule that asks twice for what it is about",
            false => "a test of a value that nothing gives",
        })
    }

    /// The variables of a condition that have no value, are not wanted, and occur in no other
    /// condition.
    fn local(
        &self,
        pending: &[FlatLiteral],
        place: usize,
        plan: &Plan,
        how: How<'_>,
    ) -> HashSet<Variable> {
        let (FlatLiteral::Negative(atom) | FlatLiteral::Positive(atom)) = &pending[place] else {
            return HashSet::new();
        };
        let wanted = match how {
            How::Walk(wanted) | How::Decide(wanted) => wanted,
            How::Check(_) => &[],
        };
        let mut local: HashSet<Variable> = (atom.args.iter())
            .filter_map(|term| match term {
                FlatTerm::Variable(v) => Some(*v),
                FlatTerm::Constant(_) => None,
            })
            .filter(|v| plan.env[usize::from(v.0)].is_none() && !wanted.contains(v))
            .collect();
        for (_, other) in pending.iter().enumerate().filter(|(number, _)| *number != place) {
            variables(other, &mut |v| {
                local.remove(&v);
            });
        }
        local
    }

    /// The cost of a condition, as a rank. Comparisons and entries with known keys and value cost
    /// nothing. Behind them come reads of entries, then static relations by their number of rows,
    /// and then checks of derived relations.
    pub(super) fn cost(&self, literal: &FlatLiteral, plan: &Plan, mode: Option<usize>) -> usize {
        const LOOKED_UP: usize = 1;
        const CHECKED: usize = usize::MAX;
        match literal {
            FlatLiteral::Distinct(_) => 0,
            FlatLiteral::Same(_) => LOOKED_UP,
            FlatLiteral::Any(_) => CHECKED,
            FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => {
                let is_known = plan.knows(atom);
                match self.relations.rows_in(atom.relation, mode) {
                    Some(_) if is_known => 0,
                    Some(rows) => LOOKED_UP + 1 + rows.len(),
                    None if !self.analysis.shapes.contains_key(&atom.relation) => CHECKED,
                    None if is_known => 0,
                    None => LOOKED_UP,
                }
            }
        }
    }
}

/// Unifies a row of `does` with an atom about a move. The columns of the move begin with column
/// `first`.
fn answer(
    atom: &FlatAtom,
    row: &[Operand],
    plan: &mut Plan,
    first: usize,
    moves: &MoveRows,
    out: &mut Builder<'_>,
) -> bool {
    let name = atom.args.get(first).copied();
    (atom.args.iter().zip(row).enumerate()).all(|(column, (&term, &operand))| {
        // If the name of the move says that the column is unused, its register may hold anything.
        let unused = match (term, name, column.checked_sub(first)) {
            (FlatTerm::Constant(EMPTY), Some(FlatTerm::Constant(name)), Some(column)) => {
                moves.leave_unused(name, column)
            }
            _ => None,
        };
        unused.unwrap_or_else(|| plan.unify(term, operand, out))
    })
}

/// Removes the elements at some places.
fn remove_all(of: &mut Vec<FlatLiteral>, mut places: Vec<usize>) {
    places.sort_unstable();
    places.into_iter().rev().for_each(|place| drop(of.remove(place)));
}
