//! A game whose names are resolved: rules as automata of letters, by the player who moves.

use super::regular::Dfa;
use gdlr_text::diagnostic::Span;
use std::rc::Rc;

/// The most pieces of a game.
pub const MAX_PIECES: usize = 120;

/// A set of pieces, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pieces(pub u128);

impl Pieces {
    /// No piece.
    pub const NONE: Pieces = Pieces(0);

    /// One piece.
    pub fn one(piece: usize) -> Pieces {
        Pieces(1 << piece)
    }

    /// The first pieces, so many.
    pub fn all(count: usize) -> Pieces {
        Pieces((1 << count) - 1)
    }

    /// Whether a piece is in the set.
    pub fn has(self, piece: usize) -> bool {
        self.0 >> piece & 1 == 1
    }

    /// How many pieces are in the set.
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

    /// The pieces in one of the sets.
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
    /// The piece that stands on free squares.
    pub free: usize,
    /// The variables.
    pub variables: Vec<Variable>,
    /// How many columns the board has.
    pub width: usize,
    /// How many rows the board has.
    pub height: usize,
    /// The piece of each square at the beginning: row by row, the bottom row first.
    pub board: Vec<usize>,
    /// The moves of each player.
    pub turns: Vec<Turn>,
    /// The sentences that are asked.
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
    /// Whether it has its first value again behind a move that does not assign it.
    pub fading: bool,
    /// Its values, and which it has first.
    pub values: Values,
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Integers in order, and the first one.
    Numbers(Vec<i64>, i64),
    /// Squares, or none, and the first one.
    Squares(Option<usize>),
}

/// The moves of a player.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// Done before each move.
    pub each_move: Vec<Statement>,
    /// The rules of the pieces that the player owns.
    pub rules: Vec<(usize, Rc<Dfa>)>,
    /// Pieces, and the sentences that must not match where they stand behind a move.
    pub posts: Vec<(usize, SentenceId)>,
    /// Asked behind each move of the player, in order.
    pub ends: Vec<Ending>,
    /// Asked where the player has no move, in order.
    pub stuck: Vec<Ending>,
}

/// An end of plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// When it is one.
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
    /// Asked of the square that it leads to.
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
    /// Whether it leads to another square.
    pub fn steps(&self) -> bool {
        (self.dx, self.dy) != (0, 0)
    }
}

/// The effect of a letter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effect {
    /// Its name, and its arguments; none for `Default`.
    pub name: Option<Box<str>>,
    /// Whether the piece goes along.
    pub moves: bool,
    /// The statements behind the step.
    pub body: Vec<Statement>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// Puts a piece on a square; nothing happens off the board.
    Put(Square, Standing),
    /// A variable has this number; beyond its values, it has the nearest one.
    Number(usize, Number),
    /// A variable is this square.
    Square(usize, Square),
    /// One or the other.
    If(Condition, Vec<Statement>, Vec<Statement>),
}

/// A piece that is put somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// This one.
    Piece(usize),
    /// The piece of a square.
    At(Square),
}

/// A square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Square {
    /// The square that a letter leads to, or that is asked.
    Here,
    /// The square so many columns to the right and rows up from there.
    Offset(i64, i64),
    /// A square of the board; none for no square.
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
    /// The column of the square that is asked, and what is added to it. The first column is 0.
    Column(i64),
    /// The row of the square that is asked, and what is added to it. The first row is 0.
    Row(i64),
    /// Two numbers joined.
    Binary(Rc<Number>, Arithmetic, Rc<Number>),
}

/// A sign between two numbers.
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
    /// The result; zero for a division by zero, the nearest number where it is out of range.
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
    /// Whether it holds.
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

/// A sentence that is asked, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SentenceId(pub usize);

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Known before play.
    Constant(bool),
    /// One of these pieces is here.
    Here(Pieces),
    /// The square is one of these.
    Among(Rc<[bool]>),
    /// One of these pieces is on a square of the board.
    At(Square, Pieces),
    /// Two numbers compare so.
    Compare(Number, Comparison, Number),
    /// Two squares are one.
    Same(Square, Square),
    /// In an effect: the step of its letter took a piece.
    Taken,
    /// A word of the sentence can be gone from here.
    Matches(SentenceId),
    /// There is a square where a condition holds and a sentence matches.
    Any(Rc<Condition>, Option<SentenceId>),
    /// It does not hold.
    Not(Rc<Condition>),
    /// All of them hold.
    And(Vec<Condition>),
    /// One of them holds.
    Or(Vec<Condition>),
}

impl Condition {
    /// Both hold.
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

    /// One of the two holds.
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

    /// It does not hold, in a game with so many pieces.
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

    /// One of some pieces is here, in a game with so many.
    pub fn here(set: Pieces, pieces: usize) -> Condition {
        if set.is_empty() {
            Condition::Constant(false)
        } else if set == Pieces::all(pieces) {
            Condition::Constant(true)
        } else {
            Condition::Here(set)
        }
    }

    /// The parts that must all hold.
    pub fn conjuncts(&self) -> &[Condition] {
        match self {
            Condition::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The pieces that may be here where it holds, among all of so many.
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

/// Statements where it is known whether the step of their letter took a piece.
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

/// Whether statements ask if the step of their letter took a piece.
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

/// The parts of two conditions, with sets of pieces and squares made one.
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
        let known = match part {
            Condition::Here(set) if set.is_empty() => Some(false),
            Condition::Among(set) if set.iter().all(|it| !it) => Some(false),
            Condition::Among(set) if set.iter().all(|it| *it) => Some(true),
            _ => None,
        };
        if let Some(known) = known {
            *part = Condition::Constant(known);
        }
    }
    // The neutral ones say nothing.
    if joined.len() > 1 {
        joined.retain(|part| *part != Condition::Constant(all));
    }
    if joined.is_empty() {
        joined.push(Condition::Constant(all));
    }
    joined
}
