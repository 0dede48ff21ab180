//! What is declared beside a program: types, first values, and what constant maps can be.

use gdlr_rg::rg::Name;
use hashbrown::{HashMap, HashSet};

/// By name: the members of a type, or of part of one.
pub(in crate::export) type Members = HashMap<Name, HashSet<Name>>;

/// What is declared.
#[derive(Debug)]
pub(in crate::export) struct Declared {
    /// The value that maps have where they lead to nothing.
    pub none: Name,
    /// By variable: the members of its type. By constant map: what it can be.
    pub members: Members,
    /// By variable without keys: its type.
    pub types: HashMap<Name, Name>,
    /// By map of the state: the members of the types of its keys.
    pub keys: HashMap<Name, Vec<HashSet<Name>>>,
    /// By map of the state: the value of entries that its first value does not list.
    pub others: HashMap<Name, Name>,
}
