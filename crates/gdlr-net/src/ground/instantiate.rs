//! The ground rules: every way in which the conditions of a rule can be met by reachable
//! facts.
//!
//! Sizes are known by now, so that the order of a join is chosen by exact counts. The join
//! is a nested loop over hash indexes; a condition whose columns are all known is one look.

use super::order::Plan;
use super::program::{Atom, Program, RelationIndex, Rule, Test, variable};
use super::rows::{Keys, Rows};
use super::sizes::Sizes;
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::FlatTerm;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashMap;
use std::rc::Rc;

/// Ground rules: a head and literals, each twice the number of a fact, odd if negated.
#[derive(Clone, Debug, Default)]
pub(super) struct Instances {
    pub heads: Vec<u32>,
    pub ends: Vec<u32>,
    pub literals: Vec<u32>,
}

impl Instances {
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    pub fn body(&self, rule: usize) -> &[u32] {
        let start = if rule == 0 { 0 } else { self.ends[rule - 1] };
        &self.literals[start as usize..self.ends[rule] as usize]
    }

    pub fn push(&mut self, head: u32, body: impl IntoIterator<Item = u32>) {
        self.heads.push(head);
        self.literals.extend(body);
        self.ends.push(self.literals.len() as u32);
    }

    /// How much memory they take.
    pub fn bytes(&self) -> usize {
        4 * (self.heads.len() + self.ends.len() + self.literals.len())
    }
}

/// The rows of a relation by the values of some columns.
struct Index {
    ranges: HashMap<u32, (u32, u32)>,
    rows: Vec<u32>,
}

impl Index {
    fn new(
        rows: &Rows,
        columns: &[usize],
        keys: &mut Keys,
        meter: &Meter<'_>,
    ) -> Result<Index, Exhausted> {
        let mut key = Vec::new();
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(rows.len());
        for (number, row) in rows.iter().enumerate() {
            meter.spend(1)?;
            key.clear();
            key.extend(columns.iter().map(|&column| row[column]));
            pairs.push((keys.key(&key), number as u32));
        }
        pairs.sort_unstable();
        meter.check()?;
        let mut ranges = HashMap::new();
        let mut start = 0;
        for run in pairs.chunk_by(|a, b| a.0 == b.0) {
            ranges.insert(run[0].0, (start, start + run.len() as u32));
            start += run.len() as u32;
        }
        Ok(Index { ranges, rows: pairs.iter().map(|&(_, number)| number).collect() })
    }

    fn bytes(&self) -> usize {
        self.ranges.capacity() * size_of::<(u32, (u32, u32))>() + size_of_val(&self.rows[..])
    }
}

/// A condition in a join.
struct Level<'p> {
    atom: &'p Atom,
    index: Rc<Index>,
    /// The columns of the key.
    key: Vec<FlatTerm>,
    /// Columns whose variables are bound here.
    binds: Vec<(usize, Variable)>,
    /// Columns that repeat a variable which is bound here.
    repeats: Vec<(usize, Variable)>,
    /// Tests that can be made once the condition holds.
    tests: Vec<&'p Test>,
    /// Negative conditions on static relations, likewise.
    absent: Vec<&'p Atom>,
}

/// Makes all ground rules. `first` gives by relation the number of its first fact.
pub(super) fn instantiate(
    program: &Program,
    sizes: &Sizes,
    facts: &[Rows],
    first: &[u32],
    meter: &Meter<'_>,
) -> Result<Instances, Exhausted> {
    let mut maker = Maker {
        program,
        facts,
        first,
        sizes,
        keys: Keys::default(),
        indexes: HashMap::new(),
        index_bytes: 0,
        out: Instances::default(),
    };
    for rule in &program.rules {
        if !rule.link && program.dynamic[rule.head.relation.index()] {
            maker.rule(rule, meter)?;
            maker.tell(meter);
            meter.check()?;
        }
    }
    Ok(maker.out)
}

struct Maker<'p> {
    program: &'p Program,
    facts: &'p [Rows],
    first: &'p [u32],
    sizes: &'p Sizes,
    keys: Keys,
    indexes: HashMap<(RelationIndex, Vec<usize>), Rc<Index>>,
    index_bytes: usize,
    out: Instances,
}

impl<'p> Maker<'p> {
    /// Tells the meter what was made.
    fn tell(&self, meter: &Meter<'_>) {
        meter.set_rules(self.out.len());
        meter.hold(Memory::Rules, self.out.bytes());
        meter.hold(Memory::Scratch, self.keys.bytes() + self.index_bytes);
    }

    fn levels(&mut self, rule: &'p Rule, meter: &Meter<'_>) -> Result<Vec<Level<'p>>, Exhausted> {
        let plan = Plan::new(rule, self.program.decided(rule), self.sizes, meter)?;
        let mut bound = vec![false; rule.variables];
        let mut levels = Vec::new();
        for ((atom, tests), absent) in plan.atoms.into_iter().zip(plan.tests).zip(plan.negative) {
            let (mut key, mut columns) = (Vec::new(), Vec::new());
            let (mut binds, mut repeats) = (Vec::new(), Vec::new());
            for (column, &arg) in atom.args.iter().enumerate() {
                match variable(arg) {
                    Some(v) if !bound[usize::from(v.0)] => {
                        match binds.iter().any(|&(_, w)| w == v) {
                            true => repeats.push((column, v)),
                            false => binds.push((column, v)),
                        }
                    }
                    _ => {
                        key.push(arg);
                        columns.push(column);
                    }
                }
            }
            binds.iter().for_each(|&(_, v): &(usize, Variable)| bound[usize::from(v.0)] = true);
            let index = self.index(atom.relation, columns, meter)?;
            levels.push(Level { atom, index, key, binds, repeats, tests, absent });
        }
        Ok(levels)
    }

    fn index(
        &mut self,
        relation: RelationIndex,
        columns: Vec<usize>,
        meter: &Meter<'_>,
    ) -> Result<Rc<Index>, Exhausted> {
        let at = (relation, columns);
        if let Some(index) = self.indexes.get(&at) {
            return Ok(index.clone());
        }
        let rows = &self.facts[relation.index()];
        let index = Rc::new(Index::new(rows, &at.1, &mut self.keys, meter)?);
        self.index_bytes += index.bytes();
        self.tell(meter);
        self.indexes.insert(at, index.clone());
        Ok(index)
    }

    /// Makes the instances of a rule.
    fn rule(&mut self, rule: &'p Rule, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let mut values = vec![Symbol::from_index(0); rule.variables];
        if rule.positive.is_empty() {
            let absent: Vec<&Atom> = self.program.decided(rule).collect();
            if self.holds(&rule.tests.iter().collect::<Vec<_>>(), &absent, &values) {
                self.emit(rule, &values, &[], &[]);
            }
            return Ok(());
        }
        let levels = self.levels(rule, meter)?;
        // By level: the rows still to be tried, and the row at hand.
        let mut open = vec![(0u32, 0u32); levels.len()];
        let mut chosen = vec![0u32; levels.len()];
        let mut key = Vec::new();
        let mut depth = 0;
        open[0] = self.range(&levels[0], &values, &mut key);
        loop {
            let level = &levels[depth];
            if open[depth].0 == open[depth].1 {
                if depth == 0 {
                    return Ok(());
                }
                depth -= 1;
                continue;
            }
            meter.spend(1)?;
            let number = level.index.rows[open[depth].0 as usize];
            open[depth].0 += 1;
            let row = self.facts[level.atom.relation.index()].row(number);
            for &(column, v) in &level.binds {
                values[usize::from(v.0)] = row[column];
            }
            if !level.repeats.iter().all(|&(column, v)| values[usize::from(v.0)] == row[column])
                || !self.holds(&level.tests, &level.absent, &values)
            {
                continue;
            }
            chosen[depth] = number;
            if depth + 1 < levels.len() {
                depth += 1;
                open[depth] = self.range(&levels[depth], &values, &mut key);
            } else {
                self.emit(rule, &values, &levels, &chosen);
                self.tell(meter);
            }
        }
    }

    fn range(&mut self, level: &Level<'_>, values: &[Symbol], key: &mut Vec<Symbol>) -> (u32, u32) {
        key.clear();
        key.extend(level.key.iter().map(|&term| column(term, values)));
        level.index.ranges.get(&self.keys.key(key)).copied().unwrap_or((0, 0))
    }

    fn holds(&self, tests: &[&Test], absent: &[&Atom], values: &[Symbol]) -> bool {
        tests.iter().all(|test| test.holds(|v| values[usize::from(v.0)]))
            && absent.iter().all(|atom| self.number(atom, values).is_none())
    }

    /// The number of the fact that an atom becomes, if it can be reached.
    fn number(&self, atom: &Atom, values: &[Symbol]) -> Option<u32> {
        let row: Vec<Symbol> = atom.args.iter().map(|&arg| column(arg, values)).collect();
        let relation = atom.relation.index();
        self.facts[relation].get(&row).map(|number| self.first[relation] + number)
    }

    fn emit(&mut self, rule: &Rule, values: &[Symbol], levels: &[Level<'_>], chosen: &[u32]) {
        let Some(head) = self.number(&rule.head, values) else { return };
        for (level, &number) in levels.iter().zip(chosen) {
            let relation = level.atom.relation.index();
            if self.program.dynamic[relation] {
                self.out.literals.push((self.first[relation] + number) << 1);
            }
        }
        for atom in &rule.negative {
            if self.program.dynamic[atom.relation.index()]
                && let Some(number) = self.number(atom, values)
            {
                self.out.literals.push(number << 1 | 1);
            }
        }
        self.out.push(head, []);
    }
}

fn column(term: FlatTerm, values: &[Symbol]) -> Symbol {
    match term {
        FlatTerm::Constant(symbol) => symbol,
        FlatTerm::Variable(v) => values[usize::from(v.0)],
    }
}
