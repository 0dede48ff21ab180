//! From rules to an automaton as a person would write it.
//!
//! Facts that differ only in constants are entries of one map (an array). Moves that follow from
//! one rule are one *walk*, a path that chooses their arguments one after the other. A derived
//! relation is written once, as a *check*, a subroutine that tests and changes nothing. Its
//! arguments are in *registers*, variables that are no part of the state. The net proves which
//! facts exclude each other, which moves a turn has, and which turn comes next.
//!
//! There are three stages, `analysis`, `plan` and `emit`. Each one is a folder, and hands data to
//! the next one. A fourth folder, `build`, has the program under construction, which `plan` fills.
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
//! | [`analysis`] | an `Input`: rules, ground facts and net | `Analysis`, which never changes later; `Relations`, with the rules over pairs; `Symbols`, with sets and types |
//! | [`build`] | requests of a planner | statements, registers and constant maps of a `Builder`; nothing there knows of rules |
//! | [`mod@plan`] | the analysis | a `Draft`: the program of all turns, the goals and the end |
//! | [`emit`] | a `Draft` | an `Export`: the shortened program, as a description, and its legend, which says what its names stand for |
//!
//! A game is analysed and planned twice: with the columns of its rules, and with pairs of columns as
//! one column, such as the two coordinates of a square. The automaton over pairs is taken if it is no
//! worse to read than the other one.

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
use plan::{Part, PartsOfNet, plan};

/// The reason why an automaton was not written.
#[derive(Debug)]
pub(super) enum Stop {
    Exhausted(Exhausted),
    /// The export cannot write some part of the game, or the game as a whole.
    Unsuited {
        why: String,
        part: Option<Part>,
    },
    /// An invariant of the export is broken: a mistake in this program, and not in the game.
    Broken(&'static str),
}

impl Stop {
    fn unsuited(why: &str) -> Stop {
        Stop::Unsuited { why: why.to_owned(), part: None }
    }
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Stop {
        Stop::Exhausted(exhausted)
    }
}

/// The most turns for each role that are always distinguished.
const MOST_TURNS: usize = 2;
/// The most turns for each role that are distinguished if the automaton is little larger then.
const MOST_TRIED: usize = 4;

/// Writes a game as an automaton from its rules: over pairs, if the text is about as short. If
/// there are many turns, they are distinguished if the automaton is little larger.
///
/// # Errors
///
/// When the budget runs out, or when the export cannot write the game.
pub(super) fn write(
    game: &Game,
    ground: &Ground,
    net: &Net,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Export, Stop> {
    let normal = ground.normal();
    let Turns { few, many } = turns(game, net, meter)?;
    let of = |unrolled: &Unrolled| {
        write_turns(Input { meter, game, normal, ground, net, unrolled, joint })
    };
    let written = of(&few);
    match (many.as_ref().map(of), written) {
        (Some(Ok(apart)), Ok(written)) if is_little_larger(&apart, &written) => Ok(apart),
        (Some(Ok(apart)), Err(Stop::Unsuited { .. })) => Ok(apart),
        (_, written) => written,
    }
}

/// Writes a game with these turns: over pairs, if the text is about as short.
fn write_turns(input: Input<'_>) -> Result<Export, Stop> {
    let plain = match write_as(input, false) {
        Err(Stop::Exhausted(exhausted)) => return Err(exhausted.into()),
        written => written,
    };
    // If the budget is too small for both, the first automaton is still returned.
    match (plain, write_as(input, true)) {
        (Ok(Some(plain)), Ok(Some(over_pairs))) if !is_as_good(&over_pairs, &plain) => Ok(plain),
        (_, Ok(Some(over_pairs))) => Ok(over_pairs),
        (Err(_), Err(Stop::Exhausted(exhausted))) => Err(exhausted.into()),
        (plain, _) => plain?.ok_or(Stop::Broken("the rules as they are were not written")),
    }
}

/// All automata that can be written from the rules: over pairs or not, with few turns or with many.
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
    let normal = ground.normal();
    let Turns { few, many } = turns(game, net, meter)?;
    let mut written = Vec::new();
    for unrolled in [Some(&few), many.as_ref()].into_iter().flatten() {
        let input = Input { meter, game, normal, ground, net, unrolled, joint };
        for as_pairs in [true, false] {
            match write_as(input, as_pairs) {
                Ok(export) => written.extend(export),
                Err(Stop::Unsuited { .. } | Stop::Broken(_)) => {}
                Err(Stop::Exhausted(exhausted)) => return Err(exhausted),
            }
        }
    }
    Ok(written)
}

/// The additional edges of an automaton over pairs, in eighths of the edges of the plain one.
const MORE_EDGES: usize = 1;
/// The additional text that it may have, in bytes. Types and maps of pairs have longer names.
const MORE_BYTES: usize = 5 << 10;
/// The additional text that it may have, as a part of the plain text: one in so many. The greater
/// of both bounds counts.
const MORE_TEXT: usize = 6;
/// The additional text that it may have for each edge that it saves, in bytes.
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

/// The additional edges of an automaton with many turns, in quarters of the edges of the other one.
const MORE_OF_TURNS: usize = 1;

/// Whether an automaton with many turns is little larger than another one.
fn is_little_larger(apart: &Export, other: &Export) -> bool {
    let edges = |export: &Export| export.description.edges.len();
    4 * edges(apart) <= (4 + MORE_OF_TURNS) * edges(other)
}

/// The turns that are distinguished.
struct Turns {
    few: Unrolled,
    /// More turns, if some can be distinguished.
    many: Option<Unrolled>,
}

/// The turns that are distinguished.
fn turns(game: &Game, net: &Net, meter: &Meter<'_>) -> Result<Turns, Exhausted> {
    // In a game of one role, turns would only count steps.
    let all = match game.roles.len() {
        1 => Unrolled::undivided(net, meter)?,
        _ => Unrolled::for_automaton(net, meter)?,
    };
    let count = all.copies.len();
    let (few, many) = match count <= MOST_TURNS * game.roles.len() {
        true => (all, None),
        false => {
            let many = (count <= MOST_TRIED * game.roles.len()).then_some(all);
            (Unrolled::undivided(net, meter)?, many)
        }
    };
    let few = match few.copies.len() {
        1 => Unrolled::by_mover(net, meter)?.unwrap_or(few),
        _ => few,
    };
    Ok(Turns { few, many })
}

/// Writes a game over pairs of columns, or with the columns of its rules. Parts whose rules cannot
/// be written are written from the net. `None` if no columns are pairs.
fn write_as(input: Input<'_>, as_pairs: bool) -> Result<Option<Export>, Stop> {
    // The facts of relations that goals alone ask are not known if there may be too many.
    let too_many = |&relation| {
        let name = input.normal.relation_name(relation);
        (Part::Goals, format!("`{name}` may have too many facts"))
    };
    write_with(input, as_pairs, input.ground.unfolded().first().map(too_many).into_iter().collect())
}

/// Writes a game as `write_as`, with some parts from the net.
fn write_with(
    input: Input<'_>,
    as_pairs: bool,
    mut of_net: PartsOfNet,
) -> Result<Option<Export>, Stop> {
    loop {
        let Some(Analysed { analysis, relations, symbols, notes }) = analyse(input, as_pairs)?
        else {
            return Ok(None);
        };
        match plan(input, &analysis, relations, symbols, notes, of_net.clone()) {
            Ok(draft) => return draft.emit().map(Some),
            Err(Stop::Unsuited { why, part: Some(part) }) if !of_net.contains_key(&part) => {
                of_net.insert(part, why);
            }
            // The reason is the first problem of the rules, and not one of the net.
            Err(Stop::Unsuited { why, .. }) => {
                let first = of_net.into_values().next();
                return Err(Stop::unsuited(&first.unwrap_or(why)));
            }
            Err(stop) => return Err(stop),
        }
    }
}

/// Writes a game several times, each time with another part from the net. For tests.
///
/// # Errors
///
/// When the budget runs out.
pub(super) fn write_each_part_of_net(
    game: &Game,
    ground: &Ground,
    net: &Net,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Vec<Export>, Exhausted> {
    let normal = ground.normal();
    let unrolled = &turns(game, net, meter)?.few;
    let input = Input { meter, game, normal, ground, net, unrolled, joint };
    let next = normal.fluents.iter().map(|fluent| Part::Next(fluent.base));
    let kinds = (0..MOST_KINDS).flat_map(|kind| [Part::Moves(kind), Part::Percepts(kind)]);
    let mut written = Vec::new();
    for part in [Part::Over, Part::Goals].into_iter().chain(next).chain(kinds) {
        for as_pairs in [true, false] {
            let of_net = PartsOfNet::from([(part, "a test".to_owned())]);
            match write_with(input, as_pairs, of_net) {
                Ok(export) => written.extend(export),
                Err(Stop::Exhausted(exhausted)) => return Err(exhausted),
                Err(_) => {}
            }
        }
    }
    Ok(written)
}

/// The most kinds of moves, and of percepts, that are written from the net in this way.
const MOST_KINDS: usize = 4;
