//! Boards: whether the states of a game are a board with things on it, found from its rules.
//!
//! A rulesheet says nowhere that there is a board. But in the facts `(cell 3 4 x)`
//! and `(control white)` a person sees squares in rows and columns with things on them, and
//! a turn beside the board. This module finds the same, from the rules and from the list
//! of all facts that can be true, for whoever wants to draw a state ([`Boards::render`]) or to
//! learn from it ([`Planes`]).
//!
//! 1. `form` divides facts by their functions into forms such as `(cell _ _ _)`.
//! 2. `sorts` says which gaps speak of the same things, of roles, of parts of moves, of things
//!    that have neighbours: by the variables of the rules, not by names.
//! 3. `order` puts the values of a gap in order.
//! 4. `groups` has the properties of each form, and `layout` chooses the gaps that say where
//!    something stands; forms whose gaps have the same sorts share a board.
//! 5. `orientation` says which axis runs down, `hexagons` whether each square has six
//!    neighbours, and `find` makes the [`Boards`] of `boards`; squares of Regular Boardgames lie as
//!    `generated` reads in their names.
//! 6. `targets` learns from play which squares a move names ([`Targets`]), so that whoever shows
//!    a board can let people play on it.
//!
//! Invariants: the row, the column and the channel of a fact determine the fact, so two facts
//! never have one place. All depends on the rulesheet and on the set of facts, not on their order.
//!
//! Row 0 is the top, column 0 the left. Axes are ordered by number, by alphabet, or by a relation
//! of the rules that leads from each label to the next ([`Order`]); the file `orientation.rs` has
//! the rules by which one runs across and the other up (so that the last label is row 0) or down.

mod boards;
mod find;
mod form;
mod generated;
mod groups;
mod hexagons;
mod layout;
mod names;
mod order;
mod orientation;
mod planes;
mod render;
mod sorts;
mod styled;
mod targets;
#[cfg(test)]
mod tests;
pub mod text;

#[allow(deprecated, reason = "the former name is there for those who use it")]
pub use boards::Place;
pub use boards::{Axis, Board, Boards, Channel, Placement};
pub(crate) use names::{short_names, words};
pub use order::Order;
pub use planes::Planes;
pub use styled::{Part, Shows};
pub use targets::{Step, Target, Targets};
