//! The names of engines.

use std::fmt;
use std::str::FromStr;

/// The engines there are, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// The best one for the game and for what is done with it, see
    /// `SetUp`.
    #[default]
    Auto,
    /// Resolution trees.
    Tree,
    /// A propositional net.
    Propnet,
    /// A propositional net, hundreds of random playouts at once.
    Batch,
    /// An automaton of Regular Games, interpreted.
    Rg,
    /// An automaton of Regular Games, as machine code.
    Native,
}

impl EngineKind {
    /// Every kind, the automatic choice first.
    pub const ALL: &'static [EngineKind] = &[
        EngineKind::Auto,
        EngineKind::Tree,
        EngineKind::Propnet,
        EngineKind::Batch,
        EngineKind::Rg,
        EngineKind::Native,
    ];

    /// Whether it can be asked about single states, as an [`Engine`](super::Engine) can; if not, it only plays
    /// at random.
    pub fn has_states(self) -> bool {
        self != EngineKind::Batch
    }

    /// The name that users write.
    pub fn as_str(self) -> &'static str {
        match self {
            EngineKind::Auto => "auto",
            EngineKind::Tree => "tree",
            EngineKind::Propnet => "propnet",
            EngineKind::Batch => "batch",
            EngineKind::Rg => "rg",
            EngineKind::Native => "native",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<EngineKind, UnknownEngine> {
        EngineKind::ALL.iter().copied().find(|kind| kind.as_str() == name).ok_or(UnknownEngine)
    }
}

/// A name that no engine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEngine;

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no engine has this name")
    }
}

impl std::error::Error for UnknownEngine {}
