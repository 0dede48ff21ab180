//! Languages of words and signs: what all their readers do alike.
//!
//! Such a language has words, signs, blanks between them, and comments up to the end of a line:
//! both notations of GDL, Regular Games and its relatives do. A [`Language`] says which. [`Tokens`] goes through a text
//! token by token, and a [`Cursor`] stands in it: it looks ahead, takes what is expected, counts how
//! deep things nest, and collects errors, of which a reader reports several in one run. A grammar
//! is written by hand, on a cursor. The layout of a text is written by hand, on a [`Page`], which keeps
//! its comments and blank lines.
//!
//! | file | what it is for |
//! |---|---|
//! | `language` | [`Language`]: signs, words, comments; [`Messages`]: what errors say |
//! | `limits` | [`Limits`], and what goes beyond them; bytes that are not UTF-8 |
//! | `token` | [`Token`] and [`Tokens`] |
//! | `cursor` | [`Cursor`] |
//! | `page` | [`Page`] |

mod cursor;
mod language;
mod limits;
mod page;
mod token;

pub use cursor::{Abandoned, Cursor, Read, quoted};
pub use language::{Language, Messages, Misplaced};
pub use limits::{Limits, Refusal, Refusals, check_size, too_deep, utf8};
pub use page::{MAX_INDENT, Page, Rewrite, STEP, WIDTH};
pub use token::{Token, Tokens, line_end};

#[cfg(test)]
mod tests;
