//! From a game to its automaton: from the rules if they can be written, and otherwise from the net.

use super::from_net;
use super::legend::Export;
use super::rules::{self, Stop};
use super::sight::Sight;
use crate::tuning::Tuning;
use gdlr_net::ground::{Ground, GroundError};
use gdlr_net::net::{Net, optimise_tuned};
use gdlr_rules::gdl::Game;
use gdlr_text::budget::{Exhausted, Limit, Memory, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part};
use std::sync::Arc;

/// The beginning of a reason for which this program, and not the game, is to blame.
const BROKEN: &str = "a mistake in this program";

/// The source of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The rules. The automaton is small, as a person would write it.
    Rules,
    /// The net. Each move and each condition is written by itself. The automaton is large, but
    /// evaluating a condition takes less work.
    Net,
}

/// An automaton, and how it was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The automaton with its legend.
    pub export: Export,
    /// The source of the automaton.
    pub origin: Origin,
    /// The reason why it was not written from the rules. `None` if it was, or if they were not
    /// tried.
    pub unsuited: Option<String>,
}

/// Grounds a game and writes it as an automaton. With [`Origin::Net`], it is written from the net.
/// Otherwise it is written from the rules, or from the net if the rules cannot be written.
/// [`Written::unsuited`] then has the reason.
///
/// Without `wanted`, part of the time is kept for the net. With [`Origin::Rules`], the rules may
/// use all of it. `joint` is as for [`from_net`](super::from_net()).
///
/// ```
/// # mod gdlr {
/// #     pub use gdlr_text::budget;
/// #     pub use gdlr_automata::export;
/// #     pub use gdlr_rules::gdl;
/// # }
/// use gdlr::budget::Meter;
/// use gdlr::export::{Origin, from_game};
/// use gdlr::gdl::Game;
///
/// let game = Game::from_kif("tictactoe", include_str!("../../../../kif/tictactoe.kif")).unwrap();
/// let written = from_game(game, None, false, &Meter::unlimited()).unwrap();
/// assert_eq!(written.origin, Origin::Rules);
/// assert!(written.export.text().unwrap().contains("signed[xy]"));
/// ```
///
/// # Errors
///
/// When the rulesheet is refused or the budget runs out.
pub fn from_game(
    game: impl Into<Arc<Game>>,
    wanted: Option<Origin>,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Written, GroundError> {
    from_game_tuned(game, wanted, joint, &Tuning::default(), meter, &mut Decisions::default())
}

/// [`from_game`] with other bounds. `decisions` gets a record of the decisions.
///
/// # Errors
///
/// As [`from_game`].
pub fn from_game_tuned(
    game: impl Into<Arc<Game>>,
    wanted: Option<Origin>,
    joint: bool,
    tuning: &Tuning,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Written, GroundError> {
    let game = game.into();
    let of_net = |net: &Net, decisions: &mut Decisions| {
        from_net::write((net, &game), joint, Sight::of(&game), tuning, meter, decisions)
    };
    if wanted == Some(Origin::Net) {
        let net = Net::tuned(game.clone(), &tuning.net, meter, decisions)?;
        let export = of_net(&net, decisions)?;
        return Ok(Written { export, origin: Origin::Net, unsuited: None });
    }
    let ground = Ground::tuned(game.clone(), &tuning.net, meter)?;
    decisions.append(ground.decisions());
    let net = Net::from_ground(&ground, meter)?;
    let net = optimise_tuned(net, &tuning.net, meter, &mut |_, _| (), decisions)?;
    let share = wanted.is_none().then(|| meter.leaving_one_in(tuning.rules_share));
    let why = match from_rules(&game, &ground, &net, joint, share.as_ref().unwrap_or(meter)) {
        Ok(Ok(export)) => {
            decisions.record(written_from("the rules".to_owned(), tuning));
            return Ok(Written { export, origin: Origin::Rules, unsuited: None });
        }
        Ok(Err(why)) => why,
        Err(exhausted) => match (wanted, exhausted.limit) {
            (None, Limit::Time) => "they take more than their share of the time".to_owned(),
            (None, Limit::Memory) => "they take too much memory".to_owned(),
            _ => return Err(exhausted.into()),
        },
    };
    decisions.record(written_from(format!("the net: {why}"), tuning));
    let unsuited = Some(why);
    drop(ground);
    meter.hold(Memory::Facts, 0);
    meter.hold(Memory::Rules, 0);
    let export = of_net(&net, decisions)?;
    Ok(Written { export, origin: Origin::Net, unsuited })
}

/// The record of the source of an automaton.
fn written_from(chosen: String, tuning: &Tuning) -> Decision {
    let share = u64::from(tuning.rules_share);
    Decision::new(Part::Automata, "written from", chosen).bound("rules_share", share)
}

/// Writes a game as an automaton from its rules. `ground` and `net` are those of `game`. `joint` is
/// as for [`from_net`](super::from_net()).
///
/// # Errors
///
/// When the budget runs out. The inner error names the part of the rules that cannot be written.
pub fn from_rules(
    game: &Game,
    ground: &Ground,
    net: &Net,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Result<Export, String>, Exhausted> {
    match rules::write(game, ground, net, joint, meter) {
        Ok(export) => Ok(Ok(export)),
        Err(Stop::Unsuited { why, .. }) => Ok(Err(why)),
        Err(Stop::Broken(what)) => Ok(Err(format!("{BROKEN}: {what}"))),
        Err(Stop::Exhausted(exhausted)) => Err(exhausted),
    }
}

/// All automata that can be written from the rules of a game, for tests: over pairs, if it has
/// columns that can be fused, and without pairs.
///
/// # Errors
///
/// When the budget runs out.
#[doc(hidden)]
pub fn each_from_rules(
    game: &Game,
    ground: &Ground,
    net: &Net,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Vec<Export>, Exhausted> {
    rules::write_each(game, ground, net, joint, meter)
}

/// Several automata of a game, each with another part from the net, for tests.
///
/// # Errors
///
/// When the budget runs out.
#[doc(hidden)]
pub fn each_part_from_net(
    game: &Game,
    ground: &Ground,
    net: &Net,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Vec<Export>, Exhausted> {
    rules::write_each_part_of_net(game, ground, net, joint, meter)
}
