//! What is played: a description, and its names as the symbols and terms of the contract.

use super::hints;
use gdlr_engine::engine::Roles;
use gdlr_rg::rg::{Base, Description, Expr, Label, Name, SimpleType, Type, Value};
use gdlr_rules::gdl::{Game, Symbol, SymbolTable, Term};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// What the move without tags is called, as far as the name is free.
const NOOP: &str = "noop";

/// What facts call the node of a state, as far as the name is free.
const NODE: &str = "node";

/// A description that is to be played, with its names in terms.
///
/// ```
/// # mod gdlr { pub use gdlr_automata::automaton; pub use gdlr_rg::rg; }
/// use gdlr::automaton::AutomatonGame;
/// let text = "type Player = { x, o }; type Score = { 0, 100 };
///     begin, dice: player = random; dice, end: player = keeper;";
/// let game = AutomatonGame::new("dice", gdlr::rg::read(text).unwrap()).unwrap();
/// assert_eq!(game.roles().names(), ["x", "o", "random"]);
/// ```
#[derive(Debug)]
pub struct AutomatonGame {
    description: Arc<Description>,
    game: Arc<Game>,
    roles: Roles,
    /// By name of the description: its symbol, if play can speak of it.
    symbols: Vec<Option<Symbol>>,
    /// By symbol: the name that it stands for.
    names: Vec<Option<Name>>,
    noop: Symbol,
    node: Symbol,
}

impl AutomatonGame {
    /// Gives the names of a description symbols, as they are written: `x` and `X` are two. Takes
    /// time linear in the description. Whether it can be played is seen when an
    /// [engine](super::AutomatonEngine) is made.
    ///
    /// # Errors
    ///
    /// When there are more names than a [`SymbolTable`] holds, or a player's name is another
    /// spelling of `random`, which elsewhere means chance.
    pub fn new(
        name: &str,
        description: impl Into<Arc<Description>>,
    ) -> Result<AutomatonGame, Box<Diagnostic>> {
        let made = AutomatonGame::several(name, vec![description.into()]);
        made.map(|mut only| only.remove(0)).map_err(|(_, problem)| problem)
    }

    /// The same for several descriptions of one game, so that moves of one can be played on
    /// another: what is called the same in them has the same symbol.
    ///
    /// # Errors
    ///
    /// As [`AutomatonGame::new`], with the place in the list of the description that it is about.
    pub fn several(
        name: &str,
        descriptions: Vec<Arc<Description>>,
    ) -> Result<Vec<AutomatonGame>, (usize, Box<Diagnostic>)> {
        let mut words = Words::new();
        let mut named = Vec::new();
        for (place, description) in descriptions.iter().enumerate() {
            let all = players(description)
                .and_then(|players| Ok((Naming::of(description, &players, &mut words)?, players)));
            named.push(all.map_err(|problem| (place, problem))?);
        }
        let mut own = |text: &str| words.own(text).map_err(|problem| (0, problem));
        let (noop, node, tag) = (own(NOOP)?, own(NODE)?, own(hints::TAG)?);
        let mut types: Vec<HashMap<Name, Symbol>> = Vec::new();
        for (place, description) in descriptions.iter().enumerate() {
            let names = description.types.iter().map(|alias| alias.name.name);
            let symbol = |name| {
                let text = hints::of_type(description.names.text(name));
                words.of(&text).map(|symbol| (name, symbol)).map_err(|problem| (place, problem))
            };
            types.push(names.map(symbol).collect::<Result<_, _>>()?);
        }
        let described = descriptions.into_iter().zip(named).zip(types);
        let games = described.map(|((description, (naming, players)), types)| {
            let symbol = |name: Name| naming.symbols[name.index()];
            let role = |&player: &Name| Term::Constant(symbol(player).expect("a symbol"));
            let roles = players.iter().map(role).collect();
            let rules = hints::rules(&description, symbol, &types, tag);
            let game = Game::not_in_gdl(name, words.table.clone(), roles, rules);
            let (roles, Naming { symbols, names }) = (Roles::of(&game), naming);
            AutomatonGame { game: Arc::new(game), roles, symbols, names, noop, node, description }
        });
        Ok(games.collect())
    }

    /// What is played.
    pub fn description(&self) -> &Arc<Description> {
        &self.description
    }

    /// The names and roles, for whoever shows states and matches. Its rules say no more than the
    /// types do.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The roles.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// What facts call the node of a state.
    pub(super) fn node(&self) -> Symbol {
        self.node
    }

    /// The symbol of a name that play can speak of.
    pub(super) fn symbol(&self, name: Name) -> Option<Symbol> {
        self.symbols.get(name.index()).copied().flatten()
    }

    /// The constant that a name is in terms.
    pub(super) fn constant(&self, name: Name) -> Term {
        Term::Constant(self.symbol(name).expect("a name that play can speak of"))
    }

    /// The name that a symbol stands for.
    pub(super) fn name(&self, symbol: Symbol) -> Option<Name> {
        self.names.get(usize::from(symbol.index())).copied().flatten()
    }

    /// A move as a term.
    pub(super) fn term(&self, tags: &[Name]) -> Term {
        match tags {
            [] => Term::Constant(self.noop),
            [only] => self.constant(*only),
            [first, others @ ..] => {
                let function = self.symbol(*first).expect("tags have symbols");
                Term::Function(function, others.iter().map(|&tag| self.constant(tag)).collect())
            }
        }
    }

    /// The tags of the move that a term writes.
    pub(super) fn tags(&self, term: &Term) -> Option<Vec<Name>> {
        match term {
            Term::Constant(symbol) if *symbol == self.noop => Some(Vec::new()),
            Term::Constant(symbol) => Some(vec![self.name(*symbol)?]),
            Term::Function(first, others) if !others.is_empty() => {
                let others = others.iter().map(|other| match other {
                    Term::Constant(symbol) => self.name(*symbol),
                    _ => None,
                });
                std::iter::once(self.name(*first)).chain(others).collect()
            }
            Term::Function(..) | Term::Variable(_) => None,
        }
    }
}

/// The players, each once, and behind them chance, if it may have the move.
fn players(description: &Description) -> Result<Vec<Name>, Box<Diagnostic>> {
    let mut players: Vec<Name> = Vec::new();
    let mut seen = HashSet::new();
    for player in description.symbols_of(Name::PLAYER_TYPE).unwrap_or_default() {
        let text = description.names.text(player.name);
        if player.name != Name::RANDOM && text.eq_ignore_ascii_case("random") {
            let message = "a player of this name would be taken for chance, `random`";
            let problem = Diagnostic::new(Code::RgBuiltIn, player.place.0, message);
            return Err(Box::new(problem.with_help("give the player another name")));
        }
        if seen.insert(player.name) {
            players.push(player.name);
        }
    }
    if !seen.contains(&Name::RANDOM) && has_chance(description) {
        players.push(Name::RANDOM);
    }
    Ok(players)
}

/// Words of several descriptions as symbols.
struct Words {
    table: SymbolTable,
    by_text: HashMap<Box<str>, Symbol>,
    taken: HashSet<Symbol>,
}

impl Words {
    fn new() -> Words {
        let table = SymbolTable::new(true);
        Words { table, by_text: HashMap::new(), taken: HashSet::new() }
    }

    /// The symbol of a text, new or known.
    fn of(&mut self, text: &str) -> Result<Symbol, Box<Diagnostic>> {
        if let Some(&symbol) = self.by_text.get(text) {
            return Ok(symbol);
        }
        let symbol = self.own(text)?;
        self.by_text.insert(text.into(), symbol);
        Ok(symbol)
    }

    /// A symbol that nothing else has: the text, or where that is taken or means something to GDL
    /// in another spelling, the text with a number behind it.
    fn own(&mut self, text: &str) -> Result<Symbol, Box<Diagnostic>> {
        let mut spelled = text.to_owned();
        for number in 2.. {
            let known = self.table.get(&spelled);
            // A keyword is there from the beginning.
            let is_free = known.is_none_or(|symbol| {
                !self.taken.contains(&symbol) && symbol.spelled(&self.table) == spelled
            });
            if is_free {
                break;
            }
            spelled = format!("{text}_{number}");
        }
        let symbol = self.table.intern(&spelled).map_err(|_| {
            let message = format!("more than {} names to play with", SymbolTable::CAPACITY);
            Box::new(Diagnostic::new(Code::RgTooLarge, Span::default(), message))
        })?;
        self.taken.insert(symbol);
        Ok(symbol)
    }
}

/// The symbols of a description.
struct Naming {
    symbols: Vec<Option<Symbol>>,
    names: Vec<Option<Name>>,
}

impl Naming {
    /// Of all names that play can speak of: of players, of what variables hold, of variables, of
    /// tags, of nodes where moves end.
    fn of(
        description: &Description,
        players: &[Name],
        words: &mut Words,
    ) -> Result<Naming, Box<Diagnostic>> {
        let mut all: Vec<Name> = players.to_vec();
        all.extend([Name::KEEPER, Name::RANDOM, Name::ZERO, Name::ONE]);
        all.extend([Name::PLAYER, Name::GOALS, Name::VISIBLE, Name::BEGIN, Name::END]);
        let types = description.types.iter().map(|alias| &alias.type_);
        let types = types.chain(description.constants.iter().map(|constant| &constant.type_));
        for type_ in types.chain(description.variables.iter().map(|variable| &variable.type_)) {
            members(type_, &mut all);
        }
        all.extend(description.variables.iter().map(|variable| variable.name.name));
        all.extend(description.constants.iter().map(|constant| constant.name.name));
        for edge in &description.edges {
            match &edge.label {
                Label::Tag(tag) => all.push(tag.name),
                Label::AssignAny { values, .. } => members(values, &mut all),
                Label::Assign { target, .. } if target.root() == Name::PLAYER => {
                    all.push(edge.to.name);
                }
                _ => {}
            }
        }
        let mut naming = Naming { symbols: vec![None; description.names.len()], names: Vec::new() };
        for name in all {
            if naming.symbols[name.index()].is_none() {
                let symbol = words.of(description.names.text(name))?;
                naming.symbols[name.index()] = Some(symbol);
                let place = usize::from(symbol.index());
                if naming.names.len() <= place {
                    naming.names.resize(place + 1, None);
                }
                naming.names[place] = Some(name);
            }
        }
        Ok(naming)
    }
}

/// Adds the symbols that are listed in a type.
fn members(type_: &Type, all: &mut Vec<Name>) {
    for simple in type_.keys.iter().chain([&type_.value]) {
        if let SimpleType::Set(set) = simple {
            all.extend(set.members.iter().map(|member| member.name));
        }
    }
}

/// Whether chance may have the move: whether anything but a type speaks of `random`.
fn has_chance(description: &Description) -> bool {
    let values = description.constants.iter().map(|constant| &constant.value);
    let values = values.chain(description.variables.iter().map(|variable| &variable.initial));
    if values.into_iter().any(says_random) {
        return true;
    }
    let built_in = description.missing_types();
    let aliases = description.types.iter().chain(&built_in);
    let aliases = aliases.map(|alias| (alias.name.name, &alias.type_)).collect();
    description.edges.iter().any(|edge| match &edge.label {
        Label::Assign { target, value } => names_random(target) || names_random(value),
        Label::AssignAny { values, .. } => lists_random(values, &aliases),
        Label::Compare { .. } | Label::Skip | Label::Reach { .. } => false,
        Label::Tag(_) | Label::TagVariable(_) => false,
    })
}

fn says_random(value: &Value) -> bool {
    match value {
        Value::Name(name) => name.name == Name::RANDOM,
        // Maps nest no deeper than the reader allows.
        Value::Map(map) => map.entries.iter().any(|entry| says_random(&entry.value)),
    }
}

fn names_random(expr: &Expr) -> bool {
    let in_base = match &expr.base {
        Base::Name(name) => name.name == Name::RANDOM,
        Base::Cast(_, inner) => names_random(inner),
    };
    in_base || expr.keys.iter().any(names_random)
}

/// Whether `random` is a symbol of a type, or the type is none.
fn lists_random<'d>(mut type_: &'d Type, aliases: &HashMap<Name, &'d Type>) -> bool {
    // No chain of aliases is longer, unless it is a circle.
    for _ in 0..=aliases.len() {
        match &type_.value {
            SimpleType::Set(set) => {
                return set.members.iter().any(|member| member.name == Name::RANDOM);
            }
            SimpleType::Named(alias) => match aliases.get(&alias.name) {
                Some(next) => type_ = next,
                None => return true,
            },
        }
    }
    true
}
