//! Modes: a net unrolled over the phases of a game.
//!
//! Most of what a step changes in a net changes because a phase of the game ends: whose turn
//! it is, say. Half of all moves cease to be legal and the other half become so, the player
//! who did nothing does something, and every frame rule is told. So the net is copied once
//! for each *mode*, that is for each way in which a few latches can be set, and simplified
//! with their values: the moves of the other player are gone, a role with one move makes it.
//! What does not depend on these latches the copies share. All copies follow the state at
//! all times; which of them is asked depends on the mode.
//!
//! ```text
//! legal(m) = white and p          with white: p         with black: false
//! next(l) = m or (l and not n)    with white: as is     with black: l
//! ```
//!
//! The modes that can occur are found from the initial one: successors of the latches are
//! computed with three values, all other latches and the choice of moves being unknown, and
//! both cases are gone into where it is unknown what becomes of a latch. This and all copying
//! is linear in the net for each mode. Which latches tell modes apart is found by trying a
//! few sets of them: the one with the least [work](super::activity) is taken if it saves
//! enough, and then another one may be added to it.
//!
//! How a copy computes the successors of latches is taken apart by [`frames`](super::frames).

use super::activity::Activity;
use super::frames::Frame;
use super::gates::{GateId, Goal, Net, Operation, Signal};
use super::rebuild::simplify;
use crate::budget::{Exhausted, Memory, Meter};
use hashbrown::{DefaultHashBuilder, HashSet, HashTable};
use std::cmp::Reverse;
use std::hash::BuildHasher;

/// The most latches that tell modes apart.
const MOST_LATCHES: usize = 10;
/// The most modes.
const MOST_MODES: usize = 12;
/// How many latches are looked at: those whose changes most gates hear of.
const CANDIDATES: usize = 4;
/// How many sets of latches are put together.
const MOST_SETS: usize = 2;

/// A copy of what depends on the mode.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    /// Whether the state is terminal.
    pub terminal: Signal,
    /// By input: whether it is legal.
    pub legal: Vec<Signal>,
    /// By latch, if there is a next state.
    pub frames: Vec<Frame>,
}

/// What limits how far a net is taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most effects on a latch, more or less.
    pub effects_of_latch: usize,
    /// How much larger than the net the lists of effects may be.
    pub effects_of_wire: usize,
}

impl Bounds {
    /// For play, where what many latches depend on is better computed once.
    pub const PLAY: Bounds = Bounds { effects_of_latch: 1 << 10, effects_of_wire: 4 };
    /// For automata, where each move is to do what it does by itself.
    pub const AUTOMATON: Bounds = Bounds { effects_of_latch: usize::MAX, effects_of_wire: 16 };
}

/// A net with its modes.
#[derive(Clone, Debug)]
pub(crate) struct Unrolled {
    /// The gates of all copies. Latches are those of the net; input `i` in the mode `m` has
    /// the number `m * inputs + i`. Terminal and goals are not copied, all other outputs are
    /// those of the modes.
    pub net: Net,
    /// The latches that tell modes apart.
    pub latches: Vec<u32>,
    /// By the values of these latches, the first the lowest bit: the mode.
    pub table: Vec<u16>,
    /// By mode: the values of these latches, likewise.
    pub keys: Vec<usize>,
    /// By input of the net that was unrolled: its role.
    pub roles: Vec<u16>,
    pub modes: Vec<Mode>,
}

impl Unrolled {
    /// A net with one mode.
    pub fn single(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        Copies::unrolled(net, &[], &[0], Bounds::PLAY, meter)
    }

    /// The net copied again, for the same modes.
    pub(crate) fn again(
        &self,
        net: &Net,
        bounds: Bounds,
        meter: &Meter<'_>,
    ) -> Result<Unrolled, Exhausted> {
        Copies::unrolled(net, &self.latches, &self.keys, bounds, meter)
    }

    /// The net copied for each mode, if modes are found that save work.
    pub(crate) fn with_modes(
        net: &Net,
        activity: &Activity,
        eager: bool,
        meter: &Meter<'_>,
    ) -> Result<Option<Unrolled>, Exhausted> {
        let mut best: Option<Unrolled> = None;
        let mut least = activity.work(&Unrolled::single(net, meter)?);
        for _ in 0..if eager { 1 } else { MOST_SETS } {
            let already = best.as_ref().map_or(&[][..], |unrolled| &unrolled.latches);
            let mut tried: Option<(usize, Unrolled)> = None;
            for latches in candidates(net, already, activity) {
                meter.spend(MOST_MODES * net.len())?;
                let Some(modes) = reachable_modes(net, &latches) else { continue };
                let unrolled = Copies::unrolled(net, &latches, &modes, Bounds::PLAY, meter)?;
                let work = activity.work(&unrolled);
                if tried.as_ref().is_none_or(|(least, _)| work < *least) {
                    tried = Some((work, unrolled));
                }
            }
            let Some((work, unrolled)) = tried else { break };
            // More modes take more memory, so they must save a fifth, or a little if `eager`.
            if 5 * work > if eager { 5 } else { 4 } * least {
                break;
            }
            (best, least) = (Some(unrolled), work);
        }
        Ok(best)
    }

    /// The mode of a state.
    pub fn mode(&self, is_true: impl Fn(u32) -> bool) -> usize {
        let latches = self.latches.iter().rev();
        let key = latches.fold(0, |key, &latch| key << 1 | usize::from(is_true(latch)));
        usize::from(self.table[key])
    }
}

/// Sets of latches that may tell modes apart, each with those that already do: latches whose
/// future depends on few of them and on no move, exclusive groups, and single latches.
fn candidates(net: &Net, already: &[u32], activity: &Activity) -> Vec<Vec<u32>> {
    let readers = readers(net);
    let work =
        |latch: &u32| readers[net.latches[*latch as usize].gate.index()] * activity.changes(*latch);
    let mut latches: Vec<u32> = (0..net.latches.len() as u32)
        .filter(|latch| !already.contains(latch) && work(latch) > 0)
        .collect();
    latches.sort_by_key(|latch| Reverse(work(latch)));
    latches.truncate(CANDIDATES);
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for latch in latches {
        let own = Signal::of(net.latches[latch as usize].gate);
        let has = |group: &&Vec<Signal>| group.contains(&own) || group.contains(&!own);
        let group = net.exclusive.iter().find(has).into_iter().flatten();
        let exclusive: Vec<u32> = group.filter_map(|signal| latch_of(net, *signal)).collect();
        let closed = closure(net, latch);
        for mut set in [closed.unwrap_or_else(|| vec![latch]), exclusive] {
            set.extend_from_slice(already);
            set.sort_unstable();
            set.dedup();
            if set.len() <= MOST_LATCHES && set.contains(&latch) && !sets.contains(&set) {
                sets.push(set);
            }
        }
    }
    sets
}

/// By gate: how many gates and moves read it.
fn readers(net: &Net) -> Vec<u32> {
    let mut readers = vec![0u32; net.len()];
    for gate in net.computed() {
        net.operands(gate).iter().for_each(|operand| readers[operand.gate().index()] += 1);
    }
    net.inputs.iter().for_each(|input| readers[input.legal.gate().index()] += 1);
    readers
}

fn latch_of(net: &Net, signal: Signal) -> Option<u32> {
    match net.operation(signal.gate()) {
        Operation::Latch(latch) => Some(latch),
        _ => None,
    }
}

/// A latch and all that its future depends on, if that is few latches and no move.
fn closure(net: &Net, latch: u32) -> Option<Vec<u32>> {
    let mut set = vec![latch];
    let mut done = 0;
    while let Some(&latch) = set.get(done) {
        done += 1;
        let mut open = vec![net.latches[latch as usize].next.gate()];
        let mut seen = 0;
        while let Some(gate) = open.pop() {
            seen += 1;
            match net.operation(gate) {
                Operation::Input(_) => return None,
                Operation::Latch(latch) if !set.contains(&latch) => set.push(latch),
                _ => open.extend(net.operands(gate).iter().map(|operand| operand.gate())),
            }
            if set.len() > MOST_LATCHES || seen > 8 * MOST_LATCHES {
                return None;
            }
        }
    }
    Some(set)
}

/// The value of a gate, if it is known.
type Known = Option<bool>;

fn known(values: &[Known], signal: Signal) -> Known {
    values[signal.gate().index()].map(|value| value != signal.is_negated())
}

/// The modes that can occur, as values of the latches, the initial one first; `None` if there
/// are too many, or only one.
fn reachable_modes(net: &Net, latches: &[u32]) -> Option<Vec<usize>> {
    let mut initial = 0;
    for (place, &latch) in latches.iter().enumerate() {
        initial |= usize::from(net.latches[latch as usize].initial) << place;
    }
    let mut modes = vec![initial];
    let mut done = 0;
    while done < modes.len() {
        for mode in next_modes(net, latches, modes[done])? {
            if !modes.contains(&mode) {
                modes.push(mode);
            }
        }
        if modes.len() > MOST_MODES {
            return None;
        }
        done += 1;
    }
    (modes.len() > 1).then_some(modes)
}

/// Whether no exclusive group has two true members among these latches.
fn is_allowed(net: &Net, latches: &[u32], mode: usize) -> bool {
    let is_true = |signal: &&Signal| {
        let latch = latch_of(net, **signal);
        let place = latches.iter().position(|&other| latch == Some(other));
        place.is_some_and(|place| (mode >> place & 1 == 1) != signal.is_negated())
    };
    net.exclusive.iter().all(|group| group.iter().filter(is_true).count() < 2)
}

/// The modes that can follow one; `None` if these alone are too many.
fn next_modes(net: &Net, latches: &[u32], mode: usize) -> Option<Vec<usize>> {
    let mut values: Vec<Known> = vec![None; net.len()];
    values[0] = Some(true);
    for (place, &latch) in latches.iter().enumerate() {
        values[net.latches[latch as usize].gate.index()] = Some(mode >> place & 1 == 1);
    }
    compute(net, &mut values);
    let legal: Vec<Known> = net.inputs.iter().map(|input| known(&values, input.legal)).collect();
    let Some(choices) = choices(net, |input| legal[input] != Some(false)) else {
        return Some(Vec::new());
    };
    for (input, choice) in net.inputs.iter().zip(choices) {
        values[input.gate.index()] = choice;
    }
    compute(net, &mut values);
    let mut modes = vec![0];
    for (place, &latch) in latches.iter().enumerate() {
        let next = known(&values, net.latches[latch as usize].next);
        let first = if next.is_none() { modes.len() } else { 0 };
        if next.is_none() {
            modes.extend_from_within(..);
        }
        if next != Some(false) {
            modes[first..].iter_mut().for_each(|mode| *mode |= 1 << place);
        }
        modes.retain(|&mode| is_allowed(net, &latches[..=place], mode));
        if modes.len() > MOST_MODES {
            return None;
        }
    }
    Some(modes)
}

/// Computes what follows from the values that are known. What is read before it is computed
/// is not known.
fn compute(net: &Net, values: &mut [Known]) {
    for gate in net.computed() {
        let decisive = net.operation(gate) == Operation::Or;
        let mut value = Some(!decisive);
        for &operand in net.operands(gate) {
            match known(values, operand) {
                Some(operand) if operand == decisive => {
                    value = Some(decisive);
                    break;
                }
                None => value = None,
                Some(_) => {}
            }
        }
        values[gate.index()] = value;
    }
}

/// By input: whether it is chosen, as far as that is known, if `can_be_legal` says which can
/// be legal at all. `None` if a role has no move.
fn choices(net: &Net, can_be_legal: impl Fn(usize) -> bool) -> Option<Vec<Known>> {
    let mut moves = vec![0u32; usize::from(net.roles)];
    for (place, input) in net.inputs.iter().enumerate() {
        moves[usize::from(input.role.0)] += u32::from(can_be_legal(place));
    }
    if moves.contains(&0) {
        return None;
    }
    let choice = |place: usize| match moves[usize::from(net.inputs[place].role.0)] {
        _ if !can_be_legal(place) => Some(false),
        1 => Some(true),
        _ => None,
    };
    Some((0..net.inputs.len()).map(choice).collect())
}

/// Makes the copies.
pub(crate) struct Copies<'n> {
    old: &'n Net,
    pub net: Net,
    /// By gate of the new net: whether it depends on moves.
    pub of_moves: Vec<bool>,
    /// By gate of the new net: how many gates and successors of latches read it.
    pub readers: Vec<u32>,
    /// By gate of the new net, for moves, Ors of moves and their complements: whether it is the
    /// complement.
    pub choices: Vec<Option<bool>>,
    pub bounds: Bounds,
    /// Of signals of latches: what implies what.
    pub implications: HashSet<(Signal, Signal)>,
    /// How many more effects this copy may have.
    pub effects_left: usize,
    /// By gate of the old net: what stands for it in the copy in hand.
    map: Vec<Signal>,
    gates: HashTable<GateId>,
    hasher: DefaultHashBuilder,
}

impl<'n> Copies<'n> {
    fn unrolled(
        old: &'n Net,
        latches: &[u32],
        modes: &[usize],
        bounds: Bounds,
        meter: &Meter<'_>,
    ) -> Result<Unrolled, Exhausted> {
        meter.spend(old.len() + old.wires())?;
        let mut copies = Copies::new(old, modes.len(), bounds);
        let moves = old.inputs.iter().map(|input| input.gate);
        let phases = latches.iter().map(|&latch| old.latches[latch as usize].gate);
        let of_moves = dependent(old, moves);
        let mut of_state = asked_of_states(old);
        of_state.iter_mut().zip(&of_moves).for_each(|(of_state, of_moves)| *of_state |= !of_moves);
        let mut of_mode = dependent(old, phases.clone());
        of_mode.iter_mut().zip(&of_state).for_each(|(of_mode, of_state)| *of_mode &= of_state);
        copies.copy_shared(&of_state);
        let shared = copies.map.clone();
        let mut table = vec![0; 1 << latches.len()];
        let mut made = Vec::with_capacity(modes.len());
        for (number, &mode) in modes.iter().enumerate() {
            table[mode] = number as u16;
            copies.map.clone_from(&shared);
            for (place, gate) in phases.clone().enumerate() {
                copies.map[gate.index()] = Signal::FALSE.negated_if(mode >> place & 1 == 1);
            }
            made.push(copies.mode(number, &of_mode, &of_moves));
            meter.hold(Memory::Scratch, copies.net.wire_bytes());
            meter.spend(old.len() + old.wires())?;
        }
        Ok(Unrolled {
            net: copies.net,
            latches: latches.to_vec(),
            table,
            keys: modes.to_vec(),
            roles: old.inputs.iter().map(|input| input.role.0).collect(),
            modes: made,
        })
    }

    /// A net of latches and inputs.
    fn new(old: &'n Net, modes: usize, bounds: Bounds) -> Self {
        let mut net = Net::new(old.latches.len(), old.inputs.len() * modes, old.roles);
        let mut map = vec![Signal::FALSE; old.len()];
        map[0] = Signal::TRUE;
        for (latch, made) in old.latches.iter().zip(&mut net.latches) {
            map[latch.gate.index()] = Signal::of(made.gate);
            made.initial = latch.initial;
        }
        let mut of_moves = vec![false; net.len()];
        of_moves[1 + net.latches.len()..].fill(true);
        let mut choices = vec![None; net.len()];
        choices[1 + net.latches.len()..].fill(Some(false));
        Copies {
            old,
            of_moves,
            choices,
            readers: vec![0; net.len()],
            bounds,
            implications: implications(old),
            effects_left: 0,
            net,
            map,
            gates: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Copies what depends on the state only. No move is made in it.
    fn copy_shared(&mut self, of_state: &[bool]) {
        self.copy(of_state, false);
        let goals = self.old.goals.iter();
        let goal = |goal: &Goal| Goal { signal: self.mapped(goal.signal), ..goal.clone() };
        self.net.goals = goals.map(goal).collect();
        self.net.terminal = self.mapped(self.old.terminal);
    }

    fn mapped(&self, old: Signal) -> Signal {
        self.map[old.gate().index()].negated_if(old.is_negated())
    }

    /// Copies gates, which all depend on moves, or none does.
    fn copy(&mut self, which: &[bool], of_moves: bool) {
        let old = self.old;
        let gates = || old.computed().filter(|gate| which[gate.index()]);
        for knot in gates().filter(|&gate| old.is_knot(gate)) {
            self.map[knot.index()] = self.net.knot();
            self.of_moves.push(of_moves);
            self.choices.push(None);
            self.readers.push(0);
        }
        let mut operands = Vec::new();
        for gate in gates() {
            operands.clear();
            operands.extend(old.operands(gate).iter().map(|&operand| self.mapped(operand)));
            if !old.is_knot(gate) {
                self.map[gate.index()] = self.gate(old.operation(gate), &mut operands);
            }
        }
        for knot in gates().filter(|&gate| old.is_knot(gate)) {
            operands.clear();
            operands.extend(old.operands(knot).iter().map(|&operand| self.mapped(operand)));
            self.net.tie(self.map[knot.index()], &operands);
        }
    }

    /// A gate with these operands, or what does the same.
    pub fn gate(&mut self, operation: Operation, operands: &mut Vec<Signal>) -> Signal {
        if let Some(signal) = simplify(operation, operands) {
            return signal;
        }
        let Copies { net, of_moves, choices, readers, gates, hasher, .. } = self;
        let hash = hasher.hash_one((operation, &operands[..]));
        let is_same =
            |&gate: &GateId| net.operation(gate) == operation && net.operands(gate) == operands;
        if let Some(&gate) = gates.find(hash, is_same) {
            return Signal::of(gate);
        }
        let signal = net.add(operation, operands);
        operands.iter().for_each(|operand| readers[operand.gate().index()] += 1);
        readers.push(0);
        let negated = operation == Operation::And;
        let is_move = |operand: &Signal| {
            matches!(net.operation(operand.gate()), Operation::Input(_))
                && operand.is_negated() == negated
        };
        choices.push(operands.iter().all(is_move).then_some(negated));
        of_moves.push(operands.iter().any(|operand| of_moves[operand.gate().index()]));
        gates.insert_unique(hash, signal.gate(), |&gate| {
            hasher.hash_one((net.operation(gate), net.operands(gate)))
        });
        signal
    }

    /// A copy of what depends on the mode or on moves, the rest being there.
    fn mode(&mut self, number: usize, of_mode: &[bool], of_moves: &[bool]) -> Mode {
        let old = self.old;
        self.copy(of_mode, false);
        let terminal = self.mapped(old.terminal);
        let legal: Vec<Signal> = old.inputs.iter().map(|i| self.mapped(i.legal)).collect();
        let Some(choices) = choices(old, |input| legal[input] != Signal::FALSE) else {
            return Mode { terminal, legal, frames: Vec::new() };
        };
        let first = number * old.inputs.len();
        for (place, (input, choice)) in old.inputs.iter().zip(choices).enumerate() {
            self.map[input.gate.index()] = match choice {
                Some(chosen) => Signal::FALSE.negated_if(chosen),
                None => Signal::of(self.net.inputs[first + place].gate),
            };
        }
        self.copy(of_moves, true);
        self.effects_left = self.bounds.effects_of_wire * old.wires();
        let latches = self.net.latches.iter().map(|latch| Signal::of(latch.gate));
        let successors = old.latches.iter().map(|latch| self.mapped(latch.next));
        let pairs: Vec<(Signal, Signal)> = latches.zip(successors).collect();
        pairs.iter().for_each(|(_, next)| self.readers[next.gate().index()] += 1);
        let frames = pairs.into_iter().map(|pair| self.frame(pair)).collect();
        Mode { terminal, legal, frames }
    }
}

/// The signals of latches that a signal of a latch implies to be true, as pairs of both: of the
/// former, groups have the complement.
fn implications(net: &Net) -> HashSet<(Signal, Signal)> {
    let of_group = |group: &[Signal]| -> Vec<(Signal, Signal)> {
        let implied = group.iter().filter(|member| member.is_negated());
        let pairs = implied.flat_map(|&implied| group.iter().map(move |&by| (by, !implied)));
        pairs.filter(|(by, implied)| *by != !*implied).collect()
    };
    net.exclusive.iter().flat_map(|group| of_group(group)).collect()
}

/// By gate: whether terminal, goals or legality depend on it. Rules may let these depend on
/// moves, which they must not.
fn asked_of_states(net: &Net) -> Vec<bool> {
    let legal = net.inputs.iter().map(|input| input.legal);
    let goals = net.goals.iter().map(|goal| goal.signal);
    reached(net, legal.chain(goals).chain([net.terminal]))
}

/// By gate: whether one of the signals depends on it.
pub(crate) fn reached(net: &Net, from: impl Iterator<Item = Signal>) -> Vec<bool> {
    let mut seen = vec![false; net.len()];
    let mut open: Vec<GateId> = from.map(Signal::gate).collect();
    while let Some(gate) = open.pop() {
        if !std::mem::replace(&mut seen[gate.index()], true) {
            open.extend(net.operands(gate).iter().map(|operand| operand.gate()));
        }
    }
    seen
}

/// By gate: whether it depends on one of these.
fn dependent(net: &Net, sources: impl Iterator<Item = GateId>) -> Vec<bool> {
    let mut depends = vec![false; net.len()];
    sources.for_each(|gate| depends[gate.index()] = true);
    // Feedback takes more than one round.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for gate in net.computed().filter(|gate| !net.operands(*gate).is_empty()) {
            let now = net.operands(gate).iter().any(|operand| depends[operand.gate().index()]);
            changed |= now && !depends[gate.index()];
            depends[gate.index()] = now;
        }
    }
    depends
}

impl Unrolled {
    /// All signals that play asks for.
    pub fn outputs(&self) -> impl Iterator<Item = Signal> + '_ {
        let frames = self.modes.iter().flat_map(|mode| mode.frames.iter().flat_map(Frame::signals));
        let legal = self.modes.iter().flat_map(|mode| mode.legal.iter().copied());
        legal.chain(frames).chain([self.net.terminal])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::RoleId;

    fn latch(net: &Net, place: usize) -> Signal {
        Signal::of(net.latches[place].gate)
    }

    fn input(net: &Net, place: usize) -> Signal {
        Signal::of(net.inputs[place].gate)
    }

    /// Two players take turns: latches 0 and 1. Each has a move that sets a latch, 2 or 3,
    /// and stays set, and waits with another one when it is not its turn.
    fn turns() -> Net {
        let mut net = Net::new(4, 4, 2);
        for role in 0..2 {
            let (turn, done) = (latch(&net, role), latch(&net, 2 + role));
            let (act, wait) = (2 * role, 2 * role + 1);
            net.inputs[act].legal = net.add(Operation::And, &[turn, !done]);
            net.inputs[wait].legal = !turn;
            net.inputs[act].role = RoleId(role as u16);
            net.inputs[wait].role = RoleId(role as u16);
            let waits = input(&net, wait);
            let stay = net.add(Operation::And, &[waits, done]);
            let kept = net.add(Operation::And, &[!waits, done]);
            let acts = input(&net, act);
            net.latches[2 + role].next = net.add(Operation::Or, &[acts, stay, kept]);
            net.latches[role].next = latch(&net, 1 - role);
        }
        net.latches[0].initial = true;
        net
    }

    #[test]
    fn players_who_take_turns_have_two_modes() {
        let net = turns();
        assert_eq!(closure(&net, 1), Some(vec![1, 0]));
        assert_eq!(closure(&net, 2), None);
        assert_eq!(reachable_modes(&net, &[0, 1]), Some(vec![0b01, 0b10]));
        let unrolled =
            Copies::unrolled(&net, &[0, 1], &[0b01, 0b10], Bounds::PLAY, &Meter::unlimited())
                .expect("no limit");
        assert_eq!(unrolled.mode(|latch| latch == 0), 0);
        assert_eq!(unrolled.mode(|latch| latch == 1), 1);
        let not_done = !latch(&unrolled.net, 2);
        let first = &unrolled.modes[0];
        assert_eq!(first.legal, [not_done, Signal::FALSE, Signal::FALSE, Signal::TRUE]);
        // The first player has one move, which it makes; the second waits.
        assert_eq!((first.frames[2].set, first.frames[2].keep), (Signal::TRUE, Signal::FALSE));
        assert_eq!((first.frames[3].set, first.frames[3].keep), (Signal::FALSE, Signal::TRUE));
        assert_eq!(first.frames[0].set, Signal::FALSE);
        assert_eq!(first.frames[1].set, Signal::TRUE);
    }

    #[test]
    fn a_mode_that_depends_on_a_move_can_come_or_not() {
        let mut net = turns();
        let either = net.add(Operation::Or, &[input(&net, 0), latch(&net, 1)]);
        net.latches[0].next = either;
        // The only move of a mode is known to be made.
        assert_eq!(reachable_modes(&net, &[0, 1]), Some(vec![0b01, 0b11]));
        net.inputs[1].legal = Signal::TRUE;
        assert_eq!(reachable_modes(&net, &[0, 1]), Some(vec![0b01, 0b10, 0b11]));
        net.exclusive = vec![vec![latch(&net, 0), latch(&net, 1)]];
        assert_eq!(reachable_modes(&net, &[0, 1]), Some(vec![0b01, 0b10]));
    }

    #[test]
    fn any_one_of_an_exclusive_group_can_follow() {
        let mut net = Net::new(11, 10, 1);
        for place in 0..10 {
            net.inputs[place].legal = Signal::TRUE;
            net.latches[place].next = input(&net, place);
        }
        let latches: Vec<u32> = (0..10).collect();
        assert_eq!(reachable_modes(&net, &latches), None);
        net.exclusive = vec![(0..10).map(|place| latch(&net, place)).collect()];
        let mut modes = reachable_modes(&net, &latches).expect("eleven modes");
        modes.sort_unstable();
        let single: Vec<usize> = (0..10).map(|place| 1 << place).collect();
        assert_eq!(modes, [&[0][..], &single].concat());
        // With a latch that nobody knows anything of, they are too many.
        net.latches[10].next = net.add(Operation::Or, &[input(&net, 0), latch(&net, 10)]);
        let all: Vec<u32> = (0..11).collect();
        assert_eq!(reachable_modes(&net, &all), None);
    }

    #[test]
    fn one_mode_is_none_and_many_are_too_many() {
        let mut net = turns();
        net.latches[0].next = latch(&net, 0);
        assert_eq!(reachable_modes(&net, &[0]), None);
        let mut net = Net::new(4, 0, 0);
        assert_eq!(reachable_modes(&net, &[0, 1, 2, 3]), None);
        for place in 0..4 {
            net.latches[place].next = !latch(&net, (place + 1) % 4);
        }
        assert_eq!(reachable_modes(&net, &[0, 1, 2, 3]).map(|modes| modes.len()), Some(2));
        let mut larger = Net::new(8, 0, 0);
        for place in 0..4 {
            larger.latches[place].next = Signal::of(larger.latches[place + 4].gate);
        }
        assert_eq!(reachable_modes(&larger, &[0, 1, 2, 3]), None);
    }
}
