//! The canonical layout of a rulesheet in infix notation, for `gdlr fmt`.
//!
//! * A fact stands on one line. A rule has its head on the first line and each condition on a
//!   line of its own, indented by four, with its `&` behind it. No rule ends with a period.
//! * What does not fit into 80 columns is broken: alternatives one a line, below one another;
//!   arguments filled into lines, four columns further in.
//! * Comments and blank lines stay as in the layout of KIF. Comments of KIF begin with `%` then;
//!   others keep their marks, since both are read.
//!
//! The cost and the limits are those of [`kif::format`](crate::kif::format()), too.

use super::foreign::statements;
use super::form::{Context, Form, Spell, on_one_line, start, unwritable, word};
use super::recognise::is_infix;
use crate::diagnostic::Diagnostic;
use crate::dialect::conditions;
use crate::kif::marks::{marked, page};
use crate::kif::{Document, Expr, Limits};
use crate::syntax::{Page, Rewrite, STEP};
use std::cell::OnceCell;

/// Lays out a document that was read from `source`, in this notation or in KIF.
///
/// # Errors
///
/// Lists without a name at their beginning, and names with a `"`, cannot be written.
///
/// ```
/// # mod gdlr { pub use gdlr_text::{infix, kif}; }
/// let source = "(role   x)(<= (p ?x) (q ?x);why\n(not (r ?x)))";
/// let document = gdlr::kif::read(source).unwrap();
/// assert_eq!(
///     gdlr::infix::format(source, &document).unwrap(),
///     "role(x)\np(X) :-\n    q(X) & %why\n    ~r(X)\n",
/// );
/// ```
pub fn format(source: &str, document: &Document) -> Result<String, Vec<Diagnostic>> {
    let errors = unwritable(document, Limits::default().max_errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let rewrite: Rewrite<'_> = match is_infix(source) {
        true => kept_apart(source),
        false => Box::new(|comment| marked(comment, '%')),
    };
    let mut layout = Printer { source, spell: word, page: page(source, document, rewrite) };
    for item in &document.items {
        layout.begin(item, Context::Item, 0, true);
        layout.write(item, Context::Item, 0, 0);
    }
    Ok(layout.page.finish())
}

/// Comments as they were; but one that could be taken for conditions behind an "or" of Prolog, as
/// periods are not kept, begins with `%`.
fn kept_apart(source: &str) -> Rewrite<'_> {
    let relations = OnceCell::new();
    Box::new(move |comment| {
        let Some(text) = comment.strip_prefix(';') else { return marked(comment, '%') };
        let is_known = |relation| relations.get_or_init(|| statements(source)).contains(relation);
        let taken = match conditions(text) {
            Some(tail) => tail.relation.is_none_or(is_known),
            None => text.is_empty(),
        };
        if taken { marked(comment, '%') } else { comment.to_owned() }
    })
}

/// Writes expressions on a page.
pub(crate) struct Printer<'a> {
    pub source: &'a str,
    pub spell: Spell,
    pub page: Page<'a>,
}

impl<'a> Printer<'a> {
    /// Begins a line for an expression, below the comments before it.
    pub(crate) fn begin(&mut self, expr: &Expr, place: Context, indent: usize, blank: bool) {
        let start = start(expr, place);
        self.page.comments_before(start, indent, blank);
        self.page.line(start, indent, blank);
    }

    /// Writes an expression from the current column on; `tail` characters will follow it.
    pub(crate) fn write(&mut self, expr: &'a Expr, place: Context, indent: usize, tail: usize) {
        if let Some(line) = self.fitting(expr, place, tail) {
            self.page.write(&line);
            return self.page.passed(expr.span.end);
        }
        match Form::of(expr, place) {
            Form::Name => {
                self.page.write(&(self.spell)(expr, self.source));
                self.page.passed(expr.span.end);
            }
            Form::Rule(head, body) => self.rule(expr, head, body),
            Form::Not(condition) => {
                self.page.write("~");
                self.page.passed(expr.span.start + 1);
                let before = start(condition, place.of_operands());
                if self.page.comments_before(before, indent, false) {
                    self.page.line(before, indent, false);
                }
                self.write(condition, place.of_operands(), indent, tail);
            }
            Form::Or(operands) => self.operands(expr, (operands, place), " |", tail),
            Form::And(operands) => self.operands(expr, (operands, place), " &", tail),
            Form::Application(name, arguments) => {
                self.application((expr, place), name, arguments, indent, tail);
            }
        }
    }

    fn rule(&mut self, expr: &Expr, head: &'a Expr, body: &'a [Expr]) {
        self.write(head, Context::Term, 0, " :-".len());
        self.page.write(" :-");
        self.lines(body, Context::Condition, STEP);
        // In KIF these stand before the last bracket.
        self.page.comments_before(expr.span.end, 0, true);
        self.page.passed(expr.span.end);
    }

    /// Conditions one a line, with `&` between them.
    pub(crate) fn lines(&mut self, conditions: &'a [Expr], place: Context, indent: usize) {
        for (index, condition) in conditions.iter().enumerate() {
            self.begin(condition, place, indent, index > 0);
            let sign = if index + 1 < conditions.len() { " &" } else { "" };
            self.write(condition, place, indent, sign.len());
            self.page.write(sign);
        }
    }

    /// The operands of a connective below one another.
    fn operands(
        &mut self,
        expr: &Expr,
        (operands, place): (&'a [Expr], Context),
        sign: &str,
        tail: usize,
    ) {
        self.page.write("(");
        self.page.passed(expr.span.start + 1);
        let (inner, place) = (self.page.column(), place.of_operands());
        for (index, operand) in operands.iter().enumerate() {
            let before = start(operand, place);
            if self.page.comments_before(before, inner, false) || index > 0 {
                self.page.line(before, inner, false);
            }
            let last = index + 1 == operands.len();
            let tail = if last { ")".len() + tail } else { sign.len() };
            self.write(operand, place, inner, tail);
            self.page.write(if last { "" } else { sign });
        }
        self.close(expr, inner, inner);
    }

    /// A name and its arguments, as many as fit on a line.
    fn application(
        &mut self,
        (expr, place): (&Expr, Context),
        name: &Expr,
        arguments: &'a [Expr],
        indent: usize,
        tail: usize,
    ) {
        self.page.write(&(self.spell)(name, self.source));
        self.page.write("(");
        self.page.passed(name.span.end);
        let (inner, place) = (indent + STEP, place.of_arguments());
        for (index, argument) in arguments.iter().enumerate() {
            let last = index + 1 == arguments.len();
            let tail = if last { ")".len() + tail } else { ",".len() };
            let before = start(argument, place);
            let commented = self.page.comments_before(before, inner, false);
            if commented || self.fitting(argument, place, tail).is_none() {
                self.page.line(before, inner, false);
            }
            self.write(argument, place, inner, tail);
            self.page.write(if last { "" } else { "," });
        }
        self.close(expr, inner, indent);
    }

    /// Writes the closing bracket of an expression.
    fn close(&mut self, expr: &Expr, inner: usize, indent: usize) {
        if self.page.comments_before(expr.span.end, inner, false) {
            self.page.line(expr.span.end, indent, false);
        }
        self.page.write(")");
        self.page.passed(expr.span.end);
    }

    /// An expression on one line, if it fits on the rest of it with `tail` characters behind.
    pub(crate) fn fitting(&self, expr: &Expr, place: Context, tail: usize) -> Option<String> {
        if self.page.commented_before(expr.span.end) {
            return None;
        }
        let spelled = (self.source, self.spell);
        on_one_line(expr, place, spelled, self.page.room().saturating_sub(tail))
    }
}

#[cfg(test)]
mod tests {
    fn from_kif(source: &str) -> String {
        super::format(source, &crate::kif::read(source).unwrap()).unwrap()
    }

    fn from_infix(source: &str) -> String {
        super::format(source, &crate::infix::read(source).unwrap()).unwrap()
    }

    #[test]
    fn facts_and_rules() {
        assert_eq!(
            from_kif(
                "(role a)(role   b)\n\n\n\n( <=  terminal(p)\n\n\n(or (q) r)(not s))\n x (<= (s))"
            ),
            "role(a)\nrole(b)\n\nterminal :-\n    p() &\n\n    (q() | r) &\n    ~s\nx\n\"<=\"(s())\n"
        );
        assert_eq!(
            from_kif("(<= p (or q) (not a b) (not (or a b)) (p (not a)) (OR a b)) (not (p))"),
            "p :-\n    or(q) &\n    not(a,b) &\n    ~(a | b) &\n    p(not(a)) &\n    \"OR\"(a,b)\nnot(p())\n"
        );
        assert_eq!(
            from_infix("p(_,X):-q(_)&((r)|~(s|t))."),
            "p(_,X) :-\n    q(_) &\n    (r | ~(s | t))\n"
        );
        assert_eq!(from_infix(""), "");
    }

    #[test]
    fn comments_stay_where_they_are() {
        let canonical = "% head\n\np(a) % of a\n% of b\np(b)\n\nq(X) :- % the head\n    % own \
                         line\n    p(X) & % and behind\n    ~ % odd\n    r\n% last\n% end\n";
        assert_eq!(from_infix(canonical), canonical);
        assert_eq!(
            from_kif(
                "(p ; one\n a b ;two\n)\r\n\r\n(<= ;h\n (q) (r) ;c\n;d\n)(;i\n s)\n;end  \r\n"
            ),
            "p( % one\n    a,b %two\n)\n\n%h\nq() :-\n    r() %c\n%d\n%i\ns()\n%end\n"
        );
    }

    #[test]
    fn long_forms_are_broken() {
        let long = "abcdefghijklmnopqrstuvwxyz";
        assert_eq!(
            from_kif(&format!("(p {long} {long} (f {long} {long}) (g {long}))")),
            format!("p({long},{long},\n    f({long},{long}),\n    g({long}))\n")
        );
        assert_eq!(
            from_kif(&format!("(<= p (not (or (f {long}) (g {long}) (h {long}))) q)")),
            format!("p :-\n    ~(f({long}) |\n      g({long}) |\n      h({long})) &\n    q\n")
        );
    }

    #[test]
    fn the_widest_line_has_eighty_columns() {
        let fact = |n: usize| format!("relation(q({}))", "x".repeat(n));
        assert_eq!(from_infix(&fact(67)), fact(67) + "\n");
        assert_eq!(from_infix(&fact(68)), format!("relation(\n    q({}))\n", "x".repeat(68)));
    }

    #[test]
    fn what_cannot_be_written_has_its_place() {
        let source = "(p (q a\"b)) () (<= (r) ((s)))";
        let errors = super::format(source, &crate::kif::read(source).unwrap()).unwrap_err();
        let places: Vec<_> = errors.iter().map(|error| &source[error.span.range()]).collect();
        assert_eq!(places, ["a\"b", "()", "((s))"]);
    }
}
