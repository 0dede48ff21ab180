//! The code of a program.

#[cfg(all(feature = "native", target_arch = "x86_64"))]
use super::assembler::{self, Assembler, Written};
#[cfg(feature = "cranelift")]
use super::compiler::{self, Compiler};
use super::lut3::{BETWEEN_FROM, FeedbackLoop, Part, parts};
use super::mapping::map;
use super::registers;
use super::symbolic::{self, Log};
use super::target::Target;
use crate::plane::Plane;
use crate::program::{Program, Slot};
use crate::token::Token;
use crate::width::Width;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The steps of a program with code, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Runs the procedure that begins here.
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

/// The most slots that code can name: their distances have 32 bits.
const MOST_SLOTS: usize = 1 << 24;

/// The source of code.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// The parts that are computed, one after the other.
    pub parts: &'a [Part],
    /// [`MORE_SLOTS`](super::lut3::MORE_SLOTS) from here on are for the code.
    pub free: Slot,
    /// The program that parts come from, if there is one.
    pub program: Option<&'a Program>,
    /// The slots that are read afterwards.
    pub outputs: &'a [Slot],
}

/// Procedures for the parts of a source.
pub(super) struct Procedures {
    /// By part: where its procedure begins, as the target has it.
    pub begins: Vec<usize>,
    /// How many slots are named.
    pub size: usize,
}

impl Source<'_> {
    /// Writes the procedures; nothing where there are too many slots.
    pub fn write<T: Target>(self, target: &mut T) -> Option<Procedures> {
        let Source { parts, free, program, outputs } = self;
        let mapped = match target.has_lut3() {
            true => Cow::Borrowed(parts),
            false => Cow::Owned(map(parts, free + BETWEEN_FROM)),
        };
        let functions = mapped.iter().flat_map(|part| &part.functions);
        let named = functions.flat_map(|function| function.from().iter().chain([&function.to]));
        let conditions = parts.iter().filter_map(|part| part.here.as_ref());
        let size =
            named.chain(outputs).chain(conditions).max().map_or(0, |&slot| slot as usize + 1);
        let size = program.map_or(size, |program| size.max(program.size()));
        if size > MOST_SLOTS {
            return None;
        }
        let begins = if cfg!(debug_assertions) {
            let mut log = Log::new(target);
            let begins = registers::write(&mapped, program, outputs, size, &mut log);
            let checked = symbolic::check(&mapped, program, outputs, size, &log.procedures);
            checked.unwrap_or_else(|wrong| panic!("registers are allocated wrong: {wrong:?}"));
            begins
        } else {
            registers::write(&mapped, program, outputs, size, target)
        };
        Some(Procedures { begins, size })
    }

    /// Procedures for AVX2 or AVX-512, which the processor need not have.
    #[cfg(all(feature = "native", target_arch = "x86_64"))]
    pub fn assemble(self, width: Width) -> Option<(Written, Procedures)> {
        let mut assembler = Assembler::new(width);
        let procedures = self.write(&mut assembler)?;
        let written = assembler.finish();
        #[cfg(test)]
        super::checker::check_written(self, &procedures, &written);
        Some((written, procedures))
    }

    /// Procedures of 128 bits.
    #[cfg(feature = "cranelift")]
    pub fn compile(self, mut compiler: Compiler) -> Option<(compiler::Executable, Procedures)> {
        let procedures = self.write(&mut compiler)?;
        let executable = compiler.finish()?;
        #[cfg(test)]
        super::checker::check_executable(self, &procedures, &executable);
        Some((executable, procedures))
    }
}

/// Procedures that can be run.
enum Executable {
    #[cfg(all(feature = "native", target_arch = "x86_64"))]
    Assembled(assembler::Executable),
    #[cfg(feature = "cranelift")]
    Compiled(compiler::Executable),
}

impl Executable {
    fn len(&self) -> usize {
        match self {
            #[cfg(all(feature = "native", target_arch = "x86_64"))]
            Executable::Assembled(executable) => executable.len(),
            #[cfg(feature = "cranelift")]
            Executable::Compiled(executable) => executable.len(),
        }
    }

    /// Runs the procedure that begins somewhere.
    ///
    /// # Safety
    ///
    /// One begins there, the processor has its instructions, and all slots that it names are in the memory
    /// that begins at `slots`, of planes of its width.
    #[inline(always)]
    unsafe fn run(&self, begin: usize, slots: *mut u8) {
        match self {
            #[cfg(all(feature = "native", target_arch = "x86_64"))]
            // SAFETY: as the caller says.
            Executable::Assembled(executable) => unsafe { executable.run(begin, slots) },
            #[cfg(feature = "cranelift")]
            // SAFETY: as the caller says.
            Executable::Compiled(executable) => unsafe { executable.run(begin, slots) },
        }
    }
}

impl Code {
    /// Whether this build makes code for a width.
    pub fn is_built(width: Width) -> bool {
        match width {
            Width::Portable => false,
            Width::Simd128 => cfg!(feature = "cranelift"),
            Width::Avx2 | Width::Avx512 => cfg!(all(feature = "native", target_arch = "x86_64")),
        }
    }

    /// Whether code for a width can be made and run here.
    pub fn is_available(width: Width) -> bool {
        match width {
            #[cfg(feature = "cranelift")]
            Width::Simd128 => Compiler::may_run(),
            #[cfg(all(feature = "native", target_arch = "x86_64"))]
            Width::Avx2 | Width::Avx512 => width.is_available() && Assembler::may_run(),
            _ => false,
        }
    }

    /// Whether it is for planes like these.
    #[inline(always)]
    pub fn is_for<P: Plane>(&self) -> bool {
        self.width.lanes() == P::LANES
    }

    /// The code of a program with [`MORE_SLOTS`](super::lut3::MORE_SLOTS) from `free` on, after which
    /// `outputs` are read; none where it cannot be made.
    pub fn of(width: Width, program: &Program, free: Slot, outputs: &[Slot]) -> Option<Code> {
        let parts = &parts(program, free, outputs);
        Code::of_source(width, Source { parts, free, program: Some(program), outputs })
    }

    /// The code of a source.
    pub(super) fn of_source(width: Width, source: Source<'_>) -> Option<Code> {
        if !Code::is_available(width) {
            return None;
        }
        let (executable, Procedures { begins, size }) = match width {
            #[cfg(all(feature = "native", target_arch = "x86_64"))]
            Width::Avx2 | Width::Avx512 => {
                let (written, procedures) = source.assemble(width)?;
                (Executable::Assembled(written.executable().ok()?), procedures)
            }
            #[cfg(feature = "cranelift")]
            Width::Simd128 => {
                let (executable, procedures) = source.compile(Compiler::new()?)?;
                (Executable::Compiled(executable), procedures)
            }
            _ => return None,
        };
        let step = |(part, begin): (&Part, usize)| match (&part.feedback, part.here) {
            (&Some(FeedbackLoop { block, changed }), _) => Step::Repeat { begin, block, changed },
            (None, Some(here)) => Step::RunWhere { begin, here },
            (None, None) => Step::Run(begin),
        };
        let steps = source.parts.iter().zip(begins).map(step).collect();
        Some(Code { width, executable: Arc::new(executable), steps, size })
    }

    /// Computes a program, or what stands beside it, on planes.
    ///
    /// # Panics
    ///
    /// When there are fewer slots than the code names, or they have another width.
    pub fn run<P: Plane>(&self, token: Token<P>, program: &Program, memory: &mut [P]) {
        assert!(self.is_for::<P>() && self.size <= memory.len(), "the code has its slots");
        token.enable(
            #[inline(always)]
            || {
                for step in &self.steps {
                    self.make(token, step, program, memory);
                }
            },
        );
    }

    #[inline(always)]
    fn make<P: Plane>(&self, token: Token<P>, step: &Step, program: &Program, memory: &mut [P]) {
        match *step {
            Step::Run(begin) => self.procedure(token, begin, memory),
            Step::RunWhere { begin, here } => {
                if !memory[here as usize].is_zero() {
                    self.procedure(token, begin, memory);
                }
            }
            Step::Repeat { begin, block, changed } => {
                if let Some(fixpoint) = program.blocks()[block].fixpoint() {
                    fixpoint.begin(token, memory);
                }
                loop {
                    self.procedure(token, begin, memory);
                    if memory[changed as usize].is_zero() {
                        return;
                    }
                }
            }
        }
    }

    /// Runs the procedure of a step, on as many slots as the code names at least.
    #[inline(always)]
    fn procedure<P: Plane>(&self, _: Token<P>, begin: usize, memory: &mut [P]) {
        debug_assert!(self.is_for::<P>() && self.size <= memory.len());
        // SAFETY: a procedure begins where a step says. `run` has seen that planes are as wide as those of the
        // code, so that the token proves that the processor has the instructions of AVX2 or AVX-512; those of
        // 128 bits were made for this processor. All slots that the procedure names are in memory, as `run`
        // has seen, too.
        unsafe { self.executable.run(begin, memory.as_mut_ptr().cast()) }
    }
}
