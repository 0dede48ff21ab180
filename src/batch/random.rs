//! Random planes: xoshiro256++, one generator for each word of a plane.
//!
//! Narrow planes have the same generators as the first words of wide ones. (D. Blackman,
//! S. Vigna: Scrambled linear pseudorandom number generators, 2021.)

use super::plane::Plane;
use rand::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// A generator for each word of a plane.
#[derive(Clone, Copy)]
pub(super) struct Random<P> {
    state: [P; 4],
}

impl<P: Plane> Random<P> {
    /// Generators that start from what a stream gives.
    pub fn new(stream: &mut Xoshiro256PlusPlus) -> Self {
        let mut state = [P::none(); 4];
        for word in 0..P::WORDS {
            // Not from the stream itself, whose numbers its generator makes linearly.
            let mut start = SplitMix64::seed_from_u64(stream.next_u64());
            state.iter_mut().for_each(|plane| plane.words_mut()[word] = start.next_u64());
        }
        Random { state }
    }

    /// A plane of random bits.
    #[inline(always)]
    pub fn plane(&mut self) -> P {
        let [mut a, mut b, mut c, mut d] = self.state;
        let result = a.add(d).rotate_left::<23>().add(a);
        let t = b.shift_left_17();
        c = c.xor(a);
        d = d.xor(b);
        b = b.xor(c);
        a = a.xor(d);
        c = c.xor(t);
        d = d.rotate_left::<45>();
        self.state = [a, b, c, d];
        result
    }
}
