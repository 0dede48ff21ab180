//! Translates a game to an automaton of Regular Games.
//!
//! - The board is a variable `board` from squares to pieces. The current square is the variable
//!   `here`. A direction is a constant map from squares to squares. A step before a test of the
//!   piece may lead to `nowhere`. The piece there is one that no test asks for.
//! - Variables are bounded numbers, players are the entries of `goals`, and arithmetic is maps.
//!   Pieces that are counted have a counter.
//! - The edges of the [program](super::program) become edges. A modifier of a player's move becomes
//!   tags: one that tells it from other modifiers, and one for its square. A tag that carries no
//!   information is left out.
//! - A switch ends a move. Then the keeper checks whether the next player has a move. If not, the
//!   play ends.
//! - The keeper may choose in Regular Boardgames, but not in Regular Games. So it takes the first
//!   walk, in the order of the text, on which it can complete its move.
//!
//! | file | content |
//! |---|---|
//! | [`numbers`] | numbers and arithmetic |
//! | [`definitions`] | types, constants and variables |
//! | [`actions`] | the edges of actions |
//! | [`turns`] | moves of players, turns, ends of plays |
//! | [`keeper`] | moves of the keeper |

mod actions;
mod definitions;
mod keeper;
mod numbers;
mod turns;

use super::analysis::Analysis;
use super::ast::{Game, VariableId};
use super::hand_over::ask_in_moves;
use super::late_counts::count_late;
use super::limits::Limits;
use super::program::{self, Act, Node, Program};
use super::relation::RelationId;
use super::returns::jump_back;
use crate::rg::naming::Naming;
use crate::rg::{Base, Description, Edge, Expr, Ident, Label, Name, Place};
use gdlr_text::diagnostic::{Code, Diagnostic};
use hashbrown::HashMap;
use numbers::{Domain, Tables};
use std::rc::Rc;

/// The purpose for which a node is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    /// A move of a player.
    Player,
    /// A move of the keeper that can be completed.
    Keeper,
    /// A check whether a move can be completed.
    Test,
    /// A check whether a pattern holds.
    Pattern,
}

type Translated<T> = Result<T, Box<Diagnostic>>;

/// The automaton of a game.
///
/// # Errors
///
/// When the automaton exceeds the limits, or the keeper can go round without a modifier.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::{rbg, rg}; }
/// let text = "#players = x(100) #pieces = e, p #variables =
///     #board = rectangle(up, down, left, right, [e, e] [e, p])
///     #rules = ->x (left* + right*) (up* + down*) {p} [e] ->> [$ x = 100] ->> {}";
/// let game = gdlr::rbg::read(text).unwrap();
/// let description = gdlr::rbg::translate(&game).unwrap();
/// let automaton = gdlr::rg::Automaton::new(&description).unwrap();
/// let counted = gdlr::rg::perft(&automaton, &mut Default::default(), 2, |_| ());
/// assert_eq!((counted.counts, counted.terminal), (vec![1, 1, 0], vec![0, 1, 0]));
/// ```
pub fn translate(game: &Game) -> Result<Description, Vec<Diagnostic>> {
    translate_within(game, Limits::default())
}

/// As [`translate`], within limits.
///
/// # Errors
///
/// As [`translate`].
pub fn translate_within(game: &Game, limits: Limits) -> Result<Description, Vec<Diagnostic>> {
    Ok(translate_with_legend(game, limits)?.0)
}

/// The tags of modifiers and squares.
pub(super) struct Legend {
    /// By edge of the program: the tag of its modifier.
    pub tags: HashMap<usize, Name>,
    /// By edge: whether the current square is a tag after it.
    pub square: Vec<bool>,
    /// By square: its tag.
    pub squares: Vec<Name>,
}

/// The automaton of a game, with the legend of its tags.
pub(super) fn translate_with_legend(
    game: &Game,
    limits: Limits,
) -> Result<(Description, Legend), Vec<Diagnostic>> {
    let mut program = Program::new(game, limits).map_err(|error| vec![error])?;
    jump_back(&mut program);
    count_late(&mut program);
    ask_in_moves(game, &mut program);
    let analysis = Analysis::new(game, &program);
    let mut emitter = Emitter::new(game, &program, &analysis, limits);
    match emitter.all() {
        Ok(()) => {
            let Emitter { mut description, naming, tags, squares, .. } = emitter;
            description.names = naming.names;
            Ok((description, Legend { tags, square: analysis.square.clone(), squares }))
        }
        Err(error) => Err(vec![*error]),
    }
}

/// A variable for the number of pieces of a kind.
#[derive(Clone)]
struct Counter {
    name: Name,
    domain: Rc<Domain>,
    /// Whether it is right only after a late count.
    is_late: bool,
}

/// The treatment of a step from a square without a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leads {
    /// There is always a target.
    Always,
    /// It leads to `nowhere`, as a test of the piece follows.
    Nowhere,
    /// The step is not valid.
    Not,
}

/// The automaton so far.
struct Emitter<'a> {
    game: &'a Game,
    program: &'a Program,
    analysis: &'a Analysis,
    limits: Limits,
    description: Description,
    naming: Naming,
    tables: Tables,
    /// The name of each variable, or of the player, and its domain.
    variables: Vec<(Name, Rc<Domain>)>,
    /// The counter of each piece, if it is counted.
    counters: Vec<Option<Counter>>,
    /// The variable for the square up to which pieces are counted late, if any are.
    counted_to: Option<Name>,
    pieces: Vec<Name>,
    squares: Vec<Name>,
    square_type: Name,
    /// The type of squares with [`nowhere`](Self::nowhere).
    target_type: Name,
    nowhere: Name,
    /// By node: whether a step to it may lead to `nowhere`, since [a test of the piece
    /// follows](asks_piece).
    asks_piece: Vec<bool>,
    /// The piece on `nowhere`, if a step may lead there.
    border: Option<Name>,
    piece_type: Name,
    board: Name,
    here: Name,
    /// The variable for the remembered square, if there is one.
    origin: Option<Name>,
    /// By relation: the maps of its functions.
    functions: HashMap<RelationId, Vec<(Name, bool)>>,
    /// By set: its map to truth values.
    piece_sets: HashMap<Vec<usize>, Name>,
    square_sets: HashMap<Vec<usize>, Name>,
    square_types: HashMap<Vec<usize>, Name>,
    successors: HashMap<Vec<usize>, Name>,
    /// By edge: the tag of its modifier.
    tags: HashMap<usize, Name>,
    nodes: HashMap<(Node, Mode), Name>,
    open: Vec<(Node, Mode)>,
    turns: HashMap<(Node, Option<VariableId>), Name>,
    open_turns: Vec<(Node, Option<VariableId>)>,
    /// The target of checks whether a move can be completed.
    found: Name,
    /// The place in the text of the rules that are being translated.
    at: Place,
}

impl<'a> Emitter<'a> {
    fn new(game: &'a Game, program: &'a Program, analysis: &'a Analysis, limits: Limits) -> Self {
        let mut naming = Naming::default();
        let square_type = naming.fresh_type("Square");
        let target_type = naming.fresh_type("SquareOrNone");
        let piece_type = naming.fresh_type("Piece");
        let found = naming.name("found");
        Emitter {
            game,
            program,
            analysis,
            limits,
            description: Description::default(),
            naming,
            tables: Tables::default(),
            variables: Vec::new(),
            counters: Vec::new(),
            counted_to: None,
            pieces: Vec::new(),
            squares: Vec::new(),
            square_type,
            target_type,
            nowhere: Name::END,
            asks_piece: asks_piece(game, program),
            border: None,
            piece_type,
            board: Name::END,
            here: Name::END,
            origin: None,
            functions: HashMap::new(),
            piece_sets: HashMap::new(),
            square_sets: HashMap::new(),
            square_types: HashMap::new(),
            successors: HashMap::new(),
            tags: HashMap::new(),
            nodes: HashMap::new(),
            open: Vec::new(),
            turns: HashMap::new(),
            open_turns: Vec::new(),
            found,
            at: Place::default(),
        }
    }

    fn all(&mut self) -> Translated<()> {
        self.definitions()?;
        self.name_tags();
        let first = self.turn(self.program.start, None);
        self.edge(Name::BEGIN, first, Label::Skip)?;
        loop {
            if let Some((node, player)) = self.open_turns.pop() {
                self.emit_turn(node, player)?;
            } else if let Some((node, mode)) = self.open.pop() {
                match mode {
                    Mode::Player => self.emit_player(node)?,
                    Mode::Keeper => self.emit_keeper(node)?,
                    Mode::Test => self.emit_test(node)?,
                    Mode::Pattern => self.emit_pattern(node)?,
                }
            } else {
                break;
            }
        }
        if !self.description.edges.iter().any(|edge| edge.to.name == Name::END) {
            // The language wants a walk to `end`, even if no play takes it.
            let never = self.naming.node("never");
            let label = Label::Compare {
                left: Ident::from(Name::ZERO).into(),
                right: Ident::from(Name::ZERO).into(),
                equal: false,
            };
            self.edge(Name::BEGIN, never, label)?;
            self.end(never)?;
        }
        Ok(())
    }

    fn edge(&mut self, from: Name, to: Name, label: Label) -> Translated<()> {
        if self.description.edges.len() >= self.limits.edges {
            let message = format!("the automaton grows beyond {} edges", self.limits.edges);
            return Err(Box::new(Diagnostic::new(Code::RbgGrowth, self.at.0, message)));
        }
        let (from, to, place) = (from.into(), to.into(), self.at);
        self.description.edges.push(Edge { from, to, label, place });
        Ok(())
    }

    /// The node of the automaton for a node of the program.
    fn node(&mut self, node: Node, mode: Mode) -> Name {
        if let Some(name) = self.nodes.get(&(node, mode)) {
            return *name;
        }
        let text = match mode {
            Mode::Player => "move",
            Mode::Keeper => "keep",
            Mode::Test => "can",
            Mode::Pattern => "pattern",
        };
        let name = self.naming.name(&format!("{text}_{node}"));
        self.nodes.insert((node, mode), name);
        self.open.push((node, mode));
        name
    }

    /// The node where a turn begins.
    fn turn(&mut self, node: Node, player: Option<VariableId>) -> Name {
        if let Some(name) = self.turns.get(&(node, player)) {
            return *name;
        }
        let name = self.naming.node("turn");
        self.turns.insert((node, player), name);
        self.open_turns.push((node, player));
        name
    }
}

/// By node: whether every next action is a test of the piece on the current square that
/// distinguishes pieces. Then, before any change, the pattern ends or another step comes.
fn asks_piece(game: &Game, program: &Program) -> Vec<bool> {
    let is_end = |node: Node| program.patterns.iter().any(|pattern| pattern.end == node);
    let mut changes = vec![false; program.nodes];
    while let Some(edge) = program.edges.iter().find(|edge| {
        let before = changes[edge.from as usize];
        let goes_on = !matches!(edge.act, Act::Move(_)) && !is_end(edge.to);
        !before && (edge.act.is_modifier() || goes_on && changes[edge.to as usize])
    }) {
        changes[edge.from as usize] = true;
    }
    let tests = |(_, edge): (usize, &program::Edge)| match &edge.act {
        Act::On(pieces) => pieces.len() < game.pieces.len(),
        _ => false,
    };
    let asks = |node: Node| {
        let mut leaving = program.leaving(node);
        // A pattern holds at its end, whatever follows.
        !changes[node as usize]
            && !is_end(node)
            && program.leaving(node).next().is_some()
            && leaving.all(tests)
    };
    (0..program.nodes as Node).map(asks).collect()
}

/// `base[keys]…`
fn access(base: Name, keys: Vec<Expr>) -> Expr {
    Expr { base: Base::Name(base.into()), keys, place: Place::default() }
}

/// A name as an expression.
fn named(name: Name) -> Expr {
    Ident::from(name).into()
}
