//! Conditions that nothing produces, fluents that nothing reads, and relations that nothing uses:
//! misspellings, mostly.

use super::placed::{arguments, name_span};
use super::sheet::Sheet;
use crate::gdl::{Functor, RelationName, Sentence, Symbol, Term};
use gdlr_text::diagnostic::{Code, Diagnostic, counted};
use gdlr_text::findings::Findings;
use gdlr_text::nearest::nearest_name;
use gdlr_text::operations::is_computed;
use hashbrown::HashSet;

/// The fluents or moves that some rules produce.
#[derive(Default)]
struct Produced {
    functors: HashSet<Functor>,
    /// Some head is a variable there, so anything may be produced.
    anything: bool,
}

impl Produced {
    fn add(&mut self, term: &Term) {
        match Functor::of_term(term) {
            Some(functor) => _ = self.functors.insert(functor),
            None => self.anything = true,
        }
    }

    fn lacks(&self, functor: Functor) -> bool {
        !self.anything && !self.functors.contains(&functor)
    }
}

fn name(sentence: &Sentence) -> RelationName {
    RelationName { symbol: sentence.relation, arity: sentence.args.len() }
}

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
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
    let producers = Producers { sheet, relations, fluents, moves };
    producers.unproduced(findings);
    producers.unread(findings);
    unused(sheet, findings);
}

/// The heads that the rules of a game produce.
struct Producers<'a> {
    sheet: &'a Sheet<'a>,
    relations: HashSet<RelationName>,
    fluents: Produced,
    moves: Produced,
}

impl Producers<'_> {
    /// Conditions that nothing makes true.
    fn unproduced(&self, findings: &mut Findings) {
        let code = Code::Unproduced;
        let mut reported_relations = HashSet::new();
        let mut reported_terms = HashSet::new();
        for rule in &self.sheet.rules {
            rule.for_each_sentence(&mut |sentence, form| {
                let (produced, makers, kind) = match sentence.relation {
                    Symbol::TRUE => (&self.fluents, "neither `init` nor `next` produces", "fluent"),
                    Symbol::DOES => (&self.moves, "no rule for `legal` makes", "move"),
                    relation => {
                        let name = name(sentence);
                        if is_name(relation)
                            && !self.relations.contains(&name)
                            && reported_relations.insert(name)
                        {
                            findings.report(code, || self.no_rule(name, sentence));
                        }
                        return;
                    }
                };
                let Some((term, place)) = sentence.args.last().zip(arguments(form).last()) else {
                    return;
                };
                let Some(functor) = Functor::of_term(term) else { return };
                if produced.lacks(functor) && reported_terms.insert((sentence.relation, functor)) {
                    findings.report(code, || {
                        Diagnostic::new(code, place.span, format!("{makers} the {kind} `{place}`"))
                            .with_label("never holds")
                            .with_help(self.likely(functor, produced.functors.iter().copied()))
                    });
                }
            });
        }
    }

    /// The diagnostic of a condition on a relation that no rule has in its head.
    fn no_rule(&self, name: RelationName, sentence: &Sentence) -> Diagnostic {
        let RelationName { symbol, arity } = name;
        let spelling = symbol.spelled(&self.sheet.game.symbols);
        let functor = Functor::of(symbol, arity);
        let others = self.relations.iter().filter(|other| is_name(other.symbol));
        let others = others.map(|other| Functor::of(other.symbol, other.arity));
        let help = if self.fluents.functors.contains(&functor) {
            format!(
                "it is a fluent: ask for it with `true`, `(true {})`",
                example(functor, spelling)
            )
        } else if arity > 0
            && is_computed(&spelling.to_lowercase())
            && !self.relations.iter().any(|other| other.symbol == symbol)
        {
            format!("GDL has no `{spelling}`: write facts for it, or let `--built-ins` compute it")
        } else {
            self.likely(functor, others)
        };
        let message = format!("no rule has `{spelling}` of arity {arity} in its head");
        Diagnostic::new(Code::Unproduced, sentence.span, message)
            .with_label("never holds")
            .with_help(help)
    }

    /// Fluents that no condition reads. Carrying facts on, whatever they are, is not reading.
    /// Where a condition lacks its `true`, that has been said.
    fn unread(&self, findings: &mut Findings) {
        let mut read = Produced::default();
        let mut without_true = HashSet::new();
        for rule in self.sheet.played.iter().map(|rule| rule.rule) {
            for literal in &rule.body {
                literal.for_each_sentence(&mut |sentence, _| {
                    let (relation, fluent) = (sentence.relation, sentence.args.first());
                    let carried = rule.head.relation == Symbol::NEXT
                        && matches!(fluent, Some(Term::Variable(_)))
                        && rule.head.args.first() == fluent;
                    match (relation, fluent) {
                        (Symbol::TRUE, Some(fluent)) if !carried => read.add(fluent),
                        // These are errors; a fluent that they ask for is asked for.
                        (Symbol::INIT | Symbol::NEXT, Some(fluent)) => read.add(fluent),
                        _ if is_name(relation) && !self.relations.contains(&name(sentence)) => {
                            without_true.insert(Functor::of(relation, sentence.args.len()));
                        }
                        _ => {}
                    }
                });
            }
        }
        let code = Code::UnreadFluent;
        let mut reported = HashSet::new();
        for rule in &self.sheet.played {
            let head = &rule.rule.head;
            let (Symbol::INIT | Symbol::NEXT, [fluent]) = (head.relation, &head.args[..]) else {
                continue;
            };
            let Some(place) = arguments(rule.head_form()).first() else { continue };
            if let Some(functor) = Functor::of_term(fluent)
                && read.lacks(functor)
                && !without_true.contains(&functor)
                && reported.insert(functor)
            {
                findings.report(code, || {
                    let near = self.near(functor, read.functors.iter().copied());
                    let none =
                        "remove it, or look for a misspelling: it changes nothing in the game";
                    Diagnostic::new(code, place.span, format!("nothing reads the fluent `{place}`"))
                        .with_label("no condition asks for it with `true`")
                        .with_help(near.unwrap_or_else(|| none.into()))
                });
            }
        }
    }

    /// The names that may be meant by a name that nothing produces, where these are produced.
    fn likely(&self, unmade: Functor, made: impl Iterator<Item = Functor> + Clone) -> String {
        let general = || "is it misspelled, or an argument missing?".to_owned();
        self.near(unmade, made).unwrap_or_else(general)
    }

    /// The same name with another number of arguments, or the nearest other name.
    fn near(&self, wrong: Functor, right: impl Iterator<Item = Functor> + Clone) -> Option<String> {
        let symbols = &self.sheet.game.symbols;
        let same = right.clone().filter(|other| other.symbol() == wrong.symbol());
        if let Some(other) = same.min_by_key(|other| other.arity().abs_diff(wrong.arity())) {
            let (name, arguments) = (wrong.symbol().spelled(symbols), other.arity());
            return Some(format!(
                "there is `{name}` with {}; does this one have as many?",
                counted(arguments, "argument")
            ));
        }
        // One with as many arguments is likelier than one that is nearer.
        let spelled = |other: Functor| other.symbol().spelled(symbols);
        let fitting = right.clone().filter(|other| other.arity() == wrong.arity());
        let name = spelled(wrong);
        nearest_name(name, fitting.map(spelled))
            .or_else(|| nearest_name(name, right.map(spelled)))
            .map(|near| format!("did you mean `{near}`?"))
    }
}

/// Whether a symbol is a name that the rulesheet chose; `base` and `input` may be.
fn is_name(symbol: Symbol) -> bool {
    !symbol.is_keyword() || symbol.is_hint()
}

/// A term of a functor, as an example.
fn example(functor: Functor, name: &str) -> String {
    match functor {
        Functor::Constant(_) => name.to_owned(),
        Functor::Function(..) => format!("({name} ...)"),
    }
}

/// Keywords are used by whoever plays, `base` and `input` as hints by other programs.
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
        if is_name(name.symbol) && !rule.hint && used.insert(name) {
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
    use crate::check::tests::{SOUND, diagnose, marked};
    use gdlr_text::diagnostic::Code;

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
    fn fluents_that_nothing_reads() {
        let frame = "(<= (next ?f) (true ?f) (not (moved ?f))) (<= (moved (at ?x)) (true (at ?x)))";
        let unread = |rules: &str| {
            let text = format!("{SOUND} {frame} {rules}");
            let diagnostics = marked(&text, Code::UnreadFluent);
            diagnostics.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            unread("(<= (next (ate 2)) (does a go)) (init (ate 1)) (init on)"),
            ["(ate 2)", "on"]
        );
        assert_eq!(unread("(init (at 1 2)) (<= (p) (p) (true (at 1)))"), ["(at 1 2)"]);
        assert_eq!(unread("(init on) (<= (p) (p) (or (true (at 1)) (not (true on))))"), [""; 0]);
        // Whoever reads any fluent reads all.
        assert_eq!(unread("(init on) (<= (sees a ?f) (true ?f))"), [""; 0]);
        assert_eq!(unread("(init on) (<= (next (was ?f)) (true ?f))"), [""; 0]);
        // One message is enough where a condition lacks its `true`.
        assert_eq!(unread("(init (red 1)) (init on) (<= (p) (p) on (red 1))"), [""; 0]);
    }

    #[test]
    fn the_likely_name_is_given() {
        let help = |code: Code, rules: &str| {
            let diagnostics = diagnose(&format!("{SOUND} {rules}"));
            let mut diagnostics = diagnostics.into_iter().filter(|d| d.code == code);
            let first = diagnostics.next().expect("a finding");
            assert!(diagnostics.next().is_none(), "{rules}");
            first.help.unwrap()
        };
        let unproduced = |rules: &str| help(Code::Unproduced, rules);
        assert_eq!(unproduced("(<= (p) (p) (suc 1 2))"), "did you mean `succ`?");
        assert_eq!(unproduced("(<= (p) (p) (true (ad 1)))"), "did you mean `at`?");
        assert_eq!(unproduced("(<= (p) (p) (does a gp))"), "did you mean `go`?");
        let many = "there is `succ` with 2 arguments; does this one have as many?";
        assert_eq!(unproduced("(<= (p) (p) (succ 1))"), many);
        let one = "there is `at` with 1 argument; does this one have as many?";
        assert_eq!(unproduced("(<= (p) (p) (true (at 1 1)))"), one);
        let fluent = "it is a fluent: ask for it with `true`, `(true (at ...))`";
        assert_eq!(unproduced("(<= (p) (p) (at 1))"), fluent);
        let other = "is it misspelled, or an argument missing?";
        assert_eq!(unproduced("(<= (p) (p) (elephant 1))"), other);
        // As many arguments are likelier than a nearer name.
        let near = "(succ_ 1) (<= (p) (p) (succ_ 1)) (<= (p) (p) (sucd 1 2))";
        assert_eq!(unproduced(near), "did you mean `succ`?");

        let unread = |rules: &str| help(Code::UnreadFluent, rules);
        assert_eq!(unread("(init (att 1))"), "did you mean `at`?");
        assert_eq!(unread("(init (at 1 2))"), one);
        let none = "remove it, or look for a misspelling: it changes nothing in the game";
        assert_eq!(unread("(init (elephant 1))"), none);
    }

    #[test]
    fn relations_that_nothing_uses() {
        let text = "(p 1) (p 2) (q 1) (<= (r ?x) (q ?x)) (base x) (input a b) (sees a b) (q 1 2)
            (base 1 2)";
        assert_eq!(marked(text, Code::Unused), ["p", "r", "q", "base"]);
        assert!(marked(SOUND, Code::Unused).is_empty());
    }
}
