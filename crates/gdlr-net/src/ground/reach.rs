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
//! A round of the fixpoint looks only at the steps that read something new. Through a long
//! chain of relations the facts move by one link a round: were every round to go over all
//! rules, that would take time in the square of them. So each index, and each result of a
//! step, is a datafrog variable in an iteration of its own.
//!
//! datafrog's own `from_join` makes one tuple of every match, and cannot stop before the
//! last. Here most matches fail a test or repeat a row, and a join may be too large to
//! finish; so [`matches`] walks datafrog's sorted batches itself, and hands back what is new.

use super::order::Plan;
use super::program::{Atom, Program, RelationIndex, Rule, Test, symbol, variable};
use super::rows::{Keys, Rows};
use super::sizes::Sizes;
use datafrog::{Iteration, Relation};
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::FlatTerm;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashMap;

/// How much memory a pair takes, about: batches are merged, and lists have room to grow.
const PAIR: usize = 12;

/// A datafrog variable: interned key and interned row.
type Pairs = datafrog::Variable<(u32, u32)>;

/// The reachable facts, by relation. Sizes become exact.
pub(super) fn reach(
    program: &Program,
    sizes: &mut Sizes,
    meter: &Meter<'_>,
) -> Result<Vec<Rows>, Exhausted> {
    let mut reached = ReachedFacts::new(program);
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
            Fixpoint::new(program, sizes, &rules, &mut reached, meter)?.run(meter)?;
            for &relation in component {
                let width = program.widths[relation.index()];
                sizes.know(relation, &reached.facts[relation.index()], width, meter)?;
            }
        }
    }
    Fixpoint::new(program, sizes, &dynamic, &mut reached, meter)?.run(meter)?;
    for (relation, rows) in reached.facts.iter().enumerate().filter(|&(r, _)| program.dynamic[r]) {
        sizes.know(RelationIndex(relation as u32), rows, program.widths[relation], meter)?;
    }
    Ok(reached.facts)
}

/// The facts that were reached so far.
struct ReachedFacts {
    /// By relation.
    facts: Vec<Rows>,
    keys: Keys,
    count: usize,
    bytes: usize,
}

impl ReachedFacts {
    fn new(program: &Program) -> ReachedFacts {
        let facts = program.widths.iter().map(|&width| Rows::new(width)).collect();
        ReachedFacts { facts, keys: Keys::default(), count: 0, bytes: 0 }
    }

    /// The number of a fact among those of its relation, and whether it is new.
    fn insert(&mut self, relation: RelationIndex, row: &[Symbol]) -> (u32, bool) {
        let rows = &mut self.facts[relation.index()];
        let before = rows.bytes();
        let (number, new) = rows.insert(row);
        self.bytes = self.bytes + rows.bytes() - before;
        self.count += usize::from(new);
        (number, new)
    }
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

/// The inputs of the conditions on a relation. Rules about many constants have as many conditions, few of which admit a row.
#[derive(Default)]
struct Indexes {
    /// Those of conditions without a constant.
    of_any: Vec<usize>,
    /// Those of others, by the first constant and its column.
    of_constant: HashMap<(usize, Symbol), Vec<usize>>,
    /// The columns of first constants.
    columns: Vec<usize>,
}

impl Indexes {
    fn add(&mut self, pattern: &Pattern, input: usize) {
        let Some(&(column, symbol)) = pattern.constants.first() else {
            return self.of_any.push(input);
        };
        if !self.columns.contains(&column) {
            self.columns.push(column);
        }
        self.of_constant.entry((column, symbol)).or_default().push(input);
    }

    /// Adds the inputs that may admit a row.
    fn admitting(&self, row: &[Symbol], into: &mut Vec<usize>) {
        into.extend(&self.of_any);
        for &column in &self.columns {
            into.extend(self.of_constant.get(&(column, row[column])).into_iter().flatten());
        }
    }
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

/// The rows that steps read.
struct Input {
    rows: InputRows,
    /// Holds nothing but `pairs`.
    iteration: Iteration,
    pairs: Pairs,
    /// The rows that come into `pairs` with the next round.
    pending: Vec<(u32, u32)>,
    /// The steps that read it.
    readers: Vec<usize>,
    /// Whether it is among [`Fixpoint::open`].
    open: bool,
}

enum InputRows {
    /// Facts that a condition admits.
    Facts(Pattern),
    /// The result of a step's join.
    Joined(Rows),
}

/// A join, or the first look at a condition when `right` is missing.
struct Step<'p> {
    left: usize,
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
    reached: &'f mut ReachedFacts,
    inputs: Vec<Input>,
    index_of: HashMap<Pattern, usize>,
    /// By relation: the inputs that hold its facts.
    indexes_on: HashMap<RelationIndex, Indexes>,
    /// Those that may admit the fact at hand.
    admitting: Vec<usize>,
    /// The inputs in which something was new in this round or will be in the next.
    open: Vec<usize>,
    steps: Vec<Step<'p>>,
    /// How much memory steps and joined rows take.
    bytes: usize,
    values: Vec<Symbol>,
    row: Vec<Symbol>,
}

impl<'p, 'f> Fixpoint<'p, 'f> {
    fn new(
        program: &'p Program,
        sizes: &Sizes,
        rules: &[&'p Rule],
        reached: &'f mut ReachedFacts,
        meter: &Meter<'_>,
    ) -> Result<Self, Exhausted> {
        let most = rules.iter().map(|rule| rule.variables).max().unwrap_or(0);
        let mut fixpoint = Fixpoint {
            program,
            reached,
            inputs: Vec::new(),
            index_of: HashMap::new(),
            indexes_on: HashMap::new(),
            admitting: Vec::new(),
            open: Vec::new(),
            steps: Vec::new(),
            bytes: 0,
            values: vec![Symbol::from_index(0); most],
            row: Vec::new(),
        };
        let (constant, others): (Vec<&Rule>, Vec<&Rule>) =
            rules.iter().partition(|rule| rule.positive.is_empty());
        for rule in others {
            fixpoint.plan(rule, sizes, meter)?;
        }
        fixpoint.fill(meter)?;
        for rule in constant {
            meter.spend(1)?;
            let tests: Vec<&Test> = rule.tests.iter().collect();
            let negative: Vec<&Atom> = program.decided(rule).collect();
            if fixpoint.holds(&tests, &negative) {
                fixpoint.derive(&rule.head);
            }
        }
        Ok(fixpoint)
    }

    /// Makes the steps of a rule.
    fn plan(&mut self, rule: &'p Rule, sizes: &Sizes, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let mut plan = Plan::new(rule, self.program.decided(rule), sizes, meter)?;
        let last_read = plan.last_read(rule);
        let mut columns = columns(plan.atoms[0]);
        let key = plan.atoms.get(1).map_or(Vec::new(), |next| shared(&columns, next));
        let mut left = self.index(Pattern::of(plan.atoms[0], &key));
        let mut live: Vec<Variable> = columns.iter().map(|&(_, v)| v).collect();
        // Each step joins one condition; that of a rule of one condition joins nothing.
        let count = plan.atoms.len();
        for at in count.min(2) - 1..count {
            let right = (at > 0).then(|| {
                let atom = plan.atoms[at];
                live.extend(atom.variables());
                (self.index(Pattern::of(atom, &shared(&columns, atom))), self::columns(atom))
            });
            let (tests, negative) = plan.take_tests(if at == 1 { 0 } else { at }..=at);
            let (from, left_columns) = (left, std::mem::take(&mut columns));
            let out = match plan.atoms.get(at + 1) {
                None => Output::Head(&rule.head),
                Some(next) => {
                    live.retain(|v| last_read[usize::from(v.0)] > at);
                    live.sort_unstable();
                    live.dedup();
                    columns = live.iter().copied().enumerate().collect();
                    left = self.input(InputRows::Joined(Rows::new(live.len())));
                    Output::Joined { to: left, schema: live.clone(), key: shared(&columns, next) }
                }
            };
            self.add(Step { left: from, left_columns, right, tests, negative, out });
            self.tell(meter);
            meter.spend(live.len())?;
        }
        Ok(())
    }

    fn add(&mut self, step: Step<'p>) {
        let number = self.steps.len();
        self.inputs[step.left].readers.push(number);
        if let Some((right, _)) = step.right {
            self.inputs[right].readers.push(number);
        }
        self.bytes += size_of::<Step<'_>>() + size_of_val(&step.left_columns[..]);
        self.steps.push(step);
    }

    fn input(&mut self, rows: InputRows) -> usize {
        let mut iteration = Iteration::new();
        let pairs = iteration.variable("input");
        let (pending, readers) = (Vec::new(), Vec::new());
        self.inputs.push(Input { rows, iteration, pairs, pending, readers, open: false });
        self.inputs.len() - 1
    }

    /// The input of a condition.
    fn index(&mut self, pattern: Pattern) -> usize {
        if let Some(&index) = self.index_of.get(&pattern) {
            return index;
        }
        let index = self.input(InputRows::Facts(pattern.clone()));
        self.indexes_on.entry(pattern.relation).or_default().add(&pattern, index);
        self.index_of.insert(pattern, index);
        index
    }

    /// Puts the facts that are there already into the inputs.
    fn fill(&mut self, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let mut relations: Vec<RelationIndex> = self.indexes_on.keys().copied().collect();
        relations.sort_unstable();
        for relation in relations {
            for number in 0..self.reached.facts[relation.index()].len() as u32 {
                let inputs = self.enter_all(relation, number);
                meter.spend(1 + inputs)?;
            }
        }
        meter.check()
    }

    /// Puts a fact into the inputs of all conditions that it fits. How many may admit it.
    fn enter_all(&mut self, relation: RelationIndex, number: u32) -> usize {
        let Some(indexes) = self.indexes_on.get(&relation) else { return 0 };
        let mut admitting = std::mem::take(&mut self.admitting);
        admitting.clear();
        indexes.admitting(self.reached.facts[relation.index()].row(number), &mut admitting);
        admitting.iter().for_each(|&input| self.enter(input, number));
        self.admitting = admitting;
        self.admitting.len()
    }

    /// Puts a fact into the input of a condition, if it fits.
    fn enter(&mut self, input: usize, number: u32) {
        let InputRows::Facts(pattern) = &self.inputs[input].rows else { return };
        let row = self.reached.facts[pattern.relation.index()].row(number);
        if pattern.admits(row) {
            self.row.clear();
            self.row.extend(pattern.key.iter().map(|&column| row[column]));
            let key = self.reached.keys.key(&self.row);
            self.push(input, (key, number));
        }
    }

    /// Puts a pair into an input.
    fn push(&mut self, input: usize, pair: (u32, u32)) {
        let Input { pending, open, .. } = &mut self.inputs[input];
        pending.push(pair);
        self.bytes += PAIR;
        if !std::mem::replace(open, true) {
            self.open.push(input);
        }
    }

    fn holds(&self, tests: &[&Test], negative: &[&Atom]) -> bool {
        let value = |v: Variable| self.values[usize::from(v.0)];
        tests.iter().all(|test| test.holds(value))
            && negative.iter().all(|atom| {
                let row: Vec<Symbol> = atom.args.iter().map(|&arg| symbol(arg, value)).collect();
                self.reached.facts[atom.relation.index()].get(&row).is_none()
            })
    }

    fn derive(&mut self, head: &Atom) {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend(head.args.iter().map(|&arg| symbol(arg, |v| self.values[usize::from(v.0)])));
        let (number, new) = self.reached.insert(head.relation, &row);
        self.row = row;
        if new {
            self.enter_all(head.relation, number);
        }
    }

    /// Tells the meter how much was reached.
    fn tell(&self, meter: &Meter<'_>) {
        meter.set_facts(self.reached.count);
        meter.hold(Memory::Facts, self.reached.bytes);
        meter.hold(Memory::Scratch, self.reached.keys.bytes() + self.bytes);
    }

    fn run(mut self, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let steps = std::mem::take(&mut self.steps);
        let mut due = self.advance();
        while !due.is_empty() {
            for step in due {
                self.take(&steps[step], meter);
                meter.check()?;
            }
            due = self.advance();
        }
        self.tell(meter);
        Ok(())
    }

    /// Begins a round: hands what is new to datafrog, and gives the steps that read it.
    fn advance(&mut self) -> Vec<usize> {
        let mut due = Vec::new();
        for number in std::mem::take(&mut self.open) {
            let input = &mut self.inputs[number];
            input.pairs.insert(Relation::from_vec(std::mem::take(&mut input.pending)));
            input.open = input.iteration.changed();
            if input.open {
                self.open.push(number);
                due.extend(&input.readers);
            }
        }
        due.sort_unstable();
        due.dedup();
        due
    }

    /// One round of a step.
    fn take(&mut self, step: &Step<'p>, meter: &Meter<'_>) {
        let left = self.inputs[step.left].pairs.clone();
        match &step.right {
            None => {
                for &(_, number) in left.recent.borrow().iter() {
                    self.load(step.left, &step.left_columns, number);
                    if !self.give(step, meter) {
                        return;
                    }
                }
            }
            Some((right, right_columns)) => {
                let pairs = self.inputs[*right].pairs.clone();
                let mut loaded = None;
                matches(&left, &pairs, |a, b| {
                    if loaded != Some(a) {
                        self.load(step.left, &step.left_columns, a);
                        loaded = Some(a);
                    }
                    self.load(*right, right_columns, b);
                    self.give(step, meter)
                });
            }
        }
    }

    /// Takes the values of a row.
    fn load(&mut self, input: usize, columns: &Columns, number: u32) {
        let row = match &self.inputs[input].rows {
            InputRows::Facts(pattern) => self.reached.facts[pattern.relation.index()].row(number),
            InputRows::Joined(rows) => rows.row(number),
        };
        for &(place, v) in columns {
            self.values[usize::from(v.0)] = row[place];
        }
    }

    /// Gives the values of a match to the head or to the next step. Whether there is budget
    /// for more.
    fn give(&mut self, step: &Step<'p>, meter: &Meter<'_>) -> bool {
        if self.holds(&step.tests, &step.negative) {
            match &step.out {
                Output::Head(head) => self.derive(head),
                Output::Joined { to, schema, key } => self.join(*to, schema, key),
            }
            self.tell(meter);
        }
        meter.has(1)
    }

    /// Gives the values of a match to the next step.
    fn join(&mut self, to: usize, schema: &[Variable], key: &[Variable]) {
        let InputRows::Joined(rows) = &mut self.inputs[to].rows else { return };
        let values = &self.values;
        let value = |v: &Variable| values[usize::from(v.0)];
        self.row.clear();
        self.row.extend(schema.iter().map(value));
        let before = rows.bytes();
        let (number, new) = rows.insert(&self.row);
        self.bytes = self.bytes + rows.bytes() - before;
        if new {
            self.row.clear();
            self.row.extend(key.iter().map(value));
            let key = self.reached.keys.key(&self.row);
            self.push(to, (key, number));
        }
    }
}

/// The variables of some columns that an atom mentions, too.
fn shared(columns: &Columns, atom: &Atom) -> Vec<Variable> {
    let here = columns.iter().map(|&(_, v)| v);
    here.filter(|&v| atom.variables().any(|w| w == v)).collect()
}

/// Calls `visit` with the rows of every match that was not there in the last round, until
/// it says that this is enough.
fn matches(left: &Pairs, right: &Pairs, mut visit: impl FnMut(u32, u32) -> bool) {
    let (left_new, right_new) = (left.recent.borrow(), right.recent.borrow());
    let (left_old, right_old) = (left.stable.borrow(), right.stable.borrow());
    let mut open = true;
    for old in right_old.iter() {
        open = open && merge(&left_new, old, &mut visit);
    }
    for old in left_old.iter() {
        open = open && merge(old, &right_new, &mut visit);
    }
    if open {
        merge(&left_new, &right_new, &mut visit);
    }
}

/// Calls `visit` with the rows of equal keys; whether it wanted all of them.
fn merge(
    mut left: &[(u32, u32)],
    mut right: &[(u32, u32)],
    visit: &mut impl FnMut(u32, u32) -> bool,
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
                    if !visit(l, r) {
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
