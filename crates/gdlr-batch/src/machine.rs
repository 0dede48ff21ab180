//! The loop: one step in all lanes, again and again.
//!
//! A lane whose playout is over begins the next one as soon as it is the turn of the phase in
//! which playouts begin. Exactly as many are begun as are asked for, and all of them are
//! played to their end, so that short ones are not favoured.
//!
//! Where moves decide whose turn it is, lanes may be in different phases. Those of one make a step,
//! the others wait ([`waits`](super::waits)).
//!
//! A machine is memory alone: what to compute is in a [`GameLayout`], who chooses the moves and who
//! counts is said with every call.

use super::choose::ChooseMoves;
use super::execute::read;
use super::finished::FinishedGames;
use super::layout::{GameLayout, NextState, Phase, latch_slot};
use super::plane::{Plane, memory};
use super::program::Slot;
use super::step_counters::StepCounters;
use super::tally::Tally;
use super::token::Token;
use super::waits::{Here, Waits};
use gdlr_engine::play::Control;

/// How playouts are played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rollouts {
    /// The phase of the states in which they begin, unless lanes wait for their turn.
    pub phase: usize,
    /// Cut a playout after so many steps.
    pub max_steps: u64,
}

/// The state of all lanes.
#[derive(Clone)]
pub(super) struct Machine<P> {
    token: Token<P>,
    memory: Vec<P>,
    /// The last states of playouts whose goals are not counted yet.
    over: FinishedGames<P>,
    /// By latch of the layout: its value where a playout begins.
    first: Vec<P>,
    /// Whether that is in the game's initial state, in all lanes.
    from_initial: bool,
    /// The lanes in which a playout is under way.
    active: P,
    steps: StepCounters<P>,
    waits: Waits,
}

impl NextState {
    /// Moves the values in the lanes of `here`; where a playout begins, those of its first state.
    #[inline(always)]
    pub fn run<P: Plane>(&self, memory: &mut [P], here: Here<P>, begins: P, first: &[P]) {
        for next in &self.plain {
            let value = memory[next.from as usize];
            put(memory, next.to, value, here, begins, first);
        }
        for next in &self.negated {
            let value = memory[next.from as usize].not();
            put(memory, next.to, value, here, begins, first);
        }
        if !begins.is_zero() {
            for &to in &self.held {
                put(memory, to, memory[to as usize], Here::All, begins, first);
            }
        }
    }
}

/// Puts a latch's next value into its place in the lanes of `here`; its first one where a playout
/// begins. A function of its own, as closures are not always made part of the loop, and then its
/// instructions are not either.
#[inline(always)]
fn put<P: Plane>(memory: &mut [P], to: Slot, value: P, here: Here<P>, begins: P, first: &[P]) {
    let value = match here {
        Here::All => value,
        Here::Some(lanes) => lanes.select(value, memory[to as usize]),
    };
    memory[to as usize] = begins.select(first[(to - latch_slot(0)) as usize], value);
}

impl<P: Plane> Machine<P> {
    /// For a layout. Nothing is under way.
    pub fn new(token: Token<P>, layout: &GameLayout) -> Self {
        Machine {
            token,
            memory: memory(token, layout.slots()),
            over: FinishedGames::new(token, layout),
            first: vec![token.none(); layout.latches.len()],
            from_initial: false,
            active: token.none(),
            steps: StepCounters::new(token),
            waits: Waits::new(layout),
        }
    }

    /// Whether the memory is as large as a layout asks for.
    pub fn fits(&self, layout: &GameLayout) -> bool {
        self.memory.len() == layout.slots()
            && self.over.fits(layout)
            && self.first.len() == layout.latches.len()
    }

    /// Puts each lane into its first state: `latch` tells a latch of the net in all lanes.
    #[inline(always)]
    pub fn enter(&mut self, layout: &GameLayout, mut latch: impl FnMut(u32) -> P) {
        for (place, &of_net) in layout.latches.iter().enumerate() {
            self.first[place] = latch(of_net);
            self.memory[latch_slot(place) as usize] = self.first[place];
            if let Some(entry) = layout.entry {
                self.memory[entry.first as usize + place] = self.first[place];
            }
        }
        let token = self.token;
        let same = |(plane, &is): (&P, &bool)| plane.xor(token.all_if(is));
        let others = self.first.iter().zip(&layout.initial).map(same);
        self.from_initial =
            layout.initial.len() == self.first.len() && others.fold(token.none(), P::or).is_zero();
        self.over.forget();
        self.active = token.none();
        self.steps.clear();
        self.waits.clear();
    }

    /// Computes what there is to say about the states. Returns the lanes where they are
    /// terminal.
    #[inline(always)]
    pub fn observe(&mut self, phase: &Phase) -> P {
        match &phase.code {
            Some(code) if code.is_for::<P>() => code.look(self.token, phase, &mut self.memory),
            _ => phase.state.execute(self.token, &mut self.memory),
        }
        read(&self.memory, phase.terminal)
    }

    /// Makes the moves that have been chosen in the lanes of `here`, or begins again from the
    /// first state.
    #[inline(always)]
    pub fn advance(
        &mut self,
        layout: &GameLayout,
        phase: &Phase,
        here: Here<P>,
        begins: P,
        is_drawn: bool,
    ) {
        if let (Some(entry), Some(code)) = (layout.entry, &phase.code)
            && code.is_for::<P>()
            && code.finds() == is_drawn
        {
            self.memory[entry.begins as usize] = begins;
            if let Here::Some(lanes) = here {
                self.memory[entry.here as usize] = lanes;
            }
            return code.advance(self.token, phase, self.from_initial, &mut self.memory);
        }
        phase.moves.execute(self.token, &mut self.memory);
        phase.next.run(&mut self.memory, here, begins, &self.first);
    }

    /// Plays, from the states that were entered, what a tally asks for. `control` is asked
    /// before every step.
    #[inline(always)]
    pub fn run<C: ChooseMoves<P>, T: Tally<P>>(
        &mut self,
        layout: &GameLayout,
        rollouts: Rollouts,
        chooser: &mut C,
        tally: &mut T,
        control: &mut dyn FnMut(&T) -> Control,
    ) {
        self.active = tally.begin(self.token.all());
        let mut place = rollouts.phase;
        let mut steps = 0u64;
        while !self.active.is_zero() || tally.has_more() {
            match control(tally) {
                Control::Play => {}
                Control::Finish => tally.finish(),
                Control::Cut => {
                    tally.capped(self.active, &self.steps);
                    break;
                }
                Control::Forget => {
                    tally.forgotten(self.active, &self.steps);
                    break;
                }
            }
            let mut here = Here::All;
            if layout.waits {
                let (next, lanes) = self.waits.next(layout, self.active, &self.memory);
                (place, here) = (next, Here::Some(lanes));
            }
            let phase = &layout.phases[place];
            let ended = here.of(self.observe(phase).and(self.active));
            if !ended.is_zero() {
                self.end(layout, place, ended, tally);
            }
            if steps >= rollouts.max_steps {
                let old = here.of(self.active.and(self.steps.exactly(rollouts.max_steps)));
                if !old.is_zero() {
                    tally.capped(old, &self.steps);
                    self.active = self.active.without(old);
                }
            }
            let playing = here.of(self.active);
            let (stuck, is_drawn) = chooser.draw(phase, playing, &mut self.memory);
            if !stuck.is_zero() {
                tally.stuck(stuck, &self.steps);
                self.active = self.active.without(stuck);
            }
            let stepping = playing.without(stuck);
            tally.step(stepping);
            self.steps.grow(stepping);
            steps += 1;
            place = if place + 1 == layout.phases.len() { 0 } else { place + 1 };
            let mut begins = self.token.none();
            if (layout.waits || place == rollouts.phase) && tally.has_more() {
                begins = tally.begin(self.active.not());
                self.active = self.active.or(begins);
                self.steps.forget(begins);
            }
            self.advance(layout, phase, here, begins, is_drawn);
        }
        self.active = self.token.none();
        self.count_goals(layout, tally);
    }

    /// Keeps the last states of lanes for their goals.
    #[inline(always)]
    fn end<T: Tally<P>>(&mut self, layout: &GameLayout, phase: usize, ended: P, tally: &mut T) {
        if self.over.overlaps(ended) {
            self.count_goals(layout, tally);
        }
        self.active = self.active.without(ended);
        tally.ended(ended, &self.steps);
        self.over.keep(layout, phase, ended, &self.memory);
    }

    /// Counts the goals of the states that were kept.
    #[inline(always)]
    fn count_goals<T: Tally<P>>(&mut self, layout: &GameLayout, tally: &mut T) {
        self.over.tell(layout, |role, points, lanes| match points {
            Some(points) => tally.goal(role, points, lanes),
            None => tally.improper(role, lanes),
        });
    }
}
