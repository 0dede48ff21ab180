//! A player of many matches: messages in, replies out.
//!
//! A [`Service`] knows nothing of how messages travel (`http` brings them). Every
//! match has a thread of its own, on which its [`Seat`] and its player live, and a clock of its
//! own for each message. Who calls [`Service::answer`] waits for that thread, but only until
//! the clock is nearly over: then the answer is a legal move at random, whatever the player
//! does meanwhile.
//!
//! What is answered where SPEC is silent is what players in use answer (that of `ggp-base`,
//! mainly), and follows from two rules: who has no seat in a match is `busy`, and who cannot
//! say a move says `nil`.
//!
//! | message | reply |
//! |---|---|
//! | INFO | the name, and `available`, or `busy` once there are [`Options::max_matches`] |
//! | PREVIEW | `done` |
//! | START | `ready` as soon as the player is, or when the clock is over |
//! | START of a match that is played, or of one too many | `busy`; the match goes on |
//! | START with rules that are refused or a role that is none | `busy` |
//! | PLAY | a move |
//! | the same PLAY again, before anything else | the same move, thought about once |
//! | PLAY whose joint move cannot be played, or after the end | `nil`; the state stays |
//! | PLAY while an earlier turn is thought about | a move; the earlier one is answered at once |
//! | STOP | `done`, at once |
//! | ABORT | `aborted`, at once |
//! | PLAY, STOP, ABORT of a match that is not played | `busy` |
//!
//! A PLAY that reads like the one before it may be a turn of its own: in appendix B of SPEC
//! MOVE is played twice running. It is one if it tells the move that was answered, and can be
//! played.
//!
//! In the dialect that tells what a player sees, the state is followed where the player's own
//! move is the joint move, in games of one role. Elsewhere the answer to a PLAY that tells a
//! move is `nil`.

use super::message::{Last, Message, MessageError, Reply};
use super::seat::{Seat, SeatError};
use super::thought::Thought;
use crate::engine::{Engine, MoveId, RoleId, Roles, choose, seeded};
use crate::gdl::{Game, Reading, Term};
use crate::kif::Document;
use crate::play::player::{Clock, Player, Start, Turn};
use crate::play::report::Report;
use crate::set_up::SetUp;
use hashbrown::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// How a service plays.
#[derive(Clone)]
pub struct Options {
    /// What it is called.
    pub name: String,
    /// So long before a clock is over the player must be done. Of a short clock it is a third.
    /// It grows, to half of the clock, where the machine is so busy that threads wake up late, and
    /// in a match whose manager did not get an answer in time: it doubles each time that another
    /// move was played than the one that was given.
    pub margin: Duration,
    /// The most matches at once.
    pub max_matches: usize,
    /// A match of which nothing is heard for so long, clocks not counted, is over.
    pub max_idle: Duration,
    /// How engines are made.
    pub set_up: SetUp<'static>,
    /// Makes the player of a match.
    pub player: Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>,
    /// Is told what happens, from several threads.
    pub log: Arc<dyn Fn(&Event<'_>) + Send + Sync>,
}

impl Options {
    /// The options of a service with this name and these players: half a second of margin, 64
    /// matches, ten minutes of silence, nothing logged.
    pub fn new(
        name: &str,
        player: impl Fn() -> Box<dyn Player> + Send + Sync + 'static,
    ) -> Options {
        Options {
            name: name.to_owned(),
            margin: Duration::from_millis(500),
            max_matches: 64,
            max_idle: Duration::from_secs(600),
            set_up: SetUp::default(),
            player: Arc::new(player),
            log: Arc::new(|_| {}),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What happens to a match, for a log.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
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
        /// What the player thought.
        thought: &'a Thought,
    },
    /// A move was told that cannot have been played.
    OutOfTurn {
        /// The match.
        id: &'a str,
        /// What was told, as the message has it.
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
        /// What the player has achieved; nothing if the match was broken off.
        goal: Option<u8>,
    },
}

/// On one line.
impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
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

/// Plays matches. Shared between threads.
#[derive(Debug)]
pub struct Service {
    options: Arc<Options>,
    matches: Mutex<HashMap<String, Arc<Match>>>,
    lateness: Mutex<Lateness>,
}

/// How late a thread wakes up on this machine. What was seen counts half after some seconds.
#[derive(Debug)]
struct Lateness {
    worst: Duration,
    seen: Instant,
}

/// So often a thread that waits for an answer sees how late it wakes up.
const TICK: Duration = Duration::from_millis(50);

impl Lateness {
    fn now(&self) -> Duration {
        let half_lives = self.seen.elapsed().as_secs_f64() / 10.0;
        self.worst.mul_f64(0.5f64.powf(half_lives))
    }

    fn see(&mut self, late: Duration) {
        if late > self.now() {
            *self = Lateness { worst: late, seen: Instant::now() };
        }
    }
}

/// A match, as whoever brings a message sees it. Dropping it ends it.
#[derive(Debug)]
struct Match {
    play_clock: Duration,
    tasks: mpsc::Sender<Task>,
    /// Whether its thread is over.
    is_over: Arc<AtomicBool>,
    /// How many answers the manager has not got in time.
    missed: Arc<AtomicU32>,
    progress: Mutex<Progress>,
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

/// What the thread of a match is to do.
#[derive(Debug)]
enum Task {
    Play { last: Last, clock: Clock, pending: Arc<Pending> },
    Stop { last: Last },
}

/// An answer in the making.
#[derive(Debug, Default)]
struct Pending {
    answer: Mutex<Answer>,
    settled: Condvar,
}

#[derive(Debug, Default)]
struct Answer {
    /// The best one so far.
    reply: Option<Reply>,
    /// Whether it is given, and nothing better can come.
    is_settled: bool,
}

/// Nothing panics while one of the mutexes here is held.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pending {
    /// Has something to say, should nothing better come in time.
    fn offer(&self, reply: Reply) {
        let mut answer = lock(&self.answer);
        if !answer.is_settled {
            answer.reply = Some(reply);
        }
    }

    /// Gives the answer, unless it was given before; what was given.
    fn settle(&self, reply: Reply) -> Reply {
        self.offer(reply);
        self.take(Reply::NoMove)
    }

    /// The best answer so far, or else `otherwise`, which is given by this.
    fn take(&self, otherwise: Reply) -> Reply {
        let mut answer = lock(&self.answer);
        answer.is_settled = true;
        self.settled.notify_all();
        answer.reply.get_or_insert(otherwise).clone()
    }

    /// Waits for the answer until a time; whether it is given by then.
    fn is_settled_by(&self, until: Instant) -> bool {
        let answer = lock(&self.answer);
        let time = until.saturating_duration_since(Instant::now());
        let waited = self.settled.wait_timeout_while(answer, time, |answer| !answer.is_settled);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_settled
    }

    fn is_settled(&self) -> bool {
        lock(&self.answer).is_settled
    }
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
    /// use gdlr::ggp::service::{Options, Service};
    /// use gdlr::play::player::ThinkingPlayer;
    /// use gdlr::play::thinker::Thinker;
    /// use std::time::Instant;
    ///
    /// let player = || Box::new(ThinkingPlayer::new(Thinker::Random, 1, 1000)) as _;
    /// let service = Service::new(Options::new("dice", player));
    /// let say = |text: &str| service.answer(text, Instant::now()).unwrap().to_string();
    ///
    /// assert_eq!(say("(INFO)"), "((name dice) (status available))");
    /// let rules = "(role You) (legal You Go) (init (at 0)) (<= (next (at 1)) (does You Go))
    ///     (<= terminal (true (at 1))) (goal You 100)";
    /// assert_eq!(say(&format!("(START m you ({rules}) 10 10)")), "ready");
    /// assert_eq!(say("(PLAY m NIL)"), "Go");
    /// assert_eq!(say("(STOP m (Go))"), "done");
    /// ```
    pub fn new(options: Options) -> Service {
        let lateness = Lateness { worst: Duration::ZERO, seen: Instant::now() };
        let (matches, lateness) = (Mutex::default(), Mutex::new(lateness));
        Service { options: Arc::new(options), matches, lateness }
    }

    /// Answers a message that arrived at `arrival`, from which its clock runs. Waits while the
    /// player thinks.
    ///
    /// # Errors
    ///
    /// When the text is no message.
    pub fn answer(&self, text: &str, arrival: Instant) -> Result<Reply, MessageError> {
        let message = Message::parse(text)?;
        self.sweep();
        Ok(match message {
            Message::Info => {
                let available = self.playing() < self.options.max_matches;
                Reply::Info { name: self.options.name.clone(), available }
            }
            Message::Preview { .. } => Reply::Done,
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let seconds = |clock: u32| Duration::from_secs(clock.into());
                let (start_clock, play_clock) = (seconds(start_clock), seconds(play_clock));
                self.start(Beginning { id, role, rules, start_clock, play_clock }, arrival)
            }
            Message::Play { id, last } => self.play(&id, last, arrival),
            Message::Stop { id, last } => match self.remove(&id) {
                Some(ended) => {
                    // The thread may be over; then there is nothing to stop.
                    let _ = ended.tasks.send(Task::Stop { last });
                    Reply::Done
                }
                None => Reply::Busy,
            },
            Message::Abort { id } => match self.remove(&id) {
                Some(_) => Reply::Aborted,
                None => Reply::Busy,
            },
        })
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

    /// How long before the end of a clock the player must be done, in a match in which so many
    /// answers came too late.
    fn margin_of(&self, clock: Duration, missed: &AtomicU32) -> Duration {
        // The answer goes through the hands of several threads.
        let late = lock(&self.lateness).now() * 3;
        let margin = self.options.margin.min(clock / 3);
        let doubled = 1u32.checked_shl(missed.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
        margin.saturating_mul(doubled).saturating_add(late).min(clock / 2)
    }

    /// Waits for an answer until the clock that began at `arrival` is nearly over. The thinking
    /// ends before that, and both the earlier the later threads wake up.
    fn wait(
        &self,
        pending: &Pending,
        (arrival, clock): (Instant, Duration),
        missed: &AtomicU32,
        stop: &AtomicBool,
        otherwise: Reply,
    ) -> Reply {
        loop {
            let margin = self.margin_of(clock, missed);
            let now = Instant::now();
            if now >= arrival + (clock - margin) {
                stop.store(true, Ordering::Relaxed);
            }
            let leave = arrival + (clock - margin / 2);
            let next = leave.min(now + TICK);
            if now >= leave || pending.is_settled_by(next) {
                return pending.take(otherwise);
            }
            lock(&self.lateness).see(next.elapsed());
        }
    }

    /// Takes a match away, so that no further message finds it.
    fn remove(&self, id: &str) -> Option<Arc<Match>> {
        let ended = lock(&self.matches).remove(id)?;
        ended.hurry();
        Some(ended)
    }

    fn start(&self, beginning: Beginning, arrival: Instant) -> Reply {
        let Beginning { start_clock, play_clock, .. } = beginning;
        let missed = Arc::new(AtomicU32::new(0));
        let margin = self.margin_of(start_clock, &missed);
        let stop = Arc::new(AtomicBool::new(false));
        let clock = clock_until(arrival + (start_clock - margin), stop.clone());
        let (tasks, to_do) = mpsc::channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let ready = Arc::new(Pending::default());
        let id = beginning.id.clone();
        {
            let mut matches = lock(&self.matches);
            if matches.len() >= self.options.max_matches || matches.contains_key(&id) {
                return Reply::Busy;
            }
            let heard = (arrival, start_clock);
            let stop = stop.clone();
            let progress = Mutex::new(Progress { heard, stop, asked: None });
            let (is_over, missed) = (is_over.clone(), missed.clone());
            let begun = Match { play_clock, tasks, is_over, missed, progress };
            matches.insert(id.clone(), Arc::new(begun));
        }
        let (options, theirs, over) = (self.options.clone(), ready.clone(), Over(is_over));
        let shared = missed.clone();
        let work = move || match Worker::begin(&options, &beginning, &clock, shared) {
            Ok(worker) => {
                theirs.settle(Reply::Ready);
                worker.work(&to_do);
            }
            Err(why) => {
                (options.log)(&Event::Refused { id: &beginning.id, why: &why });
                drop(over);
                theirs.settle(Reply::Busy);
            }
        };
        if let Err(error) = std::thread::Builder::new().name("match".to_owned()).spawn(work) {
            (self.options.log)(&Event::Refused { id: &id, why: &error.to_string() });
            ready.settle(Reply::Busy);
        }
        self.wait(&ready, (arrival, start_clock), &missed, &stop, Reply::Ready)
    }

    fn play(&self, id: &str, last: Last, arrival: Instant) -> Reply {
        let Some(running) = lock(&self.matches).get(id).cloned() else {
            return Reply::Busy;
        };
        let time = running.play_clock;
        let margin = self.margin_of(time, &running.missed);
        let text = last.to_string();
        let mut progress = lock(&running.progress);
        progress.heard = (arrival, time);
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
                let clock = clock_until(arrival + (time - margin), progress.stop.clone());
                let task = Task::Play { last, clock, pending: pending.clone() };
                if running.tasks.send(task).is_err() {
                    // The rules were refused too late to say so.
                    return Reply::Busy;
                }
                pending
            }
        };
        let stop = progress.stop.clone();
        drop(progress);
        self.wait(&pending, (arrival, time), &running.missed, &stop, Reply::NoMove)
    }
}

/// A clock that is over at a time, or when `stop` becomes true.
fn clock_until(end: Instant, stop: Arc<AtomicBool>) -> Clock {
    Clock::stopped_by(end.saturating_duration_since(Instant::now()), stop)
}

/// Says that the thread of a match is over, also if the player panics.
struct Over(Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What START says.
struct Beginning {
    id: String,
    role: String,
    rules: Arc<Document>,
    start_clock: Duration,
    play_clock: Duration,
}

/// The thread of a match.
struct Worker {
    options: Arc<Options>,
    id: String,
    role: String,
    seat: Seat,
    /// The answer that the player is asked for.
    asked: Arc<Mutex<Arc<Pending>>>,
    /// How many answers the manager has not got in time.
    missed: Arc<AtomicU32>,
    /// The last PLAY that was a turn, and the answer to it.
    previous: Option<(String, Reply)>,
    turns: u64,
}

impl Worker {
    /// Takes the seat, or says why not.
    fn begin(
        options: &Arc<Options>,
        beginning: &Beginning,
        clock: &Clock,
        missed: Arc<AtomicU32>,
    ) -> Result<Worker, String> {
        let Beginning { id, role: name, rules, start_clock, play_clock } = beginning;
        let game = Game::from_document(id, rules.clone(), Reading::default())
            .map_err(|errors| errors.first().map(ToString::to_string).unwrap_or_default())?;
        let role = role_of(&game, name).ok_or_else(|| format!("there is no role `{name}`"))?;
        let rules = game.rules.len();
        let asked = Arc::new(Mutex::default());
        let player = Careful { player: (options.player)(), asked: asked.clone() };
        let play_time = *play_clock - options.margin.min(*play_clock / 3);
        let engines = options.set_up.start(game).map_err(|error| error.to_string())?;
        let seat = Seat::take(Arc::new(engines), role, play_time, clock, Box::new(player));
        let role = seat.engine().roles().name(role).to_owned();
        let (start_clock, play_clock) = (*start_clock, *play_clock);
        (options.log)(&Event::Started { id, role: &role, rules, start_clock, play_clock });
        let (options, id) = (options.clone(), id.clone());
        Ok(Worker { options, id, role, seat, asked, missed, previous: None, turns: 0 })
    }

    /// Does what comes, until the match is over.
    fn work(mut self, tasks: &mpsc::Receiver<Task>) {
        let last = loop {
            match tasks.recv() {
                Ok(Task::Play { last, clock, pending }) => self.play(&last, &clock, &pending),
                Ok(Task::Stop { last }) => break self.joint(&last).unwrap_or_default(),
                Err(_) => break Vec::new(),
            }
        };
        let Worker { options, id, role, seat, turns, .. } = self;
        let goal = seat.stop(&last);
        (options.log)(&Event::Ended { id: &id, role: &role, turns, goal });
    }

    fn play(&mut self, last: &Last, clock: &Clock, pending: &Arc<Pending>) {
        let text = last.to_string();
        let same = self.previous.as_ref().filter(|(asked, _)| *asked == text);
        let same = same.map(|(_, reply)| reply.clone());
        let turn = match self.joint(last) {
            // Nothing was played only before the first turn.
            Some(joint) if joint.is_empty() && self.previous.is_some() => None,
            Some(joint) if same.is_none() || self.follows(last, &joint) => {
                *lock(&self.asked) = pending.clone();
                match self.seat.play(&joint, clock) {
                    Ok(term) => Some(Reply::Move(term.spelled(self.seat.engine().symbols()))),
                    Err(SeatError::NoMove(..) | SeatError::Step(_)) => None,
                    Err(SeatError::Terminal | SeatError::Stuck | SeatError::Limit(_)) => {
                        Some(Reply::NoMove)
                    }
                }
            }
            _ => None,
        };
        match (turn, same) {
            (Some(reply), _) => {
                self.turns += 1;
                self.note_missed(last);
                self.previous = Some((text, pending.settle(reply)));
                if let Some(thought) = self.seat.thought() {
                    (self.options.log)(&Event::Moved { id: &self.id, thought: &thought });
                }
            }
            (None, Some(reply)) => {
                pending.settle(reply);
            }
            (None, None) => {
                (self.options.log)(&Event::OutOfTurn { id: &self.id, last: &text });
                pending.settle(Reply::NoMove);
            }
        }
    }

    /// Looks whether the manager has got the last answer in time: if not, the joint move that was
    /// played has another move in its place.
    fn note_missed(&self, last: &Last) {
        let Some((_, Reply::Move(given))) = &self.previous else { return };
        let Some(played) = self.joint(last).and_then(|joint| self.own(&joint)) else { return };
        if played != *given {
            self.missed.fetch_add(1, Ordering::Relaxed);
            (self.options.log)(&Event::Missed { id: &self.id, given, played: &played });
        }
    }

    /// The player's own move of a joint move.
    fn own(&self, joint: &[Term]) -> Option<String> {
        let own = joint.get(self.seat.role().index());
        own.map(|term| term.spelled(self.seat.engine().symbols()))
    }

    /// Whether a joint move can have come after the answer to the last PLAY, which told the same
    /// one: it has the move that was answered. A number of the turn tells for certain.
    fn follows(&self, last: &Last, joint: &[Term]) -> bool {
        let Some((_, Reply::Move(answered))) = &self.previous else { return false };
        matches!(last, Last::Joint(_)) && self.own(joint).as_ref() == Some(answered)
    }

    /// The joint move that was told, if it is one in the names of the game.
    fn joint(&self, last: &Last) -> Option<Vec<Term>> {
        let engine = self.seat.engine();
        let moves = match last {
            Last::Nothing => &[],
            Last::Joint(moves) => &moves[..],
            Last::Own { action, .. } => action.as_slice(),
        };
        if !moves.is_empty() && moves.len() != engine.roles().count() {
            return None;
        }
        moves.iter().map(|expr| Term::from_expr(expr, engine.symbols())).collect()
    }
}

/// The role with a name, if the game has it.
fn role_of(game: &Game, name: &str) -> Option<RoleId> {
    // More roles than can be numbered are refused for that.
    let is_numbered = game.roles.len() <= usize::from(u16::MAX);
    is_numbered.then(|| Roles::of(game).find(name)).flatten()
}

/// Has a legal move to say, should the player not be back in time.
struct Careful {
    player: Box<dyn Player>,
    asked: Arc<Mutex<Arc<Pending>>>,
}

impl Player for Careful {
    fn start(&mut self, start: &Start<'_>) {
        self.player.start(start);
    }

    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        if let Some(any) = choose(turn.legal, &mut seeded(turn.step, 0)) {
            let text = turn.engine.move_term(any).1.spelled(turn.engine.symbols());
            lock(&self.asked).offer(Reply::Move(text));
        }
        self.player.play(turn)
    }

    fn report(&self) -> Option<Report> {
        self.player.report()
    }

    fn stop(&mut self, goal: Option<u8>) {
        self.player.stop(goal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    /// The game of appendix B of SPEC.
    const MAZE: &str = "(ROLE ROBOT) (INIT (CELL A)) (INIT (GOLD C)) (INIT (STEP 1))
        (<= (NEXT (CELL ?Y)) (DOES ROBOT MOVE) (TRUE (CELL ?X)) (ADJACENT ?X ?Y))
        (<= (NEXT (CELL ?X)) (DOES ROBOT GRAB) (TRUE (CELL ?X)))
        (<= (NEXT (CELL ?X)) (DOES ROBOT DROP) (TRUE (CELL ?X)))
        (<= (NEXT (GOLD ?X)) (DOES ROBOT MOVE) (TRUE (GOLD ?X)))
        (<= (NEXT (GOLD I)) (DOES ROBOT GRAB) (TRUE (CELL ?X)) (TRUE (GOLD ?X)))
        (<= (NEXT (GOLD I)) (DOES ROBOT GRAB) (TRUE (GOLD I)))
        (<= (NEXT (GOLD ?X)) (DOES ROBOT DROP) (TRUE (CELL ?X)) (TRUE (GOLD I)))
        (<= (NEXT (STEP ?Y)) (TRUE (STEP ?X)) (SUCC ?X ?Y))
        (ADJACENT A B) (ADJACENT B C) (ADJACENT C D) (ADJACENT D A)
        (SUCC 1 2) (SUCC 2 3) (SUCC 3 4) (SUCC 4 5) (SUCC 5 6) (SUCC 6 7) (SUCC 7 8)
        (<= (LEGAL ROBOT MOVE))
        (<= (LEGAL ROBOT GRAB) (TRUE (CELL ?X)) (TRUE (GOLD ?X)))
        (<= (LEGAL ROBOT DROP) (TRUE (GOLD I)))
        (<= (GOAL ROBOT 100) (TRUE (GOLD A)))
        (<= (GOAL ROBOT 0) (TRUE (GOLD ?X)) (DISTINCT ?X A))
        (<= TERMINAL (TRUE (STEP 8))) (<= TERMINAL (TRUE (GOLD A)))";

    const TICTACTOE: &str = include_str!("../../kif/tictactoe.kif");

    /// What a player for a test does with a turn.
    type Choose = dyn Fn(&Turn<'_>) -> MoveId + Send + Sync;

    struct Scripted(Arc<Choose>);

    impl Player for Scripted {
        fn play(&mut self, turn: &Turn<'_>) -> MoveId {
            (self.0)(turn)
        }
    }

    fn service(choose: impl Fn(&Turn<'_>) -> MoveId + Send + Sync + 'static) -> Service {
        Service::new(options(choose))
    }

    fn options(choose: impl Fn(&Turn<'_>) -> MoveId + Send + Sync + 'static) -> Options {
        let choose: Arc<Choose> = Arc::new(choose);
        Options::new("tester", move || Box::new(Scripted(choose.clone())))
    }

    /// The legal move with this text, or else the first.
    fn named(turn: &Turn<'_>, text: &str) -> MoveId {
        let text_of = |id: MoveId| turn.engine.move_term(id).1.canonical(turn.engine.symbols());
        let mut moves = turn.legal.iter().copied();
        moves.find(|&id| text_of(id) == text).unwrap_or(turn.legal[0])
    }

    /// The first move, when the clock is over.
    fn slow(turn: &Turn<'_>) -> MoveId {
        while !turn.clock.is_over() {
            thread::sleep(Duration::from_millis(2));
        }
        turn.legal[0]
    }

    fn say(service: &Service, text: &str) -> String {
        match service.answer(text, Instant::now()) {
            Ok(reply) => reply.to_string(),
            Err(error) => panic!("{text}: {error}"),
        }
    }

    fn begin(service: &Service, id: &str, role: &str, rules: &str, clock: u32) -> String {
        say(service, &format!("(START {id} {role} ({rules}\n) 20 {clock})"))
    }

    #[test]
    fn the_match_of_appendix_b() {
        let events = Arc::new(Mutex::new(Vec::new()));
        let log = events.clone();
        let plan = ["move", "move", "grab", "move", "move", "drop"];
        let mut options = options(move |turn| named(turn, plan[turn.step as usize]));
        options.log = Arc::new(move |event| match event {
            Event::Moved { .. } => {}
            event => lock(&log).push(event.to_string()),
        });
        let service = Service::new(options);
        assert_eq!(begin(&service, "MATCH.3316980891", "ROBOT", MAZE, 20), "ready");
        let mut last = "NIL".to_owned();
        for expected in ["MOVE", "MOVE", "GRAB", "MOVE", "MOVE", "DROP"] {
            let reply = say(&service, &format!("(PLAY MATCH.3316980891 {last})"));
            assert_eq!(reply, expected);
            last = format!("({reply})");
        }
        assert_eq!(say(&service, &format!("(STOP MATCH.3316980891 {last})")), "done");
        assert_eq!(say(&service, &format!("(STOP MATCH.3316980891 {last})")), "busy");
        let start = Instant::now();
        while lock(&events).len() < 2 && start.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(5));
        }
        let rules = 30;
        let expected = [
            format!("MATCH.3316980891: begins as ROBOT, {rules} rules, clocks of 20 s and 20 s"),
            "MATCH.3316980891: over as ROBOT after 6 turns, goal 100".to_owned(),
        ];
        assert_eq!(*lock(&events), expected);
    }

    #[test]
    fn a_repeated_play_has_the_same_answer() {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        let service = service(move |turn| {
            let time = count.fetch_add(1, Ordering::Relaxed);
            turn.legal[time % turn.legal.len()]
        });
        begin(&service, "m", "crosses", TICTACTOE, 20);
        let first = say(&service, "(PLAY m NIL)");
        assert_eq!(say(&service, "(play m ())"), first);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        let joint = format!("(PLAY m ({first} wait))");
        let second = say(&service, &joint);
        assert_eq!(say(&service, &joint), second);
        assert_eq!(asked.load(Ordering::Relaxed), 2);
        // What was repeated was not played twice.
        let next = format!("(PLAY m (wait {}))", other_sign(&first));
        assert!(say(&service, &next).starts_with("(sign "), "{next}");
    }

    /// A mark in another corner than this one.
    fn other_sign(sign: &str) -> &str {
        if sign.contains("1 1") { "(sign 3 3)" } else { "(sign 1 1)" }
    }

    #[test]
    fn out_of_turn_is_nil_and_changes_nothing() {
        let service = service(|turn| named(turn, "(sign 2 2)"));
        begin(&service, "m", "CROSSES", TICTACTOE, 20);
        let nils = [
            "((sign 9 9) wait)",
            "((sign 1 1))",
            "((sign 1 1) wait wait)",
            "(a b)",
            "(wait (sign 1 1))",
            "(?x wait)",
            "((sign 1 1) ())",
        ];
        for last in nils {
            assert_eq!(say(&service, &format!("(PLAY m {last})")), "nil", "{last}");
        }
        assert_eq!(say(&service, "(PLAY m NIL)"), "(sign 2 2)");
        for last in nils {
            assert_eq!(say(&service, &format!("(PLAY m {last})")), "nil", "{last}");
        }
        // The manager may have played another move for us.
        assert_eq!(say(&service, "(PLAY m ((SIGN 3 3) WAIT))"), "wait");
        assert_eq!(say(&service, "(PLAY m NIL)"), "nil");
        assert_eq!(say(&service, "(PLAY m (wait (sign 1 1)))"), "(sign 2 2)");
    }

    #[test]
    fn who_does_not_play_is_busy() {
        let mut options = options(|turn| turn.legal[0]);
        options.max_matches = 2;
        let service = Service::new(options);
        for text in ["(PLAY m NIL)", "(STOP m NIL)", "(ABORT m)"] {
            assert_eq!(say(&service, text), "busy");
        }
        assert_eq!(begin(&service, "m", "nobody", TICTACTOE, 20), "busy");
        assert_eq!(begin(&service, "m", "(crosses)", TICTACTOE, 20), "busy");
        for rules in ["", "(role a) (<=)", "(role a) (<= (p ?x) (not (p ?x)))", "(role a) ?x"] {
            assert_eq!(begin(&service, "m", "a", rules, 20), "busy", "{rules}");
        }
        assert_eq!(service.playing(), 0);
        assert_eq!(begin(&service, "m", "crosses", TICTACTOE, 20), "ready");
        assert_eq!(begin(&service, "m", "noughts", TICTACTOE, 20), "busy");
        assert_eq!(say(&service, "(INFO)"), "((name tester) (status available))");
        assert_eq!(begin(&service, "n", "noughts", TICTACTOE, 20), "ready");
        assert_eq!(say(&service, "(INFO)"), "((name tester) (status busy))");
        assert_eq!(begin(&service, "o", "noughts", TICTACTOE, 20), "busy");
        assert!(say(&service, "(PLAY m NIL)").starts_with("(sign"));
        assert_eq!(say(&service, "(PLAY n NIL)"), "wait");
        assert_eq!(say(&service, "(ABORT m)"), "aborted");
        assert_eq!(begin(&service, "o", "noughts", TICTACTOE, 20), "ready");
        assert_eq!(say(&service, "(PREVIEW ((role a)) 10)"), "done");
    }

    #[test]
    fn the_answer_leaves_before_the_clock_ends() {
        // Its first move takes much longer than its clock, at which it never looks.
        let service = service(|turn| {
            thread::sleep(Duration::from_secs(if turn.step == 0 { 6 } else { 0 }));
            turn.legal[0]
        });
        begin(&service, "m", "crosses", TICTACTOE, 1);
        let start = Instant::now();
        let reply = say(&service, "(PLAY m NIL)");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        assert!(reply.starts_with("(sign "), "{reply}");
        assert_eq!(say(&service, "(PLAY m NIL)"), reply);
        // The player is still busy with the first turn; the state is followed all the same.
        assert_eq!(say(&service, &format!("(PLAY m ({reply} wait))")), "nil");
        thread::sleep(Duration::from_secs(7));
        let sign = other_sign(&reply);
        assert!(say(&service, &format!("(PLAY m (wait {sign}))")).starts_with("(sign "));
    }

    #[test]
    fn the_margin_grows_where_threads_wake_up_late() {
        let service = service(|turn| turn.legal[0]);
        let margin =
            |clock| service.margin_of(Duration::from_millis(clock), &AtomicU32::new(0)).as_millis();
        assert_eq!((margin(10_000), margin(900), margin(0)), (500, 300, 0));
        lock(&service.lateness).see(Duration::from_secs(1));
        lock(&service.lateness).see(Duration::from_millis(100));
        assert!((3000..=3500).contains(&margin(10_000)), "{}", margin(10_000));
        assert_eq!(margin(4000), 2000);
    }

    #[test]
    fn the_margin_doubles_where_answers_came_too_late() {
        let service = service(|turn| turn.legal[0]);
        begin(&service, "m", "crosses", TICTACTOE, 20);
        let margin = || {
            let running = lock(&service.matches).get("m").cloned().expect("a match");
            service.margin_of(Duration::from_secs(20), &running.missed).as_millis()
        };
        let first = say(&service, "(PLAY m NIL)");
        assert!((500..900).contains(&margin()), "{}", margin());
        // What cannot have been played shows nothing, nor does what was answered.
        assert_eq!(say(&service, "(PLAY m ((sign 9 9) wait))"), "nil");
        assert_eq!(say(&service, &format!("(PLAY m ({first} wait))")), "wait");
        assert!((500..900).contains(&margin()), "{}", margin());
        // Another move than the one that was given does.
        let second = say(&service, &format!("(PLAY m (wait {}))", other_sign(&first)));
        assert_ne!(second, "(sign 2 2)");
        assert_eq!(say(&service, "(PLAY m ((sign 2 2) wait))"), "wait");
        assert!((1000..1400).contains(&margin()), "{}", margin());
        let running = lock(&service.matches).get("m").cloned().expect("a match");
        running.missed.store(100, Ordering::Relaxed);
        assert_eq!(margin(), 10_000);
    }

    #[test]
    fn a_player_that_panics_takes_nobody_along() {
        let service = service(|turn| if turn.step == 0 { panic!("a test") } else { turn.legal[0] });
        begin(&service, "m", "crosses", TICTACTOE, 1);
        assert!(say(&service, "(PLAY m NIL)").starts_with("(sign "));
        assert_eq!(say(&service, "(PLAY m ((sign 1 1) wait))"), "busy");
        assert_eq!(begin(&service, "m", "crosses", TICTACTOE, 1), "ready");
    }

    #[test]
    fn a_slow_match_holds_up_no_other() {
        let service = service(|turn| match turn.engine.roles().name(turn.role) {
            "crosses" => slow(turn),
            _ => turn.legal[0],
        });
        begin(&service, "slow", "crosses", TICTACTOE, 3);
        begin(&service, "fast", "noughts", TICTACTOE, 3);
        thread::scope(|threads| {
            let start = Instant::now();
            let thinking = threads.spawn(|| say(&service, "(PLAY slow NIL)"));
            // The same, asked again meanwhile, is the same thinking.
            let again = threads.spawn(|| say(&service, "(PLAY slow nil)"));
            assert_eq!(say(&service, "(PLAY fast NIL)"), "wait");
            assert!(!thinking.is_finished());
            let reply = thinking.join().expect("an answer");
            assert!(start.elapsed() > Duration::from_secs(1));
            assert_eq!(again.join().expect("an answer"), reply);
        });
    }

    #[test]
    fn who_goes_on_is_not_kept_waiting() {
        let service = service(slow);
        begin(&service, "m", "crosses", TICTACTOE, 60);
        thread::scope(|threads| {
            let start = Instant::now();
            let first = threads.spawn(|| say(&service, "(PLAY m NIL)"));
            thread::sleep(Duration::from_millis(300));
            // The manager has played another move, and asks for the next; then it gives up.
            let second = threads.spawn(|| say(&service, "(PLAY m ((sign 3 1) wait))"));
            assert!(first.join().expect("an answer").starts_with("(sign "));
            thread::sleep(Duration::from_millis(300));
            assert_eq!(say(&service, "(STOP m ((sign 3 1) wait))"), "done");
            assert_eq!(second.join().expect("an answer"), "wait");
            assert!(start.elapsed() < Duration::from_secs(10));
        });
        begin(&service, "m", "crosses", TICTACTOE, 60);
        thread::scope(|threads| {
            let start = Instant::now();
            let thinking = threads.spawn(|| say(&service, "(PLAY m NIL)"));
            thread::sleep(Duration::from_millis(300));
            service.close();
            assert!(thinking.join().expect("an answer").starts_with("(sign "));
            assert!(start.elapsed() < Duration::from_secs(10));
        });
    }

    #[test]
    fn silent_matches_are_given_up() {
        let mut options = options(|turn| turn.legal[0]);
        options.max_idle = Duration::ZERO;
        let service = Service::new(options);
        let start = "(START m crosses (RULES) 1 1)".replace("RULES", TICTACTOE);
        assert_eq!(say(&service, &start), "ready");
        assert_eq!(service.playing(), 1);
        thread::sleep(Duration::from_millis(1100));
        assert_eq!(say(&service, "(PLAY m NIL)"), "busy");
        assert_eq!(service.playing(), 0);
    }

    #[test]
    fn the_dialect_that_tells_what_is_seen() {
        let plan = ["move", "move", "grab"];
        let service = service(move |turn| named(turn, plan[turn.step as usize]));
        begin(&service, "m", "robot", MAZE, 20);
        let turns = ["0 NIL NIL", "1 MOVE ()", "2 MOVE ((cell C))", "2 MOVE ((cell C))"];
        for (last, expected) in turns.iter().zip(["MOVE", "MOVE", "GRAB", "GRAB"]) {
            assert_eq!(say(&service, &format!("(PLAY m {last})")), expected, "{last}");
        }
        begin(&service, "n", "crosses", TICTACTOE, 20);
        let reply = say(&service, "(PLAY n 0 NIL NIL)");
        assert!(reply.starts_with("(sign "));
        assert_eq!(say(&service, &format!("(PLAY n 1 {reply} NIL)")), "nil");
    }
}
