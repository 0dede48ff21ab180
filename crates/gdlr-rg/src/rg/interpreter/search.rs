//! The working memory of searches, and their bounds.

use super::automaton::Automaton;
use super::memory::{Change, Trail, VisitMark, Visits};
use super::moves::Moves;
use super::program::{Address, NodeId, Register, Symbol};
use super::state::State;
use super::watch::Watch;
use crate::rg::name::Name;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The default limit of steps to list the moves of a state.
pub const DEFAULT_STEPS: u64 = 30_000_000;

/// The bytes that a search may remember: for each step that is allowed, and in all.
const BYTES_A_STEP: u64 = 64;
const MAX_BYTES: u64 = 1 << 28;

/// Working memory of searches, for one thread. It serves any automaton. Its storage is kept for the
/// next search.
///
/// A clone has the same limits, and what was learned about the automaton. It does not copy the
/// remains of the last search, which nobody reads.
///
/// A search can have limits: a number of steps, a time, a flag that is raised. They hold for all
/// uses of the search.
/// That holds for everything that is done with it.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rg; }
/// use gdlr::rg::{self, Automaton, PlayError, Search};
/// use std::sync::atomic::AtomicBool;
/// let text = "type Player = { x }; type Score = { 0 }; begin, end: player = keeper;";
/// let automaton = Automaton::new(&rg::read(text).unwrap()).unwrap();
/// let stop = AtomicBool::new(true);
/// let mut search = Search::with_limit(1_000_000).stopped_by(&stop);
/// let kept = automaton.keep(&mut search, &mut automaton.initial().clone());
/// assert_eq!(kept, Err(PlayError::Interrupted));
/// ```
#[derive(Debug)]
pub struct Search<'s> {
    pub(super) registers: Vec<Symbol>,
    pub(super) trail: Trail,
    pub(super) stack: Vec<Frame>,
    pub(super) outer: Vec<OuterSearch>,
    pub(super) tags: Vec<Name>,
    pub(super) hidden: Vec<u64>,
    pub(super) visits: Visits,
    /// For moves that are added together: the symbol of each, and their common changes.
    pub(super) chosen: Vec<Symbol>,
    pub(super) common: Vec<Change>,
    /// By check, and last for moves: whether the search begins with memory.
    pub(super) eager: Vec<bool>,
    /// The automaton for which these have the right size.
    automaton: u64,
    pub(super) watch: Watch<'s>,
    /// The number of bytes that may be remembered.
    pub(super) bytes: usize,
    pub(super) own_moves: Moves,
    /// The memory of machine code.
    #[cfg(feature = "native")]
    pub(super) native: super::native::Memory,
}

impl Default for Search<'_> {
    fn default() -> Self {
        Search::with_limit(DEFAULT_STEPS)
    }
}

impl Clone for Search<'_> {
    fn clone(&self) -> Self {
        let mut clone = Search::with_limit(self.watch.limit);
        clone.clone_from(self);
        clone
    }

    /// Keeps its storage.
    fn clone_from(&mut self, other: &Self) {
        self.registers.clone_from(&other.registers);
        self.eager.clone_from(&other.eager);
        self.belong_to(other.automaton);
        self.watch.clone_from(&other.watch);
        self.bytes = other.bytes;
    }
}

/// A point to backtrack to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    /// The other alternatives of a fork.
    Others { at: Address, trail: u32, tags: u32 },
    /// The next target of a branch.
    Branch { next: u32, end: u32, trail: u32, tags: u32 },
    /// The next symbol of an any-assignment to a register.
    Any { at: Address, next: u32, register: Register, trail: u32, tags: u32 },
    /// The end of an inner search: it has failed.
    InnerSearch,
}

/// An outer search, which waits for an inner one.
#[derive(Clone, Copy, Debug)]
pub(super) struct OuterSearch {
    pub found: Address,
    pub missing: Address,
    pub trail: u32,
    /// The length of the stack without the inner search.
    pub stack: u32,
    pub visits: VisitMark,
    // Of the outer search:
    pub target: NodeId,
    pub pause: u64,
    pub kind: u32,
    pub hit: bool,
}

impl<'s> Search<'s> {
    /// Working memory for searches of at most `limit` steps each. One search lists moves, or plays
    /// the moves of the keeper in a row. `limit` also bounds the memory of semistates.
    pub fn with_limit(limit: u64) -> Self {
        Search {
            registers: Vec::new(),
            trail: Trail::default(),
            stack: Vec::new(),
            outer: Vec::new(),
            tags: Vec::new(),
            hidden: Vec::new(),
            visits: Visits::default(),
            chosen: Vec::new(),
            common: Vec::new(),
            eager: Vec::new(),
            automaton: u64::MAX,
            watch: Watch::new(limit),
            bytes: limit.saturating_mul(BYTES_A_STEP).min(MAX_BYTES) as usize,
            own_moves: Moves::default(),
            #[cfg(feature = "native")]
            native: super::native::Memory::default(),
        }
    }

    /// Ends a search soon after the flag is raised, with
    /// [`PlayError::Interrupted`](super::PlayError::Interrupted).
    #[must_use]
    pub fn stopped_by(mut self, stop: &'s AtomicBool) -> Self {
        self.watch.stop = Some(stop);
        self
    }

    /// Ends a search soon after this time, with
    /// [`PlayError::OutOfTime`](super::PlayError::OutOfTime).
    #[must_use]
    pub fn until(mut self, deadline: Instant) -> Self {
        self.watch.deadline = Some(deadline);
        self
    }

    /// The number of lists that machine code has made, and the number that it has left to the
    /// interpreter.
    #[doc(hidden)]
    pub fn by_machine_code(&self) -> (u64, u32) {
        #[cfg(feature = "native")]
        return (self.native.listed, self.native.given_up);
        #[cfg(not(feature = "native"))]
        (0, 0)
    }

    /// Forgets all about another automaton.
    fn belong_to(&mut self, automaton: u64) {
        #[cfg(feature = "native")]
        if self.automaton != automaton {
            self.native = super::native::Memory::default();
        }
        self.automaton = automaton;
    }

    /// Sets the registers to a state.
    pub(super) fn enter(&mut self, automaton: &Automaton, state: &State) {
        if self.automaton != automaton.id {
            let program = &automaton.program;
            self.registers.clone_from(&program.registers);
            self.eager = vec![false; program.checks.len() + 1];
            self.trail.reset(program.variables);
            self.belong_to(automaton.id);
        }
        self.registers[..state.values.len()].copy_from_slice(&state.values);
    }

    /// Sets the registers to the successor of a state, which they hold now.
    pub(super) fn follow(&mut self, moves: &Moves, index: usize) {
        for &(register, symbol) in moves.changes(index) {
            self.registers[register as usize] = symbol;
        }
    }
}
