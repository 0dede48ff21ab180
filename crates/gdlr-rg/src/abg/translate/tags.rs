//! The effects that are tags of a move: an effect is a tag if it tells the move from another move
//! of the same squares.
//!
//! Two words of a rule look alike if their steps have the same sum of columns and of rows. If their
//! effects differ, the effects must be tags: a pawn becomes a queen or a knight. If the effects are
//! equal, they need not be: a rook is marked as moved by every move.

use super::pieces::State;
use super::{Emitter, Translated};
use crate::abg::game::{Effect, Letter, Statement};
use crate::abg::regular::Dfa;
use crate::rg::{Label, Name};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// The greatest number of prefixes of words that are compared. If there are more, all effects are
/// tags.
const MOST_WAYS: usize = 50_000;

/// The tag of an effect without a name that puts pieces on squares.
const UNNAMED: &str = "";

impl Emitter<'_> {
    /// Whether the effect of a letter is a tag.
    pub(super) fn is_tagged(&mut self, state: &State, letter: &Letter) -> bool {
        let Some(name) = mark(&letter.effect) else { return false };
        let key = (state.mover, state.rule);
        if !self.tagged.contains_key(&key) {
            let dfa = self.dfa(state);
            let size = (self.game.width as i64, self.game.height as i64);
            self.tagged.insert(key, distinguishing(&dfa, size));
        }
        self.tagged[&key].contains(name)
    }

    /// Adds the tags of an effect: its name, then its square if it may not be the last one.
    pub(super) fn tag_effect(
        &mut self,
        effect: &Effect,
        ended: bool,
        from: Name,
    ) -> Translated<Name> {
        let mut at = from;
        if let Some(name) = &effect.name {
            let tag = self.tag_name(name);
            at = self.on(at, "effect", Label::Tag(tag.into()))?;
        }
        if !ended {
            at = self.on(at, "effect", Label::TagVariable(self.here.into()))?;
        }
        Ok(at)
    }

    /// A name that no square has.
    fn tag_name(&mut self, text: &str) -> Name {
        let name = self.naming.name(text);
        if self.squares.contains(&name) || name == Name::BEGIN {
            return self.naming.name(&format!("{text}_"));
        }
        name
    }
}

/// The name that identifies an effect; `None` if the effect is that of a plain letter.
fn mark(effect: &Effect) -> Option<&str> {
    fn puts(statements: &[Statement]) -> bool {
        statements.iter().any(|statement| match statement {
            Statement::Put(..) => true,
            Statement::If(_, holds, otherwise) => puts(holds) || puts(otherwise),
            _ => false,
        })
    }
    match &effect.name {
        Some(name) => Some(name),
        None if puts(&effect.body) => Some(UNNAMED),
        None => None,
    }
}

/// The effects so far, each with its square relative to the first one, and its count up to two.
type Marks = BTreeMap<(Box<str>, i64, i64), u32>;

/// The effects that differ between words with the same sum of steps.
fn distinguishing(dfa: &Dfa, (width, height): (i64, i64)) -> HashSet<Box<str>> {
    let all = || dfa.letters.iter().filter_map(|it| mark(&it.effect)).map(Into::into).collect();
    let first = (0, 0, 0, Marks::new());
    let mut seen: HashSet<(usize, i64, i64, Marks)> = HashSet::new();
    seen.insert(first.clone());
    let mut open = vec![first];
    let mut ends: HashMap<(i64, i64), Vec<Marks>> = HashMap::new();
    while let Some((state, x, y, marks)) = open.pop() {
        if dfa.accepting[state] {
            let ends = ends.entry((x, y)).or_default();
            if !ends.contains(&marks) {
                ends.push(marks.clone());
            }
        }
        for &(letter, to) in &dfa.edges[state] {
            let letter = &dfa.letters[letter];
            let (x, y) = (x + letter.dx, y + letter.dy);
            if x.abs() >= width || y.abs() >= height {
                continue;
            }
            let mut marks = marks.clone();
            if let Some(mark) = mark(&letter.effect) {
                let times = marks.entry((mark.into(), x, y)).or_default();
                // A loop of effects has no end; more than twice makes no difference.
                *times = (*times + 1).min(2);
            }
            let next = (to, x, y, marks);
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        if seen.len() > MOST_WAYS {
            return all();
        }
    }
    let mut effects = HashSet::new();
    for marks in ends.values().filter(|marks| marks.len() > 1) {
        for key in marks.iter().flat_map(Marks::keys) {
            let times = |marks: &Marks| marks.get(key).copied();
            if marks.iter().any(|other| times(other) != times(&marks[0])) {
                effects.insert(key.0.clone());
            }
        }
    }
    effects
}
