//! Few blocks for the lanes: those that stay come out of blocks that play, and blocks that are not
//! full are merged.

use super::block::{Block, Fates, NO_LANE};
use super::field::{Field, LaneAddress};
use crate::layout::GameLayout;
use crate::plane::Plane;

/// The cost of moving a lane into another block, for each latch: as much as so many slots cost
/// in a step.
const LANE_COST: u64 = 2;

impl<P: Plane> Field<P> {
    /// Puts blocks without lanes aside.
    pub fn close_empty(&mut self) {
        let mut at = 0;
        while at < self.blocks.len() {
            if !self.blocks[at].taken.is_zero() {
                at += 1;
                continue;
            }
            let block = self.blocks.swap_remove(at);
            self.spare.push(block);
            if let Some(moved) = self.blocks.get(at) {
                for (bit, &lane) in moved.lanes.iter().enumerate().filter(|of| *of.1 != NO_LANE) {
                    self.addresses[lane as usize] =
                        LaneAddress { block: at as u32, bit: bit as u32 };
                }
            }
        }
    }

    /// Moves lanes that stay out of blocks that play.
    pub fn part(&mut self, layout: &GameLayout) {
        for at in 0..self.blocks.len() {
            let Fates { goes, stays, .. } = self.blocks[at].fates;
            if stays.is_zero() || goes.is_zero() {
                continue;
            }
            let phase = self.blocks[at].phase;
            let mut left = stays;
            while !left.is_zero() {
                let has_room = |block: &Block<P>| {
                    block.phase == phase && block.fates.goes.is_zero() && block.free() > 0
                };
                let to = match self.blocks.iter().position(has_room) {
                    Some(to) => to,
                    None => {
                        let to = self.open(layout, phase);
                        let none = self.token.none();
                        self.blocks[to].fates = Fates { goes: none, begins: none, stays: none };
                        to
                    }
                };
                left = left.without(self.move_lanes(layout, at, left, to));
            }
            self.blocks[at].fates.stays = self.token.none();
        }
    }

    /// Merges blocks once those that were not needed have cost as much as that does: so neither
    /// costs much more than need be, whether states or moves of lanes are dear.
    #[inline(never)]
    pub fn merge(&mut self, layout: &GameLayout) {
        if self.blocks.len() <= self.addresses.len().div_ceil(P::LANES) {
            return;
        }
        self.token.enable(
            #[inline(always)]
            || {
                for phase in 0..layout.phases.len() {
                    let unneeded = self.room(phase) / P::LANES;
                    self.idle += (unneeded * layout.size) as u64;
                    while self.room(phase) >= P::LANES && self.merge_one(layout, phase) {}
                }
            },
        );
    }

    /// For how many lanes there is room in the blocks of a phase.
    #[inline(always)]
    fn room(&self, phase: usize) -> usize {
        let of_phase = self.blocks.iter().filter(|block| block.phase == phase);
        of_phase.map(Block::free).sum()
    }

    /// Merges the emptiest block of a phase with others, which have room for its lanes, if that
    /// does not cost too much.
    fn merge_one(&mut self, layout: &GameLayout, phase: usize) -> bool {
        let of_phase = self.blocks.iter().enumerate().filter(|of| of.1.phase == phase);
        let by_room = of_phase.map(|(at, block)| (block.free(), at));
        let Some((room, from)) = by_room.max() else { return false };
        let cost = ((P::LANES - room) * layout.latches.len()) as u64 * LANE_COST;
        if self.idle < cost {
            return false;
        }
        self.idle -= cost;
        for to in 0..self.blocks.len() {
            let (left, into) = (self.blocks[from].taken, &self.blocks[to]);
            if to != from && into.phase == phase && into.free() > 0 && !left.is_zero() {
                self.move_lanes(layout, from, left, to);
            }
        }
        self.close_empty();
        true
    }

    /// Moves lanes with their states into another block in the same phase, as many as there is
    /// room for; returns them. Linear in the latches, for each lane.
    fn move_lanes(&mut self, layout: &GameLayout, at: usize, lanes: P, to: usize) -> P {
        let [from, into] = self.blocks.get_disjoint_mut([at, to]).expect("two blocks");
        let pairs: Vec<(usize, usize)> = lanes.lanes().zip(into.taken.not().lanes()).collect();
        self.token.enable(
            #[inline(always)]
            || into.copy_states(layout, from, &pairs),
        );
        let mut moved = self.token.none();
        for &(bit, room) in &pairs {
            moved.put(bit, true);
            into.steps.put(room, from.steps.of(bit));
            into.cut.put(room, from.cut.has(bit));
            into.refused.put(room, from.refused.has(bit));
            into.taken.put(room, true);
            into.fates.stays.put(room, true);
            into.lanes[room] = from.lanes[bit];
            self.addresses[from.lanes[bit] as usize] =
                LaneAddress { block: to as u32, bit: room as u32 };
        }
        into.is_stale = true;
        from.remove(moved);
        moved
    }
}
