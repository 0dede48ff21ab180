//! States of lanes as rows of words: what a search keeps, and comes back to.
//!
//! A row is the mark of a net, and then the values of its latches, 64 a word. So Python can keep
//! states in arrays, many thousands at once, without an object for each; equal states have equal
//! rows, and rows may go to other processes. A net that was made otherwise, of other rules or by
//! another version, has another mark, and its rows are refused.

use gdlr::engine::fact_hash;
use gdlr::gdl::SymbolTable;
use gdlr::net::Net;
use gdlr::propnet::State;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How states of a net are written.
pub struct Rows {
    mark: u64,
    latches: usize,
}

impl Rows {
    pub fn new(net: &Net, symbols: &SymbolTable) -> Rows {
        // What each fact is in terms of gates, and which gates the latches are.
        let mut mark = DefaultHasher::new();
        for bit in &net.fluents {
            (fact_hash(&bit.fact, symbols), bit.signal).hash(&mut mark);
        }
        net.latches.iter().for_each(|latch| latch.gate.hash(&mut mark));
        Rows { mark: mark.finish(), latches: net.latches.len() }
    }

    /// How many words a row has.
    pub fn width(&self) -> usize {
        1 + self.latches.div_ceil(64)
    }

    /// The row of a state.
    pub fn of(&self, state: &State) -> impl Iterator<Item = u64> {
        std::iter::once(self.mark).chain(state.words())
    }

    /// The state of a row, if it is one of this net.
    pub fn state(&self, row: &[u64]) -> Option<State> {
        let (&mark, words) = row.split_first()?;
        if mark == self.mark { State::from_words(self.latches, words) } else { None }
    }
}
