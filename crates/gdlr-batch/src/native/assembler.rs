//! Instructions of AVX-512 in memory that can be run.

use crate::program::Slot;
use iced_x86::{Code, Encoder, Instruction, MemoryOperand, Register as Named};
use memmap2::{Mmap, MmapMut};
use std::io;

/// One of 32 registers of 512 bits, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register(pub u8);

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Register(Register),
    Slot(Slot),
}

/// The bytes of a slot.
const SLOT: i64 = 64;

/// The slot that the procedures are told the address of. A distance of -128 to 127 slots is a byte
/// of an instruction, every other one four.
const MIDDLE: i64 = 128;

/// The most slots that code can name: their distances have 32 bits.
pub(super) const MOST_SLOTS: usize = 1 << 24;

/// Writes instructions.
pub(super) struct Assembler {
    encoder: Encoder,
    position: usize,
}

/// The code of procedures.
pub(super) struct Executable(Mmap);

impl Register {
    fn named(self) -> Named {
        Named::ZMM0 + u32::from(self.0)
    }
}

impl Assembler {
    /// No instructions yet.
    pub fn new() -> Assembler {
        Assembler { encoder: Encoder::new(64), position: 0 }
    }

    /// How many bytes there are.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Reads a slot.
    pub fn load(&mut self, to: Register, slot: Slot) {
        self.copy(to, Place::Slot(slot));
    }

    /// Writes a slot.
    pub fn store(&mut self, slot: Slot, from: Register) {
        let code = Code::EVEX_Vmovdqa64_zmmm512_k1z_zmm;
        self.add(Instruction::with2(code, memory(slot), from.named()));
    }

    /// Copies a value.
    pub fn copy(&mut self, to: Register, from: Place) {
        let code = Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512;
        self.add(match from {
            Place::Register(from) => Instruction::with2(code, to.named(), from.named()),
            Place::Slot(slot) => Instruction::with2(code, to.named(), memory(slot)),
        });
    }

    /// Makes the first of three values a function of them all, by its table.
    pub fn ternary(&mut self, first: Register, second: Register, third: Place, table: u8) {
        let code = Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8;
        let (first, second, table) = (first.named(), second.named(), u32::from(table));
        self.add(match third {
            Place::Register(third) => Instruction::with4(code, first, second, third.named(), table),
            Place::Slot(slot) => Instruction::with4(code, first, second, memory(slot), table),
        });
    }

    /// Ends a procedure.
    pub fn end(&mut self) {
        // Code with registers of 128 bits would wait for the rest of them.
        self.add(Ok(Instruction::with(Code::VEX_Vzeroupper)));
        self.add(Ok(Instruction::with(Code::Retnq)));
    }

    fn add(&mut self, instruction: Result<Instruction, iced_x86::IcedError>) {
        let instruction = instruction.expect("the operands are those of the instruction");
        let size = self.encoder.encode(&instruction, self.position as u64);
        self.position += size.expect("distances have 32 bits");
    }

    /// Makes the instructions run.
    ///
    /// # Errors
    ///
    /// When the system has no memory for them, or forbids to run what was written.
    pub fn finish(mut self) -> io::Result<Executable> {
        let code = self.encoder.take_buffer();
        let mut memory = MmapMut::map_anon(code.len().max(1))?;
        memory[..code.len()].copy_from_slice(&code);
        Ok(Executable(memory.make_exec()?))
    }
}

fn memory(slot: Slot) -> MemoryOperand {
    MemoryOperand::with_base_displ(Named::RDI, (i64::from(slot) - MIDDLE) * SLOT)
}

impl Executable {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Runs the procedure that begins at a position.
    ///
    /// # Safety
    ///
    /// A procedure of [`Assembler`] begins there, the processor has AVX-512, and all slots that it
    /// names are in the memory that begins at `slots`, aligned as one of its registers.
    #[inline(always)]
    pub unsafe fn run(&self, position: usize, slots: *mut u8) {
        // SAFETY: a procedure begins there, which takes one address, keeps the convention of
        // System V (it writes to no register but those of 512 bits, and to the slots), and returns.
        // The address need not be in the memory, as it is only counted from.
        unsafe {
            let code = self.0.as_ptr().add(position);
            let procedure: extern "sysv64" fn(*mut u8) = std::mem::transmute(code);
            procedure(slots.wrapping_offset((MIDDLE * SLOT) as isize));
        }
    }
}
