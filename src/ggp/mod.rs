//! General game playing: matches between programs (SPEC, sections 7 and 8, appendix B).
//!
//! | file | what it is for |
//! |---|---|
//! | [`seat`] | one role of a match, played by a [`Player`](crate::play::player::Player) |

pub mod seat;
