//! Random playouts: their branching, lengths and scores.

use crate::rg::{Automaton, Moves, PlayError, Search, Turn};
use gdlr_text::random::seeded;
use rand::RngExt;
use std::time::{Duration, Instant};

/// The extent of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The greatest number of plays; `None` for no limit.
    pub plays: Option<u64>,
    /// The time; a play that runs when it is over is cut.
    pub time: Option<Duration>,
    /// The number of moves after which a play is cut.
    pub length: u64,
    /// The seed of the random choices.
    pub seed: u64,
}

impl Default for Budget {
    /// A second, with plays of up to 10,000 moves.
    fn default() -> Budget {
        Budget { plays: None, time: Some(Duration::from_secs(1)), length: 10_000, seed: 1 }
    }
}

/// Statistics of some numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The number of numbers.
    pub count: u64,
    /// Their sum.
    pub sum: i64,
    /// The least number; 0 if there are none.
    pub least: i64,
    /// The largest number; 0 if there are none.
    pub most: i64,
}

impl Spread {
    fn add(&mut self, number: i64) {
        let first = self.count == 0;
        self.least = if first { number } else { self.least.min(number) };
        self.most = if first { number } else { self.most.max(number) };
        self.count += 1;
        self.sum = self.sum.saturating_add(number);
    }

    /// The mean; `None` if there are no numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// The statistics of random plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simulation {
    /// The number of plays that ended.
    pub plays: u64,
    /// The number of plays that were cut.
    pub cut: u64,
    /// The number of moves of a player, over all turns of players.
    pub branching: Spread,
    /// The number of moves of the plays that ended, without the moves of the keeper.
    pub length: Spread,
    /// The scores of each player at the ends of plays.
    pub scores: Vec<Spread>,
}

/// Plays the automaton of a game at random. All moves have the same probability.
///
/// # Errors
///
/// As [`Automaton::moves`]. The statistics so far are lost.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::{rbg, rg}; }
/// use gdlr::{rbg::{self, simulate}, rg};
/// let text = "#players = x(100) #pieces = e, p #variables =
///     #board = rectangle(up, down, left, right, [e, e, e, e])
///     #rules = (->x (left + right)* {e} [p] ->> [$ x = x + 25])*";
/// let automaton = rbg::translate(&rbg::read(text).unwrap()).unwrap();
/// let automaton = rg::Automaton::new(&automaton).unwrap();
/// let budget = simulate::Budget { plays: Some(3), ..Default::default() };
/// let seen = simulate::simulate(&automaton, &mut Default::default(), &budget).unwrap();
/// assert_eq!((seen.plays, seen.branching.mean()), (3, Some(2.5)));
/// assert_eq!((seen.length.least, seen.scores[0].most), (4, 100));
/// ```
pub fn simulate(
    automaton: &Automaton,
    search: &mut Search<'_>,
    budget: &Budget,
) -> Result<Simulation, PlayError> {
    let mut simulation = Simulation {
        scores: vec![Spread::default(); automaton.players().len()],
        ..Simulation::default()
    };
    let start = Instant::now();
    let is_late = || budget.time.is_some_and(|time| start.elapsed() >= time);
    let mut rng = seeded(budget.seed, 0);
    let mut moves = Moves::default();
    let mut begun = 0;
    while budget.plays != Some(begun) && (begun == 0 || !is_late()) {
        begun += 1;
        let mut state = automaton.initial().clone();
        let mut length = 0;
        loop {
            automaton.keep(search, &mut state)?;
            if automaton.turn(&state) == Turn::End {
                simulation.plays += 1;
                simulation.length.add(length);
                for (player, scores) in automaton.players().zip(&mut simulation.scores) {
                    automaton.score(&state, player).into_iter().for_each(|score| scores.add(score));
                }
                break;
            }
            if length as u64 == budget.length || is_late() {
                simulation.cut += 1;
                break;
            }
            automaton.moves(search, &state, &mut moves)?;
            simulation.branching.add(moves.len() as i64);
            moves.play(rng.random_range(0..moves.len()), &mut state);
            length += 1;
        }
    }
    Ok(simulation)
}
