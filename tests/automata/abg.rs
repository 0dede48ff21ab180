//! Abstract Board Games: reference counts, the naive interpreter, random games, broken texts.

#[path = "../abg_naive/mod.rs"]
mod abg_naive;
#[path = "abg/random.rs"]
mod random;

use abg_naive::{Naive, perft};
use gdlr::abg::{self, Tree};
use gdlr::budget::Meter;
use gdlr::rg::optimise::tidy;
use gdlr::rg::{Automaton, Description};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The games of `abg/`, by name.
fn games() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join("abg"))
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    assert_eq!(paths.len(), 11);
    let name = |path: &PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), read(path))).collect()
}

#[track_caller]
fn translated(text: &str) -> Description {
    abg::read_automaton(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]))
}

/// How many plays there are of each length, and how many of them are over there.
#[track_caller]
fn counted(description: &Description, depth: usize) -> (Vec<u64>, Vec<u64>) {
    let automaton = Automaton::new(description).expect("an automaton");
    let counted = gdlr::rg::perft(&automaton, &mut Default::default(), depth, |_| ());
    assert_eq!(counted.error.map(|error| error.to_string()), None);
    (counted.counts, counted.terminal)
}

#[test]
fn games_are_whole_and_laid_out() {
    for (name, text) in games() {
        assert_eq!(abg::check(text.as_bytes()), [], "{name}");
        assert!(abg::is_abg(&text), "{name}");
        let laid_out = abg::format(&text).expect("a game");
        assert_eq!(laid_out, text, "{name}: `gdlr abg fmt --write` mends this");
        let errors = gdlr::rg::validate(&translated(&text));
        assert_eq!(errors, [], "{name}");
    }
}

#[test]
fn games_have_their_counts() {
    let counts: &[(&str, &[u64])] = &[
        ("ball", &[1, 6, 44, 326, 2316]),
        ("breakthrough", &[1, 22, 484, 11132]),
        ("breakthrough_4x4", &[1, 10, 100, 814, 6324, 46350]),
        ("checkers", &[1, 5, 25, 141, 770]),
        ("chess", &[1, 20, 400, 8902]),
        ("choice", &[1, 4, 14, 48, 168]),
        ("connect4", &[1, 7, 49, 343, 2401, 16807, 117_649]),
        ("leapfrog", &[1, 2, 7, 21, 75]),
        ("passing", &[1, 8, 58, 360, 1904]),
        ("three", &[1, 2, 4, 8, 16]),
        ("tictactoe", &[1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872]),
    ];
    for ((name, text), (expected, counts)) in games().iter().zip(counts) {
        assert_eq!(name, expected);
        let mut description = translated(text);
        assert_eq!(counted(&description, counts.len() - 1).0, *counts, "{name}");
        tidy(&mut description, &Meter::unlimited()).expect("no budget");
        assert_eq!(counted(&description, counts.len() - 1).0, *counts, "{name}, tidied");
    }
}

#[test]
fn games_are_proper_as_far_as_they_are_seen() {
    for (name, text) in games() {
        let automaton = Automaton::new(&translated(&text)).expect("an automaton");
        let most = if name == "chess" { 200 } else { 2000 };
        let seen = gdlr::rg::explore(&automaton, &mut Default::default(), most, |_| ());
        assert!(seen.violation.is_none(), "{name}: {:?}", seen.violation);
    }
}

/// Kiwipete: castling, en passant, promotion and checks at once.
const KIWIPETE: &str = "
    bRook, empty, empty, empty, bKing, empty, empty, bRook,
    bPawn, empty, bPawn, bPawn, bQueen, bPawn, bBishop, empty,
    bBishop, bKnight, empty, empty, bPawn, bKnight, bPawn, empty,
    empty, empty, empty, wPawn, wKnight, empty, empty, empty,
    empty, bPawn, empty, empty, wPawn, empty, empty, empty,
    empty, empty, wKnight, empty, empty, wQueen, empty, bPawn,
    wPawn, wPawn, wPawn, wBishop, wBishop, wPawn, wPawn, wPawn,
    wRook, empty, empty, empty, wKing, empty, empty, wRook;";

#[test]
fn chess_from_kiwipete() {
    let chess = read(&root().join("abg/chess.abg"));
    let (before, _) = chess.split_once("\nboard =").expect("a board");
    let text = format!("{before}\nboard ={KIWIPETE}\n");
    assert_eq!(counted(&translated(&text), 3).0, [1, 48, 2039, 97_862]);
    let tree = abg::read(&text).expect("a game");
    assert_eq!(perft(&Naive::new(&tree), 1).0, [1, 48]);
}

/// The definitions that the games of the thesis have in C++.
fn definitions(file: &str) -> String {
    let from = |game: &str, keep: &dyn Fn(&str) -> bool| -> String {
        let text = read(&root().join(format!("abg/{game}.abg")));
        text.lines().filter(|line| keep(line)).map(|line| format!("{line}\n")).collect()
    };
    let ends = |line: &str| line.starts_with("terminal");
    let rows = |white: &str, black: &str, last: u32| {
        format!(
            "terminal whiteThere {{ return any({white} and row == {last}); }} scores white: 100;
             terminal blackThere {{ return any({black} and row == 1); }} scores black: 100;"
        )
    };
    match file {
        "thesis/breakthrough.abg" => from("breakthrough", &ends),
        "thesis/breakthrough_4x4.abg" => from("breakthrough_4x4", &ends),
        "thesis/breakthrough_3x3.abg" => rows("wPawn", "bPawn", 3),
        "thesis/tictactoe.abg" => from("tictactoe", &|line| {
            ends(line) || line.starts_with("effect") || line.starts_with("macro")
        }),
        "thesis/connect4.abg" => from("connect4", &|line| {
            let word = line.split(' ').next().unwrap_or_default();
            ["terminal", "effect", "predicate", "macro"].contains(&word)
        })
        .replace("wDisc", "wPawn")
        .replace("bDisc", "bPawn"),
        "probes/rays.abg" => rows("q", "r", 8),
        "probes/hop.abg" | "probes/two_ways_two_captures.abg" => rows("w", "b", 6),
        "probes/two_ways_one_result.abg" => rows("wp", "bp", 4),
        "thesis/chess.abg" | "probes/chess_kiwipete.abg" => {
            read(&root().join("tests/automata/abg/chess_definitions.txt"))
        }
        _ => String::new(),
    }
}

/// The most plays of a depth that are counted.
const MOST_PLAYS: u64 = 200_000;

#[test]
fn published_games_have_the_counts_of_their_programs() {
    let folder = root().join("../shared/abg");
    if !folder.is_dir() {
        return;
    }
    for line in read(&folder.join("perft.tsv")).lines().filter(|line| !line.starts_with('#')) {
        let [file, _, counts] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        let mut expected: Vec<u64> =
            counts.split(' ').map(|count| count.parse().expect("a count")).collect();
        if file.ends_with("two_ways_one_result.abg") {
            // Two words that do the same are one move here.
            expected = vec![1, 3];
        }
        expected.truncate(expected.iter().take_while(|count| **count <= MOST_PLAYS).count());
        let text = read(&folder.join(file)) + &definitions(file);
        let counts = counted(&translated(&text), expected.len() - 1).0;
        assert_eq!(counts, expected, "{file}");
    }
}

#[track_caller]
fn assert_like_naive(tree: &Tree, text: &str, depth: usize) {
    let game = abg::resolve(tree).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    let description = abg::translate(&game).expect("an automaton");
    let naive = perft(&Naive::new(tree), depth);
    assert_eq!(counted(&description, depth), naive, "{text}");
    let mut tidied = description;
    tidy(&mut tidied, &Meter::unlimited()).expect("no budget");
    assert_eq!(counted(&tidied, depth), naive, "tidied\n{text}");
}

#[test]
fn games_play_as_by_the_definition() {
    for (name, text) in games() {
        let tree = abg::read(&text).expect("a game");
        let depth = match &*name {
            "chess" | "breakthrough" => 2,
            "connect4" => 4,
            _ => 3,
        };
        assert_like_naive(&tree, &name, depth);
    }
}

#[test]
fn random_games_play_as_by_the_definition() {
    let mut games = 0;
    for seed in 0..400 {
        let text = random::game(seed);
        let tree = abg::read(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
        if abg::resolve(&tree).is_ok() {
            games += 1;
            assert_like_naive(&tree, &text, 2);
        }
    }
    assert!(games > 300, "{games} games");
}

#[test]
fn broken_texts_are_diagnosed() {
    for (name, text) in games() {
        for number in 0..60 {
            let bytes = random::broken(text.as_bytes(), number);
            let diagnostics = abg::check(&bytes);
            assert!(diagnostics.len() <= 4 * abg::MAX_ERRORS, "{name} {number}");
            let Ok(laid_out) = abg::format_bytes(&bytes) else {
                assert!(!diagnostics.is_empty(), "{name} {number}");
                continue;
            };
            assert_eq!(abg::format(&laid_out).expect("a game"), laid_out, "{name} {number}");
            // Blanks alone may change.
            let dense = |text: &str| text.split_whitespace().collect::<String>();
            let before = String::from_utf8(bytes).expect("a text that was read");
            assert_eq!(dense(&laid_out), dense(&before), "{name} {number}");
        }
    }
}

#[test]
fn what_explodes_is_refused() {
    let head = "players = p; pieces = empty, w(p); board_size = 3, 1; board = w, empty, empty;";
    let any = "([1, 0, Empty] | [-1, 0, Empty])";
    let explodes = format!("rule w = {any}*[1, 0, Empty]{};", any.repeat(24));
    let doubled: String =
        (1..40).map(|n| format!("macro m{n}() = m{}() m{}();", n - 1, n - 1)).collect::<String>()
            + "macro m0() = [1, 0, Empty]; rule w = m39();";
    let chain: String =
        (1..500).map(|n| format!("macro m{n}() = m{}();", n - 1)).collect::<String>()
            + "macro m0() = [1, 0, Empty]; rule w = m499();";
    let itself = "macro a() = b(); macro b() = a(); rule w = a();".to_owned();
    let unbounded = "variable n = 1; effect E { n = n * 3; } rule w = [1, 0, Empty]{E};".to_owned();
    let deep = format!("rule w = {}[1, 0, Empty];", "(".repeat(5000));
    let cases = [
        (explodes, "A006"),
        (doubled, "A006"),
        (chain, "A003"),
        (itself, "A110"),
        (unbounded, "A106"),
        (deep, "A003"),
    ];
    for (rule, code) in cases {
        let diagnostics = abg::check(format!("{head}{rule}").as_bytes());
        let codes: Vec<&str> = diagnostics.iter().map(|it| it.code.as_str()).collect();
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
}

#[test]
fn a_board_of_ten_thousand_squares_is_read() {
    let row = ["p"].into_iter().chain(["empty"; 99]).collect::<Vec<_>>().join(", ");
    let board = vec![row; 100].join(", ");
    let text = format!(
        "players = one; pieces = empty, p(one); rule p = [1, 0, Empty] | [0, 1, Empty];
         board_size = 100, 100; board = {board};"
    );
    assert_eq!(counted(&translated(&text), 1).0, [1, 100]);
}
