//! Boards found in small rulesheets.

use super::*;
use gdlr_rules::gdl::{Game, Term};

/// The boards of rules whose facts stand in `(facts …)`.
fn found(facts: &str, rules: &str) -> (Boards, Vec<Term>, Game) {
    let text = format!("(facts {facts}) (role red) (role blue) {rules}");
    let game = Game::from_kif("t", &text).expect("a readable rulesheet");
    let facts = game.rules[0].head.args.clone();
    let boards = Boards::find(&game, &facts);
    let planes = Planes::new(&boards, &facts, &game.symbols);
    let mut seen = std::collections::BTreeSet::new();
    for (fact, term) in facts.iter().enumerate() {
        assert!(seen.insert(planes.slot(fact)), "one slot each");
        assert_eq!(planes.fact(planes.slot(fact)), Some(fact));
        assert_eq!(planes.other_range().contains(&planes.slot(fact)), boards.place(term).is_none());
    }
    (boards, facts, game)
}

/// Facts of a form over some values: `(cell {} {} x)`.
fn all(form: &str, first: &[&str], second: &[&str]) -> String {
    let fact = |a: &&str| {
        second.iter().map(|b| form.replacen("{}", a, 1).replacen("{}", b, 1)).collect::<String>()
    };
    first.iter().map(fact).collect()
}

/// By board: its name, its axes, and its pieces.
fn summary(boards: &Boards) -> Vec<String> {
    let of = |board: &Board| {
        let pieces: Vec<&str> = board.channels.iter().map(|channel| &*channel.piece).collect();
        let (rows, columns) = (board.rows.labels.join(""), board.columns.labels.join(""));
        let layers = board.layers.join("");
        format!("{} {layers}|{rows}|{columns}|{}", board.name, pieces.join(" "))
    };
    boards.boards().iter().map(of).collect()
}

const MARK: &str = "(<= (next (cell ?a ?b ?p)) (does ?p (mark ?a ?b)))
    (<= (next (cell ?a ?b ?c ?p)) (does ?p (mark ?a ?b ?c)))";

#[test]
fn two_gaps_are_the_axes() {
    let facts = all("(cell {} {} red)", &["9", "11", "10"], &["3", "4"]);
    let (boards, ..) = found(&(facts.clone() + "(control red)"), MARK);
    assert_eq!(summary(&boards), ["cell |43|91011|red"]);
    assert_eq!(boards.boards()[0].channels[0].name, "(cell _ _ red)");
    assert_eq!(boards.boards()[0].channels[0].owner, Some(0));
    // Without moves or neighbours nothing says that there are squares.
    assert!(summary(&found(&facts, "").0).is_empty());
    // The order of the list says nothing.
    let (turned, ..) = found(&("(control red)".to_owned() + &facts), MARK);
    assert_eq!(summary(&turned), summary(&boards));
}

#[test]
fn squares_may_be_named_by_two_numbers() {
    let rules = "(<= (next (cell ?s ?p)) (does ?p (mark ?s)))";
    let facts = "(cell V__1_10 red) (cell V__1_9 red) (cell V__2_9 blue) (cell V__2_10 blue)";
    let (boards, facts, _) = found(&format!("{facts} (cell null blue)"), rules);
    assert_eq!(summary(&boards), ["cell |109|12|blue red"]);
    // Of what is beside the board, one value may be.
    assert_eq!(boards.place(&facts[4]), None);
    assert!(boards.place(&facts[3]).is_some());
    let beside = "(cell V__1_1 red) (cell V__2_1 red) (cell V__1_2 red) (cell a b) (cell b b)";
    assert!(summary(&found(beside, rules).0).is_empty());
}

#[test]
fn letters_run_across_and_rows_down() {
    let mut facts = all("(cell {} {} red)", &["1", "2"], &["a", "b"]);
    assert_eq!(summary(&found(&facts, MARK).0), ["cell |21|ab|red"]);
    facts = all("(cell {} {} red)", &["1", "2"], &["1", "2", "3"]);
    let named = "(<= (next (cell ?row ?col ?p)) (does ?p (mark ?row ?col)))";
    assert_eq!(summary(&found(&facts, named).0), ["cell |12|123|red"]);
    let named = "(<= (next (cell ?y ?x ?p)) (does ?p (mark ?y ?x)))";
    assert_eq!(summary(&found(&facts, named).0), ["cell |21|123|red"]);
}

#[test]
fn relations_with_the_same_axes_share_a_board() {
    let facts =
        all("(cell {} {} red)", &["1", "2"], &["1", "2", "3"]) + "(pit 1 2) (pit 2 3) (at 1 2)";
    let rules = format!(
        "{MARK} (<= (next (pit ?a ?b)) (true (cell ?a ?b ?p)) (true (pit ?a ?b)))
         (<= (next (at ?b ?a)) (true (cell ?a ?b ?p)))"
    );
    // The axes of `at` are crossed.
    let (boards, facts, _) = found(&facts, &rules);
    assert_eq!(summary(&boards), ["cell |321|12|red pit at"]);
    let place = |row, column| Some(Placement { board: 0, channel: 2, row, column });
    assert_eq!(boards.place(&facts[8]), place(2, 1));
}

#[test]
fn relations_named_as_pieces() {
    let facts = all("(white-pawn {} {})", &["1", "2"], &["1", "2"])
        + &all("(black-pawn {} {})", &["1", "2"], &["1", "2"]);
    let rules = "(<= (legal red (move ?x ?y)) (true (white-pawn ?x ?y)))
        (<= (legal red (move ?x ?y)) (true (black-pawn ?x ?y)))";
    assert_eq!(summary(&found(&facts, rules).0), ["white-pawn |21|12|white-pawn black-pawn"]);
}

#[test]
fn squares_with_names_and_terms() {
    let rules = "(<= (next (cell ?square ?p)) (does ?p (mark ?square)))";
    let (boards, facts, _) =
        found("(cell a1 red) (cell a2 red) (cell b1 red) (cell b1 blue)", rules);
    assert_eq!(summary(&boards), ["cell |21|ab|blue red"]);
    let place = Placement { board: 0, channel: 1, row: 0, column: 0 };
    assert_eq!(boards.place(&facts[1]), Some(place));
    assert!(!boards.boards()[0].has_square(0, 1) && boards.boards()[0].has_square(1, 1));
    let facts = all("(on (at {} {}) (pawn red)) ", &["1", "2"], &["1", "2"]) + "(on (at 1 1) king)";
    let rules = "(<= (next (on ?square ?what)) (does red (put ?square ?what)))
        (<= (legal red (put (at ?x ?y) ?what)) (true (on (at ?x ?y) ?what)))";
    assert_eq!(summary(&found(&facts, rules).0), ["on |21|12|red king"]);
}

#[test]
fn layers_and_boards_of_boards() {
    let deep =
        |layer: &str| all(&format!("(cell {{}} {{}} {layer} red)"), &["1", "2"], &["1", "2"]);
    let facts = deep("1") + &deep("2");
    let (boards, ..) = found(&facts, MARK);
    assert_eq!(summary(&boards), ["cell 12|21|12|red red"]);
    let one = |outer: &str| all(&format!("(cell {outer} {{}} {{}} red)"), &["1", "2"], &["1", "2"]);
    let facts = one("1 1") + &one("1 2") + &one("2 1") + &one("2 2");
    let rules = "(<= (next (cell ?a ?b ?c ?d ?p)) (does ?p (mark ?a ?b ?c ?d)))";
    let (boards, ..) = found(&facts, rules);
    assert_eq!(boards.boards()[0].columns.labels, ["1.1", "1.2", "2.1", "2.2"]);
    assert_eq!(boards.boards()[0].rows.labels, ["2.2", "2.1", "1.2", "1.1"]);
}

#[test]
fn boards_side_by_side_are_as_wide_as_their_titles() {
    let axis = ["1", "2"];
    let names = ["northernquadrant", "easternquadrant", "southernquadrant", "westernquadrant"];
    let of = |name: &str| all(&format!("(holds {name} {{}} {{}} red)"), &axis, &axis);
    let facts: String = names.map(of).concat();
    let rules = "(<= (next (holds ?b ?a ?c ?p)) (does ?p (mark ?b ?a ?c)))";
    let (boards, facts, game) = found(&facts, rules);
    assert_eq!(boards.boards()[0].layers.len(), 4);
    let text = boards.render(&facts, &game.symbols);
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|widest| widest <= 80), "{text}");
    // A grid begins where its title begins.
    let (title, grid) = (text.lines().next().unwrap(), text.lines().nth(1).unwrap());
    let second = title.match_indices("holds").nth(1).expect("two titles in a line").0;
    assert!(grid[second..].starts_with("  1"), "{text}");
}

#[test]
fn one_row() {
    let all = |form: &str| ["1", "2", "3", "4"].map(|a| form.replace("{}", a)).concat();
    let rules = "(<= (next (token ?n ?p)) (does ?p (put ?n)))";
    let (boards, ..) = found(&(all("(token {} red)") + &all("(token {} blue)")), rules);
    assert_eq!(summary(&boards), ["token ||1234|blue red"]);
    // The belongings of a role stand nowhere.
    let rules = "(<= (next (card ?p ?n)) (true (card ?p ?n)) (not (does ?p (play ?n))))";
    assert!(summary(&found(&all("(card red {}) (card blue {})"), rules).0).is_empty());
}

#[test]
fn what_is_no_board() {
    let numbers = ["0", "1", "2", "3"];
    let rules = "(succ 0 1) (succ 1 2) (succ 2 3)
        (<= (next (heap ?h ?m)) (does ?p (take ?h ?m)) (true (heap ?h ?n)) (succ ?m ?n))
        (<= (next (score ?p ?m)) (true (score ?p ?n)) (succ ?n ?m) (does ?p (add ?n)))
        (<= (next (on ?a ?b)) (does ?p (put ?a ?b)) (true (on ?b ?c)))";
    let facts = all("(heap {} {})", &["a", "b", "c"], &numbers)
        + &all("(score {} {})", &["red", "blue"], &numbers)
        + &all("(on {} {})", &["a", "b", "c"], &["a", "b", "c"]);
    assert!(summary(&found(&facts, rules).0).is_empty());
}

#[test]
fn a_state_as_text() {
    let axis = ["1", "2", "3"];
    let facts = all("(cell {} {} b)", &axis, &axis)
        + &all("(cell {} {} red)", &axis, &axis)
        + "(at 2 2) (at 1 1) (at 1 2) (at 2 1) (step 10) (step 9)";
    let rules = format!("{MARK} (<= (next (at ?a ?b)) (true (cell ?a ?b red)))");
    let (boards, facts, game) = found(&facts, &rules);
    let state: Vec<Term> =
        [0, 9 + 4, 18, 9 + 6, 22, 23].iter().map(|&at: &usize| facts[at].clone()).collect();
    let shown = "cell
  3      .      .      .
  2      . red+at      .
  1      .      .    red
         1      2      3
(step 9)  (step 10)
";
    assert_eq!(boards.render(&state, &game.symbols), shown);
}

#[test]
fn parts_of_a_text_say_what_they_show() {
    let axis = ["1", "2", "3"];
    let facts = all("(cell {} {} b)", &axis, &axis)
        + &all("(cell {} {} red)", &axis, &axis)
        + "(at 2 2) (step 1)";
    let rules = format!("{MARK} (<= (next (at ?a ?b)) (true (cell ?a ?b red)))");
    let (boards, facts, game) = found(&facts, &rules);
    let state = |at: &[usize]| -> Vec<Term> { at.iter().map(|&at| facts[at].clone()).collect() };
    // Something comes to the middle and joins what stands there, something leaves the corner.
    let (before, now) = (state(&[9, 18, 19]), state(&[9 + 4, 18, 19]));
    let parts = boards.render_parts(&now, Some(&before), &game.symbols);
    let text: String = parts.iter().map(|part| &*part.text).collect();
    assert_eq!(text, boards.render(&now, &game.symbols));
    let owner = game.roles.iter().position(|role| role.spelled(&game.symbols) == "red");
    assert!(owner.is_some());
    let changed: Vec<(&str, Shows)> =
        parts.iter().filter(|part| part.changed).map(|part| (&*part.text, part.shows)).collect();
    let piece = Shows::Piece;
    let expected =
        [("red", piece(owner)), ("+", Shows::Plain), ("at", piece(None)), (".", Shows::Blank)];
    assert_eq!(changed, expected);
    let shown = |shows| -> Vec<&str> {
        parts.iter().filter(|part| part.shows == shows).map(|part| &*part.text).collect()
    };
    assert_eq!(shown(Shows::Label), ["3", "2", "1", "1", "2", "3"]);
    assert_eq!(shown(Shows::Blank).len(), 8);
    assert!(shown(Shows::Plain).iter().any(|text| text.ends_with("(step 1)\n")));
    let unmarked = boards.render_parts(&now, None, &game.symbols);
    assert!(unmarked.iter().all(|part| !part.changed));
}

#[test]
fn short_names_have_a_legend() {
    let axis: Vec<String> = (1..=12).map(|n| n.to_string()).collect();
    let axis: Vec<&str> = axis.iter().map(|n| &**n).collect();
    let facts = all("(cell {} {} crosses)", &axis, &["1", "2"]);
    let (boards, facts, game) = found(&facts, MARK);
    let shown = "cell
  2  .  .  .  .  .  .  .  .  .  .  .  .
  1  c  .  .  .  .  .  .  .  .  .  .  .
     1  2  3  4  5  6  7  8  9 10 11 12
  c = crosses
";
    assert_eq!(boards.render(&facts[..1], &game.symbols), shown);
}

#[test]
fn an_e_is_empty_but_not_among_directions() {
    let squares = ["rx0y0", "rx1y0", "rx0y1", "rx1y1"];
    let rules = "(<= (next (board ?s ?p)) (does ?p (mark ?s)))";
    let blank = |pieces: &[&str]| {
        let (boards, ..) = found(&all("(board {} {})", &squares, pieces), rules);
        let channels = &boards.boards()[0].channels;
        let blank: Vec<&str> =
            channels.iter().filter(|of| of.is_blank).map(|of| &*of.piece).collect();
        blank.join(" ")
    };
    assert_eq!(blank(&["e", "x", "o"]), "e");
    assert_eq!(blank(&["e", "n", "w"]), "");
}

#[test]
fn a_part_of_a_graph_is_no_board() {
    let rules = "(<= (next (board ?s ?p)) (does ?p (mark ?s)))
        (<= (next (here ?s)) (does ?p (mark ?s)))";
    let of_graph = ["rx0y0", "rx1y0", "rx0y1", "rx1y1", "left", "right"];
    let here = all("(here {})", &of_graph[..4], &[""]);
    let (boards, ..) = found(&(all("(board {} {})", &of_graph, &["red"]) + &here), rules);
    assert!(summary(&boards).is_empty(), "{:?}", summary(&boards));
    let (boards, ..) = found(&(all("(board {} {})", &of_graph[..4], &["red"]) + &here), rules);
    assert_eq!(summary(&boards), ["board |01|01|red here"]);
}
