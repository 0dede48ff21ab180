//! The canonical layout of a rulesheet of operations, for `gdlr fmt`.
//!
//! * A fact stands on one line, and so does an operation that fits into 80 columns and has no comment in it.
//! * A rule has its head on the first line and each condition on a line of its own, as in infix notation. A
//!   longer operation has a line for each condition and each effect, the effects further in behind `==>`.
//! * No statement ends with a period. Comments and blank lines stay as in the other notations.

use super::reader;
use super::sheet::{Kind, Sheet, Statement, conjuncts};
use crate::diagnostic::Diagnostic;
use crate::infix::{Context, Printer, on_one_line};
use crate::kif::Expr;
use crate::syntax::{Page, STEP, WIDTH};
use std::borrow::Cow;

/// Lays out a text; linear in it.
///
/// # Errors
///
/// Those of the reader.
pub(super) fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let sheet = reader::read(text)?;
    let mut page = Page::new(text);
    sheet.comments.iter().for_each(|comment| page.keep(comment.span));
    Ok(lay_out(&sheet, Printer { source: text, spell, page }))
}

/// An atom as it is written in its own text.
pub(super) fn spell<'a>(expr: &'a Expr, source: &str) -> Cow<'a, str> {
    let name = expr.atom().unwrap_or_default();
    match name.strip_prefix('?') {
        Some(_) if source.get(expr.span.range()) == Some("_") => Cow::Borrowed("_"),
        Some(variable) => Cow::Owned(capital(variable)),
        None => Cow::Borrowed(name),
    }
}

/// A word with a capital first.
fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

/// The statements of a sheet, by a printer on an empty page.
pub(super) fn lay_out<'a>(sheet: &'a Sheet, mut printer: Printer<'a>) -> String {
    for statement in &sheet.statements {
        let start = statement.span.start;
        printer.page.comments_before(start, 0, true);
        printer.page.line(start, 0, true);
        match &statement.kind {
            Kind::Rule { body: None } => printer.write(&statement.head, Context::Formula, 0, 0),
            Kind::Rule { body: Some(body) } => {
                printer.write(&statement.head, Context::Formula, 0, " :-".len());
                printer.page.write(" :-");
                printer.lines(conjuncts(body), Context::Formula, STEP);
            }
            Kind::Operation { condition, effects } => {
                operation(&mut printer, statement, condition.as_ref(), effects);
            }
        }
        printer.page.passed(statement.span.end);
    }
    printer.page.finish()
}

fn operation<'a>(
    printer: &mut Printer<'a>,
    statement: &'a Statement,
    condition: Option<&'a Expr>,
    effects: &'a Expr,
) {
    if !printer.page.commented_before(statement.span.end)
        && let Some(line) = line(printer, statement, condition, effects)
    {
        return printer.page.write(&line);
    }
    printer.write(&statement.head, Context::Formula, 0, " ::".len());
    printer.page.write(" ::");
    let Some(condition) = condition else {
        return printer.lines(conjuncts(effects), Context::Formula, STEP);
    };
    printer.lines(conjuncts(condition), Context::Formula, STEP);
    let effects = conjuncts(effects);
    let (first, rest) = effects.split_at(1);
    printer.begin(&first[0], Context::Formula, STEP, false);
    printer.page.write("==> ");
    printer.write(&first[0], Context::Formula, 2 * STEP, " &".len());
    if !rest.is_empty() {
        printer.page.write(" &");
        printer.lines(rest, Context::Formula, 2 * STEP);
    }
}

/// An operation on one line, if it fits.
fn line(
    printer: &Printer<'_>,
    statement: &Statement,
    condition: Option<&Expr>,
    effects: &Expr,
) -> Option<String> {
    let flat =
        |expr: &Expr| on_one_line(expr, Context::Formula, (printer.source, printer.spell), WIDTH);
    let joined = |all: &Expr| {
        conjuncts(all).iter().map(flat).collect::<Option<Vec<_>>>().map(|all| all.join(" & "))
    };
    let mut line = format!("{} :: ", flat(&statement.head)?);
    if let Some(condition) = condition {
        line += &format!("{} ==> ", joined(condition)?);
    }
    line += &joined(effects)?;
    (line.chars().count() <= WIDTH).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::format;

    /// The layout of a text, which is the same of itself, and the same rules.
    #[track_caller]
    fn laid_out(text: &str) -> String {
        let written = format(text).expect("what can be read");
        assert_eq!(format(&written).expect("what was written"), written);
        let rules = |text: &str| {
            let document = read(text).expect("rules");
            document.items.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(rules(text), rules(&written));
        written
    }

    #[test]
    fn each_statement_is_a_block() {
        let text = "role(r). role(s) init(control(r))\n\n\nlegal(go(X)) :- p(X) &~q(X).
go(X)::p(X)==>~p(X)&q(X).
go(\"A b\") :: p(1)
terminal:-(p(1)&q(1)|~(p(2)&q(_)))";
        let text = text.replace("\"A b\"", "\"A-b\"");
        assert_eq!(
            laid_out(&text),
            "role(r)\nrole(s)\ninit(control(r))\n\nlegal(go(X)) :-\n    p(X) &\n    ~q(X)
go(X) :: p(X) ==> ~p(X) & q(X)\ngo(\"A-b\") :: p(1)
terminal :-\n    ((p(1) & q(1)) | ~(p(2) & q(_)))\n"
        );
    }

    #[test]
    fn what_does_not_fit_is_broken() {
        let long = "cell(abcdefghijklmnopqrstuvwxyz)";
        let text = format!("init(control(r)) role(r) go :: control(R) & {long} ==> ~{long} & p(R)");
        assert_eq!(
            laid_out(&text).split_once("go").expect("an operation").1,
            format!(" ::\n    control(R) &\n    {long}\n    ==> ~{long} &\n        p(R)\n")
        );
        let text = format!("init(control(r)) role(r) go :: {long} & p & {long} & q");
        assert_eq!(
            laid_out(&text).split_once("go").expect("an operation").1,
            format!(" ::\n    {long} &\n    p &\n    {long} &\n    q\n")
        );
    }

    #[test]
    fn comments_stay_where_they_are() {
        let canonical = "% head\n\nrole(r) % of r\n% of the light\ninit(control(r))\n
go :: % first\n    p & % if\n    q % and\n    ==> ~p & % then\n        % last\n        s\n% end\n";
        assert_eq!(laid_out(canonical), canonical);
        let text = "role(r) init(control(r)) countofall(X, % all\n p(X) & q(X),N)";
        assert!(format(text).expect("what can be read").contains("% all\n"));
    }

    #[test]
    fn what_cannot_be_read_is_not_laid_out() {
        assert!(format("role(r) go :: ").is_err());
    }
}
