//! Facts that are never true together, as the net has been asked.

use super::answers::Clause;
use super::exclusive::Groups;
use gdlr_net::net::{Net, Signal, never_together};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// How many pairs of facts the net is asked about at once.
const MOST_PAIRS: usize = 1 << 12;

/// What the net has been asked.
#[derive(Debug, Default)]
pub struct Proofs {
    /// By pair of facts, the smaller signal first: whether no state has both.
    apart: HashMap<[Signal; 2], bool>,
}

impl Proofs {
    /// Whether for each two lists of clauses no state has all of both: the facts of a clause of the one
    /// are never true together with those of a clause of the other.
    pub fn are_apart(
        &mut self,
        asked: &[[&[Clause]; 2]],
        net: &Net,
        meter: &Meter<'_>,
    ) -> Result<bool, Exhausted> {
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
                    let known = match pair[0].gate() == pair[1].gate() {
                        true => Some(pair[0] != pair[1]),
                        false => groups.exclusive(&pair).then_some(true),
                    };
                    match known {
                        Some(known) => drop(self.apart.insert(pair, known)),
                        None => drop(new.insert(pair)),
                    }
                }
            }
            if new.len() > MOST_PAIRS {
                return Ok(false);
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
        Ok(asked.iter().all(|[ones, others]| {
            ones.iter().any(|one| others.iter().any(|other| never(one, other)))
        }))
    }
}
