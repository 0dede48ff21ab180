//! Random playouts by machine code: the moves of a state are listed as words, and one of them is
//! played.

use super::choice_sets::{CurrentSets, MOST_ASSIGNED};
use super::code::{Native, Plays, Procedure};
use super::host::{Context, DONE, FOUND, Memory};
use super::listing::MORE_FUEL;
use super::told_apart::Told;
use super::word_list::WordList;
use crate::rg::interpreter::automaton::Automaton;
use crate::rg::interpreter::error::PlayError;
use crate::rg::interpreter::program::{END, NodeId, PLAYER, Register, Symbol};
use crate::rg::interpreter::search::Search;
use crate::rg::interpreter::state::State;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::Range;
use std::ptr::null_mut;

/// The greatest number of moves of the keeper in a row. A keeper that plays more may play for ever.
const MOST_KEPT: u32 = 64;

/// The greatest credit of machine code. A move earns 1, and a state that is left to the list of
/// moves costs [`FAILURE`]. Without credit no state is tried.
const CREDIT: i32 = 64;
const FAILURE: i32 = 4;

/// The greatest number of walks of a state that are played to find out whether they are the same move
/// as others. The list of moves with their names takes less time for more. (In Backgammon, 8 to 64
/// make no difference, and 256 cost a tenth.)
const MOST_REPEATED: usize = 32;

/// The number of moves after which a playout asks whether it must stop, and saves its state.
const ASKED: u64 = 8;

/// The memory of random playouts.
#[derive(Clone, Debug)]
pub struct Playing {
    list: WordList,
    sets: CurrentSets,
    /// The registers that the last move has assigned to.
    assigned: Vec<Register>,
    credit: i32,
}

impl Default for Playing {
    fn default() -> Playing {
        Playing {
            list: WordList::default(),
            sets: CurrentSets::default(),
            assigned: vec![0; MOST_ASSIGNED],
            credit: CREDIT,
        }
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
        if self.native.is_none() || search.native.playing.credit < 0 {
            return Ok(0);
        }
        let Ahead { played, lost } = self.run_ahead((search, state), rng, most, halted)?;
        let again = match lost {
            0 => 0,
            _ => self.run_ahead((search, state), rng, lost, &mut || false)?.played,
        };
        Ok(played + again)
    }

    /// As [`Automaton::play_ahead`]. If a move is not found, `state` is one of the states before it.
    fn run_ahead(
        &self,
        (search, state): (&mut Search<'_>, &mut State),
        rng: &mut Xoshiro256PlusPlus,
        most: u64,
        halted: &mut dyn FnMut() -> bool,
    ) -> Result<Ahead, PlayError> {
        let Some(native) = &self.native else { return Ok(Ahead::default()) };
        search.enter(self, state);
        let Search { registers, native: Memory { playing, marks, .. }, watch, .. } = search;
        let Playing { list, sets, assigned, credit } = playing;
        let fuel = self.remembered_after.saturating_mul(MORE_FUEL) as i64;
        let context = Context::new(native, marks, fuel);
        let registers = (&mut registers[..], state.values.len());
        let mut run = Run::of(native, registers, (list, sets, assigned), context);
        let (mut node, mut played) = (state.node, 0);
        loop {
            run.save(state, node);
            let before = rng.clone();
            let is_next = played == most || halted();
            let count = if is_next { 0 } else { ASKED.min(most - played) };
            let part = run.play_part(self, node, count, rng);
            *credit = (*credit).saturating_add(part.played as i32).min(CREDIT);
            watch.pass(part.steps)?;
            match part.next {
                Some(next) => node = next,
                None => {
                    *credit -= FAILURE;
                    *rng = before;
                    return Ok(Ahead { played, lost: part.played.saturating_sub(1) });
                }
            }
            played += part.played;
            if part.played < count || count == 0 {
                run.save(state, node);
                return Ok(Ahead { played, lost: 0 });
            }
        }
    }

    /// Plays moves of the keeper from a state that is entered, as far as that goes without a choice.
    /// Returns their number. `state` becomes the last state.
    pub(in crate::rg::interpreter) fn keep_ahead(
        &self,
        search: &mut Search<'_>,
        state: &mut State,
    ) -> u64 {
        let Some(native) = &self.native else { return 0 };
        let Search { registers, native: Memory { playing, marks, .. }, .. } = search;
        let Playing { list, sets, assigned, credit } = playing;
        if *credit < 0 {
            return 0;
        }
        let fuel = self.remembered_after.saturating_mul(MORE_FUEL) as i64;
        let context = Context::new(native, marks, fuel);
        let registers = (&mut registers[..], state.values.len());
        let mut run = Run::of(native, registers, (list, sets, assigned), context);
        let (mut node, mut kept) = (state.node, 0);
        while node != END
            && kept < MOST_KEPT
            && self.is_kept_by(run.registers[PLAYER as usize])
            && native.plays(node).first.is_some()
        {
            let Some(next) = run.keep(node) else {
                *credit -= FAILURE;
                run.registers[..state.values.len()].copy_from_slice(&state.values);
                return 0;
            };
            (node, kept) = (next, kept + 1);
        }
        run.save(state, node);
        u64::from(kept)
    }
}

/// Random moves.
#[derive(Default)]
struct Ahead {
    /// The number of moves up to the state.
    played: u64,
    /// The number of moves after the state that have to be played again: machine code gave up after
    /// them, and the registers are lost.
    lost: u64,
}

/// Some moves of a playout.
struct Part {
    /// The number of moves. The keeper's are not counted. If there are fewer than asked for, the play
    /// has ended, or the keeper moves for too long.
    played: u64,
    /// The node at the end. `None` if the last move is not found.
    next: Option<NodeId>,
    /// The fuel that was used.
    steps: u64,
}

/// A playout under way. If a move is not found, the registers are lost.
struct Run<'r> {
    native: &'r Native,
    registers: &'r mut [Symbol],
    /// The number of registers that are the state.
    variables: usize,
    list: &'r mut WordList,
    sets: &'r mut CurrentSets,
    assigned: &'r mut [Register],
    context: Context,
}

impl<'r> Run<'r> {
    fn of(
        native: &'r Native,
        (registers, variables): (&'r mut [Symbol], usize),
        (list, sets, assigned): (&'r mut WordList, &'r mut CurrentSets, &'r mut [Register]),
        mut context: Context,
    ) -> Run<'r> {
        list.begin(&mut context);
        sets.forget(native.choice_sets());
        context.assigned = assigned.as_mut_ptr();
        context.last_assigned = context.assigned.wrapping_add(MOST_ASSIGNED - 1);
        Run { native, registers, variables, list, sets, assigned, context }
    }

    /// Saves the state at a node.
    fn save(&self, state: &mut State, node: NodeId) {
        state.node = node;
        state.values.copy_from_slice(&self.registers[..self.variables]);
    }

    /// Calls a function with a word, and with the place of other words.
    #[inline(always)]
    fn call(&mut self, function: Procedure, word: u64, words: *mut u64) -> i64 {
        let registers = self.registers.as_mut_ptr();
        // SAFETY: the registers belong to the automaton that was compiled, and the list of words
        // has the room that the context says.
        let result =
            unsafe { function(registers, &mut self.context, word as _, null_mut(), 0, words) };
        i64::from(result)
    }

    /// Plays random moves, until so many are played and it is not the keeper's turn.
    fn play_part(
        &mut self,
        automaton: &Automaton,
        mut node: NodeId,
        count: u64,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Part {
        let (mut played, mut kept, mut steps) = (0, 0, 0);
        let fuel = self.context.fuel;
        while node != END {
            let next = match automaton.is_kept_by(self.registers[PLAYER as usize]) {
                true if kept == MOST_KEPT => break,
                true => {
                    kept += 1;
                    self.keep(node)
                }
                false if played == count => break,
                false => {
                    (kept, played) = (0, played + 1);
                    self.play_any(node, rng)
                }
            };
            steps += fuel.saturating_sub(self.context.fuel) as u64;
            self.context.fuel = fuel;
            let Some(next) = next else { return Part { played, next: None, steps } };
            self.update_sets();
            node = next;
        }
        Part { played, next: Some(node), steps }
    }

    /// Plays the only move. Returns the node at which it ends.
    #[inline(always)]
    fn keep(&mut self, node: NodeId) -> Option<NodeId> {
        let plays = self.native.plays(node);
        match plays.first {
            Some(first) => self.play_first(first),
            None => (self.list(plays)? == 1).then(|| self.play(plays, 0))?,
        }
    }

    /// Plays the move of a function that has no choice. Returns the node at which it ends.
    #[inline(always)]
    fn play_first(&mut self, first: Procedure) -> Option<NodeId> {
        let is_played = self.call(first, 0, self.context.full_words) == FOUND;
        is_played.then_some(self.context.node)
    }

    /// Plays one of the moves, each with the same probability. Returns the node at which it ends.
    #[inline(always)]
    fn play_any(&mut self, node: NodeId, rng: &mut Xoshiro256PlusPlus) -> Option<NodeId> {
        let plays = self.native.plays(node);
        if let Some(first) = plays.first {
            return self.play_first(first);
        }
        let mut any = |count| match count {
            0 => None,
            1 => Some(0),
            _ => Some(rng.random_range(0..count as u32) as usize),
        };
        match plays.set {
            Some(number) => {
                let sets = self.native.choice_sets();
                let place = any(self.sets.count(sets, number, self.registers))?;
                let word = u64::from(self.sets.member(sets, number, place)) + 1;
                self.play_word(plays, word, [].as_ptr_range(), 0)
            }
            None => {
                let place = any(self.list(plays)?)?;
                self.play(plays, place)
            }
        }
    }

    /// Lists the moves of a state, which the registers hold, each once. Returns their number. `None`
    /// if machine code gives up, or if walks with the same tags lead to different states.
    #[inline(always)]
    fn list(&mut self, plays: &Plays) -> Option<usize> {
        self.list.clear(&mut self.context);
        if self.call(plays.words?, 0, self.context.full_words) != DONE {
            return None;
        }
        let listed = self.list.count(&self.context);
        if listed < 2 || plays.told != Told::Never {
            return Some(listed);
        }
        let repeated = self.list.repeated(listed, self.native.tag_bits());
        match repeated.is_empty() {
            true => Some(listed),
            false => self.tell_apart(plays, listed, repeated),
        }
    }

    /// Keeps one of the walks with the same word and the same artificial tags, which must lead to
    /// the same state. Returns the number of moves.
    #[cold]
    fn tell_apart(
        &mut self,
        plays: &Plays,
        listed: usize,
        repeated: Vec<(usize, usize)>,
    ) -> Option<usize> {
        if repeated.len() > MOST_REPEATED {
            return None;
        }
        // The walks must lead to the same state before the keeper goes on.
        self.context.keeps = 0;
        let count = self.tell_walks_apart(plays, listed, repeated);
        self.context.keeps = 1;
        count
    }

    fn tell_walks_apart(
        &mut self,
        plays: &Plays,
        listed: usize,
        mut repeated: Vec<(usize, usize)>,
    ) -> Option<usize> {
        repeated.sort_unstable();
        let (mut left_out, mut walks) = (Vec::new(), Vec::new());
        let before: Box<[Symbol]> = (&self.registers[..self.variables]).into();
        for group in repeated.chunk_by(|one, other| one.0 == other.0) {
            let first = group[0].0;
            let places = group.iter().map(|&(_, place)| place);
            let mut ends: Vec<(u64, NodeId, Box<[Symbol]>)> = Vec::new();
            for (walk, place) in (0..).zip([first].into_iter().chain(places)) {
                let node = self.play_walk(plays, first, walk)?;
                let artificial = self.context.artificial;
                let end = &mut self.registers[..self.variables];
                match ends.iter().find(|end| end.0 == artificial) {
                    None => {
                        ends.push((artificial, node, (&*end).into()));
                        walks.push((place, walk));
                    }
                    Some((_, other, values)) if (*other, &**values) == (node, &*end) => {
                        left_out.push(place);
                    }
                    Some(_) => return None,
                }
                end.copy_from_slice(&before);
            }
        }
        left_out.sort_unstable();
        Some(self.list.leave_out(listed, &left_out, &walks))
    }

    /// Plays the move at a place of the list. Returns the node at which it ends.
    #[inline(always)]
    fn play(&mut self, plays: &Plays, place: usize) -> Option<NodeId> {
        let others = match plays.told {
            Told::ByWords => 0,
            Told::ByAllTags => self.list.same_before(place),
            Told::Never => self.list.walk(place),
        };
        self.play_walk(plays, place, others)
    }

    /// As [`Run::play`], by the walk after so many others with the same word.
    #[inline(always)]
    fn play_walk(&mut self, plays: &Plays, place: usize, others: u64) -> Option<NodeId> {
        let (word, more) = self.list.word(place);
        let more = more.as_ptr_range();
        self.play_word(plays, word, more, others)
    }

    /// As [`Run::play_walk`], for a word and those behind it.
    #[inline(always)]
    fn play_word(
        &mut self,
        plays: &Plays,
        word: u64,
        more: Range<*const u64>,
        others: u64,
    ) -> Option<NodeId> {
        self.context.end_of_full_words = more.end.cast_mut();
        self.context.skipped = others;
        let is_played = self.call(plays.play?, word, more.start.cast_mut()) == FOUND;
        is_played.then_some(self.context.node)
    }

    /// Changes the sets of choices after a move.
    #[inline(always)]
    fn update_sets(&mut self) {
        let sets = self.native.choice_sets();
        if sets.is_empty() {
            return;
        }
        let first = self.assigned.as_mut_ptr();
        let count = (self.context.assigned as usize - first as usize) / size_of::<Register>();
        match count < MOST_ASSIGNED - 1 {
            true => self.sets.update(sets, &self.assigned[..count], self.registers),
            false => self.sets.forget(sets),
        }
        self.context.assigned = first;
    }
}
