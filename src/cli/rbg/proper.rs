//! Whether a game is proper, as far as its positions are looked at.

use crate::cli::diagnostics::Printer;
use crate::cli::output::counted;
use crate::cli::rulesheet::Source;
use crate::cli::status::Status;
use crate::cli::{interrupt, progress};
use gdlr::rbg;
use gdlr::rbg::play::{Exploration, Machine, Trouble, Work, explore};
use serde_json::{Value, json};

/// The states of a game that were explored.
pub struct Proper {
    machine: Machine,
    explored: Exploration,
}

/// Goes through up to so many positions of a game without errors.
pub fn look(source: &Source, most: usize) -> Option<Proper> {
    let game = rbg::read_bytes(&source.bytes).ok()?;
    let machine = interrupt::at_once(|| Machine::new(&game)).ok()?;
    let spinner = progress::spinner();
    let show = |positions| spinner.set_message(counted(positions, "position"));
    let mut work = Work { stop: Some(&interrupt::STOP), ..Work::default() };
    let explored = explore(&machine, &mut work, most, show);
    spinner.finish_and_clear();
    Some(Proper { machine, explored })
}

impl Proper {
    pub fn status(&self) -> Status {
        match (&self.explored.violation, self.explored.broken_off) {
            (Some(_), _) => Status::No,
            (None, Some(Trouble::Interrupted)) => Status::Interrupted,
            (None, None) if self.explored.complete => Status::Done,
            (None, _) => Status::Budget,
        }
    }

    pub fn text(&self, printer: &Printer) -> String {
        let Exploration { positions, complete, broken_off, straightness, .. } = &self.explored;
        let looked = format!("explored {}", counted(*positions, "position"));
        let mut text = match (&self.explored.violation, complete, broken_off) {
            (Some(violation), _, _) => {
                let moves = counted(violation.play.len(), "move");
                let mut text =
                    format!("not proper ({}): {}\n", violation.improper, violation.message);
                text += &format!("after {moves}:\n");
                for (number, (who, word)) in self.play().into_iter().enumerate() {
                    text += &format!("{:>4}. {who}: {word}\n", number + 1);
                }
                text
            }
            (None, true, _) => format!(
                "{looked}, which are all: the game is proper, its straightness is {straightness}\n"
            ),
            (None, false, Some(trouble)) => format!("{looked}: not decided: {trouble}\n"),
            (None, false, None) => format!(
                "{looked}, there are more: not decided; the straightness is at least {straightness}\n"
            ),
        };
        for never in &self.explored.never_valid {
            let (place, tried) = (printer.named_place(never.span), counted_times(never.tried));
            text += &format!("{place}: `{}` was out of bounds each time, {tried}\n", never.text);
        }
        text
    }

    /// The play that shows what is wrong: who moves, and the word.
    fn play(&self) -> Vec<(&str, String)> {
        let play = self.explored.violation.iter().flat_map(|violation| &violation.play);
        play.map(|(player, word)| {
            (self.machine.player_name(*player), self.machine.spell_word(word))
        })
        .collect()
    }

    pub fn json(&self, printer: &Printer) -> Value {
        let Exploration { positions, complete, straightness, never_valid, .. } = &self.explored;
        let play: Vec<Value> =
            self.play().iter().map(|(who, word)| json!({ "player": who, "move": word })).collect();
        let never = never_valid.iter().map(|never| {
            json!({
                "assignment": never.text,
                "place": printer.place(never.span),
                "tried": never.tried,
            })
        });
        json!({
            "positions": positions,
            "complete": complete,
            "proper": match (&self.explored.violation, complete) {
                (Some(_), _) => Some(false),
                (None, true) => Some(true),
                (None, false) => None,
            },
            "straightness": straightness,
            "defect": self.explored.violation.as_ref().map(|violation| json!({
                "condition": violation.improper.to_string(),
                "message": violation.message,
                "play": play,
            })),
            "never_valid": never.collect::<Vec<Value>>(),
            "error": self.explored.broken_off.map(|trouble| trouble.to_string()),
        })
    }
}

/// How often something was tried.
fn counted_times(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { format!("{times} times") }
}
