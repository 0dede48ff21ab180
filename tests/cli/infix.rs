//! Rulesheets in infix notation.

use super::*;

/// A game of one move.
const LAMP: &str = "
% One push, and it is over.
role(robot)
init(light(off))
legal(robot,push) :- true(light(off))
next(light(on)) :- does(robot,push)
terminal :- true(light(L)) & distinct(L,off)
goal(robot,100) :- true(light(on)) & ~true(light(off))
goal(robot,0) :- true(light(off)) | true(broken)
";

/// They are read wherever those in KIF are; moves and facts are in KIF all the same.
#[test]
fn are_read_wherever_kif_is() {
    let game = file("lamp.hrf", LAMP.as_bytes());
    let perft = json(&output(&["perft", &game, "2", "--json"]));
    assert_eq!(perft["counts"], serde_json::json!([1, 1, 0]));
    for arguments in [
        &["check", &game][..],
        &["info", &game],
        &["tree", &game],
        &["ground", &game],
        &["propnet", &game],
        &["to-rg", &game],
        &["crosscheck", &game, "--playouts", "2"],
        &["play", &game, "--flatmc", "--playouts", "2"],
        &["bench", &game, "--time", "0.01", "--repeat", "1"],
    ] {
        done(arguments);
    }
    assert!(done(&["ground", &game]).contains("(<= (next (light on))"));
    assert!(done(&["tree", &game]).contains("line 5: (legal robot push)"));
}

#[test]
fn what_is_wrong_with_one_has_its_place() {
    let text = "role(a)\n\
        legal(a,go :- true(s)\n\
        legal(?r,go) :- true(s) & c\n\
        next(s) :- true(s),\n  does(a,go)\n\
        next(thrust!) :- true(s)\n\
        terminal :- ~(true(s) & c)\n\
        goal(a 100)\n\
        (<= (goal a 0) (true s))\n\
        goal(a,50) :-\n";
    let output = output_with(&["check", "-"], text.as_bytes());
    assert_eq!(status(&output), 1);
    assert_eq!(stdout(&output), "<stdin>: 8 errors, 0 warnings\n");
    insta::assert_snapshot!("infix", stderr(&output));
}

/// The checks speak of the text as it is written.
#[test]
fn the_checks_have_their_places() {
    let text = format!("{LAMP}p(X) :- ~q(X,_)\nq(a)\n");
    let output = output_with(&["check", "-"], text.as_bytes());
    assert_eq!(status(&output), 1);
    insta::assert_snapshot!("infix_checked", stderr(&output));
}

#[test]
fn both_notations_in_one_rulesheet() {
    let infix_in_kif = "(role a)\n(init s)\nlegal(a,go) :- true(s)\n";
    let kif_in_infix = "role(a)\n(init s)\nlegal(a,go) :- true(s)\n";
    for (text, place) in [(infix_in_kif, "<stdin>:3:1"), (kif_in_infix, "<stdin>:2:1")] {
        let said = refused(&["play", "-", "--flatmc"], text.as_bytes());
        assert!(said.contains("error[K007]") && said.contains(place), "{said}");
    }
}
