//! The part of a program that says what can be true, and no more of it than that takes.
//!
//! The rules for the end of a game and its goals are left out, and besides
//!
//! - columns that nobody asks for: where a rule asks `(does ?p (move ?u ?v ?x ?y))` and uses `?x` and
//!   `?y` alone, it asks a copy of `does` that has these two columns. The copies go down to the
//!   facts, each relation in the forms in which it is asked (in Datalog: projections are pushed, or
//!   existential arguments taken out). Then [`split`] divides what has become separable;
//! - rules that keep what is true: a fact that `next` has because it is true was reached before;
//! - if it is to be [`Coarse`](Precision::Coarse), conditions that bind nothing and are not the same
//!   in every state, unless they ask for a fact of the state or for a move. A way that is free, a king
//!   that is not in check bound what can be done in a state, and seldom what can be done in any.
//!
//! The last makes more facts possible, never fewer; without it they are the same. Facts that are kept and never join others are
//! the same in every state here, so that negation is exact on more than in a [`Program`].
//!
//! [`split`]: mod@super::split

use super::program::{Atom, Program, RelationIndex, Rule, variable};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatTerm, Normal};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::diagnostic::Span;
use hashbrown::HashMap;

/// A relation is copied in so many forms at most; then it is asked whole.
const MOST_COPIES: usize = 8;

/// How near the possible facts are to be to those that grounding reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// The same.
    Fine,
    /// Perhaps more, for much less work in some games.
    Coarse,
}

/// Which columns of a relation are asked for.
type Columns = Vec<bool>;

/// Copies what is needed of a program.
struct Slicer<'p> {
    program: &'p Program,
    precision: Precision,
    /// By relation: the rules that conclude it.
    rules_of: Vec<Vec<&'p Rule>>,
    /// The base relation of each relation of `next`.
    kept_by: HashMap<RelationIndex, RelationIndex>,
    /// By relation: whether its rows are facts of a state, or moves.
    is_given: Vec<bool>,
    /// By relation: its copies.
    copies: Vec<Vec<(Columns, RelationIndex)>>,
    /// The work list: columns that are read and have no rules yet.
    open: Vec<(RelationIndex, Columns, RelationIndex)>,
    sliced: Program,
}

/// The rules that derive the rows of the base relations, and perhaps more rows.
pub(super) fn slice(
    mut program: Program,
    normal: &Normal,
    precision: Precision,
    meter: &Meter<'_>,
) -> Result<Program, Exhausted> {
    forget_constant(&mut program, normal);
    let program = &program;
    let count = program.widths.len();
    let mut rules_of = vec![Vec::new(); count];
    for rule in &program.rules {
        rules_of[rule.head.relation.index()].push(rule);
    }
    let bases = || normal.fluents.iter().map(|fluent| RelationIndex(fluent.base.0));
    let nexts = normal.fluents.iter().map(|fluent| RelationIndex(fluent.next.0));
    let mut is_given = vec![false; count];
    is_given[normal.does.index()] = true;
    bases().for_each(|base| is_given[base.index()] = true);
    let mut slicer = Slicer {
        program,
        precision,
        rules_of,
        kept_by: nexts.zip(bases()).collect(),
        is_given,
        copies: vec![Vec::new(); count],
        open: Vec::new(),
        sliced: Program {
            widths: program.widths.clone(),
            dynamic: program.dynamic.clone(),
            rules: Vec::new(),
            components: Vec::new(),
        },
    };
    for base in bases() {
        slicer.ask(base, vec![true; program.widths[base.index()]]);
    }
    while let Some((relation, columns, copy)) = slicer.open.pop() {
        slicer.conclude(relation, &columns, copy, meter)?;
    }
    slicer.sliced.order();
    Ok(slicer.sliced)
}

/// Base relations of which nothing comes and nothing goes are the same in every state, and so is what
/// depends on them alone: negation is exact there. Walls in a maze are such.
fn forget_constant(program: &mut Program, normal: &Normal) {
    program.dynamic.fill(false);
    program.dynamic[normal.does.index()] = true;
    for fluent in &normal.fluents {
        let (base, next) = (RelationIndex(fluent.base.0), RelationIndex(fluent.next.0));
        let mut rules = program.rules.iter().filter(|rule| rule.head.relation == next);
        let mut is_kept = false;
        let keeps = rules.all(|rule| {
            is_kept |= keeps_all(rule, base);
            keeps(rule, base)
        });
        program.dynamic[base.index()] = !(keeps && is_kept);
    }
    program.order();
}

/// Whether a rule for `next` gives nothing but facts that are true.
fn keeps(rule: &Rule, base: RelationIndex) -> bool {
    rule.positive.iter().any(|atom| atom.relation == base && atom.args == rule.head.args)
}

/// Whether it gives all of them.
fn keeps_all(rule: &Rule, base: RelationIndex) -> bool {
    let args = &rule.head.args;
    let is_new =
        |(at, arg): (usize, &FlatTerm)| variable(*arg).is_some() && !args[..at].contains(arg);
    let is_alone = rule.positive.len() == 1 && rule.negative.is_empty() && rule.tests.is_empty();
    is_alone && keeps(rule, base) && args.iter().enumerate().all(is_new)
}

impl Slicer<'_> {
    /// The relation that has these columns of another.
    fn ask(&mut self, relation: RelationIndex, mut columns: Columns) -> RelationIndex {
        let copies = &self.copies[relation.index()];
        if copies.len() >= MOST_COPIES && copies.iter().all(|(of, _)| *of != columns) {
            columns.fill(true);
        }
        if let Some((_, copy)) = copies.iter().find(|(of, _)| *of == columns) {
            return *copy;
        }
        let copy = match columns.iter().all(|asked| *asked) {
            true => relation,
            false => {
                let copy = self.sliced.relation(columns.iter().filter(|asked| **asked).count());
                self.sliced.dynamic.push(self.program.dynamic[relation.index()]);
                copy
            }
        };
        self.copies[relation.index()].push((columns.clone(), copy));
        self.open.push((relation, columns, copy));
        copy
    }

    /// The rules of a copy.
    fn conclude(
        &mut self,
        relation: RelationIndex,
        columns: &Columns,
        copy: RelationIndex,
        meter: &Meter<'_>,
    ) -> Result<(), Exhausted> {
        let base = self.kept_by.values().any(|base| *base == relation);
        if base && copy != relation {
            // Its rows are found whole anyhow.
            self.sliced.rules.push(projection(relation, columns, copy));
            return Ok(());
        }
        for rule in self.rules_of[relation.index()].clone() {
            meter.spend(rule.positive.len() * rule.positive.len() + rule.variables)?;
            if !self.kept_by.get(&relation).is_some_and(|base| keeps(rule, *base)) {
                self.copy(rule, columns, copy);
            }
        }
        Ok(())
    }

    /// A rule for a copy of its head.
    fn copy(&mut self, rule: &Rule, columns: &Columns, copy: RelationIndex) {
        let head = Atom { relation: copy, args: kept(&rule.head.args, columns) };
        let negative: Vec<Atom> = self.program.decided(rule).cloned().collect();
        let mut times = vec![0u32; rule.variables];
        let mut mention = |v: Variable| times[usize::from(v.0)] += 1;
        head.variables().for_each(&mut mention);
        rule.tests.iter().flat_map(|test| test.variables()).for_each(&mut mention);
        negative.iter().flat_map(Atom::variables).for_each(&mut mention);
        let conditions = self.conditions(rule, &times);
        conditions.iter().flat_map(|atom| atom.variables()).for_each(|v| {
            times[usize::from(v.0)] += 1;
        });
        let is_asked = |arg: &FlatTerm| variable(*arg).is_none_or(|v| times[usize::from(v.0)] > 1);
        let mut positive: Vec<Atom> = Vec::new();
        for atom in conditions {
            let columns: Columns = atom.args.iter().map(is_asked).collect();
            let relation = self.ask(atom.relation, columns.clone());
            let is_whole = self.sliced.widths[relation.index()] == columns.len();
            let args = if is_whole { atom.args.clone() } else { kept(&atom.args, &columns) };
            let asked = Atom { relation, args };
            if asked == head {
                // A rule that asks for what it concludes.
                return;
            }
            if !positive.contains(&asked) {
                positive.push(asked);
            }
        }
        for atom in &negative {
            self.ask(atom.relation, vec![true; atom.args.len()]);
        }
        let (tests, variables) = (rule.tests.clone(), rule.variables);
        let Rule { link, source, .. } = *rule;
        self.sliced.rules.push(Rule { head, positive, negative, tests, variables, link, source });
    }

    /// The conditions of a rule; if few will do, without those that bind nothing. `mentioned` says how often head,
    /// tests and negative conditions mention each variable.
    fn conditions<'r>(&self, rule: &'r Rule, mentioned: &[u32]) -> Vec<&'r Atom> {
        // By variable: how many conditions bind it.
        let mut bound = vec![0u32; rule.variables];
        let each = |atom: &Atom| {
            let mut variables: Vec<usize> = atom.variables().map(|v| usize::from(v.0)).collect();
            variables.sort_unstable();
            variables.dedup();
            variables
        };
        rule.positive.iter().flat_map(each).for_each(|v| bound[v] += 1);
        let mut conditions = Vec::new();
        for atom in &rule.positive {
            let relation = atom.relation.index();
            let varies = self.precision == Precision::Coarse
                && self.program.dynamic[relation]
                && !self.is_given[relation];
            let variables = each(atom);
            if varies && variables.iter().all(|&v| bound[v] > 1 || mentioned[v] == 0) {
                variables.iter().for_each(|&v| bound[v] -= 1);
            } else {
                conditions.push(atom);
            }
        }
        conditions
    }
}

/// A rule that gives a relation these columns of another.
fn projection(relation: RelationIndex, columns: &Columns, copy: RelationIndex) -> Rule {
    let variables = (0..columns.len() as u16).map(|v| FlatTerm::Variable(Variable(v)));
    let args: Vec<FlatTerm> = variables.collect();
    Rule {
        head: Atom { relation: copy, args: kept(&args, columns) },
        positive: vec![Atom { relation, args }],
        negative: Vec::new(),
        tests: Vec::new(),
        variables: columns.len(),
        link: true,
        source: Span::default(),
    }
}

/// The terms in these columns.
fn kept(args: &[FlatTerm], columns: &Columns) -> Vec<FlatTerm> {
    args.iter().zip(columns).filter(|(_, kept)| **kept).map(|(arg, _)| *arg).collect()
}
