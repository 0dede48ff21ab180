//! Hash-consed sets of numbers: each set is stored once and has a number. Operations on two sets
//! are memoised.

use hashbrown::HashMap;
use std::rc::Rc;

/// A set, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetRef(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    Union,
    Intersection,
    Difference,
}

/// All sets so far.
#[derive(Debug, Default)]
pub struct Sets {
    sets: Vec<Rc<[u32]>>,
    numbers: HashMap<Rc<[u32]>, SetRef>,
    results: HashMap<(Operation, SetRef, SetRef), SetRef>,
    /// The total number of members of all sets.
    members: usize,
}

impl Sets {
    /// The set of some numbers, which must be in order, each once.
    pub fn of(&mut self, members: &[u32]) -> SetRef {
        debug_assert!(members.is_sorted_by(|left, right| left < right));
        if let Some(&existing) = self.numbers.get(members) {
            return existing;
        }
        self.members += members.len();
        let number = SetRef(u32::try_from(self.sets.len()).expect("fewer than 2^32 sets"));
        let members: Rc<[u32]> = members.into();
        self.sets.push(Rc::clone(&members));
        self.numbers.insert(members, number);
        number
    }

    /// The memory of the sets, in bytes, about.
    pub fn bytes(&self) -> usize {
        let of_set = 3 * size_of::<Rc<[u32]>>() + 2 * size_of::<usize>();
        let of_result = 2 * size_of::<((Operation, SetRef, SetRef), SetRef)>();
        let of_members = self.members * size_of::<u32>();
        self.sets.len() * of_set + self.results.len() * of_result + of_members
    }

    /// The members of a set, in order.
    pub fn members(&self, set: SetRef) -> &Rc<[u32]> {
        &self.sets[set.0 as usize]
    }

    /// The member of a set with a single one.
    pub fn only(&self, set: SetRef) -> Option<u32> {
        match **self.members(set) {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether a set has a member.
    pub fn has(&self, set: SetRef, member: u32) -> bool {
        self.members(set).binary_search(&member).is_ok()
    }

    /// The union of two sets.
    pub fn union(&mut self, left: SetRef, right: SetRef) -> SetRef {
        self.result(Operation::Union, left.min(right), left.max(right))
    }

    /// The intersection of two sets.
    pub fn intersection(&mut self, left: SetRef, right: SetRef) -> SetRef {
        self.result(Operation::Intersection, left.min(right), left.max(right))
    }

    /// The first set without the members of the second.
    pub fn difference(&mut self, left: SetRef, right: SetRef) -> SetRef {
        self.result(Operation::Difference, left, right)
    }

    fn result(&mut self, operation: Operation, left: SetRef, right: SetRef) -> SetRef {
        if left == right && operation != Operation::Difference {
            return left;
        }
        if let Some(&memoised) = self.results.get(&(operation, left, right)) {
            return memoised;
        }
        let (one, other) = (Rc::clone(self.members(left)), Rc::clone(self.members(right)));
        let has = |member: &u32| other.binary_search(member).is_ok();
        let members: Vec<u32> = match operation {
            Operation::Union => merged(&one, &other),
            Operation::Intersection => one.iter().copied().filter(has).collect(),
            Operation::Difference => one.iter().copied().filter(|member| !has(member)).collect(),
        };
        let result = self.of(&members);
        self.results.insert((operation, left, right), result);
        result
    }
}

/// The union of two ordered lists.
fn merged(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut all = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().copied().peekable(), right.iter().copied().peekable());
    while let (Some(&one), Some(&other)) = (left.peek(), right.peek()) {
        all.push(one.min(other));
        if one <= other {
            left.next();
        }
        if other <= one {
            right.next();
        }
    }
    all.extend(left);
    all.extend(right);
    all
}

impl SetRef {
    fn min(self, other: SetRef) -> SetRef {
        SetRef(self.0.min(other.0))
    }

    fn max(self, other: SetRef) -> SetRef {
        SetRef(self.0.max(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_one_number() {
        let mut sets = Sets::default();
        let (a, b) = (sets.of(&[1, 2, 5]), sets.of(&[2, 3]));
        let union = sets.union(a, b);
        assert_eq!(**sets.members(union), [1, 2, 3, 5]);
        assert_eq!(sets.union(b, a), union);
        let both = sets.intersection(a, b);
        assert_eq!((sets.only(both), sets.only(a)), (Some(2), None));
        let (left, right) = (sets.difference(a, b), sets.difference(b, a));
        assert_eq!((&**sets.members(left), &**sets.members(right)), (&[1, 5][..], &[3][..]));
        assert!(sets.has(a, 5) && !sets.has(b, 5));
        assert_eq!(sets.of(&[2]), both);
    }
}
