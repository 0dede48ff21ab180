//! Refutes pragmas: by the edges if that is enough, otherwise by a state of play.
//!
//! A breadth-first search visits states, up to a given number. Random plays find further states. In
//! each state, the search for moves compares every semistate on the way, also in checks, with the
//! claims of pragmas. So a pragma that is not refuted holds in all games with fewer states, and
//! likely in others.
//!
//! | file | content |
//! |---|---|
//! | [`fixed`] | pragmas that are decided without play |
//! | [`claims`] | the claims of the other pragmas, by node |
//! | [`machine`] | the effects of actions on semistates |
//! | [`search`] | searches that compare semistates with claims |
//!
//! An `@simpleApply` about a part of a move is not tested, nor are pragmas that are about no state.

mod claims;
mod fixed;
mod machine;
mod search;

use crate::rg::ast::{Description, Hint};
use crate::rg::name::Name;
use crate::rg::optimise::program::Node;
use claims::Claims;
use gdlr_text::budget::{Exhausted, Limit, Memory, Meter};
use gdlr_text::diagnostic::{Code, Diagnostic};
use hashbrown::HashSet;
use machine::{Fault, Machine, Values};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{Contradiction, Move, Searching};
use std::fmt::Write;
use std::rc::Rc;

/// The greatest number of semistates that are visited for the moves of one state.
const WORK: usize = 100_000;

/// The least cost of a state, in units of work.
const LOOKED: usize = 256;

/// The greatest number of semistates within moves of one state whose further moves are listed.
const MAX_HALTS: usize = 64;

/// The greatest length of random plays, in moves.
const MAX_PLAY: usize = 1_000;

/// The greatest number of values that a counterexample shows.
const MAX_SHOWN: usize = 12;

/// The effort of a refutation.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of states. The first half is for the breadth-first search from the initial state.
    /// The other half is for random plays, where states count each time that they occur.
    pub states: usize,
}

/// A pragma that is false, with a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The index of the pragma in the description.
    pub pragma: usize,
    /// The contradiction, in words.
    pub message: String,
    /// The node of the contradiction, if play shows it.
    pub node: Option<Name>,
    /// The moves from the initial state to the state whose search shows it, each by its tags. The
    /// moves of the keeper are among them.
    pub play: Vec<Vec<Name>>,
    /// The values of the variables that are no maps, at the contradiction.
    pub values: Vec<(Name, Name)>,
}

/// The result of a refutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The pragmas that are false, in their order.
    pub found: Vec<Refutation>,
    /// The number of different states that were visited.
    pub states: usize,
    /// Whether these are all states of the game, and each was searched completely.
    pub complete: bool,
}

/// Looks for counterexamples to the pragmas of a description without errors.
///
/// If time or memory run out, the result has the counterexamples so far.
///
/// # Errors
///
/// When the budget is exhausted before play begins, or it is interrupted.
///
/// ```
/// # mod gdlr { pub use gdlr_text::{budget, random}; pub use gdlr_rg::rg; }
/// use gdlr::budget::Meter;
/// use gdlr::random::seeded;
/// use gdlr::rg::{self, pragmas};
/// let text = "@disjoint p : q r; type Player = { x }; type Score = { 0 }; type A = { 1, 2 };
///     var a: A = 1; begin, p: player = x; p, q: a != 2; p, r: a == 1; q, s: $ q; r, s: $ r;
///     s, end: player = keeper;";
/// let effort = pragmas::Effort { states: 100 };
/// let description = rg::read(text).unwrap();
/// let refuted =
///     pragmas::refute(&description, effort, &mut seeded(0, 0), &Meter::unlimited()).unwrap();
/// assert_eq!(refuted.found[0].message, "the edges to `q` and `r` are both legal");
/// ```
pub fn refute(
    description: &Description,
    effort: Effort,
    rng: &mut Xoshiro256PlusPlus,
    meter: &Meter<'_>,
) -> Result<Refuted, Exhausted> {
    let mut refuted = Refuted { found: Vec::new(), states: 0, complete: false };
    let Ok(mut machine) = Machine::new(description, meter)? else { return Ok(refuted) };
    for (pragma, message) in fixed::refuted(description, &machine.program) {
        let (node, play, values) = (None, Vec::new(), Vec::new());
        refuted.found.push(Refutation { pragma, message, node, play, values });
    }
    let claims = Claims::new(description, &mut machine);
    let mut explorer =
        Explorer { machine, claims, refuted, seen: HashSet::new(), whole: true, meter };
    let mut explore = || {
        let complete = explorer.in_breadth(effort.states.div_ceil(2))?;
        if !complete {
            explorer.at_random(effort.states / 2, rng)?;
        }
        Ok(complete)
    };
    let complete = match explore() {
        Err(exhausted @ Exhausted { limit: Limit::Interrupted, .. }) => return Err(exhausted),
        explored => explored.unwrap_or(false),
    };
    let mut refuted = explorer.refuted;
    refuted.complete = complete && explorer.whole;
    refuted.states = explorer.seen.len();
    refuted.found.sort_by_key(|refutation| refutation.pragma);
    Ok(refuted)
}

struct Explorer<'a> {
    machine: Machine,
    claims: Claims,
    refuted: Refuted,
    seen: HashSet<(Node, Values)>,
    /// Whether all states so far were searched completely.
    whole: bool,
    meter: &'a Meter<'a>,
}

/// A state of the breadth-first search.
struct Visited {
    node: Node,
    values: Values,
    /// The index of the state before it, and the tags of the move.
    before: Option<(usize, Vec<Name>)>,
}

impl Explorer<'_> {
    /// The breadth-first search. Returns whether it visited all states, or nothing is left to
    /// refute.
    fn in_breadth(&mut self, most: usize) -> Result<bool, Exhausted> {
        let initial = Rc::clone(&self.machine.initial);
        self.seen.insert((Node::BEGIN, Rc::clone(&initial)));
        let mut states = vec![Visited { node: Node::BEGIN, values: initial, before: None }];
        let mut next = 0;
        while next < states.len() {
            if self.claims.is_done() {
                return Ok(true);
            }
            let (node, values) = (states[next].node, Rc::clone(&states[next].values));
            let play = |states: &[Visited]| {
                let mut play = Vec::new();
                let mut at = next;
                while let Some((before, tags)) = &states[at].before {
                    play.push(tags.clone());
                    at = *before;
                }
                play.reverse();
                play
            };
            for (tags, node, values) in self.look(node, &values, || play(&states))? {
                if self.seen.contains(&(node, Rc::clone(&values))) {
                    continue;
                }
                if states.len() >= most {
                    return Ok(false);
                }
                self.seen.insert((node, Rc::clone(&values)));
                states.push(Visited { node, values, before: Some((next, tags)) });
            }
            next += 1;
        }
        Ok(true)
    }

    /// Visits the states of random plays.
    fn at_random(&mut self, most: usize, rng: &mut Xoshiro256PlusPlus) -> Result<(), Exhausted> {
        let mut looked = 0;
        while looked < most {
            let (mut node, mut values) = (Node::BEGIN, Rc::clone(&self.machine.initial));
            let mut play: Vec<Vec<Name>> = Vec::new();
            while looked < most && play.len() < MAX_PLAY && !self.claims.is_done() {
                looked += 1;
                self.seen.insert((node, Rc::clone(&values)));
                let mut moves = self.look(node, &values, || play.clone())?;
                if moves.is_empty() {
                    break;
                }
                let tags;
                (tags, node, values) = moves.swap_remove(rng.random_range(0..moves.len()));
                play.push(tags);
            }
            if self.claims.is_done() {
                break;
            }
        }
        Ok(())
    }

    /// Searches a state. Returns its moves; none if not all are known.
    fn look(
        &mut self,
        node: Node,
        values: &Values,
        play: impl Fn() -> Vec<Vec<Name>>,
    ) -> Result<Vec<Move>, Exhausted> {
        let slots = self.machine.initial.len();
        self.meter.spend(LOOKED)?;
        self.meter.hold(Memory::Scratch, 2 * self.seen.len() * slots * size_of::<Name>());
        let mut searching = Searching::new(&self.machine, &self.claims, WORK);
        let mut moves = searching.moves(node, values).unwrap_or_else(|fault| {
            // A game that is not proper has no moves there.
            self.whole &= fault != Fault::TooMuch;
            Vec::new()
        });
        let mut contradictions = std::mem::take(&mut searching.found);
        let halts = std::mem::take(&mut searching.halts);
        self.whole &= halts.len() <= MAX_HALTS;
        for (from, at) in halts.into_iter().take(MAX_HALTS) {
            let mut searching = Searching::new(&self.machine, &self.claims, WORK);
            let of_these = match (from, &at) == (node, values) {
                true => Ok(moves.clone()),
                false => searching.moves(from, &at),
            };
            if let Ok(of_these) = of_these {
                searching.found.clear();
                searching.apply(from, &at, &of_these);
                contradictions.append(&mut searching.found);
            }
        }
        for contradiction in contradictions {
            self.keep(contradiction, &play);
        }
        moves.sort_unstable();
        moves.dedup();
        Ok(moves)
    }

    fn keep(&mut self, contradiction: Contradiction, play: &impl Fn() -> Vec<Vec<Name>>) {
        let Contradiction { pragma, node, values, message } = contradiction;
        if !self.claims.refute(pragma) {
            return;
        }
        let program = &self.machine.program;
        let plain =
            program.all_variables().filter_map(|name| match &values[self.machine.slots(name)] {
                [only] => Some((name, *only)),
                _ => None,
            });
        let values = plain.collect();
        let node = program.node_name(node);
        self.refuted.found.push(Refutation { pragma, message, node, play: play(), values });
    }
}

impl Refutation {
    /// The diagnostic for the text that the pragma was read from.
    pub fn diagnostic(&self, description: &Description) -> Diagnostic {
        let text = |name: Name| description.names.text(name);
        let pragma = &description.pragmas[self.pragma];
        let mut error = Diagnostic::new(
            Code::RgFalsePragma,
            pragma.place.0,
            format!("{} is not true", name_of(&pragma.hint)),
        );
        let Some(node) = self.node else { return error.with_label(self.message.clone()) };
        error = error.with_label(format!("at `{}`: {}", text(node), self.message));
        let mut help = String::from(match self.play.len() {
            0 => "at the beginning",
            1 => "after the move",
            _ => "after the moves",
        });
        for (index, tags) in self.play.iter().enumerate() {
            let tags: Vec<&str> = tags.iter().map(|&tag| text(tag)).collect();
            let tags = if tags.is_empty() { "-".to_owned() } else { tags.join(" ") };
            let _ = write!(help, "{}{tags}", if index == 0 { " " } else { ", " });
        }
        for (index, (variable, value)) in self.values.iter().take(MAX_SHOWN).enumerate() {
            let (variable, value) = (text(*variable), text(*value));
            let _ = write!(help, "{}{variable} = {value}", if index == 0 { "; " } else { ", " });
        }
        if self.values.len() > MAX_SHOWN {
            help.push_str(", …");
        }
        error.with_help(help)
    }
}

/// The name of a pragma.
fn name_of(hint: &Hint) -> &'static str {
    match hint {
        Hint::ArtificialTag { .. } => "`@artificialTag`",
        Hint::Disjoint { exhaustive: false, .. } => "`@disjoint`",
        Hint::Disjoint { .. } => "`@disjointExhaustive`",
        Hint::Integer { .. } => "`@integer`",
        Hint::Iterator { .. } => "`@iterator`",
        Hint::Repeat { .. } => "`@repeat`",
        Hint::SimpleApply { exhaustive: false, .. } => "`@simpleApply`",
        Hint::SimpleApply { .. } => "`@simpleApplyExhaustive`",
        Hint::TagIndex { .. } => "`@tagIndex`",
        Hint::TagMaxIndex { .. } => "`@tagMaxIndex`",
        Hint::TranslatedFromRbg => "`@translatedFromRbg`",
        Hint::Unique { .. } => "`@unique`",
        Hint::Unknown(_) => "the pragma",
    }
}
