//! Built-in relations.

use super::{facts, legal};

#[test]
fn results() {
    for (body, moves) in [
        ("p(M) & plus(M,1,N)", "(a 2)"),
        ("p(M) & plus(M,M,3,N)", "(a 5)"),
        ("p(M) & minus(M,3,N)", "(a -2)"),
        ("evaluate(plus(times(2,3),1),N)", "(a 7)"),
        ("quotient(7,2,N)", "(a 3.5)"),
        ("quotient(6,3,N)", "(a 2)"),
        ("remainder(7,2,N)", "(a 1)"),
        ("max(1,3,N)", "(a 3)"),
        ("abs(-3,N)", "(a 3)"),
        ("times(0.1,3,N)", "(a 0.30000000000000004)"),
        ("plus(x,1,N)", ""),
        ("p(N) & plus(N,1,2)", "(a 1)"),
        ("p(N) & plus(N,1,3)", ""),
        ("p(N) & leq(1,N)", "(a 1)"),
        ("p(N) & less(1,N)", ""),
        ("p(N) & ~less(1,N)", "(a 1)"),
    ] {
        let legal_moves = legal(&format!("init(p(1)) legal(a(N)) :- {body}\na(N) :: p(1)"));
        assert_eq!(legal_moves.join(" "), moves, "{body}");
    }
}

#[test]
fn counts() {
    let state = "init(p(1)) init(p(2)) init(q(2,1)) init(q(2,2))";
    for (body, moves) in [
        ("countofall(X,p(X),N)", "(a 2)"),
        ("p(Y) & countofall(X,q(Y,X),N)", "(a 0) (a 2)"),
        ("countofall(f(X),p(X) & ~q(X,1),N)", "(a 1)"),
        ("countofall(X,q(X,Y),N)", "(a 1)"),
        ("countofall(X,never(X),N)", "(a 0)"),
    ] {
        let legal_moves = legal(&format!("{state} legal(a(N)) :- {body}\na(N) :: p(1) & q(1,1)"));
        assert_eq!(legal_moves.join(" "), moves, "{body}");
    }
}

#[test]
fn facts_that_base_declares_bound_what_is_computed() {
    let rules = "init(step(1)) legal(go) number(1) number(2) number(3)
        base(step(N)) :- number(N)
        go :: step(M) & plus(M,1,N) ==> ~step(M) & step(N)";
    assert_eq!(facts(rules, &["go", "go"]), ["(step 3)"]);
    // Counting down ends by itself.
    let rules = "init(left(3)) legal(go) :- left(M) & less(0,M)
        go :: left(M) & less(0,M) & minus(M,1,N) ==> ~left(M) & left(N)";
    assert_eq!(facts(rules, &["go", "go", "go"]), ["(left 0)"]);
}
