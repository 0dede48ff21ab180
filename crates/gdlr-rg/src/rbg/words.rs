//! Tokens with their texts: from the source, or made by macros.

use super::token::TokenKind;
use gdlr_text::diagnostic::{Diagnostic, Span};
use hashbrown::HashMap;

/// The text of a token, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Word(u32);

/// The texts of tokens.
#[derive(Debug, Default)]
pub(super) struct Words {
    numbers: HashMap<Box<str>, Word>,
    texts: Vec<Box<str>>,
}

impl Words {
    /// The number of a text.
    pub fn intern(&mut self, text: &str) -> Word {
        if let Some(word) = self.numbers.get(text) {
            return *word;
        }
        // A text has at most 16 MiB, and so at most as many different words.
        let word = Word(self.texts.len() as u32);
        self.numbers.insert(text.into(), word);
        self.texts.push(text.into());
        word
    }

    /// The text of a number.
    pub fn text(&self, word: Word) -> &str {
        &self.texts[word.0 as usize]
    }
}

/// A token that was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    /// Its kind.
    pub kind: TokenKind,
    /// Its text.
    pub word: Word,
    /// Its place in the source.
    pub span: Span,
    /// The use of the macro in whose body it is written.
    pub frame: Frame,
}

/// A use of a macro, by number; zero for tokens of a section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Frame(u32);

/// The greatest number of uses of macros that a message names.
const CHAIN: usize = 8;

/// The uses of macros.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// By number, from one on: the macro, the place of its use, and the outer use.
    uses: Vec<(Word, Span, Frame)>,
}

impl Frames {
    /// Records a use of a macro, at a place in an outer use.
    pub fn enter(&mut self, name: Word, span: Span, within: Frame) -> Frame {
        self.uses.push((name, span, within));
        Frame(self.uses.len() as u32)
    }

    /// Adds the chain of uses to a message.
    pub fn explain(&self, words: &Words, mut frame: Frame, mut said: Diagnostic) -> Diagnostic {
        for _ in 0..CHAIN {
            let Some(at) = (frame.0 as usize).checked_sub(1) else { break };
            let (name, span, within) = self.uses[at];
            let label = format!("in the expansion of `{}`", words.text(name));
            said = said.with_related(span, label);
            frame = within;
        }
        said
    }
}
