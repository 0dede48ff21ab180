//! Differences between engines, and their texts.

use super::events::Event;
use super::walker::{Look, NamedEngine};
use crate::engine::Engine;
use gdlr_rules::gdl::{SymbolTable, Term};
use std::fmt;

/// How many terms of a list are printed. The [`Difference`] has them all.
const SHOWN: usize = 12;

/// The subjects that engines can disagree about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// The facts of the state.
    Facts,
    /// Whether the state is terminal.
    Terminal,
    /// The legal moves of this role.
    Legal(String),
    /// The goal value of this role, or what is wrong with it.
    Goal(String),
    /// The percepts of this role of the last joint move.
    Sees(String),
    /// Whether the state is one that was met before.
    Identity,
    /// Whether the last joint move of the play, of legal moves, can be played.
    Step,
    /// The hash of the state.
    Hash,
    /// Whether the facts of the state, entered as facts, give the same state.
    Restored,
}

/// An engine that does not say the same as the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dissent {
    /// The name of the engine.
    pub engine: String,
    /// Its answer, in short.
    pub says: String,
    /// The facts or moves that the first engine lists and it does not.
    pub lacks: Vec<String>,
    /// The facts or moves that it lists and the first engine does not.
    pub adds: Vec<String>,
}

/// Where a difference was met first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayPosition {
    /// In the initial state.
    Initial,
    /// On the walk along all joint-move sequences, after so many joint moves.
    Perft {
        /// How many.
        depth: usize,
    },
    /// In a random playout.
    Playout {
        /// Which one, counted from 0.
        playout: u64,
        /// After how many joint moves of it.
        step: u64,
    },
}

/// The former name of [`PlayPosition`].
#[deprecated(note = "it is `PlayPosition`")]
pub type Place = PlayPosition;

/// One turn of the play that leads to a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This joint move is played, one move a role.
    Play(Vec<String>),
    /// The state after so many turns is entered again.
    Enter(usize),
}

/// The first disagreement that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// About what.
    pub aspect: Aspect,
    /// The name of the engine that the others are compared with.
    pub first: String,
    /// Its answer, in short.
    pub says: String,
    /// The engines that say something else.
    pub dissents: Vec<Dissent>,
    /// Where a difference was met, before the play was shortened.
    pub place: PlayPosition,
    /// The play that leads to the difference from the initial state. All moves are legal for
    /// the first engine.
    pub play: Vec<Turn>,
    /// Whether it is known that no shorter play differs: all states after fewer joint moves
    /// were compared.
    pub shortest: bool,
    /// Whether the difference came again when the play was repeated.
    pub repeatable: bool,
    /// The facts of the state, as the first engine sees them.
    pub facts: Vec<String>,
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aspect::Facts => f.write_str("facts"),
            Aspect::Terminal => f.write_str("terminal"),
            Aspect::Legal(role) => write!(f, "legal {role}"),
            Aspect::Goal(role) => write!(f, "goal {role}"),
            Aspect::Sees(role) => write!(f, "sees {role}"),
            Aspect::Identity => f.write_str("same state"),
            Aspect::Step => f.write_str("step"),
            Aspect::Hash => f.write_str("hash"),
            Aspect::Restored => f.write_str("state entered by its facts"),
        }
    }
}

impl fmt::Display for PlayPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayPosition::Initial => f.write_str("in the initial state"),
            PlayPosition::Perft { depth } => write!(f, "at depth {depth} of perft"),
            PlayPosition::Playout { playout, step } => {
                write!(f, "in playout {playout} at step {step}")
            }
        }
    }
}

/// `propnet lacks (mark 1 1)`.
impl fmt::Display for Dissent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.engine)?;
        if self.lacks.is_empty() && self.adds.is_empty() {
            return write!(f, " {}", self.says);
        }
        let mut link = "";
        for (verb, list) in [("lacks", &self.lacks), ("adds", &self.adds)] {
            if !list.is_empty() {
                write!(f, "{link} {verb} {}", shown(list))?;
                link = " and";
            }
        }
        Ok(())
    }
}

/// Several lines, the last without its end.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others: Vec<&str> = self.dissents.iter().map(|other| &*other.engine).collect();
        write!(f, "{} and {} differ {}", self.first, others.join(", "), self.place)?;
        let lists = self.dissents.iter().any(|d| !d.lacks.is_empty() || !d.adds.is_empty());
        let first = match lists {
            true => String::new(),
            false => format!("{} {}, ", self.first, self.says),
        };
        let dissents: Vec<String> = self.dissents.iter().map(ToString::to_string).collect();
        write!(f, "\n  {}: {first}{}", self.aspect, dissents.join(", "))?;
        match self.play.len() {
            0 => {}
            1 => f.write_str("\n  after this joint move")?,
            turns if self.is_plain() => write!(f, "\n  after these {turns} joint moves")?,
            turns => write!(f, "\n  after these {turns} turns")?,
        }
        match (self.play.is_empty(), self.shortest, self.repeatable) {
            (true, ..) => {}
            (_, _, false) => f.write_str(", but not when that is repeated:")?,
            (_, true, _) => f.write_str("; no shorter play differs:")?,
            _ => f.write_str(":")?,
        }
        for (place, turn) in self.play.iter().enumerate() {
            write!(f, "\n  {:>4}. ", place + 1)?;
            match turn {
                Turn::Play(joint) => f.write_str(&joint.join("  "))?,
                Turn::Enter(0) => f.write_str("the initial state is entered again")?,
                Turn::Enter(after) => write!(f, "the state after turn {after} is entered again")?,
            }
        }
        match self.facts.is_empty() {
            true => Ok(()),
            false => write!(f, "\n  facts there: {}", self.facts.join(" ")),
        }
    }
}

impl std::error::Error for Difference {}

impl Difference {
    /// Whether the play is a sequence of joint moves, which no state is entered in.
    pub fn is_plain(&self) -> bool {
        self.play.iter().all(|turn| matches!(turn, Turn::Play(_)))
    }
}

fn shown(list: &[String]) -> String {
    match list.get(SHOWN..) {
        Some(rest) if !rest.is_empty() => {
            format!("{} and {} more", list[..SHOWN].join(" "), rest.len())
        }
        _ => list.join(" "),
    }
}

/// The answers of engines about the state at hand, where they differ.
#[derive(Clone, Debug)]
pub(super) struct Clash {
    pub aspect: Aspect,
    pub says: String,
    pub dissents: Vec<Dissent>,
    pub facts: Vec<Term>,
}

impl Clash {
    /// The difference that a play leads to.
    pub fn after(
        self,
        engines: &[NamedEngine],
        place: PlayPosition,
        events: &[Event],
    ) -> Difference {
        let symbols = engines[0].engine.symbols();
        let text = |terms: &[Term]| -> Vec<String> {
            terms.iter().map(|term| term.canonical(symbols)).collect()
        };
        let turn = |event: &Event| match event {
            Event::Play(joint) => Turn::Play(text(joint)),
            Event::Enter { after, .. } => Turn::Enter(*after),
        };
        let mut facts = text(&self.facts);
        facts.sort_unstable();
        Difference {
            aspect: self.aspect,
            first: engines[0].name.clone(),
            says: self.says,
            dissents: self.dissents,
            place,
            play: events.iter().map(turn).collect(),
            shortest: false,
            repeatable: true,
            facts,
        }
    }
}

/// Compares what engines say of a state with what the first one says. So many states are
/// `known` from before.
pub(super) fn clash(engines: &[NamedEngine], said: &[Look], known: u32) -> Option<Clash> {
    let engine = &engines[0].engine;
    let symbols = engine.symbols();
    let comparison = Comparison { engines, said, symbols };
    let roles = || engine.roles().names().iter().map(|name| name.to_lowercase()).enumerate();
    let terminal = |terminal| if terminal { "says yes" } else { "says no" }.to_owned();
    let restored = |same| if same { "finds it" } else { "does not" }.to_owned();
    let identity = |number| match number == known {
        true => "finds it new".to_owned(),
        false => format!("takes it for number {number} of those met before"),
    };
    if said.iter().all(|look| *look == said[0]) {
        return None;
    }
    comparison
        .lists(Aspect::Facts, "facts", |look| &look.view.facts)
        .or_else(|| comparison.values(Aspect::Terminal, |look| terminal(look.view.terminal)))
        .or_else(|| {
            roles().find_map(|(place, role)| {
                comparison.lists(Aspect::Legal(role), "moves", |look| &look.view.legal[place])
            })
        })
        .or_else(|| {
            roles().find_map(|(place, role)| {
                comparison
                    .values(Aspect::Goal(role), |look| goal_words(symbols, &look.view.goals[place]))
            })
        })
        .or_else(|| {
            roles().find_map(|(place, role)| {
                comparison.lists(Aspect::Sees(role), "percepts", |look| {
                    look.seen.get(place).map_or(&[], |seen| seen)
                })
            })
        })
        .or_else(|| comparison.values(Aspect::Identity, |look| identity(look.number)))
        .or_else(|| comparison.values(Aspect::Hash, |look| format!("says {:016x}", look.view.hash)))
        .or_else(|| comparison.values(Aspect::Restored, |look| restored(look.restored)))
}

fn goal_words(symbols: &SymbolTable, goal: &Result<u8, Vec<Term>>) -> String {
    match goal {
        Ok(value) => format!("says {value}"),
        Err(values) if values.is_empty() => "finds no value".to_owned(),
        Err(values) => {
            let values: Vec<String> = values.iter().map(|v| v.canonical(symbols)).collect();
            format!("finds improper {}", values.join(" "))
        }
    }
}

struct Comparison<'a> {
    engines: &'a [NamedEngine],
    said: &'a [Look],
    symbols: &'a SymbolTable,
}

impl Comparison<'_> {
    fn clash(&self, aspect: Aspect, says: String, dissents: Vec<Dissent>) -> Option<Clash> {
        let facts = self.said[0].view.facts.clone();
        (!dissents.is_empty()).then_some(Clash { aspect, says, dissents, facts })
    }

    fn values(&self, aspect: Aspect, words: impl Fn(&Look) -> String) -> Option<Clash> {
        let first = words(&self.said[0]);
        let others = self.engines.iter().zip(self.said).skip(1);
        let dissents = others.filter_map(|(engine, look)| {
            let says = words(look);
            let engine = engine.name.clone();
            (says != first).then(|| Dissent { engine, says, ..Dissent::default() })
        });
        let dissents = dissents.collect();
        self.clash(aspect, first, dissents)
    }

    fn lists(&self, aspect: Aspect, noun: &str, list: impl Fn(&Look) -> &[Term]) -> Option<Clash> {
        let first = list(&self.said[0]);
        let text = |terms: Vec<&Term>| {
            let mut text: Vec<String> =
                terms.into_iter().map(|term| term.canonical(self.symbols)).collect();
            text.sort_unstable();
            text
        };
        let says = |terms: &[Term]| format!("lists {} {noun}", terms.len());
        let others = self.engines.iter().zip(self.said).skip(1);
        let dissents = others.filter(|(_, look)| list(look) != first).map(|(engine, look)| {
            let theirs = list(look);
            let (lacks, adds) = (text(beyond(first, theirs)), text(beyond(theirs, first)));
            Dissent { engine: engine.name.clone(), says: says(theirs), lacks, adds }
        });
        let dissents = dissents.collect();
        self.clash(aspect, says(first), dissents)
    }
}

/// The terms that a sorted list has more than another one; a term that it has twice counts twice.
fn beyond<'t>(list: &'t [Term], other: &[Term]) -> Vec<&'t Term> {
    let mut rest = other.iter().peekable();
    let lacking = |term: &&Term| {
        while rest.next_if(|next| next < term).is_some() {}
        rest.next_if(|next| next == term).is_none()
    };
    list.iter().filter(lacking).collect()
}
