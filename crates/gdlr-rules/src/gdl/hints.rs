//! Hints: which facts and moves there can be, by rules for `base` and `input`.
//!
//! SPEC has neither keyword. Some programs read `(base FACT)` and `(input ROLE MOVE)` to list all
//! facts and moves; nothing here needs them. So a rule is a hint if it serves these two relations
//! alone: no other rule asks for what it says. Hints are left out of play, whatever is wrong with
//! them. Where other rules ask for `base` or `input`, it is a relation like any other, and so is
//! one with another number of arguments.

use super::{Dependencies, Rule, Symbol};

impl Symbol {
    /// Whether the symbol is `base` or `input`, which are keywords of hints alone.
    pub fn is_hint(self) -> bool {
        matches!(self, Symbol::BASE | Symbol::INPUT)
    }
}

/// Whether a relation of this name and arity is one of hints, if no other rule asks for it.
fn states_hints(symbol: Symbol, arity: usize) -> bool {
    matches!((symbol, arity), (Symbol::BASE, 1) | (Symbol::INPUT, 2))
}

/// By rule: whether it is a hint, or serves hints alone. Linear in the rules.
pub(crate) fn hints(rules: &[Rule]) -> Vec<bool> {
    let hint = |rule: &Rule| states_hints(rule.head.relation, rule.head.args.len());
    if !rules.iter().any(hint) {
        return vec![false; rules.len()];
    }
    let graph = Dependencies::new(rules);
    let numbers = 0..graph.relations.len() as u32;
    let of_hints = |&number: &u32| {
        let name = graph.relations[number as usize];
        states_hints(name.symbol, name.arity)
    };
    let served = graph.reached(numbers.clone().filter(of_hints));
    let asked = graph.reached(numbers.filter(|&number| {
        let keyword = graph.relations[number as usize].symbol.is_keyword();
        !served[number as usize] || keyword && !of_hints(&number)
    }));
    let serves_hints = |rule: &Rule| {
        let number = graph.number(rule.head.relation, rule.head.args.len());
        number.is_some_and(|number| !asked[number as usize])
    };
    rules.iter().map(serves_hints).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::Game;

    /// The heads of the hints.
    fn hints_of(text: &str) -> Vec<&str> {
        let game = Game::from_kif("t", text).unwrap();
        let hints = hints(&game.rules).into_iter().zip(&game.rules);
        hints.filter(|(hint, _)| *hint).map(|(_, rule)| &text[rule.head.span.range()]).collect()
    }

    #[test]
    fn hints_and_what_serves_them_alone() {
        let text = "(base (step ?s)) (<= (input ?r go) (role ?r)) (role a)
            (<= (base (at ?x)) (place ?x)) (<= (place ?x) (row ?x) (base (at ?x))) (row 1)
            (<= (legal a (to ?x)) (row ?x)) (stray 1)";
        let expected = ["(base (step ?s))", "(input ?r go)", "(base (at ?x))", "(place ?x)"];
        assert_eq!(hints_of(text), expected);
    }

    #[test]
    fn a_relation_that_other_rules_ask_for_is_no_hint() {
        let text = "(base 1) (<= (legal a (to ?x)) (base ?x)) (input a 1) (base 1 2)";
        assert_eq!(hints_of(text), ["(input a 1)"]);
        assert_eq!(hints_of("(base 1) (<= (p ?x) (q ?x)) (<= (q ?x) (base ?x))"), [""; 0]);
        // A keyword is asked for by play, also where a hint asks for it.
        let text = "(<= (input ?r ?m) (legal ?r ?m)) (legal a b) (base x y)";
        assert_eq!(hints_of(text), ["(input ?r ?m)"]);
    }
}
