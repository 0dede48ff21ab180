//! The messages of managers and players (SPEC, section 8 and appendix B).
//!
//! A [`Message`] is what a manager says, a [`Reply`] is the answer. START, PLAY and STOP are those of
//! SPEC; INFO, PREVIEW and ABORT are what managers send besides. Managers speak one of two
//! protocols ([`Protocol`]): expressions of general game playing, or the calls of Stanford's course. A
//! [`Letter`] is a message in either, and knows how its answer is written.
//!
//! PLAY and STOP of general game playing have two dialects. That of SPEC tells the joint move; that of
//! games of incomplete information (Thielscher, 2010) tells the turn, what the player itself did, and
//! what it sees. A call tells the one move that was played.
//!
//! | file | what it is for |
//! |---|---|
//! | `expressions` | messages and replies as expressions |
//! | `calls` | messages and replies as calls |

mod calls;
mod expressions;
#[cfg(test)]
mod tests;

use calls::Envelope;
use gdlr_engine::engine::{Engine, RoleId};
use gdlr_engine::play::sampler::Observation;
use gdlr_rules::gdl::{Game, Reading, SymbolTable, Term};
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::kif::{self, Document, Expr};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A message of a manager to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `(INFO)`: who are you, and are you free? The call is `ping()`.
    Info,
    /// `(PREVIEW (RULES…) CLOCK)`: a game that will be played later.
    Preview {
        /// The rulesheet.
        rules: Rules,
        /// The time to look at it, in seconds.
        clock: u32,
    },
    /// `(START ID ROLE (RULES…) STARTCLOCK PLAYCLOCK)`: a match begins.
    Start {
        /// The name of the match, exactly as written. With calls it is that of the player.
        id: String,
        /// The role to play, on one line.
        role: String,
        /// The rulesheet.
        rules: Rules,
        /// The time to get ready, in seconds.
        start_clock: u32,
        /// The time for each move, in seconds.
        play_clock: u32,
    },
    /// `(PLAY ID LAST)`: choose a move.
    Play {
        /// The match.
        id: String,
        /// The step that led to the state to move in.
        last: Last,
    },
    /// `(STOP ID LAST)`: the match is over.
    Stop {
        /// The match.
        id: String,
        /// The step that led to the end.
        last: Last,
    },
    /// `(ABORT ID)`: the match is broken off.
    Abort {
        /// The match.
        id: String,
    },
}

/// The rulesheet of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The rules.
    pub document: Arc<Document>,
    /// The text in which they have their places.
    pub text: Arc<str>,
}

impl Rules {
    /// The game that they are.
    ///
    /// # Errors
    ///
    /// The first reason why they are none, with its place.
    pub(super) fn game(&self, name: &str, reading: Reading) -> Result<Game, String> {
        Game::from_document(name, self.document.clone(), reading)
            .map_err(|errors| first_of(&errors, &self.text))
    }

    /// A diagnostic of the rules, with its place in their text.
    pub(super) fn place(&self, diagnostic: &Diagnostic) -> String {
        first_of(std::slice::from_ref(diagnostic), &self.text)
    }
}

/// The first diagnostic of a text, with its place there.
fn first_of(errors: &[Diagnostic], text: &str) -> String {
    const MOST: usize = 60;
    let Some(error) = errors.first() else { return String::new() };
    let place = error.span.locate(text);
    let there = text.get(error.span.range()).unwrap_or_default().lines().next().unwrap_or_default();
    let shown: String = there.chars().take(MOST).collect();
    let more = if shown.len() < there.len() { "…" } else { "" };
    format!("[{}] {}, at {place}: `{shown}{more}`", error.code, error.message)
}

/// The language of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Expressions of general game playing: `(PLAY match NIL)`.
    #[default]
    Ggp,
    /// Calls between the manager and the players of Stanford's course, each in an envelope:
    /// `message(3,manager,gdlr,play(mark(1,2)))`.
    Gamemaster,
}

/// How players are told of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// By the joint move (SPEC).
    JointMove,
    /// By the own move and percepts (GDL-II).
    Percepts,
}

/// The last step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// `NIL`: nothing, the match begins.
    Nothing,
    /// `(MOVE…)`: what each role played, in the order of the roles.
    Joint(Vec<Expr>),
    /// What the role in control played; the others did nothing. Calls tell it so.
    One {
        /// The number of the message.
        message: u64,
        /// The move.
        action: Expr,
    },
    /// `TURN MOVE (PERCEPT…)`: what the player itself played, and what it sees.
    Own {
        /// The number of the turn, as the manager counts.
        turn: u64,
        /// The player's own move; nothing when the match begins.
        action: Option<Expr>,
        /// Its percepts.
        percepts: Vec<Expr>,
    },
}

/// Why a text is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageError {
    /// The text cannot be read, for the reason given.
    Unreadable(String),
    /// It has not this form.
    NoMessage(&'static str),
    /// There is no such keyword; there are these.
    Unknown(String, &'static str),
    /// The arguments are not those of this form.
    Malformed(&'static str),
    /// The rules in it cannot be read, for the reason given.
    Rules(String),
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MessageError::Unreadable(why) => write!(f, "the message cannot be read: {why}"),
            MessageError::NoMessage(form) => write!(f, "a message is {form}"),
            MessageError::Unknown(keyword, known) => {
                write!(f, "there is no message `{keyword}`; send {known}")
            }
            MessageError::Malformed(form) => write!(f, "the message should be {form}"),
            MessageError::Rules(why) => write!(f, "the rules cannot be read: {why}"),
        }
    }
}

impl std::error::Error for MessageError {}

/// A message as it came, and how its answer is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The message.
    pub message: Message,
    /// Between whom a call goes.
    envelope: Option<Envelope>,
}

impl Letter {
    /// Reads a message of a protocol.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_players::ggp; }
    /// use gdlr::ggp::message::{Letter, Message, Protocol, Reply};
    ///
    /// let letter = Letter::read("message(3,manager,us,ping())", Protocol::Gamemaster).unwrap();
    /// assert_eq!(letter.message, Message::Info);
    /// assert_eq!(letter.answer(&Reply::Ready).unwrap(), "message(3,us,manager,ready)");
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is none.
    pub fn read(text: &str, protocol: Protocol) -> Result<Letter, MessageError> {
        match protocol {
            Protocol::Ggp => Ok(Letter { message: Message::parse(text)?, envelope: None }),
            Protocol::Gamemaster => {
                let (message, envelope) = calls::read(text)?;
                Ok(Letter { message, envelope: Some(envelope) })
            }
        }
    }

    /// The text that goes back. To a call it is empty where players of the course answer nothing.
    ///
    /// # Errors
    ///
    /// Why there is nothing to say, where the protocol has no word for that.
    pub fn answer(&self, reply: &Reply) -> Result<String, String> {
        match &self.envelope {
            None => Ok(reply.to_string()),
            Some(envelope) => envelope.answer(reply),
        }
    }
}

/// An answer of a player. As an expression it has READY and DONE in capitals, as SPEC 8.4 writes
/// them; the other words are as players in use write them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To START: the match may begin.
    Ready,
    /// To PLAY: a move, as the rules of START spell it.
    Move(String),
    /// To PLAY: the only move of a role that is not in control, which does nothing.
    Idle(String),
    /// To PLAY: there is no move, for this reason: what was played last cannot have been, or the
    /// match is over.
    NoMove(Cow<'static, str>),
    /// To STOP and PREVIEW.
    Done,
    /// The player does not play this match, for this reason.
    Busy(Cow<'static, str>),
    /// To ABORT.
    Aborted,
    /// To INFO.
    Info {
        /// The name of the player.
        name: String,
        /// Whether another match may begin.
        available: bool,
    },
}

/// A term as an expression, in the names of `symbols`.
fn expr(term: &Term, symbols: &SymbolTable) -> Expr {
    read(&term.spelled(symbols))
}

/// Reads what was written of a game that was read.
fn read(text: &str) -> Expr {
    kif::read(text).expect("names of a game can be read again").items.swap_remove(0)
}

impl Last {
    /// The observation of a role of the last step, in the names of an engine's game; nothing when the
    /// match begins. `turn` is how many joint moves were played. A joint move is told in percepts
    /// as `(did ROLE MOVE)` of each role; percepts are never told as a joint move.
    pub fn of<E: Engine>(
        observation: Option<&Observation>,
        turn: u64,
        dialect: Dialect,
        role: RoleId,
        engine: &E,
    ) -> Last {
        let symbols = engine.symbols();
        match (observation, dialect) {
            (None, Dialect::JointMove) => Last::Nothing,
            (None, Dialect::Percepts) => Last::Own { turn, action: None, percepts: Vec::new() },
            (Some(Observation::Joint(moves)), Dialect::JointMove) => {
                Last::Joint(moves.iter().map(|term| expr(term, symbols)).collect())
            }
            (Some(Observation::Joint(moves)), Dialect::Percepts) => {
                let did = |(name, term): (&String, &Term)| {
                    read(&format!("(did {name} {})", term.spelled(symbols)))
                };
                let percepts = engine.roles().names().iter().zip(moves).map(did).collect();
                let own = moves.get(role.index());
                Last::Own { turn, action: own.map(|term| expr(term, symbols)), percepts }
            }
            (Some(Observation::Own { action, percepts }), _) => Last::Own {
                turn,
                action: Some(expr(action, symbols)),
                percepts: percepts.iter().map(|term| expr(term, symbols)).collect(),
            },
        }
    }
}
