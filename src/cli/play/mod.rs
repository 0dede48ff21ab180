//! `gdlr play`: in the terminal, or random playouts with `--flatmc`.

mod arguments;
mod dialogue;
mod engines;
mod flat_mc;
mod game_position;
mod hint;
mod pause;
mod players;
mod refused;
mod saved;
mod seen;
mod typed;

pub use arguments::Arguments;

use super::engine;
use super::playable::Playable;
use super::status::{Failure, Outcome};
use engines::Engines;

pub fn run(arguments: &Arguments) -> Outcome {
    if arguments.flatmc {
        let playable = Playable::open(&arguments.game)?;
        let ready = engine::make_random_play(&playable, &arguments.engine)?;
        return flat_mc::run(&ready, arguments, &playable);
    }
    if arguments.game.game == "-" {
        return Err(Failure::Unusable(
            "the game would come from standard input, and so would your moves; \
             name a file, or play at random with --flatmc"
                .to_owned(),
        ));
    }
    let engine = arguments.engine.with_states()?;
    let playable = Playable::open(&arguments.game)?;
    let engines = Engines::make(&playable, &engine)?;
    if let Some(why) = arguments.player.refuses(engines.first()) {
        return Err(Failure::Unusable(why));
    }
    dialogue::run(&engines, arguments, &playable, std::io::stdin().lock())
}
