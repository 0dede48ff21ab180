//! A program as nodes and edges.
//!
//! Statements are written from the last to the first, so that equal ends share their nodes.
//! Alternatives that begin with the same statements share these.

use super::{Act, Body, Each, Find, Follow, If, Program, Search, Statement, Target, Test};
use crate::export::automaton::{Action, Automaton, Node};
use gdlr_rg::rg::Name;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashMap;

/// The automaton of a program, and the nodes of its blocks.
#[derive(Debug)]
pub(in crate::export) struct Lowered {
    pub automaton: Automaton,
    /// By block.
    pub nodes: Vec<Node>,
}

/// Statements, and the node behind them.
type Way<'p> = (&'p [Statement], Node);

struct Lowering {
    automaton: Automaton,
    /// By block: its node.
    nodes: Vec<Node>,
    /// By check: its first node.
    checks: Vec<Node>,
    branches: HashMap<(Action, Node, Node), Node>,
    /// The node at which a check succeeds.
    yes: Node,
    /// The node at which the keeper ends the play.
    ended: Node,
}

/// Writes a program as nodes and edges.
///
/// # Errors
///
/// When the budget runs out.
pub(in crate::export) fn lower(program: &Program, meter: &Meter<'_>) -> Result<Lowered, Exhausted> {
    let mut automaton = Automaton::of(program.slots.clone());
    let yes = automaton.named("yes".to_owned());
    let nodes: Vec<Node> =
        program.blocks.iter().map(|block| automaton.named(block.name.clone())).collect();
    let over = nodes[program.over.0 as usize];
    let ended = automaton.before(Action::Set(program.player, Name::KEEPER), over);
    let (checks, branches) = (Vec::new(), HashMap::new());
    let mut lowering = Lowering { automaton, nodes, checks, branches, yes, ended };
    let first = lowering.target(program.begin);
    lowering.automaton.edge(Automaton::BEGIN, first, Action::Skip);
    // A check only calls earlier checks.
    for ways in &program.checks {
        lowering.hold(meter)?;
        let start = match &ways[..] {
            [only] => lowering.walk(only, yes),
            _ => {
                let start = lowering.automaton.node();
                lowering.walk_all(start, ways.iter().map(|way| (&way[..], yes)).collect());
                start
            }
        };
        lowering.checks.push(start);
    }
    for (number, block) in program.blocks.iter().enumerate() {
        lowering.hold(meter)?;
        let node = lowering.nodes[number];
        match &block.body[..] {
            [Statement::Choice(_) | Statement::Never, ..] => {
                lowering.walk_from(node, &block.body, yes);
            }
            body => {
                let start = lowering.walk(body, yes);
                lowering.automaton.edge(node, start, Action::Skip);
            }
        }
        if let Some(comment) = &block.comment {
            lowering.automaton.comment(node, comment.clone());
        }
    }
    if !lowering.automaton.is_entered(ended) {
        // Play never ends, but every automaton has the node `end`.
        lowering.automaton.edge(first, ended, Action::Never);
    }
    Ok(Lowered { automaton: lowering.automaton, nodes: lowering.nodes })
}

impl Lowering {
    fn hold(&self, meter: &Meter<'_>) -> Result<(), Exhausted> {
        meter.hold(Memory::Layout, self.automaton.bytes());
        meter.spend(16)
    }

    fn target(&self, target: Target) -> Node {
        match target {
            Target::Block(block) => self.nodes[block.0 as usize],
            Target::Over => self.ended,
            Target::End => Automaton::END,
        }
    }

    fn test(&self, test: Test) -> Action {
        match test {
            Test::Is(slot, symbol, holds) => Action::Is(slot, symbol, holds),
            Test::Same(one, other, holds) => Action::Same(one, other, holds),
            Test::Check(check, holds) => {
                Action::Reach(self.checks[check.0 as usize], self.yes, !holds)
            }
        }
    }

    /// The action of a statement that is one edge.
    fn action(&self, statement: &Statement) -> Option<Action> {
        Some(match *statement {
            Statement::Test(test) => self.test(test),
            Statement::Do(act) => action(act),
            Statement::Never => Action::Never,
            _ => return None,
        })
    }

    /// The first node of a body that leads to `to`.
    fn walk(&mut self, body: &[Statement], to: Node) -> Node {
        let mut to = to;
        for statement in body.iter().rev() {
            to = match statement {
                Statement::Choice(ways) => {
                    let node = self.automaton.node();
                    self.walk_all(node, ways.iter().map(|way| (&way[..], to)).collect());
                    node
                }
                Statement::Search(search) => {
                    let header = self.loop_header(search, to);
                    let node = self.automaton.node();
                    let ways = search.first.iter().map(|way| (&way[..], header));
                    self.walk_all(node, ways.collect());
                    node
                }
                Statement::If(branch) => self.decide(branch, to),
                Statement::Cases(cases) => self.cases(cases, to),
                Statement::Each(each) => self.each(each, to),
                Statement::Follow(follow) => self.follow(follow, to),
                Statement::Find(find) => self.find(find, to),
                Statement::Go(target) => self.target(*target),
                Statement::Test(_) | Statement::Do(_) | Statement::Never => {
                    let action = self.action(statement).expect("it is one edge");
                    self.automaton.before(action, to)
                }
            };
        }
        to
    }

    /// Writes a body, from one node to another.
    fn walk_from(&mut self, start: Node, body: &[Statement], to: Node) {
        let Some((first, rest)) = body.split_first() else {
            self.automaton.edge(start, to, Action::Skip);
            return;
        };
        match first {
            Statement::Choice(ways) => {
                let next = self.walk(rest, to);
                self.walk_all(start, ways.iter().map(|way| (&way[..], next)).collect());
            }
            Statement::Search(search) => {
                let next = self.walk(rest, to);
                let header = self.loop_header(search, next);
                self.walk_all(start, search.first.iter().map(|way| (&way[..], header)).collect());
            }
            _ => match self.action(first) {
                Some(action) => {
                    let next = self.walk(rest, to);
                    self.automaton.edge(start, next, action);
                }
                None => {
                    let next = self.walk(body, to);
                    self.automaton.edge(start, next, Action::Skip);
                }
            },
        }
    }

    /// Writes several alternatives from one node. Equal first statements become one.
    fn walk_all<'p>(&mut self, start: Node, ways: Vec<Way<'p>>) {
        let mut groups: Vec<(&Statement, Vec<Way<'p>>)> = Vec::new();
        for (body, to) in ways {
            let Some((first, rest)) = body.split_first() else {
                self.automaton.edge(start, to, Action::Skip);
                continue;
            };
            match groups.iter_mut().find(|(other, _)| *other == first) {
                Some((_, group)) => group.push((rest, to)),
                None => groups.push((first, vec![(rest, to)])),
            }
        }
        for (first, group) in groups {
            match (self.action(first), &group[..]) {
                (Some(action), [_, _, ..]) => {
                    let next = self.automaton.node();
                    self.automaton.edge(start, next, action);
                    self.walk_all(next, group);
                }
                _ => {
                    for (rest, to) in group {
                        let body: Body = [std::slice::from_ref(first), rest].concat();
                        self.walk_from(start, &body, to);
                    }
                }
            }
        }
    }

    /// The node at which the rounds of a search begin.
    fn loop_header(&mut self, search: &Search, to: Node) -> Node {
        if search.rounds.is_empty() {
            return self.walk(&search.exit, to);
        }
        let header = self.automaton.node();
        let exit = [(&search.exit[..], to)].into_iter();
        let rounds = search.rounds.iter().map(|round| (&round[..], header));
        self.walk_all(header, exit.chain(rounds).collect());
        header
    }

    fn decide(&mut self, branch: &If, to: Node) -> Node {
        let then = self.walk(&branch.then, to);
        let otherwise = self.walk(&branch.otherwise, to);
        self.tests(&branch.tests, then, otherwise)
    }

    /// The first node of tests that lead to `to`, or to `otherwise` if one fails.
    fn tests(&mut self, body: &[Statement], to: Node, otherwise: Node) -> Node {
        body.iter().rfold(to, |to, statement| match statement {
            Statement::Test(test) => self.branch(*test, to, otherwise),
            Statement::Never => otherwise,
            other => self.walk(std::slice::from_ref(other), to),
        })
    }

    fn branch(&mut self, test: Test, to: Node, otherwise: Node) -> Node {
        if to == otherwise {
            return to;
        }
        let action = self.test(test);
        if let Some(&node) = self.branches.get(&(action, to, otherwise)) {
            return node;
        }
        let node = self.automaton.node();
        self.automaton.edge(node, to, action);
        self.automaton.edge(node, otherwise, action.opposite());
        self.branches.insert((action, to, otherwise), node);
        node
    }

    fn cases(&mut self, cases: &[(Vec<Test>, Body)], to: Node) -> Node {
        let node = self.automaton.node();
        for (tests, body) in cases {
            let to = self.walk(body, to);
            let tests: Vec<Action> = tests.iter().map(|test| self.test(*test)).collect();
            match &tests[..] {
                [] => self.automaton.edge(node, to, Action::Skip),
                [first, rest @ ..] => {
                    let rest = self.automaton.chain(rest, to);
                    self.automaton.edge(node, rest, *first);
                }
            }
        }
        node
    }

    fn each(&mut self, each: &Each, to: Node) -> Node {
        let head = self.automaton.node();
        let advance = self.automaton.before(Action::Copy(each.slot, each.next), head);
        let after = self.branch(Test::Is(each.slot, each.last, true), to, advance);
        let body = self.walk(&each.body, after);
        self.automaton.edge(head, body, Action::Skip);
        self.automaton.before(Action::Set(each.slot, each.first), head)
    }

    fn follow(&mut self, follow: &Follow, to: Node) -> Node {
        let head = self.automaton.node();
        let after = self.tests(&follow.step, head, to);
        let body = self.walk(&follow.body, after);
        self.automaton.edge(head, body, Action::Skip);
        self.tests(&follow.first, head, to)
    }

    fn find(&mut self, find: &Find, to: Node) -> Node {
        let head = self.automaton.node();
        let after = self.tests(&find.step, head, to);
        let then = self.walk(&find.then, to);
        let tests = self.tests(&find.tests, then, after);
        self.automaton.edge(head, tests, Action::Skip);
        self.tests(&find.first, head, to)
    }
}

fn action(act: Act) -> Action {
    match act {
        Act::Any(slot, type_) => Action::Any(slot, type_),
        Act::Set(slot, symbol) => Action::Set(slot, symbol),
        Act::Copy(to, from) => Action::Copy(to, from),
        Act::Tag(tag) => Action::Tag(tag),
        Act::TagOf(slot) => Action::TagOf(slot),
    }
}
