//! Planes in the wide registers of x86-64.
//!
//! They are made by a [`Token`] alone: of a word, or of planes that were made so. So the processor has the
//! instructions wherever there is one.

use super::plane::Plane;
use super::token::Token;
use std::arch::x86_64::*;

/// 256 lanes in a register of AVX2.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Avx2(__m256i);

/// 512 lanes in a register of AVX-512.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Avx512(__m512i);

/// Planes in registers: their words, the features that they need, the intrinsics, and what only some of them
/// have.
macro_rules! plane {
    (
        $plane:ident($words:literal), $feature:literal, has $($needed:tt),+;
        splat = $splat:ident;
        $($of_two:ident = $binary:ident),+;
        $($by:ident = $shift:ident),+;
        $($own:item)*
    ) => {
        impl $plane {
            $(
                /// Each word moved.
                #[inline(always)]
                fn $by(self, by: i32) -> Self {
                    // SAFETY: `self` was made by a token, so the processor has the instruction.
                    $plane(unsafe { $shift(self.0, _mm_cvtsi32_si128(by)) })
                }
            )+
        }

        impl Plane for $plane {
            const WORDS: usize = $words;

            fn is_available() -> bool {
                $(is_x86_feature_detected!($needed))&&+
            }

            #[inline(always)]
            fn enable<R>(_: Token<Self>, function: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $feature)]
                fn enabled<R>(function: impl FnOnce() -> R) -> R {
                    function()
                }
                // SAFETY: there is a token, so `is_available` has found the features, which are these.
                unsafe { enabled(function) }
            }

            #[inline(always)]
            fn splat(_: Token<Self>, word: u64) -> Self {
                // SAFETY: there is a token, so the processor has the instruction.
                $plane(unsafe { $splat(word as i64) })
            }

            $(
                #[inline(always)]
                fn $of_two(self, other: Self) -> Self {
                    // SAFETY: `self` was made by a token, so the processor has the instruction.
                    $plane(unsafe { $binary(self.0, other.0) })
                }
            )+

            #[inline(always)]
            fn shift_left<const BY: i32>(self) -> Self {
                self.left(BY)
            }

            #[inline(always)]
            fn shift_right<const BY: i32>(self) -> Self {
                self.right(BY)
            }

            $($own)*

            #[inline(always)]
            fn words(&self) -> &[u64] {
                // SAFETY: the register is as many words of 64 bits, without padding, and
                // aligned more strictly; any bits are a word. The words live as long as
                // `self` is borrowed.
                unsafe { std::slice::from_raw_parts((&raw const self.0).cast(), $words) }
            }

            #[inline(always)]
            fn words_mut(&mut self) -> &mut [u64] {
                // SAFETY: as in `words`; any words are a register, and `self` is borrowed
                // alone.
                unsafe { std::slice::from_raw_parts_mut((&raw mut self.0).cast(), $words) }
            }
        }
    };
}

plane! {
    Avx2(4), "avx2", has "avx2";
    splat = _mm256_set1_epi64x;
    and = _mm256_and_si256, or = _mm256_or_si256, xor = _mm256_xor_si256, add = _mm256_add_epi64;
    left = _mm256_sll_epi64, right = _mm256_srl_epi64;

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: `self` was made by a token, so the processor has the instruction.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn rotate_left<const BY: i32>(self) -> Self {
        self.left(BY).or(self.right(64 - BY))
    }
}

plane! {
    Avx512(8), "avx512f,avx512bw", has "avx512f", "avx512bw";
    splat = _mm512_set1_epi64;
    and = _mm512_and_si512, or = _mm512_or_si512, xor = _mm512_xor_si512, add = _mm512_add_epi64;
    left = _mm512_sll_epi64, right = _mm512_srl_epi64;

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: `self` was made by a token, so the processor has the instruction.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn rotate_left<const BY: i32>(self) -> Self {
        // SAFETY: `self` was made by a token, so the processor has the instruction.
        Avx512(unsafe { _mm512_rol_epi64::<BY>(self.0) })
    }

    #[inline(always)]
    fn write_bits(_: Token<Self>, word: u64, out: &mut [u8]) {
        let room = out.len().min(64);
        let there = if room == 64 { !0 } else { (1 << room) - 1 };
        // SAFETY: there is a token, so the processor has the instructions. Of the bytes from the beginning of
        // `out` on those alone are written that are in the mask, which has as many as `out`, or fewer.
        unsafe {
            let ones = _mm512_maskz_mov_epi8(word, _mm512_set1_epi8(1));
            _mm512_mask_storeu_epi8(out.as_mut_ptr().cast(), there, ones);
        }
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        self.lut3::<0b1100_1010>(yes, no)
    }

    #[inline(always)]
    fn odd(self, b: Self, c: Self) -> Self {
        self.lut3::<0b1001_0110>(b, c)
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.lut3::<0b1110_1000>(b, c)
    }
}

impl Avx512 {
    /// Any function of three bits, by its table.
    #[inline(always)]
    fn lut3<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        // SAFETY: `self` was made by a token, so the processor has the instruction.
        Avx512(unsafe { _mm512_ternarylogic_epi64::<TABLE>(self.0, b.0, c.0) })
    }
}
