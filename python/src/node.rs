//! A state, and the one that it came from.

use gdlr::engine::{AnyState, MoveId, WorkLimit};
use std::sync::{Arc, OnceLock};

/// A state of a game, with the way to it.
pub struct Node {
    /// The state.
    pub state: AnyState,
    /// The state before it, and the joint move played there.
    pub before: Option<(Arc<Node>, Box<[MoveId]>)>,
    /// How many joint moves lie behind it.
    pub steps: u64,
    /// What was asked about it.
    pub asked: OnceLock<Result<Asked, WorkLimit>>,
    /// The hash of its facts, once somebody asked for it.
    pub hash: OnceLock<u64>,
}

/// What every user of a state asks.
pub struct Asked {
    /// Whether it is terminal.
    pub terminal: bool,
    /// By role: its legal moves, none in a terminal state.
    pub legal: Vec<Vec<MoveId>>,
}

impl Node {
    /// A state without a past.
    pub fn first(state: AnyState) -> Arc<Node> {
        let (asked, hash) = Default::default();
        Arc::new(Node { state, before: None, steps: 0, asked, hash })
    }

    /// The state after a joint move.
    pub fn after(before: Arc<Node>, joint: Box<[MoveId]>, state: AnyState) -> Arc<Node> {
        let ((asked, hash), steps) = (Default::default(), before.steps + 1);
        Arc::new(Node { state, before: Some((before, joint)), steps, asked, hash })
    }

    /// The nodes from this one back to the first.
    pub fn back(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(Some(self), |node| node.before.as_ref().map(|(node, _)| &**node))
    }
}

impl Drop for Node {
    /// A long play is freed in a loop: the stack of the machine would not suffice.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some((node, _)) = before {
            before = Arc::into_inner(node).and_then(|mut node| node.before.take());
        }
    }
}
