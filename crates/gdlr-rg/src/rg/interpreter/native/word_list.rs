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

/// The greatest number of words with the same first tag that are compared with each other.
const MOST_ALIKE: usize = 4;

/// The greatest number of words whose hashes are compared first, and the number of hashes.
const MOST_HASHED: usize = 128;
const HASHES_A_PAIR: usize = 16;
const FEWEST_HASHES: usize = 1 << 9;
const MOST_HASHES: usize = 1 << 15;

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
    /// By hash: a place whose word has it, plus 1.
    seen: Vec<u32>,
    /// One bit by hash: whether a word has it.
    hashes: Vec<u64>,
    /// Whether words were repeated in the state before.
    was_repeated: bool,
    /// The places of moves with the word of another move, and the numbers of their walks.
    walks: Vec<(usize, u64)>,
}

impl WordList {
    /// Makes room for the words of states, and tells the context about it.
    pub fn begin(&mut self, context: &mut Context) {
        self.words.resize(MOST_MOVES, 0);
        self.full.resize(MOST_FULL, 0);
        self.clear(context);
        context.end_of_words = context.next_word.wrapping_add(MOST_MOVES);
        context.full_words = self.full.as_mut_ptr();
        context.end_of_full_words = context.full_words.wrapping_add(MOST_FULL);
        context.long_moves = &mut self.long;
    }

    /// Forgets the words of the state before.
    pub fn clear(&mut self, context: &mut Context) {
        self.long.clear();
        self.walks.clear();
        context.next_word = self.words.as_mut_ptr();
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

    /// The number of places before a place that have the same word.
    pub fn same_before(&self, place: usize) -> u64 {
        let word = self.words[place];
        let before = self.words[..place].iter();
        let same = match long_move(&self.long, word) {
            None => before.filter(|&&other| other == word).count(),
            long => before.filter(|&&other| long_move(&self.long, other) == long).count(),
        };
        same as u64
    }

    /// The walk of a move, among those with the same word.
    pub fn walk(&self, place: usize) -> u64 {
        let found = self.walks.binary_search_by_key(&place, |&(other, _)| other);
        found.map_or(0, |found| self.walks[found].1)
    }

    /// The places among the first `count` whose words are there before, each after the first place
    /// of its word. A tag takes `bits` of a word.
    pub fn repeated(&mut self, count: usize, bits: i64) -> Vec<(usize, usize)> {
        let WordList { words, long, seen, hashes, was_repeated, .. } = self;
        let words = &words[..count];
        let mut repeated = Vec::new();
        let expected = std::mem::replace(was_repeated, false);
        if are_different(words, (1 << bits) - 1)
            || !expected && have_different_hashes(words, long, hashes)
        {
            return repeated;
        }
        let slots = (2 * count.max(1)).next_power_of_two();
        seen.clear();
        seen.resize(slots, 0);
        let shift = u64::BITS - slots.ilog2();
        for (place, &word) in words.iter().enumerate() {
            let mut slot = (hash_of(long, word) >> shift) as usize;
            loop {
                match seen[slot] as usize {
                    0 => break seen[slot] = place as u32 + 1,
                    other if is_same(long, words[other - 1], word) => {
                        break repeated.push((other - 1, place));
                    }
                    _ => slot = (slot + 1) % slots,
                }
            }
        }
        *was_repeated = !repeated.is_empty();
        repeated
    }

    /// Leaves out some places of the first `count`, in order. `walks` are places with the number of
    /// their [walk](WordList::walk). Returns the number of moves left.
    pub fn leave_out(&mut self, count: usize, places: &[usize], walks: &[(usize, u64)]) -> usize {
        let before = |place: usize| places.partition_point(|&other| other < place);
        self.walks = walks.iter().map(|&(place, walk)| (place - before(place), walk)).collect();
        self.walks.sort_unstable();
        let mut left_out = places.iter().copied().peekable();
        let mut kept = 0;
        for place in 0..count {
            if left_out.next_if_eq(&place).is_none() {
                self.words[kept] = self.words[place];
                kept += 1;
            }
        }
        kept
    }
}

/// Whether words are different for certain: their first tags ascend, few words have the same first
/// tag, and these words differ. `mask` has the bits of the first tag. A processor can guess the
/// branches of the first loop, and the second one has none.
fn are_different(words: &[u64], mask: u64) -> bool {
    let is_bad = |word: u64, after: &[u64]| {
        let same = after.iter().fold(false, |same, &other| same | (word == other));
        let next = after.first().is_some_and(|&next| next & mask < word & mask);
        same | next | (word & LONG != 0)
    };
    let ascends = |pair: &[u64]| pair[1] & mask > pair[0] & mask && pair[1] & LONG == 0;
    if words.first().is_none_or(|word| word & LONG == 0) && words.windows(2).all(ascends) {
        return true;
    }
    let mut bad = false;
    for window in words.windows(1 + MOST_ALIKE) {
        let (word, last) = (window[0], window[MOST_ALIKE]);
        bad |= is_bad(word, &window[1..]) | (last & mask <= word & mask);
    }
    let rest = &words[words.len() - words.len().min(MOST_ALIKE)..];
    !(0..rest.len()).fold(bad, |bad, at| bad | is_bad(rest[at], &rest[at + 1..]))
}

/// Whether words are different for certain: no two of them have the same hash. There are so many
/// hashes that few words have the same one by chance. There is no branch that a processor has to
/// guess.
fn have_different_hashes(words: &[u64], long: &[u64], hashes: &mut Vec<u64>) -> bool {
    if words.len() > MOST_HASHED {
        return false;
    }
    let count = (HASHES_A_PAIR * words.len() * words.len()).next_power_of_two();
    let count = count.clamp(FEWEST_HASHES, MOST_HASHES);
    hashes.clear();
    hashes.resize(count / u64::BITS as usize, 0);
    let shift = u64::BITS - count.ilog2();
    let mut same = 0;
    for &word in words {
        let hash = hash_of(long, word) >> shift;
        let (bits, bit) = (&mut hashes[(hash / 64) as usize], 1 << (hash % 64));
        same |= *bits & bit;
        *bits |= bit;
    }
    same == 0
}

/// The words of a long move, if the word is the number of one.
fn long_move(long: &[u64], word: u64) -> Option<&[u64]> {
    let place = (word & LONG != 0).then_some((word & !LONG) as usize)?;
    let behind = &long[place..];
    behind.get(1..1 + behind[0] as usize)
}

/// Whether two words are those of the same move.
fn is_same(long: &[u64], one: u64, other: u64) -> bool {
    match (long_move(long, one), long_move(long, other)) {
        (None, None) => one == other,
        (one, other) => one == other,
    }
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
        assert_eq!(list.repeated(5000, 4), []);
        assert_eq!((list.repeated(0, 4), list.repeated(1, 4)), (vec![], vec![]));
        (list.words[4000], list.words[4998]) = (list.words[17], list.words[17]);
        list.words[4999] = list.words[3];
        assert_eq!(list.repeated(4000, 4), []);
        assert_eq!(list.repeated(5000, 4), [(17, 4000), (17, 4998), (3, 4999)]);
        assert_eq!(list.leave_out(5000, &[4000, 4999], &[(4998, 2)]), 4998);
        assert_eq!((list.words[3999], list.words[4000]), (3999 * 3999 + 1, 4001 * 4001 + 1));
        assert_eq!((list.walk(4996), list.walk(4997), list.word(4997)), (0, 2, (290, &[][..])));
    }

    #[test]
    fn words_with_the_same_first_tag_are_compared() {
        let different = |words: &[u64]| are_different(words, 15);
        assert!(different(&[]) && different(&[0]) && different(&[1, 2, 5, 15]));
        assert!(different(&[0x21, 0x11, 0x31, 0x12, 0x32, 3, 4]));
        assert!(!different(&[0x21, 0x11, 0x21]));
        assert!(!different(&[0, 0]));
        assert!(!different(&[1, 2, 1]));
        assert!(!different(&[1, 2, LONG | 3]));
        let many: Vec<u64> = (0..20).map(|number| number << 4).collect();
        assert!(!different(&many));
    }

    #[test]
    fn words_with_the_same_hash_are_compared() {
        let different = |words: &[u64]| have_different_hashes(words, &[], &mut Vec::new());
        let words: Vec<u64> = (0..100).map(|number| 31 * number + 7).collect();
        assert!(different(&[]) && different(&words[..9]));
        assert!((0..100).all(|at| !different(&[&words[..], &[words[at]]].concat())));
        // Some are the same by chance.
        let by_chance = (0..1000).filter(|at| !different(&[0, 1 + 77 * at]));
        assert!(by_chance.count() < 10);
        assert!(!different(&(0..200).collect::<Vec<_>>()));
    }

    #[test]
    fn long_moves_are_compared_by_their_words() {
        let long = vec![2, 7, 8, 2, 7, 9, 2, 7, 8, 3, 7, 8, 9];
        let words = vec![LONG, 7, LONG | 3, LONG | 6, LONG | 9, 8];
        let mut list = WordList { words, long, ..WordList::default() };
        assert_eq!(list.repeated(6, 4), [(0, 3)]);
        assert_eq!(list.leave_out(6, &[3], &[]), 5);
        let all: Vec<_> = (0..5).map(|place| list.word(place)).collect();
        assert_eq!(all, [(7, &[8][..]), (7, &[]), (7, &[9]), (7, &[8, 9]), (8, &[])]);
    }
}
