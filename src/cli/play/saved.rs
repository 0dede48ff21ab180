//! A position in a file: its facts in KIF, one a line, and how many steps led there.
//!
//! In a game with rules for `sees` that is not enough: what a role knows there is what it was told
//! on the way. So there the joint moves stand in the file, too, and loading replays them.

use super::game_position::GamePosition;
use crate::cli::output;
use crate::cli::rulesheet::Source;
use crate::cli::status::Failure;
use gdlr::diagnostic::{Code, Diagnostic, Span};
use gdlr::engine::{
    AnyEngine, AnyScratch, Engine, MoveId, Position, StepError, WorkLimit, enter_written,
    written_term,
};
use gdlr::gdl::Term;
use gdlr::kif::{self, Comment, Document, Limits};
use gdlr::play::sampler::Observation;
use std::path::Path;

/// The comment before the number of steps.
const STEP: &str = "; step ";

/// The comment before a joint move.
const PLAYED: &str = "; played ";

/// Why a position is not saved where the state is hidden.
pub fn hidden() -> Failure {
    Failure::Unusable(
        "a saved position would show the state, which is hidden here; \
         play with --omniscient to save it"
            .to_owned(),
    )
}

/// Writes a position to a file, the whole of it or nothing.
pub fn save(
    path: &str,
    game: &str,
    engine: &AnyEngine,
    place: &GamePosition,
) -> Result<(), Failure> {
    let position = Position::of(engine, &place.state);
    let mut text = format!("; a position of {game}\n{STEP}{}\n", place.step);
    for observations in &place.observations {
        let own = engine
            .roles()
            .iter()
            .zip(observations)
            .filter_map(|(role, observations)| observations.own(role));
        let joint: Vec<String> = own.map(|term| term.spelled(engine.symbols())).collect();
        text += &format!("{PLAYED}({})\n", joint.join(" "));
    }
    text += &position.to_string();
    output::write_file(Path::new(path), &text)
        .map_err(|error| Failure::Unusable(format!("cannot write `{path}`: {error}")))
}

/// Reads a position that play can go on from; prints what is wrong with it.
pub fn load(path: &str, engine: &AnyEngine) -> Result<GamePosition, Failure> {
    let source = Source::open(path, Limits::default().max_bytes)?;
    let document = source.document()?;
    let mut scratch = engine.scratch();
    enter_written(engine, &mut scratch, &document.items)
        .and_then(|()| goes_on(engine, &mut scratch))
        .map_err(|error| source.refuse([&error]))?;
    let state = engine.state(&scratch);
    if engine.has_percepts() {
        let place = replayed(&source, &document, engine);
        let leads_there = |place: &GamePosition| match place.state == state {
            true => Ok(()),
            false => Err(no_history("the play of this file leads to another state")),
        };
        return place
            .and_then(|place| leads_there(&place).map(|()| place))
            .map_err(|error| source.refuse([&error]));
    }
    let step = step(&source, &document);
    Ok(GamePosition { state, step, last: Vec::new(), before: None, observations: Vec::new() })
}

/// The place that the joint moves of a file lead to.
fn replayed(
    source: &Source,
    document: &Document,
    engine: &AnyEngine,
) -> Result<GamePosition, Diagnostic> {
    let mut scratch = engine.scratch();
    let (text, mut observations) = (source.text(), Vec::new());
    for comment in &document.comments {
        let Some(written) = text[comment.span.range()].strip_prefix(PLAYED) else {
            continue;
        };
        let joint = joint(written, comment, engine)?;
        let mut step = || {
            let observations = Observation::of(engine, &mut scratch, &joint)?;
            engine.step(&mut scratch, &joint)?;
            Ok(observations)
        };
        observations.push(step().map_err(|error: StepError| {
            Diagnostic::new(Code::NotAMove, comment.span, error.to_string())
        })?);
    }
    let (state, step) = (engine.state(&scratch), observations.len() as u64);
    Ok(GamePosition { state, step, last: Vec::new(), before: None, observations })
}

/// A joint move as it stands in a comment.
fn joint(written: &str, comment: &Comment, engine: &AnyEngine) -> Result<Vec<MoveId>, Diagnostic> {
    let wrong = |why: &str| Diagnostic::new(Code::NotAMove, comment.span, why);
    let document = kif::read(written).map_err(|_| wrong("this is no joint move"))?;
    let moves = document.items.first().and_then(|item| item.list()).unwrap_or_default();
    if moves.len() != engine.roles().count() {
        return Err(wrong("a joint move has one move a role"));
    }
    let id = |(role, expr)| {
        let term: Term = written_term(expr, engine.symbols(), Code::NotAMove)
            .map_err(|error| wrong(&error.message))?;
        engine.move_id(role, &term).ok_or_else(|| wrong("a role has no such move"))
    };
    engine.roles().iter().zip(moves).map(id).collect()
}

/// Why the facts of a file are not enough.
fn no_history(message: &str) -> Diagnostic {
    Diagnostic::new(Code::NotAState, Span::default(), message).with_help(
        "in a game with rules for `sees` a position is the play that led to it, as `save` writes \
         it with --omniscient: what roles know of it is what they saw on the way",
    )
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
