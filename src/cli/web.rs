//! `gdlr web`: a page to play and study on, and its JSON service.

use super::engine::GroundArguments;
use super::rulesheet::{GameArguments, ReadingArguments, Rulesheet};
use super::status::{Failure, Outcome, Status};
use super::verify;
use super::{interrupt, output};
use clap::Args;
use gdlr::bundled;
use gdlr::web::{self, Options, Server};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Play and study on a page in the browser
#[derive(Debug, Args)]
#[command(after_help = "\
Serves a page at http://127.0.0.1:9148/ until Ctrl-C: choose a game, play by
clicks against players, watch, step back, ask why; read and mend the rules. The
JSON service under /api is for programs: see docs/api.md. No request leaves the
machine, and nobody else reaches it without --bind. Standard error says where
the page is; with --port 0, standard output has the port.

Examples:
  gdlr web --open                        choose a game on the page
  gdlr web connect4 --open
  gdlr web mygame.kif match.json         step through a recorded match
  gdlr web --obfuscate 7                 games under names that say nothing")]
pub struct Arguments {
    /// Path to a rulesheet, or a bundled game
    #[arg(value_name = "GAME|RECORD")]
    game: Option<String>,
    /// A recorded match of it
    #[arg(value_name = "RECORD")]
    record: Option<String>,
    /// The port to listen at, 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 9148)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// The address to listen at; elsewhere than on loopback, each request has to
    /// bring a token
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Give all games other names, made up with this seed
    #[arg(long, value_name = "SEED")]
    obfuscate: Option<u64>,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    set_up: GroundArguments,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let began = arguments.began()?;
    let address = SocketAddr::new(arguments.bind, arguments.port);
    let cannot = |error| Failure::Unusable(format!("cannot listen at {address}: {error}"));
    let token = match arguments.bind.is_loopback() {
        true => None,
        false => Some(web::new_token().map_err(|error| {
            Failure::Unusable(format!("there is no randomness to make a token of: {error}"))
        })?),
    };
    let options = Options {
        budget: arguments.set_up.budget(),
        reading: arguments.reading.reading(),
        obfuscate: arguments.obfuscate,
        token: token.clone(),
        ..Options::default()
    };
    let server = Server::bind(address, options).map_err(cannot)?;
    if let Some(Began { name, text, record }) = &began {
        let begun = interrupt::at_once(|| server.begin_with(name, text, record.as_deref()));
        begun.map_err(Failure::Unusable)?;
    }
    let address = server.address().map_err(cannot)?;
    let page = match &token {
        None => format!("http://{address}/"),
        Some(token) => format!("http://{address}/?token={token}"),
    };
    output::note(&format!("the page is at {page}"));
    if arguments.port == 0 {
        output::print(&format!("{}\n", address.port()))?;
    }
    if arguments.open
        && let Err(error) = open::that_detached(&page)
    {
        output::warn(&format!("cannot open a browser: {error}"));
    }
    server.run(&interrupt::STOP);
    Ok(Status::Interrupted)
}

/// What the page begins with.
struct Began {
    name: String,
    text: String,
    record: Option<String>,
}

impl Arguments {
    /// What the page begins with, if something was named.
    fn began(&self) -> Result<Option<Began>, Failure> {
        let is_record = |path: &String| path.ends_with(".json");
        let (game, record) = match (&self.game, &self.record) {
            (None, _) => return Ok(None),
            (Some(record), None) if is_record(record) => (None, Some(record)),
            (Some(game), record) => (Some(game), record.as_ref()),
        };
        let record = record.map(|path| verify::read_record(path).map(|text| (path, text)));
        let record = record.transpose()?;
        let Some(game) = game else {
            let (path, text) = record.expect("a game or a record");
            let trace = verify::trace_of(path, &text)?;
            let Some(known) = bundled::GAMES.iter().find(|game| trace.is_of(game.text.as_bytes()))
            else {
                return Err(Failure::Unusable(format!(
                    "`{path}` is a record of {}, which is no bundled game as it is: say which \
                     rulesheet it is of, `gdlr web GAME {path}`",
                    trace.game
                )));
            };
            let (name, known) = (known.name.to_owned(), known.text.to_owned());
            return Ok(Some(Began { name, text: known, record: Some(text) }));
        };
        let game = GameArguments { game: game.clone(), reading: self.reading };
        let rulesheet = Rulesheet::playable(&game)?;
        let text = rulesheet.source.text().into_owned();
        let name = rulesheet.source.name.clone();
        Ok(Some(Began { name, text, record: record.map(|(_, text)| text) }))
    }
}
