//! The built-in relations of the notation: which there are, and what they compute.
//!
//! A number is a name that reads as one. `plus(X,1,Y)` gives its last argument; what is no number gives
//! nothing.

use super::sheet::{arguments, functor};
use crate::diagnostic::{Code, Diagnostic};
use crate::kif::Expr;

/// The built-in functions, with their number of arguments without the result: at least, at
/// most.
const FUNCTIONS: [(&str, usize, usize); 16] = [
    ("plus", 1, usize::MAX),
    ("minus", 1, usize::MAX),
    ("times", 1, usize::MAX),
    ("quotient", 1, usize::MAX),
    ("remainder", 1, usize::MAX),
    ("min", 1, usize::MAX),
    ("max", 1, usize::MAX),
    ("pow", 2, 2),
    ("abs", 1, 1),
    ("floor", 1, 1),
    ("ceil", 1, 1),
    ("round", 1, 1),
    ("trunc", 1, 1),
    ("sign", 1, 1),
    ("sqrt", 1, 1),
    (ITSELF, 1, 1),
];

/// The function that gives each number itself. No text has this name.
pub(super) const ITSELF: &str = "number itself";

/// The names that the notation takes for itself, and that are not read here.
const OTHERS: &[&str] = &[
    "mutex",
    "symleq",
    "symless",
    "bitlsh",
    "bitand",
    "bitior",
    "bitnot",
    "hastype",
    "symbolize",
    "newsymbolize",
    "readstring",
    "stringify",
    "readstringall",
    "stringifyall",
    "matches",
    "submatches",
    "stringappend",
    "stringmin",
    "stringjoin",
    "timestamp",
    "maketimestamp",
    "getyear",
    "getmonth",
    "getdate",
    "gethour",
    "getminute",
    "getsecond",
    "first",
    "last",
    "rest",
    "sort",
    "append",
    "reverse",
    "revappend",
    "length",
    "listify",
    "delistify",
    "maximum",
    "minimum",
    "range",
    "midrange",
    "sum",
    "median",
    "mean",
    "variance",
    "stddev",
    "map",
    "exists",
    "setofall",
    "member",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "atan2",
    "cbrt",
    "expm1",
    "clz32",
    "cos",
    "cosh",
    "exp",
    "fround",
    "hypot",
    "imul",
    "log",
    "log1p",
    "log2",
    "log10",
    "random",
    "sin",
    "sinh",
    "tan",
    "tanh",
];

/// Whether a name is built in.
pub(super) fn is_name(name: &str) -> bool {
    is_function(name)
        || is_comparison(name)
        || OTHERS.contains(&name)
        || matches!(name, "evaluate" | "countofall")
}

/// Whether a name is a function that is computed here.
pub(super) fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, ..)| *known == name)
}

/// Whether a name compares two numbers.
pub(super) fn is_comparison(name: &str) -> bool {
    matches!(name, "leq" | "less")
}

/// Why a condition of this name cannot be read, if its name is built in.
pub(super) fn error(condition: &Expr) -> Option<Diagnostic> {
    let (name, arity) = functor(condition)?;
    if OTHERS.contains(&&*name) {
        let message =
            format!("`{name}` is built in where this notation comes from, and not read here");
        return Some(
            Diagnostic::new(Code::OperationsBuiltIn, condition.span, message)
                .with_help("give the relation another name, and write facts or rules for it"),
        );
    }
    let is_right = match FUNCTIONS.iter().find(|(known, ..)| **known == *name) {
        Some(&(_, least, most)) => (least..=most).contains(&arity.saturating_sub(1)),
        None => match &*name {
            "leq" | "less" | "distinct" | "same" => arity == 2,
            "evaluate" | "countofall" => false,
            _ => true,
        },
    };
    (!is_right).then(|| wrong_use(condition))
}

/// The error that something built in stands where it cannot, or with the wrong number of arguments.
pub(super) fn wrong_use(expr: &Expr) -> Diagnostic {
    let name = functor(expr).map(|(name, _)| name).unwrap_or_default();
    let message = format!("`{name}` cannot be used so, with {} arguments", arguments(expr).len());
    Diagnostic::new(Code::OperationsBuiltIn, expr.span, message).with_help(
        "write `plus(X,1,Y)`, `leq(X,Y)`, `evaluate(plus(X,1),Y)`, or `countofall(X,p(X),N)`, which is not negated",
    )
}

/// The number that a name is.
pub(super) fn number(name: &str) -> Option<f64> {
    let digits = name.strip_prefix('-').unwrap_or(name);
    let is_number = digits.starts_with(|character: char| character.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_number.then(|| name.parse().ok())?
}

/// The name of a number.
fn name(number: f64) -> Option<String> {
    // There is no negative zero among names.
    number.is_finite().then(|| format!("{}", if number == 0.0 { 0.0 } else { number }))
}

/// The result of a function; `None` if there is none.
pub(super) fn computed(function: &str, values: &[f64]) -> Option<String> {
    let (&first, rest) = values.split_first()?;
    let fold = |step: fn(f64, f64) -> f64| rest.iter().fold(first, |all, &value| step(all, value));
    name(match function {
        "plus" => fold(|all, value| all + value),
        "minus" => fold(|all, value| all - value),
        "times" => fold(|all, value| all * value),
        "quotient" => fold(|all, value| all / value),
        "remainder" => fold(|all, value| all % value),
        "min" => fold(f64::min),
        "max" => fold(f64::max),
        "pow" => first.powf(*rest.first()?),
        "abs" => first.abs(),
        "floor" => first.floor(),
        "ceil" => first.ceil(),
        "round" => (first + 0.5).floor(),
        "trunc" => first.trunc(),
        "sign" if first == 0.0 => 0.0,
        "sign" => first.signum(),
        "sqrt" => first.sqrt(),
        ITSELF => first,
        _ => return None,
    })
}

/// Whether two numbers compare so.
pub(super) fn compares(comparison: &str, left: f64, right: f64) -> bool {
    if comparison == "less" { left < right } else { left <= right }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_the_course_computes_them() {
        for (function, values, result) in [
            ("plus", &[1.0, 1.0][..], "2"),
            ("plus", &[1.0, 2.0, 3.0], "6"),
            ("minus", &[1.0, 3.0], "-2"),
            ("times", &[0.1, 3.0], "0.30000000000000004"),
            ("quotient", &[7.0, 2.0], "3.5"),
            ("quotient", &[6.0, 3.0], "2"),
            ("remainder", &[7.0, 2.0], "1"),
            ("max", &[1.0, 3.0], "3"),
            ("abs", &[-3.0], "3"),
            ("round", &[2.5], "3"),
            ("times", &[-1.0, 0.0], "0"),
        ] {
            assert_eq!(computed(function, values).as_deref(), Some(result), "{function}");
        }
        assert_eq!(computed("quotient", &[1.0, 0.0]), None);
        assert_eq!(number("-3"), Some(-3.0));
        for name in ["x", "", "-", "infinity", "1e5", "3a", "a3"] {
            assert_eq!(number(name), None, "{name}");
        }
    }
}
