//! A game manager: runs a match between players (SPEC, section 7).
//!
//! All players are asked at the same time, each on a thread of its own, and nobody waits for
//! one of them longer than the clock runs. An answer is judged by when it came, then by whether
//! it can be read, then by whether it is a legal move; in the place of one that is not, a random
//! legal move is played (7.2), and the [`Record`] says so. When all are ready, play begins
//! before the start clock is over (8.4).
//!
//! Who plays, and how a player is asked, is in [`contender`](super::contender). There is no HTTP
//! here: see `client`.

use super::contender::{Answer, Contender, NoAnswer, Order, Place, Remote};
use super::message::{Last, Message};
use super::record::{Ending, Fault, FaultKind, Participant, Record, Request};
use super::thought::Thought;
use crate::diagnostic::Diagnostic;
use crate::engine::{
    AnyEngine, AnyScratch, DEFAULT_MAX_STEPS, Engine, GoalError, MoveId, RoleId, StepError,
    WorkLimit, choose, seeded,
};
use crate::gdl::{Game, Symbol, Term};
use crate::kif::{self, Expr};
use crate::play::trace::{Legals, Outcome, Playout, StateDigest, Step, hash_of, sorted_strings};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// How often the manager looks whether it is to break off.
const GLANCE: Duration = Duration::from_millis(20);

/// How long after the clock the manager waits for what players have sent by then, to write it
/// down. It is late all the same.
const GRACE: Duration = Duration::from_millis(30);

/// The longest that anybody waits for an answer to STOP or ABORT.
const FAREWELL: Duration = Duration::from_secs(3);

/// The most characters of an answer that are kept in a record.
const KEPT: usize = 1000;

/// The most legal moves that a record lists; more have a digest, as in traces.
const LISTED: usize = 60;

/// How a match is run.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The identifier that the players are told: one symbol of KIF.
    pub id: String,
    /// How much time players have to get ready.
    pub start_clock: Duration,
    /// How much time they have for a move.
    pub play_clock: Duration,
    /// The seed of the moves that the manager chooses.
    pub seed: u64,
    /// The most joint moves.
    pub max_steps: u64,
    /// A player with so many answers that did not count is not asked for moves any more.
    pub max_errors: u32,
}

impl Default for Conditions {
    /// 30 seconds to get ready, 10 for a move, ten errors.
    fn default() -> Conditions {
        Conditions {
            id: "match".to_owned(),
            start_clock: Duration::from_secs(30),
            play_clock: Duration::from_secs(10),
            seed: 1,
            max_steps: DEFAULT_MAX_STEPS,
            max_errors: 10,
        }
    }
}

/// What happens in a match, as it happens.
#[derive(Debug)]
pub enum Event<'a> {
    /// These players are asked, after so many joint moves.
    Asked(Request, u64, &'a [RoleId]),
    /// An answer is there, after this time.
    Answered(RoleId, Duration),
    /// An answer does not count.
    Fault(&'a Fault),
    /// A player is not asked any more.
    GivenUp(RoleId),
    /// What a player on this machine thought of a turn; comes before its answer is judged.
    Thought(RoleId, &'a Thought),
    /// The joint move that ends this step, counted from 0, is played.
    Played(u64, &'a [String]),
}

/// Runs a match, and says what happened. The role `random` is always played by the manager, which
/// follows the match on `engine`.
///
/// When `stop` becomes true the match is broken off, and the players are told.
///
/// # Panics
///
/// When there is not one contender for each role, or `engine` is of another game.
pub fn run(
    game: &Arc<Game>,
    engine: &AnyEngine,
    contenders: Vec<Contender>,
    conditions: &Conditions,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Record {
    assert_eq!(contenders.len(), engine.roles().count(), "one contender for each role");
    let (sender, answers) = channel();
    let mut running = Match {
        game,
        engine,
        conditions,
        stop,
        tell,
        scratch: engine.scratch(),
        last: Vec::new(),
        lines: Vec::new(),
        rngs: engine.roles().iter().map(|role| seeded(conditions.seed, role.index())).collect(),
        sender,
        answers,
        hurry: Arc::default(),
        inquiry: 0,
        missed: Vec::new(),
        record: opened(game, engine, &contenders, conditions),
    };
    running.seat(contenders);
    let start = Instant::now();
    let ending = running.play().unwrap_or_else(|ending| ending);
    running.end(ending);
    running.record.lasted = start.elapsed();
    running.record
}

/// The record of a match that has not begun.
fn opened(
    game: &Game,
    engine: &AnyEngine,
    contenders: &[Contender],
    conditions: &Conditions,
) -> Record {
    let roles = engine.roles();
    let name = |(role, contender): (RoleId, &Contender)| match roles.random() == Some(role) {
        true => "random".to_owned(),
        false => contender.name().to_owned(),
    };
    let participant = |name| Participant { name, errors: 0, given_up: None };
    Record {
        id: conditions.id.clone(),
        game: game.name.clone(),
        gdl2: roles.random().is_some()
            || game.rules.iter().any(|rule| rule.head.relation == Symbol::SEES),
        roles: roles.names().iter().map(|name| name.to_lowercase()).collect(),
        players: roles.iter().zip(contenders).map(name).map(participant).collect(),
        start_clock: conditions.start_clock,
        play_clock: conditions.play_clock,
        began: SystemTime::now(),
        lasted: Duration::ZERO,
        states: Vec::new(),
        playout: Playout {
            seed: conditions.seed,
            outcome: Outcome::Time,
            terminal: false,
            length: 0,
            steps: Vec::new(),
            last: None,
            goals: None,
            goal_sets: None,
            stuck_role: None,
        },
        ending: Ending::Interrupted,
        goals: vec![None; roles.count()],
        answers: Vec::new(),
        faults: Vec::new(),
    }
}

/// How a role is asked.
enum Line {
    /// Not at all: the manager plays it.
    Manager,
    /// Through a thread that has its seat.
    Here(Sender<Order>),
    /// With a thread for each message.
    Elsewhere(Arc<dyn Remote>),
}

/// A match under way.
struct Match<'m> {
    game: &'m Arc<Game>,
    engine: &'m AnyEngine,
    conditions: &'m Conditions,
    stop: &'m AtomicBool,
    tell: &'m mut dyn FnMut(&Event<'_>),
    scratch: AnyScratch,
    /// The last joint move, if there was one.
    last: Vec<Term>,
    /// By role.
    lines: Vec<Line>,
    /// By role, so that nobody's errors change what another one plays.
    rngs: Vec<Xoshiro256PlusPlus>,
    sender: Sender<Answer>,
    answers: Receiver<Answer>,
    /// Ends the thinking of players on this machine.
    hurry: Arc<AtomicBool>,
    /// The number of the last inquiry.
    inquiry: u64,
    /// Inquiries that were not answered in time: which, whose, and the place of the fault.
    missed: Vec<(u64, RoleId, usize)>,
    record: Record,
}

impl From<WorkLimit> for Ending {
    fn from(limit: WorkLimit) -> Ending {
        Ending::Limit(limit)
    }
}

impl Match<'_> {
    /// Gives every contender its place.
    fn seat(&mut self, contenders: Vec<Contender>) {
        for (role, contender) in self.engine.roles().iter().zip(contenders) {
            let line = match contender {
                _ if self.engine.roles().random() == Some(role) => Line::Manager,
                Contender::Random => Line::Manager,
                Contender::Elsewhere(_, remote) => Line::Elsewhere(remote),
                Contender::Here(_, player, engines) => {
                    let (orders, received) = channel();
                    let place = Place {
                        engines,
                        role,
                        play_clock: self.conditions.play_clock,
                        hurry: self.hurry.clone(),
                    };
                    let answers = self.sender.clone();
                    thread::spawn(move || place.serve(player, &received, &answers));
                    Line::Here(orders)
                }
            };
            self.lines.push(line);
        }
    }

    /// From START to the last joint move.
    fn play(&mut self) -> Result<Ending, Ending> {
        self.note_state();
        self.start()?;
        loop {
            if self.engine.terminal(&mut self.scratch)? {
                return Ok(Ending::Terminal);
            }
            if self.steps() == self.conditions.max_steps {
                return Ok(Ending::Cap);
            }
            let legal = self.legal()?;
            let joint = self.joint(&legal)?;
            match self.engine.step(&mut self.scratch, &joint) {
                Ok(()) => {}
                Err(StepError::Limit(limit)) => return Err(limit.into()),
                Err(error) => panic!("legal moves can be played: {error}"),
            }
            self.last = joint.iter().map(|&id| self.engine.move_term(id).1).collect();
            self.note_step(&legal);
        }
    }

    /// How many joint moves were played.
    fn steps(&self) -> u64 {
        self.record.playout.length as u64
    }

    /// The legal moves of each role, of which each has one.
    fn legal(&mut self) -> Result<Vec<Vec<MoveId>>, Ending> {
        let mut legal = Vec::new();
        for role in self.engine.roles().iter() {
            let mut moves = Vec::new();
            self.engine.legal(&mut self.scratch, role, &mut moves)?;
            legal.push(moves);
        }
        match legal.iter().position(Vec::is_empty) {
            None => Ok(legal),
            Some(place) => {
                self.record.playout.steps.push(self.step_of(&legal, None));
                Err(Ending::Stuck(RoleId(place as u16)))
            }
        }
    }

    /// Asks all players to get ready.
    fn start(&mut self) -> Result<(), Ending> {
        let Conditions { id, start_clock, play_clock, .. } = self.conditions;
        let (engine, document) = (self.engine, &self.game.document);
        // Clocks are told in whole seconds, but not as 0.
        let seconds = |clock: &Duration| u32::try_from(clock.as_secs().max(1)).unwrap_or(u32::MAX);
        let text = |role| {
            let message = Message::Start {
                id: id.clone(),
                role: engine.roles().name(role).to_owned(),
                rules: document.clone(),
                start_clock: seconds(start_clock),
                play_clock: seconds(play_clock),
            };
            message.to_string()
        };
        let answers = self.ask(Request::Start, *start_clock, &text, Some(self.stop))?;
        self.expect_word(Request::Start, &["READY"], answers);
        Ok(())
    }

    /// Asks all players for their moves; the joint move that comes of it.
    fn joint(&mut self, legal: &[Vec<MoveId>]) -> Result<Vec<MoveId>, Ending> {
        let message = Message::Play { id: self.conditions.id.clone(), last: self.last() };
        let text = message.to_string();
        let time = self.conditions.play_clock;
        let answers = self.ask(Request::Play, time, &|_| text.clone(), Some(self.stop))?;
        self.record.answers.push(answers.iter().map(|asked| asked.as_ref()?.after()).collect());
        let mut joint = Vec::new();
        for ((role, asked), legal) in self.engine.roles().iter().zip(answers).zip(legal) {
            // Drawn whether or not it is needed: what others do changes no choice of this role.
            let random = choose(legal, &mut self.rngs[role.index()]).expect("a legal move");
            let text = asked.map(Asked::on_time).transpose();
            let judged = text.and_then(|text| match text {
                None => Ok(random),
                Some(text) => self.judge(role, legal, text),
            });
            joint.push(judged.unwrap_or_else(|why| {
                let term = self.engine.move_term(random).1;
                let played = term.canonical(self.engine.symbols());
                self.fault(Request::Play, role, why, Some(played));
                random
            }));
        }
        Ok(joint)
    }

    /// The legal move that a text writes.
    fn judge(&self, role: RoleId, legal: &[MoveId], text: Vec<u8>) -> Result<MoveId, NoAnswer> {
        let (kind, detail) = match only_expr(&text) {
            Err(why) => (FaultKind::Unreadable, why),
            Ok(expr) => {
                let term = Term::from_expr(&expr, self.engine.symbols());
                match term.and_then(|term| self.engine.move_id(role, &term)) {
                    Some(id) if legal.contains(&id) => return Ok(id),
                    Some(_) => (FaultKind::Illegal, "the move is not legal here".to_owned()),
                    None => (FaultKind::Illegal, "the role has no such move".to_owned()),
                }
            }
        };
        Err(NoAnswer { kind, detail, sent: text })
    }

    /// Looks whether players said one of the words that they should.
    fn expect_word(&mut self, request: Request, words: &[&str], answers: Vec<Option<Asked>>) {
        for (role, asked) in self.engine.roles().iter().zip(answers) {
            let Some(asked) = asked else { continue };
            let judged = asked.on_time().and_then(|text| {
                let said = only_expr(&text).ok();
                let said = said.as_ref().and_then(Expr::atom).unwrap_or_default();
                if words.iter().any(|word| said.eq_ignore_ascii_case(word)) {
                    return Ok(());
                }
                let detail = format!("the answer is not {}", words[0]);
                Err(NoAnswer { kind: FaultKind::Unexpected, detail, sent: text })
            });
            if let Err(why) = judged {
                self.fault(request, role, why, None);
            }
        }
    }

    /// What was played last.
    fn last(&self) -> Last {
        Last::of_terms(&self.last, self.engine.symbols())
    }

    /// Sends a message to every player that is still asked, and waits until all have answered
    /// or `time` is over. By role: what came of it, `None` for one that was not asked.
    fn ask(
        &mut self,
        request: Request,
        time: Duration,
        text: &dyn Fn(RoleId) -> String,
        stop: Option<&AtomicBool>,
    ) -> Result<Vec<Option<Asked>>, Ending> {
        self.inquiry += 1;
        let roles = self.engine.roles();
        let asked: Vec<RoleId> =
            roles.iter().filter(|&role| self.is_asked(role, request)).collect();
        let mut answers: Vec<Option<Asked>> = roles.iter().map(|_| None).collect();
        let step = self.steps();
        (self.tell)(&Event::Asked(request, step, &asked));
        let start = Instant::now();
        for &role in &asked {
            answers[role.index()] = Some(Asked { time, answer: None });
            self.send(request, role, text, (start, time));
        }
        let mut waiting = asked.len();
        while waiting > 0 {
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Ending::Interrupted);
            }
            let left = (time + GRACE).saturating_sub(start.elapsed());
            let received = self.answers.recv_timeout(left.min(GLANCE));
            if let Ok(Answer { role, thought: Some(thought), .. }) = &received {
                (self.tell)(&Event::Thought(*role, thought));
            }
            match received {
                Ok(answer) if answer.inquiry == self.inquiry => {
                    waiting -= 1;
                    let role = answer.role;
                    if answer.sent.is_ok() && answer.after <= time {
                        (self.tell)(&Event::Answered(role, answer.after));
                    }
                    if let Some(asked) = &mut answers[role.index()] {
                        asked.answer = Some(answer);
                    }
                }
                Ok(late) => self.note_late(late),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => break,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(answers)
    }

    /// Whether a role gets a message.
    fn is_asked(&self, role: RoleId, request: Request) -> bool {
        let given_up = self.record.players[role.index()].given_up.is_some();
        match self.lines[role.index()] {
            Line::Manager => false,
            _ => !(given_up && request == Request::Play),
        }
    }

    /// Sends a message to a player. Its answer will come through the channel, or none will.
    fn send(
        &self,
        request: Request,
        role: RoleId,
        text: &dyn Fn(RoleId) -> String,
        (asked, time): (Instant, Duration),
    ) {
        let (inquiry, answers) = (self.inquiry, self.sender.clone());
        let answer = move |sent| {
            let after = asked.elapsed();
            Answer { role, inquiry, after, sent, thought: None }
        };
        match &self.lines[role.index()] {
            Line::Manager => {}
            Line::Here(orders) => {
                let last = match request {
                    Request::Play | Request::Stop => self.last.clone(),
                    Request::Start | Request::Abort => Vec::new(),
                };
                let order = Order { request, last, inquiry, asked, time };
                if orders.send(order).is_err() {
                    let gone = NoAnswer::new(FaultKind::Failed, "the player has ended");
                    // The channel's other end is here.
                    let _ = answers.send(answer(Err(gone)));
                }
            }
            Line::Elsewhere(remote) => {
                let (remote, text) = (remote.clone(), text(role));
                thread::spawn(move || {
                    let sent = remote.exchange(&text, time.saturating_sub(asked.elapsed()));
                    // The match may be over by now.
                    let _ = answers.send(answer(sent));
                });
            }
        }
    }

    /// Writes a fault down, and gives a player up who has too many.
    fn fault(&mut self, request: Request, role: RoleId, why: NoAnswer, played: Option<String>) {
        let NoAnswer { kind, detail, sent } = why;
        let fault =
            Fault { step: self.steps(), request, role, kind, detail, sent: kept(&sent), played };
        (self.tell)(&Event::Fault(&fault));
        if kind == FaultKind::Late {
            self.missed.push((self.inquiry, role, self.record.faults.len()));
        }
        self.record.faults.push(fault);
        let step = self.steps();
        let player = &mut self.record.players[role.index()];
        player.errors += 1;
        if player.errors >= self.conditions.max_errors && player.given_up.is_none() {
            player.given_up = Some(step);
            (self.tell)(&Event::GivenUp(role));
        }
    }

    /// Adds what was sent to the fault of an answer that comes too late.
    fn note_late(&mut self, answer: Answer) {
        let which = (answer.inquiry, answer.role);
        let fault = self.missed.iter().find(|&&(inquiry, role, _)| (inquiry, role) == which);
        if let Some(&(.., place)) = fault {
            let sent = answer.sent.unwrap_or_else(|why| why.sent);
            self.record.faults[place].sent = kept(&sent);
        }
    }

    /// Writes down the facts of the state at hand.
    fn note_state(&mut self) {
        let state = self.engine.state(&self.scratch);
        let facts = sorted_strings(&self.engine.facts(&state), self.engine.symbols());
        self.record.states.push(facts);
    }

    /// Writes down the joint move that led to the state at hand, and the state.
    fn note_step(&mut self, legal: &[Vec<MoveId>]) {
        let symbols = self.engine.symbols();
        let joint: Vec<String> = self.last.iter().map(|term| term.canonical(symbols)).collect();
        let number = self.steps();
        (self.tell)(&Event::Played(number, &joint));
        let step = self.step_of(legal, Some(joint));
        self.record.playout.steps.push(step);
        self.record.playout.length += 1;
        self.note_state();
    }

    /// The last state that was written down, as a step of a trace.
    fn step_of(&self, legal: &[Vec<MoveId>], joint: Option<Vec<String>>) -> Step {
        let name = |id: &MoveId| self.engine.move_term(*id).1.canonical(self.engine.symbols());
        let legals = self.record.roles.iter().zip(legal).map(|(role, moves)| {
            let mut names: Vec<String> = moves.iter().map(name).collect();
            names.sort_unstable();
            let legals = match names.len() {
                0..=LISTED => Legals::List(names),
                count => Legals::Digest { count, hash: hash_of(&names) },
            };
            (role.clone(), legals)
        });
        let StateDigest { state_hash, state_size } = self.digest();
        Step { state_hash, state_size, terminal: false, legals: legals.collect(), joint }
    }

    /// The last state that was written down, in short.
    fn digest(&self) -> StateDigest {
        let facts = self.record.states.last().map_or(&[][..], Vec::as_slice);
        StateDigest { state_hash: hash_of(facts), state_size: facts.len() }
    }

    /// Takes leave of all players, and writes down how it ended.
    fn end(&mut self, mut ending: Ending) {
        if ending == Ending::Terminal
            && let Err(limit) = self.goals()
        {
            ending = limit.into();
        }
        let playout = &mut self.record.playout;
        playout.terminal = ending == Ending::Terminal;
        playout.outcome = match ending {
            Ending::Terminal => Outcome::Terminal,
            Ending::Cap => Outcome::Cap,
            Ending::Stuck(_) => Outcome::Stuck,
            Ending::Interrupted => Outcome::Time,
            Ending::Limit(_) => Outcome::Error,
        };
        if let Ending::Stuck(role) = ending {
            playout.stuck_role = Some(self.record.roles[role.index()].clone());
        }
        if matches!(ending, Ending::Terminal | Ending::Cap) {
            self.record.playout.last = Some(self.digest());
        }
        self.take_leave(ending == Ending::Terminal);
        self.record.ending = ending;
    }

    /// Writes the goals down.
    fn goals(&mut self) -> Result<(), WorkLimit> {
        let symbols = self.engine.symbols();
        let mut sets: Vec<Vec<String>> = Vec::new();
        for role in self.engine.roles().iter() {
            sets.push(match self.engine.goal(&mut self.scratch, role) {
                Ok(value) => {
                    self.record.goals[role.index()] = Some(value);
                    vec![value.to_string()]
                }
                Err(GoalError::Missing) => Vec::new(),
                Err(GoalError::Improper(values)) => sorted_strings(&values, symbols),
                Err(GoalError::Limit(limit)) => return Err(limit),
            });
        }
        let only = |set: &Vec<String>| match &set[..] {
            [only] => only.parse::<i64>().ok(),
            _ => None,
        };
        let (roles, playout) = (&self.record.roles, &mut self.record.playout);
        playout.goals = Some(roles.iter().cloned().zip(sets.iter().map(only)).collect());
        if sets.iter().any(|set| only(set).is_none()) {
            playout.goal_sets = Some(roles.iter().cloned().zip(sets).collect());
        }
        Ok(())
    }

    /// Sends STOP after the end of the match, and ABORT before.
    fn take_leave(&mut self, is_over: bool) {
        let time = FAREWELL.min(self.conditions.play_clock);
        let id = self.conditions.id.clone();
        let (request, words, message) = match is_over {
            true => (Request::Stop, &["DONE"][..], Message::Stop { id, last: self.last() }),
            false => (Request::Abort, &["ABORTED", "DONE"][..], Message::Abort { id }),
        };
        let text = message.to_string();
        self.hurry.store(true, Ordering::Relaxed);
        if let Ok(answers) = self.ask(request, time, &|_| text.clone(), None) {
            self.expect_word(request, words, answers);
        }
    }
}

/// What became of a question.
struct Asked {
    /// How long there was.
    time: Duration,
    answer: Option<Answer>,
}

impl Asked {
    /// How long a whole answer took.
    fn after(&self) -> Option<Duration> {
        let answer = self.answer.as_ref()?;
        answer.sent.is_ok().then_some(answer.after)
    }

    /// The answer, if it is a whole one and was there in time.
    fn on_time(self) -> Result<Vec<u8>, NoAnswer> {
        let late = |sent| {
            let detail = "the clock was over before the answer was there".to_owned();
            NoAnswer { kind: FaultKind::Late, detail, sent }
        };
        match self.answer {
            None => Err(late(Vec::new())),
            Some(Answer { after, sent, .. }) if after > self.time => {
                Err(late(sent.unwrap_or_else(|why| why.sent)))
            }
            Some(Answer { sent, .. }) => sent,
        }
    }
}

/// The one expression that an answer consists of, or what is wrong with it.
fn only_expr(text: &[u8]) -> Result<Expr, String> {
    let document = kif::read_bytes(text).map_err(|errors| {
        errors.first().map_or_else(String::new, |error: &Diagnostic| error.message.clone())
    })?;
    match <[Expr; 1]>::try_from(document.items) {
        Ok([only]) => Ok(only),
        Err(items) => Err(format!("{} expressions and not one", items.len())),
    }
}

/// As much of an answer as is kept.
fn kept(sent: &[u8]) -> Option<String> {
    // No character has more than four bytes.
    let text = String::from_utf8_lossy(&sent[..sent.len().min(4 * KEPT)]);
    let mut kept: String = text.chars().take(KEPT).collect();
    if kept.len() < sent.len() {
        kept.push('…');
    }
    (!sent.is_empty()).then_some(kept)
}
