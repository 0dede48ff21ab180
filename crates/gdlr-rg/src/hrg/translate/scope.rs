//! What names stand for within a graph.

use crate::hrg::ast::Graph;
use crate::hrg::value::Value;
use crate::rg::Name;

/// A copy of a graph that is being expanded.
pub(super) struct Frame<'g> {
    pub graph: &'g Graph,
    /// By parameter: what it is.
    pub parameters: Vec<Parameter>,
    /// What `branch x in` and `repeat x in` call their values, the innermost last.
    pub locals: Vec<(Name, Value)>,
    /// Where `end()` goes.
    pub end: Name,
    /// Where `return()` goes.
    pub back: Name,
}

/// What a parameter is in a copy of its graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Parameter {
    /// A value or the name of a function, which is put in its place.
    Known(Value),
    /// The variable that holds it.
    Stored(Name),
}

/// Where `break()` and `continue()` go.
#[derive(Clone, Copy)]
pub(super) struct LoopExits {
    pub break_: Name,
    pub continue_: Name,
}

/// What a name stands for.
pub(super) enum Meaning {
    Known(Value),
    Function(Name),
    Variable(Name),
}
