//! Why there is no result, in words that the file of a result can have.

use super::arguments::Arguments;
use crate::cli::rulesheet::{GameArguments, Source};
use crate::cli::status::{Failure, Outcome};
use gdlr::diagnostic::legible;
use gdlr::gdl::Game;
use gdlr::notation;

/// Why there is no result.
pub struct NoResult {
    /// The message in the file.
    pub message: String,
    /// How the command ends.
    pub outcome: Outcome,
}

impl NoResult {
    /// There is none because of a failure that has been printed, or will be.
    pub fn of(failure: Failure, arguments: &Arguments) -> NoResult {
        let message = match &failure {
            Failure::Unusable(message) => message.clone(),
            Failure::Reported(_) | Failure::BrokenPipe => {
                let budget = || "set-up ran out of its time or memory".to_owned();
                defect(&arguments.game).unwrap_or_else(budget)
            }
        };
        NoResult { message, outcome: Err(failure) }
    }
}

/// The first defect of a rulesheet that forbids play, with its place.
fn defect(game: &GameArguments) -> Option<String> {
    let source = Source::find(&game.game).ok()?;
    let diagnostics = notation::read_bytes(&source.bytes)
        .and_then(|document| Game::from_document(&source.name, document, game.reading.reading()))
        .map_or_else(|errors| errors, |game| gdlr::check::check(&game));
    let first = Game::forbidding(&diagnostics).next()?;
    Some(format!("{} at {}: {}", first.code, first.span.locate(&source.text()), first.message))
}

/// A message as a value of the file can be: on one line, without what divides the columns of the
/// framework's tables.
pub fn in_a_line(message: &str) -> String {
    legible(message).replace(['\n', '\r'], " ").replace(';', ",")
}
