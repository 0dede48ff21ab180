//! Turns, goals, and the description as a whole.

use super::body::{Condition, How};
use super::goals::never;
use super::moves::Kind;
use super::sets::Operand;
use super::unfold::atoms;
use super::{Stop, Writer};
use crate::export::automaton::{Action, Automaton, Node, Order, Slot};
use crate::export::legend::{EntryPoints, EntryVariable, Export, FactTest, RoleTurn};
use crate::gdl::{Symbol, Term};
use crate::net::{LatchId, Signal};
use crate::normal::{EMPTY, FlatAtom, FlatLiteral, FlatTerm};
use crate::rg::{Name, Place, SimpleType, SymbolSet, TypeAlias};
use hashbrown::HashSet;
use std::rc::Rc;

/// A turn that has been written: where its role chooses, and the moves of the others.
struct Written {
    /// In the order of the roles that choose.
    plies: Vec<Node>,
    parts: Vec<Option<usize>>,
}

impl Writer<'_> {
    /// Writes all of it.
    pub(super) fn write(mut self) -> Result<Export, Stop> {
        let modes = self.unrolled.modes.len();
        let mut starts = Vec::new();
        for mode in 0..modes {
            let name = match modes {
                1 => "turn".to_owned(),
                _ => format!("turn_{mode}"),
            };
            let name = self.node_name(&name);
            starts.push(self.automaton.named(name));
        }
        let unrolled = self.unrolled;
        let initial = unrolled.mode(|latch| unrolled.net.latches[latch.index()].initial);
        self.automaton.edge(Automaton::BEGIN, starts[initial], Action::Skip);
        let over = self.automaton.named("over".to_owned());
        let kinds = self.kinds()?;
        let mut turns = Vec::new();
        for mode in 0..modes {
            turns.push(self.write_turn(mode, &starts, over, &kinds)?);
        }
        let scores = self.write_goals(over)?;
        self.quote_all(over, |relation, writer| relation == writer.normal.goal);
        if !self.blocks.contains_key(&(self.normal.terminal, None)) {
            self.quote_all(starts[0], |relation, writer| relation == writer.normal.terminal);
        }
        self.declare_state();
        self.finish(over, starts, turns, scores, &kinds)
    }

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

    fn write_turn(
        &mut self,
        mode: usize,
        starts: &[Node],
        over: Node,
        kinds: &[Kind],
    ) -> Result<Written, Stop> {
        self.scope.mode = Some(mode);
        self.scope.moves = None;
        let legal = &self.unrolled.modes[mode].legal;
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
        let next: Vec<usize> = super::super::plan::following(self.unrolled, mode);
        let after = self.dispatch(&next, starts)?;
        let (plies, live) = match choosers[..] {
            [chooser] => self.write_single(mode, chooser, &parts, kinds, after)?,
            _ => self.write_several(mode, &choosers, &parts, kinds, after)?,
        };
        self.scope.moves = None;
        let ended = self.automaton.before(Action::Set(self.player, Name::KEEPER), over);
        let terminal = FlatAtom { relation: self.normal.terminal, args: Vec::new() };
        let plan = self.plan_for(0);
        let body = [FlatLiteral::Positive(terminal)];
        let condition = match self.unrolled.modes[mode].terminal {
            Signal::TRUE => Condition::Always,
            Signal::FALSE => Condition::Never,
            _ => self.check(&[(&body, plan)])?,
        };
        match condition {
            Condition::Always => self.automaton.edge(starts[mode], ended, Action::Skip),
            Condition::Never => {
                self.automaton.edge(starts[mode], live, Action::Skip);
                self.automaton.edge(starts[mode], ended, Action::Never);
            }
            Condition::Test(action) => {
                self.automaton.edge(starts[mode], ended, action);
                self.automaton.edge(starts[mode], live, action.opposite());
            }
        }
        Ok(Written { plies, parts })
    }

    /// One role chooses: for each kind of move, what it does follows.
    fn write_single(
        &mut self,
        mode: usize,
        chooser: usize,
        parts: &[Option<usize>],
        kinds: &[Kind],
        after: Node,
    ) -> Result<(Vec<Node>, Node), Stop> {
        let ply = self.ply(chooser);
        self.quote_legal(ply, chooser);
        for kind in kinds {
            if !self.is_ever_legal(mode, chooser, kind) {
                continue;
            }
            let rows = (0..parts.len()).map(|role| self.played(role, parts[role], &kind.columns));
            let rows = rows.collect();
            self.scopes += 1;
            self.scope.moves = Some((self.scopes, Rc::new(rows)));
            let update = self.write_update(after)?;
            self.scope.moves = None;
            let chosen = self.automaton.before(Action::Set(self.player, Name::KEEPER), update);
            if self.write_moves(chooser, kind, &kind.columns, &HashSet::new(), ply, chosen)? {
                self.note_moves(chooser, kind);
            }
        }
        let player = self.roles[chooser];
        Ok((vec![ply], self.automaton.before(Action::Set(self.player, player), ply)))
    }

    /// Whether the net leaves open that a role has a move of a kind.
    fn is_ever_legal(&self, mode: usize, role: usize, kind: &Kind) -> bool {
        let legal = &self.unrolled.modes[mode].legal;
        let mut inputs = self.net.inputs.iter().enumerate();
        inputs.any(|(number, input)| {
            usize::from(input.role.0) == role
                && legal[number] != Signal::FALSE
                && self.is_of(kind, &self.move_row(&self.net.moves[input.term as usize]))
        })
    }

    /// Whether a move is of a kind.
    fn is_of(&self, kind: &Kind, row: &[Symbol]) -> bool {
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
        after: Node,
    ) -> Result<(Vec<Node>, Node), Stop> {
        let legal = &self.unrolled.modes[mode].legal;
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
            let rows: Vec<Vec<Symbol>> = own
                .map(|input| &self.net.moves[self.net.inputs[input].term as usize])
                .map(|term| self.move_row(term))
                .collect();
            if rows.is_empty() {
                // The game is stuck here.
                columns.push(vec![Operand::Symbol(EMPTY); kinds[0].columns.len()]);
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
        let mut to = self.write_update(after)?;
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
        let last = *choosers.last().expect("there are several");
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
                self.automaton.edge(ply, ply, Action::Never);
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
                let term = &self.net.moves[self.net.inputs[input].term as usize];
                own.chain(self.move_row(term).into_iter().map(Operand::Symbol)).collect()
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
            let known: Vec<(LatchId, bool)> = self.unrolled.turns.known(mode).collect();
            let mut tests = Vec::new();
            for (latch, value) in known {
                tests.push(self.latch_is(latch, value)?);
            }
            let target = starts[mode];
            match tests.split_last() {
                None => self.automaton.edge(node, target, Action::Skip),
                Some(_) => {
                    let rest = self.automaton.chain(&tests[1..], target);
                    self.automaton.edge(node, rest, tests[0]);
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
        let keys = keys.iter().map(|&key| crate::rg::Expr::from(crate::rg::Ident::from(key)));
        let keys = keys.collect();
        self.expr(variable, keys)
    }

    /// Sets the goals and ends the play; returns the scores.
    fn write_goals(&mut self, over: Node) -> Result<Scores, Stop> {
        self.scope.mode = None;
        let mut scores: Vec<(Name, Term)> = Vec::new();
        for goal in &self.net.goals {
            if !scores.iter().any(|(_, value)| *value == goal.value) {
                let text = goal.value.spelled(&self.game.symbols);
                let plain = crate::export::naming::flat([&goal.value], &self.game.symbols);
                scores.push((self.naming.symbol(&text, &plain), goal.value.clone()));
            }
        }
        scores.sort_by_key(|(_, value)| {
            let text = value.spelled(&self.game.symbols);
            (text.parse::<u32>().unwrap_or(u32::MAX), text)
        });
        let no_score = self.naming.symbol("no score", "undefined");
        let differ = self.naming.symbol("several scores", "ambiguous");
        let mut to = self.automaton.before(Action::Set(self.player, Name::KEEPER), Automaton::END);
        for role in self.players.clone().into_iter().rev() {
            let slot = self.automaton.slot(Name::GOALS, &[self.roles[role]]);
            let mut mine: Vec<Given> = Vec::new();
            for goal in &self.net.goals {
                if usize::from(goal.role.0) != role || goal.signal == Signal::FALSE {
                    continue;
                }
                let goal_row = self.normal.encode_arg(self.normal.goal, 1, &goal.value);
                let Some(value) = goal_row else { continue };
                let args = self.normal.encode_arg(self.normal.goal, 0, &self.game.roles[role]);
                let args = args.expect("a role of the game").into_iter().chain(value);
                let args = args.map(FlatTerm::Constant).collect();
                let atom = FlatAtom { relation: self.normal.goal, args };
                let condition = self.goal_condition(&atom)?;
                let score = scores.iter().find(|(_, value)| *value == goal.value);
                let score = score.expect("all values are listed").0;
                mine.push(Given { score, condition, signal: goal.signal });
            }
            to = self.write_scores(slot, &mine, (no_score, differ), to);
        }
        self.automaton.edge(over, to, Action::Skip);
        Ok(Scores { scores, no_score, differ })
    }

    fn goal_condition(&mut self, atom: &FlatAtom) -> Result<Condition, Stop> {
        let info = self.relations[atom.relation.index()].clone();
        if let Some(rows) = self.rows(atom.relation) {
            let row: Vec<FlatTerm> = atom.args.clone();
            let is_it = |other: &Vec<Symbol>| {
                other.iter().zip(&row).all(|(s, term)| *term == FlatTerm::Constant(*s))
            };
            return Ok(if rows.iter().any(is_it) { Condition::Always } else { Condition::Never });
        }
        if info.group.is_some() {
            let operands: Vec<Operand> = (atom.args.iter())
                .map(|term| match term {
                    FlatTerm::Constant(symbol) => Operand::Symbol(*symbol),
                    FlatTerm::Variable(_) => unreachable!("a constant"),
                })
                .collect();
            return self.call(atom.relation, &operands, &self.plan_for(0));
        }
        let mut ways = Vec::new();
        for rule in info.rules {
            let rule = self.rules[rule].clone();
            let mut plan = self.plan_for(usize::from(rule.variables));
            let fits = rule.head.args.iter().zip(&atom.args).all(|(&term, asked)| {
                let FlatTerm::Constant(symbol) = *asked else { unreachable!("a constant") };
                self.unify(term, Operand::Symbol(symbol), &mut plan)
            });
            if fits {
                let plans = self.plans(&rule.body, &plan, How::Check(None))?;
                ways.extend(plans.into_iter().map(|(plan, _)| plan.ops));
            }
        }
        Ok(self.any_of(ways))
    }

    /// Gives a role its score: that whose condition holds, or none, or that there are several.
    /// What the net rules out is not asked.
    fn write_scores(
        &mut self,
        slot: Slot,
        mine: &[Given],
        (no_score, differ): (Name, Name),
        to: Node,
    ) -> Node {
        let possible = |given: &&Given| given.condition != Condition::Never;
        let mine: Vec<Given> = mine.iter().filter(possible).copied().collect();
        if mine.len() > FEW_SCORES {
            let mut to = to;
            for given in mine.iter().rev() {
                let first = self.automaton.before(Action::Set(slot, given.score), to);
                let second = self.automaton.before(Action::Set(slot, differ), to);
                let found = self.branch(Action::Is(slot, no_score, true), first, second);
                to = self.if_holds(given.condition, found, to);
            }
            return self.automaton.before(Action::Set(slot, no_score), to);
        }
        let several = self.automaton.before(Action::Set(slot, differ), to);
        let mut next = self.automaton.before(Action::Set(slot, no_score), to);
        let none: Vec<Signal> = mine.iter().map(|given| !given.signal).collect();
        let always_one = never(self.net, &none);
        for (place, given) in mine.iter().enumerate() {
            let mut alone = self.automaton.before(Action::Set(slot, given.score), to);
            for other in &mine[..place] {
                if !never(self.net, &[given.signal, other.signal]) {
                    alone = self.if_holds(other.condition, several, alone);
                }
            }
            next = match place == 0 && always_one {
                true => alone,
                false => self.if_holds(given.condition, alone, next),
            };
        }
        next
    }

    fn if_holds(&mut self, condition: Condition, then: Node, otherwise: Node) -> Node {
        match condition {
            Condition::Always => then,
            Condition::Never => otherwise,
            Condition::Test(action) => self.branch(action, then, otherwise),
        }
    }

    fn set_type(&mut self, name: Name, members: impl IntoIterator<Item = Name>) {
        let mut seen = HashSet::new();
        let members = members.into_iter().filter(|&name| seen.insert(name)).map(Into::into);
        let set = SymbolSet { members: members.collect(), place: Place::default() };
        let type_ = SimpleType::Set(set).into();
        self.description.types.push(TypeAlias {
            name: name.into(),
            type_,
            place: Place::default(),
        });
    }

    fn finish(
        mut self,
        over: Node,
        starts: Vec<Node>,
        turns: Vec<Written>,
        Scores { scores, no_score, differ }: Scores,
        kinds: &[Kind],
    ) -> Result<Export, Stop> {
        let mut facts = Vec::new();
        let mut entries: Vec<EntryVariable> = Vec::new();
        let mut place_of = hashbrown::HashMap::new();
        for bit in &self.net.fluents.clone() {
            if bit.signal == Signal::FALSE {
                continue;
            }
            let (place, row) = self.normal.encode_fact(&bit.fact).expect("a fact of the game");
            let base = self.normal.fluents[place].base;
            let Some(shape) = self.shapes.get(&base) else {
                facts.push((Term::clone(&bit.fact), FactTest::Always));
                continue;
            };
            let name = shape.name;
            let has_default = !shape.covered;
            let (keys, value) = self.entry_of(base, &row);
            let latch = self.latch_of(bit.signal);
            let place = *place_of.entry((name, keys.clone())).or_insert_with(|| {
                let (values, otherwise) = (Vec::new(), None);
                entries.push(EntryVariable { name, keys: keys.clone(), values, otherwise });
                entries.len() - 1
            });
            entries[place].values.push((value, latch));
            if has_default && entries[place].otherwise.is_none() {
                entries[place].otherwise = Some(self.absent(base));
            }
            facts.push((Term::clone(&bit.fact), FactTest::Is(name, keys, value)));
        }
        let mut moves: Vec<(Vec<Name>, Term)> = Vec::new();
        for term in self.net.moves.clone().iter() {
            let row = self.move_row(term);
            let kind = kinds.iter().find(|kind| self.is_of(kind, &row)).cloned();
            let tags = kind.expect("a kind for each move").tags(&row, &mut self);
            moves.push((tags, term.clone()));
        }
        let (mut types, roles) = (std::mem::take(&mut self.description.types), self.roles.clone());
        let players: Vec<Name> = self.players.iter().map(|&role| roles[role]).collect();
        self.set_type(Name::PLAYER_TYPE, players);
        let used = self.automaton.names();
        let all = scores.iter().map(|(name, _)| *name);
        let other = [no_score, differ].into_iter().filter(|name| used.contains(name));
        self.set_type(Name::SCORE_TYPE, all.chain(other));
        self.description.types.append(&mut types);
        let facts_of: HashSet<Name> = self.shapes.values().map(|shape| shape.name).collect();
        self.state.retain(|variable| {
            let name = variable.name.name;
            used.contains(&name) || facts_of.contains(&name)
        });
        self.registers.retain(|variable| used.contains(&variable.name.name));
        self.description.constants.retain(|constant| used.contains(&constant.name.name));
        self.description.variables = std::mem::take(&mut self.state);
        self.description.variables.append(&mut self.registers);
        self.drop_types(&used);
        self.meter.check()?;
        let (edges, nodes, comments) = self.automaton.finish(&mut self.naming, Order::Depth);
        self.description.edges = edges;
        self.description.names = self.naming.names;
        let name = |node: Node| nodes[node.0 as usize];
        let turns = turns.iter().map(|Written { plies, parts }| {
            let mut rest = plies.iter();
            let mut part = |part: &Option<usize>| match part {
                None => RoleTurn::Ply(name(*rest.next().expect("a ply for each role"))),
                Some(input) => {
                    let term = self.net.inputs[*input].term;
                    RoleTurn::Implied(self.net.moves[term as usize].clone())
                }
            };
            (name(plies[0]), parts.iter().map(&mut part).collect())
        });
        let turns = turns.collect();
        let entry = EntryPoints {
            variables: entries,
            turns: self.unrolled.turns.clone(),
            starts: starts.into_iter().map(name).collect(),
        };
        Ok(Export {
            description: self.description,
            roles: self.roles,
            facts,
            moves,
            percepts: Vec::new(),
            scores,
            no_score,
            scores_differ: differ,
            over: name(over),
            turns,
            comments,
            notes: self.notes,
            entry,
        })
    }

    /// Drops types that nothing has.
    fn drop_types(&mut self, used: &HashSet<Name>) {
        let mut kept: HashSet<Name> = used.clone();
        kept.extend([Name::PLAYER_TYPE, Name::SCORE_TYPE]);
        let description = &self.description;
        let of = description.variables.iter().map(|v| &v.type_);
        for type_ in of.chain(description.constants.iter().map(|c| &c.type_)) {
            for part in type_.keys.iter().chain([&type_.value]) {
                if let SimpleType::Named(name) = part {
                    kept.insert(name.name);
                }
            }
        }
        self.description.types.retain(|type_| kept.contains(&type_.name.name));
    }
}

/// How many values a role's goal may have for all pairs of them to be told apart by conditions.
const FEW_SCORES: usize = 6;

/// A value of a role's goal.
#[derive(Clone, Copy, Debug)]
struct Given {
    score: Name,
    condition: Condition,
    signal: Signal,
}

struct Scores {
    scores: Vec<(Name, Term)>,
    no_score: Name,
    differ: Name,
}
