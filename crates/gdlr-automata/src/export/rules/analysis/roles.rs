//! The roles of a game, and their symbols and columns.

use super::input::Input;
use crate::export::naming::{Naming, flat};
use crate::export::rules::Stop;
use gdlr_rg::rg::Name;
use gdlr_rules::gdl::{Symbol, Term};

/// The roles of a game.
#[derive(Debug)]
pub struct Roles {
    /// By role: its symbol.
    pub names: Vec<Name>,
    /// By role: the columns that stand for it in rows of moves.
    pub rows: Vec<Vec<Symbol>>,
    /// The role of chance.
    pub chance: Option<usize>,
    /// The members of the type `Player`: all roles but chance without a goal.
    pub players: Vec<usize>,
}

impl Roles {
    /// Names the roles of a game.
    ///
    /// # Errors
    ///
    /// When a role has no columns.
    pub fn of(input: &Input<'_>, naming: &mut Naming) -> Result<Roles, Stop> {
        let (game, normal) = (input.game, input.normal);
        let chance = game.chance().and_then(|chance| game.roles.iter().position(|r| r == chance));
        let row = |role: &Term| normal.encode_arg(normal.legal, 0, role);
        let Some(rows) = game.roles.iter().map(row).collect::<Option<Vec<_>>>() else {
            return Err(Stop::unsuited("a role that never moves"));
        };
        let mut role_name = |(place, role): (usize, &Term)| match chance {
            Some(chance) if chance == place => Name::RANDOM,
            _ => {
                let text = role.spelled(&game.symbols);
                naming.symbol(&text, &flat([role], &game.symbols))
            }
        };
        let names: Vec<Name> = game.roles.iter().enumerate().map(&mut role_name).collect();
        let has_goal =
            |role: usize| input.net.goals.iter().any(|goal| usize::from(goal.role.0) == role);
        let mut players: Vec<usize> = (0..names.len()).collect();
        // A type needs a member.
        players.retain(|&role| chance != Some(role) || has_goal(role) || names.len() == 1);
        Ok(Roles { names, rows, chance, players })
    }

    /// The symbols of the members of `Player`.
    pub fn player_names(&self) -> Vec<Name> {
        self.players.iter().map(|&role| self.names[role]).collect()
    }

    /// The members of `Player` as symbols of the rules. `None` if chance is a member, or if a role
    /// is not a single symbol.
    pub fn player_symbols(&self) -> Option<Vec<Symbol>> {
        let symbol = |&role: &usize| match self.rows[role][..] {
            [symbol] if self.chance != Some(role) => Some(symbol),
            _ => None,
        };
        self.players.iter().map(symbol).collect()
    }
}
