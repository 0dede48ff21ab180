//! The engine over an automaton.

use super::error::diagnostic;
use super::facts::Facts;
use super::game::AutomatonGame;
use super::numbers::{Numbers, Table};
use gdlr_engine::engine::{
    Engine, FactError, GoalError, MoveId, RoleId, Roles, StepError, WorkLimit,
};
use gdlr_rg::rg::{Automaton, Moves, Name, PlayError, PlayerId, Search, State, Turn};
use gdlr_rules::gdl::{Game, SymbolTable, Term};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::diagnostic::Diagnostic;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// An automaton, played. The [module](super) says what its roles, moves and facts are.
///
/// ```
/// # mod gdlr {
/// #     pub use gdlr_automata::automaton;
/// #     pub use gdlr_engine::engine;
/// #     pub use gdlr_rg::rg;
/// # }
/// use gdlr::automaton::{AutomatonEngine, AutomatonGame};
/// use gdlr::engine::Engine;
/// let text = "type Player = { x, o }; type Score = { 0, 100 }; type Square = { a, b };
///     begin, turn: player = x;
///     turn, left: $ a; turn, right: $ b;
///     left, won: player = keeper; won, done: goals[x] = 100; done, end: player = keeper;
///     right, lost: player = keeper; lost, over: goals[o] = 100; over, end: player = keeper;";
/// let game = AutomatonGame::new("choice", gdlr::rg::read(text).unwrap()).unwrap();
/// let engine = AutomatonEngine::new(game).unwrap();
/// let mut scratch = engine.scratch();
/// let joint = engine.roles().iter().map(|role| {
///     let mut legal = Vec::new();
///     engine.legal(&mut scratch, role, &mut legal).unwrap();
///     legal[0]
/// });
/// let joint: Vec<_> = joint.collect();
/// assert_eq!(engine.move_term(joint[0]).1.spelled(engine.symbols()), "a");
/// assert_eq!(engine.move_term(joint[1]).1.spelled(engine.symbols()), "noop");
/// engine.step(&mut scratch, &joint).unwrap();
/// assert!(engine.terminal(&mut scratch).unwrap());
/// assert_eq!(engine.goal(&mut scratch, engine.roles().find("x").unwrap()), Ok(100));
/// ```
#[derive(Debug)]
pub struct AutomatonEngine {
    game: Arc<AutomatonGame>,
    automaton: Automaton,
    facts: Facts,
    numbers: Numbers,
    /// How many players there are, who are the first roles. Chance may be none.
    players: usize,
    /// By name: the goal that it is, if it is one.
    goals: Vec<Option<u8>>,
    /// Whether some tag may be hidden from somebody.
    hides: bool,
    initial: State,
}

/// Working memory of an [`AutomatonEngine`].
#[derive(Clone, Debug)]
pub struct AutomatonScratch {
    search: Search<'static>,
    state: State,
    /// The moves of whoever's turn it is, if they are `listed`.
    moves: Moves,
    listed: bool,
    /// The move that was drawn last, and its place among them.
    drawn: Option<(MoveId, usize)>,
    /// A state on its way.
    next: State,
    numbers: Table,
}

impl AutomatonEngine {
    /// Compiles an automaton.
    ///
    /// # Errors
    ///
    /// The errors of the description, see [`Automaton::new`]; and when the keeper cannot begin.
    pub fn new(game: impl Into<Arc<AutomatonGame>>) -> Result<AutomatonEngine, Vec<Diagnostic>> {
        let made = AutomatonEngine::within(game, &Meter::unlimited());
        made.expect("there is no limit")
    }

    /// The same within a budget.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted; within, as [`AutomatonEngine::new`].
    pub fn within(
        game: impl Into<Arc<AutomatonGame>>,
        meter: &Meter<'_>,
    ) -> Result<Result<AutomatonEngine, Vec<Diagnostic>>, Exhausted> {
        let game = game.into();
        let automaton = match Automaton::within(game.description(), &[], meter)? {
            Ok(automaton) => automaton,
            Err(problems) => return Ok(Err(problems)),
        };
        let mut initial = automaton.initial().clone();
        if let Err(error) = automaton.keep(&mut Search::default(), &mut initial) {
            return Ok(Err(vec![diagnostic(&error, game.description())]));
        }
        let names = automaton.names();
        let goal = |text: &str| text.parse().ok().filter(|&value: &u8| value <= 100);
        Ok(Ok(AutomatonEngine {
            facts: Facts::new(&game, &automaton),
            numbers: Numbers::new(game.roles().count()),
            players: automaton.players().len(),
            goals: names.iter().map(|name| goal(names.text(name))).collect(),
            hides: automaton.hides(),
            initial,
            automaton,
            game,
        }))
    }

    /// The names and roles, for whoever shows states and matches. Its rules say no more than the
    /// types do.
    pub fn game(&self) -> &Arc<Game> {
        self.game.game()
    }

    /// The state in which somebody first has the move.
    pub(super) fn initial_state(&self) -> &State {
        &self.initial
    }

    /// What is played.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The player of a role.
    fn player(&self, role: RoleId) -> Option<PlayerId> {
        (role.index() < self.players).then_some(PlayerId(role.0))
    }

    /// The role that has the move.
    fn mover(&self, state: &State) -> Option<RoleId> {
        match self.automaton.turn(state) {
            Turn::Player(player) => Some(RoleId(player.0)),
            Turn::Random => self.roles().random(),
            Turn::Keeper | Turn::End => None,
        }
    }

    fn stop(&self, error: &PlayError) -> WorkLimit {
        WorkLimit::new(diagnostic(error, self.game.description()))
    }

    /// Lists the moves of whoever's turn it is; none where a player has none.
    fn list(&self, scratch: &mut AutomatonScratch) -> Result<(), WorkLimit> {
        if scratch.listed {
            return Ok(());
        }
        let AutomatonScratch { search, state, moves, .. } = scratch;
        match self.automaton.moves(search, state, moves) {
            Ok(()) => {}
            Err(PlayError::DeadEnd { .. }) => moves.make_empty(),
            Err(error) => return Err(self.stop(&error)),
        }
        scratch.listed = true;
        scratch.drawn = None;
        Ok(())
    }

    /// The place among the moves of the one that a joint move makes.
    fn place(&self, scratch: &mut AutomatonScratch, joint: &[MoveId]) -> Result<usize, StepError> {
        if self.automaton.turn(&scratch.state) == Turn::End {
            return Err(StepError::Terminal);
        }
        if joint.len() != self.roles().count() {
            return Err(StepError::WrongLength);
        }
        let mover = self.mover(&scratch.state);
        let idle = |&role: &RoleId| Some(role) != mover;
        for role in self.roles().iter().filter(idle) {
            if joint[role.index()] != self.numbers.noop(role) {
                return Err(StepError::Illegal(role));
            }
        }
        // Somebody has the move: a state of the engine is never the keeper's.
        let Some(role) = mover else { return Err(StepError::Terminal) };
        self.list(scratch)?;
        let id = joint[role.index()];
        if let Some((drawn, place)) = scratch.drawn
            && drawn == id
        {
            return Ok(place);
        }
        let AutomatonScratch { numbers, moves, .. } = scratch;
        let tags = self.numbers.tags(numbers, role, id);
        tags.and_then(|tags| moves.position(tags)).ok_or(StepError::Illegal(role))
    }
}

impl Engine for AutomatonEngine {
    type State = State;
    type Scratch = AutomatonScratch;

    fn roles(&self) -> &Roles {
        self.game.roles()
    }

    fn symbols(&self) -> &SymbolTable {
        &self.game.game().symbols
    }

    fn moves(&self) -> Option<usize> {
        None
    }

    fn initial(&self) -> &State {
        &self.initial
    }

    fn scratch(&self) -> AutomatonScratch {
        AutomatonScratch {
            search: Search::default(),
            state: self.initial.clone(),
            moves: Moves::default(),
            listed: false,
            drawn: None,
            next: self.initial.clone(),
            numbers: Table::new(),
        }
    }

    fn enter(&self, scratch: &mut AutomatonScratch, state: &State) {
        scratch.state.clone_from(state);
        scratch.listed = false;
    }

    fn enter_facts(&self, scratch: &mut AutomatonScratch, facts: &[Term]) -> Result<(), FactError> {
        self.facts.enter(&self.game, &self.automaton, facts, &mut scratch.next)?;
        std::mem::swap(&mut scratch.state, &mut scratch.next);
        scratch.listed = false;
        Ok(())
    }

    fn save(&self, scratch: &AutomatonScratch, state: &mut State) {
        state.clone_from(&scratch.state);
    }

    fn terminal(&self, scratch: &mut AutomatonScratch) -> Result<bool, WorkLimit> {
        Ok(self.automaton.turn(&scratch.state) == Turn::End)
    }

    fn legal(
        &self,
        scratch: &mut AutomatonScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        moves.clear();
        let Some(mover) = self.mover(&scratch.state) else { return Ok(()) };
        if mover == role {
            self.list(scratch)?;
            let AutomatonScratch { numbers, moves: listed, .. } = scratch;
            let id = |index| self.numbers.of(numbers, role, listed, index);
            moves.extend((0..listed.len()).map(id));
        } else if role.index() < self.roles().count() {
            moves.push(self.numbers.noop(role));
        }
        Ok(())
    }

    fn random_legal(
        &self,
        scratch: &mut AutomatonScratch,
        role: RoleId,
        _: &mut Vec<MoveId>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<MoveId>, WorkLimit> {
        let Some(mover) = self.mover(&scratch.state) else { return Ok(None) };
        if mover != role {
            return Ok((role.index() < self.roles().count()).then(|| self.numbers.noop(role)));
        }
        self.list(scratch)?;
        let place = match scratch.moves.len() {
            0 => return Ok(None),
            1 => 0,
            count => rng.random_range(0..count),
        };
        let id = self.numbers.of(&mut scratch.numbers, role, &scratch.moves, place);
        scratch.drawn = Some((id, place));
        Ok(Some(id))
    }

    fn goal(&self, scratch: &mut AutomatonScratch, role: RoleId) -> Result<u8, GoalError> {
        let player = self.player(role).ok_or(GoalError::Missing)?;
        let score = self.automaton.goal(&scratch.state, player);
        let improper = || GoalError::Improper(vec![self.game.constant(score)]);
        self.goals[score.index()].ok_or_else(improper)
    }

    fn step(&self, scratch: &mut AutomatonScratch, joint: &[MoveId]) -> Result<(), StepError> {
        let place = self.place(scratch, joint)?;
        let AutomatonScratch { search, state, next, moves, .. } = scratch;
        next.clone_from(state);
        moves.play(place, next);
        self.automaton.keep(search, next).map_err(|error| self.stop(&error))?;
        std::mem::swap(state, next);
        scratch.listed = false;
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.hides
    }

    /// By role: the tags of the move that are visible to it, with whose they are, unless it is its
    /// own move; and behind it those of what the keeper does, in order.
    fn percepts(
        &self,
        scratch: &mut AutomatonScratch,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, StepError> {
        let place = self.place(scratch, joint)?;
        if !self.hides {
            return Ok(vec![Vec::new(); self.roles().count()]);
        }
        let AutomatonScratch { search, state, next, moves, .. } = scratch;
        // By role: tags of the move, and of the keeper's moves.
        let mut seen = vec![[Vec::new(), Vec::new()]; self.roles().count()];
        let mut see = |state: &State, moves: &Moves, index: usize, part: usize| {
            for (player, seen) in self.automaton.players().zip(&mut seen) {
                if self.automaton.turn(state) != Turn::Player(player) {
                    seen[part].extend(self.automaton.visible(moves, index, player));
                }
            }
        };
        see(state, moves, place, 0);
        next.clone_from(state);
        moves.play(place, next);
        let kept = self.automaton.keep_watched(search, next, |state, moves, index| {
            see(state, moves, index, 1);
        });
        kept.map_err(|error| self.stop(&error))?;
        let mover = match self.automaton.turn(state) {
            Turn::Player(player) => self.automaton.player_name(player),
            _ => Name::RANDOM,
        };
        let chance = self.roles().random();
        let percepts = |(role, parts): (RoleId, [Vec<Name>; 2])| {
            let told = [mover, Name::KEEPER].into_iter().zip(parts);
            let told = told.filter(|(_, tags)| !tags.is_empty() && chance != Some(role));
            let mut told: Vec<Term> = told
                .map(|(by, tags)| {
                    let all: Vec<Name> = std::iter::once(by).chain(tags).collect();
                    self.game.term(&all)
                })
                .collect();
            told.sort_unstable();
            told
        };
        Ok(self.roles().iter().zip(seen).map(percepts).collect())
    }

    fn facts(&self, state: &State) -> Vec<Term> {
        self.facts.of(&self.game, &self.automaton, state)
    }

    fn state_bytes(&self, state: &State) -> usize {
        state.bytes()
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        let (role, tags) = self.numbers.of_id(id).expect("a move that was given a number");
        (role, self.game.term(&tags))
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        let tags = self.game.tags(term)?;
        (role.index() < self.roles().count()).then(|| self.numbers.of_tags(role, &tags))
    }
}
