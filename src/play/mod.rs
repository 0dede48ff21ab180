//! Playing games on an engine.

pub mod well_formed;
