//! The working form of a description: what transformations work on.
//!
//! Nodes, edges and expressions are numbers, so that a label is a few words that are compared
//! and hashed at once; nodes know the edges that leave and enter them. Definitions stay as they
//! are written.

mod expressions;
mod findings;
mod load;
mod pragmas;
mod probes;
mod store;
mod values;

pub use expressions::{ExprId, Expressions, Kind, Shape};
pub use findings::Finding;
pub use values::{MapVal, Val};

use crate::rg::ast::{Constant, Pragma, Type, TypeAlias, Variable};
use crate::rg::name::{Name, Names};
use crate::rg::tuning::Tuning;
use crate::rg::types::{Ty, Types};
use findings::Findings;
use gdlr_text::graph::Numbered;
use hashbrown::{HashMap, HashSet};
use pragmas::Mentioned;
use probes::Probe;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use values::Values;

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);

impl Node {
    /// The node `begin`.
    pub const BEGIN: Node = Node(0);
    /// The node `end`.
    pub const END: Node = Node(1);

    /// The number of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node of a number.
    pub fn at(index: usize) -> Node {
        Node(u32::try_from(index).expect("fewer than 2^32 nodes"))
    }
}

impl Numbered for Node {
    fn number(self) -> usize {
        self.index()
    }
}

/// An edge, as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(u32);

impl EdgeId {
    /// The number of the edge.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A type that an any-assignment draws from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DrawnId(u32);

impl DrawnId {
    /// The number of the type.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What happens on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Nothing.
    Skip,
    /// `target = value`
    Assign {
        /// What changes.
        target: ExprId,
        /// What it becomes.
        value: ExprId,
    },
    /// `target = T(*)`
    AssignAny {
        /// What changes.
        target: ExprId,
        /// The type of the values.
        drawn: DrawnId,
    },
    /// `left == right` or `left != right`
    Compare {
        /// The first expression.
        left: ExprId,
        /// The second expression.
        right: ExprId,
        /// Whether the edge is legal where they are equal.
        equal: bool,
    },
    /// `? from -> to` or `! from -> to`
    Reach {
        /// Where walks begin.
        from: Node,
        /// Where a walk must arrive.
        to: Node,
        /// Whether the edge is legal where there is no such walk.
        negated: bool,
    },
    /// `$ tag`
    Tag(Name),
    /// `$$ variable`
    TagVariable(Name),
}

impl Label {
    /// Whether the label is a question, which changes nothing and says nothing.
    pub fn is_condition(&self) -> bool {
        matches!(self, Label::Compare { .. } | Label::Reach { .. })
    }
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The node that it leaves.
    pub from: Node,
    /// The node that it enters.
    pub to: Node,
    /// What happens on the way.
    pub label: Label,
}

type Edges = SmallVec<[EdgeId; 2]>;

#[derive(Clone, Copy, Debug)]
struct Stored {
    edge: Edge,
    /// Its place among the edges that enter its node, which are in no order.
    slot: u32,
}

/// A description in its working form.
#[derive(Debug)]
pub struct Program {
    /// All names; new ones are added.
    pub names: Names,
    /// The types as written, built-in ones that were left out not among them.
    pub types: Vec<TypeAlias>,
    /// The constants as written.
    pub constants: Vec<Constant>,
    /// The variables as written.
    pub variables: Vec<Variable>,
    /// The bounds by which what is done with it chooses.
    pub tuning: Tuning,
    /// Whether ways that go on alike are joined by now, as far as that is wanted.
    pub joined: bool,
    /// Pragmas that are about no node, and those that nobody knows.
    pub pragmas: Vec<Pragma>,
    /// What the latter mention.
    mentioned: Mentioned,
    /// By tag: who looks at states.
    probes: HashMap<Name, Probe>,
    /// What the types stand for.
    pub resolved: Types,
    /// Expressions, and what names mean in them.
    pub expressions: Expressions,
    values: Values,
    /// By type that is drawn from: as written, and its symbols in order.
    drawn: Vec<(Type, Box<[Name]>)>,
    /// By number; those that are gone are empty.
    edges: Vec<Option<Stored>>,
    leaving: Vec<Edges>,
    entering: Vec<Edges>,
    /// By node: its name, unless it is new.
    node_names: Vec<Option<Name>>,
    /// How many edges there are.
    count: usize,
    /// How often anything was changed.
    changes: u64,
    found: RefCell<Findings>,
    /// How many analyses there were, and how many of them gave up what still changed.
    analyses: Cell<(usize, usize)>,
}

impl Program {
    /// The edge of a number.
    ///
    /// # Panics
    ///
    /// When it is gone.
    pub fn edge(&self, edge: EdgeId) -> Edge {
        self.get(edge).expect("the edge is there")
    }

    /// The edge of a number, if it is there.
    pub fn get(&self, edge: EdgeId) -> Option<Edge> {
        self.edges[edge.index()].map(|stored| stored.edge)
    }

    /// All edges, in the order of their numbers.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, Edge)> + '_ {
        let numbered = self.edges.iter().enumerate();
        numbered.filter_map(|(index, edge)| Some((EdgeId(index as u32), (*edge)?.edge)))
    }

    /// The numbers of all edges, also of those that are gone.
    pub fn edge_numbers(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len() as u32).map(EdgeId)
    }

    /// The edge that has a number, if it is there.
    pub fn edge_number(&self, index: u32) -> Option<EdgeId> {
        self.edges.get(index as usize)?.map(|_| EdgeId(index))
    }

    /// The edges that leave a node, in order.
    pub fn leaving(&self, node: Node) -> &[EdgeId] {
        &self.leaving[node.index()]
    }

    /// The edges that enter a node.
    pub fn entering(&self, node: Node) -> &[EdgeId] {
        &self.entering[node.index()]
    }

    /// The edges that leave a node, in order.
    pub fn edges_from(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        self.leaving(node).iter().map(|&edge| self.edge(edge))
    }

    /// How many nodes there ever were; their numbers are the smaller ones.
    pub fn node_count(&self) -> usize {
        self.leaving.len()
    }

    /// The name of a node, unless it is new.
    pub fn node_name(&self, node: Node) -> Option<Name> {
        self.node_names[node.index()]
    }

    /// All nodes, also those that no edge touches.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.leaving.len() as u32).map(Node)
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.count
    }

    /// How often anything was changed so far.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Says that an analysis is over, and whether it gave up what still changed.
    pub fn solved(&self, gave_up: bool) {
        let (all, given_up) = self.analyses.get();
        self.analyses.set((all + 1, given_up + usize::from(gave_up)));
    }

    /// How many analyses there were, and how many of them gave up what still changed.
    pub fn analyses(&self) -> (usize, usize) {
        self.analyses.get()
    }

    /// Says that something was changed other than an edge.
    pub fn changed(&mut self) {
        self.changes += 1;
    }

    /// What a function finds out about the program, or what it found when it was last asked, if
    /// nothing was changed since then.
    pub fn find<F: Finding, E>(
        &self,
        find: impl FnOnce(&Program) -> Result<F, E>,
    ) -> Result<Rc<F>, E> {
        self.found.borrow_mut().forget(self.changes);
        let known = self.found.borrow().get();
        if let Some(known) = known {
            return Ok(known);
        }
        let found = Rc::new(find(self)?);
        self.found.borrow_mut().keep(Rc::clone(&found));
        Ok(found)
    }

    /// How many bytes all that was found out takes, about.
    pub fn bytes_of_findings(&self) -> usize {
        self.found.borrow().bytes()
    }

    /// A node without edges.
    pub fn add_node(&mut self) -> Node {
        let node = Node::at(self.leaving.len());
        self.leaving.push(Edges::new());
        self.entering.push(Edges::new());
        self.node_names.push(None);
        node
    }

    /// An edge behind the others that leave its node.
    pub fn add_edge(&mut self, edge: Edge) -> EdgeId {
        let at = self.leaving[edge.from.index()].len();
        self.insert_edge(at, edge)
    }

    /// An edge at a place among those that leave its node.
    pub fn insert_edge(&mut self, at: usize, edge: Edge) -> EdgeId {
        let id = EdgeId(u32::try_from(self.edges.len()).expect("fewer than 2^32 edges"));
        self.edges.push(Some(Stored { edge, slot: 0 }));
        self.leaving[edge.from.index()].insert(at, id);
        self.enter(id, edge.to);
        self.count += 1;
        self.changes += 1;
        id
    }

    /// Removes an edge; the work is linear in those that leave its node.
    pub fn remove_edge(&mut self, id: EdgeId) {
        let from = self.edge(id).from;
        self.leaving[from.index()].retain(|other| *other != id);
        self.forget(id);
    }

    /// Keeps those of the edges that leave a node for which a function says so.
    pub fn retain_leaving(&mut self, node: Node, mut keep: impl FnMut(&Program, EdgeId) -> bool) {
        let mut leaving = std::mem::take(&mut self.leaving[node.index()]);
        leaving.retain(|id| {
            let kept = keep(self, *id);
            if !kept {
                self.forget(*id);
            }
            kept
        });
        self.leaving[node.index()] = leaving;
    }

    /// Changes what happens on an edge.
    pub fn relabel(&mut self, id: EdgeId, label: Label) {
        let edge = &mut self.stored(id).edge;
        if edge.label != label {
            edge.label = label;
            self.changes += 1;
        }
    }

    /// Lets an edge enter another node.
    pub fn redirect(&mut self, id: EdgeId, to: Node) {
        if self.edge(id).to != to {
            self.quit(id);
            self.stored(id).edge.to = to;
            self.enter(id, to);
            self.changes += 1;
        }
    }

    /// Lets all edges that enter a node enter another one; the work is linear in them.
    pub fn redirect_all(&mut self, node: Node, to: Node) {
        for id in std::mem::take(&mut self.entering[node.index()]) {
            self.stored(id).edge.to = to;
            self.enter(id, to);
            self.changes += 1;
        }
    }

    /// Lets all edges that leave a node leave another one, at a place among those that leave it
    /// already; the work is linear in both.
    pub fn splice(&mut self, node: Node, from: Node, at: usize) {
        let moved = std::mem::take(&mut self.leaving[node.index()]);
        for &id in &moved {
            self.stored(id).edge.from = from;
        }
        self.changes += moved.len() as u64;
        self.leaving[from.index()].insert_many(at, moved);
    }

    /// Removes all edges that leave a node.
    pub fn remove_leaving(&mut self, node: Node) {
        self.retain_leaving(node, |_, _| false);
    }

    fn stored(&mut self, id: EdgeId) -> &mut Stored {
        self.edges[id.index()].as_mut().expect("the edge is there")
    }

    /// Puts an edge among those that enter a node.
    fn enter(&mut self, id: EdgeId, to: Node) {
        let entering = &mut self.entering[to.index()];
        entering.push(id);
        let slot = entering.len() as u32 - 1;
        self.stored(id).slot = slot;
    }

    /// Takes an edge away from those that enter its node.
    fn quit(&mut self, id: EdgeId) {
        let Stored { edge, slot } = *self.stored(id);
        let entering = &mut self.entering[edge.to.index()];
        entering.swap_remove(slot as usize);
        if let Some(&moved) = entering.get(slot as usize) {
            self.stored(moved).slot = slot;
        }
    }

    /// Removes an edge that its node does not know any more.
    fn forget(&mut self, id: EdgeId) {
        self.quit(id);
        self.edges[id.index()] = None;
        self.count -= 1;
        self.changes += 1;
    }

    /// The symbols that an any-assignment draws from, in order.
    pub fn drawn(&self, drawn: DrawnId) -> &[Name] {
        &self.drawn[drawn.0 as usize].1
    }

    /// The types that any-assignments draw from, as written.
    pub fn drawn_types(&self) -> impl Iterator<Item = &Type> {
        let drawn: HashSet<DrawnId> = self
            .edges()
            .filter_map(|(_, edge)| match edge.label {
                Label::AssignAny { drawn, .. } => Some(drawn),
                _ => None,
            })
            .collect();
        (self.drawn.iter().enumerate())
            .filter(move |(index, _)| drawn.contains(&DrawnId(*index as u32)))
            .map(|(_, (type_, _))| type_)
    }

    /// Whether the types in a label agree.
    pub fn is_well_typed(&self, label: Label) -> bool {
        let agree = |left, right| {
            self.resolved.agree(self.expressions.ty(left), self.expressions.ty(right))
        };
        match label {
            Label::Assign { target, value } => {
                agree(target, value) && self.has_keys(target) && self.has_keys(value)
            }
            Label::AssignAny { target, .. } => self.has_keys(target),
            Label::Compare { left, right, .. } => {
                agree(left, right) && self.has_keys(left) && self.has_keys(right)
            }
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => true,
        }
    }

    /// Whether the keys of an expression agree with those of its maps.
    fn has_keys(&self, expr: ExprId) -> bool {
        match self.expressions.shape(expr) {
            Shape::Name(_) => true,
            Shape::Access { map, key } => {
                let Ty::Map(ty) = self.expressions.ty(map) else { return false };
                let keys = self.resolved.map(ty).0;
                self.resolved.agree(keys, self.expressions.ty(key))
                    && self.has_keys(map)
                    && self.has_keys(key)
            }
        }
    }

    /// Whether a label assigns to `player`, so that a move ends with it, or is a probe, which is a
    /// move.
    pub fn ends_move(&self, label: Label) -> bool {
        match label {
            Label::Assign { target, .. } => {
                self.expressions.as_variable(target) == Some(Name::PLAYER)
            }
            Label::Tag(tag) => self.probes.contains_key(&tag),
            _ => false,
        }
    }

    /// The variable that a label changes, all of it or a part.
    pub fn written(&self, label: Label) -> Option<Name> {
        match label {
            Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
                Some(self.expressions.root(target))
            }
            _ => None,
        }
    }

    /// The variable that a label changes altogether.
    pub fn overwritten(&self, label: Label) -> Option<Name> {
        match label {
            Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
                self.expressions.as_variable(target)
            }
            _ => None,
        }
    }

    /// The variables that a label depends on, with repetitions. What a walk of a reachability
    /// check depends on is not among them.
    pub fn read(&self, label: Label) -> SmallVec<[Name; 4]> {
        let of = |expr: ExprId| self.expressions.reads(expr).iter().copied();
        match label {
            Label::Skip | Label::Reach { .. } => SmallVec::new(),
            Label::Tag(tag) => match self.probes.get(&tag) {
                Some(probe) => SmallVec::from_slice(&probe.reads),
                None => SmallVec::new(),
            },
            Label::Assign { target, value } => {
                of(value).chain(self.expressions.reads_of_target(target)).collect()
            }
            Label::AssignAny { target, .. } => {
                self.expressions.reads_of_target(target).into_iter().collect()
            }
            Label::Compare { left, right, .. } => of(left).chain(of(right)).collect(),
            Label::TagVariable(variable) => SmallVec::from_slice(&[variable]),
        }
    }

    /// The symbols that a set type has, in order.
    pub fn symbols(&self, ty: Ty) -> Option<&[Name]> {
        match ty {
            Ty::Set(set) => Some(self.resolved.symbols(set)),
            _ => None,
        }
    }

    /// The value of an expression that no variable stands in.
    pub fn evaluate(&self, expr: ExprId) -> Option<Val> {
        self.values.evaluate(&self.expressions, expr)
    }

    /// The value of a constant.
    pub fn constant(&self, name: Name) -> Option<&Val> {
        self.values.constant(name)
    }

    /// The value of a variable at the beginning.
    pub fn initial(&self, name: Name) -> Option<&Val> {
        self.values.initial(name)
    }

    /// All variables, built-in ones that were left out among them.
    pub fn all_variables(&self) -> impl Iterator<Item = Name> + '_ {
        self.values.variables()
    }

    /// Makes a constant of a variable, with its value at the beginning.
    pub fn freeze(&mut self, name: Name) {
        let Some(at) = self.variables.iter().position(|variable| variable.name.name == name) else {
            return;
        };
        let Variable { name: ident, type_, initial, place } = self.variables.remove(at);
        self.constants.push(Constant { name: ident, type_, value: initial, place });
        self.expressions.freeze(name);
        self.values.freeze(name);
        self.changes += 1;
    }

    /// Removes a variable that nothing reads or assigns to.
    pub fn remove_variable(&mut self, name: Name) {
        self.variables.retain(|variable| variable.name.name != name);
        self.values.remove_variable(name);
        self.changes += 1;
    }

    /// Adds a constant that is defined as written.
    pub fn add_constant(&mut self, constant: Constant, value: Val) {
        let ty = self.resolved.resolve(&constant.type_, &mut Vec::new());
        self.expressions.define(constant.name.name, Kind::Constant(ty));
        self.values.add_constant(constant.name.name, value);
        self.constants.push(constant);
        self.changes += 1;
    }

    /// A name that nothing has.
    pub fn fresh_name(&mut self, stem: &str) -> Name {
        let mut text = stem.to_owned();
        for number in 1_u64.. {
            if self.names.get(&text).is_none()
                && let Ok(name) = self.names.intern(&text)
            {
                return name;
            }
            text = format!("{stem}_{number}");
        }
        unreachable!("there are fewer names than numbers")
    }

    /// Where reachability checks begin, and which nodes they look for.
    pub fn checked(&self) -> Checked {
        let mut checked = Checked::default();
        for (_, edge) in self.edges() {
            if let Label::Reach { from, to, .. } = edge.label {
                checked.starts.insert(from);
                checked.targets.insert(to);
            }
        }
        checked
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }
}

/// Nodes that reachability checks name.
#[derive(Debug, Default)]
pub struct Checked {
    /// Where walks begin.
    pub starts: HashSet<Node>,
    /// Where walks must arrive.
    pub targets: HashSet<Node>,
}

impl Checked {
    /// Whether a check names the node.
    pub fn names(&self, node: Node) -> bool {
        self.starts.contains(&node) || self.targets.contains(&node)
    }
}
