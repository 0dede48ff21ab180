//! Rulesheets in lanes: machine code beside loops beside the engine of single states, in every width
//! that there is here.
//!
//! Random playouts of a seed are the same by code and by loops. Lanes that are stepped from outside are in
//! the states in which the engine is that makes the same moves, and say the same of them. Inputs are
//! mutated as expressions as well as bytes, so that most stay rulesheets.
#![no_main]

mod expressions;

use gdlr::batch::{Backend, Batch, BatchLanes, Width};
use gdlr::budget::Budget;
use gdlr::engine::{
    Encoded, Ended, Engine, Lanes, Moment, MoveId, Output, Refusal, TERMINAL, choose, seeded,
};
use gdlr::gdl::{Game, Term};
use gdlr::kif;
use gdlr::net::Net;
use gdlr::play::{Control, RandomPlay, Share};
use gdlr::propnet::Propnet;
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The playouts that are compared.
const SHARE: Share = Share { thread: 0, seed: 1, playouts: 600, max_steps: 40 };
/// How many lanes are stepped from outside, and how often.
const LANES: usize = 5;
const STEPS: usize = 12;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else { return Corpus::Reject };
    let Ok(document) = kif::read(text) else { return Corpus::Reject };
    let Ok(game) = Game::from_document("fuzz", document, Default::default()) else {
        return Corpus::Reject;
    };
    let game = Arc::new(game);
    // What is too much work is no defect.
    let budget = Budget { time: Duration::from_secs(1), ..Budget::default() };
    let meter = budget.start();
    let Ok(net) = Net::within(game.clone(), &meter) else { return Corpus::Keep };
    let Ok(engine) = Propnet::within(game.clone(), net.clone(), &meter) else {
        return Corpus::Keep;
    };
    for width in Width::ALL.into_iter().filter(|width| width.is_available()) {
        let Ok(batch) = Batch::in_lanes(width, game.clone(), net.clone(), &meter) else {
            return Corpus::Keep;
        };
        if batch.backend() == Backend::Code {
            let loops = batch.clone().by_loops();
            let statistics = batch.random_play(&SHARE, |_, _| Control::Play);
            let expected = loops.random_play(&SHARE, |_, _| Control::Play);
            assert_eq!(statistics, expected, "{width:?}");
        }
        // The engine does not know what chance did in a lane.
        if Engine::roles(&engine).random().is_none()
            && let Ok(lanes) = BatchLanes::new(Arc::new(batch), LANES, 1, &meter)
        {
            step(lanes, &engine);
        }
    }
    Corpus::Keep
});

/// Makes the same moves in lanes and on the engine, and compares what they say.
fn step(mut lanes: BatchLanes, engine: &Propnet) {
    let roles = Engine::roles(engine);
    let moves = lanes.vocabulary().moves.iter().cloned();
    let numbers: HashMap<Term, usize> = moves.zip(0..).collect();
    let (acting, count, simultaneous) = (lanes.acting(), numbers.len(), lanes.is_simultaneous());
    let mut scratches = vec![engine.scratch(); LANES];
    let mut random = seeded(2, 0);
    for _ in 0..STEPS {
        let (mut ended, mut to_move) = (vec![0; LANES], vec![0; LANES]);
        let mut masks = vec![0; LANES * lanes.width(Output::Legal)];
        lanes.ended(&mut ended);
        lanes.to_move(&mut to_move);
        lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut masks));
        let mut actions = vec![0; LANES * acting];
        for (lane, scratch) in scratches.iter_mut().enumerate() {
            assert_eq!(lanes.save(lane), engine.state(scratch), "lane {lane}");
            let is_terminal = engine.terminal(scratch).expect("no limit");
            assert_eq!(ended[lane] == TERMINAL, is_terminal, "lane {lane}");
            let mut joint: Vec<MoveId> = Vec::new();
            let mut expected = vec![0; acting * count];
            for role in roles.iter() {
                let mut legal = Vec::new();
                engine.legal(scratch, role, &mut legal).expect("no limit");
                let chosen = choose(&legal, &mut random);
                joint.extend(chosen);
                let row = if simultaneous { role.index() } else { 0 };
                if !simultaneous && to_move[lane] != role.index() as i32 {
                    continue;
                }
                let number = |id: MoveId| numbers[&engine.move_term(id).1];
                legal.iter().for_each(|&id| expected[row * count + number(id)] = 1);
                if let Some(id) = chosen {
                    actions[lane * acting + row] = number(id) as i32;
                }
            }
            if ended[lane] != 0 {
                engine.enter(scratch, engine.initial());
                continue;
            }
            assert_eq!(masks[lane * acting * count..][..acting * count], expected, "lane {lane}");
            engine.step(scratch, &joint).expect("legal moves");
        }
        lanes.step(&actions, Ended::Restart, Refusal::Fail).expect("legal moves");
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    expressions::mutate_or_bytes(data, size, max_size, seed)
});
