//! The canonical layout changes nothing but white space, and is its own canonical layout.

use crate::rulesheets;
use gdlr::kif::{self, Document};
use proptest::prelude::*;

/// The parts that must survive: the expressions, and the comments but for white space at their end.
fn content(source: &str, document: &Document) -> (Vec<String>, Vec<String>) {
    let comments = document.comments.iter();
    (
        document.items.iter().map(ToString::to_string).collect(),
        comments.map(|comment| source[comment.span.range()].trim_end().to_owned()).collect(),
    )
}

fn keeps_content_and_is_stable(source: &str) {
    let document = kif::read(source).expect("text that can be read");
    let once = kif::format(source, &document);
    let again = kif::read(&once).expect("a layout that can be read");
    assert_eq!(content(source, &document), content(&once, &again));
    assert_eq!(once, kif::format(&once, &again), "not stable");
    assert!(!once.contains("\n\n\n"), "two blank lines");
    assert!(once.lines().all(|line| !line.ends_with(' ')), "white space at the end of a line");
}

#[test]
fn public_rulesheets() {
    for (_, text) in rulesheets::all() {
        keeps_content_and_is_stable(&text);
    }
}

/// Text with brackets that match: words, comments, white space and lists of such.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-zé?|+0-9]{1,9}",
        Just("<=".to_owned()),
        Just("or".to_owned()),
        Just("not".to_owned()),
        "[a-z]{30,90}",
    ];
    let space = prop_oneof![
        Just(" ".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n\r\n".to_owned()),
        Just("\n\n \n".to_owned()),
        Just("\r".to_owned()),
        "[ \t]{0,3};[a-z() ;é]{0,20}\n",
    ];
    let leaf = (word, space.clone()).prop_map(|(word, space)| word + &space);
    let piece = prop_oneof![3 => leaf, 1 => space.clone()];
    let nested = piece.prop_recursive(6, 60, 8, move |inner| {
        (prop::collection::vec(inner, 0..8), space.clone())
            .prop_map(|(items, space)| format!("({}){space}", items.concat()))
    });
    // A space keeps neighbours apart: `a` and `b` are not `ab`.
    prop::collection::vec(nested, 0..8).prop_map(|items| items.join(" "))
}

proptest! {
    #[test]
    fn any_document(source in text()) {
        keeps_content_and_is_stable(&source);
    }
}
