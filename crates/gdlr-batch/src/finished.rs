//! The goals of states in which games are over.
//!
//! They are counted for many of these at once: last states are kept until there is one for a lane that has
//! one already, or until somebody asks. Where a step says the goals of its states, these alone are kept;
//! else the latches, and goals are computed of them.

use super::execute::read;
use super::layout::{GameLayout, GoalValue};
use super::plane::{Plane, memory};
use super::token::Token;

/// The last states of some lanes.
#[derive(Clone)]
pub(super) struct FinishedGames<P> {
    /// That of the program of goals; or by goal, if steps say them, in which lanes it is true.
    memory: Vec<P>,
    /// The lanes with such a state.
    pending: P,
}

impl<P: Plane> FinishedGames<P> {
    /// No states yet.
    pub fn new(token: Token<P>, layout: &GameLayout) -> Self {
        FinishedGames { memory: memory(token, slots(layout)), pending: token.none() }
    }

    /// Whether the memory is as large as the goals of a layout ask for.
    pub fn fits(&self, layout: &GameLayout) -> bool {
        self.memory.len() == slots(layout)
    }

    /// Whether there is a state of one of these lanes.
    #[inline(always)]
    pub fn overlaps(&self, lanes: P) -> bool {
        !self.pending.and(lanes).is_zero()
    }

    /// Forgets all states.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.pending = self.pending.token().none();
    }

    /// Keeps the states of some lanes, which stand in the memory of states.
    #[inline(always)]
    pub fn keep(&mut self, layout: &GameLayout, phase: usize, lanes: P, states: &[P]) {
        self.pending = self.pending.or(lanes);
        match &layout.phases[phase].goals {
            Some(goals) => {
                for (kept, &goal) in self.memory.iter_mut().zip(goals) {
                    *kept = lanes.select(read(states, goal), *kept);
                }
            }
            None => layout.goals.whole.enter(phase, lanes, states, &mut self.memory),
        }
    }

    /// Tells the goals of the states that were kept, and forgets these: by role and value, in
    /// which lanes; without a value, the lanes in which a role has no proper one. The role of
    /// chance needs none.
    #[inline(always)]
    pub fn tell(&mut self, layout: &GameLayout, mut goal: impl FnMut(u16, Option<u8>, P)) {
        if self.pending.is_zero() {
            return;
        }
        let token = self.pending.token();
        let are_kept = layout.tells_goals();
        if !are_kept {
            layout.goals.whole.program.execute(token, &mut self.memory);
        }
        let memory = &self.memory;
        let holds = |place: usize, goal: &GoalValue| match are_kept {
            true => memory[place],
            false => read(memory, goal.holds),
        };
        for role in 0..layout.roles {
            let goals = layout.goals.values.iter().enumerate();
            let goals = goals.filter(|(_, goal)| goal.role == role);
            let mut once = token.none();
            let mut twice = token.none();
            for (place, goal) in goals.clone() {
                let holds = holds(place, goal);
                twice = twice.or(once.and(holds));
                once = once.or(holds);
            }
            let mut open = self.pending;
            for (place, value) in goals {
                let Some(points) = value.points else { continue };
                let holds = holds(place, value).and(open).without(twice);
                open = open.without(holds);
                goal(role, Some(points), holds);
            }
            let lacks = if layout.chance == Some(role) { open.and(once) } else { open };
            goal(role, None, lacks);
        }
        self.pending = token.none();
    }
}

/// How many slots the last states of a layout take.
fn slots(layout: &GameLayout) -> usize {
    match layout.tells_goals() {
        true => layout.goals.values.len(),
        false => layout.goals.whole.size,
    }
}
