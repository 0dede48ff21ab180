//! From planes to rows and back: what a lane says stands in one bit of many planes, and the
//! caller wants it in one place.

use crate::plane::Plane;

/// 64 planes, or 64 rows of as many words as a plane has: word `w` of row `k` is of lane
/// `64 w + k`, and its bits, the lowest first, are what the planes say of that lane.
pub(super) type Matrix<P> = [P; 64];

/// Makes rows of planes, or planes of rows: in each word, as a matrix of 64 by 64 bits, what is
/// above the diagonal changes places with what is below, by blocks of 32, 16, … (H. S. Warren,
/// Hacker's Delight, section 7-3).
#[inline(always)]
pub(super) fn transpose<P: Plane>(matrix: &mut Matrix<P>) {
    transpose_first(matrix, 64);
}

/// Does so where all but the first so many are zero, for less.
#[inline(always)]
pub(super) fn transpose_first<P: Plane>(matrix: &mut Matrix<P>, filled: usize) {
    swap_blocks::<P, 32>(matrix, filled, 0x0000_0000_ffff_ffff);
    swap_blocks::<P, 16>(matrix, filled, 0x0000_ffff_0000_ffff);
    swap_blocks::<P, 8>(matrix, filled, 0x00ff_00ff_00ff_00ff);
    swap_blocks::<P, 4>(matrix, filled, 0x0f0f_0f0f_0f0f_0f0f);
    swap_blocks::<P, 2>(matrix, filled, 0x3333_3333_3333_3333);
    swap_blocks::<P, 1>(matrix, filled, 0x5555_5555_5555_5555);
}

/// Makes words of the bytes of eight planes: word `w` of plane `k` becomes byte `k` of word `w` of all
/// eight, in their order.
#[inline(always)]
pub(super) fn transpose_bytes<P: Plane>(planes: &mut [P; 8]) {
    swap_bytes::<P, 32>(planes, 4, 0x0000_0000_ffff_ffff);
    swap_bytes::<P, 16>(planes, 2, 0x0000_ffff_0000_ffff);
    swap_bytes::<P, 8>(planes, 1, 0x00ff_00ff_00ff_00ff);
}

/// Swaps the high bits of planes with the low bits of those that are so many further on.
#[inline(always)]
fn swap_bytes<P: Plane, const BY: i32>(planes: &mut [P; 8], further: usize, low: u64) {
    let low = planes[0].token().splat(low);
    for pair in planes.chunks_exact_mut(2 * further) {
        let (first, second) = pair.split_at_mut(further);
        for (a, b) in first.iter_mut().zip(second) {
            swap_bits::<P, BY>(a, b, low);
        }
    }
}

/// Swaps the high bits of a plane with the low bits of another one.
#[inline(always)]
fn swap_bits<P: Plane, const BY: i32>(a: &mut P, b: &mut P, low: P) {
    let change = a.shift_right::<BY>().xor(*b).and(low);
    *b = b.xor(change);
    *a = a.xor(change.shift_left::<BY>());
}

/// Swaps the high bits of the first rows with the low bits of the next, which are zero where no
/// more than `BY` rows were filled at first.
#[inline(always)]
fn swap_blocks<P: Plane, const BY: i32>(matrix: &mut Matrix<P>, filled: usize, low: u64) {
    let low = matrix[0].token().splat(low);
    for rows in matrix.chunks_exact_mut(2 * BY as usize) {
        let (first, second) = rows.split_at_mut(BY as usize);
        if filled <= BY as usize {
            for (a, b) in first.iter_mut().zip(second).take(filled) {
                *b = a.shift_right::<BY>().and(low);
                *a = a.and(low);
            }
            continue;
        }
        for (a, b) in first.iter_mut().zip(second) {
            swap_bits::<P, BY>(a, b, low);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::avx::{Avx2, Avx512};
    use crate::simd128::Simd128;
    use crate::token::Token;
    use gdlr_engine::play::seeded;
    use rand::RngExt;

    fn rows_are_planes_across<P: Plane>() {
        let Some(token) = Token::<P>::detect() else { return };
        let mut random = seeded(5, 0);
        let mut matrix = [token.none(); 64];
        for plane in &mut matrix {
            plane.words_mut().iter_mut().for_each(|word| *word = random.random());
        }
        let planes = matrix;
        token.enable(|| transpose(&mut matrix));
        for lane in 0..P::LANES {
            let row = matrix[lane % 64].words()[lane / 64];
            for (at, plane) in planes.iter().enumerate() {
                assert_eq!(row >> at & 1 == 1, plane.has(lane), "plane {at} in lane {lane}");
            }
            for room in [0, 1, 7, 8, 9, 63, 64] {
                let mut bytes = [7; 66];
                token.write_bits(row, &mut bytes[1..1 + room]);
                let bits = bytes[1..1 + room].iter().enumerate();
                bits.for_each(|(at, &byte)| assert_eq!(u64::from(byte), row >> at & 1));
                assert_eq!((bytes[0], bytes[1 + room]), (7, 7), "nothing else is written");
            }
        }
        token.enable(|| transpose(&mut matrix));
        let words = |planes: &[P; 64]| planes.map(|plane| plane.words().to_vec());
        assert_eq!(words(&matrix), words(&planes));
        for filled in [0, 1, 2, 3, 7, 8, 9, 16, 17, 32, 33, 63] {
            let mut whole = planes;
            whole[filled..].fill(token.none());
            let mut some = whole;
            token.enable(|| transpose(&mut whole));
            token.enable(|| transpose_first(&mut some, filled));
            assert_eq!(words(&some), words(&whole), "{filled} rows");
        }
    }

    #[test]
    fn every_width() {
        rows_are_planes_across::<u64>();
        rows_are_planes_across::<Simd128>();
        #[cfg(target_arch = "x86_64")]
        rows_are_planes_across::<Avx2>();
        #[cfg(target_arch = "x86_64")]
        rows_are_planes_across::<Avx512>();
    }
}
