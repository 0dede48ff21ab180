//! The names that unknown pragmas mention.
//!
//! An unknown pragma stays as written as long as all that it mentions exists: the nodes, types,
//! constants and variables of the automaton whose names are words of the pragma. Without them its
//! meaning would be lost, or change. Whether the pragma is true, only programs that know it can
//! tell.

use super::ast::{Description, Hint, Label, Pragma};
use super::name::{Name, Names, is_name_character};
use hashbrown::HashSet;
use std::fmt;

/// The kind of element that a word of a pragma may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A node.
    Node,
    /// A type.
    Type,
    /// A constant.
    Constant,
    /// A variable.
    Variable,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Node => "node",
            Kind::Type => "type",
            Kind::Constant => "constant",
            Kind::Variable => "variable",
        })
    }
}

/// An element that a pragma may mention.
pub(super) type Element = (Kind, Name);

/// The elements of an automaton that a pragma can mention.
#[derive(Debug, Default)]
pub(super) struct Elements(HashSet<Element>);

impl Elements {
    /// The nodes, types, constants and variables of a description, without built-in ones, which
    /// always exist.
    pub fn of(description: &Description) -> Elements {
        let mut elements = HashSet::new();
        for edge in &description.edges {
            elements.extend([(Kind::Node, edge.from.name), (Kind::Node, edge.to.name)]);
            if let Label::Reach { from, to, .. } = &edge.label {
                elements.extend([(Kind::Node, from.name), (Kind::Node, to.name)]);
            }
        }
        elements.extend(description.types.iter().map(|one| (Kind::Type, one.name.name)));
        elements.extend(description.constants.iter().map(|one| (Kind::Constant, one.name.name)));
        elements.extend(description.variables.iter().map(|one| (Kind::Variable, one.name.name)));
        // Nodes may have the names `0` and `1`.
        let built_in = Names::default().len();
        let is_built_in = |&(_, name): &Element| {
            name != Name::ZERO && name != Name::ONE && name.index() < built_in
        };
        elements.retain(|element| !is_built_in(element));
        Elements(elements)
    }

    /// The elements that the text of a pragma mentions.
    pub fn mentioned(&self, names: &Names, text: &str) -> Vec<Element> {
        let names = words(text).filter_map(|word| names.get(word));
        let kinds = [Kind::Node, Kind::Type, Kind::Constant, Kind::Variable];
        let elements = names.flat_map(|name| kinds.map(|kind| (kind, name)));
        elements.filter(|element| self.0.contains(element)).collect()
    }

    /// Whether all elements of a list exist.
    pub fn have(&self, mentioned: &[Element]) -> bool {
        mentioned.iter().all(|element| self.0.contains(element))
    }
}

/// The words of an unknown pragma after its name.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_name_character(c)).skip(1).filter(|word| !word.is_empty())
}

/// An unknown pragma that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The text between `@` and `;`, as it stands.
    pub text: Box<str>,
    /// The first element in the pragma that does not exist any more. `None` if the pragma was
    /// removed since a name in it may now be that of another element.
    pub mentioned: Option<(Kind, String)>,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the pragma `@{}` is left out: ", self.text)?;
        match &self.mentioned {
            Some((kind, name)) => write!(f, "there is no {kind} `{name}` any more"),
            None => f.write_str("what it mentions has another name now"),
        }
    }
}

/// The unknown pragmas that were lost: they are in the automaton before it is
/// [optimised](super::optimise::optimise) or brought into [another form](super::normalise), and not
/// in the automaton after it.
///
/// ```
/// # mod gdlr { pub use gdlr_text::budget; pub use gdlr_rg::rg; }
/// use gdlr::{budget::Meter, rg};
/// let text = "@seen b; @checked by me; type Player = { x }; type Score = { 0 };
///     begin, a: ; a, b: player = x; b, c: $ t; c, end: player = keeper;";
/// let before = rg::read(text).unwrap();
/// let mut after = before.clone();
/// rg::optimise::optimise(&mut after, |_| true, &Meter::unlimited(), |_, _| ()).unwrap();
/// assert_eq!(after.pragmas.len(), 2);
/// assert!(rg::left_out(&before, &after).is_empty());
/// ```
pub fn left_out(before: &Description, after: &Description) -> Vec<LeftOut> {
    let is_kept = |pragma: &&Pragma| after.pragmas.iter().any(|one| one.hint == pragma.hint);
    let removed: Vec<&Pragma> = before.pragmas.iter().filter(|one| !is_kept(one)).collect();
    if removed.is_empty() {
        return Vec::new();
    }
    let (elements, now) = (Elements::of(before), Elements::of(after));
    let is_gone = |&(kind, name): &Element| {
        let name = after.names.get(before.names.text(name));
        name.is_none_or(|name| !now.have(&[(kind, name)]))
    };
    let left_out = removed.into_iter().filter_map(|pragma| {
        let Hint::Unknown(text) = &pragma.hint else { return None };
        let mentioned = elements.mentioned(&before.names, text).into_iter().find(is_gone);
        let name = |(kind, name)| (kind, before.names.text(name).to_owned());
        Some(LeftOut { text: text.clone(), mentioned: mentioned.map(name) })
    });
    left_out.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rg::read;

    #[test]
    fn what_words_are_the_names_of() {
        let text = "type A = { a }; var v: A = a; const c: A = a; p, 0: ? q -> r;";
        let description = read(text).unwrap();
        let elements = Elements::of(&description);
        let mentioned = |text: &str| {
            let names = elements.mentioned(&description.names, text).into_iter();
            let text = |(kind, name)| format!("{kind} {}", description.names.text(name));
            names.map(text).collect::<Vec<_>>()
        };
        assert_eq!(mentioned("p q, (r) p_q : 0"), ["node q", "node r", "node 0"]);
        assert_eq!(mentioned("x A[v] -> c.a player end"), ["type A", "variable v", "constant c"]);
        assert_eq!(mentioned(""), [""; 0]);
    }
}
