//! The optimisation of an automaton, stage by stage, as a page to step through (RG, 3.5).
//!
//! A stage is the automaton after a transformation that changed something: its text, its measures,
//! and drawings of it and of what has changed. [`record`] lets the optimiser run and keeps them,
//! [`page`] is a document of HTML with everything in it, which asks for nothing from elsewhere.
//!
//! | file | what it is for |
//! |---|---|
//! | `stage` | what is known of a stage |
//! | `text` | texts as the lines that came and went |
//! | `record` | the stages, as the optimiser makes them; how large they may become |
//! | `page` | the page; what it looks like and does is in the files of `page/` |
//!
//! A page has each line once, and of a stage what is not as in the one before: numbers of lines
//! that stay, that go, and lines that come. So it grows with what happens, not with the automaton.

mod page;
mod record;
mod stage;
mod text;

pub use page::page;
pub use record::{Failure, MAX_BYTES, record};
pub use stage::{Cause, Stage, Stages};
pub use text::{Edit, replay};
