//! Value nets: neural networks that say of a state how good each move is, and which goals to expect.
//!
//! | file | what it is for |
//! |---|---|
//! | `file` | reads a network and its words from an ONNX file |
//! | `words` | what the places of its inputs and outputs stand for |
//! | `columns` | the same for the facts and moves of an engine |
//! | `error` | why a file is refused |
//!
//! A value net is learned elsewhere, for example by `python/examples/train.py`, and read from a file in
//! the format [ONNX](https://onnx.ai). Its shape is that of AlphaZero (Silver et al., 2018): one input,
//! and two outputs.
//!
//! | name | shape | content |
//! |---|---|---|
//! | `observation` | `(positions, …)` | 1 where a fact is true, 0 elsewhere |
//! | `policy` | `(positions, actions)` | by action: the logarithm of its probability, up to a constant that is the same for all actions |
//! | `goals` | `(positions, roles)` | by role: the goal value to expect, divided by 100 |
//!
//! The entry `gdlr` of the metadata of the file says what the columns stand for ([`Words`]). A value net
//! names facts and moves as the rules spell them. Therefore it plays on every engine of its game.

mod columns;
mod error;
mod file;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use columns::Columns;
pub use error::{Mismatch, ValueNetError};
pub use file::ValueNet;
pub use words::Words;
