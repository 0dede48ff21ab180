//! The syntax tree of a game after the expansion of its macros (RBG, abstract description).

use crate::rg::Place;

/// A player or another variable, by number. Players come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// A piece, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub u32);

/// A label of edges of the board, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// A square, by number, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u32);

impl VariableId {
    /// The number, as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl PieceId {
    /// The number, as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl LabelId {
    /// The number, as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Square {
    /// The number, as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The players, then the other variables. All are zero at first.
    pub variables: Vec<Bounded>,
    /// The number of variables that are players.
    pub players: usize,
    /// The names of the pieces.
    pub pieces: Vec<Box<str>>,
    /// The board, with its initial pieces.
    pub board: Board,
    /// The rules.
    pub rules: Rule,
}

impl Game {
    /// The players.
    pub fn players(&self) -> &[Bounded] {
        &self.variables[..self.players]
    }
}

/// A variable with its largest value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// Its name.
    pub name: Box<str>,
    /// Its largest value; the least value is zero.
    pub bound: u32,
}

/// A graph whose edges have labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// The labels.
    pub labels: Vec<Box<str>>,
    /// The squares. Play begins on the first one.
    pub squares: Vec<BoardSquare>,
    /// The generator of the board.
    pub shape: Shape,
}

/// A square of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSquare {
    /// Its name.
    pub name: Box<str>,
    /// Its initial piece.
    pub piece: PieceId,
    /// The edges, as pairs of a label and a target; at most one for each label.
    pub edges: Vec<(LabelId, Square)>,
}

/// The generator of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// No generator: each square is written.
    #[default]
    Graph,
    /// `rectangle(…)`, with a number of rows.
    Rectangle {
        /// The number of rows.
        rows: u32,
    },
    /// `hexagon(…)`
    Hexagon,
    /// `cuboid(…)`
    Cuboid,
}

impl Board {
    /// The square to which a label leads from a square.
    pub fn next(&self, square: Square, label: LabelId) -> Option<Square> {
        let edges = &self.squares[square.index()].edges;
        edges.iter().find(|(other, _)| *other == label).map(|(_, to)| *to)
    }
}

/// A regular expression over actions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// One of several rules.
    Sum(Vec<Rule>),
    /// Rules in a row; the empty word if there are none.
    Concat(Vec<Rule>),
    /// A rule any number of times.
    Star(Box<Rule>),
    /// A rule so many times.
    Power(Box<Rule>, u32),
    /// An action, with its place in the text.
    Action(Action, Place),
}

impl Default for Rule {
    /// The empty word.
    fn default() -> Rule {
        Rule::Concat(Vec::new())
    }
}

/// An action: it changes the state, or tests it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `label`: goes along an edge of the board.
    Shift(LabelId),
    /// `{p, q}`: tests whether one of these pieces is on the current square.
    On(Vec<PieceId>),
    /// `[p, q]`: puts one of these pieces on the current square.
    Off(Vec<PieceId>),
    /// `[$ v = e, w = f]`: assignments in a row.
    Assign(Vec<(VariableId, Arithmetic)>),
    /// `{$ e < f}`: compares two expressions.
    Compare(Arithmetic, Comparison, Arithmetic),
    /// `{? rule}`, or negated `{! rule}`: tests whether there is a walk through a rule.
    Pattern {
        /// Whether the test is that there is no walk.
        negated: bool,
        /// The rule.
        rule: Box<Rule>,
    },
    /// `->player`, or `->>` to the keeper: ends a move.
    Switch(Option<VariableId>),
    /// `.`: no action; a move may be cut here.
    Cut,
}

/// An arithmetic expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// A number.
    Number(i64),
    /// The value of a variable.
    Variable(VariableId),
    /// The number of pieces of a kind on the board.
    Count(PieceId),
    /// Two expressions with an operator.
    Binary(Box<Arithmetic>, Operator, Box<Arithmetic>),
}

/// An operator of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero.
    Divide,
}

impl Operator {
    /// The text of the operator.
    pub fn text(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
        }
    }

    /// The result; `None` for a division by zero, or if it is out of range.
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide => left.checked_div(right),
        }
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// The text of the comparison.
    pub fn text(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }

    /// Whether it holds for two numbers.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}
