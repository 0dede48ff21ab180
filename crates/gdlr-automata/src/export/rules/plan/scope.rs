//! What is known where something is planned.

use super::assured::Made;
use super::unique::Found;
use crate::export::rules::build::{Operand, Register};
use hashbrown::HashSet;
use std::rc::Rc;

/// What is known where something is planned.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// The mode of the turn.
    pub mode: Option<usize>,
    /// The moves that have been chosen, as rows of `does`, and a number for them.
    pub moves: Option<(u32, Rc<Vec<Vec<Operand>>>)>,
    /// Which of a role's moves these may be, if it alone chose.
    pub made: Option<Made>,
    /// What the walk of the move has found, which nothing else can be.
    pub found: Rc<Found>,
}

impl Scope {
    /// The registers that hold the moves, and what these have found.
    pub fn registers(&self) -> HashSet<Register> {
        let rows = self.moves.iter().flat_map(|(_, rows)| rows.iter().flatten());
        let rows = rows.chain(self.found.iter().flat_map(|row| row.operands()));
        rows.filter_map(|operand| operand.register()).collect()
    }
}
