//! The orders in which constant maps step through the symbols of a type.

use crate::rg::name::Name;
use crate::rg::optimise::program::{Program, Val};
use hashbrown::{HashMap, HashSet};

/// The order in which a constant map steps through all its keys.
struct Way {
    map: Name,
    symbols: Vec<Name>,
}

impl Way {
    /// Whether the map steps through the symbols in this order, or in the opposite one.
    fn is_along(&self, symbols: &[Name]) -> bool {
        self.symbols.iter().eq(symbols) || self.symbols.iter().rev().eq(symbols)
    }
}

/// The constant maps that step through all symbols of a set. The key is the set, in the order of
/// names.
pub struct Steps(HashMap<Box<[Name]>, Vec<Way>>);

impl Steps {
    /// The steps of all constant maps of an automaton.
    pub fn new(program: &Program) -> Steps {
        let mut ways: HashMap<Box<[Name]>, Vec<Way>> = HashMap::new();
        for constant in &program.constants {
            let name = constant.name.name;
            if let Some(Val::Map(map)) = program.constant(name)
                && let Some(symbols) = way(&map.keys, |key| map.get(key))
            {
                let mut keys = symbols.clone();
                keys.sort_unstable();
                ways.entry(keys.into()).or_default().push(Way { map: name, symbols });
            }
        }
        Steps(ways)
    }

    /// The maps that step through some symbols.
    fn ways(&self, symbols: &[Name]) -> &[Way] {
        let mut sorted: Vec<Name> = symbols.to_vec();
        sorted.sort_unstable();
        self.0.get(&sorted[..]).map_or(&[], |ways| ways)
    }

    /// The order in which all maps step through some symbols, forward or backward.
    pub fn only_way(&self, symbols: &[Name]) -> Option<&[Name]> {
        let ways = self.ways(symbols);
        let first = &ways.first()?.symbols;
        ways.iter().all(|way| way.is_along(first)).then_some(first)
    }

    /// A constant map that steps through some symbols in another order. `None` if a map steps in
    /// this order.
    pub fn otherwise(&self, symbols: &[Name]) -> Option<Name> {
        let ways = self.ways(symbols);
        match ways.iter().any(|way| way.is_along(symbols)) {
            true => None,
            false => ways.first().map(|way| way.map),
        }
    }

    /// Whether a constant map steps through some symbols in another order than this one.
    pub fn contradict(&self, symbols: &[Name]) -> bool {
        self.ways(symbols).iter().any(|way| !way.is_along(symbols))
    }
}

/// The order in which a map steps through all its keys. It begins with the key that is no value. It
/// ends with a key whose value is itself, or no key.
fn way<'v>(keys: &[Name], next: impl Fn(Name) -> Option<&'v Val>) -> Option<Vec<Name>> {
    let all: HashSet<Name> = keys.iter().copied().collect();
    let step = |key: Name| match next(key) {
        Some(&Val::Symbol(symbol)) if symbol != key && all.contains(&symbol) => Some(symbol),
        _ => None,
    };
    let entered: HashSet<Name> = keys.iter().filter_map(|&key| step(key)).collect();
    let mut starts = keys.iter().copied().filter(|key| !entered.contains(key));
    let (Some(start), None) = (starts.next(), starts.next()) else { return None };
    let mut way = vec![start];
    while let Some(symbol) = step(way[way.len() - 1]) {
        if way.len() == keys.len() {
            return None;
        }
        way.push(symbol);
    }
    (way.len() == keys.len() && way.len() > 2).then_some(way)
}
