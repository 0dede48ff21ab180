//! Mutexes: signals that are never all true in one state.
//!
//! The net has groups of facts of one name, of which one is true at most. This file answers for two other
//! facts, for more than two, and for signals that are no facts.
//!
//! ```text
//! [(cell 2 free), (cell 3 disc)]                          no disc is above a free cell
//! [not (cell 2 red), not (cell 2 black), (cell 3 red)]    nor is a disc above no disc
//! [(legal red (drop 2)), not (cell 2 6 free)]             what is legal tells that a cell is free
//! ```

use super::candidates::{Candidates, Group, always_one, never_two};
use super::induction::Induction;
use super::sample::Samples;
use super::{LARGEST, prove};
use crate::net::gates::{Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashSet;

/// In nets with more latches, only the lists that are asked for support each other's proofs.
const FEW_LATCHES: usize = 256;

/// Whether the two signals of each pair exclude each other (a mutex) in every state that play can reach, as far
/// as a proof by induction is found within its share of work. Both are facts. All pairs support each
/// other's proofs; in small nets all other pairs of facts do, too. Takes about as long as the pass that
/// proves invariants of a net of that size.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn never_together(
    net: &Net,
    pairs: &[[Signal; 2]],
    meter: &Meter<'_>,
) -> Result<Vec<bool>, Exhausted> {
    let lists: Vec<Vec<Signal>> = pairs.iter().map(|pair| pair.to_vec()).collect();
    let is_pair_of_facts = |list: &[Signal]| list.iter().all(|signal| is_latch(net, *signal));
    let mut never = never_all(net, &lists, meter)?;
    never.iter_mut().zip(&lists).for_each(|(never, list)| *never &= is_pair_of_facts(list));
    Ok(never)
}

/// Whether the signals of each list are never all true in one state, as far as a proof is found within its
/// share of work. Lists of facts, and of what they are not, support each other's proofs by induction. A list
/// with other signals follows from what is proven, or is not known. Takes as long as [`never_together`].
///
/// # Errors
///
/// When the budget is exhausted.
pub fn never_all(
    net: &Net,
    lists: &[Vec<Signal>],
    meter: &Meter<'_>,
) -> Result<Vec<bool>, Exhausted> {
    if lists.is_empty() || net.latches.is_empty() || net.len() + net.wires() > LARGEST {
        return Ok(vec![false; lists.len()]);
    }
    let samples = Samples::of(net, meter)?;
    let proven = (net.exclusive.iter().map(|members| (members, false)))
        .chain(net.covering.iter().map(|members| (members, true)))
        .map(|(members, covering)| Group { covering, members: members.clone(), family: 0 });
    let mut groups: Vec<Group> = proven.collect();
    let proven = groups.len();
    let supporting = match net.latches.len() <= FEW_LATCHES {
        true => pairs_of_facts(net, lists),
        false => Vec::new(),
    };
    // By list: its place among the groups, unless a state of the sample has all of it.
    let mut places = Vec::with_capacity(lists.len() + supporting.len());
    for list in lists.iter().chain(&supporting) {
        meter.spend(samples.steps())?;
        let group = candidate(net, list).filter(|group| match group.covering {
            true => always_one(&group.members, &samples),
            false => never_two(&group.members, &samples),
        });
        places.push(group.as_ref().map(|_| groups.len()));
        groups.extend(group);
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
    let mut never = Vec::with_capacity(lists.len());
    for (list, place) in lists.iter().zip(&places) {
        let is_impossible = list.iter().any(|signal| list.contains(&!*signal));
        let groups = &induction.candidates.groups;
        let is_left = |at: usize| groups[at].members.len() == list.len();
        never.push(match place {
            _ if is_impossible => true,
            Some(at) => is_left(*at),
            None if list.iter().all(|signal| is_latch(net, *signal)) => false,
            None => induction.never(list)?,
        });
    }
    Ok(never)
}

/// A list of facts as a candidate: as two of which one is true at most, or with each turned round as some of
/// which one is true at least.
fn candidate(net: &Net, list: &[Signal]) -> Option<Group> {
    let gates: HashSet<usize> = list.iter().map(|signal| signal.gate().index()).collect();
    let is_one = gates.len() == list.len() && list.iter().all(|signal| is_latch(net, *signal));
    let group = |covering, members| Group { covering, members, family: 0 };
    match list {
        _ if !is_one => None,
        [] | [_] => None,
        [_, _] => Some(group(false, list.to_vec())),
        _ => Some(group(true, list.iter().map(|&signal| !signal).collect())),
    }
}

fn is_latch(net: &Net, signal: Signal) -> bool {
    matches!(net.operation(signal.gate()), Operation::Latch(_))
}

/// All pairs of facts of a state but some.
fn pairs_of_facts(net: &Net, but: &[Vec<Signal>]) -> Vec<Vec<Signal>> {
    let sorted = |[one, other]: [Signal; 2]| if one < other { [one, other] } else { [other, one] };
    let excluded = but.iter().filter_map(|list| match list[..] {
        [one, other] => Some(sorted([one, other])),
        _ => None,
    });
    let excluded: HashSet<[Signal; 2]> = excluded.collect();
    let facts = net.fluents.iter().map(|bit| bit.signal);
    let facts: Vec<Signal> = facts.filter(|&signal| is_latch(net, signal)).collect();
    let pairs = facts
        .iter()
        .enumerate()
        .flat_map(|(at, &one)| facts[..at].iter().map(move |&other| sorted([one, other])));
    pairs.filter(|pair| !excluded.contains(pair)).map(|pair| pair.to_vec()).collect()
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

    /// Two kinds of discs, and no fact that says that a cell is free.
    const TWO_KINDS: &str = "
        (role red) (cell 1) (cell 2) (cell 3) (above 1 2) (above 2 3) (kind red) (kind blue)
        (<= (free ?h) (cell ?h) (not (true (disc ?h red))) (not (true (disc ?h blue))))
        (<= (legal red (drop ?k)) (kind ?k) (free 3))
        (legal red wait)
        (<= (next (disc 1 ?k)) (does red (drop ?k)) (free 1))
        (<= (next (disc ?h ?k)) (does red (drop ?k)) (free ?h) (above ?g ?h) (not (free ?g)))
        (<= (next (disc ?h ?k)) (true (disc ?h ?k)))
        (<= terminal (not (free 3))) (goal red 50)";

    #[test]
    fn below_a_disc_is_one_of_two() {
        let game = Game::from_kif("test", TWO_KINDS).expect("a rulesheet");
        let ground = Ground::new(game.clone(), &Budget::default()).expect("it is small");
        let net = Net::from_ground(&ground, &Meter::unlimited()).expect("no limit");
        let disc = |height: usize, kind: &str| {
            let name = format!("(disc {height} {kind})");
            let is_it = |f: &&crate::net::gates::FluentBit| f.fact.canonical(&game.symbols) == name;
            net.fluents.iter().find(is_it).expect("such a fact").signal
        };
        let is_drop = |input: &&crate::net::gates::Input| {
            net.moves[input.term as usize].canonical(&game.symbols) == "(drop red)"
        };
        let legal = net.inputs.iter().find(is_drop).expect("such a move").legal;
        let without =
            |height: usize, above: Signal| vec![!disc(height, "red"), !disc(height, "blue"), above];
        let lists = [
            without(1, disc(2, "red")),
            without(1, disc(3, "blue")),
            without(2, disc(3, "red")),
            vec![legal, disc(3, "red")],
            // One of two kinds lies there, but which is not known; and discs may lie below none.
            vec![!disc(1, "red"), disc(2, "red")],
            without(2, disc(1, "red")),
            vec![legal, disc(1, "red")],
        ];
        let never = never_all(&net, &lists, &Meter::unlimited()).expect("no limit");
        assert_eq!(never, [true, true, true, true, false, false, false]);
    }
}
