//! Any-assignments: the symbols of a set, one after the other.
//!
//! Two frequent cases have a loop of their own. In the first, a comparison follows, and most
//! symbols fail it (RG, C.3, `@iterator`, has the same use). In the second, the symbol is the last
//! tag of a move.

use super::error::PlayError;
use super::memory::Change;
use super::moves::{Ambiguous, Family, Moves};
use super::program::{Address, FAIL, NodeId, Op, PLAYER, Register, Symbol};
use super::run::Run;
use super::search::Frame;
use std::ops::Range;

impl Run<'_, '_> {
    /// Begins an any-assignment whose operation is before `at`. Goes on with its first symbol.
    /// Returns whether there is one.
    #[inline(always)]
    pub(super) fn any(&mut self, at: &mut Address, first: u32, register: Register) -> bool {
        self.trail.keep(self.registers, register);
        let Some((chosen, end, then)) = self.choose(*at - 1, first, register) else {
            return false;
        };
        if chosen + 1 < end {
            let (at, next) = (*at - 1, chosen + 1);
            self.push(|trail, tags| Frame::Any { at, next, register, trail, tags });
        }
        *at = then;
        true
    }

    /// Gives a register the next symbol of the any-assignment at an address. Returns the index of
    /// the symbol, the end of all indices, and the address to go on at. `None` if the filter holds
    /// for no further symbol.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        at: Address,
        next: u32,
        register: Register,
    ) -> Option<(u32, u32, Address)> {
        let (end, filtered) = match self.program.code[at as usize] {
            Op::Any { end, filtered, .. } => (end, filtered),
            Op::AnyThere { end, .. } => (end, false),
            _ => return None,
        };
        if !filtered {
            self.registers[register as usize] = self.program.choices[next as usize];
            return Some((next, end, at + 1));
        }
        let (chosen, then) = self.filter(at + 1, next..end, register, |_| false);
        self.steps += u64::from(chosen.unwrap_or(end) - next);
        Some((chosen?, end, then))
    }

    /// Gives a register one symbol after the other. Calls `go_on` for each symbol for which the
    /// comparison at an address holds, until `go_on` returns false. Returns the index of the symbol
    /// at which it stopped, if any, and the address after the comparison.
    #[inline(always)]
    fn filter(
        &mut self,
        at: Address,
        choices: Range<u32>,
        register: Register,
        go_on: impl FnMut(Symbol) -> bool,
    ) -> (Option<u32>, Address) {
        match self.program.code[at as usize] {
            Op::Compare { left, right, equal, different } => {
                let wanted = different == FAIL;
                let holds = |run: &Self| (run.get(left) == run.get(right)) == wanted;
                (self.each(choices, register, holds, go_on), equal.max(different))
            }
            Op::CompareEntry { entry, with, equal, different } => {
                let wanted = different == FAIL;
                let holds = |run: &Self| (run.entry(entry) == run.get(with)) == wanted;
                (self.each(choices, register, holds, go_on), equal.max(different))
            }
            Op::CompareNested { base, entry, with, equal, different } => {
                let wanted = different == FAIL;
                let holds = |run: &Self| (run.nested(base, entry) == run.get(with)) == wanted;
                (self.each(choices, register, holds, go_on), equal.max(different))
            }
            _ => (self.each(choices, register, |_| true, go_on), at),
        }
    }

    /// Gives a register one symbol after the other. Returns the index of the first symbol for which
    /// `holds` is true and `go_on` is false.
    #[inline(always)]
    fn each(
        &mut self,
        choices: Range<u32>,
        register: Register,
        holds: impl Fn(&Self) -> bool,
        mut go_on: impl FnMut(Symbol) -> bool,
    ) -> Option<u32> {
        let symbols = &self.program.choices[choices.start as usize..choices.end as usize];
        for (&symbol, index) in symbols.iter().zip(choices) {
            self.registers[register as usize] = symbol;
            if holds(self) && !go_on(symbol) {
                return Some(index);
            }
        }
        None
    }

    /// Adds one move for each symbol of an any-assignment whose symbol is the last tag. All other
    /// changes of these moves are the same.
    pub(super) fn name_all(
        &mut self,
        at: Address,
        choices: Range<u32>,
        register: Register,
    ) -> Result<(), PlayError> {
        let code = &self.program.code[at as usize..];
        let Op::Any { filtered, .. } = code[0] else { return Ok(()) };
        let Op::Finish { from, node } = code[2 + usize::from(filtered)] else { return Ok(()) };
        self.steps += u64::from(choices.end - choices.start);
        let mark = self.trail.len() as u32;
        self.trail.keep(self.registers, register);
        let mut chosen = std::mem::take(self.chosen);
        let mut common = std::mem::take(self.common);
        self.filter(at + 1, choices, register, |symbol| {
            chosen.push(symbol);
            true
        });
        self.trail.assign(self.registers, PLAYER, self.registers[from as usize]);
        self.trail.changes(self.registers, &self.base.values, &mut common);
        common.retain(|&(changed, _)| changed != register);
        let named = self.name(node, register, &chosen, &common);
        self.trail.undo(self.registers, mark);
        chosen.clear();
        common.clear();
        (*self.chosen, *self.common) = (chosen, common);
        named
    }

    /// Adds one move for each of some symbols of a register. The symbol is the last tag of the
    /// move.
    fn name(
        &mut self,
        node: NodeId,
        register: Register,
        symbols: &[Symbol],
        common: &[Change],
    ) -> Result<(), PlayError> {
        let bytes_each = size_of_val(&self.tags[..]) + size_of_val(common);
        if self.moves.bytes() + symbols.len() * (Moves::LEAST + bytes_each) > self.bytes {
            return Err(self.exhausted());
        }
        let family = Family::new(self.tags, node, common);
        let before = self.base.values[register as usize];
        for &symbol in symbols {
            let tag = self.automaton.symbols[symbol as usize];
            let change = (symbol != before).then_some((register, symbol));
            if let Err(Ambiguous) = self.moves.add_to(&family, tag, change) {
                self.tags.push(tag);
                return Err(self.automaton.ambiguous(self.base.node, self.tags));
            }
        }
        Ok(())
    }
}
