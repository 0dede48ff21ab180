//! The value of an expression if not all variables are known: its possible values, each with its
//! condition.

use super::sheet::{Sheet, Slot, Var, look_up};
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::{ExprId, Kind, MapVal, Shape, Val};
use hashbrown::HashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// A possible value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Thing {
    /// A symbol.
    Symbol(Name),
    /// A map that never changes.
    Map(Rc<MapVal>),
    /// A variable that is a map, or a map within it: the variable, the first slot, and the number
    /// of accesses so far.
    Region { var: Var, base: Slot, depth: u8 },
}

impl Thing {
    fn of(value: &Val) -> Thing {
        match value {
            Val::Symbol(symbol) => Thing::Symbol(*symbol),
            Val::Map(map) => Thing::Map(Rc::clone(map)),
        }
    }

    /// A key that identifies the value.
    fn identity(&self) -> (u8, usize) {
        match self {
            Thing::Symbol(symbol) => (0, symbol.index()),
            Thing::Map(map) => (1, Rc::as_ptr(map).addr()),
            Thing::Region { base, depth, .. } => (2 + depth, *base as usize),
        }
    }
}

/// The values of variables, and operations on conditions.
pub(super) trait Store {
    /// The condition of a value.
    type Truth: Copy;

    /// The condition that always holds.
    const TRUE: Self::Truth;

    /// The condition that both hold. `None` if they never do.
    fn both(&mut self, one: Self::Truth, other: Self::Truth) -> Option<Self::Truth>;

    /// The condition that one of several holds.
    fn any(&mut self, truths: &[Self::Truth]) -> Self::Truth;

    /// The possible values of a variable of a set type.
    fn scalar(&mut self, var: Var) -> Vec<(Name, Self::Truth)>;

    /// The possible values of a slot of a map.
    fn slot(&mut self, slot: Slot, var: Var) -> Vec<(Name, Self::Truth)>;
}

/// The possible values of an expression, each once, with its condition. The depth of the recursion
/// is limited by the reader.
pub(super) fn evaluate<S: Store>(
    sheet: &Sheet,
    store: &mut S,
    expr: ExprId,
) -> Vec<(Thing, S::Truth)> {
    let (map, key) = match sheet.program.expressions.shape(expr) {
        Shape::Name(name) => return named(sheet, store, name),
        Shape::Access { map, key } => (map, key),
    };
    let maps = evaluate(sheet, store, map);
    let keys = evaluate(sheet, store, key);
    let mut values = PossibleValues { all: Vec::new(), places: HashMap::new() };
    for (map, when) in &maps {
        for (key, given) in &keys {
            let (Thing::Symbol(key), Some(when)) = (key, store.both(*when, *given)) else {
                continue;
            };
            access(sheet, store, map, *key, when, &mut values);
        }
    }
    let joined = values.all.into_iter().map(|(thing, whens)| (thing, store.any(&whens)));
    joined.collect()
}

/// Values, each once, with all conditions under which an expression has it.
struct PossibleValues<T> {
    all: Vec<(Thing, SmallVec<[T; 2]>)>,
    places: HashMap<(u8, usize), usize>,
}

impl<T: Copy> PossibleValues<T> {
    fn add(&mut self, thing: Thing, when: T) {
        let place = *self.places.entry(thing.identity()).or_insert(self.all.len());
        match self.all.get_mut(place) {
            Some((_, whens)) => whens.push(when),
            None => self.all.push((thing, SmallVec::from_slice(&[when]))),
        }
    }
}

fn named<S: Store>(sheet: &Sheet, store: &mut S, name: Name) -> Vec<(Thing, S::Truth)> {
    match sheet.program.expressions.kind(name) {
        Kind::Symbol => vec![(Thing::Symbol(name), S::TRUE)],
        Kind::Constant(_) => {
            let value = sheet.program.constant(name);
            value.map(|value| (Thing::of(value), S::TRUE)).into_iter().collect()
        }
        Kind::Variable(_) => match sheet.variable(name) {
            Some(var) if sheet.at(var).is_map() => {
                vec![(Thing::Region { var, base: sheet.at(var).base, depth: 0 }, S::TRUE)]
            }
            Some(var) => {
                let held = store.scalar(var);
                held.into_iter().map(|(symbol, when)| (Thing::Symbol(symbol), when)).collect()
            }
            None => Vec::new(),
        },
    }
}

/// The values behind a key of a map.
fn access<S: Store>(
    sheet: &Sheet,
    store: &mut S,
    map: &Thing,
    key: Name,
    when: S::Truth,
    values: &mut PossibleValues<S::Truth>,
) {
    match map {
        Thing::Symbol(_) => {}
        Thing::Map(map) => {
            if let Some(value) = look_up(map, key) {
                values.add(Thing::of(value), when);
            }
        }
        Thing::Region { var, base, depth } => {
            let variable = sheet.at(*var);
            match entry(sheet, *var, *base, *depth, key) {
                Some(slot) if usize::from(*depth) + 1 == variable.keys.len() => {
                    for (symbol, held) in store.slot(slot, *var) {
                        if let Some(when) = store.both(when, held) {
                            values.add(Thing::Symbol(symbol), when);
                        }
                    }
                }
                Some(base) => {
                    values.add(Thing::Region { var: *var, base, depth: depth + 1 }, when);
                }
                // A missing key has the default value, if the map is not within another one (RG,
                // 2.1).
                None => {
                    if let (0, Val::Map(initial)) = (depth, &variable.initial)
                        && let Some(default) = &initial.default
                    {
                        values.add(Thing::of(default), when);
                    }
                }
            }
        }
    }
}

/// The slot of the entry of a key.
pub(super) fn entry(sheet: &Sheet, var: Var, base: Slot, depth: u8, key: Name) -> Option<Slot> {
    let (keys, stride) = &sheet.at(var).keys[usize::from(depth)];
    Some(base + keys.binary_search(&key).ok()? as u32 * stride)
}
