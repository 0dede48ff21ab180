//! Progress bars, on standard error and only on a terminal.

use super::output::{grouped, rounded};
use crate::cli::{interrupt, verbosity};
use gdlr::play::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// How often a sign of life moves.
const TICK: Duration = Duration::from_millis(100);

/// A bar that goes from 0 to `length`.
pub fn bar(length: u64) -> ProgressBar {
    styled(Some(length), "{wide_bar} {percent:>3} %  {msg}")
}

/// A sign of life for work of unknown length.
pub fn spinner() -> ProgressBar {
    let spinner = styled(None, "{spinner} {elapsed}  {msg}");
    if !spinner.is_hidden() {
        spinner.enable_steady_tick(TICK);
    }
    spinner
}

fn styled(length: Option<u64>, template: &str) -> ProgressBar {
    // A bar would run into the lines of events.
    let target = match verbosity::is_on() {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let bar = ProgressBar::with_draw_target(length, target);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The bar of a run of random playouts, by number or else by time.
pub struct Playouts {
    bar: ProgressBar,
    by_number: bool,
}

impl Playouts {
    pub fn new(playouts: Option<u64>, time: Option<Duration>) -> Playouts {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let length = playouts.or(time.map(milliseconds));
        Playouts { bar: length.map_or_else(spinner, bar), by_number: playouts.is_some() }
    }

    pub fn show(&self, progress: Progress) {
        let milliseconds = u64::try_from(progress.elapsed.as_millis()).unwrap_or(u64::MAX);
        self.bar.set_position(if self.by_number { progress.playouts } else { milliseconds });
        let rate = progress.playouts as f64 / progress.elapsed.as_secs_f64().max(1e-9);
        let stopping = if interrupt::raised() { ", stopping" } else { "" };
        self.bar.set_message(format!(
            "{} playouts, {}/s{stopping}",
            grouped(progress.playouts),
            rounded(rate)
        ));
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
