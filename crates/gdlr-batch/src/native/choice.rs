//! A choice among legal moves, as functions without loops.
//!
//! [`uniform`](crate::uniform) chooses by groups; here a tree does so: legal moves are
//! counted from its leaves up, a number below the count is drawn, and the way to the move with that
//! number goes down. A node is two trees and a move between them, which is the carry when their
//! counts are added, and the borrow when they are taken from a number:
//!
//! ```text
//! 7 moves          3 · 1 · 3
//!              1·1·1     1·1·1
//! ```
//!
//! So each move is added once, and a number has few bits where there are many nodes. The first tree
//! is as large as it can be with all its nodes full.
//!
//! Loops do not walk this tree, and code does not count by groups. One tree as data with two ways to go
//! through it was thought of, and is not simpler:
//!
//! - Of a group the loop knows when it is compiled how many moves and bits there are, so that its counts
//!   stay in registers. In a tree it would read both, for each node in each step.
//! - A loop passes over the groups in which no lane makes its move, and asks for that in between. Code has
//!   no place to ask but between its parts, and shares its slots among nodes instead. Of the walk itself,
//!   there would be two all the same.
//! - A number finds the same move by groups as in the tree, by other sums. So the loop finds mistakes in
//!   what it does not share.
//!
//! The parts that both share are written once: how a number is [drawn](crate::draw), and the
//! [arithmetic](crate::numbers) of compound moves.
//!
//! Of compound moves there are as many as rows times columns; a number below it, divided by that of
//! columns, is the number of the row, and what is left that of the column.

use super::lut3::{Lut3, Slots};
use crate::layout::Moves;
use crate::numbers::{Bits, Number, at_least_two, difference, product, quotient, sum};
use crate::program::Slot;
use std::ops::Range;

/// Moves of a role, as they are counted and found.
enum Tree {
    /// A move, by its place.
    Leaf(usize),
    Node {
        first: Box<Tree>,
        /// How many of the first are legal, lowest bit first.
        count: Vec<Slot>,
        /// A move, which comes after those of the first.
        middle: usize,
        last: Option<Box<Tree>>,
    },
}

/// The choice of a role.
pub(super) struct Choice {
    way: Way,
    /// Counts the legal moves.
    pub count: Vec<Lut3>,
    /// How many there are, lowest bit first.
    pub total: Vec<Slot>,
    /// The other slots of it that are read when a move is found.
    pub kept: Vec<Slot>,
    /// The number that was drawn, lowest bit first.
    pub number: Vec<Slot>,
    /// Whether there is one.
    pub any: Slot,
}

/// How moves are counted and found.
enum Way {
    /// One by one.
    Moves(Tree),
    /// Rows and columns first.
    Compound {
        rows: Tree,
        columns: Tree,
        rest: Option<Tree>,
        /// How many moves are a legal row and a legal column.
        all: Vec<Slot>,
        /// How many columns are legal.
        of_row: Vec<Slot>,
        /// How many bits the number of rows has.
        bits: usize,
    },
}

impl Choice {
    /// Counts moves; there are several.
    pub fn new(moves: &Moves, slots: &mut Slots) -> Choice {
        let mut counting =
            Counting { legal: &moves.legal, slots, out: Vec::new(), kept: Vec::new() };
        let (way, total) = match moves.are_compound() {
            true => counting.count_compound(moves),
            false => {
                let (tree, total) = counting.count(0..moves.legal.len());
                (Way::Moves(tree), total.into_iter().map(|bit| bit.slot).collect())
            }
        };
        let Counting { out: count, kept, .. } = counting;
        let number = total.iter().map(|_| slots.take()).collect();
        Choice { way, count, total, kept, number, any: slots.take() }
    }

    /// Finds the move whose number was drawn, and writes which are made. The slots of all choices that
    /// are found together have to be taken before.
    pub fn find(&self, moves: &Moves, slots: &mut Slots) -> Vec<MoveGroup> {
        let Moves { legal, does, .. } = moves;
        let mut finding = Finding { legal, does: *does, slots, groups: Vec::new() };
        match &self.way {
            Way::Moves(tree) => finding.find(tree, &self.number, self.any, false),
            Way::Compound { rows, columns, rest, all, of_row, bits } => {
                finding.begin(None);
                let mut functions = Functions { slots: finding.slots, out: Vec::new() };
                let by = &mut functions;
                let (left, is_compound) = difference(by, &self.number, all);
                let [row, column] = quotient(by, &self.number[..all.len()], of_row, *bits);
                let here = by.of_two([self.any, is_compound], |any, is| any && is);
                let elsewhere = by.of_two([self.any, is_compound], |any, is| any && !is);
                functions.out.into_iter().for_each(|function| finding.push(function));
                finding.find(rows, row.bits(), here, false);
                finding.find(columns, column.bits(), here, false);
                if let Some(rest) = rest {
                    let bits = bits_of(rest.moves());
                    finding.find(rest, &left.bits()[..bits], elsewhere, false);
                }
            }
        }
        finding.groups
    }
}

/// Computes with slots, by functions to be written.
struct Functions<'a> {
    slots: &'a mut Slots,
    out: Vec<Lut3>,
}

impl Bits for Functions<'_> {
    type Bit = Slot;

    fn function(&mut self, of: [Slot; 3], function: impl Fn(bool, bool, bool) -> bool) -> Slot {
        let to = self.slots.take();
        self.out.push(Lut3::of_three(to, of, function));
        to
    }

    fn of_two(&mut self, of: [Slot; 2], function: impl Fn(bool, bool) -> bool) -> Slot {
        let to = self.slots.take();
        self.out.push(Lut3::of_two(to, of, function));
        to
    }
}

/// The most moves that are found together, if any of them is made.
pub(super) const TOGETHER: usize = 15;

/// A group of moves that are found together, if one of them is made. The groups of a choice are
/// computed one after the other.
pub(super) struct MoveGroup {
    /// The slot that says where one of the moves is made, if it can be told before.
    pub here: Option<Slot>,
    pub functions: Vec<Lut3>,
    /// The slots of the moves that are found: where each is made.
    pub does: Vec<Slot>,
}

/// A bit of a count.
#[derive(Clone, Copy)]
struct Bit {
    slot: Slot,
    /// Whether it was computed, and is not the slot of a move.
    is_own: bool,
}

/// Writes the functions that count.
struct Counting<'a> {
    legal: &'a [Slot],
    slots: &'a mut Slots,
    out: Vec<Lut3>,
    kept: Vec<Slot>,
}

impl Counting<'_> {
    /// Counts some moves, one at least.
    fn count(&mut self, moves: Range<usize>) -> (Tree, Vec<Bit>) {
        let size = moves.len();
        if size == 1 {
            let bit = Bit { slot: self.legal[moves.start], is_own: false };
            return (Tree::Leaf(moves.start), vec![bit]);
        }
        let middle = moves.start + full_below(size);
        let (first, count) = self.count(moves.start..middle);
        let last = (middle + 1 < moves.end).then(|| self.count(middle + 1..moves.end));
        let (last, other) = last.map_or((None, Vec::new()), |(tree, bits)| (Some(tree), bits));
        let sum = self.sum(&count, &other, middle, bits_of(size));
        for bit in other.iter().filter(|bit| bit.is_own) {
            self.slots.give_back(bit.slot);
        }
        self.kept.extend(count.iter().filter(|bit| bit.is_own).map(|bit| bit.slot));
        let count = count.iter().map(|bit| bit.slot).collect();
        (Tree::Node { first: Box::new(first), count, middle, last: last.map(Box::new) }, sum)
    }

    /// Counts moves that are rows and columns, and the others; returns the bits of the total.
    fn count_compound(&mut self, moves: &Moves) -> (Way, Vec<Slot>) {
        let mut of_part = |part: Range<usize>| {
            let (tree, bits) = self.count(part);
            (tree, Number::of(&bits.iter().map(|bit| bit.slot).collect::<Vec<_>>()))
        };
        let [rows, columns, rest] = moves.parts();
        let (rows, of_column) = of_part(rows);
        let (columns, of_row) = of_part(columns);
        let rest = (!rest.is_empty()).then(|| of_part(rest));
        let mut functions = Functions { slots: self.slots, out: Vec::new() };
        let by = &mut functions;
        let all = product(by, of_column.bits(), of_row.bits());
        let (rest, total) = match rest {
            None => (None, all),
            Some((tree, count)) => (Some(tree), sum(by, all.bits(), count.bits())),
        };
        self.out.extend(functions.out);
        self.kept.extend(all.bits().iter().chain(of_row.bits()));
        let bits = of_column.bits().len();
        let [all, of_row] = [all, of_row].map(|number| number.bits().to_vec());
        (Way::Compound { rows, columns, rest, all, of_row, bits }, total.bits().to_vec())
    }

    /// The sum of two counts and a move; the first count has no fewer bits than the other.
    fn sum(&mut self, count: &[Bit], other: &[Bit], middle: usize, bits: usize) -> Vec<Bit> {
        let mut carry = Bit { slot: self.legal[middle], is_own: false };
        let mut sum = Vec::new();
        for (at, &Bit { slot: a, .. }) in count.iter().enumerate() {
            let [bit, carried] = [(); 2].map(|()| self.slots.take());
            let c = carry.slot;
            match other.get(at).map(|bit| bit.slot) {
                Some(b) => {
                    self.out.push(Lut3::of_three(bit, [a, b, c], |a, b, c| a ^ b ^ c));
                    self.out.push(Lut3::of_three(carried, [a, b, c], at_least_two));
                }
                None => {
                    self.out.push(Lut3::of_two(bit, [a, c], |a, c| a ^ c));
                    self.out.push(Lut3::of_two(carried, [a, c], |a, c| a && c));
                }
            }
            if carry.is_own {
                self.slots.give_back(carry.slot);
            }
            sum.push(Bit { slot: bit, is_own: true });
            carry = Bit { slot: carried, is_own: true };
        }
        match sum.len() < bits {
            true => sum.push(carry),
            false => self.slots.give_back(carry.slot),
        }
        sum
    }
}

/// Writes the functions that find a move.
struct Finding<'a> {
    legal: &'a [Slot],
    does: Slot,
    slots: &'a mut Slots,
    groups: Vec<MoveGroup>,
}

impl Finding<'_> {
    /// The next stage.
    fn push(&mut self, function: Lut3) {
        if let Some(group) = self.groups.last_mut() {
            group.functions.push(function);
        }
    }

    /// Says that a move is made, by a function.
    fn push_does(&mut self, place: usize, function: impl FnOnce(Slot) -> Lut3) {
        let does = self.does + place as Slot;
        self.push(function(does));
        if let Some(group) = self.groups.last_mut() {
            group.does.push(does);
        }
    }

    fn begin(&mut self, here: Option<Slot>) {
        self.groups.push(MoveGroup { here, functions: Vec::new(), does: Vec::new() });
    }

    /// Finds the move with a number where `here` is true: there are more legal moves in the tree.
    /// `is_together` says that it is part of what is found together.
    fn find(&mut self, tree: &Tree, number: &[Slot], here: Slot, is_together: bool) {
        if is_together {
            return self.find_in(tree, number, here, true);
        }
        let is_small = tree.moves() <= TOGETHER;
        self.begin(is_small.then_some(here));
        self.find_in(tree, number, here, is_small);
        self.begin(None);
    }

    fn find_in(&mut self, tree: &Tree, number: &[Slot], here: Slot, is_together: bool) {
        let (first, count, middle, last) = match tree {
            &Tree::Leaf(place) => {
                self.push_does(place, |does| Lut3::of_one(does, here, |here| here));
                return;
            }
            Tree::Node { first, count, middle, last } => (first, count, *middle, last),
        };
        let in_first = self.slots.take();
        let taken = Taken { count, more: None, left: &[] };
        self.take(number, taken, in_first, here, |is_less| is_less);
        match last {
            None => {
                let from = [here, in_first];
                let function = |here, first: bool| here && !first;
                self.push_does(middle, |does| Lut3::of_two(does, from, function));
                self.find(first, &number[..count.len()], in_first, is_together);
            }
            Some(last) => {
                let in_last = self.slots.take();
                let bits = 0..bits_of(last.moves());
                let left: Vec<Slot> = bits.map(|_| self.slots.take()).collect();
                let taken = Taken { count, more: Some(self.legal[middle]), left: &left };
                self.take(number, taken, in_last, here, |is_less| !is_less);
                let from = [here, in_first, in_last];
                let function = |here, first: bool, last: bool| here && !first && !last;
                self.push_does(middle, |does| Lut3::of_three(does, from, function));
                self.find(first, &number[..count.len()], in_first, is_together);
                self.find(last, &left, in_last, is_together);
                left.into_iter().for_each(|bit| self.slots.give_back(bit));
                self.slots.give_back(in_last);
            }
        }
        self.slots.give_back(in_first);
    }

    /// Takes a count from a number, and writes to the slot `to` where `here` is true and the
    /// number is as `wanted`, which is told whether it is less than the count.
    fn take(
        &mut self,
        number: &[Slot],
        Taken { count, more, left }: Taken<'_>,
        to: Slot,
        here: Slot,
        wanted: impl Fn(bool) -> bool,
    ) {
        let borrows = [(); 2].map(|()| self.slots.take());
        let mut borrow = more;
        for (at, &bit) in number.iter().enumerate() {
            let taken = [count.get(at).copied(), borrow];
            let next = borrows[at % 2];
            match taken {
                [Some(b), Some(c)] => {
                    if let Some(&left) = left.get(at) {
                        self.push(Lut3::of_three(left, [bit, b, c], |a, b, c| a ^ b ^ c));
                    }
                    let function = |a: bool, b, c| at_least_two(!a, b, c);
                    self.push(Lut3::of_three(next, [bit, b, c], function));
                }
                [Some(b), None] | [None, Some(b)] => {
                    if let Some(&left) = left.get(at) {
                        self.push(Lut3::of_two(left, [bit, b], |a, b| a ^ b));
                    }
                    if at + 1 == number.len() {
                        let function = |here, a: bool, b| here && wanted(!a && b);
                        self.push(Lut3::of_three(to, [here, bit, b], function));
                        borrow = None;
                        break;
                    }
                    self.push(Lut3::of_two(next, [bit, b], |a, b| !a && b));
                }
                [None, None] => unreachable!("a count has a bit"),
            }
            borrow = Some(next);
        }
        if let Some(borrow) = borrow {
            let function = |here, is_less| here && wanted(is_less);
            self.push(Lut3::of_two(to, [here, borrow], function));
        }
        borrows.into_iter().for_each(|slot| self.slots.give_back(slot));
    }
}

/// The number that is subtracted.
struct Taken<'a> {
    /// Lowest bit first.
    count: &'a [Slot],
    /// Where it is one more.
    more: Option<Slot>,
    /// Where the lowest bits of what is left are written.
    left: &'a [Slot],
}

impl Tree {
    /// How many moves there are.
    fn moves(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Node { first, last, .. } => {
                first.moves() + 1 + last.as_ref().map_or(0, |last| last.moves())
            }
        }
    }
}

/// How many of so many moves the first tree has: the most below it of which all trees are full.
fn full_below(size: usize) -> usize {
    let bits = bits_of(size - 1);
    let full = (1 << bits) - 1;
    if full < size { full } else { full >> 1 }
}

/// How many bits a count up to `most` has.
fn bits_of(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}
