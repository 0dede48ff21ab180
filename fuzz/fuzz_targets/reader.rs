//! Any bytes: the reader, the printer, the rules and the checks.
//!
//! Whatever is wrong with the bytes is a diagnostic whose spans lie in the text. What can be
//! read is laid out the same when it is laid out twice, and is still the same rulesheet, in
//! infix notation and with operations, too.
#![no_main]

mod diagnostics;

use diagnostics::sound;
use gdlr::gdl::{Game, Reading};
use gdlr::notation::Notation;
use gdlr::{check, infix, kif, notation, operations};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(errors) = notation::read_bytes(bytes) {
        sound(bytes, &errors);
    }
    if let Some((text, document)) =
        std::str::from_utf8(bytes).ok().and_then(|text| Some((text, infix::read(text).ok()?)))
    {
        in_infix(text, &document);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        with_operations(text);
    }
    let document = match kif::read_bytes(bytes) {
        Ok(document) => document,
        Err(errors) => return sound(bytes, &errors),
    };
    let text = std::str::from_utf8(bytes).expect("the reader takes nothing but UTF-8");
    let laid_out = kif::format(text, &document);
    let again = kif::read(&laid_out).expect("the printer prints what can be read");
    assert_eq!(document.items.len(), again.items.len());
    for (before, after) in document.items.iter().zip(&again.items) {
        assert_eq!(before.to_string(), after.to_string());
    }
    assert_eq!(document.comments.len(), again.comments.len());
    assert_eq!(kif::format(&laid_out, &again), laid_out);
    // Elsewhere the marks of comments are kept, which mean something else to the other reader.
    if Notation::of(text) == Notation::Kif {
        in_infix(text, &document);
        match operations::from_gdl(text, &document) {
            Ok(written) => with_operations(&written),
            Err(errors) => sound(bytes, &errors),
        }
    }
    for case_sensitive in [false, true] {
        match Game::from_document(
            "fuzz",
            document.clone(),
            Reading { case_sensitive, built_ins: case_sensitive },
        ) {
            Ok(game) => sound(bytes, &check::check(&game)),
            Err(errors) => {
                assert!(!errors.is_empty());
                sound(bytes, &errors);
            }
        }
    }
});

/// What operations can be read is laid out, and means the same.
fn with_operations(text: &str) {
    sound(text.as_bytes(), &operations::warnings(text));
    let written = match operations::format(text) {
        Ok(written) => written,
        Err(errors) => return sound(text.as_bytes(), &errors),
    };
    assert_eq!(operations::format(&written).expect("what was written once"), written);
    match (operations::read(text), operations::read(&written)) {
        (Ok(before), Ok(after)) => {
            let rules = |document: kif::Document| {
                document.items.iter().map(ToString::to_string).collect::<Vec<_>>()
            };
            assert_eq!(before.comments.len(), after.comments.len());
            assert_eq!(rules(before), rules(after));
        }
        (before, after) => assert_eq!(before.is_err(), after.is_err()),
    }
}

/// What infix notation can write is read as the same expressions.
fn in_infix(text: &str, document: &kif::Document) {
    let Ok(written) = infix::format(text, document) else { return };
    let again = infix::read(&written).expect("the layout can be read");
    let back = kif::read(&kif::format(&written, &again)).expect("the layout can be read");
    assert_eq!(document.items.len(), again.items.len());
    // A `_` is named as it was only in the text that it was read from.
    if !written.contains('_') {
        for (before, after) in document.items.iter().zip(&again.items) {
            assert_eq!(before.to_string(), after.to_string());
        }
    }
    assert!(
        again.items.iter().map(ToString::to_string).eq(back.items.iter().map(ToString::to_string))
    );
    assert_eq!(infix::format(&written, &again).expect("what was written once"), written);
}
