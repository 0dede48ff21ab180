//! `gdlr play`: in the terminal, or random playouts with `--flatmc`.

mod arguments;
mod colours;
mod dialogue;
mod flat_mc;
mod hint;
mod pause;
mod place;
mod players;
mod saved;
mod seen;
mod typed;

pub use arguments::Arguments;

use super::engine;
use super::rulesheet::Rulesheet;
use super::status::{Failure, Outcome};

pub fn run(arguments: &Arguments) -> Outcome {
    if arguments.flatmc {
        let rulesheet = Rulesheet::playable(&arguments.game)?;
        let made = engine::make_random_play(&rulesheet, &arguments.engine)?;
        return flat_mc::run(&made, arguments, &rulesheet);
    }
    if arguments.game.game == "-" {
        return Err(Failure::Unusable(
            "the rulesheet would come from standard input, and so would your moves; \
             name a file, or play at random with --flatmc"
                .to_owned(),
        ));
    }
    let engine = arguments.engine.with_states()?;
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let made = engine::make(&rulesheet, &engine)?;
    dialogue::run(&made.engine, arguments, &rulesheet, std::io::stdin().lock())
}
