//! Why a value net is refused.

use std::fmt;

/// Why a file is no value net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueNetError {
    /// The file cannot be read.
    Unreadable(String),
    /// It is no ONNX file, or it has an operation that is not supported.
    NoNetwork(String),
    /// The metadata have no entry `gdlr`.
    NoWords,
    /// The entry `gdlr` cannot be read.
    Words(String),
    /// There is no input or output of this name.
    Missing(&'static str),
    /// An input or output has not the shape that the words ask for. The first number is the one that
    /// the words ask for, for one position; the text is what the network has.
    Shape(&'static str, usize, String),
    /// The network does not run.
    Run(String),
}

impl fmt::Display for ValueNetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueNetError::Unreadable(why) => write!(f, "it cannot be read: {why}"),
            ValueNetError::NoNetwork(why) => write!(f, "it is no network in ONNX: {why}"),
            ValueNetError::NoWords => f.write_str(
                "its metadata have no entry `gdlr`, which says what its columns stand for: write it \
                 with python/examples/train.py, or as docs/value-nets.md says",
            ),
            ValueNetError::Words(why) => {
                write!(f, "the entry `gdlr` of its metadata cannot be read: {why}")
            }
            ValueNetError::Missing(name) => {
                write!(f, "it has no `{name}`: the input is `observation`, the outputs are `policy` and `goals`")
            }
            ValueNetError::Shape(name, words, found) => {
                write!(f, "the entry `gdlr` has {words} words for `{name}`, and the network has {found}")
            }
            ValueNetError::Run(why) => write!(f, "the network does not run: {why}"),
        }
    }
}

impl std::error::Error for ValueNetError {}

/// Why a value net does not suit a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The roles are others, or have another order.
    Roles,
    /// A legal move of the initial state is no action of the net.
    Move(String),
    /// No fact of the initial state is in its observations. This is the first one.
    Fact(String),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it was learned for another game: ")?;
        match self {
            Mismatch::Roles => f.write_str("its roles are others"),
            Mismatch::Move(name) => write!(f, "it does not know the move `{name}`"),
            Mismatch::Fact(name) => {
                write!(f, "it knows no fact of the initial state, such as `{name}`")
            }
        }
    }
}

impl std::error::Error for Mismatch {}
