//! A game manager: runs a match between players (SPEC, section 7).
//!
//! All players are asked at the same time, each on a thread of its own, and nobody waits for
//! one of them longer than the clock runs. An answer is judged by when it came, then by whether
//! it can be read, then by whether it is a legal move; in the place of one that is not, a random
//! legal move is played (7.2), and the [`Record`] says so. When all are ready, play begins
//! before the start clock is over (8.4). A player that is `busy` is asked nothing more: its moves
//! are random, too. A message that nobody takes is sent again until its clock is over.
//!
//! Who plays, and how a player is asked, is in [`contender`](super::contender). There is no HTTP
//! here: see `client`.
//!
//! | file | what it is for |
//! |---|---|
//! | `mod.rs` | a match from its beginning to its end |
//! | `conditions` | clocks and bounds |
//! | `event` | what happens, for who looks on |
//! | `running` | the match under way: its state, its players, its record |
//! | `ask` | messages to players, and waiting for their answers |
//! | `persistence` | asking again players that nobody can reach |
//! | `judge` | what answers are worth |
//! | `write` | what goes into the record |

mod ask;
mod conditions;
mod event;
mod judge;
mod persistence;
mod running;
mod write;

pub use conditions::Conditions;
pub use event::Event;

use super::contender::Contender;
use super::message::{Dialect, Last, Message, Rules};
use super::record::{Ending, Record, Request};
use ask::Reply;
use gdlr_engine::engine::{
    AnyEngine, Engine, MoveId, RoleId, StepError, WorkLimit, choose, seeded,
};
use gdlr_engine::play::sampler::Observation;
use gdlr_engine::play::trace::Outcome;
use gdlr_rules::gdl::Game;
use running::Match;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use write::opened;

/// The longest that anybody waits for an answer to STOP or ABORT.
const FAREWELL: Duration = Duration::from_secs(3);

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
        observations: Vec::new(),
        lines: Vec::new(),
        rngs: engine.roles().iter().map(|role| seeded(conditions.seed, role.index())).collect(),
        sender,
        answers,
        hurry: Arc::default(),
        inquiry: 0,
        missed: Vec::new(),
        errors: vec![0; engine.roles().count()],
        missing: vec![None; engine.roles().count()],
        record: opened(game, engine, &contenders, conditions),
    };
    running.seat(contenders);
    let start = Instant::now();
    let ending = running.play().unwrap_or_else(|ending| ending);
    running.end(ending);
    running.record.lasted = start.elapsed();
    running.record
}

impl From<WorkLimit> for Ending {
    fn from(limit: WorkLimit) -> Ending {
        Ending::Limit(limit)
    }
}

impl Match<'_> {
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
            let observations = self.observations_of(&joint)?;
            match self.engine.step(&mut self.scratch, &joint) {
                Ok(()) => {}
                Err(StepError::Limit(limit)) => return Err(limit.into()),
                Err(error) => panic!("legal moves can be played: {error}"),
            }
            self.last = joint.iter().map(|&id| self.engine.move_term(id).1).collect();
            self.observations = observations;
            self.note_step(&legal);
        }
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
                rules: Rules { document: document.clone(), text: "".into() },
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
        let id = &self.conditions.id;
        let texts = self.texts(|last| Message::Play { id: id.clone(), last });
        let time = self.conditions.play_clock;
        let text = |role: RoleId| texts[role.index()].clone();
        let answers = self.ask(Request::Play, time, &text, Some(self.stop))?;
        self.record.answers.push(answers.iter().map(|asked| asked.as_ref()?.after()).collect());
        let mut joint = Vec::new();
        for ((role, asked), legal) in self.engine.roles().iter().zip(answers).zip(legal) {
            // Drawn whether or not it is needed: what others do changes no choice of this role.
            let random = choose(legal, &mut self.rngs[role.index()]).expect("a legal move");
            let text = asked.map(Reply::on_time).transpose();
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

    /// By role: what it is going to be told of a joint move.
    fn observations_of(&mut self, joint: &[MoveId]) -> Result<Vec<Observation>, WorkLimit> {
        match Observation::of(self.engine, &mut self.scratch, joint) {
            Ok(observations) => Ok(observations),
            Err(StepError::Limit(limit)) => Err(limit),
            Err(error) => panic!("legal moves can be played: {error}"),
        }
    }

    /// By role: a message that tells it of the last step.
    fn texts(&self, message: impl Fn(Last) -> Message) -> Vec<String> {
        let (engine, steps) = (self.engine, self.steps());
        let by_need = match engine.has_percepts() {
            true => Dialect::Percepts,
            false => Dialect::JointMove,
        };
        let dialect = self.conditions.dialect.unwrap_or(by_need);
        let text = |role: RoleId| {
            let observations = self.observations.get(role.index());
            message(Last::of(observations, steps, dialect, role, engine)).to_string()
        };
        engine.roles().iter().map(text).collect()
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

    /// Sends STOP after the end of the match, and ABORT before.
    fn take_leave(&mut self, is_over: bool) {
        let time = FAREWELL.min(self.conditions.play_clock);
        let id = &self.conditions.id;
        let (request, words, texts) = match is_over {
            true => {
                let texts = self.texts(|last| Message::Stop { id: id.clone(), last });
                (Request::Stop, &["DONE"][..], texts)
            }
            false => {
                let texts = self.texts(|_| Message::Abort { id: id.clone() });
                (Request::Abort, &["ABORTED", "DONE"][..], texts)
            }
        };
        self.hurry.store(true, Ordering::Relaxed);
        let text = |role: RoleId| texts[role.index()].clone();
        if let Ok(answers) = self.ask(request, time, &text, None) {
            self.expect_word(request, words, answers);
        }
    }
}
