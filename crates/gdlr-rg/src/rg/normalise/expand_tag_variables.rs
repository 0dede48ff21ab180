//! Expand tag variables (RG, figures 39, 40):
//!
//! ```text
//! type Coord = { 0, 1 };         a, n1: x == 0;
//! var x: Coord = 0;              n1, b: $ 0;
//! a, b: $$ x;                    a, n2: x == 1;
//!                                n2, b: $ 1;
//! ```

use super::fresh::Fresh;
use super::pragmas;
use super::too_large::{MAX_EDGES, TooLarge};
use crate::rg::ast::{Description, Edge, Expr, Ident, Label};
use crate::rg::name::Name;
use crate::rg::types::{Ty, Types};
use hashbrown::{HashMap, HashSet};

pub(super) fn run(description: &mut Description) -> Result<(), TooLarge> {
    let (missing, built_in) = (description.missing_types(), description.missing_variables());
    let mut types = Types::new(&description.types, &missing, &mut Vec::new());
    let mut of_variables: HashMap<Name, Ty> = HashMap::new();
    for variable in description.variables.iter().chain(&built_in) {
        let ty = types.resolve(&variable.type_, &mut Vec::new());
        of_variables.entry(variable.name.name).or_insert(ty);
    }
    let mut fresh = Fresh::new();
    let mut edges = Vec::with_capacity(description.edges.len());
    let mut changed = HashSet::new();
    let before = std::mem::take(&mut description.edges);
    for edge in &before {
        let set = match edge.label {
            Label::TagVariable(variable) => of_variables.get(&variable.name),
            _ => None,
        };
        let (Some(&Ty::Set(set)), Label::TagVariable(variable)) = (set, &edge.label) else {
            edges.push(edge.clone());
            continue;
        };
        changed.insert(edge.from.name);
        for &symbol in types.symbols(set) {
            let node = Ident::from(fresh.name(&mut description.names, "n"));
            let label = Label::Compare {
                left: Expr::from(*variable),
                right: Expr::from(Ident::from(symbol)),
                equal: true,
            };
            edges.push(Edge { to: node, label, ..edge.clone() });
            let label = Label::Tag(symbol.into());
            edges.push(Edge { from: node, label, ..edge.clone() });
        }
        if edges.len() > MAX_EDGES {
            description.edges = before;
            return Err(TooLarge);
        }
    }
    description.edges = edges;
    if !changed.is_empty() {
        pragmas::forget(description, &changed);
    }
    Ok(())
}
