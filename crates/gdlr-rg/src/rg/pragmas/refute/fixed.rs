//! Pragmas that are true or false without play: `@iterator` and `@integer`.

use crate::rg::ast::{Description, Hint, Label};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use crate::rg::optimise::program::Program;
use crate::rg::pragmas::iterator::compares;
use crate::rg::pragmas::numbering::Numbering;
use crate::rg::pragmas::steps::Steps;

/// The indices of the false pragmas, each with the reason.
pub fn refuted(description: &Description, program: &Program) -> Vec<(usize, String)> {
    let (graph, steps) = (Graph::new(description), Steps::new(program));
    let names = &description.names;
    let integers = Numbering::new(names, &steps).written(description).into_iter();
    let integers = integers.map(|(number, objection)| (number, objection.message(names)));
    let hints = description.pragmas.iter().map(|pragma| &pragma.hint).enumerate();
    let iterators = hints.filter_map(|(number, hint)| match hint {
        Hint::Iterator { nodes, variable } => {
            let why = iterator(description, &graph, nodes.map(|node| node.name), variable.name);
            Some((number, why?))
        }
        _ => None,
    });
    integers.chain(iterators).collect()
}

/// The reason why edges are no iterator; `None` if they are.
fn iterator(
    description: &Description,
    graph: &Graph<'_>,
    [from, middle, to]: [Name; 3],
    variable: Name,
) -> Option<String> {
    let text = |name| description.names.text(name);
    let is_any = |label: &Label| match label {
        Label::AssignAny { target, .. } => {
            target.as_name().is_some_and(|name| name.name == variable)
        }
        _ => false,
    };
    let mut first = graph.leaving(from).filter(|edge| edge.to.name == middle).peekable();
    if first.peek().is_none() || !first.all(|edge| is_any(&edge.label)) {
        let (from, middle, variable) = (text(from), text(middle), text(variable));
        return Some(format!("`{variable}` does not take any value from `{from}` to `{middle}`"));
    }
    let second: Vec<_> = graph.leaving(middle).collect();
    match second[..] {
        [only] if only.to.name == to && compares(&only.label, variable) => None,
        [only] if only.to.name == to => Some(format!(
            "the edge behind `{}` does not compare `{}`",
            text(middle),
            text(variable)
        )),
        _ => Some(format!("`{}` has other edges than one to `{}`", text(middle), text(to))),
    }
}
