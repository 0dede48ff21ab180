//! Joins of static relations, in rules over pairs.
//!
//! Static conditions relate the parts of pairs. Joined, and without the parts, they are one
//! relation between pairs, and so one constant map:
//!
//! ```text
//! (pair ?xy ?x ?y) (ahead ?p ?y ?z) (pair ?xz ?x ?z)          (ahead ?xy ?p ?xz)
//! ```

use super::relations::Relations;
use super::unfold::variables;
use crate::export::rules::Stop;
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId, RelationKind};
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// The most entries of a joined relation: its rows times its columns.
pub const MOST_ENTRIES: usize = 4096;
/// The most rows of an intermediate join.
const MOST_ROWS: usize = 1 << 15;

/// Rows of values of variables.
struct Rows {
    variables: Vec<Variable>,
    rows: BTreeSet<Vec<Symbol>>,
}

impl Rows {
    /// Whether most of the possible rows are there. Then the missing rows are listed instead.
    fn is_most(&self) -> bool {
        let all = (0..self.variables.len())
            .map(|column| self.rows.iter().map(|row| row[column]).collect::<BTreeSet<_>>().len());
        let all = all.fold(1, usize::saturating_mul);
        8 * self.rows.len() >= all.saturating_mul(7)
    }
}

impl Relations<'_> {
    /// Joins the static conditions of all rules.
    pub fn join_static(&mut self) -> Result<(), Stop> {
        for number in 0..self.rules.len() {
            let rule = self.rules[number].clone();
            self.input.meter.spend(rule.body.len() + 1)?;
            self.rules[number] = self.joined(rule)?;
        }
        Ok(())
    }

    fn joined(&mut self, rule: FlatRule) -> Result<FlatRule, Stop> {
        let mut is_static = Vec::with_capacity(rule.body.len());
        for literal in &rule.body {
            is_static.push(match literal {
                FlatLiteral::Positive(atom) => self.rows(atom.relation).is_some(),
                _ => false,
            });
        }
        if !rule.body.iter().any(|literal| self.is_known_atom(literal)) {
            return Ok(rule);
        }
        let mut outer: BTreeSet<Variable> = of_atom(&rule.head).collect();
        for (literal, _) in rule.body.iter().zip(&is_static).filter(|(_, is_static)| !**is_static) {
            variables(literal, &mut |v| {
                outer.insert(v);
            });
        }
        // Conditions belong together if they share a variable that occurs in no other condition.
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for place in (0..rule.body.len()).filter(|&place| is_static[place]) {
            let inner: BTreeSet<Variable> =
                of_literal(&rule.body[place]).difference(&outer).copied().collect();
            let (linked, mut others): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| {
                group.iter().any(|&other| !of_literal(&rule.body[other]).is_disjoint(&inner))
            });
            let mut own: Vec<usize> = linked.into_iter().flatten().collect();
            own.push(place);
            others.push(own);
            groups = others;
        }
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        let mut added = Vec::new();
        for mut group in groups {
            let all: BTreeSet<Variable> =
                group.iter().flat_map(|&place| of_literal(&rule.body[place])).collect();
            let has_inner = all.iter().any(|v| !outer.contains(v));
            let is_over_pairs = group.iter().any(|&place| self.is_known_atom(&rule.body[place]));
            if !has_inner || !is_over_pairs {
                continue;
            }
            group.sort_unstable();
            for group in self.split(&rule, group, &outer)? {
                let Some(joined) = self.join(&rule, &group, &outer)? else { continue };
                let name = self.name_of_join(&rule, &group);
                let of = joined.variables.iter();
                let hints = of.map(|&v| self.name_of_variable(&rule, v)).collect();
                let args = joined.variables.iter().map(|&v| FlatTerm::Variable(v)).collect();
                let rows: Vec<Vec<Symbol>> = joined.rows.into_iter().collect();
                self.input.meter.spend(rows.len())?;
                let relation = self.known_relation(&name, rows, hints);
                added.push(FlatLiteral::Positive(FlatAtom { relation, args }));
                gone.extend(group);
            }
        }
        let kept = rule.body.iter().enumerate().filter(|(place, _)| !gone.contains(place));
        let body = kept.map(|(_, literal)| literal.clone()).chain(added).collect();
        Ok(FlatRule { body, ..rule })
    }

    /// The groups of conditions that are joined: all conditions as one group, if the join is small
    /// enough. Otherwise one group for each condition that is not about pairs, with the conditions
    /// about its pairs.
    fn split(
        &self,
        rule: &FlatRule,
        group: Vec<usize>,
        outer: &BTreeSet<Variable>,
    ) -> Result<Vec<Vec<usize>>, Stop> {
        if self.join(rule, &group, outer)?.is_some() {
            return Ok(vec![group]);
        }
        let (pairs, others): (Vec<usize>, Vec<usize>) =
            group.into_iter().partition(|&place| self.is_known_atom(&rule.body[place]));
        let is_outer = |place: usize| match &rule.body[place] {
            FlatLiteral::Positive(atom) => of_atom(atom).next().is_some_and(|v| outer.contains(&v)),
            _ => false,
        };
        let mut groups = Vec::new();
        for other in others {
            let own = of_literal(&rule.body[other]);
            let mut about: Vec<usize> = pairs.clone();
            about.retain(|&place| !of_literal(&rule.body[place]).is_disjoint(&own));
            let said: BTreeSet<Variable> =
                about.iter().flat_map(|&place| of_literal(&rule.body[place])).collect();
            if !about.iter().all(|&place| is_outer(place))
                || !own.iter().all(|v| outer.contains(v) || said.contains(v))
            {
                return Ok(Vec::new());
            }
            about.push(other);
            if self.join(rule, &about, outer)?.is_none() {
                return Ok(Vec::new());
            }
            groups.push(about);
        }
        Ok(groups)
    }

    /// The values of outer variables for which all conditions of a group hold. `None` if there are
    /// too many rows.
    fn join(
        &self,
        rule: &FlatRule,
        group: &[usize],
        outer: &BTreeSet<Variable>,
    ) -> Result<Option<Rows>, Stop> {
        let mut left: Vec<Rows> = Vec::new();
        for &place in group {
            let FlatLiteral::Positive(atom) = &rule.body[place] else {
                return Err(Stop::Broken("a join of a condition that is no fact"));
            };
            left.push(self.rows_of(atom)?);
        }
        let first = (0..left.len()).min_by_key(|&place| left[place].rows.len());
        let mut all = left.remove(first.ok_or(Stop::Broken("a join of nothing"))?);
        while !left.is_empty() {
            let shared =
                |of: &Rows| of.variables.iter().filter(|v| all.variables.contains(v)).count();
            let next = (0..left.len())
                .min_by_key(|&place| (left[place].variables.len() - shared(&left[place]), place));
            let next = left.remove(next.ok_or(Stop::Broken("a join of nothing"))?);
            let needed: BTreeSet<Variable> =
                left.iter().flat_map(|rows| rows.variables.iter().copied()).collect();
            self.input.meter.spend(all.rows.len() + next.rows.len())?;
            let Some(both) = product(&all, &next, |v| outer.contains(&v) || needed.contains(&v))
            else {
                return Ok(None);
            };
            self.input.meter.spend(both.rows.len())?;
            all = both;
        }
        let joined = project(&all, |v| outer.contains(&v));
        let is_small = joined.rows.len() * joined.variables.len().max(1) <= MOST_ENTRIES;
        Ok((is_small || joined.is_most()).then_some(joined))
    }

    /// The rows of a static condition.
    fn rows_of(&self, atom: &FlatAtom) -> Result<Rows, Stop> {
        let rows = self.rows(atom.relation);
        let rows = rows.ok_or(Stop::Broken("a join of what is not known before play"))?;
        self.input.meter.spend(rows.len())?;
        let mut variables: Vec<Variable> = of_atom(atom).collect();
        variables.sort_unstable();
        variables.dedup();
        let of = |v: &Variable| {
            let own = |term: &FlatTerm| *term == FlatTerm::Variable(*v);
            atom.args.iter().position(own).expect("it is there")
        };
        let places: Vec<usize> = variables.iter().map(of).collect();
        let fits = |row: &&Vec<Symbol>| {
            atom.args.iter().zip(row.iter()).all(|(term, symbol)| match term {
                FlatTerm::Constant(own) => own == symbol,
                FlatTerm::Variable(v) => {
                    let at = variables.binary_search(v).expect("it is there");
                    row[places[at]] == *symbol
                }
            })
        };
        let rows = rows.iter().filter(fits);
        let rows = rows.map(|row| places.iter().map(|&place| row[place]).collect()).collect();
        Ok(Rows { variables, rows })
    }

    fn name_of_join(&self, rule: &FlatRule, group: &[usize]) -> String {
        let own = group.iter().find(|&&place| !self.is_known_atom(&rule.body[place]));
        match (own.map(|&place| &rule.body[place]), rule.head.relation) {
            (Some(FlatLiteral::Positive(atom)), _) => self.plain_name(atom.relation),
            (_, head) => match self.input.normal.relation(head).kind {
                RelationKind::View(_) if head != self.input.normal.legal => self.plain_name(head),
                _ => "pair".to_owned(),
            },
        }
    }

    /// The name of a variable of a rule.
    fn name_of_variable(&self, rule: &FlatRule, v: Variable) -> String {
        let mut first_column: Option<(RelationId, usize)> = None;
        let mut look = |atom: &FlatAtom| {
            let own = |term: &FlatTerm| *term == FlatTerm::Variable(v);
            if let (None, Some(column)) = (first_column, atom.args.iter().position(own)) {
                first_column = Some((atom.relation, column));
            }
        };
        for literal in &rule.body {
            if !self.is_known_atom(literal) {
                super::unfold::atoms(literal, &mut look);
            }
        }
        look(&rule.head);
        first_column.map_or("value".to_owned(), |(relation, column)| self.hint(relation, column))
    }
}

fn of_atom(atom: &FlatAtom) -> impl Iterator<Item = Variable> + '_ {
    atom.args.iter().filter_map(|term| match term {
        FlatTerm::Variable(v) => Some(*v),
        FlatTerm::Constant(_) => None,
    })
}

/// The variables of a condition.
pub fn of_literal(literal: &FlatLiteral) -> BTreeSet<Variable> {
    let mut all = BTreeSet::new();
    variables(literal, &mut |v| {
        all.insert(v);
    });
    all
}

/// The join of two sets of rows, with the variables that are wanted. `None` if it has too many
/// rows.
fn product(one: &Rows, other: &Rows, wanted: impl Fn(Variable) -> bool) -> Option<Rows> {
    let shared: Vec<(usize, usize)> = (one.variables.iter().enumerate())
        .filter_map(|(at, v)| Some((at, other.variables.iter().position(|o| o == v)?)))
        .collect();
    let mut by: HashMap<Vec<Symbol>, Vec<&Vec<Symbol>>> = HashMap::new();
    for row in &other.rows {
        by.entry(shared.iter().map(|&(_, at)| row[at]).collect()).or_default().push(row);
    }
    let mut all: Vec<(Variable, bool, usize)> = Vec::new();
    all.extend(one.variables.iter().enumerate().map(|(at, &v)| (v, true, at)));
    for (at, &v) in other.variables.iter().enumerate() {
        if !one.variables.contains(&v) {
            all.push((v, false, at));
        }
    }
    all.retain(|(v, ..)| wanted(*v));
    let mut rows = BTreeSet::new();
    for row in &one.rows {
        let key: Vec<Symbol> = shared.iter().map(|&(at, _)| row[at]).collect();
        for with in by.get(&key).into_iter().flatten() {
            let value = |&(_, is_one, at): &(Variable, bool, usize)| match is_one {
                true => row[at],
                false => with[at],
            };
            rows.insert(all.iter().map(value).collect());
            if rows.len() > MOST_ROWS {
                return None;
            }
        }
    }
    Some(Rows { variables: all.into_iter().map(|(v, ..)| v).collect(), rows })
}

fn project(rows: &Rows, wanted: impl Fn(Variable) -> bool) -> Rows {
    let places: Vec<usize> =
        (0..rows.variables.len()).filter(|&place| wanted(rows.variables[place])).collect();
    Rows {
        variables: places.iter().map(|&place| rows.variables[place]).collect(),
        rows: rows.rows.iter().map(|row| places.iter().map(|&at| row[at]).collect()).collect(),
    }
}
