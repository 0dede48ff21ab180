//! The file of a series: games, players, and how they play.

use super::clock::{can_be_told, clock_of, default_play_clock};
use super::dialect::DialectChoice;
use super::plan::Plan;
use crate::cli::output::counted;
use crate::cli::rulesheet::Source;
use crate::cli::status::{Failure, Status};
use gdlr::diagnostic::Span;
use gdlr::ggp::manager::Conditions;
use gdlr::search;
use serde::Deserialize;
use std::fs;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// The largest file of a series, in bytes.
const LARGEST: usize = 1 << 20;

/// The settings of the file. Its keys are those of the command line, where it has them.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The games: paths, from the folder of the file on, or names of bundled games.
    games: Vec<Spanned<String>>,
    /// The same, with clocks of their own.
    #[serde(rename = "game")]
    with_clocks: Vec<GameEntry>,
    /// Who plays.
    #[serde(rename = "player")]
    pub players: Vec<Spanned<Entry>>,
    /// How often every choice of players plays every game from each side.
    pub rounds: NonZeroU32,
    /// Whether players change sides.
    pub rotate: bool,
    start_clock: Clock,
    /// As on the command line where the file says nothing.
    play_clock: Option<Clock>,
    /// The folder for records of all matches, from the folder of the file on.
    records: Option<Spanned<String>>,
    /// How many matches at once, 0 for one a core.
    pub threads: u16,
    pub seed: u64,
    pub max_errors: NonZeroU32,
    pub max_steps: u64,
    /// How players elsewhere are told of a step.
    pub dialect: DialectChoice,
}

impl Default for Settings {
    fn default() -> Settings {
        let conditions = Conditions::default();
        Settings {
            games: Vec::new(),
            with_clocks: Vec::new(),
            players: Vec::new(),
            rounds: NonZeroU32::MIN,
            rotate: true,
            start_clock: Clock(conditions.start_clock),
            play_clock: None,
            records: None,
            threads: 1,
            seed: conditions.seed,
            max_errors: NonZeroU32::new(conditions.max_errors).unwrap_or(NonZeroU32::MIN),
            max_steps: conditions.max_steps,
            dialect: DialectChoice::Auto,
        }
    }
}

impl Settings {
    /// Whether a player is another program.
    fn is_anybody_elsewhere(&self) -> bool {
        self.players.iter().any(|player| player.get_ref().kind.plan.is_elsewhere())
    }

    /// All games, with the clocks that they are played with.
    fn games(&self) -> impl Iterator<Item = Contest<'_>> {
        let play = self.play_clock.map(|clock| clock.0);
        let play = play.unwrap_or_else(|| default_play_clock(self.is_anybody_elsewhere()));
        let clocks = Clocks { start: self.start_clock.0, play };
        let plain = self.games.iter();
        let plain = plain.map(move |game| Contest { game, clocks, has_own_clocks: false });
        let with_clocks = self.with_clocks.iter().map(move |entry| Contest {
            game: &entry.rules,
            clocks: Clocks {
                start: entry.start_clock.map_or(clocks.start, |clock| clock.0),
                play: entry.play_clock.map_or(clocks.play, |clock| clock.0),
            },
            has_own_clocks: entry.start_clock.is_some() || entry.play_clock.is_some(),
        });
        plain.chain(with_clocks)
    }
}

/// A game of the file with clocks of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GameEntry {
    rules: Spanned<String>,
    start_clock: Option<Clock>,
    play_clock: Option<Clock>,
}

/// A game of the file, and how it is played.
#[derive(Clone, Copy, Debug)]
pub struct Contest<'s> {
    /// Its name in the file.
    pub game: &'s Spanned<String>,
    pub clocks: Clocks,
    /// Whether one of the clocks is its own.
    has_own_clocks: bool,
}

/// The clocks of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    pub start: Duration,
    pub play: Duration,
}

/// A clock, in seconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "f64")]
pub struct Clock(pub Duration);

impl TryFrom<f64> for Clock {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Clock, String> {
        clock_of(seconds).map(Clock)
    }
}

/// A player of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    name: Option<String>,
    pub kind: Kind,
    /// The seed of its random choices, if it has one of its own.
    pub seed: Option<u64>,
    /// In MiB.
    memory: Option<NonZeroU32>,
}

impl Entry {
    /// Its name: that of its kind, if it has no other.
    pub fn name(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.kind.text)
    }

    /// How much memory it may take, in bytes.
    pub fn memory(&self) -> usize {
        let given = self.memory.map(|mib| (mib.get() as usize).saturating_mul(1 << 20));
        given.unwrap_or(search::DEFAULT_MEMORY)
    }

    /// A message about a setting that players of its kind do not use.
    fn idle(&self) -> Option<&'static str> {
        match (&self.kind.plan, self.seed, self.memory) {
            (Plan::Elsewhere(_), Some(_), _) => Some("`seed` is for players on this machine"),
            (plan, _, Some(_)) if !plan.remembers() => {
                Some("`memory` is for players of the kind `uct`, `alphabeta` or `net:FILE`")
            }
            _ => None,
        }
    }

    /// Where it is, if that is elsewhere.
    fn address(&self) -> Option<&str> {
        let text = self.kind.text.trim_end_matches('/');
        matches!(self.kind.plan, Plan::Elsewhere(_)).then_some(text)
    }
}

/// The kind of a player, as it was written and as it was meant.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Kind {
    pub text: String,
    pub plan: Plan,
}

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(text: String) -> Result<Kind, String> {
        let plan = Plan::read(&text)?;
        Ok(Kind { text, plan })
    }
}

/// A file of a series that was read, to say where in it something is wrong.
pub struct SeriesFile {
    source: Source,
    pub settings: Settings,
}

/// A defect, and its place.
type Wrong = (String, Range<usize>);

impl SeriesFile {
    /// Reads the file at a path, or refuses it.
    pub fn read(path: &Path) -> Result<SeriesFile, Failure> {
        let source = Source::open(&path.to_string_lossy(), LARGEST)?;
        let text = std::str::from_utf8(&source.bytes).map_err(|error| {
            let at = error.valid_up_to();
            Failure::Unusable(format!("`{}` is not UTF-8, at byte {at}", path.display()))
        })?;
        let read = toml::from_str(text).map_err(|error| {
            let place = error.span().unwrap_or_default();
            (error.message().to_owned(), place)
        });
        let folder = path.parent().unwrap_or(Path::new(""));
        let checked = read.and_then(|mut settings: Settings| {
            check(&settings)?;
            settings.players.iter_mut().try_for_each(|player| open_net(player, folder))?;
            Ok(settings)
        });
        match checked {
            Ok(settings) => Ok(SeriesFile { source, settings }),
            Err((message, place)) => Err(refuse(&source, &message, place)),
        }
    }

    /// The games, and what the command line would call them: a path is one from the folder of
    /// the file on.
    pub fn games(&self) -> impl Iterator<Item = (Contest<'_>, String)> {
        self.settings.games().map(move |contest| {
            let name = contest.game.get_ref();
            let beside = self.beside(name);
            let path = beside.is_file().then(|| beside.to_string_lossy().into_owned());
            (contest, path.unwrap_or_else(|| name.clone()))
        })
    }

    /// The folder for records, if they are wanted; it is made where it is not there.
    pub fn records(&self) -> Result<Option<PathBuf>, Failure> {
        let Some(wanted) = &self.settings.records else { return Ok(None) };
        let folder = self.beside(wanted.get_ref());
        if !folder.is_dir() {
            fs::create_dir(&folder).map_err(|error| {
                let message = format!("cannot make the folder `{}`: {error}", folder.display());
                self.refuse(&message, wanted)
            })?;
        }
        Ok(Some(folder))
    }

    /// A path from the folder of the file on.
    fn beside(&self, path: &str) -> PathBuf {
        Path::new(&self.source.file).parent().unwrap_or(Path::new("")).join(path)
    }

    /// Says what is wrong with a name in the file, and gives the failure to return.
    pub fn refuse(&self, message: &str, name: &Spanned<String>) -> Failure {
        refuse(&self.source, message, name.span())
    }
}

/// Reads the value net of a player, if it has one: a file at a path from a folder on.
fn open_net(player: &mut Spanned<Entry>, folder: &Path) -> Result<(), Wrong> {
    let place = player.span();
    let kind = &mut player.get_mut().kind;
    kind.plan = kind.plan.clone().opened(folder).map_err(|why| (why, place))?;
    Ok(())
}

fn refuse(source: &Source, message: &str, place: Range<usize>) -> Failure {
    source.printer().point(message, Span::new(place.start, place.end));
    Failure::Reported(Status::Unusable)
}

/// Looks for what no single value shows to be wrong.
fn check(settings: &Settings) -> Result<(), Wrong> {
    let nobody = |what: &str| Err((what.to_owned(), 0..0));
    let games: Vec<Contest<'_>> = settings.games().collect();
    if games.is_empty() {
        return nobody("there is no game: write `games = [\"tictactoe\"]` at the top");
    }
    if settings.players.is_empty() {
        return nobody("there is no player: write `[[player]]` and below it `kind = \"uct\"`");
    }
    for (place, game) in games.iter().map(|contest| contest.game).enumerate() {
        let text = game.get_ref();
        if text == "-" {
            return Err(("a series reads its games from files".to_owned(), game.span()));
        }
        if games[..place].iter().any(|other| other.game.get_ref() == text) {
            return Err((format!("the game `{text}` is here twice"), game.span()));
        }
    }
    for (place, player) in settings.players.iter().enumerate() {
        let (entry, span) = (player.get_ref(), player.span());
        let others = || settings.players[..place].iter().map(Spanned::get_ref);
        if let Some(why) = entry.idle() {
            return Err((why.to_owned(), span));
        }
        let name = entry.name();
        if name.trim().is_empty() {
            return Err(("a player has a name that can be seen".to_owned(), span));
        }
        if others().any(|other| other.name() == name) {
            let why = format!("there is a player `{name}` already; give this one another `name`");
            return Err((why, span));
        }
        let address = entry.address();
        if address.is_some() {
            for Contest { game, clocks, has_own_clocks } in &games {
                let place = if *has_own_clocks { game.span() } else { span.clone() };
                can_be_told([clocks.start, clocks.play]).map_err(|why| (why, place))?;
            }
        }
        if address.is_some() && others().any(|other| other.address() == address) {
            let why = "this player is here already: no player can meet itself";
            return Err((why.to_owned(), span));
        }
    }
    Ok(())
}

/// Whether so many players are enough for a game of so many seats; why not.
pub fn are_enough(players: usize, seats: usize) -> Result<(), String> {
    match seats {
        0 => Err("nobody but chance plays this game".to_owned()),
        _ if seats <= players => Ok(()),
        _ => Err(format!(
            "this game is for {}, and there {} only {players}: add a `[[player]]`",
            counted(seats, "player"),
            if players == 1 { "is" } else { "are" },
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, Wrong> {
        let settings: Settings = toml::from_str(text)
            .map_err(|error| (error.message().to_owned(), error.span().unwrap_or_default()))?;
        check(&settings).map(|()| settings)
    }

    const PLAYERS: &str = "[[player]]\nkind = \"uct\"\nmemory = 3\n[[player]]\nname = \"b\"\n\
        kind = \"http://localhost:9147\"\n";

    #[test]
    fn what_is_not_said_is_as_on_the_command_line() {
        let settings = read(&format!("games = [\"nim\"]\n{PLAYERS}")).expect("settings");
        let conditions = Conditions::default();
        let clocks = Clocks { start: conditions.start_clock, play: conditions.play_clock };
        assert_eq!(settings.games().map(|contest| contest.clocks).collect::<Vec<_>>(), [clocks]);
        let here =
            read("games = [\"nim\"]\n[[player]]\nkind = \"uct\"\n[[player]]\nkind = \"mc\"\n");
        let here = here.expect("settings");
        let play: Vec<Duration> = here.games().map(|contest| contest.clocks.play).collect();
        assert_eq!(play, [Duration::from_secs(1)]);
        assert!(settings.records.is_none());
        assert_eq!(settings.max_errors.get(), conditions.max_errors);
        assert_eq!((settings.rounds.get(), settings.rotate, settings.threads), (1, true, 1));
        let names: Vec<&str> = settings.players.iter().map(|p| p.get_ref().name()).collect();
        assert_eq!(names, ["uct", "b"]);
        assert_eq!(settings.players[0].get_ref().memory(), 3 << 20);
        assert_eq!(settings.players[1].get_ref().memory(), search::DEFAULT_MEMORY);
    }

    #[test]
    fn what_is_wrong_is_found_where_it_is() {
        for (text, why, at) in [
            ("games = [\"nim\"\n", "", ""),
            ("games = [\"nim\"]\nrouns = 3\n", "unknown field `rouns`", "rouns"),
            ("games = [\"nim\"]\nrounds = 0\n", "nonzero", "0"),
            ("games = [\"nim\"]\nplay-clock = 0\n", "no time", "0"),
            ("games = [\"nim\"]\nplay-clock = -1.5\n", "not a time", "-1.5"),
            ("games = [\"nim\"]\nplay-clock = 1e9\n", "longer than a day", "1e9"),
            ("games = [\"nim\"]\nplay-clock = 0.9\n", "whole seconds", ""),
            ("games = [\"nim\"]\nstart-clock = 0.9\n", "whole seconds", ""),
            ("games = [\"nim\"]\nseed = -1\n", "", "-1"),
            ("games = [\"nim\"]\ndialect = \"gdl2\"\n", "`gdl-ii`", "\"gdl2\""),
            ("games = \"nim\"\n", "expected a sequence", "\"nim\""),
            ("games = [\"nim\", \"hex\", \"nim\"]\n", "`nim` is here twice", "\"nim\""),
            ("games = [\"-\"]\n", "from files", "\"-\""),
            ("seed = 1\n", "no game", ""),
        ] {
            let text = format!("{text}{PLAYERS}");
            let (message, place) = read(&text).expect_err(&text);
            assert!(message.contains(why), "{text}: {message}");
            assert!(at.is_empty() || &text[place.clone()] == at, "{text}: {place:?}");
        }
        for (player, why, at) in [
            ("kind = \"uctt\"", "random, mc, uct, alphabeta", "\"uctt\""),
            ("kind = \"https://localhost\"", "http://HOST:PORT", "\"https://localhost\""),
            ("name = \"x\"", "missing field `kind`", ""),
            ("kind = \"uct\"", "another `name`", ""),
            ("kind = \"mc\"\nname = \"b\"", "another `name`", ""),
            ("kind = \"mc\"\nname = \" \"", "can be seen", ""),
            ("kind = \"mc\"\nmemory = 1", "of the kind `uct`", ""),
            ("kind = \"http://localhost:9147/\"", "meet itself", ""),
            ("kind = \"http://localhost:1\"\nseed = 1", "on this machine", ""),
        ] {
            let text = format!("games = [\"nim\"]\n{PLAYERS}[[player]]\n{player}\n");
            let (message, place) = read(&text).expect_err(&text);
            assert!(message.contains(why), "{text}: {message}");
            assert!(place.start >= text.rfind("[[").unwrap(), "{text}: {place:?}");
            assert!(at.is_empty() || &text[place.clone()] == at, "{text}: {place:?}");
        }
        assert!(read("games = [\"nim\"]").expect_err("nobody").0.contains("no player"));
    }

    #[test]
    fn games_may_have_clocks_of_their_own() {
        // Players elsewhere are told of no clock that no game has.
        let text = "play-clock = 0.5\n[[game]]\nrules = \"nim\"\nplay-clock = 2\n\
            [[game]]\nrules = \"hex\"\nstart-clock = 60\nplay-clock = 3\n";
        let settings = read(&format!("{text}{PLAYERS}")).expect("settings");
        let games: Vec<(&str, u64, u64)> = settings
            .games()
            .map(|Contest { game, clocks, .. }| {
                (game.get_ref().as_str(), clocks.start.as_secs(), clocks.play.as_secs())
            })
            .collect();
        assert_eq!(games, [("nim", 30, 2), ("hex", 60, 3)]);
        for (game, why, at) in [
            ("rules = \"chess\"\nplay-clock = 0.2", "whole seconds", "\"chess\""),
            ("rules = \"chess\"\nplay-clock = 0", "no time", "0"),
            ("rules = \"chess\"\nclock = 1", "unknown field `clock`", "clock"),
            ("play-clock = 1", "missing field `rules`", ""),
            ("rules = \"hex\"\nplay-clock = 1", "`hex` is here twice", "\"hex\""),
        ] {
            let text = format!("{text}[[game]]\n{game}\n{PLAYERS}");
            let (message, place) = read(&text).expect_err(&text);
            assert!(message.contains(why), "{text}: {message}");
            assert!(at.is_empty() || &text[place.clone()] == at, "{text}: {place:?}");
        }
    }

    #[test]
    fn every_game_needs_its_players() {
        assert_eq!(are_enough(2, 2), Ok(()));
        assert!(are_enough(1, 2).expect_err("alone").contains("for 2 players"));
        assert!(are_enough(5, 0).expect_err("chance").contains("chance"));
    }
}
