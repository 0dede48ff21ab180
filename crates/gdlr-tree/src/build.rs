//! Building the trees: from flat rules to a [`Plan`] (FI, V).
//!
//! Starting from the roots, an OR node is made for each relation and filter that a
//! condition asks for, and an AND node for each of its rules. FI gives every condition its
//! own subtree; here conditions that ask the same relation on the same columns share one
//! node, so that its results are computed once a state and what one condition has asked
//! need not be proved for the next (recurrence tabling, FI, VII.D, for all nodes).

use super::options::TreeOptions;
use super::order::{self, order};
use super::plan::*;
use super::sizes::Sizes;
use super::table::{Access, Table};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use hashbrown::HashMap;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

/// The most filters of one relation; further conditions use the best of these.
const MAX_FILTERS: usize = 8;

/// The properties of a relation that are known before trees are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Computed at set-up: the number of its table.
    Static(u32),
    /// Facts of the state: the number of the base relation.
    Base(u32),
    /// The joint move.
    Does,
    /// Proved from rules; the number of its strongly connected component, if it depends on
    /// itself.
    Proved(Option<u32>),
}

/// The input of building.
pub(super) struct Context<'a> {
    pub(super) rules: &'a [FlatRule],
    /// By relation: the places of its rules.
    pub(super) rules_of: &'a [Vec<u32>],
    pub(super) widths: &'a [usize],
    /// By relation: the columns of each argument.
    pub(super) args: &'a [Vec<Range<u16>>],
    pub(super) classes: &'a [Class],
    pub(super) bases: usize,
    pub(super) sizes: &'a Sizes,
    /// By rule: the condition to begin with, where that has been chosen.
    pub(super) firsts: &'a HashMap<u32, u32>,
    pub(super) orders: &'a Orders,
    /// By relation: whether conditions pass on what they know (FI, VI.D).
    pub(super) filtered: &'a [bool],
    /// Relations to prove ahead of the roots, each after those it depends on.
    pub(super) ahead: &'a [RelationId],
    pub(super) options: &'a TreeOptions,
}

/// The orders of conditions found so far: by rule, filter and chosen beginning.
pub(super) type Orders = RefCell<HashMap<(u32, Vec<u16>, Option<u32>), Vec<usize>>>;

/// Builds the trees whose roots are these relations, each with the columns of its filter.
pub(super) fn build(
    context: &Context<'_>,
    statics: &mut [Arc<Table>],
    roots: &[(RelationId, Vec<u16>)],
) -> Plan {
    let mut builder = Builder {
        context,
        statics,
        plan: Plan { base_indexes: vec![Vec::new(); context.bases], ..Plan::default() },
        nodes: HashMap::new(),
        filters: HashMap::new(),
        components: HashMap::new(),
        open: Vec::new(),
    };
    for (relation, filter) in roots {
        let root = builder.node(*relation, filter.clone());
        builder.plan.roots.push(root);
    }
    while let Some(or) = builder.open.pop() {
        builder.expand(or);
    }
    let mut plan = builder.plan;
    let whole = |relation: &RelationId| builder.nodes.get(&(*relation, Vec::new())).copied();
    plan.ahead = context.ahead.iter().filter_map(whole).collect();
    plan
}

struct Builder<'a> {
    context: &'a Context<'a>,
    statics: &'a mut [Arc<Table>],
    plan: Plan,
    nodes: HashMap<(RelationId, Vec<u16>), OrId>,
    /// By relation: the filters that there are.
    filters: HashMap<RelationId, Vec<Vec<u16>>>,
    components: HashMap<u32, ComponentId>,
    open: Vec<OrId>,
}

/// The rows of an AND node on their way through its conditions.
struct RowLayout {
    /// By column: its variable.
    columns: Vec<Variable>,
}

impl RowLayout {
    fn column(&self, variable: Variable) -> Option<u16> {
        self.columns.iter().position(|&v| v == variable).map(|column| column as u16)
    }

    fn operand(&self, term: FlatTerm) -> Option<Operand> {
        match term {
            FlatTerm::Constant(symbol) => Some(Operand::Constant(symbol)),
            FlatTerm::Variable(v) => self.column(v).map(Operand::Column),
        }
    }
}

/// Joins neighbouring columns that move together.
fn runs(columns: impl Iterator<Item = (u16, u16)>) -> Vec<Columns> {
    let mut runs: Vec<Columns> = Vec::new();
    for (from, to) in columns {
        match runs.last_mut() {
            Some(run) if run.from + run.len == from && run.to + run.len == to => run.len += 1,
            _ => runs.push(Columns { from, to, len: 1 }),
        }
    }
    runs
}

impl Builder<'_> {
    /// The OR node of a relation with a filter on these columns.
    fn node(&mut self, relation: RelationId, mut filter: Vec<u16>) -> OrId {
        if !filter.is_empty() {
            let filters = self.filters.entry(relation).or_default();
            if !filters.contains(&filter) {
                if filters.len() < MAX_FILTERS {
                    filters.push(filter.clone());
                } else {
                    let covers = |f: &&Vec<u16>| f.iter().all(|column| filter.contains(column));
                    filter = filters
                        .iter()
                        .filter(covers)
                        .max_by_key(|f| f.len())
                        .cloned()
                        .unwrap_or_default();
                }
            }
        }
        if let Some(&or) = self.nodes.get(&(relation, filter.clone())) {
            return or;
        }
        let or = OrId(self.plan.ors.len() as u32);
        let component = match self.context.classes[relation.index()] {
            Class::Proved(Some(number)) => {
                let components = &mut self.plan.components;
                let id = *self.components.entry(number).or_insert_with(|| {
                    components.push(Component::default());
                    ComponentId((components.len() - 1) as u32)
                });
                components[id.index()].nodes.push(or);
                Some(id)
            }
            _ => None,
        };
        self.plan.ors.push(OrNode {
            relation,
            filter: filter.clone(),
            width: self.context.widths[relation.index()],
            ands: Vec::new(),
            component,
            indexes: Vec::new(),
        });
        self.nodes.insert((relation, filter), or);
        self.open.push(or);
        or
    }

    fn expand(&mut self, or: OrId) {
        let relation = self.plan.ors[or.index()].relation;
        let context = self.context;
        for &place in &context.rules_of[relation.index()] {
            self.rule(or, place);
        }
    }

    fn proved(&self, relation: RelationId) -> bool {
        matches!(self.context.classes[relation.index()], Class::Proved(_))
    }

    /// Adds the AND node of a rule, unless head and filter contradict each other.
    fn rule(&mut self, or: OrId, place: u32) {
        let rule = &self.context.rules[place as usize];
        let filter = self.plan.ors[or.index()].filter.clone();
        let mut bound = vec![false; usize::from(rule.variables)];
        let mut firsts: Vec<(Variable, u16)> = Vec::new();
        let (mut constants, mut equal) = (Vec::new(), Vec::new());
        for (place, &column) in filter.iter().enumerate() {
            match rule.head.args[usize::from(column)] {
                FlatTerm::Constant(symbol) => constants.push((place as u16, symbol)),
                FlatTerm::Variable(v) => match firsts.iter().find(|(known, _)| *known == v) {
                    Some(&(_, first)) => equal.push((first, place as u16)),
                    None => {
                        firsts.push((v, place as u16));
                        bound[usize::from(v.0)] = true;
                    }
                },
            }
        }
        let first = self.context.firsts.get(&place).copied();
        let orders = self.context.orders;
        let cached = orders.borrow().get(&(place, filter.clone(), first)).cloned();
        let order = cached.unwrap_or_else(|| {
            let order = order(rule, &bound, self.context.sizes, &|r| self.proved(r), first);
            orders.borrow_mut().insert((place, filter.clone(), first), order.clone());
            order
        });
        self.plan.columns += rule.body.iter().map(columns).sum::<usize>();
        let body: Vec<&FlatLiteral> = order.iter().map(|&place| &rule.body[place]).collect();
        let and = AndId(self.plan.ands.len() as u32);
        self.plan.ands.push(AndNode {
            or,
            rule: place,
            source: rule.source,
            constants,
            equal,
            take: firsts.iter().map(|&(_, place)| place).collect(),
            segments: Vec::new(),
        });
        self.plan.ors[or.index()].ands.push(and);
        let mut layout = RowLayout { columns: firsts.iter().map(|&(v, _)| v).collect() };
        let last_use = last_use(rule, &body);
        let mut steps = Vec::new();
        let mut segments = Vec::new();
        for (place, literal) in body.iter().enumerate() {
            match literal {
                FlatLiteral::Positive(atom) => {
                    let needed = |v: Variable| last_use[usize::from(v.0)] > place;
                    let recurrent = self.is_recurrent(or, atom.relation);
                    let (merge, after) = self.merge(&layout, atom, &needed);
                    if recurrent {
                        let id = self.recurrence(and, segments.len() + 1, &layout, merge);
                        let steps = std::mem::take(&mut steps);
                        segments.push(Segment { steps, end: End::Recurrence(id) });
                        layout = after;
                    } else if merge.right.is_empty() && !layout.columns.is_empty() {
                        let kind = merge.kind;
                        steps.push(Step::Test(Test::Exists { kind, query: merge.query }));
                    } else {
                        steps.push(Step::Merge(merge));
                        layout = after;
                    }
                }
                other => steps.push(Step::Test(self.test(&layout, other))),
            }
        }
        let head = rule.head.args.iter().map(|&arg| {
            layout.operand(arg).expect("the normal form binds every variable of a head")
        });
        segments.push(Segment { steps, end: End::Head(head.collect()) });
        self.plan.ands[and.index()].segments = segments;
    }

    fn is_recurrent(&self, or: OrId, relation: RelationId) -> bool {
        let own = self.context.classes[self.plan.ors[or.index()].relation.index()];
        let other = self.context.classes[relation.index()];
        matches!((own, other), (Class::Proved(Some(a)), Class::Proved(Some(b))) if a == b)
    }

    fn recurrence(
        &mut self,
        and: AndId,
        segment: usize,
        layout: &RowLayout,
        merge: Merge,
    ) -> RecurrenceId {
        let Source::Node(target) = merge.query.source else {
            unreachable!("a recurrent relation is proved")
        };
        let id = RecurrenceId(self.plan.recurrences.len() as u32);
        let common = merge
            .query
            .key
            .iter()
            .filter_map(|&(column, operand)| match operand {
                Operand::Column(mine) => Some((mine, column)),
                Operand::Constant(_) => None,
            })
            .collect();
        let component = self.plan.ors[target.index()].component;
        let component = component.expect("a recurrent relation has a component");
        self.plan.components[component.index()].recurrences.push(id);
        self.plan.recurrences.push(Recurrence {
            and,
            segment,
            target,
            merge,
            width: layout.columns.len(),
            common,
        });
        id
    }

    /// The merge of a positive condition and the layout behind it.
    fn merge(
        &mut self,
        layout: &RowLayout,
        atom: &FlatAtom,
        needed: &dyn Fn(Variable) -> bool,
    ) -> (Merge, RowLayout) {
        let (query, fresh) = self.query(layout, atom);
        let keeps = |v: &Variable| needed(*v);
        let mut after = RowLayout { columns: Vec::new() };
        let mut left = Vec::new();
        for (column, variable) in layout.columns.iter().enumerate() {
            if keeps(variable) {
                left.push((column as u16, after.columns.len() as u16));
                after.columns.push(*variable);
            }
        }
        let mut right = Vec::new();
        for (variable, column) in fresh {
            if keeps(&variable) {
                right.push((column, after.columns.len() as u16));
                after.columns.push(variable);
            }
        }
        let common = query.key.iter().any(|(_, o)| matches!(o, Operand::Column(_)));
        let kind = match (!right.is_empty(), common, !layout.columns.is_empty()) {
            (true, _, false) => MergeKind::New,
            (true, true, true) => MergeKind::True,
            (true, false, true) => MergeKind::Combine,
            (false, true, _) => MergeKind::Verify,
            (false, false, _) => MergeKind::Check,
        };
        let merge = Merge {
            kind,
            query,
            width: after.columns.len(),
            left: runs(left.into_iter()),
            right: runs(right.into_iter()),
        };
        (merge, after)
    }

    /// The query of a condition, and the variables that it could bind with their columns.
    fn query(&mut self, layout: &RowLayout, atom: &FlatAtom) -> (Query, Vec<(Variable, u16)>) {
        let mut key = Vec::new();
        let mut equal = Vec::new();
        let mut fresh: Vec<(Variable, u16)> = Vec::new();
        for (column, &arg) in atom.args.iter().enumerate() {
            let column = column as u16;
            match (layout.operand(arg), arg) {
                (Some(operand), _) => key.push((column, operand)),
                (None, FlatTerm::Constant(symbol)) => key.push((column, Operand::Constant(symbol))),
                (None, FlatTerm::Variable(v)) => {
                    match fresh.iter().find(|(known, _)| *known == v) {
                        Some(&(_, first)) => equal.push((first, column)),
                        None => fresh.push((v, column)),
                    }
                }
            }
        }
        let columns: Vec<u16> = key.iter().map(|&(column, _)| column).collect();
        let mut filter = Vec::new();
        let source = match self.context.classes[atom.relation.index()] {
            Class::Static(table) => Source::Static(table),
            Class::Base(base) => Source::Base(base),
            Class::Does => Source::Does,
            Class::Proved(_) => {
                let wanted = match self.context.filtered[atom.relation.index()] {
                    true => self.filter_columns(atom.relation, &columns),
                    false => Vec::new(),
                };
                let node = self.node(atom.relation, wanted);
                let columns = &self.plan.ors[node.index()].filter;
                filter = key.iter().filter(|(c, _)| columns.contains(c)).map(|&(_, o)| o).collect();
                Source::Node(node)
            }
        };
        let access = self.access(source, columns, atom.args.len());
        let packed = PackedKey::new(&key);
        (Query { relation: atom.relation, source, key, packed, equal, access, filter }, fresh)
    }

    /// The columns to filter on, of those that are bound: whole arguments, so that
    /// conditions which know parts of a compound term share their filters.
    fn filter_columns(&self, relation: RelationId, bound: &[u16]) -> Vec<u16> {
        let args = &self.context.args[relation.index()];
        let whole: Vec<u16> = args
            .iter()
            .filter(|arg| (*arg).clone().all(|column| bound.contains(&column)))
            .flat_map(Clone::clone)
            .collect();
        if whole.is_empty() { bound.to_vec() } else { whole }
    }

    /// The index of a source on these columns.
    fn access(&mut self, source: Source, columns: Vec<u16>, width: usize) -> Access {
        if columns.is_empty() || !self.context.options.hashing {
            return Access::Scan;
        }
        if columns.len() == width && source != Source::Does {
            return Access::Unique;
        }
        let indexes = match source {
            Source::Does => return Access::Scan,
            Source::Static(table) => {
                return Table::hash_on(&mut self.statics[table as usize], &columns);
            }
            Source::Base(base) => &mut self.plan.base_indexes[base as usize],
            Source::Node(or) => &mut self.plan.ors[or.index()].indexes,
        };
        let place = indexes.iter().position(|c| *c == columns).unwrap_or_else(|| {
            indexes.push(columns);
            indexes.len() - 1
        });
        Access::Index(place as u16)
    }

    /// The test of a condition that binds nothing.
    fn test(&mut self, layout: &RowLayout, literal: &FlatLiteral) -> Test {
        let operands = |pairs: &[(FlatTerm, FlatTerm)]| {
            let operand = |term: FlatTerm| {
                layout.operand(term).expect("the normal form binds every variable of a comparison")
            };
            pairs.iter().map(|&(a, b)| (operand(a), operand(b))).collect()
        };
        match literal {
            FlatLiteral::Distinct(pairs) => Test::Distinct(operands(pairs)),
            FlatLiteral::Same(pairs) => Test::Same(operands(pairs)),
            FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => {
                let (query, _) = self.query(layout, atom);
                let common = query.key.iter().any(|(_, o)| matches!(o, Operand::Column(_)));
                let kind = match (matches!(literal, FlatLiteral::Positive(_)), common) {
                    (true, true) => MergeKind::Verify,
                    (true, false) => MergeKind::Check,
                    (false, true) => MergeKind::VerifyNot,
                    (false, false) => MergeKind::CheckNot,
                };
                Test::Exists { kind, query }
            }
            FlatLiteral::Any(branches) => Test::Any(
                branches
                    .iter()
                    .map(|branch| branch.iter().map(|literal| self.test(layout, literal)).collect())
                    .collect(),
            ),
        }
    }
}

/// The columns of a condition.
fn columns(literal: &FlatLiteral) -> usize {
    match literal {
        FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => atom.args.len(),
        FlatLiteral::Distinct(pairs) | FlatLiteral::Same(pairs) => 2 * pairs.len(),
        FlatLiteral::Any(branches) => branches.iter().flatten().map(columns).sum(),
    }
}

/// By variable: the last condition for which it is intrinsic (FI, IV.D), `usize::MAX` for
/// the head.
fn last_use(rule: &FlatRule, body: &[&FlatLiteral]) -> Vec<usize> {
    let mut last = vec![0; usize::from(rule.variables)];
    for (place, literal) in body.iter().enumerate() {
        order::variables(literal, &mut |v| last[usize::from(v.0)] = place);
    }
    for arg in &rule.head.args {
        if let FlatTerm::Variable(v) = arg {
            last[usize::from(v.0)] = usize::MAX;
        }
    }
    last
}
