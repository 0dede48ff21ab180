//! A game that is loaded: its text, its engines as they become ready, its pictures.

use super::pictures::Pictures;
use super::refusal::Refusal;
use crate::options::Options;
use crate::session::Who;
use gdlr_engine::play::trace::fnv1a;
use gdlr_players::search::PlayerKind;
use gdlr_players::set_up::{Handover, SetUp, SetUpError};
use gdlr_rules::bundled;
use gdlr_rules::check::check_within;
use gdlr_rules::explain::Explainer;
use gdlr_rules::gdl::{Game, Reading, Term};
use gdlr_text::budget::{Budget, Exhausted};
use gdlr_text::diagnostic::{Diagnostic, LineIndex, Span};
use gdlr_text::notation;
use serde_json::{Value, json};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A game that is loaded.
pub struct Loaded {
    /// The hash of its text: the same text is the same game.
    pub id: String,
    pub game: Arc<Game>,
    pub text: String,
    title: String,
    diagnostics: Vec<Diagnostic>,
    lines: LineIndex,
    handover: Arc<Handover>,
    /// Players with value nets of this game.
    pub nets: Vec<PlayerKind>,
    explainer: OnceLock<Explainer>,
    pub pictures: Pictures,
}

/// The game of a text, and its diagnostics.
pub fn diagnose(
    name: &str,
    text: &str,
    reading: Reading,
    budget: &Budget<'_>,
) -> Result<(Option<Game>, Vec<Diagnostic>), Exhausted> {
    let game = notation::read(text).and_then(|read| Game::from_document(name, read, reading));
    match game {
        Ok(game) => {
            let mut diagnostics = check_within(&game, &budget.start())?;
            diagnostics.extend(notation::warnings(text));
            diagnostics.sort_by_key(|found| found.span);
            Ok((Some(game), diagnostics))
        }
        Err(diagnostics) => Ok((None, diagnostics)),
    }
}

/// The `id` of the game of a text.
pub fn id_of(name: &str, text: &str) -> String {
    format!("{:016x}", fnv1a(format!("{name}\n{text}").as_bytes()))
}

impl Loaded {
    /// Reads and checks a rulesheet and begins to make its engines.
    pub fn load(
        name: &str,
        text: String,
        options: &Options,
        set_up: &SetUp<'_>,
    ) -> Result<Loaded, Refusal> {
        let (game, diagnostics) = diagnose(name, &text, options.reading, &set_up.budget)?;
        let game = game.filter(|_| Game::forbidding(&diagnostics).next().is_none());
        let Some(game) = game else { return Err(Refusal::rules(&text, &diagnostics)) };
        let game = Arc::new(game);
        let handover = set_up.start_within(game.clone(), &set_up.budget.start());
        let handover = handover.map_err(|error| match error {
            SetUpError::Refused(refusal) => Refusal::rules(&text, &[*refusal]),
            SetUpError::Exhausted(exhausted) => exhausted.into(),
            SetUpError::NoStates(_) | SetUpError::NoCode(_) => Refusal::internal(),
        })?;
        let bundled = bundled::find(options.games, name).filter(|game| game.text == text);
        let handover = Arc::new(handover);
        let suits = |net: &&PlayerKind| net.refuses(handover.first()).is_none();
        let nets = options.nets.iter().filter(suits).cloned().collect();
        Ok(Loaded {
            nets,
            id: id_of(name, &text),
            title: bundled.map(|game| game.title().to_owned()).unwrap_or_default(),
            lines: LineIndex::new(&text),
            explainer: OnceLock::new(),
            pictures: Pictures::new(&game, &handover),
            handover,
            game,
            text,
            diagnostics,
        })
    }

    pub fn handover(&self) -> &Arc<Handover> {
        &self.handover
    }

    /// How the moves of a role come about, by the name that users write.
    pub fn who(&self, name: &str) -> Result<Who, Refusal> {
        let net = || self.nets.iter().find(|net| net.name() == name);
        let who = Who::of_name(name).or_else(|| net().cloned().map(Who::Player));
        who.ok_or_else(|| {
            let built_in = ["human", "uct", "alphabeta", "mc", "random"].into_iter();
            let names: Vec<&str> = built_in.chain(self.nets.iter().map(PlayerKind::name)).collect();
            Refusal::request(format!("`{name}` is none of {}", names.join(", ")))
        })
    }

    /// Who explains this game.
    pub fn explainer(&self) -> &Explainer {
        self.explainer.get_or_init(|| Explainer::new(self.game.clone()))
    }

    /// The id of a move: the same in every state, match and run.
    pub fn move_id(&self, term: &Term) -> String {
        format!("{:016x}", fnv1a(term.canonical(&self.game.symbols).as_bytes()))
    }

    /// A term as the rulesheet spells its names.
    pub fn spelled(&self, term: &Term) -> String {
        term.spelled(&self.game.symbols)
    }

    /// Where a span of the text is.
    pub fn place(&self, span: Span) -> Value {
        self.lines.place_json(&self.text, span)
    }

    /// The game as JSON, for programs.
    pub fn json(&self) -> Value {
        let game = &self.game;
        let roles: Vec<String> = game.roles.iter().map(|role| self.spelled(role)).collect();
        let diagnostics = self.diagnostics.iter();
        let diagnostics = diagnostics.map(|one| one.to_json(|span| self.place(span)));
        json!({
            "id": self.id,
            "name": game.name,
            "title": self.title,
            "roles": roles,
            "chance": game.chance().map(|role| self.spelled(role)),
            "hidden": game.has_percepts(),
            "engine": self.handover.best().1.to_string(),
            "pictures": if self.pictures.are_final() { "final" } else { "first" },
            "text": self.text,
            "diagnostics": diagnostics.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded").field("id", &self.id).finish_non_exhaustive()
    }
}
