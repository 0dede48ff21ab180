//! The automaton of a game.

use super::actions::{actions, add};
use super::diagram::{Change, Diagram, Kind};
use gdlr_rg::rg::Description;

/// An automaton of Regular Games as a document of SVG: its nodes, and on the way from one to the
/// next the action. Dashed edges are reachability checks; `begin` and `end` have thick rims.
///
/// `None` if there are more than 400 nodes and actions, or if an action has no text
/// ([`print_label`](gdlr_rg::rg::print_label)). Near linear in what is drawn.
pub fn automaton(description: &Description, name: &str) -> Option<String> {
    let mut diagram = Diagram {
        name: format!("{name}: automaton"),
        legend: vec![(Kind::Plain, "node"), (Kind::Answer, "begin and end")],
        notes: vec!["on the edges: actions; dashed: reachability checks".to_owned()],
        ..Diagram::default()
    };
    let actions = actions(description)?;
    add(&mut diagram, actions.iter().map(|action| (action, Change::None)), |_| Change::None);
    diagram.svg()
}
