//! How a service plays.

use super::event::Event;
use crate::ggp::message::Protocol;
use crate::player::Player;
use crate::set_up::SetUp;
use gdlr_rules::gdl::Reading;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How a service plays.
#[derive(Clone)]
pub struct Options {
    /// Its name.
    pub name: String,
    /// So long before a clock is over the player must be done. Of a short clock it is a third.
    /// It grows, to half of the clock at most, by the round trip to the manager, where the machine
    /// is so busy that threads wake up late, where the player comes back late from thinking, and in
    /// a match whose manager did not get an answer in time: it doubles each time that another move
    /// was played than the one that was given.
    pub margin: Duration,
    /// The most matches at once.
    pub max_matches: usize,
    /// A match of which nothing is heard for so long, clocks not counted, is over.
    pub max_idle: Duration,
    /// What managers speak.
    pub protocol: Protocol,
    /// How rulesheets are read.
    pub reading: Reading,
    /// How engines are made.
    pub set_up: SetUp<'static>,
    /// Makes the player of a match.
    pub player: Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>,
    /// Is told what happens, from several threads.
    pub log: Arc<dyn Fn(&Event<'_>) + Send + Sync>,
}

impl Options {
    /// The options of a service with this name and these players: half a second of margin, 64
    /// matches, ten minutes of silence, the protocol of general game playing, upper and lower case folded, nothing logged.
    pub fn new(
        name: &str,
        player: impl Fn() -> Box<dyn Player> + Send + Sync + 'static,
    ) -> Options {
        Options {
            name: name.to_owned(),
            margin: Duration::from_millis(500),
            max_matches: 64,
            max_idle: Duration::from_secs(600),
            protocol: Protocol::Ggp,
            reading: Reading::default(),
            set_up: SetUp::default(),
            player: Arc::new(player),
            log: Arc::new(|_| {}),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("name", &self.name).finish_non_exhaustive()
    }
}
