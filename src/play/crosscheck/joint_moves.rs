//! The joint moves of a state: all of them, or one at random.

use super::events::Joint;
use crate::gdl::Term;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// All joint moves of a state, one after the other. The last role's move changes fastest.
pub(super) struct JointMoves<'l> {
    legal: &'l [Vec<Term>],
    /// By role: which of its moves is next; empty when there is none.
    next: Vec<usize>,
}

impl<'l> JointMoves<'l> {
    pub fn of(legal: &'l [Vec<Term>]) -> Self {
        let stuck = legal.iter().any(Vec::is_empty);
        JointMoves { legal, next: if stuck { Vec::new() } else { vec![0; legal.len()] } }
    }

    pub fn next(&mut self) -> Option<Joint> {
        if self.next.is_empty() {
            return None;
        }
        let joint = self.legal.iter().zip(&self.next).map(|(moves, &at)| moves[at].clone());
        let joint = joint.collect();
        let more = |&role: &usize| self.next[role] + 1 < self.legal[role].len();
        match (0..self.legal.len()).rev().find(more) {
            Some(role) => {
                self.next[role] += 1;
                self.next[role + 1..].fill(0);
            }
            None => self.next.clear(),
        }
        Some(joint)
    }
}

/// Draws a joint move, each with the same chance; `None` if a role has no move.
pub(super) fn draw(legal: &[Vec<Term>], rng: &mut Xoshiro256PlusPlus) -> Option<Joint> {
    let mut drawn = |moves: &Vec<Term>| match moves.len() {
        0 => None,
        count => Some(moves[rng.random_range(0..count)].clone()),
    };
    // A game without roles has no move to play.
    let joint: Option<Joint> = legal.iter().map(&mut drawn).collect();
    joint.filter(|joint| !joint.is_empty())
}
