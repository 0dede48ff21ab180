//! What is known of the rules before play: where a move can be completed, where it always is,
//! where the current square matters, which pieces of a move tell moves apart.

use super::ast::{Arithmetic, Comparison, Game, PieceId};
use super::loops::goes_round;
use super::program::{Act, Edge, Node, Program};
use super::relation::{Bits, Kind};
use super::simulation::Simulation;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Variables of more values are not looked at value by value.
const MOST_VALUES: u32 = 1024;

/// What is known of a program.
pub(super) struct Analysis {
    /// By node: whether a switch can be reached as far as the graph tells.
    pub able: Vec<bool>,
    /// By node: whether a switch can be reached whatever the state is.
    pub sure: Vec<bool>,
    /// By node: whether something may depend on the current square.
    pub live: Vec<bool>,
    /// By node: the squares that may be the current one.
    pub places: Vec<Bits>,
    /// By edge: whether another modifier could stand in its place in a move.
    pub index: Vec<bool>,
    /// By edge: whether the square of a modifier is not that of the modifier before, or of the
    /// beginning of the move.
    pub square: Vec<bool>,
}

impl Analysis {
    /// Cost: the edges of the program for each of its modifiers.
    pub fn new(game: &Game, program: &Program) -> Analysis {
        let able = backward(program, |edge, able| {
            !is_impossible(&edge.act) && (matches!(edge.act, Act::Switch(_)) || able(edge.to))
        });
        let sure = sure(game, program);
        let square = squares(program);
        let live = live(program, &square);
        let index = indices(program, &able, &live);
        let places = places(program);
        Analysis { able, sure, live, places, index, square }
    }
}

/// Whether an action is never valid.
pub(super) fn is_impossible(act: &Act) -> bool {
    match act {
        Act::On(pieces) => pieces.is_empty(),
        Act::Compare(Arithmetic::Number(left), comparison, Arithmetic::Number(right)) => {
            !comparison.holds(*left, *right)
        }
        _ => false,
    }
}

/// The nodes with an edge for which something holds that may depend on other such nodes.
fn backward(program: &Program, holds: impl Fn(&Edge, &dyn Fn(Node) -> bool) -> bool) -> Vec<bool> {
    let mut found = vec![false; program.nodes];
    loop {
        let mut changed = false;
        for edge in program.edges.iter().rev() {
            if !found[edge.from as usize] && holds(edge, &|node| found[node as usize]) {
                found[edge.from as usize] = true;
                changed = true;
            }
        }
        if !changed {
            return found;
        }
    }
}

/// By node: the squares that may be the current one, as far as steps along the board tell.
fn places(program: &Program) -> Vec<Bits> {
    let mut places = vec![Bits::new(program.squares); program.nodes];
    places[program.start as usize].insert(0);
    // Where jumps lead.
    let mut remembered = Bits::new(program.squares);
    let mut open: Vec<Node> = vec![program.start];
    while let Some(node) = open.pop() {
        for (_, edge) in program.leaving(node) {
            let before = &places[node as usize];
            let behind = match &edge.act {
                Act::Move(id) => program.relations[id.0 as usize].image(before),
                Act::Return => remembered.clone(),
                _ => before.clone(),
            };
            if edge.act == Act::Remember && remembered.unite(before) {
                let jumps = program.edges.iter().filter(|edge| edge.act == Act::Return);
                open.extend(jumps.map(|edge| edge.from));
            }
            if let Act::Pattern { pattern, .. } = edge.act {
                let start = program.patterns[pattern].start;
                if places[start as usize].unite(&behind) {
                    open.push(start);
                }
            }
            if places[edge.to as usize].unite(&behind) {
                open.push(edge.to);
            }
        }
    }
    places
}

/// Whether an action is valid in every state, if the current square is one of some.
fn is_certain(game: &Game, program: &Program, places: &Bits, act: &Act) -> bool {
    match act {
        Act::Skip | Act::Off(_) | Act::Switch(_) | Act::Remember | Act::Return | Act::Count(_) => {
            true
        }
        Act::Move(id) => places.is_subset(&program.relations[id.0 as usize].domain()),
        Act::On(pieces) => pieces.len() == game.pieces.len(),
        Act::Assign(variable, Arithmetic::Number(value)) => {
            (0..=i64::from(game.variables[variable.index()].bound)).contains(value)
        }
        Act::Compare(Arithmetic::Number(left), comparison, Arithmetic::Number(right)) => {
            comparison.holds(*left, *right)
        }
        Act::Assign(..) | Act::Compare(..) | Act::Pattern { .. } => false,
    }
}

/// By node: whether a switch can be reached whatever the state is.
pub(super) fn sure(game: &Game, program: &Program) -> Vec<bool> {
    let ends_of_loops = ends_of_loops(program);
    let places = places(program);
    let mut sure = vec![false; program.nodes];
    loop {
        let mut changed = false;
        for node in (0..program.nodes).rev() {
            if sure[node] {
                continue;
            }
            let (numbers, good): (Vec<usize>, Vec<&Edge>) = program
                .leaving(node as Node)
                .filter(|(_, edge)| matches!(edge.act, Act::Switch(_)) || sure[edge.to as usize])
                .unzip();
            let ends_a_loop = numbers.iter().any(|number| ends_of_loops.contains(number));
            if ends_a_loop
                || covers(game, program, &places[node], &good)
                || good.iter().any(|edge| goes_on_otherwise(program, edge, &sure))
            {
                sure[node] = true;
                changed = true;
            }
        }
        if !changed {
            return sure;
        }
    }
}

/// The edges that say of a loop, from where it begins, that it cannot go on.
fn ends_of_loops(program: &Program) -> BTreeSet<usize> {
    let ends = program.edges.iter().enumerate().filter(|(_, edge)| match edge.act {
        Act::Pattern { negated: true, pattern } => {
            goes_round(program, edge.from, program.patterns[pattern])
        }
        _ => false,
    });
    ends.map(|(number, _)| number).collect()
}

/// Whether an edge says that a pattern does not hold, and other ways, from the node that it leaves, lead
/// to where a switch can be reached if the pattern does hold.
fn goes_on_otherwise(program: &Program, edge: &Edge, sure: &[bool]) -> bool {
    let Act::Pattern { negated: true, pattern } = edge.act else { return false };
    let may_end = |node: Node, _| sure[node as usize];
    Simulation::new(program, &|_| true, &may_end).goes_along(program.patterns[pattern], edge.from)
}

/// Whether one of several edges is valid in every state.
fn covers(game: &Game, program: &Program, places: &Bits, edges: &[&Edge]) -> bool {
    if edges.iter().any(|edge| is_certain(game, program, places, &edge.act)) {
        return true;
    }
    let mut pieces = vec![false; game.pieces.len()];
    let mut squares = Bits::new(program.squares);
    for (number, edge) in edges.iter().enumerate() {
        match &edge.act {
            Act::On(on) => on.iter().for_each(|piece| pieces[piece.index()] = true),
            Act::Move(id) => {
                squares.unite(&program.relations[id.0 as usize].domain());
            }
            Act::Compare(left, _, right) if !divides(left) && !divides(right) => {
                if always_compares(game, edges, left, right) {
                    return true;
                }
            }
            act => {
                if edges[..number].iter().any(|other| complete(act, &other.act)) {
                    return true;
                }
            }
        }
    }
    pieces.iter().all(|covered| *covered) || places.is_subset(&squares)
}

/// Whether one of several comparisons of an expression always holds: with another one, or, of a variable,
/// with numbers.
fn always_compares(game: &Game, edges: &[&Edge], left: &Arithmetic, right: &Arithmetic) -> bool {
    let of_left = edges.iter().filter_map(|edge| match &edge.act {
        Act::Compare(other, comparison, right) if other == left => Some((*comparison, right)),
        _ => None,
    });
    let of_left: Vec<(Comparison, &Arithmetic)> = of_left.collect();
    let holds = |(l, r): &(i64, i64)| {
        of_left.iter().any(|(comparison, other)| *other == right && comparison.holds(*l, *r))
    };
    if [(0, 1), (0, 0), (1, 0)].iter().all(holds) {
        return true;
    }
    let most = match left {
        Arithmetic::Variable(variable) => game.variables[variable.index()].bound,
        Arithmetic::Count(_) => game.board.squares.len() as u32,
        _ => return false,
    };
    let holds_of = |value: u32| {
        of_left.iter().any(|(comparison, other)| match other {
            Arithmetic::Number(number) => comparison.holds(i64::from(value), *number),
            _ => false,
        })
    };
    most <= MOST_VALUES && (0..=most).all(holds_of)
}

/// Whether one of two patterns always holds.
fn complete(left: &Act, right: &Act) -> bool {
    match (left, right) {
        (
            Act::Pattern { negated, pattern },
            Act::Pattern { negated: other, pattern: other_pattern },
        ) => pattern == other_pattern && negated != other,
        _ => false,
    }
}

/// Whether an expression may have no value.
fn divides(value: &Arithmetic) -> bool {
    match value {
        Arithmetic::Binary(left, operator, right) => {
            *operator == super::ast::Operator::Divide || divides(left) || divides(right)
        }
        _ => false,
    }
}

fn live(program: &Program, square: &[bool]) -> Vec<bool> {
    let needed: BTreeSet<(Node, Node)> = program
        .edges
        .iter()
        .zip(square)
        .filter(|(edge, needed)| **needed && edge.act.is_modifier())
        .map(|(edge, _)| (edge.from, edge.to))
        .collect();
    backward(program, |edge, live| match &edge.act {
        Act::Move(id) => match program.relations[id.0 as usize].kind() {
            Kind::Constant(domain, _) if domain.len() == program.squares => false,
            Kind::Identity => live(edge.to),
            _ => true,
        },
        Act::On(_) | Act::Off(_) | Act::Remember => true,
        Act::Return => false,
        Act::Pattern { pattern, .. } => live(program.patterns[*pattern].start) || live(edge.to),
        Act::Switch(_) => needed.contains(&(edge.from, edge.to)) || live(edge.to),
        Act::Assign(..) => needed.contains(&(edge.from, edge.to)) || live(edge.to),
        Act::Skip | Act::Compare(..) | Act::Count(_) => live(edge.to),
    })
}

/// By edge: whether there may be a move along the board since the last modifier.
fn squares(program: &Program) -> Vec<bool> {
    let mut moved = vec![false; program.nodes];
    loop {
        let mut changed = false;
        for edge in &program.edges {
            let moves = match &edge.act {
                Act::Return => true,
                Act::Move(id) => !matches!(
                    program.relations[id.0 as usize].kind(),
                    Kind::Identity | Kind::Test(_)
                ),
                _ => false,
            };
            let moves = moves || moved[edge.from as usize] && !edge.act.is_modifier();
            if moves && !moved[edge.to as usize] {
                moved[edge.to as usize] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    program.edges.iter().map(|edge| moved[edge.from as usize]).collect()
}

/// By edge: whether its modifier is one of several that may come next in one state.
fn indices(program: &Program, able: &[bool], live: &[bool]) -> Vec<bool> {
    let mut starts = vec![false; program.nodes];
    starts[program.start as usize] = true;
    let behind = program.edges.iter().filter(|edge| edge.act.is_modifier());
    behind.for_each(|edge| starts[edge.to as usize] = true);
    let mut needed = vec![false; program.edges.len()];
    let mut first = FirstModifiers { program, able, by_edge: HashMap::new() };
    let mut seen: HashSet<(Node, bool)> = HashSet::new();
    // Two ways that have been one so far: where they are, and whether on one square.
    let mut open: Vec<(Node, bool)> = Vec::new();
    let all = (0..program.nodes).filter(|node| starts[*node]);
    open.extend(all.map(|node| (node as Node, true)));
    while let Some((node, same_square)) = open.pop() {
        if !seen.insert((node, same_square)) {
            continue;
        }
        let edges: Vec<usize> = first.completing(node).collect();
        for (place, &number) in edges.iter().enumerate() {
            let edge = &program.edges[number];
            for &other in &edges[..place] {
                let [left, right] = [number, other].map(|number| &program.edges[number]);
                let exclude_each_other = match same_square {
                    true => are_exclusive(program, left, right),
                    false => are_exclusive_anywhere(program, live, left, right),
                };
                if !exclude_each_other {
                    let [left, right] = [number, other].map(|number| first.behind(number));
                    let differs = |set: &BTreeSet<usize>, from: usize| {
                        set.iter().any(|modifier| *modifier != from)
                    };
                    for (one, two) in [(&left, &right), (&right, &left)] {
                        for &modifier in one.iter().filter(|modifier| differs(two, **modifier)) {
                            needed[modifier] = true;
                        }
                    }
                }
            }
            if !edge.act.is_modifier() {
                open.push((edge.to, same_square && has_one_result(program, &edge.act)));
            }
        }
    }
    needed
}

/// Whether an action leads from a square to one square only.
fn has_one_result(program: &Program, act: &Act) -> bool {
    match act {
        Act::Move(id) => program.relations[id.0 as usize].functions().len() < 2,
        _ => true,
    }
}

/// The modifiers that may come first behind edges.
struct FirstModifiers<'p> {
    program: &'p Program,
    able: &'p [bool],
    by_edge: HashMap<usize, Rc<BTreeSet<usize>>>,
}

impl<'p> FirstModifiers<'p> {
    /// The edges that leave a node by which a move may be completed.
    fn completing(&self, node: Node) -> impl Iterator<Item = usize> + use<'p> {
        let able = self.able;
        let edges = self.program.leaving(node).filter(move |(_, edge)| {
            let completes = matches!(edge.act, Act::Switch(_)) || able[edge.to as usize];
            !is_impossible(&edge.act) && completes
        });
        edges.map(|(number, _)| number)
    }

    /// The modifier of an edge, or those that may come first behind it.
    fn behind(&mut self, number: usize) -> Rc<BTreeSet<usize>> {
        if let Some(known) = self.by_edge.get(&number) {
            return Rc::clone(known);
        }
        let mut modifiers = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut open = vec![number];
        while let Some(number) = open.pop() {
            let edge = &self.program.edges[number];
            if edge.act.is_modifier() {
                modifiers.insert(number);
            } else if seen.insert(edge.to) {
                open.extend(self.completing(edge.to));
            }
        }
        let modifiers = Rc::new(modifiers);
        self.by_edge.insert(number, Rc::clone(&modifiers));
        modifiers
    }
}

/// The conditions that an edge begins with.
enum Condition<'a> {
    On(&'a [PieceId]),
    Squares(Bits),
    Compare(&'a Arithmetic, Comparison, &'a Arithmetic),
    Pattern(bool, usize),
}

/// Whether at most one of two edges is valid in any state, or both do the same.
pub(super) fn are_exclusive(program: &Program, left: &Edge, right: &Edge) -> bool {
    let test = |edge: &Edge| match &edge.act {
        Act::On(_) | Act::Compare(..) | Act::Pattern { .. } => true,
        Act::Move(id) => matches!(program.relations[id.0 as usize].kind(), Kind::Test(_)),
        _ => false,
    };
    if left.to == right.to && test(left) && test(right) {
        return true;
    }
    let [left, right] = [left, right].map(|edge| conditions(program, edge));
    left.iter().any(|one| right.iter().any(|other| contradict(one, other)))
}

/// How many conditions of a way are looked at.
const LOOKED_AT: usize = 8;

/// Whether at most one of two edges is valid in any state, on whatever squares each is tried.
fn are_exclusive_anywhere(program: &Program, live: &[bool], left: &Edge, right: &Edge) -> bool {
    let elsewhere = |condition: &Condition<'_>| match condition {
        Condition::On(_) | Condition::Squares(_) => false,
        Condition::Compare(..) => true,
        Condition::Pattern(_, pattern) => !live[program.patterns[*pattern].start as usize],
    };
    let [left, right] = [left, right].map(|edge| conditions(program, edge));
    left.iter()
        .filter(|one| elsewhere(one))
        .any(|one| right.iter().any(|other| contradict(one, other)))
}

fn conditions<'a>(program: &'a Program, mut edge: &'a Edge) -> Vec<Condition<'a>> {
    let mut found = Vec::new();
    for _ in 0..LOOKED_AT {
        match &edge.act {
            Act::Skip | Act::Remember | Act::Count(_) => {}
            Act::On(pieces) => found.push(Condition::On(pieces)),
            Act::Compare(left, comparison, right) => {
                found.push(Condition::Compare(left, *comparison, right));
            }
            Act::Pattern { negated, pattern } => {
                found.push(Condition::Pattern(*negated, *pattern));
            }
            Act::Move(id) => {
                let relation = &program.relations[id.0 as usize];
                found.push(Condition::Squares(relation.domain()));
                if !matches!(relation.kind(), Kind::Test(_) | Kind::Identity) {
                    break;
                }
            }
            Act::Off(_) | Act::Assign(..) | Act::Switch(_) | Act::Return => break,
        }
        let mut next = program.leaving(edge.to);
        match (next.next(), next.next()) {
            (Some((_, only)), None) => edge = only,
            _ => break,
        }
    }
    found
}

fn contradict(left: &Condition<'_>, right: &Condition<'_>) -> bool {
    match (left, right) {
        (Condition::On(left), Condition::On(right)) => !left.iter().any(|it| right.contains(it)),
        (Condition::Squares(left), Condition::Squares(right)) => left.is_disjoint(right),
        (Condition::Pattern(left, one), Condition::Pattern(right, other)) => {
            one == other && left != right
        }
        (Condition::Compare(a, one, b), Condition::Compare(c, other, d)) => {
            if let (Arithmetic::Number(first), Arithmetic::Number(second)) = (b, d)
                && a == c
            {
                let values = [first - 1, *first, first + 1, second - 1, *second, second + 1];
                return !values
                    .iter()
                    .any(|it| one.holds(*it, *first) && other.holds(*it, *second));
            }
            let pairs = [(0, 1), (0, 0), (1, 0)];
            a == c && b == d && !pairs.iter().any(|(l, r)| one.holds(*l, *r) && other.holds(*l, *r))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, read};
    use super::*;

    /// How many modifiers of white, who begins, are told from others, and whether the keeper is sure
    /// to go on behind the move.
    fn of(rules: &str) -> (usize, bool) {
        let text = format!(
            "#players = w(9) #pieces = e, o, m #variables = v(9) #board = rectangle(up, down, left, \
             right, [m, o, e, o, e]) #rules = ->w {rules}"
        );
        let game = read(&text).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let program = Program::new(&game, Limits::default()).expect("a short game");
        let analysis = Analysis::new(&game, &program);
        let told = program.edges.iter().zip(&analysis.index);
        let told = told.filter(|(edge, told)| **told && matches!(edge.act, Act::Off(_))).count();
        let mut switches = program.edges.iter().filter(|edge| edge.act == Act::Switch(None));
        (told, switches.next().is_some_and(|edge| analysis.sure[edge.to as usize]))
    }

    #[test]
    fn modifiers_are_told_apart_where_two_may_come_next() {
        assert_eq!(of("([o] + [m]) ->>").0, 2);
        assert_eq!(of("([o] + {e} [m]) ->>").0, 2);
        assert_eq!(of("({e} [o] + {m} [m]) ->>").0, 0);
        assert_eq!(of("({? right {e}} [o] + {! right {e}} [m]) ->>").0, 0);
        assert_eq!(of("({$ v < 3} right* [o] + {$ v >= 3} left* [m]) ->>").0, 0);
        // The same modifier is reached in both ways.
        assert_eq!(of("(right + {e} left) [o] ->>").0, 0);
    }

    #[test]
    fn tests_on_different_squares_do_not_exclude_each_other() {
        assert_eq!(of("right* ({e} [o] + {m} [m]) ->>").0, 2);
        assert_eq!(of("right* ({? right {e}} [o] + {! right {e}} [m]) ->>").0, 2);
        // This pattern has one answer wherever it is asked.
        let any = "(left* + right*)";
        assert_eq!(of(&format!("right* ({{? {any} {{e}}}} [o] + {{! {any} {{e}}}} [m]) ->>")).0, 0);
        assert_eq!(of("right* ({$ v < 3} [o] + {$ v >= 3} [m]) ->>").0, 0);
        // A loop may be left at any time.
        assert_eq!(of("({e} right)* ({e} [o] + {m} [m]) ->>").0, 2);
    }

    #[test]
    fn a_way_that_follows_a_pattern_is_there_if_the_pattern_holds() {
        let pattern = "{! right {o} right ({o} right)* {m}}";
        let way = "right {o} [m] right ({o} [m] right)* {m}";
        assert!(of(&format!("[e] ->> ({pattern} + {way}) ->>")).1);
        // It asks for more, goes elsewhere, or has changed what it tests.
        assert!(!of(&format!("[e] ->> ({pattern} + {way} {{? right}}) ->>")).1);
        assert!(!of("[e] ->> ({! right {o}} + right {m}) ->>").1);
        assert!(!of("[e] ->> ({! right {o} left {e}} + right {o} left [m] {e}) ->>").1);
        assert!(of("[e] ->> ({! right {o} left {e}} + right {o} [m] left {e}) ->>").1);
    }

    #[test]
    fn comparisons_that_leave_nothing_out_cover_each_other() {
        let ways = |parts: &str| of(&format!("[e] ->> ({parts}) ->>")).1;
        assert!(ways("{$ o < m} + {$ o == m} + {$ o > m}"));
        assert!(ways("{$ o != m} + {$ o >= m}"));
        assert!(!ways("{$ o < m} + {$ o == m}") && !ways("{$ o < m} + {$ m <= o}"));
        assert!(!ways("{$ o / m < 1} + {$ o / m >= 1}"));
        // A variable is from 0 to its bound.
        assert!(ways("{$ v == 0} + {$ v > 0}") && ways("{$ v < 4} + {$ v == 9} + {$ v != 9}"));
        assert!(!ways("{$ v == 0} + {$ v > 1}") && !ways("{$ v < 9} + {$ w == 9}"));
    }

    #[test]
    fn a_step_is_there_where_all_squares_that_may_be_current_have_one() {
        assert!(of("[e] ->> right right ({e} + {m} + {o}) right right ->>").1);
        assert!(!of("[e] ->> right right ({e} + {m} + {o}) right right right ->>").1);
        assert!(!of("(left* + right*) [e] ->> {e} right ->>").1);
        assert!(of("(left* + right*) {? right} [e] ->> {? right} right ->>").1);
    }
}
