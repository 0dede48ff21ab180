//! Walks out and back: rules that go along a line, change its squares, and go back to the
//! beginning.
//!
//! ```text
//! dir {o} [m] dir ({o} [m] dir)* {m}  back ({m} back)* {e}
//! ```
//!
//! The square where this begins has an `e`. All squares in between have become `m`. So the walk
//! back ends on the square where the walk out began. The program remembers that square and jumps
//! back to it, so that no player has to find it again square by square.

use super::ast::PieceId;
use super::program::{Act, Edge, Node, Program};
use super::relation::{Relation, RelationId};
use hashbrown::HashMap;

/// Replaces walks back by jumps. Edges keep their numbers.
pub(super) fn jump_back(program: &mut Program) {
    let pieces = pieces_here(program);
    let entering = entering(program);
    let nodes = 0..program.nodes as Node;
    let backs: Vec<WalkBack> = nodes.filter_map(|node| WalkBack::of(program, node)).collect();
    for back in backs {
        for out in 0..program.edges.len() {
            let from = program.edges[out].from;
            let here = pieces.get(from as usize).and_then(Option::as_ref);
            let begins = here.is_some_and(|pieces| {
                !pieces.is_empty() && pieces.iter().all(|piece| back.ends_on.contains(piece))
            });
            if begins && let Some(returns) = back.returns(program, out, &entering) {
                back.replace(program, out, &returns);
            }
        }
    }
}

/// By node: the edges that enter it; `None` if walks begin or end there, too.
fn entering(program: &Program) -> Vec<Option<Vec<usize>>> {
    let mut entering = vec![Some(Vec::new()); program.nodes];
    for (number, edge) in program.edges.iter().enumerate() {
        if let Some(edges) = &mut entering[edge.to as usize] {
            edges.push(number);
        }
    }
    entering[program.start as usize] = None;
    for pattern in &program.patterns {
        entering[pattern.start as usize] = None;
        entering[pattern.end as usize] = None;
    }
    entering
}

/// By node: the pieces that may be on the current square; `None` if it may be any. A node that no
/// walk reaches has an empty list.
fn pieces_here(program: &Program) -> Vec<Option<Vec<PieceId>>> {
    let mut here: Vec<Option<Vec<PieceId>>> = vec![Some(Vec::new()); program.nodes];
    let mut open: Vec<Node> = vec![program.start];
    open.extend(program.patterns.iter().map(|pattern| pattern.start));
    open.iter().for_each(|node| here[*node as usize] = None);
    while let Some(node) = open.pop() {
        for (_, edge) in program.leaving(node) {
            let before = &here[node as usize];
            let behind = match &edge.act {
                Act::On(pieces) => Some(match before {
                    Some(before) => {
                        before.iter().copied().filter(|piece| pieces.contains(piece)).collect()
                    }
                    None => pieces.clone(),
                }),
                Act::Off(piece) => Some(vec![*piece]),
                Act::Move(_) | Act::Remember | Act::Return => None,
                _ => before.clone(),
            };
            let to = &mut here[edge.to as usize];
            let joined = match (to.as_ref(), behind) {
                (Some(old), Some(behind)) => {
                    let more = behind.into_iter().filter(|piece| !old.contains(piece));
                    Some(old.iter().copied().chain(more).collect())
                }
                _ => None,
            };
            if *to != joined {
                *to = joined;
                open.push(edge.to);
            }
        }
    }
    here
}

/// A walk back: over squares with one piece, to a square with another one.
struct WalkBack {
    node: Node,
    step: RelationId,
    /// The piece on the squares of the line.
    over: PieceId,
    ends_on: Vec<PieceId>,
    /// The node where it ends.
    end: Node,
}

/// The knowledge of the current square, some steps from the beginning. All squares in between have
/// the piece that the walk back goes over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Top {
    Unknown,
    /// The current square has that piece, too.
    Over,
}

impl WalkBack {
    /// The walk back from a node; `None` if there is none.
    fn of(program: &Program, node: Node) -> Option<WalkBack> {
        let edges: Vec<&Edge> = program.leaving(node).map(|(_, edge)| edge).collect();
        let [one, other] = edges[..] else { return None };
        [(one, other), (other, one)].into_iter().find_map(|(on, off)| {
            let (Act::On(over), Act::On(ends_on)) = (&on.act, &off.act) else { return None };
            let [over] = over[..] else { return None };
            let mut onwards = program.leaving(on.to);
            let (_, again) = onwards.next().filter(|_| onwards.next().is_none())?;
            let Act::Move(step) = again.act else { return None };
            let is_loop = again.to == node && !ends_on.contains(&over);
            let (ends_on, end) = (ends_on.clone(), off.to);
            is_loop.then_some(WalkBack { node, step, over, ends_on, end })
        })
    }

    /// The edges that begin a walk back to the square where a walk out began; `out` is the first
    /// edge of that walk. `None` for any other edge.
    fn returns(
        &self,
        program: &Program,
        out: usize,
        entering: &[Option<Vec<usize>>],
    ) -> Option<Vec<usize>> {
        let Act::Move(step) = program.edges[out].act else { return None };
        let relation = |id: RelationId| &program.relations[id.0 as usize];
        if !undoes(relation(step), relation(self.step)) {
            return None;
        }
        let first = program.edges[out].to;
        let mut tops: HashMap<Node, Top> = HashMap::from([(first, Top::Unknown)]);
        let mut open = vec![first];
        while let Some(node) = open.pop() {
            for (_, edge) in program.leaving(node) {
                let top = match &edge.act {
                    Act::Skip | Act::Compare(..) | Act::Pattern { .. } | Act::Assign(..) => {
                        tops[&node]
                    }
                    Act::On(pieces) if pieces[..] == [self.over] => Top::Over,
                    Act::On(_) => tops[&node],
                    Act::Off(piece) if *piece == self.over => Top::Over,
                    Act::Move(id) if tops[&node] == Top::Over => {
                        if *id == self.step && edge.to == self.node {
                            continue;
                        }
                        if *id != step {
                            return None;
                        }
                        Top::Unknown
                    }
                    _ => return None,
                };
                let old = tops.get(&edge.to).copied();
                let joined = old.map_or(top, |old| if old == top { top } else { Top::Unknown });
                if old != Some(joined) {
                    tops.insert(edge.to, joined);
                    open.push(edge.to);
                }
            }
        }
        // No other edges enter these nodes.
        let mut into = tops.keys().map(|node| entering[*node as usize].as_ref());
        let is_alone = into.all(|edges| {
            edges.is_some_and(|edges| {
                let mut edges = edges.iter();
                edges.all(|&edge| edge == out || tops.contains_key(&program.edges[edge].from))
            })
        });
        let back = tops.keys().flat_map(|node| program.leaving(*node));
        let back = back.filter(|(_, edge)| edge.to == self.node).map(|(number, _)| number);
        let mut back: Vec<usize> = back.collect();
        back.sort_unstable();
        (is_alone && !back.is_empty()).then_some(back)
    }

    /// Replaces walks back by jumps.
    fn replace(&self, program: &mut Program, out: usize, returns: &[usize]) {
        let from = program.add_node();
        let Edge { to, act, place, .. } = program.edges[out].clone();
        program.add_edge(Edge { from, to, act, place });
        program.edges[out] = Edge { to: from, act: Act::Remember, ..program.edges[out].clone() };
        for &number in returns {
            let edge = &mut program.edges[number];
            (edge.to, edge.act) = (self.end, Act::Return);
        }
    }
}

/// Whether the steps of a function never form a cycle, and the steps of another one undo them.
fn undoes(step: &Relation, back: &Relation) -> bool {
    let next = |at: usize| step.targets(at).iter().next();
    let is_undone = |at: usize| {
        step.targets(at).len() == 1 && next(at).is_some_and(|to| back.targets(to).iter().eq([at]))
    };
    // If a function undoes steps, they form lines and cycles.
    let comes_round = |start: usize| {
        let mut at = next(start);
        while let Some(to) = at.filter(|&to| to != start) {
            at = next(to);
        }
        at.is_some()
    };
    let domain = step.domain();
    domain.iter().all(is_undone) && !domain.iter().any(comes_round)
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, read};
    use super::*;

    /// The number of jumps in rules that begin on any free square of a board.
    fn jumps_on(board: &str, rules: &str) -> usize {
        let text = format!(
            "#players = w(9) #pieces = e, o, m #variables = #board = {board} \
             #rules = ->w (left* + right*) {{e}} ->> {rules} ->> {{}}"
        );
        let game = read(&text).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let mut program = Program::new(&game, Limits::default()).expect("a short game");
        jump_back(&mut program);
        let is = |act: Act| program.edges.iter().filter(|edge| edge.act == act).count();
        assert!(is(Act::Return) == 0 || is(Act::Remember) > 0);
        is(Act::Return)
    }

    fn jumps(rules: &str) -> usize {
        jumps_on("rectangle(up, down, left, right, [m, o, e, o, e] [e, e, e, e, e])", rules)
    }

    const OUT: &str = "right {o} [m] right ({o} [m] right)* {m}";

    #[test]
    fn ways_back_to_the_beginning_are_jumps() {
        assert_eq!(jumps(&format!("{OUT} left ({{m}} left)* {{e}}")), 1);
        assert_eq!(jumps(&format!("{OUT} left ({{m}} left)* {{e, o}} {{e}}")), 1);
        // Each begins where the one before has ended.
        let both = format!("{OUT} left ({{m}} left)* {{e}} ");
        assert_eq!(jumps(&both.repeat(2)), 2);
    }

    #[test]
    fn ways_that_may_end_elsewhere_stay() {
        // The squares of the line do not all have the same piece.
        assert_eq!(jumps("right {o} right ({o} [m] right)* {m} left ({m} left)* {e}"), 0);
        assert_eq!(jumps("right {e} [o] right {m} left ({m} left)* {e}"), 0);
        // This one comes back to the square that it has changed.
        assert_eq!(jumps("right {o} [e] right {m} left ({m} left)* {e}"), 1);
        assert_eq!(jumps(&format!("{OUT} left left ({{m}} left)* {{e}}")), 0);
        // The walk back ends on the line, or takes another direction.
        assert_eq!(jumps(&format!("{OUT} left ({{m}} left)* {{m}}")), 0);
        assert_eq!(jumps(&format!("{OUT} up ({{m}} up)* {{e}}")), 0);
        // Another piece may be on the square where it begins.
        assert_eq!(jumps(&format!("right {OUT} left ({{m}} left)* {{e}}")), 0);
        // Other edges enter the walk out after its beginning.
        let joined = "(right + up) ({o} [m] right)* {m} left ({m} left)* {e}";
        assert_eq!(jumps(joined), 0);
    }

    #[test]
    fn lines_that_come_round_stay() {
        let round = "a [e] {right: b, left: c} b [o] {right: c, left: a} c [m] {right: a, left: b}";
        let line = "a [e] {right: b} b [o] {right: c, left: a} c [m] {left: b}";
        let rules = format!("{OUT} left ({{m}} left)* {{e}}");
        assert_eq!((jumps_on(line, &rules), jumps_on(round, &rules)), (1, 0));
        // A step that is not undone.
        let bent = "a [e] {right: b} b [o] {right: c, left: c} c [m] {left: b}";
        assert_eq!(jumps_on(bent, &rules), 0);
    }
}
