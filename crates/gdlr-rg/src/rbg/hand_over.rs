//! Moves tests of the keeper just before a switch to the player after the switch.
//!
//! ```text
//! ->> ( {? canCapture} ->white captures  +  {! canCapture} ->white steps )
//! ->> ->white ( {? canCapture} captures  +  {! canCapture} steps )
//! ```
//!
//! In the first line, the keeper decides which of two moves of white comes. So white has the turn
//! at two nodes, and a state says at which. In the second line, white has the turn at one node, and
//! white's moves begin with the tests. Both lines have the same plays: the keeper changes nothing
//! between the tests and the switch, and the tests exclude each other.
//!
//! If all tests can fail, the play ends before the keeper's move. Then a pattern of the tests stays
//! before the switch.

use super::analysis::{are_exclusive, is_impossible, sure};
use super::ast::{Game, VariableId};
use super::program::{Act, Edge, Node, Pattern, Program};
use hashbrown::{HashMap, HashSet};

/// The greatest number of nodes with tests that are moved.
const MOST_NODES: usize = 64;

/// Moves tests of the keeper to the player to whom it hands over. Edges keep their numbers. An edge
/// that cannot be reached any more becomes one that is never valid.
pub(super) fn ask_in_moves(game: &Game, program: &mut Program) {
    let sure = sure(game, program);
    let elsewhere = not_the_keepers(program);
    let mut entries: Vec<Node> = vec![program.start];
    entries.extend(program.edges.iter().filter_map(|edge| match edge.act {
        Act::Switch(None) => Some(edge.to),
        Act::Off(_) | Act::Assign(..) if !elsewhere.contains(&edge.from) => Some(edge.to),
        _ => None,
    }));
    entries.sort_unstable();
    entries.dedup();
    let handed_over: Vec<(Node, Tests)> = (entries.into_iter())
        .filter(|entry| !elsewhere.contains(entry))
        .filter_map(|entry| Some((entry, Tests::of(program, entry)?)))
        .collect();
    for (entry, tests) in handed_over {
        tests.pass_on(program, entry, sure[entry as usize]);
    }
    close_what_is_left(program);
}

/// The nodes of moves of players, and of patterns.
fn not_the_keepers(program: &Program) -> HashSet<Node> {
    let mut open: Vec<Node> = program.patterns.iter().map(|pattern| pattern.start).collect();
    open.extend(program.edges.iter().filter_map(|edge| match edge.act {
        Act::Switch(Some(_)) => Some(edge.to),
        _ => None,
    }));
    onwards(program, open, |edge| !matches!(edge.act, Act::Switch(_)))
}

/// The nodes that are reachable from some nodes by some edges, with these nodes.
fn onwards(program: &Program, mut open: Vec<Node>, goes: impl Fn(&Edge) -> bool) -> HashSet<Node> {
    let mut reached = HashSet::new();
    while let Some(node) = open.pop() {
        if reached.insert(node) {
            let edges = program.leaving(node).map(|(_, edge)| edge);
            open.extend(edges.filter(|edge| goes(edge)).map(|edge| edge.to));
        }
    }
    reached
}

/// Makes edges that cannot be reached any more never valid.
fn close_what_is_left(program: &mut Program) {
    let mut open: Vec<Node> = program.patterns.iter().map(|pattern| pattern.start).collect();
    open.push(program.start);
    let reached = onwards(program, open, |_| true);
    let leaving = reached.iter().flat_map(|node| program.leaving[*node as usize].iter().copied());
    let reachable: HashSet<usize> = leaving.collect();
    for (number, edge) in program.edges.iter_mut().enumerate() {
        if !reachable.contains(&number) {
            edge.act = Act::On(Vec::new());
        }
    }
}

/// The tests from a node on. At most one walk through them leads to a switch to a player.
struct Tests {
    /// The nodes in topological order.
    nodes: Vec<Node>,
    player: VariableId,
}

impl Tests {
    /// The tests from a node; `None` if they have only one switch, or cannot be moved.
    fn of(program: &Program, entry: Node) -> Option<Tests> {
        let mut players: Vec<VariableId> = Vec::new();
        let mut nodes = Vec::new();
        visit(program, entry, &mut HashMap::new(), &mut nodes, &mut players)?;
        nodes.reverse();
        let (&player, others) = players.split_first()?;
        let is_same = !others.is_empty() && others.iter().all(|other| *other == player);
        is_same.then_some(Tests { nodes, player })
    }

    /// Hands over at a node, and lets the player go on with the tests.
    fn pass_on(&self, program: &mut Program, entry: Node, is_sure: bool) {
        let from_entry = program.leaving(entry).next();
        let place = from_entry.map(|(_, edge)| edge.place).unwrap_or_default();
        let moves = self.copy(program, None);
        let before_switch = match is_sure {
            true => entry,
            false => {
                let end = program.add_node();
                let start = self.copy(program, Some(end));
                program.patterns.push(Pattern { start, end });
                program.add_node()
            }
        };
        program.leaving[entry as usize].clear();
        if !is_sure {
            let act = Act::Pattern { negated: false, pattern: program.patterns.len() - 1 };
            program.add_edge(Edge { from: entry, to: before_switch, act, place });
        }
        let act = Act::Switch(Some(self.player));
        program.add_edge(Edge { from: before_switch, to: moves, act, place });
    }

    /// Copies the tests. The targets of the switches come after them, or `end` if it is given.
    fn copy(&self, program: &mut Program, end: Option<Node>) -> Node {
        let copies: HashMap<Node, Node> =
            self.nodes.iter().map(|&node| (node, program.add_node())).collect();
        for node in &self.nodes {
            let edges: Vec<Edge> = program.leaving(*node).map(|(_, edge)| edge.clone()).collect();
            for Edge { to, act, place, .. } in edges {
                let (to, act) = match act {
                    Act::Switch(_) => (end.unwrap_or(to), Act::Skip),
                    act => (copies.get(&to).copied().unwrap_or(to), act),
                };
                program.add_edge(Edge { from: copies[node], to, act, place });
            }
        }
        copies[&self.nodes[0]]
    }
}

/// Visits everything after a node up to switches, in postorder. `None` if it is not only tests that
/// exclude each other.
fn visit(
    program: &Program,
    node: Node,
    are_done: &mut HashMap<Node, bool>,
    nodes: &mut Vec<Node>,
    players: &mut Vec<VariableId>,
) -> Option<()> {
    match are_done.insert(node, false) {
        None if are_done.len() <= MOST_NODES => {}
        Some(true) => {
            are_done.insert(node, true);
            return Some(());
        }
        _ => return None,
    }
    let edges: Vec<&Edge> = program.leaving(node).map(|(_, edge)| edge).collect();
    for (place, edge) in edges.iter().enumerate() {
        if is_impossible(&edge.act) {
            continue;
        }
        if !edges[..place].iter().all(|other| are_exclusive(program, other, edge)) {
            return None;
        }
        match &edge.act {
            Act::Switch(player) => players.push((*player)?),
            Act::Skip | Act::On(_) | Act::Compare(..) | Act::Pattern { .. } => {
                visit(program, edge.to, are_done, nodes, players)?;
            }
            Act::Move(id) if program.relations[id.0 as usize].functions().len() < 2 => {
                visit(program, edge.to, are_done, nodes, players)?;
            }
            Act::Move(_)
            | Act::Off(_)
            | Act::Assign(..)
            | Act::Remember
            | Act::Return
            | Act::Count(_) => return None,
        }
    }
    are_done.insert(node, true);
    nodes.push(node);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, read};
    use super::*;

    /// The number of nodes at which a player has the turn, and the number of tests that stay with
    /// the keeper.
    fn turns(rules: &str) -> (usize, usize) {
        let text = format!(
            "#players = w(9), b(9) #pieces = e, o #variables = v(9) #board = rectangle(up, down, left, \
             right, [e, o, e]) #rules = {rules}"
        );
        let game = read(&text).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let mut program = Program::new(&game, Limits::default()).expect("a short game");
        ask_in_moves(&game, &mut program);
        let turns: HashSet<Node> = (program.edges.iter())
            .filter(|edge| matches!(edge.act, Act::Switch(Some(_))))
            .map(|edge| edge.to)
            .collect();
        let own = not_the_keepers(&program);
        let tests = program.edges.iter().filter(|edge| {
            let is_test = matches!(edge.act, Act::Pattern { .. } | Act::Compare(..) | Act::On(_));
            is_test && !is_impossible(&edge.act) && !own.contains(&edge.from)
        });
        (turns.len(), tests.count())
    }

    #[test]
    fn a_player_asks_whether_there_are_two_ways_to_move() {
        let two = "({? right {e}} ->w right [o] + {! right {e}} ->w [e])";
        assert_eq!(turns(&format!("{two} ->>")), (1, 0));
        assert_eq!(turns(&format!("[$ v = 1] {two} ->>")), (1, 0));
        assert_eq!(turns(&format!("->b [e] ->> {two} ->>")), (2, 0));
    }

    #[test]
    fn a_pattern_stays_where_all_tests_may_fail() {
        assert_eq!(turns("({$ v == 1} ->w right [o] + {$ v == 2} ->w [e]) ->>"), (1, 1));
    }

    #[test]
    fn other_tests_stay_with_the_keeper() {
        // The keeper does not only test.
        assert_eq!(turns("({? {e}} [o] ->w right [o] + {! {e}} ->w [e]) ->>").0, 2);
        // It hands over to different players, or has only one walk.
        assert_eq!(turns("({? {e}} ->w right [o] + {! {e}} ->b [e]) ->>"), (2, 2));
        assert_eq!(turns("{? {e}} ->w [e] ->>"), (1, 1));
        // It takes the first walk that is open.
        assert_eq!(turns("({? {e}} ->w right [o] + ->w [e]) ->>").0, 2);
        // A player reaches the tests within a move.
        assert_eq!(turns("->w ([o] + [e]) ({? {e}} ->w [o] + {! {e}} ->w [e]) ->>").0, 3);
    }
}
