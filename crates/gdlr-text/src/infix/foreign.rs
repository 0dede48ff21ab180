//! Where the text goes on in another language: signs that are no tokens of infix notation, and
//! what the reader makes of them.
//!
//! The reader takes each for what it means there, so that it finds the next ones, too; the text is
//! refused at its end.

use super::reader::Reader;
use super::scanner::Token;
use super::stack::Frame;
use super::token::{Quotes, Signs, TokenContext, TokenKind};
use crate::diagnostic::Span;
use crate::dialect::{Sign, SignInText, conditions, word};
use crate::syntax::line_end;
use hashbrown::HashSet;

/// Signs of other languages by what they are written with; a longer one before its beginning.
const SIGNS: [(&str, Sign); 24] = [
    ("=:=", Sign::Equal),
    ("=\\=", Sign::NotUnifiable),
    ("\\==", Sign::NotUnifiable),
    ("\\=", Sign::NotUnifiable),
    ("\\+", Sign::NotProvable),
    ("==>", Sign::Effects),
    ("=>", Sign::Arrow),
    ("==", Sign::Equal),
    ("=<", Sign::Order),
    (">=", Sign::Order),
    ("!=", Sign::NotEqual),
    ("≠", Sign::NotEqual),
    ("≤", Sign::Order),
    ("≥", Sign::Order),
    ("::", Sign::Operation),
    (":=", Sign::Arrow),
    ("=", Sign::Equal),
    ("&&", Sign::And),
    ("∧", Sign::And),
    ("||", Sign::Or),
    ("∨", Sign::Or),
    ("¬", Sign::Negation),
    ("←", Sign::Arrow),
    ("→", Sign::Arrow),
];

/// The sign of another language that a text begins with, and its length. Within arguments most
/// are characters of a name.
pub(super) fn sign(rest: &str, place: TokenContext) -> Option<(Sign, usize)> {
    let bracket = |close: char| rest.find([close, '\n']).map_or(rest.len(), |end| end + 1);
    if rest.starts_with("..") {
        return Some((Sign::Range, 2));
    }
    if rest.starts_with('[') {
        return Some((Sign::List, bracket(']')));
    }
    if place.in_arguments {
        return None;
    }
    if rest.starts_with('{') {
        return Some((Sign::Choice, bracket('}')));
    }
    if rest.starts_with("<=") && place.behind && place.in_body {
        return Some((Sign::Order, 2));
    }
    if let Some(behind) = rest.strip_prefix('!')
        && !behind.starts_with('=')
    {
        let negates = behind.starts_with(|c: char| c.is_alphabetic() || c == '(');
        return Some((if negates { Sign::Negation } else { Sign::Cut }, 1));
    }
    let (written, sign) = SIGNS.iter().find(|(written, _)| rest.starts_with(written))?;
    Some((*sign, written.len()))
}

/// Where a word ends before a sign of another language.
pub(super) fn ends_word(rest: &str, at: usize, place: TokenContext) -> bool {
    let rest = &rest[at..];
    if rest.starts_with(['[', ']']) {
        return true;
    }
    let signs =
        ["=", "\\", "::", ">=", "<=", "!=", "{", "}", "∧", "∨", "¬", "≠", "≤", "≥", "←", "→"];
    !place.in_arguments && signs.iter().any(|sign| rest.starts_with(sign))
}

/// A comment of another language that a text begins with: its sign, the length of its mark, and its
/// own length.
pub(super) fn comment(
    rest: &str,
    begins_line: bool,
    place: TokenContext,
) -> Option<(Sign, usize, usize)> {
    // Most tokens are none; what is behind them is not looked at.
    let line = || line_end(rest, 0);
    let block =
        |close| rest[2..].split_once(close).map_or(rest.len(), |(inside, _)| inside.len() + 4);
    if rest.starts_with("/*") {
        return Some((Sign::Stars, 2, block("*/")));
    }
    if rest.starts_with("#|") {
        return Some((Sign::Bars, 2, block("|#")));
    }
    if rest.starts_with("//") {
        return Some((Sign::Slashes, 2, line()));
    }
    if rest.starts_with('#') && (begins_line || !place.in_arguments) {
        let directives = ["#const", "#show", "#include", "#program", "#maximize", "#minimize"];
        let directive = directives.iter().find(|word| rest.starts_with(**word));
        return Some(match directive {
            Some(word) => (Sign::Directive, word.len(), line()),
            None => (Sign::Hash, 1, line()),
        });
    }
    if !begins_line || place.in_arguments {
        return None;
    }
    if rest.starts_with("```") {
        return Some((Sign::Fence, 3, line()));
    }
    let behind = rest.strip_prefix("--")?.strip_prefix([' ', '\t'])?;
    let told = behind.trim_start().starts_with(char::is_alphabetic);
    told.then_some((Sign::Dashes, 2, line()))
}

/// Whether a `;` at an offset is the "or" of Prolog: conditions stand behind it, of a rule or
/// group that is not complete without them.
pub(super) fn is_or(
    text: &str,
    at: usize,
    line: Option<usize>,
    place: TokenContext,
    mut is_relation: impl FnMut(&str) -> bool,
) -> bool {
    if !place.behind || place.in_arguments {
        return false;
    }
    let end = line_end(text, at);
    let behind = text[at + 1..end].trim();
    let deeper = line.is_none_or(|line| at - line > place.indent);
    if behind.is_empty() {
        // The rest is on the next line.
        let next = text[end..]
            .lines()
            .find(|line| !line.trim().is_empty() && !line.trim().starts_with('%'));
        let goes_on = next.is_some_and(|next| {
            let inner = next.trim_start();
            let deeper = place.in_group || next.len() - inner.len() > place.indent;
            deeper && !inner.starts_with(['&', '|', ')', ';'])
        });
        return goes_on && place.in_group || place.in_body && deeper && goes_on;
    }
    let Some(tail) = conditions(behind) else { return false };
    if !tail.relation.is_none_or(&mut is_relation) {
        return false;
    }
    place.in_group || if place.in_body { deeper || tail.ends } else { tail.ends }
}

/// The names that lines begin with, or what is behind a period: those of facts and rules.
pub(super) fn statements(text: &str) -> HashSet<&str> {
    let words = text.lines().flat_map(|line| {
        let statements = line.split(['%', ';']).next().unwrap_or_default().split(". ");
        statements.filter_map(|statement| {
            let statement = statement.trim_start();
            let (word, behind) = statement.split_at(word(statement).len());
            let is_joined = behind.trim_start().starts_with(['&', '|']);
            (!word.is_empty() && !is_joined).then_some(word)
        })
    });
    let keywords = ["true", "does", "role", "legal", "goal", "terminal", "distinct"];
    words.chain(keywords).collect()
}

impl Reader<'_> {
    /// Where the next token stands.
    pub(super) fn place(&self) -> TokenContext {
        let within = self.open.iter().rev().find(|frame| frame.bracket().is_some());
        TokenContext {
            in_arguments: matches!(within, Some(Frame::Arguments { .. })),
            in_group: matches!(within, Some(Frame::Group { .. })),
            in_body: self.rule.implied.is_some(),
            behind: !self.wants_operand && self.is_in_rule(),
            indent: self.rule.indent,
        }
    }

    /// Notes a sign. What else is wrong with its rule is not said.
    pub(super) fn note(&mut self, sign: Sign, span: Span, instead: Option<String>) {
        self.found.push(SignInText { sign, span, instead });
        self.rule.is_foreign = true;
    }

    /// Takes a sign of another language where a term or condition must begin.
    pub(super) fn foreign_operand(&mut self, sign: Sign, span: Span) {
        self.note(sign, span, None);
        match sign {
            Sign::NotProvable | Sign::Negation => self.sign = span,
            Sign::List | Sign::Choice | Sign::Cut => self.name_of(span),
            _ => self.give_up(),
        }
    }

    /// Takes a sign of another language behind a term or condition.
    pub(super) fn foreign_behind(&mut self, sign: Sign, span: Span) {
        if self.signs() == Signs::Prolog && self.compares(sign, span) {
            return;
        }
        let instead = (sign == Sign::NotUnifiable || sign == Sign::NotEqual)
            .then(|| self.distinct(span))
            .flatten();
        self.note(sign, span, instead);
        match sign {
            Sign::List | Sign::Choice | Sign::Cut => {}
            Sign::Operation | Sign::Effects | Sign::Arrow
                if self.open.is_empty() && self.rule.implied.is_none() =>
            {
                self.imply(span);
            }
            _ => self.goes_on(span),
        }
    }

    /// `distinct` of what stands on both sides of a sign.
    fn distinct(&self, sign: Span) -> Option<String> {
        let left = match self.open.last() {
            Some(Frame::Group { chain, .. }) => chain.last(),
            _ => self.rule.body.last(),
        };
        let left = self.text(left?.span);
        let right = self.scanner.operand(sign.end as usize)?;
        (left.len() < 40).then(|| format!("write `distinct({left},{right})`"))
    }

    /// Takes a name behind a condition for what it is in another language, if it is something
    /// there; says whether it is.
    pub(super) fn foreign_name(&mut self, quotes: Quotes, token: &Token) -> bool {
        if self.begins_line(token) {
            return false;
        }
        let name = self.scanner.name(token.span, quotes);
        let sign = match (&*name, self.open.last()) {
            ("+" | "-" | "*" | "/" | "mod" | "div", Some(Frame::Arguments { .. })) => {
                Some(Sign::Arithmetic)
            }
            (_, Some(Frame::Arguments { .. })) => {
                self.note(Sign::Blank, token.span, None);
                self.goes_on(token.span);
                self.name(quotes, token.span, token.indent);
                return true;
            }
            ("<-" | "if", None) if self.rule.implied.is_none() => Some(Sign::Arrow),
            (_, None) if self.rule.implied.is_none() => None,
            ("and", _) => Some(Sign::And),
            ("or", _) => Some(Sign::Or),
            ("is" | "+" | "-" | "mod" | "div", _) => Some(Sign::Arithmetic),
            ("<" | ">" | "<>", _) => Some(Sign::Order),
            ("->", _) => Some(Sign::IfThen),
            _ => None,
        };
        if let Some(sign) = sign {
            self.foreign_behind(sign, token.span);
            return true;
        }
        let last = match self.open.last() {
            Some(Frame::Group { chain, .. }) => chain.last(),
            _ => self.rule.body.last(),
        };
        let Some(not) = last.filter(|last| last.atom() == Some("not")).map(|last| last.span) else {
            return false;
        };
        let instead = self
            .scanner
            .operand(token.span.start as usize)
            .map(|operand| format!("write `~{operand}` or `not({operand})`"));
        let span = Span { start: not.start, end: token.span.end };
        self.note(Sign::BareNot, span, instead);
        self.goes_on(token.span);
        self.name(quotes, token.span, token.indent);
        true
    }

    /// Takes a token behind a condition that is one of the same rule, with nothing between them;
    /// says whether it is.
    pub(super) fn joined_by_nothing(&mut self, token: &Token) -> bool {
        let in_body = self.open.is_empty() && self.rule.implied.is_some();
        if self.signs() == Signs::Prolog || !in_body || self.begins_line(token) {
            return false;
        }
        match token.kind {
            TokenKind::Not => self.enter(Frame::Not { sign: token.span }),
            TokenKind::Open => {
                self.enter(Frame::Group { bracket: token.span, chain: Default::default() });
            }
            _ => return false,
        }
        self.note(Sign::Unjoined, token.span, None);
        self.goes_on(token.span);
        true
    }
}
