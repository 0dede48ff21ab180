//! `gdlr abg info`: how large a game is, and where its pieces go.

use super::FileArgument;
use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::status::{Outcome, Status};
use clap::Args;
use gdlr::abg::{self, Game};
use serde_json::json;

/// Say how large a game is, and where its pieces go
#[derive(Debug, Args)]
#[command(after_help = "\
Below the sizes there is a drawing for each piece that a player moves. `P` is
the piece. `#` is a square that it can reach on some board, whatever the other
pieces are.

Examples:
  gdlr abg info mygame.abg
  gdlr abg info --json mygame.abg
  gdlr abg info --dot mygame.abg | dot -Tsvg >rules.svg")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// Print the automata of the rules as a graph in the language DOT
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, game) = arguments.file.game()?;
    if arguments.dot {
        output::print(&abg::to_dot(&game))?;
        return Ok(Status::Done);
    }
    let description = interrupt::at_once(|| abg::translate(&game))
        .map_err(|errors: Vec<_>| source.refuse(&errors))?;
    let rules: Vec<Rule> = rules(&game);
    if arguments.json {
        let rules: Vec<_> = rules.iter().map(Rule::json).collect();
        output::print_json(&json!({
            "game": source.name,
            "players": game.players.len(),
            "variables": game.variables.len(),
            "pieces": game.pieces.len(),
            "squares": game.board.len(),
            "edges": description.edges.len(),
            "rules": rules,
        }))?;
        return Ok(Status::Done);
    }
    let sizes = [
        ("players", game.players.len()),
        ("variables", game.variables.len()),
        ("pieces", game.pieces.len()),
        ("squares", game.board.len()),
        ("edges of the automaton", description.edges.len()),
    ];
    for (what, value) in sizes {
        output::print(&format!("{what:<24} {value}\n"))?;
    }
    for rule in rules {
        let Rule { piece, player, states, letters, .. } = &rule;
        output::print(&format!(
            "\n{piece} of {player}: {}, {}\n{}",
            output::counted(*states, "state"),
            output::counted(*letters, "letter"),
            rule.reached
        ))?;
    }
    Ok(Status::Done)
}

/// The rule of a piece, for a player who moves it.
struct Rule {
    piece: String,
    player: String,
    states: usize,
    /// The edges of its automaton.
    letters: usize,
    reached: String,
}

impl Rule {
    fn json(&self) -> serde_json::Value {
        json!({
            "piece": self.piece,
            "player": self.player,
            "states": self.states,
            "letters": self.letters,
            "reached": self.reached.lines().collect::<Vec<_>>(),
        })
    }
}

fn rules(game: &Game) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (player, turn) in game.turns.iter().enumerate() {
        for (number, (piece, dfa)) in turn.rules.iter().enumerate() {
            rules.push(Rule {
                piece: game.pieces[*piece].name.to_string(),
                player: game.players[player].to_string(),
                states: dfa.states(),
                letters: dfa.edges.iter().map(Vec::len).sum(),
                reached: abg::reached(game, player, number),
            });
        }
    }
    rules
}
