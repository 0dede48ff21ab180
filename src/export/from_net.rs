//! The whole description of a net, and what its names stand for.

use super::automaton::{Action, Automaton, Node, Slot};
use super::conditions::Conditions;
use super::naming::{Naming, capital, flat};
use super::plan::{Chooser, MovePlan, Turn};
use super::update::{Update, branch};
use super::variables::{StateVariable, Variables};
use crate::budget::{Exhausted, Meter};
use crate::gdl::{Game, Term};
use crate::net::{GateId, LatchId, Net, Operation, Signal, Turns, Unrolled};
use crate::rg::{
    Constant, Description, Entry, Map, Name, Place, SimpleType, SymbolSet, Type, TypeAlias, Value,
    Variable,
};
use hashbrown::{HashMap, HashSet};

/// What says whether a fact is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactTest {
    /// It always is.
    Always,
    /// It is if the variable has this value.
    Is(Name, Name),
    /// It is unless the variable has this value.
    IsNot(Name, Name),
}

/// How a role moves in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoleTurn {
    /// By a ply at this node: a move of the role with a tag.
    Ply(Name),
    /// By its only move, for which there is no ply.
    Implied(Term),
}

/// A description of a game, with what its names stand for.
#[derive(Clone, Debug)]
pub struct Export {
    /// The automaton.
    pub description: Description,
    /// By role of the game: its symbol.
    pub roles: Vec<Name>,
    /// What says whether a fact is true, while a role chooses or at the end.
    pub facts: Vec<(Term, FactTest)>,
    /// What tags stand for.
    pub moves: Vec<(Name, Term)>,
    /// Goal values and the symbols of `Score` that stand for them.
    pub scores: Vec<(Name, Term)>,
    /// The score of a role for which the rules give no value.
    pub no_score: Name,
    /// The score of a role for which they give several.
    pub scores_differ: Name,
    /// The node from which the keeper sets the goals and ends the play.
    pub over: Name,
    /// By node where the first choice of a turn is made: how each role moves in that turn.
    pub turns: Vec<(Name, Vec<RoleTurn>)>,
    /// How any state of the game is entered.
    pub(super) entry: EntryPoints,
}

/// Where the automaton is in a state of the game, before the keeper's first move of the turn.
#[derive(Clone, Debug)]
pub(super) struct EntryPoints {
    /// The variables that hold the state.
    variables: Vec<StateVariable>,
    turns: Turns,
    /// By turn: the node where it begins.
    starts: Vec<Name>,
}

impl EntryPoints {
    /// The nodes where turns begin.
    pub fn nodes(&self) -> &[Name] {
        &self.starts
    }

    /// The node, and the value of each variable, in the state with these latches. `None` if the
    /// automaton has no such state.
    pub fn of(&self, latches: &[bool]) -> Option<(Name, Vec<(Name, Name)>)> {
        let says = |(latch, value): (LatchId, bool)| latches[latch.index()] == value;
        let turn = (0..self.turns.len()).find(|&turn| self.turns.known(turn).all(says))?;
        let value = |variable: &StateVariable| {
            let is_true = |latch: &LatchId| latches[latch.index()];
            let place = variable.latches.iter().position(is_true).unwrap_or(variable.latches.len());
            Some((variable.name, *variable.values.get(place)?))
        };
        let values = self.variables.iter().map(value).collect::<Option<_>>()?;
        Some((self.starts[turn], values))
    }
}

/// Writes a game as an automaton. With `joint`, every role has a ply in every turn, in the
/// order of the rulesheet, also where it has only one move: so there are as many plies in a
/// play as roles times steps.
///
/// `net` is the optimised net of `game`. Takes time near-linear in the net and in what its
/// moves change.
pub fn from_net(net: &Net, game: &Game, joint: bool) -> Export {
    from_net_within(net, game, joint, &Meter::unlimited()).expect("there is no limit")
}

/// The same, within a budget.
///
/// # Errors
///
/// When the budget runs out before the automaton is written.
pub fn from_net_within(
    net: &Net,
    game: &Game,
    joint: bool,
    meter: &Meter<'_>,
) -> Result<Export, Exhausted> {
    let unrolled = Unrolled::for_automaton(net, meter)?;
    let export = Writer::new(net, game, joint, &unrolled).write(&unrolled);
    meter.check()?;
    Ok(export)
}

struct Writer<'a> {
    game: &'a Game,
    net: &'a Net,
    joint: bool,
    naming: Naming,
    automaton: Automaton,
    conditions: Conditions,
    description: Description,
    turns: Vec<Turn>,
    /// By state variable: where updates write to, if not to it.
    second: Vec<Option<Slot>>,
    player: Slot,
    roles: Vec<Name>,
    goals: Vec<Slot>,
    visible: Vec<Slot>,
    /// By role: the variable that remembers its choice, and its symbols.
    choices: Vec<Option<(Slot, Vec<Name>)>>,
    /// For these roles: the name of the variable and of its type.
    choice_names: Vec<(usize, Name, Name)>,
    /// By move term: its tag.
    tags: Vec<Name>,
    changed: Slot,
    constants: HashMap<(Name, Vec<u32>), Name>,
    /// Updates that have been written: where they begin, by where they lead.
    written: HashMap<(Update, Node), Node>,
    /// The views that are there when a state is found to be terminal.
    computed: Option<HashSet<GateId>>,
    /// Variables for what is computed on the way.
    helpers: HashSet<Name>,
}

impl<'a> Writer<'a> {
    fn new(net: &'a Net, game: &'a Game, joint: bool, unrolled: &Unrolled) -> Writer<'a> {
        let symbols = &game.symbols;
        let mut naming = Naming::default();
        let mut automaton = Automaton::new();
        let state = Variables::of(net, symbols, &mut naming);
        let mut description = Description::default();

        // Everything that is defined is named before any symbol is.
        let mut wanted: Vec<Signal> = unrolled.outputs().collect();
        wanted.extend(unrolled.net.goals.iter().map(|goal| goal.signal));
        wanted.extend(unrolled.modes.iter().map(|mode| mode.terminal));
        let mut bits = Vec::new();
        let bit = |automaton: &mut Automaton| {
            let name = naming.define(&format!("view_{}", bits.len() + 1));
            bits.push(name);
            automaton.slot(name, &[])
        };
        let conditions = Conditions::new(unrolled.net.clone(), &wanted, state, &mut automaton, bit);
        let changed_name = naming.define("changed");
        let changed = automaton.slot(changed_name, &[]);
        let has_parts = conditions.has_recursion();
        bits.extend(has_parts.then_some(changed_name));
        let boolean = |&name: &Name| Variable {
            name: name.into(),
            type_: SimpleType::Named(Name::BOOL_TYPE.into()).into(),
            initial: Value::Name(Name::ZERO.into()),
            place: Place::default(),
        };
        let helpers: Vec<Variable> = bits.iter().map(boolean).collect();

        let role_name = |naming: &mut Naming, role: &Term| {
            naming.symbol(&role.spelled(symbols), &flat([role], symbols))
        };
        let roles: Vec<Name> = game.roles.iter().map(|role| role_name(&mut naming, role)).collect();
        let second = vec![None; conditions.state.list.len()];
        let player = automaton.slot(Name::PLAYER, &[]);
        let goals = roles.iter().map(|&role| automaton.slot(Name::GOALS, &[role])).collect();
        let visible = roles.iter().map(|&role| automaton.slot(Name::VISIBLE, &[role])).collect();
        let tag = |naming: &mut Naming, term: &Term| {
            naming.symbol(&term.spelled(symbols), &flat([term], symbols))
        };
        let tags = net.moves.iter().map(|term| tag(&mut naming, term)).collect();
        description.variables = helpers;
        let choices = vec![None; roles.len()];
        let constants = HashMap::new();
        Writer {
            game,
            net,
            joint,
            naming,
            automaton,
            conditions,
            description,
            turns: Vec::new(),
            second,
            player,
            roles,
            goals,
            visible,
            choices,
            choice_names: Vec::new(),
            tags,
            changed,
            constants,
            written: HashMap::new(),
            computed: None,
            helpers: bits.into_iter().collect(),
        }
    }

    fn write(mut self, unrolled: &Unrolled) -> Export {
        self.define_choices(unrolled);
        self.turns = Turn::of(&mut self.conditions, unrolled, self.joint);
        self.declare_choices();
        self.define_seconds();
        let numbered = self.turns.len() > 1;
        let name =
            |place: usize| if numbered { format!("turn_{place}") } else { "turn".to_owned() };
        let starts: Vec<Node> =
            (0..self.turns.len()).map(|place| self.automaton.named(name(place))).collect();
        let initial = unrolled.mode(|latch| unrolled.net.latches[latch.index()].initial);
        self.automaton.edge(Automaton::BEGIN, starts[initial], Action::Skip);
        let over = self.automaton.named("over".to_owned());
        let mut first_choices = Vec::new();
        for (place, turn) in std::mem::take(&mut self.turns).iter().enumerate() {
            let plies = self.write_turn(turn, place, &starts, over, unrolled);
            first_choices.push((plies, turn.implied.clone()));
        }
        let (no_score, scores_differ, scores) = self.write_goals(over, unrolled);
        self.conditions.write_walks(&mut self.automaton);
        self.finish(
            over,
            (unrolled.turns.clone(), starts),
            first_choices,
            (no_score, scores_differ, scores),
        )
    }

    /// Variables that remember choices, where one may have to.
    fn define_choices(&mut self, unrolled: &Unrolled) {
        let inputs = self.net.inputs.len();
        let mut of_role: Vec<Vec<Name>> = vec![Vec::new(); self.roles.len()];
        for input in &self.net.inputs {
            of_role[usize::from(input.role.0)].push(self.tags[input.term as usize]);
        }
        for (role, tags) in of_role.into_iter().enumerate() {
            if tags.is_empty() {
                continue;
            }
            let role_text = self.naming.names.text(self.roles[role]).to_owned();
            let name = self.naming.define(&format!("choice_of_{role_text}"));
            let type_ = self.naming.define(&format!("MoveOf{}", capital(&role_text)));
            self.choice_names.push((role, name, type_));
            self.choices[role] = Some((self.automaton.slot(name, &[]), tags));
        }
        let choice = |place: usize| {
            let input = &self.net.inputs[place % inputs];
            let (slot, _) = self.choices[usize::from(input.role.0)].as_ref().expect("it has moves");
            (*slot, self.tags[input.term as usize])
        };
        self.conditions.inputs = (0..unrolled.net.inputs.len()).map(choice).collect();
    }

    /// Declares the variables that remember choices, of the roles that have to.
    fn declare_choices(&mut self) {
        let choosers = self.turns.iter().filter(|turn| turn.remembers);
        let roles: HashSet<usize> =
            choosers.flat_map(Turn::free).map(|chooser| chooser.role).collect();
        for (role, name, type_) in std::mem::take(&mut self.choice_names) {
            if let (true, Some((_, tags))) = (roles.contains(&role), self.choices[role].clone()) {
                self.set_type(type_, &tags);
                self.description.variables.push(Variable {
                    name: name.into(),
                    type_: SimpleType::Named(type_.into()).into(),
                    initial: Value::Name(tags[0].into()),
                    place: Place::default(),
                });
            }
        }
    }

    /// Second variables for those that are read when they have been written.
    fn define_seconds(&mut self) {
        let mut deferred = vec![false; self.second.len()];
        for turn in &self.turns {
            turn.mark_deferred(&self.conditions, &mut deferred);
        }
        for variable in (0..deferred.len()).filter(|&variable| deferred[variable]) {
            let of = &self.conditions.state.list[variable];
            let text = format!("next_{}", self.naming.names.text(of.name));
            let (type_, initial) = (of.type_, of.values[of.initial]);
            let name = self.naming.define(&text);
            self.second[variable] = Some(self.automaton.slot(name, &[]));
            self.description.variables.push(Variable {
                name: name.into(),
                type_: SimpleType::Named(type_.into()).into(),
                initial: Value::Name(initial.into()),
                place: Place::default(),
            });
        }
    }

    /// Writes a turn; returns the nodes where choices are made, in the order of the choosers.
    fn write_turn(
        &mut self,
        turn: &Turn,
        place: usize,
        starts: &[Node],
        over: Node,
        unrolled: &Unrolled,
    ) -> Vec<Node> {
        let after = self.after(turn, starts, unrolled);
        let plies = match &turn.choosers[..] {
            [only] if !turn.computes => self.single(turn, only, place, after),
            _ => self.several(turn, place, after),
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
        // A node that is entered so can be gone to in any state.
        let ended = automaton.before(Action::Set(self.player, Name::KEEPER), over);
        let never = turn.terminal == Signal::FALSE;
        match never {
            true => automaton.edge(test, ended, Action::Never),
            false => conditions.between(automaton, test, turn.terminal, ended),
        }
        conditions.between(automaton, test, !turn.terminal, live);
        plies
    }

    /// What comes when moves have done what they do.
    fn after(&mut self, turn: &Turn, starts: &[Node], unrolled: &Unrolled) -> Node {
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

    /// Goes to the turn of the mode that the variables say.
    fn dispatch(&mut self, modes: &[usize], starts: &[Node], unrolled: &Unrolled) -> Node {
        if let [only] = modes {
            return starts[*only];
        }
        let node = self.automaton.node();
        for &mode in modes {
            let says = |(latch, value): (LatchId, bool)| {
                Signal::of(unrolled.net.latches[latch.index()].gate).negated_if(!value)
            };
            let says = unrolled.turns.known(mode).map(says).collect();
            let says = self.conditions.gate(Operation::And, says);
            self.conditions.between(&mut self.automaton, node, says, starts[mode]);
        }
        node
    }

    fn updates(&mut self, updates: &[Update], to: Node) -> Node {
        let Writer {
            conditions, automaton, second, constants, naming, description, written, ..
        } = self;
        let mut to = to;
        for update in updates.iter().rev() {
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
        to
    }

    /// One role chooses: the keeper goes on with what its move does. Returns the node of the
    /// choice and the one that leads there.
    fn single(
        &mut self,
        turn: &Turn,
        chooser: &Chooser,
        place: usize,
        after: Node,
    ) -> (Vec<Node>, Node) {
        let ply = self.ply(chooser, place);
        let mut ways = Vec::new();
        for plan in &chooser.moves {
            let done = self.updates(&plan.updates, after);
            let mut actions = self.tagged(turn, plan);
            actions.push(Action::Set(self.player, Name::KEEPER));
            ways.push((plan.legal, self.automaton.chain(&actions, done)));
        }
        self.choose(ply, ways);
        let enter = self.automaton.before(Action::Set(self.player, self.roles[chooser.role]), ply);
        (vec![ply], enter)
    }

    /// Several roles choose, one after the other, unseen by the others.
    fn several(&mut self, turn: &Turn, place: usize, after: Node) -> (Vec<Node>, Node) {
        let roles = self.roles.len();
        let hidden = turn.choosers.len() > 1;
        // What choices do, role by role.
        let mut to = after;
        for chooser in turn.choosers.iter().rev() {
            let (slot, _) = self.choices[chooser.role].clone().unwrap_or((self.player, Vec::new()));
            if chooser.moves.iter().all(|plan| plan.updates.is_empty()) {
                continue;
            }
            if let [only] = &chooser.moves[..] {
                to = self.updates(&only.updates, to);
                continue;
            }
            let node = self.automaton.node();
            for plan in &chooser.moves {
                let done = self.updates(&plan.updates, to);
                let tag = self.tags[self.net.inputs[plan.input].term as usize];
                self.automaton.edge(node, done, Action::Is(slot, tag, true));
            }
            to = node;
        }
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
        // All see what was chosen.
        let shown: Vec<Action> = turn
            .free()
            .filter(|_| hidden)
            .filter_map(|chooser| self.choices[chooser.role].as_ref())
            .map(|(slot, _)| Action::TagOf(*slot))
            .collect();
        to = self.automaton.chain(&shown, to);
        let last = turn.choosers.last().map_or(0, |chooser| chooser.role);
        let see = (0..roles).filter(|&role| hidden && role != last);
        let see: Vec<Action> = see.map(|role| Action::Set(self.visible[role], Name::ONE)).collect();
        to = self.automaton.chain(&see, to);
        let mut enter = self.automaton.before(Action::Set(self.player, Name::KEEPER), to);
        let mut plies = Vec::new();
        for (at, chooser) in turn.choosers.iter().enumerate().rev() {
            let ply = self.ply(chooser, place);
            let mut ways = Vec::new();
            for plan in &chooser.moves {
                let actions = self.tagged(turn, plan);
                ways.push((plan.legal, self.automaton.chain(&actions, enter)));
            }
            self.choose(ply, ways);
            enter = self.automaton.before(Action::Set(self.player, self.roles[chooser.role]), ply);
            let mut see = vec![Action::Set(self.visible[chooser.role], Name::ONE)];
            match at.checked_sub(1) {
                Some(before) => {
                    let before = turn.choosers[before].role;
                    see.push(Action::Set(self.visible[before], Name::ZERO));
                }
                None => {
                    let others = (0..roles).filter(|&role| hidden && role != chooser.role);
                    see = others.map(|role| Action::Set(self.visible[role], Name::ZERO)).collect();
                }
            }
            enter = self.automaton.chain(&see, enter);
            plies.push(ply);
        }
        plies.reverse();
        (plies, enter)
    }

    fn ply(&mut self, chooser: &Chooser, place: usize) -> Node {
        let role = self.naming.names.text(self.roles[chooser.role]).to_owned();
        self.automaton.named(format!("choose_{place}_{role}"))
    }

    /// The tag of a move, and that it is remembered if it must be.
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

    /// Ways under conditions; conditions that many share come first and are checked once.
    fn choose(&mut self, from: Node, ways: Vec<(Signal, Node)>) {
        let Writer { conditions, automaton, .. } = self;
        let mut factors: Vec<(Vec<Signal>, Node)> =
            ways.into_iter().map(|(legal, to)| (conditions.factors(&[legal]), to)).collect();
        let mut uses: HashMap<Signal, u32> = HashMap::new();
        for signal in factors.iter().flat_map(|(factors, _)| factors) {
            *uses.entry(*signal).or_default() += 1;
        }
        let mut behind: HashMap<(Node, Signal), Node> = HashMap::new();
        for (factors, to) in &mut factors {
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
    }

    /// Sets the goals and ends the play.
    fn write_goals(&mut self, over: Node, unrolled: &Unrolled) -> (Name, Name, Vec<(Name, Term)>) {
        let symbols = &self.game.symbols;
        let mut scores: Vec<(Name, Term)> = Vec::new();
        for goal in &self.net.goals {
            if !scores.iter().any(|(_, value)| *value == goal.value) {
                let text = goal.value.spelled(symbols);
                let name = self.naming.symbol(&text, &flat([&goal.value], symbols));
                scores.push((name, goal.value.clone()));
            }
        }
        scores.sort_by_key(|(_, value)| {
            let text = value.spelled(symbols);
            (text.parse::<u32>().unwrap_or(u32::MAX), text)
        });
        let no_score = self.naming.symbol("no score", "undefined");
        let scores_differ = self.naming.symbol("several scores", "ambiguous");
        let Writer { conditions, automaton, .. } = self;
        let mut to = automaton.before(Action::Set(self.player, Name::KEEPER), Automaton::END);
        let mut asked = Vec::new();
        for role in (0..self.roles.len()).rev() {
            let slot = self.goals[role];
            let mine = unrolled.net.goals.iter().filter(|goal| usize::from(goal.role.0) == role);
            let mine: Vec<(Name, Signal)> = mine
                .filter(|goal| goal.signal != Signal::FALSE)
                .map(|goal| {
                    let score = scores.iter().find(|(_, value)| *value == goal.value);
                    (score.expect("all values are listed").0, goal.signal)
                })
                .collect();
            asked.extend(mine.iter().map(|&(_, signal)| signal));
            let differ = automaton.before(Action::Set(slot, scores_differ), to);
            let none = automaton.before(Action::Set(slot, no_score), to);
            // From the last value to the first: where none held before, and where one did.
            let mut next = none;
            for (place, &(score, signal)) in mine.iter().enumerate() {
                let given = automaton.before(Action::Set(slot, score), to);
                let mut alone = given;
                for &(_, other) in &mine[..place] {
                    alone = branch(conditions, automaton, other, differ, alone);
                }
                next = branch(conditions, automaton, signal, alone, next);
            }
            to = next;
        }
        let mut computed = self.computed.take().unwrap_or_default();
        let start = conditions.compute(automaton, &asked, &mut computed, self.changed, false, to);
        automaton.edge(over, start, Action::Skip);
        (no_score, scores_differ, scores)
    }

    fn set_type(&mut self, name: Name, members: &[Name]) {
        let mut members: Vec<Name> = members.to_vec();
        let mut seen = HashSet::new();
        members.retain(|member| seen.insert(*member));
        let members = members.into_iter().map(Into::into).collect();
        let set = SymbolSet { members, place: Place::default() };
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
        (modes, starts): (Turns, Vec<Node>),
        turns: Vec<(Vec<Node>, Vec<Option<usize>>)>,
        (no_score, scores_differ, scores): (Name, Name, Vec<(Name, Term)>),
    ) -> Export {
        let roles = self.roles.clone();
        self.set_type(Name::PLAYER_TYPE, &roles);
        let all: Vec<Name> =
            scores.iter().map(|(name, _)| *name).chain([no_score, scores_differ]).collect();
        self.set_type(Name::SCORE_TYPE, &all);
        self.description.types.rotate_right(2);
        for (name, values) in std::mem::take(&mut self.conditions.state.types) {
            self.set_type(name, &values);
        }
        let state = self.conditions.state.list.iter().map(|variable| Variable {
            name: variable.name.into(),
            type_: SimpleType::Named(variable.type_.into()).into(),
            initial: Value::Name(variable.values[variable.initial].into()),
            place: Place::default(),
        });
        let state: Vec<Variable> = state.collect();
        self.description.variables.splice(0..0, state);
        let facts = self.net.fluents.iter().filter_map(|fluent| {
            let signal = fluent.signal;
            let test = match self.net.operation(signal.gate()) {
                Operation::Latch(latch) => {
                    let literal = self.conditions.state.literal(latch, signal.is_negated());
                    let of = &self.conditions.state.list[literal.variable as usize];
                    let value = of.values[literal.value as usize];
                    match literal.equal {
                        true => FactTest::Is(of.name, value),
                        false => FactTest::IsNot(of.name, value),
                    }
                }
                _ if signal == Signal::TRUE => FactTest::Always,
                _ => return None,
            };
            Some((fluent.fact.clone(), test))
        });
        let facts = facts.collect();
        let moves =
            self.tags.iter().zip(&self.net.moves).map(|(&tag, term)| (tag, term.clone())).collect();
        // Some views turn out not to be needed.
        let used = self.automaton.variables();
        self.description.variables.retain(|variable| {
            let name = variable.name.name;
            used.contains(&name) || !self.helpers.contains(&name)
        });
        let (edges, nodes) = self.automaton.finish(&mut self.naming);
        self.description.edges = edges;
        self.description.names = self.naming.names;
        let name = |node: Node| nodes[node.0 as usize];
        let part = |plies: &mut std::slice::Iter<Node>, implied: &Option<usize>| match implied {
            None => RoleTurn::Ply(name(*plies.next().expect("a ply for each role that chooses"))),
            Some(input) => {
                let term = self.net.inputs[*input].term;
                RoleTurn::Implied(self.net.moves[term as usize].clone())
            }
        };
        let turns = turns.iter().map(|(plies, implied)| {
            let mut rest = plies.iter();
            let parts = implied.iter().map(|implied| part(&mut rest, implied)).collect();
            (name(plies[0]), parts)
        });
        let turns = turns.collect();
        let entry = EntryPoints {
            variables: self.conditions.state.list,
            turns: modes,
            starts: starts.into_iter().map(name).collect(),
        };
        Export {
            description: self.description,
            roles,
            facts,
            moves,
            scores,
            no_score,
            scores_differ,
            over: name(over),
            turns,
            entry,
        }
    }
}

/// The constant that says what follows each value.
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
