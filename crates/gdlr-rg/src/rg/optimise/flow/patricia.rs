//! Maps from numbers that share equal parts.
//!
//! A map is a tree by the bits of its keys, a Patricia trie (C. Okasaki, A. Gill, *Fast Mergeable
//! Integer Maps*, 1998). Trees are hash-consed: each is stored once, so equal maps have the same
//! number. A merge does not visit shared parts. So the knowledge at a node of an automaton costs
//! its difference from the neighbours, not its size.

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::hash::{BuildHasher, Hash};

/// A map from numbers to small values, in a forest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Map(u32);

impl Map {
    /// The map without keys.
    pub const EMPTY: Map = Map(0);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Tree<V> {
    Empty,
    Leaf {
        key: u32,
        value: V,
    },
    Branch {
        /// The bits of all keys above `bit`.
        prefix: u32,
        /// The highest bit in which the keys differ.
        bit: u32,
        /// The keys without the bit.
        zero: Map,
        /// The keys with the bit.
        one: Map,
    },
}

/// All maps so far.
#[derive(Debug)]
pub struct Forest<V> {
    trees: Vec<Tree<V>>,
    /// The numbers of the trees, by content.
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The memoised results of [`Forest::common`], by rule, two maps, and the set of keys that
    /// matter.
    common: HashMap<(Rule, Map, Map, Map), Map>,
}

/// The greatest number of memoised results.
const MAX_KEPT: usize = 1 << 22;

/// The function that merges two values, as part of the key of memoised results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The knowledge that holds if either value does.
    Join,
    /// Weaker knowledge, which soon changes no more.
    Widen,
}

impl<V: Copy + Eq + Hash> Default for Forest<V> {
    fn default() -> Self {
        Forest {
            trees: vec![Tree::Empty],
            numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            common: HashMap::new(),
        }
    }
}

impl<V: Copy + Eq + Hash> Forest<V> {
    fn tree(&self, map: Map) -> Tree<V> {
        self.trees[map.0 as usize]
    }

    fn add(&mut self, tree: Tree<V>) -> Map {
        let Forest { trees, numbers, hasher, .. } = self;
        let entry = numbers.entry(
            hasher.hash_one(tree),
            |&other| trees[other as usize] == tree,
            |&other| hasher.hash_one(trees[other as usize]),
        );
        let number = *entry
            .or_insert_with(|| u32::try_from(trees.len()).expect("fewer than 2^32 trees"))
            .get();
        if number as usize == trees.len() {
            trees.push(tree);
        }
        Map(number)
    }

    /// A branch with other sides, which are mostly the same.
    fn with(&mut self, map: Map, zero: Map, one: Map) -> Map {
        match self.tree(map) {
            Tree::Branch { zero: old_zero, one: old_one, .. }
                if (old_zero, old_one) == (zero, one) =>
            {
                map
            }
            Tree::Branch { prefix, bit, .. } => self.branch(prefix, bit, zero, one),
            Tree::Empty | Tree::Leaf { .. } => unreachable!("a branch"),
        }
    }

    /// A branch of two sides; either may be empty.
    fn branch(&mut self, prefix: u32, bit: u32, zero: Map, one: Map) -> Map {
        match (zero, one) {
            (only, Map::EMPTY) | (Map::EMPTY, only) => only,
            _ => self.add(Tree::Branch { prefix, bit, zero, one }),
        }
    }

    /// Joins two trees without a common key. With each comes a key that tells its bits.
    fn join(&mut self, left: (Map, u32), right: (Map, u32)) -> Map {
        let bit = 1 << (u32::BITS - 1 - (left.1 ^ right.1).leading_zeros());
        let (zero, one) = if left.1 & bit == 0 { (left.0, right.0) } else { (right.0, left.0) };
        self.branch(above(left.1, bit), bit, zero, one)
    }

    /// The value of a key.
    pub fn get(&self, map: Map, key: u32) -> Option<V> {
        let mut at = map;
        loop {
            match self.tree(at) {
                Tree::Empty => return None,
                Tree::Leaf { key: own, value } => return (own == key).then_some(value),
                Tree::Branch { bit, zero, one, .. } => {
                    at = if key & bit == 0 { zero } else { one };
                }
            }
        }
    }

    /// The keys and their values, in no order.
    pub fn entries(&self, map: Map) -> Vec<(u32, V)> {
        let (mut entries, mut open) = (Vec::new(), vec![map]);
        while let Some(map) = open.pop() {
            match self.tree(map) {
                Tree::Empty => {}
                Tree::Leaf { key, value } => entries.push((key, value)),
                Tree::Branch { zero, one, .. } => open.extend([zero, one]),
            }
        }
        entries
    }

    /// The map with another value of a key.
    pub fn insert(&mut self, map: Map, key: u32, value: V) -> Map {
        let leaf = self.add(Tree::Leaf { key, value });
        self.put(map, key, leaf)
    }

    fn put(&mut self, map: Map, key: u32, leaf: Map) -> Map {
        match self.tree(map) {
            Tree::Empty => leaf,
            Tree::Leaf { key: own, .. } if own == key => leaf,
            Tree::Leaf { key: own, .. } => self.join((map, own), (leaf, key)),
            Tree::Branch { prefix, bit, .. } if above(key, bit) != prefix => {
                self.join((map, prefix), (leaf, key))
            }
            Tree::Branch { bit, zero, one, .. } => match key & bit {
                0 => {
                    let zero = self.put(zero, key, leaf);
                    self.with(map, zero, one)
                }
                _ => {
                    let one = self.put(one, key, leaf);
                    self.with(map, zero, one)
                }
            },
        }
    }

    /// The map without a key.
    pub fn remove(&mut self, map: Map, key: u32) -> Map {
        match self.tree(map) {
            Tree::Leaf { key: own, .. } if own == key => Map::EMPTY,
            Tree::Branch { prefix, bit, zero, one } if above(key, bit) == prefix => {
                let (zero, one) = match key & bit {
                    0 => (self.remove(zero, key), one),
                    _ => (zero, self.remove(one, key)),
                };
                self.with(map, zero, one)
            }
            Tree::Empty | Tree::Leaf { .. } | Tree::Branch { .. } => map,
        }
    }

    /// Merges two maps: the keys that both have, with the value that `join` computes from the key
    /// and its two values. A key is left out if `join` returns `None`. Of two equal values `join`
    /// must return that value.
    ///
    /// Only the keys in the set `matter` need to be right. Other keys are left out where the maps
    /// differ. So the work is linear in the difference of the maps, or in the set, whichever is
    /// less. Results are memoised, also those of parts; `rule` stands for `join` there.
    pub fn common(
        &mut self,
        left: Map,
        right: Map,
        (sets, matter): (&NumberSets, Map),
        rule: Rule,
        join: &mut impl FnMut(u32, V, V) -> Option<V>,
    ) -> Map {
        if left == right {
            return left;
        }
        if matter == Map::EMPTY {
            return Map::EMPTY;
        }
        match (self.tree(left), self.tree(right)) {
            (Tree::Empty, _) | (_, Tree::Empty) => Map::EMPTY,
            (Tree::Leaf { key, .. }, _) | (_, Tree::Leaf { key, .. }) => {
                let both = self.get(left, key).zip(self.get(right, key));
                let both = both.filter(|_| sets.has(matter, key));
                match both.and_then(|(one, other)| join(key, one, other)) {
                    Some(value) => self.add(Tree::Leaf { key, value }),
                    None => Map::EMPTY,
                }
            }
            (
                Tree::Branch { prefix, bit, zero, one },
                Tree::Branch { prefix: other, bit: its, zero: its_zero, one: its_one },
            ) => {
                if bit == its && prefix == other {
                    let question = (rule, left, right, matter);
                    if let Some(&memoised) = self.common.get(&question) {
                        return memoised;
                    }
                    let (of_zero, of_one) = sets.sides(matter, prefix, bit);
                    let zero = self.common(zero, its_zero, (sets, of_zero), rule, join);
                    let one = self.common(one, its_one, (sets, of_one), rule, join);
                    let common = self.with(left, zero, one);
                    if self.common.len() >= MAX_KEPT {
                        self.common.clear();
                    }
                    self.common.insert(question, common);
                    common
                } else if bit > its && above(other, bit) == prefix {
                    let side = if other & bit == 0 { zero } else { one };
                    self.common(side, right, (sets, matter), rule, join)
                } else if its > bit && above(prefix, its) == other {
                    let side = if prefix & its == 0 { its_zero } else { its_one };
                    self.common(left, side, (sets, matter), rule, join)
                } else {
                    Map::EMPTY
                }
            }
        }
    }

    /// The keys that both maps have, with the value that `join` computes from their values. A key
    /// is left out if `join` returns `None`. Of two equal values `join` must return that value.
    pub fn intersection_by(
        &mut self,
        left: Map,
        right: Map,
        join: &mut impl FnMut(V, V) -> Option<V>,
    ) -> Map {
        if left == right {
            return left;
        }
        match (self.tree(left), self.tree(right)) {
            (Tree::Empty, _) | (_, Tree::Empty) => Map::EMPTY,
            (Tree::Leaf { key, .. }, _) | (_, Tree::Leaf { key, .. }) => {
                let both = self.get(left, key).zip(self.get(right, key));
                match both.and_then(|(one, other)| join(one, other)) {
                    Some(value) => self.add(Tree::Leaf { key, value }),
                    None => Map::EMPTY,
                }
            }
            (
                Tree::Branch { prefix, bit, zero, one },
                Tree::Branch { prefix: other, bit: its, zero: its_zero, one: its_one },
            ) => {
                if bit == its && prefix == other {
                    let zero = self.intersection_by(zero, its_zero, join);
                    let one = self.intersection_by(one, its_one, join);
                    self.with(left, zero, one)
                } else if bit > its && above(other, bit) == prefix {
                    let side = if other & bit == 0 { zero } else { one };
                    self.intersection_by(side, right, join)
                } else if its > bit && above(prefix, its) == other {
                    let side = if prefix & its == 0 { its_zero } else { its_one };
                    self.intersection_by(left, side, join)
                } else {
                    Map::EMPTY
                }
            }
        }
    }

    /// The keys that either map has. `join` computes the value of a key that both have. Of two
    /// equal values it must return that value.
    pub fn union_by(&mut self, left: Map, right: Map, join: &mut impl FnMut(V, V) -> V) -> Map {
        if left == right {
            return left;
        }
        match (self.tree(left), self.tree(right)) {
            (Tree::Empty, _) => right,
            (_, Tree::Empty) => left,
            (_, Tree::Leaf { key, value }) => {
                let value = self.get(left, key).map_or(value, |own| join(own, value));
                self.insert(left, key, value)
            }
            (Tree::Leaf { key, value }, _) => {
                let value = self.get(right, key).map_or(value, |its| join(value, its));
                self.insert(right, key, value)
            }
            (
                Tree::Branch { prefix, bit, zero, one },
                Tree::Branch { prefix: other, bit: its, zero: its_zero, one: its_one },
            ) => {
                if bit == its && prefix == other {
                    let zero = self.union_by(zero, its_zero, join);
                    let one = self.union_by(one, its_one, join);
                    self.with(left, zero, one)
                } else if bit > its && above(other, bit) == prefix {
                    let (zero, one) = match other & bit {
                        0 => (self.union_by(zero, right, join), one),
                        _ => (zero, self.union_by(one, right, join)),
                    };
                    self.with(left, zero, one)
                } else if its > bit && above(prefix, its) == other {
                    let (zero, one) = match prefix & its {
                        0 => (self.union_by(left, its_zero, join), its_one),
                        _ => (its_zero, self.union_by(left, its_one, join)),
                    };
                    self.with(right, zero, one)
                } else {
                    self.join((left, prefix), (right, other))
                }
            }
        }
    }

    /// The memory of the forest, in bytes, about.
    pub fn bytes(&self) -> usize {
        let of_tree = size_of::<Tree<V>>() + 2 * size_of::<u32>();
        let of_question = 2 * size_of::<((Rule, Map, Map, Map), Map)>();
        self.trees.capacity() * of_tree + self.common.len() * of_question
    }
}

/// Sets of numbers as maps. The key is a number without its lowest bits; the value is a word with a
/// bit for each number.
pub type NumberSets = Forest<u64>;

/// The number of low bits of a number that give its place in a word.
const WORD: u32 = u64::BITS.trailing_zeros();

/// The key of a number, and its bit in the word.
fn word(number: u32) -> (u32, u64) {
    (number >> WORD, 1 << (number % u64::BITS))
}

impl NumberSets {
    /// Whether a set has a number.
    pub fn has(&self, set: Map, number: u32) -> bool {
        let (key, bit) = word(number);
        self.get(set, key).is_some_and(|word| word & bit != 0)
    }

    /// The set with a number added.
    pub fn with_number(&mut self, set: Map, number: u32) -> Map {
        let (key, bit) = word(number);
        let word = self.get(set, key).unwrap_or(0);
        if word & bit == 0 { self.insert(set, key, word | bit) } else { set }
    }

    /// The set with a number removed.
    pub fn without_number(&mut self, set: Map, number: u32) -> Map {
        let (key, bit) = word(number);
        match self.get(set, key) {
            Some(word) if word == bit => self.remove(set, key),
            Some(word) if word & bit != 0 => self.insert(set, key, word & !bit),
            _ => set,
        }
    }

    /// The numbers that are in both sets.
    pub fn intersection(&mut self, left: Map, right: Map) -> Map {
        let both = &mut |one, other| Some(one & other).filter(|&word| word != 0);
        self.intersection_by(left, right, both)
    }

    /// The numbers that are in either set.
    pub fn union(&mut self, left: Map, right: Map) -> Map {
        self.union_by(left, right, &mut |one, other| one | other)
    }

    /// The parts of a set on either side of a branch. If the branch is within a word, the parts may
    /// have other numbers of that word, too.
    fn sides(&self, set: Map, prefix: u32, bit: u32) -> (Map, Map) {
        let (prefix_of_words, bit_of_words) = (prefix >> WORD, bit >> WORD);
        let mut at = set;
        loop {
            let key = match self.tree(at) {
                Tree::Empty => return (Map::EMPTY, Map::EMPTY),
                Tree::Leaf { key, value } if bit_of_words == 0 => {
                    let numbers = |first: u32| ((1 << bit) - 1) << (first % u64::BITS);
                    let part = |first| match key == prefix_of_words && value & numbers(first) != 0 {
                        true => at,
                        false => Map::EMPTY,
                    };
                    return (part(prefix), part(prefix | bit));
                }
                Tree::Leaf { key, .. } => key,
                Tree::Branch { bit: own, zero, one, .. } if own > bit_of_words => {
                    at = if prefix_of_words & own == 0 { zero } else { one };
                    continue;
                }
                Tree::Branch { prefix: key, bit: own, zero, one } if own == bit_of_words => {
                    let same = key == prefix_of_words;
                    return if same { (zero, one) } else { (Map::EMPTY, Map::EMPTY) };
                }
                Tree::Branch { prefix: key, .. } => key,
            };
            return match above(key, bit_of_words) == prefix_of_words {
                false => (Map::EMPTY, Map::EMPTY),
                true if key & bit_of_words == 0 => (at, Map::EMPTY),
                true => (Map::EMPTY, at),
            };
        }
    }
}

/// The bits of a key above a bit.
fn above(key: u32, bit: u32) -> u32 {
    key & !(bit | (bit - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_text::random::seeded;
    use rand::RngExt;
    use std::collections::{BTreeMap, BTreeSet};

    fn of(forest: &mut Forest<u8>, map: &BTreeMap<u32, u8>) -> Map {
        map.iter().rev().fold(Map::EMPTY, |all, (&key, &value)| forest.insert(all, key, value))
    }

    #[test]
    fn it_does_what_a_map_does() {
        let mut rng = seeded(1, 0);
        let (forest, sets) = (&mut Forest::default(), &mut NumberSets::default());
        for round in 0..600 {
            let range = [4, 40, u32::MAX][round % 3];
            let mut random = || -> BTreeMap<u32, u8> {
                (0..rng.random_range(0..12))
                    .map(|_| (rng.random_range(0..range), rng.random_range(0..3)))
                    .collect()
            };
            let (mut left, right, some) = (random(), random(), random());
            let (mut one, other) = (of(forest, &left), of(forest, &right));
            assert_eq!(one == other, left == right);
            let greater = &mut |_, a: u8, b: u8| (a + b != 3).then_some(a.max(b));
            let matter = (some.keys()).fold(Map::EMPTY, |all, &key| sets.with_number(all, key));
            let common = forest.common(one, other, (sets, matter), Rule::Join, greater);
            for key in left.keys().chain(right.keys()) {
                let both = left.get(key).zip(right.get(key));
                let value = forest.get(common, *key);
                if some.contains_key(key) {
                    assert_eq!(value, both.and_then(|(&a, &b)| greater(*key, a, b)));
                } else {
                    let same = both.filter(|(a, b)| a == b).map(|(&a, _)| a);
                    assert!(value.is_none() || value == same);
                }
            }
            for &key in some.keys() {
                left.remove(&key);
                one = forest.remove(one, key);
            }
            assert_eq!(one, of(forest, &left));
            for &key in right.keys() {
                assert_eq!(forest.get(one, key), left.get(&key).copied());
            }
        }
    }

    #[test]
    fn it_does_what_a_set_does() {
        let mut rng = seeded(2, 0);
        let sets = &mut NumberSets::default();
        for round in 0..600 {
            let range = [40, 400, u32::MAX][round % 3];
            let mut random = || -> BTreeSet<u32> {
                (0..rng.random_range(0..12)).map(|_| rng.random_range(0..range)).collect()
            };
            let (left, right) = (random(), random());
            let mut of = |set: &BTreeSet<u32>| {
                set.iter().fold(Map::EMPTY, |all, &number| sets.with_number(all, number))
            };
            let (both, any, less) =
                (of(&(&left & &right)), of(&(&left | &right)), of(&(&left - &right)));
            let (one, other) = (of(&left), of(&right));
            assert_eq!(sets.intersection(one, other), both);
            assert_eq!(sets.union(one, other), any);
            let without = |all, &number| sets.without_number(all, number);
            assert_eq!(right.iter().fold(one, without), less);
            for &number in left.iter().chain(&right) {
                assert_eq!(sets.has(one, number), left.contains(&number));
            }
        }
    }
}
