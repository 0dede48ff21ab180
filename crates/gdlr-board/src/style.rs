//! The style sheet under all pages: that of the stages, which is one document, and that of `gdlr web`.
//!
//! It has the colours as properties, for light and for dark, the letters, the controls, and the frame
//! of a page. A page puts its own sheet behind it, with the rules that no other page has.

/// The style sheet, as a text of CSS.
pub const STYLE: &str = include_str!("style.css");
