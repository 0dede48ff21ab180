//! Conditions, and views that depend on moves: these have the move as their last argument.

use super::super::sheet::{Functor, arguments, for_each_part, functor, sentence};
use super::super::translate::same;
use super::source::Rule;
use super::turn::Turn;
use super::{Writing, refused};
use crate::diagnostic::{Diagnostic, Span};
use crate::kif::Expr;
use hashbrown::HashSet;

/// The views that depend on moves.
pub(super) fn dependent(rules: &[Rule]) -> HashSet<Functor> {
    let mut found: HashSet<Functor> = HashSet::new();
    loop {
        let before = found.len();
        for rule in rules.iter().filter(|rule| &*rule.relation.0 != "next") {
            let asks =
                |condition| any_part(condition, &|name| *name == does() || found.contains(name));
            if rule.body.iter().any(asks) {
                found.insert(rule.relation.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn does() -> Functor {
    ("does".into(), 2)
}

fn any_part(expr: &Expr, is: &dyn Fn(&Functor) -> bool) -> bool {
    let mut any = false;
    for_each_part(expr, &mut |part| any |= functor(part).is_some_and(|name| is(&name)));
    any
}

/// A body without the condition which move is made.
pub(super) struct Asked {
    /// The move, if a condition names it.
    pub action: Option<Expr>,
    /// The other conditions; that a role is in control is one.
    pub body: Vec<Expr>,
}

impl Writing<'_> {
    /// Takes the condition which move is made out of the body of a rule, or of a part of it.
    pub(super) fn asked(&self, body: &[Expr], rule: &Rule) -> Result<Asked, Diagnostic> {
        let mut asked: Option<(Expr, Expr)> = None;
        let mut rest = Vec::new();
        for condition in body {
            let [role, action] = arguments(condition) else {
                rest.push(condition.clone());
                continue;
            };
            if functor(condition) != Some(does()) || self.turn.is_idle(action) {
                rest.push(condition.clone());
            } else if functor(action).is_none() {
                // Every role makes some move.
                if rule.count(action) > 1 {
                    return Err(any_move(condition));
                }
                if rule.count(role) > 1 {
                    rest.push(sentence("role", vec![role.clone()], condition.span));
                }
            } else if let Some((other, known)) = &asked {
                if !same(&known.kind, &action.kind) || !same(&other.kind, &role.kind) {
                    let message = "a rule asks for two moves, and one role moves at a time";
                    let help = "remove the rule, or a condition of it";
                    return Err(refused(condition.span, message, help));
                }
            } else {
                asked = Some((role.clone(), action.clone()));
                let is_known = matches!(self.turn, Turn::Always(..)) && functor(role).is_some();
                if !is_known && (functor(role).is_some() || rule.count(role) > 1) {
                    rest.push(self.in_control(role, condition.span));
                }
            }
        }
        Ok(Asked { action: asked.map(|(_, action)| action), body: rest })
    }

    /// That it is the turn of a role, in GDL.
    fn in_control(&self, role: &Expr, span: Span) -> Expr {
        match &self.turn {
            Turn::Always(..) => sentence("role", vec![role.clone()], span),
            Turn::Fact { name, .. } => {
                let fact = sentence(name, vec![role.clone()], span);
                sentence("true", vec![fact], span)
            }
        }
    }

    /// Whether a condition can only be asked if the move is known.
    pub(super) fn needs_move(&self, condition: &Expr) -> bool {
        any_part(condition, &|name| *name == does() || self.dependent.contains(name))
    }

    /// Conditions; `action` is the move that is made, where it is known.
    pub(super) fn conditions(
        &self,
        body: &[Expr],
        action: Option<&Expr>,
    ) -> Result<Vec<Expr>, Diagnostic> {
        let mut written = Vec::new();
        for condition in body {
            let condition = self.condition(condition, action)?;
            match super::super::sheet::parts(&condition, "and") {
                Some(parts) => written.extend(parts.iter().cloned()),
                None => written.push(condition),
            }
        }
        Ok(written)
    }

    fn condition(&self, condition: &Expr, action: Option<&Expr>) -> Result<Expr, Diagnostic> {
        let span = condition.span;
        let Some(relation) = functor(condition) else {
            let help = "a condition has the name of a relation";
            return Err(refused(span, "a variable where a condition should stand", help));
        };
        let items = arguments(condition);
        match (&*relation.0, items) {
            ("not" | "or", _) => {
                let items = items.iter().map(|it| self.condition(it, action));
                Ok(sentence(&relation.0, items.collect::<Result<_, _>>()?, span))
            }
            ("true", [fact]) if functor(fact).is_none() => {
                Err(refused(span, "a fact that is a variable", "name the kind of fact"))
            }
            ("true", [fact]) => match functor(fact) {
                Some(name) if self.names.fluents.contains(&name) => Ok(self.names.fact(fact)),
                // It never holds.
                _ => Ok(sentence("false", Vec::new(), span)),
            },
            ("does", [role, made]) => self.does(condition, role, made, action),
            ("legal", [role, made]) => {
                if functor(made).is_none() || self.turn.is_idle(made) {
                    return Err(any_move(condition));
                }
                let legal = sentence("legal", vec![made.clone()], span);
                Ok(self.together(role, legal, span))
            }
            ("distinct" | "role" | "goal" | "terminal", _) => Ok(condition.clone()),
            ("init" | "next" | "base" | "input" | "sees", _) => {
                let message = format!("a condition asks for `{}`", relation.0);
                Err(refused(span, message, "`gdlr check` says more"))
            }
            _ if self.dependent.contains(&relation) => Ok(self.names.view(condition, action)),
            _ => Ok(self.names.view(condition, None)),
        }
    }

    /// Whether a role makes a move, where the move that is made has a name.
    fn does(
        &self,
        condition: &Expr,
        role: &Expr,
        made: &Expr,
        action: Option<&Expr>,
    ) -> Result<Expr, Diagnostic> {
        let span = condition.span;
        if self.turn.is_idle(made) {
            let control = self.names.fact(&arguments(&self.in_control(role, span))[0].clone());
            let role = sentence("role", vec![role.clone()], span);
            return Ok(sentence("and", vec![role, sentence("not", vec![control], span)], span));
        }
        if functor(made).is_none() {
            return Err(any_move(condition));
        }
        let action = action.unwrap_or(&self.names.action).clone();
        Ok(self.together(role, sentence("same", vec![action, made.clone()], span), span))
    }

    /// A condition, and that the role is in control.
    fn together(&self, role: &Expr, condition: Expr, span: Span) -> Expr {
        let control = match &self.turn {
            Turn::Always(..) => sentence("role", vec![role.clone()], span),
            Turn::Fact { .. } => sentence("control", vec![role.clone()], span),
        };
        sentence("and", vec![control, condition], span)
    }

    /// The rules of a view.
    pub(super) fn view(&mut self, rule: &Rule) -> Result<(), Diagnostic> {
        if !self.dependent.contains(&rule.relation) {
            let body = self.conditions(&rule.body, None)?;
            self.rule(self.names.view(&rule.head, None), body, rule);
            return Ok(());
        }
        let asked = self.asked(&rule.body, rule)?;
        let is_bound = asked.body.iter().any(|condition| {
            functor(condition).is_some_and(|relation| self.dependent.contains(&relation))
        });
        let (action, binds) = match &asked.action {
            Some(action) => (action.clone(), true),
            None => (self.names.action.clone(), !is_bound),
        };
        let mut body = self.conditions(&asked.body, Some(&action))?;
        if binds {
            body.insert(0, sentence("legal", vec![action.clone()], rule.start()));
        }
        self.rule(self.names.view(&rule.head, Some(&action)), body, rule);
        Ok(())
    }
}

fn any_move(condition: &Expr) -> Diagnostic {
    let message = "a condition asks for any move of any role, or for the one of a role that waits";
    refused(condition.span, message, "name the kind of move: `(does ?w (mark ?x ?y))`")
}
