//! Which variables are read, by a walk that goes on, before they are assigned to again.

use super::patricia::Patricia;
use super::{Analysis, Direction};
use crate::rg::optimise::program::{Edge, EdgeId, Node, Program};

/// The variables that are live. What players and the game manager read (`player`, `goals`,
/// `visible`) is not among what is read here.
#[derive(Debug, Default)]
pub struct LiveVariables;

impl Analysis for LiveVariables {
    type Knowledge = Patricia<()>;

    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&mut self, _: &Program, _: Node) -> Option<Patricia<()>> {
        Some(Patricia::default())
    }

    fn transfer(
        &mut self,
        program: &Program,
        _: EdgeId,
        edge: Edge,
        after: &Patricia<()>,
    ) -> Option<Patricia<()>> {
        let mut before = after.clone();
        if let Some(variable) = program.overwritten(edge.label) {
            before.remove(variable.index() as u32);
        }
        for variable in program.read(edge.label) {
            before.insert(variable.index() as u32, ());
        }
        Some(before)
    }

    fn join(&mut self, one: &Patricia<()>, other: &Patricia<()>) -> Patricia<()> {
        one.union(other, &mut |(), ()| ())
    }
}
