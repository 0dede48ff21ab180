//! The engine `tree`: playing on the trees.

use super::limits::too_much_work;
use super::moves::{Moves, random_row};
use super::plan::{OrId, Plan};
use super::prove::Prover;
use super::scratch::Scratch;
use super::state::State;
use super::table::Table;
use gdlr_engine::engine::{
    Engine, FactError, GoalError, MoveId, RoleId, Roles, StepError, WorkLimit,
};
use gdlr_rules::gdl::{Game, Symbol, SymbolTable, Term};
use gdlr_rules::normal::Normal;
use gdlr_text::decisions::Decisions;
use gdlr_text::diagnostic::Span;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// A game compiled to resolution trees. Immutable; share it between threads by reference.
#[derive(Debug)]
pub struct Tree {
    pub(super) normal: Normal,
    pub(super) plan: Plan,
    /// The relations that never change.
    pub(super) statics: Vec<Arc<Table>>,
    pub(super) initial: State,
    pub(super) roots: Roots,
    pub(super) role_names: Roles,
    pub(super) moves: Moves,
    /// By role: the columns that stand for it in `legal` and in `goal`.
    pub(super) roles: Vec<RoleRows>,
    /// By symbol: its value as a goal.
    pub(super) goal_values: Vec<Option<u8>>,
    pub(super) figures: Vec<(&'static str, usize)>,
    pub(super) decisions: Decisions,
}

/// The nodes that play asks.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    pub(super) legal: OrId,
    pub(super) terminal: OrId,
    pub(super) goal: OrId,
    /// By base relation.
    pub(super) next: Vec<OrId>,
    /// If there are rules for it.
    pub(super) sees: Option<OrId>,
}

#[derive(Clone, Debug)]
pub(super) struct RoleRows {
    /// `None` if the role never has a legal move.
    pub(super) legal: Option<Box<[Symbol]>>,
    /// `None` if the role never has a goal value.
    pub(super) goal: Option<Box<[Symbol]>>,
}

impl Tree {
    /// The rules that are played.
    pub fn game(&self) -> &Arc<Game> {
        self.normal.game()
    }

    /// The rules in normal form.
    pub fn normal(&self) -> &Normal {
        &self.normal
    }

    /// How many there are of what the trees are made of, in the order to show them.
    pub fn figures(&self) -> &[(&'static str, usize)] {
        &self.figures
    }

    /// The decisions of set-up.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    fn prover(&self) -> Prover<'_> {
        Prover { plan: &self.plan, statics: &self.statics }
    }

    /// The widths of the base relations.
    pub(super) fn base_widths(&self) -> Vec<usize> {
        self.normal.fluents.iter().map(|f| self.normal.relation(f.base).width).collect()
    }

    /// Proves everything that a root says.
    fn prove_all(&self, scratch: &mut Scratch, or: OrId) {
        let prover = self.prover();
        self.plan.ahead.iter().for_each(|&node| prover.prove_all(scratch, node));
        prover.prove_all(scratch, or);
    }

    /// The answers of a scratch are complete.
    #[inline]
    fn within_limit(&self, scratch: &Scratch) -> Result<(), WorkLimit> {
        if scratch.gave_up() { Err(self.limit(scratch)) } else { Ok(()) }
    }

    /// The error that names the rule which has taken most of the work.
    #[cold]
    fn limit(&self, scratch: &Scratch) -> WorkLimit {
        let ands = self.plan.ands.iter().zip(&scratch.ands);
        WorkLimit::new(match ands.max_by_key(|(_, rows)| rows.work) {
            Some((and, _)) => {
                let relation = self.plan.ors[and.or.index()].relation;
                too_much_work(
                    self.normal.rules[and.rule as usize].source,
                    &self.normal.relation_name(relation),
                )
            }
            None => too_much_work(Span::default(), "terminal"),
        })
    }

    /// The legal moves of a role in a state that is not terminal, in the order in which the
    /// tree finds them.
    pub(super) fn found_moves(
        &self,
        scratch: &mut Scratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        moves.clear();
        let Some(prefix) = self.roles.get(role.index()).and_then(|r| r.legal.as_deref()) else {
            return Ok(());
        };
        self.prove_all(scratch, self.roots.legal);
        self.within_limit(scratch)?;
        let Scratch { nodes, moves: copy, .. } = scratch;
        let answers = nodes[self.roots.legal.index()].answers.rows().iter();
        for row in answers.filter(|row| row.starts_with(prefix)) {
            moves.push(self.moves.number(copy, role, &row[prefix.len()..]));
        }
        Ok(())
    }

    /// Writes a joint move, if it is legal, where conditions on `does` find it.
    fn choose(&self, scratch: &mut Scratch, joint: &[MoveId]) -> Result<(), StepError> {
        for (role, (&id, rows)) in joint.iter().zip(&self.roles).enumerate() {
            let role = RoleId(role as u16);
            let Scratch { does, moves: copy, nodes, .. } = scratch;
            let Some(prefix) = rows.legal.as_deref() else { return Err(StepError::Illegal(role)) };
            let Some(row) = self.moves.row_of(copy, role, id) else {
                return Err(StepError::Illegal(role));
            };
            does.insert_with(|whole| {
                let (who, what) = whole.split_at_mut(prefix.len());
                who.copy_from_slice(prefix);
                what.copy_from_slice(row);
            });
            let row = does.rows().row(does.len() - 1);
            if !nodes[self.roots.legal.index()].answers.contains(row) {
                return Err(StepError::Illegal(role));
            }
        }
        Ok(())
    }

    /// Makes a joint move, if it is legal: proves ahead what depends on it.
    #[inline]
    fn make(&self, scratch: &mut Scratch, joint: &[MoveId]) -> Result<(), StepError> {
        if self.terminal(scratch)? {
            return Err(StepError::Terminal);
        }
        if joint.len() != self.roles.len() {
            return Err(StepError::WrongLength);
        }
        self.prove_all(scratch, self.roots.legal);
        self.within_limit(scratch)?;
        if let Err(illegal) = self.choose(scratch, joint) {
            scratch.does.clear();
            return Err(illegal);
        }
        let ahead = self.plan.ahead.iter().chain(&self.plan.ahead_of_step);
        ahead.for_each(|&node| self.prover().prove_all(scratch, node));
        Ok(())
    }

    /// The number that a row of `goal` ends with, if it is one.
    #[inline]
    fn goal_value(&self, row: &[Symbol]) -> Option<u8> {
        let goal = self.normal.goal;
        let value = match self.normal.relation(goal).args[1].is_plain() {
            true => *row.last()?,
            false => match self.normal.decode_arg(goal, 1, row) {
                Term::Constant(symbol) => symbol,
                _ => return None,
            },
        };
        self.goal_values.get(usize::from(value.index())).copied().flatten()
    }

    /// The range of a base relation's rows in a state.
    fn base_rows<'s>(&self, state: &'s State) -> impl Iterator<Item = (usize, &'s [Symbol])> {
        let widths = self.base_widths();
        let mut start = 0;
        (0..widths.len()).flat_map(move |base| {
            let (width, count) = (widths[base], state.counts[base] as usize);
            let from = start;
            start += width * count;
            (0..count).map(move |i| (base, &state.rows[from + i * width..from + (i + 1) * width]))
        })
    }
}

impl Engine for Tree {
    type State = State;
    type Scratch = Scratch;

    fn roles(&self) -> &Roles {
        &self.role_names
    }

    fn symbols(&self) -> &SymbolTable {
        &self.normal.game().symbols
    }

    fn moves(&self) -> Option<usize> {
        None
    }

    fn initial(&self) -> &State {
        &self.initial
    }

    fn scratch(&self) -> Scratch {
        let legal = self.normal.relation(self.normal.legal);
        let moves = legal.args[1].width();
        let mut scratch = Scratch::new(&self.plan, &self.base_widths(), legal.width, moves);
        self.enter(&mut scratch, &self.initial);
        scratch
    }

    fn enter(&self, scratch: &mut Scratch, state: &State) {
        scratch.begin();
        let mut start = 0;
        for (base, &count) in scratch.bases.iter_mut().zip(&state.counts) {
            let width = base.rows().width();
            for _ in 0..count {
                base.insert(&state.rows[start..start + width]);
                start += width;
            }
        }
    }

    fn enter_facts(&self, scratch: &mut Scratch, facts: &[Term]) -> Result<(), FactError> {
        let encode = |fact: &Term| {
            self.normal.encode_fact(fact).ok_or_else(|| FactError::Unknown(fact.clone()))
        };
        let rows = facts.iter().map(encode).collect::<Result<Vec<_>, _>>()?;
        scratch.begin();
        for (base, row) in rows {
            scratch.bases[base].insert(&row);
        }
        Ok(())
    }

    fn save(&self, scratch: &Scratch, state: &mut State) {
        state.fill(scratch.bases.iter());
    }

    fn terminal(&self, scratch: &mut Scratch) -> Result<bool, WorkLimit> {
        // Asked again and again: by players, for the legal moves of each role, and by a step.
        if scratch.terminal.0 == scratch.epoch {
            return Ok(scratch.terminal.1);
        }
        self.prove_all(scratch, self.roots.terminal);
        self.within_limit(scratch)?;
        let is_terminal = !scratch.nodes[self.roots.terminal.index()].answers.is_empty();
        scratch.terminal = (scratch.epoch, is_terminal);
        Ok(is_terminal)
    }

    fn legal(
        &self,
        scratch: &mut Scratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        moves.clear();
        if self.terminal(scratch)? {
            return Ok(());
        }
        self.found_moves(scratch, role, moves)?;
        let Scratch { moves: copy, packed, .. } = scratch;
        self.moves.sort(copy, moves, packed);
        Ok(())
    }

    fn random_legal(
        &self,
        scratch: &mut Scratch,
        role: RoleId,
        _: &mut Vec<MoveId>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<MoveId>, WorkLimit> {
        let prefix = self.roles.get(role.index()).and_then(|r| r.legal.as_deref());
        let (false, Some(prefix)) = (self.terminal(scratch)?, prefix) else { return Ok(None) };
        self.prove_all(scratch, self.roots.legal);
        self.within_limit(scratch)?;
        let Scratch { nodes, moves: copy, packed, .. } = scratch;
        let rows = nodes[self.roots.legal.index()].answers.rows();
        let row = random_row(rows, prefix, packed, rng);
        Ok(row.map(|row| self.moves.number(copy, role, row)))
    }

    fn goal(&self, scratch: &mut Scratch, role: RoleId) -> Result<u8, GoalError> {
        let prefix = self.roles.get(role.index()).and_then(|r| r.goal.as_deref());
        let prefix = prefix.ok_or(GoalError::Missing)?;
        let goal = self.roots.goal;
        self.plan.ahead.iter().for_each(|&node| self.prover().prove_all(scratch, node));
        match self.plan.ors[goal.index()].filter.is_empty() {
            true => self.prover().prove_all(scratch, goal),
            false => self.prover().ask(scratch, goal, |row| row.copy_from_slice(prefix)),
        }
        self.within_limit(scratch)?;
        let answers = scratch.nodes[goal.index()].answers.rows();
        let mut rows = answers.iter().filter(|row| row.starts_with(prefix));
        let first = rows.next().ok_or(GoalError::Missing)?;
        if let (Some(value), None) = (self.goal_value(first), rows.next()) {
            return Ok(value);
        }
        let rows = answers.iter().filter(|row| row.starts_with(prefix));
        let value = |row| (self.normal.decode_arg(self.normal.goal, 1, row), self.goal_value(row));
        GoalError::only_value(rows.map(value).collect())
    }

    fn step(&self, scratch: &mut Scratch, joint: &[MoveId]) -> Result<(), StepError> {
        self.make(scratch, joint)?;
        let prover = self.prover();
        self.roots.next.iter().for_each(|&next| prover.prove_all(scratch, next));
        scratch.does.clear();
        self.within_limit(scratch)?;
        for (base, &next) in scratch.bases.iter_mut().zip(&self.roots.next) {
            base.swap_rows(&mut scratch.nodes[next.index()].answers);
        }
        scratch.epoch += 1;
        scratch.begin_state();
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.game().has_percepts()
    }

    fn percepts(
        &self,
        scratch: &mut Scratch,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, StepError> {
        let state = self.state(scratch);
        self.make(scratch, joint)?;
        let mut seen = vec![Vec::new(); self.role_names.count()];
        if let (Some(root), Some(sees)) = (self.roots.sees, self.normal.sees) {
            self.prover().prove_all(scratch, root);
            for row in scratch.nodes[root.index()].answers.rows().iter() {
                let name = self.normal.decode_arg(sees, 0, row);
                let role = self.game().roles.iter().position(|role| *role == name);
                if let Some(percepts) = role.and_then(|role| seen.get_mut(role)) {
                    percepts.push(self.normal.decode_arg(sees, 1, row));
                }
            }
            seen.iter_mut().for_each(|percepts: &mut Vec<Term>| percepts.sort_unstable());
            // Chance sees nothing.
            if let Some(chance) = self.role_names.random() {
                seen[chance.index()].clear();
            }
        }
        let within = self.within_limit(scratch);
        // Facts proved with this joint move hold for no other.
        scratch.does.clear();
        self.enter(scratch, &state);
        within.map(|()| seen).map_err(Into::into)
    }

    fn state_bytes(&self, state: &State) -> usize {
        size_of_val(&state.counts[..]) + size_of_val(&state.rows[..])
    }

    fn facts(&self, state: &State) -> Vec<Term> {
        self.base_rows(state)
            .map(|(base, row)| {
                let f = self.normal.fluents[base];
                self.normal.decode_fact(f.fluent, f.base, row)
            })
            .collect()
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        let (role, row) = self.moves.row(id).expect("a move that was given out");
        (role, self.normal.relation(self.normal.legal).args[1].decode(&row))
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        self.roles.get(role.index())?.legal.as_deref()?;
        let row = self.normal.encode_arg(self.normal.legal, 1, term)?;
        Some(self.moves.number_of(role, &row))
    }
}
