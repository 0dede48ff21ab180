//! The goals of states in which games are over.
//!
//! Goals are computed for such states only, and for many of them at once: last states are kept
//! until there is one for a lane that has one already, or until somebody asks.

use super::execute::read;
use super::layout::{GoalValue, Goals, Layout};
use super::plane::{Plane, memory};

/// The last states of some lanes.
#[derive(Clone)]
pub(super) struct Over<P> {
    memory: Vec<P>,
    /// The lanes with such a state.
    pending: P,
}

impl<P: Plane> Over<P> {
    /// No states yet.
    pub fn new(goals: &Goals) -> Self {
        Over { memory: memory(goals.whole.size), pending: P::none() }
    }

    /// Whether the memory is as large as the goals of a layout ask for.
    pub fn fits(&self, goals: &Goals) -> bool {
        self.memory.len() == goals.whole.size
    }

    /// Whether there is a state of one of these lanes.
    #[inline(always)]
    pub fn overlaps(&self, lanes: P) -> bool {
        !self.pending.and(lanes).is_zero()
    }

    /// Forgets all states.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.pending = P::none();
    }

    /// Keeps the states of some lanes, which stand in the memory of states.
    #[inline(always)]
    pub fn keep(&mut self, goals: &Goals, phase: usize, lanes: P, states: &[P]) {
        self.pending = self.pending.or(lanes);
        goals.whole.enter(phase, lanes, states, &mut self.memory);
    }

    /// Tells the goals of the states that were kept, and forgets these: by role and value, in
    /// which lanes; without a value, the lanes in which a role has no proper one. The role of
    /// chance needs none.
    #[inline(always)]
    pub fn tell(&mut self, layout: &Layout, mut goal: impl FnMut(u16, Option<u8>, P)) {
        if self.pending.is_zero() {
            return;
        }
        layout.goals.whole.program.execute(&mut self.memory);
        for role in 0..layout.roles {
            let goals = layout.goals.values.iter().filter(|goal| goal.role == role);
            let mut once = P::none();
            let mut twice = P::none();
            for goal in goals.clone() {
                let holds = read(&self.memory, goal.holds);
                twice = twice.or(once.and(holds));
                once = once.or(holds);
            }
            let mut open = self.pending;
            for &GoalValue { points, holds, .. } in goals {
                let Some(points) = points else { continue };
                let holds = read(&self.memory, holds).and(open).without(twice);
                open = open.without(holds);
                goal(role, Some(points), holds);
            }
            let lacks = if layout.chance == Some(role) { open.and(once) } else { open };
            goal(role, None, lacks);
        }
        self.pending = P::none();
    }
}
