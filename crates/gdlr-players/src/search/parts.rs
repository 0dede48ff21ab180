//! Independent parts: games that are played side by side, each move a move in every one of them.
//!
//! Two boards at once, two asteroids steered by one move: what happens in one part depends on
//! that part alone, and a move is a choice in each. The net shows the first, play the second: if
//! two latches belong to different parts, whatever a move does to the one goes together with
//! whatever a move does to the other. So latches are *of one part*
//!
//! - if one is needed to compute the other;
//! - if, in a state that random play came to, moves of a role make either of them true and false,
//!   but not in all four ways together.
//!
//! In most games this leaves one part, after very few states. Where it leaves several, moves that
//! never made a difference for a part are one *option* there.

use crate::tuning::SearchTuning;
use fixedbitset::FixedBitSet;
use gdlr_engine::engine::{Engine, MoveId, RoleId, choose};
use gdlr_net::net::Net;
use gdlr_net::propnet::{Propnet, Scratch, State};
use gdlr_text::classes::Classes;
use hashbrown::HashMap;
use rand_xoshiro::Xoshiro256PlusPlus;
use smallvec::SmallVec;

/// The choice of a move in a part: the first of the moves that do the same there.
pub(super) type Choice = MoveId;

/// The choices of a move, by part.
pub(super) type Choices = SmallVec<[Choice; 4]>;

/// The parts of a game.
#[derive(Debug)]
pub(super) struct Parts {
    /// By part: the latches that it is about, and those that no move influences.
    latches: Vec<FixedBitSet>,
    /// By move: what it chooses.
    choices: Vec<Choices>,
    /// The moves of a role that choose so.
    moves: HashMap<(RoleId, Choices), SmallVec<[MoveId; 1]>>,
}

/// The effects of a role's moves in a state, if the others do not change theirs.
struct Trial {
    moves: Vec<MoveId>,
    /// By move: the state it leads to.
    next: Vec<State>,
}

impl Parts {
    /// The parts of a game, if there are two or more and it was not told to stop.
    pub fn find(
        engine: &Propnet,
        rng: &mut Xoshiro256PlusPlus,
        tuning: &SearchTuning,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Parts> {
        let net = engine.net();
        if net.inputs.len() > tuning.parts_moves {
            return None;
        }
        let mut same = Classes::new(net.latches.len());
        let mut varied = FixedBitSet::with_capacity(net.latches.len());
        let mut trials = Vec::new();
        let mut scratch = engine.scratch();
        for _ in 0..tuning.parts_states {
            if is_over() {
                return None;
            }
            let (tried, joint) = try_moves(engine, &mut scratch, rng);
            for trial in &tried {
                unite(trial, &mut same, &mut varied);
            }
            let mut seen = varied.ones().map(|latch| same.of(latch));
            if seen.next().is_some_and(|first| seen.all(|other| other == first)) {
                return None;
            }
            trials.extend(tried);
            let stepped = joint.is_some_and(|joint| engine.step(&mut scratch, &joint).is_ok());
            if !stepped || engine.terminal(&mut scratch) != Ok(false) {
                engine.enter(&mut scratch, engine.initial());
            }
        }
        depend(net, &mut same, &mut varied);
        let mut roots: Vec<usize> = varied.ones().map(|latch| same.of(latch)).collect();
        roots.sort_unstable();
        roots.dedup();
        if roots.len() < 2 {
            return None;
        }
        let part = |root: &usize| {
            let mut latches: FixedBitSet =
                (0..net.latches.len()).filter(|&latch| !varied.contains(latch)).collect();
            latches.grow(net.latches.len());
            latches.extend(varied.ones().filter(|&latch| same.of(latch) == *root));
            latches
        };
        Parts::of(net, roots.iter().map(part).collect(), &trials)
    }

    /// Divides moves by what they do to each part; `None` if that contradicts itself.
    fn of(net: &Net, latches: Vec<FixedBitSet>, trials: &[Trial]) -> Option<Parts> {
        let mut choices = vec![Choices::new(); net.inputs.len()];
        for part in &latches {
            let mut differ = vec![FixedBitSet::with_capacity(net.inputs.len()); net.inputs.len()];
            let mut together = differ.clone();
            for trial in trials {
                let next: Vec<State> = trial.next.iter().map(|state| state.only(part)).collect();
                for (a, one) in trial.moves.iter().zip(&next) {
                    for (b, other) in trial.moves.iter().zip(&next) {
                        together[a.index()].insert(b.index());
                        if one != other {
                            differ[a.index()].insert(b.index());
                        }
                    }
                }
            }
            let mut same = Classes::new(net.inputs.len());
            for (a, (together, differ)) in together.iter().zip(&differ).enumerate() {
                together.difference(differ).for_each(|b| same.join(a, b));
            }
            let apart = |(a, differ): (usize, &FixedBitSet)| {
                differ.ones().all(|b| same.of(a) != same.of(b))
            };
            if !differ.iter().enumerate().all(apart) {
                return None;
            }
            for (at, choices) in choices.iter_mut().enumerate() {
                choices.push(MoveId(same.of(at) as u32));
            }
        }
        let mut moves: HashMap<_, SmallVec<[MoveId; 1]>> = HashMap::new();
        for (at, (choices, input)) in choices.iter().zip(&net.inputs).enumerate() {
            moves.entry((input.role, choices.clone())).or_default().push(MoveId(at as u32));
        }
        Some(Parts { latches, choices, moves })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.latches.len()
    }

    /// The facts of a state that belong to a part.
    pub fn state(&self, part: usize, state: &State) -> State {
        state.only(&self.latches[part])
    }

    /// The choice of a move in each part.
    pub fn choices(&self, id: MoveId) -> &Choices {
        &self.choices[id.index()]
    }

    /// The moves of a role that choose so, legal or not.
    pub fn moves(&self, role: RoleId, choices: Choices) -> &[MoveId] {
        self.moves.get(&(role, choices)).map_or(&[], |moves| moves)
    }
}

/// The effects of each role's moves in a state, with a joint move to go on with; `None` where a role
/// has no move.
fn try_moves(
    engine: &Propnet,
    scratch: &mut Scratch,
    rng: &mut Xoshiro256PlusPlus,
) -> (Vec<Trial>, Option<Vec<MoveId>>) {
    let here = engine.state(scratch);
    let legal: Vec<Vec<MoveId>> = engine
        .roles()
        .iter()
        .map(|role| {
            let mut moves = Vec::new();
            // A net has no limit of work.
            let _ = engine.legal(scratch, role, &mut moves);
            moves
        })
        .collect();
    let Some(joint) = legal.iter().map(|moves| choose(moves, rng)).collect::<Option<Vec<_>>>()
    else {
        return (Vec::new(), None);
    };
    let mut trials = Vec::new();
    for (role, moves) in legal.into_iter().enumerate().filter(|(_, moves)| moves.len() > 1) {
        let mut joint = joint.clone();
        let mut trial = Trial { moves: Vec::new(), next: Vec::new() };
        for id in moves {
            joint[role] = id;
            engine.enter(scratch, &here);
            if engine.step(scratch, &joint).is_ok() {
                trial.moves.push(id);
                trial.next.push(engine.state(scratch));
            }
        }
        trials.push(trial);
    }
    engine.enter(scratch, &here);
    (trials, Some(joint))
}

/// Unites latches that do not change in all four ways together.
fn unite(trial: &Trial, same: &mut Classes, varied: &mut FixedBitSet) {
    let Some(first) = trial.next.first() else { return };
    let mut latches: Vec<usize> =
        trial.next.iter().flat_map(|state| state.differences(first)).collect();
    latches.sort_unstable();
    latches.dedup();
    // The moves that make a latch true.
    let of = |latch: usize| -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(trial.next.len());
        let states = trial.next.iter().enumerate();
        set.extend(states.filter(|(_, state)| state.latch(latch as u32)).map(|(at, _)| at));
        set
    };
    let sets: Vec<FixedBitSet> = latches.iter().map(|&latch| of(latch)).collect();
    for (at, (a, set)) in latches.iter().zip(&sets).enumerate() {
        varied.insert(*a);
        for (b, other) in latches.iter().zip(&sets).skip(at + 1) {
            if same.of(*a) == same.of(*b) {
                continue;
            }
            let both = set.intersection_count(other);
            let (one, two) = (set.count_ones(..), other.count_ones(..));
            let neither = trial.next.len() + both - one - two;
            if both == 0 || both == one || both == two || neither == 0 {
                same.join(*a, *b);
            }
        }
    }
}

/// Unites latches with those that they are computed from, of those that vary; a latch that is
/// computed from one that varies varies, too. What never varied is taken for common to all parts.
fn depend(net: &Net, same: &mut Classes, varied: &mut FixedBitSet) {
    loop {
        let before = (varied.count_ones(..), same.count());
        // By gate: a latch that it depends on.
        let mut on: Vec<Option<usize>> = vec![None; net.len()];
        for latch in varied.ones() {
            on[net.latches[latch].gate.index()] = Some(latch);
        }
        let next = || net.latches.iter().map(|latch| latch.next);
        let needed = net.reached(next());
        for gate in net.computed().filter(|gate| needed[gate.index()]) {
            for operand in net.operands(gate) {
                match (on[gate.index()], on[operand.gate().index()]) {
                    (Some(a), Some(b)) => same.join(a, b),
                    (None, found) => on[gate.index()] = found,
                    (Some(_), None) => {}
                }
            }
        }
        for (latch, next) in next().enumerate() {
            if let Some(source) = on[next.gate().index()] {
                same.join(latch, source);
                varied.insert(latch);
            }
        }
        if before == (varied.count_ones(..), same.count()) {
            return;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use gdlr_engine::engine::seeded;
    use gdlr_net::ground::Budget;
    use gdlr_rules::gdl::Game;

    /// Two rows of cells. By turns, each role marks a free cell of either with one move.
    pub const ROWS: &str = "(role a) (role b) (init (turn a)) (other a b) (other b a)
        (cell 1) (cell 2) (cell 3) (cell 4)
        (<= (init (left ?x)) (cell ?x)) (<= (init (right ?x)) (cell ?x))
        (<= (legal ?r (mark ?x ?y)) (true (turn ?r)) (true (left ?x)) (true (right ?y)))
        (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
        (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
        (<= (taken left ?r ?x) (does ?r (mark ?x ?y)))
        (<= (taken right ?r ?y) (does ?r (mark ?x ?y)))
        (<= (next (left ?x)) (true (left ?x)) (not (taken left a ?x)) (not (taken left b ?x)))
        (<= (next (right ?x)) (true (right ?x)) (not (taken right a ?x)) (not (taken right b ?x)))
        (<= (next (mine ?s ?r ?x)) (taken ?s ?r ?x))
        (<= (next (mine ?s ?r ?x)) (true (mine ?s ?r ?x)))
        (<= terminal (not open)) (<= open (true (left ?x)))
        (<= both (true (mine left a 2)) (true (mine right a 3)))
        (<= one (true (mine left a 2)) (not (true (mine right a 3))))
        (<= one (true (mine right a 3)) (not (true (mine left a 2))))
        (<= (goal a 100) both) (<= (goal a 50) one) (<= (goal a 0) (not both) (not one))
        (<= (goal b 0) both) (<= (goal b 50) one) (<= (goal b 100) (not both) (not one))";

    pub fn engine(text: &str) -> Propnet {
        let game = Game::from_kif("rows", text);
        Propnet::new(game.expect("a rulesheet"), &Budget::default()).expect("a net")
    }

    fn find(engine: &Propnet) -> Option<Parts> {
        Parts::find(engine, &mut seeded(1, 0), &SearchTuning::default(), &|| false)
    }

    #[test]
    fn rows_that_are_marked_together_are_parts() {
        let engine = engine(ROWS);
        let parts = find(&engine).expect("two parts");
        assert_eq!(parts.count(), 2);
        let mut scratch = engine.scratch();
        let mut legal = Vec::new();
        engine.legal(&mut scratch, RoleId(0), &mut legal).expect("moves");
        assert_eq!(legal.len(), 16);
        for part in 0..2 {
            let mut chosen: Vec<Choice> = legal.iter().map(|&id| parts.choices(id)[part]).collect();
            chosen.sort_unstable();
            chosen.dedup();
            assert_eq!(chosen.len(), 4);
        }
        for &id in &legal {
            assert_eq!(parts.moves(RoleId(0), parts.choices(id).clone()), [id]);
        }
        // A step of one part does not show in the other; whose turn it is shows in both.
        let before = engine.state(&scratch);
        let wait = engine.net().inputs.iter().position(|input| {
            input.role == RoleId(1)
                && engine.net().moves[input.term as usize].canonical(engine.symbols()) == "wait"
        });
        let wait = MoveId(wait.expect("a move") as u32);
        let same_left: Vec<MoveId> = legal
            .iter()
            .copied()
            .filter(|&id| parts.choices(id)[0] == parts.choices(legal[0])[0])
            .collect();
        let mut after = Vec::new();
        for id in same_left {
            engine.enter(&mut scratch, &before);
            engine.step(&mut scratch, &[id, wait]).expect("a legal step");
            after.push(engine.state(&scratch));
        }
        assert_eq!(after.len(), 4);
        assert!(after.iter().all(|state| parts.state(0, state) == parts.state(0, &after[0])));
        assert!(after[1..].iter().all(|state| parts.state(1, state) != parts.state(1, &after[0])));
        assert_ne!(parts.state(0, &before), parts.state(0, &after[0]));
    }

    #[test]
    fn a_mark_that_is_counted_for_both_joins_them() {
        // As soon as a step depends on both, there is one part.
        let text = ROWS.replace(
            "(<= (next (left ?x)) (true (left ?x))",
            "(<= (next (left ?x)) (true (left ?x)) (not (true (mine right a 1)))",
        );
        assert!(find(&engine(&text)).is_none());
    }

    #[test]
    fn a_choice_of_where_to_move_is_no_choice_in_each() {
        for text in
            [include_str!("../../../../kif/tictactoe.kif"), include_str!("../../../../kif/nim.kif")]
        {
            assert!(find(&engine(text)).is_none());
        }
    }

    #[test]
    fn who_is_told_to_stop_finds_nothing() {
        assert!(
            Parts::find(&engine(ROWS), &mut seeded(1, 0), &SearchTuning::default(), &|| true)
                .is_none()
        );
    }
}
