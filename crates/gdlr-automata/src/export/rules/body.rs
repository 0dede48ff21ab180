//! Conditions of a rule as what is done one thing after another.
//!
//! What is known already is asked first; then what follows from it alone is read into registers
//! (an entry of the state, a static relation with one answer); only then are values tried out.
//! So a condition is asked as soon as its variables are known.

use super::operands::{Condition, demand};
use super::sets::{Operand, Register, SetId};
use super::trial::Tried;
use super::unfold::{atoms, variables};
use super::{Scope, Stop, Writer};
use crate::export::program::{Body, Statement, Test};
use gdlr_rg::rg::{Expr, Name};
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{EMPTY, FlatAtom, FlatLiteral, FlatTerm, RelationId};
use gdlr_text::budget::Memory;
use hashbrown::HashSet;
use std::rc::Rc;

/// How deep relations may ask for others: each level is one on the machine's stack.
const DEEPEST: usize = 128;

/// How many ways there may be to answer the conditions of a rule about moves.
const MOST_ANSWERS: usize = 1024;

/// A variable has no value where it must have one.
pub(super) const UNKNOWN: Stop = Stop::Broken("a variable without a value");

/// What is done for a list of conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// By variable of the rule: where its value is.
    pub env: Vec<Option<Operand>>,
    /// By variable: a register that it is to be read into.
    pub targets: Vec<Option<Register>>,
    /// By variable: what it can be.
    pub domains: Vec<Option<SetId>>,
    pub used: HashSet<Register>,
    pub ops: Body,
    /// Whether several walks may be of the same values.
    pub repeats: bool,
    /// The relation that is asked at the end, and of what.
    pub jump: Option<(RelationId, Vec<Operand>)>,
    /// What is known where the conditions are asked.
    pub scope: Rc<Scope>,
    /// How many lists of conditions ask for this one.
    pub depth: usize,
}

impl Plan {
    /// A plan for conditions of so many variables of which nothing is known.
    pub fn new(variables: usize, scope: &Rc<Scope>) -> Plan {
        Plan {
            env: vec![None; variables],
            targets: vec![None; variables],
            domains: vec![None; variables],
            scope: scope.clone(),
            ..Plan::default()
        }
    }

    /// The same for conditions that this one asks for.
    pub fn inner(&self, variables: usize) -> Plan {
        Plan { depth: self.depth, ..Plan::new(variables, &self.scope) }
    }
}

/// How conditions are asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum How<'h> {
    /// For all values of some variables, each once as far as may be.
    Walk(&'h [Variable]),
    /// For whether there are values; the relations of this group may be asked at the end.
    Check(Option<usize>),
    /// Without trying anything out: for the only values of some variables.
    Decide(&'h [Variable]),
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// The conditions never hold.
    Never,
    Done,
    /// The values of a variable would have to be tried out.
    Needs(Variable),
}

/// What became of a condition.
pub(super) enum Step {
    /// It is taken care of.
    Done,
    Never,
    /// Not enough is known yet.
    Wait,
}

impl Writer<'_> {
    /// The plans for conditions: one for each way in which conditions about moves are answered by
    /// the moves of the scope.
    pub(super) fn plans(
        &mut self,
        body: &[FlatLiteral],
        plan: &Plan,
        how: How<'_>,
    ) -> Result<Vec<(Plan, Solved)>, Stop> {
        if plan.depth == DEEPEST {
            return Err(Stop::unsuited("relations that ask for others too deeply"));
        }
        self.meter.hold(Memory::Layout, self.program.bytes());
        let mut plans = Vec::new();
        for (mut plan, body) in self.variants(body, plan)? {
            plan.depth += 1;
            let solved = self.solve(&body, &mut plan, how)?;
            plan.depth -= 1;
            if solved != Solved::Never {
                plans.push((plan, solved));
            }
        }
        Ok(plans)
    }

    /// The ways in which conditions about moves are answered by the moves of the scope, with the
    /// conditions that are left.
    pub(super) fn variants(
        &mut self,
        body: &[FlatLiteral],
        plan: &Plan,
    ) -> Result<Vec<(Plan, Vec<FlatLiteral>)>, Stop> {
        let does = self.normal.does;
        let asks = |literal: &FlatLiteral, writer: &Self| match literal {
            FlatLiteral::Positive(atom) => {
                atom.relation == does || writer.news(atom.relation).is_some()
            }
            _ => false,
        };
        let mut open = vec![(plan.clone(), body.to_vec())];
        let mut done = Vec::new();
        while let Some((plan, mut body)) = open.pop() {
            self.meter.spend(16)?;
            if open.len() + done.len() > MOST_ANSWERS {
                return Err(Stop::unsuited("a rule that becomes too many"));
            }
            let Some(place) = body.iter().position(|literal| asks(literal, self)) else {
                done.push((plan, body));
                continue;
            };
            let FlatLiteral::Positive(atom) = body.remove(place) else { unreachable!("just seen") };
            if let Some(row) = self.news(atom.relation).map(<[_]>::to_vec) {
                let mut plan = plan;
                let mut told = atom.args.iter().zip(row).filter_map(|(&t, o)| Some((t, o?)));
                if told.all(|(term, operand)| self.unify(term, operand, &mut plan)) {
                    open.push((plan, body));
                }
                continue;
            }
            let Some((_, rows)) = plan.scope.moves.clone() else {
                return Err(Stop::unsuited("a move is asked for where there is none"));
            };
            for row in rows.iter().rev() {
                let mut plan = plan.clone();
                if self.answer(&atom, row, &mut plan) {
                    open.push((plan, body.clone()));
                }
            }
        }
        Ok(done)
    }

    /// Lets a row answer an atom about a move.
    fn answer(&mut self, atom: &FlatAtom, row: &[Operand], plan: &mut Plan) -> bool {
        let first = self.normal.relation(atom.relation).args[0].width();
        let name = atom.args.get(first).copied();
        (atom.args.iter().zip(row).enumerate()).all(|(column, (&term, &operand))| {
            // A register may hold anything where the name of the move says that the column is not
            // used.
            let told = match (term, name, column.checked_sub(first)) {
                (FlatTerm::Constant(EMPTY), Some(FlatTerm::Constant(name)), Some(column)) => {
                    self.move_fillings.get(&(name, column)).copied().flatten()
                }
                _ => None,
            };
            told.unwrap_or_else(|| self.unify(term, operand, plan))
        })
    }

    /// Whether there are values for which the conditions of one of several lists hold.
    pub(super) fn check(&mut self, bodies: &[(&[FlatLiteral], Plan)]) -> Result<Condition, Stop> {
        let mut all = Vec::new();
        for (body, plan) in bodies {
            let mut plan = plan.clone();
            plan.ops.clear();
            plan.targets.fill(None);
            all.extend(self.plans(body, &plan, How::Check(None))?);
        }
        let ops: Vec<Body> = all.into_iter().map(|(plan, _)| plan.ops).collect();
        Ok(self.any_of(ops))
    }

    /// What the variables of conditions can be, as far as it is not known.
    pub(super) fn domains(&mut self, body: &[FlatLiteral], plan: &mut Plan) {
        for literal in body {
            let FlatLiteral::Positive(atom) = literal else { continue };
            if atom.relation == self.normal.does || self.news(atom.relation).is_some() {
                continue;
            }
            for (column, term) in atom.args.iter().enumerate() {
                let FlatTerm::Variable(variable) = *term else { continue };
                let of = self.answers_in(atom, column);
                let place = usize::from(variable.0);
                let set = match plan.domains[place] {
                    None => of,
                    Some(before) => {
                        let both = self.sets.members(before).to_vec();
                        let both: Vec<Symbol> =
                            both.into_iter().filter(|&s| self.sets.has(of, s)).collect();
                        self.set(both)
                    }
                };
                plan.domains[place] = Some(set);
            }
        }
    }

    /// What a column of a relation can be where a condition asks for it: of what is known before play,
    /// only the rows that have the symbols of the condition.
    fn answers_in(&mut self, atom: &FlatAtom, column: usize) -> SetId {
        let is_symbol = |term: &FlatTerm| matches!(term, FlatTerm::Constant(_));
        match self.rows(atom.relation) {
            Some(rows) if atom.args.iter().any(is_symbol) => {
                let fits = |row: &&Vec<Symbol>| {
                    let mut columns = atom.args.iter().zip(*row);
                    columns.all(|(term, own)| match term {
                        FlatTerm::Constant(symbol) => symbol == own,
                        FlatTerm::Variable(_) => true,
                    })
                };
                self.set(rows.iter().filter(fits).map(|row| row[column]))
            }
            _ => self.column_set(atom.relation, column),
        }
    }

    fn solve(
        &mut self,
        body: &[FlatLiteral],
        plan: &mut Plan,
        how: How<'_>,
    ) -> Result<Solved, Stop> {
        self.domains(body, plan);
        if plan.domains.iter().flatten().any(|&set| self.sets.members(set).is_empty()) {
            return Ok(Solved::Never);
        }
        let mut pending: Vec<FlatLiteral> = body.to_vec();
        loop {
            self.meter.spend(pending.len() + 1)?;
            // What costs least is asked first, and then what has become known is looked at again.
            let mut order: Vec<(usize, usize)> = (pending.iter().enumerate())
                .map(|(place, literal)| (self.cost(literal, plan), place))
                .collect();
            order.sort_unstable();
            let mut done: Vec<usize> = Vec::new();
            for (cost, place) in order {
                let local = self.local(&pending, place, plan, how);
                let literal = pending[place].clone();
                match self.ask(&literal, plan, &local, how)? {
                    Step::Done => done.push(place),
                    Step::Never => return Ok(Solved::Never),
                    Step::Wait => continue,
                }
                if cost > 0 {
                    break;
                }
            }
            let progress = !done.is_empty();
            done.sort_unstable();
            done.into_iter().rev().for_each(|place| drop(pending.remove(place)));
            if progress {
                continue;
            }
            let unbound = |plan: &Plan, v: &Variable| plan.env[usize::from(v.0)].is_none();
            let wanted: Option<Vec<Variable>> = match how {
                How::Walk(wanted) | How::Decide(wanted) => {
                    Some(wanted.iter().copied().filter(|v| unbound(plan, v)).collect())
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
                // Whatever else there is is only to exist.
                let mut inner = plan.clone();
                inner.ops.clear();
                inner.targets.fill(None);
                let plans = self.plans(&pending, &inner, How::Check(None))?;
                let ops = plans.into_iter().map(|(plan, _)| plan.ops).collect();
                let condition = self.any_of(ops);
                return Ok(match demand(&mut plan.ops, condition) {
                    true => Solved::Done,
                    false => Solved::Never,
                });
            }
            if let (How::Check(_), [FlatLiteral::Positive(atom)]) = (how, &pending[..])
                && self.group_asked(how, atom.relation).is_some()
                && self.is_known(atom, plan)
            {
                let operands = self.operands(atom, plan)?;
                plan.jump = Some((atom.relation, operands));
                return Ok(Solved::Done);
            }
            let before = plan.env.clone();
            match self.try_out(&pending, plan, wanted.as_deref())? {
                Tried::Value => {
                    if !plan
                        .env
                        .iter()
                        .zip(&before)
                        .any(|(now, was)| now.is_some() && was.is_none())
                    {
                        return Err(Stop::Broken("nothing was tried out"));
                    }
                }
                Tried::Answered(mut places) => {
                    places.sort_unstable();
                    places.into_iter().rev().for_each(|place| drop(pending.remove(place)));
                }
                Tried::Never => return Ok(Solved::Never),
                Tried::Nothing => {
                    let is_own = |literal: &FlatLiteral| match literal {
                        FlatLiteral::Positive(atom) => {
                            self.group_asked(how, atom.relation).is_some()
                        }
                        _ => false,
                    };
                    return Err(Stop::unsuited(match pending.iter().all(is_own) {
                        true => "a rule that asks twice for what it is about",
                        false => "a test of a value that nothing gives",
                    }));
                }
            }
        }
    }

    /// The variables of a condition that are not known, not wanted, and in no other condition.
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

    /// What it costs to ask a condition where it can be asked, about: first comparisons of what is
    /// known and entries of the state, then what static relations lead to, the smallest of them
    /// first, then checks.
    pub(super) fn cost(&mut self, literal: &FlatLiteral, plan: &Plan) -> usize {
        const LOOKED_UP: usize = 1;
        const CHECKED: usize = usize::MAX;
        match literal {
            FlatLiteral::Distinct(_) => 0,
            FlatLiteral::Same(_) => LOOKED_UP,
            FlatLiteral::Any(_) => CHECKED,
            FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => {
                let is_known = self.is_known(atom, plan);
                match self.rows_in(atom.relation, plan.scope.mode) {
                    Some(_) if is_known => 0,
                    Some(rows) => LOOKED_UP + 1 + rows.len(),
                    None if !self.shapes.contains_key(&atom.relation) => CHECKED,
                    None if is_known => 0,
                    None => LOOKED_UP,
                }
            }
        }
    }

    fn group_asked(&self, how: How<'_>, relation: RelationId) -> Option<usize> {
        let How::Check(Some(group)) = how else { return None };
        (self.relations[relation.index()].group == Some(group)).then_some(group)
    }

    pub(super) fn is_known(&self, atom: &FlatAtom, plan: &Plan) -> bool {
        atom.args.iter().all(|term| self.value(*term, plan).is_some())
    }

    pub(super) fn value(&self, term: FlatTerm, plan: &Plan) -> Option<Operand> {
        match term {
            FlatTerm::Constant(symbol) => Some(Operand::Symbol(symbol)),
            FlatTerm::Variable(variable) => plan.env[usize::from(variable.0)],
        }
    }

    pub(super) fn operands(&self, atom: &FlatAtom, plan: &Plan) -> Result<Vec<Operand>, Stop> {
        atom.args.iter().map(|&term| self.value(term, plan).ok_or(UNKNOWN)).collect()
    }

    /// Gives a variable a register for values of a set.
    pub(super) fn bind(
        &mut self,
        plan: &mut Plan,
        variable: Variable,
        set: SetId,
        hint: &str,
    ) -> Register {
        let place = usize::from(variable.0);
        let register = match plan.targets[place].take() {
            Some(target) => target,
            None => self.register(hint, set, &mut plan.used),
        };
        plan.env[place] = Some(Operand::Register(register));
        register
    }

    /// Reads an expression into a variable: one whose value is in a set, as is known here, though
    /// its type may have `none`, too.
    pub(super) fn read(
        &mut self,
        plan: &mut Plan,
        variable: Variable,
        expr: Expr,
        (set, has_none): (SetId, bool),
        hint: &str,
    ) -> bool {
        let expr = if has_none { self.cast(expr, set) } else { expr };
        if let Some(target) = plan.targets[usize::from(variable.0)] {
            let to = self.sets.set_of(target);
            let condition = self.guard(expr.clone(), set, to);
            if !demand(&mut plan.ops, condition) {
                return false;
            }
        }
        let register = self.bind(plan, variable, set, hint);
        let action = self.assign(register, expr, (set, false));
        plan.ops.push(Statement::Do(action));
        true
    }

    /// Asks a condition if what it takes is known.
    pub(super) fn ask(
        &mut self,
        literal: &FlatLiteral,
        plan: &mut Plan,
        local: &HashSet<Variable>,
        how: How<'_>,
    ) -> Result<Step, Stop> {
        let step = |holds: bool| if holds { Step::Done } else { Step::Never };
        Ok(match literal {
            FlatLiteral::Positive(atom) => {
                if let Some(rows) = self.rows_in(atom.relation, plan.scope.mode) {
                    return self.ask_table(atom, &rows, plan);
                }
                if self.shapes.contains_key(&atom.relation) {
                    return self.ask_state(atom, plan, local);
                }
                if !self.is_asked(atom.relation) {
                    return Ok(Step::Never);
                }
                if !self.is_known(atom, plan) || self.group_asked(how, atom.relation).is_some() {
                    return Ok(Step::Wait);
                }
                let operands = self.operands(atom, plan)?;
                let condition = self.call(atom.relation, &operands, plan)?;
                step(demand(&mut plan.ops, condition))
            }
            FlatLiteral::Negative(atom) => {
                let known = atom.args.iter().all(|term| match term {
                    FlatTerm::Constant(_) => true,
                    FlatTerm::Variable(v) => {
                        plan.env[usize::from(v.0)].is_some() || local.contains(v)
                    }
                });
                if !known {
                    return self.ask_missing(atom, plan);
                }
                let body = [FlatLiteral::Positive(atom.clone())];
                let condition = self.check(&[(&body, plan.clone())])?.opposite();
                step(demand(&mut plan.ops, condition))
            }
            FlatLiteral::Distinct(pairs) => {
                let mut ways = Vec::new();
                for &(left, right) in pairs {
                    let sides = (self.value(left, plan), self.value(right, plan));
                    let (Some(left), Some(right)) = sides else { return Ok(Step::Wait) };
                    match self.compare(left, right, false) {
                        Condition::Always => return Ok(Step::Done),
                        Condition::Never => {}
                        Condition::Test(action) => ways.push(vec![Statement::Test(action)]),
                    }
                }
                let condition = self.any_of(ways);
                step(demand(&mut plan.ops, condition))
            }
            FlatLiteral::Same(pairs) => {
                for &(left, right) in pairs {
                    if self.value(left, plan).is_none() && self.value(right, plan).is_none() {
                        return Ok(Step::Wait);
                    }
                }
                for &(left, right) in pairs {
                    let holds = match (self.value(left, plan), self.value(right, plan)) {
                        (Some(left), Some(right)) => {
                            let condition = self.compare(left, right, true);
                            demand(&mut plan.ops, condition)
                        }
                        (None, Some(known)) => self.alias(left, known, plan),
                        (Some(known), None) => self.alias(right, known, plan),
                        (None, None) => unreachable!("one of them is known"),
                    };
                    if !holds {
                        return Ok(Step::Never);
                    }
                }
                Step::Done
            }
            FlatLiteral::Any(branches) => {
                let mut known = true;
                for literal in branches.iter().flatten() {
                    variables(literal, &mut |v| known &= plan.env[usize::from(v.0)].is_some());
                }
                if !known {
                    return Ok(Step::Wait);
                }
                let bodies: Vec<(&[FlatLiteral], Plan)> =
                    branches.iter().map(|branch| (&branch[..], plan.clone())).collect();
                let condition = self.check(&bodies)?;
                step(demand(&mut plan.ops, condition))
            }
        })
    }

    /// Lets a variable be an operand.
    pub(super) fn alias(&mut self, term: FlatTerm, known: Operand, plan: &mut Plan) -> bool {
        let FlatTerm::Variable(variable) = term else { unreachable!("it is not known") };
        let place = usize::from(variable.0);
        match plan.targets[place] {
            Some(_) => {
                let (expr, set) = (self.operand(known), self.set_of(known));
                self.read(plan, variable, expr, (set, false), "value")
            }
            None => {
                plan.env[place] = Some(known);
                true
            }
        }
    }

    /// Asks for a fact of the state.
    fn ask_state(
        &mut self,
        atom: &FlatAtom,
        plan: &mut Plan,
        local: &HashSet<Variable>,
    ) -> Result<Step, Stop> {
        let shape = self.shapes[&atom.relation].clone();
        for (column, &term) in atom.args.iter().enumerate() {
            // What a column can be if it can be one thing only needs no key.
            if let ([only], None) =
                (self.sets.members(shape.columns[column]), self.value(term, plan))
                && !self.alias(term, Operand::Symbol(*only), plan)
            {
                return Ok(Step::Never);
            }
        }
        let is_key = |column: &usize| Some(*column) != shape.value;
        let known = (0..atom.args.len())
            .filter(is_key)
            .all(|column| self.value(atom.args[column], plan).is_some());
        if !known {
            return Ok(Step::Wait);
        }
        for column in (0..atom.args.len()).filter(is_key) {
            let operand = self.value(atom.args[column], plan).ok_or(UNKNOWN)?;
            let (expr, from) = (self.operand(operand), self.set_of(operand));
            let condition = self.guard(expr, from, shape.columns[column]);
            if !demand(&mut plan.ops, condition) {
                return Ok(Step::Never);
            }
        }
        let mut keys = Vec::new();
        for &column in &shape.keys {
            let operand = self.value(atom.args[column], plan).ok_or(UNKNOWN)?;
            keys.push(self.of_set(operand, shape.columns[column]));
        }
        let assured = self.is_assured(atom, plan);
        let slot = self.expr(shape.name, keys);
        let Some(column) = shape.value else {
            if assured {
                return Ok(Step::Done);
            }
            plan.ops.push(Statement::Test(Test::Is(slot, Name::ONE, true)));
            return Ok(Step::Done);
        };
        let set = shape.columns[column];
        match (atom.args[column], self.value(atom.args[column], plan)) {
            (_, Some(Operand::Symbol(symbol))) => {
                if !self.sets.has(set, symbol) {
                    return Ok(Step::Never);
                }
                if !assured {
                    let name = self.name_of(symbol);
                    plan.ops.push(Statement::Test(Test::Is(slot, name, true)));
                }
            }
            (_, Some(Operand::Register(register))) => {
                if !self.sets.overlap(set, self.sets.set_of(register)) {
                    return Ok(Step::Never);
                }
                if !assured {
                    let register = self.sets.slot(register);
                    plan.ops.push(Statement::Test(Test::Same(slot, register, true)));
                }
            }
            (FlatTerm::Variable(variable), None) => {
                if !shape.covered && !assured {
                    let none = self.none();
                    plan.ops.push(Statement::Test(Test::Is(slot, none, false)));
                }
                if local.contains(&variable) {
                    return Ok(Step::Done);
                }
                let hint = self.hint(atom.relation, column);
                let expr = self.program.slots.expr(slot).clone();
                if !self.read(plan, variable, expr, (set, !shape.covered), &hint) {
                    return Ok(Step::Never);
                }
            }
            (FlatTerm::Constant(_), None) => unreachable!("a constant is known"),
        }
        Ok(Step::Done)
    }

    /// Whether the truth of an atom of the state or a derived one is ever asked.
    fn is_asked(&self, relation: RelationId) -> bool {
        self.relations[relation.index()].is_derived()
    }

    /// The base relations that conditions read, through all relations in between. What is known of
    /// the turn only conditions themselves know.
    pub(super) fn reads(&mut self, body: &[FlatLiteral], scope: &Scope) -> HashSet<RelationId> {
        let mut asked = Vec::new();
        for literal in body {
            atoms(literal, &mut |atom| asked.push(atom.relation));
        }
        let mut reads = HashSet::new();
        for relation in asked {
            if self.shapes.contains_key(&relation) && self.rows_in(relation, scope.mode).is_none() {
                reads.insert(relation);
            }
            reads.extend(self.relations[relation.index()].reads.iter().copied());
        }
        reads
    }
}
