//! Tests of moves as words, and of violations.

use super::*;
use crate::rbg::read;

const HEAD: &str = "#players = w(100), b(100)\n#pieces = e, x\n#variables = v(5)\n\
    #board = rectangle(up, down, left, right, [e, e] [e, x])\n";

fn machine(rules: &str) -> Machine {
    let game =
        read(&format!("{HEAD}#rules = {rules}")).unwrap_or_else(|errors| panic!("{errors:?}"));
    Machine::new(&game).expect("a short game")
}

fn explored(rules: &str) -> Exploration {
    explore(&machine(rules), &mut Work::default(), 10_000, |_| {})
}

/// The words of the first turn of a player.
fn words(rules: &str) -> Vec<String> {
    let machine = machine(rules);
    let mut work = Work::default();
    let turn = machine.keep(&machine.initial(), &mut work).expect("a turn");
    let moves = machine.moves(&turn, &mut work).expect("moves");
    let mut words: Vec<String> = moves.iter().map(|it| machine.number_word(&it.word)).collect();
    words.sort();
    words
}

/// The numbers are those of the reference game manager: modifiers in patterns have none.
#[test]
fn modifiers_have_numbers_in_the_order_of_the_text() {
    assert_eq!(
        words("->w {? [x] [e]} (right + down) [e, x] [$ v = 1, b = 2] ->> {}"),
        ["2 2 2 4 2 5 2 6", "2 3 2 4 2 5 2 6", "3 2 3 4 3 5 3 6", "3 3 3 4 3 5 3 6",]
    );
    assert_eq!(words("->w (right [x])^1 (down [e])^1 ->b"), ["2 2 4 3 4 4"]);
    let machine = machine("->w [x] ->b");
    assert_eq!(
        machine.spell_word(&machine.read_word("4 2 3 3").expect("a word")),
        "b1 [x], a1 ->b"
    );
    for wrong in ["1", "0 1", "1 0", "5 1", "a 1", "-1 1", "99999999999 1"] {
        assert!(machine.read_word(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn what_is_proper_is_gone_through() {
    let exploration = explored("(->w {$ v < 3} [$ v = v + 1] ->b)*");
    assert!(exploration.complete, "{exploration:?}");
    assert_eq!(
        (exploration.positions, exploration.straightness, exploration.never_valid.len()),
        (8, 1, 0)
    );
    let exploration =
        explore(&machine("(->w {$ v < 3} [$ v = v + 1] ->b)*"), &mut Work::default(), 3, |_| {});
    assert_eq!(
        (exploration.positions, exploration.complete, exploration.violation),
        (3, false, None)
    );
    // The pattern has one modifier more, after the one of the move.
    assert_eq!(explored("->w [x] {? [e] [x]} ->> {}").straightness, 3);
    // The keeper may go in any order, and no later action reads the square where it stops.
    let any = "->w ->> (right + down)* [x] ->> (right + down)* [x] ->b {}";
    assert_eq!(explored(any).violation.map(|it| it.improper), Some(Improper::Keeper));
    assert!(explored("->w ->> (right + down)* {x} [e] ->> (right + down)* ->b {}").complete);
}

#[test]
fn each_condition_can_fail() {
    for (rules, improper, message) in [
        ("->w ([x])* ->b", Improper::EndlessMove, "without end"),
        ("->w {? ([x] [e])* } ->b", Improper::EndlessMove, "without end"),
        ("(->w [x] ->b)*", Improper::EndlessPlay, "comes again"),
        ("(->>)*", Improper::EndlessPlay, "comes again"),
        ("->> (right + down) ->w {e}", Improper::Keeper, "the current square b2 or a1"),
        ("->> [e, x] ->w [x]", Improper::Keeper, "`e` or `x` on a2"),
        ("->> ([$ v = 1] + [$ v = 2]) ->w", Improper::Keeper, "`v = 1` or `v = 2`"),
        ("->> (->w + ->b) [x]", Improper::Keeper, "the turn of w or of b"),
        ("->> (->w [x] + ->w [e]) ->b", Improper::Keeper, "one place in the rules or another"),
        ("->> ([x] ->> {} + ->w)", Improper::Keeper, "`x` or `e` on a2"),
    ] {
        let exploration = explored(rules);
        let violation = exploration.violation.unwrap_or_else(|| {
            panic!("{rules}: {exploration:?}", exploration = exploration.complete)
        });
        assert_eq!(violation.improper, improper, "{rules}");
        assert!(violation.message.contains(message), "{rules}: {}", violation.message);
    }
    let play = explored("->w [x] ->b ([x])*").violation.expect("a violation").play;
    assert_eq!(play.len(), 2, "the keeper, and w");
}

#[test]
fn bounds_that_are_never_respected_are_told() {
    let exploration = explored("->w ([$ v = 6] + [$ v = v - 1] + [$ v = 5]) ->b");
    assert!(exploration.complete);
    let texts: Vec<&str> = exploration.never_valid.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["[$ v = 6]", "[$ v = v - 1]"]);
}

#[test]
fn work_has_a_bound() {
    let mut work = Work { most: 10, ..Work::default() };
    let exploration = explore(&machine("->w (right + [x])* ->b"), &mut work, 10, |_| {});
    assert_eq!(exploration.broken_off, Some(Trouble::TooMuchWork));
}

/// The moves of each position have the tags of the automaton's moves there.
#[test]
fn words_have_the_tags_of_the_automaton() {
    let rules = "->w (right + down)* {e} [x] (down + right [e, x]) ->> \
        ({$ v < 5} [$ v = v + 1] ->b up [e] ->w (left + right) [x, e] ->b)*";
    let machine = machine(rules);
    let tags = Tags::new(&machine).expect("tags");
    let description = crate::rbg::translate(machine.game()).expect("an automaton");
    let automaton = crate::rg::Automaton::new(&description).expect("an automaton");
    let mut search = crate::rg::Search::default();
    let mut work = Work::default();
    let mut open = vec![(machine.initial(), automaton.initial().clone(), 0)];
    let mut compared = 0;
    while let Some((position, mut state, depth)) = open.pop() {
        automaton.keep(&mut search, &mut state).expect("a keeper");
        let position = machine.keep(&position, &mut work).expect("a keeper");
        let moves = machine.moves(&position, &mut work).expect("moves");
        let mut listed = crate::rg::Moves::default();
        if !moves.is_empty() {
            automaton.moves(&mut search, &state, &mut listed).expect("moves");
        }
        let text = |at| listed.tags(at).iter().map(|tag| automaton.text(*tag)).collect();
        let mut expected: Vec<Vec<&str>> = (0..listed.len()).map(text).collect();
        expected.sort();
        let mut named: Vec<Vec<&str>> = moves.iter().map(|it| tags.of(&it.word)).collect();
        named.sort();
        assert_eq!(named, expected);
        compared += named.len();
        for one in moves.into_iter().filter(|_| depth < 3) {
            let own = tags.of(&one.word);
            let at = (0..listed.len()).find(|at| {
                listed.tags(*at).iter().map(|tag| automaton.text(*tag)).eq(own.iter().copied())
            });
            let after = listed.successor(at.expect("the same move"), &state);
            open.push((one.to, after, depth + 1));
        }
    }
    assert!(compared > 20, "{compared}");
}
