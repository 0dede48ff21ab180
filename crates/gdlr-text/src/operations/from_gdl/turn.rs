//! Whose turn it is: the fact that each move of `legal` asks for, and the move of the roles that wait.

use super::super::sheet::{Functor, arguments, functor, parts, sentence};
use super::super::translate::{replaced, same, unify};
use super::refused;
use super::source::Rule;
use crate::diagnostic::{Diagnostic, Span};
use crate::kif::Expr;

const ONE_AT_A_TIME: &str = "operations are for games in which one role moves at a time: each rule for `legal` asks for a fact such as \
                             `(true (control ?w))`, and the other roles have one move that does nothing";

/// Whose turn it is.
pub(super) enum Turn {
    /// There is one role, and it always moves.
    Always(Expr, Vec<Functor>),
    /// The role of a fact moves; the others have the one move `idle`.
    Fact { name: Box<str>, idle: Expr, moves: Vec<Functor> },
}

impl Turn {
    /// # Errors
    ///
    /// Games in which several roles move at once, as far as that can be seen.
    pub(super) fn of(rules: &[Rule]) -> Result<Turn, Diagnostic> {
        let roles: Vec<&Expr> =
            of(rules, "role", 1).map(|rule| &arguments(&rule.head)[0]).collect();
        let legal: Vec<&Rule> = of(rules, "legal", 2).collect();
        let sees = rules.iter().find(|rule| &*rule.relation.0 == "sees");
        if let Some(rule) = sees {
            let message = "operations have no `sees`: all roles see everything";
            return Err(refused(rule.span, message, "write the game in GDL"));
        }
        let Some(first) = legal.first() else {
            let message = "no rule for `legal`";
            return Err(refused(Span::default(), message, "`gdlr check` says more"));
        };
        // Of all facts of one role, the one that most moves ask for.
        let mut candidates: Vec<Box<str>> = Vec::new();
        for rule in &legal {
            for name in rule.body.iter().filter_map(|condition| asks(condition, rule)) {
                if !candidates.contains(&name) {
                    candidates.push(name);
                }
            }
        }
        let without = |name: &str| -> Vec<&Rule> {
            legal.iter().copied().filter(|rule| position(name, rule).is_none()).collect()
        };
        let best = candidates.into_iter().min_by_key(|name| without(name).len());
        let waits = best.as_ref().map(|name| without(name)).unwrap_or_default();
        if let [role] = roles[..]
            && (best.is_none() || waits.len() == legal.len() || !waits.is_empty())
        {
            return Ok(Turn::Always(role.clone(), moves(&legal, None)));
        }
        let (Some(name), [wait, ..]) = (best, &waits[..]) else {
            let message = "it is not to be seen whose turn it is";
            return Err(refused(first.span, message, ONE_AT_A_TIME));
        };
        let idle = arguments(&wait.head)[1].clone();
        let turn = Turn::Fact { name, moves: moves(&legal, Some(&idle)), idle };
        turn.must_fit(&roles, &legal, rules)?;
        Ok(turn)
    }

    /// Looks whether the roles whose turn it is not have the one move, and the others do not.
    fn must_fit(&self, roles: &[&Expr], legal: &[&Rule], rules: &[Rule]) -> Result<(), Diagnostic> {
        let Turn::Fact { name, idle, .. } = self else { return Ok(()) };
        let shown = format!("`{idle}`");
        for rule in legal {
            let waits = position(name, rule).is_none();
            let action = &arguments(&rule.head)[1];
            if waits
                && (!same(&action.kind, &idle.kind) || functor(action).is_none_or(|it| it.1 > 0))
            {
                let message = format!("a move of a role that need not have `{name}`");
                return Err(refused(rule.span, message, ONE_AT_A_TIME));
            }
            if !waits && same(&action.kind, &idle.kind) {
                let message = format!("{shown} is a move of the role that moves, too");
                return Err(refused(rule.span, message, ONE_AT_A_TIME));
            }
        }
        let waits: Vec<&&Rule> =
            legal.iter().filter(|rule| position(name, rule).is_none()).collect();
        for in_turn in roles {
            for role in roles {
                let mut any = false;
                for rule in &waits {
                    any |= self.waits(rule, role, in_turn, roles, rules)?;
                }
                if any == same(&role.kind, &in_turn.kind) {
                    let does = if any { "also waits" } else { "has no move to wait" };
                    let message = format!("`{role}` {does} when it is the turn of `{in_turn}`");
                    return Err(refused(waits[0].span, message, ONE_AT_A_TIME));
                }
            }
        }
        let begin: Vec<&Rule> = of(rules, "init", 1)
            .filter(|rule| functor(&arguments(&rule.head)[0]) == Some((name.clone(), 1)))
            .collect();
        match begin[..] {
            [only] if only.body.is_empty() => Ok(()),
            [_, second, ..] => {
                let message = format!("`{name}` holds of several roles at the beginning");
                Err(refused(second.span, message, ONE_AT_A_TIME))
            }
            _ => {
                let message = format!("`{name}` holds of no role at the beginning");
                Err(refused(legal[0].span, message, ONE_AT_A_TIME))
            }
        }
    }

    /// Whether a rule lets a role wait when it is the turn of another one.
    fn waits(
        &self,
        rule: &Rule,
        role: &Expr,
        in_turn: &Expr,
        roles: &[&Expr],
        rules: &[Rule],
    ) -> Result<bool, Diagnostic> {
        let Turn::Fact { name, .. } = self else { return Ok(false) };
        let fact = |expr: &Expr| sentence(name, vec![expr.clone()], expr.span);
        let mut open: Vec<Vec<(Box<str>, Expr)>> = Vec::new();
        open.extend(unify(&arguments(&rule.head)[0], role));
        // Conditions that bind come first.
        let mut body: Vec<&Expr> = rule.body.iter().collect();
        body.sort_by_key(|condition| {
            matches!(functor(condition), Some((name, _)) if matches!(&*name, "not" | "distinct"))
        });
        for condition in body {
            let known: Vec<Expr> = match functor(condition) {
                Some((name, 1)) if &*name == "role" => roles
                    .iter()
                    .map(|role| sentence("role", vec![(*role).clone()], role.span))
                    .collect(),
                Some((keyword, 1)) if &*keyword == "true" => {
                    vec![sentence("true", vec![fact(in_turn)], rule.span)]
                }
                Some((keyword, 1)) if &*keyword == "not" => {
                    let turn = sentence("true", vec![fact(in_turn)], rule.span);
                    let inner = &arguments(condition)[0];
                    let is_turn = functor(inner).is_some_and(|it| it.1 == 1 && &*it.0 == "true")
                        && functor(&arguments(inner)[0]) == Some((name.clone(), 1));
                    if !is_turn {
                        return Err(self.unclear(rule));
                    }
                    open.retain(|values| !same(&replaced(inner, values).kind, &turn.kind));
                    continue;
                }
                Some((keyword, 2)) if &*keyword == "distinct" => {
                    open.retain(|values| {
                        let condition = replaced(condition, values);
                        let [left, right] = arguments(&condition) else { return false };
                        !same(&left.kind, &right.kind)
                    });
                    continue;
                }
                Some(relation) => {
                    let mut of_it =
                        rules.iter().filter(|rule| rule.relation == relation).peekable();
                    let is_plain = of_it.peek().is_some()
                        && rules
                            .iter()
                            .all(|rule| rule.relation != relation || rule.body.is_empty());
                    if !is_plain {
                        return Err(self.unclear(rule));
                    }
                    of_it.map(|rule| rule.head.clone()).collect()
                }
                None => return Err(self.unclear(rule)),
            };
            let mut next = Vec::new();
            for values in open {
                let condition = replaced(condition, &values);
                for fact in &known {
                    if let Some(more) = unify(&condition, fact) {
                        next.push(values.iter().cloned().chain(more).collect());
                    }
                }
            }
            open = next;
        }
        Ok(!open.is_empty())
    }

    fn unclear(&self, rule: &Rule) -> Diagnostic {
        let message = "it is not to be seen that a role waits exactly when another one moves";
        refused(rule.span, message, ONE_AT_A_TIME)
    }

    /// The kinds of move, in order.
    pub(super) fn moves(&self) -> &[Functor] {
        match self {
            Turn::Always(_, moves) | Turn::Fact { moves, .. } => moves,
        }
    }

    /// Whether this is the move of a role that waits.
    pub(super) fn is_idle(&self, action: &Expr) -> bool {
        match self {
            Turn::Always(..) => false,
            Turn::Fact { idle, .. } => same(&idle.kind, &action.kind),
        }
    }

    /// The place of the condition that it is the turn of the role of a rule for `legal`.
    pub(super) fn position(&self, rule: &Rule) -> Option<usize> {
        match self {
            Turn::Always(..) => None,
            Turn::Fact { name, .. } => position(name, rule),
        }
    }
}

fn of<'a>(rules: &'a [Rule], name: &'a str, arity: usize) -> impl Iterator<Item = &'a Rule> {
    rules.iter().filter(move |rule| &*rule.relation.0 == name && rule.relation.1 == arity)
}

/// The kinds of move of rules for `legal`, without that of waiting.
fn moves(legal: &[&Rule], idle: Option<&Expr>) -> Vec<Functor> {
    let mut found = Vec::new();
    for rule in legal {
        let action = &arguments(&rule.head)[1];
        let waits = idle.is_some_and(|idle| same(&idle.kind, &action.kind));
        if let Some(name) = functor(action).filter(|name| !waits && !found.contains(name)) {
            found.push(name);
        }
    }
    found
}

/// The name of a fact of the role of a rule for `legal` that a condition asks for.
fn asks(condition: &Expr, rule: &Rule) -> Option<Box<str>> {
    let fact = parts(condition, "true")?.first()?;
    let (name, 1) = functor(fact)? else { return None };
    same(&arguments(fact)[0].kind, &arguments(&rule.head)[0].kind).then_some(name)
}

fn position(name: &str, rule: &Rule) -> Option<usize> {
    rule.body
        .iter()
        .position(|condition| asks(condition, rule).is_some_and(|found| *found == *name))
}
