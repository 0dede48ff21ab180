//! Pragmas that are true or false whatever happens in play: `@iterator` and `@integer`.

use crate::rg::ast::{Description, Hint, Label};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use crate::rg::optimise::program::Program;
use crate::rg::pragmas::integer::{Steps, numeral};
use crate::rg::pragmas::iterator::compares;
use hashbrown::HashSet;

/// The pragmas that are false, by number, and why.
pub fn refuted(description: &Description, program: &Program) -> Vec<(usize, String)> {
    let (graph, steps) = (Graph::new(description), Steps::new(program));
    let hints = description.pragmas.iter().map(|pragma| &pragma.hint).enumerate();
    let refuted = hints.filter_map(|(number, hint)| match hint {
        Hint::Iterator { nodes, variable } => {
            let why = iterator(description, &graph, nodes.map(|node| node.name), variable.name);
            Some((number, why?))
        }
        Hint::Integer { first, symbols } => {
            let symbols: Vec<Name> = symbols.iter().map(|symbol| symbol.name).collect();
            Some((number, integer(description, &steps, *first, &symbols)?))
        }
        _ => None,
    });
    refuted.collect()
}

/// Why edges do not do what an iterator does.
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

/// Why symbols do not stand for consecutive numbers.
fn integer(
    description: &Description,
    steps: &Steps,
    first: u64,
    symbols: &[Name],
) -> Option<String> {
    let text = |name| description.names.text(name);
    let mut met = HashSet::new();
    if let Some(&again) = symbols.iter().find(|&&symbol| !met.insert(symbol)) {
        return Some(format!("`{}` stands for two numbers", text(again)));
    }
    let numerals: Option<Vec<(&str, u64)>> =
        symbols.iter().map(|&symbol| numeral(&description.names, symbol)).collect();
    if let Some(numerals) = numerals
        && numerals.iter().all(|(stem, _)| *stem == numerals[0].0)
    {
        let expected = (0..).map(|index| first.checked_add(index));
        let mut wrong = symbols.iter().zip(&numerals).zip(expected);
        if let Some(((&symbol, _), number)) =
            wrong.find(|((_, (_, number)), expected)| Some(*number) != *expected)
        {
            let number = number.map_or("no number".to_owned(), |number| number.to_string());
            return Some(format!("`{}` stands for {number}", text(symbol)));
        }
    }
    let map = steps.contradiction(symbols)?;
    Some(format!("the constant `{}` steps through the symbols in another order", text(map)))
}
