//! What `next` adds.

use super::super::sheet::{arguments, parts, sentence};
use super::super::translate::same;
use super::Writing;
use super::source::Rule;
use crate::diagnostic::Diagnostic;
use crate::kif::Expr;

/// Whether a rule for `next` lets a fact stay: it asks for the same fact.
pub(super) fn stays(rule: &Rule) -> Option<usize> {
    let fact = arguments(&rule.head).first()?;
    rule.body.iter().position(|condition| {
        parts(condition, "true").is_some_and(|asked| same(&asked[0].kind, &fact.kind))
    })
}

impl Writing<'_> {
    /// The operation of a rule for `next`.
    pub(super) fn effect(&mut self, rule: &Rule) -> Result<(), Diagnostic> {
        if stays(rule).is_some() {
            return Ok(());
        }
        let asked = self.asked(&rule.body, rule)?;
        let head = match asked.action.clone() {
            Some(action) => action,
            None => self.tick(asked.body.iter().any(|condition| self.needs_move(condition))),
        };
        let action = asked.action.clone();
        let condition =
            self.conditions(&asked.body, action.as_ref().or(Some(&self.names.action)))?;
        let effect = self.names.fact(&arguments(&rule.head)[0]);
        self.operation(head, condition, effect, rule.span);
        Ok(())
    }

    /// The operation that all moves ask for, with the move as argument if that is asked for.
    pub(super) fn tick(&self, with_move: bool) -> Expr {
        let action = self.names.action.clone();
        let items = if with_move { vec![action] } else { Vec::new() };
        sentence(&self.names.tick, items, crate::diagnostic::Span::default())
    }
}
