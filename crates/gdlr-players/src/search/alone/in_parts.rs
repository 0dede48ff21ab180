//! Beams in one independent part after another ([`Parts`]).
//!
//! Of two asteroids that are steered by one move each has few states, and both together have
//! their product. So a beam looks at one part: there it tries every choice, and elsewhere it goes
//! along with the best line so far. That line is the one that comes nearest to the best goal
//! ([`Insight::closeness`](super::Insight::closeness)), over or not, and it is made better in one
//! part after another until no part makes it better. What is found is played on the engine and so
//! is true, whatever the parts are; that there is nothing better is not known, and beams over the
//! whole follow.
//!
//! `asteroidsParallel`: the best goal after 140,000 playouts and a fifth of a second, rather than 4
//! million and 3 to 17 seconds.

use super::{Alone, Limits, Swept};
use crate::search::leaves::Leaves;
use crate::search::parts::Parts;
use gdlr_engine::engine::MoveId;
use std::collections::VecDeque;
use std::sync::Arc;

/// A beam in one part.
pub(super) struct Along {
    parts: Arc<Parts>,
    part: usize,
    /// The line to go along with in the other parts.
    plan: VecDeque<MoveId>,
    /// How near the best line comes, and that line if this beam found it.
    nearest: f32,
    found: Option<VecDeque<MoveId>>,
}

impl Along {
    /// Leaves one move for each choice in the part, and of the others those that go along with the
    /// plan, as long as there is one and it can be followed.
    pub fn narrow(&self, depth: usize, moves: &mut Vec<MoveId>) {
        let Along { parts, part, plan, .. } = self;
        if let Some(planned) = plan.get(depth).map(|&id| parts.choices(id)) {
            let goes_along = |id: &MoveId| {
                let choices = parts.choices(*id).iter().zip(planned).enumerate();
                choices.into_iter().all(|(at, (choice, planned))| at == *part || choice == planned)
            };
            if moves.iter().any(goes_along) {
                moves.retain(goes_along);
            }
        }
        let mut chosen = Vec::new();
        moves.retain(|&id| {
            let choice = parts.choices(id)[*part];
            let is_new = !chosen.contains(&choice);
            if is_new {
                chosen.push(choice);
            }
            is_new
        });
    }

    /// Hears of a state that is so near; `way` is the line to it.
    pub fn hear(&mut self, closeness: f32, way: impl FnOnce() -> VecDeque<MoveId>) {
        if closeness > self.nearest {
            self.nearest = closeness;
            self.found = Some(way());
        }
    }
}

impl<L: Leaves> Alone<L> {
    /// Makes a line better in one part after another.
    pub(super) fn sweep_parts(&mut self, parts: &Arc<Parts>, limits: &Limits<'_>) -> Swept {
        let (mut plan, mut nearest) = (VecDeque::new(), f32::NEG_INFINITY);
        // How many parts in a row have not made it better since the last one that did.
        let (mut part, mut idle) = (0, 0);
        while idle < parts.count() {
            let (along, found) = (plan.clone(), None);
            self.along = Some(Along { parts: parts.clone(), part, plan: along, nearest, found });
            let swept = self.sweep(limits);
            let along = self.along.take().expect("nobody else takes it");
            if matches!(swept, Swept::Solved | Swept::Stopped) {
                return swept;
            }
            idle += 1;
            if let Some(found) = along.found {
                (plan, nearest, idle) = (found, along.nearest, 1);
            }
            part = (part + 1) % parts.count();
        }
        Swept::Some
    }
}
