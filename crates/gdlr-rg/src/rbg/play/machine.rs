//! The moves of a position.

use super::position::Position;
use super::search::{Application, Search, Trouble, Work};
use crate::rbg::analysis::Analysis;
use crate::rbg::ast::Game;
use crate::rbg::limits::Limits;
use crate::rbg::program::{Edge, Node, Pattern, Program};
use crate::rbg::relation::Relation;
use gdlr_text::diagnostic::{Diagnostic, Span};

/// A game that is played straight from its rules.
pub struct Machine {
    pub(super) game: Game,
    pub(super) rules: Rules,
    /// By variable: its largest value.
    pub(super) bounds: Vec<u32>,
    /// By edge: the number of its modifier in the text, from 1; 0 for what is none, or stands in
    /// a pattern.
    pub(super) numbers: Vec<u32>,
    /// By node: whether something behind it may depend on the current square.
    pub(super) reads_square: Vec<bool>,
}

/// The rules as a graph.
pub(super) struct Rules {
    start: Node,
    pub edges: Vec<Edge>,
    /// By node: the edges that leave it.
    leaving: Vec<Vec<usize>>,
    pub patterns: Vec<Pattern>,
    pub relations: Vec<Relation>,
}

impl Rules {
    /// The edges that leave a node.
    pub fn leaving(&self, node: Node) -> impl Iterator<Item = (usize, &Edge)> {
        self.leaving[node as usize].iter().map(|number| (*number, &self.edges[*number]))
    }
}

/// A move and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its modifiers in their order, the last one a switch.
    pub word: Vec<Application>,
    /// What the game is like behind it.
    pub to: Position,
}

impl Machine {
    /// Makes ready to play a game.
    ///
    /// # Errors
    ///
    /// Rules beyond the limits.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rg::rbg; }
    /// use gdlr::rbg::{self, play::{Machine, Work}};
    /// let text = "#players = x(100) #pieces = e, p #variables =
    ///     #board = rectangle(up, down, left, right, [e, e, p])
    ///     #rules = ->x (left + right)* {e} [p] ->> [$ x = 100] ->> {}";
    /// let machine = Machine::new(&rbg::read(text).unwrap()).unwrap();
    /// let mut work = Work::default();
    /// let turn = machine.keep(&machine.initial(), &mut work).unwrap();
    /// let moves = machine.moves(&turn, &mut work).unwrap();
    /// let words: Vec<String> = moves.iter().map(|it| machine.number_word(&it.word)).collect();
    /// assert_eq!(words, ["1 2 1 3", "2 2 2 3"]);
    /// ```
    pub fn new(game: &Game) -> Result<Machine, Diagnostic> {
        let program = Program::new(game, Limits::default())?;
        let reads_square = Analysis::new(game, &program).live;
        let numbers = numbers(&program);
        let bounds = game.variables.iter().map(|variable| variable.bound).collect();
        let relations = program.relations.iter().map(|relation| (**relation).clone()).collect();
        let Program { start, edges, leaving, patterns, .. } = program;
        let rules = Rules { start, edges, leaving, patterns, relations };
        Ok(Machine { game: game.clone(), rules, bounds, numbers, reads_square })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Where plays begin: it is the keeper's turn.
    pub fn initial(&self) -> Position {
        self.settled(Position::first(&self.game, self.rules.start))
    }

    /// The moves of whoever has the turn, in no particular order; none if the play is over.
    ///
    /// # Errors
    ///
    /// More work than there may be, or words without end.
    pub fn moves(&self, position: &Position, work: &mut Work) -> Result<Vec<Move>, Trouble> {
        Search::new(self, work).moves(position)
    }

    /// What a position becomes once the keeper has nothing more to do, of several ways by the
    /// first one that is found.
    ///
    /// # Errors
    ///
    /// As [`moves`](Machine::moves); [`Trouble::Endless`] also if the keeper never stops.
    pub fn keep(&self, position: &Position, work: &mut Work) -> Result<Position, Trouble> {
        let mut position = position.clone();
        let mut seen = hashbrown::HashSet::new();
        while position.player.is_none() {
            let Some(first) = self.moves(&position, work)?.into_iter().next() else { break };
            if !seen.insert(std::mem::replace(&mut position, first.to)) {
                return Err(Trouble::Endless);
            }
        }
        Ok(position)
    }

    /// Where a modifier stands in the text, by its number from 1 on.
    pub fn modifier_span(&self, number: u32) -> Option<Span> {
        let edge = self.numbers.iter().position(|own| *own == number && number > 0)?;
        Some(self.rules.edges[edge].place.0)
    }

    /// A position in which a square that nothing reads any more is the first one.
    pub(super) fn settled(&self, mut position: Position) -> Position {
        if !self.reads_square[position.node as usize] {
            position.square = 0;
        }
        position
    }
}

/// By edge: the number of its modifier. What can be reached from the beginning stands in no
/// pattern; its edges are in the order of the text.
fn numbers(program: &Program) -> Vec<u32> {
    let mut in_pattern = vec![false; program.nodes];
    let mut open: Vec<u32> = program.patterns.iter().map(|pattern| pattern.start).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut in_pattern[node as usize], true) {
            open.extend(program.leaving(node).map(|(_, edge)| edge.to));
        }
    }
    let mut last = 0;
    let number = |edge: &Edge| {
        if !edge.act.is_modifier() || in_pattern[edge.from as usize] {
            return 0;
        }
        last += 1;
        last
    };
    program.edges.iter().map(number).collect()
}
