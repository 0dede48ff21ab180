//! Which of moves to take that are certain to bring the same.
//!
//! A certain value is the one that every role gets if all choose their best. Whoever plays
//! against others that may err wants to know more: of moves that are worth the same, which one
//! brings most against others that choose anything, while one goes on with what is best oneself.
//! That is worked out on the tree as it is, by deepening: as far down as there is time for.

use super::{Goals, NodeId, Tree};
use hashbrown::HashMap;
use std::hash::Hash;

/// The deepest look at what others may do wrong. Each joint move is a call on the stack.
const MOST_DEPTH: usize = 32;

/// How many nodes are looked at, in all looks together, until there is no deeper one.
const MOST_LOOKS: usize = 200_000;

/// A look at a tree, so deep.
struct Look<'t, S> {
    tree: &'t Tree<S>,
    role: usize,
    /// By node, and how deep was looked on from there: what was found.
    known: HashMap<(NodeId, usize), f32>,
    /// Whether the bottom of what is known was come to everywhere.
    whole: bool,
    /// How many more nodes may be looked at.
    left: usize,
}

impl<S: Clone + Eq + Hash> Tree<S> {
    /// By arm of the role that chooses at the root, once it is certain what all get there: what the
    /// role gets of others that choose anything. Nothing where moves do not come to the same.
    pub(super) fn against_anything(&self) -> Vec<f32> {
        let Some((role, goals)) = self.mover(self.root).zip(self.proven(self.root)) else {
            return Vec::new();
        };
        let arms = self.arms(self.root, role);
        let links: Vec<Option<NodeId>> =
            arms.iter().map(|arm| arm.child.map(NodeId::of_link)).collect();
        let comes_to = |link: &Option<NodeId>| link.and_then(|child| self.proven(child));
        if links.iter().filter(|link| comes_to(link) == Some(goals)).count() < 2 {
            return Vec::new();
        }
        let (mut found, mut left) = (Vec::new(), MOST_LOOKS);
        for depth in 1..=MOST_DEPTH {
            let mut look = Look { tree: self, role, known: HashMap::new(), whole: true, left };
            let value = |link: &Option<NodeId>| link.map_or(Some(0.0), |at| look.value(at, depth));
            match links.iter().map(value).collect() {
                Some(values) => found = values,
                None => break,
            }
            if look.whole {
                break;
            }
            left = look.left;
        }
        found
    }
}

impl<S: Clone + Eq + Hash> Look<'_, S> {
    /// The value of a node for the role, looking so many joint moves on; `None` if that is too much.
    fn value(&mut self, node: NodeId, depth: usize) -> Option<f32> {
        let tree = self.tree;
        let Some(goals) = tree.proven(node) else {
            return tree.mean(node, self.role).or(Some(0.0));
        };
        let sure = f32::from(goals[self.role]);
        let Some(mover) = tree.mover(node) else { return Some(sure) };
        let arms = tree.arms(node, mover);
        if arms.is_empty() {
            return Some(sure);
        }
        if depth == 0 {
            self.whole = false;
            return Some(sure);
        }
        if let Some(&known) = self.known.get(&(node, depth)) {
            return Some(known);
        }
        self.left = self.left.checked_sub(1)?;
        let children = arms.iter().filter_map(|arm| arm.child.map(NodeId::of_link));
        let value = match mover == self.role {
            true => self.best(goals, children, depth)?.unwrap_or(sure),
            false => self.average(children, depth)?.unwrap_or(sure),
        };
        self.known.insert((node, depth), value);
        Some(value)
    }

    /// The most that the role gets without giving away what is certain.
    fn best(
        &mut self,
        goals: &Goals,
        children: impl Iterator<Item = NodeId>,
        depth: usize,
    ) -> Option<Option<f32>> {
        let mut best = None;
        let tree = self.tree;
        for child in children.filter(|&child| tree.proven(child) == Some(goals)) {
            let value = self.value(child, depth - 1)?;
            best = Some(best.map_or(value, |best: f32| best.max(value)));
        }
        Some(best)
    }

    /// Its mean value, if another role chooses any of the moves that were tried.
    fn average(
        &mut self,
        children: impl Iterator<Item = NodeId>,
        depth: usize,
    ) -> Option<Option<f32>> {
        let (mut sum, mut count) = (0.0, 0.0);
        let tree = self.tree;
        let role = self.role;
        let is_known =
            |child: &NodeId| tree.proven(*child).is_some() || tree.mean(*child, role).is_some();
        for child in children.filter(is_known) {
            sum += self.value(child, depth - 1)?;
            count += 1.0;
        }
        Some((count > 0.0).then(|| sum / count))
    }
}
