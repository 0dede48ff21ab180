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
struct Met {
    least: u32,
    most: u32,
}

/// The tags at one place of the moves from a node.
#[derive(Default)]
struct AtPlace {
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
    let mut places: Vec<AtPlace> = Vec::new();
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
fn places_of(program: &Program, turn: Node, meter: &Meter<'_>) -> Result<Vec<AtPlace>, Exhausted> {
    let mut met: HashMap<Node, Met> = HashMap::from([(turn, Met { least: 0, most: 0 })]);
    let mut open = vec![turn];
    while let Some(node) = open.pop() {
        let here = met[&node];
        for edge in program.edges_from(node) {
            meter.spend(1)?;
            if program.ends_move(edge.label) {
                continue;
            }
            let more = u32::from(matches!(edge.label, Label::Tag(_) | Label::TagVariable(_)));
            let after = Met {
                least: (here.least + more).min(program.tuning.tag_places),
                most: (here.most + more).min(program.tuning.tag_places),
            };
            let there = met.entry(edge.to).or_insert(Met { least: u32::MAX, most: 0 });
            let both =
                Met { least: there.least.min(after.least), most: there.most.max(after.most) };
            if both != *there {
                *there = both;
                open.push(edge.to);
            }
        }
    }
    let mut places: Vec<AtPlace> = Vec::new();
    let mut ends: Vec<Met> = Vec::new();
    let mut nodes: Vec<(Node, Met)> = met.into_iter().collect();
    nodes.sort_unstable_by_key(|&(node, _)| node);
    for (node, Met { least, most }) in nodes {
        for &id in program.leaving(node) {
            let label = program.edge(id).label;
            if program.ends_move(label) {
                ends.push(Met { least, most });
            }
            let tag = match label {
                Label::Tag(tag) => Some(tag),
                Label::TagVariable(_) => None,
                _ => continue,
            };
            if places.len() <= most as usize {
                places.resize_with(most as usize + 1, AtPlace::default);
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
    for Met { least, most } in ends {
        for place in places.iter_mut().take(most as usize + 1).skip(least as usize) {
            place.differs = true;
        }
    }
    Ok(places)
}
