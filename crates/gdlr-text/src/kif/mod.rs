//! KIF s-expressions: reading, printing, limits.
//!
//! The Knowledge Interchange Format as GDL uses it (SPEC, section 5.3) is a sequence of
//! atoms and bracketed lists; a `;` starts a comment up to the end of the line. Atoms stay
//! exactly as written: `08`, `+1`, `1e5`, `?my_v-x`, `é` and `>` are all symbols, and no
//! character but white space, brackets and `;` ends one. White space is ASCII's, as KIF says;
//! other blanks, which look alike, are errors.
//!
//! The reader never recurses, and refuses text that is too large or nested too deep, so
//! whatever walks an [`Expr`] afterwards may recurse: [`Limits::max_depth`] bounds it.
//! Reading is linear in the length of the text.
//!
//! `text.rs` and `marks.rs` have what [`infix`](crate::infix) has in common with this notation:
//! what a reader refuses, and how comments begin. `token.rs` says what tokens are.

mod expr;
mod format;
#[cfg(feature = "lexpr")]
mod interchange;
pub(crate) mod marks;
mod reader;
pub(crate) mod text;
mod token;

pub use crate::syntax::Limits;
pub use expr::{Comment, Document, Expr, ExprKind};
pub use format::format;
#[cfg(feature = "lexpr")]
pub use interchange::NotAnExpr;
pub use reader::{read, read_bytes, read_with};
pub(crate) use token::Kif;
