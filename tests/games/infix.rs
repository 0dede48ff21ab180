//! Infix notation: there and back nothing is lost, and neither notation is taken for the other.

use crate::programs::programs;
use crate::rulesheets;
use gdlr::gdl::Game;
use gdlr::kif::{self, Document};
use gdlr::notation::{self, Notation};
use gdlr::{check, infix};
use proptest::prelude::*;

fn items(document: &Document) -> Vec<String> {
    document.items.iter().map(ToString::to_string).collect()
}

/// The comments without the marks at their beginning.
fn comments(source: &str, document: &Document) -> Vec<String> {
    let texts = document.comments.iter().map(|comment| source[comment.span.range()].trim_end());
    texts.map(|text| text.trim_start_matches([';', '%']).to_owned()).collect()
}

/// Writes a text of KIF in infix notation and back; gives what it is in infix notation.
#[track_caller]
fn there_and_back(source: &str) -> String {
    let document = kif::read(source).expect("text that can be read");
    let written = infix::format(source, &document).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let read = infix::read(&written).unwrap_or_else(|errors| panic!("{}\n{written}", errors[0]));
    assert_eq!(items(&document), items(&read), "{written}");
    assert_eq!(comments(source, &document), comments(&written, &read), "{written}");
    let again = infix::format(&written, &read).expect("what was written once");
    assert_eq!(written, again, "not stable");
    assert!(!written.contains("\n\n\n"), "two blank lines\n{written}");
    assert!(written.lines().all(|line| !line.ends_with(' ')), "white space at the end of a line");
    let back = kif::format(&written, &read);
    let document_back = kif::read(&back).unwrap_or_else(|errors| panic!("{}\n{back}", errors[0]));
    assert_eq!(items(&document), items(&document_back));
    assert_eq!(comments(source, &document), comments(&back, &document_back));
    written
}

#[test]
fn public_rulesheets() {
    for (path, text) in rulesheets::all() {
        let infix = there_and_back(&text);
        assert_eq!(Notation::of(&text), Notation::Kif, "{}", path.display());
        assert_eq!(Notation::of(&infix), Notation::Infix, "{}", path.display());
        for text in [&text, &infix] {
            assert!(notation::read(text).is_ok(), "{}", path.display());
        }
        let game = |text: &str| Game::from_text("game", text).expect("a rulesheet");
        let (kif, infix) = (game(&text), game(&infix));
        assert!(kif.symbols == infix.symbols && kif.roles == infix.roles, "{}", path.display());
        // The checks find the same, but for how the rulesheet is laid out.
        let messages = |game: &Game| {
            check::check(game).into_iter().map(|one| (one.code, one.message)).collect::<Vec<_>>()
        };
        assert_eq!(messages(&kif), messages(&infix), "{}", path.display());
    }
}

/// A rulesheet of KIF cut off anywhere is still KIF, one of infix notation still infix.
#[test]
fn beginnings() {
    for path in rulesheets::own() {
        let kif = std::fs::read_to_string(path).expect("a rulesheet");
        let infix = there_and_back(&kif);
        for (text, notation) in [(kif, Notation::Kif), (infix, Notation::Infix)] {
            let first = text.find(['(']).expect("a bracket") + 1;
            for end in (first..text.len()).step_by(7).filter(|&end| text.is_char_boundary(end)) {
                assert_eq!(Notation::of(&text[..end]), notation, "{}", &text[..end]);
            }
        }
    }
}

/// Text with brackets that match, in which every list begins with a name: words, comments, white
/// space and lists of such.
fn text() -> impl Strategy<Value = String> {
    let word = || {
        prop_oneof![
            "[a-z0-9_?]{1,4}",
            "[?]?[a-zA-Zé|+0-9,.%~&:-]{1,9}",
            Just("<=".to_owned()),
            Just("or".to_owned()),
            Just("not".to_owned()),
            "[a-z]{30,90}",
        ]
    };
    let space = prop_oneof![
        4 => Just(" ".to_owned()),
        1 => Just("\n".to_owned()),
        1 => Just("\r\n\r\n".to_owned()),
        1 => Just("\n\n \n".to_owned()),
        1 => Just("\r".to_owned()),
        1 => "[ \t]{0,3}[ \n];[a-z() ;é%]{0,20}\n",
    ];
    let leaf = (word(), space.clone()).prop_map(|(word, space)| word + &space);
    let nested = leaf.prop_recursive(6, 60, 8, move |inner| {
        let items = prop::collection::vec(inner, 0..8);
        (space.clone(), word(), space.clone(), items, space.clone()).prop_map(
            |(before, name, between, items, behind)| {
                format!("({before}{name}{between}{}){behind}", items.concat())
            },
        )
    });
    prop::collection::vec(nested, 0..8).prop_map(|items| items.join(" "))
}

proptest! {
    #[test]
    fn any_document(source in text()) {
        there_and_back(&source);
    }

    #[test]
    fn random_rulesheets(program in programs()) {
        let source = program.to_string();
        let infix = there_and_back(&source);
        prop_assert_eq!(Notation::of(&source), Notation::Kif);
        prop_assert_eq!(Notation::of(&infix), Notation::Infix);
    }

    /// Whatever the text, the reader ends, its errors have places in it, and what it reads is
    /// laid out as it is read.
    #[test]
    fn any_text(source in "([a-bX_é\"?;%.,&|~()<=+\n ]|:-|, | & ){0,60}") {
        match infix::read(&source) {
            Ok(document) => {
                let once = infix::format(&source, &document).expect("what was read");
                let again = infix::read(&once).expect("what was written");
                prop_assert_eq!(items(&document).len(), again.items.len());
                prop_assert_eq!(&infix::format(&once, &again).expect("what was read"), &once);
                let kif = kif::read(&kif::format(&source, &document)).expect("KIF");
                prop_assert_eq!(items(&document), items(&kif));
            }
            Err(errors) => {
                prop_assert!(!errors.is_empty());
                for span in errors.iter().flat_map(|error| {
                    std::iter::once(error.span).chain(error.related.iter().map(|related| related.0))
                }) {
                    prop_assert!(source.get(span.range()).is_some(), "{:?}", span);
                }
            }
        }
    }
}

/// Infix notation nests whatever KIF can nest.
#[test]
fn as_deep_as_can_be() {
    let nested = |open: &str, depth: usize| open.repeat(depth) + "a" + &")".repeat(depth);
    there_and_back(&nested("(f ", 256));
    for (open, depth) in [("(f ", 255), ("(not ", 255), ("(or a ", 255)] {
        there_and_back(&format!("(<= h {})", nested(open, depth)));
        there_and_back(&format!("(<= {} h)", nested(open, depth)));
    }
    let mixed = "(not (or b ".repeat(127) + "(f a)" + &"))".repeat(127);
    there_and_back(&format!("(<= h {mixed})"));
}
