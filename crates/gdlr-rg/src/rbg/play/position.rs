//! The state of a game between two actions.

use crate::rbg::ast::{Arithmetic, Game, PieceId, Square, VariableId};
use crate::rbg::program::{Act, Node};

/// The state of a game between two actions: a semistate, and a node of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The piece on each square.
    pub(super) pieces: Vec<PieceId>,
    /// The values of the variables. Players come first.
    pub(super) values: Vec<u32>,
    /// The current square, by its number.
    pub(super) square: u32,
    /// The player with the turn; `None` for the keeper.
    pub(super) player: Option<VariableId>,
    /// The node of the rules.
    pub(super) node: Node,
}

/// The old value of a change by a modifier, to undo it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo {
    Piece(u32, PieceId),
    Value(VariableId, u32),
    Player(Option<VariableId>),
}

impl Position {
    pub(super) fn first(game: &Game, node: Node) -> Position {
        Position {
            pieces: game.board.squares.iter().map(|square| square.piece).collect(),
            values: vec![0; game.variables.len()],
            square: 0,
            player: None,
            node,
        }
    }

    /// The piece on each square, in the order of the board.
    pub fn pieces(&self) -> &[PieceId] {
        &self.pieces
    }

    /// The values of all variables. Players come first; their values are their scores.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The current square.
    pub fn square(&self) -> Square {
        Square(self.square)
    }

    /// The player with the turn; `None` for the keeper.
    pub fn player(&self) -> Option<VariableId> {
        self.player
    }

    /// The value of an expression; `None` for a division by zero, or if it is out of range.
    pub(super) fn value(&self, value: &Arithmetic) -> Option<i64> {
        match value {
            Arithmetic::Number(number) => Some(*number),
            Arithmetic::Variable(variable) => Some(i64::from(self.values[variable.index()])),
            Arithmetic::Count(piece) => {
                let on = self.pieces.iter().filter(|other| *other == piece);
                i64::try_from(on.count()).ok()
            }
            Arithmetic::Binary(left, operator, right) => {
                operator.apply(self.value(left)?, self.value(right)?)
            }
        }
    }

    /// Applies a modifier on a square, if it is valid there.
    pub(super) fn apply(&mut self, act: &Act, square: u32, bounds: &[u32]) -> Option<Undo> {
        match act {
            Act::Off(piece) => {
                let here = &mut self.pieces[square as usize];
                Some(Undo::Piece(square, std::mem::replace(here, *piece)))
            }
            Act::Assign(variable, value) => {
                let value = u32::try_from(self.value(value)?).ok()?;
                let own = &mut self.values[variable.index()];
                (value <= bounds[variable.index()])
                    .then(|| Undo::Value(*variable, std::mem::replace(own, value)))
            }
            Act::Switch(player) => Some(Undo::Player(std::mem::replace(&mut self.player, *player))),
            _ => None,
        }
    }

    pub(super) fn undo(&mut self, undo: Undo) {
        match undo {
            Undo::Piece(square, piece) => self.pieces[square as usize] = piece,
            Undo::Value(variable, value) => self.values[variable.index()] = value,
            Undo::Player(player) => self.player = player,
        }
    }
}
