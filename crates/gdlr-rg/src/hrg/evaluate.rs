//! Evaluates expressions whose value is known before play: cases of functions, keys and values of
//! maps, arguments of constructors.
//!
//! The depth of calls and the number of steps are bounded, so functions may call themselves.

use super::ast::{
    Application, Case, Expr, ExprKind, Function, Game, MapPart, Operator, Pattern,
    is_pattern_variable,
};
use super::domains::{Domains, range_values};
use super::limits::Limits;
use super::value::{Value, list};
use crate::rg::{Ident, Name, Place};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::HashMap;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::rc::Rc;

/// The greatest size of a constructed value. A value of a domain has one level for each domain. But
/// a function that uses its argument twice doubles the size.
const MAX_SIZE: usize = 10_000;

/// The result of an evaluation. The error says why an expression has no value.
pub(super) type Evaluated<T> = Result<T, Box<Diagnostic>>;

/// The meanings of names at the place of an expression.
pub(super) trait Lookup {
    /// The value of a name.
    fn value(&self, name: Ident) -> Evaluated<Value>;
    /// The name itself, or the name that it stands for.
    fn name(&self, name: Name) -> Name;
}

/// The variables of patterns and ranges, the innermost last.
struct Bindings<'o> {
    game: &'o Game,
    bound: Vec<(Name, Value)>,
    /// The meanings of all other names.
    outer: Option<&'o dyn Lookup>,
}

impl<'o> Bindings<'o> {
    fn new(game: &'o Game) -> Self {
        Bindings { game, bound: Vec::new(), outer: None }
    }
}

impl Lookup for Bindings<'_> {
    fn value(&self, name: Ident) -> Evaluated<Value> {
        if let Some((_, value)) = self.bound.iter().rfind(|(bound, _)| *bound == name.name) {
            return Ok(value.clone());
        }
        if let Some(outer) = self.outer {
            return outer.value(name);
        }
        let text = self.game.names.text(name.name);
        if is_pattern_variable(text) {
            let message = format!("nothing says what `{text}` is here");
            return Err(Box::new(Diagnostic::new(Code::HrgUnknownName, name.place.0, message)));
        }
        Ok(Value::of_name(name.name, &self.game.names))
    }

    fn name(&self, name: Name) -> Name {
        self.outer.map_or(name, |outer| outer.name(name))
    }
}

/// Evaluates expressions of a game.
pub(super) struct Evaluator<'g> {
    game: &'g Game,
    pub domains: Domains<'g>,
    functions: HashMap<Name, &'g Function>,
    limits: Limits,
    steps: Cell<u64>,
    entries: Cell<usize>,
    depth: Cell<usize>,
    /// The cases that matched some arguments, by the beginning of their place.
    used_cases: RefCell<hashbrown::HashSet<usize>>,
}

impl<'g> Evaluator<'g> {
    /// An evaluator for a game that has passed the checks of names.
    ///
    /// # Errors
    ///
    /// When the domains exceed the limits.
    pub fn new(game: &'g Game, limits: Limits) -> Result<Self, Diagnostic> {
        let functions =
            game.functions.iter().map(|function| (function.name.name, function)).collect();
        Ok(Evaluator {
            game,
            domains: Domains::new(game, &limits)?,
            functions,
            limits,
            steps: Cell::new(0),
            entries: Cell::new(0),
            depth: Cell::new(0),
            used_cases: RefCell::default(),
        })
    }

    /// The function of a name.
    pub fn function(&self, name: Name) -> Option<&'g Function> {
        self.functions.get(&name).copied()
    }

    /// Counts a step of any kind.
    pub fn step(&self, span: Span) -> Evaluated<()> {
        self.take_steps(1, span)
    }

    /// Counts several steps.
    pub fn take_steps(&self, count: usize, span: Span) -> Evaluated<()> {
        let steps = self.steps.get().saturating_add(count as u64);
        self.steps.set(steps);
        if steps <= self.limits.steps {
            return Ok(());
        }
        let message = format!("the expansion takes more than {} steps", self.limits.steps);
        Err(Box::new(
            Diagnostic::new(Code::HrgGrowth, span, message).with_label("it had come to this"),
        ))
    }

    /// Counts entries of maps.
    pub fn hold_entries(&self, count: usize, span: Span) -> Evaluated<()> {
        let entries = self.entries.get().saturating_add(count);
        self.entries.set(entries);
        if entries <= self.limits.entries {
            return Ok(());
        }
        let most = self.limits.entries;
        let message = format!("all maps together have more than {most} entries");
        Err(Box::new(
            Diagnostic::new(Code::HrgGrowth, span, message)
                .with_label("with those of this")
                .with_help("a function has an entry for each combination of its arguments"),
        ))
    }

    /// Whether a case matched some arguments.
    pub fn is_used(&self, case: &Case) -> bool {
        self.used_cases.borrow().contains(&(case.place.0.range().start))
    }

    /// The value of an expression in which names stand for themselves.
    pub fn value(&self, expr: &Expr) -> Evaluated<Value> {
        self.eval(expr, &Bindings::new(self.game))
    }

    /// The value of a function.
    pub fn call(
        &self,
        function: &'g Function,
        arguments: &[Value],
        span: Span,
    ) -> Evaluated<Value> {
        for case in &function.cases {
            self.step(span)?;
            let mut bindings = Bindings::new(self.game);
            let mut pairs = case.patterns.iter().zip(arguments);
            if pairs.all(|(pattern, value)| self.matches(pattern, value, &mut bindings)) {
                self.used_cases.borrow_mut().insert(case.place.0.range().start);
                return self.deeper(span, |this| this.eval(&case.body, &bindings));
            }
        }
        let text = self.game.names.text(function.name.name);
        let message = format!("`{text}` has no case for ({})", list(arguments, self.game));
        Err(Box::new(
            Diagnostic::new(Code::HrgNotCovered, function.name.place.0, message)
                .with_help(format!("add a case: `{text}(…) = …`, with `_` for any argument")),
        ))
    }

    fn deeper<T>(&self, span: Span, work: impl FnOnce(&Self) -> Evaluated<T>) -> Evaluated<T> {
        if self.depth.get() >= self.limits.depth {
            let message = format!("this is evaluated more than {} deep", self.limits.depth);
            return Err(Box::new(
                Diagnostic::new(Code::HrgGrowth, span, message)
                    .with_help("a function that calls itself must come to an end"),
            ));
        }
        self.depth.set(self.depth.get() + 1);
        let result = work(self);
        self.depth.set(self.depth.get() - 1);
        result
    }

    fn matches(&self, pattern: &Pattern, value: &Value, bindings: &mut Bindings) -> bool {
        match (pattern, value) {
            (Pattern::Any(_), _) => true,
            (Pattern::Name(name), _) if is_pattern_variable(self.game.names.text(name.name)) => {
                bindings.bound.push((name.name, value.clone()));
                true
            }
            (Pattern::Name(name), _) => Value::of_name(name.name, &self.game.names) == *value,
            (
                Pattern::Constructor { constructor, arguments, .. },
                Value::Constructed(constructed),
            ) => {
                constructor.name == constructed.constructor
                    && arguments.len() == constructed.arguments.len()
                    && arguments
                        .iter()
                        .zip(&constructed.arguments)
                        .all(|(pattern, value)| self.matches(pattern, value, bindings))
            }
            (Pattern::Constructor { .. }, _) => false,
        }
    }
}

/// Expressions.
impl Evaluator<'_> {
    /// The value of an expression.
    pub fn eval(&self, expr: &Expr, lookup: &dyn Lookup) -> Evaluated<Value> {
        self.step(expr.place.0)?;
        self.deeper(expr.place.0, |this| this.eval_here(expr, lookup))
    }

    fn eval_here(&self, expr: &Expr, lookup: &dyn Lookup) -> Evaluated<Value> {
        match &expr.kind {
            ExprKind::Name(name) => lookup.value(Ident { name: *name, place: expr.place }),
            ExprKind::Constructor { name, arguments } => {
                let constructed = Value::constructed(name.name, self.eval_all(arguments, lookup)?);
                if constructed.size() > MAX_SIZE {
                    let message = format!("this value has more than {MAX_SIZE} parts");
                    let error = Diagnostic::new(Code::HrgGrowth, expr.place.0, message);
                    return Err(Box::new(error));
                }
                Ok(constructed)
            }
            ExprKind::Apply { base, to } => self.apply(base, to, expr.place, lookup),
            ExprKind::If { arms, otherwise } => {
                for (condition, value) in arms {
                    if self.holds(condition, lookup)? {
                        return self.eval(value, lookup);
                    }
                }
                self.eval(otherwise, lookup)
            }
            ExprKind::Map { default, parts } => {
                self.map(default.as_deref(), parts, expr.place, lookup)
            }
            ExprKind::Chain { first, rest } => self.sum(first, rest, lookup),
        }
    }

    fn eval_all(&self, exprs: &[Expr], lookup: &dyn Lookup) -> Evaluated<Vec<Value>> {
        exprs.iter().map(|expr| self.eval(expr, lookup)).collect()
    }

    /// Applies a function of values, or a lower-case constructor.
    fn apply(
        &self,
        base: &Expr,
        to: &[Application],
        place: Place,
        lookup: &dyn Lookup,
    ) -> Evaluated<Value> {
        let ExprKind::Name(name) = base.kind else {
            return Err(not_constant(place.0, "this is applied to something before play"));
        };
        let mut values = Vec::new();
        for application in to {
            match application {
                Application::Key(key) => values.push(self.eval(key, lookup)?),
                Application::Arguments(arguments) => {
                    values.extend(self.eval_all(arguments, lookup)?);
                }
            }
        }
        let name = lookup.name(name);
        let Some(function) = self.function(name) else {
            let text = self.game.names.text(name);
            let message = format!("there is no function `{text}`");
            return Err(Box::new(Diagnostic::new(Code::HrgUnknownName, base.place.0, message)));
        };
        let wanted = function.cases[0].patterns.len();
        if wanted != values.len() {
            let text = self.game.names.text(name);
            let message = format!("`{text}` is a function of {wanted}, not of {}", values.len());
            return Err(Box::new(Diagnostic::new(Code::HrgArity, place.0, message)));
        }
        self.call(function, &values, place.0)
    }

    fn sum(
        &self,
        first: &Expr,
        rest: &[(Operator, Expr)],
        lookup: &dyn Lookup,
    ) -> Evaluated<Value> {
        if rest[0].0.level() < 3 || rest.iter().any(|(operator, _)| *operator == Operator::In) {
            return Err(not_constant(first.place.0, "a value is needed, and this is a condition"));
        }
        let mut result = self.integer(first, lookup)?;
        for (operator, operand) in rest {
            let other = self.integer(operand, lookup)?;
            let next = match operator {
                Operator::Add => result.checked_add(other),
                Operator::Subtract => result.checked_sub(other),
                _ if other > 0 => Some(result.rem_euclid(other)),
                _ => None,
            };
            result = next.filter(|next| next.unsigned_abs() < 1 << 53).ok_or_else(|| {
                let sign = operator.as_str();
                let message = format!("`{result} {sign} {other}` has no result");
                Box::new(Diagnostic::new(Code::HrgArithmetic, operand.place.0, message))
            })?;
        }
        Ok(Value::Number(result))
    }

    fn integer(&self, expr: &Expr, lookup: &dyn Lookup) -> Evaluated<i64> {
        let value = self.eval(expr, lookup)?;
        let number = match &value {
            Value::Number(number) => Some(*number),
            Value::Symbol(name) => self.game.names.text(*name).parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| {
            let message = format!("`{}` is no number", value.text(self.game));
            Box::new(Diagnostic::new(Code::HrgArithmetic, expr.place.0, message))
        })
    }

    /// Whether a condition with known operands holds.
    pub fn holds(&self, expr: &Expr, lookup: &dyn Lookup) -> Evaluated<bool> {
        self.step(expr.place.0)?;
        self.deeper(expr.place.0, |this| this.holds_here(expr, lookup))
    }

    fn holds_here(&self, expr: &Expr, lookup: &dyn Lookup) -> Evaluated<bool> {
        match &expr.kind {
            ExprKind::Chain { first, rest } => match rest[0].0 {
                operator @ (Operator::And | Operator::Or) => {
                    let decides = operator == Operator::Or;
                    let operands = std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e));
                    for operand in operands {
                        if self.holds(operand, lookup)? == decides {
                            return Ok(decides);
                        }
                    }
                    Ok(!decides)
                }
                _ => match &rest[..] {
                    [(operator, right)] => self.compare(first, *operator, right, lookup),
                    [.., (Operator::In, right)] => {
                        let left = self.sum(first, &rest[..rest.len() - 1], lookup)?;
                        Ok(self.domain(right)?.contains(&left))
                    }
                    _ => Err(no_condition(expr.place.0)),
                },
            },
            ExprKind::Apply { base, to } => match (&base.kind, &to[..]) {
                (ExprKind::Name(name), [Application::Arguments(arguments)]) => {
                    match (self.game.names.text(*name), &arguments[..]) {
                        ("true", []) => Ok(true),
                        ("false", []) => Ok(false),
                        ("not", [inner]) => Ok(!self.holds(inner, lookup)?),
                        _ => Err(no_condition(expr.place.0)),
                    }
                }
                _ => Err(no_condition(expr.place.0)),
            },
            _ => Err(no_condition(expr.place.0)),
        }
    }

    fn compare(
        &self,
        left: &Expr,
        operator: Operator,
        right: &Expr,
        lookup: &dyn Lookup,
    ) -> Evaluated<bool> {
        let value = self.eval(left, lookup)?;
        if operator == Operator::In {
            return Ok(self.domain(right)?.contains(&value));
        }
        let other = self.eval(right, lookup)?;
        self.compare_values(&value, operator, &other, left.place.0)
    }

    /// Whether a comparison of two values holds.
    pub fn compare_values(
        &self,
        left: &Value,
        operator: Operator,
        right: &Value,
        span: Span,
    ) -> Evaluated<bool> {
        match operator {
            Operator::Equal => return Ok(left == right),
            Operator::NotEqual => return Ok(left != right),
            _ => {}
        }
        let Some(order) = left.compare(right, &self.game.names) else {
            let (left, right) = (left.text(self.game), right.text(self.game));
            let message = format!("neither of `{left}` and `{right}` is less than the other");
            return Err(Box::new(Diagnostic::new(Code::HrgArithmetic, span, message)));
        };
        match operator {
            Operator::Less => Ok(order == Ordering::Less),
            Operator::LessOrEqual => Ok(order != Ordering::Greater),
            Operator::Greater => Ok(order == Ordering::Greater),
            Operator::GreaterOrEqual => Ok(order != Ordering::Less),
            _ => Err(no_condition(span)),
        }
    }

    /// The domain after `in`.
    pub fn domain(&self, expr: &Expr) -> Evaluated<Rc<super::domains::Set>> {
        let domain = match expr.kind {
            ExprKind::Name(name) => self.domains.get(name),
            _ => None,
        };
        domain.cloned().ok_or_else(|| {
            let message = "behind `in` stands the name of a domain";
            Box::new(Diagnostic::new(Code::HrgUnknownType, expr.place.0, message))
        })
    }
}

/// Maps.
impl Evaluator<'_> {
    fn map(
        &self,
        default: Option<&Expr>,
        parts: &[MapPart],
        place: Place,
        lookup: &dyn Lookup,
    ) -> Evaluated<Value> {
        let mut default = default.map(|expr| self.eval(expr, lookup)).transpose()?;
        let mut entries: Vec<(Value, Value)> = Vec::new();
        let mut keys = hashbrown::HashSet::new();
        for part in parts {
            if let (Pattern::Any(_), true) = (&part.key, part.ranges.is_empty()) {
                let value = self.eval(&part.value, lookup)?;
                if default.replace(value).is_some() {
                    let message = "this map says twice what all other keys are mapped to";
                    return Err(Box::new(Diagnostic::new(Code::HrgMapKeys, part.place.0, message)));
                }
                continue;
            }
            self.for_each_binding(part, lookup, |bindings| {
                let key = self.key(&part.key, bindings)?;
                let value = self.eval(&part.value, bindings)?;
                self.hold_entries(1, part.place.0)?;
                if !keys.insert(key.clone()) {
                    let message = format!("the key `{}` is mapped twice", key.text(self.game));
                    let place = part.place.0;
                    return Err(Box::new(Diagnostic::new(Code::HrgMapKeys, place, message)));
                }
                entries.push((key, value));
                Ok(())
            })?;
        }
        let map = Value::map(default, entries);
        self.hold_entries(map.size(), place.0)?;
        Ok(map)
    }

    /// Visits all values of the variables of a part.
    fn for_each_binding(
        &self,
        part: &MapPart,
        lookup: &dyn Lookup,
        mut visit: impl FnMut(&Bindings) -> Evaluated<()>,
    ) -> Evaluated<()> {
        let most = self.limits.entries;
        let mut choices = Vec::new();
        let mut count = 1usize;
        for range in &part.ranges {
            let values = range_values(self.game, &range.values, most);
            let counted = values.and_then(|values| {
                count = count.checked_mul(values.len()).filter(|&count| count <= most)?;
                Some(values)
            });
            let Some(values) = counted else {
                return self.hold_entries(usize::MAX, part.place.0);
            };
            choices.push((range.variable.name, values));
        }
        let mut digits = vec![0; choices.len()];
        for _ in 0..count {
            let bound = digits.iter().zip(&choices).map(|(&at, (name, values))| {
                let value: &Value = &values[at];
                (*name, value.clone())
            });
            let bindings =
                Bindings { game: self.game, bound: bound.collect(), outer: Some(lookup) };
            visit(&bindings)?;
            for (digit, (_, values)) in digits.iter_mut().zip(&choices).rev() {
                *digit += 1;
                if *digit < values.len() {
                    break;
                }
                *digit = 0;
            }
        }
        Ok(())
    }

    fn key(&self, pattern: &Pattern, bindings: &Bindings) -> Evaluated<Value> {
        match pattern {
            Pattern::Name(name) => bindings.value(*name),
            Pattern::Constructor { constructor, arguments, .. } => {
                let arguments: Evaluated<Vec<Value>> =
                    arguments.iter().map(|argument| self.key(argument, bindings)).collect();
                Ok(Value::constructed(constructor.name, arguments?))
            }
            Pattern::Any(place) => {
                let message = "`_` is all other keys, and no part of a key";
                Err(Box::new(Diagnostic::new(Code::HrgPatternVariable, place.0, message)))
            }
        }
    }
}

pub(super) fn not_constant(span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::HrgNotConstant, span, message))
}

pub(super) fn no_condition(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::HrgCondition, span, "this is no condition").with_help(
        "a condition is a comparison, `not(…)`, `reachable(…)`, `true()` or `false()`, or such \
         joined by `&&` and `||`",
    ))
}
