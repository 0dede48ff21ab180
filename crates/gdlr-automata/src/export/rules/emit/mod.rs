//! A planned program, as a description with its legend.
//!
//! | file | what it is for |
//! |---|---|
//! | [`mod@declared`] | the variables of the state, with their first values |
//! | [`draft`] | passes over the program; its nodes and edges; the legend of its names |

mod declared;
mod draft;

pub use declared::declared;
pub use draft::Draft;
