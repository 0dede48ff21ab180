//! The parts of a series: games, and matches that were played.

use super::settings::Clocks;
use crate::cli::engine::TimedEngine;
use crate::cli::playable::Playable;
use gdlr::engine::RoleId;
use gdlr::ggp::message::Dialect;
use gdlr::ggp::record::Record;
use gdlr::ggp::series::{self, Fixture};
use gdlr::set_up::Handover;
use std::sync::Arc;

/// A game of the series, set up once for all its matches.
pub struct Ground {
    /// Its name in the file.
    pub name: String,
    pub clocks: Clocks,
    /// How players elsewhere are told of a step; `None` for what the game needs.
    pub dialect: Option<Dialect>,
    pub playable: Playable,
    pub timed: TimedEngine,
    /// The engines of players on this machine, if there are any.
    pub engines: Option<Arc<Handover>>,
    /// The roles that players take.
    pub seats: Vec<RoleId>,
}

/// A match that was played.
pub struct Played {
    pub number: usize,
    pub fixture: Fixture,
    /// Without the states, of which there are too many for all matches.
    pub record: Record,
    /// Why the record could not be written, if it could not.
    pub unwritten: Option<String>,
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
}

impl Played {
    /// By seat: the player and its goal value, if the match came to its end and all have one.
    pub fn outcome(&self, grounds: &[Ground]) -> Option<series::Outcome> {
        let seats = &grounds[self.fixture.game].seats;
        let with_goal = seats.iter().zip(&self.fixture.players);
        let seats = with_goal
            .map(|(role, &player)| self.record.goals[role.index()].map(|goal| (player, goal)));
        Some(series::Outcome { game: self.fixture.game, seats: seats.collect::<Option<_>>()? })
    }

    /// By player of the match: the player, and how many of its answers did not count.
    pub fn errors<'p>(&'p self, grounds: &'p [Ground]) -> impl Iterator<Item = (usize, u32)> {
        let seats = &grounds[self.fixture.game].seats;
        let errors = |role: &RoleId| self.record.players[role.index()].errors;
        self.fixture.players.iter().copied().zip(seats.iter().map(errors))
    }
}
