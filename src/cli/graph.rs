//! `gdlr draw --graph`: how a game is made, as a drawing.

use super::engine::GroundArguments;
use super::ground::refusal;
use super::playable::Playable;
use super::rulesheet::Rulesheet;
use super::status::Failure;
use super::{interrupt, progress};
use clap::ValueEnum;
use gdlr::budget::Meter;
use gdlr::draw::graph;
use gdlr::export::from_game;
use gdlr::ground::GroundError;
use gdlr::net::Net;
use gdlr::rbg;

/// The graph of a game that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Graph {
    // Which relation of the rulesheet depends on which
    Dependencies,
    // The net, as `gdlr propnet` has it
    Net,
    // The automaton, as it is or as `gdlr to-rg` writes it
    Automaton,
    // The board of a game in Regular Boardgames, square by square
    Board,
}

/// The drawing, as a document of SVG.
pub fn draw(playable: &Playable, graph: Graph, ground: GroundArguments) -> Result<String, Failure> {
    let name = playable.name();
    let drawn = match playable {
        Playable::Rules(rulesheet) => of_rules(rulesheet, graph, ground)?,
        Playable::Automaton(_, game) if graph == Graph::Automaton => {
            graph::automaton(game.description(), name)
        }
        Playable::Automaton(source, _) if graph == Graph::Board => {
            let game = rbg::read_bytes(&source.bytes).map_err(|_| no_board(name))?;
            graph::board(&game, name)
        }
        Playable::Automaton(..) => {
            return Err(Failure::Unusable(format!(
                "of an automaton as `{name}` there is only --graph automaton, and --graph board of a \
                 game in Regular Boardgames"
            )));
        }
    };
    drawn.ok_or_else(|| {
        Failure::Unusable(format!("the graph of `{name}` is too large to be looked at"))
    })
}

fn no_board(name: &str) -> Failure {
    Failure::Unusable(format!(
        "--graph board draws the board of a game in Regular Boardgames, which `{name}` is not"
    ))
}

/// The drawing of rules, unless it is too large.
fn of_rules(
    rulesheet: &Rulesheet,
    graph: Graph,
    ground: GroundArguments,
) -> Result<Option<String>, Failure> {
    let game = &rulesheet.game;
    let meter = ground.budget().start();
    Ok(match graph {
        Graph::Board => return Err(no_board(&game.name)),
        Graph::Dependencies => graph::dependencies(game),
        Graph::Net => graph::net(&net(rulesheet, &meter)?, game),
        Graph::Automaton => {
            let written = from_game(game.clone(), None, false, &meter);
            let written = written.map_err(|error| refusal(rulesheet, error))?;
            graph::automaton(&written.export.description, &game.name)
        }
    })
}

fn net(rulesheet: &Rulesheet, meter: &Meter<'_>) -> Result<Net, Failure> {
    let spinner = progress::spinner();
    spinner.set_message("making the net");
    let net = interrupt::at_once(|| Net::within(rulesheet.game.clone(), meter));
    spinner.finish_and_clear();
    net.map_err(|error: GroundError| refusal(rulesheet, error))
}
