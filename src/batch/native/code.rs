//! The code of a program.

use super::Step;
use super::assembler::{Assembler, Executable, MOST_SLOTS};
use super::registers;
use super::ternary::{Part, parts};
use crate::batch::plane::Plane;
use crate::batch::program::{Program, Slot};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Code for planes of 512 lanes. Copies share it.
#[derive(Clone)]
pub(in crate::batch) struct Code {
    executable: Arc<Executable>,
    steps: Box<[Step]>,
    /// How many slots memory must have.
    size: usize,
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of code", self.executable.len())
    }
}

impl Code {
    /// Whether code can be made and run here.
    pub fn is_available() -> bool {
        static AVAILABLE: OnceLock<bool> = OnceLock::new();
        let has_instructions = || {
            std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw")
        };
        *AVAILABLE.get_or_init(|| has_instructions() && Assembler::new().finish().is_ok())
    }

    /// The code of a program, after which `outputs` are read; none where it cannot be made.
    pub fn of(program: &Program, outputs: &[Slot]) -> Option<Code> {
        Code::of_parts(&parts(program), Some(program), outputs)
    }

    /// The code of parts, which are those of a program if there is one.
    pub(super) fn of_parts(
        parts: &[Part],
        program: Option<&Program>,
        outputs: &[Slot],
    ) -> Option<Code> {
        let named = parts.iter().filter_map(|part| match part {
            Part::Straight(functions) => Some(functions),
            Part::Circle(_) => None,
        });
        let named =
            named.flatten().flat_map(|function| function.from().iter().chain([&function.to]));
        let size = named.chain(outputs).max().map_or(0, |&slot| slot as usize + 1);
        let size = program.map_or(size, |program| size.max(program.size()));
        if !Code::is_available() || size > MOST_SLOTS {
            return None;
        }
        let mut assembler = Assembler::new();
        let mut begins =
            registers::write(parts, program, outputs, size, &mut assembler).into_iter();
        let step = |part: &Part| match part {
            Part::Straight(_) => begins.next().map(Step::Run),
            Part::Circle(block) => Some(Step::Repeat(*block)),
        };
        let steps = parts.iter().filter_map(step).collect();
        Some(Code { executable: Arc::new(assembler.finish().ok()?), steps, size })
    }

    /// What is to be done.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Runs a [`Step::Run`].
    ///
    /// # Panics
    ///
    /// When there are fewer slots than the code names, or they have another width.
    #[inline(always)]
    pub fn run<P: Plane>(&self, position: usize, memory: &mut [P]) {
        assert!(P::LANES == 512 && self.size <= memory.len(), "the code has its slots");
        debug_assert!(self.steps.contains(&Step::Run(position)));
        // SAFETY: a procedure begins where a step says; code was only made where the processor has
        // the instructions; all slots that it names are in memory, of planes that are registers.
        unsafe { self.executable.run(position, memory.as_mut_ptr().cast()) }
    }
}
