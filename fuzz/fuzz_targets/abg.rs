//! Any bytes: the reader of Abstract Board Games, its layout, its checks, the translation.
//!
//! Whatever is wrong with the bytes is a diagnostic whose spans lie in the text. What can be
//! read is laid out the same when it is laid out twice. What is without errors becomes an automaton without errors,
//! within limits; its layout becomes the same automaton.
#![no_main]

mod diagnostics;

use diagnostics::sound;
use gdlr::diagnostic::Severity;
use gdlr::{abg, rg};
use libfuzzer_sys::fuzz_target;

/// So much may become of some bytes.
const LIMITS: abg::Limits = abg::Limits {
    parts: 20_000,
    depth: 64,
    squares: 100,
    states: 200,
    steps: 200_000,
    values: 100,
    edges: 5000,
    entries: 20_000,
};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        abg::is_abg(text);
    }
    let tree = match abg::read_bytes(bytes) {
        Ok(tree) => tree,
        Err(errors) => {
            assert!(!errors.is_empty());
            return sound(bytes, &errors);
        }
    };
    let laid_out = abg::format_bytes(bytes).expect("what is read can be laid out");
    assert_eq!(abg::format(&laid_out).expect("a layout can be read"), laid_out);
    let translated = abg::resolve_within(&tree, LIMITS).and_then(|(game, warnings)| {
        sound(bytes, &warnings);
        abg::translate_within(&game, LIMITS)
    });
    match translated {
        Ok(description) => {
            let errors = rg::validate(&description);
            assert!(errors.iter().all(|found| found.severity() != Severity::Error));
            let text = rg::print(&description).expect("the names of a game can be printed");
            assert!(rg::read(&text).is_ok());
            let again = abg::read(&laid_out).and_then(|tree| abg::resolve_within(&tree, LIMITS));
            let again = again.and_then(|(game, _)| abg::translate_within(&game, LIMITS));
            assert_eq!(again.expect("a layout is the same game"), description);
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            sound(bytes, &errors);
        }
    }
});
