//! Casts of maps to other keys, written out entry by entry.
//!
//! A map is cast by its entries (RG, 2.1): a key of the new type has the same value as in the map.
//! Keys that only the map has are dropped. A key that only the new type has gets the default of the
//! map, from its definition for that place. An assignment of a map to a map with other keys is a
//! cast. Two maps are equal if they are equal after such casts, under every key of either map.
//!
//! Here each such assignment and comparison becomes edges, one for each entry:
//!
//! ```text
//! a, b: mb = MB(ma);        a, n1: mb[1] = ma[1];   n1, n2: mb[2] = ma[2];   n2, b: mb[3] = 1;
//! a, b: ma != mb;           a, b: ma[1] != mb[1];   a, b: ma[2] != mb[2];    a, b: 1 != mb[3];
//! ```
//!
//! So all other code can ignore such casts. Two cases need edges that compare a key first, so that
//! each branch knows it. In one, a default depends on a key that is known only in play. In the
//! other, a key would be read after a write of the first entry that changes it.

mod scope;

use super::ast::{Base, Description, Edge, Expr, Ident, Label, Place, SimpleType, SymbolSet};
use super::ast::{TypeAlias, Value};
use super::name::{Name, Names};
use super::types::Ty;
use scope::{Flat, Kind, Scope, Sides, Unknown};

/// A description without casts of maps to other keys.
pub(crate) struct Recast {
    pub description: Description,
    /// By edge: the index of the edge that it comes from.
    pub origin: Vec<u32>,
}

/// Writes out the casts of maps to other keys in a description without errors. `None` if there are
/// none.
pub(crate) fn recast(description: &Description) -> Option<Recast> {
    let scope = Scope::new(description);
    let is_plain = |edge: &Edge| {
        scope.sides(&edge.label).is_none() && scope.without_strays(&edge.label).is_none()
    };
    if description.edges.iter().all(is_plain) {
        return None;
    }
    let mut writer = Writer {
        scope,
        names: description.names.clone(),
        fresh: 0,
        aliases: description.types.clone(),
        edges: Vec::new(),
        origin: Vec::new(),
        at: 0,
        place: Place::default(),
    };
    for (at, edge) in description.edges.iter().enumerate() {
        (writer.at, writer.place) = (at as u32, edge.place);
        let label = writer.scope.without_strays(&edge.label);
        let label = label.unwrap_or_else(|| edge.label.clone());
        match writer.scope.sides(&label) {
            Some(sides) => writer.expand(edge.from, edge.to, sides),
            None => writer.edge(edge.from, edge.to, label),
        }
    }
    let Writer { names, aliases, edges, origin, .. } = writer;
    let description = Description { names, types: aliases, edges, ..description.clone() };
    Some(Recast { description, origin })
}

/// The edges whose casts cannot be written out, each with a symbol. In an expression, the name of
/// that symbol would mean a constant or variable.
pub(crate) fn unwritable(description: &Description) -> Vec<(Place, Name)> {
    let scope = Scope::new(description);
    let unwritable = description.edges.iter().filter_map(|edge| {
        let sides = scope.sides(&edge.label)?;
        let types = scope.types_of(&sides.left).into_iter().chain(scope.types_of(&sides.right));
        let mut sets = types.flat_map(|ty| scope.sets(ty));
        let hidden = sets
            .find_map(|set| set.iter().copied().find(|symbol| scope.items.contains_key(symbol)))?;
        Some((edge.place, hidden))
    });
    unwritable.collect()
}

struct Writer<'d> {
    scope: Scope<'d>,
    names: Names,
    /// The number of new names.
    fresh: usize,
    aliases: Vec<TypeAlias>,
    edges: Vec<Edge>,
    origin: Vec<u32>,
    /// The index of the current edge.
    at: u32,
    place: Place,
}

impl Writer<'_> {
    fn edge(&mut self, from: Ident, to: Ident, label: Label) {
        self.edges.push(Edge { from, to, label, place: self.place });
        self.origin.push(self.at);
    }

    fn name(&mut self, stem: &str) -> Ident {
        loop {
            self.fresh += 1;
            let text = format!("{stem}_{}", self.fresh);
            if self.names.get(&text).is_none()
                && let Ok(name) = self.names.intern(&text)
            {
                return Ident { name, place: self.place };
            }
        }
    }

    /// Writes the edges of two sides, one for each entry.
    fn expand(&mut self, from: Ident, to: Ident, sides: Sides) {
        if let Some(unknown) = self.unstable(&sides) {
            return self.split(from, to, sides, unknown);
        }
        let (left, right) = (self.scope.types_of(&sides.left), self.scope.types_of(&sides.right));
        // A variable keeps its keys, whatever the target is cast to.
        let left = if sides.kind == Kind::Assign { left.first() } else { left.last() };
        let (Some(&left), Some(&right)) = (left, right.last()) else { return };
        let mut paths = Vec::new();
        self.paths((left, right), sides.kind == Kind::Assign, &mut Vec::new(), &mut paths);
        let mut entries = Vec::new();
        for path in &paths {
            let left = match sides.kind {
                Kind::Assign => Ok(self.target(&sides.left, path)),
                _ => self.value(&sides.left, path).map_err(|at| Unknown(true, at)),
            };
            let right = || self.value(&sides.right, path).map_err(|at| Unknown(false, at));
            match left.and_then(|left| Ok((left, right()?))) {
                Ok(entry) => entries.push(entry),
                Err(unknown) => return self.split(from, to, sides, unknown),
            }
        }
        let entries = entries.into_iter().map(|(left, right)| {
            [left, right]
                .map(|(expr, casts)| casts.into_iter().fold(expr, |expr, ty| self.cast(expr, ty)))
        });
        let entries: Vec<[Expr; 2]> = entries.collect();
        let mut from = from;
        let last = entries.len();
        for (number, [left, right]) in entries.into_iter().enumerate() {
            let label = match sides.kind {
                Kind::Assign => Label::Assign { target: left, value: right },
                kind => Label::Compare { left, right, equal: kind == Kind::Equal },
            };
            if sides.kind == Kind::Differ || number + 1 == last {
                self.edge(from, to, label);
            } else {
                let next = self.name("entry");
                self.edge(from, next, label);
                from = next;
            }
        }
    }

    /// A key that would be read after a write that changes it.
    fn unstable(&self, Sides { kind, left, right }: &Sides) -> Option<Unknown> {
        let reads = |expr: &Expr| mentions(expr, left.root.name);
        let find = |flat: &Flat| flat.keys.iter().position(reads);
        let of_left = find(left).map(|at| Unknown(true, at));
        let unknown = of_left.or_else(|| find(right).map(|at| Unknown(false, at)));
        unknown.filter(|_| *kind == Kind::Assign)
    }

    /// Splits the walks by the value of a key.
    fn split(&mut self, from: Ident, to: Ident, sides: Sides, Unknown(left, at): Unknown) {
        let flat = |sides: &mut Sides| match left {
            true => std::mem::take(&mut sides.left.keys),
            false => std::mem::take(&mut sides.right.keys),
        };
        let mut sides = sides;
        let keys = flat(&mut sides);
        let Some(Ty::Set(set)) = self.scope.type_of(&keys[at]) else { return };
        for symbol in self.scope.types.symbols(set).to_vec() {
            let chosen = Expr::from(Ident { name: symbol, place: keys[at].place });
            let node = self.name("key");
            let (left_side, right_side) = (keys[at].clone(), chosen.clone());
            self.edge(
                from,
                node,
                Label::Compare { left: left_side, right: right_side, equal: true },
            );
            let mut sides = sides.clone();
            let mut keys = keys.clone();
            keys[at] = chosen;
            if left {
                sides.left.keys = keys
            } else {
                sides.right.keys = keys
            }
            self.expand(node, to, sides);
        }
    }

    /// The paths of keys of two maps, down to their symbols: the paths of the first map only, or of
    /// both.
    fn paths(
        &self,
        (left, right): (Ty, Ty),
        only_left: bool,
        path: &mut Vec<Name>,
        found: &mut Vec<Vec<Name>>,
    ) {
        let is_map = |ty| matches!(ty, Ty::Map(_));
        if !is_map(left) {
            return found.push(path.clone());
        }
        let mut keys = self.scope.keys(left).to_vec();
        if !only_left {
            keys.extend(self.scope.keys(right));
            keys.sort_unstable();
            keys.dedup();
        }
        let deeper = (self.scope.descend(left, 1), self.scope.descend(right, 1));
        for key in keys {
            path.push(key);
            self.paths(deeper, only_left, path, found);
            path.pop();
        }
    }

    /// The entry that is assigned to, and the types of its casts.
    fn target(&self, flat: &Flat, path: &[Name]) -> (Expr, Vec<Ty>) {
        let keys = flat.keys.iter().cloned().chain(path.iter().map(|&key| self.symbol(key)));
        let (root, keys) = (Base::Name(flat.root), keys.collect());
        (Expr { base: root, keys, place: flat.root.place }, Vec::new())
    }

    fn symbol(&self, name: Name) -> Expr {
        Expr::from(Ident { name, place: self.place })
    }

    /// The value under some keys, and the types of its casts.
    ///
    /// # Errors
    ///
    /// The index of the key that must be known first.
    fn value(&self, flat: &Flat, path: &[Name]) -> Result<(Expr, Vec<Ty>), usize> {
        let scope = &self.scope;
        let types = scope.types_of(flat);
        let mut leaves: Vec<Ty> = types.iter().map(|&ty| scope.descend(ty, path.len())).collect();
        let missing = path.iter().enumerate().position(|(depth, key)| {
            let has = |&ty: &Ty| scope.keys(scope.descend(ty, depth)).contains(key);
            !types.iter().all(has)
        });
        let Some(missing) = missing else {
            let (expr, _) = self.target(flat, path);
            return Ok((expr, self.needed(leaves.remove(0), leaves)));
        };
        let Some((_, definition)) = scope.items.get(&flat.root.name) else { return Err(0) };
        let before = flat.keys.iter().map(|key| scope.constant_symbol(key));
        let before: Vec<Option<Name>> =
            before.chain(path[..missing].iter().copied().map(Some)).collect();
        let mut default = scope.default(definition, &before, 0)?;
        for &key in &path[missing + 1..] {
            default = scope.entry(default, Some(key));
        }
        match scope.definition(default) {
            Value::Name(name) => {
                let given = Ty::Symbol(name.name);
                Ok((self.symbol(name.name), self.needed(given, leaves)))
            }
            Value::Map(_) => Err(0),
        }
    }

    /// The casts that restrict the type of a symbol further.
    fn needed(&self, mut given: Ty, casts: Vec<Ty>) -> Vec<Ty> {
        let mut needed = Vec::new();
        for cast in casts {
            if !self.scope.types.contains(cast, given) {
                needed.push(cast);
                given = cast;
            }
        }
        needed
    }

    /// A cast to a set. A set without a name gets one.
    fn cast(&mut self, expr: Expr, ty: Ty) -> Expr {
        let Ty::Set(set) = ty else { return expr };
        let is_it = |alias: &&TypeAlias| {
            let named = self.scope.types.named(alias.name.name);
            named.is_some_and(|named| self.scope.types.equal(named, ty) && named != Ty::Unknown)
        };
        let name = match self.scope.description.types.iter().find(is_it) {
            Some(alias) => alias.name,
            None => {
                let name = self.name("Cast");
                let members = self.scope.types.symbols(set).iter();
                let members = members.map(|&name| Ident { name, place: self.place }).collect();
                let type_ = SimpleType::Set(SymbolSet { members, place: self.place }).into();
                self.aliases.push(TypeAlias { name, type_, place: self.place });
                name
            }
        };
        let place = expr.place;
        Expr { base: Base::Cast(name, Box::new(expr)), keys: Vec::new(), place }
    }
}

/// Whether an expression contains a name. Expressions nest as deep as a reader accepts.
fn mentions(expr: &Expr, name: Name) -> bool {
    let in_base = match &expr.base {
        Base::Name(base) => base.name == name,
        Base::Cast(_, inner) => mentions(inner, name),
    };
    in_base || expr.keys.iter().any(|key| mentions(key, name))
}

#[cfg(test)]
mod tests {
    use super::recast;
    use crate::rg::{print, read};

    const HEAD: &str = "type Player = { x }; type Score = { 0 }; type A = { 1, 2 };
        type B = { 1, 2, 3 }; type MA = A -> A; type MB = B -> B; type MM = A -> MA;
        const k: MA = { 1: 2, :1 }; var ma: MA = { 1: 2, :1 }; var mb: MB = { 3: 2, :1 };
        var mm: MM = { 1: { 2: 1, :2 }, :{ :1 } }; var nn: MM = { :{ :1 } }; var a: A = 1; var d: A -> B = { :3 };\n";

    #[track_caller]
    fn assert_edges(edge: &str, expected: &[&str]) {
        let description = read(&format!("{HEAD}{edge}")).unwrap();
        let Some(made) = recast(&description) else { return assert!(expected.is_empty()) };
        assert_eq!(made.origin, vec![0; made.description.edges.len()]);
        let text = print(&made.description).unwrap();
        let lines: Vec<&str> =
            text.lines().filter(|line| line.contains(", ") && !line.contains('{')).collect();
        assert_eq!(lines, expected, "{edge}");
    }

    #[test]
    fn entries_are_written_one_by_one() {
        assert_edges("p, q: ma = k;", &[]);
        assert_edges("p, q: ma = MA(k);", &[]);
        assert_edges("p, q: mm[a] == MA(ma);", &[]);
        assert_edges("p, q: a = 1;", &[]);
        assert_edges(
            "p, q: mb = MB(ma);",
            &[
                "p, entry_1: mb[1] = ma[1];",
                "entry_1, entry_2: mb[2] = ma[2];",
                "entry_2, q: mb[3] = 1;",
            ],
        );
        assert_edges(
            "p, q: ma = mb;",
            &["p, entry_1: ma[1] = mb[1];", "entry_1, q: ma[2] = mb[2];"],
        );
        assert_edges(
            "p, q: ma != mb;",
            &["p, q: ma[1] != mb[1];", "p, q: ma[2] != mb[2];", "p, q: 1 != mb[3];"],
        );
    }

    #[test]
    fn casts_in_between_leave_out_keys_and_ask_for_symbols() {
        assert_edges(
            "p, q: mb == MB(MA(mb));",
            &[
                "p, entry_1: mb[1] == A(mb[1]);",
                "entry_1, entry_2: mb[2] == A(mb[2]);",
                "entry_2, q: mb[3] == 1;",
            ],
        );
    }

    #[test]
    fn keys_that_must_be_known_part_the_ways() {
        // The maps in `mm` have different defaults, the maps in `nn` have the same.
        assert_edges(
            "p, q: mb == MB(nn[a]);",
            &[
                "p, entry_1: mb[1] == nn[a][1];",
                "entry_1, entry_2: mb[2] == nn[a][2];",
                "entry_2, q: mb[3] == 1;",
            ],
        );
        assert_edges(
            "p, q: mb != mm[a];",
            &[
                "p, key_1: a == 1;",
                "key_1, q: mb[1] != mm[1][1];",
                "key_1, q: mb[2] != mm[1][2];",
                "key_1, q: mb[3] != 2;",
                "p, key_2: a == 2;",
                "key_2, q: mb[1] != mm[2][1];",
                "key_2, q: mb[2] != mm[2][2];",
                "key_2, q: mb[3] != 1;",
            ],
        );
        assert_edges("p, q: ma = mm[ma[1]];", &[]);
        assert_edges(
            "p, q: mm[mm[a][1]] = mb;",
            &[
                "p, key_1: mm[a][1] == 1;",
                "key_1, entry_2: mm[1][1] = mb[1];",
                "entry_2, q: mm[1][2] = mb[2];",
                "p, key_3: mm[a][1] == 2;",
                "key_3, entry_4: mm[2][1] = mb[1];",
                "entry_4, q: mm[2][2] = mb[2];",
            ],
        );
    }
}
