//! Where in the text one relation depends on another.

use super::placed::PlacedRule;
use crate::gdl::Dependencies;
use gdlr_text::diagnostic::Span;
use hashbrown::HashMap;

/// The places of the edges of the dependency graph.
pub(super) struct Edges {
    /// By head, condition and negation: the first such condition.
    places: HashMap<(u32, u32, bool), Span>,
}

impl Edges {
    pub fn new(rules: &[PlacedRule], graph: &Dependencies) -> Edges {
        let mut places = HashMap::new();
        for PlacedRule { rule, .. } in rules {
            let Some(head) = graph.number(rule.head.relation, rule.head.args.len()) else {
                continue;
            };
            for literal in &rule.body {
                literal.for_each_sentence(&mut |sentence, negated| {
                    if let Some(to) = graph.number(sentence.relation, sentence.args.len()) {
                        places.entry((head, to, negated)).or_insert(sentence.span);
                    }
                });
            }
        }
        Edges { places }
    }

    /// The first condition by which `from` depends on `to`, negated or not.
    pub fn place(&self, from: u32, to: u32, negated: bool) -> Option<Span> {
        self.places.get(&(from, to, negated)).copied()
    }
}
