//! The joint moves of a state, in the numbers of an engine: all of them, or one at random.

use crate::engine::{MoveId, choose};
use rand_xoshiro::Xoshiro256PlusPlus;

/// All joint moves of a state, one after the other. The last role's move changes fastest.
pub(crate) struct JointMoves<'l> {
    legal: &'l [Vec<MoveId>],
    /// By role: which of its moves is next.
    next: Vec<usize>,
    /// Whether there is none any more.
    over: bool,
}

impl<'l> JointMoves<'l> {
    /// Those of these moves, by role.
    pub fn of(legal: &'l [Vec<MoveId>]) -> JointMoves<'l> {
        JointMoves { legal, next: vec![0; legal.len()], over: legal.iter().any(Vec::is_empty) }
    }

    /// Replaces the content of `joint` by the next one; `false` if there is none any more.
    pub fn next(&mut self, joint: &mut Vec<MoveId>) -> bool {
        joint.clear();
        if self.over {
            return false;
        }
        joint.extend(self.legal.iter().zip(&self.next).map(|(moves, &at)| moves[at]));
        let more = |&role: &usize| self.next[role] + 1 < self.legal[role].len();
        match (0..self.legal.len()).rev().find(more) {
            Some(role) => {
                self.next[role] += 1;
                self.next[role + 1..].fill(0);
            }
            None => self.over = true,
        }
        true
    }
}

/// Replaces the content of `joint` by one of the joint moves, each with the same chance; `false`
/// if a role has no move.
pub(crate) fn draw(
    legal: &[Vec<MoveId>],
    joint: &mut Vec<MoveId>,
    rng: &mut Xoshiro256PlusPlus,
) -> bool {
    joint.clear();
    joint.extend(legal.iter().map_while(|moves| choose(moves, rng)));
    joint.len() == legal.len()
}

/// How many joint moves there are.
pub(crate) fn count(legal: &[Vec<MoveId>]) -> usize {
    legal.iter().fold(1, |count, moves| count.saturating_mul(moves.len()))
}
