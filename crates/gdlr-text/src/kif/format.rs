//! The canonical layout of a rulesheet, for `gdlr fmt`.
//!
//! * A fact stands on one line. A rule has its head on the first line and each condition on
//!   a line of its own, indented by four.
//! * What does not fit into 80 columns is broken: the items of an `or` or `not` one a line,
//!   those of anything else filled into lines, four columns further in.
//! * Comments stay where they are, at the end of a line or on lines of their own.
//! * Of blank lines between forms and between conditions, one is kept.
//!
//! Nothing but white space changes, and formatting twice changes nothing. The cost is linear
//! but for the bounded nesting.

use super::marks::{marked, page};
use super::{Document, Expr, ExprKind};
use crate::syntax::{Page, STEP};

/// Lays out a document that was read from `source`, in this notation or in infix notation.
///
/// ```
/// # mod gdlr { pub use gdlr_text::kif; }
/// let source = "(role   x)(<= (p ?x) (q ?x);why\n(r ?x))";
/// let document = gdlr::kif::read(source).unwrap();
/// assert_eq!(
///     gdlr::kif::format(source, &document),
///     "(role x)\n(<= (p ?x)\n    (q ?x) ;why\n    (r ?x))\n",
/// );
/// ```
pub fn format(source: &str, document: &Document) -> String {
    let mut layout =
        KifPrinter { page: page(source, document, Box::new(|comment| marked(comment, ';'))) };
    for item in &document.items {
        layout.page.comments_before(item.span.start, 0, true);
        layout.page.line(item.span.start, 0, true);
        layout.expr(item, 0, 0);
    }
    layout.page.finish()
}

struct KifPrinter<'a> {
    page: Page<'a>,
}

impl<'a> KifPrinter<'a> {
    fn expr(&mut self, expr: &'a Expr, indent: usize, closing: usize) {
        match &expr.kind {
            ExprKind::Atom(text) => self.page.write(text),
            ExprKind::List(items) => self.list(expr, items, indent, closing),
        }
        self.page.passed(expr.span.end);
    }

    /// Writes a list that starts at the current column; `closing` brackets will follow it.
    fn list(&mut self, expr: &'a Expr, items: &'a [Expr], indent: usize, closing: usize) {
        let style = Style::of(items);
        if style != Style::Rule && self.fits(expr, closing) {
            return self.flat(expr);
        }
        self.page.write("(");
        self.page.passed(expr.span.start + 1);
        let inner = indent + STEP;
        // A rule's head stands behind the arrow; everything else starts with its name.
        let on_first_line = if style == Style::Rule { 2 } else { 1 };
        for (place, item) in items.iter().enumerate() {
            let closing = if place + 1 == items.len() { closing + 1 } else { 0 };
            let blank = style == Style::Rule && place > on_first_line;
            let commented = self.page.comments_before(item.span.start, inner, blank);
            let stays = match place {
                0 => true,
                _ if place < on_first_line => true,
                _ => style == Style::Fill && self.fits_behind(item, closing),
            };
            if commented || !stays {
                self.page.line(item.span.start, inner, blank);
            } else if place > 0 {
                self.page.write(" ");
            }
            self.expr(item, inner, closing);
        }
        if self.page.comments_before(expr.span.end, inner, false) {
            self.page.line(expr.span.end, indent, false);
        }
        self.page.write(")");
    }

    /// Writes on one line what has no comments inside.
    fn flat(&mut self, expr: &Expr) {
        self.page.write(&expr.to_string());
    }

    /// Whether an expression fits on the rest of the line, with `closing` brackets behind.
    fn fits(&self, expr: &Expr, closing: usize) -> bool {
        self.fits_within(expr, self.page.room().saturating_sub(closing))
    }

    /// The same, behind a space.
    fn fits_behind(&self, expr: &Expr, closing: usize) -> bool {
        self.fits_within(expr, self.page.room().saturating_sub(closing + 1))
    }

    fn fits_within(&self, expr: &Expr, room: usize) -> bool {
        !self.page.commented_before(expr.span.end) && room_left(expr, room).is_some()
    }
}

/// How a list is broken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Always: a condition a line.
    Rule,
    /// An item a line.
    Connective,
    /// As many items as fit on a line.
    Fill,
}

impl Style {
    fn of(items: &[Expr]) -> Style {
        match items.first().and_then(Expr::atom) {
            Some("<=") if items.len() > 2 => Style::Rule,
            Some(name) if ["or", "not"].iter().any(|word| name.eq_ignore_ascii_case(word)) => {
                Style::Connective
            }
            _ => Style::Fill,
        }
    }
}

/// The rest of `room` behind an expression on one line; `None` if it does not fit.
/// Looks at no more of it than could fit.
fn room_left(expr: &Expr, room: usize) -> Option<usize> {
    match &expr.kind {
        // A character has at most four bytes; a long name is not counted through.
        ExprKind::Atom(text) if text.len() > 4 * room => None,
        ExprKind::Atom(text) => room.checked_sub(text.chars().count()),
        ExprKind::List(items) => {
            let spaces = items.len().saturating_sub(1);
            let mut room = room.checked_sub(2)?.checked_sub(spaces)?;
            for item in items {
                room = room_left(item, room)?;
            }
            Some(room)
        }
    }
}

#[cfg(test)]
mod tests {
    fn formatted(source: &str) -> String {
        super::format(source, &crate::kif::read(source).unwrap())
    }

    #[test]
    fn facts_and_rules() {
        assert_eq!(
            formatted("(role a)(role   b)\n\n\n\n( <=  terminal(p)\n\n\n(or (q) r))\n x (<= (s))"),
            "(role a)\n(role b)\n\n(<= terminal\n    (p)\n\n    (or (q) r))\nx\n(<= (s))\n"
        );
        assert_eq!(formatted(""), "");
        assert_eq!(formatted(" \n\n"), "");
    }

    #[test]
    fn comments_stay_where_they_are() {
        let canonical = "; head\n\n(p a) ; of a\n; of b\n(p b)\n\n(<= (q ?x) ; the head\n    \
                         ; own line\n    (p ?x) ; and behind\n    ; last\n)\n; end\n";
        assert_eq!(formatted(canonical), canonical);
        assert_eq!(
            formatted("(p ; one\n a b ;two\n)\r\n\r\n;end  \r\n"),
            "(p ; one\n    a b ;two\n)\n\n;end\n"
        );
    }

    #[test]
    fn long_forms_are_broken() {
        let long = "abcdefghijklmnopqrstuvwxyz";
        assert_eq!(
            formatted(&format!("(p {long} {long} (f {long} {long}) (g {long}))")),
            format!("(p {long} {long}\n    (f {long} {long}) (g {long}))\n")
                .replace(&format!("(f {long} {long}) (g"), &format!("(f {long} {long})\n    (g"))
        );
        assert_eq!(
            formatted(&format!("(<= p (or (f {long}) (g {long}) (h {long})))")),
            format!(
                "(<= p\n    (or\n        (f {long})\n        (g {long})\n        (h {long})))\n"
            )
        );
    }

    #[test]
    fn the_widest_line_has_eighty_columns() {
        let fact = |n: usize| format!("(relation (q {}))", "x".repeat(n));
        assert_eq!(formatted(&fact(65)), fact(65) + "\n");
        assert_eq!(formatted(&fact(66)), format!("(relation\n    (q {}))\n", "x".repeat(66)));
    }
}
