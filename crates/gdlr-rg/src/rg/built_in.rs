//! The built-in definitions, which a description may leave out (RG, 2.1, special definitions).
//!
//! ```text
//! type Bool = { 0, 1 };
//! type Goals = Player -> Score;
//! type Visibility = Player -> Bool;
//! type PlayerOrSystem = { …, keeper, random };     the symbols of Player, and two more
//! var goals: Goals = { :s };                       s is the first symbol of Score
//! var player: PlayerOrSystem = keeper;
//! var visible: Visibility = { :1 };
//! ```

use super::ast::{
    Description, Entry, Ident, Map, Place, SimpleType, SymbolSet, Type, TypeAlias, Value, Variable,
};
use super::name::Name;
use hashbrown::HashSet;

/// Whether a type or variable of this name is built in, or required, like `Player` and `Score`.
pub(super) fn is_special(name: Name) -> bool {
    matches!(
        name,
        Name::PLAYER_TYPE
            | Name::SCORE_TYPE
            | Name::BOOL_TYPE
            | Name::GOALS_TYPE
            | Name::VISIBILITY_TYPE
            | Name::PLAYER_OR_SYSTEM_TYPE
            | Name::GOALS
            | Name::PLAYER
            | Name::VISIBLE
    )
}

impl Description {
    /// The symbols of a type that is written as a set.
    pub fn symbols_of(&self, name: Name) -> Option<&[Ident]> {
        let alias = self.types.iter().find(|alias| alias.name.name == name)?;
        match &alias.type_ {
            Type { keys, value: SimpleType::Set(set) } if keys.is_empty() => Some(&set.members),
            _ => None,
        }
    }

    /// The built-in types, as a description that writes them must have them.
    pub fn built_in_types(&self) -> [TypeAlias; 4] {
        let mut seen = HashSet::new();
        let players = self.symbols_of(Name::PLAYER_TYPE).unwrap_or_default();
        let players = players.iter().map(|player| player.name);
        let everybody =
            players.chain([Name::KEEPER, Name::RANDOM]).filter(|&name| seen.insert(name));
        [
            alias(Name::BOOL_TYPE, set([Name::ZERO, Name::ONE])),
            alias(Name::GOALS_TYPE, arrow(Name::PLAYER_TYPE, Name::SCORE_TYPE)),
            alias(Name::VISIBILITY_TYPE, arrow(Name::PLAYER_TYPE, Name::BOOL_TYPE)),
            alias(Name::PLAYER_OR_SYSTEM_TYPE, set(everybody)),
        ]
    }

    /// The built-in variables, with their values if the description leaves them out.
    pub fn built_in_variables(&self) -> [Variable; 3] {
        let scores = self.symbols_of(Name::SCORE_TYPE).unwrap_or_default();
        let score = scores.first().map_or(Name::ZERO, |score| score.name);
        [
            variable(Name::GOALS, Name::GOALS_TYPE, map_to(score)),
            variable(Name::PLAYER, Name::PLAYER_OR_SYSTEM_TYPE, Value::Name(Name::KEEPER.into())),
            variable(Name::VISIBLE, Name::VISIBILITY_TYPE, map_to(Name::ONE)),
        ]
    }

    /// The built-in types that the description leaves out.
    pub fn missing_types(&self) -> Vec<TypeAlias> {
        let given: HashSet<Name> = self.types.iter().map(|alias| alias.name.name).collect();
        self.built_in_types().into_iter().filter(|own| !given.contains(&own.name.name)).collect()
    }

    /// The built-in variables that the description leaves out.
    pub fn missing_variables(&self) -> Vec<Variable> {
        let given: HashSet<Name> = self.variables.iter().map(|given| given.name.name).collect();
        self.built_in_variables()
            .into_iter()
            .filter(|own| !given.contains(&own.name.name))
            .collect()
    }

    /// Adds the built-in definitions that the description leaves out, after the others.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rg::rg; }
    /// let text = "type Player = { x }; type Score = { 0 }; begin, end: player = keeper;";
    /// let mut description = gdlr::rg::read(text).unwrap();
    /// description.add_built_ins();
    /// let text = gdlr::rg::print(&description).unwrap();
    /// assert!(text.contains("type PlayerOrSystem = { x, keeper, random };\n"));
    /// assert!(text.contains("var goals: Goals = { :0 };\n"));
    /// ```
    pub fn add_built_ins(&mut self) {
        let (types, variables) = (self.missing_types(), self.missing_variables());
        self.types.extend(types);
        self.variables.extend(variables);
    }
}

fn alias(name: Name, type_: Type) -> TypeAlias {
    TypeAlias { name: name.into(), type_, place: Place::default() }
}

fn set(members: impl IntoIterator<Item = Name>) -> Type {
    let members = members.into_iter().map(Ident::from).collect();
    SimpleType::Set(SymbolSet { members, place: Place::default() }).into()
}

fn arrow(key: Name, value: Name) -> Type {
    Type { keys: vec![SimpleType::Named(key.into())], value: SimpleType::Named(value.into()) }
}

fn variable(name: Name, type_: Name, initial: Value) -> Variable {
    let type_ = SimpleType::Named(type_.into()).into();
    Variable { name: name.into(), type_, initial, place: Place::default() }
}

/// The map that has the same symbol for all keys.
fn map_to(symbol: Name) -> Value {
    let value = Value::Name(symbol.into());
    let entry = Entry { key: None, value, place: Place::default() };
    Value::Map(Map { entries: vec![entry], place: Place::default() })
}

#[cfg(test)]
mod tests {
    use crate::rg::{print, read};

    #[test]
    fn only_what_is_missing_is_added() {
        let text = "type Player = { x, keeper };\ntype Score = { 50, 0 };\ntype Bool = { 1, 0 };\n\
            var player: PlayerOrSystem = x;\n";
        let mut description = read(text).unwrap();
        description.add_built_ins();
        assert_eq!(
            print(&description).unwrap(),
            "type Player = { x, keeper };\ntype Score = { 50, 0 };\ntype Bool = { 1, 0 };\n\
             type Goals = Player -> Score;\ntype Visibility = Player -> Bool;\n\
             type PlayerOrSystem = { x, keeper, random };\n\
             var player: PlayerOrSystem = x;\nvar goals: Goals = { :50 };\n\
             var visible: Visibility = { :1 };\n\n"
        );
        let before = description.clone();
        description.add_built_ins();
        assert_eq!(description, before);
    }
}
