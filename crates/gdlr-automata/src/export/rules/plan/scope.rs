//! The facts that are known at the place for which statements are planned.

use super::preconditions::Candidates;
use super::unique::OnlyRows;
use crate::export::rules::Stop;
use crate::export::rules::build::{Operand, Register};
use hashbrown::HashSet;
use std::rc::Rc;

/// How deep relations may ask for others: each level is one on the machine's stack.
const DEEPEST: usize = 128;

/// The facts that are known at one place of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// The mode of the turn.
    pub mode: Option<usize>,
    /// The chosen moves, one row of `does` for each role, with a number that identifies them.
    pub moves: Option<(u32, Rc<Vec<Vec<Operand>>>)>,
    /// The moves of which one was made, if one role alone had a choice.
    pub candidates: Option<Candidates>,
    /// The rows that the walk of the move has found. Each is the only row that answers its
    /// condition.
    pub only_rows: Rc<OnlyRows>,
}

impl Scope {
    /// The registers that hold the chosen moves, and the rows that their walk has found.
    pub fn registers(&self) -> HashSet<Register> {
        let rows = self.moves.iter().flat_map(|(_, rows)| rows.iter().flatten());
        let rows = rows.chain(self.only_rows.iter().flat_map(|row| row.operands()));
        rows.filter_map(|operand| operand.register()).collect()
    }
}

/// The place where conditions are asked: its scope, and how deep relations ask for others there.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    pub scope: Rc<Scope>,
    /// The number of lists of conditions, one within the other, that ask for this list.
    depth: usize,
}

impl Context {
    /// A context that no other one asks for.
    pub fn of(scope: &Rc<Scope>) -> Context {
        Context { scope: scope.clone(), depth: 0 }
    }

    /// A context of the same depth in another scope.
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
