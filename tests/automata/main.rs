//! Regular Games: automata as they are read, played, made of rulesheets, and seen by players.

mod abg;
mod bundled;
mod columns;
mod engine;
mod export;
mod figures;
mod hrg;
mod mutated;
mod mutated_hrg;
mod mutator;
#[cfg(feature = "native")]
mod native;
#[cfg(feature = "native")]
mod native_branches;
mod net;
mod obfuscated;
mod odd;
mod optimise;
mod parts;
mod play;
mod pragmas;
mod rbg;
mod roundtrip;
mod slides;
mod source;
#[cfg(feature = "stages")]
mod stages;
mod turns;
mod unknown_pragmas;

#[path = "../programs/mod.rs"]
mod programs;
#[path = "../rg_naive/mod.rs"]
mod rg_naive;
#[path = "../rulesheets/mod.rs"]
mod rulesheets;
