//! The legend of an automaton by itself: its names are those of moves and facts.

use super::engine::Interpreter;
use super::error::diagnostic;
use super::facts::Facts;
use super::game::AutomatonGame;
use super::legend::{Choice, Legend, Work};
use super::numbers::{Numbers, Table};
use crate::tuning::Tuning;
use gdlr_engine::engine::{FactError, GoalError, MoveId, RoleId, Roles, WorkLimit};
use gdlr_rg::rg::{Automaton, Moves, Name, PlayError, PlayerId, State, Turn};
use gdlr_rules::gdl::{Game, SymbolTable, Term};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::Decisions;
use gdlr_text::diagnostic::Diagnostic;
use std::sync::Arc;

/// The engine of an automaton. The [module](super) defines its roles, moves and facts.
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
pub type AutomatonEngine = Interpreter<OwnLegend>;

/// The names of a description as symbols and terms. One role moves at a time.
#[derive(Debug)]
pub struct OwnLegend {
    game: Arc<AutomatonGame>,
    facts: Facts,
    numbers: Numbers,
    /// The number of players, who are the first roles. Chance may be an additional role.
    players: usize,
    /// By name: its goal value, if it is an integer from 0 to 100.
    goals: Vec<Option<u8>>,
    /// Whether some tag may be hidden from some player.
    hides: bool,
}

impl AutomatonEngine {
    /// Compiles an automaton.
    ///
    /// # Errors
    ///
    /// The errors of the description, see [`Automaton::new`]. When the keeper cannot begin.
    pub fn new(game: impl Into<Arc<AutomatonGame>>) -> Result<AutomatonEngine, Vec<Diagnostic>> {
        let engine = AutomatonEngine::within(game, &Meter::unlimited());
        engine.expect("there is no limit")
    }

    /// [`AutomatonEngine::new`], within a budget.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted. The inner errors are those of [`AutomatonEngine::new`].
    pub fn within(
        game: impl Into<Arc<AutomatonGame>>,
        meter: &Meter<'_>,
    ) -> Result<Result<AutomatonEngine, Vec<Diagnostic>>, Exhausted> {
        AutomatonEngine::tuned(game, &Tuning::default(), meter)
    }

    /// [`AutomatonEngine::within`], with other bounds.
    ///
    /// # Errors
    ///
    /// As [`AutomatonEngine::within`].
    pub fn tuned(
        game: impl Into<Arc<AutomatonGame>>,
        tuning: &Tuning,
        meter: &Meter<'_>,
    ) -> Result<Result<AutomatonEngine, Vec<Diagnostic>>, Exhausted> {
        let game = game.into();
        let automaton = match Automaton::tuned(game.description(), &[], &tuning.rg, meter)? {
            Ok(automaton) => automaton,
            Err(problems) => return Ok(Err(problems)),
        };
        let legend = OwnLegend::of(game, &automaton);
        let engine = Interpreter::of(automaton, legend, Decisions::default());
        Ok(engine.map_err(|stopped| vec![stopped.into_diagnostic()]))
    }

    /// The names and roles, for programs that show states and matches. Its rules say no more than
    /// the types of the description.
    pub fn game(&self) -> &Arc<Game> {
        self.legend().game.game()
    }
}

impl OwnLegend {
    fn of(game: Arc<AutomatonGame>, automaton: &Automaton) -> OwnLegend {
        let names = automaton.names();
        let goal = |text: &str| text.parse().ok().filter(|&value: &u8| value <= 100);
        OwnLegend {
            facts: Facts::new(&game, automaton),
            numbers: Numbers::new(game.roles().count()),
            players: automaton.players().len(),
            goals: names.iter().map(|name| goal(names.text(name))).collect(),
            hides: automaton.hides(),
            game,
        }
    }

    /// The role that has the move.
    fn mover(&self, automaton: &Automaton, state: &State) -> Option<RoleId> {
        match automaton.turn(state) {
            Turn::Player(player) => Some(RoleId(player.0)),
            Turn::Random => self.roles().random(),
            Turn::Keeper | Turn::End => None,
        }
    }
}

impl Legend for OwnLegend {
    type State = State;
    type Numbers = Table;

    const BY_NUMBER: bool = false;
    const ALONE: bool = true;

    fn roles(&self) -> &Roles {
        self.game.roles()
    }

    fn symbols(&self) -> &SymbolTable {
        &self.game.game().symbols
    }

    fn at<'s>(&self, state: &'s State) -> &'s State {
        state
    }

    fn save(&self, _: &Automaton, from: &State, to: &mut State) {
        to.clone_from(from);
    }

    fn enter_facts(
        &self,
        automaton: &Automaton,
        facts: &[Term],
        work: &mut Work,
    ) -> Result<(), FactError> {
        self.facts.enter(&self.game, automaton, facts, &mut work.next)
    }

    fn facts(&self, automaton: &Automaton, state: &State) -> Vec<Term> {
        self.facts.of(&self.game, automaton, state)
    }

    fn state_bytes(&self, state: &State) -> usize {
        state.bytes()
    }

    fn choices(
        &self,
        automaton: &Automaton,
        state: &State,
    ) -> impl Fn(RoleId) -> Option<Choice> + Copy {
        let mover = self.mover(automaton, state);
        move |role| match mover? {
            mover if mover == role => Some(Choice::Ply(None)),
            _ if role.index() < self.roles().count() => {
                Some(Choice::Implied(self.numbers.noop(role)))
            }
            _ => None,
        }
    }

    fn moves(&self) -> Option<usize> {
        None
    }

    fn numbers(&self) -> Table {
        Table::new()
    }

    fn number(
        &self,
        numbers: &mut Table,
        role: RoleId,
        moves: &Moves,
        place: usize,
    ) -> Option<MoveId> {
        Some(self.numbers.of(numbers, role, moves, place))
    }

    fn place(&self, numbers: &mut Table, role: RoleId, moves: &Moves, id: MoveId) -> Option<usize> {
        let tags = self.numbers.tags(numbers, role, id);
        tags.and_then(|tags| moves.position(tags))
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        let (role, tags) = self.numbers.of_id(id).expect("a move that was given a number");
        (role, self.game.term(&tags))
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        let tags = self.game.tags(term)?;
        (role.index() < self.roles().count()).then(|| self.numbers.of_tags(role, &tags))
    }

    fn goal(
        &self,
        automaton: &Automaton,
        state: &State,
        _: &mut Work,
        role: RoleId,
    ) -> Result<u8, GoalError> {
        let player = (role.index() < self.players).then_some(PlayerId(role.0));
        let score = automaton.goal(state, player.ok_or(GoalError::Missing)?);
        let improper = || GoalError::Improper(vec![self.game.constant(score)]);
        self.goals[score.index()].ok_or_else(improper)
    }

    fn has_percepts(&self) -> bool {
        self.hides
    }

    /// By role: the tags of the move that are visible to it, with the role that moves, unless the
    /// move is its own. Behind them come the visible tags of the keeper, in order.
    fn percepts(
        &self,
        automaton: &Automaton,
        state: &State,
        work: &mut Work,
        first: Option<(&Moves, usize)>,
        _: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, WorkLimit> {
        let (true, Some((moves, place))) = (self.hides, first) else {
            return Ok(vec![Vec::new(); self.roles().count()]);
        };
        let Work { search, next, .. } = work;
        // By role: tags of the move, and tags of the keeper.
        let mut seen = vec![[Vec::new(), Vec::new()]; self.roles().count()];
        let mut see = |state: &State, moves: &Moves, index: usize, part: usize| {
            for (player, seen) in automaton.players().zip(&mut seen) {
                if automaton.turn(state) != Turn::Player(player) {
                    seen[part].extend(automaton.visible(moves, index, player));
                }
            }
        };
        see(state, moves, place, 0);
        next.clone_from(state);
        moves.play(place, next);
        let kept = automaton.keep_watched(search, next, |state, moves, index| {
            see(state, moves, index, 1);
        });
        kept.map_err(|error| self.stopped(&error))?;
        let mover = match automaton.turn(state) {
            Turn::Player(player) => automaton.player_name(player),
            _ => Name::RANDOM,
        };
        let chance = self.roles().random();
        let percepts = |(role, parts): (RoleId, [Vec<Name>; 2])| {
            let seen = [mover, Name::KEEPER].into_iter().zip(parts);
            let seen = seen.filter(|(_, tags)| !tags.is_empty() && chance != Some(role));
            let mut seen: Vec<Term> = seen
                .map(|(by, tags)| {
                    let all: Vec<Name> = std::iter::once(by).chain(tags).collect();
                    self.game.term(&all)
                })
                .collect();
            seen.sort_unstable();
            seen
        };
        Ok(self.roles().iter().zip(seen).map(percepts).collect())
    }

    fn stopped(&self, error: &PlayError) -> WorkLimit {
        WorkLimit::new(diagnostic(error, self.game.description()))
    }
}
