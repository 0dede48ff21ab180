//! Static analysis of the rules: where a move can or will be completed, where the current square
//! matters, and which tags tell moves apart.
//!
//! | file | result |
//! |---|---|
//! | `sure` | nodes from which a move can be completed in every state |
//! | `places` | the squares that may be the current one |
//! | `indices` | the modifiers that a tag must identify |
//! | `exclusive` | edges that exclude each other |

mod exclusive;
mod indices;
mod places;
mod sure;

pub(super) use exclusive::are_exclusive;
pub(super) use sure::sure;

use super::ast::{Arithmetic, Game};
use super::program::{Act, Edge, Node, Program};
use super::relation::{Bits, Kind};
use indices::indices;
use places::places;
use std::collections::BTreeSet;

/// The results of the analysis of a program.
pub(super) struct Analysis {
    /// By node: whether the graph has a walk to a switch.
    pub able: Vec<bool>,
    /// By node: whether a switch can be reached in every state.
    pub sure: Vec<bool>,
    /// By node: whether a later action may depend on the current square (liveness).
    pub live: Vec<bool>,
    /// By node: the squares that may be the current one.
    pub places: Vec<Bits>,
    /// By edge: whether its modifier needs a tag, as another one could come next in the same state.
    pub index: Vec<bool>,
    /// By edge: whether the square of its modifier may differ from the square of the modifier
    /// before, or of the beginning of the move.
    pub square: Vec<bool>,
}

impl Analysis {
    /// Analyses a program. The cost is linear in the pairs of edges that leave a node; for each
    /// pair, it has the walks to the next modifiers.
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

/// The least fixed point of a backward analysis: the nodes with an edge for which `holds` is true.
/// It may ask for the result of other nodes.
fn backward(program: &Program, holds: impl Fn(&Edge, &dyn Fn(Node) -> bool) -> bool) -> Vec<bool> {
    let mut holding = vec![false; program.nodes];
    loop {
        let mut changed = false;
        for edge in program.edges.iter().rev() {
            if !holding[edge.from as usize] && holds(edge, &|node| holding[node as usize]) {
                holding[edge.from as usize] = true;
                changed = true;
            }
        }
        if !changed {
            return holding;
        }
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

/// By edge: whether there may be a step along the board since the last modifier.
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

#[cfg(test)]
mod tests {
    use super::super::{Limits, read};
    use super::*;

    /// The number of modifiers of white, who begins, that have tags of their own, and whether the
    /// keeper is sure to go on after the move.
    fn of(rules: &str) -> (usize, bool) {
        let text = format!(
            "#players = w(9) #pieces = e, o, m #variables = v(9) #board = rectangle(up, down, left, \
             right, [m, o, e, o, e]) #rules = ->w {rules}"
        );
        let game = read(&text).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let program = Program::new(&game, Limits::default()).expect("a short game");
        let analysis = Analysis::new(&game, &program);
        let tagged = program.edges.iter().zip(&analysis.index);
        let tagged =
            tagged.filter(|(edge, tagged)| **tagged && matches!(edge.act, Act::Off(_))).count();
        let mut switches = program.edges.iter().filter(|edge| edge.act == Act::Switch(None));
        (tagged, switches.next().is_some_and(|edge| analysis.sure[edge.to as usize]))
    }

    #[test]
    fn modifiers_are_told_apart_where_two_may_come_next() {
        assert_eq!(of("([o] + [m]) ->>").0, 2);
        assert_eq!(of("([o] + {e} [m]) ->>").0, 2);
        assert_eq!(of("({e} [o] + {m} [m]) ->>").0, 0);
        assert_eq!(of("({? right {e}} [o] + {! right {e}} [m]) ->>").0, 0);
        assert_eq!(of("({$ v < 3} right* [o] + {$ v >= 3} left* [m]) ->>").0, 0);
        // Both ways reach the same modifier.
        assert_eq!(of("(right + {e} left) [o] ->>").0, 0);
    }

    #[test]
    fn tests_on_different_squares_do_not_exclude_each_other() {
        assert_eq!(of("right* ({e} [o] + {m} [m]) ->>").0, 2);
        assert_eq!(of("right* ({? right {e}} [o] + {! right {e}} [m]) ->>").0, 2);
        // This pattern has the same answer on every square.
        let any = "(left* + right*)";
        assert_eq!(of(&format!("right* ({{? {any} {{e}}}} [o] + {{! {any} {{e}}}} [m]) ->>")).0, 0);
        assert_eq!(of("right* ({$ v < 3} [o] + {$ v >= 3} [m]) ->>").0, 0);
        // A loop may end at any time.
        assert_eq!(of("({e} right)* ({e} [o] + {m} [m]) ->>").0, 2);
    }

    #[test]
    fn a_way_that_follows_a_pattern_is_there_if_the_pattern_holds() {
        let pattern = "{! right {o} right ({o} right)* {m}}";
        let way = "right {o} [m] right ({o} [m] right)* {m}";
        assert!(of(&format!("[e] ->> ({pattern} + {way}) ->>")).1);
        // It tests more, goes elsewhere, or has changed a square that it tests.
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
