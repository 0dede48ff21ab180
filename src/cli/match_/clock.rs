//! Clocks, as users write them.

use crate::cli::time::seconds;
use gdlr::ggp::manager::Conditions;
use std::time::Duration;

/// The longest clock.
const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 3600);

/// The time for a move where the user gives none and all players are built in.
const PLAY_CLOCK_HERE: Duration = Duration::from_secs(1);

/// The time for a move where the user gives none: shorter where nobody is asked over a network.
pub fn default_play_clock(is_anybody_elsewhere: bool) -> Duration {
    match is_anybody_elsewhere {
        true => Conditions::default().play_clock,
        false => PLAY_CLOCK_HERE,
    }
}

/// A clock of the command line.
pub fn clock(text: &str) -> Result<Duration, String> {
    within_a_day(seconds(text)?)
}

/// A clock of so many seconds.
pub fn clock_of(seconds: f64) -> Result<Duration, String> {
    let time = Duration::try_from_secs_f64(seconds);
    within_a_day(time.map_err(|_| "not a time that can pass".to_owned())?)
}

/// Refuses clocks that players elsewhere cannot be told: the protocol counts whole seconds.
pub fn can_be_told(clocks: [Duration; 2]) -> Result<(), String> {
    match clocks.iter().any(|clock| *clock < Duration::from_secs(1)) {
        true => {
            Err("players elsewhere are told clocks in whole seconds: give them 1 at least"
                .to_owned())
        }
        false => Ok(()),
    }
}

fn within_a_day(time: Duration) -> Result<Duration, String> {
    match time {
        time if time.is_zero() => Err("nobody can answer in no time".to_owned()),
        time if time > LONGEST_CLOCK => Err("longer than a day".to_owned()),
        time => Ok(time),
    }
}
