//! From a game to an automaton of Regular Games (RG, appendix D.2): from its propositional net, or
//! from its rules (`rules`). This text is about the way from the net. Both
//! ways write a step of the game in the same form.
//!
//! The *keeper* is the part of the automaton that
//! acts between the moves of players. First the keeper tests whether the state is terminal. If it
//! is, the keeper sets the goals. Otherwise the keeper computes the *views*: variables with the
//! values of conditions that are costly to check. Then every role that has a choice chooses a move.
//! A move is a path with the conditions of its legality and a tag. At last the keeper writes the
//! effects of the moves, and the next step begins. In
//! the sketch, `?` asks whether there is a path on which the condition holds, and `!` asks whether there is no such path. The
//! word behind the colon is the player at the node. If one role chooses, the path of each move leads to a node `done` of its own,
//! so the keeper knows the move.
//!
//! ```text
//! turn  : keeper   ? terminal, player = keeper -> over
//!                  ! terminal, views, player = x -> choose
//! over  : keeper   goals, player = keeper -> end
//! choose: x        cell_1_1 == b, $ mark_1_1, player = keeper      -> done   for each move
//! done  : keeper   cell_1_1 = x, control = o -> the next step
//! ```
//!
//! | file | what it is for |
//! |---|---|
//! | `variables` | the variables of the state: one for each mutex of latches |
//! | `naming` | names for the terms of the game |
//! | `conditions` | the signals that the automaton checks: their costs, and which of them become views |
//! | `walks` | a signal as a walk: a path that is open exactly when the signal is true |
//! | `views` | the computation of the views, once a step |
//! | `effects` | the effects of the moves of a phase on variables |
//! | `update` | updates of variables, in place if no later update reads the old value |
//! | `plan` | a step, before it is written |
//! | `slots` | variables and entries of maps as numbers |
//! | `automaton` | nodes and edges under construction |
//! | `turn` | a step as nodes and edges |
//! | `sight` | the parts of a step that roles see |
//! | `percepts` | percepts as tags that are visible to their roles |
//! | `writer` | the state of the writer of a description |
//! | `declare` | types of symbols and scores |
//! | `description` | the whole description |
//! | `legend` | the meaning of the names |
//! | `mod@from_net` | from a net to its description |
//! | `rules` | from rules to a program as a person would write it |
//! | `program` | programs, and the way from them to nodes and edges |
//! | `mod@from_game` | the choice between the rules and the net |
//! | `engine` | the engine `rg`: a game of GDL, played by its automaton |
//!
//! The automaton has one copy of the step for each phase of the net. So the current node shows which player
//! moves. If several
//! roles choose, each role chooses in a ply of its own, which the other roles do not see. Then the keeper
//! shows all choices. In a game with rules for `sees`, no role sees the move of another role.
//! Instead the keeper shows each role its percepts.

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
