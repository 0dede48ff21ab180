//! Instructions of AVX2 and AVX-512, read again and computed, for the [checker](super::checker).

use super::assembler::Written;
use super::checker::of_table;
use iced_x86::{Code, Decoder, DecoderOptions, Instruction, OpKind, Register};

/// An instruction, as far as it matters.
#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    /// Writes the second one to the first one.
    Move([Where; 2]),
    /// Writes a function of two values.
    Binary(fn(u64, u64) -> u64, [Where; 3]),
    /// Makes the first of three values a function of them all, by its table.
    Lut3([Where; 3], u8),
    ZeroUpper,
    Return,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Where {
    Register(usize),
    Slot(usize),
}

/// The instructions of a procedure.
pub(super) fn procedure(written: &Written, begin: usize) -> Vec<Read> {
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
            Read::Lut3(three(), instruction.immediate8())
        }
        Code::VEX_Vzeroupper => Read::ZeroUpper,
        Code::Retnq => Read::Return,
        code => panic!("an instruction {code:?}"),
    }
}

/// Runs a procedure.
pub(super) fn run(procedure: &[Read], registers: &mut [u64; 32], memory: &mut [u64]) {
    for &read in procedure {
        let value = |at: Where| match at {
            Where::Register(register) => registers[register],
            Where::Slot(slot) => memory[slot],
        };
        let (to, value) = match read {
            Read::Move([to, from]) => (to, value(from)),
            Read::Binary(function, [to, a, b]) => (to, function(value(a), value(b))),
            Read::Lut3(of, table) => (of[0], of_table(table, of.map(value))),
            Read::ZeroUpper => continue,
            Read::Return => return,
        };
        match to {
            Where::Register(register) => registers[register] = value,
            Where::Slot(slot) => memory[slot] = value,
        }
    }
}
