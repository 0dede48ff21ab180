//! The syntax tree of a game: domains, functions, variables, graphs, each with its place in the
//! text.
//!
//! Names, types and places are those of [`rg`](crate::rg). A game becomes an automaton with the
//! same names, so an error in the automaton has its place in the game.
//!
//! Chains are lists and not deep trees: `a + b + c`, `a && b && c`, `else if`, `f(a)[b](c)`.
//! [`MAX_DEPTH`](super::MAX_DEPTH) bounds the nesting of all that is read from a text.

use crate::rg::{Ident, Name, Names, Place, Type};

/// A game: the declarations of a file, each kind in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The names that all fields below use.
    pub names: Names,
    /// `domain D = …`
    pub domains: Vec<Domain>,
    /// `f : A -> B` with its cases.
    pub functions: Vec<Function>,
    /// `v : T = …`
    pub variables: Vec<Variable>,
    /// `graph g() { … }`
    pub graphs: Vec<Graph>,
}

/// A set of values with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The name.
    pub name: Ident,
    /// The elements, in order.
    pub elements: Vec<Element>,
    /// The whole declaration.
    pub place: Place,
}

/// An element of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A symbol, or all values of the domain of this name.
    Name(Ident),
    /// `P(I, J, a) where I in 0..2, J in { b, c }`: a value for each combination of values of its
    /// variables.
    Generator(Generator),
}

/// A generator of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    /// The constructor of the values.
    pub constructor: Ident,
    /// Variables and symbols.
    pub arguments: Vec<Ident>,
    /// The values of the variables.
    pub ranges: Vec<Range>,
    /// The whole element.
    pub place: Place,
}

/// The values of a variable: `I in 0..2` or `I in { a, b }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The variable.
    pub variable: Ident,
    /// Its values.
    pub values: RangeValues,
    /// The whole range.
    pub place: Place,
}

/// The values after `in`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeValues {
    /// `first..last`, with both numbers.
    Numbers {
        /// The least number.
        first: i64,
        /// The greatest number.
        last: i64,
    },
    /// `{ a, b }`
    Symbols(Vec<Ident>),
}

/// A function, by its cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: Ident,
    /// The domains of its arguments, and of its values.
    pub type_: Type,
    /// The cases, at least one; the first case that matches gives the value.
    pub cases: Vec<Case>,
    /// The whole declaration.
    pub place: Place,
}

/// `f(P(X, _), a) = …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The patterns of the arguments.
    pub patterns: Vec<Pattern>,
    /// The value.
    pub body: Expr,
    /// The whole case.
    pub place: Place,
}

/// A pattern of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `_`: any value.
    Any(Place),
    /// A variable, which matches any value, if the name begins with an upper-case letter; otherwise
    /// a symbol.
    Name(Ident),
    /// `P(X, _)`: a value of a constructor.
    Constructor {
        /// The constructor.
        constructor: Ident,
        /// The patterns of its arguments.
        arguments: Vec<Pattern>,
        /// The whole pattern.
        place: Place,
    },
}

impl Pattern {
    /// The place of the pattern.
    pub fn place(&self) -> Place {
        match self {
            Pattern::Any(place) | Pattern::Constructor { place, .. } => *place,
            Pattern::Name(name) => name.place,
        }
    }
}

/// A variable, which is a part of the state of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: Ident,
    /// The type of its values.
    pub type_: Type,
    /// The initial value; if there is none, it is the first value of the type.
    pub initial: Option<Expr>,
    /// The whole declaration.
    pub place: Place,
}

/// A graph, which is a part of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Whether its calls share one copy in the automaton.
    pub reusable: bool,
    /// The name.
    pub name: Ident,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The statements.
    pub body: Vec<Statement>,
    /// The whole declaration.
    pub place: Place,
}

/// A parameter of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name.
    pub name: Ident,
    /// The type of the arguments.
    pub type_: Type,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The action.
    pub action: Action,
    /// The whole statement.
    pub place: Place,
}

/// The action of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `v[k] = e`
    Assign {
        /// The variable.
        target: Ident,
        /// The keys of its maps.
        keys: Vec<Expr>,
        /// The value.
        value: Expr,
    },
    /// `v[k] = T(*)`: any value of the type.
    AssignAny {
        /// The variable.
        target: Ident,
        /// The keys of its maps.
        keys: Vec<Expr>,
        /// The type of the values.
        values: Type,
    },
    /// `branch { … } or { … }`: one of the blocks.
    Branch(Vec<Vec<Statement>>),
    /// `branch x in T { … }`, or `forall x: T { … }`: the block for one of the values.
    BranchIn {
        /// The name of the value in the block.
        variable: Ident,
        /// The type of the values.
        values: Type,
        /// The block.
        body: Vec<Statement>,
    },
    /// `repeat n { … }`: the block, n times.
    Repeat {
        /// The number of times.
        times: u64,
        /// The block.
        body: Vec<Statement>,
    },
    /// `repeat x in T { … }`: the block for each value, one after the other.
    RepeatIn {
        /// The name of the value in the block.
        variable: Ident,
        /// The type of the values.
        values: Type,
        /// The block.
        body: Vec<Statement>,
    },
    /// `loop { … }`: the block again and again.
    Loop(Vec<Statement>),
    /// `while c { … }`: the block as long as the condition holds.
    While {
        /// The condition.
        condition: Expr,
        /// The block.
        body: Vec<Statement>,
    },
    /// `if c { … } else if d { … } else { … }`
    If {
        /// The conditions, each with a block; the block of the first condition that holds is done.
        /// At least one.
        arms: Vec<(Expr, Vec<Statement>)>,
        /// The block that is done if no condition holds.
        otherwise: Option<Vec<Statement>>,
    },
    /// `g(e)`: a graph, or one of `check`, `end`, `return`, `break`, `continue`.
    Call {
        /// The graph.
        graph: Ident,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `$ t` or `$(t u)`: a tag of the move, its parts joined by `__`.
    Tag {
        /// `$_ t`: whether it only tells walks apart.
        artificial: bool,
        /// The parts, at least one.
        symbols: Vec<Ident>,
    },
    /// `$$ v`: the value of a variable as a tag of the move.
    TagVariable(Ident),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// The form of the expression.
    pub kind: ExprKind,
    /// The whole expression.
    pub place: Place,
}

/// The form of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A variable of any kind, a function, otherwise a symbol.
    Name(Name),
    /// `P(I + 1, a)`: a value of a constructor.
    Constructor {
        /// The constructor.
        name: Ident,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// `f(a)[b]`
    Apply {
        /// The function, graph or map that is applied.
        base: Box<Expr>,
        /// The applications in order, at least one.
        to: Vec<Application>,
    },
    /// `if c then a else b`, with `else if` as further arms.
    If {
        /// The conditions, each with a value; the first condition that holds gives the value. At
        /// least one.
        arms: Vec<(Expr, Expr)>,
        /// The value if no condition holds.
        otherwise: Box<Expr>,
    },
    /// `{ :d; P(I) = e where I in 0..2 }`
    Map {
        /// The value of all other keys.
        default: Option<Box<Expr>>,
        /// The other entries.
        parts: Vec<MapPart>,
    },
    /// `a + b - c`, with operators of equal strength.
    Chain {
        /// The first operand.
        first: Box<Expr>,
        /// The operators with their right operands, at least one.
        rest: Vec<(Operator, Expr)>,
    },
}

/// An application: a key, or arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Application {
    /// `[k]`
    Key(Expr),
    /// `(a, b)`, the same as `[a][b]`, except for graphs and conditions.
    Arguments(Vec<Expr>),
}

/// Entries of a map: one for each combination of values of the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPart {
    /// The keys; `_` stands for all others.
    pub key: Pattern,
    /// The value of these keys.
    pub value: Expr,
    /// The values of the variables.
    pub ranges: Vec<Range>,
    /// The whole part.
    pub place: Place,
}

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `%`
    Modulo,
    /// `in`
    In,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl Operator {
    /// The text of the operator.
    pub fn as_str(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Modulo => "%",
            Operator::In => "in",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
            Operator::And => "&&",
            Operator::Or => "||",
        }
    }

    /// The strength of the operator, from 0 (`||`) to 3 (`+`).
    pub fn level(self) -> u8 {
        match self {
            Operator::Or => 0,
            Operator::And => 1,
            Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual => 2,
            Operator::Add | Operator::Subtract | Operator::Modulo | Operator::In => 3,
        }
    }
}

/// Whether a name in a pattern or domain is a variable, not a symbol: it begins with an upper-case
/// letter.
pub fn is_pattern_variable(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase)
}
