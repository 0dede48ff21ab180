//! The state in which play begins.

use super::sheet::Sheet;
use crate::automaton::{AutomatonEngine, AutomatonGame};
use gdlr_engine::engine::{Engine, RoleId};
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::Node;
use gdlr_rules::gdl::Term;
use hashbrown::HashMap;

/// The state in which a player or chance first has the move.
pub(super) struct Start {
    pub node: Node,
    pub player: Name,
    /// By slot: its value in this state, and its value before the keeper has moved.
    pub values: Vec<Name>,
    pub before_keeper: Vec<Name>,
    /// By name of a role: its number.
    pub roles: HashMap<Name, RoleId>,
}

impl Start {
    /// The first state of an engine, for the sheet of its automaton.
    pub fn of(game: &AutomatonGame, sheet: &Sheet, engine: &AutomatonEngine) -> Start {
        let (automaton, state) = (engine.automaton(), engine.initial());
        let name = automaton.node(state);
        let node = sheet.program.nodes().find(|&node| sheet.program.node_name(node) == Some(name));
        let mut values = vec![Name::ZERO; sheet.slots()];
        let mut before_keeper = values.clone();
        for variable in &sheet.variables {
            // Entries are in the order of their keys, as slots are.
            for (place, (_, slot)) in automaton.entries(variable.name).into_iter().enumerate() {
                values[variable.base as usize + place] = automaton.at(state, slot);
                before_keeper[variable.base as usize + place] =
                    automaton.at(automaton.initial(), slot);
            }
        }
        let roles = game.roles().iter().filter_map(|role| match game.game().roles[role.index()] {
            Term::Constant(symbol) => Some((game.name(symbol)?, role)),
            _ => None,
        });
        let player = sheet.variable(Name::PLAYER).map(|var| sheet.at(var).base);
        Start {
            node: node.unwrap_or(Node::BEGIN),
            player: player.map_or(Name::KEEPER, |slot| values[slot as usize]),
            values,
            before_keeper,
            roles: roles.collect(),
        }
    }
}
