//! Proof by induction of all candidates, register correspondence among them.
//!
//! A candidate without a proof is dropped. Proofs that used it are tried again without it, until the candidates that are left
//! prove each other.

use super::by_moves::Needs;
use super::candidates::{Candidates, Group, always_one};
use super::implications;
use super::prove::Prover;
use super::sample::Samples;
use crate::net::gates::{Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashSet;

/// How many wires are followed for all proofs of a net that is not larger than this. In larger
/// ones each costs more time.
const WORK: u64 = 1 << 29;
const LARGE: usize = 1 << 16;

/// Likewise, for what is tried again, and for what somebody asks.
const WORK_AGAIN: u64 = 1 << 26;

/// How many wires are followed for the proof about one latch; for what involves two latches
/// at most, and for each latch of a group.
const WORK_OF_ONE: u64 = 1 << 20;
const WORK_OF_MEMBER: u64 = 1 << 20;

/// The prover goes on without a constant at once, so that a chain of them falls in one go, only
/// where the work that is left is so many times what it takes to begin again.
const SMALL: u64 = 1 << 8;

/// After so many failures, one after the other, other groups of the same doubtful family are
/// dropped.
const FAILURES: u32 = 3;

/// How much work there is for a net.
fn share(work: u64, net: &Net) -> u64 {
    work / net.len().div_ceil(LARGE) as u64
}

/// The support of a proof: latches that equal others, then groups. None if there is no proof.
type Proof = Option<Vec<u32>>;

/// The proof of all candidates.
pub(super) struct Induction<'n> {
    net: &'n Net,
    meter: &'n Meter<'n>,
    prover: Prover<'n>,
    needs: Needs<'n>,
    pub candidates: Candidates,
    /// By latch, that it is constant.
    constant: Vec<Proof>,
    /// By latch, that it equals another; then by group.
    others: Vec<Proof>,
    /// By latch that equals another, then by group: the proofs that may have used it. Proofs are numbered: those
    /// of constants by latch, and then the others.
    users: Vec<Vec<u32>>,
    /// Whether hardly credible groups are among the candidates.
    doubtful: bool,
    /// By family of groups: how many have failed one after the other.
    failures: Vec<u32>,
    /// How much more may be done.
    work: u64,
    /// The work of the last restart.
    work_of_restart: u64,
}

impl<'n> Induction<'n> {
    pub fn new(net: &'n Net, candidates: Candidates, meter: &'n Meter<'n>) -> Self {
        let latches = net.latches.len();
        let proven = latches..latches + candidates.proven;
        let mut others = vec![None; latches + candidates.groups.len()];
        others[proven].fill(Some(Vec::new()));
        Induction {
            net,
            meter,
            prover: Prover::new(net, meter),
            needs: Needs::new(net),
            constant: vec![None; latches],
            others,
            users: Vec::new(),
            doubtful: false,
            failures: Vec::new(),
            candidates,
            work: share(WORK, net),
            work_of_restart: 0,
        }
    }

    /// Looks for longer proofs, with less work in all.
    pub fn look_deeper(&mut self) {
        self.prover.look_deeper();
        self.work = share(WORK_AGAIN, self.net);
    }

    /// Adds groups that are hardly credible to the candidates.
    pub fn consider_doubtful(&mut self) {
        self.doubtful = true;
        self.candidates.groups.append(&mut self.candidates.doubtful);
        self.others.resize(self.net.latches.len() + self.candidates.groups.len(), None);
    }

    /// Looks for implications that may help where credible groups have been dropped, and for
    /// proofs of these groups with their help. Nothing that is proven already depends on them.
    pub fn try_again(&mut self, credible: Vec<Group>, samples: &Samples) -> Result<(), Exhausted> {
        let left = |at: &usize| &self.candidates.groups[*at].members;
        let dropped: Vec<usize> =
            (0..credible.len()).filter(|at| left(at).len() < credible[*at].members.len()).collect();
        let again: Vec<Group> = dropped.iter().map(|&at| credible[at].clone()).collect();
        let helpful = implications::about(&again, self.net, samples, self.meter)?;
        if helpful.is_empty() {
            return Ok(());
        }
        self.doubtful = false;
        self.work = share(WORK_AGAIN, self.net);
        self.candidates.groups.extend(helpful);
        let first = self.candidates.groups.len();
        self.candidates.groups.extend(again);
        self.others.resize(self.net.latches.len() + self.candidates.groups.len(), None);
        self.run()?;
        // The members left of a group then are among those left now, if there are not fewer.
        for (at, again) in dropped.into_iter().zip(first..) {
            let again = std::mem::take(&mut self.candidates.groups[again].members);
            let left = &mut self.candidates.groups[at].members;
            if left.iter().all(|member| again.contains(member)) {
                *left = again;
            }
        }
        Ok(())
    }

    /// Looks for groups of which one is always true. Nothing else depends on that.
    pub fn look_for_covering(&mut self, samples: &Samples) -> Result<(), Exhausted> {
        let covered: HashSet<Vec<Signal>> = (self.candidates.groups.iter())
            .filter(|group| group.covering)
            .map(|group| group.members.clone())
            .collect();
        let new = |group: &&Group| {
            // Two of which exactly one is true are complements.
            let members = &group.members;
            !group.covering && members.len() > 2 && !covered.contains(members)
        };
        let groups = self.candidates.groups.iter().filter(new);
        let covering: Vec<Group> = groups
            .filter(|group| always_one(&group.members, samples))
            .map(|group| Group { covering: true, ..group.clone() })
            .collect();
        self.doubtful = true;
        self.work = share(WORK_AGAIN, self.net);
        self.candidates.groups.extend(covering);
        self.others.resize(self.net.latches.len() + self.candidates.groups.len(), None);
        self.run()
    }

    /// Whether some signals are never all true, as follows from what is left when all of that is proven.
    pub fn never(&mut self, signals: &[Signal]) -> Result<bool, Exhausted> {
        self.meter.spend(1)?;
        let Some((&last, others)) = signals.split_last() else { return Ok(false) };
        self.work = self.work.max(WORK_OF_ONE);
        Ok(self.look(signals, WORK_OF_ONE, |prover| {
            let mark = prover.mark();
            let shown =
                others.iter().any(|&other| !prover.assume(other)) || prover.refutes(last, mark);
            prover.undo(mark);
            shown
        }))
    }

    /// Drops candidates until all that are left are proven.
    pub fn run(&mut self) -> Result<(), Exhausted> {
        let families = self.candidates.groups.iter().map(|group| group.family + 1);
        self.failures = vec![0; families.max().unwrap_or(0)];
        self.users = vec![Vec::new(); self.others.len()];
        let proofs = self.constant.iter().chain(&self.others).enumerate();
        for (number, used) in proofs.filter_map(|(number, proof)| Some((number, proof.as_ref()?))) {
            used.iter().for_each(|&candidate| self.users[candidate as usize].push(number as u32));
        }
        self.restart();
        // Both ways, since chains of constants are broken link by link.
        let mut backwards = false;
        while self.show_constants(backwards)? | self.show_others()? {
            backwards = !backwards;
        }
        Ok(())
    }

    /// Proves what is not proven about constants; whether some of them were dropped. Any proof
    /// may have used them, so then there is none any more.
    fn show_constants(&mut self, backwards: bool) -> Result<bool, Exhausted> {
        let latches = self.net.latches.len();
        let mut dropped = false;
        for place in 0..latches {
            self.meter.spend(1)?;
            let place = if backwards { latches - 1 - place } else { place };
            let Some(value) = self.candidates.constant[place] else { continue };
            if self.constant[place].is_some() {
                continue;
            }
            let changed = self.net.latches[place].next.negated_if(value);
            let look = |prover: &mut Prover<'_>| prover.refutes(changed, prover.mark());
            if !self.follows_another(place) && self.look(&[changed], WORK_OF_ONE, look) {
                self.constant[place] = Some(self.proof(place));
                continue;
            }
            self.candidates.constant[place] = None;
            dropped = true;
            if self.work > SMALL * self.work_of_restart {
                let (prover, candidates) = (&mut self.prover, &self.candidates);
                let work = prover.without_constant(place, candidates, backwards);
                self.work = self.work.saturating_sub(work);
            }
        }
        if dropped {
            let proven = latches..latches + self.candidates.proven;
            self.constant.fill(None);
            self.others[..proven.start].fill(None);
            self.others[proven.end..].fill(None);
            self.restart();
        }
        Ok(dropped)
    }

    /// Whether a latch takes the value of one that is not taken to be constant. What follows if
    /// that has some value need not be looked at then: in long chains it is much.
    fn follows_another(&self, place: usize) -> bool {
        match self.net.operation(self.net.latches[place].next.gate()) {
            Operation::Latch(other) => self.candidates.constant[other.index()].is_none(),
            _ => false,
        }
    }

    /// Proves what is not proven about latches that equal others, and groups; whether
    /// something was dropped.
    fn show_others(&mut self) -> Result<bool, Exhausted> {
        let latches = self.net.latches.len();
        let mut dropped = false;
        for at in 0..self.others.len() {
            self.meter.spend(1)?;
            if self.others[at].is_some() {
                continue;
            }
            let shown = if at < latches { self.equal(at) } else { self.group(at - latches) };
            if shown {
                self.others[at] = Some(self.proof(latches + at));
            } else {
                self.forget(at as u32);
                dropped = true;
            }
        }
        Ok(dropped)
    }

    /// The support of the last proof, which has this number.
    fn proof(&mut self, number: usize) -> Vec<u32> {
        let used = self.prover.used().to_vec();
        used.iter().for_each(|&candidate| self.users[candidate as usize].push(number as u32));
        used
    }

    /// Goes on without a candidate that has been dropped, and without the proofs that have used it. The prover
    /// begins again only if what it has concluded from constants depends on the candidate: in a net with many
    /// groups that would take longer than all proofs.
    fn forget(&mut self, dropped: u32) {
        let latches = self.constant.len();
        for number in std::mem::take(&mut self.users[dropped as usize]) {
            let proof = match (number as usize).checked_sub(latches) {
                None => &mut self.constant[number as usize],
                Some(other) => &mut self.others[other],
            };
            if proof.as_ref().is_some_and(|used| used.contains(&dropped)) {
                *proof = None;
            }
        }
        let group = (dropped as usize).checked_sub(latches);
        let changed = group.and_then(|group| {
            self.prover.change_group(group, &self.candidates.groups[group].members)
        });
        match changed {
            Some(work) => self.work = self.work.saturating_sub(work),
            None => self.restart(),
        }
    }

    /// Has the prover begin again with what is left.
    fn restart(&mut self) {
        self.work_of_restart = self.prover.restart(&self.candidates, false);
        self.work = self.work.saturating_sub(self.work_of_restart);
    }

    /// Looks for a proof about the next values of latches, with its share of the work; without
    /// work left, there is none.
    fn look(
        &mut self,
        nexts: &[Signal],
        share: u64,
        proof: impl FnOnce(&mut Prover<'n>) -> bool,
    ) -> bool {
        let share = self.work.min(share);
        if share == 0 {
            return false;
        }
        self.prover.work = share;
        self.prover.focus(nexts);
        let shown = proof(&mut self.prover);
        self.work -= share - self.prover.work;
        shown
    }

    fn next(&self, latch: Signal) -> Signal {
        let latch_of = &self.net.latches[latch.gate().index() - 1];
        latch_of.next.negated_if(latch.is_negated())
    }

    /// Shows that a latch goes on to equal another, or drops that.
    fn equal(&mut self, place: usize) -> bool {
        let Some(other) = self.candidates.equal[place] else {
            self.prover.focus(&[]);
            return true;
        };
        let (next, others) = (self.net.latches[place].next, self.next(other));
        let shown = next == others
            || self.look(&[next, others], WORK_OF_ONE, |prover| {
                [false, true].into_iter().all(|negate| {
                    let mark = prover.mark();
                    let shown = !prover.assume(next.negated_if(negate))
                        || prover.refutes((!others).negated_if(negate), mark);
                    prover.undo(mark);
                    shown
                })
            });
        if !shown {
            self.candidates.equal[place] = None;
        }
        shown
    }

    /// Shows that no two of a group become true, or takes out members of which that fails.
    fn group(&mut self, group: usize) -> bool {
        let Group { covering, members, family } = &self.candidates.groups[group];
        if members.len() < 2 {
            self.prover.focus(&[]);
            return true;
        }
        let (covering, family) = (*covering, *family);
        let nexts: Vec<Signal> = members.iter().map(|&member| self.next(member)).collect();
        let many = 2 * nexts.len();
        let mut together: Vec<(usize, usize)> = Vec::new();
        if !covering && let Some(by) = self.prover.apart_by(&nexts) {
            self.prover.focus(&[]);
            self.prover.uses(self.net.latches.len() + by);
            return true;
        }
        if !covering && let Some(by) = self.prover.apart_by_moves(&nexts, &mut self.needs) {
            self.prover.focus(&[]);
            by.into_iter().for_each(|by| self.prover.uses(self.net.latches.len() + by));
            return true;
        }
        let hopeless = self.doubtful && self.failures[family] >= FAILURES;
        if covering {
            let shown = !hopeless && self.look(&nexts, WORK_OF_ONE, |prover| cover(prover, &nexts));
            if !shown {
                self.candidates.groups[group].members.clear();
            }
            self.failures[family] = if shown { 0 } else { self.failures[family] + 1 };
            return shown;
        }
        let shown = !hopeless
            && self.look(&nexts, WORK_OF_MEMBER * nexts.len() as u64, |prover| {
                for (one, &next) in nexts.iter().enumerate() {
                    let mark = prover.mark();
                    if together.len() <= many && prover.assume(next) {
                        let others: Vec<usize> = (one + 1..nexts.len()).collect();
                        apart(prover, &nexts, others, mark, 1, &mut |other| {
                            together.push((one, other));
                        });
                    }
                    prover.undo(mark);
                }
                together.is_empty()
            });
        let members = &mut self.candidates.groups[group].members;
        if !shown && together.is_empty() || together.len() > many {
            members.clear();
        }
        // Of each two that fail together, the one that fails more often.
        let mut count = vec![0; nexts.len()];
        together.iter().flat_map(|&(a, b)| [a, b]).for_each(|at| count[at] += 1);
        let worse = |&(a, b): &(usize, usize)| if count[a] > count[b] { a } else { b };
        let mut left = vec![true; nexts.len()];
        together.iter().map(worse).for_each(|at| left[at] = false);
        let mut left = left.iter();
        members.retain(|_| left.next() == Some(&true));
        self.failures[family] = if shown { 0 } else { self.failures[family] + 1 };
        shown
    }
}

/// Shows that one of some signals is true.
fn cover(prover: &mut Prover<'_>, signals: &[Signal]) -> bool {
    let mark = prover.mark();
    let Some((&last, others)) = signals.split_last() else { return false };
    let shown = others.iter().any(|&other| !prover.assume(!other)) || prover.refutes(!last, mark);
    prover.undo(mark);
    shown
}

/// Shows that signals are false whenever what has been assumed since `mark` is true; calls
/// `fails` for those of which that fails. Cases are distinguished for all of them together
/// first.
fn apart(
    prover: &mut Prover<'_>,
    signals: &[Signal],
    mut which: Vec<usize>,
    mark: usize,
    levels: u32,
    fails: &mut dyn FnMut(usize),
) {
    which.retain(|&at| prover.value(signals[at]) != Some(false));
    if which.is_empty() {
        return;
    }
    let cases = if levels > 0 { prover.cases(mark) } else { None };
    let Some(cases) = cases else {
        which.into_iter().filter(|&at| !prover.refutes(signals[at], mark)).for_each(fails);
        return;
    };
    let mut failed: Vec<usize> = Vec::new();
    for case in cases {
        let here = prover.mark();
        if prover.assume(case) {
            let left = which.iter().copied().filter(|at| !failed.contains(at)).collect();
            apart(prover, signals, left, mark, levels - 1, &mut |at| failed.push(at));
        }
        prover.undo(here);
    }
    failed.into_iter().for_each(fails);
}
