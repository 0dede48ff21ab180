//! How `base` and `input` are read: as hints that play leaves out, or as other relations.

use super::guaranteed::guaranteed;
use super::placed::PlacedRule;
use super::sheet::Sheet;
use crate::gdl::{Dependencies, RelationName, Sentence, Symbol, Variable};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::findings::Findings;

const HINTS: [RelationName; 2] = [
    RelationName { symbol: Symbol::BASE, arity: 1 },
    RelationName { symbol: Symbol::INPUT, arity: 2 },
];

fn is_of(sentence: &Sentence, relation: RelationName) -> bool {
    (sentence.relation, sentence.args.len()) == (relation.symbol, relation.arity)
}

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    let code = Code::OddHint;
    for relation in HINTS {
        let name = relation.symbol.spelled(&sheet.game.symbols);
        if let Some(span) = asked(sheet, relation) {
            findings.report(code, || {
                let message = format!("`{name}` is read as a relation of this game");
                Diagnostic::new(code, span, message)
                    .with_label("a rule asks for it, so it is no list of hints")
                    .with_help("other programs may read it as hints: give it another name")
            });
        }
    }
    if !sheet.rules.iter().any(|rule| rule.hint) {
        return;
    }
    let graph = Dependencies::new(&sheet.game.rules);
    let of_play = [(Symbol::TRUE, 1), (Symbol::DOES, 2), (Symbol::NEXT, 1), (Symbol::SEES, 2)];
    let sources = of_play.iter().filter_map(|&(symbol, arity)| graph.number(symbol, arity));
    let in_play = graph.reaching(&sources.collect::<Vec<_>>());
    for relation in HINTS {
        let rules = sheet.rules.iter().filter(|rule| rule.hint);
        let mut rules = rules.filter(|rule| is_of(&rule.rule.head, relation));
        let in_play = |sentence: &Sentence| {
            let number = graph.number(sentence.relation, sentence.args.len());
            number.is_some_and(|number| in_play[number as usize])
        };
        let Some((span, why)) = rules.find_map(|rule| useless(rule, &in_play)) else { continue };
        findings.report(code, || {
            let name = relation.symbol.spelled(&sheet.game.symbols);
            Diagnostic::new(code, span, format!("a hint for `{name}` that {why}"))
                .with_label("left out; the game is played without it")
                .with_help(format!(
                    "`{name}` only lists what can be, for programs that want a list: \
                     name every case, or remove these rules"
                ))
        });
    }
}

/// Where a rule that is no hint first asks for a relation that has rules.
fn asked(sheet: &Sheet, relation: RelationName) -> Option<Span> {
    let rules = || sheet.played.iter().map(|rule| rule.rule);
    rules().find(|rule| is_of(&rule.head, relation))?;
    let mut first = None;
    for literal in rules().flat_map(|rule| &rule.body) {
        literal.for_each_sentence(&mut |sentence, _| {
            if is_of(sentence, relation) {
                first.get_or_insert(sentence.span);
            }
        });
    }
    first
}

/// Why a hint lists nothing, and where, if it does not.
fn useless(rule: &PlacedRule, in_play: &impl Fn(&Sentence) -> bool) -> Option<(Span, String)> {
    let mut bound: Vec<Variable> = Vec::new();
    for literal in &rule.rule.body {
        let of = |sentence: &Sentence, out: &mut Vec<Variable>| {
            sentence.args.iter().for_each(|term| term.for_each_variable(&mut |v| out.push(v)));
        };
        // A condition that never holds lists nothing, and nothing is wrong with that.
        bound.extend(guaranteed(literal, false, &of)?);
    }
    let mut free = None;
    for term in &rule.rule.head.args {
        term.for_each_variable(&mut |v| {
            if !bound.contains(&v) {
                free.get_or_insert(v);
            }
        });
    }
    if let Some(free) = free {
        let why = format!("has a variable, `{}`, that no condition binds", rule.variable(free));
        return Some((rule.rule.head.span, why));
    }
    let mut dependent = None;
    for literal in &rule.rule.body {
        literal.for_each_sentence(&mut |sentence, _| {
            if in_play(sentence) {
                dependent.get_or_insert(sentence.span);
            }
        });
    }
    dependent.map(|span| (span, "depends on the state or on moves".to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, diagnose, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn hints_never_forbid_play() {
        for (hints, mark) in [
            ("(base (at ?x)) (base (on ?x))", "(base (at ?x))"),
            ("(input ?r go)", "(input ?r go)"),
            ("(<= (input ?r (to ?x)) (role ?r))", "(input ?r (to ?x))"),
            ("(<= (base (at ?x)) (true (at ?x)))", "(true (at ?x))"),
            ("(<= (base (at ?x)) (near ?x)) (<= (near ?x) (does a ?x))", "(near ?x)"),
            ("(<= (base ?f) (next ?f))", "(next ?f)"),
            ("(<= (base ?x) (not (base ?x)))", "(base ?x)"),
        ] {
            let text = format!("{SOUND} {hints}");
            assert_eq!(marked(&text, Code::OddHint), [mark], "{hints}");
            assert_eq!(diagnose(&text).len(), 1, "{hints}");
        }
    }

    #[test]
    fn a_usable_hint_is_nothing_to_speak_of() {
        for hints in [
            "(base (at 1)) (base (at 2)) (<= (input ?r go) (role ?r))",
            "(<= (base (at ?x)) (step ?x)) (<= (step ?x) (succ ?x ?y)) (<= (input ?r ?m) (legal ?r ?m))",
            "(base 0) (<= (base (s ?x)) (base ?x))",
            "(<= (base x) (not (base x)))",
            "(<= (base x) (odd ?y)) (<= (odd ?x) (succ ?y ?z))",
        ] {
            assert_eq!(diagnose(&format!("{SOUND} {hints}")), [], "{hints}");
        }
    }

    #[test]
    fn other_uses_of_the_names_are_no_error() {
        let text = "(base 1 2) (<= (legal a ?x) (base ?x ?y)) (init (cube base)) (init (input 1))
            (<= (legal a base) (true (cube base)) (true (input 1)))";
        let text = format!("{SOUND} {text}");
        assert_eq!(diagnose(&text), []);
        let text = format!("{SOUND} (base 1) (<= (legal a (to ?x)) (base ?x))");
        assert_eq!(marked(&text, Code::OddHint), ["(base ?x)"]);
        assert_eq!(diagnose(&text).len(), 1);
        // Then it has to be right.
        let text = format!("{SOUND} (base ?x) (<= (legal a (to ?x)) (base ?x))");
        assert_eq!(marked(&text, Code::VariableInFact), ["?x"]);
        // A sentence that no rule makes is missed as any relation is.
        let text = format!("{SOUND} (<= (legal a (to ?x)) (base ?x))");
        assert_eq!(marked(&text, Code::Unproduced), ["(base ?x)"]);
    }
}
