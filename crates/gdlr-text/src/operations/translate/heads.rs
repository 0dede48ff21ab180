//! The translation of rules and facts of a sheet.

use super::super::builtin;
use super::super::sheet::{Statement, arguments, atom, functor, sentence};
use super::Translation;
use super::conditions::renamed;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::kif::Expr;

impl Translation {
    /// The rules of a statement without effects.
    pub(super) fn rule_of(&mut self, statement: &Statement, body: Option<&Expr>) {
        let (head, span) = (&statement.head, statement.span);
        let Some(relation) = functor(head) else {
            self.error(
                Diagnostic::new(
                    Code::OperationsSyntax,
                    head.span,
                    "a variable where a fact or the head of a rule should stand",
                )
                .with_help("a name begins with a small letter"),
            );
            return;
        };
        match (&*relation.0, relation.1) {
            ("legal", _) => self.legal(statement, body),
            ("action", 1) => self.action(statement, body),
            ("role" | "init" | "base", 1) | ("terminal", 0) => {
                self.add(head, &[], body, span);
                if &*relation.0 == "init" && self.names.asked.contains(&relation) {
                    let asked = renamed(head, &self.words.initially);
                    self.add(&asked, &[], body, span);
                }
            }
            ("goal", 2) => self.goal(head, head, body, span),
            ("role" | "init" | "base" | "action" | "goal" | "terminal", _) => {
                let arity = match &*relation.0 {
                    "terminal" => "no argument",
                    "goal" => "two arguments, the role and the value",
                    _ => "one argument",
                };
                self.misused(
                    head,
                    format!("`{}` has {arity}", relation.0),
                    "give the relation another name, or the arguments that it has",
                );
            }
            ("and" | "or" | "not" | "distinct" | "same" | "true" | "false", _) => self.misused(
                head,
                format!("`{}` has a meaning of its own, and no rules", relation.0),
                "give the relation another name",
            ),
            _ if builtin::is_name(&relation.0) => self.misused(
                head,
                format!("`{}` is built in: rules for it are never asked", relation.0),
                "give the relation another name",
            ),
            _ if self.names.is_fluent(&relation) => {
                let message =
                    format!("`{}` is a fact of the state, and a rule defines it", relation.0);
                self.error(
                    Diagnostic::new(Code::OperationsEffect, head.span, message).with_help(
                        "`init`, `base` and effects name facts of the state; give what rules derive another name",
                    ),
                );
            }
            _ => {
                let head = self.view(head, &relation);
                self.add(&head, &[], body, span);
            }
        }
    }

    /// `action` lists moves, as `input` does in GDL.
    fn action(&mut self, statement: &Statement, body: Option<&Expr>) {
        let (head, span) = (&statement.head, statement.span);
        let start = Span { start: span.start, end: span.start };
        if self.names.asked.contains(&("action".into(), 1)) {
            return self.add(head, &[], body, span);
        }
        let items = vec![self.role(start), arguments(head)[0].clone()];
        let input = sentence("input", items, head.span);
        let role = sentence("role", vec![atom(&self.words.role, start)], start);
        self.add(&input, &[role], body, span);
    }
}
