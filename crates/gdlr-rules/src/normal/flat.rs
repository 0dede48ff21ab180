//! Rules over flat rows.

use super::encoding::Encoding;
use crate::gdl::{RelationName, Symbol, Variable};
use gdlr_text::diagnostic::Span;

/// The number of a flat relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

impl RelationId {
    /// The place of the relation in [`Normal::relations`](super::Normal::relations).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sentences that a flat relation stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationKind {
    /// The facts of a state with one function: what `true` of them says.
    Base(Fluent),
    /// The same facts in the next state.
    Next(Fluent),
    /// The same facts in the initial state.
    Init(Fluent),
    /// The joint move: a row is a role and its move.
    Does,
    /// Any other relation, `legal`, `goal`, `terminal` and `role` included.
    View(RelationName),
}

/// The facts of a state that share a base relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fluent {
    /// All facts that are constants.
    Constants,
    /// The facts with this function and number of arguments.
    Function(Symbol, u16),
}

/// A relation over flat rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The sentences that it stands for.
    pub kind: RelationKind,
    /// How each argument is laid out. A base relation has the arguments of its function.
    pub args: Vec<Encoding>,
    /// The number of columns: the sum of the arguments' widths.
    pub width: usize,
}

/// One column of a flat atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlatTerm {
    /// This symbol.
    Constant(Symbol),
    /// A variable, numbered within its rule.
    Variable(Variable),
}

/// A flat relation applied to columns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlatAtom {
    /// The relation.
    pub relation: RelationId,
    /// Its columns.
    pub args: Vec<FlatTerm>,
}

/// A condition of a flat rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlatLiteral {
    /// The atom holds.
    Positive(FlatAtom),
    /// The atom holds for no value of the variables that nothing else binds.
    Negative(FlatAtom),
    /// At least one of the pairs differs.
    Distinct(Vec<(FlatTerm, FlatTerm)>),
    /// Every pair is equal.
    Same(Vec<(FlatTerm, FlatTerm)>),
    /// All conditions of at least one branch hold. Binds nothing.
    Any(Vec<Vec<FlatLiteral>>),
}

/// A rule over flat rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatRule {
    /// The head.
    pub head: FlatAtom,
    /// The body.
    pub body: Vec<FlatLiteral>,
    /// How many variables there are.
    pub variables: u16,
    /// The rule of the rulesheet that it comes from.
    pub source: Span,
}

/// A base relation with its relations for the next and the initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FluentRelations {
    /// Which facts.
    pub fluent: Fluent,
    /// In the current state.
    pub base: RelationId,
    /// In the next state.
    pub next: RelationId,
    /// In the initial state.
    pub init: RelationId,
}
