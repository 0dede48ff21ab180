//! The engine over an automaton: the interpreter of `gdlr-rg` behind the contract of engines.

use super::legend::{Choice, Legend, Work};
use gdlr_engine::engine::{
    Engine, FactError, GoalError, MoveId, RoleId, Roles, StepError, WorkLimit,
};
use gdlr_rg::rg::{Automaton, Moves, NoCode, PlayError, Search, State, Turn};
use gdlr_rules::gdl::{SymbolTable, Term};
use gdlr_text::decisions::Decisions;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The engine of an automaton, with a legend for its roles, moves and facts.
#[derive(Debug)]
pub struct Interpreter<L: Legend> {
    automaton: Automaton,
    legend: L,
    /// The state in which the first player or chance chooses.
    initial: L::State,
    /// The decisions of its set-up.
    decisions: Decisions,
}

/// Working memory of an [`Interpreter`].
#[derive(Clone, Debug)]
pub struct Scratch<N> {
    state: State,
    /// By role: its moves, if it chooses. Valid if `listed`.
    moves: Vec<Moves>,
    listed: bool,
    /// Whether `moves` are the moves of the state before the last step, which is in `work.next`
    /// then. A caller who tries all moves of a state enters it again and again.
    listed_before: bool,
    /// The last move that was drawn since the moves were listed, and its place among them.
    drawn: Option<(MoveId, usize)>,
    work: Work,
    numbers: N,
}

impl<L: Legend> Interpreter<L> {
    /// The engine of an automaton. `decisions` are the decisions so far.
    ///
    /// # Errors
    ///
    /// When the keeper cannot begin.
    pub(crate) fn of(
        automaton: Automaton,
        legend: L,
        mut decisions: Decisions,
    ) -> Result<Interpreter<L>, WorkLimit> {
        decisions.append(automaton.decisions());
        let mut state = automaton.initial().clone();
        let kept = automaton.keep(&mut Search::default(), &mut state);
        kept.map_err(|error| legend.stopped(&error))?;
        let mut initial = L::State::from(state.clone());
        legend.save(&automaton, &state, &mut initial);
        Ok(Interpreter { automaton, legend, initial, decisions })
    }

    /// Compiles the automaton to machine code, as [`Automaton::compile`].
    ///
    /// # Errors
    ///
    /// If there is no machine code for this automaton or this processor.
    pub fn compile(&mut self) -> Result<(), NoCode> {
        self.automaton.compile()
    }

    /// The automaton that is played.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The decisions of the set-up, each with its bounds.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// The legend of its states and tags.
    pub(crate) fn legend(&self) -> &L {
        &self.legend
    }

    fn is_end(&self, state: &State) -> bool {
        self.automaton.turn(state) == Turn::End
    }

    /// Lists the moves of all roles that choose. A role may have none. Each role chooses as if the
    /// others had not chosen. Its legal moves depend neither on the choices of others nor on
    /// whether others have any move.
    fn list(&self, scratch: &mut Scratch<L::Numbers>) -> Result<(), WorkLimit> {
        if scratch.listed {
            return Ok(());
        }
        scratch.listed_before = false;
        let Scratch { state, moves, work: Work { search, next, .. }, .. } = scratch;
        let choices = self.legend.choices(&self.automaton, state);
        for (role, moves) in self.roles().iter().zip(moves) {
            let Some(Choice::Ply(standing)) = choices(role) else { continue };
            let at = match standing {
                None => &*state,
                Some(standing) => {
                    next.clone_from(state);
                    self.automaton.stand(next, standing);
                    &*next
                }
            };
            match self.automaton.moves(search, at, moves) {
                Ok(()) => {}
                Err(PlayError::DeadEnd { .. }) => moves.make_empty(),
                Err(error) => return Err(self.legend.stopped(&error)),
            }
        }
        scratch.listed = true;
        scratch.drawn = None;
        Ok(())
    }

    /// Tests that a joint move can be played. Returns the first role that chooses, and the place of
    /// its move among its moves.
    fn check(
        &self,
        scratch: &mut Scratch<L::Numbers>,
        joint: &[MoveId],
    ) -> Result<Option<(RoleId, usize)>, StepError> {
        if self.is_end(&scratch.state) {
            return Err(StepError::Terminal);
        }
        if joint.len() != self.roles().count() {
            return Err(StepError::WrongLength);
        }
        self.list(scratch)?;
        let Scratch { state, moves, drawn, numbers, .. } = scratch;
        let choices = self.legend.choices(&self.automaton, state);
        let mut first = None;
        for (role, &id) in self.roles().iter().zip(joint) {
            let illegal = StepError::Illegal(role);
            match (choices(role), *drawn) {
                (None, _) => return Err(illegal),
                (Some(Choice::Implied(only)), _) if only == id => {}
                (Some(Choice::Implied(_)), _) => return Err(illegal),
                (Some(Choice::Ply(_)), Some((drawn, place))) if drawn == id => {
                    first.get_or_insert((role, place));
                }
                (Some(Choice::Ply(_)), _) => {
                    let place = self.legend.place(numbers, role, &moves[role.index()], id);
                    first.get_or_insert((role, place.ok_or(illegal)?));
                }
            }
        }
        Ok(first)
    }

    /// Plays a joint move of legal moves. `first` is the result of [`check`](Interpreter::check).
    fn play(
        &self,
        scratch: &mut Scratch<L::Numbers>,
        joint: &[MoveId],
        first: Option<(RoleId, usize)>,
    ) -> Result<(), PlayError> {
        let Scratch { state, moves, numbers, work, .. } = scratch;
        let Work { search, next, moves: behind } = work;
        next.clone_from(state);
        if let Some((first, place)) = first {
            moves[first.index()].play(place, next);
            let choices = self.legend.choices(&self.automaton, state);
            for role in self.roles().iter().skip(first.index() + 1) {
                let Some(Choice::Ply(_)) = choices(role) else { continue };
                self.automaton.moves(search, next, behind)?;
                let place = self.legend.place(numbers, role, behind, joint[role.index()]);
                behind.play(place.expect("the move is legal whatever others chose"), next);
            }
        }
        self.automaton.keep(search, next)?;
        std::mem::swap(state, next);
        Ok(())
    }
}

impl<L: Legend> Engine for Interpreter<L> {
    type State = L::State;
    type Scratch = Scratch<L::Numbers>;

    fn roles(&self) -> &Roles {
        self.legend.roles()
    }

    fn symbols(&self) -> &SymbolTable {
        self.legend.symbols()
    }

    fn moves(&self) -> Option<usize> {
        self.legend.moves()
    }

    fn initial(&self) -> &L::State {
        &self.initial
    }

    fn scratch(&self) -> Scratch<L::Numbers> {
        let state = self.legend.at(&self.initial).clone();
        let next = state.clone();
        Scratch {
            state,
            moves: vec![Moves::default(); self.roles().count()],
            listed: false,
            listed_before: false,
            drawn: None,
            work: Work { search: Search::default(), next, moves: Moves::default() },
            numbers: self.legend.numbers(),
        }
    }

    fn enter(&self, scratch: &mut Scratch<L::Numbers>, state: &L::State) {
        let state = self.legend.at(state);
        scratch.listed = match scratch.listed_before {
            true => scratch.work.next == *state,
            false => scratch.listed && scratch.state == *state,
        };
        scratch.listed_before = false;
        scratch.state.clone_from(state);
        scratch.drawn = None;
    }

    fn enter_facts(
        &self,
        scratch: &mut Scratch<L::Numbers>,
        facts: &[Term],
    ) -> Result<(), FactError> {
        scratch.listed_before = false;
        let Scratch { state, work, .. } = scratch;
        work.next.clone_from(self.legend.at(&self.initial));
        self.legend.enter_facts(&self.automaton, facts, work)?;
        std::mem::swap(state, &mut work.next);
        scratch.listed = false;
        Ok(())
    }

    fn save(&self, scratch: &Scratch<L::Numbers>, state: &mut L::State) {
        self.legend.save(&self.automaton, &scratch.state, state);
    }

    fn terminal(&self, scratch: &mut Scratch<L::Numbers>) -> Result<bool, WorkLimit> {
        Ok(self.is_end(&scratch.state))
    }

    fn legal(
        &self,
        scratch: &mut Scratch<L::Numbers>,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        moves.clear();
        match self.legend.choices(&self.automaton, &scratch.state)(role) {
            None => {}
            Some(Choice::Implied(id)) => moves.push(id),
            Some(Choice::Ply(_)) => {
                self.list(scratch)?;
                let (listed, numbers) = (&scratch.moves[role.index()], &mut scratch.numbers);
                let number = |place| self.legend.number(numbers, role, listed, place);
                moves.extend((0..listed.len()).filter_map(number));
                if L::BY_NUMBER {
                    moves.sort_unstable();
                }
            }
        }
        Ok(())
    }

    fn random_legal(
        &self,
        scratch: &mut Scratch<L::Numbers>,
        role: RoleId,
        moves: &mut Vec<MoveId>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<MoveId>, WorkLimit> {
        match self.legend.choices(&self.automaton, &scratch.state)(role) {
            None => return Ok(None),
            Some(Choice::Implied(id)) => return Ok(Some(id)),
            Some(Choice::Ply(_)) => {}
        }
        self.list(scratch)?;
        let (listed, numbers) = (&scratch.moves[role.index()], &mut scratch.numbers);
        let mut number = |place| self.legend.number(numbers, role, listed, place);
        let mut draw = |count: usize| if count == 1 { 0 } else { rng.random_range(0..count) };
        if L::BY_NUMBER {
            moves.clear();
            moves.extend((0..listed.len()).filter_map(number));
            let count = moves.len();
            return Ok((count > 0).then(|| *moves.select_nth_unstable(draw(count)).1));
        }
        if listed.is_empty() {
            return Ok(None);
        }
        let place = draw(listed.len());
        let id = number(place);
        scratch.drawn = id.map(|id| (id, place));
        Ok(id)
    }

    fn play_ahead(
        &self,
        scratch: &mut Scratch<L::Numbers>,
        most: u64,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> Result<u64, WorkLimit> {
        if !L::ALONE || !self.automaton.is_compiled() {
            return Ok(0);
        }
        let Scratch { state, work, listed, listed_before, drawn, .. } = scratch;
        (*listed, *listed_before, *drawn) = (false, false, None);
        let search = &mut work.search;
        let played = self.automaton.play_ahead(search, state, rng, most, halted);
        // The keeper may have moves left.
        let kept = played.and_then(|played| self.automaton.keep(search, state).map(|()| played));
        kept.map_err(|error| self.legend.stopped(&error))
    }

    fn goal(&self, scratch: &mut Scratch<L::Numbers>, role: RoleId) -> Result<u8, GoalError> {
        scratch.listed_before = false;
        self.legend.goal(&self.automaton, &scratch.state, &mut scratch.work, role)
    }

    fn step(&self, scratch: &mut Scratch<L::Numbers>, joint: &[MoveId]) -> Result<(), StepError> {
        let first = self.check(scratch, joint)?;
        self.play(scratch, joint, first).map_err(|error| self.legend.stopped(&error))?;
        scratch.listed = false;
        scratch.listed_before = true;
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.legend.has_percepts()
    }

    fn percepts(
        &self,
        scratch: &mut Scratch<L::Numbers>,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, StepError> {
        let first = self.check(scratch, joint)?;
        scratch.listed_before = false;
        let Scratch { state, moves, work, .. } = scratch;
        let first = first.map(|(role, place)| (&moves[role.index()], place));
        Ok(self.legend.percepts(&self.automaton, state, work, first, joint)?)
    }

    fn facts(&self, state: &L::State) -> Vec<Term> {
        self.legend.facts(&self.automaton, state)
    }

    fn state_bytes(&self, state: &L::State) -> usize {
        self.legend.state_bytes(state)
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        self.legend.move_term(id)
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        self.legend.move_id(role, term)
    }
}
