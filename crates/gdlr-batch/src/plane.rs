//! A bit for each of many games: bit-parallel simulation, or bit-slicing.
//!
//! A *plane* holds one bit for each *lane*, and a lane is one game. Everything the batch
//! engine does is written once over [`Plane`]; the planes differ in how many lanes they have
//! and in the instructions that work on them:
//!
//! | plane | lanes | needs |
//! |---|---|---|
//! | [`u64`] | 64 | nothing |
//! | [`Simd128`](super::simd128::Simd128) | 128 | nothing |
//! | [`Avx2`](super::avx::Avx2) | 256 | AVX2 |
//! | [`Avx512`](super::avx::Avx512) | 512 | AVX-512 F and BW |
//!
//! The compiler makes instructions of a feature only inside functions that are marked with
//! it, and puts into them what is marked `inline(always)`. So whoever works with planes calls
//! [`Token::enable`] once, around a loop, and everything within is `inline(always)`.

use super::program::TRUE;
use super::token::Token;

/// A bit for each lane.
pub(super) trait Plane: Copy + Send + Sync + 'static {
    /// How many bits.
    const LANES: usize = 64 * Self::WORDS;
    /// How many words of 64 bits.
    const WORDS: usize;

    /// Whether this processor has the instructions for such planes.
    fn is_available() -> bool {
        true
    }

    /// [`Token::enable`].
    #[inline(always)]
    fn enable<R>(_: Token<Self>, function: impl FnOnce() -> R) -> R {
        function()
    }

    /// The token with which it was made.
    #[inline(always)]
    fn token(&self) -> Token<Self> {
        Token::of(self)
    }

    /// [`Token::splat`].
    fn splat(token: Token<Self>, word: u64) -> Self;
    /// Both.
    fn and(self, other: Self) -> Self;
    /// Either.
    fn or(self, other: Self) -> Self;
    /// Not the same.
    fn xor(self, other: Self) -> Self;
    /// Whether no bit is set.
    fn is_zero(self) -> bool;
    /// The sums of words, modulo 2⁶⁴.
    fn add(self, other: Self) -> Self;
    /// Each word moved to the left.
    fn shift_left<const BY: i32>(self) -> Self;
    /// Each word moved to the right.
    fn shift_right<const BY: i32>(self) -> Self;
    /// Each word moved to the left around its end.
    fn rotate_left<const BY: i32>(self) -> Self;

    /// The words, lane 0 the lowest bit of the first.
    fn words(&self) -> &[u64];
    /// The words, to be written.
    fn words_mut(&mut self) -> &mut [u64];

    /// [`Token::write_bits`].
    #[inline(always)]
    fn write_bits(_: Token<Self>, word: u64, out: &mut [u8]) {
        // Each byte keeps a bit of its own; what is not zero then becomes one.
        let spread = |bits: u64| {
            let bits = ((bits & 0xff) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            ((bits + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101
        };
        let mut bits = word;
        let mut chunks = out.chunks_exact_mut(8);
        for bytes in &mut chunks {
            bytes.copy_from_slice(&spread(bits).to_le_bytes());
            bits >>= 8;
        }
        let mut rest = spread(bits);
        for byte in chunks.into_remainder() {
            *byte = rest as u8;
            rest >>= 8;
        }
    }

    /// The other lanes.
    #[inline(always)]
    fn not(self) -> Self {
        self.xor(self.token().all())
    }

    /// Those that are not in `other`.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.and(other.not())
    }

    /// `yes` in the lanes of `self`, `no` in the others.
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        self.and(yes).or(no.without(self))
    }

    /// The lowest bit of the sum of three bits.
    #[inline(always)]
    fn odd(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }

    /// The majority of three; the bit to carry of their sum.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.and(b).or(self.xor(b).and(c))
    }

    /// How many lanes are in it.
    #[inline(always)]
    fn count(&self) -> u64 {
        let mut count = 0;
        for word in self.words() {
            count += u64::from(word.count_ones());
        }
        count
    }

    /// The lanes that are in it.
    #[inline(always)]
    fn lanes(self) -> LanesOf<Self> {
        LanesOf { bits: self.words()[0], plane: self, word: 0 }
    }

    /// Whether a lane is in it.
    #[inline(always)]
    fn has(&self, lane: usize) -> bool {
        self.words()[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Puts a lane in or out.
    #[inline(always)]
    fn put(&mut self, lane: usize, value: bool) {
        let word = &mut self.words_mut()[lane / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(value) << (lane % 64);
    }
}

/// The lanes of a plane, the lowest first.
pub(super) struct LanesOf<P> {
    plane: P,
    word: usize,
    /// The bits of the word that are left.
    bits: u64,
}

impl<P: Plane> Iterator for LanesOf<P> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.bits == 0 {
            self.word += 1;
            self.bits = *self.plane.words().get(self.word)?;
        }
        let lane = 64 * self.word + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(lane)
    }
}

/// Memory of so many slots, all false but the first, [`TRUE`](super::program::TRUE).
pub(super) fn memory<P: Plane>(token: Token<P>, slots: usize) -> Vec<P> {
    let mut memory = vec![token.none(); slots];
    memory[TRUE as usize] = token.all();
    memory
}

impl Plane for u64 {
    const WORDS: usize = 1;

    #[inline(always)]
    fn splat(_: Token<u64>, word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn and(self, other: u64) -> u64 {
        self & other
    }

    #[inline(always)]
    fn or(self, other: u64) -> u64 {
        self | other
    }

    #[inline(always)]
    fn xor(self, other: u64) -> u64 {
        self ^ other
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn add(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> u64 {
        self << BY
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> u64 {
        self >> BY
    }

    #[inline(always)]
    fn rotate_left<const BY: i32>(self) -> u64 {
        self.rotate_left(BY as u32)
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        std::slice::from_ref(self)
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        std::slice::from_mut(self)
    }
}
