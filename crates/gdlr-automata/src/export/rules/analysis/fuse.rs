//! Rules over pairs.
//!
//! If two columns are fused, the terms of both are one term. If a rule also uses one of them alone,
//! a condition says to which pair it belongs:
//!
//! ```text
//! (<= (legal ?p (step ?x ?y ?x ?z)) (true (pawn ?x ?y ?p)) (ahead ?p ?y ?z))
//!
//! (<= (legal ?p (step ?xy ?xz)) (true (pawn ?xy ?p)) (pair ?xy ?x ?y) (ahead ?p ?y ?z)
//!     (pair ?xz ?x ?z))
//! ```

use super::exclusive::Groups;
use super::hints::both_names;
use super::pairs::{ColumnPair, Pairs, changing_rows, class, places};
use super::relations::Relations;
use super::state::signals;
use super::unfold::{variable, variables};
use crate::export::rules::Stop;
use gdlr_net::ground::Value;
use gdlr_rules::gdl::{Symbol, Variable, natural_order};
use gdlr_rules::normal::{EMPTY, FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use std::collections::{BTreeMap, BTreeSet};

/// The most pairs that a condition may have if nothing else limits them.
const MOST_OPEN: usize = 4096;

/// The rows of relations that play changes, by class.
type Changing = BTreeMap<RelationId, Vec<Vec<Symbol>>>;

/// Two terms that become one.
type TermPair = (FlatTerm, FlatTerm);

/// A rule over pairs, or the place whose columns must not be fused.
type Fused = Result<FlatRule, ColumnPair>;

/// The pairs of terms in a rule.
#[derive(Default)]
struct PairsOfRule {
    /// By pair: the places that limit its pairs, and one place that asks for it.
    pairs: BTreeMap<TermPair, (Vec<ColumnPair>, ColumnPair)>,
    /// The variables that conditions bind.
    bound: BTreeSet<Variable>,
    /// By variable: the number of conditions that have it.
    uses: BTreeMap<Variable, usize>,
}

impl Relations<'_> {
    /// Finds columns that can be fused, and writes the rules over pairs. Returns whether there are
    /// any.
    pub fn fuse(&mut self, pairs: &mut Pairs) -> Result<bool, Stop> {
        let rows = changing_rows(self.input.normal, self.input.ground, self.input.net);
        self.input.meter.spend(rows.values().map(Vec::len).sum::<usize>())?;
        let groups = Groups::of(self.input.net);
        let signals = signals(&self.input)?;
        let is_key = |base: RelationId, column: usize| {
            let facts = &signals[&base];
            let value = groups.value_column(facts).map(|(column, ..)| column);
            let is_value = value == Some(column) || value == Some(column + 1);
            !is_value || groups.excludes(facts, &[column, column + 1])
        };
        let mut held = places(self.input.normal, &rows, is_key);
        'again: while !held.is_empty() {
            self.columns.hold(&held, self.input.normal);
            let mut all: BTreeSet<(Symbol, Symbol)> = BTreeSet::new();
            for &(class, column) in &held {
                all.extend(rows[&class].iter().map(|row| (row[column], row[column + 1])));
            }
            // The order in which a person would list them.
            let mut all: Vec<(Symbol, Symbol)> = all.into_iter().collect();
            let key = |symbol| natural_order(&self.input.normal.symbol_text(symbol));
            all.sort_by_cached_key(|&(first, second)| (key(first), key(second)));
            for (first, second) in all {
                pair(pairs, first, second)?;
            }
            let mut rules = Vec::with_capacity(self.input.normal.rules.len());
            for rule in &self.input.normal.rules {
                self.input.meter.spend(rule.body.len() + 1)?;
                match self.fused(rule, &rows, pairs)? {
                    Ok(rule) => rules.push(rule),
                    Err((relation, column)) => {
                        held.remove(&(class(relation, self.input.normal), column));
                        self.columns.release();
                        continue 'again;
                    }
                }
            }
            self.rules = rules;
            return Ok(true);
        }
        Ok(false)
    }

    /// A rule over pairs. A pair becomes a condition if its parts are also asked for alone.
    fn fused(
        &mut self,
        rule: &FlatRule,
        rows: &Changing,
        pairs: &mut Pairs,
    ) -> Result<Fused, Stop> {
        let body: Vec<FlatLiteral> = rule.body.iter().map(joined_tests).collect();
        let in_rule = self.pairs_in_rule(rule, &body);
        let mut variables_of: BTreeMap<TermPair, FlatTerm> = BTreeMap::new();
        let mut next = rule.variables;
        let mut locals: BTreeSet<TermPair> = BTreeSet::new();
        for (&both, (of, place)) in &in_rule.pairs {
            let term = match both {
                (FlatTerm::Constant(first), FlatTerm::Constant(second)) => {
                    FlatTerm::Constant(pair(pairs, first, second)?)
                }
                (FlatTerm::Constant(EMPTY), _) | (_, FlatTerm::Constant(EMPTY)) => {
                    return Ok(Err(*place));
                }
                _ => {
                    next += 1;
                    FlatTerm::Variable(Variable(next - 1))
                }
            };
            variables_of.insert(both, term);
            let own: Vec<Variable> = [both.0, both.1].into_iter().filter_map(variable).collect();
            if of.is_empty() && own.iter().any(|v| !in_rule.bound.contains(v)) {
                let alone = own.len() == 2
                    && own[0] != own[1]
                    && own.iter().all(|v| !in_rule.bound.contains(v) && in_rule.uses[v] == 1);
                if !alone {
                    return Ok(Err(*place));
                }
                locals.insert(both);
            }
        }
        let head = self.over_pairs(&rule.head, &variables_of);
        let mut body: Vec<FlatLiteral> =
            body.iter().map(|literal| self.literal_over_pairs(literal, &variables_of)).collect();
        let used = uses(&head, &body, in_rule.pairs.keys());
        for (&both, (of, place)) in &in_rule.pairs {
            let FlatTerm::Variable(_) = variables_of[&both] else { continue };
            let is_used = |term: FlatTerm| variable(term).is_none_or(|v| used[&v] > 1);
            let is_asked = of.is_empty() || is_used(both.0) || is_used(both.1);
            if locals.contains(&both) || !is_asked {
                continue;
            }
            let Some(all) = self.pairs_that_may_be(both, of, rule, rows) else {
                return Ok(Err(*place));
            };
            let mut rows = Vec::new();
            for (first, second) in all {
                rows.push(vec![pair(pairs, first, second)?, first, second]);
            }
            self.input.meter.spend(rows.len())?;
            let (of, column) = (class(place.0, self.input.normal), place.1);
            let [one, other] = [column, column + 1].map(|c| self.hints.column(of, c));
            let hints = vec![both_names(&one, &other), one, other];
            let relation = self.known_relation("part", rows, hints);
            let args = vec![variables_of[&both], both.0, both.1];
            body.push(FlatLiteral::Positive(FlatAtom { relation, args }));
        }
        Ok(Ok(FlatRule { head, body, variables: next, source: rule.source }))
    }

    /// The possible pairs of two terms: those at the given places, or, without places, all pairs of
    /// symbols that conditions leave. `None` if they are too many.
    fn pairs_that_may_be(
        &self,
        both: TermPair,
        of: &[ColumnPair],
        rule: &FlatRule,
        rows: &Changing,
    ) -> Option<BTreeSet<(Symbol, Symbol)>> {
        let of = of.iter().map(|&(class, column)| -> BTreeSet<_> {
            let own = rows.get(&class).into_iter().flatten();
            own.map(|row| (row[column], row[column + 1])).collect()
        });
        of.min_by_key(BTreeSet::len).or_else(|| {
            let [first, second] = [both.0, both.1].map(|term| self.domain(term, rule, rows));
            let (first, second) = (first?, second?);
            let of = |a: &Symbol| second.iter().map(|b| (*a, *b)).collect::<Vec<_>>();
            let is_small = first.len() * second.len() <= MOST_OPEN;
            is_small.then(|| first.iter().flat_map(of).collect())
        })
    }

    /// Finds the pairs of a rule.
    fn pairs_in_rule(&self, rule: &FlatRule, body: &[FlatLiteral]) -> PairsOfRule {
        let mut in_rule = PairsOfRule::default();
        for (_, both, place) in self.pairs_of(&rule.head) {
            let entry = in_rule.pairs.entry(both).or_insert((Vec::new(), place));
            entry.0.push((class(place.0, self.input.normal), place.1));
        }
        for literal in body {
            let mut own = BTreeSet::new();
            variables(literal, &mut |v| {
                own.insert(v);
            });
            own.into_iter().for_each(|v| *in_rule.uses.entry(v).or_default() += 1);
            let binds = matches!(literal, FlatLiteral::Positive(_));
            super::unfold::atoms(literal, &mut |atom| {
                if binds {
                    in_rule.bound.extend(atom.args.iter().copied().filter_map(variable));
                }
                for (_, both, place) in self.pairs_of(atom) {
                    let entry = in_rule.pairs.entry(both).or_insert((Vec::new(), place));
                    if binds {
                        entry.0.push((class(place.0, self.input.normal), place.1));
                    }
                }
            });
        }
        for v in rule.head.args.iter().copied().filter_map(variable) {
            *in_rule.uses.entry(v).or_default() += 1;
        }
        in_rule
    }

    /// The pairs of terms of an atom, each with its column, its terms and its place.
    fn pairs_of(&self, atom: &FlatAtom) -> Vec<(usize, TermPair, ColumnPair)> {
        let of = |&at: &usize| (at, (atom.args[at], atom.args[at + 1]), (atom.relation, at));
        self.columns.starts(atom.relation).iter().map(of).collect()
    }

    fn over_pairs(&self, atom: &FlatAtom, of: &BTreeMap<TermPair, FlatTerm>) -> FlatAtom {
        let columns = self.columns.of(atom.relation, atom.args.len());
        let args = columns.into_iter().map(|(column, is_pair)| match is_pair {
            true => of[&(atom.args[column], atom.args[column + 1])],
            false => atom.args[column],
        });
        FlatAtom { relation: atom.relation, args: args.collect() }
    }

    fn literal_over_pairs(
        &self,
        literal: &FlatLiteral,
        of: &BTreeMap<TermPair, FlatTerm>,
    ) -> FlatLiteral {
        match literal {
            FlatLiteral::Positive(atom) => FlatLiteral::Positive(self.over_pairs(atom, of)),
            FlatLiteral::Negative(atom) => FlatLiteral::Negative(self.over_pairs(atom, of)),
            FlatLiteral::Distinct(pairs) => FlatLiteral::Distinct(both_sides(pairs, of)),
            FlatLiteral::Same(pairs) => FlatLiteral::Same(both_sides(pairs, of)),
            FlatLiteral::Any(branches) => {
                let own = |l: &FlatLiteral| self.literal_over_pairs(l, of);
                FlatLiteral::Any(
                    branches.iter().map(|branch| branch.iter().map(own).collect()).collect(),
                )
            }
        }
    }

    /// The possible symbols of a term, by the conditions that bind it.
    fn domain(&self, term: FlatTerm, rule: &FlatRule, rows: &Changing) -> Option<BTreeSet<Symbol>> {
        let FlatTerm::Constant(symbol) = term else {
            let mut domain: Option<BTreeSet<Symbol>> = None;
            for literal in &rule.body {
                let FlatLiteral::Positive(atom) = literal else { continue };
                for column in (0..atom.args.len()).filter(|&column| atom.args[column] == term) {
                    let own: BTreeSet<Symbol> = match rows
                        .get(&class(atom.relation, self.input.normal))
                    {
                        Some(rows) => rows.iter().map(|row| row[column]).collect(),
                        None => (self.input.ground.facts_of(atom.relation))
                            .filter(|&fact| self.input.ground.value(fact) != Value::Constant(false))
                            .map(|fact| self.input.ground.row(fact)[column])
                            .collect(),
                    };
                    domain = Some(match domain {
                        None => own,
                        Some(before) => before.intersection(&own).copied().collect(),
                    });
                }
            }
            return domain;
        };
        Some(BTreeSet::from([symbol]))
    }
}

/// By variable: the number of its occurrences in a rule and in some pairs.
fn uses<'b>(
    head: &FlatAtom,
    body: &[FlatLiteral],
    pairs: impl Iterator<Item = &'b TermPair>,
) -> BTreeMap<Variable, usize> {
    let mut used: BTreeMap<Variable, usize> = BTreeMap::new();
    let mut count = |v: Variable| *used.entry(v).or_default() += 1;
    head.args.iter().copied().filter_map(variable).for_each(&mut count);
    body.iter().for_each(|literal| variables(literal, &mut count));
    pairs.flat_map(|&(a, b)| [a, b]).filter_map(variable).for_each(&mut count);
    used
}

fn pair(pairs: &mut Pairs, first: Symbol, second: Symbol) -> Result<Symbol, Stop> {
    pairs.symbol(first, second).ok_or_else(|| Stop::unsuited("too many pairs"))
}

/// One test in place of a choice among tests that two terms differ.
fn joined_tests(literal: &FlatLiteral) -> FlatLiteral {
    let FlatLiteral::Any(branches) = literal else { return literal.clone() };
    let tests = branches.iter().map(|branch| match &branch[..] {
        [FlatLiteral::Distinct(pairs)] => Some(pairs.clone()),
        _ => None,
    });
    match tests.collect::<Option<Vec<_>>>() {
        Some(tests) => FlatLiteral::Distinct(tests.concat()),
        None => literal.clone(),
    }
}

/// Pairs of terms that are compared. If two of them become one term on both sides, they become one
/// pair.
fn both_sides(pairs: &[TermPair], of: &BTreeMap<TermPair, FlatTerm>) -> Vec<TermPair> {
    let mut left: Vec<TermPair> = pairs.to_vec();
    let mut done = Vec::new();
    'again: loop {
        for one in 0..left.len() {
            for other in 0..left.len() {
                let (a, b) = (left[one], left[other]);
                let sides = [(a.0, b.0), (a.1, b.1)].map(|both| of.get(&both).copied());
                if one != other
                    && let [Some(first), Some(second)] = sides
                {
                    done.push((first, second));
                    left.remove(one.max(other));
                    left.remove(one.min(other));
                    continue 'again;
                }
            }
        }
        done.extend(left);
        return done;
    }
}
