//! The player of `ggp::http` over real sockets: matches, and peers that behave badly.

use gdlr::engine::{Engine, MoveId};
use gdlr::ggp::http::{Limits, Server};
use gdlr::ggp::service::{Options, Service};
use gdlr::play::player::{Player, ThinkingPlayer, Turn};
use gdlr::play::thinker::Thinker;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const TICTACTOE: &str = include_str!("../../kif/tictactoe.kif");

/// How long a test waits for what should come at once.
const LONG: Duration = Duration::from_secs(60);

/// How long the players of these tests wait for a message.
const PATIENCE: Duration = Duration::from_secs(3);

/// A player that listens, until it is dropped.
struct Serving {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Takes the first move; as `crosses` only when the clock is over.
struct Slow;

impl Player for Slow {
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        let is_slow = turn.engine.roles().name(turn.role) == "crosses";
        while is_slow && !turn.clock.is_over() {
            thread::sleep(Duration::from_millis(5));
        }
        turn.legal[0]
    }
}

impl Serving {
    fn new(player: impl Fn() -> Box<dyn Player> + Send + Sync + 'static) -> Serving {
        let service = Service::new(Options::new("tester", player));
        let limits = Limits { patience: PATIENCE, ..Limits::default() };
        let server = Server::bind("127.0.0.1:0", service, limits).expect("a free port");
        let address = server.address().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let theirs = stop.clone();
        let thread = Some(thread::spawn(move || server.run(&theirs)));
        Serving { address, stop, thread }
    }

    fn random() -> Serving {
        Serving::new(|| Box::new(ThinkingPlayer::new(Thinker::Random, 1, 1000)))
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("somebody listens");
        stream.set_read_timeout(Some(LONG)).expect("a timeout");
        stream
    }

    /// Sends bytes and gives all that comes back.
    fn exchange(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(request).expect("a peer that listens");
        rest(&mut stream).expect("an answer")
    }

    /// The answer to a message, in the manner of SPEC.
    fn say(&self, message: &str) -> String {
        let response = self.exchange(post(message).as_bytes());
        let (head, body) = response.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.0 200 OK"), "{message}: {response}");
        body.to_owned()
    }

    fn start(&self, id: &str, role: &str, play_clock: u32) -> String {
        self.say(&format!("(START {id} {role} ({TICTACTOE}) 20 {play_clock})"))
    }

    /// The player is up, and plays.
    fn is_up(&self) {
        assert_eq!(self.say("(INFO)"), "((name tester) (status available))");
        assert_eq!(self.start("another", "noughts", 20), "READY");
        assert_eq!(self.say("(PLAY another NIL)"), "wait");
        assert_eq!(self.say("(ABORT another)"), "aborted");
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().expect("a thread").join();
        assert!(ended.is_ok() || thread::panicking());
    }
}

/// A request of appendix B of SPEC.
fn post(message: &str) -> String {
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMEMASTER\r\nReceiver: GAMEPLAYER\r\n\
         Content-type: text/acl\r\nContent-length: {}\r\n\r\n{message}",
        message.len()
    )
}

/// The bytes that are sent until the peer closes, or breaks off.
fn rest(stream: &mut TcpStream) -> io::Result<String> {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() != io::ErrorKind::ConnectionReset => Err(error),
        _ => Ok(String::from_utf8(bytes).expect("UTF-8")),
    }
}

/// The status line of a response.
fn status(response: &str) -> &str {
    response.lines().next().unwrap_or_default()
}

#[test]
fn a_match_by_hand() {
    let player = Serving::new(|| Box::new(ThinkingPlayer::new(Thinker::Uct, 1, 1000)));
    let rules = TICTACTOE.replace("crosses", "Crosses").replace("sign ", "Sign ");
    // Everything in one line, as most managers send it.
    let rules: Vec<&str> = rules.lines().filter(|line| !line.starts_with(';')).collect();
    let start = format!("( start Base.ttt.17 crosses ( {} ) 20 1 )", rules.join(" "));
    assert_eq!(player.say(&start), "READY");
    let mut taken = Vec::new();
    let mut last = "NIL".to_owned();
    // Noughts take the first free square; crosses are good enough to win then.
    for turn in 0..9 {
        let reply = player.say(&format!("( PLAY Base.ttt.17 {last} )"));
        if turn % 2 == 0 {
            assert!(reply.starts_with("(Sign ") && !taken.contains(&reply), "{reply}");
            taken.push(reply.clone());
            last = format!("({reply} wait)");
            if is_line(&taken, 0) {
                break;
            }
        } else {
            assert_eq!(reply, "wait");
            let squares = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(Sign {x} {y})")));
            let free = squares.into_iter().find(|square| !taken.contains(square));
            let mine = free.expect("a free square");
            last = format!("(WAIT {})", mine.to_uppercase());
            taken.push(mine);
        }
    }
    assert!(is_line(&taken, 0) && !is_line(&taken, 1), "{taken:?}");
    assert_eq!(player.say(&format!("(STOP Base.ttt.17 {last})")), "DONE");
    assert_eq!(player.say("(PLAY Base.ttt.17 NIL)"), "busy");
}

/// Whether every second square from `first` on has a line.
fn is_line(taken: &[String], first: usize) -> bool {
    let has = |x: i32, y: i32| {
        taken.iter().skip(first).step_by(2).any(|t| *t == format!("(Sign {x} {y})"))
    };
    let all = |square: &dyn Fn(i32) -> (i32, i32)| (1..=3).map(square).all(|(x, y)| has(x, y));
    (1..=3).any(|n| all(&|k| (k, n)) || all(&|k| (n, k)))
        || all(&|k| (k, k))
        || all(&|k| (k, 4 - k))
}

#[test]
fn both_versions_of_http_and_both_ways_to_ask() {
    let player = Serving::random();
    let info = "((name tester) (status available))";
    for request in [
        "POST / HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: 6\r\n\r\n(INFO)",
        "POST / HTTP/1.1\r\nhost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n(IN\r\n3\r\nFO)\r\n0\r\n\r\n",
        "POST /any/where HTTP/1.0\r\nCONTENT-LENGTH: 6\r\n\r\n(info)",
        "GET /(INFO) HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /%28+info%20%29 HTTP/1.0\r\n\r\n",
    ] {
        let response = player.exchange(request.as_bytes());
        assert!(response.ends_with(&format!("\r\n\r\n{info}")), "{request}: {response}");
        let head = response.to_lowercase();
        assert!(head.contains("\r\ncontent-type: text/acl\r\n"), "{response}");
        assert!(head.contains(&format!("\r\ncontent-length: {}\r\n", info.len())), "{response}");
        assert!(head.contains("\r\naccess-control-allow-origin: *\r\n"), "{response}");
    }
    let start = format!("(START m noughts ({TICTACTOE}) 20 20)");
    let encode = |byte: u8| format!("%{byte:02x}");
    let start: String = start.bytes().map(encode).collect();
    let response = player.exchange(format!("GET /{start} HTTP/1.0\r\n\r\n").as_bytes());
    assert!(response.ends_with("\r\n\r\nREADY"), "{response}");
    let options = player.exchange(b"OPTIONS / HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\n\r\n");
    assert!(status(&options).contains(" 200 "), "{options}");
    let allowed = "access-control-allow-methods: post, get, options";
    assert!(options.to_lowercase().contains(allowed), "{options}");
    // Whoever closes its side when all is said is answered, too.
    let mut stream = player.connect();
    stream.write_all(post("(PLAY m NIL)").as_bytes()).expect("a peer");
    stream.shutdown(Shutdown::Write).expect("an open side");
    assert!(rest(&mut stream).expect("an answer").ends_with("\r\n\r\nwait"));
}

#[test]
fn requests_that_are_none() {
    let player = Serving::random();
    for (request, expected) in [
        ("POST / HTTP/1.1\r\nHost: x\r\n\r\n", " 411 "),
        ("POST / HTTP/1.0\r\n\r\n(INFO)", " 411 "),
        ("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", " 405 "),
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", " 400 "),
        ("GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n", " 400 "),
        ("POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n", " 400 "),
        ("POST / HTTP/1.0\r\nContent-Length: x\r\n\r\n", " 400 "),
        ("GET / SPDY/9\r\n\r\n", " 400 "),
        ("(INFO)\r\n\r\n", " 400 "),
    ] {
        let response = player.exchange(request.as_bytes());
        assert!(status(&response).contains(expected), "{request}: {response}");
        player.is_up();
    }
    for message in ["(START m a", "(START m a ((role a)) 1)", "(QUIT m)", "nonsense", "()"] {
        let response = player.exchange(post(message).as_bytes());
        assert!(status(&response).contains(" 400 "), "{message}: {response}");
    }
    let bytes =
        [b"POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\n".as_slice(), b"(\xff\xfe)"].concat();
    assert!(status(&player.exchange(&bytes)).contains(" 400 "));
    player.is_up();
}

#[test]
fn peers_that_send_nothing_or_half_of_it() {
    let player = Serving::random();
    let silent: Vec<TcpStream> = (0..50).map(|_| player.connect()).collect();
    let mut halves: Vec<TcpStream> = (0..50).map(|_| player.connect()).collect();
    for (index, half) in halves.iter_mut().enumerate() {
        let whole = post("(PLAY m NIL)");
        half.write_all(&whole.as_bytes()[..whole.len() - 1 - index]).expect("a peer");
    }
    for _ in 0..50 {
        drop(player.connect());
        let mut gone = player.connect();
        gone.write_all(post("(INFO)").as_bytes()).expect("a peer");
    }
    let start = Instant::now();
    player.is_up();
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    // Whoever sends a byte now and then gets no more time.
    let mut dripping = player.connect();
    let dripped = Instant::now();
    while dripping.write_all(b"G").is_ok() && dripped.elapsed() < LONG {
        thread::sleep(PATIENCE / 10);
    }
    assert!(dripped.elapsed() < LONG);
    for mut stream in silent.into_iter().chain(halves) {
        let response = rest(&mut stream).expect("an end");
        assert!(response.is_empty() || response.contains(" 408 "), "{response}");
    }
    player.is_up();
}

#[test]
fn a_hundred_megabytes_are_not_read() {
    let player = Serving::random();
    let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n";
    let response = player.exchange(head.as_bytes());
    assert!(status(&response).contains(" 413 "), "{response}");
    // Really sent, and of a length that is not said before.
    for head in
        [head, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5f5e100\r\n"]
    {
        let mut stream = player.connect();
        stream.write_all(head.as_bytes()).expect("a peer");
        let block = vec![b'('; 1 << 20];
        let sent = (0..100).take_while(|_| stream.write_all(&block).is_ok()).count();
        assert!(sent < 100, "all of it was taken");
        player.is_up();
    }
    let head = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(1 << 20));
    let mut stream = player.connect();
    let _ = stream.write_all(head.as_bytes());
    let _ = rest(&mut stream);
    player.is_up();
}

#[test]
fn messages_out_of_place() {
    let player = Serving::random();
    for text in ["(PLAY m NIL)", "(STOP m NIL)", "(ABORT m)"] {
        assert_eq!(player.say(text), "busy");
    }
    for rules in ["(role a) (<=)", "(role a) (<= (p ?x) (q ?x) (not (p ?x))) (q 1)", "x"] {
        assert_eq!(player.say(&format!("(START m a ({rules}) 5 5)")), "busy", "{rules}");
    }
    assert_eq!(player.start("m", "nobody", 20), "busy");
    assert_eq!(player.start("m", "crosses", 20), "READY");
    assert_eq!(player.start("m", "noughts", 20), "busy");
    let reply = player.say("(PLAY m NIL)");
    assert_eq!(player.say("(PLAY m NIL)"), reply);
    assert_eq!(player.say("(PLAY m ((sign 7 7) wait))"), "nil");
    assert_eq!(player.say(&format!("(PLAY m ({reply} wait))")), "wait");
    player.is_up();
    assert_eq!(player.say("(ABORT m)"), "aborted");
    assert_eq!(player.say("(ABORT m)"), "busy");
}

#[test]
fn a_slow_match_holds_up_no_other() {
    let player = Serving::new(|| Box::new(Slow));
    assert_eq!(player.start("slow", "crosses", 8), "READY");
    assert_eq!(player.start("fast", "noughts", 8), "READY");
    thread::scope(|threads| {
        let start = Instant::now();
        let thinking: Vec<_> =
            (0..20).map(|_| threads.spawn(|| player.say("(PLAY slow NIL)"))).collect();
        thread::sleep(Duration::from_millis(200));
        assert_eq!(player.say("(PLAY fast NIL)"), "wait");
        assert!(player.say("(PLAY fast ((sign 1 1) wait))").starts_with("(sign "));
        player.is_up();
        assert!(thinking.iter().all(|thread| !thread.is_finished()));
        for thread in thinking {
            assert!(thread.join().expect("an answer").starts_with("(sign "));
        }
        assert!(start.elapsed() > Duration::from_millis(3500), "{:?}", start.elapsed());
    });
}

#[test]
fn many_matches_at_once() {
    let player = Serving::new(|| Box::new(ThinkingPlayer::new(Thinker::Random, 1, 1000)));
    thread::scope(|threads| {
        for index in 0..20 {
            let player = &player;
            threads.spawn(move || {
                let id = format!("m{index}");
                assert_eq!(player.start(&id, "crosses", 20), "READY");
                let reply = player.say(&format!("(PLAY {id} NIL)"));
                assert!(reply.starts_with("(sign "));
                assert_eq!(player.say(&format!("(PLAY {id} ({reply} wait))")), "wait");
                assert_eq!(player.say(&format!("(STOP {id} (wait (sign 9 9)))")), "DONE");
            });
        }
    });
    player.is_up();
}

#[test]
fn of_two_managers_with_one_match_the_first_has_it() {
    let player = Serving::random();
    let replies: Vec<String> = thread::scope(|threads| {
        let managers: Vec<_> =
            (0..10).map(|_| threads.spawn(|| player.start("same", "noughts", 20))).collect();
        managers.into_iter().map(|manager| manager.join().expect("a reply")).collect()
    });
    let count = |word| replies.iter().filter(|reply| *reply == word).count();
    assert_eq!((count("READY"), count("busy")), (1, 9), "{replies:?}");
    assert_eq!(player.say("(PLAY same NIL)"), "wait");
    player.is_up();
}

#[test]
fn whoever_waits_is_answered_when_the_player_ends() {
    let player = Serving::new(|| Box::new(Slow));
    assert_eq!(player.start("m", "crosses", 60), "READY");
    let mut stream = player.connect();
    stream.write_all(post("(PLAY m NIL)").as_bytes()).expect("a peer");
    thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    let address = player.address;
    drop(player);
    assert!(rest(&mut stream).expect("an answer").contains("\r\n\r\n(sign "));
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(TcpStream::connect(address).is_err());
}
