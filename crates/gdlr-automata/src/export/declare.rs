//! Declarations that both exports share: types of symbols, scores, and the variable of visibility.

use super::naming::{Naming, flat};
use gdlr_net::net::Net;
use gdlr_rg::rg::{
    Description, Entry, Map, Name, Place, SimpleType, SymbolSet, TypeAlias, Value, Variable,
};
use gdlr_rules::gdl::{Game, Term};
use hashbrown::HashSet;

/// Declares a type of symbols. Repeated symbols count once.
pub(super) fn set_type(
    description: &mut Description,
    name: Name,
    members: impl IntoIterator<Item = Name>,
) {
    let mut seen = HashSet::new();
    let members = members.into_iter().filter(|&name| seen.insert(name)).map(Into::into);
    let set = SymbolSet { members: members.collect(), place: Place::default() };
    let type_ = SimpleType::Set(set).into();
    description.types.push(TypeAlias { name: name.into(), type_, place: Place::default() });
}

/// The symbols of scores.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    /// The symbols of goal values, from the smallest to the greatest.
    pub values: Vec<(Name, Term)>,
    /// The symbol of a role without a goal value.
    pub none: Name,
    /// The symbol of a role with several goal values.
    pub differ: Name,
}

impl Scores {
    /// Names the scores of a game.
    pub fn of(net: &Net, game: &Game, naming: &mut Naming) -> Scores {
        let symbols = &game.symbols;
        let mut values: Vec<(Name, Term)> = Vec::new();
        for goal in &net.goals {
            if !values.iter().any(|(_, value)| *value == goal.value) {
                let text = goal.value.spelled(symbols);
                let name = naming.symbol(&text, &flat([&goal.value], symbols));
                values.push((name, goal.value.clone()));
            }
        }
        values.sort_by_key(|(_, value)| {
            let text = value.spelled(symbols);
            (text.parse::<u32>().unwrap_or(u32::MAX), text)
        });
        let none = naming.symbol("no score", "undefined");
        let differ = naming.symbol("several scores", "ambiguous");
        Scores { values, none, differ }
    }

    /// The symbol of a goal value.
    pub fn of_value(&self, value: &Term) -> Name {
        let score = self.values.iter().find(|(_, other)| other == value);
        score.expect("all values are listed").0
    }
}

/// `var visible: Visibility = { :0 };`
pub(super) fn nothing_visible() -> Variable {
    let place = Place::default();
    let entry = Entry { key: None, value: Value::Name(Name::ZERO.into()), place };
    Variable {
        name: Name::VISIBLE.into(),
        type_: SimpleType::Named(Name::VISIBILITY_TYPE.into()).into(),
        initial: Value::Map(Map { entries: vec![entry], place }),
        place,
    }
}
