//! Resolves a syntax tree to a game: looks names up, expands definitions, folds constants.
//!
//! Everything is expanded for each player who may move. So `mover` and `Opponent` are known before
//! play.
//!
//! | file | what it resolves |
//! |---|---|
//! | [`scope`] | names of players, pieces, variables and definitions |
//! | [`values`] | the values of expressions |
//! | [`expressions`] | expressions |
//! | [`sentences`] | sentences, as automata |
//! | [`effects`] | effects and their statements |
//! | [`ranges`] | the values of variables |
//! | [`turns`] | the rules, postconditions and ends of each player |

mod effects;
mod expressions;
mod ranges;
mod scope;
mod sentences;
mod turns;
mod values;

use super::ast::{Tree, VariableKind};
use super::game::{Game, Number, Piece, SentenceId, Values, Variable};
use super::limits::Limits;
use super::reader::MAX_ERRORS;
use super::regular::Dfa;
use gdlr_text::diagnostic::{Code, Diagnostic, Severity, Span};
use hashbrown::HashMap;
use scope::Scope;
use std::rc::Rc;
use values::Value;

/// An expression has no value; the reason was reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unresolved;

type Resolved<T> = Result<T, Unresolved>;

/// Looks up the names of a game.
///
/// # Errors
///
/// Undefined names and names of another kind, a board that does not fit, and expressions and
/// automata beyond the limits.
pub fn resolve(tree: &Tree) -> Result<Game, Vec<Diagnostic>> {
    resolve_within(tree, Limits::default()).map(|(game, _)| game)
}

/// As [`resolve`], within limits. Also returns the warnings.
///
/// # Errors
///
/// As [`resolve`].
pub fn resolve_within(
    tree: &Tree,
    limits: Limits,
) -> Result<(Game, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let scope = Scope::new(tree, &mut errors);
    let mut resolver = Resolver {
        tree,
        scope,
        limits,
        findings: errors,
        mover: 0,
        has_square: false,
        can_move: None,
        asked_moves: false,
        in_effect: false,
        parts: 0,
        depth: 0,
        calls: Vec::new(),
        sentence_of: HashMap::new(),
        sentences: Vec::new(),
        assignments: Vec::new(),
        used: Vec::new(),
    };
    let game = resolver.game();
    let mut findings = resolver.findings;
    findings.sort_by_key(|one| (one.span.start, one.span.end));
    findings.dedup_by(|one, other| one.span == other.span && one.message == other.message);
    let (mut errors, warnings): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|one| one.severity() == Severity::Error);
    errors.truncate(MAX_ERRORS);
    match game {
        Some(game) if errors.is_empty() => Ok((game, warnings)),
        _ => Err(errors),
    }
}

/// A game that is being resolved.
struct Resolver<'a> {
    tree: &'a Tree,
    scope: Scope<'a>,
    limits: Limits,
    /// The errors and warnings so far.
    findings: Vec<Diagnostic>,
    /// The player whose moves are resolved.
    mover: usize,
    /// Whether a condition here is about a square.
    has_square: bool,
    /// Whether the player to move has a move; `None` if that is not known.
    can_move: Option<bool>,
    /// Whether an expression has used that.
    asked_moves: bool,
    /// Whether the statements of an effect are resolved.
    in_effect: bool,
    /// The number of parts that were visited.
    parts: usize,
    /// The current depth of definitions and brackets.
    depth: usize,
    /// The definitions that are being expanded.
    calls: Vec<&'a str>,
    /// The numbers of the sentences that conditions match, by their automata.
    sentence_of: HashMap<Rc<Dfa>, SentenceId>,
    sentences: Vec<Rc<Dfa>>,
    /// The assignments of numbers to variables.
    assignments: Vec<(usize, Number)>,
    /// The names of definitions with a use.
    used: Vec<Box<str>>,
}

/// The parameters of a definition that is being expanded, with the values of its arguments.
#[derive(Clone, Copy)]
struct Bindings<'b> {
    names: &'b [super::ast::Word],
    values: &'b [Value],
}

impl Bindings<'_> {
    const NONE: Bindings<'static> = Bindings { names: &[], values: &[] };
}

impl<'a> Resolver<'a> {
    fn report(&mut self, diagnostic: Diagnostic) {
        let most = 4 * MAX_ERRORS;
        if self.findings.len() < most && !self.findings.contains(&diagnostic) {
            self.findings.push(diagnostic);
        }
    }

    fn error<T>(&mut self, code: Code, span: Span, message: &str, help: &str) -> Resolved<T> {
        self.report(Diagnostic::new(code, span, message).with_help(help));
        Err(Unresolved)
    }

    fn warn(&mut self, code: Code, span: Span, message: &str, help: &str) {
        self.report(Diagnostic::new(code, span, message).with_help(help));
    }

    /// Enters a nested part, and counts it.
    fn enter(&mut self, span: Span) -> Resolved<()> {
        self.parts += 1;
        if self.parts > self.limits.parts {
            let message = format!("the game has more than {} parts", self.limits.parts);
            return self.error(Code::AbgGrowth, span, &message, "let macros call fewer macros");
        }
        if self.depth >= self.limits.depth {
            let message = format!("definitions are nested more than {} deep", self.limits.depth);
            return self.error(Code::AbgTooDeep, span, &message, "let macros call fewer macros");
        }
        self.depth += 1;
        Ok(())
    }

    fn game(&mut self) -> Option<Game> {
        self.check_missing();
        let size = self.tree.size?;
        let (width, height) = (size.width as usize, size.height as usize);
        let squares = width.saturating_mul(height);
        if squares > self.limits.squares {
            let message = format!("the board has more than {} squares", self.limits.squares);
            let _: Resolved<()> =
                self.error(Code::AbgGrowth, size.span, &message, "write a smaller board");
            return None;
        }
        if self.scope.players.is_empty() || self.scope.pieces.is_empty() {
            return None;
        }
        let board = self.board(width, height);
        self.check_rules();
        let turns = (0..self.scope.players.len()).map(|mover| self.turn(mover)).collect();
        self.warn_unused();
        self.check_movable();
        let variables = self.variables();
        let board = board?;
        Some(Game {
            players: self.scope.players.iter().map(|name| (*name).into()).collect(),
            pieces: (self.scope.pieces.iter())
                .map(|(name, owners)| Piece { name: (*name).into(), owners: owners.clone() })
                .collect(),
            free: self.scope.free,
            variables,
            width,
            height,
            board,
            turns,
            sentences: std::mem::take(&mut self.sentences),
        })
    }

    fn check_missing(&mut self) {
        let tree = self.tree;
        let missing = [
            ("players", tree.players.is_empty()),
            ("pieces", tree.pieces.is_empty()),
            ("board_size", tree.size.is_none()),
            ("board", tree.board.is_empty()),
        ];
        for (statement, is_missing) in missing {
            if is_missing {
                let message = format!("the statement `{statement} = …;` is missing");
                let error = Diagnostic::new(Code::AbgMissing, Span::default(), message);
                self.report(error.with_help("write it; statements may stand in any order"));
            }
        }
    }

    /// The piece of each square, the bottom row first.
    fn board(&mut self, width: usize, height: usize) -> Option<Vec<usize>> {
        let tree = self.tree;
        let (given, wanted) = (tree.board.len(), width * height);
        if given != wanted && given > 0 {
            let span = tree.board[given - 1].span;
            let message =
                format!("the board has {given} pieces; {height} rows of {width} are {wanted}");
            let _: Resolved<()> = self.error(
                Code::AbgBoard,
                span,
                &message,
                "write a piece for each square, `empty` where there is none",
            );
        }
        let mut board = vec![self.scope.free; wanted];
        let mut whole = given == wanted;
        for (number, word) in tree.board.iter().enumerate() {
            let Some(piece) = self.scope.piece(&word.text) else {
                whole = false;
                let _: Resolved<()> = self.unknown_piece(word);
                continue;
            };
            let (column, row) = (number % width, number / width);
            if row < height {
                board[(height - 1 - row) * width + column] = piece;
            }
        }
        whole.then_some(board)
    }

    /// The variables with their possible values.
    fn variables(&mut self) -> Vec<Variable> {
        let tree = self.tree;
        let mut variables = Vec::new();
        for number in 0..tree.variables.len() {
            let declared = &tree.variables[number];
            let values = match declared.kind {
                VariableKind::Square => {
                    let square = self.initial_square(&declared.initial).unwrap_or_default();
                    Values::Squares(square)
                }
                VariableKind::Range(least, most) => {
                    let values = self.range(declared, least, most);
                    let first = self.initial_number(&declared.initial).unwrap_or(least);
                    Values::Numbers(values, first)
                }
                VariableKind::Inferred => {
                    let first = self.initial_number(&declared.initial).unwrap_or(0);
                    Values::Numbers(vec![first], first)
                }
            };
            let (name, fading) = (declared.name.text.clone(), declared.fading);
            variables.push(Variable { name, fading, values });
        }
        self.infer(&mut variables);
        variables
    }
}
