//! From text to a description: one pass, several errors in one run.
//!
//! The grammar (RG, 2.1, with what the tools of its authors read beyond it):
//!
//! ```text
//! file       = { definition | edge | pragma }
//! definition = "type" NAME "=" type ";"
//!            | ("const" | "var") NAME ":" type "=" value ";"
//! type       = { simple "->" } simple
//! simple     = NAME | "{" NAME { "," NAME } "}"
//! value      = NAME | "{" [ entry { "," entry } ] "}"
//! entry      = [ NAME ] ":" value
//! edge       = NAME "," NAME ":" label ";"
//! label      = [ expr "=" expr | expr "=" type "(" "*" ")" | expr ("==" | "!=") expr
//!              | ("?" | "!") NAME "->" NAME | "$" NAME | "$$" NAME ]
//! expr       = NAME [ "(" expr ")" ] { "[" expr "]" }
//! pragma     = "@" … ";"
//! ```
//!
//! Blanks and comments (`//` to the end of the line) may stand between tokens, but not before
//! the `[` of an access. A name is letters, digits and underscores; a leading digit is fine.
//! `const`, `type` and `var` name nothing, and need no blank behind: `typeA={x};` defines `A`.
//! What begins with such a letter sequence is still an edge if a comma follows its first word,
//! which other programs refuse; [`validate`](super::validate()) warns of it.
//!
//! An error ends its statement; reading goes on behind the next `;` or where a definition or
//! pragma begins a line. Only brackets nest, to [`MAX_DEPTH`] at most: recursion is bounded by that.

use super::ast::{
    AppliedTag, Base, Constant, Description, Edge, Entry, Expr, Hint, Ident, Label, Map, Place,
    Pragma, SimpleType, SymbolSet, Type, TypeAlias, Value, Variable,
};
use super::name::Keyword;
use super::pragma;
use super::token::{Token, TokenKind, Tokens};
use crate::diagnostic::{Code, Diagnostic, Span};

/// The longest text, in bytes: 64 MiB.
pub const MAX_BYTES: usize = 256 << 20;
/// The deepest nesting of brackets in an expression or value, and of arrows in a type.
pub const MAX_DEPTH: usize = 256;
/// The most errors that are reported; the rest is left out.
pub const MAX_ERRORS: usize = 100;

/// How much of an unexpected word a message repeats, in characters.
const QUOTED: usize = 40;

/// Reads a description.
///
/// # Errors
///
/// Everything that does not follow the grammar, and a text that is too large or nested too
/// deep. That a description can be read does not make it a game: see
/// [`validate`](super::validate()).
///
/// ```
/// let description = gdlr::rg::read("type Player = { x };\nbegin, end: player = keeper;").unwrap();
/// assert_eq!(description.edges.len(), 1);
/// let errors = gdlr::rg::read("type A = {x;\nbegin, end: player == ;").unwrap_err();
/// assert_eq!(errors.len(), 2);
/// ```
pub fn read(text: &str) -> Result<Description, Vec<Diagnostic>> {
    if text.len() > MAX_BYTES {
        let message =
            format!("the text has {} bytes, more than the limit of {MAX_BYTES}", text.len());
        return Err(vec![Diagnostic::new(Code::RgTooLarge, Span::new(0, 0), message)]);
    }
    let mut reader = Reader::new(text);
    while reader.token.kind != TokenKind::End {
        let start = reader.token.start;
        if reader.statement().is_err() {
            reader.resynchronise(start);
        }
    }
    if reader.errors.is_empty() { Ok(reader.description) } else { Err(reader.errors) }
}

/// Reads bytes that should be UTF-8.
///
/// # Errors
///
/// As [`read`]; besides, the place of the first byte that is not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Description, Vec<Diagnostic>> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return read(text),
        Err(error) => error,
    };
    let at = error.valid_up_to();
    let message = format!("the text is not UTF-8: byte {:#04x} at offset {at}", bytes[at]);
    Err(vec![
        Diagnostic::new(Code::RgNotUtf8, Span::new(at, at + 1), message)
            .with_help("save the file as UTF-8"),
    ])
}

/// The statement cannot be read any further; why has been reported.
struct Abandoned;

type Read<T> = Result<T, Abandoned>;

struct Reader<'a> {
    /// Stands behind `token`.
    tokens: Tokens<'a>,
    /// What is read next.
    token: Token,
    /// What was read last.
    previous: Token,
    /// How many brackets are open.
    depth: usize,
    description: Description,
    errors: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let mut tokens = Tokens { text, at: 0 };
        let token = tokens.next_but_comments();
        Reader {
            tokens,
            token,
            previous: Token { kind: TokenKind::Semicolon, start: 0, end: 0 },
            depth: 0,
            description: Description::default(),
            errors: Vec::new(),
        }
    }

    fn statement(&mut self) -> Read<()> {
        match self.token.kind {
            TokenKind::At => self.pragma(),
            TokenKind::Word => match Keyword::split(self.tokens.text_of(self.token)) {
                Some((keyword, rest)) if rest.is_empty() || !self.comma_follows() => {
                    self.definition(keyword)
                }
                _ => self.edge(),
            },
            TokenKind::Semicolon => {
                let help = "remove it: every statement ends with one `;`, and nothing else does";
                self.fail("this `;` ends no statement", help)
            }
            _ => self.unexpected("a definition, an edge or a pragma"),
        }
    }

    /// Whether the token behind the next one is a comma.
    fn comma_follows(&self) -> bool {
        let mut ahead = self.tokens;
        ahead.next_but_comments().kind == TokenKind::Comma
    }

    /// Goes on after an error in the statement that begins at `start`.
    fn resynchronise(&mut self, start: usize) {
        self.depth = 0;
        let mut moved = self.token.start > start;
        loop {
            match self.token.kind {
                TokenKind::End => return,
                TokenKind::Semicolon => return self.advance(),
                TokenKind::At if moved && self.begins_line() => return,
                TokenKind::Word if moved && self.begins_line() && self.keyword().is_some() => {
                    return;
                }
                _ => self.advance(),
            }
            moved = true;
        }
    }

    /// Whether a line ends between the last token and the next one.
    fn begins_line(&self) -> bool {
        self.tokens.text[self.previous.end..self.token.start].contains(['\n', '\r'])
    }

    /// The keyword that the next token is, all of it.
    fn keyword(&self) -> Option<Keyword> {
        match Keyword::split(self.tokens.text_of(self.token)) {
            Some((keyword, "")) => Some(keyword),
            _ => None,
        }
    }
}

/// Definitions.
impl Reader<'_> {
    fn definition(&mut self, keyword: Keyword) -> Read<()> {
        let start = self.token.start;
        if self.comma_follows() {
            return self.reserved(keyword);
        }
        let name = self.defined_name(keyword)?;
        if keyword == Keyword::Type {
            self.expect(TokenKind::Assign, "`=` behind the name of the type")?;
            let type_ = self.type_()?;
            let place = self.end_of_statement(start)?;
            self.description.types.push(TypeAlias { name, type_, place });
            return Ok(());
        }
        self.expect(TokenKind::Colon, "`:` and a type behind the name")?;
        let type_ = self.type_()?;
        self.expect(TokenKind::Assign, "`=` and a value behind the type")?;
        let value = self.value()?;
        let place = self.end_of_statement(start)?;
        if keyword == Keyword::Const {
            self.description.constants.push(Constant { name, type_, value, place });
        } else {
            self.description.variables.push(Variable { name, type_, initial: value, place });
        }
        Ok(())
    }

    /// The name behind a keyword, even with nothing between them.
    fn defined_name(&mut self, keyword: Keyword) -> Read<Ident> {
        let word = self.token;
        let name = Token { start: word.start + keyword.as_str().len(), ..word };
        self.advance();
        if name.start < name.end { self.name_of(name) } else { self.name("a name to define") }
    }

    fn type_(&mut self) -> Read<Type> {
        let mut keys = Vec::new();
        loop {
            let simple = self.simple_type()?;
            if !self.eat(TokenKind::Arrow) {
                return Ok(Type { keys, value: simple });
            }
            keys.push(simple);
        }
    }

    fn simple_type(&mut self) -> Read<SimpleType> {
        let start = self.token.start;
        if !self.eat(TokenKind::OpenBrace) {
            return Ok(SimpleType::Named(self.name("a type: a name or `{`")?));
        }
        let mut members = Vec::new();
        if !self.eat(TokenKind::CloseBrace) {
            loop {
                members.push(self.name("a symbol")?);
                if !self.comma_or(TokenKind::CloseBrace, "`,` or `}` behind the symbol")? {
                    break;
                }
            }
        }
        Ok(SimpleType::Set(SymbolSet { members, place: self.place(start) }))
    }

    fn value(&mut self) -> Read<Value> {
        let start = self.token.start;
        if self.token.kind != TokenKind::OpenBrace {
            return Ok(Value::Name(self.name("a value: a name or `{`")?));
        }
        self.open()?;
        let mut entries = Vec::new();
        if !self.eat(TokenKind::CloseBrace) {
            loop {
                entries.push(self.entry()?);
                if !self.comma_or(TokenKind::CloseBrace, "`,` or `}` behind the entry")? {
                    break;
                }
            }
        }
        self.depth -= 1;
        Ok(Value::Map(Map { entries, place: self.place(start) }))
    }

    fn entry(&mut self) -> Read<Entry> {
        let start = self.token.start;
        let key = match self.token.kind {
            TokenKind::Colon => None,
            _ => Some(self.name("an entry: `key: value`, or `:value` for all other keys")?),
        };
        self.expect(TokenKind::Colon, "`:` and a value behind the key")?;
        let value = self.value()?;
        Ok(Entry { key, value, place: self.place(start) })
    }
}

/// Edges.
impl Reader<'_> {
    fn edge(&mut self) -> Read<()> {
        let start = self.token.start;
        let from = self.name("a node")?;
        self.expect(TokenKind::Comma, "`,` and a node, as in `p, q: …;`, behind the first node")?;
        let to = self.name("a node")?;
        self.expect(TokenKind::Colon, "`:` behind the second node")?;
        let label = self.label()?;
        let place = self.end_of_statement(start)?;
        self.description.edges.push(Edge { from, to, label, place });
        Ok(())
    }

    fn label(&mut self) -> Read<Label> {
        let kind = self.token.kind;
        match kind {
            TokenKind::Semicolon => Ok(Label::Skip),
            TokenKind::Dollar => {
                self.advance();
                if self.token.kind == TokenKind::Dollar {
                    let help = "write `$$` without a blank";
                    return self.fail("expected a tag, found `$`", help);
                }
                Ok(Label::Tag(self.name("a tag")?))
            }
            TokenKind::DoubleDollar => {
                self.advance();
                Ok(Label::TagVariable(self.name("a variable")?))
            }
            TokenKind::Question | TokenKind::Exclamation => {
                self.advance();
                let from = self.name("a node")?;
                self.expect(TokenKind::Arrow, "`->` and a node behind the first node")?;
                let to = self.name("a node")?;
                Ok(Label::Reach { from, to, negated: kind == TokenKind::Exclamation })
            }
            TokenKind::Word => self.action(),
            _ => {
                self.unexpected("an action: an assignment, a comparison, `?`, `!`, `$` or nothing")
            }
        }
    }

    /// An assignment or a comparison.
    fn action(&mut self) -> Read<Label> {
        let left = self.expr()?;
        let equal = match self.token.kind {
            TokenKind::Assign => {
                self.advance();
                return self.assigned(left);
            }
            TokenKind::Equal => true,
            TokenKind::NotEqual => false,
            _ => return self.unexpected("`=`, `==` or `!=` behind the expression"),
        };
        self.advance();
        let right = self.expr()?;
        Ok(Label::Compare { left, right, equal })
    }

    /// What stands behind the `=` of an assignment to `target`.
    fn assigned(&mut self, target: Expr) -> Read<Label> {
        let values = if self.any_follows() {
            self.type_()?
        } else {
            return Ok(Label::Assign { target, value: self.expr()? });
        };
        self.expect(TokenKind::OpenParenthesis, "`(*)` behind the type")?;
        self.expect(TokenKind::Star, "`*` as in `T(*)`, any value of the type,")?;
        self.expect(TokenKind::CloseParenthesis, "`)`")?;
        Ok(Label::AssignAny { target, values })
    }

    /// Whether a type and `(*)` follow rather than an expression.
    fn any_follows(&self) -> bool {
        let mut ahead = self.tokens;
        match self.token.kind {
            TokenKind::OpenBrace => true,
            TokenKind::Word => match ahead.next_but_comments().kind {
                TokenKind::Arrow => true,
                TokenKind::OpenParenthesis => ahead.next_but_comments().kind == TokenKind::Star,
                _ => false,
            },
            _ => false,
        }
    }

    fn expr(&mut self) -> Read<Expr> {
        let start = self.token.start;
        let name = self.name("an expression")?;
        let mut expr = Expr::from(name);
        if self.token.kind == TokenKind::OpenParenthesis {
            self.open()?;
            let cast = self.expr()?;
            self.close(TokenKind::CloseParenthesis, "`)` behind what is cast")?;
            expr.base = Base::Cast(name, Box::new(cast));
        }
        while self.token.kind == TokenKind::OpenBracket {
            if self.token.start > self.previous.end {
                self.blank_before("`[`");
            }
            self.open()?;
            expr.keys.push(self.expr()?);
            self.close(TokenKind::CloseBracket, "`]` behind the key")?;
        }
        expr.place = self.place(start);
        Ok(expr)
    }
}

/// Pragmas.
impl Reader<'_> {
    fn pragma(&mut self) -> Read<()> {
        let start = self.token.start;
        let Some(name) = pragma::known(&self.tokens.text[self.token.end..]) else {
            return self.unknown_pragma();
        };
        self.advance();
        self.advance();
        let hint = match name {
            "artificialTag" => Hint::ArtificialTag { tags: self.names("a tag")? },
            "disjoint" | "disjointExhaustive" => {
                let node = self.name("a node")?;
                self.expect(TokenKind::Colon, "`:` and nodes behind the node")?;
                let targets = self.names("a node")?;
                Hint::Disjoint { node, targets, exhaustive: name == "disjointExhaustive" }
            }
            "integer" => {
                let first = self.number()?;
                self.expect(TokenKind::Colon, "`:` and symbols behind the number")?;
                Hint::Integer { first, symbols: self.names("a symbol")? }
            }
            "iterator" => {
                let nodes = [self.name("a node")?, self.name("a node")?, self.name("a node")?];
                self.expect(TokenKind::Colon, "`:` and a variable behind the three nodes")?;
                Hint::Iterator { nodes, variable: self.name("a variable")? }
            }
            "repeat" => {
                let nodes = self.names("a node")?;
                self.expect(TokenKind::Colon, "`:` behind the nodes")?;
                let variables = match self.token.kind {
                    TokenKind::Semicolon => Vec::new(),
                    _ => self.names("a variable")?,
                };
                Hint::Repeat { nodes, variables }
            }
            "simpleApply" => self.simple_apply(false)?,
            "simpleApplyExhaustive" => self.simple_apply(true)?,
            "tagIndex" => {
                let (nodes, index) = self.indexed_nodes()?;
                Hint::TagIndex { nodes, index }
            }
            "tagMaxIndex" => {
                let (nodes, index) = self.indexed_nodes()?;
                Hint::TagMaxIndex { nodes, index }
            }
            "unique" => Hint::Unique { nodes: self.names("a node")? },
            _ => Hint::TranslatedFromRbg,
        };
        let place = self.end_of_statement(start)?;
        self.description.pragmas.push(Pragma { hint, place });
        Ok(())
    }

    /// A pragma that is kept as it stands, up to the first `;` of any kind.
    fn unknown_pragma(&mut self) -> Read<()> {
        let Token { start, end, .. } = self.token;
        let rest = &self.tokens.text[end..];
        let Some(length) = rest.find(';') else {
            return self.fail("this pragma has no end", "a pragma ends with `;`");
        };
        let place = Place(Span::new(start, end + length + 1));
        let hint = Hint::Unknown(rest[..length].into());
        self.description.pragmas.push(Pragma { hint, place });
        self.tokens.at = end + length;
        self.advance();
        self.advance();
        Ok(())
    }

    fn simple_apply(&mut self, exhaustive: bool) -> Read<Hint> {
        let (from, to) = (self.name("a node")?, self.name("a node")?);
        self.expect(TokenKind::OpenBracket, "`[` and tags behind the two nodes")?;
        let mut tags = Vec::new();
        if !self.eat(TokenKind::CloseBracket) {
            loop {
                tags.push(self.applied_tag()?);
                if !self.comma_or(TokenKind::CloseBracket, "`,` or `]` behind the tag")? {
                    break;
                }
            }
        }
        let mut assignments = Vec::new();
        while self.token.kind != TokenKind::Semicolon {
            if !assignments.is_empty() {
                self.expect(TokenKind::Comma, "`,` or `;` behind the assignment")?;
            }
            let target = self.expr()?;
            self.expect(TokenKind::Assign, "`=` behind the expression")?;
            assignments.push((target, self.expr()?));
        }
        Ok(Hint::SimpleApply { from, to, tags, assignments, exhaustive })
    }

    fn applied_tag(&mut self) -> Read<AppliedTag> {
        let name = self.name("a tag")?;
        if self.token.kind != TokenKind::Colon {
            return Ok(AppliedTag::Tag(name));
        }
        if self.token.start > self.previous.end {
            self.blank_before("`:`");
        }
        self.advance();
        Ok(AppliedTag::Any { name, type_: self.type_()? })
    }

    fn indexed_nodes(&mut self) -> Read<(Vec<Ident>, u64)> {
        let nodes = self.names("a node")?;
        self.expect(TokenKind::Colon, "`:` and a number behind the nodes")?;
        Ok((nodes, self.number()?))
    }

    fn number(&mut self) -> Read<u64> {
        let word = self.tokens.text_of(self.token);
        match word.parse() {
            Ok(number) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.advance();
                Ok(number)
            }
            _ => self.unexpected("a number of at most 64 bits, without a sign"),
        }
    }

    /// One name or more, with nothing between them.
    fn names(&mut self, what: &str) -> Read<Vec<Ident>> {
        let mut names = vec![self.name(what)?];
        while self.token.kind == TokenKind::Word {
            names.push(self.name(what)?);
        }
        Ok(names)
    }
}

/// Tokens.
impl Reader<'_> {
    fn advance(&mut self) {
        self.previous = self.token;
        self.token = self.tokens.next_but_comments();
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Read<()> {
        if self.eat(kind) { Ok(()) } else { self.unexpected(what) }
    }

    /// Reads what stands behind an item of a list; says whether another item follows.
    fn comma_or(&mut self, close: TokenKind, what: &str) -> Read<bool> {
        if self.eat(close) {
            return Ok(false);
        }
        self.expect(TokenKind::Comma, what)?;
        if self.token.kind == close {
            let help = "remove the comma before it, or add what is missing between them";
            return self.fail("a list does not end with a comma", help);
        }
        Ok(true)
    }

    /// Reads an opening bracket inside which brackets may follow.
    fn open(&mut self) -> Read<()> {
        if self.depth == MAX_DEPTH {
            let span = self.span();
            let message = format!("brackets are nested more than {MAX_DEPTH} deep");
            self.report(Diagnostic::new(Code::RgTooDeep, span, message));
            return Err(Abandoned);
        }
        self.depth += 1;
        self.advance();
        Ok(())
    }

    fn close(&mut self, kind: TokenKind, what: &str) -> Read<()> {
        self.depth -= 1;
        self.expect(kind, what)
    }

    /// Reads the `;` of the statement that begins at `start`. One that is missing at the end
    /// of a line is reported, and the statement taken for whole.
    fn end_of_statement(&mut self, start: usize) -> Read<Place> {
        let end = self.previous;
        if self.eat(TokenKind::Semicolon) {
            return Ok(self.place(start));
        }
        if self.token.kind != TokenKind::End && !self.begins_line() {
            return self.unexpected("`;` at the end of the statement");
        }
        self.report(
            Diagnostic::new(
                Code::RgSyntax,
                Span::new(end.start, end.end),
                "this statement has no `;` at its end",
            )
            .with_label("`;` is missing behind this"),
        );
        Ok(self.place(start))
    }

    fn name(&mut self, what: &str) -> Read<Ident> {
        if self.token.kind != TokenKind::Word {
            return self.unexpected(what);
        }
        if let Some(keyword) = self.keyword() {
            return self.reserved(keyword);
        }
        let token = self.token;
        self.advance();
        self.name_of(token)
    }

    /// The name that a word is which has been read.
    fn name_of(&mut self, token: Token) -> Read<Ident> {
        let place = Place(Span::new(token.start, token.end));
        match self.description.names.intern(self.tokens.text_of(token)) {
            Ok(name) => Ok(Ident { name, place }),
            Err(error) => {
                self.report(Diagnostic::new(Code::RgReserved, place.0, error.to_string()));
                Err(Abandoned)
            }
        }
    }

    /// The span of the next token; at the end of the text, of the last one.
    fn span(&self) -> Span {
        let token = if self.token.kind == TokenKind::End { self.previous } else { self.token };
        Span::new(token.start, token.end)
    }

    /// From `start` to the end of what was read last.
    fn place(&self, start: usize) -> Place {
        Place(Span::new(start, self.previous.end))
    }
}

/// Errors.
impl Reader<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(diagnostic);
        }
    }

    fn fail<T>(&mut self, message: &str, help: &str) -> Read<T> {
        let span = self.span();
        self.report(Diagnostic::new(Code::RgSyntax, span, message).with_help(help));
        Err(Abandoned)
    }

    fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        if self.token.kind == TokenKind::Word
            && let Some(keyword) = self.keyword()
        {
            return self.reserved(keyword);
        }
        let text = self.tokens.text_of(self.token);
        let diagnostic = match self.token.kind {
            TokenKind::Stray => {
                let message = format!("the character {} means nothing here", quoted(text));
                Diagnostic::new(Code::RgCharacter, self.span(), message)
                    .with_help(about_character(text))
            }
            TokenKind::End => {
                let message = format!("expected {expected}, but the text ends");
                Diagnostic::new(Code::RgSyntax, self.span(), message).with_label("behind this")
            }
            _ => {
                let message = format!("expected {expected}, found {}", quoted(text));
                Diagnostic::new(Code::RgSyntax, self.span(), message)
            }
        };
        self.report(diagnostic);
        Err(Abandoned)
    }

    /// The next token is a keyword where a name should stand: the statement before may have
    /// lost its end.
    fn reserved<T>(&mut self, keyword: Keyword) -> Read<T> {
        let message = format!("`{}` is a keyword and names nothing", keyword.as_str());
        self.report(
            Diagnostic::new(Code::RgReserved, self.span(), message)
                .with_help("rename it; if a definition should begin here, end the one before it"),
        );
        Err(Abandoned)
    }

    fn blank_before(&mut self, what: &str) {
        let gap = Span::new(self.previous.end, self.token.end);
        let message = format!("nothing may stand before this {what}, not even a blank");
        self.report(
            Diagnostic::new(Code::RgBlank, gap, message).with_help("remove what stands before it"),
        );
    }
}

/// A piece of the text for a message, in full unless it is long.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None if text.chars().any(|c| c.is_control() || c == '\u{feff}') => format!("{text:?}"),
        None => format!("`{text}`"),
    }
}

/// What a character that means nothing was probably meant to be.
fn about_character(text: &str) -> &'static str {
    match text {
        "\u{feff}" => "save the file without a byte order mark",
        "→" | "-" => "an arrow is written `->`",
        "#" | "/" => "a comment begins with `//`",
        _ => "names have letters, digits and underscores only",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rg::{Name, print};

    /// A text that can be read, printed.
    #[track_caller]
    fn printed(text: &str) -> String {
        let description = read(text).unwrap_or_else(|errors| panic!("{text}: {}", errors[0]));
        print(&description).expect("what is read can be printed").trim_end().to_owned()
    }

    /// The errors in a text, as codes and what they underline.
    fn errors(text: &str) -> Vec<(Code, &str)> {
        let errors = read(text).expect_err("an error");
        errors.iter().map(|error| (error.code, &text[error.span.range()])).collect()
    }

    #[test]
    fn statements_of_every_kind() {
        for canonical in [
            "type Player = { x, o };",
            "type Board = Coord -> { 0, 1 } -> Piece;",
            "const next: Coord -> Coord = { 0: 1, :0 };",
            "var board: Board = { :{ :e }, 1: row };",
            "var v: { a } = a;",
            "begin, end: ;",
            "p, q: player = keeper;",
            "p, q: board[posX][next[1]] = T(v)[w];",
            "p, q: v = Coord(*);",
            "p, q: v = { 0, 1 }(*);",
            "p, q: A(B(x)) == y;",
            "p, q: x != y;",
            "p, q: ? r -> s;",
            "p, q: ! r -> s;",
            "p, q: $ tag;",
            "p, q: $$ v;",
        ] {
            assert_eq!(printed(canonical), canonical);
        }
    }

    #[test]
    fn pragmas_of_every_kind() {
        for canonical in [
            "@artificialTag a b;",
            "@disjoint n : a b c;",
            "@disjointExhaustive n : a;",
            "@integer 0 : zero one;",
            "@iterator a b c : v;",
            "@repeat a :;",
            "@repeat a b : v w;",
            "@simpleApply a b [];",
            "@simpleApply a b [t, v: Coord] x[v] = Coord(v), y = z;",
            "@simpleApplyExhaustive a b [t] player = keeper;",
            "@tagIndex a b : 0;",
            "@tagMaxIndex a : 12;",
            "@translatedFromRbg;",
            "@unique a;",
            "@anything // at all,\n (\"]\u{feff};",
            "@;",
            "@ unique a;",
        ] {
            assert_eq!(printed(canonical), canonical);
        }
    }

    #[test]
    fn layout_is_free() {
        let text =
            "//head\r\ntypePlayer={x};type Score\t=\n{//c\n0//;\n,100};begin,end:player=keeper;//e";
        assert_eq!(
            printed(text),
            "type Player = { x };\ntype Score = { 0, 100 };\nbegin, end: player = keeper;"
        );
        assert_eq!(printed("p,q:a[ //k\n b ]=T (  c ) ;"), "p, q: a[b] = T(c);");
        assert_eq!(printed("p,q:a=T //c\n( * );p,q:!a->b;"), "p, q: a = T(*);\np, q: ! a -> b;");
        assert_eq!(
            printed("@simpleApply\na b [ t ,v: A->B ]x=y , z=w;"),
            "@simpleApply a b [t, v: A -> B] x = y, z = w;"
        );
        assert_eq!(printed(""), "");
    }

    #[test]
    fn a_first_node_may_begin_like_a_keyword() {
        let description = read("typeA, variable: ; constant , end: ; varX = ;").unwrap_err();
        assert_eq!(description.len(), 1, "{description:?}");
        let description = read("typeA, variable: ; constant , end: ;").unwrap();
        let names = &description.names;
        assert_eq!(names.text(description.edges[0].from.name), "typeA");
        assert_eq!(description.edges[1].to.name, Name::END);
    }

    #[test]
    fn places_are_bytes_of_the_text() {
        let text = "  ż, b: ż[x] == T( y ) ; //";
        let description = read(text).unwrap();
        let edge = &description.edges[0];
        let of = |place: Place| &text[place.0.range()];
        assert_eq!(of(edge.place), "ż, b: ż[x] == T( y ) ;");
        let Label::Compare { left, right, .. } = &edge.label else { panic!() };
        assert_eq!((of(left.place), of(right.place)), ("ż[x]", "T( y )"));
        assert_eq!(of(left.keys[0].place), "x");
    }

    #[test]
    fn several_errors_in_one_run() {
        let text = "type A = { x, };\np, q r;\nvar v: T = 0\nconst c: T = {0 1};\nq, r: x;;";
        assert_eq!(
            errors(text),
            [
                (Code::RgSyntax, "}"),
                (Code::RgSyntax, "r"),
                (Code::RgSyntax, "0"),
                (Code::RgSyntax, "1"),
                (Code::RgSyntax, ";"),
                (Code::RgSyntax, ";"),
            ]
        );
    }

    #[test]
    fn reading_goes_on_where_a_definition_begins() {
        let text =
            "p, q: board[x = 1\ntype A = { x };\nvar var: A = x;\n@disjoint : p;\n@repeat p\n";
        assert_eq!(
            errors(text),
            [
                (Code::RgSyntax, "="),
                (Code::RgReserved, "var"),
                (Code::RgSyntax, ":"),
                (Code::RgSyntax, "p"),
            ]
        );
    }

    #[test]
    fn keywords_name_nothing() {
        for text in
            ["type const = { x };", "p, var: ;", "var, p: ;", "p, q: $ type;", "typetype = x;"]
        {
            assert_eq!(errors(text)[0].0, Code::RgReserved, "{text}");
        }
    }

    #[test]
    fn what_other_programs_refuse_too() {
        for (text, code, place) in [
            ("\u{feff}p, q: ;", Code::RgCharacter, "\u{feff}"),
            ("# p\n", Code::RgCharacter, "#"),
            ("/* p */", Code::RgCharacter, "/"),
            ("type A = B → C;", Code::RgCharacter, "→"),
            ("p, q: ? a - > b;", Code::RgCharacter, "-"),
            ("p, q: a-b = c;", Code::RgCharacter, "-"),
            ("p, q: v [0] = 1;", Code::RgBlank, " ["),
            ("@simpleApply a b [v : T];", Code::RgBlank, " :"),
            ("type A = (B -> C) -> D;", Code::RgSyntax, "("),
            ("p, q: {0, 1}(0) = v;", Code::RgSyntax, "{"),
            ("p, q: v = {0, 1}(0);", Code::RgSyntax, "0"),
            ("p, q: $ $ v;", Code::RgSyntax, "$"),
            ("p, q: $$ v[0];", Code::RgSyntax, "["),
            ("p, q: a = b = c;", Code::RgSyntax, "="),
            ("p, q: (a) = b;", Code::RgSyntax, "("),
            ("p, q: { a = b };", Code::RgSyntax, "{"),
            ("const c: T = { 0: 1, };", Code::RgSyntax, "}"),
            ("@disjoint n : a, b;", Code::RgSyntax, ","),
            ("@disjoint n :;", Code::RgSyntax, ";"),
            ("@integer -1 : a;", Code::RgCharacter, "-"),
            ("@tagIndex a : b;", Code::RgSyntax, "b"),
            ("@tagIndex a : 99999999999999999999;", Code::RgSyntax, "99999999999999999999"),
            ("@unique;", Code::RgSyntax, ";"),
            ("@author me", Code::RgSyntax, "@"),
            (";", Code::RgSyntax, ";"),
            ("p, q:", Code::RgSyntax, ":"),
            ("p", Code::RgSyntax, "p"),
        ] {
            assert_eq!(errors(text), [(code, place)], "{text}");
        }
    }

    #[test]
    fn depth_is_limited() {
        let expr =
            |depth: usize| format!("p, q: x == {}y{};", "a[".repeat(depth), "]".repeat(depth));
        let value =
            |depth: usize| format!("var v: T = {}0{};", "{:".repeat(depth), "}".repeat(depth));
        for text in [expr, value] {
            assert!(read(&text(MAX_DEPTH)).is_ok());
            assert_eq!(errors(&text(MAX_DEPTH + 1))[0].0, Code::RgTooDeep);
            assert_eq!(errors(&text(100_000)).len(), 1);
        }
        // A chain is not deep.
        assert!(read(&format!("p, q: x == a{};", "[0]".repeat(100_000))).is_ok());
        assert!(read(&format!("type A = {} B;", "B ->".repeat(100_000))).is_ok());
    }

    #[test]
    fn size_is_limited() {
        let text = " ".repeat(MAX_BYTES + 1);
        assert_eq!(read(&text).unwrap_err()[0].code, Code::RgTooLarge);
        assert!(read(&text[1..]).is_ok());
    }

    #[test]
    fn bytes_that_are_not_utf8_have_a_place() {
        let error = &read_bytes(b"p, \xff: ;").unwrap_err()[0];
        assert_eq!((error.code, error.span), (Code::RgNotUtf8, Span::new(3, 4)));
    }

    #[test]
    fn errors_are_capped() {
        assert_eq!(read(&"p;".repeat(1000)).unwrap_err().len(), MAX_ERRORS);
    }
}
