//! The engine `tree`: playing on the trees.

use super::plan::OrId;
use super::prove::Prover;
use super::set_up::too_much_work;
use super::table::Table;
use super::{Scratch, Tree};
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::{Engine, GoalError, MoveId, RoleId, StepError};
use crate::gdl::{Game, Symbol, Term};

/// A state of the engine `tree`: its facts as rows, sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// By base relation: how many facts there are.
    pub(super) counts: Box<[u32]>,
    /// The rows of all base relations, one behind the other.
    pub(super) rows: Box<[Symbol]>,
}

impl State {
    /// The state with these facts, by base relation.
    pub(super) fn of<'a>(bases: impl Iterator<Item = &'a Table>) -> State {
        let mut counts = Vec::new();
        let mut rows = Vec::new();
        for base in bases {
            let mut sorted: Vec<&[Symbol]> = base.rows().iter().collect();
            sorted.sort_unstable();
            counts.push(sorted.len() as u32);
            sorted.iter().for_each(|row| rows.extend_from_slice(row));
        }
        State { counts: counts.into(), rows: rows.into() }
    }
}

impl Tree {
    fn prover(&self) -> Prover<'_> {
        Prover { plan: &self.plan, statics: &self.statics }
    }

    /// The widths of the base relations.
    pub(super) fn base_widths(&self) -> Vec<usize> {
        self.normal.fluents.iter().map(|f| self.normal.relation(f.base).width).collect()
    }

    fn prove_all(&self, scratch: &mut Scratch, or: OrId) {
        let prover = self.prover();
        self.plan.ahead.iter().for_each(|&node| prover.prove_all(scratch, node));
        prover.prove_all(scratch, or);
    }

    /// Writes a joint move, if it is legal, where conditions on `does` find it.
    fn choose(&self, scratch: &mut Scratch, joint: &[MoveId]) -> Result<(), StepError> {
        for (role, (&id, rows)) in joint.iter().zip(&self.roles).enumerate() {
            let illegal = StepError::Illegal(RoleId(role as u16));
            let prefix = rows.legal.as_deref().ok_or(illegal)?;
            let Scratch { does, moves, nodes, .. } = scratch;
            if id.0 as usize >= moves.len() {
                return Err(illegal);
            }
            does.insert_with(|row| {
                let (who, what) = row.split_at_mut(prefix.len());
                who.copy_from_slice(prefix);
                what.copy_from_slice(moves.rows().row(id.0 as usize));
            });
            let row = does.rows().row(does.len() - 1);
            if !nodes[self.roots.legal.index()].answers.contains(row) {
                return Err(illegal);
            }
        }
        Ok(())
    }

    /// The diagnostic of the node that has taken most of the work.
    #[cold]
    fn heaviest(&self, scratch: &Scratch) -> Diagnostic {
        let ands = self.plan.ands.iter().zip(&scratch.ands);
        match ands.max_by_key(|(_, rows)| rows.work) {
            Some((and, _)) => {
                let relation = self.plan.ors[and.or.index()].relation;
                too_much_work(
                    self.normal.rules[and.rule as usize].source,
                    &self.normal.relation_name(relation),
                )
            }
            None => too_much_work(Span::default(), "terminal"),
        }
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

    fn game(&self) -> &Game {
        self.normal.game()
    }

    fn scratch(&self) -> Scratch {
        let legal = self.normal.relation(self.normal.legal);
        let mut scratch =
            Scratch::new(&self.plan, &self.base_widths(), legal.width, legal.args[1].width());
        self.enter(&mut scratch, &self.initial);
        scratch
    }

    fn initial(&self) -> &State {
        &self.initial
    }

    fn enter(&self, scratch: &mut Scratch, state: &State) {
        scratch.epoch += 1;
        scratch.begin_state();
        scratch.does.clear();
        let mut start = 0;
        for (base, &count) in scratch.bases.iter_mut().zip(&state.counts) {
            base.clear();
            let width = base.rows().width();
            for _ in 0..count {
                base.insert(&state.rows[start..start + width]);
                start += width;
            }
        }
    }

    fn state(&self, scratch: &Scratch) -> State {
        State::of(scratch.bases.iter())
    }

    fn terminal(&self, scratch: &mut Scratch) -> bool {
        self.prove_all(scratch, self.roots.terminal);
        !scratch.nodes[self.roots.terminal.index()].answers.is_empty()
    }

    fn legal(&self, scratch: &mut Scratch, role: RoleId, moves: &mut Vec<MoveId>) {
        moves.clear();
        let Some(prefix) = self.roles.get(usize::from(role.0)).and_then(|r| r.legal.as_deref())
        else {
            return;
        };
        self.prove_all(scratch, self.roots.legal);
        if scratch.gave_up() {
            return;
        }
        let Scratch { nodes, moves: numbers, .. } = scratch;
        for row in nodes[self.roots.legal.index()].answers.rows().iter() {
            let (who, what) = row.split_at(prefix.len());
            if who == prefix {
                moves.push(MoveId(numbers.number(what) as u32));
            }
        }
    }

    fn goal(&self, scratch: &mut Scratch, role: RoleId) -> Result<u8, GoalError> {
        let prefix = self.roles.get(usize::from(role.0)).and_then(|r| r.goal.as_deref());
        let prefix = prefix.ok_or(GoalError::Missing)?;
        let goal = self.roots.goal;
        self.plan.ahead.iter().for_each(|&node| self.prover().prove_all(scratch, node));
        match self.plan.ors[goal.index()].filter.is_empty() {
            true => self.prover().prove_all(scratch, goal),
            false => self.prover().ask(scratch, goal, |row| row.copy_from_slice(prefix)),
        }
        let answers = scratch.nodes[goal.index()].answers.rows();
        let mut values = answers.iter().filter(|row| row.starts_with(prefix));
        let first = values.next().ok_or(GoalError::Missing)?;
        let value = match &first[prefix.len()..] {
            [symbol] => self.goal_values.get(usize::from(symbol.index())).copied().flatten(),
            _ => None,
        };
        match (value, values.next()) {
            (Some(value), None) => Ok(value),
            _ => Err(GoalError::Improper(
                answers
                    .iter()
                    .filter(|row| row.starts_with(prefix))
                    .map(|row| self.normal.decode_arg(self.normal.goal, 1, row))
                    .collect(),
            )),
        }
    }

    fn step(&self, scratch: &mut Scratch, joint: &[MoveId]) -> Result<(), StepError> {
        if joint.len() != self.roles.len() {
            return Err(StepError::WrongLength);
        }
        self.prove_all(scratch, self.roots.legal);
        if let Err(illegal) = self.choose(scratch, joint) {
            scratch.does.clear();
            return Err(illegal);
        }
        let prover = self.prover();
        let ahead = self.plan.ahead.iter().chain(&self.plan.ahead_of_step);
        ahead.for_each(|&node| prover.prove_all(scratch, node));
        self.roots.next.iter().for_each(|&next| prover.prove_all(scratch, next));
        for (base, &next) in scratch.bases.iter_mut().zip(&self.roots.next) {
            base.swap_rows(&mut scratch.nodes[next.index()].answers);
        }
        scratch.does.clear();
        scratch.epoch += 1;
        if !scratch.gave_up() {
            scratch.begin_state();
        }
        Ok(())
    }

    #[inline]
    fn gave_up(&self, scratch: &Scratch) -> Option<Diagnostic> {
        if scratch.gave_up() { Some(self.heaviest(scratch)) } else { None }
    }

    fn facts(&self, state: &State) -> Vec<Term> {
        self.base_rows(state)
            .map(|(base, row)| {
                let f = self.normal.fluents[base];
                self.normal.decode_fact(f.fluent, f.base, row)
            })
            .collect()
    }

    fn move_term(&self, scratch: &Scratch, id: MoveId) -> Term {
        let encoding = &self.normal.relation(self.normal.legal).args[1];
        encoding.decode(scratch.moves.rows().row(id.0 as usize))
    }

    fn move_id(&self, scratch: &mut Scratch, term: &Term) -> Option<MoveId> {
        let row = self.normal.encode_arg(self.normal.legal, 1, term)?;
        Some(MoveId(scratch.moves.number(&row) as u32))
    }
}
