//! Between the inputs of a net and the moves of roles.

use super::gates::{InputId, Net};
use gdlr_engine::engine::RoleId;
use gdlr_rules::gdl::Term;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

impl Net {
    /// The move that an input stands for.
    pub fn move_of(&self, input: InputId) -> (RoleId, &Term) {
        let input = &self.inputs[input.index()];
        (input.role, &self.moves[input.term as usize])
    }
}

/// The inputs of one net by role and move, without a second copy of the moves' names.
#[derive(Clone, Debug)]
pub struct InputsByMove {
    table: HashTable<InputId>,
    hasher: DefaultHashBuilder,
}

impl InputsByMove {
    /// The index of a net.
    pub fn of(net: &Net) -> InputsByMove {
        let hasher = DefaultHashBuilder::default();
        let hash = |input: InputId| hasher.hash_one(net.move_of(input));
        let mut table = HashTable::with_capacity(net.inputs.len());
        for input in (0..net.inputs.len() as u32).map(InputId) {
            table.insert_unique(hash(input), input, |&input| hash(input));
        }
        InputsByMove { table, hasher }
    }

    /// The input of a move, in the net that the index is of.
    pub fn find(&self, net: &Net, role: RoleId, term: &Term) -> Option<InputId> {
        let hash = self.hasher.hash_one((role, term));
        self.table.find(hash, |&input| net.move_of(input) == (role, term)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_rules::gdl::Symbol;
    use std::sync::Arc;

    #[test]
    fn moves_are_found_by_role() {
        let name = |number: u16| Term::Constant(Symbol::from_index(number));
        let mut net = Net::new(0, 3, 2);
        net.moves = Arc::new(vec![name(5), name(7)]);
        for (input, (role, term)) in net.inputs.iter_mut().zip([(0, 1), (1, 0), (1, 1)]) {
            (input.role, input.term) = (RoleId(role), term);
        }
        let index = InputsByMove::of(&net);
        let find = |role, number| index.find(&net, RoleId(role), &name(number)).map(|i| i.0);
        assert_eq!([find(0, 7), find(1, 5), find(1, 7)], [Some(0), Some(1), Some(2)]);
        assert_eq!([find(0, 5), find(2, 7), find(1, 6)], [None; 3]);
    }
}
