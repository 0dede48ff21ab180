//! Symbols as names of the automaton, and sets of them as its types.
//!
//! The type of a set is named after its first use. Symbols are those of the rulesheet, pairs of
//! symbols, and directions.

use super::pairs::Pairs;
use super::roles::Roles;
use super::sets::{SetId, Sets};
use crate::export::naming::{Naming, capital, plain};
use gdlr_rg::rg::{Name, Place, SimpleType, SymbolSet, TypeAlias};
use gdlr_rules::gdl::{Symbol, natural_order};
use gdlr_rules::normal::{Normal, RelationId};
use hashbrown::HashMap;

/// The symbols and types of an automaton.
pub struct Symbols<'a> {
    normal: &'a Normal,
    pub pairs: Pairs,
    pub naming: Naming,
    pub sets: Sets,
    /// The types that have been declared.
    pub declared: Vec<TypeAlias>,
    /// By set, and by whether `none` is also a member: the name of the type.
    types: HashMap<(SetId, bool), Name>,
    /// The members of `Player`, if each is a symbol of the rules.
    players: Option<Vec<Symbol>>,
    /// By relation and column: its symbols, if they have been asked for.
    pub columns: HashMap<(RelationId, usize), SetId>,
}

impl<'a> Symbols<'a> {
    /// The symbols of a game. Only the roles have names so far.
    pub fn new(normal: &'a Normal, naming: Naming, roles: &Roles) -> Symbols<'a> {
        Symbols {
            normal,
            pairs: Pairs::new(normal),
            naming,
            sets: Sets::default(),
            declared: Vec::new(),
            types: HashMap::new(),
            players: roles.player_symbols(),
            columns: HashMap::new(),
        }
    }

    /// The set with these members.
    pub fn set(&mut self, symbols: impl IntoIterator<Item = Symbol>) -> SetId {
        let mut members: Vec<Symbol> = symbols.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        members.sort_by_cached_key(|&symbol| natural_order(&self.text_of(symbol)));
        self.sets.of(members)
    }

    /// The smallest set with a type that contains a set of pairs, if it has at most twice its
    /// members. Otherwise the set itself.
    pub fn widened(&self, set: SetId) -> SetId {
        let members = self.sets.members(set);
        if members.len() < 2 || members.iter().any(|&s| self.pairs.parts(s).is_none()) {
            return set;
        }
        let most = 2 * members.len();
        let fits = |&&(other, with_none): &&(SetId, bool)| {
            !with_none && self.sets.members(other).len() <= most && self.sets.within(set, other)
        };
        let fitting = self.types.keys().filter(fits).map(|(other, _)| *other);
        fitting.min_by_key(|&other| (self.sets.members(other).len(), other)).unwrap_or(set)
    }

    /// The text of a symbol. A pair has both texts.
    pub fn text_of(&self, symbol: Symbol) -> String {
        match (self.pairs.parts(symbol), self.pairs.name(symbol)) {
            (Some((first, second)), _) => {
                format!("{} {}", self.text_of(first), self.text_of(second))
            }
            (None, Some(name)) => name.to_owned(),
            (None, None) => self.normal.symbol_text(symbol),
        }
    }

    /// The symbol of the automaton for a symbol of the rules.
    pub fn name_of(&mut self, symbol: Symbol) -> Name {
        let text = self.text_of(symbol);
        self.naming.symbol(&text, &plain(&text))
    }

    /// The symbol `none`, for no value.
    pub fn none(&mut self) -> Name {
        self.naming.symbol("", "none")
    }

    /// The names of the members of a set. `none` comes last, if it is a member.
    pub fn names_of(&mut self, set: SetId, with_none: bool) -> Vec<Name> {
        let members = self.sets.members(set).to_vec();
        let mut names: Vec<Name> = members.into_iter().map(|s| self.name_of(s)).collect();
        if with_none {
            names.push(self.none());
        }
        names
    }

    /// The type of a set. Its first use gives it the name `wanted`.
    pub fn type_of(&mut self, set: SetId, with_none: bool, wanted: &str) -> Name {
        if let Some(&name) = self.types.get(&(set, with_none)) {
            return name;
        }
        if !with_none && self.are_players(set) {
            self.types.insert((set, with_none), Name::PLAYER_TYPE);
            return Name::PLAYER_TYPE;
        }
        let wanted = capital(wanted);
        let text = if with_none { format!("{wanted}OrNone") } else { wanted };
        let name = self.naming.define(&text);
        self.types.insert((set, with_none), name);
        let members = self.names_of(set, with_none).into_iter().map(Into::into).collect();
        let members = SymbolSet { members, place: Place::default() };
        let type_ = SimpleType::Set(members).into();
        let place = Place::default();
        self.declared.push(TypeAlias { name: name.into(), type_, place });
        name
    }

    /// Whether the members of a set are exactly the players.
    fn are_players(&self, set: SetId) -> bool {
        let members = self.sets.members(set);
        self.players.as_ref().is_some_and(|players| {
            members.len() == players.len() && players.iter().all(|player| members.contains(player))
        })
    }
}
