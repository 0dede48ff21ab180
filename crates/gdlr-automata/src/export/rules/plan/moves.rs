//! Legal moves as walks.
//!
//! The moves with one name share registers: one for each argument that differs among them. A move
//! is shown as a tag for its name, followed by the values of its registers.
//!
//! ```text
//! (<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y b)))
//!
//! choose: x = X(*), y = Y(*), cell[x][y] == b, $ mark, $$ x, $$ y, player = keeper
//! ```

use super::Planner;
use super::body::{How, Plan, UNKNOWN};
use super::of_net::Part;
use super::scope::{Context, Scope};
use super::unique::OnlyRows;
use crate::export::naming::plain;
use crate::export::program::{Act, Body, Statement};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{Symbols, both_names};
use crate::export::rules::build::{Builder, Operand, Register};
use gdlr_rg::rg::Name;
use gdlr_rules::gdl::{Symbol, Term, Variable};
use gdlr_rules::normal::{EMPTY, FlatRule, FlatTerm, RelationId};
use hashbrown::HashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A kind of moves: all moves with one name.
#[derive(Clone, Debug)]
pub(in crate::export::rules) struct Kind {
    /// By column of a move: its register, or the only symbol.
    pub columns: Vec<Operand>,
    /// The name, if the moves have arguments, or only their names distinguish them.
    pub name: Option<Name>,
    /// The name, if a move is shown with a tag for it.
    pub tag: Option<Name>,
    /// By column: the wanted name of its register.
    pub hints: Vec<Option<String>>,
}

/// A rule for moves, with the variables that a walk has to find.
struct Query {
    plan: Plan,
    wanted: Vec<Variable>,
    /// The terms that are written to registers once their values are known.
    copies: Vec<(Register, FlatTerm)>,
}

/// The moves of a kind as a walk.
pub(super) struct Walk {
    pub body: Body,
    /// The row that makes the move legal, if it is the only one and the effects would have to look for it.
    pub only_rows: OnlyRows,
    /// Another walk, which asks for the witness of each move and finds no row.
    pub by_witness: Option<Body>,
}

/// A move and its columns.
type MoveRow = (Term, Vec<Symbol>);

/// The moves with one name. `None` stands for all moves that are no kind by their names.
type Group = (Option<Symbol>, Vec<MoveRow>);

impl Kind {
    /// Whether a move with these columns is of this kind.
    pub fn has(&self, row: &[Symbol], out: &Builder<'_>) -> bool {
        self.columns.iter().zip(row).all(|(column, symbol)| match column {
            Operand::Symbol(own) => own == symbol,
            Operand::Register(register) => {
                out.symbols.sets.has(out.registers.set_of(*register), *symbol)
            }
        })
    }

    /// The tags of a move with these columns.
    pub fn tags(&self, row: &[Symbol], symbols: &mut Symbols<'_>) -> Vec<Name> {
        let mut tags: Vec<Name> = self.tag.into_iter().collect();
        for (column, symbol) in self.columns.iter().zip(row) {
            if matches!(column, Operand::Register(_)) {
                tags.push(symbols.name_of(*symbol));
            }
        }
        tags
    }
}

impl Planner<'_> {
    /// The kinds of moves. Each one has the moves of all roles in all states.
    pub(super) fn kinds(&mut self) -> Result<Vec<Kind>, Stop> {
        let moves: Vec<MoveRow> = self
            .input
            .net
            .moves
            .iter()
            .cloned()
            .zip(self.analysis.moves.rows.iter().cloned())
            .collect();
        let mut groups: Vec<Group> = Vec::new();
        let by_name = self.says_names(self.input.normal.legal);
        for (term, row) in moves {
            self.input.meter.spend(1)?;
            let key = self.name_of_kind(self.input.normal.legal, by_name, &term, &row);
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, group)) => group.push((term, row)),
                None => groups.push((key, vec![(term, row)])),
            }
        }
        let constants: HashSet<Symbol> = (groups.iter().flat_map(|(_, group)| group))
            .filter_map(|(term, _)| match term {
                Term::Constant(symbol) => Some(*symbol),
                _ => None,
            })
            .collect();
        let mut kinds = Vec::new();
        for group in groups {
            let kind = self.kind_of(&group, &constants, &kinds);
            kinds.push(kind);
        }
        self.forget_only_name(&mut kinds);
        Ok(kinds)
    }

    /// The symbol that gives a move or a percept its kind. It is the function, or the constant if
    /// all rules name their terms. `None` for all others, which are one kind.
    pub(super) fn name_of_kind(
        &self,
        relation: RelationId,
        by_name: bool,
        term: &Term,
        row: &[Symbol],
    ) -> Option<Symbol> {
        let tagged = self.input.normal.relation(relation).args[1].is_tagged();
        match term {
            Term::Function(..) if tagged => Some(row[0]),
            Term::Constant(_) if by_name => Some(row[0]),
            _ => None,
        }
    }

    /// The kind of the moves of a group. `constants` are all moves without arguments. `kinds` are
    /// the kinds made so far.
    fn kind_of(
        &mut self,
        (key, group): &Group,
        constants: &HashSet<Symbol>,
        kinds: &[Kind],
    ) -> Kind {
        let name = match &group[0].0 {
            Term::Function(name, _) => Some(*name),
            Term::Constant(name) if key.is_some() => Some(*name),
            _ => None,
        };
        let called = name.map(|name| {
            let text = self.input.normal.spelling(name).to_owned();
            let tag = self.out.symbols.naming.symbol(&text, &plain(&text));
            // A move without arguments and a function may have the same name.
            let is_function = matches!(group[0].0, Term::Function(..));
            let is_taken = is_function && constants.contains(&name)
                || kinds.iter().any(|kind| kind.name == Some(tag));
            match is_taken {
                true => self.out.symbols.naming.symbol(&format!("({text}"), &plain(&text)),
                false => tag,
            }
        });
        let offset = usize::from(matches!(group[0].0, Term::Function(..)) && key.is_some());
        let mut used = HashSet::new();
        let mut columns = Vec::new();
        let mut hints = Vec::new();
        let own = self.columns_of_moves();
        for column in 0..group[0].1.len() {
            let set = self.out.symbols.set(group.iter().map(|(_, row)| row[column]));
            let (first, is_pair) = own[column];
            let hint = match (name, first.checked_sub(offset)) {
                (Some(name), Some(place)) if is_pair => {
                    let of = |place| self.relations.hints.of_move(name, place);
                    of(place).zip(of(place + 1)).map(|(a, b)| both_names(&a, &b))
                }
                (Some(name), Some(place)) => self.relations.hints.of_move(name, place),
                _ => None,
            };
            hints.push(hint.clone());
            columns.push(match self.out.symbols.sets.members(set)[..] {
                [only] => Operand::Symbol(only),
                _ => {
                    let hint = hint.unwrap_or_else(|| "choice".to_owned());
                    Operand::Register(self.out.register(&hint, set, &mut used))
                }
            });
        }
        // In a game with percepts, a step begins with a tag for each role.
        let has_tag = columns.iter().any(|column| matches!(column, Operand::Register(_)));
        let tag = match called {
            None if !has_tag && self.input.game.has_percepts() => {
                let text = group[0].0.spelled(&self.input.game.symbols);
                Some(self.out.symbols.naming.symbol(&text, &plain(&text)))
            }
            called => called,
        };
        Kind { columns, name: called, tag, hints }
    }

    /// Removes the name of the only moves that have arguments: their first argument tells their
    /// kind.
    fn forget_only_name(&mut self, kinds: &mut [Kind]) {
        let first = |kind: &Kind| {
            kind.columns.iter().find_map(|column| match column {
                Operand::Register(register) => Some(*register),
                Operand::Symbol(_) => None,
            })
        };
        let mut with_arguments = (0..kinds.len()).filter(|&place| first(&kinds[place]).is_some());
        let (Some(only), None) = (with_arguments.next(), with_arguments.next()) else { return };
        let Some(register) = first(&kinds[only]) else { return };
        let arguments = self.out.symbols.names_of(self.out.registers.set_of(register), false);
        let others = kinds.iter().enumerate().filter(|(place, _)| *place != only);
        let is_told = others
            .map(|(_, kind)| kind.tag)
            .all(|tag| tag.is_some_and(|tag| !arguments.contains(&tag)));
        if is_told {
            kinds[only].tag = None;
        }
    }

    /// The columns of a move, as `columns_of` gives them for a relation.
    fn columns_of_moves(&self) -> Vec<(usize, bool)> {
        let from = self.input.normal.relation(self.input.normal.legal).args[0].width();
        let columns = self.relations.columns_of(self.input.normal.legal).into_iter();
        columns.filter(|(at, _)| *at >= from).map(|(at, is_pair)| (at - from, is_pair)).collect()
    }

    /// Whether all rules for a relation of roles and terms (`legal` or `sees`) name their terms.
    pub(super) fn says_names(&self, relation: RelationId) -> bool {
        let count = self.input.normal.relation(relation).args[0].width();
        let mut rules = self.relations.rules.iter().filter(|rule| rule.head.relation == relation);
        rules.all(|rule| matches!(rule.head.args.get(count), None | Some(FlatTerm::Constant(_))))
    }

    /// The walks through the moves of one kind, with their columns in `into`. They write no other
    /// register of `used`. `None` if there are no moves.
    pub(super) fn moves(
        &mut self,
        role: usize,
        (part, kind): (Part, &Kind),
        into: &[Operand],
        used: &HashSet<Register>,
        scope: &Rc<Scope>,
    ) -> Result<Option<Walk>, Stop> {
        if self.is_of_net(part) {
            let walks = self.moves_of_net(role, kind, into, scope)?;
            return Ok((!walks.is_empty()).then(|| {
                let mut body = vec![Statement::Choice(walks)];
                body.extend(self.show(kind, into));
                Walk { body, only_rows: OnlyRows::new(), by_witness: None }
            }));
        }
        let own = self.analysis.roles.rows[role].iter().map(|&symbol| Operand::Symbol(symbol));
        let registers: Vec<Operand> = own.chain(into.iter().copied()).collect();
        let mut kept = used.clone();
        kept.extend(into.iter().filter_map(|operand| operand.register()));
        let mut walks: Vec<Body> = Vec::new();
        let mut left: BTreeSet<Register> = BTreeSet::new();
        let mut repeats = false;
        let mut only: Option<(FlatRule, Plan)> = None;
        let legal = self.input.normal.legal;
        let is_legal = |rule: &&FlatRule| rule.head.relation == legal;
        let rules: Vec<_> = self.relations.rules.iter().filter(is_legal).cloned().collect();
        for rule in rules {
            let Some(Query { plan, wanted, copies }) =
                self.move_query(&rule, kind, &registers, &kept)
            else {
                continue;
            };
            let context = Context::of(scope);
            for (plan, _) in self.plans(&rule.body, &plan, How::Walk(&wanted), &context)? {
                repeats |= plan.repeats;
                only = walks.is_empty().then(|| (rule.clone(), plan.clone()));
                let mut ops = plan.ops.clone();
                if self.write_copies(&copies, &plan, &mut ops)?
                    && self.demand_kind(&rule, kind, into, &plan, &mut ops)
                {
                    left.extend(plan.used.difference(&kept));
                    walks.push(ops);
                }
            }
        }
        let (mut only_rows, mut by_witness) = (OnlyRows::new(), None);
        if let ([_], true, Some((rule, plan))) = (&walks[..], repeats, only)
            && let Some(answer) = self.only_answer(&rule, &plan)?
        {
            (only_rows, repeats) = (answer, false);
            let inputs = scope.mode.map(|mode| (mode, self.inputs_of(mode, role, kind)));
            if let Some((mode, inputs)) = inputs
                && let Some(rule) = self.rule_of_witnesses(&inputs, kind, &rule, mode)?
                && let Some(query) = self.move_query(&rule, kind, &registers, &kept)
                && let Some(plan) = self.walked(&rule, &query.plan, &query.wanted, scope)?
            {
                let mut ops = plan.ops.clone();
                if self.write_copies(&query.copies, &plan, &mut ops)?
                    && self.demand_kind(&rule, kind, into, &plan, &mut ops)
                {
                    ops.extend(self.show(kind, into));
                    by_witness = Some(ops);
                }
            }
        }
        // Other registers would distinguish two walks of the same move. So all walks reset all of
        // these.
        if walks.len() > 1 || repeats {
            let forget = self.forget(left);
            walks.iter_mut().for_each(|ops| ops.extend_from_slice(&forget));
        }
        if walks.is_empty() {
            return Ok(None);
        }
        let mut body = vec![Statement::Choice(walks)];
        body.extend(self.show(kind, into));
        Ok(Some(Walk { body, only_rows, by_witness }))
    }

    /// The plan for a rule for moves of a kind, with the columns of the moves in `registers`.
    /// `None` if it gives no such move.
    fn move_query(
        &mut self,
        rule: &FlatRule,
        kind: &Kind,
        registers: &[Operand],
        kept: &HashSet<Register>,
    ) -> Option<Query> {
        let mut plan = Plan::new(usize::from(rule.variables));
        plan.used.clone_from(kept);
        let mut wanted: Vec<Variable> = Vec::new();
        let mut copies = Vec::new();
        let of_role = registers.len() - kind.columns.len();
        // Columns that are the same in all moves of the kind.
        let columns = &rule.head.args[of_role..];
        let Builder { symbols, registers: all, .. } = &self.out;
        let can_be = |register, symbol| symbols.sets.has(all.set_of(register), symbol);
        let mut fits =
            columns.iter().zip(&kind.columns).all(|(term, column)| match (*term, *column) {
                (FlatTerm::Constant(symbol), Operand::Symbol(own)) => symbol == own,
                (FlatTerm::Constant(symbol), Operand::Register(register)) => {
                    can_be(register, symbol)
                }
                (FlatTerm::Variable(_), _) => true,
            });
        for (term, column) in columns.iter().zip(&kind.columns) {
            if let (FlatTerm::Variable(_), Operand::Symbol(symbol)) = (*term, *column) {
                fits = fits && plan.unify(*term, Operand::Symbol(symbol), &mut self.out);
            }
        }
        // A variable that is a constant symbol is bound before others are written to registers.
        let (known, written): (Vec<_>, Vec<_>) = (rule.head.args.iter().zip(registers))
            .partition(|(_, operand)| matches!(operand, Operand::Symbol(_)));
        for (&term, &operand) in known.into_iter().chain(written) {
            let can_be = |symbol, out: &Builder<'_>| {
                let register = operand.register();
                register.is_some_and(|own| out.symbols.sets.has(out.registers.set_of(own), symbol))
            };
            let is_unused = plan.value(term) == Some(Operand::Symbol(EMPTY));
            match (term, operand) {
                // Each condition about the move says its name.
                (_, Operand::Symbol(_)) if is_unused => {}
                (_, Operand::Register(_)) if is_unused && !can_be(EMPTY, &self.out) => {}
                (_, Operand::Symbol(_)) => fits &= plan.unify(term, operand, &mut self.out),
                (FlatTerm::Constant(symbol), Operand::Register(register)) => {
                    fits &= can_be(symbol, &self.out);
                    copies.push((register, term));
                }
                (FlatTerm::Variable(variable), Operand::Register(register)) => {
                    let place = usize::from(variable.0);
                    if plan.env[place].is_some() || plan.targets[place].is_some() {
                        copies.push((register, term));
                    } else {
                        plan.targets[place] = Some(register);
                        wanted.push(variable);
                    }
                }
            }
        }
        fits.then_some(Query { plan, wanted, copies })
    }

    /// Writes the values of terms to registers. Returns whether each register can hold its value.
    fn write_copies(
        &mut self,
        copies: &[(Register, FlatTerm)],
        plan: &Plan,
        ops: &mut Body,
    ) -> Result<bool, Stop> {
        let mut possible = true;
        for &(register, term) in copies {
            let operand = plan.value(term).ok_or(UNKNOWN)?;
            let to = self.out.registers.set_of(register);
            possible = possible && self.out.demand_in(operand, to, ops);
            let (expr, set) = (self.out.operand(operand), self.out.set_of(operand));
            ops.push(Statement::Do(self.out.assign(register, expr, (set, false))));
        }
        Ok(possible)
    }

    /// Tests that the move of a rule is of the kind, since registers of several kinds can hold
    /// more. Returns whether it can be.
    fn demand_kind(
        &mut self,
        rule: &FlatRule,
        kind: &Kind,
        into: &[Operand],
        plan: &Plan,
        ops: &mut Body,
    ) -> bool {
        let columns = &rule.head.args[rule.head.args.len() - into.len()..];
        let mut possible = true;
        for ((term, own), &operand) in columns.iter().zip(&kind.columns).zip(into) {
            let (FlatTerm::Variable(v), Operand::Register(own)) = (*term, *own) else { continue };
            let wanted = self.out.registers.set_of(own);
            let given = plan.domains[usize::from(v.0)].unwrap_or(self.out.set_of(operand));
            if !self.out.symbols.sets.within(given, wanted) {
                possible = possible && self.out.demand_in(operand, wanted, ops);
            }
        }
        possible
    }

    /// Sets registers to the first symbol of their sets.
    fn forget(&mut self, registers: BTreeSet<Register>) -> Body {
        let mut forget = Vec::new();
        for register in registers {
            let first = self.out.symbols.sets.members(self.out.registers.set_of(register))[0];
            let first = self.out.symbols.name_of(first);
            forget.push(Statement::Do(Act::Set(self.out.registers.slot(register), first)));
        }
        forget
    }

    /// Shows a move of a kind, with its columns in `into`, as tags.
    fn show(&mut self, kind: &Kind, into: &[Operand]) -> Body {
        let mut body = Vec::new();
        body.extend(kind.tag.map(|tag| Statement::Do(Act::Tag(tag))));
        for (column, target) in kind.columns.iter().zip(into) {
            match (column, target) {
                (Operand::Symbol(_), _) => {}
                (Operand::Register(_), Operand::Register(register)) => {
                    body.push(Statement::Do(Act::TagOf(self.out.registers.slot(*register))));
                }
                (Operand::Register(_), Operand::Symbol(symbol)) => {
                    let name = self.out.symbols.name_of(*symbol);
                    body.push(Statement::Do(Act::Tag(name)));
                }
            }
        }
        body
    }
}
