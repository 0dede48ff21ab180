//! From a net to its description.

use super::legend::Export;
use super::sight::Sight;
use super::writer::Writer;
use crate::tuning::Tuning;
use gdlr_net::net::Net;
use gdlr_net::propnet::Unrolled;
use gdlr_rules::gdl::Game;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part};

/// Writes a game as an automaton. With `joint`, every role has a ply in every turn, in the order of
/// the rulesheet, even if it has only one move. Then a play has as many plies as roles times steps.
///
/// `net` is the optimised net of `game`. The time is near-linear in the size of the net and in the
/// number of changes that its moves make.
pub fn from_net(net: &Net, game: &Game, joint: bool) -> Export {
    from_net_within(net, game, joint, &Meter::unlimited()).expect("there is no limit")
}

/// [`from_net`], within a budget.
///
/// # Errors
///
/// When the budget runs out before the automaton is written.
pub fn from_net_within(
    net: &Net,
    game: &Game,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Export, Exhausted> {
    let (tuning, decisions) = (Tuning::default(), &mut Decisions::default());
    write((net, game), joint, Sight::of(game), &tuning, meter, decisions)
}

/// [`from_net_within`], with other bounds, and with a choice of what roles are shown. `sight` must
/// not be percepts that the net lacks. `decisions` gets a record of the decisions.
pub(super) fn write(
    (net, game): (&Net, &Game),
    joint: bool,
    sight: Sight,
    tuning: &Tuning,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Export, Exhausted> {
    let unrolled = Unrolled::for_automaton(net, meter)?;
    let writer = Writer::new(net, game, joint, sight, &unrolled, tuning, meter);
    decisions.record(
        Decision::new(Part::Automata, "views", writer.conditions.view_count().to_string())
            .measured("gates", writer.conditions.net.len())
            .bound("costly", u64::from(tuning.costly)),
    );
    writer.write(&unrolled)
}
