//! Variables without a name.

use crate::kif::{Expr, ExprKind};
use hashbrown::HashSet;

/// Whether an expression is a bare `_`.
pub(super) fn is_anonymous(expr: &Expr) -> bool {
    expr.atom() == Some("?_") && expr.span.end - expr.span.start == 1
}

/// Gives each `_` of a rule a name that nothing else in the rule has.
pub(super) fn name_anonymous(item: &mut Expr) {
    fn names(expr: &Expr, taken: &mut HashSet<Box<str>>) {
        match &expr.kind {
            ExprKind::Atom(name) if name.starts_with("?_") => {
                taken.insert(name.clone());
            }
            ExprKind::Atom(_) => {}
            ExprKind::List(items) => items.iter().for_each(|item| names(item, taken)),
        }
    }
    fn rename(expr: &mut Expr, fresh: &mut impl FnMut() -> String) {
        let anonymous = is_anonymous(expr);
        match &mut expr.kind {
            ExprKind::Atom(name) if anonymous => *name = fresh().into(),
            ExprKind::Atom(_) => {}
            ExprKind::List(items) => items.iter_mut().for_each(|item| rename(item, fresh)),
        }
    }
    let mut taken = HashSet::new();
    names(item, &mut taken);
    let mut fresh =
        (1..).map(|number: u64| format!("?_{number}")).filter(|name| !taken.contains(&**name));
    rename(item, &mut || fresh.next().expect("more numbers than names"));
}
