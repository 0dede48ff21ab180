//! Any bytes: the reader of High-level Regular Games, its layout, its checks, the translation.
//!
//! Whatever is wrong with the bytes is a diagnostic whose spans lie in the text. What can be
//! read is laid out the same when it is laid out twice, and is still the same game; what is
//! without errors becomes an automaton without errors, within limits.
#![no_main]

mod diagnostics;

use diagnostics::sound;
use gdlr::diagnostic::Severity;
use gdlr::{hrg, rg};
use libfuzzer_sys::fuzz_target;

/// So much may become of some bytes.
const LIMITS: hrg::Limits =
    hrg::Limits { values: 2000, entries: 20_000, edges: 5000, steps: 100_000, depth: 64 };

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        hrg::is_hrg(text);
    }
    let game = match hrg::read_bytes(bytes) {
        Ok(game) => game,
        Err(errors) => {
            assert!(!errors.is_empty());
            return sound(bytes, &errors);
        }
    };
    let laid_out = hrg::format_bytes(bytes).expect("what is read can be laid out");
    assert_eq!(hrg::format(&laid_out).expect("a layout can be read"), laid_out);
    // The names have the same numbers: everything stands in the same order.
    assert_eq!(hrg::read(&laid_out).expect("a layout can be read"), game);
    match hrg::translate_within(&game, LIMITS) {
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
