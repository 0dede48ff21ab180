//! A player at a manager of Regular Boardgames.

use super::{Arguments, players};
use crate::cli::engine;
use crate::cli::playable::Playable;
use crate::cli::rulesheet::Source;
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::{interrupt, output};
use gdlr::engine::EngineKind;
use gdlr::rbg_match::{Event, Manners, play_at};
use gdlr::set_up::{Handover, SetUp};
use std::net::TcpStream;
use std::time::Duration;

/// Goes to a manager, and plays there until it hangs up.
pub fn run(arguments: &Arguments, manager: &str) -> Outcome {
    let stream = interrupt::at_once(|| TcpStream::connect(manager)).map_err(|error| {
        Failure::Unusable(format!("there is no manager at `{manager}`: {error}"))
    })?;
    output::note(&format!("{} is at {manager}", arguments.name));
    let manners = Manners {
        margin: Duration::from_millis(arguments.margin),
        longest: arguments.longest,
        stop: interrupt::STOP.clone(),
    };
    let mut engines = |text: &str| engines(arguments, text);
    let make = players(arguments);
    let plays = play_at(stream, &mut engines, &mut || make(), &manners, &mut |event| match event {
        Event::Joined(player) => output::note(&format!("plays {player}")),
        Event::Moved(player, word) => output::note(&format!("{player}: {word}")),
        Event::Over(scores) => {
            let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
            output::note(&format!("over: {}", scores.join(" ")));
        }
    });
    match plays {
        Ok(plays) => {
            output::note(&format!(
                "the manager has ended after {}",
                output::counted(plays as usize, "play")
            ));
            Ok(Status::Done)
        }
        Err(_) if interrupt::raised() => Ok(interrupt::end_of_service()),
        Err(why) => Err(Failure::Unusable(why.to_string())),
    }
}

/// The engines of a game that a manager has sent.
fn engines(arguments: &Arguments, text: &str) -> Result<Handover, String> {
    let source = Source::argument("the game of the manager", text);
    let playable =
        Playable::automaton(source, "-").map_err(|_| "the game cannot be played".to_owned())?;
    let Playable::Automaton(source, game) = playable else {
        return Err("the game is no automaton".to_owned());
    };
    let ready = engine::make_automaton(&source, game.clone(), EngineKind::Auto, arguments.set_up);
    let ready = ready.map_err(|_| "there is no engine of the game".to_owned())?;
    let set_up = SetUp { budget: arguments.set_up.budget(), ..SetUp::default() };
    Ok(set_up.start_automaton(game, ready.engine, ready.kind))
}
