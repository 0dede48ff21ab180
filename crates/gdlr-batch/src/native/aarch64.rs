//! Instructions of AArch64, read and computed for tests, as far as code has them (Arm, *Architecture
//! Reference Manual*, DDI 0487: C6.2 for addresses, C7.2 for Advanced SIMD).

/// The registers of a processor.
struct Registers {
    /// Those of 128 bits, whose halves are the same.
    values: [u64; 32],
    /// Those of 64 bits: distances from the first slot in bytes, and numbers.
    addresses: [i64; 32],
}

/// How many bytes a slot takes.
const SLOT: i64 = 16;

/// Computes a procedure on slots, each of the same 64 bits in both halves of a register.
///
/// # Panics
///
/// When there is an instruction that code should not have.
pub(super) fn run(code: &[u8], memory: &mut [u64]) {
    // Elsewhere there is at first what is no value of a slot, and no address.
    let mut registers = Registers { values: [0x5a5a_5a5a_a5a5_a5a5; 32], addresses: [1; 32] };
    registers.addresses[0] = 0;
    for &bytes in code.as_chunks().0 {
        let word = u32::from_le_bytes(bytes);
        if word == 0xd65f_03c0 {
            return;
        }
        let is_known = registers.compute(word, memory) || registers.find_address(word);
        assert!(is_known, "an instruction {word:08x}");
    }
    panic!("a procedure ends");
}

/// A number of five bits.
fn field(word: u32, low: u32) -> usize {
    (word >> low & 0b1_1111) as usize
}

impl Registers {
    /// Whether an instruction computes or moves values, which is done.
    fn compute(&mut self, word: u32, memory: &mut [u64]) -> bool {
        let [to, a, b] = [field(word, 0), field(word, 5), field(word, 16)];
        // Twelve bits, counted in slots.
        let slot = || {
            let bytes = self.addresses[a];
            assert_eq!(bytes % SLOT, 0, "{word:08x} is of a slot");
            (bytes / SLOT) as usize + (word >> 10 & 0xfff) as usize
        };
        match word & 0xffc0_0000 {
            0x3dc0_0000 => self.values[to] = memory[slot()],
            0x3d80_0000 => memory[slot()] = self.values[to],
            // Registers of the caller, put aside and back: two of either kind, or one of values.
            0x6d80_0000 | 0x6cc0_0000 | 0xa980_0000 | 0xa8c0_0000 | 0xfc00_0000 | 0xfc40_0000
                if a == 31 => {}
            _ => {
                let [first, second] = [a, b].map(|from| self.values[from]);
                self.values[to] = match word & 0xffe0_fc00 {
                    0x4e20_1c00 => first & second,
                    0x4e60_1c00 => first & !second,
                    0x4ea0_1c00 => first | second,
                    0x6e20_1c00 => first ^ second,
                    _ if word & 0xffff_ffe0 == 0x4f00_e400 => 0,
                    _ => return false,
                };
            }
        }
        true
    }

    /// Whether an instruction makes an address, which is done.
    fn find_address(&mut self, word: u32) -> bool {
        let [to, a, b] = [field(word, 0), field(word, 5), field(word, 16)];
        let part = i64::from(word >> 5 & 0xffff) << ((word >> 21 & 3) * 16);
        let number = i64::from(word >> 10 & 0xfff) << ((word >> 22 & 1) * 12);
        let from = self.addresses[a];
        self.addresses[to] = match word {
            _ if word & 0xff80_0000 == 0xd280_0000 => part,
            _ if word & 0xff80_0000 == 0x9280_0000 => !part,
            _ if word & 0xff80_0000 == 0x9100_0000 => from + number,
            _ if word & 0xff80_0000 == 0xd100_0000 => from - number,
            _ if word & 0xffe0_fc00 == 0xcb00_0000 => from - self.addresses[b],
            _ => return false,
        };
        true
    }
}
