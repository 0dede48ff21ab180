//! Turns, and ends of plays.

use super::effects::Walk;
use super::pieces::{Carry, Part, State};
use super::{Emitter, Translated, access, assign, compare, named};
use crate::abg::game::{Condition, Ending, Pieces};
use crate::rg::{Label, Name};
use std::rc::Rc;

/// The score of a draw: each player has it if a player has no move and no end applies.
pub(super) const DRAW: i64 = 50;

impl Emitter<'_> {
    pub(super) fn turns(&mut self) -> Translated<()> {
        let players = self.players.len();
        let nodes = |emitter: &mut Self, text: &str| -> Vec<Name> {
            (0..players).map(|_| emitter.naming.node(text)).collect()
        };
        self.done = nodes(self, "done");
        self.complete = nodes(self, "complete");
        let turns = nodes(self, "turn");
        let begins = nodes(self, "moves");
        self.edge(Name::BEGIN, turns[0], Label::Skip)?;
        for mover in 0..players {
            let next = turns[(mover + 1) % players];
            let can_move = self.moves(mover, begins[mover])?;
            self.turn(mover, turns[mover], begins[mover], can_move)?;
            if can_move {
                self.behind_move(mover, next)?;
            }
        }
        Ok(())
    }

    /// Adds the beginning of a turn: the play is over if the player has no move.
    fn turn(&mut self, mover: usize, turn: Name, begin: Name, can_move: bool) -> Translated<()> {
        let stuck = match can_move {
            true => {
                let (start, end) = (begin.into(), self.done[mover].into());
                let can = Label::Reach { from: start, to: end, negated: false };
                let on = self.on(turn, "can", can)?;
                let player = assign(named(Name::PLAYER), named(self.players[mover]));
                self.edge(on, begin, player)?;
                let cannot = Label::Reach { from: start, to: end, negated: true };
                self.on(turn, "stuck", cannot)?
            }
            false => turn,
        };
        let last = self.endings(&self.game.turns[mover].stuck, stuck)?;
        if let Some(last) = last {
            let draw = self.scores(&vec![DRAW; self.players.len()])?;
            self.edge(last, draw, Label::Skip)?;
        }
        Ok(())
    }

    /// Adds the moves of a player. Returns whether there can be any.
    fn moves(&mut self, mover: usize, begin: Name) -> Translated<bool> {
        let turn = &self.game.turns[mover];
        if turn.rules.is_empty() {
            return Ok(false);
        }
        let carry = Carry::Down(Pieces::NONE);
        let walk = Walk { at: begin, carry, assigned: 0, ended: false };
        let walks = self.run(&turn.each_move, vec![walk])?;
        for Walk { at, assigned, .. } in walks {
            let at = self.on(at, "from", self.any_square())?;
            let from = self.on(at, "from", Label::TagVariable(self.here.into()))?;
            for (rule, (piece, dfa)) in turn.rules.iter().enumerate() {
                let carry = Carry::Down(Pieces::one(*piece));
                let ended = dfa.rests()[0];
                let state = State { mover, rule, at: 0, carry, assigned, ended };
                let target = self.state(state, Part::All);
                let value = self.piece_on(self.here());
                self.edge(from, target, compare(value, self.pieces[*piece], true))?;
            }
        }
        Ok(true)
    }

    /// Adds the postconditions and ends after a move of a player.
    fn behind_move(&mut self, mover: usize, next: Name) -> Translated<()> {
        let turn = &self.game.turns[mover];
        let mut at = self.complete[mover];
        for (piece, sentence) in &turn.posts {
            let place = Condition::here(Pieces::one(*piece), self.pieces.len());
            let start = self.any(&Rc::new(place), Some(*sentence))?;
            let holds = self.naming.node("holds");
            self.reach(start, false, at, holds)?;
            at = holds;
        }
        self.edge(at, self.done[mover], self.forget_here())?;
        let keeper = assign(named(Name::PLAYER), named(Name::KEEPER));
        let asks = self.on(self.done[mover], "over", keeper)?;
        let last = self.endings(&turn.ends, asks)?;
        if let Some(last) = last {
            self.edge(last, next, Label::Skip)?;
        }
        Ok(())
    }

    /// Tests ends in order. Returns the node where none of them holds.
    fn endings(&mut self, endings: &[Ending], from: Name) -> Translated<Option<Name>> {
        let mut at = from;
        for ending in endings {
            self.at = ending.span;
            let scores = self.scores(&ending.scores)?;
            if ending.condition == Condition::Constant(true) {
                self.edge(at, scores, Label::Skip)?;
                return Ok(None);
            }
            let next = self.naming.node("goes_on");
            let atom = !matches!(ending.condition, Condition::And(_) | Condition::Or(_));
            for (holds, to) in [(true, scores), (false, next)] {
                if atom {
                    self.ask(&ending.condition, holds, at, to)?;
                } else {
                    let start = self.check(&ending.condition)?;
                    self.reach(start, holds, at, to)?;
                }
            }
            at = next;
        }
        Ok(Some(at))
    }

    /// The node from which the play ends with these scores.
    fn scores(&mut self, scores: &[i64]) -> Translated<Name> {
        if let Some(node) = self.score_nodes.get(scores) {
            return Ok(*node);
        }
        let node = self.naming.node("scores");
        self.score_nodes.insert(scores.to_vec(), node);
        let mut at = node;
        for (player, score) in scores.iter().enumerate() {
            let goal = access(Name::GOALS, vec![named(self.players[player])]);
            let score = named(self.number_name(*score));
            at = self.on(at, "score", assign(goal, score))?;
        }
        let keeper = assign(named(Name::PLAYER), named(Name::KEEPER));
        self.edge(at, Name::END, keeper)?;
        Ok(node)
    }
}
