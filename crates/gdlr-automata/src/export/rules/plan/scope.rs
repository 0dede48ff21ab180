//! What is known where something is planned.

use super::assured::Made;
use super::unique::Found;
use crate::export::rules::Stop;
use crate::export::rules::build::{Operand, Register};
use hashbrown::HashSet;
use std::rc::Rc;

/// How deep relations may ask for others: each level is one on the machine's stack.
const DEEPEST: usize = 128;

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

/// Where conditions are asked. It is handed down as an argument.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    pub scope: Rc<Scope>,
    /// How many lists of conditions ask for this one.
    depth: usize,
}

impl Context {
    /// A context that no other one asks for.
    pub fn of(scope: &Rc<Scope>) -> Context {
        Context { scope: scope.clone(), depth: 0 }
    }

    /// The same as deep in another scope.
    pub fn within(&self, scope: Rc<Scope>) -> Context {
        Context { scope, depth: self.depth }
    }

    /// The context of a list of conditions that is asked for here.
    ///
    /// # Errors
    ///
    /// When relations ask for others too deeply.
    pub fn deeper(&self) -> Result<Context, Stop> {
        match self.depth < DEEPEST {
            true => Ok(Context { scope: self.scope.clone(), depth: self.depth + 1 }),
            false => Err(Stop::unsuited("relations that ask for others too deeply")),
        }
    }
}
