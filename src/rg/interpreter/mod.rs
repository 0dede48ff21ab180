//! The interpreter: plays a regular game as RG, section 2, defines it.
//!
//! A **semistate** gives every variable a value, `player`, `goals` and `visible` among them; a
//! **state** is a semistate at a node. A **move** of whoever `player` is goes from a state along
//! edges whose actions are legal to the first one that assigns to `player`. The tags on the way
//! are its name. Ways with the same tags are one move, and must lead to the same state.
//!
//! An [`Automaton`] is the description compiled once: immutable, shared between threads. What a
//! search scribbles on is a [`Search`], one a thread. States are small and independent of both.
//!
//! | file | what it is for |
//! |---|---|
//! | [`layout`] | symbols by number; variables and constants in registers |
//! | [`program`], [`compile`] | operations, and how edges become operations |
//! | [`search`] | the loop that runs them: walks, reachability checks, budgets |
//! | [`memory`] | assignments to undo, semistates that were met |
//! | [`moves`] | moves and the differences that they make |
//! | [`play`] | random plays; plays of each length counted |
//! | [`explore`](mod@explore) | whether a game is proper |
//!
//! Pragmas are not looked at: what they promise is not needed here, and so cannot be wrong.
//!
//! ```
//! use gdlr::rg::{self, Automaton, Moves, Search, Turn};
//! let text = "type Player = { a, b }; type Score = { 0, 1 }; type Pile = { 0, 1, 2, 3 };
//!     const less: Pile -> Pile = { 3: 2, 2: 1, :0 };
//!     var pile: Pile = 3; var mover: Player = a;
//!     begin, take: player = mover;
//!     take, one: $ one;                  one, taken: pile = less[pile];
//!     take, two: pile != 1; two, three: $ two; three, taken: pile = less[less[pile]];
//!     taken, done: player = keeper;
//!     done, won: pile == 0; won, over: goals[mover] = 1; over, end: player = keeper;
//!     done, on: pile != 0;
//!     on, next: mover == a; next, begin2: mover = b;
//!     on, last: mover == b; last, begin2: mover = a; begin2, take: player = mover;";
//! let automaton = Automaton::new(&rg::read(text).unwrap()).unwrap();
//! let (mut search, mut moves) = (Search::default(), Moves::default());
//! let mut state = automaton.initial().clone();
//! loop {
//!     automaton.keep(&mut search, &mut state).unwrap();
//!     if automaton.turn(&state) == Turn::End {
//!         break;
//!     }
//!     automaton.moves(&mut search, &state, &mut moves).unwrap();
//!     moves.play(0, &mut state);
//! }
//! let goals: Vec<&str> =
//!     automaton.players().map(|player| automaton.text(automaton.goal(&state, player))).collect();
//! assert_eq!(goals, ["1", "0"]);
//! ```

mod compile;
mod error;
mod explore;
mod layout;
mod memory;
mod moves;
mod play;
mod program;
mod search;

pub use error::PlayError;
pub use explore::{Condition, Defect, Exploration, explore};
pub use moves::Moves;
pub use play::{Ending, Perft, Played, perft};
pub use search::{DEFAULT_STEPS, Search};

use super::ast::Description;
use super::name::{Name, Names};
use super::types::Ty;
use super::validate;
use crate::diagnostic::{Code, Diagnostic, Severity, Span};
use hashbrown::HashMap;
use layout::{Item, Layout};
use program::{Address, NodeId, Program, Register, Symbol};
use search::PLAYER;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a move of the keeper costs at least, in steps.
const KEEPER_STEPS: u64 = 32;

/// A player of a game: its place in the type `Player`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub u16);

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The game manager's, which has one move.
    Keeper,
    /// Chance's: every move is as likely as the others.
    Random,
    /// A player's.
    Player(PlayerId),
    /// Nobody's: the game is over, as the node is `end`.
    End,
}

/// A state of a game: a node, and the values of all variables.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    node: NodeId,
    values: Box<[Symbol]>,
}

impl Clone for State {
    fn clone(&self) -> State {
        State { node: self.node, values: self.values.clone() }
    }

    /// Allocates nothing if both are of the same game.
    fn clone_from(&mut self, other: &State) {
        self.node = other.node;
        self.values.clone_from(&other.values);
    }
}

/// Where a symbol of every state is: a variable of a set type, or an entry of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(Register);

impl Slot {
    /// The number of the slot, less than [`Automaton::slots`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A description compiled for play.
#[derive(Debug)]
pub struct Automaton {
    program: Program,
    names: Names,
    /// By symbol: its name.
    symbols: Vec<Name>,
    /// By name: the slots of the variable.
    variables: HashMap<Name, Variable>,
    /// By node: its name.
    nodes: Vec<Name>,
    /// By edge: the names of its nodes.
    edges: Vec<(Name, Name)>,
    initial: State,
    players: Vec<Name>,
    /// By symbol, as far as they are players: whose turn it is.
    turns: Vec<Option<Turn>>,
    /// By player.
    goals: Vec<Register>,
    /// By player: where its visibility is.
    visible: Vec<Register>,
    /// The symbol `0`.
    zero: Symbol,
    conceals: bool,
    /// Different for all automata.
    id: u64,
}

#[derive(Debug)]
struct Variable {
    base: Register,
    /// By access, from the outermost: the keys in order, and how far apart their values are.
    keys: Vec<(Box<[Name]>, u32)>,
}

impl Automaton {
    /// Compiles a description. Built-in definitions may be missing. Takes time linear in the
    /// description, but for what [`validate`] takes.
    ///
    /// # Errors
    ///
    /// The errors that [`validate`] finds, reachability checks that need themselves for certain
    /// among them; and what cannot be played: maps with too many entries, too many symbols, maps
    /// with different keys that are compared or assigned.
    pub fn new(description: &Description) -> Result<Automaton, Vec<Diagnostic>> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut problems = validate(description);
        problems.retain(|problem| problem.severity() == Severity::Error);
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut layout = Layout::new(description);
        if !layout.problems.is_empty() {
            return Err(layout.problems);
        }
        let compiled = compile::compile(description, &mut layout);
        let zero = layout.symbol(Name::ZERO);
        let players = players(description);
        let flags = |layout: &mut Layout, variable: Name| -> Vec<Register> {
            let entries = players.iter().map(|&player| entry(layout, variable, player));
            entries.collect::<Option<_>>().unwrap_or_default()
        };
        let goals = flags(&mut layout, Name::GOALS);
        let visible = flags(&mut layout, Name::VISIBLE);
        if goals.len() != players.len() || visible.len() != players.len() {
            let message = "`goals` and `visible` have no entry for every player";
            layout.problem(Code::RgBuiltIn, Span::default(), message);
        }
        if players.len() > usize::from(u16::MAX) {
            layout.problem(
                Code::RgTooLarge,
                Span::default(),
                "more players than 16 bits can number",
            );
        }
        if !layout.problems.is_empty() {
            return Err(layout.problems);
        }
        let turns = (layout.symbols.iter())
            .map(|&name| match name {
                Name::KEEPER => Some(Turn::Keeper),
                Name::RANDOM => Some(Turn::Random),
                _ => {
                    let index = players.iter().position(|&player| player == name)?;
                    Some(Turn::Player(PlayerId(index as u16)))
                }
            })
            .collect();
        let program = compiled.program;
        let values = program.registers[..program.variables].into();
        let edges = description.edges.iter().map(|edge| (edge.from.name, edge.to.name));
        Ok(Automaton {
            names: description.names.clone(),
            variables: variables(&layout),
            symbols: layout.symbols,
            nodes: compiled.nodes,
            edges: edges.collect(),
            initial: State { node: BEGIN, values },
            players,
            turns,
            goals,
            visible,
            zero,
            conceals: compiled.conceals,
            program,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
        })
    }

    /// The state that every play begins with: at the node `begin`, before the keeper's first
    /// move.
    pub fn initial(&self) -> &State {
        &self.initial
    }

    /// The players, in the order of the type `Player`.
    pub fn players(&self) -> impl ExactSizeIterator<Item = PlayerId> + use<> {
        (0..self.players.len() as u16).map(PlayerId)
    }

    /// The name of a player.
    pub fn player_name(&self, player: PlayerId) -> Name {
        self.players[usize::from(player.0)]
    }

    /// The names of the description.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The node of a state.
    pub fn node(&self, state: &State) -> Name {
        self.nodes[state.node as usize]
    }

    /// Puts a state at another node, where an assignment to `player` leads; whether there is
    /// such a node.
    pub(crate) fn jump(&self, state: &mut State, node: Name) -> bool {
        let found = self.nodes.iter().position(|&other| other == node);
        if let Some(found) = found {
            state.node = found as NodeId;
        }
        found.is_some()
    }

    /// Whose turn it is.
    pub fn turn(&self, state: &State) -> Turn {
        if state.node == END {
            return Turn::End;
        }
        // Whatever else a loose definition of its type lets `player` be has no moves.
        self.turns[usize::from(state.values[PLAYER as usize])].unwrap_or(Turn::Keeper)
    }

    /// Lists the moves of whoever's turn it is: replaces the content of `moves`. At the end of
    /// the game there are none.
    ///
    /// # Errors
    ///
    /// When there are none and the game is not over; when walks with the same tags lead to
    /// different states; when an action on a walk is not valid; when it is too much work.
    pub fn moves(
        &self,
        search: &mut Search,
        state: &State,
        moves: &mut Moves,
    ) -> Result<(), PlayError> {
        if state.node == END {
            moves.clear(self.words());
            return Ok(());
        }
        search.enter(self, state);
        search.list(self, state, moves, &mut 0)?;
        if moves.is_empty() {
            return Err(self.dead_end(state));
        }
        Ok(())
    }

    /// Plays the keeper's only move, again and again, until somebody else has the move or the
    /// game is over.
    ///
    /// # Errors
    ///
    /// As [`Automaton::moves`], and when the keeper has several moves. The state is then the
    /// one that it happened in.
    pub fn keep(&self, search: &mut Search, state: &mut State) -> Result<(), PlayError> {
        if self.turn(state) != Turn::Keeper {
            return Ok(());
        }
        let mut moves = std::mem::take(&mut search.own_moves);
        search.enter(self, state);
        let kept = self.keep_on(search, state, &mut moves);
        search.own_moves = moves;
        kept
    }

    fn keep_on(
        &self,
        search: &mut Search,
        state: &mut State,
        moves: &mut Moves,
    ) -> Result<(), PlayError> {
        let mut steps = 0;
        while self.turn(state) == Turn::Keeper {
            // A keeper that never stops runs out of them.
            steps += KEEPER_STEPS;
            search.list(self, state, moves, &mut steps)?;
            match moves.len() {
                0 => return Err(self.dead_end(state)),
                1 => {
                    moves.play(0, state);
                    search.follow(moves, 0);
                }
                count => {
                    let node = self.text(self.node(state)).to_owned();
                    return Err(PlayError::Keeper { node, moves: count });
                }
            }
        }
        Ok(())
    }

    /// What a player has achieved: the value in `goals`, a symbol of `Score`.
    pub fn goal(&self, state: &State, player: PlayerId) -> Name {
        self.symbols[usize::from(state.values[self.goals[usize::from(player.0)] as usize])]
    }

    /// The same as a number, if its symbol is one.
    pub fn score(&self, state: &State, player: PlayerId) -> Option<i64> {
        self.text(self.goal(state, player)).parse().ok()
    }

    /// What a player is told of a move: the tags that were visible when the walk came to them
    /// (RG, 2.1, obfuscated moves). The player whose move it is knows all of it, of course.
    pub fn visible<'m>(
        &'m self,
        moves: &'m Moves,
        index: usize,
        player: PlayerId,
    ) -> impl Iterator<Item = Name> + 'm {
        let player = usize::from(player.0);
        let always = self.initial.values[self.visible[player] as usize] != self.zero;
        moves.tags_and_hidden(index).filter_map(move |(tag, hidden)| {
            let visible = match hidden.get(player / 64) {
                Some(word) => word >> (player % 64) & 1 == 0,
                None => always,
            };
            visible.then_some(tag)
        })
    }

    /// The slot of a variable of a set type, or with a key an access of an entry of a map.
    /// `None` if there is no such variable or entry, or if it is a map.
    pub fn slot(&self, variable: Name, keys: &[Name]) -> Option<Slot> {
        let Variable { base, keys: types } = self.variables.get(&variable)?;
        if types.len() != keys.len() {
            return None;
        }
        let mut register = *base;
        for ((symbols, stride), key) in types.iter().zip(keys) {
            register += symbols.binary_search(key).ok()? as u32 * stride;
        }
        Some(Slot(register))
    }

    /// How many slots there are in a state.
    pub fn slots(&self) -> usize {
        self.program.variables
    }

    /// The symbol in a slot.
    pub fn at(&self, state: &State, slot: Slot) -> Name {
        self.symbols[usize::from(state.values[slot.index()])]
    }

    /// The value of a variable of a set type, or of an entry of a map: [`Automaton::slot`] and
    /// [`Automaton::at`].
    pub fn value(&self, state: &State, variable: Name, keys: &[Name]) -> Option<Name> {
        Some(self.at(state, self.slot(variable, keys)?))
    }

    /// The size of the compiled form.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            operations: self.program.code.len(),
            slots: self.program.variables,
            checks: self.program.checks.len(),
        }
    }

    /// Words of flags for a tag: whom it is hidden from, if that ever changes.
    fn words(&self) -> usize {
        if self.conceals { self.players.len().div_ceil(64) } else { 0 }
    }

    fn edge_of(&self, at: Address) -> String {
        let (from, to) = self.edges[self.program.edges[at as usize] as usize];
        format!("{}, {}", self.text(from), self.text(to))
    }

    #[cold]
    fn dead_end(&self, state: &State) -> PlayError {
        let player = self.symbols[usize::from(state.values[PLAYER as usize])];
        PlayError::DeadEnd {
            node: self.text(self.node(state)).to_owned(),
            player: self.text(player).to_owned(),
        }
    }

    #[cold]
    fn ambiguous(&self, node: NodeId, tags: &[Name]) -> PlayError {
        let tags: Vec<&str> = tags.iter().map(|&tag| self.text(tag)).collect();
        let node = self.text(self.nodes[node as usize]).to_owned();
        PlayError::Ambiguous { node, tags: tags.join(" ") }
    }
}

/// The size of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Operations of the compiled form.
    pub operations: usize,
    /// Symbols in a state.
    pub slots: usize,
    /// Different reachability checks.
    pub checks: usize,
}

/// The node `begin`.
const BEGIN: NodeId = 0;

/// The node `end`.
const END: NodeId = 1;

/// The symbols of the type `Player`, each once.
fn players(description: &Description) -> Vec<Name> {
    let mut players: Vec<Name> = Vec::new();
    let mut seen = hashbrown::HashSet::new();
    for player in description.symbols_of(Name::PLAYER_TYPE).unwrap_or_default() {
        if seen.insert(player.name) {
            players.push(player.name);
        }
    }
    players
}

/// Where an entry of a map from symbols to symbols is.
fn entry(layout: &mut Layout, variable: Name, key: Name) -> Option<Register> {
    let &Item { base, ty } = layout.variables.get(&variable)?;
    let Ty::Map(map) = ty else { return None };
    let (Ty::Set(keys), Ty::Set(_)) = layout.types.map(map) else { return None };
    let index = layout.types.symbols(keys).binary_search(&key).ok()?;
    Some(base + index as Register)
}

fn variables(layout: &Layout) -> HashMap<Name, Variable> {
    let variables = layout.variables.iter().map(|(&name, &Item { base, mut ty })| {
        let mut keys = Vec::new();
        while let Ty::Map(map) = ty {
            let (key, value) = layout.types.map(map);
            let Ty::Set(set) = key else { break };
            let stride = layout.size(value).unwrap_or(0) as u32;
            keys.push((layout.types.symbols(set).into(), stride));
            ty = value;
        }
        (name, Variable { base, keys })
    });
    variables.collect()
}
