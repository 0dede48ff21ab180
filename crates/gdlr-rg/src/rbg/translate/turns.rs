//! Moves of players, turns, and the ends of plays.

use super::{Emitter, Mode, Translated, named};
use crate::rbg::analysis::is_impossible;
use crate::rbg::ast::VariableId;
use crate::rbg::program::{Act, Edge, Node};
use crate::rg::{Label, Name};
use std::collections::BTreeMap;

impl Emitter<'_> {
    /// Names the tags of modifiers.
    pub(super) fn name_tags(&mut self) {
        let program = self.program;
        let mut uses: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, edge) in program.edges.iter().enumerate() {
            if self.analysis.index[number] && edge.act.is_modifier() {
                let text = match &edge.act {
                    Act::Off(piece) => self.game.pieces[piece.index()].to_string(),
                    Act::Assign(variable, _) => {
                        format!("set_{}", self.game.variables[variable.index()].name)
                    }
                    Act::Switch(Some(player)) => {
                        format!("to_{}", self.game.variables[player.index()].name)
                    }
                    _ => "done".to_owned(),
                };
                uses.entry(text).or_default().push(number);
            }
        }
        for (text, edges) in uses {
            let alone = edges.len() == 1;
            for (place, number) in edges.into_iter().enumerate() {
                let text = if alone { text.clone() } else { format!("{text}_{}", place + 1) };
                let name = self.naming.name(&text);
                // A keyword is no name; an underscore at the end makes it one.
                let name =
                    if name == Name::BEGIN { self.naming.name(&format!("{text}_")) } else { name };
                self.tags.insert(number, name);
            }
        }
    }

    /// Whether a walk over an edge may complete a move.
    pub(super) fn completes(&self, edge: &Edge) -> bool {
        let switches = matches!(edge.act, Act::Switch(_));
        !is_impossible(&edge.act) && (switches || self.analysis.able[edge.to as usize])
    }

    pub(super) fn emit_test(&mut self, node: Node) -> Translated<()> {
        let program = self.program;
        let from = self.node(node, Mode::Test);
        for (_, edge) in program.leaving(node) {
            if self.completes(edge) {
                self.test_edge(edge, from)?;
            }
        }
        Ok(())
    }

    /// Adds the edges of an action for a check whether a move can be completed.
    pub(super) fn test_edge(&mut self, edge: &Edge, from: Name) -> Translated<()> {
        self.at = edge.place;
        let to = match edge.act {
            Act::Switch(_) => self.found,
            // After this edge, the move can always be completed.
            _ if self.analysis.sure[edge.to as usize] => self.found,
            _ => self.node(edge.to, Mode::Test),
        };
        self.act(edge, from, to)
    }

    pub(super) fn emit_pattern(&mut self, node: Node) -> Translated<()> {
        let program = self.program;
        let from = self.node(node, Mode::Pattern);
        for (_, edge) in program.leaving(node) {
            self.at = edge.place;
            if !is_impossible(&edge.act) {
                let to = self.node(edge.to, Mode::Pattern);
                self.act(edge, from, to)?;
            }
        }
        Ok(())
    }

    pub(super) fn emit_player(&mut self, node: Node) -> Translated<()> {
        let program = self.program;
        let from = self.node(node, Mode::Player);
        for (number, edge) in program.leaving(node) {
            if !self.completes(edge) {
                continue;
            }
            self.at = edge.place;
            let tagged = if edge.act.is_modifier() { self.tag(number, from)? } else { from };
            match &edge.act {
                Act::Switch(player) => self.hand_over(edge.to, *player, tagged)?,
                _ => {
                    let to = self.node(edge.to, Mode::Player);
                    self.act(edge, tagged, to)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the tags of a modifier. Returns the node after them.
    fn tag(&mut self, number: usize, from: Name) -> Translated<Name> {
        let mut at = from;
        if let Some(tag) = self.tags.get(&number).copied() {
            let next = self.naming.node("tag");
            self.edge(at, next, Label::Tag(tag.into()))?;
            at = next;
        }
        if self.analysis.square[number] {
            let next = self.naming.node("tag");
            self.edge(at, next, Label::TagVariable(self.here.into()))?;
            at = next;
        }
        Ok(at)
    }

    /// Adds the end of a player's move.
    fn hand_over(&mut self, node: Node, player: Option<VariableId>, from: Name) -> Translated<()> {
        let from = self.forget(node, from)?;
        let (next, whose) = match player {
            // No check is needed.
            Some(player) if self.analysis.sure[node as usize] => {
                (self.node(node, Mode::Player), self.variables[player.index()].0)
            }
            _ => (self.turn(node, player), Name::KEEPER),
        };
        self.edge(from, next, Label::Assign { target: named(Name::PLAYER), value: named(whose) })
    }

    /// Sets the current square to the first one, if no later action depends on it.
    pub(super) fn forget(&mut self, node: Node, from: Name) -> Translated<Name> {
        if self.analysis.live[node as usize] {
            return Ok(from);
        }
        let inner = self.naming.node("forget");
        let (target, value) = (named(self.here), named(self.squares[0]));
        self.edge(from, inner, Label::Assign { target, value })?;
        Ok(inner)
    }

    /// Adds the end of the play.
    pub(super) fn end(&mut self, from: Name) -> Translated<()> {
        let (target, value) = (named(Name::PLAYER), named(Name::KEEPER));
        self.edge(from, Name::END, Label::Assign { target, value })
    }

    /// Adds a turn: the play is over if its move cannot be completed.
    pub(super) fn emit_turn(&mut self, node: Node, player: Option<VariableId>) -> Translated<()> {
        let mut from = self.turn(node, player);
        let first = self.program.leaving(node).next();
        self.at = first.map(|(_, edge)| edge.place).unwrap_or_default();
        if !self.analysis.able[node as usize] {
            return self.end(from);
        }
        if !self.analysis.sure[node as usize] {
            let (yes, no) = (self.naming.node("on"), self.naming.node("over"));
            let test = self.node(node, Mode::Test);
            self.ask(test, from, yes, no)?;
            self.end(no)?;
            from = yes;
        }
        match player {
            Some(player) => {
                let next = self.node(node, Mode::Player);
                let value = named(self.variables[player.index()].0);
                self.edge(from, next, Label::Assign { target: named(Name::PLAYER), value })
            }
            None => {
                let next = self.node(node, Mode::Keeper);
                self.edge(from, next, Label::Skip)
            }
        }
    }

    /// Adds a check whether a move can be completed from a node.
    pub(super) fn ask(&mut self, test: Name, from: Name, yes: Name, no: Name) -> Translated<()> {
        for (to, negated) in [(yes, false), (no, true)] {
            let (start, end) = (test.into(), self.found.into());
            self.edge(from, to, Label::Reach { from: start, to: end, negated })?;
        }
        Ok(())
    }
}
