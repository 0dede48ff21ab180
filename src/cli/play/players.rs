//! Who plays the roles that no human plays, and who is asked for hints.

use super::arguments::{Arguments, Player as Kind};
use crate::cli::{engine, interrupt, progress};
use gdlr::batch::Batch;
use gdlr::engine::{AnyEngine, AnyScratch, AnyState, Engine, MoveId, RoleId};
use gdlr::gdl::Term;
use gdlr::play::player::{Clock, Player, Start, Turn};
use gdlr::play::report::Report;
use gdlr::play::sampler::Told;
use gdlr::search::{DEFAULT_MEMORY, Search};
use std::sync::Arc;
use std::time::Duration;

/// A place in a game.
#[derive(Clone)]
pub struct Place {
    pub state: AnyState,
    /// How many joint moves led there.
    pub step: u64,
    /// The last of them, if it is known.
    pub last: Vec<Term>,
}

/// The players of a game in the terminal.
pub struct Players<'e> {
    engine: &'e AnyEngine,
    arguments: &'e Arguments,
    /// By role; none for a human.
    by_role: Vec<Option<Box<dyn Player>>>,
    adviser: Search,
    /// What searches play leaves out on, once one needed it and if there is a net.
    lanes: Option<Option<Arc<Batch>>>,
}

impl<'e> Players<'e> {
    /// The players of the roles that are not human; they are told that the game begins.
    pub fn new(engine: &'e AnyEngine, arguments: &'e Arguments, human: &[bool]) -> Players<'e> {
        let adviser = Search::new(arguments.seed, DEFAULT_MEMORY);
        let mut players = Players { engine, arguments, by_role: Vec::new(), adviser, lanes: None };
        let clock = Clock::stopped_by(Duration::ZERO, interrupt::STOP.clone());
        for (role, human) in engine.roles().iter().zip(human) {
            let player = (!human).then(|| {
                let seed = arguments.seed ^ (u64::from(role.0) + 1) << 32;
                let kind = players.kind(role);
                let mut player = kind.of_match(seed, arguments.max_steps, DEFAULT_MEMORY);
                player.start(&Start { engine, role, play_clock: arguments.think, clock: &clock });
                player
            });
            players.by_role.push(player);
        }
        players
    }

    /// Whether the user plays a role.
    pub fn is_human(&self, role: RoleId) -> bool {
        self.by_role[role.index()].is_none()
    }

    /// What the player of a role is called.
    pub fn name(&self, role: RoleId) -> &'static str {
        if self.is_human(role) { "you" } else { self.kind(role).name() }
    }

    /// How a role that is not human is played: chance always draws its moves.
    fn kind(&self, role: RoleId) -> Kind {
        match self.engine.roles().random() == Some(role) {
            true => Kind::Random,
            false => self.arguments.player,
        }
    }

    /// The move that the player of a role chooses; `None` if a human plays it.
    pub fn choose(&mut self, role: RoleId, place: &Place, legal: &[MoveId]) -> Option<MoveId> {
        let lanes = if self.kind(role) == Kind::Uct { self.lanes() } else { None };
        let player = self.by_role[role.index()].as_mut()?;
        let time = self.arguments.think;
        Some(think(player.as_mut(), self.engine, role, place, legal, time, lanes))
    }

    /// What a search would play in the place of a human, and what it expects of each move if it
    /// can say.
    pub fn advise(
        &mut self,
        role: RoleId,
        place: &Place,
        legal: &[MoveId],
        time: Duration,
    ) -> (MoveId, Option<Report>) {
        let lanes = self.lanes();
        let chosen = think(&mut self.adviser, self.engine, role, place, legal, time, lanes);
        (chosen, self.adviser.report())
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

    /// The lanes of the game, if it is played on a net.
    fn lanes(&mut self) -> Option<Arc<Batch>> {
        let (engine, how) = (self.engine, &self.arguments.engine.how);
        self.lanes.get_or_insert_with(|| engine::lanes(engine, how)).clone()
    }
}

/// Asks a player for a move.
fn think(
    player: &mut dyn Player,
    engine: &AnyEngine,
    role: RoleId,
    place: &Place,
    legal: &[MoveId],
    time: Duration,
    lanes: Option<Arc<Batch>>,
) -> MoveId {
    let clock = Clock::stopped_by(time, interrupt::STOP.clone());
    let Place { state, step, last } = place;
    let told = (!last.is_empty()).then(|| Told::Joint(last.clone()));
    let (last, lanes, clock, sampler) = (told.as_ref(), lanes.as_ref(), &clock, None);
    let turn = Turn { engine, state, sampler, role, legal, last, step: *step, clock, lanes };
    let spinner = progress::spinner();
    spinner.set_message(format!("looking ahead for {}", engine.roles().name(role)));
    let chosen = player.play(&turn);
    spinner.finish_and_clear();
    chosen
}
