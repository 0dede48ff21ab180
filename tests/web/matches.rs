//! Matches: moves, players, undo, records, hidden games, events.

use crate::serving::{Serving, legal, options, string};
use gdlr::gdl::Game;
use gdlr::play::trace::Trace;
use gdlr::play::verify::{VerifyOptions, verify};
use gdlr::search::PlayerKind;
use gdlr::tree::{Tree, TreeOptions};
use gdlr::web::Options;
use serde_json::{Value, json};

const TICTACTOE: &str = include_str!("../../kif/tictactoe.kif");

/// Crosses win by the first row.
const WIN: [(&str, &str); 5] = [
    ("crosses", "(sign 1 1)"),
    ("noughts", "(sign 2 1)"),
    ("crosses", "(sign 1 2)"),
    ("noughts", "sign 2 2"),
    ("crosses", "( SIGN 1 3 )"),
];

#[test]
fn a_match_of_two_from_outside_is_played_to_its_end() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "tictactoe" }));
    let begun = played.status();
    assert_eq!((&begun["step"], &begun["waiting"]), (&json!(0), &json!(["crosses"])));
    assert_eq!(begun["roles"][1], json!({ "name": "noughts", "player": "human" }));
    played.follow(&WIN);
    let over = played.status();
    assert_eq!(over["goals"], json!({ "crosses": 100, "noughts": 0 }));
    assert_eq!((&over["terminal"], &over["waiting"]), (&json!(true), &json!([])));
    assert_eq!(over["moves"][3], json!(["wait", "(sign 2 2)"]));
    let (status, refused) = played.play("noughts", "(sign 3 3)");
    assert_eq!((status, &refused["error"]["code"]), (409, &json!("turn")));

    // Every state of it, as it was and as it is seen.
    let (status, state) = played.state("1");
    assert_eq!((status, &state["joint"]), (200, &json!(["(sign 1 1)", "wait"])));
    assert_eq!(state["facts"], json!(["(signed 1 1 crosses)", "(turn noughts)"]));
    assert_eq!(state["beside"], json!(["(turn noughts)"]));
    assert_eq!(legal(&state, "noughts").len(), 8);
    assert_eq!(legal(&state, "crosses"), ["wait"]);
    let squares = state["picture"]["squares"].as_array().expect("squares");
    let changed: Vec<&Value> = squares.iter().filter(|of| of["changed"] == true).collect();
    assert_eq!((squares.len(), changed.len()), (9, 1));
    assert_eq!(changed[0]["facts"], json!(["(signed 1 1 crosses)"]));
    assert!(string(&state["picture"]["svg"]).starts_with("<svg"));
    // A move names the square on which it stands afterwards.
    let one = &state["legal"]["noughts"][0];
    let named_by = |of: &Value| {
        let place = of["squares"][0].as_u64().expect("a place");
        state["targets"][place as usize].clone()
    };
    let (_, after) = played.state("2");
    let after = after["picture"]["squares"].as_array().expect("squares").clone();
    let there = after.iter().find(|of| of["changed"] == true).expect("a square");
    let named = state["legal"]["noughts"].as_array().expect("moves").iter();
    for target in named.filter(|of| of["move"] == "(sign 2 1)").chain([one]).map(named_by) {
        assert!(target["row"].is_u64() && target["column"].is_u64(), "{target}");
    }
    let played_there = state["legal"]["noughts"].as_array().expect("moves").iter();
    let mut played_there = played_there.filter(|of| {
        let target = named_by(of);
        (&target["row"], &target["column"]) == (&there["row"], &there["column"])
    });
    assert_eq!(played_there.next().expect("a move")["move"], "(sign 2 1)");

    let (status, none) = played.state("6");
    assert_eq!((status, &none["error"]["code"]), (404, &json!("unknown")));
    let (_, without) = played.state("1?picture=no");
    assert!(without.get("picture").is_none());
}

#[test]
fn a_move_has_the_same_id_wherever_it_is_legal() {
    let serving = Serving::plain();
    let id_of = |state: &Value, text: &str| {
        let moves = state["legal"]["crosses"].as_array().expect("moves").clone();
        string(&moves.iter().find(|of| of["move"] == text).expect("a legal move")["id"])
    };
    let first = serving.open(&json!({ "game": "tictactoe" }));
    let id = id_of(&first.state("0").1, "(sign 3 3)");
    let other = serving.open(&json!({ "game": serving.load(TICTACTOE) }));
    other.follow(&WIN[..2]);
    assert_eq!(id_of(&other.state("now").1, "(sign 3 3)"), id);
    let step = json!({ "role": "crosses", "id": id, "step": 2 });
    let (status, stands) = other.ask("moves", &step);
    assert_eq!(status, 200, "{stands}");
    other.wait(|status| status["step"] == 3);
    // The same answer, late.
    let (status, late) = other.ask("moves", &step);
    assert_eq!((status, &late["error"]["code"]), (409, &json!("turn")));
    let (status, _) = other.ask("moves", &json!({ "role": "noughts", "id": id }));
    assert_eq!(status, 422);
}

#[test]
fn who_chooses_at_the_same_time_waits_for_the_others() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "rock_paper_scissors" }));
    let status = played.status();
    let roles: Vec<String> =
        status["waiting"].as_array().expect("roles").iter().map(string).collect();
    assert_eq!(roles.len(), 2);
    let state = played.state("now").1;
    let moves = [legal(&state, &roles[0]), legal(&state, &roles[1])];
    let (code, stands) = played.play(&roles[0], &moves[0][0]);
    assert_eq!(code, 200);
    assert_eq!((&stands["step"], &stands["chosen"]), (&json!(0), &json!([roles[0]])));
    assert_eq!(stands["waiting"], json!([roles[1]]));
    let (code, again) = played.play(&roles[0], &moves[0][1]);
    assert_eq!((code, &again["error"]["code"]), (409, &json!("turn")));
    played.follow(&[(&roles[1], &moves[1][1])]);
    assert_eq!(played.status()["moves"][0], json!([moves[0][0], moves[1][1]]));
}

#[test]
fn a_move_that_makes_the_step_is_told_once() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "connect4" }));
    let events = played.events();
    let (_, state) = played.state("now");
    // A column is one target for all of its squares.
    assert_eq!(state["targets"].as_array().expect("targets").len(), 7);
    played.play("red", &legal(&state, "red")[0]);
    let before = events.map(|(_, stands)| stands).take_while(|stands| stands["step"] == 0);
    for stands in before {
        assert_eq!(stands["chosen"], json!([]));
    }
}

#[test]
fn a_player_answers_and_says_what_it_expects() {
    for player in ["uct", "alphabeta", NET] {
        answers_and_says_what_it_expects(player);
    }
}

/// A value net of tic-tac-toe.
const NET: &str = concat!("net:", env!("CARGO_MANIFEST_DIR"), "/tests/nets/tictactoe.onnx");

fn with_net() -> Serving {
    let nets = vec![PlayerKind::open(NET, "".as_ref()).expect("a value net")];
    Serving::new(Options { nets, ..options() })
}

#[test]
fn a_value_net_is_offered_in_its_game() {
    let serving = with_net();
    let played = serving.open(&json!({ "game": "tictactoe" }));
    assert_eq!(played.status()["nets"], json!([NET]));
    let (status, stands) = played.ask("players", &json!({ "players": { "crosses": NET } }));
    assert_eq!((status, &stands["roles"][0]["player"]), (200, &json!(NET)));
    let other = serving.open(&json!({ "game": "connect4" }));
    assert_eq!(other.status()["nets"], json!([]));
    for (played, role, player) in [(&other, "red", NET), (&played, "crosses", "net:/etc/passwd")] {
        let (status, refused) = played.ask("players", &json!({ "players": { role: player } }));
        assert_eq!((status, &refused["error"]["code"]), (400, &json!("request")));
        let said = string(&refused["error"]["message"]);
        assert!(said.starts_with(&format!("`{player}` is none of human, uct, ")), "{said}");
        assert_eq!(said.ends_with(NET), role == "crosses", "{said}");
    }
    let wanted = json!({ "game": "connect4", "players": { "red": 7 } });
    let (status, refused) = serving.post("/api/matches", &wanted);
    assert_eq!((status, &refused["error"]["message"]), (400, &json!("`7` is no name of a player")));
}

fn answers_and_says_what_it_expects(player: &str) {
    let serving = with_net();
    let players = json!({ "noughts": player });
    let wanted = json!({ "game": "tictactoe", "players": players, "think": 0.6 });
    let played = serving.open(&wanted);
    let events = played.events();
    played.play("crosses", "(sign 1 1)");
    let (mut thoughts, mut thinking) = (0, false);
    for (name, data) in events {
        match &*name {
            "match" if data["step"] == 2 => break,
            "match" => thinking |= data["thinking"] == "noughts",
            "thought" => {
                thoughts += 1;
                assert_eq!((&data["role"], &data["hint"]), (&json!("noughts"), &json!(false)));
                assert_eq!(data["step"], 1);
                let estimates = data["estimates"].as_array().expect("a list");
                assert_eq!(estimates.len(), 8);
                assert!(estimates.iter().any(|of| of["visits"].as_u64() > Some(0)));
            }
            other => panic!("an event {other}"),
        }
    }
    assert!(thinking && thoughts > 0);
    let stands = played.status();
    assert_eq!(stands["waiting"], json!(["crosses"]));
    let answer = string(&stands["moves"][1][1]);
    assert!(answer.starts_with("(sign "), "{answer}");
    let (status, refused) = played.play("noughts", "(sign 3 3)");
    assert_eq!((status, &refused["error"]["code"]), (409, &json!("turn")));
    // Back to where somebody outside had a choice: before both moves.
    let (_, back) = played.ask("undo", &json!({}));
    assert_eq!((&back["step"], &back["waiting"]), (&json!(0), &json!(["crosses"])));
    let (status, none) = played.ask("undo", &json!({}));
    assert_eq!((status, &none["error"]["code"]), (409, &json!("turn")));
}

#[test]
fn what_is_thought_is_secret_until_those_outside_have_chosen() {
    let serving = Serving::plain();
    let players = json!({ "right": "uct" });
    let played =
        serving.open(&json!({ "game": "rock_paper_scissors", "players": players, "think": 0.4 }));
    let (mut thought, mut thinks, mut has_moved) = (false, false, false);
    for (name, data) in played.events() {
        match &*name {
            "match" if has_moved && data["step"] == 1 => break,
            "match" if data["thinking"] == "right" => thinks = true,
            // It has thought to the end, and waits.
            "match" if thinks && !has_moved => {
                assert!(!thought, "told before the move that it is about");
                assert_eq!(data["waiting"], json!(["left"]));
                // Who comes now is told as little.
                let (first, _) = played.events().next().expect("how the match stands");
                assert_eq!(first, "match");
                has_moved = true;
                played.play("left", "(show rock)");
            }
            "thought" => {
                assert!(has_moved, "told before the move that it is about");
                assert_eq!((&data["role"], &data["step"]), (&json!("right"), &json!(0)));
                thought = true;
            }
            _ => {}
        }
    }
    assert!(thought, "told afterwards");
}

#[test]
fn what_is_thought_is_dropped_when_the_turn_is_another() {
    let serving = Serving::plain();
    let wanted = json!({ "game": "breakthrough", "players": { "black": "uct" }, "think": 60 });
    let played = serving.open(&wanted);
    let names: Vec<String> = played.status()["roles"]
        .as_array()
        .expect("roles")
        .iter()
        .map(|role| string(&role["name"]))
        .collect();
    assert_eq!(names, ["white", "black"]);
    let state = played.state("now").1;
    played.play("white", &legal(&state, "white")[0]);
    played.wait(|status| status["thinking"] == "black");
    // Sixty seconds would be too long for this test.
    let (_, back) = played.ask("undo", &json!({ "step": 0 }));
    assert_eq!((&back["step"], &back["thinking"]), (&json!(0), &Value::Null));
    played.ask("players", &json!({ "players": { "black": "random" } }));
    played.play("white", &legal(&state, "white")[0]);
    let stands = played.wait(|status| status["step"] == 2);
    assert_eq!(stands["waiting"], json!(["white"]));
}

#[test]
fn a_hint_is_given_and_ended() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "tictactoe" }));
    played.follow(&WIN[..4]);
    let events = played.events();
    let (status, _) = played.ask("hint", &json!({ "role": "crosses", "think": 0.4 }));
    assert_eq!(status, 200);
    let mut thoughts = events.filter(|(name, _)| name == "thought").map(|(_, data)| data);
    let last = thoughts.find(|data| data["done"] == true).expect("a last thought");
    assert_eq!((&last["hint"], &last["role"]), (&json!(true), &json!("crosses")));
    let best = &last["estimates"][0];
    assert_eq!((&best["move"], &best["certain"]), (&json!("(sign 1 3)"), &json!(true)));
    assert_eq!(best["mean"], 100.0);
    assert_eq!(last["main_line"][0], json!(["(sign 1 3)", "wait"]));
    // Nothing has been played.
    assert_eq!(played.status()["step"], 4);
    let (status, refused) = played.ask("hint", &json!({ "role": "noughts", "think": 0.4 }));
    assert_eq!((status, &refused["error"]["code"]), (409, &json!("turn")));
    assert_eq!(played.ask("hint", &json!({ "role": "crosses", "think": 0 })).0, 200);
}

#[test]
fn players_play_among_themselves_unless_they_are_paused() {
    let serving = Serving::plain();
    let players = json!({ "crosses": "random", "noughts": "mc" });
    let wanted = json!({ "game": "tictactoe", "players": players, "think": 0.05 });
    let played = serving.open(&wanted);
    let (_, paused) = played.ask("players", &json!({ "paused": true }));
    assert_eq!((&paused["paused"], &paused["thinking"]), (&json!(true), &Value::Null));
    let step = paused["step"].clone();
    played.ask("undo", &json!({ "step": 0 }));
    assert_eq!(played.status()["step"], 0, "it stood at {step}");
    played.ask("players", &json!({ "paused": false }));
    let over = played.wait(|status| status["terminal"] == true);
    let goals = over["goals"].as_object().expect("goals").values();
    assert_eq!(goals.map(|goal| goal.as_u64().expect("a goal")).sum::<u64>(), 100);
    // Chance is drawn, whatever is said of it.
    let (_, dice) = serving.get("/api/games/dice_race");
    let chance = string(&dice["chance"]);
    let wanted = json!({ "game": "dice_race", "players": { chance.clone(): "human" } });
    let status = serving.open(&wanted).wait(|status| status["waiting"] != json!([]));
    assert!(status["step"].as_u64() > Some(0) || status["waiting"] != json!([chance]));
}

#[test]
fn a_record_is_verified_and_played_through_again() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "tictactoe" }));
    played.follow(&WIN[..3]);
    for moves in [&WIN[3..], &[]] {
        let (status, record) = played.record();
        assert_eq!(status, 200);
        let trace = Trace::from_json(&record.to_string()).expect("a trace");
        let game = Game::from_kif("tictactoe", TICTACTOE).expect("rules");
        let tree = Tree::new(game, &TreeOptions::default()).expect("trees");
        let verified = verify(&tree, &trace, &VerifyOptions::default(), &false.into());
        assert!(verified.is_ok(), "{verified:?}");
        let wanted = json!({ "game": "tictactoe", "record": record });
        let again = serving.open(&wanted).status();
        assert_eq!(again["moves"], played.status()["moves"]);
        played.follow(moves);
    }
    let (_, record) = played.record();
    let (status, refused) =
        serving.post("/api/matches", &json!({ "game": "connect4", "record": record }));
    assert_eq!((status, &refused["error"]["code"]), (422, &json!("record")));
    let more = json!({ "game": "tictactoe", "record": record, "playout": 1 });
    assert_eq!(serving.post("/api/matches", &more).0, 422);
    let none = json!({ "game": "tictactoe", "record": { "game": "tictactoe" } });
    assert_eq!(serving.post("/api/matches", &none).0, 422);
}

#[test]
fn a_hidden_state_is_shown_to_nobody_before_the_end() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "krieg_tictactoe" }));
    let status = played.status();
    assert_eq!((&status["hidden"], &status["omniscient"]), (&json!(true), &json!(false)));
    played.follow(&[("crosses", "(try 1 1)"), ("noughts", "(try 3 3)")]);
    assert_eq!(played.status()["moves"], Value::Null);
    for refused in [
        played.state("now"),
        played.state("0"),
        played.record(),
        played.ask("explain", &json!({ "sentence": "(legal crosses (try 1 1))" })),
        played.ask("rule", &json!({ "offset": 600 })),
    ] {
        assert_eq!((refused.0, &refused.1["error"]["code"]), (403, &json!("hidden")));
    }
    let (status, illegal) = played.play("crosses", "wait");
    assert_eq!((status, &illegal["error"]["explanation"]), (422, &Value::Null));
    let (status, seen) = played.state("now?as=crosses");
    assert_eq!((status, &seen["as"]), (200, &json!("crosses")));
    assert_eq!((&seen["joint"], seen["legal"].get("noughts")), (&Value::Null, None));
    assert_eq!(seen["seen"][0]["move"], "(try 1 1)");
    assert_eq!(seen["seen"].as_array().map(Vec::len), Some(2));
    // Crosses know their own sign, and not where the other one stands.
    let own = |state: &Value| string(&state["facts"].to_string().into()).contains("1 1");
    assert!(own(&seen), "{}", seen["facts"]);
    assert!(!seen["facts"].to_string().contains("3 3"), "{}", seen["facts"]);
    assert!(!string(&seen["picture"]["svg"]).is_empty());
    let (_, other) = played.state("now?as=noughts");
    assert!(!own(&other) && other["facts"].to_string().contains("3 3"), "{}", other["facts"]);
    // A move that was taken back was never told.
    assert_eq!(played.ask("undo", &json!({ "step": 1 })).0, 200);
    played.follow(&[("noughts", "(try 2 2)")]);
    let (_, other) = played.state("now?as=noughts");
    assert_eq!(other["seen"].as_array().map(Vec::len), Some(2));
    assert_eq!(other["seen"][1]["move"], "(try 2 2)");
    assert!(other["facts"].to_string().contains("2 2"), "{}", other["facts"]);
    assert!(!other["facts"].to_string().contains("3 3"), "{}", other["facts"]);
    // Who is to see everything has to say so at the beginning.
    let open = serving.open(&json!({ "game": "krieg_tictactoe", "omniscient": true }));
    assert_eq!(open.state("now").0, 200);
}

#[test]
fn a_match_that_is_ended_is_told_to_who_listens() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "tictactoe" }));
    let mut events = played.events();
    assert_eq!(events.next().expect("an event").0, "match");
    assert_eq!(played.end(), 200);
    assert_eq!(events.find(|(name, _)| name != "match").expect("an event").0, "ended");
    assert_eq!(events.next(), None, "the stream is over");
    assert_eq!(played.state("now").0, 404);
    assert_eq!(played.end(), 404);
}

#[test]
fn a_game_with_a_defect_stops_with_a_reason() {
    let serving = Serving::plain();
    let rules = "(role a) (init (at 1)) (<= (legal a (go ?x)) (true (at 1)) (number ?x))
        (number 1) (number 2) (<= (next (at 2)) (true (at 1)))
        (<= terminal (true (at 3))) (goal a 0)";
    let played = serving.open(&json!({ "game": serving.load(rules) }));
    played.follow(&[("a", "(go 2)")]);
    let stopped = played.wait(|status| status["stopped"] != Value::Null);
    assert!(string(&stopped["stopped"]).contains("a has no legal move"), "{stopped}");
    let (_, back) = played.ask("undo", &json!({}));
    assert_eq!((&back["stopped"], &back["waiting"]), (&Value::Null, &json!(["a"])));
}

#[test]
fn a_match_without_end_is_stopped() {
    let serving = Serving::plain();
    // Ten thousand facts in each state, and nobody has a choice.
    let digits: String = (0..10).map(|digit| format!("(digit {digit}) ")).collect();
    let rules = format!(
        "(role a) {digits} (legal a wait) (goal a 0) (<= terminal (true never))
         (<= (init (at ?w ?x ?y ?z)) (digit ?w) (digit ?x) (digit ?y) (digit ?z))
         (<= (next (at ?w ?x ?y ?z)) (true (at ?w ?x ?y ?z)))"
    );
    let played = serving.open(&json!({ "game": serving.load(&rules) }));
    let stopped = played.wait(|status| status["stopped"] != Value::Null);
    assert!(string(&stopped["stopped"]).contains("too long"), "{stopped}");
    assert!((40..=60).contains(&stopped["step"].as_u64().expect("a step")), "{stopped}");
}

#[test]
fn who_pauses_keeps_the_moves_that_are_there() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "rock_paper_scissors" }));
    let state = played.state("now").1;
    let roles = state["legal"].as_object().expect("roles").keys().cloned().collect::<Vec<_>>();
    let moves = legal(&state, &roles[0]);
    played.play(&roles[0], &moves[0]);
    let (_, paused) = played.ask("players", &json!({ "paused": true }));
    assert_eq!(paused["chosen"], json!([roles[0]]));
    // While play rests, a move is taken and not made.
    let (_, both) = played.play(&roles[1], &moves[1]);
    assert_eq!((&both["step"], both["chosen"].as_array().map(Vec::len)), (&json!(0), Some(2)));
    played.ask("players", &json!({ "paused": false, "players": { (&*roles[1]): "random" } }));
    let status = played.wait(|status| status["step"] == 1);
    assert_eq!(status["moves"][0][0], json!(moves[0]));
}

#[test]
fn names_are_replaced_and_the_game_is_the_same() {
    let serving = Serving::plain();
    let ask =
        |seed: u64| serving.post("/api/games", &json!({ "name": "tictactoe", "obfuscate": seed }));
    let (status, one) = ask(7);
    assert_eq!(status, 200, "{one}");
    assert_eq!(one["id"], ask(7).1["id"]);
    assert_ne!(one["id"], ask(8).1["id"]);
    let text = string(&one["text"]);
    for name in ["tictactoe", "crosses", "noughts", "sign", "turn", "wait"] {
        assert!(!one.to_string().contains(name), "{name}");
    }
    assert!(text.contains("(<= (legal") && text.contains("100"));
    let played = serving.open(&json!({ "game": one["id"] }));
    let state = played.state("now").1;
    let counts = state["legal"].as_object().expect("roles").values();
    let mut counts: Vec<usize> = counts.map(|of| of.as_array().expect("a list").len()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 9]);
}
