//! `gdlr gdl-perf`: what the framework of that name starts, and reads.

use super::*;
use gdlr::engine::{Engine, MoveId, RoleId};
use gdlr::gdl::Game;
use gdlr::tree::{Tree, TreeOptions};

/// A path at which there is no file.
fn absent(name: &str) -> String {
    let path = file(name, b"");
    std::fs::remove_file(&path).expect("a file");
    path
}

/// The lines of a result, as the framework reads them.
fn result(path: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(path).expect("a result");
    let pair = |line: &str| {
        let (name, value) = line.split_once('=').expect("NAME = VALUE");
        (name.trim().to_owned(), value.trim().to_owned())
    };
    text.lines().map(pair).collect()
}

/// The only value that there is beside the version.
fn error_of(path: &str) -> String {
    let lines = result(path);
    assert_eq!((lines.len(), &*lines[0].0, &*lines[1].0), (2, "version", "errorMessage"));
    lines[1].1.clone()
}

#[test]
fn a_result_has_the_lines_of_the_framework() {
    for engine in ["auto", "tree"] {
        let path = absent(&format!("perf_{engine}.txt"));
        let output = output(&["gdl-perf", TICTACTOE, &path, "1", "--engine", engine]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
        let lines = result(&path);
        let names: Vec<&str> = lines.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["version", "millisecondsTaken", "numStateChanges", "numRollouts"]);
        assert_eq!(lines[0].1, format!("{} {engine}", env!("CARGO_PKG_VERSION")));
        let number = |index: usize| lines[index].1.parse::<u64>().expect("a number");
        assert!(number(1) >= 1000, "{lines:?}");
        let mean_length = number(2) as f64 / number(3) as f64;
        assert!((7.0..8.5).contains(&mean_length), "{lines:?}");
    }
}

#[test]
fn what_goes_wrong_is_in_the_file() {
    let path = absent("perf_errors.txt");
    let run = |game: &str, expected: i32, options: &[&str]| {
        let output = output(&[&["gdl-perf", game, &path, "1"], options].concat());
        assert_eq!(status(&output), expected, "{}", stderr(&output));
        assert!(stderr(&output).contains("error"), "{}", stderr(&output));
        error_of(&path)
    };
    let unreadable = file("perf_unreadable.kif", b"(role a)\n(<= terminal");
    let said = run(&unreadable, 2, &[]);
    assert_eq!(said, "K001 at 2:1: this bracket is never closed");
    let refused = file("perf_refused.kif", b"(init (a 1)) (legal a b)");
    assert!(run(&refused, 2, &[]).starts_with("E001 at "));
    assert!(run("/nowhere.kif", 2, &[]).contains("/nowhere.kif"));
    let stuck = file("perf_stuck.kif", STUCK.as_bytes());
    assert!(run(&stuck, 1, &[]).contains("no legal move"));
    let no_goal = file("perf_no_goal.kif", NO_GOAL.as_bytes());
    assert!(run(&no_goal, 1, &["--engine", "tree"]).contains("goal value"));
    let endless = file("perf_endless.kif", ENDLESS.as_bytes());
    assert!(run(&endless, 3, &["--max-steps", "10"]).contains("no playout ended"));
    let exhausted = run(TICTACTOE, 3, &["--engine", "propnet", "--set-up-memory", "0"]);
    assert!(exhausted.contains("set-up ran out"), "{exhausted}");
}

#[test]
fn arguments_are_checked() {
    let path = absent("perf_arguments.txt");
    for seconds in ["0", "-1", "1.5", "soon"] {
        refused(&["gdl-perf", TICTACTOE, &path, seconds], b"");
    }
    let said = refused(&["gdl-perf", TICTACTOE, "/nowhere/at/all.txt", "1"], b"");
    assert!(said.contains("cannot write `/nowhere/at/all.txt`"), "{said}");
    assert!(!PathBuf::from(path).exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_test_leaves_no_file() {
    let path = absent("perf_interrupted.txt");
    let mut child = gdlr(&["gdl-perf", TICTACTOE, &path, "600"]).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(!PathBuf::from(path).exists());
}

#[test]
fn playouts_of_the_test_of_correctness_can_be_followed() {
    let path = absent("correctness.txt");
    done(&["gdl-perf", TICTACTOE, &path, "20", "--correctness"]);
    let text = std::fs::read_to_string(&path).expect("playouts");
    let game = std::fs::read_to_string(TICTACTOE).expect("a rulesheet");
    let game = Game::from_kif("tictactoe", &game).expect("a rulesheet");
    let engine = Tree::new(game, &TreeOptions::default()).expect("a game");
    let mut scratch = engine.scratch();
    let mut lines = text.lines();
    let mut next = || lines.next().expect("a line");
    assert_eq!(next(), "!R!crosses,noughts");
    let (mut changes, mut playouts) = (0, 0);
    loop {
        let line = next();
        if line == "!F!" {
            break;
        }
        let terminal = engine.terminal(&mut scratch).unwrap();
        assert_eq!(line, format!("!T!{terminal}"));
        if terminal {
            let goal = |role| engine.goal(&mut scratch, role).unwrap().to_string();
            let goals: Vec<String> = engine.roles().iter().map(goal).collect();
            assert_eq!(next(), format!("!G!{}", goals.join(",")));
            engine.enter(&mut scratch, engine.initial());
            playouts += 1;
            continue;
        }
        let names = |ids: &[MoveId]| {
            let name = |&id: &MoveId| engine.move_term(id).1.spelled(engine.symbols());
            let mut names: Vec<String> = ids.iter().map(name).collect();
            names.sort();
            names
        };
        let mut by_role = Vec::new();
        for role in [RoleId(0), RoleId(1)] {
            let mut legal = Vec::new();
            engine.legal(&mut scratch, role, &mut legal).unwrap();
            let mut told: Vec<&str> =
                next().strip_prefix("!L!").expect("moves").split(',').collect();
            told.sort_unstable();
            assert_eq!(told, names(&legal));
            by_role.push(legal);
        }
        let told: Vec<&str> = next().strip_prefix("!C!").expect("moves").split(',').collect();
        let joint: Vec<MoveId> = by_role
            .iter()
            .zip(&told)
            .map(|(legal, told)| *legal.iter().find(|&&id| names(&[id]) == [*told]).expect("legal"))
            .collect();
        engine.step(&mut scratch, &joint).expect("a legal joint move");
        changes += 1;
    }
    assert!(lines.next().is_none());
    // The playout in which there are enough is the last one.
    assert!((21..=29).contains(&changes) && (3..=4).contains(&playouts), "{text}");
}

#[test]
fn what_goes_wrong_in_the_test_of_correctness_is_in_the_file() {
    let path = absent("correctness_errors.txt");
    let stuck = file("correctness_stuck.kif", STUCK.as_bytes());
    let output = output(&["gdl-perf", &stuck, &path, "5", "--correctness"]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let text = std::fs::read_to_string(&path).expect("playouts");
    assert!(text.ends_with("!L!\n!E!right has no legal move\n!F!\n"), "{text}");
    let unreadable = file("correctness_unreadable.kif", b"(role");
    assert_eq!(status(&super::output(&["gdl-perf", &unreadable, &path, "5", "--correctness"])), 2);
    let text = std::fs::read_to_string(&path).expect("an error");
    assert_eq!(text, "!E!K001 at 1:1: this bracket is never closed\n!F!\n");
    let over = "(role a) (init (at 1)) (legal a go) (<= terminal (true (at 1)))
        (<= (next (at 1)) (true (at 1))) (goal a 100)";
    let over = file("correctness_over.kif", over.as_bytes());
    done(&["gdl-perf", &over, &path, "5", "--correctness"]);
    assert_eq!(std::fs::read_to_string(&path).expect("playouts"), "!R!a\n!T!true\n!F!\n");
}

/// A command that may write files of so many blocks at most, and is told when there is no room.
#[cfg(unix)]
fn with_room(blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_gdlr")]).args(arguments);
    shell.output().expect("a shell")
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_to_its_end_is_reported_and_taken_away() {
    let path = absent("perf_no_room.txt");
    // The first playouts fit, and those after them do not.
    let output = with_room(2, &["gdl-perf", TICTACTOE, &path, "5000", "--correctness"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains(&format!("error: cannot write `{path}`: ")), "{said}");
    assert!(!PathBuf::from(&path).exists());
    // Of a result nothing is there before all of it, and what was there before stays.
    let path = file("perf_no_room.txt", b"before\n");
    let output = with_room(0, &["gdl-perf", TICTACTOE, &path, "1", "--engine", "tree"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains("error: cannot write"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), "before\n");
    let folder = PathBuf::from(&path);
    let folder = folder.parent().expect("a folder").read_dir().expect("a folder");
    let begun = |name: &str| name.starts_with("perf_no_room.txt.");
    assert!(!folder.flatten().any(|entry| begun(&entry.file_name().to_string_lossy())));
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_room_is_reported() {
    for more in [&[][..], &["--correctness"]] {
        let arguments = [&["gdl-perf", TICTACTOE, "/dev/full", "1", "--engine", "tree"], more];
        let said = refused(&arguments.concat(), b"");
        assert!(said.contains("cannot write `/dev/full`"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_test_of_correctness_leaves_no_file() {
    let path = absent("correctness_interrupted.txt");
    let arguments = ["gdl-perf", TICTACTOE, &path, "4000000000", "--correctness"];
    let mut child = gdlr(&arguments).spawn().expect("it starts");
    // It grows from the first playout on.
    let start = std::time::Instant::now();
    while std::fs::metadata(&path).map_or(0, |data| data.len()) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is written");
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(!PathBuf::from(path).exists());
}
