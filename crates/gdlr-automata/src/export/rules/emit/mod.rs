//! A program that has been planned, as a description with its legend.
//!
//! | file | what it is for |
//! |---|---|
//! | [`mod@declared`] | the variables of the state, with what they hold at the beginning |
//! | [`draft`] | passes over the program, nodes and edges, and what their names stand for |

mod declared;
mod draft;

pub use declared::declared;
pub use draft::Draft;
