//! A second reader, the crate `lexpr`, compared with ours on every rulesheet there is.
//!
//! `lexpr` reads Scheme, so some atoms of KIF come out changed, split or refused. Those are
//! the known [`Difference`]s; each such atom is replaced by a plain name, at its span, in
//! the text that `lexpr` gets. Everything else must be the same: all lists, all other atoms,
//! and where comments end.
#![cfg(feature = "lexpr")]

use crate::rulesheets;
use gdlr::kif::{self, Expr, ExprKind};
use lexpr::parse::{Options, Parser};

/// The kinds of atom that `lexpr` does not read as a symbol or integer of the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    /// `08`, `+1`, `1.50`: a number that prints in another way.
    /// `1+`, `1/2`: a number and a symbol. `2b`, `1e5`: an invalid number.
    NumberLike,
    /// `#x1f`, `#d8`, `#`: the syntax of Scheme's literals.
    Hash,
    /// `'a`, `` `a ``, `,a`, `"a`: quotations and strings.
    Quote,
    /// `a[1]`, `]`: square brackets are lists.
    SquareBracket,
    /// `.`: an improper list.
    Dot,
    /// `é`, `|a|`, `{`: no symbol starts with this.
    StrangeStart,
}

fn difference(atom: &str) -> Option<Difference> {
    let unsigned = atom.strip_prefix(['+', '-']).unwrap_or(atom);
    let plain_integer = atom.parse::<i64>().is_ok_and(|number| number.to_string() == atom);
    let signed_oddly = unsigned.len() < atom.len()
        && unsigned
            .starts_with(|c: char| !c.is_ascii_alphabetic() && !"!$%&*/:<=>?@^_~-+".contains(c));
    match atom.chars().next()? {
        _ if plain_integer => None,
        _ if atom.contains(['[', ']']) => Some(Difference::SquareBracket),
        _ if atom == "." => Some(Difference::Dot),
        '0'..='9' => Some(Difference::NumberLike),
        '+' | '-' if signed_oddly => Some(Difference::NumberLike),
        '#' => Some(Difference::Hash),
        '\'' | '`' | ',' | '"' => Some(Difference::Quote),
        c if !c.is_ascii_alphabetic() && !"!$%&*+-./:<=>?@^_~".contains(c) => {
            Some(Difference::StrangeStart)
        }
        _ => None,
    }
}

/// The name that stands for the `n`-th atom with a difference.
fn stand_in(n: usize) -> String {
    format!("stand-in-{n}")
}

/// Replaces the atoms with a difference, both in the expressions and in the text.
struct Replacing<'a> {
    source: &'a str,
    copied: usize,
    text: String,
    found: Vec<(Difference, String)>,
}

impl Replacing<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::List(items) => items.iter_mut().for_each(|item| self.expr(item)),
            ExprKind::Atom(atom) => {
                let Some(difference) = difference(atom) else { return };
                let name = stand_in(self.found.len());
                self.found.push((difference, atom.to_string()));
                self.text.push_str(&self.source[self.copied..expr.span.start as usize]);
                self.text.push_str(&name);
                self.copied = expr.span.end as usize;
                *atom = name.into();
            }
        }
    }
}

fn read_with_lexpr(text: &str) -> Result<Vec<String>, String> {
    // Neither keywords nor `nil` and `t`: of all options, these change the fewest atoms.
    let mut parser = Parser::from_str_custom(text, Options::new());
    let mut items = Vec::new();
    while let Some(value) = parser.next_value().map_err(|error| error.to_string())? {
        items.push(Expr::try_from(value).map_err(|error| error.to_string())?.to_string());
    }
    Ok(items)
}

/// Compares both readers; gives the atoms that were replaced.
fn compare(source: &str) -> Result<Vec<(Difference, String)>, String> {
    let mut document = kif::read(source).map_err(|errors| errors[0].to_string())?;
    let mut replacing = Replacing { source, copied: 0, text: String::new(), found: Vec::new() };
    document.items.iter_mut().for_each(|item| replacing.expr(item));
    replacing.text.push_str(&source[replacing.copied..]);
    let theirs = read_with_lexpr(&replacing.text)?;
    let ours: Vec<_> = document.items.iter().map(ToString::to_string).collect();
    for (ours, theirs) in ours.iter().zip(&theirs) {
        if ours != theirs {
            return Err(format!("ours   {ours}\ntheirs {theirs}"));
        }
    }
    if ours.len() != theirs.len() {
        return Err(format!("{} items, not {}", theirs.len(), ours.len()));
    }
    Ok(replacing.found)
}

#[test]
fn both_read_the_same() {
    for (path, text) in rulesheets::all() {
        if let Err(difference) = compare(&text) {
            panic!("{}: {difference}", path.display());
        }
    }
}

#[test]
fn the_differences_are_differences() {
    use Difference::*;
    let differences = [
        (NumberLike, "08 +1 1.50 1+ 1/2 2b 1e5 -.5 99999999999999999999999"),
        (Hash, "#x1f #d8 #"),
        (Quote, "'a `a ,a \"a"),
        (SquareBracket, "a[1] [ ]"),
        (Dot, "."),
        (StrangeStart, "é |a| {"),
    ];
    for (kind, atoms) in differences {
        for atom in atoms.split(' ') {
            assert_eq!(difference(atom), Some(kind), "{atom}");
            let text = format!("(p {atom} z)");
            assert_ne!(read_with_lexpr(&text), Ok(vec![text.clone()]), "{atom} is read alike");
        }
    }
}

#[test]
fn what_is_no_difference() {
    for atom in "8 -3 0 ?x ? ?é <= > a.b ... .5 nil t ?my_v-x - + +a -> a'b $x a|b _".split(' ') {
        assert_eq!(difference(atom), None, "{atom}");
        let text = format!("(p {atom} z)");
        assert_eq!(read_with_lexpr(&text), Ok(vec![text.clone()]));
    }
}

#[test]
fn a_comparison_notices() {
    let differences = compare("(p 08 ; (\n (f é)) (q)").unwrap();
    assert_eq!(differences.len(), 2);
    // A vertical tab ends an atom for us only.
    assert!(compare("(p a\u{b}b)").is_err());
}
