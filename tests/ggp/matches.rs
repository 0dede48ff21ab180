//! Matches: of players on this machine, and of stubs behind real sockets, good ones and such as
//! break every rule. Each match comes to its end, and its record says what happened.

use assert_cmd::cargo::cargo_bin;
use gdlr::engine::{AnyEngine, Engine, EngineKind, MoveId, RoleId};
use gdlr::gdl::{Game, Term};
use gdlr::ggp::archive;
use gdlr::ggp::client::{HttpPlayer, LARGEST};
use gdlr::ggp::contender::Contender;
use gdlr::ggp::manager::{Conditions, Event, run};
use gdlr::ggp::record::{Ending, Fault, FaultKind, Record, Request};
use gdlr::kif;
use gdlr::play::player::{Player, ThinkingPlayer, Turn};
use gdlr::play::thinker::Thinker;
use gdlr::play::trace::Trace;
use gdlr::play::verify::{VerifyOptions, verify};
use gdlr::set_up::SetUp;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const TICTACTOE: &str = include_str!("../../kif/tictactoe.kif");
const ROCK: &str = include_str!("../../kif/rock_paper_scissors.kif");
const AUCTION: &str = include_str!("../../kif/three_player_auction.kif");

/// Chance throws a die twice, and the player waits.
const DIE: &str = "
    (role player) (role random) (init (at 0)) (succ 0 1) (succ 1 2) (side 1) (side 2) (side 3)
    (<= (legal random (throw ?s)) (side ?s))
    (legal player wait)
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
    (<= (next (thrown ?s)) (does random (throw ?s)))
    (<= terminal (true (at 2)))
    (<= (goal player 100) (true (thrown 3))) (<= (goal player 0) (not (true (thrown 3))))
    (goal random 0)";

/// The player has no move after the first step.
const STUCK: &str = "
    (role robot) (init (at 0)) (<= (legal robot go) (true (at 0)))
    (<= (next (at 1)) (does robot go)) (<= terminal (true (at 2))) (goal robot 0)";

/// Longer than any match here may take, shorter than the clocks that must not be waited for.
const SOON: Duration = Duration::from_secs(40);

fn game(name: &str, text: &str) -> Arc<Game> {
    Arc::new(Game::from_kif(name, text).expect("a rulesheet"))
}

fn engine(game: &Arc<Game>, kind: EngineKind) -> AnyEngine {
    let set_up = SetUp { kind, ..SetUp::default() };
    set_up.make(game.clone()).expect("an engine").engine
}

fn conditions(play_clock: Duration) -> Conditions {
    Conditions {
        id: "m.1".to_owned(),
        start_clock: Duration::from_secs(60),
        play_clock,
        ..Conditions::default()
    }
}

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Runs a match that nobody interrupts.
fn play(text: &str, contenders: Vec<Contender>, conditions: &Conditions) -> Record {
    let game = game("game", text);
    let engine = engine(&game, EngineKind::Tree);
    let stop = AtomicBool::new(false);
    run(&game, &engine, contenders, conditions, &stop, &mut |_| {})
}

fn here(text: &str, name: &str, player: impl Player + 'static) -> Contender {
    let engines = SetUp::default().start(game("game", text)).expect("engines");
    Contender::Here(name.to_owned(), Box::new(player), Arc::new(engines))
}

fn thinking(text: &str, thinker: Thinker) -> Contender {
    here(text, "here", ThinkingPlayer::new(thinker, 7, 1000))
}

fn elsewhere(url: &str) -> Contender {
    Contender::Elsewhere(url.to_owned(), Arc::new(HttpPlayer::new(url).expect("an address")))
}

/// That the record is the truth, on every engine.
fn verifies(text: &str, record: &Record) {
    let value = Record::to_json(std::slice::from_ref(record), text.as_bytes()).expect("a match");
    let trace = Trace::from_json(&value.to_string()).expect("a trace");
    assert!(trace.of_matches && trace.is_of(text.as_bytes()));
    let game = game("game", text);
    for kind in [EngineKind::Tree, EngineKind::Propnet, EngineKind::Rg] {
        let engine = engine(&game, kind);
        let options = VerifyOptions::default();
        match verify(&engine, &trace, &options, &AtomicBool::new(false)) {
            Ok(verified) => assert_eq!(verified.playouts, 1),
            Err(difference) => panic!("{kind:?}: {difference}"),
        }
    }
}

/// A player behind a socket: what it is told, and what it does with a connection after that.
struct Stub {
    url: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Stub {
    fn new(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Stub {
        Stub::on(TcpListener::bind("127.0.0.1:0").expect("a port"), answer)
    }

    fn on(
        listener: TcpListener,
        answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static,
    ) -> Stub {
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = heard.clone();
        let answer = Arc::new(answer);
        // A connection that is never answered is kept open.
        let open: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (log, answer, open) = (log.clone(), answer.clone(), open.clone());
                let Ok(mut stream) = stream else { continue };
                thread::spawn(move || {
                    let message = read_request(&stream).expect("a request");
                    log.lock().unwrap().push(message.clone());
                    answer(&message, &mut stream);
                    open.lock().unwrap().push(stream);
                });
            }
        });
        Stub { url, heard }
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// How many messages began like that.
    fn count(&self, begin: &str) -> usize {
        self.heard().iter().filter(|message| message.starts_with(begin)).count()
    }
}

/// The body of a request, whose head must be as in the specification.
fn read_request(stream: &TcpStream) -> Option<String> {
    stream.set_read_timeout(Some(SOON)).ok()?;
    let mut reader = BufReader::new(stream);
    let (mut length, mut is_text, mut line) = (0, false, String::new());
    reader.read_line(&mut line).ok()?;
    assert!(line.starts_with("POST / HTTP/1."), "{line}");
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().to_ascii_lowercase().split_once(": ") {
            Some(("content-length", number)) => length = number.parse().ok()?,
            Some(("content-type", kind)) => is_text = kind.starts_with("text/acl"),
            Some(_) => {}
            None => break,
        }
    }
    assert!(is_text);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}

/// Sends a whole answer and hangs up.
fn reply(stream: &mut TcpStream, text: &str) {
    let length = text.len();
    let head = format!("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {length}\r\n");
    // Whoever asked may have hung up.
    let _ = write!(stream, "{head}\r\n{text}");
    let _ = stream.shutdown(std::net::Shutdown::Write);
}

/// Says READY and DONE, and whatever `answer` does to PLAY.
fn stub(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Stub {
    Stub::new(move |message, stream| match message.split_whitespace().next() {
        Some("(START") => reply(stream, "ready\r\n"),
        Some("(STOP") => reply(stream, " Done "),
        Some("(ABORT") => reply(stream, "ABORTED"),
        _ => answer(message, stream),
    })
}

/// A player that follows the match, and plays its last legal move, in capitals.
fn good(text: &'static str, role: &'static str) -> Stub {
    let engine = engine(&game("game", text), EngineKind::Tree);
    let role = engine.roles().find(role).expect("a role");
    let scratch = Mutex::new(engine.scratch());
    stub(move |message, stream| {
        let mut scratch = scratch.lock().unwrap();
        let document = kif::read(message).expect("a message");
        let [_, id, last] = document.items[0].list().expect("a list") else { panic!("{message}") };
        assert_eq!(id.atom(), Some("m.1"));
        if let Some(last) = last.list() {
            let joint: Vec<MoveId> = engine
                .roles()
                .iter()
                .zip(last)
                .map(|(role, expr)| {
                    let term = Term::from_expr(expr, engine.symbols()).expect("a move");
                    engine.move_id(role, &term).expect("a move")
                })
                .collect();
            engine.step(&mut scratch, &joint).expect("a legal joint move");
        }
        let mut legal = Vec::new();
        engine.legal(&mut scratch, role, &mut legal).expect("little work");
        let chosen = engine.move_term(*legal.last().expect("a legal move")).1;
        reply(stream, &chosen.canonical(engine.symbols()).to_uppercase());
    })
}

#[test]
fn players_on_this_machine() {
    let conditions = conditions(millis(300));
    for (text, players) in [
        (TICTACTOE, vec![thinking(TICTACTOE, Thinker::Uct), thinking(TICTACTOE, Thinker::Random)]),
        (ROCK, vec![thinking(ROCK, Thinker::MonteCarlo), Contender::Random]),
        (AUCTION, vec![Contender::Random, thinking(AUCTION, Thinker::Random), Contender::Random]),
    ] {
        let record = play(text, players, &conditions);
        assert_eq!(record.ending, Ending::Terminal);
        assert_eq!(record.states.len(), record.playout.length + 1);
        assert_eq!(record.answers.len(), record.playout.length);
        assert!(record.goals.iter().all(Option::is_some), "{:?}", record.goals);
        verifies(text, &record);
    }
}

#[test]
fn a_seed_gives_the_same_match_again() {
    let play = |seed| {
        let conditions = Conditions { seed, ..conditions(millis(300)) };
        play(TICTACTOE, vec![Contender::Random, Contender::Random], &conditions).playout.steps
    };
    assert_eq!(play(1), play(1));
    assert!((2..6).any(|seed| play(seed) != play(1)));
}

#[test]
fn a_good_player_elsewhere() {
    let stub = good(TICTACTOE, "noughts");
    let record = play(
        TICTACTOE,
        vec![thinking(TICTACTOE, Thinker::Random), elsewhere(&stub.url)],
        &conditions(SOON),
    );
    assert_eq!(record.faults, []);
    // Nobody has waited for the start clock, nor for a play clock.
    assert!(record.lasted < SOON, "{:?}", record.lasted);
    assert!(record.answers.iter().all(|step| step.iter().all(Option::is_some)));
    verifies(TICTACTOE, &record);

    let heard = stub.heard();
    let length = record.playout.length;
    assert_eq!(heard.len(), length + 2);
    let rules = kif::read(&heard[0]).expect("a message");
    let [start, id, role, rules, begin, play] = rules.items[0].list().expect("a list") else {
        panic!("{}", heard[0])
    };
    let words = [start, id, role, begin, play].map(|expr| expr.atom().expect("a word"));
    assert_eq!(words, ["START", "m.1", "noughts", "60", "40"]);
    let own = kif::read(TICTACTOE).expect("rules");
    let texts = |items: &[kif::Expr]| items.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts(rules.list().expect("rules")), texts(&own.items));
    assert_eq!(heard[1], "(PLAY m.1 NIL)");
    let moves = |step: usize| record.playout.steps[step].joint.as_ref().unwrap().join(" ");
    assert_eq!(heard[2], format!("(PLAY m.1 ({}))", moves(0)));
    assert_eq!(heard[length + 1], format!("(STOP m.1 ({}))", moves(length - 1)));
}

#[test]
fn no_fault_of_a_player_ends_a_match() {
    type Answer = fn(&str, &mut TcpStream);
    let half: Answer = |_, stream| {
        let _ = write!(stream, "HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\n(sign 1");
        let _ = stream.shutdown(std::net::Shutdown::Both);
    };
    let endless: Answer = |_, stream| {
        let _ = write!(stream, "HTTP/1.0 200 OK\r\nContent-Length: 104857600\r\n\r\n");
        let _ = stream.set_write_timeout(Some(SOON));
        let part = vec![b'x'; 1 << 20];
        for _ in 0..100 {
            if stream.write_all(&part).is_err() {
                break;
            }
        }
    };
    let endless_head: Answer = |_, stream| {
        let _ = write!(stream, "HTTP/1.0 200 OK\r\n");
        let part = format!("A: {}\r\n", "x".repeat(1000)).repeat(1000);
        for _ in 0..100 {
            if stream.write_all(part.as_bytes()).is_err() {
                break;
            }
        }
    };
    let slow: Answer = |_, stream| {
        let _ = write!(stream, "HTTP/1.0 200 OK\r\nContent-Length: 5000\r\n\r\n");
        for _ in 0..20 {
            thread::sleep(millis(50));
            let _ = stream.write_all(b"x");
        }
    };
    let cases: [(&str, Answer, &[FaultKind], &str); 10] = [
        ("silent", |_, _| {}, &[FaultKind::Late], ""),
        ("slow", slow, &[FaultKind::Late], "x"),
        ("closes", |_, s| drop(s.shutdown(std::net::Shutdown::Both)), &[FaultKind::Closed], ""),
        ("half", half, &[FaultKind::Closed], "(sign 1"),
        ("endless", endless, &[FaultKind::TooLarge], "xxxx"),
        ("endless head", endless_head, &[FaultKind::TooLarge, FaultKind::Transport], ""),
        ("no HTTP", |_, s| drop(s.write_all(b"wait\r\n\r\n")), &[FaultKind::Transport], ""),
        ("garbage", |_, s| reply(s, ")) \u{1} (("), &[FaultKind::Unreadable], ")) \u{1} (("),
        ("two", |_, s| reply(s, "wait wait"), &[FaultKind::Unreadable], "wait wait"),
        ("illegal", |_, s| reply(s, "(sign 9 9)"), &[FaultKind::Illegal], "(sign 9 9)"),
    ];
    for (name, answer, kinds, sent) in cases {
        let stub = stub(answer);
        let conditions = Conditions { max_errors: 3, ..conditions(millis(700)) };
        let contenders = vec![elsewhere(&stub.url), thinking(TICTACTOE, Thinker::Random)];
        let record = play(TICTACTOE, contenders, &conditions);
        assert_eq!(record.ending, Ending::Terminal, "{name}");
        assert!(record.lasted < SOON, "{name}: {:?}", record.lasted);
        verifies(TICTACTOE, &record);
        assert_eq!(record.players[0].given_up, Some(2), "{name}: {:?}", record.faults);
        assert_eq!(stub.count("(PLAY"), 3, "{name}");
        assert_eq!(stub.count("(STOP"), 1, "{name}");
        let faults: Vec<&Fault> = record.faults.iter().filter(|f| f.role == RoleId(0)).collect();
        assert_eq!(faults.len(), 3, "{name}: {faults:?}");
        for (step, fault) in faults.iter().enumerate() {
            assert!(kinds.contains(&fault.kind), "{name}: {fault:?}");
            let joint = record.playout.steps[step].joint.as_ref().expect("a joint move");
            assert_eq!((fault.step, fault.played.as_ref()), (step as u64, Some(&joint[0])));
            // An answer that was sent too late may come after the match, if it is the last.
            if fault.kind == FaultKind::Late && step == 2 {
                continue;
            }
            let text = fault.sent.as_deref().unwrap_or_default();
            assert!(text.starts_with(sent) && text.len() < LARGEST, "{name}: {text}");
            assert_eq!(text.is_empty(), sent.is_empty(), "{name}: {text}");
        }
        assert!(record.faults.iter().all(|fault| fault.role == RoleId(0)), "{:?}", record.faults);
    }
}

#[test]
fn a_move_that_is_not_legal_here_is_illegal() {
    // It is legal for whoever is to move, and only then.
    let stub = stub(|_, stream| reply(stream, "wait"));
    let conditions = Conditions { max_errors: 100, ..conditions(SOON) };
    let record = play(TICTACTOE, vec![elsewhere(&stub.url), Contender::Random], &conditions);
    assert_eq!(record.faults.len(), record.playout.length.div_ceil(2));
    for fault in &record.faults {
        assert_eq!((fault.kind, fault.step % 2), (FaultKind::Illegal, 0));
        assert_eq!(fault.sent.as_deref(), Some("wait"));
    }
}

/// A port at which nobody listens, and its address.
fn nobody() -> (u16, String) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    (port, format!("http://127.0.0.1:{port}"))
}

#[test]
fn who_is_not_there_is_unreachable() {
    let (_, url) = nobody();
    let clocks = Conditions { start_clock: millis(300), ..conditions(millis(300)) };
    let conditions = Conditions { max_errors: 2, ..clocks };
    let record = play(TICTACTOE, vec![elsewhere(&url), Contender::Random], &conditions);
    assert_eq!(record.ending, Ending::Terminal);
    assert_eq!(record.faults[0].request, Request::Start);
    assert!(record.faults.iter().all(|fault| fault.kind == FaultKind::Unreachable));
    assert_eq!(record.players[0].given_up, Some(0));
    // However often it was sent, a message is one error; and nobody waits to take leave.
    assert_eq!(record.faults.len(), 3, "{:?}", record.faults);
    assert!(record.lasted >= millis(300), "{:?}", record.lasted);
}

/// A player that begins to listen after this time, and says READY, its name and a move.
fn late(port: u16, after: Duration, answer: &'static str) -> thread::JoinHandle<Stub> {
    thread::spawn(move || {
        thread::sleep(after);
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("the port");
        Stub::on(listener, move |message, stream| match message.split_whitespace().next() {
            Some("(START") => reply(stream, "READY"),
            Some("(STOP") => reply(stream, "DONE"),
            Some("(INFO)") => reply(stream, "((name late) (status available))"),
            _ => reply(stream, answer),
        })
    })
}

#[test]
fn who_refuses_connections_is_asked_again() {
    let (port, url) = nobody();
    let player = late(port, millis(300), "(show rock)");
    let conditions = Conditions { max_errors: 1, ..conditions(SOON) };
    let record = play(ROCK, vec![elsewhere(&url), Contender::Random], &conditions);
    assert_eq!((&record.faults[..], record.players[0].given_up), (&[][..], None));
    assert!(record.lasted < SOON / 2, "{:?}", record.lasted);
    assert_eq!(player.join().unwrap().count("(START"), 1);
}

/// Takes its time for each move.
struct Steady;

impl Player for Steady {
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        thread::sleep(millis(300));
        turn.legal[0]
    }
}

#[test]
fn who_was_given_up_and_answers_again_is_asked_again() {
    let (port, url) = nobody();
    let player = late(port, millis(600), "wait");
    let clocks = Conditions { start_clock: millis(200), ..conditions(SOON) };
    let conditions = Conditions { max_errors: 1, ..clocks };
    let game = game("game", TICTACTOE);
    let engine = engine(&game, EngineKind::Tree);
    let mut told = Vec::new();
    let record = run(
        &game,
        &engine,
        vec![elsewhere(&url), here(TICTACTOE, "steady", Steady)],
        &conditions,
        &AtomicBool::new(false),
        &mut |event| match event {
            Event::Unreachable(role, _) => told.push(format!("{role:?} is not there")),
            Event::GivenUp(role) => told.push(format!("{role:?} is given up")),
            Event::Returned(role) => told.push(format!("{role:?} is back")),
            _ => {}
        },
    );
    assert_eq!(record.ending, Ending::Terminal);
    let player = player.join().unwrap();
    assert!(player.count("(INFO)") == 1 && player.count("(PLAY") >= 1, "{:?}", player.heard());
    let first = RoleId(0);
    let expected =
        ["is not there", "is given up", "is back"].map(|what| format!("{first:?} {what}"));
    assert_eq!(told[..3], expected);
}

#[test]
fn who_is_busy_is_asked_no_move() {
    let stub = Stub::new(|message, stream| {
        reply(stream, if message.starts_with("(START") { " Busy\n" } else { "rock" })
    });
    let record = play(ROCK, vec![elsewhere(&stub.url), Contender::Random], &conditions(SOON));
    assert_eq!(record.ending, Ending::Terminal);
    // It is not told of the end either, which it could take for that of another match.
    assert_eq!(stub.heard().len(), 1, "{:?}", stub.heard());
    let [fault] = &record.faults[..] else { panic!("{:?}", record.faults) };
    assert_eq!((fault.request, fault.kind), (Request::Start, FaultKind::Busy));
    assert_eq!((fault.sent.as_deref(), fault.role), (Some(" Busy\n"), RoleId(0)));
    assert_eq!((record.players[0].errors, record.players[0].given_up), (1, Some(0)));
    assert!(record.answers.iter().all(|step| step[0].is_none()));
    // Its moves are random, and legal.
    verifies(ROCK, &record);
    let value = Record::to_json(&[record], ROCK.as_bytes()).expect("a record");
    let of_match = &value["matches"][0];
    assert_eq!(of_match["players"][0]["given_up"], 0);
    assert_eq!(of_match["errors"][0]["kind"], "busy");
}

#[test]
fn a_player_that_is_not_ready_is_asked_all_the_same() {
    let stub = Stub::new(|message, stream| {
        reply(stream, if message.starts_with("(START") { "later" } else { "rock" })
    });
    let conditions = Conditions { max_errors: 100, ..conditions(SOON) };
    let record = play(ROCK, vec![elsewhere(&stub.url), Contender::Random], &conditions);
    let fault = &record.faults[0];
    assert_eq!((fault.request, fault.kind), (Request::Start, FaultKind::Unexpected));
    assert_eq!(fault.sent.as_deref(), Some("later"));
    assert_eq!(stub.count("(PLAY"), record.playout.length);
}

#[test]
fn all_are_asked_at_the_same_time() {
    let (one, other) = (stub(|_, _| {}), stub(|_, _| {}));
    let clock = millis(1000);
    let conditions = Conditions { max_errors: 2, ..conditions(clock) };
    let record = play(ROCK, vec![elsewhere(&one.url), elsewhere(&other.url)], &conditions);
    assert_eq!(record.ending, Ending::Terminal);
    assert_eq!(record.faults.len(), 4);
    assert!(record.lasted >= 2 * clock && record.lasted < 4 * clock, "{:?}", record.lasted);
}

#[test]
fn the_start_clock_runs_out() {
    let silent = Stub::new(|message, stream| match message.starts_with("(START") {
        true => {}
        false => reply(stream, "wait"),
    });
    let conditions = Conditions { start_clock: millis(400), ..conditions(SOON) };
    let record = play(DIE, vec![elsewhere(&silent.url), Contender::Random], &conditions);
    assert!(record.lasted >= millis(400) && record.lasted < SOON);
    let of_start = record.faults.iter().find(|fault| fault.request == Request::Start);
    assert_eq!(of_start.map(|fault| fault.kind), Some(FaultKind::Late));
    assert_eq!(record.faults.iter().filter(|fault| fault.request == Request::Play).count(), 0);
}

/// Sleeps over its first move.
struct Sleeper(bool);

impl Player for Sleeper {
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        if !std::mem::replace(&mut self.0, true) {
            thread::sleep(millis(900));
        }
        turn.legal[0]
    }
}

#[test]
fn what_comes_late_is_written_down() {
    let sleeper = here(TICTACTOE, "sleeper", Sleeper(false));
    let slow = stub(|_, stream| {
        thread::sleep(millis(150));
        reply(stream, "wait");
    });
    let conditions = Conditions { max_errors: 100, ..conditions(millis(300)) };
    let record = play(TICTACTOE, vec![sleeper, elsewhere(&slow.url)], &conditions);
    assert_eq!(record.ending, Ending::Terminal);
    let fault = &record.faults[0];
    assert_eq!((fault.kind, fault.role, fault.step), (FaultKind::Late, RoleId(0), 0));
    assert!(fault.sent.as_deref().is_some_and(|sent| sent.starts_with("(sign")), "{fault:?}");
    verifies(TICTACTOE, &record);
}

#[test]
fn chance_is_played_by_the_manager() {
    // Were the role of chance asked, there would be errors.
    let stub = stub(|_, stream| reply(stream, "nonsense"));
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let conditions = Conditions { seed, ..conditions(SOON) };
        let record = play(DIE, vec![Contender::Random, elsewhere(&stub.url)], &conditions);
        assert_eq!(record.faults, []);
        assert_eq!(record.players[1].name, "random");
        let steps = record.playout.steps.iter();
        seen.extend(steps.map(|step| step.joint.as_ref().unwrap()[1].clone()));
    }
    assert_eq!(stub.heard(), Vec::<String>::new());
    assert_eq!(seen.len(), 3, "{seen:?}");
}

#[test]
fn a_match_can_be_cut_or_stuck() {
    let heard = stub(|_, stream| reply(stream, "rock"));
    let conditions = Conditions { max_steps: 2, max_errors: 100, ..conditions(SOON) };
    let record = play(ROCK, vec![elsewhere(&heard.url), Contender::Random], &conditions);
    assert_eq!((&record.ending, record.playout.length), (&Ending::Cap, 2));
    assert_eq!((heard.count("(ABORT m.1)"), heard.count("(STOP")), (1, 0));
    assert_eq!(record.goals, [None, None]);
    verifies(ROCK, &record);

    let record = play(STUCK, vec![Contender::Random], &conditions);
    assert_eq!((&record.ending, record.playout.length), (&Ending::Stuck(RoleId(0)), 1));
    verifies(STUCK, &record);
}

#[test]
fn an_interruption_is_told() {
    let silent = stub(|_, _| {});
    let game = game("game", TICTACTOE);
    let engine = engine(&game, EngineKind::Tree);
    let stop = AtomicBool::new(false);
    let contenders = vec![thinking(TICTACTOE, Thinker::Uct), elsewhere(&silent.url)];
    let conditions = conditions(Duration::from_secs(600));
    let start = Instant::now();
    let mut interrupt = |event: &Event<'_>| {
        if let Event::Asked(Request::Play, 0, _) = event {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let record = run(&game, &engine, contenders, &conditions, &stop, &mut interrupt);
    assert!(start.elapsed() < SOON);
    assert_eq!((&record.ending, record.playout.length), (&Ending::Interrupted, 0));
    assert_eq!(silent.count("(ABORT m.1)"), 1);
    assert_eq!(record.faults, []);
    verifies(TICTACTOE, &record);
}

#[test]
fn a_match_as_xml() {
    let odd =
        "(role \u{1}<&>) (init (f (g a) b)) (legal \u{1}<&> m) (<= (next c) (true (f (g a) b)))
        (<= terminal (true c)) (goal \u{1}<&> 7)";
    let record = play(odd, vec![Contender::Random], &conditions(SOON));
    let text = archive::to_xml(&record);
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut elements = Vec::new();
    loop {
        match reader.read_event().expect("XML") {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(tag) => {
                elements.push(String::from_utf8_lossy(tag.name().as_ref()).into_owned());
            }
            _ => {}
        }
    }
    let of_facts = ["state", "fact", "relation", "argument", "relation", "argument", "argument"];
    assert!(elements.windows(of_facts.len()).any(|found| found == of_facts), "{elements:?}");
    let squeezed: String = text.split_whitespace().collect();
    for part in [
        "<role>\u{fffd}&lt;&amp;&gt;</role>",
        "<goalValues>7</goalValues>",
        "<history><move><action>m</action></move></history>",
        "<state><fact>c</fact></state></herstory>",
        "<errorHistory><errors><error></error></errors><errors><error></error></errors></errorHistory>",
        "<isCompleted>true</isCompleted>",
    ] {
        assert!(squeezed.contains(part), "{part}: {text}");
    }
}

#[test]
fn errors_as_xml() {
    let game = "(role a) (legal a m) (<= (next c) (does a m)) (<= terminal (true c)) (goal a 7)";
    let played = play(game, vec![Contender::Random], &conditions(SOON));
    for (request, kind, sent, errors) in [
        (Request::Start, FaultKind::Late, None, ["TO", ""]),
        (Request::Start, FaultKind::Busy, Some("busy"), ["IL busy", ""]),
        (Request::Start, FaultKind::Unexpected, Some("later"), ["IL later", ""]),
        (Request::Play, FaultKind::Late, Some("m"), ["", "TO"]),
        (Request::Play, FaultKind::Unreachable, None, ["", "CE"]),
        (Request::Play, FaultKind::Illegal, Some("(n 1)"), ["", "IL (n 1)"]),
        (Request::Stop, FaultKind::Late, None, ["", ""]),
    ] {
        let mut record = played.clone();
        let (role, detail, sent) = (RoleId(0), String::new(), sent.map(str::to_owned));
        record.faults.push(Fault { step: 0, request, role, kind, detail, sent, played: None });
        let text = archive::to_xml(&record);
        let parts: Vec<&str> = text.split("<error>").skip(1).collect();
        let parts = parts.iter().map(|rest| rest.split("</error>").next().unwrap());
        assert_eq!(parts.collect::<Vec<_>>(), errors, "{request:?} {kind:?}");
    }
}

fn gdlr(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("gdlr"));
    command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = gdlr(arguments).output().expect("gdlr");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("a status"), text(stdout), text(stderr))
}

#[test]
fn the_command_plays_and_its_record_verifies() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let (record, xml) = (format!("{folder}/match.json"), format!("{folder}/match.xml"));
    let silent = stub(|_, _| {});
    let player = format!("crosses={}", silent.url);
    let common = ["match", "tictactoe", "--player", &player, "--player", "noughts=mc"];
    let more = ["--play-clock", "1", "--max-errors", "1", "--record", &record, "--xml", &xml];
    let (status, stdout, stderr) = output(&[&common[..], &more].concat());
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.starts_with("tictactoe: ") && stdout.contains("noughts"), "{stdout}");
    assert!(stderr.contains("warning: crosses: late at step 1"), "{stderr}");
    assert!(stderr.contains("crosses is not asked any more"), "{stderr}");
    assert!(stderr.contains("step 1: (sign"), "{stderr}");
    for engine in ["tree", "propnet", "rg"] {
        let (status, stdout, stderr) =
            output(&["verify", "tictactoe", &record, "--engine", engine]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    }
    let value: Value = serde_json::from_str(&std::fs::read_to_string(&record).unwrap()).unwrap();
    let error = &value["matches"][0]["errors"][0];
    assert_eq!(error["kind"], "late");
    assert_eq!(error["played"], value["playouts"][0]["steps"][0]["move"][0]);
    let xml = std::fs::read_to_string(&xml).unwrap();
    assert!(xml.starts_with("<match>"), "{xml}");
    let squeezed: String = xml.split_whitespace().collect();
    let errors = "<errorHistory><errors><error></error><error></error></errors>\
        <errors><error>TO</error><error></error></errors>";
    assert!(squeezed.contains(errors), "{xml}");
}

#[test]
fn a_record_of_names_told_apart_by_case_verifies() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let (rules, record) = (format!("{folder}/case.kif"), format!("{folder}/case.json"));
    // Folded, `at` and `At` are one name, and the match is over before it begins.
    let text = "(role robot) (init (at 3)) (init (At 1)) (succ 1 2) (succ 2 3)
        (<= (legal robot (go ?y)) (true (At ?x)) (succ ?x ?y))
        (<= (next (At ?y)) (does robot (go ?y))) (<= terminal (true (At 3))) (goal robot 50)";
    std::fs::write(&rules, text).expect("a rulesheet");
    let (status, _, stderr) = output(&["match", &rules, "--case-sensitive", "--record", &record]);
    assert_eq!(status, 0, "{stderr}");
    let value: Value = serde_json::from_str(&std::fs::read_to_string(&record).unwrap()).unwrap();
    assert_eq!(value["case_variants"], serde_json::json!(["At/at"]));
    assert_eq!(value["playouts"][0]["length"], 2);
    for engine in ["tree", "propnet", "rg"] {
        let arguments = ["verify", &rules, &record, "--case-sensitive", "--engine", engine];
        let (status, stdout, stderr) = output(&arguments);
        // A fact that nothing reads is warned of.
        assert!(status == 0 && stderr.starts_with("warning: 1 warning does"), "{stdout}{stderr}");
    }
    // Who forgets to tell case apart is told what is wrong.
    let (status, _, stderr) = output(&["verify", &rules, &record]);
    assert!(status == 1 && stderr.contains("(At/at); see --case-sensitive"), "{stderr}");
}

#[test]
fn the_command_plays_a_series() {
    let arguments = ["match", "tictactoe", "--player", "crosses=mc", "--play-clock", "0.2"];
    let series = ["--repeat", "4", "--rotate"];
    let (status, stdout, _) = output(&[&arguments[..], &series].concat());
    assert_eq!(status, 0);
    assert!(stdout.starts_with("tictactoe: 4 matches\n") && stdout.contains("95 %"), "{stdout}");
    let (_, stdout, _) = output(&[&arguments[..], &series, &["--json"]].concat());
    let value: Value = serde_json::from_str(&stdout).expect("JSON");
    let name = |number: usize, role: usize| &value["matches"][number]["players"][role]["player"];
    assert_eq!([name(0, 0), name(0, 1)], ["mc", "random"]);
    assert_eq!([name(1, 0), name(1, 1)], ["random", "mc"]);
    assert_eq!(value["players"][0]["matches"], 4);
    let mean: f64 = (0..4).map(|k| value["matches"][k]["goals"][k % 2].as_f64().unwrap()).sum();
    assert_eq!(value["players"][0]["mean_goal"], mean / 4.0);
}

#[test]
fn the_command_says_how_it_ended() {
    let (status, ..) = output(&["match", "tictactoe", "--max-steps", "2"]);
    assert_eq!(status, 3);
    for wrong in [
        &["--player", "crosses"][..],
        &["--player", "nobody=mc"],
        &["--player", "crosses=ftp://localhost"],
        &["--play-clock", "0"],
        &["--play-clock", "1e9"],
        &["--play-clock", "0.9", "--player", "crosses=http://127.0.0.1:9147"],
        &["--start-clock", "0.9", "--player", "crosses=http://127.0.0.1:9147"],
        &["--record", "/nowhere/at/all.json"],
    ] {
        let (status, stdout, stderr) = output(&[&["match", "tictactoe"], wrong].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{wrong:?}");
        assert!(stderr.starts_with("error: "), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn the_command_is_interrupted() {
    let silent = stub(|_, _| {});
    let player = format!("crosses={}", silent.url);
    let record = format!("{}/interrupted.json", env!("CARGO_TARGET_TMPDIR"));
    let arguments =
        ["match", "tictactoe", "--player", &player, "--play-clock", "600", "--record", &record];
    let mut command = gdlr(&arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("gdlr");
    let start = Instant::now();
    while silent.count("(PLAY") == 0 {
        assert!(start.elapsed() < SOON, "no match began");
        thread::sleep(millis(10));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(silent.count("(ABORT "), 1);
    let (status, ..) = self::output(&["verify", "tictactoe", &record]);
    assert_eq!(status, 0);
}
