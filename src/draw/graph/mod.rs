//! Drawings of graphs, as SVG: what the relations of a rulesheet depend on, a net, an automaton.
//!
//! Each is made a [`diagram`] of nodes with words and of arrows, which [`layered`] puts in layers,
//! so that what depends on nothing stands left and what play asks for stands right. Graphs of more
//! than 400 nodes are not drawn: there is nothing to be seen on them.

mod automaton;
mod dependencies;
mod diagram;
mod layered;
mod net;
#[cfg(test)]
mod tests;

pub use automaton::automaton;
pub use dependencies::dependencies;
pub use net::net;
