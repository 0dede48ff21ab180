//! An automaton of Regular Games as an engine: a game that no rules of GDL describe.
//!
//! Any [`Description`](gdlr_rg::rg::Description), wherever it comes from, is played behind the same
//! [contract](gdlr_engine::engine) as a rulesheet (RG, section 2, for what its words mean):
//!
//! * **Roles** are the players of the type `Player`, in order. Behind them comes `random`, the
//!   role of chance, where an edge can give chance the turn and it is no player already.
//! * **States** are those in which a player or chance has the move, and those at `end`. What the
//!   keeper does belongs to the step before; it must have one move only.
//! * **A move** is its tags: one is a constant, several are a function of the first, as in
//!   `(e2 e4)`. A move without tags is called `noop`, and so is what a role does that is not on
//!   turn.
//! * **Facts** are the values of variables, as `(board a1 white)`, and the node, as `(node turn)`.
//!   Variables that no edge assigns to are left out; of `goals` and `visible` there is what is
//!   otherwise than at the beginning. So facts say everything there is about a state, and any
//!   facts of that form can be entered.
//! * **Goals** are the values of `goals`, as they are: a symbol that is no integer from 0 to 100
//!   is an improper goal.
//! * **Percepts**: where some tag may be hidden from a player, a role is told its own move, and of
//!   those of others the tags that are visible to it (RG, 2.1, obfuscated moves).
//!
//! What only play shows to be wrong is an error of the question that met it, with its place
//! ([`R301`](gdlr_text::diagnostic::Code::RgImproper)), and never a panic. A player without a move is
//! no error of the engine, but a state in which the role has no legal move.
//!
//! | file | what it is for |
//! |---|---|
//! | `game` | the names of a description as symbols and terms; its roles |
//! | `hints` | what types say of values, for who looks for boards |
//! | `facts` | states as facts, and back |
//! | `numbers` | moves, numbered as they are met |
//! | `error` | why play stops, with its place in the text |
//! | `engine` | the engine, which interprets an automaton in the words of a legend |
//! | `legend` | what a legend is |
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
