//! The search for moves: one loop that runs code, with a stack of its own.
//!
//! A walk goes on until it fails; then the assignments since the last choice are undone and the
//! next alternative is taken. A reachability check is a search within the search: it takes the
//! same code from another node, as if tags were nothing and the end of a move an assignment,
//! and is over when it comes to its target, or fails for good.
//!
//! **Memory.** To follow two ways to the same semistate at the same node is a waste, and to do
//! so in a cycle would never end. But to look up every semistate costs more than most searches
//! do, which have nothing to meet twice. So a search begins without memory, and what it finds
//! twice it reports once, as moves are compared anyway. After [`PATIENCE`] steps it
//! begins to remember where it is at landmarks and goes nowhere twice. Every cycle has a
//! landmark, so every search ends, unless its tags go on forever; then the budget ends it.
//! Where memory was of use, the next search of that kind begins with it.
//!
//! **Budget.** Landmarks and alternatives are counted as steps, and what goes through many
//! symbols as several. So a step takes no more operations than the automaton has. Every way
//! round the loop that is taken again and again comes to a [`Watch::check`].

use super::automaton::Automaton;
use super::error::PlayError;
use super::moves::Moves;
use super::program::{ABSENT, Address, END, FAIL, NodeId, Op, PLAYER, Register, Symbol, Table};
use super::search::{Frame, Search, Within};
use super::state::State;
use super::watch::price;
use crate::rg::name::Name;

/// How many steps a search takes before it remembers landmarks.
const PATIENCE: u64 = 1000;

/// What [`Run::target`] is while moves are looked for.
const NO_TARGET: NodeId = NodeId::MAX;

impl Automaton {
    /// Lists the moves of whoever's turn it is: replaces the content of `moves`. At the end of
    /// the game there are none.
    ///
    /// # Errors
    ///
    /// When there are none and the game is not over; when walks with the same tags lead to
    /// different states; when an action on a walk is not valid; when it is too much work, the time is up
    /// or the search is stopped.
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
        self.within.clear();
        self.tags.clear();
        self.hidden.clear();
        self.visits.clear();
        let kind = automaton.program.checks.len() as u32;
        let pause = if self.eager[kind as usize] { 0 } else { *steps + PATIENCE };
        let mut run = Run {
            automaton,
            search: self,
            base,
            moves,
            steps: *steps,
            pause,
            target: NO_TARGET,
            kind,
            hit: false,
        };
        let done = run.run();
        *steps = run.steps;
        done
    }
}

/// A search under way.
struct Run<'r, 's> {
    automaton: &'r Automaton,
    search: &'r mut Search<'s>,
    base: &'r State,
    moves: &'r mut Moves,
    /// Steps so far.
    steps: u64,
    /// From how many steps on to remember landmarks; 0 if that is so already.
    pause: u64,
    /// What the search within looks for.
    target: NodeId,
    /// Which check it makes; behind all checks, moves are looked for.
    kind: u32,
    /// Whether memory was of use.
    hit: bool,
}

impl Run<'_, '_> {
    #[inline(always)]
    fn run(&mut self) -> Result<(), PlayError> {
        let program = &self.automaton.program;
        let code = &program.code[..];
        let mut at = program.entries[self.base.node as usize];
        let mut locations: [Register; 2] = [0; 2];
        if self.pause == 0 {
            self.is_new(self.base.node)?;
        }
        loop {
            let op = code[at as usize];
            at += 1;
            let legal = match op {
                Op::Fail => false,
                Op::Arrive(node) => {
                    if node == self.target {
                        at = self.found();
                        true
                    } else {
                        self.steps += 1;
                        at = program.entries[node as usize];
                        self.steps < self.pause || self.is_new(node)?
                    }
                }
                Op::Jump(address) => {
                    at = address;
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
                Op::Compare { left, right, equal } => (self.get(left) == self.get(right)) == equal,
                Op::CompareEntry { base, key, with, equal } => {
                    let offset = program.offset(key.table, self.get(key.register));
                    if offset == ABSENT {
                        return Err(self.invalid(at, self.get(key.register)));
                    }
                    (self.get(base + offset) == self.get(with)) == equal
                }
                Op::Test { left, right, equal, different } => {
                    at = if self.get(left) == self.get(right) { equal } else { different };
                    true
                }
                Op::CompareRow { length, equal } => {
                    self.steps += price(length as usize);
                    let [left, right] = locations;
                    let same = (0..length).all(|i| self.get(left + i) == self.get(right + i));
                    same == equal
                }
                Op::Load { to, base, key } => {
                    let offset = program.offset(key.table, self.get(key.register));
                    if offset == ABSENT {
                        return Err(self.invalid(at, self.get(key.register)));
                    }
                    self.search.registers[to as usize] = self.get(base + offset);
                    true
                }
                Op::Locate { which, base } => {
                    locations[usize::from(which & 1)] = base;
                    true
                }
                Op::Advance { which, key } => {
                    let offset = program.offset(key.table, self.get(key.register));
                    if offset == ABSENT {
                        return Err(self.invalid(at, self.get(key.register)));
                    }
                    locations[usize::from(which & 1)] += offset;
                    true
                }
                Op::LoadThere { to, key } => {
                    let offset = program.offset(key.table, self.get(key.register));
                    if offset == ABSENT {
                        return Err(self.invalid(at, self.get(key.register)));
                    }
                    self.search.registers[to as usize] = self.get(locations[0] + offset);
                    true
                }
                Op::Move { to, from } => {
                    self.assign(to, self.get(from));
                    true
                }
                Op::Store { base, key, from } => {
                    let offset = program.offset(key.table, self.get(key.register));
                    if offset == ABSENT {
                        return Err(self.invalid(at, self.get(key.register)));
                    }
                    self.assign(base + offset, self.get(from));
                    true
                }
                Op::StoreThere { key, from } => {
                    let offset = program.offset(key.table, self.get(key.register));
                    if offset == ABSENT {
                        return Err(self.invalid(at, self.get(key.register)));
                    }
                    self.assign(locations[0] + offset, self.get(from));
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
                Op::Any { first, end } => {
                    let register = locations[0];
                    if end - first > 1 {
                        let (next, then) = (first + 1, at);
                        self.push(|trail, tags| Frame::Any {
                            next,
                            end,
                            trail,
                            tags,
                            register,
                            then,
                        });
                    }
                    self.assign(register, program.choices[first as usize]);
                    true
                }
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
            self.search.watch.check(self.steps)?;
        }
        let kind = self.kind as usize;
        self.search.eager[kind] = self.hit;
        Ok(())
    }

    #[inline(always)]
    fn get(&self, register: Register) -> Symbol {
        self.search.registers[register as usize]
    }

    #[inline(always)]
    fn assign(&mut self, register: Register, symbol: Symbol) {
        self.search.trail.assign(&mut self.search.registers, register, symbol);
    }

    #[inline(always)]
    fn push(&mut self, frame: impl FnOnce(u32, u32) -> Frame) {
        let frame = frame(self.search.trail.len() as u32, self.search.tags.len() as u32);
        self.search.stack.push(frame);
    }

    #[inline(always)]
    fn undo(&mut self, trail: u32, tags: u32) {
        let search = &mut *self.search;
        search.trail.undo(&mut search.registers, trail);
        search.tags.truncate(tags as usize);
        search.hidden.truncate(tags as usize * self.moves.words);
    }

    /// Undoes what came after the last choice; where to go on.
    #[inline(always)]
    fn backtrack(&mut self) -> Option<Address> {
        let program = &self.automaton.program;
        self.steps += 1;
        match *self.search.stack.last_mut()? {
            Frame::Branch { ref mut next, end, trail, tags } => {
                let target = *next;
                *next += 1;
                if *next == end {
                    self.search.stack.pop();
                }
                self.undo(trail, tags);
                Some(program.targets[target as usize])
            }
            Frame::Any { ref mut next, end, trail, tags, register, then } => {
                let choice = *next;
                *next += 1;
                if *next == end {
                    self.search.stack.pop();
                }
                self.undo(trail, tags);
                self.assign(register, program.choices[choice as usize]);
                Some(then)
            }
            Frame::Within => {
                let within = self.leave();
                Some(within.map_or(FAIL, |within| within.missing))
            }
        }
    }

    /// Begins a search within this one. Called from one place: as a call of its own it costs
    /// skirmish a twentieth of its rate.
    #[inline(always)]
    fn check(
        &mut self,
        check: u32,
        found: Address,
        missing: Address,
        at: Address,
    ) -> Result<Address, PlayError> {
        let program = &self.automaton.program;
        let super::program::Check { from, to } = program.checks[check as usize];
        if from == to {
            return Ok(found);
        }
        if self.search.within.len() == program.checks.len() {
            return Err(PlayError::Recursion { edge: self.automaton.edge_of(at - 1) });
        }
        self.search.watch.check(self.steps)?;
        self.search.within.push(Within {
            found,
            missing,
            trail: self.search.trail.len() as u32,
            stack: self.search.stack.len() as u32,
            visits: self.search.visits.mark(),
            target: self.target,
            pause: self.pause,
            kind: self.kind,
            hit: self.hit,
        });
        self.search.stack.push(Frame::Within);
        self.steps += 1;
        self.target = to;
        self.kind = check;
        self.hit = false;
        self.pause = self.steps + PATIENCE;
        if self.search.eager[check as usize] {
            self.pause = 0;
            self.is_new(from)?;
        }
        Ok(program.entries[from as usize])
    }

    /// The search within has come to its target.
    #[inline(always)]
    fn found(&mut self) -> Address {
        self.leave().map_or(FAIL, |within| within.found)
    }

    /// Goes back to the search around this one.
    #[inline]
    fn leave(&mut self) -> Option<Within> {
        let within = self.search.within.pop()?;
        self.search.stack.truncate(within.stack as usize);
        let search = &mut *self.search;
        search.trail.undo(&mut search.registers, within.trail);
        search.visits.forget(within.visits);
        if self.pause == 0 {
            search.eager[self.kind as usize] = self.hit;
        }
        self.target = within.target;
        self.kind = within.kind;
        self.hit = within.hit;
        // What happened within has tried its patience, too: memory is cheap beside it.
        self.pause = within.pause;
        Some(within)
    }

    /// Remembers that the search is at a landmark; says whether it was not there before.
    #[cold]
    #[inline(never)]
    fn is_new(&mut self, node: NodeId) -> Result<bool, PlayError> {
        self.pause = 0;
        let search = &mut *self.search;
        let bytes = search.visits.bytes()
            + 8 * search.trail.len()
            + size_of::<Frame>() * search.stack.len()
            + self.moves.bytes();
        if bytes > search.bytes {
            return Err(self.exhausted());
        }
        self.steps += price(search.trail.len());
        search.watch.check(self.steps)?;
        let delta = search.trail.delta(&search.registers, &self.base.values);
        let tags = if self.target == NO_TARGET { &search.tags[..] } else { &[] };
        let is_new = search.visits.add(node, search.within.len() as u32, tags, delta);
        self.hit |= !is_new;
        Ok(is_new)
    }

    #[inline(always)]
    fn tag(&mut self, tag: Name) {
        if self.target == NO_TARGET {
            self.search.tags.push(tag);
            if self.moves.words > 0 {
                self.conceal();
            }
        }
    }

    /// Writes down whom a tag is hidden from.
    fn conceal(&mut self) {
        let Search { registers, hidden, .. } = &mut *self.search;
        let visible = |&flag: &Register| registers[flag as usize] != self.automaton.zero;
        for flags in self.automaton.visible.chunks(64) {
            let word =
                flags.iter().rev().fold(0, |word, flag| word << 1 | u64::from(!visible(flag)));
            hidden.push(word);
        }
    }

    #[inline]
    fn finish(&mut self, node: NodeId) -> Result<(), PlayError> {
        let search = &mut *self.search;
        self.steps += price(search.trail.len());
        let delta = search.trail.delta(&search.registers, &self.base.values);
        if self.moves.bytes() > search.bytes {
            return Err(self.exhausted());
        }
        if self.moves.add(&search.tags, &search.hidden, node, delta).is_err() {
            let (node, tags) = (self.base.node, &self.search.tags);
            return Err(self.automaton.ambiguous(node, tags));
        }
        Ok(())
    }

    fn member(&self, table: Table, register: Register, at: Address) -> Result<(), PlayError> {
        let symbol = self.get(register);
        match self.automaton.program.offset(table, symbol) {
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
    fn exhausted(&self) -> PlayError {
        PlayError::TooMuchWork { steps: self.search.watch.limit }
    }
}
