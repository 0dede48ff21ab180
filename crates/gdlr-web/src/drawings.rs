//! Drawings of what a game is made of.

use super::loaded::Loaded;
use super::refusal::Refusal;
use gdlr_automata::export::from_game;
use gdlr_board::draw::graph;
use gdlr_net::net::Net;
use gdlr_text::budget::Budget;

/// A drawing by its name, as SVG: `dependencies`, `net` or `automaton`.
pub fn draw(loaded: &Loaded, drawing: &str, budget: &Budget<'_>) -> Result<String, Refusal> {
    let game = &loaded.game;
    let drawn = match drawing {
        "dependencies" => graph::dependencies(game),
        "net" => graph::net(&net(loaded, budget)?, game),
        "automaton" => {
            let written = from_game(game.clone(), None, false, &budget.start())
                .map_err(|error| Refusal::budget(error.to_string()))?;
            graph::automaton(&written.export.description, &game.name)
        }
        _ => return Err(Refusal::unknown(format!("there is no drawing `{drawing}`"))),
    };
    drawn.ok_or_else(|| Refusal::budget("this is too large to be looked at"))
}

/// The net as `gdlr propnet` has it: all of it, where that of the engine is divided by turns.
fn net(loaded: &Loaded, budget: &Budget<'_>) -> Result<Net, Refusal> {
    Net::within(loaded.game.clone(), &budget.start())
        .map_err(|error| Refusal::budget(error.to_string()))
}
