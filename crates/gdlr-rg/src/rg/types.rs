//! Types with their names resolved, and the relations between them.
//!
//! RG (2.1) is generous. Two sets agree, so that one can be assigned to the other, if they have a
//! common symbol. Two map types agree if their keys and their values do. [`Types::contains`] is the
//! stricter relation: every value of one type is a value of the other.
//!
//! Aliases are resolved without recursion, each once. A map type refers to the type of its values,
//! so a chain of aliases costs no more than its text. [`MAX_DEPTH`] bounds the arrows of a type, so
//! recursion over a type needs no other bound.

use super::ast::{Ident, SimpleType, Type, TypeAlias};
use super::name::{Name, Names};
use super::reader::MAX_DEPTH;
use gdlr_text::diagnostic::Span;
use hashbrown::{HashMap, HashSet};
use std::cell::RefCell;

/// The number of symbols of a set that a message lists.
const SHOWN: usize = 6;

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// The type of an expression with a defect of its own. It agrees with every type.
    Unknown,
    /// The type of an expression that is a symbol: only this symbol.
    Symbol(Name),
    /// A set of symbols.
    Set(SetId),
    /// A map.
    Map(MapId),
}

/// The number of a set of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);

/// The number of a map type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MapId(u32);

#[derive(Clone, Copy, Debug)]
struct MapType {
    /// A set, or unknown.
    key: Ty,
    value: Ty,
    /// The number of arrows, with this one.
    arrows: usize,
}

/// A defect of a type by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeProblem {
    /// A name that no type has.
    Undefined(Ident),
    /// The name of a type that is being defined.
    Recursive(Ident),
    /// A map type before an arrow.
    MapAsKey(Span),
    /// More arrows than [`MAX_DEPTH`].
    TooDeep(Span),
    /// A set without symbols.
    EmptySet(Span),
}

/// The types of a description.
#[derive(Debug, Default)]
pub struct Types {
    /// The symbols of the sets, in the order of their numbers.
    sets: Vec<Box<[Name]>>,
    maps: Vec<MapType>,
    aliases: HashMap<Name, Ty>,
    /// Memoised: whether two sets have a common symbol.
    overlaps: RefCell<HashMap<(SetId, SetId), bool>>,
    /// Memoised: whether the first set contains the second.
    inclusions: RefCell<HashMap<(SetId, SetId), bool>>,
}

impl Types {
    /// Resolves aliases. Of two with the same name, the first counts.
    ///
    /// A defect of a `built_in` alias is one of the types that it consists of. It is not reported
    /// again.
    pub fn new(
        written: &[TypeAlias],
        built_in: &[TypeAlias],
        problems: &mut Vec<TypeProblem>,
    ) -> Types {
        let mut by_name: HashMap<Name, (&TypeAlias, bool)> = HashMap::new();
        let mut order = Vec::new();
        let written = written.iter().map(|alias| (alias, true));
        for entry in written.chain(built_in.iter().map(|alias| (alias, false))) {
            by_name.entry(entry.0.name.name).or_insert_with(|| {
                order.push(entry);
                entry
            });
        }
        let mut types = Types::default();
        let mut open: HashSet<Name> = HashSet::new();
        let mut stack = Vec::new();
        for root in order {
            stack.push((root, 0));
            while let Some(((alias, is_written), part)) = stack.last_mut() {
                let name = alias.name.name;
                if *part == 0 {
                    if types.aliases.contains_key(&name) {
                        stack.pop();
                        continue;
                    }
                    open.insert(name);
                }
                let parts = &alias.type_.keys;
                let Some(simple) =
                    parts.get(*part).or((*part == parts.len()).then_some(&alias.type_.value))
                else {
                    let mut ignored = Vec::new();
                    let problems = if *is_written { &mut *problems } else { &mut ignored };
                    let is_open = |name| open.contains(&name);
                    let ty = types.resolve_with(&alias.type_, problems, is_open);
                    open.remove(&name);
                    types.aliases.insert(name, ty);
                    stack.pop();
                    continue;
                };
                *part += 1;
                if let SimpleType::Named(used) = simple
                    && let Some(&next) = by_name.get(&used.name)
                    && !open.contains(&used.name)
                {
                    stack.push((next, 0));
                }
            }
        }
        types
    }

    /// Resolves a type that has no name.
    pub fn resolve(&mut self, type_: &Type, problems: &mut Vec<TypeProblem>) -> Ty {
        self.resolve_with(type_, problems, |_| false)
    }

    /// The type that a name stands for.
    pub fn named(&self, name: Name) -> Option<Ty> {
        self.aliases.get(&name).copied()
    }

    fn resolve_with(
        &mut self,
        type_: &Type,
        problems: &mut Vec<TypeProblem>,
        is_open: impl Fn(Name) -> bool,
    ) -> Ty {
        let mut ty = self.simple(&type_.value, problems, &is_open);
        for key in type_.keys.iter().rev() {
            let key_ty = match self.simple(key, problems, &is_open) {
                Ty::Map(_) => {
                    problems.push(TypeProblem::MapAsKey(key.span()));
                    Ty::Unknown
                }
                ty => ty,
            };
            let arrows = 1 + match ty {
                Ty::Map(map) => self.maps[map.0 as usize].arrows,
                _ => 0,
            };
            if arrows > MAX_DEPTH {
                problems.push(TypeProblem::TooDeep(type_.span()));
                return Ty::Unknown;
            }
            self.maps.push(MapType { key: key_ty, value: ty, arrows });
            ty = Ty::Map(MapId(self.maps.len() as u32 - 1));
        }
        ty
    }

    fn simple(
        &mut self,
        type_: &SimpleType,
        problems: &mut Vec<TypeProblem>,
        is_open: &impl Fn(Name) -> bool,
    ) -> Ty {
        match type_ {
            SimpleType::Named(name) => self.named(name.name).unwrap_or_else(|| {
                problems.push(match is_open(name.name) {
                    true => TypeProblem::Recursive(*name),
                    false => TypeProblem::Undefined(*name),
                });
                Ty::Unknown
            }),
            SimpleType::Set(set) if set.members.is_empty() => {
                problems.push(TypeProblem::EmptySet(set.place.0));
                Ty::Unknown
            }
            SimpleType::Set(set) => {
                let mut symbols: Vec<Name> = set.members.iter().map(|member| member.name).collect();
                symbols.sort_unstable();
                symbols.dedup();
                self.sets.push(symbols.into());
                Ty::Set(SetId(self.sets.len() as u32 - 1))
            }
        }
    }

    /// The types of the keys and values of a map.
    pub fn map(&self, map: MapId) -> (Ty, Ty) {
        let MapType { key, value, .. } = self.maps[map.0 as usize];
        (key, value)
    }

    /// The symbols of a set, in order of their numbers.
    pub fn symbols(&self, set: SetId) -> &[Name] {
        &self.sets[set.0 as usize]
    }

    /// Whether either type can be assigned to the other.
    pub fn agree(&self, left: Ty, right: Ty) -> bool {
        match (left, right) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => true,
            (Ty::Symbol(left), Ty::Symbol(right)) => left == right,
            (Ty::Symbol(symbol), Ty::Set(set)) | (Ty::Set(set), Ty::Symbol(symbol)) => {
                self.symbols(set).binary_search(&symbol).is_ok()
            }
            (Ty::Set(left), Ty::Set(right)) => left == right || self.overlap(left, right),
            (Ty::Map(left), Ty::Map(right)) => {
                let ((left_key, left), (right_key, right)) = (self.map(left), self.map(right));
                self.agree(left_key, right_key) && self.agree(left, right)
            }
            (Ty::Map(_), _) | (_, Ty::Map(_)) => false,
        }
    }

    /// Whether two types are equal (RG, 2.1): their sets have the same symbols.
    pub fn equal(&self, left: Ty, right: Ty) -> bool {
        match (left, right) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => true,
            (Ty::Set(left), Ty::Set(right)) => self.symbols(left) == self.symbols(right),
            (Ty::Map(left), Ty::Map(right)) => {
                let ((left_key, left), (right_key, right)) = (self.map(left), self.map(right));
                self.equal(left_key, right_key) && self.equal(left, right)
            }
            _ => left == right,
        }
    }

    /// Whether the values of two types have the same keys.
    pub fn same_keys(&self, mut left: Ty, mut right: Ty) -> bool {
        while let (Ty::Map(a), Ty::Map(b)) = (left, right) {
            if a == b {
                return true;
            }
            let ((a_key, a_value), (b_key, b_value)) = (self.map(a), self.map(b));
            match (a_key, b_key) {
                (Ty::Set(a), Ty::Set(b)) if self.symbols(a) == self.symbols(b) => {}
                _ => return false,
            }
            (left, right) = (a_value, b_value);
        }
        !matches!((left, right), (Ty::Map(_) | Ty::Unknown, _) | (_, Ty::Map(_) | Ty::Unknown))
    }

    /// Whether every value of `part` is a value of `whole`.
    pub fn contains(&self, whole: Ty, part: Ty) -> bool {
        match (whole, part) {
            (Ty::Set(whole), Ty::Set(part)) => whole == part || self.includes(whole, part),
            (Ty::Symbol(symbol), Ty::Set(part)) => *self.symbols(part) == [symbol],
            (Ty::Map(whole), Ty::Map(part)) => {
                let ((whole_key, whole), (part_key, part)) = (self.map(whole), self.map(part));
                self.contains(part_key, whole_key) && self.contains(whole, part)
            }
            _ => self.agree(whole, part),
        }
    }

    fn overlap(&self, left: SetId, right: SetId) -> bool {
        let pair = (left.min(right), left.max(right));
        if let Some(&memoised) = self.overlaps.borrow().get(&pair) {
            return memoised;
        }
        let (left, right) = (self.symbols(left), self.symbols(right));
        // A large set may be compared with many small ones.
        let (small, large) = if left.len() < right.len() { (left, right) } else { (right, left) };
        let overlap = small.iter().any(|symbol| large.binary_search(symbol).is_ok());
        self.overlaps.borrow_mut().insert(pair, overlap);
        overlap
    }

    fn includes(&self, whole: SetId, part: SetId) -> bool {
        if let Some(&memoised) = self.inclusions.borrow().get(&(whole, part)) {
            return memoised;
        }
        let (symbols, needed) = (self.symbols(whole), self.symbols(part));
        let included = needed.len() <= symbols.len()
            && needed.iter().all(|symbol| symbols.binary_search(symbol).is_ok());
        self.inclusions.borrow_mut().insert((whole, part), included);
        included
    }

    /// The type in words for a message; of a large set, some symbols.
    pub fn describe(&self, ty: Ty, names: &Names) -> String {
        match ty {
            Ty::Unknown => "?".to_owned(),
            Ty::Symbol(symbol) => format!("{{ {} }}", names.text(symbol)),
            Ty::Set(set) => {
                let symbols = self.symbols(set);
                let shown: Vec<&str> =
                    symbols.iter().take(SHOWN).map(|&symbol| names.text(symbol)).collect();
                let more = if symbols.len() > SHOWN { ", …" } else { "" };
                format!("{{ {}{more} }}", shown.join(", "))
            }
            Ty::Map(map) => {
                let (key, value) = self.map(map);
                let value = match value {
                    Ty::Map(_) => "…".to_owned(),
                    _ => self.describe(value, names),
                };
                format!("{} -> {value}", self.describe(key, names))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rg::read;

    const TYPES: &str = "type D = C -> B; type C = { 0, 1, 2 }; type B = C -> P;
        type P = { e, x, o }; type Q = { x, y }; type E = C; type F = { 1, 0 };";

    fn types(text: &str) -> (Types, Names, Vec<TypeProblem>) {
        let description = read(text).unwrap();
        let mut problems = Vec::new();
        let types = Types::new(&description.types, &[], &mut problems);
        (types, description.names, problems)
    }

    #[test]
    fn aliases_are_used_before_they_are_defined() {
        let (types, names, problems) = types(TYPES);
        assert_eq!(problems, []);
        let named = |text: &str| types.named(names.get(text).unwrap()).unwrap();
        assert_eq!(named("C"), named("E"));
        assert_eq!(types.describe(named("B"), &names), "{ 0, 1, 2 } -> { e, x, o }");
        assert_eq!(types.describe(named("D"), &names), "{ 0, 1, 2 } -> …");
    }

    #[test]
    fn types_agree_if_they_have_something_in_common() {
        let (types, names, _) = types(TYPES);
        let named = |text: &str| types.named(names.get(text).unwrap()).unwrap();
        let symbol = |text: &str| Ty::Symbol(names.get(text).unwrap());
        for (left, right, agree, contains) in [
            (named("P"), named("Q"), true, false),
            (named("C"), named("F"), true, true),
            (named("C"), named("P"), false, false),
            (named("C"), symbol("0"), true, true),
            (named("F"), symbol("2"), false, false),
            (symbol("0"), symbol("1"), false, false),
            (named("B"), named("B"), true, true),
            (named("B"), named("D"), false, false),
            (named("B"), symbol("x"), false, false),
            (Ty::Unknown, named("D"), true, true),
        ] {
            assert_eq!(types.agree(left, right), agree, "{left:?} {right:?}");
            assert_eq!(types.agree(right, left), agree, "{left:?} {right:?}");
            assert_eq!(types.contains(left, right), contains, "{left:?} {right:?}");
        }
    }

    #[test]
    fn what_is_wrong_with_types() {
        let of = |text: &str| types(text).2;
        assert!(matches!(of("type A = B;")[..], [TypeProblem::Undefined(_)]));
        assert!(matches!(of("type A = A;")[..], [TypeProblem::Recursive(_)]));
        assert!(matches!(
            of("type A = { x } -> B; type B = C; type C = A;")[..],
            [TypeProblem::Recursive(_)]
        ));
        assert!(matches!(
            of("type A = B -> { x }; type B = { x } -> { x };")[..],
            [TypeProblem::MapAsKey(_)]
        ));
        assert!(matches!(of("type A = {};")[..], [TypeProblem::EmptySet(_)]));
        let deep = format!("type A = {} {{ x }};", "{ x } ->".repeat(MAX_DEPTH + 1));
        assert!(matches!(of(&deep)[..], [TypeProblem::TooDeep(_)]));
    }

    #[test]
    fn long_chains_of_aliases_cost_no_stack() {
        let chain: String =
            (0..100_000).map(|i| format!("type A{i} = A{};", i + 1)).collect::<String>();
        let (types, names, problems) = types(&format!("{chain} type A100000 = {{ x }};"));
        assert_eq!(problems, []);
        assert!(matches!(types.named(names.get("A0").unwrap()), Some(Ty::Set(_))));
    }
}
