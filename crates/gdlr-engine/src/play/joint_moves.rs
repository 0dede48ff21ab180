//! The joint moves of a state: all of them, or one at random.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// All joint moves of a state, one after the other. The last role's move changes fastest. Moves are
/// the numbers of an engine, or terms.
pub struct JointMoves<'l, M> {
    legal: &'l [Vec<M>],
    /// By role: which of its moves is next.
    next: Vec<usize>,
    /// Whether there is none any more.
    over: bool,
}

impl<'l, M: Clone> JointMoves<'l, M> {
    /// Those of these moves, by role.
    pub fn of(legal: &'l [Vec<M>]) -> JointMoves<'l, M> {
        let over = legal.is_empty() || legal.iter().any(Vec::is_empty);
        JointMoves { legal, next: vec![0; legal.len()], over }
    }

    /// Replaces the content of `joint` by the next one; `false` if there is none any more.
    pub fn next(&mut self, joint: &mut Vec<M>) -> bool {
        joint.clear();
        if self.over {
            return false;
        }
        joint.extend(self.legal.iter().zip(&self.next).map(|(moves, &at)| moves[at].clone()));
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
/// if there is none, as where a role has no move.
pub fn draw<M: Clone>(legal: &[Vec<M>], joint: &mut Vec<M>, rng: &mut Xoshiro256PlusPlus) -> bool {
    joint.clear();
    if legal.iter().any(Vec::is_empty) {
        return false;
    }
    joint.extend(legal.iter().map(|moves| moves[rng.random_range(0..moves.len())].clone()));
    // A game without roles has no move to play.
    !joint.is_empty()
}

/// How many joint moves there are.
pub fn count<M>(legal: &[Vec<M>]) -> usize {
    legal.iter().fold(1, |count, moves| count.saturating_mul(moves.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::seeded;

    #[test]
    fn all_joint_moves_and_any() {
        let legal = [vec![1, 2], vec![3], vec![4, 5, 6]];
        let (mut all, mut joint) = (Vec::new(), Vec::new());
        let mut joints = JointMoves::of(&legal);
        while joints.next(&mut joint) {
            all.push(joint.clone());
        }
        assert_eq!(all.len(), count(&legal));
        assert_eq!(all[..4], [[1, 3, 4], [1, 3, 5], [1, 3, 6], [2, 3, 4]]);
        let (mut drawn, mut rng) = (vec![0; all.len()], seeded(1, 0));
        for _ in 0..6000 {
            assert!(draw(&legal, &mut joint, &mut rng));
            drawn[all.iter().position(|one| *one == joint).expect("one of them")] += 1;
        }
        assert!(drawn.iter().all(|&count| (850..1150).contains(&count)), "{drawn:?}");
    }

    #[test]
    fn where_a_role_is_stuck_there_is_none() {
        for legal in [vec![vec![1], vec![]], vec![]] {
            let mut joint = vec![7];
            assert!(!JointMoves::of(&legal).next(&mut joint) && joint.is_empty());
            assert!(!draw(&legal, &mut joint, &mut seeded(1, 0)) && joint.is_empty());
        }
    }
}
