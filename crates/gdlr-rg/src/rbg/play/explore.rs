//! Whether a game is proper (RBG, "Proper RBG Description and Transition Model").
//!
//! All plays are gone through in depth, every position once, and in each position all words of
//! modifiers, those within patterns included. The straightness is finite if no position comes
//! again on its own play, neither between two moves nor within one. A position of the keeper has
//! one completion if all of its moves lead to positions with the same one. A square that nothing
//! reads any more makes no difference.

use super::counterexample::{Improper, Violation};
use super::machine::{Machine, Move};
use super::position::Position;
use super::search::{Application, Record, Search, Trouble, Work};
use crate::rbg::ast::VariableId;
use gdlr_text::diagnostic::Span;
use hashbrown::HashMap;
use std::rc::Rc;

/// An assignment whose value was out of bounds whenever it was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverValid {
    /// Where it stands.
    pub span: Span,
    /// The assignment as low-level text.
    pub text: String,
    /// How often it was tried.
    pub tried: u64,
}

/// What an exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// How many different positions between moves were seen, those of the keeper included.
    pub positions: usize,
    /// Whether these are all, and nothing is wrong: the game is proper.
    pub complete: bool,
    /// The first condition that does not hold.
    pub violation: Option<Violation>,
    /// Why it did not go on, though the game is not to blame.
    pub broken_off: Option<Trouble>,
    /// The straightness, as far as positions were seen: how many modifiers a word without a switch
    /// had at most, those within patterns included (RBG, straight RBG).
    pub straightness: u32,
    /// Assignments that never were valid, in the order of the text.
    pub never_valid: Vec<NeverValid>,
}

/// A position on the play at hand.
struct Level {
    position: Rc<Position>,
    moves: Vec<Move>,
    next: usize,
    /// What the keeper's moves so far lead to.
    completion: Option<Rc<Position>>,
}

/// Goes through the plays of a game until so many positions have been seen, or a condition fails.
/// `progress` is called now and then with the number of positions. Keeps all positions.
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
    /// By position: its completion; none while it is on the play at hand.
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

    /// How many moves of the play at hand led to a position on it.
    fn before(&self, position: &Position) -> usize {
        self.play.iter().position(|level| *level.position == *position).unwrap_or(0)
    }

    /// Begins with a position that has not been seen.
    fn enter(&mut self, position: Position, work: &mut Work<'_>) -> Result<(), Trouble> {
        let mut search = Search::thorough(self.machine, work, &mut self.record);
        let (moves, longest) = search.moves_and_length(&position)?;
        self.found.straightness = self.found.straightness.max(longest);
        let position = Rc::new(position);
        self.seen.insert(position.clone(), None);
        self.play.push(Level { position, moves, next: 0, completion: None });
        Ok(())
    }

    /// Notes the completion of the position that the last move led to; the message says why it is
    /// not the only one.
    fn complete(&mut self, completion: Rc<Position>) -> Result<(), String> {
        let Some(level) = self.play.last_mut() else { return Ok(()) };
        if level.position.player.is_some() {
            return Ok(());
        }
        match &level.completion {
            Some(known) if *known != completion => {
                let what = self.machine.difference(known, &completion);
                Err(format!("the keeper may choose: {what}"))
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
    let mut found: Vec<NeverValid> = tried
        .map(|(edge, (tried, _))| {
            let edge = &machine.rules.edges[*edge];
            NeverValid { span: edge.place.0, text: machine.action(&edge.act), tried: *tried }
        })
        .collect();
    found.sort_by(|one, other| (one.span.start, &one.text).cmp(&(other.span.start, &other.text)));
    found
}
