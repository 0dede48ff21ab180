//! What a description says: definitions, edges, pragmas, each with its place in the text.
//!
//! The shapes follow the grammar rather than the usual tree of binary operators: an access
//! `a[x][y]` is a base with two keys, an arrow type `A -> B -> C` is a value with two key
//! types. So a long chain is a long list and not a deep tree; what nests is bounded by
//! [`MAX_DEPTH`](super::MAX_DEPTH) wherever it comes from a text.

use super::name::{Name, Names};
use gdlr_text::diagnostic::Span;
use std::hash::{Hash, Hasher};

/// Where something stands in the text that it was read from.
///
/// All places are equal: two labels are the same label wherever they stand. What was not read
/// from a text has the default place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place(pub Span);

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Eq for Place {}

impl Hash for Place {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// Which name.
    pub name: Name,
    /// Where it stands.
    pub place: Place,
}

impl From<Name> for Ident {
    /// The name, at no place in particular.
    fn from(name: Name) -> Ident {
        Ident { name, place: Place::default() }
    }
}

/// A regular game description: what a file says, each kind of statement in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The names that everything below refers to.
    pub names: Names,
    /// Hints.
    pub pragmas: Vec<Pragma>,
    /// `type T = …;`
    pub types: Vec<TypeAlias>,
    /// `const C: T = …;`
    pub constants: Vec<Constant>,
    /// `var V: T = …;`
    pub variables: Vec<Variable>,
    /// `p, q: …;`
    pub edges: Vec<Edge>,
}

/// A name for a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeAlias {
    /// The name.
    pub name: Ident,
    /// What it stands for.
    pub type_: Type,
    /// The whole statement.
    pub place: Place,
}

/// A value that never changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// The name.
    pub name: Ident,
    /// The type of the value.
    pub type_: Type,
    /// The value.
    pub value: Value,
    /// The whole statement.
    pub place: Place,
}

/// A part of the state of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// The name.
    pub name: Ident,
    /// The type of all its values.
    pub type_: Type,
    /// The value at the beginning.
    pub initial: Value,
    /// The whole statement.
    pub place: Place,
}

/// A type: `keys[0] -> keys[1] -> … -> value`, without keys just `value`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The types of the keys, from the outermost map inwards.
    pub keys: Vec<SimpleType>,
    /// The type of what the innermost map holds.
    pub value: SimpleType,
}

impl From<SimpleType> for Type {
    fn from(value: SimpleType) -> Type {
        Type { keys: Vec::new(), value }
    }
}

impl Type {
    /// Where the type stands.
    pub fn span(&self) -> Span {
        let first = self.keys.first().unwrap_or(&self.value);
        Span { start: first.span().start, end: self.value.span().end }
    }
}

/// A type without an arrow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SimpleType {
    /// The name of a type, which may well be one with arrows.
    Named(Ident),
    /// `{ a, b }`
    Set(SymbolSet),
}

impl SimpleType {
    /// Where the type stands.
    pub fn span(&self) -> Span {
        match self {
            SimpleType::Named(name) => name.place.0,
            SimpleType::Set(set) => set.place.0,
        }
    }
}

/// The symbols of a set type, as listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymbolSet {
    /// The symbols.
    pub members: Vec<Ident>,
    /// From brace to brace.
    pub place: Place,
}

/// A value: of a constant, or of a variable at the beginning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A symbol, or the name of a constant.
    Name(Ident),
    /// `{ k: v, :d }`
    Map(Map),
}

impl Value {
    /// Where the value stands.
    pub fn span(&self) -> Span {
        match self {
            Value::Name(name) => name.place.0,
            Value::Map(map) => map.place.0,
        }
    }
}

/// A map, by its entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    /// The entries, the default among them.
    pub entries: Vec<Entry>,
    /// From brace to brace.
    pub place: Place,
}

/// An entry of a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The symbol that is mapped; none for the default, which is for all others.
    pub key: Option<Ident>,
    /// What it is mapped to.
    pub value: Value,
    /// The whole entry.
    pub place: Place,
}

/// A transition of the rules automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The node that it leaves.
    pub from: Ident,
    /// The node that it enters.
    pub to: Ident,
    /// What happens on the way.
    pub label: Label,
    /// The whole statement.
    pub place: Place,
}

/// The action of an edge.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Nothing.
    Skip,
    /// `target = value`
    Assign {
        /// What changes.
        target: Expr,
        /// What it becomes.
        value: Expr,
    },
    /// `target = T(*)`: any value of the type, so as many edges as it has symbols.
    AssignAny {
        /// What changes.
        target: Expr,
        /// The type of the values.
        values: Type,
    },
    /// `left == right` or `left != right`
    Compare {
        /// The first expression.
        left: Expr,
        /// The second expression.
        right: Expr,
        /// Whether the edge is legal where they are equal, rather than where they differ.
        equal: bool,
    },
    /// `? from -> to` or `! from -> to`
    Reach {
        /// Where walks begin.
        from: Ident,
        /// Where a walk must arrive.
        to: Ident,
        /// Whether the edge is legal where there is no such walk.
        negated: bool,
    },
    /// `$ tag`: a piece of the move.
    Tag(Ident),
    /// `$$ variable`: the value of a variable as a piece of the move.
    TagVariable(Ident),
}

/// An expression: a name or cast, and the keys of the accesses that follow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// What the first key is looked up in.
    pub base: Base,
    /// The keys, from the first one looked up to the last.
    pub keys: Vec<Expr>,
    /// The whole expression.
    pub place: Place,
}

/// An expression without an access at its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// A constant, a variable, or else a symbol.
    Name(Ident),
    /// `T(e)`
    Cast(Ident, Box<Expr>),
}

impl From<Ident> for Expr {
    /// The bare name.
    fn from(name: Ident) -> Expr {
        Expr { base: Base::Name(name), keys: Vec::new(), place: name.place }
    }
}

impl Expr {
    /// The name, if the expression is nothing else.
    pub fn as_name(&self) -> Option<Ident> {
        match (&self.base, &self.keys[..]) {
            (Base::Name(name), []) => Some(*name),
            _ => None,
        }
    }

    /// The name that the expression begins with, inside all casts.
    pub fn root(&self) -> Name {
        let mut expr = self;
        loop {
            match &expr.base {
                Base::Name(name) => return name.name,
                Base::Cast(_, inner) => expr = inner,
            }
        }
    }
}

/// A hint, which changes nothing about the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pragma {
    /// What it hints.
    pub hint: Hint,
    /// The whole statement.
    pub place: Place,
}

/// What a pragma hints (RG, C.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Hint {
    /// `@artificialTag t…;`: tags that only tell paths apart and may be left out.
    ArtificialTag {
        /// The tags, one at least.
        tags: Vec<Ident>,
    },
    /// `@disjoint n : m…;`: of the edges from `n` to these nodes at most one is legal.
    /// `@disjointExhaustive` says exactly one.
    Disjoint {
        /// Where the edges begin.
        node: Ident,
        /// Where they end, one at least.
        targets: Vec<Ident>,
        /// Whether one of them is legal for certain.
        exhaustive: bool,
    },
    /// `@integer n : s…;`: the symbols stand for the numbers from `n` on.
    Integer {
        /// The number of the first symbol.
        first: u64,
        /// The symbols, one at least.
        symbols: Vec<Ident>,
    },
    /// `@iterator a b c : v;`: on the way from `a` over `b` to `c` the variable takes any
    /// value and is then compared.
    Iterator {
        /// The three nodes.
        nodes: [Ident; 3],
        /// The variable.
        variable: Ident,
    },
    /// `@repeat n… : v…;`: whether a search was at the node before depends on these variables
    /// only.
    Repeat {
        /// The nodes, one at least.
        nodes: Vec<Ident>,
        /// The variables, maybe none.
        variables: Vec<Ident>,
    },
    /// `@simpleApply n m [tags] assignments;`: a move that begins with the tags leads from `n`
    /// to `m` by the assignments. `@simpleApplyExhaustive` says that there is no other way.
    SimpleApply {
        /// Where the way begins.
        from: Ident,
        /// Where it ends.
        to: Ident,
        /// The tags on the way.
        tags: Vec<AppliedTag>,
        /// What they do, as target and value.
        assignments: Vec<(Expr, Expr)>,
        /// Whether all ways from `from` are hinted.
        exhaustive: bool,
    },
    /// `@tagIndex n… : i;`: tags behind these nodes are at this position of the move.
    TagIndex {
        /// The nodes, one at least.
        nodes: Vec<Ident>,
        /// The position, from 0.
        index: u64,
    },
    /// `@tagMaxIndex n… : i;`: tags behind these nodes are at this position at most.
    TagMaxIndex {
        /// The nodes, one at least.
        nodes: Vec<Ident>,
        /// The last position, from 0.
        index: u64,
    },
    /// `@translatedFromRbg;`: where the description comes from.
    TranslatedFromRbg,
    /// `@unique n…;`: no search comes to these nodes twice in the same state.
    Unique {
        /// The nodes, one at least.
        nodes: Vec<Ident>,
    },
    /// Any other: the text between `@` and `;`, as it stands.
    Unknown(Box<str>),
}

/// A tag in `@simpleApply`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AppliedTag {
    /// A tag as it is.
    Tag(Ident),
    /// `v: T`: a tag that any symbol of the type can be; the assignments call it `v`.
    Any {
        /// What the assignments call it.
        name: Ident,
        /// Which tags it can be.
        type_: Type,
    },
}
