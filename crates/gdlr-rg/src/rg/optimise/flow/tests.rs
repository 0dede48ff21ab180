//! The analyses of random automata, compared with all states that walks reach. The oracle takes
//! every walk. Like the analyses, it assumes that every reachability check may hold.

use super::constants::Constants;
use super::live_variables::Live;
use super::reachable_nodes::ReachableNodes;
use super::reaching_assignments::ReachingAssignments;
use super::reaching_definitions::{INITIAL, ReachingDefinitions};
use super::settled_variables::SettledVariables;
use super::solve;
use super::value_sets::ValueSets;
use crate::rg::name::Name;
use crate::rg::optimise::program::{Edge, EdgeId, ExprId, Kind, Label, Node, Program, Shape, Val};
use crate::rg::{Tuning, read, validate};
use gdlr_text::budget::Meter;
use gdlr_text::diagnostic::Severity;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

#[path = "../../../../../../tests/rg_naive/generator.rs"]
mod generator;

/// The greatest number of states.
const STATES: usize = 4000;

/// A value with an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Symbol(Name),
    Map(BTreeMap<Name, Value>),
}

/// The values of all variables, and the edges that gave them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    values: BTreeMap<Name, Value>,
    definitions: BTreeMap<Name, BTreeSet<u32>>,
}

fn value(val: &Val) -> Value {
    match val {
        Val::Symbol(symbol) => Value::Symbol(*symbol),
        Val::Map(map) => {
            Value::Map(map.keys.iter().copied().zip(map.values.iter().map(value)).collect())
        }
    }
}

/// The value of an expression; `None` if it is not valid.
fn evaluate(program: &Program, state: &State, expr: ExprId) -> Option<Value> {
    if program.expressions.reads(expr).is_empty() {
        return program.evaluate(expr).as_ref().map(value);
    }
    match program.expressions.shape(expr) {
        Shape::Name(name) => Some(state.values[&name].clone()),
        Shape::Access { map, key } => {
            let Value::Symbol(key) = evaluate(program, state, key)? else { return None };
            // A constant alone has a default for a symbol that is no key.
            if let Some(root) = program.expressions.as_name(map)
                && let Some(Val::Map(map)) = program.constant(root)
            {
                return map.get(key).or(map.default.as_ref()).map(value);
            }
            match evaluate(program, state, map)? {
                Value::Map(map) => map.get(&key).cloned(),
                Value::Symbol(_) => None,
            }
        }
    }
}

/// The states that an edge leads to.
fn after(program: &Program, id: EdgeId, edge: Edge, state: &State) -> Vec<State> {
    let assign = |target: ExprId, new: Value| -> Option<State> {
        let (root, keys) = program.expressions.parts(target);
        let keys: Option<Vec<Value>> =
            keys.iter().map(|&key| evaluate(program, state, key)).collect();
        let keys = keys?;
        let mut after = state.clone();
        let mut place = after.values.get_mut(&root)?;
        for key in &keys {
            let (Value::Symbol(key), Value::Map(map)) = (key, place) else { return None };
            place = map.get_mut(key)?;
        }
        *place = new;
        let definitions = after.definitions.entry(root).or_default();
        if keys.is_empty() {
            definitions.clear();
        }
        definitions.insert(id.index() as u32);
        Some(after)
    };
    // An assignment of a value that is not of its type is not valid.
    let fits = |target: ExprId, new: &Value| match (
        program.symbols(program.expressions.ty(target)),
        new,
    ) {
        (Some(symbols), Value::Symbol(symbol)) => symbols.contains(symbol),
        (None, Value::Map(_)) => true,
        _ => false,
    };
    match edge.label {
        Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => {
            vec![state.clone()]
        }
        Label::Compare { left, right, equal } => {
            let both = evaluate(program, state, left).zip(evaluate(program, state, right));
            match both {
                Some((left, right)) if (left == right) == equal => vec![state.clone()],
                _ => Vec::new(),
            }
        }
        Label::Assign { target, value } => evaluate(program, state, value)
            .filter(|new| fits(target, new))
            .and_then(|new| assign(target, new))
            .into_iter()
            .collect(),
        Label::AssignAny { target, drawn } => program
            .drawn(drawn)
            .iter()
            .map(|&symbol| Value::Symbol(symbol))
            .filter(|new| fits(target, new))
            .filter_map(|new| assign(target, new))
            .collect(),
    }
}

/// The states that walks reach, with their nodes: all, or somewhat more than [`STATES`].
fn states(program: &Program) -> Vec<(Node, State)> {
    let variables: Vec<Name> = program.all_variables().collect();
    let initial = State {
        values: variables
            .iter()
            .map(|&name| (name, value(program.initial(name).expect("a value"))))
            .collect(),
        definitions: variables.iter().map(|&name| (name, BTreeSet::from([INITIAL]))).collect(),
    };
    let mut met = BTreeSet::from([(Node::BEGIN, initial.clone())]);
    let mut open = vec![(Node::BEGIN, initial)];
    let mut next = 0;
    while next < open.len() && open.len() < STATES {
        let (node, state) = open[next].clone();
        next += 1;
        for &id in program.leaving(node) {
            let edge = program.edge(id);
            let mut there: Vec<(Node, State)> = after(program, id, edge, &state)
                .into_iter()
                .map(|state| (edge.to, state))
                .collect();
            if let Label::Reach { from, .. } = edge.label {
                there.push((from, state.clone()));
            }
            for pair in there {
                if met.insert(pair.clone()) {
                    open.push(pair);
                }
            }
        }
    }
    open
}

/// The symbols of a value.
fn symbols(value: &Value) -> Vec<Name> {
    match value {
        Value::Symbol(symbol) => vec![*symbol],
        Value::Map(map) => map.values().flat_map(symbols).collect(),
    }
}

/// The number of claims of the analyses that were checked.
#[derive(Debug, Default)]
struct ClaimCounts {
    constants: usize,
    few_values: usize,
    equal: usize,
    definitions: usize,
}

fn check_states(program: &Program, counts: &mut ClaimCounts) {
    let meter = Meter::unlimited();
    let live = Live::of(program, &meter).unwrap();
    let (mut constants, mut values) = (Constants::new(&live), ValueSets::new(Rc::clone(&live)));
    let wanted = program.all_variables().collect();
    let (mut definitions, mut equal) =
        (ReachingDefinitions::new(&live, &wanted), ReachingAssignments::new(program, &live));
    let of_constants = solve(program, &mut constants, &meter).unwrap();
    let of_values = solve(program, &mut values, &meter).unwrap();
    let of_definitions = solve(program, &mut definitions, &meter).unwrap();
    let of_equal = solve(program, &mut equal, &meter).unwrap();
    let reached = solve(program, &mut ReachableNodes, &meter).unwrap();
    for (node, state) in states(program) {
        let knowledge = (of_constants.at(node), of_values.at(node), of_definitions.at(node));
        let (Some(&constant), Some(&possible), Some(&defined)) = knowledge else {
            panic!("a walk comes to node {}", node.index());
        };
        assert!(reached.at(node).is_some());
        let equals = *of_equal.at(node).expect("a walk comes there");
        for (&name, own) in state.values.iter().filter(|(name, _)| live.has(node, **name)) {
            if let Some(symbol) = constants.of(constant, name) {
                assert_eq!(*own, Value::Symbol(symbol), "{}", program.text(name));
                counts.constants += 1;
            }
            if let Kind::Variable(ty) = program.expressions.kind(name)
                && let Some(set) = values.leaves_of_variable(program, possible, name, ty)
            {
                for symbol in symbols(own) {
                    assert!(values.sets.has(set, symbol.index() as u32), "{}", program.text(name));
                }
                counts.few_values += usize::from(values.sets.members(set).len() < 3);
            }
            let set = definitions.of(defined, name);
            let set = Rc::clone(definitions.sets.members(set));
            for definition in &state.definitions[&name] {
                assert!(set.contains(definition), "{}: {definition}", program.text(name));
                counts.definitions += usize::from(*definition != INITIAL);
            }
            // In `x = f[x]`, the `x` on the right has the old value.
            if let Some(expr) = equal.of(equals, name)
                && !program.expressions.mentions(expr, name)
            {
                assert_eq!(evaluate(program, &state, expr).as_ref(), Some(own));
                counts.equal += 1;
            }
        }
    }
}

/// Whether walks from a node reach an edge, along edges that a function allows.
fn comes_to(
    program: &Program,
    node: Node,
    with_checks: bool,
    goal: impl Fn(Edge) -> bool,
    ends: impl Fn(Edge) -> bool,
) -> bool {
    let (mut met, mut open) = (BTreeSet::from([node]), vec![node]);
    while let Some(node) = open.pop() {
        for edge in program.edges_from(node) {
            if goal(edge) {
                return true;
            }
            let check = match edge.label {
                Label::Reach { from, .. } if with_checks => Some(from),
                _ => None,
            };
            let on = (!ends(edge)).then_some(edge.to);
            open.extend(check.into_iter().chain(on).filter(|&next| met.insert(next)));
        }
    }
    false
}

fn check_ways(program: &Program) {
    let meter = Meter::unlimited();
    let live = Live::of(program, &meter).unwrap();
    let mut settled = SettledVariables::default();
    let of_settled = solve(program, &mut settled, &meter).unwrap();
    for node in program.nodes() {
        for name in program.all_variables() {
            let overwrites = |edge: Edge| program.overwritten(edge.label) == Some(name);
            let reads = |edge: Edge| program.read(edge.label).contains(&name);
            assert_eq!(live.has(node, name), comes_to(program, node, true, reads, overwrites));
            let ends = |edge: Edge| program.ends_move(edge.label);
            let misses =
                comes_to(program, node, false, ends, |edge| overwrites(edge) || ends(edge));
            let is_settled =
                of_settled.at(node).is_none_or(|&knowledge| settled.has(knowledge, name));
            assert_eq!(is_settled, !misses, "{} at {}", program.text(name), node.index());
        }
    }
}

#[test]
fn what_is_known_is_true_in_every_state() {
    let mut generator = generator::Generator::new(12);
    let (mut tried, mut counts) = (0, ClaimCounts::default());
    while tried < 500 {
        let text = match tried % 8 {
            0 | 2 | 4 | 6 => generator.ways(),
            7 => generator.casts(),
            _ => generator.text(),
        };
        let Ok(description) = read(&text) else { continue };
        let mut errors = validate(&description).into_iter();
        if errors.any(|errors| errors.severity() == Severity::Error) {
            continue;
        }
        // Every other round uses small bounds.
        let tuning = if (tried / 8) % 2 == 1 { Tuning::small() } else { Tuning::default() };
        tried += 1;
        let program = Program::load(&description, &tuning, &Meter::unlimited()).unwrap();
        let mut now = ClaimCounts::default();
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            check_states(&program, &mut now);
            check_ways(&program);
        }));
        checked.unwrap_or_else(|_| panic!("in this automaton:\n{text}"));
        counts.constants += now.constants;
        counts.few_values += now.few_values;
        counts.equal += now.equal;
        counts.definitions += now.definitions;
    }
    let least = counts.constants.min(counts.few_values).min(counts.equal).min(counts.definitions);
    assert!(least > 1000, "{counts:?}");
}
