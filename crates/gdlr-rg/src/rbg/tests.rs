//! Tests of errors and their places, of macros, and of boards.

use super::*;
use gdlr_text::diagnostic::Diagnostic;

const HEAD: &str = "#players = w(100), b(100)\n#pieces = e, x\n#variables = v(5)\n\
    #board = rectangle(up, down, left, right, [e, e] [e, x])\n";

/// The errors in a text: their codes, and the texts that they underline.
#[track_caller]
fn errors(text: &str) -> Vec<(&'static str, &str)> {
    let diagnostics = read(text).err().unwrap_or_default();
    diagnostics.iter().map(|error| (error.code.as_str(), &text[error.span.range()])).collect()
}

/// The expanded rules after [`HEAD`].
#[track_caller]
fn expanded(text: &str) -> String {
    let game = read(&format!("{HEAD}{text}")).unwrap_or_else(|errors| panic!("{errors:?}"));
    let printed = print(&game).expect("a short text");
    printed.split("#rules =\n").nth(1).expect("rules").trim().to_owned()
}

#[track_caller]
fn error_of(text: &str) -> Diagnostic {
    read(&format!("{HEAD}{text}")).expect_err("an error").swap_remove(0)
}

#[test]
fn macros_are_known_behind_their_definition_and_overloaded_by_arity() {
    assert_eq!(
        expanded("#m = up #m2(a) = a #m2(a; b) = b + a #rules = m m2(m) m2(left; right)"),
        "up up right + left"
    );
    assert_eq!(expanded("#a(p) = up p #rules = a() a(a(left))"), "up up up left");
    assert_eq!(expanded("#a = up #b = a a #a2(a) = a #rules = b a2(left)"), "up up left");
    // The brackets after a macro without parameters stay.
    assert_eq!(expanded("#m = up #rules = m(left + right)"), "up (left + right)");
    assert_eq!(expanded("#s(o; c) = o e c #rules = s({; }) s([; ])"), "{e} [e]");
}

#[test]
fn pasting_makes_one_token() {
    assert_eq!(expanded("#m(a) = u~a ri~gh~t #rules = m(p)"), "up right");
    assert_eq!(expanded("#m = {~? up} {~! up} [~$ v = 1] #rules = m"), "{? up} {! up} [$ v = 1]");
    assert_eq!(expanded("#n(a; b) = [$ v = a~b] #rules = n(1; 2)"), "[$ v = 12]");
    assert_eq!(expanded("#m = -~>~> #rules = m"), "->>");
    // With an empty operand nothing is pasted.
    assert_eq!(expanded("#m(a) = up a~down #rules = m()"), "up down");
    let error = error_of("#m(a) = a~up #rules = m(8)");
    assert_eq!(
        (error.code.as_str(), error.message.as_str()),
        ("B007", "`8` and `up` do not make one token")
    );
    assert_eq!(error_of("#rules = u~p").code.as_str(), "B007");
    assert_eq!(error_of("#m = ~up #rules = m").code.as_str(), "B007");
}

#[test]
fn messages_name_the_uses_of_macros() {
    let text = format!("{HEAD}#inner(a) = up a\n#outer = left inner(wrong)\n#rules = outer");
    let error = read(&text).expect_err("an error").swap_remove(0);
    assert_eq!((error.code.as_str(), &text[error.span.range()]), ("B103", "wrong"));
    let text = format!("{HEAD}#inner = wrong\n#outer = left inner\n#rules = outer outer");
    let diagnostics = read(&text).expect_err("an error");
    assert_eq!(diagnostics.len(), 1);
    let uses: Vec<&str> =
        diagnostics[0].related.iter().map(|(span, _)| &text[span.range()]).collect();
    assert_eq!(uses, ["inner", "outer"]);
    assert_eq!(diagnostics[0].related[1].1, "in the expansion of `outer`");
}

#[test]
fn several_errors_are_told_in_one_run() {
    let text = "#players = w(100) b(100)\n#pieces = e, w\n#variables = v(1000000)\n\
        #board = a[e]{up: b}\n#rules = up (nowhere {v} [$ e = 1] ->v";
    assert_eq!(
        errors(text),
        [
            ("B001", "b"),
            ("B102", "w"),
            ("B106", "1000000"),
            ("B103", "b"),
            ("B103", "nowhere"),
            ("B103", "v"),
            ("B103", "e"),
            ("B103", "v"),
            ("B001", "v"),
        ]
    );
    assert_eq!(errors("#rules = up"), vec![("B101", ""); 4]);
    assert_eq!(errors(""), vec![("B101", ""); 5]);
}

#[test]
fn what_does_not_follow_the_grammar() {
    for (rules, expected) in [
        ("#rules = up)", ("B001", ")")),
        ("#rules = (up", ("B001", "up")),
        ("#rules = {? ->w}", ("B105", "->")),
        ("#rules = up**", ("B001", "*")),
        ("#rules = up @ down", ("B002", "@")),
        ("#rules = { ? up}", ("B001", "?")),
        ("#rules = {$ v}", ("B001", "}")),
        ("#rules = up /* down", ("B002", "/*")),
        ("#m(a; a) = a #rules = up", ("B006", "a")),
        ("#m(a) = a #m = up #rules = up", ("B006", "#m ")),
        ("#m(a) = a #rules = m", ("B006", "m")),
        ("#m(a) = a #rules = m(up; up)", ("B006", "m")),
        ("#m(a) = a #rules = m(up", ("B006", "m")),
        ("#board2 #rules = up", ("B001", "#")),
        ("#rectangle = up #rules = up", ("B001", "rectangle")),
    ] {
        let text = format!("{HEAD}{rules}");
        assert_eq!(errors(&text).first(), Some(&expected), "{rules}");
    }
}

#[test]
fn what_grows_without_end_is_refused() {
    let mut text = format!("{HEAD}#m0 = up\n");
    for number in 1..60 {
        let before = number - 1;
        text.push_str(&format!("#m{number} = m{before} m{before}\n"));
    }
    text.push_str("#rules = m59");
    assert_eq!(errors(&text), [("B008", "m0")]);
    let mut text = format!("{HEAD}#m0 = u\n");
    for number in 1..60 {
        let before = number - 1;
        text.push_str(&format!("#m{number} = m{before}~m{before}\n"));
    }
    assert_eq!(errors(&format!("{text}#rules = m59"))[0].0, "B008");
    // A macro of macros is no deeper than the limit, whether it grows or not.
    let mut text = format!("{HEAD}#m0 = up\n");
    for number in 1..1000 {
        text.push_str(&format!("#m{number} = m{}\n", number - 1));
    }
    assert_eq!(errors(&format!("{text}#rules = m999"))[0].0, "B003");
    let deep = format!("{HEAD}#rules = {}up", "(".repeat(10_000));
    assert_eq!(errors(&deep)[0].0, "B003");
    let powers = format!("{HEAD}#rules = (((([x]^1000)^1000)^1000)^1000)");
    let diagnostics = translate(&read(&powers).expect("a short text")).expect_err("large");
    assert_eq!(diagnostics[0].code.as_str(), "B008");
    assert_eq!(errors(&format!("{HEAD}#rules = [x]^1000000"))[0].0, "B106");
    let line = format!("[{}]", vec!["e"; 1000].join(","));
    let board = format!(
        "#pieces = e #players = w(1) #variables = #board = rectangle(u, d, l, r, {}) #rules = u",
        line.repeat(1000)
    );
    assert_eq!(errors(&board)[0].0, "B008");
}

#[test]
fn boards_are_made_as_the_reference_makes_them() {
    let board = |text: &str| {
        let text =
            format!("#players = w(1) #pieces = e, x #variables = #board = {text} #rules = ->w");
        read(&text).unwrap_or_else(|errors| panic!("{errors:?}")).board
    };
    let edges = |board: &Board, at: usize| {
        let edges = board.squares[at].edges.iter();
        let text = |(label, to): &(LabelId, Square)| {
            format!("{}:{}", board.labels[label.index()], board.squares[to.index()].name)
        };
        edges.map(text).collect::<Vec<_>>().join(" ")
    };
    let holes = board("rectangle(u, d, l, r, [e, , e] [ ,x,] [e,e,e])");
    let names: Vec<&str> = holes.squares.iter().map(|square| &*square.name).collect();
    assert_eq!(names, ["rx0y0", "rx2y0", "rx1y1", "rx0y2", "rx1y2", "rx2y2"]);
    assert_eq!(edges(&holes, 2), "d:rx1y2");
    assert_eq!(edges(&holes, 4), "u:rx1y1 l:rx0y2 r:rx2y2");
    // The example of the specification, with the names of the reference.
    let hexagon = board("hexagon(nw, ne, e1, se, sw, w1, [e,e] [e,e,e] [e,e])");
    assert_eq!(edges(&hexagon, 0), "e1:hx1y0 se:hx1y1 sw:hx0y1");
    assert_eq!(edges(&hexagon, 3), "nw:hx0y0 ne:hx1y0 e1:hx2y1 se:hx1y2 sw:hx0y2 w1:hx0y1");
    assert_eq!(edges(&hexagon, 6), "nw:hx1y1 ne:hx2y1 w1:hx0y2");
    let cuboid = board("cuboid(u, d, l, r, f, b, [[e,x]] [[e,e]])");
    assert_eq!(edges(&cuboid, 0), "r:cx1y0z0 f:cx0y0z1");
    assert_eq!(edges(&cuboid, 3), "l:cx0y0z1 b:cx1y0z0");
    for wrong in [
        "rectangle(u, d, l, r, [e, e] [e])",
        "hexagon(nw, ne, e1, se, sw, w1, [e,e] [e,e])",
        "hexagon(nw, ne, e1, se, sw, w1, [e,e] [e] [e,e])",
        "cuboid(u, d, l, r, f, b, [[e,x]] [[e]])",
        "rectangle(u, d, l, r, )",
    ] {
        let text =
            format!("#players = w(1) #pieces = e, x #variables = #board = {wrong} #rules = ->w");
        assert_eq!(errors(&text)[0].0, "B104", "{wrong}");
    }
    let text =
        "#players = w(1) #pieces = e #variables = #board = rectangle(u, u, l, r, [e]) #rules = ->w";
    assert_eq!(errors(text), [("B102", "u")]);
}

#[test]
fn sections_stand_in_any_order_and_the_last_of_a_name_counts() {
    let text = "#rules = up #rules = ->w up #variables = #board = a[e]{up: a} #pieces = e\n\
        #players = w(1)";
    let game = read(text).expect("a game");
    assert_eq!(print(&game).unwrap().lines().last(), Some("->w up"));
    let diagnostics = check(text.as_bytes());
    assert_eq!(diagnostics.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(), ["B201"]);
}

#[test]
fn arithmetic_is_from_left_to_right() {
    let rules = "#rules = [$ v = v - 1 - 2 * 3 / 2 + 1] {$ (v + 1) * 2 >= -1}";
    assert_eq!(expanded(rules), "[$ v = (v - 1 - ((2 * 3) / 2)) + 1] {$ (v + 1) * 2 >= -1}");
    let diagnostics = check(format!("{HEAD}{rules}").as_bytes());
    assert!(diagnostics.iter().any(|it| it.code.as_str() == "B202"), "{diagnostics:?}");
}

#[test]
fn bytes_that_are_no_text() {
    assert_eq!(check(b"#rules = \xff")[0].code.as_str(), "B005");
    assert!(!is_rbg("#!shebang") && !is_rbg("") && is_rbg("/* a */ #m(a) = a"));
}

/// A type of the squares and `nowhere` is declared only if a direction leads nowhere from some
/// squares.
#[test]
fn no_type_is_declared_that_nothing_has() {
    for (rules, expected) in [("->w [x] ->b {? up}", false), ("->w up [x] ->b", true)] {
        let game = read(&format!("{HEAD}#rules = {rules}")).expect("a game");
        let description = translate(&game).expect("an automaton");
        let types = description.types.iter();
        let mut names = types.map(|alias| description.names.text(alias.name.name));
        assert_eq!(names.any(|name| name == "SquareOrNone"), expected, "{rules}");
    }
}
