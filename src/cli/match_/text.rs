//! Results of matches, for people.

use super::entrants::{Entrant, labels};
use crate::cli::output::{self, counted, grouped, rounded};
use gdlr::ggp::record::{Ending, Record};
use gdlr::ggp::series::mean_and_interval;

/// How a match ended, in a few words.
fn ending(record: &Record) -> String {
    let steps = counted(record.playout.length, "step");
    match &record.ending {
        Ending::Terminal => steps,
        Ending::Cap => format!("cut after {steps} (see --max-steps)"),
        Ending::Stuck(role) => {
            format!("{} has no legal move after {steps}", record.roles[role.index()])
        }
        Ending::Interrupted => format!("interrupted after {steps}"),
        Ending::Limit(_) => format!("broken off after {steps}"),
    }
}

fn goal(goal: Option<u8>) -> String {
    goal.map_or_else(|| "-".to_owned(), |goal| goal.to_string())
}

/// A match in one line.
pub fn line(record: &Record) -> String {
    let by_role = record.roles.iter().zip(&record.players).zip(&record.goals);
    let goals: Vec<String> = by_role
        .map(|((role, player), value)| format!("{role} ({}) {}", player.name, goal(*value)))
        .collect();
    format!("{}; {}", goals.join(", "), ending(record))
}

/// The result of one match.
pub fn match_text(record: &Record) -> String {
    let by_role = record.roles.iter().zip(&record.players).zip(&record.goals);
    let rows = by_role.map(|((role, player), value)| {
        vec![role.clone(), goal(*value), player.name.clone(), player.errors.to_string()]
    });
    let table = output::table(&["role", "goal", "player", "errors"], &[2], rows.collect());
    format!("{}: {}\n{}", record.game, ending(record), output::table_text(&table))
}

/// The results of a series.
pub fn series_text(game: &str, entrants: &[Entrant], records: &[Record]) -> String {
    let rows = entrants.iter().zip(labels(entrants)).map(|(entrant, label)| {
        let (mean, interval) = mean_and_interval(&entrant.goals);
        let interval = interval.map(|(low, high)| format!("{} .. {}", rounded(low), rounded(high)));
        vec![
            label,
            entrant.goals.len().to_string(),
            mean.map_or_else(|| "-".to_owned(), rounded),
            interval.unwrap_or_else(|| "-".to_owned()),
            entrant.errors.to_string(),
        ]
    });
    let header = ["player", "matches", "mean goal", "95 % interval", "errors"];
    let table = output::table(&header, &[], rows.collect());
    let matches = matches(records.len());
    format!("{game}: {matches}\n{}", output::table_text(&table))
}

/// `1 match`, `2 matches`.
pub fn matches(count: usize) -> String {
    format!("{} match{}", grouped(count as u64), if count == 1 { "" } else { "es" })
}
