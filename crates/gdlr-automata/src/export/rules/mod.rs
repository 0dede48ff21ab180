//! From rules to an automaton as a person would write it.
//!
//! Facts that differ in constants are entries of one map, moves that follow from one rule are one
//! walk that chooses their arguments one after the other, and a derived relation is written once,
//! as a check with its arguments in registers. What the net has proven says which facts exclude
//! each other, which moves there are in a turn, and whose turn comes next.
//!
//! There are four stages, a folder each. Each hands data to the next one.
//!
//! ```text
//! Input ──analyse──▶ Analysed ──plan──▶ Draft ──emit──▶ Export
//!                    ├ Analysis         ├ Builder
//!                    ├ Relations        ├ variables of the state
//!                    ├ Symbols          ├ turns, scores
//!                    └ Notes            └ Notes
//! ```
//!
//! | folder | what goes in | what comes out |
//! |---|---|---|
//! | [`analysis`] | an `Input`: rules, ground facts and net | `Analysis`, which nothing changes any more; `Relations`, with the rules over pairs; `Symbols`, with sets and types |
//! | [`build`] | what a planner asks for | statements, registers and constant maps of a `Builder`; nothing there knows of rules |
//! | [`mod@plan`] | the analysis | a `Draft`: the program of all turns, the goals and the end |
//! | [`emit`] | a `Draft` | an `Export`: the program with fewer statements, as a description with its legend |
//!
//! A game is analysed and planned twice, over pairs of columns and as its rules are, and the better
//! automaton is taken.

mod analysis;
mod build;
mod emit;
mod plan;

use super::legend::Export;
use analysis::{Analysed, Input, analyse};
use gdlr_net::ground::Ground;
use gdlr_net::net::Net;
use gdlr_net::propnet::Unrolled;
use gdlr_rules::gdl::Game;
use gdlr_text::budget::{Exhausted, Meter};
use plan::plan;

/// Why an automaton was not written.
#[derive(Debug)]
pub(super) enum Stop {
    Exhausted(Exhausted),
    /// The game has something that cannot be written so.
    Unsuited(String),
    /// Something was not as it must be by how this writes: a mistake here and not in the game.
    Broken(&'static str),
}

impl Stop {
    fn unsuited(why: &str) -> Stop {
        Stop::Unsuited(why.to_owned())
    }
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Stop {
        Stop::Exhausted(exhausted)
    }
}

/// How many turns are told apart for each role.
const MOST_TURNS: usize = 2;

/// Writes a game as an automaton from its rules: over pairs, if that is no worse to read.
///
/// # Errors
///
/// When the budget runs out, or the game has something that cannot be written so.
pub(super) fn write(
    game: &Game,
    ground: &Ground,
    net: &Net,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Export, Stop> {
    let unrolled = &turns(game, net, meter)?;
    let normal = ground.normal();
    let input = Input { meter, game, normal, ground, net, unrolled, joint };
    let plain = match write_as(input, false) {
        Err(Stop::Exhausted(exhausted)) => return Err(exhausted.into()),
        written => written,
    };
    // What is written already is not lost if the budget is too small for both.
    match (plain, write_as(input, true)) {
        (Ok(Some(plain)), Ok(Some(over_pairs))) if !is_as_good(&over_pairs, &plain) => Ok(plain),
        (_, Ok(Some(over_pairs))) => Ok(over_pairs),
        (Err(_), Err(Stop::Exhausted(exhausted))) => Err(exhausted.into()),
        (plain, _) => plain?.ok_or(Stop::Broken("the rules as they are were not written")),
    }
}

/// Each way to write a game from its rules that there is: over pairs, and as they are.
///
/// # Errors
///
/// When the budget runs out.
pub(super) fn write_each(
    game: &Game,
    ground: &Ground,
    net: &Net,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Vec<Export>, Exhausted> {
    let unrolled = &turns(game, net, meter)?;
    let normal = ground.normal();
    let input = Input { meter, game, normal, ground, net, unrolled, joint };
    let mut written = Vec::new();
    for as_pairs in [true, false] {
        match write_as(input, as_pairs) {
            Ok(export) => written.extend(export),
            Err(Stop::Unsuited(_) | Stop::Broken(_)) => {}
            Err(Stop::Exhausted(exhausted)) => return Err(exhausted),
        }
    }
    Ok(written)
}

/// How much more edges, in eighths, an automaton over pairs may have.
const MORE_EDGES: usize = 1;
/// How much longer its text may be, in bytes or in sixths: types and maps of pairs are longer.
const MORE_BYTES: usize = 5 << 10;
const MORE_TEXT: usize = 6;
/// How many bytes more for each edge that it has less.
const BYTES_OF_EDGE: usize = 512;

/// Whether an automaton over pairs is about as small as the plain one.
fn is_as_good(over_pairs: &Export, plain: &Export) -> bool {
    let edges = |export: &Export| export.description.edges.len();
    let text = |export: &Export| export.text().map_or(usize::MAX, |text| text.len());
    let saved = edges(plain).saturating_sub(edges(over_pairs));
    let more = (text(plain) / MORE_TEXT).max(MORE_BYTES) + BYTES_OF_EDGE * saved;
    8 * edges(over_pairs) <= (8 + MORE_EDGES) * edges(plain)
        && text(over_pairs) <= text(plain).saturating_add(more)
}

/// The turns that are told apart.
fn turns(game: &Game, net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
    // Turns of a game of one role only count.
    let unrolled = match game.roles.len() {
        1 => Unrolled::undivided(net, meter)?,
        _ => Unrolled::for_automaton(net, meter)?,
    };
    let unrolled = match unrolled.copies.len() <= MOST_TURNS * game.roles.len() {
        true => unrolled,
        false => Unrolled::undivided(net, meter)?,
    };
    Ok(match unrolled.copies.len() {
        1 => Unrolled::by_mover(net, meter)?.unwrap_or(unrolled),
        _ => unrolled,
    })
}

/// Writes a game over pairs, if it has any, or as its rules are.
fn write_as(input: Input<'_>, as_pairs: bool) -> Result<Option<Export>, Stop> {
    let Some(Analysed { analysis, relations, symbols, notes }) = analyse(input, as_pairs)? else {
        return Ok(None);
    };
    let draft = plan(input, &analysis, relations, symbols, notes)?;
    draft.emit().map(Some)
}
