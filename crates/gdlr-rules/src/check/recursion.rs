//! The recursion restriction (SPEC, definition 15): terms cannot grow along a cycle.
//!
//! An argument of a condition on a common cycle with the head must be ground, an argument of
//! the head, or stand in a positive condition that is not on the cycle. SPEC wants it there
//! as an argument; here it may also be part of one, because GDL wraps what it says of the
//! state into functions: in `(true (edge ?x ?y))` the argument of `true` is the edge, and
//! its parts come from as finite a set. With `or`, that must be so in every branch.

use super::guaranteed::guaranteed;
use super::placed::{PlacedRule, arguments};
use super::sheet::Sheet;
use crate::gdl::{Literal, LiteralKind, Sentence, Term};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use gdlr_text::kif::Expr;
use hashbrown::HashMap;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    for &rule in &sheet.played {
        let head = &rule.rule.head;
        let Some(head_number) = sheet.number(head) else { continue };
        let cyclic = |sentence: &Sentence| {
            sheet.number(sentence).is_some_and(|number| sheet.graph.in_cycle(head_number, number))
        };
        let mut any = false;
        for literal in &rule.rule.body {
            literal.for_each_sentence(&mut |sentence, _| any |= cyclic(sentence));
        }
        if any {
            let supply = |sentence: &'_ Sentence| !cyclic(sentence);
            Supplied { rule, supply: &supply, terms: HashMap::new() }.check(sheet, findings);
        }
    }
}

/// One rule, and the terms that are known to come from outside the cycle.
struct Supplied<'a, F> {
    rule: PlacedRule<'a>,
    /// Whether a sentence is outside the cycle.
    supply: &'a F,
    /// The terms that stand in the head or outside the cycle, and how often.
    terms: HashMap<&'a Term, u32>,
}

impl<'a, F: Fn(&Sentence) -> bool> Supplied<'a, F> {
    fn check(mut self, sheet: &Sheet, findings: &mut Findings) {
        self.rule.rule.head.args.iter().for_each(|term| self.add(term));
        for literal in &self.rule.rule.body {
            match self.of(literal) {
                Some(terms) => terms.into_iter().for_each(|term| self.add(term)),
                // The rule never applies.
                None => return,
            }
        }
        for (literal, form) in self.rule.body() {
            self.literal(literal, form, false, sheet, findings);
        }
    }

    fn add(&mut self, term: &'a Term) {
        *self.terms.entry(term).or_insert(0) += 1;
    }

    fn remove(&mut self, term: &'a Term) {
        if let Some(count) = self.terms.get_mut(term) {
            *count -= 1;
        }
    }

    /// The terms, and parts of terms, that a literal supplies in each of its branches.
    fn of(&self, literal: &'a Literal) -> Option<Vec<&'a Term>> {
        guaranteed(literal, false, &|sentence: &'a Sentence, out| {
            if (self.supply)(sentence) {
                sentence.args.iter().for_each(|term| parts(term, out));
            }
        })
    }

    fn literal(
        &mut self,
        literal: &'a Literal,
        form: &'a Expr,
        negated: bool,
        sheet: &Sheet,
        findings: &mut Findings,
    ) {
        match (&literal.kind, arguments(form)) {
            (LiteralKind::Sentence(sentence), forms) if !(self.supply)(sentence) => {
                self.sentence(sentence, forms, sheet, findings);
            }
            (LiteralKind::Not(inner), [form]) => {
                self.literal(inner, form, !negated, sheet, findings);
            }
            (LiteralKind::Or(items), forms) => {
                for (item, form) in items.iter().zip(forms) {
                    let terms = if negated { Some(Vec::new()) } else { self.of(item) };
                    let Some(terms) = terms else { continue };
                    terms.iter().for_each(|term| self.add(term));
                    self.literal(item, form, negated, sheet, findings);
                    terms.iter().for_each(|term| self.remove(term));
                }
            }
            _ => {}
        }
    }

    fn sentence(
        &self,
        sentence: &Sentence,
        forms: &[Expr],
        sheet: &Sheet,
        findings: &mut Findings,
    ) {
        let code = Code::RecursionRestriction;
        for (term, form) in sentence.args.iter().zip(forms) {
            let supplied = self.terms.get(term).is_some_and(|&count| count > 0);
            if term.is_ground() || supplied {
                continue;
            }
            findings.report(code, || {
                let symbols = &sheet.game.symbols;
                let head = &self.rule.rule.head;
                let relation = sentence.relation.spelled(symbols);
                Diagnostic::new(
                    code,
                    form.span,
                    format!("this argument of the recursive condition `{relation}` is restricted by nothing"),
                )
                .with_related(
                    head.span,
                    format!("`{relation}` is on a cycle with `{}`", head.relation.spelled(symbols)),
                )
                .with_help(format!(
                    "mention `{form}` in the head, or in a condition that is not on the cycle"
                ))
            });
        }
    }
}

fn parts<'a>(term: &'a Term, out: &mut Vec<&'a Term>) {
    out.push(term);
    if let Term::Function(_, args) = term {
        args.iter().for_each(|arg| parts(arg, out));
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, marked};
    use gdlr_text::diagnostic::Code;

    fn free(text: &str) -> Vec<&str> {
        marked(text, Code::RecursionRestriction)
    }

    #[test]
    fn arguments_on_a_cycle_are_restricted() {
        assert_eq!(free("(<= (p ?x) (p (f ?x)) (q ?x))"), ["(f ?x)"]);
        assert_eq!(free("(<= (p ?x) (r ?x ?y)) (<= (r ?x ?y) (p ?x) (p ?z) (q ?y))"), ["?y", "?z"]);
    }

    #[test]
    fn three_ways_to_restrict_one() {
        assert!(free("(<= (p ?x ?z) (p ?x ?y) (p 1 (f 2)) (q ?y ?z))").is_empty());
        assert!(free("(<= (p (f ?x)) (p (f ?x)) (q ?x))").is_empty());
        assert!(free("(<= (reach ?y) (reach ?x) (true (edge ?x ?y)))").is_empty());
        assert!(free(SOUND).is_empty());
    }

    #[test]
    fn every_branch_restricts() {
        assert!(free("(<= (p ?x) (p ?y) (or (q ?x ?y) (r ?y ?x)))").is_empty());
        assert_eq!(free("(<= (p ?x) (p ?y) (or (q ?x ?y) (r ?x)))"), ["?y"]);
        assert_eq!(free("(<= (p ?x) (q ?x) (or (p ?y) (r ?y)))"), ["?y"]);
        assert_eq!(free("(<= (p ?x) (p ?y) (q ?x) (not (r ?y)))"), ["?y"]);
    }
}
