//! Mutexes: signals of latches of which no two are true in one state.
//!
//! The net has groups of facts of one name, of which one is true at most. This file answers for two other
//! facts.

use super::candidates::{Candidates, Group, never_two};
use super::induction::Induction;
use super::sample::Samples;
use super::{LARGEST, prove};
use crate::net::gates::{Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashSet;

/// In nets with more latches, only the pairs that are asked for support each other's proofs.
const FEW_LATCHES: usize = 256;

/// Whether the two signals of each pair exclude each other (a mutex) in every state that play can reach, as far
/// as a proof by induction is found within its share of work. All pairs support each other's proofs; in small
/// nets all other pairs of facts do, too. Takes about as long as the pass that proves invariants of a net of
/// that size.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn never_together(
    net: &Net,
    pairs: &[[Signal; 2]],
    meter: &Meter<'_>,
) -> Result<Vec<bool>, Exhausted> {
    if pairs.is_empty() || net.latches.is_empty() || net.len() + net.wires() > LARGEST {
        return Ok(vec![false; pairs.len()]);
    }
    let samples = Samples::of(net, meter)?;
    let proven = (net.exclusive.iter().map(|members| (members, false)))
        .chain(net.covering.iter().map(|members| (members, true)))
        .map(|(members, covering)| Group { covering, members: members.clone(), family: 0 });
    let mut groups: Vec<Group> = proven.collect();
    let proven = groups.len();
    let supporting = match net.latches.len() <= FEW_LATCHES {
        true => pairs_of_facts(net, pairs),
        false => Vec::new(),
    };
    // By pair: its place among the groups, unless a state of the sample has both.
    let mut places = Vec::with_capacity(pairs.len() + supporting.len());
    for pair in pairs.iter().chain(&supporting) {
        meter.spend(samples.steps())?;
        let is_credible = pair[0].gate() != pair[1].gate()
            && pair.iter().all(|signal| is_latch(net, *signal))
            && never_two(pair, &samples);
        places.push(is_credible.then_some(groups.len()));
        if is_credible {
            groups.push(Group { covering: false, members: pair.to_vec(), family: 0 });
        }
    }
    meter.hold(Memory::Scratch, samples.bytes() + prove::BYTES * (net.len() + net.wires()));
    let latches = net.latches.len();
    let candidates = Candidates {
        constant: vec![None; latches],
        equal: vec![None; latches],
        groups,
        proven,
        doubtful: Vec::new(),
    };
    let mut induction = Induction::new(net, candidates, meter);
    induction.look_deeper();
    induction.run()?;
    let groups = &induction.candidates.groups;
    let is_proven = |(pair, place): (&[Signal; 2], &Option<usize>)| {
        pair[0] == !pair[1] || place.is_some_and(|at| groups[at].members.len() == 2)
    };
    Ok(pairs.iter().zip(&places).map(is_proven).collect())
}

fn is_latch(net: &Net, signal: Signal) -> bool {
    matches!(net.operation(signal.gate()), Operation::Latch(_))
}

/// All pairs of facts of a state but some.
fn pairs_of_facts(net: &Net, but: &[[Signal; 2]]) -> Vec<[Signal; 2]> {
    let sorted = |[one, other]: [Signal; 2]| if one < other { [one, other] } else { [other, one] };
    let known: HashSet<[Signal; 2]> = but.iter().map(|&pair| sorted(pair)).collect();
    let facts = net.fluents.iter().map(|bit| bit.signal);
    let facts: Vec<Signal> = facts.filter(|&signal| is_latch(net, signal)).collect();
    let pairs = facts
        .iter()
        .enumerate()
        .flat_map(|(at, &one)| facts[..at].iter().map(move |&other| sorted([one, other])));
    pairs.filter(|pair| !known.contains(pair)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Budget, Ground};
    use gdlr_rules::gdl::Game;

    /// Discs fall onto others, so that there is none above a free cell.
    const COLUMN: &str = "
        (role red) (above 1 2) (above 2 3) (above 3 4)
        (init (cell 1 free)) (init (cell 2 free)) (init (cell 3 free)) (init (cell 4 free))
        (<= (legal red drop) (true (cell ?h free)))
        (<= (legal red wait) (true (cell 4 disc)))
        (<= (lies ?h) (true (cell ?below disc)) (above ?below ?h))
        (lies 1)
        (<= (next (cell ?h disc)) (does red drop) (true (cell ?h free)) (lies ?h))
        (<= (next (cell ?h disc)) (true (cell ?h disc)))
        (<= (next (cell ?h free)) (true (cell ?h free)) (not (lies ?h)))
        (<= (next (cell ?h free)) (true (cell ?h free)) (does red wait))
        (<= terminal (true (cell 4 disc))) (goal red 50)";

    #[test]
    fn no_disc_floats() {
        let game = Game::from_kif("test", COLUMN).expect("a rulesheet");
        let ground = Ground::new(game.clone(), &Budget::default()).expect("it is small");
        let net = Net::from_ground(&ground, &Meter::unlimited()).expect("no limit");
        let cell = |height: usize, what: &str| {
            let name = format!("(cell {height} {what})");
            let is_it = |f: &&crate::net::gates::FluentBit| f.fact.canonical(&game.symbols) == name;
            net.fluents.iter().find(is_it).expect("such a fact").signal
        };
        let pairs = [
            [cell(2, "free"), cell(4, "disc")],
            [cell(2, "free"), cell(3, "disc")],
            [cell(1, "free"), cell(4, "disc")],
            [cell(1, "free"), cell(3, "disc")],
            [cell(1, "free"), cell(2, "disc")],
            [cell(3, "free"), cell(4, "disc")],
            [cell(2, "free"), cell(2, "disc")],
            [cell(3, "free"), cell(3, "disc")],
            // A disc lies there with nothing above it, and both are free at the beginning.
            [cell(3, "free"), cell(2, "disc")],
            [cell(1, "free"), cell(2, "free")],
        ];
        let never = never_together(&net, &pairs, &Meter::unlimited()).expect("no limit");
        assert_eq!(never, [true, true, true, true, true, true, true, true, false, false]);
    }
}
