//! Random choice: exactly uniform, reproducible, one stream a thread.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The random stream of a thread: streams of one seed never overlap.
///
/// The generator is xoshiro256++, seeded from `seed` and moved ahead by 2¹²⁸ draws for each
/// thread before this one.
pub fn seeded(seed: u64, thread: usize) -> Xoshiro256PlusPlus {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..thread {
        stream.jump();
    }
    stream
}

/// One of the items, each with exactly the same chance; `None` when there are none.
///
/// The feature `unbiased` of `rand` makes `random_range` draw until the choice is exact,
/// where it otherwise allows a bias of 2⁻⁶⁴.
pub fn choose<T: Copy>(items: &[T], rng: &mut Xoshiro256PlusPlus) -> Option<T> {
    match items {
        [] => None,
        [only] => Some(*only),
        _ => Some(items[rng.random_range(0..items.len())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_and_repeat() {
        let draw = |seed, thread| seeded(seed, thread).random::<u64>();
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }

    #[test]
    fn every_item_is_chosen_equally_often() {
        let mut rng = seeded(7, 0);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[choose(&[0usize, 1, 2, 3, 4, 5], &mut rng).unwrap()] += 1;
        }
        assert!(seen.iter().all(|&count| (9_500..10_500).contains(&count)), "{seen:?}");
        assert_eq!(choose::<u8>(&[], &mut rng), None);
    }
}
