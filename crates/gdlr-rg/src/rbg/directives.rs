//! Splits a text into sections and macros, as tokens.

use super::token::{Rbg, Token, TokenKind, Tokens};
use super::words::{Frame, Lexeme, Word, Words};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::syntax::{Language, Messages, quoted};

/// A section of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    /// `#players = …`
    Players,
    /// `#pieces = …`
    Pieces,
    /// `#variables = …`
    Variables,
    /// `#board = …`
    Board,
    /// `#rules = …`
    Rules,
}

impl Section {
    /// All sections.
    pub const ALL: [Section; 5] =
        [Section::Players, Section::Pieces, Section::Variables, Section::Board, Section::Rules];

    /// The name of the section.
    pub fn text(self) -> &'static str {
        match self {
            Section::Players => "players",
            Section::Pieces => "pieces",
            Section::Variables => "variables",
            Section::Board => "board",
            Section::Rules => "rules",
        }
    }
}

/// Whether a word is a keyword, which cannot be a name.
pub(super) fn is_keyword(text: &str) -> bool {
    matches!(text, "hexagon" | "cuboid" | "rectangle")
        || Section::ALL.iter().any(|section| section.text() == text)
}

/// The head of a directive, after the `#`.
#[derive(Clone, Debug)]
pub(super) enum Head {
    /// A section.
    Section(Section),
    /// A macro, with its parameters.
    Macro {
        /// Its name.
        name: Word,
        /// Its parameters.
        parameters: Vec<Word>,
    },
}

/// A section or macro.
#[derive(Clone, Debug)]
pub(super) struct Directive {
    /// The head.
    pub head: Head,
    /// The span of the head.
    pub span: Span,
    /// The tokens after the `=`.
    pub body: Vec<Lexeme>,
}

/// Splits a text into directives.
pub(super) fn directives(
    text: &str,
    words: &mut Words,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Directive> {
    let mut reader = Reader { tokens: Tokens::new(text), words, errors, next: None };
    let mut all = Vec::new();
    let first = reader.peek();
    if !matches!(first.kind, TokenKind::Hash | TokenKind::End) {
        reader.unexpected(first, "`#`, which begins a section or macro");
        reader.skip();
    }
    while reader.peek().kind == TokenKind::Hash {
        match reader.directive() {
            Some(directive) => all.push(directive),
            None => reader.skip(),
        }
    }
    all
}

struct Reader<'a, 'b> {
    tokens: Tokens<'a>,
    words: &'b mut Words,
    errors: &'b mut Vec<Diagnostic>,
    next: Option<Token>,
}

impl Reader<'_, '_> {
    fn peek(&mut self) -> Token {
        *self.next.get_or_insert_with(|| self.tokens.next_but_comments())
    }

    fn take(&mut self) -> Token {
        let token = self.peek();
        self.next = None;
        token
    }

    /// Skips to the next `#`.
    fn skip(&mut self) {
        while !matches!(self.peek().kind, TokenKind::Hash | TokenKind::End) {
            self.take();
        }
    }

    fn unexpected(&mut self, token: Token, expected: &str) {
        let (text, span) = (self.tokens.text_of(token), token.span());
        self.report(match token.kind {
            TokenKind::End => {
                let message = format!("expected {expected}, but the text ends");
                Diagnostic::new(Code::RbgSyntax, span, message)
            }
            TokenKind::Stray => stray(text, span),
            _ => {
                let message = format!("expected {expected}, found {}", quoted(text));
                Diagnostic::new(Code::RbgSyntax, span, message)
            }
        });
    }

    fn report(&mut self, error: Diagnostic) {
        if self.errors.len() < Rbg::LIMITS.max_errors {
            self.errors.push(error);
        }
    }

    /// Reads a name, which is no keyword.
    fn name(&mut self, what: &str) -> Option<Word> {
        let token = self.peek();
        let text = self.tokens.text_of(token);
        if token.kind != TokenKind::Word || is_keyword(text) {
            self.unexpected(token, what);
            return None;
        }
        self.take();
        Some(self.words.intern(text))
    }

    fn directive(&mut self) -> Option<Directive> {
        let start = self.take().start;
        let token = self.peek();
        let text = self.tokens.text_of(token);
        let section = Section::ALL.into_iter().find(|section| section.text() == text);
        let head = match section {
            Some(section) => {
                self.take();
                Head::Section(section)
            }
            None => {
                let name = self.name("the name of a section or macro")?;
                Head::Macro { name, parameters: self.parameters()? }
            }
        };
        let token = self.peek();
        if token.kind != TokenKind::Assign {
            self.unexpected(token, "`=`");
            return None;
        }
        self.take();
        let span = Span::new(start, token.start);
        Some(Directive { head, span, body: self.body() })
    }

    fn parameters(&mut self) -> Option<Vec<Word>> {
        let mut parameters = Vec::new();
        if self.peek().kind != TokenKind::Open {
            return Some(parameters);
        }
        loop {
            self.take();
            let span = self.peek().span();
            let name = self.name("the name of a parameter")?;
            if parameters.contains(&name) {
                let message = format!("two parameters are called `{}`", self.words.text(name));
                self.report(Diagnostic::new(Code::RbgMacro, span, message));
                return None;
            }
            parameters.push(name);
            match self.peek() {
                Token { kind: TokenKind::Semicolon, .. } => {}
                Token { kind: TokenKind::Close, .. } => break,
                other => {
                    self.unexpected(other, "`;` or `)`");
                    return None;
                }
            }
        }
        self.take();
        Some(parameters)
    }

    fn body(&mut self) -> Vec<Lexeme> {
        let mut body = Vec::new();
        while !matches!(self.peek().kind, TokenKind::Hash | TokenKind::End) {
            let token = self.take();
            let text = self.tokens.text_of(token);
            if token.kind == TokenKind::Stray {
                self.report(stray(text, token.span()));
                continue;
            }
            let word = self.words.intern(text);
            let (kind, span) = (token.kind, token.span());
            body.push(Lexeme { kind, word, span, frame: Frame::default() });
        }
        body
    }
}

fn stray(text: &str, span: Span) -> Diagnostic {
    let message = match text {
        "/*" => "the comment that begins here does not end".to_owned(),
        _ => format!("the character {} means nothing here", quoted(text)),
    };
    Diagnostic::new(Code::RbgCharacter, span, message).with_help(Rbg::about_character(text))
}
