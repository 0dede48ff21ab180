//! A player in many matches at once: `cargo bench --bench many_matches -- 50 10` plays 50 of them
//! at any time, for ten minutes. Without arguments it is 4, for a quarter of a minute.
//!
//! The player is `gdlr serve` in a process of its own, the games are those of `kif/`, and the
//! player takes their roles in turn; the manager plays the others at random. What is printed at
//! the end is what a player may not do, and how much memory it took, by tenths of the time:
//! the first ones while matches begin for the first time, then the memory should be flat.

mod bundled;

use bundled::rulesheets;
use gdlr::engine::{AnyEngine, Engine, EngineKind, RoleId};
use gdlr::gdl::Game;
use gdlr::ggp::client::HttpPlayer;
use gdlr::ggp::contender::Contender;
use gdlr::ggp::manager::{Conditions, run};
use gdlr::ggp::record::{Ending, FaultKind, Record, Request};
use gdlr::set_up::SetUp;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, thread};

const START_CLOCK: Duration = Duration::from_secs(10);
const PLAY_CLOCK: Duration = Duration::from_secs(5);

/// Memory of the search tree of a match, in MiB.
const MEMORY: &str = "16";

/// The most errors that are shown.
const SHOWN: usize = 20;

/// How often the memory of the player is told.
const TOLD: u32 = 10;

fn main() {
    let Some(arguments) = bundled::arguments() else { return };
    // Other words choose another benchmark.
    let numbers: Option<Vec<f64>> = arguments.iter().map(|text| text.parse().ok()).collect();
    let Some(numbers) = numbers else { return };
    let number = |place: usize, default| numbers.get(place).copied().unwrap_or(default);
    let (matches, minutes) = (number(0, 4.0) as usize, number(1, 0.25));
    let time = Duration::from_secs_f64(minutes * 60.0);

    let games: Vec<Playable> = rulesheets::own().iter().map(Playable::read).collect();
    let player = Serving::new(matches);
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let tally = Mutex::new(Tally::default());
    let mut memory = vec![player.memory()];
    println!(
        "{matches} matches at once for {minutes} min, clocks of {START_CLOCK:?}, {PLAY_CLOCK:?}"
    );
    thread::scope(|threads| {
        for _ in 0..matches {
            threads.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let game = &games[number as usize % games.len()];
                    let record =
                        game.play(number, number as usize / games.len(), &player.url, &stop);
                    tally.lock().expect("a tally").add(&record);
                }
            });
        }
        let start = Instant::now();
        for tenth in 1..=TOLD {
            thread::sleep((time * tenth / TOLD).saturating_sub(start.elapsed()));
            memory.push(player.memory());
        }
        stop.store(true, Ordering::Relaxed);
    });
    tally.into_inner().expect("a tally").print();
    let memory: Vec<String> = memory.iter().map(|kib| (kib >> 10).to_string()).collect();
    println!("memory of the player, MiB, at the start and after each tenth: {}", memory.join(" "));
}

/// A game, with an engine for the manager.
struct Playable {
    game: Arc<Game>,
    engine: AnyEngine,
    /// Whom the player can play.
    roles: Vec<RoleId>,
}

impl Playable {
    fn read(path: &std::path::PathBuf) -> Playable {
        let text = fs::read_to_string(path).expect("a rulesheet");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let game = Arc::new(Game::from_kif(&name, &text).expect("a game"));
        let set_up = SetUp { kind: EngineKind::Tree, ..SetUp::default() };
        let engine = set_up.make(game.clone()).expect("an engine").engine;
        let chance = engine.roles().random();
        let roles = engine.roles().iter().filter(|&role| chance != Some(role)).collect();
        Playable { game, engine, roles }
    }

    /// A match, with the player at `url` in one of the roles.
    fn play(&self, number: u64, turn: usize, url: &str, stop: &AtomicBool) -> Record {
        let role = self.roles[turn % self.roles.len()];
        let contender = |seat| match seat == role {
            true => {
                let player = HttpPlayer::new(url).expect("an address");
                Contender::Elsewhere("player".to_owned(), Arc::new(player))
            }
            false => Contender::Random,
        };
        let conditions = Conditions {
            id: format!("many.{number}"),
            start_clock: START_CLOCK,
            play_clock: PLAY_CLOCK,
            seed: number,
            ..Conditions::default()
        };
        let contenders = self.engine.roles().iter().map(contender).collect();
        run(&self.game, &self.engine, contenders, &conditions, stop, &mut |_| {})
    }
}

/// The counts of all matches.
#[derive(Default)]
struct Tally {
    ended: u64,
    cut: u64,
    moves: u64,
    late: u64,
    illegal: u64,
    others: u64,
    /// The first of them in words.
    errors: Vec<String>,
    longest: Duration,
}

impl Tally {
    fn add(&mut self, record: &Record) {
        match record.ending {
            Ending::Interrupted => self.cut += 1,
            _ => self.ended += 1,
        }
        for after in record.answers.iter().flatten().flatten() {
            self.moves += 1;
            self.longest = self.longest.max(*after);
        }
        for fault in &record.faults {
            match (fault.kind, fault.request) {
                // An answer that comes when the time of the benchmark is over is no move.
                (_, Request::Abort) => {}
                (FaultKind::Late, _) => self.late += 1,
                (FaultKind::Illegal, _) => self.illegal += 1,
                _ => self.others += 1,
            }
            if fault.request != Request::Abort && self.errors.len() < SHOWN {
                self.errors.push(format!("{} ({}): {fault}", record.id, record.game));
            }
        }
    }

    fn print(&self) {
        let Tally { ended, cut, moves, late, illegal, others, errors, longest } = self;
        println!("matches: {ended} to their end, {cut} cut when the time was over");
        println!("moves: {moves}; the longest answer took {:.2} s", longest.as_secs_f64());
        println!("missed clocks: {late}; illegal moves: {illegal}; other errors: {others}");
        errors.iter().for_each(|error| println!("  {error}"));
    }
}

/// A player that listens; ends with the benchmark.
struct Serving {
    process: Child,
    url: String,
}

impl Serving {
    fn new(matches: usize) -> Serving {
        let mut process = Command::new(env!("CARGO_BIN_EXE_gdlr"))
            .args(["serve", "--port", "0", "--player", "uct", "--memory", MEMORY])
            .args(["--matches", &matches.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a player");
        let mut port = String::new();
        let output = process.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut port).expect("its port");
        Serving { process, url: format!("http://127.0.0.1:{}", port.trim()) }
    }

    /// How much memory the process takes, in KiB, where the system says so.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.unwrap_or_default()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may be over already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
