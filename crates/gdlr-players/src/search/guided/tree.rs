//! The tree of a search that a value net guides.

use super::super::leaves::Rewards;
use gdlr_engine::engine::{AnyState, MoveId};
use std::collections::VecDeque;

/// The weight of priors beside results in the choice of a move, that of `python/examples/tree_search.py`.
const EXPLORATION: f32 = 1.5;

/// A node, by its place.
pub(super) type NodeId = usize;

/// A way down: nodes, and the place of the move that was taken there.
pub(super) type Path = Vec<(NodeId, usize)>;

/// A state in the tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub state: AnyState,
    /// The place of the role that chooses.
    pub mover: usize,
    /// A joint move, in which the place of the mover has any move.
    pub joint: Vec<MoveId>,
    /// By role: the goal value to expect in 0..=1, by the net; in a terminal state the true one.
    pub goals: Rewards,
    pub is_terminal: bool,
    /// The moves of the mover; none in a terminal state.
    pub edges: Vec<Edge>,
}

/// A move of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub id: MoveId,
    /// The probability that the net gives it.
    pub prior: f32,
    /// How often it was taken, with those whose result is still to come (*virtual loss*).
    pub visits: u32,
    /// The sum of the goal values of the mover that came of it, each in 0..=1.
    pub total: f32,
    pub child: Child,
}

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    /// To a state that nobody has looked at.
    New,
    /// To a state that is being evaluated.
    Awaited,
    /// To a node.
    Node(NodeId),
    /// Nowhere: the rules have a defect there.
    Nowhere,
}

/// The nodes of states.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The first one is the root.
    pub nodes: Vec<Node>,
    /// How many edges there are.
    edges: usize,
    /// Memory of states behind what they point to, in bytes.
    states: usize,
}

impl Tree {
    /// Adds a node, whose state takes so many bytes.
    pub fn add(&mut self, node: Node, state_bytes: usize) -> NodeId {
        self.edges += node.edges.len();
        self.states += state_bytes;
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Memory of the tree, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges * size_of::<Edge>() + self.states
    }

    /// Goes down from the root by the rule PUCT (Rosin, 2011; Silver et al., 2018), and counts a visit
    /// on the way. Gives the place that the last move leads to; `None` if there is no way.
    pub fn descend(&mut self, path: &mut Path) -> Option<Child> {
        path.clear();
        let mut at = 0;
        loop {
            let node = &mut self.nodes[at];
            let place = node.best_to_visit()?;
            let edge = &mut node.edges[place];
            edge.visits += 1;
            let child = edge.child;
            path.push((at, place));
            match child {
                Child::Node(child) if !self.nodes[child].is_terminal => at = child,
                child => return Some(child),
            }
        }
    }

    /// Takes the visits of a way back.
    pub fn forget(&mut self, path: &Path) {
        path.iter().for_each(|&(node, place)| self.nodes[node].edges[place].visits -= 1);
    }

    /// Adds the result of a visit to the way.
    pub fn back_up(&mut self, path: &Path, goals: &Rewards) {
        for &(node, place) in path {
            let node = &mut self.nodes[node];
            node.edges[place].total += goals[node.mover];
        }
    }

    /// The edge at the end of a way.
    pub fn last(&mut self, path: &Path) -> &mut Edge {
        let &(node, place) = path.last().expect("a way has a move");
        &mut self.nodes[node].edges[place]
    }

    /// A node of a state, at most so many moves below the root.
    pub fn find(&self, state: &AnyState, depth: usize) -> Option<NodeId> {
        let mut queue = VecDeque::from([(0, 0)]);
        while let Some((at, steps)) = queue.pop_front() {
            let node = self.nodes.get(at)?;
            if node.state == *state {
                return Some(at);
            }
            if steps < depth {
                queue.extend(node.children().map(|child| (child, steps + 1)));
            }
        }
        None
    }

    /// The tree below a node, whose states take `state_bytes`.
    pub fn below(mut self, root: NodeId, state_bytes: impl Fn(&AnyState) -> usize) -> Tree {
        let mut kept = Tree::default();
        let mut order = vec![root];
        let mut next = 0;
        let mut places = vec![None; self.nodes.len()];
        while next < order.len() {
            for child in self.nodes[order[next]].children() {
                places[child] = Some(order.len());
                order.push(child);
            }
            next += 1;
        }
        for at in order {
            let node = &mut self.nodes[at];
            for edge in &mut node.edges {
                if let Child::Node(child) = edge.child {
                    edge.child = Child::Node(places[child].expect("a child is kept"));
                }
            }
            let bytes = state_bytes(&node.state);
            kept.add(node.clone(), bytes);
        }
        kept
    }
}

impl Node {
    fn children(&self) -> impl Iterator<Item = NodeId> {
        self.edges.iter().filter_map(|edge| match edge.child {
            Child::Node(child) => Some(child),
            _ => None,
        })
    }

    /// The place of the move to visit next. A move that was never tried counts as the evaluation of the
    /// node.
    fn best_to_visit(&self) -> Option<usize> {
        let all: u32 = self.edges.iter().map(|edge| edge.visits).sum();
        let wide = EXPLORATION * ((all + 1) as f32).sqrt();
        let own = self.goals[self.mover];
        let open = |edge: &&(usize, &Edge)| edge.1.child != Child::Nowhere;
        let score = |edge: &Edge| {
            let tries = (edge.visits + 1) as f32;
            (edge.total + own + wide * edge.prior) / tries
        };
        let edges = self.edges.iter().enumerate();
        let scored = edges.filter(|edge| open(&edge)).map(|(place, edge)| (place, score(edge)));
        let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(place, _)| place)
    }

    /// The place of the move to play: the one that was visited most; of several the one that brought
    /// most, or that the net prefers.
    pub fn best_to_play(&self) -> Option<usize> {
        let worth = |edge: &Edge| (edge.visits, edge.total, edge.prior);
        let edges = self.edges.iter().enumerate();
        let best =
            edges.reduce(|best, next| if worth(next.1) > worth(best.1) { next } else { best });
        best.map(|(place, _)| place)
    }
}
