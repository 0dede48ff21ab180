//! The effects of a move. A variable is overwritten in place if the order of the writes allows it.
//!
//! A rule of the frame keeps a fact: one of its conditions is the fact itself. Some variables hold
//! exactly one value for each key. For them a rule of the frame needs no statement: another rule
//! overwrites the old value, or the value stays. In other variables an entry is cleared if no rule
//! of the frame applies.

use super::Planner;
use super::body::{How, Plan, Solved, UNKNOWN};
use super::clears::keeps;
use super::of_net::Part;
use super::scope::{Context, Scope};
use super::search::Source;
use super::write::{Loop, Write};
use crate::export::program::{Act, Body, Each, Find, Follow, If, Statement, Test};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{Relations, SetId, Shape, unfold, variables};
use crate::export::rules::build::{Builder, Operand, Register};
use crate::export::slots::Slot;
use gdlr_net::net::Signal;
use gdlr_rg::rg::{Base, Expr, Ident, Name};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, FluentRelations, RelationId};
use hashbrown::HashSet;
use std::rc::Rc;

/// The error of a loop through an empty set.
const NO_VALUE: Stop = Stop::Broken("a loop through no values");

/// The most rounds of the loops of a write that sets few facts. With more rounds, the next facts of
/// its relation are written from the net, one by one.
const MOST_TIMES: usize = 1 << 12;

/// Facts are few if the loops have this many rounds, or more, for each of them.
const FEW_FACTS: usize = 16;

/// The most rules that one rule may become.
const MOST_RULES: usize = 256;

impl Planner<'_> {
    /// The effects of the moves of the scope, and the way on to one of some turns.
    pub(super) fn update(&mut self, next: &[usize], scope: &Rc<Scope>) -> Result<Body, Stop> {
        let mut writes = Vec::new();
        for fluent in self.input.normal.fluents.clone() {
            if !self.analysis.shapes.contains_key(&fluent.base) {
                continue;
            }
            let part = Part::Next(fluent.base);
            match self.is_of_net(part) {
                false => part.of(self.write_next(fluent, scope, &mut writes))?,
                true => self.next_of_net(fluent.base, scope, &mut writes)?,
            }
        }
        let mut writes = needed(writes);
        join_clears(&mut writes);
        self.join_searches(&mut writes)?;
        // The variables that tell whose turn it is are written last.
        writes.sort_by_key(|write| self.tells_turn(write.base));
        let go_on = Part::Over.of(self.go_on(next, &scope.registers(), &mut writes))?;
        let (order, seconds) = self.order(writes);
        // Names are given from the end of the program to its beginning.
        let both = seconds.iter().rev().map(|&base| self.both(base));
        let both: Vec<(Slot, Slot)> = both.collect();
        let copy = |to: Slot, from: Slot| Statement::Do(Act::Copy(to, from));
        let mut written = Vec::new();
        for write in order.iter().rev() {
            self.input.meter.spend(16)?;
            written.push(self.written(write, seconds.contains(&write.base))?);
        }
        let mut body: Body =
            both.iter().rev().map(|&(first, second)| copy(second, first)).collect();
        body.extend(written.into_iter().rev().flatten());
        body.extend(both.iter().rev().map(|&(first, second)| copy(first, second)));
        body.extend(go_on);
        Ok(body)
    }

    /// Writes the effects of moves on the facts of a base relation, by its rules.
    fn write_next(
        &mut self,
        fluent: FluentRelations,
        scope: &Rc<Scope>,
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        let rules: Vec<FlatRule> = (self.relations.rules.iter())
            .filter(|rule| rule.head.relation == fluent.next)
            .cloned()
            .collect();
        let (frames, sets): (Vec<FlatRule>, Vec<FlatRule>) =
            rules.into_iter().partition(|rule| keeps(rule, fluent.base).is_some());
        let first = writes.len();
        let covered = self.analysis.shapes[&fluent.base].covered;
        if !covered {
            self.clears(fluent.base, frames, scope, writes)?;
        }
        for rule in sets {
            let mut plan = Plan::new(usize::from(rule.variables));
            plan.used = scope.registers();
            let before = writes.len();
            self.write_rule(fluent.base, rule.clone(), &plan, false, scope, writes)?;
            let is_looped = writes[before..].iter().any(|write| !write.loops.is_empty());
            if is_looped && self.changes_nothing(&rule, fluent.base)? {
                writes.truncate(before);
            }
        }
        let facts = self.analysis.shapes[&fluent.base].facts.len();
        let most = writes[first..].iter().map(|write| self.times(write)).max().unwrap_or(0);
        match most > MOST_TIMES && most / FEW_FACTS > facts {
            true => Err(Stop::unsuited("a loop through many entries of which few have a fact")),
            false => Ok(()),
        }
    }

    /// The number of rounds of the loops of a write.
    fn times(&self, write: &Write) -> usize {
        let sets: Vec<SetId> = (write.loops.iter())
            .filter_map(|inner| match inner {
                Loop::Values(_, set) => Some(*set),
                Loop::Chain(..) => None,
            })
            .collect();
        self.out.symbols.sets.combinations(&sets)
    }

    /// Whether facts of a base relation tell whose turn it is.
    fn tells_turn(&self, base: RelationId) -> bool {
        let phases = &self.input.unrolled.phases;
        let is_known = |signal: Signal| {
            let latch = self.input.latch_of(signal).map(|(latch, _)| latch);
            latch.is_some_and(|latch| phases.known(0).any(|(other, _)| other == latch))
        };
        self.analysis.shapes[&base].facts.iter().any(|(_, signal)| is_known(*signal))
    }

    /// The variable of a base relation, and the variable for its next state.
    fn both(&mut self, base: RelationId) -> (Slot, Slot) {
        let name = self.analysis.shapes[&base].name;
        let second = match self.seconds.get(&base) {
            Some(&second) => second,
            None => {
                let naming = &mut self.out.symbols.naming;
                let text = format!("next_{}", naming.names.text(name));
                let second = naming.define(&text);
                self.seconds.insert(base, second);
                second
            }
        };
        (self.out.expr(name, Vec::new()), self.out.expr(second, Vec::new()))
    }

    /// Adds the writes that follow from a rule.
    pub(super) fn write_rule(
        &mut self,
        base: RelationId,
        rule: FlatRule,
        plan: &Plan,
        clears: bool,
        scope: &Rc<Scope>,
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        for rule in self.relations.unfolded(rule)? {
            let mut plan = plan.clone();
            let count = usize::from(rule.variables);
            plan.env.resize(count, None);
            plan.targets.resize(count, None);
            plan.domains.resize(count, None);
            for variant in self.variants(&rule.body, &plan, scope)? {
                writes.extend(self.variant(base, &rule, variant, clears, &Context::of(scope))?);
            }
        }
        Ok(())
    }

    /// The write that follows from a rule whose conditions about moves are answered. `None` if none
    /// does.
    fn variant(
        &mut self,
        base: RelationId,
        rule: &FlatRule,
        (mut start, body): (Plan, Vec<FlatLiteral>),
        clears: bool,
        context: &Context,
    ) -> Result<Option<Write>, Stop> {
        let shape = &self.analysis.shapes[&base];
        if !start_from_head(rule, shape, &mut start, &self.out) {
            return Ok(None);
        }
        let asked = shape.keys.iter().copied().chain(shape.value.filter(|_| !clears));
        let wanted: Vec<Variable> = asked
            .filter_map(|column| match rule.head.args[column] {
                FlatTerm::Variable(v) => Some(v),
                FlatTerm::Constant(_) => None,
            })
            .collect();
        let source = Source::new(&rule.head, &body, &start);
        let decided = self.decide(base, rule, (start, body), &wanted, (context, !clears))?;
        let Some((plan, loops, is_narrowed)) = decided else { return Ok(None) };
        let finds = is_narrowed;
        let mut ops = plan.ops.clone();
        let operand = |term: FlatTerm| plan.value(term).ok_or(UNKNOWN);
        let is_written = |&column: &usize| !clears || shape.value != Some(column);
        for column in (0..rule.head.args.len()).filter(is_written) {
            let symbol = operand(rule.head.args[column])?;
            if !self.out.demand_in(symbol, shape.columns[column], &mut ops) {
                return Ok(None);
            }
        }
        let mut keys = Vec::new();
        for &column in &shape.keys {
            keys.push(self.out.of_set(operand(rule.head.args[column])?, shape.columns[column]));
        }
        let value = match shape.value {
            _ if clears => Expr::from(Ident::from(shape.absent(&mut self.out.symbols))),
            None => Expr::from(Ident::from(Name::ONE)),
            Some(column) => {
                self.out.of_set(operand(rule.head.args[column])?, shape.columns[column])
            }
        };
        let reads = self.reads(&rule.body, &context.scope);
        let row = match clears {
            true => Vec::new(),
            false => {
                rule.head.args.iter().map(|&term| operand(term)).collect::<Result<_, Stop>>()?
            }
        };
        let source = (!clears).then_some(source);
        let plain = Write::new(base, keys, value, reads);
        Ok(Some(Write { loops, ops, clears, row, finds, source, ..plain }))
    }

    /// Finds the values of variables of a rule, with the loops that this takes. The rows that the
    /// walk of the move has found are used first, then chains of rows. The values of any other
    /// variable are gone through, in a loop over as few values as possible.
    ///
    /// The flag says whether the only loop is such a loop over few values. `None` if the conditions
    /// never hold.
    fn decide(
        &mut self,
        base: RelationId,
        rule: &FlatRule,
        (mut start, mut body): (Plan, Vec<FlatLiteral>),
        wanted: &[Variable],
        (context, sets): (&Context, bool),
    ) -> Result<Option<(Plan, Vec<Loop>, bool)>, Stop> {
        let source = Source::new(&rule.head, &body, &start);
        let mut loops = Vec::new();
        let mut narrowed = 0;
        loop {
            let plans = self.plans(&body, &start, How::Decide(wanted), context)?;
            let Some((plan, solved)) = plans.into_iter().next() else { return Ok(None) };
            let Solved::Needs(variable) = solved else {
                let is_narrowed = narrowed == 1 && loops.len() == 1;
                return Ok(Some((plan, loops, is_narrowed)));
            };
            if let Some((rest, known)) = self.answered(&body, &start, &context.scope.only_rows)
                && known.env[usize::from(variable.0)].is_some()
            {
                (body, start) = (rest, known);
                continue;
            }
            if let Some((rest, known, gone_through)) =
                self.follow(&body, &start, variable, context)?
            {
                (body, start) = (rest, known);
                loops.extend(gone_through);
                continue;
            }
            // The values of the variable are gone through.
            let set = plan.domains[usize::from(variable.0)].ok_or(UNKNOWN)?;
            let column = rule.head.args.iter().position(|&t| t == FlatTerm::Variable(variable));
            let hint = column.map_or("value".to_owned(), |c| self.relations.hint(base, c));
            let mode = context.scope.mode;
            let is_first = sets && loops.is_empty();
            if is_first
                && self.can_narrow(&body, &start, (variable, set), mode)
                && self.is_only(&source)?
                && let Some((_, gone_through, rest)) =
                    self.narrowed(&body, &mut start, (variable, set), &hint, mode)
            {
                body = rest;
                loops.push(gone_through);
                narrowed += 1;
                continue;
            }
            let mut used = plan.used;
            let register = self.out.register(&hint, set, &mut used);
            start.used.insert(register);
            start.env[usize::from(variable.0)] = Some(Operand::Register(register));
            loops.push(Loop::Values(register, set));
        }
    }

    /// The order of writes, and the base relations whose next state is written to a variable of its
    /// own first.
    fn order(&self, writes: Vec<Write>) -> (Vec<Write>, Vec<RelationId>) {
        let mut left: Vec<Write> = writes;
        let mut order = Vec::new();
        let mut seconds: Vec<RelationId> = Vec::new();
        while !left.is_empty() {
            // Whether a write of `left` reads the variable that this write overwrites.
            let is_read = |place: usize, by: &dyn Fn(&Write) -> bool| {
                let write: &Write = &left[place];
                left.iter().enumerate().filter(|(_, reader)| by(reader)).any(|(other, reader)| {
                    let own = other == place && (write.loops.is_empty() || write.finds);
                    !own && reader.reads.contains(&write.base)
                })
            };
            let comes_first = |place: usize| {
                let base = left[place].base;
                left[..place].iter().all(|other| other.base != base)
            };
            let is_free = |&place: &usize| {
                let is_safe = seconds.contains(&left[place].base) || !is_read(place, &|_| true);
                comes_first(place) && is_safe
            };
            let tells = |write: &Write| self.tells_turn(write.base);
            let rest = (0..left.len()).filter(|&place| !tells(&left[place]));
            let mut rest = rest.filter(|&place| comes_first(place));
            // The variables of the turn are written behind all others, if that costs no copy.
            let is_in_vain = |place| is_read(place, &|reader| !tells(reader));
            let free = match rest.clone().find(is_free) {
                None if rest.clone().next().is_some() && rest.all(is_in_vain) => None,
                None => (0..left.len()).find(is_free),
                place => place,
            };
            match free {
                Some(place) => order.push(left.remove(place)),
                None => seconds.push(left[0].base),
            }
        }
        (order, seconds)
    }

    /// The statements of a write.
    fn written(&mut self, write: &Write, buffered: bool) -> Result<Body, Stop> {
        let shape = &self.analysis.shapes[&write.base];
        let name = match (buffered, self.seconds.get(&write.base)) {
            (true, Some(&second)) => second,
            _ => shape.name,
        };
        let target = self.out.expr(name, write.keys.clone().unwrap_or_default());
        let value = self.out.program.slots.of(write.value.clone());
        let mut set = vec![Statement::Do(Act::Copy(target, value))];
        for &(register, operand) in &write.tells {
            let (expr, from) = (self.out.operand(operand), self.out.set_of(operand));
            set.push(Statement::Do(self.out.assign(register, expr, (from, false))));
        }
        if let (true, [Loop::Chain(first, step)]) = (write.finds, &write.loops[..]) {
            let (mut first, step) = (decision(first)?, decision(step)?);
            let tests = decision(&write.ops)?;
            return Ok(match is_one_row(&step) {
                true => {
                    first.extend(tests);
                    self.if_all(first, set, Vec::new())
                }
                false => vec![Statement::Find(Find { first, step, tests, then: set })],
            });
        }
        let mut otherwise = match write.otherwise.clone() {
            Some(value) => vec![Statement::Do(Act::Copy(target, self.out.program.slots.of(value)))],
            None => Vec::new(),
        };
        for other in &write.instead {
            otherwise.extend(self.written(other, buffered)?);
        }
        let body = match write.ops.is_empty() {
            true => set,
            false => self.if_all(decision(&write.ops)?, set, otherwise),
        };
        self.around(&write.loops, body)
    }

    /// Puts loops around a body, the first of them outermost. The body runs in each round.
    pub(super) fn around(&mut self, loops: &[Loop], mut body: Body) -> Result<Body, Stop> {
        let mut around = Vec::new();
        for one in loops {
            around.push(match one {
                Loop::Values(register, set) => Statement::Each(self.each(*register, *set)?),
                Loop::Chain(first, step) => {
                    let (first, step) = (decision(first)?, decision(step)?);
                    match is_one_row(&step) {
                        true => {
                            let (then, otherwise) = (Vec::new(), Vec::new());
                            Statement::If(If { tests: first, then, otherwise })
                        }
                        false => Statement::Follow(Follow { first, step, body: Vec::new() }),
                    }
                }
            });
        }
        for mut one in around.into_iter().rev() {
            if let Statement::Each(Each { body: inner, .. })
            | Statement::If(If { then: inner, .. })
            | Statement::Follow(Follow { body: inner, .. }) = &mut one
            {
                *inner = body;
            }
            body = vec![one];
        }
        Ok(body)
    }

    /// Does `then` if all tests hold, and `otherwise` if one does not. If `then` copies the value
    /// that was read, and `otherwise` clears the entry in its absence, one copy does both.
    fn if_all(&self, mut tests: Body, mut then: Body, otherwise: Body) -> Body {
        if let [
            ..,
            Statement::Test(Test::Is(read, none, false)),
            Statement::Do(Act::Copy(aside, cast)),
        ] = tests[..]
            && let (
                [Statement::Do(Act::Copy(to, from))],
                [Statement::Do(Act::Copy(cleared, absent))],
            ) = (&then[..], &otherwise[..])
            && (from, cleared) == (&aside, to)
            && self.out.program.slots.expr(*absent).as_name().is_some_and(|name| name.name == none)
            && let Base::Cast(_, inner) = &self.out.program.slots.expr(cast).base
            && **inner == *self.out.program.slots.expr(read)
        {
            then = vec![Statement::Do(Act::Copy(*to, read))];
            tests.truncate(tests.len() - 2);
        }
        match tests.iter().any(|one| !matches!(one, Statement::Do(_))) {
            true => vec![Statement::If(If { tests, then, otherwise })],
            false => [tests, then].concat(),
        }
    }

    /// A loop through the values of a register, with an empty body.
    fn each(&mut self, register: Register, set: SetId) -> Result<Each, Stop> {
        let members = self.out.symbols.sets.members(set).to_vec();
        let last = self.out.symbols.name_of(*members.last().ok_or(NO_VALUE)?);
        let slot = self.out.registers.slot(register);
        let mut named = Vec::new();
        for pair in members.windows(2) {
            named.push((vec![pair[0]], self.out.symbols.name_of(pair[1])));
        }
        let first = self.out.symbols.name_of(members[0]);
        let type_ = self.out.symbols.type_of(set, false, "value");
        let map = self.out.constant("following", &[set], named, first, type_);
        let own = Expr::clone(self.out.program.slots.expr(slot));
        let next = self.out.expr(map, vec![own]);
        Ok(Each { slot, first, last, next, body: Vec::new() })
    }
}

impl Relations<'_> {
    /// The rules that a rule becomes if conditions that depend on moves are replaced by the bodies
    /// of their rules. Then the moves answer these conditions.
    pub(super) fn unfolded(&self, rule: FlatRule) -> Result<Vec<FlatRule>, Stop> {
        let mut open = vec![rule];
        let mut done = Vec::new();
        while let Some(rule) = open.pop() {
            self.input.meter.spend(rule.body.len() + 1)?;
            let place = rule.body.iter().position(|literal| match literal {
                FlatLiteral::Positive(atom) => {
                    let info = &self.infos[atom.relation.index()];
                    let is_asked = info.asks_moves && info.group.is_none() && info.is_derived();
                    // A condition that binds no variable may stay a check.
                    is_asked && (binds(&rule, atom) || self.count_unfolded(atom.relation) == 1)
                }
                _ => false,
            });
            let Some(place) = place else {
                done.push(rule);
                continue;
            };
            let FlatLiteral::Positive(atom) = &rule.body[place] else { unreachable!("just seen") };
            for &with in self.infos[atom.relation.index()].rules.iter().rev() {
                open.extend(unfold(&rule, place, &self.rules[with]));
            }
            if open.len() + done.len() > MOST_RULES {
                return Err(Stop::unsuited("a rule that becomes too many"));
            }
        }
        Ok(done)
    }

    /// The number of rules that a condition about moves becomes if it is replaced by the bodies of
    /// its rules.
    fn count_unfolded(&self, relation: RelationId) -> usize {
        let info = &self.infos[relation.index()];
        if !info.asks_moves || info.group.is_some() {
            return 1;
        }
        let of_literal = |literal: &FlatLiteral| match literal {
            FlatLiteral::Positive(atom) => self.count_unfolded(atom.relation),
            _ => 1,
        };
        let of_rule = |&rule: &usize| {
            self.rules[rule].body.iter().map(of_literal).fold(1, usize::saturating_mul)
        };
        info.rules.iter().map(of_rule).fold(0, usize::saturating_add)
    }
}

/// Gives the variables of a head the sets of their columns. `false` if the head is no possible
/// fact.
fn start_from_head(rule: &FlatRule, shape: &Shape, start: &mut Plan, out: &Builder<'_>) -> bool {
    let sets = &out.symbols.sets;
    for (&term, &set) in rule.head.args.iter().zip(&shape.columns) {
        match term {
            // A column with one symbol is not stored. The constant must be that symbol.
            FlatTerm::Constant(symbol) if !sets.has(set, symbol) => return false,
            FlatTerm::Constant(_) => {}
            FlatTerm::Variable(v) => {
                start.domains[usize::from(v.0)].get_or_insert(set);
                if let ([only], None) = (sets.members(set), start.env[usize::from(v.0)]) {
                    start.env[usize::from(v.0)] = Some(Operand::Symbol(*only));
                }
            }
        }
    }
    true
}

/// Whether another condition, or the head, has a variable of this condition.
fn binds(rule: &FlatRule, atom: &FlatAtom) -> bool {
    let mut others: HashSet<Variable> = HashSet::new();
    for literal in &rule.body {
        let is_it = matches!(literal, FlatLiteral::Positive(own) if own == atom);
        if !is_it {
            variables(literal, &mut |v| others.extend([v]));
        }
    }
    atom.args.iter().any(|term| match term {
        FlatTerm::Variable(v) => others.contains(v) || rule.head.args.contains(term),
        FlatTerm::Constant(_) => false,
    })
}

/// Whether the step of a chain leads nowhere: the chain has one row.
fn is_one_row(step: &[Statement]) -> bool {
    matches!(step, [Statement::Never])
}

/// The statements of a body that only tests and assigns. Any other body is an error.
fn decision(body: &[Statement]) -> Result<Body, Stop> {
    let decides = |statement: &Statement| {
        matches!(statement, Statement::Test(_) | Statement::Do(_) | Statement::Never)
    };
    match body.iter().all(decides) {
        true => Ok(body.to_vec()),
        false => Err(Stop::Broken("a decision that tries out")),
    }
}

/// Joins a clear with the only write to the same entry: the entry is cleared if the conditions of
/// the write do not hold.
fn join_clears(writes: &mut Vec<Write>) {
    let mut place = 0;
    while let Some(clear) = writes.get(place) {
        let is_plain = clear.clears && clear.loops.is_empty() && clear.ops.is_empty();
        let (base, keys, value) = (clear.base, clear.keys.clone(), clear.value.clone());
        let mut others = writes.iter().filter(|write| write.base == base && !write.clears);
        let first = others.next().filter(|set| set.loops.is_empty() && set.keys == keys);
        let is_only = first.is_some() && others.next().is_none();
        if is_plain && keys.is_some() && is_only {
            writes.remove(place);
            let set = writes.iter_mut().find(|write| write.base == base && !write.clears);
            set.into_iter().for_each(|set| set.otherwise = Some(value.clone()));
        } else {
            place += 1;
        }
    }
}

/// Removes clears of entries that are written in any case.
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
