//! Programs as machine code, made at set-up: for 128 lanes with the registers of any processor of 64
//! bits, for 256 with AVX2, for 512 with AVX-512.
//!
//! A program that is run gate by gate reads its operands from memory, and where they are from
//! memory, too. As code it has both in its instructions, values stay in registers for those that
//! read them next, and with AVX-512 one instruction computes what three bits decide, whatever it is:
//!
//! 1. [`lut3`]: a program as functions of three slots, some of them of two gates [fused](fusion);
//!    [`choice`]: so the choice among moves;
//! 2. [`mapping`]: these functions by instructions of two operands, where there are no others;
//! 3. [`registers`]: which values stand in registers, and when; [`symbolic`] checks that in builds with debug
//!    assertions;
//! 4. [`step`]: what is done between programs, woven into them; [`push`] for many moves, if [`trial`]
//!    tells that it pays;
//! 5. [`target`]: what instructions are written for. `assembler` writes those of AVX2 and AVX-512,
//!    with the feature `native`; `compiler` gives those of 128 bits to Cranelift, which knows x86-64
//!    and AArch64, with the feature `cranelift`.
//!
//! Code computes what the loops of [`execute`](super::execute) and [`uniform`](super::uniform) do,
//! bit by bit. It is made only where the processor has the instructions and the system lets memory be
//! run that was written; without it these loops remain.

#[cfg(all(feature = "cranelift", test))]
mod aarch64;
#[cfg(all(feature = "native", target_arch = "x86_64"))]
mod assembler;
#[cfg(test)]
mod checker;
mod choice;
mod code;
#[cfg(feature = "cranelift")]
mod compiler;
#[cfg(all(feature = "native", target_arch = "x86_64", test))]
mod decoded;
mod fusion;
mod lut3;
mod mapping;
mod push;
mod registers;
mod step;
mod symbolic;
mod target;
#[cfg(test)]
mod tests;
mod trial;

pub(super) use code::Code;
pub(super) use step::{Places, StepCode, compile};
pub(super) use trial::made_together;
