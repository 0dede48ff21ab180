//! A player elsewhere: messages go to it as HTTP requests (SPEC, section 8 and appendix B).
//!
//! Whatever a peer does costs no more than the clock and [`LARGEST`] bytes: one that never
//! answers, one that hangs up, one that sends half an answer or one without an end.

use super::contender::{NoAnswer, Remote};
use super::record::FaultKind;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::time::Duration;
use ureq::http::Uri;
use ureq::{Agent, Error};

/// The most bytes of an answer. No move needs so many.
pub const LARGEST: usize = 64 << 10;

/// A player behind an address.
#[derive(Clone, Debug)]
pub struct HttpPlayer {
    agent: Agent,
    url: String,
}

/// Why an address is none of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnAddress(String);

impl fmt::Display for NotAnAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no address of a player: write http://HOST:PORT", self.0)
    }
}

impl std::error::Error for NotAnAddress {}

impl HttpPlayer {
    /// The player at an address such as `http://127.0.0.1:9147`. Nobody is asked yet whether
    /// there is one.
    ///
    /// # Errors
    ///
    /// When that is no address, or not one of HTTP.
    pub fn new(url: &str) -> Result<HttpPlayer, NotAnAddress> {
        let uri: Option<Uri> = url.parse().ok();
        let address = uri.filter(|uri| uri.scheme_str() == Some("http") && uri.host().is_some());
        address.ok_or_else(|| NotAnAddress(url.to_owned()))?;
        let config = Agent::config_builder()
            .proxy(None)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // Players of every age are out there; few keep a connection open.
            .max_idle_connections(0)
            .accept("text/delim")
            .build();
        Ok(HttpPlayer { agent: config.into(), url: url.to_owned() })
    }
}

impl Remote for HttpPlayer {
    fn exchange(&self, message: &str, time: Duration) -> Result<Vec<u8>, NoAnswer> {
        let request = self.agent.post(&self.url).config().timeout_global(Some(time)).build();
        let request = request
            .content_type("text/acl")
            .header("Sender", "GAMEMASTER")
            .header("Receiver", "GAMEPLAYER")
            .header("Connection", "close");
        let mut response = request.send(message).map_err(|error| no_answer(&error, Vec::new()))?;
        let mut sent = Vec::new();
        let mut body = response.body_mut().as_reader().take(LARGEST as u64 + 1);
        if let Err(error) = body.read_to_end(&mut sent) {
            return Err(no_answer(&Error::from(error), sent));
        }
        let status = response.status();
        let wrong = match sent.len() > LARGEST {
            true => Some((FaultKind::TooLarge, format!("more than {LARGEST} bytes"))),
            false if !status.is_success() => Some((FaultKind::Transport, format!("HTTP {status}"))),
            false => None,
        };
        match wrong {
            Some((kind, detail)) => Err(NoAnswer { kind, detail, sent }),
            None => Ok(sent),
        }
    }
}

/// The fault that an error of the client is in a match.
fn no_answer(error: &Error, sent: Vec<u8>) -> NoAnswer {
    let kind = match error {
        Error::Timeout(_) => FaultKind::Late,
        Error::HostNotFound | Error::ConnectionFailed => FaultKind::Unreachable,
        Error::Io(error) => of_io(error),
        _ => FaultKind::Transport,
    };
    NoAnswer { kind, detail: error.to_string(), sent }
}

fn of_io(error: &io::Error) -> FaultKind {
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => FaultKind::Late,
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::UnexpectedEof => FaultKind::Closed,
        ErrorKind::ConnectionRefused
        | ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::AddrNotAvailable => FaultKind::Unreachable,
        _ => FaultKind::Transport,
    }
}
