//! The percepts of a player in random plays: `gdlr rg run --as`.

use crate::cli::output::{counted, table, table_text};
use crate::cli::rulesheet::Source;
use crate::cli::status::Failure;
use gdlr::play::seeded;
use gdlr::rg::{Automaton, Ending, Moves, Name, ObfuscatedMove, PlayError, PlayerId, Search, Turn};
use serde_json::{Value, json};

/// A play as a player sees it.
pub struct SeenPlay {
    /// The moves that it sees something of.
    moves: Vec<ObfuscatedMove>,
    ending: Ending,
    /// The goal value of the player, if the play is over.
    goal: Option<Name>,
}

/// The player with a name.
pub fn player(automaton: &Automaton, name: &str) -> Result<PlayerId, Failure> {
    let text = |player| automaton.text(automaton.player_name(player));
    automaton.players().find(|&player| text(player) == name).ok_or_else(|| {
        let names: Vec<String> =
            automaton.players().map(|player| format!("`{}`", text(player))).collect();
        let players = counted(names.len(), "player");
        Failure::Unusable(format!(
            "there is no player `{name}`: the automaton has {players}, {}",
            names.join(", ")
        ))
    })
}

/// Plays at random so often; says why it did not, if so.
pub fn play(
    automaton: &Automaton,
    player: PlayerId,
    mut search: Search<'_>,
    (plays, seed, max_moves): (u64, u64, u64),
) -> (Vec<SeenPlay>, Option<PlayError>) {
    let (mut moves, mut rng) = (Moves::default(), seeded(seed, 0));
    let mut state = automaton.initial().clone();
    let mut seen = Vec::new();
    for _ in 0..plays {
        state.clone_from(automaton.initial());
        let mut told: Vec<ObfuscatedMove> = Vec::new();
        let played = automaton.playout_watched(
            (&mut search, &mut moves),
            &mut state,
            &mut rng,
            max_moves,
            |state, moves, index| {
                let move_ = automaton.obfuscated(state, moves, index, player);
                told.extend((!move_.tags.is_empty()).then_some(move_));
            },
        );
        let ending = match played {
            Ok(played) => played.ending,
            Err(error) => return (seen, Some(error)),
        };
        let goal = (ending == Ending::End).then(|| automaton.goal(&state, player));
        seen.push(SeenPlay { moves: told, ending, goal });
    }
    (seen, None)
}

fn mover(automaton: &Automaton, turn: Turn) -> &str {
    match turn {
        Turn::Player(player) => automaton.text(automaton.player_name(player)),
        Turn::Random => "random",
        Turn::Keeper | Turn::End => "keeper",
    }
}

/// Plays for people.
pub fn to_text(
    source: &Source,
    automaton: &Automaton,
    (name, seed): (&str, u64),
    seen: &[SeenPlay],
) -> String {
    let mut text = format!("{}: seed {seed}, as {name}\n", source.name);
    for (place, play) in seen.iter().enumerate() {
        text += "\n";
        if seen.len() > 1 {
            text += &format!("play {}\n", place + 1);
        }
        let row = |of: &ObfuscatedMove| {
            let tags: Vec<&str> = of.tags.iter().map(|&tag| automaton.text(tag)).collect();
            vec![mover(automaton, of.by).to_owned(), tags.join(" ")]
        };
        let mut rows: Vec<Vec<String>> = play.moves.iter().map(row).collect();
        rows.push(match play.goal {
            Some(goal) => vec!["goal".to_owned(), automaton.text(goal).to_owned()],
            None => vec!["cut".to_owned(), String::new()],
        });
        text += &table_text(&table(&[], &[0, 1], rows));
    }
    text
}

/// Plays as JSON.
pub fn to_json(
    source: &Source,
    automaton: &Automaton,
    (name, seed): (&str, u64),
    seen: &[SeenPlay],
    error: Option<&PlayError>,
) -> Value {
    let move_ = |of: &ObfuscatedMove| {
        let tags: Vec<&str> = of.tags.iter().map(|&tag| automaton.text(tag)).collect();
        json!({ "by": mover(automaton, of.by), "tags": tags })
    };
    let play = |play: &SeenPlay| {
        json!({
            "moves": play.moves.iter().map(move_).collect::<Vec<_>>(),
            "over": play.ending == Ending::End,
            "goal": play.goal.map(|goal| automaton.text(goal)),
        })
    };
    let mut value = json!({
        "game": source.name,
        "engine": "rg",
        "seed": seed,
        "as": name,
        "plays": seen.iter().map(play).collect::<Vec<_>>(),
    });
    match error {
        Some(PlayError::Interrupted) => value["interrupted"] = json!(true),
        Some(error) => value["error"] = json!(error.to_string()),
        None => {}
    }
    value
}
