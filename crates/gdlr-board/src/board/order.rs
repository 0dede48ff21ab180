//! The order of an argument's values: how the labels of an axis follow each other.

use gdlr_rules::gdl::{Game, Symbol, SymbolTable, Term};
use hashbrown::{HashMap, HashSet};

/// The order of the labels of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// They are numbers, by their value.
    Numbers,
    /// They are single letters, by the alphabet.
    Letters,
    /// They are names that differ in a number at their end, as `c1`, `c2`, by that number.
    NumberedNames,
    /// A relation of the rules, as `(next_file one two)`, leads from each to the next.
    Relation,
}

/// A relation is looked at only among the first so many that speak of a symbol.
const MOST_RELATIONS: usize = 16;

/// The static facts with two constants, which may lead from one label to the next.
pub(super) struct Chains {
    /// By relation and first constant: the second ones.
    next: HashMap<Symbol, HashMap<Symbol, Vec<Symbol>>>,
    /// By constant: the relations that have it.
    relations: HashMap<Symbol, Vec<Symbol>>,
}

impl Chains {
    /// The facts among the rules. Linear in them.
    pub(super) fn of(game: &Game) -> Chains {
        let mut chains = Chains { next: HashMap::new(), relations: HashMap::new() };
        for rule in game.rules.iter().filter(|rule| rule.body.is_empty()) {
            let relation = rule.head.relation;
            if let ([Term::Constant(from), Term::Constant(to)], false) =
                (&rule.head.args[..], relation.is_keyword())
            {
                chains.next.entry(relation).or_default().entry(*from).or_default().push(*to);
                for symbol in [from, to] {
                    let relations = chains.relations.entry(*symbol).or_default();
                    if relations.last() != Some(&relation) && relations.len() < MOST_RELATIONS {
                        relations.push(relation);
                    }
                }
            }
        }
        chains
    }

    /// The values in the order in which a relation leads from each to the next.
    fn order(&self, values: &[Symbol]) -> Option<Vec<Symbol>> {
        // Any two opposites would have an order.
        if values.len() < 3 {
            return None;
        }
        let relations = self.relations.get(values.first()?)?;
        relations.iter().find_map(|relation| self.by(*relation, values))
    }

    fn by(&self, relation: Symbol, values: &[Symbol]) -> Option<Vec<Symbol>> {
        let next = &self.next[&relation];
        let inside: HashSet<Symbol> = values.iter().copied().collect();
        let mut follower = HashMap::new();
        let mut followed = HashSet::new();
        for value in values {
            for &to in next.get(value).into_iter().flatten().filter(|to| inside.contains(*to)) {
                if follower.insert(*value, to).is_some_and(|other| other != to) {
                    return None;
                }
                followed.insert(to);
            }
        }
        // One that follows no other; on a ring, the first that the rulesheet names.
        let ring = followed.len() == values.len();
        let mut at = *values.iter().filter(|value| ring || !followed.contains(*value)).min()?;
        let mut chain = vec![at];
        while let Some(&to) = follower.get(&at) {
            if to == chain[0] || chain.len() > values.len() {
                break;
            }
            chain.push(to);
            at = to;
        }
        (chain.len() == values.len()).then_some(chain)
    }
}

/// A name's letters and the number at its end.
pub(super) fn parts(name: &str) -> Option<(&str, u32)> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (letters, number) = name.split_at(name.len() - digits);
    (!letters.is_empty()).then_some((letters, number.parse().ok()?))
}

/// Different values in their order, if they have one.
pub(super) fn order(
    values: &[Symbol],
    symbols: &SymbolTable,
    chains: &Chains,
) -> Option<(Order, Vec<Symbol>)> {
    let names = || values.iter().map(|value| value.spelled(symbols));
    let by = |order: Order, keys: Option<Vec<i64>>| {
        let mut keyed: Vec<(i64, Symbol)> = keys?.into_iter().zip(values.iter().copied()).collect();
        keyed.sort_unstable();
        let distinct = keyed.windows(2).all(|pair| pair[0].0 < pair[1].0);
        distinct.then(|| (order, keyed.into_iter().map(|(_, value)| value).collect()))
    };
    let numbers = || by(Order::Numbers, names().map(|name| name.parse::<i64>().ok()).collect());
    let letters = || {
        let key = |name: &str| match name.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => {
                Some(i64::from(letter.to_ascii_lowercase()))
            }
            _ => None,
        };
        by(Order::Letters, names().map(key).collect())
    };
    let numbered = || {
        let first = parts(names().next()?)?.0;
        let key = |name| parts(name).filter(|(l, _)| *l == first).map(|(_, n)| i64::from(n));
        by(Order::NumberedNames, names().map(key).collect())
    };
    let chained = || Some((Order::Relation, chains.order(values)?));
    numbers().or_else(letters).or_else(numbered).or_else(chained)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(values: &str, facts: &str) -> Option<(Order, String)> {
        let game = Game::from_kif("t", &format!("(values {values}) {facts}")).expect("readable");
        let values: Vec<Symbol> = game.rules[0]
            .head
            .args
            .iter()
            .map(|term| match term {
                Term::Constant(symbol) => *symbol,
                _ => panic!("constants"),
            })
            .collect();
        let (order, values) = order(&values, &game.symbols, &Chains::of(&game))?;
        let names: Vec<&str> = values.iter().map(|value| value.spelled(&game.symbols)).collect();
        Some((order, names.join(" ")))
    }

    #[test]
    fn values_have_the_order_that_people_expect() {
        assert_eq!(ordered("10 9 -1", ""), Some((Order::Numbers, "-1 9 10".to_owned())));
        assert_eq!(ordered("c a b", ""), Some((Order::Letters, "a b c".to_owned())));
        assert_eq!(ordered("c10 c9", ""), Some((Order::NumberedNames, "c9 c10".to_owned())));
        assert_eq!(ordered("c1 d2", ""), None);
        assert_eq!(ordered("1 01", ""), None);
    }

    #[test]
    fn a_relation_orders_names() {
        let facts =
            "(on one two) (after one two) (after two three) (after three four) (on two one)";
        let labels = ordered("three one two", facts);
        assert_eq!(labels, Some((Order::Relation, "one two three".to_owned())));
        let ring = "(after one two) (after two three) (after three one)";
        let labels = ordered("three one two", ring);
        assert_eq!(labels, Some((Order::Relation, "three one two".to_owned())));
        assert_eq!(ordered("one two three", "(after one two) (after one three)"), None);
        assert_eq!(ordered("one two three", "(after one two)"), None);
    }
}
