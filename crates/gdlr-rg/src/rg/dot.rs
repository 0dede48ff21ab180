//! The automaton as a graph for Graphviz.
//!
//! The label of an edge is its action. Thick edges assign to `player`, and so end a move. Dashed
//! edges are reachability checks. `begin` has a thick border, `end` a double one. Nodes that only
//! the walks of reachability checks visit are grey.

use super::ast::{Description, Edge, Label};
use super::graph::Graph;
use super::name::Name;
use super::printer::{Unprintable, print_label};
use hashbrown::HashSet;
use std::fmt::Write;

/// The automaton in Graphviz's language. Its nodes keep their names.
///
/// The cost is linear in the description.
///
/// # Errors
///
/// The first label that has no text, see [`print_label`].
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rg; }
/// let description = gdlr::rg::read("begin, end: player = keeper;").unwrap();
/// let dot = gdlr::rg::to_dot(&description).unwrap();
/// assert!(dot.contains("\"begin\" -> \"end\" [label=\"player = keeper\", penwidth=2];"));
/// ```
pub fn to_dot(description: &Description) -> Result<String, Unprintable> {
    let mut dot = String::from(
        "digraph automaton {\n  rankdir=LR;\n  ranksep=0.6;\n  nodesep=0.12;\n  \
         node [fontname=\"Helvetica\", fontsize=10, height=0.3, margin=\"0.1,0.04\"];\n  \
         edge [fontname=\"Helvetica\", fontsize=8, arrowsize=0.6];\n",
    );
    // A name has only letters, digits and underscores, so it needs no escapes in quotes.
    let names = &description.names;
    let walked = Graph::new(description).reachable(Name::BEGIN);
    let mut seen = HashSet::new();
    for node in description.edges.iter().flat_map(|edge| [edge.from.name, edge.to.name]) {
        if !seen.insert(node) {
            continue;
        }
        let style = match node {
            Name::BEGIN => " [penwidth=2]",
            Name::END => " [peripheries=2]",
            _ if walked[node.index()] => "",
            _ => " [style=filled, fillcolor=gray90]",
        };
        let _ = writeln!(dot, "  \"{}\"{style};", names.text(node));
    }
    for edge in &description.edges {
        let (from, to) = (names.text(edge.from.name), names.text(edge.to.name));
        let label = print_label(names, &edge.label)?;
        let _ = writeln!(dot, "  \"{from}\" -> \"{to}\" [label=\"{label}\"{}];", style_of(edge));
    }
    dot.push_str("}\n");
    Ok(dot)
}

fn style_of(edge: &Edge) -> &'static str {
    match &edge.label {
        Label::Assign { target, .. }
            if target.as_name().is_some_and(|name| name.name == Name::PLAYER) =>
        {
            ", penwidth=2"
        }
        Label::Reach { .. } => ", style=dashed",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rg::read;

    #[test]
    fn nodes_and_edges_have_their_styles() {
        let text = "begin, ż: $ t; ż, end: ? a -> 3; a, 3: v[x] != T(y); a, 3: player = x; p, p: ;";
        let dot = to_dot(&read(text).unwrap()).unwrap();
        let lines: Vec<&str> = dot.lines().skip(6).map(str::trim).collect();
        assert_eq!(
            lines,
            [
                "\"begin\" [penwidth=2];",
                "\"ż\";",
                "\"end\" [peripheries=2];",
                "\"a\" [style=filled, fillcolor=gray90];",
                "\"3\" [style=filled, fillcolor=gray90];",
                "\"p\" [style=filled, fillcolor=gray90];",
                "\"begin\" -> \"ż\" [label=\"$ t\"];",
                "\"ż\" -> \"end\" [label=\"? a -> 3\", style=dashed];",
                "\"a\" -> \"3\" [label=\"v[x] != T(y)\"];",
                "\"a\" -> \"3\" [label=\"player = x\", penwidth=2];",
                "\"p\" -> \"p\" [label=\"\"];",
                "}",
            ]
        );
    }

    #[test]
    fn a_label_without_a_text_is_refused() {
        let description = read("p, q: v = {}(*);").unwrap();
        assert_eq!(to_dot(&description), Err(Unprintable::EmptySet));
    }
}
