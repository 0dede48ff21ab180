//! Search of a game with independent parts ([`Parts`]), part by part.
//!
//! Each part has a tree of its own, in which every role chooses what to do there; a joint move is
//! what was chosen in all parts together. So what is learned of a board is learned once for all
//! that may stand on the other, and 9 options on each of two boards are 18 to be tried, not 81.
//! Where the game ends and what it brings depends on all parts, so a descent is played on the
//! engine, and every tree is told the same result.
//!
//! Two boards of connect four at once, at 0.3 s a move against one tree of the whole: 85 % of 13
//! games; three boards: 92 % of 12. Where one tree sees the whole anyway it is no gain: two boards
//! of tic-tac-toe are drawn either way (`ticTacToeParallel`; at 30 ms a move the parts lost 5 of 56
//! games), `blockerParallel` came to 46 % of 54.

use super::leaves::{InLanes, Leaves, Rewards, Shape};
use super::mind::{Limits, Mind};
use super::parts::{Choices, Parts};
use super::searcher::scaled;
use super::tree::{Bottom, Goals, NewState, Path, Tree};
use crate::player::Turn;
use gdlr_engine::engine::{AnyEngine, AnyState, Engine, MoveId, RoleId, seeded};
use gdlr_engine::play::report::{Effort, Estimate, Report};
use gdlr_net::propnet::{Propnet, Scratch, State};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Reverse;
use std::time::Instant;

/// How many leaves are played out at once, and how often, if nobody says otherwise.
const SHAPE: Shape = Shape { leaves: 64, each: 16 };

/// A search of one game, part by part.
pub(super) struct Sum {
    engine: AnyEngine,
    parts: Parts,
    /// By part.
    trees: Vec<Tree<State>>,
    /// The present state.
    origin: State,
    leaves: InLanes,
    shape: Shape,
    scratch: Scratch,
    rng: Xoshiro256PlusPlus,
    effort: Effort,
    /// Leaves of a round: how they were come to in each part, their states, and what came of them.
    paths: Vec<Vec<Path>>,
    states: Vec<State>,
    rewards: Vec<Option<Rewards>>,
}

/// The end of a descent.
enum Leaf {
    /// A state to play out.
    Open(State),
    /// The end of the game.
    Terminal(Goals),
    /// Nothing: no legal move is what was chosen, or the game has a defect.
    Nothing,
}

impl Sum {
    /// A search from a state.
    pub fn new(
        engine: AnyEngine,
        parts: Parts,
        state: &AnyState,
        leaves: InLanes,
        seed: u64,
        shape: Option<Shape>,
    ) -> Sum {
        let origin = InLanes::state(state).clone();
        let scratch = InLanes::engine(&engine).scratch();
        let mut sum = Sum {
            engine,
            parts,
            trees: Vec::new(),
            origin,
            leaves,
            shape: shape.unwrap_or(SHAPE),
            scratch,
            rng: seeded(seed, 0),
            effort: Effort::default(),
            paths: Vec::new(),
            states: Vec::new(),
            rewards: Vec::new(),
        };
        sum.trees = (0..sum.parts.count()).map(|part| sum.tree_at_origin(part)).collect();
        sum
    }

    fn propnet(&self) -> &Propnet {
        InLanes::engine(&self.engine)
    }

    fn tree_at_origin(&mut self, part: usize) -> Tree<State> {
        let engine = InLanes::engine(&self.engine);
        engine.enter(&mut self.scratch, &self.origin);
        let options = options(engine, &mut self.scratch, &self.parts, part);
        let state = self.parts.state(part, &self.origin);
        let root = NewState { state, terminal: None, moves: &options };
        Tree::new(root, engine.roles().random(), self.origin.bytes())
    }

    /// Collects leaves and plays them out.
    fn round(&mut self, limits: &Limits<'_>) {
        self.states.clear();
        let bytes = self.trees.iter().map(Tree::bytes).sum::<usize>();
        let most = limits.tries.leaves(self.shape);
        let (mut spare, mut tries) = (4 * self.shape.leaves, 0);
        while self.states.len() < most && spare > 0 && !(limits.is_over)() {
            spare -= 1;
            let before = self.states.len();
            self.collect(bytes < limits.memory);
            tries += if self.states.len() > before { self.shape.each } else { 1 };
        }
        limits.tries.spend(tries);
        let Sum { leaves, states, rewards, rng, effort, .. } = self;
        let engine = InLanes::engine(&self.engine);
        effort.leaves += states.len() as u64;
        effort.playouts +=
            leaves.play(engine, states, self.shape.each, rng, rewards, limits.is_over);
        for (rewards, paths) in rewards.iter().zip(&self.paths) {
            for (tree, path) in self.trees.iter_mut().zip(paths) {
                match rewards {
                    Some(rewards) => tree.reward(path, rewards),
                    None => tree.forget(path),
                }
            }
        }
    }

    /// Goes down once in every part, as far as all of them are known.
    fn collect(&mut self, grow: bool) {
        let at = self.states.len();
        if self.paths.len() == at {
            self.paths.push(vec![Path::default(); self.trees.len()]);
        }
        let mut paths = std::mem::take(&mut self.paths[at]);
        let mut bottoms = Vec::with_capacity(paths.len());
        for (tree, path) in self.trees.iter_mut().zip(&mut paths) {
            bottoms.push(tree.descend(path, &mut self.rng));
        }
        let depth = paths.iter().map(Path::len).min().unwrap_or(0);
        let (played, leaf) = self.play(&paths, depth);
        for (part, (tree, path)) in self.trees.iter_mut().zip(&mut paths).enumerate() {
            let new = path.len() == played && bottoms[part] == Bottom::New;
            tree.shorten(path, played);
            if let (true, true, Leaf::Open(state)) = (new, grow, &leaf) {
                let engine = InLanes::engine(&self.engine);
                let moves = options(engine, &mut self.scratch, &self.parts, part);
                let state = self.parts.state(part, state);
                tree.expand(path, NewState { state, terminal: None, moves: &moves });
            }
            match &leaf {
                Leaf::Open(_) => {}
                Leaf::Terminal(goals) => tree.reward(path, &scaled(goals)),
                Leaf::Nothing => tree.forget(path),
            }
        }
        self.effort.depth = self.effort.depth.max(played);
        match leaf {
            Leaf::Open(state) => self.states.push(state),
            Leaf::Terminal(_) => self.effort.certain += 1,
            Leaf::Nothing => {}
        }
        self.paths[at] = paths;
    }

    /// Plays what was chosen in all parts, so many steps or to the end of the game. Gives how
    /// many steps that were.
    fn play(&mut self, paths: &[Path], depth: usize) -> (usize, Leaf) {
        let engine = InLanes::engine(&self.engine);
        engine.enter(&mut self.scratch, &self.origin);
        let mut joint = Vec::new();
        for step in 0..depth {
            joint.clear();
            for role in engine.roles().iter() {
                let option = |(tree, path): (&Tree<State>, &Path)| tree.chosen(path, step, role);
                let choices: Choices = self.trees.iter().zip(paths).map(option).collect();
                let legal = |id: &&MoveId| engine.is_legal(&self.scratch, **id);
                match self.parts.moves(role, choices).iter().find(legal) {
                    Some(&id) => joint.push(id),
                    None => return (step, Leaf::Nothing),
                }
            }
            if engine.step(&mut self.scratch, &joint).is_err() {
                return (step, Leaf::Nothing);
            }
            if engine.terminal(&mut self.scratch) == Ok(true) {
                let goals = engine.roles().iter();
                let goals = goals.map(|role| engine.payoff(&mut self.scratch, role).ok());
                let goals = goals.collect::<Option<Goals>>();
                return (step + 1, goals.map_or(Leaf::Nothing, Leaf::Terminal));
            }
        }
        (depth, Leaf::Open(engine.state(&self.scratch)))
    }

    /// The value of a role's legal moves, best first: that of their choices, in
    /// the mean of all parts.
    fn estimates(&self, role: RoleId) -> Vec<Estimate> {
        let engine = self.propnet();
        let (mut scratch, mut legal) = (engine.scratch(), Vec::new());
        engine.enter(&mut scratch, &self.origin);
        // A net has no limit of work.
        let _ = engine.legal(&mut scratch, role, &mut legal);
        let by_part: Vec<Vec<Estimate>> =
            self.trees.iter().map(|tree| tree.estimates(role.index()).collect()).collect();
        let estimate = |&id: &MoveId| {
            let choices = self.parts.choices(id).iter().zip(&by_part);
            let options =
                choices.filter_map(|(choice, part)| part.iter().find(|e| e.id == *choice));
            let (mut visits, mut mean, mut count) = (u32::MAX, Some(0.0), 0);
            for option in options {
                visits = visits.min(option.visits);
                mean = mean.zip(option.mean).map(|(sum, mean)| sum + mean);
                count += 1;
            }
            let mean = mean.map(|sum| sum / count as f32);
            Estimate { id, visits, mean, certain: None }
        };
        let mut estimates: Vec<Estimate> = legal.iter().map(estimate).collect();
        let key = |e: &Estimate| (e.visits, e.mean.map_or(0, |mean| (100.0 * mean) as u32));
        estimates.sort_by_key(|estimate| Reverse(key(estimate)));
        estimates
    }

    /// Goes on from a state.
    fn go_to_state(&mut self, state: &AnyState) {
        self.origin.clone_from(InLanes::state(state));
        self.effort = Effort::default();
        for part in 0..self.trees.len() {
            match self.trees[part].find(&self.parts.state(part, &self.origin)) {
                Some(node) => self.trees[part].grow_from(node),
                None => self.trees[part] = self.tree_at_origin(part),
            }
        }
    }
}

/// By role: what its legal moves choose in a part.
fn options(
    engine: &Propnet,
    scratch: &mut Scratch,
    parts: &Parts,
    part: usize,
) -> Vec<Vec<MoveId>> {
    let of_role = |role| {
        let mut moves = Vec::new();
        // A net has no limit of work.
        let _ = engine.legal(scratch, role, &mut moves);
        moves.iter_mut().for_each(|id| *id = parts.choices(*id)[part]);
        moves.sort_unstable();
        moves.dedup();
        moves
    };
    engine.roles().iter().map(of_role).collect()
}

impl Mind for Sum {
    fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    fn go_to(&mut self, turn: &Turn<'_>) {
        self.go_to_state(turn.state);
    }

    fn run(&mut self, limits: &Limits<'_>) {
        let start = Instant::now();
        let stuck = self.trees.iter().any(Tree::is_done);
        while !stuck && !(limits.is_over)() {
            self.round(limits);
        }
        self.effort.time += start.elapsed();
    }

    fn best(&self, role: RoleId) -> Option<MoveId> {
        self.estimates(role).first().map(|estimate| estimate.id)
    }

    fn report(&self, role: RoleId) -> Report {
        let lines: Vec<Vec<Vec<MoveId>>> = self.trees.iter().map(Tree::main_line).collect();
        let mut main_line = Vec::new();
        for step in 0..lines.iter().map(Vec::len).min().unwrap_or(0) {
            let chosen = |role: RoleId| {
                let choices = lines.iter().map(|line| line[step][role.index()]).collect();
                self.parts.moves(role, choices).first().copied()
            };
            let Some(joint) = self.propnet().roles().iter().map(chosen).collect() else { break };
            main_line.push(joint);
        }
        let nodes = self.trees.iter().map(Tree::len).sum();
        let memory = self.trees.iter().map(Tree::bytes).sum();
        let effort = Effort { nodes, memory, ..self.effort };
        Report { estimates: self.estimates(role), main_line, effort }
    }

    fn shape(&self) -> Option<Shape> {
        Some(self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::super::mind::Tries;
    use super::super::parts::tests::{ROWS, engine};
    use super::*;
    use gdlr_batch::Batch;
    use std::sync::Arc;

    fn sum(engine: &Propnet) -> Sum {
        let tuning = crate::tuning::SearchTuning::default();
        let parts = Parts::find(engine, &mut seeded(1, 0), &tuning, &|| false);
        let parts = parts.expect("two parts");
        let batch = Batch::of_net(engine.game().clone(), engine.net().clone());
        let engine = AnyEngine::new(engine.clone());
        let state = engine.initial().clone();
        let shape = Some(Shape { leaves: 8, each: 4 });
        Sum::new(engine, parts, &state, InLanes::new(Arc::new(batch)), 1, shape)
    }

    /// Searches until it has asked so often whether to stop.
    fn search(sum: &mut Sum, asked: u32, memory: usize) {
        let left = std::sync::atomic::AtomicU32::new(asked);
        let is_over = || {
            let less = |left: u32| left.checked_sub(1);
            let order = std::sync::atomic::Ordering::Relaxed;
            left.fetch_update(order, order, less).is_err()
        };
        sum.run(&Limits { memory, is_over: &is_over, tries: &Tries::new(None) });
    }

    fn name(sum: &Sum, id: MoveId) -> String {
        sum.engine.move_term(id).1.canonical(sum.engine.symbols())
    }

    #[test]
    fn what_is_best_in_each_part_is_played_together() {
        let engine = engine(ROWS);
        let mut sum = sum(&engine);
        search(&mut sum, 4000, 1 << 30);
        let best = sum.best(RoleId(0)).expect("a move");
        assert_eq!(name(&sum, best), "(mark 2 3)");
        let Report { estimates, main_line, effort } = sum.report(RoleId(0));
        assert_eq!((estimates.len(), estimates[0].id, main_line[0][0]), (16, best, best));
        assert!(estimates[0].mean > Some(90.0) && estimates[15].mean < estimates[0].mean);
        // Paths end where the first of the trees does, or the game: after four moves.
        assert!((3..=4).contains(&effort.depth) && effort.certain > 0);
        assert!(effort.playouts == 4 * effort.leaves && effort.nodes > 10);
        // The values of each part are kept, and the other part marks the rest.
        let engine = sum.engine.clone();
        let mut scratch = engine.scratch();
        let wait = main_line[0][1];
        engine.step(&mut scratch, &[best, wait]).expect("a legal step");
        sum.go_to_state(&engine.state(&scratch));
        assert!(sum.report(RoleId(1)).effort.nodes > 4);
        search(&mut sum, 400, 1 << 30);
        let answers = sum.report(RoleId(1)).estimates;
        assert_eq!(answers.len(), 9);
        assert!(answers.iter().all(|answer| answer.mean < Some(1.0)));
    }

    #[test]
    fn without_memory_trees_do_not_grow() {
        let engine = engine(ROWS);
        let mut sum = sum(&engine);
        search(&mut sum, 400, 0);
        assert_eq!(sum.report(RoleId(0)).effort.nodes, 2);
        assert_eq!(sum.best(RoleId(0)).map(|best| name(&sum, best)).as_deref(), Some("(mark 2 3)"));
    }
}
