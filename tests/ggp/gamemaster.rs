//! The player of `ggp::http` at the manager of Stanford's course: matches, and messages out of place.

use gdlr::engine::{AnyEngine, Engine, MoveId, RoleId};
use gdlr::gdl::Game;
use gdlr::ggp::http::{Limits, Server};
use gdlr::ggp::message::Protocol;
use gdlr::ggp::service::{Options, Service};
use gdlr::play::player::{Player, ThinkingPlayer, Turn};
use gdlr::play::thinker::Thinker;
use gdlr::set_up::SetUp;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const TICTACTOE: &str = include_str!("../../operations/tictactoe.epilog");

/// A player that listens, until it is dropped.
struct Serving {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Takes the first move when the clock is over.
struct Slow;

impl Player for Slow {
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        while !turn.clock.is_over() && turn.legal.len() > 1 {
            thread::sleep(Duration::from_millis(5));
        }
        turn.legal[0]
    }
}

impl Serving {
    fn new(player: impl Fn() -> Box<dyn Player> + Send + Sync + 'static) -> Serving {
        let options = Options { protocol: Protocol::Gamemaster, ..Options::new("tester", player) };
        let server = Server::bind("127.0.0.1:0", Service::new(options), Limits::default());
        let server = server.expect("a free port");
        let address = server.address().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let theirs = stop.clone();
        let thread = Some(thread::spawn(move || server.run(&theirs)));
        Serving { address, stop, thread }
    }

    fn of(thinker: Thinker) -> Serving {
        Serving::new(move || Box::new(ThinkingPlayer::new(thinker, 1, 1000)))
    }

    /// The status, the headers and the body of the answer to a request.
    fn exchange(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).expect("somebody listens");
        stream.write_all(request.as_bytes()).expect("a peer that listens");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("an answer");
        let (head, body) = response.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status"), head.to_lowercase(), body.to_owned())
    }

    /// The status of the answer to a text, and the answer.
    fn post(&self, text: &str) -> (u16, String) {
        let length = text.len();
        let request = format!("POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{text}");
        let (status, _, body) = self.exchange(&request);
        (status, body)
    }

    /// What the player `name` answers to a call, without its envelope.
    fn call(&self, name: &str, number: usize, call: &str) -> String {
        let (status, body) = self.post(&format!("message({number},manager,{name},{call})"));
        assert_eq!(status, 200, "{call}: {body}");
        if body.is_empty() {
            return body;
        }
        let envelope = format!("message({number},{name},manager,");
        let inside = body.strip_prefix(&envelope).and_then(|body| body.strip_suffix(')'));
        inside.unwrap_or_else(|| panic!("{call}: {body}")).to_owned()
    }

    /// Why the player has no answer to a call.
    fn refused(&self, number: usize, call: &str) -> String {
        let (status, body) = self.post(&format!("message({number},manager,us,{call})"));
        assert_eq!(status, 409, "{call}: {body}");
        body
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().expect("a thread").join();
        assert!(ended.is_ok() || thread::panicking());
    }
}

fn start(role: &str, clocks: &str) -> String {
    format!("start({role},ruleset({}),{clocks})", statements(TICTACTOE))
}

/// The statements of a rulesheet as the manager sends them: on one line, with commas between.
fn statements(text: &str) -> String {
    let lines = text.lines().map(|line| line.split('%').next().unwrap_or_default().trim_end());
    let mut statements: Vec<String> = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        match statements.last_mut() {
            Some(last) if line.starts_with(' ') => *last += line,
            _ => statements.push(line.to_owned()),
        }
    }
    statements.join(",")
}

/// A manager of its own: it follows the state, and tells both players each move.
fn play(players: [(&Serving, &str); 2]) -> Vec<Option<u8>> {
    let game = Arc::new(Game::from_text("tictactoe", TICTACTOE).expect("a rulesheet"));
    let engine: AnyEngine = SetUp::default().make(game).expect("an engine").engine;
    let roles: Vec<String> = engine.roles().names().to_vec();
    let mut scratch = engine.scratch();
    for ((serving, name), role) in players.iter().zip(&roles) {
        assert_eq!(serving.call(name, 1, "ping()"), "ready");
        assert_eq!(serving.call(name, 2, &start(role, "10,2")), "ready");
    }
    let (mut last, mut number) = ("[]".to_owned(), 3);
    while !engine.terminal(&mut scratch).expect("a state") {
        let begun = Instant::now();
        let said: Vec<String> = players
            .iter()
            .map(|(serving, name)| serving.call(name, number, &format!("play({last})")))
            .collect();
        assert!(begun.elapsed() < Duration::from_secs(3));
        let mut joint = Vec::new();
        for (role, said) in engine.roles().iter().zip(&said) {
            let mut legal = Vec::new();
            engine.legal(&mut scratch, role, &mut legal).expect("a state");
            let text = |id: MoveId| {
                let words = engine.move_term(id).1.spelled(engine.symbols());
                match words.strip_prefix('(').and_then(|words| words.strip_suffix(')')) {
                    Some(words) => format!("{})", words.replacen(' ', "(", 1).replace(' ', ",")),
                    None => words,
                }
            };
            // Who is not in control is silent.
            let is_idle = text(legal[0]) == "noop";
            let wanted = if is_idle { "noop" } else { said };
            assert_eq!(is_idle, said.is_empty(), "{said}");
            let own = legal.iter().copied().find(|&id| text(id) == wanted);
            joint.push(own.unwrap_or_else(|| panic!("{said} is not legal")));
        }
        last = said.into_iter().find(|said| !said.is_empty()).expect("somebody moves");
        engine.step(&mut scratch, &joint).expect("legal moves");
        number += 1;
    }
    for (serving, name) in players {
        assert_eq!(serving.call(name, number, &format!("stop({last})")), "");
    }
    (0..2).map(|role| engine.goal(&mut scratch, RoleId(role)).ok()).collect()
}

#[test]
fn one_server_plays_both_sides() {
    let serving = Serving::of(Thinker::Uct);
    let goals = play([(&serving, "gdlr"), (&serving, "gdlr-2")]);
    let sum: u8 = goals.into_iter().map(|goal| goal.expect("a goal")).sum();
    assert_eq!(sum, 100);
    // The match is over for both.
    assert!(serving.post("message(99,manager,gdlr,abort())").1.contains("no match of `gdlr`"));
}

#[test]
fn who_searches_does_not_lose_to_who_plays_at_random() {
    let (strong, weak) = (Serving::of(Thinker::Uct), Serving::of(Thinker::Random));
    let first = play([(&strong, "gdlr"), (&weak, "dice")]);
    let second = play([(&weak, "dice"), (&strong, "gdlr")]);
    assert!(first[0] >= Some(50) && second[1] >= Some(50), "{first:?} {second:?}");
}

#[test]
fn messages_out_of_place() {
    let serving = Serving::of(Thinker::Random);
    for call in ["play([])", "stop(mark(1,1))", "abort()"] {
        assert_eq!(serving.refused(1, call), "no match of `us` is played");
    }
    assert!(serving.refused(1, &start("nobody", "5,5")).contains("no role `nobody`"));
    // A START begins a match anew.
    assert_eq!(serving.call("us", 2, &start("noughts", "5,5")), "ready");
    assert_eq!(serving.call("us", 3, &start("crosses", "5,5")), "ready");
    let first = serving.call("us", 4, "play([])");
    assert!(first.starts_with("mark("), "{first}");
    assert_eq!(serving.call("us", 4, "play([])"), first);
    for told in ["mark(9,9)", "jump", "noop", "mark(1)"] {
        let why = serving.refused(5, &format!("play({told})"));
        assert!(why.contains("cannot have been played last"), "{why}");
    }
    // The manager can play another move than the answer. The same message twice is one turn.
    let other = if first == "mark(1,1)" { "mark(2,2)" } else { "mark(1,1)" };
    for _ in 0..2 {
        assert_eq!(serving.call("us", 6, &format!("play({other})")), "");
    }
    assert!(serving.call("us", 7, "play(mark(3,3))").starts_with("mark("));
    assert_eq!(serving.call("us", 8, "abort()"), "");
    assert_eq!(serving.refused(9, "play(mark(1,1))"), "no match of `us` is played");
}

#[test]
fn other_texts_are_refused_with_the_reason() {
    let serving = Serving::of(Thinker::Random);
    let rules = "start(x,ruleset(role(x),init(control(x)),legal(a) :- b c),5,5)";
    for (text, reason) in [
        ("", "message(1,manager,gdlr,ping())"),
        ("ping()", "message(1,manager,gdlr,ping())"),
        ("(INFO)", "message(1,manager,gdlr,ping())"),
        ("message(1,manager,us,jump())", "no message `jump`"),
        ("message(1,manager,us,start(x,ruleset(),5))", "start(ROLE,ruleset("),
        ("message(1,manager,us,play(mark(1,2))", "bracket"),
        (&format!("message(1,manager,us,{rules})"), "at 3:15: `c`"),
    ] {
        let (status, body) = serving.post(text);
        assert!(status == 400 && body.contains(reason), "{text}: {status} {body}");
    }
    // Rules that can be read and not be played.
    let call = "start(x,ruleset(role(x),init(control(x)),legal(a) :- p,p :- ~q,q :- ~p),5,5)";
    assert_eq!(serving.refused(1, call), "[E013] `p` depends on its own negation, at 4:7: `q`");
}

#[test]
fn clocks_are_kept() {
    let serving = Serving::new(|| Box::new(Slow));
    assert_eq!(serving.call("us", 1, &start("crosses", "5,2")), "ready");
    let begun = Instant::now();
    assert!(serving.call("us", 2, "play([])").starts_with("mark("));
    let took = begun.elapsed();
    assert!(took > Duration::from_millis(500) && took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn the_page_and_its_script_are_served() {
    let serving = Serving::of(Thinker::Random);
    let get = |path: &str| {
        serving.exchange(&format!("GET {path} HTTP/1.1\r\nHost: localhost:9148\r\n\r\n"))
    };
    let (status, head, page) = get("/player.html");
    assert!(status == 200 && head.contains("content-type: text/html"), "{head}");
    assert!(page.contains("http://localhost:9148/player.js") && page.contains("tester"), "{page}");
    let (status, head, script) = get("/player.js");
    assert!(status == 200 && head.contains("content-type: text/javascript"), "{head}");
    assert!(script.contains("localStorage"));
    let (status, _, said) = get("/message(1,manager,us,ping())");
    assert!(status == 404 && said.contains("POST"), "{said}");
    // Pages of the site of the manager may ask.
    let (status, head, _) = serving.exchange("OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(status == 200 && head.contains("access-control-allow-origin: *"), "{head}");
}
