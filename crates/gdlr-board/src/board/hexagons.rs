//! Whether the squares of a board are hexagons, drawn skewed.
//!
//! A rulesheet says so where a relation that never changes has two squares as arguments, four
//! numbers or letters, and leads from a square to six: to those beside it in its row and in its
//! column, and to two at opposite corners. Its rules are read as differences, not evaluated.

use super::order::parts;
use gdlr_rules::gdl::{Game, Literal, LiteralKind, Rule, Sentence, Symbol, SymbolTable, Term};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;

/// How deep relations are followed to the facts that they rest on.
const DEEPEST: usize = 4;
/// The most facts that are looked at for one relation.
const MOST_FACTS: usize = 1 << 12;

type Differences = BTreeSet<i64>;

struct Reader<'g> {
    symbols: &'g SymbolTable,
    rules: HashMap<(Symbol, usize), Vec<&'g Rule>>,
}

/// Whether some relation leads from squares to six neighbours; if so, whether at the corners both
/// coordinates grow together. Linear in the rules.
pub(super) fn hexagons(game: &Game) -> Option<bool> {
    let mut reader = Reader { symbols: &game.symbols, rules: HashMap::new() };
    for rule in &game.rules {
        let arity = rule.head.args.len();
        if matches!(arity, 2 | 4) && !rule.head.relation.is_keyword() {
            reader.rules.entry((rule.head.relation, arity)).or_default().push(rule);
        }
    }
    let of_squares = reader.rules.iter().filter(|((_, arity), _)| *arity == 4);
    of_squares.map(|(_, rules)| rules).find_map(|rules| reader.leads_to_six(rules))
}

impl Reader<'_> {
    fn leads_to_six(&self, rules: &[&Rule]) -> Option<bool> {
        let mut all_steps: HashSet<(i64, i64)> = HashSet::new();
        for rule in rules.iter().take(MOST_FACTS) {
            let [a, b, c, d] = &rule.head.args[..] else { return None };
            let across = self.between(rule, a, c, 0)?;
            let up = self.between(rule, b, d, 0)?;
            all_steps.extend(across.iter().flat_map(|dx| up.iter().map(|dy| (*dx, *dy))));
        }
        let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let corners = [[(1, 1), (-1, -1)], [(1, -1), (-1, 1)]];
        let are_found = |steps: &[(i64, i64)]| steps.iter().all(|step| all_steps.contains(step));
        let corners = corners.iter().position(|two| are_found(two));
        corners.filter(|_| all_steps.len() == 6 && are_found(&beside)).map(|at| at == 0)
    }

    /// By how much the second of two terms can be more than the first.
    fn between(&self, rule: &Rule, from: &Term, to: &Term, depth: usize) -> Option<Differences> {
        match (from, to) {
            _ if from == to => Some(BTreeSet::from([0])),
            (Term::Constant(from), Term::Constant(to)) => {
                Some(BTreeSet::from([self.value(*to)? - self.value(*from)?]))
            }
            _ => rule.body.iter().find_map(|literal| self.said(literal, from, to, depth)),
        }
    }

    /// The meaning of a condition for the difference.
    fn said(&self, literal: &Literal, from: &Term, to: &Term, depth: usize) -> Option<Differences> {
        match &literal.kind {
            LiteralKind::Sentence(sentence) => self.of_sentence(sentence, from, to, depth),
            LiteralKind::Or(branches) => {
                let ways = branches.iter().map(|branch| self.said(branch, from, to, depth));
                ways.collect::<Option<Vec<_>>>().map(|ways| ways.into_iter().flatten().collect())
            }
            LiteralKind::Not(_) | LiteralKind::Distinct(..) => None,
        }
    }

    fn of_sentence(
        &self,
        sentence: &Sentence,
        from: &Term,
        to: &Term,
        depth: usize,
    ) -> Option<Differences> {
        let turned = match &sentence.args[..] {
            [a, b] if a == from && b == to => false,
            [a, b] if a == to && b == from => true,
            _ => return None,
        };
        let rules = self.rules.get(&(sentence.relation, 2)).filter(|_| depth < DEEPEST)?;
        let mut all = Differences::new();
        for rule in rules.iter().take(MOST_FACTS) {
            all.extend(self.between(rule, &rule.head.args[0], &rule.head.args[1], depth + 1)?);
            if all.len() > 3 {
                return None;
            }
        }
        Some(if turned { all.into_iter().map(|difference| -difference).collect() } else { all })
    }

    /// The place of a label on its axis.
    fn value(&self, label: Symbol) -> Option<i64> {
        let name = label.spelled(self.symbols);
        match name.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => Some(i64::from(*letter)),
            _ => name.parse().ok().or_else(|| Some(i64::from(parts(name)?.1))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rules: &str) -> Option<bool> {
        let order =
            "(after 1 2) (after 2 3) (column a b) (column b c) (<= (is ?x ?x) (after ?x ?y))
            (<= (beside ?x ?y) (after ?x ?y)) (<= (beside ?y ?x) (after ?x ?y))";
        hexagons(&Game::from_kif("t", &format!("{order} {rules}")).expect("readable"))
    }

    #[test]
    fn six_neighbours() {
        let four = "(<= (near ?x ?y ?x ?z) (beside ?y ?z))
            (<= (near ?x ?y ?z ?y) (or (column ?x ?z) (column ?z ?x)))";
        assert_eq!(found(four), None);
        let two = |first, second| {
            format!(
                "{four} (<= (near ?x ?y ?v ?w) (column ?x ?v) {first})
                 (<= (near ?v ?w ?x ?y) (column ?x ?v) {second})"
            )
        };
        let (less, more) = ("(after ?w ?y)", "(after ?y ?w)");
        assert_eq!(found(&two(less, less)), Some(false), "one more, the other less");
        assert_eq!(found(&two(more, more)), Some(true), "both more");
        assert_eq!(found(&two(less, more)), None);
        assert_eq!(found(&two(less, "(is ?y ?w)")), None);
        assert_eq!(found("(<= (near ?x ?y ?v ?w) (near ?v ?w ?x ?y)) (near a 1 x2 1)"), None);
    }
}
