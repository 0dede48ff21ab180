//! The page and the JSON service of `gdlr web` (`docs/api.md`).
//!
//! Any rulesheet as something to play with: a page to click on, and the service that it is made
//! with, for programs as well. Nothing leaves the machine, and nobody else reaches it unless that
//! was asked for.
//!
//! | file | what it is for |
//! |---|---|
//! | `page/` | the page: HTML, style and scripts, as they are served |
//! | `assets` | the page, compiled in |
//! | `server` | connections, a bounded number of them |
//! | `guard` | whose requests are taken |
//! | `public`, `token` | where a proxy shows the page; what every request has to know |
//! | `routes` | addresses and methods, and what is asked at each |
//! | `body`, `refusal` | the JSON of a request; why one is not done |
//! | `stream`, `rates` | events; flat Monte Carlo, live |
//! | `service` | games and matches, and what is done with them |
//! | `shelf` | things by name, a bounded number of them |
//! | `loaded` | a game: its text, its engines as they become ready |
//! | `pictures`, `drawings`, `info` | what it looks like, what it is made of |
//! | `session/` | a match, and all who follow it |
//!
//! These always hold. A request waits neither for a player nor for another match. Long work has a
//! budget, and there is a bound on how much of it is done at the same time. Every request is answered,
//! and a refusal has a reason.
#![forbid(unsafe_code)]

mod assets;
mod body;
mod drawings;
mod guard;
mod info;
mod loaded;
mod options;
mod pictures;
mod public;
mod rates;
mod refusal;
mod routes;
mod server;
mod service;
mod session;
mod shelf;
mod stream;
mod token;

pub use options::Options;
pub use public::{NotPublic, PublicUrl};
pub use server::Server;
pub use token::{NotAToken, Token};
