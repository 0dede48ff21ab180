//! The cost of following a match of which a role does not see the state:
//! `cargo bench --bench sampler -- hidden_whist 1000 20` plays 20 matches of a game of `kif/` at
//! random, with a sampler of at most 1000 candidates for each role. Without arguments it is 10
//! matches of Krieg-tictactoe and of hidden whist.
//!
//! The output is the time of a step for one role (the median over matches, with the same
//! seeds in every run), and how many candidates were found in a second of it.

mod bundled;

use bundled::OnNet;
use gdlr::engine::{AnyEngine, Engine, MoveId, RoleId, seeded};
use gdlr::play::sampler::{DEFAULT_CANDIDATES, Observation, Sampler};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

fn main() {
    let Some(arguments) = bundled::arguments() else { return };
    let numbers = arguments.iter().skip(1).map(|text| text.parse::<usize>());
    // Other words choose another benchmark.
    let Ok(numbers) = numbers.collect::<Result<Vec<usize>, _>>() else { return };
    let most = numbers.first().copied().unwrap_or(DEFAULT_CANDIDATES);
    let matches = numbers.get(1).copied().unwrap_or(10);
    let titles = arguments.first().map(String::as_str);
    let titles = titles.map_or(vec!["krieg_tictactoe", "hidden_whist"], |title| vec![title]);
    let games = titles.into_iter().filter_map(bundled::game);
    for (at, OnNet { title, engine, .. }) in games.enumerate() {
        if at == 0 {
            println!("game               candidates   us a step   candidates/s   dry");
        }
        let follow = |seed| follow(&engine, most, seed as u64);
        let mut followed: Vec<Followed> = (0..matches).map(follow).collect();
        followed.sort_by_key(Followed::time_of_a_step);
        let Some(median) = followed.get(followed.len() / 2) else { continue };
        let time: f64 = followed.iter().map(|one| one.time.as_secs_f64()).sum();
        let sum = |of: fn(&Followed) -> usize| followed.iter().map(of).sum::<usize>();
        println!(
            "{title:<18} {:>10} {:>11.1} {:>14.0} {:>5}",
            sum(|one| one.candidates) / sum(|one| one.steps).max(1),
            median.time_of_a_step().as_secs_f64() * 1e6,
            sum(|one| one.candidates) as f64 / time,
            sum(|one| one.dry),
        );
    }
}

/// The cost of following a match, over all roles.
#[derive(Default)]
struct Followed {
    time: Duration,
    steps: usize,
    candidates: usize,
    /// After how many steps there was no candidate.
    dry: usize,
}

impl Followed {
    fn time_of_a_step(&self) -> Duration {
        self.time / (self.steps as u32).max(1)
    }
}

/// Plays a match at random and follows it with the eyes of each role.
fn follow(engine: &AnyEngine, most: usize, seed: u64) -> Followed {
    let mut rng = seeded(seed, 0);
    let mut scratch = engine.scratch();
    let players = engine.roles().iter().filter(|&role| engine.roles().random() != Some(role));
    let mut samplers: Vec<Sampler> =
        players.map(|role| Sampler::new(engine.clone(), role, most)).collect();
    let mut followed = Followed::default();
    while !engine.terminal(&mut scratch).expect("little work") {
        let joint = joint_move(engine, &mut scratch, &mut rng);
        let told = Observation::of(engine, &mut scratch, &joint).expect("legal moves");
        engine.step(&mut scratch, &joint).expect("legal moves");
        let over = engine.terminal(&mut scratch).expect("little work");
        for sampler in &mut samplers {
            let told = told[sampler.role().index()].clone();
            let start = Instant::now();
            sampler.observe(told, over, &mut seeded(seed, 1), &|| false).expect("what was played");
            followed.time += start.elapsed();
            followed.steps += 1;
            followed.candidates += sampler.candidates().count();
            followed.dry += usize::from(sampler.is_dry());
        }
    }
    followed
}

/// A joint move at random.
fn joint_move<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<MoveId> {
    let mut moves = Vec::new();
    let mut one = |role: RoleId| engine.random_legal(scratch, role, &mut moves, rng);
    let moves = engine.roles().iter().map(|role| one(role).expect("little work"));
    moves.map(|id| id.expect("a legal move")).collect()
}
