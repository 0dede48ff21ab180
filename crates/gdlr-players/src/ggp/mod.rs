//! General game playing: matches between programs (SPEC, sections 7 and 8, appendix B).
//!
//! | file | what it is for |
//! |---|---|
//! | [`seat`] | one role of a match, played by a [`Player`](crate::player::Player) |
//! | [`message`] | what managers say to players, and the replies, in two protocols |
//! | [`service`] | a player of many matches: messages in, replies out |
//! | `http` | the service on a network (feature `ggp`) |
//! | `player_page` | the page that carries the service into a tab of a manager (feature `ggp`) |
//! | `round_trips` | how long those to each manager take (feature `ggp`) |
//! | [`contender`] | who plays a role for a manager, and how it is asked |
//! | [`manager`] | runs a match: clocks, replies, random moves in the place of bad ones |
//! | `client` | a player elsewhere, over HTTP (feature `ggp`) |
//! | [`record`] | what happened in a match, as a trace and as JSON |
//! | `archive` | the same in the XML of public archives (feature `ggp`) |
//! | [`thought`] | what a player thought of a turn: a line of the log of a match |
//! | [`series`] | who meets whom, and how strong that shows them to be |

#[cfg(feature = "ggp")]
pub mod archive;
#[cfg(feature = "ggp")]
pub mod client;
pub mod contender;
#[cfg(feature = "ggp")]
pub mod http;
pub mod manager;
pub mod message;
#[cfg(feature = "ggp")]
mod player_page;
pub mod record;
#[cfg(feature = "ggp")]
mod round_trips;
pub mod seat;
pub mod series;
pub mod service;
pub mod thought;
