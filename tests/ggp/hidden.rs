//! Matches of games with rules for `sees`: what managers tell players, and what players make of
//! it. Nobody is told another's move or the state.

use assert_cmd::cargo::cargo_bin;
use gdlr::engine::{AnyEngine, Engine, EngineKind, MoveId, RoleId, choose, seeded};
use gdlr::gdl::{Game, Term};
use gdlr::ggp::contender::{Contender, NoAnswer, Remote};
use gdlr::ggp::manager::{Conditions, run};
use gdlr::ggp::message::Dialect;
use gdlr::ggp::record::{Ending, FaultKind, Record};
use gdlr::ggp::service::{Options, Service};
use gdlr::kif;
use gdlr::play::player::{Player, ThinkingPlayer, Turn};
use gdlr::play::thinker::Thinker;
use gdlr::play::trace::Trace;
use gdlr::play::verify::{VerifyOptions, verify};
use gdlr::set_up::{Handover, SetUp};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const KUHN: &str = include_str!("../../kif/kuhn_poker.kif");
const KRIEG: &str = include_str!("../../kif/krieg_tictactoe.kif");
const HIDDEN: [&str; 3] = [KUHN, include_str!("../../kif/monty_hall.kif"), KRIEG];
const ROCK: &str = include_str!("../../kif/rock_paper_scissors.kif");
const AUCTION: &str = include_str!("../../kif/three_player_auction.kif");

/// Two percepts in a step, and another step after it.
const TWO: &str = "(role ann) (role random) (init (at 1)) (suit red) (suit black)
    (legal ann a) (legal ann b) (<= (legal random (draw ?s ?t)) (suit ?s) (suit ?t))
    (<= (sees ann (first ?s)) (does random (draw ?s ?t)))
    (<= (sees ann (second ?t)) (does random (draw ?s ?t)))
    (<= (next (at 2)) (true (at 1))) (<= (next (at 3)) (true (at 2)))
    (<= (next (was ?s ?t)) (does random (draw ?s ?t)))
    (<= terminal (true (at 3))) (goal ann 50)";

/// Longer than any answer here takes.
const LONG: Duration = Duration::from_secs(120);

fn game(text: &str) -> Arc<Game> {
    Arc::new(Game::from_kif("game", text).expect("a rulesheet"))
}

fn engine(text: &str, kind: EngineKind) -> AnyEngine {
    SetUp { kind, ..SetUp::default() }.make(game(text)).expect("an engine").engine
}

fn random(seed: u64) -> Box<dyn Player> {
    Box::new(ThinkingPlayer::new(Thinker::Random, seed, 1000))
}

/// A player elsewhere, of which every message is written down.
struct Recorder {
    service: Service,
    heard: Mutex<Vec<String>>,
}

impl Recorder {
    fn new() -> Arc<Recorder> {
        let service = Service::new(Options::new("recorder", || random(3)));
        Arc::new(Recorder { service, heard: Mutex::default() })
    }
}

impl Remote for Recorder {
    fn exchange(&self, message: &str, _: Duration) -> Result<Vec<u8>, NoAnswer> {
        self.heard.lock().unwrap().push(message.to_owned());
        Ok(say(&self.service, message).into_bytes())
    }
}

fn say(service: &Service, message: &str) -> String {
    match service.answer(message, Instant::now(), Duration::ZERO) {
        Ok(reply) => reply.to_string(),
        Err(error) => panic!("{message}: {error}"),
    }
}

/// Plays a match, with these players for the roles that are not chance.
fn play(
    text: &str,
    seed: u64,
    dialect: Option<Dialect>,
    contender: &dyn Fn(RoleId) -> Contender,
) -> Record {
    let engine = engine(text, EngineKind::Tree);
    let chance = engine.roles().random();
    let contenders = engine.roles().iter().map(|role| match chance == Some(role) {
        true => Contender::Random,
        false => contender(role),
    });
    let conditions = Conditions {
        id: "m.1".to_owned(),
        start_clock: LONG,
        play_clock: LONG,
        seed,
        dialect,
        ..Conditions::default()
    };
    let stop = AtomicBool::new(false);
    let contenders = contenders.collect();
    run(&game(text), &engine, contenders, &conditions, &stop, &mut |_| {})
}

/// The moves that were played, in the numbers of an engine.
fn joints(engine: &AnyEngine, record: &Record) -> Vec<Vec<MoveId>> {
    let id = |(role, text): (RoleId, &String)| {
        let expr = kif::read(text).expect("KIF").items.remove(0);
        let term = Term::from_expr(&expr, engine.symbols()).expect("a move");
        engine.move_id(role, &term).expect("a move")
    };
    let joints = record.playout.steps.iter().filter_map(|step| step.joint.as_ref());
    joints.map(|joint| engine.roles().iter().zip(joint).map(id).collect()).collect()
}

/// By step: what a role did and saw, as an engine says, in the form of the messages; and the state
/// after it.
fn truth(engine: &AnyEngine, record: &Record, role: RoleId) -> Vec<(String, Vec<String>)> {
    let symbols = engine.symbols();
    let text = |terms: &[Term]| -> Vec<String> {
        terms.iter().map(|term| term.canonical(symbols)).collect()
    };
    let (mut scratch, mut told) = (engine.scratch(), Vec::new());
    for joint in joints(engine, record) {
        let percepts = &engine.percepts(&mut scratch, &joint).expect("legal moves")[role.index()];
        engine.step(&mut scratch, &joint).expect("legal moves");
        let own = engine.move_term(joint[role.index()]).1.canonical(symbols);
        let mut facts = text(&engine.facts(&engine.state(&scratch)));
        facts.sort_unstable();
        told.push((format!("{own} ({})", text(percepts).join(" ")), facts));
    }
    told
}

/// That the record is the truth, on every engine.
fn verifies(text: &str, record: &Record) {
    let value = Record::to_json(std::slice::from_ref(record), text.as_bytes()).expect("a match");
    let trace = Trace::from_json(&value.to_string()).expect("a trace");
    for kind in [EngineKind::Tree, EngineKind::Propnet, EngineKind::Rg] {
        let options = VerifyOptions::default();
        match verify(&engine(text, kind), &trace, &options, &AtomicBool::new(false)) {
            Ok(verified) => assert_eq!(verified.playouts, 1),
            Err(difference) => panic!("{kind:?}: {difference}"),
        }
    }
}

#[test]
fn a_player_is_told_its_own_move_and_what_it_sees() {
    for text in HIDDEN {
        let engines = [EngineKind::Tree, EngineKind::Propnet, EngineKind::Rg];
        let engines = engines.map(|kind| engine(text, kind));
        for seed in 0..3 {
            let recorders: Vec<Arc<Recorder>> =
                engines[0].roles().iter().map(|_| Recorder::new()).collect();
            let elsewhere = |role: RoleId| {
                Contender::Elsewhere("there".into(), recorders[role.index()].clone())
            };
            let record = play(text, seed, None, &elsewhere);
            assert_eq!((&record.ending, &record.faults[..]), (&Ending::Terminal, &[][..]));
            verifies(text, &record);
            for (role, recorder) in engines[0].roles().iter().zip(&recorders) {
                let heard = recorder.heard.lock().unwrap();
                if engines[0].roles().random() == Some(role) {
                    assert_eq!(*heard, [""; 0]);
                    continue;
                }
                for engine in &engines {
                    let truth = truth(engine, &record, role);
                    let mut expected = vec!["(PLAY m.1 0 NIL ())".to_owned()];
                    for (step, (told, _)) in (1..).zip(&truth) {
                        let word = if step == truth.len() { "STOP" } else { "PLAY" };
                        expected.push(format!("({word} m.1 {step} {told})"));
                    }
                    assert_eq!(heard[1..], expected);
                }
            }
        }
    }
}

/// A player whose answers to PLAY never arrive as they were sent.
struct Garbled(Service);

impl Remote for Garbled {
    fn exchange(&self, message: &str, _: Duration) -> Result<Vec<u8>, NoAnswer> {
        let reply = say(&self.0, message);
        assert_ne!(reply, "nil", "{message}");
        Ok(if message.starts_with("(PLAY") { b"(".to_vec() } else { reply.into_bytes() })
    }
}

#[test]
fn who_plays_another_move_than_it_wanted_follows() {
    for text in [KUHN, KRIEG] {
        let elsewhere = |_| {
            let service = Service::new(Options::new("garbled", || random(3)));
            Contender::Elsewhere("there".into(), Arc::new(Garbled(service)))
        };
        let record = play(text, 1, None, &elsewhere);
        assert_eq!(record.ending, Ending::Terminal);
        assert!(record.faults.iter().all(|fault| fault.kind == FaultKind::Unreadable));
        assert!(!record.faults.is_empty());
    }
}

#[test]
fn where_all_is_seen_percepts_can_tell_it() {
    for text in [ROCK, AUCTION, include_str!("../../kif/pig.kif")] {
        let recorder = Recorder::new();
        let elsewhere = |role: RoleId| match role.0 {
            1 => Contender::Elsewhere("there".into(), recorder.clone()),
            _ => Contender::Random,
        };
        let record = play(text, 1, Some(Dialect::Percepts), &elsewhere);
        assert_eq!((&record.ending, &record.faults[..]), (&Ending::Terminal, &[][..]));
        verifies(text, &record);
        let heard = recorder.heard.lock().unwrap();
        assert_eq!(heard[1], "(PLAY m.1 0 NIL ())");
        let joint = record.playout.steps[0].joint.as_ref().expect("a joint move");
        let did = record.roles.iter().zip(joint).map(|(role, word)| format!("(did {role} {word})"));
        let did: Vec<String> = did.collect();
        assert_eq!(heard[2], format!("(PLAY m.1 1 {} ({}))", joint[1], did.join(" ")));
        assert_eq!(heard.len(), record.playout.length + 2);
    }
    // No dialect tells what rules hide.
    let recorder = Recorder::new();
    let elsewhere = |_| Contender::Elsewhere("there".into(), recorder.clone());
    play(include_str!("../../kif/monty_hall.kif"), 1, Some(Dialect::JointMove), &elsewhere);
    assert_eq!(recorder.heard.lock().unwrap()[2], "(PLAY m.1 1 wait ())");
}

#[test]
fn a_manager_that_tells_joint_moves_is_followed() {
    for text in [KUHN, KRIEG] {
        let engine = engine(text, EngineKind::Tree);
        let (mut scratch, mut rng) = (engine.scratch(), seeded(5, 0));
        let service = Service::new(Options::new("player", || random(2)));
        let me = RoleId(1);
        let name = engine.roles().name(me);
        assert_eq!(say(&service, &format!("(START m {name} ({text}) 60 60)")), "READY");
        let (mut last, mut legal, mut choices) = ("NIL".to_owned(), Vec::new(), 0);
        while !engine.terminal(&mut scratch).expect("little work") {
            let mut joint = Vec::new();
            for role in engine.roles().iter() {
                engine.legal(&mut scratch, role, &mut legal).expect("little work");
                let text = |&id: &MoveId| engine.move_term(id).1.canonical(engine.symbols());
                if role == me {
                    choices += usize::from(legal.len() > 1);
                    let reply = say(&service, &format!("(PLAY m {last})"));
                    let chosen = legal.iter().find(|id| text(id) == reply);
                    joint.push(*chosen.unwrap_or_else(|| panic!("{reply} after {last}")));
                } else {
                    joint.push(choose(&legal, &mut rng).expect("a move"));
                }
            }
            engine.step(&mut scratch, &joint).expect("legal moves");
            let text = |&id: &MoveId| engine.move_term(id).1.canonical(engine.symbols());
            last = format!("({})", joint.iter().map(text).collect::<Vec<_>>().join(" "));
        }
        assert!(choices > 0);
        assert_eq!(say(&service, &format!("(STOP m {last})")), "DONE");
    }
}

#[test]
fn what_cannot_have_been_seen_is_no_turn() {
    let service = Service::new(Options::new("player", || random(2)));
    assert_eq!(say(&service, &format!("(START m ann ({KUHN}) 60 60)")), "READY");
    assert_eq!(say(&service, "(PLAY m 0 NIL ())"), "wait");
    for last in [
        // Two cards, no card, one that is not dealt yet, one that the pack does not have.
        "1 wait ((dealt jack) (dealt king))",
        "1 wait ()",
        "1 wait ((dealt jack) (shown king))",
        "1 wait ((dealt ace))",
        // No such percept, no such move, none that is legal.
        "1 wait (jack)",
        "1 deal ((dealt jack))",
        "1 bet ((dealt jack))",
        "(wait wait)",
        "(wait wait (deal jack jack))",
    ] {
        assert_eq!(say(&service, &format!("(PLAY m {last})")), "nil", "{last}");
    }
    // It is where it was, and goes on from there.
    let word = say(&service, "(PLAY m 1 WAIT ((DEALT Jack)))");
    assert!(["check", "bet"].contains(&word.as_str()), "{word}");
    assert_eq!(say(&service, "(PLAY m 2 check ((dealt jack)))"), "nil");
    assert_eq!(say(&service, &format!("(STOP m 2 {word} ((hears nothing)))")), "DONE");

    // Percepts come in any order, and may come twice.
    for percepts in ["(first red) (second black)", "(second black) (first red) (second black)"] {
        assert_eq!(say(&service, &format!("(START n ann ({TWO}) 60 60)")), "READY");
        let word = say(&service, "(PLAY n 0 NIL ())");
        assert_eq!(say(&service, &format!("(PLAY n 1 {word} ((first red)))")), "nil");
        let reply = say(&service, &format!("(PLAY n 1 {word} ({percepts}))"));
        assert!(["a", "b"].contains(&reply.as_str()), "{reply}");
        assert_eq!(say(&service, "(ABORT n)"), "aborted");
    }
    assert_eq!(say(&service, "(INFO)"), "((name player) (status available))");
}

/// Chooses by all that it is given: the state, the candidates, what it was told.
struct Curious;

impl Player for Curious {
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        let sampler = turn.sampler.expect("what the role can know");
        let facts = |state| {
            let mut facts: Vec<String> = turn
                .engine
                .facts(state)
                .iter()
                .map(|fact| fact.canonical(turn.engine.symbols()))
                .collect();
            facts.sort_unstable();
            facts
        };
        let mut all: Vec<_> = sampler.candidates().map(|(one, _)| facts(&one.state)).collect();
        assert!(all.contains(&facts(turn.state)));
        all.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (facts(turn.state), all, format!("{:?}", turn.last)).hash(&mut hasher);
        turn.legal[(hasher.finish() % turn.legal.len() as u64) as usize]
    }
}

#[test]
fn the_true_state_changes_no_answer() {
    type Make = fn() -> Box<dyn Player>;
    let players: [Make; 2] = [|| Box::new(Curious), || random(4)];
    for (text, seeds) in [(KUHN, 30), (KRIEG, 12)] {
        let engine = engine(text, EngineKind::Tree);
        // On one engine for all matches: a net that comes between would number moves otherwise.
        let start = || {
            let engines: Handover = SetUp { kind: EngineKind::Tree, ..SetUp::default() }
                .start(game(text))
                .expect("engines");
            while !engines.wait(Duration::from_millis(100)) {}
            Arc::new(engines)
        };
        let engines = start();
        for player in players {
            // By what the role was told: what it answered, and the states in which it did.
            let mut answers: BTreeMap<String, (String, BTreeSet<Vec<String>>)> = BTreeMap::new();
            for seed in 0..seeds {
                let me = RoleId(0);
                let contender = |role| match role == me {
                    true => Contender::Here("here".into(), player(), engines.clone()),
                    false => Contender::Random,
                };
                let record = play(text, seed, None, &contender);
                assert_eq!(record.faults, []);
                let mut told = String::new();
                let mut state = Vec::new();
                for (step, (now, next)) in truth(&engine, &record, me).into_iter().enumerate() {
                    let joint = record.playout.steps[step].joint.as_ref().expect("a joint move");
                    let answer = answers.entry(told.clone()).or_default();
                    if answer.1.is_empty() {
                        answer.0 = joint[0].clone();
                    }
                    assert_eq!(answer.0, joint[0], "seed {seed}, after {told}");
                    answer.1.insert(state);
                    (told, state) = (told + "; " + &now, next);
                }
            }
            // It had the opportunity to be wrong.
            let doubtful =
                answers.values().filter(|(answer, states)| answer != "wait" && states.len() > 1);
            assert!(doubtful.count() > 2, "{answers:?}");
        }
    }
}

fn gdlr(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(cargo_bin!("gdlr"));
    let output = command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null()).output();
    let output = output.expect("gdlr");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

#[test]
fn the_command_tells_nobody_what_is_hidden() {
    let (status, said) = gdlr(&["match", "kuhn_poker", "--dialect", "gdl"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("would tell players the moves of all roles"), "{said}");
    for arguments in [["kuhn_poker", "auto"], ["kuhn_poker", "gdl-ii"], ["nim", "gdl"]] {
        let [game, dialect] = arguments;
        let (status, said) = gdlr(&["match", game, "--dialect", dialect]);
        assert_eq!(status, Some(0), "{said}");
    }
    let file = format!("{}/hidden.toml", env!("CARGO_TARGET_TMPDIR"));
    let series = "games = [\"nim\", \"kuhn_poker\"]\ndialect = \"gdl\"\n\
        [[player]]\nkind = \"random\"\n[[player]]\nkind = \"mc\"\n";
    std::fs::write(&file, series).expect("a file");
    let (status, said) = gdlr(&["match", "--series", &file]);
    assert_eq!(status, Some(2));
    assert!(said.contains("hidden.toml:1:17") && said.contains("gdl-ii"), "{said}");
}
