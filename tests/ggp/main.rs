//! Matches between programs: the player, the manager, series, and what is hidden from players.

mod hidden;
mod matches;
mod series;
mod serve;
