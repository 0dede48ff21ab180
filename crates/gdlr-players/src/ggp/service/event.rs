//! The events of the matches of a service, for a log.

use crate::ggp::thought::Thought;
use std::fmt;
use std::time::Duration;

/// An event of a match, for a log.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// A message came that is none.
    Unreadable {
        /// Why.
        why: &'a str,
    },
    /// It has begun.
    Started {
        /// The match.
        id: &'a str,
        /// Whom the player plays.
        role: &'a str,
        /// How many rules the game has.
        rules: usize,
        /// The time to get ready.
        start_clock: Duration,
        /// The time for each move.
        play_clock: Duration,
    },
    /// It has not begun.
    Refused {
        /// The match.
        id: &'a str,
        /// Why.
        why: &'a str,
    },
    /// The player has given a move.
    Moved {
        /// The match.
        id: &'a str,
        /// The evaluation of the player.
        thought: &'a Thought,
    },
    /// A move was told that cannot have been played.
    OutOfTurn {
        /// The match.
        id: &'a str,
        /// The last step, as the message has it.
        last: &'a str,
    },
    /// The manager has played another move for the player: its answer came too late.
    Missed {
        /// The match.
        id: &'a str,
        /// The move that was given.
        given: &'a str,
        /// The move that was played.
        played: &'a str,
    },
    /// It is over.
    Ended {
        /// The match.
        id: &'a str,
        /// Whom the player plays.
        role: &'a str,
        /// How many moves were asked for.
        turns: u64,
        /// The goal value of the player; nothing if the match was broken off.
        goal: Option<u8>,
    },
}

/// On one line.
impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Event::Unreadable { why } => f.write_str(why),
            Event::Started { id, role, rules, start_clock, play_clock } => {
                let (start, play) = (start_clock.as_secs(), play_clock.as_secs());
                write!(f, "{id}: begins as {role}, {rules} rules, clocks of {start} s and {play} s")
            }
            Event::Refused { id, why } => write!(f, "{id}: refused: {why}"),
            Event::Moved { id, thought } => write!(f, "{id}: {thought}"),
            Event::OutOfTurn { id, last } => {
                write!(f, "{id}: `{last}` cannot have been played last")
            }
            Event::Missed { id, given, played } => {
                write!(f, "{id}: the manager played {played}, not {given}: answers leave earlier")
            }
            Event::Ended { id, role, turns, goal } => {
                let plural = if turns == 1 { "" } else { "s" };
                write!(f, "{id}: over as {role} after {turns} turn{plural}, ")?;
                match goal {
                    Some(goal) => write!(f, "goal {goal}"),
                    None => f.write_str("broken off"),
                }
            }
        }
    }
}
