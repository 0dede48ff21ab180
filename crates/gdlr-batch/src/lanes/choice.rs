//! Moves made of actions, and what becomes of each lane in a step.

use super::block::{Block, Fates};
use super::table::{NO_MOVE, Table};
use crate::execute::read;
use crate::layout::GameLayout;
use crate::plane::Plane;
use gdlr_engine::engine::{Ended, Illegal, SKIP};

impl<P: Plane> Block<P> {
    /// Makes the moves of actions; says which are not legal.
    #[inline(always)]
    pub fn choose(
        &mut self,
        layout: &GameLayout,
        table: &Table,
        actions: &[i32],
        ended: Ended,
        illegal: &mut Vec<Illegal>,
    ) {
        self.look_at_turns(layout, &table.ports);
        let phase = &layout.phases[self.phase];
        let ports = self.ports(&table.ports);
        let stride = table.acting();
        let mut goes = self.taken.without(self.over());
        // Where an action is looked up below, it is found there.
        let mut silent = goes;
        if !table.is_simultaneous {
            for acting in &ports.acting {
                silent = silent.without(read(&self.memory, acting.turn));
            }
        }
        for bit in silent.lanes() {
            if actions[self.lanes[bit] as usize * stride] == SKIP {
                goes.put(bit, false);
            }
        }
        for moves in &phase.choices {
            let does = moves.does as usize;
            self.memory[does..does + moves.legal.len()].fill(goes.token().none());
        }
        for acting in &ports.acting {
            let moves = &phase.choices[acting.choice];
            let offset = if table.is_simultaneous { usize::from(acting.role) } else { 0 };
            let choosing = goes.and(read(&self.memory, acting.turn));
            // Whether moves are legal is looked up for all lanes together.
            let mut refused = goes.token().none();
            for word in 0..P::WORDS {
                let mut left = choosing.words()[word];
                while left != 0 {
                    let bit = 64 * word + left.trailing_zeros() as usize;
                    let one = left & left.wrapping_neg();
                    left ^= one;
                    let action = actions[self.lanes[bit] as usize * stride + offset];
                    match acting.moves.get(action as u32 as usize) {
                        Some(&at) if at != NO_MOVE => {
                            self.memory[(moves.does + at) as usize].words_mut()[word] |= one;
                        }
                        _ => refused.words_mut()[word] |= one,
                    }
                }
            }
            for (&legal, does) in moves.legal.iter().zip(moves.does..) {
                let legal = self.memory[legal as usize];
                refused = refused.or(self.memory[does as usize].without(legal));
            }
            for bit in refused.lanes() {
                let lane = self.lanes[bit] as usize;
                let action = actions[lane * stride + offset];
                if let Some(&at) = acting.moves.get(action as u32 as usize)
                    && at != NO_MOVE
                {
                    self.memory[(moves.does + at) as usize].put(bit, false);
                }
                if action == SKIP && !table.is_simultaneous {
                    goes.put(bit, false);
                } else {
                    illegal.push(Illegal { lane, role: acting.role, action });
                }
            }
        }
        for waiting in &ports.waiting {
            let legal = self.memory[waiting.legal as usize];
            let turn = read(&self.memory, waiting.turn);
            let does = &mut self.memory[waiting.does as usize];
            *does = does.or(legal.without(turn));
        }
        self.fates = fates(self, goes, ended);
    }
}

/// The fates of lanes of which some go.
#[inline(always)]
pub(super) fn fates<P: Plane>(block: &Block<P>, goes: P, ended: Ended) -> Fates<P> {
    let begins = if ended == Ended::Restart { block.over() } else { goes.token().none() };
    Fates { goes, begins, stays: block.taken.without(goes).without(begins) }
}
