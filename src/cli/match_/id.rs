//! Identifiers of matches.

use std::time::SystemTime;

/// An identifier that no other match has: one symbol, whatever the game is called.
pub fn id(game: &str, number: u64) -> String {
    let game = word(game);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("gdlr.{game}.{}.{}.{number}", now.as_millis(), std::process::id())
}

/// The name of a game, as a word of an identifier or of the name of a file.
pub fn word(game: &str) -> String {
    let legible = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    game.chars().map(legible).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_one_symbol() {
        let id = id("a (game) of; ?x", 3);
        assert!(id.starts_with("gdlr.a--game--of---x.") && id.ends_with(".3"), "{id}");
    }
}
