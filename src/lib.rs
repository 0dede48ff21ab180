//! `gdlr`: a reasoner for the Game Description Language.
//!
//! GDL writes the rules of a game as a logic program. A [`Game`](gdl::Game) is such a
//! program, read; an [`Engine`](engine::Engine) is a game compiled, ready to be played. This
//! plays a small one at random until it is over:
//!
//! ```
//! use gdlr::engine::{Engine, choose, seeded};
//! use gdlr::gdl::Game;
//! use gdlr::tree::{Tree, TreeOptions};
//!
//! let rules = "
//!     (role you) (role me)                  ; whoever takes the last stick wins
//!     (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
//!     (init (sticks 5)) (init (turn you))
//!     (<= (legal ?r (take 1)) (true (turn ?r)) (true (sticks ?n)) (succ ?m ?n))
//!     (<= (legal ?r (take 2)) (true (turn ?r)) (true (sticks ?n)) (succ ?l ?m) (succ ?m ?n))
//!     (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
//!     (<= (next (sticks ?m)) (does ?r (take 1)) (true (sticks ?n)) (succ ?m ?n))
//!     (<= (next (sticks ?l)) (does ?r (take 2)) (true (sticks ?n)) (succ ?l ?m) (succ ?m ?n))
//!     (<= (next (turn ?r)) (role ?r) (not (true (turn ?r))))
//!     (<= terminal (true (sticks 0)))
//!     (<= (goal ?r 0) (true (turn ?r)))
//!     (<= (goal ?r 100) (role ?r) (not (true (turn ?r))))";
//! let game = Game::from_kif("sticks", rules).expect("a readable rulesheet");
//! let engine = Tree::new(game, &TreeOptions::default()).expect("a playable game");
//!
//! let mut rng = seeded(1, 0);
//! let mut moves = Vec::new();
//! let mut scratch = engine.scratch(); // stands at the initial state
//! while !engine.terminal(&mut scratch).unwrap() {
//!     let mut joint = Vec::new();
//!     for role in engine.roles().iter() {
//!         engine.legal(&mut scratch, role, &mut moves).unwrap();
//!         joint.push(choose(&moves, &mut rng).expect("a role has a move until the end"));
//!     }
//!     for &id in &joint {
//!         let (role, term) = engine.move_term(id); // you: (take 2), me: wait, …
//!         println!("{}: {}", engine.roles().name(role), term.spelled(engine.symbols()));
//!     }
//!     engine.step(&mut scratch, &joint).expect("a legal joint move");
//! }
//! let mut goal = |role| engine.goal(&mut scratch, role).unwrap();
//! let goals: Vec<u8> = engine.roles().iter().map(&mut goal).collect();
//! assert!(goals == [100, 0] || goals == [0, 100]);
//!
//! // A state can be kept, and entered again, also as facts in text.
//! let over = engine.state(&scratch);
//! engine.enter(&mut scratch, engine.initial());
//! let mut kept = over.clone();
//! engine.save(&scratch, &mut kept); // over what is there: nothing is allocated
//! let text = "(sticks 1) (turn me)";
//! let position: gdlr::engine::Position = text.parse().unwrap();
//! position.enter(&engine, &mut scratch).expect("a state of the game");
//!
//! // A scratch belongs to a thread; moves are the same in all.
//! let (me, mut mine) = (engine.roles().find("me").unwrap(), scratch.clone());
//! let joint = std::thread::scope(|threads| {
//!     let engine = &engine;
//!     let thread = threads.spawn(move || {
//!         let first = |role| {
//!             let mut moves = Vec::new();
//!             engine.legal(&mut mine, role, &mut moves).unwrap();
//!             moves[0]
//!         };
//!         engine.roles().iter().map(first).collect::<Vec<_>>()
//!     });
//!     thread.join().unwrap()
//! });
//! engine.step(&mut scratch, &joint).expect("moves that another thread found");
//! assert_eq!(engine.goal(&mut scratch, me), Ok(100));
//! ```
//!
//! # The modules
//!
//! In the order of the road from text to play; each uses only those before it:
//!
//! | module | what it is for |
//! |---|---|
//! | [`bundled`] | the rulesheets of the folder `kif/` |
//! | [`diagnostic`] | messages about a rulesheet: stable codes, places in the text, help |
//! | [`budget`] | time and memory of set-up, and who watches them |
//! | [`decisions`] | what set-up chooses, and by what |
//! | [`graph`], [`nearest`], [`random`] | components of graphs; likely names; random choice |
//! | [`kif`] | text to s-expressions and back; the canonical layout |
//! | [`infix`] | rulesheets as `head :- condition & condition`, as the same s-expressions |
//! | [`operations`] | rulesheets with operations, as Stanford's course writes them |
//! | [`notation`] | which of the three notations a text is in; reading each |
//! | [`gdl`] | s-expressions to rules: symbols, terms, roles; dependencies and strata |
//! | [`check`] | what is wrong with a rulesheet, and what is odd about it |
//! | [`normal`] | rules over flat rows of symbols, which engines start from |
//! | [`engine`] | what a player programs against: the trait that every engine implements |
//! | [`tree`] | the engine of resolution trees |
//! | [`ground`] | flat rules to facts that can be reached and rules about them |
//! | [`net`] | ground rules to a circuit, and the circuit made small |
//! | [`propnet`] | the engine of single states on a propositional net |
//! | [`rg`], [`hrg`], [`rbg`], [`abg`] | the languages Regular Games, High-level Regular Games, Regular Boardgames and Abstract Board Games, by themselves |
//! | [`export`] | a net as an automaton of Regular Games, and the engine that plays it |
//! | [`automaton`] | any automaton of Regular Games as an engine |
//! | [`board`] | the boards that states show, observations, and which squares moves name |
//! | [`draw`] | states as pictures, and graphs of what a game is made of |
//! | `stages` | what the optimiser does to an automaton, stage by stage, as a page (feature `stages`) |
//! | [`play`] | random playouts, perft, replay of recorded play, players; over any engine |
//! | [`batch`] | hundreds of random playouts at once, on a propositional net |
//! | [`search`] | choosing moves by Monte Carlo tree search, with leaves in lanes |
//! | `value_net` | neural networks that evaluate states, for a tree search without playouts (feature `value-net`) |
//! | [`set_up`] | the engine to use for a game, and for what is to be done with it |
//! | [`obfuscate`] | the same game under names that say nothing |
//! | [`viewer`] | boards and what moves name, as they become known in play |
//! | [`explain`] | why a sentence holds, or why not: derivations in the rules as they are written |
//! | [`ggp`], [`rbg_match`] | matches between programs: seats, protocols, manager |
//! | `web` | a page to play on, and its JSON service (feature `web`) |
//!
//! [`check`] is a road of its own: nothing else in the library calls it, and whoever means to
//! play a rulesheet from elsewhere should look at
//! [`Game::forbidding`](gdl::Game::forbidding) what it found. [`Tree::new`](tree::Tree::new)
//! refuses what has no meaning anyhow, but with the first defect only.
//!
//! # The features
//!
//! Each module above is a part of a crate of its own, such as `gdlr-net`; this crate is their face.
//! `default-features = false` leaves the lean reasoner: all up to [`propnet`], [`play`] and
//! [`obfuscate`]. By default all features are on but `cranelift`:
//!
//! | feature | what it adds |
//! |---|---|
//! | `batch` | [`batch`] |
//! | `automata` | [`rg`], [`hrg`], [`rbg`], [`abg`], [`export`], [`automaton`] |
//! | `board` | [`board`], [`draw`], [`viewer`]; implies `automata` |
//! | `players` | [`set_up`], [`search`], [`ggp`], [`rbg_match`], [`play::player`]; implies `automata` and `batch` |
//! | `ggp` | matches over HTTP, archives of matches |
//! | `value-net` | players that search with a neural network, from a file in ONNX |
//! | `explain` | [`explain`] |
//! | `web` | the page of `gdlr web` |
//! | `stages` | the page of `gdlr rg stages` |
//! | `native` | machine code for 256 and 512 lanes, where the processor has AVX2 or AVX-512 |
//! | `cranelift` | machine code for 128 lanes on any x86-64; on other processors it is always on |
//! | `serde` | a [`trace`](play::trace) from JSON, explanations and diagnostics as JSON |
//! | `lexpr` | s-expressions as values of the crate `lexpr` |
//! | `cli` | the command `gdlr`, which is built on this library |
#![warn(missing_docs)]
// A library never prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]
#![forbid(unsafe_code)]

pub mod bundled;

#[cfg(feature = "batch")]
#[doc(inline)]
pub use gdlr_batch as batch;
#[doc(inline)]
pub use gdlr_engine::engine;
#[doc(inline)]
pub use gdlr_net::{ground, net, propnet};
#[doc(inline)]
pub use gdlr_rules::{check, gdl, normal, obfuscate};
#[doc(inline)]
pub use gdlr_text::{
    budget, decisions, diagnostic, graph, infix, kif, nearest, notation, operations, random,
};
#[doc(inline)]
pub use gdlr_tree as tree;

#[cfg(feature = "explain")]
#[doc(inline)]
pub use gdlr_rules::explain;

#[cfg(feature = "automata")]
#[doc(inline)]
pub use gdlr_automata::{automaton, export};
#[cfg(feature = "automata")]
#[doc(inline)]
pub use gdlr_rg::{abg, hrg, rbg, rg};

#[cfg(feature = "stages")]
#[doc(inline)]
pub use gdlr_board::stages;
#[cfg(feature = "board")]
#[doc(inline)]
pub use gdlr_board::{board, draw, viewer};

#[cfg(feature = "value-net")]
pub use gdlr_players::value_net;
#[cfg(feature = "players")]
#[doc(inline)]
pub use gdlr_players::{ggp, rbg_match, search, set_up};

#[cfg(feature = "web")]
#[doc(inline)]
pub use gdlr_web as web;

/// Playing: what can be done with any engine.
pub mod play {
    #[doc(inline)]
    pub use gdlr_engine::play::*;
    #[cfg(feature = "players")]
    #[doc(inline)]
    pub use gdlr_players::player;
}

/// The example of the README is run as it stands there.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
