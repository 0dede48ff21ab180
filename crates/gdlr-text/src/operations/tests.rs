//! Sheets that are read, their translations, and sheets that are refused.

use super::read;
use crate::diagnostic::Code;

fn rules(text: &str) -> Vec<String> {
    let document = read(text).unwrap_or_else(|errors| panic!("{}: {text}", errors[0]));
    document.items.iter().map(ToString::to_string).collect()
}

/// The codes and places of the errors.
fn errors(text: &str) -> Vec<(Code, &str)> {
    let errors = read(text).expect_err(text);
    errors.iter().map(|error| (error.code, &text[error.span.range()])).collect()
}

#[test]
fn a_game() {
    let text = "% The light.
role(r). init(control(r)) base(lit(X)) :- lamp(X)
lamp(1) lamp(2)
legal(press(X)) :-
    lamp(X) & % one of them
    ~lit(X)
press(X) :: lit(X) ==> ~lit(X)
press(X) :: ~lit(X)
  ==> lit(X)
goal(r,100) :- lit(1)
goal(r,0) :- ~lit(1)
terminal :- lit(1)";
    assert_eq!(
        rules(text),
        [
            "(role r)",
            "(init (control r))",
            "(<= (base (lit ?x)) (lamp ?x))",
            "(lamp 1)",
            "(lamp 2)",
            "(<= (legal ?role (press ?x)) (true (control ?role)) (lamp ?x) (not (true (lit ?x))))",
            "(<= (removed (lit ?x)) (does ?role (press ?x)) (true (lit ?x)))",
            "(<= (next (lit ?x)) (does ?role (press ?x)) (not (true (lit ?x))))",
            "(<= (goal r 100) (true (lit 1)))",
            "(<= (goal r 0) (not (true (lit 1))))",
            "(<= terminal (true (lit 1)))",
            "(<= (next (control ?x1)) (true (control ?x1)))",
            "(<= (next (lit ?x1)) (true (lit ?x1)) (not (removed (lit ?x1))))",
        ]
    );
}

#[test]
fn rules_have_the_places_of_their_statements() {
    let text = "role(r) init(control(r))\nlegal(go) :- ~done(1)\ngo :: p(X) ==> done(X) & ~p(X)";
    let document = read(text).unwrap();
    let place = |rule: &str| {
        let item = document.items.iter().find(|item| item.to_string().contains(rule)).unwrap();
        &text[item.span.range()]
    };
    assert_eq!(place("(legal"), "legal(go) :- ~done(1)");
    assert_eq!(place("(<= (next (done ?x))"), "go :: p(X) ==> done(X) & ~p(X)");
    assert_eq!(place("(removed (p ?x))"), "go :: p(X) ==> done(X) & ~p(X)");
}

#[test]
fn names_of_gdl_that_mean_nothing_here_are_others() {
    let text = "role(r) init(control(r)) legal(a) a :: b
next(c) :- does(r,a)
happens(x) removed(y)";
    let found = rules(text).join(" ");
    assert!(found.contains("(<= (next_ c) (does_ r a))"), "{found}");
    assert!(found.contains("(<= (next b) (does ?role a))"), "{found}");
}

#[test]
fn what_is_refused_has_a_place() {
    let sheet = "role(r) init(control(r)) init(p(1)) legal(a) v(X) :- p(X)\n";
    for (rules, code, place) in [
        ("a :: b & ", Code::OperationsSyntax, "&"),
        ("a :: (b", Code::UnclosedBracket, "("),
        ("legal(b) :- p(1)\n  c :: b", Code::Unjoined, "c"),
        ("legal(b) :- p(1) p(2)", Code::Unjoined, "p"),
        ("p(1) ==> p(2)", Code::OperationsSyntax, "==>"),
        ("f(X) := X", Code::OperationsSyntax, ":="),
        ("legal(c([1,2]))", Code::OperationsSyntax, "["),
        ("legal(c) :- 1 < 2", Code::OperationsSyntax, "<"),
        (")", Code::StrayBracket, ")"),
        ("a :: ~v(1)", Code::OperationsEffect, "~v(1)"),
        ("b :: p(2)\na :: ~b", Code::OperationsEffect, "~b"),
        ("a :: (p(1) | p(2))", Code::OperationsEffect, "p(1) | p(2)"),
        ("a :: plus(1,2,3)", Code::OperationsEffect, "plus(1,2,3)"),
        ("p(X) :- v(X)", Code::OperationsEffect, "p(X)"),
        ("legal(b) :- true(p(1))", Code::OperationsKeyword, "true(p(1))"),
        ("legal(b,c)", Code::OperationsKeyword, "legal(b,c)"),
        ("plus(1,1,2)", Code::OperationsKeyword, "plus(1,1,2)"),
        ("distinct(1,1)", Code::OperationsKeyword, "distinct(1,1)"),
        ("legal(b) :- sort(p,q)", Code::OperationsBuiltIn, "sort(p,q)"),
        ("legal(b) :- leq(1)", Code::OperationsBuiltIn, "leq(1)"),
        ("legal(b) :- evaluate(f(1),2)", Code::OperationsBuiltIn, "f(1)"),
        ("a :: p(X) & plus(X,1,Y) ==> p(Y)", Code::OperationsUnbounded, "plus(X,1,Y)"),
        ("legal(b(X)) :- leq(X,3)", Code::OperationsUnbounded, "X"),
        ("X :: p(1)", Code::OperationsEffect, "X"),
        ("legal(b) :- X", Code::OperationsSyntax, "X"),
    ] {
        let text = format!("{sheet}{rules}");
        assert_eq!(errors(&text), [(code, place)], "{rules}");
    }
    assert_eq!(errors("role(r) legal(a) a :: b")[0].0, Code::OperationsKeyword);
}

#[test]
fn several_errors_are_found_in_one_run() {
    let text = "role(r) init(control(r))\nlegal(a :- b\nlegal(c)\nc :: [\nd :- (e\nf &";
    assert_eq!(errors(text).len(), 4);
}

/// Whatever the text, the reader ends, and its errors have places in it.
#[test]
fn any_text() {
    let pieces = [
        "role(r) ",
        "init(control(r)) ",
        "init(p(1)) ",
        "legal(a) ",
        "legal(",
        "a",
        "X",
        "_",
        "p(",
        ")",
        "(",
        ",",
        " & ",
        " | ",
        "~",
        " :- ",
        " :: ",
        " ==> ",
        ".",
        "\n",
        "\n  ",
        "%",
        "\"b\"",
        "plus(X,1,Y)",
        "countofall(X,p(X),N)",
        "same(X,f(X))",
        "goal(R,0)",
        "goal(r,100)",
        "terminal",
        "é",
        "[",
        "-1",
        "base(p(",
        "leq(X,2)",
        "evaluate(plus(X,1),Y)",
        "p(X)",
        "~p(X)",
    ];
    let mut random = 1_u64;
    for _ in 0..4_000 {
        let mut text = String::new();
        for _ in 0..24 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(random >> 33) as usize % pieces.len()]);
        }
        let within = |span: crate::diagnostic::Span| text.get(span.range()).is_some();
        match read(&text) {
            Ok(document) => assert!(document.items.iter().all(|item| within(item.span)), "{text}"),
            Err(errors) => {
                assert!(
                    !errors.is_empty() && errors.iter().all(|error| within(error.span)),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn what_nests_deep_is_refused() {
    for piece in ["p(", "(", "~", "a :- (b & "] {
        let text = format!("legal(a) :- {}", piece.repeat(100_000));
        let found = errors(&text);
        assert!(matches!(found[0].0, Code::TooDeep | Code::OperationsSyntax), "{piece}");
    }
    let text = format!("legal(a) :- {}", ["(a | b)"; 100].join(" & "));
    assert_eq!(errors(&format!("role(r) init(control(r))\n{text}"))[0].0, Code::TooLarge);
}

#[test]
fn what_has_no_operations() {
    let turn = "(role a) (role b) (init (turn a)) (<= (legal ?w (go ?x)) (true (turn ?w)) (n ?x))";
    let wait = "(<= (legal ?w wait) (role ?w) (not (true (turn ?w))))";
    for (rules, place) in [
        (
            "(role a) (role b) (<= (legal ?w go) (role ?w))".to_owned(),
            "(<= (legal ?w go) (role ?w))",
        ),
        (format!("{turn} {wait} (legal a stop)"), "(legal a stop)"),
        (format!("{turn} {wait} (legal a (f ?x))"), "(legal a (f ?x))"),
        (format!("{turn} (legal a wait) (legal b wait)"), "(legal a wait)"),
        (
            format!("{turn} (<= (legal ?w wait) (true (turn a)) (distinct ?w a))"),
            "(<= (legal ?w wait) (true (turn a)) (distinct ?w a))",
        ),
        (
            format!("{turn} (<= (legal ?w wait) (role ?w) (not (true (busy ?w))))"),
            "(<= (legal ?w wait) (role ?w) (not (true (busy ?w))))",
        ),
        (
            format!("{turn} {wait} (<= (legal ?w wait) (true (turn ?w)))"),
            "(<= (legal ?w wait) (true (turn ?w)))",
        ),
        (format!("{turn} {wait} (init (turn b))"), "(init (turn b))"),
        (format!("{turn} {wait} (sees a b)"), "(sees a b)"),
        (format!("{turn} {wait} (<= (next ?f) (true ?f))"), "(<= (next ?f) (true ?f))"),
        (format!("{turn} {wait} (init (plus 1))"), "(init (plus 1))"),
        (format!("{turn} {wait} (init (go 1))"), "(init (go 1))"),
        (format!("{turn} {wait} (init (control 1))"), "(init (control 1))"),
        (format!("{turn} {wait} (init (f thrust!))"), "thrust!"),
        (format!("{turn} {wait} (<= (next (f ?m)) (does ?w ?m))"), "(does ?w ?m)"),
        (format!("{turn} {wait} (<= (next f) (does a (go 1)) (does b (go 2)))"), "(does b (go 2))"),
        (format!("{turn} {wait} (<= terminal (legal a wait))"), "(legal a wait)"),
        (format!("{turn} {wait} (f ((g)))"), "((g))"),
        (format!("{turn} {wait} ()"), "()"),
        (format!("{turn} {wait} (<= (not (true f)) (n 1))"), "(<= (not (true f)) (n 1))"),
        ("(role a)".to_owned(), ""),
    ] {
        let document = crate::kif::read(&rules).expect("KIF");
        let errors = super::from_gdl(&rules, &document).expect_err(&rules);
        assert_eq!(errors[0].code, Code::NotInOperations, "{rules}");
        assert_eq!(&rules[errors[0].span.range()], place, "{rules}: {}", errors[0]);
    }
}

#[test]
fn classic_rules_become_operations() {
    let text = ";; The light.
(role you)
; who presses
(role it)
(init (turn you)) (init (lit 1))

(<= (legal ?w (press ?x)) (true (turn ?w)) ; free
    (lamp ?x))
(<= (legal ?w wait) (role ?w) (not (true (turn ?w))))
(lamp 1) (lamp 2)
(<= (next (lit ?x)) (does you (press ?x)))
(<= (next (lit ?x)) (true (lit ?x)) (does ?w (press ?y)) (distinct ?x ?y))
(<= (next (turn it)) (true (turn you)))
(<= terminal (not (true (lit 1))))
(goal ?r 0)
; end";
    let written = super::from_gdl(text, &crate::kif::read(text).expect("KIF")).expect("operations");
    assert_eq!(
        written,
        "%% The light.
role(you)
% who presses
role(it)
init(control(you))
init(lit(1))

legal(press(X)) :- % free
    lamp(X)
press(X) :: tick
lamp(1)
lamp(2)
press(X) :: control(you) ==> lit(X)
press(Y) :: lit(Y) ==> ~lit(Y)
tick :: control(you) ==> control(it)
tick :: control(X) ==> ~control(X)
terminal :-
    ~lit(1)
goal(R,0)
% end
"
    );
}
