//! Words of modifiers, and patterns (RBG, Algorithm 1).
//!
//! From a position, everything is found that can be reached without a modifier; then each modifier
//! that is valid there is applied, and the search goes on behind it. Brackets of patterns alone
//! use the stack of the machine, and they are nested as deep as the reader allows.

use super::machine::{Machine, Move};
use super::position::{Position, Undo};
use crate::rbg::ast::Square;
use crate::rbg::program::{Act, Node};
use hashbrown::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// A modifier, applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Application {
    /// Which of the modifiers outside of patterns, in the order of the low-level text, from 1.
    pub number: u32,
    /// Where.
    pub square: Square,
}

/// Why moves are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It takes more work than there may be.
    TooMuchWork,
    /// Somebody stopped it.
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

/// How much a search may do.
#[derive(Clone, Debug)]
pub struct Work<'s> {
    /// How many actions may be tried for the moves of one position.
    pub most: u64,
    /// How many actions were tried for these moves.
    pub done: u64,
    /// Becomes true when nobody wants to know any more.
    pub stop: Option<&'s AtomicBool>,
}

impl Default for Work<'_> {
    /// Fifty million actions, and nobody who stops it.
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

/// What an exploration wants to know besides.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// By edge: how often an assignment was tried, and how often it was valid.
    pub assignments: HashMap<usize, (u64, u64)>,
}

/// What can be reached from a position without a modifier.
#[derive(Debug, Default)]
struct Reach {
    /// Modifiers by their edges, each with a square.
    pending: Vec<(usize, u32)>,
    /// Whether the end of the pattern is among it.
    ends: bool,
    /// The longest word in a pattern that was gone into.
    within: u32,
    /// By pattern and square: whether it holds. Pieces and values stay the same, so that each is
    /// asked once.
    asked: HashMap<(usize, u32), bool>,
}

/// A prefix of a word.
struct Frame {
    pending: Vec<(usize, u32)>,
    next: usize,
    /// What takes its last modifier back; nothing of the empty word.
    undo: Option<Undo>,
    /// How long a word without a switch goes on from here, as far as it has been seen.
    longest: u32,
    /// What the game is like behind it.
    own: Position,
}

/// The word that is gone at present.
#[derive(Default)]
struct Way {
    word: Vec<Application>,
    frames: Vec<Frame>,
    /// The positions of the frames.
    on_way: HashSet<Position>,
    /// Those that are through, with the longest word from there, if that is remembered.
    through: HashMap<Position, u32>,
}

impl Way {
    fn enter(&mut self, position: &Position, undo: Option<Undo>, reach: Reach) {
        let Reach { pending, within, .. } = reach;
        let own = position.clone();
        self.frames.push(Frame { pending, next: 0, undo, longest: within, own });
    }

    /// Takes the last modifier back, behind which there is no frame.
    fn step_back(&mut self, position: &mut Position, undo: Undo) {
        position.undo(undo);
        self.word.pop();
    }

    /// Leaves the last frame; how long words are if it was the first one.
    fn leave(&mut self, position: &mut Position, remembers: bool) -> Option<u32> {
        let Frame { undo, longest, own, .. } = self.frames.pop()?;
        self.on_way.remove(&own);
        if remembers {
            self.through.insert(own, longest);
        }
        let Some(undo) = undo else { return Some(longest) };
        self.step_back(position, undo);
        self.count(longest);
        None
    }

    /// Notes that a word of so many modifiers goes on behind the next one.
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
    /// Goes to the end of everything, also of patterns that hold, and remembers how long words
    /// can be; one word is kept of those with the same effect.
    record: Option<&'w mut Record>,
}

impl<'m, 'w, 's> Search<'m, 'w, 's> {
    pub fn new(machine: &'m Machine, work: &'w mut Work<'s>) -> Self {
        work.done = 0;
        Search { machine, work, record: None }
    }

    /// A search that sees everything.
    pub fn thorough(machine: &'m Machine, work: &'w mut Work<'s>, record: &'w mut Record) -> Self {
        work.done = 0;
        Search { machine, work, record: Some(record) }
    }

    /// The moves of a position.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<Move>, Trouble> {
        Ok(self.moves_and_length(position)?.0)
    }

    /// The moves of a position, and how many modifiers a word has at most, its switch not counted
    /// (RBG, straight RBG). The number counts only in a thorough search.
    pub fn moves_and_length(&mut self, from: &Position) -> Result<(Vec<Move>, u32), Trouble> {
        let mut moves = Vec::new();
        let mut position = from.clone();
        let longest = self.words(&mut position, None, &mut |word, to| {
            moves.push(Move { word: word.to_vec(), to });
            false
        })?;
        Ok((moves, longest))
    }

    /// Whether a pattern holds on a square, and how many modifiers a word in it has at most.
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

    /// Goes through all words from a position, up to switches or to the end of a pattern; `found`
    /// says whether that is enough. The position is afterwards what it was, but for an error.
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
        let mut way = Way::default();
        let reach = self.reach(position, end)?;
        let mut enough = reach.ends && found(&way.word, position.clone()) && !thorough;
        way.on_way.insert(position.clone());
        way.enter(position, None, reach);
        while let Some(frame) = way.frames.last_mut() {
            let Some(&(number, square)) = frame.pending.get(frame.next).filter(|_| !enough) else {
                match way.leave(position, remembers) {
                    Some(longest) => return Ok(longest),
                    None => continue,
                }
            };
            frame.next += 1;
            let edge = &self.machine.rules.edges[number];
            let Some(undo) = self.apply(position, number, square)? else { continue };
            let number = self.machine.numbers[number];
            way.word.push(Application { number, square: Square(square) });
            (position.node, position.square) = (edge.to, square);
            if matches!(edge.act, Act::Switch(_)) {
                enough = found(&way.word, self.machine.settled(position.clone()));
                way.step_back(position, undo);
            } else if let Some(longest) = way.through.get(position).copied() {
                way.step_back(position, undo);
                way.count(longest);
            } else if way.on_way.insert(position.clone()) {
                let reach = self.reach(position, end)?;
                enough = reach.ends && found(&way.word, position.clone()) && !thorough;
                way.enter(position, Some(undo), reach);
            } else if end.is_some() && !thorough {
                // Whether a pattern holds is known nevertheless.
                way.step_back(position, undo);
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

    /// What can be reached from a position without a modifier.
    fn reach(&mut self, position: &mut Position, end: Option<Node>) -> Result<Reach, Trouble> {
        let rules = &self.machine.rules;
        let start = (position.node, position.square);
        let mut found = Reach::default();
        let mut seen: HashSet<(Node, u32)> = HashSet::from([start]);
        let mut open = vec![start];
        while let Some((node, square)) = open.pop() {
            found.ends |= end == Some(node);
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
                        self.holds(&edge.act, position, square, &mut found)?
                    }
                    Act::Remember | Act::Return | Act::Count(_) => {
                        unreachable!("rules as they are have none")
                    }
                    Act::Off(_) | Act::Assign(..) | Act::Switch(_) => {
                        found.pending.push((number, square));
                        false
                    }
                };
                if goes && seen.insert((edge.to, square)) {
                    open.push((edge.to, square));
                }
            }
        }
        // In the order of the text, then of the board.
        found.pending.sort_unstable();
        Ok(found)
    }

    /// Whether a condition holds on a square of a position.
    fn holds(
        &mut self,
        act: &Act,
        position: &mut Position,
        square: u32,
        found: &mut Reach,
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
                if !found.asked.contains_key(&key) {
                    let (holds, within) = self.pattern(position, *pattern, square)?;
                    found.within = found.within.max(within);
                    found.asked.insert(key, holds);
                }
                found.asked[&key] != *negated
            }
            _ => true,
        })
    }
}
