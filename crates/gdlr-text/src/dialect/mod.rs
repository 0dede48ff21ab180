//! Ways of writing rules that are not GDL, and are told apart from it.
//!
//! Rulesheets in the wild are written by people who know Prolog, ASP, Lisp, the dialect of
//! Stanford's gamemaster, or Markdown better than GDL, and by language models. Much of it can be
//! read as GDL of another meaning: `terminal :- a ; b.` has a comment in GDL, `not p` is two
//! conditions, and `(= ?x ?y)` is a relation of which nothing is known. So readers note
//! each `Sign` of such writing, and refuse the rulesheet with one message that says what it
//! seems to be, what GDL has instead, and where.
//!
//! Invariants: a rulesheet with a sign is never read, and no sign stands in a rulesheet
//! of GDL as the specification, the public collections and `gdlr fmt` write it.
//!
//! | file | what is there |
//! |---|---|
//! | `sign` | the signs, the dialects that they speak for, and what GDL has instead |
//! | `report` | the one message |
//! | `tail` | whether a comment could be conditions |
//! | `kif` | signs in a text with KIF's brackets |
//! | `operators` | relations and functions that nothing in the rulesheet gives a meaning |
//!
//! Signs in infix notation are found by the reader of [`infix`](crate::infix), which knows where it is.

mod kif;
mod operators;
mod report;
mod sign;
mod tail;

pub(crate) use kif::in_kif;
pub(crate) use operators::{in_rules, is_computed};
pub(crate) use report::report;
pub(crate) use sign::{Dialect, Sign, SignInText, Writing};
pub(crate) use tail::{conditions, word};

/// The text behind a foreign comment or fence at the beginning, if there is one.
pub(crate) fn behind_comment(text: &str) -> Option<&str> {
    for (open, close) in [("/*", "*/"), ("#|", "|#")] {
        if let Some(inside) = text.strip_prefix(open) {
            return Some(inside.split_once(close).map_or("", |(_, behind)| behind));
        }
    }
    let is_line = ["#", "//", "```", "-- "].iter().any(|mark| text.starts_with(mark));
    is_line.then(|| &text[crate::syntax::line_end(text, 0)..])
}
