//! The test of correctness: random playouts with all legal moves, which the framework follows on
//! an engine of its own.
//!
//! A line begins with a mark: `!R!` the roles, `!T!` whether the state is terminal, `!L!` the legal
//! moves of a role, a line each in their order, `!C!` the moves that are played, `!G!` the goals,
//! `!E!` an error, `!F!` the end. Items stand between commas. The framework reads the file while
//! it is written, so here it grows, where other results come whole. What cannot be written to its
//! end, or is interrupted, is taken away again.

use super::arguments::Arguments;
use super::no_result::{NoResult, in_a_line};
use crate::cli::playable::Playable;
use crate::cli::rulesheet::Rulesheet;
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::{engine, interrupt, output};
use gdlr::engine::{AnyEngine, Engine, GoalError, MoveId, StepError, WorkLimit, choose, seeded};
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

/// Why the playouts break off.
enum Broken {
    /// They cannot be written.
    Writing(io::Error),
    /// The game has a defect, or a state is too much.
    Game(String),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Broken {
        Broken::Writing(error)
    }
}

impl From<WorkLimit> for Broken {
    fn from(limit: WorkLimit) -> Broken {
        Broken::Game(limit.into_diagnostic().message)
    }
}

impl From<GoalError> for Broken {
    fn from(error: GoalError) -> Broken {
        Broken::Game(error.to_string())
    }
}

impl From<StepError> for Broken {
    fn from(error: StepError) -> Broken {
        Broken::Game(error.to_string())
    }
}

pub fn run(arguments: &Arguments) -> Outcome {
    let path = &arguments.out;
    let cannot = |error| Failure::Unusable(format!("cannot write `{}`: {error}", path.display()));
    let file = File::create(path).map_err(cannot)?;
    // A device has nothing to keep, or to take away.
    let is_kept = file.metadata().is_ok_and(|data| data.is_file());
    let mut out = BufWriter::new(file);
    let written = test(arguments, &mut out).and_then(|outcome| {
        out.flush()?;
        if is_kept {
            // Some systems say only now that there is no room.
            out.get_ref().sync_all()?;
        }
        Ok(outcome)
    });
    let is_whole = !matches!(written, Err(_) | Ok(Ok(Status::Interrupted)));
    if is_kept && !is_whole {
        // Defects are reported below.
        let _ = fs::remove_file(path);
    }
    if let Ok(Ok(Status::Interrupted)) = written {
        output::warn("interrupted; nothing is written");
    }
    written.map_err(cannot)?
}

/// Writes all of the test; what is wrong with the game is written, too.
fn test(arguments: &Arguments, out: &mut impl Write) -> io::Result<Outcome> {
    let (message, outcome) = match made(arguments) {
        Err(none) => (Some(none.message), none.outcome),
        Ok(engine) => match playouts(arguments, &engine, out) {
            Ok(status) => (None, Ok(status)),
            Err(Broken::Writing(error)) => return Err(error),
            Err(Broken::Game(message)) => {
                output::error(&message);
                (Some(message), Ok(Status::No))
            }
        },
    };
    if let Some(message) = message {
        writeln!(out, "!E!{}", in_a_line(&message))?;
    }
    writeln!(out, "!F!")?;
    Ok(outcome)
}

/// An engine of single states.
fn made(arguments: &Arguments) -> Result<AnyEngine, NoResult> {
    let refused = |failure| NoResult::of(failure, arguments);
    let engine = arguments.engine.with_states().map_err(refused)?;
    let rulesheet = Rulesheet::playable(&arguments.game).map_err(refused)?;
    Ok(engine::make(&Playable::Rules(rulesheet), &engine).map_err(refused)?.engine)
}

/// Plays until there are enough state changes, and to the end of that playout.
fn playouts(
    arguments: &Arguments,
    engine: &AnyEngine,
    out: &mut impl Write,
) -> Result<Status, Broken> {
    let spelled = |id: &MoveId| engine.move_term(*id).1.spelled(engine.symbols());
    let mut rng = seeded(arguments.seed, 0);
    let mut scratch = engine.scratch();
    let (mut legal, mut joint) = (Vec::new(), Vec::new());
    let mut changes = 0;
    list(out, "!R!", engine.roles().names())?;
    loop {
        engine.enter(&mut scratch, engine.initial());
        let before = changes;
        while !engine.terminal(&mut scratch)? {
            if interrupt::raised() {
                return Ok(Status::Interrupted);
            }
            writeln!(out, "!T!false")?;
            joint.clear();
            for role in engine.roles().iter() {
                engine.legal(&mut scratch, role, &mut legal)?;
                list(out, "!L!", legal.iter().map(spelled))?;
                let stuck =
                    || Broken::Game(format!("{} has no legal move", engine.roles().name(role)));
                joint.push(choose(&legal, &mut rng).ok_or_else(stuck)?);
            }
            list(out, "!C!", joint.iter().map(spelled))?;
            engine.step(&mut scratch, &joint)?;
            changes += 1;
        }
        writeln!(out, "!T!true")?;
        // A game that is over when it begins has no state changes, however often it is played.
        if changes == before {
            return Ok(Status::Done);
        }
        let goals = engine.roles().iter().map(|role| engine.payoff(&mut scratch, role));
        list(out, "!G!", goals.collect::<Result<Vec<u8>, _>>()?)?;
        out.flush()?;
        if changes > arguments.seconds {
            return Ok(Status::Done);
        }
    }
}

/// A line of items.
fn list(
    out: &mut impl Write,
    mark: &str,
    items: impl IntoIterator<Item = impl Display>,
) -> io::Result<()> {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    writeln!(out, "{mark}{}", items.join(","))
}
