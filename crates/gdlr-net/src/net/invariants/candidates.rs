//! Candidate invariants: properties that all states of a sample have.

use super::sample::Samples;
use crate::net::gates::{Net, Operation, Signal};
use gdlr_rules::gdl::{Symbol, Term};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashMap;

/// Fluents with more arguments are grouped by one of them, or by all.
const ARGUMENTS: usize = 5;

/// Properties that may hold in every reachable state.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// By latch: the value that it always has.
    pub constant: Vec<Option<bool>>,
    /// By latch: an earlier latch that it always equals, or the complement of one.
    pub equal: Vec<Option<Signal>>,
    /// Groups that are proven, then such that may be.
    pub groups: Vec<Group>,
    /// How many of these the net knows already.
    pub proven: usize,
    /// Groups that are hardly credible.
    pub doubtful: Vec<Group>,
}

/// Signals of latches of which at most one is true, or at least one.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Whether it is at least one.
    pub covering: bool,
    pub members: Vec<Signal>,
    /// A number that groups have in common whose fluents have the same name, and differ in
    /// the same arguments.
    pub family: usize,
}

impl Candidates {
    /// Looks for what holds in all states of a sample.
    pub fn of(net: &Net, samples: &Samples, meter: &Meter<'_>) -> Result<Candidates, Exhausted> {
        let mut candidates = Candidates {
            constant: vec![None; net.latches.len()],
            equal: vec![None; net.latches.len()],
            groups: (net.exclusive.iter().map(|members| (members, false)))
                .chain(net.covering.iter().map(|members| (members, true)))
                .map(|(members, covering)| Group { covering, members: members.clone(), family: 0 })
                .collect(),
            proven: net.exclusive.len() + net.covering.len(),
            doubtful: Vec::new(),
        };
        groups(net, samples, meter, &mut candidates)?;
        meter.hold(Memory::Scratch, 2 * samples.bytes());
        // By values, complemented so that the first is false.
        let mut first_with: HashMap<Vec<u64>, Signal> = HashMap::new();
        for (place, latch) in net.latches.iter().enumerate() {
            meter.spend(samples.steps())?;
            let bits = samples.of_latch(place);
            let negate = bits[0] & 1 == 1;
            let mask = 0u64.wrapping_sub(u64::from(negate));
            let key: Vec<u64> = bits.iter().map(|word| word ^ mask).collect();
            if key.iter().all(|&word| word == 0) {
                candidates.constant[place] = Some(negate);
                continue;
            }
            let signal = Signal::of(latch.gate).negated_if(negate);
            let first = *first_with.entry(key).or_insert(signal);
            if first != signal {
                candidates.equal[place] = Some(first.negated_if(negate));
            }
        }
        Ok(candidates)
    }
}

/// How much work it is to find the group of a fluent.
const WORK_OF_KEY: usize = 32;

/// How much memory a fluent takes in a group that is looked for, about.
const PLACE: usize = 64;

/// A name, its arity, and a set of arguments: fluents of that name that differ in those
/// arguments only are a group.
type Family = (Symbol, usize, u32);

/// Groups of fluents that differ in some of their arguments only, and of which no two are
/// true in any state of the sample. None is part of another, or of what the net knows. Those
/// of families in which all groups are like that are credible; of others, most are so by
/// chance. The small ones come first, since their proofs are short.
fn groups(
    net: &Net,
    samples: &Samples,
    meter: &Meter<'_>,
    candidates: &mut Candidates,
) -> Result<(), Exhausted> {
    let mut members: HashMap<(Family, Vec<&Term>), Vec<Signal>> = HashMap::new();
    let mut places = 0;
    for fluent in &net.fluents {
        let Term::Function(name, args) = &*fluent.fact else { continue };
        if !matches!(net.operation(fluent.signal.gate()), Operation::Latch(_)) {
            continue;
        }
        for mask in masks(args.len()) {
            places += 1;
            meter.hold(Memory::Scratch, samples.bytes() + PLACE * places);
            meter.spend(WORK_OF_KEY)?;
            let fixed = args.iter().enumerate().filter(|(at, _)| !varies(mask, *at));
            let key = ((*name, args.len(), mask), fixed.map(|(_, arg)| arg).collect());
            members.entry(key).or_default().push(fluent.signal);
        }
    }
    let mut groups: Vec<(Family, Vec<Signal>)> = (members.into_iter())
        .filter(|(_, group)| group.len() > 1)
        .map(|((family, _), group)| (family, group))
        .collect();
    groups.sort_unstable_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    // By latch: the groups that it is in already.
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); net.latches.len()];
    let place = |signal: Signal| signal.gate().index() - 1;
    for (number, group) in net.exclusive.iter().enumerate() {
        group.iter().for_each(|&signal| inside[place(signal)].push(number));
    }
    // By family: its number, how many groups there are, and how many of them pass.
    let mut families: HashMap<Family, (usize, usize, usize)> = HashMap::new();
    let mut passing: Vec<(Family, Group)> = Vec::new();
    for (family, members) in groups {
        meter.spend(members.len() * (1 + samples.steps() / 8))?;
        let within = |all: &usize| members.iter().all(|&s| inside[place(s)].contains(all));
        if inside[place(members[0])].iter().any(within) {
            continue;
        }
        let number = families.len() + 1;
        let (number, all, pass) = families.entry(family).or_insert((number, 0, 0));
        *all += 1;
        if never_two(&members, samples) {
            *pass += 1;
            let group = net.exclusive.len() + passing.len();
            members.iter().for_each(|&signal| inside[place(signal)].push(group));
            passing.push((family, Group { covering: false, members, family: *number }));
        }
    }
    let credible = |family: &Family| {
        let (_, all, pass) = families[family];
        pass == all
    };
    for (family, group) in passing.into_iter().rev() {
        let list = match credible(&family) {
            true => &mut candidates.groups,
            false => &mut candidates.doubtful,
        };
        list.push(group);
    }
    Ok(())
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

/// Whether no two of a group are true in any state of the sample.
pub(super) fn never_two(group: &[Signal], samples: &Samples) -> bool {
    count(group, samples).all(|(_, twice)| twice == 0)
}

/// Whether one of a group at least is true in every state of the sample.
pub(super) fn always_one(group: &[Signal], samples: &Samples) -> bool {
    count(group, samples).all(|(once, _)| once == !0)
}

/// By step: in which games one of a group is true, and in which several are.
fn count(group: &[Signal], samples: &Samples) -> impl Iterator<Item = (u64, u64)> {
    let bits: Vec<(&[u64], u64)> = (group.iter())
        .map(|signal| {
            let mask = 0u64.wrapping_sub(u64::from(signal.is_negated()));
            (samples.of_latch(signal.gate().index() - 1), mask)
        })
        .collect();
    (0..bits[0].0.len()).map(move |step| {
        bits.iter().fold((0, 0), |(once, twice), (bits, mask)| {
            let value = bits[step] ^ mask;
            (once | value, twice | once & value)
        })
    })
}
