//! The thread of a match: its seat, and the turns that it takes.

use super::careful::Careful;
use super::event::Event;
use super::idle::Idle;
use super::last_step::{Heard, Listener};
use super::lock::lock;
use super::options::Options;
use super::pace::Pace;
use super::pending::Pending;
use crate::ggp::message::{Last, Reply, Rules};
use crate::ggp::seat::{Seat, SeatError};
use crate::player::Clock;
use crate::set_up::SetUpError;
use gdlr_engine::engine::{Engine, RoleId, Roles};
use gdlr_engine::play::sampler::Observation;
use gdlr_rules::gdl::Game;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// An order to the thread of a match.
#[derive(Debug)]
pub(super) enum Task {
    /// Choose a move. The clock is over at `end`, or when it is stopped.
    Play { last: Last, clock: Clock, end: Instant, pending: Arc<Pending> },
    /// The match is over.
    Stop { last: Last },
}

/// Says that the thread of a match is over, also if the player panics.
pub(super) struct Over(pub(super) Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The content of START.
pub(super) struct Beginning {
    pub(super) id: String,
    pub(super) role: String,
    pub(super) rules: Rules,
    pub(super) start_clock: Duration,
    pub(super) play_clock: Duration,
}

/// The thread of a match.
pub(super) struct Worker {
    options: Arc<Options>,
    id: String,
    role: String,
    seat: Seat,
    /// Whether the game has rules for what players see.
    has_sees: bool,
    idle: Idle,
    /// The answer that the player is asked for.
    asked: Arc<Mutex<Arc<Pending>>>,
    pace: Arc<Pace>,
    /// The last PLAY that was a turn, and the answer to it.
    previous: Option<(String, Reply)>,
    turns: u64,
}

impl Worker {
    /// Takes the seat, or says why not.
    pub(super) fn begin(
        options: &Arc<Options>,
        beginning: &Beginning,
        clock: &Clock,
        pace: Arc<Pace>,
    ) -> Result<Worker, String> {
        let Beginning { id, role: name, rules, start_clock, play_clock } = beginning;
        let game = rules.game(id, options.reading)?;
        let role = role_of(&game, name).ok_or_else(|| format!("there is no role `{name}`"))?;
        let rule_count = game.rules.len();
        let has_sees = game.has_percepts();
        let idle = Idle::of(&game);
        let asked = Arc::new(Mutex::default());
        let player =
            Careful { player: (options.player)(), idle: idle.clone(), asked: asked.clone() };
        let play_time = *play_clock - options.margin.min(*play_clock / 3);
        let engines = options.set_up.start(game).map_err(|error| match error {
            SetUpError::Refused(diagnostic) => rules.place(&diagnostic),
            error => error.to_string(),
        })?;
        let seat = Seat::take(Arc::new(engines), role, play_time, clock, Box::new(player));
        let role = seat.engine().roles().name(role).to_owned();
        let (start_clock, play_clock) = (*start_clock, *play_clock);
        let started =
            Event::Started { id, role: &role, rules: rule_count, start_clock, play_clock };
        (options.log)(&started);
        let (options, id) = (options.clone(), id.clone());
        Ok(Worker {
            options,
            id,
            role,
            seat,
            has_sees,
            idle,
            asked,
            pace,
            previous: None,
            turns: 0,
        })
    }

    /// Does what comes, until the match is over.
    pub(super) fn work(mut self, tasks: &mpsc::Receiver<Task>) {
        let last = loop {
            match tasks.recv() {
                Ok(Task::Play { last, clock, end, pending }) => {
                    self.play(&last, &clock, &pending);
                    self.pace.overran(end.elapsed());
                }
                Ok(Task::Stop { last }) => break self.heard(&last),
                Err(_) => break Heard::Nothing,
            }
        };
        let Worker { options, id, role, seat, turns, .. } = self;
        let goal = seat.stop(match &last {
            Heard::Step(observation) => Some(observation),
            Heard::Nothing | Heard::One(_) | Heard::Nonsense => None,
        });
        (options.log)(&Event::Ended { id: &id, role: &role, turns, goal });
    }

    fn play(&mut self, last: &Last, clock: &Clock, pending: &Arc<Pending>) {
        let text = last.to_string();
        let same = self.previous.as_ref().filter(|(asked, _)| *asked == text);
        let same = same.map(|(_, reply)| reply.clone());
        let observation = match self.heard(last) {
            // Nothing was played only before the first turn.
            Heard::Nothing if self.previous.is_none() => Some(None),
            Heard::Step(observation) if same.is_none() || self.follows(last, &observation) => {
                Some(Some(observation))
            }
            _ => None,
        };
        let turn = observation.and_then(|observation| {
            *lock(&self.asked) = pending.clone();
            let reply = match self.seat.play(observation.as_ref(), clock) {
                Ok(term) => self.idle.reply(term.spelled(self.seat.engine().symbols())),
                Err(SeatError::NoMove(..) | SeatError::Step(_) | SeatError::Impossible) => {
                    return None;
                }
                Err(why) => Reply::NoMove(why.to_string().into()),
            };
            Some((reply, observation))
        });
        match (turn, same) {
            (Some((reply, observation)), _) => {
                self.turns += 1;
                self.note_missed(observation.as_ref());
                self.previous = Some((text, pending.settle(reply)));
                if let Some(thought) = self.seat.thought() {
                    (self.options.log)(&Event::Moved { id: &self.id, thought: &thought });
                }
            }
            (None, Some(reply)) => {
                pending.settle(reply);
            }
            (None, None) => {
                let event = Event::OutOfTurn { id: &self.id, last: &text };
                (self.options.log)(&event);
                pending.settle(Reply::NoMove(event.to_string().into()));
            }
        }
    }

    /// Looks whether the manager has got the last answer in time: if not, the joint move that was
    /// played has another move in its place.
    fn note_missed(&self, observation: Option<&Observation>) {
        let Some((_, Reply::Move(given) | Reply::Idle(given))) = &self.previous else { return };
        let Some(played) = observation.and_then(|observation| self.own(observation)) else {
            return;
        };
        if played != *given {
            self.pace.miss();
            (self.options.log)(&Event::Missed { id: &self.id, given, played: &played });
        }
    }

    /// The player's own move.
    fn own(&self, observation: &Observation) -> Option<String> {
        let own = observation.own(self.seat.role());
        own.map(|term| term.spelled(self.seat.engine().symbols()))
    }

    /// Whether a step can have come after the answer to the last PLAY, which told the same one: it
    /// has the move that was answered. A number of the turn or the message tells for certain.
    fn follows(&self, last: &Last, observation: &Observation) -> bool {
        let Some((_, Reply::Move(answered) | Reply::Idle(answered))) = &self.previous else {
            return false;
        };
        matches!(last, Last::Joint(_)) && self.own(observation).as_ref() == Some(answered)
    }

    /// The last step of a message, in the names of the game.
    fn heard(&mut self, last: &Last) -> Heard {
        let engine = self.seat.engine();
        let (roles, symbols) = (engine.roles(), engine.symbols());
        let listener = Listener { roles, symbols, role: self.seat.role(), has_sees: self.has_sees };
        match listener.heard(last) {
            Heard::One(action) => match self.seat.joint_of(&action) {
                Some(joint) => Heard::Step(Observation::Joint(joint)),
                None => Heard::Nonsense,
            },
            heard => heard,
        }
    }
}

/// The role with a name, if the game has it.
fn role_of(game: &Game, name: &str) -> Option<RoleId> {
    // More roles than can be numbered are refused for that.
    let is_numbered = game.roles.len() <= usize::from(u16::MAX);
    is_numbered.then(|| Roles::of(game).find(name)).flatten()
}
