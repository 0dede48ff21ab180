//! The outputs of the state of a lane: how it ended, whose turn it is, which actions are legal.

use super::{EngineLanes, Lane, NO_ACTION};
use crate::engine::lanes::signals::{CUT, FAILED, STUCK, TERMINAL};
use crate::engine::{Engine, MoveId, RoleId, WorkLimit};

/// The outputs of a state.
#[derive(Clone)]
pub(super) struct Look {
    /// [`TERMINAL`], [`STUCK`], [`FAILED`] or 0.
    pub ended: u8,
    /// Whose turn it is; -1 where all act at once.
    pub mover: i32,
    /// By role.
    pub legal: Vec<Vec<MoveId>>,
}

impl EngineLanes {
    /// Looks at the state of a lane, if that was not done.
    pub(super) fn look(&mut self, lane: usize) {
        if self.lanes[lane].look.is_none() {
            let failed = Look { ended: FAILED, mover: -1, legal: Vec::new() };
            let look = self.look_anew(lane).unwrap_or(failed);
            self.lanes[lane].look = Some(look);
        }
        let Lane { age, marks, look, .. } = &mut self.lanes[lane];
        let may_go_on = look.as_ref().is_some_and(|look| look.ended == 0) && *marks == 0;
        if may_go_on && self.most_steps.is_some_and(|most| *age >= most) {
            *marks = CUT;
        }
    }

    fn look_anew(&mut self, lane: usize) -> Result<Look, WorkLimit> {
        let numbered = self.numbered.clone();
        let engine = numbered.engine();
        let scratch = &mut self.lanes[lane].scratch;
        let mut look = Look { ended: 0, mover: -1, legal: Vec::new() };
        if engine.terminal(scratch)? {
            look.ended = TERMINAL;
            return Ok(look);
        }
        for role in engine.roles().iter() {
            let mut legal = Vec::new();
            engine.legal(scratch, role, &mut legal)?;
            if legal.is_empty() {
                look.ended = STUCK;
            }
            look.legal.push(legal);
        }
        if look.ended != 0 {
            return Ok(look);
        }
        if numbered.is_simultaneous() {
            for role in numbered.players() {
                self.keep_numbered(&mut look, role);
            }
            return Ok(look);
        }
        let has_choice = |role: &RoleId| look.legal[role.index()].len() > 1;
        let mut choosing = numbered.players().filter(has_choice);
        let mover = match (choosing.next(), choosing.next()) {
            (Some(role), None) => Some(role),
            (Some(_), Some(_)) => {
                look.ended = FAILED;
                return Ok(look);
            }
            (None, _) => {
                let acts = |role: &RoleId| !numbered.waits(*role, look.legal[role.index()][0]);
                numbered.players().find(acts).or(numbered.players().next())
            }
        };
        if let Some(role) = mover {
            look.mover = i32::from(role.0);
            self.keep_numbered(&mut look, role);
        }
        Ok(look)
    }

    /// Drops the moves of a role that have no number; it can play none of them.
    fn keep_numbered(&mut self, look: &mut Look, role: RoleId) {
        let legal = &mut look.legal[role.index()];
        legal.retain(|&id| self.action(id) != NO_ACTION);
        if legal.is_empty() {
            look.ended = FAILED;
        }
    }

    /// How a lane ended, or 0.
    pub(super) fn end(&mut self, lane: usize) -> u8 {
        self.look(lane);
        let Lane { look, marks, .. } = &self.lanes[lane];
        match look.as_ref().map_or(0, |look| look.ended) {
            0 => *marks,
            ended => ended,
        }
    }

    /// The legal moves of a role, in a lane that was looked at.
    pub(super) fn legal_of(&self, lane: usize, role: RoleId) -> &[MoveId] {
        let look = self.lanes[lane].look.as_ref();
        look.and_then(|look| look.legal.get(role.index())).map_or(&[], |legal| legal)
    }
}
