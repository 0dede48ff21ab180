//! Conditions as alternatives of literals: what rules of GDL can have for bodies.

use super::super::sheet::{arguments, for_each_variable, parts, sentence};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::kif::{Expr, ExprKind};
use hashbrown::HashSet;

/// The most alternatives of one statement.
const MAX_ALTERNATIVES: usize = 1_000;

/// A condition without connectives, or a negated one.
#[derive(Clone, Debug)]
pub(super) enum Literal {
    /// A sentence.
    Holds(Expr),
    /// A sentence, or a conjunction some of whose variables stand nowhere else.
    HoldsNot(Expr),
}

/// Literals that hold together.
pub(super) type Conjunction = Vec<Literal>;

/// The alternatives of a condition in a rule, where the variables of `bound` stand elsewhere, too.
///
/// # Errors
///
/// More alternatives than [`MAX_ALTERNATIVES`].
pub(super) fn alternatives(
    condition: Option<&Expr>,
    bound: &HashSet<Box<str>>,
) -> Result<Vec<Conjunction>, Diagnostic> {
    let Some(condition) = condition else { return Ok(vec![Vec::new()]) };
    let mut found = Vec::new();
    for conjunction in of(condition)? {
        // The variables of positive conditions are bound, wherever these stand.
        let mut bound = bound.clone();
        for literal in &conjunction {
            if let Literal::Holds(expr) = literal {
                for_each_variable(expr, &mut |variable| _ = bound.insert(variable.into()));
            }
        }
        let mut alternatives = vec![Vec::new()];
        for literal in conjunction {
            let next = match literal {
                Literal::Holds(_) => vec![vec![literal]],
                Literal::HoldsNot(inner) => negated(inner, &bound)?,
            };
            alternatives = product(alternatives, next, condition.span)?;
        }
        found.extend(alternatives);
    }
    Ok(found)
}

/// The alternatives of a condition. What `not` stands over is left as it is.
fn of(condition: &Expr) -> Result<Vec<Conjunction>, Diagnostic> {
    if let Some(all) = parts(condition, "and") {
        return all
            .iter()
            .try_fold(vec![Vec::new()], |found, part| product(found, of(part)?, condition.span));
    }
    if let Some(any) = parts(condition, "or") {
        let found: Vec<_> = any.iter().map(of).collect::<Result<_, _>>()?;
        return limited(found.into_iter().flatten().collect(), condition.span);
    }
    let Some([inner]) = parts(condition, "not") else {
        return Ok(vec![vec![Literal::Holds(condition.clone())]]);
    };
    if let Some([twice]) = parts(inner, "not") {
        return of(twice);
    }
    Ok(vec![vec![match (inner.list().and_then(|items| items[0].atom()), arguments(inner)) {
        (Some("same"), [left, right]) => {
            Literal::Holds(sentence("distinct", vec![left.clone(), right.clone()], inner.span))
        }
        (Some("distinct"), [left, right]) => {
            Literal::Holds(sentence("same", vec![left.clone(), right.clone()], inner.span))
        }
        _ => Literal::HoldsNot(inner.clone()),
    }]])
}

/// The alternatives of what is not: `~(a | b)` is `~a & ~b`, and `~(a & b)` is `~a | ~b` unless a
/// variable stands in it alone.
fn negated(inner: Expr, bound: &HashSet<Box<str>>) -> Result<Vec<Conjunction>, Diagnostic> {
    let not = |part: &Expr| sentence("not", vec![part.clone()], part.span);
    let parts_of = |connective| {
        parts(&inner, connective).map(|parts| parts.iter().map(not).collect::<Vec<_>>())
    };
    let other = if let Some(parts) = parts_of("or") {
        Expr { span: inner.span, kind: sentence("and", parts, inner.span).kind }
    } else if let Some(parts) = parts_of("and").filter(|_| locals(&inner, bound).is_empty()) {
        Expr { span: inner.span, kind: sentence("or", parts, inner.span).kind }
    } else {
        return Ok(vec![vec![Literal::HoldsNot(inner)]]);
    };
    let mut found = Vec::new();
    for conjunction in of(&other)? {
        let mut alternatives = vec![Vec::new()];
        for literal in conjunction {
            let next = match literal {
                Literal::HoldsNot(inner) => negated(inner, bound)?,
                Literal::Holds(_) => vec![vec![literal]],
            };
            alternatives = product(alternatives, next, other.span)?;
        }
        found.extend(alternatives);
    }
    limited(found, other.span)
}

/// The variables of an expression that stand nowhere else, in order.
pub(super) fn locals(expr: &Expr, bound: &HashSet<Box<str>>) -> Vec<Box<str>> {
    let mut found: Vec<Box<str>> = Vec::new();
    for_each_variable(expr, &mut |variable| {
        if !bound.contains(variable) && !found.iter().any(|known| **known == *variable) {
            found.push(variable.into());
        }
    });
    found
}

fn product(
    mut left: Vec<Conjunction>,
    mut right: Vec<Conjunction>,
    span: Span,
) -> Result<Vec<Conjunction>, Diagnostic> {
    if left.len().saturating_mul(right.len()) > MAX_ALTERNATIVES {
        return Err(too_many(span));
    }
    if let ([left], [right]) = (&mut left[..], &mut right[..]) {
        left.append(right);
    } else {
        let joined = |left: &Conjunction, right: &Conjunction| [&left[..], &right[..]].concat();
        left = left
            .iter()
            .flat_map(|left| right.iter().map(move |right| joined(left, right)))
            .collect();
    }
    Ok(left)
}

fn limited(found: Vec<Conjunction>, span: Span) -> Result<Vec<Conjunction>, Diagnostic> {
    if found.len() > MAX_ALTERNATIVES { Err(too_many(span)) } else { Ok(found) }
}

fn too_many(span: Span) -> Diagnostic {
    let message = format!("a condition with more than {MAX_ALTERNATIVES} alternatives");
    Diagnostic::new(Code::TooLarge, span, message)
        .with_help("give a part of the condition a name, with rules of its own")
}

/// Makes the two sides of a `same` one: the values of variables that do it; `None` if nothing does.
pub(in super::super) fn unify(left: &Expr, right: &Expr) -> Option<Vec<(Box<str>, Expr)>> {
    let mut values: Vec<(Box<str>, Expr)> = Vec::new();
    let mut open = vec![(left.clone(), right.clone())];
    while let Some((left, right)) = open.pop() {
        let (left, right) = (replaced(&left, &values), replaced(&right, &values));
        match (&left.kind, &right.kind) {
            (left, right) if same(left, right) => {}
            (ExprKind::Atom(variable), _) if variable.starts_with('?') => {
                bind(variable, &right, &mut values)?;
            }
            (_, ExprKind::Atom(variable)) if variable.starts_with('?') => {
                bind(variable, &left, &mut values)?;
            }
            (ExprKind::List(left), ExprKind::List(right)) if left.len() == right.len() => {
                open.extend(left.iter().cloned().zip(right.iter().cloned()));
            }
            _ => return None,
        }
    }
    Some(values)
}

fn bind(variable: &str, value: &Expr, values: &mut Vec<(Box<str>, Expr)>) -> Option<()> {
    let mut occurs = false;
    for_each_variable(value, &mut |other| occurs |= other == variable);
    if occurs {
        return None;
    }
    let new = [(variable.into(), value.clone())];
    values.iter_mut().for_each(|(_, old)| *old = replaced(old, &new));
    values.extend(new);
    Some(())
}

/// Whether two expressions are the same, wherever they stand.
pub(in super::super) fn same(left: &ExprKind, right: &ExprKind) -> bool {
    match (left, right) {
        (ExprKind::Atom(left), ExprKind::Atom(right)) => left.eq_ignore_ascii_case(right),
        (ExprKind::List(left), ExprKind::List(right)) => {
            let pairs = || left.iter().zip(right);
            left.len() == right.len() && pairs().all(|(left, right)| same(&left.kind, &right.kind))
        }
        _ => false,
    }
}

/// An expression with values for some of its variables.
pub(in super::super) fn replaced(expr: &Expr, values: &[(Box<str>, Expr)]) -> Expr {
    match &expr.kind {
        ExprKind::Atom(name) => match values.iter().find(|(variable, _)| variable == name) {
            Some((_, value)) => Expr { span: expr.span, kind: value.kind.clone() },
            None => expr.clone(),
        },
        ExprKind::List(items) => {
            let items = items.iter().map(|item| replaced(item, values)).collect();
            Expr { span: expr.span, kind: ExprKind::List(items) }
        }
    }
}
