//! Maps from numbers that share what they have in common.
//!
//! A map is a tree by the bits of its keys (C. Okasaki, A. Gill, *Fast Mergeable Integer Maps*,
//! 1998). A change copies one path, and where two maps are merged what they share is not looked
//! at: so the knowledge at each node of an automaton costs what it differs in from that at its
//! neighbours, and not what there is.

use std::rc::Rc;

/// A map from numbers to small values.
#[derive(Clone, Debug)]
pub struct Patricia<V>(Option<Rc<Tree<V>>>);

#[derive(Debug)]
enum Tree<V> {
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
        zero: Rc<Tree<V>>,
        /// Keys with it.
        one: Rc<Tree<V>>,
    },
}

impl<V> Default for Patricia<V> {
    fn default() -> Self {
        Patricia(None)
    }
}

impl<V: Copy + Eq> PartialEq for Patricia<V> {
    /// Linear in what the maps do not share.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(left), Some(right)) => same(left, right),
            _ => false,
        }
    }
}

fn same<V: Copy + Eq>(left: &Rc<Tree<V>>, right: &Rc<Tree<V>>) -> bool {
    Rc::ptr_eq(left, right)
        || match (&**left, &**right) {
            (Tree::Leaf { key, value }, Tree::Leaf { key: other, value: its }) => {
                key == other && value == its
            }
            (
                Tree::Branch { prefix, bit, zero, one },
                Tree::Branch { prefix: other, bit: its, zero: its_zero, one: its_one },
            ) => prefix == other && bit == its && same(zero, its_zero) && same(one, its_one),
            _ => false,
        }
}

impl<V: Copy + Eq> Patricia<V> {
    /// The value of a key.
    pub fn get(&self, key: u32) -> Option<V> {
        let mut at = self.0.as_ref()?;
        loop {
            match &**at {
                Tree::Leaf { key: own, value } => return (*own == key).then_some(*value),
                Tree::Branch { bit, zero, one, .. } => {
                    at = if key & bit == 0 { zero } else { one };
                }
            }
        }
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: u32, value: V) {
        if self.get(key) == Some(value) {
            return;
        }
        let leaf = Rc::new(Tree::Leaf { key, value });
        self.0 = Some(match self.0.take() {
            None => leaf,
            Some(tree) => insert(tree, key, leaf),
        });
    }

    /// Removes a key.
    pub fn remove(&mut self, key: u32) {
        if self.get(key).is_some() {
            self.0 = self.0.take().and_then(|tree| without(&tree, key));
        }
    }

    /// The keys that both maps have, with what a function makes of their values; without those
    /// of which it makes nothing. It must make a value of two equal ones.
    pub fn intersection(&self, other: &Self, join: &mut impl FnMut(V, V) -> Option<V>) -> Self {
        match (&self.0, &other.0) {
            (Some(left), Some(right)) => Patricia(intersect(left, right, join)),
            _ => Patricia(None),
        }
    }

    /// The keys that one of the maps has, with what a function makes of the values of those
    /// that both have. It must make a value of two equal ones.
    pub fn union(&self, other: &Self, join: &mut impl FnMut(V, V) -> V) -> Self {
        match (&self.0, &other.0) {
            (Some(left), Some(right)) => Patricia(Some(unite(left, right, join))),
            (Some(tree), None) | (None, Some(tree)) => Patricia(Some(Rc::clone(tree))),
            (None, None) => Patricia(None),
        }
    }
}

fn branch<V>(left: Rc<Tree<V>>, right: Rc<Tree<V>>, of_left: u32, of_right: u32) -> Rc<Tree<V>> {
    let bit = 1 << (u32::BITS - 1 - (of_left ^ of_right).leading_zeros());
    let prefix = above(of_left, bit);
    let (zero, one) = if of_left & bit == 0 { (left, right) } else { (right, left) };
    Rc::new(Tree::Branch { prefix, bit, zero, one })
}

/// The bits of a key above a bit.
fn above(key: u32, bit: u32) -> u32 {
    key & !(bit | (bit - 1))
}

/// Some key of a tree, as far as it tells the tree from others.
fn sample<V>(tree: &Tree<V>) -> u32 {
    match tree {
        Tree::Leaf { key, .. } => *key,
        Tree::Branch { prefix, .. } => *prefix,
    }
}

fn insert<V: Copy>(tree: Rc<Tree<V>>, key: u32, leaf: Rc<Tree<V>>) -> Rc<Tree<V>> {
    match &*tree {
        Tree::Leaf { key: own, .. } if *own == key => leaf,
        Tree::Leaf { key: own, .. } => branch(Rc::clone(&tree), leaf, *own, key),
        Tree::Branch { prefix, bit, .. } if above(key, *bit) != *prefix => {
            branch(Rc::clone(&tree), leaf, *prefix, key)
        }
        Tree::Branch { prefix, bit, zero, one } => {
            let (zero, one) = match key & bit {
                0 => (insert(Rc::clone(zero), key, leaf), Rc::clone(one)),
                _ => (Rc::clone(zero), insert(Rc::clone(one), key, leaf)),
            };
            Rc::new(Tree::Branch { prefix: *prefix, bit: *bit, zero, one })
        }
    }
}

/// A tree without a key that it has.
fn without<V>(tree: &Tree<V>, key: u32) -> Option<Rc<Tree<V>>> {
    let Tree::Branch { prefix, bit, zero, one } = tree else { return None };
    let (zero, one) = match key & bit {
        0 => (without(zero, key), Some(Rc::clone(one))),
        _ => (Some(Rc::clone(zero)), without(one, key)),
    };
    match (zero, one) {
        (Some(zero), Some(one)) => {
            Some(Rc::new(Tree::Branch { prefix: *prefix, bit: *bit, zero, one }))
        }
        (one_side, None) => one_side,
        (None, one_side) => one_side,
    }
}

fn intersect<V: Copy + Eq>(
    left: &Rc<Tree<V>>,
    right: &Rc<Tree<V>>,
    join: &mut impl FnMut(V, V) -> Option<V>,
) -> Option<Rc<Tree<V>>> {
    if Rc::ptr_eq(left, right) {
        return Some(Rc::clone(left));
    }
    match (&**left, &**right) {
        (Tree::Leaf { key, value }, _) => {
            let other = find(right, *key)?;
            let joined = join(*value, other)?;
            Some(match joined == *value {
                true => Rc::clone(left),
                false => Rc::new(Tree::Leaf { key: *key, value: joined }),
            })
        }
        (_, Tree::Leaf { key, value }) => {
            let joined = join(find(left, *key)?, *value)?;
            Some(match joined == *value {
                true => Rc::clone(right),
                false => Rc::new(Tree::Leaf { key: *key, value: joined }),
            })
        }
        (
            Tree::Branch { prefix, bit, zero, one },
            Tree::Branch { prefix: other, bit: its, zero: its_zero, one: its_one },
        ) => {
            if bit == its {
                if prefix != other {
                    return None;
                }
                let new_zero = intersect(zero, its_zero, join);
                let new_one = intersect(one, its_one, join);
                return both(left, (zero, one), (new_zero, new_one));
            }
            let (upper, bit, zero, one, lower, lower_prefix) = match bit > its {
                true => (prefix, bit, zero, one, right, other),
                false => (other, its, its_zero, its_one, left, prefix),
            };
            if above(*lower_prefix, *bit) != *upper {
                return None;
            }
            let side = if lower_prefix & bit == 0 { zero } else { one };
            match Rc::ptr_eq(lower, right) {
                true => intersect(side, lower, join),
                false => intersect(lower, side, join),
            }
        }
    }
}

/// A branch of two sides that may be gone, the old one if they are as they were.
fn both<V>(
    old: &Rc<Tree<V>>,
    (zero, one): (&Rc<Tree<V>>, &Rc<Tree<V>>),
    new: (Option<Rc<Tree<V>>>, Option<Rc<Tree<V>>>),
) -> Option<Rc<Tree<V>>> {
    match new {
        (Some(new_zero), Some(new_one)) => {
            if Rc::ptr_eq(zero, &new_zero) && Rc::ptr_eq(one, &new_one) {
                return Some(Rc::clone(old));
            }
            let Tree::Branch { prefix, bit, .. } = &**old else { unreachable!("a branch") };
            Some(Rc::new(Tree::Branch { prefix: *prefix, bit: *bit, zero: new_zero, one: new_one }))
        }
        (one_side, None) => one_side,
        (None, one_side) => one_side,
    }
}

fn find<V: Copy>(tree: &Rc<Tree<V>>, key: u32) -> Option<V> {
    let mut at = tree;
    loop {
        match &**at {
            Tree::Leaf { key: own, value } => return (*own == key).then_some(*value),
            Tree::Branch { bit, zero, one, .. } => at = if key & bit == 0 { zero } else { one },
        }
    }
}

fn unite<V: Copy + Eq>(
    left: &Rc<Tree<V>>,
    right: &Rc<Tree<V>>,
    join: &mut impl FnMut(V, V) -> V,
) -> Rc<Tree<V>> {
    if Rc::ptr_eq(left, right) {
        return Rc::clone(left);
    }
    match (&**left, &**right) {
        (_, Tree::Leaf { key, value }) => match find(left, *key) {
            None => insert(Rc::clone(left), *key, Rc::clone(right)),
            Some(own) => {
                let joined = join(own, *value);
                match joined == own {
                    true => Rc::clone(left),
                    false => {
                        let leaf = Rc::new(Tree::Leaf { key: *key, value: joined });
                        insert(Rc::clone(left), *key, leaf)
                    }
                }
            }
        },
        (Tree::Leaf { key, value }, _) => match find(right, *key) {
            None => insert(Rc::clone(right), *key, Rc::clone(left)),
            Some(own) => {
                let joined = join(*value, own);
                let leaf = Rc::new(Tree::Leaf { key: *key, value: joined });
                insert(Rc::clone(right), *key, leaf)
            }
        },
        (
            Tree::Branch { prefix, bit, zero, one },
            Tree::Branch { prefix: other, bit: its, zero: its_zero, one: its_one },
        ) => {
            if bit == its && prefix == other {
                let new = (unite(zero, its_zero, join), unite(one, its_one, join));
                return both(left, (zero, one), (Some(new.0), Some(new.1)))
                    .expect("both sides are there");
            }
            if bit > its && above(*other, *bit) == *prefix {
                let (zero, one) = match other & bit {
                    0 => (unite(zero, right, join), Rc::clone(one)),
                    _ => (Rc::clone(zero), unite(one, right, join)),
                };
                return Rc::new(Tree::Branch { prefix: *prefix, bit: *bit, zero, one });
            }
            if its > bit && above(*prefix, *its) == *other {
                let (zero, one) = match prefix & its {
                    0 => (unite(left, its_zero, join), Rc::clone(its_one)),
                    _ => (Rc::clone(its_zero), unite(left, its_one, join)),
                };
                return Rc::new(Tree::Branch { prefix: *other, bit: *its, zero, one });
            }
            branch(Rc::clone(left), Rc::clone(right), sample(left), sample(right))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::seeded;
    use rand::RngExt;
    use std::collections::BTreeMap;

    fn of(map: &BTreeMap<u32, u8>) -> Patricia<u8> {
        let mut patricia = Patricia::default();
        map.iter().rev().for_each(|(&key, &value)| patricia.insert(key, value));
        patricia
    }

    #[test]
    fn it_does_what_a_map_does() {
        let mut rng = seeded(1, 0);
        for round in 0..400 {
            let range = [4, 40, u32::MAX][round % 3];
            let mut random = || -> BTreeMap<u32, u8> {
                (0..rng.random_range(0..12))
                    .map(|_| (rng.random_range(0..range), rng.random_range(0..3)))
                    .collect()
            };
            let (mut left, right, gone) = (random(), random(), random());
            let (mut one, other) = (of(&left), of(&right));
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
                .filter_map(|(&key, &value)| {
                    Some((key, value)).filter(|_| right.get(&key) == Some(&value))
                })
                .collect();
            assert!(one.union(&other, &mut u8::max) == of(&union), "{left:?} {right:?}");
            let equal = &mut |a, b| (a == b).then_some(a);
            assert!(one.intersection(&other, equal) == of(&both), "{left:?} {right:?}");
            assert!(one.union(&one.clone(), &mut u8::max) == one);
            assert_eq!(one == other, left == right);
            for &key in gone.keys() {
                left.remove(&key);
                one.remove(key);
            }
            assert!(one == of(&left));
            for &key in right.keys() {
                assert_eq!(one.get(key), left.get(&key).copied());
            }
        }
    }
}
