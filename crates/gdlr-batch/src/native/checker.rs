//! Whether code computes what it was made of, for tests.
//!
//! Code is computed on words of random bits, and so are the functions of which it was made, by their
//! tables. Instructions of AVX2 and AVX-512 are decoded again for that, so that code is checked for
//! processors that are not at hand, too; what was compiled is run. So mapping, allocation of registers
//! and encoding are checked. A value that is not the right one has the same 64 bits by chance
//! once in 2⁶⁴ times.

#[cfg(all(feature = "native", target_arch = "x86_64"))]
use super::assembler::Written;
use super::code::{Procedures, Source};
#[cfg(feature = "cranelift")]
use super::compiler;
#[cfg(all(feature = "native", target_arch = "x86_64"))]
use super::decoded::{Read, procedure, run};
use super::lut3::{FeedbackLoop, Lut3};
#[cfg(feature = "cranelift")]
use crate::plane::Plane;
use crate::plane::memory;
use crate::program::Slot;
#[cfg(feature = "cranelift")]
use crate::simd128::Simd128;
use crate::token::Token;
use gdlr_engine::play::seeded;
use rand::RngExt;

/// How often code is read, each time on other bits.
const TIMES: u64 = 3;

/// Checks instructions of AVX2 and AVX-512.
#[cfg(all(feature = "native", target_arch = "x86_64"))]
pub(super) fn check_written(source: Source<'_>, procedures: &Procedures, written: &Written) {
    let decoded: Vec<Vec<Read>> =
        procedures.begins.iter().map(|&begin| procedure(written, begin)).collect();
    let mut random = seeded(0, 1);
    check(source, procedures.size, |part, memory| {
        // Nothing is in a register where a procedure begins.
        let mut registers = [(); 32].map(|()| random.random());
        run(&decoded[part], &mut registers, memory);
    });
}

/// Checks what was compiled, which is run for that.
#[cfg(feature = "cranelift")]
pub(super) fn check_executable(
    source: Source<'_>,
    procedures: &Procedures,
    executable: &compiler::Executable,
) {
    let token = Token::<Simd128>::detect().expect("it needs nothing");
    let mut planes = vec![token.none(); procedures.size.max(1)];
    check(source, procedures.size, |part, memory| {
        for (plane, &word) in planes.iter_mut().zip(&*memory) {
            *plane = token.splat(word);
        }
        // SAFETY: a procedure begins there, which was compiled with instructions that this processor has, and
        // names no other slots than these. A plane is aligned as a register.
        unsafe { executable.run(procedures.begins[part], planes.as_mut_ptr().cast()) }
        for (plane, word) in planes.iter().zip(memory) {
            assert_eq!(plane.words()[0], plane.words()[1], "lanes are computed alike");
            *word = plane.words()[0];
        }
    });
}

/// Checks code that `run` computes, a part at a time, on a word for each of so many slots.
///
/// # Panics
///
/// When it does not compute what the parts say.
pub(super) fn check(
    Source { parts, program, outputs, .. }: Source<'_>,
    slots: usize,
    mut run: impl FnMut(usize, &mut [u64]),
) {
    let token = Token::portable();
    for time in 0..TIMES {
        let mut random = seeded(time, 0);
        let mut actual: Vec<u64> = memory(token, slots.max(1));
        actual[1..].fill_with(|| random.random());
        // Gates that depend on each other rise from what is false, and from nowhere else to an end.
        let blocks = program.iter().flat_map(|program| program.blocks());
        for fixpoint in blocks.filter_map(|block| block.fixpoint()) {
            fixpoint.own.iter().for_each(|&slot| actual[slot as usize] = 0);
        }
        let mut expected = actual.clone();
        for (at, part) in parts.iter().enumerate() {
            let mut run = |memory: &mut [u64]| run(at, memory);
            match (&part.feedback, part.here) {
                (&Some(FeedbackLoop { block, changed }), _) => {
                    let program = program.expect("what depends on itself is in a program");
                    let fixpoint = program.blocks()[block].fixpoint();
                    for memory in [&mut expected, &mut actual] {
                        if let Some(fixpoint) = fixpoint {
                            fixpoint.begin(token, memory);
                        }
                    }
                    repeat(&mut expected, changed, |memory| interpret(&part.functions, memory));
                    repeat(&mut actual, changed, run);
                }
                // Passed over as often as not.
                (None, Some(_)) if random.random() => {}
                (None, _) => {
                    interpret(&part.functions, &mut expected);
                    run(&mut actual);
                }
            }
        }
        for &slot in outputs {
            let slot = slot as usize;
            assert_eq!(actual[slot], expected[slot], "slot {slot} after {} parts", parts.len());
        }
    }
}

/// Computes until nothing changes, in fewer rounds than there are bits.
fn repeat(memory: &mut [u64], changed: Slot, mut compute: impl FnMut(&mut [u64])) {
    let mut rounds = 0;
    while rounds == 0 || memory[changed as usize] != 0 {
        compute(memory);
        rounds += 1;
        assert!(rounds <= 64 * memory.len(), "values rise to an end");
    }
}

/// Computes functions by their tables.
fn interpret(functions: &[Lut3], memory: &mut [u64]) {
    for function in functions {
        let mut from = [0; 3];
        for (value, &slot) in from.iter_mut().zip(function.from()) {
            *value = memory[slot as usize];
        }
        memory[function.to as usize] = of_table(function.table, from);
    }
}

/// The value of a function for three words, by its table.
pub(super) fn of_table(table: u8, [a, b, c]: [u64; 3]) -> u64 {
    (0..8).filter(|at| table >> at & 1 == 1).fold(0, |value, at| {
        let [a, b, c] =
            [(4, a), (2, b), (1, c)].map(|(bit, of)| if at & bit == 0 { !of } else { of });
        value | a & b & c
    })
}
