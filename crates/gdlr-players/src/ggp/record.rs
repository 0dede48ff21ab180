//! The record of a match.
//!
//! The play of a [`Record`] is a playout of a [`Trace`], so that [`verify`](mod@gdlr_engine::play::verify)
//! replays it on any engine. What a trace has no place for stands beside it: who played, the
//! clocks, the time of every answer, and the [`Fault`]s: what was wrong with an answer, what was
//! sent, and what was played in its place.
//!
//! As JSON (feature `serde`) a record is the trace, with one key more:
//!
//! | key of an entry of `matches` | value |
//! |---|---|
//! | `id` | the identifier that the players were told |
//! | `began`, `seconds` | when it began, in seconds since 1970; how long it took |
//! | `start_clock`, `play_clock` | in seconds |
//! | `ending` | `terminal`, `cap` (`--max-steps`), `stuck`, `interrupted` or `limit` |
//! | `players` | by role: `role`, `player`, `errors`, and at which step it was `given_up` |
//! | `goals` | by role: a goal value, or null |
//! | `answers` | by step and role: seconds until the answer came, or null |
//! | `errors` | `step`, `message`, `role`, `kind`, `detail`, what was `sent`, what was `played` |
//!
//! The entries of `matches` belong to those of `playouts`, in the same order.

use gdlr_engine::engine::{RoleId, WorkLimit};
use gdlr_engine::play::trace::{Hash64, Playout, Trace, fnv1a};
use std::fmt;
use std::time::{Duration, SystemTime};

/// A request of the manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A match begins.
    Start,
    /// A move is wanted.
    Play,
    /// The match is over.
    Stop,
    /// The match is broken off.
    Abort,
}

impl Request {
    /// Its name in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Request::Start => "start",
            Request::Play => "play",
            Request::Stop => "stop",
            Request::Abort => "abort",
        }
    }
}

/// A fault of an answer, in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It was not there before the clock was over.
    Late,
    /// Nobody took the message.
    Unreachable,
    /// The connection was closed before all of the answer had come.
    Closed,
    /// It is longer than any answer needs to be.
    TooLarge,
    /// It is no proper answer of the transport, such as HTTP.
    Transport,
    /// The player failed, in its own words.
    Failed,
    /// It is not one expression of KIF.
    Unreadable,
    /// It is another word than READY, DONE or ABORTED, whichever the message asks for.
    Unexpected,
    /// It is `busy`, to START: the player does not play this match.
    Busy,
    /// It is no legal move.
    Illegal,
}

impl FaultKind {
    /// Its name in records.
    pub fn as_str(self) -> &'static str {
        match self {
            FaultKind::Late => "late",
            FaultKind::Unreachable => "unreachable",
            FaultKind::Closed => "closed",
            FaultKind::TooLarge => "too large",
            FaultKind::Transport => "transport",
            FaultKind::Failed => "failed",
            FaultKind::Unreadable => "unreadable",
            FaultKind::Unexpected => "unexpected",
            FaultKind::Busy => "busy",
            FaultKind::Illegal => "illegal",
        }
    }
}

/// An answer that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// After how many joint moves.
    pub step: u64,
    /// The request.
    pub request: Request,
    /// Who was asked.
    pub role: RoleId,
    /// The fault.
    pub kind: FaultKind,
    /// The same in more words, or nothing.
    pub detail: String,
    /// The beginning of what was sent, if anything was.
    pub sent: Option<String>,
    /// The move that was played in its place, if one was.
    pub played: Option<String>,
}

/// Who played a role, and how reliably.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// The name of the player.
    pub name: String,
    /// How many of its answers did not count.
    pub errors: u32,
    /// The step from which on it was not asked any more, if there were too many, or it was busy;
    /// nothing of a player that came back.
    pub given_up: Option<u64>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// In a terminal state.
    Terminal,
    /// At the bound on the number of steps.
    Cap,
    /// In a state that is not terminal, where this role has no legal move.
    Stuck(RoleId),
    /// Somebody broke it off.
    Interrupted,
    /// In a state that is too much for the manager's engine.
    Limit(WorkLimit),
}

impl Ending {
    /// Its name in records.
    pub fn as_str(&self) -> &'static str {
        match self {
            Ending::Terminal => "terminal",
            Ending::Cap => "cap",
            Ending::Stuck(_) => "stuck",
            Ending::Interrupted => "interrupted",
            Ending::Limit(_) => "limit",
        }
    }
}

/// The record of a match. Terms are canonical, as in traces.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The identifier that the players were told.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// Whether a role `random` or `sees` occurs.
    pub gdl2: bool,
    /// Names that differ by case alone, where case is told apart
    /// ([`SymbolTable::case_variants`](gdlr_rules::gdl::SymbolTable::case_variants)).
    pub case_variants: Vec<String>,
    /// The roles, as traces write them.
    pub roles: Vec<String>,
    /// By role: who played it.
    pub players: Vec<Participant>,
    /// The time to get ready.
    pub start_clock: Duration,
    /// The time for a move.
    pub play_clock: Duration,
    /// When it began.
    pub began: SystemTime,
    /// How long it took.
    pub lasted: Duration,
    /// The facts of every state, sorted, the initial state's first.
    pub states: Vec<Vec<String>>,
    /// The play.
    pub playout: Playout,
    /// How it ended.
    pub ending: Ending,
    /// By role: the goal value, in a match that came to its end, if there is a proper one.
    pub goals: Vec<Option<u8>>,
    /// By step and role: how long it took until the answer was there. `None` where none came,
    /// where none was asked for, and where the manager plays itself.
    pub answers: Vec<Vec<Option<Duration>>>,
    /// The answers that did not count.
    pub faults: Vec<Fault>,
}

impl Record {
    /// Matches of one game as a trace. `rulesheet` is the text of the game, for its hash.
    /// `None` of no matches.
    pub fn trace(records: &[Record], rulesheet: &[u8]) -> Option<Trace> {
        let first = records.first()?;
        Some(Trace {
            game: first.game.clone(),
            rulesheet: first.game.clone(),
            kif_fnv: Hash64(fnv1a(rulesheet)),
            gdl2: first.gdl2,
            roles: first.roles.clone(),
            init: first.states.first().cloned().unwrap_or_default(),
            perft: Vec::new(),
            perft_terminal: Vec::new(),
            perft_states: Vec::new(),
            perft_stop: None,
            playouts: records.iter().map(|record| record.playout.clone()).collect(),
            case_variants: first.case_variants.clone(),
            notes: Vec::new(),
            error: None,
            of_matches: true,
        })
    }

    /// Matches of one game as one JSON object, which [`Trace::from_json`] reads. `rulesheet` is
    /// the text of the game, for its hash. `None` of no matches.
    #[cfg(feature = "serde")]
    pub fn to_json(records: &[Record], rulesheet: &[u8]) -> Option<serde_json::Value> {
        let trace = Record::trace(records, rulesheet)?;
        let mut value = serde_json::to_value(trace).ok()?;
        value["matches"] = records.iter().map(Record::of_match).collect();
        Some(value)
    }

    /// The part that a trace has no room for: an entry of `matches`.
    #[cfg(feature = "serde")]
    pub fn of_match(&self) -> serde_json::Value {
        use serde_json::{Value, json};
        let seconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e6;
        let began = self.began.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let by_role = self.roles.iter().zip(&self.players);
        let players: Vec<Value> = by_role
            .map(|(role, player)| {
                json!({
                    "role": role,
                    "player": player.name,
                    "errors": player.errors,
                    "given_up": player.given_up,
                })
            })
            .collect();
        let errors: Vec<Value> = self
            .faults
            .iter()
            .map(|fault| {
                json!({
                    "step": fault.step,
                    "message": fault.request.as_str(),
                    "role": self.roles[fault.role.index()],
                    "kind": fault.kind.as_str(),
                    "detail": fault.detail,
                    "sent": fault.sent,
                    "played": fault.played,
                })
            })
            .collect();
        let step = |step: &Vec<Option<Duration>>| -> Value {
            step.iter().map(|after| after.map(seconds)).collect()
        };
        json!({
            "id": self.id,
            "began": seconds(began),
            "seconds": seconds(self.lasted),
            "start_clock": seconds(self.start_clock),
            "play_clock": seconds(self.play_clock),
            "ending": self.ending.as_str(),
            "players": players,
            "goals": self.goals,
            "answers": self.answers.iter().map(step).collect::<Value>(),
            "errors": errors,
        })
    }
}

/// One line, without the role: `late at step 3: nothing came before the clock was over`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.request {
            Request::Play => write!(f, "{} at step {}", self.kind.as_str(), self.step + 1)?,
            request => write!(f, "{} at {}", self.kind.as_str(), request.as_str())?,
        }
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        if let Some(sent) = &self.sent {
            write!(f, "; sent `{sent}`")?;
        }
        match &self.played {
            Some(played) => write!(f, "; plays {played} instead"),
            None => Ok(()),
        }
    }
}
