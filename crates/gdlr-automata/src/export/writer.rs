//! The state of the writer of a description.

use super::automaton::{Automaton, Node};
use super::conditions::Conditions;
use super::naming::{Naming, flat};
use super::plan::Turn;
use super::sight::Sight;
use super::slots::Slot;
use super::update::Update;
use super::variables::Variables;
use crate::tuning::Tuning;
use gdlr_net::net::{GateId, Net, Signal};
use gdlr_net::propnet::Unrolled;
use gdlr_rg::rg::{Description, Name, Place, SimpleType, Value, Variable};
use gdlr_rules::gdl::{Game, Term};
use gdlr_text::budget::Meter;
use hashbrown::{HashMap, HashSet};

/// Writes the description of a net.
pub(super) struct Writer<'a> {
    pub(super) meter: &'a Meter<'a>,
    pub(super) game: &'a Game,
    pub(super) net: &'a Net,
    pub(super) joint: bool,
    pub(super) naming: Naming,
    pub(super) automaton: Automaton,
    pub(super) conditions: Conditions,
    pub(super) description: Description,
    pub(super) turns: Vec<Turn>,
    /// By state variable: the second variable to which updates write, if there is one.
    pub(super) second: Vec<Option<Slot>>,
    pub(super) player: Slot,
    pub(super) roles: Vec<Name>,
    /// The role of chance, which is the player `random` in RG.
    pub(super) chance: Option<usize>,
    /// The members of the type `Player`: all roles but chance without a goal.
    pub(super) players: Vec<usize>,
    /// The part of a step that roles are shown.
    pub(super) sight: Sight,
    pub(super) goals: Vec<Slot>,
    pub(super) visible: Vec<Slot>,
    /// By role: the variable that remembers its choice, and its symbols.
    pub(super) choices: Vec<Option<(Slot, Vec<Name>)>>,
    /// The roles with such a variable: its name, and the name of its type.
    pub(super) choice_names: Vec<(usize, Name, Name)>,
    /// By term of a move: its tag.
    pub(super) tags: Vec<Name>,
    /// By percept of the net: its tag.
    pub(super) percepts: Vec<Name>,
    pub(super) changed: Slot,
    pub(super) constants: HashMap<(Name, Vec<u32>), Name>,
    /// The first node of each update that has been written, by the node to which it leads.
    pub(super) written: HashMap<(Update, Node), Node>,
    /// The views that have been computed when a state is found to be terminal.
    pub(super) computed: Option<HashSet<GateId>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        net: &'a Net,
        game: &'a Game,
        joint: bool,
        sight: Sight,
        unrolled: &Unrolled,
        tuning: &Tuning,
        meter: &'a Meter<'a>,
    ) -> Writer<'a> {
        let symbols = &game.symbols;
        let mut naming = Naming::default();
        let mut automaton = Automaton::new();
        let state = Variables::of(net, symbols, &mut naming);
        let mut description = Description::default();

        // Everything that is defined is named before any symbol is.
        let mut wanted: Vec<Signal> = unrolled.outputs().collect();
        wanted.extend(unrolled.net.goals.iter().map(|goal| goal.signal));
        wanted.extend(unrolled.copies.iter().flat_map(|mode| mode.percepts.iter().copied()));
        let mut bits = Vec::new();
        let bit = |automaton: &mut Automaton| {
            let name = naming.define(&format!("view_{}", bits.len() + 1));
            bits.push(name);
            automaton.slot(name, &[])
        };
        let whole = unrolled.net.clone();
        let conditions = Conditions::new(whole, &wanted, state, tuning, &mut automaton, bit);
        let changed_name = naming.define("changed");
        let changed = automaton.slot(changed_name, &[]);
        let has_parts = conditions.has_recursion();
        bits.extend(has_parts.then_some(changed_name));
        let helpers: Vec<Variable> = bits.iter().copied().map(boolean).collect();

        let Cast { chance, roles, players } = Cast::of(net, game, &mut naming);
        let second = vec![None; conditions.state.list.len()];
        let player = automaton.slot(Name::PLAYER, &[]);
        let goals = roles.iter().map(|&role| automaton.slot(Name::GOALS, &[role])).collect();
        let visible = roles.iter().map(|&role| automaton.slot(Name::VISIBLE, &[role])).collect();
        let tag = |naming: &mut Naming, term: &Term| {
            naming.symbol(&term.spelled(symbols), &flat([term], symbols))
        };
        let tags = net.moves.iter().map(|term| tag(&mut naming, term)).collect();
        // No percept has the tag of a move.
        let percept = |naming: &mut Naming, term: &Term| {
            let wanted = format!("sees_{}", flat([term], symbols));
            naming.symbol(&format!("sees {}", term.spelled(symbols)), &wanted)
        };
        let percepts = net.percepts.iter().map(|p| percept(&mut naming, &p.term)).collect();
        description.variables = helpers;
        let choices = vec![None; roles.len()];
        let constants = HashMap::new();
        Writer {
            meter,
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
            chance,
            players,
            sight,
            goals,
            visible,
            choices,
            choice_names: Vec::new(),
            tags,
            percepts,
            changed,
            constants,
            written: HashMap::new(),
            computed: None,
        }
    }
}

/// A Boolean variable.
fn boolean(name: Name) -> Variable {
    Variable {
        name: name.into(),
        type_: SimpleType::Named(Name::BOOL_TYPE.into()).into(),
        initial: Value::Name(Name::ZERO.into()),
        place: Place::default(),
    }
}

/// Who plays.
struct Cast {
    /// The role of chance.
    chance: Option<usize>,
    /// By role: its name.
    roles: Vec<Name>,
    /// The roles that are members of `Player`.
    players: Vec<usize>,
}

impl Cast {
    fn of(net: &Net, game: &Game, naming: &mut Naming) -> Cast {
        let symbols = &game.symbols;
        let chance = game.chance().and_then(|chance| game.roles.iter().position(|r| r == chance));
        let role_name = |(place, role): (usize, &Term)| match chance {
            Some(chance) if chance == place => Name::RANDOM,
            _ => naming.symbol(&role.spelled(symbols), &flat([role], symbols)),
        };
        let roles: Vec<Name> = game.roles.iter().enumerate().map(role_name).collect();
        let has_goal = |role: usize| net.goals.iter().any(|goal| usize::from(goal.role.0) == role);
        let mut players: Vec<usize> = (0..roles.len()).collect();
        // A type has a member at least.
        players.retain(|&role| chance != Some(role) || has_goal(role) || roles.len() == 1);
        Cast { chance, roles, players }
    }
}
