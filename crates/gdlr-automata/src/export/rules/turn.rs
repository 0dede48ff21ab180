//! Turns: who chooses, and what follows.

use super::assured::Made;
use super::moves::Kind;
use super::operands::Condition;
use super::sets::Operand;
use super::unfold::atoms;
use super::update::Write;
use super::{Stop, Writer};
use crate::export::automaton::{Action, Node, Slot};
use crate::export::plan::following;
use gdlr_net::net::{LatchId, Signal};
use gdlr_rg::rg::Name;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{EMPTY, FlatAtom, FlatLiteral, FlatTerm, RelationId};
use hashbrown::HashSet;
use std::rc::Rc;

/// A turn that has been written: where its role chooses, and the moves of the others.
pub(super) struct Written {
    /// In the order of the roles that choose.
    pub plies: Vec<Node>,
    pub parts: Vec<Option<usize>>,
}

impl Writer<'_> {
    /// Notes how the moves of a role are written.
    fn note_moves(&mut self, role: usize, kind: &Kind) {
        let tag = kind.tag.map_or("moves", |tag| self.naming.names.text(tag)).to_owned();
        let registers = kind.columns.iter().filter_map(|column| match column {
            Operand::Register(register) => Some(self.sets.slot(*register)),
            Operand::Symbol(_) => None,
        });
        let args: Vec<String> = registers
            .filter_map(|slot| self.automaton.expr_of(slot).as_name())
            .map(|name| self.naming.names.text(name.name).to_owned())
            .collect();
        let role = self.naming.names.text(self.roles[role]);
        let what = format!("legal {role} {tag}");
        let how = match args.is_empty() {
            true => "a tag under conditions".to_owned(),
            false => format!("a walk that chooses {}", args.join(", ")),
        };
        self.note(&what, how);
    }

    pub(super) fn write_turn(&mut self, mode: usize, kinds: &[Kind]) -> Result<Written, Stop> {
        self.scope.mode = Some(mode);
        self.scope.moves = None;
        let legal = &self.unrolled.copies[mode].legal;
        let mut choosers = Vec::new();
        let mut parts: Vec<Option<usize>> = vec![None; self.roles.len()];
        for (role, part) in parts.iter_mut().enumerate() {
            let own = (0..legal.len()).filter(|&input| {
                usize::from(self.unrolled.roles[input]) == role && legal[input] != Signal::FALSE
            });
            let own: Vec<usize> = own.collect();
            match own[..] {
                [only] if legal[only] == Signal::TRUE && !self.joint => *part = Some(only),
                _ => choosers.push(role),
            }
        }
        if choosers.is_empty() {
            choosers.push(0);
            parts[0] = None;
        }
        let next: Vec<usize> = following(self.unrolled, mode);
        let (plies, first) = match choosers[..] {
            [chooser] => self.write_single(mode, chooser, &parts, kinds, &next)?,
            _ => self.write_several(mode, &choosers, &parts, kinds, &next)?,
        };
        self.scope.moves = None;
        self.automaton.edge(self.turns[mode], first, Action::Skip);
        Ok(Written { plies, parts })
    }

    /// Asks whether the play is over, whatever has changed, before some turns; where nothing leads
    /// there, nothing is asked.
    pub(super) fn write_judged(&mut self) -> Result<(), Stop> {
        for mode in self.are_judged.clone() {
            self.scope.mode = Some(mode);
            self.write_judged_turn(mode)?;
        }
        Ok(())
    }

    fn write_judged_turn(&mut self, mode: usize) -> Result<(), Stop> {
        let condition = self.is_over(mode, self.normal.terminal)?;
        let (judged, ended, turn) = (self.judged[mode], self.ended, self.turns[mode]);
        match condition {
            Condition::Always => self.automaton.edge(judged, ended, Action::Skip),
            Condition::Never => {
                self.automaton.edge(judged, turn, Action::Skip);
                self.automaton.edge(judged, ended, Action::Never);
            }
            Condition::Test(action) => {
                self.automaton.edge(judged, ended, action);
                self.automaton.edge(judged, turn, action.opposite());
            }
        }
        Ok(())
    }

    /// That the play is over at the beginning of a turn, as a relation tells that takes nothing.
    fn is_over(&mut self, mode: usize, relation: RelationId) -> Result<Condition, Stop> {
        let mut plan = self.plan_for(0);
        plan.used = self.registers_of_news(relation);
        let body = [FlatLiteral::Positive(FlatAtom { relation, args: Vec::new() })];
        match self.unrolled.copies[mode].terminal {
            Signal::TRUE => Ok(Condition::Always),
            Signal::FALSE => Ok(Condition::Never),
            _ => self.check(&[(&body, plan)]),
        }
    }

    /// Goes on behind what a move writes: to the turn that comes next, unless the play is over.
    pub(super) fn go_on(&mut self, next: &[usize], writes: &mut [Write]) -> Result<Node, Stop> {
        let varies = |&mode: &usize| !self.unrolled.copies[mode].terminal.is_constant();
        let asked = match next.iter().any(varies) {
            true => self.asked_anew(self.normal.terminal, writes)?,
            false => None,
        };
        let Some(relation) = asked else {
            self.are_judged.extend(next);
            let judged = self.judged.clone();
            return self.dispatch(next, &judged);
        };
        let mut to = self.turns.clone();
        let outside = std::mem::take(&mut self.scope);
        for &mode in next {
            to[mode] = match self.is_over(mode, relation)? {
                Condition::Always => self.ended,
                Condition::Never => self.turns[mode],
                Condition::Test(action) => self.branch(action, self.ended, self.turns[mode]),
            };
        }
        self.scope = outside;
        self.dispatch(next, &to)
    }

    /// One role chooses: for each kind of move, what it does follows.
    fn write_single(
        &mut self,
        mode: usize,
        chooser: usize,
        parts: &[Option<usize>],
        kinds: &[Kind],
        next: &[usize],
    ) -> Result<(Vec<Node>, Node), Stop> {
        let ply = self.ply(chooser);
        self.quote_legal(ply, chooser);
        let mut any = false;
        for kind in kinds {
            let inputs = self.inputs_of(mode, chooser, kind);
            if inputs.is_empty() {
                continue;
            }
            let rows = (0..parts.len()).map(|role| self.played(role, parts[role], &kind.columns));
            let rows = rows.collect();
            self.scopes += 1;
            self.scope.moves = Some((self.scopes, Rc::new(rows)));
            self.scope.made = Some(Made { role: chooser, inputs: Rc::new(inputs) });
            let update = self.write_update(next)?;
            (self.scope.moves, self.scope.made) = (None, None);
            let chosen = self.automaton.before(Action::Set(self.player, Name::KEEPER), update);
            if self.write_moves(chooser, kind, &kind.columns, &HashSet::new(), ply, chosen)? {
                self.note_moves(chooser, kind);
                any = true;
            }
        }
        if !any {
            self.automaton.edge(ply, self.ended, Action::Never);
        }
        let player = self.roles[chooser];
        Ok((vec![ply], self.automaton.before(Action::Set(self.player, player), ply)))
    }

    /// The moves of a kind that a role may have as far as the net knows, as inputs of the net.
    fn inputs_of(&self, mode: usize, role: usize, kind: &Kind) -> Vec<usize> {
        let legal = &self.unrolled.copies[mode].legal;
        let is_one = |&number: &usize| {
            let input = &self.net.inputs[number];
            usize::from(input.role.0) == role
                && legal[number] != Signal::FALSE
                && self.is_of(kind, self.move_row(number))
        };
        (0..self.net.inputs.len()).filter(is_one).collect()
    }

    /// Whether a move is of a kind.
    pub(super) fn is_of(&self, kind: &Kind, row: &[Symbol]) -> bool {
        kind.columns.iter().zip(row).all(|(column, symbol)| match column {
            Operand::Symbol(own) => own == symbol,
            Operand::Register(register) => self.sets.has(self.sets.set_of(*register), *symbol),
        })
    }

    /// Several roles choose, one after the other, unseen by the others. Their moves are in
    /// registers, a column each.
    fn write_several(
        &mut self,
        mode: usize,
        choosers: &[usize],
        parts: &[Option<usize>],
        kinds: &[Kind],
        next: &[usize],
    ) -> Result<(Vec<Node>, Node), Stop> {
        let legal = &self.unrolled.copies[mode].legal;
        let filled = kinds.iter().flat_map(|kind| &kind.columns).any(|column| match column {
            Operand::Register(register) => self.sets.has(self.sets.set_of(*register), EMPTY),
            Operand::Symbol(_) => false,
        });
        let named = !filled && self.names_moves();
        let mut used = HashSet::new();
        let mut columns: Vec<Vec<Operand>> = Vec::new();
        for &role in choosers {
            let own = (0..legal.len()).filter(|&input| {
                usize::from(self.unrolled.roles[input]) == role && legal[input] != Signal::FALSE
            });
            let rows: Vec<Vec<Symbol>> = own.map(|input| self.move_row(input).to_vec()).collect();
            if rows.is_empty() {
                // The game is stuck here.
                let roles = self.normal.relation(self.normal.legal).args[0].width();
                let width = self.columns_of(self.normal.legal).len() - roles;
                columns.push(vec![Operand::Symbol(EMPTY); width]);
                continue;
            }
            let text = self.naming.names.text(self.roles[role]).to_owned();
            let mut own = Vec::new();
            for column in 0..rows[0].len() {
                let symbols = rows.iter().map(|row| row[column]);
                let set = match named {
                    true => self.set(symbols.filter(|&symbol| symbol != EMPTY)),
                    false => self.set(symbols),
                };
                own.push(match self.sets.members(set)[..] {
                    [] => Operand::Symbol(EMPTY),
                    [only] => Operand::Symbol(only),
                    _ => {
                        let wanted = format!("{text}_{}", self.column_hint(kinds, column));
                        Operand::Register(self.register(&wanted, set, &mut used))
                    }
                });
            }
            columns.push(own);
        }
        let mut rows = Vec::new();
        for (role, &part) in parts.iter().enumerate() {
            let own = choosers.iter().position(|&chooser| chooser == role);
            let own = own.map_or(&[][..], |place| &columns[place][..]);
            rows.push(self.played(role, part, own));
        }
        self.scopes += 1;
        self.scope.moves = Some((self.scopes, Rc::new(rows)));
        let mut to = self.write_update(next)?;
        self.scope.moves = None;
        // All see what was chosen.
        let chance = self.chance;
        let roles: Vec<usize> = self.players.clone();
        let visible: Vec<Slot> = (0..self.roles.len())
            .map(|role| self.automaton.slot(Name::VISIBLE, &[self.roles[role]]))
            .collect();
        let see = |role: usize, value: Name| {
            (chance != Some(role)).then(|| Action::Set(visible[role], value))
        };
        let others = |role: usize| roles.iter().copied().filter(move |&other| other != role);
        let mut shown = Vec::new();
        for operand in columns.iter().flatten() {
            if let Operand::Register(register) = operand {
                shown.push(Action::TagOf(self.sets.slot(*register)));
            }
        }
        to = self.automaton.chain(&shown, to);
        let Some(&last) = choosers.last() else {
            return Err(Stop::Broken("nobody chooses"));
        };
        let seen: Vec<Action> = others(last).filter_map(|role| see(role, Name::ONE)).collect();
        to = self.automaton.chain(&seen, to);
        let mut enter = self.automaton.before(Action::Set(self.player, Name::KEEPER), to);
        let mut plies = Vec::new();
        for (at, &chooser) in choosers.iter().enumerate().rev() {
            let ply = self.ply(chooser);
            self.quote_legal(ply, chooser);
            let mut any = false;
            for kind in kinds {
                if self.write_moves(chooser, kind, &columns[at], &used, ply, enter)? {
                    self.note_moves(chooser, kind);
                    any = true;
                }
            }
            if !any {
                // The others may have moves all the same.
                self.automaton.edge(ply, enter, Action::Never);
            }
            enter = self.automaton.before(Action::Set(self.player, self.roles[chooser]), ply);
            let seen: Vec<Action> = match at.checked_sub(1) {
                Some(before) => {
                    let before = see(choosers[before], Name::ZERO);
                    see(chooser, Name::ONE).into_iter().chain(before).collect()
                }
                None => others(chooser).filter_map(|role| see(role, Name::ZERO)).collect(),
            };
            enter = self.automaton.chain(&seen, enter);
            plies.push(ply);
        }
        plies.reverse();
        Ok((plies, enter))
    }

    /// Whether whoever asks for a move says its name, so that no column needs a filling.
    fn names_moves(&self) -> bool {
        let count = self.normal.relation(self.normal.legal).args[0].width();
        let mut all = true;
        for literal in self.rules.iter().flat_map(|rule| &rule.body) {
            atoms(literal, &mut |atom| {
                if atom.relation == self.normal.does {
                    all &= matches!(atom.args.get(count), Some(FlatTerm::Constant(_)));
                }
            });
        }
        all
    }

    fn ply(&mut self, role: usize) -> Node {
        let text = self.naming.names.text(self.roles[role]).to_owned();
        let name = self.node_name(&format!("choose_{text}"));
        self.automaton.named(name)
    }

    /// What a column of moves of several kinds is called.
    fn column_hint(&self, kinds: &[Kind], column: usize) -> String {
        let hints = kinds.iter().filter_map(|kind| kind.hints.get(column).cloned().flatten());
        hints.into_iter().next().unwrap_or_else(|| "move".to_owned())
    }

    /// The row of `does` for a role's only move, or for what it chooses.
    fn played(&self, role: usize, only: Option<usize>, chosen: &[Operand]) -> Vec<Operand> {
        let own = self.role_row(role).into_iter().map(Operand::Symbol);
        match only {
            None => own.chain(chosen.iter().copied()).collect(),
            Some(input) => {
                own.chain(self.move_row(input).iter().copied().map(Operand::Symbol)).collect()
            }
        }
    }

    /// Goes to the turn that the state says.
    fn dispatch(&mut self, next: &[usize], starts: &[Node]) -> Result<Node, Stop> {
        if let [only] = next {
            return Ok(starts[*only]);
        }
        let node = self.automaton.node();
        for &mode in next {
            let known: Vec<(LatchId, bool)> = self.unrolled.phases.known(mode).collect();
            let mut tests = Vec::new();
            for (latch, value) in known {
                tests.push(self.latch_is(latch, value)?);
            }
            let target = starts[mode];
            match &tests[..] {
                [] => self.automaton.edge(node, target, Action::Skip),
                [first, rest @ ..] => {
                    let rest = self.automaton.chain(rest, target);
                    self.automaton.edge(node, rest, *first);
                }
            }
        }
        Ok(node)
    }

    /// That a latch has a value, as a comparison.
    fn latch_is(&mut self, latch: LatchId, value: bool) -> Result<Action, Stop> {
        let mut found = None;
        for (&base, shape) in &self.shapes {
            for (row, signal) in &*shape.facts {
                if let Some((other, says)) = self.latch_of(*signal)
                    && other == latch
                {
                    let better = found.as_ref().is_none_or(|(b, r, _)| (base, row) < (*b, r));
                    if better {
                        found = Some((base, row.clone(), says));
                    }
                }
            }
        }
        let Some((base, row, says)) = found else {
            return Err(Stop::unsuited("a turn that no fact tells"));
        };
        let (keys, entry) = self.entry_of(base, &row);
        let name = self.shapes[&base].name;
        let slot = self.entry_slot(name, &keys);
        Ok(Action::Is(slot, entry, value == says))
    }

    pub(super) fn entry_slot(&mut self, variable: Name, keys: &[Name]) -> Slot {
        let keys = keys.iter().map(|&key| gdlr_rg::rg::Expr::from(gdlr_rg::rg::Ident::from(key)));
        let keys = keys.collect();
        self.expr(variable, keys)
    }
}
