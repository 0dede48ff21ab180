//! What a move does, in place where the order allows.
//!
//! Of facts of which exactly one holds, a rule that keeps one says nothing: where another rule
//! gives a new one the old one goes, and where none does it stays. Other facts that rules keep are
//! cleared where none of these rules applies.

use super::body::{How, Op, Plan, Solved};
use super::sets::{Operand, Register, SetId};
use super::state::Shape;
use super::unfold::{unfold, variables};
use super::{Stop, Writer};
use crate::export::automaton::{Action, Node, Slot};
use crate::gdl::Variable;
use crate::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use crate::rg::{Expr, Ident, Name};
use hashbrown::HashSet;

/// Something that is written if conditions hold.
#[derive(Clone, Debug)]
struct Write {
    base: RelationId,
    /// The values that are gone through.
    loops: Vec<(Register, SetId)>,
    ops: Vec<Op>,
    /// The keys; none for the whole variable.
    keys: Option<Vec<Expr>>,
    value: Expr,
    clears: bool,
    reads: HashSet<RelationId>,
}

/// How many rules one rule may become.
const MOST_RULES: usize = 256;

impl Writer<'_> {
    /// Writes what the moves of the scope do, and on to another node.
    pub(super) fn write_update(&mut self, to: Node) -> Result<Node, Stop> {
        let mut writes = Vec::new();
        for fluent in self.normal.fluents.clone() {
            if !self.shapes.contains_key(&fluent.base) {
                continue;
            }
            let rules: Vec<FlatRule> = (self.rules.iter())
                .filter(|rule| rule.head.relation == fluent.next)
                .cloned()
                .collect();
            let (frames, sets): (Vec<FlatRule>, Vec<FlatRule>) =
                rules.into_iter().partition(|rule| keeps(rule, fluent.base).is_some());
            let covered = self.shapes[&fluent.base].covered;
            if !covered {
                self.clears(fluent.base, frames, &mut writes)?;
            }
            for rule in sets {
                self.write_rule(fluent.base, rule, false, &mut writes)?;
            }
        }
        let writes = needed(writes);
        let (order, seconds) = self.order(writes);
        let mut to = to;
        for &base in seconds.iter().rev() {
            let (first, second) = self.both(base);
            to = self.automaton.before(Action::Copy(first, second), to);
        }
        for write in order.iter().rev() {
            self.meter.spend(16)?;
            let buffered = seconds.contains(&write.base);
            to = self.write_one(write, buffered, to);
        }
        for &base in seconds.iter().rev() {
            let (first, second) = self.both(base);
            to = self.automaton.before(Action::Copy(second, first), to);
        }
        Ok(to)
    }

    /// A variable and the one for its next state.
    fn both(&mut self, base: RelationId) -> (Slot, Slot) {
        let name = self.shapes[&base].name;
        let second = match self.shapes[&base].second {
            Some(second) => second,
            None => {
                let text = format!("next_{}", self.naming.names.text(name));
                let second = self.naming.define(&text);
                self.shapes.get_mut(&base).expect("it is there").second = Some(second);
                second
            }
        };
        (self.expr(name, Vec::new()), self.expr(second, Vec::new()))
    }

    /// Clears what no rule keeps.
    fn clears(
        &mut self,
        base: RelationId,
        frames: Vec<FlatRule>,
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        let shape = self.shapes[&base].clone();
        let mut kept: Vec<(FlatRule, Vec<FlatLiteral>, Plan)> = Vec::new();
        let mut simple = true;
        for rule in frames {
            let place = keeps(&rule, base).expect("it keeps something");
            let mut rest = rule.body.clone();
            rest.remove(place);
            let mut plan = self.plan_for(usize::from(rule.variables));
            plan.used = self.scope.registers();
            let mut variants = self.variants(&rest, &plan)?;
            match variants.len() {
                0 => continue,
                1 => {
                    let (plan, rest) = variants.remove(0);
                    simple &= plan.ops.is_empty() && is_general(&rule.head, &shape, &plan);
                    if simple && rest.is_empty() {
                        return Ok(());
                    }
                    kept.push((rule, rest, plan));
                }
                _ => {
                    simple = false;
                    kept.push((rule.clone(), rest, plan));
                }
            }
        }
        if kept.is_empty() {
            writes.push(self.clear_all(base, &shape));
            return Ok(());
        }
        if let (true, [(rule, rest, plan)]) = (simple, &kept[..])
            && rest.iter().all(|literal| {
                negated(literal).is_some() && is_single(literal, &rule.head, plan, rest)
            })
        {
            for literal in rest {
                let mut body = negated(literal).expect("just seen");
                let value = shape.value.and_then(|column| match rule.head.args[column] {
                    FlatTerm::Variable(v) => Some(v),
                    FlatTerm::Constant(_) => None,
                });
                let mut asks = false;
                body.iter().for_each(|l| variables(l, &mut |v| asks |= Some(v) == value));
                if asks {
                    let args = rule.head.args.clone();
                    body.insert(0, FlatLiteral::Positive(FlatAtom { relation: base, args }));
                }
                let clear = FlatRule { body, ..rule.clone() };
                self.write_rule_with(base, clear, plan, true, writes)?;
            }
            return Ok(());
        }
        self.clear_each(base, &shape, kept, writes)
    }

    /// Clears everything.
    fn clear_all(&mut self, base: RelationId, shape: &Shape) -> Write {
        let absent = self.absent(base);
        let value = match shape.keys.is_empty() {
            true => Expr::from(Ident::from(absent)),
            false => {
                let wanted = format!("no_{}", self.naming.names.text(shape.name));
                let keys: Vec<SetId> = shape.keys.iter().map(|&c| shape.columns[c]).collect();
                let type_ = match shape.type_.value {
                    crate::rg::SimpleType::Named(name) => name.name,
                    crate::rg::SimpleType::Set(_) => unreachable!("types have names"),
                };
                let map = self.constant(&wanted, &keys, Vec::new(), absent, type_);
                Expr::from(Ident::from(map))
            }
        };
        Write {
            base,
            loops: Vec::new(),
            ops: Vec::new(),
            keys: None,
            value,
            clears: true,
            reads: HashSet::new(),
        }
    }

    /// Goes through all entries and clears those that no rule keeps.
    fn clear_each(
        &mut self,
        base: RelationId,
        shape: &Shape,
        kept: Vec<(FlatRule, Vec<FlatLiteral>, Plan)>,
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        let mut used = self.scope.registers();
        let mut loops = Vec::new();
        let mut columns: Vec<Operand> = Vec::new();
        for (column, &set) in shape.columns.iter().enumerate() {
            columns.push(match self.sets.members(set)[..] {
                [only] => Operand::Symbol(only),
                _ => {
                    let hint = self.hints.column(base, column);
                    let register = self.register(&hint, set, &mut used);
                    if shape.keys.contains(&column) {
                        loops.push((register, set));
                    }
                    Operand::Register(register)
                }
            });
        }
        let keys: Vec<Expr> = shape.keys.iter().map(|&c| self.operand(columns[c])).collect();
        let slot = self.expr(shape.name, keys.clone());
        let mut ops = Vec::new();
        match shape.value {
            None => ops.push(Op::Test(Action::Is(slot, Name::ONE, true))),
            Some(column) => {
                let none = self.none();
                ops.push(Op::Test(Action::Is(slot, none, false)));
                if let Operand::Register(register) = columns[column] {
                    let expr = self.automaton.expr_of(slot).clone();
                    let from = (shape.columns[column], true);
                    ops.push(Op::Do(self.assign(register, expr, from)));
                }
            }
        }
        let mut bodies = Vec::new();
        let mut reads = HashSet::from([base]);
        let mut ways = Vec::new();
        for (rule, ..) in &kept {
            let mut plan = self.plan_for(usize::from(rule.variables));
            plan.used.clone_from(&used);
            let fits = (rule.head.args.iter().zip(&columns))
                .all(|(&term, &operand)| self.unify(term, operand, &mut plan));
            if !fits {
                continue;
            }
            let place = keeps(rule, base).expect("it keeps something");
            let mut rest = rule.body.clone();
            rest.remove(place);
            reads.extend(self.reads(&rest));
            bodies.push((rest, plan));
        }
        for (rest, plan) in bodies {
            for (found, _) in self.plans(&rest, &plan, How::Check(None))? {
                ways.push(found.ops);
            }
        }
        match self.any_of(ways) {
            super::body::Condition::Always => return Ok(()),
            super::body::Condition::Never => {}
            super::body::Condition::Test(action) => ops.push(Op::Test(action.opposite())),
        }
        let value = Expr::from(Ident::from(self.absent(base)));
        writes.push(Write { base, loops, ops, keys: Some(keys), value, clears: true, reads });
        Ok(())
    }

    fn write_rule(
        &mut self,
        base: RelationId,
        rule: FlatRule,
        clears: bool,
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        let mut plan = self.plan_for(usize::from(rule.variables));
        plan.used = self.scope.registers();
        self.write_rule_with(base, rule, &plan, clears, writes)
    }

    /// Writes what follows from a rule.
    fn write_rule_with(
        &mut self,
        base: RelationId,
        rule: FlatRule,
        plan: &Plan,
        clears: bool,
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        let shape = self.shapes[&base].clone();
        for rule in self.unfolded(rule)? {
            let mut plan = plan.clone();
            let count = usize::from(rule.variables);
            plan.env.resize(count, None);
            plan.targets.resize(count, None);
            plan.domains.resize(count, None);
            let reads = self.reads(&rule.body);
            let asked = shape.keys.iter().copied();
            let asked = asked.chain(shape.value.filter(|_| !clears));
            let wanted: Vec<Variable> = asked
                .filter_map(|column| match rule.head.args[column] {
                    FlatTerm::Variable(v) => Some(v),
                    FlatTerm::Constant(_) => None,
                })
                .collect();
            for (plan, body) in self.variants(&rule.body, &plan)? {
                let mut plan = plan;
                // Columns with one symbol say nothing, but must not say anything else.
                let head = rule.head.args.iter().enumerate();
                let fits = head.clone().all(|(column, &term)| match (term, clears) {
                    (FlatTerm::Constant(symbol), _) => self.sets.has(shape.columns[column], symbol),
                    _ => true,
                });
                if !fits {
                    continue;
                }
                for (column, &term) in head {
                    let FlatTerm::Variable(v) = term else { continue };
                    let place = usize::from(v.0);
                    let set = shape.columns[column];
                    if plan.domains[place].is_none() {
                        plan.domains[place] = Some(set);
                    }
                }
                self.write_variant(
                    base,
                    &shape,
                    &rule,
                    (plan, body),
                    &wanted,
                    (clears, &reads),
                    writes,
                )?;
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn write_variant(
        &mut self,
        base: RelationId,
        shape: &Shape,
        rule: &FlatRule,
        (start, body): (Plan, Vec<FlatLiteral>),
        wanted: &[Variable],
        (clears, reads): (bool, &HashSet<RelationId>),
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        let mut start = start;
        let mut loops = Vec::new();
        loop {
            let plans = self.plans(&body, &start, How::Decide(wanted))?;
            let Some((plan, solved)) = plans.into_iter().next() else { return Ok(()) };
            if let Solved::Needs(variable) = solved {
                // Some value that leaves the fewest others to go through.
                let mut found = plan;
                self.domains(&body, &mut found);
                let set = found.domains[usize::from(variable.0)].expect("the head has it");
                let column = rule.head.args.iter().position(|&t| t == FlatTerm::Variable(variable));
                let hint = column.map_or("value".to_owned(), |c| self.hints.column(base, c));
                let mut used = found.used;
                let register = self.register(&hint, set, &mut used);
                start.used.insert(register);
                start.env[usize::from(variable.0)] = Some(Operand::Register(register));
                loops.push((register, set));
                continue;
            }
            let mut ops = plan.ops;
            let operand = |term: FlatTerm| match term {
                FlatTerm::Constant(symbol) => Operand::Symbol(symbol),
                FlatTerm::Variable(v) => plan.env[usize::from(v.0)].expect("it is known"),
            };
            let mut keys = Vec::new();
            for &column in &shape.keys {
                let key = operand(rule.head.args[column]);
                if !self.demand_in(key, shape.columns[column], &mut ops) {
                    return Ok(());
                }
                keys.push(self.of_set(key, shape.columns[column]));
            }
            let value = match shape.value {
                _ if clears => Expr::from(Ident::from(self.absent(base))),
                None => Expr::from(Ident::from(Name::ONE)),
                Some(column) => {
                    let value = operand(rule.head.args[column]);
                    if !self.demand_in(value, shape.columns[column], &mut ops) {
                        return Ok(());
                    }
                    self.of_set(value, shape.columns[column])
                }
            };
            let keys = Some(keys);
            let reads = reads.clone();
            writes.push(Write { base, loops, ops, keys, value, clears, reads });
            return Ok(());
        }
    }

    /// An operand that is in a set, as an expression of its type.
    pub(super) fn of_set(&mut self, operand: Operand, set: SetId) -> Expr {
        let (expr, from) = (self.operand(operand), self.set_of(operand));
        match self.sets.within(from, set) {
            true => expr,
            false => self.cast(expr, set),
        }
    }

    /// Demands that an operand is in a set; `false` if it never is.
    pub(super) fn demand_in(&mut self, operand: Operand, set: SetId, ops: &mut Vec<Op>) -> bool {
        match self.is_in(operand, set) {
            super::body::Condition::Always => true,
            super::body::Condition::Never => false,
            super::body::Condition::Test(action) => {
                ops.push(Op::Test(action));
                true
            }
        }
    }

    /// The rule with conditions that depend on moves replaced by what they follow from, so that
    /// what they say is read off the moves.
    fn unfolded(&mut self, rule: FlatRule) -> Result<Vec<FlatRule>, Stop> {
        let mut open = vec![rule];
        let mut done = Vec::new();
        while let Some(rule) = open.pop() {
            self.meter.spend(rule.body.len() + 1)?;
            let place = rule.body.iter().position(|literal| match literal {
                FlatLiteral::Positive(atom) => {
                    let info = &self.relations[atom.relation.index()];
                    info.asks_moves && info.group.is_none() && info.is_derived()
                }
                _ => false,
            });
            let Some(place) = place else {
                done.push(rule);
                continue;
            };
            let FlatLiteral::Positive(atom) = &rule.body[place] else { unreachable!("just seen") };
            for &with in self.relations[atom.relation.index()].rules.iter().rev() {
                open.extend(unfold(&rule, place, &self.rules[with]));
            }
            if open.len() + done.len() > MOST_RULES {
                return Err(Stop::unsuited("a rule that becomes too many"));
            }
        }
        Ok(done)
    }

    /// The order in which writes come, and the variables whose next state is written elsewhere
    /// first.
    fn order(&self, writes: Vec<Write>) -> (Vec<Write>, Vec<RelationId>) {
        let mut left: Vec<Write> = writes;
        let mut order = Vec::new();
        let mut seconds: Vec<RelationId> = Vec::new();
        while !left.is_empty() {
            let free = (0..left.len()).find(|&place| {
                let write = &left[place];
                let first = left[..place].iter().all(|other| other.base != write.base);
                let is_read = left.iter().enumerate().any(|(other, reader)| {
                    let own = other == place && write.loops.is_empty();
                    !own && reader.reads.contains(&write.base)
                });
                first && (seconds.contains(&write.base) || !is_read)
            });
            match free {
                Some(place) => order.push(left.remove(place)),
                None => seconds.push(left[0].base),
            }
        }
        (order, seconds)
    }

    /// Writes one, and on to another node.
    fn write_one(&mut self, write: &Write, buffered: bool, to: Node) -> Node {
        let shape = &self.shapes[&write.base];
        let name = match (buffered, shape.second) {
            (true, Some(second)) => second,
            _ => shape.name,
        };
        let target = self.expr(name, write.keys.clone().unwrap_or_default());
        let value = self.automaton.expr(write.value.clone());
        let set = Action::Copy(target, value);
        if write.loops.is_empty() {
            let set = self.automaton.before(set, to);
            return self.decide(&write.ops, set, to);
        }
        // From the innermost to the outermost: where each goes on with its next value.
        let heads: Vec<Node> = write.loops.iter().map(|_| self.automaton.node()).collect();
        let mut after = to;
        let mut next = Vec::new();
        for (place, &(register, set)) in write.loops.iter().enumerate() {
            let members = self.sets.members(set).to_vec();
            let last = self.name_of(*members.last().expect("a set has members"));
            let slot = self.sets.slot(register);
            let entries: Vec<_> = members.windows(2).map(|pair| (pair[0], pair[1])).collect();
            let mut named = Vec::new();
            for (from, to) in entries {
                named.push((vec![from], self.name_of(to)));
            }
            let first = self.name_of(members[0]);
            let type_ = self.type_of(set, false, "value");
            let map = self.constant("following", &[set], named, first, type_);
            let own = Expr::clone(self.automaton.expr_of(slot));
            let following = self.expr(map, vec![own]);
            let advance = self.automaton.before(Action::Copy(slot, following), heads[place]);
            let node = self.branch(Action::Is(slot, last, true), after, advance);
            next.push(node);
            after = node;
        }
        let innermost = *next.last().expect("there are loops");
        let written = self.automaton.before(set, innermost);
        let mut inside = self.decide(&write.ops, written, innermost);
        for (place, &(register, set)) in write.loops.iter().enumerate().rev() {
            self.automaton.edge(heads[place], inside, Action::Skip);
            let first = self.name_of(self.sets.members(set)[0]);
            inside =
                self.automaton.before(Action::Set(self.sets.slot(register), first), heads[place]);
        }
        inside
    }
}

/// The writes but those that clear what is written anyhow.
fn needed(mut writes: Vec<Write>) -> Vec<Write> {
    let sets: Vec<(RelationId, Option<Vec<Expr>>)> = writes
        .iter()
        .filter(|write| !write.clears && write.loops.is_empty() && write.ops.is_empty())
        .map(|write| (write.base, write.keys.clone()))
        .collect();
    let is_set =
        |write: &Write| sets.iter().any(|(base, keys)| *base == write.base && *keys == write.keys);
    writes.retain(|write| !(write.clears && write.loops.is_empty() && is_set(write)));
    writes
}

/// The place of the condition that makes a rule keep a fact of a base relation.
fn keeps(rule: &FlatRule, base: RelationId) -> Option<usize> {
    rule.body.iter().position(|literal| match literal {
        FlatLiteral::Positive(atom) => atom.relation == base && atom.args == rule.head.args,
        _ => false,
    })
}

/// Whether a head stands for all facts of a base relation, each column by a variable of its own of
/// which nothing is known.
fn is_general(head: &FlatAtom, shape: &Shape, plan: &Plan) -> bool {
    let wide = shape.keys.iter().copied().chain(shape.value);
    let mut seen = HashSet::new();
    let mut wide = wide.map(|column| head.args[column]);
    wide.all(|term| match term {
        FlatTerm::Variable(v) => seen.insert(v) && plan.env[usize::from(v.0)].is_none(),
        FlatTerm::Constant(_) => false,
    })
}

/// Whether a condition shares with others only what the head or the moves say.
fn is_single(literal: &FlatLiteral, head: &FlatAtom, plan: &Plan, all: &[FlatLiteral]) -> bool {
    let mut single = true;
    variables(literal, &mut |v| {
        let known =
            head.args.contains(&FlatTerm::Variable(v)) || plan.env[usize::from(v.0)].is_some();
        let mut shared = false;
        for other in all.iter().filter(|other| !std::ptr::eq(*other, literal)) {
            variables(other, &mut |o| shared |= o == v);
        }
        single &= known || !shared;
    });
    single
}

/// Conditions that all hold if and only if one does not.
fn negated(literal: &FlatLiteral) -> Option<Vec<FlatLiteral>> {
    Some(match literal {
        FlatLiteral::Positive(atom) => vec![FlatLiteral::Negative(atom.clone())],
        FlatLiteral::Negative(atom) => vec![FlatLiteral::Positive(atom.clone())],
        FlatLiteral::Distinct(pairs) => vec![FlatLiteral::Same(pairs.clone())],
        FlatLiteral::Same(pairs) => vec![FlatLiteral::Distinct(pairs.clone())],
        FlatLiteral::Any(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                let [only] = &branch[..] else { return None };
                all.extend(negated(only)?);
            }
            all
        }
    })
}
