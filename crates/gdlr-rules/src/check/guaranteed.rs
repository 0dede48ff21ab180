//! The sentences that a condition guarantees, whichever way it comes true.
//!
//! SPEC's definition 18 speaks of the rules that remain when every `or` is expanded. There
//! can be exponentially many; nobody needs to see them. A thing (a variable, a term) stands
//! in a positive literal of every expanded rule exactly if some conjunct puts it there in
//! each of its branches, as the branches of different conjuncts are chosen independently.
//! So a conjunction guarantees the union, an `or` the intersection.

use crate::gdl::{Literal, LiteralKind, Sentence};

/// The sentences that hold in each way that `literal` (or its negation) can come true, sorted; `None`
/// when there is no such way. `of` gives what a positive sentence contributes.
pub(super) fn guaranteed<'a, T: Ord>(
    literal: &'a Literal,
    negated: bool,
    of: &impl Fn(&'a Sentence, &mut Vec<T>),
) -> Option<Vec<T>> {
    let mut things = Vec::new();
    match &literal.kind {
        LiteralKind::Sentence(sentence) => {
            if !negated {
                of(sentence, &mut things);
            }
        }
        LiteralKind::Distinct(..) => {}
        LiteralKind::Not(inner) => return guaranteed(inner, !negated, of),
        LiteralKind::Or(items) if negated => {
            for item in items {
                things.extend(guaranteed(item, true, of)?);
            }
        }
        LiteralKind::Or(items) => {
            let mut branches = items.iter().filter_map(|item| guaranteed(item, false, of));
            things = branches.next()?;
            for branch in branches {
                things = intersection(things, branch);
            }
        }
    }
    things.sort_unstable();
    things.dedup();
    Some(things)
}

/// The common items of two sorted lists. Keeps no more than the shorter one, so that folding over
/// many lists costs no more than all of them together.
fn intersection<T: Ord>(left: Vec<T>, right: Vec<T>) -> Vec<T> {
    let mut right = right.into_iter().peekable();
    left.into_iter()
        .filter(|item| {
            while right.next_if(|other| other < item).is_some() {}
            right.peek() == Some(item)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::{Game, Variable};

    fn variables(condition: &str) -> Option<String> {
        let game = Game::from_kif("t", &format!("(<= p {condition})")).unwrap();
        let rule = &game.rules[0];
        let of = |sentence: &Sentence, out: &mut Vec<Variable>| {
            sentence.args.iter().for_each(|term| term.for_each_variable(&mut |v| out.push(v)));
        };
        let name = |v: Variable| rule.variables[usize::from(v.0)].to_string();
        Some(guaranteed(&rule.body[0], false, &of)?.into_iter().map(name).collect())
    }

    #[test]
    fn or_guarantees_what_all_branches_do() {
        assert_eq!(variables("(or (q ?x ?y) (q ?y ?z) (q a (f ?y)))").unwrap(), "?y");
        assert_eq!(variables("(or (q ?x) (or))").unwrap(), "?x");
        assert_eq!(variables("(or)"), None);
    }

    #[test]
    fn negations_turn_or_round() {
        assert_eq!(variables("(not (q ?x))").unwrap(), "");
        assert_eq!(variables("(not (not (q ?x)))").unwrap(), "?x");
        assert_eq!(variables("(not (or (not (q ?x)) (not (q ?y)) (q ?z)))").unwrap(), "?x?y");
        assert_eq!(variables("(not (distinct ?x a))").unwrap(), "");
    }
}
