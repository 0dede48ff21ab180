//! Invariants: properties of every state that play can reach.
//!
//! The properties are of four kinds: a latch never changes; two latches are always equal, or always complements of each
//! other; at most one latch of a group is true (a mutex, in the words of planning); at least one latch of a group
//! is true. They are found in three steps:
//!
//! 1. [`sample`] plays random games, and keeps the values of the latches.
//! 2. [`candidates`] finds properties that all states of the sample have.
//! 3. [`induction`] proves them for every state, by conclusions that [`prove`] draws. All candidates hold in the initial
//!    state, which is part of the sample. If all of them hold in a state, each one has to hold in the state after any
//!    legal joint move. A candidate without such a proof is dropped. Then the proofs that used it are tried again without
//!    it, until the candidates that are left prove each other.
//!    [`by_moves`] proves without a search that facts exclude each other if each waits for a move of its own.
//!
//! Some dropped groups of at most one true latch are still likely. They are tried once more, together with
//! [`implications`] between their latches and others. At the end, each proven group is asked whether one of its latches is
//! always true.
//!
//! A terminal state is treated as any other state: play may go on behind it.
//!
//! All work is bounded. A property whose proof takes more than its share of the work is dropped.

mod by_moves;
mod candidates;
mod implications;
mod induction;
mod mutex;
mod prove;
mod sample;

pub use mutex::{never_all, never_together};

use super::gates::{Net, Signal};
use candidates::{Candidates, Group};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use induction::Induction;
use sample::Samples;

/// Nets with more gates and wires are not looked at.
const LARGEST: usize = 1 << 20;

/// Facts about all reachable states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariants {
    /// By latch: the constant that it is, or the other latch or complement that it equals;
    /// that one is an earlier latch, which equals no other.
    pub equal: Vec<Option<Signal>>,
    /// Signals of latches of which at most one is true, those included that the net knew.
    pub exclusive: Vec<Vec<Signal>>,
    /// Signals of latches of which at least one is true, likewise.
    pub covering: Vec<Vec<Signal>>,
}

impl Invariants {
    /// Looks for what holds in every reachable state of a net, and proves it.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn of(net: &Net, meter: &Meter<'_>) -> Result<Invariants, Exhausted> {
        if net.latches.is_empty() || net.len() + net.wires() > LARGEST {
            let (exclusive, covering) = (net.exclusive.clone(), net.covering.clone());
            return Ok(Invariants { equal: Vec::new(), exclusive, covering });
        }
        let samples = Samples::of(net, meter)?;
        let candidates = Candidates::of(net, &samples, meter)?;
        meter.hold(Memory::Scratch, samples.bytes() + prove::BYTES * (net.len() + net.wires()));
        let credible = candidates.groups.clone();
        let mut induction = Induction::new(net, candidates, meter);
        induction.run()?;
        // Only then: what is assumed in vain makes other proofs invalid.
        induction.consider_doubtful();
        induction.run()?;
        induction.try_again(credible, &samples)?;
        induction.look_for_covering(&samples)?;
        let constant = |value: bool| Signal::TRUE.negated_if(!value);
        let Candidates { constant: constants, equal, mut groups, .. } = induction.candidates;
        let equal = constants.iter().zip(equal).map(|(value, equal)| value.map(constant).or(equal));
        groups.retain(|group| group.members.len() > 1);
        let (covering, exclusive): (Vec<Group>, Vec<Group>) =
            groups.into_iter().partition(|group| group.covering);
        let members = |groups: Vec<Group>| groups.into_iter().map(|group| group.members).collect();
        Ok(Invariants {
            equal: equal.collect(),
            exclusive: members(exclusive),
            covering: members(covering),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Budget, Ground};
    use crate::net::gates::FluentBit;
    use gdlr_rules::gdl::Game;

    fn net_of(rules: &str) -> (Net, Game) {
        let game = Game::from_kif("test", rules).expect("a rulesheet");
        let ground = Ground::new(game.clone(), &Budget::default()).expect("it is small");
        (Net::from_ground(&ground, &Meter::unlimited()).expect("no limit"), game)
    }

    fn names(net: &Net, game: &Game, signals: &[Signal]) -> Vec<String> {
        let name = |signal: &Signal| {
            let is_it = |f: &&FluentBit| f.signal.gate() == signal.gate();
            let fluent = net.fluents.iter().find(is_it).expect("a fluent");
            let not = if fluent.signal == *signal { "" } else { "not " };
            not.to_owned() + &fluent.fact.canonical(&game.symbols)
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
        let invariants = Invariants::of(&net, &Meter::unlimited()).expect("no limit");
        let place =
            |signal: Signal| net.latches.iter().position(|latch| latch.gate == signal.gate());
        let named = |name: &str| {
            let fluent = net.fluents.iter().find(|f| f.fact.canonical(&game.symbols) == name);
            fluent.expect("there is such a fluent").signal
        };
        let (white, black) = (named("(control white)"), named("(control black)"));
        let (first, second) = if white < black { (white, black) } else { (black, white) };
        assert_eq!(invariants.equal[place(second).expect("a latch")], Some(!first));
        let groups: Vec<Vec<String>> =
            invariants.exclusive.iter().map(|group| names(&net, &game, group)).collect();
        for cell in 1..3 {
            let expected = ["b", "white", "black"].map(|mark| format!("(cell {cell} {mark})"));
            let is_cell = |group: &&Vec<String>| {
                group.len() == 3 && expected.iter().all(|name| group.contains(name))
            };
            assert_eq!(groups.iter().filter(is_cell).count(), 1, "{groups:?}");
        }
        let covering = invariants.covering.iter().filter(|group| group.len() == 3);
        assert_eq!(covering.count(), 2, "{:?}", invariants.covering);
    }

    /// Discs that fall on each other: a square is empty whenever the one below is.
    #[test]
    fn squares_are_empty_as_long_as_those_below() {
        let (net, game) = net_of(
            "(role p) (above 1 2) (above 2 3)
             (init (cell 1 b)) (init (cell 2 b)) (init (cell 3 b))
             (mark x) (mark o) (<= (legal p ?m) (mark ?m) (true (cell 3 b))) (legal p wait)
             (<= falls (does p ?m) (mark ?m))
             (<= (on 1) falls) (<= (on ?d) falls (true (cell ?c ?m)) (mark ?m) (above ?c ?d))
             (<= (next (cell ?c ?m)) (does p ?m) (mark ?m) (true (cell ?c b)) (on ?c))
             (<= (next (cell ?c ?m)) (true (cell ?c ?m)) (mark ?m))
             (<= (next (cell ?c b)) (true (cell ?c b)) (not falls))
             (<= (next (cell ?d b)) (true (cell ?c b)) (above ?c ?d))
             (<= terminal (not (true (cell 3 b)))) (goal p 0)",
        );
        let invariants = Invariants::of(&net, &Meter::unlimited()).expect("no limit");
        let mut groups: Vec<Vec<String>> =
            invariants.exclusive.iter().map(|group| names(&net, &game, group)).collect();
        groups.iter_mut().for_each(|group| group.sort_unstable());
        for cell in 1..4 {
            let expected = ["b", "o", "x"].map(|mark| format!("(cell {cell} {mark})"));
            assert!(groups.iter().any(|group| group[..] == expected), "{cell}: {groups:?}");
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
        let meter = Meter::unlimited();
        let samples = Samples::of(&net, &meter).expect("no limit");
        assert!(samples.of_latch(light).iter().all(|&word| word == 0));
        let invariants = Candidates::of(&net, &samples, &meter).expect("no limit");
        assert_eq!(invariants.constant[light], Some(false));
        assert_eq!(Invariants::of(&net, &Meter::unlimited()).expect("no limit").equal[light], None);
    }
}
