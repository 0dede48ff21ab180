//! `gdlr web`: a page to play and study on, and its JSON service.

use super::engine::GroundArguments;
use super::rulesheet::{GameArguments, ReadingArguments, Rulesheet};
use super::status::{Failure, Outcome};
use super::verify;
use super::{interrupt, listening, output, player_name};
use clap::Args;
use gdlr::bundled;
use gdlr::search::PlayerKind;
use gdlr::web::{Options, PublicUrl, Server, Token};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Play and study on a page in the browser
#[derive(Debug, Args)]
#[command(after_help = "\
Serves a page at http://127.0.0.1:9148/ until Ctrl-C or SIGTERM. On the page you
choose a game, play by clicks against players, watch, step back, ask for
reasons, and read and change the rules. The JSON service under /api is for
programs: see docs/api.md. The page sends no request to other machines, and
other machines cannot reach it without --bind or a proxy. Standard error has the
address of the page. With --port 0, standard output has the port.

Examples:
  gdlr web --open                        choose a game on the page
  gdlr web connect4 --open
  gdlr web mygame.kif match.json         step through a recorded match
  gdlr web --public-url https://HOST/    behind a proxy: see docs/web.md
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
    /// The address to listen at, 0.0.0.0 for everybody on the network; elsewhere
    /// than on loopback, each request has to bring a token
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Where a proxy shows the page, with the path if it has one; elsewhere than
    /// on loopback, each request has to bring a token
    #[arg(long, value_name = "URL")]
    public_url: Option<PublicUrl>,
    /// The token to bring, env:NAME for that of a variable of the environment,
    /// which other users of the machine do not see [default: a random one where
    /// others can reach the page]
    #[arg(long, value_name = "TEXT|env:NAME")]
    token: Option<String>,
    /// Give all games other names, made up with this seed
    #[arg(long, value_name = "SEED")]
    obfuscate: Option<u64>,
    /// Offer this player, net:FILE or alphabeta:FILE, in the game of its value net
    #[arg(long, value_name = "NAME", value_parser = player_name::parser(),
          hide_possible_values = true)]
    player: Vec<PlayerKind>,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    set_up: GroundArguments,
}

pub fn run(arguments: &Arguments) -> Outcome {
    if let Some(built_in) = arguments.player.iter().find(|kind| PlayerKind::ALL.contains(kind)) {
        let name = built_in.name();
        let why =
            format!("--player {name}: the page has `{name}` in every game; name a file, net:FILE");
        return Err(Failure::Unusable(why));
    }
    let token = arguments.token()?;
    let began = arguments.began()?;
    let address = SocketAddr::new(arguments.bind, arguments.port);
    let cannot = |error| listening::refused(address, &error);
    let options = Options {
        games: bundled::GAMES,
        budget: arguments.set_up.budget(),
        reading: arguments.reading.reading(),
        obfuscate: arguments.obfuscate,
        nets: arguments.player.clone(),
        token: token.clone(),
        public: arguments.public_url.clone(),
        ..Options::default()
    };
    let server = Server::bind(address, options).map_err(cannot)?;
    if let Some(Began { name, text, record }) = &began {
        let begun = interrupt::at_once(|| server.begin_with(name, text, record.as_deref()));
        begun.map_err(Failure::Unusable)?;
    }
    let address = server.address().map_err(cannot)?;
    output::note(&arguments.place(address, token.as_ref()));
    if arguments.port == 0 {
        output::print(&format!("{}\n", address.port()))?;
    }
    let secret = token.as_ref().map(Token::secret);
    if arguments.open
        && let Err(error) = open::that_detached(arguments.page(address, secret))
    {
        output::warn(&format!("cannot open a browser: {error}"));
    }
    server.run(&interrupt::STOP);
    Ok(interrupt::end_of_service())
}

impl Arguments {
    /// The token that each request has to bring, if others can reach the page or it is wanted.
    fn token(&self) -> Result<Option<Token>, Failure> {
        let public = self.public_url.as_ref();
        let is_alone = self.bind.is_loopback() && public.is_none_or(PublicUrl::is_loopback);
        let Some(given) = &self.token else {
            let random = (!is_alone).then(Token::random).transpose();
            return random.map_err(|error| {
                let why = format!("there is no randomness to make a token of: {error}");
                Failure::Unusable(why)
            });
        };
        let text = match given.strip_prefix("env:") {
            None => given.clone(),
            Some(name) => std::env::var(name).map_err(|_| {
                let why = format!("--token env:{name}: the environment has no variable `{name}`");
                Failure::Unusable(why)
            })?,
        };
        // The token itself is never said.
        let token: Token =
            text.parse().map_err(|error| Failure::Unusable(format!("--token: {error}")))?;
        if token.is_short() {
            output::warn("the token is short: `openssl rand -hex 16` makes one nobody guesses");
        }
        Ok(Some(token))
    }

    /// The address of the page, with this token.
    fn page(&self, address: SocketAddr, token: Option<&str>) -> String {
        let page = match &self.public_url {
            Some(public) => public.to_string(),
            None => format!("http://{}/", listening::opened_at(address)),
        };
        match token {
            None => page,
            Some(token) => format!("{page}?token={token}"),
        }
    }

    /// Where the page is. A token that the user has is not shown.
    fn place(&self, address: SocketAddr, token: Option<&Token>) -> String {
        let shown = token.map(|token| match self.token {
            None => token.secret(),
            Some(_) => "TOKEN",
        });
        let mut place = format!("the page is at {}", self.page(address, shown));
        if self.public_url.is_some() {
            place += &format!("\nthe proxy finds it at http://{}/", listening::opened_at(address));
        }
        if self.token.is_some() {
            place += "\nTOKEN is that of --token";
        }
        place
    }
}

/// The first view of the page.
struct Began {
    name: String,
    text: String,
    record: Option<String>,
}

impl Arguments {
    /// The first view of the page, if something was named.
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
