//! From a game to an automaton of Regular Games (RG, appendix D.2): from its propositional net, or
//! from its rules (`rules`). What follows is about the first; a turn is the same in both.
//!
//! A turn of the automaton is a step of the game. The keeper looks whether the state is
//! terminal and sets the goals if it is. Otherwise every role that has a choice makes it: a
//! move is a path with the conditions of its legality and a tag. Then the keeper does what the
//! move does, and the next turn begins.
//!
//! ```text
//! turn  : keeper   ? terminal, player = keeper -> over: goals, player = keeper -> end
//!                  ! terminal, views, player = x -> choose
//! choose: x        cell_1_1 == b, $ mark_1_1, player = keeper      for each move
//! done  : keeper   cell_1_1 = x, control = o -> the next turn
//! ```
//!
//! | file | what it is for |
//! |---|---|
//! | `variables` | which variables hold the state: one for an exclusive group of latches |
//! | `naming` | names for the terms of the game |
//! | `conditions` | the signals that are asked for: their costs, and which are views |
//! | `walks` | signals as walks |
//! | `views` | views, which are computed once a turn |
//! | `update` | what becomes of a variable, in place where the order allows |
//! | `plan` | what happens in a turn, before it is written |
//! | `slots` | variables and entries of maps as numbers |
//! | `automaton` | nodes and edges in the making |
//! | `turn` | a turn as nodes and edges |
//! | `sight` | what roles are shown of a step |
//! | `percepts` | percepts as tags that are visible to their roles |
//! | `writer` | what the parts are written with |
//! | `declare` | types of symbols and scores |
//! | `description` | the whole description |
//! | `legend` | what the names there stand for |
//! | `mod@from_net` | from a net to its description |
//! | `rules` | from rules to a program as a person would write it |
//! | `program` | such a program, and from it to nodes and edges |
//! | `mod@from_game` | which of the two |
//! | `engine` | the engine `rg`: a game of GDL, played by its automaton |
//!
//! The turn is written once for each phase of the net: whose turn it is then
//! shows in the node. Where several roles choose, each chooses in a ply of its own, which the
//! others do not see; then the keeper shows all choices. In a game with rules for `sees` no
//! role sees another one's move: the keeper shows each role what it perceives instead.

mod automaton;
mod conditions;
mod declare;
mod description;
mod effects;
mod engine;
mod from_game;
mod from_net;
mod legend;
mod naming;
mod percepts;
mod plan;
mod program;
mod rules;
mod sight;
mod slots;
mod turn;
mod update;
mod variables;
mod views;
mod walks;
mod writer;

pub use engine::{GameLegend, RgEngine, RgState};
pub use from_game::{Origin, Written, from_game, from_game_tuned, from_rules};
#[doc(hidden)]
pub use from_game::{each_from_rules, each_part_from_net};
pub use from_net::{from_net, from_net_within};
pub use legend::{Export, FactTest, RoleTurn};
