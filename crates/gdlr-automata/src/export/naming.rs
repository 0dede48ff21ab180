//! Names for terms of a game: readable, unique, and the same in every run.
//!
//! A term is written flat: `(mark 1 1)` becomes `mark_1_1`. A character that cannot be part of a
//! name of RG becomes `_`. A number is added if the name is taken, or is a word of the language.
//! For example, `(a b c)` and `(a b_c)` would have the same name.

use gdlr_rg::rg::{Name, Names, is_name_character};
use gdlr_rules::gdl::{SymbolTable, Term};
use hashbrown::{HashMap, HashSet};

/// The names so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Naming {
    pub names: Names,
    /// The names of types, constants and variables, and the names that the language defines.
    defined: HashSet<Name>,
    /// By text of a symbol, which identifies it: its name.
    symbols: HashMap<String, Name>,
    used_symbols: HashSet<Name>,
}

impl Naming {
    /// A new name for a type, a constant or a variable.
    pub fn define(&mut self, wanted: &str) -> Name {
        let reserved = self.reserved();
        let name = free(&mut self.names, wanted, |name| {
            let taken = self.defined.contains(&name) || self.used_symbols.contains(&name);
            !reserved.contains(&name) && !taken
        });
        self.defined.insert(name);
        name
    }

    /// The symbol that `what` identifies. A new symbol gets a name like `wanted`.
    pub fn symbol(&mut self, what: &str, wanted: &str) -> Name {
        if let Some(&name) = self.symbols.get(what) {
            return name;
        }
        let reserved = [Name::KEEPER, Name::RANDOM, Name::PLAYER, Name::GOALS, Name::VISIBLE];
        let name = free(&mut self.names, wanted, |name| {
            let taken = self.defined.contains(&name) || self.used_symbols.contains(&name);
            !reserved.contains(&name) && !taken
        });
        self.symbols.insert(what.to_owned(), name);
        self.used_symbols.insert(name);
        name
    }

    /// The names that no definition of a game may have.
    fn reserved(&self) -> [Name; 13] {
        [
            Name::KEEPER,
            Name::RANDOM,
            Name::PLAYER,
            Name::GOALS,
            Name::VISIBLE,
            Name::ZERO,
            Name::ONE,
            Name::PLAYER_TYPE,
            Name::SCORE_TYPE,
            Name::BOOL_TYPE,
            Name::GOALS_TYPE,
            Name::VISIBILITY_TYPE,
            Name::PLAYER_OR_SYSTEM_TYPE,
        ]
    }

    /// The name with this text. The text must be a valid name.
    pub fn plain(&mut self, text: &str) -> Name {
        self.names.intern(text).expect("a name")
    }
}

/// The wanted name if it is free, and otherwise the first free name with a number.
fn free(names: &mut Names, wanted: &str, is_free: impl Fn(Name) -> bool) -> Name {
    let mut text = wanted.to_owned();
    let mut number = 1u32;
    loop {
        match names.intern(&text) {
            Ok(name) if is_free(name) => return name,
            _ => number += 1,
        }
        text = format!("{wanted}_{number}");
    }
}

/// Terms as one flat text, of which a name can be made.
pub(super) fn flat<'t>(terms: impl IntoIterator<Item = &'t Term>, symbols: &SymbolTable) -> String {
    let spelled: Vec<String> = terms.into_iter().map(|term| term.spelled(symbols)).collect();
    let mut text = String::new();
    for word in spelled.iter().flat_map(|term| term.split(['(', ')', ' '])) {
        if word.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push('_');
        }
        text.push_str(&plain(word));
    }
    if text.is_empty() { "_".to_owned() } else { text }
}

/// The text with `_` for each character that cannot be part of a name.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if is_name_character(c) { c } else { '_' }).collect()
}

/// The text with a capital first letter, as types are written.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}
