//! How fast the road from text to play is, part by part: `cargo bench`.
//!
//! * `read`: the reader and the rules of a large rulesheet, in bytes a second.
//! * `set-up`: from rules to trees.
//! * `playout`: one random playout from the initial state, its goals included.
//!
//! The games are public rulesheets where `../shared/corpus` is present, and else some of
//! `kif/`. For a quick look at one: `cargo bench -- playout/connectFour`.

#[path = "../tests/rulesheets/mod.rs"]
mod rulesheets;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gdlr::engine::{Engine, Playout, seeded};
use gdlr::gdl::{Game, Reading};
use gdlr::kif;
use gdlr::tree::{Tree, TreeOptions};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

/// The longest playout, in joint moves.
const MAX_STEPS: u64 = 1_000;

/// The games on which resolution trees are compared with Prolog, and its rate in each.
const YARDSTICK: &str = include_str!("yardstick.tsv");

/// The measurements to make if the arguments name none.
const BUNDLED: &[&str] =
    &["tictactoe", "connect4", "breakthrough", "draughts", "eight_puzzle", "hex", "reversi"];

/// How many rulesheets to read: the largest ones.
const READ: usize = 5;

struct Rulesheet {
    name: String,
    text: String,
}

impl Rulesheet {
    fn game(&self) -> Game {
        let document = kif::read(&self.text).expect("a readable rulesheet");
        Game::from_document(&self.name, document, Reading::default()).expect("rules")
    }

    fn tree(&self) -> Tree {
        Tree::new(self.game(), &TreeOptions::default()).expect("a playable game")
    }
}

/// The rulesheets of the public corpus, or of `kif/`, and the names of those to play.
fn rulesheets() -> (Vec<Rulesheet>, Vec<&'static str>) {
    let (paths, names) = match rulesheets::corpus() {
        None => (rulesheets::own(), BUNDLED.to_vec()),
        Some(corpus) => {
            let names = YARDSTICK.lines().filter_map(|line| line.split('\t').next());
            (rulesheets::files(&corpus, "kif"), names.collect())
        }
    };
    let read = |path: PathBuf| Rulesheet {
        name: path.file_stem().expect("a file name").to_string_lossy().into_owned(),
        text: std::fs::read_to_string(&path).expect("a readable rulesheet"),
    };
    (paths.into_iter().map(read).collect(), names)
}

fn to_play() -> Vec<Rulesheet> {
    let (mut rulesheets, names) = rulesheets();
    rulesheets.retain(|rulesheet| names.contains(&&*rulesheet.name));
    rulesheets.sort_by_key(|rulesheet| names.iter().position(|name| *name == rulesheet.name));
    rulesheets
}

fn read(criterion: &mut Criterion) {
    let (mut rulesheets, _) = rulesheets();
    rulesheets.sort_by_key(|rulesheet| std::cmp::Reverse(rulesheet.text.len()));
    let mut group = criterion.benchmark_group("read");
    for rulesheet in rulesheets.iter().take(READ) {
        group.throughput(Throughput::Bytes(rulesheet.text.len() as u64));
        group.bench_function(&rulesheet.name, |b| b.iter(|| black_box(rulesheet.game())));
    }
    group.finish();
}

fn set_up(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("set-up");
    for rulesheet in to_play() {
        group.bench_function(&rulesheet.name, |b| b.iter(|| black_box(rulesheet.tree())));
    }
    group.finish();
}

fn playout(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playout");
    for rulesheet in to_play() {
        let tree = rulesheet.tree();
        let mut scratch = tree.scratch();
        let mut playout = Playout::new(MAX_STEPS);
        let mut rng = seeded(1, 0);
        group.bench_function(&rulesheet.name, |b| {
            b.iter(|| {
                tree.enter(&mut scratch, tree.initial());
                black_box(tree.playout(&mut scratch, &mut playout, &mut rng, &mut || false));
                for role in tree.roles().iter() {
                    // Whether the values are proper is a matter for the tests.
                    let _ = black_box(tree.goal(&mut scratch, role));
                }
            });
        });
    }
    group.finish();
}

/// Short, as there are many games.
fn short() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
}

criterion_group! { name = speed; config = short(); targets = read, set_up, playout }
criterion_main!(speed);
