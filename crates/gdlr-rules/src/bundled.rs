//! Rulesheets that come with a program.

use gdlr_text::nearest::nearest_name;

/// A rulesheet that comes with a program.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// The name of the game: that of its file without the ending.
    pub name: &'static str,
    /// The rulesheet, in KIF.
    pub text: &'static str,
}

impl Bundled {
    /// The first line of the first comment of the rulesheet.
    pub fn title(&self) -> &'static str {
        let comment = self.text.lines().find(|line| line.trim_start().starts_with(';'));
        let text = |line: &'static str| line.trim().trim_start_matches(';').trim();
        comment.map_or("", |line| text(line).trim_end_matches('.'))
    }
}

/// The one of some games that has this name, in any case.
pub fn find(games: &'static [Bundled], name: &str) -> Option<&'static Bundled> {
    games.iter().find(|game| game.name.eq_ignore_ascii_case(name))
}

/// The name of one of some games that a misspelled one is most likely to mean.
pub fn nearest(games: &'static [Bundled], name: &str) -> Option<&'static str> {
    nearest_name(name, games.iter().map(|game| game.name))
}
