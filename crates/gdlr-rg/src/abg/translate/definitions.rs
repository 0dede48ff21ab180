//! Types, constants and variables.

use super::Emitter;
use super::numbers::Domain;
use crate::abg::game::Values;
use crate::rg::naming::map;
use crate::rg::{Ident, Name, Place, SimpleType, SymbolSet, Type, TypeAlias, Value, Variable};
use std::rc::Rc;

impl Emitter<'_> {
    pub(super) fn begin_definitions(&mut self) {
        let game = self.game;
        self.players = game.players.iter().map(|player| self.naming.fresh(player)).collect();
        self.board = self.naming.fresh("board");
        self.here = self.naming.fresh("here");
        self.nowhere = self.naming.fresh("nowhere");
        self.border = self.naming.fresh("border");
        self.declare_set(Name::PLAYER_TYPE, self.players.clone());
        self.declare_scores();
        let names: Vec<&str> = game.variables.iter().map(|it| &*it.name).collect();
        let variables: Vec<Name> = names.into_iter().map(|it| self.naming.fresh(it)).collect();
        self.pieces = game.pieces.iter().map(|piece| self.naming.fresh(&piece.name)).collect();
        self.squares = (0..game.board.len())
            .map(|square| {
                let name = square_name(square, game.width);
                self.naming.fresh(&name)
            })
            .collect();
        self.declare_set(self.square_type, self.squares.clone());
        for (name, variable) in variables.into_iter().zip(&game.variables) {
            match &variable.values {
                Values::Numbers(values, first) => {
                    let domain = self.domain(values);
                    let first = self.number_name(*first);
                    self.declare_variable(name, Vec::new(), domain.type_, named(first));
                    self.variables.push((name, Some(domain)));
                }
                Values::Squares(first) => {
                    self.needs_border();
                    let first = first.map_or(self.nowhere, |square| self.squares[square]);
                    self.declare_variable(name, Vec::new(), self.place_type, named(first));
                    self.variables.push((name, None));
                }
            }
        }
    }

    fn declare_scores(&mut self) {
        let turns = &self.game.turns;
        let ends = turns.iter().flat_map(|turn| turn.ends.iter().chain(&turn.stuck));
        let mut scores: Vec<i64> = ends.flat_map(|end| end.scores.iter().copied()).collect();
        scores.push(super::turns::DRAW);
        scores.sort_unstable();
        scores.dedup();
        let members = scores.iter().map(|score| self.number_name(*score)).collect();
        self.declare_set(Name::SCORE_TYPE, members);
        let domain = Domain { type_: Name::SCORE_TYPE, values: scores };
        self.tables.keep(Rc::new(domain));
    }

    /// Makes the definitions that depend on the rest of the automaton.
    pub(super) fn end_definitions(&mut self) {
        let game = self.game;
        let (mut places, mut pieces) = (self.squares.clone(), self.pieces.clone());
        if self.has_border {
            places.push(self.nowhere);
            pieces.push(self.border);
        }
        self.declare_set(self.place_type, places.clone());
        self.declare_set(self.piece_type, pieces);
        let mut initial: Vec<Value> =
            game.board.iter().map(|piece| named(self.pieces[*piece])).collect();
        initial.extend(self.has_border.then(|| named(self.border)));
        let board = map(&places, initial);
        self.declare_variable(self.board, vec![self.place_type], self.piece_type, board);
        let here = named(self.squares[0]);
        self.declare_variable(self.here, Vec::new(), self.place_type, here);
    }

    /// Records that a step may lead off the board.
    pub(super) fn needs_border(&mut self) {
        self.has_border = true;
    }

    /// `type name = { members };`
    pub(super) fn declare_set(&mut self, name: Name, members: Vec<Name>) {
        let members = members.into_iter().map(Ident::from).collect();
        let type_ = SimpleType::Set(SymbolSet { members, place: Place::default() }).into();
        let name = name.into();
        self.description.types.push(TypeAlias { name, type_, place: Place::default() });
    }

    fn declare_variable(&mut self, name: Name, keys: Vec<Name>, value: Name, initial: Value) {
        let keys = keys.into_iter().map(|key| SimpleType::Named(key.into())).collect();
        let type_ = Type { keys, value: SimpleType::Named(value.into()) };
        let (name, place) = (name.into(), Place::default());
        self.description.variables.push(Variable { name, type_, initial, place });
    }
}

fn named(name: Name) -> Value {
    Value::Name(name.into())
}

/// The name of a square: `a1` for the first one of the bottom row, as in chess.
pub(in crate::abg) fn square_name(square: usize, width: usize) -> String {
    let (column, row) = (square % width, square / width);
    let mut letters = String::new();
    let mut left = column;
    loop {
        letters.insert(0, char::from(b'a' + (left % 26) as u8));
        if left < 26 {
            break;
        }
        left = left / 26 - 1;
    }
    format!("{letters}{}", row + 1)
}
