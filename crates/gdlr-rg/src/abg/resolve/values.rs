//! The values of expressions, and their conversions.

use super::{Resolved, Resolver};
use crate::abg::game::{Comparison, Condition, Number, Pieces, SentenceId, Square};
use gdlr_text::diagnostic::{Code, Span};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A truth value.
    Condition(Condition),
    /// An integer.
    Number(Number),
    /// A player.
    Player(usize),
    /// A piece; as a condition: this piece is here.
    Piece(usize),
    /// The piece on a square.
    Standing(Square),
    /// A square.
    Square(Square),
    /// A sentence; as a condition: it matches from here.
    Sentence(SentenceId),
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Value::Condition(_) => "a condition",
            Value::Number(_) => "a number",
            Value::Player(_) => "a player",
            Value::Piece(_) => "a piece",
            Value::Standing(_) => "the piece of a square",
            Value::Square(_) => "a square",
            Value::Sentence(_) => "a sentence",
        }
    }
}

impl Resolver<'_> {
    pub fn mismatch<T>(&mut self, value: &Value, wanted: &str, span: Span) -> Resolved<T> {
        let message = format!("{wanted} is expected here, and this is {}", value.kind());
        self.error(Code::AbgKind, span, &message, "write an expression of the other kind")
    }

    /// The value as a condition.
    pub fn as_condition(&mut self, value: Value, span: Span) -> Resolved<Condition> {
        match value {
            Value::Condition(condition) => Ok(condition),
            Value::Number(number) => {
                self.compare(number, Comparison::NotEqual, Number::Constant(0), span)
            }
            Value::Piece(piece) => {
                self.needs_square(span)?;
                Ok(Condition::here(Pieces::one(piece), self.scope.pieces.len()))
            }
            Value::Sentence(id) => {
                self.needs_square(span)?;
                Ok(Condition::Matches(id))
            }
            other => self.mismatch(&other, "a condition", span),
        }
    }

    /// The value as a number.
    pub fn as_number(&mut self, value: Value, span: Span) -> Resolved<Number> {
        match value {
            Value::Number(number) => Ok(number),
            Value::Condition(Condition::Constant(holds)) => Ok(Number::Constant(i64::from(holds))),
            other => self.mismatch(&other, "a number", span),
        }
    }

    /// The value as an integer that is known before play.
    pub fn as_constant(&mut self, value: Value, span: Span) -> Resolved<i64> {
        match self.as_number(value, span)? {
            Number::Constant(number) => Ok(number),
            _ => self.error(
                Code::AbgKind,
                span,
                "this number is not known before play",
                "write an integer, or a parameter of a macro",
            ),
        }
    }

    /// The value as a square.
    pub fn as_square(&mut self, value: Value, span: Span) -> Resolved<Square> {
        match value {
            Value::Square(square) => Ok(square),
            // `none` is a name of no square, and of the free piece.
            other => self.mismatch(&other, "a square", span),
        }
    }

    /// Reports an error if no square is known here.
    pub fn needs_square(&mut self, span: Span) -> Resolved<()> {
        if self.has_square {
            return Ok(());
        }
        self.error(
            Code::AbgNoSquare,
            span,
            "no square is asked here",
            "ask from squares, as in `any(PIECE and row == 8)`",
        )
    }

    /// A comparison of numbers. If it depends only on the square, it becomes a set of squares.
    pub fn compare(
        &mut self,
        left: Number,
        comparison: Comparison,
        right: Number,
        _span: Span,
    ) -> Resolved<Condition> {
        if let (Number::Constant(left), Number::Constant(right)) = (&left, &right) {
            return Ok(Condition::Constant(comparison.holds(*left, *right)));
        }
        let size = self.tree.size.map_or((1, 1), |size| (size.width, size.height));
        let (width, height) = (i64::from(size.0), i64::from(size.1));
        let mut holds = Vec::new();
        if of_square(&left, 0, 0).and(of_square(&right, 0, 0)).is_some() {
            // Each square is visited.
            self.parts += (width * height / 16) as usize;
        }
        for row in 0..height {
            for column in 0..width {
                let (Some(left), Some(right)) =
                    (of_square(&left, column, row), of_square(&right, column, row))
                else {
                    return Ok(Condition::Compare(left, comparison, right));
                };
                holds.push(comparison.holds(left, right));
            }
        }
        Ok(match (holds.contains(&true), holds.contains(&false)) {
            (true, false) => Condition::Constant(true),
            (false, _) => Condition::Constant(false),
            _ => Condition::Among(holds.into()),
        })
    }
}

/// The number for a square; `None` if it depends on more than the square.
fn of_square(number: &Number, column: i64, row: i64) -> Option<i64> {
    match number {
        Number::Constant(number) => Some(*number),
        Number::Column(more) => Some(column + more),
        Number::Row(more) => Some(row + more),
        Number::Variable(_) => None,
        Number::Binary(left, operator, right) => {
            let left = of_square(left, column, row)?;
            Some(operator.apply(left, of_square(right, column, row)?))
        }
    }
}
