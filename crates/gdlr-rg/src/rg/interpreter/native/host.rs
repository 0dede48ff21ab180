//! Runs machine code, and has the functions that it calls.

use super::code::Native;
use crate::rg::interpreter::memory::Trail;
use crate::rg::interpreter::moves::Moves;
use crate::rg::interpreter::program::{END, NodeId, Symbol};
use crate::rg::name::Name;
use std::ptr::null_mut;

/// The greatest number of tags, and of assignments, of a walk.
pub(super) const ROOM: usize = 1 << 12;

/// The greatest number of either that one function may append.
pub(super) const MOST_AT_ONCE: usize = ROOM / 2;

/// How often machine code may give up before a search runs without it.
const PATIENCE: u32 = 16;

/// The greatest depth of calls, and the stack that they may take, in bytes.
pub(super) const DEEPEST: usize = 256;
pub(super) const STACK: usize = 1 << 18;

/// The results of a function: there is no walk; there is one; the interpreter must begin anew.
pub(super) const DONE: i64 = 0;
pub(super) const FOUND: i64 = 1;
pub(super) const GIVEN_UP: i64 = 2;

/// The values of a search that machine code reads.
#[repr(C)]
pub(super) struct Context {
    /// The fuel left: one unit for a call, and one for a symbol that is tried.
    pub fuel: i64,
    /// The greatest depth of calls.
    pub deepest: i64,
    /// The last positions at which there is room for tags, and for assignments.
    pub last_tag: *const u32,
    pub last_change: *const u32,
    /// The place for the next word, and the end of the room for words.
    pub next_word: *mut u64,
    pub end_of_words: *mut u64,
    /// The full words of a move: the place of the first one, and the end of their room; when a move
    /// is played, the end of its words.
    pub full_words: *mut u64,
    pub end_of_full_words: *mut u64,
    /// The number of walks with the tags of the move to leave out before it is played.
    pub skipped: u64,
    /// The node at which the move that is played ends.
    pub node: NodeId,
    /// Whether to go on with the next move after the move that is played, if it is the keeper's.
    pub keeps: u64,
    /// A hash of the artificial tags of the move that is played.
    pub artificial: u64,
    /// The marks of [checks](super::visits).
    pub marks: *mut u64,
    /// The place for the next register that a move assigns to, and the last place.
    pub assigned: *mut u32,
    pub last_assigned: *mut u32,
    /// The words of long moves.
    pub long_moves: *mut Vec<u64>,
    /// Data for [`finish`] alone.
    pub host: *mut Host,
}

impl Context {
    /// A context without room for moves. `marks` are kept from one search to the next.
    pub fn new(native: &Native, marks: &mut Vec<u64>, fuel: i64) -> Context {
        marks.resize(native.marks(), 0);
        Context {
            fuel,
            deepest: native.deepest() as i64,
            marks: marks.as_mut_ptr(),
            last_tag: null_mut(),
            last_change: null_mut(),
            next_word: null_mut(),
            end_of_words: null_mut(),
            full_words: null_mut(),
            end_of_full_words: null_mut(),
            skipped: 0,
            node: END,
            keeps: 1,
            artificial: 0,
            assigned: null_mut(),
            last_assigned: null_mut(),
            long_moves: null_mut(),
            host: null_mut(),
        }
    }
}

/// The data that a move is written to.
pub(super) struct Host {
    registers: *mut Symbol,
    tags: *const u32,
    changes: *const u32,
    trail: *mut Trail,
    base: *const [Symbol],
    moves: *mut Moves,
    names: *mut Vec<Name>,
    /// The number of bytes that moves may take.
    bytes: usize,
    by_number: *const [Name],
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All moves are listed, after so many calls.
    Listed(u64),
    /// The interpreter must begin anew, from the registers of the state.
    GivenUp(u64),
}

/// The memory of a search.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    tags: Vec<u32>,
    changes: Vec<u32>,
    names: Vec<Name>,
    pub marks: Vec<u64>,
    /// The number of searches that machine code has ended, and the number that it gave up.
    pub listed: u64,
    pub given_up: u32,
    /// The memory of random playouts.
    pub playing: super::playing::Playing,
}

/// The arguments of one search for moves.
pub struct Listing<'l> {
    /// The registers of the state, then the registers of the program.
    pub registers: &'l mut [Symbol],
    /// The values of the state.
    pub base: &'l [Symbol],
    pub trail: &'l mut Trail,
    pub moves: &'l mut Moves,
    /// The fuel: one unit for a call, and one for a symbol that is tried.
    pub fuel: u64,
    /// The number of bytes that moves may take.
    pub bytes: usize,
}

/// Lists the moves from a node.
pub fn list(native: &Native, node: NodeId, memory: &mut Memory, listing: Listing<'_>) -> Outcome {
    let Listing { registers, base, trail, moves, fuel, bytes } = listing;
    let function = native.function(node).filter(|_| memory.given_up < PATIENCE);
    let Some(function) = function else { return Outcome::GivenUp(0) };
    memory.tags.resize(ROOM, 0);
    memory.changes.resize(ROOM, 0);
    let registers = registers.as_mut_ptr();
    let (tags, changes) = (memory.tags.as_mut_ptr(), memory.changes.as_mut_ptr());
    let mut host = Host {
        registers,
        tags,
        changes,
        trail,
        base,
        moves,
        names: &mut memory.names,
        bytes,
        by_number: native.names(),
    };
    let last = ROOM - MOST_AT_ONCE;
    let mut context = Context {
        last_tag: tags.wrapping_add(last),
        last_change: changes.wrapping_add(last),
        host: &mut host,
        ..Context::new(native, &mut memory.marks, fuel as i64)
    };
    // SAFETY: the registers belong to the automaton that was compiled, and both lists have the room
    // that the context says.
    let ended = unsafe { function(registers, &mut context, tags, changes, 0, tags.cast()) };
    let calls = fuel.saturating_sub(context.fuel.max(0) as u64);
    match i64::from(ended) {
        DONE => {
            memory.listed += 1;
            Outcome::Listed(calls)
        }
        _ => {
            memory.given_up += 1;
            Outcome::GivenUp(calls)
        }
    }
}

/// Adds the move at the end of a walk. Returns [`DONE`] or [`GIVEN_UP`].
///
/// # Safety
///
/// Called by machine code, with its context and the ends of its two lists.
pub(super) unsafe extern "C" fn finish(
    context: *mut Context,
    node: u32,
    tags: *const u32,
    changes: *const u32,
) -> i32 {
    // SAFETY: the context belongs to `list`, which made all of these and does not use them
    // meanwhile.
    unsafe {
        let host = &mut *(*context).host;
        let tags = std::slice::from_raw_parts(host.tags, tags.offset_from(host.tags) as usize);
        let count = changes.offset_from(host.changes) as usize;
        let changed = std::slice::from_raw_parts(host.changes, count);
        let base = &*host.base;
        let registers = std::slice::from_raw_parts(host.registers, base.len());
        let (trail, moves, names) = (&mut *host.trail, &mut *host.moves, &mut *host.names);
        if moves.bytes() > host.bytes {
            return GIVEN_UP as i32;
        }
        let by_number = &*host.by_number;
        names.clear();
        names.extend(tags.iter().map(|&tag| by_number[tag as usize]));
        let added = moves.add((names, &[]), node, registers, |list| {
            trail.changes_of(changed, registers, base, list);
        });
        if added.is_err() { GIVEN_UP as i32 } else { DONE as i32 }
    }
}
