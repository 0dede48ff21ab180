//! The table of a match: whose moves are awaited, which are there, and what comes next.
//!
//! Nothing here waits or thinks: [`Table::next`] says what is to be done, and whoever drives the
//! match does it.

use super::seat::{Seat, Who};
use super::task::Task;
use super::timeline::Timeline;
use gdlr_engine::engine::{Engine, RoleId, WorkLimit, choose, seeded};
use gdlr_players::search::PlayerKind;
use gdlr_players::set_up::Handover;
use gdlr_rules::gdl::Term;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// Where nobody plays from outside, a step takes at least this time, or what players may think if
/// that is less: people watch.
const PACE: Duration = Duration::from_millis(500);

/// So long takes a step at least in which nobody outside had a choice.
const LEAST_PACE: Duration = Duration::from_millis(20);

/// How long a match may be: in steps, and in the facts of all its states.
const MOST_STEPS: usize = 10_000;
const MOST_FACTS: usize = 500_000;

/// A match, and who plays it.
pub struct Table {
    pub timeline: Timeline,
    pub seats: Vec<Seat>,
    /// By role: the move of this turn, if it is there.
    chosen: Vec<Option<Term>>,
    pub think: Duration,
    pub paused: bool,
    pub seed: u64,
    /// The number of the turn, counted anew whenever what somebody thinks about is of no use any
    /// more.
    turn: u64,
    /// Ends the thinking about this turn.
    stop: Arc<AtomicBool>,
    /// Ends the hint.
    hint: Arc<AtomicBool>,
    pub thinking: Option<RoleId>,
    /// Why the match cannot go on.
    pub stopped: Option<String>,
    /// Whether somebody drives the match.
    pub is_driven: bool,
    /// Whether it was taken away.
    pub is_gone: bool,
    moved: Instant,
    pub began: SystemTime,
}

/// The next thing to do for a match.
pub enum Next {
    /// Nothing, until a move comes from outside.
    Rest,
    /// Something has changed: ask again.
    Changed,
    /// Wait so long.
    Wait(Duration),
    /// A player is to think.
    Think(Box<Task>),
}

/// Why a move is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// The match is over or cannot go on.
    Over,
    /// The role is played here.
    NotYours,
    /// The role has chosen already.
    Chosen,
    /// The move is not legal.
    Illegal,
}

impl Table {
    pub fn new(timeline: Timeline, seats: Vec<Seat>, think: Duration, seed: u64) -> Table {
        Table {
            chosen: vec![None; seats.len()],
            timeline,
            seats,
            think,
            paused: false,
            seed,
            turn: 0,
            stop: Arc::default(),
            hint: Arc::default(),
            thinking: None,
            stopped: None,
            is_driven: false,
            is_gone: false,
            moved: Instant::now(),
            began: SystemTime::now(),
        }
    }

    /// Whether no move can be made any more.
    pub fn is_over(&self) -> bool {
        self.is_gone || self.stopped.is_some() || self.timeline.now().terminal
    }

    /// The roles whose move has to come from outside.
    pub fn waiting(&self) -> impl Iterator<Item = RoleId> + '_ {
        let awaits = |seat: &&Seat| {
            !self.is_over()
                && seat.who == Who::Human
                && self.timeline.now().has_choice(seat.role)
                && self.chosen[seat.role.index()].is_none()
        };
        self.seats.iter().filter(awaits).map(|seat| seat.role)
    }

    /// The roles whose move has come from outside, while others are awaited.
    pub fn has_chosen(&self) -> impl Iterator<Item = RoleId> + '_ {
        let has = |seat: &&Seat| {
            seat.who == Who::Human
                && self.timeline.now().has_choice(seat.role)
                && self.chosen[seat.role.index()].is_some()
        };
        self.seats.iter().filter(has).map(|seat| seat.role)
    }

    /// Takes a move from outside.
    pub fn choose(&mut self, role: RoleId, term: Term) -> Result<(), NotTaken> {
        let now = self.timeline.now();
        if self.is_over() {
            return Err(NotTaken::Over);
        }
        if self.seats[role.index()].who != Who::Human {
            return Err(NotTaken::NotYours);
        }
        if !now.legal[role.index()].contains(&term) {
            return Err(NotTaken::Illegal);
        }
        // The only move may be said, and is made without.
        if now.has_choice(role) && self.chosen[role.index()].is_some() {
            return Err(NotTaken::Chosen);
        }
        self.chosen[role.index()] = Some(term);
        Ok(())
    }

    /// Takes what a player has thought, and the player back.
    pub fn take_back(&mut self, task: Task, chosen: Option<Term>) {
        let Task { role, kind, player, sampler, turn, .. } = task;
        let seat = &mut self.seats[role.index()];
        if seat.who == Who::Player(kind) {
            (seat.player, seat.sampler) = (player, sampler);
        }
        if turn == self.turn {
            self.thinking = None;
            let any = || choose_any(&self.timeline, self.seed, role);
            self.chosen[role.index()] = chosen.or_else(any);
        }
    }

    /// Goes back to an earlier state, whether there is one.
    pub fn back(&mut self, step: usize) -> Result<bool, WorkLimit> {
        let is_there = self.timeline.back(step)?;
        if is_there {
            self.stopped = None;
            self.begin_turn();
        }
        Ok(is_there)
    }

    /// The last state before the present one in which somebody who plays from outside had a choice.
    pub fn last_choice(&mut self) -> Result<Option<usize>, WorkLimit> {
        for step in (0..self.timeline.last()).rev() {
            let Some(then) = self.timeline.at(step)? else { continue };
            let human = |seat: &Seat| seat.who == Who::Human && then.has_choice(seat.role);
            if self.seats.iter().any(human) {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Says who plays a role from now on.
    pub fn seat(&mut self, role: RoleId, who: Who) {
        let seat = &mut self.seats[role.index()];
        if seat.who != who && seat.who != Who::Chance {
            *seat = Seat::new(role, who);
            self.chosen[role.index()] = None;
            self.stop_thinking();
        }
    }

    /// Lets play rest, or go on.
    pub fn pause(&mut self, paused: bool) {
        if self.paused != paused {
            self.paused = paused;
            self.stop_thinking();
        }
    }

    /// Begins a turn of which no move is there.
    fn begin_turn(&mut self) {
        self.stop_thinking();
        self.end_hint();
        self.chosen.fill(None);
        self.moved = Instant::now();
    }

    /// Drops what players think about at present.
    fn stop_thinking(&mut self) {
        self.turn += 1;
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        self.thinking = None;
    }

    /// Ends the hint, if one is given.
    pub fn end_hint(&mut self) {
        self.hint.store(true, Ordering::Relaxed);
        self.hint = Arc::default();
    }

    /// Nobody plays any more.
    pub fn end(&mut self) {
        self.begin_turn();
        self.is_gone = true;
        self.forget_players();
    }

    /// Drops what players remember; they begin anew when they are needed.
    pub fn forget_players(&mut self) {
        for seat in &mut self.seats {
            (seat.player, seat.sampler) = (None, None);
        }
    }

    /// The next thing to do.
    pub fn next(&mut self, handover: &Arc<Handover>) -> Next {
        if self.paused || self.is_over() {
            return Next::Rest;
        }
        let now = self.timeline.now().clone();
        if let Some(role) = now.stuck() {
            let name = self.timeline.engine().roles().name(role);
            self.stopped = Some(format!(
                "{name} has no legal move, and the game is not over: a defect of the rules"
            ));
            return Next::Changed;
        }
        for seat in &self.seats {
            let legal = &now.legal[seat.role.index()];
            let chosen = &mut self.chosen[seat.role.index()];
            if chosen.is_none() && legal.len() == 1 {
                *chosen = legal.first().cloned();
            } else if chosen.is_none() && seat.who.is_random() {
                *chosen = choose_any(&self.timeline, self.seed, seat.role);
            }
        }
        let thinks = self.seats.iter().find_map(|seat| match &seat.who {
            Who::Player(kind) if self.chosen[seat.role.index()].is_none() => {
                Some((seat.role, kind.clone()))
            }
            _ => None,
        });
        if let Some((role, kind)) = thinks {
            self.timeline.take_better();
            self.thinking = Some(role);
            let seat = &mut self.seats[role.index()];
            let (player, sampler) = (seat.player.take(), seat.sampler.take());
            let (think, stop) = (self.think, self.stop.clone());
            let task = self.task(role, kind, think, stop, handover);
            return Next::Think(Box::new(Task { player, sampler, ..task }));
        }
        if self.chosen.iter().any(Option::is_none) {
            return Next::Rest;
        }
        let wait = self.pace().saturating_sub(self.moved.elapsed());
        if !wait.is_zero() {
            return Next::Wait(wait);
        }
        if self.timeline.last() >= MOST_STEPS || self.timeline.fact_count() >= MOST_FACTS {
            self.stopped = Some("the match is too long to be kept".to_owned());
            return Next::Changed;
        }
        let joint = self.chosen.iter().flatten().cloned().collect();
        match self.timeline.step(joint) {
            Ok(()) => self.begin_turn(),
            Err(error) => self.stopped = Some(error.to_string()),
        }
        Next::Changed
    }

    /// How long a step takes at least.
    fn pace(&self) -> Duration {
        let mut humans = self.seats.iter().filter(|seat| seat.who == Who::Human).peekable();
        if humans.peek().is_none() {
            return PACE.min(self.think);
        }
        match humans.any(|seat| self.timeline.now().has_choice(seat.role)) {
            true => Duration::ZERO,
            false => LEAST_PACE,
        }
    }

    /// A search that says what it expects of the moves of a role.
    pub fn hint(&mut self, role: RoleId, think: Duration, handover: &Arc<Handover>) -> Task {
        self.end_hint();
        self.timeline.take_better();
        let stop = self.hint.clone();
        Task { is_hint: true, ..self.task(role, PlayerKind::Uct, think, stop, handover) }
    }

    /// The task of a role, without its player.
    fn task(
        &self,
        role: RoleId,
        kind: PlayerKind,
        think: Duration,
        stop: Arc<AtomicBool>,
        handover: &Arc<Handover>,
    ) -> Task {
        Task {
            role,
            kind,
            player: None,
            sampler: None,
            engine: self.timeline.engine().clone(),
            handover: handover.clone(),
            state: self.timeline.state(),
            legal: self.timeline.now().legal[role.index()].clone(),
            observations: self.timeline.observations(role),
            think,
            seed: self.seed,
            stop,
            is_hint: false,
            turn: self.turn,
        }
    }
}

/// Any legal move of a role, each with the same chance.
fn choose_any(timeline: &Timeline, seed: u64, role: RoleId) -> Option<Term> {
    let step = timeline.last() as u64;
    let mut rng = seeded(seed ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15), role.index());
    let legal: Vec<&Term> = timeline.now().legal[role.index()].iter().collect();
    choose(&legal, &mut rng).cloned()
}
