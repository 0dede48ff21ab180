//! Rules that differ only in static conditions, as one rule.
//!
//! The lines of a board are one static relation, although several rules may list them. All other
//! conditions of these rules are the same.
//!
//! ```text
//! (cell ?a ?p) (cell ?b ?p) (rows ?a ?b)
//! (cell ?a ?p) (cell ?b ?p) (columns ?a ?b)          (cell ?a ?p) (cell ?b ?p) (lines ?a ?b)
//! (cell 1_1 ?p) (cell 2_2 ?p)
//! ```

use super::join::MOST_ENTRIES;
use super::pairs::Pairs;
use super::relations::Relations;
use super::state::Shapes;
use super::symbols::Symbols;
use crate::export::rules::Stop;

use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId, RelationKind};
use gdlr_text::diagnostic::Span;
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// A rule without its static conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Form {
    head: FlatAtom,
    body: Vec<FlatLiteral>,
    /// The variables whose rows are known, in order.
    of: Vec<Variable>,
}

/// Rules of one form: their places, their number of variables, and the known rows.
struct Alike {
    form: Form,
    rules: Vec<usize>,
    variables: u16,
    rows: BTreeSet<Vec<Symbol>>,
    name: Option<String>,
    hints: Vec<String>,
}

impl Relations<'_> {
    /// Merges rules of the same form, relation by relation.
    pub fn merge_rules(&mut self, shapes: &Shapes, symbols: &mut Symbols<'_>) -> Result<(), Stop> {
        for number in 0..self.input.normal.relations.len() {
            if !matches!(self.input.normal.relations[number].kind, RelationKind::View(_)) {
                continue;
            }
            let own: Vec<usize> = (0..self.rules.len())
                .filter(|&rule| self.rules[rule].head.relation.index() == number)
                .collect();
            let rules: Vec<FlatRule> = own.iter().map(|&rule| self.rules[rule].clone()).collect();
            let rules = self.walked(rules, shapes, symbols)?;
            let merged = self.merged(rules, &symbols.pairs, |_| false)?;
            for (&place, rule) in own.iter().zip(&merged) {
                self.rules[place] = rule.clone();
            }
            let mut gone: Vec<usize> = own[merged.len()..].to_vec();
            if gone.is_empty() {
                continue;
            }
            gone.sort_unstable();
            for &place in gone.iter().rev() {
                self.rules.remove(place);
            }
            for info in &mut self.infos {
                info.rules.retain(|rule| !gone.contains(rule));
                for rule in &mut info.rules {
                    *rule -= gone.iter().filter(|place| *place < rule).count();
                }
            }
        }
        Ok(())
    }

    /// The same rules, merged as far as possible. Conditions about relations that are `new` come
    /// first.
    pub fn merged(
        &mut self,
        rules: Vec<FlatRule>,
        pairs: &Pairs,
        is_new: impl Fn(RelationId) -> bool,
    ) -> Result<Vec<FlatRule>, Stop> {
        let mut all: Vec<Alike> = Vec::new();
        for (place, rule) in rules.iter().enumerate() {
            self.input.meter.spend(rule.body.len() + 1)?;
            let Some(own) = self.alike(place, rule, pairs, &is_new) else { continue };
            match all.iter_mut().find(|other| other.form == own.form) {
                None => all.push(own),
                Some(other) => {
                    let columns = own.form.of.len().max(1);
                    if (other.rows.len() + own.rows.len()) * columns <= MOST_ENTRIES {
                        other.rows.extend(own.rows);
                        other.rules.push(place);
                        other.name = other.name.take().or(own.name);
                    }
                }
            }
        }
        let mut merged: HashMap<usize, FlatRule> = HashMap::new();
        let mut gone = BTreeSet::new();
        for Alike { form, rules: own, variables, rows, name, hints } in all {
            if own.len() < 2 {
                continue;
            }
            let Form { head, mut body, of } = form;
            if !of.is_empty() {
                let name = name.unwrap_or_else(|| "pair".to_owned());
                self.input.meter.spend(rows.len())?;
                let relation = self.known_relation(&name, rows.into_iter().collect(), hints);
                let args = of.into_iter().map(FlatTerm::Variable).collect();
                body.push(FlatLiteral::Positive(FlatAtom { relation, args }));
            }
            let source = rules[own[0]].source;
            let sources: Vec<Span> = own[1..].iter().map(|&place| rules[place].source).collect();
            self.quotes.also(source, sources);
            gone.extend(own[1..].iter().copied());
            merged.insert(own[0], FlatRule { head, body, variables, source });
        }
        let left = rules.into_iter().enumerate().filter(|(place, _)| !gone.contains(place));
        Ok(left.map(|(place, rule)| merged.remove(&place).unwrap_or(rule)).collect())
    }

    /// A rule and its form. `None` if it has several static conditions.
    fn alike(
        &self,
        place: usize,
        rule: &FlatRule,
        pairs: &Pairs,
        is_new: &impl Fn(RelationId) -> bool,
    ) -> Option<Alike> {
        let (known, mut asked): (Vec<&FlatLiteral>, Vec<&FlatLiteral>) =
            rule.body.iter().partition(|literal| self.is_known_atom(literal));
        // Conditions about facts that have just changed come first.
        asked.sort_by_key(|literal| match literal {
            FlatLiteral::Positive(atom) => !is_new(atom.relation),
            _ => true,
        });
        let mut rows: Vec<Vec<Symbol>> = vec![Vec::new()];
        let mut of: Vec<FlatTerm> = Vec::new();
        let mut name = None;
        let mut hints: Vec<String> = Vec::new();
        match known[..] {
            [] => {}
            [FlatLiteral::Positive(atom)] => {
                if atom.args.iter().any(|term| matches!(term, FlatTerm::Constant(_))) {
                    return None;
                }
                rows = self.known.computed_rows(atom.relation)?.to_vec();
                of.clone_from(&atom.args);
                name = Some(self.plain_name(atom.relation));
                hints = (0..of.len()).map(|column| self.hint(atom.relation, column)).collect();
            }
            _ => return None,
        }
        let mut next = rule.variables;
        let mut lift = |atom: &FlatAtom| FlatAtom {
            relation: atom.relation,
            args: (atom.args.iter().enumerate())
                .map(|(column, &term)| match term {
                    FlatTerm::Constant(symbol) if pairs.parts(symbol).is_some() => {
                        let lifted = FlatTerm::Variable(Variable(next));
                        next += 1;
                        of.push(lifted);
                        hints.push(self.hint(self.origin(atom.relation), column));
                        rows.iter_mut().for_each(|row| row.push(symbol));
                        lifted
                    }
                    term => term,
                })
                .collect(),
        };
        let mut body = Vec::new();
        for literal in asked {
            body.push(match literal {
                FlatLiteral::Positive(atom) => FlatLiteral::Positive(lift(atom)),
                other => other.clone(),
            });
        }
        let of_rule = Lifted { body, of, rows, hints };
        of_rule.numbered(&rule.head, next, (place, name))
    }
}

/// The other conditions of a rule, and its static condition as rows of terms.
struct Lifted {
    body: Vec<FlatLiteral>,
    of: Vec<FlatTerm>,
    rows: Vec<Vec<Symbol>>,
    hints: Vec<String>,
}

impl Lifted {
    /// The form with variables numbered in the order of their occurrence. The rule has fewer than
    /// `next` variables. `None` if the rows have a variable twice.
    fn numbered(
        self,
        head: &FlatAtom,
        next: u16,
        (place, name): (usize, Option<String>),
    ) -> Option<Alike> {
        let Lifted { body, of, rows, hints } = self;
        let mut numbers: Vec<Option<u16>> = vec![None; usize::from(next)];
        let mut count = 0;
        let mut number = |term: FlatTerm| match term {
            FlatTerm::Variable(v) => {
                let own = numbers[usize::from(v.0)].get_or_insert_with(|| {
                    count += 1;
                    count - 1
                });
                FlatTerm::Variable(Variable(*own))
            }
            constant => constant,
        };
        let head = FlatAtom {
            relation: head.relation,
            args: head.args.iter().map(|&term| number(term)).collect(),
        };
        let body: Vec<FlatLiteral> =
            body.iter().map(|literal| renamed(literal, &mut number)).collect();
        let of: Vec<FlatTerm> = of.into_iter().map(number).collect();
        let mut order: Vec<usize> = (0..of.len()).collect();
        order.sort_by_key(|&column| of[column]);
        let columns = order.iter().map(|&column| match of[column] {
            FlatTerm::Variable(v) => v,
            FlatTerm::Constant(_) => unreachable!("a variable"),
        });
        let of: Vec<Variable> = columns.collect();
        if of.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let row = |row: &Vec<Symbol>| order.iter().map(|&column| row[column]).collect();
        let rows = rows.iter().map(row).collect();
        let hints = order.iter().map(|&column| hints[column].clone()).collect();
        let form = Form { head, body, of };
        Some(Alike { form, rules: vec![place], variables: count, rows, name, hints })
    }
}

/// A condition with each term replaced, in the order of its terms.
pub fn renamed(literal: &FlatLiteral, number: &mut dyn FnMut(FlatTerm) -> FlatTerm) -> FlatLiteral {
    let atom = |of: &FlatAtom, number: &mut dyn FnMut(FlatTerm) -> FlatTerm| FlatAtom {
        relation: of.relation,
        args: of.args.iter().map(|&term| number(term)).collect(),
    };
    let pairs = |of: &[(FlatTerm, FlatTerm)], number: &mut dyn FnMut(FlatTerm) -> FlatTerm| {
        of.iter().map(|&(left, right)| (number(left), number(right))).collect()
    };
    match literal {
        FlatLiteral::Positive(of) => FlatLiteral::Positive(atom(of, number)),
        FlatLiteral::Negative(of) => FlatLiteral::Negative(atom(of, number)),
        FlatLiteral::Distinct(of) => FlatLiteral::Distinct(pairs(of, number)),
        FlatLiteral::Same(of) => FlatLiteral::Same(pairs(of, number)),
        FlatLiteral::Any(branches) => {
            let mut own = Vec::new();
            for branch in branches {
                own.push(branch.iter().map(|literal| renamed(literal, number)).collect());
            }
            FlatLiteral::Any(own)
        }
    }
}
