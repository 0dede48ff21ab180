//! Rulesheets that were rewritten at one place into another language are refused, by its name.
//!
//! `GDLR_FOREIGN` says how many places of each rulesheet are rewritten in each way (1 by default,
//! and then of this project's rulesheets only; else of the public ones, too).

use crate::rulesheets;
use gdlr::infix;
use gdlr::kif::{self, Expr};
use gdlr::notation;

/// The `n`-th place, counted round, at which a text is found and `wanted`, with another text there.
fn replace(
    text: &str,
    n: usize,
    from: &str,
    to: &str,
    wanted: impl Fn(&str, &str) -> bool,
) -> Option<String> {
    let places: Vec<usize> = text
        .match_indices(from)
        .map(|(at, _)| at)
        .filter(|&at| wanted(&text[..at], &text[at + from.len()..]))
        .collect();
    let at = *places.get(n.checked_rem(places.len())?)?;
    Some(format!("{}{to}{}", &text[..at], &text[at + from.len()..]))
}

fn anywhere(_: &str, _: &str) -> bool {
    true
}

/// Puts a line before the `n`-th line that begins with no blank, or before any.
fn line_before(text: &str, n: usize, line: &str, inner: bool) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let places: Vec<usize> =
        (0..lines.len()).filter(|&at| inner || !lines[at].starts_with([' ', ')'])).collect();
    let at = *places.get(n.checked_rem(places.len())?)?;
    Some([&lines[..at], &[line], &lines[at..]].concat().join("\n"))
}

/// Whether a rule or condition could begin with the text.
fn is_condition(behind: &str) -> bool {
    behind.trim_start().starts_with(|c: char| c.is_lowercase() || c == '~')
}

/// Writes the `n`-th `distinct` of infix notation with a sign.
fn comparison(text: &str, n: usize, sign: &str) -> Option<String> {
    let rest = |behind: &str| {
        let (inside, rest) = behind.split_once(')')?;
        let (left, right) = inside.split_once(',')?;
        let plain = |term: &str| term.chars().all(char::is_alphanumeric);
        (plain(left) && plain(right)).then(|| (format!("{left} {sign} {right}"), rest.len()))
    };
    let stands = |before: &str, behind: &str| before.ends_with(' ') && rest(behind).is_some();
    let marked = replace(text, n, "distinct(", "\u{1}", stands)?;
    let (before, behind) = marked.split_once('\u{1}')?;
    let (written, left) = rest(behind)?;
    Some(format!("{before}{written}{}", &behind[behind.len() - left..]))
}

/// Adds 1 to the `n`-th variable that another place of its rule has, too.
fn sum(text: &str, n: usize, plus: &str) -> Option<String> {
    let rules: Vec<&str> = text.split_inclusive("\n").collect();
    let begins: Vec<usize> =
        (0..rules.len()).filter(|&at| !rules[at].starts_with([' ', '\n', '%'])).collect();
    let mut places = Vec::new();
    for (index, &first) in begins.iter().enumerate() {
        let end = begins.get(index + 1).copied().unwrap_or(rules.len());
        let start: usize = rules[..first].iter().map(|line| line.len()).sum();
        let rule = rules[first..end].concat();
        let variables: Vec<(usize, &str)> = words(&rule)
            .filter(|(at, word)| {
                word.starts_with(char::is_uppercase)
                    && rule[at + word.len()..].starts_with([',', ')'])
                    && rule[..*at].ends_with([',', '('])
                    && !rule[..*at].ends_with("~(")
            })
            .collect();
        let again = |word: &str| variables.iter().filter(|(_, other)| *other == word).count() > 1;
        places.extend(
            variables
                .iter()
                .filter(|(_, word)| again(word))
                .map(|(at, word)| start + at + word.len()),
        );
    }
    let at = *places.get(n.checked_rem(places.len())?)?;
    Some(format!("{}{plus}{}", &text[..at], &text[at..]))
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || "_+-<>\"".contains(c)));
    parts
        .map(|part| (part.as_ptr() as usize - text.as_ptr() as usize, part))
        .filter(|(_, part)| part.chars().all(char::is_alphanumeric))
}

type Rewriting = (&'static str, &'static str, fn(&str, usize) -> Option<String>);

/// Changes of infix notation, each with the code of the message.
const INFIX: &[Rewriting] = &[
    ("`,` between conditions", "K012", |text, n| replace(text, n, " &\n", ",\n", anywhere)),
    ("`;` for `|`", "K012", |text, n| replace(text, n, " |", " ;", anywhere)),
    ("`;` for `&`", "K012", |text, n| {
        replace(text, n, " &\n    ", " ; ", |_, behind| is_condition(behind))
    }),
    ("`;` at the end of a line", "K012", |text, n| {
        replace(text, n, " &\n    ", " ;\n    ", |_, behind| is_condition(behind))
    }),
    ("`;` at the beginning of a line", "K012", |text, n| {
        replace(text, n, " &\n    ", "\n    ; ", |_, behind| is_condition(behind))
    }),
    ("`\\+`", "K012", |text, n| replace(text, n, "~", "\\+ ", anywhere)),
    ("`\\+`, no blank", "K012", |text, n| replace(text, n, "~", "\\+", anywhere)),
    ("`not p`", "K012", |text, n| {
        replace(text, n, "~", "not ", |_, behind| !behind.starts_with(['(', '~']))
    }),
    ("`!p`", "K018", |text, n| replace(text, n, "~", "!", |_, behind| !behind.starts_with('~'))),
    ("`\\=`", "K012", |text, n| comparison(text, n, "\\=")),
    ("`!=`", "K018", |text, n| comparison(text, n, "!=")),
    ("`=`", "K018", |text, n| comparison(text, n, "=")),
    ("`>`", "K018", |text, n| comparison(text, n, ">")),
    ("`is`", "K018", |text, n| comparison(text, n, "is")),
    ("no `&` at the end of a line", "K017", |text, n| replace(text, n, " &\n", "\n", anywhere)),
    ("no `&`", "K017", |text, n| {
        replace(text, n, " &\n    ", " ", |_, behind| is_condition(behind))
    }),
    ("a blank in arguments", "K008", |text, n| {
        replace(text, n, ",", " ", |before, behind| {
            // A name with a bracket behind it has arguments.
            !before.ends_with(['\n']) && !behind.starts_with(['\n', '('])
        })
    }),
    ("`and`", "K018", |text, n| {
        replace(text, n, " &\n   ", " and", |_, behind| is_condition(behind))
    }),
    ("`&&`", "K018", |text, n| replace(text, n, " &\n", " &&\n", anywhere)),
    ("`X+1`", "K018", |text, n| sum(text, n, "+1")),
    ("`X + 1`", "K018", |text, n| sum(text, n, " + 1")),
    ("`::`", "K013", |text, n| {
        replace(text, n, " :-", " ::", |before, _| {
            before.lines().last().is_some_and(|line| line.starts_with("next("))
        })
    }),
    ("`==>`", "K013", |text, n| replace(text, n, " &\n", " ==>\n", anywhere)),
    ("`<-`", "K018", |text, n| replace(text, n, " :-", " <-", anywhere)),
    ("`#`", "K014", |text, n| line_before(text, n, "# whose turn it is :)", true)),
    ("`//`", "K014", |text, n| line_before(text, n, "  // whose turn (it is", true)),
    ("`/* */`", "K014", |text, n| line_before(text, n, "/* whose\n turn (it is */", true)),
    ("`#| |#`", "K014", |text, n| line_before(text, n, "#| whose turn |#", true)),
    ("`--`", "K014", |text, n| line_before(text, n, "-- whose turn it is", false)),
    ("`#` behind a condition", "K014", |text, n| replace(text, n, " &\n", " & # why\n", anywhere)),
    ("a directive", "K012", |text, n| line_before(text, n, ":- dynamic(a).", false)),
    ("fences", "K015", |text, _| Some(format!("```prolog\n{text}```\n"))),
];

/// Changes of KIF.
const KIF: &[Rewriting] = &[
    ("`#`", "K014", |text, n| line_before(text, n, "# whose turn it is :)", false)),
    ("`#` in a rule", "K014", |text, n| line_before(text, n, "  # whose turn it is", true)),
    ("`//`", "K014", |text, n| line_before(text, n, "// whose turn it is", true)),
    ("`/* */`", "K014", |text, n| line_before(text, n, "/* whose\n turn (it is */", true)),
    ("`#| |#`", "K014", |text, n| line_before(text, n, "#| whose turn |#", true)),
    ("`%`", "K014", |text, n| line_before(text, n, "% whose turn it is", true)),
    ("`--`", "K014", |text, n| line_before(text, n, "-- whose turn it is", false)),
    ("fences", "K015", |text, _| Some(format!("Here it is:\n```lisp\n{text}```\n"))),
    ("one list", "K016", |text, _| Some(format!("({text})"))),
    ("one list with a name", "K016", |text, _| Some(format!("(game\n{text})"))),
    ("`and`", "K018", |text, n| {
        let document = kif::read(text).expect("a rulesheet");
        let rules = document.items.iter().filter_map(|item| match item.list() {
            Some([arrow, _, first, ..]) if arrow.atom() == Some("<=") => Some((item, first)),
            _ => None,
        });
        let rules: Vec<(&Expr, &Expr)> = rules.collect();
        let (rule, first) = rules.get(n.checked_rem(rules.len())?)?;
        let (start, end) = (first.span.start as usize, rule.span.end as usize);
        Some(format!("{}(and {}){}", &text[..start], &text[start..end], &text[end..]))
    }),
    ("`=`", "K018", |text, n| replace(text, n, "(distinct ", "(= ", anywhere)),
    ("`!=`", "K018", |text, n| replace(text, n, "(distinct ", "(!= ", anywhere)),
    ("`>=`", "K018", |text, n| replace(text, n, "(distinct ", "(>= ", anywhere)),
    ("`(+ ?x 1)`", "K018", |text, n| {
        let marked = replace(text, n, "(next (", "\u{1}", |_, behind| {
            behind.split([')', '\n']).next().is_some_and(|inside| inside.contains('?'))
        })?;
        let (before, behind) = marked.split_once('\u{1}')?;
        let (name, variable) = behind.split_once('?')?;
        let end = variable.find(|c: char| c.is_whitespace() || c == ')')?;
        let (variable, behind) = variable.split_at(end);
        Some(format!("{before}(next ({name}(+ ?{variable} 1){behind}"))
    }),
];

#[test]
fn one_place_in_another_language() {
    let places: Option<usize> = std::env::var("GDLR_FOREIGN").ok().map(|n| n.parse().unwrap());
    let sheets: Vec<String> = match places {
        Some(_) => rulesheets::all().into_iter().map(|(_, text)| text).collect(),
        None => {
            let paths = rulesheets::own().into_iter();
            paths.map(|path| std::fs::read_to_string(path).expect("a rulesheet")).collect()
        }
    };
    let mut done = 0;
    let mut wrong = Vec::new();
    for (index, text) in sheets.iter().enumerate() {
        let mut document = kif::read(text).expect("a rulesheet");
        document.comments.clear();
        let kif = kif::format(text, &document);
        let infix = infix::format(text, &document).expect("a rulesheet");
        assert!(notation::read(&infix).is_ok() && notation::read(&kif).is_ok());
        for (ways, text) in [(INFIX, &infix), (KIF, &kif)] {
            for (number, (way, code, rewrite)) in ways.iter().enumerate() {
                // By default each third sheet is enough.
                if places.is_none() && (index + number) % 3 > 0 {
                    continue;
                }
                for place in 0..places.unwrap_or(1) {
                    // Neighbouring places are alike.
                    let Some(rewritten) = rewrite(text, index * 31 + place * 17) else { break };
                    let said = match notation::read(&rewritten) {
                        Ok(_) => vec!["accepted".to_owned()],
                        Err(errors) => errors.iter().map(ToString::to_string).collect(),
                    };
                    done += 1;
                    if said.len() != 1 || !said[0].starts_with(&format!("[{code}]")) {
                        let differs =
                            text.bytes().zip(rewritten.bytes()).take_while(|(a, b)| a == b);
                        let at = differs.count();
                        let around = &rewritten.as_bytes()[at.saturating_sub(80)..];
                        let around = &around[..around.len().min(200)];
                        let around = String::from_utf8_lossy(around);
                        wrong.push(format!("{way}: {said:?}\n{around}"));
                    }
                }
            }
        }
    }
    eprintln!("{done} rewritten");
    let few: Vec<_> = wrong.iter().take(12).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {done}:\n{}", wrong.len(), few.join("\n----\n"));
    assert!(done > 200, "{done}");
}
