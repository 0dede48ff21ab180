//! Texts with accidents: some bytes or words of a text changed at random.

use gdlr::play::seeded;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

pub struct Mutator {
    rng: Xoshiro256PlusPlus,
    /// The bytes that may come into a text.
    signs: &'static [u8],
}

impl Mutator {
    pub fn new(seed: u64, signs: &'static [u8]) -> Mutator {
        Mutator { rng: seeded(seed, 0), signs }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.rng.random_range(0..bound.max(1))
    }

    /// A text that differs in a few places.
    pub fn mutant(&mut self, text: &str) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..1 + self.below(3) {
            match self.below(8) {
                0 => self.change_a_byte(&mut bytes),
                _ => bytes = self.with_a_word_changed(&bytes),
            }
        }
        bytes
    }

    fn change_a_byte(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len());
        let byte = self.signs[self.below(self.signs.len())];
        match self.below(8) {
            0 => bytes.truncate(at),
            1 | 2 if at < bytes.len() => drop(bytes.remove(at)),
            3 | 4 if at < bytes.len() => bytes[at] = byte,
            _ => bytes.insert(at, byte),
        }
    }

    fn with_a_word_changed(&mut self, bytes: &[u8]) -> Vec<u8> {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        let mut words: Vec<&[u8]> =
            bytes.chunk_by(|&left, &right| is_word(left) && is_word(right)).collect();
        let (at, other) = (self.below(words.len()), self.below(words.len()));
        match self.below(12) {
            _ if words.is_empty() => {}
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[other]),
            2 => words.swap(at, other),
            // Mostly a name for a name: what can be read but means something else.
            _ => {
                let names: Vec<usize> =
                    (0..words.len()).filter(|&i| is_word(words[i][0])).collect();
                if let [_, ..] = names[..] {
                    let (at, other) = (self.below(names.len()), self.below(names.len()));
                    words[names[at]] = words[names[other]];
                }
            }
        }
        words.concat()
    }
}
