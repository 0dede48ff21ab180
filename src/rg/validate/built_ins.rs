//! Special definitions (RG, 2.1): `Player` and `Score` must be there as sets, built-in types
//! and variables must be what they are, and the keeper begins.
//!
//! As with all types, "what they are" is generous: `type Bool = { 1 };` will do.

use super::scope::Scope;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::findings::Findings;
use crate::rg::ast::{Ident, Value};
use crate::rg::name::Name;
use crate::rg::types::Ty;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    for name in [Name::PLAYER_TYPE, Name::SCORE_TYPE] {
        required(scope, findings, name);
    }
    types(scope, findings);
    variables(scope, findings);
    players(scope, findings);
}

fn required(scope: &Scope, findings: &mut Findings, name: Name) {
    let text = scope.text(name);
    let help = format!("for example `type {text} = {{ a, b }};`");
    match scope.description.types.iter().find(|alias| alias.name.name == name) {
        None => findings.report(Code::RgMissingType, || {
            let message = format!("there is no type `{text}`");
            Diagnostic::new(Code::RgMissingType, Span::default(), message).with_help(help)
        }),
        Some(alias) if scope.description.symbols_of(name).is_none() => {
            findings.report(Code::RgNotWrittenAsSet, || {
                let message = format!("the symbols of `{text}` must be listed");
                Diagnostic::new(Code::RgNotWrittenAsSet, alias.type_.span(), message)
                    .with_help(help)
            });
        }
        Some(_) => {}
    }
}

/// Reports a definition whose type is not that of the built-in one.
fn mismatch(scope: &Scope, findings: &mut Findings, name: Ident, given: Option<Ty>) {
    let (Some(given), Some(&own)) = (given, scope.built_in.get(&name.name)) else { return };
    if scope.types.agree(given, own) {
        return;
    }
    findings.report(Code::RgBuiltIn, || {
        let message = format!("`{}` is built in, and something else", scope.text(name.name));
        let (given, own) = (scope.describe(given), scope.describe(own));
        Diagnostic::new(Code::RgBuiltIn, name.place.0, message)
            .with_label(format!("{given} rather than {own}"))
            .with_help("leave the definition out, or choose another name")
    });
}

fn types(scope: &Scope, findings: &mut Findings) {
    for alias in &scope.description.types {
        mismatch(scope, findings, alias.name, scope.types.named(alias.name.name));
    }
}

fn variables(scope: &Scope, findings: &mut Findings) {
    for variable in &scope.description.variables {
        let name = variable.name.name;
        mismatch(scope, findings, variable.name, scope.variables.get(&name).copied());
        if let Value::Name(initial) = variable.initial
            && name == Name::PLAYER
            && initial.name != Name::KEEPER
        {
            findings.report(Code::RgFirstPlayer, || {
                let message = format!("the game begins with `{}`", scope.text(initial.name));
                Diagnostic::new(Code::RgFirstPlayer, initial.place.0, message)
                    .with_help("the keeper should begin, and pass the move to a player")
            });
        }
    }
}

fn players(scope: &Scope, findings: &mut Findings) {
    let players = scope.description.symbols_of(Name::PLAYER_TYPE).unwrap_or_default();
    for player in players.iter().filter(|p| matches!(p.name, Name::KEEPER | Name::RANDOM)) {
        findings.report(Code::RgSystemPlayer, || {
            let message = format!("`{}` is among the players", scope.text(player.name));
            Diagnostic::new(Code::RgSystemPlayer, player.place.0, message)
                .with_help("it is no player of its own, but belongs to every game")
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::rg::validate::tests::{codes, marked};

    #[test]
    fn what_is_required() {
        assert_eq!(codes("begin, end: player = keeper;"), ["R101", "R101"]);
        let text = "type Player = P; type P = { x }; type Score = P -> P; begin, end: ;";
        assert_eq!(marked(text, Code::RgNotWrittenAsSet), ["P", "P -> P"]);
    }

    #[test]
    fn what_is_built_in() {
        let text = "type Player = { x }; type Score = { 0 }; type Goals = { y } -> Score;
            type Visibility = Player -> { 1 }; type PlayerOrSystem = { x, random };
            var player: { x } = x; var goals: Score = 0; var visible: Visibility = { :1 };";
        assert_eq!(marked(text, Code::RgBuiltIn), ["Goals", "goals"]);
        assert_eq!(marked(text, Code::RgFirstPlayer), ["x"]);
        let text = "type Player = { x }; type Bool = { t, f }; type PlayerOrSystem = { y };";
        assert_eq!(marked(text, Code::RgBuiltIn), ["Bool", "PlayerOrSystem"]);
    }

    #[test]
    fn players_that_are_none() {
        let text = "type Player = { x, random, keeper };";
        assert_eq!(marked(text, Code::RgSystemPlayer), ["random", "keeper"]);
    }
}
