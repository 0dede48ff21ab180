//! The engine `rg`: a game of GDL played by its own automaton.
//!
//! The automaton that [`from_net`] writes is interpreted, and its tags and variables are read
//! as the moves and facts that they stand for. So what is exported is played, and can be
//! compared with the other engines in every state.

use super::from_net::{Export, FactTest, Part, from_net};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::engine::{Engine, GoalError, MoveId, RoleId, StepError};
use crate::gdl::{Game, Term};
use crate::net::Net;
use crate::rg::{self, Automaton, Moves, Name, PlayError, PlayerId, Search, Slot};
use hashbrown::HashMap;
use std::hash::{Hash, Hasher};

/// A state of the engine `rg`: that of the automaton when the first role chooses, or the end.
/// States are equal if their facts are.
#[derive(Clone, Debug)]
pub struct RgState {
    inner: rg::State,
    /// The values of the variables that hold facts.
    key: Box<[Name]>,
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

/// A role in a turn.
#[derive(Clone, Copy, Debug)]
enum Way {
    Ply,
    Implied(MoveId),
}

/// A game of GDL, played by its automaton.
#[derive(Debug)]
pub struct RgEngine {
    game: Game,
    export: Export,
    automaton: Automaton,
    /// The variables that hold facts.
    slots: Vec<Slot>,
    facts: Vec<(Term, Reading)>,
    /// By node where a turn's first choice is made: how roles move.
    turns: HashMap<Name, Vec<Way>>,
    moves: HashMap<Name, MoveId>,
    numbers: HashMap<Term, MoveId>,
    scores: HashMap<Name, Term>,
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
    failure: Option<PlayError>,
}

impl RgEngine {
    /// Writes the automaton of a game and compiles it; `joint` as for [`from_net`].
    ///
    /// # Errors
    ///
    /// When the automaton is more than the interpreter takes, or cannot begin.
    pub fn new(game: Game, net: &Net, joint: bool) -> Result<RgEngine, Diagnostic> {
        let export = from_net(net, &game, joint);
        let automaton =
            Automaton::new(&export.description).map_err(|mut problems| problems.swap_remove(0))?;
        let mut slots: Vec<Slot> = Vec::new();
        let mut place_of: HashMap<Name, u32> = HashMap::new();
        let mut place = |variable: Name| {
            *place_of.entry(variable).or_insert_with(|| {
                slots.push(automaton.slot(variable, &[]).expect("a variable of the state"));
                slots.len() as u32 - 1
            })
        };
        let facts = export.facts.iter().map(|(fact, test)| {
            let reading = match *test {
                FactTest::Always => Reading::Always,
                FactTest::Is(variable, symbol) => Reading::Is(place(variable), symbol, true),
                FactTest::IsNot(variable, symbol) => Reading::Is(place(variable), symbol, false),
            };
            (fact.clone(), reading)
        });
        let facts = facts.collect();
        let id = |place: usize| MoveId(place as u32);
        let moves: HashMap<Name, MoveId> =
            export.moves.iter().enumerate().map(|(place, (tag, _))| (*tag, id(place))).collect();
        let numbers: HashMap<Term, MoveId> = (export.moves.iter().enumerate())
            .map(|(place, (_, term))| (term.clone(), id(place)))
            .collect();
        let way = |part: &Part| match part {
            Part::Ply => Way::Ply,
            Part::Implied(term) => Way::Implied(numbers[term]),
        };
        let turns = (export.turns.iter())
            .map(|(node, parts)| (*node, parts.iter().map(way).collect()))
            .collect();
        let scores = export.scores.iter().cloned().collect();
        let mut state = automaton.initial().clone();
        automaton.keep(&mut Search::default(), &mut state).map_err(|error| cannot_play(&error))?;
        let mut engine = RgEngine {
            game,
            initial: RgState { inner: state, key: Box::default() },
            export,
            automaton,
            slots,
            facts,
            turns,
            moves,
            numbers,
            scores,
        };
        engine.initial.key = engine.key(&engine.initial.inner);
        Ok(engine)
    }

    /// The description that is played, and what its names mean.
    pub fn export(&self) -> &Export {
        &self.export
    }

    fn key(&self, state: &rg::State) -> Box<[Name]> {
        self.slots.iter().map(|&slot| self.automaton.at(state, slot)).collect()
    }

    fn is_end(&self, state: &rg::State) -> bool {
        self.automaton.turn(state) == rg::Turn::End
    }

    fn ways(&self, state: &rg::State) -> &[Way] {
        self.turns.get(&self.automaton.node(state)).map_or(&[], Vec::as_slice)
    }

    /// Lists the moves of all roles that choose: each role's as if those before it had chosen
    /// their first moves, which it does not see.
    fn list(&self, scratch: &mut RgScratch) {
        if std::mem::replace(&mut scratch.listed, true) {
            return;
        }
        let RgScratch { search, state, moves, next, failure, .. } = scratch;
        moves.iter_mut().for_each(|moves| *moves = std::mem::take(moves).cleared());
        next.clone_from(state);
        for (role, way) in self.ways(state).iter().enumerate() {
            if let Way::Ply = way {
                match self.automaton.moves(search, next, &mut moves[role]) {
                    Ok(()) => {}
                    Err(PlayError::DeadEnd { .. }) => return,
                    Err(error) => {
                        *failure = Some(error);
                        return;
                    }
                }
                moves[role].play(0, next);
            }
        }
    }

    fn id(&self, moves: &Moves, index: usize) -> Option<MoveId> {
        match moves.tags(index) {
            [tag] => self.moves.get(tag).copied(),
            _ => None,
        }
    }

    /// Plays the moves with these places in the lists of the roles.
    fn play(&self, scratch: &mut RgScratch, joint: &[MoveId]) -> Result<(), PlayError> {
        let RgScratch { search, state, next, played, moves, .. } = scratch;
        next.clone_from(state);
        let mut first = true;
        for (role, way) in self.ways(state).iter().enumerate() {
            if let Way::Ply = way {
                let list = match std::mem::replace(&mut first, false) {
                    true => &moves[role],
                    false => {
                        self.automaton.moves(search, next, played)?;
                        &*played
                    }
                };
                let mut places = 0..list.len();
                let place = places.find(|&place| self.id(list, place) == Some(joint[role]));
                list.play(place.expect("the move is legal whatever others chose"), next);
            }
        }
        self.automaton.keep(search, next)?;
        std::mem::swap(state, next);
        Ok(())
    }
}

fn cannot_play(error: &PlayError) -> Diagnostic {
    let message = format!("the automaton cannot be played: {error}");
    Diagnostic::new(Code::TooMuchWork, Span::default(), message)
}

impl Engine for RgEngine {
    type State = RgState;
    type Scratch = RgScratch;

    fn game(&self) -> &Game {
        &self.game
    }

    fn scratch(&self) -> RgScratch {
        let state = self.initial.inner.clone();
        let roles = self.export.roles.len();
        RgScratch {
            search: Search::default(),
            moves: vec![Moves::default(); roles],
            listed: false,
            next: state.clone(),
            played: Moves::default(),
            state,
            failure: None,
        }
    }

    fn initial(&self) -> &RgState {
        &self.initial
    }

    fn enter(&self, scratch: &mut RgScratch, state: &RgState) {
        scratch.state.clone_from(&state.inner);
        scratch.listed = false;
        scratch.failure = None;
    }

    fn state(&self, scratch: &RgScratch) -> RgState {
        RgState { inner: scratch.state.clone(), key: self.key(&scratch.state) }
    }

    fn terminal(&self, scratch: &mut RgScratch) -> bool {
        self.is_end(&scratch.state)
    }

    fn legal(&self, scratch: &mut RgScratch, role: RoleId, moves: &mut Vec<MoveId>) {
        moves.clear();
        let role = usize::from(role.0);
        match self.ways(&scratch.state).get(role) {
            None => {}
            Some(&Way::Implied(id)) => moves.push(id),
            Some(Way::Ply) => {
                self.list(scratch);
                let list = &scratch.moves[role];
                moves.extend((0..list.len()).filter_map(|place| self.id(list, place)));
            }
        }
    }

    fn goal(&self, scratch: &mut RgScratch, role: RoleId) -> Result<u8, GoalError> {
        let RgScratch { search, state, next, played, .. } = scratch;
        let at = if self.is_end(state) {
            &*state
        } else {
            // As if the game were over.
            next.clone_from(state);
            self.automaton.jump(next, self.export.over);
            match self.automaton.moves(search, next, played) {
                Ok(()) if played.len() == 1 => played.play(0, next),
                Ok(()) => return Err(GoalError::Missing),
                Err(error) => {
                    scratch.failure = Some(error);
                    return Err(GoalError::Missing);
                }
            }
            &*next
        };
        if usize::from(role.0) >= self.export.roles.len() {
            return Err(GoalError::Missing);
        }
        let score = self.automaton.goal(at, PlayerId(role.0));
        let Some(value) = self.scores.get(&score) else {
            return Err(match score == self.export.no_score {
                true => GoalError::Missing,
                false => GoalError::Improper(Vec::new()),
            });
        };
        let number = match value {
            Term::Constant(symbol) => self.game.symbols.spelling(*symbol).parse::<u8>().ok(),
            _ => None,
        };
        number
            .filter(|&number| number <= 100)
            .ok_or_else(|| GoalError::Improper(vec![value.clone()]))
    }

    fn step(&self, scratch: &mut RgScratch, joint: &[MoveId]) -> Result<(), StepError> {
        let roles = self.export.roles.len();
        if joint.len() != roles {
            return Err(StepError::WrongLength);
        }
        self.list(scratch);
        for (role, &id) in joint.iter().enumerate() {
            let is_legal = match self.ways(&scratch.state).get(role) {
                None => false,
                Some(&Way::Implied(only)) => only == id,
                Some(Way::Ply) => {
                    let list = &scratch.moves[role];
                    (0..list.len()).any(|place| self.id(list, place) == Some(id))
                }
            };
            if !is_legal {
                return Err(StepError::Illegal(RoleId(role as u16)));
            }
        }
        if let Err(error) = self.play(scratch, joint) {
            scratch.failure = Some(error);
        }
        scratch.listed = false;
        Ok(())
    }

    fn gave_up(&self, scratch: &RgScratch) -> Option<Diagnostic> {
        scratch.failure.as_ref().map(cannot_play)
    }

    fn facts(&self, state: &RgState) -> Vec<Term> {
        let holds = |reading: Reading| match reading {
            Reading::Always => true,
            Reading::Is(place, symbol, is) => (state.key[place as usize] == symbol) == is,
        };
        let facts = self.facts.iter().filter(|(_, reading)| holds(*reading));
        facts.map(|(fact, _)| fact.clone()).collect()
    }

    fn move_term(&self, _scratch: &RgScratch, id: MoveId) -> Term {
        self.export.moves[id.0 as usize].1.clone()
    }

    fn move_id(&self, _scratch: &mut RgScratch, term: &Term) -> Option<MoveId> {
        self.numbers.get(term).copied()
    }

    fn moves_at_the_end(&self) -> bool {
        false
    }
}
