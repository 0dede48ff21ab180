//! A position in a file: its facts in KIF, one a line, and how many steps led there.

use super::players::Place;
use crate::cli::output;
use crate::cli::rulesheet::Source;
use crate::cli::status::Failure;
use gdlr::diagnostic::{Code, Diagnostic, Span};
use gdlr::engine::{AnyEngine, AnyScratch, Engine, Position, WorkLimit, enter_written};
use gdlr::kif::{Document, Limits};
use std::path::Path;

/// What stands before the number of steps, in a comment.
const STEP: &str = "; step ";

/// Writes a position to a file, the whole of it or nothing.
pub fn save(path: &str, game: &str, engine: &AnyEngine, place: &Place) -> Result<(), Failure> {
    let position = Position::of(engine, &place.state);
    let text = format!("; a position of {game}\n{STEP}{}\n{position}", place.step);
    output::write_file(Path::new(path), &text)
        .map_err(|error| Failure::Unusable(format!("cannot write `{path}`: {error}")))
}

/// Reads a position that play can go on from; prints what is wrong with it.
pub fn load(path: &str, engine: &AnyEngine) -> Result<Place, Failure> {
    let source = Source::open(path, Limits::default().max_bytes)?;
    let document = source.document()?;
    let mut scratch = engine.scratch();
    enter_written(engine, &mut scratch, &document.items)
        .and_then(|()| goes_on(engine, &mut scratch))
        .map_err(|error| source.refuse([&error]))?;
    let step = step(&source, &document);
    Ok(Place { state: engine.state(&scratch), step, last: Vec::new() })
}

/// Refuses a state that is not over and in which a role has no move.
fn goes_on(engine: &AnyEngine, scratch: &mut AnyScratch) -> Result<(), Diagnostic> {
    let limit = WorkLimit::into_diagnostic;
    if engine.terminal(scratch).map_err(limit)? {
        return Ok(());
    }
    let mut legal = Vec::new();
    for role in engine.roles().iter() {
        engine.legal(scratch, role, &mut legal).map_err(limit)?;
        if legal.is_empty() {
            let name = engine.roles().name(role);
            let message = format!("where these facts are all, {name} has no legal move");
            return Err(Diagnostic::new(Code::NotAState, Span::default(), message)
                .with_help("a position is all the facts that are true in it"));
        }
    }
    Ok(())
}

/// The number of steps that a comment tells, or none.
fn step(source: &Source, document: &Document) -> u64 {
    let text = source.text();
    let comments = document.comments.iter().map(|comment| &text[comment.span.range()]);
    comments.filter_map(|text| text.strip_prefix(STEP)?.trim().parse().ok()).next().unwrap_or(0)
}
