//! The engine `propnet`: one state at a time, evaluated incrementally.

use super::circuit::Circuit;
use super::propagate::Scratch;
use crate::engine::{Engine, GoalError, MoveId, RoleId, StepError};
use crate::gdl::{Game, Term};
use crate::ground::{Budget, GroundError};
use crate::net::{Goal, Net, Operation, Signal};
use hashbrown::HashMap;

const NO_INPUT: u32 = u32::MAX;

/// A state of the engine `propnet`: a bit for each latch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    bits: Box<[u64]>,
}

impl State {
    /// The initial state of a net.
    pub(crate) fn initial(net: &Net) -> State {
        let mut bits = vec![0u64; net.latches.len().div_ceil(64)];
        for (place, latch) in net.latches.iter().enumerate() {
            bits[place / 64] |= u64::from(latch.initial) << (place % 64);
        }
        State { bits: bits.into() }
    }

    /// The value of a latch.
    pub(crate) fn latch(&self, place: u32) -> bool {
        self.bits[place as usize / 64] >> (place % 64) & 1 == 1
    }
}

/// A game as a propositional net, ready to be played.
#[derive(Clone, Debug)]
pub struct Propnet {
    game: Game,
    net: Net,
    circuit: Circuit,
    /// By role and move term: the input.
    input_of: Vec<u32>,
    /// By term: its number.
    numbers: HashMap<Term, MoveId>,
    /// By goal: its value, if that is an integer from 0 to 100.
    goal_values: Vec<Option<u8>>,
    initial: State,
    /// At the initial state; what every scratch starts as.
    fresh: Scratch,
}

impl Propnet {
    /// Compiles a game: grounds it, makes a net of it and optimises that. A net that is there
    /// when the time is over is played as it is.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused or the budget runs out before there is a net.
    pub fn new(game: Game, budget: &Budget<'_>) -> Result<Propnet, GroundError> {
        let (game, net) = Net::of_game(game, budget)?;
        Ok(Propnet::of_net(game, net))
    }

    /// The engine of a net; `game` is what the net was made from.
    pub fn of_net(game: Game, net: Net) -> Propnet {
        let circuit = Circuit::new(&net);
        let terms = net.moves.len();
        let mut input_of = vec![NO_INPUT; terms * usize::from(net.roles)];
        for (number, input) in net.inputs.iter().enumerate() {
            input_of[usize::from(input.role.0) * terms + input.term as usize] = number as u32;
        }
        let numbers =
            net.moves.iter().enumerate().map(|(i, t)| (t.clone(), MoveId(i as u32))).collect();
        let goal_values = net.goals.iter().map(|goal| goal.points(&game.symbols)).collect();
        let initial = State::initial(&net);
        let mut fresh = Scratch::new(&circuit);
        fresh.enter(&circuit, &initial.bits);
        Propnet { game, net, circuit, input_of, numbers, goal_values, initial, fresh }
    }

    /// The net that is played.
    pub fn net(&self) -> &Net {
        &self.net
    }
}

impl Engine for Propnet {
    type State = State;
    type Scratch = Scratch;

    fn game(&self) -> &Game {
        &self.game
    }

    fn scratch(&self) -> Scratch {
        self.fresh.clone()
    }

    fn initial(&self) -> &State {
        &self.initial
    }

    fn enter(&self, scratch: &mut Scratch, state: &State) {
        scratch.enter(&self.circuit, &state.bits);
    }

    fn state(&self, scratch: &Scratch) -> State {
        State { bits: scratch.bits[..].into() }
    }

    fn terminal(&self, scratch: &mut Scratch) -> bool {
        self.circuit.terminal.is_some_and(|source| scratch.read(source))
    }

    fn legal(&self, scratch: &mut Scratch, role: RoleId, moves: &mut Vec<MoveId>) {
        moves.clear();
        if role.0 < self.net.roles {
            scratch.legal(&self.circuit, usize::from(role.0), moves);
        }
    }

    fn goal(&self, scratch: &mut Scratch, role: RoleId) -> Result<u8, GoalError> {
        scratch.know_goals(&self.circuit);
        let holds = |&(place, _): &(usize, &Goal)| scratch.read(self.circuit.goals[place]);
        let mine = self.net.goals.iter().enumerate().filter(|(_, goal)| goal.role == role);
        let mut held = mine.filter(holds);
        let first = held.next().ok_or(GoalError::Missing)?;
        match (self.goal_values[first.0], held.next()) {
            (Some(value), None) => Ok(value),
            (_, second) => Err(GoalError::Improper(
                [Some(first), second]
                    .into_iter()
                    .flatten()
                    .chain(held)
                    .map(|(_, goal)| goal.value.clone())
                    .collect(),
            )),
        }
    }

    fn step(&self, scratch: &mut Scratch, joint: &[MoveId]) -> Result<(), StepError> {
        if joint.len() != usize::from(self.net.roles) {
            return Err(StepError::WrongLength);
        }
        let terms = self.net.moves.len();
        for (role, id) in joint.iter().enumerate() {
            let illegal = StepError::Illegal(RoleId(role as u16));
            if id.0 as usize >= terms {
                return Err(illegal);
            }
            let input = self.input_of[role * terms + id.0 as usize];
            if input == NO_INPUT || !scratch.is_legal(&self.circuit, input) {
                return Err(illegal);
            }
            scratch.joint[role] = input;
        }
        scratch.step(&self.circuit);
        Ok(())
    }

    fn facts(&self, state: &State) -> Vec<Term> {
        let holds = |signal: Signal| {
            let value = match self.net.operation(signal.gate()) {
                Operation::Latch(latch) => state.latch(latch.0),
                _ => signal.is_constant(),
            };
            value != signal.is_negated()
        };
        let fluents = self.net.fluents.iter().filter(|fluent| holds(fluent.signal));
        fluents.map(|fluent| fluent.fact.clone()).collect()
    }

    fn move_term(&self, _scratch: &Scratch, id: MoveId) -> Term {
        self.net.moves[id.0 as usize].clone()
    }

    fn move_id(&self, _scratch: &mut Scratch, term: &Term) -> Option<MoveId> {
        self.numbers.get(term).copied()
    }
}
