//! Pieces that are counted only after the end of the play.
//!
//! ```text
//! ->> ( {$ w > b} [$ white = 100] + {$ w < b} [$ black = 100] ) ->> {}
//! ```
//!
//! A piece that expressions count has a counter, which each change of the board updates. If all
//! uses of the count come after the last turn of a player, the board is counted there instead. That
//! is once a play, and states need no counter.

use super::analysis::is_impossible;
use super::ast::{Arithmetic, PieceId};
use super::program::{Act, Edge, Node, Program};
use std::collections::BTreeSet;

/// Replaces counters by a late count before the expressions that use it. Edges keep their numbers.
pub(super) fn count_late(program: &mut Program) {
    let goes_on = goes_on(program);
    let (mut late, mut others) = (BTreeSet::new(), BTreeSet::new());
    for edge in &program.edges {
        let pieces = if goes_on[edge.from as usize] { &mut others } else { &mut late };
        pieces.extend(counted(&edge.act));
    }
    late.retain(|piece| !others.contains(piece));
    for node in 0..program.nodes as Node {
        let late_here = program.leaving(node).flat_map(|(_, edge)| counted(&edge.act));
        let late_here: BTreeSet<PieceId> = late_here.filter(|piece| late.contains(piece)).collect();
        let place = program.leaving(node).next().map(|(_, edge)| edge.place).unwrap_or_default();
        let mut from = node;
        let leaving = std::mem::take(&mut program.leaving[node as usize]);
        for piece in late_here {
            let to = program.add_node();
            program.add_edge(Edge { from, to, act: Act::Count(piece), place });
            from = to;
        }
        leaving.iter().for_each(|&number| program.edges[number].from = from);
        program.leaving[from as usize].extend(leaving);
    }
}

/// By node: whether a player may have a turn after it. Patterns are tested during play.
fn goes_on(program: &Program) -> Vec<bool> {
    let mut goes_on = vec![false; program.nodes];
    let mut open: Vec<Node> = program.patterns.iter().map(|pattern| pattern.start).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut goes_on[node as usize], true) {
            open.extend(program.leaving(node).map(|(_, edge)| edge.to));
        }
    }
    loop {
        let mut changed = false;
        for edge in program.edges.iter().rev().filter(|edge| !is_impossible(&edge.act)) {
            let is_move = matches!(edge.act, Act::Switch(Some(_)));
            if (is_move || goes_on[edge.to as usize]) && !goes_on[edge.from as usize] {
                goes_on[edge.from as usize] = true;
                changed = true;
            }
        }
        if !changed {
            return goes_on;
        }
    }
}

/// The pieces that an action counts.
pub(super) fn counted(act: &Act) -> BTreeSet<PieceId> {
    let mut pieces = BTreeSet::new();
    match act {
        Act::Assign(_, value) => count(value, &mut pieces),
        Act::Compare(left, _, right) => {
            count(left, &mut pieces);
            count(right, &mut pieces);
        }
        _ => {}
    }
    pieces
}

fn count(value: &Arithmetic, pieces: &mut BTreeSet<PieceId>) {
    match value {
        Arithmetic::Number(_) | Arithmetic::Variable(_) => {}
        Arithmetic::Count(piece) => drop(pieces.insert(*piece)),
        Arithmetic::Binary(left, _, right) => {
            count(left, pieces);
            count(right, pieces);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, read};
    use super::*;

    /// The pieces that are counted late, by name.
    fn late(rules: &str) -> Vec<String> {
        let text = format!(
            "#players = w(9) #pieces = e, o, m #variables = v(9) #board = rectangle(up, down, left, \
             right, [m, o, e]) #rules = {rules}"
        );
        let game = read(&text).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let mut program = Program::new(&game, Limits::default()).expect("a short game");
        count_late(&mut program);
        let counted = program.edges.iter().filter_map(|edge| match edge.act {
            Act::Count(piece) => Some(game.pieces[piece.index()].to_string()),
            _ => None,
        });
        counted.collect()
    }

    #[test]
    fn scores_at_the_end_are_counted_late() {
        let ends = "->w {e} [o] ->> ({$ o > m} [$ w = 9] + {$ o <= m} [$ w = m]) ->> {}";
        assert_eq!(late(ends), ["o", "m", "m"]);
        // No player returns from `{}`.
        assert_eq!(late(&format!("({ends})*")), ["o", "m", "m"]);
    }

    #[test]
    fn pieces_that_are_asked_for_in_play_have_counters() {
        assert_eq!(late("->w {e} [o] ->> {$ o < 3} ->w {m} [e] ->> [$ w = m] ->> {}"), ["m"]);
        assert!(late("(->w {e} [o] ->> {$ o < 3})*").is_empty());
        assert!(late("->w {e} [o] ->> {? {$ o < 3}} [$ w = o] ->> {}").is_empty());
    }
}
