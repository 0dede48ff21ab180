//! Reasons, rules with their instances, diagnostics, numbers.

use crate::serving::{Match, Serving, string};
use serde_json::{Value, json};

fn texts(explanation: &Value) -> Vec<String> {
    let lines = explanation["lines"].as_array().expect("lines");
    lines
        .iter()
        .map(|line| format!("{} {}", string(&line["mark"]), string(&line["text"])))
        .collect()
}

fn explained(of: &Match<'_>, asked: &Value) -> Value {
    let (status, explanation) = of.ask("explain", asked);
    assert_eq!(status, 200, "{explanation}");
    explanation
}

#[test]
fn a_refused_move_comes_with_its_reason() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "tictactoe" }));
    played.follow(&[("crosses", "(sign 2 2)")]);
    let (status, refused) = played.play("noughts", "(sign 2 2)");
    let error = &refused["error"];
    assert_eq!((status, &error["code"]), (422, &json!("illegal")));
    assert_eq!(error["message"], "noughts cannot play (sign 2 2) here");
    let lines = texts(&error["explanation"]);
    assert_eq!(
        lines[..2],
        ["fails (legal noughts (sign 2 2))", "rule (legal ?player (sign ?x ?y))"]
    );
    assert!(lines.contains(&"fails (free 2 2)".to_owned()), "{lines:?}");
    // The place of the rule is that in the text of the game.
    let (_, game) = serving.get("/api/games/tictactoe");
    let place = &error["explanation"]["lines"][1]["place"];
    let (start, end) = (place["start"].as_u64(), place["end"].as_u64());
    let (start, end) = (start.expect("a place") as usize, end.expect("a place") as usize);
    assert!(string(&game["text"])[start..end].starts_with("(<= (legal ?player (sign ?x ?y))"));
    assert_eq!(played.status()["step"], 1);
    let (status, unknown) = played.play("noughts", "(jump 2 2)");
    assert_eq!((status, &unknown["error"]["code"]), (422, &json!("illegal")));
    assert!(string(&unknown["error"]["message"]).contains("jump"));
    let (status, unreadable) = played.play("noughts", "(sign 2");
    assert_eq!((status, &unreadable["error"]["code"]), (422, &json!("illegal")));
    assert!(string(&unreadable["error"]["message"]).contains("bracket"), "{unreadable}");
    assert_eq!(played.play("noughts", "").0, 400);
}

#[test]
fn sentences_are_explained_where_they_are_asked_about() {
    let serving = Serving::plain();
    let played = serving.open(&json!({ "game": "tictactoe" }));
    played.follow(&[("crosses", "(sign 2 2)"), ("noughts", "(sign 1 1)")]);
    // A fact is traced back to the move that made it.
    let fact = explained(&played, &json!({ "sentence": "(true (signed 1 1 noughts))" }));
    assert_eq!((&fact["holds"], &fact["moves"]), (&json!(true), &json!(1)));
    assert_eq!(fact["does"], json!(["wait", "(sign 1 1)"]));
    assert_eq!(texts(&fact)[0], "holds (next (signed 1 1 noughts))");
    let first = explained(&played, &json!({ "sentence": "(true (turn crosses))", "step": 0 }));
    assert_eq!(texts(&first)[0], "holds (init (turn crosses))");
    // In an earlier state nothing stood there.
    let legal = json!({ "sentence": "(legal noughts (sign 1 1))", "step": 1 });
    assert_eq!(explained(&played, &legal)["holds"], true);
    let legal = json!({ "sentence": "(legal noughts (sign 1 1))" });
    assert_eq!(explained(&played, &legal)["holds"], false);
    // A joint move that was not made.
    let next = json!({ "sentence": "(next (signed 3 3 crosses))", "does": "((sign 3 3) wait)" });
    let next = explained(&played, &next);
    assert_eq!((&next["holds"], &next["moves"]), (&json!(true), &json!(2)));
    let (status, early) =
        played.ask("explain", &json!({ "sentence": "(next (turn crosses))", "step": 0 }));
    assert_eq!((status, &early["error"]["code"]), (400, &json!("request")));
    let nobody = explained(&played, &json!({ "sentence": "(legal nobody ?m)" }));
    assert_eq!(nobody["holds"], false);
    let (status, wrong) = played.ask("explain", &json!({ "sentence": "(legl crosses ?m)" }));
    assert_eq!((status, &wrong["error"]["code"]), (422, &json!("sentence")));
    assert_eq!(wrong["error"]["diagnostics"][0]["place"]["start"], 1);
    let shallow = json!({ "sentence": "(legal crosses ?move)", "depth": 1 });
    assert!(texts(&explained(&played, &shallow)).len() < 60);
}

#[test]
fn the_instances_of_a_rule_are_those_that_hold() {
    let serving = Serving::plain();
    let rules = "(role a) (role b) (init (at a 1)) (init (at b 2)) (succ 1 2) (succ 2 3)
        (<= (legal ?r (go ?y)) (true (at ?r ?x)) (succ ?x ?y))
        (<= (legal ?r stay) (role ?r))
        (<= (next (at ?r ?y)) (does ?r (go ?y)))
        (<= (next (at ?r ?x)) (true (at ?r ?x)) (does ?r stay))
        (<= (high ?r) (true (at ?r ?x)) (not (low ?x))) (low 1)
        (<= terminal (high a) (high b)) (<= (goal ?r 50) (role ?r))";
    let played = serving.open(&json!({ "game": serving.load(rules) }));
    let instances = |of: &str, step: usize| {
        let offset = rules.find(of).expect("a rule") + 1;
        let (status, found) = played.ask("rule", &json!({ "offset": offset, "step": step }));
        assert_eq!(status, 200, "{found}");
        let heads = found["instances"].as_array().expect("a list").iter();
        let mut heads: Vec<String> = heads.map(|one| string(&one["head"])).collect();
        heads.sort();
        (heads, found)
    };
    assert_eq!(instances("(<= (legal ?r (go", 0).0, ["(legal a (go 2))", "(legal b (go 3))"]);
    assert_eq!(instances("(<= (high", 0).0, ["(high b)"]);
    assert_eq!(instances("(succ 2 3)", 0).0, ["(succ 2 3)"]);
    assert!(instances("(<= terminal", 0).0.is_empty());
    // Before there was a move, nothing follows from one.
    assert_eq!(instances("(<= (next (at ?r ?y", 0).1["joint"], Value::Null);
    played.play("a", "(go 2)");
    played.follow(&[("b", "stay")]);
    let (heads, found) = instances("(<= (next (at ?r ?y", 1);
    assert_eq!(heads, ["(next (at a 2))"]);
    assert_eq!(found["joint"], json!(["(go 2)", "stay"]));
    assert_eq!(found["instances"][0]["bindings"].as_array().map(Vec::len), Some(2));
    assert_eq!(instances("(<= terminal", 1).0, ["terminal"]);
    let at = |offset: usize| played.ask("rule", &json!({ "offset": offset })).1["rule"].clone();
    assert_eq!(at(rules.find("(role b)").expect("a rule") - 1), Value::Null);
    assert_eq!(at(1_000_000), Value::Null);
}

#[test]
fn texts_are_checked_and_laid_out() {
    let serving = Serving::plain();
    let text = "(role a)\n(legal a wait\n";
    let (status, found) = serving.post("/api/check", &json!({ "text": text }));
    assert_eq!((status, &found["errors"], &found["warnings"]), (200, &json!(1), &json!(0)));
    let place = &found["diagnostics"][0]["place"];
    assert_eq!(*place, json!({ "line": 2, "column": 1, "start": 9, "end": 10 }));
    let (status, refused) = serving.post("/api/games", &json!({ "text": text }));
    assert_eq!((status, &refused["error"]["code"]), (422, &json!("rules")));
    assert_eq!(refused["error"]["diagnostics"], found["diagnostics"]);
    let laid_out = serving.post("/api/format", &json!({ "text": "(role   a) ; me\n (p\n a)" })).1;
    assert_eq!(laid_out["text"], "(role a) ; me\n(p a)\n");
    let infix = serving.post("/api/format", &json!({ "text": "role(a).  p(X):-q(X)." })).1;
    assert!(string(&infix["text"]).contains("p(X) :-"), "{infix}");
    assert_eq!(serving.post("/api/format", &json!({ "text": text })).0, 422);
}

#[test]
fn a_game_is_described_in_numbers_and_rates() {
    let serving = Serving::plain();
    let (status, info) = serving.get("/api/games/nim/info");
    assert_eq!(status, 200);
    assert!(info["rules"].as_u64() > Some(5) && info["tree"]["OR nodes"].is_u64(), "{info}");
    let decisions = info["decisions"].as_array().expect("a list");
    assert!(decisions.iter().any(|decision| decision["part"] == "tree"), "{info}");
    let rates: Vec<(String, Value)> = serving.events("/api/games/nim/rates?seconds=0.3").collect();
    let (name, last) = rates.last().expect("a rate");
    assert_eq!((&**name, &last["done"]), ("rate", &json!(true)));
    assert!(last["playouts"].as_u64() > Some(100), "{last}");
    let goals = last["goals"].as_object().expect("goals").values();
    let sum: f64 = goals.map(|goal| goal.as_f64().expect("a mean")).sum();
    assert!((sum - 100.0).abs() < 1e-6, "{last}");
    assert_eq!(serving.get("/api/games/nim/rates?seconds=1000").0, 400);
    let (status, unknown) = serving.get("/api/games/tictaktoe");
    assert_eq!((status, &unknown["error"]["code"]), (404, &json!("unknown")));
    assert!(string(&unknown["error"]["help"]).contains("tictactoe"));
}
