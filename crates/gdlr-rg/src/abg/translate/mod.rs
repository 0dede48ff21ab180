//! Translates a game to an automaton of Regular Games.
//!
//! - The board is a variable `board` from squares to pieces. The variable `here` is the square of
//!   the last letter. A step is a constant map from squares to squares. A step off the board leads
//!   to `nowhere`. The piece `border` is there, which no letter accepts.
//! - A move begins on any square with a piece of the player. The states of the piece's automaton
//!   become nodes, once for each way in which the piece can be in hand or on the board: see
//!   [`pieces`].
//! - The tags of a move are the first square, the squares where it has taken a piece, the last
//!   square, and effects. An effect is a tag if it tells the move from other moves of the same
//!   squares.
//! - After a move its postconditions are tested, then the ends. Then the keeper checks whether the
//!   next player has a move.
//!
//! | file | content |
//! |---|---|
//! | [`definitions`] | types, constants and variables |
//! | [`numbers`] | numbers, and maps of one or two of them |
//! | [`squares`] | steps and squares |
//! | [`conditions`] | conditions |
//! | [`sentences`] | sentences in conditions |
//! | [`pieces`] | the letters of a move |
//! | [`effects`] | statements of effects |
//! | [`tags`] | the effects that are tags |
//! | [`turns`] | turns and ends |

mod conditions;
mod definitions;
mod effects;
mod numbers;
mod pieces;
mod sentences;
mod squares;
mod tags;
mod turns;

use super::game::{Condition, Game, SentenceId};
use super::limits::Limits;
use crate::rg::naming::Naming;
use crate::rg::{Base, Description, Edge, Expr, Ident, Label, Name, Place};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::{HashMap, HashSet};
use numbers::{Domain, Tables};
use pieces::{Carry, Part, State};
use std::rc::Rc;

type Translated<T> = Result<T, Box<Diagnostic>>;

/// The automaton of a game.
///
/// # Errors
///
/// An automaton beyond the limits.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::{abg, rg}; }
/// let text = "players = white, black; pieces = empty, w(white), b(black);
///     rule w = [0, 1, Empty]; rule b = [0, -1, Empty];
///     board_size = 1, 4; board = b, empty, empty, w;";
/// let game = gdlr::abg::resolve(&gdlr::abg::read(text).unwrap()).unwrap();
/// let description = gdlr::abg::translate(&game).unwrap();
/// let automaton = gdlr::rg::Automaton::new(&description).unwrap();
/// let counted = gdlr::rg::perft(&automaton, &mut Default::default(), 3, |_| ());
/// assert_eq!((counted.counts, counted.terminal), (vec![1, 1, 1, 0], vec![0, 0, 1, 0]));
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
    let mut emitter = Emitter::new(game, limits);
    match emitter.all() {
        Ok(()) => {
            let Emitter { mut description, naming, .. } = emitter;
            description.names = naming.names;
            Ok(description)
        }
        Err(error) => Err(vec![*error]),
    }
}

/// A condition and a sentence that are tested from every square.
type AnyKey = (Rc<Condition>, Option<SentenceId>);

/// The automaton so far.
struct Emitter<'a> {
    game: &'a Game,
    limits: Limits,
    description: Description,
    naming: Naming,
    tables: Tables,
    players: Vec<Name>,
    pieces: Vec<Name>,
    squares: Vec<Name>,
    square_type: Name,
    /// The type of squares with `nowhere`, if a step may lead there.
    place_type: Name,
    piece_type: Name,
    nowhere: Name,
    border: Name,
    /// Whether a step may lead off the board.
    has_border: bool,
    board: Name,
    here: Name,
    /// By variable: its name, and its domain if it has numbers.
    variables: Vec<(Name, Option<Rc<Domain>>)>,
    steps: HashMap<(i64, i64), Name>,
    piece_sets: HashMap<u128, Name>,
    square_sets: HashMap<Rc<[bool]>, Name>,
    /// By state of a sentence: its node.
    sentence_nodes: HashMap<(SentenceId, usize), Name>,
    open_sentences: Vec<(SentenceId, usize)>,
    any_nodes: HashMap<AnyKey, Name>,
    check_nodes: HashMap<Condition, Name>,
    /// Nodes of checks of a letter on the square after its step.
    step_checks: HashMap<(i64, i64, Condition), Name>,
    states: HashMap<(State, Part), Name>,
    open_states: Vec<(State, Part)>,
    finishes: HashMap<(usize, Option<usize>, u64, bool), Name>,
    /// By rule: the effects that are tags.
    tagged: HashMap<(usize, usize), HashSet<Box<str>>>,
    rests: HashMap<(usize, usize), Vec<bool>>,
    score_nodes: HashMap<Vec<i64>, Name>,
    /// By player: the node after a complete move.
    done: Vec<Name>,
    /// By player: the node where postconditions are tested.
    complete: Vec<Name>,
    /// The target of checks that hold.
    found: Name,
    /// The place in the text of the part that is being translated.
    at: Span,
}

impl<'a> Emitter<'a> {
    fn new(game: &'a Game, limits: Limits) -> Self {
        let mut naming = Naming::default();
        let square_type = naming.fresh_type("Square");
        let place_type = naming.fresh_type("SquareOrNone");
        let piece_type = naming.fresh_type("Piece");
        let found = naming.name("found");
        Emitter {
            game,
            limits,
            description: Description::default(),
            naming,
            tables: Tables::default(),
            players: Vec::new(),
            pieces: Vec::new(),
            squares: Vec::new(),
            square_type,
            place_type,
            piece_type,
            nowhere: Name::END,
            border: Name::END,
            has_border: false,
            board: Name::END,
            here: Name::END,
            variables: Vec::new(),
            steps: HashMap::new(),
            piece_sets: HashMap::new(),
            square_sets: HashMap::new(),
            sentence_nodes: HashMap::new(),
            open_sentences: Vec::new(),
            any_nodes: HashMap::new(),
            check_nodes: HashMap::new(),
            step_checks: HashMap::new(),
            states: HashMap::new(),
            open_states: Vec::new(),
            finishes: HashMap::new(),
            tagged: HashMap::new(),
            rests: HashMap::new(),
            score_nodes: HashMap::new(),
            done: Vec::new(),
            complete: Vec::new(),
            found,
            at: Span::default(),
        }
    }

    fn all(&mut self) -> Translated<()> {
        self.begin_definitions();
        self.turns()?;
        loop {
            if let Some((state, part)) = self.open_states.pop() {
                self.emit_state(&state, part)?;
            } else if let Some((sentence, state)) = self.open_sentences.pop() {
                self.emit_sentence(sentence, state)?;
            } else {
                break;
            }
        }
        self.end_definitions();
        Ok(())
    }

    fn edge(&mut self, from: Name, to: Name, label: Label) -> Translated<()> {
        if self.description.edges.len() >= self.limits.edges {
            let message = format!("the automaton grows beyond {} edges", self.limits.edges);
            let error = Diagnostic::new(Code::AbgGrowth, self.at, message);
            return Err(Box::new(error.with_help("write shorter rules, or a smaller board")));
        }
        let (from, to, place) = (from.into(), to.into(), Place(self.at));
        self.description.edges.push(Edge { from, to, label, place });
        Ok(())
    }

    /// Adds an edge to a new node.
    fn on(&mut self, from: Name, text: &str, label: Label) -> Translated<Name> {
        let to = self.naming.node(text);
        self.edge(from, to, label)?;
        Ok(to)
    }

    fn here(&self) -> Expr {
        named(self.here)
    }

    /// `board[square]`
    fn piece_on(&self, square: Expr) -> Expr {
        access(self.board, vec![square])
    }

    /// `here = first`: so that plays that lead to one position have one state.
    fn forget_here(&self) -> Label {
        assign(self.here(), named(self.squares[0]))
    }

    /// The node of a state of a move.
    fn state(&mut self, state: State, part: Part) -> Name {
        if let Some(name) = self.states.get(&(state, part)) {
            return *name;
        }
        let name = self.naming.node(match state.carry {
            Carry::Hand { .. } => "hand",
            Carry::Down(_) => "at",
        });
        self.states.insert((state, part), name);
        self.open_states.push((state, part));
        name
    }
}

/// `base[keys]…`
fn access(base: Name, keys: Vec<Expr>) -> Expr {
    Expr { base: Base::Name(base.into()), keys, place: Place::default() }
}

/// A name as an expression.
fn named(name: Name) -> Expr {
    Ident::from(name).into()
}

/// `target = value`
fn assign(target: Expr, value: Expr) -> Label {
    Label::Assign { target, value }
}

/// `left == right`, or `left != right`
fn compare(left: Expr, right: Name, equal: bool) -> Label {
    Label::Compare { left, right: named(right), equal }
}
