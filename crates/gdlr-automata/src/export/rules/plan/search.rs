//! Searches for an entry along a column: the possible values of a variable are visited, up to the
//! first that answers.
//!
//! ```text
//! (<= (next (cell ?c ?h ?p)) (does ?p (drop ?c)) (true (cell ?c ?h free)) (lies ?c ?h))
//!
//! ch = first[c]; until cell[ch] == free and it lies there: ch = next[ch]        then cell[ch] = turn
//! ```
//!
//! A condition whose rows are known may leave few values of a variable, given its known columns:
//! the cells of a column. The search visits these in their order. If the net proves that one of
//! them answers at most, the search ends with it, and the move writes no other entry.

use super::Planner;
use super::body::Plan;
use super::write::{Loop, Write};
use crate::export::program::{Body, Statement, Test};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{Answer, SetId, variable as variable_of};
use crate::export::rules::build::{MOST_ENTRIES, Operand, Register};
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatTerm};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most pairs of answers that are compared.
const MOST_PAIRS: usize = 1 << 12;

/// The conditions from which a write follows, with the plan before the search for their values.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub head: FlatAtom,
    pub body: Vec<FlatLiteral>,
    pub start: Plan,
}

/// The answers to the conditions of a write, by the values of registers before the search.
struct Answers {
    registers: Vec<Register>,
    by: BTreeMap<Vec<Symbol>, Vec<(Vec<Symbol>, Answer)>>,
}

/// By values of registers: the possible values of the columns that are visited.
type Columns = Vec<(Vec<Symbol>, Vec<Vec<Symbol>>)>;

/// A loop over some values of a variable: its register, the loop, and the conditions that are left.
pub(super) type Narrowed = (Register, Loop, Vec<FlatLiteral>);

impl Planner<'_> {
    /// A loop through the values that one condition leaves for a variable. `None` unless these are
    /// at most half of all values.
    pub(super) fn narrowed(
        &mut self,
        body: &[FlatLiteral],
        start: &mut Plan,
        (variable, set): (Variable, SetId),
        hint: &str,
        mode: Option<usize>,
    ) -> Option<Narrowed> {
        let mut best: Option<(usize, usize, Vec<usize>, Columns)> = None;
        for (place, literal) in body.iter().enumerate() {
            let FlatLiteral::Positive(atom) = literal else { continue };
            let Some((keys, columns)) = self.columns_of_values(atom, start, (variable, set), mode)
            else {
                continue;
            };
            let most = columns.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
            if 2 * most <= self.out.symbols.sets.members(set).len()
                && best.as_ref().is_none_or(|(least, ..)| most < *least)
            {
                best = Some((most, place, keys, columns));
            }
        }
        let (_, place, keys, columns) = best?;
        let FlatLiteral::Positive(atom) = &body[place] else { return None };
        let operands: Vec<Operand> =
            keys.iter().map(|&column| start.value(atom.args[column])).collect::<Option<_>>()?;
        let register = self.out.register(hint, set, &mut start.used);
        start.env[usize::from(variable.0)] = Some(Operand::Register(register));
        let tells_keys = {
            let mut all: Vec<Symbol> = columns.iter().flat_map(|(_, v)| v).map(|v| v[0]).collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            all.len() == count
        };
        let name = self.relations.plain_name(atom.relation);
        let chain = self.along(register, set, &operands, &columns, tells_keys, &name, hint);
        let mut rest = body.to_vec();
        if tells_keys {
            self.without_keys(&mut rest, place, &keys, mode);
        }
        Some((register, chain, rest))
    }

    /// Whether a condition leaves at most half of the values of a variable.
    pub(super) fn can_narrow(
        &self,
        body: &[FlatLiteral],
        start: &Plan,
        of: (Variable, SetId),
        mode: Option<usize>,
    ) -> bool {
        body.iter().any(|literal| {
            let FlatLiteral::Positive(atom) = literal else { return false };
            let columns = self.columns_of_values(atom, start, of, mode);
            let most = columns.map(|(_, columns)| columns.iter().map(|(_, v)| v.len()).max());
            let all = self.out.symbols.sets.members(of.1).len();
            most.flatten().is_some_and(|most| 2 * most <= all)
        })
    }

    /// By values of the columns that registers hold: the values that the rows of an atom leave for
    /// a variable, in their order. With them come the places of these columns.
    fn columns_of_values(
        &self,
        atom: &FlatAtom,
        plan: &Plan,
        (variable, set): (Variable, SetId),
        mode: Option<usize>,
    ) -> Option<(Vec<usize>, Columns)> {
        let rows = self.relations.rows_in(atom.relation, mode)?;
        let own = atom.args.iter().position(|term| *term == FlatTerm::Variable(variable))?;
        let register = |column: &usize| match plan.value(atom.args[*column]) {
            Some(Operand::Register(register)) => Some(self.out.registers.set_of(register)),
            _ => None,
        };
        let keys: Vec<usize> = (0..atom.args.len()).filter(|c| register(c).is_some()).collect();
        let sets: Vec<SetId> = keys.iter().filter_map(register).collect();
        let all = self.out.symbols.sets.combinations(&sets);
        if keys.is_empty() || all > MOST_ENTRIES {
            return None;
        }
        let place = |symbol| self.out.symbols.sets.members(set).iter().position(|s| *s == symbol);
        let mut by: BTreeMap<Vec<Symbol>, BTreeMap<usize, Symbol>> = BTreeMap::new();
        for row in &*rows {
            let fits = atom.args.iter().zip(row).all(|(&term, &symbol)| match plan.value(term) {
                Some(Operand::Symbol(known)) => known == symbol,
                Some(Operand::Register(register)) => {
                    self.out.symbols.sets.has(self.out.registers.set_of(register), symbol)
                }
                None => true,
            });
            if let (true, Some(at)) = (fits, place(row[own])) {
                let key = keys.iter().map(|&column| row[column]).collect();
                by.entry(key).or_default().insert(at, row[own]);
            }
        }
        let columns = by
            .into_iter()
            .map(|(key, values)| (key, values.into_values().map(|value| vec![value]).collect()));
        Some((keys, columns.collect()))
    }

    /// The loop along the values of columns.
    #[expect(clippy::too_many_arguments, reason = "the parts of one loop")]
    fn along(
        &mut self,
        register: Register,
        set: SetId,
        operands: &[Operand],
        columns: &Columns,
        tells_keys: bool,
        name: &str,
        hint: &str,
    ) -> Loop {
        let sets: Vec<SetId> = operands.iter().map(|&operand| self.out.set_of(operand)).collect();
        let keys: Vec<_> = operands.iter().map(|&operand| self.out.operand(operand)).collect();
        let firsts: Columns =
            columns.iter().map(|(key, values)| (key.clone(), values[..1].to_vec())).collect();
        let partial = firsts.len() < self.out.symbols.sets.combinations(&sets);
        let mut first = Body::new();
        let map =
            self.out.function(&format!("first_{name}"), &sets, &firsts, (0, set), partial, hint);
        let slot = self.out.expr(map, keys.clone());
        self.lead(slot, register, (set, partial), &mut first);
        let mut nexts: Columns = Vec::new();
        for (key, values) in columns {
            for pair in values.windows(2) {
                let from = match tells_keys {
                    true => pair[0].clone(),
                    false => [&key[..], &pair[0]].concat(),
                };
                nexts.push((from, vec![pair[1].clone()]));
            }
        }
        let mut step = Body::new();
        if nexts.is_empty() {
            step.push(Statement::Never);
            return Loop::Chain(first, step);
        }
        let own = self.out.operand(Operand::Register(register));
        let (sets, keys) = match tells_keys {
            true => (vec![set], vec![own]),
            false => ([&sets[..], &[set]].concat(), [&keys[..], &[own]].concat()),
        };
        let map = self.out.function(&format!("next_{name}"), &sets, &nexts, (0, set), true, hint);
        let slot = self.out.expr(map, keys);
        self.lead(slot, register, (set, true), &mut step);
        Loop::Chain(first, step)
    }

    /// Reads an entry of a constant map into a register. A partial map needs a test that there is a
    /// value.
    fn lead(
        &mut self,
        slot: crate::export::slots::Slot,
        register: Register,
        (set, partial): (SetId, bool),
        ops: &mut Body,
    ) {
        if partial {
            let none = self.out.symbols.none();
            ops.push(Statement::Test(Test::Is(slot, none, false)));
        }
        let expr = self.out.program.slots.expr(slot).clone();
        ops.push(Statement::Do(self.out.assign(register, expr, (set, partial))));
    }

    /// Removes from a condition the columns that hold for each value of the loop.
    fn without_keys(
        &mut self,
        body: &mut Vec<FlatLiteral>,
        place: usize,
        keys: &[usize],
        mode: Option<usize>,
    ) {
        let FlatLiteral::Positive(atom) = body[place].clone() else { return };
        let left: Vec<usize> =
            (0..atom.args.len()).filter(|column| !keys.contains(column)).collect();
        if let [_] = left[..] {
            body.remove(place);
            return;
        }
        let Some(rows) = self.relations.rows_in(atom.relation, mode) else { return };
        let rows = rows.iter().map(|row| left.iter().map(|&column| row[column]).collect());
        let hints = left.iter().map(|&column| self.relations.hint(atom.relation, column)).collect();
        let name = self.relations.plain_name(atom.relation);
        let relation = self.relations.known_relation(&name, rows.collect(), hints);
        let args = left.iter().map(|&column| atom.args[column]).collect();
        body[place] = FlatLiteral::Positive(FlatAtom { relation, args });
    }

    /// Whether a write happens once at most, for given values before its search.
    pub(super) fn is_only(&mut self, source: &Source) -> Result<bool, Stop> {
        let Some(answers) = self.answers_by_register(source)? else { return Ok(false) };
        let mut asked: Vec<[&Answer; 2]> = Vec::new();
        for group in answers.by.values() {
            for (place, (row, one)) in group.iter().enumerate() {
                let others = group[..place].iter().filter(|(other, _)| other != row);
                asked.extend(others.map(|(_, other)| [one, other]));
            }
            if asked.len() > MOST_PAIRS {
                return Ok(false);
            }
        }
        Ok(self.proofs.exclude_each_other(&asked, self.input.net, self.input.meter)?)
    }

    /// Whether two writes exclude each other.
    fn never_both(&mut self, one: &Source, other: &Source) -> Result<bool, Stop> {
        let (Some(one), Some(other)) =
            (self.answers_by_register(one)?, self.answers_by_register(other)?)
        else {
            return Ok(false);
        };
        if one.registers != other.registers {
            return Ok(false);
        }
        let mut asked: Vec<[&Answer; 2]> = Vec::new();
        for (key, group) in &one.by {
            for (_, answer) in group {
                let others = other.by.get(key).into_iter().flatten();
                asked.extend(others.map(|(_, other)| [answer, other]));
            }
            if asked.len() > MOST_PAIRS {
                return Ok(false);
            }
        }
        Ok(self.proofs.exclude_each_other(&asked, self.input.net, self.input.meter)?)
    }

    /// The answers to the conditions of a write. `None` if they are too many, or not known.
    fn answers_by_register(&mut self, source: &Source) -> Result<Option<Answers>, Stop> {
        let Source { head, body, start } = source;
        let shapes = &self.analysis.shapes;
        let Some(answers) = self.relations.answers_of(body, start.env.len(), shapes)? else {
            return Ok(None);
        };
        let mut registers: Vec<Register> =
            start.env.iter().flatten().filter_map(|operand| operand.register()).collect();
        registers.sort_unstable();
        registers.dedup();
        let mut by: BTreeMap<Vec<Symbol>, Vec<(Vec<Symbol>, Answer)>> = BTreeMap::new();
        for mut answer in answers {
            self.input.meter.spend(1)?;
            let mut key: Vec<Option<Symbol>> = vec![None; registers.len()];
            let mut fits = true;
            for (value, operand) in answer.values.iter_mut().zip(&start.env) {
                match (*operand, *value) {
                    (Some(Operand::Symbol(known)), None) => *value = Some(known),
                    (Some(Operand::Symbol(known)), Some(own)) => fits &= known == own,
                    (Some(Operand::Register(register)), Some(own)) => {
                        let place = registers.iter().position(|r| *r == register).unwrap_or(0);
                        fits &= *key[place].get_or_insert(own) == own;
                    }
                    _ => {}
                }
            }
            if !fits {
                continue;
            }
            // A variable without a condition may be any symbol.
            let row = head.args.iter().map(|term| match *term {
                FlatTerm::Constant(symbol) => Some(symbol),
                FlatTerm::Variable(v) => answer.values[usize::from(v.0)],
            });
            let is_told = |term: &FlatTerm| {
                let operand = variable_of(*term).and_then(|v| start.env[usize::from(v.0)]);
                matches!(operand, Some(Operand::Register(_)))
            };
            let mut whole = Vec::new();
            for (symbol, term) in row.zip(&head.args) {
                match symbol {
                    Some(symbol) => whole.push(symbol),
                    None if is_told(term) => whole.push(Symbol::TRUE),
                    None => return Ok(None),
                }
            }
            let Some(key) = key.into_iter().collect::<Option<Vec<Symbol>>>() else {
                return Ok(None);
            };
            by.entry(key).or_default().push((whole, answer));
        }
        Ok(Some(Answers { registers, by }))
    }

    /// Joins a search with the other writes to the same facts, if only one of both can happen. The
    /// search is made only if the conditions of the other writes do not hold.
    pub(super) fn join_searches(&mut self, writes: &mut Vec<Write>) -> Result<(), Stop> {
        let mut place = 0;
        while place < writes.len() {
            let search = &writes[place];
            let other = writes.iter().position(|write| {
                write.base == search.base
                    && write.value == search.value
                    && write.loops.is_empty()
                    && !write.is_certain()
                    && !write.clears
                    && write.otherwise.is_none()
                    && write.instead.is_empty()
            });
            let (true, Some(other), true) = (search.finds, other, search.instead.is_empty()) else {
                place += 1;
                continue;
            };
            let sources = (writes[other].source.clone(), search.source.clone());
            let (Some(one), Some(two)) = sources else {
                place += 1;
                continue;
            };
            if !self.never_both(&one, &two)? {
                place += 1;
                continue;
            }
            let search = writes.remove(place);
            let other = if other < place { other } else { other - 1 };
            writes[other].reads.extend(search.reads.iter().copied());
            writes[other].instead.push(search);
        }
        Ok(())
    }
}

impl Source {
    pub fn new(head: &FlatAtom, body: &[FlatLiteral], start: &Plan) -> Rc<Source> {
        Rc::new(Source { head: head.clone(), body: body.to_vec(), start: start.clone() })
    }
}
