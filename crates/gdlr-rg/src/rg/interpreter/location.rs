//! The registers that hold the values of expressions, as far as they are known before play.

use super::program::{Entry, Register};
use crate::rg::types::Ty;

/// The location of the value of an expression: a first register, and keys that are known only in
/// play.
pub(super) struct Location {
    /// The first register of its variable, constant or symbol.
    pub root: Register,
    pub base: Register,
    /// The keys that are not known before play: the register of each, and its stride.
    pub keys: Vec<(Register, u32)>,
    pub ty: Ty,
    /// The types of its casts, from the first cast on.
    pub casts: Vec<Ty>,
}

impl Location {
    /// A whole variable or constant, or a symbol.
    pub fn new(root: Register, ty: Ty) -> Location {
        Location { root, base: root, keys: Vec::new(), ty, casts: Vec::new() }
    }

    /// The location as an entry of a map, if it has one key with stride 1.
    pub fn entry(&self) -> Option<Entry> {
        match self.keys[..] {
            [(key, 1)] => Some(Entry { base: self.base, key }),
            _ => None,
        }
    }
}

/// A symbol in a register.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub register: Register,
    /// The type of the symbols that the register may hold.
    pub ty: Ty,
}
