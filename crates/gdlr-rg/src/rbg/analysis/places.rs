//! The squares that may be the current one, by data flow from the first square.

use crate::rbg::program::{Act, Node, Program};
use crate::rbg::relation::Bits;

/// By node: the squares that may be the current one, by the steps along the board alone.
pub(super) fn places(program: &Program) -> Vec<Bits> {
    let mut places = vec![Bits::new(program.squares); program.nodes];
    places[program.start as usize].insert(0);
    // The squares to which jumps lead.
    let mut remembered = Bits::new(program.squares);
    let mut open: Vec<Node> = vec![program.start];
    while let Some(node) = open.pop() {
        for (_, edge) in program.leaving(node) {
            let before = &places[node as usize];
            let behind = match &edge.act {
                Act::Move(id) => program.relations[id.0 as usize].image(before),
                Act::Return => remembered.clone(),
                _ => before.clone(),
            };
            if edge.act == Act::Remember && remembered.unite(before) {
                let jumps = program.edges.iter().filter(|edge| edge.act == Act::Return);
                open.extend(jumps.map(|edge| edge.from));
            }
            if let Act::Pattern { pattern, .. } = edge.act {
                let start = program.patterns[pattern].start;
                if places[start as usize].unite(&behind) {
                    open.push(start);
                }
            }
            if places[edge.to as usize].unite(&behind) {
                open.push(edge.to);
            }
        }
    }
    places
}
