//! The messages of set-up while it works, on standard error: `-v`, `-vv`, and the variable `GDLR_LOG`.
//!
//! The library speaks by events of the crate `tracing`, see [`gdlr::decisions`]. Here is who listens.

use super::status::Failure;
use std::env::{self, VarError};
use std::io::{self, IsTerminal};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

/// The variable that says what to listen to, where no option does.
const VARIABLE: &str = "GDLR_LOG";

/// Begins to listen: with one `-v` to stages of set-up, with more to decisions as well, of all crates of
/// `gdlr`. Without, to what the variable names, if it is there and not empty.
///
/// # Errors
///
/// When the variable is none that a filter can be read from.
pub fn listen(verbose: u8) -> Result<(), Failure> {
    let directives = match verbose {
        0 => match env::var(VARIABLE) {
            Ok(text) if !text.trim().is_empty() => text,
            Ok(_) | Err(VarError::NotPresent) => return Ok(()),
            Err(VarError::NotUnicode(_)) => return Err(malformed("it is no text")),
        },
        1 => "gdlr=info".to_owned(),
        _ => "gdlr=debug".to_owned(),
    };
    let filter: Result<Targets, _> = directives.parse();
    let filter = filter.map_err(|error| malformed(&format!("`{directives}`: {error}")))?;
    let in_colour =
        io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|s| s.is_empty());
    let lines = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(in_colour)
        .without_time()
        // Standard error may be closed.
        .log_internal_errors(false);
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
    Ok(())
}

fn malformed(why: &str) -> Failure {
    Failure::Unusable(format!(
        "{VARIABLE} is no list of filters: {why}; write `gdlr=debug`, or `gdlr_batch=debug,gdlr_net=info`"
    ))
}

/// Whether somebody listens, so that lines may come at any time.
pub fn is_on() -> bool {
    LevelFilter::current() != LevelFilter::OFF
}
