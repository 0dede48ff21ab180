//! Maps from numbers that share what they have in common.
//!
//! A map is a tree by the bits of its keys (C. Okasaki, A. Gill, *Fast Mergeable Integer Maps*,
//! 1998). Each tree is kept once, so that equal maps are one number, and where two maps are
//! merged what they share is not looked at: so the knowledge at each node of an automaton costs
//! what it differs in from that at its neighbours, and not what there is.

use hashbrown::HashMap;
use std::hash::Hash;

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
        /// The bit in which the sides differ, the highest one there is.
        bit: u32,
        /// Keys without the bit.
        zero: Map,
        /// Keys with it.
        one: Map,
    },
}

/// All maps there were so far.
#[derive(Debug)]
pub struct Forest<V> {
    trees: Vec<Tree<V>>,
    numbers: HashMap<Tree<V>, Map>,
}

impl<V: Copy + Eq + Hash> Default for Forest<V> {
    fn default() -> Self {
        Forest { trees: vec![Tree::Empty], numbers: HashMap::from([(Tree::Empty, Map::EMPTY)]) }
    }
}

impl<V: Copy + Eq + Hash> Forest<V> {
    fn tree(&self, map: Map) -> Tree<V> {
        self.trees[map.0 as usize]
    }

    fn add(&mut self, tree: Tree<V>) -> Map {
        *self.numbers.entry(tree).or_insert_with(|| {
            self.trees.push(tree);
            Map(u32::try_from(self.trees.len() - 1).expect("fewer than 2^32 trees"))
        })
    }

    /// A branch with other sides: mostly they are the same.
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

    /// A branch of two sides, of which either may be empty.
    fn branch(&mut self, prefix: u32, bit: u32, zero: Map, one: Map) -> Map {
        match (zero, one) {
            (only, Map::EMPTY) | (Map::EMPTY, only) => only,
            _ => self.add(Tree::Branch { prefix, bit, zero, one }),
        }
    }

    /// Two trees that have no key in common, with a key of each as far as it tells them apart.
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

    /// The keys that both maps have, with what a function makes of their values; without those
    /// of which it makes nothing. Of two equal values it must make that value.
    pub fn intersection(
        &mut self,
        left: Map,
        right: Map,
        join: &mut impl FnMut(V, V) -> Option<V>,
    ) -> Map {
        if left == right {
            return left;
        }
        let joined = |forest: &mut Self, key, one: Option<V>, other: Option<V>, join: &mut _| {
            let join: &mut dyn FnMut(V, V) -> Option<V> = join;
            match one.zip(other).and_then(|(one, other)| join(one, other)) {
                Some(value) => forest.add(Tree::Leaf { key, value }),
                None => Map::EMPTY,
            }
        };
        match (self.tree(left), self.tree(right)) {
            (Tree::Empty, _) | (_, Tree::Empty) => Map::EMPTY,
            (Tree::Leaf { key, value }, _) => {
                let other = self.get(right, key);
                joined(self, key, Some(value), other, join)
            }
            (_, Tree::Leaf { key, value }) => {
                let one = self.get(left, key);
                joined(self, key, one, Some(value), join)
            }
            (
                Tree::Branch { prefix, bit, zero, one },
                Tree::Branch { prefix: other, bit: its, zero: its_zero, one: its_one },
            ) => {
                if bit == its {
                    if prefix != other {
                        return Map::EMPTY;
                    }
                    let zero = self.intersection(zero, its_zero, join);
                    let one = self.intersection(one, its_one, join);
                    self.with(left, zero, one)
                } else if bit > its {
                    match above(other, bit) == prefix {
                        true if other & bit == 0 => self.intersection(zero, right, join),
                        true => self.intersection(one, right, join),
                        false => Map::EMPTY,
                    }
                } else {
                    match above(prefix, its) == other {
                        true if prefix & its == 0 => self.intersection(left, its_zero, join),
                        true => self.intersection(left, its_one, join),
                        false => Map::EMPTY,
                    }
                }
            }
        }
    }

    /// The keys that one of the maps has, with what a function makes of the values of those
    /// that both have. Of two equal values it must make that value.
    pub fn union(&mut self, left: Map, right: Map, join: &mut impl FnMut(V, V) -> V) -> Map {
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
                    let zero = self.union(zero, its_zero, join);
                    let one = self.union(one, its_one, join);
                    self.with(left, zero, one)
                } else if bit > its && above(other, bit) == prefix {
                    let (zero, one) = match other & bit {
                        0 => (self.union(zero, right, join), one),
                        _ => (zero, self.union(one, right, join)),
                    };
                    self.with(left, zero, one)
                } else if its > bit && above(prefix, its) == other {
                    let (zero, one) = match prefix & its {
                        0 => (self.union(left, its_zero, join), its_one),
                        _ => (its_zero, self.union(left, its_one, join)),
                    };
                    self.with(right, zero, one)
                } else {
                    self.join((left, prefix), (right, other))
                }
            }
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
    use crate::play::seeded;
    use rand::RngExt;
    use std::collections::BTreeMap;

    fn of(forest: &mut Forest<u8>, map: &BTreeMap<u32, u8>) -> Map {
        map.iter().rev().fold(Map::EMPTY, |all, (&key, &value)| forest.insert(all, key, value))
    }

    #[test]
    fn it_does_what_a_map_does() {
        let mut rng = seeded(1, 0);
        let forest = &mut Forest::default();
        for round in 0..600 {
            let range = [4, 40, u32::MAX][round % 3];
            let mut random = || -> BTreeMap<u32, u8> {
                (0..rng.random_range(0..12))
                    .map(|_| (rng.random_range(0..range), rng.random_range(0..3)))
                    .collect()
            };
            let (mut left, right, gone) = (random(), random(), random());
            let (mut one, other) = (of(forest, &left), of(forest, &right));
            let union: BTreeMap<u32, u8> = left
                .iter()
                .chain(&right)
                .map(|(&key, _)| {
                    let (a, b) = (left.get(&key), right.get(&key));
                    (key, *a.max(b).expect("one of them has it"))
                })
                .collect();
            let both: BTreeMap<u32, u8> = left
                .iter()
                .filter(|&(key, value)| right.get(key) == Some(value))
                .map(|(&key, &value)| (key, value))
                .collect();
            let equal = &mut |a, b| (a == b).then_some(a);
            assert_eq!(forest.union(one, other, &mut u8::max), of(forest, &union));
            assert_eq!(forest.intersection(one, other, equal), of(forest, &both));
            assert_eq!(one == other, left == right);
            for &key in gone.keys() {
                left.remove(&key);
                one = forest.remove(one, key);
            }
            assert_eq!(one, of(forest, &left));
            for &key in right.keys() {
                assert_eq!(forest.get(one, key), left.get(&key).copied());
            }
        }
    }
}
