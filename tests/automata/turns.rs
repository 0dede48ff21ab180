//! Turns of players as one, and moves that keep the row that they have found.

use crate::export::{of_rules, small};

/// The automaton written from the rules means the same; it is returned.
#[track_caller]
fn written(text: &str) -> String {
    small(text);
    let export = of_rules(text, false).expect("written from the rules");
    export.text().expect("printable names")
}

/// The rules are written with one turn for all players.
#[track_caller]
fn is_one_turn(text: &str) -> String {
    let text = written(text);
    assert!(text.contains("\nchoose, ") && !text.contains("\nchoose_"), "{text}");
    text
}

/// They are written with a turn for each.
#[track_caller]
fn is_a_turn_each(text: &str) {
    let text = written(text);
    assert!(text.contains("\nchoose_red, ") && text.contains("\nchoose_blue, "), "{text}");
}

mod of_players {
    use super::*;

    /// Red goes round to the right and blue to the left, and each has a sign of its own.
    fn race(more: &str) -> String {
        format!(
            "(role red) (role blue) (init (control red)) (init (at 1 r)) (init (at 5 b))
             (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 1)
             (<= (legal red (go ?a ?b)) (true (control red)) (true (at ?a r)) (succ ?a ?b)
                 (not (true (at ?b b))))
             (<= (legal blue (go ?a ?b)) (true (control blue)) (true (at ?a b)) (succ ?b ?a)
                 (not (true (at ?b r))))
             (<= (legal ?p rest) (true (control ?p)))
             (<= (legal red wait) (true (control blue))) (<= (legal blue wait) (true (control red)))
             (<= (next (at ?b r)) (does red (go ?a ?b))) (<= (next (at ?b b)) (does blue (go ?a ?b)))
             (<= (next (at ?a r)) (true (at ?a r)) (not red_goes))
             (<= (next (at ?a b)) (true (at ?a b)) (not blue_goes))
             (<= red_goes (does red (go ?a ?b))) (<= blue_goes (does blue (go ?a ?b)))
             (<= (next (control red)) (true (control blue)))
             (<= (next (control blue)) (true (control red)))
             (<= terminal (true (at 5 r))) (<= terminal (true (at 1 b)))
             (<= (goal red 100) (true (at 5 r))) (<= (goal red 0) (not (true (at 5 r))))
             (<= (goal blue 100) (true (at 1 b))) (<= (goal blue 0) (not (true (at 1 b)))) {more}"
        )
    }

    #[test]
    fn with_names_and_ways_of_their_own() {
        let text = is_one_turn(&race(""));
        assert!(text.contains("player = control;"), "{text}");
        assert!(text.contains("control = opponent[control];"), "{text}");
        // From square to square, for either of them.
        assert!(text.contains(": Player -> "), "{text}");
    }

    /// Only red may jump.
    #[test]
    fn that_are_not_alike() {
        let jump = "(<= (legal red (jump 3)) (true (control red)))
             (<= (next (at ?a r)) (does red (jump ?a)))";
        is_a_turn_each(&race(jump));
    }

    /// Both may go on, in ways that differ.
    #[test]
    fn that_differ_in_one_test() {
        let bonus = "(init (bonus 3 b)) (<= (next (bonus ?a ?p)) (true (bonus ?a ?p)))
             (<= (legal red cheer) (true (control red)) (true (at ?a r)) (true (bonus ?a b)))
             (<= (legal blue cheer) (true (control blue)) (true (at ?a b)) (not (true (bonus ?a b))))";
        is_a_turn_each(&race(bonus));
    }

    /// Three take turns, and each puts stones of its own colour.
    #[test]
    fn of_three_players() {
        let text = is_one_turn(
            "(role red) (role green) (role blue) (init (control green)) (after red green)
             (after green blue) (after blue red) (cell 1) (cell 2) (cell 3) (cell 4)
             (colour red r) (colour green g) (colour blue b)
             (<= (legal ?p (put ?c)) (true (control ?p)) (cell ?c) (not (taken ?c)))
             (<= (taken ?c) (true (stone ?c ?x)))
             (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
             (<= (next (stone ?c ?x)) (does ?p (put ?c)) (colour ?p ?x))
             (<= (next (stone ?c ?x)) (true (stone ?c ?x)))
             (<= (next (control ?q)) (true (control ?p)) (after ?p ?q))
             (<= open (cell ?c) (not (taken ?c))) (<= terminal (not open))
             (<= (goal ?p 100) (colour ?p ?x) (true (stone 1 ?x)))
             (<= (goal ?p 0) (colour ?p ?x) (not (true (stone 1 ?x))))",
        );
        assert!(text.contains("next_player"), "{text}");
    }

    /// Who takes a stone of another colour moves again, and counts it: the rules ask whose turn it was
    /// after they have changed whose turn it is.
    #[test]
    fn that_players_may_keep() {
        let counts: String = (0..6).map(|n| format!("(plus {n} {}) ", n + 1)).collect();
        let text = is_one_turn(&format!(
            "(role red) (role blue) (init (control red)) {counts} (cell 1) (cell 2) (cell 3)
             (init (lies 2)) (init (count red 0)) (init (count blue 0))
             (<= (legal ?p (pick ?c)) (true (control ?p)) (cell ?c) (not (true (gone ?c))))
             (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
             (<= hit (does ?p (pick ?c)) (true (lies ?c)))
             (<= hit (does ?p (pick 1)) (true (gone 3)))
             (<= (next (gone ?c)) (does ?p (pick ?c))) (<= (next (gone ?c)) (true (gone ?c)))
             (<= (next (lies 3)) (does ?p (pick 1)))
             (<= (next (lies ?c)) (true (lies ?c)) (not (does red (pick ?c))))
             (<= (next (count ?p ?m)) (true (count ?p ?n)) (true (control ?p)) hit (plus ?n ?m))
             (<= (next (count ?p ?n)) (true (count ?p ?n)) (true (control ?p)) (not hit))
             (<= (next (count ?p ?n)) (true (count ?p ?n)) (not (true (control ?p))))
             (<= (next (control ?p)) (true (control ?p)) hit)
             (<= (next (control red)) (true (control blue)) (not hit))
             (<= (next (control blue)) (true (control red)) (not hit))
             (<= open (cell ?c) (not (true (gone ?c)))) (<= terminal (not open))
             (<= (goal ?p 100) (true (count ?p 2))) (<= (goal ?p 0) (role ?p) (not (true (count ?p 2))))"
        ).replace("(not (does red (pick ?c)))", "(not (picked ?c))").replace(
            "(<= open",
            "(<= (picked ?c) (does ?p (pick ?c))) (<= open",
        ));
        assert!(text.contains("var me: "), "{text}");
    }
}

mod rows {
    use super::*;

    /// Discs that fall onto others. `lies` says where one comes to rest, and `stays` what is kept.
    fn discs(lies: &str, stays: &str) -> String {
        format!(
            "(role red) (role blue) (init (control red)) (column 1) (column 2) (above 0 1)
             (above 1 2) (above 2 3) (init (cell 1 0 base)) (init (cell 2 0 base))
             (<= (init (cell ?c ?h free)) (column ?c) (above ?l ?h)) (disc red r) (disc blue b)
             (<= (filled ?c ?h) (true (cell ?c ?h base)))
             (<= (filled ?c ?h) (true (cell ?c ?h r))) (<= (filled ?c ?h) (true (cell ?c ?h b)))
             (<= (legal ?p (drop ?c)) (true (control ?p)) (true (cell ?c ?h free)) {lies})
             (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
             (<= (next (cell ?c ?h ?d)) (does ?p (drop ?c)) (disc ?p ?d) (true (cell ?c ?h free)) {lies})
             (<= (next (cell ?c ?h ?d)) (true (cell ?c ?h ?d)) (distinct ?d free))
             {stays}
             (<= (next (control red)) (true (control blue)))
             (<= (next (control blue)) (true (control red)))
             (<= open (true (cell ?c ?h free))) (<= terminal (not open))
             (<= (goal ?p 100) (disc ?p ?d) (true (cell 1 3 ?d)))
             (<= (goal ?p 0) (disc ?p ?d) (not (true (cell 1 3 ?d))))"
        )
    }

    const LIES: &str = "(filled ?c ?l) (above ?l ?h)";
    /// Elsewhere everything stays free, and above what is free.
    const STAYS: &str = "
        (<= (next (cell ?e ?h free)) (does ?p (drop ?c)) (true (cell ?e ?h free)) (distinct ?c ?e))
        (<= (next (cell ?c ?h free)) (true (cell ?c ?l free)) (above ?l ?h))";

    /// One cell of a column is free and has something below: the net proves it, and the walk of the
    /// move has found it.
    #[test]
    fn that_moves_have_found() {
        let text = written(&discs(LIES, STAYS));
        assert!(!text.contains("following"), "{text}");
        assert!(!text.contains("next_cell"), "{text}");
    }

    /// The rule about whoever waits holds for all columns, and not for the one with the disc.
    #[test]
    fn of_columns_without_a_move() {
        let marks = "(<= (next (mark ?c ?h)) (does ?q wait) (true (cell ?c ?h free)) (filled ?c ?l)
            (above ?l ?h))";
        written(&discs(LIES, &format!("{STAYS} {marks}")));
    }

    /// A disc that may lie on any free cell comes to rest on all of them at once.
    #[test]
    fn of_which_there_are_several() {
        let stays = "(<= (next (cell ?e ?h free)) (does ?p (drop ?c)) (true (cell ?e ?h free))
            (distinct ?c ?e))";
        let text = written(&discs("(above ?l ?h)", stays));
        assert!(text.contains("following"), "{text}");
    }

    /// The move asks for more than its effect asks for, so the effect is known.
    #[test]
    fn that_effects_do_not_ask_for() {
        let text = discs(LIES, STAYS).replace(
            "(disc ?p ?d) (true (cell ?c ?h free)) (filled ?c ?l) (above ?l ?h))",
            "(disc ?p ?d) (true (cell ?c ?h free)) (above ?l ?h) (filled ?c 0))",
        );
        assert_ne!(text, discs(LIES, STAYS));
        // All free cells of the column hold a disc then, though the rules say that they stay free, too.
        let text = text
            .replace("(<= (next (cell ?c ?h free)) (true (cell ?c ?l free)) (above ?l ?h))", "");
        let written = written(&text);
        assert!(written.contains("following"), "{written}");
    }

    /// A cell that is free makes the one above it free again: that changes something here, as discs
    /// are taken from below.
    #[test]
    fn that_change_something() {
        let taken = "(<= (legal ?p (take ?c)) (true (control ?p)) (true (cell ?c 1 r)))
            (<= (legal ?p (take ?c)) (true (control ?p)) (true (cell ?c 1 b)))
            (<= (next (cell ?c 1 free)) (does ?p (take ?c)))
            (<= (next (count 1)) (true (count 0))) (<= (next (count 2)) (true (count 1)))
            (<= (next (count 3)) (true (count 2))) (init (count 0)) (<= terminal (true (count 3)))
            (<= (next (cell ?e ?h free)) (does ?p (take ?c)) (true (cell ?e ?h free)))
            (<= (taken ?c) (does ?p (take ?c)))";
        let keeps = "(<= (next (cell ?c ?h ?d)) (true (cell ?c ?h ?d)) (distinct ?d free))";
        let kept = "(<= (next (cell ?c ?h ?d)) (true (cell ?c ?h ?d)) (distinct ?d free)
            (not (taken ?c)))
            (<= (next (cell ?c ?h ?d)) (true (cell ?c ?h ?d)) (distinct ?d free) (distinct ?h 1))";
        let all = discs(LIES, &format!("{STAYS} {taken}")).replace(keeps, kept);
        assert!(all.contains("(not (taken ?c))"));
        // Where a disc floats above a free cell, that one is free and is not: two values.
        let all = all.replace(
            "(<= (next (cell ?c ?h free)) (true (cell ?c ?l free)) (above ?l ?h))",
            "(<= (next (cell ?c ?h free)) (true (cell ?c ?l free)) (above ?l ?h) (true (cell ?c ?h free)))",
        );
        written(&all);
    }
}
