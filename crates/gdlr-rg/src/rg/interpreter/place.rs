//! Where the values of expressions are, as far as that is known before play.

use super::program::{Entry, Register};
use crate::rg::types::Ty;

/// An expression, compiled as far as where its value is.
pub(super) struct Place {
    /// Where its variable, constant or symbol begins.
    pub root: Register,
    pub base: Register,
    /// Registers with what is not known before play, and what it is to be multiplied with.
    pub keys: Vec<(Register, u32)>,
    pub ty: Ty,
    /// What the value is cast to, from the first cast on.
    pub casts: Vec<Ty>,
}

impl Place {
    /// A whole variable or constant, or a symbol.
    pub fn new(root: Register, ty: Ty) -> Place {
        Place { root, base: root, keys: Vec::new(), ty, casts: Vec::new() }
    }

    /// The same as the entry of a map, if it is one.
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
    /// Which symbols it may be.
    pub ty: Ty,
}
