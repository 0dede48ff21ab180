//! Machine code in the search for moves, and the interpreter where the code gives up.

use super::host::{Listing, Outcome, list};
use crate::rg::interpreter::automaton::Automaton;
use crate::rg::interpreter::moves::Moves;
use crate::rg::interpreter::search::Search;
use crate::rg::interpreter::state::State;

impl Search<'_> {
    /// As [`Search::list`], by machine code, if there is any. Returns whether all moves are there.
    pub(in crate::rg::interpreter) fn list_native(
        &mut self,
        automaton: &Automaton,
        base: &State,
        moves: &mut Moves,
        steps: &mut u64,
    ) -> bool {
        let Some(native) = &automaton.native else { return false };
        let kind = automaton.program.checks.len();
        if self.eager[kind] {
            return false;
        }
        let listing = Listing {
            registers: &mut self.registers,
            base: &base.values,
            trail: &mut self.trail,
            moves,
            fuel: automaton.remembered_after.saturating_mul(MORE_FUEL),
            bytes: self.bytes,
        };
        let outcome = list(native, base.node, &mut self.native, listing);
        match outcome {
            Outcome::Listed(calls) => {
                *steps += calls;
                true
            }
            Outcome::GivenUp(calls) => {
                *steps += calls;
                self.registers[..base.values.len()].copy_from_slice(&base.values);
                moves.clear(automaton.words());
                false
            }
        }
    }
}

/// The factor from `remembered_after` to the calls that machine code may make before it gives up.
pub(super) const MORE_FUEL: u64 = 16;
