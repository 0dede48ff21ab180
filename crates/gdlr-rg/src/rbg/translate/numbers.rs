//! Bounded numbers as symbols, and arithmetic as maps.

use super::{Counter, Emitter};
use crate::rbg::ast::{Arithmetic, Comparison, Operator, VariableId};
use crate::rg::naming::map;
use crate::rg::{
    Constant, Expr, Ident, Name, Place, SimpleType, SymbolSet, Type, TypeAlias, Value,
};
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

/// The translation of an expression.
#[derive(Clone)]
pub(super) enum Number {
    Constant(i64),
    Among(Expr, Rc<Domain>),
}

/// The key of a memoised table.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Apply(Operator, Option<i64>, Option<Name>, Option<i64>, Option<Name>),
    Holds(Comparison, Option<i64>, Option<Name>, Option<i64>, Option<Name>),
    Fits(Name, u32),
    Step(Operator, Name),
}

/// Types of numbers, and tables, memoised.
#[derive(Default)]
pub(super) struct Tables {
    domains: HashMap<Vec<i64>, Rc<Domain>>,
    made: HashMap<Key, (Name, Rc<Domain>)>,
    entries: usize,
}

type Translated<T> = Result<T, Box<Diagnostic>>;

impl Emitter<'_> {
    /// The symbol of a number.
    pub fn number(&mut self, number: i64) -> Name {
        match number {
            0.. => self.naming.name(&number.to_string()),
            _ => self.naming.name(&format!("minus_{}", number.unsigned_abs())),
        }
    }

    /// The domain of a set of numbers.
    pub fn domain(&mut self, values: &[i64], wanted: Option<&str>) -> Rc<Domain> {
        if let (Some(domain), None) = (self.tables.domains.get(values), wanted) {
            return domain.clone();
        }
        let last = values.last().copied().unwrap_or(0);
        let text = match wanted {
            Some(text) => text.to_owned(),
            None if values.len() as i64 == last + 1 && values[0] == 0 => format!("UpTo{last}"),
            None => "Numbers".to_owned(),
        };
        let type_ = self.naming.fresh_type(&text);
        let members = values.iter().map(|value| self.number(*value)).collect();
        self.declare_set(type_, members);
        let domain = Rc::new(Domain { type_, values: values.to_vec() });
        self.tables.domains.entry(values.to_vec()).or_insert(domain.clone());
        domain
    }

    /// `type name = { members };`
    pub fn declare_set(&mut self, name: Name, members: Vec<Name>) {
        let members = members.into_iter().map(Ident::from).collect();
        let type_ = SimpleType::Set(SymbolSet { members, place: Place::default() }).into();
        let name = name.into();
        self.description.types.push(TypeAlias { name, type_, place: Place::default() });
    }

    /// `const name: key -> value = { … };`, by the values of all keys.
    pub fn declare_map(
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

    fn count_entries(&mut self, more: usize) -> Translated<()> {
        self.tables.entries = self.tables.entries.saturating_add(more);
        if self.tables.entries <= self.limits.entries {
            return Ok(());
        }
        let message = format!("the maps grow beyond {} entries", self.limits.entries);
        Err(Box::new(Diagnostic::new(Code::RbgGrowth, self.at.0, message)))
    }

    /// The translation of an expression. Adds to `guards` the conditions under which it has a
    /// value.
    pub fn arithmetic(
        &mut self,
        value: &Arithmetic,
        guards: &mut Vec<(Expr, Name)>,
    ) -> Translated<Option<Number>> {
        Ok(Some(match value {
            Arithmetic::Number(number) => Number::Constant(*number),
            Arithmetic::Variable(variable) => self.variable(*variable),
            Arithmetic::Count(piece) => {
                let Some(Counter { name, domain, .. }) = self.counters[piece.index()].clone()
                else {
                    return Ok(None);
                };
                Number::Among(Ident::from(name).into(), domain)
            }
            Arithmetic::Binary(left, operator, right) => {
                let Some(left) = self.arithmetic(left, guards)? else { return Ok(None) };
                let Some(right) = self.arithmetic(right, guards)? else { return Ok(None) };
                return self.binary(left, *operator, right, guards);
            }
        }))
    }

    /// The value of a variable.
    pub fn variable(&mut self, variable: VariableId) -> Number {
        let (name, domain) = self.variables[variable.index()].clone();
        let name: Expr = Ident::from(name).into();
        if variable.index() >= self.game.players {
            return Number::Among(name, domain);
        }
        Number::Among(super::access(Name::GOALS, vec![name]), domain)
    }

    fn binary(
        &mut self,
        left: Number,
        operator: Operator,
        right: Number,
        guards: &mut Vec<(Expr, Name)>,
    ) -> Translated<Option<Number>> {
        if let (Number::Constant(left), Number::Constant(right)) = (&left, &right) {
            return Ok(operator.apply(*left, *right).map(Number::Constant));
        }
        if let (Operator::Divide, Number::Among(divisor, domain)) = (operator, &right)
            && domain.values.contains(&0)
        {
            guards.push((divisor.clone(), Name::ZERO));
        }
        let (own, other) = (values(&left), values(&right));
        self.check_pairs(&left, &right)?;
        let mut results = BTreeSet::new();
        for left in &own {
            results.extend(other.iter().filter_map(|right| operator.apply(*left, *right)));
        }
        if results.is_empty() {
            return Ok(None);
        }
        let results: Vec<i64> = results.into_iter().collect();
        let [(l, lt), (r, rt)] = [key(&left), key(&right)];
        let key = Key::Apply(operator, l, lt, r, rt);
        let (table, domain) = match self.tables.made.get(&key) {
            Some(made) => made.clone(),
            None => {
                let domain = self.domain(&results, None);
                let any = results[0];
                let of = |left, right| operator.apply(left, right).unwrap_or(any);
                let text = match operator {
                    Operator::Add => "sum",
                    Operator::Subtract => "difference",
                    Operator::Multiply => "product",
                    Operator::Divide => "quotient",
                };
                let name = self.table(text, &left, &right, domain.type_, of)?;
                self.tables.made.insert(key, (name, domain.clone()));
                (name, domain)
            }
        };
        Ok(Some(Number::Among(super::access(table, operands(left, right)), domain)))
    }

    fn check_pairs(&mut self, left: &Number, right: &Number) -> Translated<()> {
        let pairs = values(left).len().saturating_mul(values(right).len());
        if pairs > self.limits.entries {
            return self.count_entries(pairs);
        }
        Ok(())
    }

    /// A map from one or two numbers.
    fn table(
        &mut self,
        text: &str,
        left: &Number,
        right: &Number,
        type_: Name,
        of: impl Fn(i64, i64) -> i64,
    ) -> Translated<Name> {
        match (left, right) {
            (Number::Among(_, keys), Number::Constant(right)) => {
                self.row(text, keys, type_, |left| of(left, *right))
            }
            (Number::Constant(left), Number::Among(_, keys)) => {
                self.row(text, keys, type_, |right| of(*left, right))
            }
            (Number::Among(_, first), Number::Among(_, second)) => {
                self.count_entries(first.values.len() * second.values.len())?;
                let [keys, inner] = [first, second].map(|it| it.values.clone());
                let [keys_names, inner_names] = [&keys, &inner]
                    .map(|it| it.iter().map(|value| self.number(*value)).collect::<Vec<_>>());
                let rows = (keys.iter())
                    .map(|left| {
                        let row = inner.iter().map(|right| of(*left, *right));
                        let row: Vec<_> = row.collect();
                        let row = row.iter().map(|it| Value::Name(self.number(*it).into()));
                        map(&inner_names, row.collect())
                    })
                    .collect();
                let name = self.naming.fresh(text);
                let value = map(&keys_names, rows);
                self.declare_constant(name, &[first.type_, second.type_], type_, value);
                Ok(name)
            }
            (Number::Constant(_), Number::Constant(_)) => Ok(Name::ZERO),
        }
    }

    fn row(
        &mut self,
        text: &str,
        keys: &Domain,
        type_: Name,
        of: impl Fn(i64) -> i64,
    ) -> Translated<Name> {
        let members: Vec<Name> = keys.values.iter().map(|value| self.number(*value)).collect();
        let values: Vec<Name> = keys.values.iter().map(|value| self.number(of(*value))).collect();
        self.declare_map(text, (keys.type_, &members), (type_, &values))
    }

    /// The translation of a condition: two expressions and whether they must be equal, or the
    /// constant answer.
    pub fn condition(
        &mut self,
        left: Number,
        comparison: Comparison,
        right: Number,
    ) -> Translated<Result<(Expr, Name, bool), bool>> {
        let (own, other) = (values(&left), values(&right));
        self.check_pairs(&left, &right)?;
        let mut holds = own.iter().flat_map(|l| other.iter().map(|r| comparison.holds(*l, *r)));
        let first = holds.next().unwrap_or(false);
        if holds.all(|it| it == first) {
            return Ok(Err(first));
        }
        let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if let (true, Number::Among(value, _), Number::Constant(number))
        | (true, Number::Constant(number), Number::Among(value, _)) = (equality, &left, &right)
        {
            let symbol = self.number(*number);
            return Ok(Ok((value.clone(), symbol, comparison == Comparison::Equal)));
        }
        let [(l, lt), (r, rt)] = [key(&left), key(&right)];
        let key = Key::Holds(comparison, l, lt, r, rt);
        let table = match self.tables.made.get(&key) {
            Some((name, _)) => *name,
            None => {
                let text = match comparison {
                    Comparison::Less => "less",
                    Comparison::LessOrEqual => "less_or_equal",
                    Comparison::Equal => "equal",
                    Comparison::NotEqual => "not_equal",
                    Comparison::Greater => "greater",
                    Comparison::GreaterOrEqual => "greater_or_equal",
                };
                let of = |l, r| i64::from(comparison.holds(l, r));
                let name = self.table(text, &left, &right, Name::BOOL_TYPE, of)?;
                let bool_ = Rc::new(Domain { type_: Name::BOOL_TYPE, values: vec![0, 1] });
                self.tables.made.insert(key, (name, bool_));
                name
            }
        };
        Ok(Ok((super::access(table, operands(left, right)), Name::ONE, true)))
    }

    /// A map that is 1 for the values of a domain within a bound; `None` if all are.
    pub fn fits(&mut self, value: &Expr, domain: &Domain, bound: u32) -> Translated<Option<Expr>> {
        let fits = |value: i64| (0..=i64::from(bound)).contains(&value);
        if domain.values.iter().all(|value| fits(*value)) {
            return Ok(None);
        }
        let key = Key::Fits(domain.type_, bound);
        let table = match self.tables.made.get(&key) {
            Some((name, _)) => *name,
            None => {
                let of = |value| i64::from(fits(value));
                let name = self.row("fits", domain, Name::BOOL_TYPE, of)?;
                let bool_ = Rc::new(Domain { type_: Name::BOOL_TYPE, values: vec![0, 1] });
                self.tables.made.insert(key, (name, bool_));
                name
            }
        };
        Ok(Some(super::access(table, vec![value.clone()])))
    }
}

fn values(number: &Number) -> Vec<i64> {
    match number {
        Number::Constant(value) => vec![*value],
        Number::Among(_, domain) => domain.values.clone(),
    }
}

fn key(number: &Number) -> (Option<i64>, Option<Name>) {
    match number {
        Number::Constant(value) => (Some(*value), None),
        Number::Among(_, domain) => (None, Some(domain.type_)),
    }
}

fn operands(left: Number, right: Number) -> Vec<Expr> {
    let expr = |number| match number {
        Number::Constant(_) => None,
        Number::Among(expr, _) => Some(expr),
    };
    [expr(left), expr(right)].into_iter().flatten().collect()
}

impl Emitter<'_> {
    /// A counter plus or minus one. It stays in its domain, since no square is counted twice.
    pub fn counted(&mut self, counter: &Number, operator: Operator, most: i64) -> Translated<Expr> {
        let Number::Among(value, domain) = counter else {
            return Ok(super::named(Name::ZERO));
        };
        let key = Key::Step(operator, domain.type_);
        let table = match self.tables.made.get(&key) {
            Some((name, _)) => *name,
            None => {
                let text = if operator == Operator::Add { "more" } else { "less_by_one" };
                let of = |value| operator.apply(value, 1).unwrap_or(0).clamp(0, most);
                let name = self.row(text, domain, domain.type_, of)?;
                self.tables.made.insert(key, (name, domain.clone()));
                name
            }
        };
        Ok(super::access(table, vec![value.clone()]))
    }
}
