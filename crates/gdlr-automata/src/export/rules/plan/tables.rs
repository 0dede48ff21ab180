//! Conditions whose rows are known: static relations, and relations that the phase of a turn fixes.

use super::Planner;
use super::body::{How, Plan, Step};
use super::scope::Context;
use crate::export::program::{Body, Statement, Test};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{MOST_KEYS, SetId, variables};
use crate::export::rules::build::{Condition, MOST_ENTRIES, Operand, Register, demand};
use gdlr_rg::rg::{Expr, Name};
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatTerm};
use hashbrown::{HashMap, HashSet};

/// The most rows of a static relation, for given columns, that are gone through one by one.
const MOST_WAYS: usize = 8;

/// The most rows of a relation over pairs, such as the lines through a square.
const MOST_LINES: usize = 16;

/// The most rows that are compared to find the rows that a static relation lacks.
const MOST_MISSING: usize = 1 << 16;

impl Planner<'_> {
    /// The rows of a table that may answer an atom.
    fn answers<'r>(
        &self,
        atom: &FlatAtom,
        rows: &'r [Vec<Symbol>],
        plan: &Plan,
    ) -> impl Iterator<Item = &'r Vec<Symbol>> {
        let fits = |row: &&Vec<Symbol>| {
            atom.args.iter().zip(row.iter()).enumerate().all(
                |(column, (&term, &symbol))| match plan.value(term) {
                    Some(Operand::Symbol(known)) => known == symbol,
                    Some(Operand::Register(register)) => {
                        self.out.symbols.sets.has(self.out.registers.set_of(register), symbol)
                    }
                    None => {
                        let FlatTerm::Variable(v) = term else { unreachable!("it is known") };
                        let before = atom.args[..column].iter().position(|other| *other == term);
                        // All steps share one map, whatever is asked of the square behind the step.
                        before.is_none_or(|before| row[before] == symbol)
                            && (self.relations.lines.is_step(atom.relation)
                                || plan.domains[usize::from(v.0)]
                                    .is_none_or(|set| self.out.symbols.sets.has(set, symbol)))
                    }
                },
            )
        };
        rows.iter().filter(fits)
    }

    /// Whether rows that may answer an atom differ in its variables, and no register distinguishes
    /// them.
    fn is_open(&self, atom: &FlatAtom, rows: &[Vec<Symbol>], plan: &Plan) -> bool {
        let is_register = |&term: &FlatTerm| matches!(plan.value(term), Some(Operand::Register(_)));
        if atom.args.iter().any(is_register) {
            return false;
        }
        let mut rows = self.answers(atom, rows, plan);
        let first = rows.next();
        // All rows agree in columns that are known.
        rows.any(|row| Some(row) != first)
    }

    /// Asks a relation whose rows are known.
    pub(super) fn ask_table(
        &mut self,
        atom: &FlatAtom,
        rows: &[Vec<Symbol>],
        plan: &mut Plan,
    ) -> Result<Step, Stop> {
        // A step also has a map back, if its target is known.
        let is_to_known = || atom.args.last().is_some_and(|&to| plan.value(to).is_some());
        let wanted = match self.relations.lines.is_step(atom.relation) && is_to_known() {
            true => "back".to_owned(),
            false => self.relations.plain_name(atom.relation),
        };
        self.ask_rows(atom, rows, plan, &wanted)
    }

    /// Asks that an atom is one of some rows. `wanted` is the wanted name of a constant map.
    fn ask_rows(
        &mut self,
        atom: &FlatAtom,
        rows: &[Vec<Symbol>],
        plan: &mut Plan,
        wanted: &str,
    ) -> Result<Step, Stop> {
        self.input.meter.spend(rows.len())?;
        if self.is_open(atom, rows, plan) {
            return Ok(Step::Wait);
        }
        let rows: Vec<&Vec<Symbol>> = self.answers(atom, rows, plan).collect();
        if rows.is_empty() {
            return Ok(Step::Never);
        }
        let table = Table::of(atom, &rows, |term| plan.value(term));
        let sets: Vec<SetId> =
            table.known.iter().map(|&(r, _)| self.out.registers.set_of(r)).collect();
        let all = self.out.symbols.sets.combinations(&sets);
        let keys: Vec<Operand> =
            table.known.iter().map(|&(register, _)| Operand::Register(register)).collect();
        if table.open.is_empty() {
            if table.rows.len() == all {
                return Ok(Step::Done);
            }
            let condition = self.in_table(atom, &table, &keys, &sets, wanted)?;
            return Ok(if demand(&mut plan.ops, condition) { Step::Done } else { Step::Never });
        }
        if let [(_, [values])] =
            &table.groups()[..].iter().map(|(k, v)| (k, &v[..])).collect::<Vec<_>>()[..]
            && table.known.is_empty()
        {
            let values: Vec<Symbol> = (*values).clone();
            for (&(variable, _), symbol) in table.open.iter().zip(values) {
                if !self.alias(FlatTerm::Variable(variable), Operand::Symbol(symbol), plan) {
                    return Ok(Step::Never);
                }
            }
            return Ok(Step::Done);
        }
        let groups = table.groups();
        if table.known.is_empty() || groups.iter().any(|(_, values)| values.len() > 1) {
            return Ok(Step::Wait);
        }
        if let Some(copies) = table.copies() {
            let rows = groups.iter().map(|(key, _)| key.clone()).collect();
            let table = Table { rows, open: Vec::new(), ..table };
            if table.rows.len() < all {
                let condition = self.in_table(atom, &table, &keys, &sets, wanted)?;
                if !demand(&mut plan.ops, condition) {
                    return Ok(Step::Never);
                }
            }
            for (variable, place) in copies {
                if !self.alias(FlatTerm::Variable(variable), keys[place], plan) {
                    return Ok(Step::Never);
                }
            }
            return Ok(Step::Done);
        }
        self.out.constants.within_limits(sets.len(), all)?;
        let partial = groups.len() < all;
        let exprs: Vec<Expr> = keys.iter().map(|&key| self.out.operand(key)).collect();
        for (place, &(variable, column)) in table.open.iter().enumerate() {
            let set = self.out.symbols.set(groups.iter().map(|(_, values)| values[0][place]));
            let set = self.out.symbols.widened(set);
            let hint = self.relations.hint(atom.relation, column);
            let map = self.out.function(wanted, &sets, &groups, (place, set), partial, &hint);
            let slot = self.out.expr(map, exprs.clone());
            if partial && place == 0 {
                let none = self.out.symbols.none();
                plan.ops.push(Statement::Test(Test::Is(slot, none, false)));
            }
            let expr = self.out.program.slots.expr(slot).clone();
            if !self.read(plan, variable, expr, (set, partial), &hint) {
                return Ok(Step::Never);
            }
        }
        Ok(Step::Done)
    }

    /// Asks that an atom is no row of a relation whose rows are known. Variables without a value
    /// are read, if the known columns determine them.
    pub(super) fn ask_missing(
        &mut self,
        atom: &FlatAtom,
        plan: &mut Plan,
        mode: Option<usize>,
    ) -> Result<Step, Stop> {
        let rows = self.relations.rows_in(atom.relation, mode);
        let Some(rows) = rows else { return Ok(Step::Wait) };
        let mut sets = Vec::new();
        let mut all = 1usize;
        for &term in &atom.args {
            let set = match (plan.value(term), term) {
                (Some(operand), _) => self.out.set_of(operand),
                (None, FlatTerm::Variable(v)) => match plan.domains[usize::from(v.0)] {
                    Some(set) => set,
                    None => return Ok(Step::Wait),
                },
                (None, FlatTerm::Constant(_)) => unreachable!("a constant is known"),
            };
            all = all.saturating_mul(self.out.symbols.sets.members(set).len());
            sets.push(set);
        }
        if all > MOST_MISSING {
            return Ok(Step::Wait);
        }
        self.input.meter.spend(all)?;
        let present: HashSet<&Vec<Symbol>> = rows.iter().collect();
        let mut missing = self.out.symbols.sets.all_rows(&sets);
        missing.retain(|row| !present.contains(row));
        let wanted = format!("not_{}", self.relations.plain_name(atom.relation));
        self.ask_rows(atom, &missing, plan, &wanted)
    }

    /// Tests that registers are a row of a table.
    fn in_table(
        &mut self,
        atom: &FlatAtom,
        table: &Table,
        keys: &[Operand],
        sets: &[SetId],
        wanted: &str,
    ) -> Result<Condition, Stop> {
        if let ([key], [row]) = (keys, &table.rows[..]) {
            return Ok(self.out.compare(*key, Operand::Symbol(row[0]), true));
        }
        let all = self.out.symbols.sets.combinations(sets);
        let mut exprs: Vec<Expr> = keys.iter().map(|&key| self.out.operand(key)).collect();
        if let [.., last] = keys
            && keys.len() > 1
            && table.is_function()
        {
            let _ = exprs.pop();
            let Operand::Register(last) = *last else { unreachable!("a register") };
            let count = keys.len() - 1;
            let groups: Vec<(Vec<Symbol>, Vec<Vec<Symbol>>)> = (table.rows.iter())
                .map(|row| (row[..count].to_vec(), vec![row[count..].to_vec()]))
                .collect();
            let all = self.out.symbols.sets.combinations(&sets[..count]);
            self.out.constants.within_limits(count, all)?;
            let set = self.out.symbols.set(table.rows.iter().map(|row| row[count]));
            if !self.out.symbols.sets.overlap(set, self.out.registers.set_of(last)) {
                return Ok(Condition::Never);
            }
            let partial = groups.len() < all;
            let hint = self.relations.hint(atom.relation, table.known[count].1);
            let map = self.out.function(wanted, &sets[..count], &groups, (0, set), partial, &hint);
            let slot = self.out.expr(map, exprs);
            return Ok(Condition::Test(Test::Same(slot, self.out.registers.slot(last), true)));
        }
        self.out.constants.within_limits(sets.len(), all)?;
        let (named, value, default) = match 2 * table.rows.len() > all {
            false => (table.rows.clone(), Name::ONE, Name::ZERO),
            true => {
                let present: HashSet<&Vec<Symbol>> = table.rows.iter().collect();
                let mut missing = self.out.symbols.sets.all_rows(sets);
                missing.retain(|row| !present.contains(row));
                (missing, Name::ZERO, Name::ONE)
            }
        };
        let entries = named.into_iter().map(|row| (row, value)).collect();
        let map = self.out.constant(wanted, sets, entries, default, Name::BOOL_TYPE);
        let slot = self.out.expr(map, exprs);
        Ok(Condition::Test(Test::Is(slot, Name::ONE, true)))
    }

    /// The most rows of a table that answer an atom, if they are few and can be gone through.
    pub(super) fn few_rows(
        &self,
        atom: &FlatAtom,
        rows: &[Vec<Symbol>],
        plan: &Plan,
    ) -> Option<usize> {
        let rows: Vec<&Vec<Symbol>> = self.answers(atom, rows, plan).collect();
        let table = Table::of(atom, &rows, |term| plan.value(term));
        let groups = table.groups();
        let most = groups.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let domains = table.open.iter().map(|&(variable, _)| plan.domains[usize::from(variable.0)]);
        let domains = self.out.symbols.sets.combinations(&domains.collect::<Option<Vec<SetId>>>()?);
        let sets: Vec<SetId> =
            table.known.iter().map(|&(r, _)| self.out.registers.set_of(r)).collect();
        let all = self.out.symbols.sets.combinations(&sets);
        let is_computed = self.relations.known.computed_name(atom.relation).is_some();
        let most_ways = if is_computed { MOST_LINES } else { MOST_WAYS };
        let few = !table.known.is_empty()
            && table.known.len() <= MOST_KEYS
            && most <= most_ways
            && 2 * most <= domains
            && all <= MOST_ENTRIES;
        let fits = table.open.iter().enumerate().all(|(place, (variable, _))| {
            plan.targets[usize::from(variable.0)].is_none_or(|target| {
                let to = self.out.registers.set_of(target);
                let mut values = groups.iter().flat_map(|(_, values)| values);
                values.all(|value| self.out.symbols.sets.has(to, value[place]))
            })
        });
        (few && fits).then_some(most)
    }

    /// The variable of an atom, with its column, whose value tells which of the few rows answers.
    /// For example, a direction tells which square lies there. The variable has at most as many
    /// values as there are rows.
    pub(super) fn telling(
        &self,
        atom: &FlatAtom,
        rows: &[Vec<Symbol>],
        few: usize,
        plan: &Plan,
    ) -> Option<(Variable, usize)> {
        let rows: Vec<&Vec<Symbol>> = self.answers(atom, rows, plan).collect();
        let table = Table::of(atom, &rows, |term| plan.value(term));
        let columns = table.known.len();
        if few < 2 || table.open.len() < 2 || columns == 0 {
            return None;
        }
        let tells = |place: &usize| {
            let (variable, _) = table.open[*place];
            let mut values = HashSet::new();
            let mut keys = HashSet::new();
            let is_told = table.rows.iter().all(|row| {
                values.insert(row[columns + place]);
                keys.insert((&row[..columns], row[columns + place]))
            });
            is_told && values.len() <= few && plan.targets[usize::from(variable.0)].is_none()
        };
        (0..table.open.len()).find(tells).map(|place| table.open[place])
    }

    /// Goes through the few rows of a table that answer an atom. In rows over pairs, conditions
    /// about a value are asked before the next value is read. Returns the places of these
    /// conditions. `None` if one of them never holds.
    pub(super) fn try_rows(
        &mut self,
        atom: &FlatAtom,
        rows: &[Vec<Symbol>],
        pending: &[FlatLiteral],
        plan: &mut Plan,
        context: &Context,
    ) -> Result<Option<Vec<usize>>, Stop> {
        let rows: Vec<&Vec<Symbol>> = self.answers(atom, rows, plan).collect();
        let table = Table::of(atom, &rows, |term| plan.value(term));
        let groups = table.groups();
        let most = groups.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let sets: Vec<SetId> =
            table.known.iter().map(|&(r, _)| self.out.registers.set_of(r)).collect();
        let all = self.out.symbols.sets.combinations(&sets);
        let keys: Vec<Expr> = (table.known.iter())
            .map(|&(register, _)| {
                self.out.program.slots.expr(self.out.registers.slot(register)).clone()
            })
            .collect();
        let mut columns = Vec::new();
        for (place, &(variable, column)) in table.open.iter().enumerate() {
            let values = groups.iter().flat_map(|(_, values)| values);
            let set = self.out.symbols.set(values.map(|value| value[place]));
            let set = self.out.symbols.widened(set);
            let hint = self.relations.hint(atom.relation, column);
            columns.push((self.bind(plan, variable, set, &hint), set, hint));
        }
        let mut done = Vec::new();
        let mut asked: Vec<Body> = vec![Vec::new(); columns.len()];
        let is_computed = self.relations.known.computed_name(atom.relation).is_some();
        for (place, literal) in pending.iter().enumerate().filter(|_| is_computed) {
            let is_other = !matches!(literal, FlatLiteral::Positive(other) if other == atom);
            let mut last = None;
            variables(literal, &mut |v| {
                last = last.max(table.open.iter().position(|(open, _)| *open == v));
            });
            let Some(last) =
                last.filter(|_| is_other && self.cost(literal, plan, context.scope.mode) == 0)
            else {
                continue;
            };
            let before = plan.ops.len();
            match self.ask(literal, plan, &HashSet::new(), How::Check(None), context)? {
                Step::Done => done.push(place),
                Step::Never => return Ok(None),
                Step::Wait => {}
            }
            asked[last].extend(plan.ops.drain(before..));
        }
        let wanted = self.relations.plain_name(atom.relation);
        let mut ways = Vec::new();
        for number in 0..most {
            let own: Vec<(Vec<Symbol>, Vec<Vec<Symbol>>)> = groups
                .iter()
                .filter(|(_, values)| values.len() > number)
                .map(|(key, values)| (key.clone(), vec![values[number].clone()]))
                .collect();
            let partial = own.len() < all;
            let mut way = Vec::new();
            for (place, (register, set, hint)) in columns.iter().enumerate() {
                let map = self.out.function(&wanted, &sets, &own, (place, *set), partial, hint);
                let slot = self.out.expr(map, keys.clone());
                if partial && place == 0 {
                    let none = self.out.symbols.none();
                    way.push(Statement::Test(Test::Is(slot, none, false)));
                }
                let expr = self.out.program.slots.expr(slot).clone();
                way.push(Statement::Do(self.out.assign(*register, expr, (*set, partial))));
                way.extend(asked[place].iter().cloned());
            }
            ways.push(way);
        }
        plan.ops.push(Statement::Choice(ways));
        Ok(Some(done))
    }
}

/// The rows that answer an atom, with the columns that registers hold and the columns of variables.
struct Table {
    known: Vec<(Register, usize)>,
    open: Vec<(Variable, usize)>,
    /// By row: the columns of registers, and then the columns of variables.
    rows: Vec<Vec<Symbol>>,
}

impl Table {
    fn of(
        atom: &FlatAtom,
        rows: &[&Vec<Symbol>],
        value: impl Fn(FlatTerm) -> Option<Operand>,
    ) -> Table {
        let mut known: Vec<(Register, usize)> = Vec::new();
        let mut open: Vec<(Variable, usize)> = Vec::new();
        let mut same: Vec<(usize, usize)> = Vec::new();
        for (column, &term) in atom.args.iter().enumerate() {
            match (term, value(term)) {
                (_, Some(Operand::Symbol(_))) => {}
                (_, Some(Operand::Register(register))) => {
                    match known.iter().find(|(other, _)| *other == register) {
                        Some(&(_, before)) => same.push((before, column)),
                        None => known.push((register, column)),
                    }
                }
                (FlatTerm::Variable(variable), None) => {
                    if !open.iter().any(|(other, _)| *other == variable) {
                        open.push((variable, column));
                    }
                }
                (FlatTerm::Constant(_), None) => unreachable!("a constant is known"),
            }
        }
        let columns: Vec<usize> =
            known.iter().map(|&(_, c)| c).chain(open.iter().map(|&(_, c)| c)).collect();
        let rows = rows.iter().filter(|row| same.iter().all(|&(a, b)| row[a] == row[b]));
        let mut rows: Vec<Vec<Symbol>> =
            rows.map(|row| columns.iter().map(|&c| row[c]).collect()).collect();
        rows.sort_unstable();
        rows.dedup();
        Table { known, open, rows }
    }

    /// By values of the registers: the possible values of the variables.
    fn groups(&self) -> Vec<(Vec<Symbol>, Vec<Vec<Symbol>>)> {
        let count = self.known.len();
        let mut groups: Vec<(Vec<Symbol>, Vec<Vec<Symbol>>)> = Vec::new();
        let mut place: HashMap<&[Symbol], usize> = HashMap::new();
        for row in &self.rows {
            let (key, values) = row.split_at(count);
            let at = *place.entry(key).or_insert_with(|| {
                groups.push((key.to_vec(), Vec::new()));
                groups.len() - 1
            });
            groups[at].1.push(values.to_vec());
        }
        groups
    }

    /// For each variable the register that always has the same value, as a place in `known`. `None`
    /// if a variable has no such register.
    fn copies(&self) -> Option<Vec<(Variable, usize)>> {
        let count = self.known.len();
        let copy = |(place, &(variable, _)): (usize, &(Variable, usize))| {
            let same =
                |&known: &usize| self.rows.iter().all(|row| row[known] == row[count + place]);
            Some((variable, (0..count).find(same)?))
        };
        self.open.iter().enumerate().map(copy).collect()
    }

    /// Whether the other columns determine the last column.
    fn is_function(&self) -> bool {
        let mut seen = HashSet::new();
        self.rows.iter().all(|row| seen.insert(&row[..row.len() - 1]))
    }
}
