//! A player thinks: about its move, or to give a hint.
//!
//! It thinks in slices, and says after each what it expects by then, so that whoever watches sees
//! how the estimates change.

use gdlr_engine::engine::{AnyEngine, AnyState, Engine, MoveId, RoleId, choose, seeded};
use gdlr_engine::play::DEFAULT_MAX_STEPS;
use gdlr_engine::play::report::Report;
use gdlr_engine::play::sampler::{self, Observation, Sampler};
use gdlr_players::player::{Clock, Player, Start, Turn};
use gdlr_players::search::PlayerKind;
use gdlr_players::set_up::Handover;
use gdlr_rules::gdl::Term;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a player thinks until it says what it expects.
const SLICE: Duration = Duration::from_millis(250);

/// Memory for what a search remembers, in bytes.
const MEMORY: usize = 64 << 20;

/// A turn of a player, with all that it takes to think about it.
pub struct Task {
    pub role: RoleId,
    pub kind: PlayerKind,
    /// `None` for one that has not begun.
    pub player: Option<Box<dyn Player>>,
    pub sampler: Option<Sampler>,
    pub engine: AnyEngine,
    pub handover: Arc<Handover>,
    /// The present state. Where it is hidden, the player is given one that the sampler draws.
    pub state: AnyState,
    pub legal: Vec<Term>,
    /// By step: what the role was told.
    pub observations: Vec<Observation>,
    pub think: Duration,
    pub seed: u64,
    /// Ends it early.
    pub stop: Arc<AtomicBool>,
    /// Whether it is for a hint.
    pub is_hint: bool,
    /// By which the table knows whether the turn is still the same.
    pub turn: u64,
}

/// The estimates of a player so far.
pub struct Thought<'t> {
    pub engine: &'t AnyEngine,
    pub report: &'t Report,
    /// Since it began to think about this turn.
    pub playouts: u64,
    pub time: Duration,
    pub is_last: bool,
}

impl Task {
    /// Thinks, and gives the move; `None` if it has none to give, as no state was found that agrees
    /// with what the role was told. `tell` hears what the player expects.
    pub fn run(&mut self, tell: &mut dyn FnMut(&Thought<'_>)) -> Option<Term> {
        let Task { role, kind, engine, stop, .. } = self;
        let (role, kind, stop) = (*role, kind.clone(), stop.clone());
        let whole = Clock::stopped_by(self.think, stop.clone());
        let ids = self.legal.iter().filter_map(|term| engine.move_id(role, term));
        let legal: Vec<MoveId> = ids.collect();
        let step = self.observations.len() as u64;
        let sampler = match engine.has_percepts() {
            false => None,
            true => {
                let enough = whole.left() / 2;
                let is_over = || whole.left() <= enough;
                let (seed, observations) = (self.seed, &self.observations);
                Some(&*sampler::follow(
                    &mut self.sampler,
                    engine,
                    role,
                    observations,
                    seed,
                    &is_over,
                )?)
            }
        };
        let drawn = match sampler {
            Some(sampler) => {
                Some(&sampler.draw(&mut seeded(self.seed ^ step, role.index()))?.state)
            }
            None => None,
        };
        let player = self.player.get_or_insert_with(|| {
            let seed = self.seed ^ (u64::from(role.0) + 1) << 32;
            let mut player = kind.of_match(seed, DEFAULT_MAX_STEPS, MEMORY);
            player.start(&Start { engine, role, play_clock: self.think, clock: &whole });
            player
        });
        let (mut playouts, mut time) = (0, Duration::ZERO);
        loop {
            let slice = match kind.searches() {
                true => SLICE.min(whole.left()),
                false => whole.left(),
            };
            let clock = Clock::stopped_by(slice, stop.clone());
            let lanes = self.handover.batch();
            let turn = Turn {
                engine,
                state: drawn.unwrap_or(&self.state),
                sampler,
                role,
                legal: &legal,
                last: self.observations.last(),
                step,
                clock: &clock,
                lanes: lanes.as_ref(),
            };
            let chosen = player.play(&turn);
            let report = player.report();
            // Who comes back early has nothing more to find.
            let is_last = whole.is_over() || clock.left() > slice / 2 || report.is_none();
            if let Some(report) = &report {
                playouts += report.effort.playouts;
                time += report.effort.time;
                tell(&Thought { engine, report, playouts, time, is_last });
            }
            if is_last {
                let legal_one = Some(chosen).filter(|id| legal.contains(id));
                let any = || choose(&legal, &mut seeded(self.seed, role.index()));
                return legal_one.or_else(any).map(|id| engine.move_term(id).1);
            }
        }
    }
}
