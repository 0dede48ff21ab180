//! What a game says: domains, functions, variables, graphs, each with its place in the text.
//!
//! Names, types and places are those of [`rg`](crate::rg): a game becomes an automaton with
//! the same names, and what is wrong with the automaton has its place in the game.
//!
//! Chains are lists and not deep trees: `a + b + c`, `a && b && c`, `else if`, `f(a)[b](c)`.
//! What nests is bounded by [`MAX_DEPTH`](super::MAX_DEPTH) wherever it comes from a text.

use crate::rg::{Ident, Name, Names, Place, Type};

/// A game: what a file says, each kind of declaration in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The names that everything below refers to.
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
    /// What is in it, in order.
    pub elements: Vec<Element>,
    /// The whole declaration.
    pub place: Place,
}

/// A part of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A symbol, or all values of the domain of this name.
    Name(Ident),
    /// `P(I, J, a) where I in 0..2, J in { b, c }`: a value for all values of its variables.
    Generator(Generator),
}

/// The values that a constructor makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    /// What the values are made with.
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

/// What stands behind `in`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeValues {
    /// `first..last`, both among them.
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
    /// From which domains it maps to which.
    pub type_: Type,
    /// The cases, one at least; the first one that matches holds.
    pub cases: Vec<Case>,
    /// The whole declaration.
    pub place: Place,
}

/// `f(P(X, _), a) = …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What the arguments must look like.
    pub patterns: Vec<Pattern>,
    /// What they are mapped to.
    pub body: Expr,
    /// The whole case.
    pub place: Place,
}

/// What a value must look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `_`: any value.
    Any(Place),
    /// A variable, which takes any value, if it begins with an upper-case letter, and otherwise
    /// a symbol.
    Name(Ident),
    /// `P(X, _)`: a value that is made so.
    Constructor {
        /// What the value is made with.
        constructor: Ident,
        /// What its arguments must look like.
        arguments: Vec<Pattern>,
        /// The whole pattern.
        place: Place,
    },
}

impl Pattern {
    /// Where the pattern stands.
    pub fn place(&self) -> Place {
        match self {
            Pattern::Any(place) | Pattern::Constructor { place, .. } => *place,
            Pattern::Name(name) => name.place,
        }
    }
}

/// A part of the state of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: Ident,
    /// The type of all its values.
    pub type_: Type,
    /// The value at the beginning; without one, the first value of the type.
    pub initial: Option<Expr>,
    /// The whole declaration.
    pub place: Place,
}

/// A part of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Whether calls share one copy in the automaton.
    pub reusable: bool,
    /// The name.
    pub name: Ident,
    /// What it is told by calls.
    pub parameters: Vec<Parameter>,
    /// What is done.
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
    /// What is done.
    pub action: Action,
    /// The whole statement.
    pub place: Place,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `v[k] = e`
    Assign {
        /// The variable.
        target: Ident,
        /// The keys of its maps.
        keys: Vec<Expr>,
        /// What it becomes.
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
        /// What the block calls the value.
        variable: Ident,
        /// The type of the values.
        values: Type,
        /// The block.
        body: Vec<Statement>,
    },
    /// `repeat n { … }`: the block so often.
    Repeat {
        /// How often.
        times: u64,
        /// The block.
        body: Vec<Statement>,
    },
    /// `repeat x in T { … }`: the block for each value, one after the other.
    RepeatIn {
        /// What the block calls the value.
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
        /// Conditions and what is done for the first of them that holds; one at least.
        arms: Vec<(Expr, Vec<Statement>)>,
        /// What is done if none holds.
        otherwise: Option<Vec<Statement>>,
    },
    /// `g(e)`: a graph, or one of `check`, `end`, `return`, `break`, `continue`.
    Call {
        /// The graph.
        graph: Ident,
        /// What it is told.
        arguments: Vec<Expr>,
    },
    /// `$ t` or `$(t u)`: a piece of the move, its parts joined by `__`.
    Tag {
        /// `$_ t`: whether it only tells paths apart.
        artificial: bool,
        /// The parts, one at least.
        symbols: Vec<Ident>,
    },
    /// `$$ v`: the value of a variable as a piece of the move.
    TagVariable(Ident),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// The whole expression.
    pub place: Place,
}

/// What an expression says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A variable of any kind, a function, or else a symbol.
    Name(Name),
    /// `P(I + 1, a)`: a value that is made so.
    Constructor {
        /// What it is made with.
        name: Ident,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// `f(a)[b]`
    Apply {
        /// What is applied first.
        base: Box<Expr>,
        /// What it is applied to, one after the other; one at least.
        to: Vec<Application>,
    },
    /// `if c then a else b`, with `else if` as further arms.
    If {
        /// Conditions, and the value for the first of them that holds; one at least.
        arms: Vec<(Expr, Expr)>,
        /// The value if none holds.
        otherwise: Box<Expr>,
    },
    /// `{ :d; P(I) = e where I in 0..2 }`
    Map {
        /// The value of all other keys.
        default: Option<Box<Expr>>,
        /// The other entries.
        parts: Vec<MapPart>,
    },
    /// `a + b - c`, with operators that bind alike.
    Chain {
        /// The first operand.
        first: Box<Expr>,
        /// The operators and what stands behind them; one at least.
        rest: Vec<(Operator, Expr)>,
    },
}

/// What stands behind what is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Application {
    /// `[k]`
    Key(Expr),
    /// `(a, b)`, the same as `[a][b]` but for graphs and conditions.
    Arguments(Vec<Expr>),
}

/// Entries of a map: one for all values of the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPart {
    /// The keys; `_` is all others.
    pub key: Pattern,
    /// What they are mapped to.
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
    /// The sign or word.
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

    /// How tightly it binds, from 0 (`||`) to 3 (`+`).
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

/// Whether a name is that of a variable where patterns and domains have both variables and
/// symbols: it begins with an upper-case letter.
pub fn is_pattern_variable(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase)
}
