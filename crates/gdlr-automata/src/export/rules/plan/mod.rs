//! From rules to statements of the program.
//!
//! The conditions of a rule become a [`Plan`](body::Plan): the statements that evaluate them, and
//! for each variable the operand that holds its value. Two arguments steer the planning: how
//! conditions are asked ([`How`](body::How)), and which facts are known there
//! ([`Context`](scope::Context)). A turn is planned from its choices to the turn that follows.
//!
//! ```text
//! turn ─▶ moves ─────┐              ask ─▶ tables, calls
//!      ─▶ update ────┼──▶ body ──▶  trial ─▶ through
//! scores ────────────┘
//! ```
//!
//! | file | what it is for |
//! |---|---|
//! | [`turn`] | turns: who chooses, and what follows |
//! | [`moves`] | legal moves as walks |
//! | [`percepts`] | percepts that the keeper shows to roles |
//! | [`update`], [`clears`] | the effects of a move; facts that no rule keeps |
//! | [`write`] | an assignment to the state, with its loops and conditions |
//! | [`witness`] | facts that hold exactly as long as a move is legal |
//! | [`scores`], [`goals`] | goals, and the end of the play; which goal values exclude each other |
//! | [`body`] | conditions, in the order in which they are asked |
//! | [`scope`] | facts that are known where conditions are asked |
//! | [`ask`] | one condition, as the statements that ask it |
//! | [`tables`] | conditions whose answers are known rows |
//! | [`calls`] | derived relations as checks |
//! | [`trial`] | the choice of the next trial, if nothing more follows |
//! | [`through`] | derived relations, row by row on a walk |
//! | [`search`] | a search along a column, up to the first entry that answers |
//! | [`chain`] | relations in which one row leads to the next |
//! | [`anew`], [`ended`] | facts that a move has made true; the end of the play, asked again for goals |
//! | [`unique`] | functional dependencies; rules that change nothing |
//! | [`preconditions`] | facts that hold because the move was legal |
//! | [`of_net`] | parts that are written from the net, since their rules cannot be planned |
//! | [`rest`] | tests of all values but one |
//! | [`quoted`] | rules as comments of blocks |

mod anew;
mod ask;
mod body;
mod calls;
mod chain;
mod clears;
mod ended;
mod goals;
mod moves;
mod of_net;
mod once;
mod percepts;
mod preconditions;
mod quoted;
mod rest;
mod scope;
mod scores;
mod search;
mod tables;
mod through;
mod trial;
mod turn;
mod unique;
mod update;
mod witness;
mod write;

pub(super) use moves::Kind;
pub(in crate::export) use of_net::Part;
pub(super) use of_net::PartsOfNet;
pub(super) use percepts::PerceptKind;
pub(super) use turn::{Turns, Written};

use super::Stop;
use super::analysis::{Analysis, Input, Notes, Proofs, Relations, Symbols};
use super::build::Builder;
use super::emit::{Draft, declared};
use crate::export::program::{Target, Test, Turn};
use anew::Anew;
use calls::Routine;
use gdlr_rg::rg::Name;
use gdlr_rules::normal::RelationId;
use hashbrown::HashMap;
use of_net::Signals;
use witness::Witnesses;

/// The kinds of moves and percepts that have tags.
pub(super) struct Said {
    pub moves: Vec<Kind>,
    pub percepts: Vec<PerceptKind>,
}

/// Plans the program of a game.
struct Planner<'a> {
    input: Input<'a>,
    analysis: &'a Analysis,
    /// The relations. Relations that are asked anew are appended.
    relations: Relations<'a>,
    anew: Anew,
    out: Builder<'a>,
    /// By relation and number of the moves: the routine that checks the relation.
    routines: HashMap<(RelationId, Option<u32>), Routine>,
    /// By base relation: the variable for its next state. An entry exists only if the next state is
    /// written before the old state has been read.
    seconds: HashMap<RelationId, Name>,
    turns: Turns,
    notes: Notes,
    proofs: Proofs,
    /// The witnesses of moves that have been looked for.
    witnesses: Vec<Witnesses>,
    /// The parts that are written from the net.
    of_net: PartsOfNet,
    signals: Signals,
}

/// Plans the program of a game that has been analysed. Parts in `of_net` are written from the net.
///
/// # Errors
///
/// When the budget runs out, or when the rules have something that this export cannot write. In the
/// second case the error names the part that can be written from the net instead, if it is one
/// part.
pub(super) fn plan<'a>(
    input: Input<'a>,
    analysis: &'a Analysis,
    relations: Relations<'a>,
    symbols: Symbols<'a>,
    notes: Notes,
    of_net: PartsOfNet,
) -> Result<Draft<'a>, Stop> {
    let planner = Planner {
        input,
        analysis,
        relations,
        anew: Anew::default(),
        out: Builder::new(symbols),
        routines: HashMap::new(),
        seconds: HashMap::new(),
        turns: Turns::default(),
        notes,
        proofs: Proofs::default(),
        witnesses: Vec::new(),
        of_net,
        signals: Signals::new(),
    };
    planner.plan()
}

impl<'a> Planner<'a> {
    /// Plans the whole program.
    fn plan(mut self) -> Result<Draft<'a>, Stop> {
        self.begin_turns();
        let said = Said { moves: self.kinds()?, percepts: self.percept_kinds()? };
        let mut written = Vec::new();
        for mode in 0..self.input.unrolled.copies.len() {
            written.push(self.write_turn(mode, &said)?);
        }
        Part::Over.of(self.write_judged())?;
        let scores = Part::Goals.of(self.write_goals())?;
        let normal = self.input.normal;
        self.quote_all(self.out.program.over, |relation| relation == normal.goal);
        if !self.routines.contains_key(&(normal.terminal, None)) {
            for &mode in &self.turns.are_judged.clone() {
                let judged = self.turns.judged[mode];
                self.quote_all(judged, |relation| relation == normal.terminal);
            }
        }
        let symbols = &mut self.out.symbols;
        let state = declared(&self.input, &self.analysis.shapes, &self.seconds, symbols)?;
        if let Some(flaw) = self.out.flaw {
            return Err(Stop::Broken(flaw));
        }
        self.tell_turns();
        self.tell_parts(&said);
        let Planner { input, analysis, relations, seconds, out, turns, notes, .. } = self;
        let draft = Draft {
            input,
            analysis,
            relations,
            seconds,
            out,
            state,
            turns,
            written,
            notes,
            scores,
            said,
        };
        Ok(draft)
    }

    /// Notes which parts are written from the net, and why.
    fn tell_parts(&mut self, said: &Said) {
        let called = |name: Option<Name>| name.map(|name| self.out.symbols.naming.names.text(name));
        for (part, why) in &self.of_net {
            let what = match part {
                Part::Over => "terminal".to_owned(),
                Part::Goals => "goal".to_owned(),
                Part::Next(base) => {
                    format!("next {}", self.input.normal.relation_name(*base).replace("true ", ""))
                }
                Part::Moves(kind) => {
                    let name = said.moves.get(*kind).and_then(|kind| called(kind.name));
                    format!("legal {}", name.unwrap_or("moves"))
                }
                Part::Percepts(kind) => {
                    let name = said.percepts.get(*kind).map(|kind| kind.name());
                    format!("sees {}", name.unwrap_or_default())
                }
            };
            self.notes.add(&what, format!("from the net: {why}"));
        }
    }

    /// Makes the blocks in which turns begin.
    fn begin_turns(&mut self) {
        let modes = self.input.unrolled.copies.len();
        for mode in 0..modes {
            let number = match modes {
                1 => String::new(),
                _ => format!("_{mode}"),
            };
            for (text, judged) in [("turn", false), ("judge", true)] {
                let name = self.out.node_name(&format!("{text}{number}"));
                let block = self.out.program.block(name, Vec::new());
                if judged { &mut self.turns.judged } else { &mut self.turns.starts }.push(block);
            }
        }
        let net = self.input.net;
        let initial: Vec<bool> = net.latches.iter().map(|latch| latch.initial).collect();
        let first = self.input.unrolled.phase(|latch| initial[latch.index()]);
        self.out.program.begin = match net.is_over(&initial) {
            true => Target::Over,
            false => Target::Block(self.turns.starts[first]),
        };
    }

    /// Lists the facts that the phase of each turn fixes, if all of them can be tested.
    fn tell_turns(&mut self) {
        for mode in 0..self.turns.starts.len() {
            let latches: Vec<_> = self.input.unrolled.phases.known(mode).collect();
            let tests = latches.into_iter().map(|(latch, value)| self.latch_is(latch, value));
            let known = tests.collect::<Result<Vec<Test>, Stop>>().ok();
            let (block, judge) = (self.turns.starts[mode], self.turns.judged[mode]);
            self.out.program.turns.push(Turn { block, judge, known });
        }
    }
}
