//! Pragmas that may not be true any more.

use crate::rg::ast::{Description, Hint};
use crate::rg::name::Name;
use hashbrown::HashSet;

/// Removes the pragmas about walks from these nodes, whose edges have changed, and the pragmas
/// about the tags of whole moves.
pub(super) fn forget(description: &mut Description, nodes: &HashSet<Name>) {
    description.pragmas.retain(|pragma| match &pragma.hint {
        Hint::Disjoint { node, .. } => !nodes.contains(&node.name),
        Hint::Iterator { nodes: ways, .. } => !ways.iter().any(|node| nodes.contains(&node.name)),
        Hint::SimpleApply { .. } | Hint::TagIndex { .. } | Hint::TagMaxIndex { .. } => false,
        _ => true,
    });
}
