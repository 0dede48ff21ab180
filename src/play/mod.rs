//! Playing: what is built on [`crate::engine::Engine`] and works with every engine.

pub mod trace;
pub mod verify;
pub mod well_formed;
