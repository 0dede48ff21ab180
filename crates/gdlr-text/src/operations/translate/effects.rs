//! Operations: what happens, what is added, what is taken away, and what stays.

use super::super::builtin;
use super::super::sheet::{Functor, Statement, conjuncts, functor, parts, sentence};
use super::Translation;
use super::conditions::renamed;
use super::general;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::kif::Expr;
use hashbrown::HashSet;

impl Translation {
    /// The rules of an operation: one for each effect.
    pub(super) fn operation(
        &mut self,
        statement: &Statement,
        condition: Option<&Expr>,
        effects: &Expr,
    ) {
        let Some(operation) = functor(&statement.head) else {
            self.error(
                Diagnostic::new(
                    Code::OperationsEffect,
                    statement.head.span,
                    "a variable where an operation should stand",
                )
                .with_help("an operation has a name: `name(X) :: condition ==> effects`"),
            );
            return;
        };
        let happens = match self.happens.get(&operation) {
            Some(relation) => renamed(&statement.head, relation),
            None => self.does(&statement.head),
        };
        for effect in conjuncts(effects) {
            if let Some(head) = self.effect(effect) {
                self.add(&head, std::slice::from_ref(&happens), condition, statement.span);
            }
        }
    }

    fn does(&self, action: &Expr) -> Expr {
        let start = Span { start: action.span.start, end: action.span.start };
        sentence("does", vec![self.role(start), action.clone()], action.span)
    }

    /// The head of the rules that make an effect happen.
    fn effect(&mut self, effect: &Expr) -> Option<Expr> {
        let inner = match parts(effect, "not") {
            Some([inner]) => Some(inner),
            _ => None,
        };
        let fact = inner.unwrap_or(effect);
        let refused = match functor(fact) {
            None => Some("a variable is no effect"),
            Some(name) if self.names.operations.contains(&name) => {
                if let (None, Some(relation)) = (inner, self.happens.get(&name)) {
                    return Some(renamed(fact, relation));
                }
                Some("an operation cannot be taken away")
            }
            Some(name) if matches!(&*name.0, "and" | "or" | "not") => {
                Some("effects are facts, operations, and facts behind `~`")
            }
            Some(name) if self.names.views.contains_key(&name) => {
                Some("rules derive this: effects cannot change it")
            }
            Some(name)
                if matches!(&*name.0, "distinct" | "same" | "true" | "legal" | "does" | "next")
                    || builtin::is_name(&name.0) =>
            {
                Some("this is no fact of the state")
            }
            Some(_) => None,
        };
        if let Some(why) = refused {
            let help =
                "conditions stand before `==>`; effects add facts, and take away those behind `~`";
            self.error(Diagnostic::new(Code::OperationsEffect, effect.span, why).with_help(help));
            return None;
        }
        let head = if inner.is_some() { &*self.words.removed } else { "next" };
        Some(sentence(head, vec![fact.clone()], effect.span))
    }

    /// A move makes an operation of its name happen, if effects can ask for it, too.
    pub(super) fn moves_that_operations_ask_for(&mut self) {
        let mut happens: Vec<_> = self.happens.clone().into_iter().collect();
        happens.sort();
        for ((name, arity), relation) in happens {
            let is_move = |moves: &HashSet<Functor>| moves.contains(&(name.clone(), arity));
            if self.names.moves.as_ref().is_none_or(is_move) {
                let name = (name, arity);
                let action = general(self.names.spelling(&name), arity, Span::default());
                let (head, body) = (renamed(&action, &relation), vec![self.does(&action)]);
                self.push(head, body, Span::default());
            }
        }
    }

    /// All else stays: a rule for each kind of fact.
    pub(super) fn frame(&mut self) {
        for (name, span) in self.names.held.clone() {
            let place = Span { start: span.start, end: span.start };
            let fact = general(self.names.spelling(&name), name.1, place);
            let mut body = vec![sentence("true", vec![fact.clone()], place)];
            if self.names.removed.contains(&name) {
                let removed = sentence(&self.words.removed, vec![fact.clone()], place);
                body.push(sentence("not", vec![removed], place));
            }
            self.push(sentence("next", vec![fact], place), body, span);
        }
    }
}
