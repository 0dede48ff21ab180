//! Commands that show a grounded game: `gdlr ground`, `propnet` and `to-rg`.

use super::*;

#[test]
fn ground() {
    let text = done(&["ground", "tictactoe"]);
    assert!(text.starts_with("(role crosses)\n(role noughts)\n") && !text.contains('?'));
    let file = file("ground.kif", b"replaced");
    assert_eq!(done(&["ground", "tictactoe", "-o", &file]), "");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    let counts = |game: &str| json(&output(&["perft", game, "4", "--json"]))["counts"].clone();
    assert_eq!(counts(&file), counts("tictactoe"));
    let said = refused(&["ground", "tictactoe", "-o", "missing/ground.kif"], b"");
    assert!(said.starts_with("error: cannot write `missing/ground.kif`: "), "{said}");
}

/// A relation that never holds has a rule all the same, so that the rulesheet is one.
#[test]
fn ground_writes_what_can_be_read_again() {
    let game = "(role a) (init (s 1)) (<= (legal a go) (true (s 7))) (<= terminal (true (s 8)))
        (<= (goal a 100) (true (s 9))) (<= (next (s 1)) (true (s 1))) (never (aux_))";
    let ground = output_with(&["ground", "-"], game.as_bytes());
    assert_eq!(status(&ground), 0, "{}", stderr(&ground));
    let again = output_with(&["check", "-"], &ground.stdout);
    let said = stderr(&again);
    assert!(said.matches("error[").count() == 1 && said.contains("error[S001]"), "{said}");
    for game in [game.as_bytes(), &ground.stdout] {
        let played = output_with(&["play", "-", "--flatmc", "--playouts", "2", "--json"], game);
        assert_eq!(json(&played)["stuck"], 2, "{}", stderr(&played));
    }
}

#[test]
fn standard_output_is_called_a_dash() {
    for command in ["ground", "to-rg"] {
        assert_eq!(done(&[command, "nim", "-o", "-"]), done(&[command, "nim"]));
    }
    let automaton = file("beside_names.rg", b"");
    let names = done(&["to-rg", "nim", "-o", &automaton, "--names", "-"]);
    let names: Value = serde_json::from_str(&names).expect("JSON");
    assert_eq!(names["game"], "nim");
    assert!(!std::path::Path::new("-").exists());
    for output in [&["--names", "-"][..], &["-o", "-", "--names", "-"]] {
        let said = refused(&[&["to-rg", "nim"], output].concat(), b"");
        assert!(said.contains("are the same file"), "{said}");
    }
}

#[test]
fn to_rg() {
    let text = done(&["to-rg", "tictactoe"]);
    assert!(text.starts_with("type Player = { crosses, noughts };\n"), "{text}");
    let (automaton, names) = (file("written.rg", b"replaced"), file("names.json", b""));
    let files = ["-o", &automaton, "--names", &names];
    assert_eq!(done(&[&["to-rg", "tictactoe"], &files[..]].concat()), "");
    assert_eq!(std::fs::read_to_string(&automaton).unwrap(), text);
    let errors = done(&["rg", "check", &automaton]);
    assert!(errors.starts_with(&format!("{automaton}: 0 errors, ")), "{errors}");
    let joint = done(&["to-rg", "tictactoe", "--joint"]);
    assert!(joint.contains("$ wait;\n") && !text.contains("$ wait;"), "{joint}");
    for part in ["signed[xy] = turn;\n", "$$ xy;\n", "// (<= (legal ?player (sign"] {
        assert!(text.contains(part), "{part} in {text}");
    }

    let names = std::fs::read_to_string(&names).unwrap();
    let names: Value = serde_json::from_str(&names).expect("JSON");
    assert_eq!(keys(&names), ["game", "roles", "moves", "facts", "scores", "turns"]);
    assert_eq!(names["game"], "tictactoe");
    assert_eq!(names["roles"]["crosses"], "crosses");
    assert_eq!(names["moves"]["1_1"], "(sign 1 1)");
    assert_eq!(names["scores"], serde_json::json!({"0": "0", "50": "50", "100": "100"}));
    let signed = serde_json::json!({
        "fact": "(signed 1 1 crosses)", "variable": "signed", "keys": ["1_1"],
        "value": "crosses", "equal": true,
    });
    let turn = serde_json::json!(
        {"fact": "(turn noughts)", "variable": "turn", "value": "noughts", "equal": true}
    );
    let facts = names["facts"].as_array().unwrap();
    assert!(facts.contains(&signed) && facts.contains(&turn), "{facts:?}");
    let turns = names["turns"].as_object().unwrap();
    // Both turns begin at one node.
    let crosses = serde_json::json!({"crosses": "ply", "noughts": {"move": "wait"}});
    let noughts = serde_json::json!({"crosses": {"move": "wait"}, "noughts": "ply"});
    let of_each = serde_json::json!([crosses, noughts]);
    assert!(turns.values().eq([&of_each]), "{turns:?}");
    // All names are in the automaton.
    let words: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    for name in facts.iter().map(|fact| fact["variable"].as_str().unwrap()) {
        assert!(words.contains(&name), "{name}");
    }
    for name in turns.keys() {
        assert!(words.contains(&&**name), "{name}");
    }
}

/// A program that is without findings, laid out, and played as the rulesheet is.
#[test]
fn to_hrg() {
    for (game, depth) in [("tictactoe", "5"), ("breakthrough", "3"), ("knights_tour", "6")] {
        let text = is_well_written(&["to-hrg", game]);
        let program = file(&format!("{game}.hrg"), b"replaced");
        assert_eq!(done(&["to-hrg", game, "-o", &program]), "");
        assert_eq!(std::fs::read_to_string(&program).unwrap(), text);
        assert_eq!(done(&["hrg", "check", &program]), format!("{program}: 0 errors, 0 warnings\n"));
        let counts = |of: &str| json(&output(&["perft", of, depth, "--json"]))["counts"].clone();
        assert_eq!(counts(&program), counts(game), "{text}");
    }
    let text = done(&["to-hrg", "breakthrough"]);
    for part in [
        "domain Xy = S(X, Y) where X in 1..8, Y in 1..8\n",
        "ahead_of(white, S(X, Y)) = if S(X, Y + 1) in XyOrNone then S(X, Y + 1) else none\n",
        "target(white, S(_, 8)) = 1\n",
        "graph rules() {\n    loop {\n        take_turn()\n    }\n}\n",
        "// (<= (legal ?player (step",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let output = output(&["to-hrg", "tictactoe", "--explain"]);
    assert!(stderr(&output).starts_with("from the rules\n"), "{}", stderr(&output));
    let percepts = is_well_written(&["to-hrg", "kuhn_poker"]);
    assert!(percepts.contains("$ sees_dealt") && percepts.contains("visible[ann] = 1"));
    let fire = file("no_program.kif", FIRE);
    let said = refused(&["to-hrg", &fire], b"");
    let why = format!("`no_program` cannot be written as a program: {ASKS_TWICE}");
    assert!(said.contains(&why), "{said}");
}

#[test]
fn to_rg_from_rules_or_from_the_net() {
    let output = output(&["to-rg", "breakthrough", "--explain"]);
    assert_eq!(status(&output), 0);
    let (text, said) = (stdout(&output), stderr(&output));
    assert!(said.starts_with("from the rules\n"), "{said}");
    assert!(said.contains("legal white step") && said.contains("chooses xy, wz"), "{said}");
    // Of the size of what people write: that of the public HRG game has 107 edges.
    let edges = text.lines().filter(|line| line.contains(", ") && line.contains(": "));
    let edges =
        edges.filter(|line| !["type", "const", "//", " "].iter().any(|w| line.starts_with(w)));
    assert!(edges.count() < 120, "{text}");
    let net = done(&["to-rg", "breakthrough", "--from", "net"]);
    assert!(net.contains("$ step_1_2_1_3;\n") && net.len() > 5 * text.len(), "{}", net.len());
    let small = done(&["to-rg", "breakthrough", "--optimise"]);
    assert!(small.len() < text.len() && !small.contains("//"), "{small}");
    // A relation that depends on itself, and is asked for twice, is written from the net.
    let fire = file("of_the_net.kif", FIRE);
    let output = self::output(&["to-rg", &fire, "--explain"]);
    let said = stderr(&output);
    let why = format!("from the net, since the rules cannot be written: {ASKS_TWICE}");
    assert!(said.starts_with(&why), "{said}");
    let said = refused(&["to-rg", &fire, "--from", "rules"], b"");
    assert!(said.contains(&format!("cannot be written from its rules: {ASKS_TWICE}")), "{said}");
}

/// Three cells in a ring, each of which burns if the two before it do.
const FIRE: &[u8] = b"(role p) (succ 1 2) (succ 2 3) (succ 3 1) (init (hot 1)) (init (hot 2))
    (<= (legal p (mend ?x)) (true (hot ?x)))
    (<= (burns ?x) (true (hot ?x)) (not (does p (mend ?x))))
    (<= (burns ?z) (burns ?x) (burns ?y) (succ ?x ?y) (succ ?y ?z))
    (<= (next (hot ?x)) (burns ?x)) (<= terminal (not (true (hot 1)))) (goal p 100)";
const ASKS_TWICE: &str = "a rule that asks twice for what it is about";

/// An automaton, a program or a rulesheet that this program wrote: it gives no warnings and is laid
/// out.
#[track_caller]
fn is_well_written(arguments: &[&str]) -> String {
    let text = done(arguments);
    let laid_out = match gdlr::rg::is_automaton(&text) {
        true => {
            let description = gdlr::rg::read(&text).expect("an automaton");
            let diagnostics = gdlr::rg::validate(&description);
            assert!(diagnostics.is_empty(), "{arguments:?}: {}\n{text}", diagnostics[0]);
            gdlr::rg::format(&text).expect("an automaton")
        }
        false if gdlr::hrg::is_hrg(&text) => {
            let game = gdlr::hrg::read(&text).expect("a program");
            assert_eq!(gdlr::hrg::check(&game), [], "{arguments:?}: {text}");
            gdlr::hrg::format(&text).expect("a program")
        }
        false => {
            let document = gdlr::kif::read(&text).expect("a rulesheet");
            gdlr::kif::format(&text, &document)
        }
    };
    assert_eq!(text, laid_out, "{arguments:?}");
    text
}

#[test]
fn all_that_is_written_is_well_written() {
    let games = ["tictactoe", "rock_paper_scissors", "nim", "monty_hall", "eight_puzzle"];
    for game in games {
        is_well_written(&["ground", game]);
        is_well_written(&["fmt", "--obfuscate", "3", game]);
        for options in [
            &[][..],
            &["--optimise"],
            &["--pragmas"],
            &["--joint", "--optimise"],
            &["--from", "net"],
        ] {
            is_well_written(&[&["to-rg", game], options].concat());
        }
    }
    is_well_written(&["to-rg", "connect4", "--optimise"]);
    let automaton =
        file("well_written.rg", done(&["hrg", "to-rg", "hrg/tictactoe.hrg"]).as_bytes());
    let games = std::fs::read_dir("hrg").expect("the games").map(|game| game.unwrap().path());
    for game in games.filter(|game| game.extension().is_some_and(|kind| kind == "hrg")) {
        is_well_written(&["hrg", "to-rg", game.to_str().unwrap()]);
    }
    is_well_written(&["rg", "optimise", &automaton]);
    is_well_written(&["rg", "pragmas", &automaton, "-o", "-"]);
    is_well_written(&["rg", "to-kif", &automaton]);
}

/// Where the rules cannot be written, the net is, and a line says so.
#[test]
fn to_rg_says_when_it_takes_the_net() {
    let fire = file("says_so.kif", FIRE);
    let output = output(&["to-rg", &fire]);
    assert_eq!(status(&output), 0);
    let said = stderr(&output);
    assert_eq!(said, format!("from the net, since the rules cannot be written: {ASKS_TWICE}\n"));
    assert_eq!(stderr(&self::output(&["to-rg", &fire, "--from", "net"])), "");
}

#[test]
fn to_rg_writes_all_or_nothing() {
    let (automaton, names) = (file("kept.rg", b"kept"), file("kept.json", b"kept"));
    let files = ["-o", &automaton, "--names", &names];
    let arguments = [&["to-rg", "reversi", "--set-up-time", "0"], &files[..]].concat();
    assert_eq!(status(&output(&arguments)), 3);
    for file in [&automaton, &names] {
        assert_eq!(std::fs::read_to_string(file).unwrap(), "kept");
    }
    let same = ["to-rg", "tictactoe", "-o", &automaton, "--names", &automaton];
    assert!(refused(&same, b"").contains("are the same file"));
    assert_eq!(std::fs::read_to_string(&automaton).unwrap(), "kept");
    for option in ["-o", "--names"] {
        let said = refused(&["to-rg", "tictactoe", option, "missing/file"], b"");
        assert!(said.starts_with("error: cannot write `missing/file`: "), "{said}");
    }
}

#[test]
fn facts_that_never_change_have_no_variable() {
    let game = "(role a) (init (on)) (init (lamp)) (legal a go) (<= (next (on)) (true (on)))
                (<= terminal (not (true (lamp)))) (goal a 1)";
    let names = file("constant.json", b"");
    let output = output_with(&["to-rg", "-", "--names", &names], game.as_bytes());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let names = std::fs::read_to_string(&names).unwrap();
    let names: Value = serde_json::from_str(&names).expect("JSON");
    let on = serde_json::json!({"fact": "(on)", "always": true});
    assert!(names["facts"].as_array().unwrap().contains(&on), "{names}");
}

#[test]
fn propnet() {
    let text = done(&["propnet", "tictactoe"]);
    assert!(text.starts_with("after ") && text.contains("\nconstants "), "{text}");
    let value = json(&output(&["propnet", "tictactoe", "--json"]));
    let stages = value["stages"].as_array().unwrap();
    assert_eq!(stages.len() + 1, text.lines().count());
    assert_eq!(stages[0]["after"], "grounding");
    let gates = |stage: &Value| stage["gates"].as_u64().unwrap();
    assert!(gates(&stages[0]) > gates(stages.last().unwrap()));
    assert!(done(&["propnet", "tictactoe", "--dot"]).starts_with("digraph"));
    let dumped = |pass| done(&["propnet", "tictactoe", "--dump-after", pass]);
    let (first, last) = (dumped("grounding"), dumped("polarity"));
    assert!(first.starts_with("latch (") && last.starts_with("latch ("), "{last}");
    assert_ne!(first, last);
    let said = refused(&["propnet", "tictactoe", "--dump-after", "luck"], b"");
    assert!(said.contains("grounding, constants, "), "{said}");
    let net = &json(&output(&["info", "tictactoe", "--json"]))["propnet"];
    assert_eq!(net["passes"].as_array().unwrap().len(), stages.len());
}
