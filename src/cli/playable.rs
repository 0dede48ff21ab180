//! GAME, to be played: a rulesheet, or an automaton.

use super::diagnostics::tally;
use super::rulesheet::{GameArguments, ReadingArguments, Rulesheet, Source, lesser_defects};
use super::status::Failure;
use super::{interrupt, rg};
use clap::Args;
use gdlr::automaton::AutomatonGame;
use gdlr::diagnostic::{Diagnostic, Severity};
use gdlr::engine::Roles;
use gdlr::gdl::Game;
use gdlr::rg::validate;
use gdlr::{abg, hrg, rbg};
use std::sync::Arc;

/// One GAME of any kind and how to read it.
#[derive(Clone, Debug, Args)]
pub struct PlayableArguments {
    /// Path to a rulesheet or an automaton, `-` for standard input, or a bundled
    /// game
    #[arg(value_name = "GAME")]
    pub game: String,
    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// A game that has been read and can be played.
pub enum Playable {
    /// Rules in GDL.
    Rules(Rulesheet),
    /// An automaton of Regular Games.
    Automaton(Source, Arc<AutomatonGame>),
}

impl Playable {
    /// Reads a game; refuses one without a meaning, and says in one line that the checks found
    /// other things. A text is an automaton by its content, whatever the file is called.
    pub fn open(arguments: &PlayableArguments) -> Result<Playable, Failure> {
        let source = Source::find(&arguments.game)?;
        if source.is_automaton() {
            return Playable::automaton(source, &arguments.game);
        }
        let PlayableArguments { game, reading } = arguments.clone();
        Rulesheet::playable_from(source, &GameArguments { game, reading }).map(Playable::Rules)
    }

    /// The same of a text that is an automaton; `given` is how the user has called it.
    pub fn automaton(source: Source, given: &str) -> Result<Playable, Failure> {
        let description = rg::description(&source)?;
        let diagnostics = interrupt::at_once(|| validate(&description));
        let (errors, warnings) = tally(&diagnostics);
        if errors > 0 {
            let is_error = |diagnostics: &&Diagnostic| diagnostics.severity() == Severity::Error;
            return Err(source.refuse(diagnostics.iter().filter(is_error)));
        }
        // Warnings about a game in HRG, RBG or ABG are those about its text, not about what it becomes.
        let text = source.text();
        let warnings = if rbg::is_rbg(&text) {
            tally(&rbg::check(&source.bytes)).1
        } else if abg::is_abg(&text) {
            tally(&abg::check(&source.bytes)).1
        } else if hrg::is_hrg(&text) {
            let checked = hrg::read_bytes(&source.bytes).map(|game| hrg::check(&game));
            tally(&checked.unwrap_or_else(|errors| errors)).1
        } else {
            warnings
        };
        lesser_defects(0, warnings, &format!("gdlr rg check {given}"));
        let game = AutomatonGame::new(&source.name, description);
        let game = game.map_err(|problem| source.refuse([&*problem]))?;
        Ok(Playable::Automaton(source, Arc::new(game)))
    }

    /// The game that was read.
    pub fn source(&self) -> &Source {
        match self {
            Playable::Rules(rulesheet) => &rulesheet.source,
            Playable::Automaton(source, _) => source,
        }
    }

    /// The rules; of an automaton, its names and what its types say.
    pub fn game(&self) -> &Arc<Game> {
        match self {
            Playable::Rules(rulesheet) => &rulesheet.game,
            Playable::Automaton(_, automaton) => automaton.game(),
        }
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.game().name
    }

    /// The roles.
    pub fn roles(&self) -> Roles {
        Roles::of(self.game())
    }

    /// Whether it is an automaton.
    pub fn is_automaton(&self) -> bool {
        matches!(self, Playable::Automaton(..))
    }
}
