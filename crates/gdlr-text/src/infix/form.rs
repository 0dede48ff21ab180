//! How an expression is written in infix notation, and with operations.

use super::names::from_kif;
use crate::diagnostic::{Code, Diagnostic};
use crate::kif::{Document, Expr, ExprKind};
use std::borrow::Cow;

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    /// By itself.
    Item,
    /// In the body of a rule.
    Condition,
    /// In a statement of operations, where conditions nest, also as arguments.
    Formula,
    /// Anywhere else.
    Term,
}

impl Context {
    /// Where the arguments of an expression here stand.
    pub(super) fn of_arguments(self) -> Context {
        if self == Context::Formula { Context::Formula } else { Context::Term }
    }

    /// Where the operands of a connective here stand.
    pub(super) fn of_operands(self) -> Context {
        if self == Context::Formula { Context::Formula } else { Context::Condition }
    }
}

/// How an atom is written; the text is the one that it was read from.
pub(crate) type Spell = for<'a> fn(&'a Expr, &str) -> Cow<'a, str>;

/// The written form of an expression.
pub(super) enum Form<'a> {
    /// A name or variable.
    Name,
    /// `head :- condition & ...`
    Rule(&'a Expr, &'a [Expr]),
    /// `~condition`
    Not(&'a Expr),
    /// `(condition | ...)`
    Or(&'a [Expr]),
    /// `(condition & ...)`
    And(&'a [Expr]),
    /// `name(argument, ...)`
    Application(&'a Expr, &'a [Expr]),
}

impl Form<'_> {
    /// The form of an expression in its place. Connectives in another place, or with another
    /// number of operands, are names like others.
    pub(super) fn of(expr: &Expr, place: Context) -> Form<'_> {
        let items = match &expr.kind {
            ExprKind::List(items) => &items[..],
            ExprKind::Atom(_) => return Form::Name,
        };
        match (place, items) {
            (Context::Item, [arrow, head, body @ ..])
                if arrow.atom() == Some("<=") && !body.is_empty() =>
            {
                Form::Rule(head, body)
            }
            (Context::Condition | Context::Formula, [not, condition])
                if not.atom() == Some("not") =>
            {
                Form::Not(condition)
            }
            (Context::Condition | Context::Formula, [or, first @ .., _])
                if or.atom() == Some("or") && !first.is_empty() =>
            {
                Form::Or(&items[1..])
            }
            (Context::Formula, [and, first @ .., _])
                if and.atom() == Some("and") && !first.is_empty() =>
            {
                Form::And(&items[1..])
            }
            (_, [name, arguments @ ..]) => Form::Application(name, arguments),
            (_, []) => Form::Name,
        }
    }
}

/// Where in the source an expression is written from, comments that stand before it set aside.
pub(super) fn start(expr: &Expr, place: Context) -> u32 {
    match Form::of(expr, place) {
        Form::Name | Form::Not(_) | Form::Or(_) | Form::And(_) => expr.span.start,
        Form::Rule(head, _) => start(head, Context::Term),
        Form::Application(name, _) => name.span.start,
    }
}

/// An atom as it is written; `source` is what it was read from.
pub(super) fn word<'a>(expr: &'a Expr, source: &str) -> Cow<'a, str> {
    match expr.atom() {
        // A part without a name there gets none here.
        Some(name) if name.starts_with('?') && source.get(expr.span.range()) == Some("_") => {
            Cow::Borrowed("_")
        }
        Some(name) => from_kif(name).unwrap_or_default(),
        None => Cow::Borrowed(""),
    }
}

/// An expression on one line, if it has at most so many characters.
pub(crate) fn on_one_line(
    expr: &Expr,
    place: Context,
    (source, spell): (&str, Spell),
    room: usize,
) -> Option<String> {
    let mut line = Line { source, spell, text: String::new(), room };
    line.expr(expr, place)?;
    Some(line.text)
}

struct Line<'a> {
    source: &'a str,
    spell: Spell,
    text: String,
    room: usize,
}

impl Line<'_> {
    fn expr(&mut self, expr: &Expr, place: Context) -> Option<()> {
        match Form::of(expr, place) {
            Form::Name => self.write(&(self.spell)(expr, self.source)),
            // Rules are never on one line.
            Form::Rule(..) => None,
            Form::Not(condition) => {
                self.write("~")?;
                self.expr(condition, place.of_operands())
            }
            Form::Or(items) => self.bracketed(items, " | ", place.of_operands()),
            Form::And(items) => self.bracketed(items, " & ", place.of_operands()),
            Form::Application(name, arguments) => {
                self.write(&(self.spell)(name, self.source))?;
                self.bracketed(arguments, ",", place.of_arguments())
            }
        }
    }

    fn bracketed(&mut self, items: &[Expr], between: &str, place: Context) -> Option<()> {
        self.write("(")?;
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.write(between)?;
            }
            self.expr(item, place)?;
        }
        self.write(")")
    }

    fn write(&mut self, text: &str) -> Option<()> {
        // A character has at most four bytes; a long name is not counted through.
        let fits = text.len() <= 4 * self.room;
        self.room = self.room.checked_sub(if fits { text.chars().count() } else { usize::MAX })?;
        self.text.push_str(text);
        Some(())
    }
}

/// The parts of a document that cannot be written, up to `limit` messages.
pub(super) fn unwritable(document: &Document, limit: usize) -> Vec<Diagnostic> {
    fn look(expr: &Expr, diagnostics: &mut Vec<Diagnostic>) {
        let message = match &expr.kind {
            ExprKind::Atom(name) if from_kif(name).is_none() => {
                format!("the name `{name}` cannot be written in infix notation")
            }
            ExprKind::Atom(_) => return,
            ExprKind::List(items) => {
                if items.first().is_some_and(|first| first.atom().is_some()) {
                    return items.iter().for_each(|item| look(item, diagnostics));
                }
                "a list without a name at its beginning cannot be written in infix notation"
                    .to_owned()
            }
        };
        diagnostics.push(Diagnostic::new(Code::NotInInfix, expr.span, message));
    }
    let mut diagnostics = Vec::new();
    for item in &document.items {
        look(item, &mut diagnostics);
        if diagnostics.len() >= limit {
            break;
        }
    }
    diagnostics.truncate(limit);
    diagnostics
}
