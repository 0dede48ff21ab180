//! Who is to play: players of this program, by name, and others by their address.

use crate::cli::engine::{self, SetUpArguments, TimedEngine};
use crate::cli::output;
use crate::cli::playable::Playable;
use crate::cli::player_name;
use crate::cli::status::Failure;
use gdlr::engine::{AnyEngine, EngineKind};
use gdlr::ggp::client::HttpPlayer;
use gdlr::ggp::contender::Contender;
use gdlr::rbg;
use gdlr::rbg_match::BoardgamePlayer;
use gdlr::search::PlayerKind;
use gdlr::set_up::Handover;
use std::path::Path;
use std::sync::Arc;

/// How a player is to be made.
#[derive(Clone, Debug)]
pub enum Plan {
    Random,
    Here(PlayerKind),
    /// One of this name with a value net, whose file is not read yet.
    Net(String),
    Elsewhere(Arc<HttpPlayer>),
    /// One that comes here, and speaks the protocol of Regular Boardgames.
    Boardgame(Arc<BoardgamePlayer>),
}

impl Plan {
    /// The player that a user has named.
    pub fn read(text: &str) -> Result<Plan, String> {
        Ok(match text {
            "random" => Plan::Random,
            text if let Ok(kind) = text.parse::<PlayerKind>() => Plan::Here(kind),
            text if PlayerKind::file_in(text).is_some() => Plan::Net(text.to_owned()),
            place if BoardgamePlayer::is_place(place) => match BoardgamePlayer::new(place) {
                Ok(player) => {
                    output::note(&format!("a player is expected at {}", player.address()));
                    Plan::Boardgame(Arc::new(player))
                }
                Err(error) => return Err(error.to_string()),
            },
            url => match HttpPlayer::new(url) {
                Ok(player) => Plan::Elsewhere(Arc::new(player)),
                Err(error) => return Err(format!("{error}, or {}", player_name::all())),
            },
        })
    }

    /// The same with its file read, whose path is one from a folder on.
    pub fn opened(self, folder: &Path) -> Result<Plan, String> {
        let Plan::Net(name) = self else { return Ok(self) };
        player_name::open(&name, folder).map(Plan::Here)
    }

    /// Whether it is another program.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, Plan::Elsewhere(_) | Plan::Boardgame(_))
    }

    /// Whether it takes time for a move.
    pub fn thinks(&self) -> bool {
        !matches!(self, Plan::Random)
    }

    /// Whether it makes use of memory.
    pub fn remembers(&self) -> bool {
        match self {
            Plan::Here(kind) => kind.searches(),
            Plan::Net(_) => true,
            Plan::Random | Plan::Elsewhere(_) | Plan::Boardgame(_) => false,
        }
    }

    /// The player of a match. One on this machine plays on `engines`, of [`start_engines`].
    pub fn contender(
        &self,
        name: &str,
        seed: u64,
        max_steps: u64,
        memory: usize,
        engines: Option<&Arc<Handover>>,
    ) -> Contender {
        match self {
            Plan::Random => Contender::Random,
            Plan::Here(player) => {
                let engines = engines.expect("engines of a player on this machine").clone();
                let player = player.of_match(seed, max_steps, memory);
                Contender::Here(name.to_owned(), player, engines)
            }
            Plan::Net(name) => unreachable!("the file of `{name}` is read before a match"),
            Plan::Elsewhere(player) => Contender::Elsewhere(name.to_owned(), player.clone()),
            Plan::Boardgame(player) => Contender::Elsewhere(name.to_owned(), player.clone()),
        }
    }
}

/// Refuses players elsewhere in a game that cannot be sent to them, and tells those who need it
/// what is played.
pub fn can_be_sent<'p>(
    playable: &Playable,
    plans: impl IntoIterator<Item = &'p Plan>,
) -> Result<(), String> {
    for plan in plans {
        match plan {
            Plan::Elsewhere(_) if playable.is_automaton() => {
                return Err(format!(
                    "a player elsewhere is sent the rules in GDL, and `{}` is an automaton: let \
                     one of {} play",
                    playable.source().file,
                    player_name::all()
                ));
            }
            Plan::Boardgame(player) => {
                let source = playable.source();
                let game = rbg::read_bytes(&source.bytes).map_err(|_| {
                    format!("a player at rbg:// plays Regular Boardgames, not `{}`", source.file)
                })?;
                player.tell_game(game, playable.roles().names().to_vec());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Refuses value nets that were learned for another game than that of an engine.
pub fn suit<'p>(
    engine: &AnyEngine,
    plans: impl IntoIterator<Item = &'p Plan>,
) -> Result<(), String> {
    let refusal = |plan: &Plan| match plan {
        Plan::Here(kind) => kind.refuses(engine),
        _ => None,
    };
    plans.into_iter().find_map(refusal).map_or(Ok(()), Err)
}

/// Begins to make the engines of players on this machine, if there are any: once for all. Of an automaton,
/// an engine of a kind that the user has named is that of the manager, too.
pub fn start_engines<'p>(
    playable: &Playable,
    timed: &TimedEngine,
    wanted: EngineKind,
    how: &SetUpArguments,
    plans: impl IntoIterator<Item = &'p Plan>,
) -> Result<Option<Arc<Handover>>, Failure> {
    if !plans.into_iter().any(|plan| matches!(plan, Plan::Here(_))) {
        return Ok(None);
    }
    let engines = match playable {
        Playable::Rules(rules) => {
            let started = how.set_up(EngineKind::Auto).start(rules.game.clone());
            started.map_err(|error| engine::refused(&rules.source, &error, ""))?
        }
        Playable::Automaton(_, game) if wanted == EngineKind::Auto => {
            let (engine, kind) = (timed.engine.clone(), timed.kind);
            how.set_up(wanted).start_automaton(game.clone(), engine, kind)
        }
        Playable::Automaton(..) => Handover::of_engine(timed.engine.clone(), timed.kind),
    };
    Ok(Some(Arc::new(engines)))
}
