//! Conditions of a rule as what an automaton does one thing after another.
//!
//! What is known already is asked first; then what follows from it alone is read into registers
//! (an entry of the state, a static relation with one answer); only then are values tried out.
//! So a condition is asked as soon as its variables are known.

use super::sets::{Operand, Register, SetId};
use super::unfold::{atoms, variables};
use super::{Stop, Writer};
use crate::export::automaton::{Action, Node, Slot};
use crate::gdl::{Symbol, Variable};
use crate::normal::{EMPTY, FlatAtom, FlatLiteral, FlatTerm, RelationId};
use crate::rg::{Base, Expr, Ident, Name, Place};
use hashbrown::{HashMap, HashSet};

/// One thing that is done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    /// A comparison or a check.
    Test(Action),
    /// An assignment or a tag.
    Do(Action),
    /// One of these.
    Choice(Vec<Vec<Op>>),
    /// One of the first, then any number of the second, one after the other, then the last.
    Loop(Vec<Vec<Op>>, Vec<Vec<Op>>, Vec<Op>),
}

/// Things that are done one after the other, and where they lead.
type OpsTo<'o> = (&'o [Op], Node);

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
    pub ops: Vec<Op>,
    /// Whether several walks may be of the same values.
    pub repeats: bool,
    /// The relation that is asked at the end, and of what.
    pub jump: Option<(RelationId, Vec<Operand>)>,
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

/// A condition that has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Always,
    Never,
    Test(Action),
}

/// What became of a condition.
enum Step {
    /// It is taken care of.
    Done,
    Never,
    /// Not enough is known yet.
    Wait,
}

/// What was tried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    /// The values of a variable.
    Value,
    /// All answers of the condition at this place.
    Answered(usize),
    Nothing,
}

/// What can be tried out.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// The values of a variable, which stands in this column of a relation.
    Value(Variable, RelationId, usize),
    /// The few rows that answer the condition at this place.
    Rows(usize),
    /// What follows from the rules for the condition at this place.
    Through(usize),
}

/// How much a condition about the state leaves out: one in so many values holds, about.
const SELECTIVE: usize = 4;
/// How many values are tried out for a derived condition, before its rules are gone through
/// instead.
const MOST_TRIED: usize = 128;
/// The same for conditions that depend on themselves.
const MOST_TRIED_IN_LOOPS: usize = 16;
/// How many values a static relation may have for the same known columns to be gone through one
/// by one.
const MOST_WAYS: usize = 8;
/// How many entries constant maps may have together.
const MOST_ENTRIES: usize = 1 << 20;

impl Writer<'_> {
    pub(super) fn expr(&mut self, variable: Name, keys: Vec<Expr>) -> Slot {
        let base = Base::Name(variable.into());
        self.automaton.expr(Expr { base, keys, place: Place::default() })
    }

    pub(super) fn operand(&mut self, operand: Operand) -> Expr {
        match operand {
            Operand::Symbol(symbol) => Expr::from(Ident::from(self.name_of(symbol))),
            Operand::Register(register) => self.automaton.expr_of(self.sets.slot(register)).clone(),
        }
    }

    pub(super) fn operand_slot(&mut self, operand: Operand) -> Slot {
        let expr = self.operand(operand);
        self.automaton.expr(expr)
    }

    pub(super) fn set_of(&mut self, operand: Operand) -> SetId {
        match operand {
            Operand::Symbol(symbol) => self.set([symbol]),
            Operand::Register(register) => self.sets.set_of(register),
        }
    }

    /// That two operands are equal, or that they differ.
    pub(super) fn compare(&mut self, left: Operand, right: Operand, equal: bool) -> Condition {
        let constant = |holds: bool| if holds { Condition::Always } else { Condition::Never };
        match (left, right) {
            _ if left == right => constant(equal),
            (Operand::Symbol(_), Operand::Symbol(_)) => constant(!equal),
            (Operand::Register(register), Operand::Symbol(symbol))
            | (Operand::Symbol(symbol), Operand::Register(register)) => {
                if !self.sets.has(self.sets.set_of(register), symbol) {
                    return constant(!equal);
                }
                let name = self.name_of(symbol);
                Condition::Test(Action::Is(self.sets.slot(register), name, equal))
            }
            (Operand::Register(one), Operand::Register(other)) => {
                if !self.sets.overlap(self.sets.set_of(one), self.sets.set_of(other)) {
                    return constant(!equal);
                }
                let (one, other) = (self.sets.slot(one), self.sets.slot(other));
                Condition::Test(Action::Same(one, other, equal))
            }
        }
    }

    /// That the value of an expression with a type is a member of a set.
    pub(super) fn guard(&mut self, expr: Expr, from: SetId, to: SetId) -> Condition {
        if self.sets.within(from, to) {
            return Condition::Always;
        }
        if !self.sets.overlap(from, to) {
            return Condition::Never;
        }
        let slot = self.automaton.expr(expr.clone());
        let common: Vec<Symbol> = self.sets.members(from).to_vec();
        let common: Vec<Symbol> =
            common.into_iter().filter(|&symbol| self.sets.has(to, symbol)).collect();
        if let [only] = common[..] {
            let name = self.name_of(only);
            return Condition::Test(Action::Is(slot, name, true));
        }
        let entries = common.into_iter().map(|symbol| (vec![symbol], Name::ONE)).collect();
        let map = self.constant("among", &[from], entries, Name::ZERO, Name::BOOL_TYPE);
        let slot = self.expr(map, vec![expr]);
        Condition::Test(Action::Is(slot, Name::ONE, true))
    }

    /// That an operand is a member of a set.
    pub(super) fn is_in(&mut self, operand: Operand, set: SetId) -> Condition {
        let (expr, from) = (self.operand(operand), self.set_of(operand));
        self.guard(expr, from, set)
    }

    pub(super) fn demand(&mut self, plan: &mut Plan, condition: Condition) -> bool {
        match condition {
            Condition::Always => true,
            Condition::Never => false,
            Condition::Test(action) => {
                plan.ops.push(Op::Test(action));
                true
            }
        }
    }

    /// The plans for conditions: one for each way in which conditions about moves are answered by
    /// the moves of the scope.
    pub(super) fn plans(
        &mut self,
        body: &[FlatLiteral],
        plan: &Plan,
        how: How<'_>,
    ) -> Result<Vec<(Plan, Solved)>, Stop> {
        let mut plans = Vec::new();
        for (mut plan, body) in self.variants(body, plan)? {
            let solved = self.solve(&body, &mut plan, how)?;
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
        let asks = |literal: &FlatLiteral| matches!(literal, FlatLiteral::Positive(atom) if atom.relation == does);
        let mut open = vec![(plan.clone(), body.to_vec())];
        let mut done = Vec::new();
        while let Some((plan, mut body)) = open.pop() {
            self.meter.spend(16)?;
            let Some(place) = body.iter().position(asks) else {
                done.push((plan, body));
                continue;
            };
            let FlatLiteral::Positive(atom) = body.remove(place) else { unreachable!("just seen") };
            let Some((_, rows)) = self.scope.moves.clone() else {
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

    /// Lets a row answer an atom.
    fn answer(&mut self, atom: &FlatAtom, row: &[Operand], plan: &mut Plan) -> bool {
        atom.args.iter().zip(row).all(|(&term, &operand)| match term {
            // What the name of the move says.
            FlatTerm::Constant(EMPTY) => true,
            FlatTerm::Constant(symbol) => {
                let condition = self.compare(Operand::Symbol(symbol), operand, true);
                self.demand(plan, condition)
            }
            FlatTerm::Variable(variable) => match plan.env[usize::from(variable.0)] {
                Some(known) => {
                    let condition = self.compare(known, operand, true);
                    self.demand(plan, condition)
                }
                None => {
                    plan.env[usize::from(variable.0)] = Some(operand);
                    true
                }
            },
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
        let ops: Vec<Vec<Op>> = all.into_iter().map(|(plan, _)| plan.ops).collect();
        Ok(self.any_of(ops))
    }

    /// That one of several lists can be gone through.
    pub(super) fn any_of(&mut self, lists: Vec<Vec<Op>>) -> Condition {
        if lists.is_empty() {
            return Condition::Never;
        }
        if lists.iter().any(Vec::is_empty) {
            return Condition::Always;
        }
        if let [ops] = &lists[..]
            && let [Op::Test(action)] = ops[..]
        {
            return Condition::Test(action);
        }
        let yes = self.yes;
        let start = match &lists[..] {
            [ops] => self.walk(ops, yes),
            _ => {
                let start = self.automaton.node();
                self.walk_all(start, lists.iter().map(|ops| (&ops[..], yes)).collect());
                start
            }
        };
        Condition::Test(Action::Reach(start, yes, false))
    }

    /// The node from which things are done one after the other.
    pub(super) fn walk(&mut self, ops: &[Op], to: Node) -> Node {
        let mut to = to;
        for op in ops.iter().rev() {
            to = match op {
                Op::Test(action) | Op::Do(action) => self.automaton.before(*action, to),
                Op::Choice(ways) => {
                    let node = self.automaton.node();
                    self.walk_all(node, ways.iter().map(|way| (&way[..], to)).collect());
                    node
                }
                Op::Loop(first, ..) => {
                    let found = self.looped(op, to);
                    let node = self.automaton.node();
                    self.walk_all(node, first.iter().map(|way| (&way[..], found)).collect());
                    node
                }
            };
        }
        to
    }

    pub(super) fn walk_from(&mut self, start: Node, ops: &[Op], to: Node) {
        let Some((first, rest)) = ops.split_first() else {
            self.automaton.edge(start, to, Action::Skip);
            return;
        };
        let next = self.walk(rest, to);
        match first {
            Op::Test(action) | Op::Do(action) => self.automaton.edge(start, next, *action),
            Op::Choice(ways) => {
                self.walk_all(start, ways.iter().map(|way| (&way[..], next)).collect());
            }
            Op::Loop(ways, ..) => {
                let found = self.looped(first, next);
                self.walk_all(start, ways.iter().map(|way| (&way[..], found)).collect());
            }
        }
    }

    /// The node where the rounds of a loop begin.
    fn looped(&mut self, op: &Op, to: Node) -> Node {
        let Op::Loop(_, rounds, exit) = op else { unreachable!("a loop") };
        if rounds.is_empty() {
            return self.walk(exit, to);
        }
        let found = self.automaton.node();
        let exit = [(&exit[..], to)].into_iter();
        self.walk_all(found, exit.chain(rounds.iter().map(|round| (&round[..], found))).collect());
        found
    }

    /// Several ways from one node, which begin together as far as they are alike.
    pub(super) fn walk_all<'o>(&mut self, start: Node, ways: Vec<OpsTo<'o>>) {
        let mut groups: Vec<(&Op, Vec<OpsTo<'o>>)> = Vec::new();
        for (ops, to) in ways {
            let Some((first, rest)) = ops.split_first() else {
                self.automaton.edge(start, to, Action::Skip);
                continue;
            };
            match groups.iter_mut().find(|(other, _)| *other == first) {
                Some((_, group)) => group.push((rest, to)),
                None => groups.push((first, vec![(rest, to)])),
            }
        }
        for (first, group) in groups {
            match (first, &group[..]) {
                (Op::Test(action) | Op::Do(action), [_, _, ..]) => {
                    let next = self.automaton.node();
                    self.automaton.edge(start, next, *action);
                    self.walk_all(next, group);
                }
                _ => {
                    for (rest, to) in group {
                        let ops: Vec<Op> = [std::slice::from_ref(first), rest].concat();
                        self.walk_from(start, &ops, to);
                    }
                }
            }
        }
    }

    /// The node from which things are done one after the other, and where to go if a test fails.
    pub(super) fn decide(&mut self, ops: &[Op], to: Node, otherwise: Node) -> Node {
        ops.iter().rfold(to, |to, op| match op {
            Op::Test(action) => self.branch(*action, to, otherwise),
            Op::Do(action) => self.automaton.before(*action, to),
            Op::Choice(_) | Op::Loop(..) => unreachable!("nothing is tried out"),
        })
    }

    pub(super) fn branch(&mut self, test: Action, to: Node, otherwise: Node) -> Node {
        if to == otherwise {
            return to;
        }
        if let Some(&node) = self.branches.get(&(test, to, otherwise)) {
            return node;
        }
        let node = self.automaton.node();
        self.automaton.edge(node, to, test);
        self.automaton.edge(node, otherwise, test.opposite());
        self.branches.insert((test, to, otherwise), node);
        node
    }

    /// What the variables of conditions can be, as far as it is not known.
    pub(super) fn domains(&mut self, body: &[FlatLiteral], plan: &mut Plan) {
        for literal in body {
            let FlatLiteral::Positive(atom) = literal else { continue };
            if atom.relation == self.normal.does {
                continue;
            }
            for (column, term) in atom.args.iter().enumerate() {
                let FlatTerm::Variable(variable) = *term else { continue };
                let of = self.column_set(atom.relation, column);
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
            let mut progress = false;
            let mut place = 0;
            while place < pending.len() {
                let others = |v: Variable| {
                    let mut found = false;
                    for (number, other) in pending.iter().enumerate() {
                        if number != place {
                            variables(other, &mut |other| found |= other == v);
                        }
                    }
                    found
                };
                let local: HashSet<Variable> = match &pending[place] {
                    FlatLiteral::Negative(atom) | FlatLiteral::Positive(atom) => {
                        let wanted = match how {
                            How::Walk(wanted) | How::Decide(wanted) => wanted,
                            How::Check(_) => &[],
                        };
                        let vars = atom.args.iter().filter_map(|term| match term {
                            FlatTerm::Variable(v) => Some(*v),
                            FlatTerm::Constant(_) => None,
                        });
                        vars.filter(|&v| {
                            plan.env[usize::from(v.0)].is_none()
                                && !wanted.contains(&v)
                                && !others(v)
                        })
                        .collect()
                    }
                    _ => HashSet::new(),
                };
                let literal = pending[place].clone();
                match self.ask(&literal, plan, &local, how)? {
                    Step::Done => {
                        pending.remove(place);
                        progress = true;
                    }
                    Step::Never => return Ok(Solved::Never),
                    Step::Wait => place += 1,
                }
            }
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
                return Ok(match self.demand(plan, condition) {
                    true => Solved::Done,
                    false => Solved::Never,
                });
            }
            if let (How::Check(_), [FlatLiteral::Positive(atom)]) = (how, &pending[..])
                && self.group_asked(how, atom.relation).is_some()
                && self.is_known(atom, plan)
            {
                let operands = self.operands(atom, plan);
                plan.jump = Some((atom.relation, operands));
                return Ok(Solved::Done);
            }
            match self.try_out(&pending, plan, wanted.as_deref())? {
                Tried::Value => {}
                Tried::Answered(place) => {
                    pending.remove(place);
                }
                Tried::Nothing => {
                    return Err(Stop::unsuited("a rule that asks twice for what it is about"));
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

    pub(super) fn operands(&self, atom: &FlatAtom, plan: &Plan) -> Vec<Operand> {
        atom.args.iter().map(|&term| self.value(term, plan).expect("it is known")).collect()
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
            if !self.demand(plan, condition) {
                return false;
            }
        }
        let register = self.bind(plan, variable, set, hint);
        let action = self.assign(register, expr, (set, false));
        plan.ops.push(Op::Do(action));
        true
    }

    /// Assigns to a register, with a cast if not all that the expression could be has its type.
    pub(super) fn assign(
        &mut self,
        register: Register,
        expr: Expr,
        (from, has_none): (SetId, bool),
    ) -> Action {
        let to = self.sets.set_of(register);
        let expr = match has_none || !self.sets.within(from, to) {
            true => self.cast(expr, to),
            false => expr,
        };
        let from = self.automaton.expr(expr);
        Action::Copy(self.sets.slot(register), from)
    }

    /// The expression as one of the type of a set.
    pub(super) fn cast(&mut self, expr: Expr, to: SetId) -> Expr {
        let type_ = self.type_of(to, false, "value");
        let base = Base::Cast(type_.into(), Box::new(expr));
        Expr { base, keys: Vec::new(), place: Place::default() }
    }

    /// Asks a condition if what it takes is known.
    fn ask(
        &mut self,
        literal: &FlatLiteral,
        plan: &mut Plan,
        local: &HashSet<Variable>,
        how: How<'_>,
    ) -> Result<Step, Stop> {
        let step = |holds: bool| if holds { Step::Done } else { Step::Never };
        Ok(match literal {
            FlatLiteral::Positive(atom) => {
                if let Some(rows) = self.rows(atom.relation) {
                    return self.ask_table(atom, &rows, plan);
                }
                if self.shapes.contains_key(&atom.relation) {
                    return Ok(self.ask_state(atom, plan, local));
                }
                if !self.is_asked(atom.relation) {
                    return Ok(Step::Never);
                }
                if !self.is_known(atom, plan) || self.group_asked(how, atom.relation).is_some() {
                    return Ok(Step::Wait);
                }
                let operands = self.operands(atom, plan);
                let condition = self.call(atom.relation, &operands, plan)?;
                step(self.demand(plan, condition))
            }
            FlatLiteral::Negative(atom) => {
                let known = atom.args.iter().all(|term| match term {
                    FlatTerm::Constant(_) => true,
                    FlatTerm::Variable(v) => {
                        plan.env[usize::from(v.0)].is_some() || local.contains(v)
                    }
                });
                if !known {
                    return Ok(Step::Wait);
                }
                let body = [FlatLiteral::Positive(atom.clone())];
                let condition = match self.check(&[(&body, plan.clone())])? {
                    Condition::Always => Condition::Never,
                    Condition::Never => Condition::Always,
                    Condition::Test(action) => Condition::Test(action.opposite()),
                };
                step(self.demand(plan, condition))
            }
            FlatLiteral::Distinct(pairs) => {
                let mut ways = Vec::new();
                for &(left, right) in pairs {
                    let sides = (self.value(left, plan), self.value(right, plan));
                    let (Some(left), Some(right)) = sides else { return Ok(Step::Wait) };
                    match self.compare(left, right, false) {
                        Condition::Always => return Ok(Step::Done),
                        Condition::Never => {}
                        Condition::Test(action) => ways.push(vec![Op::Test(action)]),
                    }
                }
                let condition = self.any_of(ways);
                step(self.demand(plan, condition))
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
                            self.demand(plan, condition)
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
                step(self.demand(plan, condition))
            }
        })
    }

    /// Lets a variable be an operand.
    fn alias(&mut self, term: FlatTerm, known: Operand, plan: &mut Plan) -> bool {
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
    fn ask_state(&mut self, atom: &FlatAtom, plan: &mut Plan, local: &HashSet<Variable>) -> Step {
        let shape = self.shapes[&atom.relation].clone();
        let is_key = |column: &usize| Some(*column) != shape.value;
        let known = (0..atom.args.len())
            .filter(is_key)
            .all(|column| self.value(atom.args[column], plan).is_some());
        if !known {
            return Step::Wait;
        }
        for column in (0..atom.args.len()).filter(is_key) {
            let operand = self.value(atom.args[column], plan).expect("it is known");
            let (expr, from) = (self.operand(operand), self.set_of(operand));
            let condition = self.guard(expr, from, shape.columns[column]);
            if !self.demand(plan, condition) {
                return Step::Never;
            }
        }
        let mut keys = Vec::new();
        for &column in &shape.keys {
            let operand = self.value(atom.args[column], plan).expect("it is known");
            keys.push(self.of_set(operand, shape.columns[column]));
        }
        let slot = self.expr(shape.name, keys);
        let Some(column) = shape.value else {
            plan.ops.push(Op::Test(Action::Is(slot, Name::ONE, true)));
            return Step::Done;
        };
        let set = shape.columns[column];
        match (atom.args[column], self.value(atom.args[column], plan)) {
            (_, Some(Operand::Symbol(symbol))) => {
                if !self.sets.has(set, symbol) {
                    return Step::Never;
                }
                let name = self.name_of(symbol);
                plan.ops.push(Op::Test(Action::Is(slot, name, true)));
            }
            (_, Some(Operand::Register(register))) => {
                if !self.sets.overlap(set, self.sets.set_of(register)) {
                    return Step::Never;
                }
                let register = self.sets.slot(register);
                plan.ops.push(Op::Test(Action::Same(slot, register, true)));
            }
            (FlatTerm::Variable(variable), None) => {
                if !shape.covered {
                    let none = self.none();
                    plan.ops.push(Op::Test(Action::Is(slot, none, false)));
                }
                if local.contains(&variable) {
                    return Step::Done;
                }
                let hint = self.hints.column(atom.relation, column);
                let expr = self.automaton.expr_of(slot).clone();
                if !self.read(plan, variable, expr, (set, !shape.covered), &hint) {
                    return Step::Never;
                }
            }
            (FlatTerm::Constant(_), None) => unreachable!("a constant is known"),
        }
        Step::Done
    }

    /// The rows of a table that may answer an atom.
    fn answers<'r>(
        &self,
        atom: &FlatAtom,
        rows: &'r [Vec<Symbol>],
        plan: &Plan,
    ) -> Vec<&'r Vec<Symbol>> {
        let fits = |row: &&Vec<Symbol>| {
            atom.args.iter().zip(row.iter()).enumerate().all(
                |(column, (&term, &symbol))| match self.value(term, plan) {
                    Some(Operand::Symbol(known)) => known == symbol,
                    Some(Operand::Register(register)) => {
                        self.sets.has(self.sets.set_of(register), symbol)
                    }
                    None => {
                        let FlatTerm::Variable(v) = term else { unreachable!("it is known") };
                        let before = atom.args[..column].iter().position(|other| *other == term);
                        before.is_none_or(|before| row[before] == symbol)
                            && plan.domains[usize::from(v.0)]
                                .is_none_or(|set| self.sets.has(set, symbol))
                    }
                },
            )
        };
        rows.iter().filter(fits).collect()
    }

    /// Asks a relation whose rows are known.
    fn ask_table(
        &mut self,
        atom: &FlatAtom,
        rows: &[Vec<Symbol>],
        plan: &mut Plan,
    ) -> Result<Step, Stop> {
        self.meter.spend(rows.len())?;
        let rows = self.answers(atom, rows, plan);
        if rows.is_empty() {
            return Ok(Step::Never);
        }
        let table = Table::of(atom, &rows, |term| self.value(term, plan));
        let sets: Vec<SetId> = table.known.iter().map(|&(r, _)| self.sets.set_of(r)).collect();
        let all: usize = sets.iter().map(|&set| self.sets.members(set).len()).product();
        let keys: Vec<Operand> =
            table.known.iter().map(|&(register, _)| Operand::Register(register)).collect();
        if table.open.is_empty() {
            if table.rows.len() == all {
                return Ok(Step::Done);
            }
            let condition = self.in_table(atom, &table, &keys, &sets)?;
            return Ok(if self.demand(plan, condition) { Step::Done } else { Step::Never });
        }
        if let [(_, [values])] =
            &table.groups()[..].iter().map(|(k, v)| (k, &v[..])).collect::<Vec<_>>()[..]
            && table.known.is_empty()
        {
            let values: Vec<Symbol> = (*values).clone();
            for (&(variable, _), symbol) in table.open.iter().zip(values) {
                if !self.alias(FlatTerm::Variable(variable), Operand::Symbol(symbol), plan) {
                    return Ok(Step::Never);
                }
            }
            return Ok(Step::Done);
        }
        let groups = table.groups();
        if table.known.is_empty() || groups.iter().any(|(_, values)| values.len() > 1) {
            return Ok(Step::Wait);
        }
        self.within_limits(all)?;
        let partial = groups.len() < all;
        let exprs: Vec<Expr> = keys.iter().map(|&key| self.operand(key)).collect();
        for (place, &(variable, column)) in table.open.iter().enumerate() {
            let set = self.set(groups.iter().map(|(_, values)| values[0][place]));
            let hint = self.hints.column(atom.relation, column);
            let map = self.function(atom.relation, &sets, &groups, (place, set), partial, &hint);
            let slot = self.expr(map, exprs.clone());
            if partial && place == 0 {
                let none = self.none();
                plan.ops.push(Op::Test(Action::Is(slot, none, false)));
            }
            let expr = self.automaton.expr_of(slot).clone();
            if !self.read(plan, variable, expr, (set, partial), &hint) {
                return Ok(Step::Never);
            }
        }
        Ok(Step::Done)
    }

    fn within_limits(&self, entries: usize) -> Result<(), Stop> {
        match self.entries.saturating_add(entries) > MOST_ENTRIES {
            true => Err(Stop::unsuited("a static relation would be too large a map")),
            false => Ok(()),
        }
    }

    /// The constant map from keys to one of the columns that they decide.
    fn function(
        &mut self,
        relation: RelationId,
        keys: &[SetId],
        groups: &[(Vec<Symbol>, Vec<Vec<Symbol>>)],
        (place, set): (usize, SetId),
        partial: bool,
        hint: &str,
    ) -> Name {
        let mut entries = Vec::new();
        for (key, values) in groups {
            entries.push((key.clone(), self.name_of(values[0][place])));
        }
        let default = match partial {
            true => self.none(),
            false => entries[0].1,
        };
        let type_ = self.type_of(set, partial, hint);
        let wanted = self.plain_name(relation);
        self.constant(&wanted, keys, entries, default, type_)
    }

    /// That registers are a row of a table.
    fn in_table(
        &mut self,
        atom: &FlatAtom,
        table: &Table,
        keys: &[Operand],
        sets: &[SetId],
    ) -> Result<Condition, Stop> {
        if let ([key], [row]) = (keys, &table.rows[..]) {
            return Ok(self.compare(*key, Operand::Symbol(row[0]), true));
        }
        let all: usize = sets.iter().map(|&set| self.sets.members(set).len()).product();
        self.within_limits(all)?;
        let mut exprs: Vec<Expr> = keys.iter().map(|&key| self.operand(key)).collect();
        let wanted = self.plain_name(atom.relation);
        if let [.., last] = keys
            && keys.len() > 1
            && table.is_function()
        {
            let _ = exprs.pop();
            let Operand::Register(last) = *last else { unreachable!("a register") };
            let count = keys.len() - 1;
            let groups: Vec<(Vec<Symbol>, Vec<Vec<Symbol>>)> = (table.rows.iter())
                .map(|row| (row[..count].to_vec(), vec![row[count..].to_vec()]))
                .collect();
            let all: usize =
                sets[..count].iter().map(|&set| self.sets.members(set).len()).product();
            let set = self.set(table.rows.iter().map(|row| row[count]));
            let partial = groups.len() < all;
            let hint = self.hints.column(atom.relation, table.known[count].1);
            let map =
                self.function(atom.relation, &sets[..count], &groups, (0, set), partial, &hint);
            let slot = self.expr(map, exprs);
            return Ok(Condition::Test(Action::Same(slot, self.sets.slot(last), true)));
        }
        let entries = table.rows.iter().map(|row| (row.clone(), Name::ONE)).collect();
        let map = self.constant(&wanted, sets, entries, Name::ZERO, Name::BOOL_TYPE);
        let slot = self.expr(map, exprs);
        Ok(Condition::Test(Action::Is(slot, Name::ONE, true)))
    }

    /// Tries out the values of a variable: of that which leaves the fewest ways open, as far as can
    /// be told.
    fn try_out(
        &mut self,
        pending: &[FlatLiteral],
        plan: &mut Plan,
        wanted: Option<&[Variable]>,
    ) -> Result<Tried, Stop> {
        let is_wanted = |v: Variable| wanted.is_none_or(|wanted| wanted.contains(&v));
        let mut best: Option<(usize, Way)> = None;
        for (place, literal) in pending.iter().enumerate() {
            let FlatLiteral::Positive(atom) = literal else { continue };
            let shape_value = self.shapes.get(&atom.relation).map(|shape| shape.value);
            let mut ways = 1usize;
            let mut first: Option<(usize, Variable, usize)> = None;
            let mut all_wanted = true;
            for (column, term) in atom.args.iter().enumerate() {
                let FlatTerm::Variable(v) = *term else { continue };
                if plan.env[usize::from(v.0)].is_some() || shape_value == Some(Some(column)) {
                    continue;
                }
                all_wanted &= is_wanted(v);
                let set = plan.domains[usize::from(v.0)].expect("a positive condition has it");
                let size = self.sets.members(set).len();
                ways = ways.saturating_mul(size);
                if first.is_none_or(|(least, ..)| size < least) {
                    first = Some((size, v, column));
                }
            }
            let Some((_, variable, column)) = first else { continue };
            let mut way = Way::Value(variable, atom.relation, column);
            if let Some(rows) = self.rows(atom.relation) {
                if let Some(few) = self.few_rows(atom, &rows, plan) {
                    (ways, way) = (few, Way::Rows(place));
                }
                ways = ways.saturating_mul(SELECTIVE);
            } else if shape_value.is_none() {
                let most = match self.relations[atom.relation.index()].group {
                    Some(_) => MOST_TRIED_IN_LOOPS,
                    None => MOST_TRIED,
                };
                if ways > most && self.can_go_through(atom.relation) {
                    way = Way::Through(place);
                }
                ways = ways.saturating_mul(2 * SELECTIVE);
            }
            // What is tried out for nothing else makes walks that are alike.
            if !all_wanted {
                ways = ways.saturating_mul(SELECTIVE);
            }
            if best.as_ref().is_none_or(|(least, _)| ways < *least) {
                best = Some((ways, way));
            }
        }
        let (variable, hint) = match best {
            Some((_, Way::Value(variable, relation, column))) => {
                (variable, self.hints.column(relation, column))
            }
            Some((_, Way::Rows(place))) => {
                let FlatLiteral::Positive(atom) = &pending[place] else { unreachable!("an atom") };
                let rows = self.rows(atom.relation).expect("just seen");
                plan.repeats |= atom.args.iter().any(
                    |term| matches!(*term, FlatTerm::Variable(v) if plan.env[usize::from(v.0)].is_none() && !is_wanted(v)),
                );
                self.try_rows(atom, &rows, plan)?;
                return Ok(Tried::Answered(place));
            }
            Some((_, Way::Through(place))) => {
                let FlatLiteral::Positive(atom) = &pending[place] else { unreachable!("an atom") };
                plan.repeats = true;
                self.go_through(atom, plan)?;
                return Ok(Tried::Answered(place));
            }
            None => {
                // A variable of the head that no condition binds.
                let open = |v: &Variable| plan.env[usize::from(v.0)].is_none();
                let open = wanted.into_iter().flatten().copied().find(open);
                let Some(open) = open else { return Ok(Tried::Nothing) };
                let Some(target) = plan.targets[usize::from(open.0)] else {
                    return Ok(Tried::Nothing);
                };
                plan.domains[usize::from(open.0)] = Some(self.sets.set_of(target));
                (open, "value".to_owned())
            }
        };
        plan.repeats |= !is_wanted(variable);
        let mut set = plan.domains[usize::from(variable.0)].expect("it has some");
        if let Some(target) = plan.targets[usize::from(variable.0)] {
            let to = self.sets.set_of(target);
            let both = self.sets.members(set).to_vec();
            let both: Vec<Symbol> = both.into_iter().filter(|&s| self.sets.has(to, s)).collect();
            set = self.set(both);
            if self.sets.members(set).is_empty() {
                // Nothing of it is ever legal.
                plan.ops.push(Op::Test(Action::Never));
                let first = self.sets.members(to)[0];
                plan.targets[usize::from(variable.0)] = None;
                plan.env[usize::from(variable.0)] = Some(Operand::Symbol(first));
                return Ok(Tried::Value);
            }
        }
        let type_ = self.type_of(set, false, &hint);
        let register = self.bind(plan, variable, set, &hint);
        plan.ops.push(Op::Do(Action::Any(self.sets.slot(register), type_)));
        Ok(Tried::Value)
    }

    /// How many rows of a table answer an atom at most, if these are few and can be gone through.
    fn few_rows(&self, atom: &FlatAtom, rows: &[Vec<Symbol>], plan: &Plan) -> Option<usize> {
        let rows = self.answers(atom, rows, plan);
        let table = Table::of(atom, &rows, |term| self.value(term, plan));
        let [(variable, _)] = table.open[..] else { return None };
        let groups = table.groups();
        let most = groups.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let domain = plan.domains[usize::from(variable.0)].expect("it has some");
        let sets = table.known.iter().map(|&(r, _)| self.sets.set_of(r));
        let all: usize = sets.map(|set| self.sets.members(set).len()).product();
        let few = !table.known.is_empty()
            && most <= MOST_WAYS
            && 2 * most <= self.sets.members(domain).len()
            && all <= MOST_ENTRIES;
        let fits = plan.targets[usize::from(variable.0)].is_none_or(|target| {
            let to = self.sets.set_of(target);
            groups.iter().flat_map(|(_, values)| values).all(|value| self.sets.has(to, value[0]))
        });
        (few && fits).then_some(most)
    }

    /// Goes through the few rows of a table that answer an atom.
    fn try_rows(
        &mut self,
        atom: &FlatAtom,
        rows: &[Vec<Symbol>],
        plan: &mut Plan,
    ) -> Result<(), Stop> {
        let rows = self.answers(atom, rows, plan);
        let table = Table::of(atom, &rows, |term| self.value(term, plan));
        let (variable, column) = table.open[0];
        let groups = table.groups();
        let most = groups.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let sets: Vec<SetId> = table.known.iter().map(|&(r, _)| self.sets.set_of(r)).collect();
        let all: usize = sets.iter().map(|&set| self.sets.members(set).len()).product();
        let set = self.set(groups.iter().flat_map(|(_, v)| v.iter().map(|value| value[0])));
        let hint = self.hints.column(atom.relation, column);
        let keys: Vec<Expr> = (table.known.iter())
            .map(|&(register, _)| self.automaton.expr_of(self.sets.slot(register)).clone())
            .collect();
        let register = self.bind(plan, variable, set, &hint);
        let mut ways = Vec::new();
        for number in 0..most {
            let own: Vec<(Vec<Symbol>, Vec<Vec<Symbol>>)> = groups
                .iter()
                .filter(|(_, values)| values.len() > number)
                .map(|(key, values)| (key.clone(), vec![values[number].clone()]))
                .collect();
            let partial = own.len() < all;
            let map = self.function(atom.relation, &sets, &own, (0, set), partial, &hint);
            let slot = self.expr(map, keys.clone());
            let mut way = Vec::new();
            if partial {
                let none = self.none();
                way.push(Op::Test(Action::Is(slot, none, false)));
            }
            let expr = self.automaton.expr_of(slot).clone();
            way.push(Op::Do(self.assign(register, expr, (set, partial))));
            ways.push(way);
        }
        plan.ops.push(Op::Choice(ways));
        Ok(())
    }

    /// Whether the truth of an atom of the state or a derived one is ever asked.
    fn is_asked(&self, relation: RelationId) -> bool {
        self.relations[relation.index()].is_derived()
    }

    /// The base relations that conditions read, through all relations in between. What is known of
    /// the turn only conditions themselves know.
    pub(super) fn reads(&mut self, body: &[FlatLiteral]) -> HashSet<RelationId> {
        let mut asked = Vec::new();
        for literal in body {
            atoms(literal, &mut |atom| asked.push(atom.relation));
        }
        let mut reads = HashSet::new();
        for relation in asked {
            if self.shapes.contains_key(&relation) && self.rows(relation).is_none() {
                reads.insert(relation);
            }
            reads.extend(self.relations[relation.index()].reads.iter().copied());
        }
        reads
    }
}

/// The rows that answer an atom: the columns that registers hold, and those of variables.
struct Table {
    known: Vec<(Register, usize)>,
    open: Vec<(Variable, usize)>,
    /// The columns of registers and then those of variables.
    rows: Vec<Vec<Symbol>>,
}

impl Table {
    fn of(
        atom: &FlatAtom,
        rows: &[&Vec<Symbol>],
        value: impl Fn(FlatTerm) -> Option<Operand>,
    ) -> Table {
        let mut known: Vec<(Register, usize)> = Vec::new();
        let mut open: Vec<(Variable, usize)> = Vec::new();
        let mut same: Vec<(usize, usize)> = Vec::new();
        for (column, &term) in atom.args.iter().enumerate() {
            match (term, value(term)) {
                (_, Some(Operand::Symbol(_))) => {}
                (_, Some(Operand::Register(register))) => {
                    match known.iter().find(|(other, _)| *other == register) {
                        Some(&(_, before)) => same.push((before, column)),
                        None => known.push((register, column)),
                    }
                }
                (FlatTerm::Variable(variable), None) => {
                    if !open.iter().any(|(other, _)| *other == variable) {
                        open.push((variable, column));
                    }
                }
                (FlatTerm::Constant(_), None) => unreachable!("a constant is known"),
            }
        }
        let columns: Vec<usize> =
            known.iter().map(|&(_, c)| c).chain(open.iter().map(|&(_, c)| c)).collect();
        let rows = rows.iter().filter(|row| same.iter().all(|&(a, b)| row[a] == row[b]));
        let mut rows: Vec<Vec<Symbol>> =
            rows.map(|row| columns.iter().map(|&c| row[c]).collect()).collect();
        rows.sort_unstable();
        rows.dedup();
        Table { known, open, rows }
    }

    /// By what registers hold: what the variables can be.
    fn groups(&self) -> Vec<(Vec<Symbol>, Vec<Vec<Symbol>>)> {
        let count = self.known.len();
        let mut groups: Vec<(Vec<Symbol>, Vec<Vec<Symbol>>)> = Vec::new();
        let mut place: HashMap<&[Symbol], usize> = HashMap::new();
        for row in &self.rows {
            let (key, values) = row.split_at(count);
            let at = *place.entry(key).or_insert_with(|| {
                groups.push((key.to_vec(), Vec::new()));
                groups.len() - 1
            });
            groups[at].1.push(values.to_vec());
        }
        groups
    }

    /// Whether the last column follows from the others.
    fn is_function(&self) -> bool {
        let mut seen = HashSet::new();
        self.rows.iter().all(|row| seen.insert(&row[..row.len() - 1]))
    }
}
