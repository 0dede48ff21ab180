//! The search against plain players at the same time a move: `cargo bench --bench duels -- 20 0.1`
//! plays 20 games of each kind at 0.1 s a move, sides by turns; names of games of `kif/` may
//! follow. Without arguments it is 2 games, at 0.05 s.
//!
//! The opponents are one playout an iteration ([`Thinker::Uct`]), flat Monte Carlo
//! ([`Thinker::MonteCarlo`]) and random moves, all on the same engine. Where the state is hidden,
//! as in `krieg_tictactoe`, all have samplers of their own; the first two think about several
//! states that they find there as if they knew (determinisation). What is printed is the share of
//! the goal that the search got, and how many playouts a second it made.

mod bundled;

use bundled::OnNet;
use gdlr::batch::Batch;
use gdlr::engine::{AnyEngine, Engine, MoveId, choose, seeded};
use gdlr::play::player::{Clock, Player, ThinkingPlayer, Turn};
use gdlr::play::sampler::{DEFAULT_CANDIDATES, Observation, Sampler};
use gdlr::play::thinker::Thinker;
use gdlr::search::{DEFAULT_MEMORY, Search};
use std::sync::Arc;
use std::time::Duration;

/// Games for two roles in which each wins what the other loses.
const GAMES: [&str; 4] = ["connect4", "breakthrough", "reversi", "draughts"];

/// The bound on the length of a playout and of a game.
const MAX_STEPS: u64 = 10_000;

fn main() {
    let Some(arguments) = bundled::arguments() else { return };
    // Other words choose another benchmark.
    let number = |place: usize| arguments.get(place).map(|text| text.parse::<f64>());
    let (Ok(games), Ok(seconds)) = (number(0).unwrap_or(Ok(2.0)), number(1).unwrap_or(Ok(0.05)))
    else {
        return;
    };
    let time = Duration::from_secs_f64(seconds);
    println!("{games} games each, {seconds} s a move");
    println!("game           against       goal       ±  playouts/s");
    for title in bundled::titles() {
        let chosen = |names: &[String]| names.contains(&title);
        let wanted = match arguments.get(2..) {
            Some(names) if !names.is_empty() => chosen(names),
            _ => GAMES.contains(&title.as_str()),
        };
        if !wanted {
            continue;
        }
        let Some(OnNet { engine, lanes, .. }) = bundled::game(&title) else { continue };
        for (name, thinker) in [
            ("plain uct", Thinker::Uct),
            ("flat mc", Thinker::MonteCarlo),
            ("random", Thinker::Random),
        ] {
            let (mut goals, mut rates) = (Vec::new(), Vec::new());
            for number in 0..games as u64 {
                let mut search = Search::new(number, DEFAULT_MEMORY);
                let mut other = ThinkingPlayer::new(thinker, number, MAX_STEPS);
                let side = (number % 2) as usize;
                let duel = Duel { engine: &engine, lanes: &lanes, time };
                goals.push(duel.play(&mut search, &mut other, side, &mut rates));
            }
            let count = goals.len() as f64;
            let mean = goals.iter().sum::<f64>() / count;
            let variance = goals.iter().map(|goal| (goal - mean).powi(2)).sum::<f64>() / count;
            let half = 1.96 * (variance / count).sqrt();
            rates.sort_by(f64::total_cmp);
            let rate = rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN);
            println!("{:14} {name:10} {mean:6.1} % {half:7.1} {rate:11.0}", title);
        }
    }
}

/// Two players at one game.
struct Duel<'a> {
    engine: &'a AnyEngine,
    lanes: &'a Arc<Batch>,
    time: Duration,
}

impl Duel<'_> {
    /// The goal of the search, which plays the role of this number, in a game; adds the rate
    /// of its playouts at every move that it had to think about.
    fn play(
        &self,
        search: &mut Search,
        other: &mut dyn Player,
        side: usize,
        rates: &mut Vec<f64>,
    ) -> f64 {
        let engine = self.engine;
        let (mut scratch, mut legal) = (engine.scratch(), Vec::new());
        let mut rng = seeded(rates.len() as u64, 0);
        let mut sampler = |role| {
            engine.has_percepts().then(|| Sampler::new(engine.clone(), role, DEFAULT_CANDIDATES))
        };
        let mut samplers: Vec<Option<Sampler>> = engine.roles().iter().map(&mut sampler).collect();
        let mut told: Vec<Observation> = Vec::new();
        for step in 0..MAX_STEPS {
            if engine.terminal(&mut scratch).expect("little work") {
                break;
            }
            let mut joint: Vec<MoveId> = Vec::new();
            for role in engine.roles().iter() {
                engine.legal(&mut scratch, role, &mut legal).expect("little work");
                if engine.roles().random() == Some(role) {
                    joint.push(choose(&legal, &mut rng).expect("a legal move"));
                    continue;
                }
                let sampler = samplers[role.index()].as_ref();
                let drawn = sampler.and_then(|sampler| sampler.draw(&mut rng));
                let state = match drawn {
                    Some(drawn) => drawn.state.clone(),
                    None => engine.state(&scratch),
                };
                let clock = Clock::new(self.time);
                let turn = Turn {
                    engine,
                    state: &state,
                    sampler,
                    role,
                    legal: &legal,
                    last: told.get(role.index()),
                    step,
                    clock: &clock,
                    lanes: Some(self.lanes),
                };
                let own = role.index() == side;
                joint.push(if own { search.play(&turn) } else { other.play(&turn) });
                let effort = search.report().map(|report| report.effort).filter(|_| own);
                // A state that is known to its end costs none.
                if let Some(effort) = effort.filter(|of| legal.len() > 1 && of.playouts > 0) {
                    rates.push(effort.playouts as f64 / effort.time.as_secs_f64());
                }
            }
            told = Observation::of(engine, &mut scratch, &joint).expect("legal moves");
            engine.step(&mut scratch, &joint).expect("legal moves");
            let over = engine.terminal(&mut scratch).expect("little work");
            for (sampler, told) in samplers.iter_mut().zip(&told) {
                if let Some(sampler) = sampler {
                    let observed = sampler.observe(told.clone(), over, &mut rng, &|| false);
                    observed.expect("what was played");
                }
            }
        }
        let role = engine.roles().iter().nth(side).expect("a role");
        f64::from(engine.goal(&mut scratch, role).unwrap_or(0))
    }
}
