//! Percepts of a step (GDL-II), as tags that the keeper shows to roles (RG, 2.1).
//!
//! The percepts of one name share a tag, and have registers for the arguments that differ. The
//! keeper shows them between the choices of a step and its effects. A role without a choice first
//! sees the move that it made. Then each role sees its percepts, one kind after the other.
//!
//! ```text
//! (<= (sees candidate (goat ?door)) (does random (open ?door)))
//!
//! visible[candidate] = 1, $ wait, $ sees_goat, $$ door, visible[candidate] = 0
//! ```
//!
//! The tags of a step depend on the set of its percepts alone. So if a kind may have several
//! percepts in one step, the program goes through all its percepts, and asks of each whether the
//! role sees it.

use super::body::{How, Plan, Solved, UNKNOWN};
use super::moves::Kind;
use super::of_net::Part;
use super::scope::{Context, Scope};
use super::write::Loop;
use super::{Planner, Said};
use crate::export::naming::plain;
use crate::export::program::{Act, Body, If, Statement};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{SetId, Symbols};
use crate::export::rules::build::{Condition, Operand};
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_rules::gdl::{Symbol, Term, Variable};
use gdlr_rules::normal::{FlatLiteral, FlatRule, FlatTerm, RelationId};
use std::rc::Rc;

/// The error of a percept without columns.
const NO_PERCEPT: Stop = Stop::Broken("a percept has no columns");

/// A column of the percepts of one kind.
#[derive(Clone, Copy, Debug)]
enum Column {
    Only(Symbol),
    Any(SetId),
}

/// The place of a percept in the net, and its columns.
type PerceptRow = (usize, Vec<Symbol>);

/// A kind of percepts: all percepts with one name.
#[derive(Clone, Debug)]
pub(in crate::export::rules) struct PerceptKind {
    /// The first tag of each percept. No move has this tag.
    tag: Name,
    name: String,
    columns: Vec<Column>,
    /// By column: the wanted name of its register.
    hints: Vec<String>,
    /// All percepts of the kind.
    rows: Vec<PerceptRow>,
}

impl PerceptKind {
    /// The name of the percepts.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tags of each percept of this kind, with the percept's place in the net.
    pub fn tags(&self, symbols: &mut Symbols<'_>) -> Vec<(usize, Vec<Name>)> {
        let mut all = Vec::new();
        for (place, row) in &self.rows {
            let mut tags = vec![self.tag];
            for (column, symbol) in self.columns.iter().zip(row) {
                if matches!(column, Column::Any(_)) {
                    tags.push(symbols.name_of(*symbol));
                }
            }
            all.push((*place, tags));
        }
        all
    }

    /// The sets of the columns that have several symbols.
    fn any(&self) -> impl Iterator<Item = SetId> {
        self.columns.iter().filter_map(|column| match column {
            Column::Any(set) => Some(*set),
            Column::Only(_) => None,
        })
    }
}

/// Tags that are shown to some roles.
struct Shown {
    roles: Vec<usize>,
    body: Body,
}

/// A rule that may tell a role a percept of a kind.
struct Candidate {
    plan: Plan,
    body: Vec<FlatLiteral>,
    /// The arguments: one term for each column of the kind that has several symbols.
    args: Vec<FlatTerm>,
}

impl Planner<'_> {
    /// The kinds of percepts, with all percepts of each.
    pub(super) fn percept_kinds(&mut self) -> Result<Vec<PerceptKind>, Stop> {
        let Some(sees) = self.input.normal.sees else { return Ok(Vec::new()) };
        let mut groups: Vec<(Option<Symbol>, Vec<PerceptRow>)> = Vec::new();
        let by_name = self.says_names(sees);
        for (place, percept) in self.input.net.percepts.iter().enumerate() {
            self.input.meter.spend(1)?;
            let row = self.percept_row(sees, &percept.term).ok_or(NO_PERCEPT)?;
            let key = self.name_of_kind(sees, by_name, &percept.term, &row);
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, group)) => group.push((place, row)),
                None => groups.push((key, vec![(place, row)])),
            }
        }
        let mut kinds = Vec::new();
        for (key, rows) in groups {
            let term = &self.input.net.percepts[rows[0].0].term;
            let name = match (key, term) {
                (Some(_), Term::Function(name, _) | Term::Constant(name)) => Some(*name),
                _ => None,
            };
            let text = name
                .map_or_else(String::new, |name| format!(" {}", self.input.normal.spelling(name)));
            let what =
                format!("sees {}{text}", if matches!(term, Term::Constant(_)) { "" } else { "(" });
            let wanted = format!("sees{}", plain(&text.replace(' ', "_")));
            let tag = self.out.symbols.naming.symbol(&what, &wanted);
            let (mut columns, mut hints) = (Vec::new(), Vec::new());
            for column in 0..rows[0].1.len() {
                let set = self.out.symbols.set(rows.iter().map(|(_, row)| row[column]));
                columns.push(match self.out.symbols.sets.members(set)[..] {
                    [only] => Column::Only(only),
                    _ => Column::Any(set),
                });
                hints.push(self.percept_hint(sees, name, column));
            }
            let name = text.trim_start().to_owned();
            kinds.push(PerceptKind { tag, name, columns, hints, rows });
        }
        Ok(kinds)
    }

    /// The columns of a percept.
    fn percept_row(&self, sees: RelationId, term: &Term) -> Option<Vec<Symbol>> {
        let from = self.input.normal.relation(sees).args[0].width();
        let row = self.input.normal.encode_arg(sees, 1, term)?;
        self.relations.columns.row_from(&self.out.symbols.pairs, sees, from, &row)
    }

    /// The wanted name of the register for a column of percepts.
    fn percept_hint(&self, sees: RelationId, name: Option<Symbol>, column: usize) -> String {
        let from = self.input.normal.relation(sees).args[0].width();
        let columns = self.relations.columns_of(sees).into_iter();
        let own: Vec<(usize, bool)> = columns.filter(|(at, _)| *at >= from).collect();
        let place = own[column].0 - from;
        let of = |name| self.relations.hints.of_move(name, place.checked_sub(1)?);
        name.and_then(of).unwrap_or_else(|| "percept".to_owned())
    }

    /// Shows each role its part of a step: its move, if it had no choice, and its percepts. `parts`
    /// has the only move of each role without a choice.
    pub(super) fn show_percepts(
        &mut self,
        mode: usize,
        parts: &[Option<usize>],
        said: &Said,
        scope: &Rc<Scope>,
    ) -> Result<Body, Stop> {
        if !self.input.game.has_percepts() {
            return Ok(Vec::new());
        }
        let mut roles = self.analysis.roles.players.clone();
        roles.retain(|&role| self.analysis.roles.chance != Some(role));
        let mut shown: Vec<Shown> = Vec::new();
        for &role in &roles {
            if let Some(input) = parts[role] {
                let body = self.implied_tags(input, &said.moves)?;
                add(&mut shown, role, body, 0);
            }
        }
        for (place, kind) in said.percepts.iter().enumerate() {
            let (part, first) = (Part::Percepts(place), shown.len());
            for &role in &roles {
                let body = match self.is_of_net(part) {
                    false => part.of(self.show_kind(mode, role, kind, scope))?,
                    true => self.show_kind_of_net(mode, role, kind, scope)?,
                };
                add(&mut shown, role, body, first);
            }
        }
        let mut body = Vec::new();
        for together in shown.chunk_by(|one, other| one.roles == other.roles) {
            let set = |value: Name, body: &mut Body, planner: &mut Planner<'_>| {
                for &role in &together[0].roles {
                    let name = planner.analysis.roles.names[role];
                    let slot = planner.out.program.slots.slot(Name::VISIBLE, &[name]);
                    body.push(Statement::Do(Act::Set(slot, value)));
                }
            };
            set(Name::ONE, &mut body, self);
            body.extend(together.iter().flat_map(|one| one.body.iter().cloned()));
            set(Name::ZERO, &mut body, self);
        }
        Ok(body)
    }

    /// The tags of the only move that a role has.
    fn implied_tags(&mut self, input: usize, kinds: &[Kind]) -> Result<Body, Stop> {
        let row = self.analysis.moves.of_input(input).to_vec();
        let kind = kinds.iter().find(|kind| kind.has(&row, &self.out));
        let kind = kind.ok_or(Stop::Broken("a move of no kind"))?;
        let tags = kind.tags(&row, &mut self.out.symbols).into_iter();
        Ok(tags.map(|tag| Statement::Do(Act::Tag(tag))).collect())
    }

    /// The percepts of a kind that a role may have in a turn, by the net, as places in the net.
    fn possible(&self, mode: usize, role: usize, kind: &PerceptKind) -> Vec<usize> {
        let copy = &self.input.unrolled.copies[mode];
        let is_possible = |place: &usize| {
            usize::from(self.input.net.percepts[*place].role.0) == role
                && copy.percepts.get(*place).is_some_and(|&signal| signal != Signal::FALSE)
        };
        kind.rows.iter().map(|(place, _)| *place).filter(is_possible).collect()
    }

    /// Shows a role its percepts of a kind. Each percept has a condition from the net.
    fn show_kind_of_net(
        &mut self,
        mode: usize,
        role: usize,
        kind: &PerceptKind,
        scope: &Scope,
    ) -> Result<Body, Stop> {
        let possible = self.possible(mode, role, kind);
        let mut body = Vec::new();
        for (place, tags) in kind.tags(&mut self.out.symbols) {
            if !possible.contains(&place) {
                continue;
            }
            let tags: Body = tags.into_iter().map(|tag| Statement::Do(Act::Tag(tag))).collect();
            match self.signal(self.input.net.percepts[place].signal, scope)? {
                Condition::Always => body.extend(tags),
                Condition::Never => {}
                Condition::Test(test) => {
                    let (tests, otherwise) = (vec![Statement::Test(test)], Vec::new());
                    body.push(Statement::If(If { tests, then: tags, otherwise }));
                }
            }
        }
        Ok(body)
    }

    /// Shows a role its percepts of a kind.
    fn show_kind(
        &mut self,
        mode: usize,
        role: usize,
        kind: &PerceptKind,
        scope: &Rc<Scope>,
    ) -> Result<Body, Stop> {
        if self.possible(mode, role, kind).is_empty() {
            return Ok(Vec::new());
        }
        let candidates = self.candidates(role, kind, scope)?;
        let only = match &candidates[..] {
            [only] => self.only_percept(kind, only, scope)?,
            _ => None,
        };
        let (body, how) = match only {
            Some(body) => (body, "tags, once it is known which"),
            None => (self.each_percept(kind, candidates, scope)?, "tags, asked value by value"),
        };
        let how = match kind.columns.iter().any(|column| matches!(column, Column::Any(_))) {
            true => how,
            false => "a tag under conditions",
        };
        let names = &self.out.symbols.naming.names;
        let what = format!("sees {} {}", names.text(self.analysis.roles.names[role]), kind.name);
        self.notes.add(&what, how.to_owned());
        Ok(body)
    }

    /// The rules by which a role may see percepts of a kind, with conditions about moves answered.
    fn candidates(
        &mut self,
        role: usize,
        kind: &PerceptKind,
        scope: &Rc<Scope>,
    ) -> Result<Vec<Candidate>, Stop> {
        let Some(sees) = self.input.normal.sees else { return Ok(Vec::new()) };
        let own = |rule: &&FlatRule| rule.head.relation == sees;
        let rules: Vec<FlatRule> = self.relations.rules.iter().filter(own).cloned().collect();
        let roles = self.role_row(sees, role)?;
        let mut candidates = Vec::new();
        for rule in rules {
            for rule in self.relations.unfolded(rule)? {
                let mut plan = Plan::new(usize::from(rule.variables));
                plan.used = scope.registers();
                let (of_role, of_percept) = rule.head.args.split_at(roles.len());
                let mut fits = of_role.iter().zip(&roles).all(|(&term, &symbol)| {
                    plan.unify(term, Operand::Symbol(symbol), &mut self.out)
                });
                let mut args = Vec::new();
                for (&term, &column) in of_percept.iter().zip(&kind.columns) {
                    match (column, term) {
                        (Column::Only(symbol), _) => {
                            fits = fits && plan.unify(term, Operand::Symbol(symbol), &mut self.out);
                        }
                        (Column::Any(set), FlatTerm::Constant(symbol)) => {
                            fits &= self.out.symbols.sets.has(set, symbol);
                            args.push(term);
                        }
                        (Column::Any(set), FlatTerm::Variable(variable)) => {
                            plan.domains[usize::from(variable.0)].get_or_insert(set);
                            args.push(term);
                        }
                    }
                }
                if !fits {
                    continue;
                }
                for (plan, body) in self.variants(&rule.body, &plan, scope)? {
                    candidates.push(Candidate { plan, body, args: args.clone() });
                }
            }
        }
        Ok(candidates)
    }

    /// The columns of `sees` that stand for a role.
    fn role_row(&self, sees: RelationId, role: usize) -> Result<Vec<Symbol>, Stop> {
        let term = &self.input.game.roles[role];
        self.input.normal.encode_arg(sees, 0, term).ok_or(NO_PERCEPT)
    }

    /// Shows the only percept of a rule, if its conditions determine the percept. `None` otherwise.
    fn only_percept(
        &mut self,
        kind: &PerceptKind,
        candidate: &Candidate,
        scope: &Rc<Scope>,
    ) -> Result<Option<Body>, Stop> {
        let Candidate { plan, body, args } = candidate;
        let variable = |term: &FlatTerm| match term {
            FlatTerm::Variable(variable) => Some(*variable),
            FlatTerm::Constant(_) => None,
        };
        let wanted: Vec<Variable> = args.iter().filter_map(variable).collect();
        let mut plans = self.plans(body, plan, How::Decide(&wanted), &Context::of(scope))?;
        let Some((mut plan, solved)) = plans.pop() else { return Ok(Some(Vec::new())) };
        if solved != Solved::Done {
            return Ok(None);
        }
        let mut tags = vec![Statement::Do(Act::Tag(kind.tag))];
        for (term, column) in args.iter().zip(kind.any()) {
            let operand = plan.value(*term).ok_or(UNKNOWN)?;
            let mut ops = std::mem::take(&mut plan.ops);
            let can_be = self.out.demand_in(operand, column, &mut ops);
            plan.ops = ops;
            if !can_be {
                return Ok(Some(Vec::new()));
            }
            tags.push(Statement::Do(match operand {
                Operand::Register(register) => Act::TagOf(self.out.registers.slot(register)),
                Operand::Symbol(symbol) => Act::Tag(self.out.symbols.name_of(symbol)),
            }));
        }
        let decides = |one: &Statement| matches!(one, Statement::Test(_) | Statement::Do(_));
        if !plan.ops.iter().all(decides) {
            return Ok(None);
        }
        let is_certain = plan.ops.iter().all(|one| matches!(one, Statement::Do(_)));
        Ok(Some(match is_certain {
            true => [plan.ops, tags].concat(),
            false => {
                vec![Statement::If(If { tests: plan.ops, then: tags, otherwise: Vec::new() })]
            }
        }))
    }

    /// Goes through all percepts of a kind, and asks of each whether a rule gives it.
    fn each_percept(
        &mut self,
        kind: &PerceptKind,
        candidates: Vec<Candidate>,
        scope: &Rc<Scope>,
    ) -> Result<Body, Stop> {
        let mut used = scope.registers();
        let mut registers = Vec::new();
        for (column, hint) in kind.columns.iter().zip(&kind.hints) {
            if let Column::Any(set) = *column {
                registers.push((self.out.register(hint, set, &mut used), set));
            }
        }
        let mut bodies = Vec::new();
        for Candidate { mut plan, body, args } in candidates {
            plan.used.extend(registers.iter().map(|(register, _)| *register));
            let fits = args.iter().zip(&registers).all(|(&term, &(register, _))| {
                plan.unify(term, Operand::Register(register), &mut self.out)
            });
            if fits {
                bodies.push((plan, body));
            }
        }
        let mut ways = Vec::new();
        for (plan, body) in bodies {
            let plans = self.plans(&body, &plan, How::Check(None), &Context::of(scope))?;
            ways.extend(plans.into_iter().map(|(plan, _)| plan.ops));
        }
        let mut tags = vec![Statement::Do(Act::Tag(kind.tag))];
        for &(register, _) in &registers {
            tags.push(Statement::Do(Act::TagOf(self.out.registers.slot(register))));
        }
        let inner = match self.out.any_of(ways) {
            Condition::Always => tags,
            Condition::Never => return Ok(Vec::new()),
            Condition::Test(test) => {
                let (tests, otherwise) = (vec![Statement::Test(test)], Vec::new());
                vec![Statement::If(If { tests, then: tags, otherwise })]
            }
        };
        let loops: Vec<Loop> =
            registers.into_iter().map(|(register, set)| Loop::Values(register, set)).collect();
        self.around(&loops, inner)
    }
}

/// Adds tags for a role. A role joins others that are shown the same tags, from place `from` on.
fn add(shown: &mut Vec<Shown>, role: usize, body: Body, from: usize) {
    if body.is_empty() {
        return;
    }
    match shown[from..].iter_mut().find(|other| other.body == body) {
        Some(same) => same.roles.push(role),
        None => shown.push(Shown { roles: vec![role], body }),
    }
}
