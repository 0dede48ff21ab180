//! The engine `rg`: a game of GDL played by its own automaton.
//!
//! The automaton that [`from_net`](super::from_net()) writes is [interpreted](Interpreter). Its
//! tags and variables are read as the moves and facts for which they stand. So the exported
//! automaton itself is played, and can be compared with the other engines in every state.
//!
//! Only percepts are left out. Walks that show percepts would slow down every playout, although few
//! users ask for percepts. They are computed on the net.

use super::from_net;
use super::legend::{Export, FactTest, RoleTurn};
use super::sight::Sight;
use crate::automaton::{Choice, Interpreter, Legend, Work};
use crate::tuning::Tuning;
use gdlr_engine::engine::{FactError, GoalError, MoveId, RoleId, Roles, WorkLimit};
use gdlr_net::ground::GroundError;
use gdlr_net::net::{InputId, InputsByMove, Net, Percepts, evaluate};
use gdlr_rg::rg::{
    self, Automaton, Moves, Name, PlayError, PlayerId, Slot, Standing, SymbolId, Turn,
};
use gdlr_rules::gdl::{Game, SymbolTable, Term};
use gdlr_text::budget::Meter;
use gdlr_text::decisions::Decisions;
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A state of the engine `rg`: the state of the automaton in which the first role chooses, or its
/// end. States are equal if their facts are.
#[derive(Clone, Debug)]
pub struct RgState {
    inner: rg::State,
    /// The values of the variables that hold facts.
    key: Vec<Name>,
}

impl From<rg::State> for RgState {
    fn from(inner: rg::State) -> RgState {
        RgState { inner, key: Vec::new() }
    }
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

/// The way in which a fact is read from a state.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Always,
    /// The place of a variable in the key of a state, a symbol, and whether the variable must be
    /// this symbol or must not be it.
    Is(u32, Name, bool),
}

/// The number of a name that is no tag of the role.
const NO_MOVE: MoveId = MoveId(u32::MAX);

/// A game of GDL, played by its automaton.
pub type RgEngine = Interpreter<GameLegend>;

/// The meaning of the tags and variables of an automaton, in the game from which it was written. A
/// turn is a step of the game: all roles move in it.
#[derive(Debug)]
pub struct GameLegend {
    game: Arc<Game>,
    /// The net from which the automaton was written. It has the names of moves and facts.
    net: Net,
    percepts: Percepts,
    roles: Roles,
    /// By role: its player. Chance without goals is none.
    players: Vec<Option<PlayerId>>,
    export: Export,
    /// The variables that hold facts.
    slots: Vec<Slot>,
    facts: Vec<(Term, Reading)>,
    /// By node at which the first choice of a turn is made, and by the player who makes it: how
    /// roles move.
    turns: HashMap<(Name, Turn), Vec<Choice>>,
    moves: Numbers,
    /// The inputs of the net, whose numbers are those of moves.
    inputs: InputsByMove,
    /// By symbol of a score: its goal value, if it has one.
    scores: HashMap<Name, Option<u8>>,
    over: Standing,
    entry: Entry,
}

/// The moves for which tags stand.
#[derive(Debug)]
struct Numbers {
    /// By role and name: the move of a single tag, or [`NO_MOVE`].
    single: Vec<Vec<MoveId>>,
    /// By role and tags: the move of several tags.
    longer: Vec<HashMap<Box<[Name]>, MoveId>>,
}

/// The data to enter the automaton in any state of the game.
#[derive(Debug)]
struct Entry {
    /// By turn: its first position. `None` if play cannot reach the turn.
    starts: Vec<Option<Standing>>,
    /// The values of latches at the beginning of the play.
    first_latches: Vec<bool>,
    /// By variable of the state, or entry of one: its slot. A variable that is never read or
    /// written has none.
    variables: Vec<Option<Slot>>,
    symbol_ids: HashMap<Name, SymbolId>,
}

impl RgEngine {
    /// Writes the automaton of a game, without percepts, and compiles it. `joint` is as for
    /// [`from_net`](super::from_net()).
    ///
    /// # Errors
    ///
    /// When the automaton exceeds the limits of the interpreter, or cannot begin.
    pub fn new(game: impl Into<Arc<Game>>, net: &Net, joint: bool) -> Result<RgEngine, Diagnostic> {
        let engine = RgEngine::within(game, net, joint, &Meter::unlimited());
        engine.map_err(|error| match error {
            GroundError::Refused(diagnostic) => *diagnostic,
            GroundError::Exhausted(_) => unreachable!("there is no limit"),
        })
    }

    /// [`RgEngine::new`], within a budget.
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
        RgEngine::tuned(game, net, joint, &Tuning::default(), meter)
    }

    /// [`RgEngine::within`], with other bounds.
    ///
    /// # Errors
    ///
    /// As [`RgEngine::within`].
    pub fn tuned(
        game: impl Into<Arc<Game>>,
        net: &Net,
        joint: bool,
        tuning: &Tuning,
        meter: &Meter<'_>,
    ) -> Result<RgEngine, GroundError> {
        let (game, mut decisions) = (game.into(), Decisions::default());
        let (percepts, mut net) = (Percepts::of(net), net.clone());
        let perceived = std::mem::take(&mut net.percepts);
        let sight = Sight::of(&game).without_percepts();
        let export = from_net::write((&net, &game), joint, sight, tuning, meter, &mut decisions)?;
        net.percepts = perceived;
        RgEngine::of_legend(game, (net, percepts), export, tuning, meter, decisions)
    }

    /// The engine of an automaton that [`from_rules`](super::from_rules) wrote.
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
        let (tuning, decisions) = (Tuning::default(), Decisions::default());
        let net = (net.clone(), Percepts::of(net));
        RgEngine::of_legend(game.into(), net, export, &tuning, meter, decisions)
    }

    fn of_legend(
        game: Arc<Game>,
        (net, percepts): (Net, Percepts),
        export: Export,
        tuning: &Tuning,
        meter: &Meter<'_>,
        decisions: Decisions,
    ) -> Result<RgEngine, GroundError> {
        let automaton =
            Automaton::tuned(&export.description, &export.entry.nodes(), &tuning.rg, meter)?
                .map_err(|mut problems| problems.swap_remove(0))?;
        let legend = GameLegend::of(game, net, percepts, export, &automaton);
        Ok(Interpreter::of(automaton, legend, decisions).map_err(WorkLimit::into_diagnostic)?)
    }

    /// The rules that are played.
    pub fn game(&self) -> &Game {
        &self.legend().game
    }

    /// The description that is played, and the meaning of its names. It is the one of
    /// [`from_net`](super::from_net()), without percepts.
    pub fn export(&self) -> &Export {
        &self.legend().export
    }
}

impl GameLegend {
    fn of(
        game: Arc<Game>,
        net: Net,
        percepts: Percepts,
        export: Export,
        automaton: &Automaton,
    ) -> GameLegend {
        let (slots, facts) = readings(&export, automaton);
        let roles = Roles::of(&game);
        let inputs = InputsByMove::of(&net);
        let player = |&name: &Name| automaton.players().find(|&p| automaton.player_name(p) == name);
        let players: Vec<Option<PlayerId>> = export.roles.iter().map(player).collect();
        let standing = |node, turn| {
            automaton.standing(node, turn).expect("a node of the automaton that it was made from")
        };
        let turn = |role: usize| match players[role] {
            Some(player) if export.roles[role] != Name::RANDOM => Turn::Player(player),
            _ => Turn::Random,
        };
        let implied = |role: u16, term: &Term| {
            MoveId(inputs.find(&net, RoleId(role), term).expect("an input of the role").0)
        };
        let part = |(role, part): (usize, &RoleTurn)| match part {
            RoleTurn::Ply(node) => Choice::Ply(Some(standing(*node, turn(role)))),
            RoleTurn::Implied(term) => Choice::Implied(implied(role as u16, term)),
        };
        let first = |node: Name, parts: &[RoleTurn]| {
            let role = parts.iter().position(|part| *part == RoleTurn::Ply(node));
            role.map_or(Turn::Keeper, turn)
        };
        let turns = (export.turns.iter())
            .map(|(node, parts)| {
                let choices = parts.iter().enumerate().map(part);
                ((*node, first(*node, parts)), choices.collect())
            })
            .collect();
        let scores = export.scores.iter();
        let scores = scores.map(|(name, value)| (*name, value.goal_value(&game.symbols))).collect();
        GameLegend {
            entry: Entry::of(&net, &export, automaton),
            moves: Numbers::of(&net, &export, roles.count()),
            over: standing(export.over, Turn::Keeper),
            game,
            net,
            percepts,
            roles,
            players,
            export,
            slots,
            facts,
            turns,
            inputs,
            scores,
        }
    }

    fn key<'s>(
        &'s self,
        automaton: &'s Automaton,
        state: &'s rg::State,
    ) -> impl Iterator<Item = Name> + 's {
        self.slots.iter().map(|&slot| automaton.at(state, slot))
    }

    /// The facts of a state with these values of the variables that hold facts.
    fn facts_of(&self, key: &[Name]) -> Vec<Term> {
        let holds = |reading: Reading| match reading {
            Reading::Always => true,
            Reading::Is(place, symbol, is) => (key[place as usize] == symbol) == is,
        };
        let facts = self.facts.iter().filter(|(_, reading)| holds(*reading));
        facts.map(|(fact, _)| fact.clone()).collect()
    }

    /// The latches of a state, by its facts.
    fn latches(&self, automaton: &Automaton, state: &rg::State) -> Vec<bool> {
        let key: Vec<Name> = self.key(automaton, state).collect();
        self.net.latches_of(&self.facts_of(&key)).expect("a state that was reached")
    }

    /// The goal values of a role, by the net.
    #[cold]
    fn goal_values(&self, automaton: &Automaton, state: &rg::State, role: RoleId) -> Vec<Term> {
        let latches = self.latches(automaton, state);
        let values = evaluate(&self.net, &latches, &vec![false; self.net.inputs.len()]);
        let goals = self.net.goals.iter().filter(|goal| goal.role == role);
        let held =
            goals.filter(|goal| values[goal.signal.gate().index()] != goal.signal.is_negated());
        let mut values: Vec<Term> = held.map(|goal| goal.value.clone()).collect();
        values.sort_unstable();
        values
    }
}

/// The variables that hold facts, and the reading of each fact.
fn readings(export: &Export, automaton: &Automaton) -> (Vec<Slot>, Vec<(Term, Reading)>) {
    let mut slots: Vec<Slot> = Vec::new();
    let mut place_of: HashMap<(Name, &[Name]), u32> = HashMap::new();
    let mut place = |variable: Name, keys| {
        *place_of.entry((variable, keys)).or_insert_with(|| {
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
    (slots, facts)
}

impl Numbers {
    fn of(net: &Net, export: &Export, roles: usize) -> Numbers {
        let tags = export.moves.iter().flat_map(|(tags, _)| tags);
        let tags = tags.map(|tag| tag.index() + 1).max().unwrap_or(0);
        let mut single = vec![vec![NO_MOVE; tags]; roles];
        let mut longer = vec![HashMap::new(); roles];
        for (number, input) in net.inputs.iter().enumerate() {
            let (role, id) = (input.role.index(), MoveId(number as u32));
            match &export.moves[input.term as usize].0[..] {
                [tag] => single[role][tag.index()] = id,
                tags => {
                    longer[role].insert(Box::from(tags), id);
                }
            }
        }
        Numbers { single, longer }
    }

    fn of_tags(&self, role: RoleId, tags: &[Name]) -> Option<MoveId> {
        match tags {
            [tag] => Some(self.single[role.index()][tag.index()]),
            tags => self.longer[role.index()].get(tags).copied(),
        }
    }
}

impl Entry {
    fn of(net: &Net, export: &Export, automaton: &Automaton) -> Entry {
        let starts = export.entry.starts().iter();
        let starts = starts.map(|&node| automaton.standing(node?, Turn::Keeper));
        let variables = export.entry.variables().iter();
        let variables = variables.map(|of| automaton.slot(of.name, &of.keys));
        Entry {
            starts: starts.collect(),
            first_latches: net.latches.iter().map(|latch| latch.initial).collect(),
            variables: variables.collect(),
            symbol_ids: automaton.symbol_ids(),
        }
    }
}

impl Legend for GameLegend {
    type State = RgState;
    type Numbers = ();

    const BY_NUMBER: bool = true;
    const ALONE: bool = false;

    fn roles(&self) -> &Roles {
        &self.roles
    }

    fn symbols(&self) -> &SymbolTable {
        &self.game.symbols
    }

    fn at<'s>(&self, state: &'s RgState) -> &'s rg::State {
        &state.inner
    }

    fn save(&self, automaton: &Automaton, from: &rg::State, to: &mut RgState) {
        to.inner.clone_from(from);
        to.key.clear();
        to.key.extend(self.key(automaton, from));
    }

    fn enter_facts(
        &self,
        automaton: &Automaton,
        facts: &[Term],
        work: &mut Work,
    ) -> Result<(), FactError> {
        let latches = self.net.latches_of(facts)?;
        let unreachable = FactError::Unreachable(None);
        let entry = &self.export.entry;
        let start = match !entry.tells_all && self.net.is_over(&latches) {
            true => Some(self.over),
            false => entry.turn(&latches).and_then(|turn| self.entry.starts[turn]),
        };
        let Some(start) = start else { return Err(unreachable) };
        let Work { search, next, .. } = work;
        automaton.stand(next, start);
        for (slot, of) in self.entry.variables.iter().zip(entry.variables()) {
            let Some(value) = of.value(&latches) else { return Err(unreachable) };
            match *slot {
                Some(slot) => {
                    let Some(&value) = self.entry.symbol_ids.get(&value) else {
                        return Err(unreachable);
                    };
                    automaton.set(next, slot, value);
                }
                // A variable that is never written stays as it is at the beginning.
                None if of.value(&self.entry.first_latches) == Some(value) => {}
                None => return Err(unreachable),
            }
        }
        automaton.keep(search, next).map_err(|_| unreachable)
    }

    fn facts(&self, _: &Automaton, state: &RgState) -> Vec<Term> {
        self.facts_of(&state.key)
    }

    fn state_bytes(&self, state: &RgState) -> usize {
        state.inner.bytes() + size_of_val(&state.key[..])
    }

    fn choices(
        &self,
        automaton: &Automaton,
        state: &rg::State,
    ) -> impl Fn(RoleId) -> Option<Choice> + Copy {
        let first = (automaton.node(state), automaton.turn(state));
        let choices = self.turns.get(&first).map_or(&[][..], Vec::as_slice);
        move |role| choices.get(role.index()).copied()
    }

    fn moves(&self) -> Option<usize> {
        Some(self.net.inputs.len())
    }

    fn numbers(&self) {}

    fn number(&self, (): &mut (), role: RoleId, moves: &Moves, place: usize) -> Option<MoveId> {
        self.moves.of_tags(role, moves.tags(place))
    }

    fn place(&self, (): &mut (), role: RoleId, moves: &Moves, id: MoveId) -> Option<usize> {
        (0..moves.len()).find(|&place| self.moves.of_tags(role, moves.tags(place)) == Some(id))
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        let (role, term) = self.net.move_of(InputId(id.0));
        (role, term.clone())
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        self.inputs.find(&self.net, role, term).map(|input| MoveId(input.0))
    }

    fn goal(
        &self,
        automaton: &Automaton,
        state: &rg::State,
        work: &mut Work,
        role: RoleId,
    ) -> Result<u8, GoalError> {
        let is_end = automaton.turn(state) == Turn::End;
        if !self.export.entry.tells_all && !is_end {
            let values = self.goal_values(automaton, state, role);
            return match &values[..] {
                [] => Err(GoalError::Missing),
                [value] if let Some(value) = value.goal_value(&self.game.symbols) => Ok(value),
                _ => Err(GoalError::Improper(values)),
            };
        }
        let Some(&Some(player)) = self.players.get(role.index()) else {
            return Err(GoalError::Missing);
        };
        let at = if is_end {
            state
        } else {
            // The goals are read as if the play were over.
            let Work { search, next, moves } = work;
            next.clone_from(state);
            automaton.stand(next, self.over);
            automaton.moves(search, next, moves).map_err(|error| self.stopped(&error))?;
            moves.play(0, next);
            &*next
        };
        let score = automaton.goal(at, player);
        match self.scores.get(&score) {
            Some(Some(value)) => Ok(*value),
            _ if score == self.export.no_score => Err(GoalError::Missing),
            _ => Err(GoalError::Improper(self.goal_values(automaton, state, role))),
        }
    }

    fn has_percepts(&self) -> bool {
        self.game.has_percepts()
    }

    fn percepts(
        &self,
        automaton: &Automaton,
        state: &rg::State,
        _: &mut Work,
        _: Option<(&Moves, usize)>,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, WorkLimit> {
        let latches = self.latches(automaton, state);
        let held = latches.iter().enumerate().filter(|&(_, &holds)| holds);
        let one = std::iter::once((held.map(|(latch, _)| latch), joint));
        Ok(self.percepts.seen(&self.net, one).alone(&self.roles))
    }

    fn stopped(&self, error: &PlayError) -> WorkLimit {
        let message = format!("the automaton cannot be played: {error}");
        WorkLimit::new(Diagnostic::new(Code::TooMuchWork, Span::default(), message))
    }
}
