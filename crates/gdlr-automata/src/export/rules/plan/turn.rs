//! Turns: the choices of roles, and the statements that follow them.

use super::Planner;
use super::Said;
use super::body::Plan;
use super::moves::{Kind, Walk};
use super::of_net::Part;
use super::preconditions::Candidates;
use super::scope::{Context, Scope};
use super::unique::OnlyRows;
use super::write::Write;
use crate::export::plan::following;
use crate::export::program::{Act, BlockId, Body, If, Statement, Target, Test};
use crate::export::rules::Stop;
use crate::export::rules::analysis::atoms;
use crate::export::rules::build::{Condition, Operand, Register};
use crate::export::slots::Slot;
use gdlr_net::net::{LatchId, Signal};
use gdlr_rg::rg::Name;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{EMPTY, FlatAtom, FlatLiteral, FlatTerm, RelationId};
use hashbrown::HashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A turn that has been written: the block of each choice, and the moves of roles without a choice.
pub(in crate::export::rules) struct Written {
    /// In the order of the roles that choose.
    pub plies: Vec<BlockId>,
    pub parts: Vec<Option<usize>>,
}

/// The blocks in which turns begin.
#[derive(Debug, Default)]
pub(in crate::export::rules) struct Turns {
    /// By turn: the block in which it begins once the play is known to go on.
    pub starts: Vec<BlockId>,
    /// By turn: the block that tests whether the play is over.
    pub judged: Vec<BlockId>,
    /// The turns that begin with this test.
    pub are_judged: BTreeSet<usize>,
    /// The registers that may be read before they are assigned: those for moves of roles that
    /// choose at once, and those that tell which facts a move may have written.
    pub loose: HashSet<Name>,
    /// The number of scopes so far, each with its chosen moves.
    scopes: u32,
}

impl Planner<'_> {
    /// Notes how the moves of a role are written.
    fn note_moves(&mut self, role: usize, kind: &Kind) {
        let tag =
            kind.name.map_or("moves", |name| self.out.symbols.naming.names.text(name)).to_owned();
        let registers =
            kind.columns.iter().filter_map(|&column| self.out.registers.slot_of(column));
        let args: Vec<String> = registers
            .filter_map(|slot| self.out.program.slots.expr(slot).as_name())
            .map(|name| self.out.symbols.naming.names.text(name.name).to_owned())
            .collect();
        let role = self.out.symbols.naming.names.text(self.analysis.roles.names[role]);
        let what = format!("legal {role} {tag}");
        let how = match args.is_empty() {
            true => "a tag under conditions".to_owned(),
            false => format!("a walk that chooses {}", args.join(", ")),
        };
        self.notes.add(&what, how);
    }

    pub(super) fn write_turn(&mut self, mode: usize, said: &Said) -> Result<Written, Stop> {
        let legal = &self.input.unrolled.copies[mode].legal;
        let mut choosers = Vec::new();
        let mut parts: Vec<Option<usize>> = vec![None; self.analysis.roles.names.len()];
        for (role, part) in parts.iter_mut().enumerate() {
            let own = (0..legal.len()).filter(|&input| {
                usize::from(self.input.unrolled.roles[input]) == role
                    && legal[input] != Signal::FALSE
            });
            let own: Vec<usize> = own.collect();
            match own[..] {
                [only] if legal[only] == Signal::TRUE && !self.input.joint => *part = Some(only),
                _ => choosers.push(role),
            }
        }
        if choosers.is_empty() {
            choosers.push(0);
            parts[0] = None;
        }
        let next: Vec<usize> = following(self.input.unrolled, mode);
        let (plies, enter) = match choosers[..] {
            [chooser] => self.write_single(mode, chooser, &parts, said, &next)?,
            _ => self.write_several(mode, &choosers, &parts, said, &next)?,
        };
        self.out.program.fill(self.turns.starts[mode], enter);
        Ok(Written { plies, parts })
    }

    /// Writes the tests for the end of the play before some turns, whatever has changed. A block
    /// that nothing leads to gets no test.
    pub(super) fn write_judged(&mut self) -> Result<(), Stop> {
        for mode in self.turns.are_judged.clone() {
            self.write_judged_turn(mode)?;
        }
        Ok(())
    }

    fn write_judged_turn(&mut self, mode: usize) -> Result<(), Stop> {
        let scope = Scope { mode: Some(mode), ..Scope::default() };
        let condition = self.is_over(mode, self.input.normal.terminal, &Rc::new(scope))?;
        let over = Statement::Go(Target::Over);
        let body = match condition {
            // Every automaton has an edge to the end. Here no walk takes it.
            Condition::Never if self.never_ends() => {
                let turn = Statement::Go(Target::Block(self.turns.starts[mode]));
                vec![Statement::Choice(vec![vec![turn], vec![Statement::Never, over]])]
            }
            condition => self.unless_over(condition, mode),
        };
        self.out.program.fill(self.turns.judged[mode], body);
        Ok(())
    }

    /// Whether the net proves that the play is never over.
    fn never_ends(&self) -> bool {
        self.input.unrolled.copies.iter().all(|copy| copy.terminal == Signal::FALSE)
    }

    /// The condition, at the beginning of a turn, that a relation without arguments says that the
    /// play is over.
    fn is_over(
        &mut self,
        mode: usize,
        relation: RelationId,
        scope: &Rc<Scope>,
    ) -> Result<Condition, Stop> {
        let mut plan = Plan::new(0);
        plan.used = self.anew.registers_of_new_facts(relation);
        let body = [FlatLiteral::Positive(FlatAtom { relation, args: Vec::new() })];
        match self.input.unrolled.copies[mode].terminal {
            Signal::TRUE => Ok(Condition::Always),
            Signal::FALSE => Ok(Condition::Never),
            _ if self.is_of_net(Part::Over) => self.signal(self.input.net.terminal, scope),
            _ => self.check(&[(&body, plan)], &Context::of(scope)),
        }
    }

    /// Goes to a turn, unless a condition says that the play is over.
    fn unless_over(&self, condition: Condition, mode: usize) -> Body {
        let over = vec![Statement::Go(Target::Over)];
        let turn = vec![Statement::Go(Target::Block(self.turns.starts[mode]))];
        match condition {
            Condition::Always => over,
            Condition::Never => turn,
            Condition::Test(test) => {
                let tests = vec![Statement::Test(test)];
                vec![Statement::If(If { tests, then: over, otherwise: turn })]
            }
        }
    }

    /// Goes on behind the writes of a move: to the next turn, unless the play is over. `moves` are
    /// the registers that hold the move.
    pub(super) fn go_on(
        &mut self,
        next: &[usize],
        moves: &HashSet<Register>,
        writes: &mut [Write],
    ) -> Result<Body, Stop> {
        let varies = |&mode: &usize| !self.input.unrolled.copies[mode].terminal.is_constant();
        let is_known = |part: &Part| matches!(part, Part::Over | Part::Next(_));
        let is_of_rules = !self.of_net.keys().any(is_known);
        let asked = match is_of_rules && next.iter().any(varies) {
            true => self.asked_anew(self.input.normal.terminal, moves, writes)?,
            false => None,
        };
        let Some(relation) = asked else {
            self.turns.are_judged.extend(next);
            let judge =
                |&mode: &usize| (mode, vec![Statement::Go(Target::Block(self.turns.judged[mode]))]);
            return self.dispatch(next.iter().map(judge).collect());
        };
        let mut ways = Vec::new();
        for &mode in next {
            let condition = self.is_over(mode, relation, &Rc::default())?;
            ways.push((mode, self.unless_over(condition, mode)));
        }
        self.dispatch(ways)
    }

    /// Writes a turn in which one role chooses. The effects follow each kind of move.
    fn write_single(
        &mut self,
        mode: usize,
        chooser: usize,
        parts: &[Option<usize>],
        said: &Said,
        next: &[usize],
    ) -> Result<(Vec<BlockId>, Body), Stop> {
        let ply = self.ply(chooser);
        let before = Rc::new(Scope { mode: Some(mode), ..Scope::default() });
        let mut ways = Vec::new();
        for (place, kind) in said.moves.iter().enumerate() {
            let inputs = self.inputs_of(mode, chooser, kind);
            if inputs.is_empty() {
                continue;
            }
            let rows = (0..parts.len()).map(|role| self.played(role, parts[role], &kind.columns));
            let rows = rows.collect();
            let candidates = Some(Candidates { role: chooser, inputs: Rc::new(inputs) });
            let nothing = HashSet::new();
            let part = Part::Moves(place);
            let moves = self.moves(chooser, (part, kind), &kind.columns, &nothing, &before);
            let moves = part.of(moves)?;
            let Some(Walk { body: mut way, only_rows, by_witness }) = moves else { continue };
            self.note_moves(chooser, kind);
            let mut scope = self.scope_of(mode, rows, candidates, only_rows);
            if let Some(by_witness) = by_witness
                && self.can_look_for(&scope.only_rows, &scope)?
            {
                way = by_witness;
                scope = Rc::new(Scope { only_rows: Rc::default(), ..Scope::clone(&scope) });
            }
            way.push(self.moves_now(Name::KEEPER));
            way.extend(self.show_percepts(mode, parts, said, &scope)?);
            way.extend(self.update(next, &scope)?);
            ways.push(way);
        }
        let body = match ways.is_empty() {
            true => vec![Statement::Never, Statement::Go(Target::Over)],
            false => vec![Statement::Choice(ways)],
        };
        self.out.program.fill(ply, body);
        let player = self.analysis.roles.names[chooser];
        let enter = vec![self.moves_now(player), Statement::Go(Target::Block(ply))];
        Ok((vec![ply], enter))
    }

    /// The moves of a kind that are legal for a role in some state of the turn, by the net: numbers
    /// of inputs.
    pub(super) fn inputs_of(&self, mode: usize, role: usize, kind: &Kind) -> Vec<usize> {
        let legal = &self.input.unrolled.copies[mode].legal;
        let is_one = |&number: &usize| {
            let input = &self.input.net.inputs[number];
            usize::from(input.role.0) == role
                && legal[number] != Signal::FALSE
                && kind.has(self.analysis.moves.of_input(number), &self.out)
        };
        (0..self.input.net.inputs.len()).filter(is_one).collect()
    }

    /// Writes a turn in which several roles choose, one after the other, unseen by the others. A
    /// register for each column holds their moves.
    fn write_several(
        &mut self,
        mode: usize,
        choosers: &[usize],
        parts: &[Option<usize>],
        said: &Said,
        next: &[usize],
    ) -> Result<(Vec<BlockId>, Body), Stop> {
        let kinds = &said.moves[..];
        let (columns, used) = self.columns_of_choosers(mode, choosers, kinds);
        let mut rows = Vec::new();
        for (role, &part) in parts.iter().enumerate() {
            let own = choosers.iter().position(|&chooser| chooser == role);
            let own = own.map_or(&[][..], |place| &columns[place][..]);
            rows.push(self.played(role, part, own));
        }
        let scope = self.scope_of(mode, rows, None, OnlyRows::new());
        let percepts = self.show_percepts(mode, parts, said, &scope)?;
        let update = self.update(next, &scope)?;
        // All roles see the chosen moves, unless the game has rules for percepts.
        let has_percepts = self.input.game.has_percepts();
        let chance = self.analysis.roles.chance;
        let roles: Vec<usize> = self.analysis.roles.players.clone();
        let visible: Vec<Slot> = (0..self.analysis.roles.names.len())
            .map(|role| {
                self.out.program.slots.slot(Name::VISIBLE, &[self.analysis.roles.names[role]])
            })
            .collect();
        let see = |role: usize, value: Name| {
            (!has_percepts && chance != Some(role))
                .then(|| Statement::Do(Act::Set(visible[role], value)))
        };
        let others = |role: usize| roles.iter().copied().filter(move |&other| other != role);
        let Some(&last) = choosers.last() else {
            return Err(Stop::Broken("nobody chooses"));
        };
        let mut enter = vec![self.moves_now(Name::KEEPER)];
        enter.extend(others(last).filter_map(|role| see(role, Name::ONE)));
        let shown =
            columns.iter().flatten().filter_map(|&operand| self.out.registers.slot_of(operand));
        enter.extend(shown.filter(|_| !has_percepts).map(|slot| Statement::Do(Act::TagOf(slot))));
        enter.extend(percepts);
        enter.extend(update);
        let mut plies = Vec::new();
        let before = Rc::new(Scope { mode: Some(mode), ..Scope::default() });
        for (at, &chooser) in choosers.iter().enumerate().rev() {
            let ply = self.write_ply(chooser, kinds, (&columns[at], &used), &before, enter)?;
            enter = match at.checked_sub(1) {
                Some(before) => {
                    let before = see(choosers[before], Name::ZERO);
                    see(chooser, Name::ONE).into_iter().chain(before).collect()
                }
                None => others(chooser).filter_map(|role| see(role, Name::ZERO)).collect(),
            };
            enter.push(self.moves_now(self.analysis.roles.names[chooser]));
            enter.push(Statement::Go(Target::Block(ply)));
            plies.push(ply);
        }
        plies.reverse();
        Ok((plies, enter))
    }

    /// Writes a ply in which a role chooses a move, unseen by the others, with its columns in
    /// registers. Behind it comes `then`.
    fn write_ply(
        &mut self,
        chooser: usize,
        kinds: &[Kind],
        (columns, used): (&[Operand], &HashSet<Register>),
        scope: &Rc<Scope>,
        then: Body,
    ) -> Result<BlockId, Stop> {
        let ply = self.ply(chooser);
        let mut ways = Vec::new();
        for (place, kind) in kinds.iter().enumerate() {
            let part = Part::Moves(place);
            let moves = part.of(self.moves(chooser, (part, kind), columns, used, scope));
            if let Some(walk) = moves? {
                self.note_moves(chooser, kind);
                ways.push(walk.body);
            }
        }
        let mut body = vec![match ways.is_empty() {
            // Other roles may still have moves.
            true => Statement::Never,
            false => Statement::Choice(ways),
        }];
        body.extend(then);
        self.out.program.fill(ply, body);
        Ok(ply)
    }

    /// By chooser: the registers for the columns of its moves; and the set of all these registers.
    fn columns_of_choosers(
        &mut self,
        mode: usize,
        choosers: &[usize],
        kinds: &[Kind],
    ) -> (Vec<Vec<Operand>>, HashSet<Register>) {
        let legal = &self.input.unrolled.copies[mode].legal;
        let filled = kinds.iter().flat_map(|kind| &kind.columns).any(|column| match column {
            Operand::Register(register) => {
                self.out.symbols.sets.has(self.out.registers.set_of(*register), EMPTY)
            }
            Operand::Symbol(_) => false,
        });
        let named = !filled && self.names_moves();
        let mut used = HashSet::new();
        let mut columns: Vec<Vec<Operand>> = Vec::new();
        for &role in choosers {
            let own = (0..legal.len()).filter(|&input| {
                usize::from(self.input.unrolled.roles[input]) == role
                    && legal[input] != Signal::FALSE
            });
            let rows: Vec<Vec<Symbol>> =
                own.map(|input| self.analysis.moves.of_input(input).to_vec()).collect();
            if rows.is_empty() {
                // The game is stuck here.
                let roles = self.input.normal.relation(self.input.normal.legal).args[0].width();
                let width = self.relations.columns_of(self.input.normal.legal).len() - roles;
                columns.push(vec![Operand::Symbol(EMPTY); width]);
                continue;
            }
            let text =
                self.out.symbols.naming.names.text(self.analysis.roles.names[role]).to_owned();
            let mut own = Vec::new();
            for column in 0..rows[0].len() {
                let symbols = rows.iter().map(|row| row[column]);
                let set = match named {
                    true => self.out.symbols.set(symbols.filter(|&symbol| symbol != EMPTY)),
                    false => self.out.symbols.set(symbols),
                };
                own.push(match self.out.symbols.sets.members(set)[..] {
                    [] => Operand::Symbol(EMPTY),
                    [only] => Operand::Symbol(only),
                    _ => {
                        let wanted = format!("{text}_{}", self.column_hint(kinds, column));
                        let register = self.out.register(&wanted, set, &mut used);
                        let slot = self.out.registers.slot(register);
                        self.turns.loose.insert(self.out.program.slots.expr(slot).root());
                        Operand::Register(register)
                    }
                });
            }
            columns.push(own);
        }
        (columns, used)
    }

    /// A new scope for moves that have been chosen in a turn.
    fn scope_of(
        &mut self,
        mode: usize,
        rows: Vec<Vec<Operand>>,
        candidates: Option<Candidates>,
        only_rows: OnlyRows,
    ) -> Rc<Scope> {
        self.turns.scopes += 1;
        let (mode, moves) = (Some(mode), Some((self.turns.scopes, Rc::new(rows))));
        Rc::new(Scope { mode, moves, candidates, only_rows: Rc::new(only_rows) })
    }

    /// Whether each condition about moves says the name of the move. If so, the unused columns of a
    /// move need no value.
    fn names_moves(&self) -> bool {
        let count = self.input.normal.relation(self.input.normal.legal).args[0].width();
        let mut all = true;
        for literal in self.relations.rules.iter().flat_map(|rule| &rule.body) {
            atoms(literal, &mut |atom| {
                if atom.relation == self.input.normal.does {
                    all &= matches!(atom.args.get(count), Some(FlatTerm::Constant(_)));
                }
            });
        }
        all
    }

    /// A new block in which a role chooses, with its rules as a comment.
    fn ply(&mut self, role: usize) -> BlockId {
        let text = self.out.symbols.naming.names.text(self.analysis.roles.names[role]).to_owned();
        let name = self.out.node_name(&format!("choose_{text}"));
        let ply = self.out.program.block(name, Vec::new());
        self.quote_legal(ply, role);
        let sees = self.input.normal.sees;
        self.quote_all(ply, |relation| Some(relation) == sees);
        ply
    }

    /// Sets the player who moves: a role, or the keeper.
    fn moves_now(&self, player: Name) -> Statement {
        Statement::Do(Act::Set(self.out.program.player, player))
    }

    /// The wanted name of the register for a column of moves of several kinds.
    fn column_hint(&self, kinds: &[Kind], column: usize) -> String {
        let hints = kinds.iter().filter_map(|kind| kind.hints.get(column).cloned().flatten());
        hints.into_iter().next().unwrap_or_else(|| "move".to_owned())
    }

    /// The row of `does` for the only move of a role, or for the move that it chooses.
    fn played(&self, role: usize, only: Option<usize>, chosen: &[Operand]) -> Vec<Operand> {
        let own = self.analysis.roles.rows[role].clone().into_iter().map(Operand::Symbol);
        match only {
            None => own.chain(chosen.iter().copied()).collect(),
            Some(input) => own
                .chain(self.analysis.moves.of_input(input).iter().copied().map(Operand::Symbol))
                .collect(),
        }
    }

    /// Goes on to the turn that the state tells: one body for each turn that may come next.
    fn dispatch(&mut self, mut next: Vec<(usize, Body)>) -> Result<Body, Stop> {
        if next.len() == 1 {
            return Ok(next.remove(0).1);
        }
        let mut cases = Vec::new();
        for (mode, body) in next {
            let latches: Vec<(LatchId, bool)> = self.input.unrolled.phases.known(mode).collect();
            let mut tests = Vec::new();
            for (latch, value) in latches {
                tests.push(self.latch_is(latch, value)?);
            }
            cases.push((tests, body));
        }
        Ok(vec![Statement::Cases(cases)])
    }

    /// The test that a latch has a value, as a comparison with an entry of the state.
    pub(super) fn latch_is(&mut self, latch: LatchId, value: bool) -> Result<Test, Stop> {
        let mut smallest = None;
        for (&base, shape) in &self.analysis.shapes {
            for (row, signal) in &*shape.facts {
                if let Some((other, says)) = self.input.latch_of(*signal)
                    && other == latch
                {
                    let better = smallest.as_ref().is_none_or(|(b, r, _)| (base, row) < (*b, r));
                    if better {
                        smallest = Some((base, row.clone(), says));
                    }
                }
            }
        }
        let Some((base, row, says)) = smallest else {
            return Err(Stop::unsuited("a turn that no fact tells"));
        };
        let (keys, entry) = self.analysis.shapes[&base].entry(&row, &mut self.out.symbols);
        let name = self.analysis.shapes[&base].name;
        let slot = self.out.entry_slot(name, &keys);
        Ok(Test::Is(slot, entry, value == says))
    }
}
