//! A turn as nodes and edges.

use super::automaton::{Action, Node};
use super::plan::{Chooser, MovePlan, Turn};
use super::sight::Sight;
use super::update::Update;
use super::writer::Writer;
use gdlr_net::net::{LatchId, Operation, Signal};
use gdlr_net::propnet::Unrolled;
use gdlr_rg::rg::{Constant, Entry, Map, Name, Place, SimpleType, Type, Value};
use gdlr_text::budget::{Exhausted, Memory};
use hashbrown::{HashMap, HashSet};

impl Writer<'_> {
    /// Writes a turn. Returns the nodes of the choices, in the order of the roles that choose.
    pub(super) fn write_turn(
        &mut self,
        turn: &Turn,
        place: usize,
        starts: &[Node],
        over: Node,
        unrolled: &Unrolled,
    ) -> Result<Vec<Node>, Exhausted> {
        let after = self.after(turn, starts, unrolled)?;
        let plies = match &turn.choosers[..] {
            [only] if !turn.computes => self.single(turn, only, place, after)?,
            _ => self.several(turn, place, after)?,
        };
        let (plies, enter) = plies;
        let test = self.automaton.node();
        let Writer { conditions, automaton, changed, .. } = self;
        let terminal = [turn.terminal];
        let mut computed = HashSet::new();
        let start = conditions.compute(automaton, &terminal, &mut computed, *changed, false, test);
        automaton.edge(starts[place], start, Action::Skip);
        match &mut self.computed {
            Some(all) => all.retain(|gate| computed.contains(gate)),
            none => *none = Some(computed.clone()),
        }
        let signals = turn.signals();
        let live = conditions.compute(automaton, &signals, &mut computed, *changed, false, enter);
        // Any state can be set at a node that is entered in this way.
        let ended = automaton.before(Action::Set(self.player, Name::KEEPER), over);
        let never = turn.terminal == Signal::FALSE;
        match never {
            true => automaton.edge(test, ended, Action::Never),
            false => conditions.between(automaton, test, turn.terminal, ended),
        }
        conditions.between(automaton, test, !turn.terminal, live);
        Ok(plies)
    }

    /// The node behind the effects of moves.
    fn after(
        &mut self,
        turn: &Turn,
        starts: &[Node],
        unrolled: &Unrolled,
    ) -> Result<Node, Exhausted> {
        let mut to = self.dispatch(&turn.next, starts, unrolled);
        let mut written: Vec<u32> = turn.written().into_iter().collect();
        written.sort_unstable();
        let copies: Vec<Action> = written
            .iter()
            .filter_map(|&v| Some((v, self.second[v as usize]?)))
            .map(|(v, second)| Action::Copy(self.conditions.state_slots[v as usize], second))
            .collect();
        to = self.automaton.chain(&copies, to);
        if turn.remembers {
            let forget: Vec<Action> = turn
                .free()
                .filter_map(|chooser| self.choices[chooser.role].as_ref())
                .map(|(slot, tags)| Action::Set(*slot, tags[0]))
                .collect();
            to = self.automaton.chain(&forget, to);
        }
        self.updates(&turn.common, to)
    }

    /// Goes to the turn of the phase that the variables tell.
    fn dispatch(&mut self, phases: &[usize], starts: &[Node], unrolled: &Unrolled) -> Node {
        if let [only] = phases {
            return starts[*only];
        }
        let node = self.automaton.node();
        for &phase in phases {
            let says = |(latch, value): (LatchId, bool)| {
                Signal::of(unrolled.net.latches[latch.index()].gate).negated_if(!value)
            };
            let says = unrolled.phases.known(phase).map(says).collect();
            let says = self.conditions.gate(Operation::And, says);
            self.conditions.between(&mut self.automaton, node, says, starts[phase]);
        }
        node
    }

    fn updates(&mut self, updates: &[Update], to: Node) -> Result<Node, Exhausted> {
        let Writer {
            conditions,
            automaton,
            second,
            constants,
            naming,
            description,
            written,
            meter,
            ..
        } = self;
        let mut to = to;
        for update in updates.iter().rev() {
            meter.hold(Memory::Layout, automaton.bytes());
            meter.spend(WORK)?;
            if let Some(&node) = written.get(&(update.clone(), to)) {
                to = node;
                continue;
            }
            let behind = to;
            let variable = update.variable as usize;
            let target = second[variable].unwrap_or(conditions.state_slots[variable]);
            let of = &conditions.state.list[variable];
            let (own, type_, values) = (of.name, of.type_, of.values.clone());
            let mut constant = |update: &Update| {
                let next = update.successors.as_ref().expect("what follows is known");
                *constants.entry((type_, next.clone())).or_insert_with(|| {
                    let text = format!("after_{}", naming.names.text(own));
                    let name = naming.define(&text);
                    description.constants.push(successors(name, type_, &values, next));
                    name
                })
            };
            to = update.write(conditions, automaton, target, &mut constant, to);
            written.insert((update.clone(), behind), to);
        }
        Ok(to)
    }

    /// Writes a turn in which one role chooses. The keeper goes on with the effects of its move.
    /// Returns the node of the choice, and the node that leads there.
    fn single(
        &mut self,
        turn: &Turn,
        chooser: &Chooser,
        place: usize,
        after: Node,
    ) -> Result<(Vec<Node>, Node), Exhausted> {
        let ply = self.ply(chooser, place);
        let mut ways = Vec::new();
        for plan in &chooser.moves {
            let done = self.updates(&plan.updates, after)?;
            let percepts = [&plan.percepts[..], &turn.percepts[..]].concat();
            let done = self.show(turn, &percepts, done)?;
            let mut actions = self.tagged(turn, plan);
            actions.push(Action::Set(self.player, Name::KEEPER));
            ways.push((plan.legal, self.automaton.chain(&actions, done)));
        }
        self.choose(ply, ways, ply)?;
        let enter = self.automaton.before(Action::Set(self.player, self.roles[chooser.role]), ply);
        Ok((vec![ply], enter))
    }

    /// Writes a turn in which several roles choose, one after the other, unseen by the others.
    fn several(
        &mut self,
        turn: &Turn,
        place: usize,
        after: Node,
    ) -> Result<(Vec<Node>, Node), Exhausted> {
        // Otherwise nothing is visible in any case.
        let hidden = turn.choosers.len() > 1 && self.sight == Sight::Moves;
        let (chance, visible) = (self.chance, self.visible.clone());
        let others = |role: usize| (0..visible.len()).filter(move |&other| other != role);
        // Makes a choice visible or invisible to a role. Chance sees nothing.
        let see = |role: usize, value: Name| {
            (hidden && chance != Some(role)).then(|| Action::Set(visible[role], value))
        };
        // The effects of choices, role by role.
        let mut to = after;
        for chooser in turn.choosers.iter().rev() {
            let (slot, _) = self.choices[chooser.role].clone().unwrap_or((self.player, Vec::new()));
            if chooser.moves.iter().all(|plan| plan.updates.is_empty()) {
                continue;
            }
            if let [only] = &chooser.moves[..] {
                to = self.updates(&only.updates, to)?;
                continue;
            }
            let node = self.automaton.node();
            for plan in &chooser.moves {
                let done = self.updates(&plan.updates, to)?;
                let tag = self.tags[self.net.inputs[plan.input].term as usize];
                self.automaton.edge(node, done, Action::Is(slot, tag, true));
            }
            to = node;
        }
        to = self.show(turn, &turn.percepts, to)?;
        let mut computed = HashSet::new();
        let signals = turn.signals();
        to = self.conditions.compute(
            &mut self.automaton,
            &signals,
            &mut computed,
            self.changed,
            true,
            to,
        );
        // All roles see the choices.
        let shown: Vec<Action> = turn
            .free()
            .filter(|_| hidden)
            .filter_map(|chooser| self.choices[chooser.role].as_ref())
            .map(|(slot, _)| Action::TagOf(*slot))
            .collect();
        to = self.automaton.chain(&shown, to);
        let last = turn.choosers.last().map_or(0, |chooser| chooser.role);
        let seen: Vec<Action> = others(last).filter_map(|role| see(role, Name::ONE)).collect();
        to = self.automaton.chain(&seen, to);
        let mut enter = self.automaton.before(Action::Set(self.player, Name::KEEPER), to);
        let mut plies = Vec::new();
        for (at, chooser) in turn.choosers.iter().enumerate().rev() {
            let ply = self.ply(chooser, place);
            let mut ways = Vec::new();
            for plan in &chooser.moves {
                let actions = self.tagged(turn, plan);
                ways.push((plan.legal, self.automaton.chain(&actions, enter)));
            }
            self.choose(ply, ways, enter)?;
            enter = self.automaton.before(Action::Set(self.player, self.roles[chooser.role]), ply);
            let seen: Vec<Action> = match at.checked_sub(1) {
                Some(before) => {
                    let before = see(turn.choosers[before].role, Name::ZERO);
                    see(chooser.role, Name::ONE).into_iter().chain(before).collect()
                }
                None => others(chooser.role).filter_map(|role| see(role, Name::ZERO)).collect(),
            };
            enter = self.automaton.chain(&seen, enter);
            plies.push(ply);
        }
        plies.reverse();
        Ok((plies, enter))
    }

    fn ply(&mut self, chooser: &Chooser, place: usize) -> Node {
        let role = self.naming.names.text(self.roles[chooser.role]).to_owned();
        self.automaton.named(format!("choose_{place}_{role}"))
    }

    /// The actions that show a move with its tag, and remember it if needed.
    fn tagged(&self, turn: &Turn, plan: &MovePlan) -> Vec<Action> {
        let input = &self.net.inputs[plan.input];
        let tag = self.tags[input.term as usize];
        let mut actions = vec![Action::Tag(tag)];
        let role = usize::from(input.role.0);
        if turn.remembers && turn.free().any(|chooser| chooser.role == role) {
            let (slot, _) = self.choices[role].as_ref().expect("it has moves");
            actions.push(Action::Set(*slot, tag));
        }
        actions
    }

    /// Edges for several alternatives under conditions. A condition that many alternatives share
    /// comes first, and is tested once. If there are no alternatives, a play that reaches this node
    /// is stuck. Then an edge that is never taken marks this as intended. It leads to the choices
    /// of others, who may still have moves.
    fn choose(
        &mut self,
        from: Node,
        ways: Vec<(Signal, Node)>,
        others: Node,
    ) -> Result<(), Exhausted> {
        let Writer { conditions, automaton, meter, .. } = self;
        if ways.is_empty() {
            automaton.edge(from, others, Action::Never);
        }
        meter.hold(Memory::Layout, automaton.bytes());
        meter.spend(WORK * ways.len())?;
        let mut factors: Vec<(Vec<Signal>, Node)> =
            ways.into_iter().map(|(legal, to)| (conditions.factors(&[legal]), to)).collect();
        let mut uses: HashMap<Signal, u32> = HashMap::new();
        for signal in factors.iter().flat_map(|(factors, _)| factors) {
            *uses.entry(*signal).or_default() += 1;
        }
        let mut behind: HashMap<(Node, Signal), Node> = HashMap::new();
        for (factors, to) in &mut factors {
            meter.hold(Memory::Layout, automaton.bytes());
            meter.spend(WORK * factors.len())?;
            factors.sort_by_key(|signal| (std::cmp::Reverse(uses[signal]), *signal));
            factors.retain(|&signal| signal != Signal::TRUE);
            let Some((&last, shared)) = factors.split_last() else {
                automaton.edge(from, *to, Action::Skip);
                continue;
            };
            let mut node = from;
            for &signal in shared {
                node = match behind.get(&(node, signal)) {
                    Some(&next) => next,
                    None => {
                        let next = automaton.node();
                        conditions.between(automaton, node, signal, next);
                        behind.insert((node, signal), next);
                        next
                    }
                };
            }
            conditions.between(automaton, node, last, *to);
        }
        Ok(())
    }
}

/// The work of writing an edge with its conditions, as steps of the budget.
const WORK: usize = 64;

/// The constant map from each value to the next one.
fn successors(name: Name, type_: Name, values: &[Name], next: &[u32]) -> Constant {
    let place = Place::default();
    let mut count = vec![0; values.len()];
    next.iter().for_each(|&to| count[to as usize] += 1);
    let usual = (0..values.len()).max_by_key(|&value| count[value]).unwrap_or(0);
    let value = |to: u32| Value::Name(values[to as usize].into());
    let mut entries: Vec<Entry> = values
        .iter()
        .zip(next)
        .filter(|&(_, &to)| to as usize != usual)
        .map(|(&key, &to)| Entry { key: Some(key.into()), value: value(to), place })
        .collect();
    entries.push(Entry { key: None, value: value(usual as u32), place });
    let type_ = Type {
        keys: vec![SimpleType::Named(type_.into())],
        value: SimpleType::Named(type_.into()),
    };
    Constant { name: name.into(), type_, value: Value::Map(Map { entries, place }), place }
}
