//! One message for all signs of a rulesheet.

use super::sign::{Dialect, SignInText, Writing};
use crate::diagnostic::{Diagnostic, Span};

/// The most places that are shown.
const MAX_PLACES: usize = 6;

/// The most of a place that is marked, in bytes.
const MAX_MARKED: u32 = 60;

/// The report on a rulesheet that has these signs, with the first place of each kind of them;
/// `None` if there are none.
pub(crate) fn report(
    mut found: Vec<SignInText>,
    text: &str,
    writing: Writing,
) -> Option<Diagnostic> {
    found.sort_by_key(|found| found.span);
    let dialect = found.iter().map(|found| found.sign.dialect()).max()?;
    let main = found.iter().find(|found| found.sign.dialect() == dialect)?;
    let what = shown(text, main.span);
    let message = match dialect {
        Dialect::Blanks => format!("`,` or `)` should stand before `{what}`"),
        Dialect::Unjoined => format!("`&` should stand before `{what}`"),
        Dialect::Operators => format!("GDL has no `{what}`"),
        Dialect::Comments => format!("`{what}` begins no comment in GDL"),
        Dialect::OuterList => "one list stands around the whole rulesheet".into(),
        Dialect::Fence => "this seems to be cut out of Markdown: there are fences around".into(),
        Dialect::Prolog if writing == Writing::Prolog => {
            format!("`{what}` of Prolog, which GDL does not have")
        }
        Dialect::Prolog => "this seems to be Prolog or ASP, not GDL".into(),
        Dialect::Gamemaster => {
            "this seems to be the dialect of gamemaster.stanford.edu, not GDL".into()
        }
    };
    let mut kinds = Vec::new();
    let places = std::iter::once(main).chain(&found).filter(|place| {
        let first = !kinds.contains(&place.sign);
        if first {
            kinds.push(place.sign);
        }
        first
    });
    let mut places = places.take(MAX_PLACES).map(|place| {
        let same = found.iter().filter(|other| other.sign == place.sign).count();
        let instead = place.instead.as_deref().unwrap_or(place.sign.instead(writing));
        let more = if same > 1 { format!(" ({same} places)") } else { String::new() };
        (marked(text, place.span), format!("{instead}{more}"))
    });
    let (span, label) = places.next()?;
    let mut diagnostic = Diagnostic::new(dialect.code(), span, message).with_label(label);
    diagnostic =
        places.fold(diagnostic, |diagnostic, (span, label)| diagnostic.with_related(span, label));
    Some(diagnostic.with_help(help(dialect, writing)))
}

fn help(dialect: Dialect, writing: Writing) -> &'static str {
    match (dialect, writing) {
        (Dialect::Blanks, _) => "arguments are separated by `,`; a name has no blanks in it",
        (Dialect::Unjoined, _) => {
            "conditions are joined by `&`; a rule ends with a period, or at a line that is indented no further"
        }
        (Dialect::Operators, Writing::Kif) => {
            "conditions are facts and relations, `(not p)`, `(or p q)` and `(distinct ?x ?y)`; all else is written as facts and rules"
        }
        (Dialect::Operators, Writing::Prolog) => {
            "conditions are facts and relations, `\\+ p`, `p ; q` and `X \\= Y`; all else is written as facts and rules"
        }
        (Dialect::Operators, Writing::Infix) => {
            "conditions are facts and relations, `~p`, `p | q` and `distinct(X,Y)`; all else is written as facts and rules"
        }
        (Dialect::Comments, _) => "a comment ends with its line",
        (Dialect::OuterList, _) => {
            "a rulesheet is a sequence of facts and rules, `(role a) (role b) (<= head condition ...)`"
        }
        (Dialect::Fence, _) => "leave out the fences and the text that is not between them",
        (Dialect::Prolog, Writing::Prolog) => {
            "there are facts and rules, `head :- condition, condition.`, with `\\+ p`, `(p ; q)` and `X \\= Y`; there is no arithmetic"
        }
        (Dialect::Prolog, _) => {
            "a rule of GDL in infix notation is `head :- condition & condition`, with `~p`, `(p | q)` and `distinct(X,Y)`; there is no arithmetic"
        }
        (Dialect::Gamemaster, _) => {
            "GDL asks for what is true with `true(fact)`, has `legal(role,move)`, and derives with `next(fact)` all that is true after a step"
        }
    }
}

/// The first word of a place.
fn shown(text: &str, span: Span) -> &str {
    let place = text.get(span.range()).unwrap_or_default();
    let word = place.split_whitespace().next().unwrap_or_default();
    let word = word.strip_prefix('(').unwrap_or(word);
    &word[..word.floor_char_boundary(MAX_MARKED as usize)]
}

/// A place, without what is on further lines.
fn marked(text: &str, span: Span) -> Span {
    let end = span.end.min(span.start.saturating_add(MAX_MARKED));
    let place = text.get(span.start as usize..text.ceil_char_boundary(end as usize));
    let line = place.unwrap_or_default().lines().next().unwrap_or_default().trim_end();
    Span { start: span.start, end: span.start + u32::try_from(line.len()).unwrap_or(0) }
}
