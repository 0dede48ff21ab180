//! Two players and a manager, each a process of its own, over sockets.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A player that listens; ends with the test.
struct Serving {
    process: Child,
    url: String,
}

impl Serving {
    fn new(player: &str) -> Serving {
        Serving::with(player, &[])
    }

    fn with(player: &str, more: &[&str]) -> Serving {
        let mut process = Command::new(env!("CARGO_BIN_EXE_gdlr"))
            .args(["serve", "--port", "0", "--player", player, "--name", player])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a player");
        let mut port = String::new();
        let output = process.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut port).expect("its port");
        let url = format!("http://127.0.0.1:{}", port.trim());
        Serving { process, url }
    }

    /// Another process at the same place, after this one is killed in the middle of its work.
    fn killed_and_started_again(&mut self, player: &str) {
        self.process.kill().expect("a process to kill");
        self.process.wait().expect("its end");
        let port = self.url.rsplit(':').next().expect("a port");
        self.process = Command::new(env!("CARGO_BIN_EXE_gdlr"))
            .args(["serve", "--port", port, "--player", player])
            .stderr(Stdio::null())
            .spawn()
            .expect("a player");
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may be over already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn gdlr(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_gdlr")).args(arguments).output();
    let output = output.expect("the command");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_match_of_three_processes_verifies_on_every_engine() {
    let (uct, random) = (Serving::new("uct"), Serving::new("random"));
    let folder = tempfile("match");
    let record = folder.join("record.json");
    let record = record.to_str().expect("a plain path");
    let players = [format!("crosses={}", uct.url), format!("noughts={}", random.url)];
    let clocks = ["--start-clock", "20", "--play-clock", "2", "--record", record, "--json"];
    let mut arguments = vec!["match", "tictactoe"];
    arguments.extend(players.iter().flat_map(|player| ["--player", player]));
    arguments.extend(clocks);
    let result: serde_json::Value = serde_json::from_str(&gdlr(&arguments)).expect("JSON");
    let played = &result["matches"][0];
    assert_eq!(played["ending"], "terminal", "{result}");
    assert_eq!(played["errors"].as_array().map(Vec::len), Some(0), "{result}");
    // Who searches to the end does not lose.
    assert!(played["goals"][0].as_u64() >= Some(50), "{result}");
    for engine in ["tree", "propnet", "rg"] {
        gdlr(&["verify", "tictactoe", record, "--engine", engine]);
    }
    std::fs::remove_dir_all(folder).expect("a folder to remove");
}

/// A match of a manager of its own, without waiting for its end.
fn begin(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_gdlr"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a manager")
}

fn json_of(manager: Child) -> serde_json::Value {
    let output = manager.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn two_managers_at_once() {
    let player = Serving::new("mc");
    let as_role = |role: &str| format!("{role}={}", player.url);
    let (crosses, red) = (as_role("crosses"), as_role("red"));
    let clocks = ["--start-clock", "20", "--play-clock", "2", "--json"];
    let one = begin(&[&["match", "tictactoe", "--player", &crosses], &clocks[..]].concat());
    let clocks = ["--start-clock", "20", "--play-clock", "1", "--max-steps", "9", "--json"];
    let other = [&["match", "connect4", "--player", &red], &clocks[..]].concat();
    let other = begin(&other).wait_with_output().expect("an end");
    let other: serde_json::Value = serde_json::from_slice(&other.stdout).expect("JSON");
    let one = json_of(one);
    assert_eq!(one["matches"][0]["ending"], "terminal", "{one}");
    for played in [&one["matches"][0], &other["matches"][0]] {
        assert_eq!(played["errors"].as_array().map(Vec::len), Some(0), "{played}");
    }
    // Both were under way at the same time.
    let began = |value: &serde_json::Value| value["matches"][0]["began"].as_f64().expect("a time");
    let lasted = one["matches"][0]["seconds"].as_f64().expect("a time");
    assert!(began(&other) < began(&one) + lasted, "{one}\n{other}");
}

#[test]
fn a_player_killed_in_a_match_and_started_again() {
    let mut player = Serving::new("mc");
    let crosses = format!("crosses={}", player.url);
    let mut manager = begin(&[
        "match",
        "tictactoe",
        "--player",
        &crosses,
        "--player",
        "noughts=mc",
        "--start-clock",
        "20",
        "--play-clock",
        "1",
        "--max-errors",
        "100",
        "--json",
    ]);
    let mut said = BufReader::new(manager.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.starts_with("step 1: ") {
        line.clear();
        assert_ne!(said.read_line(&mut line).expect("text"), 0, "no first step");
    }
    player.killed_and_started_again("mc");
    std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
    let value = json_of(manager);
    let played = &value["matches"][0];
    assert_eq!(played["ending"], "terminal", "{value}");
    let errors = played["errors"].as_array().expect("errors");
    assert!(errors.iter().all(|error| error["role"] == "crosses"), "{errors:?}");
    // Who knows nothing of the match says so, and somebody plays on for it.
    let is_busy = |error: &&serde_json::Value| {
        error["message"] == "play" && error["kind"] == "illegal" && error["sent"] == "busy"
    };
    let busy = errors.iter().filter(is_busy).collect::<Vec<_>>();
    assert!(!busy.is_empty() && busy.iter().all(|error| error["played"].is_string()), "{value}");
    // It is up, and plays the next match.
    let next = ["match", "tictactoe", "--player", &crosses, "--play-clock", "1", "--json"];
    let value = json_of(begin(&next));
    assert_eq!(value["matches"][0]["errors"].as_array().map(Vec::len), Some(0), "{value}");
}

/// Asks a process to end; its status.
#[cfg(unix)]
fn ended_by(signal: &str, process: &mut Child) -> Option<i32> {
    let kill = Command::new("kill").args([signal, &process.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    process.wait().expect("its end").code()
}

#[cfg(unix)]
#[test]
fn a_player_that_is_to_end_sends_its_open_answers() {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    for (signal, status) in [("-TERM", 0), ("-INT", 130)] {
        let mut player = Serving::new("uct");
        let address = player.url.strip_prefix("http://").expect("an address").to_owned();
        let ask = |message: &str| {
            let mut stream = TcpStream::connect(&address).expect("it listens");
            let length = message.len();
            let head = format!("POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n");
            stream.write_all((head + message).as_bytes()).expect("it listens");
            stream
        };
        let rest = |mut stream: TcpStream| {
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            answer.split_once("\r\n\r\n").expect("a body").1.to_owned()
        };
        let rules = include_str!("../kif/tictactoe.kif");
        assert_eq!(rest(ask(&format!("(START m crosses ({rules}\n) 60 60)"))), "READY");
        // One who never says anything is not waited for.
        let _silent = TcpStream::connect(&address).expect("it listens");
        let open = ask("(PLAY m NIL)");
        std::thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        assert_eq!(ended_by(signal, &mut player.process), Some(status));
        assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
        let answer = rest(open);
        assert!(answer.starts_with("(sign "), "{answer}");
    }
}

#[test]
fn both_sides_log_what_their_players_think() {
    let folder = tempfile("log");
    let file = |name: &str| folder.join(name).to_str().expect("a plain path").to_owned();
    let (theirs, ours) = (file("serve.jsonl"), file("match.jsonl"));
    let player = Serving::with("uct", &["--log-file", &theirs]);
    let crosses = format!("crosses={}", player.url);
    let manager = begin(&[
        "match",
        "tictactoe",
        "--player",
        &crosses,
        "--player",
        "noughts=uct",
        "--start-clock",
        "20",
        "--play-clock",
        "1",
        "--json",
        "--log",
        "--log-file",
        &ours,
    ]);
    let output = manager.wait_with_output().expect("an end");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let played = &value["matches"][0];
    let moves = played["moves"].as_array().expect("moves");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("noughts at step 1: wait, the only move\n"), "{said}");
    for (path, role, seat) in [(theirs, "crosses", 0), (ours, "noughts", 1)] {
        let text = with_lines(&path, moves.len());
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), moves.len(), "{text}");
        for (step, line) in lines.iter().enumerate() {
            assert_eq!((&line["match"], &line["role"]), (&played["id"], &role.into()));
            assert_eq!((&line["step"], &line["move"]), (&(step + 1).into(), &moves[step][seat]));
            let has_choice = line["legal"] != 1;
            // The last square is no choice.
            assert_eq!(has_choice, step % 2 == seat && step < 8, "{line}");
            assert!(has_choice || line["estimates"].is_null(), "{line}");
        }
        // The net is there after a turn or two, and the search has something to say.
        let told = lines.iter().filter(|line| line["estimates"].is_array()).collect::<Vec<_>>();
        assert!(!told.is_empty(), "{text}");
        for line in told {
            assert!(line["nodes"].as_u64() > Some(0), "{line}");
            assert!(line["main_line"].as_array().is_some_and(|line| !line.is_empty()), "{line}");
        }
    }
    std::fs::remove_dir_all(folder).expect("a folder to remove");
}

#[test]
fn hidden_games_are_played_without_a_fault() {
    let (random, mc, uct) = (Serving::new("random"), Serving::new("mc"), Serving::new("uct"));
    let folder = tempfile("hidden");
    let record = folder.join("record.json");
    let record = record.to_str().expect("a plain path");
    for (game, roles) in
        [("kuhn_poker", ["ann", "ben"]), ("krieg_tictactoe", ["noughts", "crosses"])]
    {
        for (one, other) in [(&random, &mc), (&mc, &uct), (&uct, &random)] {
            let [one, other] = [(roles[0], one), (roles[1], other)]
                .map(|(role, player)| format!("{role}={}", player.url));
            let players = ["match", game, "--player", &one, "--player", &other];
            let clocks = ["--start-clock", "20", "--play-clock", "2", "--record", record, "--json"];
            let value = json_of(begin(&[&players[..], &clocks].concat()));
            let played = &value["matches"][0];
            assert_eq!(played["ending"], "terminal", "{value}");
            assert_eq!(played["errors"].as_array().map(Vec::len), Some(0), "{value}");
            for engine in ["tree", "propnet", "rg"] {
                gdlr(&["verify", game, record, "--engine", engine]);
            }
        }
    }
    std::fs::remove_dir_all(folder).expect("a folder to remove");
}

/// The text of a file, once it has so many lines: players answer first, and log then.
fn with_lines(path: &str, lines: usize) -> String {
    let start = Instant::now();
    loop {
        let text = std::fs::read_to_string(path).expect("a log");
        if text.lines().count() >= lines || start.elapsed() > Duration::from_secs(20) {
            return text;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A new folder.
fn tempfile(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("gdlr-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}
