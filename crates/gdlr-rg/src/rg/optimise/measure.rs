//! The size of an automaton.

use crate::rg::ast::{Description, Label};
use crate::rg::name::Name;
use crate::rg::types::{Ty, Types};
use hashbrown::HashSet;

/// The measures of an automaton (RG, appendix B, figure 47).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of edges.
    pub edges: usize,
    /// The number of edges that are reachability checks.
    pub reachability_checks: usize,
    /// The number of variables, with those that every game has.
    pub variables: usize,
    /// The number of constants.
    pub constants: usize,
    /// The least number of bits of a state without its node: for each variable, and each entry of a
    /// map, the bits that its symbols need. [`u64::MAX`] if there are more.
    pub state_bits: u64,
}

impl Size {
    /// The measures of a description; linear in it.
    pub fn of(description: &Description) -> Size {
        let mut nodes: HashSet<Name> = HashSet::from([Name::BEGIN, Name::END]);
        let mut reachability_checks = 0;
        for edge in &description.edges {
            nodes.extend([edge.from.name, edge.to.name]);
            if let Label::Reach { from, to, .. } = &edge.label {
                nodes.extend([from.name, to.name]);
                reachability_checks += 1;
            }
        }
        let missing = description.missing_variables();
        let built_in = description.missing_types();
        let mut types = Types::new(&description.types, &built_in, &mut Vec::new());
        let mut state_bits = 0_u64;
        for variable in description.variables.iter().chain(&missing) {
            let ty = types.resolve(&variable.type_, &mut Vec::new());
            state_bits = state_bits.saturating_add(bits(&types, ty));
        }
        Size {
            nodes: nodes.len(),
            edges: description.edges.len(),
            reachability_checks,
            variables: description.variables.len() + missing.len(),
            constants: description.constants.len(),
            state_bits,
        }
    }
}

fn bits(types: &Types, ty: Ty) -> u64 {
    let mut entries = 1_u64;
    let mut at = ty;
    loop {
        match at {
            Ty::Map(map) => {
                let (key, value) = types.map(map);
                let Ty::Set(keys) = key else { return 0 };
                entries = entries.saturating_mul(types.symbols(keys).len() as u64);
                at = value;
            }
            Ty::Set(set) => {
                let count = types.symbols(set).len() as u64;
                let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
                return entries.saturating_mul(bits.into());
            }
            Ty::Symbol(_) | Ty::Unknown => return 0,
        }
    }
}
