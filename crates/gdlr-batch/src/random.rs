//! Random planes: xoshiro256++, one generator for each word of a plane.
//!
//! Narrow planes have the same generators as the first words of wide ones. (D. Blackman,
//! S. Vigna: Scrambled linear pseudorandom number generators, 2021.)

use super::plane::Plane;
use super::token::Token;
use rand::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// A generator for each word of a plane.
#[derive(Clone, Copy)]
pub(super) struct Random<P> {
    state: [P; 4],
}

impl<P: Plane> Random<P> {
    /// Generators that start from what a stream gives.
    pub fn new(token: Token<P>, stream: &mut Xoshiro256PlusPlus) -> Self {
        let mut state = [token.none(); 4];
        for word in 0..P::WORDS {
            // Not from the stream itself, whose numbers its generator makes linearly.
            let mut start = SplitMix64::seed_from_u64(stream.next_u64());
            state.iter_mut().for_each(|plane| plane.words_mut()[word] = start.next_u64());
        }
        Random { state }
    }

    /// That of its planes.
    #[inline(always)]
    pub fn token(&self) -> Token<P> {
        self.state[0].token()
    }

    /// A plane of random bits.
    #[inline(always)]
    pub fn plane(&mut self) -> P {
        let [mut a, mut b, mut c, mut d] = self.state;
        let result = a.add(d).rotate_left::<23>().add(a);
        let t = b.shift_left::<17>();
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

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_engine::play::seeded;

    fn is_the_generator_in_every_word<P: Plane>() {
        let Some(token) = Token::<P>::detect() else { return };
        let mut random = Random::new(token, &mut seeded(1, 0));
        let mut words: Vec<Xoshiro256PlusPlus> = (0..P::WORDS)
            .map(|word| {
                let state = random.state.iter().flat_map(|plane| plane.words()[word].to_le_bytes());
                let state: Vec<u8> = state.collect();
                Xoshiro256PlusPlus::from_seed(state.try_into().expect("four words"))
            })
            .collect();
        for _ in 0..1000 {
            let plane = random.plane();
            for (word, generator) in words.iter_mut().enumerate() {
                assert_eq!(plane.words()[word], generator.next_u64());
            }
        }
    }

    #[test]
    fn every_word_is_xoshiro() {
        is_the_generator_in_every_word::<u64>();
        is_the_generator_in_every_word::<super::super::simd128::Simd128>();
        #[cfg(target_arch = "x86_64")]
        is_the_generator_in_every_word::<super::super::avx::Avx2>();
        #[cfg(target_arch = "x86_64")]
        is_the_generator_in_every_word::<super::super::avx::Avx512>();
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long")]
    fn words_and_streams_differ() {
        let token = Token::portable();
        let mut first = Random::new(token, &mut seeded(1, 0));
        let mut second = Random::new(token, &mut seeded(1, 1));
        let mut again = Random::new(token, &mut seeded(1, 0));
        let plane = first.plane();
        assert_eq!(plane, again.plane());
        assert_ne!(plane, second.plane());
        // Each bit is set half of the time, and so is what two of them have in common.
        let mut set = [0u32; 64];
        let mut same = [0u32; 64];
        for _ in 0..10_000 {
            let plane = first.plane();
            for lane in 0..64 {
                set[lane] += u32::from(plane.has(lane));
                same[lane] += u32::from(plane.has(lane) == plane.has((lane + 1) % 64));
            }
        }
        let fair = |counts: &[u32]| counts.iter().all(|count| (4_750..5_250).contains(count));
        assert!(fair(&set), "{set:?}");
        assert!(fair(&same), "{same:?}");
    }
}
