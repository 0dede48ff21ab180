//! Instructions of AVX2 and AVX-512 in memory that can be run.

use super::mapping::Operation;
use super::target::{Location, Register, Target};
use crate::program::Slot;
use crate::width::Width;
use iced_x86::{Code, Encoder, Instruction, MemoryOperand, Register as Named};
use memmap2::{Mmap, MmapMut};
use std::io;
use std::sync::OnceLock;

/// How slots are named, by their distance from an address that procedures are told. A short distance is
/// a byte of an instruction, every other one four.
#[derive(Clone, Copy)]
struct Addresses {
    /// The bytes of a slot.
    slot: i64,
    /// The slot at the address: the first one with a negative distance is 0.
    middle: i64,
}

impl Addresses {
    fn of(width: Width) -> Addresses {
        let slot = (width.lanes() / 8) as i64;
        // AVX-512 counts short distances in slots, AVX2 in bytes.
        let middle = if width == Width::Avx512 { 128 } else { 128 / slot };
        Addresses { slot, middle }
    }
}

/// Writes instructions.
pub(super) struct Assembler {
    width: Width,
    addresses: Addresses,
    encoder: Encoder,
    position: usize,
}

/// The code of procedures, to be read.
pub(super) struct Written {
    code: Vec<u8>,
    addresses: Addresses,
}

/// The code of procedures, to be run.
pub(super) struct Executable {
    code: Mmap,
    addresses: Addresses,
}

impl Assembler {
    /// No instructions yet, for a width that has code.
    pub fn new(width: Width) -> Assembler {
        let addresses = Addresses::of(width);
        Assembler { width, addresses, encoder: Encoder::new(64), position: 0 }
    }

    /// The instructions.
    pub fn finish(mut self) -> Written {
        Written { code: self.encoder.take_buffer(), addresses: self.addresses }
    }

    /// Whether instructions that were just written can be run here.
    pub fn may_run() -> bool {
        static MAY_RUN: OnceLock<bool> = OnceLock::new();
        *MAY_RUN.get_or_init(|| Assembler::new(Width::Avx2).finish().executable().is_ok())
    }

    fn named(&self, register: Register) -> Named {
        let first = if self.has_lut3() { Named::ZMM0 } else { Named::YMM0 };
        first + u32::from(register.0)
    }

    fn add(&mut self, instruction: Result<Instruction, iced_x86::IcedError>) {
        let instruction = instruction.expect("the operands are those of the instruction");
        let size = self.encoder.encode(&instruction, self.position as u64);
        self.position += size.expect("distances have 32 bits");
    }

    fn memory(&self, slot: Slot) -> MemoryOperand {
        let Addresses { slot: size, middle } = self.addresses;
        MemoryOperand::with_base_displ(Named::RDI, (i64::from(slot) - middle) * size)
    }
}

impl Target for Assembler {
    fn registers(&self) -> usize {
        if self.has_lut3() { 32 } else { 16 }
    }

    fn has_lut3(&self) -> bool {
        self.width == Width::Avx512
    }

    fn begin(&mut self) -> usize {
        self.position
    }

    fn clear(&mut self, to: Register) {
        let to_itself = Location::Register(to);
        match self.has_lut3() {
            true => self.lut3(to, to, to_itself, 0),
            false => self.binary(Operation::Xor, to, to, to_itself),
        }
    }

    fn store(&mut self, slot: Slot, from: Register) {
        let code = match self.width {
            Width::Avx512 => Code::EVEX_Vmovdqa64_zmmm512_k1z_zmm,
            _ => Code::VEX_Vmovdqa_ymmm256_ymm,
        };
        self.add(Instruction::with2(code, self.memory(slot), self.named(from)));
    }

    fn copy(&mut self, to: Register, from: Location) {
        let code = match self.width {
            Width::Avx512 => Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512,
            _ => Code::VEX_Vmovdqa_ymm_ymmm256,
        };
        let to = self.named(to);
        self.add(match from {
            Location::Register(from) => Instruction::with2(code, to, self.named(from)),
            Location::Slot(slot) => Instruction::with2(code, to, self.memory(slot)),
        });
    }

    fn binary(&mut self, operation: Operation, to: Register, first: Register, second: Location) {
        let code = match operation {
            Operation::And => Code::VEX_Vpand_ymm_ymm_ymmm256,
            Operation::Or => Code::VEX_Vpor_ymm_ymm_ymmm256,
            Operation::Xor => Code::VEX_Vpxor_ymm_ymm_ymmm256,
            Operation::AndNot => Code::VEX_Vpandn_ymm_ymm_ymmm256,
        };
        let [to, first] = [to, first].map(|register| self.named(register));
        self.add(match second {
            Location::Register(second) => Instruction::with3(code, to, first, self.named(second)),
            Location::Slot(slot) => Instruction::with3(code, to, first, self.memory(slot)),
        });
    }

    fn lut3(&mut self, first: Register, second: Register, third: Location, table: u8) {
        let code = Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8;
        let [first, second] = [first, second].map(|register| self.named(register));
        let table = u32::from(table);
        self.add(match third {
            Location::Register(third) => {
                Instruction::with4(code, first, second, self.named(third), table)
            }
            Location::Slot(slot) => {
                Instruction::with4(code, first, second, self.memory(slot), table)
            }
        });
    }

    fn end(&mut self) {
        // Code with registers of 128 bits would wait for the rest of them.
        self.add(Ok(Instruction::with(Code::VEX_Vzeroupper)));
        self.add(Ok(Instruction::with(Code::Retnq)));
    }
}

impl Written {
    /// Makes the instructions run.
    ///
    /// # Errors
    ///
    /// When the system has no memory for them, or forbids to run what was written.
    pub fn executable(&self) -> io::Result<Executable> {
        let mut memory = MmapMut::map_anon(self.code.len().max(1))?;
        memory[..self.code.len()].copy_from_slice(&self.code);
        Ok(Executable { code: memory.make_exec()?, addresses: self.addresses })
    }

    /// The bytes.
    #[cfg(test)]
    pub fn code(&self) -> &[u8] {
        &self.code
    }

    /// The slot at a distance from the address that procedures are told, in bytes.
    #[cfg(test)]
    pub fn slot_at(&self, distance: i64) -> usize {
        let Addresses { slot, middle } = self.addresses;
        assert_eq!(distance % slot, 0, "a slot begins there");
        (distance / slot + middle) as usize
    }
}

impl Executable {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Runs the procedure that begins at a position.
    ///
    /// # Safety
    ///
    /// A procedure of [`Assembler`] begins there, the processor has its instructions, and all slots that it
    /// names are in the memory that begins at `slots`, aligned as one of its registers.
    #[inline(always)]
    pub unsafe fn run(&self, position: usize, slots: *mut u8) {
        // SAFETY: a procedure begins there, which takes one address, keeps the convention of
        // System V (it writes to no register but those of planes, and to the slots), and returns.
        // The address need not be in the memory, as it is only counted from.
        unsafe {
            let code = self.code.as_ptr().add(position);
            let procedure: extern "sysv64" fn(*mut u8) = std::mem::transmute(code);
            let Addresses { slot, middle } = self.addresses;
            procedure(slots.wrapping_offset((middle * slot) as isize));
        }
    }
}
