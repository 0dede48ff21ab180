//! The rules of GDL that operations are made from.

use super::super::sheet::{Functor, atom, for_each_variable, functor};
use super::super::token::Operations;
use super::refused;
use crate::diagnostic::{Diagnostic, Span};
use crate::kif::{Document, Expr, ExprKind};
use crate::syntax::Language;
use hashbrown::{HashMap, HashSet};

/// A rule or fact. All names are in small letters.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub head: Expr,
    pub body: Vec<Expr>,
    /// The relation of the head.
    pub relation: Functor,
    pub span: Span,
}

impl Rule {
    /// Where the rule begins.
    pub(super) fn start(&self) -> Span {
        Span { start: self.span.start, end: self.span.start }
    }

    /// How often a variable stands in the rule.
    pub(super) fn count(&self, variable: &Expr) -> usize {
        let mut count = 0;
        for expr in std::iter::once(&self.head).chain(&self.body) {
            for_each_variable(expr, &mut |other| {
                count += usize::from(variable.atom() == Some(other));
            });
        }
        count
    }
}

/// The rules of a document, and all their words.
///
/// # Errors
///
/// What is no rule, and names that cannot be written.
pub(super) fn rules(document: &Document) -> Result<(Vec<Rule>, HashSet<Box<str>>), Diagnostic> {
    let mut words = HashSet::new();
    document.items.iter().for_each(|item| note(item, &mut words));
    let mut normal = Normal { words, renamed: HashMap::new() };
    let mut rules = Vec::new();
    for item in &document.items {
        let (head, body) = match item.list() {
            Some([arrow, head, body @ ..]) if arrow.atom() == Some("<=") => (head, body),
            _ => (item, &[][..]),
        };
        let head = normal.expr(head)?;
        let body = body.iter().map(|it| normal.expr(it)).collect::<Result<Vec<_>, _>>()?;
        let no_head = ["not", "or", "distinct", "true", "does"];
        let Some(relation) = functor(&head).filter(|name| !no_head.contains(&&*name.0)) else {
            return Err(refused(item.span, "this is no rule", "`gdlr check` says more"));
        };
        rules.push(Rule { head, body, relation, span: item.span });
    }
    Ok((rules, normal.words))
}

fn note(expr: &Expr, words: &mut HashSet<Box<str>>) {
    match &expr.kind {
        ExprKind::Atom(word) => _ = words.insert(word.to_lowercase().into()),
        ExprKind::List(items) => items.iter().for_each(|item| note(item, words)),
    }
}

struct Normal {
    words: HashSet<Box<str>>,
    /// Variables that cannot be written, and those in place of them.
    renamed: HashMap<Box<str>, Box<str>>,
}

impl Normal {
    /// An expression in small letters, without brackets around names alone.
    fn expr(&mut self, expr: &Expr) -> Result<Expr, Diagnostic> {
        match &expr.kind {
            ExprKind::Atom(name) => Ok(atom(&self.name(name, expr.span)?, expr.span)),
            ExprKind::List(items) => match &items[..] {
                [name] if name.atom().is_some() => self.expr(name),
                [name, ..] if name.atom().is_some_and(|name| !name.starts_with('?')) => {
                    let items = items.iter().map(|item| self.expr(item));
                    let kind = ExprKind::List(items.collect::<Result<_, _>>()?);
                    Ok(Expr { span: expr.span, kind })
                }
                _ => {
                    let message = "a list without a name at its beginning";
                    Err(refused(expr.span, message, "a list begins with a name"))
                }
            },
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Result<Box<str>, Diagnostic> {
        let lower: Box<str> = name.to_lowercase().into();
        let Some(variable) = lower.strip_prefix('?') else {
            return match is_word(&lower, |first| first.is_ascii_alphanumeric() || first == '-') {
                true => Ok(lower),
                false => {
                    let message = format!("the name `{name}` cannot be written with operations");
                    Err(refused(span, message, "a name has letters, digits, `_`, `+` and `-`"))
                }
            };
        };
        if is_word(variable, |first| first.is_ascii_alphabetic() || first == '_') && variable != "_"
        {
            return Ok(lower);
        }
        if let Some(known) = self.renamed.get(&lower) {
            return Ok(known.clone());
        }
        let new = fresh("?v", &mut self.words);
        self.renamed.insert(lower.clone(), new.clone());
        Ok(new)
    }
}

/// Whether a text is one word of the notation, which begins as it should.
fn is_word(text: &str, begins: impl Fn(char) -> bool) -> bool {
    let rest = text.strip_prefix('-').unwrap_or(text);
    let number = rest.starts_with(|first: char| first.is_ascii_digit());
    text.starts_with(begins)
        && (rest.len() == text.len() || number)
        && Operations.word_length(rest) == rest.len()
}

/// A name that is none of `words`: `wanted`, or that with a number. It is one of them then.
pub(super) fn fresh(wanted: &str, words: &mut HashSet<Box<str>>) -> Box<str> {
    let numbered = (1..).map(|number: usize| format!("{wanted}_{number}"));
    let name = std::iter::once(wanted.to_owned())
        .chain(numbered)
        .find(|name| !words.contains(&**name))
        .unwrap_or_default();
    words.insert(name.clone().into());
    name.into()
}
