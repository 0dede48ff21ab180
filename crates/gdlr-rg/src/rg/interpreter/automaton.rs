//! A description compiled for play, and the questions that it answers about a state.

use super::compile::{Compiled, compile};
use super::error::{NoCode, PlayError};
use super::layout::{Item, RegisterLayout};
use super::moves::Moves;
use super::program::{Address, BEGIN, END, NodeId, PLAYER, Program, Register, Symbol};
use super::state::{PlayerId, Slot, Standing, State, Turn};
use crate::rg::ast::Description;
use crate::rg::name::{Name, Names};
use crate::rg::recast::recast;
use crate::rg::tuning::Tuning;
use crate::rg::types::Ty;
use crate::rg::validate::{makes_improper, validate_within};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part};
use gdlr_text::diagnostic::{Code, Diagnostic, Severity, Span};
use hashbrown::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A description compiled for play.
#[derive(Debug)]
pub struct Automaton {
    pub(super) program: Program,
    pub(super) names: Names,
    /// The names of the symbols, by number.
    pub(super) symbols: Vec<Name>,
    /// The slots of the variables, by name.
    pub(super) variables: HashMap<Name, Variable>,
    /// The names of the nodes, by number.
    pub(super) nodes: Vec<Name>,
    /// The names of the nodes of the edges, by index of the edge.
    edges: Vec<(Name, Name)>,
    initial: State,
    players: Vec<Name>,
    /// By symbol: the turn of the player with this name; `None` for all other symbols.
    turns: Vec<Option<Turn>>,
    /// By player: the register of its score.
    pub(super) goals: Vec<Register>,
    /// By player: the register of its visibility.
    pub(super) visible: Vec<Register>,
    /// The symbol `0`.
    pub(super) zero: Symbol,
    conceals: bool,
    /// A defect that the text shows already, though the game can be played.
    pub(super) improper: Option<String>,
    /// As in [`Tuning`].
    pub(super) remembered_after: u64,
    decisions: Decisions,
    /// Different for all automata.
    pub(super) id: u64,
    /// The same program as machine code.
    #[cfg(feature = "native")]
    pub(super) native: Option<super::native::Native>,
}

/// A symbol, as states hold it.
#[derive(Clone, Copy, Debug)]
pub struct SymbolId(Symbol);

#[derive(Debug)]
pub(super) struct Variable {
    pub base: Register,
    /// By access, from the outermost: the keys in order, and the distance between the values of two
    /// keys.
    pub keys: Vec<(Box<[Name]>, u32)>,
    /// The values that an entry may have, in order.
    values: Box<[Name]>,
}

impl Automaton {
    /// Compiles a description. Built-in definitions may be missing. Takes time linear in the
    /// description, besides the time of [`validate`](crate::rg::validate()).
    ///
    /// # Errors
    ///
    /// The errors that [`validate`](crate::rg::validate()) finds; among them are reachability
    /// checks that certainly need themselves. Other errors say why a description cannot be played:
    /// a map with too many entries, or two maps with different keys that are compared or assigned.
    pub fn new(description: &Description) -> Result<Automaton, Vec<Diagnostic>> {
        let automaton = Automaton::within(description, &[], &Meter::unlimited());
        automaton.expect("there is no limit")
    }

    /// As [`Automaton::new`], within a budget. A state may [stand](Automaton::stand) at the nodes
    /// in `entries`, too.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted. The inner result is that of [`Automaton::new`].
    pub fn within(
        description: &Description,
        entries: &[Name],
        meter: &Meter<'_>,
    ) -> Result<Result<Automaton, Vec<Diagnostic>>, Exhausted> {
        Automaton::tuned(description, entries, &Tuning::default(), meter)
    }

    /// As [`Automaton::within`], with bounds of the caller.
    ///
    /// # Errors
    ///
    /// As [`Automaton::within`].
    pub fn tuned(
        description: &Description,
        entries: &[Name],
        tuning: &Tuning,
        meter: &Meter<'_>,
    ) -> Result<Result<Automaton, Vec<Diagnostic>>, Exhausted> {
        let mut problems = validate_within(description, meter)?;
        let improper = problems.iter().find(|problem| makes_improper(problem.code));
        let improper = improper.map(|problem| problem.message.clone());
        problems.retain(|problem| problem.severity() == Severity::Error);
        if !problems.is_empty() {
            return Ok(Err(problems));
        }
        let recast = recast(description);
        let written = recast.as_ref().map_or(description, |recast| &recast.description);
        let mut layout = RegisterLayout::new(written);
        meter.check()?;
        if !layout.problems.is_empty() {
            return Ok(Err(layout.problems));
        }
        let compiled = compile(written, &mut layout, entries, tuning, meter)?;
        let mut automaton = Automaton::of_compiled(written, layout, compiled, tuning);
        if let (Ok(automaton), Some(recast)) = (&mut automaton, &recast) {
            // Messages name the edges of the description as it was written.
            let edge = |&at: &u32| &description.edges[at as usize];
            let edges = recast.origin.iter().map(edge);
            automaton.edges = edges.map(|edge| (edge.from.name, edge.to.name)).collect();
        }
        Ok(automaton.map(|automaton| Automaton { improper, ..automaton }))
    }

    /// The automaton of a compiled description.
    fn of_compiled(
        description: &Description,
        mut layout: RegisterLayout,
        compiled: Compiled,
        tuning: &Tuning,
    ) -> Result<Automaton, Vec<Diagnostic>> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let zero = layout.symbol(Name::ZERO);
        let players = players(description);
        let flags = |layout: &mut RegisterLayout, variable: Name| -> Vec<Register> {
            let entries = players.iter().map(|&player| entry(layout, variable, player));
            entries.collect::<Option<_>>().unwrap_or_default()
        };
        let goals = flags(&mut layout, Name::GOALS);
        let visible = flags(&mut layout, Name::VISIBLE);
        let mut types = description.types.iter();
        let player_type = types.find(|alias| alias.name.name == Name::PLAYER_TYPE);
        let place = player_type.map_or(Span::default(), |alias| alias.place.0);
        if goals.len() != players.len() || visible.len() != players.len() {
            let message = "`goals` and `visible` have no entry for every player";
            layout.problem(Code::RgBuiltIn, place, message);
        }
        if players.len() > usize::from(u16::MAX) {
            let message = "more players than 16 bits can number";
            layout.problem(Code::RgTooLarge, place, message);
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
        let mut decisions = Decisions::default();
        decisions.record(
            Decision::new(Part::Rg, "landmarks", format!("{} of the nodes", compiled.landmarks))
                .measured("nodes", compiled.nodes.len())
                .bound("copies", u64::from(tuning.copies)),
        );
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
            improper: None,
            program,
            remembered_after: tuning.remembered_after,
            decisions,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            #[cfg(feature = "native")]
            native: None,
        })
    }

    /// Compiles the automaton to machine code, which searches then run (RG, 3.4). Their results
    /// stay the same. Takes some milliseconds for a hundred edges.
    ///
    /// # Errors
    ///
    /// When machine code is not possible. The interpreter then plays as before.
    pub fn compile(&mut self) -> Result<(), NoCode> {
        #[cfg(feature = "native")]
        {
            if self.hides() {
                return Err(NoCode::Hides);
            }
            let symbols = 0..self.symbols.len() as Symbol;
            let kept: Vec<bool> = symbols.map(|symbol| self.is_kept_by(symbol)).collect();
            let native = super::native::Native::of(&self.program, &self.symbols, &kept)?;
            self.native = Some(native);
            Ok(())
        }
        #[cfg(not(feature = "native"))]
        Err(NoCode::NotBuilt)
    }

    /// Whether searches run machine code.
    pub fn is_compiled(&self) -> bool {
        #[cfg(feature = "native")]
        return self.native.is_some();
        #[cfg(not(feature = "native"))]
        false
    }

    /// The decisions of the compiler, each with its reason.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
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

    /// The symbol that the variable `player` has in a state.
    pub(super) fn player(&self, state: &State) -> Name {
        self.symbols[state.values[PLAYER as usize] as usize]
    }

    /// A node with the turn of a player. The node is the target of an assignment to `player`, or
    /// one of the entries that the automaton was made with. `None` if no edge begins or ends at the
    /// node, or if there is no such player.
    pub fn standing(&self, node: Name, turn: Turn) -> Option<Standing> {
        let node = self.nodes.iter().position(|&other| other == node)? as NodeId;
        let player = self.turns.iter().position(|&of| of == Some(turn))? as Symbol;
        Some(Standing { node, player })
    }

    /// Puts a state at another node with another turn. All other values stay as they are.
    pub fn stand(&self, state: &mut State, standing: Standing) {
        state.node = standing.node;
        state.values[PLAYER as usize] = standing.player;
    }

    /// Puts a state at a node where a move can end. All values stay as they are. At any other node
    /// the state has no moves.
    pub fn put(&self, state: &mut State, node: Name) {
        if let Some(place) = self.nodes.iter().position(|&other| other == node) {
            state.node = place as NodeId;
        }
    }

    /// Gives a variable of a state another value.
    pub fn set(&self, state: &mut State, slot: Slot, value: SymbolId) {
        state.values[slot.index()] = value.0;
    }

    /// The values that variables can have, by name.
    pub fn symbol_ids(&self) -> HashMap<Name, SymbolId> {
        let symbols = self.symbols.iter().zip(0..);
        symbols.map(|(&name, symbol)| (name, SymbolId(symbol))).collect()
    }

    /// The player whose turn it is.
    pub fn turn(&self, state: &State) -> Turn {
        if state.node == END {
            return Turn::End;
        }
        // A loose definition of its type may give `player` other symbols. These have no moves.
        self.turns[state.values[PLAYER as usize] as usize].unwrap_or(Turn::Keeper)
    }

    /// Whether a symbol of `player` means the keeper.
    #[cfg(feature = "native")]
    pub(super) fn is_kept_by(&self, player: Symbol) -> bool {
        self.turns[player as usize].unwrap_or(Turn::Keeper) == Turn::Keeper
    }

    /// The score of a player: its value in `goals`, a symbol of `Score`.
    pub fn goal(&self, state: &State, player: PlayerId) -> Name {
        self.symbols[state.values[self.goals[usize::from(player.0)] as usize] as usize]
    }

    /// The score of a player as a number; `None` if its symbol is not a number.
    pub fn score(&self, state: &State, player: PlayerId) -> Option<i64> {
        self.text(self.goal(state, player)).parse().ok()
    }

    /// The tags of a move that a player could see when the walk reached them (RG, 2.1, obfuscated
    /// moves). The mover makes no difference here. [`Automaton::obfuscated`] adds that players know
    /// their own moves.
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

    /// Whether a tag may be hidden from a player: `visible` changes, or is 0 for some player.
    pub fn hides(&self) -> bool {
        let shows = |&register: &Register| self.initial.values[register as usize] != self.zero;
        self.conceals || !self.visible.iter().all(shows)
    }

    /// The slot of a variable of a set type; with keys, the slot of an entry of a map. `None` if
    /// there is no such variable or entry, or if the value is a map.
    pub fn slot(&self, variable: Name, keys: &[Name]) -> Option<Slot> {
        let Variable { base, keys: types, .. } = self.variables.get(&variable)?;
        if types.len() != keys.len() {
            return None;
        }
        let mut register = *base;
        for ((symbols, stride), key) in types.iter().zip(keys) {
            register += symbols.binary_search(key).ok()? as u32 * stride;
        }
        Some(Slot(register))
    }

    /// The entries of a variable: the keys of each, and its slot. A variable of a set type has one
    /// entry without keys. Empty if there is no such variable.
    pub fn entries(&self, variable: Name) -> Vec<(Vec<Name>, Slot)> {
        let Some(Variable { base, keys: types, .. }) = self.variables.get(&variable) else {
            return Vec::new();
        };
        let mut entries = vec![(Vec::new(), Slot(*base))];
        for (symbols, stride) in types {
            let longer = entries.iter().flat_map(|(keys, slot)| {
                symbols.iter().zip(0..).map(move |(&symbol, place)| {
                    let keys = keys.iter().copied().chain([symbol]).collect();
                    (keys, Slot(slot.0 + place * stride))
                })
            });
            entries = longer.collect();
        }
        entries
    }

    /// The values that a variable of a set type, or an entry of a map, may have, in order of the
    /// names. Empty if there is no such variable.
    pub fn values(&self, variable: Name) -> &[Name] {
        self.variables.get(&variable).map_or(&[], |variable| &variable.values)
    }

    /// The number of slots in a state.
    pub fn slots(&self) -> usize {
        self.program.variables
    }

    /// The symbol in a slot.
    pub fn at(&self, state: &State, slot: Slot) -> Name {
        self.symbols[state.values[slot.index()] as usize]
    }

    /// The value of a variable of a set type, or of an entry of a map: [`Automaton::slot`] and
    /// [`Automaton::at`].
    pub fn value(&self, state: &State, variable: Name, keys: &[Name]) -> Option<Name> {
        Some(self.at(state, self.slot(variable, keys)?))
    }

    /// The size of the compiled form.
    pub fn size(&self) -> CodeSize {
        CodeSize {
            operations: self.program.code.len(),
            slots: self.program.variables,
            checks: self.program.checks.len(),
        }
    }

    /// The number of words that hold, for one tag, a flag for each player from whom it is hidden. 0
    /// if visibility never changes.
    pub(super) fn words(&self) -> usize {
        if self.conceals { self.players.len().div_ceil(64) } else { 0 }
    }

    pub(super) fn edge_of(&self, at: Address) -> String {
        let (from, to) = self.edges[self.program.edges[at as usize] as usize];
        format!("{}, {}", self.text(from), self.text(to))
    }

    #[cold]
    pub(super) fn dead_end(&self, state: &State) -> PlayError {
        let player = self.symbols[state.values[PLAYER as usize] as usize];
        PlayError::DeadEnd {
            node: self.text(self.node(state)).to_owned(),
            player: self.text(player).to_owned(),
        }
    }

    #[cold]
    pub(super) fn ambiguous(&self, node: NodeId, tags: &[Name]) -> PlayError {
        let tags: Vec<&str> = tags.iter().map(|&tag| self.text(tag)).collect();
        let node = self.text(self.nodes[node as usize]).to_owned();
        PlayError::Ambiguous { node, tags: tags.join(" ") }
    }
}

/// The size of the compiled form of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeSize {
    /// Operations of the compiled form.
    pub operations: usize,
    /// Symbols in a state.
    pub slots: usize,
    /// Different reachability checks.
    pub checks: usize,
}

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

/// The register of an entry of a map from symbols to symbols.
fn entry(layout: &mut RegisterLayout, variable: Name, key: Name) -> Option<Register> {
    let &Item { base, ty } = layout.variables.get(&variable)?;
    let Ty::Map(map) = ty else { return None };
    let (Ty::Set(keys), Ty::Set(_)) = layout.types.map(map) else { return None };
    let index = layout.types.symbols(keys).binary_search(&key).ok()?;
    Some(base + index as Register)
}

fn variables(layout: &RegisterLayout) -> HashMap<Name, Variable> {
    let variables = layout.variables.iter().map(|(&name, &Item { base, mut ty })| {
        let mut keys = Vec::new();
        while let Ty::Map(map) = ty {
            let (key, value) = layout.types.map(map);
            let Ty::Set(set) = key else { break };
            let stride = layout.size(value).unwrap_or(0) as u32;
            keys.push((layout.types.symbols(set).into(), stride));
            ty = value;
        }
        let values = match ty {
            Ty::Set(set) => layout.types.symbols(set).into(),
            _ => Box::default(),
        };
        (name, Variable { base, keys, values })
    });
    variables.collect()
}
