//! Ratings: how strong players are, by what they scored against each other.
//!
//! The model is that of Bradley and Terry: of two players the one scores with the chance
//! 1 / (1 + 10^(−d/400)), where d is how much higher its rating is. A draw is a half for both.
//! The ratings are those that make the results most likely, and their mean is 0. The 95 %
//! interval is that of a rating against this mean, from the curvature of the likelihood
//! (Fisher's information): it is rather too wide where there are many draws, and takes the
//! results of one match of several roles for independent ones.
//!
//! Such ratings exist only if no group of players took everything from the others (Ford's
//! condition): somebody who has won throughout would be infinitely strong. Then everybody is
//! given one more draw against each player that it met, and the ratings are said to be
//! [adjusted](Rating::adjusted). Players who never met, nor met anybody who met …, cannot be
//! compared: only the largest group of those who can is rated.

use gdlr_text::graph;

/// Elo of a natural unit: of odds of e to 1.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_964;

/// The most steps of Newton's method, which takes about five.
const STEPS: usize = 200;

/// The score of each player against each other one.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    players: usize,
    /// By player and opponent.
    points: Vec<f64>,
    met: Vec<bool>,
}

impl Points {
    /// Nobody has met anybody.
    pub fn new(players: usize) -> Points {
        let pairs = players * players;
        Points { players, points: vec![0.0; pairs], met: vec![false; pairs] }
    }

    /// A player has scored so much against another one, 0 to 1. What the other one scored is to
    /// be added, too.
    pub fn add(&mut self, player: usize, other: usize, points: f64) {
        let place = player * self.players + other;
        self.points[place] += points;
        self.met[place] = true;
    }

    /// The score of a player against another one.
    pub fn of(&self, player: usize, other: usize) -> f64 {
        self.points[player * self.players + other]
    }

    fn met(&self, player: usize, other: usize) -> bool {
        self.met[player * self.players + other]
    }

    /// The largest group of players of whom each two have met, if only through others.
    fn group(&self) -> Vec<usize> {
        let mut largest = Vec::new();
        for group in self.components(|points, one, other| points.met(one, other)) {
            // Of groups of one size it is the one with the first player.
            if (group.len(), largest.first()) > (largest.len(), group.first()) {
                largest = group;
            }
        }
        largest
    }

    /// Whether, however a group is divided, each part scored against the other.
    fn is_balanced(&self) -> bool {
        self.components(|points, one, other| points.of(one, other) > 0.0).len() <= 1
    }

    /// The players by strongly connected components, each in order.
    fn components(&self, edge: impl Fn(&Points, usize, usize) -> bool) -> Vec<Vec<usize>> {
        let of = |player| {
            let others = (0..self.players).filter(|&other| edge(self, player, other));
            others.map(|other| other as u32).collect()
        };
        let successors: Vec<Vec<u32>> = (0..self.players).map(of).collect();
        let components = graph::strongly_connected(&successors).into_iter().map(|component| {
            let mut players: Vec<usize> = component.into_iter().map(|p| p as usize).collect();
            players.sort_unstable();
            players
        });
        components.collect()
    }

    /// The points of some players only.
    fn among(&self, players: &[usize]) -> Points {
        let mut points = Points::new(players.len());
        for (place, &player) in players.iter().enumerate() {
            for (beside, &other) in players.iter().enumerate() {
                if self.met(player, other) {
                    points.add(place, beside, self.of(player, other));
                }
            }
        }
        points
    }

    /// One more draw of everybody against each player that it met.
    fn adjust(&mut self) {
        for (points, _) in self.points.iter_mut().zip(&self.met).filter(|&(_, &met)| met) {
            *points += 0.5;
        }
    }
}

/// How strong a player is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Its Elo; the mean of all who are rated is 0.
    pub elo: f64,
    /// Half the width of the interval in which it lies with a chance of 95 %.
    pub reach: f64,
    /// Whether one more draw for each pair was needed to have ratings at all.
    pub adjusted: bool,
}

/// The rating of each player; `None` of those who cannot be compared with the others.
///
/// ```
/// # mod gdlr { pub use gdlr_players::ggp; }
/// use gdlr::ggp::series::{Points, ratings};
///
/// let mut points = Points::new(2);
/// (0..10).for_each(|_| points.add(0, 1, 1.0)); // the first has won ten times
/// points.add(1, 0, 1.0); // and lost once
/// let ratings = ratings(&points);
/// assert_eq!(ratings[0].unwrap().elo.round(), 200.0); // 400 more: odds of 10 to 1
/// ```
pub fn ratings(points: &Points) -> Vec<Option<Rating>> {
    let mut ratings = vec![None; points.players];
    let group = points.group();
    if group.len() < 2 {
        return ratings;
    }
    let mut points = points.among(&group);
    let adjusted = !points.is_balanced();
    if adjusted {
        points.adjust();
    }
    let (strengths, errors) = most_likely(&points);
    for ((player, strength), error) in group.into_iter().zip(strengths).zip(errors) {
        let (elo, reach) = (ELO * strength, ELO * NORMAL * error);
        ratings[player] = Some(Rating { elo, reach, adjusted });
    }
    ratings
}

/// The strengths of the largest likelihood, with mean 0, and their standard errors, by Newton's
/// method. There must be one such.
fn most_likely(points: &Points) -> (Vec<f64>, Vec<f64>) {
    let count = points.players;
    let mut strengths = vec![0.0; count];
    let mut inverse = inverse_of(information(points, &strengths), count);
    for _ in 0..STEPS {
        // By player: how much more it scored than it should have.
        let surplus: Vec<f64> = (0..count)
            .map(|player| {
                let expected = |other: usize| {
                    let games = points.of(player, other) + points.of(other, player);
                    points.of(player, other) - games * chance(strengths[player] - strengths[other])
                };
                (0..count).map(expected).sum()
            })
            .collect();
        let row = |player: usize| &inverse[player * count..][..count];
        let step: Vec<f64> = (0..count)
            .map(|player| row(player).iter().zip(&surplus).map(|(a, b)| a * b).sum())
            .collect();
        let largest = step.iter().fold(0.0, |most: f64, size: &f64| most.max(size.abs()));
        // A long step may lead too far.
        let part = 1.0 / largest.max(1.0);
        strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += part * step);
        inverse = inverse_of(information(points, &strengths), count);
        if largest < 1e-9 {
            break;
        }
    }
    // That all move together was taken to be known; it is not in the errors.
    let variance = |player: usize| inverse[player * count + player] - 1.0 / count as f64;
    let errors = (0..count).map(|player| variance(player).max(0.0).sqrt()).collect();
    (strengths, errors)
}

/// The chance of who is so much stronger.
fn chance(stronger: f64) -> f64 {
    1.0 / (1.0 + (-stronger).exp())
}

/// Fisher's information about the strengths, row by row. Of all strengths together there is
/// none, which would leave it without an inverse: in this direction it is made 1.
fn information(points: &Points, strengths: &[f64]) -> Vec<f64> {
    let count = points.players;
    let mut matrix = vec![1.0 / count as f64; count * count];
    for player in 0..count {
        for other in (0..count).filter(|&other| other != player) {
            let games = points.of(player, other) + points.of(other, player);
            let wins = chance(strengths[player] - strengths[other]);
            let information = games * wins * (1.0 - wins);
            matrix[player * count + player] += information;
            matrix[player * count + other] -= information;
        }
    }
    matrix
}

/// The inverse of a positive definite matrix, by elimination.
fn inverse_of(mut matrix: Vec<f64>, count: usize) -> Vec<f64> {
    for pivot in 0..count {
        let scale = 1.0 / matrix[pivot * count + pivot];
        matrix[pivot * count + pivot] = 1.0;
        matrix[pivot * count..][..count].iter_mut().for_each(|value| *value *= scale);
        let row = matrix[pivot * count..][..count].to_vec();
        for other in (0..count).filter(|&other| other != pivot) {
            let times = std::mem::take(&mut matrix[other * count + pivot]);
            let others = &mut matrix[other * count..][..count];
            others.iter_mut().zip(&row).for_each(|(value, of_row)| *value -= times * of_row);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results as `(winner, loser, wins, draws, losses)`.
    fn points(players: usize, results: &[(usize, usize, u32, u32, u32)]) -> Points {
        let mut points = Points::new(players);
        for &(one, other, won, drawn, lost) in results {
            for (times, share) in [(won, 1.0), (drawn, 0.5), (lost, 0.0)] {
                for _ in 0..times {
                    points.add(one, other, share);
                    points.add(other, one, 1.0 - share);
                }
            }
        }
        points
    }

    fn elos(points: &Points) -> Vec<f64> {
        ratings(points).iter().map(|rating| rating.expect("a rating").elo).collect()
    }

    #[test]
    fn two_players_are_apart_as_they_scored() {
        // 30 of 40 points: odds of 3 to 1.
        let points = points(2, &[(0, 1, 25, 10, 5)]);
        let ratings = ratings(&points);
        let [one, other] = [ratings[0].expect("rated"), ratings[1].expect("rated")];
        assert!((one.elo - other.elo - 400.0 * 3f64.log10()).abs() < 1e-6, "{one:?}");
        assert!((one.elo + other.elo).abs() < 1e-6 && !one.adjusted);
        // The variance of the distance is 1 / (40 · 3/4 · 1/4).
        let reach = 1.959_964 / 7.5f64.sqrt() * 400.0 / 10f64.ln() / 2.0;
        assert!((one.reach - reach).abs() < 1e-3 && (one.reach - other.reach).abs() < 1e-9);
    }

    #[test]
    fn what_fits_the_model_is_found_again() {
        let strengths = [1.5, 0.25, -0.75, -1.0];
        let mut points = Points::new(4);
        for one in 0..4 {
            for other in (0..4).filter(|&other| other != one) {
                for _ in 0..1000 {
                    points.add(one, other, chance(strengths[one] - strengths[other]));
                }
            }
        }
        for (elo, strength) in elos(&points).iter().zip(strengths) {
            assert!((elo - ELO * strength).abs() < 1e-6, "{elo} {strength}");
        }
    }

    #[test]
    fn the_score_of_everybody_is_the_expected_one() {
        // The maximum of the likelihood, for unequal numbers of games.
        let points =
            points(4, &[(0, 1, 7, 2, 1), (1, 2, 3, 0, 3), (2, 3, 1, 9, 0), (3, 0, 1, 0, 40)]);
        let strengths: Vec<f64> = elos(&points).iter().map(|elo| elo / ELO).collect();
        for one in 0..4 {
            let sum = |of: &dyn Fn(usize) -> f64| (0..4).map(of).sum::<f64>();
            let expected = sum(&|other| {
                (points.of(one, other) + points.of(other, one))
                    * chance(strengths[one] - strengths[other])
            });
            assert!((sum(&|other| points.of(one, other)) - expected).abs() < 1e-6);
        }
        assert!(strengths.iter().sum::<f64>().abs() < 1e-9);
    }

    #[test]
    fn who_won_throughout_has_a_rating_still() {
        let ratings = |games| {
            let points = points(3, &[(0, 1, games, 0, 0), (0, 2, games, 0, 0), (1, 2, 5, 0, 5)]);
            super::ratings(&points).into_iter().map(|r| r.expect("rated")).collect::<Vec<_>>()
        };
        let (few, many) = (ratings(2), ratings(50));
        assert!(few.iter().chain(&many).all(|rating| rating.adjusted && rating.reach > 0.0));
        assert!(many[0].elo > few[0].elo && few[0].elo > 100.0 && many[0].elo < 2000.0);
        assert!((many[1].elo - many[2].elo).abs() < 1e-6);
        // The whole of it is above the others.
        assert!(many[0].elo - many[0].reach > many[1].elo + many[1].reach);
        // Long chains of those who took everything from the next are no problem.
        let chain: Vec<_> = (0..29).map(|one| (one, one + 1, 1000, 0, 0)).collect();
        let elos = elos(&points(30, &chain));
        assert!(elos.windows(2).all(|two| two[0] > two[1] + 1000.0), "{elos:?}");
    }

    #[test]
    fn who_met_nobody_is_not_rated() {
        let rated = |points: &Points| -> Vec<bool> {
            ratings(points).iter().map(Option::is_some).collect()
        };
        assert_eq!(rated(&Points::new(2)), [false, false]);
        assert!(rated(&Points::new(0)).is_empty());
        let points = points(6, &[(1, 2, 1, 0, 1), (3, 4, 1, 0, 1), (4, 5, 0, 1, 0)]);
        assert_eq!(rated(&points), [false, false, false, true, true, true]);
    }
}
