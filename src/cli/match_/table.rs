//! The tables of a series.

use super::played::{Ground, Played};
use crate::cli::output::{self, rounded};
use gdlr::ggp::series::{Outcome, Rating, Score, points, ratings, scores};
use serde_json::{Value, json};

/// How all players have done, together and by game.
pub struct Tables<'s> {
    players: &'s [&'s str],
    grounds: &'s [Ground],
    all: Vec<Score>,
    ratings: Vec<Option<Rating>>,
    /// By game.
    of_game: Vec<Vec<Score>>,
    /// By player: how many of its answers did not count.
    errors: Vec<u32>,
}

impl<'s> Tables<'s> {
    pub fn new(players: &'s [&'s str], grounds: &'s [Ground], played: &[Played]) -> Tables<'s> {
        let outcomes: Vec<Outcome> =
            played.iter().filter_map(|played| played.outcome(grounds)).collect();
        let of_game = |game: usize| {
            scores(outcomes.iter().filter(|outcome| outcome.game == game), players.len())
        };
        let mut errors = vec![0; players.len()];
        for (player, more) in played.iter().flat_map(|played| played.errors(grounds)) {
            errors[player] += more;
        }
        Tables {
            players,
            grounds,
            all: scores(&outcomes, players.len()),
            ratings: ratings(&points(&outcomes, players.len())),
            of_game: (0..grounds.len()).map(of_game).collect(),
            errors,
        }
    }

    /// Both tables, the best players first.
    pub fn text(&self) -> String {
        let mut best: Vec<usize> = (0..self.players.len()).collect();
        let rank = |&player: &usize| {
            let elo = self.ratings[player].map_or(f64::NEG_INFINITY, |rating| rating.elo);
            (elo, self.all[player].mean.unwrap_or(-1.0))
        };
        best.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(std::cmp::Ordering::Equal));
        let rows = best.iter().map(|&player| {
            let rating = self.ratings[player];
            let mut row = vec![self.players[player].to_owned()];
            row.extend(score_cells(&self.all[player]));
            row.push(rating.map_or_else(dash, |rating| format!("{:+.0}", rating.elo)));
            row.push(rating.map_or_else(dash, |rating| format!("{:.0}", rating.reach)));
            row
        });
        let header = [&["player"], &SCORE[..], &["Elo", "±"]].concat();
        let mut text = output::table_text(&output::table(&header, &[], rows.collect()));
        if self.ratings.iter().flatten().any(|rating| rating.adjusted) {
            text += "Elo with one more draw for each pair: some won or lost against all others\n";
        }
        let faulty = self.players.iter().zip(&self.errors).filter(|&(_, &errors)| errors > 0);
        let faulty: Vec<String> = faulty.map(|(name, errors)| format!("{name} {errors}")).collect();
        if !faulty.is_empty() {
            text += &format!("Answers that did not count: {}\n", faulty.join(", "));
        }
        let rows = self.grounds.iter().zip(&self.of_game).flat_map(|(ground, scores)| {
            let name = &ground.name;
            best.iter().enumerate().map(move |(place, &player)| {
                let game = if place == 0 { name.clone() } else { String::new() };
                let mut row = vec![game, self.players[player].to_owned()];
                row.extend(score_cells(&scores[player]));
                row
            })
        });
        let header = [&["game", "player"], &SCORE[..]].concat();
        text + "\n" + &output::table_text(&output::table(&header, &[1], rows.collect()))
    }

    pub fn players_json(&self) -> Value {
        let rows = self.players.iter().zip(&self.all).zip(&self.ratings).zip(&self.errors);
        rows.map(|(((name, score), rating), errors)| {
            let mut value = score_json(name, score);
            value["errors"] = json!(errors);
            value["elo"] = json!(rating.map(|rating| tenth(rating.elo)));
            value["elo_interval"] = json!(rating.map(|rating| {
                [tenth(rating.elo - rating.reach), tenth(rating.elo + rating.reach)]
            }));
            value["elo_adjusted"] = json!(rating.map(|rating| rating.adjusted));
            value
        })
        .collect()
    }

    pub fn games_json(&self) -> Value {
        let rows = self.grounds.iter().zip(&self.of_game).map(|(ground, scores)| {
            let players = self.players.iter().zip(scores);
            let players: Value = players.map(|(name, score)| score_json(name, score)).collect();
            json!({ "game": ground.name, "players": players })
        });
        rows.collect()
    }
}

/// The heading above the cells of a score.
const SCORE: [&str; 6] = ["matches", "mean goal", "95 % interval", "won", "drawn", "lost"];

fn score_cells(score: &Score) -> [String; 6] {
    let interval =
        score.interval.map(|(low, high)| format!("{} .. {}", rounded(low), rounded(high)));
    [
        score.matches.to_string(),
        score.mean.map_or_else(dash, rounded),
        interval.unwrap_or_else(dash),
        score.won.to_string(),
        score.drawn.to_string(),
        score.lost.to_string(),
    ]
}

fn dash() -> String {
    "-".to_owned()
}

fn score_json(name: &str, score: &Score) -> Value {
    json!({
        "player": name,
        "matches": score.matches,
        "mean_goal": score.mean,
        "interval": score.interval.map(|(low, high)| [low, high]),
        "won": score.won,
        "drawn": score.drawn,
        "lost": score.lost,
    })
}

/// A rating without figures that mean nothing.
fn tenth(elo: f64) -> f64 {
    (elo * 10.0).round() / 10.0
}
