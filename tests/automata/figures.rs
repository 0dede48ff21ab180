//! The figures of the paper on transformations (RG, appendix B): each is done here. Where a figure
//! is no whole automaton, definitions and a way to `end` are added.

use gdlr::budget::Meter;
use gdlr::diagnostic::Severity;
use gdlr::rg::normalise::NORMALISATIONS;
use gdlr::rg::optimise::{TRANSFORMATIONS, optimise};
use gdlr::rg::{self, read, validate};

/// Checks what transformations or normalisations make of an automaton: all its edges and pragmas,
/// and some of its definitions.
#[track_caller]
fn figure(names: &[&str], before: &str, after: &[&str]) {
    let head = "type Player = { p, X }; type Score = { 0, 1 };";
    let mut description = read(&format!("{head} {before}")).expect("it can be read");
    let errors = validate(&description).into_iter();
    let errors: Vec<_> = errors.filter(|found| found.severity() == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let of_these = |name: &str| names.contains(&name);
    let every_name = TRANSFORMATIONS.iter().map(|one| one.name);
    let every_name = every_name.chain(NORMALISATIONS.iter().map(|one| one.name));
    assert_eq!(every_name.filter(|name| of_these(name)).count(), names.len(), "{names:?}");
    if TRANSFORMATIONS.iter().any(|one| of_these(one.name)) {
        optimise(&mut description, |one| of_these(one.name), &Meter::unlimited(), |_, _| ())
            .expect("there is no limit");
    }
    for form in NORMALISATIONS.iter().filter(|one| of_these(one.name)) {
        form.apply(&mut description).expect("few edges");
    }
    let text = rg::print(&description).expect("it can be written");
    let is_definition =
        |line: &&str| ["type ", "const ", "var "].iter().any(|word| line.starts_with(word));
    let (definitions, mut edges): (Vec<&str>, Vec<&str>) =
        text.lines().filter(|line| !line.is_empty()).partition(is_definition);
    let (wanted, mut others): (Vec<&str>, Vec<&str>) =
        after.iter().partition(|line| is_definition(line));
    edges.sort_unstable();
    others.sort_unstable();
    assert_eq!(edges, others);
    for definition in wanted {
        assert!(definitions.contains(&definition), "{definition} is not in {definitions:#?}");
    }
}

#[test]
fn figures_of_expressions() {
    // Figures 3 and 4: here `x` may be anything.
    figure(
        &["compact-comparisons"],
        "type A = { 1, 2, 3 }; var x: A = 1; begin, a: x = A(*); a, end: x == 1; a, end: x == 2;",
        &["begin, a: x = A(*);", "a, end: x != 3;"],
    );
    // Figures 5 and 6: the last edge reads what it assigns to.
    let definitions = "type C = { 0, 1, 2, 3 }; var coordX: C = 0; var coordY: C = 1; var x: C = 0;
        const up: C -> C = { 0: 1, 1: 2, 2: 3, :0 }; var board: C -> C = { 0: 1, 1: 2, :0 };";
    figure(
        &["inline-assignment"],
        &format!(
            "{definitions} begin, a: coordX = board[x]; a, b: coordX != coordY;
             b, c: coordX = up[coordX]; c, d: $$ coordX; d, end: player = p;"
        ),
        &[
            "begin, a: ;",
            "a, b: board[x] != coordY;",
            "b, c: coordX = up[board[x]];",
            "c, d: $$ coordX;",
            "d, end: player = p;",
        ],
    );
    // A variable that is read behind it is inlined as well.
    figure(
        &["inline-assignment", "compact-skip-edges"],
        &format!(
            "{definitions} begin, a: coordX = board[x]; a, b: ; b, c: coordX = up[coordX];
             c, d: board[coordX] = 0; d, e: player = p; e, f: board[0] == 1; f, end: player = p;"
        ),
        &[
            "begin, d: board[up[board[x]]] = 0;",
            "d, e: player = p;",
            "e, f: board[0] == 1;",
            "f, end: player = p;",
        ],
    );
    // Figures 7 and 8.
    figure(
        &["merge-accesses"],
        "type A = { 1, 2, 3 }; type B = { 1, 2 }; type C = { 2, 3, 4 }; var x: C = 2;
         const MapAB: A -> B = { 1: 1, :2 }; const MapBC: B -> C = { 1: 2, 2: 3, :4 };
         begin, end: x = MapBC[MapAB[1]];",
        &["const MapBC_MapAB: A -> C = { 1: 2, :3 };", "begin, end: x = MapBC_MapAB[1];"],
    );
    // Figures 9 and 10.
    figure(
        &["propagate-constants"],
        "type A = { 1, 2, 3, 4 }; const down: A -> A = { 4: 3, 3: 2, :1 }; var x: A = 3;
         var y: A = 1; begin, a: y = A(*); a, b: y == down[x]; b, end: player = p;",
        &["begin, a: y = A(*);", "a, b: y == 2;", "b, end: player = p;"],
    );
    // Figures 11 and 12.
    figure(
        &["reorder-conditions"],
        "begin, a: 4 == 4; begin, b: 2 == 2; a, a1: 1 == 1; b, b1: 4 == 4; a1, end: ; b1, end: ;",
        &[
            "begin, a: 4 == 4;",
            "begin, b: 4 == 4;",
            "a, a1: 1 == 1;",
            "b, b1: 2 == 2;",
            "a1, end: ;",
            "b1, end: ;",
        ],
    );
    // Figures 13 and 14.
    figure(
        &["skip-self-assignments", "skip-self-comparisons"],
        "var x: Bool = 0; begin, a1: x == x; begin, a2: x != x; begin, a3: x = x;
         a1, end: $ 1; a2, end: $ 2; a3, end: $ 3;",
        &["begin, a1: ;", "begin, a3: ;", "a1, end: $ 1;", "a2, end: $ 2;", "a3, end: $ 3;"],
    );
}

#[test]
fn figures_of_joins_and_prunings() {
    // Figures 15 and 16.
    figure(
        &["join-exclusive-edges"],
        "var x: Bool = 0; var y: Bool = 0; begin, end: ? a -> b; begin, end: ! a -> b;
         c, d: x == y; c, d: x != y; a, b: x == 1;",
        &["begin, end: ;", "c, d: ;", "a, b: x == 1;"],
    );
    // Figures 17 and 18: there `b, c: ;` and `c, d: ;` stay, here they are one at once.
    figure(
        &["join-fork-prefixes"],
        "begin, b: 1 == 1; begin, c: 1 == 1; b, end: 2 == 2; c, d: ;",
        &["begin, b: 1 == 1;", "b, end: 2 == 2;", "b, d: ;"],
    );
    // Figures 19 and 20.
    figure(
        &["join-fork-suffixes"],
        "type A = { 1, 2 }; var x: A = 1; begin, a1: x == 1; begin, a2: x == 2;
         a1, end: 0 == 0; a2, end: 0 == 0;",
        &["begin, a1: x == 1;", "begin, a1: x == 2;", "a1, end: 0 == 0;"],
    );
    // Figures 21 and 22.
    figure(
        &["compact-skip-edges"],
        "begin, b: 1 == 1; b, c: ; c, end: 2 == 2;",
        &["begin, c: 1 == 1;", "c, end: 2 == 2;"],
    );
    // Figures 23 and 24.
    figure(
        &["prune-unreachable-nodes"],
        "begin, b: ? r1 -> target; b, end: ; a, end: ; r1, r2: ; r1, target: ;",
        &["begin, b: ? r1 -> target;", "b, end: ;", "r1, target: ;"],
    );
    // Figures 25 and 26.
    figure(
        &["skip-artificial-tags"],
        "begin, end: $ t; @artificialTag t;",
        &["begin, end: ;", "@artificialTag t;"],
    );
    // Figures 27 and 28: here the moves end.
    figure(
        &["skip-redundant-tags"],
        "begin, a: $ t1; begin, b: $ t2; begin, c: $ t3; a, d: $ rt; b, d: $ rt; c, d: $ rt;
         d, end: player = p;",
        &[
            "begin, a: $ t1;",
            "begin, b: $ t2;",
            "begin, c: $ t3;",
            "a, d: ;",
            "b, d: ;",
            "c, d: ;",
            "d, end: player = p;",
        ],
    );
}

#[test]
fn figures_of_reachability() {
    // Figures 29 and 30.
    figure(
        &["compact-reachability"],
        "var coordX: Bool = 0; var coordY: Bool = 0; begin, b: ? x0 -> y0; b, end: player = p;
         x0, x1: ; x1, x2: coordX == coordY; x2, y0: ;",
        &[
            "begin, b: ? x1 -> x2;",
            "b, end: player = p;",
            "x0, x1: ;",
            "x1, x2: coordX == coordY;",
            "x2, y0: ;",
        ],
    );
    // Figures 31 and 32, without the skip edge.
    figure(
        &["inline-reachability", "prune-unreachable-nodes"],
        "begin, end: ? a -> c; a, b: 1 == 1; b, c: 2 == 2;",
        &["begin, n1: 1 == 1;", "n1, end: 2 == 2;"],
    );
    // Figures 33 and 34.
    figure(
        &["skip-unused-tags"],
        "begin, end: ? t1 -> t3; t1, t2: $ 1; t2, t3: $ 2;",
        &["begin, end: ? t1 -> t3;", "t1, t2: ;", "t2, t3: ;"],
    );
}

#[test]
fn figures_of_other_forms() {
    // Figures 35 and 36.
    figure(
        &["add-explicit-casts"],
        "type T = { 1 }; var t: T = 1; begin, end: ; x1, y1: t == t;",
        &["begin, end: ;", "x1, y1: T(t) == T(t);"],
    );
    // Figures 37 and 38.
    let coord = "type Coord = { 0, 1, 2 }; var coordX: Coord = 0; var coordY: Coord = 0;";
    figure(
        &["expand-any-assignments"],
        &format!("{coord} begin, end: ; a, b: coordX = Coord(*); b, c: coordY = Coord(*);"),
        &[
            "begin, end: ;",
            "a, b: coordX = 0;",
            "a, b: coordX = 1;",
            "a, b: coordX = 2;",
            "b, c: coordY = 0;",
            "b, c: coordY = 1;",
            "b, c: coordY = 2;",
        ],
    );
    // Figures 39 and 40: `b0`, `b1`, `b2` are new nodes.
    figure(
        &["expand-tag-variables", "add-explicit-casts"],
        &format!("{coord} begin, end: ; a, b: $$ coordX;"),
        &[
            "begin, end: ;",
            "a, n1: Coord(coordX) == Coord(0);",
            "n1, b: $ 0;",
            "a, n2: Coord(coordX) == Coord(1);",
            "n2, b: $ 1;",
            "a, n3: Coord(coordX) == Coord(2);",
            "n3, b: $ 2;",
        ],
    );
    // Figures 41 and 42: other new names.
    figure(
        &["mangle-symbols"],
        "var playerTurn: Player = p; begin, end: playerTurn = Player(X); turn, move: ? move -> set;",
        &["var a: Player = p;", "begin, end: a = Player(X);", "b, c: ? c -> d;"],
    );
    // Figures 43 and 44: the new constants have other names.
    figure(
        &["normalise-constants"],
        "var x: Bool -> Bool -> Bool = { :{ :0 } }; begin, end: x[0][0] == 1;",
        &[
            "const map1: Bool -> Bool = { :0 };",
            "const map2: Bool -> Bool -> Bool = { :map1 };",
            "var x: Bool -> Bool -> Bool = map2;",
            "begin, end: x[0][0] == 1;",
        ],
    );
    // Figures 45 and 46: the other way round in names.
    figure(
        &["normalise-types"],
        "type M = { x } -> { y }; begin, end: ;",
        &[
            "type M = Type2 -> Type1;",
            "type Type2 = { x };",
            "type Type1 = { y };",
            "begin, end: ;",
        ],
    );
}
