//! The evaluation of a turn by a player, in the words of the game: a line of the log of a match.
//!
//! As JSON (feature `serde`), in a line of its own:
//!
//! | key | value |
//! |---|---|
//! | `match` | the identifier that the players were told |
//! | `step`, `role`, `move` | which turn, from 1; whose; what was played |
//! | `legal` | how many legal moves there were |
//! | `seconds_left` | how much of its clock the player left |
//! | `estimates` | `move`, `visits`, `mean` goal, `certain` goal: at most [`ESTIMATES`] |
//! | `main_line` | the joint moves that are expected |
//! | `playouts`, `leaves`, `certain` | playouts that ended; leaves played out; descents to a certain value |
//! | `seconds`, `playouts_per_second` | how long it thought, and how fast |
//! | `nodes`, `depth`, `memory` | states known; the most joint moves ahead; bytes |
//!
//! From `estimates` on all is null where the only legal move was played, and where the player
//! cannot say.

use gdlr_engine::engine::{AnyEngine, Engine, MoveId};
use gdlr_engine::play::report::{Effort, Report};
use std::fmt;
use std::time::Duration;

/// The most estimates that are kept, those that the player names first.
pub const ESTIMATES: usize = 20;

/// How many other moves and joint moves a line for people has.
const SHOWN: usize = 3;

/// The evaluation of a turn by a player. Terms are canonical, as in records.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// After how many joint moves.
    pub step: u64,
    /// Whom it plays.
    pub role: String,
    /// The move that it has played.
    pub chosen: String,
    /// How many legal moves it had.
    pub legal: usize,
    /// How much time was left on its clock then.
    pub left: Duration,
    /// Its words for that. Nothing where the move was the only one, or it cannot say.
    pub view: Option<View>,
}

/// A [`Report`] in the words of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The expected values of its moves; the move that it prefers comes first.
    pub estimates: Vec<Expected>,
    /// The joint moves that it expects from now on.
    pub main_line: Vec<Vec<String>>,
    /// The work of the search.
    pub effort: Effort,
}

/// The expected value of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The move.
    pub chosen: String,
    /// How often it was tried.
    pub visits: u32,
    /// The mean goal value, 0 to 100, if it was tried at all.
    pub mean: Option<f32>,
    /// The goal value, if it is certain.
    pub certain: Option<u8>,
}

impl View {
    /// A report on the engine of its turn.
    pub fn new(report: &Report, engine: &AnyEngine) -> View {
        let name = |id: MoveId| engine.move_term(id).1.canonical(engine.symbols());
        let estimates = report.estimates.iter().take(ESTIMATES).map(|estimate| Expected {
            chosen: name(estimate.id),
            visits: estimate.visits,
            mean: estimate.mean,
            certain: estimate.certain,
        });
        let joint = |ids: &Vec<MoveId>| ids.iter().map(|&id| name(id)).collect();
        View {
            estimates: estimates.collect(),
            main_line: report.main_line.iter().map(joint).collect(),
            effort: report.effort,
        }
    }
}

/// `(sign 2 2) 61.5`, and `(sign 2 2) 100 for certain`.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.chosen)?;
        match (self.certain, self.mean) {
            (Some(goal), _) => write!(f, " {goal} for certain"),
            (None, Some(mean)) => write!(f, " {mean:.1}"),
            (None, None) => Ok(()),
        }
    }
}

/// On one line.
impl fmt::Display for Thought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Thought { role, chosen, .. } = self;
        write!(f, "{role} at step {}: ", self.step + 1)?;
        if self.legal == 1 {
            return write!(f, "{chosen}, the only move");
        }
        let left = self.left.as_secs_f64();
        let Some(View { estimates, main_line, effort }) = &self.view else {
            return write!(f, "{chosen} of {} moves; {left:.1} s left", self.legal);
        };
        // Estimates may be of other moves, where the clock was too short for any.
        match estimates.iter().find(|expected| expected.chosen == *chosen) {
            Some(expected) => expected.fmt(f)?,
            None => f.write_str(chosen)?,
        }
        let others = estimates.iter().filter(|expected| expected.chosen != *chosen);
        for (place, other) in others.take(SHOWN).enumerate() {
            write!(f, "{} {other}", if place == 0 { "; not" } else { "," })?;
        }
        for (place, joint) in main_line.iter().take(SHOWN).enumerate() {
            write!(f, "{} {}", if place == 0 { "; line" } else { "," }, joint.join(" | "))?;
        }
        let (rate, mib) = (effort.playouts_per_second(), effort.memory as f64 / f64::from(1 << 20));
        write!(f, "; {} playouts, {rate:.0}/s", effort.playouts)?;
        write!(f, "; {} deep, {mib:.1} MiB, {left:.1} s left", effort.depth)
    }
}

#[cfg(feature = "serde")]
impl Thought {
    /// As one JSON object; `id` is the match.
    pub fn to_json(&self, id: &str) -> serde_json::Value {
        use serde_json::{Value, json};
        let seconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e6;
        let hundredths = |mean: f32| (f64::from(mean) * 100.0).round() / 100.0;
        let view = self.view.as_ref();
        let effort = view.map(|view| view.effort);
        let estimates = view.map(|view| -> Value {
            let estimates = view.estimates.iter().map(|expected| {
                json!({
                    "move": expected.chosen,
                    "visits": expected.visits,
                    "mean": expected.mean.map(hundredths),
                    "certain": expected.certain,
                })
            });
            estimates.collect()
        });
        json!({
            "match": id,
            "step": self.step + 1,
            "role": self.role,
            "move": self.chosen,
            "legal": self.legal,
            "seconds_left": seconds(self.left),
            "estimates": estimates,
            "main_line": view.map(|view| &view.main_line),
            "playouts": effort.map(|effort| effort.playouts),
            "leaves": effort.map(|effort| effort.leaves),
            "certain": effort.map(|effort| effort.certain),
            "seconds": effort.map(|effort| seconds(effort.time)),
            "playouts_per_second": effort.map(|effort| effort.playouts_per_second().round()),
            "nodes": effort.map(|effort| effort.nodes),
            "depth": effort.map(|effort| effort.depth),
            "memory": effort.map(|effort| effort.memory),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought() -> Thought {
        let expected = |chosen: &str, mean, certain| Expected {
            chosen: chosen.to_owned(),
            visits: 7,
            mean,
            certain,
        };
        let joint = |moves: [&str; 2]| moves.map(str::to_owned).to_vec();
        Thought {
            step: 4,
            role: "red".to_owned(),
            chosen: "(drop 3)".to_owned(),
            legal: 7,
            left: Duration::from_millis(250),
            view: Some(View {
                estimates: vec![
                    expected("(drop 3)", Some(61.25), None),
                    expected("(drop 1)", Some(2.0), Some(0)),
                    expected("(drop 2)", None, None),
                ],
                main_line: vec![joint(["(drop 3)", "noop"]), joint(["noop", "(drop 4)"])],
                effort: Effort {
                    playouts: 5000,
                    time: Duration::from_millis(500),
                    depth: 9,
                    memory: 3 << 19,
                    ..Effort::default()
                },
            }),
        }
    }

    #[test]
    fn for_people() {
        let mut thought = thought();
        let expected = "red at step 5: (drop 3) 61.2; not (drop 1) 0 for certain, (drop 2); \
            line (drop 3) | noop, noop | (drop 4); 5000 playouts, 10000/s; 9 deep, 1.5 MiB, \
            0.2 s left";
        assert_eq!(thought.to_string(), expected);
        thought.view = None;
        assert_eq!(thought.to_string(), "red at step 5: (drop 3) of 7 moves; 0.2 s left");
        thought.legal = 1;
        assert_eq!(thought.to_string(), "red at step 5: (drop 3), the only move");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn for_programs() {
        let value = thought().to_json("m");
        assert_eq!((&value["match"], &value["step"]), (&"m".into(), &5.into()));
        assert_eq!(value["estimates"][1]["certain"], 0);
        assert_eq!(value["main_line"][1][1], "(drop 4)");
        assert_eq!((&value["playouts_per_second"], &value["depth"]), (&10000.0.into(), &9.into()));
        let value = Thought { view: None, ..thought() }.to_json("m");
        assert!(value["estimates"].is_null() && value["depth"].is_null());
        assert_eq!(value["seconds_left"], 0.25);
    }
}
