//! The value of an expression where not everything is known: what it may be, and when.

use super::sheet::{Sheet, Slot, Var, look_up};
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::{ExprId, Kind, MapVal, Shape, Val};
use hashbrown::HashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// What an expression can be.
#[derive(Clone, Debug)]
pub(super) enum Thing {
    /// A symbol.
    Symbol(Name),
    /// A map that never changes.
    Map(Rc<MapVal>),
    /// A variable that is a map, or a map in it: so many accesses deep, from a slot on.
    Region { var: Var, base: Slot, depth: u8 },
}

impl Thing {
    fn of(value: &Val) -> Thing {
        match value {
            Val::Symbol(symbol) => Thing::Symbol(*symbol),
            Val::Map(map) => Thing::Map(Rc::clone(map)),
        }
    }

    /// What tells things apart.
    fn identity(&self) -> (u8, usize) {
        match self {
            Thing::Symbol(symbol) => (0, symbol.index()),
            Thing::Map(map) => (1, Rc::as_ptr(map).addr()),
            Thing::Region { base, depth, .. } => (2 + depth, *base as usize),
        }
    }
}

/// What variables hold, and what is made of it.
pub(super) trait Store {
    /// When something holds.
    type Truth: Copy;

    /// Always.
    const TRUE: Self::Truth;

    /// When both hold, unless they never do.
    fn both(&mut self, one: Self::Truth, other: Self::Truth) -> Option<Self::Truth>;

    /// When one of them holds.
    fn any(&mut self, truths: &[Self::Truth]) -> Self::Truth;

    /// What a variable of a set type holds.
    fn scalar(&mut self, var: Var) -> Vec<(Name, Self::Truth)>;

    /// What a slot of a map holds.
    fn slot(&mut self, slot: Slot, var: Var) -> Vec<(Name, Self::Truth)>;
}

/// What an expression may be, each thing once, with when. The recursion is bounded by what a reader
/// accepts.
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
    let mut found = Found { all: Vec::new(), places: HashMap::new() };
    for (map, when) in &maps {
        for (key, given) in &keys {
            let (Thing::Symbol(key), Some(when)) = (key, store.both(*when, *given)) else {
                continue;
            };
            access(sheet, store, map, *key, when, &mut found);
        }
    }
    let joined = found.all.into_iter().map(|(thing, whens)| (thing, store.any(&whens)));
    joined.collect()
}

/// Things, each once, with all cases in which it is that one.
struct Found<T> {
    all: Vec<(Thing, SmallVec<[T; 2]>)>,
    places: HashMap<(u8, usize), usize>,
}

impl<T: Copy> Found<T> {
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

/// What is behind a key of a map.
fn access<S: Store>(
    sheet: &Sheet,
    store: &mut S,
    map: &Thing,
    key: Name,
    when: S::Truth,
    found: &mut Found<S::Truth>,
) {
    match map {
        Thing::Symbol(_) => {}
        Thing::Map(map) => {
            if let Some(value) = look_up(map, key) {
                found.add(Thing::of(value), when);
            }
        }
        Thing::Region { var, base, depth } => {
            let variable = sheet.at(*var);
            match entry(sheet, *var, *base, *depth, key) {
                Some(slot) if usize::from(*depth) + 1 == variable.keys.len() => {
                    for (symbol, held) in store.slot(slot, *var) {
                        if let Some(when) = store.both(when, held) {
                            found.add(Thing::Symbol(symbol), when);
                        }
                    }
                }
                Some(base) => {
                    found.add(Thing::Region { var: *var, base, depth: depth + 1 }, when);
                }
                // What is no key has the default, if the map is not within another one (RG, 2.1).
                None => {
                    if let (0, Val::Map(initial)) = (depth, &variable.initial)
                        && let Some(default) = &initial.default
                    {
                        found.add(Thing::of(default), when);
                    }
                }
            }
        }
    }
}

/// Where the entry of a key is.
pub(super) fn entry(sheet: &Sheet, var: Var, base: Slot, depth: u8, key: Name) -> Option<Slot> {
    let (keys, stride) = &sheet.at(var).keys[usize::from(depth)];
    Some(base + keys.binary_search(&key).ok()? as u32 * stride)
}
