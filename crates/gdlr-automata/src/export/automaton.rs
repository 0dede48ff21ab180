//! An automaton under construction: its nodes and edges.
//!
//! Chains are built from their end. The same action before the same node always gives the same
//! node, so chains with equal ends share them.

use super::naming::Naming;
use super::slots::{Slot, Slots};
use gdlr_rg::rg::{Base, Edge, Expr, Ident, Label, Name, Place, SimpleType};
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(pub u32);

/// The action of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Action {
    Skip,
    /// Is never possible.
    Never,
    /// `slot == symbol`, or `!=`.
    Is(Slot, Name, bool),
    /// `slot = symbol`
    Set(Slot, Name),
    /// `slot == slot`, or `!=`.
    Same(Slot, Slot, bool),
    /// `slot = slot`
    Copy(Slot, Slot),
    /// `slot = type(*)`
    Any(Slot, Name),
    /// `slot = constant[slot]`
    Map(Slot, Name, Slot),
    /// `? node -> node`, or `!` if negated.
    Reach(Node, Node, bool),
    Tag(Name),
    /// `$$ slot`
    TagOf(Slot),
}

impl Action {
    /// The action that is possible if and only if this comparison or check is not.
    pub fn opposite(self) -> Action {
        match self {
            Action::Is(slot, symbol, equal) => Action::Is(slot, symbol, !equal),
            Action::Same(one, other, equal) => Action::Same(one, other, !equal),
            Action::Reach(from, to, negated) => Action::Reach(from, to, !negated),
            Action::Never => Action::Skip,
            // All other actions are always possible.
            _ => Action::Never,
        }
    }
}

/// An automaton under construction.
#[derive(Debug)]
pub(super) struct Automaton {
    edges: Vec<(Node, Node, Action)>,
    /// By node: its name, if it was made with one.
    names: Vec<Option<String>>,
    before: HashMap<(Action, Node), Node>,
    slots: Slots,
    comments: Vec<(Node, String)>,
}

/// The order in which nodes are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Breadth first.
    Breadth,
    /// Depth first. A node with a name starts a list of its own.
    Depth,
}

/// The edges of a description, the names of the nodes, and comments, each with the place of an
/// edge.
type Finished = (Vec<Edge>, Vec<Option<Name>>, Vec<(usize, String)>);

/// An estimate of the memory of an edge, in bytes: here, with its hash entries, in a description,
/// and as a line of text.
const BYTES_OF_EDGE: usize = 3 * size_of::<(Node, Node, Action)>() + size_of::<Edge>() + 64;

impl Automaton {
    /// The node at which play begins.
    pub const BEGIN: Node = Node(0);
    /// The node at which play ends.
    pub const END: Node = Node(1);

    pub fn new() -> Automaton {
        Automaton::of(Slots::default())
    }

    /// An automaton with these slots, and without edges.
    pub fn of(slots: Slots) -> Automaton {
        let names = ["begin", "end"].map(|name| Some(name.to_owned())).to_vec();
        let (edges, comments) = (Vec::new(), Vec::new());
        Automaton { edges, names, before: HashMap::new(), slots, comments }
    }

    /// The slot of a variable, or of the entry with these keys.
    pub fn slot(&mut self, variable: Name, keys: &[Name]) -> Slot {
        self.slots.slot(variable, keys)
    }

    pub fn node(&mut self) -> Node {
        self.names.push(None);
        Node(self.names.len() as u32 - 1)
    }

    /// A new node with a name. No other node may have this name.
    pub fn named(&mut self, name: String) -> Node {
        self.names.push(Some(name));
        Node(self.names.len() as u32 - 1)
    }

    pub fn edge(&mut self, from: Node, to: Node, action: Action) {
        self.edges.push((from, to, action));
    }

    /// The node from which one action leads to another node. No other edge leaves it.
    pub fn before(&mut self, action: Action, to: Node) -> Node {
        if action == Action::Skip {
            return to;
        }
        if let Some(&node) = self.before.get(&(action, to)) {
            return node;
        }
        let node = self.node();
        self.edge(node, to, action);
        self.before.insert((action, to), node);
        node
    }

    /// The node from which actions, one after the other, lead to another node.
    pub fn chain(&mut self, actions: &[Action], to: Node) -> Node {
        actions.iter().rfold(to, |to, &action| self.before(action, to))
    }

    /// Whether any edge leads to a node.
    pub fn is_entered(&self, node: Node) -> bool {
        self.edges.iter().any(|&(_, to, _)| to == node)
    }

    /// An estimate of the memory of the automaton, as a description and as text, in bytes.
    pub fn bytes(&self) -> usize {
        self.edges.len() * BYTES_OF_EDGE + self.names.len() * size_of::<Option<String>>()
    }

    /// The names on edges that can be reached, without tags.
    pub fn names(&self) -> HashSet<Name> {
        let reached: HashSet<u32> = self.order().iter().map(|node| node.0).collect();
        let mut names = HashSet::new();
        let mut open: Vec<&Expr> = Vec::new();
        for &(_, _, action) in self.edges.iter().filter(|(from, ..)| reached.contains(&from.0)) {
            let (slots, name) = match action {
                Action::Is(slot, name, _) | Action::Set(slot, name) => {
                    ([Some(slot), None], Some(name))
                }
                Action::TagOf(slot) => ([Some(slot), None], None),
                Action::Any(slot, type_) => ([Some(slot), None], Some(type_)),
                Action::Copy(one, other) | Action::Same(one, other, _) => {
                    ([Some(one), Some(other)], None)
                }
                Action::Map(one, map, other) => ([Some(one), Some(other)], Some(map)),
                Action::Skip | Action::Never | Action::Reach(..) | Action::Tag(_) => continue,
            };
            names.extend(name);
            open.extend(slots.into_iter().flatten().map(|slot| self.slots.expr(slot)));
            while let Some(expr) = open.pop() {
                match &expr.base {
                    Base::Name(name) => {
                        names.insert(name.name);
                    }
                    Base::Cast(type_, inner) => {
                        names.insert(type_.name);
                        open.push(inner);
                    }
                }
                open.extend(&expr.keys);
            }
        }
        names
    }

    /// Joins two nodes if only an edge without an action leads from one to the other, unless both
    /// have names.
    pub fn join_skips(&mut self) {
        let mut leaving = vec![0u32; self.names.len()];
        self.edges.iter().for_each(|(from, ..)| leaving[from.0 as usize] += 1);
        // By node: the node of which it has become a part, or itself.
        let mut part_of: Vec<u32> = (0..self.names.len() as u32).collect();
        fn whole(part_of: &[u32], node: Node) -> usize {
            let mut node = node.0 as usize;
            while part_of[node] as usize != node {
                node = part_of[node] as usize;
            }
            node
        }
        let mut edges = std::mem::take(&mut self.edges);
        edges.retain(|&(from, to, action)| {
            let (from, to) = (whole(&part_of, from), whole(&part_of, to));
            if action != Action::Skip || leaving[from] != 1 || from == to {
                return true;
            }
            if self.names[to].is_none() {
                leaving[from] = leaving[to];
                part_of[to] = from as u32;
            } else if self.names[from].is_none() {
                part_of[from] = to as u32;
            } else {
                return true;
            }
            false
        });
        let of = |node: Node| Node(whole(&part_of, node) as u32);
        for (from, to, action) in &mut edges {
            (*from, *to) = (of(*from), of(*to));
            if let Action::Reach(start, end, _) = action {
                (*start, *end) = (of(*start), of(*end));
            }
        }
        self.comments.iter_mut().for_each(|(node, _)| *node = of(*node));
        self.edges = edges;
    }

    /// Adds a comment before the edges of a node.
    pub fn comment(&mut self, node: Node, text: String) {
        self.comments.push((node, text));
    }

    /// The finished edges, node by node in the given order, the names of the nodes, and the
    /// comments. A node that nothing leads to has no name. Each comment has the place of the edge
    /// that it precedes.
    pub fn finish(self, naming: &mut Naming, order: Order) -> Finished {
        let order = match order {
            Order::Breadth => self.order(),
            Order::Depth => self.in_depth(),
        };
        let mut names = vec![None; self.names.len()];
        for (place, node) in order.iter().enumerate() {
            names[node.0 as usize] = Some(match &self.names[node.0 as usize] {
                Some(name) => naming.plain(name),
                None => naming.plain(&format!("n{place}")),
            });
        }
        let mut edges: Vec<(Node, Node, Action)> = self.edges;
        let mut place = vec![u32::MAX; names.len()];
        order.iter().enumerate().for_each(|(at, node)| place[node.0 as usize] = at as u32);
        edges.retain(|(from, ..)| place[from.0 as usize] != u32::MAX);
        edges.sort_by_key(|(from, ..)| place[from.0 as usize]);
        // An edge is kept if its first node was reached. Then both of its nodes have names.
        let name = |node: Node| names[node.0 as usize].unwrap_or(Name::BEGIN);
        let slot = |slot: Slot| self.slots.expr(slot).clone();
        let plain = |name: Name| Expr::from(Ident::from(name));
        let label = |action: Action| match action {
            Action::Skip => Label::Skip,
            Action::Never => {
                Label::Compare { left: plain(Name::ZERO), right: plain(Name::ZERO), equal: false }
            }
            Action::Is(left, symbol, equal) => {
                Label::Compare { left: slot(left), right: plain(symbol), equal }
            }
            Action::Set(target, symbol) => {
                Label::Assign { target: slot(target), value: plain(symbol) }
            }
            Action::Same(left, right, equal) => {
                Label::Compare { left: slot(left), right: slot(right), equal }
            }
            Action::Any(target, type_) => Label::AssignAny {
                target: slot(target),
                values: SimpleType::Named(type_.into()).into(),
            },
            Action::Copy(target, from) => Label::Assign { target: slot(target), value: slot(from) },
            Action::Map(target, constant, from) => Label::Assign {
                target: slot(target),
                value: Expr {
                    base: Base::Name(constant.into()),
                    keys: vec![slot(from)],
                    place: Place::default(),
                },
            },
            Action::Reach(from, to, negated) => {
                Label::Reach { from: name(from).into(), to: name(to).into(), negated }
            }
            Action::Tag(tag) => Label::Tag(tag.into()),
            Action::TagOf(slot) => {
                let Base::Name(variable) = self.slots.expr(slot).base else {
                    unreachable!("a slot begins with a variable")
                };
                Label::TagVariable(variable)
            }
        };
        let edge = |(from, to, action): (Node, Node, Action)| Edge {
            from: name(from).into(),
            to: name(to).into(),
            label: label(action),
            place: Place::default(),
        };
        let mut comments: Vec<(usize, String)> = Vec::new();
        for (node, text) in self.comments {
            if let Some(at) = edges.iter().position(|(from, ..)| *from == node) {
                comments.push((at, text));
            }
        }
        comments.sort_by_key(|(at, _)| *at);
        (edges.into_iter().map(edge).collect(), names, comments)
    }

    /// The reached nodes, depth first.
    fn in_depth(&self) -> Vec<Node> {
        let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); self.names.len()];
        for (number, (from, ..)) in self.edges.iter().enumerate() {
            leaving[from.0 as usize].push(number as u32);
        }
        let mut seen = vec![false; self.names.len()];
        let mut order = Vec::new();
        let mut later: VecDeque<Node> = VecDeque::from([Automaton::BEGIN]);
        let mut open: Vec<Node> = Vec::new();
        while let Some(node) = open.pop().or_else(|| later.pop_front()) {
            if std::mem::replace(&mut seen[node.0 as usize], true) {
                continue;
            }
            order.push(node);
            for &number in leaving[node.0 as usize].iter().rev() {
                let (_, to, action) = self.edges[number as usize];
                // A node with a name begins a list of its own.
                match self.names[to.0 as usize] {
                    Some(_) => later.push_back(to),
                    None => open.push(to),
                }
                if let Action::Reach(from, to, _) = action {
                    later.extend([from, to]);
                }
            }
        }
        order
    }

    /// The nodes that play or a check can reach, breadth first.
    fn order(&self) -> Vec<Node> {
        let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); self.names.len()];
        for (number, (from, ..)) in self.edges.iter().enumerate() {
            leaving[from.0 as usize].push(number as u32);
        }
        let mut seen = vec![false; self.names.len()];
        let mut order = vec![Automaton::BEGIN];
        seen[0] = true;
        let mut done = 0;
        while let Some(node) = order.get(done) {
            done += 1;
            for &number in &leaving[node.0 as usize] {
                let (_, to, action) = self.edges[number as usize];
                let checked = match action {
                    Action::Reach(from, to, _) => [Some(from), Some(to)],
                    _ => [None, None],
                };
                for next in [Some(to)].into_iter().chain(checked).flatten() {
                    if !std::mem::replace(&mut seen[next.0 as usize], true) {
                        order.push(next);
                    }
                }
            }
        }
        order
    }
}
