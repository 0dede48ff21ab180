//! The memory of a search: the assignments to undo, and the semistates at which it has been.
//!
//! Two semistates are equal if all variables are equal. A semistate is stored as its difference
//! from the state where the search began. The trail of assignments gives that difference. So the
//! search keeps nothing but the trail up to date.

use super::program::{NodeId, Register, Symbol};
use crate::rg::name::Name;

/// The greatest number of assignments that are compared with each other to find two to the same
/// register. More use stamps.
const SHORT: usize = 8;

/// One step of a multiplicative hash.
#[inline(always)]
pub(super) fn hash(seed: u64, value: u64) -> u64 {
    let mixed = (seed ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

/// A register that differs from the base state, and the symbol that it holds now.
pub(super) type Change = (Register, Symbol);

/// Whether `changes` are all changes. `count` is their number in the registers; the registers must
/// hold each symbol of the list.
pub(super) fn are_same(changes: &[Change], count: usize, registers: &[Symbol]) -> bool {
    changes.len() == count
        && changes.iter().all(|&(register, symbol)| registers[register as usize] == symbol)
}

/// A hash that does not depend on the order of the changes.
fn hash_of(changes: &[Change]) -> u64 {
    changes.iter().fold(0, |sum, &(register, symbol)| {
        sum.wrapping_add(hash(u64::from(register) << 32, u64::from(symbol)))
    })
}

/// The assignments of a search, in order (an undo log).
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    /// The registers, each with the symbol that it held before.
    entries: Vec<(Register, Symbol)>,
    /// By register: the stamp of the last difference that it was part of.
    stamps: Vec<u32>,
    stamp: u32,
}

impl Trail {
    pub fn reset(&mut self, variables: usize) {
        self.entries.clear();
        if self.stamps.len() != variables {
            self.stamps.clear();
            self.stamps.resize(variables, 0);
            self.stamp = 0;
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline(always)]
    pub fn assign(&mut self, registers: &mut [Symbol], register: Register, symbol: Symbol) {
        let place = &mut registers[register as usize];
        if *place != symbol {
            self.entries.push((register, *place));
            *place = symbol;
        }
    }

    /// Keeps the symbol of a register, whether or not an assignment changes it.
    #[inline(always)]
    pub fn keep(&mut self, registers: &[Symbol], register: Register) {
        self.entries.push((register, registers[register as usize]));
    }

    #[inline(always)]
    pub fn undo(&mut self, registers: &mut [Symbol], mark: u32) {
        while self.entries.len() > mark as usize {
            let Some((register, symbol)) = self.entries.pop() else { return };
            registers[register as usize] = symbol;
        }
    }

    /// As [`Trail::changes`], for a list of registers that were assigned to. A register may be in
    /// the list several times.
    #[cfg(feature = "native")]
    pub fn changes_of(
        &mut self,
        assigned: &[Register],
        registers: &[Symbol],
        base: &[Symbol],
        changes: &mut Vec<Change>,
    ) {
        self.entries.clear();
        self.entries.extend(assigned.iter().map(|&register| (register, 0)));
        self.changes(registers, base, changes);
        self.entries.clear();
    }

    /// Appends the changes of the registers since `base` to a list. The trail must hold all
    /// assignments since `base`.
    #[inline]
    pub fn changes(&mut self, registers: &[Symbol], base: &[Symbol], changes: &mut Vec<Change>) {
        let first = changes.len();
        changes.reserve(self.entries.len());
        if self.entries.len() <= SHORT {
            for &(register, _) in &self.entries {
                let symbol = registers[register as usize];
                if symbol != base[register as usize]
                    && changes[first..].iter().all(|change| change.0 != register)
                {
                    changes.push((register, symbol));
                }
            }
            return;
        }
        if self.stamp == u32::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        for &(register, _) in &self.entries {
            let index = register as usize;
            if registers[index] != base[index] && self.stamps[index] != self.stamp {
                self.stamps[index] = self.stamp;
                changes.push((register, registers[index]));
            }
        }
    }
}

/// The place where the memory of an inner search begins.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VisitMark {
    entries: u32,
    changes: u32,
    tags: u32,
}

/// The semistates at landmarks that searches have visited.
///
/// The memory of a search ends with it: the visits of an inner search are removed afterwards. So
/// entries come and go as on a stack. The table may still refer to an entry that is removed or
/// replaced; each look-up checks the entry itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Visits {
    entries: Vec<Visit>,
    changes: Vec<(Register, Symbol)>,
    tags: Vec<Name>,
    /// By hash: indices of entries plus one; 0 is empty.
    table: Vec<u32>,
    /// The number of places in the table that are not 0.
    used: usize,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    hash: u64,
    node: NodeId,
    /// The nesting depth of the search.
    level: u32,
    /// The beginnings of its changes and tags. They end where the next entry begins.
    changes: u32,
    tags: u32,
}

impl Visits {
    pub fn clear(&mut self) {
        if self.used > 0 {
            self.entries.clear();
            self.changes.clear();
            self.tags.clear();
            self.table.fill(0);
            self.used = 0;
        }
    }

    pub fn mark(&self) -> VisitMark {
        VisitMark {
            entries: self.entries.len() as u32,
            changes: self.changes.len() as u32,
            tags: self.tags.len() as u32,
        }
    }

    pub fn forget(&mut self, mark: VisitMark) {
        self.entries.truncate(mark.entries as usize);
        self.changes.truncate(mark.changes as usize);
        self.tags.truncate(mark.tags as usize);
    }

    /// The memory that the visits take, in bytes, about.
    pub fn bytes(&self) -> usize {
        size_of::<Visit>() * self.entries.len()
            + size_of::<(Register, Symbol)>() * self.changes.len()
            + size_of::<Name>() * self.tags.len()
    }

    /// Records a visit to a node. The assignments of a trail have led there from `base`. Returns
    /// whether it is the first visit.
    pub fn add(
        &mut self,
        (node, level): (NodeId, u32),
        tags: &[Name],
        trail: &mut Trail,
        registers: &[Symbol],
        base: &[Symbol],
    ) -> bool {
        let VisitMark { changes: first, tags: first_tag, .. } = self.mark();
        trail.changes(registers, base, &mut self.changes);
        let changes = &self.changes[first as usize..];
        let place = u64::from(node) << 32 | u64::from(level);
        let tagged = tags.iter().fold(place, |seed, tag| hash(seed, tag.index() as u64));
        let hash = hash(tagged, hash_of(changes));
        if self.used * 2 >= self.table.len() {
            self.rebuild();
        }
        let changes = &self.changes[first as usize..];
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let index = match self.table[place] {
                0 => break,
                index => index as usize - 1,
            };
            if let Some(&visit) = self.entries.get(index)
                && (visit.hash, visit.node, visit.level) == (hash, node, level)
            {
                let (changes_end, tags_end) = match self.entries.get(index + 1) {
                    Some(next) => (next.changes, next.tags),
                    None => (first, first_tag),
                };
                let visited = &self.changes[visit.changes as usize..changes_end as usize];
                if self.tags[visit.tags as usize..tags_end as usize] == *tags
                    && are_same(visited, changes.len(), registers)
                {
                    self.changes.truncate(first as usize);
                    return false;
                }
            }
            place = (place + 1) & mask;
        }
        self.entries.push(Visit { hash, node, level, changes: first, tags: first_tag });
        self.tags.extend_from_slice(tags);
        self.table[place] = self.entries.len() as u32;
        self.used += 1;
        true
    }

    fn rebuild(&mut self) {
        let size = (self.entries.len() * 4).next_power_of_two().max(256);
        self.table.clear();
        self.table.resize(size, 0);
        for (index, visit) in self.entries.iter().enumerate() {
            let mut place = visit.hash as usize & (size - 1);
            while self.table[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.table[place] = index as u32 + 1;
        }
        self.used = self.entries.len();
    }
}
