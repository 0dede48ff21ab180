//! Machine code for random play has few branches that a processor must guess: words, squares and
//! comparisons are found without one. It plays as the interpreter does.

use crate::native::{PLAYERS, ahead, both, play, play_alike};
use gdlr::rg::{PlayError, Search};

/// Plays alike, and machine code plays all moves.
#[track_caller]
fn played_by_code(text: &str) {
    let (automaton, plain) = both(text);
    play_alike(&automaton, &plain, 40);
    for seed in 0..20 {
        let moves = play(&plain, &mut Search::default(), seed, 40).0.expect("a play").moves;
        assert_eq!(ahead(&automaton, seed, 40), moves, "seed {seed} of\n{text}");
    }
}

fn list(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect::<Vec<_>>().join(", ")
}

/// Pieces on a row of squares, which go one square on, or three, and jump if nobody does. `held` says
/// which pieces move, and `landed` to which squares.
fn pieces(squares: usize, [held, named]: [&str; 2], landed: &[&str]) -> String {
    let step = |by: usize| list(squares, |at| format!("s{at}: s{}", (at + by) % squares));
    let lands = |from: &str, to: &str| -> String {
        landed.iter().map(|condition| format!("{from}, {to}: {condition};")).collect()
    };
    format!(
        "{PLAYERS} type S = {{ {} }}; type Piece = {{ none, mine, yours, wall }};
         const next: S -> S = {{ {}, :s0 }}; const far: S -> S = {{ {}, :s0 }};
         var board: S -> Piece = {{ {}, :none }}; var at: S = s0; var probe: S = s0;
         begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper; turn, chosen: at = S(*);
         chosen, first: {held}; first, held: {named}; held, lifted: board[at] = none;
         lifted, walk: $ walk; walk, near: at = next[at]; {}
         lifted, leap: at = far[at]; {}
         landed, tagged: $$ at; tagged, kept: player = keeper; kept, put: board[at] = mine;
         put, more: ? any -> found; more, turn: player = a;
         put, over: ! any -> found; over, end: player = keeper;
         any, one: probe = S(*); one, found: board[probe] == yours;",
        list(squares, |at| format!("s{at}")),
        step(1),
        step(3),
        list(squares, |at| {
            let piece = ["mine", "none", "yours", "none", "wall", "mine", "none"][at * at % 7];
            format!("s{at}: {piece}")
        }),
        lands("near", "landed"),
        lands("leap", "landed"),
    )
}

#[test]
fn squares_are_found_many_at_once() {
    for squares in [5, 16, 17, 31, 37] {
        for (held, named) in [
            ("board[at] == mine", "$$ at"),
            ("$$ at", "board[at] == mine"),
            ("board[at] != none", "$$ at"),
            ("$$ at", "board[at] != none"),
            ("$$ at", "board[next[at]] == none"),
            ("$$ at", "next[at] != at"),
        ] {
            played_by_code(&pieces(squares, [held, named], &["board[at] == none"]));
        }
    }
}

#[test]
fn pieces_land_on_some_squares() {
    let [none, mine, yours, wall] =
        ["none", "mine", "yours", "wall"].map(|piece| format!("board[at] == {piece}"));
    for landed in [
        vec![&*none, &*yours],
        vec![&*wall, &*none, &*yours],
        vec![&*none, &*mine, &*yours, &*wall],
        vec!["board[at] != wall"],
        vec!["board[at] != mine", "board[at] != none"],
    ] {
        played_by_code(&pieces(23, ["board[at] == mine", "$$ at"], &landed));
    }
}

/// A piece lands on some squares of many kinds.
#[test]
fn squares_of_many_kinds_are_told_apart() {
    played_by_code(&format!(
        "{PLAYERS} type S = {{ {} }}; type Kind = {{ {} }}; const next: S -> S = {{ {}, :s0 }};
         var board: S -> Kind = {{ {}, :k9 }}; var at: S = s0;
         begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper;
         turn, chosen: at = S(*); chosen, held: board[at] == k9; held, named: $$ at;
         named, near: at = next[at]; near, landed: board[at] == k0; near, landed: board[at] == k2;
         near, landed: board[at] == k3; landed, tagged: $$ at; tagged, kept: player = keeper;
         kept, put: board[at] = k9; put, turn: player = a;",
        list(12, |at| format!("s{at}")),
        list(70, |at| format!("k{at}")),
        list(12, |at| format!("s{at}: s{}", (at + 1) % 12)),
        [1, 3, 5, 7, 9]
            .iter()
            .zip([0, 2, 64, 66, 67])
            .map(|(at, kind)| format!("s{at}: k{kind}"))
            .collect::<Vec<_>>()
            .join(", "),
    ));
}

/// The last tag of a move, behind a comparison, does not fit into the word of the tags before it.
#[test]
fn last_tags_fill_a_word() {
    for tags in 7..11 {
        let tagged: String = (0..tags).map(|at| format!("t{at}, t{}: $ go;", at + 1)).collect();
        played_by_code(&format!(
            "{PLAYERS} type S = {{ {} }}; const next: S -> S = {{ {}, :s0 }};
             var board: S -> Bit = {{ s1: 1, :0 }}; var at: S = s0;
             begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper;
             turn, t0: at = S(*); {tagged} t{tags}, moved: at = next[at]; moved, free: board[at] == 0; free, named: $$ at;
             named, kept: player = keeper; kept, put: board[at] = 1; put, turn: player = a;",
            list(70, |at| format!("s{at}")),
            list(69, |at| format!("s{at}: s{}", at + 1)),
        ));
    }
}

/// Few last tags have no loop.
#[test]
fn last_tags_are_compared() {
    for squares in [3, 7, 16, 17] {
        for condition in [
            "board[at] == 0",
            "board[next[at]] != 1",
            "board[turned[at]] == 0",
            "board[at] == turned_bit",
            "next[at] != far",
            "turned[at] != at",
        ] {
            played_by_code(&format!(
                "{PLAYERS} type S = {{ {} }}; const next: S -> S = {{ {}, :s0 }};
                 var board: S -> Bit = {{ s1: 1, :0 }}; var turned: S -> S = {{ {}, :s0 }};
                 var at: S = s0; var far: S = s0; var turned_bit: Bit = 0;
                 begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper; turn, tagged: $ put; tagged, chosen: at = S(*);
                 chosen, free: {condition}; free, named: $$ at; named, kept: player = keeper;
                 kept, put: board[at] = 1; put, turning: turned[at] = next[at];
                 turning, farther: far = at; farther, on: turned_bit = board[s2];
                 on, turn: player = a;",
                list(squares, |at| format!("s{at}")),
                list(squares, |at| format!("s{at}: s{}", (at + 1) % squares)),
                list(squares, |at| format!("s{at}: s{}", (at + 2) % squares)),
            ));
        }
    }
}

/// The first tags of two kinds of moves are symbols of sets that lie between each other.
#[test]
fn a_first_tag_is_in_its_set() {
    for count in [4, 9, 70] {
        let every = |of: usize, step: usize| {
            let symbols = (0..count).filter(|at| at % step == of % step);
            symbols.map(|at| format!("s{at}")).collect::<Vec<_>>().join(", ")
        };
        played_by_code(&format!(
            "{PLAYERS} type S = {{ {} }}; type Odd = {{ {} }}; type Even = {{ {} }};
             var odd: Odd = s1; var even: Even = s0; var last: Bit = 0; var at: S = s0;
             begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper;
             turn, o: odd = Odd(*); o, odds: $$ odd; odds, is: last = 1; is, done: at = odd;
             turn, e: even = Even(*); e, evens: $$ even; evens, no: last = 0; no, done: at = even;
             done, kept: player = keeper; kept, turn: player = a;",
            list(count, |at| format!("s{at}")),
            every(1, 2),
            every(0, 2),
        ));
    }
}

/// What a move assigns at its end is left out of its word, unless something depends on it.
#[test]
fn a_turned_board_is_looked_at() {
    for (before, looked) in [
        ("", ""),
        ("", "board[s0] == 1"),
        ("", "helper == 1"),
        ("", "board[near] == 1"),
        ("", "? look -> seen"),
        ("", "! look -> seen"),
        ("wide = 2", ""),
        ("wide = up[wide]", ""),
    ] {
        let words = played_by_code;
        words(&format!(
            "{PLAYERS} type S = {{ s0, s1, s2 }}; type Wide = {{ 0, 1, 2 }};
             const up: Wide -> Wide = {{ 0: 1, :0 }};
             var board: S -> Bit = {{ s1: 1, :0 }}; var helper: Bit = 0; var near: S = s0;
             var at: S = s0; var wide: Wide = 1; var narrow: Bit = 0; var probe: S = s0;
             begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper; turn, chosen: at = S(*); chosen, named: $$ at;
             named, put: board[at] = 1; put, stay: $ stay; stay, over: ;
             put, left: $ left; left, held: helper = board[s0]; held, one: board[s0] = board[s1];
             one, two: board[s1] = board[s2]; two, three: board[s2] = helper;
             three, four: near = s1; four, five: {before}; five, six: narrow = up[1];
             six, seven: {looked}; seven, over: ;
             over, kept: player = keeper; kept, cleared: board[s1] = 0; cleared, turn: player = a;
             look, seek: probe = S(*); seek, seen: board[probe] == 0;",
        ));
    }
}

/// A value that is compared with the type of a variable is needed, though nobody reads the variable.
#[test]
fn a_value_of_a_type_is_needed() {
    played_by_code(&format!(
        "{PLAYERS} type Wide = {{ 0, 1, 2 }}; var wide: Wide = 2; var narrow: Bit = 0;
         begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper; turn, chosen: narrow = Bit(*); chosen, named: $$ narrow;
         named, less: wide = narrow; less, same: narrow = Bit(wide); same, kept: player = keeper;
         kept, more: wide = 2; more, turn: player = a;"
    ));
}

/// Comparisons in a row of squares that are known.
#[test]
fn rows_of_squares_are_compared() {
    for (second, third) in [
        ("board[s1] == 1", "board[s2] == 1"),
        ("board[s1] != 1", "board[s2] == 1"),
        ("board[s1] == 1", "board[s2] != board[s3]"),
        ("board[next[s1]] != 0", "last == s3"),
        ("last != s3", "board[last] == 1"),
    ] {
        for first in ["board[s0] == 1", "board[s0] != 1"] {
            played_by_code(&format!(
                "{PLAYERS} type S = {{ s0, s1, s2, s3 }}; var last: S = s0; var at: S = s0;
                 const next: S -> S = {{ s0: s1, s1: s2, s2: s3, :s0 }};
                 var board: S -> Bit = {{ s1: 1, :0 }};
                 begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper; turn, chosen: at = S(*); chosen, named: $$ at;
                 named, kept: player = keeper; kept, put: board[at] = 1; put, held: last = at;
                 held, won: ? row -> four; won, end: player = keeper;
                 held, not: ! row -> four; not, cleared: board[s0] = 0; cleared, turn: player = a;
                 row, one: {first}; one, two: {second}; two, three: {third}; three, four: at != s1;
                 row, other: board[s3] == 1; other, four: board[s2] == 1;"
            ));
        }
    }
}

/// A player may have no choice, and the keeper a long move, which may fail.
#[test]
fn moves_without_a_choice_are_played() {
    let long: String = (0..400).map(|at| format!("k{at}, k{}: z = y;", at + 1)).collect();
    for after in ["y = 0", "y == 0", "z == y"] {
        let text = format!(
            "{PLAYERS} var x: Bit = 0; var y: Bit = 0; var z: Bit = 0;
             begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper; turn, chosen: x = Bit(*); chosen, named: $$ x;
             named, kept: player = keeper; kept, k0: y = x; {long} k400, last: {after};
             last, alone: player = b; alone, tagged: $ alone; tagged, over: x == x;
             over, turn: player = a;"
        );
        let (automaton, plain) = both(&text);
        play_alike(&automaton, &plain, 40);
        let moves: u64 = (0..20).map(|seed| ahead(&automaton, seed, 40)).sum();
        assert!(moves > 20, "{after}: {moves}");
    }
}

/// A keeper that never ends is left to the interpreter, which notices.
#[test]
fn a_keeper_without_end_is_left() {
    let text = format!(
        "{PLAYERS} begin, turn: player = a; turn, quit: $ quit; quit, end: player = keeper;
         turn, go: $ go; go, round: player = keeper; round, again: player = keeper;
         again, round: player = keeper;"
    );
    let (automaton, plain) = both(&text);
    for seed in 0..6 {
        let [played, wanted] =
            [&automaton, &plain].map(|automaton| play(automaton, &mut Search::default(), seed, 9));
        match wanted.0 {
            // Both notice at some state that the keeper never ends.
            Err(PlayError::Endless { .. }) => {
                assert!(matches!(played.0, Err(PlayError::Endless { .. })), "seed {seed}");
            }
            wanted => assert_eq!(played.0, wanted, "seed {seed}"),
        }
    }
}
