//! The search for moves: one loop that runs code, with a stack of its own.
//!
//! A walk goes on until it fails. Then the search backtracks: it undoes the assignments since the
//! last choice, and takes the next alternative. A reachability check is a search within the search.
//! It runs the same code from another node, but ignores tags, and treats the end of a move as an
//! assignment. It ends when it reaches its target, or when all alternatives have failed.
//!
//! **Memory.** Two walks to the same semistate at the same node have the same continuations. To
//! follow both is a waste, and in a cycle it would never end. But most searches meet no semistate
//! twice, and a look-up of every semistate would cost more than the search itself. So a search
//! begins without memory. Moves that it finds twice are reported once, as moves are compared
//! anyway. After some steps it begins to remember the semistates at landmarks, and follows none
//! twice. Every cycle has a landmark. So every search ends, unless its tags go on for ever; then
//! the budget ends it. If memory was of use, the next search of that kind begins with it.
//!
//! **Budget.** Landmarks and alternatives count as steps. An operation on many symbols counts as
//! several. So a step takes no more operations than the automaton has. Every repeated path through
//! the loop comes to a [`Watch::check`].

use super::automaton::Automaton;
use super::error::PlayError;
use super::memory::{Change, Trail, Visits};
use super::moves::{Ambiguous, Moves};
use super::program::{
    ABSENT, Address, END, Entry, FAIL, NodeId, Op, PLAYER, Program, Register, Symbol, Table,
};
use super::search::{Frame, OuterSearch, Search};
use super::state::State;
use super::watch::{Watch, price};
use crate::rg::name::Name;

/// The value of [`Run::target`] during a search for moves.
const NO_TARGET: NodeId = NodeId::MAX;

impl Automaton {
    /// Lists the moves of the current player: replaces the content of `moves`. At the end of the
    /// game there are none.
    ///
    /// # Errors
    ///
    /// When there are no moves and the game is not over; when walks with the same tags lead to
    /// different states; when an action on a walk is not valid; when the steps or the time are
    /// exhausted, or the search is stopped.
    pub fn moves(
        &self,
        search: &mut Search,
        state: &State,
        moves: &mut Moves,
    ) -> Result<(), PlayError> {
        if state.node == END {
            moves.clear(self.words());
            return Ok(());
        }
        let mut steps = search.watch.begin()?;
        search.enter(self, state);
        let listed = search.list(self, state, moves, &mut steps);
        search.watch.end(steps);
        listed?;
        if moves.is_empty() {
            return Err(self.dead_end(state));
        }
        Ok(())
    }
}

impl Search<'_> {
    /// Lists the moves of a state, which must be the one entered. Adds to `steps`.
    pub(super) fn list(
        &mut self,
        automaton: &Automaton,
        base: &State,
        moves: &mut Moves,
        steps: &mut u64,
    ) -> Result<(), PlayError> {
        moves.clear(automaton.words());
        self.trail.reset(automaton.program.variables);
        self.stack.clear();
        self.outer.clear();
        self.tags.clear();
        self.hidden.clear();
        self.visits.clear();
        let kind = automaton.program.checks.len() as u32;
        #[cfg(feature = "native")]
        if self.list_native(automaton, base, moves, steps) {
            return Ok(());
        }
        let later = *steps + automaton.remembered_after;
        let pause = if self.eager[kind as usize] { 0 } else { later };
        let Search {
            registers,
            trail,
            stack,
            outer,
            tags,
            hidden,
            visits,
            chosen,
            common,
            eager,
            watch,
            ..
        } = self;
        let mut run = Run {
            automaton,
            program: &automaton.program,
            registers,
            trail,
            stack,
            outer,
            tags,
            hidden,
            visits,
            chosen,
            common,
            eager,
            watch,
            bytes: self.bytes,
            base,
            moves,
            steps: *steps,
            pause,
            target: NO_TARGET,
            kind,
            hit: false,
        };
        let result = run.run();
        *steps = run.steps;
        result
    }
}

/// A search under way.
pub(super) struct Run<'r, 's> {
    pub(super) automaton: &'r Automaton,
    pub(super) program: &'r Program,
    // The working memory:
    pub(super) registers: &'r mut [Symbol],
    pub(super) trail: &'r mut Trail,
    pub(super) stack: &'r mut Vec<Frame>,
    pub(super) outer: &'r mut Vec<OuterSearch>,
    pub(super) tags: &'r mut Vec<Name>,
    pub(super) hidden: &'r mut Vec<u64>,
    pub(super) visits: &'r mut Visits,
    pub(super) chosen: &'r mut Vec<Symbol>,
    pub(super) common: &'r mut Vec<Change>,
    pub(super) eager: &'r mut [bool],
    pub(super) watch: &'r mut Watch<'s>,
    pub(super) bytes: usize,
    /// The state where the search began.
    pub(super) base: &'r State,
    pub(super) moves: &'r mut Moves,
    /// The steps so far.
    pub(super) steps: u64,
    /// The number of steps from which on to remember landmarks; 0 if the search does so already.
    pub(super) pause: u64,
    /// The node that a reachability check looks for.
    pub(super) target: NodeId,
    /// The index of the check; the number of checks if the search is for moves.
    pub(super) kind: u32,
    /// Whether memory was of use.
    pub(super) hit: bool,
}

impl Run<'_, '_> {
    /// Runs the code of the current node. All operations are in one long function, because the loop
    /// keeps in registers the values that each of them reads.
    #[inline(always)]
    fn run(&mut self) -> Result<(), PlayError> {
        let program = self.program;
        let code = &program.code[..];
        let mut at = program.entries[self.base.node as usize];
        let mut locations: [Register; 2] = [0; 2];
        if self.pause == 0 {
            self.is_new(self.base.node)?;
        }
        loop {
            let op = &code[at as usize];
            at += 1;
            let legal = match *op {
                Op::Fail => false,
                Op::Arrive { node, otherwise } => {
                    if node == self.target {
                        at = self.found();
                        true
                    } else {
                        if otherwise != FAIL {
                            self.push(|trail, tags| Frame::Others { at: otherwise, trail, tags });
                        }
                        self.steps += 1;
                        at = program.entries[node as usize];
                        self.steps < self.pause || self.is_new(node)?
                    }
                }
                Op::Jump(address) => {
                    at = address;
                    true
                }
                Op::Push(others) => {
                    self.push(|trail, tags| Frame::Others { at: others, trail, tags });
                    true
                }
                Op::Branch { first, end } => {
                    self.push(|trail, tags| Frame::Branch { next: first + 1, end, trail, tags });
                    at = program.targets[first as usize];
                    true
                }
                Op::Switch { register, first, least, span, otherwise } => {
                    let distance = self.get(register).wrapping_sub(least);
                    at = match distance <= span {
                        true => program.targets[first as usize + distance as usize],
                        false => otherwise,
                    };
                    true
                }
                Op::Compare { left, right, equal, different } => {
                    self.steps += 1;
                    at = if self.get(left) == self.get(right) { equal } else { different };
                    true
                }
                Op::CompareEntry { entry, with, equal, different } => {
                    self.steps += 1;
                    at = if self.entry(entry) == self.get(with) { equal } else { different };
                    true
                }
                Op::CompareNested { base, entry, with, equal, different } => {
                    self.steps += 1;
                    at = if self.nested(base, entry) == self.get(with) { equal } else { different };
                    // These comparisons come in long rows.
                    while let Op::CompareNested { base, entry, with, equal, different } =
                        code[at as usize]
                    {
                        self.steps += 1;
                        let same = self.nested(base, entry) == self.get(with);
                        at = if same { equal } else { different };
                    }
                    true
                }
                Op::CompareRow { length, equal, different } => {
                    self.steps += 1 + price(length as usize);
                    let [left, right] = locations;
                    let same = (0..length).all(|i| self.get(left + i) == self.get(right + i));
                    at = if same { equal } else { different };
                    true
                }
                Op::Load { to, entry } => {
                    self.registers[to as usize] = self.entry(entry);
                    true
                }
                Op::LoadPair { to, base, first, stride, second } => {
                    let row = base.wrapping_add(self.get(first).wrapping_mul(stride));
                    self.registers[to as usize] = self.get(row.wrapping_add(self.get(second)));
                    true
                }
                Op::Offset { to, key, table } => {
                    let offset = program.offset(table, self.get(key));
                    if offset == ABSENT {
                        return Err(self.invalid(at, self.get(key)));
                    }
                    self.registers[to as usize] = offset;
                    true
                }
                Op::Locate { which, base } => {
                    locations[usize::from(which & 1)] = base;
                    true
                }
                Op::Advance { which, key, stride } => {
                    let distance = self.get(key).wrapping_mul(stride);
                    let location = &mut locations[usize::from(which & 1)];
                    *location = location.wrapping_add(distance);
                    true
                }
                Op::LoadThere { to } => {
                    self.registers[to as usize] = self.get(locations[0]);
                    true
                }
                Op::Move { to, from } => {
                    self.assign(to, self.get(from));
                    true
                }
                Op::Store { entry: Entry { base, key }, from } => {
                    self.assign(base.wrapping_add(self.get(key)), self.get(from));
                    true
                }
                Op::StoreThere { from } => {
                    self.assign(locations[0], self.get(from));
                    true
                }
                Op::CopyRow { length } => {
                    self.steps += price(length as usize);
                    let [to, from] = locations;
                    (0..length).for_each(|i| self.assign(to + i, self.get(from + i)));
                    true
                }
                Op::Member { register, table } => {
                    self.member(table, register, at)?;
                    true
                }
                Op::MemberRow { length, table } => {
                    self.steps += price(length as usize);
                    for register in locations[1]..locations[1] + length {
                        self.member(table, register, at)?;
                    }
                    true
                }
                Op::Any { register, first, end, named: true, .. }
                    if self.target == NO_TARGET && self.moves.words == 0 =>
                {
                    self.name_all(at - 1, first..end, register)?;
                    false
                }
                Op::Any { register, first, .. } => self.any(&mut at, first, register),
                Op::AnyThere { first, .. } => self.any(&mut at, first, locations[0]),
                Op::Tag(tag) => {
                    self.tag(tag);
                    true
                }
                Op::TagVariable(register) => {
                    self.tag(self.automaton.symbols[self.get(register) as usize]);
                    true
                }
                Op::Check { check, found, missing } => {
                    at = self.check(check, found, missing, at)?;
                    true
                }
                Op::Finish { from, node } => {
                    self.assign(PLAYER, self.get(from));
                    if self.target == NO_TARGET {
                        self.finish(node)?;
                        false
                    } else {
                        true
                    }
                }
            };
            if legal {
                continue;
            }
            match self.backtrack() {
                Some(address) => at = address,
                None => break,
            }
            self.watch.check(self.steps)?;
        }
        self.trail.undo(self.registers, 0);
        self.eager[self.kind as usize] = self.hit;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn get(&self, register: Register) -> Symbol {
        self.registers[register as usize]
    }

    #[inline(always)]
    pub(super) fn entry(&self, entry: Entry) -> Symbol {
        self.get(entry.base.wrapping_add(self.get(entry.key)))
    }

    #[inline(always)]
    pub(super) fn nested(&self, base: Register, entry: Entry) -> Symbol {
        self.get(base.wrapping_add(self.entry(entry)))
    }

    #[inline(always)]
    fn assign(&mut self, register: Register, symbol: Symbol) {
        self.trail.assign(self.registers, register, symbol);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, frame: impl FnOnce(u32, u32) -> Frame) {
        let frame = frame(self.trail.len() as u32, self.tags.len() as u32);
        self.stack.push(frame);
    }

    #[inline(always)]
    fn undo(&mut self, trail: u32, tags: u32) {
        self.trail.undo(self.registers, trail);
        self.tags.truncate(tags as usize);
        if self.moves.words > 0 {
            self.hidden.truncate(tags as usize * self.moves.words);
        }
    }

    /// Undoes the assignments since the last choice. Returns the address to go on at, if any.
    #[inline(always)]
    fn backtrack(&mut self) -> Option<Address> {
        loop {
            self.steps += 1;
            match *self.stack.last_mut()? {
                Frame::Others { at, trail, tags } => {
                    self.stack.pop();
                    self.undo(trail, tags);
                    return Some(at);
                }
                Frame::Branch { ref mut next, end, trail, tags } => {
                    let target = *next;
                    *next += 1;
                    if *next == end {
                        self.stack.pop();
                    }
                    self.undo(trail, tags);
                    return Some(self.program.targets[target as usize]);
                }
                Frame::Any { at, next, register, trail, tags } => {
                    self.undo(trail, tags);
                    let Some((chosen, end, then)) = self.choose(at, next, register) else {
                        self.stack.pop();
                        continue;
                    };
                    match self.stack.last_mut() {
                        Some(Frame::Any { next, .. }) if chosen + 1 < end => *next = chosen + 1,
                        _ => {
                            self.stack.pop();
                        }
                    }
                    return Some(then);
                }
                Frame::InnerSearch => {
                    return Some(self.leave().map_or(FAIL, |outer| outer.missing));
                }
            }
        }
    }

    /// Begins an inner search. Has one caller: as a call of its own it costs skirmish a twentieth
    /// of its rate.
    #[inline(always)]
    fn check(
        &mut self,
        check: u32,
        found: Address,
        missing: Address,
        at: Address,
    ) -> Result<Address, PlayError> {
        let program = self.program;
        let super::program::Check { from, to } = program.checks[check as usize];
        if from == to {
            return Ok(found);
        }
        if self.outer.len() == program.checks.len() {
            return Err(PlayError::Recursion { edge: self.automaton.edge_of(at - 1) });
        }
        self.watch.check(self.steps)?;
        self.outer.push(OuterSearch {
            found,
            missing,
            trail: self.trail.len() as u32,
            stack: self.stack.len() as u32,
            visits: self.visits.mark(),
            target: self.target,
            pause: self.pause,
            kind: self.kind,
            hit: self.hit,
        });
        self.stack.push(Frame::InnerSearch);
        self.steps += 1;
        self.target = to;
        self.kind = check;
        self.hit = false;
        self.pause = self.steps + self.automaton.remembered_after;
        if self.eager[check as usize] {
            self.pause = 0;
            self.is_new(from)?;
        }
        Ok(program.entries[from as usize])
    }

    /// The inner search has reached its target.
    #[inline(always)]
    fn found(&mut self) -> Address {
        self.leave().map_or(FAIL, |outer| outer.found)
    }

    /// Goes back to the outer search.
    #[inline]
    fn leave(&mut self) -> Option<OuterSearch> {
        let outer = self.outer.pop()?;
        self.stack.truncate(outer.stack as usize);
        self.trail.undo(self.registers, outer.trail);
        self.visits.forget(outer.visits);
        if self.pause == 0 {
            self.eager[self.kind as usize] = self.hit;
        }
        self.target = outer.target;
        self.kind = outer.kind;
        self.hit = outer.hit;
        // The steps within count for the outer search, too: memory is cheap beside them.
        self.pause = outer.pause;
        Some(outer)
    }

    /// Records that the search is at a landmark. Returns whether the semistate is new.
    #[cold]
    #[inline(never)]
    fn is_new(&mut self, node: NodeId) -> Result<bool, PlayError> {
        self.pause = 0;
        let bytes = self.visits.bytes()
            + 8 * self.trail.len()
            + size_of::<Frame>() * self.stack.len()
            + self.moves.bytes();
        if bytes > self.bytes {
            return Err(self.exhausted());
        }
        self.steps += price(self.trail.len());
        self.watch.check(self.steps)?;
        let tags = if self.target == NO_TARGET { &self.tags[..] } else { &[] };
        let place = (node, self.outer.len() as u32);
        let base = &self.base.values;
        let is_new = self.visits.add(place, tags, self.trail, self.registers, base);
        self.hit |= !is_new;
        Ok(is_new)
    }

    #[inline(always)]
    fn tag(&mut self, tag: Name) {
        if self.target == NO_TARGET {
            self.tags.push(tag);
            if self.moves.words > 0 {
                self.conceal();
            }
        }
    }

    /// Records the players from whom a tag is hidden.
    fn conceal(&mut self) {
        let visible = |&flag: &Register| self.registers[flag as usize] != self.automaton.zero;
        for flags in self.automaton.visible.chunks(64) {
            let word =
                flags.iter().rev().fold(0, |word, flag| word << 1 | u64::from(!visible(flag)));
            self.hidden.push(word);
        }
    }

    #[inline]
    pub(super) fn finish(&mut self, node: NodeId) -> Result<(), PlayError> {
        self.steps += price(self.trail.len());
        if self.moves.bytes() > self.bytes {
            return Err(self.exhausted());
        }
        let (trail, registers, base) = (&mut *self.trail, &*self.registers, &self.base.values);
        let write = |changes: &mut Vec<Change>| trail.changes(registers, base, changes);
        match self.moves.add((self.tags, self.hidden), node, registers, write) {
            Ok(()) => Ok(()),
            Err(Ambiguous) => Err(self.automaton.ambiguous(self.base.node, self.tags)),
        }
    }

    fn member(&self, table: Table, register: Register, at: Address) -> Result<(), PlayError> {
        let symbol = self.get(register);
        match self.program.offset(table, symbol) {
            ABSENT => Err(self.invalid(at, symbol)),
            _ => Ok(()),
        }
    }

    #[cold]
    fn invalid(&self, at: Address, symbol: Symbol) -> PlayError {
        let edge = self.automaton.edge_of(at - 1);
        let symbol = self.automaton.symbols[symbol as usize];
        PlayError::Invalid { edge, symbol: self.automaton.names.text(symbol).to_owned() }
    }

    #[cold]
    pub(super) fn exhausted(&self) -> PlayError {
        PlayError::TooMuchWork { steps: self.watch.limit }
    }
}
