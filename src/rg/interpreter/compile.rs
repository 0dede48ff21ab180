//! From a description to code.
//!
//! The code of a node with one edge goes straight on with that of the next node. The edges of
//! any other node are put into groups: those that compare the same expression with symbols
//! become a [`Op::Switch`], a comparison and its opposite a [`Op::Test`], a reachability check
//! and its opposite one [`Op::Check`]. So what groups ask is asked once. Between the groups
//! there is a [`Op::Branch`].
//!
//! Pieces of code refer to each other by labels, which become addresses at the end. What an
//! edge does is written by [`actions`](super::actions).

use super::layout::{Item, Layout};
use super::nodes::Nodes;
use super::program::{Address, Check, FAIL, NodeId, Op, Program, Register, Symbol};
use crate::budget::{Exhausted, Memory, Meter};
use crate::rg::ast::{Description, Edge, Expr, Label};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use crate::rg::types::Ty;
use hashbrown::HashMap;

/// How many `x != s` a switch takes in; each is in the list of nearly every symbol.
const MAX_EXCLUSIONS: usize = 4;

/// Code, and the numbers that it has for nodes.
pub(super) struct Compiled {
    pub program: Program,
    /// By node: its name.
    pub nodes: Vec<Name>,
    /// Whether an edge assigns to `visible`.
    pub conceals: bool,
}

/// Compiles the edges of a description. What goes wrong is in the problems of the layout.
///
/// # Errors
///
/// When the budget is exhausted.
pub(super) fn compile(
    description: &Description,
    layout: &mut Layout,
    entries: &[Name],
    meter: &Meter<'_>,
) -> Result<Compiled, Exhausted> {
    let graph = Graph::new(description);
    let nodes = Nodes::new(description, &graph, entries);
    let names = nodes.names.clone();
    let mut compiler = Compiler {
        description,
        layout,
        nodes,
        program: Program::default(),
        labels: vec![FAIL],
        work: Vec::new(),
        edge: 0,
        temporaries: Vec::new(),
        in_use: 0,
        checks: HashMap::new(),
        pending: Vec::new(),
        conceals: false,
    };
    compiler.run(meter)?;
    let (mut program, conceals) = (compiler.program, compiler.conceals);
    program.registers = std::mem::take(&mut layout.registers);
    program.offsets = std::mem::take(&mut layout.offsets);
    program.variables = layout.state;
    Ok(Compiled { program, nodes: names, conceals })
}

/// The index of a label; [`FAIL`] is a label and an address.
type LabelId = u32;

/// A piece of code to write.
enum Work {
    /// That of a landmark.
    Node(NodeId),
    /// What edges with one question in common do.
    Group(LabelId, Vec<u32>),
    /// What follows the action of an edge.
    After(LabelId, u32),
}

/// What an edge asks.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Question<'d> {
    /// Nothing that others ask.
    Own(u32),
    /// Which symbol this is.
    Which(&'d Expr),
    /// Whether these are equal.
    Equal(&'d Expr, &'d Expr),
    /// Whether there is a walk.
    Walk(NodeId, NodeId),
}

pub(super) struct Compiler<'d, 'l> {
    pub(super) description: &'d Description,
    pub(super) layout: &'l mut Layout,
    pub(super) nodes: Nodes,
    pub(super) program: Program,
    /// By label: its address.
    pub(super) labels: Vec<Address>,
    work: Vec<Work>,
    /// The edge that is being compiled.
    pub(super) edge: u32,
    pub(super) temporaries: Vec<Register>,
    /// How many of them the edge needs so far.
    pub(super) in_use: usize,
    checks: HashMap<Check, u32>,
    /// Branches to write behind the operation that refers to them.
    pending: Vec<(LabelId, Vec<LabelId>)>,
    pub(super) conceals: bool,
}

impl<'d> Compiler<'d, '_> {
    fn run(&mut self, meter: &Meter<'_>) -> Result<(), Exhausted> {
        self.emit(Op::Fail);
        self.program.entries = vec![FAIL; self.nodes.names.len()];
        for node in (0..self.nodes.landmarks as NodeId).rev() {
            if self.nodes.alive[self.nodes.names[node as usize].index()] {
                self.work.push(Work::Node(node));
            }
        }
        let mut written = 0;
        while let Some(work) = self.work.pop() {
            let here = self.program.code.len() as Address;
            meter.hold(Memory::Scratch, self.program.bytes());
            meter.spend(1 + here as usize - written)?;
            written = here as usize;
            match work {
                Work::Node(node) => {
                    self.program.entries[node as usize] = here;
                    self.node(node);
                }
                Work::Group(label, edges) => {
                    self.labels[label as usize] = here;
                    self.group(&edges);
                }
                Work::After(label, edge) => {
                    self.labels[label as usize] = here;
                    self.after(edge);
                }
            }
        }
        self.resolve_labels();
        Ok(())
    }

    pub(super) fn emit(&mut self, op: Op) {
        self.program.code.push(op);
        self.program.edges.push(self.edge);
    }

    pub(super) fn label(&mut self) -> LabelId {
        self.labels.push(FAIL);
        self.labels.len() as LabelId - 1
    }

    fn later(&mut self, work: impl FnOnce(LabelId) -> Work) -> LabelId {
        let label = self.label();
        self.work.push(work(label));
        label
    }

    /// What is written next belongs to this edge.
    pub(super) fn at(&mut self, edge: u32) {
        self.edge = edge;
        self.layout.place = self.edge_of(edge).place.0;
    }

    pub(super) fn edge_of(&self, edge: u32) -> &'d Edge {
        &self.description.edges[edge as usize]
    }

    /// Writes the code of a node, and of those behind it up to a landmark or a fork.
    fn node(&mut self, mut node: NodeId) {
        loop {
            let leaving = self.nodes.leaving(node);
            match *leaving {
                [] => return self.emit(Op::Fail),
                [edge] => {
                    if !self.action(edge) {
                        return;
                    }
                    node = self.nodes.number(self.edge_of(edge).to.name);
                    if self.nodes.is_landmark(node) {
                        return self.emit(Op::Arrive(node));
                    }
                }
                _ => {
                    let leaving = leaving.to_vec();
                    return self.fork(leaving);
                }
            }
        }
    }

    fn after(&mut self, edge: u32) {
        self.at(edge);
        let node = self.nodes.number(self.edge_of(edge).to.name);
        match self.nodes.is_landmark(node) {
            true => self.emit(Op::Arrive(node)),
            false => self.node(node),
        }
    }

    fn fork(&mut self, leaving: Vec<u32>) {
        self.at(leaving[0]);
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut known: HashMap<Question, usize> = HashMap::new();
        for edge in leaving {
            let question = self.question(edge);
            let group = *known.entry(question).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(edge);
        }
        let mut split = Vec::with_capacity(groups.len());
        for group in groups {
            let exclusions = group.iter().filter(|&&edge| {
                matches!(self.edge_of(edge).label, Label::Compare { equal: false, .. })
            });
            let too_many = exclusions.count() > MAX_EXCLUSIONS;
            match self.question(group[0]) {
                Question::Which(_) if too_many => {
                    split.extend(group.into_iter().map(|edge| vec![edge]));
                }
                _ => split.push(group),
            }
        }
        if let [group] = &split[..] {
            return self.group(group);
        }
        // The first group's code is next to this: work is done from the end.
        let mut ways: Vec<LabelId> = (split.into_iter().rev())
            .map(|group| self.later(|label| Work::Group(label, group)))
            .collect();
        ways.reverse();
        self.branch(&ways);
    }

    /// Takes each of these ways.
    fn branch(&mut self, ways: &[LabelId]) {
        match *ways {
            [] => self.emit(Op::Fail),
            [way] => self.emit(Op::Jump(way)),
            _ => {
                let first = self.program.targets.len() as u32;
                self.program.targets.extend(ways);
                self.emit(Op::Branch { first, end: self.program.targets.len() as u32 });
            }
        }
    }

    /// The symbol that an expression is in every state, if that can be seen.
    pub(super) fn known(&mut self, expr: &Expr) -> Option<Symbol> {
        let name = expr.as_name()?.name;
        if let Some(&Item { base, ty }) = self.layout.constants.get(&name) {
            let is_symbol = !matches!(ty, Ty::Map(_) | Ty::Unknown);
            return is_symbol.then(|| self.layout.registers[base as usize]);
        }
        (!self.layout.variables.contains_key(&name)).then(|| self.layout.symbol(name))
    }

    fn question(&mut self, edge: u32) -> Question<'d> {
        match &self.edge_of(edge).label {
            Label::Compare { left, right, .. } => match (self.known(left), self.known(right)) {
                (None, Some(_)) => Question::Which(left),
                (Some(_), None) => Question::Which(right),
                (Some(_), Some(_)) => Question::Own(edge),
                (None, None) => Question::Equal(left, right),
            },
            Label::Reach { from, to, .. } => {
                Question::Walk(self.nodes.number(from.name), self.nodes.number(to.name))
            }
            _ => Question::Own(edge),
        }
    }

    /// Writes the code of edges that ask the same.
    fn group(&mut self, edges: &[u32]) {
        self.at(edges[0]);
        if let [edge] = *edges {
            if self.action(edge) {
                self.after(edge);
            }
            return;
        }
        self.in_use = 0;
        match self.question(edges[0]) {
            Question::Own(_) => {
                let ways: Vec<LabelId> =
                    edges.iter().map(|&edge| self.later(|l| Work::Group(l, vec![edge]))).collect();
                self.branch(&ways);
            }
            Question::Which(expr) => self.switch(expr, edges),
            Question::Equal(left, right) => {
                let (left_place, right_place) = (self.place(left), self.place(right));
                if let (Ty::Map(_), _) | (_, Ty::Map(_)) = (left_place.ty, right_place.ty) {
                    let ways: Vec<LabelId> = (edges.iter())
                        .map(|&edge| self.later(|l| Work::Group(l, vec![edge])))
                        .collect();
                    return self.branch(&ways);
                }
                let (left, right) = (self.load(left_place), self.load(right_place));
                let [equal, different] = self.sides(edges);
                let (left, right) = (left.register, right.register);
                self.emit(Op::Test { left, right, equal, different });
            }
            Question::Walk(from, to) => {
                let check = self.check(from, to);
                let [found, missing] = self.sides(edges);
                self.emit(Op::Check { check, found, missing });
            }
        }
        self.lists();
    }

    /// Labels of what follows the edges that want yes, and of what follows those that want no.
    fn sides(&mut self, edges: &[u32]) -> [LabelId; 2] {
        [true, false].map(|wanted| {
            let ways: Vec<LabelId> = (edges.iter())
                .filter(|&&edge| match self.edge_of(edge).label {
                    Label::Compare { equal, .. } => equal == wanted,
                    Label::Reach { negated, .. } => negated != wanted,
                    _ => false,
                })
                .copied()
                .collect();
            let ways: Vec<LabelId> =
                ways.into_iter().map(|edge| self.later(|label| Work::After(label, edge))).collect();
            self.list(ways)
        })
    }

    /// A label of code that takes each of some ways; that code is written by [`Self::lists`].
    fn list(&mut self, ways: Vec<LabelId>) -> LabelId {
        match ways[..] {
            [] => FAIL,
            [way] => way,
            _ => {
                let label = self.label();
                self.pending.push((label, ways));
                label
            }
        }
    }

    fn lists(&mut self) {
        for (label, ways) in std::mem::take(&mut self.pending) {
            self.labels[label as usize] = self.program.code.len() as Address;
            self.branch(&ways);
        }
    }

    fn switch(&mut self, expr: &'d Expr, edges: &[u32]) {
        let place = self.place(expr);
        let register = self.load(place).register;
        // By edge: the symbol, whether it must be that one, and what follows.
        let mut cases = Vec::with_capacity(edges.len());
        for &edge in edges {
            let Label::Compare { left, right, equal } = &self.edge_of(edge).label else { continue };
            let symbol = match self.known(right) {
                Some(symbol) => symbol,
                None => self.known(left).unwrap_or(0),
            };
            cases.push((symbol, *equal, edge));
        }
        let least = cases.iter().map(|case| case.0).min().unwrap_or(0);
        let span = cases.iter().map(|case| case.0).max().unwrap_or(0) - least;
        if span as usize > 16 * cases.len() + 256 {
            // A table would be mostly empty.
            let ways: Vec<LabelId> =
                edges.iter().map(|&edge| self.later(|l| Work::Group(l, vec![edge]))).collect();
            return self.branch(&ways);
        }
        let cases: Vec<(Symbol, bool, LabelId)> = (cases.into_iter())
            .map(|(symbol, equal, edge)| (symbol, equal, self.later(|l| Work::After(l, edge))))
            .collect();
        let others = |symbol: Option<Symbol>| {
            let excluded = cases.iter().filter(move |case| !case.1 && Some(case.0) != symbol);
            excluded.map(|case| case.2)
        };
        let otherwise: Vec<LabelId> = others(None).collect();
        let mut ways: HashMap<Symbol, Vec<LabelId>> = HashMap::new();
        for &(symbol, equal, label) in &cases {
            let ways = ways.entry(symbol).or_insert_with(|| others(Some(symbol)).collect());
            if equal {
                ways.push(label);
            }
        }
        let otherwise = self.list(otherwise);
        let first = self.program.targets.len() as u32;
        for symbol in least..=least + span {
            let target = match ways.remove(&symbol) {
                Some(ways) => self.list(ways),
                None => otherwise,
            };
            self.program.targets.push(target);
        }
        self.emit(Op::Switch { register, first, least, span, otherwise });
    }

    pub(super) fn check(&mut self, from: NodeId, to: NodeId) -> u32 {
        let check = Check { from, to };
        let checks = &mut self.program.checks;
        *self.checks.entry(check).or_insert_with(|| {
            checks.push(check);
            checks.len() as u32 - 1
        })
    }

    fn resolve_labels(&mut self) {
        let labels = &self.labels;
        let resolve = |label: &mut u32| *label = labels[*label as usize];
        self.program.targets.iter_mut().for_each(resolve);
        for op in &mut self.program.code {
            match op {
                Op::Jump(label) | Op::Switch { otherwise: label, .. } => resolve(label),
                Op::Test { equal: first, different: second, .. }
                | Op::Check { found: first, missing: second, .. } => {
                    resolve(first);
                    resolve(second);
                }
                _ => {}
            }
        }
    }
}
