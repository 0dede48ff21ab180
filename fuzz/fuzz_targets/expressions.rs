//! Mutations of a rulesheet that keep its brackets in order.

use gdlr::kif::{self, Expr, ExprKind};
use libfuzzer_sys::fuzzer_mutate;

/// What can be put into a rulesheet besides pieces of itself.
const WORDS: &[&str] = &[
    "?x", "?y", "a", "b", "f", "g", "p", "q", "1", "100", "role", "init", "true", "does", "next",
    "legal", "goal", "terminal", "base", "input", "sees", "random", "distinct", "or", "not", "<=",
];

/// A small generator: libFuzzer gives one seed a mutation.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

/// Mutates the first `size` bytes, of which there may be `max_size` then: as expressions in three of four
/// mutations, if they can be read, else as bytes. Returns how many there are.
pub fn mutate_or_bytes(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mutated = match seed % 4 {
        0 => None,
        _ => mutate(&data[..size], seed),
    };
    match mutated {
        Some(text) if text.len() <= max_size => {
            data[..text.len()].copy_from_slice(text.as_bytes());
            text.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}

/// The rulesheet with a few changes; `None` if it cannot be read or holds nothing.
fn mutate(bytes: &[u8], seed: u32) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut items = kif::read(text).ok()?.items;
    if items.is_empty() {
        return None;
    }
    let mut random = Random(u64::from(seed) << 17 | 0x9E37);
    for _ in 0..=random.below(3) {
        if items.is_empty() {
            return None;
        }
        let piece = pick(&items, &mut random).clone();
        change(&mut items, piece, &mut random);
    }
    let lines: Vec<String> = items.iter().map(Expr::to_string).collect();
    Some(lines.join("\n"))
}

fn atom(word: &str) -> Expr {
    Expr { span: Default::default(), kind: ExprKind::Atom(word.into()) }
}

fn list(items: Vec<Expr>) -> Expr {
    Expr { span: Default::default(), kind: ExprKind::List(items) }
}

/// Any expression of the rulesheet.
fn pick<'a>(items: &'a [Expr], random: &mut Random) -> &'a Expr {
    let mut at = &items[random.below(items.len())];
    while let ExprKind::List(inner) = &at.kind
        && !inner.is_empty()
        && random.below(3) > 0
    {
        at = &inner[random.below(inner.len())];
    }
    at
}

/// Changes one place, somewhere.
fn change(items: &mut Vec<Expr>, piece: Expr, random: &mut Random) {
    let mut place = random.below(items.len());
    let mut within = items;
    while within.len() > place
        && matches!(&within[place].kind, ExprKind::List(inner) if !inner.is_empty())
        && random.below(3) > 0
    {
        let ExprKind::List(inner) = &mut within[place].kind else { return };
        place = random.below(inner.len());
        within = inner;
    }
    let word = atom(WORDS[random.below(WORDS.len())]);
    match random.below(8) {
        0 => {
            within.remove(place);
        }
        1 => within.insert(place, piece),
        2 => within[place] = piece,
        3 => within[place] = word,
        4 => {
            let other = random.below(within.len());
            within.swap(place, other);
        }
        5 => {
            let inner = std::mem::replace(&mut within[place], atom("a"));
            within[place] = list(vec![word, inner]);
        }
        6 => {
            let copy = within[place].clone();
            within.insert(place, copy);
        }
        _ => within.insert(place, word),
    }
}
