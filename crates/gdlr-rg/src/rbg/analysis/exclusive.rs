//! Edges that exclude each other, by the tests that they begin with.

use crate::rbg::ast::{Arithmetic, Comparison, PieceId};
use crate::rbg::program::{Act, Edge, Program};
use crate::rbg::relation::{Bits, Kind};

/// The conditions at the beginning of an edge.
enum Condition<'a> {
    On(&'a [PieceId]),
    Squares(Bits),
    Compare(&'a Arithmetic, Comparison, &'a Arithmetic),
    Pattern(bool, usize),
}

/// Whether at most one of two edges is valid in any state, or both have the same effect.
pub fn are_exclusive(program: &Program, left: &Edge, right: &Edge) -> bool {
    let test = |edge: &Edge| match &edge.act {
        Act::On(_) | Act::Compare(..) | Act::Pattern { .. } => true,
        Act::Move(id) => matches!(program.relations[id.0 as usize].kind(), Kind::Test(_)),
        _ => false,
    };
    if left.to == right.to && test(left) && test(right) {
        return true;
    }
    let [left, right] = [left, right].map(|edge| conditions(program, edge));
    left.iter().any(|one| right.iter().any(|other| contradict(one, other)))
}

/// The greatest number of conditions of a walk that are looked at.
const LOOKED_AT: usize = 8;

/// Whether at most one of two edges is valid in any state, also if they are tried on different
/// squares.
pub(super) fn are_exclusive_anywhere(
    program: &Program,
    live: &[bool],
    left: &Edge,
    right: &Edge,
) -> bool {
    let elsewhere = |condition: &Condition<'_>| match condition {
        Condition::On(_) | Condition::Squares(_) => false,
        Condition::Compare(..) => true,
        Condition::Pattern(_, pattern) => !live[program.patterns[*pattern].start as usize],
    };
    let [left, right] = [left, right].map(|edge| conditions(program, edge));
    left.iter()
        .filter(|one| elsewhere(one))
        .any(|one| right.iter().any(|other| contradict(one, other)))
}

fn conditions<'a>(program: &'a Program, mut edge: &'a Edge) -> Vec<Condition<'a>> {
    let mut conditions = Vec::new();
    for _ in 0..LOOKED_AT {
        match &edge.act {
            Act::Skip | Act::Remember | Act::Count(_) => {}
            Act::On(pieces) => conditions.push(Condition::On(pieces)),
            Act::Compare(left, comparison, right) => {
                conditions.push(Condition::Compare(left, *comparison, right));
            }
            Act::Pattern { negated, pattern } => {
                conditions.push(Condition::Pattern(*negated, *pattern));
            }
            Act::Move(id) => {
                let relation = &program.relations[id.0 as usize];
                conditions.push(Condition::Squares(relation.domain()));
                if !matches!(relation.kind(), Kind::Test(_) | Kind::Identity) {
                    break;
                }
            }
            Act::Off(_) | Act::Assign(..) | Act::Switch(_) | Act::Return => break,
        }
        let mut next = program.leaving(edge.to);
        match (next.next(), next.next()) {
            (Some((_, only)), None) => edge = only,
            _ => break,
        }
    }
    conditions
}

fn contradict(left: &Condition<'_>, right: &Condition<'_>) -> bool {
    match (left, right) {
        (Condition::On(left), Condition::On(right)) => !left.iter().any(|it| right.contains(it)),
        (Condition::Squares(left), Condition::Squares(right)) => left.is_disjoint(right),
        (Condition::Pattern(left, one), Condition::Pattern(right, other)) => {
            one == other && left != right
        }
        (Condition::Compare(a, one, b), Condition::Compare(c, other, d)) => {
            if let (Arithmetic::Number(first), Arithmetic::Number(second)) = (b, d)
                && a == c
            {
                let values = [first - 1, *first, first + 1, second - 1, *second, second + 1];
                return !values
                    .iter()
                    .any(|it| one.holds(*it, *first) && other.holds(*it, *second));
            }
            let pairs = [(0, 1), (0, 0), (1, 0)];
            a == c && b == d && !pairs.iter().any(|(l, r)| one.holds(*l, *r) && other.holds(*l, *r))
        }
        _ => false,
    }
}
