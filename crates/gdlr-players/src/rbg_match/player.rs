//! Our player, at a manager elsewhere.

use super::table::Table;
use super::wire::{Lost, SHORT, Wire};
use crate::ggp::seat::Seat;
use crate::player::{Clock, Player};
use crate::set_up::Handover;
use gdlr_engine::engine::{AnyEngine, Engine, RoleId};
use gdlr_engine::play::sampler::Observation;
use gdlr_rg::rbg;
use gdlr_rules::gdl::Term;
use gdlr_text::kif;
use std::fmt;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How a player behaves.
#[derive(Clone, Debug)]
pub struct Manners {
    /// How much earlier than the manager's the clock of a move is over; half of a shorter clock.
    pub margin: Duration,
    /// How long is thought about a move at most, however much time there is.
    pub longest: Duration,
    /// Becomes true when nobody plays any more.
    pub stop: Arc<AtomicBool>,
}

/// An event of a match, for an observer.
#[derive(Debug)]
pub enum Event<'e> {
    /// The game has come, and the name of the player.
    Joined(&'e str),
    /// A player has moved, by its name: the move for people.
    Moved(&'e str, String),
    /// A play is over, with the scores of all players.
    Over(&'e [u32]),
}

/// Why a match is over before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMatch(String);

impl fmt::Display for NoMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoMatch {}

fn no_match(why: impl fmt::Display) -> NoMatch {
    NoMatch(why.to_string())
}

fn odd(why: impl fmt::Display) -> Lost {
    Lost::Odd(why.to_string())
}

/// Plays at the manager behind a connection until it hangs up between two plays; how many plays
/// that were. `engines` makes what is played on of the text of a game, `player` somebody for each
/// play.
///
/// # Errors
///
/// When the manager sends what is no game, or no move; when it hangs up during a play; when there
/// is no engine, or `stop` has become true.
pub fn play_at(
    stream: TcpStream,
    engines: &mut dyn FnMut(&str) -> Result<Handover, String>,
    player: &mut dyn FnMut() -> Box<dyn Player>,
    manners: &Manners,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<u64, NoMatch> {
    let mut wire = Wire::new(stream).map_err(no_match)?;
    let stop = &*manners.stop;
    let receive = |wire: &mut Wire, most| wire.receive(most, None, stop).map_err(no_match);
    // How long there is to get ready: an engine takes as long as it takes.
    receive(&mut wire, SHORT)?;
    let text = receive(&mut wire, rbg::MAX_BYTES)?;
    let number = receive(&mut wire, SHORT)?;
    let game = rbg::read(&text).map_err(|errors| match errors.first() {
        Some(error) => NoMatch(format!("the manager sent no game: {error}")),
        None => NoMatch("the manager sent no game".to_owned()),
    })?;
    let names: Vec<String> = game.players().iter().map(|it| it.name.to_string()).collect();
    let own = number.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let own = own.filter(|own| *own < names.len());
    let own = own.ok_or_else(|| NoMatch(format!("there is no player number {number}")))?;
    let table = Table::new(&game).map_err(NoMatch)?;
    tell(&Event::Joined(&names[own]));
    let engines = Arc::new(engines(&text).map_err(NoMatch)?);
    wire.send("ready").map_err(no_match)?;
    let has_begun = false;
    let mut guest = Guest { wire, table, own, names, engines, manners, tell, has_begun };
    let mut plays = 0;
    loop {
        match guest.play(player()) {
            // The manager has said `reset`, and no more.
            Err(Lost::Closed) if plays > 0 && !guest.has_begun => return Ok(plays),
            outcome => outcome.map_err(no_match)?,
        }
        plays += 1;
        match guest.wire.receive(SHORT, None, stop) {
            Ok(_) => guest.table.begin().map_err(no_match)?,
            Err(Lost::Closed) => return Ok(plays),
            Err(lost) => return Err(no_match(lost)),
        }
    }
}

/// A player at a manager.
struct Guest<'m, 't> {
    wire: Wire,
    table: Table,
    /// The place of the player among all.
    own: usize,
    names: Vec<String>,
    engines: Arc<Handover>,
    manners: &'m Manners,
    tell: &'t mut dyn FnMut(&Event<'_>),
    /// Whether a message of this play has come.
    has_begun: bool,
}

impl Guest<'_, '_> {
    /// The next message of the play.
    fn receive(&mut self) -> Result<String, Lost> {
        let text = self.wire.receive(SHORT, None, &self.manners.stop)?;
        self.has_begun = true;
        Ok(text)
    }

    /// One play.
    fn play(&mut self, player: Box<dyn Player>) -> Result<(), Lost> {
        self.has_begun = false;
        let engine = self.engines.best().0;
        let noop = noop(&engine);
        let role = RoleId(self.own as u16);
        let clock = Clock::stopped_by(Duration::ZERO, self.manners.stop.clone());
        let longest = self.manners.longest;
        let mut seat = Seat::take(self.engines.clone(), role, longest, &clock, player);
        let mut last: Option<Observation> = None;
        while let Some(turn) = self.table.turn() {
            let chosen = if turn == self.own {
                self.own_move(&mut seat, last.as_ref())?
            } else {
                // Its only move is to wait.
                seat.play(last.as_ref(), &clock).map_err(odd)?;
                let text = self.receive()?;
                let word = self.table.find_word(&text);
                word.ok_or_else(|| odd(format!("the manager sent no legal move: {text}")))?
            };
            (self.tell)(&Event::Moved(&self.names[turn], self.table.spelled(chosen)));
            let term = match self.table.term(chosen) {
                Some(text) => term(&text, &engine),
                None => noop.clone(),
            };
            let roles = 0..engine.roles().count();
            let joint = roles.map(|role| if role == turn { term.clone() } else { noop.clone() });
            last = joint.collect::<Option<Vec<Term>>>().map(Observation::Joint);
            self.table.play(chosen).map_err(odd)?;
        }
        (self.tell)(&Event::Over(self.table.scores()));
        seat.stop(last.as_ref());
        Ok(())
    }

    /// Takes the time that the manager gives, and sends a move.
    fn own_move(&mut self, seat: &mut Seat, last: Option<&Observation>) -> Result<usize, Lost> {
        let text = self.receive()?;
        let Manners { margin, longest, stop } = self.manners;
        let start = Instant::now();
        let seconds = text.trim().parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
        let seconds = seconds.ok_or_else(|| odd(format!("`{text}` is no time for a move")))?;
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let time = (time - (*margin).min(time / 2)).min(*longest);
        let clock = Clock::stopped_by(time.saturating_sub(start.elapsed()), stop.clone());
        let term = seat.play(last, &clock).map_err(odd)?;
        let spelled = term.spelled(seat.engine().symbols());
        let unknown = || odd(format!("the move {spelled} is none of the rules"));
        let chosen = self.table.find_term(&spelled).ok_or_else(unknown)?;
        self.wire.send(&self.table.word(chosen))?;
        Ok(chosen)
    }
}

/// The move of a role that does not have the turn. In the initial state these are all roles but
/// one.
fn noop(engine: &AnyEngine) -> Option<Term> {
    let mut scratch = engine.scratch();
    let mut alone = Vec::new();
    for role in engine.roles().iter() {
        let mut legal = Vec::new();
        engine.legal(&mut scratch, role, &mut legal).ok()?;
        alone.extend((legal.len() == 1).then(|| engine.move_term(legal[0]).1));
    }
    let is_plain = |term: &Term| matches!(term, Term::Constant(_));
    let named = |term: &&Term| term.spelled(engine.symbols()).starts_with("noop");
    let noop = alone.iter().filter(|term| is_plain(term)).find(named);
    noop.or(alone.first()).cloned()
}

/// The term that a text spells.
fn term(text: &str, engine: &AnyEngine) -> Option<Term> {
    let document = kif::read(text).ok()?;
    Term::from_expr(document.items.first()?, engine.symbols())
}
