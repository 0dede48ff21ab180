//! Declarations beside a program: types, first values, and values of constant maps.

use gdlr_rg::rg::Name;
use hashbrown::{HashMap, HashSet};

/// By name: the members of a type, or of part of one.
pub(in crate::export) type Members = HashMap<Name, HashSet<Name>>;

/// The declarations beside a program.
#[derive(Debug)]
pub(in crate::export) struct Declared {
    /// The value of map entries that lead nowhere.
    pub none: Name,
    /// By variable: the members of its type. By constant map: its values.
    pub members: Members,
    /// By variable without keys: its type.
    pub types: HashMap<Name, Name>,
    /// By map of the state: the members of the types of its keys.
    pub keys: HashMap<Name, Vec<HashSet<Name>>>,
    /// By map of the state: the first value of entries that its declaration does not list.
    pub others: HashMap<Name, Name>,
}
