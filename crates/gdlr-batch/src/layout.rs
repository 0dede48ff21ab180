//! A game laid out for many lanes: programs, and what is read from where.
//!
//! Memory has the same places in all phases:
//!
//! ```text
//! | true | latches | moves, those of a role together | kept from step to step | gates |
//! ```
//!
//! In each phase, a first program computes what is said about a state: whether it is terminal
//! and which moves are legal. When moves have been chosen, a second one computes the latches
//! of the next state; these are put in their places at the end. Goals have a program and a
//! memory of their own, since they are computed for states that are over only.

mod goals;
mod phase;

use super::cycles::kept_slots;
use super::decided;
use super::entry::{Entry, StepSource};
use super::native::{StepCode, compile, made_together};
use super::phases::{Compound, PhaseNets};
use super::program::{Operand, Program, Slot};
use super::schedule::{Order, Schedule};
use super::tuning::Tuning;
use super::width::{AnyToken, Width};
use fixedbitset::FixedBitSet;
use gdlr_net::net::{LatchId, Net, Phases, Signal};
use gdlr_rules::gdl::SymbolTable;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::Decisions;
pub(super) use goals::GoalWork;
use phase::phase;
use std::ops::Range;

/// The moves of a role: first the rows and columns of its [`Compound`] moves, if there are such, then
/// the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moves {
    /// For each move, the slot that says whether it is legal.
    pub legal: Box<[Slot]>,
    /// The slot that says whether the first one is made; those of the others follow.
    pub does: Slot,
    /// How many are rows.
    pub rows: usize,
    /// How many, after those, are columns.
    pub columns: usize,
}

impl Moves {
    /// The places of rows, of columns and of the others.
    pub fn parts(&self) -> [Range<usize>; 3] {
        let rest = self.rows + self.columns;
        [0..self.rows, self.rows..rest, rest..self.legal.len()]
    }

    /// Whether a role may choose a row and a column.
    pub fn are_compound(&self) -> bool {
        self.rows > 0
    }
}

/// The role of some [`Moves`], and their terms.
#[derive(Clone, Debug)]
pub(super) struct MoveTerms {
    pub role: u16,
    pub terms: Vec<u32>,
}

/// The programs of a step in one phase of play.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// The conditions that hold in the lanes that are in this phase, if lanes may be in different ones.
    pub here: Vec<Operand>,
    /// Computes the outputs of a state: terminal, and which moves are legal.
    pub state: Program,
    /// Whether it is terminal.
    pub terminal: Operand,
    /// By goal in [`Goals::values`]: whether a role has it. None if goals are computed for states that are
    /// over alone.
    pub goals: Option<Box<[Operand]>>,
    /// By role, where a choice is to be made, or none may be legal.
    pub choices: Vec<Moves>,
    /// By place in `choices`.
    pub terms: Vec<MoveTerms>,
    /// The machine code of a step, if there is some.
    pub code: Option<StepCode>,
    /// The other roles, and the term of the only move that each of them has.
    pub forced: Vec<(u16, u32)>,
    /// Computes the next values of the latches.
    pub moves: Program,
    /// How these come into the slots of the latches.
    pub next: NextState,
}

/// A value that is moved from one slot to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transfer {
    pub to: Slot,
    pub from: Slot,
}

/// How the next values of latches come into their slots at the end of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NextState {
    pub plain: Vec<Transfer>,
    /// From the complements.
    pub negated: Vec<Transfer>,
    /// Those that stay as they are.
    pub held: Vec<Slot>,
}

impl NextState {
    /// By latch: the slot of its next value.
    fn new(values: impl Iterator<Item = Operand>) -> NextState {
        let mut next = NextState::default();
        for (place, Operand { slot: from, negated }) in values.enumerate() {
            let to = latch_slot(place);
            match negated {
                false if from == to => next.held.push(to),
                false => next.plain.push(Transfer { to, from }),
                true => next.negated.push(Transfer { to, from }),
            }
        }
        next
    }
}

/// A goal of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GoalValue {
    pub role: u16,
    /// Its value, 0 to 100, if the rulesheet gives a proper one.
    pub points: Option<u8>,
    /// Whether the role has it.
    pub holds: Operand,
}

/// A slot whose value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    pub slot: Slot,
    pub value: bool,
}

/// Slots side by side, whose values go to others that are side by side, too. To copy them takes no
/// address for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub to: Range<usize>,
    pub from: Range<usize>,
}

impl Stretch {
    /// Transfers in the order given, as few stretches as there are.
    fn of(transfers: impl Iterator<Item = Transfer>) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        for Transfer { to, from } in transfers {
            let [to, from] = [to, from].map(|slot| slot as usize);
            match stretches.last_mut() {
                Some(last) if (last.to.end, last.from.end) == (to, from) => {
                    (last.to.end, last.from.end) = (to + 1, from + 1);
                }
                _ => stretches.push(Stretch { to: to..to + 1, from: from..from + 1 }),
            }
        }
        stretches
    }
}

/// A program over the whole net, for outputs that not every step needs, such as goals. It has a memory of its
/// own, the same for all phases:
///
/// ```text
/// | true | latches of the net | moves of the net | kept from one time to the next | gates |
/// ```
#[derive(Clone, Debug)]
pub(super) struct Whole {
    /// Computes the outputs.
    pub program: Program,
    /// The slots of the outputs, in the order in which they were asked for.
    pub outputs: Vec<Operand>,
    /// Latches that it depends on, from the memory of states to its own.
    pub read: Vec<Stretch>,
    /// By phase: latches that are known there, in its own memory.
    pub known: Vec<Vec<Constant>>,
    /// Moves that it depends on: places in [`Net::inputs`], with their slots.
    pub moves: Vec<(usize, Slot)>,
    /// How many slots there are.
    pub size: usize,
}

/// How goals are found.
#[derive(Clone, Debug)]
pub(super) struct Goals {
    /// Computes them.
    pub whole: Whole,
    /// All goals of all roles.
    pub values: Vec<GoalValue>,
}

/// A game laid out.
#[derive(Clone, Debug)]
pub(super) struct GameLayout {
    pub phases: Vec<Phase>,
    pub goals: Goals,
    /// By latch in the order of their slots: which latch of the net it is.
    pub latches: Vec<u32>,
    /// The phases, by latches and indicators of the net.
    pub distinguished_by: Phases,
    /// Whether lanes may be in different phases at a time, so that those in another one wait.
    pub waits: bool,
    /// The condition that holds where play is over, so that a lane needs no phase.
    pub over: Option<Operand>,
    /// By phase: the latches of the net that are known there.
    pub known: Vec<Vec<(u32, bool)>>,
    pub roles: u16,
    /// The role of chance, which needs no goal.
    pub chance: Option<u16>,
    /// The values that the machine code of a step reads, if there is some.
    pub entry: Option<Entry>,
    /// How many slots there are.
    pub size: usize,
    /// By latch: its value in the game's initial state, if there is machine code of steps.
    pub initial: Box<[bool]>,
    /// How many there are for the machine code of steps, if there is some.
    code_size: usize,
    /// The most moves of a role in a phase.
    pub most_moves: usize,
    /// The bounds by which it was made, and is played.
    pub tuning: Tuning,
}

/// The slot of a latch.
pub(super) fn latch_slot(place: usize) -> Slot {
    1 + place as Slot
}

/// A net, and the facts about its game that layout needs.
#[derive(Clone, Copy)]
pub(super) struct Game<'g> {
    pub net: &'g Net,
    /// The values of goals, by symbol.
    pub symbols: &'g SymbolTable,
    /// The role of chance, which needs no goal.
    pub chance: Option<u16>,
    pub order: Order,
    pub tuning: Tuning,
}

impl GameLayout {
    /// Lays a game out for lanes that are stepped from outside: all lanes in the same phase, and each
    /// move by itself.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn stepped(game: Game<'_>, meter: &Meter<'_>) -> Result<GameLayout, Exhausted> {
        let phases = PhaseNets::around(&silent(game.net), meter)?;
        GameLayout::of_phases(game, phases, meter)
    }

    /// The layout for lanes that are stepped from outside, if it has the programs of this one.
    pub fn as_stepped(&self) -> Option<GameLayout> {
        let mut choices = self.phases.iter().flat_map(|phase| &phase.choices);
        if self.waits || choices.any(Moves::are_compound) {
            return None;
        }
        let mut layout =
            GameLayout { entry: None, initial: Box::default(), code_size: 0, ..self.clone() };
        for phase in &mut layout.phases {
            (phase.code, phase.goals) = (None, None);
        }
        Some(layout)
    }

    /// Lays a game out for random playouts, with rows and columns in place of compound moves. A game in which
    /// moves decide whose turn it is gets phases if a step costs less with them than without.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn played(
        game: Game<'_>,
        meter: &Meter<'_>,
        decisions: &mut Decisions,
    ) -> Result<GameLayout, Exhausted> {
        let work = GoalWork::of(game.net);
        let in_step = (work.goals as f64) < game.tuning.goals_in_step * work.latches as f64;
        decisions.record(decided::goals(in_step, work, &game.tuning));
        let mut silent = silent(game.net);
        if in_step {
            silent.goals.clone_from(&game.net.goals);
        }
        let phases = PhaseNets::around(&silent, meter)?;
        let compound = phases.compound(meter)?;
        let layout = GameLayout::of_phases(game, compound.unwrap_or(phases), meter)?;
        let [alone] = &layout.phases[..] else {
            decisions.record(decided::phases(layout.phases.len()));
            return Ok(layout);
        };
        let decided = PhaseNets::decided(&silent, meter)?;
        let Some((phases, frequencies)) = decided else {
            decisions.record(decided::phases(1));
            return Ok(layout);
        };
        let compound = phases.compound(meter)?;
        let mut waiting = GameLayout::of_phases(game, compound.unwrap_or(phases), meter)?;
        let operand = |latch: LatchId, value: bool| {
            let place = waiting.latches.iter().position(|&of| of == latch.0);
            let place = place.expect("a latch that says whose turn it is stays");
            Operand { slot: latch_slot(place), negated: !value }
        };
        let Phases { indicators, values, over, .. } = &waiting.distinguished_by;
        let here = |values: &Vec<bool>| -> Vec<Operand> {
            let conditions = indicators.iter().zip(values);
            let conditions =
                conditions.map(|(indicator, &value)| operand(indicator.latches[0], value));
            // Where one is true the others are not.
            match conditions.clone().find(|operand| !operand.negated) {
                Some(one) => vec![one],
                None => conditions.collect(),
            }
        };
        let here: Vec<Vec<Operand>> = values.iter().map(here).collect();
        waiting.over = over.map(|(latch, value)| operand(latch, value));
        waiting.waits = true;
        let mut work = 0.0;
        for ((phase, here), often) in waiting.phases.iter_mut().zip(here).zip(frequencies) {
            phase.here = here;
            work += often * phase.work() as f64;
        }
        let (alone, count) = (alone.work() as f64, waiting.phases.len());
        let pays = work < game.tuning.waiting_gain * alone;
        decisions.record(decided::waiting(pays, count, [alone, work], &game.tuning));
        Ok(if pays { waiting } else { layout })
    }

    /// Lays a game out by its phases.
    fn of_phases(
        game: Game<'_>,
        mut phases: PhaseNets,
        meter: &Meter<'_>,
    ) -> Result<GameLayout, Exhausted> {
        let Game { net, chance, order, tuning, .. } = game;
        phases.fast_extract(&tuning.net, meter)?;
        let PhaseNets { nets, latches, phases: distinguished_by, compounds } = phases;
        let values =
            |phase| distinguished_by.known(phase).map(|(latch, value)| (latch.0, value)).collect();
        let known: Vec<Vec<(u32, bool)>> = (0..distinguished_by.count()).map(values).collect();
        let most = nets.iter().map(|net| net.inputs.len()).max().unwrap_or(0);
        let latches: Vec<u32> = latches.iter().map(|latch| latch.0).collect();
        let moves_end = 1 + latches.len() + most;
        let kept: Vec<usize> = nets.iter().map(kept_slots).collect();
        let fixed = moves_end + kept.iter().sum::<usize>();
        let kept_from = |place: usize| moves_end + kept[..place].iter().sum::<usize>();
        let nets = nets.iter().zip(&compounds).enumerate();
        let lay_out = |(place, (net, compounds)): (usize, (&Net, &Vec<Compound>))| {
            phase(net, compounds, fixed, kept_from(place), order, meter)
        };
        let laid_out: Result<Vec<(Phase, usize)>, Exhausted> = nets.map(lay_out).collect();
        let laid_out = laid_out?;
        let size = laid_out.iter().map(|(_, size)| *size).max().unwrap_or(fixed);
        let phases: Vec<Phase> = laid_out.into_iter().map(|(phase, _)| phase).collect();
        let moves = phases.iter().flat_map(|phase| &phase.choices);
        let most_moves = moves.map(|moves| moves.legal.len()).max().unwrap_or(0);
        let goals = lay_out_goals(game, &latches, &known, meter)?;
        let (roles, waits, over, entry) = (net.roles, false, None, None);
        Ok(GameLayout {
            phases,
            goals,
            latches,
            distinguished_by,
            waits,
            over,
            known,
            roles,
            chance,
            entry,
            size,
            initial: Box::default(),
            code_size: 0,
            most_moves,
            tuning,
        })
    }
}

/// How much work it is to make code of what names a slot.
const CODE: usize = 4;

impl GameLayout {
    /// Whether steps say which goals roles have.
    pub fn tells_goals(&self) -> bool {
        self.phases.iter().any(|phase| phase.goals.is_some())
    }

    /// How many slots a machine has.
    pub fn slots(&self) -> usize {
        self.size.max(self.code_size)
    }

    /// Makes machine code of the programs, for lanes that are stepped from outside. Linear in the
    /// programs.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn compile(&mut self, width: Width, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let free = self.size as Slot;
        for phase in &mut self.phases {
            meter.spend(CODE * (phase.state.named() + phase.moves.named()))?;
            let (read, next) = (phase.read_of_state(), phase.next.read());
            self.size = self.size.max(compile(width, &mut phase.state, free, &read));
            compile(width, &mut phase.moves, free, &next);
        }
        self.compile_goals(width, meter)
    }

    /// Makes machine code of steps, for random playouts; `net` is what was laid out. Linear in the
    /// programs; some steps are played in games with many moves.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn compile_steps(
        &mut self,
        token: AnyToken,
        net: &Net,
        meter: &Meter<'_>,
        decisions: &mut Decisions,
    ) -> Result<(), Exhausted> {
        let Tuning { fewest_passed_over, most_made_together, .. } = self.tuning;
        let width = token.width();
        let has_many = self.most_moves >= fewest_passed_over;
        let made_together = match has_many {
            true => made_together(token, self, net),
            false => vec![1.0; self.phases.len()],
        };
        let least = made_together.iter().copied().fold(1.0, f64::min);
        let begins = self.size as Slot;
        let mut entry = Entry { begins, here: begins + 1, first: begins + 2, free: 0 };
        entry.free = entry.first + self.latches.len() as Slot;
        let initial = self.latches.iter().map(|&latch| net.latches[latch as usize].initial);
        self.initial = initial.collect();
        for (phase, made_together) in self.phases.iter_mut().zip(made_together) {
            meter.spend(CODE * phase.work())?;
            let mut end = entry.free as usize;
            let pays =
                phase.moves_to_find() >= fewest_passed_over && made_together < most_made_together;
            let (waits, initial) = (self.waits, &self.initial);
            let source = StepSource { width, phase, entry, waits, initial, pays };
            phase.code = StepCode::new(source, &mut end);
            self.code_size = self.code_size.max(end);
        }
        decisions.record(decided::passing_over(self, has_many.then_some(least)));
        self.entry = Some(entry);
        self.compile_goals(width, meter)
    }

    fn compile_goals(&mut self, width: Width, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let Whole { program, outputs, size, .. } = &mut self.goals.whole;
        if program.code.is_none() {
            meter.spend(CODE * program.named())?;
            let outputs: Vec<Slot> = outputs.iter().map(|output| output.slot).collect();
            *size = compile(width, program, *size as Slot, &outputs);
        }
        Ok(())
    }
}

impl NextState {
    /// Where the next values of latches are found that change.
    pub fn read(&self) -> Vec<Slot> {
        self.plain.iter().chain(&self.negated).map(|next| next.from).collect()
    }
}

impl Phase {
    /// The slots of the program of states that are read after it has run.
    pub fn read_of_state(&self) -> Vec<Slot> {
        let legal = self.choices.iter().flat_map(|moves| moves.legal.iter().copied());
        let goals = self.goals.iter().flatten().map(|goal| goal.slot);
        let mut read: Vec<Slot> = legal.chain([self.terminal.slot]).chain(goals).collect();
        let mut written = FixedBitSet::new();
        self.moves.visit(|slot, is_written| {
            written.grow(slot as usize + 1);
            if is_written {
                written.insert(slot as usize);
            } else if !written[slot as usize] {
                read.push(slot);
            }
        });
        read.extend(self.next.read().into_iter().filter(|&slot| !written.contains(slot as usize)));
        read
    }
}

/// A net without what is not asked for in every step.
fn silent(net: &Net) -> Net {
    let mut silent = net.clone();
    silent.goals.clear();
    silent.percepts.clear();
    silent
}

/// How much work a move is beside the slot of an operand: it is counted, and perhaps chosen.
const CHOICE: usize = 4;

impl Phase {
    /// How many moves are made by code that finds which they are.
    fn moves_to_find(&self) -> usize {
        let many = self.choices.iter().map(|moves| moves.legal.len()).filter(|&count| count > 1);
        many.sum()
    }

    /// How much work a step is, in operands that are read.
    fn work(&self) -> usize {
        let moves: usize = self.choices.iter().map(|moves| moves.legal.len()).sum();
        let next = self.next.plain.len() + self.next.negated.len();
        self.state.named() + self.moves.named() + CHOICE * moves + next
    }
}

/// How much work a gate or wire is in each of the steps.
const WORK: usize = 4;

fn lay_out_goals(
    game: Game<'_>,
    latches: &[u32],
    known: &[Vec<(u32, bool)>],
    meter: &Meter<'_>,
) -> Result<Goals, Exhausted> {
    let Game { net, symbols, order, .. } = game;
    let signals = net.goals.iter().map(|goal| goal.signal).collect();
    let whole = Whole::new(net, signals, latches, known, order, meter)?;
    let values = (net.goals.iter().zip(&whole.outputs))
        .map(|(goal, &holds)| GoalValue { role: goal.role.0, points: goal.points(symbols), holds })
        .collect();
    Ok(Goals { whole, values })
}

impl Whole {
    /// For some signals of a net; `latches` and `known` are those of the [`GameLayout`]. Linear in
    /// the net.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn new(
        net: &Net,
        signals: Vec<Signal>,
        latches: &[u32],
        known: &[Vec<(u32, bool)>],
        order: Order,
        meter: &Meter<'_>,
    ) -> Result<Whole, Exhausted> {
        meter.spend(WORK * (net.len() + net.wires()))?;
        let moves_end = 1 + net.latches.len() + net.inputs.len();
        let input = |place| latch_slot(net.latches.len() + place);
        let fixed = moves_end + kept_slots(net);
        let mut schedule = Schedule::new(net, order, latch_slot, input, fixed, moves_end);
        let gates = schedule.plan(std::slice::from_ref(&signals)).swap_remove(0);
        let program = schedule.program(&gates);
        let outputs = signals.iter().map(|&signal| schedule.read(signal)).collect();
        let operands = gates.iter().flat_map(|&gate| net.operands(gate));
        let is_read: FixedBitSet =
            signals.iter().chain(operands).map(|signal| signal.gate().index()).collect();
        let reads_latch = |latch: u32| is_read.contains(net.latches[latch as usize].gate.index());
        let read = (latches.iter().enumerate()).filter(|&(_, &latch)| reads_latch(latch)).map(
            |(place, &latch)| Transfer { to: latch_slot(latch as usize), from: latch_slot(place) },
        );
        let read = Stretch::of(read);
        let constant = |&(latch, value): &(u32, bool)| {
            reads_latch(latch).then_some(Constant { slot: latch_slot(latch as usize), value })
        };
        let known =
            known.iter().map(|values| values.iter().filter_map(constant).collect()).collect();
        let moves = (net.inputs.iter().enumerate())
            .filter(|(_, of)| is_read.contains(of.gate.index()))
            .map(|(place, _)| (place, input(place)))
            .collect();
        Ok(Whole { program, outputs, read, known, moves, size: schedule.size() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_side_by_side_are_copied_together() {
        let transfers = [(1, 1), (2, 2), (4, 3), (5, 4), (6, 6)];
        let transfers = transfers.map(|(to, from)| Transfer { to, from });
        let stretch = |to, from| Stretch { to, from };
        let expected = [stretch(1..3, 1..3), stretch(4..6, 3..5), stretch(6..7, 6..7)];
        assert_eq!(Stretch::of(transfers.into_iter()), expected);
    }
}
