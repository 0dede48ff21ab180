//! Input that cannot be used is refused, whatever the command.

use super::*;

/// The commands that read a rulesheet, for one that is refused by all.
fn refused_by_all(game: &str, message: &str) {
    for arguments in [
        &["play", game, "--flatmc"][..],
        &["play", game],
        &["perft", game, "2"],
        &["info", game],
        &["tree", game],
    ] {
        let said = refused(arguments, b"");
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn no_file() {
    refused_by_all("missing.kif", "neither a file nor a bundled game `missing.kif`");
    refused_by_all("missing/tictactoe.kif", "cannot read `missing/tictactoe.kif`");
    refused_by_all("tictaktoe", "did you mean `tictactoe`?");
    refused_by_all("tictaktoe.kif", "did you mean `tictactoe`?");
    refused_by_all("xyzzy", "neither a file nor a bundled game");
    refused_by_all(env!("CARGO_TARGET_TMPDIR"), "cannot read");
}

/// As the examples of most help texts have it.
#[test]
fn a_bundled_game_by_the_name_of_its_file() {
    let flat = ["play", "tictactoe.kif", "--flatmc", "--playouts", "3", "--json"];
    for arguments in [&flat[..], &["to-rg", "connect4.kif"]] {
        let output = output(arguments);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let name = arguments[1].trim_end_matches(".kif");
        let said = format!("no file `{name}.kif`; taking the bundled game {name}\n");
        assert_eq!(stderr(&output), said);
    }
    // A file of that name is that file.
    let game = file("nim.kif", ENDLESS.as_bytes());
    let here = std::path::Path::new(&game).parent().unwrap();
    let output = gdlr(&["perft", "nim.kif", "2", "--json"]).current_dir(here).output().unwrap();
    assert_eq!(json(&output)["counts"], serde_json::json!([1, 1, 1]));
}

#[test]
fn not_utf8() {
    refused_by_all(&file("latin1.kif", b"(role a)\n(role \xe9)"), "error[K005]");
}

#[test]
fn an_unclosed_bracket_has_its_line() {
    let game = file("unclosed.kif", b"(role a)\n\n  (role (b)\n");
    refused_by_all(&game, "unclosed.kif:3:3\n");
}

#[test]
fn brackets_without_end() {
    let said = refused(&["play", "-", "--flatmc"], "(".repeat(100_000).as_bytes());
    assert!(said.contains("error[K003]") && said.contains("<stdin>:1:257"), "{said}");
    assert!(said.len() < 10_000, "{}", said.len());
}

#[test]
fn too_large() {
    let text = " ".repeat((16 << 20) + 1);
    assert!(refused(&["perft", "-", "1"], text.as_bytes()).contains("larger than 16 MiB"));
    let game = file("large.kif", text.as_bytes());
    assert!(refused(&["perft", &game, "1"], b"").contains("larger than 16 MiB"));
    std::fs::remove_file(game).unwrap();
}

#[test]
fn without_meaning() {
    refused_by_all(&file("empty.kif", b""), "error[E001]");
    refused_by_all(&file("no_role.kif", b"(legal a b) (<= terminal (true x))"), "error[E001]");
    let unsafe_rule = "(role a) (legal a b) (<= (p ?x) (not (q ?x))) (<= terminal (true x))";
    refused_by_all(&file("unsafe.kif", unsafe_rule.as_bytes()), "error[E012]");
}

#[test]
fn case_sensitive_reading() {
    let game = "(role a) (legal a B) (legal a b) (init P) (<= terminal (true p))";
    let count =
        |arguments: &[&str]| json(&output_with(arguments, game.as_bytes()))["counts"][1].clone();
    assert_eq!(count(&["perft", "-", "1", "--json"]), 0);
    assert_eq!(count(&["perft", "-", "1", "--json", "--case-sensitive"]), 2);
}

#[test]
fn arguments() {
    for arguments in [
        &[][..],
        &["nonsense"],
        &["play"],
        &["check"],
        &["play", "tictactoe", "--time", "1"],
        &["play", "tictactoe", "--flatmc", "--time", "-1"],
        &["play", "tictactoe", "--flatmc", "--time", "nan"],
        &["play", "tictactoe", "--flatmc", "--time", "1", "--playouts", "1"],
        &["play", "tictactoe", "--flatmc", "--engine", "prolog"],
        &["play", "tictactoe", "--flatmc", "--without", "luck"],
        &["bench", "--ablation", "--without", "hashing"],
        &["bench", "--repeat", "0"],
        &["completions", "dos"],
    ] {
        refused(arguments, b"");
    }
}
