//! A condition replaced by the body of a rule.

use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm};

/// Replaces a positive condition of a rule by the body of another rule whose head unifies with it.
/// `None` if they do not unify.
pub fn unfold(rule: &FlatRule, place: usize, with: &FlatRule) -> Option<FlatRule> {
    let FlatLiteral::Positive(asked) = &rule.body[place] else { return None };
    let shift = rule.variables;
    let moved = |term: FlatTerm| match term {
        FlatTerm::Variable(Variable(v)) => FlatTerm::Variable(Variable(v + shift)),
        constant => constant,
    };
    let count = usize::from(shift.checked_add(with.variables)?);
    let mut bindings: Vec<Option<FlatTerm>> = vec![None; count];
    for (&own, &other) in asked.args.iter().zip(&with.head.args) {
        // Variables of the head are replaced by the terms of the condition, and not the other way
        // round.
        let (own, other) = (resolve(&bindings, own), resolve(&bindings, moved(other)));
        match (own, other) {
            _ if own == other => {}
            (term, FlatTerm::Variable(v)) | (FlatTerm::Variable(v), term) => {
                bindings[usize::from(v.0)] = Some(term);
            }
            (FlatTerm::Constant(_), FlatTerm::Constant(_)) => return None,
        }
    }
    let own = |term: FlatTerm| resolve(&bindings, term);
    let other = |term: FlatTerm| resolve(&bindings, moved(term));
    let mut body: Vec<FlatLiteral> = Vec::with_capacity(rule.body.len() + with.body.len());
    for (number, literal) in rule.body.iter().enumerate() {
        match number == place {
            true => body.extend(with.body.iter().map(|literal| mapped(literal, &other))),
            false => body.push(mapped(literal, &own)),
        }
    }
    Some(FlatRule {
        head: atom(&rule.head, &own),
        body,
        variables: count as u16,
        source: rule.source,
    })
}

fn resolve(bindings: &[Option<FlatTerm>], mut term: FlatTerm) -> FlatTerm {
    while let FlatTerm::Variable(v) = term
        && let Some(next) = bindings[usize::from(v.0)]
    {
        term = next;
    }
    term
}

fn atom(of: &FlatAtom, map: &impl Fn(FlatTerm) -> FlatTerm) -> FlatAtom {
    FlatAtom { relation: of.relation, args: of.args.iter().map(|&term| map(term)).collect() }
}

fn mapped(literal: &FlatLiteral, map: &impl Fn(FlatTerm) -> FlatTerm) -> FlatLiteral {
    let pairs = |pairs: &[(FlatTerm, FlatTerm)]| {
        pairs.iter().map(|&(left, right)| (map(left), map(right))).collect()
    };
    match literal {
        FlatLiteral::Positive(of) => FlatLiteral::Positive(atom(of, map)),
        FlatLiteral::Negative(of) => FlatLiteral::Negative(atom(of, map)),
        FlatLiteral::Distinct(of) => FlatLiteral::Distinct(pairs(of)),
        FlatLiteral::Same(of) => FlatLiteral::Same(pairs(of)),
        FlatLiteral::Any(branches) => {
            let branch =
                |branch: &Vec<FlatLiteral>| branch.iter().map(|l| mapped(l, map)).collect();
            FlatLiteral::Any(branches.iter().map(branch).collect())
        }
    }
}

/// The variable of a term, if it is one.
pub fn variable(term: FlatTerm) -> Option<Variable> {
    match term {
        FlatTerm::Variable(v) => Some(v),
        FlatTerm::Constant(_) => None,
    }
}

/// Calls `visit` with the variables of a condition, also within branches.
pub fn variables(literal: &FlatLiteral, visit: &mut impl FnMut(Variable)) {
    let mut term = |term: &FlatTerm| {
        if let FlatTerm::Variable(variable) = term {
            visit(*variable);
        }
    };
    match literal {
        FlatLiteral::Positive(of) | FlatLiteral::Negative(of) => of.args.iter().for_each(term),
        FlatLiteral::Distinct(pairs) | FlatLiteral::Same(pairs) => pairs.iter().for_each(|pair| {
            term(&pair.0);
            term(&pair.1);
        }),
        FlatLiteral::Any(branches) => {
            branches.iter().flatten().for_each(|literal| variables(literal, visit));
        }
    }
}

/// Calls `visit` with the atoms of a condition, also within branches.
pub fn atoms<'l>(literal: &'l FlatLiteral, visit: &mut impl FnMut(&'l FlatAtom)) {
    match literal {
        FlatLiteral::Positive(of) | FlatLiteral::Negative(of) => visit(of),
        FlatLiteral::Distinct(_) | FlatLiteral::Same(_) => {}
        FlatLiteral::Any(branches) => {
            branches.iter().flatten().for_each(|literal| atoms(literal, visit));
        }
    }
}
