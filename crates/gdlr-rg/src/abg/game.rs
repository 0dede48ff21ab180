//! A game with resolved names: for each player, rules as automata of letters.

use super::regular::Dfa;
use gdlr_text::diagnostic::Span;
use std::rc::Rc;

/// The greatest number of pieces of a game.
pub const MAX_PIECES: usize = 120;

/// A set of pieces, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pieces(pub u128);

impl Pieces {
    /// The empty set.
    pub const NONE: Pieces = Pieces(0);

    /// The set of one piece.
    pub fn one(piece: usize) -> Pieces {
        Pieces(1 << piece)
    }

    /// The set of the first pieces.
    pub fn all(count: usize) -> Pieces {
        Pieces((1 << count) - 1)
    }

    /// Whether a piece is in the set.
    pub fn has(self, piece: usize) -> bool {
        self.0 >> piece & 1 == 1
    }

    /// The number of pieces in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no piece is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The pieces in both sets.
    #[must_use]
    pub fn and(self, other: Pieces) -> Pieces {
        Pieces(self.0 & other.0)
    }

    /// The pieces in either set.
    #[must_use]
    pub fn or(self, other: Pieces) -> Pieces {
        Pieces(self.0 | other.0)
    }

    /// The pieces that are in the first set only.
    #[must_use]
    pub fn without(self, other: Pieces) -> Pieces {
        Pieces(self.0 & !other.0)
    }

    /// The only piece, if there is one.
    pub fn single(self) -> Option<usize> {
        (self.len() == 1).then(|| self.0.trailing_zeros() as usize)
    }

    /// The pieces, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..128).filter(move |piece| self.has(*piece))
    }
}

/// A game with resolved names.
#[derive(Clone, Debug)]
pub struct Game {
    /// The names of the players, in the order of their turns.
    pub players: Vec<Box<str>>,
    /// The pieces.
    pub pieces: Vec<Piece>,
    /// The piece on free squares.
    pub free: usize,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The number of columns of the board.
    pub width: usize,
    /// The number of rows of the board.
    pub height: usize,
    /// The initial piece of each square: row by row, the bottom row first.
    pub board: Vec<usize>,
    /// The moves of each player.
    pub turns: Vec<Turn>,
    /// The sentences that conditions match.
    pub sentences: Vec<Rc<Dfa>>,
}

/// A piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its name.
    pub name: Box<str>,
    /// The players that may move it.
    pub owners: Vec<usize>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Box<str>,
    /// Whether it has its initial value again after a move that does not assign to it.
    pub fading: bool,
    /// Its values, and the initial one.
    pub values: Values,
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Integers in order, and the initial one.
    Numbers(Vec<i64>, i64),
    /// Any square, or `None`; and the initial one.
    Squares(Option<usize>),
}

/// The moves of a player.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// Statements before each move.
    pub each_move: Vec<Statement>,
    /// The rules of the pieces that the player owns.
    pub rules: Vec<(usize, Rc<Dfa>)>,
    /// Pieces, each with a sentence that must not match from its squares after a move.
    pub posts: Vec<(usize, SentenceId)>,
    /// The ends that are tested after each move of the player, in order.
    pub ends: Vec<Ending>,
    /// The ends that are tested if the player has no move, in order.
    pub stuck: Vec<Ending>,
}

/// An end of plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The condition of the end.
    pub condition: Condition,
    /// The score of each player.
    pub scores: Vec<i64>,
    /// The place of the end in the text.
    pub span: Span,
}

/// A letter with its place. Two letters are equal wherever they stand.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Columns to the right.
    pub dx: i64,
    /// Rows up.
    pub dy: i64,
    /// The test of the square after the step.
    pub test: Condition,
    /// Its effect.
    pub effect: Rc<Effect>,
    /// The place of the letter in the text.
    pub span: Span,
}

impl PartialEq for Letter {
    fn eq(&self, other: &Letter) -> bool {
        let key = |it: &Letter| (it.dx, it.dy);
        key(self) == key(other) && self.test == other.test && self.effect == other.effect
    }
}

impl Eq for Letter {}

impl std::hash::Hash for Letter {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.dx, self.dy, &self.test, &self.effect).hash(state);
    }
}

impl Letter {
    /// Whether it steps to another square.
    pub fn steps(&self) -> bool {
        (self.dx, self.dy) != (0, 0)
    }
}

/// The effect of a letter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effect {
    /// Its name with its arguments; `None` for `Default`.
    pub name: Option<Box<str>>,
    /// Whether the piece moves with the step.
    pub moves: bool,
    /// The statements after the step.
    pub body: Vec<Statement>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// Puts a piece on a square. Off the board, it has no effect.
    Put(Square, Standing),
    /// Assigns a number to a variable. A number that the variable cannot have becomes the nearest
    /// one that it can have.
    Number(usize, Number),
    /// Assigns a square to a variable.
    Square(usize, Square),
    /// One block if the condition holds, and the other block if not.
    If(Condition, Vec<Statement>, Vec<Statement>),
}

/// A piece to put on a square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// A given piece.
    Piece(usize),
    /// The piece of a square.
    At(Square),
}

/// A square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Square {
    /// The square after the step of a letter, or the square that a condition is about.
    Here,
    /// The square so many columns to the right and rows up from `Here`.
    Offset(i64, i64),
    /// A square of the board; `None` for no square.
    Fixed(Option<usize>),
    /// The value of a variable.
    Variable(usize),
    /// The square of a column and a row, both from 0.
    Of(Rc<Number>, Rc<Number>),
}

/// A number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// A constant.
    Constant(i64),
    /// The value of a variable.
    Variable(usize),
    /// The column of `Here` plus a number. The first column is 0.
    Column(i64),
    /// The row of `Here` plus a number. The first row is 0.
    Row(i64),
    /// Two numbers with an operator.
    Binary(Rc<Number>, Arithmetic, Rc<Number>),
}

/// An operator of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounded down.
    Divide,
    /// `%`, with the sign of the divisor.
    Remainder,
}

impl Arithmetic {
    /// The result; zero for a division by zero. A result out of range becomes the nearest number.
    pub fn apply(self, left: i64, right: i64) -> i64 {
        match self {
            Arithmetic::Add => left.saturating_add(right),
            Arithmetic::Subtract => left.saturating_sub(right),
            Arithmetic::Multiply => left.saturating_mul(right),
            Arithmetic::Divide if right == 0 => 0,
            Arithmetic::Divide => left.checked_div_euclid(right).map_or(i64::MAX, |quotient| {
                // Euclid's remainder is not negative; rounding down makes it follow the divisor.
                if right < 0 && left.rem_euclid(right) != 0 { quotient - 1 } else { quotient }
            }),
            Arithmetic::Remainder if right == 0 => 0,
            Arithmetic::Remainder => {
                let rest = left.checked_rem_euclid(right).unwrap_or(0);
                if right < 0 && rest != 0 { rest + right } else { rest }
            }
        }
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
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
}

impl Comparison {
    /// Whether it holds for two numbers.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}

/// The number of a sentence that conditions match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SentenceId(pub usize);

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// A constant.
    Constant(bool),
    /// One of these pieces is here.
    Here(Pieces),
    /// The square is one of these.
    Among(Rc<[bool]>),
    /// One of these pieces is on a square of the board.
    At(Square, Pieces),
    /// A comparison of two numbers.
    Compare(Number, Comparison, Number),
    /// Two squares are the same.
    Same(Square, Square),
    /// In an effect: the step of its letter took a piece.
    Taken,
    /// A word of the sentence matches from here.
    Matches(SentenceId),
    /// There is a square where a condition holds and a sentence matches.
    Any(Rc<Condition>, Option<SentenceId>),
    /// The condition does not hold.
    Not(Rc<Condition>),
    /// All conditions hold.
    And(Vec<Condition>),
    /// At least one condition holds.
    Or(Vec<Condition>),
}

impl Condition {
    /// The conjunction of two conditions.
    #[must_use]
    pub fn and(self, other: Condition) -> Condition {
        match (self, other) {
            (Condition::Constant(false), _) | (_, Condition::Constant(false)) => {
                Condition::Constant(false)
            }
            (Condition::Constant(true), it) | (it, Condition::Constant(true)) => it,
            (left, right) => {
                let parts = join(left, right, true);
                match <[Condition; 1]>::try_from(parts) {
                    Ok([one]) => one,
                    Err(parts) if parts.contains(&Condition::Constant(false)) => {
                        Condition::Constant(false)
                    }
                    Err(parts) => Condition::And(parts),
                }
            }
        }
    }

    /// The disjunction of two conditions.
    #[must_use]
    pub fn or(self, other: Condition) -> Condition {
        match (self, other) {
            (Condition::Constant(true), _) | (_, Condition::Constant(true)) => {
                Condition::Constant(true)
            }
            (Condition::Constant(false), it) | (it, Condition::Constant(false)) => it,
            (left, right) => {
                let parts = join(left, right, false);
                match <[Condition; 1]>::try_from(parts) {
                    Ok([one]) => one,
                    Err(parts) => Condition::Or(parts),
                }
            }
        }
    }

    /// The negation, in a game with so many pieces.
    #[must_use]
    pub fn not(self, pieces: usize) -> Condition {
        match self {
            Condition::Constant(holds) => Condition::Constant(!holds),
            Condition::Here(set) => Condition::here(Pieces::all(pieces).without(set), pieces),
            Condition::Among(set) => Condition::Among(set.iter().map(|it| !it).collect()),
            Condition::Not(inner) => (*inner).clone(),
            other => Condition::Not(Rc::new(other)),
        }
    }

    /// The condition that one of some pieces is here, in a game with so many.
    pub fn here(set: Pieces, pieces: usize) -> Condition {
        if set.is_empty() {
            Condition::Constant(false)
        } else if set == Pieces::all(pieces) {
            Condition::Constant(true)
        } else {
            Condition::Here(set)
        }
    }

    /// The operands of a conjunction; otherwise the condition itself.
    pub fn conjuncts(&self) -> &[Condition] {
        match self {
            Condition::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The pieces that may be here if it holds, in a game with so many.
    pub fn admitted(&self, pieces: usize) -> Pieces {
        match self {
            Condition::Here(set) => *set,
            Condition::Constant(false) => Pieces::NONE,
            Condition::And(parts) => {
                parts.iter().fold(Pieces::all(pieces), |set, part| set.and(part.admitted(pieces)))
            }
            Condition::Or(parts) => {
                parts.iter().fold(Pieces::NONE, |set, part| set.or(part.admitted(pieces)))
            }
            _ => Pieces::all(pieces),
        }
    }
}

/// The statements for a letter whose step took a piece, or did not.
#[must_use]
pub fn with_taken(statements: &[Statement], taken: bool, pieces: usize) -> Vec<Statement> {
    let one = |statement: &Statement| match statement {
        Statement::If(condition, holds, otherwise) => {
            let condition = condition.with_taken(taken, pieces);
            let [holds, otherwise] =
                [holds, otherwise].map(|branch| with_taken(branch, taken, pieces));
            match condition {
                Condition::Constant(true) => holds,
                Condition::Constant(false) => otherwise,
                condition => vec![Statement::If(condition, holds, otherwise)],
            }
        }
        other => vec![other.clone()],
    };
    statements.iter().flat_map(one).collect()
}

/// Whether statements depend on whether the step of their letter took a piece.
pub fn asks_taken(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::If(condition, holds, otherwise) => {
            condition.asks_taken() || asks_taken(holds) || asks_taken(otherwise)
        }
        _ => false,
    })
}

impl Condition {
    fn with_taken(&self, taken: bool, pieces: usize) -> Condition {
        match self {
            Condition::Taken => Condition::Constant(taken),
            Condition::Not(inner) => inner.with_taken(taken, pieces).not(pieces),
            Condition::And(parts) => parts.iter().fold(Condition::Constant(true), |all, part| {
                all.and(part.with_taken(taken, pieces))
            }),
            Condition::Or(parts) => parts.iter().fold(Condition::Constant(false), |any, part| {
                any.or(part.with_taken(taken, pieces))
            }),
            other => other.clone(),
        }
    }

    fn asks_taken(&self) -> bool {
        match self {
            Condition::Taken => true,
            Condition::Not(inner) => inner.asks_taken(),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().any(Condition::asks_taken),
            _ => false,
        }
    }
}

/// The operands of two conditions. Their sets of pieces and squares are merged.
fn join(left: Condition, right: Condition, all: bool) -> Vec<Condition> {
    let parts = |it: Condition| match (it, all) {
        (Condition::And(parts), true) | (Condition::Or(parts), false) => parts,
        (other, _) => vec![other],
    };
    let mut joined: Vec<Condition> = Vec::new();
    for part in parts(left).into_iter().chain(parts(right)) {
        let like = joined.iter_mut().find_map(|other| match (other, &part) {
            (Condition::Here(one), Condition::Here(other)) => {
                *one = if all { one.and(*other) } else { one.or(*other) };
                Some(())
            }
            (Condition::Among(one), Condition::Among(other)) => {
                let both = one.iter().zip(other.iter());
                *one = both.map(|(l, r)| if all { *l && *r } else { *l || *r }).collect();
                Some(())
            }
            (other, part) if *other == *part => Some(()),
            _ => None,
        });
        if like.is_none() {
            joined.push(part);
        }
    }
    for part in &mut joined {
        let constant = match part {
            Condition::Here(set) if set.is_empty() => Some(false),
            Condition::Among(set) if set.iter().all(|it| !it) => Some(false),
            Condition::Among(set) if set.iter().all(|it| *it) => Some(true),
            _ => None,
        };
        if let Some(constant) = constant {
            *part = Condition::Constant(constant);
        }
    }
    // Neutral operands are left out.
    if joined.len() > 1 {
        joined.retain(|part| *part != Condition::Constant(all));
    }
    if joined.is_empty() {
        joined.push(Condition::Constant(all));
    }
    joined
}
