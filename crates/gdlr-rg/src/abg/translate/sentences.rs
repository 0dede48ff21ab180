//! Sentences in conditions: the automaton of the sentence, without effects.

use super::{Emitter, Translated};
use crate::abg::game::{Condition, SentenceId};
use crate::rg::{Label, Name};
use std::rc::Rc;

impl Emitter<'_> {
    /// The node of a state of a sentence.
    pub(super) fn sentence(&mut self, id: SentenceId, state: usize) -> Name {
        if let Some(name) = self.sentence_nodes.get(&(id, state)) {
            return *name;
        }
        let name = self.naming.node("asks");
        self.sentence_nodes.insert((id, state), name);
        self.open_sentences.push((id, state));
        name
    }

    pub(super) fn emit_sentence(&mut self, id: SentenceId, state: usize) -> Translated<()> {
        let dfa = self.game.sentences[id.0].clone();
        let from = self.sentence(id, state);
        if dfa.accepting[state] {
            return self.edge(from, self.found, Label::Skip);
        }
        for &(letter, to) in &dfa.edges[state] {
            let letter = &dfa.letters[letter];
            self.at = letter.span;
            let mut at = from;
            if letter.steps() {
                at = self.go((letter.dx, letter.dy), &letter.test, at)?;
            }
            let to = match dfa.accepting[to] {
                true => self.found,
                false => self.sentence(id, to),
            };
            self.ask(&letter.test, true, at, to)?;
        }
        Ok(())
    }

    /// The node of a check of a sentence from all squares for which a condition holds.
    pub(super) fn any(
        &mut self,
        place: &Rc<Condition>,
        sentence: Option<SentenceId>,
    ) -> Translated<Name> {
        let key = (place.clone(), sentence);
        if let Some(node) = self.any_nodes.get(&key) {
            return Ok(*node);
        }
        let node = self.naming.node("any");
        self.any_nodes.insert(key, node);
        let at = self.on(node, "any", self.any_square())?;
        let to = match sentence {
            Some(sentence) => self.sentence(sentence, 0),
            None => self.found,
        };
        self.ask(place, true, at, to)?;
        Ok(node)
    }
}
