//! The loop: one step in all lanes, again and again.
//!
//! A lane whose playout is over begins the next one as soon as it is the turn of the phase in
//! which playouts begin. Exactly as many are begun as are asked for, and all of them are
//! played to their end, so that short ones are not favoured.

use super::book::Book;
use super::choice::Choose;
use super::layout::{Goals, Layout, Phase, latch_slot};
use super::plane::Plane;
use super::program::{Slot, TRUE};
use crate::play::Control;

/// Where playouts begin.
#[derive(Clone, Debug)]
pub(super) struct Start<P> {
    /// By latch of the layout: its value in each lane.
    pub latches: Vec<P>,
    /// The phase of the states.
    pub phase: usize,
    /// Cut a playout after so many steps.
    pub max_steps: u64,
}

/// The state of all lanes.
pub(super) struct Machine<'l, P, C> {
    layout: &'l Layout,
    merges: Vec<Merge>,
    memory: Vec<P>,
    /// For goals: the last states of lanes in `pending`.
    goal_memory: Vec<P>,
    pending: P,
    /// The lanes in which a playout is under way.
    active: P,
    ages: Ages<P>,
    choice: C,
}

/// How many steps the playout of each lane has had: bits, the lowest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Ages<P> {
    bits: Vec<P>,
}

impl<P: Plane> Ages<P> {
    /// How many steps the playouts of some lanes have had together.
    pub fn sum(&self, lanes: P) -> u64 {
        let bits = self.bits.iter().enumerate();
        bits.map(|(bit, ages)| ages.and(lanes).count() << bit).sum()
    }

    /// How many steps the playout of a lane has had.
    pub fn of(&self, lane: usize) -> u64 {
        let bits = self.bits.iter().enumerate();
        bits.map(|(bit, ages)| u64::from(ages.has(lane)) << bit).sum()
    }

    /// Counts a step in some lanes.
    #[inline(always)]
    fn grow(&mut self, lanes: P) {
        let mut carry = lanes;
        for bit in &mut self.bits {
            (*bit, carry) = (bit.xor(carry), bit.and(carry));
        }
        if !carry.is_zero() {
            self.bits.push(carry);
        }
    }

    /// Begins again in some lanes.
    #[inline(always)]
    fn forget(&mut self, lanes: P) {
        for bit in &mut self.bits {
            *bit = bit.without(lanes);
        }
    }

    /// The lanes in which there have been exactly so many steps.
    #[inline(always)]
    fn exactly(&self, steps: u64) -> P {
        if self.bits.len() < 64 && steps >> self.bits.len() != 0 {
            return P::none();
        }
        let mut lanes = P::all();
        for (bit, &ages) in self.bits.iter().enumerate() {
            lanes = if steps >> bit & 1 == 1 { lanes.and(ages) } else { lanes.without(ages) };
        }
        lanes
    }
}

/// How the next values of latches come into their slots at the end of a step: to where, and
/// from where.
#[derive(Clone, Debug, Default)]
struct Merge {
    plain: Vec<(Slot, Slot)>,
    negated: Vec<(Slot, Slot)>,
    /// Those that stay as they are.
    held: Vec<Slot>,
}

impl Merge {
    fn new(phase: &Phase) -> Merge {
        let mut merge = Merge::default();
        for (place, &(from, negated)) in phase.next.iter().enumerate() {
            let to = latch_slot(place);
            match negated {
                false if from == to => merge.held.push(to),
                false => merge.plain.push((to, from)),
                true => merge.negated.push((to, from)),
            }
        }
        merge
    }

    /// Moves the values; where a playout begins, those of its first state.
    #[inline(always)]
    fn run<P: Plane>(&self, memory: &mut [P], begins: P, first: &[P]) {
        let first = |to: Slot| first[to as usize - latch_slot(0) as usize];
        for &(to, from) in &self.plain {
            memory[to as usize] = begins.select(first(to), memory[from as usize]);
        }
        for &(to, from) in &self.negated {
            memory[to as usize] = begins.select(first(to), memory[from as usize].not());
        }
        if !begins.is_zero() {
            for &to in &self.held {
                memory[to as usize] = begins.select(first(to), memory[to as usize]);
            }
        }
    }
}

impl<'l, P: Plane, C: Choose<P>> Machine<'l, P, C> {
    /// Nothing is under way.
    pub fn new(layout: &'l Layout, choice: C) -> Self {
        let with_constant = |size: usize| {
            let mut memory = vec![P::none(); size];
            memory[TRUE as usize] = P::all();
            memory
        };
        Machine {
            layout,
            merges: layout.phases.iter().map(Merge::new).collect(),
            memory: with_constant(layout.size),
            goal_memory: with_constant(layout.goals.size),
            pending: P::none(),
            active: P::none(),
            ages: Ages { bits: Vec::with_capacity(64) },
            choice,
        }
    }

    /// Plays what a book asks for. `control` is asked before every step.
    #[inline(always)]
    pub fn run<B: Book<P>>(
        &mut self,
        start: &Start<P>,
        book: &mut B,
        control: &mut dyn FnMut(&B) -> Control,
    ) {
        self.active = book.begin(P::all());
        for (place, &value) in start.latches.iter().enumerate() {
            self.memory[latch_slot(place) as usize] = value;
        }
        let mut place = start.phase;
        let mut steps = 0u64;
        while !self.active.is_zero() || book.has_more() {
            match control(book) {
                Control::Play => {}
                Control::Finish => book.finish(),
                Control::Cut => {
                    book.capped(self.active, &self.ages);
                    break;
                }
                Control::Forget => {
                    book.forgotten(self.active, &self.ages);
                    break;
                }
            }
            let phase = &self.layout.phases[place];
            phase.state.execute(&mut self.memory);
            let ended = self.active.and(read(&self.memory, phase.terminal));
            if !ended.is_zero() {
                self.end(place, ended, book);
            }
            if steps >= start.max_steps {
                let old = self.active.and(self.ages.exactly(start.max_steps));
                if !old.is_zero() {
                    book.capped(old, &self.ages);
                    self.active = self.active.without(old);
                }
            }
            let stuck = self.choice.choose(phase, self.active, &mut self.memory);
            if !stuck.is_zero() {
                book.stuck(stuck, &self.ages);
                self.active = self.active.without(stuck);
            }
            book.step(self.active);
            self.ages.grow(self.active);
            phase.moves.execute(&mut self.memory);
            steps += 1;
            let merge = &self.merges[place];
            place = if place + 1 == self.layout.phases.len() { 0 } else { place + 1 };
            let mut begins = P::none();
            if place == start.phase && book.has_more() {
                begins = book.begin(self.active.not());
                self.active = self.active.or(begins);
                self.ages.forget(begins);
            }
            merge.run(&mut self.memory, begins, &start.latches);
        }
        self.active = P::none();
        self.count_goals(book);
    }

    /// Keeps the last states of lanes for their goals.
    #[inline(always)]
    fn end<B: Book<P>>(&mut self, phase: usize, ended: P, book: &mut B) {
        if !self.pending.and(ended).is_zero() {
            self.count_goals(book);
        }
        self.active = self.active.without(ended);
        book.ended(ended, &self.ages);
        self.pending = self.pending.or(ended);
        let goals = &self.layout.goals;
        for &(to, from) in &goals.read {
            let (value, kept) = (self.memory[from as usize], &mut self.goal_memory[to as usize]);
            *kept = ended.select(value, *kept);
        }
        for &(to, value) in &goals.known[phase] {
            let kept = &mut self.goal_memory[to as usize];
            *kept = if value { kept.or(ended) } else { kept.without(ended) };
        }
    }

    /// Counts the goals of the states that were kept.
    #[inline(always)]
    fn count_goals<B: Book<P>>(&mut self, book: &mut B) {
        if self.pending.is_zero() {
            return;
        }
        let Goals { program, found, goals, .. } = &self.layout.goals;
        program.execute(&mut self.goal_memory);
        for role in 0..self.layout.roles {
            let mut once = P::none();
            let mut twice = P::none();
            for (&(of, _), &found) in goals.iter().zip(found) {
                if of == role {
                    let holds = read(&self.goal_memory, found);
                    twice = twice.or(once.and(holds));
                    once = once.or(holds);
                }
            }
            let mut open = self.pending;
            for (&(of, value), &found) in goals.iter().zip(found) {
                let Some(value) = value.filter(|_| of == role) else { continue };
                let holds = read(&self.goal_memory, found).and(open).without(twice);
                open = open.without(holds);
                book.goal(role, value, holds);
            }
            book.improper(role, open);
        }
        self.pending = P::none();
    }
}

#[inline(always)]
fn read<P: Plane>(memory: &[P], (slot, negated): (Slot, bool)) -> P {
    let value = memory[slot as usize];
    if negated { value.not() } else { value }
}
