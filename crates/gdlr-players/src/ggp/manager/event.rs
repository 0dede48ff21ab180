//! The events of a match, for those who look on.

use crate::ggp::contender::NoAnswer;
use crate::ggp::record::{Fault, Request};
use crate::ggp::thought::Thought;
use gdlr_engine::engine::RoleId;
use gdlr_rules::gdl::Term;
use std::time::Duration;

/// An event of a match.
#[derive(Debug)]
pub enum Event<'a> {
    /// These players are asked, after so many joint moves.
    Asked(Request, u64, &'a [RoleId]),
    /// An answer is there, after this time.
    Answered(RoleId, Duration),
    /// An answer does not count.
    Fault(&'a Fault),
    /// Nobody takes the message to a player: it is sent again until the clock is over. Told once for
    /// each message.
    Unreachable(RoleId, &'a NoAnswer),
    /// A player is not asked any more.
    GivenUp(RoleId),
    /// A player that was given up, since nobody could reach it, answers INFO: it is asked again.
    Returned(RoleId),
    /// The evaluation of a turn by a player on this machine; comes before its answer is judged.
    Thought(RoleId, &'a Thought),
    /// The joint move that ends this step, counted from 0, is played, and leads to a state with
    /// these facts.
    Played(u64, &'a [String], &'a [Term]),
}
