//! Effects, what stays, who moves, and what a state is worth.

use super::{after, facts, legal};

#[test]
fn what_is_added_and_taken_away_in_one_step_holds() {
    assert_eq!(facts("init(p) legal(a) a :: p & ~p", &["a"]), ["p"]);
    assert_eq!(facts("init(p) legal(a)\na :: ~p\na :: p", &["a"]), ["p"]);
    assert_eq!(facts("legal(a)\na :: ~p\na :: p", &["a"]), ["p"]);
}

#[test]
fn all_else_stays() {
    let rules = "init(p(1)) init(p(2)) init(q) legal(a(X)) :- p(X)\na(X) :: ~p(X) & s(X)";
    assert_eq!(facts(rules, &["(a 1)"]), ["(p 2)", "(s 1)", "q"]);
    assert_eq!(facts(rules, &["(a 1)", "(a 2)"]), ["(s 1)", "(s 2)", "q"]);
}

#[test]
fn operations_ask_for_operations() {
    let rules = "init(p) legal(a)\na :: b & q\nb :: c(1)\nc(X) :: ~p & s(X)";
    assert_eq!(facts(rules, &["a"]), ["(s 1)", "q"]);
    // A move may be an operation that others ask for, too.
    let rules = "init(p) legal(a) legal(b)\na :: b & q\nb :: p ==> ~p";
    assert_eq!(facts(rules, &["b"]), [""; 0]);
    assert_eq!(facts(rules, &["a"]), ["q"]);
    // Operations that ask for each other happen once.
    let rules = "legal(a(1))\na(X) :: b(X) & q\nb(X) :: a(X) & s(X)";
    assert_eq!(facts(rules, &["(a 1)"]), ["(s 1)", "q"]);
}

#[test]
fn all_clauses_of_an_operation_look_at_the_state_before() {
    let rules = "init(p) legal(a)\na :: ~p & q\na :: p ==> s\na :: q ==> t";
    assert_eq!(facts(rules, &["a"]), ["q", "s"]);
    assert_eq!(facts(rules, &["a", "a"]), ["q", "s", "t"]);
    let rules = "legal(a)\na :: q(1)\na :: q(1) & q(2)";
    assert_eq!(facts(rules, &["a"]), ["(q 1)", "(q 2)"]);
}

#[test]
fn an_effect_happens_for_all_values_of_its_condition() {
    let rules = "init(p(1)) init(p(2)) legal(a)\na :: p(X) ==> ~p(X) & q(X)";
    assert_eq!(facts(rules, &["a"]), ["(q 1)", "(q 2)"]);
}

#[test]
fn a_variable_that_stands_behind_not_alone_is_any_value() {
    let rules = "init(p(1)) legal(a)\na :: ~p(X) ==> q\na :: ~p(2) ==> s\na :: ~t(X,_) ==> u";
    assert_eq!(facts(rules, &["a"]), ["(p 1)", "s", "u"]);
}

#[test]
fn conditions_with_connectives() {
    let state = "init(p(1)) init(p(2)) init(q(2)) init(z(1))";
    for (body, moves) in [
        ("p(X) & ~(q(X) & z(Y))", "(a 1)"),
        ("p(X) & ~(q(X) & z(2))", "(a 1) (a 2)"),
        ("p(X) & ~(q(X) | z(X))", ""),
        ("p(X) & (q(X) | z(X))", "(a 1) (a 2)"),
        ("p(X) & (q(X) & z(1) | z(X) & q(1))", "(a 2)"),
        ("p(X) & ~~q(X)", "(a 2)"),
        ("p(X) & same(X,1)", "(a 1)"),
        ("p(X) & ~same(X,1)", "(a 2)"),
        ("p(X) & distinct(X,1)", "(a 2)"),
        ("p(X) & ~distinct(X,1)", "(a 1)"),
        ("p(Y) & same(f(X,2),f(Y,Y))", "(a 2)"),
        ("p(X) & true", "(a 1) (a 2)"),
        ("p(X) & ~false & false", ""),
    ] {
        let legal_moves = legal(&format!("{state} legal(a(X)) :- {body}\na(X) :: p(X)"));
        assert_eq!(legal_moves.join(" "), moves, "{body}");
    }
}

#[test]
fn a_head_may_leave_a_variable_to_its_uses() {
    let rules = "init(p(1)) init(p(2)) row(1) row(2) col(a) col(b)
        line(X,Y,Z,Y) :- row(X) & row(Z)
        legal(go(X,Y)) :- p(X) & col(Y) & line(X,Y,2,b)
        go(X,Y) :: p(X)";
    assert_eq!(legal(rules), ["(go 1 b)", "(go 2 b)"]);
}

#[test]
fn the_role_in_control_moves_and_the_others_wait() {
    let rules = "role(r) role(s) init(control(r)) goal(R,0) :- role(R)\nterminal :- never.
        legal(a) legal(b) :- legal(a)
        a :: control(r) ==> ~control(r) & control(s)
        a :: control(s) ==> ~control(s) & control(r)
        b :: c";
    let first = after(rules, &[]);
    assert_eq!(first.legal, [vec!["a", "b"], vec!["noop"]]);
    let second = after(rules, &["a"]);
    assert_eq!(second.legal, [vec!["noop"], vec!["a", "b"]]);
    assert_eq!(second.facts, ["(control s)"]);
    // A move of that name is another one.
    let named = after(&format!("{rules}\nlegal(noop)"), &[]);
    assert_eq!(named.legal[0], ["a", "b", "noop"]);
    assert_eq!(named.legal[1], ["noop_1"]);
    // Control may follow from the state.
    let view = "role(r) role(s) init(t(1)) goal(R,0) :- role(R)\nterminal :- never.
        control(r) :- t(1)\ncontrol(s) :- t(2).
        legal(a)\na :: t(1) ==> ~t(1) & t(2)\na :: t(2) ==> ~t(2) & t(1)";
    assert_eq!(after(view, &["a"]).legal, [vec!["noop"], vec!["a"]]);
}

#[test]
fn who_is_given_no_goal_has_zero() {
    let goals = |rules: &str| {
        let text =
            format!("role(r) role(s) init(control(r)) init(p) legal(a)\nterminal :- ~p\n{rules}");
        after(&text, &[]).goals
    };
    assert_eq!(goals("goal(r,50) :- p\ngoal(s,50) :- q"), [Ok(50), Ok(0)]);
    assert_eq!(goals("goal(r,50) :- p\ngoal(r,20) :- ~p\ngoal(s,30)"), [Ok(50), Ok(30)]);
    assert_eq!(goals("goal(R,100) :- q(R)\ngoal(R,10) :- ~goal(R,100)"), [Ok(10), Ok(10)]);
    assert_eq!(goals("goal(R,N) :- v(N)\nv(70)"), [Ok(70), Ok(70)]);
}
