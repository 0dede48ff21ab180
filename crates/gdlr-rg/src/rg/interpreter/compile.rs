//! Compiles a description to code.
//!
//! The code of a node with one edge runs straight on to the code of the next node. The edges of any
//! other node form groups. Edges that compare the same expression with symbols become an
//! [`Op::Switch`] or one comparison. A reachability check and its opposite become one
//! [`Op::Check`]. So a group evaluates its question once.
//!
//! A group whose answer matches none of its edges jumps to the next group. The other alternatives
//! go onto the stack only before an assignment ([`Compiler::keep_others`]). So edges that exclude
//! each other (RG, C.3, `@disjoint`) need no stack.
//!
//! Pieces of code refer to each other by labels, which become addresses at the end. The module
//! [`actions`](super::actions) writes the code of actions.

use super::layout::{Item, RegisterLayout};
use super::location::Location;
use super::nodes::Nodes;
use super::program::{ABSENT, Address, Check, FAIL, NodeId, Op, Program, Register, Symbol};
use crate::rg::ast::{Base, Description, Edge, Expr, Label};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use crate::rg::tuning::Tuning;
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashMap;
#[cfg(feature = "native")]
use hashbrown::HashSet;

/// Code, and the names of its nodes.
pub(super) struct Compiled {
    pub program: Program,
    /// The names of the nodes, by number.
    pub nodes: Vec<Name>,
    /// The number of landmarks among the nodes; these come first.
    pub landmarks: usize,
    /// Whether an edge assigns to `visible`.
    pub conceals: bool,
}

/// Compiles the edges of a description. Errors of the description go to the problems of the layout.
///
/// # Errors
///
/// When the budget is exhausted.
pub(super) fn compile(
    description: &Description,
    layout: &mut RegisterLayout,
    entries: &[Name],
    tuning: &Tuning,
    meter: &Meter<'_>,
) -> Result<Compiled, Exhausted> {
    let graph = Graph::new(description);
    let nodes = Nodes::new(description, &graph, entries, tuning.copies);
    let (names, landmarks) = (nodes.names.clone(), nodes.landmarks);
    let mut compiler = Compiler {
        description,
        layout,
        nodes,
        exclusions: tuning.exclusions,
        program: Program::default(),
        labels: vec![FAIL],
        work: Vec::new(),
        edge: 0,
        otherwise: FAIL,
        temporaries: Vec::new(),
        in_use: 0,
        checks: HashMap::new(),
        pending: Vec::new(),
        conceals: false,
        #[cfg(feature = "native")]
        roots: HashSet::new(),
    };
    compiler.run(meter)?;
    let (mut program, conceals) = (compiler.program, compiler.conceals);
    #[cfg(feature = "native")]
    {
        let state = compiler.layout.state as Register;
        let variables = compiler.roots.iter().filter(|(_, root)| *root < state);
        let variables: HashSet<Register> = variables.map(|&(base, _)| base).collect();
        let bases = compiler.roots.iter().map(|&(base, _)| base);
        program.constant_bases = bases.filter(|base| !variables.contains(base)).collect();
        program.temporaries = compiler.temporaries;
        program.temporaries.sort_unstable();
    }
    program.registers = std::mem::take(&mut layout.registers);
    program.offsets = std::mem::take(&mut layout.offsets);
    program.variables = layout.state;
    #[cfg(feature = "native")]
    {
        let mut compared = vec![false; description.edges.len()];
        for (op, &edge) in program.code.iter().zip(&program.edges) {
            if let (Op::Member { .. } | Op::MemberRow { .. }, Some(compared)) =
                (op, compared.get_mut(edge as usize))
            {
                *compared = true;
            }
        }
        let read_later = super::live::read_later(description, &graph, &compared);
        let is_read = |&edge: &u32| read_later.get(edge as usize).copied().unwrap_or(true);
        program.read_later = program.edges.iter().map(is_read).collect();
        program.artificial = crate::rg::ast::artificial_tags(&description.pragmas);
        program.scalars = layout.scalars();
    }
    Ok(Compiled { program, nodes: names, landmarks, conceals })
}

/// The index of a label; [`FAIL`] is a label and an address.
pub(super) type LabelId = u32;

/// A piece of code to write. The search goes on at `otherwise` if the first question of the piece
/// has no match.
enum Work {
    /// The code of a landmark.
    Node(NodeId),
    /// The code of edges that share one question.
    Group { label: LabelId, edges: Vec<u32>, otherwise: LabelId },
    /// The code after the action of an edge.
    After { label: LabelId, edge: u32, otherwise: LabelId },
}

/// The question that an edge asks.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Question<'d> {
    /// A question that no other edge asks.
    Own(u32),
    /// The symbol that an expression has.
    Which(&'d Expr),
    /// Whether two expressions are equal.
    Equal(&'d Expr, &'d Expr),
    /// Whether there is a walk between two nodes.
    Walk(NodeId, NodeId),
}

pub(super) struct Compiler<'d, 'l> {
    pub(super) description: &'d Description,
    pub(super) layout: &'l mut RegisterLayout,
    pub(super) nodes: Nodes,
    /// As in [`Tuning`].
    exclusions: usize,
    pub(super) program: Program,
    /// The addresses of the labels.
    pub(super) labels: Vec<Address>,
    work: Vec<Work>,
    /// The edge that is being compiled.
    pub(super) edge: u32,
    /// The target of a condition that does not hold: the other alternatives of the last fork, as
    /// long as nothing has changed since; [`FAIL`] once [`Op::Push`] has put them onto the stack.
    pub(super) otherwise: LabelId,
    pub(super) temporaries: Vec<Register>,
    /// The number of temporaries that the edge needs so far.
    pub(super) in_use: usize,
    checks: HashMap<Check, u32>,
    /// Branches to write after the operation that refers to them.
    pending: Vec<(LabelId, Vec<LabelId>)>,
    pub(super) conceals: bool,
    /// The bases of locations with keys, each with the first register of its variable or constant.
    #[cfg(feature = "native")]
    pub(super) roots: HashSet<(Register, Register)>,
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
            let address = self.program.code.len() as Address;
            meter.hold(Memory::Scratch, self.program.bytes());
            meter.spend(1 + address as usize - written)?;
            written = address as usize;
            match work {
                Work::Node(node) => {
                    self.program.entries[node as usize] = address;
                    self.otherwise = FAIL;
                    self.node(node);
                }
                Work::Group { label, edges, otherwise } => {
                    self.labels[label as usize] = address;
                    self.otherwise = otherwise;
                    self.group(&edges);
                }
                Work::After { label, edge, otherwise } => {
                    self.labels[label as usize] = address;
                    self.otherwise = otherwise;
                    self.after(edge);
                }
            }
        }
        self.resolve_labels();
        self.arrive_once();
        Ok(())
    }

    pub(super) fn emit(&mut self, op: Op) {
        self.program.code.push(op);
        self.program.edges.push(self.edge);
    }

    /// Removes the last operation.
    pub(super) fn take_back(&mut self) {
        self.program.code.pop();
        self.program.edges.pop();
    }

    /// Puts the other alternatives onto the stack, before an operation that changes something.
    pub(super) fn keep_others(&mut self) {
        match std::mem::replace(&mut self.otherwise, FAIL) {
            FAIL => {}
            others => self.emit(Op::Push(others)),
        }
    }

    /// Writes the code of a walk that ends here: it goes on with the other alternatives.
    pub(super) fn give_up(&mut self) {
        self.jump(self.otherwise);
    }

    fn jump(&mut self, label: LabelId) {
        self.emit(if label == FAIL { Op::Fail } else { Op::Jump(label) });
    }

    pub(super) fn label(&mut self) -> LabelId {
        self.labels.push(FAIL);
        self.labels.len() as LabelId - 1
    }

    /// Makes an edge the owner of the code that is written next.
    pub(super) fn at(&mut self, edge: u32) {
        self.edge = edge;
        self.layout.place = self.edge_of(edge).place.0;
    }

    pub(super) fn edge_of(&self, edge: u32) -> &'d Edge {
        &self.description.edges[edge as usize]
    }

    /// Writes the code of a node, and of the nodes behind it up to a landmark or a fork.
    fn node(&mut self, mut node: NodeId) {
        loop {
            let leaving = self.nodes.leaving(node);
            match *leaving {
                [] => return self.give_up(),
                [edge] => {
                    if !self.action(edge) {
                        return;
                    }
                    node = self.nodes.number(self.edge_of(edge).to.name);
                    if self.nodes.is_landmark(node) {
                        return self.emit(Op::Arrive { node, otherwise: self.otherwise });
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
            true => self.emit(Op::Arrive { node, otherwise: self.otherwise }),
            false => self.node(node),
        }
    }

    fn fork(&mut self, leaving: Vec<u32>) {
        self.at(leaving[0]);
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut group_of: HashMap<Question, usize> = HashMap::new();
        for edge in leaving {
            let question = self.question(edge);
            let group = *group_of.entry(question).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(edge);
        }
        let mut split = Vec::with_capacity(groups.len());
        // Each `x != s` is in the list of nearly every symbol.
        for group in groups {
            let exclusions = group.iter().filter(|&&edge| {
                matches!(self.edge_of(edge).label, Label::Compare { equal: false, .. })
            });
            let too_many = exclusions.count() > self.exclusions;
            match self.question(group[0]) {
                Question::Which(_) if too_many => {
                    split.extend(group.into_iter().map(|edge| vec![edge]));
                }
                _ => split.push(group),
            }
        }
        self.groups(split);
    }

    /// Writes the code that takes each of some groups of edges.
    fn groups(&mut self, groups: Vec<Vec<u32>>) {
        // The code of the first group comes here, and the code of each other group after the one
        // before it. Work is taken from the end.
        for edges in groups.into_iter().rev() {
            let (label, otherwise) = (self.label(), self.otherwise);
            self.work.push(Work::Group { label, edges, otherwise });
            self.otherwise = label;
        }
    }

    /// Writes the code that takes each of some alternatives.
    fn branch(&mut self, ways: &[LabelId]) {
        match *ways {
            [] => self.give_up(),
            [way] => self.jump(way),
            _ => {
                let first = self.program.targets.len() as u32;
                self.program.targets.extend(ways);
                self.emit(Op::Branch { first, end: self.program.targets.len() as u32 });
            }
        }
    }

    /// The symbol that an expression has in every state; `None` if it may vary, or is a map.
    pub(super) fn constant_symbol(&mut self, expr: &Expr) -> Option<Symbol> {
        let name = match &expr.base {
            Base::Name(ident) => ident.name,
            Base::Cast(..) => return None,
        };
        let Some(&Item { mut base, mut ty }) = self.layout.constants.get(&name) else {
            let is_symbol = expr.keys.is_empty() && !self.layout.variables.contains_key(&name);
            return is_symbol.then(|| self.layout.symbol(name));
        };
        for key in &expr.keys {
            let symbol = self.constant_symbol(key)?;
            let Ty::Map(map) = ty else { return None };
            let (Ty::Set(keys), values) = self.layout.types.map(map) else { return None };
            let (stride, key) = (self.layout.size(values)?, self.layout.literal(symbol));
            let table = self.layout.table(keys, 1);
            match self.layout.offset(table, key) {
                ABSENT => return None,
                offset => base = base.wrapping_add(offset * stride as u32),
            }
            ty = values;
        }
        let is_symbol = !matches!(ty, Ty::Map(_) | Ty::Unknown);
        is_symbol.then(|| self.layout.registers[base as usize])
    }

    fn question(&mut self, edge: u32) -> Question<'d> {
        match &self.edge_of(edge).label {
            Label::Compare { left, right, .. } => {
                match (self.constant_symbol(left), self.constant_symbol(right)) {
                    (None, Some(_)) => Question::Which(left),
                    (Some(_), None) => Question::Which(right),
                    (Some(_), Some(_)) => Question::Own(edge),
                    (None, None) => Question::Equal(left, right),
                }
            }
            Label::Reach { from, to, .. } => {
                Question::Walk(self.nodes.number(from.name), self.nodes.number(to.name))
            }
            _ => Question::Own(edge),
        }
    }

    /// Writes the code of edges that ask the same question.
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
            Question::Own(_) => self.one_by_one(edges),
            Question::Which(expr) => self.switch(expr, edges),
            Question::Equal(left, right) => {
                let (left, right) = (self.location(left), self.location(right));
                if let (Ty::Map(_), _) | (_, Ty::Map(_)) = (left.ty, right.ty) {
                    return self.one_by_one(edges);
                }
                self.test(left, right, edges);
            }
            Question::Walk(from, to) => {
                let check = self.check(from, to);
                let sides = self.sides(edges);
                self.keep_for_several(sides.iter());
                let [found, missing] = sides.map(|ways| self.list(ways));
                self.emit(Op::Check { check, found, missing });
            }
        }
        self.lists();
    }

    /// Writes the code of edges as if each asked a question of its own.
    fn one_by_one(&mut self, edges: &[u32]) {
        self.groups(edges.iter().map(|&edge| vec![edge]).collect());
    }

    /// Writes the code of edges that ask whether two symbols are equal, or differ.
    fn test(&mut self, left: Location, right: Location, edges: &[u32]) {
        let sides = self.sides(edges);
        self.keep_for_several(sides.iter());
        let [equal, different] = sides.map(|ways| self.list(ways));
        self.ask(left, right, equal, different);
    }

    /// The edges that need the answer yes, and the edges that need no.
    fn sides(&self, edges: &[u32]) -> [Vec<u32>; 2] {
        [true, false].map(|wanted| {
            let wants = |edge: &&u32| match self.edge_of(**edge).label {
                Label::Compare { equal, .. } => equal == wanted,
                Label::Reach { negated, .. } => negated != wanted,
                _ => false,
            };
            edges.iter().filter(wants).copied().collect()
        })
    }

    /// Puts the other alternatives onto the stack if one of the answers leaves several edges.
    fn keep_for_several<'w>(&mut self, mut answers: impl Iterator<Item = &'w Vec<u32>>) {
        if answers.any(|ways| ways.len() > 1) {
            self.keep_others();
        }
    }

    /// A label of code that takes each of some edges behind their actions. If they are several,
    /// [`Self::lists`] writes that code.
    fn list(&mut self, edges: Vec<u32>) -> LabelId {
        let ways = edges.into_iter().map(|edge| self.behind(edge)).collect();
        self.list_of(ways)
    }

    /// A label of the code after the action of an edge.
    fn behind(&mut self, edge: u32) -> LabelId {
        let (label, otherwise) = (self.label(), self.otherwise);
        self.work.push(Work::After { label, edge, otherwise });
        label
    }

    fn list_of(&mut self, ways: Vec<LabelId>) -> LabelId {
        match ways[..] {
            [] => self.otherwise,
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

    /// Writes the code of edges that compare one expression with symbols.
    fn switch(&mut self, expr: &'d Expr, edges: &[u32]) {
        // By edge: the symbol, and whether the expression must equal it.
        let mut cases = Vec::with_capacity(edges.len());
        for &edge in edges {
            let Label::Compare { left, right, equal } = &self.edge_of(edge).label else { continue };
            let symbol = match self.constant_symbol(right) {
                Some(symbol) => symbol,
                None => self.constant_symbol(left).unwrap_or(0),
            };
            cases.push((symbol, *equal, edge));
        }
        let least = cases.iter().map(|case| case.0).min().unwrap_or(0);
        let span = cases.iter().map(|case| case.0).max().unwrap_or(0) - least;
        if span == 0 {
            let (location, symbol) = (self.location(expr), self.location_of_symbol(least));
            return self.test(location, symbol, edges);
        }
        if span as usize > 16 * cases.len() + 256 {
            // A table would be mostly empty.
            return self.one_by_one(edges);
        }
        let others = |symbol: Option<Symbol>| {
            let excluded = cases.iter().filter(move |case| !case.1 && Some(case.0) != symbol);
            excluded.map(|case| case.2)
        };
        let otherwise: Vec<u32> = others(None).collect();
        let mut ways: HashMap<Symbol, Vec<u32>> = HashMap::new();
        for &(symbol, equal, edge) in &cases {
            let ways = ways.entry(symbol).or_insert_with(|| others(Some(symbol)).collect());
            if equal {
                ways.push(edge);
            }
        }
        self.keep_for_several(ways.values().chain([&otherwise]));
        let location = self.location(expr);
        let register = self.load(location).register;
        let labels: HashMap<u32, LabelId> =
            cases.iter().map(|&(.., edge)| (edge, self.behind(edge))).collect();
        let list = |compiler: &mut Self, ways: &[u32]| {
            compiler.list_of(ways.iter().map(|edge| labels[edge]).collect())
        };
        let otherwise = list(self, &otherwise);
        let first = self.program.targets.len() as u32;
        for symbol in least..=least + span {
            let target = match ways.get(&symbol) {
                Some(ways) => list(self, ways),
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

    /// Leaves out a walk to a landmark that is the alternative of another walk to it. Nothing has
    /// changed between the two, so that they are the same.
    fn arrive_once(&mut self) {
        let code = &mut self.program.code;
        for at in 0..code.len() {
            while let Op::Arrive { node, otherwise } = code[at]
                && let Op::Arrive { node: other, otherwise: next } = code[otherwise as usize]
                && node == other
            {
                code[at] = Op::Arrive { node, otherwise: next };
            }
        }
    }

    fn resolve_labels(&mut self) {
        let labels = &self.labels;
        let resolve = |label: &mut u32| *label = labels[*label as usize];
        self.program.targets.iter_mut().for_each(resolve);
        for op in &mut self.program.code {
            match op {
                Op::Jump(label)
                | Op::Push(label)
                | Op::Arrive { otherwise: label, .. }
                | Op::Switch { otherwise: label, .. } => resolve(label),
                Op::Compare { equal: first, different: second, .. }
                | Op::CompareEntry { equal: first, different: second, .. }
                | Op::CompareNested { equal: first, different: second, .. }
                | Op::CompareRow { equal: first, different: second, .. }
                | Op::Check { found: first, missing: second, .. } => {
                    resolve(first);
                    resolve(second);
                }
                _ => {}
            }
        }
    }
}
