//! Which facts can be reached: a semi-naive fixpoint on datafrog.
//!
//! Components of relations that cannot change during play are computed one after the other,
//! with negation exact; then everything else at once, with negative conditions on it ignored,
//! so that more may seem reachable than is.
//!
//! A body is a chain of binary joins. Each step's result keeps only the columns that are
//! needed later and is interned, so that every datafrog variable holds pairs of numbers:
//! the key of the coming join and the row. Rows of facts go straight into the indexes of
//! their relation, one for each pattern of constants, repeated variables and key columns.
//!
//! datafrog's own `from_join` makes one tuple of every match, and cannot stop before the
//! last. Here most matches fail a test or repeat a row, and a join may be too large to
//! finish; so [`matches`] walks datafrog's sorted batches itself, and hands back what is new.

use super::RelationIndex;
use super::budget::{Exhausted, Watch};
use super::estimate::Sizes;
use super::program::{Atom, Program, Rule, Test, variable};
use super::rows::{Keys, Rows};
use crate::gdl::{Symbol, Variable};
use crate::normal::FlatTerm;
use datafrog::{Iteration, Relation};
use hashbrown::HashMap;

/// A datafrog variable: interned key and interned row.
type Pairs = datafrog::Variable<(u32, u32)>;

/// The reachable facts, by relation. Sizes become exact.
pub(super) fn reach(
    program: &Program,
    sizes: &mut Sizes,
    watch: &mut Watch<'_>,
) -> Result<Vec<Rows>, Exhausted> {
    let mut facts: Vec<Rows> = program.widths.iter().map(|&width| Rows::new(width)).collect();
    let mut keys = Keys::default();
    let mut by_head = vec![Vec::new(); program.widths.len()];
    for rule in &program.rules {
        by_head[rule.head.relation.index()].push(rule);
    }
    let mut dynamic = Vec::new();
    for component in &program.components {
        let rules: Vec<&Rule> =
            component.iter().flat_map(|r| by_head[r.index()].iter().copied()).collect();
        if component.iter().any(|r| program.dynamic[r.index()]) {
            dynamic.extend(rules);
        } else {
            Fixpoint::new(program, sizes, &rules, &mut facts, &mut keys, watch)?.run(watch)?;
            for &relation in component {
                let width = program.widths[relation.index()];
                sizes.know(relation, &facts[relation.index()], width);
            }
        }
    }
    Fixpoint::new(program, sizes, &dynamic, &mut facts, &mut keys, watch)?.run(watch)?;
    for (relation, rows) in facts.iter().enumerate().filter(|&(r, _)| program.dynamic[r]) {
        sizes.know(RelationIndex(relation as u32), rows, program.widths[relation]);
    }
    Ok(facts)
}

/// Which rows of a relation an index holds, and by which key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pattern {
    relation: RelationIndex,
    constants: Vec<(usize, Symbol)>,
    equal: Vec<(usize, usize)>,
    key: Vec<usize>,
}

impl Pattern {
    fn of(atom: &Atom, key: &[Variable]) -> Pattern {
        let mut constants = Vec::new();
        let mut equal = Vec::new();
        for (place, &arg) in atom.args.iter().enumerate() {
            match arg {
                FlatTerm::Constant(symbol) => constants.push((place, symbol)),
                FlatTerm::Variable(_) => {
                    if let Some(first) = atom.args[..place].iter().position(|&a| a == arg) {
                        equal.push((first, place));
                    }
                }
            }
        }
        let column = |v: &Variable| atom.args.iter().position(|&a| a == FlatTerm::Variable(*v));
        let key = key.iter().filter_map(column).collect();
        Pattern { relation: atom.relation, constants, equal, key }
    }

    fn admits(&self, row: &[Symbol]) -> bool {
        self.constants.iter().all(|&(place, symbol)| row[place] == symbol)
            && self.equal.iter().all(|&(a, b)| row[a] == row[b])
    }
}

struct Index {
    pattern: Pattern,
    pairs: Pairs,
    pending: Vec<(u32, u32)>,
}

/// Where the values of some variables stand in a row.
type Columns = Vec<(usize, Variable)>;

fn columns(atom: &Atom) -> Columns {
    let mut columns = Columns::new();
    for (place, &arg) in atom.args.iter().enumerate() {
        if let Some(v) = variable(arg)
            && !columns.iter().any(|&(_, w)| w == v)
        {
            columns.push((place, v));
        }
    }
    columns
}

/// The rows of a condition, or of what was joined so far.
#[derive(Clone)]
enum Source {
    Index(usize),
    Joined(usize),
}

/// What was joined so far.
struct Joined {
    rows: Rows,
    pairs: Pairs,
    pending: Vec<(u32, u32)>,
}

/// A join, or the first look at a condition when `right` is missing.
struct Step<'p> {
    left: Source,
    left_columns: Columns,
    right: Option<(usize, Columns)>,
    /// Conditions that can be tested by now.
    tests: Vec<&'p Test>,
    negative: Vec<&'p Atom>,
    out: Output<'p>,
}

enum Output<'p> {
    Head(&'p Atom),
    Joined { to: usize, schema: Vec<Variable>, key: Vec<Variable> },
}

/// A fixpoint of some rules over facts that are there already.
struct Fixpoint<'p, 'f> {
    program: &'p Program,
    facts: &'f mut Vec<Rows>,
    keys: &'f mut Keys,
    iteration: Iteration,
    indexes: Vec<Index>,
    index_of: HashMap<Pattern, usize>,
    /// By relation: its indexes.
    indexes_on: Vec<Vec<usize>>,
    joined: Vec<Joined>,
    steps: Vec<Step<'p>>,
    values: Vec<Symbol>,
    row: Vec<Symbol>,
}

impl<'p, 'f> Fixpoint<'p, 'f> {
    fn new(
        program: &'p Program,
        sizes: &Sizes,
        rules: &[&'p Rule],
        facts: &'f mut Vec<Rows>,
        keys: &'f mut Keys,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Exhausted> {
        let most = rules.iter().map(|rule| rule.variables).max().unwrap_or(0);
        let mut fixpoint = Fixpoint {
            program,
            facts,
            keys,
            iteration: Iteration::new(),
            indexes: Vec::new(),
            index_of: HashMap::new(),
            indexes_on: vec![Vec::new(); program.widths.len()],
            joined: Vec::new(),
            steps: Vec::new(),
            values: vec![Symbol::from_index(0); most],
            row: Vec::new(),
        };
        let mut constant = Vec::new();
        for rule in rules {
            if rule.positive.is_empty() {
                constant.push(*rule);
            } else {
                fixpoint.plan(rule, sizes, watch)?;
            }
        }
        for index in 0..fixpoint.indexes.len() {
            let relation = fixpoint.indexes[index].pattern.relation.index();
            for number in 0..fixpoint.facts[relation].len() as u32 {
                fixpoint.enter(index, relation, number);
            }
        }
        for rule in constant {
            let tests: Vec<&Test> = rule.tests.iter().collect();
            if fixpoint.holds(&tests, &complete_negatives(program, rule)) {
                fixpoint.derive(&rule.head);
            }
        }
        Ok(fixpoint)
    }

    /// Makes the steps of a rule. That takes long where the rule has thousands of conditions.
    fn plan(
        &mut self,
        rule: &'p Rule,
        sizes: &Sizes,
        watch: &mut Watch<'_>,
    ) -> Result<(), Exhausted> {
        let (order, _) = sizes.order(&rule.positive, rule.variables);
        let atoms: Vec<&'p Atom> = order.iter().map(|&place| &rule.positive[place]).collect();
        let mut tests: Vec<&'p Test> = rule.tests.iter().collect();
        let mut negative = complete_negatives(self.program, rule);
        let mut bound: Vec<Variable> = atoms[0].variables().collect();
        let mut left_columns = columns(atoms[0]);
        let mut left = None;
        for place in 0..atoms.len().max(2) - 1 {
            watch.check()?;
            let right = atoms.get(place + 1);
            let shared = |with: Option<&&Atom>, of: &Columns| -> Vec<Variable> {
                let here = of.iter().map(|&(_, v)| v);
                here.filter(|&v| with.is_some_and(|a| a.variables().any(|w| w == v))).collect()
            };
            let key = shared(right, &left_columns);
            let source = match left.take() {
                Some(source) => source,
                None => Source::Index(self.index(Pattern::of(atoms[0], &key))),
            };
            let right = right.map(|atom| {
                bound.extend(atom.variables());
                (self.index(Pattern::of(atom, &key)), columns(atom))
            });
            let now = |v: Variable| bound.contains(&v);
            let (tests_now, later) = tests.iter().partition(|test| test.variables().all(now));
            tests = later;
            let (negative_now, later) = negative.iter().partition(|a| a.variables().all(now));
            negative = later;
            let rest = atoms.get(place + 2..).unwrap_or(&[]);
            let here = left_columns.clone();
            let out = if rest.is_empty() {
                Output::Head(&rule.head)
            } else {
                let needed = |v: &Variable| {
                    let mut readers = rest.iter().chain(&negative).copied().chain([&rule.head]);
                    readers.any(|atom| atom.variables().any(|w| w == *v))
                        || tests.iter().any(|test| test.variables().any(|w| w == *v))
                };
                let mut schema: Vec<Variable> = bound.clone();
                schema.sort_unstable();
                schema.dedup();
                schema.retain(needed);
                left_columns = schema.iter().copied().enumerate().collect();
                let key = shared(rest.first(), &left_columns);
                let to = self.joined.len();
                self.joined.push(Joined {
                    rows: Rows::new(schema.len()),
                    pairs: self.iteration.variable("joined"),
                    pending: Vec::new(),
                });
                left = Some(Source::Joined(to));
                Output::Joined { to, schema, key }
            };
            self.steps.push(Step {
                left: source,
                left_columns: here,
                right,
                tests: tests_now,
                negative: negative_now,
                out,
            });
        }
        Ok(())
    }

    fn index(&mut self, pattern: Pattern) -> usize {
        if let Some(&index) = self.index_of.get(&pattern) {
            return index;
        }
        let index = self.indexes.len();
        self.indexes_on[pattern.relation.index()].push(index);
        self.index_of.insert(pattern.clone(), index);
        let pairs = self.iteration.variable("index");
        self.indexes.push(Index { pattern, pairs, pending: Vec::new() });
        index
    }

    /// Puts a fact into an index, if it fits.
    fn enter(&mut self, index: usize, relation: usize, number: u32) {
        let row = self.facts[relation].row(number);
        let Index { pattern, pending, .. } = &mut self.indexes[index];
        if pattern.admits(row) {
            self.row.clear();
            self.row.extend(pattern.key.iter().map(|&column| row[column]));
            pending.push((self.keys.key(&self.row), number));
        }
    }

    fn holds(&self, tests: &[&Test], negative: &[&Atom]) -> bool {
        let value = |v: Variable| self.values[usize::from(v.0)];
        tests.iter().all(|test| test.holds(value))
            && negative.iter().all(|atom| {
                let row: Vec<Symbol> = atom.args.iter().map(|&arg| column(arg, value)).collect();
                self.facts[atom.relation.index()].get(&row).is_none()
            })
    }

    fn derive(&mut self, head: &Atom) {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend(head.args.iter().map(|&arg| column(arg, |v| self.values[usize::from(v.0)])));
        let relation = head.relation.index();
        let (number, new) = self.facts[relation].insert(&row);
        self.row = row;
        if new {
            for place in 0..self.indexes_on[relation].len() {
                self.enter(self.indexes_on[relation][place], relation, number);
            }
        }
    }

    fn run(mut self, watch: &mut Watch<'_>) -> Result<(), Exhausted> {
        let mut steps = std::mem::take(&mut self.steps);
        self.flush();
        while self.iteration.changed() {
            for step in &mut steps {
                self.take(step, watch);
                if watch.exhausted.is_some() {
                    break;
                }
            }
            let joined: usize = self.joined.iter().map(|joined| joined.rows.bytes()).sum();
            let facts: usize = self.facts.iter().map(Rows::bytes).sum();
            watch.spent.facts = self.facts.iter().map(Rows::len).sum();
            watch.memory(joined + facts + self.keys.bytes());
            watch.check()?;
            self.flush();
        }
        Ok(())
    }

    /// Hands what is new to datafrog.
    fn flush(&mut self) {
        for Index { pairs, pending, .. } in &mut self.indexes {
            pairs.insert(Relation::from_vec(std::mem::take(pending)));
        }
        for Joined { pairs, pending, .. } in &mut self.joined {
            pairs.insert(Relation::from_vec(std::mem::take(pending)));
        }
    }

    fn pairs(&self, source: &Source) -> Pairs {
        match *source {
            Source::Index(index) => self.indexes[index].pairs.clone(),
            Source::Joined(joined) => self.joined[joined].pairs.clone(),
        }
    }

    /// One round of a step.
    fn take(&mut self, step: &Step<'p>, watch: &mut Watch<'_>) {
        let left = self.pairs(&step.left);
        match &step.right {
            None => {
                for &(_, number) in left.recent.borrow().iter() {
                    if !watch.tick() {
                        return;
                    }
                    self.load(step, number);
                    self.give(step);
                }
            }
            Some((index, right_columns)) => {
                let right = self.indexes[*index].pairs.clone();
                let relation = self.indexes[*index].pattern.relation.index();
                let mut loaded = None;
                matches(&left, &right, |a, b| {
                    if !watch.tick() {
                        return false;
                    }
                    if loaded != Some(a) {
                        self.load(step, a);
                        loaded = Some(a);
                    }
                    let row = self.facts[relation].row(b);
                    for &(place, v) in right_columns {
                        self.values[usize::from(v.0)] = row[place];
                    }
                    self.give(step);
                    true
                });
            }
        }
    }

    /// Takes the values of the left row.
    fn load(&mut self, step: &Step<'p>, number: u32) {
        let row = match step.left {
            Source::Index(index) => {
                self.facts[self.indexes[index].pattern.relation.index()].row(number)
            }
            Source::Joined(joined) => self.joined[joined].rows.row(number),
        };
        for &(place, v) in &step.left_columns {
            self.values[usize::from(v.0)] = row[place];
        }
    }

    /// Gives the values of a match to the head or to the next step.
    fn give(&mut self, step: &Step<'p>) {
        if !self.holds(&step.tests, &step.negative) {
            return;
        }
        match &step.out {
            Output::Head(head) => self.derive(head),
            Output::Joined { to, schema, key } => {
                let values = &self.values;
                let value = |v: &Variable| values[usize::from(v.0)];
                self.row.clear();
                self.row.extend(schema.iter().map(value));
                let joined = &mut self.joined[*to];
                let (number, new) = joined.rows.insert(&self.row);
                if new {
                    self.row.clear();
                    self.row.extend(key.iter().map(value));
                    joined.pending.push((self.keys.key(&self.row), number));
                }
            }
        }
    }
}

/// The negative conditions that can be decided: negation is exact on what is complete, and
/// ignored elsewhere.
fn complete_negatives<'p>(program: &Program, rule: &'p Rule) -> Vec<&'p Atom> {
    let complete = |atom: &&Atom| !program.dynamic[atom.relation.index()];
    rule.negative.iter().filter(complete).collect()
}

fn column(term: FlatTerm, value: impl Fn(Variable) -> Symbol) -> Symbol {
    match term {
        FlatTerm::Constant(symbol) => symbol,
        FlatTerm::Variable(v) => value(v),
    }
}

/// Calls `found` with the rows of every match that was not there in the last round, until
/// it says that this is enough.
fn matches(left: &Pairs, right: &Pairs, mut found: impl FnMut(u32, u32) -> bool) {
    let (left_new, right_new) = (left.recent.borrow(), right.recent.borrow());
    let (left_old, right_old) = (left.stable.borrow(), right.stable.borrow());
    let mut open = true;
    for old in right_old.iter() {
        open = open && merge(&left_new, old, &mut found);
    }
    for old in left_old.iter() {
        open = open && merge(old, &right_new, &mut found);
    }
    if open {
        merge(&left_new, &right_new, &mut found);
    }
}

/// Calls `found` with the rows of equal keys; whether it wanted all of them.
fn merge(
    mut left: &[(u32, u32)],
    mut right: &[(u32, u32)],
    found: &mut impl FnMut(u32, u32) -> bool,
) -> bool {
    while let (Some(&(a, _)), Some(&(b, _))) = (left.first(), right.first()) {
        if a < b {
            left = &left[skip(left, b)..];
        } else if b < a {
            right = &right[skip(right, a)..];
        } else {
            let (n, m) = (run_length(left), run_length(right));
            for &(_, l) in &left[..n] {
                for &(_, r) in &right[..m] {
                    if !found(l, r) {
                        return false;
                    }
                }
            }
            (left, right) = (&left[n..], &right[m..]);
        }
    }
    true
}

/// How many pairs have a smaller key: galloping, then halving.
fn skip(pairs: &[(u32, u32)], key: u32) -> usize {
    let mut step = 1;
    while step < pairs.len() && pairs[step].0 < key {
        step *= 2;
    }
    let end = step.min(pairs.len());
    pairs[..end].partition_point(|&(k, _)| k < key)
}

/// How many pairs have the first key.
fn run_length(pairs: &[(u32, u32)]) -> usize {
    pairs.iter().take_while(|pair| pair.0 == pairs[0].0).count()
}
