//! The syntax tree of a description: definitions, edges, pragmas, each with its place in the text.
//!
//! The shapes follow the grammar, not the usual tree of binary operators. An access `a[x][y]` is a
//! base with two keys. An arrow type `A -> B -> C` is a value with two key types. So a long chain
//! is a long list, not a deep tree. [`MAX_DEPTH`](super::MAX_DEPTH) bounds the nesting of all that
//! is read from a text.

use super::name::{Name, Names};
use gdlr_text::diagnostic::Span;
use hashbrown::HashSet;
use std::hash::{Hash, Hasher};

/// The place of an element in the text that it was read from.
///
/// All places are equal, so two labels are the same label wherever they stand. An element that was
/// not read from a text has the default place.
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
    /// The name.
    pub name: Name,
    /// The place of the name.
    pub place: Place,
}

impl From<Name> for Ident {
    /// The name, with the default place.
    fn from(name: Name) -> Ident {
        Ident { name, place: Place::default() }
    }
}

/// A regular game description: the statements of a file, each kind in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The names that all fields below use.
    pub names: Names,
    /// The pragmas.
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
    /// The type that it stands for.
    pub type_: Type,
    /// The whole statement.
    pub place: Place,
}

/// A constant.
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

/// A variable, which is a part of the state of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// The name.
    pub name: Ident,
    /// The type of its values.
    pub type_: Type,
    /// The initial value.
    pub initial: Value,
    /// The whole statement.
    pub place: Place,
}

/// A type: `keys[0] -> keys[1] -> … -> value`, without keys just `value`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The types of the keys, from the outermost map inwards.
    pub keys: Vec<SimpleType>,
    /// The type of the values in the innermost map.
    pub value: SimpleType,
}

impl From<SimpleType> for Type {
    fn from(value: SimpleType) -> Type {
        Type { keys: Vec::new(), value }
    }
}

impl Type {
    /// The span of the type.
    pub fn span(&self) -> Span {
        let first = self.keys.first().unwrap_or(&self.value);
        Span { start: first.span().start, end: self.value.span().end }
    }
}

/// A type without an arrow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SimpleType {
    /// The name of a type, which may itself have arrows.
    Named(Ident),
    /// `{ a, b }`
    Set(SymbolSet),
}

impl SimpleType {
    /// The span of the type.
    pub fn span(&self) -> Span {
        match self {
            SimpleType::Named(name) => name.place.0,
            SimpleType::Set(set) => set.place.0,
        }
    }
}

/// The symbols of a set type, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymbolSet {
    /// The symbols.
    pub members: Vec<Ident>,
    /// The span from brace to brace.
    pub place: Place,
}

/// The value of a constant, or the initial value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A symbol, or the name of a constant.
    Name(Ident),
    /// `{ k: v, :d }`
    Map(Map),
}

impl Value {
    /// The span of the value.
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
    /// The entries, with the default.
    pub entries: Vec<Entry>,
    /// The span from brace to brace.
    pub place: Place,
}

/// An entry of a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The key, which is a symbol; `None` for the default, the value of all other keys.
    pub key: Option<Ident>,
    /// The value.
    pub value: Value,
    /// The whole entry.
    pub place: Place,
}

/// An edge of the rules automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The node that it leaves.
    pub from: Ident,
    /// The node that it enters.
    pub to: Ident,
    /// The action of the edge.
    pub label: Label,
    /// The whole statement.
    pub place: Place,
}

/// The action of an edge.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// No action.
    Skip,
    /// `target = value`
    Assign {
        /// The target: a variable, or an entry of a map.
        target: Expr,
        /// The value.
        value: Expr,
    },
    /// `target = T(*)`: any value of the type, so as many edges as it has symbols.
    AssignAny {
        /// The target: a variable, or an entry of a map.
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
        /// Whether the edge is legal if the two are equal; otherwise it is legal if they differ.
        equal: bool,
    },
    /// `? from -> to` or `! from -> to`
    Reach {
        /// The node where walks begin.
        from: Ident,
        /// The node that a walk must reach.
        to: Ident,
        /// Whether the edge is legal if there is no such walk.
        negated: bool,
    },
    /// `$ tag`: a tag of the move.
    Tag(Ident),
    /// `$$ variable`: the value of a variable as a tag of the move.
    TagVariable(Ident),
}

/// An expression: a name or cast, and the keys of the accesses that follow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// The operand of the first access.
    pub base: Base,
    /// The keys of the accesses, from the innermost on: `x`, `y` for `a[x][y]`.
    pub keys: Vec<Expr>,
    /// The whole expression.
    pub place: Place,
}

/// An expression without the accesses at its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// A constant, a variable, otherwise a symbol.
    Name(Ident),
    /// `T(e)`
    Cast(Ident, Box<Expr>),
}

impl From<Ident> for Expr {
    /// The expression that is only the name.
    fn from(name: Ident) -> Expr {
        Expr { base: Base::Name(name), keys: Vec::new(), place: name.place }
    }
}

impl Expr {
    /// The name, if the expression is only a name.
    pub fn as_name(&self) -> Option<Ident> {
        match (&self.base, &self.keys[..]) {
            (Base::Name(name), []) => Some(*name),
            _ => None,
        }
    }

    /// The name at the beginning of the expression, inside all casts.
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

/// A hint, which does not change the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pragma {
    /// The hint.
    pub hint: Hint,
    /// The whole statement.
    pub place: Place,
}

/// The tags that pragmas call artificial.
pub(crate) fn artificial_tags(pragmas: &[Pragma]) -> HashSet<Name> {
    let tags = |pragma: &Pragma| match &pragma.hint {
        Hint::ArtificialTag { tags } => tags.iter().map(|tag| tag.name).collect(),
        _ => Vec::new(),
    };
    pragmas.iter().flat_map(tags).collect()
}

/// The hint of a pragma (RG, C.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Hint {
    /// `@artificialTag t…;`: tags that only tell walks apart and may be left out.
    ArtificialTag {
        /// The tags, at least one.
        tags: Vec<Ident>,
    },
    /// `@disjoint n : m…;`: at most one of the edges from `n` to these nodes is legal.
    /// `@disjointExhaustive`: exactly one is.
    Disjoint {
        /// The node that the edges leave.
        node: Ident,
        /// The nodes that the edges enter, at least one.
        targets: Vec<Ident>,
        /// Whether exactly one of them is legal.
        exhaustive: bool,
    },
    /// `@integer n : s…;`: the symbols stand for the numbers from `n` on.
    Integer {
        /// The number of the first symbol.
        first: u64,
        /// The symbols, at least one.
        symbols: Vec<Ident>,
    },
    /// `@iterator a b c : v;`: a walk from `a` over `b` to `c` assigns any value to the variable,
    /// and then compares it.
    Iterator {
        /// The three nodes.
        nodes: [Ident; 3],
        /// The variable.
        variable: Ident,
    },
    /// `@repeat n… : v…;`: these variables and the tags determine whether a search was at the node
    /// before.
    Repeat {
        /// The nodes, at least one.
        nodes: Vec<Ident>,
        /// The variables, maybe none.
        variables: Vec<Ident>,
    },
    /// `@simpleApply n m [tags] assignments;`: a move that begins with the tags leads from `n` to
    /// `m` by the assignments. `@simpleApplyExhaustive`: there are no other moves.
    SimpleApply {
        /// The node where the walk begins.
        from: Ident,
        /// The node where it ends.
        to: Ident,
        /// The tags on the walk.
        tags: Vec<AppliedTag>,
        /// The effects, as targets and values.
        assignments: Vec<(Expr, Expr)>,
        /// Whether the pragmas of `from` cover all walks from it.
        exhaustive: bool,
    },
    /// `@tagIndex n… : i;`: tags on the edges from these nodes have this index in the move.
    TagIndex {
        /// The nodes, at least one.
        nodes: Vec<Ident>,
        /// The index, from 0.
        index: u64,
    },
    /// `@tagMaxIndex n… : i;`: tags on the edges from these nodes have at most this index.
    TagMaxIndex {
        /// The nodes, at least one.
        nodes: Vec<Ident>,
        /// The greatest index, from 0.
        index: u64,
    },
    /// `@translatedFromRbg;`: the description is a translation from Regular Boardgames.
    TranslatedFromRbg,
    /// `@unique n…;`: no search comes to these nodes twice with the same tags and values.
    Unique {
        /// The nodes, at least one.
        nodes: Vec<Ident>,
    },
    /// An unknown pragma: the text between `@` and `;`, as it stands.
    Unknown(Box<str>),
}

/// A tag in `@simpleApply`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AppliedTag {
    /// A fixed tag.
    Tag(Ident),
    /// `v: T`: a tag that may be any symbol of the type. The assignments use it as `v`.
    Any {
        /// The name in the assignments.
        name: Ident,
        /// The type of the tags.
        type_: Type,
    },
}
