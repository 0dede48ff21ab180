//! The subset construction: makes a nondeterministic automaton deterministic.

use super::{Nfa, Node};
use crate::abg::game::Letter;
use crate::abg::limits::Limits;
use hashbrown::HashMap;

/// A deterministic automaton over letters. Its first state is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dfa {
    /// Its letters.
    pub letters: Vec<Letter>,
    /// By state: the letters, by number, with their target states.
    pub edges: Vec<Vec<(usize, usize)>>,
    /// By state: whether a word may end there.
    pub accepting: Vec<bool>,
}

impl Dfa {
    /// The minimal automaton of a nondeterministic one; `None` if it exceeds the limits.
    pub(in crate::abg) fn new(nfa: &Nfa, letters: Vec<Letter>, limits: &Limits) -> Option<Dfa> {
        let mut first = vec![nfa.start];
        nfa.close(&mut first);
        let mut numbers: HashMap<Vec<Node>, usize> = HashMap::new();
        numbers.insert(first.clone(), 0);
        let mut sets = vec![first];
        let mut dfa = Dfa { letters, ..Dfa::default() };
        let mut work = 0;
        let mut at = 0;
        while at < sets.len() {
            let set = sets[at].clone();
            dfa.accepting.push(set.contains(&nfa.accepting));
            // In the order of the letters in the text.
            let mut targets: Vec<(usize, Vec<Node>)> = Vec::new();
            let mut places: HashMap<usize, usize> = HashMap::new();
            for &state in &set {
                for &(letter, to) in &nfa.letters[state as usize] {
                    let place = *places.entry(letter).or_insert_with(|| {
                        targets.push((letter, Vec::new()));
                        targets.len() - 1
                    });
                    targets[place].1.push(to);
                }
            }
            targets.sort_by_key(|(letter, _)| *letter);
            let mut edges = Vec::new();
            for (letter, mut states) in targets {
                work += nfa.empty.len();
                nfa.close(&mut states);
                let next = *numbers.entry(states.clone()).or_insert_with(|| {
                    sets.push(states);
                    sets.len() - 1
                });
                edges.push((letter, next));
            }
            dfa.edges.push(edges);
            if sets.len() > limits.states || work > limits.steps {
                return None;
            }
            at += 1;
        }
        Some(dfa.minimal())
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.edges.len()
    }

    /// By state: whether all later letters stay on the square.
    pub fn rests(&self) -> Vec<bool> {
        let mut rests = vec![true; self.states()];
        loop {
            let mut changed = false;
            for state in 0..self.states() {
                let goes =
                    |&(letter, to): &(usize, usize)| self.letters[letter].steps() || !rests[to];
                if rests[state] && self.edges[state].iter().any(goes) {
                    rests[state] = false;
                    changed = true;
                }
            }
            if !changed {
                return rests;
            }
        }
    }

    /// Whether it accepts no word.
    pub fn is_empty(&self) -> bool {
        !self.accepting.contains(&true)
    }
}

impl Dfa {
    /// Merges letters from one state to another that differ only in their sets of pieces or
    /// squares.
    pub(in crate::abg) fn merged(mut self) -> Dfa {
        let mut numbers: HashMap<Letter, usize> =
            self.letters.iter().enumerate().map(|(n, it)| (it.clone(), n)).collect();
        for state in 0..self.states() {
            let mut merged: Vec<(usize, usize)> = Vec::new();
            for (letter, to) in std::mem::take(&mut self.edges[state]) {
                let union = merged.iter().enumerate().find_map(|(place, &(other, target))| {
                    let union =
                        (target == to).then(|| union(&self.letters[other], &self.letters[letter]));
                    Some((place, union??))
                });
                let Some((place, union)) = union else {
                    merged.push((letter, to));
                    continue;
                };
                let letters = &mut self.letters;
                merged[place].0 = *numbers.entry(union.clone()).or_insert_with(|| {
                    letters.push(union);
                    letters.len() - 1
                });
            }
            merged.sort_unstable();
            self.edges[state] = merged;
        }
        self.minimal()
    }
}

/// The union of two letters; `None` if they differ in more.
fn union(left: &Letter, right: &Letter) -> Option<Letter> {
    use crate::abg::game::Condition;
    let alike = (left.dx, left.dy) == (right.dx, right.dy) && left.effect == right.effect;
    let simple = |test: &Condition| matches!(test, Condition::Here(_) | Condition::Among(_));
    if !alike || !simple(&left.test) || !simple(&right.test) {
        return None;
    }
    match left.test.clone().or(right.test.clone()) {
        Condition::Or(_) => None,
        test => Some(Letter { test, ..left.clone() }),
    }
}
