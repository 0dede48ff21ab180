//! Rules of GDL whose conditions compute and count: the same rules, with tables.
//!
//! A relation of the rulesheet is never a built-in one. Conditions with `evaluate` and `countofall` are
//! replaced, and all others stay as they are. The tables are those of [`tables`], over rules in which
//! each `or` is gone.

use super::super::arithmetic::tables;
use super::super::builtin;
use super::super::open::Open;
use super::super::sheet::{arguments, for_each_variable, functor, parts, sentence};
use super::conditions::renamed;
use super::{Names, Rule, Translation};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::kif::{Document, Expr};
use hashbrown::HashSet;

/// The most alternatives of one rule.
const MAX_ALTERNATIVES: usize = 1_000;

/// The rules of a document of GDL, and tables for the built-in relations that they ask for.
///
/// # Errors
///
/// Relations that are not read, or have the wrong number of arguments; numbers without a bound.
pub(in super::super) fn with_tables(document: &Document) -> Result<Document, Vec<Diagnostic>> {
    let rules: Vec<Rule> = document.items.iter().map(rule).collect();
    let own: HashSet<Box<str>> =
        rules.iter().filter_map(|rule| functor(&rule.head)).map(|(name, _)| name).collect();
    let is_asked = |rule: &Rule| {
        let mut asked = false;
        for condition in &rule.body {
            for_each_sentence(condition, &mut |sentence| asked |= is_built_in(sentence, &own));
        }
        asked
    };
    if !rules.iter().any(is_asked) {
        return Ok(document.clone());
    }
    let mut names = Names::default();
    document.items.iter().for_each(|item| names.note_words(item));
    let mut translation = Translation::of_gdl(names);
    for rule in rules {
        if is_asked(&rule) {
            translation.built_ins(rule, &own);
        } else {
            translation.rules.push(rule);
        }
    }
    let Translation { mut rules, tallies, mut errors, .. } = translation;
    if !errors.is_empty() {
        errors.sort_by_key(|error| error.span.start);
        return Err(errors);
    }
    let mut alternatives = Vec::new();
    for rule in &rules {
        without_or(rule, &own, &mut alternatives).map_err(|error| vec![error])?;
    }
    let (tables, _) = tables(&alternatives, &tallies, Open::default())?;
    rules.extend(tables.into_iter().map(|rule| Rule { head: as_number(rule.head), ..rule }));
    let items = rules.into_iter().map(Rule::into_expr).collect();
    Ok(Document { items, comments: document.comments.clone() })
}

/// An item of a document as a rule.
fn rule(item: &Expr) -> Rule {
    match item.list() {
        Some([arrow, head, body @ ..]) if arrow.atom() == Some("<=") && !body.is_empty() => {
            Rule { head: head.clone(), body: body.to_vec(), span: item.span }
        }
        _ => Rule { head: item.clone(), body: Vec::new(), span: item.span },
    }
}

/// Calls `visit` with each sentence of a condition.
fn for_each_sentence<'a>(condition: &'a Expr, visit: &mut impl FnMut(&'a Expr)) {
    match ["or", "not"].iter().find_map(|connective| parts(condition, connective)) {
        Some(inner) => inner.iter().for_each(|condition| for_each_sentence(condition, visit)),
        None => visit(condition),
    }
}

/// Whether a sentence asks for a built-in relation that the rulesheet does not have itself.
fn is_built_in(sentence: &Expr, own: &HashSet<Box<str>>) -> bool {
    functor(sentence).is_some_and(|(name, arity)| {
        let of_gdl = ["distinct", "same"].contains(&&*name);
        arity > 0 && !of_gdl && is_name(&name) && !own.contains(&name)
    })
}

/// Whether a name is that of a built-in relation in rules of GDL.
fn is_name(name: &str) -> bool {
    name == "number" || builtin::is_name(name)
}

impl Translation {
    /// Adds a rule that asks for built-in relations.
    fn built_ins(&mut self, rule: Rule, own: &HashSet<Box<str>>) {
        let Rule { head, body, span } = rule;
        let mut bound = HashSet::new();
        let is_count = |condition: &Expr| is_asked(condition, "countofall", own);
        let binding = body.iter().filter(|condition| !is_count(condition));
        for expr in binding.chain([&head]) {
            for_each_variable(expr, &mut |variable| _ = bound.insert(Box::from(variable)));
        }
        let mut conditions = Vec::new();
        for condition in &body {
            if is_count(condition) && arguments(condition).len() == 3 {
                conditions.extend(self.count(condition, &bound));
            } else if is_asked(condition, "evaluate", own)
                && let [term, _] = arguments(condition)
                && term.list().is_some()
            {
                self.evaluate(condition, &mut conditions);
            } else {
                conditions.push(self.of_gdl_with(condition, own));
            }
        }
        self.rules.push(Rule { head, body: conditions, span });
    }

    /// A condition with what the tables have in the place of its sentences.
    fn of_gdl_with(&mut self, condition: &Expr, own: &HashSet<Box<str>>) -> Expr {
        for connective in ["or", "not"] {
            if let Some(inner) = parts(condition, connective) {
                let inner = inner.iter().map(|inner| self.of_gdl_with(inner, own)).collect();
                return sentence(connective, inner, condition.span);
            }
        }
        if !is_built_in(condition, own) {
            return condition.clone();
        }
        let is_number = is_asked(condition, "number", own);
        if is_number && arguments(condition).len() != 1 {
            self.error(builtin::wrong_use(condition));
        } else if let Some(error) = builtin::error(condition) {
            self.error(error);
        }
        condition.clone()
    }
}

/// Whether a condition asks for one built-in relation.
fn is_asked(condition: &Expr, name: &str, own: &HashSet<Box<str>>) -> bool {
    !own.contains(name) && functor(condition).is_some_and(|(found, _)| *found == *name)
}

/// Adds a rule for each alternative of the conditions of a rule. Relations of the rulesheet with the name of a
/// built-in one have another name there.
fn without_or(
    rule: &Rule,
    own: &HashSet<Box<str>>,
    found: &mut Vec<Rule>,
) -> Result<(), Diagnostic> {
    let mut bodies = vec![Vec::new()];
    for condition in &rule.body {
        bodies = product(&bodies, &alternatives(condition, false, own, rule.span)?, rule.span)?;
    }
    let head = own_name(&rule.head, own);
    let rules = bodies.into_iter().map(|body| Rule { head: head.clone(), body, span: rule.span });
    found.extend(rules);
    Ok(())
}

type Body = Vec<Expr>;

fn alternatives(
    condition: &Expr,
    negated: bool,
    own: &HashSet<Box<str>>,
    span: Span,
) -> Result<Vec<Body>, Diagnostic> {
    if let Some([inner]) = parts(condition, "not") {
        return alternatives(inner, !negated, own, span);
    }
    if let Some(any) = parts(condition, "or") {
        let mut found = if negated { vec![Vec::new()] } else { Vec::new() };
        for part in any {
            let part = alternatives(part, negated, own, span)?;
            if negated {
                found = product(&found, &part, span)?;
            } else {
                found.extend(part);
            }
        }
        return Ok(found);
    }
    let literal = match arguments(condition) {
        [value] if is_asked(condition, "number", own) => {
            sentence(builtin::ITSELF, vec![value.clone(); 2], condition.span)
        }
        _ => own_name(condition, own),
    };
    let negative = || sentence("not", vec![literal.clone()], condition.span);
    Ok(vec![vec![if negated { negative() } else { literal }]])
}

fn product(left: &[Body], right: &[Body], span: Span) -> Result<Vec<Body>, Diagnostic> {
    if left.len().saturating_mul(right.len()) > MAX_ALTERNATIVES {
        let message = format!("a rule with more than {MAX_ALTERNATIVES} alternatives");
        return Err(Diagnostic::new(Code::TooLarge, span, message)
            .with_help("give a part of the conditions a name, with rules of its own"));
    }
    let joined =
        |left: &Body| right.iter().map(|right| [&left[..], right].concat()).collect::<Vec<_>>();
    Ok(left.iter().flat_map(joined).collect())
}

/// A fact of a table, with `number` for a number that is itself.
fn as_number(fact: Expr) -> Expr {
    match functor(&fact) {
        Some((name, _)) if &*name == builtin::ITSELF => {
            sentence("number", arguments(&fact)[..1].to_vec(), fact.span)
        }
        _ => fact,
    }
}

/// A sentence under a name that nothing is built in as.
fn own_name(expr: &Expr, own: &HashSet<Box<str>>) -> Expr {
    match functor(expr) {
        Some((name, _)) if is_name(&name) && own.contains(&name) => {
            renamed(expr, &format!("own {name}"))
        }
        _ => expr.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::with_tables;
    use crate::diagnostic::Code;
    use crate::kif;

    /// The rules of a text, and what is added to them.
    fn read(text: &str) -> Result<Vec<String>, Vec<(Code, String)>> {
        let document = kif::read(text).expect("KIF");
        match with_tables(&document) {
            Ok(document) => Ok(document.items.iter().map(ToString::to_string).collect()),
            Err(errors) => Err(errors
                .iter()
                .map(|error| (error.code, text[error.span.range()].to_owned()))
                .collect()),
        }
    }

    fn added(text: &str) -> Vec<String> {
        let count = kif::read(text).expect("KIF").items.len();
        read(text).expect("tables").split_off(count)
    }

    const NUMBERS: &str = "(n 1) (n 2) (n x)";

    #[test]
    fn tables_for_what_is_asked() {
        for (rule, tables) in [
            ("(<= (p ?y) (n ?x) (plus ?x 1 ?y))", &["(plus 1 1 2)", "(plus 2 1 3)"][..]),
            ("(<= (p ?x) (n ?x) (not (less ?x 2)))", &["(less 1 2)"]),
            ("(<= (p ?x) (or (n ?x) (n ?x)) (leq ?x 1))", &["(leq 1 1)"]),
            ("(<= (p ?x) (n ?x) (or (less 1 ?x) (not (leq 2 ?x))))", &["(leq 2 2)", "(less 1 2)"]),
            ("(<= (p ?x) (n ?x) (not (or (n 3) (less 1 ?x))))", &["(less 1 2)"]),
            ("(<= (p ?x) (n ?x) (distinct ?x 1) (not (distinct ?x 2)))", &[]),
            // Facts of the state: what `init` and `next` say.
            (
                "(init (s 1)) (<= (next (s ?y)) (true (s ?x)) (less ?x 3) (plus ?x 1 ?y))",
                &["(less 1 3)", "(less 2 3)", "(plus 1 1 2)", "(plus 2 1 3)"],
            ),
        ] {
            let mut found = added(&format!("{NUMBERS} {rule}"));
            found.sort();
            assert_eq!(found, tables, "{rule}");
        }
    }

    #[test]
    fn what_is_replaced() {
        let rules = read(&format!(
            "{NUMBERS} (<= (p ?y) (n ?x) (number ?x) (evaluate (times 2 (plus ?x 1)) ?y))"
        ));
        let rules = rules.expect("tables");
        assert_eq!(
            rules[3],
            "(<= (p ?y) (n ?x) (number ?x) (plus ?x 1 ?value) (times 2 ?value ?y))"
        );
        for fact in ["(number 1)", "(number 2)", "(plus 1 1 2)", "(times 2 2 4)", "(times 2 3 6)"] {
            assert!(rules[4..].iter().any(|rule| rule == fact), "{fact}: {rules:?}");
        }
        assert!(
            !rules.iter().any(|rule| rule.contains("(plus x") || rule == "(number x)"),
            "{rules:?}"
        );
    }

    #[test]
    fn counts_are_rules() {
        let rules = read("(n 1) (n 2) (p 1) (<= (q ?c) (countofall ?x (and (n ?x) (p ?x)) ?c))");
        let rules = rules.expect("tables");
        assert_eq!(rules[3], "(<= (counted ?x) (n ?x) (p ?x))");
        assert_eq!(rules[4], "(<= (q ?c) (count ?c))");
        assert!(rules.len() > 8, "{rules:?}");
    }

    #[test]
    fn a_relation_of_the_rulesheet_is_its_own() {
        let own = "(plus 1 1 3) (<= (less ?x ?y) (n ?x) (n ?y)) (<= (p ?y) (n ?x) (plus ?x 1 ?y))";
        assert_eq!(added(&format!("{NUMBERS} {own} (<= (q ?x) (n ?x) (less ?x 2))")), [""; 0]);
        let other = "(<= (q ?x) (p ?y) (times ?y 2 ?x))";
        assert_eq!(added(&format!("{NUMBERS} {own} {other}")), ["(times 3 2 6)"]);
    }

    #[test]
    fn what_cannot_be_read() {
        let error = |code, place: &str| Err(vec![(code, place.to_owned())]);
        use Code::{OperationsBuiltIn, OperationsUnbounded};
        for (rule, code, place) in [
            ("(<= (p ?x) (n ?x) (plus ?x))", OperationsBuiltIn, "(plus ?x)"),
            ("(<= (p ?x) (n ?x) (less ?x 1 2))", OperationsBuiltIn, "(less ?x 1 2)"),
            ("(<= (p ?x) (n ?x) (not (evaluate ?x 1)))", OperationsBuiltIn, "(evaluate ?x 1)"),
            ("(<= (p ?x) (n ?x) (evaluate ?x 1))", OperationsBuiltIn, "(evaluate ?x 1)"),
            ("(<= (p ?x) (n ?x) (number ?x 1))", OperationsBuiltIn, "(number ?x 1)"),
            ("(<= (p ?x) (member ?x a))", OperationsBuiltIn, "(member ?x a)"),
            ("(<= (p ?y) (q) (plus ?x 1 ?y)) (q)", OperationsUnbounded, "?x"),
            (
                "(init (s 1)) (<= (next (s ?y)) (true (s ?x)) (plus ?x 1 ?y))",
                OperationsUnbounded,
                "(plus ?x 1 ?y)",
            ),
        ] {
            assert_eq!(read(&format!("{NUMBERS} {rule}")), error(code, place), "{rule}");
        }
        // `base` bounds.
        let declared = "(<= (base (s ?x)) (n ?x)) (init (s 1))
                        (<= (next (s ?y)) (true (s ?x)) (plus ?x 1 ?y))";
        assert!(read(&format!("{NUMBERS} {declared}")).is_ok());
        // A name alone computes nothing.
        assert!(read(&format!("{NUMBERS} (<= p plus number (n ?x) (less ?x 2))")).is_ok());
    }
}
