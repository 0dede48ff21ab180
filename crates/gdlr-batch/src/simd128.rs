//! Planes of 128 bits, for the registers that every processor of 64 bits has: SSE2 or NEON.
//!
//! They are two words for the compiler, which makes instructions of its registers by itself.

use super::plane::Plane;
use super::token::Token;

/// 128 lanes.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct Simd128([u64; 2]);

impl Simd128 {
    #[inline(always)]
    fn each(self, function: impl Fn(u64) -> u64) -> Self {
        let [a, b] = self.0;
        Simd128([function(a), function(b)])
    }

    #[inline(always)]
    fn both(self, other: Self, function: impl Fn(u64, u64) -> u64) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Simd128([function(a, c), function(b, d)])
    }
}

impl Plane for Simd128 {
    const WORDS: usize = 2;

    #[inline(always)]
    fn splat(_: Token<Self>, word: u64) -> Self {
        Simd128([word; 2])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.both(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.both(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.both(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        let [a, b] = self.0;
        a | b == 0
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.both(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Self {
        self.each(|word| word << BY)
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Self {
        self.each(|word| word >> BY)
    }

    #[inline(always)]
    fn rotate_left<const BY: i32>(self) -> Self {
        self.each(|word| word.rotate_left(BY as u32))
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}
