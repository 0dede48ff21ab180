//! Unit propagation: the values that follow from assumptions about one state and one joint move.
//!
//! Signals are assumed, and values follow through the gates in both directions until there is
//! a contradiction or nothing more follows (unit propagation). Beside the gates, this is used:
//! candidates hold in the present state; each role chooses exactly one move, a legal one. A
//! part with feedback is the *least* fixpoint of its gates, so it satisfies them, and what
//! follows from them holds.
//!
//! When nothing follows, the prover distinguishes cases: an Or that is true for no known
//! reason has a true operand, so each operand is assumed in turn ([`Prover::refute`]). The
//! cases are nested only a few levels deep, and all work is counted against a limit: a proof
//! that is not found is no proof. Nor is all followed that could be: a proof looks at what its
//! signals depend on, and at what makes the moves among that legal ([`Prover::focus`]).

use super::by_moves::Needs;
use super::candidates::{Candidates, Group};
use crate::net::gates::{GateId, Net, Operation, Signal};
use gdlr_text::budget::Meter;
use hashbrown::HashSet;

/// How deep cases are nested, in the proofs of what all nets are asked for.
const LEVELS: u32 = 3;

/// The same where somebody asks for it.
const MORE_LEVELS: u32 = 8;

/// Gates with more operands are not taken apart into cases.
const CASES: usize = 512;

/// In nets with more gates, of what makes a move legal only the conjuncts are looked at.
const FEW_GATES: usize = 1 << 13;

/// Of roles with more moves, only those are looked at that a proof is about.
const FEW_MOVES: usize = 256;

/// Draws conclusions about a state in which candidates hold.
pub(super) struct Prover<'n> {
    net: &'n Net,
    meter: &'n Meter<'n>,
    /// How deep cases are nested.
    levels: u32,
    /// Of what makes a move legal, how much is looked at.
    of_legal: Need,
    /// By gate: where its readers begin.
    starts: Vec<u32>,
    /// Gates that read another: twice the number, odd if they read the complement.
    readers: Vec<u32>,
    /// By gate: where the inputs begin whose legality it is.
    legal_starts: Vec<u32>,
    legal_inputs: Vec<u32>,
    /// By role: the gates of its inputs.
    role_inputs: Vec<Vec<u32>>,
    /// By role: how many of its inputs are unknown, and how many are true.
    role_open: Vec<u32>,
    role_chosen: Vec<u32>,
    /// By latch: the latches that equal it, or whose complement does, and for each the one of
    /// both that is the candidate.
    equals: Vec<Vec<(Signal, u32)>>,
    /// By signal of a latch: the groups about which something may follow when it is true.
    groups_of: Vec<Vec<u32>>,
    groups: Vec<Group>,
    /// Latches that are assumed to be constant, with the length of the trail before each.
    constants: Vec<(usize, usize)>,
    /// Whether they were assumed from the first to the last.
    ascending: bool,
    /// Candidates that have been used since the last focus: latches that equal others, then
    /// groups.
    used: Vec<u32>,
    is_used: Vec<bool>,
    /// How many of these follow from constants, before any proof.
    used_by_constants: usize,
    /// While this is 0, all gates are in focus. Even.
    focus: u32,
    focuses: u32,
    /// By gate: its value, if it is known.
    value: Vec<Option<bool>>,
    /// By gate.
    counts: Vec<Count>,
    /// Gates with a known value, in the order in which it became known.
    trail: Vec<u32>,
    /// How many of the trail have been followed.
    followed: usize,
    without_operands: Vec<GateId>,
    /// How much more may be done, in wires. Nothing when the budget is exhausted.
    pub work: u64,
}

/// How much memory the prover takes for each gate and wire, about.
pub(super) const BYTES: usize = 24;

impl<'n> Prover<'n> {
    /// A prover that knows nothing yet.
    pub fn new(net: &'n Net, meter: &'n Meter<'n>) -> Self {
        let (starts, readers) = lists(net.len(), |add| {
            for gate in net.computed() {
                for operand in net.operands(gate) {
                    add(operand.gate().index(), gate.0 << 1 | u32::from(operand.is_negated()));
                }
            }
        });
        let (legal_starts, legal_inputs) = lists(net.len(), |add| {
            for (place, input) in net.inputs.iter().enumerate() {
                add(input.legal.gate().index(), place as u32);
            }
        });
        let mut role_inputs = vec![Vec::new(); usize::from(net.roles)];
        for input in &net.inputs {
            role_inputs[usize::from(input.role.0)].push(input.gate.0);
        }
        let counts = (0..net.len() as u32).map(|gate| Count {
            open: net.operands(GateId(gate)).len() as u32,
            deciding: 0,
            focus: 0,
            decisive: net.operation(GateId(gate)) == Operation::Or,
        });
        Prover {
            net,
            meter,
            levels: LEVELS,
            of_legal: if net.len() > FEW_GATES { Need::Conjuncts } else { Need::All },
            starts,
            readers,
            legal_starts,
            legal_inputs,
            role_open: role_inputs.iter().map(|inputs| inputs.len() as u32).collect(),
            role_chosen: vec![0; role_inputs.len()],
            role_inputs,
            equals: vec![Vec::new(); net.latches.len()],
            groups_of: vec![Vec::new(); 2 * (net.latches.len() + 1)],
            groups: Vec::new(),
            constants: Vec::new(),
            ascending: false,
            used: Vec::new(),
            is_used: Vec::new(),
            used_by_constants: 0,
            focus: 0,
            focuses: 0,
            value: vec![None; net.len()],
            counts: counts.collect(),
            trail: Vec::new(),
            followed: 0,
            without_operands: net.computed().filter(|&g| net.operands(g).is_empty()).collect(),
            work: 0,
        }
    }

    /// Looks for proofs with more cases, and at all that makes a move legal: each may take longer.
    pub fn look_deeper(&mut self) {
        self.levels = MORE_LEVELS;
        self.of_legal = Need::All;
    }

    /// Begins again, with these candidates for the state at hand; constants are assumed from the
    /// first latch to the last, or the other way round. Returns the work that it took, which
    /// nothing but the budget limits: linear in the candidates and what follows from constants.
    pub fn restart(&mut self, candidates: &Candidates, ascending: bool) -> u64 {
        self.work = u64::MAX;
        self.focus = 0;
        self.undo(0);
        let latches = self.net.latches.len();
        self.equals.iter_mut().for_each(Vec::clear);
        for (latch, equal) in self.net.latches.iter().zip(&candidates.equal) {
            if let Some(first) = *equal {
                let signal = Signal::of(latch.gate);
                let candidate = place(signal) as u32;
                self.equals[place(signal)].push((first, candidate));
                let signal = signal.negated_if(first.is_negated());
                self.equals[place(first)].push((signal, candidate));
            }
        }
        self.groups_of.iter_mut().for_each(Vec::clear);
        self.groups.clone_from(&candidates.groups);
        for (number, group) in self.groups.iter().enumerate() {
            for member in &group.members {
                let decides = member.negated_if(group.covering);
                self.groups_of[decides.index()].push(number as u32);
            }
        }
        self.used.clear();
        self.is_used = vec![false; latches + self.groups.len()];
        // Without a contradiction: the initial state satisfies all of this. If no state has a
        // legal joint move, there is one, and there are no other states either.
        self.assume(Signal::TRUE);
        for at in 0..self.without_operands.len() {
            self.conclude(self.without_operands[at]);
        }
        self.follow();
        self.constants.clear();
        self.ascending = ascending;
        for at in 0..latches {
            let place = if ascending { at } else { latches - 1 - at };
            self.assume_constant(place, candidates);
        }
        self.used_by_constants = self.used.len();
        (u64::MAX - self.work).saturating_add((latches + candidates.groups.len()) as u64)
    }

    fn assume_constant(&mut self, place: usize, candidates: &Candidates) {
        if let Some(value) = candidates.constant[place] {
            self.constants.push((place, self.mark()));
            self.assume(Signal::of(self.net.latches[place].gate).negated_if(!value));
        }
    }

    /// Goes on without a constant that was among the candidates. This is cheap for the last that
    /// was assumed: what was assumed after it is assumed again. So constants that are shown one
    /// after the other are assumed in the opposite order. Returns the work that it took.
    pub fn without_constant(
        &mut self,
        place: usize,
        candidates: &Candidates,
        ascending: bool,
    ) -> u64 {
        let at = self.constants.iter().rposition(|&(constant, _)| constant == place);
        let Some(at) = at.filter(|_| self.ascending == ascending) else {
            return self.restart(candidates, ascending);
        };
        self.focus(&[]);
        self.focus = 0;
        self.work = u64::MAX;
        let again = self.constants.split_off(at);
        self.undo(again[0].1);
        again[1..].iter().for_each(|&(place, _)| self.assume_constant(place, candidates));
        // Cases that are used no longer may still be among these.
        self.used_by_constants = self.used.len();
        (u64::MAX - self.work).saturating_add(again.len() as u64)
    }

    /// Goes on with other members of a group, or none. Returns the work that it took. `None`, and nothing has
    /// changed, if conclusions from constants depend on the group.
    pub fn change_group(&mut self, group: usize, members: &[Signal]) -> Option<u64> {
        let candidate = (self.net.latches.len() + group) as u32;
        if self.used[..self.used_by_constants].contains(&candidate) {
            return None;
        }
        let covering = self.groups[group].covering;
        let before = std::mem::replace(&mut self.groups[group].members, members.to_vec());
        let mut work = self.used_by_constants + before.len();
        for member in before {
            let groups_of = &mut self.groups_of[member.negated_if(covering).index()];
            work += groups_of.len();
            groups_of.retain(|&other| other as usize != group);
        }
        for member in members {
            self.groups_of[member.negated_if(covering).index()].push(group as u32);
        }
        Some(work as u64)
    }

    /// A group of which at most one is true, as far as is assumed, and of which each of some
    /// signals implies a member of its own: so at most one of them is true.
    pub fn apart_by(&self, signals: &[Signal]) -> Option<usize> {
        let signals = || signals.iter().filter(|&&signal| signal != Signal::FALSE);
        let implied = |signal: Signal| self.net.view(signal, Operation::And);
        let groups_of = |signal: Signal| self.groups_of.get(signal.index()).into_iter().flatten();
        let groups = implied(*signals().next()?).into_iter().flat_map(groups_of);
        let mut groups = groups.filter(|&&group| !self.groups[group as usize].covering);
        let group_of_two = groups.find(|group| {
            let mut taken: HashSet<Signal> = HashSet::new();
            signals().all(|&signal| {
                let member = |&implied: &Signal| groups_of(implied).any(|other| other == *group);
                let member = implied(signal).into_iter().find(member);
                self.meter.has(1) && member.is_some_and(|member| taken.insert(member))
            })
        });
        group_of_two.map(|&group| group as usize)
    }

    /// The groups, as far as they are assumed, that show that at most one of some signals is true, since each
    /// needs a move of its own.
    pub fn apart_by_moves(&self, signals: &[Signal], needs: &mut Needs<'_>) -> Option<Vec<usize>> {
        let groups_of =
            |signal: Signal| self.groups_of.get(signal.index()).map_or(&[][..], |of| of);
        needs.apart(signals, &self.groups, groups_of)
    }

    /// Turns to a proof about some signals, at the beginning of the trail.
    pub fn focus(&mut self, signals: &[Signal]) {
        let proof = self.used.drain(self.used_by_constants..);
        proof.for_each(|candidate| self.is_used[candidate as usize] = false);
        self.focuses += 2;
        self.focus = self.focuses;
        let of_legal = self.of_legal;
        let mut open: Vec<(Signal, Need)> = signals.iter().map(|&s| (s, Need::All)).collect();
        while let Some((signal, need)) = open.pop() {
            let gate = signal.gate();
            let in_focus = &mut self.counts[gate.index()].focus;
            if *in_focus >= self.focus + need as u32 {
                continue;
            }
            let before = std::mem::replace(in_focus, self.focus + need as u32);
            let operands = self.net.operands(gate);
            self.work(operands.len() + 1);
            let negate = signal.is_negated();
            let conjunction = self.decisive(gate) == negate;
            match (self.net.operation(gate), need) {
                (Operation::Input(place), _) if before < self.focus => {
                    let input = &self.net.inputs[place.index()];
                    open.push((input.legal, of_legal));
                    let all = &self.role_inputs[usize::from(input.role.0)];
                    if all.len() <= FEW_MOVES {
                        open.extend(all.iter().map(|&gate| (Signal::of(GateId(gate)), need)));
                    }
                }
                (_, Need::All) => open.extend(operands.iter().map(|&s| (s, need))),
                (_, Need::Conjuncts) if conjunction => {
                    open.extend(operands.iter().map(|&s| (s.negated_if(negate), need)));
                }
                _ => {}
            }
        }
    }

    /// The candidates that have been used since the last focus: latches that equal another,
    /// then groups.
    pub fn used(&self) -> &[u32] {
        &self.used
    }

    /// Where the trail ends, to come back to.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Forgets everything since a mark.
    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(gate) = self.trail.pop() else { break };
            if self.trail.len() < self.followed {
                self.count(gate, false);
            }
            self.value[gate as usize] = None;
        }
        self.followed = self.followed.min(mark);
    }

    /// The value of a signal, if it is known.
    pub fn value(&self, signal: Signal) -> Option<bool> {
        self.value[signal.gate().index()].map(|value| value != signal.is_negated())
    }

    /// Assumes a signal and draws conclusions; false if there is a contradiction.
    pub fn assume(&mut self, signal: Signal) -> bool {
        self.set(signal) && self.follow()
    }

    /// Whether a signal contradicts what has been assumed since `mark`, and before.
    pub fn refutes(&mut self, signal: Signal, mark: usize) -> bool {
        let here = self.mark();
        let refuted = !self.assume(signal) || self.refute(mark, self.levels);
        self.undo(here);
        refuted
    }

    /// Whether each case of what has been assumed since `mark` leads to a contradiction.
    pub fn refute(&mut self, mark: usize, levels: u32) -> bool {
        let Some(cases) = self.cases(mark).filter(|_| levels > 0) else { return false };
        cases.into_iter().all(|case| {
            let here = self.mark();
            let refuted = !self.assume(case) || self.refute(mark, levels - 1);
            self.undo(here);
            refuted
        })
    }

    /// The cases of the first thing since `mark` that is true for no known reason: signals of
    /// which one at least must be true. None when the work is done.
    pub fn cases(&mut self, mark: usize) -> Option<Vec<Signal>> {
        // A value that has not been propagated is not counted either.
        if self.work == 0 {
            return None;
        }
        let unexplained = |&&gate: &&u32| {
            let decisive = self.decisive(GateId(gate));
            let gate = gate as usize;
            self.is_in_focus(GateId(gate as u32))
                && self.value[gate] == Some(decisive)
                && self.counts[gate].deciding == 0
                && (1..=CASES).contains(&(self.counts[gate].open as usize))
        };
        let gate = GateId(*self.trail[mark..].iter().find(unexplained)?);
        self.work = self.work.saturating_sub((self.trail.len() - mark) as u64 / 8);
        let decisive = self.decisive(gate);
        let operands = self.net.operands(gate).iter();
        let unknown = operands.filter(|operand| self.value(**operand).is_none());
        Some(unknown.map(|operand| operand.negated_if(!decisive)).collect())
    }

    /// Takes away from the work that is left.
    fn work(&mut self, wires: usize) {
        self.work = if self.meter.has(wires) { self.work.saturating_sub(wires as u64) } else { 0 };
    }

    fn is_in_focus(&self, gate: GateId) -> bool {
        self.counts[gate.index()].focus >= self.focus
    }

    /// Notes that a candidate has been used.
    pub fn uses(&mut self, candidate: usize) {
        if !std::mem::replace(&mut self.is_used[candidate], true) {
            self.used.push(candidate as u32);
        }
    }

    /// The value of an operand that decides that of its gate.
    fn decisive(&self, gate: GateId) -> bool {
        self.counts[gate.index()].decisive
    }

    /// Makes a signal true; false if it is known to be false.
    fn set(&mut self, signal: Signal) -> bool {
        let value = &mut self.value[signal.gate().index()];
        match *value {
            Some(value) => value != signal.is_negated(),
            None => {
                *value = Some(!signal.is_negated());
                self.trail.push(signal.gate().0);
                true
            }
        }
    }

    /// Draws conclusions; false if there is a contradiction.
    fn follow(&mut self) -> bool {
        while let Some(&gate) = self.trail.get(self.followed) {
            self.followed += 1;
            self.count(gate, true);
            if self.work == 0 || !self.consequences(GateId(gate)) {
                // Without work left, nothing is a contradiction: see the callers' limits.
                return self.work == 0;
            }
        }
        true
    }

    /// Counts a known gate with its readers, or takes it back.
    fn count(&mut self, gate: u32, known: bool) {
        let value = self.value[gate as usize] == Some(true);
        let range = self.starts[gate as usize] as usize..self.starts[gate as usize + 1] as usize;
        self.work(range.len() + 1);
        let step = if known { 1u32 } else { 1u32.wrapping_neg() };
        for &reader in &self.readers[range] {
            let count = &mut self.counts[(reader >> 1) as usize];
            if count.focus >= self.focus {
                count.open = count.open.wrapping_sub(step);
                let decides = (value != (reader & 1 == 1)) == count.decisive;
                count.deciding = count.deciding.wrapping_add(if decides { step } else { 0 });
            }
        }
        if let Operation::Input(place) = self.net.operation(GateId(gate)) {
            let role = usize::from(self.net.inputs[place.index()].role.0);
            self.role_open[role] = self.role_open[role].wrapping_sub(step);
            if value {
                self.role_chosen[role] = self.role_chosen[role].wrapping_add(step);
            }
        }
    }

    /// Propagates the value of a gate; false if there is a contradiction.
    fn consequences(&mut self, gate: GateId) -> bool {
        let at = gate.index();
        let value = self.value[at] == Some(true);
        for edge in self.starts[at]..self.starts[at + 1] {
            let reader = GateId(self.readers[edge as usize] >> 1);
            if self.is_in_focus(reader) && !self.conclude(reader) {
                return false;
            }
        }
        for edge in self.legal_starts[at]..self.legal_starts[at + 1] {
            let input = &self.net.inputs[self.legal_inputs[edge as usize] as usize];
            if value == input.legal.is_negated() && !self.set(!Signal::of(input.gate)) {
                return false;
            }
        }
        match self.net.operation(gate) {
            Operation::True => true,
            Operation::Latch(place) => self.consequences_of_latch(place.index(), value),
            Operation::Input(place) => {
                let input = self.net.inputs[place.index()];
                (!value || self.set(input.legal)) && self.choose(usize::from(input.role.0), gate)
            }
            Operation::And | Operation::Or => self.conclude(gate),
        }
    }

    fn consequences_of_latch(&mut self, latch: usize, value: bool) -> bool {
        for at in 0..self.equals[latch].len() {
            let (equal, candidate) = self.equals[latch][at];
            self.uses(candidate as usize);
            if !self.set(equal.negated_if(!value)) {
                return false;
            }
        }
        let own = Signal::of(self.net.latches[latch].gate).negated_if(!value);
        for at in 0..self.groups_of[own.index()].len() {
            let group = self.groups_of[own.index()][at] as usize;
            if self.groups[group].covering {
                if !self.cover(group) {
                    return false;
                }
                continue;
            }
            self.uses(self.net.latches.len() + group);
            for member in 0..self.groups[group].members.len() {
                let other = self.groups[group].members[member];
                if other != own && !self.set(!other) {
                    return false;
                }
            }
        }
        true
    }

    /// One of a group is true: the last of which nothing is known, if the others are false.
    fn cover(&mut self, group: usize) -> bool {
        let members = &self.groups[group].members;
        self.work(members.len());
        let members = &self.groups[group].members;
        if members.iter().any(|&member| self.value(member) == Some(true)) {
            return true;
        }
        let mut unknown = members.iter().filter(|&&member| self.value(member).is_none());
        let last = match (unknown.next(), unknown.next()) {
            (Some(_), Some(_)) => return true,
            (last, _) => last.copied(),
        };
        self.uses(self.net.latches.len() + group);
        last.is_some_and(|last| self.set(last))
    }

    /// A role chooses exactly one move.
    fn choose(&mut self, role: usize, gate: GateId) -> bool {
        if self.value[gate.index()] == Some(true) {
            for at in 0..self.role_inputs[role].len() {
                let other = self.role_inputs[role][at];
                let matters = other != gate.0 && self.is_in_focus(GateId(other));
                if matters && !self.set(!Signal::of(GateId(other))) {
                    return false;
                }
            }
            return true;
        }
        match (self.role_chosen[role], self.role_open[role]) {
            (0, 0) => false,
            (0, 1) => {
                let unknown = |gate: &&u32| self.value[**gate as usize].is_none();
                match self.role_inputs[role].iter().find(unknown) {
                    Some(&last) => self.set(Signal::of(GateId(last))),
                    None => true,
                }
            }
            _ => true,
        }
    }

    /// Propagates between a gate and its operands, in both directions.
    fn conclude(&mut self, gate: GateId) -> bool {
        let at = gate.index();
        let decisive = self.decisive(gate);
        if self.counts[at].deciding > 0 {
            return self.set(Signal::of(gate).negated_if(!decisive));
        }
        if self.counts[at].open == 0 {
            return self.set(Signal::of(gate).negated_if(decisive));
        }
        let operands = match self.value[at] {
            Some(value) if value != decisive || self.counts[at].open == 1 => {
                self.net.operands(gate)
            }
            _ => return true,
        };
        self.work(operands.len());
        let negate = self.value[at] == Some(false);
        let unknown = |operand: &&Signal| self.value[operand.gate().index()].is_none();
        let unknown: Vec<Signal> = operands.iter().filter(unknown).copied().collect();
        unknown.into_iter().all(|operand| self.set(operand.negated_if(negate)))
    }
}

/// The known values among the operands of a gate.
struct Count {
    /// How many are unknown.
    open: u32,
    /// How many decide its value alone.
    deciding: u32,
    /// The last focus that the gate was in, and one more if all that it depends on was.
    focus: u32,
    /// The value of an operand that decides that of the gate, and that value.
    decisive: bool,
}

/// The operands of a gate that a proof needs.
#[derive(Clone, Copy)]
enum Need {
    /// The signals that must be true for it to be true.
    Conjuncts,
    /// All that it depends on.
    All,
}

/// The place of a latch that drives a signal.
fn place(signal: Signal) -> usize {
    signal.gate().index() - 1
}

/// Lists of numbers by gate, from pairs of both.
fn lists(gates: usize, pairs: impl Fn(&mut dyn FnMut(usize, u32))) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; gates + 1];
    pairs(&mut |gate, _| starts[gate + 1] += 1);
    (0..gates).for_each(|gate| starts[gate + 1] += starts[gate]);
    let mut fill = starts.clone();
    let mut all = vec![0; starts[gates] as usize];
    pairs(&mut |gate, number| {
        all[fill[gate] as usize] = number;
        fill[gate] += 1;
    });
    (starts, all)
}
