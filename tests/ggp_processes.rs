//! Two players and a manager, each a process of its own, over sockets.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A player that listens; ends with the test.
struct Serving {
    process: Child,
    url: String,
}

impl Serving {
    fn new(player: &str) -> Serving {
        let mut process = Command::new(env!("CARGO_BIN_EXE_gdlr"))
            .args(["serve", "--port", "0", "--player", player, "--name", player])
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

/// A new folder.
fn tempfile(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("gdlr-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}
