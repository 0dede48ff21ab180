//! Mutated sheets of operations, and mutated rules of GDL that are written with operations: errors have places in
//! the text, and what is laid out means the same.
//!
//! `GDLR_MUTATIONS` says how many are tried.

use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::kif::Document;
use gdlr_text::{kif, operations};
use std::path::Path;

/// What is put between the words of a sheet.
const WORDS: [&str; 40] = [
    "(",
    ")",
    ",",
    "&",
    "|",
    "~",
    ":-",
    "::",
    "==>",
    ":=",
    ".",
    "%",
    "\n",
    "\n\n",
    " ",
    "X",
    "_",
    "a",
    "1",
    "-1",
    "1.5",
    "\"a-b\"",
    "control",
    "role",
    "init",
    "legal",
    "goal",
    "terminal",
    "base",
    "action",
    "true",
    "distinct",
    "same",
    "plus",
    "leq",
    "countofall",
    "evaluate",
    "not",
    "?x",
    "(not (or",
];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

/// The games of a folder.
fn games(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut paths: Vec<_> =
        folder.read_dir().expect("games").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("UTF-8")).collect()
}

/// A piece of a text, about 60 lines at most, with a few changes. Two of five changes put a word in the place of
/// another word.
fn mutated(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let starts = |at: &usize| lines[*at].starts_with(|first: char| !first.is_whitespace());
    let first = (random.below(lines.len())..lines.len()).find(starts).unwrap_or(0);
    // A statement is not cut at its end, or nearly no piece could be read.
    let count = 1 + random.below(60);
    let end = (lines.len().min(first + count)..lines.len()).find(starts).unwrap_or(lines.len());
    let piece = lines[first..end].join("\n");
    let mut words: Vec<String> = Vec::new();
    for character in piece.chars() {
        let goes_on = character.is_alphanumeric() || character == '_';
        match words.last_mut() {
            Some(word) if goes_on && word.ends_with(|c: char| c.is_alphanumeric() || c == '_') => {
                word.push(character);
            }
            _ => words.push(character.to_string()),
        }
    }
    for _ in 0..=random.below(3) {
        let at = random.below(words.len());
        match random.below(5) {
            0 if !words.is_empty() => _ = words.remove(at),
            1 if !words.is_empty() => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
            2 if !words.is_empty() => {
                let end = words.len().min(at + 1 + random.below(12));
                let copy = words[at..end].to_vec();
                let to = random.below(words.len());
                words.splice(to..to, copy);
            }
            3 if !words.is_empty() => words[at] = WORDS[random.below(WORDS.len())].to_owned(),
            _ => words.insert(at, WORDS[random.below(WORDS.len())].to_owned()),
        }
    }
    words.concat()
}

#[track_caller]
fn sound(text: &str, found: &[Diagnostic]) {
    for diagnostic in found {
        let places = diagnostic.related.iter().map(|(span, _)| *span).chain([diagnostic.span]);
        for span in places {
            assert!(text.get(span.range()).is_some(), "{diagnostic}: {text}");
        }
    }
}

fn rules(document: &Document) -> Vec<String> {
    document.items.iter().map(ToString::to_string).collect()
}

/// What is laid out is laid out the same again, and means the same.
fn same_when_laid_out(text: &str) -> bool {
    sound(text, &operations::warnings(text));
    let written = match operations::format(text) {
        Ok(written) => written,
        Err(errors) => {
            sound(text, &errors);
            return false;
        }
    };
    assert_eq!(operations::format(&written).as_ref(), Ok(&written), "{text}");
    match (operations::read(text), operations::read(&written)) {
        (Ok(before), Ok(after)) => {
            assert_eq!(rules(&before), rules(&after), "{text}");
            assert_eq!(before.comments.len(), after.comments.len(), "{text}");
        }
        (Err(before), Err(after)) => {
            assert_eq!(before.len(), after.len(), "{text}");
            sound(text, &before);
        }
        (before, after) => panic!("{before:?} and {after:?}: {text}"),
    }
    true
}

fn count() -> usize {
    std::env::var("GDLR_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

#[test]
fn sheets_of_operations() {
    let games = games("operations");
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut laid_out = 0;
    for _ in 0..count() {
        let text = mutated(&games[random.below(games.len())], &mut random);
        laid_out += usize::from(same_when_laid_out(&text));
    }
    assert!(20 * laid_out > count(), "{laid_out} of {} can be read", count());
}

#[test]
fn rules_of_gdl() {
    let games = games("kif");
    let turn =
        "(role a) (role b) (init (turn a)) (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
        (<= (legal ?p (m ?x)) (true (turn ?p)) (n ?x))\n";
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut written = 0;
    for _ in 0..count() {
        let piece = mutated(&games[random.below(games.len())], &mut random);
        let text = if random.below(2) == 0 { piece } else { turn.to_owned() + &piece };
        let document = match kif::read(&text) {
            Ok(document) => document,
            Err(_) => continue,
        };
        match operations::from_gdl(&text, &document) {
            Ok(sheet) => {
                assert!(same_when_laid_out(&sheet), "{text}\nbecomes\n{sheet}");
                written += 1;
            }
            Err(errors) => sound(&text, &errors),
        }
    }
    assert!(40 * written > count(), "{written} of {} are written", count());
}
