//! Writes: assignments to variables of the state that a move makes, with their loops and conditions.

use super::search::Source;
use crate::export::program::{Body, Statement};
use crate::export::rules::analysis::SetId;
use crate::export::rules::build::{Operand, Register};
use gdlr_rg::rg::Expr;
use gdlr_rules::normal::RelationId;
use hashbrown::HashSet;
use std::rc::Rc;

/// A loop around a write.
#[derive(Clone, Debug)]
pub(super) enum Loop {
    /// A loop through the values of a register.
    Values(Register, SetId),
    /// The statements that lead to the first row, and from each row to the next one.
    Chain(Body, Body),
}

/// An assignment to a variable of the state, made if conditions hold.
#[derive(Clone, Debug)]
pub(super) struct Write {
    pub base: RelationId,
    /// The loops, from the outermost to the innermost.
    pub loops: Vec<Loop>,
    pub ops: Body,
    /// The keys of the entry. `None` for the whole variable.
    pub keys: Option<Vec<Expr>>,
    pub value: Expr,
    /// The value that is written if the conditions do not hold. `None` if nothing is written then.
    pub otherwise: Option<Expr>,
    pub clears: bool,
    pub reads: HashSet<RelationId>,
    /// By column: the operand that is written. Empty if the write clears.
    pub row: Vec<Operand>,
    /// Registers that are set with the write, so that later tests know which fact was written.
    pub tells: Vec<(Register, Operand)>,
    /// Whether the loop is a search: the write happens once at most.
    pub finds: bool,
    /// The writes, one of which happens at most, for states in which the conditions do not hold.
    pub instead: Vec<Write>,
    /// The rule and the plan from which the write follows, if it sets facts.
    pub source: Option<Rc<Source>>,
}

impl Write {
    /// A write to the entry with these keys, without conditions.
    pub fn new(
        base: RelationId,
        keys: Vec<Expr>,
        value: Expr,
        reads: HashSet<RelationId>,
    ) -> Write {
        Write {
            base,
            loops: Vec::new(),
            ops: Body::new(),
            keys: Some(keys),
            value,
            otherwise: None,
            clears: false,
            reads,
            row: Vec::new(),
            tells: Vec::new(),
            finds: false,
            instead: Vec::new(),
            source: None,
        }
    }

    /// Whether the write has no conditions.
    pub fn is_certain(&self) -> bool {
        self.ops.iter().all(|op| matches!(op, Statement::Do(_)))
    }
}
