//! Players by name.

use super::Search;
use crate::player::{Player, ThinkingPlayer};
#[cfg(feature = "value-net")]
use crate::value_net::{ValueNet, ValueNetError};
use gdlr_engine::engine::AnyEngine;
use gdlr_engine::play::thinker::Thinker;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
#[cfg(feature = "value-net")]
use std::sync::Arc;

/// A way to play, by the name that users write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// Any legal move, each with the same chance.
    Random,
    /// Flat Monte Carlo.
    Mc,
    /// Tree search: [`Search`].
    Uct,
    /// Alpha-beta search where it suits, and tree search elsewhere: [`Search::by_alpha_beta`].
    AlphaBeta,
    /// A search with a value net in its game, and without it elsewhere.
    #[cfg(feature = "value-net")]
    Net(NetPlayer),
}

/// A player with a value net.
#[cfg(feature = "value-net")]
#[derive(Clone, Debug)]
pub struct NetPlayer {
    /// The name that users write.
    name: String,
    net: Arc<ValueNet>,
    by: NetSearch,
}

#[cfg(feature = "value-net")]
impl PartialEq for NetPlayer {
    fn eq(&self, other: &NetPlayer) -> bool {
        self.name == other.name
    }
}

#[cfg(feature = "value-net")]
impl Eq for NetPlayer {}

/// How a player searches with a value net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NetSearch {
    /// [`Search::guided_by`].
    Tree,
    /// [`Search::by_alpha_beta_with`].
    AlphaBeta,
}

/// The beginnings of the names of players with value nets; the path of the file follows.
const NETS: [(&str, NetSearch); 2] =
    [("net:", NetSearch::Tree), ("alphabeta:", NetSearch::AlphaBeta)];

impl PlayerKind {
    /// All that need no file.
    pub const ALL: &[PlayerKind] =
        &[PlayerKind::Random, PlayerKind::Mc, PlayerKind::Uct, PlayerKind::AlphaBeta];

    /// The path of the file in the name of a player with a value net.
    pub fn file_in(name: &str) -> Option<&str> {
        NETS.iter().find_map(|(prefix, _)| name.strip_prefix(prefix))
    }

    /// The player of a name, or with the value net of a file: `net:FILE`, and `alphabeta:FILE` for
    /// alpha-beta search. The path of the file is one from a folder on.
    ///
    /// # Errors
    ///
    /// When there is no such player, and when the file has no value net.
    pub fn open(name: &str, folder: &Path) -> Result<PlayerKind, PlayerError> {
        let with_net = |&(prefix, by): &(&str, NetSearch)| Some((name.strip_prefix(prefix)?, by));
        match NETS.iter().find_map(with_net) {
            None => name.parse().map_err(|UnknownPlayer| PlayerError::Unknown),
            #[cfg(feature = "value-net")]
            Some((path, by)) => {
                let net = ValueNet::open(&folder.join(path)).map_err(PlayerError::Net)?;
                Ok(PlayerKind::Net(NetPlayer { name: name.to_owned(), net: Arc::new(net), by }))
            }
            #[cfg(not(feature = "value-net"))]
            Some(_) => {
                let _ = folder;
                Err(PlayerError::WithoutNets)
            }
        }
    }

    /// Says why the player cannot play the game of an engine, if that is so: a value net plays the game
    /// that it was learned for.
    pub fn refuses(&self, engine: &AnyEngine) -> Option<String> {
        match self {
            #[cfg(feature = "value-net")]
            PlayerKind::Net(NetPlayer { name, net, .. }) => {
                let mismatch = net.suits(engine).err()?;
                Some(format!("`{name}` cannot play this game: {mismatch}"))
            }
            _ => {
                let _ = engine;
                None
            }
        }
    }

    /// The name that users write.
    pub fn name(&self) -> &str {
        match self {
            PlayerKind::Random => "random",
            PlayerKind::Mc => "mc",
            PlayerKind::Uct => "uct",
            PlayerKind::AlphaBeta => "alphabeta",
            #[cfg(feature = "value-net")]
            PlayerKind::Net(player) => &player.name,
        }
    }

    /// A player of a match; `memory`, in bytes, is for what it remembers, and `max_steps` the bound
    /// on the length of its playouts.
    pub fn of_match(&self, seed: u64, max_steps: u64, memory: usize) -> Box<dyn Player> {
        let thinking = |thinker| Box::new(ThinkingPlayer::new(thinker, seed, max_steps));
        match self.search(seed, memory) {
            Some(search) => Box::new(search),
            None if *self == PlayerKind::Mc => thinking(Thinker::MonteCarlo),
            None => thinking(Thinker::Random),
        }
    }

    /// The search that it is, with so much memory in bytes; `None` of a player that does not
    /// search. It plays in lanes if there are any, and remembers.
    pub fn search(&self, seed: u64, memory: usize) -> Option<Search> {
        let search = || Search::new(seed, memory);
        match self {
            PlayerKind::Random | PlayerKind::Mc => None,
            PlayerKind::Uct => Some(search()),
            PlayerKind::AlphaBeta => Some(search().by_alpha_beta()),
            #[cfg(feature = "value-net")]
            PlayerKind::Net(NetPlayer { net, by, .. }) => Some(match by {
                NetSearch::Tree => search().guided_by(net.clone()),
                NetSearch::AlphaBeta => search().by_alpha_beta_with(net.clone()),
            }),
        }
    }

    /// Whether it is a [`search`](PlayerKind::search).
    pub fn searches(&self) -> bool {
        !matches!(self, PlayerKind::Random | PlayerKind::Mc)
    }
}

/// Why there is no such player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerError {
    /// There is no player of this name.
    Unknown,
    /// The file has no value net.
    #[cfg(feature = "value-net")]
    Net(ValueNetError),
    /// This program was built without the feature `value-net`.
    WithoutNets,
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::Unknown => UnknownPlayer.fmt(f),
            #[cfg(feature = "value-net")]
            PlayerError::Net(error) => error.fmt(f),
            PlayerError::WithoutNets => {
                f.write_str("this program was built without the feature `value-net`")
            }
        }
    }
}

impl std::error::Error for PlayerError {}

/// There is no player of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPlayer;

impl fmt::Display for UnknownPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no player of this name")
    }
}

impl std::error::Error for UnknownPlayer {}

impl FromStr for PlayerKind {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<PlayerKind, UnknownPlayer> {
        PlayerKind::ALL.iter().find(|kind| kind.name() == name).cloned().ok_or(UnknownPlayer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_found_by_their_names() {
        for kind in PlayerKind::ALL {
            assert_eq!(kind.name().parse().as_ref(), Ok(kind));
        }
        assert_eq!("human".parse::<PlayerKind>(), Err(UnknownPlayer));
    }
}
