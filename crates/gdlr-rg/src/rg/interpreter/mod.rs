//! The interpreter plays a regular game as RG, section 2, defines it.
//!
//! A **semistate** gives a value to every variable, also to `player`, `goals` and `visible`. A
//! **state** is a semistate at a node. A **walk** of the current `player` goes from a state along
//! edges with legal actions, up to the first edge that assigns to `player`. The tags of a walk are
//! the name of a **move**. All walks with the same tags are the same move, and must lead to the same
//! state.
//!
//! An [`Automaton`] is the description compiled once. It is immutable, and threads share it. A
//! [`Search`] is the working memory of one thread. States are small, and independent of both.
//!
//! | file | content |
//! |---|---|
//! | [`state`] | states, and their turns |
//! | [`layout`] | symbols by number; variables and constants in registers |
//! | [`program`] | operations, and the tables that they refer to |
//! | [`nodes`], [`compile`], [`location`], [`actions`] | how edges become operations |
//! | `live` | the assignments that a move reads again |
//! | [`automaton`] | a compiled description, and questions about a state |
//! | [`search`] | working memory, and the bounds of a search |
//! | [`run`] | the loop that runs operations: walks, reachability checks |
//! | [`choices`] | any-assignments |
//! | `native` | the same operations as machine code, with the feature of that name |
//! | [`source`] | the same operations as a source file in Rust or C |
//! | [`watch`] | the budgets of a search: steps, a flag, the clock |
//! | [`memory`] | assignments to undo, semistates that were visited |
//! | [`moves`] | moves, and the changes that they make |
//! | [`obfuscated`] | moves as players see them |
//! | [`keeper`] | the keeper's moves |
//! | [`play`] | random playouts, and perft |
//! | [`explore`](mod@explore) | whether a game is proper |
//!
//! The interpreter does not read pragmas, so a wrong pragma does no harm. It derives from the edges
//! the properties that `@disjoint` and `@iterator` promise ([`compile`], [`choices`]). `@unique` tells
//! an interpreter that it need not remember the semistates at a node, and `@repeat` that it need remember only some of
//! their variables. This interpreter
//! remembers visited semistates only in long searches ([`run`]).
//!
//! ```
//! # mod gdlr { pub use gdlr_rg::rg; }
//! use gdlr::rg::{self, Automaton, Moves, Search, Turn};
//! let text = "type Player = { a, b }; type Score = { 0, 1 }; type Pile = { 0, 1, 2, 3 };
//!     const less: Pile -> Pile = { 3: 2, 2: 1, :0 };
//!     var pile: Pile = 3; var mover: Player = a;
//!     begin, take: player = mover;
//!     take, one: $ one;                  one, taken: pile = less[pile];
//!     take, two: pile != 1; two, three: $ two; three, taken: pile = less[less[pile]];
//!     taken, done: player = keeper;
//!     done, won: pile == 0; won, over: goals[mover] = 1; over, end: player = keeper;
//!     done, on: pile != 0;
//!     on, next: mover == a; next, begin2: mover = b;
//!     on, last: mover == b; last, begin2: mover = a; begin2, take: player = mover;";
//! let automaton = Automaton::new(&rg::read(text).unwrap()).unwrap();
//! let (mut search, mut moves) = (Search::default(), Moves::default());
//! let mut state = automaton.initial().clone();
//! loop {
//!     automaton.keep(&mut search, &mut state).unwrap();
//!     if automaton.turn(&state) == Turn::End {
//!         break;
//!     }
//!     automaton.moves(&mut search, &state, &mut moves).unwrap();
//!     moves.play(0, &mut state);
//! }
//! let goals: Vec<&str> =
//!     automaton.players().map(|player| automaton.text(automaton.goal(&state, player))).collect();
//! assert_eq!(goals, ["1", "0"]);
//! ```

mod actions;
mod automaton;
mod choices;
mod compile;
mod error;
mod explore;
mod keeper;
mod layout;
#[cfg(feature = "native")]
mod live;
mod location;
mod memory;
mod moves;
#[cfg(feature = "native")]
mod native;
mod nodes;
mod obfuscated;
mod play;
mod program;
mod run;
mod search;
mod source;
mod state;
mod watch;

pub use automaton::SymbolId;
pub use automaton::{Automaton, CodeSize};
pub use error::{NoCode, PlayError};
pub use explore::{Condition, Exploration, Violation, explore};
pub(crate) use layout::MAX_REGISTERS;
pub use moves::Moves;
pub use obfuscated::ObfuscatedMove;
pub use play::{Ending, Perft, Played, perft};
pub use search::{DEFAULT_STEPS, Search};
pub use source::{SourceLanguage, to_source};
pub use state::Standing;
pub use state::{PlayerId, Slot, State, Turn};
