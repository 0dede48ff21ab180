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
//! | file | what it is for |
//! |---|---|
//! | `token` | what tokens are |
//! | `scanner` | goes through a text; puts aside what is no token |
//! | `names` | names here and in KIF; `anonymous`: variables without one |
//! | `reader` | reads a text |
//! | `grammar` | what a token means where it stands |
//! | `stack` | what is not complete yet |
//! | `chain` | conditions that are joined by `&` or `\|` |
//! | `prolog` | the same with the signs of Prolog |
//! | `foreign` | signs of other languages |
//! | `form`, `format` | how an expression is written; the layout of a rulesheet |
//! | `recognise` | tells a text in infix notation from one in KIF |
//!
//! [`kif`]: crate::kif

mod anonymous;
mod chain;
mod foreign;
mod form;
mod format;
mod grammar;
mod names;
mod prolog;
mod reader;
mod recognise;
mod scanner;
mod stack;
mod token;

pub(crate) use form::{Context, on_one_line};
pub(crate) use format::Printer;
pub use format::format;
pub(crate) use names::{is_quotable, to_kif};
pub use reader::{read, read_with};
pub use recognise::is_infix;
