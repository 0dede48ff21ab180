//! Special definitions (RG, 2.1): `Player` and `Score` must exist as sets, built-in types and
//! variables must have their right types, and the keeper begins.
//!
//! A description may write a built-in type, which must then *equal* the one of the language. A game
//! with `type Bool = { 0, 1, 2 };` is not proper. But other programs only ask that the two agree,
//! and then play it, so this is a warning. A definition without a common value, or without an entry
//! for a player, cannot be played: this is an error.

use super::scope::Scope;
use crate::rg::ast::{Ident, Value};
use crate::rg::name::Name;
use crate::rg::types::Ty;
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::findings::Findings;

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

/// Reports a definition whose type differs from the built-in one.
fn compare(scope: &Scope, findings: &mut Findings, name: Ident, given: Option<Ty>) {
    let (Some(given), Some(&own)) = (given, scope.built_in.get(&name.name)) else { return };
    if scope.types.equal(given, own) {
        return;
    }
    let missing = missing_player(scope, name.name, given);
    let code = match scope.types.agree(given, own) && missing.is_none() {
        true => Code::RgBuiltInDiffers,
        false => Code::RgBuiltIn,
    };
    findings.report(code, || {
        let text = scope.text(name.name);
        let (given, own) = (scope.describe(given), scope.describe(own));
        let message = match (code, missing) {
            (Code::RgBuiltInDiffers, _) => format!("`{text}` is {given}, and must be {own}"),
            (_, Some(player)) => format!("`{text}` has no entry for `{player}`"),
            _ => format!("`{text}` is built in, and something else"),
        };
        Diagnostic::new(code, name.place.0, message)
            .with_label(format!("{given} rather than {own}"))
            .with_help("it is built in: leave the definition out, or choose another name")
    });
}

/// The first player without an entry in maps of a type, if a player is missing in the keys.
fn missing_player<'d>(scope: &Scope<'d>, name: Name, given: Ty) -> Option<&'d str> {
    let of_players = [Name::GOALS, Name::VISIBLE, Name::GOALS_TYPE, Name::VISIBILITY_TYPE];
    let Ty::Map(map) = given else { return None };
    let (Ty::Set(keys), true) = (scope.types.map(map).0, of_players.contains(&name)) else {
        return None;
    };
    let players = scope.description.symbols_of(Name::PLAYER_TYPE).unwrap_or_default();
    let keys = scope.types.symbols(keys);
    let missing = players.iter().find(|player| keys.binary_search(&player.name).is_err());
    missing.map(|player| scope.text(player.name))
}

fn types(scope: &Scope, findings: &mut Findings) {
    for alias in &scope.description.types {
        compare(scope, findings, alias.name, scope.types.named(alias.name.name));
    }
}

fn variables(scope: &Scope, findings: &mut Findings) {
    for variable in &scope.description.variables {
        let name = variable.name.name;
        compare(scope, findings, variable.name, scope.variables.get(&name).copied());
        if let Value::Name(initial) = variable.initial
            && name == Name::PLAYER
            && let Some(first) = scope.symbol(initial.name)
            && first != Name::KEEPER
        {
            findings.report(Code::RgFirstPlayer, || {
                let message = format!("the game begins with `{}`", scope.text(first));
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
    use crate::rg::validate::tests::{codes, marked};
    use gdlr_text::diagnostic::Code;

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
        let differs = ["Visibility", "PlayerOrSystem", "player"];
        assert_eq!(marked(text, Code::RgBuiltInDiffers), differs);
        let text = "type Player = { x }; type Bool = { t, f }; type PlayerOrSystem = { y };";
        assert_eq!(marked(text, Code::RgBuiltIn), ["Bool", "PlayerOrSystem"]);
    }

    #[test]
    fn what_is_built_in_is_so_exactly() {
        let head = "type Player = { x, y }; type Score = { 0, 1 }; begin, end: player = keeper; ";
        for (text, differs) in [
            ("type Bool = { 1, 0 };", &[][..]),
            ("type Bool = { 0, 1, 2 };", &["Bool"]),
            ("type Bool = { 0 };", &["Bool"]),
            ("type Goals = P -> S; type P = { y, x }; type S = Score;", &[]),
            ("type Goals = Player -> Bool;", &[]),
            ("type Goals = Player -> { 0 };", &["Goals"]),
            ("type Goals = { x, y, z } -> Score;", &["Goals"]),
            ("type PlayerOrSystem = { random, x, keeper, y };", &[]),
            ("type PlayerOrSystem = { x, y, keeper };", &["PlayerOrSystem"]),
            ("type PlayerOrSystem = { x, y, z, keeper, random };", &["PlayerOrSystem"]),
            ("var player: { x, y, keeper, random } = keeper;", &[]),
            ("var player: { x, y, keeper } = keeper;", &["player"]),
            ("var goals: Player -> Score = { :1 };", &[]),
            ("var visible: Player -> { 0, 1, 2 } = { :1 };", &["visible"]),
        ] {
            let text = format!("{head}{text}");
            assert_eq!(marked(&text, Code::RgBuiltInDiffers), differs, "{text}");
            assert!(marked(&text, Code::RgBuiltIn).is_empty(), "{text}");
        }
        let text = format!(
            "{head}type Goals = {{ x }} -> Score; var visible: {{ y }} -> Bool = {{ :1 }};"
        );
        assert_eq!(marked(&text, Code::RgBuiltIn), ["Goals", "visible"]);
    }

    #[test]
    fn the_keeper_begins() {
        let head = "type Player = { x }; type Score = { 0 }; begin, end: player = keeper;
            const k: PlayerOrSystem = keeper; const c: PlayerOrSystem = d;
            const d: PlayerOrSystem = x; var player: PlayerOrSystem = ";
        for (initial, marks) in [("keeper", &[][..]), ("k", &[]), ("x", &["x"]), ("c", &["c"])] {
            let text = format!("{head}{initial};");
            assert_eq!(marked(&text, Code::RgFirstPlayer), marks, "{text}");
        }
    }

    #[test]
    fn players_that_are_none() {
        let text = "type Player = { x, random, keeper };";
        assert_eq!(marked(text, Code::RgSystemPlayer), ["random", "keeper"]);
    }
}
