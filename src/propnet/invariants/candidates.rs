//! What the states of a sample have in common.

use super::sample::Samples;
use crate::gdl::{Symbol, Term};
use crate::propnet::net::{Net, Operation, Signal};
use hashbrown::HashMap;

/// Fluents with more arguments are grouped by one of them, or by all.
const ARGUMENTS: usize = 5;

/// What may hold in every reachable state.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// By latch: the value that it always has.
    pub constant: Vec<Option<bool>>,
    /// By latch: an earlier latch that it always equals, or the complement of one.
    pub equal: Vec<Option<Signal>>,
    /// Latches of which at most one is true.
    pub exclusive: Vec<Vec<Signal>>,
}

impl Candidates {
    /// Looks for what holds in all states of a sample.
    pub fn of(net: &Net, samples: &Samples) -> Candidates {
        let mut found = Candidates {
            constant: vec![None; net.latches.len()],
            equal: vec![None; net.latches.len()],
            exclusive: groups(net, samples),
        };
        // By values, complemented so that the first is false.
        let mut first_with: HashMap<Vec<u64>, Signal> = HashMap::new();
        for (place, latch) in net.latches.iter().enumerate() {
            let bits = samples.of_latch(place);
            let negate = bits[0] & 1 == 1;
            let mask = 0u64.wrapping_sub(u64::from(negate));
            let key: Vec<u64> = bits.iter().map(|word| word ^ mask).collect();
            if key.iter().all(|&word| word == 0) {
                found.constant[place] = Some(negate);
                continue;
            }
            let signal = Signal::of(latch.gate).negated_if(negate);
            let first = *first_with.entry(key).or_insert(signal);
            if first != signal {
                found.equal[place] = Some(first.negated_if(negate));
            }
        }
        found
    }
}

/// What the fluents of a group have in common: the name, and the arguments outside of a mask.
type Key<'n> = (Symbol, usize, u32, Vec<&'n Term>);

/// Groups of fluents that differ in some of their arguments only, and of which no two are
/// true in any state of the sample. The largest come first; none is part of another.
fn groups(net: &Net, samples: &Samples) -> Vec<Vec<Signal>> {
    let mut members: HashMap<Key<'_>, Vec<Signal>> = HashMap::new();
    for fluent in &net.fluents {
        let Term::Function(name, args) = &fluent.fact else { continue };
        let is_latch = matches!(net.operation(fluent.signal.gate()), Operation::Latch(_));
        if !is_latch || fluent.signal.is_negated() {
            continue;
        }
        for mask in masks(args.len()) {
            let fixed = args.iter().enumerate().filter(|(at, _)| !varies(mask, *at));
            let key = (*name, args.len(), mask, fixed.map(|(_, arg)| arg).collect());
            members.entry(key).or_default().push(fluent.signal);
        }
    }
    let mut groups: Vec<Vec<Signal>> =
        members.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    // By latch: the groups that it is in already.
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); net.latches.len()];
    let place = |signal: Signal| signal.gate().index() - 1;
    let mut found: Vec<Vec<Signal>> = Vec::new();
    for group in groups {
        let within = |all: &usize| group.iter().all(|&s| inside[place(s)].contains(all));
        if !inside[place(group[0])].iter().any(within) && never_two(&group, samples) {
            group.iter().for_each(|&signal| inside[place(signal)].push(found.len()));
            found.push(group);
        }
    }
    found
}

/// The sets of arguments in which the fluents of a group may differ.
fn masks(arguments: usize) -> Vec<u32> {
    match arguments {
        0 => Vec::new(),
        1..=ARGUMENTS => (1..1 << arguments).collect(),
        _ => (0..arguments.min(32)).map(|at| 1 << at).chain([u32::MAX]).collect(),
    }
}

fn varies(mask: u32, argument: usize) -> bool {
    argument >= 32 || mask >> argument & 1 == 1
}

fn never_two(group: &[Signal], samples: &Samples) -> bool {
    let bits: Vec<&[u64]> =
        group.iter().map(|signal| samples.of_latch(signal.gate().index() - 1)).collect();
    (0..bits[0].len()).all(|step| {
        let count = |(once, twice): (u64, u64), bits: &&[u64]| {
            (once | bits[step], twice | once & bits[step])
        };
        bits.iter().fold((0, 0), count).1 == 0
    })
}
