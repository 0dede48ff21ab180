//! The whole description: declarations, the turns one after the other, and the goals.

use super::automaton::{Action, Automaton, Node, Order};
use super::declare::{Scores, nothing_visible, set_type};
use super::legend::{EntryPoints, EntryVariable, Export, FactTest, role_turns};
use super::naming::capital;
use super::plan::Turn;
use super::sight::Sight;
use super::update::branch;
use super::variables::StateVariable;
use super::writer::Writer;
use gdlr_net::net::{Operation, Phases, Signal};
use gdlr_net::propnet::Unrolled;
use gdlr_rg::rg::{Name, Place, SimpleType, Value, Variable};
use gdlr_rules::gdl::Term;
use gdlr_text::budget::Exhausted;
use hashbrown::HashSet;

impl Writer<'_> {
    /// Writes the whole description.
    pub(super) fn write(mut self, unrolled: &Unrolled) -> Result<Export, Exhausted> {
        self.define_choices(unrolled);
        self.turns = Turn::of(&mut self.conditions, unrolled, self.joint, self.meter)?;
        self.declare_choices();
        self.define_seconds();
        let numbered = self.turns.len() > 1;
        let name =
            |place: usize| if numbered { format!("turn_{place}") } else { "turn".to_owned() };
        let starts: Vec<Node> =
            (0..self.turns.len()).map(|place| self.automaton.named(name(place))).collect();
        let initial = unrolled.phase(|latch| unrolled.net.latches[latch.index()].initial);
        self.automaton.edge(Automaton::BEGIN, starts[initial], Action::Skip);
        let over = self.automaton.named("over".to_owned());
        let mut first_choices = Vec::new();
        for (place, turn) in std::mem::take(&mut self.turns).iter().enumerate() {
            let plies = self.write_turn(turn, place, &starts, over, unrolled)?;
            first_choices.push((plies, turn.implied.clone()));
        }
        let scores = self.write_goals(over, unrolled);
        self.conditions.write_walks(&mut self.automaton);
        self.meter.check()?;
        Ok(self.finish(over, (unrolled.phases.clone(), starts), first_choices, scores))
    }

    /// Defines variables that remember choices, for roles that may need them.
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

    /// Declares the variables that remember choices, for roles that need them.
    fn declare_choices(&mut self) {
        let choosers = self.turns.iter().filter(|turn| turn.remembers);
        let roles: HashSet<usize> =
            choosers.flat_map(Turn::free).map(|chooser| chooser.role).collect();
        for (role, name, type_) in std::mem::take(&mut self.choice_names) {
            if let (true, Some((_, tags))) = (roles.contains(&role), self.choices[role].clone()) {
                set_type(&mut self.description, type_, tags.iter().copied());
                self.description.variables.push(Variable {
                    name: name.into(),
                    type_: SimpleType::Named(type_.into()).into(),
                    initial: Value::Name(tags[0].into()),
                    place: Place::default(),
                });
            }
        }
    }

    /// Defines second variables for those that are read after they have been written.
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

    /// Sets the goals and ends the play.
    fn write_goals(&mut self, over: Node, unrolled: &Unrolled) -> Scores {
        let scores = Scores::of(self.net, self.game, &mut self.naming);
        let Writer { conditions, automaton, .. } = self;
        let mut to = automaton.before(Action::Set(self.player, Name::KEEPER), Automaton::END);
        let mut asked = Vec::new();
        for &role in self.players.iter().rev() {
            let slot = self.goals[role];
            let mine = unrolled.net.goals.iter().filter(|goal| usize::from(goal.role.0) == role);
            let mine: Vec<(Name, Signal)> = mine
                .filter(|goal| goal.signal != Signal::FALSE)
                .map(|goal| (scores.of_value(&goal.value), goal.signal))
                .collect();
            asked.extend(mine.iter().map(|&(_, signal)| signal));
            let differ = automaton.before(Action::Set(slot, scores.differ), to);
            let none = automaton.before(Action::Set(slot, scores.none), to);
            // From the last value to the first: the node if no later value held, and the node if
            // one did.
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
        scores
    }

    fn finish(
        mut self,
        over: Node,
        (phases, starts): (Phases, Vec<Node>),
        turns: Vec<(Vec<Node>, Vec<Option<usize>>)>,
        scores: Scores,
    ) -> Export {
        self.declare_state(&scores);
        let used = self.automaton.names();
        let facts = self.facts(&used);
        let tags = self.tags.iter().zip(&*self.net.moves);
        let moves = tags.map(|(&tag, term)| (vec![tag], term.clone())).collect();
        // Some views turn out to be unused.
        self.description.variables.retain(|variable| used.contains(&variable.name.name));
        if self.sight != Sight::Moves {
            self.description.variables.push(nothing_visible());
        }
        let percepts = self.percepts.iter().zip(&self.net.percepts);
        let percepts = percepts.map(|(&tag, percept)| (vec![tag], percept.term.clone())).collect();
        let (edges, nodes, _) = self.automaton.finish(&mut self.naming, Order::Breadth);
        self.description.edges = edges;
        self.description.names = self.naming.names;
        let name = |node: &Node| nodes[node.0 as usize];
        let turns = turns.iter().filter_map(|(plies, implied)| {
            role_turns(self.net, &plies.iter().map(name).collect::<Option<Vec<Name>>>()?, implied)
        });
        let turns = turns.collect();
        let over = name(&over).unwrap_or(Name::BEGIN);
        let entry = EntryPoints {
            variables: self.conditions.state.list.iter().map(entry_variable).collect(),
            turns: phases,
            starts: starts.iter().map(name).collect(),
            tells_all: true,
        };
        Export {
            description: self.description,
            roles: self.roles,
            facts,
            moves,
            percepts,
            scores: scores.values,
            no_score: scores.none,
            scores_differ: scores.differ,
            over,
            turns,
            comments: Vec::new(),
            notes: Vec::new(),
            entry,
            program: None,
        }
    }

    /// Declares players, scores and the state before all else.
    fn declare_state(&mut self, scores: &Scores) {
        let players: Vec<Name> = self.players.iter().map(|&role| self.roles[role]).collect();
        set_type(&mut self.description, Name::PLAYER_TYPE, players);
        let values = scores.values.iter().map(|(name, _)| *name);
        let all: Vec<Name> = values.chain([scores.none, scores.differ]).collect();
        set_type(&mut self.description, Name::SCORE_TYPE, all);
        self.description.types.rotate_right(2);
        for (name, values) in std::mem::take(&mut self.conditions.state.types) {
            set_type(&mut self.description, name, values.iter().copied());
        }
        let state = self.conditions.state.list.iter().map(|variable| Variable {
            name: variable.name.into(),
            type_: SimpleType::Named(variable.type_.into()).into(),
            initial: Value::Name(variable.values[variable.initial].into()),
            place: Place::default(),
        });
        let state: Vec<Variable> = state.collect();
        self.description.variables.splice(0..0, state);
    }

    /// The facts of the game, each with the test that tells whether it holds. `used` are the names
    /// on edges.
    fn facts(&self, used: &HashSet<Name>) -> Vec<(Term, FactTest)> {
        let facts = self.net.fluents.iter().filter_map(|fluent| {
            let signal = fluent.signal;
            let test = match self.net.operation(signal.gate()) {
                Operation::Latch(latch) => {
                    let literal = self.conditions.state.literal(latch, signal.is_negated());
                    let of = &self.conditions.state.list[literal.variable as usize];
                    let value = of.values[literal.value as usize];
                    if !used.contains(&of.name) {
                        // A variable that is never read or written stays as it is at the beginning.
                        let holds = (literal.value as usize == of.initial) == literal.equal;
                        return holds.then(|| (Term::clone(&fluent.fact), FactTest::Always));
                    }
                    match literal.equal {
                        true => FactTest::Is(of.name, Vec::new(), value),
                        false => FactTest::IsNot(of.name, Vec::new(), value),
                    }
                }
                _ if signal == Signal::TRUE => FactTest::Always,
                _ => return None,
            };
            Some((Term::clone(&fluent.fact), test))
        });
        facts.collect()
    }
}

/// The value of a variable in any state.
fn entry_variable(of: &StateVariable) -> EntryVariable {
    let latches = of.latches.iter().map(|&latch| Some((latch, true)));
    EntryVariable {
        name: of.name,
        keys: Vec::new(),
        values: of.values.iter().copied().zip(latches).collect(),
        otherwise: of.values.get(of.latches.len()).copied(),
    }
}
