//! The tree: what is known of states, and which move to look at next.
//!
//! At a node every role chooses for itself, by the upper confidence bound UCB1-tuned on its own
//! goal value (Auer and others, 2002; decoupled UCT, as in FI, II), as if the others were part of
//! the weather. States that are reached in several ways are one node. A node whose value is
//! known for certain is *proven*: terminal states, and those in which one role chooses among
//! moves that settle it, if every role takes what is best for itself and, of that, what leaves
//! least to the others.

use gdlr_engine::engine::{MoveId, RoleId, choose};
use gdlr_engine::play::report::Estimate;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::hash::{BuildHasher, Hash};
use std::num::NonZeroU32;

#[cfg(test)]
mod tests;
mod ties;

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The number as arms hold it.
    fn linked(self) -> Option<NonZeroU32> {
        NonZeroU32::new(self.0 + 1)
    }

    fn of_link(link: NonZeroU32) -> NodeId {
        NodeId(link.get() - 1)
    }
}

/// The moves of a joint move, each by its place among the arms of its role.
pub(super) type Joint = SmallVec<[u32; 4]>;

/// Goal values by role.
pub(super) type Goals = SmallVec<[u8; 4]>;

/// A move of a role at a node, and what came of it.
#[derive(Clone, Copy, Debug)]
struct Arm {
    id: MoveId,
    /// How often it was chosen, choices whose result is still to come included: as long as it
    /// is, they count as nothing won.
    visits: u32,
    /// The sum of goal values, each scaled to 0..=1, and of their squares. Single precision loses
    /// one in a hundred of a sum of two million.
    reward: f64,
    squares: f64,
    /// Where it leads, if it is known and no other role chooses here.
    child: Option<NonZeroU32>,
    /// The value of the role by it, if that is certain and no other role chooses here.
    certain: Option<u8>,
}

impl Arm {
    fn estimate(&self) -> Estimate {
        Estimate {
            id: self.id,
            visits: self.visits,
            mean: (self.visits > 0).then(|| (100.0 * self.reward / f64::from(self.visits)) as f32),
            certain: self.certain,
        }
    }
}

#[derive(Debug)]
struct Node<S> {
    state: S,
    /// By role: where its arms begin; and the end.
    arms: SmallVec<[u32; 4]>,
    /// The role that chooses, if no other one does.
    mover: Option<u16>,
    visits: u32,
    /// The value of every role from here, if that is certain.
    proven: Option<Goals>,
}

/// How wide the confidence bounds are, as a part of those of UCB1-tuned: what is counted is not
/// one playout but the mean of several. Breakthrough at 0.1 s a move against plain UCT, 10 or 12
/// games each: 1 wins 30 to 50 %, 0.5 wins 70 %, 0.3 wins 83 to 100 %. Not so in games with chance:
/// all playouts of a leaf share what was drawn on the way to it, and narrow bounds would never look
/// again at a move after one bad draw.
const WIDTH: f32 = 0.3;

/// The longest path.
const MOST_STEPS: usize = 1000;

/// The best goal value.
const BEST: u8 = 100;

/// How good it is for a role that all get this: what it gets itself counts most, then what the
/// others do not get.
fn preference(goals: &Goals, role: usize) -> (u8, Reverse<u32>) {
    let all = goals.iter().map(|&goal| u32::from(goal)).sum::<u32>();
    (goals[role], Reverse(all - u32::from(goals[role])))
}

/// A new state, as the engine sees it.
pub(super) struct NewState<'m, S> {
    pub state: S,
    /// The value of every role, if the state is terminal.
    pub terminal: Option<Goals>,
    /// By role: its legal moves.
    pub moves: &'m [Vec<MoveId>],
}

/// A descent: nodes, and what was chosen there.
#[derive(Clone, Debug, Default)]
pub(super) struct Path(Vec<(NodeId, Joint)>);

impl Path {
    /// How many joint moves it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Where a descent ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bottom {
    /// At a node whose value is certain.
    Proven(NodeId),
    /// By the last joint move of the path, in a state that has no node yet.
    New,
    /// Nowhere: the path is too long, or goes round.
    Nowhere,
}

/// The nodes of the states that the search has reached.
#[derive(Debug)]
pub(super) struct Tree<S> {
    nodes: Vec<Node<S>>,
    arms: Vec<Arm>,
    /// Where joint moves lead that several roles choose.
    children: HashMap<(NodeId, Joint), NodeId>,
    by_state: HashTable<NodeId>,
    hasher: DefaultHashBuilder,
    root: NodeId,
    /// The role of chance: each of its moves has the same chance.
    random: Option<u16>,
    /// How much memory a state takes beside itself, in bytes.
    state_bytes: usize,
    /// By arm of the role that chooses at the root, once moves there are certain to come to the
    /// same: what it gets of others that choose anything.
    ties: Vec<f32>,
}

impl<S: Clone + Eq + Hash> Tree<S> {
    /// A tree of one node; `random` is the role of chance.
    pub fn new(root: NewState<'_, S>, random: Option<RoleId>, state_bytes: usize) -> Tree<S> {
        let mut tree = Tree::empty(random.map(|role| role.0), state_bytes);
        tree.add(root);
        tree
    }

    fn empty(random: Option<u16>, state_bytes: usize) -> Tree<S> {
        let (nodes, arms, children, by_state, hasher, ties) = Default::default();
        let root = NodeId(0);
        Tree { nodes, arms, children, by_state, hasher, root, random, state_bytes, ties }
    }

    /// How many states it knows.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// About how much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let node = size_of::<Node<S>>() + size_of::<NodeId>() * 2 + self.state_bytes + 16;
        let child = size_of::<((NodeId, Joint), NodeId)>() * 2;
        self.nodes.len() * node + self.arms.len() * size_of::<Arm>() + self.children.len() * child
    }

    /// The state of a node.
    pub fn state(&self, node: NodeId) -> &S {
        &self.nodes[node.0 as usize].state
    }

    /// The value of every role from a node, if that is certain.
    pub fn proven(&self, node: NodeId) -> Option<&Goals> {
        self.nodes[node.0 as usize].proven.as_ref()
    }

    /// Whether nothing is left to find out: it is certain what every role gets from the root, or
    /// a defect of the game leaves a role without a move there.
    pub fn is_done(&self) -> bool {
        let stuck = |role| self.arms(self.root, role).is_empty();
        self.proven(self.root).is_some() || (0..self.roles(self.root)).any(stuck)
    }

    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The node of a state, if there is one.
    pub fn find(&self, state: &S) -> Option<NodeId> {
        let is = |node: &NodeId| self.state(*node) == state;
        self.by_state.find(self.hasher.hash_one(state), is).copied()
    }

    /// Makes a node one that is found by its state.
    fn register(&mut self, node: NodeId) {
        let Tree { nodes, by_state, hasher, .. } = self;
        let (nodes, hasher) = (&*nodes, &*hasher);
        let hash = |node: &NodeId| hasher.hash_one(&nodes[node.0 as usize].state);
        by_state.insert_unique(hash(&node), node, hash);
    }

    /// Makes a node the root, and forgets what cannot be come to from it. Linear.
    pub fn grow_from(&mut self, root: NodeId) {
        let mut old = std::mem::replace(self, Tree::empty(self.random, self.state_bytes));
        let mut followers: HashMap<NodeId, Vec<(Joint, NodeId)>> = HashMap::new();
        for ((from, joint), to) in old.children.drain() {
            followers.entry(from).or_default().push((joint, to));
        }
        // By old number: the new one.
        let mut numbers: Vec<Option<NodeId>> = vec![None; old.nodes.len()];
        let mut kept = vec![root];
        numbers[root.0 as usize] = Some(NodeId(0));
        let mut number = |node: NodeId, kept: &mut Vec<NodeId>| {
            *numbers[node.0 as usize].get_or_insert_with(|| {
                kept.push(node);
                NodeId(kept.len() as u32 - 1)
            })
        };
        let mut next = 0;
        while let Some(&node) = kept.get(next) {
            let new = NodeId(next as u32);
            let node_arms = &mut old.nodes[node.0 as usize].arms;
            let (start, end) = (node_arms[0], node_arms[node_arms.len() - 1]);
            let moved = self.arms.len() as u32;
            node_arms.iter_mut().for_each(|place| *place = *place - start + moved);
            for arm in &old.arms[start as usize..end as usize] {
                let child = arm.child.map(|link| number(NodeId::of_link(link), &mut kept));
                self.arms.push(Arm { child: child.and_then(NodeId::linked), ..*arm });
            }
            for (joint, to) in followers.remove(&node).unwrap_or_default() {
                self.children.insert((new, joint), number(to, &mut kept));
            }
            next += 1;
        }
        let mut nodes: Vec<Option<Node<S>>> = old.nodes.into_iter().map(Some).collect();
        for (node, at) in kept.iter().zip(0..) {
            let node = nodes[node.0 as usize].take().expect("each is kept once");
            self.nodes.push(node);
            self.register(NodeId(at));
        }
    }

    fn add(&mut self, new_state: NewState<'_, S>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let mut arms: SmallVec<[u32; 4]> = SmallVec::new();
        arms.push(self.arms.len() as u32);
        for moves in new_state.moves {
            let arm = |&id: &MoveId| Arm {
                id,
                visits: 0,
                reward: 0.0,
                squares: 0.0,
                child: None,
                certain: None,
            };
            self.arms.extend(moves.iter().map(arm));
            arms.push(self.arms.len() as u32);
        }
        let mut choosers = (0..).zip(new_state.moves).filter(|(_, moves)| moves.len() > 1);
        let mover = match (choosers.next(), choosers.next()) {
            (None, _) => Some(0),
            (Some((role, _)), None) => Some(role),
            (Some(_), Some(_)) => None,
        };
        let (state, proven) = (new_state.state, new_state.terminal);
        self.nodes.push(Node { state, arms, mover, visits: 0, proven });
        self.register(id);
        id
    }

    fn arms(&self, node: NodeId, role: usize) -> &[Arm] {
        let arms = &self.nodes[node.0 as usize].arms;
        &self.arms[arms[role] as usize..arms[role + 1] as usize]
    }

    fn roles(&self, node: NodeId) -> usize {
        self.nodes[node.0 as usize].arms.len() - 1
    }

    /// Goes down from the root until a state that is new, or proven. What is chosen counts as a
    /// visit from now on.
    pub fn descend(&mut self, path: &mut Path, rng: &mut Xoshiro256PlusPlus) -> Bottom {
        path.0.clear();
        let mut at = self.root;
        loop {
            if self.nodes[at.0 as usize].proven.is_some() && at != self.root {
                return Bottom::Proven(at);
            }
            let mut joint = Joint::new();
            for role in 0..self.roles(at) {
                joint.push(self.select(at, role, rng));
            }
            let node = &mut self.nodes[at.0 as usize];
            node.visits += 1;
            for (&start, &arm) in node.arms.iter().zip(&joint) {
                self.arms[start as usize + arm as usize].visits += 1;
            }
            let child = self.child(at, &joint);
            path.0.push((at, joint));
            match child {
                None => return Bottom::New,
                Some(_) if path.0.len() == MOST_STEPS => return Bottom::Nowhere,
                Some(child) => at = child,
            }
        }
    }

    /// The arm with the highest upper confidence bound; untried ones first, at random.
    fn select(&self, node: NodeId, role: usize, rng: &mut Xoshiro256PlusPlus) -> u32 {
        let arms = self.arms(node, role);
        if arms.len() == 1 {
            return 0;
        }
        if self.is_chance(role) {
            return rng.random_range(0..arms.len()) as u32;
        }
        if (self.nodes[node.0 as usize].visits as usize) < arms.len() {
            let untried: SmallVec<[u32; 64]> =
                (0..arms.len() as u32).filter(|&at| arms[at as usize].visits == 0).collect();
            if let Some(at) = choose(&untried, rng) {
                return at;
            }
        }
        let log = (self.nodes[node.0 as usize].visits.max(1) as f32).ln();
        let factor = if self.random.is_some() { 1.0 } else { WIDTH };
        // A certain value need not be looked at again. Where it seems better than the rest, it
        // is taken every other time, so that those above learn of it.
        let take_certain = rng.random::<bool>();
        let (mut best, mut highest) = (0, f32::NEG_INFINITY);
        for (at, arm) in arms.iter().enumerate() {
            let bound = match (arm.certain, arm.visits) {
                (Some(goal), _) if take_certain => f32::from(goal) / 100.0,
                (Some(_), _) => -1.0,
                (None, 0) => f32::INFINITY,
                (None, visits) => {
                    // A bound is no sum: single precision is enough.
                    let part = 1.0 / visits as f32;
                    let mean = arm.reward as f32 * part;
                    let variance = arm.squares as f32 * part - mean * mean;
                    let width = (variance + (2.0 * log * part).sqrt()).min(0.25);
                    mean + factor * (log * part * width).sqrt()
                }
            };
            if bound > highest {
                (best, highest) = (at, bound);
            }
        }
        best as u32
    }

    /// The joint move that a path ends with, and the state in which it is made.
    pub fn last(&self, path: &Path, joint: &mut Vec<MoveId>) -> &S {
        let (node, arms) = path.0.last().expect("a path of one joint move at least");
        joint.clear();
        let of = |(role, &arm): (usize, &u32)| self.arms(*node, role)[arm as usize].id;
        joint.extend(arms.iter().enumerate().map(of));
        self.state(*node)
    }

    /// Adds what the last joint move of a path leads to.
    pub fn expand(&mut self, path: &Path, new_state: NewState<'_, S>) -> NodeId {
        let child = match self.find(&new_state.state) {
            Some(child) => child,
            None => self.add(new_state),
        };
        let (node, joint) = path.0.last().expect("a path of one joint move at least");
        match self.mover(*node) {
            Some(mover) => self.arm_mut(*node, mover, joint[mover]).child = child.linked(),
            None => {
                self.children.insert((*node, joint.clone()), child);
            }
        }
        child
    }

    /// Where a joint move leads, if that is known.
    fn child(&self, node: NodeId, joint: &Joint) -> Option<NodeId> {
        match self.mover(node) {
            Some(mover) => self.arms(node, mover)[joint[mover] as usize].child.map(NodeId::of_link),
            None => self.children.get(&(node, joint.clone())).copied(),
        }
    }

    fn arm_mut(&mut self, node: NodeId, role: usize, arm: u32) -> &mut Arm {
        let start = self.nodes[node.0 as usize].arms[role];
        &mut self.arms[start as usize + arm as usize]
    }

    /// Tells all nodes of a path what every role got, scaled to 0..=1.
    pub fn reward(&mut self, path: &Path, rewards: &[f32]) {
        for (node, joint) in &path.0 {
            let starts = &self.nodes[node.0 as usize].arms;
            for ((&start, &arm), &reward) in starts.iter().zip(joint).zip(rewards) {
                let arm = &mut self.arms[start as usize + arm as usize];
                let reward = f64::from(reward);
                arm.reward += reward;
                arm.squares += reward * reward;
            }
        }
    }

    /// The choice of a role at a step of a path.
    pub fn chosen(&self, path: &Path, step: usize, role: RoleId) -> MoveId {
        let (node, joint) = &path.0[step];
        self.arms(*node, role.index())[joint[role.index()] as usize].id
    }

    /// Takes back the visits of a path that came to nothing.
    pub fn forget(&mut self, path: &Path) {
        self.take_back(&path.0);
    }

    /// Takes back the visits of a path after its first steps, and these steps out of it.
    pub fn shorten(&mut self, path: &mut Path, steps: usize) {
        self.take_back(&path.0[steps..]);
        path.0.truncate(steps);
    }

    fn take_back(&mut self, steps: &[(NodeId, Joint)]) {
        for (node, joint) in steps {
            let node = &mut self.nodes[node.0 as usize];
            node.visits -= 1;
            for (&start, &arm) in node.arms.iter().zip(joint) {
                self.arms[start as usize + arm as usize].visits -= 1;
            }
        }
    }

    /// Tells the nodes of a path, from below, that the value of `node`, to which it leads, is
    /// certain.
    pub fn prove(&mut self, path: &Path, node: NodeId) {
        let mut child = node;
        for &(node, ref joint) in path.0.iter().rev() {
            let (Some(mover), Some(goals)) = (self.mover(node), self.proven(child)) else { break };
            let goal = goals[mover];
            self.arm_mut(node, mover, joint[mover]).certain = Some(goal);
            if self.proven(node).is_none() {
                self.learn(node, mover);
                match self.settled(node, mover) {
                    None => break,
                    goals => self.nodes[node.0 as usize].proven = goals,
                }
            }
            child = node;
        }
    }

    /// Tells the arms of a node what is certain of where they lead: that may have been proven on
    /// another way there.
    fn learn(&mut self, node: NodeId, mover: usize) {
        let arms = &self.nodes[node.0 as usize].arms;
        for arm in &mut self.arms[arms[mover] as usize..arms[mover + 1] as usize] {
            if let (None, Some(link)) = (arm.certain, arm.child) {
                let child = &self.nodes[NodeId::of_link(link).0 as usize];
                arm.certain = child.proven.as_ref().map(|goals| goals[mover]);
            }
        }
    }

    /// The value of every role from a node, by the certain values of those that follow.
    fn settled(&self, node: NodeId, mover: usize) -> Option<Goals> {
        let arms = self.arms(node, mover);
        let open = arms.iter().any(|arm| arm.certain.is_none());
        let goals = |arm: &Arm| self.proven(NodeId::of_link(arm.child?));
        let mut certain = arms.iter().filter_map(goals);
        if self.is_chance(mover) {
            // The draw does not matter if all outcomes have the same value.
            let first = certain.next()?;
            return (!open && certain.all(|goals| goals == first)).then(|| first.clone());
        }
        let best = certain.max_by_key(|goals| preference(goals, mover))?;
        // Nothing is better than 100 for oneself and nothing for the others.
        (!open || preference(best, mover) == (BEST, Reverse(0))).then(|| best.clone())
    }

    fn is_chance(&self, role: usize) -> bool {
        self.random.is_some_and(|random| usize::from(random) == role)
    }

    /// The role that chooses, if no other one does.
    fn mover(&self, node: NodeId) -> Option<usize> {
        self.nodes[node.0 as usize].mover.map(usize::from)
    }

    /// Draws together what is known of the root, once a search is over: what is certain of its moves,
    /// and which to take of those that are certain to bring the same. Bounded time.
    pub fn conclude(&mut self) {
        if let Some(mover) = self.mover(self.root) {
            self.learn(self.root, mover);
        }
        self.ties = self.against_anything();
    }

    /// The mean value of a role from a node, 0 to 100; `None` if it was not visited.
    fn mean(&self, node: NodeId, role: usize) -> Option<f32> {
        let arms = self.arms(node, role);
        let visits = arms.iter().map(|arm| f64::from(arm.visits)).sum::<f64>();
        let reward = arms.iter().map(|arm| arm.reward).sum::<f64>();
        (visits > 0.0).then(|| (100.0 * reward / visits) as f32)
    }

    /// The move of a role at a node that is preferred: the one that is certain to be best, or
    /// else the one that was tried most often. Of moves that are certain to bring the same, the
    /// one that brings the others less, and then the one that brings more if these err.
    pub fn best(&self, node: NodeId, role: usize) -> Option<Estimate> {
        let arms = self.arms(node, role);
        if let [only] = arms {
            return Some(only.estimate());
        }
        let others = |arm: &Arm| {
            let goals = arm.child.and_then(|child| self.proven(NodeId::of_link(child)));
            goals.map(|goals| preference(goals, role).1)
        };
        let ties = match node == self.root && self.mover(node) == Some(role) {
            true => &self.ties[..],
            false => &[],
        };
        let settled = arms.iter().enumerate().filter(|(_, arm)| arm.certain.is_some());
        let certain = settled.max_by(|(at, a), (bt, b)| {
            let rank = |arm: &Arm| (arm.certain, others(arm));
            let tie = |at: &usize| ties.get(*at).copied().unwrap_or(0.0);
            let mean = |arm: &Arm| arm.estimate().mean.unwrap_or(0.0);
            let luck = tie(at).total_cmp(&tie(bt)).then(mean(a).total_cmp(&mean(b)));
            rank(a).cmp(&rank(b)).then(luck)
        });
        let certain = certain.map(|(_, arm)| arm);
        let open = arms.iter().filter(|arm| arm.certain.is_none() && arm.visits > 0);
        let open = open.max_by_key(|arm| arm.visits).map(Arm::estimate);
        match (certain.map(Arm::estimate), open) {
            (Some(sure), Some(open)) if sure.value() < open.mean => Some(open),
            (sure, open) => sure.or(open),
        }
    }

    /// The joint moves that are preferred from the root on, as far as they were tried.
    pub fn main_line(&self) -> Vec<Vec<MoveId>> {
        let mut line = Vec::new();
        let mut at = Some(self.root);
        while let Some(node) = at.filter(|_| line.len() < MOST_STEPS) {
            let mut joint = Joint::new();
            let mut ids = Vec::new();
            for role in 0..self.roles(node) {
                let Some(best) = self.best(node, role) else { return line };
                let arm = self.arms(node, role).iter().position(|arm| arm.id == best.id);
                joint.push(arm.expect("it is one of them") as u32);
                ids.push(best.id);
            }
            line.push(ids);
            at = self.child(node, &joint);
        }
        line
    }

    /// The moves of a role at the root: each with how often it was tried and its mean goal
    /// value, or the value that is certain.
    pub fn estimates(&self, role: usize) -> impl Iterator<Item = Estimate> {
        self.arms(self.root, role).iter().map(Arm::estimate)
    }
}
