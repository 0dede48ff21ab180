//! Running machine code, and what it calls.

use super::code::Native;
use crate::rg::interpreter::memory::Trail;
use crate::rg::interpreter::moves::Moves;
use crate::rg::interpreter::program::{NodeId, Symbol};
use crate::rg::name::Name;

/// How many pieces of names, and how many assignments, a way may have.
pub(super) const ROOM: usize = 1 << 12;

/// How many of them one function may add.
pub(super) const MOST_AT_ONCE: usize = ROOM / 2;

/// How often machine code may give up before a search does without.
const PATIENCE: u32 = 16;

/// How many functions may be in each other, and how much of the stack they may take, in bytes.
pub(super) const DEEPEST: usize = 256;
pub(super) const STACK: usize = 1 << 18;

/// What a function returns: there is no way on, or there is one; or the interpreter must begin anew.
pub(super) const DONE: i64 = 0;
pub(super) const FOUND: i64 = 1;
pub(super) const GIVEN_UP: i64 = 2;

/// What machine code reads of a search.
#[repr(C)]
pub(super) struct Context {
    /// How many functions may yet be called, and symbols be gone through.
    pub fuel: i64,
    /// How many functions may be in each other.
    pub deepest: i64,
    /// Where there is no more room for pieces of names, and for assignments.
    pub last_tag: *const u32,
    pub last_change: *const u32,
    /// What is for [`finish`] alone.
    host: *mut Host,
}

/// What a move is written to.
struct Host {
    registers: *mut Symbol,
    tags: *const u32,
    changes: *const u32,
    trail: *mut Trail,
    base: *const [Symbol],
    moves: *mut Moves,
    names: *mut Vec<Name>,
    /// How many bytes moves may take.
    bytes: usize,
    by_number: *const [Name],
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All moves are there, after so many calls.
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
    /// How many searches it has ended, and how often it has given up.
    pub listed: u64,
    pub given_up: u32,
}

/// A list of moves that is to be made.
pub struct Listing<'l> {
    /// Those of the state, and behind these those of the program.
    pub registers: &'l mut [Symbol],
    /// The values of the state.
    pub base: &'l [Symbol],
    pub trail: &'l mut Trail,
    pub moves: &'l mut Moves,
    /// How many functions may be called, and symbols be gone through.
    pub fuel: u64,
    /// How many bytes moves may take.
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
        fuel: fuel as i64,
        deepest: native.deepest() as i64,
        last_tag: tags.wrapping_add(last),
        last_change: changes.wrapping_add(last),
        host: &mut host,
    };
    // SAFETY: the registers are those of the automaton that was compiled; both lists have room as the
    // context says.
    let ended = unsafe { function(registers, &mut context, tags, changes, 0) };
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

/// Adds the move that a way has come to the end of. Returns [`DONE`] or [`GIVEN_UP`].
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
    // SAFETY: the context is that of `list`, which has made all of these and uses none meanwhile.
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
