//! The outputs of lanes: rows of legal actions, observations and percepts, and the actions that are chosen.

use super::play::Fate;
use super::{EngineLanes, Lane};
use crate::engine::Engine;
use crate::engine::lanes::contract::Lanes;
use crate::engine::lanes::outputs::{Encoded, Moment, Output};
use crate::engine::lanes::signals::SKIP;

impl EngineLanes {
    /// Writes an output, a row for each lane; there is room for all rows.
    pub(super) fn write_rows(&mut self, output: Output, moment: Moment, mut out: Encoded<'_>) {
        let width = self.width(output);
        for lane in 0..self.len() {
            if moment == Moment::End && self.end(lane) == 0 {
                continue;
            }
            out.clear(lane, width);
            let set = |column| out.set(lane, width, column);
            match output {
                Output::Legal => self.each_legal(lane, set),
                Output::Observations => self.each_observed(lane, set),
                Output::Percepts => {
                    self.lanes[lane].seen.iter().map(|&at| at as usize).for_each(set)
                }
            }
        }
    }

    /// Says of each column that is observed in a lane.
    fn each_observed(&self, lane: usize, mut say: impl FnMut(usize)) {
        let engine = self.any();
        for fact in engine.facts(&engine.state(&self.lanes[lane].scratch)) {
            let columns = self.numbered.fact(&fact).map(|fact| &self.columns[fact as usize]);
            columns.into_iter().flatten().for_each(|&column| say(column as usize));
        }
    }

    /// Says of each place in the row of a lane at which an action is legal.
    fn each_legal(&mut self, lane: usize, mut say: impl FnMut(usize)) {
        if self.end(lane) != 0 {
            return;
        }
        let (numbered, count) = (self.numbered.clone(), self.vocabulary().moves.len());
        let mover = self.lanes[lane].look.as_ref().map_or(-1, |look| look.mover);
        for role in numbered.players() {
            let row = match numbered.is_simultaneous() {
                true => role.index(),
                false if mover == i32::from(role.0) => 0,
                false => continue,
            };
            for at in 0..self.legal_of(lane, role).len() {
                let id = self.legal_of(lane, role)[at];
                say(row * count + self.action(id) as usize);
            }
        }
    }

    /// Writes the actions that were chosen and are not played yet.
    pub(super) fn write_chosen(&mut self, out: &mut [i32]) {
        let acting = self.acting();
        out.fill(SKIP);
        let numbered = self.numbered.clone();
        for (lane, row) in out.chunks_mut(acting).enumerate() {
            let Lane { fate, look, joint, .. } = &self.lanes[lane];
            let is_whole = joint.len() == self.roles();
            if !self.is_chosen || *fate != Fate::Goes || !is_whole {
                continue;
            }
            let mover = look.as_ref().map_or(-1, |look| look.mover);
            for role in numbered.players() {
                let place = match numbered.is_simultaneous() {
                    true => role.index(),
                    false if mover == i32::from(role.0) => 0,
                    false => continue,
                };
                let id = self.lanes[lane].joint[role.index()];
                row[place] = self.action(id).try_into().unwrap_or(SKIP);
            }
        }
    }
}
