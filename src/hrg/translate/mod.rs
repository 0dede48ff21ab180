//! From a game to an automaton of Regular Games.
//!
//! * A domain becomes a type, its values symbols: `P(1, a)` is `P__1_a`.
//! * A function becomes a constant, a map with an entry for all arguments but those with its
//!   most frequent value.
//! * The statements of `rules` become edges from `begin` to `end`. A call becomes the edges of
//!   the graph that it calls, again for each call; copies for `reachable(…)` and of `reusable`
//!   graphs are shared.
//! * A name that a `branch`, a `repeat` or a call gives a known value stands for that value,
//!   and conditions that are decided by it leave no edge.
//!
//! Names, types and expressions keep their places in the text of the game: what is wrong with
//! the automaton is told of the game.
//!
//! | file | what it makes |
//! |---|---|
//! | [`expansion`] | the automaton as far as it has been made; what names stand for |
//! | [`naming`] | names of symbols, nodes and variables |
//! | [`scope`] | what holds within a copy of a graph |
//! | [`definitions`] | types, constants, variables |
//! | [`statements`] | the edges of statements |
//! | [`conditions`] | the edges of conditions |
//! | [`operands`] | expressions |
//! | [`invocations`] | calls |

mod conditions;
mod definitions;
mod expansion;
mod invocations;
mod naming;
mod operands;
mod scope;
mod statements;

use super::ast::Game;
use super::limits::Limits;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hrg::evaluate::Evaluated;
use crate::rg::{Description, Hint, Name, Place, Pragma};
use expansion::Expansion;
use hashbrown::HashSet;
use scope::Frame;

/// The automaton of a game that has passed the checks of names, and what is odd about it.
///
/// # Errors
///
/// What can only be seen when the game is expanded: values that are not of their domains,
/// functions without a case for some arguments, more edges or values than the limits allow.
pub(super) fn expand(
    game: &Game,
    limits: Limits,
) -> Result<(Description, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut expansion = Expansion::new(game, limits).map_err(|error| vec![error])?;
    if let Err(error) = all(&mut expansion) {
        expansion.report(*error);
    }
    unused_cases(&mut expansion);
    expansion.finish()
}

fn all(expansion: &mut Expansion) -> Evaluated<()> {
    expansion.definitions()?;
    let Some(&rules) = expansion.game.names.get("rules").and_then(|it| expansion.graphs.get(&it))
    else {
        let message = "there is no graph `rules`, where a game begins";
        return Err(Box::new(Diagnostic::new(Code::HrgNoRules, Span::default(), message)));
    };
    let (begin, end) = (Name::BEGIN, Name::END);
    let mut frame =
        Frame { graph: rules, parameters: Vec::new(), locals: Vec::new(), end, back: end };
    expansion.block(&mut frame, &rules.body, begin, end, None)?;
    expansion.declare_addresses();
    let mut seen = HashSet::new();
    let tags: Vec<_> =
        expansion.artificial_tags.drain(..).filter(|tag| seen.insert(tag.name)).collect();
    if let Some(first) = tags.first() {
        let place: Place = first.place;
        let pragma = Pragma { hint: Hint::ArtificialTag { tags }, place };
        expansion.description.pragmas.push(pragma);
    }
    Ok(())
}

/// Warns of cases of functions that no arguments come to.
fn unused_cases(expansion: &mut Expansion) {
    let game = expansion.game;
    for function in &game.functions {
        for case in function.cases.iter().filter(|case| !case.place.0.range().is_empty()) {
            if !expansion.evaluator.is_used(case) {
                let text = game.names.text(function.name.name);
                let message = format!("no arguments of `{text}` come to this case");
                expansion.warn(Diagnostic::new(Code::HrgUnusedCase, case.place.0, message));
            }
        }
    }
}
