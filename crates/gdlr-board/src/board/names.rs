//! Short names of pieces, no two the same.

use hashbrown::{HashMap, HashSet};

/// The longest name that is short as it is.
const SHORT: usize = 2;

/// A short name for each name, and different ones for different names: the first letters of its
/// words, as few as tell all apart; where none do, with numbers behind. Those that are `hidden`
/// may have any. A word ends at a space, a hyphen, a capital letter, or behind one of `prefixes`.
pub(crate) fn short_names(names: &[&str], hidden: &[bool], prefixes: &[&str]) -> Vec<String> {
    let all: Vec<Vec<String>> = names.iter().map(|name| words(name, prefixes)).collect();
    let short = |each, last| -> Vec<String> {
        let letters = |(name, words): (&&str, &Vec<String>)| match name.chars().count() <= SHORT {
            true => (*name).to_owned(),
            false => letters(words, each, last),
        };
        names.iter().zip(&all).map(letters).collect()
    };
    let shown = |short: &[String]| {
        let shown = || short.iter().zip(names).zip(hidden).filter(|(_, hidden)| !**hidden);
        let pairs: HashSet<(&String, &&str)> = shown().map(|(pair, _)| pair).collect();
        let different: HashSet<&String> = shown().map(|((short, _), _)| short).collect();
        different.len() == pairs.len()
    };
    let ways = [(1, 1), (1, 2), (2, 2), (2, 3)];
    let distinct =
        ways.into_iter().map(|(each, last)| short(each, last)).find(|short| shown(short));
    distinct.unwrap_or_else(|| numbered(names, short(1, 1)))
}

/// Names with numbers behind where that tells them apart.
fn numbered(names: &[&str], short: Vec<String>) -> Vec<String> {
    let mut of_name: HashMap<&str, String> = HashMap::new();
    let mut taken: HashSet<String> = HashSet::new();
    for (&name, short) in names.iter().zip(&short) {
        of_name.entry(name).or_insert_with(|| {
            let ways = (1..).map(|n| if n == 1 { short.clone() } else { format!("{short}{n}") });
            let mut free = ways.filter(|way| !taken.contains(way));
            let way = free.next().expect("there are more numbers than names");
            taken.insert(way.clone());
            way
        });
    }
    names.iter().map(|name| of_name[name].clone()).collect()
}

/// The words of a name: they end at a space, a hyphen, a capital letter, or behind one of
/// `prefixes`.
pub(crate) fn words(name: &str, prefixes: &[&str]) -> Vec<String> {
    let begins = |prefix: &&&str| name.len() > prefix.len() && name.starts_with(**prefix);
    let longest = prefixes.iter().filter(begins).map(|prefix| prefix.len()).max();
    let (first, rest) = name.split_at(longest.unwrap_or(0));
    let mut words: Vec<String> = Vec::new();
    for part in [first, rest] {
        let (mut inside, mut was_lower) = (false, false);
        for c in part.chars() {
            if !c.is_alphanumeric() {
                inside = false;
                continue;
            }
            if !inside || (was_lower && c.is_uppercase()) {
                words.push(String::new());
            }
            (inside, was_lower) = (true, c.is_lowercase());
            if let Some(word) = words.last_mut() {
                word.push(c);
            }
        }
    }
    words
}

/// So many letters of the last word, and of each word before it, with the numbers at their ends.
/// The one letter of a knight is an `n`, since there are kings.
fn letters(words: &[String], each: usize, last: usize) -> String {
    let part = |(at, word): (usize, &String)| {
        let digits = word.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (word, number) = word.split_at(word.len() - digits);
        let count = if at + 1 == words.len() { last } else { each };
        let word = match (word.to_lowercase().as_str(), count) {
            ("knight", 1) => "n",
            _ => word,
        };
        word.chars().take(count).chain(number.chars()).collect::<String>()
    };
    words.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(names: &[&str]) -> String {
        short_names(names, &vec![false; names.len()], &["blue", "red"]).join(" ")
    }

    #[test]
    fn short_names_differ() {
        assert_eq!(short(&["crosses", "noughts"]), "c n");
        assert_eq!(short(&["blackPawn", "black_king", "white king"]), "bP bk wk");
        assert_eq!(short(&["white king", "white knight"]), "wk wn");
        assert_eq!(short(&["white rook", "white robot"]), "whroo whrob");
        assert_eq!(short(&["white pawn", "white prince"]), "wpa wpr");
        assert_eq!(short(&["x", "wp", "green"]), "x wp g");
        assert_eq!(short(&["bluepawn", "redpawn", "blue"]), "bp rp b");
        assert_eq!(short(&["greenish", "greenest"]), "g g2");
        assert_eq!(short(&["piece1", "piece10"]), "p1 p10");
        assert_eq!(short(&["same", "same"]), "s s");
        assert_eq!(short_names(&["blue", "blank"], &[false, true], &[]), ["b", "b"]);
    }
}
