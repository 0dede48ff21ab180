//! Situations with the chance of each.

use super::situation::Situation;
use crate::engine::{AnyEngine, AnyState};
use gdlr_text::random::{falls_below, falls_on};
use hashbrown::{DefaultHashBuilder, HashTable};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hash::BuildHasher;

/// Situations in which a role may be.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    situations: Vec<Situation<AnyState>>,
    /// The chance of each and all before it; the last is 1.
    sums: Vec<f64>,
}

impl Candidates {
    pub fn len(&self) -> usize {
        self.situations.len()
    }

    pub fn is_empty(&self) -> bool {
        self.situations.is_empty()
    }

    /// Each with its chance.
    pub fn iter(&self) -> impl Iterator<Item = (&Situation<AnyState>, f64)> {
        let before = std::iter::once(&0.0).chain(&self.sums);
        let chances = self.sums.iter().zip(before).map(|(sum, before)| sum - before);
        self.situations.iter().zip(chances)
    }

    /// How much memory they take, in bytes.
    pub fn bytes(&self, engine: &AnyEngine) -> usize {
        let situations = self.situations.iter().map(|situation| situation.bytes(engine));
        situations.sum::<usize>() + size_of_val(&self.sums[..])
    }

    /// One of them, by its chance.
    pub fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> Option<&Situation<AnyState>> {
        self.situations.get(falls_below(&self.sums, rng.random()))
    }

    /// So many of them, spread over all by their chances; some may be the same.
    fn spread(&self, count: usize, rng: &mut Xoshiro256PlusPlus) -> WeightedSituations {
        let offset = rng.random::<f64>();
        let mut weighted = WeightedSituations::default();
        for at in 0..count {
            let place = (at as f64 + offset) / count as f64;
            let at = falls_below(&self.sums, place);
            weighted.add(self.situations[at].clone(), 1.0);
        }
        weighted
    }
}

/// Situations that are found, each once, with weights that add up to anything.
#[derive(Default)]
pub(super) struct WeightedSituations {
    situations: Vec<Situation<AnyState>>,
    weights: Vec<f64>,
    places: HashTable<usize>,
    hasher: DefaultHashBuilder,
}

impl WeightedSituations {
    pub fn len(&self) -> usize {
        self.situations.len()
    }

    pub fn is_empty(&self) -> bool {
        self.situations.is_empty()
    }

    /// Adds weight to a situation.
    pub fn add(&mut self, situation: Situation<AnyState>, weight: f64) {
        let WeightedSituations { situations, weights, places, hasher } = self;
        let hash = hasher.hash_one(&situation);
        let entry = places.entry(
            hash,
            |&at| situations[at] == situation,
            |&at| hasher.hash_one(&situations[at]),
        );
        let mut is_new = false;
        let at = *entry
            .or_insert_with(|| {
                is_new = true;
                weights.len()
            })
            .get();
        match is_new {
            true => weights.push(weight),
            false => weights[at] += weight,
        }
        if is_new {
            situations.push(situation);
        }
    }

    /// Adds others, with this part of their weights.
    pub fn add_all(&mut self, others: WeightedSituations, part: f64) {
        for (situation, weight) in others.situations.into_iter().zip(others.weights) {
            self.add(situation, weight * part);
        }
    }

    /// One of them, by its weight, and the sum of all weights.
    pub fn draw(mut self, rng: &mut Xoshiro256PlusPlus) -> Option<(Situation<AnyState>, f64)> {
        let sum: f64 = self.weights.iter().sum();
        let drawn = rng.random::<f64>() * sum;
        let at = falls_on(self.weights.iter().copied(), drawn).or(self.len().checked_sub(1))?;
        Some((self.situations.swap_remove(at), sum))
    }

    /// The same with chances. Beyond `most`, some are left out; whether all are there.
    pub fn into_candidates(self, most: usize, rng: &mut Xoshiro256PlusPlus) -> (Candidates, bool) {
        let total: f64 = self.weights.iter().sum();
        let mut sum = 0.0;
        let add = |weight: f64| {
            sum += weight / total;
            sum
        };
        let sums = self.weights.into_iter().map(add).collect();
        let candidates = Candidates { situations: self.situations, sums };
        match candidates.len() <= most {
            true => (candidates, true),
            false => (candidates.spread(most, rng).into_candidates(most, rng).0, false),
        }
    }
}
