//! States as facts, and back.

use super::game::AutomatonGame;
use gdlr_engine::engine::FactError;
use gdlr_rg::rg::{Automaton, Description, Label, Name, Slot, State, SymbolId, Turn};
use gdlr_rules::gdl::{Symbol, Term};
use hashbrown::{HashMap, HashSet};

/// The variables and nodes from which the facts of a state are read.
#[derive(Debug)]
pub(super) struct Facts {
    /// The variables, in the order of the description.
    variables: Vec<Listed>,
    by_function: HashMap<Symbol, usize>,
    /// The nodes at which a player or chance may have the move, and `end`.
    nodes: HashSet<Name>,
    /// By name: its number in states.
    symbols: HashMap<Name, SymbolId>,
    /// The number of entries for which a state must have a fact.
    needed: usize,
}

/// A variable that some edge assigns to.
#[derive(Debug)]
struct Listed {
    name: Name,
    function: Symbol,
    /// Whether entries with their first value give no fact.
    is_brief: bool,
    entries: Vec<Entry>,
}

/// An entry of the variable.
#[derive(Debug)]
struct Entry {
    keys: Vec<Term>,
    slot: Slot,
    initial: Name,
}

impl Facts {
    /// The variables and nodes of an automaton.
    pub fn new(game: &AutomatonGame, automaton: &Automaton) -> Facts {
        let description = game.description();
        let changing = changing(description);
        let mut names: Vec<Name> = vec![Name::PLAYER];
        names.extend(description.variables.iter().map(|variable| variable.name.name));
        names.extend([Name::GOALS, Name::VISIBLE]);
        let mut listed = HashSet::new();
        names.retain(|name| changing.contains(name) && listed.insert(*name));
        let initial = automaton.initial();
        let entry = |(keys, slot): (Vec<Name>, Slot)| Entry {
            keys: keys.into_iter().map(|key| game.constant(key)).collect(),
            slot,
            initial: automaton.at(initial, slot),
        };
        let variables = names.into_iter().map(|name| Listed {
            name,
            function: game.symbol(name).expect("variables have symbols"),
            is_brief: [Name::GOALS, Name::VISIBLE].contains(&name),
            entries: automaton.entries(name).into_iter().map(entry).collect(),
        });
        let variables: Vec<Listed> = variables.collect();
        let by_function = variables.iter().map(|listed| listed.function).zip(0..).collect();
        let needed = variables.iter().filter(|listed| !listed.is_brief);
        Facts {
            needed: needed.map(|listed| listed.entries.len()).sum(),
            variables,
            by_function,
            nodes: nodes(description),
            symbols: automaton.symbol_ids(),
        }
    }

    /// The facts of a state.
    pub fn of(&self, game: &AutomatonGame, automaton: &Automaton, state: &State) -> Vec<Term> {
        let mut facts =
            vec![Term::Function(game.node(), vec![game.constant(automaton.node(state))])];
        for listed in &self.variables {
            for entry in &listed.entries {
                let value = automaton.at(state, entry.slot);
                if !listed.is_brief || value != entry.initial {
                    let mut arguments = Vec::with_capacity(entry.keys.len() + 1);
                    arguments.extend_from_slice(&entry.keys);
                    arguments.push(game.constant(value));
                    facts.push(Term::Function(listed.function, arguments));
                }
            }
        }
        facts
    }

    /// Makes `state` the state with these facts, whatever it was before.
    ///
    /// # Errors
    ///
    /// When these are no facts of a state in which a player or chance has the move, or the play is
    /// over.
    pub fn enter(
        &self,
        game: &AutomatonGame,
        automaton: &Automaton,
        facts: &[Term],
        state: &mut State,
    ) -> Result<(), FactError> {
        state.clone_from(automaton.initial());
        let mut said: HashMap<Slot, Name> = HashMap::new();
        let mut node: Option<Name> = None;
        let mut needed = 0;
        for fact in facts {
            let unknown = || FactError::Unknown(fact.clone());
            let clash = || FactError::Unreachable(Some(fact.clone()));
            let (function, arguments) = function(fact).ok_or_else(unknown)?;
            let names = arguments.iter().map(|argument| match argument {
                Term::Constant(symbol) => game.name(*symbol),
                _ => None,
            });
            let names: Vec<Name> = names.collect::<Option<_>>().ok_or_else(unknown)?;
            let (&value, keys) = names.split_last().ok_or_else(unknown)?;
            if function == game.node() {
                if !keys.is_empty() || !self.nodes.contains(&value) {
                    return Err(unknown());
                }
                if node.replace(value).is_some_and(|other| other != value) {
                    return Err(clash());
                }
                continue;
            }
            let listed = self.by_function.get(&function).map(|&place| &self.variables[place]);
            let listed = listed.ok_or_else(unknown)?;
            let slot = automaton.slot(listed.name, keys).ok_or_else(unknown)?;
            if automaton.values(listed.name).binary_search(&value).is_err() {
                return Err(unknown());
            }
            match said.insert(slot, value) {
                Some(other) if other != value => return Err(clash()),
                Some(_) => {}
                None => {
                    needed += usize::from(!listed.is_brief);
                    automaton.set(state, slot, self.symbols[&value]);
                }
            }
        }
        let (Some(node), true) = (node, needed == self.needed) else {
            return Err(FactError::Unreachable(None));
        };
        automaton.put(state, node);
        match automaton.turn(state) {
            Turn::Keeper => Err(FactError::Unreachable(None)),
            Turn::Random | Turn::Player(_) | Turn::End => Ok(()),
        }
    }
}

/// The function and the arguments of a fact.
fn function(fact: &Term) -> Option<(Symbol, &[Term])> {
    match fact {
        Term::Function(function, arguments) => Some((*function, arguments)),
        Term::Constant(_) | Term::Variable(_) => None,
    }
}

/// The variables to which some edge assigns.
fn changing(description: &Description) -> HashSet<Name> {
    let edges = description.edges.iter().filter_map(|edge| match &edge.label {
        Label::Assign { target, .. } | Label::AssignAny { target, .. } => Some(target.root()),
        _ => None,
    });
    edges.collect()
}

/// The nodes at which a move ends and the keeper does not go on; and `begin` and `end`.
fn nodes(description: &Description) -> HashSet<Name> {
    let keeps =
        |value: &gdlr_rg::rg::Expr| value.as_name().is_some_and(|of| of.name == Name::KEEPER);
    let edges = description.edges.iter().filter_map(|edge| match &edge.label {
        Label::Assign { target, value } if target.root() == Name::PLAYER && !keeps(value) => {
            Some(edge.to.name)
        }
        Label::AssignAny { target, .. } if target.root() == Name::PLAYER => Some(edge.to.name),
        _ => None,
    });
    edges.chain([Name::BEGIN, Name::END]).collect()
}
