//! The choice of one legal move in every lane, each with exactly the same chance.
//!
//! All is done plane by plane, so that the cost does not depend on the number of lanes:
//!
//! 1. The legal moves of each lane are counted, in groups of seven, each with a count of
//!    three bits, and then over all groups; where moves are many, in blocks of nine groups first,
//!    with a count of six bits.
//! 2. A number below the count is [drawn](super::draw).
//! 3. The counts of the blocks are taken from the number, one by one. In the block where it
//!    falls below zero is the move; there, the counts of its groups are taken from what was left
//!    of it, and in the group the single moves. The move at which it falls below zero is chosen.
//!    It does so but once: all that is taken is less than the number of values that the bits have.
//!    Blocks and groups in which it does so in no lane are passed over.
//!
//! ```text
//! legal      1 0 1 1 0 0 1 | 0 1 1         groups of 4 and 2; the number is 5
//! number     5 → 5 − 4 = 1 | 1 − 2 < 0     in the second group, with 1 left
//!                            1 0 −1        its third
//! ```

use super::choose::ChooseMoves;
use super::draw::draw;
use super::layout::{Moves, Phase};
use super::native::{Places, StepCode};
use super::numbers::{BITS, Bits, Number, difference, product, quotient, sum};
use super::plane::Plane;
use super::program::Slot;
use super::random::Random;
use super::token::Token;

/// How many moves are counted together: the most whose count has three bits.
const GROUP: usize = 7;

/// How many groups are a block: so many that the count of its moves has [`BLOCK_BITS`].
const GROUPS: usize = 9;

/// How many bits the count of a block has.
const BLOCK_BITS: usize = 6;

/// Chooses at random, each legal move with the same chance.
#[derive(Clone)]
pub(super) struct Uniform<P> {
    token: Token<P>,
    random: Random<P>,
    /// More moves than this are counted in blocks.
    in_groups: usize,
    /// By group: its count, lowest bit first.
    counts: Vec<[P; 3]>,
    /// By block: its count.
    sums: Vec<[P; BLOCK_BITS]>,
    /// How many moves are legal, lowest bit first.
    total: [P; BITS],
    /// The number that was drawn.
    number: [P; BITS],
}

impl<P: Plane> ChooseMoves<P> for Uniform<P> {
    #[inline(never)]
    fn choose(&mut self, phase: &Phase, playing: P, memory: &mut [P]) -> P {
        self.token.enable(
            #[inline(always)]
            || {
                let mut stuck = self.token.none();
                for moves in &phase.choices {
                    stuck = stuck.or(self.make(moves, playing, memory));
                }
                stuck
            },
        )
    }

    #[inline(never)]
    fn draw(&mut self, phase: &Phase, playing: P, memory: &mut [P]) -> (P, bool) {
        match &phase.code {
            Some(code) if code.is_for::<P>() => self.token.enable(
                #[inline(always)]
                || {
                    let stuck = self.draw_all(phase, code, playing, memory);
                    (stuck, code.find(self.token, phase, memory))
                },
            ),
            _ => (self.choose(phase, playing, memory), false),
        }
    }
}

impl<P: Plane> Uniform<P> {
    /// Choices of roles with so many moves at most. More than `in_groups` are counted in blocks.
    pub fn new(random: Random<P>, moves: usize, in_groups: usize) -> Self {
        let token = random.token();
        let counts = vec![[token.none(); 3]; moves.div_ceil(GROUP)];
        let sums = vec![[token.none(); BLOCK_BITS]; counts.len().div_ceil(GROUPS)];
        let [total, number] = [[token.none(); BITS]; 2];
        Uniform { token, random, in_groups, counts, sums, total, number }
    }

    /// Goes on with other random bits.
    pub fn reseed(&mut self, random: Random<P>) {
        self.random = random;
    }

    /// Draws the numbers of the moves of all roles for code. They were counted with the state.
    #[inline(always)]
    fn draw_all(&mut self, phase: &Phase, code: &StepCode, playing: P, memory: &mut [P]) -> P {
        let mut stuck = self.token.none();
        for (moves, places) in phase.choices.iter().zip(code.places()) {
            let Some(places) = places else {
                stuck = stuck.or(self.make(moves, playing, memory));
                continue;
            };
            stuck = stuck.or(playing.without(self.draw_for(places, playing, memory)));
        }
        stuck
    }

    /// Draws the number of a move where its code reads it; bits that it cannot have are none. Returns the
    /// lanes in which a move is legal.
    #[inline(always)]
    fn draw_for(&mut self, places: &Places, playing: P, memory: &mut [P]) -> P {
        let Places { total, number, any } = places;
        let is_used = |&slot: &Slot| !memory[slot as usize].is_zero();
        let bits = total.iter().rposition(is_used).map_or(1, |last| last + 1);
        let is_legal = draw(
            &mut self.random,
            playing,
            bits,
            memory,
            #[inline(always)]
            |memory, bit| memory[total[bit] as usize],
            #[inline(always)]
            |memory, bit, plane| memory[number[bit] as usize] = plane,
        );
        memory[*any as usize] = is_legal;
        for &slot in &number[bits..] {
            memory[slot as usize] = self.token.none();
        }
        is_legal
    }

    /// Chooses a move of one role. Returns the lanes of `playing` in which none is legal.
    #[inline(always)]
    fn make(&mut self, moves: &Moves, playing: P, memory: &mut [P]) -> P {
        if let [only] = moves.legal[..] {
            let legal = memory[only as usize];
            memory[moves.does as usize] = legal;
            return playing.without(legal);
        }
        if moves.are_compound() {
            return self.make_compound(moves, playing, memory);
        }
        let bits = self.count(&moves.legal, memory);
        let any = self.draw(bits, playing);
        self.descend(&moves.legal, moves.does, self.token.all(), memory, bits);
        playing.without(any)
    }

    /// The same where a move may be a row and a column: these are the first ones, by row and then by
    /// column.
    #[inline(never)]
    fn make_compound(&mut self, moves: &Moves, playing: P, memory: &mut [P]) -> P {
        self.token.enable(
            #[inline(always)]
            || {
                let by = &mut Planes(self.token);
                let parts = moves.parts();
                // One by one: `array::map` would count without the instructions switched on.
                let [rows, columns, rest] = parts.clone();
                let rows = self.number_of(&moves.legal[rows], memory);
                let columns = self.number_of(&moves.legal[columns], memory);
                let rest = self.number_of(&moves.legal[rest], memory);
                let all = product(by, rows.bits(), columns.bits());
                let total = sum(by, all.bits(), rest.bits());
                self.total[..total.bits().len()].copy_from_slice(total.bits());
                let bits = self.used(total.bits().len());
                let any = self.draw(bits, playing);
                self.number[bits..total.bits().len()].fill(self.token.none());
                let number = &self.number[..total.bits().len()];
                let (left, is_compound) = difference(by, number, all.bits());
                let [row, column] =
                    quotient(by, &number[..all.bits().len()], columns.bits(), rows.bits().len());
                let within = [is_compound, is_compound, is_compound.not()];
                for ((part, number), within) in
                    parts.into_iter().zip([row, column, left]).zip(within)
                {
                    let (legal, first) = (&moves.legal[part.clone()], part.start as Slot);
                    self.count(legal, memory);
                    let bits = number.bits().len();
                    self.number[..bits].copy_from_slice(number.bits());
                    self.descend(legal, moves.does + first, within, memory, bits);
                }
                playing.without(any)
            },
        )
    }

    /// How many moves are legal.
    #[inline(always)]
    fn number_of(&mut self, legal: &[Slot], memory: &[P]) -> Number<P> {
        let bits = self.count(legal, memory);
        Number::of(&self.total[..bits])
    }

    /// Counts the legal moves; returns how many bits of the total are not zero in all lanes.
    #[inline(always)]
    fn count(&mut self, legal: &[Slot], memory: &[P]) -> usize {
        let token = self.token;
        self.total[0] = token.none();
        let mut total = Total { token, planes: &mut self.total, bits: 0 };
        if legal.len() <= self.in_groups {
            for (group, counts) in legal.chunks(GROUP).zip(&mut self.counts) {
                *counts = count_group(token, group, memory);
                total.add(counts);
            }
        } else {
            let blocks = legal.chunks(GROUPS * GROUP);
            let counts = self.counts.chunks_mut(GROUPS);
            for ((block, counts), sum) in blocks.zip(counts).zip(&mut self.sums) {
                *sum = [token.none(); BLOCK_BITS];
                for (group, counts) in block.chunks(GROUP).zip(counts) {
                    *counts = count_group(token, group, memory);
                    let mut carry = token.none();
                    for (bit, &count) in sum.iter_mut().zip(&*counts) {
                        (*bit, carry) = sum_of(*bit, count, carry);
                    }
                    for bit in &mut sum[3..] {
                        (*bit, carry) = (bit.xor(carry), bit.and(carry));
                    }
                }
                total.add(sum);
            }
        }
        let bits = total.bits.max(1);
        self.used(bits)
    }

    /// How many of some bits of the total are not zero in all lanes; one at least.
    #[inline(always)]
    fn used(&self, mut bits: usize) -> usize {
        while bits > 1 && self.total[bits - 1].is_zero() {
            bits -= 1;
        }
        bits
    }

    /// Draws a number below the total, with so many bits, in the lanes of `playing`. Returns those in which a
    /// move is legal.
    #[inline(always)]
    fn draw(&mut self, bits: usize, playing: P) -> P {
        let Uniform { random, total, number, .. } = self;
        draw(
            random,
            playing,
            bits,
            number,
            #[inline(always)]
            |_, bit| total[bit],
            #[inline(always)]
            |number, bit, plane| number[bit] = plane,
        )
    }

    /// Finds the moves whose numbers were drawn in the lanes of `within`, and writes which are made, from
    /// the slot `does` on.
    #[inline(always)]
    fn descend(&mut self, legal: &[Slot], does: Slot, within: P, memory: &mut [P], bits: usize) {
        let token = self.token;
        let number = &mut self.number[..bits];
        let mut does = does as usize;
        if legal.len() <= self.in_groups {
            find_in(legal, &self.counts, number, within, does, memory);
            return;
        }
        let blocks = legal.chunks(GROUPS * GROUP);
        for ((block, counts), sum) in blocks.zip(self.counts.chunks(GROUPS)).zip(&self.sums) {
            let mut left = [token.none(); BLOCK_BITS];
            for (left, &number) in left.iter_mut().zip(&*number) {
                *left = number;
            }
            let here = take(number, sum).and(within);
            if here.is_zero() {
                memory[does..does + block.len()].fill(token.none());
            } else {
                find_in(block, counts, &mut left, here, does, memory);
            }
            does += block.len();
        }
    }
}

/// Computes with planes.
struct Planes<P>(Token<P>);

impl<P: Plane> Bits for Planes<P> {
    type Bit = P;

    #[inline(always)]
    fn function(&mut self, [a, b, c]: [P; 3], function: impl Fn(bool, bool, bool) -> bool) -> P {
        let Planes(token) = *self;
        let of_last = |a, b| match [false, true].map(|c| function(a, b, c)) {
            [false, false] => token.none(),
            [true, true] => token.all(),
            [false, true] => c,
            [true, false] => c.not(),
        };
        let of_two = |a| b.select(of_last(a, true), of_last(a, false));
        a.select(of_two(true), of_two(false))
    }
}

/// How many moves are legal, while they are counted.
struct Total<'t, P> {
    token: Token<P>,
    /// Lowest bit first.
    planes: &'t mut [P; BITS],
    /// The bits in use.
    bits: usize,
}

impl<P: Plane> Total<'_, P> {
    /// Adds a count.
    #[inline(always)]
    fn add<const N: usize>(&mut self, count: &[P; N]) {
        let Total { token, planes, bits } = self;
        if *bits == 0 {
            planes[..N].copy_from_slice(count);
            *bits = N;
            return;
        }
        let mut carry = token.none();
        for (bit, &count) in planes.iter_mut().zip(count) {
            (*bit, carry) = sum_of(*bit, count, carry);
        }
        for bit in &mut planes[N..*bits] {
            (*bit, carry) = (bit.xor(carry), bit.and(carry));
        }
        if !carry.is_zero() && *bits < BITS {
            planes[*bits] = carry;
            *bits += 1;
        }
    }
}

/// Counts the legal moves of a group.
#[inline(always)]
fn count_group<P: Plane>(token: Token<P>, group: &[Slot], memory: &[P]) -> [P; 3] {
    let mut legal = [token.none(); GROUP];
    for (legal, &slot) in legal.iter_mut().zip(group) {
        *legal = memory[slot as usize];
    }
    let (a, carry_a) = sum_of(legal[0], legal[1], legal[2]);
    let (b, carry_b) = sum_of(legal[3], legal[4], legal[5]);
    let (ones, carry) = sum_of(a, b, legal[6]);
    let (twos, fours) = sum_of(carry_a, carry_b, carry);
    [ones, twos, fours]
}

/// Takes a count from a number. Returns the lanes in which that falls below zero.
#[inline(always)]
fn take<P: Plane, const N: usize>(number: &mut [P], count: &[P; N]) -> P {
    let none = count[0].token().none();
    let mut borrow = none;
    for (at, number) in number.iter_mut().enumerate() {
        let taken = if at < N { count[at] } else { none };
        let before = *number;
        *number = before.odd(taken, borrow);
        borrow = before.not().majority(taken, borrow);
    }
    borrow
}

/// Finds the moves of some groups whose numbers are these in the lanes of `within`, and writes
/// which are made, from the slot `does` on.
#[inline(always)]
fn find_in<P: Plane>(
    legal: &[Slot],
    counts: &[[P; 3]],
    number: &mut [P],
    within: P,
    mut does: usize,
    memory: &mut [P],
) {
    let none = within.token().none();
    for (group, count) in legal.chunks(GROUP).zip(counts) {
        let mut left = [none; 3];
        for (left, &number) in left.iter_mut().zip(&*number) {
            *left = number;
        }
        let here = take(number, count).and(within);
        if here.is_zero() {
            memory[does..does + group.len()].fill(none);
            does += group.len();
            continue;
        }
        for &slot in group {
            let mut borrow = memory[slot as usize].and(here);
            for left in &mut left {
                (*left, borrow) = (left.xor(borrow), borrow.without(*left));
            }
            memory[does] = borrow;
            does += 1;
        }
    }
}

/// The sum of three bits, and the bit to carry.
#[inline(always)]
fn sum_of<P: Plane>(a: P, b: P, c: P) -> (P, P) {
    (a.odd(b, c), a.majority(b, c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_engine::play::seeded;
    use rand::RngExt;
    use std::ops::Range;

    /// So many moves of a role are counted in groups; tests have more and fewer.
    const IN_GROUPS: usize = 2 * GROUPS * GROUP;

    /// So many moves, of which none is compound.
    fn plain(count: usize) -> Moves {
        let legal = (0..count as Slot).collect();
        Moves { legal, does: count as Slot, rows: 0, columns: 0 }
    }

    /// Makes choices among `count` moves; `legal` says which are legal in a round.
    fn choices<P: Plane>(
        token: Token<P>,
        count: usize,
        rounds: usize,
        mut legal: impl FnMut() -> P,
        mut each: impl FnMut(usize, &[usize], Option<usize>),
    ) {
        let mut choice =
            Uniform::new(Random::new(token, &mut seeded(count as u64, 0)), count, IN_GROUPS);
        let moves = plain(count);
        for _ in 0..rounds {
            let mut memory: Vec<P> = (0..count).map(|_| legal()).collect();
            memory.resize(2 * count, token.all());
            let stuck = choice.make(&moves, token.all(), &mut memory);
            for lane in 0..P::LANES {
                let of = |planes: &[P]| -> Vec<usize> {
                    (0..count).filter(|&at| planes[at].has(lane)).collect()
                };
                let (legal, does) = (of(&memory), of(&memory[count..]));
                assert!(does.len() <= 1, "one move at most: {does:?} of {legal:?}");
                assert_eq!(stuck.has(lane), legal.is_empty());
                each(lane, &legal, does.first().copied());
            }
        }
    }

    /// The sum of squared deviations from equal counts, in standard deviations from what
    /// chance makes of it.
    fn deviation(counts: &[u64]) -> f64 {
        let all: u64 = counts.iter().sum();
        let expected = all as f64 / counts.len() as f64;
        let squares = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected);
        let free = counts.len() as f64 - 1.0;
        (squares.sum::<f64>() - free) / (2.0 * free).sqrt()
    }

    fn equally_often<P: Plane>() {
        let Some(token) = Token::<P>::detect() else { return };
        for count in 2..=200 {
            let mut counts = vec![0; count];
            let mut choice =
                Uniform::new(Random::new(token, &mut seeded(count as u64, 0)), count, IN_GROUPS);
            let moves = plain(count);
            let mut memory = vec![token.all(); 2 * count];
            for _ in 0..40 * count * 64 / P::LANES {
                assert!(choice.make(&moves, token.all(), &mut memory).is_zero());
                let mut all = token.none();
                for (plane, count) in memory[count..].iter().zip(&mut counts) {
                    assert!(all.and(*plane).is_zero(), "one move at most");
                    all = all.or(*plane);
                    *count += plane.count();
                }
                assert!(all.not().is_zero(), "one move at least");
            }
            let deviation = deviation(&counts);
            assert!(deviation.abs() < 5.0, "{count} moves: {deviation} in {counts:?}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long")]
    fn each_legal_move_is_chosen_equally_often() {
        equally_often::<u64>();
        equally_often::<super::super::simd128::Simd128>();
        #[cfg(target_arch = "x86_64")]
        equally_often::<super::super::avx::Avx2>();
        #[cfg(target_arch = "x86_64")]
        equally_often::<super::super::avx::Avx512>();
    }

    #[test]
    fn whatever_is_legal() {
        for count in [1, 2, 3, 6, 7, 8, 13, 15, 64, 500] {
            let mut random = seeded(9, 0);
            // By how many are legal: by place among them.
            let mut counts = vec![vec![0u64; count]; count + 1];
            let legal = || match count {
                0..64 => random.random::<u64>(),
                _ => random.random::<u64>() & random.random::<u64>() & random.random::<u64>(),
            };
            choices(
                Token::portable(),
                count,
                if cfg!(miri) { 2 } else { 600 },
                legal,
                |_, legal, does| {
                    let Some(does) = does else {
                        assert!(legal.is_empty(), "one is made");
                        return;
                    };
                    let place = legal.iter().position(|&at| at == does);
                    counts[legal.len()][place.expect("a legal move is made")] += 1;
                },
            );
            for (legal, counts) in counts.iter().enumerate().skip(2) {
                let counts = &counts[..legal];
                if counts.iter().sum::<u64>() >= 5 * legal as u64 {
                    let deviation = deviation(counts);
                    assert!(deviation.abs() < 6.0, "{legal} of {count}: {deviation}, {counts:?}");
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long")]
    fn whatever_rows_and_columns_are_legal() {
        for [rows, columns, rest] in [[2, 2, 0], [5, 3, 1], [3, 1, 2], [1, 4, 2], [9, 7, 30]] {
            let count = rows + columns + rest;
            let moves = Moves { rows, columns, ..plain(count) };
            let mut random = seeded(count as u64, 1);
            let mut choice =
                Uniform::new(Random::new(Token::portable(), &mut random), count, IN_GROUPS);
            let all = rows * columns + rest;
            let mut counts = vec![vec![0u64; all]; all + 1];
            for _ in 0..1000 {
                let mut memory: Vec<u64> = (0..count).map(|_| random.random()).collect();
                memory.resize(2 * count, !0);
                let stuck = choice.make(&moves, !0, &mut memory);
                for lane in 0..64 {
                    let of = |first: usize, part: Range<usize>| -> Vec<usize> {
                        let planes = &memory[first + part.start..first + part.end];
                        (0..part.len()).filter(|&at| planes[at].has(lane)).collect()
                    };
                    let [of_rows, of_columns, others] =
                        moves.parts().map(|part| [of(0, part.clone()), of(count, part)]);
                    let mut legal: Vec<[usize; 2]> = Vec::new();
                    for &row in &of_rows[0] {
                        legal.extend(of_columns[0].iter().map(|&column| [row, column]));
                    }
                    legal.extend(others[0].iter().map(|&other| [rows + other, 0]));
                    let does = match (&of_rows[1][..], &of_columns[1][..], &others[1][..]) {
                        ([], [], []) => None,
                        (&[row], &[column], []) => Some([row, column]),
                        ([], [], &[other]) => Some([rows + other, 0]),
                        other => panic!("one move at most: {other:?}"),
                    };
                    assert_eq!(stuck.has(lane), legal.is_empty());
                    assert_eq!(does.is_none(), legal.is_empty());
                    if let Some(does) = does {
                        let place = legal.iter().position(|&of| of == does);
                        counts[legal.len()][place.expect("a legal move is made")] += 1;
                    }
                }
            }
            let mut counted = 0;
            for (legal, counts) in counts.iter().enumerate().skip(2) {
                let counts = &counts[..legal];
                if counts.iter().sum::<u64>() >= 5 * legal as u64 {
                    counted += 1;
                    let deviation = deviation(counts);
                    assert!(deviation.abs() < 6.0, "{rows} by {columns}: {deviation}, {counts:?}");
                }
            }
            assert!(counted > 1);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long")]
    fn lanes_do_not_follow_each_other() {
        // Of two moves, neighbours choose the same half of the time.
        let mut same = 0;
        let mut last = 0;
        choices(
            Token::portable(),
            2,
            4000,
            || !0,
            |_, _, does| {
                let does = does.expect("all are legal");
                same += u64::from(does == last);
                last = does;
            },
        );
        assert!((126_000..130_000).contains(&same), "{same} of 256,000");
    }
}
