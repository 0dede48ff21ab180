//! Random playouts by machine code: the moves of a state are listed as words, and one of them is
//! played.

use super::code::{Plays, Procedure};
use super::host::{Context, DONE, FOUND};
use super::listing::MORE_FUEL;
use super::word_list::WordList;
use crate::rg::interpreter::automaton::Automaton;
use crate::rg::interpreter::error::PlayError;
use crate::rg::interpreter::program::{END, NodeId, Symbol};
use crate::rg::interpreter::search::Search;
use crate::rg::interpreter::state::{State, Turn};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ptr::null_mut;

/// The greatest number of moves of the keeper in a row. A keeper that plays more may play for ever.
const MOST_KEPT: u32 = 64;

/// The greatest credit of machine code. A move earns 1, and a state that is left to the list of
/// moves costs [`FAILURE`]. Without credit no state is tried.
const CREDIT: i32 = 64;
const FAILURE: i32 = 4;

/// The memory of random playouts.
#[derive(Clone, Debug)]
pub struct Playing {
    list: WordList,
    credit: i32,
}

impl Default for Playing {
    fn default() -> Playing {
        Playing { list: WordList::default(), credit: CREDIT }
    }
}

impl Automaton {
    /// As [`Automaton::play_ahead`].
    pub(in crate::rg::interpreter) fn play_words(
        &self,
        search: &mut Search<'_>,
        state: &mut State,
        rng: &mut Xoshiro256PlusPlus,
        most: u64,
        halted: &mut dyn FnMut() -> bool,
    ) -> Result<u64, PlayError> {
        let Some(native) = &self.native else { return Ok(0) };
        if search.native.playing.credit < 0 {
            return Ok(0);
        }
        search.enter(self, state);
        let fuel = self.remembered_after.saturating_mul(MORE_FUEL) as i64;
        let (mut played, mut kept) = (0, 0);
        while state.node != END {
            let Search { registers, native: memory, watch, .. } = &mut *search;
            let Playing { list, credit } = &mut memory.playing;
            let mut run =
                Run::of(native.plays(state.node), registers, state, list, (native.deepest(), fuel));
            let next = match self.turn(state) {
                Turn::End => break,
                Turn::Keeper if kept == MOST_KEPT => break,
                Turn::Keeper => {
                    kept += 1;
                    run.keep()
                }
                Turn::Random | Turn::Player(_) => {
                    if played == most || halted() {
                        break;
                    }
                    kept = 0;
                    let before = rng.clone();
                    let next = run.play_any(rng);
                    match next {
                        Some(_) => played += 1,
                        None => *rng = before,
                    }
                    next
                }
            };
            let steps = fuel.saturating_sub(run.context.fuel.max(0)) as u64;
            let Some(node) = next else {
                *credit -= FAILURE;
                break;
            };
            *credit = (*credit + 1).min(CREDIT);
            watch.begin()?;
            watch.end(steps);
            state.node = node;
            state.values.copy_from_slice(&registers[..state.values.len()]);
        }
        Ok(played)
    }
}

/// A move from a state. If there is none, the registers are lost.
struct Run<'r> {
    plays: Plays,
    registers: &'r mut [Symbol],
    state: &'r State,
    list: &'r mut WordList,
    context: Context,
}

impl<'r> Run<'r> {
    fn of(
        plays: Plays,
        registers: &'r mut [Symbol],
        state: &'r State,
        list: &'r mut WordList,
        (deepest, fuel): (usize, i64),
    ) -> Run<'r> {
        let mut context = Context::new(deepest, fuel);
        list.begin(&mut context);
        Run { plays, registers, state, list, context }
    }

    /// Calls a function with a word, and with the place of other words.
    fn call(&mut self, function: Procedure, word: u64, words: *mut u64) -> i64 {
        let registers = self.registers.as_mut_ptr();
        // SAFETY: the registers belong to the automaton that was compiled, and the list of words
        // has the room that the context says.
        let result =
            unsafe { function(registers, &mut self.context, word as _, null_mut(), 0, words) };
        i64::from(result)
    }

    /// Plays the only move. Returns the node at which it ends.
    fn keep(&mut self) -> Option<NodeId> {
        match self.plays.first {
            Some(first) => {
                let is_played = self.call(first, 0, self.context.full_words) == FOUND;
                is_played.then_some(self.context.node)
            }
            None => (self.list()? == 1).then(|| self.play(0, 0))?,
        }
    }

    /// Plays one of the moves, each with the same probability. Returns the node at which it ends.
    fn play_any(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<NodeId> {
        match self.list()? {
            0 => None,
            1 => self.play(0, 0),
            count => self.play(rng.random_range(0..count), 0),
        }
    }

    /// Lists the moves, each once. Returns their number. `None` if machine code gives up, or if
    /// walks with the same tags lead to different states.
    fn list(&mut self) -> Option<usize> {
        if self.call(self.plays.words?, 0, self.context.full_words) != DONE {
            return None;
        }
        let listed = self.list.count(&self.context);
        if listed < 2 {
            return Some(listed);
        }
        let count = self.list.distinct(listed);
        if count < listed {
            for (place, walks) in self.list.repeated() {
                self.compare(place, walks)?;
            }
        }
        Some(count)
    }

    /// Tests that several walks with the same tags lead to the same state.
    fn compare(&mut self, place: usize, walks: usize) -> Option<()> {
        let state = self.state;
        let mut first: Option<(NodeId, Box<[Symbol]>)> = None;
        for walk in 0..walks {
            let node = self.play(place, walk as u64)?;
            let end = &mut self.registers[..state.values.len()];
            match &first {
                None => first = Some((node, (&*end).into())),
                Some((other, values)) if (*other, &**values) == (node, &*end) => {}
                Some(_) => return None,
            }
            end.copy_from_slice(&state.values);
        }
        Some(())
    }

    /// Plays the move at a place of the list, by the walk after so many others with its tags.
    fn play(&mut self, place: usize, others: u64) -> Option<NodeId> {
        let (word, more) = self.list.word(place);
        let more = more.as_ptr_range();
        self.context.end_of_full_words = more.end.cast_mut();
        self.context.skipped = others;
        let is_played = self.call(self.plays.play?, word, more.start.cast_mut()) == FOUND;
        is_played.then_some(self.context.node)
    }
}
