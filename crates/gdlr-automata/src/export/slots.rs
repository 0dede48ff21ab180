//! Variables and entries of maps, each with a number.

use gdlr_rg::rg::{Base, Expr, Ident, Name, Place};
use hashbrown::HashMap;

/// A variable of the description, one of a map's entries perhaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot(pub u32);

/// The expressions that slots are.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    exprs: Vec<Expr>,
    slot_of: HashMap<Expr, Slot>,
}

impl Slots {
    /// A variable, and the keys under which it is read.
    pub fn slot(&mut self, variable: Name, keys: &[Name]) -> Slot {
        let plain = |name: Name| Expr::from(Ident::from(name));
        let keys = keys.iter().map(|&key| plain(key)).collect();
        let base = Base::Name(variable.into());
        self.of(Expr { base, keys, place: Place::default() })
    }

    /// The slot that an expression is; the same one for the same expression.
    pub fn of(&mut self, expr: Expr) -> Slot {
        *self.slot_of.entry(expr).or_insert_with_key(|expr| {
            self.exprs.push(expr.clone());
            Slot(self.exprs.len() as u32 - 1)
        })
    }

    /// The expression that a slot is.
    pub fn expr(&self, slot: Slot) -> &Expr {
        &self.exprs[slot.0 as usize]
    }
}
