//! Macros: expands the tokens of sections (RBG, technical specification: macro system).
//!
//! A macro is known only in sections and macros after it in the text, so it cannot use itself. The
//! arguments of a use are expanded where they are written, then they replace the parameters. `~`
//! joins two tokens of an expanded body into one.

use super::directives::{Directive, Head};
use super::limits::Limits;
use super::token::{Token, TokenKind, Tokens};
use super::words::{Frame, Frames, Lexeme, Word, Words};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::HashMap;

/// The expansion cannot go on; the reason was reported.
pub(super) struct GaveUp;

type Expanded<T> = Result<T, GaveUp>;

/// The arguments of a use, by parameter.
type Arguments = HashMap<Word, Vec<Lexeme>>;

struct Macro {
    parameters: Vec<Word>,
    body: Vec<Lexeme>,
    span: Span,
    used: bool,
}

/// The macros up to a place of a text.
pub(super) struct Macros<'a> {
    pub words: &'a mut Words,
    pub frames: &'a mut Frames,
    limits: Limits,
    /// The macros by name and number of parameters, each with its index in the text.
    macros: HashMap<(Word, usize), (usize, Macro)>,
    /// By name: whether it has parameters.
    names: HashMap<Word, bool>,
    /// The number of known macros, in the order of the text.
    visible: usize,
    made: usize,
    depth: usize,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

impl<'a> Macros<'a> {
    pub fn new(words: &'a mut Words, frames: &'a mut Frames, limits: Limits) -> Macros<'a> {
        Macros {
            words,
            frames,
            limits,
            macros: HashMap::new(),
            names: HashMap::new(),
            visible: 0,
            made: 0,
            depth: 0,
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Adds a macro.
    pub fn define(&mut self, directive: &Directive) {
        let Head::Macro { name, parameters } = &directive.head else { return };
        let text = self.words.text(*name).to_owned();
        let span = directive.span;
        if let Some(other) = self.macros.get(&(*name, parameters.len())) {
            let message = format!("the macro `{text}` is defined again; the first one counts");
            let first = other.1.span;
            let warning = Diagnostic::new(Code::RbgRepeated, span, message);
            self.warnings.push(warning.with_related(first, "the first one"));
            return;
        }
        if self.names.get(name).is_some_and(|with| *with == parameters.is_empty()) {
            let message = format!("`{text}` is a macro with parameters and one without");
            let error = Diagnostic::new(Code::RbgMacro, span, message);
            self.errors.push(error.with_help("give one of them another name"));
            return;
        }
        let of_body = |lexeme: &&Lexeme| lexeme.kind == TokenKind::Tilde;
        let (first, last) = (directive.body.first(), directive.body.last());
        if let Some(tilde) = first.filter(of_body).or(last.filter(of_body)) {
            let message = "`~` joins the tokens on both sides, and one is missing";
            self.errors.push(Diagnostic::new(Code::RbgPaste, tilde.span, message));
            return;
        }
        self.visible += 1;
        self.names.insert(*name, !parameters.is_empty());
        let (parameters, body) = (parameters.clone(), directive.body.clone());
        let definition = Macro { parameters, body, span, used: false };
        self.macros.insert((*name, definition.parameters.len()), (self.visible, definition));
    }

    /// The expanded tokens of a section.
    pub fn expand_section(&mut self, body: &[Lexeme]) -> Expanded<Vec<Lexeme>> {
        if let Some(tilde) = body.iter().find(|lexeme| lexeme.kind == TokenKind::Tilde) {
            let message = "`~` joins tokens in macros only";
            self.errors.push(Diagnostic::new(Code::RbgPaste, tilde.span, message));
            return Err(GaveUp);
        }
        let mut out = Vec::new();
        self.expand(body, self.visible, &Arguments::new(), Frame::default(), &mut out)?;
        Ok(out)
    }

    /// Warns of macros without a use.
    pub fn warn_unused(&mut self) {
        let mut unused: Vec<_> = self.macros.iter().filter(|(_, (_, it))| !it.used).collect();
        unused.sort_by_key(|(_, (number, _))| *number);
        for (&(name, _), (_, it)) in unused {
            let message = format!("nothing uses the macro `{}`", self.words.text(name));
            self.warnings.push(Diagnostic::new(Code::RbgUnused, it.span, message));
        }
    }

    fn fail<T>(&mut self, code: Code, at: &Lexeme, frame: Frame, message: String) -> Expanded<T> {
        let error = Diagnostic::new(code, at.span, message);
        let error = self.frames.explain(self.words, frame, error);
        self.errors.push(error);
        Err(GaveUp)
    }

    /// Expands tokens of one text, in which the first `visible` macros are known.
    fn expand(
        &mut self,
        tokens: &[Lexeme],
        visible: usize,
        arguments: &Arguments,
        frame: Frame,
        out: &mut Vec<Lexeme>,
    ) -> Expanded<()> {
        let mut rest = tokens;
        // The beginning, in `out`, of the operand that was expanded last.
        let mut operand = out.len();
        while let Some((first, behind)) = rest.split_first() {
            rest = behind;
            let mut at = *first;
            let pastes = at.kind == TokenKind::Tilde;
            if pastes {
                let Some((second, behind)) = rest.split_first() else { return Ok(()) };
                at = *second;
                rest = behind;
            }
            let begin = out.len();
            if at.kind == TokenKind::Tilde {
                return self.fail(Code::RbgPaste, &at, frame, "`~` follows on `~`".to_owned());
            }
            self.operand(at, &mut rest, visible, arguments, frame, out)?;
            if pastes && operand < begin && begin < out.len() {
                let right = out.remove(begin);
                let left = out[begin - 1];
                out[begin - 1] = self.paste(left, right, frame)?;
                operand = begin - 1;
            } else if !pastes || begin < out.len() {
                operand = begin;
            }
        }
        Ok(())
    }

    /// Expands an operand, which begins with the given token.
    fn operand(
        &mut self,
        at: Lexeme,
        rest: &mut &[Lexeme],
        visible: usize,
        arguments: &Arguments,
        frame: Frame,
        out: &mut Vec<Lexeme>,
    ) -> Expanded<()> {
        if at.kind == TokenKind::Word {
            if let Some(argument) = arguments.get(&at.word) {
                self.count(argument.len(), &at, frame)?;
                out.extend_from_slice(argument);
                return Ok(());
            }
            if let Some(&(number, _)) = self.macros.get(&(at.word, 0))
                && number <= visible
            {
                return self.use_macro(at, Vec::new(), number, frame, out);
            }
            let parameters = |macros: &Macros<'_>| {
                macros
                    .macros
                    .iter()
                    .any(|(key, (number, _))| key.0 == at.word && *number <= visible)
            };
            if self.names.get(&at.word) == Some(&true) && parameters(self) {
                if rest.first().map(|next| next.kind) == Some(TokenKind::Open) {
                    let expanded = self.arguments(&at, rest, visible, arguments, frame)?;
                    let count = expanded.len();
                    let candidate = self.macros.get(&(at.word, count));
                    let Some(&(number, _)) = candidate.filter(|(number, _)| *number <= visible)
                    else {
                        let text = self.words.text(at.word);
                        let message = format!("no macro `{text}` has {count} parameters");
                        return self.fail(Code::RbgMacro, &at, frame, message);
                    };
                    return self.use_macro(at, expanded, number, frame, out);
                }
                let message =
                    format!("the macro `{}` is used without arguments", self.words.text(at.word));
                return self.fail(Code::RbgMacro, &at, frame, message);
            }
        }
        self.count(1, &at, frame)?;
        out.push(Lexeme { frame, ..at });
        Ok(())
    }

    fn use_macro(
        &mut self,
        at: Lexeme,
        expanded: Vec<Vec<Lexeme>>,
        number: usize,
        frame: Frame,
        out: &mut Vec<Lexeme>,
    ) -> Expanded<()> {
        self.deeper(&at, frame)?;
        self.count(1, &at, frame)?;
        let Some((_, it)) = self.macros.get_mut(&(at.word, expanded.len())) else { return Ok(()) };
        it.used = true;
        let body = it.body.clone();
        let work = body.len();
        let arguments: Arguments = it.parameters.iter().copied().zip(expanded).collect();
        self.count(work, &at, frame)?;
        let within = self.frames.enter(at.word, at.span, frame);
        self.expand(&body, number - 1, &arguments, within, out)?;
        self.depth -= 1;
        Ok(())
    }

    /// Reads the arguments in brackets, and expands them.
    fn arguments(
        &mut self,
        at: &Lexeme,
        rest: &mut &[Lexeme],
        visible: usize,
        arguments: &Arguments,
        frame: Frame,
    ) -> Expanded<Vec<Vec<Lexeme>>> {
        self.deeper(at, frame)?;
        let tokens = *rest;
        let (mut depth, mut begin, mut end) = (0usize, 1, None);
        let mut expanded = Vec::new();
        for (place, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth -= 1,
                TokenKind::Semicolon => {}
                _ => continue,
            }
            let closes = token.kind == TokenKind::Close && depth == 0;
            if closes || token.kind == TokenKind::Semicolon && depth == 1 {
                let mut argument = Vec::new();
                self.expand(&tokens[begin..place], visible, arguments, frame, &mut argument)?;
                expanded.push(argument);
                begin = place + 1;
            }
            if closes {
                end = Some(place);
                break;
            }
        }
        let Some(end) = end else {
            let message =
                format!("the arguments of the macro `{}` do not end", self.words.text(at.word));
            return self.fail(Code::RbgMacro, at, frame, message);
        };
        *rest = &tokens[end + 1..];
        self.depth -= 1;
        Ok(expanded)
    }

    fn deeper(&mut self, at: &Lexeme, frame: Frame) -> Expanded<()> {
        if self.depth == self.limits.depth {
            let message = format!("macros are nested more than {} deep", self.limits.depth);
            return self.fail(Code::RbgTooDeep, at, frame, message);
        }
        self.depth += 1;
        Ok(())
    }

    fn count(&mut self, more: usize, at: &Lexeme, frame: Frame) -> Expanded<()> {
        self.made += more;
        if self.made > self.limits.tokens {
            let most = self.limits.tokens;
            let message = format!("the macros grow beyond {most} tokens");
            return self.fail(Code::RbgGrowth, at, frame, message);
        }
        Ok(())
    }

    /// The token that two tokens join to.
    fn paste(&mut self, left: Lexeme, right: Lexeme, frame: Frame) -> Expanded<Lexeme> {
        let text = format!("{}{}", self.words.text(left.word), self.words.text(right.word));
        let mut tokens = Tokens::new(&text);
        let token: Token = tokens.next();
        let whole = token.end == text.len() && token.kind != TokenKind::Stray;
        if !whole || token.kind == TokenKind::Comment {
            let [left_text, right_text] = [left, right].map(|it| self.words.text(it.word));
            let message = format!("`{left_text}` and `{right_text}` do not make one token");
            return self.fail(Code::RbgPaste, &right, frame, message);
        }
        // A word that grows by pasting counts against the limit with its length.
        self.count(text.len() / 8, &right, frame)?;
        let word = self.words.intern(&text);
        Ok(Lexeme { kind: token.kind, word, span: left.span, frame: left.frame })
    }
}
