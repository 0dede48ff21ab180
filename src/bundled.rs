//! The games of the folder `kif/`, compiled in.
//!
//! ```
//! let game = gdlr::bundled::find("TicTacToe").expect("a bundled game");
//! assert_eq!(game.name, "tictactoe");
//! assert_eq!(gdlr::bundled::nearest("tictaktoe"), Some("tictactoe"));
//! ```

pub use gdlr_rules::bundled::Bundled;

macro_rules! games {
    ($($name:literal)*) => {
        /// Every bundled game, sorted by name.
        pub const GAMES: &[Bundled] = &[
            $(Bundled { name: $name, text: include_str!(concat!("../kif/", $name, ".kif")) },)*
        ];
    };
}

// A test compares this list with the folder.
games! {
    "amazons"
    "breakthrough"
    "connect4"
    "dice_race"
    "draughts"
    "eight_puzzle"
    "fox_and_hounds"
    "gomoku"
    "hex"
    "hidden_whist"
    "knights_tour"
    "krieg_tictactoe"
    "kuhn_poker"
    "light_cycles"
    "monty_hall"
    "nim"
    "pentago"
    "pig"
    "reversi"
    "rock_paper_scissors"
    "three_player_auction"
    "tictactoe"
}

/// The game of this name, in any case.
pub fn find(name: &str) -> Option<&'static Bundled> {
    gdlr_rules::bundled::find(GAMES, name)
}

/// The name that a misspelled one is most likely to mean.
pub fn nearest(name: &str) -> Option<&'static str> {
    gdlr_rules::bundled::nearest(GAMES, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/kif");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "kif"))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort();
        let names: Vec<_> = GAMES.iter().map(|game| game.name).collect();
        assert_eq!(names, files);
    }

    #[test]
    fn names_are_found_and_guessed() {
        assert!(find("TicTacToe").is_some());
        assert_eq!(nearest("tictaktoe"), Some("tictactoe"));
        assert_eq!(nearest("xyzzy"), None);
        assert!(GAMES.iter().all(|game| !game.title().is_empty()));
    }
}
