//! Bit-sliced counters: how many steps the playout of each lane has had, counted for all lanes at once.
//!
//! Plane `k` has bit `k` of every lane's counter, so that a step is a ripple carry over a few planes.

use super::plane::Plane;
use super::token::Token;

/// How many steps the playout of each lane has had: a plane for each bit, the lowest first.
#[derive(Clone)]
pub(super) struct StepCounters<P> {
    token: Token<P>,
    bits: Vec<P>,
}

impl<P: Plane> StepCounters<P> {
    /// No steps, and room for as many as there may ever be.
    pub fn new(token: Token<P>) -> Self {
        StepCounters { token, bits: Vec::with_capacity(64) }
    }

    /// Takes the counters of other playouts.
    pub fn copy(&mut self, of: &StepCounters<P>) {
        self.bits.clone_from(&of.bits);
    }

    /// How many steps the playouts of some lanes have had together.
    pub fn sum(&self, lanes: P) -> u64 {
        let bits = self.bits.iter().enumerate();
        bits.map(|(bit, plane)| plane.and(lanes).count() << bit).sum()
    }

    /// How many steps the playout of a lane has had.
    pub fn of(&self, lane: usize) -> u64 {
        let bits = self.bits.iter().enumerate();
        bits.map(|(bit, plane)| u64::from(plane.has(lane)) << bit).sum()
    }

    /// Sets the counter of a lane. Linear in the bits of the largest count.
    pub fn put(&mut self, lane: usize, steps: u64) {
        while steps.checked_shr(self.bits.len() as u32).is_some_and(|more| more != 0) {
            self.bits.push(self.token.none());
        }
        for (bit, plane) in self.bits.iter_mut().enumerate() {
            plane.put(lane, steps >> bit & 1 == 1);
        }
    }

    /// Counts a step in some lanes.
    #[inline(always)]
    pub fn grow(&mut self, lanes: P) {
        let mut carry = lanes;
        for bit in &mut self.bits {
            (*bit, carry) = (bit.xor(carry), bit.and(carry));
        }
        if !carry.is_zero() {
            self.bits.push(carry);
        }
    }

    /// Begins again in all lanes.
    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// Begins again in some lanes.
    #[inline(always)]
    pub fn forget(&mut self, lanes: P) {
        for bit in &mut self.bits {
            *bit = bit.without(lanes);
        }
    }

    /// The lanes in which there have been so many steps, or more.
    #[inline(always)]
    pub fn at_least(&self, steps: u64) -> P {
        if self.bits.len() < 64 && steps >> self.bits.len() != 0 {
            return self.token.none();
        }
        let (mut more, mut equal) = (self.token.none(), self.token.all());
        for (bit, &plane) in self.bits.iter().enumerate().rev() {
            if steps >> bit & 1 == 1 {
                equal = equal.and(plane);
            } else {
                more = more.or(equal.and(plane));
                equal = equal.without(plane);
            }
        }
        more.or(equal)
    }

    /// The lanes in which there have been exactly so many steps.
    #[inline(always)]
    pub fn exactly(&self, steps: u64) -> P {
        if self.bits.len() < 64 && steps >> self.bits.len() != 0 {
            return self.token.none();
        }
        let mut lanes = self.token.all();
        for (bit, &plane) in self.bits.iter().enumerate() {
            lanes = if steps >> bit & 1 == 1 { lanes.and(plane) } else { lanes.without(plane) };
        }
        lanes
    }
}
