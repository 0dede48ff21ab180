//! The net of a phase, laid out: a program that says what there is to say about a state, and one that
//! says what becomes of it.

use super::{MoveTerms, Moves, NextState, Phase, WORK, latch_slot};
use crate::phases::Compound;
use crate::program::{Operand, Program, Slot, TRUE};
use crate::schedule::{Order, Schedule};
use fixedbitset::FixedBitSet;
use gdlr_net::net::{Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Meter};

/// Lays out the net of a phase; returns also how many slots it takes. Slots from `fixed` on are used
/// again; those of values that are kept from step to step begin at `kept`.
pub(super) fn phase(
    net: &Net,
    compounds: &[Compound],
    fixed: usize,
    kept: usize,
    order: Order,
    meter: &Meter<'_>,
) -> Result<(Phase, usize), Exhausted> {
    let work = WORK * (net.len() + net.wires());
    meter.spend(work)?;
    let inputs = Inputs::of(net, compounds);
    let mut first: Vec<Signal> = inputs.choosing().flat_map(|(_, of)| inputs.legal(of)).collect();
    first.push(net.terminal);
    first.extend(net.goals.iter().map(|goal| goal.signal));
    let second: Vec<Signal> = net.latches.iter().map(|latch| latch.next).collect();
    let does = |place: usize| inputs.does[place];
    let mut schedule = Schedule::new(net, order, latch_slot, does, fixed, kept);
    let gates = schedule.plan(&[first.clone(), second]);
    meter.spend(work)?;

    let mut state = schedule.program(&gates[0]);
    let mut copies = Vec::new();
    let choices = inputs.choosing().map(|(_, of_role)| {
        let legal = inputs.legal(of_role).map(|signal| match schedule.read(signal) {
            Operand { slot, negated: false } => slot,
            complement => {
                let slot = schedule.take();
                copies.push(slot);
                state.push_copy(slot, complement);
                slot
            }
        });
        let legal = legal.collect();
        let does = of_role.first().map_or(0, |&place| inputs.does[place]);
        let [rows, columns] = rows_and_columns(compounds, of_role);
        Moves { legal, does, rows, columns }
    });
    let choices = choices.collect();
    let terminal = schedule.read(net.terminal);
    let goals = net.goals.iter().map(|goal| schedule.read(goal.signal));
    let goals = (!net.goals.is_empty()).then(|| goals.collect());
    first.iter().for_each(|&signal| schedule.release(signal));
    copies.into_iter().for_each(|slot| schedule.give_back(slot));

    meter.spend(work)?;
    let mut moves = schedule.program(&gates[1]);
    let next = next_state(net, &mut schedule, &mut moves);
    let terms = inputs.choosing().map(|(role, of_role)| MoveTerms {
        role,
        terms: of_role.iter().map(|&place| net.inputs[place].term).collect(),
    });
    let terms = terms.collect();
    let forced = inputs.forced().map(|(role, place)| (role, net.inputs[place].term)).collect();
    let (here, code) = (Vec::new(), None);
    let phase = Phase { here, state, terminal, goals, choices, terms, code, forced, moves, next };
    Ok((phase, schedule.size()))
}

/// The inputs of a net by role, and where it is said that they are made.
struct Inputs<'n> {
    net: &'n Net,
    /// By role: its inputs, rows and columns of compound moves first.
    by_role: Vec<Vec<usize>>,
    /// By input.
    does: Vec<Slot>,
}

impl<'n> Inputs<'n> {
    fn of(net: &'n Net, compounds: &[Compound]) -> Inputs<'n> {
        let mut by_role: Vec<Vec<usize>> = vec![Vec::new(); usize::from(net.roles)];
        let mut is_part = FixedBitSet::with_capacity(net.inputs.len());
        for Compound { role, rows, columns } in compounds {
            for input in rows.iter().chain(columns) {
                is_part.insert(input.index());
                by_role[usize::from(role.0)].push(input.index());
            }
        }
        for (place, input) in net.inputs.iter().enumerate().filter(|(place, _)| !is_part[*place]) {
            by_role[usize::from(input.role.0)].push(place);
        }
        let mut does = vec![0; net.inputs.len()];
        for (at, &place) in by_role.iter().flatten().enumerate() {
            does[place] = latch_slot(net.latches.len() + at);
        }
        let mut inputs = Inputs { net, by_role, does };
        // A move that is always made needs nobody to make it.
        let forced: Vec<usize> = inputs.forced().map(|(_, place)| place).collect();
        forced.into_iter().for_each(|place| inputs.does[place] = TRUE);
        inputs
    }

    /// The only input of a role, if it is always legal.
    fn always(&self, of_role: &[usize]) -> Option<usize> {
        match *of_role {
            [only] if self.net.inputs[only].legal == Signal::TRUE => Some(only),
            _ => None,
        }
    }

    /// The roles that have a choice, with their inputs.
    fn choosing(&self) -> impl Iterator<Item = (u16, &[usize])> + '_ {
        let roles = (0..).zip(self.by_role.iter().map(Vec::as_slice));
        roles.filter(|of| self.always(of.1).is_none())
    }

    /// The other roles, with the only input of each.
    fn forced(&self) -> impl Iterator<Item = (u16, usize)> + '_ {
        (0..).zip(&self.by_role).filter_map(|(role, of_role)| Some((role, self.always(of_role)?)))
    }

    /// The signals that say whether inputs are legal.
    fn legal<'i>(&'i self, of_role: &'i [usize]) -> impl Iterator<Item = Signal> + 'i {
        of_role.iter().map(|&place| self.net.inputs[place].legal)
    }
}

/// How many of the inputs of a role are rows, and how many are columns.
fn rows_and_columns(compounds: &[Compound], of_role: &[usize]) -> [usize; 2] {
    let is_first = |compound: &&Compound| {
        of_role.first().is_some_and(|&first| compound.rows[0].index() == first)
    };
    let compound = compounds.iter().find(is_first);
    compound.map_or([0, 0], |compound| [compound.rows.len(), compound.columns.len()])
}

/// How the next values of latches come into their slots.
fn next_state(net: &Net, schedule: &mut Schedule<'_>, moves: &mut Program) -> NextState {
    NextState::new(net.latches.iter().map(|latch| {
        let is_latch = matches!(net.operation(latch.next.gate()), Operation::Latch(_));
        let from = schedule.read(latch.next);
        if is_latch && latch.next.gate() != latch.gate {
            // Whose slot gets another value at the same time.
            let slot = schedule.take();
            moves.push_copy(slot, from);
            return Operand { slot, negated: false };
        }
        from
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::read;
    use crate::token::Token;
    use gdlr_net::net::Input;

    /// The only move of a role is made although nobody chooses it.
    #[test]
    fn a_move_that_is_always_legal_is_made() {
        let mut net = Net::new(1, 1, 1);
        let Input { gate, .. } = net.inputs[0];
        net.inputs[0].legal = Signal::TRUE;
        net.latches[0].next = Signal::of(gate);
        let (phase, size) = phase(&net, &[], 3, 3, Order::Shapes, &Meter::unlimited()).unwrap();
        assert!(phase.choices.is_empty());
        let mut memory = vec![0u64; size];
        memory[TRUE as usize] = !0;
        phase.moves.execute(Token::portable(), &mut memory);
        let [next] = phase.next.plain[..] else { panic!("{:?}", phase.next) };
        assert_eq!(read(&memory, Operand { slot: next.from, negated: false }), !0);
    }
}
