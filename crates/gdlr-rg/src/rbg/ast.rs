//! What a game says once its macros are expanded (RBG, abstract description).

use crate::rg::Place;

/// A player or other variable, as a number: players come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// A piece, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub u32);

/// A label of edges of the board, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// A square, as a number: in the order of the text.
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
    /// Players and then the other variables: all are zero at the beginning.
    pub variables: Vec<Bounded>,
    /// How many of the variables are players.
    pub players: usize,
    /// The names of the pieces.
    pub pieces: Vec<Box<str>>,
    /// The board, and what stands on it at the beginning.
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

/// A variable with the largest value that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// Its name.
    pub name: Box<str>,
    /// Its largest value; the least one is zero.
    pub bound: u32,
}

/// A graph whose edges have labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// The labels.
    pub labels: Vec<Box<str>>,
    /// The squares. Plays begin on the first one.
    pub squares: Vec<BoardSquare>,
    /// What the board looks like.
    pub shape: Shape,
}

/// A square of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSquare {
    /// Its name.
    pub name: Box<str>,
    /// What stands on it at the beginning.
    pub piece: PieceId,
    /// Where edges lead, by label; at most one for each label.
    pub edges: Vec<(LabelId, Square)>,
}

/// What a board was made by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Squares one by one.
    #[default]
    Graph,
    /// `rectangle(…)`, with so many rows.
    Rectangle {
        /// How many rows it has.
        rows: u32,
    },
    /// `hexagon(…)`
    Hexagon,
    /// `cuboid(…)`
    Cuboid,
}

impl Board {
    /// Where a label leads from a square.
    pub fn next(&self, square: Square, label: LabelId) -> Option<Square> {
        let edges = &self.squares[square.index()].edges;
        edges.iter().find(|(other, _)| *other == label).map(|(_, to)| *to)
    }
}

/// A regular expression over actions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// One of several.
    Sum(Vec<Rule>),
    /// One after the other; the empty word if there are none.
    Concat(Vec<Rule>),
    /// As often as wanted.
    Star(Box<Rule>),
    /// So many times.
    Power(Box<Rule>, u32),
    /// An action, and where it stands.
    Action(Action, Place),
}

impl Default for Rule {
    /// The empty word.
    fn default() -> Rule {
        Rule::Concat(Vec::new())
    }
}

/// What changes the state of the game, or is possible in some only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `label`: goes along an edge.
    Shift(LabelId),
    /// `{p, q}`: one of these pieces is on the current square.
    On(Vec<PieceId>),
    /// `[p, q]`: puts one of these pieces on the current square.
    Off(Vec<PieceId>),
    /// `[$ v = e, w = f]`: one after the other.
    Assign(Vec<(VariableId, Arithmetic)>),
    /// `{$ e < f}`
    Compare(Arithmetic, Comparison, Arithmetic),
    /// `{? rule}`, or negated `{! rule}`.
    Pattern {
        /// Whether there may be no way through the rule.
        negated: bool,
        /// The rule.
        rule: Box<Rule>,
    },
    /// `->player`, or `->>` to the keeper.
    Switch(Option<VariableId>),
    /// `.`: nothing, where a move may be cut.
    Cut,
}

/// An arithmetic expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// A number.
    Number(i64),
    /// The value of a variable.
    Variable(VariableId),
    /// How many of a piece are on the board.
    Count(PieceId),
    /// Two expressions joined.
    Binary(Box<Arithmetic>, Operator, Box<Arithmetic>),
}

/// What joins two numbers.
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
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
        }
    }

    /// The result; none for a division by zero, or where it is out of range.
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide => left.checked_div(right),
        }
    }
}

/// What compares two numbers.
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
    /// How it is written.
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

    /// Whether it holds.
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
