//! All lanes beside the engine of single states, move by move. Not under Miri, where grounding
//! a game takes long: there, programs of random nets are run.

use super::book::Book;
use super::choice::Choose;
use super::layout::{Layout, Phase, latch_slot};
use super::machine::{Ages, Machine, Start};
use super::plane::Plane;
use super::program::Slot;
use super::*;
use crate::engine::{Engine, MoveId, RoleId};
use crate::play::{choose, seeded};
use crate::propnet::Propnet;
use rand::RngExt;
use std::cell::RefCell;
use std::sync::Arc;

/// What each lane is expected to be in.
struct Lanes<'e> {
    engine: &'e Propnet,
    layout: &'e Layout,
    states: Vec<State>,
    /// The last states of playouts, until their goals are told.
    over: Vec<Option<State>>,
    /// By lane: how many goals were told of that.
    told: Vec<u16>,
    random: Xoshiro256PlusPlus,
    /// The first states, one for each lane.
    first: Vec<State>,
    to_begin: u64,
    ended: u64,
    steps: u64,
}

/// Plays the moves that the engine says are legal.
struct Forced<'e, 'l>(&'l RefCell<Lanes<'e>>);
struct Watched<'e, 'l>(&'l RefCell<Lanes<'e>>);

impl Lanes<'_> {
    fn lanes<P: Plane>(lanes: P) -> impl Iterator<Item = usize> {
        (0..P::LANES).filter(move |&lane| lanes.has(lane))
    }

    /// Compares what a lane says about its state, and chooses a joint move.
    fn step<P: Plane>(&mut self, phase: &Phase, lane: usize, memory: &mut [P]) {
        let engine = self.engine;
        let (game, state) = (&engine.game().name, &self.states[lane]);
        for (place, &latch) in self.layout.latches.iter().enumerate() {
            let found = memory[latch_slot(place) as usize].has(lane);
            assert_eq!(found, state.latch(latch), "{game}: latch {latch} in lane {lane}");
        }
        let mut scratch = engine.scratch();
        engine.enter(&mut scratch, state);
        assert_eq!(engine.terminal(&mut scratch), Ok(false), "{game}: lane {lane} goes on");
        let mut joint = Vec::new();
        for role in 0..engine.net().roles {
            let mut legal = Vec::new();
            engine.legal(&mut scratch, RoleId(role), &mut legal).unwrap();
            let chosen = choose(&legal, &mut self.random).expect("nobody is stuck");
            joint.push(chosen);
            let choice = phase.terms.iter().position(|(of, _)| *of == role);
            let Some(choice) = choice else {
                assert_eq!(legal.len(), 1, "{game}: {role} has no choice in lane {lane}");
                continue;
            };
            let (moves, terms) = (&phase.choices[choice], &phase.terms[choice].1);
            let mut found: Vec<MoveId> = (terms.iter().zip(&moves.legal))
                .filter(|&(_, &slot)| memory[slot as usize].has(lane))
                .map(|(&term, _)| MoveId(term))
                .collect();
            found.sort_unstable();
            legal.sort_unstable();
            assert_eq!(found, legal, "{game}: legal moves of {role} in lane {lane}");
            for (at, &term) in terms.iter().enumerate() {
                let slot = moves.made + at as Slot;
                memory[slot as usize].put(lane, MoveId(term) == chosen);
            }
        }
        engine.step(&mut scratch, &joint).expect("a legal move");
        self.states[lane] = engine.state(&scratch);
        self.steps += 1;
    }
}

impl Lanes<'_> {
    /// Compares the goal of a playout that is over.
    fn tell(&mut self, role: u16, value: Option<u8>, lane: usize) {
        let state = self.over[lane].as_ref().expect("it is over");
        let mut scratch = self.engine.scratch();
        self.engine.enter(&mut scratch, state);
        let expected = self.engine.goal(&mut scratch, RoleId(role)).ok();
        assert_eq!(value, expected, "{}: goal of {role}", self.engine.game().name);
        self.told[lane] += 1;
        if self.told[lane] == self.engine.net().roles {
            self.over[lane] = None;
            self.told[lane] = 0;
        }
    }
}

impl<P: Plane> Choose<P> for Forced<'_, '_> {
    fn choose(&mut self, phase: &Phase, playing: P, memory: &mut [P]) -> P {
        let mut lanes = self.0.borrow_mut();
        Lanes::lanes(playing).for_each(|lane| lanes.step(phase, lane, memory));
        P::none()
    }
}

impl<P: Plane> Book<P> for Watched<'_, '_> {
    fn begin(&mut self, free: P) -> P {
        let mut lanes = self.0.borrow_mut();
        let mut begins = P::none();
        for lane in Lanes::lanes(free) {
            // Not all at once, so that lanes get out of step.
            if lanes.to_begin > 0 && lanes.random.random_bool(0.6) {
                lanes.to_begin -= 1;
                lanes.states[lane] = lanes.first[lane].clone();
                begins.put(lane, true);
            }
        }
        begins
    }

    fn has_more(&self) -> bool {
        self.0.borrow().to_begin > 0
    }

    fn finish(&mut self) {}

    fn step(&mut self, _: P) {}

    fn ended(&mut self, ended: P, _: &Ages<P>) {
        let mut lanes = self.0.borrow_mut();
        for lane in Lanes::lanes(ended) {
            let state = lanes.states[lane].clone();
            let mut scratch = lanes.engine.scratch();
            lanes.engine.enter(&mut scratch, &state);
            assert_eq!(lanes.engine.terminal(&mut scratch), Ok(true), "lane {lane} is over");
            lanes.ended += 1;
            let before = lanes.over[lane].replace(state);
            assert!(before.is_none(), "the goals of lane {lane} were told");
        }
    }

    fn capped(&mut self, _: P, _: &Ages<P>) {
        panic!("nothing is cut");
    }

    fn stuck(&mut self, _: P, _: &Ages<P>) {
        panic!("nobody is stuck");
    }

    fn forgotten(&mut self, _: P, _: &Ages<P>) {
        panic!("nothing is forgotten");
    }

    fn goal(&mut self, role: u16, value: u8, found: P) {
        let mut lanes = self.0.borrow_mut();
        Lanes::lanes(found).for_each(|lane| lanes.tell(role, Some(value), lane));
    }

    fn improper(&mut self, role: u16, found: P) {
        let mut lanes = self.0.borrow_mut();
        Lanes::lanes(found).for_each(|lane| lanes.tell(role, None, lane));
    }
}

/// Plays random moves from `first`, in turn for each lane, and compares every state.
fn compare<P: Plane>(engine: &Propnet, batch: &Batch, first: &[State], playouts: u64, seed: u64) {
    if !P::is_available() {
        return;
    }
    let first: Vec<State> = (0..P::LANES).map(|lane| first[lane % first.len()].clone()).collect();
    let plane = |latch| {
        let mut plane = P::none();
        (0..P::LANES).for_each(|lane| plane.put(lane, first[lane].latch(latch)));
        plane
    };
    let latches = batch.layout.latches.iter().map(|&latch| plane(latch)).collect();
    let start = Start { latches, phase: batch.phase(&first[0]), max_steps: u64::MAX };
    let lanes = RefCell::new(Lanes {
        engine,
        layout: &batch.layout,
        states: first.clone(),
        over: vec![None; P::LANES],
        told: vec![0; P::LANES],
        random: seeded(seed, 0),
        first,
        to_begin: playouts,
        ended: 0,
        steps: 0,
    });
    let mut machine = Machine::<P, _>::new(&batch.layout, Forced(&lanes));
    machine.run(&start, &mut Watched(&lanes), &mut |_| Control::Play);
    let lanes = lanes.into_inner();
    assert_eq!(lanes.ended, playouts);
    assert!(lanes.over.iter().all(Option::is_none), "all goals were told");
    assert!(lanes.steps > 0);
}

fn both(name: &str, rules: &str) -> (Propnet, Batch) {
    let game = Game::from_kif(name, rules).expect("a rulesheet");
    let game = Arc::new(game);
    let net = Net::of_game(game.clone(), &Budget::default()).expect("it is small");
    (Propnet::of_net(game.clone(), net.clone()), Batch::of_net(game, net))
}

const GAMES: [(&str, &str); 9] = [
    ("tictactoe", include_str!("../../kif/tictactoe.kif")),
    ("connect4", include_str!("../../kif/connect4.kif")),
    ("breakthrough", include_str!("../../kif/breakthrough.kif")),
    ("hex", include_str!("../../kif/hex.kif")),
    ("draughts", include_str!("../../kif/draughts.kif")),
    ("nim", include_str!("../../kif/nim.kif")),
    ("light_cycles", include_str!("../../kif/light_cycles.kif")),
    ("rock_paper_scissors", include_str!("../../kif/rock_paper_scissors.kif")),
    ("three_player_auction", include_str!("../../kif/three_player_auction.kif")),
];

#[test]
fn every_lane_does_what_the_net_does() {
    for (name, rules) in GAMES {
        let (engine, batch) = both(name, rules);
        let first = [engine.initial().clone()];
        compare::<u64>(&engine, &batch, &first, 200, 1);
        #[cfg(target_arch = "x86_64")]
        compare::<plane::Avx2>(&engine, &batch, &first, 600, 2);
        #[cfg(target_arch = "x86_64")]
        compare::<plane::Avx512>(&engine, &batch, &first, 1200, 3);
    }
}

#[test]
fn lanes_begin_in_different_states() {
    for (name, rules) in GAMES {
        let (engine, batch) = both(name, rules);
        // States some steps into the game, all in the same phase.
        let mut random = seeded(5, 0);
        let mut scratch = engine.scratch();
        let mut states = Vec::new();
        while states.len() < 40 {
            engine.enter(&mut scratch, engine.initial());
            for _ in 0..random.random_range(0..6) {
                let mut joint = Vec::new();
                for role in 0..engine.net().roles {
                    let mut legal = Vec::new();
                    engine.legal(&mut scratch, RoleId(role), &mut legal).unwrap();
                    joint.extend(choose(&legal, &mut random));
                }
                if engine.step(&mut scratch, &joint).is_err() {
                    break;
                }
            }
            states.push(engine.state(&scratch));
        }
        for phase in 0..batch.layout.phases.len() {
            let of_phase = states.iter().filter(|state| batch.phase(state) == phase);
            let of_phase: Vec<State> = of_phase.cloned().collect();
            if !of_phase.is_empty() {
                compare::<u64>(&engine, &batch, &of_phase, 150, 7);
            }
        }
    }
}
