//! What is done one thing after another, as nodes and edges.

use super::operands::Condition;
use super::{Stop, Writer};
use crate::export::automaton::{Action, Node};

/// One thing that is done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    /// A comparison or a check.
    Test(Action),
    /// An assignment or a tag.
    Do(Action),
    /// One of these.
    Choice(Vec<Vec<Op>>),
    /// One of the first, then any number of the second, one after the other, then the last.
    Loop(Vec<Vec<Op>>, Vec<Vec<Op>>, Vec<Op>),
}

/// Things that are done one after the other, and where they lead.
type OpsTo<'o> = (&'o [Op], Node);

impl Writer<'_> {
    /// That one of several lists can be gone through.
    pub(super) fn any_of(&mut self, lists: Vec<Vec<Op>>) -> Condition {
        if lists.is_empty() {
            return Condition::Never;
        }
        if lists.iter().any(Vec::is_empty) {
            return Condition::Always;
        }
        if let [ops] = &lists[..]
            && let [Op::Test(action)] = ops[..]
        {
            return Condition::Test(action);
        }
        let yes = self.yes;
        let start = match &lists[..] {
            [ops] => self.walk(ops, yes),
            _ => {
                let start = self.automaton.node();
                self.walk_all(start, lists.iter().map(|ops| (&ops[..], yes)).collect());
                start
            }
        };
        Condition::Test(Action::Reach(start, yes, false))
    }

    /// The node from which things are done one after the other.
    pub(super) fn walk(&mut self, ops: &[Op], to: Node) -> Node {
        let mut to = to;
        for op in ops.iter().rev() {
            to = match op {
                Op::Test(action) | Op::Do(action) => self.automaton.before(*action, to),
                Op::Choice(ways) => {
                    let node = self.automaton.node();
                    self.walk_all(node, ways.iter().map(|way| (&way[..], to)).collect());
                    node
                }
                Op::Loop(first, ..) => {
                    let found = self.looped(op, to);
                    let node = self.automaton.node();
                    self.walk_all(node, first.iter().map(|way| (&way[..], found)).collect());
                    node
                }
            };
        }
        to
    }

    pub(super) fn walk_from(&mut self, start: Node, ops: &[Op], to: Node) {
        let Some((first, rest)) = ops.split_first() else {
            self.automaton.edge(start, to, Action::Skip);
            return;
        };
        let next = self.walk(rest, to);
        match first {
            Op::Test(action) | Op::Do(action) => self.automaton.edge(start, next, *action),
            Op::Choice(ways) => {
                self.walk_all(start, ways.iter().map(|way| (&way[..], next)).collect());
            }
            Op::Loop(ways, ..) => {
                let found = self.looped(first, next);
                self.walk_all(start, ways.iter().map(|way| (&way[..], found)).collect());
            }
        }
    }

    /// The node where the rounds of a loop begin.
    fn looped(&mut self, op: &Op, to: Node) -> Node {
        let Op::Loop(_, rounds, exit) = op else { unreachable!("a loop") };
        if rounds.is_empty() {
            return self.walk(exit, to);
        }
        let found = self.automaton.node();
        let exit = [(&exit[..], to)].into_iter();
        self.walk_all(found, exit.chain(rounds.iter().map(|round| (&round[..], found))).collect());
        found
    }

    /// Several ways from one node, which begin together as far as they are alike.
    pub(super) fn walk_all<'o>(&mut self, start: Node, ways: Vec<OpsTo<'o>>) {
        let mut groups: Vec<(&Op, Vec<OpsTo<'o>>)> = Vec::new();
        for (ops, to) in ways {
            let Some((first, rest)) = ops.split_first() else {
                self.automaton.edge(start, to, Action::Skip);
                continue;
            };
            match groups.iter_mut().find(|(other, _)| *other == first) {
                Some((_, group)) => group.push((rest, to)),
                None => groups.push((first, vec![(rest, to)])),
            }
        }
        for (first, group) in groups {
            match (first, &group[..]) {
                (Op::Test(action) | Op::Do(action), [_, _, ..]) => {
                    let next = self.automaton.node();
                    self.automaton.edge(start, next, *action);
                    self.walk_all(next, group);
                }
                _ => {
                    for (rest, to) in group {
                        let ops: Vec<Op> = [std::slice::from_ref(first), rest].concat();
                        self.walk_from(start, &ops, to);
                    }
                }
            }
        }
    }

    /// The node from which things are done one after the other, and where to go if a test fails.
    pub(super) fn decide(&mut self, ops: &[Op], to: Node, otherwise: Node) -> Result<Node, Stop> {
        ops.iter().try_rfold(to, |to, op| match op {
            Op::Test(action) => Ok(self.branch(*action, to, otherwise)),
            Op::Do(action) => Ok(self.automaton.before(*action, to)),
            Op::Choice(_) | Op::Loop(..) => Err(Stop::Broken("a decision that tries out")),
        })
    }

    pub(super) fn branch(&mut self, test: Action, to: Node, otherwise: Node) -> Node {
        if to == otherwise {
            return to;
        }
        if let Some(&node) = self.branches.get(&(test, to, otherwise)) {
            return node;
        }
        let node = self.automaton.node();
        self.automaton.edge(node, to, test);
        self.automaton.edge(node, otherwise, test.opposite());
        self.branches.insert((test, to, otherwise), node);
        node
    }
}
