//! Interchange with the value type of the crate `lexpr`.
//!
//! `lexpr` is the s-expression type that other Rust programs know. An [`Expr`] becomes a
//! proper list of symbols; on the way back, numbers, strings, characters and Booleans
//! become the symbols that print like them, and what has no list form is refused.

use super::{Expr, ExprKind};
use crate::diagnostic::Span;
use lexpr::Value;
use std::fmt;

/// A `lexpr` value that is no KIF expression: an improper list, a vector or bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnExpr {
    value: String,
}

impl fmt::Display for NotAnExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is neither an atom nor a proper list", self.value)
    }
}

impl std::error::Error for NotAnExpr {}

impl From<&Expr> for Value {
    fn from(expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Atom(text) => Value::symbol(&**text),
            ExprKind::List(items) => Value::list(items.iter().map(Value::from)),
        }
    }
}

/// The spans of the result are all empty, as there is no text.
impl TryFrom<Value> for Expr {
    type Error = NotAnExpr;

    fn try_from(value: Value) -> Result<Expr, NotAnExpr> {
        Expr::try_from(&value)
    }
}

/// The spans of the result are all empty, as there is no text.
impl TryFrom<&Value> for Expr {
    type Error = NotAnExpr;

    fn try_from(value: &Value) -> Result<Expr, NotAnExpr> {
        let refuse = || NotAnExpr { value: value.to_string() };
        let kind = match value {
            Value::Null => ExprKind::List(Vec::new()),
            Value::Cons(_) => {
                let (items, tail) = value.as_cons().ok_or_else(refuse)?.to_ref_vec();
                if !tail.is_null() {
                    return Err(refuse());
                }
                ExprKind::List(items.into_iter().map(Expr::try_from).collect::<Result<_, _>>()?)
            }
            Value::Symbol(name) | Value::String(name) => ExprKind::Atom(name.clone()),
            Value::Number(_) | Value::Char(_) | Value::Bool(_) | Value::Keyword(_) | Value::Nil => {
                ExprKind::Atom(value.to_string().into())
            }
            Value::Bytes(_) | Value::Vector(_) => return Err(refuse()),
        };
        Ok(Expr { span: Span::default(), kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let expr = crate::kif::read("(<= (p ?x () 08) (q (f ?x)))").unwrap().items.remove(0);
        let value = Value::from(&expr);
        assert_eq!(Expr::try_from(&value).unwrap().to_string(), expr.to_string());
    }

    #[test]
    fn what_has_no_list_form_is_refused() {
        assert!(Expr::try_from(Value::vector(vec![1, 2])).is_err());
        assert!(Expr::try_from(Value::cons(1, 2)).is_err());
    }
}
