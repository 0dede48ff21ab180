//! Operators that nothing in a rulesheet gives a meaning: `(and a b)`, `(= ?x ?y)`, `(+ ?x 1)`.
//!
//! All of these are names in GDL, and some games have relations `<` and `+`. A condition is a
//! sign only if no rule and no fact has its relation; a term with an operator is one if
//! only rules that ask for something have it, or if a number is added and nothing ever takes the sum apart.

use super::sign::{Sign, SignInText, Writing};
use crate::kif::{Document, Expr, ExprKind};
use hashbrown::HashSet;

/// The signs in the rules of a text.
pub(crate) fn in_rules(document: &Document, text: &str, writing: Writing) -> Vec<SignInText> {
    let mut look = Look { text, writing, ..Look::default() };
    if let Some(found) = outer_list(document) {
        return vec![found];
    }
    for item in &document.items {
        look.defined.extend(head(item).and_then(name));
    }
    for item in &document.items {
        look.item(item);
    }
    let Look { given, taken, sums, mut found, .. } = look;
    found.extend(sums.into_iter().filter_map(|sum| {
        let operator = name(sum.expr)?;
        let alone = !(given.contains(operator) && taken.contains(operator));
        let told = if sum.given { sum.adds } else { true };
        (alone && told).then(|| SignInText::new(Sign::Arithmetic, sum.expr.span))
    }));
    found
}

/// A list around everything, alone or behind a name.
fn outer_list(document: &Document) -> Option<SignInText> {
    let [only] = &document.items[..] else { return None };
    let items = only.list()?;
    if items.first().and_then(Expr::atom) == Some("<=") {
        return None;
    }
    let is_statement = |item: &&Expr| {
        let first = item.list().and_then(<[Expr]>::first).and_then(Expr::atom);
        first.is_some_and(|first| ["<=", "role", "init"].contains(&&*first.to_lowercase()))
    };
    let statements = items.iter().filter(is_statement).count();
    let bracket = crate::diagnostic::Span { start: only.span.start, end: only.span.start + 1 };
    (statements > 1).then(|| SignInText::new(Sign::OuterList, bracket))
}

/// The statement of an item: itself, or the head of a rule.
fn head(item: &Expr) -> Option<&Expr> {
    match item.list() {
        Some([arrow, rest @ ..]) if arrow.atom() == Some("<=") => rest.first(),
        _ => Some(item),
    }
}

/// The relation of a sentence, or the function of a term.
fn name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Atom(name) => Some(name),
        ExprKind::List(items) => items.first()?.atom(),
    }
}

/// A term that looks like arithmetic.
struct Sum<'a> {
    expr: &'a Expr,
    /// Whether it stands in a head or a fact.
    given: bool,
    /// Whether it has a variable and a number.
    adds: bool,
}

#[derive(Default)]
struct Look<'a> {
    text: &'a str,
    writing: Writing,
    /// The relations of heads and facts.
    defined: HashSet<&'a str>,
    /// Operators as functions in heads and facts, and in conditions.
    given: HashSet<&'a str>,
    taken: HashSet<&'a str>,
    sums: Vec<Sum<'a>>,
    found: Vec<SignInText>,
}

impl<'a> Look<'a> {
    fn item(&mut self, item: &'a Expr) {
        let body = match item.list() {
            Some([arrow, _, body @ ..]) if arrow.atom() == Some("<=") => body,
            Some([arrow, rest @ ..]) if self.is_rule_of_another_kind(arrow, rest) => {
                return self.found.push(SignInText::new(Sign::Arrow, arrow.span));
            }
            _ => &[],
        };
        if let Some(head) = head(item) {
            self.terms(head, true);
        }
        body.iter().for_each(|condition| self.condition(condition));
        if self.writing != Writing::Kif {
            self.computed(item);
        }
    }

    /// Whether a fact is a rule with another arrow than GDL's.
    fn is_rule_of_another_kind(&self, arrow: &Expr, rest: &[Expr]) -> bool {
        let arrows = ["=>", "<=>", "==>", "->", "<-", ":-", "implies", "if"];
        let keywords = ["true", "does", "next", "legal", "goal", "init", "and", "not"];
        let says = |expr: &Expr| {
            let name = expr.list().and_then(<[Expr]>::first).and_then(Expr::atom);
            name.is_some_and(|name| keywords.contains(&&*name.to_lowercase()))
        };
        arrow.atom().is_some_and(|arrow| arrows.contains(&&*arrow.to_lowercase()))
            && rest.len() > 1
            && rest.iter().any(says)
    }

    fn condition(&mut self, condition: &'a Expr) {
        let Some(name) = name(condition) else { return };
        let arguments = condition.list().and_then(|items| items.get(1..)).unwrap_or_default();
        match &*name.to_lowercase() {
            "not" | "or" => return arguments.iter().for_each(|inner| self.condition(inner)),
            folded => {
                let sign = operator(folded).filter(|_| !self.defined.contains(name));
                if let Some(sign) = sign.filter(|_| !arguments.is_empty()) {
                    let span = condition.list().map_or(condition.span, |items| items[0].span);
                    // In infix notation the name stands before its bracket.
                    self.found.push(SignInText::new(sign, span));
                    if matches!(sign, Sign::And | Sign::Or) {
                        arguments.iter().for_each(|inner| self.condition(inner));
                    }
                    return;
                }
            }
        }
        self.terms(condition, false);
    }

    /// Notes arithmetic in the arguments of a sentence.
    fn terms(&mut self, sentence: &'a Expr, given: bool) {
        let Some([_, arguments @ ..]) = sentence.list() else { return };
        for argument in arguments {
            if let Some([operator, operands @ ..]) = argument.list()
                && let Some(operator) = operator.atom()
                && ["+", "-", "*", "/", "mod"].contains(&operator)
                && operands.len() == 2
            {
                if given {
                    self.given.insert(operator)
                } else {
                    self.taken.insert(operator)
                };
                let is_number = |operand: &Expr| {
                    operand.atom().is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit()))
                };
                let is_variable =
                    |operand: &Expr| operand.atom().is_some_and(|name| name.starts_with('?'));
                let adds = operands.iter().any(is_number) && operands.iter().any(is_variable);
                self.sums.push(Sum { expr: argument, given, adds });
            }
            self.terms(argument, given);
        }
    }

    /// Notes names such as `X+1` in a rule that has the variable `X`, too.
    fn computed(&mut self, item: &'a Expr) {
        let mut words = Vec::new();
        self.words(item, &mut words);
        if !words.iter().any(|(word, _)| is_computed(word)) {
            return;
        }
        let known: HashSet<&str> = words.iter().map(|&(word, _)| word).collect();
        for &(word, expr) in &words {
            if is_computed(word)
                && parts(word).any(|part| known.contains(part) && is_variable(part))
            {
                self.found.push(SignInText::new(Sign::Arithmetic, expr.span));
            }
        }
    }

    /// The words of an expression as they stand in the text, those in quotes set aside.
    fn words(&self, expr: &'a Expr, words: &mut Vec<(&'a str, &'a Expr)>) {
        match &expr.kind {
            ExprKind::Atom(_) => {
                let word = self.text.get(expr.span.range()).unwrap_or_default();
                if !word.starts_with(['"', '\'']) {
                    words.push((word, expr));
                }
            }
            ExprKind::List(items) => items.iter().for_each(|item| self.words(item, words)),
        }
    }
}

/// The likely meaning of a relation that nothing defines.
fn operator(name: &str) -> Option<Sign> {
    Some(match name {
        "and" | "&" | "&&" => Sign::And,
        "|" | "||" => Sign::Or,
        "!" | "~" => Sign::Negation,
        "=" | "==" | "eq" | "equal" => Sign::Equal,
        "!=" | "/=" | "<>" | "\\=" | "neq" => Sign::NotEqual,
        "<" | ">" | "<=" | ">=" | "=<" | "=>" => Sign::Order,
        "is" | "+" | "-" | "*" | "/" => Sign::Arithmetic,
        "forall" | "exists" => Sign::Quantifier,
        _ => return None,
    })
}

/// Whether a word of infix notation has the form of arithmetic with a variable: `X+1`.
pub(crate) fn is_computed(word: &str) -> bool {
    parts(word).nth(1).is_some() && parts(word).any(is_variable)
}

fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.split(['+', '-', '<', '>']).filter(|part| !part.is_empty())
}

fn is_variable(word: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{infix, kif};

    fn signs(text: &str, writing: Writing) -> Vec<(Sign, &str)> {
        let read = match writing {
            Writing::Kif => kif::read(text),
            Writing::Infix | Writing::Prolog => infix::read(text),
        };
        let document = read.unwrap_or_else(|errors| panic!("{}", errors[0]));
        let found = in_rules(&document, text, writing);
        found.iter().map(|found| (found.sign, &text[found.span.range()])).collect()
    }

    #[test]
    fn operators_without_a_meaning() {
        for (text, sign, place) in [
            ("(<= a (and (b) (c)))", Sign::And, "and"),
            ("(<= a (or b (not (= ?x 1))))", Sign::Equal, "="),
            ("(<= a (b ?x) (>= ?x 1))", Sign::Order, ">="),
            ("(<= a (b ?x) (is ?y (+ ?x 1)))", Sign::Arithmetic, "is"),
            ("(<= (next (s (+ ?x 1))) (true (s ?x)))", Sign::Arithmetic, "(+ ?x 1)"),
            ("(<= a (succ ?x (- ?y ?z)))", Sign::Arithmetic, "(- ?y ?z)"),
            ("(<= a (forall ?x (p ?x)))", Sign::Quantifier, "forall"),
            ("(=> (true (s 1)) (next (s 2)))", Sign::Arrow, "=>"),
            ("((role a) (role b) (<= a b))", Sign::OuterList, "("),
            ("(game (role a)\n (init b))", Sign::OuterList, "("),
        ] {
            assert_eq!(signs(text, Writing::Kif), [(sign, place)], "{text}");
        }
        for (text, place) in [
            ("next(s(X+1)) :- true(s(X))", "X+1"),
            ("p(1+X) :- q(X)", "1+X"),
            ("p(X) :- q(X) & r(X-Y)", "X-Y"),
        ] {
            assert_eq!(signs(text, Writing::Infix), [(Sign::Arithmetic, place)], "{text}");
        }
    }

    #[test]
    fn names_that_look_like_them() {
        for text in [
            "(< 1 2) (<= a (< ?x ?y))",
            "(<= (and ?x) (b ?x)) (<= a (and ?x))",
            "(= a a) (<= (p ?x) (q ?x) (not (= ?x a)))",
            "(<= (next (s (+ ?x 1))) (true (s (+ ?x 0))))",
            "(<= (legal p (- ?x ?y)) (num ?x) (num ?y))",
            "(value (+ 1 2) 3) (<= (p ?x) (value ?x 3))",
            "(role a)",
            "(<= (p ?x++) (q ?x ?x++))",
            "(=> a b)",
            "(<= a and)",
        ] {
            assert_eq!(signs(text, Writing::Kif), [], "{text}");
        }
        for text in [
            "p(X+1) :- q(Y) & r(X+1)",
            "p(X++) :- q(X,X++)",
            "p(e2-e4) :- q(X,1-0)",
            "p(\"X+1\") :- q(X)",
        ] {
            assert_eq!(signs(text, Writing::Infix), [], "{text}");
        }
    }
}
