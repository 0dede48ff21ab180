//! Definitions without a use.

use super::scope::{Checker, DEFINITION, DOMAIN, GRAPH};
use crate::rg::Name;
use gdlr_text::diagnostic::Code;

impl Checker<'_> {
    pub fn unused(&mut self) {
        let game = self.game;
        let required = [
            Name::PLAYER_TYPE,
            Name::SCORE_TYPE,
            Name::BOOL_TYPE,
            Name::GOALS_TYPE,
            Name::VISIBILITY_TYPE,
            Name::PLAYER_OR_SYSTEM_TYPE,
        ];
        let domains = game.domains.iter().map(|domain| ("domain", DOMAIN, domain.name));
        let domains = domains.filter(|(_, _, name)| !required.contains(&name.name));
        let functions = game.functions.iter().map(|it| ("function", DEFINITION, it.name));
        let variables = game.variables.iter().map(|it| ("variable", DEFINITION, it.name));
        let graphs = game.graphs.iter().map(|graph| ("graph", GRAPH, graph.name));
        let all: Vec<_> = domains.chain(functions).chain(variables).chain(graphs).collect();
        for (what, kind, name) in all {
            if !self.used[kind].contains(&name.name) {
                let message = format!("the {what} `{}` is never used", self.text(name.name));
                self.report(Code::HrgUnused, name, message);
            }
        }
    }
}
