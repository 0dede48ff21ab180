//! `gdlr perft`.

use super::*;

#[test]
fn as_text() {
    let text = done(&["perft", "tictactoe", "5"]);
    let table: Vec<&str> = text.lines().take(7).collect();
    insta::assert_snapshot!("perft", table.join("\n"));
}

#[test]
fn as_json() {
    let value = json(&output(&["perft", "tictactoe", "3", "--json"]));
    assert_eq!(keys(&value), ["game", "engine", "depth", "counts", "terminal", "seconds"]);
    assert_eq!(value["counts"], serde_json::json!([1, 9, 72, 504]));
    assert_eq!(value["terminal"], serde_json::json!([0, 0, 0, 0]));
    assert_eq!((&value["depth"], &value["engine"]), (&3.into(), &"propnet".into()));
}

#[test]
fn a_depth_that_is_none_is_refused() {
    for depth in ["-1", "x", "100001", ""] {
        refused(&["perft", "tictactoe", depth], b"");
    }
}

/// One line of `--divide`, and the rest of what it prints.
fn divided(arguments: &[&str]) -> (Vec<(String, u64)>, u64) {
    let text = done(&[arguments, &["--divide"]].concat());
    let (lines, sum) = text.split_once("\n\n").expect("an empty line before the sum");
    let line = |line: &str| {
        let (moves, count) = line.rsplit_once(": ").expect("a count");
        (moves.to_owned(), count.parse().expect("digits alone"))
    };
    let sum = sum.strip_prefix("Nodes searched: ").expect("the sum").trim_end();
    (lines.lines().map(line).collect(), sum.parse().expect("digits alone"))
}

#[test]
fn divided_as_chess_programs_do() {
    let text = done(&["perft", "tictactoe", "3", "--divide"]);
    let squares = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(sign {x} {y}): 56\n")));
    assert_eq!(text, squares.collect::<String>() + "\nNodes searched: 504\n");
    // Where several roles choose, the moves of all; each line is what --after takes.
    let arguments = ["perft", "rock_paper_scissors", "2"];
    let (lines, sum) = divided(&arguments);
    assert_eq!((lines.len(), lines.iter().map(|(_, count)| count).sum::<u64>()), (9, sum));
    let behind = json(&output(&["perft", arguments[1], "1", "--json", "--after", &lines[1].0]));
    assert_eq!(behind["counts"][1], lines[1].1);
    assert!(lines[1].0.starts_with('(') && lines.is_sorted());
}

#[test]
fn divided_as_json() {
    let value = json(&output(&["perft", "tictactoe", "2", "--divide", "--json"]));
    let expected = ["game", "engine", "depth", "counts", "terminal", "seconds", "divide"];
    assert_eq!(keys(&value), expected);
    let first = serde_json::json!(
        {"moves": ["(sign 1 1)", "wait"], "counts": [1, 8], "terminal": [0, 0]}
    );
    assert_eq!((&value["divide"][0], value["divide"].as_array().map(Vec::len)), (&first, Some(9)));
}

/// A branch is what a count from the state behind it is; the sum is that of the whole.
#[test]
fn branches_are_counts_from_the_state_behind_them() {
    let engine = ["--engine", "tree"];
    let arguments = [&["perft", "reversi", "4", "--json", "--divide"], &engine[..]].concat();
    let whole = json(&output(&arguments));
    let count = |value: &Value, depth: usize| value["counts"][depth].as_u64().expect("a count");
    let branches = whole["divide"].as_array().expect("a list");
    for depth in 0..4 {
        let sum: u64 = branches.iter().map(|branch| count(branch, depth)).sum();
        assert_eq!(sum, count(&whole, depth + 1));
    }
    let joint: Vec<&str> = branches[2]["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|text| text.as_str().expect("a move"))
        .collect();
    let after = format!("({})", joint.join(" "));
    let behind = ["perft", "reversi", "3", "--json", "--after", &after];
    let behind = json(&output(&[&behind, &engine[..]].concat()));
    assert_eq!(behind["counts"], branches[2]["counts"]);
    assert_eq!(behind["terminal"], branches[2]["terminal"]);
}

#[test]
fn from_facts_and_after_moves() {
    let facts = file("perft_facts.kif", b"(true (signed 2 2 crosses)) (turn noughts)");
    for engine in ["tree", "propnet", "rg"] {
        let counts = |moment: &[&str]| {
            let arguments = ["perft", "tictactoe", "3", "--json", "--engine", engine];
            json(&output(&[&arguments[..], moment].concat()))["counts"].clone()
        };
        let given = counts(&["--facts", &facts]);
        assert_eq!(given, serde_json::json!([1, 8, 56, 336]), "{engine}");
        assert_eq!(counts(&["--after", "(sign 2 2)"]), given, "{engine}");
        // From the facts on.
        let further = counts(&["--facts", &facts, "--after", "(sign 1 1)"]);
        assert_eq!(further, serde_json::json!([1, 7, 42, 210]), "{engine}");
    }
}

#[test]
fn where_the_game_is_over_there_is_nothing_to_count() {
    let after = "(sign 1 1) (sign 2 1) (sign 1 2) (sign 2 2) (sign 1 3)";
    let over = output(&["perft", "tictactoe", "2", "--divide", "--after", after]);
    assert_eq!((status(&over), stdout(&over)), (0, "\nNodes searched: 0\n"));
    assert!(stderr(&over).contains("the game is over"), "{}", stderr(&over));
    let over = output(&["perft", "tictactoe", "2", "--json", "--after", after]);
    assert_eq!(json(&over)["counts"], serde_json::json!([1, 0, 0]));
    assert_eq!(json(&over)["terminal"], serde_json::json!([1, 0, 0]));
    assert!(stderr(&over).contains("the game is over"), "{}", stderr(&over));
}

#[test]
fn states_that_are_none_are_refused() {
    let perft =
        |arguments: &[&str]| refused(&[&["perft", "tictactoe", "2"], arguments].concat(), b"");
    let said = perft(&["--after", "(sign 2 2) (sign 2 2)"]);
    assert!(said.contains("no legal joint move") && said.contains("1:12"), "{said}");
    let facts = file("perft_no_facts.kif", b"(turn noughts)\n(signed 2 2 queens)");
    assert!(perft(&["--facts", &facts]).contains("the game has no name `queens`"));
    assert!(perft(&["--facts", "/nowhere/at/all"]).contains("cannot read"));
    assert!(
        refused(&["perft", "tictactoe", "0", "--divide"], b"").contains("a DEPTH of 1 or more")
    );
}

/// Tables that others have published, and how they begin.
#[test]
fn known_tables() {
    for (game, counts) in [
        ("draughts", &[7, 49, 302][..]),
        ("reversi", &[4, 12, 56, 244]),
        ("breakthrough", &[22, 484]),
    ] {
        let depth = counts.len().to_string();
        let arguments = ["perft", game, &depth, "--engine", "tree"];
        let (lines, sum) = divided(&arguments);
        assert_eq!((lines.len(), sum), (counts[0], counts[counts.len() - 1] as u64), "{game}");
    }
}

/// The position that chess programs call Kiwipete: r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R.
fn kiwipete() -> String {
    let fields = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
    let mut facts = "(control white) (step 1)\n".to_owned();
    for (row, rank) in fields.split('/').zip((1..=8).rev()) {
        let mut file = b'a';
        for field in row.chars() {
            if let Some(empty) = field.to_digit(10) {
                file += empty as u8;
                continue;
            }
            let player = if field.is_ascii_uppercase() { "white" } else { "black" };
            let piece = match field.to_ascii_lowercase() {
                'k' => "king",
                'q' => "queen",
                'r' => "rook",
                'b' => "bishop",
                'n' => "knight",
                _ => "pawn",
            };
            facts += &format!("(cell {} {rank} {player} {piece})\n", file as char);
            file += 1;
        }
    }
    file("kiwipete.kif", facts.as_bytes())
}

/// Chess as all chess programs count it, by a public rulesheet, where it is.
#[test]
fn chess_from_its_start_and_kiwipete() {
    let corpus =
        std::env::var_os("CORPUS").map_or_else(|| "../shared/corpus".into(), PathBuf::from);
    let rules = corpus.join("chess_200.kif");
    if !rules.is_file() {
        eprintln!("skipped: there is no {}", rules.display());
        return;
    }
    let rules = rules.to_str().expect("UTF-8");
    let count = |engine: &str, depth: usize, moment: &[&str]| {
        let depth = depth.to_string();
        let arguments = ["perft", rules, &depth, "--engine", engine];
        divided(&[&arguments[..], moment].concat())
    };
    // The net counts all that trees would need ten minutes for.
    for (engine, depth) in [("tree", 2), ("propnet", 4)] {
        let (lines, sum) = count(engine, depth, &[]);
        assert_eq!((lines.len(), sum), (20, [1, 20, 400, 8_902, 197_281][depth]), "{engine}");
        let (lines, sum) = count(engine, depth - 1, &["--facts", &kiwipete()]);
        assert_eq!((lines.len(), sum), (48, [1, 48, 2_039, 97_862][depth - 1]), "{engine}");
        let at = |number: usize| &*lines[number].0;
        assert_eq!((at(0), at(1)), ("(move bishop d 2 c 1)", "(move bishop d 2 e 3)"));
        assert_eq!((at(46), at(47)), ("castleKingside", "castleQueenside"));
    }
}
