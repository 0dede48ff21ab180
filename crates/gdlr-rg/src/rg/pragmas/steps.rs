//! The orders in which constant maps step through the symbols of a type.

use crate::rg::name::Name;
use crate::rg::optimise::program::{Program, Val};
use hashbrown::{HashMap, HashSet};

/// The order in which a constant map steps through all its keys.
struct StepOrder {
    map: Name,
    symbols: Vec<Name>,
}

impl StepOrder {
    /// Whether the map steps through the symbols in this order, or in the opposite one.
    fn is_along(&self, symbols: &[Name]) -> bool {
        self.symbols.iter().eq(symbols) || self.symbols.iter().rev().eq(symbols)
    }
}

/// The constant maps that step through all symbols of a set. The key is the set, in the order of
/// names.
pub struct Steps(HashMap<Box<[Name]>, Vec<StepOrder>>);

impl Steps {
    /// The steps of all constant maps of an automaton.
    pub fn new(program: &Program) -> Steps {
        let mut orders: HashMap<Box<[Name]>, Vec<StepOrder>> = HashMap::new();
        for constant in &program.constants {
            let name = constant.name.name;
            if let Some(Val::Map(map)) = program.constant(name)
                && let Some(symbols) = order(&map.keys, |key| map.get(key))
            {
                let mut keys = symbols.clone();
                keys.sort_unstable();
                orders.entry(keys.into()).or_default().push(StepOrder { map: name, symbols });
            }
        }
        Steps(orders)
    }

    /// The maps that step through some symbols.
    fn orders(&self, symbols: &[Name]) -> &[StepOrder] {
        let mut sorted: Vec<Name> = symbols.to_vec();
        sorted.sort_unstable();
        self.0.get(&sorted[..]).map_or(&[], |orders| orders)
    }

    /// The order in which all maps step through some symbols, forward or backward.
    pub fn only_order(&self, symbols: &[Name]) -> Option<&[Name]> {
        let orders = self.orders(symbols);
        let first = &orders.first()?.symbols;
        orders.iter().all(|order| order.is_along(first)).then_some(first)
    }

    /// A constant map that steps through some symbols in another order. `None` if a map steps in
    /// this order.
    pub fn otherwise(&self, symbols: &[Name]) -> Option<Name> {
        let orders = self.orders(symbols);
        match orders.iter().any(|order| order.is_along(symbols)) {
            true => None,
            false => orders.first().map(|order| order.map),
        }
    }

    /// Whether a constant map steps through some symbols in another order than this one.
    pub fn contradict(&self, symbols: &[Name]) -> bool {
        self.orders(symbols).iter().any(|order| !order.is_along(symbols))
    }
}

/// The order in which a map steps through all its keys. It begins with the key that is no value. It
/// ends with a key whose value is itself, or no key.
fn order<'v>(keys: &[Name], next: impl Fn(Name) -> Option<&'v Val>) -> Option<Vec<Name>> {
    let all: HashSet<Name> = keys.iter().copied().collect();
    let step = |key: Name| match next(key) {
        Some(&Val::Symbol(symbol)) if symbol != key && all.contains(&symbol) => Some(symbol),
        _ => None,
    };
    let entered: HashSet<Name> = keys.iter().filter_map(|&key| step(key)).collect();
    let mut starts = keys.iter().copied().filter(|key| !entered.contains(key));
    let (Some(start), None) = (starts.next(), starts.next()) else { return None };
    let mut order = vec![start];
    while let Some(symbol) = step(order[order.len() - 1]) {
        if order.len() == keys.len() {
            return None;
        }
        order.push(symbol);
    }
    (order.len() == keys.len() && order.len() > 2).then_some(order)
}
