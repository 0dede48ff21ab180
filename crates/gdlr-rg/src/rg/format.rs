//! The canonical layout of a file, for `gdlr rg fmt`.
//!
//! * Statements stay in the order in which they were written, each on a line of its own.
//!   Tokens have between them what [`print`](super::print()) puts there.
//! * What does not fit into 80 columns is broken where it has braces: the items of the list
//!   are filled into lines, four columns further in. Nothing else is broken, but for the names
//!   of a pragma, which are filled as well.
//! * Comments stay where they are, at the end of a line or on lines of their own.
//! * Of blank lines between statements, one is kept.
//! * An unknown pragma stays as it is.
//!
//! Nothing but white space changes, and formatting twice changes nothing. The work is done on
//! tokens, for only they know the comments within a statement. The cost is linear in the
//! text; indentation stops growing at [`MAX_INDENT`].

use super::name::Keyword;
use super::pragma;
use super::token::{Token, TokenKind, Tokens};
use gdlr_text::diagnostic::Diagnostic;

/// The width that lines should have at most.
const WIDTH: usize = 80;
/// How far inner lines are indented.
const STEP: usize = 4;
/// The deepest indentation.
const MAX_INDENT: usize = 40;

/// Lays out a description.
///
/// # Errors
///
/// Those of [`read`](super::read()): what cannot be read is not laid out.
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
/// Those of [`read_bytes`](super::read_bytes()).
pub fn format_bytes(bytes: &[u8]) -> Result<String, Vec<Diagnostic>> {
    super::read_bytes(bytes)?;
    Ok(laid_out(&String::from_utf8_lossy(bytes)))
}

/// The layout of a text that can be read.
fn laid_out(text: &str) -> String {
    let mut layout = Layout { out: String::new(), column: 0, indent: 0, ended: true };
    let mut source = Source { tokens: Tokens::new(text), end: 0 };
    let mut statement = Vec::new();
    loop {
        let piece = source.next(statement.is_empty());
        let ends = match piece.kind {
            TokenKind::End => break,
            TokenKind::Comment if statement.is_empty() => {
                layout.comment(&piece, 0, true);
                continue;
            }
            TokenKind::Word if statement.is_empty() => {
                source.split_keyword(piece, &mut statement);
                continue;
            }
            TokenKind::Semicolon => true,
            TokenKind::At => piece.text.len() > 1,
            _ => false,
        };
        statement.push(piece);
        if ends {
            Statement::new(&statement).lay_out(&mut layout);
            statement.clear();
        }
    }
    if !layout.out.is_empty() {
        layout.out.push('\n');
    }
    layout.out
}

/// A token and how it stands in the source.
#[derive(Clone, Copy)]
struct Piece<'a> {
    kind: TokenKind,
    text: &'a str,
    /// How many lines end between the token before it and this one.
    line_ends: usize,
}

/// The tokens of a text that can be read.
struct Source<'a> {
    tokens: Tokens<'a>,
    /// Behind the last token.
    end: usize,
}

impl<'a> Source<'a> {
    /// The next token. At the beginning of a statement, an unknown pragma is one token.
    fn next(&mut self, begins: bool) -> Piece<'a> {
        let token = self.tokens.next();
        let rest = &self.tokens.text[token.end..];
        if begins && token.kind == TokenKind::At && pragma::known(rest).is_none() {
            self.tokens.at += rest.find(';').map_or(rest.len(), |length| length + 1);
        }
        self.piece(Token { end: self.tokens.at, ..token })
    }

    fn piece(&mut self, token: Token) -> Piece<'a> {
        let gap = &self.tokens.text.as_bytes()[self.end..token.start];
        let ends =
            |&at: &usize| gap[at] == b'\n' || (gap[at] == b'\r' && gap.get(at + 1) != Some(&b'\n'));
        let line_ends = (0..gap.len()).filter(ends).count();
        self.end = token.end;
        Piece { kind: token.kind, text: self.tokens.text_of(token), line_ends }
    }

    /// Begins a statement with a word, or with the keyword and the name that it consists of.
    fn split_keyword(&self, word: Piece<'a>, statement: &mut Vec<Piece<'a>>) {
        let mut ahead = self.tokens;
        match Keyword::split(word.text) {
            Some((keyword, rest))
                if !rest.is_empty() && ahead.next_but_comments().kind != TokenKind::Comma =>
            {
                statement.push(Piece { text: &word.text[..keyword.as_str().len()], ..word });
                statement.push(Piece { text: rest, line_ends: 0, ..word });
            }
            _ => statement.push(word),
        }
    }
}

/// The text so far.
struct Layout {
    out: String,
    /// The characters of the last line.
    column: usize,
    /// How far the last line is indented.
    indent: usize,
    /// Whether more needs a new line: the last thing is a comment or the end of a statement.
    ended: bool,
}

impl Layout {
    /// Starts a new line, behind a blank one if there was one and `blank` allows it.
    fn line(&mut self, indent: usize, blank: bool) {
        if !self.out.is_empty() {
            self.out.push('\n');
            if blank {
                self.out.push('\n');
            }
        }
        self.indent = indent.min(MAX_INDENT);
        self.column = self.indent;
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.ended = false;
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    /// Writes a comment at the end of the line, or on one of its own as in the source.
    fn comment(&mut self, comment: &Piece, indent: usize, blank: bool) {
        if self.out.is_empty() || comment.line_ends > 0 {
            self.line(indent, blank && comment.line_ends > 1);
        } else {
            self.write(" ");
        }
        self.write(comment.text.trim_end());
        self.ended = true;
    }
}

/// One statement, its tokens measured.
struct Statement<'s, 'a> {
    pieces: &'s [Piece<'a>],
    /// By piece: whether a blank stands before it on a line.
    blanks: Vec<bool>,
    /// By piece: the columns of all pieces before it on one line; a comment has too many for
    /// any line.
    columns: Vec<usize>,
    /// By opening brace: its partner.
    partners: Vec<usize>,
    /// Whether it is a pragma whose names can be filled into lines.
    pragma: bool,
}

impl<'s, 'a> Statement<'s, 'a> {
    fn new(pieces: &'s [Piece<'a>]) -> Self {
        let pragma = pieces[0].kind == TokenKind::At;
        let blanks = blanks(pieces, pragma);
        let mut columns = vec![0];
        let mut partners = vec![0; pieces.len()];
        let mut open = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            let width = match piece.kind {
                TokenKind::Comment => WIDTH + 1,
                _ => piece.text.chars().count() + usize::from(blanks[index]),
            };
            columns.push(columns[index] + width);
            match piece.kind {
                TokenKind::OpenBrace => open.push(index),
                TokenKind::CloseBrace => partners[open.pop().unwrap_or(0)] = index,
                _ => {}
            }
        }
        Statement { pieces, blanks, columns, partners, pragma }
    }

    fn lay_out(&self, layout: &mut Layout) {
        // By brace that is open and broken: its partner.
        let mut broken: Vec<usize> = Vec::new();
        // Braces before this one are on one line.
        let mut flat_to = 0;
        layout.line(0, self.pieces[0].line_ends > 1);
        for (index, piece) in self.pieces.iter().enumerate() {
            let closes = broken.last() == Some(&index);
            if closes {
                broken.pop();
            }
            let indent = match broken.len() {
                0 if index == 0 || closes => 0,
                0 => STEP,
                depth => depth * STEP,
            };
            if piece.kind == TokenKind::Comment {
                layout.comment(piece, indent, false);
                continue;
            }
            let flat = index < flat_to;
            let breaks = match index.checked_sub(1).map(|before| self.pieces[before].kind) {
                None => false,
                _ if layout.ended || closes => true,
                _ if flat => false,
                Some(TokenKind::OpenBrace) => !broken.is_empty(),
                Some(TokenKind::Comma) if !broken.is_empty() => {
                    // Maps within a list of maps stand below each other.
                    let behind_map = self.pieces[index - 2].kind == TokenKind::CloseBrace;
                    let (end, has_map) = self.end_of_item(index);
                    behind_map || has_map || !self.fits(layout, index, end + 1)
                }
                _ if self.pragma && self.blanks[index] => {
                    let glued = self.blanks[index + 1..].iter().take_while(|blank| !**blank);
                    !self.fits(layout, index, index + 1 + glued.count())
                }
                _ => false,
            };
            if breaks {
                layout.line(indent, false);
            } else if self.blanks[index] {
                layout.write(" ");
            }
            layout.write(piece.text);
            if piece.kind == TokenKind::OpenBrace && !flat {
                let partner = self.partners[index];
                if self.fits(layout, index + 1, self.tail(partner)) {
                    flat_to = partner + 1;
                } else {
                    broken.push(partner);
                }
            }
        }
        layout.ended = true;
    }

    /// Whether the pieces from `from` up to `to` fit on the line.
    fn fits(&self, layout: &Layout, from: usize, to: usize) -> bool {
        layout.column + self.columns[to] - self.columns[from] <= WIDTH
    }

    /// Where the item of a list ends that begins at `from`, at its comma or the brace behind;
    /// and whether it has braces within.
    fn end_of_item(&self, from: usize) -> (usize, bool) {
        let mut at = from;
        let mut braces = false;
        loop {
            at = match self.pieces[at].kind {
                TokenKind::Comma | TokenKind::CloseBrace => return (at, braces),
                TokenKind::OpenBrace => {
                    braces = true;
                    self.partners[at] + 1
                }
                _ => at + 1,
            };
        }
    }

    /// Behind what must follow a closing brace on its line.
    fn tail(&self, brace: usize) -> usize {
        let ends = |piece: &Piece| {
            matches!(
                piece.kind,
                TokenKind::Comma
                    | TokenKind::Semicolon
                    | TokenKind::OpenBrace
                    | TokenKind::CloseBrace
            )
        };
        let behind = &self.pieces[brace + 1..];
        let length = behind.iter().position(ends).map_or(behind.len(), |length| length + 1);
        match behind.get(length.saturating_sub(1)).map(|piece| piece.kind) {
            // It goes to a line of its own.
            Some(TokenKind::CloseBrace) => brace + length,
            _ => brace + 1 + length,
        }
    }
}

/// Where blanks stand between the pieces of a statement, were it on one line.
fn blanks(pieces: &[Piece], pragma: bool) -> Vec<bool> {
    use TokenKind::{
        At, CloseBrace, CloseBracket, CloseParenthesis, Colon, Comma, Comment, OpenBrace,
        OpenBracket, OpenParenthesis, Semicolon, Star,
    };
    let mut blanks = Vec::with_capacity(pieces.len());
    let mut before = None;
    // How many square brackets are open.
    let mut brackets = 0usize;
    // Whether the tags of a pragma have begun.
    let mut tags = false;
    // Whether the last `:` stood before a default.
    let mut default = false;
    for piece in pieces {
        let blank = match (before, piece.kind) {
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
        match piece.kind {
            OpenBracket => {
                brackets += 1;
                tags = true;
            }
            CloseBracket => brackets = brackets.saturating_sub(1),
            Colon => default = matches!(before, Some(Comma | OpenBrace)) && !pragma,
            _ => {}
        }
        if piece.kind != Comment {
            before = Some(piece.kind);
        }
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
