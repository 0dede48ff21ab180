//! One condition, as the statements that ask it.
//!
//! Known values are compared. An entry of the state or of a constant map is read. A derived
//! relation is called. A condition that needs a trial waits.

use super::Planner;
use super::body::{How, Plan, Step, UNKNOWN};
use super::scope::{Context, Scope};
use crate::export::program::{Statement, Test};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{SetId, atoms, variables};
use crate::export::rules::build::{Condition, Operand, Register, demand};
use crate::export::slots::Slot;
use gdlr_rg::rg::{Expr, Name};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatTerm, RelationId};
use hashbrown::HashSet;

impl Planner<'_> {
    pub(super) fn group_asked(&self, how: How<'_>, relation: RelationId) -> Option<usize> {
        let How::Check(Some(group)) = how else { return None };
        (self.relations.info(relation).group == Some(group)).then_some(group)
    }

    /// Gives a variable a register for the symbols of a set.
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
            None => self.out.register(hint, set, &mut plan.used),
        };
        plan.env[place] = Some(Operand::Register(register));
        register
    }

    /// Reads an expression into a variable. Its value is in the set, as the conditions before it
    /// ensure. `has_none` says whether its type also has the value `none`.
    pub(super) fn read(
        &mut self,
        plan: &mut Plan,
        variable: Variable,
        expr: Expr,
        (set, has_none): (SetId, bool),
        hint: &str,
    ) -> bool {
        let expr = if has_none { self.out.cast(expr, set) } else { expr };
        if let Some(target) = plan.targets[usize::from(variable.0)] {
            let to = self.out.registers.set_of(target);
            let condition = self.out.guard(expr.clone(), set, to);
            if !demand(&mut plan.ops, condition) {
                return false;
            }
        }
        let register = self.bind(plan, variable, set, hint);
        let action = self.out.assign(register, expr, (set, false));
        plan.ops.push(Statement::Do(action));
        true
    }

    /// Asks a condition if the variables that it needs are known.
    pub(super) fn ask(
        &mut self,
        literal: &FlatLiteral,
        plan: &mut Plan,
        local: &HashSet<Variable>,
        how: How<'_>,
        context: &Context,
    ) -> Result<Step, Stop> {
        match literal {
            FlatLiteral::Positive(atom) => self.ask_atom(atom, plan, local, how, context),
            FlatLiteral::Negative(atom) => {
                let all_bound = atom.args.iter().all(|term| match term {
                    FlatTerm::Constant(_) => true,
                    FlatTerm::Variable(v) => {
                        plan.env[usize::from(v.0)].is_some() || local.contains(v)
                    }
                });
                if !all_bound {
                    return self.ask_missing(atom, plan, context.scope.mode);
                }
                let body = [FlatLiteral::Positive(atom.clone())];
                let condition = self.check(&[(&body, plan.clone())], context)?.opposite();
                Ok(Step::of(demand(&mut plan.ops, condition)))
            }
            FlatLiteral::Distinct(pairs) => Ok(self.ask_distinct(pairs, plan)),
            FlatLiteral::Same(pairs) => Ok(self.ask_same(pairs, plan)),
            FlatLiteral::Any(branches) => {
                let mut all_bound = true;
                for literal in branches.iter().flatten() {
                    variables(literal, &mut |v| all_bound &= plan.env[usize::from(v.0)].is_some());
                }
                if !all_bound {
                    return Ok(Step::Wait);
                }
                let bodies: Vec<(&[FlatLiteral], Plan)> =
                    branches.iter().map(|branch| (&branch[..], plan.clone())).collect();
                let condition = self.check(&bodies, context)?;
                Ok(Step::of(demand(&mut plan.ops, condition)))
            }
        }
    }

    /// Asks for a row of a relation.
    fn ask_atom(
        &mut self,
        atom: &FlatAtom,
        plan: &mut Plan,
        local: &HashSet<Variable>,
        how: How<'_>,
        context: &Context,
    ) -> Result<Step, Stop> {
        if let Some(rows) = self.relations.rows_in(atom.relation, context.scope.mode) {
            return self.ask_table(atom, &rows, plan);
        }
        if self.analysis.shapes.contains_key(&atom.relation) {
            return self.ask_state(atom, plan, local, &context.scope);
        }
        if !self.relations.info(atom.relation).is_derived() {
            return Ok(Step::Never);
        }
        if !plan.knows(atom) || self.group_asked(how, atom.relation).is_some() {
            return Ok(Step::Wait);
        }
        let operands = plan.operands(atom)?;
        let condition = self.call(atom.relation, &operands, plan, context)?;
        Ok(Step::of(demand(&mut plan.ops, condition)))
    }

    /// Asks that the terms of at least one pair differ.
    fn ask_distinct(&mut self, pairs: &[(FlatTerm, FlatTerm)], plan: &mut Plan) -> Step {
        let mut ways = Vec::new();
        for &(left, right) in pairs {
            let sides = (plan.value(left), plan.value(right));
            let (Some(left), Some(right)) = sides else { return Step::Wait };
            match self.out.compare(left, right, false) {
                Condition::Always => return Step::Done,
                Condition::Never => {}
                Condition::Test(action) => ways.push(vec![Statement::Test(action)]),
            }
        }
        let condition = self.out.any_of(ways);
        Step::of(demand(&mut plan.ops, condition))
    }

    /// Asks that the terms of each pair are the same.
    fn ask_same(&mut self, pairs: &[(FlatTerm, FlatTerm)], plan: &mut Plan) -> Step {
        let is_open = |&(left, right): &(FlatTerm, FlatTerm)| {
            plan.value(left).is_none() && plan.value(right).is_none()
        };
        if pairs.iter().any(is_open) {
            return Step::Wait;
        }
        for &(left, right) in pairs {
            let holds = match (plan.value(left), plan.value(right)) {
                (Some(left), Some(right)) => {
                    let condition = self.out.compare(left, right, true);
                    demand(&mut plan.ops, condition)
                }
                (None, Some(known)) => self.alias(left, known, plan),
                (Some(known), None) => self.alias(right, known, plan),
                (None, None) => unreachable!("one of them is known"),
            };
            if !holds {
                return Step::Never;
            }
        }
        Step::Done
    }

    /// Binds a term without a value to an operand.
    pub(super) fn alias(&mut self, term: FlatTerm, known: Operand, plan: &mut Plan) -> bool {
        let FlatTerm::Variable(variable) = term else { unreachable!("it is not known") };
        let place = usize::from(variable.0);
        match plan.targets[place] {
            Some(_) => {
                let (expr, set) = (self.out.operand(known), self.out.set_of(known));
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
        scope: &Scope,
    ) -> Result<Step, Stop> {
        let shape = self.analysis.shapes[&atom.relation].clone();
        for (column, &term) in atom.args.iter().enumerate() {
            // A column with only one symbol has no key.
            if let ([only], None) =
                (self.out.symbols.sets.members(shape.columns[column]), plan.value(term))
                && !self.alias(term, Operand::Symbol(*only), plan)
            {
                return Ok(Step::Never);
            }
        }
        let is_key = |column: &usize| Some(*column) != shape.value;
        let keys_bound = (0..atom.args.len())
            .filter(is_key)
            .all(|column| plan.value(atom.args[column]).is_some());
        if !keys_bound {
            return Ok(Step::Wait);
        }
        for column in (0..atom.args.len()).filter(is_key) {
            let operand = plan.value(atom.args[column]).ok_or(UNKNOWN)?;
            let (expr, from) = (self.out.operand(operand), self.out.set_of(operand));
            let condition = self.out.guard(expr, from, shape.columns[column]);
            if !demand(&mut plan.ops, condition) {
                return Ok(Step::Never);
            }
        }
        let mut keys = Vec::new();
        for &column in &shape.keys {
            let operand = plan.value(atom.args[column]).ok_or(UNKNOWN)?;
            keys.push(self.out.of_set(operand, shape.columns[column]));
        }
        let is_known = self.is_precondition(atom, plan, scope);
        let slot = self.out.expr(shape.name, keys);
        Ok(self.ask_entry(atom, slot, plan, local, is_known))
    }

    /// Asks for the value of an entry of the state. An `is_known` value needs no test.
    fn ask_entry(
        &mut self,
        atom: &FlatAtom,
        slot: Slot,
        plan: &mut Plan,
        local: &HashSet<Variable>,
        is_known: bool,
    ) -> Step {
        let shape = &self.analysis.shapes[&atom.relation];
        let Some(column) = shape.value else {
            if is_known {
                return Step::Done;
            }
            plan.ops.push(Statement::Test(Test::Is(slot, Name::ONE, true)));
            return Step::Done;
        };
        let set = shape.columns[column];
        match (atom.args[column], plan.value(atom.args[column])) {
            (_, Some(Operand::Symbol(symbol))) => {
                if !self.out.symbols.sets.has(set, symbol) {
                    return Step::Never;
                }
                if !is_known {
                    let name = self.out.symbols.name_of(symbol);
                    plan.ops.push(Statement::Test(Test::Is(slot, name, true)));
                }
            }
            (_, Some(Operand::Register(register))) => {
                if !self.out.symbols.sets.overlap(set, self.out.registers.set_of(register)) {
                    return Step::Never;
                }
                if !is_known {
                    let register = self.out.registers.slot(register);
                    plan.ops.push(Statement::Test(Test::Same(slot, register, true)));
                }
            }
            (FlatTerm::Variable(variable), None) => {
                if !shape.covered && !is_known {
                    let none = self.out.symbols.none();
                    plan.ops.push(Statement::Test(Test::Is(slot, none, false)));
                }
                if local.contains(&variable) {
                    return Step::Done;
                }
                let hint = self.relations.hint(atom.relation, column);
                let expr = self.out.program.slots.expr(slot).clone();
                if !self.read(plan, variable, expr, (set, !shape.covered), &hint) {
                    return Step::Never;
                }
            }
            (FlatTerm::Constant(_), None) => unreachable!("a constant is known"),
        }
        Step::Done
    }

    /// The base relations that conditions read, directly or through derived relations. A base
    /// relation that the phase of the turn fixes is left out if it is only asked for directly.
    pub(super) fn reads(&mut self, body: &[FlatLiteral], scope: &Scope) -> HashSet<RelationId> {
        let mut asked = Vec::new();
        for literal in body {
            atoms(literal, &mut |atom| asked.push(atom.relation));
        }
        let mut reads = HashSet::new();
        for relation in asked {
            if self.analysis.shapes.contains_key(&relation)
                && self.relations.rows_in(relation, scope.mode).is_none()
            {
                reads.insert(relation);
            }
            reads.extend(self.relations.info(relation).reads.iter().copied());
        }
        reads
    }
}
