//! `gdlr to-rg`: a game as an automaton of Regular Games.

use super::engine::GroundArguments;
use super::ground::refusal;
use super::output;
use super::rg::{optimise, pragmas};
use super::rulesheet::{GameArguments, Rulesheet};
use super::status::{Failure, Outcome, Status};
use super::{interrupt, progress};
use clap::{Args, ValueEnum};
use gdlr::export::{Export, FactTest, Origin, RoleTurn, Written, from_game};
use gdlr::gdl::{Game, Term};
use gdlr::ground::GroundError;
use gdlr::rg::Name;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Write a game as an automaton in the language Regular Games
#[derive(Debug, Args)]
#[command(after_help = "\
The automaton means the same game. A turn has a ply for each role that has a
choice. `docs/rg.md` explains the translation.

From the rules the automaton is small, as a person would write it: facts are
entries of maps, a move chooses its arguments one after the other, and comments
quote the rules. From the net it is large, with every move and every condition
written out, but most games play faster so. If the rules cannot be written, or
if that takes so long that too little time is left for the net, the automaton is
written from the net, and a line on standard error says why.

Examples:
  gdlr to-rg tictactoe
  gdlr to-rg mygame.kif -o mygame.rg --names mygame.json
  gdlr to-rg mygame.kif -o small.rg --optimise --pragmas
  gdlr to-rg breakthrough --explain >breakthrough.rg
  gdlr to-rg connect4 --from net -o fast.rg
  gdlr to-rg nim --joint | gdlr rg check -")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    ground: GroundArguments,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The source of the automaton [default: the rules if they can be, or else the net]
    #[arg(long, value_name = "WHAT")]
    from: Option<From>,
    /// Say on standard error how each relation and move was written
    #[arg(long)]
    explain: bool,
    /// One ply a role and step, also for a role without a choice
    #[arg(long)]
    joint: bool,
    /// Make the automaton smaller; moves are still called the same
    #[arg(long)]
    optimise: bool,
    /// Add the pragmas of the automaton, hints for other programs
    #[arg(long)]
    pragmas: bool,
    /// Write what the names stand for to this file, as JSON
    #[arg(long, value_name = "FILE", conflicts_with = "optimise")]
    names: Option<PathBuf>,
}

/// The source that an automaton is written from.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum From {
    Rules,
    Net,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let Arguments { output, joint, names, .. } = arguments;
    let standard_output = Path::new("-");
    if names.as_deref() == Some(output.as_deref().unwrap_or(standard_output)) {
        return Err(Failure::Unusable("`-o` and `--names` are the same file".to_owned()));
    }
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let spinner = progress::spinner();
    spinner.set_message("writing the automaton");
    let budget = arguments.ground.budget();
    let wanted = arguments.from.map(|from| match from {
        From::Rules => Origin::Rules,
        From::Net => Origin::Net,
    });
    let game = rulesheet.game.clone();
    let export = interrupt::at_once(|| from_game(game, wanted, *joint, &budget.start()));
    spinner.finish_and_clear();
    let written = export.map_err(|error: GroundError| refusal(&rulesheet, error))?;
    if let (Some(Origin::Rules), Some(why)) = (wanted, &written.unsuited) {
        return Err(Failure::Unusable(format!(
            "`{}` cannot be written from its rules: {why}; leave `--from rules` out",
            rulesheet.game.name
        )));
    }
    match &written.unsuited {
        _ if arguments.explain => explanation(&written).lines().for_each(output::note),
        Some(_) => explanation(&written).lines().take(1).for_each(output::note),
        None => {}
    }
    let mut export = written.export;
    if arguments.optimise {
        optimise::apply(&mut export.description, optimise::keeps_moves, &budget, |_, _| ())?;
        export.comments.clear();
    }
    if arguments.pragmas {
        pragmas::annotate(&mut export.description, &budget)?;
    }
    let text = export
        .text()
        .map_err(|error| Failure::Unusable(format!("the automaton cannot be written: {error}")))?;
    // Nothing is written before all is there to be written.
    if let Some(path) = names {
        output::deliver(&format!("{:#}\n", names_json(&export, &rulesheet.game)), Some(path))?;
    }
    output::deliver_automaton(&text, output.as_deref())?;
    Ok(Status::Done)
}

/// How an automaton was written, a line for each part.
pub(super) fn explanation(written: &Written) -> String {
    let mut text = match (written.origin, &written.unsuited) {
        (Origin::Rules, _) => "from the rules\n".to_owned(),
        (Origin::Net, None) => "from the net, each move and each condition by itself\n".to_owned(),
        (Origin::Net, Some(why)) => {
            format!("from the net, since the rules cannot be written: {why}\n")
        }
    };
    let width = written.export.notes.iter().map(|(what, _)| what.chars().count()).max();
    let width = width.unwrap_or(0).min(28);
    for (what, how) in &written.export.notes {
        text.push_str(&format!("  {what:<width$}  {how}\n"));
    }
    text
}

/// The meaning of the names of an automaton.
fn names_json(export: &Export, game: &Game) -> Value {
    let text = |name: Name| export.description.names.text(name);
    let spelled = |term: &Term| term.spelled(&game.symbols);
    let map = |pairs: &[(Name, Term)]| -> Map<String, Value> {
        pairs.iter().map(|(name, term)| (text(*name).to_owned(), spelled(term).into())).collect()
    };
    let tagged = |pairs: &[(Vec<Name>, Term)]| -> Map<String, Value> {
        let of = pairs.iter().map(|(tags, term)| {
            let tags: Vec<&str> = tags.iter().map(|&tag| text(tag)).collect();
            (tags.join(" "), spelled(term).into())
        });
        of.collect()
    };
    let roles: Map<String, Value> = (export.roles.iter().zip(&game.roles))
        .map(|(&name, role)| (text(name).to_owned(), spelled(role).into()))
        .collect();
    let fact = |(fact, test): &(Term, FactTest)| {
        let fact = spelled(fact);
        match test {
            FactTest::Always => json!({ "fact": fact, "always": true }),
            FactTest::Is(variable, keys, value) | FactTest::IsNot(variable, keys, value) => {
                let mut of = json!({
                    "fact": fact,
                    "variable": text(*variable),
                    "value": text(*value),
                    "equal": matches!(test, FactTest::Is(..)),
                });
                if !keys.is_empty() {
                    of["keys"] = keys.iter().map(|&key| text(key)).collect();
                }
                of
            }
        }
    };
    let part = |part: &RoleTurn| match part {
        RoleTurn::Ply(_) => json!("ply"),
        RoleTurn::Implied(term) => json!({ "move": spelled(term) }),
    };
    // A node where each role's turn may begin has a list, with the turn of each.
    let mut turns: Map<String, Value> = Map::new();
    for (node, parts) in &export.turns {
        let roles = export.roles.iter().map(|&role| text(role).to_owned());
        let parts: Map<String, Value> = roles.zip(parts.iter().map(part)).collect();
        let turn = turns.entry(text(*node)).or_insert(Value::Null);
        *turn = match turn.take() {
            Value::Null => Value::Object(parts),
            Value::Array(mut all) => {
                all.push(Value::Object(parts));
                Value::Array(all)
            }
            first => Value::Array(vec![first, Value::Object(parts)]),
        };
    }
    let mut value = json!({
        "game": game.name,
        "roles": roles,
        "moves": tagged(&export.moves),
        "facts": export.facts.iter().map(fact).collect::<Vec<_>>(),
        "scores": map(&export.scores),
        "turns": turns,
    });
    if game.has_percepts() {
        value["percepts"] = tagged(&export.percepts).into();
    }
    value
}
