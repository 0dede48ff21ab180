//! The trees as data: OR and AND nodes, merges, queries, filters (FI, V and VI).
//!
//! A [`Plan`] is what the set-up makes of the rules and what [`super::prove`] walks. It is
//! immutable; everything that changes during play is in [`super::scratch`].

use super::table::Access;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::RelationId;
use gdlr_text::diagnostic::Span;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) struct $name(pub(super) u32);

        impl $name {
            pub(super) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An OR node.
    OrId;
    /// An AND node.
    AndId;
    /// A recurrent condition.
    RecurrenceId;
    /// Relations that depend on each other.
    ComponentId;
}

/// Where the rows of a condition come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// A relation that never changes, computed at set-up.
    Static(u32),
    /// Facts of the state.
    Base(u32),
    /// The joint move.
    Does,
    /// An OR node, proved when it is asked.
    Node(OrId),
}

/// A symbol that is known when a row is at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Constant(Symbol),
    /// This column of the row.
    Column(u16),
}

/// The query of a condition to its source (FI, VI.C).
#[derive(Clone, Debug)]
pub(super) struct Query {
    pub(super) relation: RelationId,
    pub(super) source: Source,
    /// Columns of the source that must have a known symbol, in ascending order.
    pub(super) key: Vec<(u16, Operand)>,
    /// The key made ready for an index, if it is short enough.
    pub(super) packed: Option<PackedKey>,
    /// Columns of the source that must be equal.
    pub(super) equal: Vec<(u16, u16)>,
    pub(super) access: Access,
    /// The filter (FI, VI.D): what the node is asked for. Empty: for all its rows.
    pub(super) filter: Vec<Operand>,
}

/// The result of [`super::index::pack`] for a key, but for the symbols of the row at hand.
#[derive(Clone, Debug)]
pub(super) struct PackedKey {
    pub(super) constants: u64,
    /// Columns of the row, and by how many bits to shift their symbols.
    pub(super) columns: Box<[(u16, u16)]>,
}

impl PackedKey {
    /// `None` if the key is too long to pack exactly.
    pub(super) fn new(key: &[(u16, Operand)]) -> Option<PackedKey> {
        let mut packed = PackedKey { constants: 0, columns: Box::default() };
        let mut columns = Vec::new();
        for (place, &(_, operand)) in key.iter().rev().enumerate() {
            let shift = u16::try_from(place * 16).ok().filter(|shift| *shift < 64)?;
            match operand {
                Operand::Constant(symbol) => packed.constants |= u64::from(symbol.index()) << shift,
                Operand::Column(column) => columns.push((column, shift)),
            }
        }
        packed.columns = columns.into();
        Some(packed)
    }
}

/// The ways to combine a condition's rows with those found so far (FI, table I).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MergeKind {
    /// The first variables.
    New,
    /// New variables for rows that agree on the common ones.
    True,
    /// New variables for every row: a product.
    Combine,
    /// No new variables: rows that find no match are deleted.
    Verify,
    /// No common variables either: there is a match, or the rule fails.
    Check,
    /// As verify; rows that find a match are deleted.
    VerifyNot,
    /// As check; the rule fails if there is a match.
    CheckNot,
}

/// Symbols to copy from one row to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) from: u16,
    pub(super) to: u16,
    pub(super) len: u16,
}

/// A condition that binds variables.
#[derive(Clone, Debug)]
pub(super) struct Merge {
    pub(super) kind: MergeKind,
    pub(super) query: Query,
    /// The width of the rows that come out.
    pub(super) width: usize,
    /// The columns that a row keeps.
    pub(super) left: Vec<Columns>,
    /// The columns that it gets from the condition's row. None: one match is enough.
    pub(super) right: Vec<Columns>,
}

/// A condition that binds nothing: each row passes or is deleted.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// At least one pair differs (the distinct merge of FI, VI.B).
    Distinct(Vec<(Operand, Operand)>),
    /// All pairs are equal.
    Same(Vec<(Operand, Operand)>),
    /// The query finds a row, or finds none.
    Exists { kind: MergeKind, query: Query },
    /// One of the branches passes (the OR merge of FI, VI.B).
    Any(Vec<Vec<Test>>),
}

/// One condition of an AND node.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Merge(Merge),
    Test(Test),
}

/// The use of the rows behind the last step of a segment.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// They are results of the rule: the columns of its head.
    Head(Vec<Operand>),
    /// They wait for results of a recurrent condition.
    Recurrence(RecurrenceId),
}

/// Conditions between two recurrent ones.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) steps: Vec<Step>,
    pub(super) end: End,
}

/// One rule, for the rows that its OR node is asked for.
#[derive(Clone, Debug)]
pub(super) struct AndNode {
    pub(super) or: OrId,
    /// The place of the flat rule.
    pub(super) rule: u32,
    /// The rule of the rulesheet.
    pub(super) source: Span,
    /// Columns of a filter row that the head says must be these symbols.
    pub(super) constants: Vec<(u16, Symbol)>,
    /// Columns of a filter row that the head says must be equal.
    pub(super) equal: Vec<(u16, u16)>,
    /// The columns of a filter row that the first row takes.
    pub(super) take: Vec<u16>,
    pub(super) segments: Vec<Segment>,
}

/// A relation, asked for all its rows or for those that agree with a filter.
#[derive(Clone, Debug)]
pub(super) struct OrNode {
    pub(super) relation: RelationId,
    /// The columns of the filter.
    pub(super) filter: Vec<u16>,
    pub(super) width: usize,
    pub(super) ands: Vec<AndId>,
    /// Set if the relation depends on itself.
    pub(super) component: Option<ComponentId>,
    /// The columns on which its rows are hashed.
    pub(super) indexes: Vec<Vec<u16>>,
}

/// A condition on a relation that depends on the rule's own.
#[derive(Clone, Debug)]
pub(super) struct Recurrence {
    pub(super) and: AndId,
    /// The segment behind it.
    pub(super) segment: usize,
    pub(super) target: OrId,
    pub(super) merge: Merge,
    /// The width of the rows that wait.
    pub(super) width: usize,
    /// Pairs of a column of the waiting row and one of the result that must be equal.
    pub(super) common: Vec<(u16, u16)>,
}

/// Nodes whose relations depend on each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    pub(super) nodes: Vec<OrId>,
    pub(super) recurrences: Vec<RecurrenceId>,
}

/// All trees of a game. Nodes that ask for the same are shared.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) ors: Vec<OrNode>,
    pub(super) ands: Vec<AndNode>,
    pub(super) recurrences: Vec<Recurrence>,
    pub(super) components: Vec<Component>,
    /// By base relation: the columns on which its facts are hashed.
    pub(super) base_indexes: Vec<Vec<Vec<u16>>>,
    /// The columns of all conditions: what the plan cost to build.
    pub(super) columns: usize,
    /// The roots, in the order in which they were asked for.
    pub(super) roots: Vec<OrId>,
    /// Nodes to prove before any root, in this order, so that no chain of relations is
    /// longer than the machine stack allows.
    pub(super) ahead: Vec<OrId>,
    /// Likewise for nodes that depend on the joint move.
    pub(super) ahead_of_step: Vec<OrId>,
}
