//! Descriptions with a meaning that cannot be played: maps with too many entries, too many players,
//! casts of maps that cannot be written out.

use super::scope::Scope;
use crate::rg::interpreter::MAX_REGISTERS;
use crate::rg::name::Name;
use crate::rg::recast::unwritable;
use crate::rg::types::Ty;
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::findings::Findings;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    sizes(scope, findings);
    let players = scope.description.symbols_of(Name::PLAYER_TYPE).unwrap_or_default();
    if players.len() > usize::from(u16::MAX) {
        findings.report(Code::RgTooLarge, || {
            let message = "more players than 16 bits can number";
            Diagnostic::new(Code::RgTooLarge, players[0].place.0, message)
        });
    }
    for (place, symbol) in unwritable(scope.description) {
        findings.report(Code::RgMismatch, || {
            let text = scope.text(symbol);
            let message =
                format!("maps with different keys meet here, and `{text}` is no longer a symbol");
            Diagnostic::new(Code::RgMismatch, place.0, message).with_help(format!(
                "in expressions `{text}` is a constant or variable; rename that one"
            ))
        });
    }
}

/// Reports the first variable or constant without enough room.
fn sizes(scope: &Scope, findings: &mut Findings) {
    let description = scope.description;
    let variables = description.variables.iter().map(|variable| variable.name);
    let constants = description.constants.iter().map(|constant| constant.name);
    let written = variables.map(|name| (name.place.0, scope.variables.get(&name.name).copied()));
    let written = written.chain(constants.map(|name| {
        let ty = scope.constants.get(&name.name).map(|&(_, ty)| ty);
        (name.place.0, ty)
    }));
    let missing = description.missing_variables().into_iter();
    let missing = missing.map(|it| (Span::default(), scope.variables.get(&it.name.name).copied()));
    let mut room = MAX_REGISTERS;
    for (span, ty) in missing.chain(written) {
        let Some(ty) = ty else { continue };
        match size(scope, ty).and_then(|size| room.checked_sub(size)) {
            Some(rest) => room = rest,
            None => {
                return findings.report(Code::RgTooLarge, || {
                    let message = "maps with too many entries to play with";
                    Diagnostic::new(Code::RgTooLarge, span, message).with_help(format!(
                        "all variables and constants together have at most {MAX_REGISTERS} entries"
                    ))
                });
            }
        }
    }
}

/// The number of symbols of a value of a type; `None` if it does not fit.
fn size(scope: &Scope, mut ty: Ty) -> Option<usize> {
    let mut size: usize = 1;
    while let Ty::Map(map) = ty {
        let (key, value) = scope.types.map(map);
        if let Ty::Set(keys) = key {
            size = size.checked_mul(scope.types.symbols(keys).len())?;
        }
        ty = value;
    }
    Some(size)
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use crate::rg::{Automaton, read};
    use gdlr_text::diagnostic::Code;

    const HEAD: &str = "type Player = { x }; type Score = { 0 }; begin, end: player = keeper; ";

    /// Asserts that the compiler refuses the text with the same error, once.
    #[track_caller]
    fn assert_refused(text: &str, code: Code, marks: &[&str]) {
        let text = format!("{HEAD}{text}");
        assert_eq!(marked(&text, code), marks, "{text}");
        let refused = Automaton::new(&read(&text).unwrap());
        let refused_marks: Vec<&str> = match &refused {
            Ok(_) => Vec::new(),
            Err(errors) => errors.iter().map(|error| &text[error.span.range()]).collect(),
        };
        assert_eq!(refused_marks, marks, "{text}");
    }

    #[test]
    fn what_is_too_large_to_play() {
        let keys: Vec<String> = (0..200).map(|number| number.to_string()).collect();
        let set = format!("type K = {{ {} }}; type M = K -> K -> K;", keys.join(", "));
        assert_refused(
            &format!("{set} var m: K -> M = {{ :{{ :{{ :0 }} }} }};"),
            Code::RgTooLarge,
            &["m"],
        );
        assert_refused(&format!("{set} var m: M = {{ :{{ :0 }} }};"), Code::RgTooLarge, &[]);
    }

    #[test]
    fn what_casts_cannot_say() {
        let types = "type A = { 1, a }; type B = { 1, a, b }; var m: A -> A = { :1 };
            var n: B -> B = { :1 };";
        assert_refused(&format!("{types} begin, p: m = n;"), Code::RgMismatch, &[]);
        let text = format!("{types} var a: A = 1; begin, p: m = n;");
        assert_refused(&text, Code::RgMismatch, &["begin, p: m = n;"]);
        let text = format!("{types} var a: A = 1; begin, p: m == m;");
        assert_refused(&text, Code::RgMismatch, &[]);
    }

    #[test]
    fn what_targets_are_cast_to() {
        let types = "type A = { 1, 2 }; type B = { 1, 2, 3 }; var a: A = 1; var m: B -> A = { :1 };
            type MB = B -> B;";
        assert_refused(&format!("{types} begin, p: B(a) = A(*);"), Code::RgMismatch, &[]);
        assert_refused(&format!("{types} begin, p: B(a) = B(*);"), Code::RgMismatch, &["B"]);
        assert_refused(&format!("{types} begin, p: MB(m)[1] = B(*);"), Code::RgMismatch, &["B"]);
        let text = "begin, p: PlayerOrSystem(player) = Player(*);";
        assert_refused(text, Code::RgAnyPlayer, &["PlayerOrSystem(player)"]);
    }
}
