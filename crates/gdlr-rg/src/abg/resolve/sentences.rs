//! Sentences as automata: macros are expanded, letters numbered.

use super::{Bindings, Resolved, Resolver};
use crate::abg::ast;
use crate::abg::ast::{Body, Call, Repeat, Sentence};
use crate::abg::game::{Condition, Effect, Letter, SentenceId};
use crate::abg::regular::{Dfa, Nfa, Regular};
use gdlr_text::diagnostic::{Code, Span};
use hashbrown::HashMap;
use std::rc::Rc;

/// The letters of a sentence.
#[derive(Default)]
struct Alphabet {
    letters: Vec<Letter>,
    numbers: HashMap<Letter, usize>,
    /// Whether the effects of letters count.
    moves: bool,
}

impl<'a> Resolver<'a> {
    /// The automaton of a rule.
    pub fn rule(&mut self, sentence: &'a Sentence) -> Resolved<Rc<Dfa>> {
        self.has_square = true;
        let dfa = self.automaton(sentence, Bindings::NONE, true);
        self.has_square = false;
        Ok(Rc::new(dfa?))
    }

    /// The number of a sentence that a condition matches.
    pub fn asked_sentence(
        &mut self,
        sentence: &'a Sentence,
        bindings: Bindings<'_>,
    ) -> Resolved<SentenceId> {
        let before = std::mem::replace(&mut self.has_square, true);
        let dfa = self.automaton(sentence, bindings, false);
        self.has_square = before;
        let dfa = Rc::new(dfa?);
        if let Some(id) = self.sentence_of.get(&dfa) {
            return Ok(*id);
        }
        let id = SentenceId(self.sentences.len());
        self.sentences.push(dfa.clone());
        self.sentence_of.insert(dfa, id);
        Ok(id)
    }

    fn automaton(
        &mut self,
        sentence: &'a Sentence,
        bindings: Bindings<'_>,
        moves: bool,
    ) -> Resolved<Dfa> {
        let mut alphabet = Alphabet { moves, ..Alphabet::default() };
        let regular = self.regular(sentence, bindings, &mut alphabet)?;
        let span = place(sentence);
        if regular.is_nullable() {
            let (message, help) = match moves {
                true => (
                    "the rule accepts the empty word: the piece may pass",
                    "write `+` in place of `*`, or a letter `[0, 0, True]` where a pass is meant",
                ),
                false => (
                    "the sentence accepts the empty word: it always matches",
                    "write `+` in place of `*`",
                ),
            };
            self.warn(Code::AbgEmptyWord, span, message, help);
        }
        match Dfa::new(&Nfa::new(&regular), alphabet.letters, &self.limits) {
            Some(dfa) => Ok(dfa.merged()),
            None => {
                let message = format!(
                    "the automaton of this sentence has more than {} states",
                    self.limits.states
                );
                let help = "repeat fewer letters behind a choice of letters that is repeated";
                self.error(Code::AbgGrowth, span, &message, help)
            }
        }
    }

    fn regular(
        &mut self,
        sentence: &'a Sentence,
        bindings: Bindings<'_>,
        alphabet: &mut Alphabet,
    ) -> Resolved<Regular> {
        self.enter(place(sentence))?;
        let regular = self.regular_within(sentence, bindings, alphabet);
        self.depth -= 1;
        regular
    }

    fn regular_within(
        &mut self,
        sentence: &'a Sentence,
        bindings: Bindings<'_>,
        alphabet: &mut Alphabet,
    ) -> Resolved<Regular> {
        match sentence {
            Sentence::Alternatives(parts) => {
                self.all(parts, bindings, alphabet).map(Regular::Alternatives)
            }
            Sentence::Sequence(parts) => self.all(parts, bindings, alphabet).map(Regular::Sequence),
            Sentence::Repeat(inner, repeat) => {
                let regular = Box::new(self.regular(inner, bindings, alphabet)?);
                Ok(match repeat {
                    Repeat::Option => Regular::Option(regular),
                    _ => {
                        self.warn_idle(&regular, place(sentence), alphabet);
                        match repeat {
                            Repeat::Star => Regular::Star(regular),
                            _ => Regular::Plus(regular),
                        }
                    }
                })
            }
            Sentence::Letter(letter) => self.letter(letter, bindings, alphabet),
            Sentence::Call(call) => self.macro_call(call, bindings, alphabet),
        }
    }

    /// Resolves all parts, so that errors in several are reported.
    fn all(
        &mut self,
        parts: &'a [Sentence],
        bindings: Bindings<'_>,
        alphabet: &mut Alphabet,
    ) -> Resolved<Vec<Regular>> {
        let read: Vec<_> =
            parts.iter().map(|part| self.regular(part, bindings, alphabet)).collect();
        read.into_iter().collect()
    }

    fn macro_call(
        &mut self,
        call: &'a Call,
        bindings: Bindings<'_>,
        alphabet: &mut Alphabet,
    ) -> Resolved<Regular> {
        let Some(definition) = self.scope.definition(&call.name.text) else {
            return self.unknown_name(&call.name, "macro");
        };
        let Body::Sentence(sentence) = &definition.body else {
            let message = format!("`{}` is no macro: it has a value", call.name.text);
            let help = "write it into a letter: `[0, 0, NAME]`";
            return self.error(Code::AbgKind, call.span, &message, help);
        };
        let values = self.begin_call(call, definition, bindings)?;
        let bindings = Bindings { names: &definition.parameters, values: &values };
        let regular = self.regular(sentence, bindings, alphabet);
        self.calls.pop();
        regular
    }

    fn letter(
        &mut self,
        letter: &'a ast::Letter,
        bindings: Bindings<'_>,
        alphabet: &mut Alphabet,
    ) -> Resolved<Regular> {
        let dx = self.value(&letter.dx, bindings);
        let dy = self.value(&letter.dy, bindings);
        let test = self.condition(&letter.test, bindings);
        let effect = match &letter.effect {
            _ if !alphabet.moves => {
                if let Some(call) = &letter.effect {
                    let message = "an effect does nothing in a sentence that is asked";
                    self.warn(Code::AbgIdle, call.span, message, "remove the effect");
                }
                Ok(Effect::default())
            }
            Some(call) => self.effect_call(call, bindings),
            None => self.default_effect(),
        };
        let (dx, dy) =
            (self.as_constant(dx?, letter.dx.span)?, self.as_constant(dy?, letter.dy.span)?);
        let (mut test, effect) = (test?, effect?);
        let (width, height) =
            self.tree.size.map_or((1, 1), |it| (i64::from(it.width), i64::from(it.height)));
        if dx.unsigned_abs() >= width.unsigned_abs() || dy.unsigned_abs() >= height.unsigned_abs() {
            let message = format!("no square of the board is {dx}, {dy} away from another");
            self.warn(Code::AbgNoSuchSquare, letter.span, &message, "write a shorter step");
            test = Condition::Constant(false);
        }
        if test == Condition::Constant(false) {
            return Ok(Regular::Alternatives(Vec::new()));
        }
        let letter = Letter { dx, dy, test, effect: Rc::new(effect), span: letter.span };
        let fresh = alphabet.letters.len();
        let number = *alphabet.numbers.entry(letter.clone()).or_insert(fresh);
        if number == fresh {
            alphabet.letters.push(letter);
        }
        Ok(Regular::Letter(number))
    }

    /// Warns of a repetition without an effect.
    fn warn_idle(&mut self, regular: &Regular, span: Span, alphabet: &Alphabet) {
        if is_idle(regular, alphabet) {
            let message = "this repetition does nothing: its letters stay on their square";
            self.warn(Code::AbgIdle, span, message, "write it once");
        }
    }
}

/// Whether an expression changes neither the square nor the state.
fn is_idle(regular: &Regular, alphabet: &Alphabet) -> bool {
    match regular {
        Regular::Letter(letter) => {
            let letter = &alphabet.letters[*letter];
            !letter.steps() && letter.effect.body.is_empty()
        }
        Regular::Sequence(parts) => parts.iter().all(|part| is_idle(part, alphabet)),
        Regular::Alternatives(parts) => {
            !parts.is_empty() && parts.iter().all(|part| is_idle(part, alphabet))
        }
        Regular::Star(inner) | Regular::Plus(inner) | Regular::Option(inner) => {
            is_idle(inner, alphabet)
        }
    }
}

/// The place of a sentence in the text.
pub(super) fn place(sentence: &Sentence) -> Span {
    let ends = |parts: &[Sentence]| match (parts.first(), parts.last()) {
        (Some(first), Some(last)) => Span { start: first_of(first), end: last_of(last) },
        _ => Span::default(),
    };
    match sentence {
        Sentence::Alternatives(parts) | Sentence::Sequence(parts) => ends(parts),
        Sentence::Repeat(inner, _) => place(inner),
        Sentence::Letter(letter) => letter.span,
        Sentence::Call(call) => call.span,
    }
}

fn first_of(mut sentence: &Sentence) -> u32 {
    loop {
        sentence = match sentence {
            Sentence::Alternatives(parts) | Sentence::Sequence(parts) => match parts.first() {
                Some(first) => first,
                None => return 0,
            },
            Sentence::Repeat(inner, _) => inner,
            Sentence::Letter(letter) => return letter.span.start,
            Sentence::Call(call) => return call.span.start,
        }
    }
}

fn last_of(mut sentence: &Sentence) -> u32 {
    loop {
        sentence = match sentence {
            Sentence::Alternatives(parts) | Sentence::Sequence(parts) => match parts.last() {
                Some(last) => last,
                None => return 0,
            },
            Sentence::Repeat(inner, _) => inner,
            Sentence::Letter(letter) => return letter.span.end,
            Sentence::Call(call) => return call.span.end,
        }
    }
}
