//! The terms that can occur in a game that does not ground: a list of moves, facts and percepts that has
//! all of them, and more.
//!
//! Every column of a relation has a set of symbols that can stand in it ([`estimate`]). All rows
//! that can be made of these sets are as many as their product, which is little for most moves
//! and fluents even where the relations between them are too large to write down.

use super::error::{GroundError, VocabularyError};
use super::estimate;
use super::program::Program;
use fixedbitset::FixedBitSet;
use gdlr_engine::engine::Vocabulary;
use gdlr_rules::gdl::{Game, Symbol, Term, natural_order};
use gdlr_rules::normal::{Fluent, Normal, NormalOptions, RelationId, all_terms};
use gdlr_text::budget::Meter;
use std::sync::Arc;

/// Lists the moves, facts and percepts of a game, at most so many of each: all that there are in
/// any state to which play can come, and others that look like them. Takes time for the rules,
/// and not for what grounding makes of them.
///
/// ```
/// # mod gdlr { pub use gdlr_text::budget; pub use gdlr_rules::gdl; pub use gdlr_net::ground; }
/// use gdlr::budget::Meter;
/// use gdlr::gdl::Game;
/// use gdlr::ground::vocabulary;
///
/// let game = Game::from_kif("nim", include_str!("../../../../kif/nim.kif")).unwrap();
/// let words = vocabulary(game, 1000, &Meter::unlimited()).unwrap();
/// assert!(words.moves.len() >= 13 && words.facts.len() >= 20);
/// ```
///
/// # Errors
///
/// When the rulesheet is refused, the budget runs out, or there are too many.
pub fn vocabulary(
    game: impl Into<Arc<Game>>,
    most: usize,
    meter: &Meter<'_>,
) -> Result<Vocabulary, VocabularyError> {
    let game = game.into();
    let normal = Normal::within(game.clone(), &NormalOptions::default(), meter)
        .map_err(GroundError::from)?
        .map_err(GroundError::from)?;
    let program = Program::new(&normal, meter).map_err(GroundError::from)?;
    let domains = estimate::domains(&program, meter).map_err(GroundError::from)?;
    let names = game.symbols.len();
    let symbol = |place| Symbol::from_index(place as u16);
    let symbols = |set: &FixedBitSet| -> Vec<Symbol> { set.ones().map(symbol).collect() };
    let columns = |relation: RelationId| -> Vec<Vec<Symbol>> {
        domains[relation.index()].iter().map(symbols).collect()
    };
    let too_many = |what: String| VocabularyError::TooMany { what, most };
    let sorted = |mut terms: Vec<Term>| {
        terms.sort_by_cached_key(|term| natural_order(&term.canonical(&game.symbols)));
        terms.dedup();
        terms
    };
    // The second argument, behind the role.
    let said = |relation: RelationId, what: &str| {
        let [role, term] = &normal.relation(relation).args[..] else { unreachable!("two of them") };
        let terms = term.terms(&columns(relation)[role.width()..], names, most);
        terms.map(sorted).ok_or_else(|| too_many(what.to_owned()))
    };
    let mut facts = Vec::new();
    for fluent in &normal.fluents {
        let columns = columns(fluent.base);
        match fluent.fluent {
            Fluent::Constants => {
                let constants =
                    columns[0].iter().filter(|symbol| usize::from(symbol.index()) < names);
                facts.extend(constants.map(|&symbol| Term::Constant(symbol)));
            }
            Fluent::Function(name, _) => {
                let rows = all_terms(&normal.relation(fluent.base).args, &columns, names, most);
                let rows =
                    rows.ok_or_else(|| too_many(format!("facts `{}`", normal.spelling(name))))?;
                facts.extend(rows.into_iter().map(|args| Term::Function(name, args)));
            }
        }
        if facts.len() > most {
            return Err(too_many("facts".to_owned()));
        }
    }
    Ok(Vocabulary {
        moves: said(normal.does, "moves")?,
        facts: sorted(facts),
        percepts: normal.sees.map_or(Ok(Vec::new()), |sees| said(sees, "percepts"))?,
    })
}
