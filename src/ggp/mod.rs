//! General game playing: matches between programs (SPEC, sections 7 and 8, appendix B).
//!
//! | file | what it is for |
//! |---|---|
//! | [`contender`] | who plays a role, and how it is asked |
//! | [`manager`] | runs a match between players: clocks, replies, random moves in the place of bad ones |
//! | [`request`] | what a manager says |
//! | [`record`] | what happened in a match, as a trace and as JSON |
//! | `archive` | the same in the XML of public archives (feature `ggp`) |
//! | `client` | a player elsewhere, over HTTP (feature `ggp`) |
//! | [`seat`] | one role of a match, played by a [`Player`](crate::play::player::Player) |

#[cfg(feature = "ggp")]
pub mod archive;
#[cfg(feature = "ggp")]
pub mod client;
pub mod contender;
pub mod manager;
pub mod record;
pub mod request;
pub mod seat;
