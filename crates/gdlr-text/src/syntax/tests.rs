//! A language of sums.

use super::*;
use crate::diagnostic::{Code, Diagnostic, Span};

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

#[derive(Clone, Copy, Debug, Default)]
struct Sums;

impl Language for Sums {
    type Kind = Kind;
    const SIGNS: &'static [(&'static str, Kind)] =
        &[("++", Kind::Increment), ("+", Kind::Plus), ("(", Kind::Open), (")", Kind::Close)];
    const WORD: Kind = Kind::Word;
    const COMMENT: Kind = Kind::Comment;
    const STRAY: Kind = Kind::Stray;
    const END: Kind = Kind::End;
    const COMMENT_SIGNS: &'static [&'static str] = &["#"];
    const LIMITS: Limits = Limits { max_bytes: 1000, max_depth: 2, max_errors: 3 };
    const NESTED: &'static str = "sums are";
    const REFUSALS: Refusals = Refusals {
        not_utf8: Refusal { code: Code::RgNotUtf8, help: Some("save it") },
        too_large: Refusal { code: Code::RgTooLarge, help: None },
        too_deep: Refusal { code: Code::RgTooDeep, help: None },
    };

    fn is_word_character(character: char) -> bool {
        character.is_alphanumeric()
    }

    /// `<` and whatever stands before `>`.
    fn special(&self, text: &str) -> Option<(Kind, usize)> {
        let end = text.strip_prefix('<')?.find('>')?;
        Some((Kind::Word, end + 2))
    }
}

impl Messages for Sums {
    const SYNTAX: Code = Code::RgSyntax;
    const CHARACTER: Code = Code::RgCharacter;

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
    let mut read = Vec::new();
    loop {
        let token = tokens.next();
        if token.kind == Kind::End {
            assert_eq!((token.start, tokens.next().start), (text.len(), text.len()));
            break;
        }
        read.push((token.kind, tokens.text_of(token)));
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
    assert_eq!(read, expected);
    assert_eq!(Tokens::<Sums>::new("\u{feff}a").next().kind, Kind::Stray);
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
        let errors = terms(text).unwrap_err();
        assert_eq!(errors.len(), 1, "{text}");
        let one = &errors[0];
        assert_eq!((one.code, one.span.range(), &*one.message), (code, place, message), "{text}");
    }
    let long = format!("a {}", "b".repeat(100));
    let message = &terms(&long).unwrap_err()[0].message;
    assert_eq!(*message, format!("expected `+`, found `{}…`", "b".repeat(40)));
}

#[test]
fn no_more_errors_than_the_most_are_kept() {
    let mut cursor = Cursor::<Sums>::new("");
    for _ in 0..5 {
        let _: Read<()> = cursor.fail("something", "something else");
    }
    assert_eq!(cursor.errors.len(), 3);
}

#[test]
fn tokens_that_are_told_by_more_than_their_first_characters() {
    let mut tokens = Tokens::<Sums>::new("<a + b>+<c");
    let mut next = || {
        let token = tokens.next();
        (token.kind, tokens.text_of(token))
    };
    let read = std::array::from_fn::<_, 4, _>(|_| next());
    let expected =
        [(Kind::Word, "<a + b>"), (Kind::Plus, "+"), (Kind::Stray, "<"), (Kind::Word, "c")];
    assert_eq!(read, expected);
}

#[test]
fn texts_are_refused_with_a_place() {
    assert_eq!(utf8::<Sums>("é".as_bytes()).unwrap(), "é");
    let error = &utf8::<Sums>(b"a \xc3(").unwrap_err()[0];
    assert_eq!((error.code, error.span.range()), (Code::RgNotUtf8, 2..3));
    assert_eq!(error.message, "the text is not UTF-8: byte 0xc3 at offset 2");
    assert_eq!(error.help.as_deref(), Some("save it"));
    assert!(check_size::<Sums>(&"a".repeat(1000), &Sums::LIMITS).is_ok());
    let error = &check_size::<Sums>(&"a".repeat(1001), &Sums::LIMITS).unwrap_err()[0];
    assert_eq!((error.code, error.help.as_deref()), (Code::RgTooLarge, None));
    assert_eq!(error.message, "the text has 1001 bytes, more than the limit of 1000");
}

/// The layout of sums: a term a line, what is in brackets further in.
fn laid_out(text: &str) -> String {
    let mut page = Page::rewriting(text, Box::new(|comment| comment.replace("##", "#")));
    let mut tokens = Tokens::<Sums>::new(text);
    let mut depth = 0usize;
    loop {
        let token = page.next_token(&mut tokens);
        let (kind, span) = (token.kind, token.span());
        if kind == Kind::End {
            return page.finish();
        }
        depth -= usize::from(kind == Kind::Close);
        let commented = page.comments_before(span.start, 2 * depth, depth == 0);
        if commented || kind == Kind::Word {
            page.line(span.start, 2 * depth, depth == 0);
        }
        page.copy(span);
        depth += usize::from(kind == Kind::Open);
    }
}

#[test]
fn a_page_keeps_comments_where_they_stood() {
    assert_eq!(laid_out(""), "");
    assert_eq!(laid_out(" \n#\n"), "#\n");
    assert_eq!(
        laid_out("##a  \n#b\r\n\r\n\r\nx # of x\n+(#open\n\n  # own\n y)#close\n\n\n#last\n\n#end"),
        "#a\n#b\n\nx # of x\n+( #open\n  # own\n  y) #close\n\n#last\n\n#end\n"
    );
}

#[test]
fn a_page_keeps_one_blank_line_where_it_may() {
    assert_eq!(laid_out("\n\nx\n\n\n\ny\nz"), "x\n\ny\nz\n");
    // A line of its own needs no more than a line's end in the source, of any kind.
    assert_eq!(laid_out("x\r\ry\r\nz"), "x\n\ny\nz\n");
    assert_eq!(laid_out("(\n\nx\n\n#c\n+y)"), "(\n  x\n  #c\n  +\n  y)\n");
}

#[test]
fn a_page_counts_characters_and_bounds_indentation() {
    let mut page = Page::new("éé b");
    page.line(0, 3, true);
    page.copy(Span::new(0, 4));
    assert_eq!((page.column(), page.room()), (5, WIDTH - 5));
    page.line(5, MAX_INDENT + 1, true);
    page.copy(Span::new(5, 6));
    assert_eq!(page.column(), MAX_INDENT + 1);
    page.write(&"x".repeat(WIDTH));
    assert_eq!(page.room(), 0);
    let text = page.finish();
    assert!(text.starts_with(&format!("   éé\n{}bx", " ".repeat(MAX_INDENT))), "{text}");
}

#[test]
fn a_page_says_what_is_not_written_yet() {
    let text = "a #1\n#2\nb";
    let mut page = Page::new(text);
    page.keep(Span::new(2, 4));
    page.keep(Span::new(5, 7));
    page.line(0, 0, false);
    page.copy(Span::new(0, 1));
    assert!(page.commented_before(3) && !page.commented_before(2));
    assert_eq!((page.line_ends_before(2), page.line_ends_before(8)), (0, 2));
    assert!(page.comment_before(8, 0, false) && page.commented_before(8));
    assert_eq!(page.line_ends_before(8), 2);
    assert!(page.comments_before(8, 1, false) && !page.comments_before(8, 1, false));
    assert_eq!(page.finish(), "a #1\n #2\n");
}
