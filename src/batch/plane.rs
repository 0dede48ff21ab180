//! A bit for each of many games.
//!
//! A *plane* holds one bit for each *lane*, and a lane is one game. Everything the batch
//! engine does is written once over [`Plane`]; the planes differ in how many lanes they have
//! and in the instructions that work on them:
//!
//! | plane | lanes | needs |
//! |---|---|---|
//! | [`u64`] | 64 | nothing |
//! | [`Avx2`] | 256 | AVX2 |
//! | [`Avx512`] | 512 | AVX-512 F |
//!
//! The compiler makes instructions of a feature only inside functions that are marked with
//! it, and puts into them what is marked `inline(always)`. So whoever works with planes calls
//! [`Plane::enable`] once, around a loop, and everything within is `inline(always)`.

/// A bit for each lane.
///
/// Planes other than `u64` must be made only where [`Plane::is_available`], which [`Batch`]
/// sees to: it is the only way to them from outside.
///
/// [`Batch`]: super::Batch
pub(super) trait Plane: Copy + Send + Sync + 'static {
    /// How many bits.
    const LANES: usize = 64 * Self::WORDS;
    /// How many words of 64 bits.
    const WORDS: usize;

    /// Whether this processor can work with such planes.
    fn is_available() -> bool;

    /// Calls a function with the instructions for such planes switched on. The function and
    /// all that it calls should be `inline(always)`.
    fn enable<R>(function: impl FnOnce() -> R) -> R;

    /// The same word, again and again.
    fn splat(word: u64) -> Self;
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
    /// Each word moved to the left by 17, for the random bits.
    fn shift_left_17(self) -> Self;
    /// Each word moved to the left around its end.
    fn rotate_left<const BY: i32>(self) -> Self;

    /// The words, lane 0 the lowest bit of the first.
    fn words(&self) -> &[u64];
    /// The words, to be written.
    fn words_mut(&mut self) -> &mut [u64];

    /// No lane.
    #[inline(always)]
    fn none() -> Self {
        Self::splat(0)
    }

    /// All lanes.
    #[inline(always)]
    fn all() -> Self {
        Self::splat(!0)
    }

    /// The other lanes.
    #[inline(always)]
    fn not(self) -> Self {
        self.xor(Self::all())
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

    /// What two of three say; the bit to carry of their sum.
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
    fn lanes(self) -> impl Iterator<Item = usize> {
        (0..Self::WORDS).flat_map(move |word| {
            let mut bits = self.words()[word];
            std::iter::from_fn(move || {
                let lane = (bits != 0).then(|| 64 * word + bits.trailing_zeros() as usize);
                bits &= bits.wrapping_sub(1);
                lane
            })
        })
    }

    /// Whether a lane is in it.
    fn has(&self, lane: usize) -> bool {
        self.words()[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Puts a lane in or out.
    fn put(&mut self, lane: usize, value: bool) {
        let word = &mut self.words_mut()[lane / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(value) << (lane % 64);
    }
}

impl Plane for u64 {
    const WORDS: usize = 1;

    fn is_available() -> bool {
        true
    }

    #[inline(always)]
    fn enable<R>(function: impl FnOnce() -> R) -> R {
        function()
    }

    #[inline(always)]
    fn splat(word: u64) -> u64 {
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
    fn shift_left_17(self) -> u64 {
        self << 17
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

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Plane;
    use std::arch::x86_64::*;

    /// 256 lanes in a register of AVX2.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub(in super::super) struct Avx2(__m256i);

    /// 512 lanes in a register of AVX-512.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub(in super::super) struct Avx512(__m512i);

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
            $plane:ident, $words:literal, $feature:tt,
            $splat:ident, $and:ident, $or:ident, $xor:ident, $add:ident, $shift:expr,
            $($own:item)*
        ) => {
            impl Plane for $plane {
                const WORDS: usize = $words;

                fn is_available() -> bool {
                    is_x86_feature_detected!($feature)
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
                fn shift_left_17(self) -> Self {
                    // SAFETY: see above.
                    $plane(unsafe { $shift(self.0) })
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
        Avx2, 4, "avx2", _mm256_set1_epi64x, _mm256_and_si256, _mm256_or_si256,
        _mm256_xor_si256, _mm256_add_epi64, _mm256_slli_epi64::<17>,
    }

    plane! {
        Avx512, 8, "avx512f", _mm512_set1_epi64, _mm512_and_si512, _mm512_or_si512,
        _mm512_xor_si512, _mm512_add_epi64, _mm512_slli_epi64::<17>,

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
}
