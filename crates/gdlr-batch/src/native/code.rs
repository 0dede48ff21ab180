//! The code of a program.

use super::assembler::{Assembler, Executable, MOST_SLOTS, Written};
use super::mapping::map;
use super::registers;
use super::ternary::{BETWEEN_FROM, Circle, Part, parts};
use crate::plane::Plane;
use crate::program::{Program, Slot};
use crate::width::Width;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// What a program with code does, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Runs the procedure that begins at this position.
    Run(usize),
    /// Runs one if a slot is true in any lane.
    RunWhere { begin: usize, here: Slot },
    /// Runs one again and again, as long as something changes: the gates of a block of the program,
    /// by its number, which depend on each other.
    Repeat {
        begin: usize,
        block: usize,
        /// The slot that says in which lanes one has changed.
        changed: Slot,
    },
}

/// Code for planes of a width. Copies share it.
#[derive(Clone)]
pub(crate) struct Code {
    width: Width,
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

/// Code that is not yet to be run.
pub(super) struct Bytes {
    written: Written,
    /// By part: where its procedure begins.
    begins: Vec<usize>,
    /// How many slots it names.
    size: usize,
}

impl Bytes {
    /// See [`Code::of_parts`]. The processor need not have the instructions.
    pub fn of_parts(
        width: Width,
        parts: &[Part],
        free: Slot,
        program: Option<&Program>,
        outputs: &[Slot],
    ) -> Option<Bytes> {
        let mapped = match width {
            Width::Avx512 => Cow::Borrowed(parts),
            _ => Cow::Owned(map(parts, free + BETWEEN_FROM)),
        };
        let functions = mapped.iter().flat_map(|part| &part.functions);
        let named = functions.flat_map(|function| function.from().iter().chain([&function.to]));
        let told = parts.iter().filter_map(|part| part.here.as_ref());
        let size = named.chain(outputs).chain(told).max().map_or(0, |&slot| slot as usize + 1);
        let size = program.map_or(size, |program| size.max(program.size()));
        if size > MOST_SLOTS {
            return None;
        }
        let mut assembler = Assembler::new(width);
        let begins = registers::write(&mapped, program, outputs, size, &mut assembler);
        let written = assembler.finish();
        #[cfg(test)]
        super::checker::check(&written, &begins, parts, program, outputs, size);
        Some(Bytes { written, begins, size })
    }
}

impl Code {
    /// Whether code for a width can be made and run here.
    pub fn is_available(width: Width) -> bool {
        static MAY_RUN: OnceLock<bool> = OnceLock::new();
        let may_run =
            || *MAY_RUN.get_or_init(|| Assembler::new(Width::Avx2).finish().executable().is_ok());
        width != Width::Portable && width.is_available() && may_run()
    }

    /// Whether it is for planes like these.
    #[inline(always)]
    pub fn is_for<P: Plane>(&self) -> bool {
        self.width.lanes() == P::LANES
    }

    /// The code of a program with [`MORE_SLOTS`](super::ternary::MORE_SLOTS) from `free` on, after which
    /// `outputs` are read; none where it cannot be made.
    pub fn of(width: Width, program: &Program, free: Slot, outputs: &[Slot]) -> Option<Code> {
        Code::of_parts(width, &parts(program, free, outputs), free, Some(program), outputs)
    }

    /// The code of parts, which are those of a program if there is one.
    pub(super) fn of_parts(
        width: Width,
        parts: &[Part],
        free: Slot,
        program: Option<&Program>,
        outputs: &[Slot],
    ) -> Option<Code> {
        let Bytes { written, begins, size } =
            Bytes::of_parts(width, parts, free, program, outputs)?;
        if !Code::is_available(width) {
            return None;
        }
        let step = |(part, begin): (&Part, usize)| match (&part.circle, part.here) {
            (&Some(Circle { block, changed }), _) => Step::Repeat { begin, block, changed },
            (None, Some(here)) => Step::RunWhere { begin, here },
            (None, None) => Step::Run(begin),
        };
        let steps = parts.iter().zip(begins).map(step).collect();
        Some(Code { width, executable: Arc::new(written.executable().ok()?), steps, size })
    }

    /// Computes a program, or what stands beside it, on planes.
    ///
    /// # Panics
    ///
    /// When there are fewer slots than the code names, or they have another width.
    pub fn run<P: Plane>(&self, program: &Program, memory: &mut [P]) {
        assert!(self.is_for::<P>() && self.size <= memory.len(), "the code has its slots");
        P::enable(
            #[inline(always)]
            || {
                for step in &self.steps {
                    self.make(step, program, memory);
                }
            },
        );
    }

    #[inline(always)]
    fn make<P: Plane>(&self, step: &Step, program: &Program, memory: &mut [P]) {
        match *step {
            Step::Run(begin) => self.procedure(begin, memory),
            Step::RunWhere { begin, here } => {
                if !memory[here as usize].is_zero() {
                    self.procedure(begin, memory);
                }
            }
            Step::Repeat { begin, block, changed } => {
                if let Some(fixpoint) = program.blocks()[block].fixpoint() {
                    fixpoint.begin(memory);
                }
                loop {
                    self.procedure(begin, memory);
                    if memory[changed as usize].is_zero() {
                        return;
                    }
                }
            }
        }
    }

    /// Runs the procedure of a step, on as many slots as the code names at least.
    #[inline(always)]
    fn procedure<P: Plane>(&self, begin: usize, memory: &mut [P]) {
        debug_assert!(self.size <= memory.len());
        // SAFETY: a procedure begins where a step says; code was only made where the processor has
        // the instructions; all slots that it names are in memory, of planes that are registers, as
        // `run` has seen.
        unsafe { self.executable.run(begin, memory.as_mut_ptr().cast()) }
    }
}
