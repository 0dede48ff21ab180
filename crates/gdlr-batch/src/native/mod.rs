//! Programs as machine code, made at set-up, for 256 lanes with AVX2 and 512 with AVX-512.
//!
//! A program that is run gate by gate reads its operands from memory, and where they are from
//! memory, too. As code it has both in its instructions, values stay in registers for those that
//! read them next, and with AVX-512 one instruction computes what three bits decide, whatever it is:
//!
//! 1. [`ternary`]: a program as functions of three slots, some of them of two gates [`joined`];
//!    [`choice`]: so the choice among moves;
//! 2. [`mapping`]: these functions by the instructions of AVX2, which has none of three operands;
//! 3. [`registers`]: which values stand in registers, and when;
//! 4. [`step`]: what is done between programs, woven into them; [`push`] for many moves, if [`trial`]
//!    tells that it pays;
//! 5. [`assembler`]: the instructions, in memory that can be run.
//!
//! Code computes what the loops of [`execute`](super::execute) and [`uniform`](super::uniform) do,
//! bit by bit. It is made only with the feature `native` and where the processor has AVX2 or AVX-512 and the
//! system lets memory be run; without it these loops remain.

use super::program::Slot;

#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod assembler;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri), test))]
mod checker;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod choice;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod code;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod joined;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod mapping;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod push;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod registers;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod step;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod ternary;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri), test))]
mod tests;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
mod trial;

#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
pub(super) use code::Code;
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
pub(super) use step::{MANY, Places, StepCode, compile};
#[cfg(all(feature = "native", target_arch = "x86_64", not(miri)))]
pub(super) use trial::made_together;

#[cfg(not(all(feature = "native", target_arch = "x86_64", not(miri))))]
mod absent;
#[cfg(not(all(feature = "native", target_arch = "x86_64", not(miri))))]
pub(super) use absent::{Code, MANY, Places, StepCode, compile, made_together};

/// What the code of a step is told, by slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where a playout begins.
    pub begins: Slot,
    /// Where a step is made, if lanes wait for their turn.
    pub here: Slot,
    /// The first of some slots that nobody else uses.
    pub free: Slot,
    /// The slot with the first value of the first latch, where a playout begins; those of the others
    /// follow.
    pub first: Slot,
}
