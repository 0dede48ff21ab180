//! Explanations of small rulesheets.

use super::{Explainer, Explanation, Mark, Options, Question, Why};
use crate::explain::ExplainError;
use crate::gdl::{Game, Term};
use gdlr_text::budget::{Budget, Limit, Meter};
use gdlr_text::kif;
use std::fmt::Write;
use std::time::Duration;

fn explainer(text: &str) -> Explainer {
    Explainer::new(Game::from_kif("t", text).expect("rules"))
}

fn terms(text: &str, game: &Game) -> Vec<Term> {
    let items = kif::read(text).expect("KIF").items;
    items.iter().map(|item| Term::from_expr(item, &game.symbols).expect("a term")).collect()
}

fn ask(
    explainer: &Explainer,
    state: &str,
    joint: Option<&str>,
    question: &str,
    options: &Options,
) -> Explanation {
    let game = explainer.game();
    let joint = joint.map(|joint| terms(joint, game));
    let mut moment = explainer.moment(&terms(state, game), joint.as_deref());
    let question = Question::read(&kif::read(question).expect("KIF").items[0], game);
    let question = question.expect("a question");
    moment.explain(&question, options, &Meter::unlimited()).expect("rules with a meaning")
}

/// The lines of an explanation, as they are printed but for places.
fn page(explanation: &Explanation) -> String {
    let mut text = String::new();
    for line in explanation.lines() {
        let mark = match line.mark {
            Mark::Holds => "+",
            Mark::Fails => "-",
            Mark::Rule => "rule",
        };
        write!(text, "{}{mark} {}", "  ".repeat(line.depth), line.text).unwrap();
        if let Some(number) = line.number {
            write!(text, " [{number}]").unwrap();
        }
        if !line.note.is_empty() {
            write!(text, ": {}", line.note).unwrap();
        }
        text.push('\n');
    }
    text
}

fn explained(rules: &str, state: &str, question: &str) -> String {
    page(&ask(&explainer(rules), state, None, question, &Options::default()))
}

const PATHS: &str = "
    (edge a b) (edge b c) (edge c a) (edge d c)
    (<= (path ?x ?y) (edge ?x ?y))
    (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))";

#[test]
fn recursion_ends_and_has_no_cycle() {
    assert_eq!(
        explained(PATHS, "", "(path a a)"),
        "+ (path a a)\n\
         \x20 + (edge a b)\n\
         \x20 + (path b a)\n\
         \x20   + (edge b c)\n\
         \x20   + (path c a)\n\
         \x20     + (edge c a)\n"
    );
    // Of what fails, each for want of the other.
    assert_eq!(
        explained(PATHS, "", "(path a d)"),
        "- (path a d) [1]\n\
         \x20 - d: no rule gives it for ?y, but a, b, c\n\
         \x20 rule (path ?x ?y)\n\
         \x20   - (edge a d): but (edge a b) holds\n\
         \x20 rule (path ?x ?z)\n\
         \x20   + (edge a b)\n\
         \x20   - (path b d)\n\
         \x20     rule (path ?x ?y)\n\
         \x20       - (edge b d): but (edge b c) holds\n\
         \x20     rule (path ?x ?z)\n\
         \x20       + (edge b c)\n\
         \x20       - (path c d)\n\
         \x20         rule (path ?x ?y)\n\
         \x20           - (edge c d): but (edge c a) holds\n\
         \x20         rule (path ?x ?z)\n\
         \x20           + (edge c a)\n\
         \x20           - (path a d): see [1]\n"
    );
}

#[test]
fn each_instance_is_explained_and_shared_steps_once() {
    let rules = "(<= (p ?x ?y) (q ?x) (q ?y) (distinct ?x ?y)) (<= (q ?x) (true (at ?x)) (big ?x))
        (big 1) (big 10) (big 9)";
    assert_eq!(
        explained(rules, "(at 10) (at 9)", "(p ?a ?b)"),
        "+ (p 9 10)\n\
         \x20 + (q 9) [1]\n\
         \x20   + (true (at 9)): in the state\n\
         \x20   + (big 9)\n\
         \x20 + (q 10) [2]\n\
         \x20   + (true (at 10)): in the state\n\
         \x20   + (big 10)\n\
         \x20 + (distinct 9 10)\n\
         + (p 10 9)\n\
         \x20 + (q 10): see [2]\n\
         \x20 + (q 9): see [1]\n\
         \x20 + (distinct 10 9)\n"
    );
    let few = Options { answers: 1, ..Options::default() };
    let explanation = ask(&explainer(rules), "(at 10) (at 9)", None, "(p ?a ?b)", &few);
    assert_eq!((explanation.answers.len(), explanation.more), (1, 1));
}

#[test]
fn what_stands_under_or_and_not() {
    let rules = "(<= (p ?x) (q ?x) (or (r ?x a) (not (or (s ?x) (not (q ?x))))))
        (<= (r ?x ?y) (true (r ?x ?y))) (<= (s ?x) (true (s ?x))) (q 1) (other b)";
    let derived = "+ (p 1)\n  + (q 1)\n  + (not (s 1)): there is none\n  + (q 1)\n";
    assert_eq!(explained(rules, "(r 1 b)", "(p 1)"), derived);
    assert_eq!(
        explained(rules, "(s 1)", "(p 1)"),
        "- (p 1)\n\
         \x20 rule (p ?x)\n\
         \x20   + (q 1)\n\
         \x20   - (r 1 a): in an `or`\n\
         \x20     rule (r ?x ?y)\n\
         \x20       - (true (r 1 a)): there is none\n\
         \x20   - (not (s 1)): in an `or`\n\
         \x20     + (s 1)\n\
         \x20       + (true (s 1)): in the state\n"
    );
    let negations = Options { negations: true, ..Options::default() };
    assert_eq!(
        page(&ask(&explainer(rules), "(r 1 b)", None, "(p 1)", &negations)),
        "+ (p 1)\n\
         \x20 + (q 1)\n\
         \x20 + (not (s 1))\n\
         \x20   - (s 1)\n\
         \x20     rule (s ?x)\n\
         \x20       - (true (s 1)): there is none\n\
         \x20 + (q 1)\n"
    );
}

#[test]
fn the_closest_instance_gets_furthest() {
    // Of three ways one gets to the second condition, and one to the third.
    let rules = "(<= (p) (q ?x) (true (f ?x ?y)) (not (true (g ?y))))
        (q 1) (q 2) (q 3) (other a)";
    assert_eq!(
        explained(rules, "(f 2 a) (g a)", "(p)"),
        "- p\n\
         \x20 rule p\n\
         \x20   + (q 2)\n\
         \x20   + (true (f 2 a))\n\
         \x20   - (not (true (g a)))\n\
         \x20     + (true (g a)): in the state\n"
    );
    assert_eq!(
        explained(rules, "(g 1)", "(p)"),
        "- p\n  rule p\n    + (q 1)\n    - (true (f 1 ?y)): there is none\n"
    );
    // A test that stands before what binds its variables waits.
    let early = "(<= (p) (distinct ?x 1) (q ?x)) (q 1)";
    assert_eq!(explained(early, "", "(p)"), "- p\n  rule p\n    + (q 1)\n    - (distinct 1 1)\n");
}

#[test]
fn rows_are_found_by_what_stands_behind_a_function() {
    let rules = "(p (f b) (h) a) (p (f (g b c)) (h) b) (p (f c) (k) a)
        (<= (q ?w) (p (f ?y) (h) ?w)) (<= (r ?w) (p (f (g ?x ?y)) (h) ?w))";
    assert_eq!(explained(rules, "", "(q a)"), "+ (q a)\n  + (p (f b) (h) a)\n");
    assert_eq!(explained(rules, "", "(r b)"), "+ (r b)\n  + (p (f (g b c)) (h) b)\n");
    assert!(explained(rules, "", "(r a)").starts_with("- (r a)\n"));
}

#[test]
fn a_product_is_not_gone_through_to_its_end() {
    let mut rules =
        "(<= (p) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (true (at ?a ?b ?c ?d ?e)))".to_owned();
    (0..20).for_each(|number| write!(rules, "(n {number})").unwrap());
    let explanation = ask(&explainer(&rules), "", None, "(p)", &Options::default());
    let Why::Nothing { attempts, .. } = &explanation.step(explanation.answers[0]).why else {
        panic!()
    };
    assert_eq!((attempts[0].complete, attempts[0].instance.conditions.len()), (false, 5));
}

#[test]
fn no_rule_could_give_it() {
    let rules = "(<= (legal ?r (take ?n)) (true (heap ?n))) (role you) (succ 1 2)";
    let note = "- (legal you 1): no rule has such a head, but there is (legal ?r (take ?n))\n";
    assert_eq!(explained(rules, "(heap 1)", "(legal you 1)"), note);
    let note = "- (legal (take 1)): no rule has such a head, but there is (legal ?r (take ?n))\n";
    assert_eq!(explained(rules, "(heap 1)", "(legal (take 1))"), note);
    assert_eq!(explained(rules, "", "(take 1)"), "- (take 1): no rule has such a head\n");
    assert_eq!(
        explained(rules, "", "(succ 2 1)"),
        "- (succ 2 1): but (succ 1 2) holds\n\
         \x20 - 2: no rule gives it here, but 1\n\
         \x20 - 1: no rule gives it here, but 2\n"
    );
    assert_eq!(
        explained(rules, "(heap 2)", "(true (heap 1))"),
        "- (true (heap 1)): but (true (heap 2)) holds\n"
    );
}

#[test]
fn what_is_asked_too_early_does_not_hold() {
    let rules = "(role r) (<= (legal r a) (moved)) (<= (moved) (does r ?m)) (legal r b)
        (<= (next x) (moved)) (<= (next y) (legal r a)) (<= (init z) (true z)) (<= (w) (init z))";
    let explainer = explainer(rules);
    let holds = |question: &str, joint: Option<&str>| {
        ask(&explainer, "z", joint, question, &Options::default()).holds
    };
    assert!(holds("(next x)", Some("b")) && holds("(moved)", Some("b")) && !holds("(moved)", None));
    // The roles have not moved when moves are settled, and have when the next state is made.
    assert!(!holds("(legal r a)", Some("b")) && holds("(next y)", Some("b")));
    assert!(!holds("(init z)", None) && !holds("(w)", Some("b")) && holds("(true z)", None));
}

#[test]
fn terms_do_not_grow_downwards() {
    // Bottom up nothing grows.
    let rules = "(<= (p ?x) (p (f ?x))) (p (f (f a))) (<= (q ?x) (r ?x) (not (p ?x))) (r a) (r b)";
    assert!(explained(rules, "", "(p a)").starts_with("+ (p a)\n"));
    assert!(explained(rules, "", "(p b)").starts_with("- (p b)\n"));
    assert_eq!(
        explained(rules, "", "(q ?x)"),
        "+ (q b)\n  + (r b)\n  + (not (p b)): there is none\n"
    );
}

#[test]
fn an_open_variable_is_any_constant() {
    let rules = "(<= (p ?x ?y) (q ?x)) (q 1) (r 2)";
    assert_eq!(explained(rules, "", "(p 1 2)"), "+ (p 1 2)\n  + (q 1)\n");
    assert!(explained(rules, "", "(p 2 1)").starts_with("- (p 2 1)"));
    let all = ask(&explainer(rules), "", None, "(p ?a ?b)", &Options::default());
    assert_eq!(all.answers.len(), 2);
}

#[test]
fn a_cycle_through_not_is_refused_unless_no_sentence_is_on_one() {
    let explainer = explainer("(<= (p ?x) (q ?x) (not (p ?x))) (q 1)");
    let mut moment = explainer.moment(&[], None);
    let symbols = &explainer.game().symbols;
    let question =
        Question::of(symbols.get("p").unwrap(), vec![Term::Constant(symbols.get("1").unwrap())]);
    let explanation = moment.explain(&question, &Options::default(), &Meter::unlimited());
    let Err(ExplainError::Refused(diagnostic)) = explanation else { panic!("{explanation:?}") };
    assert_eq!(diagnostic.code.as_str(), "E013");
    let goals =
        "(role r) (<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))";
    assert!(explained(goals, "", "(goal r ?v)").starts_with("+ (goal r 0)\n"));
    // One number after the other is settled.
    let mut even = "(<= (even ?y) (succ ?x ?y) (not (even ?x)))".to_owned();
    (0..300).for_each(|number| write!(even, "(succ {number} {})", number + 1).unwrap());
    assert!(explained(&even, "", "(even 299)").starts_with("+ (even 299)\n"));
    assert!(explained(&even, "", "(even 300)").starts_with("- (even 300)\n"));
}

#[test]
fn depth_is_bounded_by_memory_alone() {
    let count = 20_000;
    let mut rules = "(<= (n ?y) (n ?x) (succ ?x ?y)) (n 0)".to_owned();
    (0..count).for_each(|number| write!(rules, "(succ {number} {})", number + 1).unwrap());
    let explainer = explainer(&rules);
    let explanation = ask(&explainer, "", None, &format!("(n {count})"), &Options::default());
    assert_eq!(explanation.steps.len(), 2 * count + 1);
    let lines = explanation.lines();
    assert!(lines.iter().all(|line| line.depth <= 17));
    assert!(lines.iter().any(|line| line.note.ends_with("below")));
    let shallow = Options { depth: 2, ..Options::default() };
    let explanation = ask(&explainer, "", None, &format!("(n {count})"), &shallow);
    assert_eq!(explanation.steps.len(), 5);
    assert!(page(&explanation).contains("(n 19998): not looked into"), "{}", page(&explanation));
    let few = Options { steps: 100, ..Options::default() };
    let explanation = ask(&explainer, "", None, &format!("(n {count})"), &few);
    assert!(explanation.steps.len() < 110);
}

#[test]
fn a_budget_is_kept_and_the_moment_can_be_asked_again() {
    let mut rules = "(<= (p ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d)) (<= (q) (n 1))".to_owned();
    (0..200).for_each(|number| write!(rules, "(n {number})").unwrap());
    let explainer = explainer(&rules);
    let mut moment = explainer.moment(&[], None);
    let question =
        |text: &str| Question::read(&kif::read(text).unwrap().items[0], explainer.game()).unwrap();
    let all = question("(p ?a ?b ?c ?d)");
    for (budget, limit) in [
        (Budget { time: Duration::from_millis(20), ..Budget::UNLIMITED }, Limit::Time),
        (Budget { memory: 1 << 20, ..Budget::UNLIMITED }, Limit::Memory),
    ] {
        let explanation = moment.explain(&all, &Options::default(), &budget.start());
        let Err(ExplainError::Exhausted(why)) = explanation else { panic!("there is no budget") };
        assert_eq!(why.limit, limit);
    }
    let explanation = moment.explain(&question("(q)"), &Options::default(), &Meter::unlimited());
    assert!(explanation.expect("little work").holds);
    let explanation =
        moment.explain(&question("(p 1 2 3 4)"), &Options::default(), &Meter::unlimited());
    assert!(explanation.expect("little work").holds);
}

#[cfg(feature = "serde")]
#[test]
fn as_json() {
    let rules = "(<= (p ?x) (true (at ?x)) (not (q ?x))) (<= (q 1) (true done))";
    let explanation = ask(&explainer(rules), "(at 1)", None, "(p 1)", &Options::default());
    let value = serde_json::to_value(&explanation).unwrap();
    assert_eq!((&value["holds"], &value["answers"][0]), (&true.into(), &0.into()));
    let step = &value["steps"][0];
    assert_eq!(
        (&step["sentence"], &step["by"], &step["rule"]),
        (&"(p 1)".into(), &"rule".into(), &0.into())
    );
    assert_eq!(step["bindings"][0]["variable"], "?x");
    assert_eq!(
        (&step["conditions"][0]["kind"], &step["conditions"][0]["step"]),
        (&"holds".into(), &1.into())
    );
    assert_eq!(
        (&step["conditions"][1]["kind"], &step["conditions"][1]["text"]),
        (&"not".into(), &"(not (q 1))".into())
    );
    assert_eq!(value["steps"][1]["by"], "state");
    assert_eq!(
        (&value["rules"][0]["number"], &value["rules"][0]["head"]),
        (&0.into(), &"(p ?x)".into())
    );
    assert_eq!(value["rules"][0]["span"]["end"], 39);
}
