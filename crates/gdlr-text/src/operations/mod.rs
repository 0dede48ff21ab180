//! Rulesheets in the notation of operations: `mark(M,N) :: control(R) ==> cell(M,N,R) & ~cell(M,N,b)`.
//!
//! It is the notation of Stanford's course on general game playing today (M. Genesereth, *Dynamic Logic
//! Programming*). An operation says what a move adds and takes away, and all else stays; `legal` has no
//! role, since `control` says whose turn it is. The reader makes the expressions of ordinary rules in
//! [`kif`](crate::kif) of it, with spans of the text, so nothing behind it knows the notation.
//! `docs/infix.md` says what is read, and what it means.
//!
//! The meaning is that of the course's own interpreter, which was found by experiment: `crates/gdlr-tree/tests/operations`
//! has a case for each answer.
//!
//! | file | what it is for |
//! |---|---|
//! | `recognise` | tells a text in this notation from one in GDL's infix notation |
//! | `token`, `reader` | from a text to statements |
//! | `sheet` | statements |
//! | `translate` | from statements to rules of GDL |
//! | `check` | warnings |
//! | `format` | the layout of a sheet |
//! | `from_gdl` | from rules of GDL to statements |
//! | `builtin` | what built-in relations compute |
//! | `arithmetic`, `domain` | tables for them, over what their arguments can be |
//! | `open` | values for variables that only the uses of a relation bind |

mod arithmetic;
mod builtin;
mod check;
mod domain;
mod format;
mod from_gdl;
mod open;
mod reader;
mod recognise;
mod sheet;
mod token;
mod translate;

#[cfg(test)]
mod tests;

use crate::diagnostic::Diagnostic;
use crate::kif::Document;

/// Whether a text that is no KIF is in the notation of operations: `legal` has one argument, or there is
/// no `legal`, and a `::` or `==>`.
///
/// ```
/// # mod gdlr { pub use gdlr_text::operations; }
/// use gdlr::operations::is_operations;
///
/// assert!(is_operations("legal(mark(M,N)) :- cell(M,N,b)"));
/// assert!(!is_operations("legal(W,mark(M,N)) :- true(cell(M,N,b))"));
/// ```
pub fn is_operations(text: &str) -> bool {
    recognise::is_operations(text)
}

/// Reads a rulesheet in the notation of operations, as the rules of GDL that it means.
///
/// # Errors
///
/// Signs and names in the wrong place, effects that are no facts of the state, keywords that mean
/// something else here, built-in relations that are not read, and numbers without a bound.
///
/// ```
/// # mod gdlr { pub use gdlr_text::operations; }
/// let text = "role(you) init(control(you)) legal(go) :- ~done\ngo :: done";
/// let document = gdlr::operations::read(text).unwrap();
/// let rules: Vec<String> = document.items.iter().map(ToString::to_string).collect();
/// assert_eq!(rules[3], "(<= (next done) (does ?role go))");
/// ```
pub fn read(text: &str) -> Result<Document, Vec<Diagnostic>> {
    let sheet = reader::read(text)?;
    let rules = arithmetic::with_tables(translate::translate(&sheet)?)?;
    let items = rules.into_iter().map(translate::Rule::into_expr).collect();
    Ok(Document { items, comments: sheet.comments })
}

/// Rules of GDL with tables for the built-in relations of this notation that they ask for, such as
/// `(plus ?x 1 ?y)`. A relation that the rulesheet defines is its own. `docs/infix.md` has the list.
///
/// # Errors
///
/// Built-in relations that are not read, or have the wrong number of arguments, and numbers without a bound.
///
/// ```
/// # mod gdlr { pub use gdlr_text::{kif, operations}; }
/// let text = "(number 1) (number 2) (<= (double ?x ?y) (number ?x) (times 2 ?x ?y))";
/// let document = gdlr::kif::read(text).unwrap();
/// let with_tables = gdlr::operations::with_built_ins(&document).unwrap();
/// let tables: Vec<String> = with_tables.items[3..].iter().map(ToString::to_string).collect();
/// assert_eq!(tables, ["(times 2 1 2)", "(times 2 2 4)"]);
/// ```
pub fn with_built_ins(document: &Document) -> Result<Document, Vec<Diagnostic>> {
    translate::gdl_with_tables(document)
}

/// Whether [`with_built_ins`] computes a relation of this name, in small letters.
pub fn is_computed(name: &str) -> bool {
    builtin::is_function(name)
        || builtin::is_comparison(name)
        || matches!(name, "number" | "evaluate" | "countofall")
}

/// Warnings about a rulesheet in the notation of operations, by place: effects without a use, names that are
/// not declared, moves without an operation, several roles in control. A text that cannot be read has none.
///
/// ```
/// # mod gdlr { pub use gdlr_text::operations; }
/// let text = "role(you) init(control(you)) legal(go) :- ~done\ngo :: done & ~done";
/// assert_eq!(gdlr::operations::warnings(text)[0].code.as_str(), "W016");
/// ```
pub fn warnings(text: &str) -> Vec<Diagnostic> {
    reader::read(text).map_or_else(|_| Vec::new(), |sheet| check::check(&sheet))
}

/// The canonical layout of a rulesheet in the notation of operations.
///
/// # Errors
///
/// Signs and names in the wrong place.
///
/// ```
/// # mod gdlr { pub use gdlr_text::operations; }
/// let text = "role(you). legal(go):-~done. % once\ngo::done";
/// let laid_out = "role(you)\nlegal(go) :-\n    ~done % once\ngo :: done\n";
/// assert_eq!(gdlr::operations::format(text).unwrap(), laid_out);
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    format::format(text)
}

/// Rules of GDL in the notation of operations: one role moves at a time, and the others have one move that
/// does nothing. `source` is the text that the document was read from. `docs/infix.md` says what is written.
///
/// # Errors
///
/// Games in which several roles move at once, and rules and names that cannot be written.
pub fn from_gdl(source: &str, document: &Document) -> Result<String, Vec<Diagnostic>> {
    from_gdl::write(source, document)
}
