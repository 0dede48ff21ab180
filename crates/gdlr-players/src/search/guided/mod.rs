//! Tree search that a value net guides, without playouts, as AlphaZero does it (Silver et al., *A general
//! reinforcement learning algorithm that masters chess, shogi, and Go through self-play*, 2018).
//!
//! | file | what it is for |
//! |---|---|
//! | `tree` | the nodes of states, and the choice of the next move to visit |
//!
//! The net gives each move of a new node a *prior*, the probability that it is the best one, and each role
//! a goal value to expect. The search visits moves by their priors and by what came of them. Some leaves
//! are evaluated at once, which takes less time for each of them.
//!
//! Each role chooses what is good for itself, so this is not about two roles or zero sums. But one role
//! at a time may have a choice, nothing may be hidden, and there may be no chance.

#[cfg(test)]
mod tests;
mod tree;

use super::leaves::{Rewards, Shape};
use super::mind::{Limits, Mind};
use crate::player::Turn;
use crate::value_net::{Columns, ValueNet};
use gdlr_engine::engine::{AnyEngine, AnyScratch, AnyState, Engine, MoveId, RoleId};
use gdlr_engine::play::report::{Effort, Estimate, Report};
use gdlr_text::decisions::{Decision, Decisions, Part};
use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Instant;
use tree::{Child, Edge, Node, Path, Tree};

/// So many leaves are evaluated at once. More of them are cheaper, but the choice of each one knows less. A leaf
/// took 114 µs alone, 83 µs among 8, and 77 µs among 32. The network had 32 channels and four layers, the board
/// 5 x 4 squares, the machine an AMD EPYC (family 25).
const LEAVES: usize = 8;

/// The columns of a value net for a game, or why the game is not searched with the net, as far as that is
/// known before.
pub(super) fn columns(net: &Arc<ValueNet>, turn: &Turn<'_>) -> Result<Columns, String> {
    let roles = turn.engine.roles();
    match () {
        () if turn.sampler.is_some() => Err("the state is hidden".to_owned()),
        () if roles.random().is_some() => Err("there is chance".to_owned()),
        () => Columns::new(net.clone(), turn.engine).map_err(|mismatch| mismatch.to_string()),
    }
}

/// Why the search cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    /// Several roles have a choice in a state.
    Simultaneous,
    /// The network does not run.
    Network,
}

/// A search of one game, which may go on from state to state.
pub(super) struct Guided {
    engine: AnyEngine,
    scratch: AnyScratch,
    columns: Columns,
    tree: Tree,
    /// The state to search from, if the tree does not have it yet.
    awaited: Option<AnyState>,
    leaves: Vec<Leaf>,
    broken: Option<Broken>,
    effort: Effort,
}

/// A state that is to be evaluated, and the way to it.
struct Leaf {
    path: Path,
    node: Node,
}

impl Guided {
    /// A search from a state of a game with the columns of its net.
    pub fn new(columns: Columns, engine: AnyEngine, state: &AnyState) -> Guided {
        let (scratch, awaited) = (engine.scratch(), Some(state.clone()));
        Guided {
            engine,
            scratch,
            columns,
            tree: Tree::default(),
            awaited,
            leaves: Vec::new(),
            broken: None,
            effort: Effort::default(),
        }
    }

    /// A node of the state that the scratch speaks of, without priors and expectations unless it is
    /// terminal. `None` if the rules have a defect there.
    fn look(&mut self) -> Result<Option<Node>, Broken> {
        let Guided { engine, scratch, .. } = self;
        let Ok(is_terminal) = engine.terminal(scratch) else { return Ok(None) };
        let state = engine.state(scratch);
        let (mut mover, mut joint, mut edges) = (0, Vec::new(), Vec::new());
        let mut goals = Rewards::new();
        if is_terminal {
            let ends = engine.roles().iter().map(|role| engine.payoff(scratch, role).ok());
            let Some(ends) = ends.collect::<Option<Vec<u8>>>() else { return Ok(None) };
            goals.extend(ends.into_iter().map(|goal| f32::from(goal) / 100.0));
            return Ok(Some(Node { state, mover, joint, goals, is_terminal, edges }));
        }
        let mut legal = Vec::new();
        for role in engine.roles().iter() {
            let listed = engine.legal(scratch, role, &mut legal);
            let (Ok(()), Some(&first)) = (listed, legal.first()) else { return Ok(None) };
            joint.push(first);
            if legal.len() > 1 || edges.is_empty() {
                if edges.len() > 1 {
                    return Err(Broken::Simultaneous);
                }
                let edge = |&id: &MoveId| Edge {
                    id,
                    prior: 0.0,
                    visits: 0,
                    total: 0.0,
                    child: Child::New,
                };
                (mover, edges) = (role.index(), legal.iter().map(edge).collect());
            }
        }
        Ok(Some(Node { state, mover, joint, goals, is_terminal, edges }))
    }

    /// Goes down to a state that is to be evaluated, and says whether there is another one to go to in
    /// this round.
    fn collect(&mut self, limits: &Limits<'_>) -> Result<bool, Broken> {
        let mut path = Path::new();
        let Some(child) = self.tree.descend(&mut path) else {
            self.tree.forget(&path);
            return Ok(false);
        };
        self.effort.depth = self.effort.depth.max(path.len());
        match child {
            Child::Nowhere => unreachable!("such a move is not visited"),
            Child::Awaited => {
                self.tree.forget(&path);
                return Ok(false);
            }
            Child::Node(end) => {
                let goals = self.tree.nodes[end].goals.clone();
                self.tree.back_up(&path, &goals);
                self.effort.certain += 1;
                limits.tries.spend(1);
                return Ok(true);
            }
            Child::New => {}
        }
        let &(parent, place) = path.last().expect("a way has a move");
        let node = &self.tree.nodes[parent];
        let mut joint = node.joint.clone();
        joint[node.mover] = node.edges[place].id;
        self.engine.enter(&mut self.scratch, &node.state);
        let next = match self.engine.step(&mut self.scratch, &joint) {
            Ok(()) => self.look()?,
            Err(_) => None,
        };
        match next {
            None => {
                self.tree.last(&path).child = Child::Nowhere;
                self.tree.forget(&path);
            }
            Some(end) if end.is_terminal => {
                self.tree.back_up(&path, &end.goals);
                let bytes = self.engine.state_bytes(&end.state);
                self.tree.last(&path).child = Child::Node(self.tree.nodes.len());
                self.tree.add(end, bytes);
                self.effort.certain += 1;
                limits.tries.spend(1);
            }
            Some(node) => {
                self.tree.last(&path).child = Child::Awaited;
                self.leaves.push(Leaf { path, node });
            }
        }
        Ok(true)
    }

    /// Evaluates the states that were collected, and makes nodes of them.
    fn evaluate(&mut self) -> Result<(), Broken> {
        let mut observations = Vec::new();
        for Leaf { node, .. } in &self.leaves {
            let facts = self.engine.facts(&node.state);
            self.columns.observe(self.engine.symbols(), &facts, &mut observations);
        }
        let evaluated = self.columns.evaluate(observations);
        let (policy, goals) = evaluated.map_err(|_| Broken::Network)?;
        let words = self.columns.net().words();
        let (actions, roles) = (words.actions.len(), words.roles.len());
        let rows = policy.chunks(actions).zip(goals.chunks(roles));
        for (Leaf { path, mut node }, (policy, goals)) in
            std::mem::take(&mut self.leaves).into_iter().zip(rows)
        {
            node.goals = goals.iter().map(share).collect();
            self.set_priors(&mut node, policy);
            self.effort.leaves += 1;
            self.tree.back_up(&path, &node.goals);
            let bytes = self.engine.state_bytes(&node.state);
            let at = self.tree.add(node, bytes);
            if !path.is_empty() {
                self.tree.last(&path).child = Child::Node(at);
            }
        }
        Ok(())
    }

    /// The probabilities of the moves of a node, by a row of the policy. Moves that the net does not know
    /// count as the least likely one that it knows.
    fn set_priors(&mut self, node: &mut Node, policy: &[f32]) {
        let logit = |edge: &Edge| {
            let column = self.columns.action(&self.engine, edge.id);
            column.map(|column| policy[column as usize]).filter(|logit| logit.is_finite())
        };
        let logits: Vec<Option<f32>> = node.edges.iter().map(logit).collect();
        let known = || logits.iter().flatten().copied();
        let (most, least) = (known().fold(f32::MIN, f32::max), known().fold(f32::MAX, f32::min));
        let weight = |logit: &Option<f32>| match known().next() {
            Some(_) => (logit.unwrap_or(least) - most).exp(),
            None => 1.0,
        };
        let weights: Vec<f32> = logits.iter().map(weight).collect();
        let sum: f32 = weights.iter().sum();
        node.edges.iter_mut().zip(weights).for_each(|(edge, weight)| edge.prior = weight / sum);
    }

    /// Makes the root, if there is none of the state that is awaited.
    fn plant(&mut self) -> Result<(), Broken> {
        let Some(state) = self.awaited.take() else { return Ok(()) };
        self.tree = Tree::default();
        self.engine.enter(&mut self.scratch, &state);
        if let Some(node) = self.look()?.filter(|node| !node.is_terminal) {
            self.leaves.push(Leaf { path: Path::new(), node });
            self.evaluate()?;
        }
        Ok(())
    }

    /// The place of a move of the root that ends the game with all that its role can get.
    fn win(&self) -> Option<usize> {
        let root = self.tree.nodes.first()?;
        let wins = |edge: &Edge| match edge.child {
            Child::Node(child) => {
                let node = &self.tree.nodes[child];
                node.is_terminal && node.goals[root.mover] == 1.0
            }
            _ => false,
        };
        root.edges.iter().position(wins)
    }

    /// The place of the move of the root to play.
    fn best_place(&self) -> Option<usize> {
        self.win().or_else(|| self.tree.nodes.first()?.best_to_play())
    }

    fn search(&mut self, limits: &Limits<'_>) -> Result<(), Broken> {
        self.plant()?;
        while !(limits.is_over)() && self.win().is_none() && self.tree.bytes() < limits.memory {
            let most = limits.tries.leaves(Shape { leaves: LEAVES, each: 1 });
            // Ends take no evaluation, and a round of nothing else is to end, too.
            let mut spare = 4 * LEAVES;
            while self.leaves.len() < most && spare > 0 && self.collect(limits)? {
                spare -= 1;
            }
            if self.leaves.is_empty() && spare == 4 * LEAVES {
                // There is no way down.
                break;
            }
            limits.tries.spend(self.leaves.len() as u64);
            if !self.leaves.is_empty() {
                self.evaluate()?;
            }
        }
        Ok(())
    }
}

/// A goal value that a network expects, within 0..=1: a network may say anything.
fn share(goal: &f32) -> f32 {
    if goal.is_nan() { 0.0 } else { goal.clamp(0.0, 1.0) }
}

impl Mind for Guided {
    fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    fn go_to(&mut self, turn: &Turn<'_>) {
        self.effort = Effort::default();
        // Since the last turn of the role, each role had a turn at most in most games.
        let depth = self.engine.roles().count() + 1;
        match self.tree.find(turn.state, depth) {
            Some(node) => {
                let tree = std::mem::take(&mut self.tree);
                self.tree = tree.below(node, |state| self.engine.state_bytes(state));
            }
            None => self.awaited = Some(turn.state.clone()),
        }
    }

    fn run(&mut self, limits: &Limits<'_>) {
        let start = Instant::now();
        if self.broken.is_none() {
            self.broken = self.search(limits).err();
        }
        self.effort.time += start.elapsed();
    }

    fn unsuited(&self) -> Option<&'static str> {
        self.broken.map(|broken| match broken {
            Broken::Simultaneous => "several roles choose at once in some states",
            Broken::Network => "the network does not run",
        })
    }

    fn best(&self, role: RoleId) -> Option<MoveId> {
        let root = self.tree.nodes.first().filter(|root| root.mover == role.index())?;
        self.best_place().map(|place| root.edges[place].id)
    }

    fn report(&self, role: RoleId) -> Report {
        let (nodes, memory) = (self.tree.nodes.len(), self.tree.bytes());
        let effort = Effort { nodes, memory, ..self.effort };
        let Some(root) = self.tree.nodes.first().filter(|root| root.mover == role.index()) else {
            return Report { effort, ..Report::default() };
        };
        let best = self.best(role);
        let certain = |edge: &Edge| match edge.child {
            Child::Node(child) if self.tree.nodes[child].is_terminal => {
                Some((self.tree.nodes[child].goals[root.mover] * 100.0).round() as u8)
            }
            _ => None,
        };
        let estimate = |edge: &Edge| Estimate {
            id: edge.id,
            visits: edge.visits,
            mean: (edge.visits > 0).then(|| 100.0 * edge.total / edge.visits as f32),
            certain: certain(edge),
        };
        let mut estimates: Vec<Estimate> = root.edges.iter().map(estimate).collect();
        estimates.sort_by_key(|estimate| (Some(estimate.id) != best, Reverse(estimate.visits)));
        let mut main_line = Vec::new();
        let (mut at, mut place) = (root, self.best_place());
        while let Some(taken) = place {
            let mut joint = at.joint.clone();
            joint[at.mover] = at.edges[taken].id;
            main_line.push(joint);
            let Child::Node(child) = at.edges[taken].child else { break };
            at = &self.tree.nodes[child];
            place = at.best_to_play();
        }
        Report { estimates, main_line, effort }
    }

    fn shape(&self) -> Option<Shape> {
        None
    }

    fn decisions(&self) -> Decisions {
        let mut decisions = Decisions::default();
        let net = Decision::new(Part::Search, "value net", "yes");
        decisions.record(net.bound("leaves", LEAVES as u64));
        decisions
    }
}
