//! Automata, played by the commands that play.

use super::*;

/// Whoever takes the last stick wins.
const NIM: &str = "\
type Player = { a, B };
type Score = { 0, 100 };
type Pile = { 0, 1, 2, 3, 4, 5 };
const less: Pile -> Pile = { 5: 4, 4: 3, 3: 2, 2: 1, :0 };
const other: Player -> Player = { a: B, :a };
var pile: Pile = 5;
var me: Player = B;

begin, turn: me = other[me];
turn, take: player = me;
take, one: pile != 0;
one, one2: $ one;
one2, taken: pile = less[pile];
take, two: pile != 0;
two, two2: pile != 1;
two2, two3: $ take;
two3, two4: $ two;
two4, taken: pile = less[less[pile]];
taken, done: player = keeper;
done, begin: pile != 0;
done, won: pile == 0;
won, over: goals[me] = 100;
over, end: player = keeper;
";

/// Each says a number, which the other does not hear; who has said more wins.
const SECRET: &str = "\
type Player = { left, right };
type Score = { 0, 100 };
type Number = { 1, 2 };
var at: Number = 1;
var said: Number = 1;
var visible: Visibility = { :0 };
begin, first: player = left;
first, f1: said = Number(*);
f1, f2: $$ said;
f2, second: player = right;
second, s1: at = Number(*);
s1, s2: $$ at;
s2, judged: player = keeper;
judged, l1: said != at;
l1, l2: goals[left] = 100;
l2, end: player = keeper;
judged, r1: said == at;
r1, r2: goals[right] = 100;
r2, end: player = keeper;
";

pub(super) fn nim() -> String {
    file("nim_automaton.rg", NIM.as_bytes())
}

#[test]
fn a_game_in_the_terminal() {
    let both = ["play", &nim(), "--human", "a", "--human", "b"];
    // By number, as it is listed, and in any case.
    let output = output_with(&both, b"1\nundo\nTAKE two\n2\none\n");
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    insta::assert_snapshot!("automaton_play", stdout(&output));
    for player in ["random", "mc", "uct", "alphabeta"] {
        let alone = ["play", &nim(), "--human", "none", "--player", player, "--think", "0.05"];
        assert!(done(&alone).contains("\nThe game is over.\n  a: "), "{player}");
    }
    let said = refused(&["play", "-"], NIM.as_bytes());
    assert!(said.contains("would come from standard input"), "{said}");
}

#[test]
fn positions_are_saved_and_loaded() {
    let saved = file("nim_automaton.position", b"");
    let both = ["play", &nim(), "--human", "a", "--human", "b"];
    let save = format!("1\nsave {saved}\nquit\n");
    assert_eq!(status(&output_with(&both, save.as_bytes())), 0);
    let text = std::fs::read_to_string(&saved).expect("a position");
    assert!(text.contains("(pile 4)\n"), "{text}");
    // 4 sticks, and it is B's turn: all but the last move are told by the file.
    let load = format!("load {saved}\n2\n2\n");
    let output = output_with(&both, load.as_bytes());
    assert!(stdout(&output).ends_with("The game is over.\n  a: 100\n  B: 0\n"));
    let wrong = file("nim_automaton.wrong", b"(pile 9) (me a)");
    let output = output_with(&both, format!("load {wrong}\nquit\n").as_bytes());
    assert!(stderr(&output).contains("error[P001]"), "{}", stderr(&output));
}

#[test]
fn hidden_tags_are_not_shown() {
    let game = file("secret_automaton.rg", SECRET.as_bytes());
    let output = output_with(&["play", &game, "--human", "right", "--player", "mc"], b"2\n");
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("You are shown what right plays and sees"), "{text}");
    assert!(text.contains("  1.  right: noop; sees nothing\n"), "{text}");
    assert!(text.contains("  2.  right: 2; sees nothing\n"), "{text}");
    let value = json(&super::output(&["information-sets", &game, "2", "--json"]));
    assert_eq!(value["depths"][1]["roles"]["right"]["sets"], 1);
    assert_eq!(value["depths"][1]["roles"]["left"]["sets"], 2);
}

#[test]
fn random_playouts() {
    let run = |threads: &str| {
        let run = ["play", &nim(), "--flatmc", "--playouts", "400", "--threads", threads, "--json"];
        let output = output(&[&run[..], &["--engine", "rg"]].concat());
        assert_eq!((status(&output), stderr(&output)), (0, ""));
        json(&output)
    };
    let (one, two) = (run("1"), run("2"));
    assert_eq!((&one["engine"], &one["game"]), (&"rg".into(), &"nim_automaton".into()));
    assert_eq!((&one["playouts"], &two["playouts"]), (&400.into(), &400.into()));
    assert_eq!(one["roles"][1]["role"], "B");
    assert_eq!(two["threads"], 2);
    // The interpreter by itself plays as many moves, but for chance.
    let alone = json(&output(&["rg", "run", &nim(), "--plays", "400", "--json"]));
    assert_eq!(alone["moves"], one["states"]);
    assert_eq!(alone["players"][0]["goals"], one["roles"][0]["goals"]);
    // The automatic choice is the net in lanes, or the interpreter where there is none.
    let text = done(&["play", &nim(), "--flatmc", "--playouts", "10"]);
    assert!(text.starts_with("nim_automaton: engine batch, 1 thread, seed 1\n"), "{text}");
    let secret = file("secret_automaton.rg", SECRET.as_bytes());
    let output = output(&["play", &secret, "--flatmc", "--playouts", "10"]);
    assert!(stdout(&output).starts_with("secret_automaton: engine rg, 1 thread"), "{output:?}");
    assert!(stderr(&output).contains("playing with engine rg: there is no net"), "{output:?}");
}

/// The net of an automaton, and the rules that it is as.
#[test]
fn an_automaton_has_a_net_and_rules() {
    let counts = serde_json::json!([1, 2, 4, 7, 5, 1]);
    let perft = |game: &str, engine: &str| {
        let output = output(&["perft", game, "5", "--engine", engine, "--json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert_eq!(json(&output)["counts"], counts);
    };
    perft(&nim(), "propnet");
    let rules = file("nim_of_automaton.kif", b"");
    assert_eq!(done(&["rg", "to-kif", &nim(), "-o", &rules]), "");
    for engine in ["tree", "propnet", "rg"] {
        perft(&rules, engine);
    }
    let text = done(&["check", &rules]);
    // A fact that no rule reads belongs to the state all the same.
    assert!(text.contains("0 errors, 1 warning,") && text.contains("20 playouts"), "{text}");
    let text = done(&["crosscheck", &nim(), "--playouts", "5"]);
    let engines = "nim_automaton, nim_automaton optimised and nim_automaton propnet agree";
    assert!(text.contains(engines), "{text}");
    let text = done(&["crosscheck", &nim(), "--engines", "rg,propnet", "--playouts", "5"]);
    assert!(text.contains("nim_automaton rg and nim_automaton propnet agree"), "{text}");
    let with = ["crosscheck", &nim(), "--engines", "rg,propnet", "--with", &nim()];
    assert!(refused(&with, b"").contains("--with compares automata"));
    let value = json(&output(&["propnet", &nim(), "--json"]));
    assert_eq!(value["stages"][0]["after"], "grounding");
    assert_eq!(value["ground_rules"], serde_json::Value::Null);
    let secret = file("secret_automaton.rg", SECRET.as_bytes());
    for command in [&["rg", "to-kif", &secret][..], &["propnet", &secret]] {
        let said = refused(command, b"");
        assert!(said.contains("no net of a game that hides tags"), "{said}");
    }
}

#[test]
fn perft_by_content_whatever_the_name_is() {
    let game = file("nim_automaton.txt", NIM.as_bytes());
    let counts = serde_json::json!([1, 2, 4, 7, 5, 1]);
    for (engine, output) in [
        ("native", output(&["perft", &game, "5", "--json"])),
        ("native", output_with(&["perft", "-", "5", "--json"], NIM.as_bytes())),
        ("rg", output(&["rg", "perft", &game, "5", "--json"])),
    ] {
        let value = json(&output);
        assert_eq!((&value["counts"], &value["engine"]), (&counts, &engine.into()));
    }
    let interpreted = json(&output(&["perft", &game, "5", "--json", "--engine", "rg"]));
    assert_eq!((&interpreted["counts"], &interpreted["engine"]), (&counts, &"rg".into()));
    // Whom tags are hidden from only the interpreter knows.
    let secret = file("secret_perft.rg", SECRET.as_bytes());
    assert_eq!(json(&output(&["perft", &secret, "1", "--json"]))["engine"], "rg");
    let said = refused(&["perft", &secret, "1", "--engine", "native"], b"");
    assert!(said.contains("take --engine rg"), "{said}");
    let text = done(&["perft", &game, "5"]);
    assert!(text.contains("\n5              1         1\n"), "{text}");
}

#[test]
fn rules_are_not_there() {
    let game = nim();
    let said = refused(&["perft", &game, "2", "--engine", "tree"], b"");
    assert!(said.contains("the engine tree needs rules in GDL"), "{said}");
    assert!(said.contains("gdlr rg to-kif"), "{said}");
    for command in [
        &["check", &game][..],
        &["fmt", &game],
        &["tree", &game],
        &["ground", &game],
        &["to-rg", &game],
        &["explain", &game, "(pile 5)"],
    ] {
        let said = refused(command, b"");
        assert!(said.contains("is an automaton, and this command takes rules in GDL"), "{said}");
    }
    let said = refused(&["draw", &game, "--graph", "net"], b"");
    assert!(said.contains("there is only --graph automaton"), "{said}");
    assert!(done(&["draw", &game, "--graph", "automaton"]).contains("<svg"));
}

#[test]
fn what_it_is_made_of() {
    let text = done(&["info", &nim()]);
    for line in ["roles ", "rg: edges ", "rg: bytes of a state ", "rg: set-up "] {
        assert!(text.contains(&format!("\n{line}")), "{text}");
    }
    let value = json(&output(&["info", &nim(), "--json"]));
    assert_eq!((&value["rg"]["edges"], &value["rg"]["nodes"]), (&15.into(), &14.into()));
    assert_eq!(value["roles"], serde_json::json!(["a", "B"]));
    // `(take two)`, `one` and noop of each.
    assert_eq!((&value["net"]["inputs"], text.contains("\nnet: inputs ")), (&6.into(), true));
    let secret = file("secret_automaton.rg", SECRET.as_bytes());
    let reason = "there is no net of a game that hides tags from players";
    assert!(done(&["info", &secret]).contains(reason));
    assert_eq!(json(&output(&["info", &secret, "--json"]))["net"]["reason"], reason);
}

#[test]
fn states_are_drawn() {
    let svg = done(&["draw", &nim(), "--after", "one (noop (take two))"]);
    assert!(svg.contains("(pile 2)"), "{svg}");
    let said = refused(&["draw", &nim(), "--after", "three"], b"");
    assert!(said.contains("error[P003]"), "{said}");
}

#[test]
fn positions_are_asked() {
    let positions = "(position five (moves) (good (take two)))
        (position four (facts (pile 4) (me B) (player B) (node take)) (good one))";
    let positions = file("nim_automaton.positions", positions.as_bytes());
    let text = done(&["positions", &nim(), &positions, "--think", "0.2"]);
    assert!(text.contains("\nsolved 2 of 2 "), "{text}");
}

#[cfg(feature = "ggp")]
#[test]
fn a_match_and_its_record() {
    let record = file("nim_automaton.json", b"");
    let (game, clock) = (nim(), ["--start-clock", "5", "--play-clock", "0.2"]);
    let players = ["--player", "a=uct", "--player", "b=mc"];
    let begin = [&["match", &game][..], &players, &clock].concat();
    let text = done(&[&begin[..], &["--record", &record]].concat());
    // Two from five, and the other one has lost.
    assert!(text.contains("\na      100  uct "), "{text}");
    let text = done(&["verify", &game, &record]);
    assert!(text.starts_with("nim_automaton: agrees in 1 playout"), "{text}");
    assert!(done(&["draw", &game, "--record", &record]).contains("@keyframes"));
    let other = file("nim_other.rg", NIM.replace("goals[me]", "goals[other[me]]").as_bytes());
    let output = output(&["verify", &other, &record]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));

    let elsewhere = ["match", &game, "--player", "a=http://127.0.0.1:9"];
    let said = refused(&elsewhere, b"");
    assert!(said.contains("a player elsewhere is sent the rules in GDL"), "{said}");
    let series = format!(
        "games = [{game:?}]\nplay-clock = 0.1\nrounds = 1\n[[player]]\nkind = \"mc\"\n\
         [[player]]\nkind = \"random\"\n"
    );
    let path = file("nim_automaton.toml", series.as_bytes());
    let value = json(&super::output(&["match", "--series", &path, "--json"]));
    assert_eq!(value["scheduled"], value["matches"].as_array().expect("matches").len());
    let elsewhere = series.replace("\"mc\"", "\"http://127.0.0.1:9\"");
    let elsewhere = elsewhere.replace("play-clock = 0.1\n", "");
    let path = file("nim_elsewhere.toml", elsewhere.as_bytes());
    let said = refused(&["match", "--series", &path], b"");
    assert!(said.contains("sent the rules in GDL"), "{said}");
}

#[test]
fn automata_are_compared() {
    let game = nim();
    let same = NIM.replace("turn, take:", "turn, here: ; here, take:");
    let same = file("nim_same.rg", same.as_bytes());
    let text = done(&["crosscheck", &game, "--with", &same, "--playouts", "3"]);
    assert!(text.starts_with("nim_automaton: nim_automaton and nim_same agree\n"), "{text}");
    let other = file("nim_more.rg", NIM.replace("pile != 1", "pile != 0").as_bytes());
    let output = output(&["crosscheck", &game, "--with", &other, "--playouts", "3"]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert!(stdout(&output).contains("nim_more adds (take two)"), "{}", stdout(&output));
    assert!(stdout(&output).contains("no shorter play differs"), "{}", stdout(&output));
    let value = json(&super::output(&["crosscheck", &game, "--with", &other, "--json"]));
    assert_eq!(
        (&value["agrees"], &value["engines"][1]["engine"]),
        (&false.into(), &"nim_more".into())
    );

    let text = done(&["crosscheck", &game, "--playouts", "3"]);
    assert!(
        text.contains("nim_automaton, nim_automaton optimised and nim_automaton propnet agree\n"),
        "{text}"
    );
    let said = refused(&["crosscheck", &game, "--with", TICTACTOE], b"");
    assert!(said.contains("is no automaton"), "{said}");
    let said = refused(&["crosscheck", TICTACTOE, "--with", &game], b"");
    assert!(said.contains("--with compares automata"), "{said}");
    let said = refused(&["crosscheck", &game, "--engines", "tree,rg"], b"");
    assert!(said.contains("the engine tree needs rules"), "{said}");
    let secret = file("secret_other.rg", SECRET.as_bytes());
    let said = refused(&["crosscheck", &game, "--with", &secret], b"");
    assert!(said.contains("is of another game: its roles are left, right, not a, B"), "{said}");
}

#[test]
fn defects_are_told_with_their_place() {
    // Two ways of the keeper.
    let game = NIM.replace("won, over:", "won, over: player = keeper; won, over:");
    let output = output_with(&["play", "-", "--flatmc", "--playouts", "100"], game.as_bytes());
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert!(stderr(&output).starts_with("error[R301]: walks without tags"), "{}", stderr(&output));
    assert!(stderr(&output).contains("<stdin>:20:1"), "{}", stderr(&output));
    let output = output_with(&["perft", "-", "9"], game.as_bytes());
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    // A player without a move.
    let game = NIM.replace("take, one: pile != 0;", "take, one: pile == 5;");
    let output = output_with(&["play", "-", "--flatmc", "--playouts", "100"], game.as_bytes());
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("has no legal move"), "{}", stderr(&output));
    // Texts that are no automaton after all.
    let said = refused(&["perft", "-", "9"], NIM.replace("begin, turn", "begin turn").as_bytes());
    assert!(said.starts_with("error[R001]"), "{said}");
    let said = refused(&["perft", "-", "9"], NIM.replace("goals[me]", "goals[you]").as_bytes());
    assert!(said.starts_with("error[R1"), "{said}");
}

/// From facts, after moves and divided, as of rules.
#[test]
fn perft_of_a_state() {
    let game = nim();
    let facts = file("nim_facts.kif", b"(node take) (player B) (me B) (pile 4)");
    let counts = |moment: &[&str]| {
        json(&output(&[&["perft", &game, "3", "--json"], moment].concat()))["counts"].clone()
    };
    let given = counts(&["--facts", &facts]);
    assert_eq!(given, serde_json::json!([1, 2, 4, 4]));
    assert_eq!(counts(&["--after", "one"]), given);
    assert_eq!(
        counts(&["--facts", &facts, "--after", "(take two)"]),
        serde_json::json!([1, 2, 1, 0])
    );
    let divided = done(&["perft", &game, "2", "--divide"]);
    assert_eq!(divided, "(take two): 2\none: 2\n\nNodes searched: 4\n");
    let divided = done(&["perft", "hrg/tictactoe.hrg", "2", "--divide"]);
    assert!(divided.ends_with(": 8\n\nNodes searched: 72\n"), "{divided}");
    let said = refused(&["perft", &game, "2", "--after", "(take one)"], b"");
    assert!(said.contains("no legal joint move"), "{said}");
    let few = file("nim_few_facts.kif", b"(node take) (pile 4)");
    refused(&["perft", &game, "2", "--facts", &few], b"");
}
