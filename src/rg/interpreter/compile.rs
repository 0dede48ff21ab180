//! From a description to code.
//!
//! The code of a node with one edge goes straight on with that of the next node. The edges of
//! any other node are put into groups: those that compare the same expression with symbols
//! become a [`Op::Switch`], a comparison and its opposite a [`Op::Test`], a reachability check
//! and its opposite one [`Op::Check`]. So what groups ask is asked once. Between the groups
//! there is a [`Op::Branch`].
//!
//! Pieces of code refer to each other by labels, which become addresses at the end.

use super::layout::{Item, Layout};
use super::program::{ABSENT, Address, Check, FAIL, Key, NodeId, Op, Program, Register, Symbol};
use crate::diagnostic::Code;
use crate::rg::ast::{Base, Description, Edge, Expr, Label};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use crate::rg::types::Ty;
use hashbrown::HashMap;

/// How many `x != s` a switch takes in; each is in the list of nearly every symbol.
const MAX_EXCLUSIONS: usize = 4;

/// What the target of an edge to nowhere in particular is.
const NO_NODE: NodeId = NodeId::MAX;

/// Code, and the numbers that it has for nodes.
pub(super) struct Compiled {
    pub program: Program,
    /// By node: its name.
    pub nodes: Vec<Name>,
    /// Whether an edge assigns to `visible`.
    pub conceals: bool,
}

/// Compiles the edges of a description. What goes wrong is in the problems of the layout.
pub(super) fn compile(description: &Description, layout: &mut Layout) -> Compiled {
    let graph = Graph::new(description);
    let nodes = Nodes::new(description, &graph);
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
    compiler.run();
    let (mut program, conceals) = (compiler.program, compiler.conceals);
    program.registers = std::mem::take(&mut layout.registers);
    program.offsets = std::mem::take(&mut layout.offsets);
    program.variables = layout.state;
    Compiled { program, nodes: names, conceals }
}

/// The nodes that walks can come to, by number: first landmarks, then the others.
struct Nodes {
    names: Vec<Name>,
    /// How many are landmarks.
    landmarks: usize,
    /// By name: the number of the node.
    numbers: Vec<NodeId>,
    /// By node: where its edges begin in `leaving`; one more at the end.
    starts: Vec<u32>,
    /// Indices of edges.
    leaving: Vec<u32>,
    /// By name: whether a walk can come to the node. If not, it has no code: the landmarks
    /// behind it were not counted.
    alive: Vec<bool>,
}

impl Nodes {
    fn new(description: &Description, graph: &Graph) -> Nodes {
        let alive = graph.alive();
        let mut entered = vec![0u8; description.names.len()];
        let mut enter = |name: Name, times: u8| {
            let count = &mut entered[name.index()];
            *count = count.saturating_add(times);
        };
        // A landmark counts as entered twice; a walk that begins at a node enters it once.
        enter(Name::BEGIN, 2);
        enter(Name::END, 2);
        for edge in description.edges.iter().filter(|edge| alive[edge.from.name.index()]) {
            enter(edge.to.name, 1);
            match &edge.label {
                Label::Assign { target, .. } if variable_of(target) == Name::PLAYER => {
                    enter(edge.to.name, 2);
                }
                Label::Reach { from, to, .. } => {
                    enter(from.name, 2);
                    enter(to.name, 2);
                }
                _ => {}
            }
        }
        let mut names = Vec::new();
        let mut numbers = vec![NO_NODE; description.names.len()];
        let mut known = vec![false; description.names.len()];
        let mut add = |name: Name| {
            if !std::mem::replace(&mut known[name.index()], true) {
                numbers[name.index()] = names.len() as NodeId;
                names.push(name);
            }
        };
        add(Name::BEGIN);
        add(Name::END);
        let mut all: Vec<Name> = Vec::new();
        for edge in &description.edges {
            all.extend([edge.from.name, edge.to.name]);
            if let Label::Reach { from, to, .. } = &edge.label {
                all.extend([from.name, to.name]);
            }
        }
        all.iter().filter(|name| entered[name.index()] >= 2).for_each(|&name| add(name));
        let landmarks = known.iter().filter(|&&known| known).count();
        let mut add = |name: Name| {
            if !std::mem::replace(&mut known[name.index()], true) {
                numbers[name.index()] = names.len() as NodeId;
                names.push(name);
            }
        };
        all.into_iter().for_each(&mut add);
        let mut starts = vec![0; names.len() + 1];
        for edge in &description.edges {
            starts[numbers[edge.from.name.index()] as usize + 1] += 1;
        }
        for index in 0..names.len() {
            starts[index + 1] += starts[index];
        }
        let mut free = starts.clone();
        let mut leaving = vec![0; description.edges.len()];
        for (index, edge) in description.edges.iter().enumerate() {
            let place = &mut free[numbers[edge.from.name.index()] as usize];
            leaving[*place as usize] = index as u32;
            *place += 1;
        }
        Nodes { names, landmarks, numbers, starts, leaving, alive }
    }

    fn number(&self, name: Name) -> NodeId {
        self.numbers[name.index()]
    }

    fn is_landmark(&self, node: NodeId) -> bool {
        (node as usize) < self.landmarks
    }

    fn leaving(&self, node: NodeId) -> &[u32] {
        let node = node as usize;
        &self.leaving[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// The name that an expression begins with.
fn variable_of(expr: &Expr) -> Name {
    let mut expr = expr;
    loop {
        match &expr.base {
            Base::Name(name) => return name.name,
            Base::Cast(_, inner) => expr = inner,
        }
    }
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

/// An expression, compiled as far as where its value is.
struct Place {
    base: Register,
    /// Keys that are not known before play.
    keys: Vec<Key>,
    ty: Ty,
    /// What the value is cast to, from the first cast on.
    casts: Vec<Ty>,
}

/// A symbol in a register.
#[derive(Clone, Copy)]
struct Operand {
    register: Register,
    /// Which symbols it may be.
    ty: Ty,
}

struct Compiler<'d, 'l> {
    description: &'d Description,
    layout: &'l mut Layout,
    nodes: Nodes,
    program: Program,
    /// By label: its address.
    labels: Vec<Address>,
    work: Vec<Work>,
    /// The edge that is being compiled.
    edge: u32,
    temporaries: Vec<Register>,
    /// How many of them the edge needs so far.
    in_use: usize,
    checks: HashMap<Check, u32>,
    /// Branches to write behind the operation that refers to them.
    pending: Vec<(LabelId, Vec<LabelId>)>,
    conceals: bool,
}

impl<'d> Compiler<'d, '_> {
    fn run(&mut self) {
        self.emit(Op::Fail);
        self.program.entries = vec![FAIL; self.nodes.names.len()];
        for node in (0..self.nodes.landmarks as NodeId).rev() {
            if self.nodes.alive[self.nodes.names[node as usize].index()] {
                self.work.push(Work::Node(node));
            }
        }
        while let Some(work) = self.work.pop() {
            let here = self.program.code.len() as Address;
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
    }

    fn emit(&mut self, op: Op) {
        self.program.code.push(op);
        self.program.edges.push(self.edge);
    }

    fn label(&mut self) -> LabelId {
        self.labels.push(FAIL);
        self.labels.len() as LabelId - 1
    }

    fn later(&mut self, work: impl FnOnce(LabelId) -> Work) -> LabelId {
        let label = self.label();
        self.work.push(work(label));
        label
    }

    fn edge_of(&self, edge: u32) -> &'d Edge {
        &self.description.edges[edge as usize]
    }

    /// Writes the code of a node, and of those behind it up to a landmark or a fork.
    fn node(&mut self, mut node: NodeId) {
        loop {
            let leaving = self.nodes.leaving(node);
            match *leaving {
                [] => return self.emit(Op::Fail),
                [edge] => {
                    self.edge = edge;
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
        self.edge = edge;
        let node = self.nodes.number(self.edge_of(edge).to.name);
        match self.nodes.is_landmark(node) {
            true => self.emit(Op::Arrive(node)),
            false => self.node(node),
        }
    }

    fn fork(&mut self, leaving: Vec<u32>) {
        self.edge = leaving[0];
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
    fn known(&mut self, expr: &Expr) -> Option<Symbol> {
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
        self.edge = edges[0];
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
        if usize::from(span) > 16 * cases.len() + 256 {
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

    fn check(&mut self, from: NodeId, to: NodeId) -> u32 {
        let check = Check { from, to };
        let checks = &mut self.program.checks;
        *self.checks.entry(check).or_insert_with(|| {
            checks.push(check);
            checks.len() as u32 - 1
        })
    }

    /// Writes the code of one action, which goes on with what is written next; says whether
    /// anything can follow it.
    fn action(&mut self, edge: u32) -> bool {
        self.in_use = 0;
        self.edge = edge;
        let edge = self.edge_of(edge);
        match &edge.label {
            Label::Skip => {}
            Label::Tag(tag) => self.emit(Op::Tag(tag.name)),
            Label::TagVariable(variable) => match self.layout.variables.get(&variable.name) {
                Some(&Item { base, ty: Ty::Set(_) }) => self.emit(Op::TagVariable(base)),
                _ => {
                    let message = "this is no variable of a set type";
                    self.layout.problem(Code::RgNotASet, variable.place.0, message);
                }
            },
            Label::Reach { from, to, negated } => {
                let (from, to) = (self.nodes.number(from.name), self.nodes.number(to.name));
                let check = self.check(from, to);
                let next = self.label();
                let (found, missing) = if *negated { (FAIL, next) } else { (next, FAIL) };
                self.emit(Op::Check { check, found, missing });
                self.labels[next as usize] = self.program.code.len() as Address;
            }
            Label::Compare { left, right, equal } => return self.compare(left, right, *equal),
            Label::Assign { target, value } => self.assign(edge, target, value),
            Label::AssignAny { target, .. } => self.assign_any(edge, target),
        }
        true
    }

    fn compare(&mut self, left: &'d Expr, right: &'d Expr, equal: bool) -> bool {
        if let (Some(left), Some(right)) = (self.known(left), self.known(right)) {
            if (left == right) != equal {
                self.emit(Op::Fail);
            }
            return (left == right) == equal;
        }
        let span = right.place.0;
        let (left, right) = (self.place(left), self.place(right));
        if let (Ty::Map(_), _) | (_, Ty::Map(_)) = (left.ty, right.ty) {
            let length = self.row(&left, &right, span);
            self.locate(0, &left);
            self.locate(1, &right);
            self.emit(Op::CompareRow { length, equal });
            return true;
        }
        let (entry, other) = match (&left.keys[..], &right.keys[..]) {
            ([_], _) if left.casts.is_empty() => (left, right),
            (_, [_]) if right.casts.is_empty() => (right, left),
            _ => {
                let (left, right) = (self.load(left).register, self.load(right).register);
                self.emit(Op::Compare { left, right, equal });
                return true;
            }
        };
        let with = self.load(other).register;
        self.emit(Op::CompareEntry { base: entry.base, key: entry.keys[0], with, equal });
        true
    }

    /// How many registers a map takes that is compared with another or assigned to it.
    fn row(&mut self, left: &Place, right: &Place, span: crate::diagnostic::Span) -> u32 {
        let casts = left.casts.iter().chain(&right.casts);
        let mut types = casts.chain([&left.ty, &right.ty]);
        let alike = types.all(|&ty| self.layout.same_keys(ty, left.ty));
        match self.layout.size(left.ty) {
            Some(size) if alike => size as u32,
            _ => {
                let message = "maps with different keys can be neither compared nor assigned";
                self.layout.problem(Code::RgMismatch, span, message);
                0
            }
        }
    }

    fn assign(&mut self, edge: &Edge, target: &'d Expr, value: &'d Expr) {
        let source = self.place(value);
        let target_place = self.place_of(target, false);
        self.conceals |= variable_of(target) == Name::VISIBLE;
        if target_place.base as usize >= self.layout.state {
            let message = "this is no variable";
            return self.layout.problem(Code::RgNotAVariable, target.place.0, message);
        }
        if let (Ty::Map(_), _) | (_, Ty::Map(_)) = (source.ty, target_place.ty) {
            let length = self.row(&target_place, &source, value.place.0);
            self.locate(0, &target_place);
            self.locate(1, &source);
            let mut given = self.layout.leaf(source.ty);
            let needed = source.casts.iter().chain([&target_place.ty]).chain(&target_place.casts);
            for &needed in needed {
                given = self.member_row(given, self.layout.leaf(needed), length);
            }
            return self.emit(Op::CopyRow { length });
        }
        let mut operand = self.load(source);
        for &needed in [&target_place.ty].into_iter().chain(&target_place.casts) {
            operand = self.member(operand, needed);
        }
        let from = operand.register;
        let base = target_place.base;
        match target_place.keys[..] {
            [] if variable_of(target) == Name::PLAYER => {
                let node = self.nodes.number(edge.to.name);
                self.emit(Op::Finish { from, node });
            }
            [] => self.emit(Op::Move { to: base, from }),
            [key] => self.emit(Op::Store { base, key, from }),
            [ref keys @ .., key] => {
                self.emit(Op::Locate { which: 0, base });
                keys.iter().for_each(|&key| self.emit(Op::Advance { which: 0, key }));
                self.emit(Op::StoreThere { key, from });
            }
        }
    }

    fn assign_any(&mut self, edge: &'d Edge, target: &'d Expr) {
        let Label::AssignAny { values, .. } = &edge.label else { return };
        let drawn = self.layout.types.resolve(values, &mut Vec::new());
        let place = self.place_of(target, false);
        self.conceals |= variable_of(target) == Name::VISIBLE;
        let fits = [place.ty]
            .iter()
            .chain(&place.casts)
            .all(|&ty| matches!(ty, Ty::Set(_)) && self.layout.types.contains(ty, drawn));
        let (Ty::Set(drawn), true) = (drawn, fits) else {
            let message = "the variable cannot have all values of this type";
            return self.layout.problem(Code::RgMismatch, values.span(), message);
        };
        if place.base as usize >= self.layout.state || variable_of(target) == Name::PLAYER {
            let message = "this is no variable that can have any value";
            return self.layout.problem(Code::RgNotAVariable, target.place.0, message);
        }
        let first = self.program.choices.len() as u32;
        for name in self.layout.types.symbols(drawn).to_vec() {
            let symbol = self.layout.symbol(name);
            self.program.choices.push(symbol);
        }
        self.locate(0, &place);
        self.emit(Op::Any { first, end: self.program.choices.len() as u32 });
    }

    fn locate(&mut self, which: u8, place: &Place) {
        self.emit(Op::Locate { which, base: place.base });
        place.keys.iter().for_each(|&key| self.emit(Op::Advance { which, key }));
    }

    fn temporary(&mut self) -> Register {
        if self.in_use == self.temporaries.len() {
            let register = self.layout.temporary();
            self.temporaries.push(register);
        }
        self.in_use += 1;
        self.temporaries[self.in_use - 1]
    }

    /// Writes the code that loads the keys of an expression that is read.
    ///
    /// A map has its default for every key that it does not list (RG, 2.1), also for one that
    /// is not of its type, as long as it is the key of a variable or constant and not of a map
    /// in it. Nothing can be assigned there.
    fn place(&mut self, expr: &'d Expr) -> Place {
        self.place_of(expr, true)
    }

    fn place_of(&mut self, expr: &'d Expr, read: bool) -> Place {
        let mut place = match &expr.base {
            Base::Name(name) => {
                let constant = self.layout.constants.get(&name.name);
                let (base, ty) = match constant.or_else(|| self.layout.variables.get(&name.name)) {
                    Some(&Item { base, ty }) => (base, ty),
                    None => {
                        let symbol = self.layout.symbol(name.name);
                        (self.layout.literal(symbol), Ty::Symbol(name.name))
                    }
                };
                Place { base, keys: Vec::new(), ty, casts: Vec::new() }
            }
            Base::Cast(name, inner) => {
                let mut place = self.place(inner);
                match self.layout.types.named(name.name) {
                    Some(ty) => place.casts.push(ty),
                    None => {
                        let message = "there is no such type";
                        self.layout.problem(Code::RgUnknownType, name.place.0, message);
                    }
                }
                place
            }
        };
        for (number, key) in expr.keys.iter().enumerate() {
            let inner = self.place(key);
            let operand = self.load(inner);
            let whole = match expr.base {
                Base::Name(name) if read && number == 0 => Some(name.name),
                _ => None,
            };
            self.access(&mut place, operand, key, whole);
        }
        place
    }

    /// `whole` is the variable or constant that the key is of, if its default may be meant.
    fn access(&mut self, place: &mut Place, operand: Operand, key: &Expr, whole: Option<Name>) {
        let not_a_map = "this is the key of something that is no map";
        let mut casts = std::mem::take(&mut place.casts);
        for cast in &mut casts {
            let Ty::Map(map) = *cast else {
                return self.layout.problem(Code::RgNotAMap, key.place.0, not_a_map);
            };
            let (keys, values) = self.layout.types.map(map);
            self.member(operand, keys);
            *cast = values;
        }
        let Ty::Map(map) = place.ty else {
            return self.layout.problem(Code::RgNotAMap, key.place.0, not_a_map);
        };
        let (Ty::Set(keys), values) = self.layout.types.map(map) else { return };
        let Some(stride) = self.layout.size(values) else { return };
        let default = whole
            .filter(|_| !self.surely(Ty::Set(keys), operand.ty))
            .and_then(|whole| self.layout.default(whole, self.description));
        let table = match (default, operand.ty) {
            (Some(default), Ty::Set(given)) => {
                self.layout.loose_table(keys, stride, given, default - place.base)
            }
            _ => self.layout.table(keys, stride),
        };
        let Operand { register, .. } = operand;
        if self.is_fixed(register) {
            let symbol = self.layout.registers[register as usize];
            let distance = symbol.wrapping_sub(table.least);
            let offset = match distance <= table.span {
                true => self.layout.offsets[table.first as usize + usize::from(distance)],
                false => ABSENT,
            };
            if offset != ABSENT {
                place.base += offset;
            } else {
                // Found out when the action is taken.
                place.keys.push(Key { register, table });
            }
        } else {
            place.keys.push(Key { register, table });
        }
        place.ty = values;
        place.casts = casts;
    }

    /// Whether a register holds the same symbol always.
    fn is_fixed(&self, register: Register) -> bool {
        register as usize >= self.layout.state && !self.temporaries.contains(&register)
    }

    /// Writes the code that puts the value of an expression into a register.
    fn load(&mut self, place: Place) -> Operand {
        let base = place.base;
        let register = match place.keys[..] {
            [] => base,
            [key] => {
                let to = self.temporary();
                self.emit(Op::Load { to, base, key });
                to
            }
            [ref keys @ .., key] => {
                let to = self.temporary();
                self.emit(Op::Locate { which: 0, base });
                keys.iter().for_each(|&key| self.emit(Op::Advance { which: 0, key }));
                self.emit(Op::LoadThere { to, key });
                to
            }
        };
        if let Ty::Map(_) | Ty::Unknown = place.ty {
            let edge = self.edge_of(self.edge);
            let message = "there is a map where a symbol is needed";
            self.layout.problem(Code::RgNotASet, edge.place.0, message);
        }
        let operand = Operand { register, ty: place.ty };
        place.casts.into_iter().fold(operand, |operand, cast| self.member(operand, cast))
    }

    /// Makes sure that a symbol is of a type.
    fn member(&mut self, operand: Operand, needed: Ty) -> Operand {
        match needed {
            Ty::Set(set) if !self.surely(needed, operand.ty) => {
                let table = self.layout.table(set, 1);
                self.emit(Op::Member { register: operand.register, table });
                Operand { ty: needed, ..operand }
            }
            _ => operand,
        }
    }

    fn member_row(&mut self, given: Ty, needed: Ty, length: u32) -> Ty {
        match needed {
            Ty::Set(set) if !self.surely(needed, given) => {
                let table = self.layout.table(set, 1);
                self.emit(Op::MemberRow { length, table });
                needed
            }
            _ => given,
        }
    }

    /// Whether a set has all symbols of another type.
    fn surely(&self, needed: Ty, given: Ty) -> bool {
        match given {
            Ty::Set(_) | Ty::Symbol(_) => self.layout.types.contains(needed, given),
            Ty::Map(_) | Ty::Unknown => false,
        }
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
