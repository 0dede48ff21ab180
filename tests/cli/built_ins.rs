//! Relations that are computed in rules of GDL, with `--built-ins`.

use super::*;
use std::fmt::Write;

/// Whoever adds numbers up to 8, and not to 7, wins.
const SUM: &str = "
(role you)
(init (sum 0))
(amount 1)
(amount 2)
(<= (legal you (add ?k)) (amount ?k))
(<= (next (sum ?m)) (true (sum ?n)) (does you (add ?k)) (less ?n 7) (plus ?n ?k ?m))
(<= terminal (true (sum ?n)) (or (leq 8 ?n) (not (less ?n 7))))
(<= (goal you 100) (true (sum ?n)) (evaluate (minus ?n 1) 7))
(<= (goal you 50) (true (sum ?n)) (number ?n) (distinct ?n 8))
";

/// The same game with facts for each relation.
fn with_tables() -> String {
    let mut text = SUM
        .replace("(plus ", "(sum_of ")
        .replace("(less ", "(below ")
        .replace("(leq ", "(at_most ")
        .replace("(evaluate (minus ?n 1) 7)", "(sum_of 7 1 ?n)")
        .replace("(number ?n) ", "");
    for n in 0..=9 {
        for k in 0..=9 {
            write!(text, "(sum_of {n} {k} {})", n + k).expect("a string");
            if n <= k {
                write!(text, "(at_most {n} {k})").expect("a string");
            }
            if n < k {
                write!(text, "(below {n} {k})").expect("a string");
            }
        }
    }
    text
}

#[test]
fn a_game_that_counts_is_the_game_with_tables() {
    let infix = stdout(&output_with(&["fmt", "--to", "infix", "-"], SUM.as_bytes())).to_owned();
    assert!(infix.contains("plus(N,K,M)"), "{infix}");
    let prolog = infix.replace(" &\n", ",\n").replace('|', ";").replace('~', "\\+ ");
    let prolog: String = prolog.split_inclusive('\n').fold(String::new(), |text, line| {
        let is_inner = line.starts_with(' ');
        let text =
            if is_inner || text.is_empty() { text } else { text.trim_end().to_owned() + ".\n" };
        text + line
    }) + ".";
    let tables = file("sum_tables.kif", with_tables().as_bytes());
    for (name, text) in [("sum.kif", SUM), ("sum.hrf", &infix), ("sum.pl", &prolog)] {
        let game = file(name, text.as_bytes());
        for engine in ["tree", "propnet"] {
            let counts = |game: &str, flags: &[&str]| {
                let all = [&["perft", game, "8", "--json", "--engine", engine][..], flags].concat();
                let found = json(&output(&all));
                (found["counts"].clone(), found["terminal"].clone())
            };
            assert_eq!(counts(&game, &["--built-ins"]), counts(&tables, &[]), "{name} {engine}");
            let play = ["play", &game, "--flatmc", "--playouts", "200", "--json", "--built-ins"];
            let played = json(&output(&[&play[..], &["--engine", engine]].concat()));
            assert_eq!(played["playouts"], 200, "{name} {engine}");
        }
        let checked = done(&["check", &game, "--built-ins"]);
        assert!(checked.starts_with(&format!("{game}: 0 errors, 0 warnings")), "{checked}");
    }
}

#[test]
fn check_names_the_flag() {
    let output = output_with(&["check", "-"], SUM.as_bytes());
    let said = stderr(&output);
    assert_eq!(said.matches("[W004]").count(), 5, "{said}");
    for name in ["less", "plus", "leq", "evaluate", "number"] {
        let help =
            format!("GDL has no `{name}`: write facts for it, or let `--built-ins` compute it");
        assert!(said.contains(&help), "{name}: {said}");
    }
    // A relation that the rulesheet has is no built-in one.
    let own = format!("{SUM}(plus 1 1 3)");
    let said = stderr(&output_with(&["check", "-"], own.as_bytes())).to_owned();
    assert!(!said.contains("no `plus`"), "{said}");
    let perft = json(&output_with(&["perft", "-", "8", "--built-ins", "--json"], own.as_bytes()));
    // Nothing is the sum of 0 and 1 there.
    assert_eq!(perft["terminal"], serde_json::json!(vec![0; 9]), "{perft}");
}

#[test]
fn numbers_without_a_bound_are_refused() {
    let text = SUM.replace("(less ?n 7) ", "");
    for command in [&["check", "-"][..], &["perft", "-", "2"]] {
        let output = output_with(&[command, &["--built-ins"]].concat(), text.as_bytes());
        assert_eq!(status(&output), if command[0] == "check" { 1 } else { 2 });
        let said = stderr(&output);
        assert!(said.contains("error[K023]") && said.contains("<stdin>:7:"), "{said}");
    }
}
