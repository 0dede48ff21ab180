//! From a game to an automaton of Regular Games.
//!
//! * The board is a variable `board` from squares to pieces; the current square is the variable
//!   `here`. A direction is a constant map from squares to squares. Where a step is followed by a test of
//!   the piece, it may lead to `nowhere`, where a piece stands for which nothing asks.
//! * Variables are bounded numbers, players the entries of `goals`; arithmetic is maps. Pieces that
//!   are counted have a counter.
//! * The edges of the [program](super::program) become edges. A modifier of a player's move becomes
//!   tags: of what tells it from other modifiers, and of its square where that is not known.
//! * A switch ends a move. Then the keeper asks whether whoever comes next has a move; where not,
//!   the play ends.
//! * The keeper, who may choose in Regular Boardgames and may not in Regular Games, takes the first
//!   way in the order of the text by which it can complete its move.
//!
//! | file | what it makes |
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

/// What becomes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    /// A player's move is on.
    Player,
    /// The keeper's move is on, and can be completed.
    Keeper,
    /// Whether a move can be completed is asked.
    Test,
    /// Whether a pattern holds is asked.
    Pattern,
}

type Translated<T> = Result<T, Box<Diagnostic>>;

/// The automaton of a game.
///
/// # Errors
///
/// An automaton beyond the limits, and a keeper that can go round without a modifier.
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

/// How the tags of moves are made of their modifiers.
pub(super) struct Legend {
    /// By edge of the program: the tag that tells its modifier from others.
    pub tags: HashMap<usize, Name>,
    /// By edge: whether the current square is a tag, behind the other one.
    pub square: Vec<bool>,
    /// By square: its tag.
    pub squares: Vec<Name>,
}

/// The automaton of a game, and what its tags are.
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

/// A variable for how many of a piece there are.
#[derive(Clone)]
struct Counter {
    name: Name,
    domain: Rc<Domain>,
    /// Whether it is right only where the piece has been counted.
    is_late: bool,
}

/// Where a step leads if there is no square, which decides how it is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leads {
    /// To a square: there always is one.
    Always,
    /// Nowhere, as the piece is asked for behind it.
    Nowhere,
    /// The step is not valid.
    Not,
}

/// The automaton as far as it has been made.
struct Emitter<'a> {
    game: &'a Game,
    program: &'a Program,
    analysis: &'a Analysis,
    limits: Limits,
    description: Description,
    naming: Naming,
    tables: Tables,
    /// By variable: its name, or that of the player, and what it can be.
    variables: Vec<(Name, Rc<Domain>)>,
    /// By piece: its counter, if it is counted.
    counters: Vec<Option<Counter>>,
    /// The square up to which pieces are counted late, if they are.
    counted_to: Option<Name>,
    pieces: Vec<Name>,
    squares: Vec<Name>,
    square_type: Name,
    /// The type of squares and [`nowhere`](Self::nowhere).
    target_type: Name,
    nowhere: Name,
    /// By node: whether a step that leads there may lead nowhere, as [the piece is asked for](asks_piece).
    asks_piece: Vec<bool>,
    /// The piece that stands nowhere, if a step may lead there before the piece is asked for.
    border: Option<Name>,
    piece_type: Name,
    board: Name,
    here: Name,
    /// The square that is remembered, if one is.
    origin: Option<Name>,
    /// By relation, the maps of its functions.
    functions: HashMap<RelationId, Vec<(Name, bool)>>,
    /// By what is tested: maps to truth values.
    piece_sets: HashMap<Vec<usize>, Name>,
    square_sets: HashMap<Vec<usize>, Name>,
    square_types: HashMap<Vec<usize>, Name>,
    successors: HashMap<Vec<usize>, Name>,
    /// By edge: the tag that tells it from others.
    tags: HashMap<usize, Name>,
    nodes: HashMap<(Node, Mode), Name>,
    open: Vec<(Node, Mode)>,
    turns: HashMap<(Node, Option<VariableId>), Name>,
    open_turns: Vec<(Node, Option<VariableId>)>,
    /// Where a test arrives if a move can be completed.
    found: Name,
    /// Where in the text what is being made comes from.
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
            // The language wants a way to the end, even if no play takes it.
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

    /// The node of the automaton that a node of the program becomes.
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

/// By node: whether all that can come next is a test of the piece on the current square, which tells some
/// piece from another. Then a pattern ends, or there is a step, before anything is changed.
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
        // A pattern holds where it ends, whatever could come next.
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
