//! The code of a step.
//!
//! What the loop does between programs is done by them: legal moves are counted as soon as it is known
//! which are legal, and a latch gets its next value as soon as that is known and nobody asks for the
//! old one. So these values are still in registers.

use super::Entry;
use super::choice::Choice;
use super::code::Code;
use super::push::Pushed;
use super::ternary::{MORE_SLOTS, Part, Slots, Ternary, parts, weave};
use crate::layout::{Moves, Phase, latch_slot};
use crate::plane::Plane;
use crate::program::{Program, Slot};
use crate::width::Width;

/// Fewer moves than this are never passed over.
pub(crate) const MANY: usize = if cfg!(test) { 30 } else { 1000 };

/// Moves that are made in no lane are passed over if neighbours of which one is made are less than this
/// part of all. Beyond it, registers that are stored and read again cost more.
const FEW: f64 = if cfg!(test) { 2.0 } else { 0.6 };

/// The code of a step in a phase.
#[derive(Clone, Debug)]
pub(crate) struct StepCode {
    look: Code,
    /// None if the moves are found by `advance`.
    find: Option<Code>,
    advance: Code,
    /// By choice of the phase, if it is one among several moves.
    places: Box<[Option<Places>]>,
}

/// Where the code of a choice reads and writes.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// How many moves are legal, lowest bit first.
    pub total: Box<[Slot]>,
    /// The number that was drawn.
    pub number: Box<[Slot]>,
    /// Whether a move is legal.
    pub any: Slot,
}

impl StepCode {
    /// Makes the code of a phase, if it can be made. Slots are used from `end` on, which is moved
    /// behind the last one. If lanes may be in other phases they `wait` there; `made_together` is that
    /// of [`trial`](super::trial).
    pub fn new(
        width: Width,
        phase: &Phase,
        entry: Entry,
        waits: bool,
        made_together: f64,
        end: &mut usize,
    ) -> Option<StepCode> {
        let mut slots = Slots::from((*end + MORE_SLOTS) as Slot);
        let choice =
            |moves: &Moves| (moves.legal.len() > 1).then(|| Choice::new(moves, &mut slots));
        let choices: Vec<Option<Choice>> = phase.choices.iter().map(choice).collect();
        let (mut founds, mut made) = (Vec::new(), Vec::new());
        for (moves, choice) in phase.choices.iter().zip(&choices) {
            let Some(choice) = choice else { continue };
            founds.extend(choice.find(moves, &mut slots));
            made.extend((moves.made..).take(moves.legal.len()));
        }
        let mut read = phase.read_of_state();
        let mut state = parts(&phase.state, entry.free, &read);
        let counts = choices.iter().flatten().flat_map(|choice| &choice.count);
        weave(&mut state, counts.map(|&function| vec![function]).collect(), true);
        for Choice { kept, total, .. } in choices.iter().flatten() {
            read.extend(kept.iter().chain(total));
        }
        let look = Code::of_parts(width, &state, entry.free, Some(&phase.state), &read)?;

        let next = phase.next.read();
        // Others than those that are used again while moves are found.
        let mut slots = Slots::from(slots.end);
        let all = founds.iter().flat_map(|found| &found.functions).copied().collect();
        let pushed = (made.len() >= MANY && made_together < FEW)
            .then(|| Pushed::new(&phase.moves, founds, &next, &mut slots))
            .flatten();
        *end = (slots.end as usize).max(*end);
        let (mut moves, transfers, find) = match pushed {
            Some(pushed) => {
                let transfers = transfers(phase, entry, waits, |slot| pushed.place(slot));
                (pushed.parts, transfers, None)
            }
            None => {
                let transfers = transfers(phase, entry, waits, |slot| slot);
                let find = Code::of_parts(width, &[Part::straight(all)], entry.free, None, &made)?;
                (parts(&phase.moves, entry.free, &next), transfers, Some(find))
            }
        };
        let latches: Vec<Slot> = transfers.iter().flatten().map(|function| function.to).collect();
        weave(&mut moves, transfers, false);
        let advance = Code::of_parts(width, &moves, entry.free, Some(&phase.moves), &latches)?;
        let places = |Choice { total, number, any, .. }: Choice| Places {
            total: total.into(),
            number: number.into(),
            any,
        };
        let places = choices.into_iter().map(|choice| choice.map(places)).collect();
        Some(StepCode { look, find, advance, places })
    }

    /// Whether it is for planes like these.
    #[inline(always)]
    pub fn is_for<P: Plane>(&self) -> bool {
        self.look.is_for::<P>()
    }

    /// By choice of the phase: where its count, and what is drawn, are.
    pub fn places(&self) -> &[Option<Places>] {
        &self.places
    }

    /// Computes what there is to say about a state, and counts the legal moves.
    #[inline(always)]
    pub fn look<P: Plane>(&self, phase: &Phase, memory: &mut [P]) {
        self.look.run(&phase.state, memory);
    }

    /// Writes which moves have the numbers that were drawn, unless that is left for
    /// [`StepCode::advance`]. Tells whether it is.
    #[inline(always)]
    pub fn find<P: Plane>(&self, phase: &Phase, memory: &mut [P]) -> bool {
        if let Some(find) = &self.find {
            find.run(&phase.moves, memory);
        }
        self.finds()
    }

    /// Whether [`StepCode::advance`] finds the moves with the numbers that were drawn.
    pub fn finds(&self) -> bool {
        self.find.is_none()
    }

    /// Makes the moves, as [`Entry`] has it.
    #[inline(always)]
    pub fn advance<P: Plane>(&self, phase: &Phase, memory: &mut [P]) {
        self.advance.run(&phase.moves, memory);
    }
}

/// By latch that changes: how its next value comes into its place; `place` says where values are.
fn transfers(
    phase: &Phase,
    entry: Entry,
    waits: bool,
    place: impl Fn(Slot) -> Slot,
) -> Vec<Vec<Ternary>> {
    let first = |to: Slot| entry.first + (to - latch_slot(0));
    let begin = |to: Slot, from: Slot, negated: bool| {
        let function =
            move |begins, first, value: bool| if begins { first } else { value != negated };
        Ternary::of_three(to, [entry.begins, first(to), from], function)
    };
    let moved = |to: Slot, from: Slot, negated: bool| match waits {
        false => vec![begin(to, from, negated)],
        true => {
            let function = move |here, next: bool, now| if here { next != negated } else { now };
            vec![Ternary::of_three(to, [entry.here, from, to], function), begin(to, to, false)]
        }
    };
    let next = &phase.next;
    let plain = next.plain.iter().map(|next| moved(next.to, place(next.from), false));
    let negated = next.negated.iter().map(|next| moved(next.to, place(next.from), true));
    let held = next.held.iter().map(|&to| vec![begin(to, to, false)]);
    plain.chain(negated).chain(held).collect()
}

/// Makes the code of a program alone, with some more slots from `free` on, after which `outputs` are
/// read. Returns the first slot that is not used.
pub(crate) fn compile(width: Width, program: &mut Program, free: Slot, outputs: &[Slot]) -> usize {
    program.code = Code::of(width, program, free, outputs);
    free as usize + MORE_SLOTS
}
