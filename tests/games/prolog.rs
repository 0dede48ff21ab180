//! Prolog-like notation: each game that is written so is read as the same rules, and every text has errors
//! with places or a layout in infix notation.

use crate::rulesheets;
use gdlr::infix;
use gdlr::kif::{self, Document, Expr};
use gdlr::notation::{self, Notation};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn items(document: &Document) -> Vec<String> {
    document.items.iter().map(ToString::to_string).collect()
}

/// Writes a rulesheet of KIF, with one of the ways to negate and to compare.
struct Printer {
    not: &'static str,
    differs: &'static str,
}

const PRINTERS: [Printer; 3] = [
    Printer { not: "\\+ ", differs: " \\= " },
    Printer { not: "not ", differs: "\\==" },
    Printer { not: "\\+", differs: " != " },
];

impl Printer {
    fn sheet(&self, document: &Document) -> String {
        let statements = document.items.iter().map(|item| match item.list() {
            Some([arrow, head, body @ ..]) if arrow.atom() == Some("<=") && !body.is_empty() => {
                let body: Vec<String> = body.iter().map(|expr| self.condition(expr)).collect();
                format!("{} :-\n  {}.\n", term(head), body.join(",\n  "))
            }
            _ => format!("{}. ", term(item)),
        });
        statements.collect()
    }

    fn condition(&self, expr: &Expr) -> String {
        match expr.list().unwrap_or_default() {
            [not, inner] if not.atom() == Some("not") => {
                format!("{}{}", self.not, self.condition(inner))
            }
            [or, any @ ..] if or.atom() == Some("or") && any.len() > 1 => {
                let any: Vec<String> = any.iter().map(|expr| self.condition(expr)).collect();
                format!("({})", any.join(" ; "))
            }
            [distinct, left, right] if distinct.atom() == Some("distinct") => {
                format!("{}{}{}", term(left), self.differs, term(right))
            }
            _ => term(expr),
        }
    }
}

fn term(expr: &Expr) -> String {
    if let Some(name) = expr.atom() {
        return word(name);
    }
    let [name, arguments @ ..] = expr.list().unwrap_or_default() else { panic!("a list `()`") };
    let arguments: Vec<String> = arguments.iter().map(term).collect();
    format!("{}({})", word(name.atom().expect("a name")), arguments.join(", "))
}

fn word(name: &str) -> String {
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let begins = |text: &str| text.starts_with(|c: char| c.is_ascii_lowercase());
    match name.strip_prefix('?') {
        Some(variable) if begins(variable) && plain(variable) => {
            variable[..1].to_uppercase() + &variable[1..]
        }
        Some(_) => format!("\"{name}\""),
        None if plain(name) && !name.starts_with(|c: char| c == '_' || c.is_uppercase()) => {
            name.to_owned()
        }
        None => format!("'{name}'"),
    }
}

#[test]
fn games_are_read_as_the_same_rules() {
    for (at, (path, text)) in rulesheets::all().into_iter().enumerate() {
        let document = kif::read(&text).expect("a rulesheet");
        let prolog = PRINTERS[at % 3].sheet(&document);
        assert_eq!(Notation::of(&prolog), Notation::Infix, "{}", path.display());
        let read = notation::read(&prolog).unwrap_or_else(|errors| {
            let place = prolog[errors[0].span.start as usize..].lines().next();
            panic!("{}: {} at {place:?}", path.display(), errors[0]);
        });
        assert_eq!(items(&document), items(&read), "{}", path.display());
        let infix = infix::format(&prolog, &read).expect("infix notation");
        let again = infix::read(&infix).expect("what was written");
        assert_eq!(items(&document), items(&again), "{}", path.display());
        assert!(infix.lines().all(|line| !line.ends_with(['.', ';'])), "{infix}");
    }
}

/// Whatever the text, errors have places in it, and what is read is laid out as it is read.
fn is_sound(text: &str) {
    match infix::read(text) {
        Ok(document) => {
            let infix = infix::format(text, &document).expect("what was read");
            let again = infix::read(&infix).unwrap_or_else(|errors| {
                panic!("{}\n--\n{text}\n--\n{infix}", errors[0]);
            });
            assert_eq!(document.items.len(), again.items.len(), "{text}\n--\n{infix}");
            assert_eq!(infix::format(&infix, &again).expect("what was read"), infix);
            let kif = kif::read(&kif::format(text, &document)).expect("KIF");
            assert_eq!(items(&document), items(&kif), "{text}");
            assert_eq!(document.comments.len(), kif.comments.len(), "{text}");
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in &errors {
                let related = error.related.iter().map(|related| related.0);
                for span in related.chain([error.span]) {
                    assert!(text.get(span.range()).is_some(), "{span:?}\n{text}");
                }
            }
        }
    }
}

#[test]
fn mutated_texts() {
    let pieces = [
        ".",
        ",",
        ";",
        "(",
        ")",
        "\\+",
        "\\=",
        "=",
        "'",
        "\"",
        ":-",
        "/*",
        "*/",
        "%",
        "not ",
        "~",
        "&",
        "|",
        "X",
        "_",
        "a",
        "[",
        "!",
        "->",
        "\n",
        " ",
        "é",
        "is",
        "? ",
        "?-",
        "/* a\n; b */",
    ];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for path in rulesheets::own() {
        let text = std::fs::read_to_string(&path).expect("a rulesheet");
        let document = kif::read(&text).expect("a rulesheet");
        let rules = document.items.iter().filter(|item| item.list().is_some_and(|l| l.len() > 2));
        let rules = rules.rev().take(12).cloned().collect();
        let document = Document { items: rules, comments: Vec::new() };
        for printer in &PRINTERS {
            let prolog = printer.sheet(&document);
            for _ in 0..60 {
                let mut changed = prolog.clone();
                for _ in 0..random.random_range(1..4) {
                    let at = changed.floor_char_boundary(random.random_range(0..changed.len()));
                    let length = random.random_range(0..3);
                    let end = changed.ceil_char_boundary((at + length).min(changed.len()));
                    let piece = pieces.choose(&mut random).expect("a piece");
                    changed.replace_range(at..end, piece);
                }
                is_sound(&changed);
            }
        }
    }
}
