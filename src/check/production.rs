//! Conditions that nothing produces, and relations that nothing uses: misspellings, mostly.

use super::placed::{arguments, name_span};
use super::sheet::Sheet;
use crate::diagnostic::{Code, Diagnostic};
use crate::findings::Findings;
use crate::gdl::{RelationName, Sentence, Symbol, Term};
use hashbrown::HashSet;

/// What a fluent or a move begins with.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Functor {
    Constant(Symbol),
    Function(Symbol, usize),
}

/// The fluents or moves that some rules produce.
#[derive(Default)]
struct Produced {
    functors: HashSet<Functor>,
    /// Some head is a variable there, so anything may be produced.
    anything: bool,
}

impl Produced {
    fn add(&mut self, term: &Term) {
        match functor(term) {
            Some(functor) => _ = self.functors.insert(functor),
            None => self.anything = true,
        }
    }

    fn lacks(&self, functor: Functor) -> bool {
        !self.anything && !self.functors.contains(&functor)
    }
}

fn functor(term: &Term) -> Option<Functor> {
    match term {
        Term::Variable(_) => None,
        Term::Constant(symbol) => Some(Functor::Constant(*symbol)),
        Term::Function(symbol, args) => Some(Functor::Function(*symbol, args.len())),
    }
}

fn name(sentence: &Sentence) -> RelationName {
    RelationName { symbol: sentence.relation, arity: sentence.args.len() }
}

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    unproduced(sheet, findings);
    unused(sheet, findings);
}

fn unproduced(sheet: &Sheet, findings: &mut Findings) {
    let mut relations = HashSet::new();
    let mut fluents = Produced::default();
    let mut moves = Produced::default();
    for rule in &sheet.game.rules {
        let head = &rule.head;
        relations.insert(name(head));
        match (head.relation, &head.args[..]) {
            (Symbol::INIT | Symbol::NEXT, [fluent]) => fluents.add(fluent),
            (Symbol::LEGAL, [_, action]) => moves.add(action),
            _ => {}
        }
    }
    let code = Code::Unproduced;
    let mut reported_relations = HashSet::new();
    let mut reported_terms = HashSet::new();
    for rule in &sheet.rules {
        rule.for_each_sentence(&mut |sentence, form| {
            let (produced, makers, kind) = match sentence.relation {
                Symbol::TRUE => (&fluents, "`init` nor `next`", "fluent"),
                Symbol::DOES => (&moves, "`legal`", "move"),
                relation => {
                    let name = name(sentence);
                    if !relation.is_keyword()
                        && !relations.contains(&name)
                        && reported_relations.insert(name)
                    {
                        findings.report(code, || {
                            let spelling = relation.spelled(&sheet.game.symbols);
                            let message = format!(
                                "no rule has `{spelling}` of arity {} in its head",
                                name.arity
                            );
                            Diagnostic::new(code, sentence.span, message)
                                .with_label("never holds")
                                .with_help("is it misspelled, or an argument missing?")
                        });
                    }
                    return;
                }
            };
            let Some((term, place)) = sentence.args.last().zip(arguments(form).last()) else {
                return;
            };
            let Some(functor) = functor(term) else { return };
            if produced.lacks(functor) && reported_terms.insert((sentence.relation, functor)) {
                findings.report(code, || {
                    let no = if kind == "fluent" { "neither " } else { "no rule for " };
                    let produces = if kind == "fluent" { "produces" } else { "makes" };
                    let message = format!("{no}{makers} {produces} the {kind} `{place}`");
                    Diagnostic::new(code, place.span, message)
                        .with_label("never holds")
                        .with_help("is it misspelled, or an argument missing?")
                });
            }
        });
    }
}

/// `base` and `input`, and all other keywords, are used by whoever plays.
fn unused(sheet: &Sheet, findings: &mut Findings) {
    let mut used = HashSet::new();
    for rule in &sheet.game.rules {
        for literal in &rule.body {
            literal.for_each_sentence(&mut |sentence, _| _ = used.insert(name(sentence)));
        }
    }
    let code = Code::Unused;
    for rule in &sheet.rules {
        let name = name(&rule.rule.head);
        // Once a relation: what has been reported counts as used.
        if !name.symbol.is_keyword() && used.insert(name) {
            findings.report(code, || {
                let spelling = name.symbol.spelled(&sheet.game.symbols);
                let message =
                    format!("nothing uses the relation `{spelling}` of arity {}", name.arity);
                Diagnostic::new(code, name_span(rule.head_form()), message)
                    .with_help("remove its rules, or look for a misspelling")
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, marked};
    use crate::diagnostic::Code;

    #[test]
    fn conditions_that_nothing_produces() {
        let text = "(init (f 1)) (<= (next g) (true (f ?x))) (legal a (m 1))
            (<= (p) (true (f)) (true (f 1 2)) (true f) (true g) (true ?x) (q ?x))
            (<= (p) (does a (m ?x)) (does a m) (does a ?x) (q 1) (not (p)) (p 1))";
        assert_eq!(marked(text, Code::Unproduced), ["(f)", "(f 1 2)", "f", "(q ?x)", "m", "(p 1)"]);
        assert!(marked(SOUND, Code::Unproduced).is_empty());
    }

    #[test]
    fn a_variable_may_produce_anything() {
        let text = "(<= (next ?f) (p ?f)) (p (f 1)) (<= (p x) (true (g 1)) (does a m))
                    (<= (legal a ?m) (p ?m))";
        assert!(marked(text, Code::Unproduced).is_empty());
    }

    #[test]
    fn relations_that_nothing_uses() {
        let text = "(p 1) (p 2) (q 1) (<= (r ?x) (q ?x)) (base x) (input a b) (sees a b) (q 1 2)";
        assert_eq!(marked(text, Code::Unused), ["p", "r", "q"]);
        assert!(marked(SOUND, Code::Unused).is_empty());
    }
}
