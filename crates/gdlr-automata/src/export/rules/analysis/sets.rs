//! Sets of symbols, each with a number.

use gdlr_rules::gdl::Symbol;
use hashbrown::HashMap;

/// A set of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);

/// All sets that have been made.
#[derive(Debug, Default)]
pub struct Sets {
    /// The members of each set, in natural order.
    members: Vec<Vec<Symbol>>,
    index: HashMap<Vec<Symbol>, SetId>,
}

impl Sets {
    /// The set with these members, which are in natural order.
    pub fn of(&mut self, members: Vec<Symbol>) -> SetId {
        if let Some(&set) = self.index.get(&members) {
            return set;
        }
        let set = SetId(self.members.len() as u32);
        self.index.insert(members.clone(), set);
        self.members.push(members);
        set
    }

    pub fn members(&self, set: SetId) -> &[Symbol] {
        &self.members[set.0 as usize]
    }

    pub fn has(&self, set: SetId, symbol: Symbol) -> bool {
        self.members(set).contains(&symbol)
    }

    /// Whether all members of a set are members of another.
    pub fn within(&self, set: SetId, other: SetId) -> bool {
        set == other || self.members(set).iter().all(|&symbol| self.has(other, symbol))
    }

    /// Whether two sets have a member in common.
    pub fn overlap(&self, set: SetId, other: SetId) -> bool {
        set == other || self.members(set).iter().any(|&symbol| self.has(other, symbol))
    }

    /// The product of sets: all rows with a member of each.
    pub fn all_rows(&self, sets: &[SetId]) -> Vec<Vec<Symbol>> {
        let mut rows: Vec<Vec<Symbol>> = vec![Vec::new()];
        for &set in sets {
            let members = self.members(set);
            let longer = |row: &Vec<Symbol>, &symbol: &Symbol| [&row[..], &[symbol]].concat();
            rows = (rows.iter())
                .flat_map(|row| members.iter().map(move |symbol| longer(row, symbol)))
                .collect();
        }
        rows
    }

    /// The size of the product of sets.
    pub fn combinations(&self, sets: &[SetId]) -> usize {
        sets.iter().fold(1, |all: usize, &set| all.saturating_mul(self.members(set).len()))
    }
}
