//! Games as people see them.
//!
//! [`board`] finds the boards that states show, and the squares that moves name. [`draw`] makes
//! pictures of states, and graphs of what a game is made of. A [`viewer`] holds the boards of a
//! game and the squares that its moves name, and learns them while play goes on. `stages` (feature
//! `stages`) is the page that steps through the optimiser; [`style`] is what it has in common with
//! other pages.
//!
//! This crate is a part of the crate `gdlr`, and no stable interface by itself.
#![forbid(unsafe_code)]

pub mod board;
pub mod draw;
#[cfg(feature = "stages")]
pub mod stages;
pub mod style;
pub mod viewer;
