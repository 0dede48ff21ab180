//! How the service is set up.

use super::public::PublicUrl;
use super::token::Token;
use gdlr_players::search::PlayerKind;
use gdlr_rules::bundled::Bundled;
use gdlr_rules::gdl::Reading;
use gdlr_text::budget::Budget;
use std::time::Duration;

/// How the service is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// The games that are there without being loaded.
    pub games: &'static [Bundled],
    /// The time and memory of reading, checking and setting up a game.
    pub budget: Budget<'static>,
    /// How rulesheets are read.
    pub reading: Reading,
    /// The seed by which the names of all games are replaced, if they are to be.
    pub obfuscate: Option<u64>,
    /// Players with value nets. Each is offered in the game that it was learned for.
    pub nets: Vec<PlayerKind>,
    /// The most games, and the most matches.
    pub most: usize,
    /// The longest request, in bytes.
    pub max_bytes: usize,
    /// How long a request may take to come.
    pub patience: Duration,
    /// The most connections.
    pub max_connections: usize,
    /// The secret that every request must bring. Set one if others can reach the service.
    pub token: Option<Token>,
    /// Where a proxy shows the page, if one does. Requests of its page are taken then, and of no
    /// other.
    pub public: Option<PublicUrl>,
}

impl Default for Options {
    /// No games, no value nets, 20 seconds and 2 GiB a game, 100 games and matches, requests of 1 MiB in 10 seconds, 512
    /// connections, no token, no proxy.
    fn default() -> Self {
        Options {
            games: &[],
            budget: Budget::default(),
            reading: Reading::default(),
            obfuscate: None,
            nets: Vec::new(),
            most: 100,
            max_bytes: 1 << 20,
            patience: Duration::from_secs(10),
            max_connections: 512,
            token: None,
            public: None,
        }
    }
}
