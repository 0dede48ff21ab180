//! Bit-sliced counters and other numbers: a number in every lane, one plane for each of its bits.
//!
//! The arithmetic is written once, for any [`Bits`]: in [`uniform`](super::uniform) a bit is a plane, and in
//! [`native`](super::native) it is a function that will compute a plane.

/// How many bits a number has at most.
pub(super) const BITS: usize = 32;

/// Computes with bits.
pub(super) trait Bits {
    /// A bit.
    type Bit: Copy;

    /// The value of a function of three bits.
    fn function(
        &mut self,
        of: [Self::Bit; 3],
        function: impl Fn(bool, bool, bool) -> bool,
    ) -> Self::Bit;

    /// The value of a function of two bits.
    #[inline(always)]
    fn of_two(
        &mut self,
        [a, b]: [Self::Bit; 2],
        function: impl Fn(bool, bool) -> bool,
    ) -> Self::Bit {
        self.function([a, b, b], |a, b, _| function(a, b))
    }
}

/// A number, lowest bit first; one bit at least.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number<B> {
    bits: [B; BITS],
    len: usize,
}

impl<B: Copy> Number<B> {
    /// Of these bits.
    ///
    /// # Panics
    ///
    /// When there are none, or more than [`BITS`].
    #[inline(always)]
    pub fn of(bits: &[B]) -> Self {
        let mut number = Number { bits: [bits[0]; BITS], len: bits.len() };
        number.bits[..bits.len()].copy_from_slice(bits);
        number
    }

    /// The bits.
    #[inline(always)]
    pub fn bits(&self) -> &[B] {
        &self.bits[..self.len]
    }

    #[inline(always)]
    fn push(&mut self, bit: B) {
        if self.len < BITS {
            self.bits[self.len] = bit;
            self.len += 1;
        }
    }
}

/// The sum of two numbers, as long as the longer one and one bit more.
#[inline(always)]
pub(super) fn sum<C: Bits>(by: &mut C, a: &[C::Bit], b: &[C::Bit]) -> Number<C::Bit> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut sum = Number { bits: [long[0]; BITS], len: 0 };
    let mut carry = None;
    for (at, &bit) in long.iter().enumerate() {
        let (ones, next) = match (short.get(at), carry) {
            (Some(&b), Some(c)) => {
                let of = [bit, b, c];
                (by.function(of, |a, b, c| a ^ b ^ c), by.function(of, at_least_two))
            }
            (Some(&b), None) | (None, Some(b)) => {
                (by.of_two([bit, b], |a, b| a ^ b), by.of_two([bit, b], |a, b| a && b))
            }
            (None, None) => unreachable!("the first bits of both are added"),
        };
        sum.push(ones);
        carry = Some(next);
    }
    carry.into_iter().for_each(|carry| sum.push(carry));
    sum
}

/// The product of two numbers, as long as both, or as the other one where one has a single bit.
#[inline(always)]
pub(super) fn product<C: Bits>(by: &mut C, a: &[C::Bit], b: &[C::Bit]) -> Number<C::Bit> {
    let mut product = Number::of(a);
    product.bits[..a.len()]
        .iter_mut()
        .for_each(|bit| *bit = by.of_two([*bit, b[0]], |a, b| a && b));
    for (at, &bit) in b.iter().enumerate().skip(1) {
        let mut more = Number::of(a);
        more.bits[..a.len()].iter_mut().for_each(|of| *of = by.of_two([*of, bit], |a, b| a && b));
        let above = match product.bits()[at..] {
            [] => more,
            ref above => sum(by, above, more.bits()),
        };
        product.len = at;
        above.bits().iter().for_each(|&bit| product.push(bit));
    }
    product
}

/// The difference of a number and another one, which has no more bits, and where it was
/// less.
#[inline(always)]
pub(super) fn difference<C: Bits>(
    by: &mut C,
    a: &[C::Bit],
    b: &[C::Bit],
) -> (Number<C::Bit>, C::Bit) {
    let mut left = Number::of(a);
    let mut borrow = None;
    for (at, bit) in left.bits[..a.len()].iter_mut().enumerate() {
        let of = match (b.get(at), borrow) {
            (Some(&b), Some(c)) => [*bit, b, c],
            (Some(&b), None) | (None, Some(b)) => {
                let of = [*bit, b];
                *bit = by.of_two(of, |a, b| a ^ b);
                borrow = Some(by.of_two(of, |a, b| !a && b));
                continue;
            }
            (None, None) => unreachable!("the first bits of both are there"),
        };
        *bit = by.function(of, |a, b, c| a ^ b ^ c);
        borrow = Some(by.function(of, |a, b, c| at_least_two(!a, b, c)));
    }
    (left, borrow.expect("a number has a bit"))
}

/// How often a number goes into another, in so many bits, and what is left of that, where that is
/// enough; the other number has no more bits than these and those of `b`.
#[inline(always)]
pub(super) fn quotient<C: Bits>(
    by: &mut C,
    a: &[C::Bit],
    b: &[C::Bit],
    bits: usize,
) -> [Number<C::Bit>; 2] {
    let (low, high) = a.split_at(bits);
    let zero = by.of_two([a[0]; 2], |_, _| false);
    let mut quotient = Number::of(low);
    let mut left = Number { bits: [zero; BITS], len: b.len() };
    left.bits[..high.len()].copy_from_slice(high);
    for (at, &next) in low.iter().enumerate().rev() {
        let mut longer = Number::of(&[next]);
        left.bits().iter().for_each(|&bit| longer.push(bit));
        let (rest, is_less) = difference(by, longer.bits(), b);
        quotient.bits[at] = by.of_two([is_less; 2], |is_less, _| !is_less);
        for ((bit, &before), &rest) in
            left.bits.iter_mut().zip(longer.bits()).zip(rest.bits()).take(b.len())
        {
            let of = [is_less, before, rest];
            *bit = by.function(of, |is_less, before, rest| if is_less { before } else { rest });
        }
    }
    [quotient, left]
}

/// Whether two of three are true.
pub(super) fn at_least_two(a: bool, b: bool, c: bool) -> bool {
    a && (b || c) || b && c
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes with words, a number in each place.
    struct Words;

    impl Bits for Words {
        type Bit = u64;

        fn function(&mut self, of: [u64; 3], function: impl Fn(bool, bool, bool) -> bool) -> u64 {
            let of_lane = |lane: u32| {
                let [a, b, c] = of.map(|word| word >> lane & 1 == 1);
                u64::from(function(a, b, c)) << lane
            };
            (0..64).map(of_lane).sum()
        }
    }

    /// Numbers with so many bits, one in each lane.
    fn planes(numbers: &[u64], bits: usize) -> Vec<u64> {
        let plane = |bit: usize| {
            numbers.iter().enumerate().map(|(lane, number)| (number >> bit & 1) << lane).sum()
        };
        (0..bits).map(plane).collect()
    }

    fn numbers(planes: &[u64]) -> Vec<u64> {
        let number = |lane: usize| {
            planes.iter().enumerate().map(|(bit, plane)| (plane >> lane & 1) << bit).sum()
        };
        (0..64).map(number).collect()
    }

    /// All pairs of numbers with so many bits, 64 at a time.
    fn pairs(bits: [usize; 2], check: impl Fn([&[u64]; 2], [&[u64]; 2])) {
        let all: Vec<[u64; 2]> =
            (0..1 << bits[0]).flat_map(|a| (0..1 << bits[1]).map(move |b| [a, b])).collect();
        for some in all.chunks(64) {
            let side = |side: usize| -> Vec<u64> {
                let mut side: Vec<u64> = some.iter().map(|pair| pair[side]).collect();
                side.resize(64, 1);
                side
            };
            let [a, b] = [side(0), side(1)];
            check([&a, &b], [&planes(&a, bits[0]), &planes(&b, bits[1])]);
        }
    }

    #[test]
    fn numbers_are_added_multiplied_and_taken_away() {
        for bits in [[1, 1], [1, 4], [3, 1], [3, 3], [5, 2], [4, 5]] {
            pairs(bits, |[a, b], [of_a, of_b]| {
                let each = |of: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
                    a.iter().zip(b).map(|(&a, &b)| of(a, b)).collect()
                };
                let added = sum(&mut Words, of_a, of_b);
                assert_eq!(added.bits().len(), bits[0].max(bits[1]) + 1);
                assert_eq!(numbers(added.bits()), each(&|a, b| a + b));
                let multiplied = product(&mut Words, of_a, of_b);
                let length =
                    if bits.contains(&1) { bits[0].max(bits[1]) } else { bits[0] + bits[1] };
                assert_eq!(multiplied.bits().len(), length);
                assert_eq!(numbers(multiplied.bits()), each(&|a, b| a * b));
                if bits[0] >= bits[1] {
                    let (left, is_less) = difference(&mut Words, of_a, of_b);
                    let modulus = 1 << bits[0];
                    assert_eq!(numbers(left.bits()), each(&|a, b| a.wrapping_sub(b) % modulus));
                    assert_eq!(numbers(&[is_less]), each(&|a, b| u64::from(a < b)));
                }
            });
        }
    }

    #[test]
    fn numbers_are_divided() {
        for [bits, of_divisor] in [[1, 1], [3, 1], [1, 3], [3, 3], [4, 2]] {
            let length = if bits == 1 { of_divisor.max(1) } else { bits + of_divisor };
            pairs([length, of_divisor], |[a, b], [of_a, of_b]| {
                let actual = quotient(&mut Words, of_a, of_b, bits);
                let [times, left] = actual.map(|number| numbers(number.bits()));
                for ((&a, &b), (times, left)) in a.iter().zip(b).zip(times.into_iter().zip(left)) {
                    if b > 0 && a / b < 1 << bits {
                        assert_eq!([times, left], [a / b, a % b], "{a} by {b}");
                    }
                }
            });
        }
    }
}
