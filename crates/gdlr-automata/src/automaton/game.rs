//! The game of an automaton: a description, with its names as symbols and terms.

use super::hints;
use gdlr_engine::engine::Roles;
use gdlr_rg::rg::{Base, Description, Expr, Label, Name, SimpleType, Type, Value};
use gdlr_rules::gdl::{Game, Symbol, SymbolTable, Term};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// The name of the move without tags. A number is added if it is taken.
const NOOP: &str = "noop";

/// The function of the fact for the node of a state. A number is added if it is taken.
const NODE: &str = "node";

/// A description to be played, with its names as symbols and terms.
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
    /// By name of the description: its symbol, if terms may contain it.
    symbols: Vec<Option<Symbol>>,
    /// By symbol: its name in the description.
    names: Vec<Option<Name>>,
    noop: Symbol,
    node: Symbol,
}

impl AutomatonGame {
    /// Gives symbols to the names of a description. The case of letters counts: `x` and `X` are two
    /// names. Takes time linear in the description. Only an [engine](super::AutomatonEngine) tells
    /// whether the automaton can be played.
    ///
    /// # Errors
    ///
    /// When there are more names than a [`SymbolTable`] holds. When the name of a player is another
    /// spelling of `random`, which means chance elsewhere.
    pub fn new(
        name: &str,
        description: impl Into<Arc<Description>>,
    ) -> Result<AutomatonGame, Box<Diagnostic>> {
        let games = AutomatonGame::several(name, vec![description.into()]);
        games.map(|mut only| only.remove(0)).map_err(|(_, problem)| problem)
    }

    /// The games of several descriptions, in which the same name has the same symbol. So moves of
    /// one can be played on another.
    ///
    /// # Errors
    ///
    /// As [`AutomatonGame::new`], with the place of the description in the list.
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

    /// The description that is played.
    pub fn description(&self) -> &Arc<Description> {
        &self.description
    }

    /// The names and roles, for programs that show states and matches. Its rules say no more than
    /// the types of the description.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The roles.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The function of the fact for the node of a state.
    pub(super) fn node(&self) -> Symbol {
        self.node
    }

    /// The symbol of a name, if terms may contain it.
    pub(super) fn symbol(&self, name: Name) -> Option<Symbol> {
        self.symbols.get(name.index()).copied().flatten()
    }

    /// The constant of a name.
    pub(super) fn constant(&self, name: Name) -> Term {
        Term::Constant(self.symbol(name).expect("a name that play can speak of"))
    }

    /// The name of a symbol.
    pub(super) fn name(&self, symbol: Symbol) -> Option<Name> {
        self.names.get(usize::from(symbol.index())).copied().flatten()
    }

    /// The term of the move with these tags.
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

    /// The tags of the move that a term stands for. `None` if it stands for no move.
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

/// The players, each once, followed by chance if it may have the move.
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

/// The words of several descriptions, as symbols.
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

    /// The symbol of a text. The same text gives the same symbol.
    fn of(&mut self, text: &str) -> Result<Symbol, Box<Diagnostic>> {
        if let Some(&symbol) = self.by_text.get(text) {
            return Ok(symbol);
        }
        let symbol = self.own(text)?;
        self.by_text.insert(text.into(), symbol);
        Ok(symbol)
    }

    /// A new symbol. Its text gets a number if the text is taken, or if GDL spells a word in
    /// another way.
    fn own(&mut self, text: &str) -> Result<Symbol, Box<Diagnostic>> {
        let mut spelled = text.to_owned();
        for number in 2.. {
            let symbol_of_text = self.table.get(&spelled);
            // A keyword has its symbol from the beginning.
            let is_free = symbol_of_text.is_none_or(|symbol| {
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
    /// The symbols of all names that terms may contain: players, values, variables, tags, and nodes
    /// at which moves end.
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

/// Adds the members of set types in a type.
fn members(type_: &Type, all: &mut Vec<Name>) {
    for simple in type_.keys.iter().chain([&type_.value]) {
        if let SimpleType::Set(set) = simple {
            all.extend(set.members.iter().map(|member| member.name));
        }
    }
}

/// Whether chance may have the move: whether `random` occurs outside of types.
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

/// Whether `random` is a member of a type, or the type is not declared.
fn lists_random<'d>(mut type_: &'d Type, aliases: &HashMap<Name, &'d Type>) -> bool {
    // A longer chain of aliases is a cycle.
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
