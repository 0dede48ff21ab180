//! The edges of an automaton as words, and their drawing.

use super::diagram::{Arrow, Change, Diagram, Kind};
use gdlr_rg::rg::{Description, Edge, Label, print_label};
use hashbrown::HashMap;

/// The node where plays begin, and the one where they end.
const ENDS: [&str; 2] = ["begin", "end"];

/// An edge of an automaton: what it says does not depend on how a description numbers names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Action {
    pub from: String,
    pub to: String,
    /// Its action as text, which is empty for a skip.
    pub label: String,
    pub is_check: bool,
}

/// All edges, in the order of the description; `None` if an action has no text.
pub(super) fn actions(description: &Description) -> Option<Vec<Action>> {
    let names = &description.names;
    let action = |edge: &Edge| {
        Some(Action {
            from: names.text(edge.from.name).to_owned(),
            to: names.text(edge.to.name).to_owned(),
            label: print_label(names, &edge.label).ok()?,
            is_check: matches!(edge.label, Label::Reach { .. }),
        })
    };
    description.edges.iter().map(action).collect()
}

/// Adds edges to a diagram, and the nodes that they join, of which it is told whether they changed.
pub(super) fn add<'a>(
    diagram: &mut Diagram,
    actions: impl Iterator<Item = (&'a Action, Change)>,
    change_of: impl Fn(&str) -> Change,
) {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut add = |diagram: &mut Diagram, name: &'a str| {
        *numbers.entry(name).or_insert_with(|| {
            let is_end = ENDS.contains(&name);
            let kind = if is_end { Kind::Answer } else { Kind::Plain };
            let number = diagram.add(kind, name.to_owned());
            let node = &mut diagram.nodes[number];
            (node.is_thick, node.change) = (is_end, change_of(name));
            number
        })
    };
    for (action, change) in actions {
        let (from, to) = (add(diagram, &action.from), add(diagram, &action.to));
        let is_dashed = action.is_check;
        if action.label.is_empty() {
            diagram.arrows.push(Arrow { from, to, change, is_dashed, has_head: true });
        } else {
            let words = diagram.add(Kind::Words, action.label.clone());
            diagram.nodes[words].change = change;
            let halves = [(from, words, false), (words, to, true)];
            diagram.arrows.extend(halves.map(|(from, to, has_head)| Arrow {
                from,
                to,
                change,
                is_dashed,
                has_head,
            }));
        }
    }
}
