//! States in which it is known what to play, as they are read.

use gdlr_engine::engine::Engine;
use gdlr_engine::play::test_positions::{TestPosition, read};
use gdlr_rules::gdl::Game;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::kif;
use gdlr_tree::{Tree, TreeOptions};

type Read = Result<Vec<TestPosition<<Tree as Engine>::State>>, Vec<Diagnostic>>;

fn engine(name: &str, text: &str) -> Tree {
    let game = Game::from_kif(name, text).expect("a rulesheet");
    Tree::new(game, &TreeOptions::default()).expect("a game")
}

fn tictactoe(text: &str) -> (Tree, Read) {
    let engine = engine("tictactoe", include_str!("../../../../kif/tictactoe.kif"));
    let read = read(&engine, &kif::read(text).expect("KIF"));
    (engine, read)
}

#[test]
fn facts_and_moves_lead_to_the_same_position() {
    let (engine, read) = tictactoe(
        "(position one (role noughts) (good (sign 2 2) (SIGN 3 3))
           (facts (turn noughts) (true (signed 1 1 crosses))))
         (position two (moves ((sign 1 1) wait)) (good (sign 3 3) (sign 2 2)))
         (position three (bad (sign 1 2)))",
    );
    let read = read.expect("positions");
    let [one, two, three] = &read[..] else { panic!("{read:?}") };
    assert_eq!((&one.state, one.role, &one.good), (&two.state, two.role, &two.good));
    assert_eq!((one.step, two.step, three.step), (0, 1, 0));
    assert_eq!((one.last.len(), two.last.len()), (0, 2));
    assert_eq!((two.legal.len(), two.good.len()), (8, 2));
    assert_eq!((three.state == *engine.initial(), three.good.len()), (true, 8));
}

#[test]
fn what_is_wrong_has_a_place() {
    let cases = [
        ("position", Code::BadTestPosition, "1:1"),
        ("(positions a (good (sign 1 1)))", Code::BadTestPosition, "1:2"),
        ("(position (a) (good (sign 1 1)))", Code::BadTestPosition, "1:11"),
        ("(position a)", Code::BadTestPosition, "1:1"),
        ("(position a (best (sign 1 1)))", Code::BadTestPosition, "1:13"),
        ("(position a (good (sign 1 1)) (bad))", Code::BadTestPosition, "1:31"),
        ("(position a (role a b) (good (sign 1 1)))", Code::BadTestPosition, "1:13"),
        ("(position a (role a) (good (sign 1 1)))", Code::BadTestPosition, "1:19"),
        ("(position a (good))", Code::BadTestPosition, "1:1"),
        ("(position a (good (sign 1 9)))", Code::NotAMove, "1:27"),
        ("(position a (good (sign 1 crosses)))", Code::NotAMove, "1:19"),
        ("(position a (role noughts) (good (sign 1 1)))", Code::NotAMove, "1:34"),
        ("(position a (moves (sign 1 1)) (good wait))", Code::BadTestPosition, "1:20"),
        ("(position a (moves (wait wait)) (good wait))", Code::NotAMove, "1:21"),
        ("(position a (facts (turn a)) (good wait))", Code::NotAFact, "1:26"),
        (
            "(position a (facts (signed 1 1 noughts) (signed 1 2 noughts) (signed 1 3 noughts)
               (turn crosses)) (good wait))",
            Code::BadTestPosition,
            "1:1",
        ),
        (
            "(position a (bad (sign 1 1)))\n(position a (bad (sign 1 2)))",
            Code::BadTestPosition,
            "2:1",
        ),
    ];
    for (text, code, place) in cases {
        let (_, read) = tictactoe(text);
        let errors = read.expect_err(text);
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        let at = errors[0].span.locate(text).to_string();
        assert_eq!((errors[0].code, &*at), (code, place), "{text}: {errors:?}");
    }
    let (_, read) = tictactoe("(position a) (position b) (position c (bad (sign 1 1)))");
    assert_eq!(read.expect_err("two are wrong").len(), 2);
}

#[test]
fn where_the_state_is_hidden_there_are_none() {
    let engine = engine("monty_hall", include_str!("../../../../kif/monty_hall.kif"));
    let text = "\n(position a (bad (pick 1))) (position b)";
    let errors = read(&engine, &kif::read(text).expect("KIF")).expect_err("hidden");
    assert_eq!((errors.len(), errors[0].code), (1, Code::BadTestPosition));
    assert!(errors[0].message.contains("hide"), "{errors:?}");
    assert_eq!(errors[0].span.locate(text).to_string(), "2:1");
}

#[test]
fn who_is_to_move_must_be_clear() {
    let rules = include_str!("../../../../kif/rock_paper_scissors.kif");
    let engine = engine("rock_paper_scissors", rules);
    let text = "(position a (good (show rock))) (position b (role none) (good (show rock)))";
    let errors = read(&engine, &kif::read(text).expect("KIF")).expect_err("nobody");
    assert!(errors[0].message.contains("several roles"), "{errors:?}");
    assert!(errors[1].message.contains(&engine.roles().names().join(", ")), "{errors:?}");
}
