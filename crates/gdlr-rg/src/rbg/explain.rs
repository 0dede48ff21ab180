//! The automaton of a game as text, with comments that quote the rules.

use crate::rg::{Description, Edge, Label, Name, Place, Unprintable};
use gdlr_text::diagnostic::{LineIndex, Span, visible};
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;

/// The places, in the text of a game, from which the edges of its automaton come.
///
/// The automaton of [`translate`](super::translate()) has them. The optimiser loses them. So the
/// origins are kept beside an automaton that is optimised before it is printed.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// The places of the edges between two nodes, in the order of the automaton.
    places: HashMap<(Name, Name), VecDeque<Place>>,
    /// Each tag with the place of its modifier, in the order of the text.
    tags: Vec<(Name, Place)>,
}

impl Origins {
    /// The origins of an automaton that [`translate`](super::translate()) made.
    pub fn of(description: &Description) -> Origins {
        let mut origins = Origins::default();
        let mut seen = HashSet::new();
        for Edge { from, to, label, place } in &description.edges {
            let places = origins.places.entry((from.name, to.name)).or_default();
            places.push_back(*place);
            if let Label::Tag(tag) = label
                && seen.insert(tag.name)
            {
                origins.tags.push((tag.name, *place));
            }
        }
        origins.tags.sort_by_key(|(_, place)| place.0.start);
        origins
    }
}

/// The comment that explains the names of nodes.
const NODES: &str = "\
// Nodes: a turn begins at `turn_...`, a player moves from `move_...`, the keeper from `keep_...`.
// From `can_...` it is asked whether a move can be completed, which it is at `found`. A pattern
// goes from `pattern_...` to `pattern_...`. The other nodes are between two of these.
";

/// The text of an automaton with comments. A comment before edges quotes the line of the game that
/// they come from, if it differs from the line of the edges before. For an edge from a macro, it is
/// the line of the macro.
///
/// # Errors
///
/// As [`rg::print`](crate::rg::print()).
///
/// As [`rg::print`](crate::rg::print()).
///
/// ```
/// # mod gdlr { pub use gdlr_rg::{rbg, rg}; }
/// use gdlr::rbg::{self, Origins};
/// let text = "#players = x(100) #pieces = e, p #variables =
/// #board = rectangle(up, down, left, right, [e, p])
/// #rules = ->x right {p} // a step
///     [e] ->> [$ x = 100] ->> {}";
/// let automaton = rbg::translate(&rbg::read(text).unwrap()).unwrap();
/// let explained = rbg::explain(text, &Origins::of(&automaton), &automaton).unwrap();
/// assert!(explained.contains("\n// line 3: #rules = ->x right {p} // a step\n"));
/// let read = gdlr::rg::read(&explained).unwrap();
/// assert_eq!(gdlr::rg::print(&read).unwrap(), gdlr::rg::print(&automaton).unwrap());
/// ```
pub fn explain(
    text: &str,
    origins: &Origins,
    description: &Description,
) -> Result<String, Unprintable> {
    let plain = crate::rg::print(description)?;
    let lines = Lines::of(text);
    // Each edge has a line, and an empty line follows at the end.
    let first = plain.lines().count().saturating_sub(description.edges.len() + 1);
    let mut places = origins.places.clone();
    let mut explained = String::new();
    let mut line_before = None;
    for (number, statement) in plain.lines().enumerate() {
        if let Some(Edge { from, to, .. }) = number.checked_sub(first).and_then(|at| {
            // After the edges there is an empty line.
            description.edges.get(at)
        }) {
            let of_edge = places.get_mut(&(from.name, to.name));
            let place = of_edge.and_then(VecDeque::pop_front).unwrap_or_default();
            let line = lines.of_place(place);
            if number == first {
                explained.push('\n');
                explained.push_str(NODES);
            }
            if line != line_before {
                let quoted = line.map_or("the beginning".to_owned(), |line| lines.quote(line));
                explained.push_str(&format!("\n// {quoted}\n"));
                line_before = line;
            }
        }
        explained.push_str(statement);
        explained.push('\n');
    }
    Ok(explained)
}

/// The tags of moves, each with the line of its modifier.
pub fn explain_tags(
    text: &str,
    origins: &Origins,
    description: &Description,
) -> Vec<(String, String)> {
    let lines = Lines::of(text);
    let tags = origins.tags.iter();
    let quoted = |place| lines.of_place(place).map_or(String::new(), |line| lines.quote(line));
    tags.map(|(tag, place)| (description.names.text(*tag).to_owned(), quoted(*place))).collect()
}

/// The lines of a text.
struct Lines<'a> {
    text: &'a str,
    index: LineIndex,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        Lines { text, index: LineIndex::new(text) }
    }

    /// The line of a place, from 0; `None` for an element that is not in the text.
    fn of_place(&self, place: Place) -> Option<usize> {
        let Span { start, end } = place.0;
        (start < end).then(|| self.index.line_of(start as usize))
    }

    fn quote(&self, line: usize) -> String {
        let quoted = self.text.get(self.index.range(line)).unwrap_or_default().trim();
        format!("line {}: {}", line + 1, visible(quoted))
    }
}
