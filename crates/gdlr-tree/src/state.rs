//! States of the engine `tree`.

use super::table::Table;
use gdlr_rules::gdl::Symbol;

/// A state of the engine `tree`: its facts as rows, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// By base relation: how many facts there are.
    pub(super) counts: Vec<u32>,
    /// The rows of all base relations, one behind the other.
    pub(super) rows: Vec<Symbol>,
}

impl State {
    /// Becomes the state with these facts, by base relation. Allocates nothing where as many
    /// have been before.
    pub(super) fn fill<'a>(&mut self, bases: impl Iterator<Item = &'a Table>) {
        self.counts.clear();
        self.rows.clear();
        for base in bases {
            self.counts.push(base.len() as u32);
            let start = self.rows.len();
            base.rows().iter().for_each(|row| self.rows.extend_from_slice(row));
            sort(&mut self.rows[start..], base.rows().width());
        }
    }
}

/// Sorts rows of one width, in place.
fn sort(rows: &mut [Symbol], width: usize) {
    match width {
        0 => {}
        1 => rows.sort_unstable(),
        2 => sort_arrays::<2>(rows),
        3 => sort_arrays::<3>(rows),
        4 => sort_arrays::<4>(rows),
        5 => sort_arrays::<5>(rows),
        6 => sort_arrays::<6>(rows),
        _ => sort_wide(rows, width),
    }
}

fn sort_arrays<const WIDTH: usize>(rows: &mut [Symbol]) {
    rows.as_chunks_mut::<WIDTH>().0.sort_unstable();
}

/// The same for rows of any width: heapsort, which needs no memory either.
fn sort_wide(rows: &mut [Symbol], width: usize) {
    let row = |place: usize| place * width..(place + 1) * width;
    let swap = |rows: &mut [Symbol], a: usize, b: usize| {
        let (front, back) = rows.split_at_mut(b * width);
        front[row(a)].swap_with_slice(&mut back[..width]);
    };
    // The largest of the rows below `end` that hang from `top` comes to the top.
    let sift = |rows: &mut [Symbol], mut top: usize, end: usize| loop {
        let mut child = 2 * top + 1;
        if child >= end {
            return;
        }
        if child + 1 < end && rows[row(child)] < rows[row(child + 1)] {
            child += 1;
        }
        if rows[row(top)] >= rows[row(child)] {
            return;
        }
        swap(rows, top, child);
        top = child;
    };
    let count = rows.len() / width;
    (0..count / 2).rev().for_each(|top| sift(rows, top, count));
    for end in (1..count).rev() {
        swap(rows, 0, end);
        sift(rows, 0, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn rows_of_any_width_are_sorted() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for width in 1..10 {
            for count in 0..40 {
                let mut symbol = || Symbol::from_index(random.random_range(0..4));
                let rows: Vec<Symbol> = (0..count * width).map(|_| symbol()).collect();
                let mut expected: Vec<&[Symbol]> = rows.chunks(width).collect();
                expected.sort();
                let mut sorted = rows.clone();
                sort(&mut sorted, width);
                assert_eq!(sorted, expected.concat(), "{count} rows of width {width}");
            }
        }
    }
}
