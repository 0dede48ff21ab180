//! The types of expressions (RG, 2.1): operands of comparisons, assigned values, casts and keys
//! must agree with their counterparts, and only a map has keys.
//!
//! Types agree if they have a common value. That is enough for a comparison. But an assignment or
//! an access with a value that the other side does not have is a defect of the game. A type that
//! allows it is worth a warning. A cast says that it will not happen.

use super::scope::Scope;
use super::scope::expressions;
use crate::rg::ast::{Base, Expr, Label};
use crate::rg::types::Ty;
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::findings::Findings;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    let mut check = Check { scope, findings };
    for (index, edge) in scope.edges().enumerate() {
        let [left, right] =
            expressions(edge).map(|expr| expr.map(|expr| (expr.place.0, check.type_of(expr))));
        match (&edge.label, left, right) {
            (Label::Compare { .. }, Some(left), Some(right)) => {
                check.agree(left, right, "these are never equal");
            }
            (Label::Assign { .. }, Some(target), Some(value)) => {
                check.assigned(target, value);
            }
            (Label::AssignAny { target: written, values }, Some((_, target)), None) => {
                let drawn = scope.drawn.get(&index).copied().unwrap_or(Ty::Unknown);
                let drawn = (values.span(), drawn);
                // The target's casts must have the values, too.
                let mut types = target_types(scope, written).into_iter();
                let narrow = types.find(|&ty| !scope.types.contains(ty, drawn.1));
                check.drawn(narrow.unwrap_or(target), drawn);
            }
            _ => {}
        }
    }
}

/// The type of a target, and the types of its casts. The reader bounds the recursion.
fn target_types(scope: &Scope, target: &Expr) -> Vec<Ty> {
    let mut types = match &target.base {
        Base::Name(name) => vec![scope.type_of_name(name.name)],
        Base::Cast(name, inner) => {
            let mut types = target_types(scope, inner);
            types.extend(scope.types.named(name.name));
            types
        }
    };
    for ty in &mut types {
        for _ in &target.keys {
            *ty = match *ty {
                Ty::Map(map) => scope.types.map(map).1,
                _ => Ty::Unknown,
            };
        }
    }
    types
}

struct Check<'c, 'd> {
    scope: &'c Scope<'d>,
    findings: &'c mut Findings,
}

impl Check<'_, '_> {
    fn type_of(&mut self, expr: &Expr) -> Ty {
        let scope = self.scope;
        let (mut ty, mut end) = match &expr.base {
            Base::Name(name) => (scope.type_of_name(name.name), name.place.0.end),
            Base::Cast(name, inner) => {
                let given = self.type_of(inner);
                let ty = scope.types.named(name.name).unwrap_or_else(|| {
                    self.findings.report(Code::RgUnknownType, || {
                        let message = format!("there is no type `{}`", scope.text(name.name));
                        Diagnostic::new(Code::RgUnknownType, name.place.0, message)
                    });
                    Ty::Unknown
                });
                let given = (inner.place.0, given);
                self.agree((name.place.0, ty), given, "this cannot be cast");
                (ty, inner.place.0.end + 1)
            }
        };
        for key in &expr.keys {
            let key_ty = (key.place.0, self.type_of(key));
            let map = Span { start: expr.place.0.start, end };
            end = key.place.0.end + 1;
            ty = match ty {
                Ty::Map(map_type) => {
                    let (keys, value) = scope.types.map(map_type);
                    if self.agree((map, keys), key_ty, "this is no key") {
                        self.strictly(keys, key_ty, "this key");
                    }
                    value
                }
                Ty::Unknown => Ty::Unknown,
                Ty::Symbol(_) | Ty::Set(_) => {
                    self.findings.report(Code::RgNotAMap, || {
                        Diagnostic::new(Code::RgNotAMap, map, "this has no keys, it is no map")
                            .with_label(scope.describe(ty))
                            .with_related(key_ty.0, "used as its key")
                    });
                    Ty::Unknown
                }
            };
        }
        ty
    }

    /// Reports types that do not agree. Returns whether they agree.
    fn agree(&mut self, left: (Span, Ty), right: (Span, Ty), what: &str) -> bool {
        let scope = self.scope;
        let agree = scope.types.agree(left.1, right.1);
        if !agree {
            self.findings.report(Code::RgMismatch, || {
                let (first, second) = (scope.describe(left.1), scope.describe(right.1));
                let message = format!("{what}: the types have nothing in common");
                Diagnostic::new(Code::RgMismatch, right.0, message)
                    .with_label(second)
                    .with_related(left.0, first)
            });
        }
        agree
    }

    fn assigned(&mut self, target: (Span, Ty), value: (Span, Ty)) {
        if self.agree(target, value, "this cannot be assigned") {
            self.strictly(target.1, value, "this value");
        }
    }

    /// Warns of a type with values that the needed type lacks. There is no warning for a single
    /// symbol or a cast, which state their meaning: they agree, or do not.
    fn strictly(&mut self, needed: Ty, given: (Span, Ty), what: &str) {
        let scope = self.scope;
        if scope.types.contains(needed, given.1) {
            return;
        }
        self.findings.report(Code::RgLooseType, || {
            let message = match (needed, given.1) {
                (Ty::Set(needed), Ty::Set(given)) => {
                    let needed = scope.types.symbols(needed);
                    let given = scope.types.symbols(given);
                    let other = given.iter().find(|symbol| needed.binary_search(symbol).is_err());
                    let other = other.map_or("", |&symbol| scope.text(symbol));
                    format!("{what} may be `{other}`, which is not allowed here")
                }
                _ => format!("{what} may be one that is not allowed here"),
            };
            Diagnostic::new(Code::RgLooseType, given.0, message)
                .with_label(format!("one of {} is needed", scope.describe(needed)))
                .with_help("a cast says that it is always one of these")
        });
    }

    /// Checks an any-assignment: its type must be a set, and all its symbols be allowed.
    fn drawn(&mut self, target: Ty, (span, drawn): (Span, Ty)) {
        let scope = self.scope;
        if let Ty::Map(_) = drawn {
            return self.findings.report(Code::RgNotASet, || {
                let message = "only of a set type can any value be assigned";
                Diagnostic::new(Code::RgNotASet, span, message)
                    .with_label(format!("maps {}", scope.describe(drawn)))
            });
        }
        if !scope.types.contains(target, drawn) {
            self.findings.report(Code::RgMismatch, || {
                let message = "not every value of this type can be assigned here";
                Diagnostic::new(Code::RgMismatch, span, message)
                    .with_label(scope.describe(drawn))
                    .with_help(format!("one of {} is needed", scope.describe(target)))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    const DEFINITIONS: &str = "type C = { 0, 1, 2 }; type P = { e, x, n }; type Q = { x, n, 2 };
        type Column = C -> P; type Board = C -> Column; const c: P = e;
        var board: Board = { :{ :e } }; var i: C = 0; var p: P = e; var q: Q = x; ";

    fn on_edges(labels: &str, code: Code) -> Vec<String> {
        let edges: String = labels.split(';').map(|label| format!("a, b: {label};")).collect();
        marked(&format!("{DEFINITIONS}{edges}"), code).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn types_that_meet_must_agree() {
        let labels = "i == 3; i != 0; 0 != 1; 0 != 0; p == c; p == q; i == p; board == board;
            board[0] == board; i = e; p = q; board[i][1] = x; board[i] = x; board[x][0] = e;
            C(x) == 0; C(q) == 0; p = P(i)";
        assert_eq!(
            on_edges(labels, Code::RgMismatch),
            ["3", "1", "p", "board", "e", "x", "x", "x", "i"]
        );
    }

    #[test]
    fn only_maps_have_keys() {
        let labels =
            "i[0] == 1; board[0][1][2] == e; x[0] == e; P(p)[0] == e; Column(board[0])[1] == e";
        assert_eq!(on_edges(labels, Code::RgNotAMap), ["i", "board[0][1]", "x", "P(p)"]);
        assert!(on_edges(labels, Code::RgMismatch).is_empty());
    }

    #[test]
    fn any_value_must_be_allowed() {
        let labels =
            "i = C(*); i = { 0, 2 }(*); i = Q(*); p = C(*); board = Board(*); i = { 0 } -> C(*)";
        assert_eq!(on_edges(labels, Code::RgMismatch), ["Q", "C"]);
        assert_eq!(on_edges(labels, Code::RgNotASet), ["Board", "{ 0 } -> C"]);
    }

    #[test]
    fn loose_types_are_warned_of() {
        let labels = "p = q; q = p; p = P(q); i = 0; p == q; board[q][0] = e; board[C(q)][0] = e";
        assert_eq!(on_edges(labels, Code::RgLooseType), ["q", "p", "q"]);
    }
}
