//! The facts that can be true, without a net and without ground rules: for those who look at a game.

use super::error::GroundError;
use super::program::Program;
use super::rows::Rows;
use super::slice::{Precision, slice};
use super::{estimate, reach, split};
use crate::tuning::Tuning;
use gdlr_rules::gdl::{Game, Term};
use gdlr_rules::normal::{FluentRelations, Normal, NormalOptions};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use std::sync::Arc;

/// So much work is worth to know the facts that grounding reaches, and not some more: about half a
/// second.
const MOST_FINE_WORK: u64 = 3_000_000;

/// The facts of all states to which play can come, and perhaps others: at most those that
/// [`Ground`](super::Ground) has, or, where that is much work, some more. Takes time for the facts
/// and for the joins that lead to them, and none for ground rules.
///
/// ```
/// # mod gdlr { pub use gdlr_text::budget; pub use gdlr_rules::gdl; pub use gdlr_net::ground; }
/// use gdlr::budget::Meter;
/// use gdlr::gdl::Game;
/// use gdlr::ground::possible_facts;
///
/// let game = Game::from_kif("connect4", include_str!("../../../../kif/connect4.kif")).unwrap();
/// let facts = possible_facts(game, &Meter::unlimited()).unwrap();
/// // 42 squares for either colour and for the next disc, and whose turn it is.
/// assert_eq!(facts.len(), 3 * 42 + 2);
/// ```
///
/// # Errors
///
/// When the rulesheet is refused, or the budget runs out.
pub fn possible_facts(
    game: impl Into<Arc<Game>>,
    meter: &Meter<'_>,
) -> Result<Vec<Term>, GroundError> {
    let normal = Normal::within(game.into(), &NormalOptions::default(), meter)??;
    let fine = reached(&normal, Precision::Fine, &meter.within_work(MOST_FINE_WORK));
    let facts = match fine {
        Ok(facts) => facts,
        Err(_) => reached(&normal, Precision::Coarse, meter)?,
    };
    let of_fluent = |fluent: &FluentRelations| {
        let rows = facts[fluent.base.index()].iter();
        let decode = |row| normal.decode_fact(fluent.fluent, fluent.base, row);
        rows.map(decode).collect::<Vec<Term>>()
    };
    Ok(normal.fluents.iter().flat_map(of_fluent).collect())
}

/// The rows of all relations that are needed to find those of the base relations.
fn reached(
    normal: &Normal,
    precision: Precision,
    meter: &Meter<'_>,
) -> Result<Vec<Rows>, Exhausted> {
    let mut program = slice(Program::new(normal, meter)?, normal, precision, meter)?;
    let mut sizes = estimate::estimate(&program, meter)?;
    split::split(&mut program, &mut sizes, &Tuning::default(), meter)?;
    let facts = reach::reach(&program, &mut sizes, meter);
    meter.hold(Memory::Facts, 0);
    meter.hold(Memory::Scratch, 0);
    facts
}
