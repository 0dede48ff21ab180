//! What holds in every state that play can reach.
//!
//! Latches that never change, that equal each other or are each other's complement, and
//! groups of which at most one is true (what mutexes are to planners). They are found in
//! three steps:
//!
//! 1. [`sample`] plays random games and keeps what the latches did;
//! 2. [`candidates`] looks for what all those states have in common;
//! 3. [`prove`] shows by induction that it is so in every state: all candidates hold in the
//!    initial state, which is part of the sample; and if all hold in some state, each holds in
//!    the state after any legal joint move. A candidate of which that cannot be shown is
//!    dropped, and what was shown with its help is shown again without, until everything that
//!    is left follows from what is left.
//!
//! A state after a terminal one is a state like any other here, so play may go on there.
//!
//! All work is bounded. If it runs out before the last proof, nothing is claimed.

mod candidates;
mod prove;
mod sample;

use super::net::{Net, Signal};
use candidates::Candidates;
use prove::Prover;
use sample::Samples;

/// Nets with more gates and wires are not looked at.
const LARGEST: usize = 1 << 22;

/// How many wires are followed for all proofs of a net.
const WORK: u64 = 1 << 28;

/// Facts about all reachable states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariants {
    /// By latch: the constant that it is, or the other latch or complement that it equals;
    /// that one is an earlier latch, which equals no other.
    pub equal: Vec<Option<Signal>>,
    /// Latches of which at most one is true.
    pub exclusive: Vec<Vec<Signal>>,
}

impl Invariants {
    /// Looks for what holds in every reachable state of a net, and proves it.
    pub fn of(net: &Net) -> Invariants {
        if net.latches.is_empty() || net.len() + net.wires() > LARGEST {
            return Invariants::default();
        }
        let mut candidates = Candidates::of(net, &Samples::of(net));
        let mut prover = Prover::new(net, WORK);
        let mut round = Round { net, prover: &mut prover, candidates: &mut candidates };
        let mut backwards = false;
        while round.run(backwards) {
            backwards = !backwards;
        }
        if prover.work == 0 {
            return Invariants::default();
        }
        let constant = |value: bool| Signal::TRUE.negated_if(!value);
        let Candidates { constant: constants, equal, exclusive } = candidates;
        let equal = constants.iter().zip(equal).map(|(value, equal)| value.map(constant).or(equal));
        Invariants { equal: equal.collect(), exclusive }
    }
}

/// One look at all candidates.
struct Round<'a, 'n> {
    net: &'n Net,
    prover: &'a mut Prover<'n>,
    candidates: &'a mut Candidates,
}

impl Round<'_, '_> {
    /// Drops candidates that cannot be shown; whether there were any.
    fn run(&mut self, backwards: bool) -> bool {
        self.prover.restart(self.candidates);
        let mut dropped = false;
        for place in 0..self.net.latches.len() {
            let place = if backwards { self.net.latches.len() - 1 - place } else { place };
            dropped |= self.constant(place) | self.equal(place);
        }
        for group in 0..self.candidates.exclusive.len() {
            dropped |= self.group(group);
        }
        self.candidates.exclusive.retain(|group| group.len() > 1);
        dropped && self.prover.work > 0
    }

    /// Shows that a latch keeps its value; whether that failed.
    fn constant(&mut self, place: usize) -> bool {
        let Some(value) = self.candidates.constant[place] else { return false };
        let mark = self.prover.mark();
        let shown = self.prover.refutes(self.net.latches[place].next.negated_if(value), mark);
        if !shown {
            self.candidates.constant[place] = None;
            // At once: a chain of such latches falls in one round.
            self.prover.restart(self.candidates);
        }
        !shown
    }

    /// Shows that a latch goes on to equal another; whether that failed.
    fn equal(&mut self, place: usize) -> bool {
        let Some(other) = self.candidates.equal[place] else { return false };
        let next = self.net.latches[place].next;
        let others = self.net.latches[other.gate().index() - 1].next;
        let others = others.negated_if(other.is_negated());
        let shown = next == others
            || [false, true].into_iter().all(|negate| {
                let mark = self.prover.mark();
                let shown = !self.prover.assume(next.negated_if(negate))
                    || self.prover.refutes((!others).negated_if(negate), mark);
                self.prover.undo(mark);
                shown
            });
        if !shown {
            self.candidates.equal[place] = None;
            self.prover.restart(self.candidates);
        }
        !shown
    }

    /// Shows that no two of a group become true; takes out members of which that fails.
    /// Whether there were any.
    fn group(&mut self, group: usize) -> bool {
        let members = self.candidates.exclusive[group].clone();
        let next = |signal: Signal| self.net.latches[signal.gate().index() - 1].next;
        let nexts: Vec<Signal> = members.iter().map(|&member| next(member)).collect();
        let mut together: Vec<(usize, usize)> = Vec::new();
        for one in 0..nexts.len() {
            let mark = self.prover.mark();
            if self.prover.assume(nexts[one]) {
                let others: Vec<usize> = (one + 1..nexts.len()).collect();
                self.apart(&nexts, others, mark, 1, &mut |other| together.push((one, other)));
            }
            self.prover.undo(mark);
        }
        if together.is_empty() {
            return false;
        }
        let mut left: Vec<bool> = vec![true; members.len()];
        while !together.is_empty() {
            let mut count = vec![0; members.len()];
            together.iter().for_each(|&(a, b)| {
                count[a] += 1;
                count[b] += 1;
            });
            let worst = (0..members.len()).max_by_key(|&at| count[at]).unwrap_or(0);
            left[worst] = false;
            together.retain(|&(a, b)| a != worst && b != worst);
        }
        self.candidates.exclusive[group] =
            members.iter().zip(left).filter(|(_, left)| *left).map(|(&member, _)| member).collect();
        self.prover.restart(self.candidates);
        true
    }

    /// Shows that signals are false whenever what has been assumed since `mark` is true; calls
    /// `fails` for those of which that fails. Cases are distinguished for all of them together
    /// first.
    fn apart(
        &mut self,
        signals: &[Signal],
        mut which: Vec<usize>,
        mark: usize,
        levels: u32,
        fails: &mut dyn FnMut(usize),
    ) {
        which.retain(|&at| self.prover.value(signals[at]) != Some(false));
        if which.is_empty() {
            return;
        }
        let cases = if levels > 0 { self.prover.cases(mark) } else { None };
        let Some(cases) = cases else {
            which.into_iter().filter(|&at| !self.prover.refutes(signals[at], mark)).for_each(fails);
            return;
        };
        let mut failed: Vec<usize> = Vec::new();
        for case in cases {
            let here = self.prover.mark();
            if self.prover.assume(case) {
                let left = which.iter().copied().filter(|at| !failed.contains(at)).collect();
                self.apart(signals, left, mark, levels - 1, &mut |at| failed.push(at));
            }
            self.prover.undo(here);
        }
        failed.into_iter().for_each(fails);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::Game;
    use crate::ground::{Budget, Ground};

    fn net_of(rules: &str) -> (Net, Game) {
        let game = Game::from_kif("test", rules).expect("a rulesheet");
        let ground = Ground::new(game.clone(), &Budget::default()).expect("it is small");
        (Net::from_ground(&ground), ground.game().clone())
    }

    fn names(net: &Net, game: &Game, signals: &[Signal]) -> Vec<String> {
        let name = |signal: &Signal| {
            let fluent = net.fluents.iter().find(|f| f.signal == *signal).expect("a fluent");
            fluent.fact.canonical(&game.symbols)
        };
        signals.iter().map(name).collect()
    }

    const TURNS: &str = "
        (role white) (role black)
        (init (control white)) (init (cell 1 b)) (init (cell 2 b)) (init lamp)
        (next lamp)
        (<= (legal ?p (mark ?c)) (true (control ?p)) (true (cell ?c b)))
        (<= (legal white noop) (true (control black)))
        (<= (legal black noop) (true (control white)))
        (<= (next (cell ?c ?p)) (does ?p (mark ?c)))
        (<= (next (cell ?c ?p)) (true (cell ?c ?p)) (distinct ?p b))
        (<= marked (does ?p (mark ?c)))
        (<= (next (cell ?c b)) (true (cell ?c b)) (does ?p (mark ?d)) (distinct ?c ?d))
        (<= (next (control white)) (true (control black)))
        (<= (next (control black)) (true (control white)))
        (<= terminal (not open))
        (<= open (true (cell ?c b)))
        (<= (goal ?p 50) (role ?p))";

    #[test]
    fn turns_are_complements_and_cells_hold_one_mark() {
        let (net, game) = net_of(TURNS);
        let found = Invariants::of(&net);
        let place =
            |signal: Signal| net.latches.iter().position(|latch| latch.gate == signal.gate());
        let named = |name: &str| {
            let fluent = net.fluents.iter().find(|f| f.fact.canonical(&game.symbols) == name);
            fluent.expect("there is such a fluent").signal
        };
        let (white, black) = (named("(control white)"), named("(control black)"));
        let (first, second) = if white < black { (white, black) } else { (black, white) };
        assert_eq!(found.equal[place(second).expect("a latch")], Some(!first));
        let groups: Vec<Vec<String>> =
            found.exclusive.iter().map(|group| names(&net, &game, group)).collect();
        for cell in 1..3 {
            let expected = ["b", "white", "black"].map(|mark| format!("(cell {cell} {mark})"));
            let is_cell = |group: &&Vec<String>| {
                group.len() == 3 && expected.iter().all(|name| group.contains(name))
            };
            assert_eq!(groups.iter().filter(is_cell).count(), 1, "{groups:?}");
        }
    }

    /// A light that goes on after more steps than any sample has.
    #[test]
    fn what_a_sample_does_not_show_is_not_believed() {
        let mut rules = String::from(
            "(role r) (init (a 0)) (init (bit 0 off)) (next (a 0))
             (<= (legal r go) (true (a 0)))
             (<= (next (light on)) carry) (<= (next (light on)) (true (light on)))
             (<= (next (dark on)) (not lit)) (<= lit (true (light on)))
             (<= terminal (true (light on)) (true (dark on)) (not (true (a 0))))
             (goal r 0)",
        );
        // A counter of 14 bits.
        let mut carry = "(true (a 0))".to_owned();
        for bit in 0..14 {
            rules += &format!(
                "(<= (next (bit {bit} on)) (true (bit {bit} on)) (not (carry {bit})))
                 (<= (next (bit {bit} on)) (not (true (bit {bit} on))) (carry {bit}))
                 (<= (carry {bit}) {carry})\n"
            );
            carry = format!("(carry {bit}) (true (bit {bit} on))");
        }
        rules += &format!("(<= carry {carry})");
        let (net, game) = net_of(&rules);
        let light =
            net.fluents.iter().position(|f| f.fact.canonical(&game.symbols) == "(light on)");
        let light = net.fluents[light.expect("a fluent")].signal.gate().index() - 1;
        let samples = Samples::of(&net);
        assert!(samples.of_latch(light).iter().all(|&word| word == 0));
        assert_eq!(Candidates::of(&net, &samples).constant[light], Some(false));
        assert_eq!(Invariants::of(&net).equal[light], None);
    }
}
