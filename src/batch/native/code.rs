//! The code of a program, and of a choice.

use super::Step;
use super::assembler::{Assembler, Executable, MOST_SLOTS};
use super::choice::{Choice, Slots};
use super::registers;
use super::ternary::{Part, parts};
use crate::batch::layout::Moves;
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
        let size = outputs.iter().fold(program.size(), |size, &slot| size.max(slot as usize + 1));
        Code::of_parts(&parts(program), Some(program), outputs, size)
    }

    /// The code of parts, which are those of a program if there is one.
    pub(super) fn of_parts(
        parts: &[Part],
        program: Option<&Program>,
        outputs: &[Slot],
        size: usize,
    ) -> Option<Code> {
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

/// The code of the choices of a phase, of all roles that have several moves.
#[derive(Clone, Debug)]
pub(in crate::batch) struct Choosing {
    count: Code,
    find: Code,
    /// By choice of the phase, if it is one among several moves.
    places: Box<[Option<Places>]>,
}

/// Where the code of a choice reads and writes.
#[derive(Clone, Debug)]
pub(in crate::batch) struct Places {
    /// How many moves are legal, lowest bit first.
    pub total: Box<[Slot]>,
    /// The number that was drawn.
    pub number: Box<[Slot]>,
    /// Whether a move is legal.
    pub any: Slot,
}

impl Choosing {
    /// For choices, with slots from `end` on, which is moved behind the last one; none where code
    /// cannot be made.
    pub fn new(choices: &[Moves], end: &mut usize) -> Option<Choosing> {
        let mut slots = Slots::from(*end as Slot);
        let choice =
            |moves: &Moves| (moves.legal.len() > 1).then(|| Choice::new(&moves.legal, &mut slots));
        let all: Vec<Option<Choice>> = choices.iter().map(choice).collect();
        let (mut count, mut find) = (Vec::new(), Vec::new());
        let (mut counted, mut found) = (Vec::new(), Vec::new());
        for (moves, choice) in choices.iter().zip(&all) {
            let Some(choice) = choice else { continue };
            count.extend(&choice.count);
            counted.extend(choice.kept.iter().chain(&choice.total));
            find.extend(choice.find(&moves.legal, moves.made, &mut slots));
            found.extend((moves.made..).take(moves.legal.len()));
        }
        let places = |Choice { total, number, any, .. }: Choice| Places {
            total: total.into(),
            number: number.into(),
            any,
        };
        let places = all.into_iter().map(|choice| choice.map(places)).collect();
        let size = (slots.end as usize).max(*end);
        let code = |functions, outputs: &[Slot]| {
            Code::of_parts(&[Part::Straight(functions)], None, outputs, size)
        };
        let choosing =
            Choosing { count: code(count, &counted)?, find: code(find, &found)?, places };
        *end = size;
        Some(choosing)
    }

    /// By choice of the phase: where its count, and what is drawn, are.
    pub fn places(&self) -> &[Option<Places>] {
        &self.places
    }

    /// Counts the legal moves.
    #[inline(always)]
    pub fn count<P: Plane>(&self, memory: &mut [P]) {
        run_all(&self.count, memory);
    }

    /// Writes which moves have the numbers that were drawn.
    #[inline(always)]
    pub fn find<P: Plane>(&self, memory: &mut [P]) {
        run_all(&self.find, memory);
    }
}

/// Runs code without gates that depend on each other.
#[inline(always)]
fn run_all<P: Plane>(code: &Code, memory: &mut [P]) {
    for step in code.steps() {
        if let &Step::Run(position) = step {
            code.run(position, memory);
        }
    }
}
