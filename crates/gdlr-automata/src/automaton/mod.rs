//! An automaton of Regular Games as an engine: a game without rules in GDL.
//!
//! Any [`Description`](gdlr_rg::rg::Description) can be played behind the same
//! [contract](gdlr_engine::engine) as a rulesheet. Section 2 of RG defines the words:
//!
//! * **Roles** are the players of the type `Player`, in order. Behind them comes `random`, the role of
//!   chance, if an edge can give chance the turn and it is no player already.
//! * **States** are those in which a player or chance has the move, and those at `end`. The keeper
//!   moves in the step before. It must have only one move.
//! * **A move** is its tags. One tag is a constant. Several tags are a function, named by the first
//!   tag, as in `(e2 e4)`. A move without tags is called `noop`, and so is the move of a role that is
//!   not on turn.
//! * **Facts** are the values of variables, as `(board a1 white)`, and the node, as `(node turn)`.
//!   Variables without any assignment are left out. For `goals` and `visible` only values that differ
//!   from the first ones are facts. So the facts determine the state, and facts of this form can be
//!   entered.
//! * **Goals** are the values of `goals`. A symbol that is no integer from 0 to 100 is an improper
//!   goal.
//! * **Percepts**: some tags may be hidden from players (RG, 2.1, obfuscated moves). Then a role sees
//!   its own move, and the tags of other moves that are visible to it.
//!
//! Some defects show only during play. They are errors of the call that meets them, with their
//! place ([`R301`](gdlr_text::diagnostic::Code::RgImproper)), and never a panic. A player without a
//! move is no error of the engine, but a state in which the role has no legal move.
//!
//! | file | what it is for |
//! |---|---|
//! | `game` | the names of a description as symbols and terms; its roles |
//! | `hints` | the types of values as rules, for the search for boards |
//! | `facts` | states as facts, and back |
//! | `numbers` | the numbers of moves, given when they are met |
//! | `error` | the errors that stop play, with their place in the text |
//! | `engine` | the engine: an interpreter of automata with a legend |
//! | `legend` | the trait of legends |
//! | `own` | the legend of an automaton by itself |
//! | [`net`] | the same game as a propositional net |

mod engine;
mod error;
mod facts;
mod game;
mod hints;
mod legend;
pub mod net;
mod numbers;
mod own;

pub use crate::tuning::Tuning;
pub use engine::{Interpreter, Scratch};
pub use game::AutomatonGame;
pub use legend::{Choice, Legend, Work};
pub use own::{AutomatonEngine, OwnLegend};
