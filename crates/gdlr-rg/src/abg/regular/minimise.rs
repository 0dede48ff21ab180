//! The minimal deterministic automaton. States with the same continuations become one (Moore's
//! algorithm). States from which no word can end are left out.

use super::Dfa;
use hashbrown::HashMap;

impl Dfa {
    /// The automaton with the fewest states. Its first state stays 0.
    pub(super) fn minimal(mut self) -> Dfa {
        self.prune();
        let mut class: Vec<usize> = self.accepting.iter().map(|&it| usize::from(it)).collect();
        let mut count = 0;
        loop {
            let mut numbers = HashMap::new();
            let mut next = Vec::with_capacity(class.len());
            for state in 0..self.states() {
                let edges = self.edges[state].iter().map(|&(letter, to)| (letter, class[to]));
                let key = (self.accepting[state], edges.collect::<Vec<_>>());
                let fresh = numbers.len();
                next.push(*numbers.entry(key).or_insert(fresh));
            }
            let now = numbers.len();
            class = next;
            if now == count {
                break;
            }
            count = now;
        }
        let mut edges = vec![None; count];
        let mut accepting = vec![false; count];
        for state in 0..self.states() {
            accepting[class[state]] = self.accepting[state];
            let own = self.edges[state].iter().map(|&(letter, to)| (letter, class[to]));
            edges[class[state]].get_or_insert_with(|| own.collect::<Vec<_>>());
        }
        let edges = edges.into_iter().map(Option::unwrap_or_default).collect();
        Dfa { letters: self.letters, edges, accepting }.in_order()
    }

    /// Removes the edges to states from which no word can end.
    fn prune(&mut self) {
        let mut live = self.accepting.clone();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states()];
        for (state, edges) in self.edges.iter().enumerate() {
            edges.iter().for_each(|&(_, to)| before[to].push(state));
        }
        let mut open: Vec<usize> = (0..self.states()).filter(|&state| live[state]).collect();
        while let Some(state) = open.pop() {
            for &other in &before[state] {
                if !std::mem::replace(&mut live[other], true) {
                    open.push(other);
                }
            }
        }
        for edges in &mut self.edges {
            edges.retain(|&(_, to)| live[to]);
        }
    }

    /// Numbers states in the order in which a walk reaches them, and letters in the order of the
    /// text.
    fn in_order(self) -> Dfa {
        let mut number = vec![usize::MAX; self.states()];
        let mut order = vec![0];
        number[0] = 0;
        let mut at = 0;
        while at < order.len() {
            for &(_, to) in &self.edges[order[at]] {
                if number[to] == usize::MAX {
                    number[to] = order.len();
                    order.push(to);
                }
            }
            at += 1;
        }
        let edges = |&state: &usize| -> Vec<(usize, usize)> {
            self.edges[state].iter().map(|&(letter, to)| (letter, number[to])).collect()
        };
        Dfa {
            edges: order.iter().map(edges).collect(),
            accepting: order.iter().map(|&state| self.accepting[state]).collect(),
            letters: self.letters,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::abg::game::{Condition, Effect, Letter};
    use crate::abg::limits::Limits;
    use crate::abg::regular::{Dfa, Nfa, Regular};
    use gdlr_text::diagnostic::Span;
    use std::rc::Rc;

    fn letters(count: i64) -> Vec<Letter> {
        let letter = |dx| Letter {
            dx,
            dy: 0,
            test: Condition::Constant(true),
            effect: Rc::new(Effect::default()),
            span: Span::default(),
        };
        (1..=count).map(letter).collect()
    }

    #[test]
    fn a_ray_has_three_states() {
        let [step, take] = [0, 1].map(Regular::Letter);
        let star = Regular::Star(Box::new(step.clone()));
        let last = Regular::Alternatives(vec![step, take]);
        let nfa = Nfa::new(&Regular::Sequence(vec![star, last]));
        let dfa = Dfa::new(&nfa, letters(2), &Limits::default()).unwrap();
        assert_eq!(dfa.edges, [vec![(0, 1), (1, 2)], vec![(0, 1), (1, 2)], vec![]]);
        assert_eq!(dfa.accepting, [false, true, true]);
    }

    #[test]
    fn common_ends_become_one() {
        let [a, b, c] = [0, 1, 2].map(Regular::Letter);
        let words = [a, b].map(|first| Regular::Sequence(vec![first, c.clone()]));
        let nfa = Nfa::new(&Regular::Alternatives(words.into()));
        let dfa = Dfa::new(&nfa, letters(3), &Limits::default()).unwrap();
        assert_eq!(dfa.edges, [vec![(0, 1), (1, 1)], vec![(2, 2)], vec![]]);
    }

    #[test]
    fn an_automaton_that_explodes_is_none() {
        // The letter `a`, 40 letters before the end: 2^40 states.
        let any = Regular::Alternatives(vec![Regular::Letter(0), Regular::Letter(1)]);
        let mut parts = vec![Regular::Star(Box::new(any.clone())), Regular::Letter(0)];
        parts.extend(std::iter::repeat_n(any, 40));
        let nfa = Nfa::new(&Regular::Sequence(parts));
        assert_eq!(Dfa::new(&nfa, letters(2), &Limits::default()), None);
    }

    #[test]
    fn a_loop_that_never_ends_is_left_out() {
        let a = Regular::Letter(0);
        let never = Regular::Alternatives(Vec::new());
        let stuck = Regular::Sequence(vec![Regular::Star(Box::new(a.clone())), never]);
        let nfa = Nfa::new(&Regular::Alternatives(vec![a, stuck]));
        let dfa = Dfa::new(&nfa, letters(1), &Limits::default()).unwrap();
        assert_eq!(dfa.edges, [vec![(0, 1)], vec![]]);
    }
}
