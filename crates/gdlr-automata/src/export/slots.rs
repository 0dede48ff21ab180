//! Variables and entries of maps, each with a number.

use gdlr_rg::rg::{Base, Expr, Ident, Name, Place};
use hashbrown::HashMap;

/// The number of a variable of the description, or of an entry of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot(pub u32);

/// The expressions of slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    exprs: Vec<Expr>,
    slot_of: HashMap<Expr, Slot>,
}

impl Slots {
    /// The slot of a variable, or of the entry with these keys.
    pub fn slot(&mut self, variable: Name, keys: &[Name]) -> Slot {
        let plain = |name: Name| Expr::from(Ident::from(name));
        let keys = keys.iter().map(|&key| plain(key)).collect();
        let base = Base::Name(variable.into());
        self.of(Expr { base, keys, place: Place::default() })
    }

    /// The slot of an expression. The same expression gives the same slot.
    pub fn of(&mut self, expr: Expr) -> Slot {
        *self.slot_of.entry(expr).or_insert_with_key(|expr| {
            self.exprs.push(expr.clone());
            Slot(self.exprs.len() as u32 - 1)
        })
    }

    /// The expression of a slot.
    pub fn expr(&self, slot: Slot) -> &Expr {
        &self.exprs[slot.0 as usize]
    }
}
