//! The meanings of names in a graph.

use crate::hrg::ast::Graph;
use crate::hrg::value::Value;
use crate::rg::Name;

/// A copy of a graph that is being expanded.
pub(super) struct Frame<'g> {
    pub graph: &'g Graph,
    /// The arguments, by parameter.
    pub parameters: Vec<Parameter>,
    /// The values of the names of `branch x in` and `repeat x in`, the innermost last.
    pub locals: Vec<(Name, Value)>,
    /// The target of `end()`.
    pub end: Name,
    /// The target of `return()`.
    pub back: Name,
}

/// The argument of a parameter in a copy of its graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Parameter {
    /// A value or the name of a function, which replaces the parameter.
    Known(Value),
    /// The variable that holds the argument.
    Stored(Name),
}

/// The targets of `break()` and `continue()`.
#[derive(Clone, Copy)]
pub(super) struct LoopExits {
    pub break_: Name,
    pub continue_: Name,
}

/// The meaning of a name.
pub(super) enum Meaning {
    Known(Value),
    Function(Name),
    Variable(Name),
}
