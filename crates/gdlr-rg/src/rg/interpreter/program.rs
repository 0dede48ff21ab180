//! The compiled form of an automaton: registers, and code that works on them.
//!
//! A register holds one symbol. The variables come first, a map as the row of its entries, so
//! the registers of the variables are a semistate; then constants in the same way, symbols that
//! expressions name, and temporaries. So every operand is a register, whatever it was.
//!
//! An edge becomes a few operations. Edges in a row become a straight piece of code: only a
//! *landmark* has an address of its own, that is, a node where walks can begin, which a
//! reachability check looks for, or which several edges enter. Every cycle has a landmark, and
//! a walk that comes to one says so ([`Op::Arrive`]), which is where memory and budgets are.

use crate::rg::name::Name;

/// A symbol of a description, as a number of the automaton's own.
pub(super) type Symbol = u32;

/// The place of a symbol in the working memory.
pub(super) type Register = u32;

/// A node of an automaton, as a number of its own.
pub(super) type NodeId = u32;

/// The index of an operation.
pub(super) type Address = u32;

/// What [`Program::offsets`] has for a symbol that is not in the set.
pub(super) const ABSENT: u32 = u32::MAX;

/// The node `begin`.
pub(super) const BEGIN: NodeId = 0;

/// The node `end`.
pub(super) const END: NodeId = 1;

/// The register of `player`.
pub(super) const PLAYER: Register = 0;

/// Where the operation [`Op::Fail`] is.
pub(super) const FAIL: Address = 0;

/// For the symbols of a set: how far from the beginning of a map the entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// Where the offset of the symbol `least` is in [`Program::offsets`].
    pub first: u32,
    /// The least symbol of the set.
    pub least: Symbol,
    /// How much greater the greatest symbol is.
    pub span: Symbol,
    /// Whether the offset of every symbol is how much greater than the least it is.
    pub dense: bool,
}

/// An entry of a map: as many registers behind `base` as the number of the symbol in `key`. As
/// symbols of a map need not begin with 0, `base` may be before the first register, and wraps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub base: Register,
    pub key: Register,
}

/// An operation. Those that do not jump go on with the next one.
///
/// A comparison says where to go on in either case. Where that is no way of the walk, it is what
/// else there is to try at a node since which nothing has changed, or [`Op::Fail`]. So to ask is
/// cheap; only what changes something needs [`Op::Push`] before it.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) enum Op {
    /// There is no way on.
    Fail,
    /// The walk is at a landmark, and goes on with its code. What else there was to try is kept.
    Arrive { node: NodeId, otherwise: Address },
    /// Goes on at an address.
    Jump(Address),
    /// Keeps what else there is to try, for when this fails.
    Push(Address),
    /// Takes each way of `targets[first..end]`, of which there are two at least.
    Branch { first: u32, end: u32 },
    /// Goes on where the symbol leads: `targets[first + (symbol - least)]`.
    Switch { register: Register, first: u32, least: Symbol, span: Symbol, otherwise: Address },
    /// Compares two registers.
    Compare { left: Register, right: Register, equal: Address, different: Address },
    /// Compares an entry of a map with a register.
    CompareEntry { entry: Entry, with: Register, equal: Address, different: Address },
    /// Compares the entry whose key is the one behind `base` and `entry` with a register.
    CompareNested {
        base: Register,
        entry: Entry,
        with: Register,
        equal: Address,
        different: Address,
    },
    /// Compares `length` registers from both locations on.
    CompareRow { length: u32, equal: Address, different: Address },
    /// Loads an entry to a temporary.
    Load { to: Register, entry: Entry },
    /// Loads an entry of a map of maps to a temporary: `stride` times the symbol in one register and
    /// once that in another behind `base`.
    LoadPair { to: Register, base: Register, first: Register, stride: u32, second: Register },
    /// Loads the offset of a symbol to a temporary. The action is not valid if there is none.
    Offset { to: Register, key: Register, table: Table },
    /// Sets a location.
    Locate { which: u8, base: Register },
    /// Moves a location by `stride` times the number in a register.
    Advance { which: u8, key: Register, stride: u32 },
    /// Loads from the first location to a temporary.
    LoadThere { to: Register },
    /// Assigns to a variable.
    Move { to: Register, from: Register },
    /// Assigns to an entry of a map.
    Store { entry: Entry, from: Register },
    /// Assigns to the first location.
    StoreThere { from: Register },
    /// Assigns `length` registers from the second location on to those from the first.
    CopyRow { length: u32 },
    /// The action is not valid unless the symbol is in a set.
    Member { register: Register, table: Table },
    /// The same for all symbols from the second location on.
    MemberRow { length: u32, table: Table },
    /// Assigns each of `choices[first..end]` to a register. If `filtered`, only those with which
    /// the next operation, a comparison, does not [fail](Op::Fail). If `named`, what follows is
    /// the symbol as the last piece of a move, and its end.
    Any { register: Register, first: u32, end: u32, filtered: bool, named: bool },
    /// Assigns each of `choices[first..end]` to the first location.
    AnyThere { first: u32, end: u32 },
    /// A piece of the move.
    Tag(Name),
    /// The symbol in a register as a piece of the move.
    TagVariable(Register),
    /// Goes on depending on whether there is a walk between two nodes.
    Check { check: u32, found: Address, missing: Address },
    /// Assigns to `player`: the end of a move; only a reachability check goes on.
    Finish { from: Register, node: NodeId },
}

/// A reachability check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Check {
    pub from: NodeId,
    pub to: NodeId,
}

/// Code and all that it refers to.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub code: Vec<Op>,
    /// By operation: the edge that it belongs to, for messages.
    pub edges: Vec<u32>,
    /// By node: the code of a landmark, otherwise that of [`Op::Fail`].
    pub entries: Vec<Address>,
    /// Where branches and switches lead.
    pub targets: Vec<Address>,
    /// The symbols of any-assignments.
    pub choices: Vec<Symbol>,
    /// By table: offsets, [`ABSENT`] where there is none.
    pub offsets: Vec<u32>,
    pub checks: Vec<Check>,
    /// The registers at the beginning.
    pub registers: Vec<Symbol>,
    /// How many of them are of variables.
    pub variables: usize,
}

impl Program {
    /// About how much memory the code takes.
    pub fn bytes(&self) -> usize {
        self.code.len() * (size_of::<Op>() + size_of::<u32>())
            + self.targets.len() * size_of::<Address>()
    }

    /// The offset of a symbol, [`ABSENT`] if it is not in the set.
    #[inline(always)]
    pub fn offset(&self, table: Table, symbol: Symbol) -> u32 {
        let distance = symbol.wrapping_sub(table.least);
        match distance <= table.span {
            true => self.offsets[table.first as usize + distance as usize],
            false => ABSENT,
        }
    }
}
