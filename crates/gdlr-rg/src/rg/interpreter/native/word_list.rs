//! The words of the moves of a state.
//!
//! A move whose tags fit into one word is that word. The words of a *long* move are in a list of
//! their own, and the number of the move, with the highest bit set, refers to them.

use super::host::Context;
use super::words::WORD;

/// The greatest number of moves of a state.
const MOST_MOVES: usize = 1 << 14;

/// The greatest number of full words of a walk.
const MOST_FULL: usize = 64;

/// The bit that marks the number of a long move.
const LONG: u64 = 1 << WORD;

/// The words of the moves of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct WordList {
    words: Vec<u64>,
    /// The full words of a walk under way.
    full: Vec<u64>,
    /// For each long move: the number of its words, then these.
    long: Vec<u64>,
    /// Bits for hashes of words.
    seen: Vec<u64>,
    /// The places of the words that several walks have: one for each walk after the first.
    again: Vec<u32>,
}

impl WordList {
    /// Makes room for the words of a state, and tells the context about it.
    pub fn begin(&mut self, context: &mut Context) {
        self.words.resize(MOST_MOVES, 0);
        self.full.resize(MOST_FULL, 0);
        self.long.clear();
        context.next_word = self.words.as_mut_ptr();
        context.end_of_words = context.next_word.wrapping_add(MOST_MOVES);
        context.full_words = self.full.as_mut_ptr();
        context.end_of_full_words = context.full_words.wrapping_add(MOST_FULL);
        context.long_moves = &mut self.long;
    }

    /// The number of words in the list, which machine code has written.
    pub fn count(&self, context: &Context) -> usize {
        let bytes = context.next_word as usize - self.words.as_ptr() as usize;
        bytes / size_of::<u64>()
    }

    /// The first word of a move, and the others.
    pub fn word(&self, place: usize) -> (u64, &[u64]) {
        let word = self.words[place];
        match long_move(&self.long, word) {
            Some([first, others @ ..]) => (*first, others),
            _ => (word, &[]),
        }
    }

    /// Keeps each of the first `count` words once. Returns the number of words left.
    pub fn distinct(&mut self, count: usize) -> usize {
        let WordList { words, long, seen, again, .. } = self;
        again.clear();
        // About a hundredth of the words share a bit with another one.
        let bits = (64 * count.max(1)).next_power_of_two();
        seen.clear();
        seen.resize(bits / 64, 0);
        let shift = u64::BITS - bits.ilog2();
        let mut kept = 0;
        for place in 0..count {
            let word = words[place];
            let hash = (hash_of(long, word) >> shift) as usize;
            let (slot, bit) = (&mut seen[hash / 64], 1 << (hash % 64));
            if *slot & bit != 0 {
                let is_same = |&other: &u64| match (long_move(long, word), long_move(long, other)) {
                    (None, None) => word == other,
                    (one, other) => one == other,
                };
                if let Some(first) = words[..kept].iter().position(is_same) {
                    again.push(first as u32);
                    continue;
                }
            }
            *slot |= bit;
            words[kept] = word;
            kept += 1;
        }
        kept
    }

    /// The words that several walks have: the place of each, and the number of its walks.
    pub fn repeated(&mut self) -> Vec<(usize, usize)> {
        self.again.sort_unstable();
        let groups = self.again.chunk_by(|one, other| one == other);
        groups.map(|group| (group[0] as usize, group.len() + 1)).collect()
    }
}

/// The words of a long move, if the word is the number of one.
fn long_move(long: &[u64], word: u64) -> Option<&[u64]> {
    let place = (word & LONG != 0).then_some((word & !LONG) as usize)?;
    let behind = &long[place..];
    behind.get(1..1 + behind[0] as usize)
}

/// A hash of a move. Its high bits are the best.
fn hash_of(long: &[u64], word: u64) -> u64 {
    let hash = |seed: u64, word: u64| (seed ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    match long_move(long, word) {
        None => hash(0, word),
        Some(words) => words.iter().fold(0, |seed, &word| hash(seed ^ seed >> 32, word)),
    }
}

/// Adds the words of a long move. Returns its number.
///
/// # Safety
///
/// Called by machine code, with its context, the last word, and the end of the full words.
pub(super) unsafe extern "C" fn finish_long(
    context: *mut Context,
    last: u64,
    end: *const u64,
) -> u64 {
    // SAFETY: the context has the pointers of `WordList::begin`, whose list is not used meanwhile.
    unsafe {
        let first = (*context).full_words;
        let full = std::slice::from_raw_parts(first, end.offset_from(first) as usize);
        let long = &mut *(*context).long_moves;
        let place = long.len() as u64;
        long.push(full.len() as u64 + 1);
        long.extend_from_slice(full);
        long.push(last);
        place | LONG
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_once() {
        let words: Vec<u64> = (0..5000).map(|number| number * number + 1).collect();
        let mut list = WordList { words, ..WordList::default() };
        assert_eq!((list.distinct(5000), list.repeated()), (5000, vec![]));
        assert_eq!((list.distinct(0), list.distinct(1)), (0, 1));
        (list.words[4000], list.words[4998]) = (list.words[17], list.words[17]);
        list.words[4999] = list.words[3];
        assert_eq!((list.distinct(4000), list.repeated()), (4000, vec![]));
        assert_eq!((list.distinct(5000), list.repeated()), (4997, vec![(3, 2), (17, 3)]));
        assert_eq!((list.words[3999], list.words[4000]), (3999 * 3999 + 1, 4001 * 4001 + 1));
    }

    #[test]
    fn long_moves_are_compared_by_their_words() {
        let long = vec![2, 7, 8, 2, 7, 9, 2, 7, 8, 3, 7, 8, 9];
        let words = vec![LONG, 7, LONG | 3, LONG | 6, LONG | 9, 8];
        let mut list = WordList { words, long, ..WordList::default() };
        assert_eq!((list.distinct(6), list.repeated()), (5, vec![(0, 2)]));
        let all: Vec<_> = (0..5).map(|place| list.word(place)).collect();
        assert_eq!(all, [(7, &[8][..]), (7, &[]), (7, &[9]), (7, &[8, 9]), (8, &[])]);
    }
}
