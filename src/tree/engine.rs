//! The engine `tree`: playing on the trees.

use super::plan::OrId;
use super::prove::Prover;
use super::set_up::too_much_work;
use super::state::State;
use super::{Scratch, Tree, moves};
use crate::diagnostic::Span;
use crate::engine::{Engine, FactError, GoalError, MoveId, RoleId, Roles, StepError, WorkLimit};
use crate::gdl::{Game, Symbol, SymbolTable, Term};
use std::sync::Arc;

impl Tree {
    /// The rules that are played.
    pub fn game(&self) -> &Arc<Game> {
        self.normal.game()
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

    /// What a scratch has said is complete.
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
            moves.push(self.moves.number(copy, row));
        }
        Ok(())
    }

    /// Writes a joint move, if it is legal, where conditions on `does` find it.
    fn choose(&self, scratch: &mut Scratch, joint: &[MoveId]) -> Result<(), StepError> {
        for (role, (&id, rows)) in joint.iter().zip(&self.roles).enumerate() {
            let illegal = StepError::Illegal(RoleId(role as u16));
            let Scratch { does, moves: copy, nodes, .. } = scratch;
            let Some(prefix) = rows.legal.as_deref() else { return Err(illegal) };
            if !self.moves.knows(copy, id) {
                return Err(illegal);
            }
            let row = copy.rows().row(id.index());
            let legal = &nodes[self.roots.legal.index()].answers;
            if !row.starts_with(prefix) || !legal.contains(row) {
                return Err(illegal);
            }
            does.insert(row);
        }
        Ok(())
    }

    /// How many columns of `legal` stand for a role.
    fn role_columns(&self, role: RoleId) -> usize {
        self.roles.get(role.index()).and_then(|r| r.legal.as_deref()).map_or(0, <[Symbol]>::len)
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
        let mut scratch = Scratch::new(&self.plan, &self.base_widths(), legal.width);
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
        self.prove_all(scratch, self.roots.terminal);
        self.within_limit(scratch)?;
        Ok(!scratch.nodes[self.roots.terminal.index()].answers.is_empty())
    }

    fn legal(
        &self,
        scratch: &mut Scratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        moves.clear();
        if !self.terminal(scratch)? {
            self.found_moves(scratch, role, moves)?;
            let Scratch { moves: copy, packed, .. } = scratch;
            moves::sort(copy, self.role_columns(role), moves, packed);
        }
        Ok(())
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
        let prover = self.prover();
        let ahead = self.plan.ahead.iter().chain(&self.plan.ahead_of_step);
        ahead.for_each(|&node| prover.prove_all(scratch, node));
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

    fn facts(&self, state: &State) -> Vec<Term> {
        self.base_rows(state)
            .map(|(base, row)| {
                let f = self.normal.fluents[base];
                self.normal.decode_fact(f.fluent, f.base, row)
            })
            .collect()
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        let row = self.moves.row(id).expect("a move that was given out");
        let role = self
            .roles
            .iter()
            .position(|role| role.legal.as_deref().is_some_and(|prefix| row.starts_with(prefix)));
        let role = RoleId(role.expect("rows of legal moves begin with a role") as u16);
        (role, self.normal.decode_arg(self.normal.legal, 1, &row))
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        let prefix = self.roles.get(role.index())?.legal.as_deref()?;
        let what = self.normal.encode_arg(self.normal.legal, 1, term)?;
        Some(self.moves.number_of(&[prefix, &what].concat()))
    }
}
