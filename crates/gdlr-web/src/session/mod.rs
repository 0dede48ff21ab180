//! A match that people and programs play and watch.
//!
//! | file | what it is for |
//! |---|---|
//! | `timeline` | the states, and how play went from one to the next |
//! | `seat` | who plays a role |
//! | `table` | whose moves are awaited, and what comes next |
//! | `task` | a player thinks |
//! | `drive` | does what comes next, until a move has to come from outside |
//! | `view` | a state, and how the match stands, as JSON |
//! | `thought` | what a player expects, as JSON |
//! | `eyes` | what a role knows for sure where the state is hidden |
//! | `reasons` | why a sentence holds, and the instances of a rule |
//! | `record` | the match as a record, and back |
//!
//! The table is behind a lock that nobody holds while a player thinks, so a request is answered at
//! once. Whatever changes is told to all who listen.

mod drive;
mod event;
mod eyes;
mod reasons;
mod record;
mod seat;
mod table;
mod task;
mod thought;
mod timeline;
mod view;

pub use event::Event;
pub use record::read;
pub use seat::Who;
pub use view::StateView;

use super::loaded::Loaded;
use super::refusal::Refusal;
use eyes::Eyes;
use gdlr_engine::engine::{Engine, RoleId, WorkLimit, written_term};
use gdlr_rules::explain::Question;
use gdlr_rules::gdl::{Symbol, Term};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::kif;
use reasons::{ExplainRequest, Moment};
use seat::Seat;
use serde_json::Value;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use table::{NotTaken, Table};
use timeline::Timeline;
use tokio::sync::{Semaphore, broadcast};

/// How many events wait for who listens; beyond that one misses some, and is told how things stand.
const WAITING: usize = 64;

/// A match, and all who follow it.
pub struct Session {
    pub id: String,
    pub loaded: Arc<Loaded>,
    /// Whether everybody is shown everything.
    omniscient: bool,
    table: Mutex<Table>,
    /// By role.
    eyes: Vec<Mutex<Eyes>>,
    events: broadcast::Sender<Event>,
    /// The last thought of this turn.
    thought: Mutex<Option<Event>>,
    /// A thought that is not told before those outside have chosen, and its step.
    withheld: Mutex<Option<(usize, Event)>>,
    /// Who may think at the same time, in all matches.
    thinkers: Arc<Semaphore>,
}

/// How a match begins.
#[derive(Debug)]
pub struct Opening {
    /// By role; chance draws whatever is said.
    pub players: Vec<Who>,
    pub think: Duration,
    pub seed: u64,
    pub omniscient: bool,
    /// The joint moves that were played already.
    pub joints: Vec<Vec<String>>,
}

impl Session {
    pub fn new(
        id: String,
        loaded: Arc<Loaded>,
        opening: Opening,
        thinkers: Arc<Semaphore>,
    ) -> Result<Session, Refusal> {
        let Opening { players, think, seed, omniscient, joints } = opening;
        let mut timeline = Timeline::new(loaded.handover().clone()).map_err(too_much)?;
        record::replay(&mut timeline, &joints)?;
        let roles = timeline.engine().roles().clone();
        let who = |role, who| if roles.random() == Some(role) { Who::Chance } else { who };
        let seats = roles.iter().zip(players).map(|(role, of)| Seat::new(role, who(role, of)));
        let table = Table::new(timeline, seats.collect(), think, seed);
        Ok(Session {
            id,
            eyes: roles.iter().map(|role| Mutex::new(Eyes::new(role))).collect(),
            omniscient: omniscient || !loaded.game.has_percepts(),
            loaded,
            table: Mutex::new(table),
            events: broadcast::channel(WAITING).0,
            thought: Mutex::default(),
            withheld: Mutex::default(),
            thinkers,
        })
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The role of a name.
    pub fn role(&self, name: &str) -> Result<RoleId, Refusal> {
        let table = self.table();
        let roles = table.timeline.engine().roles();
        roles.find(name).ok_or_else(|| {
            let names = roles.names().join(", ");
            Refusal::request(format!("there is no role `{name}`; the roles are {names}"))
        })
    }

    /// Makes a move from outside: the term, or the id, of one that is legal.
    pub fn choose(
        self: &Arc<Self>,
        role: RoleId,
        given: &GivenMove,
        step: Option<usize>,
    ) -> Result<(), Refusal> {
        let mut table = self.table();
        let last = table.timeline.last();
        if step.is_some_and(|step| step != last) {
            return Err(Refusal::turn(format!("the match stands at step {last} by now")));
        }
        let name = table.timeline.engine().roles().name(role).to_owned();
        let legal = &table.timeline.now().legal[role.index()];
        let term = match given {
            GivenMove::Id(id) => {
                let term = legal.iter().find(|term| self.loaded.move_id(term) == *id);
                term.cloned().ok_or_else(|| {
                    let message = format!("{name} has no legal move with this id here");
                    Refusal::illegal(message, Value::Null)
                })?
            }
            GivenMove::Text(text) => self.read_move(text)?,
        };
        let choice = table.choose(role, term.clone());
        let facts = table.timeline.facts(last).cloned().unwrap_or_default();
        let now_over = table.is_over();
        drop(table);
        match choice {
            Ok(()) => {
                self.changed();
                Ok(())
            }
            Err(NotTaken::Over) => Err(Refusal::turn("the match is over")),
            Err(NotTaken::NotYours) => {
                Err(Refusal::turn(format!("{name} is not played from outside")))
            }
            Err(NotTaken::Chosen) => {
                Err(Refusal::turn(format!("{name} has chosen already, and waits for others")))
            }
            Err(NotTaken::Illegal) => {
                let message = format!("{name} cannot play {} here", self.loaded.spelled(&term));
                let explanation = if self.hides(now_over) {
                    Value::Null
                } else {
                    let args = vec![self.loaded.game.roles[role.index()].clone(), term];
                    let question = Question::of(Symbol::LEGAL, args);
                    reasons::explain_question(&self.loaded, &question, &facts)
                };
                Err(Refusal::illegal(message, explanation))
            }
        }
    }

    /// A move as somebody writes it, with or without its outer brackets.
    fn read_move(&self, text: &str) -> Result<Term, Refusal> {
        let refuse = |message: String| Refusal::illegal(message, Value::Null);
        let document = kif::read(text);
        let document = document.map_err(|found| refuse(messages(&found)))?;
        let symbols = &self.loaded.game.symbols;
        let term =
            |expr| written_term(expr, symbols, Code::NotAMove).map_err(|e| refuse(e.message));
        match &document.items[..] {
            [] => Err(Refusal::request("`move` is empty")),
            [one] => term(one),
            [function, args @ ..] => {
                let Term::Constant(function) = term(function)? else {
                    return Err(refuse("a move is one term".to_owned()));
                };
                let args = args.iter().map(term).collect::<Result<_, _>>()?;
                Ok(Term::Function(function, args))
            }
        }
    }

    /// Goes back to a state; without one, to the last choice of somebody outside.
    pub fn undo(self: &Arc<Self>, step: Option<usize>) -> Result<(), Refusal> {
        let mut table = self.table();
        let step = match step {
            Some(step) => step,
            None => {
                let last = table.last_choice().map_err(too_much)?;
                last.ok_or_else(|| Refusal::turn("there is nothing to undo"))?
            }
        };
        if !table.back(step).map_err(too_much)? {
            return Err(no_state(step, &table));
        }
        drop(table);
        self.changed();
        Ok(())
    }

    /// Says who plays, how long they think, and whether play rests.
    pub fn set_players(
        self: &Arc<Self>,
        players: Vec<(RoleId, Who)>,
        think: Option<Duration>,
        paused: Option<bool>,
    ) {
        let mut table = self.table();
        for (role, who) in players {
            table.seat(role, who);
        }
        if let Some(think) = think {
            table.think = think;
        }
        if let Some(paused) = paused {
            table.pause(paused);
        }
        drop(table);
        self.changed();
    }

    /// Why a sentence holds in a state, or why not.
    pub fn explain(
        &self,
        sentence: &str,
        step: Option<usize>,
        does: Option<&str>,
        depth: usize,
        negations: bool,
    ) -> Result<Value, Refusal> {
        let (before, now) = self.moments(step)?;
        let does = does.map(|text| self.read_joint(text)).transpose()?;
        let question = ExplainRequest {
            sentence,
            now: Moment { joint: does.as_deref(), ..now.moment() },
            before: before.as_ref().map(Kept::moment),
            depth,
            negations,
        };
        reasons::explain(&self.loaded, &question)
    }

    /// The rule at a place in the text, and its instances that hold in a state.
    pub fn rule(&self, offset: usize, step: Option<usize>) -> Result<Value, Refusal> {
        let (before, now) = self.moments(step)?;
        reasons::rule(&self.loaded, offset, now.moment(), before.as_ref().map(Kept::moment))
    }

    /// A state and the one before it, with the joint move that led from there.
    fn moments(&self, step: Option<usize>) -> Result<(Option<Kept>, Kept), Refusal> {
        let table = self.table();
        let step = step.unwrap_or(table.timeline.last());
        if self.hides(table.is_over()) {
            return Err(Refusal::hidden());
        }
        let keep = |step: usize, joint: Option<&Vec<Term>>| {
            let facts = table.timeline.facts(step)?.clone();
            Some(Kept { step, facts, joint: joint.cloned() })
        };
        let now = keep(step, None).ok_or_else(|| no_state(step, &table))?;
        let before = step.checked_sub(1);
        let before = before.and_then(|step| keep(step, table.timeline.joints().get(step)));
        Ok((before, now))
    }

    fn read_joint(&self, text: &str) -> Result<Vec<Term>, Refusal> {
        let wrong = || Refusal::request("`does` is a joint move, `(MOVE …)`, a move for each role");
        let document = kif::read(text).map_err(|_| wrong())?;
        let [one] = &document.items[..] else { return Err(wrong()) };
        let game = &self.loaded.game;
        let moves = one.list().filter(|moves| moves.len() == game.roles.len()).ok_or_else(wrong)?;
        let term = |expr| Term::from_expr(expr, &game.symbols);
        moves.iter().map(term).collect::<Option<_>>().ok_or_else(wrong)
    }

    /// The match as a record.
    pub fn record(&self) -> Result<Value, Refusal> {
        let mut table = self.table();
        if self.hides(table.is_over()) {
            return Err(Refusal::hidden());
        }
        record::write(&self.id, &self.loaded.game, &self.loaded.text, &mut table)
    }

    /// Whether the state is hidden from whoever says nothing of whom they look for.
    fn hides(&self, is_over: bool) -> bool {
        !self.omniscient && !is_over
    }

    /// Drops what players remember.
    pub fn rest(&self) {
        self.table().forget_players();
    }

    /// Nobody plays any more.
    pub fn end(&self) {
        self.table().end();
        // Nobody listening is no failure.
        let _ = self.events.send(Event::ended());
    }
}

/// A move as it is said by who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenMove {
    Text(String),
    Id(String),
}

/// A state, kept while it is asked about.
struct Kept {
    step: usize,
    facts: Arc<[Term]>,
    joint: Option<Vec<Term>>,
}

impl Kept {
    fn moment(&self) -> Moment<'_> {
        Moment { step: self.step, facts: &self.facts, joint: self.joint.as_deref() }
    }
}

/// The messages of diagnostics, in one line.
fn messages(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| &*diagnostic.message).collect::<Vec<_>>().join("; ")
}

fn too_much(limit: WorkLimit) -> Refusal {
    Refusal::budget(limit.to_string())
}

fn no_state(step: usize, table: &Table) -> Refusal {
    let last = table.timeline.last();
    Refusal::unknown(format!("there is no state {step}: the match stands at {last}"))
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).finish_non_exhaustive()
    }
}
