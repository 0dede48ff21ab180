//! How names are written: spellings that folding joins, and characters that other programs
//! may not read.

use super::sheet::Sheet;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use gdlr_text::kif::{Expr, ExprKind};
use hashbrown::{HashMap, HashSet};

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    let mut names: HashMap<u16, First> = HashMap::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for item in &sheet.game.document.items {
        let mut variables: HashMap<String, First> = HashMap::new();
        for_each_atom(item, &mut |form, text| {
            if seen.insert(text)
                && let Some(what) = unusual(text)
            {
                let code = Code::UnusualCharacter;
                findings.report(code, || {
                    Diagnostic::new(
                        code,
                        form.span,
                        format!("the name `{}` has {what}", text.escape_debug()),
                    )
                    .with_help(
                        "letters, digits and the characters !$%&*+-./<=>?@_~ are read everywhere",
                    )
                });
            }
            if sheet.game.symbols.is_case_sensitive() {
                return;
            }
            let first = if text.starts_with('?') {
                // Only one in which upper case occurs, or might have, can differ.
                variables.entry(text.to_lowercase()).or_insert_with(|| First::new(form, text))
            } else {
                match sheet.game.symbols.get(text) {
                    Some(symbol) if !symbol.is_keyword() => {
                        names.entry(symbol.index()).or_insert_with(|| First::new(form, text))
                    }
                    _ => return,
                }
            };
            if first.text != text && !first.reported {
                first.reported = true;
                let (first, other) = (first.form, first.text);
                let code = Code::MixedCase;
                findings.report(code, || {
                    Diagnostic::new(code, form.span, format!("`{text}` is read as `{other}`"))
                        .with_label("spelled like this here")
                        .with_related(first.span, "and like this before")
                        .with_help("upper and lower case are folded; use one spelling for one name, or tell them apart with --case-sensitive")
                });
            }
        });
    }
}

/// The first spelling of a name.
struct First<'a> {
    form: &'a Expr,
    text: &'a str,
    reported: bool,
}

impl<'a> First<'a> {
    fn new(form: &'a Expr, text: &'a str) -> Self {
        First { form, text, reported: false }
    }
}

fn for_each_atom<'a>(form: &'a Expr, visit: &mut impl FnMut(&'a Expr, &'a str)) {
    match &form.kind {
        ExprKind::Atom(text) => visit(form, text),
        ExprKind::List(items) => items.iter().for_each(|item| for_each_atom(item, visit)),
    }
}

/// The unusual character of a name, if it has one: a character that no word of KIF has.
fn unusual(text: &str) -> Option<String> {
    if text == "?" {
        return Some("no letter behind its `?`".into());
    }
    let usual = |c: char| c.is_ascii_alphanumeric() || "!$%&*+-./<=>?@_~".contains(c);
    let character = text.chars().find(|&c| !usual(c))?;
    Some(match character {
        '"' | '\'' | '`' => format!("a quote, {character}"),
        '|' => "a bar, |, which quotes names elsewhere".into(),
        c if c.is_control() => format!("the control character U+{:04X}", c as u32),
        c if !c.is_ascii() => {
            format!("the non-ASCII character {} (U+{:04X})", c.escape_debug(), c as u32)
        }
        c => format!("the character {c}"),
    })
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, diagnose, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn spellings_that_folding_joins() {
        let text = "(p White) (q white) (q WHITE) (<= (r ?X) (p ?X) (q ?x)) (<= (s ?x) (p ?x))";
        assert_eq!(marked(text, Code::MixedCase), ["white", "?x"]);
        let diagnostics = diagnose(text);
        let first = diagnostics.iter().find(|d| d.code == Code::MixedCase).unwrap();
        assert_eq!(&text[first.related[0].0.range()], "White");
        assert!(marked(SOUND, Code::MixedCase).is_empty());
        // Keywords may be written in any case.
        assert!(marked("(ROLE a) (role b) (p X) (q Xx)", Code::MixedCase).is_empty());
    }

    #[test]
    fn nothing_is_joined_where_case_counts() {
        let document = gdlr_text::kif::read("(p White) (q white)").unwrap();
        let reading = crate::gdl::Reading { case_sensitive: true, ..Default::default() };
        let game = crate::gdl::Game::from_document("t", document, reading).unwrap();
        let diagnostics = crate::check::check(&game);
        assert!(diagnostics.iter().all(|d| d.code != Code::MixedCase));
    }

    #[test]
    fn unusual_characters_are_named() {
        let text = "(p é) (p |a|) (p \"b\") (p 'c) (p \u{1}) (p a,b) (p é) (<= (p ?) (q ?))";
        let diagnostics = diagnose(text);
        let what: Vec<_> = diagnostics
            .iter()
            .filter(|d| d.code == Code::UnusualCharacter)
            .map(|d| d.message.split_once(" has ").unwrap().1)
            .collect();
        assert_eq!(
            what,
            [
                "the non-ASCII character é (U+00E9)",
                "a bar, |, which quotes names elsewhere",
                "a quote, \"",
                "a quote, '",
                "the control character U+0001",
                "the character ,",
                "no letter behind its `?`",
            ]
        );
        assert!(marked("(p a-b_c+1.5 08 1e5 <> $x)", Code::UnusualCharacter).is_empty());
    }
}
