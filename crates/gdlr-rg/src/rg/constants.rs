//! The order in which the values of constants can be computed.
//!
//! The order of statements is arbitrary (RG, 2.1): the value of a constant may name a later
//! constant. No constant may need itself.

use super::ast::{Constant, Value};
use super::name::Name;
use hashbrown::HashMap;

/// Constants, by their index in a description.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    /// A topological order: each constant after the constants in its value, otherwise as written.
    pub sorted: Vec<usize>,
    /// The constants that need themselves, each with the index of the constant that closes the
    /// cycle.
    pub cycles: Vec<(usize, usize)>,
}

/// Orders the constants of a description. Linear in their size.
pub(crate) fn in_order(constants: &[Constant]) -> Order {
    let mut places: HashMap<Name, usize> = HashMap::new();
    for (place, constant) in constants.iter().enumerate() {
        // Of two constants with one name, the first counts.
        places.entry(constant.name.name).or_insert(place);
    }
    let mut order = Order::default();
    let mut state = vec![State::New; constants.len()];
    // Chains of constants may be long, so there is no recursion.
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    for root in 0..constants.len() {
        if state[root] != State::New {
            continue;
        }
        state[root] = State::Open;
        open.push((root, named(&constants[root], &places)));
        while let Some((place, rest)) = open.last_mut() {
            let place = *place;
            let Some(next) = rest.pop() else {
                state[place] = State::Done;
                order.sorted.push(place);
                open.pop();
                continue;
            };
            match state[next] {
                State::New => {
                    state[next] = State::Open;
                    open.push((next, named(&constants[next], &places)));
                }
                State::Open => order.cycles.push((place, next)),
                State::Done => {}
            }
        }
    }
    order
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// The constants that a value names, in reverse order.
fn named(constant: &Constant, places: &HashMap<Name, usize>) -> Vec<usize> {
    let mut indices = Vec::new();
    for_each_name(&constant.value, &mut |name| indices.extend(places.get(&name).copied()));
    indices.reverse();
    indices
}

/// Visits the names in a value that may be constants. Maps nest as deep as a reader accepts.
pub(crate) fn for_each_name(value: &Value, visit: &mut impl FnMut(Name)) {
    match value {
        Value::Name(name) => visit(name.name),
        Value::Map(map) => map.entries.iter().for_each(|entry| for_each_name(&entry.value, visit)),
    }
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use crate::rg::read;

    #[test]
    fn constants_stand_behind_those_that_they_name() {
        for (text, sorted, cycles) in [
            ("const a: T = 0; const b: T = a; const c: T = b;", vec![0, 1, 2], vec![]),
            ("const a: T = b; const b: T = c; const c: T = 0;", vec![2, 1, 0], vec![]),
            (
                "const a: T = { x: c, :{ y: b } }; const b: T = 0; const c: T = b;",
                vec![1, 2, 0],
                vec![],
            ),
            ("const a: T = a;", vec![0], vec![(0, 0)]),
            ("const a: T = b; const b: T = { :a }; const c: T = a;", vec![1, 0, 2], vec![(1, 0)]),
            ("const a: T = 0; const a: T = a;", vec![0, 1], vec![]),
        ] {
            let order = in_order(&read(text).unwrap().constants);
            assert_eq!((order.sorted, order.cycles), (sorted, cycles), "{text}");
        }
    }

    #[test]
    fn long_chains_cost_no_stack() {
        let chain: String = (0..100_000).map(|i| format!("const c{i}: T = c{};", i + 1)).collect();
        assert_eq!(in_order(&read(&chain).unwrap().constants).sorted[0], 99_999);
    }
}
