//! Matches between programs: the player, the manager, Stanford's manager, series, and what is hidden from players.

mod gamemaster;
mod hidden;
mod matches;
mod series;
mod serve;
