//! Search where the state is hidden (GDL-II): a tree over what roles know.
//!
//! Monte Carlo tree search over information sets, with a tree for each role (MO-ISMCTS: Cowling,
//! Powley, Whitehouse, *Information Set Monte Carlo Tree Search*, 2012). A node is what a role
//! knows ([`InformationStates`]), not a state: in an iteration each role chooses by the node of what it knows
//! there, and chance draws. So nobody's choice depends on what it cannot know.
//!
//! * **Where iterations begin.** If all of them began in what the searching role takes for
//!   possible, the nodes of others would learn to play against the cards that it holds, although
//!   they do not see them, and the chances of the candidates would be those against players who
//!   play at random. So iterations begin with the game itself, if that is small. In a larger one
//!   too few of them would come by what the role knows: they begin in a candidate of the sampler,
//!   drawn by its chance.
//! * **Mixed play.** Against others who reason as well, the best move is often to play several,
//!   each with its chance. Where iterations begin with the game, a choice at a node is by
//!   confidence bounds or, with growing probability, by how often each move was chosen so far
//!   (*Smooth UCT*: Heinrich, Silver, *Smooth UCT Search in Computer Poker*, 2015), and the move
//!   that is played is drawn by that, too. Elsewhere it is the one that was chosen most often.
//!
//! When another engine takes over in the middle of a match, the search begins anew with an empty
//! tree. What roles know has the same numbers there, so iterations that begin with the game still
//! come by what the role was told on the engine before.

mod node;

use super::leaves::{Leaves, Rewards, Shape, StateOf};
use super::mind::{Limits, Mind};
use crate::player::Turn;
use gdlr_engine::engine::{AnyEngine, Engine, MoveId, RoleId, choose, seeded};
use gdlr_engine::play::report::{Effort, Estimate, Report};
use gdlr_engine::play::sampler::{InformationStates, Sampler, Situation};
use gdlr_text::random::falls_below;
use hashbrown::HashMap;
use node::{Arm, Key, Node};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Reverse;
use std::time::Instant;

/// A move that was chosen less often than this part of the most frequent one is not played.
const RARE: f64 = 0.1;

/// Iterations begin with the game where that is small: after so many of them there are so many to
/// a node.
const SMALL: (usize, usize) = (512, 16);

/// The longest path.
const MOST_STEPS: usize = 1000;

/// A search in a game with hidden states.
pub(super) struct Hidden<L: Leaves> {
    engine: AnyEngine,
    nodes: HashMap<Key, Node>,
    /// The memory of the nodes, in bytes.
    bytes: usize,
    /// The same of the candidates, here and in the sampler.
    candidate_bytes: usize,
    leaves: L,
    shape: Shape,
    rng: Xoshiro256PlusPlus,
    /// Where iterations begin, with the sums of the chances.
    situations: Vec<Situation<StateOf<L>>>,
    sums: Vec<f64>,
    /// Whether they begin with the game instead; how many did in this turn.
    from_the_start: bool,
    begun: usize,
    /// The information state of the searching role.
    root: Key,
    chosen: Option<MoveId>,
    effort: Effort,
    descent: Descent<L>,
    paths: Vec<Path>,
    states: Vec<StateOf<L>>,
    rewards: Vec<Option<Rewards>>,
}

/// The choices of an iteration: the node, and the place of the move.
type Path = Vec<(Key, usize)>;

/// The scratch memory of an iteration.
struct Descent<L: Leaves> {
    scratch: <L::Engine as Engine>::Scratch,
    legal: Vec<MoveId>,
    joint: Vec<MoveId>,
}

impl<L: Leaves> Hidden<L> {
    /// A search for who takes its turn; leaves are played out in this shape.
    pub fn new(turn: &Turn<'_>, leaves: L, seed: u64, shape: Option<Shape>) -> Hidden<L> {
        let engine = turn.engine.clone();
        let descent =
            Descent { scratch: L::engine(&engine).scratch(), legal: Vec::new(), joint: Vec::new() };
        let mut hidden = Hidden {
            engine,
            nodes: HashMap::new(),
            bytes: 0,
            candidate_bytes: 0,
            leaves,
            shape: shape.unwrap_or(L::SHAPES[L::SHAPES.len() / 2]),
            rng: seeded(seed, 0),
            situations: Vec::new(),
            sums: Vec::new(),
            from_the_start: true,
            begun: 0,
            root: (turn.role, 0),
            chosen: None,
            effort: Effort::default(),
            descent,
            paths: Vec::new(),
            states: Vec::new(),
            rewards: Vec::new(),
        };
        hidden.go_to(turn);
        hidden
    }

    fn take(&mut self, sampler: &Sampler) {
        self.situations.clear();
        self.sums.clear();
        self.candidate_bytes = sampler.bytes();
        let engine = L::engine(&self.engine);
        let mut sum = 0.0;
        for (Situation { state, information_states }, chance) in sampler.candidates() {
            sum += chance;
            self.sums.push(sum);
            let (state, information_states) = (L::state(state).clone(), information_states.clone());
            let situation = Situation { state, information_states };
            self.candidate_bytes += situation.bytes(engine) + size_of_val(&sum);
            self.situations.push(situation);
        }
        (self.from_the_start, self.begun) = (true, 0);
        if let Some(first) = self.situations.first() {
            self.root = (sampler.role(), first.information_states.of(sampler.role()));
        }
    }

    /// The memory of nodes and candidates, in bytes.
    fn memory(&self) -> usize {
        self.bytes + self.candidate_bytes
    }

    /// Collects leaves and plays them out. Beyond its memory the tree grows no more.
    fn round(&mut self, limits: &Limits<'_>) {
        self.states.clear();
        let grow = self.memory() < limits.memory;
        let most = limits.tries.leaves(self.shape);
        let (mut spare, mut tries) = (4 * self.shape.leaves, 0);
        while self.states.len() < most && spare > 0 {
            spare -= 1;
            let before = self.states.len();
            self.iterate(grow);
            tries += if self.states.len() > before { self.shape.each } else { 1 };
        }
        limits.tries.spend(tries);
        if self.states.is_empty() {
            return;
        }
        let engine = L::engine(&self.engine);
        let Hidden { leaves, rng, states, rewards, effort, shape, .. } = self;
        effort.playouts += leaves.play(engine, states, shape.each, rng, rewards, limits.is_over);
        effort.leaves += states.len() as u64;
        for at in 0..self.states.len() {
            let path = std::mem::take(&mut self.paths[at]);
            match self.rewards.get(at).cloned().flatten() {
                Some(rewards) => self.reward(&path, &rewards),
                None => self.forget(&path),
            }
            self.paths[at] = path;
        }
    }

    /// Goes down once: to the end of the game, or to a leaf to play out.
    fn iterate(&mut self, grow: bool) {
        let at = self.states.len();
        if self.paths.len() == at {
            self.paths.push(Path::new());
        }
        let mut path = std::mem::take(&mut self.paths[at]);
        path.clear();
        match self.descend(&mut path, grow) {
            Some(End::Leaf(state)) => self.states.push(state),
            Some(End::Terminal(rewards)) => {
                self.effort.certain += 1;
                self.reward(&path, &rewards);
            }
            // A defect of the game.
            None => self.forget(&path),
        }
        self.paths[at] = path;
    }

    fn descend(&mut self, path: &mut Path, grow: bool) -> Option<End<StateOf<L>>> {
        let engine = L::engine(&self.engine);
        let is_large = self.begun >= SMALL.0 && self.nodes.len() * SMALL.1 > self.begun;
        self.from_the_start &= grow && !is_large;
        let Hidden { nodes, bytes, rng, descent, effort, root, begun, .. } = self;
        let Descent { scratch, legal, joint } = descent;
        let mut information_states = match self.from_the_start {
            true => {
                *begun += 1;
                engine.enter(scratch, engine.initial());
                InformationStates::nothing(engine.roles().count())
            }
            false => {
                let at = falls_below(&self.sums, rng.random());
                let Situation { state, information_states } = self.situations.get(at)?;
                engine.enter(scratch, state);
                information_states.clone()
            }
        };
        for depth in 1..=MOST_STEPS {
            if engine.terminal(scratch).ok()? {
                let reward = |role| Some(f32::from(engine.payoff(scratch, role).ok()?) / 100.0);
                let rewards = engine.roles().iter().map(reward).collect::<Option<Rewards>>();
                return rewards.map(End::Terminal);
            }
            joint.clear();
            let mut is_new = false;
            for role in engine.roles().iter() {
                engine.legal(scratch, role, legal).ok()?;
                if legal.len() < 2 || engine.roles().random() == Some(role) {
                    joint.push(choose(legal, rng)?);
                    continue;
                }
                let key = (role, information_states.of(role));
                if !nodes.contains_key(&key) {
                    is_new = true;
                    // The root is there in any case.
                    if grow || key == *root {
                        let node = Node::new(legal);
                        *bytes += node.bytes();
                        nodes.insert(key, node);
                    }
                }
                let Some(node) = nodes.get_mut(&key) else {
                    joint.push(choose(legal, rng)?);
                    continue;
                };
                let at = node.select(self.from_the_start, rng);
                // Where the rules do not tell a role its moves, it may have fewer here.
                if !legal.contains(&node.arms[at].id) {
                    joint.push(choose(legal, rng)?);
                    continue;
                }
                node.visits += 1;
                node.arms[at].visits += 1;
                path.push((key, at));
                joint.push(node.arms[at].id);
            }
            information_states.add(engine, scratch, joint).ok()?;
            engine.step(scratch, joint).ok()?;
            effort.depth = effort.depth.max(depth);
            if is_new && !engine.terminal(scratch).ok()? {
                return Some(End::Leaf(engine.state(scratch)));
            }
        }
        None
    }

    fn reward(&mut self, path: &Path, rewards: &Rewards) {
        for (key, at) in path {
            if let Some(node) = self.nodes.get_mut(key) {
                node.arms[*at].reward += f64::from(rewards[key.0.index()]);
            }
        }
    }

    /// Takes an iteration back of which nothing came.
    fn forget(&mut self, path: &Path) {
        for (key, at) in path {
            if let Some(node) = self.nodes.get_mut(key) {
                node.visits -= 1;
                node.arms[*at].visits -= 1;
            }
        }
    }
}

/// Where an iteration ends.
enum End<S> {
    Leaf(S),
    Terminal(Rewards),
}

impl<L: Leaves> Mind for Hidden<L> {
    fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    fn go_to(&mut self, turn: &Turn<'_>) {
        self.effort = Effort::default();
        self.chosen = None;
        if let Some(sampler) = turn.sampler {
            self.take(sampler);
        }
    }

    fn run(&mut self, limits: &Limits<'_>) {
        let start = Instant::now();
        while !(limits.is_over)() {
            self.round(limits);
        }
        self.effort.time += start.elapsed();
        self.effort.nodes = self.nodes.len();
        self.effort.memory = self.memory();
        let part = if self.from_the_start { RARE } else { 1.0 };
        let node = self.nodes.get(&self.root);
        self.chosen = node.map(|node| node.arms[node.by_visits(part, &mut self.rng)].id);
    }

    fn best(&self, role: RoleId) -> Option<MoveId> {
        self.chosen.filter(|_| self.root.0 == role)
    }

    fn report(&self, role: RoleId) -> Report {
        let arms = self.nodes.get(&self.root).filter(|_| self.root.0 == role);
        let estimate = |arm: &Arm| {
            let mean =
                (arm.visits > 0).then(|| (100.0 * arm.reward / f64::from(arm.visits)) as f32);
            Estimate { id: arm.id, visits: arm.visits, mean, certain: None }
        };
        let arms = arms.into_iter().flat_map(|node| &node.arms);
        let mut estimates: Vec<Estimate> = arms.map(estimate).collect();
        estimates.sort_by_key(|one| (Some(one.id) != self.chosen, Reverse(one.visits)));
        Report { estimates, main_line: Vec::new(), effort: self.effort }
    }

    fn shape(&self) -> Option<Shape> {
        Some(self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::super::mind::Tries;
    use super::*;
    use crate::player::Clock;
    use crate::search::leaves::{InLanes, OneByOne};
    use gdlr_batch::Batch;
    use gdlr_engine::engine::AnyState;
    use gdlr_engine::play::sampler::{DEFAULT_CANDIDATES, Observation};
    use gdlr_net::ground::Budget;
    use gdlr_net::propnet::Propnet;
    use gdlr_rules::gdl::{Game, Term};
    use gdlr_tree::{Tree, TreeOptions};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    const KRIEG: &str = include_str!("../../../../kif/krieg_tictactoe.kif");
    const KUHN: &str = include_str!("../../../../kif/kuhn_poker.kif");
    const MONTY_HALL: &str = include_str!("../../../../kif/monty_hall.kif");

    fn net(text: &str) -> (AnyEngine, Arc<Batch>) {
        let game = Arc::new(Game::from_kif("game", text).expect("a rulesheet"));
        let net = Propnet::new(game.clone(), &Budget::default()).expect("a net");
        let lanes = Arc::new(Batch::of_net(game, net.net().clone()));
        (AnyEngine::new(net), lanes)
    }

    /// A role that was told this, step by step: its own move and what it saw.
    fn sampler(engine: &AnyEngine, role: u16, told: &[(&str, &[&str])]) -> Sampler {
        let mut sampler = Sampler::new(engine.clone(), RoleId(role), DEFAULT_CANDIDATES);
        let term = |text: &&str| {
            let document = gdlr_text::kif::read(text).expect("KIF");
            Term::from_expr(&document.items[0], engine.symbols()).expect("a term of the game")
        };
        for (action, percepts) in told {
            let percepts = percepts.iter().map(term).collect();
            let told = Observation::Own { action: term(action), percepts };
            let observed = sampler.observe(told, false, &mut seeded(1, 0), &|| false);
            observed.expect("what can be");
        }
        sampler
    }

    /// Calls with the turn of who was told so much, the state being the one given.
    fn at<T>(sampler: &mut Sampler, state: &AnyState, call: impl FnOnce(&Turn<'_>) -> T) -> T {
        let mut legal = Vec::new();
        sampler.legal(&mut legal);
        let clock = Clock::new(Duration::from_secs(600));
        call(&Turn {
            engine: sampler.engine(),
            state,
            sampler: Some(sampler),
            role: sampler.role(),
            legal: &legal,
            last: None,
            step: 0,
            clock: &clock,
            lanes: None,
        })
    }

    /// The result of so many rounds.
    fn search<L: Leaves>(
        leaves: L,
        sampler: &mut Sampler,
        rounds: u32,
        memory: usize,
    ) -> Hidden<L> {
        let state = sampler.engine().initial().clone();
        let mut hidden = at(sampler, &state, |turn| Hidden::new(turn, leaves, 1, None));
        go_on(&mut hidden, rounds, memory);
        hidden
    }

    fn go_on<L: Leaves>(hidden: &mut Hidden<L>, rounds: u32, memory: usize) {
        let left = AtomicU32::new(rounds);
        let is_over = || left.fetch_sub(1, Ordering::Relaxed) == 0;
        hidden.run(&Limits { memory, is_over: &is_over, tries: &Tries::new(None) });
    }

    /// The value that the role expects of a move.
    fn mean<L: Leaves>(hidden: &Hidden<L>, name: &str) -> f32 {
        let estimates = hidden.report(hidden.root.0).estimates;
        let engine = &hidden.engine;
        let is = |one: &&Estimate| engine.move_term(one.id).1.canonical(engine.symbols()) == name;
        estimates.iter().find(is).and_then(|one| one.mean).expect("a move that was tried")
    }

    fn chosen<L: Leaves>(hidden: &Hidden<L>) -> String {
        let best = hidden.best(hidden.root.0).expect("a move");
        hidden.engine.move_term(best).1.canonical(hidden.engine.symbols())
    }

    /// In lanes and one by one.
    #[test]
    fn who_switches_doors_wins_two_times_in_three() {
        let (engine, lanes) = net(MONTY_HALL);
        let told: [(&str, &[&str]); 3] =
            [("wait", &[]), ("(pick 1)", &[]), ("wait", &["(goat 3)"])];
        let mut sampler = sampler(&engine, 0, &told);
        let many = search(InLanes::new(lanes), &mut sampler, 300, 1 << 30);
        let single = search(OneByOne::new(), &mut sampler, 3000, 1 << 30);
        for (switch, stay, chosen) in [
            (mean(&many, "switch"), mean(&many, "stay"), chosen(&many)),
            (mean(&single, "switch"), mean(&single, "stay"), chosen(&single)),
        ] {
            assert!((switch - 66.7).abs() < 6.0 && (stay - 33.3).abs() < 15.0, "{switch} {stay}");
            assert_eq!(chosen, "switch");
        }
        assert_eq!(many.best(RoleId(1)), None);
        assert!(many.report(RoleId(1)).estimates.is_empty());
    }

    /// The match begins on trees and goes on on the net: iterations that begin with the game come
    /// by what was told on the trees.
    #[test]
    fn knowledge_outlives_a_change_of_engine() {
        let game = Game::from_kif("game", KUHN).expect("a rulesheet");
        let trees = AnyEngine::new(Tree::new(game, &TreeOptions::default()).expect("trees"));
        let (engine, lanes) = net(KUHN);
        let told: [(&str, &[&str]); 2] = [("wait", &["(dealt king)"]), ("wait", &["(hears bet)"])];
        let mut sampler = sampler(&trees, 1, &told);
        assert!(sampler.change_engine(&engine));
        let hidden = search(InLanes::new(lanes), &mut sampler, 500, 1 << 30);
        assert!(hidden.from_the_start);
        assert_eq!([mean(&hidden, "call"), mean(&hidden, "fold")], [100.0, 25.0]);
        assert_eq!(chosen(&hidden), "call");
    }

    /// A king calls a bet, and a jack does not, whatever the other one does.
    #[test]
    fn what_is_dominated_is_not_played() {
        let (engine, lanes) = net(KUHN);
        for (card, call, fold) in [("king", 100.0, 25.0), ("jack", 0.0, 25.0)] {
            let dealt = format!("(dealt {card})");
            let told: [(&str, &[&str]); 2] = [("wait", &[&dealt]), ("wait", &["(hears bet)"])];
            let mut sampler = sampler(&engine, 1, &told);
            let hidden = search(InLanes::new(lanes.clone()), &mut sampler, 500, 1 << 30);
            assert!(hidden.from_the_start);
            assert_eq!([mean(&hidden, "call"), mean(&hidden, "fold")], [call, fold], "{card}");
            assert_eq!(chosen(&hidden), if card == "king" { "call" } else { "fold" });
        }
    }

    /// The state that is passed in changes nothing: only the observations count.
    #[test]
    fn a_poisoned_state_changes_nothing() {
        let (engine, lanes) = net(KRIEG);
        let mut sampler = sampler(&engine, 1, &[("wait", &["your_turn"])]);
        let candidates = sampler.candidates().map(|(candidate, _)| candidate.state.clone());
        let states: Vec<AnyState> = candidates.chain([engine.initial().clone()]).collect();
        assert_eq!(states.len(), 10);
        let mut estimates = states.iter().map(|state| {
            let leaves = InLanes::new(lanes.clone());
            let mut hidden = at(&mut sampler, state, |turn| Hidden::new(turn, leaves, 1, None));
            go_on(&mut hidden, 60, 1 << 30);
            at(&mut sampler, state, |turn| hidden.go_to(turn));
            go_on(&mut hidden, 60, 1 << 30);
            (chosen(&hidden), hidden.report(RoleId(1)).estimates)
        });
        let first = estimates.next().expect("a state");
        assert!(estimates.all(|other| other == first));
    }

    /// Iterations begin with the game in a small one only.
    #[test]
    fn where_iterations_begin_is_seen_from_the_nodes() {
        let (engine, lanes) = net(KRIEG);
        let told: [(&str, &[&str]); 4] = [
            ("(try 2 2)", &[]),
            ("wait", &["your_turn"]),
            ("(try 1 1)", &[]),
            ("wait", &["your_turn"]),
        ];
        let mut sampler = sampler(&engine, 0, &told);
        let hidden = search(InLanes::new(lanes.clone()), &mut sampler, 100, 1 << 30);
        assert!(!hidden.from_the_start && hidden.begun == SMALL.0);
        let report = hidden.report(RoleId(0));
        assert_eq!(report.estimates.len(), 7);
        // The move is not drawn then: it is the one that was visited most.
        let most = report.estimates.iter().map(|one| one.visits).max();
        assert_eq!(Some(report.estimates[0].visits), most);
        let visits: u32 = report.estimates.iter().map(|one| one.visits).sum();
        assert!(visits > 1000 && report.effort.playouts > 10_000 && report.effort.depth > 3);
    }

    #[test]
    fn without_memory_it_still_compares_its_moves() {
        let (engine, lanes) = net(MONTY_HALL);
        let told: [(&str, &[&str]); 3] =
            [("wait", &[]), ("(pick 1)", &[]), ("wait", &["(goat 3)"])];
        let mut sampler = sampler(&engine, 0, &told);
        let hidden = search(InLanes::new(lanes), &mut sampler, 300, 0);
        assert_eq!((chosen(&hidden), hidden.report(RoleId(0)).effort.nodes), ("switch".into(), 1));
    }

    /// The memory of the sampler is not for the tree.
    #[test]
    fn candidates_count_as_memory() {
        let (engine, lanes) = net(KRIEG);
        let mut sampler = sampler(&engine, 1, &[("wait", &["your_turn"])]);
        let (held, each) = (sampler.bytes(), sampler.engine().state_bytes(engine.initial()));
        let count = sampler.candidates().count();
        assert!(count == 9 && each > 8 && held > (count + 1) * each, "{held} {each}");
        let leaves = || InLanes::new(lanes.clone());
        let free = search(leaves(), &mut sampler, 40, 1 << 30);
        assert!(free.memory() > free.bytes + held && free.nodes.len() > 100);
        assert_eq!(free.report(RoleId(1)).effort.memory, free.memory());
        // There is room for the candidates and their copies, and for no node but the root.
        let full = search(leaves(), &mut sampler, 40, free.candidate_bytes);
        assert_eq!(full.nodes.len(), 1);
        let bound = free.candidate_bytes + free.bytes / 2;
        let some = search(leaves(), &mut sampler, 40, bound);
        assert!(some.nodes.len() > 10 && some.nodes.len() < free.nodes.len());
        assert!(some.memory() < bound + free.bytes / 4, "{} {bound}", some.memory());
    }
}
