//! UCT for games with simultaneous moves.
//!
//! The tree grows by one node an iteration. At a node every role chooses for itself, by the
//! upper confidence bound on the mean of its own goal value (Auer and others, 2002), as if
//! the others were part of the weather; the joint move leads to the child. From the new
//! node a random playout gives the goal values, which are counted all the way back. In a
//! game where one role moves at a time this is plain UCT (Kocsis and Szepesvári, 2006) in
//! which every role maximises its own value.
//!
//! An iteration costs one playout and, at each node on the way, time linear in the number
//! of legal moves. Memory is bounded by `MAX_NODES`: beyond, the tree grows no more.

use super::thinking_time::Running;
use crate::engine::{End, Engine, MoveId, Playout, RoleId, StepError, WorkLimit, choose};
use hashbrown::HashMap;
use rand_xoshiro::Xoshiro256PlusPlus;
use smallvec::SmallVec;

/// The most nodes of a tree.
const MAX_NODES: usize = 200_000;

/// How much an untried move is worth trying: the constant of UCB1 for rewards in 0..=1.
const EXPLORATION: f64 = std::f64::consts::SQRT_2;

/// A move of a role at a node, and what came of it.
#[derive(Clone, Copy, Debug)]
struct Arm {
    id: MoveId,
    visits: u32,
    /// The sum of goal values, each scaled to 0..=1.
    reward: f64,
}

#[derive(Debug, Default)]
struct Node {
    visits: u32,
    /// By role. Empty for a terminal node.
    arms: Vec<Vec<Arm>>,
}

type Joint = SmallVec<[MoveId; 4]>;

/// Nodes on the way down; by role, which arm was taken there.
type Path = Vec<(usize, SmallVec<[usize; 4]>)>;

struct Tree<'e, E> {
    engine: &'e E,
    nodes: Vec<Node>,
    children: HashMap<(usize, Joint), usize>,
}

/// Searches from the state of `scratch` until the time is over; the move of `role` that was
/// tried most often, `None` if none was. What is too much work further on is left at that.
///
/// # Errors
///
/// When the state to search from is too much work.
pub(super) fn search<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    role: RoleId,
    running: &Running<'_>,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Option<MoveId>, WorkLimit> {
    let root = engine.state(scratch);
    let mut tree = Tree { engine, nodes: Vec::new(), children: HashMap::new() };
    let mut playout = Playout::new(running.max_steps()).without_history();
    tree.add(scratch)?;
    while !running.is_over() {
        engine.enter(scratch, &root);
        let Ok(path) = tree.descend(scratch, rng) else { continue };
        let end = engine.playout(scratch, &mut playout, rng, &mut || running.is_over());
        if end == End::Terminal {
            tree.reward(scratch, &path);
        }
    }
    let arms = tree.nodes[0].arms.get(role.index()).map_or(&[][..], Vec::as_slice);
    let tried = arms.iter().filter(|arm| arm.visits > 0);
    Ok(tried.max_by_key(|arm| arm.visits).map(|arm| arm.id))
}

impl<E: Engine> Tree<'_, E> {
    /// Adds a node for the state of the scratch.
    fn add(&mut self, scratch: &mut E::Scratch) -> Result<usize, WorkLimit> {
        let mut node = Node::default();
        if !self.engine.terminal(scratch)? {
            let mut moves = Vec::new();
            for role in self.engine.roles().iter() {
                self.engine.legal(scratch, role, &mut moves)?;
                let arm = |&id: &MoveId| Arm { id, visits: 0, reward: 0.0 };
                node.arms.push(moves.iter().map(arm).collect());
            }
        }
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    /// Plays from the root to a node that is new or has no moves.
    fn descend(
        &mut self,
        scratch: &mut E::Scratch,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Path, StepError> {
        let mut path = Vec::new();
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            let chosen: Option<SmallVec<[usize; 4]>> =
                node.arms.iter().map(|arms| select(arms, node.visits, rng)).collect();
            let chosen = match chosen {
                Some(chosen) if !chosen.is_empty() => chosen,
                _ => return Ok(path),
            };
            let joint: Joint =
                node.arms.iter().zip(&chosen).map(|(arms, &arm)| arms[arm].id).collect();
            self.engine.step(scratch, &joint)?;
            path.push((at, chosen));
            match self.children.get(&(at, joint.clone())) {
                Some(&child) => at = child,
                None => {
                    if self.nodes.len() < MAX_NODES {
                        let child = self.add(scratch)?;
                        self.children.insert((at, joint), child);
                    }
                    return Ok(path);
                }
            }
        }
    }

    /// Counts the goal values of the terminal state of the scratch along the path.
    fn reward(&mut self, scratch: &mut E::Scratch, path: &Path) {
        let mut goals: SmallVec<[f64; 4]> = SmallVec::new();
        for role in self.engine.roles().iter() {
            match self.engine.payoff(scratch, role) {
                Ok(value) => goals.push(f64::from(value) / 100.0),
                Err(_) => return,
            }
        }
        for (at, chosen) in path {
            let node = &mut self.nodes[*at];
            node.visits += 1;
            for ((arms, &arm), goal) in node.arms.iter_mut().zip(chosen).zip(&goals) {
                arms[arm].visits += 1;
                arms[arm].reward += goal;
            }
        }
    }
}

/// The arm with the highest upper confidence bound; untried ones first, at random.
fn select(arms: &[Arm], visits: u32, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
    let untried: SmallVec<[usize; 16]> =
        (0..arms.len()).filter(|&index| arms[index].visits == 0).collect();
    if let Some(index) = choose(&untried, rng) {
        return Some(index);
    }
    let log = f64::from(visits.max(1)).ln();
    let bound = |arm: &Arm| {
        let tries = f64::from(arm.visits);
        arm.reward / tries + EXPLORATION * (log / tries).sqrt()
    };
    let best = arms.iter().enumerate().max_by(|(_, a), (_, b)| bound(a).total_cmp(&bound(b)));
    best.map(|(index, _)| index)
}
