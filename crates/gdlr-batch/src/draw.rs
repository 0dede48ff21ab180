//! Random numbers: in each lane one below a total of its own, all with exactly the same chance.
//!
//! A lane draws as many bits as the largest such number has, again and again until they are below the
//! total.

use super::numbers::BITS;
use super::plane::Plane;
use super::random::Random;

/// Draws a number in the lanes of `playing` in which the total is not zero. Numbers and totals have so
/// many `bits`, the lowest first: `total` reads one from the memory, `number` writes one there. Returns the lanes
/// in which the total is not zero.
///
/// # Panics
///
/// When there are more bits than [`BITS`].
#[inline(always)]
pub(super) fn draw<P: Plane, M: ?Sized>(
    random: &mut Random<P>,
    playing: P,
    bits: usize,
    memory: &mut M,
    total: impl Fn(&M, usize) -> P,
    number: impl Fn(&mut M, usize, P),
) -> P {
    // With few bits, all of them stay in registers.
    match bits {
        1 => within::<P, M, 1>(random, playing, 1, memory, total, number),
        2 => within::<P, M, 2>(random, playing, 2, memory, total, number),
        3 => within::<P, M, 3>(random, playing, 3, memory, total, number),
        4 => within::<P, M, 4>(random, playing, 4, memory, total, number),
        5 => within::<P, M, 5>(random, playing, 5, memory, total, number),
        6 => within::<P, M, 6>(random, playing, 6, memory, total, number),
        7..=12 => within::<P, M, 12>(random, playing, bits, memory, total, number),
        _ => within::<P, M, BITS>(random, playing, bits, memory, total, number),
    }
}

/// The same, with room for so many bits.
#[inline(always)]
fn within<P: Plane, M: ?Sized, const ROOM: usize>(
    random: &mut Random<P>,
    playing: P,
    bits: usize,
    memory: &mut M,
    total: impl Fn(&M, usize) -> P,
    number: impl Fn(&mut M, usize, P),
) -> P {
    let token = playing.token();
    let [mut totals, mut masks, mut numbers] = [[token.none(); ROOM]; 3];
    let mut any = token.none();
    for (place, bit) in totals[..bits].iter_mut().enumerate() {
        *bit = total(memory, place);
        any = any.or(*bit);
    }
    below(random, playing.and(any), &totals[..bits], &mut masks[..bits], &mut numbers[..bits]);
    for (place, &bit) in numbers[..bits].iter().enumerate() {
        number(memory, place, bit);
    }
    any
}

/// Draws numbers below the totals in the lanes of `playing`. In other lanes, and at first in all of them, they are
/// zero; `mask` is written.
#[inline(always)]
fn below<P: Plane>(
    generator: &mut Random<P>,
    playing: P,
    total: &[P],
    mask: &mut [P],
    number: &mut [P],
) {
    // The largest number; then all bits that it may have.
    let token = playing.token();
    let mut borrow = token.all();
    for ((mask, number), &bit) in mask.iter_mut().zip(&mut *number).zip(total) {
        *number = token.none();
        *mask = bit.xor(borrow);
        borrow = borrow.without(bit);
    }
    let mut any = token.none();
    for mask in mask.iter_mut().rev() {
        any = any.or(*mask);
        *mask = any;
    }
    // Kept apart, so that it stays in registers.
    let mut random = *generator;
    let mut open = playing;
    while !open.is_zero() {
        let mut below = token.none();
        for ((number, &mut mask), &bit) in number.iter_mut().zip(&mut *mask).zip(total) {
            *number = open.select(random.plane().and(mask), *number);
            // Whether the lower bits are less, or these are.
            below = number.xor(bit).select(bit, below);
        }
        open = open.without(below);
    }
    *generator = random;
}
