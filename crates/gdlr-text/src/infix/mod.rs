//! Rulesheets in infix notation: `legal(W,mark(X,Y)) :- true(cell(X,Y,b)) & ~terminal`.
//!
//! It is the form of the Stanford course (M. Genesereth, M. Thielscher, *General Game
//! Playing*, chapter 2), and the one of which RG's own examples are made. The reader makes the
//! same expressions of it that [`kif`] makes of KIF, with spans of the infix text, so nothing
//! behind it knows which notation a rulesheet had:
//!
//! | infix | KIF |
//! |---|---|
//! | `p(a,f(X))` | `(p a (f ?x))` |
//! | `p()` | `(p)` |
//! | `head :- a & b` | `(<= head a b)` |
//! | `~a`, `(a \| b)` | `(not a)`, `(or a b)` |
//! | `X`, `OldX`, `_1` | `?x`, `?oldX`, `?_1` |
//! | `_` | a variable of its own each time |
//! | `"thrust!"`, `"White"`, `"?X"` | `thrust!`, `White`, `?X` |
//!
//! `docs/infix.md` is the whole of it, and says why. What always holds: the reader has a stack of
//! its own, and the limits of [`kif`], so that the depth of its expressions is bounded as there;
//! the spans of the items of a list are in order (an operator that stands between its operands
//! has an empty span where the list begins); and whatever [`format()`] writes is read as the
//! expressions that it was written from.
//!
//! `token.rs` makes tokens, `names.rs` goes between names here and there, `chain.rs` joins
//! conditions by `&` and `|`, `reader.rs` puts expressions together; `form.rs` says how an
//! expression is written, `format.rs` lays a rulesheet out. `recognise.rs` tells a text in infix
//! notation from one in KIF.
//!
//! [`kif`]: crate::kif

mod chain;
mod foreign;
mod form;
mod format;
mod names;
mod reader;
mod recognise;
mod token;

pub use format::format;
pub use reader::{read, read_with};
pub use recognise::is_infix;
