//! Times as users write them.

use std::time::Duration;

/// A time in seconds, as users write it.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a time that can pass".to_owned())
}
