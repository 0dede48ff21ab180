//! Facts that are never true together, as the net has proven.

use super::answers::{Answer, Clause};
use super::exclusive::Groups;
use gdlr_net::net::{Net, Signal, never_all, never_together};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// The most pairs of facts about which the net is asked at once.
const MOST_PAIRS: usize = 1 << 12;

/// The most facts of an answer that are combined with a fact of another answer.
const MOST_FACTS: usize = 6;

/// The answers of the net so far.
#[derive(Debug, Default)]
pub struct Proofs {
    /// By pair of facts, the smaller signal first: whether no state has both.
    apart: HashMap<[Signal; 2], bool>,
    /// By list of signals: whether they are never all true.
    never: HashMap<Vec<Signal>, bool>,
}

impl Proofs {
    /// Whether the two lists of clauses of each pair exclude each other: the facts of a clause of one
    /// list are never true together with the facts of a clause of the other.
    pub fn are_apart(
        &mut self,
        asked: &[[&[Clause]; 2]],
        net: &Net,
        meter: &Meter<'_>,
    ) -> Result<bool, Exhausted> {
        Ok(self.which_are_apart(asked, net, meter)?.is_some_and(|apart| !apart.contains(&false)))
    }

    /// For each pair, whether its two lists exclude each other. `None` if there are too many facts.
    fn which_are_apart(
        &mut self,
        asked: &[[&[Clause]; 2]],
        net: &Net,
        meter: &Meter<'_>,
    ) -> Result<Option<Vec<bool>>, Exhausted> {
        let groups = Groups::of(net);
        let mut new: HashSet<[Signal; 2]> = HashSet::new();
        for [ones, others] in asked {
            for (one, other) in ones.iter().flat_map(|one| others.iter().map(move |o| (one, o))) {
                for pair in
                    one.iter().flat_map(|&a| other.iter().map(move |&b| [a.min(b), a.max(b)]))
                {
                    meter.spend(1)?;
                    if self.apart.contains_key(&pair) {
                        continue;
                    }
                    let excludes = match pair[0].gate() == pair[1].gate() {
                        true => Some(pair[0] != pair[1]),
                        false => groups.exclusive(&pair).then_some(true),
                    };
                    match excludes {
                        Some(excludes) => drop(self.apart.insert(pair, excludes)),
                        None => drop(new.insert(pair)),
                    }
                }
            }
            if new.len() > MOST_PAIRS {
                return Ok(None);
            }
        }
        let mut new: Vec<[Signal; 2]> = new.into_iter().collect();
        new.sort_unstable();
        let proven = never_together(net, &new, meter)?;
        self.apart.extend(new.into_iter().zip(proven));
        let apart = &self.apart;
        let never = |one: &Clause, other: &Clause| {
            one.iter().all(|&a| other.iter().all(|&b| apart[&[a.min(b), a.max(b)]]))
        };
        let is_apart = |[ones, others]: &[&[Clause]; 2]| {
            ones.iter().any(|one| others.iter().any(|other| never(one, other)))
        };
        Ok(Some(asked.iter().map(is_apart).collect()))
    }

    /// Whether the two answers of each pair exclude each other. Negative conditions count, too: an
    /// answer that says that a cell is empty excludes an answer with a piece above the cell.
    pub fn exclude_each_other(
        &mut self,
        asked: &[[&Answer; 2]],
        net: &Net,
        meter: &Meter<'_>,
    ) -> Result<bool, Exhausted> {
        let clauses: Vec<[&[Clause]; 2]> =
            asked.iter().map(|pair| pair.map(|answer| &answer.clauses[..])).collect();
        let Some(apart) = self.which_are_apart(&clauses, net, meter)? else { return Ok(false) };
        let open = asked.iter().zip(&apart).filter(|(_, apart)| !**apart);
        // By pair: the possible proofs, each as lists of signals that must never be all true.
        let mut ways: Vec<Vec<Vec<Vec<Signal>>>> = Vec::new();
        let mut lists: HashSet<Vec<Signal>> = HashSet::new();
        for ([one, other], _) in open {
            let own = [ways_apart(one, other), ways_apart(other, one)].concat();
            meter.spend(own.len() + 1)?;
            lists.extend(own.iter().flatten().cloned());
            if own.is_empty() || lists.len() > MOST_PAIRS {
                return Ok(false);
            }
            ways.push(own);
        }
        let proven_before = &self.never;
        let mut new: Vec<Vec<Signal>> =
            lists.into_iter().filter(|list| !proven_before.contains_key(list)).collect();
        new.sort_unstable();
        let proven = never_all(net, &new, meter)?;
        self.never.extend(new.into_iter().zip(proven));
        let never = &self.never;
        let is_shown = |way: &Vec<Vec<Signal>>| way.iter().all(|list| never[list]);
        Ok(ways.iter().all(|ways| ways.iter().any(is_shown)))
    }
}

/// The possible proofs that the certain facts of one answer exclude a clause of the other. Each
/// proof has a list of signals for each fact of the clause.
fn ways_apart(one: &Answer, other: &Answer) -> Vec<Vec<Vec<Signal>>> {
    let mut sure: Vec<Signal> =
        one.all.iter().filter(|clause| clause.len() == 1).flatten().copied().collect();
    sure.sort_unstable();
    sure.dedup();
    if sure.is_empty() || sure.len() > MOST_FACTS {
        return Vec::new();
    }
    let with = |&signal: &Signal| {
        let mut list = sure.clone();
        list.push(signal);
        list.sort_unstable();
        list.dedup();
        list
    };
    other.all.iter().map(|clause| clause.iter().map(with).collect()).collect()
}
