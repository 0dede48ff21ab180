//! Words of modifiers, and patterns (RBG, Algorithm 1).
//!
//! From a position, the search finds all modifiers that are reachable without another modifier. It
//! applies each valid one, and goes on after it. Only nested patterns use the stack of the
//! processor, as deep as the reader allows.

use super::machine::{Machine, Move};
use super::position::{Position, Undo};
use crate::rbg::ast::Square;
use crate::rbg::program::{Act, Node};
use hashbrown::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// A modifier, applied to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Application {
    /// The number of the modifier, from 1, in the order of the low-level text. Modifiers in
    /// patterns have none.
    pub number: u32,
    /// The square.
    pub square: Square,
}

/// The reason why moves are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The search exceeded its limit of work.
    TooMuchWork,
    /// The search was stopped.
    Interrupted,
    /// Modifiers lead back to the same position: a word may go on without end.
    Endless,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Trouble::TooMuchWork => "the moves of a position take too much work",
            Trouble::Interrupted => "interrupted",
            Trouble::Endless => "modifiers of one move can be repeated without end",
        })
    }
}

impl std::error::Error for Trouble {}

/// The limit of the work of a search.
#[derive(Clone, Debug)]
pub struct Work<'s> {
    /// The greatest number of actions that may be tried for the moves of one position.
    pub most: u64,
    /// The number of actions that were tried for these moves.
    pub done: u64,
    /// A flag that stops the search when it is raised.
    pub stop: Option<&'s AtomicBool>,
}

impl Default for Work<'_> {
    /// Fifty million actions, and no flag.
    fn default() -> Self {
        Work { most: 50_000_000, done: 0, stop: None }
    }
}

impl Work<'_> {
    fn count(&mut self) -> Result<(), Trouble> {
        self.done += 1;
        if self.done > self.most {
            return Err(Trouble::TooMuchWork);
        }
        let looks = self.done.is_multiple_of(1 << 12);
        match looks && self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            true => Err(Trouble::Interrupted),
            false => Ok(()),
        }
    }
}

/// Data that only an exploration collects.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// By edge: the number of times that an assignment was tried, and that it was valid.
    pub assignments: HashMap<usize, (u64, u64)>,
}

/// The nodes that are reachable from a position without a modifier.
#[derive(Debug, Default)]
struct Reach {
    /// The reachable modifiers: the edge of each, and the square.
    pending: Vec<(usize, u32)>,
    /// Whether the end of the pattern is reachable.
    ends: bool,
    /// The greatest length of a word in a pattern that was entered.
    within: u32,
    /// Memoised: whether a pattern holds on a square. Pieces and values stay the same here.
    memo: HashMap<(usize, u32), bool>,
}

/// A prefix of a word.
struct Frame {
    pending: Vec<(usize, u32)>,
    next: usize,
    /// The old value of its last modifier's change; `None` for the empty word.
    undo: Option<Undo>,
    /// The greatest length, so far, of a continuation without a switch.
    longest: u32,
    /// The position after it.
    own: Position,
}

/// The word that the search is on.
#[derive(Default)]
struct Path {
    word: Vec<Application>,
    frames: Vec<Frame>,
    /// The positions of the frames.
    on_path: HashSet<Position>,
    /// The positions that are finished, with the longest word from each, if a record is kept.
    finished: HashMap<Position, u32>,
}

impl Path {
    fn enter(&mut self, position: &Position, undo: Option<Undo>, reach: Reach) {
        let Reach { pending, within, .. } = reach;
        let own = position.clone();
        self.frames.push(Frame { pending, next: 0, undo, longest: within, own });
    }

    /// Undoes the last modifier, which has no frame.
    fn step_back(&mut self, position: &mut Position, undo: Undo) {
        position.undo(undo);
        self.word.pop();
    }

    /// Leaves the last frame. Returns the greatest length of words if it was the first one.
    fn leave(&mut self, position: &mut Position, remembers: bool) -> Option<u32> {
        let Frame { undo, longest, own, .. } = self.frames.pop()?;
        self.on_path.remove(&own);
        if remembers {
            self.finished.insert(own, longest);
        }
        let Some(undo) = undo else { return Some(longest) };
        self.step_back(position, undo);
        self.count(longest);
        None
    }

    /// Records that a word of so many modifiers follows the next one.
    fn count(&mut self, longest: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.longest = frame.longest.max(longest.saturating_add(1));
        }
    }
}

/// A search for the moves of a position.
pub(super) struct Search<'m, 'w, 's> {
    machine: &'m Machine,
    work: &'w mut Work<'s>,
    /// If given, the search is thorough. It visits everything, also patterns that hold, and records
    /// the lengths of words. Of words with the same effect it keeps one.
    record: Option<&'w mut Record>,
}

impl<'m, 'w, 's> Search<'m, 'w, 's> {
    pub fn new(machine: &'m Machine, work: &'w mut Work<'s>) -> Self {
        work.done = 0;
        Search { machine, work, record: None }
    }

    /// A search that visits everything.
    pub fn thorough(machine: &'m Machine, work: &'w mut Work<'s>, record: &'w mut Record) -> Self {
        work.done = 0;
        Search { machine, work, record: Some(record) }
    }

    /// The moves of a position.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<Move>, Trouble> {
        Ok(self.moves_and_length(position)?.0)
    }

    /// The moves of a position, and the greatest number of modifiers of a word without its switch
    /// (RBG, straight RBG). The number is right only in a thorough search.
    pub fn moves_and_length(&mut self, from: &Position) -> Result<(Vec<Move>, u32), Trouble> {
        let mut moves = Vec::new();
        let mut position = from.clone();
        let longest = self.words(&mut position, None, &mut |word, to| {
            moves.push(Move { word: word.to_vec(), to });
            false
        })?;
        Ok((moves, longest))
    }

    /// Whether a pattern holds on a square, and the greatest number of modifiers of a word in it.
    fn pattern(
        &mut self,
        position: &mut Position,
        pattern: usize,
        square: u32,
    ) -> Result<(bool, u32), Trouble> {
        let pattern = self.machine.rules.patterns[pattern];
        let (node, here) = (position.node, position.square);
        (position.node, position.square) = (pattern.start, square);
        let mut holds = false;
        let longest = self.words(position, Some(pattern.end), &mut |_, _| {
            holds = true;
            true
        });
        (position.node, position.square) = (node, here);
        Ok((holds, longest?))
    }

    /// Visits all words from a position, up to switches or to the end of a pattern. Stops when
    /// `found` returns true. Afterwards the position is as before, unless there was an error.
    fn words(
        &mut self,
        position: &mut Position,
        end: Option<Node>,
        found: &mut dyn FnMut(&[Application], Position) -> bool,
    ) -> Result<u32, Trouble> {
        let start = (position.node, position.square);
        let outcome = self.words_from(position, end, found);
        (position.node, position.square) = start;
        outcome
    }

    fn words_from(
        &mut self,
        position: &mut Position,
        end: Option<Node>,
        found: &mut dyn FnMut(&[Application], Position) -> bool,
    ) -> Result<u32, Trouble> {
        let thorough = self.record.is_some();
        let remembers = thorough || end.is_some();
        let mut path = Path::default();
        let reach = self.reach(position, end)?;
        let mut enough = reach.ends && found(&path.word, position.clone()) && !thorough;
        path.on_path.insert(position.clone());
        path.enter(position, None, reach);
        while let Some(frame) = path.frames.last_mut() {
            let Some(&(number, square)) = frame.pending.get(frame.next).filter(|_| !enough) else {
                match path.leave(position, remembers) {
                    Some(longest) => return Ok(longest),
                    None => continue,
                }
            };
            frame.next += 1;
            let edge = &self.machine.rules.edges[number];
            let Some(undo) = self.apply(position, number, square)? else { continue };
            let number = self.machine.numbers[number];
            path.word.push(Application { number, square: Square(square) });
            (position.node, position.square) = (edge.to, square);
            if matches!(edge.act, Act::Switch(_)) {
                enough = found(&path.word, self.machine.settled(position.clone()));
                path.step_back(position, undo);
            } else if let Some(longest) = path.finished.get(position).copied() {
                path.step_back(position, undo);
                path.count(longest);
            } else if path.on_path.insert(position.clone()) {
                let reach = self.reach(position, end)?;
                enough = reach.ends && found(&path.word, position.clone()) && !thorough;
                path.enter(position, Some(undo), reach);
            } else if end.is_some() && !thorough {
                // The answer of the pattern is known nevertheless.
                path.step_back(position, undo);
            } else {
                return Err(Trouble::Endless);
            }
        }
        Ok(0)
    }

    /// Applies the modifier of an edge.
    fn apply(
        &mut self,
        position: &mut Position,
        number: usize,
        square: u32,
    ) -> Result<Option<Undo>, Trouble> {
        self.work.count()?;
        let act = &self.machine.rules.edges[number].act;
        let undo = position.apply(act, square, &self.machine.bounds);
        if let (Some(record), Act::Assign(..)) = (&mut self.record, act) {
            let (tried, valid) = record.assignments.entry(number).or_default();
            *tried += 1;
            *valid += u64::from(undo.is_some());
        }
        Ok(undo)
    }

    /// The modifiers that are reachable from a position without another modifier.
    fn reach(&mut self, position: &mut Position, end: Option<Node>) -> Result<Reach, Trouble> {
        let rules = &self.machine.rules;
        let start = (position.node, position.square);
        let mut reached = Reach::default();
        let mut seen: HashSet<(Node, u32)> = HashSet::from([start]);
        let mut open = vec![start];
        while let Some((node, square)) = open.pop() {
            reached.ends |= end == Some(node);
            for (number, edge) in rules.leaving(node) {
                self.work.count()?;
                let goes = match &edge.act {
                    Act::Skip => true,
                    Act::Move(id) => {
                        let relation = &rules.relations[id.0 as usize];
                        for to in relation.targets(square as usize).iter() {
                            let next = (edge.to, to as u32);
                            if seen.insert(next) {
                                open.push(next);
                            }
                        }
                        false
                    }
                    Act::On(_) | Act::Compare(..) | Act::Pattern { .. } => {
                        self.holds(&edge.act, position, square, &mut reached)?
                    }
                    Act::Remember | Act::Return | Act::Count(_) => {
                        unreachable!("rules as they are have none")
                    }
                    Act::Off(_) | Act::Assign(..) | Act::Switch(_) => {
                        reached.pending.push((number, square));
                        false
                    }
                };
                if goes && seen.insert((edge.to, square)) {
                    open.push((edge.to, square));
                }
            }
        }
        // Sorts by the order of the text, then of the board.
        reached.pending.sort_unstable();
        Ok(reached)
    }

    /// Whether a condition holds on a square of a position.
    fn holds(
        &mut self,
        act: &Act,
        position: &mut Position,
        square: u32,
        reached: &mut Reach,
    ) -> Result<bool, Trouble> {
        Ok(match act {
            Act::On(pieces) => pieces.contains(&position.pieces[square as usize]),
            Act::Compare(left, comparison, right) => {
                match (position.value(left), position.value(right)) {
                    (Some(left), Some(right)) => comparison.holds(left, right),
                    _ => false,
                }
            }
            Act::Pattern { negated, pattern } => {
                let key = (*pattern, square);
                if !reached.memo.contains_key(&key) {
                    let (holds, within) = self.pattern(position, *pattern, square)?;
                    reached.within = reached.within.max(within);
                    reached.memo.insert(key, holds);
                }
                reached.memo[&key] != *negated
            }
            _ => true,
        })
    }
}
