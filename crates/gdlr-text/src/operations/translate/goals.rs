//! The goal of who is given none: 0.
//!
//! Goals that the rules give in every case need no rule for it. That is shown by trying all cases of the
//! few conditions that the rules of `goal` have.

use super::super::sheet::{
    Kind, Sheet, Statement, arguments, atom, conjuncts, for_each_variable, functor, parts, sentence,
};
use super::Translation;
use super::alternatives::{replaced, unify};
use crate::diagnostic::Span;
use crate::kif::Expr;

/// The most conditions of which all cases are tried.
const MAX_CONDITIONS: usize = 10;

/// The most rules of `goal` that are looked at for this.
const MAX_GOALS: usize = 1_000;

impl Translation {
    /// The rules for `head`, which stands for a goal. A variable that stands for the role is one of a role.
    pub(super) fn goal(&mut self, goal: &Expr, head: &Expr, body: Option<&Expr>, span: Span) {
        let role = &arguments(goal)[0];
        let is_variable = role.atom().is_some_and(|name| name.starts_with('?'));
        let mut is_bound = false;
        for condition in body.map(conjuncts).unwrap_or_default() {
            if parts(condition, "not").is_none() && parts(condition, "or").is_none() {
                for_each_variable(condition, &mut |other| is_bound |= role.atom() == Some(other));
            }
        }
        let place = Span { start: span.start, end: span.start };
        let first = [sentence("role", vec![role.clone()], place)];
        let first = if is_variable && !is_bound { &first[..] } else { &[] };
        self.add(head, first, body, span);
    }

    /// A goal that a condition asks for. Where rules of `goal` ask for goals, each value that is asked for
    /// has a relation of its own: `goal(R,0) :- ~goal(R,100)` is no cycle then.
    pub(super) fn asked_goal(&mut self, expr: &Expr) -> Expr {
        let [role, value] = arguments(expr) else { return expr.clone() };
        let Some(name) = value.atom().filter(|name| !name.starts_with('?')) else {
            return expr.clone();
        };
        if !self.goals.iter().any(asks_for_goals) {
            return expr.clone();
        }
        if let Some(known) = self.goal_values.get(name) {
            return sentence(known, vec![role.clone()], expr.span);
        }
        let relation = self.names.fresh(&format!("goal_{name}"));
        self.goal_values.insert(name.into(), relation.clone());
        for goal in self.goals.clone() {
            let Kind::Rule { body } = &goal.kind else { continue };
            let Some(values) = unify(&arguments(&goal.head)[1], value) else { continue };
            let role = replaced(&arguments(&goal.head)[0], &values);
            let head = sentence(&relation, vec![role.clone()], goal.head.span);
            let body = body.as_ref().map(|body| replaced(body, &values));
            let asked = sentence("goal", vec![role, value.clone()], goal.head.span);
            self.goal(&asked, &head, body.as_ref(), goal.span);
        }
        sentence(&relation, vec![role.clone()], expr.span)
    }

    /// Gives each role without a goal value the value 0.
    pub(super) fn default_goals(&mut self, sheet: &Sheet) {
        let goals: Vec<&Statement> = sheet.statements.iter().filter(|goal| is_goal(goal)).collect();
        let Some(first) = goals.first() else { return };
        if goals.len() <= MAX_GOALS && is_total(sheet, &goals) {
            return;
        }
        for goal in &goals {
            let Kind::Rule { body } = &goal.kind else { continue };
            let role = arguments(&goal.head)[0].clone();
            let head = sentence(&self.words.rewarded, vec![role], goal.head.span);
            self.goal(&goal.head, &head, body.as_ref(), goal.span);
        }
        let place = Span { start: first.span.start, end: first.span.start };
        let role = || self.role(place);
        let rewarded = sentence(&self.words.rewarded, vec![role()], place);
        let body =
            vec![sentence("role", vec![role()], place), sentence("not", vec![rewarded], place)];
        self.push(sentence("goal", vec![role(), atom("0", place)], place), body, first.span);
    }
}

/// Whether the conditions of a statement have a goal among them.
fn asks_for_goals(statement: &Statement) -> bool {
    let mut asked = Vec::new();
    if let Kind::Rule { body: Some(body) } = &statement.kind {
        note_conditions(body, &mut |condition| asked.extend(functor(condition)));
    }
    asked.contains(&("goal".into(), 2))
}

pub(super) fn is_goal(statement: &Statement) -> bool {
    functor(&statement.head).is_some_and(|name| &*name.0 == "goal" && name.1 == 2)
}

/// Whether the rules give each role a goal value, whatever their conditions are.
fn is_total(sheet: &Sheet, goals: &[&Statement]) -> bool {
    let is_role =
        |statement: &&Statement| functor(&statement.head).is_some_and(|name| &*name.0 == "role");
    sheet.statements.iter().filter(is_role).all(|statement| {
        let Some(role) = arguments(&statement.head).first() else { return false };
        let mut bodies = Vec::new();
        for goal in goals {
            let who = &arguments(&goal.head)[0];
            let value = match who.atom() {
                Some(variable) if variable.starts_with('?') => {
                    vec![(variable.into(), role.clone())]
                }
                _ if who.to_string() == role.to_string() => Vec::new(),
                _ => continue,
            };
            let Kind::Rule { body } = &goal.kind else { continue };
            let Some(body) = body else { return true };
            bodies.push(replaced(body, &value));
        }
        is_tautology(&bodies, &sentence("role", vec![role.clone()], role.span).to_string())
    })
}

/// Whether one of some conditions holds in each case. Conditions with variables are taken as false.
fn is_tautology(bodies: &[Expr], known: &str) -> bool {
    let mut atoms = Vec::new();
    for body in bodies {
        note_conditions(body, &mut |condition| note_atom(condition, &mut atoms));
    }
    atoms.retain(|atom| atom != known);
    // A goal that is asked for and holds is given.
    let given = known.replace("(role ", "(goal ").replace(')', " ");
    let goals: Vec<bool> = atoms.iter().map(|atom| atom.starts_with(&given)).collect();
    if atoms.len() > MAX_CONDITIONS {
        return false;
    }
    (0..1_usize << atoms.len()).all(|case| {
        let value = |atom: &str| match atoms.iter().position(|known| known == atom) {
            Some(at) => Some(case >> at & 1 == 1),
            None => (atom == known).then_some(true),
        };
        let is_given = || (0..atoms.len()).any(|at| goals[at] && case >> at & 1 == 1);
        bodies.iter().any(|body| holds(body, &value) == Some(true)) || is_given()
    })
}

/// Calls `visit` with each condition that is below no connective any more.
fn note_conditions<'a>(expr: &'a Expr, visit: &mut impl FnMut(&'a Expr)) {
    for connective in ["and", "or", "not"] {
        if let Some(inner) = parts(expr, connective) {
            return inner.iter().for_each(|part| note_conditions(part, visit));
        }
    }
    visit(expr);
}

fn note_atom(expr: &Expr, found: &mut Vec<String>) {
    let mut is_ground = true;
    for_each_variable(expr, &mut |_| is_ground = false);
    let name = expr.to_string();
    if is_ground && !found.contains(&name) && found.len() <= MAX_CONDITIONS + 1 {
        found.push(name);
    }
}

/// Whether a condition holds in a case; `None` if that says nothing.
fn holds(expr: &Expr, value: &impl Fn(&str) -> Option<bool>) -> Option<bool> {
    let each = |parts: &[Expr]| parts.iter().map(|part| holds(part, value)).collect::<Vec<_>>();
    if let Some(inner) = parts(expr, "and") {
        let values = each(inner);
        return values.iter().try_fold(true, |all, value| Some(all && (*value)?));
    }
    if let Some(inner) = parts(expr, "or") {
        return Some(each(inner).contains(&Some(true)));
    }
    match parts(expr, "not") {
        Some([inner]) => holds(inner, value).map(|holds| !holds),
        _ => value(&expr.to_string()),
    }
}
