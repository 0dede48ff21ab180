//! Statements of effects.

use super::conditions::{given, needs_board};
use super::pieces::{Carry, Under};
use super::{Emitter, Translated, assign, compare, named};
use crate::abg::game::{
    Condition, Letter, Pieces, Square, Standing, Statement, Values, asks_taken, with_taken,
};
use crate::rg::{Expr, Label, Name};

/// A walk through some statements.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    /// The node that it has reached.
    pub at: Name,
    /// Its knowledge of the current square.
    pub carry: Carry,
    /// The fading variables that it has assigned.
    pub assigned: u64,
    /// Whether the current square is known to be the last one of the move.
    pub ended: bool,
}

impl Emitter<'_> {
    /// Runs the effect of a letter after its step.
    pub(super) fn effect(&mut self, letter: &Letter, walk: Walk) -> Translated<Vec<Walk>> {
        let body = &letter.effect.body;
        if !asks_taken(body) {
            return self.run(body, vec![walk]);
        }
        let count = self.pieces.len();
        let Walk { at, carry, .. } = walk;
        let (piece, taken) = match carry {
            Carry::Hand { piece, under } if letter.steps() => (
                piece,
                match under {
                    Under::Free => Some(false),
                    Under::Taken => Some(true),
                    Under::Unknown => None,
                },
            ),
            // No piece has moved.
            _ => (0, Some(false)),
        };
        if let Some(taken) = taken {
            return self.run(&with_taken(body, taken, count), vec![walk]);
        }
        let mut walks = Vec::new();
        for (taken, under) in [(false, Under::Free), (true, Under::Taken)] {
            let free = self.pieces[self.game.free];
            let label = compare(self.piece_on(self.here()), free, !taken);
            let at = self.on(at, "taken", label)?;
            let carry = Carry::Hand { piece, under };
            let walk = Walk { at, carry, ..walk };
            walks.append(&mut self.run(&with_taken(body, taken, count), vec![walk])?);
        }
        Ok(walks)
    }

    /// Runs statements on some walks.
    pub(super) fn run(
        &mut self,
        statements: &[Statement],
        mut walks: Vec<Walk>,
    ) -> Translated<Vec<Walk>> {
        for statement in statements {
            let mut next = Vec::new();
            for walk in walks {
                next.append(&mut self.statement(statement, walk)?);
            }
            walks = next;
        }
        Ok(walks)
    }

    fn statement(&mut self, statement: &Statement, walk: Walk) -> Translated<Vec<Walk>> {
        match statement {
            Statement::Put(square, standing) => self.put(square, standing, walk),
            Statement::Number(variable, number) => {
                let Walk { at, carry, assigned, .. } = walk;
                let (name, domain) = self.variables[*variable].clone();
                let Some(domain) = domain else { return Ok(vec![walk]) };
                let value = self.clamped(number, &domain)?;
                let at = self.on(at, "set", assign(named(name), value))?;
                let assigned = assigned | self.fading_bit(*variable);
                Ok(vec![Walk { at, carry, assigned, ..walk }])
            }
            Statement::Square(variable, square) => {
                let Walk { at, carry, assigned, .. } = walk;
                let name = self.variables[*variable].0;
                let value = self.square(square)?;
                let at = self.on(at, "set", assign(named(name), value))?;
                let assigned = assigned | self.fading_bit(*variable);
                Ok(vec![Walk { at, carry, assigned, ..walk }])
            }
            Statement::If(condition, holds, otherwise) => {
                self.branch(condition, holds, otherwise, walk)
            }
        }
    }

    fn branch(
        &mut self,
        condition: &Condition,
        holds: &[Statement],
        otherwise: &[Statement],
        mut walk: Walk,
    ) -> Translated<Vec<Walk>> {
        let count = self.pieces.len();
        if needs_board(condition, false) {
            walk = self.put_down(walk)?;
        }
        let Walk { at, carry, .. } = walk;
        let here = match carry {
            Carry::Down(pieces) => pieces,
            Carry::Hand { piece, .. } => Pieces::one(piece),
        };
        let condition = given(condition, here, count);
        let mut walks = Vec::new();
        for (wanted, statements) in [(true, holds), (false, otherwise)] {
            if condition == Condition::Constant(!wanted) {
                continue;
            }
            let start = match condition {
                Condition::Constant(_) => at,
                _ => {
                    // One check, so that there is one walk.
                    let start = self.naming.node("if");
                    self.ask(&condition, wanted, at, start)?;
                    start
                }
            };
            walks.append(&mut self.run(statements, vec![Walk { at: start, ..walk }])?);
        }
        Ok(walks)
    }

    /// Puts the piece in hand on the board.
    fn put_down(&mut self, walk: Walk) -> Translated<Walk> {
        let Carry::Hand { piece, under } = walk.carry else { return Ok(walk) };
        let to = self.naming.node("down");
        self.settle((piece, under), walk.ended, walk.at, to)?;
        Ok(Walk { at: to, carry: Carry::Down(Pieces::one(piece)), ..walk })
    }

    fn put(
        &mut self,
        square: &Square,
        standing: &Standing,
        mut walk: Walk,
    ) -> Translated<Vec<Walk>> {
        let is_near = |square: &Square| matches!(square, Square::Here | Square::Offset(..));
        let source = match standing {
            Standing::At(source) => Some(source),
            Standing::Piece(_) => None,
        };
        // A piece in hand is here.
        let standing = match (standing, walk.carry) {
            (Standing::At(Square::Here), Carry::Hand { piece, .. }) => Standing::Piece(piece),
            (other, _) => other.clone(),
        };
        if let (Square::Here, Standing::Piece(piece), Carry::Hand { under, .. }) =
            (square, &standing, walk.carry)
        {
            return Ok(vec![Walk { carry: Carry::Hand { piece: *piece, under }, ..walk }]);
        }
        let far = !is_near(square) || source.is_some_and(|source| !is_near(source));
        if far || *square == Square::Here {
            walk = self.put_down(walk)?;
        }
        let Walk { mut at, carry, .. } = walk;
        let value = match &standing {
            Standing::Piece(piece) => named(self.pieces[*piece]),
            Standing::At(source) => {
                let square = self.square(source)?;
                self.piece_on(square)
            }
        };
        let after = match (square, &standing, carry) {
            (Square::Here, Standing::Piece(piece), _) => Carry::Down(Pieces::one(*piece)),
            (Square::Offset(..), ..) => carry,
            _ => Carry::Down(Pieces::all(self.pieces.len())),
        };
        let target = self.square(square)?;
        let done = self.naming.node("placed");
        // Off the board there is no effect.
        let mut guarded = Vec::new();
        for (is_off, square) in [
            (Self::may_be_off(square), Some(target.clone())),
            match source {
                Some(source) if Self::may_be_off(source) => (true, Some(self.square(source)?)),
                _ => (false, None),
            },
        ] {
            if let (true, Some(square)) = (is_off, square) {
                guarded.push(square);
            }
        }
        for square in guarded {
            self.edge(at, done, compare(square.clone(), self.nowhere, true))?;
            at = self.on(at, "on_board", compare(square, self.nowhere, false))?;
        }
        let label: Label = assign(self.piece_on(target), value);
        self.edge(at, done, label)?;
        Ok(vec![Walk { at: done, carry: after, ..walk }])
    }

    /// The bit of a fading variable; 0 for any other.
    fn fading_bit(&self, variable: usize) -> u64 {
        let before = self.game.variables[..variable].iter().filter(|it| it.fading).count();
        let fades = self.game.variables[variable].fading && before < 64;
        if fades { 1 << before } else { 0 }
    }

    /// Restores the initial values of the fading variables that were not assigned to.
    pub(super) fn fade(&mut self, assigned: u64, from: Name) -> Translated<Name> {
        let mut at = from;
        for variable in 0..self.game.variables.len() {
            let bit = self.fading_bit(variable);
            if bit == 0 || assigned & bit != 0 {
                continue;
            }
            let first: Expr = match &self.game.variables[variable].values {
                Values::Numbers(_, first) => named(self.number_name(*first)),
                Values::Squares(first) => {
                    named(first.map_or(self.nowhere, |square| self.squares[square]))
                }
            };
            let name = self.variables[variable].0;
            at = self.on(at, "fades", assign(named(name), first))?;
        }
        Ok(at)
    }
}
