//! The engine `rg`: a game of GDL played by its own automaton.
//!
//! The automaton that [`from_net`](super::from_net()) writes is interpreted, and its tags and variables are read
//! as the moves and facts that they stand for. So what is exported is played, and can be
//! compared with the other engines in every state. Only percepts are left out of it, since a walk
//! that shows them would make every playout pay for what nobody asks: they are computed on the net.

use super::from_net;
use super::legend::{Export, FactTest, RoleTurn};
use super::sight::Sight;
use gdlr_engine::engine::{
    Engine, FactError, GoalError, MoveId, RoleId, Roles, StepError, WorkLimit,
};
use gdlr_net::ground::GroundError;
use gdlr_net::net::{InputId, InputsByMove, Net, Percepts, evaluate};
use gdlr_rg::rg::{
    self, Automaton, Moves, Name, PlayError, PlayerId, Search, Slot, Standing, SymbolId, Turn,
};
use gdlr_rules::gdl::{Game, SymbolTable, Term};
use gdlr_text::budget::Meter;
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::HashMap;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A state of the engine `rg`: that of the automaton when the first role chooses, or the end.
/// States are equal if their facts are.
#[derive(Clone, Debug)]
pub struct RgState {
    inner: rg::State,
    /// The values of the variables that hold facts.
    key: Vec<Name>,
}

impl PartialEq for RgState {
    fn eq(&self, other: &RgState) -> bool {
        self.key == other.key
    }
}

impl Eq for RgState {}

impl Hash for RgState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key.hash(hasher);
    }
}

/// What a fact is read from.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Always,
    /// The place in the key of a state, the symbol, and whether it is to be that.
    Is(u32, Name, bool),
}

/// How a role moves in a turn.
#[derive(Clone, Copy, Debug)]
enum Choice {
    /// It chooses here.
    Ply(Standing),
    /// It has this move only.
    Implied(MoveId),
}

/// What a name stands for that is no tag of the role.
const NO_MOVE: MoveId = MoveId(u32::MAX);

/// A game of GDL, played by its automaton.
#[derive(Debug)]
pub struct RgEngine {
    game: Arc<Game>,
    /// What the automaton was written from: it knows the names of moves and facts.
    net: Net,
    percepts: Percepts,
    roles: Roles,
    /// By role: the player, which chance without goals is not.
    players: Vec<Option<PlayerId>>,
    export: Export,
    automaton: Automaton,
    /// The variables that hold facts.
    slots: Vec<Slot>,
    facts: Vec<(Term, Reading)>,
    /// By node where a turn's first choice is made: how roles move.
    turns: HashMap<Name, Vec<Choice>>,
    /// By role and name: the move that a single tag stands for, or [`NO_MOVE`].
    moves: Vec<Vec<MoveId>>,
    /// By role and tags: the move that several stand for.
    longer: Vec<HashMap<Box<[Name]>, MoveId>>,
    /// Moves have the numbers of the net's inputs.
    inputs: InputsByMove,
    /// By symbol of a score: the goal, if it is one.
    scores: HashMap<Name, Option<u8>>,
    over: Standing,
    /// By turn: where it begins. One that play never comes to may have no node.
    starts: Vec<Option<Standing>>,
    /// The latches at the beginning.
    first_latches: Vec<bool>,
    /// By variable of the state, or entry of one: its slot. What nothing asks or changes has none.
    variables: Vec<Option<Slot>>,
    symbol_ids: HashMap<Name, SymbolId>,
    initial: RgState,
}

/// Working memory of the engine `rg`.
#[derive(Clone, Debug)]
pub struct RgScratch {
    search: Search<'static>,
    state: rg::State,
    /// By role, if `listed`: its moves.
    moves: Vec<Moves>,
    listed: bool,
    /// A state on its way.
    next: rg::State,
    played: Moves,
}

impl RgEngine {
    /// Writes the automaton of a game, without percepts, and compiles it; `joint` as for
    /// [`from_net`](super::from_net()).
    ///
    /// # Errors
    ///
    /// When the automaton is more than the interpreter takes, or cannot begin.
    pub fn new(game: impl Into<Arc<Game>>, net: &Net, joint: bool) -> Result<RgEngine, Diagnostic> {
        let made = RgEngine::within(game, net, joint, &Meter::unlimited());
        made.map_err(|error| match error {
            GroundError::Refused(diagnostic) => *diagnostic,
            GroundError::Exhausted(_) => unreachable!("there is no limit"),
        })
    }

    /// The same, within a budget.
    ///
    /// # Errors
    ///
    /// As [`RgEngine::new`]; and when the budget runs out.
    pub fn within(
        game: impl Into<Arc<Game>>,
        net: &Net,
        joint: bool,
        meter: &Meter<'_>,
    ) -> Result<RgEngine, GroundError> {
        let game = game.into();
        let (percepts, mut net) = (Percepts::of(net), net.clone());
        let perceived = std::mem::take(&mut net.percepts);
        let sight = Sight::of(&game).without_percepts();
        let export = from_net::write(&net, &game, joint, sight, meter)?;
        net.percepts = perceived;
        RgEngine::of(game, net, percepts, export, meter)
    }

    /// The engine of the automaton that [`from_rules`](super::from_rules) wrote of a game.
    ///
    /// # Errors
    ///
    /// As [`RgEngine::within`].
    pub fn of_export(
        game: impl Into<Arc<Game>>,
        net: &Net,
        export: Export,
        meter: &Meter<'_>,
    ) -> Result<RgEngine, GroundError> {
        RgEngine::of(game.into(), net.clone(), Percepts::of(net), export, meter)
    }

    fn of(
        game: Arc<Game>,
        net: Net,
        percepts: Percepts,
        export: Export,
        meter: &Meter<'_>,
    ) -> Result<RgEngine, GroundError> {
        let automaton = Automaton::within(&export.description, &export.entry.nodes(), meter)?
            .map_err(|mut problems| problems.swap_remove(0))?;
        let mut slots: Vec<Slot> = Vec::new();
        let mut place_of: HashMap<(Name, Vec<Name>), u32> = HashMap::new();
        let mut place = |variable: Name, keys: &[Name]| {
            *place_of.entry((variable, keys.to_vec())).or_insert_with(|| {
                slots.push(automaton.slot(variable, keys).expect("a variable of the state"));
                slots.len() as u32 - 1
            })
        };
        let facts = export.facts.iter().map(|(fact, test)| {
            let reading = match test {
                FactTest::Always => Reading::Always,
                FactTest::Is(variable, keys, symbol) => {
                    Reading::Is(place(*variable, keys), *symbol, true)
                }
                FactTest::IsNot(variable, keys, symbol) => {
                    Reading::Is(place(*variable, keys), *symbol, false)
                }
            };
            (fact.clone(), reading)
        });
        let facts = facts.collect();
        let roles = Roles::of(&game);
        let tags = export.moves.iter().flat_map(|(tags, _)| tags);
        let tags = tags.map(|tag| tag.index() + 1).max().unwrap_or(0);
        let mut moves = vec![vec![NO_MOVE; tags]; roles.count()];
        let mut longer = vec![HashMap::new(); roles.count()];
        for (number, input) in net.inputs.iter().enumerate() {
            let (role, id) = (input.role.index(), MoveId(number as u32));
            match &export.moves[input.term as usize].0[..] {
                [tag] => moves[role][tag.index()] = id,
                tags => {
                    longer[role].insert(Box::from(tags), id);
                }
            }
        }
        let inputs = InputsByMove::of(&net);
        let implied = |role: u16, term: &Term| {
            MoveId(inputs.find(&net, RoleId(role), term).expect("an input of the role").0)
        };
        let standing = |node, turn| {
            automaton.standing(node, turn).expect("a node of the automaton that it was made from")
        };
        let player = |&name: &Name| automaton.players().find(|&p| automaton.player_name(p) == name);
        let players: Vec<Option<PlayerId>> = export.roles.iter().map(player).collect();
        let turn = |role: usize| match players[role] {
            Some(player) if export.roles[role] != Name::RANDOM => Turn::Player(player),
            _ => Turn::Random,
        };
        let part = |(role, part): (usize, &RoleTurn)| match part {
            RoleTurn::Ply(node) => Choice::Ply(standing(*node, turn(role))),
            RoleTurn::Implied(term) => Choice::Implied(implied(role as u16, term)),
        };
        let turns = (export.turns.iter())
            .map(|(node, parts)| (*node, parts.iter().enumerate().map(part).collect()))
            .collect();
        let scores = export.scores.iter();
        let scores = scores.map(|(name, value)| (*name, value.goal_value(&game.symbols))).collect();
        let over = standing(export.over, Turn::Keeper);
        let starts = export.entry.starts().iter();
        let starts = starts.map(|&node| automaton.standing(node?, Turn::Keeper));
        let starts = starts.collect();
        let symbol_ids = automaton.symbol_ids();
        let variables = export.entry.variables().iter();
        let variables = variables.map(|of| automaton.slot(of.name, &of.keys)).collect();
        let mut state = automaton.initial().clone();
        automaton
            .keep(&mut Search::default(), &mut state)
            .map_err(|error| cannot_play(&error).into_diagnostic())?;
        let mut engine = RgEngine {
            first_latches: net.latches.iter().map(|latch| latch.initial).collect(),
            net,
            percepts,
            game,
            roles,
            players,
            initial: RgState { inner: state, key: Vec::new() },
            export,
            automaton,
            slots,
            facts,
            turns,
            moves,
            longer,
            inputs,
            scores,
            over,
            starts,
            variables,
            symbol_ids,
        };
        engine.initial.key = engine.key(&engine.initial.inner).collect();
        Ok(engine)
    }

    /// The rules that are played.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The description that is played, and what its names mean. It is that of
    /// [`from_net`](super::from_net()), but without the percepts of a game that has some.
    pub fn export(&self) -> &Export {
        &self.export
    }

    fn key<'s>(&'s self, state: &'s rg::State) -> impl Iterator<Item = Name> + 's {
        self.slots.iter().map(|&slot| self.automaton.at(state, slot))
    }

    fn is_end(&self, state: &rg::State) -> bool {
        self.automaton.turn(state) == Turn::End
    }

    fn choices(&self, state: &rg::State) -> &[Choice] {
        self.turns.get(&self.automaton.node(state)).map_or(&[], Vec::as_slice)
    }

    /// Lists the moves of all roles that choose. Each chooses as if the others had not: what a
    /// role may do depends neither on what others choose nor on whether they can.
    fn list(&self, scratch: &mut RgScratch) -> Result<(), WorkLimit> {
        if scratch.listed {
            return Ok(());
        }
        let RgScratch { search, state, moves, next, .. } = scratch;
        for (part, moves) in self.choices(state).iter().zip(moves) {
            if let Choice::Ply(standing) = part {
                next.clone_from(state);
                self.automaton.stand(next, *standing);
                match self.automaton.moves(search, next, moves) {
                    Ok(()) => {}
                    Err(PlayError::DeadEnd { .. }) => moves.make_empty(),
                    Err(error) => return Err(cannot_play(&error)),
                }
            }
        }
        scratch.listed = true;
        Ok(())
    }

    fn id(&self, role: usize, moves: &Moves, index: usize) -> Option<MoveId> {
        match moves.tags(index) {
            [tag] => Some(self.moves[role][tag.index()]),
            tags => self.longer[role].get(tags).copied(),
        }
    }

    fn ids(&self, role: usize, moves: &Moves) -> impl Iterator<Item = MoveId> {
        (0..moves.len()).filter_map(move |index| self.id(role, moves, index))
    }

    /// Plays a joint move of legal moves.
    fn play(&self, scratch: &mut RgScratch, joint: &[MoveId]) -> Result<(), PlayError> {
        let RgScratch { search, state, next, played, moves, .. } = scratch;
        next.clone_from(state);
        let mut first = true;
        for (role, part) in self.choices(state).iter().enumerate() {
            if let Choice::Ply(_) = part {
                let list = match std::mem::replace(&mut first, false) {
                    true => &moves[role],
                    false => {
                        self.automaton.moves(search, next, played)?;
                        &*played
                    }
                };
                let mut places = 0..list.len();
                let place = places.find(|&place| self.id(role, list, place) == Some(joint[role]));
                list.play(place.expect("the move is legal whatever others chose"), next);
            }
        }
        self.automaton.keep(search, next)?;
        std::mem::swap(state, next);
        Ok(())
    }

    /// Whether a joint move can be played.
    fn check(&self, scratch: &mut RgScratch, joint: &[MoveId]) -> Result<(), StepError> {
        if self.is_end(&scratch.state) {
            return Err(StepError::Terminal);
        }
        if joint.len() != self.roles.count() {
            return Err(StepError::WrongLength);
        }
        self.list(scratch)?;
        for (role, &id) in joint.iter().enumerate() {
            let is_legal = match self.choices(&scratch.state).get(role) {
                None => false,
                Some(&Choice::Implied(only)) => only == id,
                Some(Choice::Ply(_)) => {
                    self.ids(role, &scratch.moves[role]).any(|legal| legal == id)
                }
            };
            if !is_legal {
                return Err(StepError::Illegal(RoleId(role as u16)));
            }
        }
        Ok(())
    }

    /// The latches of a state, from its facts.
    fn latches(&self, state: &rg::State) -> Vec<bool> {
        let facts = self.facts(&RgState { inner: state.clone(), key: self.key(state).collect() });
        self.net.latches_of(&facts).expect("a state that was reached")
    }

    /// The values of a role's goal, as the net has them.
    #[cold]
    fn goal_values(&self, state: &rg::State, role: RoleId) -> Vec<Term> {
        let latches = self.latches(state);
        let values = evaluate(&self.net, &latches, &vec![false; self.net.inputs.len()]);
        let goals = self.net.goals.iter().filter(|goal| goal.role == role);
        let held =
            goals.filter(|goal| values[goal.signal.gate().index()] != goal.signal.is_negated());
        let mut values: Vec<Term> = held.map(|goal| goal.value.clone()).collect();
        values.sort_unstable();
        values
    }
}

fn cannot_play(error: &PlayError) -> WorkLimit {
    let message = format!("the automaton cannot be played: {error}");
    WorkLimit::new(Diagnostic::new(Code::TooMuchWork, Span::default(), message))
}

impl Engine for RgEngine {
    type State = RgState;
    type Scratch = RgScratch;

    fn roles(&self) -> &Roles {
        &self.roles
    }

    fn symbols(&self) -> &SymbolTable {
        &self.game.symbols
    }

    fn moves(&self) -> Option<usize> {
        Some(self.net.inputs.len())
    }

    fn initial(&self) -> &RgState {
        &self.initial
    }

    fn scratch(&self) -> RgScratch {
        let state = self.initial.inner.clone();
        RgScratch {
            search: Search::default(),
            moves: vec![Moves::default(); self.roles.count()],
            listed: false,
            next: state.clone(),
            played: Moves::default(),
            state,
        }
    }

    fn enter(&self, scratch: &mut RgScratch, state: &RgState) {
        scratch.state.clone_from(&state.inner);
        scratch.listed = false;
    }

    fn enter_facts(&self, scratch: &mut RgScratch, facts: &[Term]) -> Result<(), FactError> {
        let latches = self.net.latches_of(facts)?;
        let unreachable = FactError::Unreachable(None);
        let entry = &self.export.entry;
        let start = match !entry.tells_all && self.net.is_over(&latches) {
            true => Some(self.over),
            false => entry.turn(&latches).and_then(|turn| self.starts[turn]),
        };
        let Some(start) = start else { return Err(unreachable) };
        let RgScratch { search, next, .. } = scratch;
        next.clone_from(&self.initial.inner);
        self.automaton.stand(next, start);
        for (slot, of) in self.variables.iter().zip(entry.variables()) {
            let Some(value) = of.value(&latches) else { return Err(unreachable) };
            match *slot {
                Some(slot) => {
                    let Some(&value) = self.symbol_ids.get(&value) else { return Err(unreachable) };
                    self.automaton.set(next, slot, value);
                }
                // What nothing changes is as it was at the beginning.
                None if of.value(&self.first_latches) == Some(value) => {}
                None => return Err(unreachable),
            }
        }
        self.automaton.keep(search, next).map_err(|_| unreachable)?;
        std::mem::swap(&mut scratch.state, &mut scratch.next);
        scratch.listed = false;
        Ok(())
    }

    fn save(&self, scratch: &RgScratch, state: &mut RgState) {
        state.inner.clone_from(&scratch.state);
        state.key.clear();
        state.key.extend(self.key(&scratch.state));
    }

    fn terminal(&self, scratch: &mut RgScratch) -> Result<bool, WorkLimit> {
        Ok(self.is_end(&scratch.state))
    }

    fn legal(
        &self,
        scratch: &mut RgScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        moves.clear();
        let role = role.index();
        match self.choices(&scratch.state).get(role) {
            None => {}
            Some(&Choice::Implied(id)) => moves.push(id),
            Some(Choice::Ply(_)) => {
                self.list(scratch)?;
                moves.extend(self.ids(role, &scratch.moves[role]));
                moves.sort_unstable();
            }
        }
        Ok(())
    }

    fn random_legal(
        &self,
        scratch: &mut RgScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<MoveId>, WorkLimit> {
        let Some(choice) = self.choices(&scratch.state).get(role.index()) else { return Ok(None) };
        if let &Choice::Implied(id) = choice {
            return Ok(Some(id));
        }
        self.list(scratch)?;
        moves.clear();
        moves.extend(self.ids(role.index(), &scratch.moves[role.index()]));
        Ok(match moves.len() {
            0 | 1 => moves.first().copied(),
            count => Some(*moves.select_nth_unstable(rng.random_range(0..count)).1),
        })
    }

    fn goal(&self, scratch: &mut RgScratch, role: RoleId) -> Result<u8, GoalError> {
        let RgScratch { search, state, next, played, .. } = scratch;
        if !self.export.entry.tells_all && !self.is_end(state) {
            let values = self.goal_values(state, role);
            return match &values[..] {
                [] => Err(GoalError::Missing),
                [value] if let Some(value) = value.goal_value(&self.game.symbols) => Ok(value),
                _ => Err(GoalError::Improper(values)),
            };
        }
        let Some(&Some(player)) = self.players.get(role.index()) else {
            return Err(GoalError::Missing);
        };
        let at = if self.is_end(state) {
            &*state
        } else {
            // As if the game were over.
            next.clone_from(state);
            self.automaton.stand(next, self.over);
            self.automaton.moves(search, next, played).map_err(|error| cannot_play(&error))?;
            played.play(0, next);
            &*next
        };
        let score = self.automaton.goal(at, player);
        match self.scores.get(&score) {
            Some(Some(value)) => Ok(*value),
            _ if score == self.export.no_score => Err(GoalError::Missing),
            _ => Err(GoalError::Improper(self.goal_values(state, role))),
        }
    }

    fn step(&self, scratch: &mut RgScratch, joint: &[MoveId]) -> Result<(), StepError> {
        self.check(scratch, joint)?;
        self.play(scratch, joint).map_err(|error| cannot_play(&error))?;
        scratch.listed = false;
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.game.has_percepts()
    }

    fn percepts(
        &self,
        scratch: &mut RgScratch,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, StepError> {
        self.check(scratch, joint)?;
        let latches = self.latches(&scratch.state);
        let held = latches.iter().enumerate().filter(|&(_, &holds)| holds);
        let one = std::iter::once((held.map(|(latch, _)| latch), joint));
        Ok(self.percepts.seen(&self.net, one).alone(&self.roles))
    }

    fn state_bytes(&self, state: &RgState) -> usize {
        state.inner.bytes() + size_of_val(&state.key[..])
    }

    fn facts(&self, state: &RgState) -> Vec<Term> {
        let holds = |reading: Reading| match reading {
            Reading::Always => true,
            Reading::Is(place, symbol, is) => (state.key[place as usize] == symbol) == is,
        };
        let facts = self.facts.iter().filter(|(_, reading)| holds(*reading));
        facts.map(|(fact, _)| fact.clone()).collect()
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        let (role, term) = self.net.move_of(InputId(id.0));
        (role, term.clone())
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        self.inputs.find(&self.net, role, term).map(|input| MoveId(input.0))
    }
}
