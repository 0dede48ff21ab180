//! Who plays the roles that no human plays, and who is asked for hints.
//!
//! Where rules for `sees` hide the state, nobody gets it here: a player has the states that agree
//! with what its role was told, from a [`Sampler`].

use super::arguments::Arguments;
use super::engines::Engines;
use super::game_position::GamePosition;
use crate::cli::{interrupt, progress};
use gdlr::batch::Batch;
use gdlr::engine::{AnyEngine, AnyScratch, Engine, MoveId, RoleId, seeded};
use gdlr::play::player::{Clock, Player, Start, Turn};
use gdlr::play::report::Report;
use gdlr::play::sampler::{self, Observation, Sampler};
use gdlr::search::{DEFAULT_MEMORY, PlayerKind as Kind, Search};
use indicatif::ProgressBar;
use std::sync::Arc;
use std::time::Duration;

/// The players of a game in the terminal.
pub struct Players<'e> {
    engines: &'e Engines,
    engine: &'e AnyEngine,
    arguments: &'e Arguments,
    /// By role; none for a human.
    by_role: Vec<Option<Box<dyn Player>>>,
    /// Who gives hints; by role where each knows something else, otherwise the first for all.
    advisers: Vec<Option<Search>>,
    /// By role: what it can know of the state, once somebody thought for it; in games with rules
    /// for `sees`.
    samplers: Vec<Option<Sampler>>,
}

impl<'e> Players<'e> {
    /// The players of the roles that are not human; they are told that the game begins.
    pub fn new(engines: &'e Engines, arguments: &'e Arguments, human: &[bool]) -> Players<'e> {
        let engine = engines.first();
        let mut players = Players {
            engines,
            engine,
            arguments,
            by_role: Vec::new(),
            advisers: human.iter().map(|_| None).collect(),
            samplers: human.iter().map(|_| None).collect(),
        };
        for (role, human) in engine.roles().iter().zip(human) {
            let player = (!human).then(|| players.started(role));
            players.by_role.push(player);
        }
        players
    }

    /// A player of a role that has been told that the game begins.
    fn started(&self, role: RoleId) -> Box<dyn Player> {
        let Players { engine, arguments, .. } = *self;
        let clock = Clock::stopped_by(Duration::ZERO, interrupt::STOP.clone());
        let seed = arguments.seed ^ (u64::from(role.0) + 1) << 32;
        let mut player = self.kind(role).of_match(seed, arguments.max_steps, DEFAULT_MEMORY);
        player.start(&Start { engine, role, play_clock: arguments.think, clock: &clock });
        player
    }

    /// Goes on with another engine. What searches have found is of the old one, and forgotten.
    pub fn go_over_to(&mut self, engine: &'e AnyEngine) {
        self.engine = engine;
        for role in engine.roles().iter() {
            if !self.is_human(role) {
                self.by_role[role.index()] = Some(self.started(role));
            }
        }
        self.advisers.fill_with(|| None);
        self.samplers.fill_with(|| None);
    }

    /// Whether the user plays a role.
    pub fn is_human(&self, role: RoleId) -> bool {
        self.by_role[role.index()].is_none()
    }

    /// The name of the player of a role.
    pub fn name(&self, role: RoleId) -> &'e str {
        if self.is_human(role) { "you" } else { self.kind(role).name() }
    }

    /// How long all of them think about a step at most.
    pub fn thinking_time(&self) -> Duration {
        let thinks = |&role: &RoleId| !self.is_human(role) && *self.kind(role) != Kind::Random;
        let count = self.engine.roles().iter().filter(thinks).count();
        self.arguments.think.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// How a role that is not human is played: chance always draws its moves.
    fn kind(&self, role: RoleId) -> &'e Kind {
        match self.engine.roles().random() == Some(role) {
            true => &Kind::Random,
            false => &self.arguments.player,
        }
    }

    /// The move that the player of a role chooses; `None` for one at random. If `shown`, the user
    /// is told that it thinks.
    pub fn choose(
        &mut self,
        role: RoleId,
        place: &GamePosition,
        legal: &[MoveId],
        shown: bool,
    ) -> Option<MoveId> {
        let kind = self.kind(role);
        if *kind == Kind::Random {
            return None;
        }
        let lanes =
            if kind.searches() { self.engines.lanes(&self.arguments.engine.how) } else { None };
        let spinner = shown.then(|| self.spinner(role));
        let clock = Clock::stopped_by(self.arguments.think, interrupt::STOP.clone());
        let sampler = self.engine.has_percepts().then(|| &mut self.samplers[role.index()]);
        let (engine, arguments) = (self.engine, self.arguments);
        let player = self.by_role[role.index()].as_mut()?;
        let question = Question { engine, arguments, role, place, legal, clock: &clock, lanes };
        let chosen = question.put_to(player.as_mut(), sampler);
        spinner.inspect(ProgressBar::finish_and_clear);
        chosen
    }

    /// The move of a search in the place of a human, and the expected value of each move if it
    /// can say. `None` if it found no state that agrees with what the role was told.
    pub fn advise(
        &mut self,
        role: RoleId,
        place: &GamePosition,
        legal: &[MoveId],
        time: Duration,
    ) -> Option<(MoveId, Option<Report>)> {
        let lanes = self.engines.lanes(&self.arguments.engine.how);
        let hidden = self.engine.has_percepts();
        let spinner = self.spinner(role);
        let clock = Clock::stopped_by(time, interrupt::STOP.clone());
        let sampler = hidden.then(|| &mut self.samplers[role.index()]);
        let (engine, arguments) = (self.engine, self.arguments);
        let adviser = &mut self.advisers[if hidden { role.index() } else { 0 }];
        let adviser = adviser.get_or_insert_with(|| Search::new(arguments.seed, DEFAULT_MEMORY));
        let question = Question { engine, arguments, role, place, legal, clock: &clock, lanes };
        let chosen = question.put_to(adviser, sampler);
        spinner.finish_and_clear();
        let mut report = adviser.report();
        if let (true, Some(report)) = (hidden, &mut report) {
            // A line of play would be that of one state of many.
            report.main_line.clear();
        }
        Some((chosen?, report))
    }

    /// Tells the players that the game is over, or broken off in the state of a scratch.
    pub fn stop(&mut self, scratch: &mut AnyScratch) {
        let is_over = self.engine.terminal(scratch).unwrap_or_default();
        for (role, player) in self.engine.roles().iter().zip(&mut self.by_role) {
            if let Some(player) = player {
                let goal = self.engine.goal(scratch, role).ok();
                player.stop(goal.filter(|_| is_over));
            }
        }
    }

    /// Makes what players need before the game begins, so that it takes no time later.
    pub fn prepare(&self) {
        if self.engine.roles().iter().any(|role| !self.is_human(role))
            && self.arguments.player.searches()
        {
            self.engines.settle();
            self.engines.lanes(&self.arguments.engine.how);
        }
    }

    fn spinner(&self, role: RoleId) -> ProgressBar {
        let spinner = progress::spinner();
        spinner.set_message(format!("looking ahead for {}", self.engine.roles().name(role)));
        spinner
    }
}

/// A request to a player.
struct Question<'q> {
    engine: &'q AnyEngine,
    arguments: &'q Arguments,
    role: RoleId,
    place: &'q GamePosition,
    legal: &'q [MoveId],
    clock: &'q Clock,
    lanes: Option<Arc<Batch>>,
}

impl Question<'_> {
    /// The move that a player chooses. In a game with rules for `sees` there is a place for the
    /// `sampler` of the role; `None` if it has no state that agrees with what the role was told.
    fn put_to(
        &self,
        player: &mut dyn Player,
        sampler: Option<&mut Option<Sampler>>,
    ) -> Option<MoveId> {
        let Question { engine, role, place, legal, clock, .. } = *self;
        let sampler = match sampler {
            Some(sampler) => Some(&*self.follow(sampler)?),
            None => None,
        };
        let drawn = match sampler {
            Some(sampler) => Some(&sampler.draw(&mut self.rng(place.step))?.state),
            None => None,
        };
        let last = place.last_observation(role);
        let (state, step) = (drawn.unwrap_or(&place.state), place.step);
        let (last, lanes) = (last.as_ref(), self.lanes.as_ref());
        let turn = Turn { engine, state, sampler, role, legal, last, step, clock, lanes };
        Some(player.play(&turn))
    }

    /// Brings a sampler to the place, or makes it anew where something else was played since, and
    /// gives it if it is there. That takes half of the time at most.
    fn follow<'s>(&self, sampler: &'s mut Option<Sampler>) -> Option<&'s mut Sampler> {
        let Question { engine, arguments, role, place, clock, .. } = *self;
        let observations = place.observations.iter().map(|of_roles| of_roles[role.index()].clone());
        let enough = clock.left() / 2;
        let is_over = || clock.left() <= enough;
        let observations: Vec<Observation> = observations.collect();
        sampler::follow(sampler, engine, role, &observations, arguments.seed, &is_over)
    }

    /// The random numbers of a step.
    fn rng(&self, step: u64) -> rand_xoshiro::Xoshiro256PlusPlus {
        seeded(self.arguments.seed.wrapping_add(step), self.role.index())
    }
}
