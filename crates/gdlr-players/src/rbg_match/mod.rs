//! Matches of Regular Boardgames between programs, by the protocol of `shrumo/rbggamemanager`.
//!
//! A manager listens, and players connect to it. A message is a text that ends with a zero byte.
//! The manager sends each player the seconds that it has to get ready, the game as low-level text,
//! and the number of its player, from 1; the player says `ready`. Then whoever has the turn is
//! sent the seconds that it has, and sends its move, which the manager sends to all others. A move
//! is `square modifier square modifier ...`, both by their numbers from 1
//! ([`Machine::number_word`](gdlr_rg::rbg::play::Machine::number_word)). Nobody tells who has the
//! turn, when a play is over, or what the keeper does: all follow by the rules. After a play the
//! manager sends `reset`, and the next one begins.
//!
//! | file | what it is for |
//! |---|---|
//! | `wire` | texts that end with a zero byte |
//! | `table` | a play under way: its position, moves as words and as terms |
//! | `player` | our player, at a manager elsewhere |
//! | `remote` | a player elsewhere, at our manager |

mod player;
mod remote;
mod table;
mod wire;

pub use player::{Event, Manners, NoMatch, play_at};
pub use remote::{BoardgamePlayer, NotAPlace};
