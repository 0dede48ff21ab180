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

/// The same game with the signs of Prolog.
const PROLOG: &str = "
/* One push,
   and it is over. */
role(robot).
init(light(off)).
legal(robot, push) :- true(light(off)).
next(light(on)) :- does(robot, push). % done
terminal :- true(light(L)), L \\= off.
goal(robot, 100) :- true(light(on)), \\+ true(light(off)).
goal(robot, 0) :-
    true(light(off)) ;
    true(broken).
";

#[test]
fn prolog_like_notation_is_read_wherever_infix_is() {
    let game = file("lamp.pl", PROLOG.as_bytes());
    let infix = done(&["fmt", &game]);
    insta::assert_snapshot!("prolog", infix);
    assert_eq!(status(&output(&["fmt", "--check", &game])), 1);
    let rules = |text: &str, to: &str| -> Vec<String> {
        let laid_out = output_with(&["fmt", "--to", to, "-"], text.as_bytes());
        let code = |line: &str| line.split([';', '%']).next().unwrap_or("").trim_end().to_owned();
        stdout(&laid_out).lines().map(code).filter(|line| !line.is_empty()).collect()
    };
    for to in ["kif", "infix"] {
        assert_eq!(rules(PROLOG, to), rules(LAMP, to));
        assert!(rules(LAMP, to).len() > 7);
    }
    let perft = json(&output(&["perft", &game, "2", "--json"]));
    assert_eq!(perft["counts"], serde_json::json!([1, 1, 0]));
    assert!(done(&["tree", &game]).contains("line 6: (legal robot push)"));
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
    assert_eq!(stdout(&output), "<stdin>: 6 errors, 0 warnings\n");
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

/// Notation of other languages is named with its places, in one message, and never
/// laid out.
#[test]
fn other_languages_are_named() {
    let game = |rules: &str| format!("role(p).\ninit(s(1)).\nsucc(1,2).\nlegal(p,go).\n{rules}");
    let kif = |rules: &str| format!("(role p)\n(init (s 1))\n(legal p go)\n{rules}");
    for (text, code, place, says) in [
        (
            game("b :- true(s(2)).\na :- b & role(p).\nterminal :- a ; b.\n"),
            "K012",
            ":7:15",
            "\"or\" is `|`",
        ),
        (game("legal(p,no) :- a & not true(s(2)).\n"), "K012", ":5:20", "`~true(s(2))` or `not("),
        (game("legal(p,no) :- true(s(X)) & X \\= 1.\n"), "K012", ":5:31", "`distinct(X,1)`"),
        (game("legal(p,no) :- a & \\+ true(s(2)).\n"), "K012", ":5:20", "\"not\" is `~`"),
        (game("a :- b, c.\n:- dynamic(true/1).\n"), "K012", ":6:1", "leave it out"),
        (game("legal(p,no) :- b(X), X < 3.\n"), "K018", ":5:24", "`\\+ p`, `p ; q` and `X \\= Y`"),
        (game("a :- b, c, d.\nb :- c & d.\n"), "K007", ":6:8", "`,` joins the conditions"),
        (game("a :- b, c.\nb :- c\nd.\n"), "K008", ":7:1", "a period should stand before `d`"),
        (game("# whose turn\n"), "K014", ":5:1", "begins with `%`"),
        ("role(player 1)\nrole(player 2)\n".to_owned(), "K008", ":1:13", "(2 places)"),
        (game("m(M) :: c(x) ==> d(M) & ~b(M)\n"), "K013", ":5:6", "gamemaster.stanford.edu"),
        (game("terminal :- true(s(1))\n    succ(1,2)\n"), "K017", ":6:5", "`&` is missing"),
        (format!("```\n{}```\n", kif("")), "K015", ":1:1", "Markdown"),
        (format!("({})\n", kif("")), "K016", ":1:1", "whole rulesheet"),
        (kif("#| a |#\n"), "K014", ":4:1", "`#|` begins no comment"),
        (kif("(<= (next (s 2)) (and (true (s 1)) (= 1 1)))\n"), "K018", ":4:19", "leave it out"),
        (kif("(<= (next (s (+ ?x 1))) (true (s ?x)))\n"), "K018", ":4:14", "(succ 1 2)"),
    ] {
        for command in ["check", "fmt", "info"] {
            let output = output_with(&[command, "-"], text.as_bytes());
            let said = stderr(&output);
            assert_eq!(status(&output), if command == "check" { 1 } else { 2 }, "{text}{said}");
            assert_eq!(said.matches("error[").count(), 1, "{said}");
            let named = said.contains(&format!("error[{code}]")) && said.contains(says);
            assert!(named && said.contains(&format!("<stdin>{place}\n")), "{said}");
        }
    }
}

/// Names that look like operators are names, and a comment may follow a rule.
#[test]
fn names_that_look_like_operators_are_read() {
    for text in [
        "(role p)(< 1 2)(<= (legal p go) (< 1 ?x))(<= terminal (< ?x ?y))(goal p 0)",
        "(role p)(<= (and ?x) (role ?x))(legal p go)(<= terminal (and p))(goal p 0)",
        "role(p). legal(p,go). terminal :- role(p). ; legal(p,go)\ngoal(p,0).",
        "role(p)\nlegal(p,go)\nterminal :- role(p) & ; legal(p,go)\n  legal(p,go) ; why\ngoal(p,0)",
    ] {
        let output = output_with(&["perft", "-", "1"], text.as_bytes());
        assert_eq!(status(&output), 0, "{text}\n{}", stderr(&output));
        let laid_out = output_with(&["fmt", "-"], text.as_bytes());
        assert_eq!(status(&output_with(&["fmt", "--check", "-"], &laid_out.stdout)), 0, "{text}");
    }
}
