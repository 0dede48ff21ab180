//! Lanes that wait for their turn.
//!
//! Where moves decide whose turn it is, some lanes are in one phase and some in another. In a step
//! the net of one phase is computed, that in which most lanes are; all others stay as they are.
//!
//! ```text
//! lanes in phase 1, 2    512, 0    40, 472    500, 12    30, 482
//! phase of the step          1          2          1          2
//! ```

use super::execute::read;
use super::layout::GameLayout;
use super::plane::Plane;

/// The lanes in which a step is made.
#[derive(Clone, Copy)]
pub(super) enum Here<P> {
    /// All, as they are in the same phase.
    All,
    /// Those that are in the phase at hand.
    Some(P),
}

impl<P: Plane> Here<P> {
    /// The lanes of a plane that are here.
    #[inline(always)]
    pub fn of(self, lanes: P) -> P {
        match self {
            Here::All => lanes,
            Here::Some(here) => lanes.and(here),
        }
    }
}

/// Whose turn it is where lanes wait for it.
#[derive(Clone)]
pub(super) struct Waits {
    /// By phase: for how many steps some lanes have been waiting for it.
    steps: Vec<u32>,
}

/// A phase that lanes have been waiting for during so many steps is next, however few they are.
const PATIENCE: u32 = 16;

impl Waits {
    /// Nobody has been waiting.
    pub fn new(layout: &GameLayout) -> Self {
        Waits { steps: vec![0; layout.phases.len()] }
    }

    /// Nobody has been waiting.
    pub fn clear(&mut self) {
        self.steps.fill(0);
    }

    /// The phase that is next: the one in which most lanes of `active` are, and those lanes. Where
    /// play is over a lane is in every phase.
    #[inline(always)]
    pub fn next<P: Plane>(&mut self, layout: &GameLayout, active: P, memory: &[P]) -> (usize, P) {
        let token = active.token();
        let over = layout.over.map_or(token.none(), |over| read(memory, over));
        let mut best = (0, 0, token.none());
        for (place, (phase, steps)) in layout.phases.iter().zip(&mut self.steps).enumerate() {
            let conditions = phase.here.iter().map(|&operand| read(memory, operand));
            let here = conditions.fold(token.all(), P::and).or(over);
            let count = here.and(active).count();
            *steps = if count == 0 { 0 } else { *steps + 1 };
            let weight = if *steps > PATIENCE { u64::MAX } else { count };
            if place == 0 || weight > best.1 {
                best = (place, weight, here);
            }
        }
        self.steps[best.0] = 0;
        (best.0, best.2)
    }
}
