//! Rows of bytes: a row for each lane, a byte for each plane, 0 or 1.
//!
//! ```text
//! planes, of eight lanes    the same bytes side by side    rows of lanes
//!   a: a7 … a1 a0             eight: a7…a0  b7…b0  c7…c0     lane 0: a0 b0 c0
//!   b: b7 … b1 b0      ──▶                            ──▶    lane 1: a1 b1 c1
//!   c: c7 … c1 c0                                            …
//! ```
//!
//! Eight lanes are a byte of each plane. [`ByteRows::put`] puts these bytes side by side, and
//! [`ByteRows::write`] takes the bit of a lane out of each, a register of bytes with two instructions. So no bits
//! are transposed within bytes, which would take half of the exchanges.
//!
//! Lanes have any places in blocks. All blocks are put before the first row is written, and rows are
//! written in the order of lanes, so that memory is written from its beginning to its end. Where it is not in the
//! second-level cache, that takes half the time of rows in the order of places.

use super::transpose::transpose_bytes;
use crate::plane::Plane;

/// How many bytes ahead memory is asked for. From 0.5 to 8 KB rows of 556 bytes took 0.8 of the time where they were
/// beyond the second-level cache, and 0.9 of it where they were not.
const AHEAD: usize = 2048;

/// The bytes of a line of the cache.
const LINE: usize = 64;

/// The bits of planes, eight lanes to a byte.
#[derive(Clone, Default)]
pub(super) struct ByteRows {
    /// By eight places, those of each block one after the other: a byte for each plane.
    eights: Vec<u8>,
    /// How many bytes eight places have: those of planes, in whole words.
    stride: usize,
}

impl ByteRows {
    /// How many planes are to be put before rows are written: of so many lanes no more than take so many bytes,
    /// but a line of a cache at least.
    pub fn planes_at_once(lanes: usize, bytes: usize) -> usize {
        (bytes / lanes.div_ceil(8).max(1)).max(64) / 64 * 64
    }

    /// Makes room for so many planes of so many lanes. What was put before is lost.
    pub fn resize(&mut self, planes: usize, lanes: usize) {
        self.stride = planes.next_multiple_of(8);
        let bytes = lanes.div_ceil(8) * self.stride;
        if self.eights.len() < bytes {
            self.eights.resize(bytes, 0);
        }
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        self.eights.len()
    }

    /// Puts so many planes of a block, for which there is room; `plane` tells one.
    #[inline(always)]
    pub fn put<P: Plane>(
        &mut self,
        block: usize,
        planes: usize,
        none: P,
        plane: impl Fn(usize) -> P,
    ) {
        let stride = self.stride;
        let of_block = P::LANES / 8 * stride;
        let eights = &mut self.eights[block * of_block..][..of_block];
        for at in (0..planes).step_by(8) {
            let mut some = [none; 8];
            // A loop, since an adaptor of iterators would call `plane` without the instructions switched on.
            for (number, into) in some.iter_mut().enumerate().take(planes - at) {
                *into = plane(at + number);
            }
            transpose_bytes(&mut some);
            for (word, of_word) in eights.chunks_exact_mut(8 * stride).enumerate() {
                for (row, plane) in of_word.chunks_exact_mut(stride).zip(&some) {
                    row[at..at + 8].copy_from_slice(&plane.words()[word].to_le_bytes());
                }
            }
        }
    }

    /// Writes so many columns of rows, from one on: for each place the row of a lane. A row of `out` has `width`
    /// bytes, and nothing but these columns is written.
    #[inline(always)]
    pub fn write<P: Plane>(
        &self,
        lanes: impl Iterator<Item = (usize, usize)>,
        columns: (usize, usize),
        width: usize,
        out: &mut [u8],
    ) {
        match columns.1 {
            0 => {}
            1 => self.write_by::<1>(lanes, columns, width, out),
            2..4 => self.write_by::<2>(lanes, columns, width, out),
            4..8 => self.write_by::<4>(lanes, columns, width, out),
            8..16 => self.write_by::<8>(lanes, columns, width, out),
            16..32 => self.write_by::<16>(lanes, columns, width, out),
            64.. if P::LANES == 512 => self.write_by::<64>(lanes, columns, width, out),
            _ => self.write_by::<32>(lanes, columns, width, out),
        }
    }

    /// Does so by `N` bytes, no more than there are columns.
    #[inline(always)]
    fn write_by<const N: usize>(
        &self,
        lanes: impl Iterator<Item = (usize, usize)>,
        (first, count): (usize, usize),
        width: usize,
        out: &mut [u8],
    ) {
        let rows_ahead = AHEAD.div_ceil(width);
        for (place, lane) in lanes {
            // Shorter rows share their lines.
            if count >= LINE {
                let next = (lane + rows_ahead) * width + first;
                expect_writes(out.get(next..next + count).unwrap_or_default());
            }
            let eight = &self.eights[place / 8 * self.stride..][..count];
            let row = &mut out[lane * width + first..][..count];
            write_row::<N>(eight, (place % 8) as u32, row);
        }
    }
}

/// Tells the processor that bytes will be written soon, where it can be told.
#[inline(always)]
fn expect_writes(bytes: &[u8]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for line in bytes.chunks(LINE) {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        // SAFETY: the instruction is a hint, which reads and writes nothing, and a processor without it does
        // nothing in its place.
        unsafe { _mm_prefetch::<_MM_HINT_ET0>(line.as_ptr().cast()) };
    }
    #[cfg(any(not(target_arch = "x86_64"), miri))]
    let _ = bytes;
}

/// Writes what bytes say by one of their bits, `N` of them at once. The last `N` are written together, some of
/// them for the second time.
#[inline(always)]
fn write_row<const N: usize>(bytes: &[u8], bit: u32, row: &mut [u8]) {
    let (chunks, rest) = row.as_chunks_mut::<N>();
    for (into, from) in chunks.iter_mut().zip(bytes.as_chunks::<N>().0) {
        *into = bits_of(*from, bit);
    }
    if !rest.is_empty()
        && let (Some(into), Some(from)) = (row.last_chunk_mut::<N>(), bytes.last_chunk::<N>())
    {
        *into = bits_of(*from, bit);
    }
}

/// A bit of each byte.
#[inline(always)]
fn bits_of<const N: usize>(mut bytes: [u8; N], bit: u32) -> [u8; N] {
    let of_word = |word: u64| word >> bit & 0x0101_0101_0101_0101;
    let (words, rest) = bytes.as_chunks_mut::<8>();
    for word in words {
        *word = of_word(u64::from_le_bytes(*word)).to_le_bytes();
    }
    let mut word = [0; 8];
    word[..rest.len()].copy_from_slice(rest);
    rest.copy_from_slice(&of_word(u64::from_le_bytes(word)).to_le_bytes()[..rest.len()]);
    bytes
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
    use rand::seq::SliceRandom;

    const BLOCKS: usize = 2;
    const UNTOUCHED: u8 = 7;

    /// Columns of rows that are wider on both sides, of lanes that are anywhere in the blocks.
    fn rows_are_bits_of_planes<P: Plane>() {
        let Some(token) = Token::<P>::detect() else { return };
        let mut random = seeded(6, 0);
        let mut rows = ByteRows::default();
        for count in (0..=10).chain(15..=18).chain(31..=34).chain([63, 64, 65, 95, 128, 131]) {
            let mut plane = || {
                let mut plane = token.none();
                plane.words_mut().iter_mut().for_each(|word| *word = random.random());
                plane
            };
            let blocks = [(); BLOCKS].map(|()| Vec::from_iter((0..count).map(|_| plane())));
            rows.resize(count, BLOCKS * P::LANES);
            token.enable(|| {
                for (number, planes) in blocks.iter().enumerate() {
                    rows.put(number, count, token.none(), |at| planes[at]);
                }
            });
            // The first and the last are among the lanes; some places have none.
            let mut places = Vec::from_iter(1..BLOCKS * P::LANES - 1);
            places.shuffle(&mut random);
            places.truncate(P::LANES);
            places.extend([0, BLOCKS * P::LANES - 1]);
            let (first, width) = (3, count + 5);
            let mut out = vec![UNTOUCHED; places.len() * width];
            let lanes = places.iter().copied().zip(0..);
            token.enable(|| rows.write::<P>(lanes, (first, count), width, &mut out));
            for (row, place) in out.chunks(width).zip(places) {
                let planes = &blocks[place / P::LANES];
                let said = planes.iter().map(|plane| u8::from(plane.has(place % P::LANES)));
                let mut expected = vec![UNTOUCHED; first];
                expected.extend(said.chain([UNTOUCHED; 2]));
                assert_eq!(row, expected, "{count} planes, place {place} of {}", P::LANES);
            }
        }
    }

    #[test]
    fn every_width() {
        rows_are_bits_of_planes::<u64>();
        rows_are_bits_of_planes::<Simd128>();
        #[cfg(target_arch = "x86_64")]
        rows_are_bits_of_planes::<Avx2>();
        #[cfg(target_arch = "x86_64")]
        rows_are_bits_of_planes::<Avx512>();
    }

    #[test]
    fn bits_of_many_lanes_are_kept_for_a_line_at_least() {
        assert_eq!(ByteRows::planes_at_once(4096, 512 << 10), 1024);
        assert_eq!(ByteRows::planes_at_once(1 << 20, 512 << 10), 64);
        assert_eq!(ByteRows::planes_at_once(0, 0), 64);
    }
}
