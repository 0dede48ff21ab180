//! One name, several meanings: relations or functions of several arities, and names that
//! are both relation and function.
//!
//! All of them are kept apart here. Elsewhere they may not be, and a missing argument is
//! the most common slip in a rulesheet.

use super::placed::name_span;
use super::sheet::Sheet;
use crate::gdl::{Symbol, Term};
use gdlr_text::diagnostic::{Code, Diagnostic, Span, counted};
use gdlr_text::findings::Findings;
use hashbrown::{HashMap, HashSet};

/// The uses of names as one kind of thing.
#[derive(Default)]
struct Uses {
    /// By name: the arity and the place of its first use.
    first: HashMap<Symbol, (usize, Span)>,
    /// The arities that have been reported.
    reported: HashSet<(Symbol, usize)>,
}

impl Uses {
    /// Notes a use; gives the first one if its arity is another and this is news.
    fn add(&mut self, name: Symbol, arity: usize, span: Span) -> Option<(usize, Span)> {
        let first = *self.first.entry(name).or_insert((arity, span));
        (first.0 != arity && self.reported.insert((name, arity))).then_some(first)
    }
}

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    let mut relations = Uses::default();
    let mut functions = Uses::default();
    let mut report = |kind: &str, name: Symbol, arity: usize, span, (other, first)| {
        findings.report(Code::MixedArity, || {
            let name = name.spelled(&sheet.game.symbols);
            let here = counted(arity, "argument");
            let message = format!("the {kind} `{name}` has {here} here and {other} elsewhere");
            Diagnostic::new(Code::MixedArity, span, message)
                .with_label(here)
                .with_related(first, counted(other, "argument"))
                .with_help("they are different things; give them different names")
        });
    };
    for rule in &sheet.rules {
        rule.for_each_sentence(&mut |sentence, form| {
            let (name, arity) = (sentence.relation, sentence.args.len());
            if let Some(first) = relations.add(name, arity, name_span(form)) {
                report("relation", name, arity, sentence.span, first);
            }
        });
        rule.for_each_term(&mut |term, form| {
            if let Term::Function(name, args) = term
                && let Some(first) = functions.add(*name, args.len(), name_span(form))
            {
                report("function", *name, args.len(), form.span, first);
            }
        });
    }
    let code = Code::RelationAndFunction;
    // In order of place, so that the same ones are kept when there are too many.
    let mut names: Vec<_> =
        functions.first.iter().map(|(name, &(_, span))| (span, *name)).collect();
    names.sort_unstable();
    for (as_function, name) in names {
        // A keyword as a function is an error of its own.
        if let Some(&(_, as_relation)) = relations.first.get(&name)
            && !name.is_keyword()
        {
            let (first, second) = (as_relation.min(as_function), as_relation.max(as_function));
            let kind =
                |span| if span == as_relation { "a relation here" } else { "a function here" };
            findings.report(code, || {
                let name = name.spelled(&sheet.game.symbols);
                Diagnostic::new(code, second, format!("`{name}` is a relation and a function"))
                    .with_label(kind(second))
                    .with_related(first, kind(first))
                    .with_help("did you forget a `true`? If not, give them different names")
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, diagnose, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn names_of_several_arities() {
        let text = "(p 1) (p 1 2) (p 3 4) (<= (q) (p)) (init (f 1)) (init (f 1 2)) (init f)";
        assert_eq!(marked(text, Code::MixedArity), ["(p 1 2)", "(p)", "(f 1 2)"]);
        let diagnostics = diagnose(text);
        let first = diagnostics.iter().find(|d| d.code == Code::MixedArity).unwrap();
        assert_eq!(&text[first.related[0].0.range()], "p");
        // A relation and a function share a name, not an arity.
        assert!(marked("(p 1 2) (init (p 1))", Code::MixedArity).is_empty());
        assert!(marked(SOUND, Code::MixedArity).is_empty());
    }

    #[test]
    fn names_that_are_relation_and_function() {
        let text = "(init (cell 1)) (<= (p) (cell 1)) (<= (p) (true (cell 1)))";
        assert_eq!(marked(text, Code::RelationAndFunction), ["cell"]);
        assert!(marked("(p cell) (cell 1) (init (goal 1))", Code::RelationAndFunction).is_empty());
    }
}
