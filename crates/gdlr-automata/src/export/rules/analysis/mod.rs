//! What is known of a game before anything is planned.
//!
//! Rules are rewritten here, and no statement is. The passes over the rules run in this order, the
//! first and the last three of them if the game is written over pairs:
//!
//! | pass | what it does |
//! |---|---|
//! | [`fuse`] | makes columns one that are one, such as the coordinates of a square |
//! | [`state`] | gives each base relation a shape: which columns are keys, and which is the value |
//! | [`known`] | finds the rows that are known before play, or in a turn |
//! | [`relations`] | finds what relations depend on |
//! | [`transitive`] | lets rules that join two ways of one relation ask for it once |
//! | [`unions`] | puts the rules of a relation in the place of its only use |
//! | [`join`] | puts static conditions of a rule together |
//! | [`merge`] | makes rules one that differ in what is static; those about lines ([`lines`]) walk |
//!
//! | file | what it is for |
//! |---|---|
//! | [`input`] | a game as rules, facts and net |
//! | [`roles`], [`move_rows`] | roles and moves, as symbols and rows |
//! | [`symbols`], [`sets`] | symbols as names, sets of them as types |
//! | [`pairs`] | which columns may be one, and the symbols of pairs |
//! | [`hints`] | names for columns, from the variables of the rulesheet |
//! | [`exclusive`], [`proofs`] | which facts exclude each other, and what the net is asked for that |
//! | [`answers`] | the rows that may answer conditions |
//! | [`domains`] | what columns and variables can be |
//! | [`directions`], [`line_form`], [`line_rules`] | rows of squares as walks: their directions, what they ask, their rules |
//! | [`mod@unfold`], [`circles`] | a condition replaced by what it follows from; ways that lead back |
//! | [`quotes`] | rules as text, and notes on how parts were written |

mod answers;
mod circles;
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
pub use circles::has_no_circle;
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

/// How many relations there may be: what each depends on is kept for each.
const MOST_RELATIONS: usize = 2048;
/// How many conditions a rule may have.
const MOST_CONDITIONS: usize = 512;

/// What is known of a game before anything is planned, beside its relations. It does not change.
#[derive(Debug)]
pub struct Analysis {
    pub roles: Roles,
    pub moves: MoveRows,
    /// How the base relations that change are held.
    pub shapes: Shapes,
}

/// A game that has been analysed.
pub struct Analysed<'a> {
    pub analysis: Analysis,
    /// Planning adds the relations that are asked anew.
    pub relations: Relations<'a>,
    /// Planning adds the sets and names that it needs.
    pub symbols: Symbols<'a>,
    /// How facts are held.
    pub notes: Notes,
}

/// Analyses a game: over pairs, or as its rules are. `None` if no columns of it are pairs.
///
/// # Errors
///
/// When the budget runs out, or the game has something that cannot be written so.
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
