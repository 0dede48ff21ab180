//! Boards: squares in rows and columns, and the things on them, found from the rules of a game.
//!
//! No rulesheet says that there is a board. But a person who reads the facts `(cell 3 4 x)` and
//! `(control white)` sees squares in rows and columns with things on them, and a turn beside the board.
//! This module finds the same, from the rules and from the list of all facts that can be true. The
//! result is for pictures of a state ([`Boards::render`]) and for programs that learn from it
//! ([`Planes`]).
//!
//! A *gap* is the place of a constant in a fact, such as each `_` in the form `(cell _ _ _)`.
//!
//! 1. `form` divides facts by their functions into forms such as `(cell _ _ _)`.
//! 2. `sorts` finds the gaps that are about the same things: roles, parts of moves, things with
//!    neighbours. It uses the variables of the rules, not names.
//! 3. `order` puts the values of a gap in order.
//! 4. `groups` has the properties of each form. `layout` chooses the gaps that name a square. Forms
//!    whose gaps have the same sorts share a board.
//! 5. `orientation` chooses the axis that runs down. `hexagons` finds boards whose squares have six
//!    neighbours. `generated` reads the places of squares of Regular Boardgames from their names.
//!    `find` makes the [`Boards`] of `boards`.
//! 6. `targets` learns from play which squares a move names ([`Targets`]), so that people can play by
//!    clicks on a board.
//!
//! Two properties always hold. The row, the column and the channel of a fact determine the fact, so two
//! facts never have the same place. The result depends on the rulesheet and on the set of facts, not on
//! their order.
//!
//! Row 0 is at the top, and column 0 is at the left. An axis is ordered by number, by alphabet, or by a
//! relation of the rules that leads from each label to the next one ([`Order`]). One axis runs to the
//! right. The other runs up (then the last label is row 0) or down. The file `orientation.rs` has the
//! rules by which this is decided.

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
