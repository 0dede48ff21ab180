//! `@iterator`: a walk over three nodes assigns any value of a type to a variable, and then
//! compares it. A program that knows beforehand which values pass need not try the others.
//!
//! ```text
//! a, b: v = T(*);            @iterator a b c : v;
//! b, c: near[w][v] == 1;
//! ```
//!
//! The middle node has no other edge, neither leaving nor entering. So the other values have no
//! other use.

use crate::rg::ast::{Description, Expr, Hint, Label};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;

/// The pragmas, in the order of the edges.
pub fn compute(
    description: &Description,
    graph: &Graph<'_>,
    meter: &Meter<'_>,
) -> Result<Vec<Hint>, Exhausted> {
    let mut between: HashMap<(Name, Name), usize> = HashMap::new();
    for edge in &description.edges {
        *between.entry((edge.from.name, edge.to.name)).or_insert(0) += 1;
    }
    let mut hints = Vec::new();
    for edge in &description.edges {
        meter.spend(1)?;
        let Label::AssignAny { target, .. } = &edge.label else { continue };
        let Some(variable) = target.as_name() else { continue };
        if between[&(edge.from.name, edge.to.name)] > 1 {
            continue;
        }
        let mut behind = graph.leaving(edge.to.name);
        if let (Some(next), None) = (behind.next(), behind.next())
            && compares(&next.label, variable.name)
        {
            let nodes = [edge.from.name.into(), edge.to.name.into(), next.to.name.into()];
            hints.push(Hint::Iterator { nodes, variable: variable.name.into() });
        }
    }
    Ok(hints)
}

/// Whether a label compares something with a variable in it.
pub fn compares(label: &Label, variable: Name) -> bool {
    match label {
        Label::Compare { left, right, .. } => mentions(left, variable) || mentions(right, variable),
        _ => false,
    }
}

/// Whether an expression contains a variable. Expressions nest as deep as a reader accepts.
fn mentions(expr: &Expr, variable: Name) -> bool {
    expr.root() == variable || inner(expr).any(|key| mentions(key, variable))
}

/// The keys of an expression, and the operand of its cast.
fn inner(expr: &Expr) -> impl Iterator<Item = &Expr> {
    let cast = match &expr.base {
        crate::rg::ast::Base::Cast(_, inner) => Some(&**inner),
        crate::rg::ast::Base::Name(_) => None,
    };
    expr.keys.iter().chain(cast)
}
