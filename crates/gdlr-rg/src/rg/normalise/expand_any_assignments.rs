//! Expand any-assignments (RG, figures 37, 38):
//!
//! ```text
//! type Coord = { 0, 1 };         a, b: x = 0;
//! a, b: x = Coord(*);            a, b: x = 1;
//! ```

use super::pragmas;
use super::too_large::{MAX_EDGES, TooLarge};
use crate::rg::ast::{Description, Edge, Expr, Ident, Label};
use crate::rg::types::{Ty, Types};
use hashbrown::HashSet;

pub(super) fn run(description: &mut Description) -> Result<(), TooLarge> {
    let missing = description.missing_types();
    let mut types = Types::new(&description.types, &missing, &mut Vec::new());
    let mut edges = Vec::with_capacity(description.edges.len());
    let mut changed = HashSet::new();
    for edge in &description.edges {
        let Label::AssignAny { target, values } = &edge.label else {
            edges.push(edge.clone());
            continue;
        };
        let Ty::Set(set) = types.resolve(values, &mut Vec::new()) else { continue };
        changed.insert(edge.from.name);
        for &symbol in types.symbols(set) {
            let value = Expr::from(Ident::from(symbol));
            edges.push(Edge {
                label: Label::Assign { target: target.clone(), value },
                ..edge.clone()
            });
        }
        if edges.len() > MAX_EDGES {
            return Err(TooLarge);
        }
    }
    description.edges = edges;
    if !changed.is_empty() {
        pragmas::forget(description, &changed);
    }
    Ok(())
}
