//! Regular games, played: known counts, defects that play finds, and random automata on which
//! the interpreter agrees with the definition.

use crate::rg_naive;
use crate::rg_naive::generator::Generator;
use crate::rg_naive::{Fault, Game, Val};
use gdlr::automaton::{AutomatonEngine, AutomatonGame};
use gdlr::diagnostic::Severity;
use gdlr::engine::Engine;
use gdlr::play::seeded;
use gdlr::rg::{
    Automaton, Condition, Description, Ending, Moves, Name, Perft, PlayError, PlayerId, Search,
    State, Turn, explore, perft, read, validate,
};
use rand::RngExt;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Definitions for the small games below.
const HEAD: &str = "type Player = { x, o }; type Score = { 0, 1 }; type D = { 0, 1, 2 };
    type E = { 1, 2, 3 }; type M = D -> D; type MM = D -> M;
    const next: D -> D = { 0: 1, 1: 2, :0 }; const out: D -> E = { 0: 3, :1 };
    var d: D = 0; var e: E = 1; var m: M = { :0 }; var mm: MM = { :{ :0 } };";

/// Tic-tac-toe: the board is a map of maps, a move is a row and a column.
pub const TIC_TAC_TOE: &str = "
    type Player = { x, o }; type Score = { 0, 50, 100 }; type Coord = { 0, 1, 2 };
    type Piece = { e, x, o }; type Board = Coord -> Coord -> Piece;
    const next: Coord -> Coord = { 0: 1, 1: 2, :0 };
    const other: Player -> Player = { x: o, :x };
    var board: Board = { :{ :e } }; var row: Coord = 0; var column: Coord = 0; var me: Player = x;
    var goals: Goals = { :50 };
    begin, turn: player = me;
    turn, a: row = Coord(*); a, b: column = Coord(*); b, c: board[row][column] == e;
    c, d: $$ row; d, e: $$ column; e, f: board[row][column] = me; f, done: player = keeper;
    done, win: ? lines -> line; win, w: goals[me] = 100; w, v: goals[other[me]] = 0;
    v, end: player = keeper;
    done, more: ! lines -> line; more, draw: ! free -> found; draw, end: player = keeper;
    more, on: ? free -> found; on, swap: me = other[me]; swap, turn: player = me;
    lines, l1: board[row][next[column]] == board[row][column];
    l1, line: board[row][next[next[column]]] == board[row][column];
    lines, l2: board[next[row]][column] == board[row][column];
    l2, line: board[next[next[row]]][column] == board[row][column];
    lines, l3: board[0][0] == board[1][1]; l3, l4: board[2][2] == board[1][1];
    l4, line: board[1][1] != e;
    lines, l5: board[0][2] == board[1][1]; l5, l6: board[2][0] == board[1][1];
    l6, line: board[1][1] != e;
    free, f1: row = Coord(*); f1, f2: column = Coord(*); f2, found: board[row][column] == e;";

#[track_caller]
fn automaton(text: &str) -> Automaton {
    Automaton::new(&read(text).unwrap()).unwrap_or_else(|found| panic!("{found:?}"))
}

#[track_caller]
fn counts(text: &str, depth: usize) -> Perft {
    perft(&automaton(text), &mut Search::default(), depth, |_| ())
}

/// A game in which `x` has the first move, at the node `p`.
fn game(edges: &str) -> String {
    format!("{HEAD} begin, p: player = x; last, end: player = keeper; p, last: 0 != 0; {edges}")
}

/// The first moves.
#[track_caller]
fn first_moves(text: &str) -> Result<Vec<String>, PlayError> {
    let automaton = automaton(text);
    let (mut search, mut moves) = (Search::with_limit(1_000_000), Moves::default());
    let mut state = automaton.initial().clone();
    automaton.keep(&mut search, &mut state)?;
    assert_eq!(automaton.turn(&state), Turn::Player(PlayerId(0)));
    automaton.moves(&mut search, &state, &mut moves)?;
    let text = |index: usize| -> String {
        moves.tags(index).iter().map(|&tag| automaton.text(tag)).collect::<Vec<_>>().join(" ")
    };
    let mut texts: Vec<String> = (0..moves.len()).map(text).collect();
    texts.sort();
    Ok(texts)
}

/// The moves at `p`.
#[track_caller]
fn moves_of(edges: &str) -> Result<Vec<String>, PlayError> {
    first_moves(&game(edges))
}

#[test]
fn tic_tac_toe_has_its_known_counts() {
    let perft = counts(TIC_TAC_TOE, 10);
    assert_eq!(perft.error, None);
    assert_eq!(perft.counts, [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0]);
    assert_eq!(perft.terminal, [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127_872, 0]);
}

#[test]
fn nim_is_counted() {
    let text = "type Player = { a, b }; type Score = { 0, 1 }; type Pile = { 0, 1, 2, 3, 4 };
        const less: Pile -> Pile = { 4: 3, 3: 2, 2: 1, :0 };
        const other: Player -> Player = { a: b, :a };
        var pile: Pile = 4; var me: Player = b;
        begin, turn: ; turn, t: me = other[me]; t, take: player = me;
        take, one: pile != 0; one, one2: $ one; one2, taken: pile = less[pile];
        take, two: pile != 0; two, two2: pile != 1; two2, two3: $ two;
        two3, taken: pile = less[less[pile]];
        taken, done: player = keeper; done, turn: pile != 0;
        done, won: pile == 0; won, over: goals[me] = 1; over, end: player = keeper;";
    let perft = counts(text, 5);
    // Compositions of 4 into ones and twos.
    assert_eq!((perft.error, perft.counts), (None, vec![1, 2, 4, 4, 1, 0]));
    assert_eq!(perft.terminal, [0, 0, 1, 3, 1, 0]);
}

#[test]
fn dice_are_thrown_by_chance() {
    let text = format!(
        "{HEAD} begin, dice: player = random; dice, thrown: d = D(*); thrown, told: $$ d;
         told, check: player = keeper; check, won: d == 2; won, paid: goals[x] = 1;
         paid, end: player = keeper; check, again: d != 2; again, dice: player = random;"
    );
    let perft = counts(&text, 3);
    assert_eq!((perft.counts, perft.terminal), (vec![1, 3, 6, 12], vec![0, 1, 2, 4]));
    let automaton = automaton(&text);
    let (mut search, mut moves) = (Search::default(), Moves::default());
    let mut rng = seeded(1, 0);
    let mut total = 0;
    for _ in 0..3000 {
        let mut state = automaton.initial().clone();
        let played =
            automaton.playout((&mut search, &mut moves), &mut state, &mut rng, 1000).unwrap();
        assert_eq!(played.ending, Ending::End);
        assert_eq!(automaton.score(&state, PlayerId(0)), Some(1));
        assert_eq!(automaton.turn(&state), Turn::End);
        total += played.moves;
    }
    // A throw ends the game with probability 1/3.
    assert!((8600..9400).contains(&total), "{total}");
}

#[test]
fn reachability_is_a_search_without_effect() {
    let checks = "q, r: d = D(*); r, s: player = keeper; s, t: $ t; t, u: d == 2; u, s: ;";
    let yes = format!("p, a: ? q -> u; a, b: $$ d; b, last: player = keeper; {checks}");
    assert_eq!(moves_of(&yes).unwrap(), ["0"]);
    let no = format!("p, a: ! q -> u; a, b: $$ d; b, last: player = keeper; {checks}");
    assert!(matches!(moves_of(&no), Err(PlayError::DeadEnd { node, player })
        if node == "p" && player == "x"));
    // A check within a check; a node reaches itself, and nothing that no edge leads to.
    let nested = "p, a: ! q -> r; a, b: $ yes; b, last: player = keeper; q, q2: d = D(*);
        q2, q3: d == 1; q3, r: ? s -> t; s, s2: d = next[d]; s2, t: d != 2;";
    assert_eq!(moves_of(nested).unwrap(), ["yes"]);
    let own = "p, a: ? q -> q; a, b: ! q -> p; b, c: $ yes; c, last: player = keeper; q, r: ;";
    assert_eq!(moves_of(own).unwrap(), ["yes"]);
}

#[test]
fn a_check_and_its_opposite_are_exclusive() {
    for (condition, tag) in [("d == 1", "no"), ("d != 1", "yes")] {
        let edges = format!(
            "p, a: ? q -> r; a, c: $ yes; p, b: ! q -> r; b, c: $ no; c, last: player = keeper;
             q, r: {condition};"
        );
        assert_eq!(moves_of(&edges).unwrap(), [tag]);
    }
}

/// More symbols than 16 bits number: as values, in maps and in moves.
#[test]
fn seventy_thousand_symbols() {
    let symbols: Vec<String> = (0..70_000).map(|number| format!("s{number}")).collect();
    let text = format!(
        "type Player = {{ x }}; type Score = {{ 0, 1 }}; type S = {{ {} }};
         const from: S -> S = {{ s1: s69998, s69998: s2, :s0 }}; var s: S = s1; var t: S = s69999;
         begin, p: player = x; p, a: s = S(*); a, b: from[s] == s2; a, c: t == s;
         b, d: $$ s; c, d: $$ t; d, e: player = keeper; e, f: s = from[s];
         f, g: s == s2; g, h: goals[x] = 1; f, h: s != s2; h, end: player = keeper;",
        symbols.join(", ")
    );
    let counts = counts(&text, 1);
    assert_eq!((counts.error, counts.counts), (None, vec![1, 2]));
    assert_eq!(first_moves(&text), Ok(vec!["s69998".to_owned(), "s69999".to_owned()]));
}

#[test]
fn maps_of_maps_and_whole_rows() {
    let edges = "p, a: m[next[d]] = 2; a, b: mm[m[1]] = m; b, c: mm[2][0] = 1; c, c2: d = mm[2][1];
        c2, f: mm[2] != m; f, g: mm[1] != m; g, h: m[0] = 1; h, i: mm[2] == m; i, j: $$ d;
        j, last: player = keeper;";
    assert_eq!(moves_of(edges).unwrap(), ["2"]);
}

#[test]
fn casts_are_checked() {
    let fine = "p, a: d = D(e); a, b: m[D(e)] = D(out[d]); b, c: d = m[1]; c, f: $$ d;
        f, last: player = keeper;";
    assert_eq!(moves_of(fine).unwrap(), ["1"]);
    let invalid = |edges: &str| match moves_of(edges) {
        Err(PlayError::Invalid { edge, symbol }) => (edge, symbol),
        other => panic!("{other:?}"),
    };
    let of = |edge: &str, symbol: &str| (edge.to_owned(), symbol.to_owned());
    let end = "b, c: $ t; c, last: player = keeper;";
    assert_eq!(invalid(&format!("p, b: e = out[D(out[d])]; {end}")), of("p, b", "3"));
    assert_eq!(invalid(&format!("p, b: d = out[d]; {end}")), of("p, b", "3"));
    assert_eq!(invalid(&format!("p, a: e = 3; a, b: mm[0][e] == 0; {end}")), of("a, b", "3"));
    assert_eq!(invalid(&format!("p, a: e = 3; a, b: m[e] = 0; {end}")), of("a, b", "3"));
}

#[test]
fn a_map_has_its_default_for_other_keys() {
    let edges = "p, a: e = 3; a, b: m[0] = 2; b, c: m[e] == 0; c, f: mm[e] != m; f, g: m[0] = 0;
        g, h: mm[e] == m; h, i: mm[e][1] == 0; i, j: next[out[0]] == 0; j, k: $ t;
        k, last: player = keeper;";
    assert_eq!(moves_of(edges).unwrap(), ["t"]);
}

/// The same where what the map has is a map.
#[test]
fn a_map_of_maps_has_its_default_for_other_keys() {
    let text = game(
        "p, a: d = D(*); a, a1: $$ d; a1, a2: $$ d; a2, b: f = c[d][z]; b, b1: $$ f;
        b1, y: player = x;",
    );
    let more = "type K = { 1, 2 }; type Two = { 0, 1 }; type O = Two -> D; type C = K -> O;
        const c: C = { 1: { 1: 2, :0 }, 2: { 1: 0, :1 }, :{ 1: 1, :2 } };
        var z: Two = 1; var f: D = 0;";
    let automaton = automaton(&format!("{more} {text}"));
    let (mut search, mut moves) = (Search::default(), Moves::default());
    let mut state = automaton.initial().clone();
    automaton.keep(&mut search, &mut state).unwrap();
    automaton.moves(&mut search, &state, &mut moves).unwrap();
    let last = |index| automaton.text(*moves.tags(index).last().unwrap());
    assert_eq!((0..moves.len()).map(last).collect::<Vec<_>>(), ["1", "2", "0"]);
}

#[test]
fn walks_with_the_same_tags_are_one_move_or_an_error() {
    let same = "p, a: $ t; p, b: $ t; a, c: d = 1; b, c: d = 1; c, last: player = keeper;";
    assert_eq!(moves_of(same).unwrap(), ["t"]);
    let differing = [
        same.replace("b, c: d = 1", "b, c: d = 2"),
        same.replace("b, c: d = 1", "b, c: goals[x] = 1"),
        same.replace("b, c: d = 1", "b, c: visible[x] = 0"),
        format!("{} c, p: player = keeper;", same),
        format!("{} c, last: player = o;", same),
    ];
    for edges in differing {
        assert!(
            matches!(moves_of(&edges), Err(PlayError::Ambiguous { node, tags })
                if node == "p" && tags == "t"),
            "{edges}"
        );
    }
}

#[test]
fn the_keeper_has_one_move() {
    let keep = |edges: &str| {
        let automaton = automaton(&format!("{HEAD} {edges}"));
        let mut state = automaton.initial().clone();
        let kept = automaton.keep(&mut Search::with_limit(100_000), &mut state);
        kept.map(|()| automaton.turn(&state))
    };
    let two = "begin, a: $ s; begin, a: $ t; a, end: player = keeper;";
    assert_eq!(keep(two), Err(PlayError::Keeper { node: "begin".into(), moves: 2 }));
    let none = "begin, a: player = keeper; a, end: d == 1;";
    assert!(matches!(keep(none), Err(PlayError::DeadEnd { .. })));
    let several = "begin, a: $ s; a, b: player = keeper; b, end: player = keeper;";
    assert_eq!(keep(several), Ok(Turn::End));
    let forever = "begin, a: player = keeper; a, begin: player = keeper; a, end: d == 1;";
    assert!(matches!(keep(forever), Err(PlayError::Endless { .. })));
    let behind = "begin, end: player = x; end, begin: player = o;";
    assert_eq!(keep(behind), Ok(Turn::End));
}

/// The keeper changes a variable back and forth. Nothing without play can see that.
const ROUND: &str = "type Player = { a }; type Score = { 0 }; type Bit = { 0, 1 }; var x: Bit = 0;
    begin, a: player = keeper; a, b: x == 0; b, c: x = 0; c, a: player = keeper;
    a, end: x == 1;";

/// Moves whose last piece is the symbol of an any-assignment.
#[test]
fn moves_are_named_by_symbols() {
    let names = |texts: &[&str]| Ok(texts.iter().map(|&text| text.to_owned()).collect());
    let one = "a, a1: $ go; a1, a2: d = D(*); a2, a3: $$ d; a3, a4: player = x;";
    assert_eq!(moves_of(&format!("p, a: ; {one}")), names(&["go 0", "go 1", "go 2"]));
    // The same moves in two ways.
    let two = "p, b: $ go; b, b1: d = { 1, 2 }(*); b1, b2: $$ d; b2, a4: player = x;";
    let two = format!("p, a: ; {one} {two}");
    assert_eq!(moves_of(&two), names(&["go 0", "go 1", "go 2"]));
    let ambiguous = |edges: &str| {
        let is = |error: &PlayError| matches!(error, PlayError::Ambiguous { .. });
        assert!(moves_of(edges).is_err_and(|error| is(&error)), "{edges}");
    };
    let (zero, one_is, later) = ("m[0] = 1", "m[1] = 1", "p, b0: m[0] = 1; b0, b: $ go;");
    ambiguous(&two.replace("p, b: $ go;", later));
    ambiguous(&two.replace("p, a: ;", &format!("p, a: {zero};")));
    ambiguous(&two.replace("p, a: ;", &format!("p, a: {one_is};")).replace("p, b: $ go;", later));
    ambiguous(&two.replace("b2, a4", "b2, a5"));
    ambiguous(&one.replace("$$ d", "$$ e").replace("a, a1", "p, a1"));
    let before = two.replace("p, a: ;", "p, a0: m[2] = 2; a0, a: m[2] = 0;");
    assert_eq!(moves_of(&before), names(&["go 0", "go 1", "go 2"]));
    // By a walk without an any-assignment that leads to the same state.
    let plain = "p, c: $ go; c, c1: $ 0; c1, a4: player = x;";
    assert_eq!(moves_of(&format!("p, a: ; {one} {plain}")), names(&["go 0", "go 1", "go 2"]));
    // A move of a check is no move of the game.
    let checked =
        format!("p, r: ? a -> a4; r, r1: d == 0; r1, r2: $ on; r2, a4: player = x; {one}");
    assert_eq!(moves_of(&checked), names(&["on"]));
    // The value assigned to `player` may be the symbol itself; the former value is gone.
    let text = game(
        "p, p1: w = o; p1, a: $ go; a, a1: w = Player(*); a1, b: $$ w; b, b1: player = w;
        b1, c: $$ w; c, last: player = o;",
    );
    let automaton = automaton(&format!("{text} var w: Player = x;"));
    let (mut search, mut moves) = (Search::default(), Moves::default());
    let mut state = automaton.initial().clone();
    automaton.keep(&mut search, &mut state).unwrap();
    automaton.moves(&mut search, &state, &mut moves).unwrap();
    let text = |moves: &Moves, index: usize| -> String {
        let tags = moves.tags(index).iter().map(|&tag| automaton.text(tag));
        tags.collect::<Vec<_>>().join(" ")
    };
    for (index, (player, name)) in [("x", "go x"), ("o", "go o")].into_iter().enumerate() {
        assert_eq!(text(&moves, index), name);
        let after = moves.successor(index, &state);
        assert_eq!(automaton.turn(&after), Turn::Player(PlayerId(index as u16)));
        let mut next = Moves::default();
        automaton.moves(&mut search, &after, &mut next).unwrap();
        assert_eq!((next.len(), text(&next, 0)), (1, player.to_owned()));
    }
}

/// Edges of one node that ask the same, beside others.
#[test]
fn questions_with_several_answers() {
    let moves = |edges: &str| moves_of(edges).unwrap().join(", ");
    let ends = "a, a1: $ a; a1, z: player = x; b, b1: $ b; b1, z: player = x;
        c, c1: $ c; c1, z: player = x; f, f1: $ f; f1, z: player = x;";
    assert_eq!(moves(&format!("p, a: d == 0; p, b: d == 0; p, c: ; {ends}")), "a, b, c");
    assert_eq!(
        moves(&format!("p, a: d == 1; p, b: d != 1; p, f: d != 1; p, c: ; {ends}")),
        "b, c, f"
    );
    assert_eq!(
        moves(&format!("p, a: d == 0; p, b: d != 1; p, c: d == 2; p, f: ; {ends}")),
        "a, b, f"
    );
    assert_eq!(
        moves(&format!("p, a: ? q -> r; p, b: ? q -> r; p, c: ; q, r: ; {ends}")),
        "a, b, c"
    );
    assert_eq!(moves(&format!("p, a: next[d] == m[d]; p, b: next[d] != m[d]; {ends}")), "b");
    // An any-assignment before a question with two answers.
    let edges = "p, p1: d = D(*); p1, a: d == 1; p1, b: d != 1; a, a1: $ a; a1, y: $$ d;
        b, b1: $ b; b1, y: $$ d; y, z: player = x;";
    assert_eq!(moves(edges), "a 1, b 0, b 2");
}

/// Assignments that the keeper tried last and gave up are gone when it moves again.
#[test]
fn the_keeper_forgets_what_it_tried() {
    let text = game(
        "p, q: $ go; q, r: player = keeper;
        r, r1: ; r1, s: player = keeper; r, r2: d = D(*); r2, r3: m[0] = d; r3, r4: m[1] == d;
        r4, r5: d != 0; r5, r: player = keeper;
        s, s1: d == 0; s1, s2: m[0] == 0; s2, t: player = x; s, s3: m[0] != 0;
        s3, last: player = keeper; t, t1: $$ d; t1, end: player = keeper;",
    );
    let automaton = automaton(&text);
    let (mut search, mut moves) = (Search::default(), Moves::default());
    let mut state = automaton.initial().clone();
    for tags in ["go", "0"] {
        automaton.keep(&mut search, &mut state).unwrap();
        automaton.moves(&mut search, &state, &mut moves).unwrap();
        let names: Vec<&str> = moves.tags(0).iter().map(|&tag| automaton.text(tag)).collect();
        assert_eq!((moves.len(), &names[..]), (1, &[tags][..]));
        moves.play(0, &mut state);
    }
    assert_eq!(automaton.turn(&state), Turn::End);
}

/// Any-assignments that go through their symbols with a condition: on the symbol, on an entry of a
/// map, on an entry found through another; and what is behind does not find the last symbol.
#[test]
fn symbols_are_gone_through_with_a_condition() {
    let tagged = |edges: &str| moves_of(&format!("{edges} z, y: $$ d; y, last2: player = x;"));
    let tags = |texts: &[&str]| Ok(texts.iter().map(|&text| text.to_owned()).collect());
    assert_eq!(tagged("p, a: d = D(*); a, z: d != 1;"), tags(&["0", "2"]));
    assert_eq!(tagged("p, a: d = D(*); a, z: 1 == d;"), tags(&["1"]));
    assert_eq!(tagged("p, a: d = D(*); a, z: next[d] == 0;"), tags(&["2"]));
    assert_eq!(tagged("p, a: d = D(*); a, z: m[next[d]] == 0;"), tags(&["0", "1", "2"]));
    let written = "p, p1: m[0] = 1; p1, p2: m[2] = 2; p2, a: d = D(*);";
    assert_eq!(tagged(&format!("{written} a, z: m[next[d]] == 0;")), tags(&["0"]));
    assert_eq!(tagged(&format!("{written} a, z: m[d] != d;")), tags(&["0", "1"]));
    assert_eq!(tagged(&format!("{written} a, b: m[d] != d; b, z: d != 0;")), tags(&["1"]));
    // The former values are there for the other way.
    let both = "p, o: m[1] = 2; p, p1: d = 2; p1, a: d = D(*); a, z: d == 1; o, z: m[1] == 2;";
    assert_eq!(tagged(both), tags(&["0", "1"]));
    let none = "p, p1: d = 2; p1, a: d = D(*); a, z: m[d] == 1; p, z: d == 0;";
    assert_eq!(tagged(none), tags(&["0"]));
}

/// A keeper that counts to `3^digits`, longer than anybody waits; then it is the turn of `x`.
fn counting(digits: usize) -> String {
    let mut text = HEAD.to_owned();
    for digit in 0..digits {
        write!(text, "var d{digit}: D = 0;").unwrap();
    }
    text.push_str("begin, n0: player = keeper;");
    for digit in 0..digits {
        let next = digit + 1;
        write!(
            text,
            "n{digit}, m{digit}: d{digit} == 2; m{digit}, n{next}: d{digit} = 0;
             n{digit}, k{digit}: d{digit} != 2; k{digit}, n: d{digit} = next[d{digit}];"
        )
        .unwrap();
    }
    write!(text, "n, n0: player = keeper; n{digits}, p: player = x; p, end: player = keeper;")
        .unwrap();
    text
}

/// The outcome of everything that can be done with an automaton.
#[track_caller]
fn ends_in(automaton: &Automaton, search: &Search, error: &PlayError) {
    let (mut search, mut moves) = (search.clone(), Moves::default());
    let kept = automaton.keep(&mut search, &mut automaton.initial().clone());
    assert_eq!(kept.as_ref(), Err(error));
    let counted = perft(automaton, &mut search, 3, |_| ());
    assert_eq!((counted.error.as_ref(), &counted.counts[..]), (Some(error), &[0; 4][..]));
    let played = automaton.playout(
        (&mut search, &mut moves),
        &mut automaton.initial().clone(),
        &mut seeded(1, 0),
        1000,
    );
    assert_eq!(played.as_ref(), Err(error));
}

#[test]
fn a_keeper_that_goes_round_for_ever_is_found_out() {
    let automaton = automaton(ROUND);
    let endless = PlayError::Endless { node: "a".into() };
    assert!(endless.is_defect());
    ends_in(&automaton, &Search::with_limit(u64::MAX), &endless);
    let explored = explore(&automaton, &mut Search::default(), 100, |_| ());
    assert_eq!(explored.violation.unwrap().condition, Condition::Finiteness);
    // Also one that comes round after 243 moves, and not to where it began.
    let long = counting(5).replace("n5, p: player = x;", "n5, n0: player = keeper;");
    let long = long.replace(
        "begin, n0: player = keeper;",
        "begin, n0: e = 2; n0, q: d == 1; q, p: player = x;",
    );
    let (mut search, automaton) = (Search::with_limit(u64::MAX), self::automaton(&long));
    let kept = automaton.keep(&mut search, &mut automaton.initial().clone());
    assert_eq!(kept, Err(PlayError::Endless { node: "n0".into() }));
    // One that counts as far and then stops does not.
    let short = self::automaton(&counting(7));
    assert_eq!(short.keep(&mut search, &mut short.initial().clone()), Ok(()));
}

#[test]
fn a_keeper_that_counts_too_far_runs_out_of_steps() {
    let automaton = automaton(&counting(40));
    let error = PlayError::TooMuchWork { steps: 100_000 };
    assert!(!error.is_defect());
    ends_in(&automaton, &Search::with_limit(100_000), &error);
}

#[test]
fn a_flag_and_the_clock_end_everything() {
    let automaton = automaton(&counting(40));
    let stop = AtomicBool::new(true);
    let unlimited = Search::with_limit(u64::MAX);
    ends_in(&automaton, &unlimited.clone().stopped_by(&stop), &PlayError::Interrupted);
    ends_in(&automaton, &unlimited.until(Instant::now()), &PlayError::OutOfTime);
}

/// Raises a flag while something is under way that would go on for years.
fn interrupted<T>(work: impl FnOnce(&mut Search) -> T) -> T {
    let (stop, begun) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !begun.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_millis(20));
            stop.store(true, Ordering::Relaxed);
        });
        let mut search = Search::with_limit(u64::MAX).stopped_by(&stop);
        begun.store(true, Ordering::Relaxed);
        work(&mut search)
    })
}

#[test]
fn every_loop_can_be_interrupted() {
    // The keeper.
    let counting = automaton(&counting(40));
    let kept = interrupted(|search| counting.keep(search, &mut counting.initial().clone()));
    assert_eq!(kept, Err(PlayError::Interrupted));
    // The moves of one state, by alternatives and by landmarks; a reachability check.
    let mut walks = String::new();
    for i in 0..40 {
        write!(walks, "q{i}, q{}: m[{}] = D(*);", i + 1, i % 3).unwrap();
    }
    let walks = format!("{walks} q40, r: 0 != 0; r, last: player = keeper;");
    let check = format!("p, a: ! q0 -> r; a, last: player = keeper; {walks}");
    let mut rounds = HEAD.to_owned();
    for digit in 0..40 {
        write!(rounds, "var d{digit}: D = 0;").unwrap();
    }
    write!(rounds, "begin, n0: player = x; n, n0: ; n40, end: player = keeper;").unwrap();
    for i in 0..40 {
        let next = i + 1;
        write!(
            rounds,
            "n{i}, m{i}: d{i} == 2; m{i}, n{next}: d{i} = 0;
             n{i}, k{i}: d{i} != 2; k{i}, n: d{i} = next[d{i}];"
        )
        .unwrap();
    }
    for text in [game(&format!("p, q0: ; {walks}")), game(&check), rounds] {
        let automaton = automaton(&text);
        let listed = interrupted(|search| {
            let mut state = automaton.initial().clone();
            automaton.keep(search, &mut state).unwrap();
            automaton.moves(search, &state, &mut Moves::default())
        });
        // Landmarks that are remembered run out of memory some day.
        assert!(
            matches!(listed, Err(PlayError::Interrupted | PlayError::TooMuchWork { .. })),
            "{listed:?}"
        );
    }
    // Plays, one after the other and all of them.
    let endless = automaton(&game("p, p: player = x; p, o: $ t; o, p: player = o;"));
    let played = interrupted(|search| {
        let (mut state, mut moves) = (endless.initial().clone(), Moves::default());
        endless.playout((search, &mut moves), &mut state, &mut seeded(1, 0), u64::MAX)
    });
    assert_eq!(played, Err(PlayError::Interrupted));
    let counted = interrupted(|search| perft(&endless, search, 100, |_| ()));
    assert_eq!(counted.error, Some(PlayError::Interrupted));
    let explored = interrupted(|search| explore(&counting, search, usize::MAX, |_| ()));
    assert_eq!((explored.violation, explored.broken_off), (None, Some(PlayError::Interrupted)));
}

/// A game with so many symbols that are numbers, of which the last is said by a tag.
fn numbers(count: usize) -> String {
    let last = count - 1;
    let mut text = format!("{HEAD} type N = {{ n0");
    (1..count).for_each(|i| write!(text, ", n{i}").unwrap());
    write!(
        text,
        " }}; type S = {{ n7, n{last} }}; const after: N -> N = {{ n7: n{last}, :n0 }};
         const back: S -> N = {{ :n7 }}; var n: N = n7; var s: S = n7; var of: N -> D = {{ :0 }};
         begin, p: player = x; p, a: n = after[n]; a, b: s = S(n); b, c: of[s] = 2;
         c, d: of[n] != 0; d, e: of[n7] == 0; e, f: n == n{last}; e, g: n == n7; g, f: $ wrong;
         f, h: $$ n; h, i: back[s] == n7; i, end: player = keeper;"
    )
    .unwrap();
    text
}

#[test]
fn there_may_be_many_symbols() {
    for count in [100, 65_536, 65_537, 140_000] {
        let automaton = automaton(&numbers(count));
        let (mut search, mut moves) = (Search::default(), Moves::default());
        let mut state = automaton.initial().clone();
        automaton.keep(&mut search, &mut state).unwrap();
        automaton.moves(&mut search, &state, &mut moves).unwrap();
        let said: Vec<&str> = moves.tags(0).iter().map(|&tag| automaton.text(tag)).collect();
        assert_eq!((moves.len(), &said[..]), (1, &[&*format!("n{}", count - 1)][..]));
    }
}

#[test]
fn too_many_players_are_too_many_where_they_are_defined() {
    let mut text = "// A comment.\ntype Score = { 0 }; type Player = { p0".to_owned();
    (1..70_000).for_each(|i| write!(text, ", p{i}").unwrap());
    text.push_str(" }; begin, end: player = keeper;");
    let errors = Automaton::new(&read(&text).unwrap()).unwrap_err();
    let place = &text[errors[0].span.range()];
    assert!(place.starts_with("p0"), "{}", &errors[0]);
}

#[test]
fn checks_that_need_themselves_are_refused() {
    let certain = game("p, last: ? p -> last;");
    assert!(Automaton::new(&read(&certain).unwrap()).is_err());
    // It depends on the state whether this one does.
    let edges = |start: &str| {
        format!(
            "p, a: d = {start}; a, b: ? q -> r; b, c: $ t; c, last: player = keeper;
             q, s: d == 0; s, r: ? q -> r; q, r: d == 1;"
        )
    };
    assert_eq!(moves_of(&edges("1")).unwrap(), ["t"]);
    assert_eq!(moves_of(&edges("0")), Err(PlayError::Recursion { edge: "s, r".into() }));
}

#[test]
fn endless_loops_end() {
    let end = "b, c: $ t; c, last: player = keeper;";
    assert_eq!(moves_of(&format!("p, a: ; a, p: ; a, b: ; {end}")).unwrap(), ["t"]);
    assert_eq!(
        moves_of(&format!("p, a: d = next[d]; a, p: ; a, b: d == 2; {end}")).unwrap(),
        ["t"]
    );
    let check = "q, r: ; r, q: d = D(*); r, s: 0 != 0; s, q: $ t;";
    assert_eq!(moves_of(&format!("p, b: ! q -> s; {check} {end}")).unwrap(), ["t"]);
    // Tags without an end are moves without an end.
    let tags = format!("p, a: $ t; a, p: $ t; a, b: ; {end}");
    assert!(matches!(moves_of(&tags), Err(PlayError::TooMuchWork { .. })));
}

#[test]
fn many_ways_to_few_states_are_few() {
    // 2^64 walks.
    let mut edges = String::from("p, n0: ;");
    for i in 0..64 {
        let next = i + 1;
        write!(edges, "n{i}, a{i}: d = 0; a{i}, n{next}: d = 1; n{i}, n{next}: d = 1;").unwrap();
    }
    let (walk, check) = ("n64, b: $ t;", "n0, r0: ;");
    let end = "b, last: player = keeper;";
    assert_eq!(moves_of(&format!("{edges} {walk} {end}")).unwrap(), ["t"]);
    let edges = edges.replace("p, n0", "z, n0");
    let checked = format!("{edges} p, a: ! n0 -> n65; a, b: $ t; n64, n66: d == 0; {check} {end}");
    assert_eq!(moves_of(&checked).unwrap(), ["t"]);
}

#[test]
fn players_see_what_is_visible() {
    let text = format!(
        "{HEAD} begin, p: player = x; p, a: $ all; a, b: visible[o] = 0; b, c: $ secret;
         c, d: visible[o] = 1; d, e: visible[x] = 0; e, f: $ other; f, g: visible[x] = 1;
         g, end: player = keeper;"
    );
    let automaton = automaton(&text);
    let (mut search, mut moves) = (Search::default(), Moves::default());
    let mut state = automaton.initial().clone();
    automaton.keep(&mut search, &mut state).unwrap();
    automaton.moves(&mut search, &state, &mut moves).unwrap();
    let seen = |player| -> Vec<&str> {
        automaton.visible(&moves, 0, player).map(|tag| automaton.text(tag)).collect()
    };
    assert_eq!(seen(PlayerId(0)), ["all", "secret"]);
    assert_eq!(seen(PlayerId(1)), ["all", "other"]);
    let never = format!(
        "{HEAD} var visible: Visibility = {{ x: 1, :0 }}; begin, p: player = x; p, a: $ t;
         a, end: player = keeper;"
    );
    let automaton = self::automaton(&never);
    let mut state = automaton.initial().clone();
    automaton.keep(&mut search, &mut state).unwrap();
    automaton.moves(&mut search, &state, &mut moves).unwrap();
    assert_eq!(automaton.visible(&moves, 0, PlayerId(0)).count(), 1);
    assert_eq!(automaton.visible(&moves, 0, PlayerId(1)).count(), 0);
    // Named by a symbol.
    let named = format!(
        "{HEAD} begin, p: player = x; p, a: visible[o] = 0; a, b: d = D(*); b, c: $$ d;
         c, end: player = keeper;"
    );
    let automaton = self::automaton(&named);
    let mut state = automaton.initial().clone();
    automaton.keep(&mut search, &mut state).unwrap();
    automaton.moves(&mut search, &state, &mut moves).unwrap();
    assert_eq!(moves.len(), 3);
    assert_eq!(automaton.visible(&moves, 2, PlayerId(0)).count(), 1);
    assert_eq!(automaton.visible(&moves, 2, PlayerId(1)).count(), 0);
}

#[test]
fn a_clone_goes_on_by_itself() {
    fn is_send<T: Send + Clone>(_: &T) {}
    let automaton = automaton(TIC_TAC_TOE);
    let (mut search, mut moves) = (Search::default(), Moves::default());
    let mut state = automaton.initial().clone();
    automaton.keep(&mut search, &mut state).unwrap();
    automaton.moves(&mut search, &state, &mut moves).unwrap();
    is_send(&(search.clone(), moves.clone(), state.clone()));
    let (mut other_search, mut other_moves) = (search.clone(), moves.clone());
    let mut after = other_moves.successor(8, &state);
    automaton.keep(&mut other_search, &mut after).unwrap();
    automaton.moves(&mut other_search, &after, &mut other_moves).unwrap();
    assert_eq!((moves.len(), other_moves.len()), (9, 8));
    // Into what was used for another state and another game.
    let mut odd = Search::with_limit(100);
    let small = self::automaton(&game("p, a: $ t; a, last: player = keeper;"));
    small.keep(&mut odd, &mut small.initial().clone()).unwrap();
    odd.clone_from(&search);
    other_moves.clone_from(&moves);
    after.clone_from(&state);
    assert_eq!((other_moves.tags(8), &after), (moves.tags(8), &state));
    automaton.moves(&mut odd, &after, &mut other_moves).unwrap();
    assert_eq!(other_moves.len(), 9);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let mut large =
        String::from("type Player = { x }; type Score = { 0 }; type A = { 0, 1 }; var a: ");
    large.push_str(&"A -> ".repeat(40));
    write!(large, "A = {}0{}; begin, end: player = keeper;", "{ :".repeat(40), "}".repeat(40))
        .unwrap();
    assert!(Automaton::new(&read(&large).unwrap()).is_err());
}

/// All values of a state of the interpreter, as the definition has them.
fn semistate(
    automaton: &Automaton,
    state: &State,
    like: &rg_naive::Semistate,
) -> rg_naive::Semistate {
    fn value(automaton: &Automaton, state: &State, of: (Name, &mut Vec<Name>), like: &Val) -> Val {
        let (name, keys) = of;
        match like {
            Val::Symbol(_) => Val::Symbol(automaton.value(state, name, keys).expect("a slot")),
            Val::Map(map) => {
                let entries = map.iter().map(|(&key, like)| {
                    keys.push(key);
                    let value = value(automaton, state, (name, &mut *keys), like);
                    keys.pop();
                    (key, value)
                });
                Val::Map(entries.collect())
            }
        }
    }
    like.iter()
        .map(|(&name, like)| (name, value(automaton, state, (name, &mut Vec::new()), like)))
        .collect()
}

/// The counts of the comparison: states with moves, ambiguous ones, dead ends, and those left out because
/// an action is not valid there or because there is too much to see.
#[derive(Debug, Default)]
pub struct Tally {
    pub moves: usize,
    ambiguous: usize,
    dead: usize,
    left_out: usize,
}

/// Compares the moves in the first states.
pub fn compare(
    description: &Description,
    automaton: &Automaton,
    search: &mut Search,
    tally: &mut Tally,
) {
    let naive = Game::new(description);
    let mut moves = Moves::default();
    let mut states = vec![(naive.initial.clone(), automaton.initial().clone())];
    let mut seen = BTreeSet::from([naive.initial.clone()]);
    let mut next = 0;
    while next < states.len().min(25) {
        let (expected, state) = states[next].clone();
        next += 1;
        assert_eq!(automaton.node(&state), expected.0);
        assert_eq!(semistate(automaton, &state, &expected.1), expected.1);
        let got = automaton.moves(search, &state, &mut moves);
        if expected.0 == Name::END {
            assert_eq!((got, moves.len()), (Ok(()), 0));
            continue;
        }
        let all = match naive.moves(&expected) {
            Ok(all) => all,
            Err(Fault::Invalid | Fault::TooMuch) => {
                tally.left_out += 1;
                continue;
            }
        };
        if let Err(PlayError::TooMuchWork { .. }) = got {
            tally.left_out += 1;
            continue;
        }
        let by_tags: BTreeMap<Vec<Name>, rg_naive::State> = all.iter().cloned().collect();
        if by_tags.len() < all.len() {
            assert!(matches!(got, Err(PlayError::Ambiguous { .. })), "{got:?}");
            tally.ambiguous += 1;
            continue;
        }
        if all.is_empty() {
            assert!(matches!(got, Err(PlayError::DeadEnd { .. })), "{got:?}");
            tally.dead += 1;
            continue;
        }
        assert_eq!(got, Ok(()));
        assert_eq!(moves.len(), all.len());
        tally.moves += 1;
        for index in 0..moves.len() {
            let expected = &by_tags[moves.tags(index)];
            let after = moves.successor(index, &state);
            assert_eq!(automaton.node(&after), expected.0);
            assert_eq!(semistate(automaton, &after, &expected.1), expected.1);
            if seen.insert(expected.clone()) {
                states.push((expected.clone(), after));
            }
        }
    }
}

#[test]
fn random_automata_do_what_the_definition_says() {
    let mut generator = Generator::new(4);
    let mut search = Search::with_limit(50_000);
    let (mut played, mut tally) = (0, Tally::default());
    let wanted = if cfg!(debug_assertions) { 8_000 } else { 40_000 };
    while played < wanted {
        let text = generator.text();
        let description = read(&text).unwrap();
        let Ok(automaton) = Automaton::new(&description) else { continue };
        played += 1;

        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            compare(&description, &automaton, &mut search, &mut tally)
        }));
        checked.unwrap_or_else(|_| panic!("in this game:\n{text}"));
    }
    assert!(tally.moves > wanted / 5, "{tally:?}");
}

/// How many random automata with casts of maps are compared: `GDLR_CASTS`, or the usual number.
fn wanted_casts(usual: usize) -> usize {
    std::env::var("GDLR_CASTS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Maps are cast to other keys, and elements stand in any order; what the checks find no error in
/// can be played.
#[test]
fn maps_are_cast_as_the_definition_says() {
    let mut generator = Generator::new(41);
    let mut search = Search::with_limit(50_000);
    let (mut played, mut tally) = (0, Tally::default());
    let wanted = wanted_casts(120);
    while played < wanted {
        let text = generator.casts();
        let description = read(&text).unwrap();
        let diagnostics = validate(&description);
        let automaton = Automaton::new(&description);
        let errors = diagnostics.iter().any(|one| one.severity() == Severity::Error);
        assert_eq!(errors, automaton.is_err(), "{diagnostics:?}\n{:?}\n{text}", automaton.err());
        let Ok(automaton) = automaton else { continue };
        played += 1;

        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            compare(&description, &automaton, &mut search, &mut tally)
        }));
        checked.unwrap_or_else(|_| panic!("in this game:\n{text}"));
    }
    assert!(tally.moves > wanted / 4, "{tally:?}");
}

/// The engine over an automaton walks as the interpreter does, and stops where it does.
#[test]
fn engines_do_what_the_interpreter_does() {
    let mut generator = Generator::new(5);
    let mut search = Search::with_limit(50_000);
    let (mut made, mut steps, mut defects) = (0, 0, 0);
    while made < 300 {
        let text = generator.text();
        let game = AutomatonGame::new("random", read(&text).unwrap()).expect("few names");
        let Ok(automaton) = Automaton::new(game.description()) else { continue };
        let mut state = automaton.initial().clone();
        let begun = automaton.keep(&mut search, &mut state);
        if matches!(begun, Err(PlayError::TooMuchWork { .. })) {
            // The engine may take more steps.
            continue;
        }
        let engine = match AutomatonEngine::new(game) {
            Ok(engine) => engine,
            Err(_) => {
                assert!(begun.is_err(), "{text}");
                defects += 1;
                continue;
            }
        };
        assert_eq!(begun, Ok(()), "{text}");
        made += 1;
        let (mut scratch, mut moves, mut legal) = (engine.scratch(), Moves::default(), Vec::new());
        let mut rng = seeded(made, 0);
        for _ in 0..20 {
            assert_eq!(engine.terminal(&mut scratch), Ok(automaton.turn(&state) == Turn::End));
            let listed = automaton.moves(&mut search, &state, &mut moves);
            if matches!(listed, Err(PlayError::TooMuchWork { .. })) {
                break;
            }
            let mut joint = Vec::new();
            let mut mover = None;
            let mut failed = false;
            for role in engine.roles().iter() {
                failed |= engine.legal(&mut scratch, role, &mut legal).is_err();
                let is_mover = match automaton.turn(&state) {
                    Turn::Player(player) => player.0 == role.0,
                    Turn::Random => engine.roles().random() == Some(role),
                    Turn::Keeper | Turn::End => false,
                };
                mover = if is_mover { Some((role, legal.clone())) } else { mover };
                joint.extend(legal.first().copied());
            }
            let Some((role, legal)) = mover else { break };
            match listed {
                Ok(()) => assert_eq!(legal.len(), moves.len(), "{text}"),
                Err(PlayError::DeadEnd { .. }) => assert_eq!((failed, legal.len()), (false, 0)),
                Err(_) => assert!(failed, "{text}"),
            }
            if listed.is_err() {
                defects += 1;
                break;
            }
            let index = rng.random_range(0..moves.len());
            joint[role.index()] = legal[index];
            moves.play(index, &mut state);
            let kept = automaton.keep(&mut search, &mut state);
            if matches!(kept, Err(PlayError::TooMuchWork { .. })) {
                break;
            }
            let stepped = engine.step(&mut scratch, &joint);
            assert_eq!(stepped.is_ok(), kept.is_ok(), "{text}");
            if kept.is_err() {
                defects += 1;
                break;
            }
            assert_eq!(engine.state(&scratch), state, "{text}");
            steps += 1;
        }
    }
    assert!(steps > 500 && defects > 50, "{steps} steps, {defects} defects");
}
