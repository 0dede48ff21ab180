//! Machine code for programs, made at set-up: for 128 lanes on any processor of 64 bits, for 256 lanes with AVX2, and for
//! 512 lanes with AVX-512.
//!
//! A loop over gates reads the operands of a gate from memory, and the places of the operands, too. In machine code the
//! places are part of the instructions, and values stay in registers until their next use. With AVX-512 one instruction computes
//! any function of three bits. These steps make the code:
//!
//! 1. [`lut3`] writes a program as functions of three slots, and [`fusion`] makes one function of two gates. [`choice`] does
//!    the same for the choice among moves.
//! 2. [`mapping`] writes the functions by instructions of two operands, if the processor has no others.
//! 3. [`registers`] decides which values are in registers, and when. [`symbolic`] checks the result in builds with debug
//!    assertions.
//! 4. [`step`] interleaves the work between programs with them. In games of many moves, [`push`] passes over moves that no lane
//!    makes, if [`trial`] finds that it pays.
//! 5. [`target`] is the set of instructions. `assembler` writes those of AVX2 and AVX-512 (feature `native`). `compiler` gives
//!    functions of 128 bits to Cranelift, which writes code for x86-64 and AArch64 (feature `cranelift`).
//!
//! The code computes the same bits as the loops of [`execute`](super::execute) and [`uniform`](super::uniform). It is made
//! only if the processor has the instructions, and if the system lets a program run memory that it has written. Otherwise the
//! loops are used.

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
