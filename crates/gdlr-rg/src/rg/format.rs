//! The canonical layout of a file, for `gdlr rg fmt`.
//!
//! - Statements keep their order, each on a line of its own. The blanks between tokens are those of
//!   [`print`](super::print()).
//! - A statement that does not fit into 80 columns is broken at its braces: the items of the list
//!   fill lines that are indented by four columns. Nothing else is broken but the names of a
//!   pragma, which fill lines in the same way.
//! - Comments stay at the end of a line, or on lines of their own.
//! - Of several blank lines between statements, one stays.
//! - An unknown pragma stays as it is.
//!
//! Only white space changes, and a second pass changes nothing. The layout works on tokens, as a
//! description does not have the places of comments. The cost is linear in the text.

use super::name::Keyword;
use super::pragma;
use super::token::{Rg, Token, TokenKind, Tokens};
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::syntax::{Page, STEP, utf8};

/// Lays out a description.
///
/// # Errors
///
/// The errors of [`read`](super::read()): a text that cannot be read is not laid out.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rg; }
/// let text = "typePlayer={x};//who\n\n\nbegin,end:player=keeper;";
/// assert_eq!(
///     gdlr::rg::format(text).unwrap(),
///     "type Player = { x }; //who\n\nbegin, end: player = keeper;\n",
/// );
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    super::read(text)?;
    Ok(laid_out(text))
}

/// Lays out bytes that should be UTF-8.
///
/// # Errors
///
/// The errors of [`read_bytes`](super::read_bytes()).
pub fn format_bytes(bytes: &[u8]) -> Result<String, Vec<Diagnostic>> {
    format(utf8::<Rg>(bytes)?)
}

/// The layout of a text that can be read.
fn laid_out(text: &str) -> String {
    let mut page = Page::new(text);
    let mut tokens = Tokens::new(text);
    let mut statement = Vec::new();
    loop {
        let mut token = page.next_token(&mut tokens);
        match token.kind {
            TokenKind::End => return page.finish(),
            TokenKind::Word if statement.is_empty() => statement.extend(beginning(token, tokens)),
            TokenKind::At if statement.is_empty() && is_unknown_pragma(tokens) => {
                let rest = &text[tokens.at..];
                tokens.at += rest.find(';').map_or(rest.len(), |length| length + 1);
                token.end = tokens.at;
                Statement::new(text, &[token]).lay_out(&mut page);
            }
            kind => {
                statement.push(token);
                if kind == TokenKind::Semicolon {
                    Statement::new(text, &statement).lay_out(&mut page);
                    statement.clear();
                }
            }
        }
    }
}

/// Whether the text after an `@` is no known pragma.
fn is_unknown_pragma(behind: Tokens) -> bool {
    pragma::known(&behind.text[behind.at..]).is_none()
}

/// The word that begins a statement, or its two parts: the keyword and the name.
fn beginning(word: Token, mut behind: Tokens) -> impl Iterator<Item = Token> {
    let keyword = match Keyword::split(behind.text_of(word)) {
        Some((keyword, rest))
            if !rest.is_empty() && behind.next_but_comments().kind != TokenKind::Comma =>
        {
            keyword.as_str().len()
        }
        _ => 0,
    };
    let name = Token { start: word.start + keyword, ..word };
    (keyword > 0).then_some(Token { end: name.start, ..word }).into_iter().chain([name])
}

/// One statement, its tokens measured.
struct Statement<'s> {
    tokens: &'s [Token],
    /// By token: whether a blank is before it on a line.
    blanks: Vec<bool>,
    /// By token: the column where it begins, if all tokens are on one line.
    columns: Vec<usize>,
    /// By opening brace: the index of its closing brace.
    partners: Vec<usize>,
    /// Whether it is a pragma whose names may fill several lines.
    pragma: bool,
}

impl<'s> Statement<'s> {
    fn new(text: &str, tokens: &'s [Token]) -> Self {
        let pragma = tokens[0].kind == TokenKind::At;
        let blanks = blanks(tokens, pragma);
        let mut columns = vec![0];
        let mut partners = vec![0; tokens.len()];
        let mut open = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let width = text[token.start..token.end].chars().count();
            columns.push(columns[index] + width + usize::from(blanks[index]));
            match token.kind {
                TokenKind::OpenBrace => open.push(index),
                TokenKind::CloseBrace => partners[open.pop().unwrap_or(0)] = index,
                _ => {}
            }
        }
        Statement { tokens, blanks, columns, partners, pragma }
    }

    fn lay_out(&self, page: &mut Page) {
        // By brace that is open and broken: the index of its partner.
        let mut broken: Vec<usize> = Vec::new();
        // Braces before this token are on one line.
        let mut flat_to = 0;
        for (index, token) in self.tokens.iter().enumerate() {
            let span = token.span();
            let begins = index == 0;
            let inner = if begins { 0 } else { STEP * broken.len().max(1) };
            let commented = page.comments_before(span.start, inner, begins);
            let closes = broken.last() == Some(&index);
            if closes {
                broken.pop();
            }
            let flat = index < flat_to;
            if begins || commented || closes || !flat && self.breaks(page, index, &broken) {
                let indent = if closes { STEP * broken.len() } else { inner };
                page.line(span.start, indent, begins);
            } else if self.blanks[index] {
                page.write(" ");
            }
            page.copy(span);
            if token.kind == TokenKind::OpenBrace && !flat {
                let partner = self.partners[index];
                if self.fits_up_to(page, index, partner) {
                    flat_to = partner + 1;
                } else {
                    broken.push(partner);
                }
            }
        }
    }

    /// Whether a line break is needed before a token that is not the first. The reason is a lack of
    /// room, or an item of a list that is broken.
    fn breaks(&self, page: &Page, index: usize, broken: &[usize]) -> bool {
        match self.tokens[index - 1].kind {
            TokenKind::OpenBrace => !broken.is_empty(),
            TokenKind::Comma if !broken.is_empty() => {
                // Maps within a list of maps stand below each other.
                let behind_map = self.tokens[index - 2].kind == TokenKind::CloseBrace;
                let (end, has_map) = self.end_of_item(index);
                behind_map || has_map || !self.fits(page, index, end + 1)
            }
            _ if self.pragma && self.blanks[index] => {
                let is_glued = |&behind: &usize| {
                    let start = self.tokens[behind].span().start;
                    let opens = self.tokens[behind - 1].kind == TokenKind::OpenBracket;
                    !self.blanks[behind] && (opens || !page.commented_before(start))
                };
                let glued = (index + 1..self.tokens.len()).take_while(is_glued).count();
                !self.fits(page, index, index + 1 + glued)
            }
            _ => false,
        }
    }

    /// Whether the tokens from `from` up to `to` fit on the line.
    fn fits(&self, page: &Page, from: usize, to: usize) -> bool {
        let end = self.tokens[to - 1].span().end;
        !page.commented_before(end) && self.columns[to] - self.columns[from] <= page.room()
    }

    /// Whether a list fits on the line after its opening brace, with the tokens that must follow
    /// its closing brace.
    fn fits_up_to(&self, page: &Page, open: usize, close: usize) -> bool {
        let tail = self.tail(close);
        let last = &self.tokens[tail];
        // A closing brace can go to a line of its own.
        let end = tail + usize::from(last.kind != TokenKind::CloseBrace);
        !page.commented_before(last.span().start) && self.fits(page, open + 1, end)
    }

    /// The end of the item of a list that begins at `from`: its comma, or the brace after it. Also
    /// returns whether the item has braces.
    fn end_of_item(&self, from: usize) -> (usize, bool) {
        let mut at = from;
        let mut braces = false;
        loop {
            at = match self.tokens[at].kind {
                TokenKind::Comma | TokenKind::CloseBrace => return (at, braces),
                TokenKind::OpenBrace => {
                    braces = true;
                    self.partners[at] + 1
                }
                _ => at + 1,
            };
        }
    }

    /// The last of the tokens that must follow a closing brace on its line.
    fn tail(&self, brace: usize) -> usize {
        use TokenKind::{CloseBrace, Comma, OpenBrace, Semicolon};
        let ends = |&at: &usize| {
            matches!(self.tokens[at].kind, Comma | Semicolon | OpenBrace | CloseBrace)
        };
        (brace + 1..self.tokens.len()).find(ends).unwrap_or(brace)
    }
}

/// By token: whether a blank is before it, if the statement is on one line.
fn blanks(tokens: &[Token], pragma: bool) -> Vec<bool> {
    use TokenKind::{
        At, CloseBrace, CloseBracket, CloseParenthesis, Colon, Comma, OpenBrace, OpenBracket,
        OpenParenthesis, Semicolon, Star,
    };
    let mut blanks = Vec::with_capacity(tokens.len());
    let mut before = None;
    // The number of open square brackets.
    let mut brackets = 0usize;
    // Whether the tags of a pragma have begun.
    let mut tags = false;
    // Whether the last `:` was before a default.
    let mut default = false;
    for token in tokens {
        let blank = match (before, token.kind) {
            (None | Some(At | OpenParenthesis | OpenBracket), _) => false,
            (_, Comma | CloseParenthesis | CloseBracket | OpenParenthesis | Star) => false,
            (Some(Colon), Semicolon) => !pragma,
            (_, Semicolon) => false,
            (Some(Comma | OpenBrace), Colon) => true,
            (_, Colon) => pragma && brackets == 0,
            (Some(Colon), _) => !default,
            (_, OpenBracket) => pragma && !tags,
            (Some(OpenBrace), CloseBrace) => false,
            _ => true,
        };
        match token.kind {
            OpenBracket => {
                brackets += 1;
                tags = true;
            }
            CloseBracket => brackets = brackets.saturating_sub(1),
            Colon => default = matches!(before, Some(Comma | OpenBrace)) && !pragma,
            _ => {}
        }
        before = Some(token.kind);
        blanks.push(blank);
    }
    blanks
}

#[cfg(test)]
mod tests {
    use super::format;
    use crate::rg::{print, read};

    #[track_caller]
    fn formatted(text: &str) -> String {
        let once = format(text).unwrap();
        assert_eq!(format(&once).unwrap(), once, "not stable");
        once
    }

    #[test]
    fn what_fits_is_as_printed() {
        let text = "@repeat a :;\n@repeat a : v;\n@simpleApply a b [t, v: B -> C] x[v] = y, z = w;\n\
            @simpleApply a b [];\n@tagIndex a b : 0;\n@disjoint a : b c;\n@  odd,one ;\n\
            type A = { a, b };\ntype B = A -> { a } -> A;\nconst c: A -> A = { :a, b: a };\n\
            var v: B = { :{ :{} }, a: c };\np, q: ;\np, q: a[b][T(c)] != d;\np, q: v = { 0, 1 }(*);\n\
            p, q: v = A(*);\np, q: ? a -> b;\np, q: ! a -> b;\np, q: $ t;\np, q: $$ v;\n";
        assert_eq!(formatted(text), text);
        assert_eq!(print(&read(text).unwrap()).unwrap(), format!("{text}\n"));
    }

    #[test]
    fn blanks_are_put_where_they_belong() {
        assert_eq!(
            formatted("@repeat  a b:v;@simpleApply a b[t,v:B->C]x[v]=y,z=w;@ odd,one ;"),
            "@repeat a b : v;\n@simpleApply a b [t, v: B -> C] x[v] = y, z = w;\n@ odd,one ;\n"
        );
        assert_eq!(
            formatted("const c:A->{a}->A={:{b:c},\na:{:b}};p,q:v={0,1}( * );p,q:a[ b ]==T ( c );"),
            "const c: A -> { a } -> A = { :{ b: c }, a: { :b } };\n\
             p, q: v = { 0, 1 }(*);\np, q: a[b] == T(c);\n"
        );
        assert_eq!(
            formatted("p,q\n:;p,q:?a->b;p,q:$t;p,q:$$v;"),
            "p, q: ;\np, q: ? a -> b;\np, q: $ t;\np, q: $$ v;\n"
        );
    }

    #[test]
    fn nothing() {
        assert_eq!(formatted(""), "");
        assert_eq!(formatted(" \n\n"), "");
        assert_eq!(formatted("//x"), "//x\n");
        assert!(format("p").is_err());
    }

    #[test]
    fn comments_and_blank_lines_stay() {
        let canonical = "// head\n\ntype A = { x }; // of A\n// of p\np, q: ;\n\n// end\n";
        assert_eq!(formatted(canonical), canonical);
        assert_eq!(
            formatted("//head  \r\n\r\n\r\ntype A={//all\nx//one\n,y\n//last\n};p,q://why\na==b;"),
            "//head\n\ntype A = { //all\n    x //one\n    ,\n    y\n    //last\n};\np, q: //why\n    a == b;\n"
        );
    }

    #[test]
    fn long_lists_are_filled() {
        let name = "abcdefghijklmnopqrst";
        assert_eq!(
            formatted(&format!("type A = {{{name},{name},{name},{name}}};")),
            format!("type A = {{\n    {name}, {name}, {name},\n    {name}\n}};\n")
        );
        assert_eq!(
            formatted(&format!(
                "const c: {{{name}}} -> A = {{:{{:{name}, {name}:{name}}},a:{{:{name}, {name}:{name}, {name}:{name}}}}};"
            )),
            format!(
                "const c: {{ {name} }} -> A = {{\n    :{{ :{name}, {name}: {name} }},\n    \
                 a: {{\n        :{name}, {name}: {name},\n        {name}: {name}\n    }}\n}};\n"
            )
        );
        assert_eq!(
            formatted(&format!("@unique {name} {name} {name} {name};")),
            format!("@unique {name} {name} {name}\n    {name};\n")
        );
    }

    #[test]
    fn the_widest_line_has_eighty_columns() {
        let set = |width: usize| format!("type A = {{ {} }};", "x".repeat(width));
        assert_eq!(formatted(&set(66)), set(66) + "\n");
        assert_eq!(formatted(&set(67)), format!("type A = {{\n    {}\n}};\n", "x".repeat(67)));
    }

    #[test]
    fn a_word_may_hold_a_keyword_and_a_name() {
        assert_eq!(
            formatted("typeA={x};varv:A=x;typeB,constant:;"),
            "type A = { x };\nvar v: A = x;\ntypeB, constant: ;\n"
        );
    }
}
