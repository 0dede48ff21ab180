//! Moves and roles as numbers.

use gdlr_rules::gdl::{Game, names_chance};

/// A move of a role, as a number of its engine.
///
/// The same in every scratch and thread of the engine. Where the engine knows all moves
/// ([`Engine::moves`](super::Engine::moves)), the numbers are dense: a table by move is a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveId(pub u32);

impl MoveId {
    /// The number as a place in a table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The place of a role in the order of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleId(pub u16);

impl RoleId {
    /// The number as a place in a table.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The roles of a game, in the order of joint moves, with their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    names: Vec<String>,
    random: Option<RoleId>,
}

impl Roles {
    /// Roles with these names. The first that is called `random` in any spelling of its letters is
    /// chance ([`Game::chance`]).
    ///
    /// # Panics
    ///
    /// With more names than a [`RoleId`] can number, 65,536. Rulesheets of so many roles are
    /// refused before.
    pub fn new(names: impl IntoIterator<Item = String>) -> Roles {
        let names: Vec<String> = names.into_iter().collect();
        assert!(names.len() <= 1 << 16, "roles are numbered with 16 bits");
        let random = names.iter().position(|name| names_chance(name));
        Roles { names, random: random.map(|place| RoleId(place as u16)) }
    }

    /// The roles of a rulesheet.
    pub fn of(game: &Game) -> Roles {
        Roles::new(game.roles.iter().map(|role| role.spelled(&game.symbols)))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Every role in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = RoleId> + Clone + use<> {
        (0..self.names.len()).map(|place| RoleId(place as u16))
    }

    /// The name of a role, as the game spells it.
    ///
    /// # Panics
    ///
    /// When the game has no such role.
    pub fn name(&self, role: RoleId) -> &str {
        &self.names[role.index()]
    }

    /// All names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The role with a name. Upper and lower case may differ if that leaves one role.
    pub fn find(&self, name: &str) -> Option<RoleId> {
        if let Some(place) = self.names.iter().position(|own| own == name) {
            return Some(RoleId(place as u16));
        }
        let mut alike = self.iter().filter(|&role| self.name(role).eq_ignore_ascii_case(name));
        let first = alike.next();
        first.filter(|_| alike.next().is_none())
    }

    /// The role that chance plays, if there is one.
    pub fn random(&self) -> Option<RoleId> {
        self.random
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_found_by_name() {
        let roles = Roles::new(["White", "Random", "b", "B"].map(String::from));
        assert_eq!(roles.count(), 4);
        assert_eq!(roles.find("white"), Some(RoleId(0)));
        assert_eq!(roles.find("B"), Some(RoleId(3)));
        assert_eq!(roles.random(), Some(RoleId(1)));
        assert_eq!(roles.name(RoleId(2)), "b");
        assert_eq!(roles.find("green"), None);
        assert_eq!(Roles::new(["X", "x"].map(String::from)).find("x"), Some(RoleId(1)));
        assert_eq!(Roles::new(["Xy", "xY"].map(String::from)).find("xy"), None);
        assert_eq!(Roles::new(["x".to_owned()]).random(), None);
    }
}
