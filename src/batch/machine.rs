//! The loop: one step in all lanes, again and again.

use super::choice::Choice;
use super::layout::{Goals, Layout, Phase, latch_slot};
use super::plane::Plane;
use super::program::{Slot, TRUE};
use super::random::Random;
use crate::play::Statistics;
use std::sync::Arc;

/// What is to be done with the playouts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Play,
    /// Finish those under way, start no other.
    Finish,
    /// Cut those under way.
    Cut,
    /// Forget those under way.
    Forget,
}

/// Playouts from one state.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// By latch of the layout.
    pub latches: Vec<bool>,
    /// The phase of the state.
    pub phase: usize,
    /// How many playouts.
    pub playouts: u64,
    /// Cut one after so many steps.
    pub max_steps: u64,
}

/// The state of all lanes.
pub(super) struct Machine<P> {
    layout: Arc<Layout>,
    memory: Vec<P>,
    /// For goals: the last states of lanes in `pending`.
    goal_memory: Vec<P>,
    pending: P,
    /// The lanes in which a playout is under way.
    active: P,
    /// How many steps the playout of each lane has had, lowest bit first.
    ages: Vec<P>,
    choice: Choice<P>,
    /// What has been counted.
    statistics: Statistics,
}

/// Values that are put in the slots of latches at the end of a step.
struct Merge {
    /// For latches that start false, and such that start true: where to, where from.
    plain: [Vec<(Slot, Slot)>; 2],
    /// The same, for complements.
    negated: [Vec<(Slot, Slot)>; 2],
    /// Those that stay as they are.
    held: [Vec<Slot>; 2],
}

impl Merge {
    fn new(phase: &Phase, start: &Start) -> Merge {
        let mut merge =
            Merge { plain: Default::default(), negated: Default::default(), held: Default::default() };
        for (place, (&(from, negated), &value)) in phase.next.iter().zip(&start.latches).enumerate() {
            let (to, value) = (latch_slot(place), usize::from(value));
            match negated {
                false if from == to => merge.held[value].push(to),
                false => merge.plain[value].push((to, from)),
                true => merge.negated[value].push((to, from)),
            }
        }
        merge
    }

    /// Moves the values; where a playout begins, those of the first state.
    #[inline(always)]
    fn run<P: Plane>(&self, memory: &mut [P], begins: P) {
        let goes_on = begins.not();
        for &(to, from) in &self.plain[0] {
            memory[to as usize] = memory[from as usize].and(goes_on);
        }
        for &(to, from) in &self.plain[1] {
            memory[to as usize] = memory[from as usize].or(begins);
        }
        for &(to, from) in &self.negated[0] {
            memory[to as usize] = goes_on.without(memory[from as usize]);
        }
        for &(to, from) in &self.negated[1] {
            memory[to as usize] = memory[from as usize].and(goes_on).not();
        }
        if !begins.is_zero() {
            for &to in &self.held[0] {
                memory[to as usize] = memory[to as usize].and(goes_on);
            }
            for &to in &self.held[1] {
                memory[to as usize] = memory[to as usize].or(begins);
            }
        }
    }
}

impl<P: Plane> Machine<P> {
    pub fn new(layout: Arc<Layout>, random: Random<P>) -> Self {
        let mut memory = vec![P::none(); layout.size];
        memory[TRUE as usize] = P::all();
        let mut goal_memory = vec![P::none(); layout.goals.size];
        goal_memory[TRUE as usize] = P::all();
        let choice = Choice::new(random, layout.most_moves);
        let statistics = Statistics::new(usize::from(layout.roles));
        let (pending, active) = (P::none(), P::none());
        Machine { layout, memory, goal_memory, pending, active, ages: Vec::new(), choice, statistics }
    }

    /// Plays from a state; `control` is asked before every step, and told what has been
    /// counted so far.
    pub fn run(
        &mut self,
        start: &Start,
        control: &mut dyn FnMut(&Statistics) -> Control,
    ) -> Statistics {
        let layout = self.layout.clone();
        let merges: Vec<Merge> =
            layout.phases.iter().map(|phase| Merge::new(phase, start)).collect();
        let all_held = Merge {
            plain: Default::default(),
            negated: Default::default(),
            held: [false, true].map(|value| {
                let same = |&place: &usize| start.latches[place] == value;
                (0..start.latches.len()).filter(same).map(latch_slot).collect()
            }),
        };
        P::enable(
            #[inline(always)]
            || self.play(&layout, start, &merges, &all_held, control),
        );
        std::mem::replace(&mut self.statistics, Statistics::new(usize::from(layout.roles)))
    }

    #[inline(always)]
    fn play(
        &mut self,
        layout: &Layout,
        start: &Start,
        merges: &[Merge],
        first: &Merge,
        control: &mut dyn FnMut(&Statistics) -> Control,
    ) {
        let mut to_start = start.playouts;
        let begins = self.begin(&mut to_start);
        first.run(&mut self.memory, begins);
        let mut place = start.phase;
        let mut steps = 0u64;
        while !self.active.is_zero() || to_start > 0 {
            match control(&self.statistics) {
                Control::Play => {}
                Control::Finish => to_start = 0,
                Control::Cut => {
                    self.statistics.capped += self.active.count();
                    self.statistics.states -= self.ages_of(self.active);
                    self.active = P::none();
                    break;
                }
                Control::Forget => {
                    self.statistics.states -= self.ages_of(self.active);
                    self.active = P::none();
                    break;
                }
            }
            let phase = &layout.phases[place];
            phase.state.execute(&mut self.memory);
            let ended = self.active.and(read(&self.memory, phase.terminal));
            self.active = self.active.without(ended);
            if !ended.is_zero() {
                self.end(layout, place, ended);
            }
            if steps >= start.max_steps {
                self.cap(start.max_steps);
            }
            let mut stuck = P::none();
            for moves in &phase.choices {
                stuck = stuck.or(self.choice.make(moves, self.active, &mut self.memory));
            }
            if !stuck.is_zero() {
                self.statistics.stuck += stuck.count();
                self.statistics.states -= self.ages_of(stuck);
                self.active = self.active.without(stuck);
            }
            self.statistics.states += self.active.count();
            self.grow();
            phase.moves.execute(&mut self.memory);
            steps += 1;
            let merge = &merges[place];
            place = if place + 1 == layout.phases.len() { 0 } else { place + 1 };
            let begins = match place == start.phase {
                true => self.begin(&mut to_start),
                false => P::none(),
            };
            merge.run(&mut self.memory, begins);
        }
        self.count_goals(layout);
    }

    /// Begins playouts in lanes that are free.
    #[inline(always)]
    fn begin(&mut self, to_start: &mut u64) -> P {
        if *to_start == 0 {
            return P::none();
        }
        let mut begins = self.active.not();
        let mut free = begins.count();
        if free > *to_start {
            for lane in (0..P::LANES).rev() {
                if free > *to_start && begins.has(lane) {
                    begins.put(lane, false);
                    free -= 1;
                }
            }
        }
        *to_start -= free;
        self.active = self.active.or(begins);
        for bit in &mut self.ages {
            *bit = bit.without(begins);
        }
        begins
    }

    /// Keeps the last states of lanes for their goals.
    #[inline(always)]
    fn end(&mut self, layout: &Layout, phase: usize, ended: P) {
        self.statistics.playouts += ended.count();
        if !self.pending.and(ended).is_zero() {
            self.count_goals(layout);
        }
        self.pending = self.pending.or(ended);
        for &(to, from) in &layout.goals.read {
            let (value, kept) = (self.memory[from as usize], &mut self.goal_memory[to as usize]);
            *kept = ended.select(value, *kept);
        }
        for &(to, value) in &layout.goals.known[phase] {
            let kept = &mut self.goal_memory[to as usize];
            *kept = if value { kept.or(ended) } else { kept.without(ended) };
        }
    }

    /// Counts the goals of the states that were kept.
    #[inline(always)]
    fn count_goals(&mut self, layout: &Layout) {
        if self.pending.is_zero() {
            return;
        }
        let Goals { program, found, goals, .. } = &layout.goals;
        program.execute(&mut self.goal_memory);
        for (role, counts) in self.statistics.roles.iter_mut().enumerate() {
            let mut once = P::none();
            let mut twice = P::none();
            for (&(of, _), &found) in goals.iter().zip(found) {
                if usize::from(of) != role {
                    continue;
                }
                let holds = read(&self.goal_memory, found);
                twice = twice.or(once.and(holds));
                once = once.or(holds);
            }
            let mut open = self.pending;
            for (&(of, value), &found) in goals.iter().zip(found) {
                let Some(value) = value.filter(|_| usize::from(of) == role) else { continue };
                let holds = read(&self.goal_memory, found).and(open).without(twice);
                open = open.without(holds);
                counts.goals[usize::from(value)] += holds.count();
            }
            counts.improper += open.count();
        }
        self.pending = P::none();
    }

    /// Cuts the playouts that have had so many steps.
    #[inline(always)]
    fn cap(&mut self, steps: u64) {
        if self.ages.len() < 64 && steps >> self.ages.len() != 0 {
            return;
        }
        let mut old = self.active;
        for (bit, &ages) in self.ages.iter().enumerate() {
            old = if steps >> bit & 1 == 1 { old.and(ages) } else { old.without(ages) };
        }
        if !old.is_zero() {
            self.statistics.capped += old.count();
            self.statistics.states -= self.ages_of(old);
            self.active = self.active.without(old);
        }
    }

    /// Counts a step of all playouts under way.
    #[inline(always)]
    fn grow(&mut self) {
        let mut carry = self.active;
        for bit in &mut self.ages {
            (*bit, carry) = (bit.xor(carry), bit.and(carry));
        }
        if !carry.is_zero() {
            self.ages.push(carry);
        }
    }

    /// How many steps the playouts of some lanes have had together.
    fn ages_of(&self, lanes: P) -> u64 {
        let bits = self.ages.iter().enumerate();
        bits.map(|(bit, ages)| ages.and(lanes).count() << bit).sum()
    }
}

#[inline(always)]
fn read<P: Plane>(memory: &[P], (slot, negated): (Slot, bool)) -> P {
    let value = memory[slot as usize];
    if negated { value.not() } else { value }
}
