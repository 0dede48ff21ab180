//! Any bytes: the reader of Regular Boardgames, its layout, its checks, the translation.
//!
//! Whatever is wrong with the bytes is a diagnostic whose spans lie in the text. What can be
//! read is laid out the same when it is laid out twice, and is still the same game; what is
//! without errors becomes an automaton without errors, within limits.
#![no_main]

mod diagnostics;

use diagnostics::sound;
use gdlr::diagnostic::Severity;
use gdlr::{rbg, rg};
use libfuzzer_sys::fuzz_target;

/// So much may become of some bytes.
const LIMITS: rbg::Limits = rbg::Limits {
    tokens: 20_000,
    depth: 64,
    squares: 100,
    actions: 2000,
    bound: 100,
    edges: 5000,
    entries: 20_000,
};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        rbg::is_rbg(text);
    }
    let game = match rbg::read_bytes(bytes) {
        Ok(game) => game,
        Err(errors) => {
            assert!(!errors.is_empty());
            return sound(bytes, &errors);
        }
    };
    let laid_out = rbg::format_bytes(bytes).expect("what is read can be laid out");
    assert_eq!(rbg::format(&laid_out).expect("a layout can be read"), laid_out);
    assert_eq!(rbg::read(&laid_out).expect("a layout can be read"), game);
    match rbg::translate_within(&game, LIMITS) {
        Ok(description) => {
            let errors = rg::validate(&description);
            assert!(errors.iter().all(|found| found.severity() != Severity::Error));
            let text = rg::print(&description).expect("the names of a game can be printed");
            assert!(rg::read(&text).is_ok());
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            sound(bytes, &errors);
        }
    }
});
