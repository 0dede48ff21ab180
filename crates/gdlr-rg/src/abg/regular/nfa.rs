//! Thompson's construction: makes a regular expression a nondeterministic automaton.

use super::Regular;

/// A state.
pub(in crate::abg) type Node = u32;

/// A nondeterministic automaton with one accepting state.
#[derive(Debug, Default)]
pub(in crate::abg) struct Nfa {
    /// By state: the letters that leave it.
    pub letters: Vec<Vec<(usize, Node)>>,
    /// By state: the targets of its empty transitions.
    pub empty: Vec<Vec<Node>>,
    pub start: Node,
    pub accepting: Node,
}

impl Nfa {
    /// The automaton of an expression. Linear in its length.
    pub fn new(regular: &Regular) -> Nfa {
        let mut nfa = Nfa::default();
        let (start, accepting) = (nfa.node(), nfa.node());
        (nfa.start, nfa.accepting) = (start, accepting);
        nfa.add(regular, start, accepting);
        nfa
    }

    fn node(&mut self) -> Node {
        self.letters.push(Vec::new());
        self.empty.push(Vec::new());
        (self.letters.len() - 1) as Node
    }

    fn add(&mut self, regular: &Regular, from: Node, to: Node) {
        match regular {
            Regular::Letter(letter) => self.letters[from as usize].push((*letter, to)),
            Regular::Sequence(parts) => {
                let mut at = from;
                for part in parts {
                    let next = self.node();
                    self.add(part, at, next);
                    at = next;
                }
                self.empty[at as usize].push(to);
            }
            Regular::Alternatives(parts) => {
                for part in parts {
                    self.add(part, from, to);
                }
            }
            Regular::Star(inner) | Regular::Plus(inner) | Regular::Option(inner) => {
                let (first, last) = (self.node(), self.node());
                self.empty[from as usize].push(first);
                self.add(inner, first, last);
                self.empty[last as usize].push(to);
                if !matches!(regular, Regular::Option(_)) {
                    self.empty[last as usize].push(first);
                }
                if !matches!(regular, Regular::Plus(_)) {
                    self.empty[from as usize].push(to);
                }
            }
        }
    }

    /// Adds the states that empty transitions reach from some states, and sorts them.
    pub fn close(&self, states: &mut Vec<Node>) {
        let mut seen = vec![false; self.empty.len()];
        states.iter().for_each(|&state| seen[state as usize] = true);
        let mut at = 0;
        while at < states.len() {
            for &next in &self.empty[states[at] as usize] {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    states.push(next);
                }
            }
            at += 1;
        }
        states.sort_unstable();
        states.dedup();
    }
}
