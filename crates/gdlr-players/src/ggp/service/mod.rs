//! A player of many matches: it takes messages and returns replies.
//!
//! A [`Service`] does not know how messages travel (`http` brings them). Each match has a thread, which
//! has the [`Seat`](super::seat::Seat) of the match and its player. Each message has a clock.
//! [`Service::answer`] waits for the thread, but only until the clock is nearly over. Then the answer
//! is a random legal move, and the thread may still be thinking.
//!
//! SPEC leaves some replies open. There the service replies as existing players do, mainly as
//! `ggp-base` does. Their replies follow two rules: a player without a seat in the match is `busy`, and
//! a player that cannot name a move says `nil`.
//!
//! | message | reply |
//! |---|---|
//! | INFO | the name, and `available`, or `busy` if there are [`Options::max_matches`] |
//! | PREVIEW | `DONE` |
//! | START | `READY` as soon as the player is ready, or when the clock is over |
//! | START of a match that is already played, or of one match too many | `busy`; the match goes on |
//! | START with rules that are refused, or with a name that is not a role | `busy` |
//! | PLAY | a move |
//! | the same PLAY again, with no other message between | the same move; the player thinks only once |
//! | PLAY with a joint move that cannot be played, or after the end | `nil`; the state stays the same |
//! | PLAY while the player still thinks about an earlier turn | a move; the earlier PLAY is answered at once |
//! | STOP | `DONE`, at once |
//! | ABORT | `aborted`, at once |
//! | PLAY, STOP, ABORT of a match that is not played | `busy` |
//!
//! These are the messages of general game playing. Calls of Stanford's course
//! ([`Protocol::Gamemaster`]) get the same answers in other words ([`Letter`]). In this protocol the
//! name of a match is the name of the player, and a START ends the match of this name.
//!
//! A clock of 0 is too short for any search. Then the player does not think: the answer to PLAY is the
//! first legal move that is found.
//!
//! A PLAY with the same text as the PLAY before it may be a new turn: in appendix B of SPEC, MOVE is
//! played twice, one time after the other. It is a new turn if its joint move has the answer to the
//! PLAY before, and can be played.
//!
//! The dialect of GDL-II tells the player its percepts. If the rules hide nothing, and in games with
//! one role, the service computes the joint move from the message (see `told`). If rules for `sees`
//! hide the joint move, the seat finds states that agree with the moves and percepts of the player.
//!
//! | file | content |
//! |---|---|
//! | `mod.rs` | messages, and the matches that they are about |
//! | `options` | the options of a service |
//! | `event` | events of matches, for a log |
//! | `worker` | the thread of a match: its seat and its turns |
//! | `told` | the last step, as a message tells it |
//! | `idle` | the move of a role that is not in control |
//! | `careful` | a legal move, in case that the player answers too late |
//! | `pending` | an answer that is not complete yet |
//! | `margin` | the time before the end of a clock at which the player must be done |
//! | `lateness` | the delay with which threads wake up |
//! | `pace` | the times that the answers of a match took |
//! | `lock` | mutexes |

mod careful;
mod event;
mod idle;
mod last_step;
mod lateness;
mod lock;
mod margin;
mod options;
mod pace;
mod pending;
#[cfg(test)]
mod tests;
mod worker;

pub use event::Event;
pub use options::Options;

use super::message::{Last, Letter, Message, MessageError, Protocol, Reply};
use crate::player::Clock;
use hashbrown::HashMap;
use lateness::{Lateness, TICK};
use lock::lock;
use margin::{Before, Margin};
use pace::Pace;
use pending::Pending;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use worker::{Beginning, Over, Task, Worker};

/// Plays matches. Shared between threads.
#[derive(Debug)]
pub struct Service {
    options: Arc<Options>,
    matches: Mutex<HashMap<String, Arc<Match>>>,
    lateness: Mutex<Lateness>,
}

/// A match, as whoever brings a message sees it. Dropping it ends it.
#[derive(Debug)]
struct Match {
    play_clock: Duration,
    tasks: mpsc::Sender<Task>,
    /// Whether its thread is over.
    is_over: Arc<AtomicBool>,
    pace: Arc<Pace>,
    progress: Mutex<Progress>,
}

/// Why a message gets no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is none.
    Message(MessageError),
    /// The player has nothing to say, for this reason, and the protocol has no word for that.
    Unanswered(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Message(error) => error.fmt(f),
            Refusal::Unanswered(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Refusal {}

/// How long an answer to a message with a clock of 0 may take at most: to read and compile the
/// rules, and to find a legal move.
const UNCLOCKED: Duration = Duration::from_secs(10);

/// How a message came.
#[derive(Clone, Copy, Debug)]
struct Came {
    /// When; its clock runs from then on.
    arrival: Instant,
    /// Of the connection.
    round_trip: Duration,
}

#[derive(Debug)]
struct Progress {
    /// When something was last heard, and how long the clock of that is.
    heard: (Instant, Duration),
    /// Ends the thinking about the last message.
    stop: Arc<AtomicBool>,
    /// The last PLAY, and the answer to it.
    asked: Option<(String, Arc<Pending>)>,
}

impl Match {
    fn is_over(&self, max_idle: Duration) -> bool {
        let (heard, clock) = lock(&self.progress).heard;
        self.is_over.load(Ordering::Relaxed) || heard.elapsed() > clock.saturating_add(max_idle)
    }

    /// Ends the thinking about the last message.
    fn hurry(&self) {
        lock(&self.progress).stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        self.hurry();
    }
}

impl Service {
    /// A service that plays no match yet.
    ///
    /// ```
    /// # mod gdlr {
    /// #     pub use gdlr_players::ggp;
    /// #     pub mod play { pub use gdlr_engine::play::*; pub use gdlr_players::player; }
    /// # }
    /// use gdlr::ggp::service::{Options, Service};
    /// use gdlr::play::player::ThinkingPlayer;
    /// use gdlr::play::thinker::Thinker;
    /// use std::time::{Duration, Instant};
    ///
    /// let player = || Box::new(ThinkingPlayer::new(Thinker::Random, 1, 1000)) as _;
    /// let service = Service::new(Options::new("dice", player));
    /// let now = Instant::now;
    /// let say = |text: &str| service.answer(text, now(), Duration::ZERO).unwrap();
    ///
    /// assert_eq!(say("(INFO)"), "((name dice) (status available))");
    /// let rules = "(role You) (legal You Go) (init (at 0)) (<= (next (at 1)) (does You Go))
    ///     (<= terminal (true (at 1))) (goal You 100)";
    /// assert_eq!(say(&format!("(START m you ({rules}) 10 10)")), "READY");
    /// assert_eq!(say("(PLAY m NIL)"), "Go");
    /// assert_eq!(say("(STOP m (Go))"), "DONE");
    /// ```
    pub fn new(options: Options) -> Service {
        let lateness = Mutex::new(Lateness::none(Instant::now()));
        let matches = Mutex::default();
        Service { options: Arc::new(options), matches, lateness }
    }

    /// Answers a message that arrived at `arrival`, from which its clock runs, on a connection
    /// with such a round trip, zero if that is not known. Waits while the player thinks.
    ///
    /// # Errors
    ///
    /// When the text is no message. With calls also when there is nothing to say, and players
    /// of general game playing would be `busy` or say `nil`.
    pub fn answer(
        &self,
        text: &str,
        arrival: Instant,
        round_trip: Duration,
    ) -> Result<String, Refusal> {
        let letter = Letter::read(text, self.options.protocol).map_err(|error| {
            (self.options.log)(&Event::Unreadable { why: &error.to_string() });
            Refusal::Message(error)
        })?;
        self.sweep();
        let reply = self.reply(letter.message.clone(), Came { arrival, round_trip });
        letter.answer(&reply).map_err(Refusal::Unanswered)
    }

    fn reply(&self, message: Message, came: Came) -> Reply {
        match message {
            Message::Info => {
                let available = self.playing() < self.options.max_matches;
                Reply::Info { name: self.options.name.clone(), available }
            }
            Message::Preview { .. } => Reply::Done,
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let seconds = |clock: u32| Duration::from_secs(clock.into());
                let (start_clock, play_clock) = (seconds(start_clock), seconds(play_clock));
                self.start(Beginning { id, role, rules, start_clock, play_clock }, came)
            }
            Message::Play { id, last } => self.play(&id, last, came),
            Message::Stop { id, last } => match self.remove(&id) {
                Some(ended) => {
                    // The thread may be over; then there is nothing to stop.
                    let _ = ended.tasks.send(Task::Stop { last });
                    Reply::Done
                }
                None => not_played(&id),
            },
            Message::Abort { id } => match self.remove(&id) {
                Some(_) => Reply::Aborted,
                None => not_played(&id),
            },
        }
    }

    /// What managers speak.
    pub fn protocol(&self) -> Protocol {
        self.options.protocol
    }

    /// The name of the player.
    pub fn name(&self) -> &str {
        &self.options.name
    }

    /// How many matches are played.
    pub fn playing(&self) -> usize {
        self.sweep();
        lock(&self.matches).len()
    }

    /// Takes away matches that are over, and gives up those of which nothing was heard for too
    /// long. Every message does.
    pub fn sweep(&self) {
        let max_idle = self.options.max_idle;
        lock(&self.matches).retain(|_, running| !running.is_over(max_idle));
    }

    /// Breaks off all matches. What is thought about is answered at once.
    pub fn close(&self) {
        let ended = std::mem::take(&mut *lock(&self.matches));
        ended.values().for_each(|ended| ended.hurry());
    }

    /// For who brings messages: an answer was handed on so late after it was given. All further ones
    /// leave the earlier.
    pub fn note_lateness(&self, late: Duration) {
        lock(&self.lateness).see(late, Instant::now());
    }

    /// How long before the end of a clock the player is to be done.
    fn before_the_end_of(&self, clock: Duration, round_trip: Duration, pace: &Pace) -> Before {
        let margin = Margin {
            wanted: self.options.margin,
            missed: pace.missed(),
            overrun: pace.overrun(),
            lateness: lock(&self.lateness).at(Instant::now()),
            round_trip,
        };
        margin.before_the_end_of(clock)
    }

    /// Waits for an answer until the clock is nearly over. The thinking ends before that, and both
    /// the earlier the later threads wake up. With a clock of 0 the first answer is taken that can
    /// be given.
    fn wait(
        &self,
        pending: &Pending,
        came: Came,
        clock: Duration,
        pace: &Pace,
        stop: &AtomicBool,
        otherwise: Reply,
    ) -> Reply {
        if clock.is_zero() {
            let reply = pending.first_by(came.arrival + UNCLOCKED, otherwise);
            stop.store(true, Ordering::Relaxed);
            return reply;
        }
        loop {
            let before = self.before_the_end_of(clock, came.round_trip, pace);
            let now = Instant::now();
            if now >= came.arrival + (clock - before.thinking) {
                stop.store(true, Ordering::Relaxed);
            }
            let leave = came.arrival + (clock - before.leaving);
            let next = leave.min(now + TICK);
            if now >= leave || pending.is_settled_by(next) {
                return pending.take(otherwise);
            }
            self.note_lateness(next.elapsed());
        }
    }

    /// Takes a match away, so that no further message finds it.
    fn remove(&self, id: &str) -> Option<Arc<Match>> {
        let ended = lock(&self.matches).remove(id)?;
        ended.hurry();
        Some(ended)
    }

    fn start(&self, beginning: Beginning, came: Came) -> Reply {
        let Beginning { start_clock, play_clock, .. } = beginning;
        let pace = Arc::new(Pace::default());
        let before = self.before_the_end_of(start_clock, came.round_trip, &pace);
        let stop = Arc::new(AtomicBool::new(false));
        let clock = clock_until(came.arrival + (start_clock - before.thinking), stop.clone());
        let (tasks, to_do) = mpsc::channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let ready = Arc::new(Pending::default());
        let id = beginning.id.clone();
        {
            let mut matches = lock(&self.matches);
            match self.options.protocol {
                Protocol::Ggp if matches.contains_key(&id) => {
                    return Reply::Busy("the match is played already".into());
                }
                Protocol::Ggp => {}
                // A tab plays one match, and leaves it without a word when it is closed.
                Protocol::Gamemaster => {
                    if let Some(left) = matches.remove(&id) {
                        left.hurry();
                    }
                }
            }
            if matches.len() >= self.options.max_matches {
                return Reply::Busy("the player has too many matches at once".into());
            }
            let heard = (came.arrival, start_clock);
            let stop = stop.clone();
            let progress = Mutex::new(Progress { heard, stop, asked: None });
            let (is_over, pace) = (is_over.clone(), pace.clone());
            let begun = Match { play_clock, tasks, is_over, pace, progress };
            matches.insert(id.clone(), Arc::new(begun));
        }
        let (options, theirs, over) = (self.options.clone(), ready.clone(), Over(is_over));
        let shared = pace.clone();
        let work = move || match Worker::begin(&options, &beginning, &clock, shared) {
            Ok(worker) => {
                theirs.settle(Reply::Ready);
                worker.work(&to_do);
            }
            Err(why) => {
                (options.log)(&Event::Refused { id: &beginning.id, why: &why });
                drop(over);
                theirs.settle(Reply::Busy(why.into()));
            }
        };
        if let Err(error) = std::thread::Builder::new().name("match".to_owned()).spawn(work) {
            let why = error.to_string();
            (self.options.log)(&Event::Refused { id: &id, why: &why });
            ready.settle(Reply::Busy(why.into()));
        }
        self.wait(&ready, came, start_clock, &pace, &stop, Reply::Ready)
    }

    fn play(&self, id: &str, last: Last, came: Came) -> Reply {
        let Some(running) = lock(&self.matches).get(id).cloned() else {
            return not_played(id);
        };
        let time = running.play_clock;
        let before = self.before_the_end_of(time, came.round_trip, &running.pace);
        let text = last.to_string();
        let mut progress = lock(&running.progress);
        progress.heard = (came.arrival, time);
        let pending = match &progress.asked {
            // Only a joint move can be played twice running.
            Some((asked, pending))
                if *asked == text && !(matches!(last, Last::Joint(_)) && pending.is_settled()) =>
            {
                pending.clone()
            }
            _ => {
                progress.stop.store(true, Ordering::Relaxed);
                progress.stop = Arc::default();
                let pending = Arc::new(Pending::default());
                progress.asked = Some((text, pending.clone()));
                let end = match time.is_zero() {
                    true => came.arrival + UNCLOCKED,
                    false => came.arrival + (time - before.thinking),
                };
                let clock = clock_until(end, progress.stop.clone());
                let task = Task::Play { last, clock, end, pending: pending.clone() };
                if running.tasks.send(task).is_err() {
                    // The rules were refused too late to say so.
                    return not_played(id);
                }
                pending
            }
        };
        let stop = progress.stop.clone();
        drop(progress);
        let otherwise = Reply::NoMove("there was no time for a move".into());
        self.wait(&pending, came, time, &running.pace, &stop, otherwise)
    }
}

fn not_played(id: &str) -> Reply {
    Reply::Busy(format!("no match of `{id}` is played").into())
}

/// A clock that is over at a time, or when `stop` becomes true.
fn clock_until(end: Instant, stop: Arc<AtomicBool>) -> Clock {
    Clock::stopped_by(end.saturating_duration_since(Instant::now()), stop)
}
