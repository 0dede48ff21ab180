//! The report of a player on its search, for hints and the logs of matches.

use crate::engine::MoveId;
use std::time::Duration;

/// The evaluation of a turn by a player. Moves are numbered by the engine of that turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The expected values of its legal moves; the move that it prefers comes first.
    pub estimates: Vec<Estimate>,
    /// The joint moves that it expects from now on, one of all roles each.
    pub main_line: Vec<Vec<MoveId>>,
    /// The work that it did.
    pub effort: Effort,
}

/// The expected value of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The move.
    pub id: MoveId,
    /// How often it was tried.
    pub visits: u32,
    /// The mean goal value of the role, 0 to 100; `None` if it was never tried.
    pub mean: Option<f32>,
    /// The goal value of the role, if it is certain.
    pub certain: Option<u8>,
}

impl Estimate {
    /// The goal value that is expected of it, the certain one if there is one.
    pub fn value(&self) -> Option<f32> {
        self.certain.map(f32::from).or(self.mean)
    }
}

/// The work of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Playouts that ended.
    pub playouts: u64,
    /// Leaves that were played out.
    pub leaves: u64,
    /// Descents that ended in a state whose value is certain.
    pub certain: u64,
    /// How long it took.
    pub time: Duration,
    /// States of which something is known.
    pub nodes: usize,
    /// The most joint moves that were looked ahead.
    pub depth: usize,
    /// Memory, in bytes.
    pub memory: usize,
}

impl Effort {
    /// Playouts in a second.
    pub fn playouts_per_second(&self) -> f64 {
        match self.time.is_zero() {
            true => 0.0,
            false => self.playouts as f64 / self.time.as_secs_f64(),
        }
    }
}
