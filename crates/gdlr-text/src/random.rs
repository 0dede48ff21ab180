//! Random choice: exactly uniform, reproducible, one stream a thread.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::SubAssign;

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

/// The place of the weight that a number falls on, when the weights lie one after the other from 0 on;
/// `None` if it is not below their sum. A number that is uniform below the sum makes a draw by weight.
///
/// This and [`falls_below`] are not `rand::distr::weighted`, which makes a table for each draw.
///
/// ```
/// # mod gdlr { pub use gdlr_text::random; }
/// let place = |number: u32| gdlr::random::falls_on([2, 0, 3], number);
/// assert_eq!([0, 1, 2, 4, 5].map(place), [Some(0), Some(0), Some(2), Some(2), None]);
/// ```
pub fn falls_on<W: Copy + PartialOrd + SubAssign>(
    weights: impl IntoIterator<Item = W>,
    mut number: W,
) -> Option<usize> {
    weights.into_iter().position(|weight| {
        let is_here = number < weight;
        if !is_here {
            number -= weight;
        }
        is_here
    })
}

/// The same where the sums of the weights up to each are known, and at least one is: by halving. What is
/// not below the last sum falls on the last place, as sums of fractions may lose a little.
pub fn falls_below(sums: &[f64], number: f64) -> usize {
    sums.partition_point(|&sum| sum <= number).min(sums.len().saturating_sub(1))
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
    fn what_falls_on_a_weight_falls_below_its_sum() {
        let (weights, sums) = ([0.25, 0.0, 0.5, 0.125], [0.25, 0.25, 0.75, 0.875]);
        for number in (0..7).map(|eighth| f64::from(eighth) / 8.0) {
            let expected = if number < 0.25 {
                0
            } else if number < 0.75 {
                2
            } else {
                3
            };
            assert_eq!(falls_on(weights, number), Some(expected), "{number}");
            assert_eq!(falls_below(&sums, number), expected, "{number}");
        }
        assert_eq!((falls_on(weights, 0.875), falls_below(&sums, 0.875)), (None, 3));
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
