//! Removal of redundant relations (FI, VII.B).
//!
//! A relation with one rule, whose body is one positive condition, only renames or narrows
//! that condition's relation. Its positive conditions elsewhere are replaced by that
//! condition, with the variables renamed apart. The rule itself stays for whatever else
//! asks for it; the engines leave out what nothing asks for.

use super::flat::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId, RelationKind};
use super::form::Normal;
use crate::gdl::Variable;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::diagnostic::Span;
use hashbrown::HashMap;

/// Replaces the positive conditions on redundant relations.
///
/// # Errors
///
/// When the budget is exhausted.
pub(super) fn remove(normal: &mut Normal, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let mut redundant: HashMap<RelationId, (FlatAtom, FlatAtom)> = HashMap::new();
    let mut rules_of: HashMap<RelationId, usize> = HashMap::new();
    for rule in &normal.rules {
        *rules_of.entry(rule.head.relation).or_default() += 1;
    }
    for rule in &normal.rules {
        let head = rule.head.relation;
        if let ([FlatLiteral::Positive(only)], RelationKind::View(_), 1) =
            (&rule.body[..], normal.relation(head).kind, rules_of[&head])
            && only.relation != head
        {
            redundant.insert(head, (rule.head.clone(), only.clone()));
        }
    }
    let redundant = follow_chains(redundant, meter)?;
    for rule in &mut normal.rules {
        // Nearly always one step a condition; a cycle of redundant relations never holds, and
        // is left as it is.
        for _ in 0..redundant.len() + rule.body.len() {
            meter.spend(1 + rule.body.len())?;
            if !replace_one(rule, &redundant) {
                break;
            }
        }
    }
    normal.rules.retain(|rule| !rule.body.contains(&FlatLiteral::Any(Vec::new())));
    Ok(())
}

/// Replaces each condition by the one at the end of its chain of redundant relations, so that
/// long chains take time linear in their length.
fn follow_chains(
    mut redundant: HashMap<RelationId, (FlatAtom, FlatAtom)>,
    meter: &Meter<'_>,
) -> Result<HashMap<RelationId, (FlatAtom, FlatAtom)>, Exhausted> {
    let mut done = HashMap::new();
    let mut starts: Vec<RelationId> = redundant.keys().copied().collect();
    starts.sort_unstable();
    for start in starts {
        let mut chain = Vec::new();
        let mut next = start;
        // Relations on the chain are taken out, so that a cycle ends it.
        while let Some(entry) = redundant.remove(&next) {
            let relation = std::mem::replace(&mut next, entry.1.relation);
            chain.push((relation, entry));
        }
        for (relation, (head, condition)) in chain.into_iter().rev() {
            meter.spend(1 + condition.args.len())?;
            let mut rule = FlatRule {
                variables: count_variables(&head, &condition),
                head: head.clone(),
                body: vec![FlatLiteral::Positive(condition.clone())],
                source: Span::default(),
            };
            replace_one(&mut rule, &done);
            let entry = match rule.body.pop() {
                // More than one condition is left if the first can never hold.
                Some(FlatLiteral::Positive(end)) if rule.body.is_empty() => {
                    renumbered(rule.head, end)
                }
                _ => (head, condition),
            };
            done.insert(relation, entry);
        }
    }
    Ok(done)
}

fn count_variables(head: &FlatAtom, condition: &FlatAtom) -> u16 {
    let number = |term: &FlatTerm| match term {
        FlatTerm::Constant(_) => 0,
        FlatTerm::Variable(v) => v.0 + 1,
    };
    head.args.iter().chain(&condition.args).map(number).max().unwrap_or(0)
}

/// The same with its variables numbered without gaps.
fn renumbered(mut head: FlatAtom, mut condition: FlatAtom) -> (FlatAtom, FlatAtom) {
    let mut numbers = HashMap::new();
    for term in head.args.iter_mut().chain(&mut condition.args) {
        if let FlatTerm::Variable(v) = term {
            let next = numbers.len() as u16;
            *v = Variable(*numbers.entry(*v).or_insert(next));
        }
    }
    (head, condition)
}

/// Replaces the first condition on a redundant relation. Returns whether there was one.
fn replace_one(rule: &mut FlatRule, redundant: &HashMap<RelationId, (FlatAtom, FlatAtom)>) -> bool {
    // The defining rule of a relation within a cycle must not be replaced by itself.
    let place = rule.body.iter().position(|literal| match literal {
        FlatLiteral::Positive(atom) => {
            atom.relation != rule.head.relation && redundant.contains_key(&atom.relation)
        }
        _ => false,
    });
    let Some(place) = place else { return false };
    let FlatLiteral::Positive(call) = rule.body[place].clone() else { return false };
    let (head, condition) = &redundant[&call.relation];
    let offset = rule.variables;
    let mut highest = 0;
    let mut renamed = |term: &FlatTerm| match *term {
        FlatTerm::Constant(_) => Some(*term),
        FlatTerm::Variable(v) => {
            highest = highest.max(v.0.saturating_add(1));
            Some(FlatTerm::Variable(Variable(v.0.checked_add(offset)?)))
        }
    };
    let Some(head_args) = head.args.iter().map(&mut renamed).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let Some(args) = condition.args.iter().map(&mut renamed).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let Some(variables) = offset.checked_add(highest) else { return false };
    rule.variables = variables;
    let atom = FlatAtom { relation: condition.relation, args };
    rule.body[place] = FlatLiteral::Positive(atom);
    let mut pairs: Vec<(FlatTerm, FlatTerm)> =
        head_args.into_iter().zip(call.args.iter().copied()).collect();
    while let Some((a, b)) = pairs.pop() {
        match (a, b) {
            (a, b) if a == b => {}
            (FlatTerm::Variable(v), by) | (by, FlatTerm::Variable(v)) => {
                rule.substitute(v, by);
                for (a, b) in &mut pairs {
                    for side in [a, b] {
                        if *side == FlatTerm::Variable(v) {
                            *side = by;
                        }
                    }
                }
            }
            // Two different constants: the condition never holds.
            _ => rule.body.push(FlatLiteral::Any(Vec::new())),
        }
    }
    true
}

impl FlatRule {
    fn substitute(&mut self, variable: Variable, by: FlatTerm) {
        let replace = |term: &mut FlatTerm| {
            if *term == FlatTerm::Variable(variable) {
                *term = by;
            }
        };
        self.head.args.iter_mut().for_each(replace);
        self.body.iter_mut().for_each(|literal| literal.for_each_term(&replace));
    }
}

impl FlatLiteral {
    fn for_each_term(&mut self, visit: &impl Fn(&mut FlatTerm)) {
        match self {
            FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => {
                atom.args.iter_mut().for_each(visit);
            }
            FlatLiteral::Distinct(pairs) | FlatLiteral::Same(pairs) => {
                for (a, b) in pairs {
                    visit(a);
                    visit(b);
                }
            }
            FlatLiteral::Any(branches) => {
                branches.iter_mut().flatten().for_each(|literal| literal.for_each_term(visit));
            }
        }
    }
}
