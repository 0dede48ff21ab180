//! Words that mean nothing.

use gdlr_text::random::{choose, seeded};
use hashbrown::HashSet;
use rand_xoshiro::Xoshiro256PlusPlus;

const CONSONANTS: &[char] = &['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z'];
const VOWELS: &[char] = &['a', 'e', 'i', 'o', 'u'];
/// Their length is the same, so that it tells nothing. There are more than twice as many words
/// as a game may have names, so that there is always one that is not taken.
const SYLLABLES: usize = 3;

/// Different words that people can say, such as `todofi`.
pub(super) struct Words {
    random: Xoshiro256PlusPlus,
    taken: HashSet<String>,
}

impl Words {
    /// The words of a seed, without those in `taken`. Keywords are no such words.
    pub(super) fn new(seed: u64, taken: impl Iterator<Item = String>) -> Words {
        Words { random: seeded(seed, 0), taken: taken.collect() }
    }

    /// One that was not given before.
    pub(super) fn fresh(&mut self) -> String {
        loop {
            let mut word = String::new();
            for _ in 0..SYLLABLES {
                word.extend(choose(CONSONANTS, &mut self.random));
                word.extend(choose(VOWELS, &mut self.random));
            }
            if self.taken.insert(word.clone()) {
                return word;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::SymbolTable;

    #[test]
    fn seeds_have_words_of_their_own() {
        let words = |seed| {
            let mut words = Words::new(seed, ["dedani".to_owned()].into_iter());
            [(); 3].map(|()| words.fresh())
        };
        // On every machine; without the third, which is taken.
        assert_eq!(words(1), ["todofi", "zidave", "zogofi"]);
        assert_eq!(words(1), words(1));
        assert!(words(1).iter().all(|word| !words(2).contains(word)));
    }

    #[test]
    fn there_are_enough() {
        let syllables = CONSONANTS.len() * VOWELS.len();
        assert!(syllables.pow(SYLLABLES as u32) > 2 * SymbolTable::CAPACITY);
    }
}
