//! Planes in the wide registers of x86-64.

use super::plane::Plane;
use std::arch::x86_64::*;

/// 256 lanes in a register of AVX2.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Avx2(__m256i);

/// 512 lanes in a register of AVX-512.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Avx512(__m512i);

// SAFETY of every call of an intrinsic below: one without pointers asks for nothing but
// that the processor knows the instruction, and planes of a type are made and used only
// where [`Plane::is_available`] said so (see the trait).

impl Avx2 {
    #[inline(always)]
    fn has_no_bit(self) -> bool {
        // SAFETY: see above.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn rotated<const BY: i32>(self) -> Self {
        // SAFETY: see above.
        unsafe {
            let by = _mm_cvtsi32_si128(64 - BY);
            let (left, right) = (_mm256_slli_epi64::<BY>(self.0), _mm256_srl_epi64(self.0, by));
            Avx2(_mm256_or_si256(left, right))
        }
    }
}

impl Avx512 {
    #[inline(always)]
    fn has_no_bit(self) -> bool {
        // SAFETY: see above.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
    }

    /// Any function of three bits, by its table.
    #[inline(always)]
    fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        // SAFETY: see above.
        Avx512(unsafe { _mm512_ternarylogic_epi64::<TABLE>(self.0, b.0, c.0) })
    }

    #[inline(always)]
    fn rotated<const BY: i32>(self) -> Self {
        // SAFETY: see above.
        unsafe { Avx512(_mm512_rol_epi64::<BY>(self.0)) }
    }
}

/// Planes in registers: their words, their feature, the intrinsics.
macro_rules! plane {
    (
        $plane:ident, $words:literal, $feature:tt, has $($needed:tt),+;
        $splat:ident, $and:ident, $or:ident, $xor:ident, $add:ident, $left:ident, $right:ident,
        $($own:item)*
    ) => {
        impl Plane for $plane {
            const WORDS: usize = $words;

            fn is_available() -> bool {
                $(is_x86_feature_detected!($needed))&&+
            }

            #[inline(always)]
            fn enable<R>(function: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $feature)]
                fn enabled<R>(function: impl FnOnce() -> R) -> R {
                    function()
                }
                // SAFETY: see above.
                unsafe { enabled(function) }
            }

            #[inline(always)]
            fn splat(word: u64) -> Self {
                // SAFETY: see above.
                $plane(unsafe { $splat(word as i64) })
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                // SAFETY: see above.
                $plane(unsafe { $and(self.0, other.0) })
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: see above.
                $plane(unsafe { $or(self.0, other.0) })
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: see above.
                $plane(unsafe { $xor(self.0, other.0) })
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                self.has_no_bit()
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: see above.
                $plane(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn rotate_left<const BY: i32>(self) -> Self {
                self.rotated::<BY>()
            }

            #[inline(always)]
            fn shift_left<const BY: i32>(self) -> Self {
                // SAFETY: see above.
                $plane(unsafe { $left(self.0, _mm_cvtsi32_si128(BY)) })
            }

            #[inline(always)]
            fn shift_right<const BY: i32>(self) -> Self {
                // SAFETY: see above.
                $plane(unsafe { $right(self.0, _mm_cvtsi32_si128(BY)) })
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
    Avx2, 4, "avx2", has "avx2"; _mm256_set1_epi64x, _mm256_and_si256, _mm256_or_si256,
    _mm256_xor_si256, _mm256_add_epi64, _mm256_sll_epi64, _mm256_srl_epi64,
}

plane! {
    Avx512, 8, "avx512f,avx512bw", has "avx512f", "avx512bw"; _mm512_set1_epi64,
    _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512, _mm512_add_epi64, _mm512_sll_epi64,
    _mm512_srl_epi64,

    #[inline(always)]
    fn write_bits(word: u64, out: &mut [u8]) {
        let room = out.len().min(64);
        let there = if room == 64 { !0 } else { (1 << room) - 1 };
        // SAFETY: of the instructions see above; only as many bytes are written as there are.
        unsafe {
            let ones = _mm512_maskz_mov_epi8(word, _mm512_set1_epi8(1));
            _mm512_mask_storeu_epi8(out.as_mut_ptr().cast(), there, ones);
        }
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        self.ternary::<0b1100_1010>(yes, no)
    }

    #[inline(always)]
    fn odd(self, b: Self, c: Self) -> Self {
        self.ternary::<0b1001_0110>(b, c)
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.ternary::<0b1110_1000>(b, c)
    }
}
