//! Playouts that prefer moves which did well so far: the move-average sampling technique (MAST,
//! Finnsson and Björnsson, 2008).
//!
//! For every move it is kept what its role got in the mean of all playouts that it was played in,
//! wherever that was. In a playout a role takes the legal move with the highest mean, or, so that
//! all are tried, any other one. It costs what listing and comparing the legal moves costs, so it
//! is for leaves that are played out one by one: in lanes the net draws the moves.

use super::tree::Goals;
use gdlr_engine::engine::{AnyEngine, Engine, MoveId, choose};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How often any legal move is taken.
const ANY: f32 = 0.4;

/// How many moves means are kept of, at most; those that an engine numbers first.
const MOST_MOVES: usize = 1 << 20;

/// The mean result of a move.
#[derive(Clone, Copy, Default)]
struct MoveMean {
    /// The sum of goal values, scaled to 0..=1.
    sum: f32,
    count: f32,
}

/// The means of moves, and memory to use.
pub(super) struct Mast {
    /// By move.
    known: Vec<MoveMean>,
    /// The choices of the playout under way: the role, and its move.
    chosen: Vec<(usize, MoveId)>,
    legal: Vec<MoveId>,
    joint: Vec<MoveId>,
}

impl Mast {
    pub fn new() -> Mast {
        Mast { known: Vec::new(), chosen: Vec::new(), legal: Vec::new(), joint: Vec::new() }
    }

    /// Plays from the state of a scratch to the end, and learns from it. Gives what every role gets;
    /// nothing if the play has a defect, is too long or too much, or it is told to stop.
    pub fn playout(
        &mut self,
        engine: &AnyEngine,
        scratch: &mut <AnyEngine as Engine>::Scratch,
        max_steps: u64,
        rng: &mut Xoshiro256PlusPlus,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Goals> {
        self.chosen.clear();
        for _ in 0..=max_steps {
            if engine.terminal(scratch).ok()? {
                let goals = engine.roles().iter().map(|role| engine.payoff(scratch, role).ok());
                let goals: Goals = goals.collect::<Option<_>>()?;
                self.learn(&goals);
                return Some(goals);
            }
            if is_over() {
                return None;
            }
            self.joint.clear();
            for role in engine.roles().iter() {
                engine.legal(scratch, role, &mut self.legal).ok()?;
                let is_chance = engine.roles().random() == Some(role);
                let id = match self.legal[..] {
                    [only] => only,
                    _ if is_chance => choose(&self.legal, rng)?,
                    _ => {
                        let id = self.choose(rng)?;
                        self.chosen.push((role.index(), id));
                        id
                    }
                };
                self.joint.push(id);
            }
            engine.step(scratch, &self.joint).ok()?;
        }
        None
    }

    /// One of the legal moves: of those that are best one at random, or any. What was never tried
    /// is best.
    fn choose(&self, rng: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
        if rng.random::<f32>() < ANY {
            return choose(&self.legal, rng);
        }
        let mean = |id: MoveId| match self.known.get(id.index()) {
            Some(known) if known.count > 0.0 => known.sum / known.count,
            _ => 1.0,
        };
        let (mut best, mut highest, mut ties) = (None, f32::NEG_INFINITY, 0);
        for &id in &self.legal {
            let mean = mean(id);
            if mean > highest {
                (best, highest, ties) = (Some(id), mean, 1);
            } else if mean == highest {
                ties += 1;
                if rng.random_range(0..ties) == 0 {
                    best = Some(id);
                }
            }
        }
        best
    }

    fn learn(&mut self, goals: &[u8]) {
        for &(role, id) in self.chosen.iter().filter(|(_, id)| id.index() < MOST_MOVES) {
            if self.known.len() <= id.index() {
                self.known.resize(id.index() + 1, MoveMean::default());
            }
            let mean = &mut self.known[id.index()];
            mean.sum += f32::from(goals[role]) / 100.0;
            mean.count += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_engine::engine::seeded;
    use gdlr_rules::gdl::Game;
    use gdlr_tree::{Tree, TreeOptions};

    /// A role has three choices in a row; chance plays, too. What is best is to choose `c`.
    const CHOICES: &str = "(role a) (role random) (letter a) (letter b) (letter c)
        (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal a (take ?l)) (letter ?l)) (<= (legal random (draw ?l)) (letter ?l))
        (<= (next (took c)) (does a (take c))) (<= (next (took c)) (true (took c)))
        (<= (next (drew c)) (does random (draw c))) (<= (next (drew c)) (true (drew c)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 3)))
        (<= (goal a 100) (true (took c))) (<= (goal a 0) (not (true (took c))))
        (<= (goal random 100) (true (drew c))) (<= (goal random 0) (not (true (drew c))))";

    #[test]
    fn what_did_well_is_played_more_often_but_not_by_chance() {
        let game = Game::from_kif("choices", CHOICES).expect("a rulesheet");
        let engine = AnyEngine::new(Tree::new(game, &TreeOptions::default()).expect("trees"));
        let (mut mast, mut scratch, mut rng) = (Mast::new(), engine.scratch(), seeded(1, 0));
        let state = engine.initial().clone();
        let mut played = [0, 0];
        let mut playout = |max_steps, is_over: &dyn Fn() -> bool| {
            engine.enter(&mut scratch, &state);
            mast.playout(&engine, &mut scratch, max_steps, &mut rng, is_over)
        };
        for _ in 0..1000 {
            let goals = playout(3, &|| false).expect("an end");
            played[0] += u32::from(goals[0] == 100);
            played[1] += u32::from(goals[1] == 100);
        }
        // At random, 19 of 27 have it.
        assert!(played[0] > 950, "{played:?}");
        assert!((640..770).contains(&played[1]), "{played:?}");
        assert!(playout(2, &|| false).is_none() && playout(3, &|| true).is_none());
    }
}
