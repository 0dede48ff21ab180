//! The letters of a move.
//!
//! A moving piece is *in hand*: the board does not have it on its current square, but the piece
//! that was there before. So a slide over ten squares writes the board only twice. The piece is put
//! down at the end of the move, and before a test or a change of the board beyond its square. If
//! the piece leaves a square that was not free, it has taken a piece there. The square is freed
//! then, and is a tag.

use super::conditions::{given, needs_board};
use super::effects::Walk;
use super::{Emitter, Translated, assign, compare, named};
use crate::abg::game::{Condition, Effect, Letter, Pieces, asks_taken, with_taken};
use crate::abg::regular::Dfa;
use crate::rg::{Label, Name};
use std::rc::Rc;

/// The knowledge of the current square in a state of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Carry {
    /// The board is right; one of these pieces is on the square.
    Down(Pieces),
    /// A piece is on the square, and not yet on the board.
    Hand {
        piece: usize,
        /// The piece that the board has on the square.
        under: Under,
    },
}

/// The piece on the board below a piece in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Under {
    Free,
    Taken,
    /// Either of the two.
    Unknown,
}

/// A state of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub mover: usize,
    /// The index of the rule among the rules of the mover.
    pub rule: usize,
    /// The state of its automaton.
    pub at: usize,
    pub carry: Carry,
    /// The fading variables that were assigned, a bit for each.
    pub assigned: u64,
    /// Whether the last square is a tag already.
    pub ended: bool,
}

/// The letters that leave a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// All letters, and the move may end.
    All,
    /// The letters that a piece in hand can take.
    InHand,
    /// The letters to another square. The last square is ready to be left.
    Leaving,
    /// The letters for which the piece must be on the board.
    OnBoard,
}

impl Emitter<'_> {
    /// The automaton of a rule.
    pub(super) fn dfa(&self, state: &State) -> Rc<Dfa> {
        self.game.turns[state.mover].rules[state.rule].1.clone()
    }

    fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Whether all later letters stay on the square.
    fn rests(&mut self, state: &State, at: usize) -> bool {
        let dfa = self.dfa(state);
        let rests = self.rests.entry((state.mover, state.rule));
        rests.or_insert_with(|| dfa.rests())[at]
    }

    pub(super) fn emit_state(&mut self, state: &State, part: Part) -> Translated<()> {
        let dfa = self.dfa(state);
        let from = self.state(*state, part);
        if part == Part::All && dfa.accepting[state.at] {
            self.finish(state, from)?;
        }
        let letters: Vec<(&Letter, usize)> =
            dfa.edges[state.at].iter().map(|&(letter, to)| (&dfa.letters[letter], to)).collect();
        let on_board = |letter: &Letter| needs_board(&letter.test, letter.steps());
        match state.carry {
            Carry::Hand { piece, under } => {
                type Letters<'l> = Vec<(&'l Letter, usize)>;
                let (steady, moving): (Letters<'_>, Letters<'_>) =
                    letters.iter().partition(|(letter, _)| on_board(letter));
                if part != Part::Leaving && !steady.is_empty() {
                    self.at = steady[0].0.span;
                    let carry = Carry::Down(Pieces::one(piece));
                    let down = self.state(State { carry, ..*state }, Part::OnBoard);
                    self.settle((piece, under), state.ended, from, down)?;
                }
                for (letter, to) in moving {
                    let leaves = letter.steps() && letter.effect.moves;
                    self.at = letter.span;
                    match part {
                        Part::Leaving if !leaves => continue,
                        Part::All | Part::InHand if leaves && under != Under::Free => continue,
                        _ => self.letter_in_hand(state, piece, letter, to, from)?,
                    }
                }
                let leaves = |(letter, _): &(&Letter, usize)| {
                    letter.steps() && letter.effect.moves && !on_board(letter)
                };
                if part != Part::Leaving && under != Under::Free && letters.iter().any(leaves) {
                    self.leave(state, piece, under, from)?;
                }
                Ok(())
            }
            Carry::Down(here) => self.emit_down(state, part, here, &letters, from),
        }
    }

    fn emit_down(
        &mut self,
        state: &State,
        part: Part,
        here: Pieces,
        letters: &[(&Letter, usize)],
        from: Name,
    ) -> Translated<()> {
        let on_board = |letter: &Letter| needs_board(&letter.test, letter.steps());
        let goes = |letter: &Letter| letter.steps() && letter.effect.moves && !on_board(letter);
        let lifted = here
            .single()
            .filter(|_| part == Part::All && letters.iter().any(|(letter, _)| goes(letter)));
        if let Some(piece) = lifted {
            let carry = Carry::Hand { piece, under: Under::Free };
            let hand = self.state(State { carry, ..*state }, Part::InHand);
            let free = named(self.pieces[self.game.free]);
            self.edge(from, hand, assign(self.piece_on(self.here()), free))?;
        }
        for &(letter, to) in letters {
            let is_steady = on_board(letter);
            if !is_steady && (part == Part::OnBoard || lifted.is_some()) {
                continue;
            }
            self.at = letter.span;
            self.letter_on_board(state, here, letter, to, from)?;
        }
        Ok(())
    }

    /// Makes a square ready to be left: a taken piece makes it a tag, and is removed.
    fn leave(&mut self, state: &State, piece: usize, under: Under, from: Name) -> Translated<()> {
        let carry = Carry::Hand { piece, under: Under::Free };
        let ready = self.state(State { carry, ..*state }, Part::Leaving);
        let here = self.piece_on(self.here());
        let free = self.pieces[self.game.free];
        let mut at = from;
        if under == Under::Unknown {
            self.edge(at, ready, compare(here.clone(), free, true))?;
            at = self.on(at, "taken", compare(here.clone(), free, false))?;
        }
        at = self.on(at, "taken", Label::TagVariable(self.here.into()))?;
        self.edge(at, ready, assign(here, named(free)))
    }

    /// Puts a piece in hand on the board before the move ends. If it took a piece, the square is a
    /// tag, unless it is one as the last square.
    pub(super) fn settle(
        &mut self,
        (piece, under): (usize, Under),
        ended: bool,
        from: Name,
        to: Name,
    ) -> Translated<()> {
        let here = self.piece_on(self.here());
        let put = assign(here.clone(), named(self.pieces[piece]));
        let mut at = from;
        if !ended && under != Under::Free {
            let free = self.pieces[self.game.free];
            if under == Under::Unknown {
                let free_there = self.on(at, "free", compare(here.clone(), free, true))?;
                self.edge(free_there, to, put.clone())?;
                at = self.on(at, "taken", compare(here, free, false))?;
            }
            at = self.on(at, "taken", Label::TagVariable(self.here.into()))?;
        }
        self.edge(at, to, put)
    }

    /// Adds a letter of a piece in hand.
    fn letter_in_hand(
        &mut self,
        state: &State,
        piece: usize,
        letter: &Letter,
        to: usize,
        from: Name,
    ) -> Translated<()> {
        let count = self.count();
        let mut at = from;
        let mut carry = state.carry;
        let mut test = letter.test.clone();
        if letter.steps() {
            if !letter.effect.moves {
                let put = assign(self.piece_on(self.here()), named(self.pieces[piece]));
                at = self.on(at, "stays", put)?;
            }
            at = self.go((letter.dx, letter.dy), &test, at)?;
            let there = test.admitted(count);
            carry = match letter.effect.moves {
                true => Carry::Hand { piece, under: self.under(there) },
                false => Carry::Down(there),
            };
        } else {
            test = given(&test, Pieces::one(piece), count);
        }
        self.arrive(state, carry, letter, &test, to, at)
    }

    fn under(&self, pieces: Pieces) -> Under {
        match pieces.has(self.game.free) {
            _ if pieces == Pieces::one(self.game.free) => Under::Free,
            true => Under::Unknown,
            false => Under::Taken,
        }
    }

    /// Adds a letter of a piece on the board.
    fn letter_on_board(
        &mut self,
        state: &State,
        here: Pieces,
        letter: &Letter,
        to: usize,
        from: Name,
    ) -> Translated<()> {
        let count = self.count();
        if !letter.steps() {
            let test = given(&letter.test, here, count);
            return self.arrive(state, Carry::Down(here), letter, &test, to, from);
        }
        let there = letter.test.admitted(count);
        let step = (letter.dx, letter.dy);
        if !letter.effect.moves && !needs_board(&letter.test, true) {
            let at = self.go(step, &letter.test, from)?;
            return self.arrive(state, Carry::Down(there), letter, &letter.test, to, at);
        }
        // The test sees the board before the step.
        let start = self.step_check(step, &letter.test)?;
        let mut at = self.naming.node("may_step");
        self.reach(start, true, from, at)?;
        let free = named(self.pieces[self.game.free]);
        let target = super::access(self.step(step.0, step.1)?, vec![self.here()]);
        let mut carry = Carry::Down(there);
        if letter.effect.moves && here.single().is_none() && asks_taken(&letter.effect.body) {
            return self.transfer(state, here, letter, to, at);
        }
        if letter.effect.moves {
            let old = self.piece_on(self.here());
            match here.single() {
                Some(piece) => carry = Carry::Hand { piece, under: self.under(there) },
                None => {
                    let new = self.piece_on(target.clone());
                    at = self.on(at, "moves", assign(new, old.clone()))?;
                    carry = Carry::Down(here);
                }
            }
            at = self.on(at, "moves", assign(old, free))?;
        }
        at = self.on(at, "moves", assign(self.here(), target))?;
        self.arrive(state, carry, letter, &Condition::Constant(true), to, at)
    }

    /// Adds a letter of one of several pieces whose effect depends on whether the step took a
    /// piece.
    fn transfer(
        &mut self,
        state: &State,
        here: Pieces,
        letter: &Letter,
        to: usize,
        from: Name,
    ) -> Translated<()> {
        let count = self.count();
        let free = self.pieces[self.game.free];
        let target = super::access(self.step(letter.dx, letter.dy)?, vec![self.here()]);
        let (old, new) = (self.piece_on(self.here()), self.piece_on(target.clone()));
        for taken in [false, true] {
            let mut at = self.on(from, "moves", compare(new.clone(), free, !taken))?;
            at = self.on(at, "moves", assign(new.clone(), old.clone()))?;
            at = self.on(at, "moves", assign(old.clone(), named(free)))?;
            at = self.on(at, "moves", assign(self.here(), target.clone()))?;
            let effect = Effect {
                body: with_taken(&letter.effect.body, taken, count),
                ..(*letter.effect).clone()
            };
            let letter = Letter { effect: Rc::new(effect), ..letter.clone() };
            self.arrive(state, Carry::Down(here), &letter, &Condition::Constant(true), to, at)?;
        }
        Ok(())
    }

    /// The node of a check whether a walk can take a letter.
    fn step_check(&mut self, step: (i64, i64), test: &Condition) -> Translated<Name> {
        let key = (step.0, step.1, test.clone());
        if let Some(node) = self.step_checks.get(&key) {
            return Ok(*node);
        }
        let node = self.naming.node("if_step");
        self.step_checks.insert(key, node);
        let at = self.go(step, test, node)?;
        self.ask(test, true, at, self.found)?;
        Ok(node)
    }

    /// Adds the test of a letter after its step, its tags and its effect.
    fn arrive(
        &mut self,
        state: &State,
        carry: Carry,
        letter: &Letter,
        test: &Condition,
        to: usize,
        from: Name,
    ) -> Translated<()> {
        if *test == Condition::Constant(false) {
            return Ok(());
        }
        let rests = self.rests(state, to);
        let mut ended = state.ended;
        let is_tagged = self.is_tagged(state, letter);
        let next = State { at: to, carry, ..*state };
        let plain = letter.effect.body.is_empty() && !is_tagged && (ended || !rests);
        if plain {
            let target = self.state(next, Part::All);
            return self.ask(test, true, from, target);
        }
        let mut at = from;
        if *test != Condition::Constant(true) {
            at = self.naming.node("holds");
            self.ask(test, true, from, at)?;
        }
        if rests && !ended {
            at = self.on(at, "to", Label::TagVariable(self.here.into()))?;
            ended = true;
        }
        if is_tagged {
            at = self.tag_effect(&letter.effect, ended, at)?;
        }
        let walk = Walk { at, carry, assigned: state.assigned, ended };
        let outcomes = self.effect(letter, walk)?;
        for Walk { at, carry, assigned, .. } in outcomes {
            let target = self.state(State { carry, assigned, ended, ..next }, Part::All);
            self.edge(at, target, Label::Skip)?;
        }
        Ok(())
    }

    /// Adds the end of a move.
    fn finish(&mut self, state: &State, from: Name) -> Translated<()> {
        let piece = match state.carry {
            Carry::Hand { piece, .. } => Some(piece),
            Carry::Down(_) => None,
        };
        let key = (state.mover, piece, state.assigned, state.ended);
        if let Some(node) = self.finishes.get(&key) {
            return self.edge(from, *node, Label::Skip);
        }
        let node = self.on(from, "ends", Label::Skip)?;
        self.finishes.insert(key, node);
        let mut at = node;
        if !state.ended {
            at = self.on(at, "to", Label::TagVariable(self.here.into()))?;
        }
        if let Some(piece) = piece {
            let put = assign(self.piece_on(self.here()), named(self.pieces[piece]));
            at = self.on(at, "put", put)?;
        }
        at = self.fade(state.assigned, at)?;
        let complete = self.complete[state.mover];
        self.edge(at, complete, Label::Skip)
    }
}
