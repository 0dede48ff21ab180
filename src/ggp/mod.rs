//! General game playing: matches between programs (SPEC, sections 7 and 8, appendix B).
//!
//! | file | what it is for |
//! |---|---|
//! | [`seat`] | one role of a match, played by a [`Player`](crate::play::player::Player) |
//! | [`message`] | what managers and players say to one another |
//! | [`service`] | a player of many matches: messages in, replies out |
//! | `http` | the service on a network; behind the feature `ggp` |

#[cfg(feature = "ggp")]
pub mod http;
pub mod message;
pub mod seat;
pub mod service;
