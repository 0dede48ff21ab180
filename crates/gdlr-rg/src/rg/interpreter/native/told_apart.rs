//! Whether tags tell all walks of a move apart.
//!
//! ```text
//! turn, at: here = Square(*);     at, from: $ here;      The first tag says which square,
//! from, one: $ left;              from, two: $ right;    and the second one which edge.
//! ```
//!
//! If two walks differ in no tag, they are the same move, and a playout has to find that out for
//! each state. If all walks differ, nothing has to be found out. The test knows nothing about values:
//! two walks that part at a choice are followed for as long as their tags may be the same.

use super::code::Names;
use crate::rg::interpreter::program::{Address, NodeId, Op, Program, Scalar};
use hashbrown::{HashMap, HashSet};
use std::ops::Range;

/// The greatest number of pairs of walks that are followed.
const MOST_PAIRS: usize = 1 << 12;

/// The next tag of a walk: the numbers that it may have, and the address behind it. A move that ends
/// has the number of no tag.
type Next = (Range<u32>, Option<Address>);

/// How the walks of the moves from a node are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Told {
    /// Two walks may have the same tags.
    #[default]
    Never,
    /// By their tags, but not without the artificial ones.
    ByAllTags,
    /// By the tags that are in words.
    ByWords,
}

impl Told {
    pub fn of(program: &Program, node: NodeId, names: &Names) -> Told {
        match () {
            () if !are_told_apart((program, names), node, true) => Told::Never,
            () if !are_told_apart((program, names), node, false) => Told::ByAllTags,
            () => Told::ByWords,
        }
    }
}

/// Whether no two walks from a node to the end of a move have the same tags, with the artificial ones
/// or without.
fn are_told_apart(
    (program, names): (&Program, &Names),
    node: NodeId,
    with_artificial: bool,
) -> bool {
    let (next, open, seen) = Default::default();
    let mut pairs = Pairs { program, names, with_artificial, next, open, seen };
    let mut are_choices_named = true;
    program.follow(program.entries[node as usize], None, |at, op| {
        match *op {
            Op::Push(others) => pairs.part(&[at + 1, others]),
            Op::Branch { first, end } => {
                pairs.part(&program.targets[first as usize..end as usize]);
            }
            Op::Arrive { node, otherwise } => {
                pairs.part(&[program.entries[node as usize], otherwise]);
            }
            Op::Any { register, .. } => are_choices_named &= program.is_first_tag(at + 1, register),
            Op::AnyThere { .. } => are_choices_named = false,
            _ => {}
        }
        are_choices_named
    });
    are_choices_named && pairs.differ()
}

/// Pairs of walks that have parted, and whose tags may be the same so far.
struct Pairs<'p> {
    program: &'p Program,
    names: &'p Names,
    with_artificial: bool,
    /// By address: the next tags of walks from there.
    next: HashMap<Address, Vec<Next>>,
    open: Vec<(Address, Address)>,
    seen: HashSet<(Address, Address)>,
}

impl Pairs<'_> {
    /// Adds the pairs of some alternatives.
    fn part(&mut self, ways: &[Address]) {
        for end in 1..ways.len() {
            for one in 0..end {
                self.add(ways[one], ways[end]);
            }
        }
    }

    fn add(&mut self, one: Address, other: Address) {
        let pair = (one.min(other), one.max(other));
        if self.seen.insert(pair) {
            self.open.push(pair);
        }
    }

    /// Whether the walks of each pair differ in a tag before they end.
    fn differ(&mut self) -> bool {
        while let Some((one, other)) = self.open.pop() {
            let [ones, others] = [one, other].map(|at| self.next_tags(at));
            for (tags, behind) in &ones {
                let same = |next: &&Next| next.0.start < tags.end && tags.start < next.0.end;
                for (_, other_behind) in others.iter().filter(same) {
                    match (behind, other_behind) {
                        (&Some(one), &Some(other)) => self.add(one, other),
                        _ => return false,
                    }
                }
            }
            if self.seen.len() > MOST_PAIRS {
                return false;
            }
        }
        true
    }

    fn next_tags(&mut self, at: Address) -> Vec<Next> {
        let Pairs { program, names, with_artificial, next, .. } = self;
        let new = || next_tags((program, names), at, *with_artificial);
        next.entry(at).or_insert_with(new).clone()
    }
}

/// The tags that come next on the walks from an address on.
fn next_tags(
    (program, names): (&Program, &Names),
    at: Address,
    with_artificial: bool,
) -> Vec<Next> {
    let mut next = Vec::new();
    program.follow(at, None, |at, op| {
        let all = 0..names.count();
        let tags = match *op {
            Op::Tag(name) if !with_artificial && program.is_artificial(name) => return true,
            Op::Tag(name) => names.number(name).map_or(all, |number| number..number + 1),
            Op::TagVariable(register) => match program.scalar(register) {
                Some(Scalar { least, span, .. }) => least..least + span + 1,
                None => all,
            },
            Op::Finish { .. } => {
                next.push((u32::MAX - 1..u32::MAX, None));
                return false;
            }
            _ => return true,
        };
        next.push((tags, Some(at + 1)));
        false
    });
    next
}

#[cfg(test)]
mod tests {
    use super::super::code::Parts;
    use super::*;
    use crate::rg::interpreter::automaton::Automaton;
    use crate::rg::read;

    /// How the walks of the moves of `a` are told apart.
    fn told(edges: &str) -> Told {
        let text = format!(
            "type Player = {{ a, b }}; type Score = {{ 0, 1 }}; type At = {{ s, t, u }};
             var at: At = s; var here: At = s; var board: At -> Score = {{ :0 }};
             begin, turn: player = a; {edges} done, last: player = keeper; last, end: player = keeper;"
        );
        let description = read(&text).expect("a text");
        let automaton = Automaton::new(&description).expect("an automaton");
        let kept = vec![false; automaton.symbols.len()];
        let parts = Parts::of(&automaton.program, &automaton.symbols, &kept);
        let starts = automaton.program.starts();
        let all = starts.iter().map(|&node| Told::of(&automaton.program, node, &parts.names));
        all.min_by_key(|&told| told as u8).expect("a start")
    }

    #[test]
    fn tags_tell_walks_apart() {
        let one = "turn, one: $ left; turn, two: $ right; one, done: at = s; two, done: at = t;";
        assert_eq!(told(one), Told::ByWords);
        assert_eq!(told(&one.replace("right", "left")), Told::Never);
        let second = "turn, on: $ go; on, one: $ left; on, two: $ right; one, done: ; two, done: ;";
        assert_eq!(told(second), Told::ByWords);
        // The first tags are the same, and the second ones differ.
        let late = "turn, on: $ go; on, one: $ left; turn, or: $ go; or, two: $ right;
                    one, done: at = s; two, done: at = t;";
        assert_eq!(told(late), Told::ByWords);
        assert_eq!(told(&late.replace("right", "left")), Told::Never);
        // One move is the beginning of the other.
        let longer = "turn, one: $ go; one, done: at = s; turn, two: $ go; two, done: $ on;";
        assert_eq!(told(longer), Told::ByWords);
        assert_eq!(told("turn, done: at = s; turn, done: at = t;"), Told::Never);
    }

    #[test]
    fn walks_part_at_comparisons_and_landmarks() {
        let same = "turn, one: at == s; turn, two: at == s; one, done: $ left; two, done: $ right;";
        assert_eq!(told(same), Told::ByWords);
        assert_eq!(told(&same.replace("right", "left")), Told::Never);
        let other = same.replace("right", "left").replace("two: at == s", "two: at != s");
        assert_eq!(told(&other), Told::ByWords);
        let landmark = "turn, mid: ; turn, two: $ right; two, done: at = s; turn, three: $ on;
                        three, mid: ; mid, done: $ left;";
        assert_eq!(told(landmark), Told::ByWords);
        assert_eq!(told(&landmark.replace("right", "left")), Told::Never);
    }

    #[test]
    fn symbols_tell_walks_apart() {
        assert_eq!(told("turn, one: at = At(*); one, done: $$ at;"), Told::ByWords);
        assert_eq!(told("turn, one: at = At(*); one, two: ; two, done: $ go;"), Told::Never);
        let other = "turn, one: at = At(*); one, two: here = At(*); two, done: $$ at;";
        assert_eq!(told(other), Told::Never);
        // `left` is no square, but `s` is one.
        let or = "turn, one: at = At(*); one, done: $$ at; turn, done: $ left;";
        assert_eq!(told(or), Told::ByWords);
        assert_eq!(told(&or.replace("left", "s")), Told::Never);
        assert_eq!(told(&or.replace("left", "u")), Told::Never);
        let entry = "turn, one: board[at] = Score(*); one, done: $$ at;";
        assert_eq!(told(entry), Told::Never);
    }

    #[test]
    fn artificial_tags_tell_walks_apart() {
        let text = "turn, one: $ left; turn, two: $ right; one, three: at = s; two, three: at = t;
                    three, done: $ go;";
        assert_eq!(told(text), Told::ByWords);
        assert_eq!(told(&format!("@artificialTag left right; {text}")), Told::ByAllTags);
        assert_eq!(told(&format!("@artificialTag go; {text}")), Told::ByWords);
    }
}
