//! The proof that this processor has the instructions for planes of a type.
//!
//! A [`Token`] is made by [detection](Token::detect), and says nothing but that. Planes from nothing are made by
//! a token, and all others of planes that were there before. So whoever has a plane has the proof, too, and
//! [`Plane::token`] hands it out. Without one nobody runs an instruction that the processor may lack:
//!
//! ```text
//! Token::detect() ──▶ Some(token) ──▶ token.none() ──▶ a plane ──▶ plane.and(other), plane.token()
//!                          │
//!                          └─▶ token.enable(work), code that was made for planes as wide
//! ```
//!
//! A token takes no memory, and to pass it on costs nothing.

use super::plane::Plane;
use std::fmt;
use std::marker::PhantomData;

/// This processor has the instructions for planes `P`.
#[derive(Clone, Copy)]
pub(super) struct Token<P>(PhantomData<P>);

impl<P: Plane> Token<P> {
    /// The token, if the processor has the instructions.
    pub fn detect() -> Option<Token<P>> {
        P::is_available().then_some(Token(PhantomData))
    }

    /// That of a plane, which somebody with a token has made.
    #[inline(always)]
    pub fn of(_: &P) -> Token<P> {
        Token(PhantomData)
    }

    /// Calls a function with the instructions switched on. The function and all that it calls should be
    /// `inline(always)`.
    #[inline(always)]
    pub fn enable<R>(self, function: impl FnOnce() -> R) -> R {
        P::enable(self, function)
    }

    /// The same word, again and again.
    #[inline(always)]
    pub fn splat(self, word: u64) -> P {
        P::splat(self, word)
    }

    /// No lane.
    #[inline(always)]
    pub fn none(self) -> P {
        self.splat(0)
    }

    /// All lanes.
    #[inline(always)]
    pub fn all(self) -> P {
        self.splat(!0)
    }

    /// All lanes or none.
    #[inline(always)]
    pub fn all_if(self, value: bool) -> P {
        if value { self.all() } else { self.none() }
    }

    /// A lane alone.
    #[inline(always)]
    pub fn one(self, lane: usize) -> P {
        let mut plane = self.none();
        plane.put(lane, true);
        plane
    }

    /// Writes the bits of a word as bytes, 0 or 1, the lowest bit first: as many as there is room
    /// for, 64 at most.
    #[inline(always)]
    pub fn write_bits(self, word: u64, out: &mut [u8]) {
        P::write_bits(self, word, out);
    }
}

impl<P: Plane> fmt::Debug for Token<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} lanes", P::LANES)
    }
}

#[cfg(test)]
impl Token<u64> {
    /// That of planes which need nothing.
    pub fn portable() -> Token<u64> {
        Token(PhantomData)
    }
}
