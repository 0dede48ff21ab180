//! Small inputs that went wrong once, in `../shared/cases` or the folder that `CASES` names.
//!
//! The `README.md` there says what is right for each. Where the folder is not, the tests are left
//! out, unless `GDLR_CORPUS_REQUIRED` is set.

use super::*;
use std::path::Path;

/// The folder of the cases.
fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("CASES").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| PathBuf::from("../shared/cases"));
    let required = std::env::var_os("GDLR_CORPUS_REQUIRED").is_some();
    assert!(folder.is_dir() || !required, "no cases in {}", folder.display());
    folder.is_dir().then_some(folder)
}

fn case(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a path in Unicode").to_owned()
}

/// The codes of the errors and warnings that a command says.
fn codes(output: &Output) -> String {
    let said = stderr(output).lines().filter_map(|line| {
        let rest = line.strip_prefix("error[").or(line.strip_prefix("warning["))?;
        rest.split_once(']').map(|(code, _)| code)
    });
    said.collect::<Vec<_>>().join(" ")
}

#[test]
fn rulesheets_are_checked_as_they_should_be() {
    let Some(folder) = folder() else { return };
    let cases = [
        ("base_with_variable", 0, "W012 W012"),
        ("base_not_a_keyword", 0, "W005"),
        ("sees_does_is_an_error", 0, "W013"),
        ("r2g_init_dep_goal", 1, "W015 E010"),
        ("llm_and_arith", 1, "K018"),
        ("stuck_rg", 1, "S001"),
    ];
    for (name, expected, found) in cases {
        let output = output(&["check", &case(&folder, &format!("gdl/{name}.kif"))]);
        assert_eq!((status(&output), &*codes(&output)), (expected, found), "{name}");
    }
}

#[test]
fn rulesheets_are_played_as_they_should_be() {
    let Some(folder) = folder() else { return };
    let counts = |name: &str, depth: &str, engine: &str| {
        let game = case(&folder, &format!("gdl/{name}.kif"));
        json(&output(&["perft", "--json", "--engine", engine, &game, depth]))["counts"].clone()
    };
    for engine in ["tree", "propnet", "rg"] {
        assert_eq!(counts("stuck_rg", "2", engine), serde_json::json!([1, 2, 0]), "{engine}");
        for name in ["base_with_variable", "base_not_a_keyword"] {
            assert_eq!(counts(name, "2", engine), serde_json::json!([1, 1, 0]), "{name}, {engine}");
        }
        assert_eq!(counts("sees_does_is_an_error", "1", engine), serde_json::json!([1, 4]));
    }
    let holds = |name: &str, sentence: &str, moves: &str| {
        let game = case(&folder, &format!("gdl/{name}.kif"));
        status(&output(&["explain", &game, sentence, "--after", moves])) == 0
    };
    assert!(!holds("rare", "(legal a (m 0))", "m 7 m 3 m 5 m 1"));
    assert!(holds("rare", "(legal a (m 0))", "m 7 m 3 m 5 m 2"));
    assert!(holds("win", "(goal a 100)", "l l l l l l l l l l"));
    assert!(!holds("win", "(goal a 100)", "l l l l r l l l l l"));
}

#[test]
fn rulesheets_become_automata_in_time() {
    let Some(folder) = folder() else { return };
    for name in ["to_rg_panic_known", "to_rg_never_ends", "to_rg_no_fallback"] {
        let game = case(&folder, &format!("gdl/{name}.kif"));
        let automaton = done(&["to-rg", &game]);
        let checked = output_with(&["rg", "check", "-"], automaton.as_bytes());
        assert_eq!(stdout(&checked), "<stdin>: 0 errors, 0 warnings\n", "{name}");
        let automaton = file(&format!("{name}.rg"), automaton.as_bytes());
        let played = output(&["rg", "run", "--plays", "10", &automaton]);
        assert_eq!(status(&played), 0, "{name}: {}", stderr(&played));
    }
}

#[test]
fn other_dialects_are_named_in_one_message() {
    let Some(folder) = folder() else { return };
    let cases = [
        ("bare_not_infix", "K012"),
        ("blank_in_argument", "K008"),
        ("comment_hash", "K014"),
        ("prolog_or_semicolon", "K012"),
    ];
    for (name, code) in cases {
        let rules = case(&folder, &format!("infix/{name}.hrf"));
        let checked = output(&["check", &rules]);
        assert_eq!((status(&checked), &*codes(&checked)), (1, code), "{name}");
        let written = output(&["fmt", &rules]);
        assert_eq!((status(&written), stdout(&written)), (2, ""), "{name}");
    }
}

#[test]
fn prolog_like_notation_is_read() {
    let Some(folder) = folder() else { return };
    let rules = case(&folder, "infix/prolog_dialect.hrf");
    let perft = json(&output(&["perft", &rules, "2", "--json"]));
    assert_eq!(perft["counts"], serde_json::json!([1, 1, 0]));
    assert_eq!(perft["terminal"], serde_json::json!([0, 1, 0]));
}

#[test]
fn operations_are_read() {
    let Some(folder) = folder() else { return };
    let rules = case(&folder, "infix/stanford_gamemaster.hrf");
    let perft = json(&output(&["perft", &rules, "5", "--json"]));
    assert_eq!(perft["counts"], serde_json::json!([1, 9, 72, 504, 3024, 15120]));
    assert_eq!(perft["terminal"][5], 1440);
}

#[test]
fn automata_are_checked_as_they_should_be() {
    let Some(folder) = folder() else { return };
    let cases = [
        ("castmap", "", true),
        ("const_fwd", "R218", true),
        ("int3", "", true),
        ("inline_figure", "R201 R201", true),
        ("tgood", "R210", true),
        ("e_bool_bad", "R201 R201 R201 R220", false),
        ("e_keeper_player", "R215", false),
        ("p7_end_byx", "R201 R201 R219", false),
        ("vis", "R220", false),
    ];
    for (name, found, is_proper) in cases {
        let automaton = case(&folder, &format!("rg/{name}.rg"));
        let output = output(&["rg", "check", "--explore", "100000", &automaton]);
        assert_eq!(codes(&output), found, "{name}");
        let said = stdout(&output).contains("the game is proper");
        assert_eq!(said, is_proper, "{name}: {}", stdout(&output));
    }
}

#[test]
fn automata_are_rewritten_as_they_should_be() {
    let Some(folder) = folder() else { return };
    let of = |name: &str| case(&folder, &format!("rg/{name}.rg"));
    let figures = done(&["rg", "optimise", &of("inline_figure")]);
    assert!(figures.contains("board[up[board[x]]] = 0;"), "{figures}");
    let with = done(&["rg", "pragmas", &of("int3"), "-o", "-"]);
    let checked = output_with(&["rg", "pragmas", "--check", "-"], with.as_bytes());
    assert_eq!(status(&checked), 0, "{with}{}", stdout(&checked));
    for command in [&["rg", "optimise"][..], &["rg", "pragmas", "-o", "-"]] {
        let kept = done(&[command, &[&of("tgood")]].concat());
        assert!(kept.contains("@tagIndexMax"), "{kept}");
    }
}
