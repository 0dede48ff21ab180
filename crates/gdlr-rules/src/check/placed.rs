//! Rules next to the expressions they were read from, for the places of terms.
//!
//! Reading keeps the shape of expressions, so rule and expression are walked in step.

use crate::gdl::{Game, Literal, LiteralKind, Rule, Sentence, Term, Variable, hints};
use gdlr_text::diagnostic::Span;
use gdlr_text::kif::Expr;

/// A rule and its expression.
#[derive(Clone, Copy)]
pub(super) struct PlacedRule<'a> {
    pub rule: &'a Rule,
    pub form: &'a Expr,
    /// Whether it is a hint, which play leaves out.
    pub hint: bool,
}

/// The rules of a game, each with its expression.
pub(super) fn place<'a>(game: &'a Game) -> Vec<PlacedRule<'a>> {
    game.rules
        .iter()
        .zip(&game.document.items)
        .zip(hints(&game.rules))
        .filter(|((rule, form), _)| rule.span == form.span)
        .map(|((rule, form), hint)| PlacedRule { rule, form, hint })
        .collect()
}

/// The items behind the first one of a list; nothing for an atom.
pub(super) fn arguments(form: &Expr) -> &[Expr] {
    form.list().and_then(|items| items.get(1..)).unwrap_or(&[])
}

impl<'a> PlacedRule<'a> {
    /// Whether the rule is written with `<=`.
    pub fn is_implication(&self) -> bool {
        self.form.list().and_then(|items| items.first()).and_then(Expr::atom) == Some("<=")
    }

    /// The head's expression.
    pub fn head_form(&self) -> &'a Expr {
        match arguments(self.form) {
            [head, ..] if self.is_implication() => head,
            _ => self.form,
        }
    }

    /// The conditions with their expressions.
    pub fn body(&self) -> impl Iterator<Item = (&'a Literal, &'a Expr)> + use<'a> {
        let forms = if self.is_implication() { arguments(self.form) } else { &[] };
        self.rule.body.iter().zip(forms.iter().skip(1))
    }

    /// Calls `visit` with every literal of the body, those inside others too, outer first.
    pub fn for_each_literal(&self, visit: &mut impl FnMut(&'a Literal, &'a Expr)) {
        for (literal, form) in self.body() {
            each_literal(literal, form, visit);
        }
    }

    /// Calls `visit` with every sentence, the head included.
    pub fn for_each_sentence(&self, visit: &mut impl FnMut(&'a Sentence, &'a Expr)) {
        visit(&self.rule.head, self.head_form());
        self.for_each_literal(&mut |literal, form| {
            if let LiteralKind::Sentence(sentence) = &literal.kind {
                visit(sentence, form);
            }
        });
    }

    /// Calls `visit` with every term, those inside others too, outer first.
    pub fn for_each_term(&self, visit: &mut impl FnMut(&'a Term, &'a Expr)) {
        each_term(&self.rule.head.args, arguments(self.head_form()), visit);
        self.for_each_literal(&mut |literal, form| literal_terms(literal, form, visit));
    }

    /// The name of a variable, with its `?`.
    pub fn variable(&self, variable: Variable) -> &'a str {
        self.rule.variables.get(usize::from(variable.0)).map_or("?", |name| name)
    }
}

fn each_literal<'a>(
    literal: &'a Literal,
    form: &'a Expr,
    visit: &mut impl FnMut(&'a Literal, &'a Expr),
) {
    visit(literal, form);
    for (inner, form) in inner_literals(literal, form) {
        each_literal(inner, form, visit);
    }
}

/// The literals directly inside a literal.
pub(super) fn inner_literals<'a>(
    literal: &'a Literal,
    form: &'a Expr,
) -> impl Iterator<Item = (&'a Literal, &'a Expr)> + use<'a> {
    let inner = match &literal.kind {
        LiteralKind::Not(inner) => std::slice::from_ref(&**inner),
        LiteralKind::Or(items) => items,
        LiteralKind::Sentence(_) | LiteralKind::Distinct(..) => &[],
    };
    inner.iter().zip(arguments(form))
}

/// Calls `visit` with every term of a sentence or `distinct`, those inside others too.
pub(super) fn literal_terms<'a>(
    literal: &'a Literal,
    form: &'a Expr,
    visit: &mut impl FnMut(&'a Term, &'a Expr),
) {
    match &literal.kind {
        LiteralKind::Sentence(sentence) => each_term(&sentence.args, arguments(form), visit),
        LiteralKind::Distinct(left, right) => {
            for (term, form) in [left, right].into_iter().zip(arguments(form)) {
                term_and_inner(term, form, visit);
            }
        }
        LiteralKind::Not(_) | LiteralKind::Or(_) => {}
    }
}

/// Calls `visit` with every term of a list of terms, those inside others too.
pub(super) fn each_term<'a>(
    terms: &'a [Term],
    forms: &'a [Expr],
    visit: &mut impl FnMut(&'a Term, &'a Expr),
) {
    for (term, form) in terms.iter().zip(forms) {
        term_and_inner(term, form, visit);
    }
}

fn term_and_inner<'a>(term: &'a Term, form: &'a Expr, visit: &mut impl FnMut(&'a Term, &'a Expr)) {
    visit(term, form);
    if let Term::Function(_, args) = term {
        each_term(args, arguments(form), visit);
    }
}

/// The place of the name in an expression: of the atom, or of the first item.
pub(super) fn name_span(form: &Expr) -> Span {
    form.list().and_then(|items| items.first()).map_or(form.span, |first| first.span)
}
