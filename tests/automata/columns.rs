//! Columns in which things fall: cells are looked for from what a move names.

use crate::export::{each_of_rules, small};

/// Two players drop discs into columns until the board is full. Rules say where a disc comes to lie.
fn game(width: usize, height: usize, rules: &str) -> String {
    let mut text = format!(
        "(role x) (role o) (init (control x))
         (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
         (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
         (<= (line ?p) (true (cell ?c ?h ?p)) (step ?c ?d) (true (cell ?d ?h ?p)) (disc ?p))
         (<= terminal (line ?p)) (<= terminal (not open))
         (<= (goal ?p 100) (line ?p)) (<= (goal ?p 0) (role ?p) (not (line ?p)))
         (disc x) (disc o) {rules} "
    );
    (1..=width).for_each(|c| text += &format!("(column {c}) "));
    (1..=height).for_each(|h| text += &format!("(row {h}) "));
    (1..width).for_each(|c| text += &format!("(step {c} {}) ", c + 1));
    (1..height).for_each(|h| text += &format!("(above {h} {}) ", h + 1));
    text
}

/// The free cell with something below is asked for by the move; a row of dirt lies below all.
fn with_dirt(width: usize, height: usize) -> String {
    let mut rules = "(<= (legal ?p (drop ?c)) (true (control ?p)) (true (cell ?c ?h free)) (filled ?c ?g) (above ?g ?h))
         (<= (filled ?c ?h) (true (cell ?c ?h dirt)))
         (<= (filled ?c ?h) (true (cell ?c ?h x))) (<= (filled ?c ?h) (true (cell ?c ?h o)))
         (<= (next (cell ?c ?h ?p)) (does ?p (drop ?c)) (true (cell ?c ?h free)) (filled ?c ?g) (above ?g ?h))
         (<= (next (cell ?c ?h ?z)) (true (cell ?c ?h ?z)) (distinct ?z free))
         (<= (next (cell ?d ?h free)) (does ?p (drop ?c)) (true (cell ?d ?h free)) (distinct ?c ?d))
         (<= (next (cell ?c ?h free)) (true (cell ?c ?g free)) (above ?g ?h))
         (<= open (true (cell ?c ?h free))) "
        .to_owned();
    for c in 1..=width {
        rules += &format!("(init (cell {c} 1 dirt)) ");
        (2..=height).for_each(|h| rules += &format!("(init (cell {c} {h} free)) "));
    }
    game(width, height, &rules)
}

/// A column is open if its highest cell is; two rules say where a disc comes to lie.
fn by_two_rules(width: usize, height: usize, lies: &str) -> String {
    game(
        width,
        height,
        &format!(
            "(<= (legal ?p (drop ?c)) (true (control ?p)) (free ?c {height}) (column ?c))
             (<= (next (cell ?c 1 ?p)) (does ?p (drop ?c)) (free ?c 1))
             (<= (next (cell ?c ?h ?p)) (does ?p (drop ?c)) (free ?c ?h) {lies})
             (<= (next (cell ?c ?h ?p)) (true (cell ?c ?h ?p)))
             (<= (free ?c ?h) (column ?c) (row ?h) (not (true (cell ?c ?h x))) (not (true (cell ?c ?h o))))
             (<= open (column ?c) (free ?c {height}))"
        ),
    )
}

const ON_A_DISC: &str = "(above ?g ?h) (not (free ?c ?g))";

/// The texts of a game, in which cells of one column are gone through.
#[track_caller]
fn written(text: &str) -> Vec<String> {
    small(text);
    let each = each_of_rules(text, false);
    each.iter().map(|export| export.text().expect("printable names")).collect()
}

/// A move is legal, and the board is open, as long as a highest cell is free: no other cell is asked for
/// that, and the move looks for the cell.
#[test]
fn a_row_of_dirt_lies_below() {
    let texts = written(&with_dirt(3, 4));
    // Over columns and rows apart, the move could not look for its cell.
    let mut of_squares = texts.iter().filter(|text| text.contains("cell_of"));
    let (Some(text), None) = (of_squares.next(), of_squares.next()) else { panic!("{texts:?}") };
    let highest = "const cell_of: C -> Ch_3 = { 2: 2_4, 3: 3_4, :1_4 };";
    for wanted in [highest, "c = C(*);", "= cell_of[c];", "ch = first_above[c];"] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    let open = text.lines().find(|line| line.starts_with("is_open, "));
    assert!(open.is_some_and(|line| line.ends_with("= Ch_3(*);")), "{text}");
}

/// The cell is another one where no disc may lie highest, and there is none where a move needs more than one.
#[test]
fn a_cell_tells_of_its_column_if_it_is_free_exactly_as_long_as_the_move_is_legal() {
    let game = |more: &str| {
        let lies = "(filled ?c ?g) (above ?g ?h)";
        let text = with_dirt(3, 4).replace(lies, &format!("{lies} {more}"));
        assert_eq!(text.matches(more).count(), 2, "of moves, and of their effects: {text}");
        text
    };
    let texts = written(&game("(distinct ?h 4)"));
    assert!(texts.iter().any(|text| text.contains("= { 2: 2_3, 3: 3_3, :1_3 };")), "{}", texts[0]);
    let has_none = |texts: Vec<String>| {
        assert!(texts.iter().all(|text| !text.contains("cell_of")), "{}", texts[0]);
    };
    has_none(written(&game("(true (cell 1 2 free))")));
    // The effect of the move asks for more rows than there are legal moves.
    let legal = "(true (cell ?c ?h free)) (filled ?c ?g) (above ?g ?h)";
    let text = with_dirt(3, 4).replacen(legal, &format!("{legal} (distinct ?h 4)"), 1);
    assert_eq!(text.matches("(distinct ?h 4)").count(), 1, "{text}");
    has_none(written(&text));
}

/// Witnesses are for conditions that ask whether there is a free cell. A move that names a free cell goes through
/// all of them.
#[test]
fn a_move_that_names_a_free_cell_may_name_any() {
    let looks = "(<= (legal ?p (look ?c ?h)) (true (control ?p)) (true (cell ?c ?h free)))
         (<= (next (cell ?c ?h free)) (does ?p (look ?d ?g)) (true (cell ?c ?h free)))";
    // Whichever kind of moves is written first.
    for text in [with_dirt(3, 3) + looks, looks.to_owned() + &with_dirt(3, 3)] {
        let texts = written(&text);
        assert!(texts.iter().any(|text| text.contains("cell_of")), "{}", texts[0]);
    }
}

/// What a move brings about is one fact, which the move alone tells: a column of one cell.
#[test]
fn a_column_may_have_one_cell() {
    let switches = |more: &str| {
        format!(
            "(role red) (role white) (init off) (init dark) (init start)
             (leads off a on) (leads on a on) (leads on b off) (leads off b off)
             (leads dark c light) (leads light c light) (leads light d dark) (leads dark d dark)
             (legal red a) (legal red b) (legal white c) (legal white d)
             (<= (next ?q) (leads ?p ?move ?q) (does ?role ?move) (true ?p) {more})
             (<= (next end) (true start)) (<= terminal (true end))
             (<= (goal red 100) (true on)) (<= (goal red 0) (true off))
             (<= (goal white 100) (true light)) (<= (goal white 0) (true dark))"
        )
    };
    for text in [switches(""), switches("(distinct ?q light)")] {
        assert!(!written(&text).is_empty());
    }
}

/// Rules that are nearly those of discs that fall on dirt.
#[test]
fn of_random_rules_with_dirt() {
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut one = |from: &[&'static str]| from[random(from.len())];
    for _ in 0..16 {
        let lies =
            ["(filled ?c ?g) (above ?g ?h)", "(filled ?c ?g) (above ?h ?g)", "(filled 1 ?h)", ""];
        let kept = one(&["(above ?g ?h)", "(above ?g ?h) (distinct ?h 2)", "(above ?h ?g)"]);
        let open = one(&["(true (cell ?c ?h free))", "(true (cell ?c 3 free))", "(filled ?c ?h)"]);
        let mut rules = format!(
            "(<= (legal ?p (drop ?c)) (true (control ?p)) (true (cell ?c ?h free)) {})
             (<= (filled ?c ?h) (true (cell ?c ?h dirt)))
             (<= (filled ?c ?h) (true (cell ?c ?h x))) (<= (filled ?c ?h) (true (cell ?c ?h o)))
             (<= (next (cell ?c ?h ?p)) (does ?p (drop ?c)) (true (cell ?c ?h free)) {})
             (<= (next (cell ?c ?h ?z)) (true (cell ?c ?h ?z)) (distinct ?z free))
             (<= (next (cell ?d ?h free)) (does ?p (drop ?c)) (true (cell ?d ?h free)) (distinct ?c ?d))
             (<= (next (cell ?c ?h free)) (true (cell ?c ?g free)) {kept})
             (<= open {open}) ",
            one(&lies[..3]),
            one(&lies),
        );
        for (c, h) in (1..=3).flat_map(|c| (1..=3).map(move |h| (c, h))) {
            let piece = one(&["dirt", "free", "free", "free", "x"]);
            rules += &format!("(init (cell {c} {h} {})) ", if h == 1 { "dirt" } else { piece });
        }
        small(&game(3, 3, &rules));
    }
}

#[test]
fn one_cell_at_most_is_written_by_two_rules() {
    let texts = written(&by_two_rules(3, 3, ON_A_DISC));
    // Over squares: columns and rows apart are looked through otherwise.
    let text = &texts[0];
    assert!(text.contains("= first_"), "{text}");
    // Nothing is copied, and the end asks through the new cell, whichever rule wrote it.
    assert!(!text.contains("next_cell"), "{text}");
    let told = text.lines().filter(|line| line.starts_with("var new_"));
    assert!((1..=3).contains(&told.count()), "{text}");
}

/// Where several cells may be written, none of them ends the search.
#[test]
fn all_free_cells_are_written() {
    for lies in ["(above ?g ?h)", "(above ?g ?h) (free ?c ?g)", "(above ?g ?h) (not (free 1 ?g))"] {
        written(&by_two_rules(3, 3, lies));
    }
}

/// Rules that are nearly those of falling discs.
#[test]
fn of_random_rules() {
    let mut state = 11u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for _ in 0..16 {
        let mut one = |from: &[&'static str]| from[random(from.len())];
        let below = one(&["(above ?g ?h)", "(above ?h ?g)", "(above ?g ?h) (above ?h ?k)"]);
        let lies = one(&[
            "(not (free ?c ?g))",
            "(free ?c ?g)",
            "(true (cell ?c ?g ?q))",
            "(not (true (cell ?c ?g x)))",
        ]);
        let legal = one(&[
            "(free ?c 3)",
            "(free ?c 1)",
            "(free ?c ?i) (row ?i)",
            "(free ?c 2) (free ?c 3)",
        ]);
        let first = one(&["(free ?c 1)", "(free ?c 1) (free ?c 2)", "(not (free ?c 3))"]);
        small(&game(
            3,
            3,
            &format!(
                "(<= (legal ?p (drop ?c)) (true (control ?p)) {legal} (column ?c))
                 (<= (next (cell ?c 1 ?p)) (does ?p (drop ?c)) {first})
                 (<= (next (cell ?c ?h ?p)) (does ?p (drop ?c)) (free ?c ?h) {below} {lies})
                 (<= (next (cell ?c ?h ?p)) (true (cell ?c ?h ?p)))
                 (<= (free ?c ?h) (column ?c) (row ?h) (not (true (cell ?c ?h x))) (not (true (cell ?c ?h o))))
                 (<= open (column ?c) (free ?c 3))"
            ),
        ));
    }
}
