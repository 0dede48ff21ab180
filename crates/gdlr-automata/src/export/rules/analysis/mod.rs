//! The analysis of a game, before anything is planned.
//!
//! Passes rewrite rules here. No statement is written. The passes run in this order. The first one
//! and the last three run only if the game is written over pairs:
//!
//! | pass | what it does |
//! |---|---|
//! | [`fuse`] | fuses two columns into one, such as the coordinates of a square |
//! | [`state`] | gives each base relation a shape: its keys, and its value |
//! | [`known`] | finds the rows that are known before play, or in a turn |
//! | [`relations`] | finds the relations on which each relation depends |
//! | [`transitive`] | lets rules that join two paths of a relation ask for it once |
//! | [`unions`] | puts the rules of a relation in the place of its only use |
//! | [`join`] | joins static conditions of a rule |
//! | [`merge`] | merges rules that differ only in static conditions; rules about lines ([`lines`]) become walks |
//!
//! | file | what it is for |
//! |---|---|
//! | [`input`] | a game as rules, facts and net |
//! | [`roles`], [`move_rows`] | roles and moves, as symbols and rows |
//! | [`symbols`], [`sets`] | symbols as names, sets of them as types |
//! | [`pairs`] | columns that may be fused, and the symbols of pairs |
//! | [`hints`] | names for columns, from the variables of the rulesheet |
//! | [`exclusive`], [`proofs`] | facts that exclude each other, and the proofs of the net |
//! | [`answers`] | the rows that may answer conditions |
//! | [`domains`] | the possible symbols of columns and variables |
//! | [`directions`], [`line_form`], [`line_rules`] | rows of squares as walks: their directions, their conditions, their rules |
//! | [`mod@unfold`], [`cycles`] | a condition replaced by the body of a rule; cycles of edges |
//! | [`quotes`] | rules as text, and notes on how parts were written |

mod answers;
mod cycles;
mod directions;
mod domains;
mod exclusive;
mod fuse;
mod hints;
mod input;
mod join;
mod known;
mod line_form;
mod line_rules;
mod lines;
mod merge;
mod move_rows;
mod pairs;
mod proofs;
mod quotes;
mod relations;
mod roles;
mod sets;
mod state;
mod symbols;
mod transitive;
mod unfold;
mod unions;

pub use answers::{Answer, Clause, is_variable, positive};
pub use cycles::is_acyclic;
pub use hints::both_names;
pub use input::Input;
pub use move_rows::MoveRows;
pub use proofs::Proofs;
pub use quotes::Notes;
pub use relations::Relations;
pub use roles::Roles;
pub use sets::{SetId, Sets};
pub use state::{MOST_KEYS, NO_FACT, Shape, Shapes};
pub use symbols::Symbols;
pub use unfold::{atoms, unfold, variable, variables};

use crate::export::naming::Naming;
use crate::export::rules::Stop;

/// The most relations. For each one, the relations on which it depends are stored.
const MOST_RELATIONS: usize = 2048;
/// The most conditions of a rule.
const MOST_CONDITIONS: usize = 512;

/// The analysis of a game, beside its relations. It never changes later.
#[derive(Debug)]
pub struct Analysis {
    pub roles: Roles,
    pub moves: MoveRows,
    /// The shapes of base relations that change.
    pub shapes: Shapes,
}

/// A game that has been analysed.
pub struct Analysed<'a> {
    pub analysis: Analysis,
    /// Planning appends the relations that are asked anew.
    pub relations: Relations<'a>,
    /// Planning adds the sets and names that it needs.
    pub symbols: Symbols<'a>,
    /// Notes for the user, such as the shapes of base relations.
    pub notes: Notes,
}

/// Analyses a game: over pairs of columns, or with the columns of its rules. `None` if no columns
/// are pairs.
///
/// # Errors
///
/// When the budget runs out, or when the export cannot write the game.
pub fn analyse(input: Input<'_>, as_pairs: bool) -> Result<Option<Analysed<'_>>, Stop> {
    let normal = input.normal;
    if normal.relations.len() > MOST_RELATIONS {
        return Err(Stop::unsuited("too many relations"));
    }
    if normal.rules.iter().any(|rule| rule.body.len() > MOST_CONDITIONS) {
        return Err(Stop::unsuited("a rule with too many conditions"));
    }
    let mut naming = Naming::default();
    let roles = Roles::of(&input, &mut naming)?;
    let mut symbols = Symbols::new(normal, naming, &roles);
    let mut relations = Relations::new(input);
    let mut notes = Notes::default();
    if as_pairs && !relations.fuse(&mut symbols.pairs)? {
        return Ok(None);
    }
    let (shapes, unchanging) = state::shapes(&relations, &mut symbols, &mut notes)?;
    let moves = MoveRows::of(&input, &relations.columns, &symbols.pairs)?;
    relations.known.tell(&input, (&relations.columns, &symbols.pairs), &shapes, unchanging);
    relations.relate(&shapes)?;
    if relations.ask_once() {
        relations.relate(&shapes)?;
    }
    if as_pairs {
        relations.unite_rules(&shapes)?;
        relations.join_static()?;
        relations.merge_rules(&shapes, &mut symbols)?;
    }
    let analysis = Analysis { roles, moves, shapes };
    Ok(Some(Analysed { analysis, relations, symbols, notes }))
}
