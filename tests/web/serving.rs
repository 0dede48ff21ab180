//! A service for a test, and a client of it.

use gdlr::web::{Options, Server};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use ureq::Agent;

/// How long a test waits for what should come at once.
pub const LONG: Duration = Duration::from_secs(60);

/// The usual options, with the bundled games.
pub fn options() -> Options {
    Options { games: gdlr::bundled::GAMES, ..Options::default() }
}

/// A service that listens, until it is dropped.
pub struct Serving {
    pub address: SocketAddr,
    agent: Agent,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    pub fn new(options: Options) -> Serving {
        let server = Server::bind("127.0.0.1:0".parse().expect("an address"), options);
        let server = server.expect("a free port");
        let address = server.address().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let theirs = stop.clone();
        let thread = Some(thread::spawn(move || server.run(&theirs)));
        let config = Agent::config_builder().http_status_as_error(false).proxy(None);
        let agent = config.timeout_global(Some(LONG)).build().new_agent();
        Serving { address, agent, stop, thread }
    }

    pub fn plain() -> Serving {
        Serving::new(options())
    }

    /// The status and the JSON of an answer.
    pub fn get(&self, path: &str) -> (u16, Value) {
        let answer = self.agent.get(format!("http://{}{path}", self.address)).call();
        let mut answer = answer.expect("an answer");
        (answer.status().as_u16(), answer.body_mut().read_json().expect("JSON"))
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let answer = self.agent.post(format!("http://{}{path}", self.address)).send_json(body);
        let mut answer = answer.expect("an answer");
        (answer.status().as_u16(), answer.body_mut().read_json().expect("JSON"))
    }

    pub fn delete(&self, path: &str) -> (u16, Value) {
        let answer = self.agent.delete(format!("http://{}{path}", self.address)).call();
        let mut answer = answer.expect("an answer");
        (answer.status().as_u16(), answer.body_mut().read_json().expect("JSON"))
    }

    /// Loads rules; the id of the game.
    pub fn load(&self, text: &str) -> String {
        let (status, game) = self.post("/api/games", &json!({ "text": text }));
        assert_eq!(status, 200, "{game}");
        string(&game["id"])
    }

    /// Starts a match.
    pub fn open(&self, wanted: &Value) -> Match<'_> {
        let (status, begun) = self.post("/api/matches", wanted);
        assert_eq!(status, 201, "{begun}");
        Match { serving: self, id: string(&begun["id"]) }
    }

    /// The lines of a stream of events.
    pub fn events(&self, path: &str) -> impl Iterator<Item = (String, Value)> + use<> {
        let answer = self.agent.get(format!("http://{}{path}", self.address)).call();
        let answer = answer.expect("an answer");
        assert_eq!(answer.status().as_u16(), 200);
        let mut lines = BufReader::new(answer.into_body().into_reader()).lines();
        std::iter::from_fn(move || {
            let mut name = String::new();
            loop {
                let line = lines.next()?.ok()?;
                if let Some(event) = line.strip_prefix("event: ") {
                    name = event.to_owned();
                } else if let Some(data) = line.strip_prefix("data: ") {
                    return Some((name, serde_json::from_str(data).expect("JSON")));
                }
            }
        })
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || matches!(ended, Some(Ok(()))));
    }
}

/// A match of a service.
pub struct Match<'s> {
    serving: &'s Serving,
    pub id: String,
}

impl Match<'_> {
    pub fn status(&self) -> Value {
        self.serving.get(&format!("/api/matches/{}", self.id)).1
    }

    pub fn state(&self, state: &str) -> (u16, Value) {
        self.serving.get(&format!("/api/matches/{}/states/{state}", self.id))
    }

    pub fn ask(&self, what: &str, body: &Value) -> (u16, Value) {
        self.serving.post(&format!("/api/matches/{}/{what}", self.id), body)
    }

    pub fn play(&self, role: &str, text: &str) -> (u16, Value) {
        self.ask("moves", &json!({ "role": role, "move": text }))
    }

    /// Makes moves that are legal, one after the other.
    pub fn follow(&self, moves: &[(&str, &str)]) {
        for (role, text) in moves {
            let before = self.status()["step"].as_u64();
            let (status, answer) = self.play(role, text);
            assert_eq!(status, 200, "{role} {text}: {answer}");
            self.wait(|status| status["step"].as_u64() > before);
        }
    }

    /// Waits until the match stands in some way.
    pub fn wait(&self, until: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let status = self.status();
            if until(&status) {
                return status;
            }
            assert!(start.elapsed() < LONG, "it still stands so: {status}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn record(&self) -> (u16, Value) {
        self.serving.get(&format!("/api/matches/{}/record", self.id))
    }

    pub fn events(&self) -> impl Iterator<Item = (String, Value)> + use<> {
        self.serving.events(&format!("/api/matches/{}/events", self.id))
    }

    pub fn end(&self) -> u16 {
        self.serving.delete(&format!("/api/matches/{}", self.id)).0
    }
}

pub fn string(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

/// The texts of the legal moves of a role.
pub fn legal(state: &Value, role: &str) -> Vec<String> {
    let moves = state["legal"][role].as_array().expect("a list");
    moves.iter().map(|one| string(&one["move"])).collect()
}
