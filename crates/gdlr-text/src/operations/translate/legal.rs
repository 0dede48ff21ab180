//! Moves: the role in control has those that `legal` names, the others have one that does nothing.

use super::super::sheet::{Kind, Sheet, Statement, arguments, atom, functor, sentence};
use super::Translation;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::kif::Expr;

impl Translation {
    /// Reports a sheet in which nobody is ever in control.
    pub(super) fn must_have_control(&mut self, sheet: &Sheet) {
        let control = ("control".into(), 1);
        let named = self.names.is_fluent(&control) || self.names.views.contains_key(&control);
        if let Some(first) = sheet.statements.first().filter(|_| !named) {
            self.error(
                Diagnostic::new(Code::OperationsKeyword, first.head.span, "nobody is in control")
                    .with_label("no fact and no rule of this rulesheet says `control(ROLE)`")
                    .with_help("say whose turn it is: `init(control(white))`"),
            );
        }
    }

    /// That the role is in control.
    fn in_control(&self, span: Span) -> Expr {
        let control = sentence("control", vec![self.role(span)], span);
        if self.names.is_fluent(&("control".into(), 1)) {
            return sentence("true", vec![control], span);
        }
        control
    }

    /// The rules of a statement of `legal`.
    pub(super) fn legal(&mut self, statement: &Statement, body: Option<&Expr>) {
        let [action] = arguments(&statement.head) else {
            return self.misused(
                &statement.head,
                "`legal` has one argument here, the move".to_owned(),
                "the role is the one in control: `legal(mark(M,N)) :- cell(M,N,b)`",
            );
        };
        let start = Span { start: statement.span.start, end: statement.span.start };
        if self.names.asked.contains(&("legal".into(), 1)) {
            let head = sentence(&self.words.can, vec![action.clone()], statement.head.span);
            return self.add(&head, &[], body, statement.span);
        }
        let items = vec![self.role(start), action.clone()];
        let head = sentence("legal", items, statement.head.span);
        self.add(&head, &[self.in_control(start)], body, statement.span);
    }

    /// The rules of `legal` that no statement has: of moves that conditions ask for, and of roles that are
    /// not in control.
    pub(super) fn idle(&mut self, sheet: &Sheet) {
        let is_legal = |statement: &&Statement| {
            functor(&statement.head).is_some_and(|name| &*name.0 == "legal")
        };
        let Some(first) = sheet.statements.iter().find(is_legal) else { return };
        let (span, place) = (first.span, Span { start: first.span.start, end: first.span.start });
        if self.names.asked.contains(&("legal".into(), 1)) {
            let action = atom("?move", place);
            let head = sentence("legal", vec![self.role(place), action.clone()], place);
            let can = sentence(&self.words.can, vec![action], place);
            self.push(head, vec![self.in_control(place), can], span);
        }
        if self.is_always_in_control(sheet) {
            return;
        }
        let head = sentence("legal", vec![self.role(place), atom(&self.words.idle, place)], place);
        let role = sentence("role", vec![self.role(place)], place);
        let idle = sentence("not", vec![self.in_control(place)], place);
        self.push(head, vec![role, idle], span);
    }

    /// Whether the one role of the sheet is in control in every state.
    fn is_always_in_control(&self, sheet: &Sheet) -> bool {
        let facts = |relation: &'static str| {
            sheet.statements.iter().filter_map(move |statement| match &statement.kind {
                Kind::Rule { body: None } => {
                    let name = functor(&statement.head)?;
                    (*name.0 == *relation).then(|| arguments(&statement.head).first())?
                }
                _ => None,
            })
        };
        let (mut roles, control) = (facts("role"), ("control".into(), 1));
        let (Some(role), None) = (roles.next(), roles.next()) else { return false };
        let begins = facts("init").any(|fact| {
            functor(fact).is_some_and(|name| name == control)
                && arguments(fact)[0].to_string() == role.to_string()
        });
        begins && !self.names.removed.contains(&control)
    }
}
