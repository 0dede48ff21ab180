//! What states look like: the boards that the rules show.

use super::interrupt;
use gdlr::board::{Boards, Part};
use gdlr::draw;
use gdlr::engine::{AnyEngine, Engine};
use gdlr::gdl::{Game, Term};
use gdlr::play::{End, Playout, seeded};
use gdlr::propnet::Propnet;
use hashbrown::HashSet;
use std::time::{Duration, Instant};

/// Facts are learned from so many playouts, of at most so many steps, in at most this time.
const PLAYOUTS: usize = 10;
const STEPS: usize = 50;
const TIME: Duration = Duration::from_secs(1);

/// The boards of a game as far as its facts are known: on a net all of them, elsewhere those
/// that were seen, best in the states of a few playouts.
pub struct Picture<'g> {
    game: &'g Game,
    boards: Boards,
    /// What was seen; `None` where all facts are known.
    seen: Option<HashSet<Term>>,
    /// Whether there are more than `boards` was found with.
    is_behind: bool,
}

impl<'g> Picture<'g> {
    pub fn new(game: &'g Game, engine: &AnyEngine) -> Picture<'g> {
        match engine.downcast_ref::<Propnet>() {
            Some(engine) => {
                let fluents = engine.net().fluents.iter().map(|fluent| &*fluent.fact);
                let boards = Boards::find(game, fluents);
                Picture { game, boards, seen: None, is_behind: false }
            }
            None => {
                let seen = Some(HashSet::new());
                Picture { game, boards: Boards::default(), seen, is_behind: false }
            }
        }
    }

    /// Learns from a few random playouts what the boards look like, where not all facts are known.
    pub fn explore(&mut self, engine: &AnyEngine, seed: u64) {
        if self.seen.is_none() {
            return;
        }
        let mut rng = seeded(seed, 1);
        let mut playout = Playout::new(1);
        let mut scratch = engine.scratch();
        let start = Instant::now();
        let mut over = || interrupt::raised() || start.elapsed() > TIME;
        for _ in 0..PLAYOUTS {
            engine.enter(&mut scratch, engine.initial());
            for _ in 0..STEPS {
                self.observe(&engine.facts(&engine.state(&scratch)));
                let end = engine.playout(&mut scratch, &mut playout, &mut rng, &mut over);
                if end != End::Capped {
                    break;
                }
            }
        }
    }

    /// Learns from a state.
    fn observe(&mut self, facts: &[Term]) {
        if let Some(seen) = &mut self.seen {
            for fact in facts {
                if !seen.contains(fact) {
                    self.is_behind = true;
                    seen.insert(fact.clone());
                }
            }
        }
    }

    /// A state as text, with what is otherwise than in the state `before`.
    pub fn parts(&mut self, facts: &[Term], before: Option<&[Term]>) -> Vec<Part> {
        self.learn(facts);
        self.boards.render_parts(facts, before, &self.game.symbols)
    }

    /// A state as a document of SVG; squares that were otherwise in the state `before` are marked.
    pub fn svg(&mut self, facts: &[Term], before: Option<&[Term]>) -> String {
        self.learn(facts);
        draw::draw(&self.boards, self.game, facts, before)
    }

    /// States one after the other, as a document of SVG that moves.
    pub fn film(&mut self, states: &[Vec<Term>]) -> String {
        states.iter().for_each(|facts| self.learn(facts));
        draw::film(&self.boards, self.game, states)
    }

    fn learn(&mut self, facts: &[Term]) {
        self.observe(facts);
        if let (true, Some(seen)) = (self.is_behind, &self.seen) {
            self.boards = Boards::find(self.game, seen);
            self.is_behind = false;
        }
    }
}
