//! Signs in a text with the brackets of KIF: comments and fences of other languages.
//!
//! A `#` in a term is a name, as walls are in some games; what could be a comment there has a
//! word behind it, and no bracket that closes up to the end of its line.

use super::sign::{Sign, SignInText};
use crate::diagnostic::Span;
use crate::syntax::line_end;

/// The longest line that could be a comment within a list, in bytes.
const MAX_COMMENT: usize = 400;

/// The signs of a text, comments of KIF set aside.
pub(crate) fn in_kif(text: &str) -> Vec<SignInText> {
    let mut scan = Scan { text, at: 0, open: Vec::new(), found: Vec::new() };
    while let Some(character) = scan.rest().chars().next() {
        match character {
            '(' => {
                scan.open.push(None);
                scan.at += 1;
            }
            ')' => {
                scan.open.pop();
                scan.count();
                scan.at += 1;
            }
            ';' => scan.at = line_end(text, scan.at),
            _ if character.is_whitespace() || character == '\u{feff}' => {
                scan.at += character.len_utf8();
            }
            _ => scan.word(),
        }
    }
    scan.found
}

/// An open list: whether conditions stand in it, and how many items were read.
type Open = Option<(bool, usize)>;

struct Scan<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open>,
    found: Vec<SignInText>,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Counts an item of the innermost list.
    fn count(&mut self) {
        if let Some(Some((_, count))) = self.open.last_mut() {
            *count += 1;
        }
    }

    /// Whether a sentence stands here, rather than a term or the name of a relation.
    fn is_sentence(&self) -> bool {
        match self.open.last() {
            None => true,
            Some(&Some((conditions, count))) => conditions && count > 0,
            Some(None) => false,
        }
    }

    fn begins_line(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches([' ', '\t', '\u{feff}']);
        before.is_empty() || before.ends_with(['\n', '\r'])
    }

    fn word(&mut self) {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';');
        let length = rest.find(ends).unwrap_or(rest.len());
        let word = &rest[..length];
        if let Some((sign, length, skipped)) = self.foreign(word) {
            self.found.push(SignInText::new(sign, Span::new(self.at, self.at + length)));
            self.at += skipped;
            return;
        }
        match self.open.last_mut() {
            Some(open @ None) => {
                *open = Some((["<=", "or", "not", "and"].contains(&word), 0));
            }
            _ => self.count(),
        }
        self.at += length;
    }

    /// The sign that a word is, the length of its mark, and how much is no KIF from it on.
    fn foreign(&self, word: &str) -> Option<(Sign, usize, usize)> {
        let rest = self.rest();
        let line = || line_end(rest, 0);
        let block =
            |close| rest.split_once(close).map_or(rest.len(), |(inside, _)| inside.len() + 2);
        if word.starts_with("```") && self.begins_line() {
            return Some((Sign::Fence, 3, line()));
        }
        if word.starts_with("#|") {
            return Some((Sign::Bars, 2, block("|#")));
        }
        if word.starts_with("/*") {
            return Some((Sign::Stars, 2, block("*/")));
        }
        let is_top = self.open.is_empty();
        if word == "--" && is_top && self.begins_line() && rest[2..].starts_with([' ', '\t']) {
            let told = rest[2..].trim_start_matches([' ', '\t']).starts_with(char::is_alphabetic);
            return told.then(|| (Sign::Dashes, 2, line()));
        }
        let marks = [(Sign::Hash, "#"), (Sign::Slashes, "//"), (Sign::Percent, "%")];
        let (sign, mark) = marks.into_iter().find(|(_, mark)| word.starts_with(mark))?;
        let length = word.len() - word.trim_start_matches(&mark[..1]).len();
        let in_term = || self.open.last() != Some(&None) && is_told(&rest[length..]);
        (self.is_sentence() || in_term()).then(|| (sign, length, line()))
    }
}

/// Whether what is behind a mark, up to the end of the line, could be the words of a comment
/// within a list that goes on.
fn is_told(behind: &str) -> bool {
    let word = behind.trim_start_matches([' ', '\t']);
    let letters = word.chars().take_while(|c| c.is_alphabetic()).take(2).count();
    if letters < 2 {
        return false;
    }
    let near = &behind[..behind.floor_char_boundary(MAX_COMMENT)];
    let line = &near[..line_end(near, 0)];
    line.matches(')').count() <= line.matches('(').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(text: &str) -> Vec<(Sign, &str)> {
        in_kif(text).iter().map(|found| (found.sign, &text[found.span.range()])).collect()
    }

    #[test]
    fn comments_of_other_languages() {
        for (text, sign, mark) in [
            ("# a (game) :)\n(role a)", Sign::Hash, "#"),
            ("(role a) ## first\n", Sign::Hash, "##"),
            ("(<= a\n  #whose turn\n  (b))", Sign::Hash, "#"),
            ("(succ 1 # one (1)\n 2)", Sign::Hash, "#"),
            ("(role a) // a role", Sign::Slashes, "//"),
            ("(role a /* b */)", Sign::Stars, "/*"),
            ("#| (role b\n |#(role a)", Sign::Bars, "#|"),
            ("% a\n(role a)", Sign::Percent, "%"),
            ("-- a game\n(role a)", Sign::Dashes, "--"),
            ("Here it is:\n```lisp\n(role a)", Sign::Fence, "```"),
        ] {
            assert_eq!(signs(text), [(sign, mark)], "{text}");
        }
        assert_eq!(signs("(a) # b\n# c\n(# d)").len(), 2);
    }

    #[test]
    fn names_that_look_like_them() {
        for text in [
            "(row # # . #\n # @)",
            "(cell 1 1 #)",
            "(cell 1 1 # wall)",
            "(p #t %a //b)",
            "(# a)",
            "(<= (# a) (% b))",
            "; # a\n(role a) ; // b",
            "(-- a)",
            "(p -- q)",
            "--\n(p)",
        ] {
            assert_eq!(signs(text), [], "{text}");
        }
    }
}
