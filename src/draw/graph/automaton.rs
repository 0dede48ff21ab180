//! The automaton of a game.

use super::diagram::{Diagram, Kind};
use crate::rg::{Description, Label, Name, print_label};
use hashbrown::HashMap;

/// An automaton of Regular Games as a document of SVG: its nodes, and on the way from one to the
/// next the action. Dashed edges are reachability checks; `begin` and `end` have thick rims.
///
/// `None` if there are more than 400 nodes and actions, or if an action has no text
/// ([`print_label`]). Near linear in what is drawn.
pub fn automaton(description: &Description, name: &str) -> Option<String> {
    let names = &description.names;
    let mut diagram = Diagram {
        name: format!("{name}: automaton"),
        legend: vec![(Kind::Plain, "node"), (Kind::Answer, "begin and end")],
        notes: vec!["on the edges: actions; dashed: reachability checks".to_owned()],
        ..Diagram::default()
    };
    let mut numbers: HashMap<Name, usize> = HashMap::new();
    let mut add = |diagram: &mut Diagram, name: Name| {
        *numbers.entry(name).or_insert_with(|| {
            let is_end = matches!(name, Name::BEGIN | Name::END);
            let kind = if is_end { Kind::Answer } else { Kind::Plain };
            let node = diagram.add(kind, names.text(name).to_owned());
            diagram.nodes[node].is_thick = is_end;
            node
        })
    };
    for edge in &description.edges {
        let (from, to) = (add(&mut diagram, edge.from.name), add(&mut diagram, edge.to.name));
        let label = print_label(names, &edge.label).ok()?;
        let is_dashed = matches!(edge.label, Label::Reach { .. });
        if label.is_empty() {
            diagram.join(from, to, is_dashed, true);
        } else {
            let words = diagram.add(Kind::Words, label);
            diagram.join(from, words, is_dashed, false);
            diagram.join(words, to, is_dashed, true);
        }
    }
    diagram.svg()
}
