//! How much a search finds out in a second, to compare engines of a game by.

use super::{DEFAULT_MEMORY, Search};
use crate::player::{Clock, Player, Turn};
use gdlr_batch::Batch;
use gdlr_engine::engine::{AnyEngine, Engine, MoveId, RoleId, choose, seeded};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How many steps are played at random, at most, to come to a state in which a role has a choice.
const STEPS: usize = 100;

/// How many leaves a search finds the worth of in a second. A leaf that is played out k times counts as the
/// fourth root of k leaves, as in the choice of a [shape](super::Shape). Searches for `time` from the
/// first state in which a role has a choice, and as if nothing were hidden. Zero if there is none, or play
/// comes to a defect.
pub(crate) fn worth_of_a_second(
    engine: &AnyEngine,
    lanes: Option<&Arc<Batch>>,
    time: Duration,
    stop: &Arc<AtomicBool>,
) -> f64 {
    worth(engine, lanes, time, stop).unwrap_or(0.0)
}

/// The same; `None` instead of zero.
fn worth(
    engine: &AnyEngine,
    lanes: Option<&Arc<Batch>>,
    time: Duration,
    stop: &Arc<AtomicBool>,
) -> Option<f64> {
    let (mut scratch, mut rng) = (engine.scratch(), seeded(0, 0));
    let (role, legal) = first_choice(engine, &mut scratch, &mut rng)?;
    let state = engine.state(&scratch);
    let clock = Clock::stopped_by(time, stop.clone());
    let mut search = Search::new(0, DEFAULT_MEMORY);
    let turn = Turn {
        engine,
        state: &state,
        sampler: None,
        role,
        legal: &legal,
        last: None,
        step: 0,
        clock: &clock,
        lanes,
    };
    search.play(&turn);
    let effort = search.report()?.effort;
    let each = effort.playouts.max(1) as f64 / effort.leaves.max(1) as f64;
    let leaves = effort.leaves as f64 * each.max(1.0).powf(0.25) + effort.certain as f64;
    Some(leaves / effort.time.as_secs_f64().max(1e-9))
}

/// Plays at random until a role other than chance has a choice. Gives the role and its legal moves.
fn first_choice(
    engine: &AnyEngine,
    scratch: &mut <AnyEngine as Engine>::Scratch,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<(RoleId, Vec<MoveId>)> {
    let (mut legal, mut joint) = (Vec::new(), Vec::new());
    for _ in 0..STEPS {
        joint.clear();
        for role in engine.roles().iter() {
            engine.legal(scratch, role, &mut legal).ok()?;
            if legal.len() > 1 && engine.roles().random() != Some(role) {
                return Some((role, legal));
            }
            joint.push(choose(&legal, rng)?);
        }
        engine.step(scratch, &joint).ok()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_rules::gdl::Game;

    /// The worth of a search in trees that is told to stop after some time, or at once.
    fn of(text: &str, is_stopped: bool) -> f64 {
        let game = Game::from_kif("game", text).expect("a rulesheet");
        let tree = gdlr_tree::Tree::new(game, &Default::default()).expect("trees");
        let stop = Arc::new(AtomicBool::new(is_stopped));
        worth_of_a_second(&AnyEngine::new(tree), None, Duration::from_secs(600), &stop)
    }

    /// Two roles; the first has a choice after the given number of steps.
    fn late(steps: u32) -> String {
        let succ: String = (0..steps).map(|n| format!("(succ {n} {})", n + 1)).collect();
        format!(
            "(role a) (role b) (init (at 0)) {succ} (legal b wait) (legal a left)
            (<= (legal a right) (true (at {steps}))) (<= terminal (true over))
            (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= (next over) (true (at {steps})))
            (goal a 50) (goal b 50)"
        )
    }

    /// Otherwise it would think for ten minutes.
    #[test]
    fn a_search_stops_when_it_is_told_to() {
        of(include_str!("../../../../kif/breakthrough.kif"), true);
    }

    #[test]
    fn a_search_is_measured_where_a_role_has_a_choice() {
        assert!(of(&late(0), false) > 0.0);
        assert!(of(&late(3), false) > 0.0);
        // Nobody has a choice before the bound, or ever.
        assert_eq!(of(&late(STEPS as u32), false), 0.0);
        assert_eq!(
            of(
                "(role a) (role b) (legal a x) (legal b x) (goal a 0) (goal b 0) (init i)
            (<= (next i) (true i)) (<= terminal (true never)) (<= (next never) (true never))",
                false
            ),
            0.0
        );
    }
}
