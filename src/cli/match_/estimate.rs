//! How long matches are likely to take.

use super::text::matches;
use crate::cli::interrupt;
use crate::cli::output::{about, counted};
use gdlr::engine::AnyEngine;
use gdlr::play::FlatMonteCarlo;
use std::time::Duration;

/// A match is guessed to be as long as so many random playouts are in the mean.
const PLAYOUTS: u64 = 20;
/// Those playouts take no longer than this.
const TIME: Duration = Duration::from_millis(300);

/// The joint moves of a random playout, in the mean of a few; `None` where none ended in time.
pub fn mean_length(engine: &AnyEngine, seed: u64, max_steps: u64) -> Option<f64> {
    let few = FlatMonteCarlo {
        playouts: Some(PLAYOUTS),
        time: Some(TIME),
        seed,
        max_steps,
        ..FlatMonteCarlo::default()
    };
    let statistics = few.run(engine, &interrupt::STOP, |_| {});
    (statistics.playouts > 0).then(|| statistics.states as f64 / statistics.playouts as f64)
}

/// Says how long some matches will take at most, if players use their clocks.
pub fn text(length: Option<f64>, play_clock: Duration, count: u32) -> String {
    let clock = format!("a step takes up to {} (--play-clock)", about(play_clock));
    let Some(length) = length else { return clock };
    let steps = counted(length.round() as usize, "step");
    let all = about(play_clock.mul_f64(length * f64::from(count)));
    let of = if count == 1 { "a match".to_owned() } else { matches(count as usize) };
    format!("{clock}, a random play some {steps}: {of} may take {all}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_the_clock_times_the_steps() {
        let second = Duration::from_secs(1);
        let of = |length, clock, count| text(length, clock, count);
        let clock = "a step takes up to 1 s (--play-clock)";
        assert_eq!(of(None, second, 1), clock);
        let one = format!("{clock}, a random play some 36 steps: a match may take 36 s");
        assert_eq!(of(Some(36.2), second, 1), one);
        let many = format!("{clock}, a random play some 36 steps: 20 matches may take 12 min");
        assert_eq!(of(Some(36.0), second, 20), many);
        let short = of(Some(7.6), Duration::from_millis(200), 1);
        assert!(
            short.contains("up to 0.2 s")
                && short.ends_with("some 8 steps: a match may take 1.5 s")
        );
    }
}
