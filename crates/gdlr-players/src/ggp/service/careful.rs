//! A player of whom there is always an answer.

use super::idle::Idle;
use super::lock::lock;
use super::pending::Pending;
use crate::player::{Player, Start, Turn};
use gdlr_engine::engine::{Engine, MoveId, choose, seeded};
use gdlr_engine::play::report::Report;
use std::sync::{Arc, Mutex};

/// Has a legal move to say, should the player not be back in time.
pub(super) struct Careful {
    pub(super) player: Box<dyn Player>,
    pub(super) idle: Idle,
    pub(super) asked: Arc<Mutex<Arc<Pending>>>,
}

impl Player for Careful {
    fn start(&mut self, start: &Start<'_>) {
        self.player.start(start);
    }

    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        if let Some(any) = choose(turn.legal, &mut seeded(turn.step, 0)) {
            let text = turn.engine.move_term(any).1.spelled(turn.engine.symbols());
            lock(&self.asked).offer(self.idle.reply(text));
        }
        self.player.play(turn)
    }

    fn waits_for_lanes(&self) -> bool {
        self.player.waits_for_lanes()
    }

    fn plays_in_lanes(&self) -> bool {
        self.player.plays_in_lanes()
    }

    fn report(&self) -> Option<Report> {
        self.player.report()
    }

    fn stop(&mut self, goal: Option<u8>) {
        self.player.stop(goal);
    }
}
