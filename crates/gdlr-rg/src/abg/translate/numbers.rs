//! Numbers as symbols, and arithmetic as maps.

use super::{Emitter, Translated, access, named};
use crate::abg::game::{Arithmetic, Comparison, Number};
use crate::rg::naming::map;
use crate::rg::{Constant, Expr, Name, Place, SimpleType, Type, Value};
use gdlr_text::diagnostic::{Code, Diagnostic};
use hashbrown::HashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A set of numbers, in order, with its type.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Domain {
    pub type_: Name,
    pub values: Vec<i64>,
}

/// A number in the automaton.
#[derive(Clone)]
pub(super) enum Operand {
    Constant(i64),
    Among(Expr, Rc<Domain>),
}

impl Operand {
    fn values(&self) -> Vec<i64> {
        match self {
            Operand::Constant(value) => vec![*value],
            Operand::Among(_, domain) => domain.values.clone(),
        }
    }

    fn key(&self) -> (Option<i64>, Option<Name>) {
        match self {
            Operand::Constant(value) => (Some(*value), None),
            Operand::Among(_, domain) => (None, Some(domain.type_)),
        }
    }
}

/// A function of two numbers that becomes a map.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Function {
    Apply(Arithmetic),
    /// As [`Apply`](Self::Apply), rounded to the nearest number of a type.
    Clamped(Arithmetic, Name),
    Holds(Comparison),
    /// The square with a column and a row.
    SquareAt,
}

type Key = (Function, (Option<i64>, Option<Name>), (Option<i64>, Option<Name>));

/// Types of numbers, and maps, memoised.
#[derive(Default)]
pub(super) struct Tables {
    domains: HashMap<Vec<i64>, Rc<Domain>>,
    made: HashMap<Key, Name>,
    /// By kind and summand: the columns or rows of squares plus the summand.
    places: HashMap<(bool, i64), (Name, Rc<Domain>)>,
    entries: usize,
}

impl Tables {
    /// Keeps a type that is declared already.
    pub fn keep(&mut self, domain: Rc<Domain>) {
        self.domains.insert(domain.values.clone(), domain);
    }
}

impl Emitter<'_> {
    /// The symbol of a number.
    pub(super) fn number_name(&mut self, number: i64) -> Name {
        match number {
            0.. => self.naming.name(&number.to_string()),
            _ => self.naming.name(&format!("minus_{}", number.unsigned_abs())),
        }
    }

    /// The domain of a set of numbers.
    pub(super) fn domain(&mut self, values: &[i64]) -> Rc<Domain> {
        if let Some(domain) = self.tables.domains.get(values) {
            return domain.clone();
        }
        let last = values.last().copied().unwrap_or(0);
        let is_range = last.checked_add(1) == Some(values.len() as i64) && values[0] == 0;
        let text = if is_range { format!("UpTo{last}") } else { "Numbers".to_owned() };
        let type_ = self.naming.fresh_type(&text);
        let members = values.iter().map(|value| self.number_name(*value)).collect();
        self.declare_set(type_, members);
        let domain = Rc::new(Domain { type_, values: values.to_vec() });
        self.tables.keep(domain.clone());
        domain
    }

    pub(super) fn count_entries(&mut self, more: usize) -> Translated<()> {
        self.tables.entries = self.tables.entries.saturating_add(more);
        if self.tables.entries <= self.limits.entries {
            return Ok(());
        }
        let message = format!("the maps grow beyond {} entries", self.limits.entries);
        let error = Diagnostic::new(Code::AbgGrowth, self.at, message);
        Err(Box::new(error.with_help("declare smaller ranges, or write a smaller board")))
    }

    /// `const name: keys -> value = { … };`
    pub(super) fn declare_map(
        &mut self,
        wanted: &str,
        (keys, members): (Name, &[Name]),
        (value, values): (Name, &[Name]),
    ) -> Translated<Name> {
        self.count_entries(members.len())?;
        let name = self.naming.fresh(wanted);
        let map = map(members, values.iter().map(|it| Value::Name((*it).into())).collect());
        self.declare_constant(name, &[keys], value, map);
        Ok(name)
    }

    fn declare_constant(&mut self, name: Name, keys: &[Name], value: Name, map: Value) {
        let keys = keys.iter().map(|key| SimpleType::Named((*key).into())).collect();
        let type_ = Type { keys, value: SimpleType::Named(value.into()) };
        let (name, place) = (name.into(), Place::default());
        self.description.constants.push(Constant { name, type_, value: map, place });
    }

    /// The translation of a number.
    pub(super) fn operand(&mut self, number: &Number) -> Translated<Operand> {
        Ok(match number {
            Number::Constant(number) => Operand::Constant(*number),
            Number::Variable(variable) => {
                let (name, domain) = self.variables[*variable].clone();
                match domain {
                    Some(domain) => Operand::Among(named(name), domain),
                    None => Operand::Constant(0),
                }
            }
            Number::Column(more) => self.place_number(true, *more)?,
            Number::Row(more) => self.place_number(false, *more)?,
            Number::Binary(left, operator, right) => {
                let left = self.operand(left)?;
                let right = self.operand(right)?;
                let (own, other) = (left.values(), right.values());
                self.check_pairs(&left, &right)?;
                let mut results = BTreeSet::new();
                for left in &own {
                    results.extend(other.iter().map(|right| operator.apply(*left, *right)));
                }
                let results: Vec<i64> = results.into_iter().collect();
                let domain = self.domain(&results);
                let value = self.table(Function::Apply(*operator), left, right, domain.type_)?;
                Operand::Among(value, domain)
            }
        })
    }

    /// The column or row of the current square, plus a summand.
    fn place_number(&mut self, column: bool, more: i64) -> Translated<Operand> {
        if let Some((map, domain)) = self.tables.places.get(&(column, more)) {
            return Ok(Operand::Among(access(*map, vec![self.here()]), domain.clone()));
        }
        let (width, height) = (self.game.width, self.game.height);
        let count = if column { width } else { height };
        let values: Vec<i64> = (0..count as i64).map(|at| at + more).collect();
        let domain = self.domain(&values);
        let mut members = Vec::new();
        for square in 0..self.squares.len() {
            let at = if column { square % width } else { square / width };
            members.push(self.number_name(values[at]));
        }
        let mut keys = self.squares.clone();
        keys.push(self.nowhere);
        self.needs_border();
        members.push(members[0]);
        let text = if column { "column" } else { "row" };
        let map = self.declare_map(text, (self.place_type, &keys), (domain.type_, &members))?;
        self.tables.places.insert((column, more), (map, domain.clone()));
        Ok(Operand::Among(access(map, vec![self.here()]), domain))
    }

    fn check_pairs(&mut self, left: &Operand, right: &Operand) -> Translated<()> {
        let pairs = left.values().len().saturating_mul(right.values().len());
        if pairs > self.limits.entries { self.count_entries(pairs) } else { Ok(()) }
    }

    /// A number as a value of a variable: the nearest one that the variable can have.
    pub(super) fn clamped(&mut self, number: &Number, own: &Rc<Domain>) -> Translated<Expr> {
        let (left, operator, right) = match number {
            Number::Binary(left, operator, right) => {
                (self.operand(left)?, *operator, self.operand(right)?)
            }
            number => (self.operand(number)?, Arithmetic::Add, Operand::Constant(0)),
        };
        if let (Operand::Constant(left), Operand::Constant(right)) = (&left, &right) {
            let nearest = nearest(&own.values, operator.apply(*left, *right));
            return Ok(named(self.number_name(nearest)));
        }
        if let (Number::Variable(_), Operand::Among(value, domain)) = (number, &left)
            && domain == own
        {
            return Ok(value.clone());
        }
        self.check_pairs(&left, &right)?;
        self.table(Function::Clamped(operator, own.type_), left, right, own.type_)
    }

    /// The square of a column and a row; `nowhere` if it is off the board.
    pub(super) fn square_at(&mut self, x: &Number, y: &Number) -> Translated<Expr> {
        let (x, y) = (self.operand(x)?, self.operand(y)?);
        self.needs_border();
        self.check_pairs(&x, &y)?;
        self.table(Function::SquareAt, x, y, self.place_type)
    }

    /// A comparison: an expression that is 1 if it holds, or the constant answer.
    pub(super) fn holds(
        &mut self,
        left: &Number,
        comparison: Comparison,
        right: &Number,
    ) -> Translated<Result<(Expr, Name, bool), bool>> {
        let (left, right) = (self.operand(left)?, self.operand(right)?);
        self.check_pairs(&left, &right)?;
        let (own, other) = (left.values(), right.values());
        let mut holds = own.iter().flat_map(|l| other.iter().map(|r| comparison.holds(*l, *r)));
        let first = holds.next().unwrap_or(false);
        if holds.all(|it| it == first) {
            return Ok(Err(first));
        }
        let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if let (true, Operand::Among(value, _), Operand::Constant(number))
        | (true, Operand::Constant(number), Operand::Among(value, _)) = (equality, &left, &right)
        {
            let symbol = self.number_name(*number);
            return Ok(Ok((value.clone(), symbol, comparison == Comparison::Equal)));
        }
        let value = self.table(Function::Holds(comparison), left, right, Name::BOOL_TYPE)?;
        Ok(Ok((value, Name::ONE, true)))
    }

    /// A map of one or two numbers, applied to them.
    fn table(
        &mut self,
        function: Function,
        left: Operand,
        right: Operand,
        type_: Name,
    ) -> Translated<Expr> {
        let key = (function, left.key(), right.key());
        let existing = self.tables.made.get(&key).copied();
        let (own, other) = (left.values(), right.values());
        let mut keys = Vec::new();
        let mut operands = Vec::new();
        for operand in [left, right] {
            if let Operand::Among(value, domain) = operand {
                keys.push(domain);
                operands.push(value);
            }
        }
        let name = match existing {
            Some(name) => name,
            None => {
                self.count_entries(own.len() * other.len())?;
                let rows: Vec<Vec<Name>> = (own.iter())
                    .map(|l| other.iter().map(|r| self.result(function, type_, *l, *r)).collect())
                    .collect();
                let name = self.declare_table(function, &keys, type_, &rows);
                self.tables.made.insert(key, name);
                name
            }
        };
        Ok(if operands.is_empty() { named(name) } else { access(name, operands) })
    }

    fn declare_table(
        &mut self,
        function: Function,
        keys: &[Rc<Domain>],
        type_: Name,
        rows: &[Vec<Name>],
    ) -> Name {
        let text = match function {
            Function::Apply(_) => "result",
            Function::Clamped(..) => "nearest",
            Function::Holds(_) => "holds",
            Function::SquareAt => "square_at",
        };
        let name = self.naming.fresh(text);
        let names: Vec<Vec<Name>> = keys
            .iter()
            .map(|domain| domain.values.iter().map(|value| self.number_name(*value)).collect())
            .collect();
        let symbols = |row: &[Name]| row.iter().map(|it| Value::Name((*it).into())).collect();
        let value = match &names[..] {
            [first, second] => {
                let rows = rows.iter().map(|row| map(second, symbols(row))).collect();
                map(first, rows)
            }
            [only] => map(only, symbols(&rows.concat())),
            _ => Value::Name(rows[0][0].into()),
        };
        let types: Vec<Name> = keys.iter().map(|domain| domain.type_).collect();
        self.declare_constant(name, &types, type_, value);
        name
    }

    fn result(&mut self, function: Function, type_: Name, left: i64, right: i64) -> Name {
        match function {
            Function::Apply(operator) => self.number_name(operator.apply(left, right)),
            Function::Clamped(operator, _) => {
                let values = self.tables.domains.values().find(|it| it.type_ == type_);
                let value = operator.apply(left, right);
                let nearest = values.map_or(value, |domain| nearest(&domain.values, value));
                self.number_name(nearest)
            }
            Function::Holds(comparison) => match comparison.holds(left, right) {
                true => Name::ONE,
                false => Name::ZERO,
            },
            Function::SquareAt => {
                let (width, height) = (self.game.width as i64, self.game.height as i64);
                match (0..width).contains(&left) && (0..height).contains(&right) {
                    true => self.squares[(right * width + left) as usize],
                    false => self.nowhere,
                }
            }
        }
    }
}

/// The nearest number in an ordered list; of two, the lesser one.
fn nearest(values: &[i64], wanted: i64) -> i64 {
    let distance = |value: &&i64| (i128::from(**value) - i128::from(wanted)).unsigned_abs();
    values.iter().min_by_key(distance).copied().unwrap_or(wanted)
}
