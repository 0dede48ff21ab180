//! A player elsewhere, at our manager.

use super::table::Table;
use super::wire::{Lost, SHORT, Wire};
use crate::ggp::contender::{NoAnswer, Remote};
use crate::ggp::message::{Last, Message};
use crate::ggp::record::FaultKind;
use gdlr_rg::rbg::{self, Game};
use std::fmt;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How a place for a player is written, in front of its address.
const SCHEME: &str = "rbg://";

/// The message of a player who is ready.
const READY: &str = "ready";

/// How often who waits for a player looks whether it is there.
const LOOK: Duration = Duration::from_millis(20);

/// A text that is no place where a player can come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAPlace(String);

impl fmt::Display for NotAPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAPlace {}

/// A place where a player comes who speaks the protocol of Regular Boardgames. A match is told to
/// it in the words of that protocol, and its answers in those of General Game Playing.
pub struct BoardgamePlayer {
    address: SocketAddr,
    listener: TcpListener,
    /// The game that is played, with the names of the roles.
    game: OnceLock<(Game, Vec<String>)>,
    seated: Mutex<Option<Seated>>,
}

/// A player who has come.
struct Seated {
    wire: Wire,
    table: Table,
    own: usize,
    time: Duration,
    /// The move that the player sent last. The player has already made it, and cannot be given
    /// another one.
    sent: Option<String>,
    /// Whether a play is under way.
    plays: bool,
}

impl fmt::Debug for BoardgamePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BoardgamePlayer").field(&self.address).finish()
    }
}

impl BoardgamePlayer {
    /// Opens a place such as `rbg://127.0.0.1:8000`; with port 0 any that is free.
    ///
    /// # Errors
    ///
    /// When that is no such place, or it is taken.
    pub fn new(text: &str) -> Result<BoardgamePlayer, NotAPlace> {
        let address = text.strip_prefix(SCHEME).and_then(|rest| rest.parse::<SocketAddr>().ok());
        let address = address.ok_or_else(|| {
            NotAPlace(format!("`{text}` is no place: write {SCHEME}ADDRESS:PORT"))
        })?;
        let opened = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        });
        let (address, listener) =
            opened.map_err(|error| NotAPlace(format!("cannot listen at {address}: {error}")))?;
        let (game, seated) = (OnceLock::new(), Mutex::new(None));
        Ok(BoardgamePlayer { address, listener, game, seated })
    }

    /// Whether a text should be such a place.
    pub fn is_place(text: &str) -> bool {
        text.starts_with(SCHEME)
    }

    /// Where the player is expected.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Says what is going to be played, with the names of its roles, once.
    pub fn tell_game(&self, game: Game, roles: Vec<String>) {
        // The first one counts.
        let _ = self.game.set((game, roles));
    }

    fn start(&self, role: &str, time: (Duration, Duration), until: Instant) -> Answered {
        let failed = |why: &str| NoAnswer::new(FaultKind::Failed, why);
        let (game, roles) = self.game.get().ok_or_else(|| failed("nobody said what is played"))?;
        let own = roles.iter().position(|name| name == role);
        let own = own.ok_or_else(|| failed("there is no such role"))?;
        let mut seated = self.seated.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &mut *seated
            && known.own == own
        {
            known.table.begin().map_err(|trouble| NoAnswer::new(FaultKind::Failed, trouble))?;
            (known.sent, known.plays) = (None, true);
            return Ok("READY".to_owned());
        }
        let text = rbg::print(game).ok_or_else(|| failed("the game is too large to be sent"))?;
        let table = Table::new(game).map_err(|why| NoAnswer::new(FaultKind::Failed, why))?;
        // One who plays another role cannot change it.
        *seated = None;
        let mut wire = self.accept(until)?;
        let (start_clock, play_clock) = time;
        for message in [&seconds(start_clock), &text, &(own + 1).to_string()] {
            wire.send(message).map_err(no_answer)?;
        }
        let said = wire.receive(SHORT, Some(until), &AtomicBool::new(false));
        let time = play_clock;
        *seated = Some(Seated { wire, table, own, time, sent: None, plays: true });
        match said {
            Ok(said) if said == READY => Ok("READY".to_owned()),
            Ok(said) => {
                let detail = format!("the answer is not `{READY}`");
                let (kind, sent) = (FaultKind::Unexpected, said.into_bytes());
                Err(NoAnswer { kind, detail, sent })
            }
            // It is told the play all the same.
            Err(lost) => Err(no_answer(lost)),
        }
    }

    /// Waits for the player.
    fn accept(&self, until: Instant) -> Result<Wire, NoAnswer> {
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => return Wire::new(stream).map_err(|it| no_answer(it.into())),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(no_answer(error.into())),
            }
            if Instant::now() >= until {
                let detail = format!("no player came to {}", self.address);
                return Err(NoAnswer::new(FaultKind::Late, detail));
            }
            thread::sleep(LOOK);
        }
    }

    fn with_seated(&self, act: impl FnOnce(&mut Seated) -> Answered) -> Answered {
        let mut seated = self.seated.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = || NoAnswer::new(FaultKind::Closed, "the player is not there any more");
        let answered = act(seated.as_mut().ok_or_else(gone)?);
        // Who is lost is not found again: its play is not that of the manager.
        let is_lost = |why: &NoAnswer| matches!(why.kind, FaultKind::Closed | FaultKind::Failed);
        if answered.as_ref().is_err_and(is_lost) {
            *seated = None;
        }
        answered
    }
}

/// An answer in the words of General Game Playing.
type Answered = Result<String, NoAnswer>;

impl Seated {
    /// Follows the last step, and tells the player of it if it is not its own.
    fn follow(&mut self, last: &Last) -> Result<(), NoAnswer> {
        let Last::Joint(joint) = last else { return Ok(()) };
        let failed = |why: &str| NoAnswer::new(FaultKind::Failed, why);
        let turn = self.table.turn().ok_or_else(|| failed("the play is over"))?;
        let term = joint.get(turn).ok_or_else(|| failed("a role has no move"))?.to_string();
        let chosen = self.table.find_term(&term).ok_or_else(|| failed("there is no such move"))?;
        let word = self.table.word(chosen);
        match self.sent.take() {
            _ if turn != self.own => self.wire.send(&word).map_err(no_answer)?,
            Some(sent) if self.table.find_word(&sent) == Some(chosen) => {}
            _ => {
                let detail = "another move was played for the player, who cannot be told";
                return Err(failed(detail));
            }
        }
        self.table.play(chosen).map_err(|trouble| NoAnswer::new(FaultKind::Failed, trouble))
    }

    fn play(&mut self, last: &Last, until: Instant) -> Answered {
        self.follow(last)?;
        if self.table.turn() != Some(self.own) {
            return Ok("noop".to_owned());
        }
        self.wire.send(&seconds(self.time)).map_err(no_answer)?;
        let stop = AtomicBool::new(false);
        let mut text = self.wire.receive(SHORT, Some(until), &stop).map_err(no_answer)?;
        if text == READY {
            // It was late with that.
            text = self.wire.receive(SHORT, Some(until), &stop).map_err(no_answer)?;
        }
        self.sent = Some(text.clone());
        match self.table.find_word(&text) {
            Some(chosen) => Ok(self.table.term(chosen).unwrap_or_else(|| "noop".to_owned())),
            None => {
                let (kind, detail) = (FaultKind::Illegal, "no legal move".to_owned());
                Err(NoAnswer { kind, detail, sent: text.into_bytes() })
            }
        }
    }

    fn stop(&mut self, last: &Last) -> Answered {
        if std::mem::take(&mut self.plays) {
            self.follow(last)?;
            self.wire.send("reset").map_err(no_answer)?;
        }
        Ok("DONE".to_owned())
    }
}

/// A time as messages have it.
fn seconds(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}

fn no_answer(lost: Lost) -> NoAnswer {
    let kind = match &lost {
        Lost::Closed => FaultKind::Closed,
        Lost::Late | Lost::Stopped => FaultKind::Late,
        Lost::TooLarge(_) => FaultKind::TooLarge,
        Lost::NoText => FaultKind::Unreadable,
        Lost::Odd(_) => FaultKind::Failed,
        Lost::Failed(_) => FaultKind::Transport,
    };
    NoAnswer::new(kind, lost)
}

impl Remote for BoardgamePlayer {
    fn exchange(&self, message: &str, time: Duration) -> Result<Vec<u8>, NoAnswer> {
        let until = Instant::now() + time;
        let message =
            Message::parse(message).map_err(|error| NoAnswer::new(FaultKind::Failed, error))?;
        let answered = match &message {
            Message::Start { role, play_clock, .. } => {
                let play_clock = Duration::from_secs((*play_clock).into());
                self.start(role, (time, play_clock), until)
            }
            Message::Play { last, .. } => self.with_seated(|seated| seated.play(last, until)),
            Message::Stop { last, .. } => self.with_seated(|seated| seated.stop(last)),
            Message::Abort { .. } => {
                *self.seated.lock().unwrap_or_else(PoisonError::into_inner) = None;
                Ok("ABORTED".to_owned())
            }
            Message::Info | Message::Preview { .. } => Ok("DONE".to_owned()),
        };
        answered.map(String::into_bytes)
    }
}
