//! Conditions: edges that a walk can take if they hold.

use super::{Emitter, Translated, access, compare};
use crate::abg::game::{Condition, Pieces, Square};
use crate::rg::{Expr, Ident, Label, Name};

/// The greatest number of edges that test pieces one by one. A test with more uses a map.
const MOST_EDGES: usize = 2;

impl Emitter<'_> {
    /// Adds edges between two nodes that a walk can take if a condition holds, or if it does not.
    pub(super) fn ask(
        &mut self,
        condition: &Condition,
        holds: bool,
        from: Name,
        to: Name,
    ) -> Translated<()> {
        match condition {
            Condition::Constant(constant) if *constant == holds => self.edge(from, to, Label::Skip),
            Condition::Constant(_) => Ok(()),
            Condition::Here(set) => {
                let value = self.piece_on(self.here());
                self.among_pieces((value, false), *set, holds, from, to)
            }
            Condition::Among(set) => self.among_squares(set, holds, from, to),
            Condition::At(square, set) => {
                let off = Self::may_be_off(square);
                let square = self.square(square)?;
                let value = self.piece_on(square);
                self.among_pieces((value, off), *set, holds, from, to)
            }
            Condition::Compare(left, comparison, right) => {
                match self.holds(left, *comparison, right)? {
                    Err(constant) => self.ask(&Condition::Constant(constant), holds, from, to),
                    Ok((value, name, equal)) => {
                        self.edge(from, to, compare(value, name, equal == holds))
                    }
                }
            }
            Condition::Same(left, right) => {
                let (left, right) = (self.square(left)?, self.square(right)?);
                self.edge(from, to, Label::Compare { left, right, equal: holds })
            }
            // Effects are translated once for each answer: see `effects`.
            Condition::Taken => Ok(()),
            Condition::Matches(id) => {
                let start = self.sentence(*id, 0);
                self.reach(start, holds, from, to)
            }
            Condition::Any(place, sentence) => {
                let start = self.any(place, *sentence)?;
                self.reach(start, holds, from, to)
            }
            Condition::Not(inner) => self.ask(inner, !holds, from, to),
            Condition::And(parts) => self.ask_all(parts, holds, holds, from, to),
            Condition::Or(parts) => self.ask_all(parts, holds, !holds, from, to),
        }
    }

    /// Tests several parts, in a row or in parallel.
    fn ask_all(
        &mut self,
        parts: &[Condition],
        holds: bool,
        chained: bool,
        from: Name,
        to: Name,
    ) -> Translated<()> {
        let mut at = from;
        for (number, part) in parts.iter().enumerate() {
            let is_last = !chained || number + 1 == parts.len();
            let next = if is_last { to } else { self.naming.node("and") };
            self.ask(part, holds, at, next)?;
            if chained {
                at = next;
            }
        }
        Ok(())
    }

    /// A check whether `found` can be reached.
    pub(super) fn reach(
        &mut self,
        start: Name,
        holds: bool,
        from: Name,
        to: Name,
    ) -> Translated<()> {
        let (start, end) = (start.into(), self.found.into());
        self.edge(from, to, Label::Reach { from: start, to: end, negated: !holds })
    }

    /// Tests whether a piece is in a set. The border is in none.
    fn among_pieces(
        &mut self,
        (value, may_be_border): (Expr, bool),
        set: Pieces,
        holds: bool,
        from: Name,
        to: Name,
    ) -> Translated<()> {
        let all = Pieces::all(self.pieces.len());
        let others = all.without(set);
        // On the board, a piece is in the set or in its complement.
        let (wanted, unwanted) = if holds { (set, others) } else { (others, set) };
        let border_fits = !holds;
        if wanted.len() <= MOST_EDGES && !(may_be_border && border_fits) {
            for piece in wanted.iter() {
                self.edge(from, to, compare(value.clone(), self.pieces[piece], true))?;
            }
            return Ok(());
        }
        if unwanted.len() == 1 && (!may_be_border || border_fits) && !(holds && self.has_steps()) {
            let piece = unwanted.single().unwrap_or(0);
            return self.edge(from, to, compare(value, self.pieces[piece], false));
        }
        let map = self.piece_set(set)?;
        let wanted = if holds { Name::ONE } else { Name::ZERO };
        self.edge(from, to, compare(access(map, vec![value]), wanted, true))
    }

    /// Whether the current square may be off the board when a piece is tested.
    fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// A map that is 1 for some pieces.
    fn piece_set(&mut self, set: Pieces) -> Translated<Name> {
        if let Some(map) = self.piece_sets.get(&set.0) {
            return Ok(*map);
        }
        self.needs_border();
        let mut keys = self.pieces.clone();
        keys.push(self.border);
        let one = |is: bool| if is { Name::ONE } else { Name::ZERO };
        let mut values: Vec<Name> = (0..self.pieces.len()).map(|it| one(set.has(it))).collect();
        values.push(Name::ZERO);
        let map =
            self.declare_map("is_among", (self.piece_type, &keys), (Name::BOOL_TYPE, &values))?;
        self.piece_sets.insert(set.0, map);
        Ok(map)
    }

    /// The node of a check of a condition that is about no square. It is one check, so that the
    /// keeper has one walk.
    pub(super) fn check(&mut self, condition: &Condition) -> Translated<Name> {
        if let Some(node) = self.check_nodes.get(condition) {
            return Ok(*node);
        }
        let node = self.naming.node("check");
        self.check_nodes.insert(condition.clone(), node);
        self.ask(condition, true, node, self.found)?;
        Ok(node)
    }

    /// `here = Square(*)`: any square.
    pub(super) fn any_square(&self) -> Label {
        let values = crate::rg::SimpleType::Named(Ident::from(self.square_type)).into();
        Label::AssignAny { target: self.here(), values }
    }
}

/// The condition that remains if one of some pieces is known to be here.
pub(super) fn given(condition: &Condition, here: Pieces, pieces: usize) -> Condition {
    match condition {
        Condition::Here(set) => {
            let both = set.and(here);
            if both == here { Condition::Constant(true) } else { Condition::here(both, pieces) }
        }
        Condition::At(Square::Here, set) => given(&Condition::Here(*set), here, pieces),
        Condition::Not(inner) => given(inner, here, pieces).not(pieces),
        Condition::And(parts) => parts
            .iter()
            .fold(Condition::Constant(true), |all, part| all.and(given(part, here, pieces))),
        Condition::Or(parts) => parts
            .iter()
            .fold(Condition::Constant(false), |any, part| any.or(given(part, here, pieces))),
        other => other.clone(),
    }
}

/// Whether a condition depends on the board beyond the current square. A moving piece is not on the
/// board, so it must be put down first.
pub(super) fn needs_board(condition: &Condition, steps: bool) -> bool {
    match condition {
        Condition::Constant(_) | Condition::Here(_) | Condition::Among(_) => false,
        Condition::Compare(..) | Condition::Same(..) | Condition::Taken => false,
        Condition::At(square, _) => steps || !matches!(square, Square::Offset(..)),
        Condition::Matches(_) | Condition::Any(..) => true,
        Condition::Not(inner) => needs_board(inner, steps),
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().any(|part| needs_board(part, steps))
        }
    }
}
