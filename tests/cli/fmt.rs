//! `gdlr fmt`.

use super::*;

#[test]
fn to_standard_output_and_back() {
    let once = output_with(&["fmt", "-"], b"; a game\n(role   a)(<= terminal (p ?x)\n(q ?x))");
    assert_eq!(status(&once), 0);
    assert!(stdout(&once).contains("; a game\n"));
    let twice = output_with(&["fmt", "-"], &once.stdout);
    assert_eq!(stdout(&once), stdout(&twice));
    assert_eq!(status(&output_with(&["fmt", "--check", "-"], &once.stdout)), 0);
}

#[test]
fn check_and_write() {
    let game = file("layout.kif", b"(role   a)");
    let checked = output(&["fmt", "--check", &game]);
    assert_eq!((status(&checked), stdout(&checked)), (1, ""));
    assert_eq!(done(&["fmt", "--write", &game]), "");
    assert_eq!(std::fs::read_to_string(&game).unwrap(), "(role a)\n");
    assert_eq!(status(&output(&["fmt", "--check", &game])), 0);
    let left: Vec<_> = std::fs::read_dir(env!("CARGO_TARGET_TMPDIR"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("layout.kif."))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_cannot_be_written_is_refused() {
    assert!(refused(&["fmt", "--write", "-"], b"(role a)").contains("no file to write to"));
    refused(&["fmt", "--write", "tictactoe"], b"");
    let game = file("broken_layout.kif", b"(role a");
    refused(&["fmt", "--write", &game], b"");
    assert_eq!(std::fs::read_to_string(&game).unwrap(), "(role a");
}
