//! Facts that exclude each other, as the net proves.

use gdlr_net::net::{Net, Signal, never_together};
use gdlr_rules::gdl::Symbol;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// The most values about which the net is asked, and the most pairs of facts at once.
const MOST_VALUES: usize = 16;
const MOST_PAIRS: usize = 1 << 12;

/// The facts that exclude each other, as groups and pairs.
pub struct Groups {
    of: HashMap<Signal, Vec<u32>>,
    covering: Vec<Vec<Signal>>,
    /// Pairs that are never true together, the smaller signal first.
    apart: HashSet<[Signal; 2]>,
}

impl Groups {
    pub fn of(net: &Net) -> Groups {
        let mut of: HashMap<Signal, Vec<u32>> = HashMap::new();
        for (number, group) in net.exclusive.iter().enumerate() {
            group.iter().for_each(|&s| of.entry(s).or_default().push(number as u32));
        }
        Groups { of, covering: net.covering.clone(), apart: HashSet::new() }
    }

    /// Asks the net whether facts that differ only in one column exclude each other, if no group
    /// says so: two discs in the same cell.
    pub fn look_for_values<'f>(
        &mut self,
        net: &Net,
        relations: impl Iterator<Item = &'f Vec<Fact>>,
        meter: &Meter<'_>,
    ) -> Result<(), Exhausted> {
        let mut asked: Vec<[Signal; 2]> = Vec::new();
        for facts in relations.filter(|facts| self.value_column(facts).is_none()) {
            meter.spend(facts.len())?;
            let Some(column) = last_column_of_few(facts) else { continue };
            for group in entries(facts, &[column]).values() {
                let pairs = group.iter().enumerate().flat_map(|(at, &one)| {
                    group[..at].iter().map(move |&other| [one.min(other), one.max(other)])
                });
                asked.extend(pairs);
            }
        }
        if asked.len() <= MOST_PAIRS {
            asked.sort_unstable();
            let apart = never_together(net, &asked, meter)?;
            let proven = asked.into_iter().zip(apart).filter(|(_, apart)| *apart);
            self.apart = proven.map(|(pair, _)| pair).collect();
        }
        Ok(())
    }

    /// Whether at most one of some signals is true at a time.
    pub fn exclusive(&self, signals: &[Signal]) -> bool {
        // Two facts with the same signal are true together.
        if signals.iter().collect::<HashSet<_>>().len() < signals.len() {
            return false;
        }
        match signals {
            [_] => true,
            [one, other] if *one == !*other => true,
            [first, rest @ ..] => {
                let has = |group: &&u32| {
                    rest.iter().all(|s| self.of.get(s).is_some_and(|of| of.contains(group)))
                };
                self.of.get(first).is_some_and(|groups| groups.iter().any(|g| has(&g)))
                    || self.are_apart(signals)
            }
            [] => true,
        }
    }

    /// Whether each two of some signals are proven to exclude each other.
    fn are_apart(&self, signals: &[Signal]) -> bool {
        signals.iter().enumerate().all(|(at, &one)| {
            let mut others = signals[..at].iter();
            others.all(|&o| one == !o || self.apart.contains(&[one.min(o), one.max(o)]))
        })
    }

    /// The column that is the value of facts, if there is one. With it come the number of entries,
    /// and whether each entry always has a value.
    pub fn value_column(&self, facts: &[Fact]) -> Option<(usize, usize, bool)> {
        let width = facts[0].0.len();
        let members: Vec<HashSet<Symbol>> =
            (0..width).map(|c| facts.iter().map(|(row, _)| row[c]).collect()).collect();
        let mut best: Option<(usize, usize, bool)> = None;
        for column in (0..width).rev().filter(|&column| members[column].len() > 1) {
            let by = entries(facts, &[column]);
            if by.len() < facts.len() && by.values().all(|group| self.exclusive(group)) {
                let keys = (0..width).filter(|&c| c != column);
                let all = keys.fold(1, |all: usize, c| all.saturating_mul(members[c].len()));
                let covered = by.len() == all && by.values().all(|group| self.covered(group));
                if best.is_none_or(|(_, count, _)| by.len() < count) {
                    best = Some((column, by.len(), covered));
                }
            }
        }
        best
    }

    /// Whether facts that differ only in these columns exclude each other.
    pub fn excludes(&self, facts: &[Fact], columns: &[usize]) -> bool {
        entries(facts, columns).values().all(|group| self.exclusive(group))
    }

    fn covered(&self, signals: &[Signal]) -> bool {
        let set: HashSet<Signal> = signals.iter().copied().collect();
        set.contains(&Signal::TRUE)
            || signals.iter().any(|&s| set.contains(&!s))
            || self.covering.iter().any(|group| group.iter().all(|s| set.contains(s)))
    }
}

/// The row of a fact, and the signal that tells whether it holds.
pub type Fact = (Vec<Symbol>, Signal);

/// By all other columns: the signals of facts that differ only in some columns.
fn entries(facts: &[Fact], columns: &[usize]) -> HashMap<Vec<Symbol>, Vec<Signal>> {
    let mut by: HashMap<Vec<Symbol>, Vec<Signal>> = HashMap::new();
    for (row, signal) in facts {
        let key = row.iter().enumerate().filter(|(c, _)| !columns.contains(c));
        by.entry(key.map(|(_, symbol)| *symbol).collect()).or_default().push(*signal);
    }
    by
}

/// The last column with several symbols, if they are few.
fn last_column_of_few(facts: &[Fact]) -> Option<usize> {
    let width = facts.first()?.0.len();
    let count =
        |column: usize| facts.iter().map(|(row, _)| row[column]).collect::<HashSet<_>>().len();
    let column = (0..width).rev().find(|&column| count(column) > 1)?;
    (count(column) <= MOST_VALUES).then_some(column)
}
