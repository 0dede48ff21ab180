//! A language of sums.

use super::*;
use crate::diagnostic::{Code, Diagnostic};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Comment,
    Plus,
    Increment,
    Open,
    Close,
    Stray,
    End,
}

#[derive(Clone, Copy, Debug)]
struct Sums;

impl Language for Sums {
    type Kind = Kind;
    const SIGNS: &'static [(&'static str, Kind)] =
        &[("++", Kind::Increment), ("+", Kind::Plus), ("(", Kind::Open), (")", Kind::Close)];
    const WORD: Kind = Kind::Word;
    const COMMENT: Kind = Kind::Comment;
    const STRAY: Kind = Kind::Stray;
    const END: Kind = Kind::End;
    const COMMENT_SIGN: &'static str = "#";
    const MAX_DEPTH: usize = 2;
    const NESTED: &'static str = "sums are";
    const CODES: Codes =
        Codes { syntax: Code::RgSyntax, character: Code::RgCharacter, too_deep: Code::RgTooDeep };

    fn is_word_character(character: char) -> bool {
        character.is_alphanumeric()
    }

    fn about_character(text: &str) -> &'static str {
        if text == "-" { "there is no difference" } else { "leave it out" }
    }

    fn misplaced(word: &str) -> Option<Misplaced> {
        (word == "end").then(|| Misplaced {
            code: Code::RgReserved,
            message: "`end` is no number".to_owned(),
            help: "write another word",
        })
    }
}

fn sum(cursor: &mut Cursor<'_, Sums>) -> Read<usize> {
    let mut terms = 0;
    loop {
        terms += if cursor.eat(Kind::Open) {
            cursor.go_deeper()?;
            let inner = sum(cursor)?;
            cursor.depth -= 1;
            cursor.expect(Kind::Close, "`)`")?;
            inner
        } else if Sums::misplaced(cursor.text_of(cursor.token)).is_some() {
            return cursor.unexpected("a term");
        } else {
            cursor.expect(Kind::Word, "a term")?;
            1
        };
        if !cursor.eat(Kind::Plus) {
            return Ok(terms);
        }
    }
}

/// The number of terms, or the errors.
fn terms(text: &str) -> Result<usize, Vec<Diagnostic>> {
    let mut cursor = Cursor::new(text);
    let read = sum(&mut cursor).and_then(|terms| match cursor.token.kind {
        Kind::End => Ok(terms),
        _ => cursor.unexpected("`+`"),
    });
    read.map_err(|Abandoned| cursor.errors)
}

#[test]
fn tokens_are_found_by_their_first_characters() {
    let text = " ab1+++(é)#c+d\r\n\tx#";
    let mut tokens = Tokens::<Sums>::new(text);
    let mut found = Vec::new();
    loop {
        let token = tokens.next();
        if token.kind == Kind::End {
            assert_eq!((token.start, tokens.next().start), (text.len(), text.len()));
            break;
        }
        found.push((token.kind, tokens.text_of(token)));
    }
    let expected = [
        (Kind::Word, "ab1"),
        (Kind::Increment, "++"),
        (Kind::Plus, "+"),
        (Kind::Open, "("),
        (Kind::Word, "é"),
        (Kind::Close, ")"),
        (Kind::Comment, "#c+d"),
        (Kind::Word, "x"),
        (Kind::Comment, "#"),
    ];
    assert_eq!(found, expected);
    assert_eq!(Tokens::<Sums>::from(text, 4).next_but_comments().kind, Kind::Increment);
}

#[test]
fn a_cursor_looks_ahead_and_at_lines() {
    let first = Cursor::<Sums>::new("a");
    assert!(first.begins_first_column() && !first.begins_line());
    let mut cursor = Cursor::<Sums>::new("# first\na + b\n c");
    assert!(cursor.is_word("a") && cursor.begins_line() && cursor.begins_first_column());
    assert_eq!(cursor.following(), Kind::Plus);
    assert_eq!(cursor.ahead::<4>().map(|token| token.end), [11, 13, 16, 16]);
    assert!(cursor.eat_word("a") && !cursor.eat_word("b") && cursor.eat(Kind::Plus));
    assert!(!cursor.begins_line() && cursor.expect_word("b", "b").is_ok());
    assert!(cursor.begins_line() && !cursor.begins_first_column());
    assert_eq!((cursor.span().start, cursor.span().end), (15, 16));
    cursor.advance();
    assert_eq!((cursor.token.kind, cursor.span().start), (Kind::End, 15));
}

#[test]
fn errors_say_what_is_expected_and_where() {
    assert_eq!(terms("a + (b + (c)) # + d").unwrap(), 3);
    let cases = [
        ("a + ", Code::RgSyntax, 2..3, "expected a term, but the text ends"),
        ("a b", Code::RgSyntax, 2..3, "expected `+`, found `b`"),
        ("a ++ b", Code::RgSyntax, 2..4, "expected `+`, found `++`"),
        ("(a - b)", Code::RgCharacter, 3..4, "the character `-` means nothing here"),
        ("a + \u{feff}", Code::RgCharacter, 4..7, "the character \"\\u{feff}\" means nothing here"),
        ("a + end", Code::RgReserved, 4..7, "`end` is no number"),
        ("(((a)))", Code::RgTooDeep, 3..4, "sums are nested more than 2 deep"),
    ];
    for (text, code, place, message) in cases {
        let found = terms(text).unwrap_err();
        assert_eq!(found.len(), 1, "{text}");
        let one = &found[0];
        assert_eq!((one.code, one.span.range(), &*one.message), (code, place, message), "{text}");
    }
    let long = format!("a {}", "b".repeat(100));
    let found = &terms(&long).unwrap_err()[0].message;
    assert_eq!(*found, format!("expected `+`, found `{}…`", "b".repeat(40)));
}

#[test]
fn no_more_errors_than_the_most_are_kept() {
    let mut cursor = Cursor::<Sums>::new("");
    for _ in 0..2 * MAX_ERRORS {
        let _: Read<()> = cursor.fail("something", "something else");
    }
    assert_eq!(cursor.errors.len(), MAX_ERRORS);
}
