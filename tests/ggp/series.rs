//! Tournaments of `gdlr match --series`: all of what was asked for is played and counted.

use assert_cmd::cargo::cargo_bin;
use gdlr::ggp::http::{Limits, Server};
use gdlr::ggp::service::{Options, Service};
use gdlr::play::player::ThinkingPlayer;
use gdlr::play::thinker::Thinker;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

fn gdlr(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("gdlr"));
    command.args(arguments).env("COLUMNS", "80").env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = gdlr(arguments).output().expect("gdlr");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("a status"), text(stdout), text(stderr))
}

/// A file of a series in a folder of its own.
fn series(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("series.toml");
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a plain path").to_owned()
}

fn run_json(path: &str) -> (Value, String) {
    let (status, stdout, stderr) = output(&["match", "--series", path, "--json"]);
    assert_eq!(status, 0, "{stderr}");
    (serde_json::from_str(&stdout).expect("JSON"), stderr)
}

/// The names of those who played a match, by role.
fn names(played: &Value) -> Vec<&str> {
    let players = played["players"].as_array().expect("players");
    players.iter().map(|player| player["player"].as_str().expect("a name")).collect()
}

const THREE: &str = "
    play-clock = 0.1
    threads = 2
    rounds = 2
    games = [\"tictactoe\", \"three_player_auction\", \"die.kif\"]
    [[player]]
    kind = \"mc\"
    seed = 9
    [[player]]
    kind = \"random\"
    [[player]]
    name = \"dice\"
    kind = \"random\"
";

/// Chance throws a die for one player, who waits.
const DIE: &str = "
    (role random) (role player) (init (at 0)) (side 0) (side 50) (side 100)
    (<= (legal random (throw ?s)) (side ?s)) (legal player wait)
    (<= (next (thrown ?s)) (does random (throw ?s)))
    (<= terminal (true (thrown ?s)))
    (<= (goal player ?s) (true (thrown ?s)))";

#[test]
fn everybody_meets_everybody_at_everything() {
    let path = series("everybody", THREE);
    std::fs::write(PathBuf::from(&path).with_file_name("die.kif"), DIE).expect("a game");
    let (value, stderr) = run_json(&path);
    let matches = value["matches"].as_array().expect("matches");
    // In a round: three pairs from two sides, one triple from three, three alone.
    assert_eq!(matches.len(), 2 * (6 + 3 + 3));
    assert_eq!(stderr.lines().filter(|line| line.starts_with("match ")).count(), 24, "{stderr}");
    let of = |game: &str, round: u64| -> Vec<Vec<&str>> {
        let is = |m: &&Value| m["game"] == game && m["round"] == round;
        matches.iter().filter(is).map(names).collect()
    };
    let pairs = [["mc", "random"], ["random", "mc"], ["mc", "dice"]];
    assert_eq!(of("tictactoe", 1)[..3], pairs.map(Vec::from));
    assert_eq!(of("tictactoe", 1), of("tictactoe", 2));
    let triples = [["mc", "random", "dice"], ["random", "dice", "mc"], ["dice", "mc", "random"]];
    assert_eq!(of("three_player_auction", 2), triples.map(Vec::from));
    let alone = [["random", "mc"], ["random", "random"], ["random", "dice"]];
    assert_eq!(of("die.kif", 2), alone.map(Vec::from));

    // The table is what the matches say.
    let players = value["players"].as_array().expect("players");
    assert_eq!(players.len(), 3);
    for player in players {
        let name = player["player"].as_str().expect("a name");
        let (mut goals, mut won, mut drawn) = (Vec::new(), 0, 0);
        for played in matches {
            let chance = usize::from(played["game"] == "die.kif");
            let by_role: Vec<(&str, f64)> = names(played)
                .into_iter()
                .zip(played["goals"].as_array().expect("goals"))
                .skip(chance)
                .map(|(name, goal)| (name, goal.as_f64().expect("a goal")))
                .collect();
            let Some(&(_, own)) = by_role.iter().find(|(other, _)| *other == name) else {
                continue;
            };
            goals.push(own);
            let others = || by_role.iter().filter(|(other, _)| *other != name);
            won += others().filter(|(_, goal)| *goal < own).count();
            drawn += others().filter(|(_, goal)| *goal == own).count();
        }
        let mean = goals.iter().sum::<f64>() / goals.len() as f64;
        assert_eq!(player["matches"], goals.len());
        assert!((player["mean_goal"].as_f64().expect("a mean") - mean).abs() < 1e-9);
        assert_eq!((&player["won"], &player["drawn"]), (&won.into(), &drawn.into()));
        let of_game = |game: usize| {
            let rows = value["games"][game]["players"].as_array().expect("players");
            let row = rows.iter().find(|row| row["player"] == name).expect("a row");
            row["matches"].as_u64().expect("a number")
        };
        assert_eq!([of_game(0), of_game(1), of_game(2)], [8, 6, 2]);
    }
    // Each pair met equally often. Therefore, who scored more has the higher rating, whoever was lucky.
    let of = |field: &str| -> Vec<f64> {
        players.iter().map(|player| player[field].as_f64().expect(field)).collect()
    };
    let (elos, won, drawn) = (of("elo"), of("won"), of("drawn"));
    assert!(elos.iter().sum::<f64>().abs() < 1.0, "{elos:?}");
    let scores: Vec<f64> = won.iter().zip(&drawn).map(|(won, drawn)| won + drawn / 2.0).collect();
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let by_score = scores[one].partial_cmp(&scores[other]);
        assert_eq!(elos[one].partial_cmp(&elos[other]), by_score, "{elos:?}, {scores:?}");
    }
    assert_eq!(value["settings"]["rounds"], 2);
    assert_eq!(value["scheduled"], 24);
}

#[test]
fn every_match_leaves_a_record() {
    let text = "play-clock = 0.1\nthreads = 2\nrecords = \"records\"\n\
        [[game]]\nrules = \"tictactoe\"\nstart-clock = 5\nplay-clock = 0.2\n\
        [[game]]\nrules = \"die.kif\"\n\
        [[player]]\nkind = \"mc\"\n[[player]]\nkind = \"random\"\n";
    let path = series("records", text);
    let folder = PathBuf::from(&path).with_file_name("records");
    // The files that an earlier series has left.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::write(PathBuf::from(&path).with_file_name("die.kif"), DIE).expect("a game");
    let (value, _) = run_json(&path);
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort_unstable();
    // Nothing else, such as half a record.
    let expected = ["1-tictactoe.json", "2-tictactoe.json", "3-die.json", "4-die.json"];
    assert_eq!(names, expected);
    let die = PathBuf::from(&path).with_file_name("die.kif");
    let games = ["tictactoe", "tictactoe", die.to_str().expect("a path"), die.to_str().unwrap()];
    for (place, (name, game)) in names.iter().zip(games).enumerate() {
        let file = folder.join(name);
        let text = std::fs::read_to_string(&file).expect("a record");
        let record: Value = serde_json::from_str(&text).expect("JSON");
        let (own, told) = (&record["matches"][0], &value["matches"][place]);
        for key in ["id", "players", "goals", "errors", "start_clock", "play_clock"] {
            assert_eq!(own[key], told[key], "{name}: {key}");
        }
        let clocks = if game == "tictactoe" { [5.0, 0.2] } else { [30.0, 0.1] };
        assert_eq!([own["start_clock"].as_f64(), own["play_clock"].as_f64()], clocks.map(Some));
        let (status, stdout, stderr) = output(&["verify", game, file.to_str().expect("a path")]);
        assert!(status == 0 && !stderr.contains("error"), "{stdout}{stderr}");
    }
    assert_eq!(value["settings"]["games"][0]["play_clock"], 0.2);
    assert_eq!(value["settings"]["games"][1]["play_clock"], 0.1);
    // Again, over those of before.
    assert_eq!(run_json(&path).0["matches"].as_array().map(Vec::len), Some(4));
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 4);
}

#[cfg(unix)]
#[test]
fn a_record_that_cannot_be_written_is_reported() {
    let text = "games = [\"tictactoe\"]\nrecords = \"taken\"\n\
        [[player]]\nkind = \"random\"\n[[player]]\nname = \"b\"\nkind = \"random\"\n";
    let path = series("unwritten", text);
    let taken = PathBuf::from(&path).with_file_name("taken");
    let _ = std::fs::remove_dir_all(&taken);
    // The name of the first record is taken by a folder.
    std::fs::create_dir_all(taken.join("1-tictactoe.json")).expect("a folder");
    let (status, stdout, stderr) = output(&["match", "--series", &path]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("error: cannot write `") && stderr.contains("1-tictactoe.json"));
    // The matches that were played are told all the same, and the other record is there.
    assert!(stdout.starts_with("2 matches\n"), "{stdout}");
    assert!(taken.join("2-tictactoe.json").is_file());
    // A file where the folder should be is refused before anything is played.
    std::fs::remove_dir_all(&taken).expect("a folder");
    std::fs::write(&taken, "").expect("a file");
    let (status, stdout, stderr) = output(&["match", "--series", &path]);
    std::fs::remove_file(&taken).expect("a file");
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("series.toml:2:11") && stderr.contains("cannot make the folder"));
}

#[test]
fn the_tables_are_for_people() {
    let text = "games = [\"tictactoe\"]\nrotate = false\n[[player]]\nkind = \"random\"\n\
        [[player]]\nname = \"b\"\nkind = \"random\"\n";
    let (status, stdout, stderr) = output(&["match", "--series", &series("tables", text)]);
    assert_eq!(status, 0, "{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines[0], "1 match");
    assert!(!stdout.contains("matchs"));
    let header: Vec<&str> = lines[1].split_whitespace().collect();
    let expected = "player matches mean goal 95 % interval won drawn lost Elo ±";
    assert_eq!(header.join(" "), expected);
    assert!(stdout.contains("\ntictactoe  "), "{stdout}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{stdout}");
    assert!(stderr.starts_with("match 1 of 1: tictactoe: crosses (random) "), "{stderr}");
}

#[test]
fn a_player_elsewhere_plays_one_match_at_a_time() {
    let player = || Box::new(ThinkingPlayer::new(Thinker::Random, 1, 1000)) as _;
    // Of two matches at once it would refuse the second.
    let options = Options { max_matches: 1, ..Options::new("single", player) };
    let server = Server::bind("127.0.0.1:0", Service::new(options), Limits::default());
    let server = server.expect("a port");
    let address = server.address().expect("an address");
    let stop = Arc::new(AtomicBool::new(false));
    let theirs = stop.clone();
    let serving = thread::spawn(move || server.run(&theirs));
    let text = format!(
        "games = [\"tictactoe\", \"rock_paper_scissors\"]\nthreads = 4\nrounds = 3\n\
         [[player]]\nname = \"single\"\nkind = \"http://{address}\"\n\
         [[player]]\nkind = \"random\"\n[[player]]\nname = \"other\"\nkind = \"random\"\n"
    );
    let (value, stderr) = run_json(&series("single", &text));
    stop.store(true, Ordering::Relaxed);
    serving.join().expect("a server");
    let matches = value["matches"].as_array().expect("matches");
    assert_eq!(matches.len(), 3 * 2 * 6);
    for played in matches {
        assert_eq!(played["errors"].as_array().map(Vec::len), Some(0), "{played}\n{stderr}");
    }
    let numbers: Vec<u64> = matches.iter().filter_map(|m| m["number"].as_u64()).collect();
    assert_eq!(numbers, (1..=36).collect::<Vec<_>>());
}

#[test]
fn a_wrong_file_is_refused_with_the_place() {
    let player = "[[player]]\nkind = \"random\"\n";
    for (text, place, why) in [
        ("games = [\"nim\"]\nrouns = 2\n", "series.toml:2:1", "rouns"),
        ("games = [\"nim\"]\nplay-clock = 0\n", "series.toml:2:14", "no time"),
        ("games = [\"nim\"\n", "series.toml:", "error"),
        ("games = [\n\"nimm\"]\n", "series.toml:2:1", "did you mean `nim`"),
        ("games = [\"hex\", \"nim\"]\n", "series.toml:1:10", "add a `[[player]]`"),
        ("games = [\"gone/nim.kif\"]\n", "series.toml:1:10", "gone/nim.kif"),
        ("rounds = 1\n", "series.toml", "there is no game"),
        ("rounds = 4000000000\ngames = [\"eight_puzzle\"]\n", "", "more than 1,000,000 matches"),
    ] {
        let path = series("wrong", &format!("{text}{player}"));
        let (status, stdout, stderr) = output(&["match", "--series", &path]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{text}\n{stderr}");
        assert!(stderr.starts_with("error: "), "{text}\n{stderr}");
        assert!(stderr.contains(place) && stderr.contains(why), "{text}\n{stderr}");
    }
    let (status, _, stderr) = output(&["match", "--series", "/nowhere/series.toml"]);
    assert_eq!(status, 2, "{stderr}");
    let (status, _, stderr) = output(&["match", "nim", "--series", "series.toml"]);
    assert!(status == 2 && stderr.contains("cannot be used with"), "{stderr}");
    let (status, _, stderr) = output(&["match"]);
    assert!(status == 2 && stderr.contains("<GAME>"), "{stderr}");
}

/// The path of a value net is one from the folder of the file on.
#[test]
fn value_nets_are_found_beside_the_file() {
    let text = "games = [\"tictactoe\"]\nplay-clock = 0.1\n[[player]]\nname = \"learned\"\n\
        kind = \"net:learned.onnx\"\nmemory = 10\n[[player]]\nkind = \"random\"\n";
    let path = series("nets", text);
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/nets/tictactoe.onnx");
    std::fs::copy(net, PathBuf::from(&path).with_file_name("learned.onnx")).expect("a copy");
    let (value, _) = run_json(&path);
    let matches = value["matches"].as_array().expect("matches");
    assert_eq!(
        matches.iter().map(names).collect::<Vec<_>>(),
        [["learned", "random"], ["random", "learned"]]
    );
    for (from, to, place, why) in [
        ("learned.onnx", "gone.onnx", "series.toml:3:1", "it cannot be read: "),
        ("learned.onnx", "series.toml", "series.toml:3:1", "it is no network in ONNX: "),
        ("tictactoe", "connect4", "series.toml:1:10", "cannot play this game: it was learned for"),
    ] {
        let path = series("nets", &text.replace(from, to));
        let (status, stdout, stderr) = output(&["match", "--series", &path]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(place) && stderr.contains(why), "{to}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn what_was_played_before_an_interruption_counts() {
    // The first round takes no time, a match of the other player many minutes.
    let text = "games = [\"tictactoe\"]\nplay-clock = 100\nrotate = false\nrounds = 5\n\
        [[player]]\nkind = \"random\"\n[[player]]\nname = \"b\"\nkind = \"random\"\n\
        [[player]]\nkind = \"mc\"\n";
    let path = series("interrupted", text);
    let mut command = gdlr(&["match", "--series", &path, "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("gdlr");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut first = String::new();
    said.read_line(&mut first).expect("a line");
    assert!(first.starts_with("match 1 of 15: "), "{first}");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let mut rest = String::new();
    said.read_to_string(&mut rest).expect("text");
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130), "{rest}");
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&value["interrupted"], &value["scheduled"]), (&true.into(), &15.into()));
    let endings: Vec<&str> =
        value["matches"].as_array().unwrap().iter().filter_map(|m| m["ending"].as_str()).collect();
    assert_eq!(endings[0], "terminal");
    assert!(endings.len() < 15, "{endings:?}");
    assert_eq!(value["players"][0]["matches"], 1);
}
