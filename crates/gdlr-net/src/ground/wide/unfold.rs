//! Unfolding: rules with the rules of relations that they ask put in (Tamaki and Sato, 1984).

use super::super::program::{Atom, Rule, Test, variable};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::FlatTerm;
use gdlr_text::budget::{Exhausted, Meter};

/// How many rules there may be at most, and variables of a rule.
const MOST_RULES: usize = 4096;
const MOST_VARIABLES: usize = 4096;

/// The rules that are left when no rule asks a wide relation any more, in the order of the rules that they come from; `None`
/// if there are too many, or if one has too many variables. `definitions` are the rules of wide relations. None of them asks
/// itself by way of others.
pub(super) fn unfold(
    rules: Vec<Rule>,
    definitions: &[Rule],
    is_wide: impl Fn(&Atom) -> bool,
    meter: &Meter<'_>,
) -> Result<Option<Vec<Rule>>, Exhausted> {
    let mut unfolded = Vec::new();
    for rule in rules {
        let mut open = vec![rule];
        while let Some(rule) = open.pop() {
            let Some(place) = rule.positive.iter().position(&is_wide) else {
                unfolded.push(rule);
                if unfolded.len() > MOST_RULES {
                    return Ok(None);
                }
                continue;
            };
            for definition in definitions {
                meter.spend(1 + definition.positive.len() + definition.negative.len())?;
                if definition.head.relation == rule.positive[place].relation {
                    if rule.variables + definition.variables > MOST_VARIABLES {
                        return Ok(None);
                    }
                    open.extend(put_in(&rule, place, definition));
                }
            }
        }
    }
    Ok(Some(unfolded))
}

/// A rule with a definition in place of one of its positive conditions; `None` if the two do not fit.
fn put_in(rule: &Rule, place: usize, definition: &Rule) -> Option<Rule> {
    let own = |term: FlatTerm| match term {
        FlatTerm::Variable(Variable(v)) => FlatTerm::Variable(Variable(v + rule.variables as u16)),
        constant => constant,
    };
    let variables = rule.variables + definition.variables;
    let mut unifier = Unifier { values: vec![None; variables] };
    let asked = &rule.positive[place];
    for (&here, &there) in asked.args.iter().zip(&definition.head.args) {
        if !unifier.unify(here, own(there)) {
            return None;
        }
    }
    let atom = |atom: &Atom, rename: &dyn Fn(FlatTerm) -> FlatTerm| Atom {
        relation: atom.relation,
        args: atom.args.iter().map(|&arg| unifier.value(rename(arg))).collect(),
    };
    let test = |test: &Test, rename: &dyn Fn(FlatTerm) -> FlatTerm| Test {
        distinct: test.distinct,
        pairs: (test.pairs.iter())
            .map(|&(a, b)| (unifier.value(rename(a)), unifier.value(rename(b))))
            .collect(),
    };
    let same = |term: FlatTerm| term;
    let mut positive: Vec<Atom> = rule.positive.iter().map(|a| atom(a, &same)).collect();
    positive.splice(place..=place, definition.positive.iter().map(|a| atom(a, &own)));
    let negative = rule.negative.iter().map(|a| atom(a, &same));
    let tests = rule.tests.iter().map(|t| test(t, &same));
    Some(Rule {
        head: atom(&rule.head, &same),
        positive,
        negative: negative.chain(definition.negative.iter().map(|a| atom(a, &own))).collect(),
        tests: tests.chain(definition.tests.iter().map(|t| test(t, &own))).collect(),
        variables,
        link: false,
        source: rule.source,
    })
}

/// By variable: the term that it stands for, if it does not stand for itself.
struct Unifier {
    values: Vec<Option<FlatTerm>>,
}

impl Unifier {
    fn value(&self, mut term: FlatTerm) -> FlatTerm {
        while let Some(next) = variable(term).and_then(|v| self.values[usize::from(v.0)]) {
            term = next;
        }
        term
    }

    /// Makes two terms equal; whether they can be.
    fn unify(&mut self, a: FlatTerm, b: FlatTerm) -> bool {
        let (a, b) = (self.value(a), self.value(b));
        if a == b {
            return true;
        }
        match (a, b) {
            (FlatTerm::Variable(v), other) | (other, FlatTerm::Variable(v)) => {
                self.values[usize::from(v.0)] = Some(other);
                true
            }
            _ => false,
        }
    }
}
