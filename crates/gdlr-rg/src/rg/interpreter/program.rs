//! The compiled form of an automaton: registers, and code that works on them.
//!
//! A register holds one symbol. The variables come first; a map is a row of its entries. So the
//! registers of the variables are a semistate. Constants follow in the same way, then symbols that
//! expressions name, then temporaries. So every operand is a register.
//!
//! An edge becomes a few operations. Edges in a row become straight code, like the basic blocks of
//! a compiler. Only a *landmark* has an address of its own: a node where walks can begin, which a
//! reachability check looks for, or which several edges enter. Every cycle has a landmark. A walk
//! that reaches a landmark runs [`Op::Arrive`], which looks at the memory and the budget.

use crate::rg::name::Name;
#[cfg(feature = "native")]
use hashbrown::HashSet;

/// A symbol of a description, by number.
pub(super) type Symbol = u32;

/// The index of a symbol in the working memory.
pub(super) type Register = u32;

/// A node of an automaton, by number.
pub(super) type NodeId = u32;

/// The index of an operation.
pub(super) type Address = u32;

/// The value in [`Program::offsets`] of a symbol that is not in the set.
pub(super) const ABSENT: u32 = u32::MAX;

/// The node `begin`.
pub(super) const BEGIN: NodeId = 0;

/// The node `end`.
pub(super) const END: NodeId = 1;

/// The register of `player`.
pub(super) const PLAYER: Register = 0;

/// The address of the operation [`Op::Fail`].
pub(super) const FAIL: Address = 0;

/// The distance of an entry from the beginning of its map, for each symbol of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// The index in [`Program::offsets`] of the offset of the symbol `least`.
    pub first: u32,
    /// The least symbol of the set.
    pub least: Symbol,
    /// The greatest symbol minus the least.
    pub span: Symbol,
    /// Whether the offset of every symbol is its number minus `least`.
    pub dense: bool,
}

/// An entry of a map: the register `base` plus the number of the symbol in `key`. The symbols of a
/// map need not begin with 0. So `base` may lie before the first register, and wraps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub base: Register,
    pub key: Register,
}

/// An operation. After an operation that does not jump, the next one follows.
///
/// A comparison has a target for either case. The target of a failed comparison is the next
/// alternative of a fork since which nothing has changed, or [`Op::Fail`]. So a comparison is
/// cheap. Only an operation that changes something needs [`Op::Push`] before it.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) enum Op {
    /// The walk ends here: the search backtracks.
    Fail,
    /// The walk is at a landmark, and goes on with its code. The other alternatives go onto the
    /// stack.
    Arrive { node: NodeId, otherwise: Address },
    /// Goes on at an address.
    Jump(Address),
    /// Puts the other alternatives onto the stack.
    Push(Address),
    /// Takes each alternative of `targets[first..end]`, which are two at least.
    Branch { first: u32, end: u32 },
    /// Goes on at `targets[first + (symbol - least)]`.
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
    /// Loads an entry of a map of maps to a temporary. Its register is `base` plus `stride` times
    /// the symbol in `first` plus the symbol in `second`.
    LoadPair { to: Register, base: Register, first: Register, stride: u32, second: Register },
    /// Loads the offset of a symbol to a temporary. The action is not valid if the symbol has none.
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
    /// Copies `length` registers from the second location on to the registers from the first on.
    CopyRow { length: u32 },
    /// The action is not valid unless the symbol is in a set.
    Member { register: Register, table: Table },
    /// As `Member`, for `length` symbols from the second location on.
    MemberRow { length: u32, table: Table },
    /// Assigns each of `choices[first..end]` to a register. If `filtered`, the next operation is a
    /// comparison, and symbols for which it [fails](Op::Fail) are left out. If `named`, the symbol
    /// is the last tag of a move, and the end of the move follows.
    Any { register: Register, first: u32, end: u32, filtered: bool, named: bool },
    /// Assigns each of `choices[first..end]` to the first location.
    AnyThere { first: u32, end: u32 },
    /// A tag of the move.
    Tag(Name),
    /// The symbol in a register as a tag of the move.
    TagVariable(Register),
    /// Goes on at `found` if there is a walk between two nodes, else at `missing`.
    Check { check: u32, found: Address, missing: Address },
    /// Assigns to `player`, which ends a move. Only a reachability check goes on.
    Finish { from: Register, node: NodeId },
}

/// A reachability check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Check {
    pub from: NodeId,
    pub to: NodeId,
}

/// A variable that is no map: its register, its least symbol, and its greatest symbol minus the
/// least.
#[cfg(feature = "native")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    pub register: Register,
    pub least: Symbol,
    pub span: Symbol,
}

/// Code, and all tables that it refers to.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub code: Vec<Op>,
    /// The edges of the operations, for messages.
    pub edges: Vec<u32>,
    /// By operation: whether a walk may read the variable that it assigns to, before the move ends.
    #[cfg(feature = "native")]
    pub read_later: Vec<bool>,
    /// The registers that entries of constant maps are counted from, and not those of variables.
    #[cfg(feature = "native")]
    pub constant_bases: HashSet<Register>,
    /// The registers of temporaries, in order.
    #[cfg(feature = "native")]
    pub temporaries: Vec<Register>,
    /// The tags that a pragma calls artificial.
    #[cfg(feature = "native")]
    pub artificial: HashSet<Name>,
    /// The variables that are no maps.
    #[cfg(feature = "native")]
    pub scalars: Vec<Scalar>,
    /// By node: the address of the code of a landmark; [`FAIL`] for other nodes.
    pub entries: Vec<Address>,
    /// The targets of branches and switches.
    pub targets: Vec<Address>,
    /// The symbols of any-assignments.
    pub choices: Vec<Symbol>,
    /// By table: offsets; [`ABSENT`] for symbols without an entry.
    pub offsets: Vec<u32>,
    pub checks: Vec<Check>,
    /// The content of the registers at the beginning.
    pub registers: Vec<Symbol>,
    /// The number of registers that belong to variables.
    pub variables: usize,
}

impl Program {
    /// The memory that the code takes, in bytes, about.
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
