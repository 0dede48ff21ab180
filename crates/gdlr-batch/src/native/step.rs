//! The code of a step.
//!
//! They do the work of the loop between programs: legal moves are counted as soon as it is known
//! which are legal, and a latch gets its next value as soon as that is known and nobody asks for the
//! old one. So these values are still in registers.

use super::choice::Choice;
use super::code::{Code, Source};
use super::lut3::{Lut3, MORE_SLOTS, Part, Slots, parts, weave};
use super::push::Pushed;
use crate::entry::{Entry, StepSource};
use crate::layout::{Moves, Phase, latch_slot};
use crate::plane::Plane;
use crate::program::{Program, Slot};
use crate::token::Token;
use crate::width::Width;

/// The code of a step in a phase.
#[derive(Clone, Debug)]
pub(crate) struct StepCode {
    look: Code,
    /// None if the moves are found by `advance`.
    find: Option<Code>,
    /// Where playouts begin in any states.
    advance: Code,
    /// Where all of them begin in the game's initial state: of a latch, that is one operand less.
    advance_from_initial: Code,
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
    /// behind the last one.
    pub fn new(source: StepSource<'_>, end: &mut usize) -> Option<StepCode> {
        let StepSource { width, phase, entry, initial, pays, .. } = source;
        let mut slots = Slots::from((*end + MORE_SLOTS) as Slot);
        let choice =
            |moves: &Moves| (moves.legal.len() > 1).then(|| Choice::new(moves, &mut slots));
        let choices: Vec<Option<Choice>> = phase.choices.iter().map(choice).collect();
        let (mut founds, mut does) = (Vec::new(), Vec::new());
        for (moves, choice) in phase.choices.iter().zip(&choices) {
            let Some(choice) = choice else { continue };
            founds.extend(choice.find(moves, &mut slots));
            does.extend((moves.does..).take(moves.legal.len()));
        }
        let mut read = phase.read_of_state();
        let mut state = parts(&phase.state, entry.free, &read);
        let counts = choices.iter().flatten().flat_map(|choice| &choice.count);
        weave(&mut state, counts.map(|&function| vec![function]).collect(), true);
        for Choice { kept, total, .. } in choices.iter().flatten() {
            read.extend(kept.iter().chain(total));
        }
        let free = entry.free;
        let look = Code::of_source(
            width,
            Source { parts: &state, free, program: Some(&phase.state), outputs: &read },
        )?;

        let next = phase.next.read();
        // Others than those that are used again while moves are found.
        let mut slots = Slots::from(slots.end);
        let all = founds.iter().flat_map(|found| &found.functions).copied().collect();
        let pushed = pays.then(|| Pushed::new(&phase.moves, founds, &next, &mut slots)).flatten();
        *end = (slots.end as usize).max(*end);
        let both = |moves: &[Part], place: &dyn Fn(Slot) -> Slot| {
            Some([
                advance_code(&source, moves, First::InMemory, place)?,
                advance_code(&source, moves, First::Known(initial), place)?,
            ])
        };
        let ([advance, advance_from_initial], find) = match pushed {
            Some(pushed) => (both(&pushed.parts, &|slot| pushed.place(slot))?, None),
            None => {
                let find = [Part::straight(all)];
                let find = Code::of_source(
                    width,
                    Source { parts: &find, free, program: None, outputs: &does },
                )?;
                let moves = parts(&phase.moves, entry.free, &next);
                (both(&moves, &|slot| slot)?, Some(find))
            }
        };
        let places = |Choice { total, number, any, .. }: Choice| Places {
            total: total.into(),
            number: number.into(),
            any,
        };
        let places = choices.into_iter().map(|choice| choice.map(places)).collect();
        Some(StepCode { look, find, advance, advance_from_initial, places })
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
    pub fn look<P: Plane>(&self, token: Token<P>, phase: &Phase, memory: &mut [P]) {
        self.look.run(token, &phase.state, memory);
    }

    /// Writes which moves have the numbers that were drawn, unless that is left for
    /// [`StepCode::advance`]. Tells whether it is.
    #[inline(always)]
    pub fn find<P: Plane>(&self, token: Token<P>, phase: &Phase, memory: &mut [P]) -> bool {
        if let Some(find) = &self.find {
            find.run(token, &phase.moves, memory);
        }
        self.finds()
    }

    /// Whether [`StepCode::advance`] finds the moves with the numbers that were drawn.
    pub fn finds(&self) -> bool {
        self.find.is_none()
    }

    /// Makes the moves, as [`Entry`] has it; says whether all playouts begin in the initial state.
    #[inline(always)]
    pub fn advance<P: Plane>(
        &self,
        token: Token<P>,
        phase: &Phase,
        from_initial: bool,
        memory: &mut [P],
    ) {
        let advance = if from_initial { &self.advance_from_initial } else { &self.advance };
        advance.run(token, &phase.moves, memory);
    }
}

/// The code of moves with what brings the next values of latches into their places; `place` says where
/// values are.
fn advance_code(
    source: &StepSource<'_>,
    moves: &[Part],
    first: First<'_>,
    place: &dyn Fn(Slot) -> Slot,
) -> Option<Code> {
    let StepSource { width, phase, entry, waits, .. } = *source;
    let mut moves = moves.to_vec();
    let transfers = transfers(phase, entry, waits, first, place);
    let functions = transfers.iter().flatten();
    let latches: Vec<Slot> = functions.map(|function| function.to).collect();
    weave(&mut moves, transfers, false);
    let program = Some(&phase.moves);
    Code::of_source(width, Source { parts: &moves, free: entry.free, program, outputs: &latches })
}

/// The known values of latches where playouts begin.
#[derive(Clone, Copy)]
enum First<'a> {
    /// They are in the slots of [`Entry::first`].
    InMemory,
    /// By latch: the same one in all lanes.
    Known(&'a [bool]),
}

/// By latch that changes: how its next value comes into its place; `place` says where values are.
fn transfers(
    phase: &Phase,
    entry: Entry,
    waits: bool,
    first: First<'_>,
    place: impl Fn(Slot) -> Slot,
) -> Vec<Vec<Lut3>> {
    let begin = |to: Slot, from: Slot, negated: bool| {
        let latch = to - latch_slot(0);
        let value = move |begins, first, value: bool| if begins { first } else { value != negated };
        match first {
            First::InMemory => Lut3::of_three(to, [entry.begins, entry.first + latch, from], value),
            First::Known(first) => {
                let first = first[latch as usize];
                Lut3::of_two(to, [entry.begins, from], move |begins, now| value(begins, first, now))
            }
        }
    };
    let moved = |to: Slot, from: Slot, negated: bool| match waits {
        false => vec![begin(to, from, negated)],
        true => {
            let function = move |here, next: bool, now| if here { next != negated } else { now };
            vec![Lut3::of_three(to, [entry.here, from, to], function), begin(to, to, false)]
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
