//! Nodes from which a switch can be reached in every state: there, no test is needed.

use super::places::places;
use crate::rbg::ast::{Arithmetic, Comparison, Game, Operator};
use crate::rbg::loops::goes_round;
use crate::rbg::program::{Act, Edge, Node, Program};
use crate::rbg::relation::Bits;
use crate::rbg::simulation::Simulation;
use std::collections::BTreeSet;

/// The greatest number of values of a variable that are looked at one by one.
const MOST_VALUES: u32 = 1024;

/// Whether an action is valid in every state, if the current square is one of `places`.
fn is_certain(game: &Game, program: &Program, places: &Bits, act: &Act) -> bool {
    match act {
        Act::Skip | Act::Off(_) | Act::Switch(_) | Act::Remember | Act::Return | Act::Count(_) => {
            true
        }
        Act::Move(id) => places.is_subset(&program.relations[id.0 as usize].domain()),
        Act::On(pieces) => pieces.len() == game.pieces.len(),
        Act::Assign(variable, Arithmetic::Number(value)) => {
            (0..=i64::from(game.variables[variable.index()].bound)).contains(value)
        }
        Act::Compare(Arithmetic::Number(left), comparison, Arithmetic::Number(right)) => {
            comparison.holds(*left, *right)
        }
        Act::Assign(..) | Act::Compare(..) | Act::Pattern { .. } => false,
    }
}

/// By node: whether a switch can be reached in every state.
pub fn sure(game: &Game, program: &Program) -> Vec<bool> {
    let ends_of_loops = ends_of_loops(program);
    let places = places(program);
    let mut sure = vec![false; program.nodes];
    loop {
        let mut changed = false;
        for node in (0..program.nodes).rev() {
            if sure[node] {
                continue;
            }
            let (numbers, good): (Vec<usize>, Vec<&Edge>) = program
                .leaving(node as Node)
                .filter(|(_, edge)| matches!(edge.act, Act::Switch(_)) || sure[edge.to as usize])
                .unzip();
            let ends_a_loop = numbers.iter().any(|number| ends_of_loops.contains(number));
            if ends_a_loop
                || covers(game, program, &places[node], &good)
                || good.iter().any(|edge| goes_on_otherwise(program, edge, &sure))
            {
                sure[node] = true;
                changed = true;
            }
        }
        if !changed {
            return sure;
        }
    }
}

/// The edges that leave the beginning of a loop and say that the loop cannot go on.
fn ends_of_loops(program: &Program) -> BTreeSet<usize> {
    let ends = program.edges.iter().enumerate().filter(|(_, edge)| match edge.act {
        Act::Pattern { negated: true, pattern } => {
            goes_round(program, edge.from, program.patterns[pattern])
        }
        _ => false,
    });
    ends.map(|(number, _)| number).collect()
}

/// Whether an edge tests that a pattern does not hold, and other edges of its node lead to a switch
/// if the pattern holds.
fn goes_on_otherwise(program: &Program, edge: &Edge, sure: &[bool]) -> bool {
    let Act::Pattern { negated: true, pattern } = edge.act else { return false };
    let may_end = |node: Node, _| sure[node as usize];
    Simulation::new(program, &|_| true, &may_end).goes_along(program.patterns[pattern], edge.from)
}

/// Whether at least one of several edges is valid in every state.
fn covers(game: &Game, program: &Program, places: &Bits, edges: &[&Edge]) -> bool {
    if edges.iter().any(|edge| is_certain(game, program, places, &edge.act)) {
        return true;
    }
    let mut pieces = vec![false; game.pieces.len()];
    let mut squares = Bits::new(program.squares);
    for (number, edge) in edges.iter().enumerate() {
        match &edge.act {
            Act::On(on) => on.iter().for_each(|piece| pieces[piece.index()] = true),
            Act::Move(id) => {
                squares.unite(&program.relations[id.0 as usize].domain());
            }
            Act::Compare(left, _, right) if !divides(left) && !divides(right) => {
                if always_compares(game, edges, left, right) {
                    return true;
                }
            }
            act => {
                if edges[..number].iter().any(|other| complete(act, &other.act)) {
                    return true;
                }
            }
        }
    }
    pieces.iter().all(|covered| *covered) || places.is_subset(&squares)
}

/// Whether at least one of several comparisons of an expression always holds: with one other
/// expression, or, of a variable, with numbers.
fn always_compares(game: &Game, edges: &[&Edge], left: &Arithmetic, right: &Arithmetic) -> bool {
    let of_left = edges.iter().filter_map(|edge| match &edge.act {
        Act::Compare(other, comparison, right) if other == left => Some((*comparison, right)),
        _ => None,
    });
    let of_left: Vec<(Comparison, &Arithmetic)> = of_left.collect();
    let holds = |(l, r): &(i64, i64)| {
        of_left.iter().any(|(comparison, other)| *other == right && comparison.holds(*l, *r))
    };
    if [(0, 1), (0, 0), (1, 0)].iter().all(holds) {
        return true;
    }
    let most = match left {
        Arithmetic::Variable(variable) => game.variables[variable.index()].bound,
        Arithmetic::Count(_) => game.board.squares.len() as u32,
        _ => return false,
    };
    let holds_of = |value: u32| {
        of_left.iter().any(|(comparison, other)| match other {
            Arithmetic::Number(number) => comparison.holds(i64::from(value), *number),
            _ => false,
        })
    };
    most <= MOST_VALUES && (0..=most).all(holds_of)
}

/// Whether at least one of two patterns always holds.
fn complete(left: &Act, right: &Act) -> bool {
    match (left, right) {
        (
            Act::Pattern { negated, pattern },
            Act::Pattern { negated: other, pattern: other_pattern },
        ) => pattern == other_pattern && negated != other,
        _ => false,
    }
}

/// Whether an expression may have no value.
fn divides(value: &Arithmetic) -> bool {
    match value {
        Arithmetic::Binary(left, operator, right) => {
            *operator == Operator::Divide || divides(left) || divides(right)
        }
        _ => false,
    }
}
