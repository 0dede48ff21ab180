//! How players have done: mean goals, and matches won, drawn and lost.

use super::elo::Points;

/// A match that came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The game.
    pub game: usize,
    /// By seat: the player, and its goal value.
    pub seats: Vec<(usize, u8)>,
}

/// How a player has done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// In how many matches.
    pub matches: usize,
    /// The mean of its goal values.
    pub mean: Option<f64>,
    /// Where the mean of all such values lies with a chance of 95 %.
    pub interval: Option<(f64, f64)>,
    /// How many opponents had a smaller goal value, in matches of two the number of wins.
    pub won: usize,
    /// How many opponents had the same goal value.
    pub drawn: usize,
    /// How many opponents had a larger goal value.
    pub lost: usize,
}

/// How each of so many players has done in some matches.
pub fn scores<'o>(outcomes: impl IntoIterator<Item = &'o Outcome>, players: usize) -> Vec<Score> {
    let mut scores = vec![Score::default(); players];
    let mut goals: Vec<Vec<f64>> = vec![Vec::new(); players];
    for outcome in outcomes {
        for &(player, goal) in &outcome.seats {
            goals[player].push(goal.into());
        }
        for ((player, goal), (_, other)) in pairs(outcome) {
            let score = &mut scores[player];
            *match goal.cmp(&other) {
                std::cmp::Ordering::Greater => &mut score.won,
                std::cmp::Ordering::Equal => &mut score.drawn,
                std::cmp::Ordering::Less => &mut score.lost,
            } += 1;
        }
    }
    for (score, goals) in scores.iter_mut().zip(goals) {
        (score.mean, score.interval) = mean_and_interval(&goals);
        score.matches = goals.len();
    }
    scores
}

/// The score of each of so many players against each other one: in a match of several, every
/// two have a result.
pub fn points<'o>(outcomes: impl IntoIterator<Item = &'o Outcome>, players: usize) -> Points {
    let mut points = Points::new(players);
    for ((player, goal), (other, others)) in outcomes.into_iter().flat_map(pairs) {
        points.add(
            player,
            other,
            match goal.cmp(&others) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            },
        );
    }
    points
}

/// Every seat with every other one.
fn pairs(outcome: &Outcome) -> impl Iterator<Item = ((usize, u8), (usize, u8))> {
    let seats = outcome.seats.iter().enumerate();
    seats.flat_map(|(place, &seat)| {
        let others = outcome.seats.iter().enumerate().filter(move |&(other, _)| other != place);
        others.map(move |(_, &other)| (seat, other))
    })
}

/// The mean of some goal values, and the interval, within 0 to 100, in which the mean of all such
/// values lies with a chance of 95 %, by Student's distribution; no interval of fewer than two.
pub fn mean_and_interval(numbers: &[f64]) -> (Option<f64>, Option<(f64, f64)>) {
    let count = numbers.len();
    if count == 0 {
        return (None, None);
    }
    let mean = numbers.iter().sum::<f64>() / count as f64;
    if count == 1 {
        return (Some(mean), None);
    }
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    let error = (squares / (count - 1) as f64 / count as f64).sqrt();
    let reach = STUDENT.get(count - 2).copied().unwrap_or(1.96 + 2.5 / (count - 1) as f64) * error;
    (Some(mean), Some(((mean - reach).max(0.0), (mean + reach).min(100.0))))
}

/// The 97.5 % points of Student's distribution for 1, 2, … degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_intervals() {
        assert_eq!(mean_and_interval(&[]), (None, None));
        assert_eq!(mean_and_interval(&[70.0]), (Some(70.0), None));
        let (mean, interval) = mean_and_interval(&[0.0, 100.0]);
        let (low, high) = interval.expect("two numbers");
        assert_eq!(mean, Some(50.0));
        assert_eq!((low, high), (0.0, 100.0));
        let (low, high) = mean_and_interval(&[49.0, 51.0]).1.expect("two numbers");
        assert!((high - low - 2.0 * 12.706).abs() < 1e-6);
        let many: Vec<f64> = (0..400).map(|n| f64::from(n % 2) * 100.0).collect();
        let (low, high) = mean_and_interval(&many).1.expect("many numbers");
        assert!((high - low) / 2.0 > 4.9 && (high - low) / 2.0 < 4.95, "{low} {high}");
    }

    #[test]
    fn everybody_is_compared_with_everybody_else() {
        let outcomes = [
            Outcome { game: 0, seats: vec![(0, 100), (2, 30), (1, 30)] },
            Outcome { game: 1, seats: vec![(2, 50), (0, 50)] },
            Outcome { game: 2, seats: vec![(0, 7)] },
        ];
        let scores = scores(&outcomes, 4);
        let tallies: Vec<_> = scores.iter().map(|s| (s.matches, s.won, s.drawn, s.lost)).collect();
        assert_eq!(tallies, [(3, 2, 1, 0), (1, 0, 1, 1), (2, 0, 2, 1), (0, 0, 0, 0)]);
        assert_eq!(scores[2].mean, Some(40.0));
        assert_eq!((scores[3].mean, scores[1].interval), (None, None));
        let points = points(&outcomes, 4);
        assert_eq!((points.of(0, 2), points.of(2, 0)), (1.5, 0.5));
        assert_eq!((points.of(1, 2), points.of(1, 0), points.of(3, 0)), (0.5, 0.0, 0.0));
    }
}
