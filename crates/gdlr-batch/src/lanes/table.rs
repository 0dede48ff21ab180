//! The tables of inputs and outputs of lanes: actions, whose turn it is, and where the bits of each
//! output stand.

use super::percepts::Percepts;
use crate::layout::{GameLayout, Phase, latch_slot};
use crate::program::{Operand, Slot, TRUE};
use gdlr_engine::engine::Output;
use gdlr_net::net::{LatchId, Mover, Net, Operation, Signal, movers};
use gdlr_rules::gdl::{SymbolTable, natural_order};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// Always true.
pub(super) const ALWAYS: Operand = Operand { slot: TRUE, negated: false };

/// Where no move has this action.
pub(super) const NO_MOVE: u32 = u32::MAX;

/// Where a bit of an output comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It is never true.
    Never,
    /// A slot, or its complement.
    Of(Operand),
    /// Either of some pairs, both of which hold.
    Any(Box<[(Slot, Operand)]>),
}

/// Whose actions are played in a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Those of one role.
    Of(u16),
    /// Those of the role whose operand is true; elsewhere, of the first.
    Read(Vec<(u16, Operand)>),
    /// Those of all roles.
    All,
}

/// How actions of a role become moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Acting {
    pub role: u16,
    /// Where it is the role's turn.
    pub turn: Operand,
    /// The place of its moves in [`Phase::choices`].
    pub choice: usize,
    /// By action: which of these moves it is, or [`NO_MOVE`].
    pub moves: Vec<u32>,
}

/// The only move of a role whose turn it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub turn: Operand,
    pub legal: Slot,
    pub does: Slot,
}

/// The inputs and outputs of a phase.
#[derive(Clone, Debug)]
pub(super) struct Ports {
    pub turn: Turn,
    pub acting: Vec<Acting>,
    pub waiting: Vec<Waiting>,
    /// Where more than two roles take turns, whose turn it is of those after the first: where it
    /// is nobody's, the first acts. The slot after those of the layout says whether one is true.
    pub others: Vec<Operand>,
    /// Actions that are played without a choice: the place in the row of a lane, and the action.
    pub forced: Vec<(usize, i32)>,
    /// The place of chance in [`Phase::choices`].
    pub chance: Option<usize>,
    /// By action; of each role, one after the other, where all act at once.
    pub legal: Vec<Source>,
    /// By fact that is observed.
    pub observed: Vec<Source>,
}

/// The ports of all phases.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// By action: its move, a place in [`Net::moves`].
    pub actions: Vec<u32>,
    /// Whether all roles act at once.
    pub is_simultaneous: bool,
    /// By phase.
    pub ports: Vec<Ports>,
    /// The observation: places in [`Net::fluents`], or nothing.
    pub observed: Vec<Option<u32>>,
    /// The percepts of a step, in a game with rules for `sees`.
    pub percepts: Option<Percepts>,
    /// By role, one after the other, and by percept.
    pub seen: Vec<Source>,
    pub roles: usize,
}

impl Table {
    /// Lays out the ports of a net. Every fact is observed, in order.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn new(
        net: &Net,
        layout: &GameLayout,
        symbols: &SymbolTable,
        meter: &Meter<'_>,
    ) -> Result<Table, Exhausted> {
        let plays = |role: u16| layout.chance != Some(role);
        let mut turns = Vec::with_capacity(layout.phases.len());
        for (phase, known) in layout.phases.iter().zip(&layout.known) {
            turns.push(turn(net, layout, phase, known, meter)?);
        }
        let is_simultaneous = turns.iter().any(|(turn, _)| *turn == Turn::All);
        let mut terms = HashSet::new();
        for (phase, (turn, _)) in layout.phases.iter().zip(&turns) {
            let choosing = phase.terms.iter().filter(|of| plays(of.role));
            terms.extend(choosing.flat_map(|of| of.terms.iter().copied()));
            let is_forced = |role| is_simultaneous && plays(role) || *turn == Turn::Of(role);
            terms.extend(phase.forced.iter().filter(|of| is_forced(of.0)).map(|of| of.1));
        }
        let mut actions: Vec<u32> = terms.into_iter().collect();
        let name = |&term: &u32| natural_order(&net.moves[term as usize].canonical(symbols));
        actions.sort_by_cached_key(name);
        meter.spend(actions.len() * turns.len())?;
        let number: HashMap<u32, usize> = actions.iter().copied().zip(0..).collect();
        let percepts = Percepts::new(net, layout, symbols, meter)?;
        let kept = percepts.as_ref().map_or(&[][..], |percepts| &percepts.kept);
        let seen = kept.iter().map(|&slot| match slot {
            Some(slot) => Source::Of(Operand { slot, negated: false }),
            None => Source::Never,
        });
        let seen = seen.collect();
        let mut table = Table {
            ports: Vec::new(),
            percepts,
            seen,
            is_simultaneous,
            observed: (0..net.fluents.len() as u32).map(Some).collect(),
            roles: usize::from(layout.roles),
            actions,
        };
        for (phase, (turn, movers)) in layout.phases.iter().zip(turns) {
            let turn = if is_simultaneous { Turn::All } else { turn };
            let ports = table.ports_of(layout, phase, turn, &movers, &number);
            table.ports.push(ports);
        }
        table.observe(net, layout, table.observed.clone());
        Ok(table)
    }

    /// How many actions there are to give for a lane.
    pub fn acting(&self) -> usize {
        if self.is_simultaneous { self.roles } else { 1 }
    }

    /// How many columns an output has.
    pub fn width(&self, output: Output) -> usize {
        match output {
            Output::Legal => self.acting() * self.actions.len(),
            Output::Observations => self.observed.len(),
            Output::Percepts => self.seen.len(),
        }
    }

    /// Observes these facts: places in [`Net::fluents`]; nothing is never true.
    pub fn observe(&mut self, net: &Net, layout: &GameLayout, observed: Vec<Option<u32>>) {
        let mut place = vec![None; net.latches.len()];
        let latches = layout.latches.iter().enumerate();
        latches.for_each(|(at, &latch)| place[latch as usize] = Some(at));
        for (ports, known) in self.ports.iter_mut().zip(&layout.known) {
            let source = |signal: Signal| match net.operation(signal.gate()) {
                Operation::Latch(latch) => match place[latch.index()] {
                    Some(at) => {
                        Source::Of(Operand { slot: latch_slot(at), negated: signal.is_negated() })
                    }
                    None => {
                        let is_true = known.iter().any(|&(of, value)| of == latch.0 && value);
                        constant(is_true != signal.is_negated())
                    }
                },
                _ => constant(signal == Signal::TRUE),
            };
            let bits = observed.iter().map(|fact| match fact {
                Some(fact) => source(net.fluents[*fact as usize].signal),
                None => Source::Never,
            });
            ports.observed = bits.collect();
        }
        self.observed = observed;
    }

    fn ports_of(
        &self,
        layout: &GameLayout,
        phase: &Phase,
        turn: Turn,
        movers: &[Mover],
        number: &HashMap<u32, usize>,
    ) -> Ports {
        let at_turn = |role: u16| match &turn {
            Turn::Read(operands) => {
                let operand = operands.iter().find(|of| of.0 == role).map_or(ALWAYS, |of| of.1);
                // Where it is nobody's turn, the first acts, that somebody does.
                match operands[..] {
                    [first, (_, other)] if first.0 == role => {
                        Operand { negated: !other.negated, ..other }
                    }
                    [first, _, _, ..] if first.0 == role => {
                        Operand { slot: layout.size as Slot, negated: true }
                    }
                    _ => operand,
                }
            }
            _ => ALWAYS,
        };
        let mut rows = vec![Vec::new(); self.acting() * self.actions.len()];
        let row = |role: u16| if self.is_simultaneous { usize::from(role) } else { 0 };
        let mut acting = Vec::new();
        let mut waiting = Vec::new();
        let (mut chance, mut forced) = (None, Vec::new());
        for (choice, (moves, of)) in phase.choices.iter().zip(&phase.terms).enumerate() {
            if layout.chance == Some(of.role) {
                chance = Some(choice);
                continue;
            }
            let operand = at_turn(of.role);
            let mut by_action = vec![NO_MOVE; self.actions.len()];
            for ((&term, &legal), at) in of.terms.iter().zip(&moves.legal).zip(0..) {
                let action = number[&term];
                by_action[action] = at;
                rows[row(of.role) * self.actions.len() + action].push((legal, operand));
                if movers.iter().any(|of_net| of_net.role == of.role && of_net.waits == Some(term))
                {
                    waiting.push(Waiting { turn: operand, legal, does: moves.does + at });
                }
            }
            acting.push(Acting { role: of.role, turn: operand, choice, moves: by_action });
        }
        for &(role, term) in &phase.forced {
            let acts = match turn {
                Turn::All => layout.chance != Some(role),
                Turn::Of(mover) => mover == role,
                Turn::Read(_) => false,
            };
            if acts {
                forced.push((row(role), number[&term] as i32));
                rows[row(role) * self.actions.len() + number[&term]].push((TRUE, ALWAYS));
            }
        }
        let legal = rows.into_iter().map(|pairs| match pairs[..] {
            [] => Source::Never,
            [(slot, ALWAYS)] => Source::Of(Operand { slot, negated: false }),
            _ => Source::Any(pairs.into()),
        });
        let legal = legal.collect();
        let others = match &turn {
            Turn::Read(operands) if operands.len() > 2 => {
                operands[1..].iter().map(|of| of.1).collect()
            }
            _ => Vec::new(),
        };
        Ports { turn, acting, waiting, others, forced, chance, legal, observed: Vec::new() }
    }
}

/// Always or never.
fn constant(value: bool) -> Source {
    if value { Source::Of(ALWAYS) } else { Source::Never }
}

/// Whose turn it is in a phase, and what is known of those who read it off the state.
fn turn(
    net: &Net,
    layout: &GameLayout,
    phase: &Phase,
    known: &[(u32, bool)],
    meter: &Meter<'_>,
) -> Result<(Turn, Vec<Mover>), Exhausted> {
    let choosing = phase.terms.iter().map(|of| of.role);
    let choosing: Vec<u16> = choosing.filter(|&role| layout.chance != Some(role)).collect();
    match choosing[..] {
        [] => {
            // Chance moves, or all moves are forced, those of the first player among them.
            let chance = layout.chance.filter(|&role| phase.terms.iter().any(|of| of.role == role));
            let first = (0..layout.roles).find(|&role| layout.chance != Some(role));
            Ok((Turn::Of(chance.or(first).unwrap_or(0)), Vec::new()))
        }
        [role] => Ok((Turn::Of(role), Vec::new())),
        _ => {
            let latches: Vec<(LatchId, bool)> =
                known.iter().map(|&(latch, value)| (LatchId(latch), value)).collect();
            let Some(movers) = movers(net, &latches, &choosing, meter)? else {
                return Ok((Turn::All, Vec::new()));
            };
            let mut operands = Vec::new();
            for mover in &movers {
                let Operation::Latch(latch) = net.operation(mover.turn.gate()) else {
                    return Ok((Turn::All, Vec::new()));
                };
                let Some(at) = layout.latches.iter().position(|&of| of == latch.0) else {
                    return Ok((Turn::All, Vec::new()));
                };
                let negated = mover.turn.is_negated();
                operands.push((mover.role, Operand { slot: latch_slot(at), negated }));
            }
            Ok((Turn::Read(operands), movers))
        }
    }
}
