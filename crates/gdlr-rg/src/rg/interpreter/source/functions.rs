//! Which functions a file has, their names, and which of them remember where a walk has been.

use super::identifier;
use crate::rg::interpreter::program::{Address, FAIL, NodeId, Op, Program};
use crate::rg::name::{Name, Names};
use hashbrown::HashSet;

/// A function: all walks from its beginning, to one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub start: Start,
    /// The node that a reachability check looks for; `None` in a search for moves.
    pub target: Option<NodeId>,
}

/// The beginning of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Start {
    /// A landmark.
    Node(NodeId),
    /// Code that several operations jump to.
    Shared(Address),
}

/// The names of functions, and the facts about addresses and nodes that the code depends on.
pub(super) struct Functions {
    /// By node: the text of its name, and the same as a part of the names of functions.
    pub nodes: Vec<(String, String)>,
    /// By address: whether several operations go on there.
    shared: Vec<bool>,
    /// By node: whether a walk can come back to it, in a search for moves and in a check. Of each cycle one node at
    /// least is marked.
    comes_back: [Vec<bool>; 2],
}

impl Functions {
    pub fn of(program: &Program, nodes: &[Name], names: &Names) -> Functions {
        let mut taken = HashSet::new();
        let nodes = (nodes.iter().enumerate())
            .map(|(number, &name)| {
                let text = names.text(name).to_owned();
                let mut part = identifier(&text);
                if !taken.insert(part.clone()) {
                    part = format!("{part}_n{number}");
                    taken.insert(part.clone());
                }
                (text, part)
            })
            .collect();
        let comes_back = [false, true].map(|is_check| back_targets(program, is_check));
        Functions { nodes, shared: shared(program), comes_back }
    }

    pub fn is_shared(&self, at: Address) -> bool {
        self.shared[at as usize]
    }

    pub fn comes_back(&self, node: NodeId, is_check: bool) -> bool {
        self.comes_back[usize::from(is_check)][node as usize]
    }

    /// The name of a function. `near` is the node whose edges the code belongs to.
    pub fn name(&self, Key { start, target }: Key, near: &str) -> String {
        let mut name = match start {
            Start::Node(node) => format!("walk_{}", self.nodes[node as usize].1),
            Start::Shared(address) => format!("walk_{}_{address}", identifier(near)),
        };
        if let Some(target) = target {
            name += &format!("_to_{}", self.nodes[target as usize].1);
        }
        name
    }
}

/// The addresses that an operation jumps to. Whether the next operation follows it, too.
fn jumps(program: &Program, op: Op) -> (Vec<Address>, bool) {
    let targets = |first: u32, end: u32| program.targets[first as usize..end as usize].to_vec();
    match op {
        Op::Fail => (Vec::new(), false),
        Op::Jump(to) | Op::Arrive { otherwise: to, .. } => (vec![to], false),
        Op::Push(to) => (vec![to], true),
        Op::Branch { first, end } => (targets(first, end), false),
        Op::Switch { first, span, otherwise, .. } => {
            let mut all = targets(first, first + span + 1);
            all.push(otherwise);
            all.sort_unstable();
            all.dedup();
            (all, false)
        }
        Op::Compare { equal: one, different: other, .. }
        | Op::CompareEntry { equal: one, different: other, .. }
        | Op::CompareNested { equal: one, different: other, .. }
        | Op::CompareRow { equal: one, different: other, .. }
        | Op::Check { found: one, missing: other, .. } => (vec![one, other], false),
        _ => (Vec::new(), true),
    }
}

/// By address: whether several operations go on there.
fn shared(program: &Program) -> Vec<bool> {
    let mut entered = vec![0u8; program.code.len() + 1];
    let mut enter = |at: Address| {
        let count = &mut entered[at as usize];
        *count = count.saturating_add(1);
    };
    for (at, &op) in program.code.iter().enumerate() {
        let (to, goes_on) = jumps(program, op);
        to.into_iter().for_each(&mut enter);
        if goes_on {
            enter(at as Address + 1);
        }
    }
    entered.iter().enumerate().map(|(at, &count)| at as Address != FAIL && count > 1).collect()
}

/// The landmarks that walks from a landmark come to next.
fn following(program: &Program, node: NodeId, is_check: bool) -> Vec<NodeId> {
    let mut seen = HashSet::new();
    let mut open = vec![program.entries[node as usize]];
    let mut nodes = Vec::new();
    while let Some(at) = open.pop() {
        if at == FAIL || !seen.insert(at) {
            continue;
        }
        let op = program.code[at as usize];
        match op {
            Op::Arrive { node, .. } => nodes.push(node),
            Op::Finish { .. } if !is_check => continue,
            _ => {}
        }
        let (to, goes_on) = jumps(program, op);
        open.extend(to);
        if goes_on {
            open.push(at + 1);
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// By node: whether a depth-first search comes back to it while it is on the path. Each cycle has such a node.
fn back_targets(program: &Program, is_check: bool) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        OnPath,
        Done,
    }
    let count = program.entries.len();
    let mut colours = vec![Colour::New; count];
    let mut marked = vec![false; count];
    for first in 0..count as NodeId {
        if colours[first as usize] != Colour::New {
            continue;
        }
        colours[first as usize] = Colour::OnPath;
        let mut path = vec![(first, following(program, first, is_check))];
        while let Some((node, rest)) = path.last_mut() {
            match rest.pop() {
                None => {
                    colours[*node as usize] = Colour::Done;
                    path.pop();
                }
                Some(next) => match colours[next as usize] {
                    Colour::OnPath => marked[next as usize] = true,
                    Colour::Done => {}
                    Colour::New => {
                        colours[next as usize] = Colour::OnPath;
                        let rest = following(program, next, is_check);
                        path.push((next, rest));
                    }
                },
            }
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rg;
    use crate::rg::interpreter::compile::{Compiled, compile};
    use crate::rg::interpreter::layout::Layout;
    use crate::rg::tuning::Tuning;
    use gdlr_text::budget::Meter;

    #[test]
    fn a_cycle_has_a_node_that_remembers() {
        let text = "type Player = { a }; type Score = { 0 }; type S = { s, t };
            var here: S = s;
            begin, turn: player = a;
            turn, check: ? loop -> found;
            loop, loop: here = S(*); loop, found: here == t;
            check, moved: player = keeper; moved, end: player = keeper;";
        let description = rg::read(text).unwrap();
        let mut layout = Layout::new(&description);
        let meter = Meter::unlimited();
        let compiled = compile(&description, &mut layout, &[], &Tuning::default(), &meter);
        let Compiled { program, nodes, .. } = compiled.unwrap();
        let functions = Functions::of(&program, &nodes, &description.names);
        let marked: Vec<&str> = (0..nodes.len() as NodeId)
            .filter(|&node| functions.comes_back(node, true))
            .map(|node| functions.nodes[node as usize].0.as_str())
            .collect();
        assert_eq!(marked, ["loop"]);
    }
}
