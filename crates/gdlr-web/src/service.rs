//! The games and matches of the service, without HTTP.

use super::loaded::{Loaded, diagnose, id_of};
use super::options::Options;
use super::refusal::Refusal;
use super::session::{self, Opening, Session, Who};
use super::shelf::Shelf;
use gdlr_players::set_up::SetUp;
use gdlr_rules::bundled;
use gdlr_rules::gdl::Game;
use gdlr_rules::obfuscate::obfuscate;
use gdlr_text::diagnostic::{Diagnostic, LineIndex, Severity};
use gdlr_text::kif::Document;
use gdlr_text::notation::{self, Notation};
use gdlr_tree::TreeOptions;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// A match that nobody has asked for in this time makes room for a new one.
const REST: Duration = Duration::from_secs(3600);

/// Players of matches that nobody has asked for in this time forget what they know.
const NAP: Duration = Duration::from_secs(300);

/// So many games at most have a net in the making: each may take all the memory of the budget.
const AT_WORK: usize = 8;

/// The games and matches of a service.
#[derive(Debug)]
pub struct Service {
    pub(super) options: Options,
    games: Shelf<Loaded>,
    sessions: Shelf<Session>,
    /// Who may think at the same time.
    pub(super) thinkers: Arc<Semaphore>,
    /// How much long work there may be at the same time.
    pub(super) workers: Semaphore,
    start: Mutex<Start>,
    /// Becomes true when the server ends.
    pub(super) stopping: watch::Sender<bool>,
}

/// The game and match that the service was started with.
#[derive(Debug, Default)]
struct Start {
    game: Option<String>,
    session: Option<String>,
}

/// How a match is to begin, as it is asked for.
#[derive(Debug)]
pub struct Wanted<'w> {
    /// The id of a loaded game, or the name of a bundled one.
    pub game: &'w str,
    /// The names of roles, and who plays them.
    pub players: Vec<(String, String)>,
    pub think: Duration,
    pub seed: u64,
    pub omniscient: bool,
    pub joints: Vec<Vec<String>>,
}

impl Service {
    /// A service without games.
    pub fn new(options: Options) -> Service {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Service {
            games: Shelf::new(options.most, Duration::ZERO),
            sessions: Shelf::new(options.most, REST),
            thinkers: Arc::new(Semaphore::new(cores)),
            workers: Semaphore::new(2 * cores),
            start: Mutex::default(),
            stopping: watch::Sender::new(false),
            options,
        }
    }

    /// The name and version of the service, and the game and match that it was started with.
    pub fn about(&self) -> Value {
        let start = self.start.lock().unwrap_or_else(PoisonError::into_inner);
        json!({
            "name": "gdlr",
            "version": env!("CARGO_PKG_VERSION"),
            "start": { "game": start.game, "match": start.session },
        })
    }

    /// Loads the game and match of pages whose address names none. The match stands where the first
    /// play of a record ends, if there is a record.
    pub fn begin_with(&self, name: &str, text: &str, record: Option<&str>) -> Result<(), Refusal> {
        let loaded = self.load(name, text, self.options.obfuscate)?;
        let session = record.map(|record| {
            self.open(&Wanted {
                game: &loaded.id,
                players: Vec::new(),
                think: Duration::from_secs(1),
                seed: 1,
                omniscient: true,
                joints: session::read(record, 0)?,
            })
        });
        let session = session.transpose()?.map(|session| session.id.clone());
        let start = Start { game: Some(loaded.id.clone()), session };
        *self.start.lock().unwrap_or_else(PoisonError::into_inner) = start;
        Ok(())
    }

    /// The bundled games.
    pub fn bundled(&self) -> Value {
        let games = self.options.games.iter();
        let games = games.map(|game| json!({ "name": game.name, "title": game.title() }));
        json!({ "bundled": games.collect::<Vec<_>>() })
    }

    /// Loads a game; with a seed, under other names.
    pub fn load(&self, name: &str, text: &str, seed: Option<u64>) -> Result<Arc<Loaded>, Refusal> {
        let (name, text) = match seed {
            None => (name.to_owned(), text.to_owned()),
            Some(seed) => {
                let game = Game::from_document(name, read(text)?, self.options.reading);
                let game = game.map_err(|diagnostics| Refusal::rules(text, &diagnostics))?;
                (format!("game-{seed}"), obfuscate(&game, seed).to_kif())
            }
        };
        if let Some(loaded) = self.games.get(&id_of(&name, &text)) {
            return Ok(loaded);
        }
        let is_at_work = |loaded: &Loaded| !loaded.handover().wait(Duration::ZERO);
        if self.games.count(is_at_work) >= AT_WORK {
            return Err(Refusal::busy(format!("the nets of {AT_WORK} games are being made")));
        }
        let set_up =
            SetUp { budget: self.options.budget, tree: TreeOptions::default(), ..SetUp::default() };
        let loaded = Loaded::load(&name, text, &self.options, &set_up)?;
        let loaded = Arc::new(loaded);
        let full = |_| Refusal::busy("there are as many games as there may be, all in use");
        self.games.put(&loaded.id, loaded.clone()).map_err(full)?;
        Ok(self.games.get(&loaded.id).unwrap_or(loaded))
    }

    /// The game of an id, or the bundled one of a name.
    pub fn game(&self, name: &str) -> Result<Arc<Loaded>, Refusal> {
        if let Some(loaded) = self.games.get(name) {
            return Ok(loaded);
        }
        let Some(bundled) = bundled::find(self.options.games, name) else {
            let refusal = Refusal::unknown(format!("there is no game `{name}`"));
            return Err(match bundled::nearest(self.options.games, name) {
                Some(near) => refusal.with_help(format!("`{near}` is a bundled game")),
                None => refusal.with_help("load it first"),
            });
        };
        self.load(bundled.name, bundled.text, self.options.obfuscate)
    }

    /// The diagnostics of a text.
    pub fn check(&self, text: &str) -> Result<Value, Refusal> {
        let (_, diagnostics) = diagnose("rules", text, self.options.reading, &self.options.budget)?;
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity() == Severity::Error;
        let errors = diagnostics.iter().filter(is_error).count();
        let warnings = diagnostics.len() - errors;
        let lines = LineIndex::new(text);
        let diagnostics =
            diagnostics.iter().map(|one| one.to_json(|span| lines.place_json(text, span)));
        Ok(json!({
            "errors": errors,
            "warnings": warnings,
            "diagnostics": diagnostics.collect::<Vec<_>>(),
        }))
    }

    /// A text in canonical layout.
    pub fn format(&self, text: &str) -> Result<Value, Refusal> {
        let document = read(text)?;
        let laid_out = notation::format(text, &document, Notation::of(text));
        Ok(json!({ "text": laid_out.map_err(|diagnostics| Refusal::rules(text, &diagnostics))? }))
    }

    /// Starts a match.
    pub fn open(&self, wanted: &Wanted<'_>) -> Result<Arc<Session>, Refusal> {
        let loaded = self.game(wanted.game)?;
        let game = &loaded.game;
        let names: Vec<String> = game.roles.iter().map(|role| loaded.spelled(role)).collect();
        let mut players = vec![Who::Human; names.len()];
        for (name, who) in &wanted.players {
            let role = names.iter().position(|role| role.eq_ignore_ascii_case(name));
            let role = role.ok_or_else(|| {
                let names = names.join(", ");
                Refusal::request(format!("there is no role `{name}`; the roles are {names}"))
            })?;
            players[role] = loaded.who(who)?;
        }
        let opening = Opening {
            players,
            think: wanted.think,
            seed: wanted.seed,
            omniscient: wanted.omniscient,
            joints: wanted.joints.clone(),
        };
        let id = format!("m{}", random_name()?);
        let session = Session::new(id.clone(), loaded, opening, self.thinkers.clone())?;
        let session = Arc::new(session);
        let full = |_| Refusal::busy("there are as many matches as there may be");
        if let Some(gone) = self.sessions.put(&id, session.clone()).map_err(full)? {
            gone.end();
        }
        session.changed();
        Ok(session)
    }

    /// The match of an id.
    pub fn session(&self, id: &str) -> Result<Arc<Session>, Refusal> {
        self.sessions.get(id).ok_or_else(|| Refusal::unknown(format!("there is no match `{id}`")))
    }

    /// Ends a match.
    pub fn end(&self, id: &str) -> Result<(), Refusal> {
        let unknown = || Refusal::unknown(format!("there is no match `{id}`"));
        self.sessions.take(id).ok_or_else(unknown)?.end();
        Ok(())
    }

    /// Lets players forget whose matches nobody asks for.
    pub fn sweep(&self) {
        self.sessions.idle(NAP).iter().for_each(|session| session.rest());
    }
}

fn read(text: &str) -> Result<Document, Refusal> {
    notation::read(text).map_err(|diagnostics| Refusal::rules(text, &diagnostics))
}

/// A name that nobody can guess: 64 random bits.
pub fn random_name() -> Result<String, Refusal> {
    let random = getrandom::u64().map_err(|_| Refusal::internal())?;
    Ok(format!("{random:016x}"))
}
