//! Looks for positions in which a game is not proper (RBG, "Proper RBG Description and Transition
//! Model").
//!
//! A depth-first search visits every position of all plays once. In each position it goes through
//! all words of modifiers, also within patterns. The straightness is finite if no position occurs
//! again on its own play, neither between two moves nor within one. A position of the keeper has
//! one completion if all of its moves lead to positions with the same completion. The current
//! square is ignored if no later action reads it.

use super::counterexample::{Improper, Violation};
use super::machine::{Machine, Move};
use super::position::Position;
use super::search::{Application, Record, Search, Trouble, Work};
use crate::rbg::ast::VariableId;
use gdlr_text::diagnostic::Span;
use hashbrown::HashMap;
use std::rc::Rc;

/// An assignment whose value was out of bounds each time that it was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverValid {
    /// Its place in the text.
    pub span: Span,
    /// The assignment as low-level text.
    pub text: String,
    /// The number of times that it was tried.
    pub tried: u64,
}

/// The result of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// The number of different positions between moves that were seen, also of the keeper.
    pub positions: usize,
    /// Whether these are all positions, and none violates a condition: the game is proper.
    pub complete: bool,
    /// The first condition that does not hold.
    pub violation: Option<Violation>,
    /// The reason for an early end that is no defect of the game.
    pub broken_off: Option<Trouble>,
    /// The straightness of the positions that were seen: the greatest number of modifiers of a word
    /// without a switch, also within patterns (RBG, straight RBG).
    pub straightness: u32,
    /// The assignments that were never valid, in the order of the text.
    pub never_valid: Vec<NeverValid>,
}

/// A position of the current play.
struct Level {
    position: Rc<Position>,
    moves: Vec<Move>,
    next: usize,
    /// The common completion of the keeper's moves so far.
    completion: Option<Rc<Position>>,
}

/// Explores the plays of a game until it has seen `most` positions, or a condition fails. Calls
/// `progress` now and then with the number of positions. Keeps all positions in memory.
pub fn explore(
    machine: &Machine,
    work: &mut Work<'_>,
    most: usize,
    progress: impl FnMut(usize),
) -> Exploration {
    let mut explorer = Explorer {
        machine,
        seen: HashMap::new(),
        play: Vec::new(),
        record: Record::default(),
        found: Exploration {
            positions: 0,
            complete: false,
            violation: None,
            broken_off: None,
            straightness: 0,
            never_valid: Vec::new(),
        },
    };
    explorer.go(work, most, progress);
    explorer.found.never_valid = never_valid(machine, &explorer.record);
    explorer.found
}

struct Explorer<'m> {
    machine: &'m Machine,
    /// By position: its completion; `None` while it is on the current play.
    seen: HashMap<Rc<Position>, Option<Rc<Position>>>,
    play: Vec<Level>,
    record: Record,
    found: Exploration,
}

impl Explorer<'_> {
    fn go(&mut self, work: &mut Work<'_>, most: usize, mut progress: impl FnMut(usize)) {
        let mut position = self.machine.initial();
        loop {
            match self.seen.get(&position) {
                Some(None) => {
                    let message = match self.before(&position) {
                        0 => "the first position comes again".to_owned(),
                        moves => format!("the position behind move {moves} comes again"),
                    };
                    return self.violate(Improper::EndlessPlay, message);
                }
                Some(Some(completion)) => {
                    let completion = completion.clone();
                    if let Err(message) = self.complete(completion) {
                        return self.violate(Improper::Keeper, message);
                    }
                }
                None if self.found.positions >= most => return,
                None => {
                    self.found.positions += 1;
                    if self.found.positions.is_multiple_of(1 << 8) {
                        progress(self.found.positions);
                    }
                    if let Err(trouble) = self.enter(position, work) {
                        return self.give_up(trouble);
                    }
                }
            }
            while let Some(done) = self.play.pop_if(|level| level.next == level.moves.len()) {
                let completion = done.completion.unwrap_or_else(|| done.position.clone());
                self.seen.insert(done.position, Some(completion.clone()));
                if let Err(message) = self.complete(completion) {
                    return self.violate(Improper::Keeper, message);
                }
            }
            let Some(level) = self.play.last_mut() else {
                self.found.complete = true;
                return;
            };
            position = level.moves[level.next].to.clone();
            level.next += 1;
        }
    }

    /// The number of moves of the current play up to its first occurrence of a position.
    fn before(&self, position: &Position) -> usize {
        self.play.iter().position(|level| *level.position == *position).unwrap_or(0)
    }

    /// Begins with a new position.
    fn enter(&mut self, position: Position, work: &mut Work<'_>) -> Result<(), Trouble> {
        let mut search = Search::thorough(self.machine, work, &mut self.record);
        let (moves, longest) = search.moves_and_length(&position)?;
        self.found.straightness = self.found.straightness.max(longest);
        let position = Rc::new(position);
        self.seen.insert(position.clone(), None);
        self.play.push(Level { position, moves, next: 0, completion: None });
        Ok(())
    }

    /// Records the completion of the position after the last move.
    ///
    /// # Errors
    ///
    /// A message, if the keeper has two completions.
    fn complete(&mut self, completion: Rc<Position>) -> Result<(), String> {
        let Some(level) = self.play.last_mut() else { return Ok(()) };
        if level.position.player.is_some() {
            return Ok(());
        }
        match &level.completion {
            Some(other) if *other != completion => {
                let difference = self.machine.difference(other, &completion);
                Err(format!("the keeper may choose: {difference}"))
            }
            _ => {
                level.completion = Some(completion);
                Ok(())
            }
        }
    }

    fn violate(&mut self, improper: Improper, message: String) {
        let played = |level: &Level| -> Option<(Option<VariableId>, Vec<Application>)> {
            let last = level.next.checked_sub(1)?;
            Some((level.position.player, level.moves[last].word.clone()))
        };
        let play = self.play.iter().filter_map(played).collect();
        self.found.violation = Some(Violation { improper, message, play });
    }

    fn give_up(&mut self, trouble: Trouble) {
        match trouble {
            Trouble::Endless => self.violate(Improper::EndlessMove, trouble.to_string()),
            trouble => self.found.broken_off = Some(trouble),
        }
    }
}

/// The assignments that were tried and never valid.
fn never_valid(machine: &Machine, record: &Record) -> Vec<NeverValid> {
    let tried = record.assignments.iter().filter(|(_, (_, valid))| *valid == 0);
    let mut never_valid: Vec<NeverValid> = tried
        .map(|(edge, (tried, _))| {
            let edge = &machine.rules.edges[*edge];
            NeverValid { span: edge.place.0, text: machine.action(&edge.act), tried: *tried }
        })
        .collect();
    never_valid
        .sort_by(|one, other| (one.span.start, &one.text).cmp(&(other.span.start, &other.text)));
    never_valid
}
