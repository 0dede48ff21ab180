//! The logic road: OR and AND resolution trees (FI, V to VII).
//!
//! A [`Tree`] proves the relations that play needs (`legal`, `terminal`, `goal` and `next`,
//! the last one base relation by base relation) from the facts of a state. The parts, each
//! in its file:
//!
//! * [`row_set`], [`index`], [`table`]: rows of symbols in one block, hashed on the columns
//!   that queries ask for (V, VII.A).
//! * [`plan`], [`build`], [`order`]: the trees, built from the normal form; the order of a
//!   rule's conditions.
//! * [`scratch`], [`prove`]: the tables that change, and how nodes fill them (algorithms 2
//!   and 3; VI.B to VI.D); [`recurrence`]: relations that depend on themselves (VI.E).
//! * [`set_up`]: static relations, the initial state, sample play; [`tuning`]: which
//!   relations are asked through filters (VI.D, VII.C), and where costly rules begin.
//! * [`engine`]: the [`crate::engine::Engine`]; [`print`]: the trees as text and pictures.
//!
//! What differs from FI, and why:
//!
//! * Conditions that ask the same share a node, so that a result is computed once a state
//!   for `legal`, `terminal`, `goal` and `next` together; FI proves it once a condition.
//! * Recursion is not unrolled node by node but brought to its least fixpoint, so that it
//!   ends on cyclic data whatever the filters do.
//! * A filter is the set of rows that a node has been asked for, joined before the node's
//!   conditions instead of after each, which asks for no row that is not needed.
//! * Filters that do not pay are removed at set-up, by work counted in sample play, and not
//!   by counting rows for the first 200 visits: a [`Tree`] never changes while it plays.

mod build;
mod engine;
mod index;
mod moves;
mod order;
mod plan;
mod print;
mod prove;
mod recurrence;
mod row_set;
mod scratch;
mod set_up;
mod state;
mod table;
mod tuning;

pub use scratch::Scratch;
pub use state::State;

use crate::diagnostic::Diagnostic;
use crate::engine::Roles;
use crate::gdl::Game;
use crate::normal::Normal;
use moves::Moves;
use plan::Plan;
use std::sync::Arc;
use table::Table;

/// Switches for the optimisations of FI, all on by default. Turning one off never changes a
/// result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// Pass what a rule knows on to the relations that it asks (FI, VI.D). Relations that
    /// are too large to compute whole have a filter all the same.
    pub filters: bool,
    /// Hash rows on the columns asked for (FI, VII.A).
    pub hashing: bool,
    /// Remove filters that do not pay (FI, VII.C).
    pub filter_removal: bool,
    /// Remove relations that only rename another (FI, VII.B).
    pub redundant_removal: bool,
}

impl Default for TreeOptions {
    fn default() -> Self {
        TreeOptions { filters: true, hashing: true, filter_removal: true, redundant_removal: true }
    }
}

/// A game compiled to resolution trees. Immutable; share it between threads by reference.
#[derive(Debug)]
pub struct Tree {
    normal: Normal,
    plan: Plan,
    /// The relations that never change.
    statics: Vec<Arc<Table>>,
    initial: State,
    roots: Roots,
    role_names: Roles,
    moves: Moves,
    /// By role: the columns that stand for it in `legal` and in `goal`.
    roles: Vec<RoleRows>,
    /// By symbol: its value as a goal.
    goal_values: Vec<Option<u8>>,
    figures: Vec<(&'static str, usize)>,
}

/// The nodes that play asks.
#[derive(Clone, Debug)]
struct Roots {
    legal: plan::OrId,
    terminal: plan::OrId,
    goal: plan::OrId,
    /// By base relation.
    next: Vec<plan::OrId>,
}

#[derive(Clone, Debug)]
struct RoleRows {
    /// `None` if the role never has a legal move.
    legal: Option<Box<[crate::gdl::Symbol]>>,
    /// `None` if the role never has a goal value.
    goal: Option<Box<[crate::gdl::Symbol]>>,
}

impl Tree {
    /// Compiles a game.
    ///
    /// Set-up takes milliseconds for most games; it grows with the rules and with the work
    /// of a state, of which a fixed amount is sampled.
    ///
    /// # Errors
    ///
    /// A diagnostic when the rules are unsafe, not stratified or unbounded, so that there is
    /// nothing to play; see [`Normal::new`].
    pub fn new(game: impl Into<Arc<Game>>, options: &TreeOptions) -> Result<Tree, Diagnostic> {
        set_up::set_up(game.into(), options)
    }

    /// The rules in normal form.
    pub fn normal(&self) -> &Normal {
        &self.normal
    }

    /// How many there are of what the trees are made of, in the order to show them.
    pub fn figures(&self) -> &[(&'static str, usize)] {
        &self.figures
    }
}
