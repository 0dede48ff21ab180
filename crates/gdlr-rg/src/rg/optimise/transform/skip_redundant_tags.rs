//! Skip redundant tags: a tag becomes a skip edge if all long enough moves have it at the same
//! place. Such a tag tells no move from another (RG, figures 27, 28).
//!
//! ```text
//! begin, a: $ t1;        begin, a: $ t1;
//! begin, b: $ t2;        begin, b: $ t2;
//! a, end: $ rt;          a, end: ;
//! b, end: $ rt;          b, end: ;
//! ```
//!
//! The moves then have other names, but their number is the same. If `visible` changes, the
//! visibility of a tag may carry information, and all tags stay.

use crate::rg::name::Name;
use crate::rg::optimise::moves;
use crate::rg::optimise::program::{EdgeId, Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::classes::Classes;
use hashbrown::HashMap;

/// The least and the greatest number of tags on the walks from the beginning of a move to a node.
#[derive(Clone, Copy, PartialEq)]
struct TagCount {
    least: u32,
    most: u32,
}

/// The tags at one place of the moves from a node.
#[derive(Default)]
struct TagPlace {
    tag: Option<Name>,
    edges: Vec<EdgeId>,
    /// Whether moves differ there: in their tags, or because a move ends or has a variable as its
    /// tag.
    differs: bool,
}

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    if program.edges().any(|(_, edge)| program.written(edge.label) == Some(Name::VISIBLE)) {
        return Ok(());
    }
    let mut turns: Vec<Node> = moves::turns(program).into_iter().collect();
    turns.sort_unstable();
    // Places with a common edge form a group. Maps an edge to its first place.
    let mut places: Vec<TagPlace> = Vec::new();
    let mut place_of: HashMap<EdgeId, usize> = HashMap::new();
    let mut groups = Classes::default();
    for turn in turns {
        for place in places_of(program, turn, meter)? {
            let number = groups.add();
            for &edge in &place.edges {
                let other = *place_of.entry(edge).or_insert(number);
                groups.join(number, other);
            }
            places.push(place);
        }
    }
    // A group of places is redundant if each place is.
    let mut redundant = vec![true; places.len()];
    for (number, place) in places.iter().enumerate() {
        if place.differs {
            redundant[groups.of(number)] = false;
        }
    }
    for (number, place) in places.iter().enumerate() {
        if redundant[groups.of(number)] {
            for &edge in &place.edges {
                program.relabel(edge, Label::Skip);
            }
        }
    }
    Ok(())
}

/// The places of the moves that begin at a node.
fn places_of(program: &Program, turn: Node, meter: &Meter<'_>) -> Result<Vec<TagPlace>, Exhausted> {
    let mut counts: HashMap<Node, TagCount> =
        HashMap::from([(turn, TagCount { least: 0, most: 0 })]);
    let mut open = vec![turn];
    while let Some(node) = open.pop() {
        let count = counts[&node];
        for edge in program.edges_from(node) {
            meter.spend(1)?;
            if program.ends_move(edge.label) {
                continue;
            }
            let more = u32::from(matches!(edge.label, Label::Tag(_) | Label::TagVariable(_)));
            let after = TagCount {
                least: (count.least + more).min(program.tuning.tag_places),
                most: (count.most + more).min(program.tuning.tag_places),
            };
            let old = counts.entry(edge.to).or_insert(TagCount { least: u32::MAX, most: 0 });
            let both =
                TagCount { least: old.least.min(after.least), most: old.most.max(after.most) };
            if both != *old {
                *old = both;
                open.push(edge.to);
            }
        }
    }
    let mut places: Vec<TagPlace> = Vec::new();
    let mut ends: Vec<TagCount> = Vec::new();
    let mut nodes: Vec<(Node, TagCount)> = counts.into_iter().collect();
    nodes.sort_unstable_by_key(|&(node, _)| node);
    for (node, TagCount { least, most }) in nodes {
        for &id in program.leaving(node) {
            let label = program.edge(id).label;
            if program.ends_move(label) {
                ends.push(TagCount { least, most });
            }
            let tag = match label {
                Label::Tag(tag) => Some(tag),
                Label::TagVariable(_) => None,
                _ => continue,
            };
            if places.len() <= most as usize {
                places.resize_with(most as usize + 1, TagPlace::default);
            }
            for place in &mut places[least as usize..=most as usize] {
                let other = place.tag.is_some() && place.tag != tag;
                place.differs |= other || tag.is_none();
                place.tag = tag;
                place.edges.push(id);
            }
        }
    }
    // A move with all places before this one must have this one, too. So a tag that may be at
    // several places is never redundant: a move could end after it.
    for TagCount { least, most } in ends {
        for place in places.iter_mut().take(most as usize + 1).skip(least as usize) {
            place.differs = true;
        }
    }
    Ok(places)
}
