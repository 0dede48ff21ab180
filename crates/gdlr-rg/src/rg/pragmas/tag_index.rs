//! `@tagIndex`, `@tagMaxIndex`: the index in a move, or the greatest index, of the tags on the
//! edges that leave a node. The first index is 0.
//!
//! ```text
//! begin, a: player = x;      @tagIndex a b : 0;
//! a, c: $ l; b, c: $ r;      @tagIndex c : 1;
//! a, b: ; c, d: $$ v;
//! ```

use super::analysed::AnalysedProgram;
use super::searches::Searches;
use super::tags::Tags;
use crate::rg::ast::{Hint, Ident};
use crate::rg::optimise::program::Label;
use std::collections::BTreeMap;

/// The pragmas of all nodes that moves reach: by index, and nodes in the order of the edges.
pub fn hints(analysed: &AnalysedProgram, searches: &Searches, tags: &Tags) -> Vec<Hint> {
    let mut places: BTreeMap<(bool, u32), Vec<Ident>> = BTreeMap::new();
    for node in analysed.program.nodes().filter(|&node| searches.reaches(node)) {
        let tagged = analysed
            .program
            .edges_from(node)
            .any(|edge| matches!(edge.label, Label::Tag(_) | Label::TagVariable(_)));
        let (true, Some(name)) = (tagged, analysed.program.node_name(node)) else { continue };
        if let Some(met) = tags.at(node)
            && let Some(most) = met.most
        {
            places.entry((most != met.least, most)).or_default().push(name.into());
        }
    }
    let hint = |((at_most, place), nodes)| {
        let index = u64::from(place);
        match at_most {
            false => Hint::TagIndex { nodes, index },
            true => Hint::TagMaxIndex { nodes, index },
        }
    };
    places.into_iter().map(hint).collect()
}
