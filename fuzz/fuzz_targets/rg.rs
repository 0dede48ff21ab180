//! Any bytes: the reader of Regular Games, its printer, its layout and the validators.
//!
//! Whatever is wrong with the bytes is a diagnostic whose spans lie in the text. What can be
//! read is laid out the same when it is laid out twice, and is still the same description;
//! what can be printed is read back as it was.
#![no_main]

mod diagnostics;

use diagnostics::sound;
use gdlr::rg;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let description = match rg::read_bytes(bytes) {
        Ok(description) => description,
        Err(errors) => {
            assert!(!errors.is_empty());
            return sound(bytes, &errors);
        }
    };
    sound(bytes, &rg::validate(&description));
    let _ = rg::to_dot(&description);
    let laid_out = rg::format_bytes(bytes).expect("what is read can be laid out");
    assert_eq!(rg::format(&laid_out).expect("a layout can be read"), laid_out);
    // The names have the same numbers: the statements stand in the same order.
    assert_eq!(rg::read(&laid_out).expect("a layout can be read"), description);
    if let Ok(text) = rg::print(&description) {
        let again = rg::read(&text).expect("the printer prints what can be read");
        assert_eq!(rg::print(&again).as_ref(), Ok(&text));
    }
});
