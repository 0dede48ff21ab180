//! Games stepped from outside: `cargo bench --bench lanes`; names of games may follow, of `kif/` or
//! of the public corpus. `cargo bench --bench lanes -- 5 connect4` takes the median of 5 runs, and
//! `cargo bench --bench lanes -- 5 lanes=256 connect4` that of lanes which are 256 to a register.
//!
//! | column | what it is |
//! |---|---|
//! | batch | states a second of random playouts, in millions, nothing given out |
//! | random | steps with random moves of the lanes' own, as part of that |
//! | many | the same of 65,536 lanes |
//! | step | steps with actions from outside, and masks, observations, ends, turns and goals after each, in millions of states a second; the choice of the actions is not counted |
//! | two | the same on two threads, each with half the lanes |
//! | given | as `step`, with actions that were chosen before and are played again, and nothing in between; rewards and ends as the lanes of Python tell them |
//! | bytes | memory a lane |
//! | leaves | all children of 512 random states, with masks and goals, in millions a second |
//! | ratio | how many times as fast that is as the engine of single states, one by one |
//!
//! There are 4096 lanes where it is not said. Every figure is the median of runs, of which each is the median of windows
//! of a millisecond; the figures of a game are measured in turns.

#[path = "../bundled/mod.rs"]
mod bundled;

use bundled::rulesheets;
use gdlr::batch::{Batch, BatchLanes, Width};
use gdlr::budget::{Budget, Meter};
use gdlr::engine::{
    ChildOutputs, Children, Encoded, Ended, Engine, Lanes, Moment, MoveId, NO_GOAL, Output,
    Refusal, TERMINAL, seeded,
};
use gdlr::gdl::Game;
use gdlr::net::Net;
use gdlr::propnet::{Propnet, State};
use rand::Rng;
use std::hint::black_box;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

const GAMES: [&str; 9] = [
    "tictactoe",
    "connect4",
    "breakthrough",
    "reversi",
    "hex",
    "gomoku",
    "draughts",
    "amazons",
    "chess_200",
];

const LANES: usize = 4096;

/// How many there are where they are many.
const MANY: usize = 65_536;

/// How many states are expanded.
const LEAVES: usize = 512;

/// The most children that are expanded one by one.
const ONE_BY_ONE: usize = 4096;

/// How many steps are recorded to be played again.
const RECORDED: usize = 64;

/// How long each figure is measured in a run.
const TIME: Duration = Duration::from_millis(300);

/// The least work that is timed together.
const WINDOW: Duration = Duration::from_millis(1);

/// How many runs there are, if it is not said.
const RUNS: usize = 3;

fn main() {
    let Some(mut arguments) = bundled::arguments() else { return };
    let width = width(&mut arguments);
    let runs = arguments.first().and_then(|word| word.parse::<usize>().ok());
    let names = &arguments[usize::from(runs.is_some())..];
    let runs = runs.unwrap_or(RUNS).max(1);
    let all = GAMES.map(str::to_owned);
    println!(
        "| game | lanes of a register | batch | random | many | step | two threads | given | bytes | leaves | ratio |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for name in if names.is_empty() { &all } else { names } {
        let Some(path) = path(name) else { continue };
        let text = std::fs::read_to_string(path).expect("a rulesheet");
        let game = Arc::new(Game::from_kif(name, &text).expect("a rulesheet"));
        let Ok(net) = Net::of_game(game.clone(), &Budget::default()) else {
            eprintln!("{name} is too large");
            continue;
        };
        let engine = Propnet::of_net(game.clone(), net.clone());
        let unlimited = Meter::unlimited();
        let batch = Batch::in_lanes(width, game, net, &unlimited).expect("no limit");
        let figures = figures(&engine, &Arc::new(batch), runs);
        let [batch, random, many, step, two, given, bytes, leaves, ratio] = figures;
        println!(
            "| {name} | {} | {:.1} | {random:.2} | {many:.2} | {:.2} | {:.2} | {:.2} | {bytes:.0} | {:.3} | {ratio:.1} |",
            width.lanes(),
            batch / 1e6,
            step / 1e6,
            two / 1e6,
            given / 1e6,
            leaves / 1e6
        );
    }
}

/// How many lanes a register has: as `lanes=N` says, which is taken out of the arguments, or the most that there are.
fn width(arguments: &mut Vec<String>) -> Width {
    let said = |word: &String| word.strip_prefix("lanes=").map(str::to_owned);
    let Some(lanes) = arguments.iter().find_map(said) else { return Width::best() };
    arguments.retain(|word| said(word).is_none());
    let width = lanes.parse().ok().and_then(Width::of_lanes);
    width.filter(|width| width.is_available()).expect("a width of this processor")
}

/// The rulesheet of this name, of this project or public.
fn path(name: &str) -> Option<std::path::PathBuf> {
    let own = rulesheets::own()
        .into_iter()
        .find(|path| path.file_stem().is_some_and(|stem| stem == name));
    own.or_else(|| rulesheets::public(name).filter(|path| path.exists()))
}

/// The figures of a game, by column.
fn figures(engine: &Propnet, batch: &Arc<Batch>, runs: usize) -> [f64; 9] {
    let mut scratch = batch.scratch();
    let mut playouts = Expansion::new(engine, batch);
    let (mut single, mut random) = (Stepped::new(batch, LANES), lanes(batch, LANES));
    let mut many = lanes(batch, MANY);
    let mut halves = [Stepped::new(batch, LANES / 2), Stepped::new(batch, LANES / 2)];
    let bytes = random.bytes() as f64 / LANES as f64;
    let mut again = Stepped::new(batch, LANES);
    let game = again.record();
    let mut rates: [Vec<f64>; 9] = Default::default();
    for run in 0..runs as u64 {
        let mut seed = run << 32;
        let batched = rate(|| {
            seed += 1;
            batch.rollouts(&mut scratch, engine.initial(), 4096, seed).states
        });
        let at_random = rate(|| {
            random.step_at_random(Ended::Restart);
            LANES as u64
        });
        let many = rate(|| {
            many.step_at_random(Ended::Restart);
            MANY as u64
        });
        let one = single.rate();
        let two = thread::scope(|scope| {
            let threads = halves.each_mut().map(|half| scope.spawn(|| half.rate()));
            threads.into_iter().map(|thread| thread.join().expect("it plays on")).sum::<f64>()
        });
        let given = again.replay(&game);
        let leaves = rate(|| playouts.together());
        let one_by_one = rate(|| playouts.one_by_one(engine));
        let (random, many) = (at_random / batched, many / batched);
        let ratio = leaves / one_by_one;
        let figures = [batched, random, many, one, two, given, bytes, leaves, ratio];
        rates.iter_mut().zip(figures).for_each(|(rates, rate)| rates.push(rate));
    }
    rates.map(|mut figures| {
        figures.sort_by(f64::total_cmp);
        figures[figures.len() / 2]
    })
}

/// How many a second, of what some work is done on.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let (begin, mut windows) = (Instant::now(), Windows::default());
    while begin.elapsed() < TIME {
        let start = Instant::now();
        let count = work();
        windows.add(count, start.elapsed());
    }
    windows.median()
}

/// Rates of short windows of time. What else the machine does falls into some of them, and leaves
/// their median alone.
#[derive(Default)]
struct Windows {
    rates: Vec<f64>,
    count: u64,
    time: Duration,
}

impl Windows {
    /// So many were done in some time.
    fn add(&mut self, count: u64, time: Duration) {
        self.count += count;
        self.time += time;
        if self.time >= WINDOW {
            self.rates.push(self.count as f64 / self.time.as_secs_f64());
            (self.count, self.time) = (0, Duration::ZERO);
        }
    }

    /// The rate of the middle one.
    fn median(mut self) -> f64 {
        self.rates.sort_by(f64::total_cmp);
        self.rates[self.rates.len() / 2]
    }
}

fn lanes(batch: &Arc<Batch>, lanes: usize) -> BatchLanes {
    BatchLanes::new(batch.clone(), lanes, 1, &Meter::unlimited()).expect("no limit")
}

/// Lanes, and all that is asked about them.
struct Stepped {
    lanes: BatchLanes,
    actions: Vec<i32>,
    masks: Vec<u8>,
    observations: Vec<u8>,
    ended: Vec<u8>,
    to_move: Vec<i32>,
    goals: Vec<u8>,
    rewards: Vec<f32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    random: rand_xoshiro::Xoshiro256PlusPlus,
}

impl Stepped {
    fn new(batch: &Arc<Batch>, count: usize) -> Stepped {
        let lanes = lanes(batch, count);
        Stepped {
            actions: vec![0; count * lanes.acting()],
            masks: vec![0; count * lanes.width(Output::Legal)],
            observations: vec![0; count * lanes.width(Output::Observations)],
            ended: vec![0; count],
            to_move: vec![0; count],
            goals: vec![0; count * usize::from(batch.net().roles)],
            rewards: vec![0.0; count * usize::from(batch.net().roles)],
            terminated: vec![0; count],
            truncated: vec![0; count],
            random: seeded(1, 0),
            lanes,
        }
    }

    /// How many states a second, without the time in which actions are chosen.
    fn rate(&mut self) -> f64 {
        let (mut time, mut windows) = (Duration::ZERO, Windows::default());
        while time < TIME {
            self.choose();
            let begin = Instant::now();
            let played = self.lanes.step(&self.actions, Ended::Restart, Refusal::Fail);
            assert!(played.is_ok(), "legal actions");
            self.ask();
            let of_step = begin.elapsed();
            time += of_step;
            windows.add(self.lanes.len() as u64, of_step);
        }
        windows.median()
    }

    /// The actions of some steps from the beginning.
    fn record(&mut self) -> Vec<Vec<i32>> {
        self.begin();
        let steps = (0..RECORDED).map(|_| {
            self.choose();
            let played = self.lanes.step(&self.actions, Ended::Restart, Refusal::Fail);
            assert!(played.is_ok(), "legal actions");
            self.ask();
            self.actions.clone()
        });
        steps.collect()
    }

    /// How many states a second when they are played again and again from the beginning.
    fn replay(&mut self, game: &[Vec<i32>]) -> f64 {
        let (start, mut windows) = (Instant::now(), Windows::default());
        while start.elapsed() < TIME {
            self.begin();
            for actions in game {
                let begin = Instant::now();
                let played = self.lanes.step(actions, Ended::Restart, Refusal::Fail);
                assert!(played.is_ok(), "the same actions in the same states");
                self.ask();
                self.tell_as_python();
                windows.add(self.lanes.len() as u64, begin.elapsed());
            }
        }
        windows.median()
    }

    fn begin(&mut self) {
        self.lanes.seed(1);
        self.lanes.reset(&(0..self.lanes.len()).collect::<Vec<usize>>());
        self.ask();
    }

    fn ask(&mut self) {
        let Stepped { lanes, masks, observations, ended, to_move, goals, .. } = self;
        lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(masks));
        lanes.write(Output::Observations, Moment::Now, Encoded::Bytes(observations));
        lanes.ended(ended);
        lanes.to_move(to_move);
        lanes.goals(goals);
    }

    /// The lanes of Python, with goals and ends.
    fn tell_as_python(&mut self) {
        for (out, &goal) in self.rewards.iter_mut().zip(&self.goals) {
            *out = if goal == NO_GOAL { f32::NAN } else { f32::from(goal) / 100.0 };
        }
        for (out, &ended) in self.terminated.iter_mut().zip(&self.ended) {
            *out = u8::from(ended == TERMINAL);
        }
        for (out, &ended) in self.truncated.iter_mut().zip(&self.ended) {
            *out = u8::from(ended > TERMINAL);
        }
        black_box((&self.rewards, &self.terminated, &self.truncated));
    }

    /// A legal action in every row: the first after a random place.
    fn choose(&mut self) {
        if self.masks.iter().all(|&byte| byte == 0) {
            self.ask();
        }
        let width = self.lanes.vocabulary().moves.len();
        for (action, row) in self.actions.iter_mut().zip(self.masks.chunks(width)) {
            let start = self.random.next_u64() as usize % width;
            let is_legal = |&byte: &u8| byte == 1;
            let after = row[start..].iter().position(is_legal).map(|at| start + at);
            let next_legal = after.or_else(|| row[..start].iter().position(is_legal));
            *action = next_legal.map_or(0, |at| at as i32);
        }
    }
}

/// States, and lanes for them.
struct Expansion {
    states: Vec<State>,
    parents: BatchLanes,
    children: Children,
}

impl Expansion {
    /// With states that random play comes to.
    fn new(engine: &Propnet, batch: &Arc<Batch>) -> Expansion {
        let mut parents = lanes(batch, LEAVES);
        let (mut states, mut scratch) = (Vec::new(), engine.scratch());
        for lane in (0..LEAVES).cycle() {
            parents.step_at_random(Ended::Restart);
            let state = parents.save(lane);
            engine.enter(&mut scratch, &state);
            if !engine.terminal(&mut scratch).expect("no limit") {
                states.push(state);
            }
            if states.len() == LEAVES {
                break;
            }
        }
        Expansion { states, parents, children: Children::default() }
    }

    /// Expands all states; returns how many children there are.
    fn together(&mut self) -> u64 {
        let Expansion { states, parents, children } = self;
        parents.restore_many(states.iter().enumerate()).expect("a state of the game");
        let asked = ChildOutputs { legal_bits: true, goals: true, ..ChildOutputs::default() };
        parents.expand(asked, children).expect("one at a time moves");
        black_box(&*children);
        children.len() as u64
    }

    /// Expands states one by one, until there are many children; returns how many.
    fn one_by_one(&self, engine: &Propnet) -> u64 {
        let roles: Vec<_> = engine.roles().iter().collect();
        let (mut scratch, mut child) = (engine.scratch(), engine.scratch());
        let mut legal: Vec<Vec<MoveId>> = vec![Vec::new(); roles.len()];
        let (mut joint, mut masks) = (Vec::new(), Vec::new());
        let mut count = 0;
        for state in &self.states {
            engine.enter(&mut scratch, state);
            for (&role, legal) in roles.iter().zip(&mut legal) {
                engine.legal(&mut scratch, role, legal).expect("no limit");
            }
            // One role has a choice.
            let mover = (0..roles.len()).max_by_key(|&role| legal[role].len()).expect("a role");
            joint.clear();
            joint.extend(legal.iter().map(|legal| legal[0]));
            for &id in &legal[mover] {
                joint[mover] = id;
                engine.enter(&mut child, state);
                engine.step(&mut child, &joint).expect("legal moves");
                let is_terminal = engine.terminal(&mut child).expect("no limit");
                for &role in &roles {
                    if is_terminal {
                        black_box(engine.payoff(&mut child, role).ok());
                    } else {
                        engine.legal(&mut child, role, &mut masks).expect("no limit");
                        black_box(&masks);
                    }
                }
                count += 1;
            }
            if count as usize >= ONE_BY_ONE {
                break;
            }
        }
        count
    }
}
