//! Types, constants and variables.

use super::numbers::Domain;
use super::{Counter, Emitter, Translated};
use crate::rbg::ast::{Arithmetic, PieceId};
use crate::rbg::late_counts::counted;
use crate::rbg::program::Act;
use crate::rg::naming::map;
use crate::rg::{Ident, Name, Place, SimpleType, Type, TypeAlias, Value, Variable};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Emitter<'_> {
    pub(super) fn definitions(&mut self) -> Translated<()> {
        let game = self.game;
        let players: Vec<Name> =
            game.players().iter().map(|player| self.naming.fresh(&player.name)).collect();
        let others: Vec<Name> =
            (game.variables[game.players..].iter()).map(|it| self.naming.fresh(&it.name)).collect();
        self.board = self.naming.fresh("board");
        self.here = self.naming.fresh("here");
        self.nowhere = self.naming.fresh("nowhere");
        self.declare_set(Name::PLAYER_TYPE, players.clone());
        let values = self.values();
        let (own, rest) = values.split_at(game.players);
        let scores: BTreeSet<i64> = own.iter().flatten().copied().collect();
        let scores: Vec<i64> = scores.into_iter().collect();
        let members = scores.iter().map(|score| self.number(*score)).collect();
        self.declare_set(Name::SCORE_TYPE, members);
        let scores = Rc::new(Domain { type_: Name::SCORE_TYPE, values: scores });
        self.pieces = game.pieces.iter().map(|piece| self.naming.fresh(piece)).collect();
        let names = game.board.square_names();
        self.squares = names.iter().map(|name| self.naming.fresh(name)).collect();
        let (mut pieces, squares) = (self.pieces.clone(), self.squares.clone());
        if self.program.edges.iter().any(|edge| self.may_lead_nowhere(edge)) {
            let border = self.naming.fresh("border");
            pieces.push(border);
            self.border = Some(border);
        }
        self.declare_set(self.piece_type, pieces);
        self.declare_set(self.square_type, squares.clone());
        if self.border.is_some() {
            self.declare_target_type();
        }
        self.variables = players.into_iter().map(|player| (player, scores.clone())).collect();
        for (name, values) in others.into_iter().zip(rest) {
            let domain = self.domain(&values.iter().copied().collect::<Vec<i64>>(), None);
            self.declare_variable(name, Vec::new(), domain.type_, Value::Name(Name::ZERO.into()));
            self.variables.push((name, domain));
        }
        let initial: Vec<Value> = (game.board.squares.iter())
            .map(|square| Value::Name(self.pieces[square.piece.index()].into()))
            .collect();
        let (mut keys, mut initial) = (squares.clone(), initial);
        if let Some(border) = self.border {
            keys.push(self.nowhere);
            initial.push(Value::Name(border.into()));
        }
        let initial = map(&keys, initial);
        let place = self.place_type();
        self.declare_variable(self.board, vec![place], self.piece_type, initial);
        let first = Value::Name(squares[0].into());
        self.declare_variable(self.here, Vec::new(), place, first.clone());
        if self.program.edges.iter().any(|edge| edge.act == Act::Remember) {
            let origin = self.naming.fresh("origin");
            self.declare_variable(origin, Vec::new(), place, first);
            self.origin = Some(origin);
        }
        self.declare_counters();
        Ok(())
    }

    /// The type of the current square.
    pub(super) fn place_type(&self) -> Name {
        if self.border.is_some() { self.target_type } else { self.square_type }
    }

    /// Declares the type of squares with `nowhere`, once. Only maps of labels that some squares
    /// lack have this type.
    pub(super) fn declare_target_type(&mut self) {
        let is_declared = |alias: &TypeAlias| alias.name.name == self.target_type;
        if !self.description.types.iter().any(is_declared) {
            let targets = self.squares.iter().copied().chain([self.nowhere]).collect();
            self.declare_set(self.target_type, targets);
        }
    }

    fn declare_variable(&mut self, name: Name, keys: Vec<Name>, value: Name, initial: Value) {
        let keys = keys.into_iter().map(|key| SimpleType::Named(key.into())).collect();
        let type_ = Type { keys, value: SimpleType::Named(Ident::from(value)) };
        let (name, place) = (name.into(), Place::default());
        self.description.variables.push(Variable { name, type_, initial, place });
    }

    /// The values of each variable. A variable that only numbers are assigned to has these numbers
    /// and zero.
    fn values(&self) -> Vec<BTreeSet<i64>> {
        let mut values = vec![Some(BTreeSet::from([0])); self.game.variables.len()];
        for edge in &self.program.edges {
            let Act::Assign(variable, value) = &edge.act else { continue };
            let bound = i64::from(self.game.variables[variable.index()].bound);
            match (value, &mut values[variable.index()]) {
                (Arithmetic::Number(number), Some(values)) => {
                    if (0..=bound).contains(number) {
                        values.insert(*number);
                    }
                }
                (_, values) => *values = None,
            }
        }
        let all = values.into_iter().zip(&self.game.variables);
        all.map(|(values, it)| values.unwrap_or_else(|| (0..=i64::from(it.bound)).collect()))
            .collect()
    }

    /// Declares counters of the pieces that expressions count.
    fn declare_counters(&mut self) {
        let edges = &self.program.edges;
        let counted: BTreeSet<PieceId> = edges.iter().flat_map(|edge| counted(&edge.act)).collect();
        self.counters = vec![None; self.game.pieces.len()];
        let most = self.squares.len() as i64;
        for piece in counted {
            let is_late = edges.iter().any(|edge| edge.act == Act::Count(piece));
            let domain = self.domain(&(0..=most).collect::<Vec<i64>>(), None);
            let name = self.naming.fresh(&format!("number_of_{}", self.game.pieces[piece.index()]));
            let on = self.game.board.squares.iter().filter(|it| it.piece == piece).count();
            let initial = Value::Name(self.number(on as i64).into());
            self.declare_variable(name, Vec::new(), domain.type_, initial);
            self.counters[piece.index()] = Some(Counter { name, domain, is_late });
        }
        if self.counters.iter().flatten().any(|counter| counter.is_late) {
            let name = self.naming.fresh("counted_to");
            let first = Value::Name(self.squares[0].into());
            self.declare_variable(name, Vec::new(), self.square_type, first);
            self.counted_to = Some(name);
        }
    }
}
