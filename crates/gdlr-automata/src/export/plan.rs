//! What happens in a turn, before it is written.

use super::conditions::{Conditions, Work};
use super::update::{Update, ordered};
use gdlr_net::net::{InputId, LatchId, Operation, Signal};
use gdlr_net::propnet::{Frame, Unrolled};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// A move of a role.
#[derive(Debug)]
pub(super) struct MovePlan {
    /// The input of the game's net.
    pub input: usize,
    pub legal: Signal,
    /// What it does to variables that nothing else changes.
    pub updates: Vec<Update>,
    /// What is seen of it, if only its role chooses: places of percepts, with their conditions.
    pub percepts: Vec<(usize, Signal)>,
}

/// A role that chooses.
#[derive(Debug)]
pub(super) struct Chooser {
    pub role: usize,
    pub moves: Vec<MovePlan>,
}

impl Chooser {
    /// Whether there is anything to choose.
    pub fn is_free(&self) -> bool {
        self.moves.len() > 1
    }

    /// Says of each move what is seen of it, if only this role chooses and that is not too much
    /// work.
    fn say_percepts(
        &mut self,
        conditions: &mut Conditions,
        percepts: &[(usize, Signal)],
        first_input: usize,
        work: &mut Work<'_>,
    ) -> Option<()> {
        let mut said = Vec::new();
        for plan in &self.moves {
            let input = first_input + plan.input;
            let which = (conditions.inputs[input].0, Some(InputId(input as u32)));
            let mut known = HashMap::new();
            let mut seen = Vec::new();
            for &(place, condition) in percepts {
                let condition = conditions.specialised(condition, which, &mut known, work)?;
                if condition != Signal::FALSE {
                    seen.push((place, condition));
                }
            }
            said.push(seen);
        }
        self.moves.iter_mut().zip(said).for_each(|(plan, seen)| plan.percepts = seen);
        Some(())
    }
}

/// A turn in a mode.
#[derive(Debug)]
pub(super) struct Turn {
    pub terminal: Signal,
    /// In the order of the roles.
    pub choosers: Vec<Chooser>,
    /// By role: its only move, for those that do not choose.
    pub implied: Vec<Option<usize>>,
    /// What happens whatever is chosen, or depends on choices of several.
    pub common: Vec<Update>,
    /// What is seen of it all, where that is not said of each move.
    pub percepts: Vec<(usize, Signal)>,
    /// The modes that can follow.
    pub next: Vec<usize>,
    /// Whether choices are asked for once they have been made.
    pub remembers: bool,
    /// Whether there are views of choices.
    pub computes: bool,
}

/// How many gates are looked at, in each mode, to say of each move what it does.
const MOST_WORK: usize = 1 << 26;

impl Turn {
    /// The turns of all modes; with `joint`, every role chooses.
    pub fn of(
        conditions: &mut Conditions,
        unrolled: &Unrolled,
        joint: bool,
        meter: &Meter<'_>,
    ) -> Result<Vec<Turn>, Exhausted> {
        let modes = 0..unrolled.copies.len();
        modes.map(|number| Turn::of_mode(conditions, unrolled, number, joint, meter)).collect()
    }

    fn of_mode(
        conditions: &mut Conditions,
        unrolled: &Unrolled,
        number: usize,
        joint: bool,
        meter: &Meter<'_>,
    ) -> Result<Turn, Exhausted> {
        let (net, mode) = (&unrolled.net, &unrolled.copies[number]);
        let inputs = mode.legal.len();
        let roles = usize::from(net.roles);
        let role = |input: usize| usize::from(unrolled.roles[input]);
        let mut moves: Vec<Vec<usize>> = vec![Vec::new(); roles];
        for input in (0..inputs).filter(|&input| mode.legal[input] != Signal::FALSE) {
            moves[role(input)].push(input);
        }
        // A role has no ply where it has one move in every state of the mode.
        let implied = |moves: &Vec<usize>| match moves[..] {
            [only] => mode.legal[only] == Signal::TRUE,
            _ => false,
        };
        let mut chooses: Vec<bool> = moves.iter().map(|moves| joint || !implied(moves)).collect();
        if !chooses.contains(&true) {
            chooses[0] = true;
        }
        let several = chooses.iter().filter(|chooses| **chooses).count() > 1;

        // By variable: what happens whatever is chosen, and what choices do.
        let mut effects: HashMap<u32, Vec<ByChoice>> = HashMap::new();
        let mut sets: HashMap<u32, Vec<(u32, Signal)>> = HashMap::new();
        let mut lost: HashMap<u32, Vec<(u32, Signal)>> = HashMap::new();
        for (latch, Frame { set, keep, sets: by_choice, clears }) in mode.frames.iter().enumerate()
        {
            let home = conditions.state.literal(LatchId(latch as u32), false);
            let (variable, value) = (home.variable, home.value);
            if *set != Signal::FALSE {
                sets.entry(variable).or_default().push((value, *set));
            }
            if *keep != Signal::TRUE {
                lost.entry(variable).or_default().push((value, !*keep));
            }
            for (list, is_set) in [(by_choice, true), (clears, false)] {
                let list = list.iter().map(|effect| ByChoice {
                    input: effect.input.index() % inputs,
                    signal: Signal::of(net.inputs[effect.input.index()].gate),
                    value,
                    condition: effect.condition,
                    is_set,
                });
                if list.len() > 0 {
                    effects.entry(variable).or_default().extend(list);
                }
            }
        }
        // With `joint`, roles with one move have a ply, too.
        let choosing: Vec<usize> = (0..roles).filter(|&role| moves[role].len() > 1).collect();
        let first_input = number * inputs;
        let mut work = Work { left: MOST_WORK, meter };
        let mut by_input: Vec<Vec<Update>> = vec![Vec::new(); inputs];
        let mut common = Vec::new();
        for variable in 0..conditions.state.list.len() as u32 {
            meter.spend(1)?;
            let of_choices = effects.remove(&variable).unwrap_or_default();
            let mut sets = sets.remove(&variable).unwrap_or_default();
            let mut lost = lost.remove(&variable).unwrap_or_default();
            let changes = !sets.is_empty() || !lost.is_empty();
            let by: HashSet<usize> = of_choices.iter().map(|effect| role(effect.input)).collect();
            let conditional = sets.iter().chain(&lost).any(|(_, c)| conditions.is_of_moves(*c));
            let conditional = conditional
                || of_choices.iter().any(|effect| conditions.is_of_moves(effect.condition));
            if let [role] = choosing[..]
                && (conditional || changes && !of_choices.is_empty())
                && let Some((other, own)) = special(
                    conditions,
                    variable,
                    (&sets, &lost, &of_choices),
                    (first_input, moves[role][0]),
                    &mut work,
                )
            {
                if own.iter().all(|(_, update)| *update == other) {
                    common.push(other);
                } else {
                    let mut own: HashMap<usize, Update> = own.into_iter().collect();
                    for &input in &moves[role] {
                        meter.spend(1)?;
                        let update = own.remove(&input);
                        let other = || Some(&other).filter(|other| !other.is_nothing()).cloned();
                        by_input[input].extend(update.or_else(other));
                    }
                }
                continue;
            }
            if changes || by.len() > 1 {
                for ByChoice { signal, value, condition, is_set, .. } in of_choices {
                    let happens = conditions.gate(Operation::And, vec![signal, condition]);
                    if is_set { &mut sets } else { &mut lost }.push((value, happens));
                }
                let lost = any_of_each(conditions, lost);
                common.push(Update::new(conditions, variable, sets, &lost));
                continue;
            }
            let mut of_choices = of_choices;
            of_choices.sort_by_key(|effect| effect.input);
            for group in of_choices.chunk_by(|a, b| a.input == b.input) {
                meter.spend(group.len())?;
                let of = |is_set: bool| -> Vec<(u32, Signal)> {
                    let which = group.iter().filter(|effect| effect.is_set == is_set);
                    which.map(|effect| (effect.value, effect.condition)).collect()
                };
                let lost = any_of_each(conditions, of(false));
                let update = Update::new(conditions, variable, of(true), &lost);
                by_input[group[0].input].push(update);
            }
        }
        common.retain(|update| !update.is_nothing());
        by_input.iter_mut().for_each(|updates| updates.retain(|update| !update.is_nothing()));
        let common = ordered(conditions, common);
        let implied = (0..roles).map(|role| match chooses[role] {
            true => None,
            false => Some(moves[role][0]),
        });
        let implied = implied.collect();
        let mut choosers = Vec::new();
        for role in (0..roles).filter(|&role| chooses[role]) {
            let mut plans = Vec::new();
            for &input in &moves[role] {
                let updates = std::mem::take(&mut by_input[input]);
                meter.spend(1 + updates.len() * updates.len())?;
                let updates = ordered(conditions, updates);
                let legal = mode.legal[input];
                plans.push(MovePlan { input, legal, updates, percepts: Vec::new() });
            }
            choosers.push(Chooser { role, moves: plans });
        }
        let next = following(unrolled, number);
        let mut turn = Turn {
            terminal: mode.terminal,
            choosers,
            implied,
            common,
            percepts: mode.percepts.iter().copied().enumerate().collect(),
            next,
            remembers: true,
            computes: true,
        };
        turn.computes = conditions.needs_views_of_moves(&turn.signals());
        let percepts = &turn.percepts;
        if let ([only], false) = (&mut turn.choosers[..], turn.computes)
            && only.say_percepts(conditions, percepts, first_input, &mut work).is_some()
        {
            turn.percepts.clear();
        }
        let reads_moves = conditions.reads(turn.signals()).1;
        turn.remembers = several || reads_moves || turn.computes;
        Ok(turn)
    }

    /// The roles that have something to choose.
    pub fn free(&self) -> impl Iterator<Item = &Chooser> {
        self.choosers.iter().filter(|chooser| chooser.is_free())
    }

    /// All signals that the turn asks for.
    pub fn signals(&self) -> Vec<Signal> {
        let moves = || self.choosers.iter().flat_map(|chooser| &chooser.moves);
        let updates = moves().flat_map(|plan| &plan.updates).chain(&self.common);
        let legal = moves().map(|plan| plan.legal);
        let percepts = moves().flat_map(|plan| &plan.percepts).chain(&self.percepts);
        let percepts = percepts.map(|&(_, condition)| condition);
        legal.chain(updates.flat_map(Update::signals)).chain(percepts).collect()
    }

    /// Marks the variables that are read after they have been written.
    pub fn mark_deferred(&self, conditions: &Conditions, deferred: &mut [bool]) {
        let mut written: HashSet<u32> = HashSet::new();
        let mut mark = |updates: &[Update], written: &HashSet<u32>| {
            let mut here: HashSet<u32> = HashSet::new();
            for update in updates {
                if !written.is_empty() || !here.is_empty() {
                    let signals = update.signals();
                    let (reads, _) = conditions.reads(signals);
                    // Its own old value is read before it is written, but for another section.
                    let own = update.variable;
                    for variable in reads {
                        if written.contains(&variable) || here.contains(&variable) {
                            deferred[variable as usize] = true;
                        }
                    }
                    if update.successors.is_some() && written.contains(&own) {
                        deferred[own as usize] = true;
                    }
                }
                here.insert(update.variable);
            }
            here
        };
        for chooser in &self.choosers {
            let mut here = HashSet::new();
            for plan in &chooser.moves {
                here.extend(mark(&plan.updates, &written));
            }
            written.extend(here);
        }
        mark(&self.common, &written);
    }

    /// The variables that change.
    pub fn written(&self) -> HashSet<u32> {
        let moves = self.choosers.iter().flat_map(|chooser| &chooser.moves);
        let updates = moves.flat_map(|plan| &plan.updates).chain(&self.common);
        updates.map(|update| update.variable).collect()
    }
}

/// A value of a variable, and a condition.
type Case = (u32, Signal);

/// What becomes of a variable by the moves of a role, if only this role chooses: by most of
/// them, and by those that make a difference. `numbers` are those of the mode's first input and
/// of a move of the role.
fn special(
    conditions: &mut Conditions,
    variable: u32,
    (sets, lost, of_choices): (&[Case], &[Case], &[ByChoice]),
    (first_input, any): (usize, usize),
    work: &mut Work<'_>,
) -> Option<(Update, Vec<(usize, Update)>)> {
    let role = conditions.inputs[first_input + any].0;
    let signals = sets.iter().chain(lost).map(|&(_, condition)| condition);
    let inputs = conditions.inputs_of(signals, role, work)?;
    let mut inputs: Vec<usize> = inputs.into_iter().map(|i| i.index() - first_input).collect();
    inputs.extend(of_choices.iter().map(|effect| effect.input));
    inputs.sort_unstable();
    inputs.dedup();
    let mut by_input: HashMap<usize, Vec<&ByChoice>> = HashMap::new();
    of_choices.iter().for_each(|effect| by_input.entry(effect.input).or_default().push(effect));
    let mut update = |input: Option<usize>| {
        let mut known = HashMap::new();
        let number = input.map(|input| InputId((first_input + input) as u32));
        let effects = input.and_then(|input| by_input.get(&input)).map_or(&[][..], Vec::as_slice);
        let mut list = |conditions: &mut Conditions, all: &[(u32, Signal)], is_set: bool| {
            let mut made = Vec::new();
            for &(value, condition) in all {
                let which = (role, number);
                let special = conditions.specialised(condition, which, &mut known, work)?;
                made.push((value, special));
            }
            for effect in effects.iter().filter(|effect| effect.is_set == is_set) {
                let which = (role, number);
                let special = conditions.specialised(effect.condition, which, &mut known, work)?;
                made.push((effect.value, special));
            }
            Some(made)
        };
        let sets = list(conditions, sets, true)?;
        let lost = list(conditions, lost, false)?;
        let lost = any_of_each(conditions, lost);
        Some(Update::new(conditions, variable, sets, &lost))
    };
    let other = update(None)?;
    let own = inputs.into_iter().map(|input| Some((input, update(Some(input))?)));
    Some((other, own.collect::<Option<_>>()?))
}

/// What a choice does to a variable.
struct ByChoice {
    input: usize,
    signal: Signal,
    value: u32,
    condition: Signal,
    is_set: bool,
}

/// One condition a value.
fn any_of_each(conditions: &mut Conditions, mut list: Vec<(u32, Signal)>) -> Vec<(u32, Signal)> {
    list.sort_unstable();
    let groups = list.chunk_by(|a, b| a.0 == b.0);
    let groups = groups.map(|group| {
        let any = group.iter().map(|&(_, condition)| condition).collect();
        (group[0].0, conditions.gate(Operation::Or, any))
    });
    groups.collect()
}

/// The modes that can follow a mode.
pub(super) fn following(unrolled: &Unrolled, number: usize) -> Vec<usize> {
    let (mode, turns) = (&unrolled.copies[number], &unrolled.phases);
    let becomes = |(latch, now): (LatchId, bool)| {
        let frame = mode.frames.get(latch.index())?;
        match (frame.set, frame.keep) {
            (Signal::TRUE, _) => Some(true),
            _ if !frame.sets.is_empty() => None,
            (Signal::FALSE, Signal::FALSE) => Some(false),
            (Signal::FALSE, Signal::TRUE) if frame.clears.is_empty() => Some(now),
            _ => None,
        }
    };
    let next: Vec<Option<bool>> = turns.known(number).map(becomes).collect();
    let fits = |values: &[bool]| {
        next.iter().zip(values).all(|(next, value)| next.is_none_or(|next| next == *value))
    };
    (0..turns.count()).filter(|&other| fits(&turns.values[other])).collect()
}
