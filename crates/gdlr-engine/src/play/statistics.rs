//! The statistics of random playouts.

use crate::engine::{GoalError, RoleId, WorkLimit};

/// The count of a run of random playouts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Playouts that reached a terminal state.
    pub playouts: u64,
    /// The states of those playouts in which all legal moves of all roles were computed:
    /// all but the terminal ones.
    pub states: u64,
    /// Playouts cut by the bound on their length, or by a time limit long passed.
    pub capped: u64,
    /// Playouts that reached a state, not terminal, in which a role has no legal move.
    pub stuck: u64,
    /// By role, in the order of the game.
    pub roles: Vec<RoleStatistics>,
    /// The first defect of the game that was found, if any. `Batch` only
    /// counts them.
    pub defect: Option<Defect>,
    /// The time from the start to the last playout, in seconds.
    pub seconds: f64,
    /// Whether the run was broken off by the stop flag.
    pub interrupted: bool,
    /// Why the run ended early, if a state was too much for the engine.
    pub limit: Option<WorkLimit>,
}

/// The goal values of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleStatistics {
    /// By goal value 0 to 100: how many playouts ended with it.
    pub goals: [u64; 101],
    /// How many playouts ended without a proper goal value; for the role of chance, which needs
    /// none, with an improper one.
    pub improper: u64,
}

impl Default for RoleStatistics {
    fn default() -> Self {
        RoleStatistics { goals: [0; 101], improper: 0 }
    }
}

/// A defect of the game that a playout ran into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// The kind of the defect.
    pub kind: DefectKind,
    /// With which role.
    pub role: RoleId,
    /// The joint moves from the initial state, as canonical terms.
    pub play: Vec<Vec<String>>,
}

/// The kinds of [`Defect`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefectKind {
    /// The role has no legal move although the state is not terminal.
    Stuck,
    /// The role has no proper goal value although the state is terminal.
    Goal(GoalError),
}

impl Statistics {
    /// No playouts yet, for so many roles.
    pub fn new(roles: usize) -> Self {
        Statistics { roles: vec![RoleStatistics::default(); roles], ..Statistics::default() }
    }

    /// Adds what another thread counted. Of the two defects the one of `self` is kept;
    /// the longer time counts.
    pub fn merge(&mut self, other: Statistics) {
        self.playouts += other.playouts;
        self.states += other.states;
        self.capped += other.capped;
        self.stuck += other.stuck;
        for (mine, theirs) in self.roles.iter_mut().zip(&other.roles) {
            for (count, more) in mine.goals.iter_mut().zip(&theirs.goals) {
                *count += more;
            }
            mine.improper += theirs.improper;
        }
        if self.defect.is_none() {
            self.defect = other.defect;
        }
        self.seconds = self.seconds.max(other.seconds);
        self.interrupted |= other.interrupted;
        if self.limit.is_none() {
            self.limit = other.limit;
        }
    }

    /// Joint moves of a finished playout, on average; `None` before the first.
    pub fn mean_length(&self) -> Option<f64> {
        (self.playouts > 0).then(|| self.states as f64 / self.playouts as f64)
    }

    /// Finished playouts in a second.
    pub fn playouts_per_second(&self) -> f64 {
        rate(self.playouts, self.seconds)
    }

    /// States in a second.
    pub fn states_per_second(&self) -> f64 {
        rate(self.states, self.seconds)
    }
}

fn rate(count: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}

impl RoleStatistics {
    /// The mean of the proper goal values; `None` when there was none.
    pub fn mean_goal(&self) -> Option<f64> {
        let (mut count, mut sum) = (0, 0);
        for (value, &times) in (0u64..).zip(&self.goals) {
            count += times;
            sum += value * times;
        }
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// The values that occurred, ascending, and how often.
    pub fn values(&self) -> impl Iterator<Item = (u8, u64)> {
        (0u8..=100).zip(self.goals).filter(|&(_, count)| count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_adds() {
        let mut one = Statistics::new(1);
        one.playouts = 2;
        one.states = 10;
        one.roles[0].goals[100] = 2;
        let mut two = one.clone();
        two.roles[0].goals[0] = 2;
        two.roles[0].goals[100] = 0;
        two.seconds = 4.0;
        one.merge(two);
        assert_eq!(one.mean_length(), Some(5.0));
        assert_eq!(one.roles[0].mean_goal(), Some(50.0));
        assert_eq!(one.playouts_per_second(), 1.0);
        assert_eq!(Statistics::new(1).mean_length(), None);
        assert_eq!(RoleStatistics::default().mean_goal(), None);
    }
}
