//! `gdlr explain`.

use super::*;

const DOCS: &str = "docs/explain.md";

#[test]
fn the_page_shows_what_is_printed() {
    assert!(shows_what_is_printed(DOCS) >= 2);
}

#[test]
fn yes_and_no_have_their_status() {
    let legal = ["explain", "connect4", "(legal red (drop 3))"];
    assert_eq!(
        done(&legal),
        "(legal red (drop 3)) holds in the initial state\n\n\
         ✓ (legal red (drop 3))  kif/connect4.kif:40:1\n\
         \x20 ✓ (true (turn red))  in the state\n\
         \x20 ✓ (true (gap 3 1))  in the state\n"
    );
    let after = output(&[&legal[..], &["--after", "(drop 1)"]].concat());
    assert_eq!(
        stdout(&after),
        "(legal red (drop 3)) does not hold after 1 joint move\n\n\
         ✗ (legal red (drop 3))\n\
         \x20 rule (legal ?player (drop ?column))  kif/connect4.kif:40:1\n\
         \x20   ✗ (true (turn red))  but (true (turn yellow)) holds\n"
    );
    assert_eq!(status(&after), 1);
}

#[test]
fn as_json() {
    let command = ["explain", "connect4", "(true (gap 3 2))", "--after", "(drop 3)", "--json"];
    let output = output(&command);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let value = json(&output);
    let expected = [
        "game",
        "file",
        "question",
        "explained",
        "moves",
        "does",
        "state",
        "seconds",
        "holds",
        "answers",
        "more",
        "strangers",
        "steps",
        "rules",
    ];
    assert_eq!(keys(&value), expected);
    assert_eq!(
        (&value["question"], &value["explained"]),
        (&"(true (gap 3 2))".into(), &"(next (gap 3 2))".into())
    );
    assert_eq!(
        (&value["moves"], &value["does"]),
        (&0.into(), &serde_json::json!(["(drop 3)", "wait"]))
    );
    assert_eq!(value["answers"], serde_json::json!([0]));
    let step = &value["steps"][0];
    assert_eq!((&step["by"], &step["rule"]), (&"rule".into(), &0.into()));
    assert_eq!(step["bindings"][0], serde_json::json!({ "variable": "?column", "value": "3" }));
    assert_eq!(
        (&value["rules"][0]["span"]["line"], &value["rules"][0]["span"]["column"]),
        (&55.into(), &1.into())
    );
}

#[test]
fn joint_moves_and_the_state_before_them() {
    // The last move of `--after` or that of `--does`; moves alone or with those of all roles.
    let next = ["explain", "connect4", "(next (disc 1 2 yellow))"];
    let played = ["--after", "(drop 1) (wait (drop 1))"];
    let asked = ["--after", "((drop 1) wait)", "--does", "(drop 1)"];
    let text = done(&[&next[..], &played].concat());
    assert!(
        text.starts_with(
            "(next (disc 1 2 yellow)) holds after 1 joint move, when (wait (drop 1)) is played\n"
        ),
        "{text}"
    );
    assert_eq!(done(&[&next[..], &asked].concat()), text);
    let text =
        done(&["explain", "connect4", "(true (disc 1 2 yellow))", "--after", "(drop 1) (drop 1)"]);
    assert!(
        text.starts_with(
            "(true (disc 1 2 yellow)) holds after 2 joint moves; the last one is (wait (drop 1))\n"
        ),
        "{text}"
    );
    let text = done(&["explain", "connect4", "(true (turn red))"]);
    assert!(text.contains("\n✓ (init (turn red))  kif/connect4.kif:29:1\n"), "{text}");
    let said = refused(&next, b"");
    assert!(said.contains("depends on a joint move"), "{said}");
    // One that is made, of facts that are given.
    let facts = file("explained.kif", b"(turn red) (gap 5 2) (disc 5 1 yellow)");
    let given = ["explain", "connect4", "(true (gap 5 2))", "--facts", &facts];
    assert!(
        done(&given).contains("holds in the state given\n\n✓ (true (gap 5 2))  in the state\n")
    );
    let text =
        done(&["explain", "connect4", "(dropped ?x)", "--facts", &facts, "--does", "(drop 5)"]);
    assert!(
        text.starts_with(
            "(dropped ?x) holds of 1 instance in the state given, when ((drop 5) wait) is played\n"
        ),
        "{text}"
    );
}

#[test]
fn percepts_are_explained() {
    let moves = "((wait) (deal jack queen))";
    let roles = done(&["explain", "kuhn_poker", "(role ?r)"]);
    assert!(roles.contains("holds of 3 instances"), "{roles}");
    let said = refused(&["explain", "kuhn_poker", "(sees ?r ?p)", "--does", moves], b"");
    assert!(said.contains("P003") && said.contains("--does:1:1"), "{said}");
}

#[test]
fn what_cannot_be_asked_has_a_place() {
    for (sentence, place, why) in [
        ("(legal red (drp 3))", "SENTENCE:1:13", "did you mean `drop`?"),
        ("(not terminal)", "SENTENCE:1:2", "one sentence"),
        ("(?p red)", "SENTENCE:1:2", "a variable"),
        ("(legal red", "SENTENCE:1:1", "never closed"),
        ("terminal terminal", "", "one sentence"),
    ] {
        let said = refused(&["explain", "connect4", sentence], b"");
        assert!(said.contains(place) && said.contains(why), "{said}");
    }
    for (after, place, why) in [
        ("(drop 3) (drop 9)", "--after:1:10", "no legal joint move"),
        ("((drop 3) (drop 3))", "--after:1:11", "no legal move of yellow"),
        ("(drop", "--after:1:1", "never closed"),
    ] {
        let said = refused(&["explain", "connect4", "terminal", "--after", after], b"");
        assert!(said.contains(place) && said.contains(why), "{said}");
    }
    for sentence in ["(lgal red (drop 3))", "(legal red (drp 99))", "(legal red (f 9))"] {
        let said = refused(&["explain", "connect4", sentence], b"");
        assert!(said.contains("the game has no name"), "{said}");
    }
    let none = output(&["explain", "connect4", "(legal red)"]);
    assert_eq!(status(&none), 1);
    assert!(stdout(&none).contains("no rule has such a head, but there are (legal ?player (drop"));
}

#[test]
fn work_and_depth_are_bounded() {
    let numbers: String = (0..300).map(|number| format!("(n {number})")).collect();
    let rules = format!("{STUCK} {numbers} (<= (p ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d))");
    let output =
        output_with(&["explain", "-", "(p ?a ?b ?c ?d)", "--time", "0.05"], rules.as_bytes());
    assert_eq!(status(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("ran out of time"), "{}", stderr(&output));
    let text = done(&["explain", "draughts", "(legal dark ?m)", "--depth", "1"]);
    assert!(text.contains("not looked into"), "{text}");
}

/// A constant that no rule gives there is no mistake of whoever asks: the answer is no, and says
/// which ones there are.
#[test]
fn constants_that_no_rule_gives() {
    for (sentence, line) in [
        ("(legal red (drop 99))", "✗ 99  no rule gives it for ?column, but 1, 2, 3, 4, 5, 6, 7"),
        ("(legal red (drop red))", "✗ red  no rule gives it for ?column, but 1, 2, 3, 4, 5, 6, 7"),
        (
            "(legal rd (drop 3))",
            "✗ rd  no rule gives it for ?player, but red, yellow; did you mean red?",
        ),
        ("(true (disc 1 1 white))", "✗ white  no rule gives it"),
        ("(true (turn nobody))", "✗ nobody  no rule gives it"),
        ("(above 9 1)", "✗ 9  no rule gives it here, but 1, 2, 3, 4, 5\n"),
        ("(goal red 42)", "✗ 42  no rule gives it here, but 0, 50, 100"),
    ] {
        let output = output(&["explain", "connect4", sentence]);
        assert_eq!(status(&output), 1, "{}", stderr(&output));
        assert!(stdout(&output).contains(line), "{}", stdout(&output));
    }
    // A constant that can stand there is none of them.
    let full = output(&["explain", "connect4", "(legal yellow (drop 3))"]);
    assert!(!stdout(&full).contains("no rule gives it"), "{}", stdout(&full));
    let output = output(&["explain", "connect4", "(legal red (drop 99))", "--json"]);
    let value = json(&output);
    assert_eq!(
        (&value["holds"], &value["strangers"][0]["constant"], &value["strangers"][0]["instead"][6]),
        (&false.into(), &"99".into(), &"7".into())
    );
    assert_eq!(value["strangers"][0]["variable"], "?column");
}
