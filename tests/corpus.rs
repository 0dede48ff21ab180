//! Every game of two folders on every engine, one named test each.
//!
//! * `../shared/corpus`: public rulesheets with traces of another program; `tree::hex` is
//!   the game `hex` on the engine `tree`. Where the folder is absent there are none of these,
//!   which is an error if `GDLR_CORPUS_REQUIRED` is set.
//! * `kif/`: the games of this repository with the counts of `tests/kif_perft.json`, and a
//!   few random playouts; `tree::kif::hex`.
//!
//! The engine `tree` comes once as it is and once without each of its optimisations, which
//! must not change a result; `without-hashing::hex` counts less of a trace than `tree::hex`.
//! A trace that cannot be met is one of [`KNOWN_DIFFERENCES`]: its test passes only if it
//! finds exactly the difference written there.
//!
//! Tests run in parallel; an argument filters them by name. Those of the engines `naive`
//! and `rg` on the corpus take long and run only with `--ignored` or `--include-ignored`, each as far as
//! it gets within [`SECONDS`].

mod naive;
mod rulesheets;

use gdlr::engine::{Engine, MoveId};
use gdlr::export::RgEngine;
use gdlr::gdl::{Game, Reading};
use gdlr::ground::{Budget, GroundError};
use gdlr::net::Net;
use gdlr::play::trace::Trace;
use gdlr::play::verify::{Aspect, TracePosition, VerifyOptions, verify};
use gdlr::propnet::Propnet;
use gdlr::tree::{Tree, TreeOptions};
use hashbrown::HashMap;
use libtest_mimic::{Arguments, Failed, Trial};
use naive::Naive;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rulesheets::files;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The longest that the naive evaluator works on one trace.
const SECONDS: u64 = 20;

/// The longest that a tree without one of its optimisations does.
const SECONDS_WITHOUT: u64 = 2;

/// The time and memory in which a rulesheet must be grounded: the time is far above what it
/// takes, since this is no test of speed.
const GROUND_TIME: Duration = Duration::from_secs(600);
const GROUND_MEMORY: usize = 4 << 30;

/// The answer of the naive evaluator when it gives up before play begins: too much work, or a
/// relation that depends on its own negation.
const GIVES_UP: [&str; 2] = ["steps in one state", "not stratified"];

/// A trace that cannot be met, and where it differs first.
struct KnownDifference {
    game: &'static str,
    place: TracePosition,
    aspect: fn() -> Aspect,
}

/// The traces that cannot be met; `docs/corpus.md` has the reasons.
const KNOWN_DIFFERENCES: &[KnownDifference] = &[KnownDifference {
    game: "pilgrimage",
    place: TracePosition::Playout { playout: 0, step: 6 },
    aspect: || Aspect::Legals("blue".to_owned()),
}];

/// The games of which a single state is too much work or memory when relations are computed
/// whole.
const NEED_FILTERS: &[&str] = &["laikLee_hex", "mummymaze1p", "slaughter", "sudoku"];

/// The games that do not ground within a minute; `docs/corpus.md` says why.
const DO_NOT_GROUND: &[&str] = &["chess", "laikLee_hex", "slaughter", "sudoku"];

/// The games that have no automaton: those, and those with more moves than its interpreter can
/// number.
const DO_NOT_EXPORT: &[&str] =
    &["amazons", "amazonsTorus", "chess", "laikLee_hex", "slaughter", "sudoku"];

/// An engine under test: its name, how much of a trace to verify, and its two checks.
struct Subject {
    name: &'static str,
    /// Whether its tests of the corpus run only on demand.
    on_demand: bool,
    corpus: fn(&Path) -> Result<(), Failed>,
    own: fn(&Path, &[u64]) -> Result<(), Failed>,
}

/// The engine `tree` without one of its optimisations, on a part of each trace.
macro_rules! without {
    ($name:literal, $switch:ident) => {{
        fn make(game: Game) -> Result<Tree, String> {
            let options = TreeOptions { $switch: false, ..TreeOptions::default() };
            Tree::new(game, &options).map_err(|error| error.to_string())
        }
        Subject {
            name: $name,
            on_demand: false,
            corpus: |kif| {
                let options = VerifyOptions { perft_nodes: 1_000 };
                replay(kif, make, &options, Some(SECONDS_WITHOUT))
            },
            own: |kif, counts| count(kif, make, counts, 1_000),
        }
    }};
}

/// The engines. A new one is one entry.
const SUBJECTS: &[Subject] = &[
    TREE,
    PROPNET,
    RG,
    without!("without-filters", filters),
    without!("without-hashing", hashing),
    without!("without-filter-removal", filter_removal),
    without!("without-redundant-removal", redundant_removal),
    NAIVE,
];

const TREE: Subject = Subject {
    name: "tree",
    on_demand: false,
    corpus: |kif| replay(kif, tree, &VerifyOptions::default(), None),
    own: |kif, counts| count(kif, tree, counts, usize::MAX),
};

const PROPNET: Subject = Subject {
    name: "propnet",
    on_demand: false,
    corpus: |kif| match DO_NOT_GROUND.contains(&stem(kif).as_str()) {
        true => runs_out(kif),
        false => replay(kif, propnet, &VerifyOptions::default(), None),
    },
    own: |kif, counts| count(kif, propnet, counts, usize::MAX),
};

const RG: Subject = Subject {
    name: "rg",
    on_demand: true,
    corpus: |kif| match DO_NOT_EXPORT.contains(&stem(kif).as_str()) {
        true => Ok(()),
        false => {
            let options = VerifyOptions { perft_nodes: 2_000 };
            replay(kif, rg, &options, Some(SECONDS))
        }
    },
    own: |kif, counts| count(kif, rg, counts, 10_000),
};

const NAIVE: Subject = Subject {
    name: "naive",
    on_demand: true,
    corpus: |kif| {
        let options = VerifyOptions { perft_nodes: 2_000 };
        let make = |game| Naive::with_limit(game, 30_000_000);
        match replay(kif, make, &options, Some(SECONDS)) {
            Err(found)
                if GIVES_UP.iter().any(|why| found.message().unwrap_or("").contains(why)) =>
            {
                eprintln!("{}: passed over: {}", stem(kif), found.message().unwrap_or(""));
                Ok(())
            }
            result => result,
        }
    },
    own: |kif, counts| count(kif, Naive::new, counts, 4_000),
};

fn tree(game: Game) -> Result<Tree, String> {
    Tree::new(game, &TreeOptions::default()).map_err(|error| error.to_string())
}

fn propnet(game: Game) -> Result<Propnet, String> {
    let budget = Budget { time: GROUND_TIME, memory: GROUND_MEMORY, interrupted: None };
    Propnet::new(game, &budget).map_err(|error| error.to_string())
}

fn rg(game: Game) -> Result<RgEngine, String> {
    let budget = Budget { time: GROUND_TIME, memory: GROUND_MEMORY, interrupted: None };
    let game = Arc::new(game);
    let net = Net::of_game(game.clone(), &budget).map_err(|error| error.to_string())?;
    RgEngine::new(game, &net, false).map_err(|error| error.to_string())
}

/// A game that is too large says so soon after its time is over.
fn runs_out(kif: &Path) -> Result<(), Failed> {
    let budget = Budget { time: Duration::from_millis(500), ..Budget::default() };
    match Propnet::new(read(kif, Reading::default())?, &budget) {
        Err(GroundError::Exhausted(exhausted)) if exhausted.spent.time.as_secs() < 10 => Ok(()),
        Err(other) => Err(other.to_string().into()),
        Ok(_) => Err("it grounds: see DO_NOT_GROUND".into()),
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = Vec::new();
    let traces = rulesheets::corpus().map(|folder| files(&folder, "json")).unwrap_or_default();
    for trace in traces {
        for subject in SUBJECTS {
            let path = trace.with_extension("kif");
            if subject.name == "without-filters" && NEED_FILTERS.contains(&&*stem(&path)) {
                continue;
            }
            let name = format!("{}::{}", subject.name, stem(&path));
            let trial = Trial::test(name, move || (subject.corpus)(&path));
            trials.push(trial.with_ignored_flag(subject.on_demand));
        }
    }
    let counts = fs::read_to_string(root.join("tests/kif_perft.json")).expect("counts");
    let counts: BTreeMap<String, Vec<u64>> = serde_json::from_str(&counts).expect("counts");
    for path in rulesheets::own() {
        let counts = counts.get(&stem(&path)).cloned();
        for subject in SUBJECTS {
            let (path, counts) = (path.clone(), counts.clone());
            trials.push(Trial::test(
                format!("{}::kif::{}", subject.name, stem(&path)),
                move || {
                    let counts = counts.ok_or("no counts in tests/kif_perft.json")?;
                    (subject.own)(&path, &counts)
                },
            ));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a file name").to_string_lossy().into_owned()
}

fn read(path: &Path, reading: Reading) -> Result<Game, Failed> {
    let bytes = fs::read(path)?;
    let list = |found: Vec<gdlr::diagnostic::Diagnostic>| {
        Failed::from(found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    };
    let document = gdlr::kif::read_bytes(&bytes).map_err(list)?;
    Game::from_document(&stem(path), document, reading).map_err(list)
}

/// Calls `work` with a flag that becomes true after so many seconds.
fn within<T>(seconds: Option<u64>, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let stop = AtomicBool::new(false);
    let (done, waiting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        if let Some(seconds) = seconds {
            let stop = &stop;
            scope.spawn(move || {
                let timeout = waiting.recv_timeout(Duration::from_secs(seconds));
                stop.store(timeout == Err(mpsc::RecvTimeoutError::Timeout), Ordering::Relaxed);
            });
        }
        let result = work(&stop);
        drop(done);
        result
    })
}

/// Replays the trace beside a rulesheet.
fn replay<E: Engine>(
    kif: &Path,
    make: fn(Game) -> Result<E, String>,
    options: &VerifyOptions,
    seconds: Option<u64>,
) -> Result<(), Failed> {
    let trace = Trace::from_json(&fs::read_to_string(kif.with_extension("json"))?)?;
    if !trace.is_of(&fs::read(kif)?) {
        return Err("the trace is of another rulesheet".into());
    }
    let reading = Reading { case_sensitive: !trace.case_variants.is_empty(), ..Reading::default() };
    let engine = make(read(kif, reading)?)?;
    let verified = within(seconds, |stop| verify(&engine, &trace, options, stop));
    if let Some(known) = KNOWN_DIFFERENCES.iter().find(|known| known.game == trace.game) {
        return match verified {
            Ok(part) if part.interrupted => Ok(()),
            Ok(_) => Err("the difference is gone: see KNOWN_DIFFERENCES".into()),
            Err(found) if found.place == known.place && found.aspect == (known.aspect)() => Ok(()),
            Err(found) => Err(found.into()),
        };
    }
    let verified = verified?;
    if std::env::var_os("GDLR_CORPUS_REPORT").is_some() {
        eprintln!("{}: {verified:?}", trace.game);
    }
    Ok(())
}

/// Counts joint-move sequences as deep as `budget` joint moves allow, and plays at random.
fn count<E: Engine>(
    kif: &Path,
    make: fn(Game) -> Result<E, String>,
    counts: &[u64],
    budget: usize,
) -> Result<(), Failed> {
    let engine = make(read(kif, Reading::default())?)?;
    let mut scratch = engine.scratch();
    let mut level = HashMap::from([(engine.initial().clone(), 1u64)]);
    let mut played = 0;
    for (depth, &expected) in counts.iter().enumerate() {
        let sequences: u64 = level.values().sum();
        if sequences != expected {
            return Err(format!("depth {depth}: {sequences} sequences, not {expected}").into());
        }
        if depth + 1 == counts.len() {
            break;
        }
        let mut next: HashMap<E::State, u64> = HashMap::new();
        for (state, sequences) in &level {
            for joint in joint_moves(&engine, &mut scratch, state)? {
                played += 1;
                engine.enter(&mut scratch, state);
                engine.step(&mut scratch, &joint)?;
                *next.entry(engine.state(&scratch)).or_default() += sequences;
            }
            if played > budget {
                return random_playouts(&engine);
            }
        }
        level = next;
    }
    random_playouts(&engine)
}

/// The joint moves of a state; none of a terminal one.
fn joint_moves<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    state: &E::State,
) -> Result<Vec<Vec<MoveId>>, Failed> {
    engine.enter(scratch, state);
    let mut joints = vec![Vec::new()];
    let mut moves = Vec::new();
    for role in engine.roles().iter() {
        engine.legal(scratch, role, &mut moves)?;
        let extended = |joint: &Vec<MoveId>, id: MoveId| [&joint[..], &[id]].concat();
        joints = joints.iter().flat_map(|j| moves.iter().map(move |&id| extended(j, id))).collect();
    }
    Ok(joints)
}

/// Plays to the end a few times: there is always a move, an end, and a goal for each role.
fn random_playouts<E: Engine>(engine: &E) -> Result<(), Failed> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = engine.scratch();
    for _ in 0..3 {
        engine.enter(&mut scratch, engine.initial());
        let mut length = 0;
        while !engine.terminal(&mut scratch)? {
            let joint = random_joint_move(engine, &mut scratch, &mut random)?;
            engine.step(&mut scratch, &joint)?;
            length += 1;
            if length > 250 {
                return Err("a play of more than 250 moves".into());
            }
        }
        for role in engine.roles().iter() {
            engine.payoff(&mut scratch, role)?;
        }
    }
    Ok(())
}

fn random_joint_move<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    random: &mut impl Rng,
) -> Result<Vec<MoveId>, Failed> {
    let mut moves = Vec::new();
    let mut joint = Vec::new();
    for role in engine.roles().iter() {
        engine.legal(scratch, role, &mut moves)?;
        joint.push(*moves.choose(random).ok_or("a role without a legal move")?);
    }
    Ok(joint)
}
