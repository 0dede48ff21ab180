//! Drawings of graphs, as SVG: what the relations of a rulesheet depend on, a net, an automaton, the
//! board of a game in Regular Boardgames.
//!
//! Each is made a `diagram` of nodes with words and of arrows, which `layered` puts in layers,
//! so that what depends on nothing stands left and what play asks for stands right. Graphs of more
//! than 400 nodes are not drawn: there is nothing to be seen on them. A [`Difference`] of two
//! automata is drawn as what has changed, or as the later one with marks; its drawings are parts of
//! a page, which has the [`style_sheet`].

mod actions;
mod automaton;
mod board;
mod dependencies;
mod diagram;
mod difference;
mod layered;
mod net;
#[cfg(test)]
mod tests;

pub use automaton::automaton;
pub use board::board;
pub use dependencies::dependencies;
pub use difference::{ChangeDrawing, Difference};
pub use net::net;

/// The style sheet of drawings that are parts of a page.
pub fn style_sheet() -> String {
    [super::theme::STYLE, super::theme::GRAPH].concat()
}
