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
    /// The largest values of the variables.
    pub(super) bounds: Vec<u32>,
    /// By edge: the number of its modifier in the text, from 1; 0 for edges without a modifier and
    /// edges in patterns.
    pub(super) numbers: Vec<u32>,
    /// By node: whether a later action may depend on the current square.
    pub(super) reads_square: Vec<bool>,
}

/// The rules as a graph.
pub(super) struct Rules {
    start: Node,
    pub edges: Vec<Edge>,
    /// The edges that leave each node.
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

/// A move with the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its modifiers in order; the last one is a switch.
    pub word: Vec<Application>,
    /// The position after it.
    pub to: Position,
}

impl Machine {
    /// Prepares a game for play.
    ///
    /// # Errors
    ///
    /// When the rules exceed the limits.
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

    /// The first position, with the turn of the keeper.
    pub fn initial(&self) -> Position {
        self.settled(Position::first(&self.game, self.rules.start))
    }

    /// The moves of the current player, in no particular order; none if the play is over.
    ///
    /// # Errors
    ///
    /// When the work exceeds its limit, or words have no end.
    pub fn moves(&self, position: &Position, work: &mut Work) -> Result<Vec<Move>, Trouble> {
        Search::new(self, work).moves(position)
    }

    /// The position after all moves of the keeper. Of several moves it takes the first that is
    /// found.
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

    /// The place in the text of a modifier, by its number from 1 on.
    pub fn modifier_span(&self, number: u32) -> Option<Span> {
        let edge = self.numbers.iter().position(|own| *own == number && number > 0)?;
        Some(self.rules.edges[edge].place.0)
    }

    /// The position in which the current square is the first one, if no later action reads it.
    pub(super) fn settled(&self, mut position: Position) -> Position {
        if !self.reads_square[position.node as usize] {
            position.square = 0;
        }
        position
    }
}

/// By edge: the number of its modifier. Nodes that are reachable from the start are in no pattern.
/// Their edges are in the order of the text.
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
