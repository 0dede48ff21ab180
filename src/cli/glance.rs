//! A game at a glance: who moves, in turn or at once, how long a play
//! is, on which boards.

use super::interrupt;
use super::output::{counted, grouped};
use gdlr::engine::{AnyEngine, Engine, MoveId, Roles};
use gdlr::gdl::Game;
use gdlr::play::{choose, seeded};
use gdlr::viewer::Viewer;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A game is judged by so many random plays,
const PLAYS: usize = 100;
/// in no more than this time,
const TIME: Duration = Duration::from_millis(500);
/// and no longer ones than this.
const LONGEST: usize = 10_000;
/// So many boards have names; the others are counted.
const NAMED_BOARDS: usize = 6;

/// Who moves in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Alone,
    InTurn,
    AtOnce,
}

impl Order {
    fn as_str(self) -> &'static str {
        match self {
            Order::Alone => "alone",
            Order::InTurn => "in turn",
            Order::AtOnce => "at once",
        }
    }
}

/// A few random plays of a game, and what they show.
pub struct Glance {
    players: Vec<String>,
    order: Order,
    has_chance: bool,
    hides: bool,
    /// The joint moves of each play that ended.
    lengths: Vec<usize>,
    /// The most legal moves that a role had.
    most_moves: usize,
    boards: Vec<String>,
}

impl Glance {
    /// Looks at a game by random plays on an engine.
    pub fn at(game: &Arc<Game>, engine: &AnyEngine) -> Glance {
        let roles = engine.roles();
        let chance = roles.random();
        let players = roles.iter().filter(|&role| Some(role) != chance);
        let players: Vec<String> = players.map(|role| roles.name(role).to_owned()).collect();
        let mut plays = Plays { engine, roles, choosers: 0, most_moves: 0, lengths: Vec::new() };
        plays.play();
        let order = match plays.choosers {
            _ if players.len() < 2 => Order::Alone,
            0 | 1 => Order::InTurn,
            _ => Order::AtOnce,
        };
        Glance {
            order,
            has_chance: chance.is_some(),
            hides: engine.has_percepts(),
            lengths: plays.lengths,
            most_moves: plays.most_moves,
            boards: boards(game, engine),
            players,
        }
    }

    /// The lines to show.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let mut players = self.players.join(", ");
        players += match (self.order, self.has_chance) {
            (Order::Alone, false) => ": alone",
            (Order::Alone, true) => ": alone, and chance",
            (Order::InTurn, false) => ": in turn",
            (Order::InTurn, true) => ": in turn, and chance",
            (Order::AtOnce, false) => ": at once",
            (Order::AtOnce, true) => ": at once, and chance",
        };
        let seen = if self.hides { "in part" } else { "all of the state" };
        let choice = match self.most_moves {
            0 => "none seen".to_owned(),
            most => format!("up to {}", counted(most, "move")),
        };
        let boards = match &self.boards[..] {
            [] => "none".to_owned(),
            boards if boards.len() <= NAMED_BOARDS => boards.join(", "),
            boards => {
                let more = boards.len() - NAMED_BOARDS;
                format!("{} and {more} more", boards[..NAMED_BOARDS].join(", "))
            }
        };
        vec![
            ("players", players),
            ("length", self.length()),
            ("choice", choice),
            ("players see", seen.to_owned()),
            ("boards", boards),
        ]
    }

    fn length(&self) -> String {
        let plays = counted(self.lengths.len(), "random play");
        match (self.lengths.iter().min(), self.lengths.iter().max()) {
            (Some(least), Some(most)) if least == most => {
                format!("{} in each of {plays}", counted(*least, "step"))
            }
            (Some(least), Some(most)) => format!(
                "{} to {}, {:.1} in the mean of {plays}",
                grouped(*least as u64),
                counted(*most, "step"),
                self.mean()
            ),
            _ => "no random play came to its end".to_owned(),
        }
    }

    fn mean(&self) -> f64 {
        self.lengths.iter().sum::<usize>() as f64 / self.lengths.len().max(1) as f64
    }

    pub fn json(&self) -> Value {
        json!({
            "players": self.players,
            "order": self.order.as_str(),
            "chance": self.has_chance,
            "hides": self.hides,
            "plays": self.lengths.len(),
            "least_length": self.lengths.iter().min(),
            "most_length": self.lengths.iter().max(),
            "mean_length": (!self.lengths.is_empty()).then(|| self.mean()),
            "most_moves": self.most_moves,
            "boards": self.boards,
        })
    }
}

/// Random plays, and what was seen in them.
struct Plays<'e> {
    engine: &'e AnyEngine,
    roles: &'e Roles,
    /// The most roles, chance apart, that had a choice in one state.
    choosers: usize,
    most_moves: usize,
    lengths: Vec<usize>,
}

impl Plays<'_> {
    fn play(&mut self) {
        let start = Instant::now();
        let is_over = || start.elapsed() > TIME || interrupt::raised();
        let mut scratch = self.engine.scratch();
        let mut rng = seeded(1, 0);
        let (mut legal, mut joint) = (Vec::<MoveId>::new(), Vec::new());
        for _ in 0..PLAYS {
            self.engine.enter(&mut scratch, self.engine.initial());
            for length in 0..LONGEST {
                if is_over() {
                    return;
                }
                match self.engine.terminal(&mut scratch) {
                    Ok(true) => {
                        self.lengths.push(length);
                        break;
                    }
                    Ok(false) => {}
                    Err(_) => return,
                }
                joint.clear();
                let mut choosers = 0;
                for role in self.roles.iter() {
                    if self.engine.legal(&mut scratch, role, &mut legal).is_err() {
                        return;
                    }
                    if self.roles.random() != Some(role) {
                        choosers += usize::from(legal.len() > 1);
                        self.most_moves = self.most_moves.max(legal.len());
                    }
                    joint.extend(choose(&legal, &mut rng));
                }
                self.choosers = self.choosers.max(choosers);
                // A role without a move ends the play, as well as a state that is too much.
                let is_whole = joint.len() == self.roles.count();
                if !is_whole || self.engine.step(&mut scratch, &joint).is_err() {
                    break;
                }
            }
        }
    }
}

/// The boards of a game, with their sizes.
fn boards(game: &Arc<Game>, engine: &AnyEngine) -> Vec<String> {
    let mut viewer = Viewer::new(game.clone(), engine);
    viewer.explore(engine, 1, &mut interrupt::raised);
    // Showing a state brings the boards up to date.
    viewer.parts(&engine.facts(engine.initial()), None);
    let described = viewer.boards().boards().iter().map(|board| {
        let (rows, columns) = (board.rows.labels.len(), board.columns.labels.len());
        let size = format!("{} {columns} x {rows}", board.name);
        match board.layers.len() {
            0 | 1 => size,
            layers => format!("{layers} times {size}"),
        }
    });
    described.collect()
}
