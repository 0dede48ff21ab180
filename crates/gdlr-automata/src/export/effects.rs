//! The effects of the moves of a phase on variables.

use super::conditions::{Conditions, Work};
use super::update::{Update, ordered};
use gdlr_net::net::{InputId, LatchId, Operation, Signal};
use gdlr_net::propnet::{Frame, PhaseCopy, Unrolled};
use gdlr_text::budget::Exhausted;
use hashbrown::{HashMap, HashSet};

/// The moves of a phase, and the roles that choose.
pub(super) struct MovesOfRoles {
    /// By role: the inputs of its moves that may be legal.
    pub moves: Vec<Vec<usize>>,
    /// By role: whether it chooses.
    chooses: Vec<bool>,
}

impl MovesOfRoles {
    /// The moves of a phase. With `joint`, every role chooses.
    pub fn of(unrolled: &Unrolled, number: usize, joint: bool) -> MovesOfRoles {
        let legal = &unrolled.copies[number].legal;
        let mut moves: Vec<Vec<usize>> = vec![Vec::new(); usize::from(unrolled.net.roles)];
        for input in (0..legal.len()).filter(|&input| legal[input] != Signal::FALSE) {
            moves[usize::from(unrolled.roles[input])].push(input);
        }
        // A role has no ply if it has one move in every state of the phase.
        let implied = |moves: &Vec<usize>| match moves[..] {
            [only] => legal[only] == Signal::TRUE,
            _ => false,
        };
        let mut chooses: Vec<bool> = moves.iter().map(|moves| joint || !implied(moves)).collect();
        if !chooses.contains(&true) {
            chooses[0] = true;
        }
        MovesOfRoles { moves, chooses }
    }

    /// The roles that choose.
    pub fn choosing(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.moves.len()).filter(|&role| self.chooses[role])
    }

    /// By role that does not choose: its only move.
    pub fn implied(&self) -> Vec<Option<usize>> {
        let of_role = |role: usize| (!self.chooses[role]).then(|| self.moves[role][0]);
        (0..self.moves.len()).map(of_role).collect()
    }

    /// The moves of the only role with several moves. With all roles choosing, roles with one move
    /// have a ply, too.
    fn of_one_role(&self) -> Option<&[usize]> {
        let mut several = self.moves.iter().filter(|moves| moves.len() > 1);
        several.next().filter(|_| several.next().is_none()).map(Vec::as_slice)
    }
}

/// A value of a variable, and a condition.
type Case = (u32, Signal);

/// The effect of a choice on a variable.
struct ByChoice {
    input: usize,
    signal: Signal,
    value: u32,
    condition: Signal,
    is_set: bool,
}

/// The effects on a variable: those of the phase, whatever is chosen, and those of choices.
#[derive(Default)]
struct Effects {
    sets: Vec<Case>,
    lost: Vec<Case>,
    by_choice: Vec<ByChoice>,
}

impl Effects {
    /// By variable: its effects in a phase.
    fn by_variable(
        conditions: &Conditions,
        unrolled: &Unrolled,
        copy: &PhaseCopy,
    ) -> HashMap<u32, Effects> {
        let inputs = copy.legal.len();
        let mut effects: HashMap<u32, Effects> = HashMap::new();
        for (latch, Frame { set, keep, sets, clears }) in copy.frames.iter().enumerate() {
            let home = conditions.state.literal(LatchId(latch as u32), false);
            let effects = effects.entry(home.variable).or_default();
            let value = home.value;
            if *set != Signal::FALSE {
                effects.sets.push((value, *set));
            }
            if *keep != Signal::TRUE {
                effects.lost.push((value, !*keep));
            }
            for (list, is_set) in [(sets, true), (clears, false)] {
                effects.by_choice.extend(list.iter().map(|effect| ByChoice {
                    input: effect.input.index() % inputs,
                    signal: Signal::of(unrolled.net.inputs[effect.input.index()].gate),
                    value,
                    condition: effect.condition,
                    is_set,
                }));
            }
        }
        effects
    }

    /// Whether there are effects that no choice decides.
    fn changes(&self) -> bool {
        !self.sets.is_empty() || !self.lost.is_empty()
    }

    /// Whether effects depend on moves in another way than by their own choice.
    fn is_conditional(&self, conditions: &Conditions) -> bool {
        let cases = self.sets.iter().chain(&self.lost).map(|case| case.1);
        let by_choice = self.by_choice.iter().map(|effect| effect.condition);
        cases.chain(by_choice).any(|condition| conditions.is_of_moves(condition))
    }

    /// Whether choices of several roles have effects.
    fn is_of_several(&self, unrolled: &Unrolled) -> bool {
        let roles = self.by_choice.iter().map(|effect| unrolled.roles[effect.input]);
        roles.collect::<HashSet<u16>>().len() > 1
    }
}

/// The updates of variables in a phase. Updates that do nothing are left out.
pub(super) struct Updates {
    /// By input: the updates of variables that only this move changes.
    pub by_input: Vec<Vec<Update>>,
    /// The updates that no choice decides, or that depend on choices of several roles.
    pub common: Vec<Update>,
}

impl Updates {
    /// The updates of a phase.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn of(
        conditions: &mut Conditions,
        unrolled: &Unrolled,
        number: usize,
        of_roles: &MovesOfRoles,
        work: &mut Work<'_>,
    ) -> Result<Updates, Exhausted> {
        let copy = &unrolled.copies[number];
        let inputs = copy.legal.len();
        let mut effects = Effects::by_variable(conditions, unrolled, copy);
        let mut updates = Updates { by_input: vec![Vec::new(); inputs], common: Vec::new() };
        for variable in 0..conditions.state.list.len() as u32 {
            work.meter.spend(1)?;
            let effects = effects.remove(&variable).unwrap_or_default();
            let changes = effects.changes();
            if let Some(moves) = of_roles.of_one_role()
                && (effects.is_conditional(conditions) || changes && !effects.by_choice.is_empty())
                && let Some((other, own)) =
                    special(conditions, variable, &effects, (number * inputs, moves[0]), work)
            {
                updates.add_special(moves, other, own, work)?;
            } else if changes || effects.is_of_several(unrolled) {
                updates.add_common(conditions, variable, effects);
            } else {
                updates.add_each(conditions, variable, effects.by_choice, work)?;
            }
        }
        let Updates { by_input, common } = &mut updates;
        common.retain(|update| !update.is_nothing());
        by_input.iter_mut().for_each(|updates| updates.retain(|update| !update.is_nothing()));
        updates.common = ordered(conditions, std::mem::take(common));
        Ok(updates)
    }

    /// Adds the update of a variable by most moves of the only role that chooses, and the different
    /// updates by its other moves.
    fn add_special(
        &mut self,
        moves: &[usize],
        other: Update,
        own: Vec<(usize, Update)>,
        work: &Work<'_>,
    ) -> Result<(), Exhausted> {
        if own.iter().all(|(_, update)| *update == other) {
            self.common.push(other);
            return Ok(());
        }
        let mut own: HashMap<usize, Update> = own.into_iter().collect();
        for &input in moves {
            work.meter.spend(1)?;
            let update = own.remove(&input);
            let other = || Some(&other).filter(|other| !other.is_nothing()).cloned();
            self.by_input[input].extend(update.or_else(other));
        }
        Ok(())
    }

    /// Adds the update of a variable by all effects together.
    fn add_common(&mut self, conditions: &mut Conditions, variable: u32, effects: Effects) {
        let Effects { mut sets, mut lost, by_choice } = effects;
        for ByChoice { signal, value, condition, is_set, .. } in by_choice {
            let happens = conditions.gate(Operation::And, vec![signal, condition]);
            if is_set { &mut sets } else { &mut lost }.push((value, happens));
        }
        let lost = any_of_each(conditions, lost);
        self.common.push(Update::new(conditions, variable, sets, &lost));
    }

    /// Adds the updates of a variable by each move alone.
    fn add_each(
        &mut self,
        conditions: &mut Conditions,
        variable: u32,
        mut by_choice: Vec<ByChoice>,
        work: &Work<'_>,
    ) -> Result<(), Exhausted> {
        by_choice.sort_by_key(|effect| effect.input);
        for group in by_choice.chunk_by(|a, b| a.input == b.input) {
            work.meter.spend(group.len())?;
            let of = |is_set: bool| -> Vec<Case> {
                let which = group.iter().filter(|effect| effect.is_set == is_set);
                which.map(|effect| (effect.value, effect.condition)).collect()
            };
            let lost = any_of_each(conditions, of(false));
            let update = Update::new(conditions, variable, of(true), &lost);
            self.by_input[group[0].input].push(update);
        }
        Ok(())
    }
}

/// The updates of a variable if only one role chooses: the update by most of its moves, and the
/// moves with a different update. `first_input` is the number of the first input of the phase, and
/// `any` the number of a move of the role.
fn special(
    conditions: &mut Conditions,
    variable: u32,
    Effects { sets, lost, by_choice: of_choices }: &Effects,
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
        let mut specialised = HashMap::new();
        let number = input.map(|input| InputId((first_input + input) as u32));
        let effects = input.and_then(|input| by_input.get(&input)).map_or(&[][..], Vec::as_slice);
        let mut list = |conditions: &mut Conditions, all: &[(u32, Signal)], is_set: bool| {
            let mut cases = Vec::new();
            for &(value, condition) in all {
                let which = (role, number);
                let special = conditions.specialised(condition, which, &mut specialised, work)?;
                cases.push((value, special));
            }
            for effect in effects.iter().filter(|effect| effect.is_set == is_set) {
                let which = (role, number);
                let special =
                    conditions.specialised(effect.condition, which, &mut specialised, work)?;
                cases.push((effect.value, special));
            }
            Some(cases)
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

/// Joins the conditions of each value.
fn any_of_each(conditions: &mut Conditions, mut list: Vec<(u32, Signal)>) -> Vec<(u32, Signal)> {
    list.sort_unstable();
    let groups = list.chunk_by(|a, b| a.0 == b.0);
    let groups = groups.map(|group| {
        let any = group.iter().map(|&(_, condition)| condition).collect();
        (group[0].0, conditions.gate(Operation::Or, any))
    });
    groups.collect()
}
