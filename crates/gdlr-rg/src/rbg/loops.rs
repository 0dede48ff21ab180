//! Loops that end when they cannot go on, like a chain of captures:
//!
//! ```text
//! (dir {opponent} [empty] dir {empty})* {! dir {opponent} dir {empty}}
//! ```
//!
//! A move with such a loop can always be completed. Either the pattern says that the loop cannot go
//! on. Or it can, and comes back to its beginning with one piece of the opponent less.

use super::ast::PieceId;
use super::program::{Act, Edge, Node, Pattern, Program};
use super::simulation::Simulation;
use std::collections::BTreeSet;

/// The greatest number of nodes of a loop that is analysed.
const MOST_NODES: usize = 256;

/// Whether a loop through a node can go round whenever a pattern holds there, but not for ever.
pub(super) fn goes_round(program: &Program, node: Node, pattern: Pattern) -> bool {
    let Some(inside) = nodes_inside(program, node) else { return false };
    let candidate = Loop { program, node, inside };
    let may_take = |edge: &Edge| may_be_inside(edge) && candidate.inside.contains(&edge.to);
    // Each round must change something.
    let may_end = |at: Node, has_changed: bool| at == node && has_changed;
    candidate.removes_pieces()
        && Simulation::new(program, &may_take, &may_end).goes_along(pattern, node)
}

/// Whether a loop may have this edge.
fn may_be_inside(edge: &Edge) -> bool {
    matches!(edge.act, Act::Skip | Act::Move(_) | Act::On(_) | Act::Off(_))
}

/// The nodes on walks from a node back to it; `None` if they are too many.
fn nodes_inside(program: &Program, node: Node) -> Option<BTreeSet<Node>> {
    let mut order = vec![node];
    let mut behind = BTreeSet::from([node]);
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        for (_, edge) in program.leaving(at) {
            if may_be_inside(edge) && behind.insert(edge.to) {
                order.push(edge.to);
            }
        }
        if order.len() > MOST_NODES {
            return None;
        }
    }
    let mut inside = BTreeSet::from([node]);
    loop {
        let before = inside.len();
        for &at in &order {
            let mut onwards = program.leaving(at).filter(|(_, edge)| may_be_inside(edge));
            if onwards.any(|(_, edge)| inside.contains(&edge.to)) {
                inside.insert(at);
            }
        }
        if inside.len() == before {
            return Some(inside);
        }
    }
}

/// A loop from a node back to it.
struct Loop<'p> {
    program: &'p Program,
    node: Node,
    inside: BTreeSet<Node>,
}

impl Loop<'_> {
    /// The edges of the loop that leave one of its nodes.
    fn leaving(&self, node: Node) -> impl Iterator<Item = &Edge> {
        let edges = self.program.leaving(node).map(|(_, edge)| edge);
        edges.filter(|edge| may_be_inside(edge) && self.inside.contains(&edge.to))
    }

    /// Whether each round replaces pieces of some kinds by pieces of other kinds, and never the
    /// other way round.
    fn removes_pieces(&self) -> bool {
        let edges: Vec<&Edge> = self.inside.iter().flat_map(|&node| self.leaving(node)).collect();
        let mut removed: BTreeSet<PieceId> = BTreeSet::new();
        let mut put: BTreeSet<PieceId> = BTreeSet::new();
        for edge in &edges {
            let Act::Off(piece) = &edge.act else { continue };
            put.insert(*piece);
            if edge.from == self.node {
                return false;
            }
            for before in edges.iter().filter(|before| before.to == edge.from) {
                let Act::On(pieces) = &before.act else { return false };
                removed.extend(pieces);
            }
        }
        removed.is_disjoint(&put) && !self.comes_round_unchanged()
    }

    /// Whether the loop contains a cycle without a change.
    fn comes_round_unchanged(&self) -> bool {
        // Nodes from which every walk without a change ends.
        let mut ends: BTreeSet<Node> = BTreeSet::new();
        loop {
            let before = ends.len();
            for &node in &self.inside {
                let mut on = self.leaving(node).filter(|edge| !matches!(edge.act, Act::Off(_)));
                if on.all(|edge| ends.contains(&edge.to)) {
                    ends.insert(node);
                }
            }
            if ends.len() == before {
                return ends.len() < self.inside.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, read};
    use super::*;

    /// Whether the rules have a pattern which says that a loop cannot go on.
    fn ends_a_loop(rules: &str) -> bool {
        let text = format!(
            "#players = w(9) #pieces = e, o, m #variables = #board = rectangle(up, down, left, \
             right, [m, o, e, o, e] [e, e, e, e, e]) #rules = ->w {rules} ->> {{}}"
        );
        let game = read(&text).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let program = Program::new(&game, Limits::default()).expect("a short game");
        program.edges.iter().any(|edge| match edge.act {
            Act::Pattern { negated: true, pattern } => {
                goes_round(&program, edge.from, program.patterns[pattern])
            }
            _ => false,
        })
    }

    #[test]
    fn a_chain_of_captures_goes_on_until_it_cannot() {
        assert!(ends_a_loop("(right {o} [e] right {e})* {! right {o} right {e}} [m]"));
        let two = "right {o} right {e} + down {o} down {e}";
        let both = "right {o} [e] right {e} + down {o} [e] down {e}";
        assert!(ends_a_loop(&format!("({both})* {{! {two}}} [m]")));
        assert!(ends_a_loop(&format!("({both})* {{! right {{o}} right {{e}}}} [m]")));
    }

    #[test]
    fn other_loops_may_stop_where_they_are() {
        // There may be other ways to go on than the loop.
        assert!(!ends_a_loop("(right {o} [e] right {e})* {! right {o}} [m]"));
        assert!(!ends_a_loop("(right {o} [e] right {e})* {! right {o} right {e} + down} [m]"));
        // It may go on for ever.
        assert!(!ends_a_loop("(right {o} [o] right {e})* {! right {o} right {e}} [m]"));
        assert!(!ends_a_loop("(right {o} right {e})* {! right {o} right {e}} [m]"));
        let puts = "(right {o} [e] right {e} [o])* {! right {o} right {e}} [m]";
        assert!(!ends_a_loop(puts));
        // A square that it has changed may be in its way.
        let back = "(right {o} [e] left right {o} [e])* {! right {o} left right {o}} [m]";
        assert!(!ends_a_loop(back));
    }
}
