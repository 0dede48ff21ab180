//! Whether code computes what it was made of: a reading of its bytes, for tests.
//!
//! Instructions are decoded again and computed on words of random bits, and so are the functions of which
//! they were made, by their tables. So mapping, allocation of registers and encoding are checked, also for
//! processors that are not at hand. A value that is not the right one has the same 64 bits by chance
//! once in 2⁶⁴ times.

use super::assembler::Written;
use super::ternary::{Circle, Part, Ternary};
use crate::plane::memory;
use crate::program::{Program, Slot};
use gdlr_engine::play::seeded;
use iced_x86::{Code, Decoder, DecoderOptions, Instruction, OpKind, Register};
use rand::RngExt;

/// How often code is read, each time on other bits.
const TIMES: u64 = 3;

/// An instruction, as far as it matters.
#[derive(Clone, Copy, Debug)]
enum Read {
    /// Writes the second one to the first one.
    Move([Where; 2]),
    /// Writes a function of two values.
    Binary(fn(u64, u64) -> u64, [Where; 3]),
    /// Makes the first of three values a function of them all, by its table.
    Ternary([Where; 3], u8),
    ZeroUpper,
    Return,
}

#[derive(Clone, Copy, Debug)]
enum Where {
    Register(usize),
    Slot(usize),
}

/// Checks code, whose procedures for the parts begin at `begins`, after which `outputs` are read, with
/// so many slots.
///
/// # Panics
///
/// When it does not compute what the parts say.
pub(super) fn check(
    written: &Written,
    begins: &[usize],
    parts: &[Part],
    program: Option<&Program>,
    outputs: &[Slot],
    slots: usize,
) {
    let procedures: Vec<Vec<Read>> =
        begins.iter().map(|&begin| procedure(written, begin)).collect();
    for time in 0..TIMES {
        let mut random = seeded(time, 0);
        let mut found: Vec<u64> = memory(slots.max(1));
        found[1..].fill_with(|| random.random());
        // Gates that depend on each other rise from what is false, and from nowhere else to an end.
        let blocks = program.iter().flat_map(|program| program.blocks());
        for fixpoint in blocks.filter_map(|block| block.fixpoint()) {
            fixpoint.own.iter().for_each(|&slot| found[slot as usize] = 0);
        }
        let mut expected = found.clone();
        let mut registers = [0; 32];
        for (part, procedure) in parts.iter().zip(&procedures) {
            // Nothing is in a register where a procedure begins.
            registers.fill_with(|| random.random());
            match (&part.circle, part.here) {
                (&Some(Circle { block, changed }), _) => {
                    let program = program.expect("what depends on itself is in a program");
                    let fixpoint = program.blocks()[block].fixpoint();
                    for memory in [&mut expected, &mut found] {
                        if let Some(fixpoint) = fixpoint {
                            fixpoint.begin(memory);
                        }
                    }
                    repeat(&mut expected, changed, |memory| interpret(&part.functions, memory));
                    repeat(&mut found, changed, |memory| run(procedure, &mut registers, memory));
                }
                // Passed over as often as not.
                (None, Some(_)) if random.random() => {}
                (None, _) => {
                    interpret(&part.functions, &mut expected);
                    run(procedure, &mut registers, &mut found);
                }
            }
        }
        for &slot in outputs {
            let slot = slot as usize;
            assert_eq!(found[slot], expected[slot], "slot {slot} after {} parts", parts.len());
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
fn interpret(functions: &[Ternary], memory: &mut [u64]) {
    for function in functions {
        let mut from = [0; 3];
        for (value, &slot) in from.iter_mut().zip(function.from()) {
            *value = memory[slot as usize];
        }
        memory[function.to as usize] = of_table(function.table, from);
    }
}

fn of_table(table: u8, [a, b, c]: [u64; 3]) -> u64 {
    (0..8).filter(|at| table >> at & 1 == 1).fold(0, |value, at| {
        let [a, b, c] =
            [(4, a), (2, b), (1, c)].map(|(bit, of)| if at & bit == 0 { !of } else { of });
        value | a & b & c
    })
}

/// The instructions of a procedure.
fn procedure(written: &Written, begin: usize) -> Vec<Read> {
    let code = &written.code()[begin..];
    let mut decoder = Decoder::with_ip(64, code, begin as u64, DecoderOptions::NONE);
    let mut procedure = Vec::new();
    loop {
        assert!(decoder.can_decode(), "a procedure ends");
        let read = read(written, &decoder.decode());
        procedure.push(read);
        if matches!(read, Read::Return) {
            return procedure;
        }
    }
}

fn read(written: &Written, instruction: &Instruction) -> Read {
    let at = |place: u32| match instruction.op_kind(place) {
        OpKind::Register => {
            let number = |first: Register, last: Register| {
                let register = instruction.op_register(place);
                (first..=last).contains(&register).then(|| register as usize - first as usize)
            };
            let ymm = number(Register::YMM0, Register::YMM15);
            let zmm = || number(Register::ZMM0, Register::ZMM31);
            Where::Register(ymm.or_else(zmm).expect("a register of a plane"))
        }
        OpKind::Memory => {
            assert_eq!(instruction.memory_base(), Register::RDI, "{instruction:?}");
            assert_eq!(instruction.memory_index(), Register::None, "{instruction:?}");
            Where::Slot(written.slot_at(instruction.memory_displacement64() as i64))
        }
        kind => panic!("an operand {kind:?} in {instruction:?}"),
    };
    let three = || [at(0), at(1), at(2)];
    match instruction.code() {
        Code::VEX_Vmovdqa_ymm_ymmm256
        | Code::VEX_Vmovdqa_ymmm256_ymm
        | Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512
        | Code::EVEX_Vmovdqa64_zmmm512_k1z_zmm => Read::Move([at(0), at(1)]),
        Code::VEX_Vpand_ymm_ymm_ymmm256 => Read::Binary(|a, b| a & b, three()),
        Code::VEX_Vpor_ymm_ymm_ymmm256 => Read::Binary(|a, b| a | b, three()),
        Code::VEX_Vpxor_ymm_ymm_ymmm256 => Read::Binary(|a, b| a ^ b, three()),
        Code::VEX_Vpandn_ymm_ymm_ymmm256 => Read::Binary(|a, b| !a & b, three()),
        Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8 => {
            Read::Ternary(three(), instruction.immediate8())
        }
        Code::VEX_Vzeroupper => Read::ZeroUpper,
        Code::Retnq => Read::Return,
        code => panic!("an instruction {code:?}"),
    }
}

/// Runs a procedure.
fn run(procedure: &[Read], registers: &mut [u64; 32], memory: &mut [u64]) {
    for &read in procedure {
        let value = |at: Where| match at {
            Where::Register(register) => registers[register],
            Where::Slot(slot) => memory[slot],
        };
        let (to, value) = match read {
            Read::Move([to, from]) => (to, value(from)),
            Read::Binary(function, [to, a, b]) => (to, function(value(a), value(b))),
            Read::Ternary(of, table) => (of[0], of_table(table, of.map(value))),
            Read::ZeroUpper => continue,
            Read::Return => return,
        };
        match to {
            Where::Register(register) => registers[register] = value,
            Where::Slot(slot) => memory[slot] = value,
        }
    }
}
