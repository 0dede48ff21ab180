//! All lanes beside the engine of single states, move by move. Not under Miri, where grounding
//! a game takes long: there, programs of random nets are run.

use super::choose::ChooseMoves;
use super::layout::{GameLayout, Phase, latch_slot};
use super::machine::{Machine, Rollouts};
use super::plane::Plane;
use super::program::Slot;
use super::simd128::Simd128;
use super::step_counters::StepCounters;
use super::tally::Tally;
use super::token::Token;
use super::*;
use gdlr_engine::engine::{Engine, MoveId, RoleId};
use gdlr_engine::play::{choose, seeded};
use gdlr_net::net::GOES_ON;
use gdlr_net::propnet::Propnet;
use rand::RngExt;
use std::cell::RefCell;
use std::sync::Arc;

/// Who plays: of a lane, and the legal moves of a role there, the place of the move to make.
type Player = fn(&mut Xoshiro256PlusPlus, usize, &[MoveId]) -> usize;

/// Any move.
const AT_RANDOM: Player = |random, _, legal| random.random_range(0..legal.len());
/// The first move, in every lane.
const FIRST: Player = |_, _, _| 0;
/// A move that is prescribed for each lane.
const BY_LANE: Player = |_, lane, legal| lane % legal.len();

/// The state that each lane is expected to be in.
struct Expected<'e> {
    engine: &'e Propnet,
    layout: &'e GameLayout,
    player: Player,
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

/// Plays moves that the engine says are legal.
struct Prescribed<'e, 'l>(&'l RefCell<Expected<'e>>);
struct Watched<'e, 'l>(&'l RefCell<Expected<'e>>);

impl Expected<'_> {
    /// Compares what a lane says about its state, and makes the moves of the player.
    fn step<P: Plane>(&mut self, phase: &Phase, lane: usize, memory: &mut [P]) {
        let engine = self.engine;
        let (game, state) = (&engine.game().name, &self.states[lane]);
        for (place, &latch) in self.layout.latches.iter().enumerate() {
            let actual = memory[latch_slot(place) as usize].has(lane);
            assert_eq!(actual, state.latch(latch), "{game}: latch {latch} in lane {lane}");
        }
        let mut scratch = engine.scratch();
        engine.enter(&mut scratch, state);
        assert_eq!(engine.terminal(&mut scratch), Ok(false), "{game}: lane {lane} goes on");
        let mut joint = Vec::new();
        for role in 0..engine.net().roles {
            let mut legal = Vec::new();
            engine.legal(&mut scratch, RoleId(role), &mut legal).unwrap();
            legal.sort_unstable();
            let chosen = legal[(self.player)(&mut self.random, lane, &legal)];
            joint.push(chosen);
            let choice = phase.terms.iter().position(|of| of.role == role);
            let Some(choice) = choice else {
                assert_eq!(legal.len(), 1, "{game}: {role} has no choice in lane {lane}");
                continue;
            };
            let (moves, terms) = (&phase.choices[choice], &phase.terms[choice].terms);
            // The inputs of a phase are numbered anew.
            let term = |id: MoveId| engine.net().inputs[id.index()].term;
            let mut actual: Vec<u32> = (terms.iter().zip(&moves.legal))
                .filter(|&(_, &slot)| memory[slot as usize].has(lane))
                .map(|(&term, _)| term)
                .collect();
            actual.sort_unstable();
            let mut expected: Vec<u32> = legal.iter().map(|&id| term(id)).collect();
            expected.sort_unstable();
            assert_eq!(actual, expected, "{game}: legal moves of {role} in lane {lane}");
            for (at, &of) in terms.iter().enumerate() {
                let slot = moves.does + at as Slot;
                memory[slot as usize].put(lane, of == term(chosen));
            }
        }
        engine.step(&mut scratch, &joint).expect("a legal move");
        self.states[lane] = engine.state(&scratch);
        self.steps += 1;
    }

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

impl<P: Plane> ChooseMoves<P> for Prescribed<'_, '_> {
    fn choose(&mut self, phase: &Phase, playing: P, memory: &mut [P]) -> P {
        let mut expected = self.0.borrow_mut();
        playing.lanes().for_each(|lane| expected.step(phase, lane, memory));
        playing.token().none()
    }
}

impl<P: Plane> Tally<P> for Watched<'_, '_> {
    fn begin(&mut self, free: P) -> P {
        let mut expected = self.0.borrow_mut();
        let mut begins = free.token().none();
        for lane in free.lanes() {
            // Not all at once, so that lanes get out of step.
            if expected.to_begin > 0 && expected.random.random_bool(0.6) {
                expected.to_begin -= 1;
                expected.states[lane] = expected.first[lane].clone();
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

    fn ended(&mut self, ended: P, _: &StepCounters<P>) {
        let mut expected = self.0.borrow_mut();
        for lane in ended.lanes() {
            let state = expected.states[lane].clone();
            let mut scratch = expected.engine.scratch();
            expected.engine.enter(&mut scratch, &state);
            assert_eq!(expected.engine.terminal(&mut scratch), Ok(true), "lane {lane} is over");
            expected.ended += 1;
            let before = expected.over[lane].replace(state);
            assert!(before.is_none(), "the goals of lane {lane} were told");
        }
    }

    fn capped(&mut self, _: P, _: &StepCounters<P>) {
        panic!("nothing is cut");
    }

    fn stuck(&mut self, _: P, _: &StepCounters<P>) {
        panic!("nobody is stuck");
    }

    fn forgotten(&mut self, _: P, _: &StepCounters<P>) {
        panic!("nothing is forgotten");
    }

    fn goal(&mut self, role: u16, value: u8, actual: P) {
        let mut expected = self.0.borrow_mut();
        actual.lanes().for_each(|lane| expected.tell(role, Some(value), lane));
    }

    fn improper(&mut self, role: u16, actual: P) {
        let mut expected = self.0.borrow_mut();
        actual.lanes().for_each(|lane| expected.tell(role, None, lane));
    }
}

/// Plays from `first`, in turn for each lane, and compares every state.
fn compare<P: Plane>(
    engine: &Propnet,
    batch: &Batch,
    player: Player,
    first: &[State],
    playouts: u64,
) {
    let Some(token) = Token::<P>::detect() else { return };
    let first: Vec<State> = (0..P::LANES).map(|lane| first[lane % first.len()].clone()).collect();
    let layout = &batch.played;
    let mut machine = Machine::new(token, layout);
    machine.enter(layout, |latch| {
        let mut plane = token.none();
        (0..P::LANES).for_each(|lane| plane.put(lane, first[lane].latch(latch)));
        plane
    });
    let rollouts = Rollouts { phase: batch.phase(&first[0]), max_steps: u64::MAX };
    let expected = RefCell::new(Expected {
        engine,
        layout,
        player,
        states: first.clone(),
        over: vec![None; P::LANES],
        told: vec![0; P::LANES],
        random: seeded(playouts, 0),
        first,
        to_begin: playouts,
        ended: 0,
        steps: 0,
    });
    let (mut chooser, mut tally) = (Prescribed(&expected), Watched(&expected));
    machine.run(layout, rollouts, &mut chooser, &mut tally, &mut |_| Control::Play);
    let expected = expected.into_inner();
    assert_eq!(expected.ended, playouts);
    assert!(expected.over.iter().all(Option::is_none), "all goals were told");
    assert!(expected.steps > 0);
}

/// In lanes of all widths.
fn compare_all(engine: &Propnet, batch: &Batch, player: Player, playouts: u64) {
    let first = [engine.initial().clone()];
    compare::<u64>(engine, batch, player, &first, playouts);
    compare::<Simd128>(engine, batch, player, &first, 2 * playouts);
    #[cfg(target_arch = "x86_64")]
    compare::<avx::Avx2>(engine, batch, player, &first, 3 * playouts);
    #[cfg(target_arch = "x86_64")]
    compare::<avx::Avx512>(engine, batch, player, &first, 6 * playouts);
}

fn both(name: &str, rules: &str) -> (Propnet, Batch) {
    both_tuned(name, rules, &Tuning::default())
}

fn both_tuned(name: &str, rules: &str, tuning: &Tuning) -> (Propnet, Batch) {
    let game = Game::from_kif(name, rules).expect("a rulesheet");
    let game = Arc::new(game);
    let net = Net::of_game(game.clone(), &Budget::default()).expect("it is small");
    let engine = Propnet::of_net(game.clone(), net.clone());
    let batch = Batch::tuned(Width::best(), tuning, game, net, &Meter::unlimited());
    (engine, batch.expect("there is no limit"))
}

/// Each of three players fills places; who takes the second goes on, and after the third a step
/// is made in which it is nobody's turn. Who has the first may end it.
const ON_AND_ON: &str = "(role x) (role o) (role z) (init (turn x))
    (after x o) (after o z) (after z nobody)
    (place 1) (place 2) (place 3) (place 4) (place 5) (place 6)
    (<= (legal ?p (put ?i)) (true (turn ?p)) (place ?i) (not (true (thing ?p ?i))))
    (<= (legal ?p resign) (true (turn ?p)) (true (thing ?p 1)))
    (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
    (<= (next (thing ?p ?i)) (does ?p (put ?i)))
    (<= (next (thing ?p ?i)) (true (thing ?p ?i)))
    (<= (next (turn ?q)) (does ?p (put ?i)) (distinct ?i 2) (after ?p ?q))
    (<= (next (turn ?p)) (does ?p (put 2)))
    (<= (next (turn x)) (true (turn nobody)))
    (<= (next resigned) (does ?p resign))
    (<= full (role ?p) (true (thing ?p 1)) (true (thing ?p 2)) (true (thing ?p 3))
        (true (thing ?p 4)) (true (thing ?p 5)))
    (<= terminal (true resigned))
    (<= terminal full)
    (<= (goal ?p 100) (true (thing ?p 2)))
    (<= (goal ?p 0) (role ?p) (not (true (thing ?p 2))))";

const GAMES: [(&str, &str); 10] = [
    ("on and on", ON_AND_ON),
    ("tictactoe", include_str!("../../../kif/tictactoe.kif")),
    ("connect4", include_str!("../../../kif/connect4.kif")),
    ("breakthrough", include_str!("../../../kif/breakthrough.kif")),
    ("hex", include_str!("../../../kif/hex.kif")),
    ("draughts", include_str!("../../../kif/draughts.kif")),
    ("nim", include_str!("../../../kif/nim.kif")),
    ("light_cycles", include_str!("../../../kif/light_cycles.kif")),
    ("rock_paper_scissors", include_str!("../../../kif/rock_paper_scissors.kif")),
    ("three_player_auction", include_str!("../../../kif/three_player_auction.kif")),
];

#[test]
fn every_lane_does_what_the_net_does() {
    for (name, rules) in GAMES {
        for tuning in [Tuning::default(), Tuning::small()] {
            let (engine, batch) = both_tuned(name, rules, &tuning);
            compare_all(&engine, &batch, AT_RANDOM, 200);
        }
    }
}

#[test]
fn lanes_wait_where_moves_decide_whose_turn_it_is() {
    for (name, rules) in GAMES {
        let (_, batch) = both(name, rules);
        let waits = ["on and on", "draughts"].contains(&name);
        assert_eq!(batch.played.waits, waits, "{name}");
        let stepped = batch.lay_out_stepped(&Meter::unlimited()).expect("no limit");
        assert!(!stepped.waits, "lanes that are stepped from outside are in one phase");
    }
}

/// Play that takes four steps whoever goes on is neither cut at four nor stuck while it waits.
#[test]
fn lanes_that_wait_are_neither_cut_nor_stuck() {
    let (engine, batch) = both("four", GOES_ON);
    assert!(&batch.played.waits);
    let mut scratch = batch.scratch();
    let initial = engine.initial();
    let control = &mut |_: &Total| Control::Play;
    batch.play_from(&mut scratch, initial, 2000, 4, &mut seeded(1, 0), control);
    let actual = &scratch.total.statistics;
    assert_eq!((actual.playouts, actual.states), (2000, 8000));
    assert_eq!((actual.capped, actual.stuck), (0, 0));
    batch.play_from(&mut scratch, initial, 2000, 3, &mut seeded(1, 0), control);
    let actual = &scratch.total.statistics;
    assert_eq!((actual.playouts, actual.states, actual.capped), (0, 0, 2000));
}

/// Few lanes in a phase are not kept waiting until all others are done: each of a hundred playouts
/// of another phase is over long before the last of all.
#[test]
fn nobody_waits_for_ever() {
    let (_, batch) = both("on and on", ON_AND_ON);
    let layout = &batch.played;
    let memory = plane::memory(Token::portable(), layout.size);
    let mut waits = waits::Waits::new(layout);
    // All lanes but one are in the first phase, and stay there.
    let mut memory = memory;
    let tell = |memory: &mut Vec<u64>, phase: usize, lanes: u64| {
        let [here] = layout.phases[phase].here[..] else { panic!("one latch tells") };
        memory[here.slot as usize] = lanes;
    };
    tell(&mut memory, 0, !1);
    tell(&mut memory, 1, 1);
    let turns: Vec<usize> = (0..100).map(|_| waits.next(layout, !0u64, &memory).0).collect();
    let others = turns.iter().filter(|&&phase| phase == 1).count();
    assert!((3..20).contains(&others), "{turns:?}");
    assert!(turns.iter().all(|&phase| phase < 2), "nobody is in another phase");
    assert_eq!(waits.next(layout, 1, &memory), (1, 1), "only lanes in play count");
}

#[test]
fn moves_are_chosen_from_outside() {
    for (name, rules) in GAMES {
        let (engine, batch) = both(name, rules);
        compare_all(&engine, &batch, FIRST, 70);
        compare_all(&engine, &batch, BY_LANE, 70);
    }
}

#[test]
fn a_batch_plays_in_as_many_lanes_as_it_was_told() {
    let (engine, batch) = both(GAMES[0].0, GAMES[0].1);
    assert_eq!(batch.width(), Width::best());
    for width in Width::ALL {
        let narrowed = match batch.clone().with_width(width) {
            Ok(narrowed) => narrowed,
            Err(refused) => {
                assert!(!width.is_available());
                assert_eq!(refused.width(), width);
                continue;
            }
        };
        assert!(width.is_available());
        assert_eq!(narrowed.width(), width);
        let loops = batch.clone().by_loops().with_width(width).unwrap();
        let wish = Backend::Loops(WithoutCode::Wish);
        assert_eq!((loops.width(), loops.backend()), (width, wish));
        let mut scratch = narrowed.scratch();
        assert_eq!(scratch.width(), width);
        fn count<P: Plane>(_: &RandomLanes<P>) -> usize {
            P::LANES
        }
        assert_eq!(with_width!(AnyLanes, &scratch.lanes, lanes => count(lanes)), width.lanes());
        // All lanes begin, then none goes on: as many playouts as there are lanes.
        let mut control = Control::Play;
        let rollouts = &mut |_: &Total| std::mem::replace(&mut control, Control::Cut);
        narrowed.play_from(
            &mut scratch,
            engine.initial(),
            u64::MAX,
            100,
            &mut seeded(1, 0),
            rollouts,
        );
        assert_eq!(scratch.total.statistics.capped, width.lanes() as u64);
    }
}

#[test]
fn a_scratch_may_be_used_again() {
    for (name, rules) in GAMES {
        let (engine, batch) = both(name, rules);
        let states = [engine.initial().clone(), engine.initial().clone()];
        let mut used = batch.scratch();
        // Broken off in the middle, with other playouts, and from many states.
        let mut turns = 3;
        let control = &mut |_: &Total| {
            turns -= 1;
            if turns > 0 { Control::Play } else { Control::Forget }
        };
        batch.play_from(&mut used, engine.initial(), 1000, 100, &mut seeded(5, 0), control);
        batch.rollouts_many(&mut used, &states, 100, 6);
        let expected = batch.rollouts(&mut batch.scratch(), engine.initial(), 300, 1).clone();
        assert_eq!(batch.rollouts(&mut used, engine.initial(), 300, 1), &expected, "{name}");
        let mut fresh = batch.scratch();
        let expected = batch.rollouts_many(&mut fresh, &states[..1], 300, 2);
        assert_eq!(batch.rollouts_many(&mut used, &states[..1], 300, 2), expected, "{name}");
        let mut copy = used.clone();
        let expected = batch.rollouts(&mut used, engine.initial(), 300, 3);
        assert_eq!(batch.rollouts(&mut copy, engine.initial(), 300, 3), expected, "{name}");
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
        let layout = &batch.played;
        for phase in 0..if layout.waits { 1 } else { layout.phases.len() } {
            let is_there = |state: &&State| layout.waits || batch.phase(state) == phase;
            let of_phase = states.iter().filter(is_there);
            let of_phase: Vec<State> = of_phase.cloned().collect();
            if !of_phase.is_empty() {
                compare::<u64>(&engine, &batch, AT_RANDOM, &of_phase, 150);
            }
        }
    }
}

/// Players put a stone on a free place, and may take one of four tokens, which comes back with the next
/// move; who puts the first one wins if it took the first token. A move is a place and a token.
pub(super) const PUT_AND_TAKE: &str = "(role x) (role o) (init (turn x)) (after x o) (after o x)
    (place 1) (place 2) (place 3) (place 4) (place 5) (place 6) (place 7) (place 8) (place 9)
    (token a) (token b) (token c) (token d)
    (<= (init (here ?k)) (token ?k)) (<= (init (free ?i)) (place ?i)) (init first)
    (<= (legal ?p (put ?i ?k)) (true (turn ?p)) (true (free ?i)) (true (here ?k)))
    (<= (legal ?p (put ?i none)) (true (turn ?p)) (true (free ?i)))
    (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
    (<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))
    (<= (next (free ?i)) (true (free ?i)) (not (puts ?i)))
    (<= (puts ?i) (does ?p (put ?i ?k)))
    (<= (next (here ?k)) (token ?k) (not (takes ?k)))
    (<= (takes ?k) (does ?p (put ?i ?k)))
    (<= (next won) (true first) (takes a))
    (<= (next won) (true won))
    (<= free (true (free ?i)))
    (<= terminal (not free))
    (<= (goal x 100) (true won)) (<= (goal x 0) (not (true won)))
    (<= (goal o 0) (true won)) (<= (goal o 100) (not (true won)))";

/// A row and a column are chosen as often as all moves of both are.
#[test]
fn compound_moves_are_chosen_as_often_as_others() {
    let game = Game::from_kif("put_and_take", PUT_AND_TAKE).expect("a rulesheet");
    let net = Net::of_game(game.clone(), &Budget::default()).expect("it is small");
    let engine = Propnet::of_net(game.clone(), net.clone());
    for width in Width::ALL.into_iter().filter(|width| width.is_available()) {
        let batch = Batch::of_net(game.clone(), net.clone()).with_width(width).unwrap();
        let moves = |phase: &Phase| {
            let [moves] = &phase.choices[..] else { panic!("one player has the turn") };
            moves.parts().map(|part| part.len())
        };
        let all: Vec<[usize; 3]> = batch.played.phases.iter().map(moves).collect();
        assert_eq!(all, [[9, 4, 9]; 2], "{width:?}");
        let mut scratch = batch.scratch();
        let playouts = 100_000;
        let actual = batch.rollouts(&mut scratch, engine.initial(), playouts, 4);
        assert_eq!((actual.playouts, actual.states), (playouts, 9 * playouts), "{width:?}");
        // Of 45 first moves 9 take the first token.
        let mean = actual.roles[0].mean_goal().expect("there are playouts");
        let error = 100.0 * (0.2f64 * 0.8 / playouts as f64).sqrt();
        assert!((mean - 20.0).abs() < 5.0 * error, "{width:?}: {mean}");
    }
}
