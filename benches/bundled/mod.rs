//! The set-up that the benchmarks of bundled games share: their arguments, and the games of `kif/` on nets.
// Each benchmark that includes this module uses a part of it.
#![allow(dead_code, reason = "a benchmark uses a part of it")]

#[path = "../../tests/rulesheets/mod.rs"]
pub mod rulesheets;

use gdlr::batch::Batch;
use gdlr::engine::AnyEngine;
use gdlr::gdl::Game;
use gdlr::ground::Budget;
use gdlr::propnet::Propnet;
use std::sync::Arc;

/// The words behind `cargo bench --bench NAME --`; `None` where that is run as a test.
pub fn arguments() -> Option<Vec<String>> {
    let (flags, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    flags.contains(&"--bench".to_owned()).then_some(words)
}

/// A game on its net.
pub struct OnNet {
    pub title: String,
    pub engine: AnyEngine,
    pub lanes: Arc<Batch>,
}

/// The titles of all games, sorted.
pub fn titles() -> Vec<String> {
    let title = |path: std::path::PathBuf| path.file_stem()?.to_str().map(str::to_owned);
    rulesheets::own().into_iter().filter_map(title).collect()
}

/// The game with this title, if there is one.
pub fn game(title: &str) -> Option<OnNet> {
    let mut own = rulesheets::own().into_iter();
    let path = own.find(|path| path.file_stem().is_some_and(|stem| stem == title))?;
    let text = std::fs::read_to_string(&path).expect("a rulesheet");
    let game = Arc::new(Game::from_kif(title, &text).expect("a rulesheet"));
    let net = Propnet::new(game.clone(), &Budget::default()).expect("a net");
    let lanes = Arc::new(Batch::of_net(game, net.net().clone()));
    Some(OnNet { title: title.to_owned(), engine: AnyEngine::new(net), lanes })
}
