//! Automata in RG, and games in HRG, RBG and ABG, which stand for one: as rulesheets, by their nets.

use gdlr::automaton::net::{self, NoNet};
use gdlr::automaton::{AutomatonGame, Tuning};
use gdlr::budget::Meter;
use gdlr::decisions::Decisions;
use gdlr::diagnostic::Diagnostic;
use gdlr::hrg;
use std::sync::Arc;

/// Why an automaton has no rulesheet.
pub enum NoRules {
    /// What is wrong with the text.
    Refused(Vec<Diagnostic>),
    /// Why there is no net.
    NoNet(NoNet),
}

/// The rulesheet of an automaton, in KIF: the same game, move by move.
pub fn rules(name: &str, bytes: &[u8], meter: &Meter<'_>) -> Result<String, NoRules> {
    let description = hrg::read_automaton(bytes).map_err(NoRules::Refused)?;
    let game = AutomatonGame::new(name, description)
        .map_err(|problem| NoRules::Refused(vec![*problem]))?;
    let game = Arc::new(game);
    let net = net::optimised_tuned(&game, &Tuning::default(), meter, &mut Decisions::default());
    let net = net.map_err(|why| match why {
        NoNet::Refused(errors) => NoRules::Refused(errors),
        why => NoRules::NoNet(why),
    })?;
    Ok(net.to_kif(&game.game().roles, &game.game().symbols))
}
