//! Which variables every walk assigns to before the move ends: what they are now is not part of
//! the state that the move leads to.

use super::patricia::Patricia;
use super::{Analysis, Direction};
use crate::rg::optimise::program::{Edge, EdgeId, Node, Program};

/// The variables that are assigned to altogether on every way to the end of the move. Of a node
/// without such a way nothing is known, since nothing comes of what is done there.
#[derive(Debug, Default)]
pub struct SettledVariables;

impl Analysis for SettledVariables {
    type Knowledge = Patricia<()>;

    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&mut self, program: &Program, node: Node) -> Option<Patricia<()>> {
        let ends = program.edges_from(node).any(|edge| program.ends_move(edge.label));
        ends.then(Patricia::default)
    }

    fn transfer(
        &mut self,
        program: &Program,
        _: EdgeId,
        edge: Edge,
        after: &Patricia<()>,
    ) -> Option<Patricia<()>> {
        if program.ends_move(edge.label) {
            return None;
        }
        let mut before = after.clone();
        if let Some(variable) = program.overwritten(edge.label) {
            before.insert(variable.index() as u32, ());
        }
        Some(before)
    }

    fn check(&mut self, _: &Patricia<()>) -> Option<Patricia<()>> {
        None
    }

    fn join(&mut self, one: &Patricia<()>, other: &Patricia<()>) -> Patricia<()> {
        one.intersection(other, &mut |(), ()| Some(()))
    }
}
