//! Tokens with what they say: from a text, or made by macros.

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

/// A token that has been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    /// What it is.
    pub kind: TokenKind,
    /// What it says.
    pub word: Word,
    /// Where it is written.
    pub span: Span,
    /// The use of a macro in whose body it is written.
    pub frame: Frame,
}

/// A use of a macro, as a number; zero for what stands in a section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Frame(u32);

/// How many uses of macros a message names.
const CHAIN: usize = 8;

/// The uses of macros.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// By number, from one on: which macro, where it is used, and in which use.
    uses: Vec<(Word, Span, Frame)>,
}

impl Frames {
    /// A use of a macro, at a place in another use.
    pub fn enter(&mut self, name: Word, span: Span, within: Frame) -> Frame {
        self.uses.push((name, span, within));
        Frame(self.uses.len() as u32)
    }

    /// Adds the chain of expansions to a message.
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
