//! `gdlr information-sets`.

use super::*;

/// A coin is thrown. `a` sees it if it looks, and guesses.
const COIN: &str = "
    (role a) (role random) (init (step 1)) (side heads) (side tails)
    (<= (legal random (throw ?s)) (true (step 1)) (side ?s))
    (<= (legal random wait) (not (true (step 1))))
    (<= (legal a look) (true (step 1))) (<= (legal a away) (true (step 1)))
    (<= (legal a (guess ?s)) (true (step 2)) (side ?s))
    (<= (next (up ?s)) (does random (throw ?s))) (<= (next (step 2)) (true (step 1)))
    (<= (next (up ?s)) (true (up ?s)))
    (<= (next right) (does a (guess ?s)) (true (up ?s)))
    (<= terminal (not (true (step 1))) (not (true (step 2))))
    (<= (goal a 100) (true right)) (<= (goal a 0) (not (true right)))
    (<= (goal random 0) (role random))
    (<= (sees a ?s) (does a look) (does random (throw ?s)))";

#[test]
fn as_text_and_json() {
    let text = stdout(&output_with(&["information-sets", "-", "5"], COIN.as_bytes())).to_owned();
    let table: Vec<&str> = text.lines().take(5).collect();
    insta::assert_snapshot!("information_sets", table.join("\n"));
    let value = json(&output_with(&["information-sets", "-", "1", "--json"], COIN.as_bytes()));
    let names = ["game", "engine", "depth", "depths", "choosing", "complete", "dark", "seconds"];
    assert_eq!(keys(&value), names);
    let last = serde_json::json!({
        "situations": 4, "terminal": 0, "roles": { "a": { "sets": 3, "choosing": 3 } }
    });
    assert_eq!(value["depths"][1], last);
    assert_eq!(value["choosing"], serde_json::json!({ "a": 4 }));
    assert_eq!((&value["complete"], &value["dark"]), (&true.into(), &serde_json::json!([])));
}

#[test]
fn who_cannot_tell_its_moves_is_told_of() {
    let text = format!("{COIN} (<= (legal a pass) (true (step 2)) (true (up heads)))");
    let output = output_with(&["information-sets", "-", "5"], text.as_bytes());
    assert_eq!(status(&output), 1);
    let error = stderr(&output);
    assert!(error.contains("a cannot tell which moves it has after"), "{error}");
    assert!(error.contains("(away (throw tails))") && error.contains("(away (throw heads))"));
}

#[test]
fn what_is_too_much_ends_with_the_depths_before() {
    let output = output_with(
        &["information-sets", "tictactoe", "9", "--max-situations", "50", "--json"],
        b"",
    );
    assert_eq!(status(&output), 3);
    let value = json(&output);
    assert_eq!(
        (value["depths"].as_array().map(Vec::len), &value["complete"]),
        (Some(2), &false.into())
    );
}
