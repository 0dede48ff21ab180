//! `gdlr serve`: a player whom managers reach over HTTP, or one who goes to a manager of Regular
//! Boardgames.

mod guest;

use crate::cli::engine::GroundArguments;
use crate::cli::player_name;
use crate::cli::rulesheet::ReadingArguments;
use crate::cli::status::Outcome;
use crate::cli::thoughts::{Log, LogArguments};
use crate::cli::{interrupt, listening, output};
use clap::{Args, ValueEnum};
use gdlr::engine::EngineKind;
use gdlr::ggp::http::{Limits, Server};
use gdlr::ggp::message;
use gdlr::ggp::service::{Event, Options, Service};
use gdlr::play::DEFAULT_MAX_STEPS;
use gdlr::play::player::Player;
use gdlr::search::PlayerKind;
use gdlr::set_up::SetUp;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Play matches for a manager: of general game playing, of Stanford's course, or
/// of Regular Boardgames
#[derive(Debug, Args)]
#[command(after_help = "\
Answers INFO, PREVIEW, START, PLAY, STOP and ABORT until Ctrl-C or SIGTERM,
several matches at once. A match begins on the trees, and goes over to a net
when the net is ready. Standard error has the address of the player and the
events of each match, with --log also the thoughts of each turn. With --port 0,
standard output has the port.

With --protocol gamemaster the player answers the manager of Stanford's course,
which calls ping(), start(...), play(MOVE), stop(MOVE) and abort(). The manager
and its players are pages of one site. Store the page /player.html of this
server on that site: it carries the messages to this server.

With --protocol rbg the player connects to a manager of Regular Boardgames, and
plays until the manager closes the connection.

Examples:
  gdlr serve                                     at http://127.0.0.1:9147
  gdlr serve --port 9148 --name dice --player random
  gdlr serve --bind 0.0.0.0 --margin 1500        for managers far away
  gdlr serve --protocol gamemaster --player alphabeta
  gdlr serve --protocol rbg --manager localhost:8000")]
pub struct Arguments {
    /// The protocol that managers speak
    #[arg(long, visible_alias = "dialect", value_name = "NAME", default_value = "ggp")]
    protocol: Protocol,
    /// Where the manager of Regular Boardgames listens
    #[arg(long, value_name = "HOST:PORT", required_if_eq("protocol", "rbg"))]
    manager: Option<String>,
    /// Think about a move of Regular Boardgames for so long at most, however much
    /// time there is
    #[arg(long, value_name = "SECS", value_parser = crate::cli::time::seconds, default_value = "10")]
    longest: Duration,
    /// The port to listen at, 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 9147)]
    port: u16,
    /// The address to listen at; 0.0.0.0 for everybody on the network
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// The name of the player in its answers to managers
    #[arg(long, value_name = "NAME", default_value = "gdlr", value_parser = one_word)]
    name: String,
    /// How it moves: random, mc (Monte Carlo), uct (tree search), alphabeta,
    /// net:FILE or alphabeta:FILE (by a value net, in the game of the net)
    #[arg(long, value_name = "NAME", default_value = "uct", value_parser = player_name::parser(),
          hide_possible_values = true)]
    player: PlayerKind,
    /// Stop to think so many milliseconds before the clock ends, and answer by
    /// half of that; of a short clock at most a third, more by the round trip
    /// to the manager, on a machine that is too busy, or where answers came
    /// too late
    #[arg(long, value_name = "MS", default_value_t = 500)]
    margin: u64,
    /// The most matches at once
    #[arg(long, value_name = "N", default_value_t = 64,
          value_parser = clap::value_parser!(u16).range(1..))]
    matches: u16,
    /// Memory of a match for what its search remembers, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    /// Threads of the search of each match
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Let the search go on while others think
    #[arg(long)]
    ponder: bool,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    log: LogArguments,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    set_up: GroundArguments,
}

/// The protocol of a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Protocol {
    // General Game Playing.
    Ggp,
    // Stanford's course.
    Gamemaster,
    // Regular Boardgames.
    Rbg,
}

/// A name that is one symbol of KIF.
fn one_word(name: &str) -> Result<String, String> {
    let ends = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '(' | ')' | ';');
    match name.is_empty() || name.contains(ends) {
        true => Err("a name is one word without brackets".to_owned()),
        false => Ok(name.to_owned()),
    }
}

pub fn run(arguments: &Arguments) -> Outcome {
    if let (Protocol::Rbg, Some(manager)) = (arguments.protocol, &arguments.manager) {
        return guest::run(arguments, manager);
    }
    let address = SocketAddr::new(arguments.bind, arguments.port);
    let cannot = |error| listening::refused(address, &error);
    let service = Service::new(options(arguments, arguments.log.open()?));
    let server = Server::bind(address, service, Limits::default()).map_err(cannot)?;
    let address = server.address().map_err(cannot)?;
    let opened = listening::opened_at(address);
    let besides = if opened == address { "" } else { ", and at all addresses of this machine" };
    output::note(&format!("{} listens at http://{opened}{besides}", arguments.name));
    if arguments.protocol == Protocol::Gamemaster {
        output::note(&format!(
            "its page for the site of the manager is http://{opened}/player.html"
        ));
    }
    if arguments.port == 0 {
        output::print(&format!("{}\n", address.port()))?;
    }
    server.run(&interrupt::STOP);
    Ok(interrupt::end_of_service())
}

/// A player of one match after the other; matches that begin alike do not go on alike.
fn players(arguments: &Arguments) -> impl Fn() -> Box<dyn Player> + Send + Sync + use<> {
    let (player, memory) = (arguments.player.clone(), (arguments.memory as usize) << 20);
    let (threads, ponder) = (usize::from(arguments.threads), arguments.ponder);
    let seed = AtomicU64::new(arguments.seed);
    move || {
        let seed = seed.fetch_add(1, Ordering::Relaxed);
        let Some(search) = player.search(seed, memory) else {
            return player.of_match(seed, DEFAULT_MAX_STEPS, memory);
        };
        let search = search.with_threads(threads);
        Box::new(if ponder { search.pondering() } else { search })
    }
}

fn options(arguments: &Arguments, log: Log) -> Options {
    let make = players(arguments);
    Options {
        margin: Duration::from_millis(arguments.margin),
        max_matches: arguments.matches.into(),
        protocol: match arguments.protocol {
            Protocol::Gamemaster => message::Protocol::Gamemaster,
            Protocol::Ggp | Protocol::Rbg => message::Protocol::Ggp,
        },
        reading: arguments.reading.reading(),
        set_up: SetUp {
            kind: EngineKind::Auto,
            budget: arguments.set_up.budget(),
            ..SetUp::default()
        },
        log: Arc::new(move |event| match event {
            Event::Moved { id, thought } => {
                log.tell(id, thought, |line| output::note(&format!("{id}: {line}")));
            }
            event => output::note(&event.to_string()),
        }),
        ..Options::new(&arguments.name, make)
    }
}
